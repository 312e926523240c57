/* SPDX-License-Identifier: MIT */
/* base_follows_test.c: the base of a mobile robot follows a person by a task whose description names an
 * object (follow_task.lua): a metre behind and 0.3 m to the left of a person who walks a circle with
 * 0.2 m/s and turns with it. The base is simulated by its forward dynamics; its wheels rub, which the
 * task does not know. */
#include <achd/object.h>

#include "base_follows.h"
#include "follow_task.h"
#include "random.h"
#include "test.h"

static const double period = 1e-3, radius = 1.5, top = 0.2;

/* The person comes to 0.2 m/s in a second, on a circle, and looks ahead. */
static achd_object_state person_at(double t) {
  const double ramp = 1, rate = top / radius;
  const double w = t < ramp ? rate * t / ramp : rate, growth = t < ramp ? rate / ramp : 0;
  const double angle = t < ramp ? rate * t * t / (2 * ramp) : rate * (t - ramp / 2);
  const double c = cos(angle), s = sin(angle);
  const achd_object_state person = {
      .pose = {{radius * s, radius * (1 - c), 0}, {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}},
      .twist = {{radius * w * c, radius * w * s, 0}, {0, 0, w}},
      .acceleration = {{radius * (growth * c - w * w * s), radius * (growth * s + w * w * c), 0},
                       {0, 0, growth}}};
  return person;
}

typedef struct base {
  double q[3], v[3]; /* x, y, yaw in the world */
} base;

static achd_tool_state tool_of(const base *b, unsigned long long *seed, double noise) {
  const double c = cos(b->q[2]), s = sin(b->q[2]);
  achd_tool_state t = {.pose = {{b->q[0], b->q[1], 0}, {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}},
                       .twist = {{b->v[0], b->v[1], 0}, {0, 0, b->v[2]}}};
  for (int i = 0; i < 2; i++) {
    t.pose.p[i] += noise * random_normal(seed);
    t.twist.lin[i] += 10 * noise * random_normal(seed);
  }
  return t;
}

/* The motors' wrench for a command, and the motion under it and the rubbing of the wheels. */
static void move(base *b, const achd_task_command *command, double rubbing) {
  base_achd_in in = BASE_ACHD_IN_DEFAULT;
  base_achd_out out;
  in.base.yaw = b->q[2];
  in.base.twist.x = b->v[0], in.base.twist.y = b->v[1], in.base.twist.yaw = b->v[2];
  base_achd_in act = in;
  const int row[3] = {0, 1, 5};
  for (int k = 0; k < 3; k++) {
    in.b[k] = command->b[row[k]], in.mask[k] = command->mask[row[k]];
    for (int i = 0; i < 3; i++) in.axes.base[i][k] = command->axes.m[i][k];
  }
  CHECK((base_achd(&in, &out) & BASE_DO_NOT_COMMAND) == 0);
  const double speed = hypot(b->v[0], b->v[1]), rubs = rubbing / fmax(speed, 0.01);
  act.load.lin[0] = out.base.wrench_ctrl.x - rubs * b->v[0];
  act.load.lin[1] = out.base.wrench_ctrl.y - rubs * b->v[1];
  act.load.ang[2] = out.base.wrench_ctrl.yaw;
  for (int k = 0; k < 3; k++) act.mask[k] = 0, act.axes.base[k][k] = 1;
  base_achd(&act, &out);
  const double a[3] = {out.base.acc.x, out.base.acc.y, out.base.acc.yaw};
  for (int k = 0; k < 3; k++) {
    b->v[k] += period * a[k];
    b->q[k] += period * b->v[k];
  }
}

static void followed(bool known, double rubbing, double noise) {
  const achd_task *task = &follow_tasks[FOLLOW_TASK_BEHIND];
  CHECK(task->object == FOLLOW_OBJECT_PERSON && achd_task_valid(task));
  const double *place = task->frames[0].p;
  unsigned long long seed = 6;
  achd_task_run run = {0};
  base b = {.q = {place[0], place[1], 0}};
  double off = 0, turned = 0, fastest = 0;
  achd_task_start(&run, task);
  for (int k = 0; k * period < 12; k++) {
    const double now = k * period;
    achd_object_state person = person_at(now);
    if (!known) memset(&person.acceleration, 0, sizeof person.acceleration);
    const achd_tool_state tool = tool_of(&b, &seed, noise);
    achd_tool_state relative;
    achd_task_errors errors;
    achd_task_command command;
    CHECK(achd_object_tool(&person, &tool, &relative));
    CHECK((achd_task_watch(&run, &relative, period) & ACHD_TASK_NOT_FINITE) == 0);
    achd_task_examine(&run, &relative, ACHD_TASK_CRUISE, &errors);
    CHECK(achd_task_control(&run, &relative, &errors, false, &command));
    CHECK(achd_object_command(&person, &tool, &command));
    move(&b, &command, rubbing);
    const achd_object_state there = person_at(now + period);
    double apart[3] = {0};
    for (int i = 0; i < 2; i++) apart[i] = b.q[i] - there.pose.p[i];
    achd_rotate_back(&there.pose.R, apart, apart);
    if (now < 3) continue;
    off = fmax(off, hypot(apart[0] - place[0], apart[1] - place[1]));
    turned = fmax(
        turned, fabs(remainder(b.q[2] - (top / radius) * (now + period - 0.5), 6.283185307179586)));
    fastest = fmax(fastest, hypot(b.v[0], b.v[1]));
  }
  printf("  its acceleration %s, wheels rub with %g N, noise %g m: %.3f mm and %.2e rad off at "
         "most, at %.3f m/s\n",
         known ? "known" : "not known", rubbing, noise, 1e3 * off, turned, fastest);
  CHECK(off < 2e-3);
  CHECK(turned < 2e-3);
  CHECK(fastest > 0.15);
}

static void person_is_followed(void) {
  followed(true, 0, 0);
  followed(true, 15, 0);
  followed(false, 15, 1e-4);
}

int main(void) {
  RUN(person_is_followed);
  return test_end();
}
