/* write.h: a header into its file, with what stands beside it: the source of --mode split, the
 * --depfile. */
#ifndef AG_WRITE_H
#define AG_WRITE_H

#include "options.h"
#include "script/script.h"

/* The URDF, the layout and what it includes. */
const ag_input_file *ag_all_inputs(const ag_urdf *doc, const ag_script *script, int *count,
                                   ag_arena *arena);

/* On failure no file is changed. */
bool ag_write_header(const ag_options *options, const ag_urdf *doc, const ag_header *header,
                     const ag_script *script, ag_arena *arena, ag_err *err);

#endif
