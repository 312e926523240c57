/* write.h: a header into its file, with what stands beside it: the source of --mode split, the
 * --depfile. */
#ifndef AG_WRITE_H
#define AG_WRITE_H

#include "options.h"
#include "script/script.h"

/* On failure no file is changed. */
bool ag_write_header(const ag_options *options, const ag_urdf *doc, ag_header *header,
                     ag_script *script, ag_arena *arena, ag_err *err);

#endif
