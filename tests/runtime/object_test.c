/* SPDX-License-Identifier: MIT */
/* object_test.c: what an object that moves sees of a tool, and what a command for that becomes: by
 * differences of positions of a tool that moves on a line in the object's frame, while the object
 * turns and accelerates. */
#include <achd/object.h>

#include "test.h"

/* ---- the motion, in double: the object turns about an axis by an angle, its origin on a curve ---- */

static const double axis[3] = {2. / 7, -3. / 7, 6. / 7};
static const double start[3] = {0.3, -0.2, 0.5}, along[3] = {0.1, 0.3, -0.2}; /* the tool's line */

static double angle_at(double t) {
  return 0.4 + 0.7 * t + 0.9 * t * t;
}
static double rate_at(double t) {
  return 0.7 + 1.8 * t;
}
static const double growth = 1.8;

static void origin_at(double t, double p[3]) {
  p[0] = 0.5 + sin(1.3 * t), p[1] = 0.2 * t * t, p[2] = cos(0.8 * t);
}

/* Rodrigues */
static void turned(double angle, const double v[3], double r[3]) {
  const double c = cos(angle), s = sin(angle);
  double dot = 0;
  for (int i = 0; i < 3; i++) dot += axis[i] * v[i];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i] = c * v[i] + s * (axis[j] * v[k] - axis[k] * v[j]) + (1 - c) * dot * axis[i];
  }
}

static void tool_at(double t, double p[3]) {
  double origin[3], local[3], r[3];
  origin_at(t, origin);
  for (int i = 0; i < 3; i++) local[i] = start[i] + along[i] * t;
  turned(angle_at(t), local, r);
  for (int i = 0; i < 3; i++) p[i] = origin[i] + r[i];
}

static const double h = 1e-4;

static void differences(void (*at)(double, double[3]), double t, double v[3], double a[3]) {
  double before[3], here[3], after[3];
  at(t - h, before), at(t, here), at(t + h, after);
  for (int i = 0; i < 3; i++) {
    v[i] = (after[i] - before[i]) / (2 * h);
    a[i] = (after[i] - 2 * here[i] + before[i]) / (h * h);
  }
}

static void copy(achd_real to[3], const double from[3]) {
  for (int i = 0; i < 3; i++) to[i] = (achd_real)from[i];
}

static void states_at(double t, achd_object_state *object, achd_tool_state *tool, double a[3]) {
  double p[3], v[3], rest[3], w[3], dw[3];
  origin_at(t, p);
  copy(object->pose.p, p);
  for (int k = 0; k < 3; k++) {
    const double unit[3] = {k == 0, k == 1, k == 2};
    double r[3];
    turned(angle_at(t), unit, r);
    for (int i = 0; i < 3; i++) object->pose.R.m[i][k] = (achd_real)r[i];
  }
  for (int i = 0; i < 3; i++) w[i] = rate_at(t) * axis[i], dw[i] = growth * axis[i];
  differences(origin_at, t, v, rest);
  copy(object->twist.lin, v), copy(object->acceleration.lin, rest);
  copy(object->twist.ang, w), copy(object->acceleration.ang, dw);
  tool_at(t, p);
  differences(tool_at, t, v, a);
  *tool = (achd_tool_state){.pose = object->pose, .twist = object->twist};
  copy(tool->pose.p, p), copy(tool->twist.lin, v);
  tool->wrench.lin[0] = 3, tool->wrench.ang[2] = -2;
}

static void line_is_seen_and_followed(void) {
  for (int n = 0; n < 20; n++) {
    const double t = 0.1 * n;
    achd_object_state object;
    achd_tool_state tool, relative;
    double a[3];
    states_at(t, &object, &tool, a);
    CHECK(achd_object_tool(&object, &tool, &relative));
    achd_task_command command = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                 .mask = {1, 1, 1, 1, 1, 0}};
    achd_real back[3];
    command.wrench = relative.wrench;
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR((double)relative.pose.p[i], start[i] + along[i] * t, 1e-5);
      CHECK_NEAR((double)relative.twist.lin[i], along[i], 1e-5);
      CHECK_NEAR((double)relative.twist.ang[i], 0, 1e-5);
      for (int k = 0; k < 3; k++) CHECK_NEAR((double)relative.pose.R.m[i][k], i == k, 1e-5);
    }
    CHECK(achd_object_command(&object, &tool, &command));
    achd_rotate(&command.axes, command.b,
                back); /* the line is straight: all of a is the object's */
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR((double)back[i], a[i], 1e-3);
      CHECK_NEAR((double)command.wrench.lin[i], (double)tool.wrench.lin[i], 1e-5);
      CHECK_NEAR((double)command.wrench.ang[i], (double)tool.wrench.ang[i], 1e-5);
    }
    double turning[2] = {0, 0};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 2; k++) turning[k] += (double)command.axes.m[i][k] * growth * axis[i];
    CHECK_NEAR((double)command.b[3], turning[0], 1e-4);
    CHECK_NEAR((double)command.b[4], turning[1], 1e-4);
    CHECK(command.b[5] == 0); /* free */
  }
}

static void numbers_that_are_none_are_told(void) {
  achd_object_state object;
  achd_tool_state tool, relative;
  double a[3];
  states_at(0.3, &object, &tool, a);
  object.acceleration.ang[1] = (achd_real)NAN;
  achd_task_command command = {.mask = {1, 1, 1, 1, 1, 1}, .b = {1, 1, 1, 1, 1, 1}};
  CHECK(achd_object_tool(&object, &tool, &relative));
  CHECK(!achd_object_command(&object, &tool, &command));
  for (int k = 0; k < 6; k++) CHECK(command.mask[k] == 0 && command.b[k] == 0);
  object.pose.p[2] = (achd_real)INFINITY;
  CHECK(!achd_object_tool(&object, &tool, &relative));
  CHECK(!(relative.pose.p[0] < 1e30));
}

int main(void) {
  RUN(line_is_seen_and_followed);
  RUN(numbers_that_are_none_are_told);
  return test_end();
}
