/* SPDX-License-Identifier: MIT */
/* loop_motors.c: what the model says of the joints' motion, and whether the motors do what is
 * commanded. See loop_joints.h. */
#include "loop_joints.h"

#include "loop_wrench.h"
#include "vector.h"

/* A motor without torque leaves a joint with the acceleration (M^-1)_jj tau_j less than the model
 * says. This share of it is looked for [1]. */
static const achd_real least_share = (achd_real)0.7, most_share = (achd_real)1.3;

/* For how long it must be so: where it came at once, within a time that the low pass takes; where it did
 * not; and where what the motor does has changed a moment ago, and the reading of the velocity may come
 * later [s]. This change, and the time in which it is forgotten [1], [s]. */
static const achd_real lost_time = (achd_real)0.01, sudden = (achd_real)0.06;
static const achd_real lost_time_slowly = (achd_real)0.1, lost_time_after = (achd_real)0.024;
static const achd_real falls = (achd_real)0.25; /* of what the motor does, as an acceleration [1] */
static const achd_real unsteady = (achd_real)0.3, easing = (achd_real)0.05;

/* A share that a motor with torque lacks at most, the shortest time from there in which one fails, and
 * for how long nothing is said after a blow [1], [s], [s]. */
static const achd_real little = (achd_real)0.3, failing = (achd_real)0.012, blow = (achd_real)0.3;

/* Of what all joints lack, the motor may leave so much unexplained [1]. */
static const achd_real most_left = (achd_real)0.2;

/* What the motor does must be more than the model may be wrong by: an acceleration [rad/s^2; m/s^2],
 * and so many times what it has been wrong by of late [1], which follows slowly upwards, as motors fail
 * at once, and slower downwards [s]. */
static const achd_real least_led = 1, caution = 2;
static const achd_real rising = (achd_real)0.1, falling = 2;

/* A joint that rests has no motor to miss [rad/s; m/s]. Friction may take this share of the effort. */
static const achd_real moves = (achd_real)0.05, dry = (achd_real)0.25;

/* For how long a brake with half of its torque or more may leave its joint as fast as it is [s]. */
static const achd_real unslowed = (achd_real)0.05;

/* ---- what the model says of the next ---- */

/* The solver's accelerations are those of its torques, if these were commanded as they are. */
static const achd_real *predicted(const achd_loop *loop, achd_real *qdd) {
  const achd_loop_robot *robot = loop->setup->robot;
  const achd_loop_watch *watch = &loop->setup->watch;
  if (loop->mode == ACHD_LOOP_DISABLE || !loop->known) return NULL;
  if (!watch->accelerations) {
    const bool solved = loop->mode == ACHD_LOOP_TORQUE && !loop->saturated && !loop->slowed;
    return solved ? loop->solution.qdd : NULL;
  }
  watch->accelerations(robot->context, &loop->measured, loop->tau, qdd);
  return achd_all_finite(qdd, robot->njoints) ? qdd : NULL;
}

/* The joint to ask about: one whose motor seems to have no torque, otherwise each in turn. */
static int next_joint(const achd_loop *loop) {
  const int njoints = loop->setup->robot->njoints;
  for (int k = 1; k <= njoints; k++) {
    const int j = (loop->asked + k) % njoints;
    if (loop->joint[j].seems) return j;
  }
  return (loop->asked + 1) % njoints;
}

/* How the joints answer the motor of one of them:
 *   (M^-1)_kj = (qdd_k(tau + e_j f) - qdd_k(tau)) / f,  f the joint's effort
 * and how well this explains what all of them lack, e_k = -(M^-1)_kj tau_j, weighed by inertia:
 *   sum_k (e_k + (M^-1)_kj tau_j)^2 / (M^-1)_kk,  a share of  sum_k ((M^-1)_kj tau_j)^2 / (M^-1)_kk */
static void ask(achd_loop *loop, const achd_real *qdd) {
  const achd_loop_robot *robot = loop->setup->robot;
  achd_real tau[ACHD_LOOP_JOINTS], with[ACHD_LOOP_JOINTS];
  const int j = loop->asked = next_joint(loop);
  const achd_real effort = robot->joints[j].effort;
  const achd_real more = achd_finite(effort) && effort > 0 ? effort : 1;
  achd_loop_memory *m = &loop->joint[j];
  achd_copy(tau, loop->tau, robot->njoints);
  tau[j] += more;
  loop->setup->watch.accelerations(robot->context, &loop->measured, tau, with);
  const achd_real mobility = (with[j] - qdd[j]) / more;
  m->mobility = achd_finite(mobility) && mobility > 0 ? mobility : 0;
  achd_real left = 0, whole = 0;
  for (int k = 0; k < robot->njoints; k++) {
    const achd_loop_memory *other = &loop->joint[k];
    if (!(m->mobility > 0 && other->mobility > 0)) continue;
    const achd_real lost = (with[k] - qdd[k]) / more * (m->motor / m->mobility);
    left += (other->excess + lost) * (other->excess + lost) / other->mobility;
    whole += lost * lost / other->mobility;
  }
  m->explains = left < most_left * whole;
}

void achd_loop_predict(achd_loop *loop) {
  achd_real room[ACHD_LOOP_JOINTS];
  const achd_real *qdd = predicted(loop, room);
  const int njoints = loop->setup->robot->njoints;
  loop->predicted = qdd != NULL;
  if (loop->setup->watch.accelerations && njoints > 0) {
    if (qdd) ask(loop, qdd);
    achd_loop_predict_wrench(loop, qdd);
  }
  for (int j = 0; j < njoints; j++) {
    achd_loop_memory *m = &loop->joint[j];
    m->predicted = qdd ? qdd[j] : 0;
    m->led = m->mobility * loop->tau[j];
  }
}

/* ---- whether motors have torque ---- */

/* What the joint lacks of what its motor does, from 0 to 1 and beyond: s in e = -s (M^-1)_jj tau_j. */
static achd_real missing(const achd_loop_memory *m) {
  return m->motor != 0 ? -m->excess / m->motor : 0;
}

/* Whether the joint moves without what its motor does. Friction takes torque away, too, but only against
 * the motion. */
static bool seems_powerless(const achd_loop *loop, int j) {
  const achd_loop_memory *m = &loop->joint[j];
  const bool heavy = achd_magnitude(loop->tau[j]) > dry * loop->setup->robot->joints[j].effort;
  return achd_magnitude(m->smooth) > moves && (heavy || m->excess * m->smooth > 0) &&
         missing(m) > least_share && missing(m) < most_share;
}

/* A motor that fails leaves what is low-passed no faster than the filter: s = 1 - exp(-t / filter). What
 * comes faster is a blow. */
static void note_blows(achd_loop_memory *m, bool plain, bool steady, achd_real period) {
  m->whole_for += period;
  if (plain && missing(m) < little) {
    m->whole_for = 0;
    m->proven = true;
  }
  m->struck = m->struck > period ? m->struck - period : 0;
  m->steady_for = steady ? m->steady_for + period : 0;
  if (m->steady_for > easing && missing(m) > least_share && m->whole_for < failing)
    m->struck = blow;
  const bool pushed = missing(m) > most_share && achd_magnitude(m->excess) > least_led + m->wrong;
  m->pushed_for = pushed ? m->pushed_for + period : 0;
  if (m->pushed_for > failing) m->struck = blow;
}

/* For how long a joint may lack what its motor does: it fails at once. A brake that yields to a push at a
 * constant speed looks like none at all: a motor that has not worked yet must let the joint speed up. */
static achd_real patience(const achd_loop_memory *m, bool steady) {
  const achd_real speeding = achd_magnitude(m->predicted + m->excess);
  if (!m->proven)
    return speeding > achd_magnitude(m->motor) * falls ? lost_time_slowly : ACHD_INFINITY;
  const bool at_once = m->whole_for - m->lost_for < sudden;
  return !steady ? lost_time_after : at_once ? lost_time : lost_time_slowly;
}

bool achd_loop_motors_work(achd_loop *loop, achd_real period) {
  bool work = true;
  if (!loop->setup->watch.accelerations) return work;
  for (int j = 0; j < loop->setup->robot->njoints; j++) {
    achd_loop_memory *m = &loop->joint[j];
    const bool plain = achd_magnitude(m->motor) > least_led + caution * m->wrong;
    const bool steady = achd_magnitude(m->motor - m->eased) < achd_magnitude(m->motor) * unsteady;
    note_blows(m, plain, steady, period);
    m->seems = loop->predicted && seems_powerless(loop, j);
    const bool lost = m->seems && plain && m->explains && !(m->struck > 0);
    m->lost_for = lost ? m->lost_for + period : 0;
    if (m->lost_for > patience(m, steady)) work = false;
    m->eased += (m->motor - m->eased) * achd_loop_share(period, easing);
    const achd_real more = achd_magnitude(m->excess) - m->wrong;
    if (!m->seems || more < 0)
      m->wrong += more * achd_loop_share(period, more > 0 ? rising : falling);
  }
  return work;
}

void achd_loop_forget_motor(achd_loop_memory *m) {
  m->lost_for = 0;
  m->proven = false;
}

/* ---- whether a brake slows its joint ---- */

bool achd_loop_slows(achd_loop *loop, int j, achd_real torque, achd_real period) {
  const achd_cascade_parameters *hold = &loop->setup->robot->joints[j].hold;
  achd_loop_memory *m = &loop->joint[j];
  const achd_real qd = loop->measured.qd[j];
  const achd_real full = torque > 0 ? hold->upper : -hold->lower;
  const bool strong = torque * qd < 0 && achd_magnitude(torque) >= full / 2;
  if (!strong || m->slowest * qd <= 0 || achd_magnitude(qd) < achd_magnitude(m->slowest)) {
    m->slowest = qd;
    m->unslowed = 0;
    return true;
  }
  m->unslowed += period;
  return m->unslowed <= unslowed;
}
