/* note.h: warnings and remarks: a line of the URDF and a text. */
#ifndef AG_NOTE_H
#define AG_NOTE_H

#include "base/arena.h"

typedef struct ag_note { /* a warning, or a remark for --inspect */
  int line;
  const char *text;
} ag_note;

/* Appends a note to a list that begins as NULL and 0. */
void ag_note_add(ag_note **notes, int *count, ag_arena *arena, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Sorts by line; notes of one line keep their order. */
void ag_note_sort(ag_note *notes, int count, ag_arena *arena);

#endif
