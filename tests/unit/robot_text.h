/* SPDX-License-Identifier: MIT */
/* robot_text.h: robots written as text, for the tests of the model and of its reduction. */
#ifndef AG_ROBOT_TEXT_H
#define AG_ROBOT_TEXT_H

#include "model/robot_file.h"
#include "model/model.h"

#include <math.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ag_arena arena;
static ag_model model;
static ag_err err;

/* Reads and builds the robot with this text inside <robot>. */
static inline bool build(const char *inside, bool snap) {
  char path[] = "/tmp/model_test_XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) abort();
  fprintf(file, "<robot name=\"test-robot\">%s</robot>\n", inside);
  fclose(file);
  ag_urdf doc;
  err = (ag_err){0};
  const bool good = ag_robot_read(path, true, &doc, &arena, &err) &&
                    ag_model_build(&doc, snap, &model, &arena, &err);
  unlink(path);
  return good;
}

static inline const char *massless(const char *name) {
  return ag_printf(&arena, "<link name='%s'/>", name);
}

static inline const char *solid(const char *name) {
  return ag_printf(&arena,
                   "<link name='%s'><inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/><inertia "
                   "ixx='1' ixy='0.1' ixz='0.2' iyy='1.1' iyz='0.3' izz='1.2'/></inertial></link>",
                   name);
}

static inline const char *joint(const char *type, const char *parent, const char *child,
                                const char *in) {
  return ag_printf(&arena,
                   "<joint name='to_%s' type='%s'><parent link='%s'/><child link='%s'/>%s</joint>",
                   child, type, parent, child, in);
}

static inline const char *join(const char *const *parts) {
  const char *text = "";
  for (; *parts; ++parts) text = ag_printf(&arena, "%s%s\n", text, *parts);
  return text;
}
#define JOIN(...) join((const char *const[]){__VA_ARGS__, NULL})

/* base - shoulder - upper - elbow - lower - fixed - tool, and a finger that moves on the tool. */
static inline const char *arm(void) {
  return JOIN(massless("base"), solid("upper"), solid("lower"), solid("tool"), solid("finger"),
              joint("continuous", "base", "upper", "<axis xyz='0 0 1'/><origin xyz='0 0 1'/>"),
              joint("revolute", "upper", "lower", "<axis xyz='0 1 0'/><origin xyz='0.5 0 0'/>"),
              joint("fixed", "lower", "tool", "<origin xyz='0 0 0.25' rpy='0 0 1.5708'/>"),
              joint("prismatic", "tool", "finger", "<axis xyz='1 0 0'/>"));
}

static inline int link_of(const char *name) {
  for (int i = 0; i < model.nlinks; ++i)
    if (strcmp(model.links[i].name, name) == 0) return i;
  return -1;
}

/* What follows shares no code with the generator. */

/* R v, R = Rz(yaw) Ry(pitch) Rx(roll), by turning v about x, y and z, one after another. */
static inline void turned(const double rpy[3], const double v[3], double out[3]) {
  static const int FIRST[3] = {1, 2, 0}, SECOND[3] = {2, 0, 1}; /* the plane of each turn */
  for (int i = 0; i < 3; ++i) out[i] = v[i];
  for (int turn = 0; turn < 3; ++turn) {
    const double c = cos(rpy[turn]), s = sin(rpy[turn]);
    const double x = out[FIRST[turn]], y = out[SECOND[turn]];
    out[FIRST[turn]] = c * x - s * y;
    out[SECOND[turn]] = s * x + c * y;
  }
}

static inline void placed(const double xyz[3], const double rpy[3], const double v[3],
                          double out[3]) {
  turned(rpy, v, out);
  for (int i = 0; i < 3; ++i) out[i] += xyz[i];
}

static inline bool near_inertia(const ag_inertia *a, const ag_inertia *b, double tolerance) {
  bool near = fabs(a->m - b->m) <= tolerance;
  for (int i = 0; i < 3; ++i) near = near && fabs(a->h[i] - b->h[i]) <= tolerance;
  for (int i = 0; i < 6; ++i) near = near && fabs(a->I[i] - b->I[i]) <= tolerance;
  return near;
}

#endif
