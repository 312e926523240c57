/* SPDX-License-Identifier: MIT */
/* text.h: text that grows, and templates. */
#ifndef AG_TEXT_H
#define AG_TEXT_H

#include "base/arena.h"

/* A macro's value as text: of a macro LIMIT that is 1e5, AG_TEXT_OF(LIMIT) is "1e5". */
#define AG_TEXT_OF(macro) AG_AS_TEXT(macro)
#define AG_AS_TEXT(value) #value

typedef struct ag_text {
  ag_arena *arena;
  char *chars; /* ends with '\0'; NULL while empty */
  size_t length, capacity;
} ag_text;

/* Appends a text made by a format of printf. */
void ag_text_add(ag_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends `length` characters. */
void ag_text_put(ag_text *text, const char *chars, size_t length);

/* Adds words parted by blanks, on a new line that begins with `start` where a line would be longer
 * than width. The end of a comment stays with the last word. */
void ag_text_wrap(ag_text *text, const char *words, const char *start, size_t width);

/* In capitals. */
char *ag_upper(ag_arena *arena, const char *text);

/* A text, which may hold any name of a URDF, as it can stand inside a comment and on one line: the
 * signs that open and close comments are torn apart, control characters become blanks. */
char *ag_comment(ag_arena *arena, const char *text);

/* The shortest decimal that reads back as a finite value: of 15 to 17 digits, since with 15 every
 * shorter decimal comes back as itself, less trailing zeros. */
const char *ag_decimal_text(ag_arena *arena, double value);

/* A path without its folders. */
const char *ag_base_name(const char *path);

/* A key of a template, and what stands for @KEY@. */
typedef struct ag_substitution {
  const char *key, *value;
} ag_substitution;

/* Copies a template with every @KEY@ replaced; the list ends with key NULL. A key that is not in
 * the list is a defect of the template: assert. */
void ag_text_substitute(ag_text *text, const char *form, const ag_substitution *with);

#endif
