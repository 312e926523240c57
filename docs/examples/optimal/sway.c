/* SPDX-License-Identifier: MIT */
/* sway.c: a quadruped on its four feet moves its trunk in a second: lower, forwards, to the side, and
 * turned. The ground only pushes, and only so much sideways: dnu_dq, dnu_dqd and dnu_dtau tell the
 * optimiser how to keep that. All that it knows of the robot it gets from external functions with
 * CasADi's interface (quadruped_casadi.c). Writes sway.txt, to be replayed, and sway.svg.
 *
 *   sway [low=0.05] [torque=1] [friction=0.6] [times=1] [check=1]
 *
 * low: how far down the trunk goes [m]; torque: share of the joints' efforts; friction: of the ground.
 * Exit status: that of the optimiser (ilqr.h), 9: a file or the check. */
#define _POSIX_C_SOURCE 200809L
#define ILQR_BASE 6
#define ILQR_V 18
#define ILQR_U 12
#define ILQR_C 8
#define ILQR_STEPS 200
#include "external.h"
#include "tell.h"

EXTERNAL(quadruped_dachd)

enum { FEET = 4, ROWS = 3 * FEET };

static const char *const legs[FEET] = {"front left", "front right", "rear left", "rear right"};
static const char *const constraints[NC] = {
    "push of the front left foot",  "friction of the front left foot",
    "push of the front right foot", "friction of the front right foot",
    "push of the rear left foot",   "friction of the rear left foot",
    "push of the rear right foot",  "friction of the rear right foot"};
static const char *const pose[NB] = {"x", "y", "z - start", "roll", "pitch", "yaw"};
static const double effort[3] = {25, 25, 36}; /* hip, thigh, calf, of the URDF [N m] */
static const double period = 0.005;           /* [s] */
static const double least_push = 5;           /* of the ground on each foot [N] */
static const double bend = 0.8;               /* of the thighs, half of that of the calves [rad] */

/* c: of each foot least_push - f_z, and |(f_x, f_y)| - friction f_z, smooth, in units of 100 N. */
static void contacts(double friction, const double f[ROWS], double c[NC], double c_f[NC][ROWS]) {
  memset(c_f, 0, sizeof(double[NC][ROWS]));
  for (int k = 0; k < FEET; k++) {
    const double x = f[3 * k], y = f[3 * k + 1], z = f[3 * k + 2];
    const double side = sqrt(x * x + y * y + 0.01);
    c[2 * k] = 0.01 * (least_push - z);
    c_f[2 * k][3 * k + 2] = -0.01;
    c[2 * k + 1] = 0.01 * (side - friction * z);
    c_f[2 * k + 1][3 * k] = 0.01 * x / side;
    c_f[2 * k + 1][3 * k + 1] = 0.01 * y / side;
    c_f[2 * k + 1][3 * k + 2] = -0.01 * friction;
  }
}

/* What the ground pushes a foot with [N]. */
static double upwards(const ilqr_model *m, int foot) {
  return least_push - 100 * m->c[2 * foot];
}

static bool model(void *context, const ilqr_state *x, const double u[NU], ilqr_model *m) {
  static const double still[ROWS];
  static double f_q[ROWS][NV], f_v[ROWS][NV], f_u[ROWS][NU], c_f[NC][ROWS];
  static double a_q[NV][NV], a_v[NV][NV], a_u[NV][NU], a_x[NV][NX + NU];
  double f[ROWS] = {0}, a[NV] = {0}; /* of the base, then of the joints */
  const double friction = *(const double *)context;
  /* q, qd, tau_art, b, base_quat, base_twist */
  const double *const at[] = {x->q + JOINTS, x->v + NB, u, still, x->q + QUAT, x->v, NULL};
  /* qdd, nu, base_acc, dqdd_dq, dqdd_dqd, dqdd_dtau, dqdd_db, dnu_dq, dnu_dqd, dnu_dtau, dnu_db */
  double *const all[] = {a + NB, f, a, a_q[0], a_v[0], a_u[0], NULL, f_q[0], f_v[0], f_u[0], NULL};
  if (!(call_quadruped_dachd(at, all))) return false;
  for (int i = 0; i < NV; i++) {
    memcpy(a_x[i], a_q[i], sizeof a_q[i]);
    memcpy(a_x[i] + NV, a_v[i], sizeof a_v[i]);
    memcpy(a_x[i] + NX, a_u[i], sizeof a_u[i]);
  }
  ilqr_integrate(x, period, a, a_x, m);
  contacts(friction, f, m->c, c_f);
  memset(m->c_q, 0, sizeof m->c_q);
  memset(m->c_v, 0, sizeof m->c_v);
  memset(m->c_u, 0, sizeof m->c_u);
  for (int c = 0; c < NC; c++)
    for (int r = c / 2 * 3; r < c / 2 * 3 + 3; r++) {
      for (int i = 0; i < NV; i++) {
        m->c_q[c][i] += c_f[c][r] * f_q[r][i];
        m->c_v[c][i] += c_f[c][r] * f_v[r][i];
      }
      for (int i = 0; i < NU; i++) m->c_u[c][i] += c_f[c][r] * f_u[r][i];
    }
  return true;
}

static bool draw_sway(const ilqr_problem *p, const ilqr_motion *t) {
  static panel panels[3] = {{.title = "trunk: position [m] and rotation [rad] since the start"},
                            {.title = "torques of the front left leg, dashed: their limits [N m]"},
                            {.title = "what the ground pushes each foot with, upwards [N]"}};
  static const char *const joints[3] = {"hip", "thigh", "calf"};
  for (int i = 0; i < NB; i++) panels[0].curves[i].name = pose[i];
  for (int i = 0; i < 3; i++) {
    panels[1].curves[i].name = joints[i];
    panels[1].curves[i].limit = p->u_most[i];
  }
  for (int f = 0; f < FEET; f++) panels[2].curves[f].name = legs[f];
  for (int k = 0; k < STEPS; k++) {
    double d[NV];
    position_difference(t->x[k].q, p->start.q, d);
    for (int i = 0; i < NB; i++) panels[0].curves[i].values[k] = d[i];
    for (int i = 0; i < 3; i++) panels[1].curves[i].values[k] = t->u[k][i];
    for (int f = 0; f < FEET; f++) panels[2].curves[f].values[k] = upwards(&t->m[k], f);
  }
  return draw("sway.svg", p->period, panels, 3);
}

int main(int argc, char **argv) {
  static ilqr_motion begin, t;
  double friction = option(argc, argv, "friction", 0.6);
  const double share = option(argc, argv, "torque", 1), low = option(argc, argv, "low", 0.05);
  const double turn = 0.2; /* to the left [rad] */
  ilqr_problem p = {.period = period,
                    .model = model,
                    .context = &friction,
                    .most_iterations = 100,
                    .tolerance = 1e-3,
                    .penalty = 0.1,
                    .end_error = 0.1};
  p.start.q[2] = 0.42 * cos(bend);
  p.start.q[QUAT] = 1;
  for (int k = 0; k < FEET; k++) {
    p.start.q[JOINTS + 3 * k + 1] = bend;
    p.start.q[JOINTS + 3 * k + 2] = -2 * bend;
  }
  p.goal = p.start;
  p.goal.q[0] += 0.03;
  p.goal.q[1] += 0.02;
  p.goal.q[2] -= low;
  p.goal.q[QUAT] = cos(turn / 2);
  p.goal.q[QUAT + 3] = sin(turn / 2);
  for (int i = 0; i < NV; i++) { /* the legs go where the feet let them */
    p.weight[NV + i] = 0.01;
    p.end_weight[i] = i < NB ? 1e4 : 0;
    p.end_weight[NV + i] = i < NB ? 1e3 : 0;
  }
  for (int i = 0; i < NU; i++) {
    p.u_most[i] = share * effort[i % 3];
    p.u_weight[i] = 1 / (effort[i % 3] * effort[i % 3]);
  }
  if (!holding(&p, p.u_rest)) return ILQR_BAD_MODEL; /* standing */
  for (int k = 0; k < STEPS; k++) memcpy(begin.u[k], p.u_rest, sizeof p.u_rest);

  const ilqr_status status = optimise(&p, &begin, &t, option(argc, argv, "times", 1));
  double most = 0, end[2] = {0, 0}, least = INFINITY, d[NX];
  ilqr_difference(&t.x[STEPS], &p.goal, d);
  for (int i = 0; i < NB; i++) {
    end[0] = fmax(end[0], fabs(d[i]));
    end[1] = fmax(end[1], fabs(d[NV + i]));
  }
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < NU; i++) most = fmax(most, fabs(t.u[k][i]) / p.u_most[i]);
    for (int f = 0; f < FEET; f++) least = fmin(least, upwards(&t.m[k], f));
  }
  printf("%s: %d iterations, cost %.6g\n", status_text[status], t.iterations, t.cost);
  printf("at the end %.2g (m, rad) and %.2g (m/s, rad/s) from the goal\n", end[0], end[1]);
  printf("beyond the friction cones: %.2g N; least push of a foot: %.1f N\n", 100 * t.violation,
         least);
  printf("torques: %.0f %% of their limits\n", 100 * most);
  tell_worst(&p, &t, status, constraints);
  if (!write_motion("sway.txt", &p, &t) || !draw_sway(&p, &t)) return 9;
  if (option(argc, argv, "check", 0) != 0 && !slope_right(&p, &begin, &t)) return 9;
  return (int)status;
}
