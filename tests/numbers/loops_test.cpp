/* SPDX-License-Identifier: MIT */
// loops_test.cpp: mechanisms with loops, cut in the URDF and closed by ties, over ten seconds of
// motion of the compiled C: a four-bar and a parallel gripper under the layouts that ship.
// Baumgarte's stabilisation by the caller's b keeps the pins together and closes a gap; every solve
// along the way fits the dense KKT system, and the ties do no work. Arguments:
// oracle/arguments.hpp.
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "bench/loaded.hpp"
#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/judge.hpp"

using namespace oracle;

namespace {

const double seconds = 10, step = 1e-3;
const double most_drift = 1e-6; // [m]
const double stiffness = 25;    // of the stabilisation [1/s]: b = -2 s e' - s^2 e

struct Mechanism {
  std::string name;
  LayoutSpec layout;                               // what robots/NAME.lua means for the oracle
  std::function<Vec(const State &, double)> motor; // tau_art at a time
  Vec start;                                       // near a closed position
};

GroupSpec tie(const std::string &name, const std::string &frame, const std::string &to,
              const std::vector<std::string> &rows) {
  GroupSpec group;
  group.name = name;
  group.frame = frame;
  group.to = to;
  group.rows = rows;
  group.physical = true;
  return group;
}

Mechanism four_bar() {
  Mechanism m{"four_bar", {}, {}, Vec(3)};
  m.layout.selection.passive = {"coupler_joint", "rocker_joint"};
  m.layout.groups = {tie("pin", "rocker_pin", "coupler_pin", {"lin_x", "lin_z"})};
  m.motor = [](const State &state, double t) { // turns the crank round and back
    Vec tau = Vec::Zero(3);
    tau[0] = 2 * (8 * std::cos(0.8 * t) - double(state.qd[0]));
    return tau;
  };
  m.start << 0.4, -1.2, -1.5;
  return m;
}

Mechanism gripper() {
  Mechanism m{"gripper", {}, {}, Vec(5)};
  m.layout.selection.passive = {"left_finger_joint", "left_link_joint", "right_finger_joint",
                                "right_link_joint"};
  m.layout.groups = {tie("left_pin", "left_link_pin", "left_finger_pin", {"lin_y", "lin_z"}),
                     tie("right_pin", "right_link_pin", "right_finger_pin", {"lin_y", "lin_z"})};
  m.layout.wrenches = {{"left_touch", "left_pad", false}, {"right_touch", "right_pad", false}};
  m.motor = [](const State &state, double t) { // opens and closes
    Vec tau = Vec::Zero(5);
    tau[0] = 5 * (0.6 * std::sin(3 * t) - double(state.q[0])) - 0.1 * double(state.qd[0]);
    return tau;
  };
  m.start = Vec::Zero(5);
  return m;
}

// The rows' residuals e and their rates, and G, of a state; in the order of the groups.
struct Gap {
  Vec e, rate;
  Mat G;
};

Gap gap(const Robot &robot, const LayoutSpec &layout, const Motion &at) {
  std::vector<real> e, rate;
  std::vector<Mat> rows;
  for (const GroupSpec &group : layout.groups)
    for (const std::string &word : group.rows) {
      Row row;
      row.link = robot.link(group.frame);
      row.to = robot.link(group.to);
      row.a = Vec6::Unit(word[4] - 'x');
      real gamma;
      rows.push_back(row_jacobian(at, row, &gamma));
      const LinkMotion &F = at.links[size_t(row.link)], &T = at.links[size_t(row.to)];
      e.push_back(row.a.head(3).dot(F.R.transpose() * (T.p - F.p)));
      rate.push_back((rows.back() * at.u)(0));
    }
  Gap out{Eigen::Map<Vec>(e.data(), long(e.size())), Eigen::Map<Vec>(rate.data(), long(e.size())),
          Mat(long(e.size()), at.nv)};
  for (size_t k = 0; k < rows.size(); k++) out.G.row(long(k)) = rows[k];
  return out;
}

// Closes the loops from a guess by Newton's method, the first joint kept.
State closed(const Robot &robot, const Mechanism &m) {
  State state = rest(robot);
  state.q = m.start;
  const int others = robot.nd() - 1;
  for (int i = 0; i < 30; i++) {
    const Gap g = gap(robot, m.layout, motion(robot, state));
    const Mat G = g.G.rightCols(others);
    state.q.tail(others) -= G.fullPivLu().solve(g.e);
  }
  return state;
}

// The compiled header under the layout that ships.
class Solver {
public:
  Solver(const Mechanism &m, const Arguments &arguments, const TemporaryFolder &folder)
      : emitted({arguments.achdgen, arguments.robots + "/" + m.name + ".urdf",
                 slurp(arguments.robots + "/" + m.name + ".lua"), "--snap 0"},
                m.name, "achd", folder.path + "/" + m.name),
        loaded(emitted, "cc -O2", "test") {}

  // Outputs by column.
  std::map<std::string, double> solve(const std::map<std::string, double> &in) {
    std::vector<double> row;
    for (const Column &column : emitted.columns.in) row.push_back(in.at(column.name));
    loaded.load({row});
    const std::vector<double> values = loaded.result(0);
    std::map<std::string, double> out;
    for (size_t i = 0; i < values.size(); i++) out[emitted.columns.out[i].name] = values[i];
    return out;
  }

private:
  static std::string slurp(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  bench::Emitted emitted;
  bench::Loaded loaded;
};

// One run of a mechanism: fourth-order Runge-Kutta steps under gravity and the motor's torque.
class Run {
public:
  Run(const Mechanism &m, const Robot &r, Solver &s, double stabilisation)
      : mechanism(m), robot(r), solver(s), stiff(stabilisation) {}

  State state;
  double time = 0, work = 0, turned = 0; // of the motor [J]: given, and given or taken

  Vec drive() const { return mechanism.motor(state, time); }

  // The state as the solver takes it, b by Baumgarte from what it put out of the pins before.
  Sample sample() {
    Sample out;
    state.gravity = Vec3(0, 0, -9.81L);
    out.state = state;
    out.tau_phys = Vec::Zero(robot.nd());
    out.tau_art = drive();
    out.wrenches.assign(mechanism.layout.wrenches.size(), Vec6::Zero());
    for (const GroupSpec &group : mechanism.layout.groups) {
      out.b.push_back(Vec::Zero(group.size()));
      out.mask.push_back(std::vector<int>(size_t(group.size()), 1));
      out.axes.push_back(Mat3::Identity());
      out.dirs.emplace_back();
    }
    const auto pins = solver.solve(input_columns(robot, mechanism.layout, out));
    for (size_t g = 0; g < out.b.size(); g++) out.b[g] = pull(mechanism.layout.groups[g], pins);
    return out;
  }

  std::map<std::string, double> solve(const Sample &given) {
    return solver.solve(input_columns(robot, mechanism.layout, given));
  }

  void advance() {
    const State before = state;
    const int n = robot.nd();
    Vec dq[4], dqd[4];
    const double part[4] = {0, 0.5, 0.5, 1};
    double power[4];
    const double t = time;
    for (int k = 0; k < 4; k++) {
      state = before;
      time = t + part[k] * step;
      if (k > 0) {
        state.q += part[k] * step * dq[k - 1];
        state.qd += part[k] * step * dqd[k - 1];
      }
      const auto out = solve(sample());
      dq[k] = state.qd;
      dqd[k] = Vec(n);
      for (int i = 0; i < n; i++) dqd[k][i] = out.at("qdd." + robot.dofs[size_t(i)].name);
      power[k] = double(drive().dot(state.qd));
    }
    state = before;
    state.q += step / 6 * (dq[0] + 2 * dq[1] + 2 * dq[2] + dq[3]);
    state.qd += step / 6 * (dqd[0] + 2 * dqd[1] + 2 * dqd[2] + dqd[3]);
    work += step / 6 * (power[0] + 2 * power[1] + 2 * power[2] + power[3]);
    turned += step * std::abs(power[0]);
    time = t + step;
  }

  double drift() const {
    return double(gap(robot, mechanism.layout, motion(robot, state)).e.cwiseAbs().maxCoeff());
  }

private:
  // b = -2 s e' - s^2 e, along the axes of {frame}: e = R^T r, e' = R^T (v_to - v - w x r), r from
  // {frame} to {to}.
  Vec pull(const GroupSpec &group, const std::map<std::string, double> &out) const {
    const auto vector = [&](const std::string &name) {
      Vec3 v;
      const char *const parts[2][3] = {{".p.x", ".p.y", ".p.z"}, {"lin_x", "lin_y", "lin_z"}};
      const bool pose = name.compare(0, 4, "pose") == 0;
      for (int i = 0; i < 3; i++)
        v[i] = out.at(name + (pose ? parts[0][i] : std::string(".") + parts[1][i]));
      return v;
    };
    Mat3 R;
    Vec3 w;
    for (int i = 0; i < 3; i++) {
      w[i] = out.at("twist." + group.frame + ".ang_" + "xyz"[i]);
      for (int j = 0; j < 3; j++)
        R(i, j) = out.at("pose." + group.frame + ".R." + "xyz"[i] + std::string(1, "xyz"[j]));
    }
    const Vec3 r = vector("pose." + group.to) - vector("pose." + group.frame);
    const Vec3 rate = vector("twist." + group.to) - vector("twist." + group.frame) - w.cross(r);
    const Vec3 all = R.transpose() * (-2 * stiff * rate - stiff * stiff * r);
    Vec b(group.size());
    for (int k = 0; k < group.size(); k++) b[k] = all[group.rows[size_t(k)][4] - 'x'];
    return b;
  }

  const Mechanism &mechanism;
  const Robot &robot;
  Solver &solver;
  double stiff;
};

// qdd, nu and tau_ctrl of the program against the dense system.
void judge_kkt(const Mechanism &m, const Robot &robot, Run &run, Comparison &out) {
  const Sample given = run.sample();
  const auto got = run.solve(given);
  const Expected expected = expect(robot, m.layout, given);
  for (const char *quantity : {"qdd", "nu", "tau_ctrl"}) {
    std::vector<real> values, wanted;
    for (const auto &[column, value] : got)
      if (column.compare(0, std::string(quantity).size() + 1, std::string(quantity) + ".") == 0) {
        values.push_back(value);
        wanted.push_back(expected.columns.at(column));
      }
    out.add(std::string("KKT: ") + quantity,
            relative(Vec(Eigen::Map<Vec>(values.data(), long(values.size()))),
                     Vec(Eigen::Map<Vec>(wanted.data(), long(wanted.size())))),
            1e-9, "t = " + std::to_string(run.time));
  }
  if (unsigned(got.at("status")) & ~unsigned(UNACTUATED)) out.add("status", 1, 0.5);
}

int run_mechanism(const Mechanism &m, const Arguments &arguments) {
  const TemporaryFolder folder;
  Solver solver(m, arguments, folder);
  const Robot robot = read_urdf(arguments.robots + "/" + m.name + ".urdf", m.layout.selection);
  Comparison out(m.name);
  const State start = closed(robot, m);

  // Ten seconds, stabilised.
  Run run(m, robot, solver, stiffness);
  run.state = start;
  run.state.gravity = Vec3(0, 0, -9.81L);
  Motion at = motion(robot, run.state);
  const real energy = at.kinetic + at.potential;
  real least = run.state.q[0], most = run.state.q[0], kinetic = 0;
  double worst = 0;
  for (int k = 0; k < int(seconds / step); k++) {
    if (k % 100 == 0) judge_kkt(m, robot, run, out);
    run.advance();
    worst = std::max(worst, run.drift());
    least = std::min(least, run.state.q[0]);
    most = std::max(most, run.state.q[0]);
    kinetic = std::max(kinetic, motion(robot, run.state).kinetic);
  }
  out.add("drift in ten seconds [m]", worst, most_drift);
  at = motion(robot, run.state);
  out.add("energy gained is the motor's work",
          double(std::abs(at.kinetic + at.potential - energy - run.work) / run.turned), 1e-6);

  // A gap of 0.1 mm closes within a second.
  Run gaping(m, robot, solver, stiffness);
  gaping.state = start;
  gaping.state.q[robot.nd() - 1] += 1e-3L;
  const double opened = gaping.drift();
  for (int k = 0; k < int(1 / step); k++) gaping.advance();
  out.add("what a second leaves of a gap", gaping.drift() / opened, 1e-6);
  const int bad = out.print();
  std::printf(
      "  %s moved from %.2Lf to %.2Lf rad, with %.3Lg J at most; a gap of %.1e m became %.1e m\n",
      robot.dofs[0].name.c_str(), least, most, kinetic, opened, gaping.drift());
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 0);
  int bad = 0;
  for (const Mechanism &m : {four_bar(), gripper()}) bad += run_mechanism(m, arguments);
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
