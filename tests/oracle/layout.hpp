/* SPDX-License-Identifier: MIT */
// layout.hpp: a constraint layout as data: its Lua text for the program under test, its meaning for
// the oracle, and random inputs that fit it, named as the program names its columns.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kkt.hpp"
#include "states.hpp"

namespace oracle {

enum class Axes { base, link, input };

struct GroupSpec {
  std::string name, frame;
  Axes axes = Axes::base;
  std::vector<std::string> rows = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  int free = 0; // > 0: that many free directions, given at run time, instead of `rows`
  bool physical = false, classical = true, maskable = false;
  std::string to;      // a tie: rows of the motion of `to` relative to `frame`, along its axes
  bool yields = false; // to the artificial wrenches
  bool rate = false;   // spatial by the word "rate"
  std::map<std::string, double> weights; // by driver; 1 of those that are not there
  std::string more;                      // words beside, as Lua has them
  std::vector<std::string> joints; // not empty: rows along these joints, in place of a frame's

  int size() const {
    return !joints.empty() ? int(joints.size()) : free > 0 ? free : int(rows.size());
  }
  std::string row_name(int k) const;
};

// A rigid load at a frame: what is not given at run time is folded in.
struct PayloadSpec {
  std::string name, frame;
  bool mass_input = false, com_input = false, inertia_input = false;
  Inertia load; // about its centre of mass, axes of the frame
};

struct WrenchSpec {
  std::string name, frame;
  bool artificial = false;
};

struct LayoutSpec {
  std::string name = "robot";
  Selection selection;       // root, tips, locked, passive, base, effort
  bool matrix = false;       // orientation of a floating base; else quaternion
  bool gravity_input = true; // else `gravity` is folded in
  Vec3 gravity = Vec3(0, 0, -9.81L);
  bool armature_input = false;
  std::map<std::string, double> armature;  // folded in, where it is no input
  std::vector<std::string> inertia_inputs; // links
  std::vector<PayloadSpec> payloads;
  bool tau_phys = false, tau_art = false, saturate = false;
  std::vector<WrenchSpec> wrenches;
  std::vector<GroupSpec> groups;
  Policy singularity = Policy::damp; // exact: the text leaves it out
  double threshold = 1e-6;           // 0: the text leaves it out
  std::vector<std::string> outputs = {"qdd", "nu", "tau_ctrl", "pivot_min"};
  std::vector<std::string> acc, twist, pose; // frames put out
  std::vector<std::string> jac;              // frames of the functions jac and jdqd
  bool acc_classical = true;
  std::vector<std::string> contributions; // of "qdd", "nu", "tau_ctrl"
  std::string more;                       // words beside, as Lua has them
};

// Names of a layout's sources of motion, in the order of Solution::shares.
std::vector<std::string> sources(const LayoutSpec &spec);

// Names of the velocities: "base.lin_x" .. (planar: "base.x", "base.y", "base.yaw"), then joints.
std::vector<std::string> velocities(const Robot &robot);

std::string lua(const LayoutSpec &spec);

// One state of a robot under a layout.
struct Sample {
  State state;
  Vec tau_phys, tau_art;
  std::map<int, OriginInertia> own;    // by link, of spec.inertia_inputs; state has loads besides
  std::vector<Inertia> loads;          // by spec.payloads
  std::vector<Vec6> wrenches;          // by spec.wrenches
  std::vector<Vec> b;                  // by group, row
  std::vector<std::vector<int>> mask;  // by group, row: 1 holds
  std::vector<Mat3> axes;              // by group (axes of input)
  std::vector<std::vector<Vec6>> dirs; // by group (free directions)
};

struct SampleRange {
  StateRange state;
  double tau = 10, force = 20, moment = 2, b = 5;
  double masked = 0.4;      // chance that a row is masked
  double all_active = 0.25; // chance that none is
  int most_active = 100;    // rows over all groups
};

// A load whose numbers are doubles.
Inertia random_load(Random &random);

Sample random_sample(const Robot &robot, const LayoutSpec &spec, Random &random,
                     const SampleRange &range);

// The oracle's problem for a sample. Rows in the order of the groups.
Problem problem_of(const Robot &robot, const LayoutSpec &spec, const Motion &motion,
                   const Sample &sample);

// Values of the program's input columns, by name.
std::map<std::string, double> input_columns(const Robot &robot, const LayoutSpec &spec,
                                            const Sample &sample);

// What the program's output columns should be, by name; "status" in SINGULAR, SATURATED,
// UNACTUATED.
std::map<std::string, real> output_columns(const Robot &robot, const LayoutSpec &spec,
                                           const Motion &motion, const Problem &problem,
                                           const Solution &solution);

// The block an output column is judged in: "nu lin", "nu ang", "qdd", "acc.tool_frame lin", ...
// Free rows mix units: a block of their own by group. tau_unactuated is judged with tau_ctrl.
std::string block_of(const std::string &column);

enum : unsigned { SINGULAR = 1, SATURATED = 2, NOT_FINITE = 4, BAD_INPUT = 16, UNACTUATED = 32 };

// A C identifier of a URDF name, for plain names: what is none becomes `_`.
std::string identifier(const std::string &name);

} // namespace oracle
