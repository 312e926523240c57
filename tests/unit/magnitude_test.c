/* SPDX-License-Identifier: MIT */
/* magnitude_test.c: what is certain of the size of results, and which divisors decide it. */
#include "graph/magnitude.h"

#include "small_program.h"
#include "test.h"

static ag_dag *dag;
static ag_id x, y, z, moderate;
static ag_divisors divisors;

static ag_id number(double value) {
  return ag_constant(dag, value);
}

/* x and y are below 2^32, of z nothing is known. */
static void fresh(void) {
  start(false);
  dag = &graph->dag;
  x = input("x"), y = input("y"), z = input("z");
  moderate = ag_not(dag, ag_or(dag, ag_probe_size(dag, x, 32), ag_probe_size(dag, y, 32)));
}

static bool bounded_where(ag_id holds, ag_id result) {
  return ag_bound_sizes(graph, holds, &result, 1, dag->arena, &divisors);
}
static bool bounded(ag_id result) {
  return bounded_where(moderate, result);
}

static void sums_and_products_of_moderate_numbers_are_bounded(void) {
  fresh();
  CHECK(bounded(ag_add(dag, ag_mul(dag, x, y), ag_sub(dag, x, y))) && divisors.count == 0);
  CHECK(!bounded(ag_add(dag, x, z)));
  CHECK(!bounded_where(ag_bool(dag, true), x));
}

static void powers_overflow_where_doubles_do(void) {
  fresh();
  ag_id power = x;
  for (int exponent = 32; exponent <= 2048; exponent *= 2) {
    CHECK(bounded(power) == (exponent < 1000));
    power = ag_mul(dag, power, power);
  }
}

static void sines_are_bounded_where_they_were_asked_for(void) {
  fresh();
  const ag_id turn = ag_mul(dag, ag_sin(dag, x), ag_cos(dag, x));
  CHECK(!bounded(turn));
  CHECK(bounded_where(ag_not(dag, ag_probe_turns(dag)), turn));
}

static void divisors_have_to_be_tested(void) {
  fresh();
  CHECK(bounded(ag_div(dag, x, y)) && divisors.count == 1 && divisors.of[0] == y);
  CHECK(divisors.least > 0 && divisors.least < 1e-30);
  CHECK(bounded(ag_div(dag, x, number(-3))) && divisors.count == 0);
  const ag_id one = ag_div(dag, number(1), y);
  ag_id power = one;
  for (int k = 0; k < 8; k++) power = ag_mul(dag, power, one); /* (1 / least)^9 is too much */
  CHECK(!bounded(power));
}

static void what_the_condition_says_of_divisors_is_enough(void) {
  fresh();
  const ag_id larger = ag_select(dag, ag_lt(dag, x, number(0.5)), number(0.5), x);
  const ag_id holds = ag_and(dag, moderate, ag_lt(dag, ag_mul(dag, number(0.01), larger), y));
  CHECK(bounded_where(holds, ag_div(dag, x, y)) && divisors.count == 0);
  CHECK(bounded_where(holds, ag_div(dag, x, ag_mul(dag, y, y))) && divisors.count == 0);
  CHECK(bounded_where(holds, ag_div(dag, x, ag_neg(dag, y))) && divisors.count == 0);
  /* the smaller one of the two tells nothing */
  const ag_id smaller = ag_select(dag, ag_lt(dag, x, number(0.5)), x, number(0.5));
  const ag_id less = ag_and(dag, moderate, ag_lt(dag, smaller, y));
  CHECK(bounded_where(less, ag_div(dag, x, y)) && divisors.count == 1);
}

static void a_projection_is_no_longer_than_what_is_projected(void) {
  fresh();
  const ag_id square = ag_mul(dag, x, x);
  ag_id long_one = y;
  for (int k = 0; k < 5; k++) long_one = ag_mul(dag, long_one, long_one); /* 2^1024 */
  const ag_id part = ag_sub(dag, x, long_one);
  CHECK(!bounded(part));
  ag_graph_no_longer(dag->arena, graph, part, square);
  CHECK(!bounded(part)); /* what it is made of may overflow on its own */
  const ag_id twice = ag_sub(dag, x, ag_mul(dag, y, y));
  ag_id power = twice;
  for (int k = 0; k < 4; k++) power = ag_mul(dag, power, power);
  CHECK(!bounded(power)); /* 2^65 to the 16th */
  ag_graph_no_longer(dag->arena, graph, twice, square);
  CHECK(bounded(power)); /* 2^32 to the 16th */
}

int main(void) {
  RUN(sums_and_products_of_moderate_numbers_are_bounded);
  RUN(powers_overflow_where_doubles_do);
  RUN(sines_are_bounded_where_they_were_asked_for);
  RUN(divisors_have_to_be_tested);
  RUN(what_the_condition_says_of_divisors_is_enough);
  RUN(a_projection_is_no_longer_than_what_is_projected);
  return test_end();
}
