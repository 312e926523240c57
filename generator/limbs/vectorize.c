/* vectorize.c: see vectorize.h
 *
 * Superword-level parallelism (Larsen and Amarasinghe, PLDI 2000), begun where it is known to be: at
 * outputs of corresponding joints and rows, and at what limbs hand to the rest of the robot. */
#include "limbs/vectorize.h"

#include "limbs/build.h"
#include "limbs/correspondence.h"
#include "limbs/critical_path.h"
#include "limbs/finite_tests.h"
#include "limbs/first_pairs.h"
#include "limbs/horizontal_sums.h"
#include "limbs/lane_signs.h"
#include "limbs/paired_stores.h"
#include "limbs/pruning.h"
#include "limbs/rebuild.h"
#include "lower/schedule.h"

#include <string.h>

/* What a way costs, in hundredths of an operation of numbers or vectors. */
static long cost_of(const ag_program *way) {
  long cost = 0;
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &way->dag.nodes[way->order[i]];
    if (n->op >= AG_ADD && n->op <= AG_DIV) cost += 100;
    if (n->op == AG_TAKE) cost += 100;
    if (n->op == AG_JOIN && way->dag.nodes[n->a].op != AG_CONST) cost += 100;
  }
  return cost;
}

/* Whether vectors save a quarter of the operations of every way. */
static bool gains(const ag_program *lanes, const ag_program *program) {
  for (; program; program = program->fast, lanes = lanes->fast)
    if (4 * cost_of(lanes) > 3 * cost_of(program)) return false;
  return true;
}

/* The program with these limbs as lanes. */
static ag_program *pack_limbs(const ag_header *header, const ag_program *program, ag_limbs *sets,
                              int nsets) {
  packer q = {.header = header, .program = program, .arena = header->arena};
  const size_t count = (size_t)program->dag.count + 1;
  size_t room = 1;
  while (room < count) room *= 2;
  q.nnodes = program->dag.count;
  q.nodes = ag_alloc(q.arena, room * sizeof *q.nodes);
  memcpy(q.nodes, program->dag.nodes, (size_t)q.nnodes * sizeof *q.nodes);
  q.sets = sets;
  q.nsets = nsets;
  q.look = ag_alloc(q.arena, room * sizeof *q.look);
  q.fine = ag_alloc(q.arena, room * sizeof *q.fine);
  q.form = ag_alloc(q.arena, room * sizeof *q.form);
  q.nkeys = 4 * room - 1;
  q.keys = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.keys);
  q.equals = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.equals);
  q.leaves = ag_alloc(q.arena, room * sizeof *q.leaves);
  q.limb = ag_alloc(q.arena, room * sizeof *q.limb);
  q.own = ag_alloc(q.arena, room * sizeof *q.own);
  q.depth = ag_alloc(q.arena, room * sizeof *q.depth);
  q.home = ag_alloc(q.arena, room * sizeof *q.home);
  memset(q.home, -1, room * sizeof *q.home);
  memset(q.bucket, -1, sizeof q.bucket);
  ag_look_back(&q);
  for (ag_id id = 0; id < program->dag.count; id++) ag_look_at(&q, id);
  q.uses = ag_uses(program, q.arena);
  ag_begin_lockstep(&q);
  q.made = ag_alloc(q.arena, ((size_t)q.nnodes + 1) * sizeof *q.made);
  memset(q.made, -1, (size_t)q.nnodes * sizeof *q.made);
  q.state = ag_alloc(q.arena, (size_t)q.nnodes + 1);
  q.open = ag_alloc(q.arena, (size_t)(q.npacks + 1) * sizeof *q.open);
  ag_choose_packs(&q);
  ag_choose_signs(&q);
  for (int k = 0; k < q.npacks; k++) q.packs[k].made = -1;
  ag_program *lanes = ag_alloc(q.arena, sizeof *lanes);
  *lanes = *program;
  lanes->first = 0; /* what is alike in limbs comes before the choice */
  ag_dag_init(&lanes->dag, q.arena);
  q.dag = &lanes->dag;
  for (int i = 0; i < program->in.nelements; i++) (void)ag_input(q.dag, i);
  ag_make_results(program, lanes, ag_build_node, &q, q.arena);
  lanes->limbs = sets;
  lanes->nlimbs = nsets;
  return lanes;
}

/* The operand of a sum that is a product for it alone, which CPUs multiply and add at once; -1: none. */
static ag_id product_of(const ag_program *lanes, const ag_node *sum, const int *uses) {
  const ag_id of[2] = {sum->a, sum->b};
  for (int k = 0; k < 2; k++)
    if (lanes->dag.nodes[of[k]].op == AG_MUL && uses[of[k]] == 1) return of[k];
  return -1;
}

/* Operations of a program with limbs as lanes, of numbers or vectors. */
static int operations_of(const ag_program *lanes, ag_arena *arena) {
  const int *uses = ag_lane_uses(lanes, arena);
  int operations = 0;
  for (int i = 0; i < lanes->norder; i++) {
    const ag_node *n = &lanes->dag.nodes[lanes->order[i]];
    operations += n->op >= AG_ADD && n->op <= AG_DIV;
    if (n->op == AG_ADD || n->op == AG_SUB) operations -= product_of(lanes, n, uses) >= 0;
  }
  return operations;
}

/* Whether x takes less time than y: it has fewer operations; or fewer cycles, about, of operations two at a time
 * or of the longest chain, whichever are more. */
static bool is_shorter(const ag_program *x, const ag_program *y, ag_arena *arena) {
  const int of_x = operations_of(x, arena), of_y = operations_of(y, arena);
  const int cycles_x = of_x / 2 > x->chain ? of_x / 2 : x->chain;
  const int cycles_y = of_y / 2 > y->chain ? of_y / 2 : y->chain;
  return of_x < of_y || cycles_x < cycles_y;
}

/* `from`, whose results are those of `program`, with limbs as lanes; NULL: nothing is gained. */
static ag_program *pack_alike(const ag_header *header, const ag_program *from,
                              const ag_program *program) {
  ag_program *best = NULL; /* arms and legs may look alike, and have little in common */
  for (int siblings = 0; siblings < 2; siblings++) {
    ag_limbs *sets;
    const int nsets = ag_find_limbs(header, siblings, &sets);
    ag_program *lanes = nsets > 0 ? pack_limbs(header, from, sets, nsets) : NULL;
    if (lanes && (!best || cost_of(lanes) < cost_of(best))) best = lanes;
  }
  if (!best || !gains(best, program)) return NULL;
  return ag_shorten_chains(ag_sum_across(best, header->single, header->arena), header->arena);
}

ag_program *ag_pack_lanes(const ag_header *header, const ag_program *program) {
  ag_program *lanes = pack_alike(header, program, program);
  ag_program *shorter = program->for_lanes ? pack_alike(header, program->for_lanes, program) : NULL;
  if (!lanes || !shorter) return lanes ? lanes : shorter;
  return is_shorter(shorter, lanes, header->arena) ? shorter : lanes;
}

bool ag_pack_functions(ag_header *header, bool small) {
  int count = 0;
  for (int k = 0; k < header->nprograms; k++) {
    ag_program *program = header->programs[k];
    if (!program->after) program->lanes = ag_pack_lanes(header, program);
    count += program->lanes != NULL;
  }
  if (count > 0 && !small) {
    ag_ask_less(header);
    ag_pair_stores(header);
  }
  return count > 0;
}
