/* impedance.h: springs and dampers by control, at a joint and at a frame. */
#ifndef ACHD_IMPEDANCE_H
#define ACHD_IMPEDANCE_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_joint_impedance {
  achd_real stiffness; /* [N m/rad]; of a slide [N/m] */
  achd_real damping;   /* [N m s/rad]; [N s/m] */
  achd_real largest;   /* most torque, > 0 [N m]; [N] */
} achd_joint_impedance;

/* A joint's position [rad; m] and velocity [rad/s; m/s]. */
typedef struct achd_joint_state {
  achd_real q, qd;
} achd_joint_state;

/* Torque of the impedance: sat( K (q_desired - q) + D (qd_desired - qd) ) [N m; N]; 0 where an
 * input is not finite. Positions of a joint that turns endlessly: pass their difference by
 * achd_turn as desired.q with q = 0. */
achd_real achd_joint_impedance_torque(const achd_joint_impedance *impedance,
                                      const achd_joint_state *desired,
                                      const achd_joint_state *measured);

/* The shortest way between two angles of a joint that turns endlessly: to - from within -pi..pi
 * [rad]. */
achd_real achd_turn(achd_real from, achd_real to);

/* Along and about each of three axes: linear [N/m], [N s/m], [N]; angular [N m/rad], [N m s/rad],
 * [N m]. */
typedef struct achd_cartesian_impedance {
  struct {
    achd_real lin[3], ang[3];
  } stiffness, damping, largest;
} achd_cartesian_impedance;

/* Wrench that draws a frame to a desired pose: K (pose difference) + D (twist difference), each
 * component within its largest. Poses and twists of the frame with respect to the base, twists
 * along the base's axes; `axes`: those of the impedance, to the base's from them. The wrench acts
 * on the frame's body, about its origin, along the base's axes: an artificial wrench for the
 * solver. False, and a wrench of 0, where an input is not finite, or so large that a force is not.
 */
bool achd_cartesian_impedance_wrench(const achd_cartesian_impedance *impedance,
                                     const achd_rotation *axes, const achd_pose *desired,
                                     const achd_twist *desired_twist, const achd_pose *measured,
                                     const achd_twist *measured_twist, achd_wrench *wrench);

#ifdef __cplusplus
}
#endif

#endif
