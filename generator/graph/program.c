/* program.c: see program.h */
#include "graph/program.h"

#include <string.h>

#include "base/text.h"

ag_program *ag_program_new(ag_arena *arena, const char *function, const char *doc) {
  ag_program *program = ag_alloc(arena, sizeof *program);
  program->function = program->takes = program->fills = ag_strdup(arena, function);
  program->doc = ag_strdup(arena, doc);
  ag_dag_init(&program->dag, arena);
  return program;
}

ag_program *ag_program_add_fast(ag_arena *arena, ag_program *program, ag_id guard, ag_id first,
                                const char *when, const char *otherwise) {
  ag_program *fast = ag_alloc(arena, sizeof *fast);
  *fast = *program;
  fast->out = (ag_list){0};
  fast->status = NULL;
  fast->nstatus = 0;
  program->fast = fast;
  program->guard = fast->guard = guard;
  program->first = first;
  program->when = ag_comment(arena, when);
  program->otherwise = ag_comment(arena, otherwise);
  program->dag.nodes[guard].labelled = true; /* a statement of its own */
  return fast;
}

void ag_program_no_longer(ag_arena *arena, ag_program *program, ag_id component, ag_id square) {
  const ag_node *n = &program->dag.nodes[component];
  program->lengths = ag_room(arena, program->lengths, program->nlengths, sizeof *program->lengths);
  program->lengths[program->nlengths++] =
      (struct ag_length){n->op == AG_NEG ? n->a : component, square};
}

ag_quantity *ag_program_declare(ag_header *header, ag_program *program, bool output,
                                const char *name, ag_shape shape, int count,
                                const char *linear_unit, const char *angular_unit,
                                const char *doc) {
  ag_list *list = output ? &program->out : &program->in;
  ag_quantity *q =
      ag_quantity_add(header, list, name, shape, count, linear_unit, angular_unit, doc);
  for (int i = q->first; i < list->nelements && !output; i++)
    list->elements[i].node = ag_input(&program->dag, i);
  return q;
}

void ag_program_status(ag_header *header, ag_program *program, unsigned bit, ag_id condition) {
  program->status =
      ag_room(header->arena, program->status, program->nstatus, sizeof *program->status);
  program->status[program->nstatus++] = (ag_status_bit){.bit = bit, .node = condition};
}

void ag_program_region(ag_header *header, ag_program *program, const char *title,
                       const char *source, const char *body) {
  program->regions =
      ag_room(header->arena, program->regions, program->nregions, sizeof *program->regions);
  program->regions[program->nregions] =
      (ag_region){.title = ag_comment(header->arena, title),
                  .source = ag_strdup(header->arena, source),
                  .body = body ? ag_strdup(header->arena, body) : NULL};
  program->dag.region = program->nregions++;
}

bool ag_uses_shape(const ag_header *h, ag_shape shape) {
  for (int p = 0; p < h->nprograms; p++)
    for (int side = 0; side < 2; side++) {
      const ag_list *list = side ? &h->programs[p]->out : &h->programs[p]->in;
      for (int i = 0; i < list->nquantities; i++)
        if (list->quantities[i].shape == shape) return true;
    }
  return false;
}

/* Without optimisation every statement keeps a place of its own: from the `first`-th node on. */
static int unoptimised_stack(const ag_program *program, int first, int real) {
  int bytes = 0;
  for (int i = first; i < program->norder; i++) {
    const ag_id id = program->order[i];
    if (program->statement[id]) bytes += ag_is_boolean(&program->dag, id) ? (int)sizeof(int) : real;
  }
  if (program->fast) bytes += unoptimised_stack(program->fast, program->nguard, real);
  return bytes;
}

static const char *operations_text(const ag_header *h, const ag_cost *c) {
  return ag_printf(h->arena, "%d add, %d mul, %d div, %d neg, %d sin or cos, %d select", c->add,
                   c->mul, c->div, c->neg, c->trig, c->select);
}

char *ag_cost_text(const ag_header *h, const ag_program *program) {
  const ag_cost *c = &program->cost;
  const int real = h->single ? 4 : 8, around = 2 * h->nangles * real + 96;
  const ag_program *fast = program->fast;
  const int live = fast && fast->cost.live > c->live ? fast->cost.live : c->live;
  int bytes = live * real + around, plain = unoptimised_stack(program, 0, real) + around;
  const ag_split *split = program->split;
  const char *parts = "";
  if (split) { /* of the longest part, and of what waits between them */
    const int waiting = split->nreals * real + split->nbooleans * (int)sizeof(int);
    bytes = waiting + split->live * real + around;
    plain = waiting + split->names * real + around;
    parts = ag_printf(h->arena, "; in %d parts", split->nparts);
  }
  if (program->lanes && program->lanes->steps) { /* what limbs keep between their functions */
    bytes += program->lanes->steps->kept;
    plain += program->lanes->steps->kept;
  }
  return ag_printf(
      h->arena,
      "%s%s%s%s; %d values live at most; about %d bytes of stack by gcc -O1 to -O3 and -Os, "
      "%d at -O0",
      fast ? operations_text(h, &fast->cost) : "", fast ? "; at worst " : "", operations_text(h, c),
      parts, live, (bytes + 15) / 16 * 16, (plain + 15) / 16 * 16);
}

/* Bytes of code: what objects of gcc -O2 for x86-64 have, without contraction, an operation's loads and stores
 * in it; a choice is a comparison, and a jump or masks. Test text_size: within a factor of 1.5. */
enum { OPERATION = 13, CHOICE = 50 };

int ag_text_bytes_of(const ag_node *node) {
  switch (node->op) {
  case AG_ADD:
  case AG_SUB:
  case AG_MUL:
  case AG_DIV:
  case AG_NEG:
    return OPERATION;
  case AG_SELECT:
    return CHOICE;
  default:
    return 0;
  }
}

static int text_bytes(const ag_cost *c) {
  return OPERATION * (c->add + c->mul + c->div + c->neg) + CHOICE * c->select;
}

char *ag_text_warning(const ag_header *h, const ag_program *program) {
  enum { KB = 1024, CACHE = 32 * KB };
  const int own = text_bytes(&program->cost);
  const int fast = program->fast ? text_bytes(&program->fast->cost) : 0;
  if (own + fast <= CACHE) return NULL;
  const char *most = "";
  if (fast) most = ag_printf(h->arena, ", %d KB of it in most states", (fast + KB - 1) / KB);
  return ag_printf(
      h->arena,
      "about %d KB by gcc -O2 for x86-64%s: more than the 32 KB of a first-level cache, so calls "
      "after other code take longer (docs/performance.md)",
      (own + fast + KB - 1) / KB, most);
}

bool ag_by_row(ag_shape shape) {
  return shape == AG_ROWS || shape == AG_MASKS || shape == AG_SET_POINTS || shape == AG_BOUNDS ||
         shape == AG_COMPLIANCES;
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
  const bool numbered = q->shape == AG_JOINTS || ag_by_row(q->shape);
  const int count = q->shape == AG_JOINTS ? h->njoints : h->nrows;
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
    add_runs(&text, q->shape == AG_JOINTS ? "joint" : "row", is, count);
  }
  return q->size > 0 ? text.chars : "1";
}

bool ag_stands_earlier(const ag_list *list, int i) {
  const char *name = list->quantities[i].name, *dot = strchr(name, '.');
  for (int k = 0; dot && k < i; k++)
    if (strncmp(list->quantities[k].name, name, (size_t)(dot - name) + 1) == 0) return true;
  return false;
}

bool ag_is_result_of(const char *after, const char *name) {
  const size_t length = strlen(after);
  return strncmp(name, after, length) == 0 && name[length] == '.';
}

bool ag_always_zero(const ag_program *program, int element) {
  const ag_list *out = &program->out;
  int k = 0;
  while (element >= out->quantities[k].first + out->quantities[k].size) k++;
  const ag_node *node = &program->dag.nodes[out->elements[element].node];
  return out->quantities[k].shape == AG_DERIVATIVE && node->op == AG_CONST && node->value == 0;
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
