/* SPDX-License-Identifier: MIT */
/* compound.c: see compound.h */
#include "model/compound.h"

#include "base/note.h"

#include <math.h>
#include <string.h>

/* How many joints of one freedom a joint becomes. */
static int parts_of(const ag_urdf_joint *joint) {
  return joint->type == AG_BALL ? 3 : joint->type == AG_UNIVERSAL ? 2 : 1;
}

/* The links of a joint from its parent to its child; those in between are added, with the names of the
 * joints before them. */
static void add_links(ag_urdf *doc, const ag_urdf_joint *joint, const char *const names[3],
                      const char *links[4]) {
  const int count = parts_of(joint);
  links[0] = joint->parent, links[count] = joint->child;
  for (int k = 1; k < count; ++k) {
    links[k] = names[k - 1];
    doc->links[doc->nlinks++] = (ag_urdf_link){.name = links[k], .line = joint->line};
  }
}

/* The three of a ball turn about the axes of the child; only the whole of them has a position. */
static void expand_ball(ag_urdf *doc, const ag_urdf_joint *joint, ag_urdf_joint *to,
                        ag_arena *arena) {
  static const char axes[] = "xyz";
  const char *names[3], *links[4];
  for (int k = 0; k < 3; ++k) names[k] = ag_printf(arena, "%s_%c", joint->name, axes[k]);
  add_links(doc, joint, names, links);
  for (int k = 0; k < 3; ++k) {
    to[k] = *joint;
    to[k].name = names[k], to[k].parent = links[k], to[k].child = links[k + 1];
    to[k].type = AG_CONTINUOUS;
    to[k].lower = to[k].upper = (double)NAN;
    to[k].axis_line = joint->axis_line ? joint->axis_line : joint->line;
    for (int i = 0; i < 3; ++i) to[k].axis[i] = i == k;
    to[k].ball = k + 1, to[k].ball_name = joint->name;
    if (k > 0) to[k].origin = (ag_urdf_pose){0};
  }
}

/* The second of a universal joint turns with the cross, which the first one turns. */
static void expand_universal(ag_urdf *doc, const ag_urdf_joint *joint, ag_urdf_joint *to,
                             ag_arena *arena) {
  const char *names[3], *links[4];
  for (int k = 0; k < 2; ++k) names[k] = ag_printf(arena, "%s_%d", joint->name, k + 1);
  add_links(doc, joint, names, links);
  to[0] = *joint, to[1] = *joint->second;
  to[1].origin = (ag_urdf_pose){0};
  for (int k = 0; k < 2; ++k) {
    to[k].name = names[k], to[k].parent = links[k], to[k].child = links[k + 1];
    to[k].second = NULL;
    const bool limited = isfinite(to[k].lower) || isfinite(to[k].upper);
    to[k].type = limited ? AG_REVOLUTE : AG_CONTINUOUS;
    if (!limited) to[k].lower = to[k].upper = (double)NAN;
  }
}

static void expand(ag_urdf *made, const ag_urdf_joint *joint, ag_arena *arena) {
  ag_urdf_joint *to = &made->joints[made->njoints];
  made->njoints += parts_of(joint);
  if (joint->type == AG_BALL)
    expand_ball(made, joint, to, arena);
  else if (joint->type == AG_UNIVERSAL)
    expand_universal(made, joint, to, arena);
  else
    *to = *joint;
}

const ag_urdf *ag_compound_expand(const ag_urdf *doc, ag_arena *arena) {
  int more = 0;
  for (int j = 0; j < doc->njoints; ++j) more += parts_of(&doc->joints[j]) - 1;
  if (more == 0) return doc;
  ag_urdf *made = ag_alloc(arena, sizeof *made);
  *made = *doc;
  made->links = ag_alloc(arena, (size_t)(doc->nlinks + more) * sizeof *made->links);
  memcpy(made->links, doc->links, (size_t)doc->nlinks * sizeof *made->links);
  made->joints = ag_alloc(arena, (size_t)(doc->njoints + more) * sizeof *made->joints);
  made->njoints = 0;
  for (int j = 0; j < doc->njoints; ++j) expand(made, &doc->joints[j], arena);
  return made;
}
