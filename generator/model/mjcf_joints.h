/* SPDX-License-Identifier: MIT */
/* mjcf_joints.h: <joint>. */
#ifndef AG_MJCF_JOINTS_H
#define AG_MJCF_JOINTS_H

#include "model/mjcf_reader.h"
#include "model/pose.h"

/* A joint of a body. anchor: the point that a hinge turns about, in the body's frame as the file
 * has it; motion: by how much the joint has moved where its position is 0, which `ref` shifts. */
typedef struct ag_mjcf_joint {
  ag_urdf_joint joint; /* without parent, child and origin */
  double anchor[3];
  ag_pose motion;
} ag_mjcf_joint;

/* A <joint> or <freejoint> of a body; inherited: the class of its body's `childclass`. */
bool ag_mjcf_joint_read(ag_mjcf *m, const ag_element *element, int inherited, ag_mjcf_joint *out);

/* The largest of a range's two ends; infinite where it does not count, as its `limited` says. */
bool ag_mjcf_most(const ag_mjcf *m, const ag_mjcf_item *item, const char *range,
                  const char *limited, double *most);

#endif
