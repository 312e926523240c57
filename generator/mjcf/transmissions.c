/* SPDX-License-Identifier: MIT */
/* transmissions.c: see transmissions.h */
#include "mjcf/transmissions.h"

#include "mjcf/xml.h"

#include <string.h>

static const ag_joint *joint_of(const ag_world *world, const ag_value *motor, int k) {
  return &world->model->links[(int)ag_value_list(motor, "links")->items[k].number - 1].joint;
}

static double ratio_of(const ag_value *motor, int k) {
  return ag_value_list(motor, "ratios")->items[k].number;
}

void ag_tendons_add(ag_text *xml, const ag_world *world) {
  const ag_value *motors = ag_value_list(world->physics, "motors");
  bool any = false;
  for (int m = 0; m < motors->length; m++) {
    const ag_value *motor = &motors->items[m];
    if (!ag_value_is(motor, "kind", "tendon")) continue;
    if (!any) ag_text_add(xml, "<tendon>\n");
    any = true;
    ag_text_add(xml, "<fixed");
    ag_xml_add(xml, "name", ag_value_text(motor, "name"));
    const double viscous = ag_value_number(motor, "viscous"),
                 coulomb = ag_value_number(motor, "coulomb");
    if (viscous > 0) ag_xml_add_number(xml, "damping", viscous);
    if (coulomb > 0) ag_xml_add_number(xml, "frictionloss", coulomb);
    ag_text_add(xml, ">\n");
    for (int k = 0; k < ag_value_list(motor, "links")->length; k++) {
      ag_text_add(xml, "<joint");
      ag_xml_add(xml, "joint", joint_of(world, motor, k)->name);
      ag_xml_add_number(xml, "coef", ratio_of(motor, k));
      ag_text_add(xml, "/>\n");
    }
    ag_text_add(xml, "</fixed>\n");
  }
  if (any) ag_text_add(xml, "</tendon>\n");
}

/* Whether a motor of a joint has the name: JOINT_force and the others. */
static bool is_taken(const ag_world *world, const char *name) {
  static const char *const modes[] = {"_force", "_position", "_velocity", "_current"};
  const size_t length = strlen(name);
  for (int i = 0; i < world->model->nlinks && !world->motors; i++) {
    const char *joint = world->model->links[i].joint.name;
    const size_t own = joint ? strlen(joint) : 0;
    if (!joint || own >= length || strncmp(name, joint, own) != 0) continue;
    for (int k = 0; k < 4; k++)
      if (strcmp(name + own, modes[k]) == 0) return true;
  }
  return false;
}

/* What the actuator acts on, and by what ratios. A ball has three, along the axes of its child, as MuJoCo has them. */
static void place_add(ag_text *xml, const ag_world *world, const ag_value *motor) {
  if (ag_value_is(motor, "kind", "tendon")) {
    ag_xml_add(xml, "tendon", ag_value_text(motor, "name"));
    return;
  }
  const ag_joint *joint = joint_of(world, motor, 0);
  ag_xml_add(xml, "joint", joint->ball ? joint->ball_name : joint->name);
  double gear[3] = {0};
  for (int k = 0; k < ag_value_list(motor, "links")->length; k++) {
    const int axis = joint_of(world, motor, k)->ball;
    gear[axis ? axis - 1 : 0] = ratio_of(motor, k);
  }
  ag_xml_add_numbers(xml, "gear", gear, joint->ball ? 3 : 1);
}

void ag_geared_motors_add(ag_text *xml, const ag_world *world) {
  const ag_value *motors = ag_value_list(world->physics, "motors");
  for (int m = 0; m < motors->length; m++) {
    const ag_value *motor = &motors->items[m], *effort = ag_value_item(motor, "effort");
    if (ag_value_is(motor, "kind", "none") || (ag_value_is(motor, "kind", "own") && !world->motors))
      continue;
    const char *name = ag_value_text(motor, "name");
    if (ag_value_is(motor, "kind", "own") && joint_of(world, motor, 0)->ball == 0)
      name = joint_of(world, motor, 0)->name; /* as without transmissions */
    while (is_taken(world, name)) name = ag_printf(xml->arena, "%s_", name);
    ag_text_add(xml, "<general");
    ag_xml_add(xml, "name", name);
    place_add(xml, world, motor);
    ag_text_add(xml,
                " gaintype=\"fixed\" biastype=\"none\" ctrllimited=\"false\" forcelimited=\"%s\"",
                effort ? "true" : "false");
    if (effort)
      ag_xml_add_numbers(xml, "forcerange", (const double[]){-effort->number, effort->number}, 2);
    ag_text_add(xml, "/>\n");
  }
}
