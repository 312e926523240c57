/* SPDX-License-Identifier: MIT */
/* loop_log.c: see achd/loop_log.h */
#include <achd/loop_log.h>

#include "vector.h"

/* ---- names ---- */

typedef struct columns {
  achd_signal *signals;
  int count;
} columns;

static void add(columns *c, const char *name, const char *part, int number, const char *unit) {
  achd_signal *signal = &c->signals[c->count++];
  signal->name = name;
  signal->part = part;
  signal->number = number;
  signal->unit = unit;
}

static void add_joints(columns *c, const char *name, const char *const *joints, int count,
                       const char *unit) {
  for (int j = 0; j < count; j++) add(c, name, joints ? joints[j] : 0, j + 1, unit);
}

static void add_three(columns *c, const char *name, const char *x, const char *y, const char *z,
                      const char *unit) {
  add(c, name, x, 0, unit);
  add(c, name, y, 0, unit);
  add(c, name, z, 0, unit);
}

static const char *unit_of(const achd_direction *d, int i) {
  switch (d->kind) {
  case ACHD_VELOCITY:
    return i < 3 ? "m/s" : "rad/s";
  case ACHD_POSITION:
    return "m";
  case ACHD_FORCE:
    return i < 3 ? "N" : "N m";
  case ACHD_ORIENTATION:
  case ACHD_FORCE_DIRECTION:
    return "rad";
  case ACHD_ACCELERATION:
  case ACHD_FREE:
    break;
  }
  return 0;
}

/* The unit of a direction's error: that of all tasks of the loop, where it is the same. */
static const char *error_unit(const achd_loop_setup *setup, int i) {
  const char *unit = 0;
  for (int s = 0; s < ACHD_LOOP_STATES; s++) {
    const achd_task *task = setup->states[s].task;
    const char *here = task ? unit_of(&task->direction[i], i) : 0;
    if (unit && here && unit != here) return "unit of the task";
    if (here) unit = here;
  }
  return unit ? unit : "1";
}

static bool setup_valid(const achd_loop_setup *setup) {
  return setup && setup->robot && setup->machine && setup->robot->njoints >= 0 &&
         setup->robot->njoints <= ACHD_LOOP_JOINTS && setup->machine->nevents >= 0 &&
         setup->machine->nevents <= ACHD_MACHINE_MOST && setup->machine->events;
}

int achd_loop_signals(const achd_loop_setup *setup, const char *const *joints,
                      achd_signal signals[ACHD_LOOP_SIGNALS]) {
  columns c = {signals, 0};
  if (!signals || !setup_valid(setup)) return 0;
  const int njoints = setup->robot->njoints;
  add_joints(&c, "q", joints, njoints, "rad");
  add_joints(&c, "qd", joints, njoints, "rad/s");
  add_joints(&c, "tau", joints, njoints, "N m");
  add_joints(&c, "qdd", joints, njoints, "rad/s^2");
  add_three(&c, "push", "lin_x", "lin_y", "lin_z", "N");
  add_three(&c, "push", "ang_x", "ang_y", "ang_z", "N m");
  add_three(&c, "tool", "p_x", "p_y", "p_z", "m");
  add_three(&c, "tool", "turn_x", "turn_y", "turn_z", "rad");
  add_three(&c, "tool", "lin_x", "lin_y", "lin_z", "m/s");
  add_three(&c, "tool", "ang_x", "ang_y", "ang_z", "rad/s");
  add_three(&c, "error", "lin_x", "lin_y", "lin_z", "1");
  add_three(&c, "error", "ang_x", "ang_y", "ang_z", "1");
  for (int i = 0; i < 6; i++) signals[c.count - 6 + i].unit = error_unit(setup, i);
  add_three(&c, "b", "lin_x", "lin_y", "lin_z", "m/s^2");
  add_three(&c, "b", "ang_x", "ang_y", "ang_z", "rad/s^2");
  add_three(&c, "mask", "lin_x", "lin_y", "lin_z", "1");
  add_three(&c, "mask", "ang_x", "ang_y", "ang_z", "1");
  add_three(&c, "press", "lin_x", "lin_y", "lin_z", "N");
  add_three(&c, "press", "ang_x", "ang_y", "ang_z", "N m");
  add(&c, "state", 0, 0, "1");
  add(&c, "section", 0, 0, "1");
  add(&c, "mode", 0, 0, "1");
  add(&c, "fault", 0, 0, "1");
  add(&c, "seen", 0, 0, "1");
  add(&c, "contact", "losses", 0, "1/s");
  add(&c, "watch", "seen", 0, "1");
  for (int e = 1; e < setup->machine->nevents; e++)
    add(&c, "event", setup->machine->events[e], 0, "1");
  return c.count;
}

/* ---- values ---- */

typedef struct row {
  achd_real *values;
  int count;
} row;

static void put(row *r, const achd_real *x, int count) {
  achd_copy(r->values + r->count, x, count);
  r->count += count;
}

static void put_one(row *r, achd_real x) {
  put(r, &x, 1);
}

static void put_twice_three(row *r, const achd_real lin[3], const achd_real ang[3]) {
  put(r, lin, 3);
  put(r, ang, 3);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): put() writes */
int achd_loop_values(const achd_loop *loop, achd_real values[ACHD_LOOP_SIGNALS]) {
  row r = {values, 0};
  if (!loop || !values || !setup_valid(loop->setup)) return 0;
  const int njoints = loop->setup->robot->njoints;
  achd_real turn[3];
  achd_rotation_log(&loop->tool.pose.R, turn);
  put(&r, loop->measured.q, njoints);
  put(&r, loop->measured.qd, njoints);
  put(&r, loop->tau, njoints);
  put(&r, loop->solution.qdd, njoints);
  put_twice_three(&r, loop->measured.wrench.lin, loop->measured.wrench.ang);
  put_twice_three(&r, loop->tool.pose.p, turn);
  put_twice_three(&r, loop->tool.twist.lin, loop->tool.twist.ang);
  put(&r, loop->errors.exact, 6);
  put(&r, loop->command.b, 6);
  put(&r, loop->command.mask, 6);
  put_twice_three(&r, loop->command.wrench.lin, loop->command.wrench.ang);
  put_one(&r, (achd_real)loop->machine.state);
  put_one(&r, (achd_real)loop->task.section);
  put_one(&r, (achd_real)loop->mode);
  put_one(&r, (achd_real)loop->fault);
  put_one(&r, (achd_real)loop->seen);
  put_one(&r, loop->contact.losses);
  put_one(&r, (achd_real)loop->tool_watch.seen);
  for (int e = 1; e < loop->setup->machine->nevents; e++)
    put_one(&r, achd_machine_pending(&loop->machine, e) ? 1 : 0);
  return r.count;
}
