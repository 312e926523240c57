/* SPDX-License-Identifier: MIT */
// opponents.hpp: what others need for the same problems: KDL's solvers and MuJoCo, each with its
// models and inputs made beforehand, so that a batch is solving and nothing else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "oracle/kkt.hpp"

namespace bench {

// One state and everything that any of the functions takes.
struct Input {
  oracle::State state;         // q, qd, gravity
  Eigen::VectorXd qdd, tau;    // by dof, for id and fd
  std::vector<double> b, mask; // by row
};

struct Opponent {
  std::string name;
  std::function<double()> batch;                     // solves every state, returns a sum
  std::function<std::vector<double>(size_t)> result; // of one state: qdd, tau or a pose
};

// Rows 0..5: unit directions lin x y z, ang x y z of the base's axes, at the origin of `tip`.
Opponent kdl_constrained(const oracle::Robot &robot, int tip, const std::vector<int> &rows,
                         const std::vector<Input> &inputs); // ChainHdSolver_Vereshchagin
Opponent kdl_forward(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs);
Opponent kdl_inverse(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs);
// Pose: origin, then the rotation by rows.
Opponent kdl_pose(const oracle::Robot &robot, int tip, const std::vector<Input> &inputs);
Opponent mujoco_forward(const oracle::Robot &robot, const std::vector<Input> &inputs);
Opponent mujoco_inverse(const oracle::Robot &robot, const std::vector<Input> &inputs);

std::string kdl_version();
std::string mujoco_version();

} // namespace bench
