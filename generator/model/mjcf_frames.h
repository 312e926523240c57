/* SPDX-License-Identifier: MIT */
/* mjcf_frames.h: positions and orientations as MJCF writes them. */
#ifndef AG_MJCF_FRAMES_H
#define AG_MJCF_FRAMES_H

#include "model/mjcf_reader.h"
#include "model/pose.h"

/* The pose of an element: pos, and quat, axisangle, euler, xyaxes or zaxis; identity where it has
 * none. */
bool ag_mjcf_pose(const ag_mjcf *m, const ag_mjcf_item *item, ag_pose *pose);

/* The shortest rotation that turns z into a direction of any length but 0. */
void ag_mjcf_turn_z(const double direction[3], double R[3][3]);

#endif
