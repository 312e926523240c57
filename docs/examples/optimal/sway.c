/* SPDX-License-Identifier: MIT */
/* sway.c: a quadruped on its four feet moves its trunk in a second: lower, forwards, to the side, and
 * turned. The ground only pushes, and only so much sideways: dlambda_dq, dlambda_dqd and dlambda_dtau
 * tell the optimiser how to keep that. All that it knows of the robot are a simulator's step and its
 * derivatives (quadruped.h). Writes sway.txt, to be replayed, and sway.svg.
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
#include "quadruped.h"
#include "tell.h"

#include <achd/contact.h>

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
/* Feet that are off the ground, or in it, come back by this share in a step, as if it gave way: gains that
 * count on all in one step are too stiff for a ground that does. */
static const double gap_share = 0.1;

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

/* The impulses of the ground in a step: the inputs of dstep from q, v and u. */
static bool push(const ilqr_state *x, const double u[NU], quadruped_dstep_in *in) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  static quadruped_step_in at = QUADRUPED_STEP_IN_DEFAULT;
  static quadruped_step_begin_out begin;
  static const double rough[FEET] = {9, 9, 9,
                                     9}; /* constraints keep to the friction of the ground */
  achd_contact_report report;
  memcpy(at.q, x->q + JOINTS, sizeof at.q);
  memcpy(at.qd, x->v + NB, sizeof at.qd);
  memcpy(at.tau, u, sizeof at.tau);
  memcpy(at.base.position, x->q, sizeof at.base.position);
  memcpy(&at.base.quat, x->q + QUAT, sizeof at.base.quat);
  memcpy(&at.base.twist, x->v, sizeof at.base.twist);
  if (quadruped_step_begin(&at, &begin)) return false;
  for (int j = 0; j < ROWS; j++) {
    in->gap_share[j] = gap_share;
    in->lambda[j] = 0;
    begin.gap[j] *= gap_share;
  }
  const achd_contact_problem problem = {
      .contacts = FEET, .A = begin.A, .b = begin.b, .gap = begin.gap, .mu = rough};
  if (achd_contact_solve(&problem, in->lambda, 0, work, &report) != ACHD_CONTACT_SOLVED)
    return false;
  memcpy(in->q, at.q, sizeof in->q);
  memcpy(in->qd, at.qd, sizeof in->qd);
  memcpy(in->tau, at.tau, sizeof in->tau);
  memcpy(in->base.position, at.base.position, sizeof in->base.position);
  in->base.quat = at.base.quat;
  in->base.twist = at.base.twist;
  in->contact.fl.friction = in->contact.fr.friction = rough[0];
  in->contact.rl.friction = in->contact.rr.friction = rough[0];
  return true;
}

/* The step, the forces of the ground along x, y and z, and how they change. */
static void take(const quadruped_dstep_in *in, const quadruped_dstep_out *out, ilqr_model *m,
                 double f[ROWS], double f_q[ROWS][NV], double f_v[ROWS][NV], double f_u[ROWS][NU]) {
  memcpy(m->next.q, out->base_next.position, sizeof out->base_next.position);
  memcpy(m->next.q + QUAT, &out->base_next.quat, sizeof out->base_next.quat);
  memcpy(m->next.q + JOINTS, out->q_next, sizeof out->q_next);
  memcpy(m->next.v, &out->base_next.twist, sizeof out->base_next.twist);
  memcpy(m->next.v + NB, out->qd_next, sizeof out->qd_next);
  memcpy(m->q_q, out->dq_next_dq, sizeof m->q_q);
  memcpy(m->q_v, out->dq_next_dqd, sizeof m->q_v);
  memcpy(m->q_u, out->dq_next_dtau, sizeof m->q_u);
  memcpy(m->v_q, out->dqd_next_dq, sizeof m->v_q);
  memcpy(m->v_v, out->dqd_next_dqd, sizeof m->v_v);
  memcpy(m->v_u, out->dqd_next_dtau, sizeof m->v_u);
  for (int r = 0; r < ROWS; r++) {
    const int row = r - r % 3 + (r + 1) % 3; /* of lambda: upwards, x, y */
    f[r] = in->lambda[row] / period;
    for (int i = 0; i < NV; i++) {
      f_q[r][i] = out->dlambda_dq[row * NV + i] / period;
      f_v[r][i] = out->dlambda_dqd[row * NV + i] / period;
    }
    for (int i = 0; i < NU; i++) f_u[r][i] = out->dlambda_dtau[row * NU + i] / period;
  }
}

static bool model(void *context, const ilqr_state *x, const double u[NU], ilqr_model *m) {
  static quadruped_dstep_in in = QUADRUPED_DSTEP_IN_DEFAULT;
  static quadruped_dstep_out out;
  static double f_q[ROWS][NV], f_v[ROWS][NV], f_u[ROWS][NU], c_f[NC][ROWS];
  double f[ROWS];
  if (!push(x, u, &in) || quadruped_dstep(&in, &out)) return false;
  take(&in, &out, m, f, f_q, f_v, f_u);
  contacts(*(const double *)context, f, m->c, c_f);
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
