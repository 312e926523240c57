/* SPDX-License-Identifier: MIT */
/* urdf_bytes.h: a URDF file before it is read as XML. */
#ifndef AG_URDF_BYTES_H
#define AG_URDF_BYTES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/note.h"

/* A file, and what stands in it. */
typedef struct ag_bytes {
  const char *path; /* as messages name it */
  char *bytes;
  size_t size;
} ag_bytes;

/* Reads the whole file of file->path, or standard input. A pipe will do, so that
 * `achdgen <(xacro arm.xacro)` works. Fails where it cannot be read, is empty or larger than 32 MB.
 */
bool ag_urdf_bytes(ag_bytes *file, bool standard, ag_arena *arena, ag_err *err);

/* Whether this is a file whose bytes can be read at once: of a pipe, nobody knows when they come. */
bool ag_is_regular(const char *path);

/* Takes comments out, and makes the XML declaration one that the parser takes: what had to be
 * mended for that is noted. Lines stay where they are. Fails on an element of more than 1000
 * attributes. */
bool ag_urdf_mend(ag_bytes *file, ag_note **notes, int *nnotes, ag_arena *arena, ag_err *err);

#endif
