/* SPDX-License-Identifier: MIT */
/* loop_wrench.c: see loop_wrench.h */
#include "loop_wrench.h"

#include "loop_joints.h"
#include "vector.h"

/* Of each joint's effort: a wrench that would take more torque than this is none [1]. */
static const achd_real impossible = 2;

/* A step along the motion, over which the Jacobian's change is computed [s]. */
static const achd_real ahead = (achd_real)1e-3;

/* The share of a wrench that has to be missing in the joints' motion, and for how long [1], [s]. */
static const achd_real least_share = (achd_real)0.5, most_share = (achd_real)1.5;
static const achd_real missing_time = (achd_real)0.02;

/* It must explain so much of what the model does not (square of the cosine), be more than it was wrong by of
 * late, and more than such a share of some joint's effort [1]. */
static const achd_real explained = (achd_real)0.75, caution = 2, least_effort = (achd_real)0.04;

/* What the model is wrong by follows slowly upwards and slower downwards [s]. */
static const achd_real rising = (achd_real)0.1, falling = 2;

/* What the joints bear is low-passed so [s], and is something from such a share of some joint's effort on: 10 %
 * wrong masses and 2 % friction are less [1]. */
static const achd_real bearing = (achd_real)0.1, least_borne = (achd_real)0.15;

/* ---- conditioning ---- */

/* The tool's twist with other velocities of the joints, or positions so long ahead. */
static void twist_at(achd_loop *loop, achd_real time, const achd_real *qd, achd_twist *twist) {
  const achd_loop_robot *robot = loop->setup->robot;
  achd_real q_now[ACHD_LOOP_JOINTS], qd_now[ACHD_LOOP_JOINTS];
  achd_pose pose;
  achd_copy(q_now, loop->measured.q, robot->njoints);
  achd_copy(qd_now, loop->measured.qd, robot->njoints);
  for (int j = 0; j < robot->njoints; j++) loop->measured.q[j] += time * qd_now[j];
  achd_copy(loop->measured.qd, qd, robot->njoints);
  robot->kinematics(robot->context, &loop->measured, &pose, twist);
  achd_copy(loop->measured.q, q_now, robot->njoints);
  achd_copy(loop->measured.qd, qd_now, robot->njoints);
}

/* A column of the Jacobian a cycle: what the tool's twist has more where a joint is faster by 1. */
static void renew_column(achd_loop *loop) {
  const achd_loop_robot *robot = loop->setup->robot;
  const int j = loop->column = (loop->column + 1) % robot->njoints;
  const achd_real before = loop->measured.qd[j];
  achd_pose pose;
  achd_twist faster;
  loop->measured.qd[j] = before + 1;
  robot->kinematics(robot->context, &loop->measured, &pose, &faster);
  loop->measured.qd[j] = before;
  achd_twist *column = &loop->columns[j];
  for (int i = 0; i < 3; i++) {
    column->lin[i] = faster.lin[i] - loop->tool.twist.lin[i];
    column->ang[i] = faster.ang[i] - loop->tool.twist.ang[i];
  }
  loop->all_columns = loop->all_columns || j == 0; /* the last of the first round */
}

/* Acceleration of the tool, J qdd + Jdot qd: with the joints' accelerations by the model, and `lacked` times what they had
 * more or less than these of late. */
static void accelerate_tool(achd_loop *loop, achd_real lacked, achd_twist *a) {
  achd_real qdd[ACHD_LOOP_JOINTS];
  achd_twist later;
  const achd_twist *now = &loop->tool.twist;
  for (int j = 0; j < loop->setup->robot->njoints; j++)
    qdd[j] = loop->joint[j].predicted + lacked * loop->joint[j].excess;
  twist_at(loop, 0, qdd, a);
  twist_at(loop, ahead, loop->measured.qd, &later);
  for (int i = 0; i < 3; i++) {
    a->lin[i] += (later.lin[i] - now->lin[i]) / ahead;
    a->ang[i] += (later.ang[i] - now->ang[i]) / ahead;
  }
}

void achd_loop_accelerate(achd_loop *loop) {
  achd_twist *a = &loop->task.acceleration;
  if (loop->predicted) accelerate_tool(loop, 1, a);
  if (!loop->predicted || !achd_all_finite(a->lin, 3) || !achd_all_finite(a->ang, 3))
    achd_clear(a, sizeof *a);
}

/* Acceleration of the load's centre r = R c by the model: with a and alpha of the tool,
 *   a + alpha x r + omega x (omega x r) */
static void accelerate_load(achd_loop *loop, achd_real a[3]) {
  achd_real r[3], sway[3], turn[3], inward[3];
  achd_twist tool;
  const achd_twist *now = &loop->tool.twist;
  accelerate_tool(loop, 0, &tool);
  achd_rotate(&loop->tool.pose.R, loop->setup->wrench.centre, r);
  achd_cross(tool.ang, r, turn);
  achd_cross(now->ang, r, sway);
  achd_cross(now->ang, sway, inward);
  for (int i = 0; i < 3; i++) a[i] = tool.lin[i] + turn[i] + inward[i];
  if (!achd_all_finite(a, 3)) achd_zero(a, 3);
}

/* The joints' efforts, for which there is memory, and the Jacobian as it is known. */
static achd_wrench_limits limits_of(const achd_loop *loop, achd_real effort[]) {
  const achd_loop_robot *robot = loop->setup->robot;
  for (int j = 0; j < robot->njoints; j++) effort[j] = robot->joints[j].effort;
  return (achd_wrench_limits){robot->njoints, loop->columns, effort};
}

/* The largest share of a joint's effort that a wrench takes [1]. */
static achd_real load_of(const achd_loop *loop, const achd_wrench *wrench) {
  achd_real effort[ACHD_LOOP_JOINTS];
  const achd_wrench_limits limits = limits_of(loop, effort);
  return achd_wrench_load(&limits, wrench);
}

static bool is_zero(const achd_wrench *w) {
  for (int i = 0; i < 3; i++)
    if (w->lin[i] != 0 || w->ang[i] != 0) return false;
  return true;
}

void achd_loop_damp(achd_loop *loop) {
  const achd_loop_robot *robot = loop->setup->robot;
  const bool renewed = !loop->setup->wrench.off && loop->wrench.seen;
  achd_rotation axes; /* its columns are those of the force frame */
  if (robot->njoints > 0 && !renewed) renew_column(loop);
  achd_rotation_product(&loop->tool.pose.R, &loop->task.task->force_axes, &axes);
  achd_zero(loop->task.damping, 6);
  for (int i = 0; loop->all_columns && i < 6; i++) {
    const achd_real n[3] = {axes.m[0][i % 3], axes.m[1][i % 3], axes.m[2][i % 3]};
    achd_real give = 0; /* speed along n for a force of 1 [m/(N s); rad/(N m s)] */
    for (int j = 0; j < robot->njoints; j++) {
      const achd_real part = achd_dot(n, i < 3 ? loop->columns[j].lin : loop->columns[j].ang);
      give += part * part / robot->joints[j].hold.velocity_gain;
    }
    if (give > 0 && achd_finite(give)) loop->task.damping[i] = 1 / give;
  }
}

bool achd_loop_take_wrench(achd_loop *loop, const achd_wrench *reading) {
  const achd_loop_setup *setup = loop->setup;
  const achd_wrench_parameters *p = &setup->wrench;
  const achd_loop_robot *robot = setup->robot;
  achd_wrench_run *run = &loop->wrench;
  achd_real a[3] = {0, 0, 0}, effort[ACHD_LOOP_JOINTS];
  if (!run->seen && !is_zero(reading)) run->seen = true;
  if (p->off || !run->seen || !loop->known || robot->njoints < 1) {
    loop->measured.wrench = loop->tool.wrench = run->fed = run->net = *reading;
    return true;
  }
  if (loop->joints_good) renew_column(loop);
  if (p->mass > 0 && loop->predicted && loop->joints_good) accelerate_load(loop, a);
  const achd_wrench_limits limits = limits_of(loop, effort);
  const bool derived = setup->watch.largest_force == 0 && setup->watch.largest_moment == 0;
  if (derived && achd_wrench_load(&limits, reading) >= impossible) return false;
  achd_wrench_take(run, p, reading, &loop->tool.pose.R, a, loop->step);
  if (loop->all_columns)
    achd_wrench_feed(run, p, &limits, loop->step);
  else
    achd_clear(&run->fed, sizeof run->fed); /* its bounds are not known yet */
  loop->measured.wrench = run->net;
  loop->tool.wrench = run->felt;
  return true;
}

bool achd_loop_tare(achd_loop *loop) {
  return loop->setup && loop->stopping && loop->wrench_good && achd_wrench_tare(&loop->wrench);
}

/* ---- whether the joints show it ---- */

void achd_loop_predict_wrench(achd_loop *loop, const achd_real *qdd) {
  const achd_loop_robot *robot = loop->setup->robot;
  achd_wrench *wrench = &loop->measured.wrench;
  const achd_wrench now = *wrench;
  achd_real without[ACHD_LOOP_JOINTS];
  const bool acts = !loop->setup->wrench.off && qdd && !is_zero(&now);
  if (acts) {
    achd_clear(wrench, sizeof *wrench);
    loop->setup->watch.accelerations(robot->context, &loop->measured, loop->tau, without);
    *wrench = now;
  }
  for (int j = 0; j < robot->njoints; j++) {
    const achd_real by = acts ? qdd[j] - without[j] : 0;
    loop->joint[j].by_wrench = achd_finite(by) ? by : 0;
  }
}

/* Of all joints, weighed by inertia: what the model lacks, e, and what the wrench does in it, w: sums of their
 * squares and of their product. */
typedef struct sums {
  achd_real ee, ew, ww;
} sums;

static sums sums_of(const achd_loop *loop) {
  sums s = {0, 0, 0};
  for (int j = 0; j < loop->setup->robot->njoints; j++) {
    const achd_loop_memory *m = &loop->joint[j];
    if (!(m->mobility > 0)) continue;
    s.ee += m->excess * m->excess / m->mobility;
    s.ew += m->excess * m->shown / m->mobility;
    s.ww += m->shown * m->shown / m->mobility;
  }
  return s;
}

/* A wrench that is not there leaves what the model lacks as e = -s w, with s about 1. */
bool achd_loop_wrench_shows(achd_loop *loop, achd_real period) {
  if (!loop->setup->watch.accelerations || loop->setup->wrench.off || !loop->wrench.seen)
    return true;
  const sums x = sums_of(loop);
  const achd_real share = x.ww > 0 ? -x.ew / x.ww : 0, size = achd_sqrt(x.ee);
  const bool seems = share > least_share && share < most_share &&
                     x.ew * x.ew > explained * x.ee * x.ww &&
                     share * load_of(loop, &loop->wrench.slow) > least_effort;
  const bool missing = loop->predicted && seems && size > caution * loop->unexplained;
  loop->missing_for = missing ? loop->missing_for + period : 0;
  const achd_real more = size - loop->unexplained, time = more > 0 ? rising : falling;
  if (!seems) loop->unexplained += more * (period < time ? period / time : 1);
  return !(loop->missing_for > missing_time);
}

/* ---- whether something else than the tool touches something ---- */

/* Torques r that the model does not have leave the accelerations M^-1 r that it does not explain, e; where one joint bears them
 * r_j = e_j / (M^-1)_jj. The model has the measured wrench. */
bool achd_loop_is_pushed(achd_loop *loop, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  bool pushed = false;
  if (!loop->setup->watch.accelerations) return false;
  for (int j = 0; j < robot->njoints; j++) {
    achd_loop_memory *m = &loop->joint[j];
    const achd_real effort = robot->joints[j].effort;
    if (loop->predicted && m->mobility > 0)
      m->outside += (m->excess / m->mobility - m->outside) * achd_loop_share(period, bearing);
    if (effort > 0 && achd_magnitude(m->outside) > least_borne * effort) pushed = true;
  }
  return pushed;
}

/* At rest tau + J^T wrench + r = g: r is what all the rest of the environment does. */
bool achd_loop_bears_elsewhere(achd_loop *loop, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  const achd_wrench *wrench = &loop->wrench.net;
  achd_real weight[ACHD_LOOP_JOINTS];
  bool elsewhere = false;
  if (loop->setup->wrench.off || !loop->wrench.seen || !loop->all_columns) return false;
  robot->gravity(robot->context, &loop->measured, weight);
  for (int j = 0; j < robot->njoints; j++) {
    const achd_twist *column = &loop->columns[j];
    achd_real *borne = &loop->joint[j].borne;
    const achd_real r = weight[j] - loop->tau[j] - achd_dot(column->lin, wrench->lin) -
                        achd_dot(column->ang, wrench->ang);
    if (achd_finite(r)) *borne += (r - *borne) * achd_loop_share(period, bearing);
    const achd_real effort = robot->joints[j].effort;
    if (effort > 0 && achd_magnitude(*borne) > least_borne * effort) elsewhere = true;
  }
  return elsewhere;
}
