/* SPDX-License-Identifier: MIT */
/* links.c: see links.h */
#include "emit/links.h"

#include "emit/access.h"
#include "emit/statement_names.h"

#include <limits.h>
#include <string.h>

/* Places in arrays that differ from link to link: of what the first link reads or stores at one. */
typedef struct column {
  const char **at;  /* by call */
  const char *name; /* of the parameter */
} column;

/* What a link is given, or where it stores: an element of an array. */
typedef struct element {
  const char *array; /* "in->qd"; NULL: it is the same for all links */
  int column;
} element;

struct ag_link_table {
  ag_arena *arena;
  const ag_header *header;
  const ag_graph *graph;
  const ag_repeats *repeats;
  const char *name;
  const char *what;  /* "link", or "row" of a large system, which is one here */
  int first, nlinks; /* of the rows */
  int ncolumns;
  ag_id **at;  /* by column and link: the constant; -1: no step names it */
  int **known; /* by repeat and constant: its column; -1: it is the same for all links */
};

struct ag_link_text {
  const ag_link_table *table;
  const ag_repeat *repeat;
  const int *
      known; /* by constant of the step: its column of the table; -1: it is the same for all links */
  bool has_known; /* one has */
  column *columns;
  int ncolumns;
  element *given, *stored; /* of the step's */
  const char **before;     /* names of nodes before; by place in the lists below */
  ag_id *renamed;
  int nrenamed;
};

static const ag_step *first_of(const ag_link_text *s) {
  return s->repeat->step[0];
}

/* ---- constants ---- */

static bool is_same(const ag_repeat *r, int k) {
  for (int i = 1; i < r->count; i++)
    if (r->step[i]->constant.of[k] != r->step[0]->constant.of[k]) return false;
  return true;
}

/* Whether the column has no other constants than the k-th of a repeat's steps for their links. */
static bool fits(const ag_link_table *t, const ag_id *column_at, const ag_repeat *r, int k) {
  for (int i = 0; i < r->count; i++) {
    const ag_id there = column_at[r->step[i]->link - t->first];
    if (there >= 0 && there != r->step[i]->constant.of[k]) return false;
  }
  return true;
}

static int add_known(ag_link_table *t, const ag_repeat *r, int k) {
  int c = 0;
  while (c < t->ncolumns && !fits(t, t->at[c], r, k)) c++;
  if (c == t->ncolumns) {
    t->at = ag_room(t->arena, t->at, t->ncolumns++, sizeof(ag_id *));
    t->at[c] = ag_alloc(t->arena, (size_t)(t->nlinks + 1) * sizeof(ag_id));
    memset(t->at[c], -1, (size_t)t->nlinks * sizeof(ag_id));
  }
  for (int i = 0; i < r->count; i++)
    t->at[c][r->step[i]->link - t->first] = r->step[i]->constant.of[k];
  return c;
}

/* The name of a link, of the region of one of its steps. */
static const char *name_of_link(const ag_link_table *t, int link) {
  for (int k = 0; k < t->repeats->count; k++)
    for (int i = 0; i < t->repeats->of[k].count; i++) {
      const ag_step *step = t->repeats->of[k].step[i];
      if (step->link == link) return t->graph->regions[step->region].body;
    }
  return "-";
}

static void emit_rows(ag_text *text, const ag_link_table *t, const ag_printer *p) {
  ag_text_add(text, "/* %s: constants of %ss, each in a line. */\n", t->name, t->what);
  ag_text_add(text, "static const %s_real %s_%ss[%d][%d] = {\n", t->header->prefix, t->name,
              t->what, t->nlinks, t->ncolumns);
  for (int l = 0; l < t->nlinks; l++) {
    ag_text row = {.arena = t->arena};
    ag_text_add(&row, "/* %s */ {", ag_comment(t->arena, name_of_link(t, t->first + l)));
    for (int c = 0; c < t->ncolumns; c++) {
      const double value = t->at[c][l] < 0 ? 0 : t->graph->dag.nodes[t->at[c][l]].value;
      ag_text_add(&row, "%s%s", c ? ", " : "", p->language->number(t->header, value));
    }
    ag_text_add(&row, l + 1 < t->nlinks ? "}," : "}");
    ag_emit_broken(text, "    ", row.chars);
  }
  ag_text_add(text, "};\n\n");
}

ag_link_table *ag_emit_link_table(ag_text *text, const ag_printer *p, const char *name) {
  const ag_repeats *repeats = p->plan->repeats;
  if (!repeats) return NULL;
  ag_arena *arena = p->header->arena;
  ag_link_table *t = ag_alloc(arena, sizeof *t);
  *t = (ag_link_table){.arena = arena,
                       .header = p->header,
                       .graph = p->graph,
                       .repeats = repeats,
                       .name = name,
                       .what = p->graph->dag.alike ? "link" : "row",
                       .first = INT_MAX};
  int last = 0;
  for (int k = 0; k < repeats->count; k++)
    for (int i = 0; i < repeats->of[k].count; i++) {
      const int link = repeats->of[k].step[i]->link;
      if (link < t->first) t->first = link;
      if (link > last) last = link;
    }
  t->nlinks = last - t->first + 1;
  t->known = ag_alloc(arena, (size_t)(repeats->count + 1) * sizeof(int *));
  for (int k = 0; k < repeats->count; k++) {
    const ag_repeat *r = &repeats->of[k];
    const int count = r->step[0]->constant.count;
    t->known[k] = ag_alloc(arena, (size_t)(count + 1) * sizeof(int));
    for (int c = 0; c < count; c++) t->known[k][c] = is_same(r, c) ? -1 : add_known(t, r, c);
  }
  if (t->ncolumns > 0) emit_rows(text, t, p);
  return t;
}

/* ---- places in arrays ---- */

/* The column of these places; -1: all are the same. */
static int place_of(ag_link_text *s, const char **at) {
  bool same = true;
  for (int i = 1; i < s->repeat->count; i++) same &= strcmp(at[i], at[0]) == 0;
  if (same) return -1;
  for (int k = 0; k < s->ncolumns; k++) {
    bool equal = true;
    for (int i = 0; equal && i < s->repeat->count; i++)
      equal = strcmp(at[i], s->columns[k].at[i]) == 0;
    if (equal) return k;
  }
  s->columns = ag_room(s->table->arena, s->columns, s->ncolumns, sizeof *s->columns);
  s->columns[s->ncolumns] =
      (column){at, s->ncolumns ? ag_printf(s->table->arena, "joint%d", s->ncolumns + 1) : "joint"};
  return s->ncolumns++;
}

/* Of the k-th input, sine or cosine, and of the k-th store. */
static element find_element(ag_link_text *s, const ag_printer *p, int k, bool stored) {
  const char **at = ag_alloc(s->table->arena, (size_t)(s->repeat->count + 1) * sizeof *at),
             *array = NULL;
  for (int i = 0; i < s->repeat->count; i++) {
    const ag_step *step = s->repeat->step[i];
    const ag_id of = stored ? step->stored.of[k] : step->given.of[k];
    const ag_list *list = stored ? &s->table->graph->function->out : &s->table->graph->function->in;
    int number = of;
    ag_text text = {.arena = s->table->arena};
    if (stored) {
      ag_text_add(&text, "%s",
                  ag_emit_place(p->language, s->table->header, "out",
                                ag_emit_access(s->table->header, &list->elements[of])));
    } else {
      const ag_node *n = &s->table->graph->dag.nodes[of];
      if (n->op != AG_INPUT) list = NULL;
      number = n->a;
      ag_emit_operation(&text, p, of);
    }
    const char *one = ag_array_of(s->table->arena, list, number, text.chars, &at[i]);
    if (i == 0) array = one;
    if (!one) return (element){NULL, -1}; /* a number alone, the same for all by their look */
  }
  const int where = place_of(s, at);
  return where < 0 ? (element){NULL, -1} : (element){array, where};
}

static const char *text_of(const ag_link_text *s, const element *e) {
  if (!e->array) return NULL;
  return ag_printf(s->table->arena, "%s[%s]", e->array, s->columns[e->column].name);
}

static void find_elements(ag_link_text *s, const ag_printer *p) {
  const ag_step *step = first_of(s);
  s->given = ag_alloc(s->table->arena, (size_t)(step->given.count + 1) * sizeof *s->given);
  s->stored = ag_alloc(s->table->arena, (size_t)(step->stored.count + 1) * sizeof *s->stored);
  for (int k = 0; k < step->given.count; k++) s->given[k] = find_element(s, p, k, false);
  for (int k = 0; k < step->stored.count; k++) s->stored[k] = find_element(s, p, k, true);
}

/* ---- names ---- */

static void rename_node(ag_link_text *s, ag_printer *p, ag_id id, const char *name) {
  s->renamed[s->nrenamed] = id;
  s->before[s->nrenamed++] = p->name[id];
  p->name[id] = name;
}

/* A name without its body's, so that it stands for any link's; of another link's with what that is to the link. */
static const char *name_of_any(const ag_link_text *s, const ag_printer *p, ag_id id) {
  const ag_node *n = &s->table->graph->dag.nodes[id];
  const char *name = p->name[id], *body = ag_name_of_body(p, n->name ? n->scope : n->region);
  const size_t length = body ? strlen(body) : 0;
  if (!body || strncmp(name, body, length) != 0 || name[length] != '_') return name;
  const int at = s->table->repeats->place[id] - s->table->repeats->base;
  const int link =
      s->table->repeats->place[id] < 0 ? first_of(s)->link : at / s->table->repeats->stride;
  const bool links = s->table->graph->dag.alike;
  const char *whose = link < first_of(s)->link   ? links ? "inner_" : "before_"
                      : link > first_of(s)->link ? links ? "outer_" : "behind_"
                                                 : "";
  return ag_printf(s->table->arena, "%s%s", whose, name + length + 1);
}

static bool is_named_so(const ag_link_text *s, const ag_printer *p, const char *name) {
  for (int k = 0; k < s->nrenamed; k++)
    if (p->name[s->renamed[k]] && strcmp(p->name[s->renamed[k]], name) == 0) return true;
  return false;
}

static void rename_values(ag_link_text *s, ag_printer *p, const ag_named *list) {
  for (int k = 0; k < list->count; k++) {
    const char *name = name_of_any(s, p, list->of[k]);
    rename_node(s, p, list->of[k], is_named_so(s, p, name) ? p->name[list->of[k]] : name);
  }
}

static void rename_all(ag_link_text *s, ag_printer *p) {
  const ag_step *step = first_of(s);
  const size_t count = (size_t)step->statement.count + (size_t)step->outer.count +
                       (size_t)step->constant.count + (size_t)step->given.count + 1;
  s->before = ag_alloc(s->table->arena, count * sizeof *s->before);
  s->renamed = ag_alloc(s->table->arena, count * sizeof *s->renamed);
  for (int k = 0; k < step->constant.count; k++)
    if (s->known[k] >= 0)
      rename_node(s, p, step->constant.of[k], ag_printf(s->table->arena, "known[%d]", s->known[k]));
  for (int k = 0; k < step->given.count; k++)
    if (s->given[k].array) rename_node(s, p, step->given.of[k], text_of(s, &s->given[k]));
  rename_values(s, p, &step->statement);
  rename_values(s, p, &step->outer);
}

ag_link_text *ag_begin_links(const ag_link_table *t, ag_printer *p, const ag_repeat *repeat) {
  ag_link_text *s = ag_alloc(t->arena, sizeof *s);
  *s = (ag_link_text){.table = t, .repeat = repeat, .known = t->known[repeat->number]};
  for (int k = 0; k < repeat->step[0]->constant.count; k++) s->has_known |= s->known[k] >= 0;
  find_elements(s, p);
  rename_all(s, p);
  return s;
}

void ag_end_links(ag_link_text *s, ag_printer *p) {
  while (s->nrenamed > 0) {
    s->nrenamed--;
    p->name[s->renamed[s->nrenamed]] = s->before[s->nrenamed];
  }
}

/* ---- what the function's text says ---- */

/* Where the frame of a call's link begins. */
static int frame_of(const ag_link_text *s, int call) {
  return s->table->repeats->base + s->table->repeats->stride * s->repeat->step[call]->link;
}

const char *ag_link_place(const ag_link_text *s, ag_id id) {
  const ag_named *outer = &first_of(s)->outer;
  if (s->table->repeats->place[id] < 0) return NULL;
  for (int k = 0; k < outer->count; k++)
    if (outer->of[k] == id && s->repeat->common[k]) return NULL;
  return ag_printf(s->table->arena, "%s[%d]", s->table->what,
                   s->table->repeats->place[id] - frame_of(s, 0));
}

const char *ag_link_given(const ag_link_text *s, ag_id id) {
  const ag_named *given = &first_of(s)->given;
  for (int k = 0; k < given->count; k++)
    if (given->of[k] == id) return text_of(s, &s->given[k]);
  return NULL;
}

const char *ag_link_stores(const ag_link_text *s, int k) {
  const ag_named *stored = &first_of(s)->stored;
  for (int i = 0; i < stored->count; i++)
    if (stored->of[i] == k) return text_of(s, &s->stored[i]);
  return NULL;
}

const char *ag_link_function(const ag_link_text *s) {
  return ag_printf(s->table->arena, "step%d", s->repeat->number + 1);
}

const char *ag_link_comment(const ag_link_text *s) {
  const ag_region *regions = s->table->graph->regions;
  const int count = s->repeat->count;
  const ag_region *first = &regions[first_of(s)->region],
                  *last = &regions[s->repeat->step[count - 1]->region];
  if (first->row)
    return ag_printf(s->table->arena, "%s (%s), of %d rows from %s to %s: one row.", first->title,
                     first->source, count, first->body, last->body);
  return ag_printf(s->table->arena, "%s (%s), and so on to %s: one link.", first->title,
                   first->source, last->title);
}

/* Whether a text names a place of the frame. */
static bool has_frame(const ag_link_text *s, const char *body) {
  return body && strstr(body, ag_printf(s->table->arena, "%s[", s->table->what));
}

const char *ag_link_parameters(const ag_link_text *s, const char *body) {
  const char *n = s->table->header->prefix, *list = "";
  if (has_frame(s, body))
    list = ag_printf(s->table->arena, "%s, %s_real *%s", list, n, s->table->what);
  if (s->has_known) list = ag_printf(s->table->arena, "%s, const %s_real *known", list, n);
  for (int k = 0; k < s->ncolumns; k++)
    list = ag_printf(s->table->arena, "%s, int %s", list, s->columns[k].name);
  return list;
}

const char *ag_link_arguments(const ag_link_text *s, const char *body, int call) {
  const char *list = "";
  if (has_frame(s, body))
    list = ag_printf(s->table->arena, "%s, &work->v[%d]", list, frame_of(s, call));
  if (s->has_known)
    list = ag_printf(s->table->arena, "%s, %s_%ss[%d]", list, s->table->name, s->table->what,
                     s->repeat->step[call]->link - s->table->first);
  for (int k = 0; k < s->ncolumns; k++)
    list = ag_printf(s->table->arena, "%s, %s", list, s->columns[k].at[call]);
  return list;
}
