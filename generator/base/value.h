/* SPDX-License-Identifier: MIT */
/* value.h: what a description says, without Lua: numbers, text, truth, lists and tables in each
 * other. */
#ifndef AG_VALUE_H
#define AG_VALUE_H

#include "base/arena.h"
#include "base/field.h"

#include <stdbool.h>

typedef enum ag_value_type {
  AG_VALUE_NUMBER,
  AG_VALUE_TEXT,
  AG_VALUE_BOOLEAN,
  AG_VALUE_TABLE
} ag_value_type;

typedef struct ag_value {
  ag_value_type type;
  const char *key;  /* in the table around it; NULL: by position */
  double number;    /* boolean: 0 or 1 */
  ag_residue exact; /* of a number: what it stands for */
  const char *text;
  const struct ag_value *items; /* those by position first, then those with keys, in their order */
  int count;                    /* of all items */
  int length;                   /* of those by position */
} ag_value;

/* The item with this key; NULL: there is none. */
const ag_value *ag_value_item(const ag_value *table, const char *key);

/* The value of the item with this key. A missing item, or one of another type, is a defect of the
 * script: assert. */
const char *ag_value_text(const ag_value *table, const char *key);
/* The same for a number. */
double ag_value_number(const ag_value *table, const char *key);
/* The same for a whole number. */
int ag_value_integer(const ag_value *table, const char *key);
/* The same for true or false. */
bool ag_value_boolean(const ag_value *table, const char *key);
/* The same for a number, with what it stands for. */
ag_number ag_value_exact(const ag_value *table, const char *key);
/* The number at a place of a list, from 0. */
ag_number ag_value_at(const ag_value *list, int index);
/* The same for a table. */
const ag_value *ag_value_list(const ag_value *table, const char *key);
/* The numbers of a list, which are integers, less or more by an offset. */
int *ag_value_integers(const ag_value *list, int offset, ag_arena *arena);
/* Whether the text of an item is this one. */
bool ag_value_is(const ag_value *table, const char *key, const char *text);

#endif
