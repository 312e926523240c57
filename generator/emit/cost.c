/* SPDX-License-Identifier: MIT */
/* cost.c: see cost.h */
#include "emit/cost.h"

#include "base/text.h"
#include "lower/products.h"
#include "lower/stages.h"
#include "lower/text_size.h"

/* Without optimisation every statement keeps a place of its own: from the `first`-th node on. */
static int unoptimised_stack(const ag_sequence *way, int first, int real) {
  const ag_dag *dag = &way->graph->dag;
  int bytes = 0;
  for (int i = first; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (way->statement[id]) bytes += ag_is_boolean(dag, id) ? (int)sizeof(int) : real;
  }
  return bytes;
}

/* Of the struct in which what parts compute waits. */
static int waiting_bytes(const ag_split *split, int real) {
  int bytes = 0;
  for (int kind = 0; kind < AG_KINDS; kind++) {
    const int of_one = kind == AG_WIDTHS ? (int)sizeof(int) : ag_kind_lanes(kind) * real;
    bytes += split->count[kind] * of_one;
  }
  return bytes;
}

static const char *operations_text(const ag_header *h, const ag_cost *c) {
  return ag_printf(h->arena, "%d add, %d mul, %d div, %d neg, %d sin or cos, %d select", c->add,
                   c->mul, c->div, c->neg, c->trig, c->select);
}

char *ag_cost_text(const ag_header *h, const ag_plan *plan) {
  const ag_cost *c = &plan->own.cost;
  const int real = h->target.single ? 4 : 8, around = 2 * h->nangles * real + 96;
  const ag_sequence *fast = plan->fast;
  const int live = fast && fast->cost.live > c->live ? fast->cost.live : c->live;
  int bytes = live * real + around, plain = unoptimised_stack(&plan->own, 0, real) + around;
  if (fast) plain += unoptimised_stack(fast, plan->nguard, real);
  const ag_stages *stages = plan->limbs ? plan->limbs->stages : NULL;
  const bool shared = stages && stages->shared;
  const ag_split *split = shared ? stages->plan->split : plan->split;
  const char *parts = "";
  if (split) { /* of the longest part, and of what waits between them */
    const ag_split *lanes =
        shared ? plan->limbs->split : NULL; /* of the fast way, which calls the other */
    const int waiting = waiting_bytes(split, real) + (lanes ? waiting_bytes(lanes, real) : 0);
    bytes = waiting + split->live * real + around;
    plain = waiting + split->names * real + around;
    parts = ag_printf(h->arena, "; in %d parts", split->nparts + (lanes ? lanes->nparts : 0));
  }
  if (stages && !shared) { /* what limbs keep between their functions */
    bytes += stages->kept;
    plain += stages->kept;
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

char *ag_text_warning(const ag_header *h, const ag_plan *plan) {
  enum { KB = 1024, CACHE = 32 * KB };
  const ag_cost products = ag_cost_of_products(plan->products);
  const int own = text_bytes(&plan->own.cost) - text_bytes(&products) + ag_text_of_products(plan);
  const int fast = plan->fast ? text_bytes(&plan->fast->cost) : 0;
  if (own + fast <= CACHE) return NULL;
  const char *most = "";
  if (fast) most = ag_printf(h->arena, ", %d KB of it in most states", (fast + KB - 1) / KB);
  return ag_printf(
      h->arena,
      "about %d KB by gcc -O2 for x86-64%s: more than the 32 KB of a first-level cache, so calls "
      "after other code take longer (docs/performance.md)",
      (own + fast + KB - 1) / KB, most);
}
