/* loop.c: see achd/loop.h */
#include <achd/loop.h>

#include "vector.h"

#include <stddef.h>

bool achd_loop_start(achd_loop *loop, const achd_loop_setup *setup) {
  *loop = (achd_loop){.setup = setup, .mode = ACHD_LOOP_VELOCITY};
  if (setup->robot->njoints > ACHD_LOOP_JOINTS || setup->machine->nstates > ACHD_LOOP_STATES)
    return false;
  achd_machine_start(&loop->machine, setup->machine);
  return true;
}

bool achd_loop_raise(achd_loop *loop, int event) {
  return achd_machine_raise(&loop->machine, event);
}

static const achd_loop_state *state_of(const achd_loop *loop) {
  return &loop->setup->states[loop->machine.state];
}

/* ---- measure ---- */

static bool measurement_finite(const achd_measurement *m, int njoints) {
  return achd_all_finite(m->q, njoints) && achd_all_finite(m->qd, njoints) &&
         achd_all_finite(m->wrench.lin, 3) && achd_all_finite(m->wrench.ang, 3);
}

static void measure(achd_loop *loop, const achd_measurement *measured, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  if (!(period > 0) || !(period <= loop->setup->latest)) loop->fault |= ACHD_LOOP_LATE;
  if (!measurement_finite(measured, robot->njoints)) {
    loop->fault |= ACHD_LOOP_NOT_FINITE;
    return;
  }
  loop->measured = *measured;
  loop->known = true;
  loop->tool.wrench = measured->wrench;
  robot->kinematics(robot->context, measured, &loop->tool.pose, &loop->tool.twist);
}

/* ---- task and solver ---- */

static void watch_task(achd_loop *loop, achd_real period) {
  loop->seen = loop->task.task ? achd_task_watch(&loop->task, &loop->tool, period) : 0;
  if (loop->seen & ACHD_TASK_NOT_FINITE) loop->fault |= ACHD_LOOP_NOT_FINITE;
}

/* Time for which something has been so. */
static achd_real for_time(achd_real before, bool so, achd_real period) {
  return so ? before + period : 0;
}

static void solve(achd_loop *loop, achd_real period) {
  const achd_loop_setup *setup = loop->setup;
  const achd_loop_robot *robot = setup->robot;
  const achd_task_mode mode =
      state_of(loop)->action == ACHD_LOOP_APPROACH ? ACHD_TASK_APPROACH : ACHD_TASK_CRUISE;
  achd_task_examine(&loop->task, &loop->tool, mode, &loop->errors);
  achd_task_control(&loop->task, &loop->tool, &loop->errors, loop->saturated, &loop->command);
  robot->solve(robot->context, &loop->measured, &loop->command, &loop->solution);

  const achd_solution *s = &loop->solution;
  if (!s->usable || !achd_all_finite(s->tau, robot->njoints) ||
      !achd_all_finite(s->qdd, robot->njoints)) {
    loop->fault |= ACHD_LOOP_UNUSABLE;
    return;
  }
  loop->saturated = false;
  for (int j = 0; j < robot->njoints; j++) {
    const achd_real effort = robot->joints[j].effort;
    loop->tau[j] = achd_clamp(s->tau[j], -effort, effort);
    if (achd_magnitude(s->tau[j]) >= effort) loop->saturated = true;
  }
  loop->saturated_for = for_time(loop->saturated_for, loop->saturated, period);
  loop->singular_for = for_time(loop->singular_for, s->singular, period);
  if (loop->saturated_for > setup->saturation_time) loop->fault |= ACHD_LOOP_SATURATED;
  if (loop->singular_for > setup->singular_time) loop->fault |= ACHD_LOOP_SINGULAR;
}

/* ---- monitors and machine ---- */

static void monitor_joints(achd_loop *loop, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  loop->limits = ACHD_JOINT_FREE;
  for (int j = 0; j < robot->njoints; j++)
    loop->limits |= achd_joint_ahead(&robot->joints[j].limits, loop->measured.q[j],
                                     loop->measured.qd[j], loop->solution.qdd[j], period);
  if (loop->limits != ACHD_JOINT_FREE) loop->fault |= ACHD_LOOP_LIMIT;
}

static void raise_where(achd_loop *loop, bool so, int event) {
  if (so && event >= 0) achd_machine_raise(&loop->machine, event);
}

/* A machine without an event of its own for faults hears of them as of a joint limit. */
static void raise_events(achd_loop *loop) {
  const achd_loop_events *e = &loop->setup->events;
  const bool stop = loop->fault != ACHD_LOOP_FINE;
  raise_where(loop, stop, e->fault >= 0 ? e->fault : e->joint_limit);
  raise_where(loop, (loop->fault & ACHD_LOOP_LIMIT) != 0, e->joint_limit);
  if (!loop->task.task || (loop->seen & ACHD_TASK_NOT_FINITE)) return;
  const bool goal = (loop->seen & ACHD_TASK_GOAL_AREA) != 0;
  const bool within = (loop->seen & ACHD_TASK_WITHIN_TUBE) != 0;
  raise_where(loop, (loop->seen & ACHD_TASK_TIMEOUT) != 0, e->timeout);
  raise_where(loop, (loop->seen & ACHD_TASK_CONTACT) != 0, e->contact);
  raise_where(loop, (loop->seen & ACHD_TASK_NO_CONTACT) != 0, e->no_contact);
  raise_where(loop, (loop->seen & ACHD_TASK_COVERED) != 0, e->section_covered);
  raise_where(loop, goal, e->goal_area);
  raise_where(loop, !goal, e->out_of_goal_area);
  raise_where(loop, within, e->within_tube);
  raise_where(loop, !within, e->out_of_tube);
}

/* What the new state begins with. */
static void enter_state(achd_loop *loop, int before) {
  const achd_loop_state *state = state_of(loop);
  if (loop->machine.state == before) return;
  if (state->task && state->task != loop->task.task) achd_task_start(&loop->task, state->task);
  if (state->action == ACHD_LOOP_NEXT_SECTION) achd_task_next_section(&loop->task);
}

/* ---- command ---- */

/* Where a joint is kept: it is braked until it turns around, so that nothing draws it back. */
static void follow_to_rest(achd_loop *loop, int j) {
  const achd_real q = loop->measured.q[j], qd = loop->measured.qd[j];
  if (loop->stopped_for == 0) {
    loop->braking[j] = achd_sign(qd);
    loop->held[j] = q;
  }
  if (loop->stopped_for > loop->setup->braking_time || achd_sign(qd) != loop->braking[j])
    loop->braking[j] = 0;
  if (loop->braking[j] != 0) loop->held[j] = q;
}

static void stop_motion(achd_loop *loop, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  achd_real weight[ACHD_LOOP_JOINTS] = {0};
  if (loop->known) robot->gravity(robot->context, &loop->measured, weight);
  for (int j = 0; j < robot->njoints; j++) {
    const achd_loop_joint *joint = &robot->joints[j];
    follow_to_rest(loop, j);
    const achd_real apart = loop->held[j] - loop->measured.q[j];
    const achd_real brake =
        loop->known ? achd_cascade(&joint->hold, apart, loop->measured.qd[j], 0) : 0;
    const achd_real tau = weight[j] + brake;
    loop->tau[j] = achd_finite(tau) ? achd_clamp(tau, -joint->effort, joint->effort) : 0;
    loop->qd[j] = 0;
  }
  if (loop->known && period > 0) loop->stopped_for += period;
  loop->mode = ACHD_LOOP_VELOCITY;
}

achd_loop_mode achd_loop_cycle(achd_loop *loop, const achd_measurement *measured,
                               achd_real period) {
  measure(loop, measured, period);
  const bool moving = state_of(loop)->action != ACHD_LOOP_STOP && loop->task.task;
  if (loop->fault == ACHD_LOOP_FINE) watch_task(loop, period);
  if (loop->fault == ACHD_LOOP_FINE && moving) solve(loop, period);
  if (loop->fault == ACHD_LOOP_FINE && moving) monitor_joints(loop, period);
  const int before = loop->machine.state;
  raise_events(loop);
  achd_machine_step(&loop->machine);
  enter_state(loop, before);

  const bool stopped = state_of(loop)->action == ACHD_LOOP_STOP;
  if (loop->fault != ACHD_LOOP_FINE || stopped || !moving) {
    stop_motion(loop, period);
  } else {
    loop->mode = ACHD_LOOP_TORQUE;
    loop->stopped_for = 0;
  }
  return loop->mode;
}
