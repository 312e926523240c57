/* spatial.h: rotations, poses, twists and wrenches, and how far two of them are apart.
 *
 * Memory and meaning are those of the structs in generated headers:
 * ACHD_POSE_OF(fk.pose.tool_frame) and its like take one over, whatever the robot is called. All
 * results go to objects of their own: no output may be an input too. */
#ifndef ACHD_SPATIAL_H
#define ACHD_SPATIAL_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rotation: to the axes of the reference from those of the body; m[row][column] [1]. */
typedef struct achd_rotation {
  achd_real m[3][3];
} achd_rotation;

/* Pose of a body's frame in a reference frame. */
typedef struct achd_pose {
  achd_real p[3];  /* origin, axes of the reference [m] */
  achd_rotation R; /* to the axes of the reference from the body's [1] */
} achd_pose;

/* Twist of a body with respect to a reference: of the body frame's origin, along stated axes. */
typedef struct achd_twist {
  achd_real lin[3]; /* velocity of the origin [m/s] */
  achd_real ang[3]; /* angular velocity [rad/s] */
} achd_twist;

/* Wrench on a body: force, and moment about the body frame's origin, along stated axes. */
typedef struct achd_wrench {
  achd_real lin[3]; /* force [N] */
  achd_real ang[3]; /* moment [N m] */
} achd_wrench;

/* ---- from and to the structs of generated headers ---- */

#define ACHD_POSE_OF(generated) achd_pose_of((generated).p, &(generated).R[0][0])
#define ACHD_TWIST_OF(generated) achd_twist_of((generated).lin, (generated).ang)
#define ACHD_WRENCH_OF(generated) achd_wrench_of((generated).lin, (generated).ang)
/* Into a wrench of a generated header: ACHD_PUT_WRENCH(in.push, wrench). */
#define ACHD_PUT_WRENCH(generated, wrench)                                                         \
  achd_put_wrench((generated).lin, (generated).ang, (wrench).lin, (wrench).ang)

/* p: 3 numbers; R: 9, by rows. */
static inline achd_pose achd_pose_of(const achd_real *p, const achd_real *R) {
  achd_pose pose;
  for (int i = 0; i < 3; i++) {
    pose.p[i] = p[i];
    for (int j = 0; j < 3; j++) pose.R.m[i][j] = R[3 * i + j];
  }
  return pose;
}

static inline achd_twist achd_twist_of(const achd_real *lin, const achd_real *ang) {
  achd_twist twist;
  for (int i = 0; i < 3; i++) twist.lin[i] = lin[i], twist.ang[i] = ang[i];
  return twist;
}

static inline achd_wrench achd_wrench_of(const achd_real *lin, const achd_real *ang) {
  achd_wrench wrench;
  for (int i = 0; i < 3; i++) wrench.lin[i] = lin[i], wrench.ang[i] = ang[i];
  return wrench;
}

static inline void achd_put_wrench(achd_real *to_lin, achd_real *to_ang, const achd_real *lin,
                                   const achd_real *ang) {
  for (int i = 0; i < 3; i++) to_lin[i] = lin[i], to_ang[i] = ang[i];
}

/* ---- vectors and frames ---- */

/* r = R v: components along the reference's axes of what has components v along the body's. */
void achd_rotate(const achd_rotation *R, const achd_real v[3], achd_real r[3]);
/* r = R^T v: the other way. */
void achd_rotate_back(const achd_rotation *R, const achd_real v[3], achd_real r[3]);
/* C = A B and C = A^T B */
void achd_rotation_product(const achd_rotation *A, const achd_rotation *B, achd_rotation *C);
void achd_rotation_quotient(const achd_rotation *A, const achd_rotation *B, achd_rotation *C);

/* Pose of c in a, from the pose of b in a and of c in b. */
void achd_pose_product(const achd_pose *ab, const achd_pose *bc, achd_pose *ac);
/* Pose of b in a, from the pose of a in r and of b in r. */
void achd_pose_relative(const achd_pose *ra, const achd_pose *rb, achd_pose *ab);

/* The same wrench about another point: moment + (from - to) x force. `from`, `to` [m] and the
 * wrench along common axes. */
void achd_wrench_shift(const achd_wrench *wrench, const achd_real from[3], const achd_real to[3],
                       achd_wrench *shifted);

/* ---- rotations and rotation vectors ---- */

/* Rotation by the angle |v| [rad] about the axis v / |v|: R = 1 + a [v] + b [v]^2 (Rodrigues),
 * a = sin|v| / |v|, b = (1 - cos|v|) / |v|^2. */
void achd_rotation_exp(const achd_real v[3], achd_rotation *R);

/* The rotation vector of R, 0 <= |v| <= pi [rad]: by R's unit quaternion, so that no digits are
 * lost near 0 and near pi. At pi, where both signs are right, the largest component is positive. R
 * may be off a rotation by rounding. */
void achd_rotation_log(const achd_rotation *R, achd_real v[3]);

/* ---- differences ---- */

/* The constant twist that leads from one pose to the other within one second, position and
 * orientation apart: lin = p_to - p_from [m], ang = log(R_to R_from^T) [rad], along the reference's
 * axes. */
void achd_pose_difference(const achd_pose *from, const achd_pose *to, achd_twist *difference);

/* to - from, both along the same axes at the same point. */
void achd_twist_difference(const achd_twist *from, const achd_twist *to, achd_twist *difference);

#ifdef __cplusplus
}
#endif

#endif
