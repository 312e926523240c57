/* SPDX-License-Identifier: MIT */
/* planar.c: see planar.h */
#include "model/planar.h"

#include "model/compose.h"

#include <string.h>

static bool has_parent(const ag_urdf *doc, const char *link) {
  for (int j = 0; j < doc->njoints; ++j)
    if (strcmp(doc->joints[j].child, link) == 0) return true;
  return false;
}

static bool is_inside(const ag_urdf *doc, const ag_urdf_joint *joint) {
  return joint->type == AG_PLANAR && !joint->mimic_line && has_parent(doc, joint->parent) &&
         (joint->axis_line == 0 ||
          (joint->axis[0] == 0 && joint->axis[1] == 0 && joint->axis[2] != 0));
}

/* One of the three: `axis` 0 x, 1 y, 2 about z; the first one has the origin. */
static ag_urdf_joint part_of(const ag_urdf_joint *joint, int axis, const char *const links[4],
                             const char *name) {
  const ag_joint_type type = axis < 2 ? AG_PRISMATIC : AG_CONTINUOUS;
  ag_urdf_joint part = ag_joint_without_limits(name, type, joint->line);
  part.parent = links[axis], part.child = links[axis + 1];
  part.parent_line = joint->parent_line, part.child_line = joint->child_line;
  if (joint->axis_line) part.axis_line = joint->axis_line;
  part.axis[0] = 0;
  part.axis[axis] = axis == 2 && joint->axis_line ? joint->axis[2] : 1;
  if (axis == 0) part.origin = joint->origin;
  return part;
}

static void expand(ag_urdf *doc, const ag_urdf_joint *joint, ag_urdf_joint *to, ag_arena *arena) {
  static const char *const suffixes[3] = {"x", "y", "yaw"};
  const char *links[4] = {joint->parent, NULL, NULL, joint->child};
  for (int k = 0; k < 2; ++k) {
    links[k + 1] = ag_printf(arena, "%s_%s", joint->name, suffixes[k]);
    doc->links[doc->nlinks++] = (ag_urdf_link){.name = links[k + 1], .line = joint->line};
  }
  for (int k = 0; k < 3; ++k)
    to[k] = part_of(joint, k, links, ag_printf(arena, "%s_%s", joint->name, suffixes[k]));
  ag_note_add(&doc->warnings, &doc->nwarnings, arena, joint->line,
              "joint \"%s\" is planar inside the tree: it becomes %s_x, %s_y and %s_yaw, without "
              "limits%s",
              joint->name, joint->name, joint->name, joint->name,
              joint->dynamics_line ? " and friction" : "");
}

const ag_urdf *ag_planar_expand(const ag_urdf *doc, ag_arena *arena) {
  int count = 0;
  for (int j = 0; j < doc->njoints; ++j) count += is_inside(doc, &doc->joints[j]);
  if (count == 0) return doc;
  ag_urdf *made = ag_alloc(arena, sizeof *made);
  *made = *doc;
  made->links = ag_alloc(arena, (size_t)(doc->nlinks + 2 * count) * sizeof *made->links);
  memcpy(made->links, doc->links, (size_t)doc->nlinks * sizeof *made->links);
  made->joints = ag_alloc(arena, (size_t)(doc->njoints + 2 * count) * sizeof *made->joints);
  made->warnings = NULL, made->nwarnings = 0;
  for (int k = 0; k < doc->nwarnings; ++k)
    ag_note_add(&made->warnings, &made->nwarnings, arena, doc->warnings[k].line, "%s",
                doc->warnings[k].text);
  made->njoints = 0;
  for (int j = 0; j < doc->njoints; ++j) {
    const bool inside = is_inside(doc, &doc->joints[j]);
    ag_urdf_joint *to = &made->joints[made->njoints];
    made->njoints += inside ? 3 : 1;
    if (inside)
      expand(made, &doc->joints[j], to, arena);
    else
      *to = doc->joints[j];
  }
  return made;
}
