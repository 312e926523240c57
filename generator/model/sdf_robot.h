/* SPDX-License-Identifier: MIT */
/* sdf_robot.h: SDF, Gazebo's format, versions 1.4 to 1.9, to a raw document. */
#ifndef AG_SDF_ROBOT_H
#define AG_SDF_ROBOT_H

#include "base/err.h"
#include "model/document.h"
#include "model/markup.h"

/* root: <sdf>. The robot is the one model of the file, or of its world; models within it, and those
 * that it includes by file, are parts of it, whose links are called `model::link`. What is in the file
 * and not in the document is in doc->losses. */
bool ag_sdf_of(ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err);

#endif
