/* SPDX-License-Identifier: MIT */
/* robot_file.c: see robot_file.h */
#include "model/robot_file.h"

#include "model/markup.h"
#include "model/mjcf_robot.h"
#include "model/plausible.h"
#include "model/sdf_robot.h"
#include "model/urdf.h"
#include "model/urdf_bytes.h"

#include <string.h>

bool ag_robot_read(const char *path, bool snap, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  const bool standard = strcmp(path, "-") == 0;
  if (standard) path = "standard input";
  *doc = (ag_urdf){.path = ag_strdup(arena, path), .snap = snap};
  ag_bytes file = {.path = path};
  if (!ag_urdf_bytes(&file, standard, arena, err)) return false;
  if (standard) {
    doc->text = memcpy(ag_alloc(arena, file.size), file.bytes, file.size);
    doc->length = file.size;
  }
  const char *other = ag_other_bytes(file.bytes, file.size);
  if (other)
    return ag_fail(err, doc->path, 1, "export the robot as URDF, MJCF or SDF",
                   "this is %s, not a robot that is read", other);
  if (!ag_urdf_mend(&file, &doc->warnings, &doc->nwarnings, arena, err)) return false;
  if (ag_urdf_is_xacro(doc, arena, err)) return false;
  const ag_markup text = {doc->path, file.bytes, file.size, ag_language_of(file.bytes, file.size)};
  ag_element *root = ag_markup_read(&text, arena, err);
  if (!root) return false;
  if (ag_element_is(root, ag_language_sdf.root)) return ag_sdf_of(root, doc, arena, err);
  if (ag_element_is(root, ag_language_mjcf.root)) return ag_mjcf_of(root, doc, arena, err);
  return ag_urdf_of(root, doc, arena, err);
}

bool ag_robot_model(const char *path, bool snap, ag_urdf *doc, ag_model *model, ag_arena *arena,
                    ag_err *err) {
  if (!ag_robot_read(path, snap, doc, arena, err)) return false;
  if (!ag_model_build(doc, snap, model, arena, err)) return false;
  ag_plausible(doc, model, arena);
  return true;
}
