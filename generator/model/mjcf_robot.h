/* SPDX-License-Identifier: MIT */
/* mjcf_robot.h: MJCF, MuJoCo's XML, to a raw document. */
#ifndef AG_MJCF_ROBOT_H
#define AG_MJCF_ROBOT_H

#include "base/err.h"
#include "model/document.h"
#include "model/markup.h"

/* root: <mujoco>. Bodies become links, joints stand one after another where a body has several, a
 * free joint at the top makes the base floating. Reads the files that it includes, and meshes whose
 * volume gives a body its mass. What is in the file and not in the document is in doc->losses. */
bool ag_mjcf_of(ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err);

#endif
