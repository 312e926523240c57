/* SPDX-License-Identifier: MIT */
/* compose.c: see compose.h */
#include "model/compose.h"

#include "base/note.h"
#include "model/urdf_bytes.h"

#include <math.h>
#include <string.h>

int ag_document_line(const ag_urdf *doc, const ag_element *element) {
  for (const ag_element *e = element; e; e = e->parent)
    if (strcmp(e->path, doc->path) == 0) return e->line;
  return 0;
}

void ag_document_note(ag_urdf *doc, const char *path, ag_arena *arena) {
  for (int i = 0; i < doc->nothers; ++i)
    if (strcmp(doc->others[i], path) == 0) return;
  doc->others = ag_room(arena, doc->others, doc->nothers, sizeof *doc->others);
  doc->others[doc->nothers++] = path;
}

void ag_document_ignore(ag_urdf *doc, const ag_element *element, const char *what,
                        ag_arena *arena) {
  const int line = ag_document_line(doc, element);
  ag_note_add(&doc->warnings, &doc->nwarnings, arena, line, "%s: ignored", what);
  ag_note_add(&doc->losses, &doc->nlosses, arena, line, "%s: not in the model", what);
}

ag_element *ag_document_include(ag_urdf *doc, const ag_element *from, const char *path,
                                const ag_language *language, ag_arena *arena, ag_err *err) {
  ag_bytes file = {.path = path};
  ag_err why = {.set = false};
  if (!ag_is_regular(path) || !ag_urdf_bytes(&file, false, arena, &why)) {
    ag_fail(err, from->path, from->line, "put it beside the file that includes it",
            "the included file \"%s\" cannot be read", path);
    return NULL;
  }
  if (!ag_urdf_mend(&file, &doc->warnings, &doc->nwarnings, arena, err)) return NULL;
  ag_document_note(doc, path, arena);
  const ag_markup text = {path, file.bytes, file.size, language};
  return ag_markup_read(&text, arena, err);
}

bool ag_document_has_link(const ag_urdf *doc, const char *name) {
  for (int i = 0; i < doc->nlinks; ++i)
    if (strcmp(doc->links[i].name, name) == 0) return true;
  return false;
}

ag_urdf_link *ag_document_link(ag_urdf *doc, const char *name, int line, ag_arena *arena) {
  doc->links = ag_room(arena, doc->links, doc->nlinks, sizeof *doc->links);
  doc->links[doc->nlinks] = (ag_urdf_link){.name = name, .line = line};
  return &doc->links[doc->nlinks++];
}

void ag_document_joint(ag_urdf *doc, const ag_urdf_joint *joint, ag_arena *arena) {
  doc->joints = ag_room(arena, doc->joints, doc->njoints, sizeof *doc->joints);
  doc->joints[doc->njoints++] = *joint;
}

void ag_document_fix(ag_urdf *doc, const char *parent, const char *child, const ag_urdf_pose *pose,
                     ag_arena *arena) {
  const char *name = ag_printf(arena, "%s__fixed", child);
  ag_urdf_joint joint = ag_joint_without_limits(name, AG_FIXED, pose->line);
  joint.parent = parent, joint.child = child;
  joint.origin = *pose;
  ag_document_joint(doc, &joint, arena);
}

ag_urdf_joint ag_joint_without_limits(const char *name, ag_joint_type type, int line) {
  const bool turns_on = type == AG_CONTINUOUS; /* it has none to say */
  return (ag_urdf_joint){.name = name,
                         .line = line,
                         .parent_line = line,
                         .child_line = line,
                         .type = type,
                         .axis_line = line,
                         .axis = {1, 0, 0},
                         .limit_line = line,
                         .lower = turns_on ? (double)NAN : -(double)INFINITY,
                         .upper = turns_on ? (double)NAN : (double)INFINITY,
                         .effort = (double)INFINITY,
                         .velocity = (double)INFINITY,
                         .dynamics_line = line,
                         .multiplier = 1};
}

ag_urdf_pose ag_document_pose(const ag_pose *pose, int line, ag_arena *arena) {
  ag_pose *kept = ag_alloc(arena, sizeof *kept);
  *kept = *pose;
  ag_urdf_pose out = {.line = line, .R = &kept->R[0][0]};
  for (int i = 0; i < 3; ++i) out.xyz[i].value = pose->p[i];
  return out;
}

ag_pose ag_pose_of_document(const ag_urdf_pose *pose) {
  ag_pose out = ag_pose_identity;
  for (int i = 0; i < 3; ++i) out.p[i] = pose->xyz[i].value;
  for (int i = 0; pose->R && i < 9; ++i) out.R[i / 3][i % 3] = pose->R[i];
  return out;
}
