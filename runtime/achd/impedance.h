/* SPDX-License-Identifier: MIT */
/* impedance.h: impedance control: virtual springs and dampers at a joint and at a frame. */
#ifndef ACHD_IMPEDANCE_H
#define ACHD_IMPEDANCE_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_joint_impedance {
  achd_real stiffness; /* [N m/rad]; prismatic: [N/m] */
  achd_real damping;   /* [N m s/rad]; [N s/m] */
  achd_real largest;   /* largest magnitude of the torque, > 0 [N m]; [N] */
} achd_joint_impedance;

/* A joint's position [rad; m] and velocity [rad/s; m/s]. */
typedef struct achd_joint_state {
  achd_real q, qd;
} achd_joint_state;

/* Returns the joint torque sat( K (q_desired - q) + D (qd_desired - qd) ) [N m; prismatic: N], or 0
 * if an input is not finite. For a joint without position limits pass the difference of the angles,
 * achd_turn(q, q_desired), as desired->q, and 0 as measured->q. */
achd_real achd_joint_impedance_torque(const achd_joint_impedance *impedance,
                                      const achd_joint_state *desired,
                                      const achd_joint_state *measured);

/* Returns the smallest rotation that leads from one angle to another: to - from, plus or minus a
 * multiple of 2 pi, within -pi..pi [rad]. For joints without position limits. */
achd_real achd_turn(achd_real from, achd_real to);

/* Impedance along and about three axes. stiffness: lin [N/m], ang [N m/rad]; damping: lin [N s/m],
 * ang [N m s/rad]; largest magnitude of each component of the wrench: lin [N], ang [N m]. */
typedef struct achd_cartesian_impedance {
  struct {
    achd_real lin[3], ang[3];
  } stiffness, damping, largest;
} achd_cartesian_impedance;

/* Computes the wrench that pulls a frame towards a desired pose,
 *
 *   K (desired - measured pose) + D (desired - measured twist),
 *
 * where each component is limited to its largest magnitude. Poses and twists are those of the frame
 * with respect to the base, twists at the frame's origin along the axes of the base. `axes`:
 * rotation that turns components along the axes of the impedance into components along the axes of
 * the base. wrench: on the body of the frame, about the frame's origin, along the axes of the base;
 * it is an artificial wrench for the solver. Returns false, with a wrench of 0, if an input or the
 * result is not finite. */
bool achd_cartesian_impedance_wrench(const achd_cartesian_impedance *impedance,
                                     const achd_rotation *axes, const achd_pose *desired,
                                     const achd_twist *desired_twist, const achd_pose *measured,
                                     const achd_twist *measured_twist, achd_wrench *wrench);

#ifdef __cplusplus
}
#endif

#endif
