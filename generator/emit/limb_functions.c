/* SPDX-License-Identifier: MIT */
/* limb_functions.c: see limb_functions.h */
#include "emit/limb_functions.h"

#include "emit/access.h"
#include "emit/language_c.h"
#include "emit/limb_macros.h"
#include "emit/limits.h"
#include "limbs/limbs.h"
#include "limbs/outlining.h"
#include "lower/stages.h"

#include <string.h>

/* An output of every limb, in one array. */
typedef struct store {
  ag_id value;
  const char *array; /* "out->qdd" */
  int place;         /* of the table */
} store;

/* Where the numbers of limbs stand in arrays: a column of a table. */
typedef struct places {
  int width;
  const char *at[AG_LANES];
} places;

struct ag_limb_text {
  ag_printer printer;
  ag_plan plan;   /* that of the stages, .. */
  ag_graph graph; /* .. of this graph, to be printed lane by lane */
  const ag_stages *stages;
  const unsigned char *width;
  const char *name;   /* "q_fd" */
  bool *kept;         /* by node: its limb keeps it, or the trunk hands it to limbs */
  const char **array; /* by node that joins: the array that its numbers stand in; NULL: none */
  int *place;         /* by node that joins: where, among the places */
  bool *table;        /* by node that joins: all are constants */
  places *places;
  int nplaces;
  store *stores;
  int nstores;
  bool *stored; /* by output: a limb stores it */
  int *seen;    /* by node: the scope that last declared it */
  int scope;
};

/* ---- what stands where ---- */

/* The array that a node stands in which a limb picks, and its place there. */
static const char *picked_from(const ag_limb_text *s, ag_id id, const char **place) {
  const ag_node *n = &s->graph.dag.nodes[id];
  if (!ag_is_given(&s->graph.dag, id)) return NULL;
  ag_text text = {.arena = s->printer.header->arena};
  ag_emit_expression(&text, &s->printer, id);
  return ag_array_of(s->printer.header->arena, n->op == AG_INPUT ? &s->graph.function->in : NULL,
                     n->a, text.chars, place);
}

/* A column whose places are still to be found. */
static places column_of(int width) {
  places column = {.width = width};
  for (int l = 0; l < AG_LANES; l++) column.at[l] = "";
  return column;
}

static int place_in_table(ag_limb_text *s, const places *wanted) {
  for (int k = 0; k < s->nplaces; k++) {
    bool same = s->places[k].width == wanted->width;
    for (int l = 0; same && l < wanted->width; l++)
      same = strcmp(s->places[k].at[l], wanted->at[l]) == 0;
    if (same) return k;
  }
  s->places = ag_room(s->printer.header->arena, s->places, s->nplaces, sizeof *s->places);
  s->places[s->nplaces] = *wanted;
  return s->nplaces++;
}

/* How a limb comes by its number of those that a vector joins. */
static void look_at_join(ag_limb_text *s, ag_id id) {
  const ag_dag *dag = &s->graph.dag;
  places at = column_of(s->width[id]);
  bool table = true;
  const char *array = "";
  for (int l = 0; l < at.width; l++) {
    const ag_id of = ag_joined(dag, id, at.width, l);
    table = table && dag->nodes[of].op == AG_CONST;
    const char *one = picked_from(s, of, &at.at[l]);
    if (l == 0) array = one;
    if (!one || !array || strcmp(one, array) != 0) array = NULL;
  }
  s->table[id] = table;
  s->array[id] = array;
  if (array) s->place[id] = place_in_table(s, &at);
  s->kept[id] = !table && !array;
}

/* Outputs that every limb has one of in the same array: of the limb's value that output e takes of its first lane. */
static void look_at_output(ag_limb_text *s, int e) {
  const ag_list *out = &s->graph.function->out;
  const ag_id *outputs = s->plan.own.results->outputs;
  const ag_node *n = &s->graph.dag.nodes[outputs[e]];
  if (n->op != AG_TAKE || n->b != 0) return;
  const ag_id value = n->a;
  places at = column_of(s->width[value]);
  int element[AG_LANES] = {e};
  const char *array = ag_array_of(s->printer.header->arena, out, e,
                                  ag_emit_access(s->printer.header, &out->elements[e]), &at.at[0]);
  for (int l = 1; l < at.width && array; l++) {
    element[l] = -1;
    for (int i = 0; i < out->nelements && element[l] < 0; i++) {
      const ag_node *other = &s->graph.dag.nodes[outputs[i]];
      if (other->op != AG_TAKE || other->a != value || other->b != l) continue;
      const char *one =
          ag_array_of(s->printer.header->arena, out, i,
                      ag_emit_access(s->printer.header, &out->elements[i]), &at.at[l]);
      if (one && strcmp(one, array) == 0) element[l] = i;
    }
    if (element[l] < 0) return;
  }
  if (!array) return;
  ag_arena *arena = s->printer.header->arena;
  s->stores = ag_room(arena, s->stores, s->nstores, sizeof *s->stores);
  s->stores[s->nstores++] =
      (store){value, ag_printf(arena, "out->%s", array), place_in_table(s, &at)};
  for (int l = 0; l < at.width; l++) s->stored[element[l]] = true;
}

static void keep_taken(ag_limb_text *s, ag_id id) {
  const ag_node *n = &s->graph.dag.nodes[id];
  if (n->op == AG_TAKE) s->kept[n->a] = true;
}

/* What waits in structs. */
static void find_kept(ag_limb_text *s) {
  const ag_plan *p = &s->plan;
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    ag_id of[3];
    const int arity = ag_operands(&p->graph->dag.nodes[id], of);
    for (int k = 0; k < arity && p->graph->dag.nodes[id].op != AG_TAKE; k++) {
      keep_taken(s, of[k]);
      if (s->width[id] == 1 || p->graph->dag.nodes[id].op == AG_JOIN) continue;
      const ag_node *n = &p->graph->dag.nodes[of[k]];
      const bool later = s->width[of[k]] == 1 || s->stages->stage[of[k]] != s->stages->stage[id];
      if (later && s->printer.name[of[k]] && n->op != AG_JOIN) s->kept[of[k]] = true;
    }
  }
  for (int i = 0; i < p->graph->function->out.nelements; i++)
    if (!s->stored[i]) keep_taken(s, p->own.results->outputs[i]);
  for (int i = 0; i < p->own.results->nstatus; i++) keep_taken(s, p->own.results->status[i].node);
}

/* ---- types and tables ---- */

static bool is_boolean(const ag_limb_text *s, ag_id id) {
  return ag_is_boolean(&s->graph.dag, id);
}

/* Adds the members of one type: of numbers, or of what holds or not. width: 1: those that the trunk hands over. */
static int add_members(ag_text *t, const ag_limb_text *s, int width, bool boolean) {
  const ag_plan *p = &s->plan;
  int count = 0;
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (!s->kept[id] || !s->printer.name[id] || s->width[id] != width ||
        is_boolean(s, id) != boolean)
      continue;
    ag_text_add(t, "%s%s", count++ ? ", " : "", s->printer.name[id]);
  }
  return count;
}

/* The struct of what limbs of this width keep, of what the trunk hands over; false: nothing. */
static bool emit_struct(ag_text *t, const ag_limb_text *s, int width, const char *comment,
                        const char *type) {
  const ag_header *h = s->printer.header;
  ag_text members = {.arena = h->arena};
  for (int boolean = 0; boolean < 2; boolean++) {
    ag_text line = {.arena = h->arena};
    ag_text_add(&line, "%s ", ag_emit_type_of(&s->printer, boolean));
    if (add_members(&line, s, width, boolean) == 0) continue;
    ag_text_add(&line, ";");
    ag_emit_broken(&members, "  ", line.chars);
  }
  if (!members.chars) return false;
  ag_text_add(t, "/* %s: %s. */\ntypedef struct %s {\n%s} %s;\n\n", s->name, comment, type,
              members.chars, type);
  return true;
}

/* Bytes of these structs, one for each limb: a function has them on its stack. */
static int bytes_kept(const ag_limb_text *s) {
  const ag_plan *p = &s->plan;
  const int real = s->printer.header->target.single ? 4 : 8;
  int bytes = 0;
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (s->kept[id] && s->printer.name[id])
      bytes += s->width[id] * (is_boolean(s, id) ? (int)sizeof(int) : real);
  }
  return bytes;
}

static bool in_table(const ag_limb_text *s, ag_id id, int width) {
  return s->width[id] == width && s->printer.name[id] && s->graph.dag.nodes[id].op == AG_JOIN &&
         s->table[id];
}

/* A row of the table: of lane l. */
static void emit_row(ag_text *t, const ag_limb_text *s, int width, int l) {
  const ag_plan *p = &s->plan;
  ag_text row = {.arena = s->printer.header->arena};
  ag_text_add(&row, "{");
  const char *comma = "";
  for (int i = 0; i < p->own.norder; i++) {
    if (!in_table(s, p->own.order[i], width)) continue;
    ag_text_add(&row, "%s", comma);
    ag_emit_expression(&row, &s->printer, ag_joined(&p->graph->dag, p->own.order[i], width, l));
    comma = ", ";
  }
  for (int k = 0; k < s->nplaces; k++) {
    if (s->places[k].width != width) continue;
    ag_text_add(&row, "%s%s", comma, s->places[k].at[l]);
    comma = ", ";
  }
  ag_text_add(&row, l + 1 < width ? "}," : "}");
  ag_emit_broken(t, "    ", row.chars);
}

static void emit_table(ag_text *t, const ag_limb_text *s, int width) {
  const ag_header *h = s->printer.header;
  const ag_plan *p = &s->plan;
  ag_text numbers = {.arena = h->arena}, at = numbers, members = numbers;
  ag_text_add(&numbers, "%s_real ", h->prefix);
  /* place of joints, sines and rows: of more than 255 the arrays are longer */
  ag_text_add(&at, h->nangles > 255 || h->nrows > 255 ? "unsigned short " : "unsigned char ");
  int nnumbers = 0, nat = 0;
  for (int i = 0; i < p->own.norder; i++)
    if (in_table(s, p->own.order[i], width))
      ag_text_add(&numbers, "%s%s", nnumbers++ ? ", " : "", s->printer.name[p->own.order[i]]);
  for (int k = 0; k < s->nplaces; k++)
    if (s->places[k].width == width) ag_text_add(&at, "%sat_%d", nat++ ? ", " : "", k + 1);
  if (nnumbers + nat == 0) return;
  ag_text_add(&numbers, ";");
  ag_text_add(&at, ";");
  if (nnumbers) ag_emit_broken(&members, "  ", numbers.chars);
  if (nat) ag_emit_broken(&members, "  ", at.chars);
  ag_text_add(t,
              "/* %s: constants of one limb, and the places of its numbers in arrays. */\n"
              "typedef struct %s_table%d {\n%s} %s_table%d;\n",
              s->name, s->name, width, members.chars, s->name, width);
  ag_text_add(t, "static const %s_table%d %s_tables%d[%d] = {\n", s->name, width, s->name, width,
              width);
  for (int l = 0; l < width; l++) emit_row(t, s, width, l);
  ag_text_add(t, "};\n\n");
}

/* ---- functions of limbs ---- */

static void declare(ag_text *t, ag_limb_text *s, ag_id id) {
  const ag_header *h = s->printer.header;
  const bool joins = s->graph.dag.nodes[id].op == AG_JOIN;
  const char *name = s->printer.name[id], *from;
  if (s->seen[id] == s->scope) return;
  s->seen[id] = s->scope;
  if (joins && s->table[id])
    from = ag_printf(h->arena, "limb->%s", name);
  else if (joins && s->array[id])
    from = ag_printf(h->arena, "%s[limb->at_%d]", s->array[id], s->place[id] + 1);
  else
    from = ag_printf(h->arena, "%s->%s", s->width[id] > 1 ? "own" : "trunk", name);
  ag_emit_declared(t, &s->printer, id, from);
}

/* Declares what the text of a node's operands names. */
static void declare_operands(ag_text *t, ag_limb_text *s, ag_id id) {
  ag_id of[3];
  const int arity = ag_operands(&s->graph.dag.nodes[id], of);
  for (int k = 0; k < arity; k++) {
    if (s->printer.name[of[k]])
      declare(t, s, of[k]);
    else
      declare_operands(t, s, of[k]);
  }
}

static void emit_value(ag_text *t, ag_limb_text *s, ag_id id) {
  const char *name = s->printer.name[id];
  declare_operands(t, s, id);
  ag_emit_value(t, &s->printer, id);
  s->seen[id] = s->scope;
  if (s->kept[id]) ag_text_add(t, "  own->%s = %s;\n", name, name);
  for (int k = 0; k < s->nstores; k++)
    if (s->stores[k].value == id)
      ag_text_add(t, "  %s[limb->at_%d] = %s;\n", s->stores[k].array, s->stores[k].place + 1, name);
}

/* The statements of a stage of limbs of this width; "": none. */
static const char *stage_text(ag_limb_text *s, int stage, int width) {
  const ag_plan *p = &s->plan;
  ag_text text = {.arena = s->printer.header->arena};
  s->scope++;
  ag_emit_block(&s->printer);
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (s->stages->stage[id] == stage && s->width[id] == width && p->own.statement[id] &&
        p->graph->dag.nodes[id].op != AG_JOIN)
      emit_value(&text, s, id);
  }
  return text.chars ? text.chars : "";
}

/* What a function of limbs takes, where its text has it (l: -1); and what the function gives it for lane l. */
static const char *given(const ag_limb_text *s, const char *body, int width, int l) {
  const ag_header *h = s->printer.header;
  const ag_plan *p = &s->plan;
  const char *n = h->prefix;
  const struct {
    const char *name, *type, *value;
  } all[] = {
      {"limb", ag_printf(h->arena, "const %s_table%d *limb", s->name, width),
       ag_printf(h->arena, "&%s_tables%d[%d]", s->name, width, l)},
      {"trig", ag_printf(h->arena, "const %s_trig *trig", n), "trig"},
      {"in", ag_printf(h->arena, "const %s_%s_in *in", n, p->graph->function->takes), "in"},
      {"trunk", ag_printf(h->arena, "const %s_trunk *trunk", s->name), "&trunk"},
      {"own", ag_printf(h->arena, "%s_limb%d *own", s->name, width),
       ag_printf(h->arena, "&limb%d[%d]", width, l)},
      {"out", ag_printf(h->arena, "%s_%s_out *out", n, p->graph->function->fills), "out"},
  };
  const char *list = "";
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    if (!strstr(body, ag_printf(h->arena, "%s->", all[k].name))) continue;
    list = ag_printf(h->arena, "%s%s%s", list, list[0] ? ", " : "",
                     l < 0 ? all[k].type : all[k].value);
  }
  return list;
}

static const char *function_name(const ag_limb_text *s, int stage, int width) {
  return ag_printf(s->printer.header->arena, "%s_limb%d_step%d", s->name, width, stage / 2 + 1);
}

static void emit_function(ag_text *t, ag_limb_text *s, int stage, int width) {
  const ag_header *h = s->printer.header;
  const char *body = stage_text(s, stage, width);
  if (!body[0]) return;
  ag_text_add(t, "/* %s: step %d of the computation of one limb. */\n", s->name, stage / 2 + 1);
  ag_emit_broken(t, "",
                 ag_printf(h->arena, "static %s_LIMB void %s(%s) {", h->upper,
                           function_name(s, stage, width), given(s, body, width, -1)));
  ag_text_add(t, AG_IN_ORDER);
  ag_emit_limits(t, &s->printer);
  ag_text_add(t, "%s}\n\n", body);
}

ag_limb_text *ag_emit_limb_functions(ag_text *t, const ag_header *h, const ag_plan *lanes,
                                     const char *name) {
  ag_arena *arena = h->arena;
  ag_stages *stages = lanes->stages;
  const size_t count = (size_t)stages->plan->graph->dag.count + 1;
  ag_limb_text *s = ag_alloc(arena, sizeof *s);
  *s = (ag_limb_text){
      .plan = *stages->plan, .graph = *stages->plan->graph, .stages = stages, .name = name};
  s->width = s->graph.width;
  s->plan.graph = s->plan.own.graph = &s->graph;
  s->plan.stages = stages;
  s->printer = ag_printer_of(&ag_in_c, h, &s->plan);
  s->graph.width = NULL; /* to be printed lane by lane */
  s->kept = ag_alloc(arena, count * sizeof *s->kept);
  s->array = ag_alloc(arena, count * sizeof *s->array);
  s->place = ag_alloc(arena, count * sizeof *s->place);
  s->table = ag_alloc(arena, count * sizeof *s->table);
  s->seen = ag_alloc(arena, count * sizeof *s->seen);
  s->stored = ag_alloc(arena, (size_t)(s->graph.function->out.nelements + 1) * sizeof *s->stored);
  for (int i = 0; i < s->plan.own.norder; i++) {
    const ag_id id = s->plan.own.order[i];
    if (s->graph.dag.nodes[id].op == AG_JOIN && s->printer.name[id]) look_at_join(s, id);
  }
  for (int e = 0; e < s->graph.function->out.nelements; e++) look_at_output(s, e);
  find_kept(s);
  stages->kept = bytes_kept(s);
  (void)emit_struct(t, s, 1, "values of the trunk that limbs read",
                    ag_printf(arena, "%s_trunk", name));
  for (int width = 2; width <= AG_LANES; width *= 2) {
    (void)emit_struct(t, s, width, "values of one limb for its later steps",
                      ag_printf(arena, "%s_limb%d", name, width));
    emit_table(t, s, width);
  }
  for (int stage = 1; stage < stages->last; stage += 2)
    for (int width = 2; width <= AG_LANES; width *= 2) emit_function(t, s, stage, width);
  return s;
}

/* "limb4[2].t5": what lane 2 keeps. */
static const char *taken(const ag_limb_text *s, const ag_node *n) {
  const ag_header *h = s->printer.header;
  const char *name = s->printer.name[n->a];
  const int width = s->width[n->a], lane = (int)n->b;
  return ag_printf(h->arena, "limb%d[%d].%s", width, lane, name);
}

/* So the trunk names what it takes, but for what it hands over to limbs again. */
static void name_taken(ag_limb_text *s) {
  const ag_plan *p = &s->plan;
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (p->graph->dag.nodes[id].op == AG_TAKE && !p->own.statement[id])
      s->printer.name[id] = taken(s, &p->graph->dag.nodes[id]);
  }
}

static void declare_structs(ag_text *t, const ag_limb_text *s) {
  ag_text unused = {.arena = s->printer.header->arena};
  for (int width = 1; width <= AG_LANES; width *= 2) {
    if (add_members(&unused, s, width, false) + add_members(&unused, s, width, true) == 0) continue;
    if (width == 1)
      ag_text_add(t, "  %s_trunk trunk;\n", s->name);
    else
      ag_text_add(t, "  %s_limb%d limb%d[%d];\n", s->name, width, width, width);
  }
}

/* Statements of the trunk, and what it hands over. */
static void emit_trunk(ag_text *t, ag_limb_text *s, int stage) {
  const ag_plan *p = &s->plan;
  ag_emit_block(&s->printer);
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (s->stages->stage[id] != stage || s->width[id] > 1 || !p->own.statement[id]) continue;
    const char *name = s->printer.name[id];
    if (p->graph->dag.nodes[id].op == AG_TAKE) {
      ag_text_add(t, "  trunk.%s = %s;\n", name, taken(s, &p->graph->dag.nodes[id]));
      s->printer.name[id] = ag_printf(s->printer.header->arena, "trunk.%s", name);
      continue;
    }
    ag_emit_value(t, &s->printer, id);
    if (s->kept[id]) ag_text_add(t, "  trunk.%s = %s;\n", name, name);
  }
}

/* What the trunk gives limbs, each its own. */
static void emit_given(ag_text *t, const ag_limb_text *s, int stage) {
  const ag_plan *p = &s->plan;
  for (int i = 0; i < p->own.norder; i++) {
    const ag_id id = p->own.order[i];
    if (s->stages->stage[id] != stage || p->graph->dag.nodes[id].op != AG_JOIN ||
        !s->printer.name[id] || !s->kept[id])
      continue;
    for (int l = 0; l < s->width[id]; l++) {
      ag_text line = {.arena = s->printer.header->arena};
      ag_text_add(&line, "limb%d[%d].%s = ", s->width[id], l, s->printer.name[id]);
      ag_emit_expression(&line, &s->printer, ag_joined(&p->graph->dag, id, s->width[id], l));
      ag_text_add(&line, ";");
      ag_emit_statement(t, &s->printer, line.chars);
    }
  }
}

/* The calls of a function, for each limb. */
static void emit_calls(ag_text *t, const ag_limb_text *s, int stage, int width, const char *body) {
  for (int l = 0; l < width; l++)
    ag_emit_statement(t, &s->printer,
                      ag_printf(s->printer.header->arena, "%s(%s);", function_name(s, stage, width),
                                given(s, body, width, l)));
}

void ag_emit_limb_calls(ag_text *t, ag_limb_text *s) {
  ag_limits *limits = s->printer.limits;
  declare_structs(t, s);
  ag_emit_legend(t, &s->printer);
  name_taken(s);
  for (int stage = 0; stage <= s->stages->last; stage++) {
    if (stage % 2 == 0) {
      emit_trunk(t, s, stage);
      continue;
    }
    emit_given(t, s, stage);
    for (int width = 2; width <= AG_LANES; width *= 2) {
      s->printer.limits = NULL; /* what this text names stands in the function */
      const char *body = stage_text(s, stage, width);
      s->printer.limits = limits;
      if (body[0]) emit_calls(t, s, stage, width, body);
    }
  }
}

const ag_printer *ag_limb_printer(const ag_limb_text *s) {
  return &s->printer;
}

bool ag_limb_stores(const ag_limb_text *s, int element) {
  return s && s->stored[element];
}
