/* write.h: a header into its file, with what stands beside it: the source of --mode split
 * and shared, the
 * --depfile. */
#ifndef AG_WRITE_H
#define AG_WRITE_H

#include "options.h"
#include "script/script.h"

/* What --describe prints of the header that the options are for. */
bool ag_description_text(const ag_options *options, const ag_urdf *doc, const ag_header *header,
                         const ag_script *script, const char **text, ag_arena *arena, ag_err *err);

/* Fails where a file that is read would be written over, or one written twice. */
bool ag_spare_files(const ag_options *options, ag_err *err);

/* On failure no file is changed. */
bool ag_write_header(const ag_options *options, const ag_urdf *doc, ag_header *header,
                     ag_script *script, ag_arena *arena, ag_err *err);

#endif
