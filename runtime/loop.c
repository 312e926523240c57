/* SPDX-License-Identifier: MIT */
/* loop.c: see achd/loop.h */
#include <achd/loop.h>

#include "loop_joints.h"
#include "loop_move.h"
#include "loop_wrench.h"
#include "vector.h"

#include <stddef.h>

static const achd_real slack = (achd_real)0.005; /* to come back from beyond a limit in [rad; m] */
static const achd_real largest = (achd_real)1e6; /* of a joint's reading [rad; m, rad/s; m/s] */
static const achd_real patience =
    10; /* latest periods that the brake's full gain is for, and that are borne */
static const achd_real swinging = (achd_real)0.1; /* in which a swing is forgotten [s] */
static const achd_real least_gain = (achd_real)0x1p-6;

/* ---- start ---- */

static bool in_range(int index, int count) {
  return index >= 0 && index < count;
}

static bool machine_valid(const achd_machine *m) {
  if (!m || m->nstates > ACHD_LOOP_STATES || !in_range(m->initial, m->nstates)) return false;
  if (m->nevents < 0 || m->nevents > ACHD_MACHINE_MOST) return false;
  for (int i = 0; i < m->ntransitions; i++)
    if (!in_range(m->transitions[i].to, m->nstates)) return false;
  for (int i = 0; i < m->nreactions; i++)
    if (!in_range(m->reactions[i].event, m->nevents) ||
        !in_range(m->reactions[i].transition, m->ntransitions))
      return false;
  return true;
}

/* NaN is neither. */
static bool gain_valid(achd_real x) {
  return achd_finite(x) && x >= 0;
}

static bool joint_valid(const achd_loop_joint *joint) {
  const achd_cascade_parameters *hold = &joint->hold;
  return joint->limits.lower <= joint->limits.upper && joint->limits.velocity >= 0 &&
         joint->effort >= 0 && gain_valid(hold->position_gain) && gain_valid(hold->velocity_gain) &&
         hold->largest_speed >= 0 && hold->lower <= 0 && hold->upper >= 0;
}

static bool guard_valid(const achd_loop_guard *guard) {
  return guard->deceleration >= 0 && guard->torque_rate >= 0 && guard->fastest >= 0 &&
         guard->beyond >= 0 && guard->slip >= 0 && guard->resolution >= 0;
}

static bool robot_valid(const achd_loop_setup *setup) {
  const achd_loop_robot *robot = setup->robot;
  if (!robot || robot->njoints < 0 || robot->njoints > ACHD_LOOP_JOINTS) return false;
  if (!robot->joints || !robot->kinematics || !robot->solve || !robot->gravity) return false;
  for (int j = 0; j < robot->njoints; j++) {
    if (!joint_valid(&robot->joints[j])) return false;
    if (setup->watch.joints && !guard_valid(&setup->watch.joints[j])) return false;
  }
  return true;
}

/* -1 and 0 are none. A motion that may take too long has to raise something. */
static bool events_valid(const achd_loop_setup *setup) {
  const achd_loop_events *e = &setup->events;
  const int all[] = {e->fault,
                     e->joint_limit,
                     e->timeout,
                     e->contact,
                     e->no_contact,
                     e->within_tube,
                     e->out_of_tube,
                     e->goal_area,
                     e->out_of_goal_area,
                     e->section_covered,
                     e->contact_x_y,
                     e->swings,
                     e->chatters,
                     e->stuck,
                     e->force,
                     e->noisy,
                     e->align_done,
                     e->align_error,
                     e->pushed,
                     e->near,
                     e->outside,
                     e->moved};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] < -1 || (all[i] > 0 && all[i] >= setup->machine->nevents)) return false;
  return !(setup->motion_time > 0) || e->timeout > 0;
}

static bool action_valid(achd_loop_action action) {
  switch (action) {
  case ACHD_LOOP_STOP:
  case ACHD_LOOP_APPROACH:
  case ACHD_LOOP_CRUISE:
  case ACHD_LOOP_NEXT_SECTION:
  case ACHD_LOOP_MOVE:
    return true;
  default:
    return false;
  }
}

/* The object of the task of a state; NULL: the task is given in the base, or there is no task. */
static const achd_object_state *object_of(const achd_loop_setup *setup, int state) {
  const achd_task *task = setup->states[state].task;
  if (!task) return NULL;
  if (setup->objects[state]) return setup->objects[state];
  return task->object > 0 ? setup->named_objects[task->object - 1] : NULL;
}

static bool states_valid(const achd_loop_setup *setup) {
  for (int i = 0; i < setup->machine->nstates; i++) {
    const achd_loop_state *state = &setup->states[i];
    if (!action_valid(state->action)) return false;
    if (state->action == ACHD_LOOP_MOVE && !achd_loop_move_valid(setup->moves[i], setup->robot))
      return false;
    if (state->task && !achd_task_valid(state->task)) return false;
    if (state->task && state->task->object > 0 && !object_of(setup, i)) return false;
    if (state->task && state->task->accelerated && object_of(setup, i)) return false;
  }
  return true;
}

static bool noise_valid(const achd_noise *noise) {
  return noise->force >= 0 && noise->moment >= 0 && noise->speed >= 0 && noise->every >= 0;
}

static bool setup_valid(const achd_loop_setup *setup) {
  const achd_loop_watch *watch = &setup->watch;
  return robot_valid(setup) && machine_valid(setup->machine) && events_valid(setup) &&
         states_valid(setup) && setup->latest >= 0 && setup->saturation_time >= 0 &&
         setup->singular_time >= 0 && setup->braking_time >= 0 && setup->motion_time >= 0 &&
         setup->brakes_after >= 0 && watch->joints_oldest >= 0 && watch->wrench_oldest >= 0 &&
         watch->largest_force >= 0 && watch->largest_moment >= 0 && watch->blind_cycles >= 0 &&
         setup->late_cycles >= 0 && achd_tool_bounds_valid(&watch->tool) &&
         (!watch->space || achd_capsule_watch_valid(watch->space, setup->robot->njoints)) &&
         achd_wrench_valid(&setup->wrench) && noise_valid(&setup->noise);
}

static const achd_loop_state *state_of(const achd_loop *loop) {
  return &loop->setup->states[loop->machine.state];
}

/* ---- noise ---- */

enum { HEARD_ENOUGH = 50, HEARD_MOST = 4096 };

/* Sum of the squared differences; *to: the new one. */
static achd_real differ(achd_real to[3], const achd_real now[3]) {
  const achd_real d[3] = {now[0] - to[0], now[1] - to[1], now[2] - to[2]};
  achd_copy(to, now, 3);
  return achd_dot(d, d);
}

/* A reading that the bus repeats tells nothing of its noise. */
static void listen(achd_loop *loop) {
  achd_loop_heard *h = &loop->heard;
  if (!loop->joints_good || !loop->wrench_good) return;
  const achd_real force = differ(h->wrench.lin, loop->wrench.net.lin);
  const achd_real moment = differ(h->wrench.ang, loop->wrench.net.ang);
  const achd_real speed = differ(h->velocity, loop->tool.twist.lin);
  const bool before = h->before;
  h->before = true;
  if (!before || !achd_finite(force + moment + speed)) return;
  h->force += force;
  h->moment += moment;
  h->speed += speed;
  h->time += loop->step;
  h->wrenches += force > 0 || moment > 0;
  h->velocities += speed > 0;
  if (h->wrenches < HEARD_MOST && h->velocities < HEARD_MOST) return;
  h->force /= 2, h->moment /= 2, h->speed /= 2, h->time /= 2;
  h->wrenches /= 2, h->velocities /= 2;
}

/* Of three components, by differences of two readings each. */
static achd_real deviation(achd_real given, achd_real squares, int count) {
  if (given > 0) return achd_finite(given) ? given : 0;
  return count < HEARD_ENOUGH ? 0 : achd_sqrt(squares / (6 * (achd_real)count));
}

static void expect_noise(achd_loop *loop) {
  const achd_noise *given = &loop->setup->noise;
  const achd_loop_heard *h = &loop->heard;
  const achd_noise noise = {deviation(given->force, h->force, h->wrenches),
                            deviation(given->moment, h->moment, h->wrenches),
                            deviation(given->speed, h->speed, h->velocities),
                            given->every > 0              ? given->every
                            : h->wrenches >= HEARD_ENOUGH ? h->time / (achd_real)h->wrenches
                                                          : loop->step};
  (void)achd_task_expect(&loop->task, &noise);
}

/* ---- tasks ---- */

/* goes_on: the motion does. */
static void begin_task(achd_loop *loop, bool goes_on) {
  const achd_task *task = state_of(loop)->task;
  if (task) loop->object = object_of(loop->setup, loop->machine.state);
  if (!task || task == loop->task.whole) return;
  if (goes_on)
    achd_task_follow(&loop->task, task);
  else
    achd_task_start(&loop->task, task);
  expect_noise(loop);
}

bool achd_loop_start(achd_loop *loop, const achd_loop_setup *setup) {
  achd_clear(loop, sizeof *loop);
  loop->mode = ACHD_LOOP_DISABLE;
  if (!setup || !setup_valid(setup)) return false;
  loop->setup = setup;
  loop->mode = ACHD_LOOP_VELOCITY;
  loop->step = achd_finite(setup->latest) ? setup->latest : 0;
  achd_machine_start(&loop->machine, setup->machine);
  begin_task(loop, false);
  loop->moved_for = -1;
  loop->clearance.pair = -1;
  return true;
}

bool achd_loop_raise(achd_loop *loop, int event) {
  return loop->setup && achd_machine_raise(&loop->machine, event);
}

static void blame(achd_loop *loop, unsigned fault) {
  loop->fault |= fault;
  loop->now |= fault;
}

/* ---- measure ---- */

static bool is_time(achd_real period) {
  return achd_finite(period) && period > 0;
}

/* Whether a cycle is in time, or late and borne. */
static bool in_time(achd_loop *loop, achd_real period) {
  const achd_real latest = loop->setup->latest;
  const int most = loop->setup->late_cycles;
  if (!is_time(period) || (period > latest && period > patience * latest)) return false;
  if (period <= latest)
    loop->late -= loop->late > 0;
  else
    loop->late += loop->late <= most;
  return period <= latest || loop->late <= most;
}

/* A clock that hardly goes on must not let a torque stand or a stop last. */
static void keep_time(achd_loop *loop, achd_real period) {
  const achd_real least = loop->setup->latest / 10;
  if (in_time(loop, period))
    loop->step = period < least && achd_finite(least) ? least : period;
  else
    blame(loop, ACHD_LOOP_LATE);
}

/* What a measurement says of its age, and how old it may be (achd_loop_watch). */
typedef struct dating {
  bool stamped;
  int64_t stamp;
  achd_real age, oldest;
} dating;

/* Whether a reading is young enough; *news: it is another than that of the cycle before. */
static bool is_fresh(achd_loop_reading *reading, const dating *now, achd_real elapsed, bool *news) {
  const achd_real age = now->age, oldest = now->oldest;
  *news = !now->stamped || !reading->known || now->stamp != reading->stamp;
  const bool back = now->stamped && reading->known && now->stamp < reading->stamp;
  reading->age = *news ? 0 : reading->age + elapsed;
  reading->stamp = now->stamp;
  reading->known = true;
  if (back) return false;
  return oldest > 0 ? age >= 0 && age + reading->age <= oldest : *news;
}

/* From at or beyond a limit a joint may come back; what it has come back by is lost to it. */
static void narrow_limits(achd_loop *loop, int j, bool begin) {
  const achd_joint_limits *limits = &loop->setup->robot->joints[j].limits;
  achd_loop_memory *m = &loop->joint[j];
  const achd_real q = loop->measured.q[j];
  if (begin) {
    m->lower = q <= limits->lower ? q - slack : limits->lower;
    m->upper = q >= limits->upper ? q + slack : limits->upper;
  }
  m->lower = achd_clamp(q - slack, m->lower, limits->lower);
  m->upper = achd_clamp(q + slack, limits->upper, m->upper);
}

static void take_joints(achd_loop *loop, const achd_measurement *measured) {
  const achd_loop_robot *robot = loop->setup->robot;
  for (int j = 0; j < robot->njoints; j++) {
    loop->measured.q[j] = measured->q[j] - loop->joint[j].offset;
    loop->measured.qd[j] = measured->qd[j];
    narrow_limits(loop, j, !loop->known);
  }
  loop->known = true;
  robot->kinematics(robot->context, &loop->measured, &loop->tool.pose, &loop->tool.twist);
}

/* Finite, and of a size that differences of it are finite too. */
static bool all_within(const achd_real *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(achd_magnitude(x[i]) <= largest)) return false;
  return true;
}

static bool read_joints(achd_loop *loop, const achd_measurement *measured, achd_real period) {
  const achd_loop_watch *watch = &loop->setup->watch;
  const int njoints = loop->setup->robot->njoints;
  bool news;
  loop->unread = is_time(period) && loop->unread >= 0 ? loop->unread + period : -1;
  const dating now = {watch->joints_stamped, measured->joints_stamp, measured->joints_age,
                      watch->joints_oldest};
  const bool fresh = is_fresh(&loop->joints_reading, &now, loop->step, &news);
  const bool finite = all_within(measured->q, njoints) && all_within(measured->qd, njoints);
  if (!fresh) blame(loop, ACHD_LOOP_STALE);
  if (!finite) blame(loop, ACHD_LOOP_NOT_FINITE);
  if (!fresh || !finite) return false;
  const bool plausible = news ? achd_loop_plausible(loop, measured) : loop->joints_good;
  if (!plausible) blame(loop, ACHD_LOOP_IMPLAUSIBLE);
  return plausible;
}

static bool below(const achd_real v[3], achd_real most) {
  for (int i = 0; i < 3; i++)
    if (most > 0 && achd_magnitude(v[i]) >= most) return false;
  return true;
}

static bool read_wrench(achd_loop *loop, const achd_measurement *measured) {
  const achd_loop_watch *watch = &loop->setup->watch;
  const achd_wrench *wrench = &measured->wrench;
  bool news;
  const dating now = {watch->wrench_stamped, measured->wrench_stamp, measured->wrench_age,
                      watch->wrench_oldest};
  const bool fresh = is_fresh(&loop->wrench_reading, &now, loop->step, &news);
  const bool finite = achd_all_finite(wrench->lin, 3) && achd_all_finite(wrench->ang, 3);
  const bool plausible =
      below(wrench->lin, watch->largest_force) && below(wrench->ang, watch->largest_moment);
  if (!fresh) blame(loop, ACHD_LOOP_STALE);
  if (!finite) blame(loop, ACHD_LOOP_NOT_FINITE);
  if (finite && !plausible) blame(loop, ACHD_LOOP_IMPLAUSIBLE);
  return fresh && finite && plausible;
}

static void measure(achd_loop *loop, const achd_measurement *measured, achd_real period) {
  loop->joints_good = read_joints(loop, measured, period);
  loop->wrench_good = read_wrench(loop, measured);
  if (measured->drives_fault) blame(loop, ACHD_LOOP_DRIVES);
  if (loop->joints_good) take_joints(loop, measured);
  if (loop->wrench_good && !achd_loop_take_wrench(loop, &measured->wrench)) {
    blame(loop, ACHD_LOOP_IMPLAUSIBLE);
    loop->wrench_good = false;
  }
  if (loop->joints_good && !achd_loop_motors_work(loop, loop->step)) blame(loop, ACHD_LOOP_MOTOR);
  if (loop->joints_good && !achd_loop_wrench_shows(loop, loop->step))
    blame(loop, ACHD_LOOP_IMPLAUSIBLE);
  loop->pushed = loop->joints_good && achd_loop_is_pushed(loop, loop->step);

  if (!loop->joints_good) loop->blind++;
  if (loop->joints_good && loop->blind > 0) loop->blind--;
  if (loop->blind > achd_loop_blind_cycles(loop)) {
    loop->blind = achd_loop_blind_cycles(loop);
    loop->disabled = true;
  }
  if (loop->disabled) loop->fault |= ACHD_LOOP_BLIND;
}

/* ---- where links and tool are ---- */

/* Whether the tool is beyond a side of its box; all 0: there is none. */
static bool is_outside(const achd_capsule_watch *space, const achd_real p[3]) {
  bool box = false, beyond = false;
  for (int i = 0; i < 3; i++) {
    box = box || space->lower[i] != 0 || space->upper[i] != 0;
    beyond = beyond || !(p[i] >= space->lower[i] && p[i] <= space->upper[i]);
  }
  return box && beyond;
}

static void watch_space(achd_loop *loop) {
  const achd_capsule_watch *space = loop->setup->watch.space;
  if (!space || !loop->joints_good) return;
  if (space->capsules) loop->clearance = achd_capsules_nearest(space->capsules, loop->measured.q);
  loop->near = loop->clearance.pair >= 0 && loop->clearance.distance < space->nearest;
  loop->outside = is_outside(space, loop->tool.pose.p);
}

/* ---- task and solver ---- */

/* The tool as the task sees it: relative to the object, where there is one. */
static const achd_tool_state *tool_of(const achd_loop *loop, achd_tool_state *relative) {
  if (!loop->object) return &loop->tool;
  (void)achd_object_tool(loop->object, &loop->tool, relative);
  return relative;
}

/* What the task sees, where there is one, and whether the motion takes too long. */
static void watch_motion(achd_loop *loop, achd_real period) {
  const achd_real longest = loop->setup->motion_time;
  achd_tool_state relative;
  if (loop->task.task) loop->seen = achd_task_watch(&loop->task, tool_of(loop, &relative), period);
  if (loop->seen & ACHD_TASK_NOT_FINITE)
    blame(loop, ACHD_LOOP_NOT_FINITE);
  else if (longest > 0 && loop->moving_for >= longest)
    loop->seen |= ACHD_TASK_TIMEOUT;
}

/* The largest force that the task wishes [N]; 0: none. */
static achd_real pressing(const achd_task *task) {
  achd_real most = 0;
  for (int i = 0; i < 3; i++) {
    const achd_direction *d = &task->direction[i];
    if (d->kind == ACHD_FORCE && achd_magnitude(d->value) > most) most = achd_magnitude(d->value);
  }
  return most;
}

static void watch_contact(achd_loop *loop, achd_real period) {
  if (!(loop->moving_for > 0)) achd_clear(&loop->contact, sizeof loop->contact);
  achd_chatter_watch(&loop->contact, achd_norm(loop->tool.wrench.lin), pressing(loop->task.task),
                     period);
}

/* Why a tool is stuck; what the joints bear is low-passed from when it begins not to get on. */
static void explain(achd_loop *loop, achd_real period) {
  achd_tool_watch *watch = &loop->tool_watch;
  bool pushes = false;
  for (int i = 0; i < 6; i++) pushes = pushes || watch->stuck_for[i] > 0;
  const bool elsewhere = pushes && achd_loop_bears_elsewhere(loop, period);
  if (elsewhere && (watch->seen & ACHD_TOOL_STUCK) != 0) watch->seen |= ACHD_TOOL_ELSEWHERE;
}

/* By the errors and the command of this cycle. */
static void watch_tool(achd_loop *loop, achd_real period) {
  const unsigned bad = ACHD_TOOL_FAST | ACHD_TOOL_AWAY | ACHD_TOOL_POWER | ACHD_TOOL_CRUSHES;
  achd_tool_state relative;
  if (!(loop->moving_for > 0)) achd_clear(&loop->tool_watch, sizeof loop->tool_watch);
  const unsigned seen =
      achd_tool_watch_step(&loop->tool_watch, &loop->setup->watch.tool, &loop->task,
                           tool_of(loop, &relative), &loop->errors, period);
  if (seen & bad) blame(loop, ACHD_LOOP_TOOL);
  explain(loop, period);
}

/* Time for which something has been so. */
static achd_real for_time(achd_real before, bool so, achd_real period) {
  return so ? before + period : 0;
}

/* Beyond the effort, or at it, as a solver leaves it that cuts by itself. */
static bool at_limit(achd_real tau, achd_real effort) {
  const achd_real size = achd_magnitude(tau);
  return size > effort || (effort > 0 && size >= effort);
}

/* Whether the torques of this cycle can be commanded, and for how long they have been at their limits. */
static void judge_solution(achd_loop *loop, achd_real period) {
  const achd_loop_setup *setup = loop->setup;
  const achd_loop_robot *robot = setup->robot;
  const achd_solution *s = &loop->solution;
  if (!s->usable || !achd_all_finite(s->tau, robot->njoints) ||
      !achd_all_finite(s->qdd, robot->njoints)) {
    blame(loop, ACHD_LOOP_UNUSABLE);
    return;
  }
  loop->saturated = false;
  for (int j = 0; j < robot->njoints; j++)
    if (at_limit(s->tau[j], robot->joints[j].effort)) loop->saturated = true;
  loop->saturated_for = for_time(loop->saturated_for, loop->saturated, period);
  loop->singular_for = for_time(loop->singular_for, s->singular, period);
  if (loop->saturated_for > setup->saturation_time) blame(loop, ACHD_LOOP_SATURATED);
  if (loop->singular_for > setup->singular_time) blame(loop, ACHD_LOOP_SINGULAR);
}

static void solve(achd_loop *loop, achd_real period) {
  const achd_loop_setup *setup = loop->setup;
  const achd_loop_robot *robot = setup->robot;
  const achd_task_mode mode =
      state_of(loop)->action == ACHD_LOOP_APPROACH ? ACHD_TASK_APPROACH : ACHD_TASK_CRUISE;
  achd_tool_state relative;
  const achd_tool_state *tool = tool_of(loop, &relative);
  if (loop->task.task->accelerated) achd_loop_accelerate(loop);
  achd_task_examine(&loop->task, tool, mode, &loop->errors);
  if (loop->task.is_smooth) achd_loop_damp(loop);
  achd_task_control(&loop->task, tool, &loop->errors, loop->saturated || loop->slowed,
                    &loop->command);
  if (loop->object) (void)achd_object_command(loop->object, &loop->tool, &loop->command);
  loop->measured.wrench = loop->wrench.fed;
  robot->solve(robot->context, &loop->measured, &loop->command, &loop->solution);
  loop->measured.wrench = loop->wrench.net;
  judge_solution(loop, period);
}

static bool in_move(const achd_loop *loop) {
  return state_of(loop)->action == ACHD_LOOP_MOVE;
}

static const achd_loop_move *move_of(const achd_loop *loop) {
  return loop->setup->moves[loop->machine.state];
}

static void move_joints(achd_loop *loop, achd_real period) {
  loop->measured.wrench = loop->wrench.fed;
  const unsigned fault = achd_loop_move_step(loop, move_of(loop), period);
  loop->measured.wrench = loop->wrench.net;
  if (fault != ACHD_LOOP_FINE)
    blame(loop, fault);
  else
    judge_solution(loop, period);
}

static void carry_out_task(achd_loop *loop, achd_real period) {
  watch_contact(loop, period);
  solve(loop, period);
  watch_tool(loop, period);
}

/* ---- monitors and machine ---- */

/* The deceleration a with which v^2 / (2 a) is the way that the brake takes from a speed v. Its
 * torque is full, and its deceleration d, down to the speed w at which its gain gives no more than
 * the full torque; below, the speed fades with the time constant w / d:
 *
 *   (v^2 + w^2) / (2 d)  for v >= w,   v w / d  for v < w */
static achd_real braking(const achd_loop *loop, int j, achd_real qd) {
  const achd_cascade_parameters *hold = &loop->setup->robot->joints[j].hold;
  const achd_real full = achd_loop_guard_of(loop, j)->deceleration;
  const achd_real most = hold->upper < -hold->lower ? hold->upper : -hold->lower;
  const achd_real v = achd_magnitude(qd), w = most / hold->velocity_gain;
  if (!(full > 0) || !achd_finite(w)) return full;
  return v >= w ? full * (v / (v + w * (w / v))) : full * (v / (2 * w));
}

/* solved: the solution is this cycle's. While the loop stops, joints are looked at without it. */
static void monitor_joints(achd_loop *loop, bool solved) {
  const achd_loop_robot *robot = loop->setup->robot;
  loop->limits = ACHD_JOINT_FREE;
  for (int j = 0; j < robot->njoints; j++) {
    const achd_joint_limits limits = {loop->joint[j].lower, loop->joint[j].upper,
                                      robot->joints[j].limits.velocity};
    const achd_real q = loop->measured.q[j], qd = loop->measured.qd[j];
    const achd_real qdd = solved ? loop->solution.qdd[j] : 0;
    const achd_real deceleration = braking(loop, j, qd + 2 * qdd * loop->step);
    loop->limits |= achd_joint_braking(&limits, deceleration, q, qd, qdd, loop->step);
  }
  if (loop->limits != ACHD_JOINT_FREE) blame(loop, ACHD_LOOP_LIMIT);
}

static bool in_stop(const achd_loop *loop) {
  return state_of(loop)->action == ACHD_LOOP_STOP;
}

static void raise_where(achd_loop *loop, bool so, int event) {
  if (so && event > 0) achd_machine_raise(&loop->machine, event);
}

/* What the task has seen; nothing where it was not examined. */
static void raise_seen(achd_loop *loop) {
  const achd_loop_events *e = &loop->setup->events;
  const bool goal = (loop->seen & ACHD_TASK_GOAL_AREA) != 0;
  const bool within = (loop->seen & ACHD_TASK_WITHIN_TUBE) != 0;
  const bool timed = !(in_stop(loop) && achd_machine_latched(&loop->machine));
  raise_where(loop, timed && (loop->seen & ACHD_TASK_TIMEOUT) != 0, e->timeout);
  raise_where(loop, (loop->seen & ACHD_TASK_CONTACT) != 0, e->contact);
  raise_where(loop, (loop->seen & ACHD_TASK_NO_CONTACT) != 0, e->no_contact);
  raise_where(loop, (loop->seen & ACHD_TASK_CONTACT_X_Y) != 0, e->contact_x_y);
  raise_where(loop, (loop->seen & ACHD_TASK_ALIGNED) != 0, e->align_done);
  raise_where(loop, (loop->seen & ACHD_TASK_NOT_ALIGNED) != 0, e->align_error);
  raise_where(loop, (loop->seen & ACHD_TASK_COVERED) != 0, e->section_covered);
  raise_where(loop, goal, e->goal_area);
  raise_where(loop, !goal, e->out_of_goal_area);
  raise_where(loop, within, e->within_tube);
  raise_where(loop, !within, e->out_of_tube);
}

/* A machine without an event of its own for faults hears of them as of a joint limit. */
static void raise_events(achd_loop *loop, bool examined) {
  const achd_loop_events *e = &loop->setup->events;
  const bool stop = loop->fault != ACHD_LOOP_FINE;
  raise_where(loop, stop, e->fault > 0 ? e->fault : e->joint_limit);
  raise_where(loop, (loop->fault & ACHD_LOOP_LIMIT) != 0, e->joint_limit);
  raise_where(loop, loop->stopping && loop->swings, e->swings);
  raise_where(loop, !in_stop(loop) && loop->contact.chatters, e->chatters);
  raise_where(loop, !in_stop(loop) && (loop->tool_watch.seen & ACHD_TOOL_STUCK) != 0, e->stuck);
  raise_where(loop, !in_stop(loop) && (loop->tool_watch.seen & ACHD_TOOL_FORCE) != 0, e->force);
  raise_where(loop, !in_stop(loop) && loop->pushed, e->pushed);
  raise_where(loop, !in_stop(loop) && loop->task.hidden != 0, e->noisy);
  if (loop->setup->watch.space) {
    raise_where(loop, !in_stop(loop) && loop->near, e->near);
    raise_where(loop, !in_stop(loop) && loop->outside, e->outside);
  }
  if (in_move(loop) && !stop) {
    raise_where(loop, achd_loop_moved(loop, move_of(loop)), e->moved);
    raise_where(loop, (loop->seen & ACHD_TASK_TIMEOUT) != 0, e->timeout);
  }
  if (examined && !(loop->seen & ACHD_TASK_NOT_FINITE)) raise_seen(loop);
}

/* Clocks and controllers from the beginning, in the section in which it is. */
static void begin_again(achd_loop *loop) {
  const int section = loop->task.section;
  achd_task_start(&loop->task, loop->task.whole);
  for (int k = 0; k < section; k++) (void)achd_task_next_section(&loop->task);
  expect_noise(loop);
}

/* A move begins in the next cycle, in the middle of the last one if that has not ended; it leaves no task to go on
 * with. */
static void begin_move(achd_loop *loop, int before) {
  loop->goes_on = loop->setup->states[before].action == ACHD_LOOP_MOVE && loop->moved_for >= 0;
  loop->moved_for = -1;
  loop->task.task = loop->task.whole = NULL;
  loop->object = NULL;
  achd_clear(&loop->contact, sizeof loop->contact);
  achd_clear(&loop->tool_watch, sizeof loop->tool_watch);
}

/* What the new state begins with. */
static void enter_state(achd_loop *loop, int before, bool was_latched) {
  if (loop->machine.state == before) return;
  if (in_move(loop)) {
    begin_move(loop, before);
    return;
  }
  const bool released = was_latched && !achd_machine_latched(&loop->machine);
  const bool stopped = loop->setup->states[before].action == ACHD_LOOP_STOP;
  if (released && stopped && loop->task.task) begin_again(loop);
  begin_task(loop, !stopped);
  if (state_of(loop)->action != ACHD_LOOP_NEXT_SECTION || !loop->task.task) return;
  if (achd_task_next_section(&loop->task)) expect_noise(loop); /* of its own numbers */
}

static void step_machine(achd_loop *loop) {
  const int before = loop->machine.state;
  const bool was_latched = achd_machine_latched(&loop->machine);
  achd_machine_step(&loop->machine);
  enter_state(loop, before, was_latched);
}

/* ---- command ---- */

/* The torque within the joint's effort, and not farther from the last one than its rate allows. */
static void command(achd_loop *loop, int j, achd_real wanted) {
  const achd_real effort = loop->setup->robot->joints[j].effort;
  const achd_real rate = achd_loop_guard_of(loop, j)->torque_rate;
  achd_real tau = achd_clamp(wanted, -effort, effort);
  if (rate > 0 && loop->commanded) {
    const achd_real change = rate * loop->step;
    const achd_real slow = achd_clamp(tau, loop->tau[j] - change, loop->tau[j] + change);
    if (slow != tau) loop->slowed = true;
    tau = slow;
  }
  loop->tau[j] = tau;
}

static void drive(achd_loop *loop, achd_real period) {
  for (int j = 0; j < loop->setup->robot->njoints; j++) command(loop, j, loop->solution.tau[j]);
  loop->stopping = loop->heard.before = false;
  loop->stopped_for = 0;
  loop->moving_for += period;
  loop->mode = ACHD_LOOP_TORQUE;
}

/* Where a joint is kept: it is braked until it turns around, so that nothing draws it back. Without
 * a period nobody knows for how long it has been braked: then it is kept where it was. */
static void follow_to_rest(achd_loop *loop, int j, achd_real period) {
  achd_loop_memory *m = &loop->joint[j];
  const achd_real q = loop->measured.q[j], qd = loop->measured.qd[j];
  if (!loop->stopping) {
    m->braking = achd_sign(qd);
    m->held = q;
    m->gain = 1;
    m->swing = m->last = m->slowest = m->unslowed = 0;
    m->turned = false;
  }
  if (!is_time(period)) return;
  if (loop->stopped_for > loop->setup->braking_time || achd_sign(qd) != m->braking) m->braking = 0;
  if (m->braking != 0) m->held = q;
}

/* A brake that throws a joint back at more than half the speed is too strong: for the cycle, if it
 * does so within one, as its torque stands for too long; or for a velocity that comes late, if the
 * joint oscillates, which is reported. Once it may be thrown back by others. */
static void calm(achd_loop *loop, int j) {
  achd_loop_memory *m = &loop->joint[j];
  const achd_real velocity = loop->setup->robot->joints[j].limits.velocity;
  const achd_real noise = (achd_finite(velocity) ? velocity : 1) / 20;
  const achd_real qd = loop->measured.qd[j], now = achd_magnitude(qd);
  const bool at_once = m->last * qd < 0 && achd_magnitude(m->last) > noise;
  m->swing -= m->swing * achd_clamp(loop->step / swinging, 0, 1);
  m->last = qd;
  const achd_real before = achd_magnitude(m->swing);
  if (before < noise) m->turned = false;
  const bool turned = m->swing * qd < 0;
  if (turned ? now <= noise || now <= before / 2 : now <= before) return;
  m->swing = qd;
  if (!turned || before <= noise) return;
  if ((at_once || m->turned) && m->gain > least_gain) m->gain /= 2;
  if (!at_once && m->turned) loop->swings = true;
  m->turned = true;
}

static achd_real brake(achd_loop *loop, int j, achd_real period) {
  achd_loop_memory *m = &loop->joint[j];
  follow_to_rest(loop, j, period);
  calm(loop, j);
  const achd_real longest = patience * loop->setup->latest;
  const bool late = is_time(period) && longest > 0 && period > longest;
  if (achd_loop_stuck(loop, j)) return 0;
  const achd_real share = m->gain * (late ? longest / period : 1);
  const achd_real torque =
      share * achd_cascade(&loop->setup->robot->joints[j].hold,
                           share * (m->held - loop->measured.q[j]), loop->measured.qd[j], 0);
  if (!achd_loop_slows(loop, j, torque, is_time(period) ? period : 0)) blame(loop, ACHD_LOOP_MOTOR);
  return torque;
}

/* The torques against gravity, where the joints were last seen. */
static void weigh(achd_loop *loop) {
  const achd_loop_robot *robot = loop->setup->robot;
  achd_real weight[ACHD_LOOP_JOINTS];
  achd_zero(weight, ACHD_LOOP_JOINTS);
  if (!loop->known) return;
  robot->gravity(robot->context, &loop->measured, weight);
  if (!achd_all_finite(weight, robot->njoints)) blame(loop, ACHD_LOOP_UNUSABLE);
  for (int j = 0; j < robot->njoints; j++)
    if (achd_finite(weight[j])) loop->joint[j].weight = weight[j];
}

static void stop_motion(achd_loop *loop, achd_real period) {
  const achd_real after = loop->setup->brakes_after;
  const bool parked = after > 0 && loop->stopped_for > after;
  /* without the torque of a motor no stop by the motors can be relied on */
  const bool off = loop->disabled || (loop->fault & ACHD_LOOP_MOTOR) != 0;
  const bool brakes = loop->joints_good && !off && !parked;
  weigh(loop);
  if (!loop->stopping) loop->swings = false;
  if (loop->stopping) listen(loop);
  for (int j = 0; j < loop->setup->robot->njoints; j++) {
    command(loop, j, loop->joint[j].weight + (brakes ? brake(loop, j, period) : 0));
    loop->qd[j] = 0;
  }
  if (brakes) loop->stopping = true;
  loop->moving_for = 0;
  if (brakes && is_time(period)) loop->stopped_for += period > loop->step ? period : loop->step;
  loop->mode = off || parked ? ACHD_LOOP_DISABLE : ACHD_LOOP_VELOCITY;
}

bool achd_loop_rearm(achd_loop *loop) {
  if (!loop->setup || !in_stop(loop) || !loop->joints_good || !loop->wrench_good) return false;
  if (loop->now & ~(unsigned)ACHD_LOOP_LIMIT) return false;
  loop->fault = ACHD_LOOP_FINE;
  loop->blind = 0;
  loop->disabled = loop->stopping = false;
  loop->stopped_for = loop->saturated_for = loop->singular_for = 0;
  loop->late = 0;
  for (int j = 0; j < loop->setup->robot->njoints; j++) {
    loop->measured.q[j] += loop->joint[j].offset;
    loop->joint[j].offset = 0;
    loop->joint[j].dead = false;
    achd_loop_forget_motor(&loop->joint[j]);
    narrow_limits(loop, j, true);
  }
  return true;
}

achd_loop_mode achd_loop_cycle(achd_loop *loop, const achd_measurement *measured,
                               achd_real period) {
  if (!loop->setup) return loop->mode = ACHD_LOOP_DISABLE;
  loop->now = ACHD_LOOP_FINE;
  loop->seen = 0;
  keep_time(loop, period);
  measure(loop, measured, period);
  watch_space(loop);
  const bool moves = in_move(loop);
  const bool moving = moves || (!in_stop(loop) && loop->task.task);
  const bool examined = loop->fault == ACHD_LOOP_FINE && loop->task.task;
  if (examined || (loop->fault == ACHD_LOOP_FINE && moves)) watch_motion(loop, period);
  const bool solved = loop->fault == ACHD_LOOP_FINE && moving;
  if (solved && moves)
    move_joints(loop, period);
  else if (solved)
    carry_out_task(loop, period);
  if (loop->joints_good) monitor_joints(loop, solved && loop->fault == ACHD_LOOP_FINE);
  raise_events(loop, examined);
  step_machine(loop);

  loop->slowed = false;
  if (loop->fault != ACHD_LOOP_FINE || in_stop(loop) || !moving)
    stop_motion(loop, period);
  else
    drive(loop, period);
  loop->commanded = true;
  achd_loop_predict(loop);
  return loop->mode;
}
