/* SPDX-License-Identifier: MIT */
/* loop_joints.c: see loop_joints.h */
#include "loop_joints.h"

#include "vector.h"

static const achd_real jump = (achd_real)0.05; /* of a position, on top of its speed [rad; m] */
static const achd_real full_turn = (achd_real)6.283185307179586;
static const achd_real fading = 1; /* of slip, peak and still, time constant [s] */

/* Of a slip: what is always borne, and what is for each rad/s of late; while the loop moves the
 * robot, and while it stops it [rad; m], [s]. */
static const achd_real slip_moving = (achd_real)0.02, late_moving = (achd_real)0.03;
static const achd_real slip_stopping = (achd_real)0.01, late_stopping = (achd_real)0.02;

/* Of a position that stays the same while its velocity says more: at the most; while the loop stops;
 * of all joints together where the setup has guards [rad; m]. */
static const achd_real stuck = (achd_real)0.5, stuck_in_stop = (achd_real)0.02;
static const achd_real stuck_together = (achd_real)0.05;
static const achd_real steps = 4; /* of a sensor, that a joint goes by unseen [1] */
static const achd_real least_way = (achd_real)0.001; /* what they are taken for at least [rad; m] */

/* Of a position that stays the same while the model says that it moves: moving, stopping. */
static const achd_real unseen_moving = (achd_real)0.02, unseen_stopping = (achd_real)0.01;

/* For how long a slow bus or sensor may repeat a reading: as long as nothing is known of it; at
 * least; and REGULAR readings make it known, four times the longest of the last `memory` [s]. */
static const achd_real repeated = (achd_real)0.05, least_pause = (achd_real)0.01;
static const achd_real memory = 5;
enum { REGULAR = 100 };

/* Time constants: of velocities, of the acceleration that the model does not explain, and of the
 * way of a velocity that changes while the position does not [s]. */
static const achd_real smoothing = (achd_real)0.002, learning = (achd_real)0.02;
static const achd_real drifting = (achd_real)0.1;

/* An acceleration that the model may always be wrong by [rad/s^2; m/s^2]; a speed whose sign is
 * looked at [rad/s; m/s], and for how long it may be wrong, and that of a velocity that is late may be when the
 * joint turns around: by a constant acceleration a quarter of the time by which it is late [s]. */
static const achd_real caution = (achd_real)1.5; /* of what the model did not explain of late [1] */
static const achd_real unknown = (achd_real)0.1, slow = (achd_real)0.2;
static const achd_real moving = (achd_real)0.05; /* a speed at which friction shows [rad/s; m/s] */
static const achd_real most_opposite = (achd_real)0.006, most_behind = (achd_real)0.01;

/* How far a joint's reading may have moved since the last one. */
static achd_real farthest(const achd_loop *loop, const achd_loop_guard *guard, int j) {
  const achd_real fastest = guard->fastest;
  const achd_real velocity = loop->setup->robot->joints[j].limits.velocity;
  return jump + (fastest > 0 ? fastest : 4 * velocity) * loop->unread;
}

/* What a reading has jumped by, beyond `most`: a joint without limits goes round, and *turn is what
 * its reading has wrapped by. */
static achd_real jump_of(const achd_joint_limits *limits, achd_real change, achd_real most,
                         achd_real *turn) {
  *turn = 0;
  if (achd_magnitude(change) <= most) return 0;
  const bool endless = !achd_finite(limits->lower) && !achd_finite(limits->upper);
  const achd_real round = change > 0 ? full_turn : -full_turn;
  if (endless && achd_magnitude(change - round) <= most) {
    *turn = round;
    return 0;
  }
  return change;
}

/* The arm does not jump, so it is where it was, unless readings had not been steady before. A
 * reading without any velocity after a jump is that of a sensor that has died. */
static void bear_jump(achd_loop *loop, int j, achd_real by, achd_real most, achd_real qd) {
  achd_loop_memory *m = &loop->joint[j];
  const achd_real before = m->offset;
  m->offset = m->steady < achd_loop_blind_cycles(loop) ? 0 : before + by;
  if (achd_magnitude(m->offset) <= most) m->offset = 0;
  m->held += by - (m->offset - before);
  m->dead = m->offset != 0 && qd == 0;
  m->steady = 0;
  m->slip = m->same_for = m->still = m->unseen = 0;
}

/* ---- what is the same for all joints ---- */

/* Time since the last reading, and the shares by which what is low-passed or fades follows. */
typedef struct step {
  achd_real time, inverse; /* [s], [1/s] */
  achd_real fading, memory, smoothing, learning;
} step;

static step step_of(achd_real time) {
  const step s = {time,
                  1 / time,
                  achd_loop_share(time, fading),
                  achd_loop_share(time, memory),
                  achd_loop_share(time, smoothing),
                  achd_loop_share(time, learning)};
  return s;
}

/* ---- position and velocity must agree ---- */

/* Largest slip that is borne, of a joint whose speed was `peak` of late. A velocity that is late by
 * a time t differs from the way by t times its change. In a stop no more is borne than a jump: a
 * brake on a velocity that is not the joint's drives it. */
static achd_real most_slip(const achd_loop *loop, const achd_loop_guard *guard, achd_real peak) {
  if (guard->slip > 0) return guard->slip;
  if (!loop->stopping) return slip_moving + late_moving * peak;
  return achd_clamp(slip_stopping + late_stopping * peak, 0, jump);
}

/* The integral of the velocity less the way, fading:  s += qd T - dq,  s -= s T / fading. A single
 * cycle counts for a quarter of the most at most, so that one wrong number is soon forgotten. */
static void slip_on(achd_loop_memory *m, const step *t, achd_real most, achd_real change,
                    achd_real qd) {
  m->slip += achd_clamp((m->qd + qd) / 2 * t->time - change, -most / 4, most / 4);
  m->slip -= m->slip * t->fading;
  m->slip = achd_clamp(m->slip, -2 * most, 2 * most);
}

/* Whether one of two velocities is about the opposite of the other. */
static bool opposite(achd_real a, achd_real b) {
  return a * b < 0 && achd_magnitude(a + b) * 4 < achd_magnitude(a - b) && achd_magnitude(b) > slow;
}

/* Both velocities that the reading tells, low-passed, and the larger of them of late. Where one is
 * the opposite of the other for some time, the sign of one is wrong. A velocity that is late follows the
 * joint that turns around; one whose sign is wrong turns around with it, and one that stands still does not. */
static void compare(achd_loop_memory *m, const step *t, achd_real change, achd_real qd) {
  const achd_real rate = m->rate;
  const bool apart = m->smooth * rate < 0;
  m->smooth += (qd - m->smooth) * t->smoothing;
  m->rate += (change * t->inverse - m->rate) * t->smoothing;
  if (!apart && m->smooth * m->rate < 0) m->behind = m->rate * rate < 0;
  const achd_real told = achd_magnitude(m->smooth), gone = achd_magnitude(m->rate);
  const achd_real most = told > gone ? told : gone;
  m->peak -= m->peak * t->fading;
  if (most > m->peak) m->peak = most;
  m->opposite = opposite(m->smooth, m->rate) ? m->opposite + t->time : 0;
}

static bool may_be_late(const achd_loop_memory *m, achd_real qd) {
  return m->behind && qd != m->qd;
}

/* ---- a reading that stays the same ---- */

static bool known_sensor(const achd_loop_memory *m) {
  return m->changes >= REGULAR;
}

/* How far a joint goes by unseen: some steps of its sensor. */
static achd_real unseen_steps(const achd_loop_memory *m, achd_real resolution) {
  const achd_real way = steps * m->step;
  if (resolution > 0) return steps * resolution;
  return way > least_way ? way : least_way;
}

/* For how long a reading may be repeated. */
static achd_real most_pause(const achd_loop_memory *m) {
  return known_sensor(m) ? achd_clamp(4 * m->longest, least_pause, repeated) : repeated;
}

/* By how much the velocity changed beyond what the model says since it was learned last, a time t
 * ago, as an acceleration, low-passed; and the largest that this was of late:
 *
 *   e += ((dqd - integral of a) / t - e) min(1, t / learning) */
static void learn(achd_loop_memory *m, const step *t, achd_real qd) {
  achd_real inverse = t->inverse, part = t->learning;
  if (m->untold > t->time) {
    inverse = 1 / m->untold;
    part = achd_loop_share(m->untold, learning);
  }
  m->excess += ((qd - m->told - m->expected) * inverse - m->excess) * part;
  m->motor += (m->led - m->motor) * part;
  m->shown += (m->by_wrench - m->shown) * part;
  const achd_real size = achd_magnitude(m->excess);
  if (achd_magnitude(m->smooth) > moving) m->doubt -= m->doubt * t->memory;
  if (size > m->doubt) m->doubt = size;
}

static void follow_model(const achd_loop *loop, achd_loop_memory *m, const step *t, achd_real qd,
                         bool silent) {
  m->untold = loop->predicted ? m->untold + t->time : 0;
  m->expected += m->predicted * t->time;
  if (silent) return;
  if (m->untold > 0) learn(m, t, qd);
  m->told = qd;
  m->untold = m->expected = 0;
}

/* The position is another one. */
static void begin_anew(achd_loop_memory *m, achd_real change) {
  const achd_real size = achd_magnitude(change);
  if (m->step == 0 || size < m->step) m->step = size;
  if (m->changes < REGULAR) m->changes++;
  if (m->same_for == 0) return;
  if (m->same_for > m->longest && m->still > 2 * m->step) m->longest = m->same_for;
  m->same_for = m->still = m->drift = m->unseen = 0;
}

/* The velocity with which the model's motion begins: the reading's, or a slower one that is not its
 * noise. */
static achd_real slower(achd_real a, achd_real b) {
  if (!(a * b > 0)) return 0;
  return achd_magnitude(a) < achd_magnitude(b) ? a : b;
}

/* The position is the same. As the model says the joint goes on, less what the model may be wrong
 * by, which takes speed away as friction does.  v += a T,  |v| -= (caution doubt + unknown) T,
 * way += v T */
static void go_on(achd_loop_memory *m, const step *t, achd_real qd) {
  const achd_real lost = (caution * m->doubt + unknown) * t->time;
  const achd_real speed = m->speed + m->predicted * t->time;
  m->same_for += t->time;
  m->still += achd_magnitude(qd) * t->time - m->still * t->fading;
  m->drift += qd * t->time - m->drift * achd_loop_share(t->time, drifting);
  m->speed = speed - achd_clamp(speed, -lost, lost);
  m->unseen += m->speed * t->time;
}

/* A velocity that stays the same or falls to 0 while the position stays the same may be that of a
 * filter behind a sensor that has died, and a velocity of exactly 0 that of the sensor itself: they
 * tell nothing. */
static bool tells_nothing(const achd_loop_memory *m, achd_real qd) {
  return qd > 0 ? qd <= m->qd : qd >= m->qd;
}

static void stand_or_go(achd_loop *loop, achd_loop_memory *m, const step *t, achd_real q,
                        achd_real qd) {
  const bool stands = q == m->q, silent = qd == 0 || (stands && tells_nothing(m, qd));
  follow_model(loop, m, t, qd, silent);
  if (stands)
    go_on(m, t, qd);
  else
    begin_anew(m, q - m->q);
  if (!silent) m->speed = slower(qd, m->smooth);
  if (stands && qd != m->qd && qd != 0) m->still = 0;
  if (loop->disabled) m->speed = m->unseen = 0;
}

/* How far a joint may seem to have gone by its own velocity while its reading stays the same. */
static achd_real most_still(const achd_loop *loop, const achd_loop_memory *m, achd_real qd,
                            achd_real resolution) {
  const achd_real most = loop->stopping ? stuck_in_stop : stuck;
  const achd_real pause = most_pause(m) * achd_magnitude(qd);
  const bool known = known_sensor(m);
  achd_real way = loop->setup->watch.joints ? stuck_together : most;
  if (resolution > 0 || known) way = unseen_steps(m, resolution);
  if (way < pause) way = pause;
  return way < most || known ? way : most;
}

bool achd_loop_stuck(const achd_loop *loop, int j) {
  const achd_loop_memory *m = &loop->joint[j];
  return m->still > 0 && m->qd != 0 && m->same_for > most_pause(m);
}

/* Whether a joint whose position stays the same must have moved: by a velocity that stays the same
 * too, by one that changes, or by the model. */
static bool moved_unseen(const achd_loop *loop, const achd_loop_memory *m, achd_real qd,
                         achd_real resolution) {
  const achd_real most = loop->stopping ? unseen_stopping : unseen_moving;
  const achd_real way = unseen_steps(m, resolution);
  if (m->still > most_still(loop, m, qd, resolution)) return true;
  if (m->same_for <= most_pause(m)) return false;
  if (!known_sensor(m)) return false;
  return achd_magnitude(m->drift) > 2 * way ||
         achd_magnitude(m->unseen) > (way > most ? way : most);
}

/* ---- all of a joint's reading ---- */

/* Follows a joint from its last reading to this one; false: this cannot be. */
static bool follow(achd_loop *loop, int j, const step *t, achd_real q, achd_real qd) {
  const achd_loop_guard *guard = achd_loop_guard_of(loop, j);
  achd_loop_memory *m = &loop->joint[j];
  const achd_real most = farthest(loop, guard, j);
  achd_real turn;
  if (!(t->time > 0)) {
    m->slip = 0;
    return true;
  }
  const achd_real by = jump_of(&loop->setup->robot->joints[j].limits, q - m->q, most, &turn);
  const achd_real change = q - m->q - turn;
  m->held += turn;
  if (by != 0) {
    bear_jump(loop, j, by, most, qd);
    return false;
  }
  if (t->time <= loop->setup->latest) compare(m, t, change, qd);
  const achd_real borne = most_slip(loop, guard, m->peak);
  if (t->time <= loop->setup->latest) slip_on(m, t, borne, change, qd);
  stand_or_go(loop, m, t, q, qd);
  if (achd_magnitude(m->slip) > borne) return false;
  if (m->opposite > most_opposite && !(may_be_late(m, qd) && m->opposite <= most_behind))
    return false;
  return m->same_for == 0 || !moved_unseen(loop, m, qd, guard->resolution);
}

static bool joint_plausible(achd_loop *loop, int j, const step *t, achd_real q, achd_real qd) {
  const achd_loop_guard *guard = achd_loop_guard_of(loop, j);
  const achd_joint_limits *limits = &loop->setup->robot->joints[j].limits;
  achd_loop_memory *m = &loop->joint[j];
  bool plausible = !loop->read || follow(loop, j, t, q, qd);
  m->q = q;
  m->qd = qd;
  if (m->steady < achd_loop_blind_cycles(loop)) m->steady++;
  if (m->dead) plausible = false;
  if (guard->fastest > 0 && achd_magnitude(qd) > guard->fastest) plausible = false;
  if (guard->beyond > 0 && (q < limits->lower - guard->beyond || q > limits->upper + guard->beyond))
    plausible = false;
  return plausible;
}

/* Whether the whole reading has stayed the same for so long that the joints together would have
 * gone by a way that sensors see: a sensor or a bus that has died. Some joint at rest may stay the
 * same, and a slow one of a coarse sensor, but not all while some move. */
static bool reading_moves(achd_loop *loop, const achd_measurement *measured) {
  bool same = loop->read && loop->unread >= 0;
  achd_real speed = 0;
  for (int j = 0; j < loop->setup->robot->njoints; j++) {
    const achd_loop_memory *m = &loop->joint[j];
    if (measured->q[j] != m->q || measured->qd[j] != m->qd) same = false;
    speed += achd_magnitude(measured->qd[j]);
  }
  if (!same) {
    loop->still = loop->same_for = 0;
    return true;
  }
  loop->still += speed * loop->unread - loop->still * achd_loop_share(loop->unread, fading);
  loop->same_for += loop->unread;
  return !loop->setup->watch.joints || loop->same_for <= repeated ||
         loop->still <= (loop->stopping ? stuck_in_stop : stuck_together);
}

bool achd_loop_plausible(achd_loop *loop, const achd_measurement *measured) {
  const step t = step_of(loop->unread);
  bool plausible = reading_moves(loop, measured);
  for (int j = 0; j < loop->setup->robot->njoints; j++)
    if (!joint_plausible(loop, j, &t, measured->q[j], measured->qd[j])) plausible = false;
  loop->read = true;
  loop->unread = 0;
  return plausible;
}
