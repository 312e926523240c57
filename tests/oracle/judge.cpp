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
    const Mat J = jacobian(expected.at, row.link).cwiseAbs();
    const real scale = std::max((row.a.cwiseAbs().transpose() * J).maxCoeff(), row.a.norm() / 100);
    const real reach = expected.solution.G.row(Eigen::Index(k)).cwiseAbs().maxCoeff();
    least = std::min(least, reach / scale);
  }
  return least;
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
  real residual_scale = 1; // accelerations whose difference the residuals are
  void judge(double tolerance, const std::string &label, const std::string &suffix,
             const std::string &where, Comparison &out) const {
    for (const auto &entry : blocks) {
      const Block &b = entry.second;
      const Eigen::Map<const Eigen::VectorXd> value(b.value.data(), Eigen::Index(b.value.size()));
      const Eigen::Map<const Vec> expected(b.expected.data(), Eigen::Index(b.expected.size()));
      const bool residual = entry.first.compare(0, 8, "residual") == 0;
      out.add(label + quantity_of(entry.first) + suffix,
              relative(value, expected, residual ? residual_scale : unit_floor), tolerance, where);
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
    blocks.residual_scale = std::max(
        {blocks.residual_scale, acceleration(expected.at, row.link, vdot).cwiseAbs().maxCoeff(),
         expected.solution.G.row(Eigen::Index(k)).cwiseAbs().dot(vdot.cwiseAbs())});
  }
  for (size_t i = 0; i < got.size(); i++) {
    const std::string &name = program.columns().out[i].name;
    if (name == "status") continue;
    const auto found = expected.columns.find(name);
    if (found == expected.columns.end()) throw std::runtime_error("unknown output column " + name);
    blocks.put(name, got[i], found->second);
  }
  blocks.judge(tolerance, label, "", where, out);
}

bool status_fits(const Program &program, const std::vector<double> &got, const Robot &robot,
                 const Expected &expected) {
  const int at = program.output("status");
  if (at < 0 || got[at] == double(expected.columns.at("status"))) return true;
  for (int i = 0; i < robot.nd(); i++) {
    const real share = expected.solution.tau_full[robot.nb() + i] / robot.dofs[i].effort;
    if (expected.problem.saturate && std::abs(std::abs(share) - 1) < 1e-6L) return true;
  }
  return false;
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
