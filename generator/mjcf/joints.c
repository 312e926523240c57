/* SPDX-License-Identifier: MIT */
/* joints.c: see joints.h */
#include "mjcf/joints.h"

#include "mjcf/closures.h"
#include "mjcf/objects.h"
#include "mjcf/transmissions.h"
#include "mjcf/turn.h"
#include "mjcf/xml.h"

#include <math.h>
#include <string.h>

/* Where a joint has one limit only, MuJoCo needs the other one, too. */
static const double far = 1e9;

/* How stiff MuJoCo keeps what it takes for exact, and how far apart it may stand at first [m]. */
#define STIFF " solref=\"0.005 1\" solimp=\"0.99 0.999 0.001 0.5 2\"/>\n"
static const double CLOSED = 1e-9;

/* A name that no joint of the URDF has: `name`, or with _ behind it. */
static const char *own_name(const ag_world *world, const char *name, ag_arena *arena) {
  while (ag_model_joint(world->model, name) >= 0) name = ag_printf(arena, "%s_", name);
  return name;
}

void ag_base_joints_add(ag_text *xml, const ag_world *world, const ag_tree *tree) {
  static const struct {
    const char *name, *type, *axis;
  } planar[] = {
      {"base_x", "slide", "1 0 0"}, {"base_y", "slide", "0 1 0"}, {"base_yaw", "hinge", "0 0 1"}};
  if (tree->base == AG_FLOATING) {
    ag_text_add(xml, "<freejoint");
    ag_xml_add(xml, "name", own_name(world, "base_free", xml->arena));
    ag_text_add(xml, "/>\n");
  }
  for (size_t k = 0; tree->base == AG_PLANAR && k < sizeof planar / sizeof *planar; k++) {
    ag_text_add(xml, "<joint");
    ag_xml_add(xml, "name", own_name(world, planar[k].name, xml->arena));
    ag_text_add(xml, " type=\"%s\" axis=\"%s\"/>\n", planar[k].type, planar[k].axis);
  }
}

/* The scene's word about a joint, else the layout's, else the URDF's. */
static double number_of(const ag_world *world, const ag_tree *tree, int link, const char *word,
                        const char *layout_word, double otherwise) {
  const ag_value *said = ag_item_of_link(ag_world_robot(world, word), link, "value");
  if (!said && tree->joints[link]) said = ag_value_item(tree->joints[link], layout_word);
  return said ? said->number : otherwise;
}

/* MuJoCo has no friction that drives. */
static double not_negative(double value, const char *what, const ag_joint *joint, ag_note **notes,
                           int *nnotes, ag_arena *arena) {
  if (value >= 0) return value;
  ag_note_add(notes, nnotes, arena, joint->line,
              "joint \"%s\": its %s is negative, which MuJoCo does not have: left out", joint->name,
              what);
  return 0;
}

void ag_joint_add(ag_text *xml, const ag_world *world, const ag_tree *tree, int link,
                  ag_note **notes, int *nnotes) {
  const ag_joint *joint = &world->model->links[link].joint;
  if (joint->ball == 1 || joint->ball == 2)
    return; /* its child has it, in the axes of which MuJoCo has it, too */
  ag_text_add(xml, "<joint");
  ag_xml_add(xml, "name", joint->ball ? joint->ball_name : joint->name);
  ag_text_add(xml, " type=\"%s\"",
              joint->ball                   ? "ball"
              : joint->type == AG_PRISMATIC ? "slide"
                                            : "hinge");
  if (!joint->ball) ag_xml_add_numbers(xml, "axis", joint->axis, 3);
  const ag_value *rotor = ag_item_of_link(ag_value_list(world->physics, "rotors"), link,
                                          "value"); /* of followers, too */
  const double armature =
      number_of(world, tree, link, "armature", "armature", rotor ? rotor->number : 0);
  const double damping =
      not_negative(number_of(world, tree, link, "damping", "viscous", joint->damping), "damping",
                   joint, notes, nnotes, xml->arena);
  const double friction =
      not_negative(number_of(world, tree, link, "friction", "coulomb", joint->friction), "friction",
                   joint, notes, nnotes, xml->arena);
  if (tree->begin[link] != 0) ag_xml_add_number(xml, "ref", tree->begin[link]);
  if (armature > 0) ag_xml_add_number(xml, "armature", armature);
  if (damping > 0) ag_xml_add_number(xml, "damping", damping);
  if (friction > 0) ag_xml_add_number(xml, "frictionloss", friction);
  double range[2] = {joint->limits.lower, joint->limits.upper};
  const bool limited = !isnan(range[0]) || !isnan(range[1]);
  if (isnan(range[0])) range[0] = -far;
  if (isnan(range[1])) range[1] = far;
  if (range[1] <= range[0]) range[1] = range[0] + 1e-6; /* it cannot move: MuJoCo wants a width */
  ag_text_add(xml, " limited=\"%s\"", limited ? "true" : "false");
  if (limited) ag_xml_add_numbers(xml, "range", range, 2);
  ag_text_add(xml, "/>\n");
}

/* Whether a joint follows another that moves. */
static bool follows(const ag_world *world, const ag_tree *tree, int link) {
  const int leader = world->model->links[link].joint.mimic;
  return leader >= 0 && tree->kept[leader] && tree->moves[leader];
}

/* Where a link stands in the root's frame while all joints are at 0, as MuJoCo has them to begin with. */
static ag_pose pose_at_zero(const ag_model *model, int link) {
  ag_pose pose = ag_pose_identity;
  for (; link > 0; link = model->links[link].parent)
    pose = ag_pose_mul(&model->links[link].joint.origin, &pose);
  return pose;
}

/* A closed loop: MuJoCo takes the second point of <connect> from where the bodies stand at first, so that
 * only loops that are closed there can be written so. */
static void tie_add(ag_text *xml, const ag_world *world, const ag_tree *tree, const ag_tie *tie,
                    ag_note **notes, int *nnotes) {
  const ag_pose a = pose_at_zero(world->model, tie->frame), b = pose_at_zero(world->model, tie->to),
                apart = ag_pose_between(&a, &b);
  const double *p = apart.p;
  if (tie->turns && sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) > CLOSED) {
    ag_note_add(
        notes, nnotes, xml->arena, tie->line,
        "the closed loop \"%s\" is open where all joints are at 0: left out, since MuJoCo's "
        "<connect> would hold it open",
        tie->id);
    return;
  }
  ag_text_add(xml, tie->turns ? "<connect" : "<weld");
  ag_xml_add(xml, "name", tie->id);
  ag_xml_add(xml, "body1", tree->name[tie->frame]);
  ag_xml_add(xml, "body2", tree->name[tie->to]);
  ag_text_add(xml, tie->turns ? " anchor=\"0 0 0\"" : " relpose=\"0 0 0 1 0 0 0\"");
  ag_text_add(xml, STIFF);
}

void ag_equalities_add(ag_text *xml, const ag_world *world, const ag_tree *tree, ag_note **notes,
                       int *nnotes) {
  const ag_model *model = world->model;
  ag_text_add(xml, "<equality>\n");
  for (int k = 0; k < model->nties; k++)
    if (tree->kept[model->ties[k].frame] && tree->kept[model->ties[k].to])
      tie_add(xml, world, tree, &model->ties[k], notes, nnotes);
  for (int i = 0; i < tree->nlinks; i++) {
    const ag_joint *joint = &world->model->links[i].joint;
    if (!tree->kept[i] || !tree->moves[i] || !follows(world, tree, i)) continue;
    const double polynomial[] = {joint->offset, joint->multiplier, 0, 0, 0};
    ag_text_add(xml, "<joint");
    ag_xml_add(xml, "joint1", joint->name);
    ag_xml_add(xml, "joint2", world->model->links[joint->mimic].joint.name);
    ag_xml_add_numbers(xml, "polycoef", polynomial, 5);
    ag_text_add(xml, STIFF);
  }
  ag_closures_add(xml, world, tree, STIFF);
  ag_text_add(xml, "</equality>\n");
}

/* Whether a joint has a motor of its own. */
static bool driven(const ag_world *world, const ag_tree *tree, int link) {
  return tree->kept[link] && tree->moves[link] && !follows(world, tree, link) &&
         tree->joints[link] && !ag_value_boolean(tree->joints[link], "passive");
}

/* One motor of a joint: its control times `gain` is the joint's torque or force. */
static void motor_add(ag_text *xml, const char *name, const ag_joint *joint, double gain,
                      const ag_value *effort) {
  ag_text_add(xml, "<general");
  ag_xml_add(xml, "name", name);
  ag_xml_add(xml, "joint", joint->ball ? joint->ball_name : joint->name);
  if (joint->ball)
    ag_xml_add_numbers(xml, "gear",
                       (const double[]){joint->ball == 1, joint->ball == 2, joint->ball == 3}, 3);
  ag_text_add(xml, " gaintype=\"fixed\" biastype=\"none\" ctrllimited=\"false\"");
  ag_xml_add_number(xml, "gainprm", gain);
  ag_text_add(xml, " forcelimited=\"%s\"", effort ? "true" : "false");
  if (effort)
    ag_xml_add_numbers(xml, "forcerange", (const double[]){-effort->number, effort->number}, 2);
  ag_text_add(xml, "/>\n");
}

void ag_actuators_add(ag_text *xml, const ag_world *world, const ag_tree *tree) {
  static const char *const modes[] = {"force", "position", "velocity", "current"};
  const ag_value *geared = ag_value_list(world->physics, "motors");
  ag_text_add(xml, "<actuator>\n");
  for (int i = 0; i < tree->nlinks; i++) {
    if (world->motors && geared->length > 0) break;
    const ag_joint *joint = &world->model->links[i].joint;
    if (!driven(world, tree, i)) continue;
    const ag_value *effort = ag_value_item(tree->joints[i], "effort");
    const double by_ampere = number_of(world, tree, i, "torque_constant", "", 1);
    if (world->motors) motor_add(xml, joint->name, joint, 1, effort);
    for (int k = 0; k < 4 && !world->motors; k++)
      motor_add(xml, ag_printf(xml->arena, "%s_%s", joint->name, modes[k]), joint,
                k == 3 ? by_ampere : 1, effort);
  }
  ag_geared_motors_add(xml, world);
  ag_text_add(xml, "</actuator>\n");
}

void ag_servos_add(ag_text *xml, const ag_world *world, const ag_tree *tree) {
  const ag_value *servos = ag_world_robot(world, "servo");
  for (int i = 0; servos && i < tree->nlinks; i++) {
    const ag_value *gains = ag_item_of_link(servos, i, "value");
    if (!gains || !driven(world, tree, i)) continue;
    double numbers[2];
    ag_numbers_of(gains, numbers, 2);
    ag_text_add(xml, "<numeric");
    ag_xml_add(xml, "name", ag_printf(xml->arena, "%s_servo", world->model->links[i].joint.name));
    ag_xml_add_numbers(xml, "data", numbers, 2);
    ag_text_add(xml, "/>\n");
  }
}

/* What the scene says, else the first posture of the file, else 0, or the middle of the limits where 0 lies
 * outside. */
static double begin_of(const ag_world *world, int link) {
  const ag_joint *joint = &world->model->links[link].joint;
  const ag_value *said = ag_item_of_link(ag_world_robot(world, "posture"), link, "value");
  const double lower = joint->limits.lower, upper = joint->limits.upper;
  const ag_value *closed =
      ag_item_of_link(ag_value_list(world->physics, "begin"), link, "value"); /* of linkages */
  if (said) return said->number;
  if (closed) return closed->number;
  if (world->model->npostures > 0 && !isnan(world->model->postures[0].q[link]))
    return world->model->postures[0].q[link];
  if (!(lower > 0) && !(upper < 0)) return 0;
  return isnan(lower) ? upper : isnan(upper) ? lower : (lower + upper) / 2;
}

void ag_posture_add(ag_text *xml, const ag_world *world, const ag_tree *tree) {
  const ag_pose *base = &tree->place[tree->root];
  ag_text positions = {.arena = xml->arena};
  if (tree->base == AG_FLOATING) {
    double q[4];
    ag_quaternion(base, q);
    ag_text_add(&positions, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g", base->p[0], base->p[1],
                base->p[2], q[0], q[1], q[2], q[3]);
  } else if (tree->base == AG_PLANAR) {
    ag_text_add(&positions, " %.17g %.17g %.17g", base->p[0], base->p[1],
                atan2(base->R[1][0], base->R[0][0]));
  }
  for (int i = 0; i < tree->nlinks; i++) {
    const ag_joint *joint = &world->model->links[i].joint;
    if (!tree->kept[i] || !tree->moves[i]) continue;
    if (joint->ball == 1) ag_text_add(&positions, " 1 0 0 0");
    if (joint->ball) continue;
    const double q = follows(world, tree, i)
                         ? joint->multiplier * begin_of(world, joint->mimic) + joint->offset
                         : begin_of(world, i);
    ag_text_add(&positions, " %.17g", q);
  }
  ag_free_positions_add(&positions, world);
  if (!positions.chars) return;
  ag_text_add(xml, "<keyframe>\n<key name=\"home\" qpos=\"%s\"/>\n</keyframe>\n",
              positions.chars + 1);
}
