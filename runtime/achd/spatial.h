/* SPDX-License-Identifier: MIT */
/* spatial.h: rotations, poses, twists and wrenches, and the differences between them.
 *
 * The structs have the same fields and meaning as those of generated headers, whose names contain
 * the robot's name: ACHD_POSE_OF(fk.pose.tool_frame) and similar macros convert them. In all
 * functions, outputs must not overlap inputs. */
#ifndef ACHD_SPATIAL_H
#define ACHD_SPATIAL_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rotation matrix m[row][column] [1]: turns components along the axes of the body into components
 * along the axes of the reference; its columns are the body's axes. */
typedef struct achd_rotation {
  achd_real m[3][3];
} achd_rotation;

/* Pose of a body's frame in a reference frame. */
typedef struct achd_pose {
  achd_real p[3];  /* origin of the body's frame, along the axes of the reference [m] */
  achd_rotation R; /* orientation of the body's frame [1] */
} achd_pose;

/* Twist of a body with respect to a reference, at the origin of the body's frame. Each function
 * says along which axes. */
typedef struct achd_twist {
  achd_real lin[3]; /* velocity of the origin [m/s] */
  achd_real ang[3]; /* angular velocity [rad/s] */
} achd_twist;

/* Wrench on a body, about the origin of the body's frame. Each function says along which axes. */
typedef struct achd_wrench {
  achd_real lin[3]; /* force [N] */
  achd_real ang[3]; /* moment [N m] */
} achd_wrench;

/* ---- from and to the structs of generated headers ---- */

/* The pose, twist or wrench of this library that equals one of a generated header, by value. */
#define ACHD_POSE_OF(generated) achd_pose_of((generated).p, &(generated).R[0][0])
#define ACHD_TWIST_OF(generated) achd_twist_of((generated).lin, (generated).ang)
#define ACHD_WRENCH_OF(generated) achd_wrench_of((generated).lin, (generated).ang)
/* Copies a wrench of this library into one of a generated header: ACHD_PUT_WRENCH(in.push, w). */
#define ACHD_PUT_WRENCH(generated, wrench)                                                         \
  achd_put_wrench((generated).lin, (generated).ang, (wrench).lin, (wrench).ang)

/* The pose with origin p[3] [m] and rotation R[9], by rows. */
static inline achd_pose achd_pose_of(const achd_real *p, const achd_real *R) {
  achd_pose pose;
  for (int i = 0; i < 3; i++) {
    pose.p[i] = p[i];
    for (int j = 0; j < 3; j++) pose.R.m[i][j] = R[3 * i + j];
  }
  return pose;
}

/* The twist with linear part lin[3] [m/s] and angular part ang[3] [rad/s]. */
static inline achd_twist achd_twist_of(const achd_real *lin, const achd_real *ang) {
  achd_twist twist;
  for (int i = 0; i < 3; i++) twist.lin[i] = lin[i], twist.ang[i] = ang[i];
  return twist;
}

/* The wrench with force lin[3] [N] and moment ang[3] [N m]. */
static inline achd_wrench achd_wrench_of(const achd_real *lin, const achd_real *ang) {
  achd_wrench wrench;
  for (int i = 0; i < 3; i++) wrench.lin[i] = lin[i], wrench.ang[i] = ang[i];
  return wrench;
}

/* Copies a force lin[3] [N] and a moment ang[3] [N m]. */
static inline void achd_put_wrench(achd_real *to_lin, achd_real *to_ang, const achd_real *lin,
                                   const achd_real *ang) {
  for (int i = 0; i < 3; i++) to_lin[i] = lin[i], to_ang[i] = ang[i];
}

/* ---- vectors and frames ---- */

/* r = R v: v has components along the axes of the body, r along those of the reference. */
void achd_rotate(const achd_rotation *R, const achd_real v[3], achd_real r[3]);
/* r = R^T v: v has components along the axes of the reference, r along those of the body. */
void achd_rotate_back(const achd_rotation *R, const achd_real v[3], achd_real r[3]);
/* C = A B: if A is the orientation of b in a, and B that of c in b, C is that of c in a. */
void achd_rotation_product(const achd_rotation *A, const achd_rotation *B, achd_rotation *C);
/* C = A^T B: if A and B are the orientations of a and b in r, C is that of b in a. */
void achd_rotation_quotient(const achd_rotation *A, const achd_rotation *B, achd_rotation *C);

/* ac: pose of c in a, from the pose of b in a and the pose of c in b. */
void achd_pose_product(const achd_pose *ab, const achd_pose *bc, achd_pose *ac);
/* ab: pose of b in a, from the poses of a and b in r. */
void achd_pose_relative(const achd_pose *ra, const achd_pose *rb, achd_pose *ab);

/* shifted: the same wrench with its moment about the point `to` in place of `from`: the moment
 * becomes moment + (from - to) x force. Points [m] and wrenches have components along the same
 * axes. */
void achd_wrench_shift(const achd_wrench *wrench, const achd_real from[3], const achd_real to[3],
                       achd_wrench *shifted);

/* ---- rotations and rotation vectors ---- */

/* Rotation by the angle |v| [rad] about the axis v / |v|: R = 1 + a [v] + b [v]^2 (Rodrigues),
 * a = sin|v| / |v|, b = (1 - cos|v|) / |v|^2. */
void achd_rotation_exp(const achd_real v[3], achd_rotation *R);

/* v: rotation vector of R, the inverse of achd_rotation_exp, 0 <= |v| <= pi [rad]. It is computed
 * by the unit quaternion of R, so that it is accurate near 0 and near pi. At pi, where v and -v are
 * the same rotation, the largest component is positive. R is a rotation up to rounding. */
void achd_rotation_log(const achd_rotation *R, achd_real v[3]);

/* ---- differences ---- */

/* difference: lin = p_to - p_from [m], ang = log(R_to R_from^T) [rad], along the axes of the
 * reference. Taken as a constant twist, it leads from one pose to the other within one second. */
void achd_pose_difference(const achd_pose *from, const achd_pose *to, achd_twist *difference);

/* difference: to - from [m/s, rad/s]; both at the same point and along the same axes. */
void achd_twist_difference(const achd_twist *from, const achd_twist *to, achd_twist *difference);

#ifdef __cplusplus
}
#endif

#endif
