/* SPDX-License-Identifier: MIT */
/* urdf_gears.c: see urdf_gears.h */
#include "model/urdf_gears.h"

#include <ctype.h>
#include <string.h>

/* What stands in the first of two children, without the blanks around it; NULL: nothing. */
static const char *text_of(const ag_element *parent, const char *name, const char *other,
                           ag_arena *arena) {
  const ag_element *child = ag_element_child(parent, name);
  if (!child && other) child = ag_element_child(parent, other);
  if (!child || !child->text) return NULL;
  const char *from = child->text;
  while (isspace((unsigned char)*from)) from++;
  size_t length = strlen(from);
  while (length > 0 && isspace((unsigned char)from[length - 1])) length--;
  return length > 0 ? ag_printf(arena, "%.*s", (int)length, from) : NULL;
}

static ag_urdf_gear_end end_of(const ag_element *e, ag_arena *arena) {
  return (ag_urdf_gear_end){.name = ag_element_text(e, "name"),
                            .role = ag_element_text(e, "role"),
                            .reduction =
                                text_of(e, "mechanicalReduction", "mechanical_reduction", arena),
                            .line = e->line};
}

static ag_urdf_gear gear_of(const ag_element *e, ag_arena *arena) {
  ag_urdf_gear g = {.name = ag_element_text(e, "name"),
                    .type = text_of(e, "type", "plugin", arena),
                    .line = e->line};
  if (!g.type) g.type = ag_element_text(e, "type");
  for (const ag_element *child = e->children; child; child = child->next) {
    if (ag_element_is(child, "joint")) {
      g.joints = ag_room(arena, g.joints, g.njoints, sizeof *g.joints);
      g.joints[g.njoints++] = end_of(child, arena);
    } else if (ag_element_is(child, "actuator")) {
      g.actuators = ag_room(arena, g.actuators, g.nactuators, sizeof *g.actuators);
      g.actuators[g.nactuators++] = end_of(child, arena);
    }
  }
  return g;
}

void ag_urdf_read_gears(ag_urdf *doc, const ag_element *robot, ag_arena *arena) {
  for (const ag_element *e = robot->children; e; e = e->next) {
    if (ag_element_is(e, "ros2_control")) ag_urdf_read_gears(doc, e, arena);
    if (!ag_element_is(e, "transmission")) continue;
    doc->gears = ag_room(arena, doc->gears, doc->ngears, sizeof *doc->gears);
    doc->gears[doc->ngears++] = gear_of(e, arena);
  }
}
