/* SPDX-License-Identifier: MIT */
/* dag_test.c: constructors fold what they say and change no value; equal expressions are one node.
 */
#include "graph/finite.h"

#include "small_program.h"
#include "test.h"

static ag_dag *dag;
static ag_id x, y, z;

static void fresh(void) {
  start(false);
  dag = &graph->dag;
  x = input("x"), y = input("y"), z = input("z");
}

static ag_id number(double value) {
  return ag_constant(dag, value);
}
static double value(ag_id id) {
  return dag->nodes[id].op == AG_CONST ? dag->nodes[id].value : NAN;
}

static void constants_fold(void) {
  fresh();
  CHECK(value(ag_add(dag, number(2), number(3))) == 5);
  CHECK(value(ag_sub(dag, number(2), number(3))) == -1);
  CHECK(value(ag_mul(dag, number(2), number(3))) == 6);
  CHECK(value(ag_div(dag, number(3), number(2))) == 1.5);
  CHECK(value(ag_neg(dag, number(2))) == -2);
  CHECK(ag_probe(dag, number(7)) == ag_bool(dag, false));
  CHECK(ag_probe(dag, number(INFINITY)) == ag_bool(dag, true));
  CHECK(ag_lt(dag, number(1), number(2)) == ag_bool(dag, true));
  CHECK(ag_lt(dag, number(2), number(2)) == ag_bool(dag, false));
  CHECK(ag_eq(dag, number(2), number(2)) == ag_bool(dag, true));
  CHECK(ag_eq(dag, number(1), number(2)) == ag_bool(dag, false));
}

static void minus_zero_is_zero(void) {
  fresh();
  CHECK(number(-0.0) == number(0));
  CHECK(!signbit(value(ag_neg(dag, number(0)))));
  CHECK(!signbit(value(ag_mul(dag, number(0), number(-3)))));
  CHECK(number(5e-324) != number(0));
}

static void zero_folds(void) {
  fresh();
  const ag_id zero = number(0);
  CHECK(ag_add(dag, x, zero) == x && ag_add(dag, zero, x) == x);
  CHECK(ag_sub(dag, x, zero) == x && ag_sub(dag, zero, x) == ag_neg(dag, x));
  CHECK(ag_mul(dag, x, zero) == zero && ag_mul(dag, zero, x) == zero);
  CHECK(ag_div(dag, zero, x) == zero);
  CHECK(ag_sub(dag, x, x) == zero);
  CHECK(ag_add(dag, x, ag_neg(dag, x)) == zero);
}

static void one_folds(void) {
  fresh();
  const ag_id one = number(1), minus = number(-1);
  CHECK(ag_mul(dag, x, one) == x && ag_mul(dag, one, x) == x);
  CHECK(ag_mul(dag, x, minus) == ag_neg(dag, x) && ag_mul(dag, minus, x) == ag_neg(dag, x));
  CHECK(ag_div(dag, x, one) == x && ag_div(dag, x, minus) == ag_neg(dag, x));
}

static void signs_go_out(void) {
  fresh();
  const ag_id xy = ag_mul(dag, x, y), nx = ag_neg(dag, x), ny = ag_neg(dag, y);
  CHECK(ag_neg(dag, nx) == x);
  CHECK(ag_mul(dag, nx, y) == ag_neg(dag, xy) && ag_mul(dag, x, ny) == ag_neg(dag, xy));
  CHECK(ag_mul(dag, nx, ny) == xy);
  CHECK(ag_div(dag, nx, y) == ag_neg(dag, ag_div(dag, x, y)));
  CHECK(ag_div(dag, x, ny) == ag_neg(dag, ag_div(dag, x, y)));
  CHECK(ag_mul(dag, number(-2), x) == ag_neg(dag, ag_mul(dag, number(2), x)));
  CHECK(ag_add(dag, x, ny) == ag_sub(dag, x, y) && ag_add(dag, nx, y) == ag_sub(dag, y, x));
  CHECK(ag_sub(dag, x, ny) == ag_add(dag, x, y));
  CHECK(ag_sub(dag, nx, y) == ag_neg(dag, ag_add(dag, x, y)));
  CHECK(ag_sub(dag, x, y) == ag_neg(dag, ag_sub(dag, y, x)));
  CHECK(ag_sin(dag, nx) == ag_neg(dag, ag_sin(dag, x)));
  CHECK(ag_cos(dag, nx) == ag_cos(dag, x));
  CHECK(ag_probe(dag, nx) == ag_probe(dag, x));
}

/* What differs by constants alone has the same operators over the same operands, whatever their signs and whenever they came. */
static void alike_but_for_constants(void) {
  for (int k = 0; k < 4; k++) {
    fresh();
    dag->alike = true;
    const double c = k & 1 ? -0.3 : 0.3;
    if (k & 2) (void)number(c); /* it was there before x + y */
    const ag_id a = ag_add(dag, x, y), product = ag_mul(dag, number(c), a);
    CHECK(dag->nodes[product].op == AG_MUL && value(dag->nodes[product].a) == c);
    const ag_id less = ag_sub(dag, a, number(c)), more = ag_sub(dag, number(c), a);
    CHECK(dag->nodes[less].op == AG_SUB && dag->nodes[less].a == a && more == ag_neg(dag, less));
    CHECK(ag_mul(dag, number(-1), a) == ag_neg(dag, a));
    CHECK(ag_mul(dag, number(c), ag_neg(dag, a)) == ag_mul(dag, number(-c), a));
  }
}

static void common_factors_merge(void) {
  fresh();
  const ag_id x2 = ag_mul(dag, number(2), x), x3 = ag_mul(dag, number(3), x);
  CHECK(ag_add(dag, x, x) == x2);
  CHECK(ag_add(dag, x2, x) == x3);
  CHECK(ag_sub(dag, x3, x2) == x);
  CHECK(ag_sub(dag, x2, x3) == ag_neg(dag, x));
  CHECK(ag_mul(dag, number(0.5), x2) == x);
  CHECK(ag_mul(dag, number(3), ag_mul(dag, number(2), x)) == ag_mul(dag, number(6), x));
  CHECK(ag_div(dag, x3, number(3)) == ag_mul(dag, number(3 * (1.0 / 3)), x));
}

static void what_was_added_comes_off(void) {
  fresh();
  CHECK(ag_add(dag, ag_sub(dag, x, y), y) == x);
  CHECK(ag_add(dag, x, ag_sub(dag, y, x)) == y);
  CHECK(ag_sub(dag, x, ag_sub(dag, x, y)) == y);
  CHECK(ag_sub(dag, ag_add(dag, x, y), x) == y && ag_sub(dag, ag_add(dag, x, y), y) == x);
}

static void conditions_fold(void) {
  fresh();
  const ag_id yes = ag_bool(dag, true), no = ag_bool(dag, false), c = ag_lt(dag, x, y),
              d = ag_lt(dag, y, z);
  CHECK(ag_select(dag, yes, x, y) == x && ag_select(dag, no, x, y) == y);
  CHECK(ag_select(dag, c, x, x) == x);
  CHECK(ag_select(dag, ag_not(dag, c), x, y) == ag_select(dag, c, y, x));
  CHECK(ag_not(dag, ag_not(dag, c)) == c && ag_not(dag, yes) == no);
  CHECK(ag_and(dag, c, yes) == c && ag_and(dag, yes, c) == c && ag_and(dag, c, no) == no);
  CHECK(ag_or(dag, c, no) == c && ag_or(dag, no, c) == c && ag_or(dag, c, yes) == yes);
  CHECK(ag_and(dag, c, c) == c && ag_or(dag, c, c) == c);
  CHECK(ag_and(dag, c, d) == ag_and(dag, d, c) && ag_or(dag, c, d) == ag_or(dag, d, c));
  CHECK(ag_lt(dag, x, x) == no);
}

/* A NaN is not equal to itself, and any number may not be finite: neither may be folded. */
static void what_a_nan_decides_stays(void) {
  fresh();
  CHECK(dag->nodes[ag_eq(dag, x, x)].op == AG_EQ);
  CHECK(dag->nodes[ag_probe(dag, x)].op == AG_PROBE_INPUTS);
  CHECK(dag->nodes[ag_probe(dag, ag_add(dag, x, y))].op == AG_PROBE);
}

/* Inputs that follow each other are asked at once. */
static void probes_of_one_size_are_one(void) {
  fresh();
  const ag_id small = ag_or(dag, ag_probe_size(dag, x, 16), ag_probe_size(dag, y, 16));
  CHECK(dag->nodes[small].op == AG_PROBE_INPUTS && dag->nodes[small].b == dag->nodes[y].a);
  CHECK(dag->nodes[ag_or(dag, small, ag_probe_size(dag, z, 32))].op == AG_OR);
  CHECK(ag_probe_size(dag, x, 16) != ag_probe(dag, x));
  CHECK(ag_is_beyond(-65536, 16) && !ag_is_beyond(65535.9, 16) && ag_is_beyond(NAN, 16));
  CHECK(!ag_is_beyond(1e300, AG_FINITE) && ag_is_beyond(-INFINITY, AG_FINITE));
}

static void probes_of_neighbours_are_one(void) {
  fresh();
  const ag_id two = ag_or(dag, ag_probe(dag, x), ag_probe(dag, y));
  const ag_id three = ag_or(dag, two, ag_probe(dag, z)),
              apart = ag_or(dag, ag_probe(dag, x), ag_probe(dag, z));
  CHECK(dag->nodes[two].op == AG_PROBE_INPUTS && dag->nodes[two].a == 0 && dag->nodes[two].b == 1);
  CHECK(dag->nodes[three].op == AG_PROBE_INPUTS && dag->nodes[three].b == 2);
  CHECK(dag->nodes[apart].op == AG_OR);
}

static void equal_expressions_are_one_node(void) {
  fresh();
  CHECK(ag_add(dag, x, y) == ag_add(dag, y, x) && ag_mul(dag, x, y) == ag_mul(dag, y, x));
  CHECK(ag_eq(dag, x, y) == ag_eq(dag, y, x));
  CHECK(ag_sub(dag, x, y) != ag_sub(dag, y, x) && ag_div(dag, x, y) != ag_div(dag, y, x));
  CHECK(ag_lt(dag, x, y) != ag_lt(dag, y, x));
  CHECK(number(0.1) == number(0.1) && number(0.1) != number(0.2));
  CHECK(ag_input(dag, 0) == x);
}

static void a_program_built_again_adds_no_node(void) {
  fresh();
  enum { SIZE = 20000 }; /* the table of nodes grows on the way */
  ag_id last[2];
  ag_id count[2];
  for (int round = 0; round < 2; round++) {
    ag_id at = x;
    for (int k = 0; k < SIZE; k++) {
      at = ag_add(dag, ag_mul(dag, at, y), number(k + 2));
      if (k % 3 == 0) at = ag_div(dag, z, at);
    }
    last[round] = at;
    count[round] = dag->count;
  }
  CHECK(last[0] == last[1]);
  CHECK(count[0] == count[1]);
  CHECK(count[0] > SIZE);
}

static void operands_stand_before_their_users(void) {
  fresh();
  forest f;
  forest_new(&f, 1);
  for (int k = 0; k < 5000; k++) grow(&f);
  bool ordered = true;
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_node *n = &dag->nodes[id];
    const int arity = ag_arity(n->op);
    ordered =
        ordered && (arity < 1 || n->a < id) && (arity < 2 || n->b < id) && (arity < 3 || n->c < id);
  }
  CHECK(ordered);
}

static void nodes_carry_their_region(void) {
  fresh();
  ag_graph_region(&arena, graph, "first", "here:1", NULL, 0);
  const ag_id a = ag_add(dag, x, y);
  ag_graph_region(&arena, graph, "second", "here:2", NULL, 0);
  const ag_id b = ag_mul(dag, x, y);
  CHECK(ag_add(dag, y, x) == a);
  CHECK(dag->nodes[a].region == 0 && dag->nodes[b].region == 1);
  CHECK_TEXT(graph->regions[1].title, "second");
}

/* A held sign goes into no sum, product or quotient; what is positive is held as it is; signs before a held value go as before any other. */
static void held_signs_stay(void) {
  fresh();
  const ag_id minus = ag_neg(dag, y), held = ag_hold_sign(dag, minus);
  CHECK(held != minus && dag->nodes[held].op == AG_NEG && dag->nodes[held].labelled);
  CHECK(ag_hold_sign(dag, minus) == held && ag_hold_sign(dag, held) == held);
  CHECK(ag_hold_sign(dag, x) == x);
  CHECK(dag->nodes[ag_add(dag, x, held)].op == AG_ADD);
  CHECK(dag->nodes[ag_mul(dag, x, held)].op == AG_MUL);
  CHECK(dag->nodes[ag_div(dag, held, x)].op == AG_DIV);
  CHECK(dag->nodes[ag_add(dag, x, minus)].op != AG_ADD);
  CHECK(ag_neg(dag, ag_neg(dag, held)) == held);
}

/* Thousands of expressions through the constructors and directly: equal but for rounding. Each of
 * the at most some hundred operations above one another adds 1e-16 of the terms' absolute sum. */
static void simplification_changes_no_value(void) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    start(false);
    dag = &graph->dag;
    forest f;
    forest_new(&f, seed);
    enum { EACH = 2000 };
    static twin made[EACH];
    for (int k = 0; k < EACH; k++) {
      made[k] = grow(&f);
      output(ag_printf(&arena, "y%d", k), made[k].id);
    }
    lower();
    static double out[EACH];
    run(f.in, out);
    double worst = 0;
    for (int k = 0; k < EACH; k++)
      worst = fmax(worst, fabs(out[k] - made[k].value) / (1e-300 + made[k].size));
    CHECK_NEAR(worst, 0, 1e-13);
    CHECK(dag->count < 3 * EACH);
  }
}

/* Asked of these, what is left of the question. */
static ag_id asked(ag_id a, ag_id b) {
  const ag_id numbers[2] = {a, b};
  return ag_ask_finite(dag, numbers, 2, &arena);
}

static void what_others_tell_is_not_asked(void) {
  fresh();
  const ag_id product = ag_mul(dag, x, y), sum = ag_add(dag, x, y), share = ag_div(dag, x, y);
  CHECK(asked(x, sum) == ag_probe(dag, sum) && asked(sum, y) == ag_probe(dag, sum));
  CHECK(asked(product, x) == ag_probe(dag, product));
  CHECK(asked(share, x) == ag_probe(dag, share));
  CHECK(asked(ag_neg(dag, share), x) == ag_probe(dag, share));
  CHECK(asked(share, y) == ag_or(dag, ag_probe(dag, share), ag_probe(dag, y)));
  const ag_id chosen = ag_select(dag, ag_lt(dag, x, z), y, z);
  CHECK(asked(chosen, y) == ag_or(dag, ag_probe(dag, chosen), ag_probe(dag, y)));
  CHECK(asked(ag_sin(dag, x), x) == ag_or(dag, ag_probe(dag, ag_sin(dag, x)), ag_probe(dag, x)));
  /* which a CPU that multiplies and adds at once may never round */
  const ag_id both = ag_add(dag, product, z);
  CHECK(asked(both, product) == ag_or(dag, ag_probe(dag, both), ag_probe(dag, product)));
  CHECK(asked(both, x) == ag_probe(dag, both));
  const ag_id inputs[3] = {x, y, z};
  CHECK(dag->nodes[ag_ask_finite(dag, inputs, 3, &arena)].op == AG_PROBE_INPUTS);
}

/* The value of a node; fused: products are not rounded where they are added. */
static double value_of(ag_id id, bool fused, const double *in, const double *v) {
  const ag_node *n = &dag->nodes[id], *a = &dag->nodes[n->a < 0 ? id : n->a];
  if (fused && (n->op == AG_ADD || n->op == AG_SUB)) {
    const ag_node *b = &dag->nodes[n->b];
    if (a->op == AG_MUL) return fma(v[a->a], v[a->b], n->op == AG_ADD ? v[n->b] : -v[n->b]);
    if (b->op == AG_MUL) return fma(n->op == AG_ADD ? v[b->a] : -v[b->a], v[b->b], v[n->a]);
  }
  return ag_eval_node(dag, n, false, in, v);
}

/* Of some numbers of a random graph, at states with NaN, infinities and huge numbers. */
static void a_short_question_has_the_same_answer(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1.7e308, -1.2e308, 1e160, 0, 1e-160};
  enum { GROWN = 60, NUMBERS = 10, STATES = 40, INPUTS = 2 + SMALL_INPUTS };
  int apart = 0, yes = 0, less = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    start(false);
    dag = &graph->dag;
    forest f;
    forest_new(&f, seed);
    ag_id made[GROWN], numbers[NUMBERS];
    for (int k = 0; k < GROWN; k++) made[k] = grow(&f).id;
    for (int k = 0; k < NUMBERS; k++) numbers[k] = made[below(&f.dice, GROWN)];
    const ag_id question = ag_ask_finite(dag, numbers, NUMBERS, &arena);
    double *v = ag_alloc(&arena, (size_t)dag->count * sizeof *v), in[INPUTS];
    for (int state = 0; state < 2 * STATES; state++) {
      memcpy(in, f.in, sizeof in);
      for (int k = 0; k < 2; k++) in[below(&f.dice, INPUTS)] = odd[below(&f.dice, 8)];
      for (ag_id id = 0; id < dag->count; id++) v[id] = value_of(id, state >= STATES, in, v);
      bool any = false;
      for (int k = 0; k < NUMBERS; k++) any |= !isfinite(v[numbers[k]]);
      apart += any != (v[question] != 0);
      yes += any;
    }
    bool *live = ag_alloc(&arena, (size_t)dag->count * sizeof *live);
    live[question] = true;
    ag_mark_operands(dag, live);
    int probes = 0;
    for (ag_id id = 0; id < dag->count; id++) probes += live[id] && dag->nodes[id].op == AG_PROBE;
    less += probes < NUMBERS;
  }
  CHECK(apart == 0);
  CHECK(yes > 1000 && yes < 300 * 2 * STATES - 1000 && less > 100);
}

int main(void) {
  RUN(what_others_tell_is_not_asked);
  RUN(a_short_question_has_the_same_answer);
  RUN(constants_fold);
  RUN(minus_zero_is_zero);
  RUN(zero_folds);
  RUN(one_folds);
  RUN(signs_go_out);
  RUN(alike_but_for_constants);
  RUN(common_factors_merge);
  RUN(what_was_added_comes_off);
  RUN(conditions_fold);
  RUN(what_a_nan_decides_stays);
  RUN(probes_of_one_size_are_one);
  RUN(probes_of_neighbours_are_one);
  RUN(equal_expressions_are_one_node);
  RUN(a_program_built_again_adds_no_node);
  RUN(operands_stand_before_their_users);
  RUN(nodes_carry_their_region);
  RUN(held_signs_stay);
  RUN(simplification_changes_no_value);
  ag_arena_free(&arena);
  return test_end();
}
