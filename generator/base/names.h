/* SPDX-License-Identifier: MIT */
/* names.h: the names of a robot's links and joints as C identifiers, and names like a wrong one. */
#ifndef AG_NAMES_H
#define AG_NAMES_H

#include "base/arena.h"
#include "base/err.h"

typedef struct ag_name {
  const char *name; /* as in the file */
  const char *id;   /* as a C identifier */
  int line;         /* of the element that gives it */
} ag_name;

/* A C and C++ identifier: what may not stand in one (a character of UTF-8 counts once) becomes `_`,
 * a leading digit gets a `_` before it, a keyword one behind it. */
const char *ag_identifier(const char *name, ag_arena *arena);

/* Fails where two names are equal, or where their identifiers are equal but for upper and lower
 * case (enumerators are upper case). kind: "link" or "joint". */
bool ag_names_distinct(const ag_name *names, int count, const char *kind, const char *file,
                       ag_arena *arena, ag_err *err);

/* Whether a list of words, each with a blank behind it, has this one. */
bool ag_word_in(const char *list, const char *word);

/* Letters to insert, delete, replace or swap with their neighbour to make b from a, upper and lower
 * case alike (Damerau and Levenshtein, no letter touched twice). Only the first 127 bytes count. */
int ag_edit_distance(const char *a, const char *b);

/* Up to three of names that a mistyped one may have meant, the likeliest first, as
 * `"a", "b" or "c"`; "" when none is like it. */
const char *ag_near_names(const char *const *names, int count, const char *mistyped,
                          ag_arena *arena);

/* `did you mean "a" or "b"?` where there are near names, else the advice given. */
const char *ag_did_you_mean(const char *near, const char *otherwise, ag_arena *arena);

#endif
