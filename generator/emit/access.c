/* SPDX-License-Identifier: MIT */
/* access.c: see access.h */
#include "emit/access.h"

#include "base/text.h"

#include <string.h>

/* "GEN3_JOINT_1", "GEN3_NB + GEN3_JOINT_1", "GEN3_BASE_LIN_X", "GEN3_TOOL_LIN_X", "2" */
static const char *index_of(const ag_header *h, const ag_index *index) {
  ag_arena *arena = h->arena;
  const char *upper = h->upper;
  const int at = index->at, joint = index->of == AG_VELOCITY ? at - h->nbase : at;
  switch (index->of) {
  case AG_NUMBER:
    return ag_printf(arena, "%d", at);
  case AG_ROW:
    return ag_printf(arena, "%s_%s_%s", upper, ag_upper(arena, h->rows[at].group),
                     ag_upper(arena, h->rows[at].name));
  case AG_MOTOR:
    return ag_printf(arena, "%s_MOTOR_%s", upper, ag_upper(arena, h->motors[at].id));
  case AG_VELOCITY:
    if (joint < 0)
      return ag_printf(arena, "%s_BASE_%s", upper, ag_upper(arena, ag_base_velocity(h, at)));
    if (h->nbase)
      return ag_printf(arena, "%s_NB + %s_%s", upper, upper, ag_upper(arena, h->joints[joint].id));
    break;
  case AG_JOINT:
    break;
  }
  return ag_printf(arena, "%s_%s", upper, ag_upper(arena, h->joints[joint].id));
}

const char *ag_emit_access(const ag_header *h, const ag_element *element) {
  const ag_path *path = &element->path;
  ag_text text = {.arena = h->arena};
  ag_text_add(&text, "%s", path->quantity);
  if (path->which > 0) ag_text_add(&text, "[%d]", path->which - 1);
  if (path->field[0]) ag_text_add(&text, ".%s", path->field);
  for (int k = 0; k < path->indices; k++) ag_text_add(&text, "[%s]", index_of(h, &path->index[k]));
  return text.chars;
}

const char *ag_array_of(ag_arena *arena, const ag_list *list, int element, const char *access,
                        const char **place) {
  const char *open = strrchr(access, '[');
  const size_t length = strlen(access);
  if (!open || access[length - 1] != ']') return NULL;
  *place = ag_printf(arena, "%.*s", (int)(access + length - 1 - open - 1), open + 1);
  for (int i = 0; list && i < list->nquantities; i++) {
    const ag_quantity *q = &list->quantities[i];
    if (q->shape == AG_JOINTS && element >= q->first && element < q->first + q->size)
      *place = ag_printf(arena, "%d", element - q->first);
  }
  return ag_printf(arena, "%.*s", (int)(open - access), access);
}

uint32_t ag_shape_hash(const ag_header *h, const ag_function *function) {
  uint32_t hash = 2166136261u;
  for (int side = 0; side < 2; side++) {
    const ag_list *list = side ? &function->out : &function->in;
    for (int i = 0; i < list->nelements; i++) {
      const ag_element *e = &list->elements[i];
      const char *text = ag_printf(h->arena, "%d %s %s %s %d\n", side, e->column,
                                   ag_emit_access(h, e), e->unit, h->target.single);
      for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
  }
  return hash;
}
