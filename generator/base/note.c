/* note.c: see note.h */
#include "base/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ag_note_add(ag_note **notes, int *count, ag_arena *arena, int line, const char *format, ...) {
  const size_t n = (size_t)*count;
  if ((n & (n - 1)) == 0) /* full at every power of two */
    *notes = ag_grow(arena, *notes, n * sizeof **notes, (n ? 2 * n : 1) * sizeof **notes);
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  va_end(args);
  char *text = ag_alloc(arena, size);
  vsnprintf(text, size, format, again);
  va_end(again);
  (*notes)[(*count)++] = (ag_note){line, text};
}

typedef struct numbered {
  ag_note note;
  int place;
} numbered;

static int by_line(const void *a, const void *b) {
  const numbered *x = a, *y = b;
  if (x->note.line != y->note.line) return x->note.line < y->note.line ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

void ag_note_sort(ag_note *notes, int count, ag_arena *arena) {
  if (count < 2) return;
  numbered *sorted = ag_alloc(arena, (size_t)count * sizeof *sorted);
  for (int i = 0; i < count; ++i) sorted[i] = (numbered){notes[i], i};
  qsort(sorted, (size_t)count, sizeof *sorted, by_line);
  for (int i = 0; i < count; ++i) notes[i] = sorted[i].note;
}
