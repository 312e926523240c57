/* SPDX-License-Identifier: MIT */
/* files.h: files written whole or not at all. */
#ifndef AG_FILES_H
#define AG_FILES_H

#include "base/inputs.h"

typedef struct ag_output {
  const char *path, *text; /* path "-": standard output */
} ag_output;

/* Writes all files or none: each into a temporary beside it; when all lie on the disk they are
 * renamed, one after the other. So an old file stays whole when anything goes wrong, and where one
 * cannot be renamed those before it are put back. Signals wait meanwhile; SIGKILL or the loss of
 * power may leave temporaries (PATH.XXXXXX, and PATH.XXXXXX~ of the file that was there), and of
 * several files the first ones new, the others old, each of them whole. Behind a symbolic link, it
 * is the file that it leads to. What is not a regular file (standard output, a pipe, /dev/null) is
 * written to, first of all. Fails where a file that is read would be written over, two outputs are
 * one file, or one is there and protected; nothing is written then. */
bool ag_write_files(const ag_output *files, int count, const ag_input_file *read, int nread,
                    ag_err *err);

/* Fails where the path ("-": standard output) leads to a regular file that is read, by whatever
 * name. */
bool ag_spare_files(const char *path, const ag_input_file *read, int nread, ag_err *err);

/* Flushes standard output; fails where it could not be written. */
bool ag_flush_stdout(ag_err *err);

#endif
