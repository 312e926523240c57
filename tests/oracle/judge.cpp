/* SPDX-License-Identifier: MIT */
#include "judge.hpp"

#include <stdexcept>

#include "kdl_oracle.hpp"

namespace oracle {

double tolerance_of(real cond) {
  return std::max(1e-9, 1e-14 * double(cond));
}

Expected expect(const Robot &robot, const LayoutSpec &spec, const Sample &sample) {
  Expected out;
  out.at = motion(robot, sample.state);
  out.problem = problem_of(robot, spec, out.at, sample);
  out.solution = solve(robot, out.at, out.problem);
  out.columns = output_columns(robot, spec, out.at, out.problem, out.solution);
  return out;
}

real least_reach(const Expected &expected) {
  real least = 1;
  for (size_t k = 0; k < expected.problem.rows.size(); k++) {
    const Row &row = expected.problem.rows[k];
    if (!row.active || row.link < 0) continue;
    Mat J = jacobian(expected.at, row.link).cwiseAbs();
    Vec6 a = row.a;
    if (row.to >= 0) {
      const Mat3 &R = expected.at.links[row.link].R;
      a << R * row.a.head(3), R * row.a.tail(3);
      J += jacobian(expected.at, row.to).cwiseAbs();
    }
    const real scale = std::max((a.cwiseAbs().transpose() * J).maxCoeff(), a.norm() / 100);
    const real reach = expected.solution.G.row(Eigen::Index(k)).cwiseAbs().maxCoeff();
    if (reach > 0) least = std::min(least, reach / scale);
  }
  return least;
}

namespace {

// Of artificial rows and wrenches, summed up by size.
real artificial_forces(const Expected &expected) {
  real forces = 0;
  for (size_t k = 0; k < expected.problem.rows.size(); k++)
    if (const Row &row = expected.problem.rows[k]; !row.physical)
      forces +=
          (row.joint >= 0 ? 1 : row.a.norm()) * std::abs(expected.solution.nu[Eigen::Index(k)]);
  for (const Wrench &w : expected.problem.wrenches)
    if (w.artificial) forces += w.f.norm();
  return forces;
}

// Eigenvalues of the rows' system as it stands, rows out of reach apart; ascending, relative.
Vec relative_eigenvalues(const Expected &expected) {
  Mat L = expected.solution.L;
  if (L.rows() == 0) return Vec::Ones(1);
  const real largest = L.diagonal().maxCoeff();
  for (int k = 0; k < int(L.rows()); k++)
    if (!(L(k, k) > expected.problem.unreachable * largest)) {
      L.row(k).setZero();
      L.col(k).setZero();
    }
  const Vec w = eigen_symmetric(L).w;
  return w.maxCoeff() > 0 ? Vec(w / w.maxCoeff()) : Vec(Vec::Ones(1));
}

} // namespace

bool rounding_decides(const Expected &expected) {
  const auto at = [](real value, real threshold, real width) {
    return std::abs(std::log(std::abs(value) / threshold)) < width;
  };
  const Problem &problem = expected.problem;
  if (least_reach(expected) < 1e-3L) return true;
  const Mat &L = expected.solution.L;
  if (L.rows() == 0 || !(L.diagonal().maxCoeff() > 0)) return false;
  for (int k = 0; k < int(L.rows()); k++)
    if (at(L(k, k) / L.diagonal().maxCoeff(), problem.unreachable, 3)) return true;
  const Vec decisive =
      problem.policy == Policy::truncate ? relative_eigenvalues(expected) : expected.solution.pivot;
  for (const real x : decisive)
    if (at(x, problem.threshold, 1e-3L)) return true;
  return false;
}

double policy_condition(const Expected &expected) {
  const Problem &problem = expected.problem;
  const Solution &solution = expected.solution;
  real least = 1;
  if (problem.policy == Policy::truncate) {
    for (const real w : relative_eigenvalues(expected))
      if (w >= problem.threshold) least = std::min(least, w);
  } else {
    std::vector<int> kept;
    int row = 0;
    for (size_t k = 0; k < problem.rows.size(); k++) {
      if (!problem.rows[k].active) continue;
      if (solution.pivot[Eigen::Index(k)] >= problem.threshold) kept.push_back(row);
      row++;
    }
    Mat L(kept.size(), kept.size());
    for (size_t i = 0; i < kept.size(); i++)
      for (size_t j = 0; j < kept.size(); j++)
        L(Eigen::Index(i), Eigen::Index(j)) = solution.L(kept[i], kept[j]) /
                                              std::sqrt(solution.L(kept[i], kept[i])) /
                                              std::sqrt(solution.L(kept[j], kept[j]));
    least = 1 / condition(L);
    if (solution.singular && problem.policy == Policy::damp) least *= problem.threshold / 100;
  }
  return double(1 / (least * least_reach(expected)));
}

double policy_tolerance(const Expected &expected) {
  return std::max(1e-9, 1e-14 * policy_condition(expected));
}

ColumnNames names_of(const Robot &robot, const LayoutSpec &spec) {
  ColumnNames names;
  for (const Dof &dof : robot.dofs) names.joints.push_back(identifier(dof.name));
  for (const GroupSpec &group : spec.groups)
    for (int k = 0; k < group.size(); k++)
      names.rows.push_back(identifier(group.name) + "." + group.row_name(k));
  return names;
}

Vec picked(const Program &program, const std::vector<double> &got, const std::string &prefix,
           const std::vector<std::string> &names) {
  Vec out = Vec::Zero(int(names.size()));
  for (size_t i = 0; i < names.size(); i++) {
    const int at = program.output(prefix + names[i]);
    if (at >= 0) out[int(i)] = got[at];
  }
  return out;
}

namespace {

// "acc.tool_frame lin" -> "acc lin", "nu.elbow" -> "nu free": frames and groups together in one
// line.
std::string quantity_of(const std::string &block) {
  const size_t dot = block.find('.'), blank = block.find(' ');
  if (dot == std::string::npos) return block;
  const std::string head = block.substr(0, dot);
  if (head == "pose") return head + block.substr(block.rfind('.'));
  if (head == "base") return block;
  return head + (blank == std::string::npos ? " free" : block.substr(blank));
}

// Values and what they should be, by block.
class Blocks {
public:
  void put(const std::string &column, double value, real expected) {
    Block &block = blocks[block_of(column)];
    block.value.push_back(value);
    block.expected.push_back(expected);
  }
  real residual_scale = 1;       // accelerations whose difference the residuals are
  real force_scale = unit_floor; // forces whose sum falls on the base, where ties' cancel
  void judge(double tolerance, const std::string &label, const std::string &suffix,
             const std::string &where, Comparison &out) const {
    for (const auto &entry : blocks) {
      const Block &b = entry.second;
      const Eigen::Map<const Eigen::VectorXd> value(b.value.data(), Eigen::Index(b.value.size()));
      const Eigen::Map<const Vec> expected(b.expected.data(), Eigen::Index(b.expected.size()));
      const bool residual = entry.first.compare(0, 8, "residual") == 0;
      const bool base = entry.first.compare(0, 16, "base.wrench_ctrl") == 0;
      const bool pivot = entry.first.compare(0, 5, "pivot") == 0; // rounding of what it is part of
      out.add(label + quantity_of(entry.first) + suffix,
              relative(value, expected,
                       residual ? residual_scale
                       : base   ? force_scale
                       : pivot  ? 1
                                : unit_floor),
              tolerance, where);
    }
  }

private:
  struct Block {
    std::vector<double> value;
    std::vector<real> expected;
  };
  std::map<std::string, Block> blocks;
};

} // namespace

void judge_blocks(const Program &program, const std::vector<double> &got, const Expected &expected,
                  double tolerance, const std::string &label, const std::string &where,
                  Comparison &out) {
  Blocks blocks;
  for (size_t k = 0; k < expected.problem.rows.size(); k++) {
    const Row &row = expected.problem.rows[k];
    if (row.link < 0) continue;
    const Vec &vdot = expected.solution.vdot;
    real scale = expected.solution.G.row(Eigen::Index(k)).cwiseAbs().dot(vdot.cwiseAbs());
    for (const int link : {row.link, row.to})
      if (link >= 0)
        scale = std::max(scale, acceleration(expected.at, link, vdot).cwiseAbs().maxCoeff());
    blocks.residual_scale = std::max(blocks.residual_scale, scale);
  }
  blocks.force_scale += artificial_forces(expected);
  for (size_t i = 0; i < got.size(); i++) {
    const std::string &name = program.columns().out[i].name;
    if (name == "status") continue;
    const auto found = expected.columns.find(name);
    if (found == expected.columns.end()) throw std::runtime_error("unknown output column " + name);
    blocks.put(name, got[i], found->second);
  }
  blocks.judge(tolerance, label, "", where, out);
}

void judge_shares(const Program &program, const std::vector<double> &got, const LayoutSpec &spec,
                  double tolerance, const std::string &where, Comparison &out) {
  const std::vector<std::string> names = sources(spec);
  for (const std::string &output :
       {std::string("qdd"), std::string("nu"), std::string("tau_ctrl"), std::string("base.acc")}) {
    const std::string of = (output == "base.acc" ? "base_acc" : output) + "_of.";
    double worst = -1, terms = double(unit_floor); // of the largest sum: the others come of it
    for (size_t i = 0; i < got.size(); i++) {
      const std::string &column = program.columns().out[i].name;
      if (column.compare(0, output.size() + 1, output + ".") != 0) continue;
      double sum = 0, sizes = 0;
      size_t shares = 0;
      for (const std::string &name : names)
        if (const int at = program.output(of + name + column.substr(output.size())); at >= 0) {
          sum += got[size_t(at)];
          sizes += std::abs(got[size_t(at)]);
          shares++;
        }
      if (shares == 0) continue; // not asked for
      if (shares != names.size()) throw std::runtime_error("shares are missing of " + column);
      worst = std::max(worst, std::abs(sum - got[i]));
      terms = std::max(terms, sizes);
    }
    if (worst >= 0) out.add("shares add up: " + output, worst / terms, tolerance, where);
  }
}

bool status_fits(const Program &program, const std::vector<double> &got, const Robot &robot,
                 const Expected &expected) {
  const int at = program.output("status");
  if (at < 0) return true;
  unsigned wrong = unsigned(got[at]) ^ unsigned(expected.columns.at("status"));
  const Solution &solution = expected.solution;
  for (int i = 0; i < robot.nd(); i++) {
    const real share = solution.tau_full[robot.nb() + i] / robot.dofs[i].effort;
    if (expected.problem.saturate && std::abs(std::abs(share) - 1) < 1e-6L) wrong &= ~SATURATED;
  }
  // What forces that cancel leave to the base and to joints without motor, by levers below 10 m.
  const real forces = artificial_forces(expected);
  real share = 0;
  for (const Vec *part : {&solution.base_wrench, &solution.tau_passive})
    if (part->size()) share = std::max(share, part->cwiseAbs().maxCoeff());
  if (share < 1e-9L * forces) wrong &= ~UNACTUATED;
  return wrong == 0;
}

void judge_by_mujoco(Mujoco &mujoco, const Robot &robot, const LayoutSpec &spec,
                     const Program &program, const std::vector<double> &got, const Sample &sample,
                     const Expected &expected, const std::string &label, const std::string &where,
                     Comparison &out) {
  const ColumnNames names = names_of(robot, spec);
  const Vec tau = sample.tau_phys + picked(program, got, "tau_ctrl.", names.joints);
  const Vec nu = picked(program, got, "nu.", names.rows);
  const std::vector<Row> &rows = expected.problem.rows;
  std::vector<Wrench> wrenches;
  for (const Wrench &w : expected.problem.wrenches)
    if (!w.artificial) wrenches.push_back(w);
  for (size_t k = 0; k < rows.size(); k++)
    if (rows[k].physical) wrenches.push_back({rows[k].link, rows[k].a * nu[int(k)], false});
  mujoco.set(sample.state);
  const Eigen::VectorXd vdot = mujoco.forward(tau.cast<double>(), wrenches);
  const double tolerance = tolerance_of(expected.solution.cond);
  out.add(label + "by MuJoCo: qdd",
          relative(vdot.tail(robot.nd()), picked(program, got, "qdd.", names.joints)), tolerance,
          where);
  double worst = -1;
  for (const Row &row : rows) {
    if (!row.active || (expected.solution.saturated && !row.physical)) continue;
    const Vec a = mujoco.acceleration(row.link).cast<real>();
    const LinkMotion &link = expected.at.links[row.link];
    real seen = row.a.dot(a);
    if (!row.classical) seen -= row.a.head(3).dot(link.w.cross(link.v));
    // Relative to the accelerations that add up to b.
    worst = std::max(worst, double(std::abs(seen - row.b) / (1 + a.cwiseAbs().maxCoeff())));
  }
  if (worst >= 0) out.add(label + "by MuJoCo: A^T a - b", worst, tolerance, where);
}

void report_kdl(const Robot &robot, const LayoutSpec &spec, const Sample &sample,
                const Expected &expected, const std::string &label, const std::string &where,
                Comparison &out) {
  const ColumnNames names = names_of(robot, spec);
  const KdlResult kdl =
      kdl_solve(robot, sample.state, expected.problem, robot.link(spec.groups[0].frame));
  Blocks blocks;
  for (int i = 0; i < robot.nd(); i++)
    blocks.put("qdd." + names.joints[i], kdl.qdd[i], expected.solution.vdot[i]);
  for (size_t k = 0; k < names.rows.size(); k++)
    blocks.put("nu." + names.rows[k], kdl.nu[int(k)], expected.solution.nu[int(k)]);
  blocks.judge(INFINITY, label, " (KDL's own error)", where, out);
}

} // namespace oracle
