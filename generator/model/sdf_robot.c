/* SPDX-License-Identifier: MIT */
/* sdf_robot.c: see sdf_robot.h. Links and joints of an SDF model.
 *
 * SDF's links and joints have frames of their own; a URDF's child link has its joint's. So a joint
 * whose frame is at c in its child's carries a link `child__joint` without mass, which is turned as
 * the child is, and the child is fixed to that at -c; where c is 0, or nothing turns, it is the child
 * itself. */
#include "model/sdf_robot.h"

#include "model/compose.h"
#include "model/sdf_losses.h"
#include "model/sdf_models.h"

#include <math.h>
#include <string.h>

/* Lengths below this are what products of rotations leave of a 0 [m]. */
static const double TINY_LENGTH = 1e-12;

/* And what they leave of a 0 in an axis. */
static const double TINY_ELEMENT = 1e-15;

#define LOSE(s, e, ...)                                                                            \
  ag_note_add(&(s)->doc->losses, &(s)->doc->nlosses, (s)->arena, ag_document_line((s)->doc, e),    \
              __VA_ARGS__)
#define WARN(s, e, ...)                                                                            \
  ag_note_add(&(s)->doc->warnings, &(s)->doc->nwarnings, (s)->arena,                               \
              ag_document_line((s)->doc, e), __VA_ARGS__)

static bool fail(const ag_sdf *s, const ag_element *e, const char *what, const char *remedy) {
  return ag_fail(s->err, e->path, e->line, remedy, "%s", what);
}

/* The pose of b as a sees it, without what rounding leaves of 0. */
static ag_pose pose_between(const ag_pose *a, const ag_pose *b) {
  ag_pose out = ag_pose_between(a, b);
  for (int i = 0; i < 3; ++i)
    if (fabs(out.p[i]) < TINY_LENGTH) out.p[i] = 0;
  return out;
}

/* --- links ------------------------------------------------------------------------------------ */

/* What is not said is 1 kg and 1 kg m^2, as SDF has it. */
static bool read_inertial(const ag_sdf *s, const ag_element *e, ag_urdf_link *link) {
  static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const ag_element *inertial = ag_element_child(e, "inertial");
  const char *made = inertial ? ag_element_text(inertial, "auto") : NULL;
  const int line = ag_document_line(s->doc, inertial ? inertial : e);
  link->inertial_line = link->mass_line = link->inertia_line = line;
  link->mass = link->inertia[0] = link->inertia[3] = link->inertia[5] = 1;
  if (!inertial) {
    WARN(s, e, "link \"%s\" has no <inertial>: 1 kg and 1 kg m^2, as SDF has it", link->name);
    return true;
  }
  if (made && strcmp(made, "true") == 0)
    return fail(s, inertial, "<inertial auto=\"true\"> is not read: it is newer than SDF 1.9",
                "write mass and inertia");
  if (ag_element_child(inertial, "fluid_added_mass"))
    return fail(s, inertial, "<fluid_added_mass> is not read: it is newer than SDF 1.9",
                "take it out");
  ag_pose com;
  const ag_element *inertia = ag_element_child(inertial, "inertia");
  if (!ag_sdf_pose(s, inertial, &com) || !ag_sdf_number(s, inertial, "mass", &link->mass))
    return false;
  for (int i = 0; i < 6; ++i)
    if (!ag_sdf_number(s, inertia, NAMES[i], &link->inertia[i])) return false;
  link->com = ag_document_pose(&com, line, s->arena);
  return true;
}

static bool read_link(ag_sdf *s, const ag_sdf_frame *frame) {
  const ag_element *e = frame->element;
  ag_urdf_link *link = ag_document_link(s->doc, frame->name, ag_document_line(s->doc, e), s->arena);
  return read_inertial(s, e, link);
}

/* --- joints ----------------------------------------------------------------------------------- */

static bool read_type(const ag_sdf *s, const ag_sdf_frame *frame, ag_joint_type *type) {
  static const ag_joint_type KNOWN[] = {AG_FIXED, AG_REVOLUTE, AG_CONTINUOUS, AG_PRISMATIC};
  const char *text = ag_element_text(frame->element, "type");
  for (size_t i = 0; text && i < sizeof KNOWN / sizeof *KNOWN; ++i)
    if (strcmp(text, ag_joint_type_names[KNOWN[i]]) == 0) {
      *type = KNOWN[i];
      return true;
    }
  if (text && (strcmp(text, "ball") == 0 || strcmp(text, "universal") == 0)) {
    *type = *text == 'b' ? AG_BALL : AG_UNIVERSAL;
    return true;
  }
  const bool gearbox = text && strcmp(text, "gearbox") == 0;
  return fail(
      s, frame->element,
      ag_printf(s->arena, "joint \"%s\" is of the type \"%s\", which is not read", frame->name,
                text ? text : ""),
      gearbox ? "leave it out, and let one of the two joints that it couples follow the "
                "other: <mimic> in its <axis>"
              : "write it as revolute, continuous, prismatic, ball, universal or fixed joints, one "
                "after the other");
}

/* The axis in the child link's axes: SDF says in whose it is, before 1.5 in the model's. */
static bool read_axis(const ag_sdf *s, const ag_sdf_frame *frame, const ag_sdf_frame *child,
                      const ag_element *axis, double out[3]) {
  const ag_element *xyz = axis ? ag_element_child(axis, "xyz") : NULL;
  const char *said = xyz ? ag_element_text(xyz, "expressed_in") : NULL;
  const char *in_model = ag_sdf_text(s, axis, "use_parent_model_frame");
  ag_decimal given[3] = {{0, 0}, {0, 0}, {1, 0}};
  if (xyz && !ag_sdf_numbers(s, xyz, 3, given)) return false;
  const ag_sdf_frame *in = frame;
  if (s->minor < 5 || (in_model && (strcmp(in_model, "true") == 0 || strcmp(in_model, "1") == 0)))
    said = "__model__";
  if (said && *said) in = ag_sdf_find(s, ag_sdf_name(s, frame->scope, said));
  if (!in)
    return fail(
        s, frame->element,
        ag_printf(s->arena, "joint \"%s\": the frame \"%s\" is not there", frame->name, said),
        "name a link, joint, frame or model of the file");
  const ag_pose turn = pose_between(&child->pose, &in->pose);
  double v[3] = {given[0].value, given[1].value, given[2].value};
  const double length = ag_direction_length(v);
  if (length == 0)
    return fail(s, frame->element,
                ag_printf(s->arena, "joint \"%s\": its axis is 0 0 0", frame->name),
                "write the direction about which it turns, or along which it moves");
  for (int i = 0; i < 3; ++i) {
    const double e = (turn.R[i][0] * v[0] + turn.R[i][1] * v[1] + turn.R[i][2] * v[2]) / length;
    out[i] = fabs(e) < TINY_ELEMENT ? 0 : e;
  }
  return true;
}

/* <limit>: 1e16 is SDF's word for none, and so is a negative effort or velocity. */
static bool read_limits(const ag_sdf *s, const ag_sdf_frame *frame, const ag_element *axis,
                        ag_urdf_joint *joint) {
  enum { NONE = 1000000000 };
  const ag_element *limit = axis ? ag_element_child(axis, "limit") : NULL,
                   *dynamics = axis ? ag_element_child(axis, "dynamics") : NULL;
  double lower = -(double)INFINITY, upper = (double)INFINITY, effort = -1, velocity = -1,
         stiffness = 0, rest = 0;
  if (!ag_sdf_number(s, limit, "lower", &lower) || !ag_sdf_number(s, limit, "upper", &upper) ||
      !ag_sdf_number(s, limit, "effort", &effort) ||
      !ag_sdf_number(s, limit, "velocity", &velocity) ||
      !ag_sdf_number(s, dynamics, "damping", &joint->damping) ||
      !ag_sdf_number(s, dynamics, "friction", &joint->friction) ||
      !ag_sdf_number(s, dynamics, "spring_stiffness", &stiffness) ||
      !ag_sdf_number(s, dynamics, "spring_reference", &rest))
    return false;
  if (stiffness != 0)
    LOSE(s, dynamics,
         "joint \"%s\": its spring is not in the model: add the torque %g (q %c %g) to tau",
         frame->name, -stiffness, rest < 0 ? '+' : '-', fabs(rest));
  const bool free = lower <= -NONE && upper >= NONE;
  if (joint->type == AG_REVOLUTE && free) joint->type = AG_CONTINUOUS;
  if (lower > -NONE) joint->lower = lower;
  if (upper < NONE) joint->upper = upper;
  if (effort > 0) joint->effort = effort;
  if (velocity > 0) joint->velocity = velocity;
  if (joint->type == AG_CONTINUOUS) joint->lower = joint->upper = (double)NAN;
  return true;
}

/* q = multiplier (q_leader - reference) + offset */
static bool read_mimic(const ag_sdf *s, const ag_sdf_frame *frame, const ag_element *axis,
                       ag_urdf_joint *joint) {
  const ag_element *mimic = axis ? ag_element_child(axis, "mimic") : NULL;
  const char *leader = mimic ? ag_element_text(mimic, "joint") : NULL;
  double reference = 0;
  if (!mimic) return true;
  if (!leader)
    return fail(s, mimic,
                ag_printf(s->arena, "the <mimic> of joint \"%s\" names no joint", frame->name),
                "write <mimic joint=\"...\">");
  joint->mimic = ag_sdf_name(s, frame->scope, leader);
  joint->mimic_line = ag_document_line(s->doc, mimic);
  if (!ag_sdf_number(s, mimic, "multiplier", &joint->multiplier) ||
      !ag_sdf_number(s, mimic, "offset", &joint->offset) ||
      !ag_sdf_number(s, mimic, "reference", &reference))
    return false;
  joint->offset -= joint->multiplier * reference;
  return true;
}

/* The link at one end of a joint: NULL, without an error, for the world. */
static bool read_end(const ag_sdf *s, const ag_sdf_frame *frame, const char *which,
                     const ag_sdf_frame **link) {
  const char *name = ag_sdf_text(s, frame->element, which);
  *link = NULL;
  if (!name)
    return fail(s, frame->element,
                ag_printf(s->arena, "joint \"%s\" has no <%s>", frame->name, which), "name a link");
  if (strcmp(name, "world") == 0 && strcmp(which, "parent") == 0) return true;
  const ag_sdf_frame *end = ag_sdf_find(s, ag_sdf_name(s, frame->scope, name));
  if (!end)
    return fail(
        s, frame->element,
        ag_printf(s->arena, "joint \"%s\": its %s \"%s\" is not there", frame->name, which, name),
        "name a link or frame of the file");
  return (*link = ag_sdf_link_of(s, end)) != NULL;
}

/* Puts the joint into the document, with the link between where its child is not at its axis. */
static void place_joint(ag_sdf *s, const ag_sdf_frame *frame, const ag_sdf_frame *parent,
                        const ag_sdf_frame *child, ag_urdf_joint *joint) {
  const ag_sdf_frame *world = ag_sdf_find(s, "__model__");
  const ag_pose at = pose_between(&child->pose, &frame->pose);
  ag_pose shift = ag_pose_identity, origin = child->pose;
  if (joint->type != AG_PRISMATIC && joint->type != AG_FIXED) memcpy(shift.p, at.p, sizeof shift.p);
  const bool apart = shift.p[0] != 0 || shift.p[1] != 0 || shift.p[2] != 0;
  origin = ag_pose_mul(&origin, &shift);
  origin = pose_between(parent ? &parent->pose : &world->pose, &origin);
  joint->parent = parent ? parent->name : "world";
  joint->child = apart ? ag_printf(s->arena, "%s__%s", child->name, frame->name) : child->name;
  joint->origin = ag_document_pose(&origin, joint->line, s->arena);
  ag_document_joint(s->doc, joint, s->arena);
  if (!apart) return;
  for (int i = 0; i < 3; ++i) shift.p[i] = -shift.p[i];
  const ag_urdf_pose back = ag_document_pose(&shift, joint->line, s->arena);
  ag_document_link(s->doc, joint->child, joint->line, s->arena);
  ag_document_fix(s->doc, joint->child, child->name, &back, s->arena);
}

/* What several freedoms cannot have, and the second axis of a universal joint, which turns with the first. */
static bool finish_compound(const ag_sdf *s, const ag_sdf_frame *frame, const ag_sdf_frame *child,
                            ag_urdf_joint *joint) {
  const ag_element *axis = ag_element_child(frame->element, "axis2");
  if (joint->type == AG_BALL && axis)
    WARN(s, axis, "joint \"%s\" is a ball joint: its axes are ignored", frame->name);
  if (joint->type == AG_BALL) joint->axis_line = 0;
  if (joint->mimic_line && (joint->type == AG_BALL || joint->type == AG_UNIVERSAL))
    return fail(
        s, frame->element,
        ag_printf(s->arena, "joint \"%s\" has several freedoms, and mimics another", frame->name),
        "delete <mimic>");
  if (joint->type != AG_UNIVERSAL) return true;
  if (!axis)
    return fail(s, frame->element,
                ag_printf(s->arena, "joint \"%s\" is universal, but has no <axis2>", frame->name),
                "write both axes");
  ag_urdf_joint *second = ag_alloc(s->arena, sizeof *second);
  *second = ag_joint_without_limits(frame->name, AG_REVOLUTE, joint->line);
  joint->second = second;
  return read_axis(s, frame, child, axis, second->axis) && read_limits(s, frame, axis, second);
}

static bool read_joint(ag_sdf *s, const ag_sdf_frame *frame, bool *world) {
  const ag_element *e = frame->element, *axis = ag_element_child(e, "axis");
  const ag_sdf_frame *parent, *child;
  const int line = ag_document_line(s->doc, e);
  ag_urdf_joint joint = ag_joint_without_limits(frame->name, AG_FIXED, line);
  if (!read_type(s, frame, &joint.type) || !read_end(s, frame, "parent", &parent) ||
      !read_end(s, frame, "child", &child) || !read_axis(s, frame, child, axis, joint.axis) ||
      !read_limits(s, frame, axis, &joint) || !read_mimic(s, frame, axis, &joint) ||
      !finish_compound(s, frame, child, &joint))
    return false;
  if (!parent && !*world) ag_document_link(s->doc, "world", line, s->arena);
  *world = *world || !parent;
  place_joint(s, frame, parent, child, &joint);
  return true;
}

/* --- the model -------------------------------------------------------------------------------- */

static bool is_static(const ag_sdf *s, const ag_element *model) {
  const char *still = ag_sdf_text(s, model, "static");
  return still && (strcmp(still, "true") == 0 || strcmp(still, "1") == 0);
}

/* The one model of the file, or of its world, where static ones beside it are none of the robot. */
static const ag_element *find_model(const ag_sdf *s, const ag_element *root) {
  const ag_element *in = ag_element_child(root, "world"), *model = NULL;
  for (const ag_element *e = in ? in->children : root->children; e; e = e->next) {
    if (!ag_element_is(e, "model") || (model && is_static(s, e))) continue;
    if (model && !is_static(s, model)) {
      fail(s, e, "the file has two models: which one is the robot?",
           "keep one, or put them into one <model>");
      return NULL;
    }
    model = e;
  }
  if (!model) fail(s, root, "the file has no <model>", "name an SDF file of a robot");
  return model;
}

bool ag_sdf_of(ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  ag_sdf s = {.doc = doc, .arena = arena, .err = err};
  bool world = false;
  if (!ag_sdf_version(&s, root)) return false;
  const ag_element *model = find_model(&s, root);
  if (!model) return false;
  const char *name = ag_element_text(model, "name");
  doc->robot = name && *name ? name : "robot";
  doc->robot_line = model->line;
  if (!ag_sdf_models(&s, model)) return false;
  for (int i = 0; i < s.nframes; ++i)
    if (s.frames[i].kind == AG_SDF_LINK && !read_link(&s, &s.frames[i])) return false;
  for (int i = 0; i < s.nframes; ++i)
    if (s.frames[i].kind == AG_SDF_JOINT && !read_joint(&s, &s.frames[i], &world)) return false;
  for (const ag_element *e = model->parent->children; e; e = e->next)
    if (e != model && ag_element_is(e, "model"))
      LOSE(&s, e, "a static model beside the robot: not in the model");
  if (is_static(&s, model))
    LOSE(&s, model, "<static>: a simulator lets no joint of it move, which move here");
  else if (!world)
    LOSE(&s, model,
         "no joint holds the model to the world, so that a simulator lets it float: here "
         "it stands still unless the layout says base = \"floating\"");
  ag_sdf_tell(&s, root);
  return true;
}
