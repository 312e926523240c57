/* SPDX-License-Identifier: MIT */
/* schedule_test.c: only what is needed, in a valid order, counted exactly. */
#include "small_program.h"
#include "test.h"

static ag_dag *dag;
static ag_id x, y, z;

static void fresh(void) {
  start(false);
  dag = &graph->dag;
  x = input("x"), y = input("y"), z = input("z");
}

/* How often each node is used by what results are made of. */
static const int *used(void) {
  bool *live = ag_alloc(&arena, (size_t)dag->count * sizeof *live);
  ag_mark_way(graph, AG_GENERAL, live);
  return ag_uses(graph, live, &arena);
}

static bool scheduled(ag_id id) {
  for (int i = 0; i < plan->own.norder; i++)
    if (plan->own.order[i] == id) return true;
  return false;
}

static void dead_code_goes(void) {
  fresh();
  const ag_id used = ag_mul(dag, x, y), dead = ag_mul(dag, used, z), deader = ag_sin(dag, dead);
  output("r", used);
  lower();
  CHECK(plan->own.norder == 3);
  CHECK(scheduled(x) && scheduled(y) && scheduled(used));
  CHECK(!scheduled(z) && !scheduled(dead) && !scheduled(deader));
  CHECK(plan->own.cost.mul == 1 && plan->own.cost.trig == 0);
}

static void status_keeps_its_condition_alive(void) {
  fresh();
  const ag_id condition = ag_lt(dag, ag_add(dag, x, y), z);
  output("r", x);
  ag_graph_status(&arena, graph, AG_GENERAL, 1, condition);
  lower();
  CHECK(scheduled(condition) && scheduled(z));
  CHECK(plan->own.cost.compare == 1 && plan->own.cost.add == 1);
}

static void the_order_is_valid(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    start(false);
    dag = &graph->dag;
    forest f;
    forest_new(&f, seed);
    for (int k = 0; k < 2000; k++) {
      if (k % 50 == 0) ag_graph_region(&arena, graph, "r", "s:1", NULL, 0);
      const ag_id id = grow(&f).id;
      if (k % 20 == 0) output(ag_printf(&arena, "y%d", k), id);
    }
    lower();
    bool *done = ag_alloc(&arena, (size_t)dag->count * sizeof *done);
    bool before = true, once = true;
    for (int i = 0; i < plan->own.norder; i++) {
      const ag_id id = plan->own.order[i];
      const ag_node *n = &dag->nodes[id];
      ag_id of[3];
      const int arity = ag_operands(n, of);
      for (int k = 0; k < arity; k++) before = before && done[of[k]];
      once = once && !done[id];
      done[id] = true;
    }
    CHECK(before && once);
    const int *uses = used();
    bool all_used = true, all_there = true;
    for (int i = 0; i < plan->own.norder; i++) all_used = all_used && uses[plan->own.order[i]] > 0;
    for (int i = 0; i < function->out.nelements; i++)
      all_there = all_there && done[graph->ways[AG_GENERAL].outputs[i]];
    CHECK(all_used && all_there);
  }
}

static void operations_are_counted(void) {
  fresh();
  const ag_id sum = ag_add(dag, x, y), difference = ag_sub(dag, y, x);
  const ag_id product = ag_mul(dag, sum, difference), quotient = ag_div(dag, product, z);
  const ag_id trig = ag_mul(dag, ag_sin(dag, x), ag_cos(dag, x));
  const ag_id low = ag_lt(dag, x, y), same = ag_eq(dag, x, z);
  const ag_id chosen = ag_select(dag, ag_and(dag, low, ag_not(dag, same)), quotient, trig);
  output("a", chosen);
  output("b", ag_neg(dag, chosen));
  output("c", ag_probe(dag, chosen));
  lower();
  const ag_cost *c = &plan->own.cost;
  CHECK(c->add == 2 && c->mul == 2 && c->div == 1 && c->neg == 1);
  CHECK(c->trig == 2 && c->select == 1 && c->compare == 2 && c->probe == 1);
  CHECK(ag_flops(c) == 5);
}

static void a_shared_node_counts_once(void) {
  fresh();
  const ag_id sum = ag_add(dag, x, y);
  output("a", ag_mul(dag, sum, sum));
  output("b", ag_mul(dag, ag_add(dag, y, x), z));
  lower();
  CHECK(plan->own.cost.add == 1 && plan->own.cost.mul == 2);
  CHECK(used()[sum] == 3);
}

/* y - x is made as -(x - y) or the other way round: the sign costs nothing unless both are used. */
static void a_turned_difference_needs_no_sign(void) {
  for (int turn = 0; turn < 2; turn++) {
    fresh();
    output("a", turn ? ag_sub(dag, x, y) : ag_sub(dag, y, x));
    lower();
    CHECK(plan->own.cost.add == 1 && plan->own.cost.neg == 0);
    double in[] = {3, 5, 0}, out[1];
    run(in, out);
    CHECK(out[0] == (turn ? -2 : 2));
  }
  fresh();
  output("a", ag_sub(dag, x, y));
  output("b", ag_sub(dag, y, x));
  lower();
  CHECK(plan->own.cost.add == 1 && plan->own.cost.neg == 1);
  double in[] = {3, 5, 0}, out[2];
  run(in, out);
  CHECK(out[0] == -2 && out[1] == 2);
}

static void scheduling_twice_changes_nothing(void) {
  fresh();
  forest f;
  forest_new(&f, 7);
  for (int k = 0; k < 500; k++) output(ag_printf(&arena, "y%d", k), grow(&f).id);
  lower();
  const ag_cost cost = plan->own.cost;
  const int count = plan->own.norder;
  lower();
  CHECK(memcmp(&cost, &plan->own.cost, sizeof cost) == 0);
  CHECK(count == plan->own.norder);
}

/* Values that wait: inputs, constants and results that are stored at once do not. */
static void waiting_values_are_counted(void) {
  fresh();
  output("a", ag_add(dag, x, y));
  lower();
  CHECK(plan->own.cost.live == 0);

  fresh(); /* (x + y) (x y) waits with two */
  const ag_id sum = ag_add(dag, x, y), product = ag_mul(dag, x, y);
  output("a", ag_mul(dag, sum, product));
  lower();
  CHECK(plan->own.cost.live == 2);

  fresh(); /* a chain waits with one */
  ag_id at = x;
  for (int k = 0; k < 10; k++) at = ag_add(dag, ag_mul(dag, at, y), z);
  output("a", at);
  lower();
  CHECK(plan->own.cost.live == 1);

  fresh(); /* ten quotients made first, added up afterwards: each can go at once */
  ag_id part[10];
  for (int k = 0; k < 10; k++) part[k] = ag_mul(dag, ag_constant(dag, k + 2), k % 2 ? x : y);
  for (int k = 0; k < 10; k++) part[k] = ag_div(dag, z, part[k]);
  at = part[0];
  for (int k = 1; k < 10; k++) at = ag_add(dag, at, part[k]);
  output("a", at);
  lower();
  CHECK(plan->own.cost.live == 3);

  fresh(); /* their sum times each of them: all ten wait, and the sum */
  for (int k = 0; k < 10; k++) part[k] = ag_mul(dag, ag_constant(dag, k + 2), k % 2 ? x : y);
  for (int k = 0; k < 10; k++) part[k] = ag_div(dag, z, part[k]);
  at = part[0];
  for (int k = 1; k < 10; k++) at = ag_add(dag, at, part[k]);
  for (int k = 0; k < 10; k++) output(ag_printf(&arena, "y%d", k), ag_mul(dag, at, part[k]));
  lower();
  CHECK(plan->own.cost.live == 11);
}

static int place_of(ag_id id) {
  int i = 0;
  while (i < plan->own.norder && plan->own.order[i] != id) i++;
  return i;
}

/* A statement of its own. */
static ag_id labelled(ag_id id) {
  dag->nodes[id].name = "t";
  dag->nodes[id].labelled = true;
  return id;
}

static void the_longest_way_begins_first(void) {
  fresh();
  const ag_id brief = labelled(ag_add(dag, x, y));
  ag_id at = x, first = 0;
  for (int k = 0; k < 5; k++) {
    at = labelled(ag_div(dag, z, ag_add(dag, at, ag_constant(dag, 1.5))));
    if (k == 0) first = at;
  }
  output("a", brief);
  output("b", at);
  lower();
  CHECK(plan->own.statement[brief] && plan->own.statement[first] && plan->own.statement[at]);
  CHECK(place_of(first) < place_of(brief));
  CHECK(place_of(brief) < place_of(at)); /* while the CPU waits for a quotient */
}

/* Both ways of a function need `both`; the null-space solve alone needs what the guard is made of, and `quick`. */
static void what_both_ways_need_comes_before_the_choice(void) {
  fresh();
  const ag_id both = labelled(ag_mul(dag, x, y)), pivot = labelled(ag_div(dag, x, z));
  const ag_id quick = labelled(ag_add(dag, both, pivot)), slow = labelled(ag_sub(dag, both, z));
  const ag_id guard = ag_lt(dag, ag_constant(dag, 1), pivot);
  header.target.batch = 4;
  ag_graph_add_fast_way(&arena, graph, guard, 0, "often", "seldom");
  output("a", slow);
  ag_graph_output(&arena, graph, AG_FAST, 0, quick);
  lower();
  CHECK(place_of(both) < plan->nguard && place_of(pivot) < plan->nguard);
  CHECK(place_of(slow) >= plan->nguard);
  CHECK(plan->vectors->nguard == plan->nguard - 2); /* both, y */
}

static void values_go_as_soon_as_they_can(void) {
  fresh();
  const ag_id one = labelled(ag_add(dag, x, y)), two = labelled(ag_mul(dag, x, y));
  const ag_id three = labelled(ag_mul(dag, z, y)); /* begins a longer way, but adds a value */
  const ag_id four = labelled(ag_div(dag, three, x)), five = labelled(ag_mul(dag, four, four));
  const ag_id six = labelled(ag_add(dag, ag_mul(dag, five, z), x));
  const ag_id end = labelled(ag_mul(dag, one, two)); /* both go */
  output("a", end);
  output("b", six);
  lower();
  const int both = place_of(one) > place_of(two) ? place_of(one) : place_of(two);
  CHECK(place_of(end) == both + 1);
}

/* However tempting a later statement is, it comes no more than a thousand before an older one. */
static void nothing_comes_much_too_early(void) {
  fresh();
  for (int chain = 0; chain < 3; chain++) { /* each longer than those before */
    ag_id at = ag_input(dag, chain);
    for (int k = 0; k < 1000 * (chain + 1); k++) {
      at = labelled(ag_div(dag, z, ag_add(dag, at, ag_constant(dag, 1.5))));
      output(ag_printf(&arena, "y%d_%d", chain, k), at); /* none goes */
    }
  }
  lower();
  int *rank = ag_alloc(&arena, (size_t)dag->count * sizeof *rank), count = 0;
  for (ag_id id = 0; id < dag->count; id++)
    if (plan->own.statement[id]) rank[id] = count++;
  bool *done = ag_alloc(&arena, (size_t)(count + 1) * sizeof *done);
  int oldest = 0, farthest = 0;
  for (int i = 0; i < plan->own.norder; i++) {
    const ag_id id = plan->own.order[i];
    if (!plan->own.statement[id]) continue;
    if (rank[id] - oldest > farthest) farthest = rank[id] - oldest;
    done[rank[id]] = true;
    while (done[oldest]) oldest++;
  }
  CHECK(count == 6000 && farthest > 500 && farthest < 1000);
}

static void an_output_that_is_an_input_costs_nothing(void) {
  fresh();
  output("a", x);
  output("b", ag_constant(dag, 4));
  lower();
  CHECK(ag_flops(&plan->own.cost) == 0 && plan->own.norder == 2);
  double in[] = {3, 5, 0}, out[2];
  run(in, out);
  CHECK(out[0] == 3 && out[1] == 4);
}

int main(void) {
  RUN(dead_code_goes);
  RUN(status_keeps_its_condition_alive);
  RUN(the_order_is_valid);
  RUN(operations_are_counted);
  RUN(a_shared_node_counts_once);
  RUN(a_turned_difference_needs_no_sign);
  RUN(scheduling_twice_changes_nothing);
  RUN(waiting_values_are_counted);
  RUN(the_longest_way_begins_first);
  RUN(what_both_ways_need_comes_before_the_choice);
  RUN(values_go_as_soon_as_they_can);
  RUN(nothing_comes_much_too_early);
  RUN(an_output_that_is_an_input_costs_nothing);
  ag_arena_free(&arena);
  return test_end();
}
