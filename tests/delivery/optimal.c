/* SPDX-License-Identifier: MIT */
/* optimal.c: docs/examples/optimal without a robot: position.h against differences along turns that are not small; ilqr.h on a mass, whose
 * cost is computed anew here: at the solution no torque that is within its limit can be better, none at it wants back; and a model with
 * derivatives that are no numbers. */
#define ILQR_BASE 6
#define ILQR_V 6
#define ILQR_U 6
#define ILQR_C 1
#define ILQR_STEPS 30
#include "ilqr.h"

#include <stdio.h>

static int failures;

static void expect(bool good, const char *what, double value) {
  if (good) return;
  printf("%s: %g\n", what, value);
  failures++;
}

/* q changed by a small d: the rotation exp([d]x) from the left, by the quaternion's half angle. */
static void changed(const double q[NQ], int i, double d, double out[NQ]) {
  memcpy(out, q, sizeof(double[NQ]));
  if (i < 3) {
    out[i] += d;
    return;
  }
  double turn[4] = {cos(d / 2), 0, 0, 0};
  turn[i - 2] = sin(d / 2);
  quaternion_product(turn, q + 3, 1, out + 3);
}

static void positions(void) {
  const double from[NQ] = {1, 2, 3, 1, 0, 0, 0}, h = 0.1, d = 1e-5;
  double q[NQ] = {0.5, -1, 2, 0.5, -0.1, 0.7, 0.5}, v[NV] = {1, -2, 3, 4, -7, 5}, worst = 0;
  for (int i = 3; i < 7; i++)
    q[i] /= sqrt(0.25 + 0.01 + 0.49 + 0.25); /* a turn of 2.1 rad; in h one of 0.9 */
  for (int j = 0; j < NV; j++) {
    double up[NQ], down[NQ], a[NV], b[NV], here[NV], p[NQ], m[NQ], now[NQ];
    changed(q, j, d, up);
    changed(q, j, -d, down);
    position_difference(q, from, here);
    position_difference(up, from, a);
    position_difference(down, from, b);
    for (int i = 0; i < NV; i++) {
      double row[NV] = {0};
      row[i] = 1;
      position_difference_row(here, i, row);
      worst = fmax(worst, fabs(row[j] - (a[i] - b[i]) / (2 * d)));
    }
    for (int by_v = 0; by_v < 2; by_v++) {
      double w[NV];
      memcpy(w, v, sizeof w);
      position_after(q, v, h, now);
      if (by_v) w[j] = v[j] + d;
      position_after(by_v ? q : up, w, h, p);
      if (by_v) w[j] = v[j] - d;
      position_after(by_v ? q : down, w, h, m);
      position_difference(p, now, a);
      position_difference(m, now, b);
      for (int i = 0; i < NV; i++) {
        double rows[2][NV] = {{0}};
        position_after_rows(v, h, i, rows[0], rows[1]);
        worst = fmax(worst, fabs(rows[by_v][j] - (a[i] - b[i]) / (2 * d)));
      }
    }
  }
  expect(worst < 1e-9, "position.h differs from differences by", worst);
}

/* A body that is pushed along x to z (u 0 to 2) and turned (3 to 5), against a drag. c: nothing, or x below a wall. */
typedef struct body {
  double wall, derivative;
} body;

static const double drag = 0.3;

static bool model(void *context, const ilqr_state *x, const double u[NU], ilqr_model *m) {
  const body *b = context;
  double a[NV], a_x[NV][NX + NU] = {{0}};
  memset(m, 0, sizeof *m);
  for (int i = 0; i < NV; i++) {
    a[i] = u[i] - drag * x->v[i];
    a_x[i][NV + i] = -drag;
    a_x[i][NX + i] = b->derivative;
  }
  ilqr_integrate(x, 1.0 / STEPS, a, a_x, m);
  m->c[0] = x->q[0] - b->wall;
  m->c_q[0][0] = 1;
  return true;
}

static double cost_of(const ilqr_problem *p, double u[STEPS][NU]) {
  ilqr_state x = p->start, next;
  double cost = 0, d[NV];
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < NU; i++) cost += 0.5 * p->period * p->u_weight[i] * u[k][i] * u[k][i];
    for (int i = 0; i < NV; i++) next.v[i] = x.v[i] + p->period * (u[k][i] - drag * x.v[i]);
    position_after(x.q, next.v, p->period, next.q);
    x = next;
  }
  position_difference(x.q, p->goal.q, d);
  for (int i = 0; i < NV; i++)
    cost += 0.5 * (p->end_weight[i] * d[i] * d[i] + p->end_weight[NV + i] * x.v[i] * x.v[i]);
  return cost;
}

static void masses(void) {
  static ilqr_motion t;
  body b = {.wall = 100, .derivative = 1};
  ilqr_problem p = {.period = 1.0 / STEPS,
                    .model = model,
                    .context = &b,
                    .most_iterations = 100,
                    .tolerance = 1e-4,
                    .penalty = 10,
                    .end_error = 10};
  p.start.q[3] = p.goal.q[3] = 1;
  p.goal.q[0] = 1;
  p.goal.q[3] = cos(0.8);
  p.goal.q[5] = sin(0.8);
  for (int i = 0; i < NV; i++) {
    p.u_weight[i] = 1e-3;
    p.u_most[i] =
        i == 0 ? 4.2 : 100; /* 4 would just do without drag: at the limit for most of the time */
    p.end_weight[i] = p.end_weight[NV + i] = 10 + 3 * i;
  }
  const ilqr_status status = ilqr_optimise(&p, &t);
  expect(status == ILQR_SOLVED, "the mass is not moved", status);
  expect(fabs(cost_of(&p, t.u) / t.cost - 1) < 1e-12, "another cost", t.cost);
  double largest = 0;
  int limited = 0;
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < NU; i++) {
      const double kept = t.u[k][i], h = 1e-4;
      t.u[k][i] = kept + h;
      const double up = cost_of(&p, t.u);
      t.u[k][i] = kept - h;
      const double slope = (up - cost_of(&p, t.u)) / (2 * h);
      t.u[k][i] = kept;
      const bool at_limit = fabs(kept) == p.u_most[i];
      expect(!(fabs(kept) > p.u_most[i]), "beyond the limit", kept);
      expect(!at_limit || slope * kept < 0, "a torque at its limit would rather be less", slope);
      largest = at_limit ? largest : fmax(largest, fabs(slope));
      limited += at_limit;
    }
  expect(largest < 1e-4 * 1e-3 * 100, "the slope of the cost at the solution", largest);
  expect(limited > 5, "torques at their limits", limited);

  p.start.v[0] = 3; /* too fast: it would be at 1.5, and come back */
  b.wall = 0.9;
  p.u_most[0] = 100;
  const ilqr_status stopped = ilqr_optimise(&p, &t);
  double most = -INFINITY;
  for (int k = 0; k < STEPS; k++) most = fmax(most, t.x[k].q[0]);
  expect(stopped == ILQR_SOLVED && most <= 0.9 + p.tolerance && most > 0.89,
         "the wall is not where it stops", most);

  p.u_most[0] =
      0.5; /* too weak to stop it at all: told after few penalties, and where it is farthest beyond */
  const ilqr_status beyond = ilqr_optimise(&p, &t);
  int farthest = 0;
  for (int k = 0; k < STEPS; k++) farthest = t.x[k].q[0] > t.x[farthest].q[0] ? k : farthest;
  expect(beyond == ILQR_INFEASIBLE && t.worst == 0 && t.worst_step == farthest && t.worst_step > 0,
         "a wall that it cannot stop at", t.worst_step);
  expect(t.iterations < 8, "iterations until that is told", t.iterations);
  b.wall = -0.5; /* it starts beyond: told at once */
  const ilqr_status from_beyond = ilqr_optimise(&p, &t);
  expect(from_beyond == ILQR_INFEASIBLE && t.iterations == 0 && t.worst == 0 && t.worst_step == 0,
         "a start beyond the wall", t.iterations);

  b.derivative = NAN, b.wall = 0.9;
  const ilqr_status none = ilqr_optimise(&p, &t);
  double sum = 0;
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < NU; i++) {
      sum += t.u[k][i] + t.x[k].q[i];
      for (int j = 0; j <= NX; j++) sum += t.K[k][i][j];
    }
  expect(none == ILQR_BAD_MODEL && isfinite(sum), "derivatives that are no numbers", none);
}

int main(void) {
  positions();
  masses();
  return failures != 0;
}
