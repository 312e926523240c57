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

/* out: q after it has moved with v for a time h; an orientation by the quaternion (1, h v / 2). */
static void position_after(const double q[NQ], const double v[NV], double h, double out[NQ]) {
  for (int i = 0; i < QUAT; i++) out[i] = q[i] + h * v[i];
  if (NB) {
    const double *w = v + QUAT, a = 0.5 * h;
    const double s = 1 / sqrt(1 + a * a * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    const double turn[4] = {s, s * a * w[0], s * a * w[1], s * a * w[2]};
    quaternion_product(turn, q + QUAT, 1, out + QUAT);
  }
  for (int i = NB; i < NV; i++) out[JOINTS - NB + i] = q[JOINTS - NB + i] + h * v[i];
}

/* How `out` of position_after changes in i with changes of q and of v. Of an orientation, a = h v / 2:
 * 1 + 2 ([a]x + [a]x^2) / (1 + a^2) and h (1 + [a]x) / (1 + a^2). */
static void position_after_rows(const double v[NV], double h, int i, double by_q[NV],
                                double by_v[NV]) {
  by_q[i] = 1;
  by_v[i] = h;
  if (!NB || i / 3 != 1) return;
  const int j = QUAT + (i + 1) % 3, k = QUAT + (i + 2) % 3;
  const double x = 0.5 * h * v[i], y = 0.5 * h * v[j], z = 0.5 * h * v[k];
  const double s = 1 / (1 + x * x + y * y + z * z);
  by_q[i] = 1 - 2 * s * (y * y + z * z);
  by_q[j] = 2 * s * (x * y - z);
  by_q[k] = 2 * s * (x * z + y);
  by_v[i] = s * h;
  by_v[j] = -s * h * z;
  by_v[k] = s * h * y;
}

/* A step by accelerations a: v' = v + h a, q' = q + h v'. a_x[i]: of a[i], by
 * q, v and u one after the other. */
static void integrate(const ilqr_state *x, double h, const double a[NV], double a_x[NV][NX + NU],
                      ilqr_model *m) {
  memset(m->q_q, 0, sizeof m->q_q);
  memset(m->q_v, 0, sizeof m->q_v);
  memset(m->q_u, 0, sizeof m->q_u);
  for (int i = 0; i < NV; i++) {
    m->next.v[i] = x->v[i] + h * a[i];
    for (int j = 0; j < NV; j++) m->v_q[i][j] = h * a_x[i][j];
    for (int j = 0; j < NV; j++) m->v_v[i][j] = (i == j) + h * a_x[i][NV + j];
    for (int j = 0; j < NU; j++) m->v_u[i][j] = h * a_x[i][NX + j];
  }
  position_after(x->q, m->next.v, h, m->next.q);
  for (int i = 0; i < NV; i++) {
    double by_v[NV] = {0};
    position_after_rows(m->next.v, h, i, m->q_q[i], by_v);
    for (int l = 0; l < NV; l++) {
      for (int j = 0; by_v[l] != 0 && j < NV; j++) {
        m->q_q[i][j] += by_v[l] * m->v_q[l][j];
        m->q_v[i][j] += by_v[l] * m->v_v[l][j];
      }
      for (int j = 0; by_v[l] != 0 && j < NU; j++) m->q_u[i][j] += by_v[l] * m->v_u[l][j];
    }
  }
}

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
  integrate(x, 1.0 / STEPS, a, a_x, m);
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
