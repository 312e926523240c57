/* SPDX-License-Identifier: MIT */
/* eval_test.c: every operator, on numbers and on what is none; rounding of double and float. */
#include "small_program.h"
#include "test.h"

static ag_dag *dag;
static ag_id x, y, z;

static void fresh(bool single) {
  start(single);
  dag = &graph->dag;
  x = input("x"), y = input("y"), z = input("z");
}

/* The one output for x, y, z. */
static double at(double vx, double vy, double vz) {
  const double in[] = {vx, vy, vz};
  double out[8];
  lower();
  run(in, out);
  return out[0];
}

typedef ag_id binary(ag_dag *, ag_id, ag_id);
typedef ag_id unary(ag_dag *, ag_id);

static double of2(binary *f, double a, double b) {
  fresh(false);
  output("r", f(dag, x, y));
  return at(a, b, 0);
}
static double of1(unary *f, double a) {
  fresh(false);
  output("r", f(dag, x));
  return at(a, 0, 0);
}
static bool holds(binary *f, double a, double b) { /* as a select and as a status bit alike */
  fresh(false);
  const ag_id condition = f(dag, x, y);
  output("r", ag_select(dag, condition, ag_constant(dag, 1), ag_constant(dag, 2)));
  ag_graph_status(&arena, graph, AG_GENERAL, 64, condition);
  lower();
  const double in[] = {a, b, 0};
  double out[1];
  const unsigned status = run(in, out);
  CHECK((status == 64) == (out[0] == 1));
  return status == 64;
}

static void arithmetic(void) {
  CHECK(of2(ag_add, 0.1, 0.2) == 0.1 + 0.2);
  CHECK(of2(ag_sub, 0.1, 0.2) == 0.1 - 0.2);
  CHECK(of2(ag_sub, 0.3, 0.2) == 0.3 - 0.2);
  CHECK(of2(ag_mul, 0.1, 0.3) == 0.1 * 0.3);
  CHECK(of2(ag_div, 1, 3) == 1.0 / 3);
  CHECK(of1(ag_neg, 0.7) == -0.7);
  CHECK(of1(ag_sin, 0.7) == sin(0.7) && of1(ag_cos, 0.7) == cos(0.7));
  CHECK(of1(ag_sin, -0.7) == sin(-0.7));
}

static void not_finite_goes_through_arithmetic(void) {
  CHECK(isnan(of2(ag_add, NAN, 1)) && isnan(of2(ag_mul, 0, INFINITY)));
  CHECK(isinf(of2(ag_div, 1, 0)) && isnan(of2(ag_div, 0, 0)));
  CHECK(isnan(of2(ag_sub, INFINITY, INFINITY)));
  CHECK(isnan(of1(ag_sin, INFINITY)) && isnan(of1(ag_cos, NAN)));
}

/* Of an input, and of what is computed of it. */
static ag_id probe_of_sum(ag_dag *dag, ag_id a) {
  return ag_probe(dag, ag_add(dag, a, ag_constant(dag, 1)));
}
static void probes_tell_what_is_not_finite(void) {
  static const double finite[] = {3, -1e308, 0, 5e-324}, not_finite[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 4; k++)
    CHECK(of1(ag_probe, finite[k]) == 0 && of1(probe_of_sum, finite[k]) == 0);
  for (int k = 0; k < 3; k++)
    CHECK(of1(ag_probe, not_finite[k]) == 1 && of1(probe_of_sum, not_finite[k]) == 1);
}

static void comparisons_with_nan_are_false(void) {
  CHECK(holds(ag_lt, 1, 2) && !holds(ag_lt, 2, 1) && !holds(ag_lt, 2, 2));
  CHECK(!holds(ag_lt, NAN, 1) && !holds(ag_lt, 1, NAN) && !holds(ag_lt, NAN, NAN));
  CHECK(holds(ag_lt, -INFINITY, INFINITY) && !holds(ag_lt, INFINITY, INFINITY));
  CHECK(holds(ag_eq, 2, 2) && !holds(ag_eq, 2, 1) && holds(ag_eq, 0.0, -0.0));
  CHECK(!holds(ag_eq, NAN, NAN) && holds(ag_eq, INFINITY, INFINITY));
}

static ag_id equals_itself(ag_dag *d, ag_id a, ag_id b) {
  (void)b;
  return ag_eq(d, a, a);
}
static void a_nan_does_not_equal_itself(void) {
  CHECK(holds(equals_itself, 1, 0) && !holds(equals_itself, NAN, 0));
}

static ag_id both(ag_dag *d, ag_id a, ag_id b) {
  const ag_id zero = ag_constant(d, 0);
  return ag_and(d, ag_lt(d, zero, a), ag_lt(d, zero, b));
}
static ag_id either(ag_dag *d, ag_id a, ag_id b) {
  const ag_id zero = ag_constant(d, 0);
  return ag_or(d, ag_lt(d, zero, a), ag_lt(d, zero, b));
}
static ag_id neither(ag_dag *d, ag_id a, ag_id b) {
  return ag_not(d, either(d, a, b));
}
static void logic(void) {
  for (int k = 0; k < 4; k++) {
    const bool p = k & 1, q = k & 2;
    const double a = p ? 1 : -1, b = q ? 1 : -1;
    CHECK(holds(both, a, b) == (p && q));
    CHECK(holds(either, a, b) == (p || q));
    CHECK(holds(neither, a, b) == (!p && !q));
  }
  CHECK(holds(neither, NAN, NAN));
}

/* What is not chosen is computed, and does not matter: a NaN there stays there. */
static void select_takes_one_side(void) {
  fresh(false);
  const ag_id positive = ag_lt(dag, ag_constant(dag, 0), x);
  output("r", ag_select(dag, positive, ag_div(dag, y, x), z));
  CHECK(at(2, 6, 5) == 3 && at(-2, 6, 5) == 5 && at(0, 6, 5) == 5);
  CHECK(at(NAN, 6, 5) == 5 && at(2, 6, NAN) == 3 && at(0, 0, 5) == 5);
}

static void status_bits_add_up(void) {
  fresh(false);
  output("r", x);
  ag_graph_status(&arena, graph, AG_GENERAL, 1, ag_lt(dag, x, y));
  ag_graph_status(&arena, graph, AG_GENERAL, 16, ag_lt(dag, y, z));
  ag_graph_status(&arena, graph, AG_GENERAL, 4, ag_bool(dag, true));
  lower();
  double out[1];
  CHECK(run((double[]){1, 2, 3}, out) == 21);
  CHECK(run((double[]){3, 2, 3}, out) == 20);
  CHECK(run((double[]){3, 2, 1}, out) == 4);
}

/* 1 + e, e half a unit in the last place of float: float forgets it, double does not. */
static void float_rounds_every_operation(void) {
  const double e = 0x1p-24;
  for (int single = 0; single < 2; single++) {
    fresh(single);
    output("r", ag_sub(dag, ag_add(dag, x, y), z));
    CHECK(at(1, e, 1) == (single ? 0 : e));
    fresh(single);
    output("r", ag_mul(dag, x, y));
    CHECK(at(1 + 0x1p-20, 1 + 0x1p-20, 0) ==
          (single ? 1 + 0x1p-19 : (1 + 0x1p-20) * (1 + 0x1p-20)));
    fresh(single);
    output("r", ag_mul(dag, ag_constant(dag, 0.1), x));
    CHECK(at(1, 0, 0) == (single ? (double)0.1f : 0.1));
  }
}

/* Sums, products and quotients of floats in double, rounded to float, are float's own: 53 bits are
 * enough for no result to be rounded twice. */
static void float_is_rounded_once(void) {
  dice d = {5};
  bool same = true;
  for (int k = 0; k < 20000; k++) {
    const float a = (float)between(&d, -2, 2), b = (float)between(&d, -1e-5, 1e-5);
    const double in[] = {(double)a, (double)b, 0};
    double out[4];
    if (k == 0) {
      fresh(true);
      output("s", ag_add(dag, x, y));
      output("d", ag_sub(dag, x, y));
      output("p", ag_mul(dag, x, y));
      output("q", ag_div(dag, x, y));
      lower();
    }
    run(in, out);
    const float s = a + b, m = a - b, p = a * b, q = a / b;
    same = same && out[0] == (double)s && out[1] == (double)m && out[2] == (double)p &&
           out[3] == (double)q;
  }
  CHECK(same);
}

static void float_overflows(void) {
  fresh(true);
  output("r", ag_mul(dag, x, x));
  CHECK(isinf(at(1e30, 0, 0)));
}

int main(void) {
  RUN(arithmetic);
  RUN(not_finite_goes_through_arithmetic);
  RUN(probes_tell_what_is_not_finite);
  RUN(comparisons_with_nan_are_false);
  RUN(a_nan_does_not_equal_itself);
  RUN(logic);
  RUN(select_takes_one_side);
  RUN(status_bits_add_up);
  RUN(float_rounds_every_operation);
  RUN(float_is_rounded_once);
  RUN(float_overflows);
  ag_arena_free(&arena);
  return test_end();
}
