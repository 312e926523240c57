/* SPDX-License-Identifier: MIT */
/* alike.c: see alike.h */
#include "lower/alike.h"

#include "base/text.h"

#include <string.h>

typedef struct reader {
  const ag_range *range;
  const ag_graph *graph;
  const int *region; /* by node */
  ag_arena *arena;
  ag_step *step; /* that is read */
  int *local;    /* by node: the how-many-eth statement of its step; -1: it is none of the range */
  ag_text look;
  bool usable;
} reader;

/* ---- how a step looks ---- */

void ag_add_named(ag_arena *arena, ag_named *list, ag_id id) {
  list->of = ag_room(arena, list->of, list->count, sizeof *list->of);
  list->of[list->count++] = id;
}

/* The place of a node in a list, at whose end it comes where it is new. */
static int place_in(const reader *q, ag_named *list, ag_id id) {
  int k = 0;
  while (k < list->count && list->of[k] != id) k++;
  if (k == list->count) ag_add_named(q->arena, list, id);
  return k;
}

/* Where an element of the input or output stands, but for its place in the last array. */
static void look_at_path(reader *q, const ag_path *path) {
  ag_text_add(&q->look, "%s/%d/%s/%d", path->quantity, path->which, path->field, path->indices);
  if (path->indices > 1) ag_text_add(&q->look, "/%d/%d", path->index[0].of, path->index[0].at);
}

static bool is_named(const reader *q, ag_id id) {
  return q->range->way->statement[id] && !ag_is_given(&q->graph->dag, id);
}

static void look_at(reader *q, ag_id id, bool whole);

static void look_at_operands(reader *q, const ag_node *n) {
  ag_id of[3];
  const int arity = ag_operands(n, of);
  const bool turn = arity == 2 && (n->op == AG_ADD || n->op == AG_MUL) &&
                    q->graph->dag.nodes[of[1]].op == AG_CONST;
  if (n->limit || n->op == AG_TAKE) q->usable = false; /* its constant has a name; of a vector */
  ag_text_add(&q->look, "(%d", n->op);
  for (int k = 0; k < arity; k++) look_at(q, of[turn ? 1 - k : k], false);
  ag_text_add(&q->look, ")");
}

/* What the text of a node has; whole: of a statement, its own; else its name. */
static void look_at(reader *q, ag_id id, bool whole) {
  const ag_node *n = &q->graph->dag.nodes[id];
  ag_step *step = q->step;
  if (ag_is_boolean(&q->graph->dag, id)) q->usable = false;
  if (q->graph->width && q->graph->width[id] > 1) q->usable = false; /* frames have numbers */
  if (!whole && is_named(q, id)) {
    if (q->region[id] == step->region && q->local[id] >= 0)
      ag_text_add(&q->look, "L%d", q->local[id]);
    else
      ag_text_add(&q->look, "X%d", place_in(q, &step->outer, id));
  } else if (n->op == AG_CONST) {
    ag_text_add(&q->look, "C%d", place_in(q, &step->constant, id));
  } else if (n->op == AG_INPUT) {
    ag_text_add(&q->look, "I%d:", place_in(q, &step->given, id));
    look_at_path(q, &q->graph->function->in.elements[n->a].path);
  } else if (n->op == AG_SIN || n->op == AG_COS) {
    ag_text_add(&q->look, "T%d:%d", place_in(q, &step->given, id), n->op);
  } else {
    look_at_operands(q, n);
  }
}

static void look_at_stores(reader *q) {
  for (int k = 0; k < q->step->stored.count; k++) {
    const int element = q->step->stored.of[k];
    ag_text_add(&q->look, "S");
    look_at_path(q, &q->graph->function->out.elements[element].path);
    look_at(q, q->range->way->results->outputs[element], false);
  }
}

static void read_step(reader *q, ag_step *step) {
  q->step = step;
  q->look = (ag_text){.arena = q->arena};
  q->usable = step->link >= 0;
  for (int k = 0; k < step->statement.count && q->usable; k++) {
    look_at(q, step->statement.of[k], true);
    ag_text_add(&q->look, ";");
  }
  if (q->usable) look_at_stores(q);
  step->look = q->usable ? q->look.chars : NULL;
}

/* ---- what belongs to which step ---- */

bool ag_has_rows(const ag_graph *graph) {
  bool has = false;
  for (int r = 0; r < graph->nregions; r++) has |= graph->regions[r].row > 0;
  return has && !graph->dag.alike;
}

bool ag_may_repeat(const ag_graph *graph) {
  return graph->dag.alike || ag_has_rows(graph);
}

int ag_least_calls(const ag_graph *graph) {
  enum { OF_LINKS = 3, OF_ROWS = 2 };
  return graph->dag.alike ? OF_LINKS : OF_ROWS;
}

int *ag_regions_of(const ag_range *range, ag_arena *arena) {
  const ag_graph *graph = range->way->graph;
  const size_t count = (size_t)graph->dag.count + 1;
  int *region = ag_alloc(arena, count * sizeof *region);
  bool *inside = ag_alloc(arena, count * sizeof *inside);
  for (int i = range->first; i < range->behind; i++) inside[range->way->order[i]] = true;
  for (ag_id id = 0; id < graph->dag.count; id++) { /* operands come first */
    const ag_node *n = &graph->dag.nodes[id];
    if (!inside[id] || ag_arity(n->op) == 0) continue;
    ag_id of[3];
    const int arity = ag_operands(n, of);
    region[id] = n->region;
    for (int k = 0; k < arity; k++)
      if (region[of[k]] > region[id]) region[id] = region[of[k]];
  }
  return region;
}

/* Links by the names of the bodies that regions are about: the how-many-eth that is named; -1: about none. */
static void number_bodies(const ag_graph *graph, int *link, ag_arena *arena) {
  const char **names = ag_alloc(arena, (size_t)(graph->nregions + 1) * sizeof *names);
  int count = 0;
  for (int r = 0; r < graph->nregions; r++) {
    const char *body = graph->regions[r].row ? NULL : graph->regions[r].body;
    link[r] = -1;
    for (int k = 0; body && k < count && link[r] < 0; k++)
      if (strcmp(names[k], body) == 0) link[r] = k;
    if (body && link[r] < 0) {
      names[count] = body;
      link[r] = count++;
    }
  }
}

/* By region its link, or its row of a large system. */
static int *number_links(const ag_graph *graph, ag_arena *arena) {
  int *link = ag_alloc(arena, (size_t)(graph->nregions + 1) * sizeof *link);
  for (int r = 0; r < graph->nregions; r++) link[r] = graph->regions[r].row - 1;
  if (graph->dag.alike) number_bodies(graph, link, arena);
  return link;
}

/* The latest region of the values that a result's text names; -1: it names none. of: room for their list. */
static int latest_named(const reader *q, ag_id id, ag_id *of) {
  const int count = ag_list_result(q->range->way, id, of);
  int latest = -1;
  for (int k = 0; k < count; k++)
    if (!ag_is_given(&q->graph->dag, of[k]) && q->region[of[k]] > latest) latest = q->region[of[k]];
  return latest;
}

static ag_step *list_steps(reader *q) {
  const ag_sequence *way = q->range->way;
  ag_step *steps = ag_alloc(q->arena, (size_t)(q->graph->nregions + 1) * sizeof *steps);
  const int *link = number_links(q->graph, q->arena);
  const size_t count = (size_t)q->graph->dag.count + 1;
  bool *inside = ag_alloc(q->arena, count * sizeof *inside);
  ag_id *of = ag_alloc(q->arena, count * sizeof *of);
  for (int r = 0; r < q->graph->nregions; r++) steps[r] = (ag_step){.region = r, .link = link[r]};
  for (int i = q->range->first; i < q->range->behind; i++) inside[way->order[i]] = true;
  for (ag_id id = 0; id < q->graph->dag.count; id++) {
    q->local[id] = -1;
    if (!inside[id]) continue;
    ag_step *step = &steps[q->region[id]];
    const ag_op op = q->graph->dag.nodes[id].op;
    step->operations += op >= AG_ADD && op <= AG_DIV;
    if (!is_named(q, id)) continue;
    q->local[id] = step->statement.count;
    ag_add_named(q->arena, &step->statement, id);
  }
  for (int e = 0; q->range->stores && e < way->results->noutputs; e++) {
    const int latest = latest_named(q, way->results->outputs[e], of);
    if (latest > 0) ag_add_named(q->arena, &steps[latest].stored, e);
  }
  return steps;
}

/* ---- repeats ---- */

/* What is worth a call, of a link and of a row: operations. */
enum { WORTH = 16, WORTH_OF_ROW = 8 };

static bool has_link(const ag_repeat *r, int link) {
  for (int i = 0; i < r->count; i++)
    if (r->step[i]->link == link) return true;
  return false;
}

/* Whether a step is one more of a repeat's; of rows, by what they have with the same others. */
static bool belongs(const reader *q, const ag_repeat *r, const ag_step *step) {
  const ag_region *regions = q->graph->regions;
  const char *title = regions[r->step[0]->region].title;
  if (!q->graph->dag.alike && strcmp(title, regions[step->region].title) != 0) return false;
  return strcmp(r->step[0]->look, step->look) == 0 && !has_link(r, step->link);
}

/* To the repeat of the same look that has no step of its link; else a new one. */
static int add_step(const reader *q, ag_step *step, ag_repeat **list, int from, int count) {
  int k = from;
  while (k < count && !belongs(q, &(*list)[k], step)) k++;
  if (k == count) {
    *list = ag_room(q->arena, *list, count, sizeof **list);
    (*list)[count] = (ag_repeat){.count = 0};
    count++;
  }
  ag_repeat *r = &(*list)[k];
  r->step = ag_room(q->arena, r->step, r->count, sizeof(ag_step *));
  r->step[r->count++] = step;
  return count;
}

int ag_find_alike(const ag_range *range, const int *region, ag_repeat **list, int count,
                  ag_arena *arena) {
  reader q = {.range = range, .graph = range->way->graph, .region = region, .arena = arena};
  const int from = count;
  q.local = ag_alloc(arena, ((size_t)q.graph->dag.count + 1) * sizeof *q.local);
  ag_step *steps = list_steps(&q);
  const int worth = q.graph->dag.alike ? WORTH : WORTH_OF_ROW;
  for (int r = 0; r < q.graph->nregions; r++) {
    if (steps[r].operations < worth || steps[r].statement.count == 0) continue;
    read_step(&q, &steps[r]);
    if (steps[r].look) count = add_step(&q, &steps[r], list, from, count);
  }
  int kept = from;
  for (int k = from; k < count; k++)
    if ((*list)[k].count >= ag_least_calls(q.graph)) (*list)[kept++] = (*list)[k];
  return kept;
}
