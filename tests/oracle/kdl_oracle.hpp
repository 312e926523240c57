/* SPDX-License-Identifier: MIT */
// kdl_oracle.hpp: Orocos KDL on a serial robot, its conventions turned into ours.
//
// KDL wants as many joints as segments, inertias in each segment's TIP frame, root_acc = -gravity,
// and beta = alfa^T (X'' - g) with X'' spatial; its nu has the opposite sign, and in a row that a
// zero column of alfa masks it is now and then any number at all (which then acts on nothing).
// (Debian's 1.5.1.)
#pragma once

#include <map>
#include <vector>

#include "kkt.hpp"

namespace oracle {

struct KdlResult {
  Eigen::VectorXd qdd, nu; // by dof; by row, 0 where masked
  std::vector<Eigen::VectorXd>
      acc;                   // by moving link on the chain: spatial, true, world axes, origin
  std::vector<int> acc_link; // the link each is of (the last one: the tip)
  Eigen::VectorXd constraint_torques; // KDL's own; tau_apparent up to sign
  int error = 0;
};

struct KdlModel {
  Eigen::MatrixXd M; // ChainDynParam
  Eigen::VectorXd h; // RNE at qdd = 0
  Eigen::MatrixXd J; // 6 x nd at the tip, base axes
  Eigen::Matrix3d R; // of the tip
  Eigen::Vector3d p;
};

// What KDL's other solvers say: positions, velocities and dynamics.
struct KdlFrame { // of a link, axes of the base, at its origin
  Eigen::Matrix3d R;
  Eigen::Vector3d p;
  Eigen::VectorXd twist; // ChainFkSolverVel
  Eigen::MatrixXd J;     // ChainJntToJacSolver, by dof
  Eigen::VectorXd jdqd;  // ChainJntToJacDotSolver, its hybrid representation: classical
};
struct KdlFamily {
  std::map<int, KdlFrame> frames;    // of the links at the segments' tips
  Eigen::MatrixXd M;                 // ChainDynParam, rotors included
  Eigen::VectorXd gravity, coriolis; // ChainDynParam; the latter times qd
  Eigen::VectorXd tau, qdd;          // ChainIdSolver_RNE of `qdd`; ChainFdSolver_RNE of `tau`
  double kinetic;                    // of M
  double potential;                  // of the segments' masses
};
KdlFamily kdl_family(const Robot &robot, const State &state, int tip, const Vec &qdd,
                     const Vec &tau, const std::vector<Wrench> &wrenches);

// All of them: fixed base, no mimic, and every moving joint on the way from the root to `tip`:
// otherwise throws. Inertias given at run time and armature are built into the chain.
KdlResult kdl_solve(const Robot &robot, const State &state, const Problem &problem, int tip);
KdlModel kdl_model(const Robot &robot, const State &state, int tip);

} // namespace oracle
