/* SPDX-License-Identifier: MIT */
/* urdf_gears.h: the <transmission>s of a URDF, as texts: a layout says whether it wants them, and what is wrong then. */
#ifndef AG_URDF_GEARS_H
#define AG_URDF_GEARS_H

#include "model/document.h"
#include "model/markup.h"

/* Adds those of the robot, and of its <ros2_control>. */
void ag_urdf_read_gears(ag_urdf *doc, const ag_element *robot, ag_arena *arena);

#endif
