/* files.h: files written whole or not at all. */
#ifndef AG_FILES_H
#define AG_FILES_H

#include "base/err.h"

typedef struct ag_output {
  const char *path, *text;
} ag_output;

/* Writes all files or none: each into a temporary beside it; when all lie on the disk they are
 * renamed, one after the other. So an old file stays whole when anything goes wrong. Signals wait
 * meanwhile; SIGKILL or the loss of power may leave temporaries (PATH.XXXXXX), and of several files
 * the first ones new, the others old, each of them whole. Behind a symbolic link, it is the file
 * that it leads to. What is not a regular file (a pipe, /dev/null) is written to, first of all. */
bool ag_write_files(const ag_output *files, int count, ag_err *err);

/* One of them. */
bool ag_write_file(const char *path, const char *text, ag_err *err);

/* Whether both names lead to one regular file that is there. */
bool ag_same_file(const char *a, const char *b);

/* Flushes standard output; fails where it could not be written. */
bool ag_flush_stdout(ag_err *err);

#endif
