/* SPDX-License-Identifier: MIT */
/* cycles.c: see cycles.h */
#include "lower/cycles.h"

#include "lower/products.h"

/* Times of results, in cycles, as of x86-64 since 2015; and how many operations wait at most: places for numbers that wait in
 * AMD's Zen 3, while Intel's have 97. */
enum { OPERATION = 4, DIVISION = 14, CROSSING = 3, CHOICE = 2, SIGN = 1, PLACES = 64 };

/* Code that is read in a cycle, in tenths of a byte (docs/performance.md). */
enum { READ = 122 };

/* Of code with three operands, and a product and a sum in one (-mavx2 -mfma): hundredths of the code without, which numbers'
 * predictions are for. Measured on chains of 14 to 60 joints. */
enum { FUSED = 66 };

static int latency_of(const ag_node *n) {
  switch (n->op) {
  case AG_ADD:
  case AG_SUB:
  case AG_MUL:
  case AG_LT:
    return OPERATION;
  case AG_DIV:
    return DIVISION;
  case AG_TAKE:
  case AG_JOIN:
    return CROSSING;
  case AG_SELECT:
    return CHOICE;
  case AG_NEG:
    return SIGN;
  default:
    return 0;
  }
}

/* The latest times at which operations began that came before, in ascending order: where all are to come yet, the places are full. */
typedef struct places {
  double begun[PLACES];
  int count;
} places;

static void take_place(places *p, double begins) {
  int k = 0;
  if (p->count < PLACES) {
    k = p->count++;
    for (; k > 0 && p->begun[k - 1] > begins; k--) p->begun[k] = p->begun[k - 1];
  } else {
    if (begins <= p->begun[0]) return;
    for (; k + 1 < PLACES && p->begun[k + 1] < begins; k++) p->begun[k] = p->begun[k + 1];
  }
  p->begun[k] = begins;
}

/* Of products with columns: in a cycle two vectors of four rows take a term, and so many rows wait for as many terms one after the
 * other. */
static double cycles_of_products(const ag_products *products) {
  const ag_cost cost = ag_cost_of_products(products);
  return cost.mul / 8.0 + (products ? OPERATION * products->count : 0);
}

static int operations_of(const ag_sequence *way) {
  int count = 0;
  for (int i = 0; i < way->norder; i++)
    count += latency_of(&way->graph->dag.nodes[way->order[i]]) > 0;
  return count;
}

int ag_predict_cycles(const ag_plan *plan, const ag_text_size *text, ag_arena *arena) {
  const ag_sequence *way = plan->fast ? plan->fast : &plan->own;
  const ag_dag *dag = &way->graph->dag;
  const double reading = text->most * (FUSED / 10.0) / READ / (operations_of(way) + 1);
  double *made = ag_alloc(arena, (size_t)(dag->count + 1) * sizeof *made);
  double read = 0, last = 0;
  places waiting = {.count = 0};
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &dag->nodes[id];
    ag_id of[3];
    const int arity = ag_all_operands(n, of), latency = latency_of(n);
    for (int k = 0; k < arity; k++)
      if (made[id] < made[of[k]]) made[id] = made[of[k]];
    if (latency == 0) continue;
    read += reading;
    if (waiting.count == PLACES && read < waiting.begun[0]) read = waiting.begun[0];
    if (made[id] < read) made[id] = read;
    take_place(&waiting, made[id]);
    made[id] += latency;
    if (last < made[id]) last = made[id];
  }
  return (int)(last + cycles_of_products(plan->products));
}
