/* SPDX-License-Identifier: MIT */
// mujoco_oracle.hpp: MuJoCo on the same robot, through MJCF that we write: inertias diagonalised in
// long double (its own compiler leaves 1e-8), no damping, friction, limits or contacts.
//
// Results are in our coordinates: base linear and angular velocity along WORLD axes (MuJoCo's free
// joint has the angular part along the body's), then dofs; mimic joints reduced exactly (M' = P^T M
// P).
#pragma once

#include <memory>
#include <string>

#include "kkt.hpp"

struct mjModel_;
struct mjData_;

namespace oracle {

// The robot as MJCF text; every link is a site of its own name prefixed by "at ".
std::string mjcf(const Robot &robot);

// The robot with the inertias that a state gives at run time.
Robot with_inertias(const Robot &robot, const State &state);

class Mujoco {
public:
  explicit Mujoco(const Robot &robot); // throws where MuJoCo refuses the model
  ~Mujoco();

  void set(const State &state); // q, qd, base, gravity, armature; not inertia

  Eigen::MatrixXd M() const;
  Eigen::VectorXd h() const;                 // bias: Coriolis, centrifugal, gravity
  Eigen::MatrixXd jacobian(int link) const;  // 6 x nv, at the link's origin, world axes
  Eigen::VectorXd twist(int link) const;     // at the link's origin, world axes
  double kinetic() const, potential() const; // [J]; potential zero at the world's origin
  // Of all that moves: centre of mass, its 3 x nv Jacobian, angular momentum about it.
  struct Mass {
    Eigen::Vector3d c, l;
    Eigen::MatrixXd J;
  };
  Mass mass() const;
  Eigen::Matrix3d R(int link) const;
  Eigen::Vector3d p(int link) const;

  // Forward dynamics under the joint torques tau (by dof) and wrenches.
  Eigen::VectorXd forward(const Eigen::VectorXd &tau, const std::vector<Wrench> &wrenches);
  // Inverse dynamics: the forces, by coordinate of v, that give vdot.
  Eigen::VectorXd inverse(const Eigen::VectorXd &vdot, const std::vector<Wrench> &wrenches);
  // Acceleration of a link's frame in the last forward() or inverse(): classical, world axes,
  // gravity not in it.
  Eigen::VectorXd acceleration(int link) const;

private:
  struct FreeModel {
    void operator()(mjModel_ *m) const;
  };
  struct FreeData {
    void operator()(mjData_ *d) const;
  };
  int site(int link) const;
  Eigen::VectorXd applied(const std::vector<Wrench> &wrenches); // as a force on qvel
  Robot robot;
  std::unique_ptr<mjModel_, FreeModel> m;
  std::unique_ptr<mjData_, FreeData> d;
  Eigen::MatrixXd T; // MuJoCo's velocity to ours: u_mj = T u (mimic and world axes)
  bool mimic = false;
};

} // namespace oracle
