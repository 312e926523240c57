/* SPDX-License-Identifier: MIT */
/* pose.h: poses and inertias: of a URDF's elements, and their algebra. */
#ifndef AG_POSE_H
#define AG_POSE_H

#include "base/note.h"
#include "model/document.h"

/* Pose of a frame {C} in a frame {P}: p is C's origin [m], R maps components in C to components in
 * P (its columns are C's axes). */
typedef struct ag_pose {
  double p[3];
  double R[3][3];
} ag_pose;

/* Rigid-body inertia about a frame's origin, along its axes: mass [kg], first moment m c [kg m],
 * rotational inertia xx xy xz yy yz zz about the ORIGIN [kg m^2] (xy is the tensor's element). */
typedef struct ag_inertia {
  double m, h[3], I[6];
} ag_inertia;

/* The multiple k of pi/4 that the angle is, rounded to the decimals written, four at least, or cut off
 * after five or more; false: none is.
 * Decides what ag_model_build's snap does. */
bool ag_snap_angle(ag_decimal angle, int *k);

/* The pose of an <origin>: R = Rz(yaw) Ry(pitch) Rx(roll). With snap, each angle that snapping
 * changes is noted in the list under the name of its owner. */
ag_pose ag_pose_of_origin(const ag_urdf_pose *origin, bool snap, const char *owner, ag_note **notes,
                          int *nnotes, ag_arena *arena);

/* A joint's motion by q, from the joint frame at q = 0: about or along the unit axis. With snap, a
 * q that is the double nearest to a multiple of pi/4 is taken for it. */
ag_pose ag_pose_of_motion(ag_joint_type type, const double axis[3], double q, bool snap);

extern const ag_pose ag_pose_identity;

/* The pose of c in a, from the pose of b in a, and of c in b. */
ag_pose ag_pose_mul(const ag_pose *ab, const ag_pose *bc);

/* The pose of b as a sees it: the pose of b in a, from those of both in one frame. */
ag_pose ag_pose_between(const ag_pose *a, const ag_pose *b);

/* The length of a direction v, 0 of 0 0 0; one whose squares are 0 or infinite is scaled first. */
double ag_direction_length(double v[3]);

/* The rotation about a unit axis by an angle of this sine and cosine. */
void ag_rotation_about(const double axis[3], double s, double c, double R[3][3]);

/* The rotation of a quaternion w x y z of any length but 0. */
void ag_rotation_of_quaternion(const double quaternion[4], double R[3][3]);

/* Inertia given in {C}, expressed about {P}'s origin in {P}'s axes, pose of {C} in {P}. */
ag_inertia ag_inertia_transform(const ag_pose *pose, const ag_inertia *inertia);

/* Adds b to a. */
void ag_inertia_add(ag_inertia *a, const ag_inertia *b);

/* The centre of mass, 0 where there is no mass, and the rotational inertia about it: xx xy xz yy yz zz. */
void ag_inertia_centre(const ag_inertia *inertia, double centre[3], double central[6]);

/* Eigenvalues of the symmetric tensor xx xy xz yy yz zz, the least first. */
void ag_principal_moments(const double tensor[6], double moments[3]);

/* Whether a body can have this inertia: mass, and principal moments about its centre of mass, none
 * of which is negative by more than rounding. */
bool ag_inertia_possible(const ag_inertia *inertia);

#endif
