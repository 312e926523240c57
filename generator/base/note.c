/* SPDX-License-Identifier: MIT */
/* note.c: see note.h */
#include "base/note.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A number at text: its length; 0: none. */
static size_t number_at(const char *text) {
  const size_t length = strspn(text, "0123456789.+-");
  if (length == 0 || strcspn(text, "0123456789") >= length) return 0;
  const bool exponent =
      text[length] == 'e' &&
      (is_digit(text[length + 1]) ||
       (strchr("+-", text[length + 1]) != NULL && text[length + 1] && is_digit(text[length + 2])));
  return exponent ? length + 1 + strspn(text + length + 1, "0123456789+-") : length;
}

/* The text without what stands in quotes, numbers as #. */
static const char *cause_of(const char *text, ag_arena *arena) {
  char *cause = ag_alloc(arena, strlen(text) + 1), *to = cause;
  while (*text) {
    const size_t number = number_at(text);
    const char *end = *text == '"' ? strchr(text + 1, '"') : NULL;
    if (end) {
      *to++ = '"';
      text = end + 1;
    } else if (number) {
      *to++ = '#';
      text += number;
    } else {
      *to++ = *text++;
    }
  }
  *to = '\0';
  return cause;
}

int ag_note_merge(const ag_note *notes, int count, ag_note **merged, ag_arena *arena) {
  enum { SHOWN = 5 };
  const char **causes = ag_alloc(arena, ((size_t)count + 1) * sizeof *causes);
  int *more = ag_alloc(arena, ((size_t)count + 1) * sizeof *more), n = 0;
  const char **lines = ag_alloc(arena, ((size_t)count + 1) * sizeof *lines);
  *merged = ag_alloc(arena, ((size_t)count + 1) * sizeof **merged);
  for (int i = 0; i < count; ++i) {
    const char *cause = cause_of(notes[i].text, arena);
    int k = 0;
    while (k < n && strcmp(causes[k], cause) != 0) ++k;
    if (k == n) {
      causes[n] = cause;
      lines[n] = "";
      (*merged)[n++] = notes[i];
    } else if (++more[k] <= SHOWN && notes[i].line > 0) {
      lines[k] = ag_printf(arena, "%s%s%d", lines[k], more[k] == 1 ? "" : ", ", notes[i].line);
    }
  }
  for (int k = 0; k < n; ++k) {
    if (more[k] == 0) continue;
    const char *where = lines[k][0] == '\0' ? "" : more[k] == 1 ? ", line " : ", lines ";
    (*merged)[k].text = ag_printf(arena, "%s (%d more like this%s%s%s)", (*merged)[k].text, more[k],
                                  where, lines[k], more[k] > SHOWN ? ", ..." : "");
  }
  return n;
}

int ag_note_print(const char *path, const ag_note *notes, int count, ag_arena *arena) {
  ag_note *list;
  const int lines = ag_note_merge(notes, count, &list, arena);
  for (int i = 0; i < lines; i++) {
    if (list[i].line > 0)
      fprintf(stderr, "%s:%d: warning: %s\n", path, list[i].line, list[i].text);
    else
      fprintf(stderr, "%s: warning: %s\n", path, list[i].text);
  }
  return lines;
}

bool ag_note_refuse(const char *path, int count, ag_err *err) {
  return ag_fail(err, path, 0, "mend what they name, or leave -Werror out",
                 "%d warning%s, and -Werror stops at warnings", count, count == 1 ? "" : "s");
}
