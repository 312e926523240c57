/* SPDX-License-Identifier: MIT */
/* limits.c: see limits.h */
#include "emit/limits.h"

#include <math.h>
#include <string.h>

/* Where a limit stands in the list; count: it is not there. */
static int place_of(const ag_limits *all, const ag_limit *limit) {
  int k = 0;
  while (k < all->count && !ag_same_limit(all->list[k].limit, limit)) k++;
  return k;
}

ag_limits *ag_limits_of(ag_arena *arena, const ag_graph *graph) {
  ag_limits *all = ag_alloc(arena, sizeof *all);
  *all = (ag_limits){0};
  for (ag_id id = 0; id < graph->dag.count; id++) {
    const ag_limit *limit = graph->dag.nodes[id].limit;
    if (!limit || place_of(all, limit) < all->count) continue;
    int same = 1;
    for (int k = 0; k < all->count; k++) same += strcmp(all->list[k].limit->name, limit->name) == 0;
    all->list = ag_room(arena, all->list, all->count, sizeof *all->list);
    all->list[all->count].limit = limit;
    all->list[all->count].name =
        same > 1 ? ag_printf(arena, "%s_%d", limit->name, same) : limit->name;
    all->list[all->count++].used = false;
  }
  return all;
}

const char *ag_limit_operand(const ag_printer *p, const ag_node *n, ag_id id) {
  const ag_node *x = &p->graph->dag.nodes[id];
  if (!p->limits || !n->limit || x->op != AG_CONST || fabs(x->value) != fabs(n->limit->value))
    return NULL;
  const int k = place_of(p->limits, n->limit);
  if (k == p->limits->count) return NULL;
  p->limits->list[k].used = true;
  const char *name = p->limits->list[k].name;
  return x->value == n->limit->value ? name : ag_printf(p->header->arena, "(-%s)", name);
}

void ag_emit_limits(ag_text *t, const ag_printer *p) {
  const ag_language *l = p->language;
  const ag_header *h = p->header;
  const char *told = ""; /* the reason of those of one name stands once */
  for (int k = 0; p->limits && k < p->limits->count; k++) {
    if (!p->limits->list[k].used) continue;
    p->limits->list[k].used = false;
    const ag_limit *limit = p->limits->list[k].limit;
    const char *type = ag_printf(h->arena, l->scalar ? l->scalar : l->real, h->prefix);
    const char *line = ag_printf(h->arena, "  %s%s %s = %s;", l->constant, type,
                                 p->limits->list[k].name, l->number(h, limit->value));
    const char *comment =
        ag_printf(h->arena, "%s%s%s", l->comment[0], limit->reason, l->comment[2]);
    if (strcmp(told, limit->reason) == 0)
      ag_text_add(t, "%s\n", line);
    else if (strlen(line) + strlen(comment) < AG_WIDTH)
      ag_text_add(t, "%s %s\n", line, comment);
    else
      ag_text_add(t, "  %s\n%s\n", comment, line);
    told = limit->reason;
  }
}
