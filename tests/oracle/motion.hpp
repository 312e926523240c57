/* SPDX-License-Identifier: MIT */
// motion.hpp: kinematics and joint-space dynamics of a tree from their definitions: poses, twists,
// Jacobians and classical accelerations of every link by plain rigid-body kinematics, then M and h
// as sums over the links. No spatial vectors, no articulated inertia.
#pragma once

#include <functional>
#include <map>

#include "robot.hpp"

namespace oracle {

// "World" below: the axes of the base link for a fixed base, those of the world for a moving one.
// The point of reference of positions is the base link's origin.
struct State {
  Vec q, qd;                            // by dof [rad, m], [rad/s, m/s]
  Mat3 base_R = Mat3::Identity();       // base link's axes to the world's (moving base)
  Vec4 base_quat = Vec4(1, 0, 0, 0);    // the same as w x y z, floating; whoever sets one sets both
  real base_yaw = 0;                    // the same, planar [rad]
  Vec6 base_twist = Vec6::Zero();       // of the base link at its origin, world axes (moving base)
  Vec3 gravity = Vec3::Zero();          // world axes, pointing down [m/s^2]
  Vec armature;                         // rotor inertia by dof [kg m^2, kg]; empty: none
  std::map<int, OriginInertia> inertia; // by link: in place of its own
};

// Zero state of a robot.
State rest(const Robot &robot);

// Motion of one link. Coordinates of v: base first (floating: linear and angular velocity of the
// base link at its origin; planar: x, y, yaw rate; world axes), then joints by dof.
struct LinkMotion {
  Mat3 R;  // link's axes to world's
  Vec3 p;  // origin, from the base's origin, world axes [m]
  Vec3 v;  // velocity of the origin, world axes [m/s]
  Vec3 w;  // angular velocity, world axes [rad/s]
  Vec3 a;  // classical acceleration of the origin where vdot = 0, no gravity [m/s^2]
  Vec3 al; // angular acceleration where vdot = 0 [rad/s^2]
  Jac Jv;  // v = Jv u, u the generalised velocity
  Jac Jw;  // w = Jw u
};

struct Motion {
  int nb = 0, nv = 0;
  std::vector<LinkMotion> links;
  Vec u;                   // generalised velocity
  Mat M;                   // joint-space inertia, rotors on its diagonal
  Vec h;                   // M vdot + h = tau + J^T f
  Vec h_gravity;           // its part by gravity
  real kinetic, potential; // [J]; potential zero at the base's origin, rotors counted in kinetic
  // Empty, or what rounding does to a sum in the solve, by the sizes of its terms (blur.hpp).
  std::function<void(Mat &sum, const Mat &terms)> rounding;
};

Motion motion(const Robot &robot, const State &state);

// 6 x nv Jacobian of a link's frame at its origin, linear rows first.
Mat jacobian(const Motion &motion, int link);

// Acceleration of a link's frame under vdot: classical, or spatial (linear part less w x v).
Vec6 acceleration(const Motion &motion, int link, const Vec &vdot, bool classical = true);

// Twist of a link's frame at its origin.
Vec6 twist(const Motion &motion, int link);

// Centre of mass and momentum of all that moves, links only: a rotor's own is in no link.
struct MassMotion {
  real m = 0;
  Vec3 c; // centre of mass, from the base's origin, world axes [m]
  Vec3 v; // its velocity
  Vec3 a; // its acceleration where vdot = 0, no gravity
  Jac J;  // v = J u
  Vec3 l; // angular momentum about the centre of mass, world axes [kg m^2/s]
};
MassMotion mass_motion(const Robot &robot, const State &state, const Motion &motion);

} // namespace oracle
