/* SPDX-License-Identifier: MIT */
// judge.hpp: what a program put out, against what the oracles say of the same sample.
#pragma once

#include "compare.hpp"
#include "layout.hpp"
#include "mujoco_oracle.hpp"
#include "program.hpp"

namespace oracle {

// The larger of 1e-9 and 1e-14 cond(L). A solve in double of a system of condition c errs by some
// 1e-16 c; two digits are left for the sums that make the system.
double tolerance_of(real cond);

// One sample of one case, as the oracle sees it.
struct Expected {
  Motion at;
  Problem problem;
  Solution solution;
  std::map<std::string, real> columns;
};
Expected expect(const Robot &robot, const LayoutSpec &spec, const Sample &sample);

// The least that joints move a row in force, relative to how they move its frame: max |a^T J| over
// max |a|^T |J| (at least a hundredth of |a|: a lever of 1 cm); 1 without rows. Rows that nothing
// moves apart. Double knows a^T J to some 1e-16 of that scale, hence nu of such a row to 1e-16 /
// reach, which is no matter of cond(L).
real least_reach(const Expected &expected);

// True where a rounding decides what a singularity policy does: a pivot or an eigenvalue at its
// threshold, a row at the edge of reach, or one that is reached by a thousandth and counts.
bool rounding_decides(const Expected &expected);

// What the policy makes of a rounding: the condition of the rows that stay (scaled to a unit
// diagonal; of the eigenvalues that stay) over the least reach, and over the threshold where
// damping divides by it what rounding left (rows that contradict one another get forces of 1 / t,
// which cancel in qdd: two digits more).
double policy_condition(const Expected &expected);

// Digits that this leaves: 1e-14, rounding with the sums before, times it. At least 1e-9.
double policy_tolerance(const Expected &expected);

// Names of joints and rows as they stand behind "qdd." and "nu.".
struct ColumnNames {
  std::vector<std::string> joints, rows;
};
ColumnNames names_of(const Robot &robot, const LayoutSpec &spec);

// Values of the columns prefix + name; 0 where the program has none.
Vec picked(const Program &program, const std::vector<double> &got, const std::string &prefix,
           const std::vector<std::string> &names);

// Every output but the status, relative per block (block_of), under `label`; residuals relative to
// the accelerations of the constrained frames and the joints' parts of them, of whose digits they
// are what cancels.
void judge_blocks(const Program &program, const std::vector<double> &got, const Expected &expected,
                  double tolerance, const std::string &label, const std::string &where,
                  Comparison &out);

// What each source causes adds up to the whole, before clamping, relative to what is added.
void judge_shares(const Program &program, const std::vector<double> &got, const LayoutSpec &spec,
                  double tolerance, const std::string &where, Comparison &out);

// True where the status is as expected, but for bits that hang on a rounding: a torque at its
// limit, a share on a joint without motor that forces leave which cancel.
bool status_fits(const Program &program, const std::vector<double> &got, const Robot &robot,
                 const Expected &expected);

// MuJoCo, driven by the program's tau_ctrl and by what acts physically (torques, wrenches, the
// wrenches of physical rows), moves as the program says and reaches A^T a = b: in all rows, under
// saturation in the physical ones.
void judge_by_mujoco(Mujoco &mujoco, const Robot &robot, const LayoutSpec &spec,
                     const Program &program, const std::vector<double> &got, const Sample &sample,
                     const Expected &expected, const std::string &label, const std::string &where,
                     Comparison &out);

// KDL's own errors on the same sample, printed to compare and not judged.
void report_kdl(const Robot &robot, const LayoutSpec &spec, const Sample &sample,
                const Expected &expected, const std::string &label, const std::string &where,
                Comparison &out);

} // namespace oracle
