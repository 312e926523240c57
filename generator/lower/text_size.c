/* SPDX-License-Identifier: MIT */
/* text_size.c: see text_size.h */
#include "lower/text_size.h"

#include "lower/products.h"
#include "lower/registers.h"
#include "lower/repeats.h"
#include "lower/split.h"

/* Bytes of code, in tenths: fitted to object code of 39 functions of vendors' robots (largest error 9 %, gcc 12). A sum
 * or a product has 4 bytes between registers, and more with an operand in memory; what is moved between registers
 * and memory is simulated (registers.h). */
enum {
  OPERATION = 64,
  SIGN = 305,      /* of a number: a mask, and the copy that it is put on */
  CONDITION = 223, /* a comparison and what is chosen by it */
  CONSTANT = 86,   /* an operand that is one */
  GIVEN = 26,      /* an operand that is an input, a sine or a cosine */
  MOVE = 69,
  OUTPUT = 15,
  TEST = 60,     /* of a result where it is stored: half of what a vector is loaded and added by */
  CROSSING = 38, /* between numbers and vectors */
  CALL = 400,    /* of a function with a frame, constants and places (repeats.h) */
  TERM = 100,    /* of a row of a product with columns (products.h), two rows at once */
  COLUMN = 200   /* its call */
};

/* Of code with three operands and vectors of 32 bytes (-mavx2): hundredths of the code without. */
enum { AVX = 79 };

/* Of a function in parts, in parts of AG_SHORT_PART operations, and with one function for steps of several links: hundredths of the code
 * of a whole one. What waits is nearer on a smaller stack there, and in a link's frame. With limbs in lanes: the longer the whole one, the
 * less, by so many hundredths where it is twice as long as this. */
enum { PARTS = 89, SHORT_PARTS = 79, LINKS = 78, TWICE = 7 };
static const long near_bytes = 8 * 1024L;

static int share_of(const ag_plan *plan, long bytes) {
  if (plan->repeats) return LINKS;
  if (!plan->graph->width) return plan->part > AG_SHORT_PART ? PARTS : SHORT_PARTS;
  int share = 100;
  for (; bytes > 2 * near_bytes; bytes /= 2) share -= TWICE;
  if (bytes > near_bytes) share -= (int)(TWICE * (bytes - near_bytes) / near_bytes);
  return share;
}

static int tenths_of(const ag_dag *dag, const ag_node *n) {
  switch (n->op) {
  case AG_NEG:
    return SIGN;
  case AG_LT:
  case AG_EQ:
  case AG_AND:
  case AG_OR:
  case AG_NOT:
  case AG_ANY:
    return CONDITION;
  case AG_TAKE:
    return CROSSING;
  case AG_JOIN:
    return dag->nodes[n->a].op == AG_CONST ? 0 : CROSSING;
  default:
    return n->op >= AG_ADD && n->op <= AG_DIV ? OPERATION : 0;
  }
}

/* Of the calls in a way from the `first` node of its order on. */
static long calls_from(const ag_plan *plan, const ag_sequence *way, int first) {
  const ag_blocks *blocks = ag_blocks_of(plan, way);
  long tenths = 0;
  for (int k = 0; blocks && k < blocks->count; k++)
    tenths += blocks->of[k].first >= first ? CALL : 0;
  return tenths;
}

int ag_text_of_products(const ag_plan *plan) {
  const ag_products *all = plan->products;
  long tenths = 0;
  for (int k = 0; all && k < all->count; k++) {
    const ag_product *p = &all->of[k];
    if (k == 0 || !ag_same_product(p, &all->of[k - 1])) tenths += (long)TERM * p->n * p->n;
    tenths += COLUMN;
  }
  return (int)(tenths / 10);
}

/* By node: a statement of the text does not stand for it: of what only those have that repeat another. */
static bool *find_unwritten(const ag_sequence *way, ag_arena *arena) {
  bool *unwritten = ag_alloc(arena, ((size_t)way->graph->dag.count + 1) * sizeof *unwritten);
  bool again = false;
  for (int i = way->norder - 1; i >= 0;
       i--) { /* what stands in a statement's text comes before it */
    const ag_id id = way->order[i];
    if (way->statement[id]) again = way->again && way->again[id];
    unwritten[id] = again;
  }
  return unwritten;
}

/* Of the nodes from the `first` one of the order on. */
static int bytes_from(const ag_plan *plan, const ag_sequence *way, int first, ag_arena *arena) {
  const ag_dag *dag = &way->graph->dag;
  const int real = plan->target->single ? 4 : 8;
  long tenths = (long)OUTPUT * way->results->noutputs;
  bool wide = false;
  const bool *unwritten = find_unwritten(way, arena);
  for (int i = first; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &dag->nodes[id];
    if (unwritten[id]) continue;
    wide |= way->graph->width && way->graph->width[id] * real > 16;
    tenths += tenths_of(dag, n);
    if (n->op < AG_ADD || n->op > AG_DIV) continue;
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) {
      if (dag->nodes[of[k]].op == AG_CONST) tenths += CONSTANT;
      if (ag_is_given(dag, of[k])) tenths += GIVEN;
    }
  }
  tenths += (long)MOVE * ag_count_moves(way, first) + calls_from(plan, way, first);
  if (plan->split) tenths = tenths * share_of(plan, tenths / 10) / 100;
  if (plan->stored_tests) tenths += (long)TEST * way->results->noutputs; /* behind the parts */
  tenths += 10L * ag_text_of_products(plan);
  return (int)(wide ? tenths * AVX / 1000 : tenths / 10);
}

ag_text_size ag_predict_text(const ag_plan *plan, ag_arena *arena) {
  const int own = bytes_from(plan, &plan->own, plan->fast ? plan->nguard : 0, arena);
  const int fast = plan->fast ? bytes_from(plan, plan->fast, 0, arena) : own;
  return (ag_text_size){plan->fast ? own + fast : own, fast};
}
