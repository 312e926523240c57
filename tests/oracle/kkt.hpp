/* SPDX-License-Identifier: MIT */
// kkt.hpp: constrained dynamics from their definition, dense, in long double:
//   M vdot + h = tau + J^T f + G^T nu,   G vdot + gamma = b
// with rows, masks, physical and artificial forces, saturation and what to do at lost rank.
#pragma once

#include <string>
#include <vector>

#include "motion.hpp"

namespace oracle {

// One constraint row: a^T X = b, X the acceleration of a frame (of a joint; of a tie).
struct Row {
  int link = -1;         // frame on which a acts, at its origin
  Vec6 a = Vec6::Zero(); // world axes; of a tie: axes of `link`
  int joint = -1;        // >= 0: a joint row instead: sign * qdd[joint] = b
  real sign = 1;
  int to = -1;           // >= 0: a tie: motion of `to` relative to `link`
  bool classical = true; // meaning of b; or spatial
  bool physical = false; // the environment produces it; or motors
  bool active = true;    // false: masked, nu = 0
  bool yields = false;   // b holds on top of what the artificial wrenches alone would cause
  // The part of what each wrench, and each kind of torques, would cause along the row that b does not make up for.
  std::vector<real> passes; // by wrench; empty: nothing
  real passes_phys = 0, passes_art = 0;
  int group = 0; // rows of one group share a number, 0, 1, ...
  real b = 0;
};

// Six unit directions along the columns of `axes` (world axes): lin x y z, ang x y z.
std::vector<Row> six_rows(int link, const Mat3 &axes, bool classical, bool physical);

struct Wrench {
  int link;
  Vec6 f; // force, moment about the frame's origin, world axes, on the link
  bool artificial = false;
};

// At lost rank (threshold t; r_k = d_k / L_kk the relative pivots of LDL^T in the order of the
// rows):
enum class Policy {
  exact,    // no care: L must have full rank
  damp,     // r_k < t: d_k grows by t L_kk (1 - r_k / t)^2
  drop,     // r_k < t: the row leaves, nu = 0
  truncate, // pseudo-inverse: eigenvalues below t of the largest cut
};

struct Problem {
  std::vector<Row> rows;
  std::vector<Wrench> wrenches;
  Vec tau_phys, tau_art; // by dof; empty: none
  // tau_ctrl clamped to the dofs' efforts and applied (nothing on passive dofs and the base),
  // physical rows solved again under it: vdot and nu of physical rows are of that motion.
  bool saturate = false;
  bool shares = false; // also what each source causes alone
  Policy policy = Policy::exact;
  real threshold = 0;
  real unreachable = 1e-12L; // rows whose L_kk is below that of the largest have nu = 0
};

// What one source causes of the motion, the rows' forces and the torques, before clamping.
struct Share {
  std::string source; // "gravity", "velocity", "torques", "wrench 0" .., "group 0" ..
  Vec vdot, nu, tau;  // tau: by coordinate of v, as tau_full
};

struct Solution {
  Vec vdot;      // of the motion that results (base first)
  Vec vdot_free; // without rows
  Vec nu;        // by row, 0 where masked
  Vec tau_ctrl;  // by dof: what motors must produce, clamped; passive: 0
  Vec tau_full; // by coordinate of v: the same demanded, before clamping, passive and base included
  Vec base_wrench;  // its share on a moving base (nb)
  Vec tau_passive;  // its share on passive dofs, by dof, 0 elsewhere
  Vec tau_total;    // D qdd by dof, M = L^T D L
  Vec tau_apparent; // S^T A nu by dof, A projected through the distal joints
  Vec asked;        // by row: b, and what a row that yields asks for beside it
  Vec residual;     // G vdot + gamma - asked by row; 0 where masked
  Mat G;            // rows x nv, all rows
  Mat L;            // G M^-1 G^T of the active rows
  Vec pivot;        // r_k by row, of the active rows in order; 1 where masked. Under truncate:
                    // eigenvalues over the largest, ascending, in place of pivots
  real pivot_min = 1;
  real cond = 1; // of L
  bool singular = false, saturated = false, unactuated = false;
  real gauss;                // 1/2 (vdot - vdot_free)^T M (vdot - vdot_free)
  std::vector<Share> shares; // that add up to the motion before clamping, of every source
};

Solution solve(const Robot &robot, const Motion &motion, const Problem &problem);

// Jacobian (1 x nv) and bias of a row: row acceleration = G vdot + gamma.
Eigen::Matrix<real, 1, Eigen::Dynamic> row_jacobian(const Motion &motion, const Row &row,
                                                    real *gamma);

} // namespace oracle
