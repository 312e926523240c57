/* SPDX-License-Identifier: MIT */
/* value.c: see value.h */
#include "base/value.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const ag_value *ag_value_item(const ag_value *table, const char *key) {
  assert(table->type == AG_VALUE_TABLE);
  for (int i = table->length; i < table->count; i++)
    if (strcmp(table->items[i].key, key) == 0) return &table->items[i];
  return NULL;
}

static const ag_value *item_of(const ag_value *table, const char *key) {
  const ag_value *item = ag_value_item(table, key);
  assert(item);
  return item;
}

const char *ag_value_text(const ag_value *table, const char *key) {
  const ag_value *item = item_of(table, key);
  assert(item->type == AG_VALUE_TEXT);
  return item->text;
}

double ag_value_number(const ag_value *table, const char *key) {
  const ag_value *item = item_of(table, key);
  assert(item->type == AG_VALUE_NUMBER);
  return item->number;
}

int ag_value_integer(const ag_value *table, const char *key) {
  const double number = ag_value_number(table, key);
  assert(number == (double)(int)number);
  return (int)number;
}

bool ag_value_boolean(const ag_value *table, const char *key) {
  const ag_value *item = item_of(table, key);
  assert(item->type == AG_VALUE_BOOLEAN);
  return item->number != 0;
}

const ag_value *ag_value_list(const ag_value *table, const char *key) {
  const ag_value *item = item_of(table, key);
  assert(item->type == AG_VALUE_TABLE);
  return item;
}

ag_number ag_value_exact(const ag_value *table, const char *key) {
  const ag_value *item = item_of(table, key);
  assert(item->type == AG_VALUE_NUMBER);
  return ag_number_from(item->number, item->exact);
}

ag_number ag_value_at(const ag_value *list, int index) {
  assert(index < list->length && list->items[index].type == AG_VALUE_NUMBER);
  return ag_number_from(list->items[index].number, list->items[index].exact);
}

int *ag_value_integers(const ag_value *list, int offset, ag_arena *arena) {
  int *r = ag_alloc(arena, (size_t)(list->length + 1) * sizeof *r);
  for (int k = 0; k < list->length; k++) r[k] = (int)list->items[k].number + offset;
  return r;
}

bool ag_value_is(const ag_value *table, const char *key, const char *text) {
  return strcmp(ag_value_text(table, key), text) == 0;
}
