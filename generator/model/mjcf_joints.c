/* SPDX-License-Identifier: MIT */
/* mjcf_joints.c: see mjcf_joints.h */
#include "model/mjcf_joints.h"

#include "base/limits.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static bool read_type(const ag_mjcf *m, const ag_mjcf_item *item, ag_joint_type *type) {
  const ag_element *e = item->element;
  const char *text = ag_element_is(e, "freejoint") ? "free" : ag_mjcf_attribute(item, "type");
  if (!text || strcmp(text, "hinge") == 0)
    *type = AG_CONTINUOUS;
  else if (strcmp(text, "slide") == 0)
    *type = AG_PRISMATIC;
  else if (strcmp(text, "free") == 0)
    *type = AG_FLOATING;
  else if (strcmp(text, "ball") == 0)
    *type = AG_BALL;
  else
    return ag_fail(m->err, e->path, e->line, "there are hinge, slide, free and ball",
                   "%s has the unknown type \"%s\"", item->whose, text);
  return true;
}

/* `range`: none, unless `limited` says so or, by <compiler>, where there is a range. */
static bool read_range(const ag_mjcf *m, const ag_mjcf_item *item, double scale,
                       ag_urdf_joint *joint) {
  enum { AUTO = 2 };
  int limited = AUTO, n;
  double range[2];
  if (!ag_mjcf_choice(item, "limited", &limited) ||
      !ag_mjcf_numbers(item, "range", 2, 2, range, &n))
    return false;
  if (limited == AUTO) limited = m->settings.autolimits && n > 0;
  if (!limited) return true;
  if (n == 0)
    return ag_fail(m->err, item->element->path, item->element->line, "write its range",
                   "%s is limited, but has no range", item->whose);
  if (joint->type == AG_CONTINUOUS) joint->type = AG_REVOLUTE;
  joint->lower = scale * range[0], joint->upper = scale * range[1];
  return true;
}

bool ag_mjcf_most(const ag_mjcf *m, const ag_mjcf_item *item, const char *range,
                  const char *limited, double *most) {
  enum { AUTO = 2 };
  double ends[2];
  int n, counts = AUTO;
  *most = (double)INFINITY;
  if (!ag_mjcf_numbers(item, range, 2, 2, ends, &n) || !ag_mjcf_choice(item, limited, &counts))
    return false;
  if (counts == AUTO) counts = m->settings.autolimits;
  if (n > 0 && counts) *most = fmax(fabs(ends[0]), fabs(ends[1]));
  return true;
}

/* The torques that a joint's spring and friction make are no part of the model. */
static bool tell_springs(const ag_mjcf *m, const ag_mjcf_item *item, const ag_urdf_joint *joint,
                         double scale) {
  double stiffness = 0, rest = 0, all[4], damper[2] = {0};
  int n;
  if (!ag_mjcf_numbers(item, "stiffness", 1, 4, all, &n)) return false;
  if (n > 0) stiffness = all[0];
  if (!ag_mjcf_number(item, "springref", &rest) ||
      !ag_mjcf_numbers(item, "springdamper", 2, 2, damper, &n))
    return false;
  if (stiffness != 0 || damper[0] != 0)
    AG_MJCF_LOSS(m, item->element,
                 stiffness != 0 ? "%s: its spring is not in the model: add the torque "
                                  "%g (q %c %g) to tau"
                                : "%s: springdamper is not in the model",
                 item->whose, -stiffness, rest < 0 ? '+' : '-', fabs(scale * rest));
  if (joint->damping != 0 || joint->friction != 0)
    AG_MJCF_LOSS(
        m, item->element,
        "%s: its damping %g and frictionloss %g act where the layout's friction says \"urdf\"",
        item->whose, joint->damping, joint->friction);
  return true;
}

static bool read_numbers(const ag_mjcf *m, const ag_mjcf_item *item, ag_mjcf_joint *out) {
  ag_urdf_joint *joint = &out->joint;
  const bool turns = joint->type == AG_CONTINUOUS;
  const double scale = turns && m->settings.degrees ? PI / 180 : 1;
  double axis[3] = {0, 0, 1}, ref = 0, damping[4] = {0};
  int n;
  if (!ag_mjcf_numbers(item, "axis", 3, 3, axis, &n) ||
      !ag_mjcf_numbers(item, "pos", 3, 3, out->anchor, &n) || !ag_mjcf_number(item, "ref", &ref) ||
      !ag_mjcf_numbers(item, "damping", 1, 4, damping, &n) ||
      !ag_mjcf_number(item, "frictionloss", &joint->friction) ||
      !ag_mjcf_number(item, "armature", &joint->armature) || !read_range(m, item, scale, joint))
    return false;
  joint->damping = damping[0];
  if (joint->armature < 0)
    return ag_fail(m->err, item->element->path, item->element->line, "write 0 or more",
                   "%s has the armature %g: a rotor's inertia is not below 0", item->whose,
                   joint->armature);
  double most;
  if (!ag_mjcf_most(m, item, "actuatorfrcrange", "actuatorfrclimited", &most)) return false;
  if (most > 0) joint->effort = most;
  const double length = ag_direction_length(axis);
  if (length == 0)
    return ag_fail(m->err, item->element->path, item->element->line, "write a direction",
                   "%s: its axis is 0 0 0", item->whose);
  for (int i = 0; i < 3; ++i) joint->axis[i] = axis[i] / length + 0.0;
  if (!turns && joint->type != AG_REVOLUTE) /* a slide has no anchor */
    out->anchor[0] = out->anchor[1] = out->anchor[2] = 0;
  joint->reference = scale * ref;
  if (!(fabs(joint->reference) <= AG_LARGEST_LENGTH))
    return ag_fail(m->err, item->element->path, item->element->line, "check the exponent",
                   "%s: its ref is %g", item->whose, ref);
  if (ref != 0)
    out->motion = ag_pose_of_motion(joint->type, joint->axis, -scale * ref, m->doc->snap);
  return tell_springs(m, item, joint, scale);
}

/* A ball has neither an axis nor an angle: `range` is that of the angle between rest and where it is. */
static bool read_ball(const ag_mjcf *m, const ag_mjcf_item *item, ag_mjcf_joint *out) {
  ag_urdf_joint *joint = &out->joint;
  double damping[4] = {0}, stiffness[4] = {0}, most, angle;
  int n;
  if (!ag_mjcf_numbers(item, "pos", 3, 3, out->anchor, &n) ||
      !ag_mjcf_numbers(item, "damping", 1, 4, damping, &n) ||
      !ag_mjcf_numbers(item, "stiffness", 1, 4, stiffness, &n) ||
      !ag_mjcf_number(item, "frictionloss", &joint->friction) ||
      !ag_mjcf_number(item, "armature", &joint->armature) ||
      !ag_mjcf_most(m, item, "actuatorfrcrange", "actuatorfrclimited", &most) ||
      !ag_mjcf_most(m, item, "range", "limited", &angle))
    return false;
  joint->damping = damping[0];
  joint->axis_line = 0;
  if (joint->armature < 0)
    return ag_fail(m->err, item->element->path, item->element->line, "write 0 or more",
                   "%s has the armature %g: a rotor's inertia is not below 0", item->whose,
                   joint->armature);
  if (most > 0) joint->effort = most;
  if (!isinf(angle) && angle > 0)
    AG_MJCF_LOSS(m, item->element, "%s: the range of a ball joint, a cone, is not in the model",
                 item->whose);
  if (stiffness[0] != 0)
    AG_MJCF_LOSS(m, item->element,
                 "%s: its spring is not in the model: add %g times its vector of rotation to tau",
                 item->whose, -stiffness[0]);
  if (joint->damping != 0 || joint->friction != 0)
    AG_MJCF_LOSS(
        m, item->element,
        "%s: its damping %g and frictionloss %g act where the layout's friction says \"urdf\"",
        item->whose, joint->damping, joint->friction);
  return true;
}

/* A free joint has no numbers. Those of <joint type="free">, which may come from a class, MuJoCo
 * does use: it would add an armature to all six of the base's inertias. */
static bool read_free(const ag_mjcf *m, const ag_mjcf_item *item, ag_urdf_joint *joint) {
  ag_urdf *doc = m->doc;
  double armature = 0, damping[4] = {0}, friction = 0;
  int n;
  if (ag_element_is(item->element, "freejoint")) return true;
  if (!ag_mjcf_number(item, "armature", &armature) ||
      !ag_mjcf_numbers(item, "damping", 1, 4, damping, &n) ||
      !ag_mjcf_number(item, "frictionloss", &friction))
    return false;
  if (damping[0] != 0 || friction != 0)
    AG_MJCF_LOSS(m, item->element,
                 "%s: damping %g and frictionloss %g of a free joint are not in the model: write "
                 "<freejoint/>, or make them a wrench",
                 item->whose, damping[0], friction);
  if (armature != 0)
    ag_note_add(&doc->warnings, &doc->nwarnings, m->arena, joint->line,
                "%s: the armature %g of a free joint is ignored, which MuJoCo adds to mass and "
                "inertia: write <freejoint/>",
                item->whose, armature);
  return true;
}

bool ag_mjcf_joint_read(ag_mjcf *m, const ag_element *element, int inherited, ag_mjcf_joint *out) {
  const char *name = ag_element_text(element, "name");
  const int index = m->njoints++, line = ag_document_line(m->doc, element);
  if (!name) name = ag_printf(m->arena, "joint_%d", index);
  ag_mjcf_item item = {m, element, "joint", inherited, ag_printf(m->arena, "joint \"%s\"", name)};
  ag_joint_type type = AG_CONTINUOUS;
  if (!ag_mjcf_class_of(m, element, "class", inherited, &item.class_) ||
      !read_type(m, &item, &type))
    return false;
  *out = (ag_mjcf_joint){.joint = ag_joint_without_limits(name, type, line),
                         .motion = ag_pose_identity};
  if (type == AG_FLOATING) return read_free(m, &item, &out->joint);
  if (type == AG_BALL) return read_ball(m, &item, out);
  return read_numbers(m, &item, out);
}
