/* SPDX-License-Identifier: MIT */
/* planar.h: planar joints inside a tree. */
#ifndef AG_PLANAR_H
#define AG_PLANAR_H

#include "model/document.h"

/* The document with each planar joint that does not stand at the root written as three: prismatic
 * along x and y of the joint's frame, and a revolute one about z, NAME_x, NAME_y and NAME_yaw, with
 * massless links NAME_x and NAME_y in between; with a warning that says so. The document itself
 * where there is none; also a joint stays whose axis is not z, which is an error of its own. */
const ag_urdf *ag_planar_expand(const ag_urdf *doc, ag_arena *arena);

#endif
