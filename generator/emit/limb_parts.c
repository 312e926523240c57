/* SPDX-License-Identifier: MIT */
/* limb_parts.c: see limb_parts.h */
#include "emit/limb_parts.h"

#include "emit/access.h"
#include "emit/windows.h"
#include "limbs/limbs.h"
#include "limbs/outlining.h"
#include "lower/stages.h"

#include <string.h>

const char *ag_limb_type(const ag_printer *p, const char *name, int lanes) {
  return ag_printf(p->header->arena, "%s_limb%d", name, lanes);
}

/* The kind of vectors of so many lanes. */
static int kind_of_lanes(int lanes) {
  int kind = 0;
  while (ag_kind_lanes(kind) < lanes) kind++;
  return kind;
}

bool ag_limbs_keep(const ag_split *split, int lanes) {
  const int kind = kind_of_lanes(lanes);
  return split->count[kind] + split->count[kind + AG_WIDTHS] > 0;
}

void ag_emit_limb_types(ag_text *t, const ag_printer *p, const ag_split *split, const char *name) {
  for (int lanes = 2; lanes <= AG_LANES; lanes *= 2) {
    if (!ag_limbs_keep(split, lanes)) continue;
    const char *type = ag_limb_type(p, name, lanes);
    ag_text_add(t,
                "/* %s: values of all limbs, or of one, for later parts. */\ntypedef struct %s {\n",
                name, type);
    for (int kind = kind_of_lanes(lanes); kind < AG_KINDS; kind += AG_WIDTHS)
      if (split->count[kind])
        ag_text_add(t, "  %s %s[%d];\n", ag_kind_type(p, kind), ag_array_of_kind(p, kind),
                    split->count[kind]);
    ag_text_add(t, "} %s;\n\n", type);
  }
}

void ag_emit_limb_structs(ag_text *t, const ag_printer *p, const ag_split *split,
                          const char *name) {
  for (int lanes = 2; lanes <= AG_LANES; lanes *= 2)
    if (ag_limbs_keep(split, lanes))
      ag_text_add(t, "  %s limb%d[%s_LIMBS(%d)];\n", ag_limb_type(p, name, lanes), lanes,
                  p->header->upper, lanes);
}

/* ---- what trunk and limbs hand over ---- */

/* "v[12]": where a limb keeps a value. */
static const char *kept_at(const ag_printer *p, const ag_split *split, ag_id id) {
  return ag_printf(p->header->arena, "%s[%d]", ag_array_of_kind(p, ag_kind_of(p->graph, id)),
                   split->own.place[id]);
}

const char *ag_taken(const ag_printer *p, const ag_split *split, ag_id take) {
  const ag_node *n = &p->graph->dag.nodes[take];
  const bool boolean = ag_is_boolean(&p->graph->dag, n->a);
  return ag_printf(p->header->arena, boolean ? "(%s_TAKE%d(%s, %d) != 0)" : "%s_TAKE%d(%s, %d)",
                   p->header->upper, p->graph->width[n->a], kept_at(p, split, n->a), (int)n->b);
}

void ag_name_taken(const ag_printer *p, const ag_split *split) {
  const ag_sequence *way = &p->plan->own;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (p->graph->dag.nodes[id].op == AG_TAKE && !way->statement[id])
      p->name[id] = ag_taken(p, split, id);
  }
}

const char *ag_give_limbs(const ag_printer *p, const ag_split *split, ag_id join) {
  const ag_header *h = p->header;
  const ag_dag *dag = &p->graph->dag;
  const int width = p->graph->width[join];
  ag_text line = {.arena = h->arena};
  ag_text_add(&line, "%s_GIVE%d%s(%s", h->upper, width, ag_is_boolean(dag, join) ? "_MASK" : "",
              kept_at(p, split, join));
  for (int l = 0; l < width; l++) {
    ag_text_add(&line, ", ");
    ag_emit_expression(&line, p, ag_joined(dag, join, width, l));
  }
  ag_text_add(&line, ");");
  return line.chars;
}

const char *ag_store_of_limbs(const ag_printer *p, int e) {
  const ag_header *h = p->header;
  const ag_list *out = &p->graph->function->out;
  const ag_id *outputs = p->plan->own.results->outputs;
  const ag_node *nodes = p->graph->dag.nodes, *n = &nodes[outputs[e]];
  if (n->b != 0) return NULL;
  const char *place,
      *array = ag_array_of(h->arena, out, e, ag_emit_access(h, &out->elements[e]), &place);
  const char *line =
      ag_printf(h->arena, "%s_PUT%d(out->%s", h->upper, p->graph->width[n->a], array);
  for (int l = 0; l < p->graph->width[n->a]; l++)
    for (int i = 0; i < out->nelements; i++) {
      if (nodes[outputs[i]].op != AG_TAKE || nodes[outputs[i]].a != n->a ||
          nodes[outputs[i]].b != l)
        continue;
      (void)ag_array_of(h->arena, out, i, ag_emit_access(h, &out->elements[i]), &place);
      line = ag_printf(h->arena, "%s, %s", line, place);
      break;
    }
  ag_text value = {.arena = h->arena};
  ag_emit_expression(&value, p, n->a);
  return ag_printf(h->arena, "%s, %s);", line, value.chars);
}

/* ---- what a text has ---- */

static bool has(const ag_header *h, const char *body, const char *macro, int lanes) {
  const char *call = ag_printf(h->arena, "%s_%s%d", h->upper, macro, lanes);
  const size_t length = strlen(call);
  for (const char *at = strstr(body, call); at; at = strstr(at + 1, call))
    if (at[length] == '(' || strncmp(at + length, "_MASK(", 6) == 0) return true;
  return false;
}

bool ag_has_lane(const ag_header *h, const char *body) {
  static const char *const macros[] = {"EACH", "ROW", "PUT"};
  for (size_t k = 0; k < sizeof macros / sizeof *macros; k++)
    for (int lanes = 2; lanes <= AG_LANES; lanes *= 2)
      if (has(h, body, macros[k], lanes)) return true;
  return false;
}

bool ag_has_limbs(const ag_header *h, const char *body, int lanes) {
  return has(h, body, "TAKE", lanes) || has(h, body, "GIVE", lanes);
}
