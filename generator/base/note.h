/* SPDX-License-Identifier: MIT */
/* note.h: warnings and remarks: a line of the URDF and a text. */
#ifndef AG_NOTE_H
#define AG_NOTE_H

#include "base/arena.h"
#include "base/err.h"

typedef struct ag_note { /* a warning, or a remark for --inspect */
  int line;
  const char *text;
} ag_note;

/* Appends a note to a list that begins as NULL and 0. */
void ag_note_add(ag_note **notes, int *count, ag_arena *arena, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Makes one note of those that say the same of several things, as what stands in quotes and numbers
 * tell them apart: the first, with a count and lines of the others. Returns how many are left. */
int ag_note_merge(const ag_note *notes, int count, ag_note **merged, ag_arena *arena);

/* Prints warnings about a file to standard error, those of one cause as one. Returns how many lines
 * that makes. */
int ag_note_print(const char *path, const ag_note *notes, int count, ag_arena *arena);

/* Fails because of so many warnings, as -Werror asks for. */
bool ag_note_refuse(const char *path, int count, ag_err *err);

/* Sorts by line; notes of one line keep their order. */
void ag_note_sort(ag_note *notes, int count, ag_arena *arena);

#endif
