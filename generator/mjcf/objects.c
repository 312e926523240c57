/* SPDX-License-Identifier: MIT */
/* objects.c: see objects.h */
#include "mjcf/objects.h"

#include "mjcf/shapes.h"
#include "mjcf/xml.h"

#include <string.h>

static const ag_value *objects_of(const ag_world *world) {
  static const ag_value none;
  return world->scene ? ag_value_list(world->scene, "objects") : &none;
}

/* The link that holds an object; -1: none does. */
static int holder_of(const ag_value *object) {
  return ag_value_item(object, "held_by") ? ag_value_integer(object, "held_by") - 1 : -1;
}

static bool is_free(const ag_value *object) {
  return ag_value_item(object, "mass") && holder_of(object) < 0;
}

static const char *color_of(const char *kind) {
  static const char *const colors[][2] = {{"table", "0.72 0.58 0.42 1"},
                                          {"wall", "0.8 0.8 0.78 1"},
                                          {"package", "0.8 0.62 0.35 1"},
                                          {"pen", "0.15 0.3 0.7 1"}};
  for (size_t k = 0; k < sizeof colors / sizeof *colors; k++)
    if (strcmp(colors[k][0], kind) == 0) return colors[k][1];
  return "0.5 0.55 0.5 1";
}

static void object_add(ag_text *xml, const ag_value *object) {
  const char *name = ag_value_text(object, "name");
  const ag_value *size = ag_value_list(object, "size"), *moments = ag_value_item(object, "moments");
  double quaternion[4], at[3];
  ag_numbers_of(ag_value_list(object, "position"), at, 3);
  ag_numbers_of(ag_value_list(object, "quaternion"), quaternion, 4);
  ag_text_add(xml, "<body");
  ag_xml_add(xml, "name", name);
  ag_xml_add_numbers(xml, "pos", at, 3);
  ag_xml_add_numbers(xml, "quat", quaternion, 4);
  ag_text_add(xml, ">\n");
  if (is_free(object)) {
    ag_text_add(xml, "<freejoint");
    ag_xml_add(xml, "name", name);
    ag_text_add(xml, "/>\n");
  }
  if (moments) {
    double numbers[3];
    ag_numbers_of(moments, numbers, 3);
    ag_text_add(xml, "<inertial pos=\"0 0 0\"");
    ag_xml_add_number(xml, "mass", ag_value_number(object, "mass"));
    ag_xml_add_numbers(xml, "diaginertia", numbers, 3);
    ag_text_add(xml, "/>\n");
  }
  ag_geom geom = {.type = ag_value_text(object, "shape"),
                  .name = name,
                  .nsize = size->length,
                  .pose = ag_pose_identity,
                  .surface = ag_value_item(object, "surface"),
                  .rgba = color_of(ag_value_text(object, "kind"))};
  ag_numbers_of(size, geom.size, size->length);
  ag_geom_add(xml, &geom);
  ag_text_add(xml, "<site");
  ag_xml_add(xml, "name", ag_printf(xml->arena, "%s_site", name));
  ag_text_add(xml, "/>\n</body>\n");
}

void ag_objects_add(ag_text *xml, const ag_world *world) {
  ag_text_add(xml, "<light pos=\"1 -2 4\" dir=\"-0.2 0.4 -0.9\" directional=\"true\"/>\n");
  const ag_value *floor = world->scene ? ag_value_item(world->scene, "floor") : NULL;
  if (floor) {
    ag_geom geom = {.type = "plane",
                    .name = "floor",
                    .size = {0, 0, 0.05}, /* without end */
                    .nsize = 3,
                    .pose = ag_pose_identity,
                    .surface = ag_value_item(floor, "surface"),
                    .rgba = "0.6 0.62 0.65 1"};
    geom.pose.p[2] = ag_value_number(floor, "height");
    ag_geom_add(xml, &geom);
  }
  const ag_value *objects = objects_of(world);
  for (int k = 0; k < objects->length; k++)
    if (holder_of(&objects->items[k]) < 0) object_add(xml, &objects->items[k]);
}

void ag_held_add(ag_text *xml, const ag_world *world, int link) {
  const ag_value *objects = objects_of(world);
  for (int k = 0; k < objects->length; k++)
    if (holder_of(&objects->items[k]) == link) object_add(xml, &objects->items[k]);
}

void ag_free_positions_add(ag_text *positions, const ag_world *world) {
  const ag_value *objects = objects_of(world);
  for (int k = 0; k < objects->length; k++) {
    if (!is_free(&objects->items[k])) continue;
    const ag_value *at = ag_value_list(&objects->items[k], "position");
    const ag_value *turn = ag_value_list(&objects->items[k], "quaternion");
    for (int i = 0; i < 3; i++) ag_text_add(positions, " %.17g", at->items[i].number);
    for (int i = 0; i < 4; i++) ag_text_add(positions, " %.17g", turn->items[i].number);
  }
}
