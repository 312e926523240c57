/* SPDX-License-Identifier: MIT */
/* urdf_gaps.c: see urdf_gaps.h */
#include "model/urdf_gaps.h"

#include <math.h>
#include <string.h>

static void fill_products(ag_urdf *doc, ag_urdf_link *link, ag_arena *arena) {
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const char *missing = "";
  for (int i = 0; i < 6; ++i) {
    if (!isnan(link->inertia[i])) continue;
    link->inertia[i] = 0;
    missing = ag_printf(arena, "%s%s%s", missing, *missing ? ", " : "", names[i]);
  }
  if (*missing && link->inertia_line > 0)
    ag_note_add(&doc->warnings, &doc->nwarnings, arena, link->inertia_line,
                "<inertia> of link \"%s\" has no %s: taken as 0", link->name, missing);
}

/* It stands still, as simulators have it. */
static void add_world(ag_urdf *doc, ag_arena *arena) {
  const ag_urdf_joint *first = NULL;
  for (int i = 0; i < doc->nlinks; ++i)
    if (strcmp(doc->links[i].name, "world") == 0) return;
  for (int i = doc->njoints - 1; i >= 0; --i)
    if (strcmp(doc->joints[i].parent, "world") == 0) first = &doc->joints[i];
  if (!first) return;
  doc->links[doc->nlinks++] = (ag_urdf_link){.name = "world", .line = first->parent_line};
  ag_note_add(
      &doc->warnings, &doc->nwarnings, arena, first->parent_line,
      "joint \"%s\": its parent link \"world\" is not there: taken as a link that stands still",
      first->name);
}

void ag_urdf_fill_gaps(ag_urdf *doc, ag_arena *arena) {
  for (int i = 0; i < doc->nlinks; ++i) fill_products(doc, &doc->links[i], arena);
  add_world(doc, arena);
}
