/* SPDX-License-Identifier: MIT */
/* inputs.h: the files that a header is made of, and the texts of a layout and what it includes. */
#ifndef AG_INPUTS_H
#define AG_INPUTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/note.h"

#include <stdint.h>

typedef struct ag_input_file {
  const char *path; /* opens it */
  const char *name; /* in what is emitted: without folders; of an include as the layout names it */
  const char *text; /* of standard input, which cannot be read again: its bytes; else NULL */
  size_t length;
} ag_input_file;

typedef struct ag_source {
  ag_input_file file;
  const char *text; /* without the mark of UTF-8 that some editors write */
  size_t length;
  ag_note *warnings; /* of what it says */
  int nwarnings;
} ag_source;

/* A layout and what it includes, in the order of their first reading; {0}: none yet. */
typedef struct ag_sources {
  ag_source *list;
  int count;
  size_t size; /* of all texts [bytes] */
} ag_sources;

/* Where a file is named: to blame where it cannot be read. */
typedef struct ag_place {
  const char *file;
  int line; /* 0: no line is to blame */
} ag_place;

/* Reads the layout itself. */
bool ag_sources_layout(ag_sources *sources, const char *path, ag_arena *arena, ag_err *err);

/* The layout itself, which is no file, by a name for messages. */
void ag_sources_text(ag_sources *sources, const char *name, const char *text, ag_arena *arena);

/* The index of an included file, read where it has not been: its name is relative to the layout's
 * folder, and does not climb out of it. */
bool ag_sources_include(ag_sources *sources, const char *name, ag_place from, int *index,
                        ag_arena *arena, ag_err *err);

/* The hash of a file's bytes (hash.h); fails where it cannot be read again. */
bool ag_input_hash(const ag_input_file *file, uint64_t *hash, ag_err *err);

/* Prints the warnings of all sources to standard error. Returns how many lines that makes. */
int ag_sources_warn(const ag_sources *sources, ag_arena *arena);

/* The files of all sources. */
const ag_input_file *ag_sources_files(const ag_sources *sources, int *count, ag_arena *arena);

#endif
