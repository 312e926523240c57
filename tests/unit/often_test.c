/* SPDX-License-Identifier: MIT */
/* often_test.c: the share of random states in which a condition holds: what these states look like,
 * and that they are counted. */
#include "script/often.h"

#include "small_program.h"
#include "test.h"

enum { MANY = 4000 };

static ag_dag *dag;

static void fresh(void) {
  start(false);
  dag = &graph->dag;
}
static ag_id number(double x) {
  return ag_constant(dag, x);
}
static double share(ag_id condition) {
  return ag_how_often(&header, graph, condition, MANY, &arena);
}
/* Nodes of a new input. */
static const ag_id *declare(const char *name, ag_shape shape) {
  const ag_quantity *q =
      ag_quantity_add(&header, &function->in, &(ag_declaration){name, shape, 1, "1", "1", ""});
  ag_id *nodes = ag_alloc(&arena, (size_t)q->size * sizeof *nodes);
  for (int k = 0; k < q->size; k++) nodes[k] = ag_input(dag, q->first + k);
  return nodes;
}
static ag_id between_numbers(ag_id x, double low, double high) {
  return ag_and(dag, ag_lt(dag, number(low), x), ag_lt(dag, x, number(high)));
}

static void states_are_counted(void) {
  fresh();
  const ag_id x = input("x");
  CHECK(share(ag_eq(dag, x, x)) == 1);
  CHECK(share(ag_lt(dag, x, number(-2))) == 0);
  CHECK_NEAR(share(ag_lt(dag, x, number(0))), 0.5, 0.05);
  CHECK_NEAR(share(ag_lt(dag, x, number(0.6))), 0.8, 0.05);
  CHECK(share(between_numbers(x, -1.0001, 1)) == 1);
  const double one = ag_how_often(&header, graph, ag_lt(dag, x, number(0)), 1, &arena);
  CHECK(one == 0 || one == 1);
}

static void the_same_each_time(void) {
  fresh();
  const ag_id condition = ag_lt(dag, input("x"), input("y"));
  CHECK(share(condition) == share(condition));
  CHECK_NEAR(share(condition), 0.5, 0.05); /* two numbers, not one twice */
}

static void joints_are_within_their_limits(void) {
  fresh();
  const ag_id *q = declare("q", AG_JOINTS), *qd = declare("qd", AG_JOINTS);
  const ag_id turn = q[0], slide = q[1]; /* slide: -0.5 to 0.25 m */
  CHECK(share(between_numbers(slide, -0.5001, 0.25)) == 1);
  CHECK_NEAR(share(ag_lt(dag, slide, number(0))), 2.0 / 3, 0.05);
  CHECK(share(between_numbers(turn, -3.1416, 3.1416)) == 1);
  CHECK_NEAR(share(between_numbers(turn, -1.5708, 1.5708)), 0.5, 0.05);
  CHECK(share(between_numbers(qd[0], -1.0001, 1)) == 1);
  CHECK_NEAR(share(ag_lt(dag, qd[1], number(0))), 0.5, 0.05); /* limits are of positions */
  ag_joint_info joints[2] = {header.joints[0], header.joints[1]};
  joints[0].lower = -0.25, joints[0].upper = 0.75; /* narrower than a turn */
  joints[1].lower = -20, joints[1].upper = 20;     /* wider than half a metre */
  header.joints = joints;
  CHECK(share(between_numbers(turn, -0.2501, 0.75)) == 1);
  CHECK_NEAR(share(ag_lt(dag, turn, number(0))), 0.25, 0.05);
  CHECK(share(between_numbers(slide, -0.5001, 0.5)) == 1);
  CHECK_NEAR(share(ag_lt(dag, slide, number(0.25))), 0.75, 0.05);
}

static void no_row_is_masked_and_nothing_is_turned(void) {
  fresh();
  const ag_id *quat = declare("quat", AG_QUATERNION), *R = declare("R", AG_ROTATION);
  ag_id all = ag_and(dag, ag_eq(dag, quat[0], number(1)), ag_eq(dag, quat[3], number(0)));
  for (int k = 0; k < 9; k++)
    all = ag_and(dag, all, ag_eq(dag, R[k], number(k == 0 || k == 4 || k == 8)));
  CHECK(share(all) == 1);
}

/* Rotors and loads are those of bodies: the null-space solve takes no others. */
static void inertias_are_those_of_bodies(void) {
  fresh();
  const ag_id *rotor = declare("armature", AG_JOINTS), *mass = declare("load.mass", AG_SCALAR),
              *other = declare("massive", AG_SCALAR), *I = declare("load.inertia", AG_TENSOR),
              *body = declare("inertia.link", AG_INERTIA);
  CHECK(share(ag_lt(dag, rotor[0], number(0))) == 0);
  CHECK_NEAR(share(ag_lt(dag, rotor[1], number(0.5))), 0.5, 0.05);
  CHECK(share(ag_lt(dag, mass[0], number(0))) == 0);
  CHECK_NEAR(share(ag_lt(dag, other[0], number(0))), 0.5, 0.05);
  ag_id all = ag_eq(dag, number(0), number(0));
  for (int k = 0; k < 6; k++)
    all = ag_and(dag, all, ag_eq(dag, I[k], number(k == 0 || k == 3 || k == 5)));
  for (int k = 0; k < 10; k++)
    all = ag_and(dag, all, ag_eq(dag, body[k], number(k == 0 || k == 4 || k == 7 || k == 9)));
  CHECK(share(all) == 1);
}

/* The states are drawn in float, too: a condition sees what code in float would. */
static void in_float(void) {
  start(true);
  dag = &graph->dag;
  const ag_id x = input("x"),
              sum = ag_add(dag, ag_add(dag, number(1), ag_mul(dag, x, number(1e-9))), number(-1));
  CHECK(share(ag_eq(dag, sum, number(0))) == 1);
}

int main(void) {
  RUN(states_are_counted);
  RUN(the_same_each_time);
  RUN(joints_are_within_their_limits);
  RUN(no_row_is_masked_and_nothing_is_turned);
  RUN(inertias_are_those_of_bodies);
  RUN(in_float);
  return test_end();
}
