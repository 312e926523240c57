/* SPDX-License-Identifier: MIT */
/* function.c: see function.h */
#include "graph/function.h"

#include "base/text.h"

#include <string.h>

ag_function *ag_function_new(ag_arena *arena, const char *name, const char *doc) {
  ag_function *function = ag_alloc(arena, sizeof *function);
  function->name = function->takes = function->fills = ag_strdup(arena, name);
  function->doc = ag_strdup(arena, doc);
  return function;
}

bool ag_uses_shape(const ag_header *h, ag_shape shape) {
  for (int f = 0; f < h->nfunctions; f++)
    for (int side = 0; side < 2; side++) {
      const ag_list *list = side ? &h->functions[f]->out : &h->functions[f]->in;
      for (int i = 0; i < list->nquantities; i++)
        if (list->quantities[i].shape == shape) return true;
    }
  return false;
}

bool ag_by_row(ag_shape shape) {
  return shape == AG_ROWS || shape == AG_MASKS || shape == AG_SET_POINTS || shape == AG_BOUNDS ||
         shape == AG_COMPLIANCES || shape == AG_WEIGHTS;
}

/* "0 to 2 and 6": the numbers of the k for which is[k], after "row" or "rows". */
static void add_runs(ag_text *t, const char *what, const bool *is, int count) {
  int total = 0, runs = 0, done = 0;
  for (int k = 0; k < count; k++) {
    total += is[k];
    runs += is[k] && (k == 0 || !is[k - 1]);
  }
  ag_text_add(t, "%s%s", what, total > 1 ? "s" : "");
  for (int k = 0; k < count; k++) {
    int last = k;
    if (!is[k]) continue;
    while (last + 1 < count && is[last + 1]) last++;
    ag_text_add(t, "%s%d", done == 0 ? " " : done + 1 == runs ? " and " : ", ", k);
    if (last > k) ag_text_add(t, " to %d", last);
    done++;
    k = last;
  }
}

/* The number of a quantity's k-th element, in the enumeration of joints or rows. */
static int enumerated(const ag_header *h, const ag_quantity *q, int k) {
  int row = 0;
  if (!ag_by_row(q->shape)) return k;
  for (;; row++)
    if (ag_row_counts(&h->rows[row], q->shape) && k-- == 0) return row;
}

const char *ag_units(const ag_header *h, const ag_list *list, const ag_quantity *q) {
  const ag_element *elements = list->elements + q->first;
  const bool numbered = q->shape == AG_JOINTS || q->shape == AG_MOTORS || ag_by_row(q->shape);
  const int count = ag_by_row(q->shape) ? h->nrows : q->size;
  ag_text text = {.arena = h->arena};
  for (int k = 0; k < q->size; k++) {
    int before = 0, same = 0;
    for (int i = 0; i < q->size; i++) {
      const bool equal = strcmp(elements[i].unit, elements[k].unit) == 0;
      before += equal && i < k;
      same += equal;
    }
    if (before > 0) continue;
    if (k > 0) ag_text_add(&text, numbered ? "; " : ", ");
    ag_text_add(&text, "%s", elements[k].unit);
    if (!numbered || same == q->size) continue;
    bool *is = ag_alloc(h->arena, (size_t)count * sizeof *is);
    for (int i = 0; i < q->size; i++)
      is[enumerated(h, q, i)] = strcmp(elements[i].unit, elements[k].unit) == 0;
    ag_text_add(&text, ": ");
    add_runs(&text,
             q->shape == AG_JOINTS   ? "joint"
             : q->shape == AG_MOTORS ? "motor"
                                     : "row",
             is, count);
  }
  return q->size > 0 ? text.chars : "1";
}

bool ag_begun_earlier(const ag_list *list, int i, size_t length) {
  for (int k = 0; k < i; k++)
    if (strncmp(list->quantities[k].name, list->quantities[i].name, length) == 0) return true;
  return false;
}

bool ag_stands_earlier(const ag_list *list, int i) {
  const char *name = list->quantities[i].name, *dot = strchr(name, '.');
  return dot && ag_begun_earlier(list, i, (size_t)(dot - name) + 1);
}

bool ag_is_result_of(const char *after, const char *name) {
  const size_t length = strlen(after);
  return strncmp(name, after, length) == 0 && name[length] == '.';
}

/* The places of a quantity's elements from `at` on; returns the place behind it. */
static int place_elements(const ag_header *h, const ag_quantity *q, int *place, int at) {
  if (!ag_by_row(q->shape)) {
    for (int k = 0; k < q->size; k++) place[q->first + k] = at + k;
    return at + q->size;
  }
  for (int row = 0, k = 0; row < h->nrows; row++)
    if (ag_row_counts(&h->rows[row], q->shape)) place[q->first + k++] = at + row;
  return at + h->nrows;
}

const int *ag_places(const ag_header *h, const ag_list *list) {
  int *place = ag_alloc(h->arena, (size_t)(list->nelements + 1) * sizeof *place), at = 0;
  for (int i = 0; i < list->nquantities; i++) {
    if (ag_stands_earlier(list, i)) continue;
    const char *name = list->quantities[i].name, *dot = strchr(name, '.');
    for (int k = i; k < list->nquantities; k++)
      if (k == i || (dot && strncmp(list->quantities[k].name, name, (size_t)(dot - name) + 1) == 0))
        at = place_elements(h, &list->quantities[k], place, at);
  }
  place[list->nelements] = at;
  return place;
}
