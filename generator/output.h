/* output.h: files written whole or not at all. */
#ifndef AG_OUTPUT_H
#define AG_OUTPUT_H

#include "err.h"

/* Writes text to path: into a temporary beside it, then renamed, so that an old file stays whole
 * when anything goes wrong; behind a symbolic link, the file it leads to. What is no plain file (a
 * pipe, /dev/null) is written to. */
bool ag_write_file(const char *path, const char *text, ag_err *err);

/* Flushes standard output; fails where it could not be written. */
bool ag_flush_stdout(ag_err *err);

#endif
