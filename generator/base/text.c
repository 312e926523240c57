/* SPDX-License-Identifier: MIT */
/* text.c: see text.h */
#include "base/text.h"

#include "base/format.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 1 << 20 };

static void reserve(ag_text *text, size_t more) {
  const size_t need = text->length + more + 1;
  if (need <= text->capacity) return;
  /* what a long text does not fill is never touched, so it is no memory; copies are */
  const size_t wide = (text->capacity < LONG ? 2 : 16) * text->capacity;
  const size_t capacity = need < wide ? wide : need + 256;
  text->chars = ag_grow(text->arena, text->chars, text->chars ? text->length + 1 : 0, capacity);
  text->capacity = capacity;
}

void ag_text_put(ag_text *text, const char *chars, size_t length) {
  reserve(text, length);
  memcpy(text->chars + text->length, chars, length);
  text->length += length;
  text->chars[text->length] = '\0';
}

void ag_text_add(ag_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  reserve(text, 80); /* room for most */
  const size_t room = text->capacity - text->length;
  const size_t length = ag_format(text->chars + text->length, room, format, args);
  va_end(args);
  if (length >= room) {
    reserve(text, length);
    (void)ag_format(text->chars + text->length, length + 1, format, again);
  }
  va_end(again);
  text->length += length;
}

/* The length of the first word, with the end of a comment behind it. */
static size_t word_length(const char *words) {
  size_t length = strcspn(words, " ");
  if (strcmp(words + length, " */") == 0) length += 3;
  return length;
}

void ag_text_wrap(ag_text *text, const char *words, const char *start, size_t width) {
  bool first = true;
  while (*words) {
    const char *line = text->length ? strrchr(text->chars, '\n') : NULL;
    const size_t used = text->length - (line ? (size_t)(line + 1 - text->chars) : 0);
    const size_t length = word_length(words);
    if (!first && used + 1 + length > width)
      ag_text_add(text, "\n%s", start);
    else if (!first)
      ag_text_put(text, " ", 1);
    ag_text_put(text, words, length);
    words += length;
    if (*words == ' ') words++;
    first = false;
  }
}

const char *ag_decimal_text(ag_arena *arena, double value) {
  const char *text = "";
  for (int digits = 15; digits <= 17; digits++) {
    text = ag_printf(arena, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

const char *ag_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void ag_text_substitute(ag_text *text, const char *form, const ag_substitution *with) {
  for (const char *at = form; *at;) {
    const char *open = strchr(at, '@');
    if (!open) {
      ag_text_put(text, at, strlen(at));
      return;
    }
    ag_text_put(text, at, (size_t)(open - at));
    const char *close = strchr(open + 1, '@');
    assert(close);
    const size_t length = (size_t)(close - open - 1);
    const ag_substitution *s = with;
    while (s->key && (strlen(s->key) != length || strncmp(s->key, open + 1, length) != 0)) s++;
    assert(s->key);
    ag_text_put(text, s->value, strlen(s->value));
    at = close + 1;
  }
}

char *ag_upper(ag_arena *arena, const char *text) {
  char *upper = ag_strdup(arena, text);
  for (char *c = upper; *c; c++) *c = (char)toupper((unsigned char)*c);
  return upper;
}

char *ag_comment(ag_arena *arena, const char *text) {
  char *safe = ag_alloc(arena, 2 * strlen(text) + 1), *to = safe;
  for (; *text; text++) {
    const bool control = (unsigned char)*text < ' ' || *text == 0x7f;
    *to = *text;
    if (control) *to = ' ';
    to++;
    if ((text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*')) *to++ = ' ';
  }
  return safe;
}
