/* SPDX-License-Identifier: MIT */
/* step_drop.c: a quadruped and the floor, by step_begin, achd_contact_solve, step_end. Prints what does not hold. */
#include <achd/contact.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUADRUPED_IMPLEMENTATION
#include "quadruped_step_begin.h"

enum { CONTACTS = 4, ROWS = 3 * CONTACTS };
static const double posture[3] = {0, 0.8, -1.6}; /* hip, thigh and calf of each leg [rad] */
static int failed, checks;

static void check(const char *what, double value, double bound) {
  checks++;
  if (fabs(value) <= bound) return;
  failed++;
  printf("FAILED: %s: %g, at most %g\n", what, value, bound);
}

static double number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

static quadruped_step_in standing(double height, double friction) {
  quadruped_step_in in = QUADRUPED_STEP_IN_DEFAULT;
  for (int j = 0; j < QUADRUPED_NJ; j++) in.q[j] = posture[j % 3];
  in.base.position[2] = height;
  in.contact.fl.friction = in.contact.fr.friction = friction;
  in.contact.rl.friction = in.contact.rr.friction = friction;
  in.time_step = 1e-3;
  return in;
}

static void go_on(quadruped_step_in *in, const quadruped_step_out *out) {
  for (int j = 0; j < QUADRUPED_NJ; j++) in->q[j] = out->q_next[j], in->qd[j] = out->qd_next[j];
  for (int i = 0; i < 3; i++) in->base.position[i] = out->base_next.position[i];
  in->base.quat = out->base_next.quat;
  in->base.twist = out->base_next.twist;
}

/* One step with springs and dampers in the joints; each answer of the solver has its certificate. */
static int step(quadruped_step_in *in, quadruped_step_begin_out *begin, double lambda[],
                quadruped_step_out *out) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  for (int j = 0; j < QUADRUPED_NJ; j++)
    in->tau[j] = 150 * (posture[j % 3] - in->q[j]) - 3 * in->qd[j];
  if (quadruped_step_begin(in, begin)) return 0;
  const achd_contact_problem problem = {
      .contacts = CONTACTS, .A = begin->A, .b = begin->b, .gap = begin->gap, .mu = begin->mu};
  achd_contact_report report;
  achd_contact_certificate certificate;
  if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED) return 0;
  return achd_contact_check(&problem, lambda, &certificate) &&
         !quadruped_step_end(in, begin, lambda, out);
}

/* It falls 5 cm and stands: the floor bears its weight, left and right alike, and no foot is in it. */
static void drop(double weight) {
  static quadruped_step_begin_out begin;
  static quadruped_step_out out;
  double lambda[ROWS] = {0}, load = 0, deepest = 0;
  quadruped_step_in in = standing(0.3626, 0.7);
  for (int k = 0; k < 1500; k++) {
    const int went = step(&in, &begin, lambda, &out);
    check("a step of the drop", !went, 0);
    if (!went) return;
    for (int i = 0; i < CONTACTS; i++) deepest = fmin(deepest, begin.gap[3 * i] * in.time_step);
    check("left and right alike", fabs(lambda[0] - lambda[3]) + fabs(lambda[6] - lambda[9]), 1e-6);
    go_on(&in, &out);
  }
  for (int i = 0; i < CONTACTS; i++) load += lambda[3 * i] / in.time_step;
  printf(
      "it stands %.4f m high, the floor bears %.2f N of %.2f N, feet were %.1e m in it at most\n",
      in.base.position[2], load, weight, -deepest);
  check("what the floor bears", load / weight - 1, 3e-3);
  check("height of the trunk", in.base.position[2] - 0.3073, 2e-3);
  check("feet in the floor", deepest, 1e-5);
}

/* Rows and A of all contacts, at random states and surfaces: with impulses lambda, each gap changes in a short step by what A lambda + b says of
 * its normal's velocity; and A is symmetric. */
static void rows(void) {
  static quadruped_step_begin_out begin, next;
  static quadruped_step_out out;
  for (int k = 0; k < 50; k++) {
    quadruped_step_in in = standing(1, 0.5);
    double lambda[ROWS], w[4], size = 0;
    for (int j = 0; j < QUADRUPED_NJ; j++) in.q[j] += 0.5 * number(), in.qd[j] = number();
    for (int i = 0; i < ROWS; i++) lambda[i] = 0.1 * number();
    for (int i = 0; i < 4; i++) w[i] = number(), size += w[i] * w[i];
    size = sqrt(size);
    in.base.quat.w = w[0] / size, in.base.quat.x = w[1] / size, in.base.quat.y = w[2] / size,
    in.base.quat.z = w[3] / size;
    in.base.twist.lin[0] = number(), in.base.twist.lin[1] = number(),
    in.base.twist.ang[2] = number();
    in.base.twist.ang[0] = number();
    const double x = number(), y = number(), z = number(), n = sqrt(x * x + y * y + z * z);
    in.contact.fl.normal[0] = x / n, in.contact.fl.normal[1] = y / n,
    in.contact.fl.normal[2] = z / n;
    in.contact.rr.normal[0] = y / n, in.contact.rr.normal[1] = z / n,
    in.contact.rr.normal[2] = x / n;
    in.time_step = 1e-7;
    if (quadruped_step_begin(&in, &begin) || quadruped_step_end(&in, &begin, lambda, &out)) {
      check("a short step", 1, 0);
      return;
    }
    go_on(&in, &out);
    check("the state after a short step", quadruped_step_begin(&in, &next), 0);
    for (int i = 0; i < CONTACTS; i++) {
      double v = begin.b[3 * i];
      for (int j = 0; j < ROWS; j++) v += begin.A[ROWS * 3 * i + j] * lambda[j];
      check("velocity of a gap", next.gap[3 * i] - begin.gap[3 * i] - v, 1e-4 * (1 + fabs(v)));
    }
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < i; j++)
        check("A is symmetric", begin.A[ROWS * i + j] - begin.A[ROWS * j + i],
              1e-12 * begin.A[ROWS * i + i]);
  }
}

/* Thrown forward on a slippery floor it comes to rest on it. */
static void slide(void) {
  static quadruped_step_begin_out begin;
  static quadruped_step_out out;
  double lambda[ROWS] = {0};
  quadruped_step_in in = standing(0.3126, 0.3);
  in.base.twist.lin[0] = 0.5;
  for (int k = 0; k < 4000; k++) {
    const int went = step(&in, &begin, lambda, &out);
    check("a step of the slide", !went, 0);
    if (!went) return;
    for (int i = 0; i < CONTACTS; i++) {
      const double *l = lambda + 3 * i;
      check("force in its cone", fmax(hypot(l[1], l[2]) - 0.3 * l[0], 0), 1e-12);
    }
    go_on(&in, &out);
  }
  printf("thrown at 0.5 m/s on friction 0.3 it came to rest %.3f m further\n", in.base.position[0]);
  check("its speed in the end", in.base.twist.lin[0], 1e-3);
  check("its way (v^2 / 2 mu g is 0.042 m)", in.base.position[0] - 0.042, 0.02);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  rows();
  drop(9.81 * atof(argv[1]));
  slide();
  printf("%d checks, %d failed\n", checks, failed);
  return failed > 0;
}
