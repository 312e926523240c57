/* SPDX-License-Identifier: MIT */
/* parts.c: see parts.h */
#include "emit/parts.h"

#include "emit/access.h"
#include "emit/ahead.h"
#include "emit/language_c.h"
#include "emit/limb_parts.h"
#include "emit/limits.h"
#include "emit/links.h"
#include "emit/windows.h"
#include "limbs/limbs.h"
#include "lower/stages.h"

#include <string.h>

/* What a part names more often than so has a name there. With one it is loaded where it is named first, and stored again, on the stack,
 * where registers are few; else it is an operand in memory. Outputs (long to write) and what waits beside vectors: named twice. */
enum { OFTEN = 3, ELSEWHERE = 1 };

/* The function of a step for several links: its text, and what it is given that is the same for all. */
typedef struct link_call {
  ag_link_text *links;
  const char *body, *given;
} link_call;

struct ag_parts {
  ag_printer *printer;
  const ag_split *split;
  const char *name;
  const ag_parameter *parameters;
  const char **calls;            /* by part */
  const char *(*each)[AG_LANES]; /* by part of limbs: its calls for one limb after the other */
  const ag_waiting *waiting;     /* of the way that is printed */
  int *seen;                     /* by node: the scope that last declared it */
  int scope, outer; /* the part, block or function that is printed; the function around a block */
  /* Of the part: */
  ag_windows windows; /* its pointers */
  int *named;         /* by node: how often its statements name it */
  bool counts;        /* that is counted, and nothing printed */
  bool brief;         /* what is named no more than OFTEN is not declared */
  ag_id *replaced;    /* what has its place for a name */
  const char **names; /* and its name elsewhere */
  int nreplaced;
  int lanes;            /* it is of limbs of so many lanes; 1: of the trunk, 0: there are none */
  ag_link_text *links;  /* where it is one for several links; NULL: it is not */
  ag_link_table *table; /* of constants of links */
  link_call *called;    /* by repeat of the plan */
};

/* ---- what waits ---- */

/* Vectors of a batch are addressed from the one in the middle, as far as AVX-512 reaches: from 128 of its registers before to 127
 * behind, the place is one byte of an instruction, elsewhere four. */
enum { REACH = 128 };

static bool in_batch(const ag_parts *s) {
  return s->printer->language->load != NULL;
}

static int middle(const ag_parts *s) {
  const int behind = s->split->count[0] - REACH;
  return behind < 0 ? 0 : behind < REACH ? behind : REACH;
}

/* Where a value waits, as the text of an expression. */
static const char *place_of(const ag_parts *s, const ag_sequence *way, ag_id id) {
  const ag_header *h = s->printer->header;
  const ag_node *n = &way->graph->dag.nodes[id];
  const bool input = n->op == AG_INPUT;
  const int output = s->waiting->output[id];
  const char *of_link = s->links ? ag_link_place(s->links, id) : NULL;
  if (of_link) return of_link;
  if (!input && output < 0) {
    const int kind = ag_kind_of(way->graph, id), place = s->waiting->place[id];
    if (!in_batch(s)) return ag_window_place(&s->windows, kind, place);
    return kind ? ag_printf(h->arena, "masks[%d]", place)
                : ag_printf(h->arena, "work[%d]", place - middle(s));
  }
  const ag_function *function = way->graph->function;
  const char *access =
      ag_emit_access(h, input ? &function->in.elements[n->a] : &function->out.elements[output]);
  return ag_emit_read(s->printer,
                      ag_emit_place(s->printer->language, h, input ? "in" : "out", access));
}

/* Counts a name of what waits. */
static void count_use(ag_parts *s, const ag_sequence *way, ag_id id) {
  if (ag_is_at_hand(way->graph, id) || way->graph->dag.nodes[id].op == AG_INPUT) return;
  const int kind = ag_kind_of(way->graph, id);
  if (s->lanes == 1 && ag_kind_lanes(kind) > 1) return; /* limbs keep it */
  if (s->waiting->output[id] < 0 && s->waiting->place[id] >= 0)
    ag_count_place(&s->windows, kind, s->waiting->place[id]);
}

/* Where a value is read: its place, or the table of sines and cosines. */
static const char *source_of(const ag_parts *s, const ag_sequence *way, ag_id id) {
  const ag_op op = way->graph->dag.nodes[id].op;
  if (op != AG_SIN && op != AG_COS) return place_of(s, way, id);
  ag_text text = {.arena = s->printer->header->arena};
  const char *name = s->printer->name[id];
  s->printer->name[id] = NULL; /* so that it is printed itself */
  ag_emit_expression(&text, s->printer, id);
  s->printer->name[id] = name;
  return text.chars;
}

/* A part's statements name the place of what they name no more than OFTEN. */
static void replace_name(ag_parts *s, ag_id id, const char *place) {
  s->replaced[s->nreplaced] = id;
  s->names[s->nreplaced++] = s->printer->name[id];
  s->printer->name[id] = place;
}

static void restore_names(ag_parts *s) {
  while (s->nreplaced > 0) {
    s->nreplaced--;
    s->printer->name[s->replaced[s->nreplaced]] = s->names[s->nreplaced];
  }
}

/* Whether a name is the text of a table's or an array's element that differs from link to link. */
static bool is_of_links(const ag_parts *s, const ag_sequence *way, ag_id id) {
  return s->links && (way->graph->dag.nodes[id].op == AG_CONST || ag_link_given(s->links, id));
}

static void declare(ag_text *t, ag_parts *s, const ag_sequence *way, ag_id id) {
  if (is_of_links(s, way, id)) return;
  const bool again = s->seen[id] == s->scope || s->seen[id] == s->outer;
  if (s->counts) s->named[id] = again ? s->named[id] + 1 : 1;
  if (again) return;
  s->seen[id] = s->scope;
  if (s->counts) {
    count_use(s, way, id);
    return;
  }
  const ag_op op = way->graph->dag.nodes[id].op;
  const int often = way->graph->width || s->waiting->output[id] >= 0 ? ELSEWHERE : OFTEN;
  const bool joins = op == AG_JOIN && ag_is_at_hand(way->graph, id);
  if (joins || (!s->brief && (op == AG_SIN || op == AG_COS)))
    ag_emit_value(t, s->printer, id);
  else if (s->brief && s->named[id] <= often)
    replace_name(s, id, source_of(s, way, id));
  else
    ag_emit_declared(t, s->printer, id, source_of(s, way, id));
}

/* What the trunk takes from limbs it reads where it needs it, but for what other limbs need, too. */
static bool is_taken(const ag_parts *s, const ag_sequence *way, ag_id id) {
  return s->printer->plan->of_stages && way->graph->dag.nodes[id].op == AG_TAKE &&
         !way->statement[id];
}

/* Declares what the text of the node's operands names. */
static void declare_operands(ag_text *t, ag_parts *s, const ag_sequence *way, ag_id id) {
  const ag_node *nodes = way->graph->dag.nodes;
  ag_id of[3];
  const int arity = ag_operands(&nodes[id], of);
  for (int k = 0; k < arity; k++) {
    const bool joined = nodes[id].op == AG_JOIN && nodes[of[k]].op == AG_JOIN; /* as one */
    if (is_taken(s, way, of[k])) continue;
    if (s->printer->name[of[k]] && !joined)
      declare(t, s, way, of[k]);
    else
      declare_operands(t, s, way, of[k]);
  }
}

void ag_emit_loads(ag_text *t, ag_parts *s, const ag_sequence *way, ag_id id) {
  if (!s) return;
  s->waiting = way == &s->printer->plan->own ? &s->split->own : &s->split->fast;
  if (is_taken(s, way, id)) return;
  if (s->printer->name[id])
    declare(t, s, way, id);
  else
    declare_operands(t, s, way, id);
}

/* ---- parts ---- */

/* How many outputs from this one on go to their places at once, as they are the lanes of a vector; 0: it goes with one before it. */
static int stored_with(const ag_parts *s, const ag_sequence *way, int element) {
  const ag_id id = way->results->outputs[element];
  const ag_node *n = &way->graph->dag.nodes[id];
  if (!way->graph->width || n->op != AG_TAKE) return 1;
  if (s->printer->plan->of_stages) return !is_taken(s, way, id) || n->b == 0;
  const int first = element - n->b, lanes = first < 0 ? 1 : ag_stored_at_once(way, first);
  for (int l = 1; l < lanes; l++)
    if (s->waiting->stored[first + l] != s->waiting->stored[first]) return 1;
  return lanes == 1 ? 1 : n->b == 0 ? lanes : 0;
}

/* What the statement that stores an output names: where it stores all lanes, the vector. */
static ag_id stored_value(const ag_parts *s, const ag_sequence *way, int element) {
  const ag_id id = way->results->outputs[element];
  const bool vector = stored_with(s, way, element) > 1 || is_taken(s, way, id);
  return vector ? way->graph->dag.nodes[id].a : id;
}

/* The statement. */
static const char *store_of(const ag_parts *s, const ag_sequence *way, int element) {
  const char *place = s->links ? ag_link_stores(s->links, element) : NULL;
  const int lanes = stored_with(s, way, element);
  ag_text line = {.arena = s->printer->header->arena};
  if (is_taken(s, way, way->results->outputs[element]))
    return ag_store_of_limbs(s->printer, element);
  if (place) {
    ag_text_add(&line, "%s = ", place);
    ag_emit_expression(&line, s->printer, way->results->outputs[element]);
    ag_text_add(&line, ";");
  } else if (lanes > 1) {
    ag_emit_output_vector(&line, s->printer, way, element, lanes);
  } else {
    ag_emit_output(&line, s->printer, way, element);
  }
  return line.chars;
}

static void store_output(ag_text *t, ag_parts *s, const ag_sequence *way, int element) {
  if (stored_with(s, way, element) == 0) return;
  ag_emit_loads(t, s, way, stored_value(s, way, element));
  ag_emit_statement(t, s->printer, store_of(s, way, element));
}

/* By node of the order, the first output that is stored behind it, and by output the next one; -1:
 * none. */
typedef struct stores {
  int *first, *next;
} stores;

static stores list_stores(const ag_parts *s, const ag_sequence *way) {
  ag_arena *arena = s->printer->header->arena;
  stores list = {ag_alloc(arena, (size_t)(way->norder + 1) * sizeof(int)),
                 ag_alloc(arena, (size_t)(way->graph->function->out.nelements + 1) * sizeof(int))};
  memset(list.first, -1, (size_t)way->norder * sizeof(int));
  for (int e = way->graph->function->out.nelements - 1; e >= 0; e--) {
    const int at = s->waiting->stored[e];
    if (at < 0) continue;
    list.next[e] = list.first[at];
    list.first[at] = e;
  }
  return list;
}

static const ag_sequence *way_of(const ag_parts *s, const ag_part *part) {
  return part->fast ? s->printer->plan->fast : &s->printer->plan->own;
}

/* What only other parts name, and has no name of its own, is computed in its place, but for what only a declaration can join. */
static bool is_for_others(const ag_parts *s, ag_id id) {
  const char *name = s->printer->name[id];
  if (s->printer->graph->dag.nodes[id].op == AG_JOIN) return false;
  return s->brief && s->waiting->place[id] >= 0 && s->named[id] == 0 && name[0] == 't' &&
         strspn(name + 1, "0123456789") == strlen(name + 1);
}

/* The trunk keeps what it takes of limbs for others. */
static void keep_taken(ag_text *t, ag_parts *s, const ag_sequence *way, ag_id id) {
  const ag_printer *p = s->printer;
  s->seen[id] = s->scope;
  replace_name(s, id, place_of(s, way, id));
  ag_emit_statement(
      t, p, ag_printf(p->header->arena, "%s = %s;", p->name[id], ag_taken(p, s->split, id)));
}

static void statement(ag_text *t, ag_parts *s, const ag_sequence *way, ag_id id) {
  const bool trunk = s->lanes == 1;
  if (trunk && way->graph->dag.nodes[id].op == AG_TAKE) {
    keep_taken(t, s, way, id);
    return;
  }
  declare_operands(t, s, way, id);
  if (trunk && way->graph->width[id] > 1) { /* what it joins for limbs */
    ag_emit_statement(t, s->printer, ag_give_limbs(s->printer, s->split, id));
    return;
  }
  s->seen[id] = s->scope;
  if (is_for_others(s, id)) {
    replace_name(s, id, place_of(s, way, id));
    ag_emit_assignment(t, s->printer, id);
    return;
  }
  ag_emit_value(t, s->printer, id);
  if (s->waiting->place[id] >= 0)
    ag_emit_statement(t, s->printer,
                      ag_printf(s->printer->header->arena, "%s = %s;", place_of(s, way, id),
                                s->printer->name[id]));
}

static void statements(ag_text *t, ag_parts *s, const ag_part *part, const stores *list) {
  const ag_sequence *way = way_of(s, part);
  const ag_printer *p = s->printer;
  ag_ahead ahead = {0};
  ag_emit_block(p);
  if (p->language->asks_ahead)
    ahead = ag_ahead_part(t, p->header, p->indent, way, part->first, part->behind);
  for (int i = part->first; i < part->behind; i++) {
    const ag_id id = way->order[i];
    if (way->statement[id] && !ag_is_at_hand(way->graph, id)) /* those where they are used */
      statement(t, s, way, id);
    for (int e = list->first[i]; e >= 0; e = list->next[e]) store_output(t, s, way, e);
    ag_ahead_node(t, &ahead, way, id);
  }
}

/* Whether a text has a member or an element of this parameter. */
static bool names(const char *text, const char *parameter) {
  const size_t length = strlen(parameter);
  for (const char *at = strstr(text, parameter); at; at = strstr(at + 1, parameter)) {
    const int before = (unsigned char)(at == text ? ' ' : at[-1]),
              behind = (unsigned char)at[length];
    if (strchr(" \n(-&+!~,){", before) && strchr("-[ \n),", behind)) return true;
  }
  return false;
}

/* Counts what a part names of what waits, and chooses the blocks that it has pointers to. */
static void find_windows(ag_parts *s, int k, const stores *list) {
  const ag_part *part = &s->split->parts[k];
  const ag_sequence *way = way_of(s, part);
  ag_begin_windows(&s->windows);
  if (in_batch(s)) return;
  s->scope = s->split->nparts + 3 + k; /* of the count */
  s->counts = true;
  for (int i = part->first; i < part->behind; i++) {
    const ag_id id = way->order[i];
    if (way->statement[id] && !ag_is_at_hand(way->graph, id)) {
      declare_operands(NULL, s, way, id);
      s->seen[id] = s->scope;
      s->named[id] = 0;
      count_use(s, way, id);
    }
    for (int e = list->first[i]; e >= 0; e = list->next[e])
      if (stored_with(s, way, e)) ag_emit_loads(NULL, s, way, stored_value(s, way, e));
  }
  s->counts = false;
  ag_choose_windows(&s->windows);
}

/* A part's parameters, and what is given for them. */
typedef struct parameter_list {
  const char *declared, *given;
} parameter_list;

static void add_parameter(const ag_parts *s, parameter_list *list, const char *type,
                          const char *name, const char *value) {
  ag_arena *arena = s->printer->header->arena;
  list->declared =
      ag_printf(arena, "%s%s%s%s", list->declared, list->declared[0] ? ", " : "", type, name);
  list->given = ag_printf(arena, "%s%s%s", list->given, list->given[0] ? ", " : "", value);
}

/* Those of what limbs keep. limb: "limb2[0]", the one that the part is called for. */
static void add_limbs(const ag_parts *s, const char *body, parameter_list *list, const char *limb) {
  const ag_printer *p = s->printer;
  ag_arena *arena = p->header->arena;
  for (int lanes = 2; lanes <= AG_LANES && s->lanes == 1; lanes *= 2)
    if (ag_has_limbs(p->header, body, lanes)) {
      const char *name = ag_printf(arena, "limb%d", lanes);
      add_parameter(s, list, ag_printf(arena, "%s *", ag_limb_type(p, s->name, lanes)), name, name);
    }
  if (s->lanes > 1 && names(body, "own"))
    add_parameter(s, list, ag_printf(arena, "%s *", ag_limb_type(p, s->name, s->lanes)), "own",
                  ag_printf(arena, "&%s", limb));
}

/* All of them: first what keeps its register. l: limbs' how-many-eth is computed; -1: all in vectors. */
static parameter_list parameters_of(const ag_parts *s, const char *body, int l) {
  const ag_header *h = s->printer->header;
  const ag_windows *windows = &s->windows;
  const char *limb = ag_printf(h->arena, "limb%d[%d]", s->lanes, l < 0 ? 0 : l);
  const bool lane = s->lanes > 1 && ag_has_lane(h, body);
  parameter_list list = {"", lane && l >= 0 ? ag_printf(h->arena, "%d", l) : ""};
  for (const ag_parameter *p = s->parameters; p->name; p++)
    if (body && names(body, p->name)) add_parameter(s, &list, p->type, p->name, p->name);
  for (int w = 0; w < windows->count; w++)
    add_parameter(s, &list,
                  ag_printf(h->arena, "%s *", ag_kind_type(s->printer, windows->of[w].kind)),
                  ag_printf(h->arena, "w%d", w + 1),
                  ag_window_middle(windows, w, ag_printf(h->arena, "%s.", limb)));
  if (body) add_limbs(s, body, &list, limb);
  if (lane) list.declared = ag_printf(h->arena, "%s_LANE %s", h->upper, list.declared);
  return list;
}

/* The text of a part's statements, after it has been counted what they name. */
static const char *body_of(ag_parts *s, int k, const stores *list) {
  ag_text body = {.arena = s->printer->header->arena};
  find_windows(s, k, list);
  if (s->links) s->windows.count = 0;
  s->scope = k + 1;
  s->brief = s->printer->terse && !in_batch(s);
  statements(&body, s, &s->split->parts[k], list);
  restore_names(s);
  s->brief = false;
  return body.chars;
}

/* The function of a part, or of a step for several links. line: its first one. */
static void emit_function(ag_text *t, const ag_parts *s, const char *line, const char *name,
                          const char *body) {
  const ag_header *h = s->printer->header;
  ag_emit_broken(t, "", line);
  ag_text_add(t, "  %s_IN_ORDER\n", h->upper);
  if (body && strstr(body, "_AHEAD")) /* a short part asks for none of its code */
    ag_emit_ahead_code(t, h, ag_printf(h->arena, "%s_%s", s->name, name));
  if (s->printer->language->begin) ag_text_add(t, s->printer->language->begin, h->prefix);
  ag_emit_limits(t, s->printer);
  ag_text_add(t, "%s}\n\n", body ? body : "");
}

/* A list behind another one. */
static const char *appended(const char *before, const char *list) {
  return before[0] || strncmp(list, ", ", 2) != 0 ? list : list + 2;
}

/* The function of a step for several links; k: the part that is its first call. */
static void emit_step(ag_text *t, ag_parts *s, int k, link_call *call, const stores *list) {
  const ag_header *h = s->printer->header;
  const ag_repeat *repeat = s->split->parts[k].repeat;
  ag_text line = {.arena = h->arena};
  s->links = call->links = ag_begin_links(s->table, s->printer, repeat);
  const char *body = call->body = body_of(s, k, list);
  ag_end_links(s->links, s->printer);
  s->links = NULL;
  const char *name = ag_link_function(call->links);
  const parameter_list with = parameters_of(s, body, -1);
  call->given = with.given;
  ag_text_add(&line, "static %s_PART void %s_%s(%s%s) {", h->upper, s->name, name, with.declared,
              appended(with.declared, ag_link_parameters(call->links, body)));
  ag_emit_comment(t, s->printer->language, "", ag_link_comment(call->links));
  emit_function(t, s, line.chars, name, body);
}

/* A call of such a function, which is printed where the first one comes. */
static void call_step(ag_text *t, ag_parts *s, int k, const stores *list) {
  const ag_part *part = &s->split->parts[k];
  link_call *call = &s->called[part->repeat->number];
  if (!call->links) {
    const ag_part *parts = s->split->parts;
    int first = 0;
    while (parts[first].repeat != part->repeat || parts[first].call > 0) first++;
    emit_step(t, s, first, call, list);
  }
  s->calls[k] = ag_printf(
      s->printer->header->arena, "%s_%s(%s%s);", s->name, ag_link_function(call->links),
      call->given, appended(call->given, ag_link_arguments(call->links, call->body, part->call)));
}

static void emit_part(ag_text *t, ag_parts *s, int k, const stores *list) {
  const ag_header *h = s->printer->header;
  ag_text line = {.arena = h->arena};
  if (s->split->parts[k].repeat) {
    call_step(t, s, k, list);
    return;
  }
  s->lanes = s->split->parts[k].lanes;
  const char *body = body_of(s, k, list), *name = ag_printf(h->arena, "part_%d", k + 1);
  const parameter_list with = parameters_of(s, body, -1);
  ag_text_add(&line, "static %s_PART void %s_%s(%s) {", h->upper, s->name, name,
              with.declared[0] ? with.declared : "void");
  for (int l = 0; l < s->lanes && s->lanes > 1; l++)
    s->each[k][l] =
        ag_printf(h->arena, "%s_%s(%s);", s->name, name, parameters_of(s, body, l).given);
  s->windows.count = s->lanes = 0;
  emit_function(t, s, line.chars, name, body);
  s->calls[k] = ag_printf(h->arena, "%s_%s(%s);", s->name, name, with.given);
}

/* Inputs that are loaded, as vectors of a batch, have names, which each part loads. */
static void name_inputs(ag_printer *p, const ag_sequence *way) {
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &way->graph->dag.nodes[way->order[i]];
    if (n->op == AG_INPUT) p->name[way->order[i]] = ag_printf(p->header->arena, "x%d", n->a);
  }
}

ag_parts *ag_emit_parts(ag_text *t, ag_printer *p, const ag_split *split, const char *name,
                        const ag_parameter *parameters) {
  if (!split) return NULL;
  ag_arena *arena = p->header->arena;
  const ag_plan *plan = p->plan;
  ag_parts *s = ag_alloc(arena, sizeof *s);
  *s = (ag_parts){.printer = p, .split = split, .name = name, .parameters = parameters};
  s->calls = ag_alloc(arena, (size_t)(split->nparts + 1) * sizeof *s->calls);
  s->seen = ag_alloc(arena, (size_t)(plan->graph->dag.count + 1) * sizeof *s->seen);
  const size_t nodes = (size_t)plan->graph->dag.count + 1;
  s->windows = ag_windows_of(p, split);
  s->each = ag_alloc(arena, (size_t)(split->nparts + 1) * sizeof *s->each);
  s->named = ag_alloc(arena, nodes * sizeof *s->named);
  s->replaced = ag_alloc(arena, nodes * sizeof *s->replaced);
  s->names = ag_alloc(arena, nodes * sizeof *s->names);
  s->outer = -1;
  const int steps = plan->repeats ? plan->repeats->count : 0;
  s->called = ag_alloc(arena, (size_t)(steps + 1) * sizeof *s->called);
  if (p->language->load) {
    name_inputs(p, &plan->own);
    if (plan->fast) name_inputs(p, plan->fast);
  }
  ag_emit_work_type(t, p, split, name);
  if (plan->of_stages) {
    ag_emit_limb_types(t, p, split, name);
    ag_name_taken(p, split);
  }
  s->table = ag_emit_link_table(t, p, name);
  stores list = {0};
  for (int k = 0; k < split->nparts; k++) {
    const ag_sequence *way = way_of(s, &split->parts[k]);
    if (k == 0 || split->parts[k].fast != split->parts[k - 1].fast) {
      s->waiting = way == &plan->own ? &split->own : &split->fast;
      list = list_stores(s, way);
    }
    emit_part(t, s, k, &list);
  }
  s->scope = s->outer = split->nparts + 1;
  return s;
}

/* ---- the function itself ---- */

void ag_emit_work(ag_text *t, const ag_parts *s) {
  if (s && s->printer->plan->of_stages) ag_emit_limb_structs(t, s->printer, s->split, s->name);
  if (!s || !ag_has_work(s->printer, s->split)) return;
  if (!in_batch(s)) {
    ag_text_add(t, "  %s_work waiting, *const work = &waiting;\n", s->name);
    return;
  }
  ag_text_add(t, "  %s_work waiting;\n", s->name);
  if (s->split->count[0])
    ag_text_add(t, "  %s *const work = &waiting.v[%d];\n", ag_kind_type(s->printer, 0), middle(s));
  if (s->split->count[AG_WIDTHS])
    ag_text_add(t, "  %s *const masks = waiting.k;\n", ag_kind_type(s->printer, AG_WIDTHS));
}

/* The calls of parts of limbs from part k on, up to the next one of the trunk: returns which. */
static int emit_limb_calls(ag_text *t, const ag_parts *s, int k) {
  const ag_printer *p = s->printer;
  const ag_part *parts = s->split->parts;
  int behind = k;
  while (behind < s->split->nparts && parts[behind].lanes > 1) behind++;
  ag_text_add(t, "#if defined(%s_LANES)\n", p->header->upper);
  for (int at = k; at < behind; at++) ag_emit_statement(t, p, s->calls[at]);
  ag_text_add(t, "#else\n");
  for (int at = k; at < behind; at++)
    for (int l = 0; l < parts[at].lanes; l++) ag_emit_statement(t, p, s->each[at][l]);
  ag_text_add(t, "#endif\n");
  return behind;
}

void ag_emit_way(ag_text *t, ag_parts *s, const ag_printer *p, const ag_sequence *way, int first,
                 int behind) {
  if (!s) {
    ag_emit_statements(t, p, way, first, behind);
    return;
  }
  for (int k = 0; k < s->split->nparts;) {
    const ag_part *part = &s->split->parts[k];
    if (part->lanes > 1) {
      k = emit_limb_calls(t, s, k);
      continue;
    }
    if (way_of(s, part) == way && part->first >= first && part->behind <= behind)
      ag_emit_statement(t, p, s->calls[k]);
    k++;
  }
}

void ag_parts_block(ag_parts *s, bool open) {
  if (s) s->scope = open ? s->outer + 1 : s->outer;
}

bool ag_part_stores(const ag_parts *s, const ag_sequence *way, int element) {
  if (!s) return false;
  const bool own = way == &s->printer->plan->own;
  return (own ? &s->split->own : &s->split->fast)->stored[element] >= 0;
}
