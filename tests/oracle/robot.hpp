/* SPDX-License-Identifier: MIT */
// robot.hpp: a robot as its URDF writes it, for the oracles: the full tree, fixed joints unmerged,
// every number parsed from its decimal text in long double. Shares no code with the generator.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "linear.hpp"

namespace oracle {

enum class JointType { fixed, revolute, prismatic }; // a continuous joint is revolute
enum class Base { fixed, planar, floating };

// Rigid-body inertia of a link about its URDF frame's origin, along that frame's axes: mass [kg],
// first moment m c [kg m], rotational inertia about the ORIGIN [kg m^2].
struct OriginInertia {
  real m = 0;
  Vec3 h = Vec3::Zero();
  Mat3 I = Mat3::Zero();
};

// The same with the centre of mass c [m] and the rotational inertia about c.
struct Inertia {
  real m = 0;
  Vec3 c = Vec3::Zero();
  Mat3 I = Mat3::Zero();
};
// I_c = I_o + m [c]x [c]x, c = h / m; m = 0 must come with h = 0.
Inertia at_com(const OriginInertia &o);
OriginInertia at_origin(const Inertia &c);

// Joint that carries a link: child frame in the parent link's frame is (R, p), then the motion
// along or about `axis` (unit, in the child's frame).
struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();
  Vec3 axis = Vec3::UnitX();
  real lower = -std::numeric_limits<real>::infinity(); // [rad, m]
  real upper = std::numeric_limits<real>::infinity();
  // Joint coordinate = ratio * q[dof] + offset; ratio 1 and offset 0 but for mimic joints.
  int dof = -1;
  real ratio = 1, offset = 0;
};

struct Link {
  std::string name;
  int parent = -1; // index of a link that stands before; -1: root
  Joint joint;     // of the root: fixed at identity
  Inertia inertia; // axes of the link frame
};

// One independent joint coordinate.
struct Dof {
  std::string name; // the joint's
  int link;         // that the joint carries
  bool prismatic;
  bool passive = false; // no motor
  real effort;          // [N m, N]; infinity: none
};

struct Robot {
  std::string name;
  Base base = Base::fixed;
  std::vector<Link> links; // parents first, depth first, children in the file's order
  std::vector<Dof> dofs;   // in the order of the links

  int nd() const { return int(dofs.size()); }                                       // joints
  int nb() const { return base == Base::fixed ? 0 : base == Base::planar ? 3 : 6; } // base
  int nv() const { return nb() + nd(); }
  int link(const std::string &name) const; // throws where there is none
  int dof(const std::string &name) const;  // of an independent joint's name; throws
  real mass() const;
  bool moves(int link) const; // by joints or with the base
};

// What is taken of a URDF.
struct Selection {
  std::string root;                   // link; empty: the file's
  std::vector<std::string> tips;      // moving joints that lead to none of them go; empty: all stay
  std::map<std::string, real> locked; // joints frozen at a position
  std::vector<std::string> passive;
  std::map<std::string, real> effort; // over the file's
  Base base = Base::fixed;
};

Robot parse_urdf(const std::string &text, const Selection &selection = {});
Robot read_urdf(const std::string &path, const Selection &selection = {});

// The same robot with every rigidly attached link's inertia moved into the link that moves (or the
// root); frames stay, their inertia becomes zero. For exporters to other libraries.
Robot merge_fixed(const Robot &robot);

} // namespace oracle
