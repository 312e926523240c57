/* SPDX-License-Identifier: MIT */
/* mjcf_actuators.c: see mjcf_actuators.h
 *
 * An actuator has a length l, of its joint, l = gear q, or of its fixed tendon, l = gear sum coef_k q_k. The torques of
 * joints are its force times dl/dq: to a layout, a motor of the speed w = dl/dt.
 * Source: MuJoCo's documentation, Computation, Actuation model. */
#include "model/mjcf_actuators.h"

#include "base/names.h"
#include "model/mjcf_joints.h"

#include <math.h>
#include <string.h>

enum { GEAR = 6, AXES = 3 };

/* An actuator that is read: its numbers, and the motor that is made of it. */
typedef struct actuator {
  const ag_element *element;
  ag_mjcf_item item;
  double gear[GEAR];
  double force; /* its largest [N m, N] */
  ag_urdf_motor *motor;
} actuator;

static ag_urdf_joint *joint_find(const ag_mjcf *m, const char *name) {
  for (int i = 0; i < m->doc->njoints; ++i)
    if (strcmp(m->doc->joints[i].name, name) == 0) return &m->doc->joints[i];
  return NULL;
}

/* What a motor acts on: the joint's name, or that of the tendon, body or site; NULL: nothing is named. */
static const char *target_of(const ag_mjcf_item *item, const char **word) {
  static const char *const WORDS[] = {"joint", "jointinparent", "tendon",
                                      "site",  "body",          "cranksite"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; ++i) {
    const char *name = ag_mjcf_attribute(item, *word = WORDS[i]);
    if (name) return name;
  }
  return NULL;
}

/* A motor of the actuator's name, else of what it acts on, or one that no other has. */
static ag_urdf_motor *add_motor(const ag_mjcf *m, const actuator *a, const char *target) {
  ag_urdf *doc = m->doc;
  const char *own = ag_element_text(a->element, "name");
  const char *name = ag_identifier(own ? own : target ? target : "motor", m->arena);
  for (int i = 0; !own && i < doc->nmotors; ++i)
    if (strcmp(doc->motors[i].name, name) == 0)
      name = ag_printf(m->arena, "%s_%d", name, doc->nmotors + 1), i = -1;
  doc->motors = ag_room(m->arena, doc->motors, doc->nmotors, sizeof *doc->motors);
  doc->motors[doc->nmotors] = (ag_urdf_motor){
      .name = name,
      .what = own ? ag_printf(m->arena, "<%s> \"%s\"", a->element->local, own)
                  : ag_printf(m->arena, "<%s> of \"%s\"", a->element->local, target ? target : ""),
      .line = ag_document_line(doc, a->element),
      .effort = a->force};
  return &doc->motors[doc->nmotors++];
}

static void turn_with(const ag_mjcf *m, ag_urdf_motor *motor, const char *joint, double ratio) {
  for (int i = 0; i < motor->count; ++i)
    if (strcmp(motor->joints[i], joint) == 0) {
      motor->ratios[i] += ratio;
      return;
    }
  motor->joints = ag_room(m->arena, motor->joints, motor->count, sizeof *motor->joints);
  motor->ratios = ag_room(m->arena, motor->ratios, motor->count, sizeof *motor->ratios);
  motor->joints[motor->count] = joint;
  motor->ratios[motor->count++] = ratio;
}

/* Of a ball, the gear is a vector along the axes of the child, those of its three velocities. */
static void act_on_ball(const ag_mjcf *m, const actuator *a, const char *joint, bool in_parent) {
  static const char *const names[AXES] = {"x", "y", "z"};
  AG_MJCF_LOSS(m, a->element,
               "<%s> of the ball joint \"%s\": its gear is in the model only where transmissions = "
               "\"file\" takes it; tau has the torques about the axes of the child",
               a->element->local, joint);
  if (in_parent)
    a->motor->fault =
        ag_printf(m->arena, "turns the ball joint \"%s\" along axes of its parent", joint);
  for (int k = 0; k < AXES; ++k)
    if (a->gear[k] != 0)
      turn_with(m, a->motor, ag_printf(m->arena, "%s_%s", joint, names[k]), a->gear[k]);
}

static bool act_on_joint(const ag_mjcf *m, const actuator *a, const char *name, bool in_parent) {
  const ag_element *e = a->element;
  ag_urdf_joint *joint = joint_find(m, name);
  if (!joint)
    return ag_fail(m->err, e->path, e->line, "name a joint that the file has",
                   "<%s>: its joint \"%s\" is not there", e->local, name);
  if (joint->type == AG_BALL) {
    act_on_ball(m, a, joint->name, in_parent);
    return true;
  }
  turn_with(m, a->motor, joint->name, a->gear[0]);
  if (joint->type == AG_FLOATING)
    a->motor->fault = ag_printf(m->arena, "pushes the free joint \"%s\"", joint->name);
  if (!ag_element_is(e, "motor"))
    AG_MJCF_LOSS(m, e,
                 "<%s> of joint \"%s\": its law is not in the model, whose tau is the torque "
                 "of the joint",
                 e->local, name);
  const double effort = fabs(a->gear[0]) * a->force;
  if (!(effort > 0) || isinf(effort)) return true;
  double *most = &m->strongest[joint - m->doc->joints]; /* kinds of servos */
  *most = fmax(*most, effort);
  return true;
}

static const ag_element *tendon_find(const ag_mjcf *m, const char *name) {
  for (const ag_element *s = m->root->children; s; s = s->next)
    for (const ag_element *e = ag_element_is(s, "tendon") ? s->children : NULL; e; e = e->next)
      if (ag_element_text(e, "name") && strcmp(ag_element_text(e, "name"), name) == 0) return e;
  return NULL;
}

static bool act_on_tendon(const ag_mjcf *m, const actuator *a, const char *name) {
  const ag_element *e = a->element, *tendon = tendon_find(m, name);
  if (!tendon)
    return ag_fail(m->err, e->path, e->line, "name a tendon that the file has",
                   "<%s>: its tendon \"%s\" is not there", e->local, name);
  AG_MJCF_LOSS(m, e, "<%s> of the tendon \"%s\": in the model only where %s", e->local, name,
               ag_element_is(tendon, "fixed") ? "transmissions = \"file\" takes it, without its law"
                                              : "you add its torques to tau");
  if (!ag_element_is(tendon, "fixed")) {
    a->motor->fault = ag_printf(m->arena, "pulls at the spatial tendon \"%s\"", name);
    return true;
  }
  for (const ag_element *part = tendon->children; part; part = part->next) {
    const ag_mjcf_item item = {m, part, "", -1, ag_printf(m->arena, "tendon \"%s\"", name)};
    const char *own = ag_element_text(part, "joint");
    const ag_urdf_joint *joint = own ? joint_find(m, own) : NULL;
    double coefficient = (double)NAN;
    if (!joint || joint->type == AG_BALL || joint->type == AG_FLOATING)
      return ag_fail(m->err, part->path, part->line, "name a hinge or a slide that the file has",
                     "tendon \"%s\": there is no joint \"%s\" that it can run over", name,
                     own ? own : "");
    if (!ag_mjcf_number(&item, "coef", &coefficient)) return false;
    if (isnan(coefficient))
      return ag_fail(m->err, part->path, part->line, "write coef=\"1\"",
                     "tendon \"%s\": joint \"%s\" has no coef", name, own);
    turn_with(m, a->motor, joint->name, a->gear[0] * coefficient);
  }
  return true;
}

/* A motor's force is its control. */
static bool read_actuator(const ag_mjcf *m, const ag_element *e) {
  actuator a = {e, {m, e, "actuator", 0, ag_printf(m->arena, "<%s>", e->local)}, {1}, 0, NULL};
  double control = (double)INFINITY;
  int n;
  if (!ag_mjcf_class_of(m, e, "class", 0, &a.item.class_) ||
      !ag_mjcf_numbers(&a.item, "gear", 1, GEAR, a.gear, &n) ||
      !ag_mjcf_most(m, &a.item, "forcerange", "forcelimited", &a.force) ||
      (ag_element_is(e, "motor") &&
       !ag_mjcf_most(m, &a.item, "ctrlrange", "ctrllimited", &control)))
    return false;
  a.force = fmin(a.force, control);
  const char *word, *target = target_of(&a.item, &word);
  a.motor = add_motor(m, &a, target);
  if (target && strncmp(word, "joint", 5) == 0)
    return act_on_joint(m, &a, target, strcmp(word, "joint") != 0);
  if (target && strcmp(word, "tendon") == 0) return act_on_tendon(m, &a, target);
  a.motor->fault = target ? ag_printf(m->arena, "acts on the %s \"%s\"", word, target)
                          : "acts on no joint and no tendon";
  AG_MJCF_LOSS(m, e, "<%s> acts on no joint: not in the model", e->local);
  return true;
}

bool ag_mjcf_actuators(ag_mjcf *m) {
  const int n = m->doc->njoints;
  m->strongest = ag_alloc(m->arena, (size_t)(n + 1) * sizeof *m->strongest);
  for (int i = 0; i < n; ++i) m->strongest[i] = 0;
  for (const ag_element *e = m->root->children; e; e = e->next)
    if (ag_element_is(e, "actuator"))
      for (const ag_element *a = e->children; a; a = a->next)
        if (!read_actuator(m, a)) return false;
  for (int i = 0; i < n; ++i) /* within what the joint lets through, actuatorfrcrange */
    if (m->strongest[i] > 0)
      m->doc->joints[i].effort = fmin(m->doc->joints[i].effort, m->strongest[i]);
  return true;
}
