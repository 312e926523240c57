/* SPDX-License-Identifier: MIT */
/* impedance.c: see achd/impedance.h */
#include <achd/impedance.h>

#include "vector.h"

achd_real achd_joint_impedance_torque(const achd_joint_impedance *impedance,
                                      const achd_joint_state *desired,
                                      const achd_joint_state *measured) {
  const achd_real torque = impedance->stiffness * (desired->q - measured->q) +
                           impedance->damping * (desired->qd - measured->qd);
  return achd_finite(torque) ? achd_clamp(torque, -impedance->largest, impedance->largest) : 0;
}

achd_real achd_turn(achd_real from, achd_real to) {
  const achd_real difference = to - from;
  return achd_atan2(achd_sin(difference), achd_cos(difference));
}

/* A spring and a damper along three axes, and the most that they give. */
typedef struct spring {
  const achd_real *stiffness, *damping, *largest;
} spring;

/* What the spring gives: along the axes of the impedance, and back to those of the base. False where
 * numbers overflow. */
static bool push(const achd_rotation *axes, const spring *of, const achd_real apart[3],
                 const achd_real speed[3], achd_real result[3]) {
  const achd_real *stiffness = of->stiffness, *damping = of->damping, *largest = of->largest;
  achd_real e[3], v[3], f[3];
  achd_rotate_back(axes, apart, e);
  achd_rotate_back(axes, speed, v);
  bool finite = true;
  for (int i = 0; i < 3; i++) {
    const achd_real wanted = stiffness[i] * e[i] + damping[i] * v[i];
    finite = finite && achd_finite(wanted);
    f[i] = achd_clamp(wanted, -largest[i], largest[i]);
  }
  achd_rotate(axes, f, result);
  return finite && achd_all_finite(result, 3);
}

bool achd_cartesian_impedance_wrench(const achd_cartesian_impedance *impedance,
                                     const achd_rotation *axes, const achd_pose *desired,
                                     const achd_twist *desired_twist, const achd_pose *measured,
                                     const achd_twist *measured_twist, achd_wrench *wrench) {
  achd_twist apart, speed;
  achd_pose_difference(measured, desired, &apart);
  achd_twist_difference(measured_twist, desired_twist, &speed);
  const spring along = {impedance->stiffness.lin, impedance->damping.lin, impedance->largest.lin};
  const spring about = {impedance->stiffness.ang, impedance->damping.ang, impedance->largest.ang};
  const bool linear = push(axes, &along, apart.lin, speed.lin, wrench->lin);
  const bool angular = push(axes, &about, apart.ang, speed.ang, wrench->ang);
  if (linear && angular) return true;
  achd_zero(wrench->lin, 3);
  achd_zero(wrench->ang, 3);
  return false;
}
