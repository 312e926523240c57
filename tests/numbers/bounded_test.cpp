/* SPDX-License-Identifier: MIT */
// bounded_test.cpp: rows with bounds: generated mclp and apply with the runtime's solver between
// them, against brute force over all sets of rows at their bounds on L and r from the definition,
// against reference vectors of static friction, and against experiments that can be worked out by
// hand.
#include <cstring>

#include "oracle/arguments.hpp"
#include "oracle/bounded.hpp"
#include "oracle/bounded_words.hpp"
#include "oracle/compare.hpp"
#include "oracle/kkt.hpp"
#include "oracle/layout.hpp"
#include "oracle/reference.hpp"
#include "oracle/sample.hpp"
#include "oracle/states.hpp"
#include "runtime/mclp_oracle.h"

using namespace oracle;

namespace {

enum : unsigned { BOUND_ACTIVE = 8 };

real dual(const Mat &L, const Vec &r, const Vec &nu) {
  return 0.5L * nu.dot(L * nu) - r.dot(nu);
}

// How far nu is from the conditions, which for a convex problem are sufficient: w = L nu - r is not
// negative at the lower bound, not positive at the upper, zero in between; over the terms that w is
// made of.
real violation(const Dense &d, const Vec &lo, const Vec &hi, const Vec &nu) {
  const Vec w = d.L * nu - d.r;
  const Vec unit = d.L.diagonal().cwiseMax(0).cwiseSqrt();
  const real forces = unit.dot(nu.cwiseAbs());
  real worst = 0;
  for (int j = 0; j < nu.size(); j++) {
    if (lo[j] == hi[j]) continue;
    const bool low = nu[j] <= lo[j], high = nu[j] >= hi[j];
    const real wrong = low ? std::max(-w[j], 0.0L) : high ? std::max(w[j], 0.0L) : std::fabs(w[j]);
    worst = std::max(worst, wrong / (std::fabs(d.r[j]) + unit[j] * forces + 1e-3L));
  }
  return worst;
}

// The most bounded rows whose sets at their bounds can all be tried.
const int most_tried = 8;

// The least dual value: rows without bounds eliminated, those of equal bounds put in, the others by
// brute force. False: none.
bool brute_force(const Dense &d, const Vec &lo, const Vec &hi, real *value) {
  std::vector<int> equal, bounded;
  Vec fixed = Vec::Zero(lo.size());
  for (int j = 0; j < lo.size(); j++) {
    if (lo[j] == hi[j])
      fixed[j] = lo[j];
    else
      (lo[j] <= -unbounded && hi[j] >= unbounded ? equal : bounded).push_back(j);
  }
  const Vec r = d.r - d.L * fixed; // of the other rows
  const int e = int(equal.size()), n = int(bounded.size());
  Mat A(e, e), B(e, n), C(n, n);
  Vec s(e), t(n);
  for (int i = 0; i < e; i++) {
    s[i] = r[equal[size_t(i)]];
    for (int j = 0; j < e; j++) A(i, j) = d.L(equal[size_t(i)], equal[size_t(j)]);
    for (int j = 0; j < n; j++) B(i, j) = d.L(equal[size_t(i)], bounded[size_t(j)]);
  }
  for (int i = 0; i < n; i++) {
    t[i] = r[bounded[size_t(i)]];
    for (int j = 0; j < n; j++) C(i, j) = d.L(bounded[size_t(i)], bounded[size_t(j)]);
  }
  const Mat AiB = e ? solve_spd(A, B) : Mat(0, n);
  const Vec Ais = e ? Vec(solve_spd(A, s)) : Vec(0);
  static oracle_problem p;
  p.rows = n;
  p.rounding = 0x1p-52L;
  const Mat S = C - B.transpose() * AiB;
  const Vec rest = t - B.transpose() * Ais;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) p.L[i][j] = (S(i, j) + S(j, i)) / 2;
    p.r[i] = rest[i];
    const int j = bounded[size_t(i)];
    p.lo[i] = lo[j] <= -unbounded ? -INFINITY : lo[j];
    p.hi[i] = hi[j] >= unbounded ? INFINITY : hi[j];
  }
  real nu[oracle_rows] = {0}, scale;
  if (!oracle_solve(&p, 0, nu)) return false;
  *value = oracle_value(&p, nu, &scale) - (e ? 0.5L * s.dot(Ais) : 0) + dual(d.L, d.r, fixed);
  return true;
}

int bounded_rows(const Vec &lo, const Vec &hi) {
  int count = 0;
  for (int j = 0; j < lo.size(); j++)
    count += lo[j] < hi[j] && (lo[j] > -unbounded || hi[j] < unbounded);
  return count;
}

// ---- brute force on robots ----

struct Case {
  const char *robot, *frame;
  std::vector<int> axes; // rows of the group, 0 lin_x .. 5 ang_z
  const char *bounds;    // of the group, as the layout has them
  bool friction;
};

const char *const words[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

const std::vector<Case> cases = {
    {"arm1dof", "tip", {0}, "", true},
    {"youbot_arm", "arm_link_5", {0, 1, 2}, "", true},
    {"youbot_arm",
     "arm_link_5",
     {0, 1, 2, 3, 4},
     "bounds = { lin_x = \"input\", lin_z = { 0, math.huge } },",
     false},
    {"gen3_6dof", "end_effector_link", {0, 1, 2}, "bounds = \"input\",", true},
    {"gen3_6dof",
     "end_effector_link",
     {0, 1, 2, 3, 4, 5},
     "bounds = { lin_z = { -5, 5 }, ang_x = { -math.huge, 0 } },",
     false},
    {"gen3", "tool_frame", {}, "", true},
    {"gen3", "tool_frame", {0, 2, 4}, "", true},
    {"gen3", "tool_frame", {0, 1, 2, 3, 4, 5}, "bounds = { lin_z = \"input\" },", true},
};

std::string layout_of(const Case &c) {
  std::string text = "return {\n  torques = { artificial = true, physical = true },\n";
  if (c.friction) text += "  friction = { coulomb = \"input\", threshold = 0.01 },\n";
  text += "  groups = {";
  if (!c.axes.empty()) {
    text +=
        " { name = \"tool\", frame = \"" + std::string(c.frame) + "\", " + c.bounds + " rows = {";
    for (int a : c.axes) text += std::string(" \"") + words[a] + "\",";
    text += " } } ";
  }
  return text + "},\n}\n";
}

Posed pose(const Robot &robot, const Case &c, const Columns &columns, Random &random) {
  Posed p;
  StateRange range;
  p.state = random_state(robot, random, range);
  const int n = robot.nd(), frame_rows = int(c.axes.size());
  p.problem.tau_art = p.problem.tau_phys = Vec::Zero(n);
  const int link = robot.link(c.frame);
  for (int a : c.axes) {
    Row row;
    row.link = link;
    row.a[a] = 1;
    row.b = random.uniform(-5, 5);
    p.problem.rows.push_back(row);
  }
  p.lo = Vec::Constant(frame_rows, -unbounded), p.hi = Vec::Constant(frame_rows, unbounded);
  for (int i = 0; i < n; i++) {
    if (random.chance(0.8)) p.state.qd[i] = random.uniform(-0.009, 0.009); // at rest
    p.problem.tau_art[i] = random.uniform(-20, 20);
    p.problem.tau_phys[i] = random.uniform(-5, 5);
    const std::string &name = robot.dofs[size_t(i)].name;
    p.in["q." + name] = double(p.state.q[i]);
    p.in["qd." + name] = double(p.state.qd[i]);
    p.in["tau_art." + name] = double(p.problem.tau_art[i]);
    p.in["tau_phys." + name] = double(p.problem.tau_phys[i]);
    const double f = random.chance(0.1) ? 0 : random.uniform(0, 10);
    p.in["friction." + name] = f;
    if (c.friction) append_friction(p, i, f, 0.01L);
  }
  for (int k = 0; k < 3; k++) p.in[std::string("gravity.") + "xyz"[k]] = double(p.state.gravity[k]);
  const std::string bounds = c.bounds;
  for (int k = 0; k < frame_rows; k++) {
    const std::string name = words[c.axes[size_t(k)]], column = "tool." + name;
    p.in["b." + column] = double(p.problem.rows[size_t(k)].b);
    for (const Column &in : columns.in) {
      if (in.name != "lo." + column) continue;
      const int which = random.below(4);
      p.lo[k] = which & 1 ? -unbounded : random.uniform(-20, 5);
      p.hi[k] = which & 2 ? unbounded : std::max(double(p.lo[k]), -20.0) + random.uniform(0, 20);
      p.in["lo." + column] = p.lo[k] <= -unbounded ? -INFINITY : double(p.lo[k]);
      p.in["hi." + column] = p.hi[k] >= unbounded ? INFINITY : double(p.hi[k]);
    }
    if (bounds.find(name + " = { 0, math.huge }") != std::string::npos) p.lo[k] = 0;
    if (bounds.find(name + " = { -math.huge, 0 }") != std::string::npos) p.hi[k] = 0;
    if (bounds.find(name + " = { -5, 5 }") != std::string::npos) p.lo[k] = -5, p.hi[k] = 5;
  }
  return p;
}

// How far bounds are apart: infinity where one is a bound and the other none, and those that there are.
double apart(Vec told, Vec expected) {
  for (int j = 0; j < told.size(); j++) {
    const auto none = [j](const Vec &v) {
      return v[j] >= unbounded ? 1 : v[j] <= -unbounded ? -1 : 0;
    };
    if (none(told) != none(expected)) return INFINITY;
    if (none(told)) told[j] = expected[j] = 0;
  }
  return relative(told, expected);
}

// Runs the states, and judges everything by the definition. Told of a row at its bound, and of
// UNACTUATED; bad where no row ever is at its bound.
int judge(const Robot &robot, BoundedProgram &program, const std::vector<Posed> &states,
          const Table &in, Comparison &out, bool unactuated_too = false) {
  const Table results = program.run(in);
  const int m = program.rows, nb = robot.nb(), nd = robot.nd();
  int active = 0, unactuated = 0;
  for (size_t k = 0; k < states.size(); k++) {
    const Posed &p = states[k];
    const auto &line = results[k];
    const Motion motion = oracle::motion(robot, p.state);
    Dense d = dense(motion, p.problem);
    if (p.soft.size()) d.L.diagonal() += p.soft;
    const std::string where = "state " + std::to_string(k);
    const Vec nu = program.block(line, "nu", m);
    const Vec lo = program.block(line, "lo", m), hi = program.block(line, "hi", m);
    out.add("L", relative(program.coupling(line), d.L), 1e-10, where);
    out.add("r", relative(program.block(line, "r", m), d.r), 1e-10, where);
    out.add("lo", apart(lo, p.lo), 1e-12, where);
    out.add("hi", apart(hi, p.hi), 1e-12, where);
    out.add("solved", line[size_t(program.output("solver"))], 0, where);
    out.add("report", line[size_t(program.output("report"))], 1e-10, where);
    out.add("conditions", double(violation(d, lo, hi, nu)), 1e-9, where);
    if (bounded_rows(p.lo, p.hi) <= most_tried) {
      real value;
      const bool any = brute_force(d, p.lo, p.hi, &value);
      out.add("brute force has one", !any, 0, where);
      const real scale = std::fabs(value) + 1e-3L;
      out.add("dual value", double(std::fabs(dual(d.L, d.r, nu) - value) / scale), 1e-9, where);
    }
    const Vec vdot = d.free + d.Mi_Gt * nu;
    if (nd) out.add("qdd", relative(program.block(line, "qdd", nd), vdot.tail(nd)), 1e-9, where);
    Vec tau = d.own; // that motors are asked for
    for (int j = 0; j < m; j++)
      if (!p.problem.rows[size_t(j)].physical) tau += d.G.row(j).transpose() * nu[j];
    Vec tau_ctrl = tau.tail(nd);
    bool told = false; // of what has no motor
    const real rounding = 1e-9L * (1 + tau.cwiseAbs().maxCoeff());
    for (int i = 0; i < nd; i++) {
      const Dof &dof = robot.dofs[size_t(i)];
      if (!dof.passive) continue;
      const double got = line[size_t(program.output("tau_unactuated." + identifier(dof.name)))];
      out.add("tau_unactuated", relative(Vec::Constant(1, got), tau.segment(nb + i, 1)), 1e-9,
              where);
      told = told || std::fabs(tau[nb + i]) > rounding;
      tau_ctrl[i] = 0;
    }
    if (nd)
      out.add("tau_ctrl", relative(program.block(line, "tau_ctrl", nd), tau_ctrl), 1e-10, where);
    Vec acc(nb), wrench(nb);
    for (int i = 0; i < nb; i++) {
      const std::string part = velocities(robot)[size_t(i)].substr(4);
      acc[i] = line[size_t(program.output("base.acc" + part))];
      wrench[i] = line[size_t(program.output("base.wrench_ctrl" + part))];
      told = told || std::fabs(tau[i]) > rounding;
    }
    if (nb) {
      out.add("base.acc", relative(acc, vdot.head(nb)), 1e-9, where);
      out.add("base.wrench_ctrl", relative(wrench, tau.head(nb)), 1e-9, where);
    }
    bool at_bound = false;
    for (int j = 0; j < m; j++)
      at_bound = at_bound || (lo[j] < hi[j] && (nu[j] == lo[j] || nu[j] == hi[j]));
    active += at_bound;
    unactuated += told;
    out.add("status", line[0] != ((at_bound ? BOUND_ACTIVE : 0) | (told ? UNACTUATED : 0)), 0,
            where);
  }
  const int bad = out.print();
  std::printf("  %d of %zu with a row at its bound, %d UNACTUATED\n", active, states.size(),
              unactuated);
  return bad + (active == 0) + (unactuated_too && unactuated == 0);
}

int run_case(const Arguments &arguments, const Case &c) {
  const std::string urdf = arguments.robots + "/" + c.robot + ".urdf";
  const Robot robot = read_urdf(urdf);
  const int m = int(c.axes.size()) + (c.friction ? robot.nd() : 0);
  BoundedProgram program({arguments.achdgen, urdf, layout_of(c), "--snap 0"},
                         identifier(robot.name), robot.nd(), m);
  Comparison out(std::string(c.robot) + ", " + std::to_string(c.axes.size()) + " rows" +
                 (*c.bounds ? " bounded" : "") + (c.friction ? ", friction" : ""));
  Random random(7);
  std::vector<Posed> states;
  Table in;
  for (int k = 0; k < arguments.states; k++) {
    states.push_back(pose(robot, c, program.columns(), random));
    in.push_back(program.arrange(states.back().in));
  }
  return judge(robot, program, states, in, out);
}

// ---- words of bounds, on bases that move, with ties, masks, rows that yield, joints without motor
// ----

int run_words(const Arguments &arguments, const Words &w) {
  const std::string urdf = arguments.robots + "/" + w.robot + ".urdf";
  const LayoutSpec layout = furnished(w);
  const Robot robot = read_urdf(urdf, layout.selection);
  std::vector<std::string> more;
  for (int i = 0; i < robot.nb(); i++)
    for (const char *of : {"base.acc", "base.wrench_ctrl"})
      more.push_back(of + velocities(robot)[size_t(i)].substr(4));
  for (const Dof &dof : robot.dofs)
    if (dof.passive) more.push_back("tau_unactuated." + identifier(dof.name));
  Random random(11);
  std::vector<Posed> states;
  for (int k = 0; k < arguments.states; k++) states.push_back(pose(robot, w, layout, random));
  BoundedProgram program({arguments.achdgen, urdf, lua(layout), "--snap 0"}, layout.name,
                         robot.nd(), int(states[0].problem.rows.size()), more);
  Table in;
  for (const Posed &p : states) in.push_back(program.arrange(p.in));
  Comparison out(w.title + ": " + w.robot);
  return judge(robot, program, states, in, out, w.unactuated);
}

// ---- reference vectors of static friction ----

std::string friction_layout(const ReferenceSet &set, const ReferenceRecord &record) {
  std::string text = "return {\n  armature = \"input\",\n  torques = { artificial = true },\n"
                     "  friction = { coulomb = \"input\", threshold = 1e-12 },\n  wrenches = {";
  int count = 0;
  for (const Wrench &w : record.problem.wrenches)
    text += " { name = \"w" + std::to_string(count++) + "\", kind = \"physical\", frame = \"" +
            set.robot.links[size_t(w.link)].name + "\" },";
  text += " },\n  groups = {";
  const auto &rows = record.problem.rows;
  for (size_t j = 0; j < rows.size(); j++)
    text += " { name = \"g" + std::to_string(j) + "\", rows = 1, frame = \"" +
            set.robot.links[size_t(rows[j].link)].name + "\" },";
  return text + " },\n}\n";
}

int run_reference(const Arguments &arguments) {
  const auto sets = read_reference(arguments.reference + "/friction.jsonl",
                                   {arguments.robots, arguments.reference + "/../robots"}, nullptr);
  if (sets.empty()) return nothing_to_test("no friction.jsonl in " + arguments.reference);
  int bad = 0;
  for (const ReferenceSet &set : sets) {
    Comparison out("Reference vectors of friction: " + set.robot_name);
    std::map<std::string, std::unique_ptr<BoundedProgram>> programs;
    for (const ReferenceRecord &record : set.records) {
      const Robot &robot = set.robot;
      const int m = int(record.problem.rows.size()) + robot.nd();
      const std::string layout = friction_layout(set, record);
      auto &made = programs[layout]; // many records share one
      if (!made)
        made = std::make_unique<BoundedProgram>(
            Generator{arguments.achdgen, set.path, layout, "--snap 0 --formulation joint"},
            identifier(robot.name), robot.nd(), m);
      BoundedProgram &program = *made;
      std::map<std::string, double> in;
      for (int i = 0; i < robot.nd(); i++) {
        const std::string &name = robot.dofs[size_t(i)].name;
        in["q." + name] = double(record.state.q[i]);
        in["qd." + name] = double(record.state.qd[i]);
        in["armature." + name] = double(record.state.armature[i]);
        in["tau_art." + name] = double(record.problem.tau_art[i]);
        in["friction." + name] = double(record.friction[i]);
      }
      for (int k = 0; k < 3; k++)
        in[std::string("gravity.") + "xyz"[k]] = double(record.state.gravity[k]);
      for (size_t w = 0; w < record.problem.wrenches.size(); w++)
        for (int k = 0; k < 6; k++)
          in["w" + std::to_string(w) + "." + words[k]] = double(record.problem.wrenches[w].f[k]);
      for (size_t j = 0; j < record.problem.rows.size(); j++) {
        const std::string g = "g" + std::to_string(j);
        in["b." + g + ".1"] = double(record.problem.rows[j].b);
        for (int k = 0; k < 6; k++)
          in["dir." + g + ".1." + words[k]] = double(record.problem.rows[j].a[k]);
      }
      const auto line = program.run({program.arrange(in)})[0];
      const std::string where = "record " + std::to_string(record.index);
      out.add("solved", line[size_t(program.output("solver"))], 0, where);
      out.add("qdd", relative(program.block(line, "qdd", robot.nd()), record.vdot), 1e-8, where);
      const int first = int(record.problem.rows.size());
      const Vec mu = program.block(line, "nu." + std::to_string(first), robot.nd());
      if (record.mu_unique) out.add("mu", relative(mu, record.mu), 1e-8, where);
    }
    bad += out.print();
  }
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

// ---- experiments by hand (Vukcevic 2018: one rod, 1 m, 1 kg, breakaway 10 N m, no gravity) ----

std::map<std::string, double> rod(double force, double b) {
  return {{"q.joint1", 0},   {"qd.joint1", 0},      {"gravity.x", 0},  {"gravity.y", 0},
          {"gravity.z", 0},  {"push.lin_x", force}, {"push.lin_y", 0}, {"push.lin_z", 0},
          {"push.ang_x", 0}, {"push.ang_y", 0},     {"push.ang_z", 0}, {"b.tip.ang_z", b}};
}

int run_experiments(const Arguments &arguments) {
  const std::string urdf = arguments.robots + "/arm1dof.urdf";
  const std::string push =
      "return {\n  friction = \"urdf\",\n"
      "  wrenches = { { name = \"push\", frame = \"tip\", kind = \"physical\" } },\n";
  Comparison out("Experiments with static friction, by hand");
  BoundedProgram free({arguments.achdgen, urdf, push + "  groups = {},\n}\n"}, "arm1dof", 1, 1);
  // the rod is along y: a force F along x turns it by -F
  const auto check = [&](const BoundedProgram &p, const std::vector<double> &line, int row,
                         const std::string &what, double nu, double qdd) {
    out.add(what + ": reaction", std::fabs(double(p.block(line, "nu", p.rows)[row]) - nu), 1e-12);
    out.add(what + ": qdd", std::fabs(double(p.block(line, "qdd", 1)[0]) - qdd), 1e-12);
  };
  auto without_b = [&](double force) {
    auto in = rod(force, 0);
    in.erase("b.tip.ang_z");
    return free.run({free.arrange(in)})[0];
  };
  check(free, without_b(5), 0, "5 N m against 10", 5, 0);
  check(free, without_b(11), 0, "11 N m against 10", 10, -3);
  check(free, without_b(-11), 0, "11 N m the other way", -10, 3);
  BoundedProgram held(
      {arguments.achdgen, urdf,
       push + "  groups = { { name = \"tip\", frame = \"tip\", rows = { \"ang_z\" } } },\n}\n"},
      "arm1dof", 1, 2);
  const auto line = held.run({held.arrange(rod(0, 5))})[0];
  check(held, line, 1, "5 rad/s^2 imposed: a vertex", -10, 5);
  return out.print();
}

// ---- input that means nothing ----

int run_bad_input(const Arguments &arguments) {
  const std::string urdf = arguments.robots + "/arm1dof.urdf";
  const std::string layout = "return {\n  friction = \"input\",\n  gravity = { 0, 0, 0 },\n"
                             "  groups = { { name = \"tip\", frame = \"tip\", rows = { \"lin_x\" "
                             "}, bounds = \"input\" } },\n}\n";
  BoundedProgram program({arguments.achdgen, urdf, layout}, "arm1dof", 1, 2);
  Comparison out("Input that means nothing");
  const auto check = [&](const std::string &what, double friction, double lo, double hi, bool bad) {
    const auto line = program.run({program.arrange({{"q.joint1", 0},
                                                    {"qd.joint1", 0},
                                                    {"friction.joint1", friction},
                                                    {"b.tip.lin_x", 1},
                                                    {"lo.tip.lin_x", lo},
                                                    {"hi.tip.lin_x", hi}})})[0];
    const bool told = (unsigned(line[0]) & BAD_INPUT) != 0;
    const bool refused = line[size_t(program.output("solver"))] == 4; /* ACHD_MCLP_BAD_INPUT */
    out.add(what + ": status", told != bad, 0);
    out.add(what + ": refused by the solver", refused != bad, 0);
    out.add(what + ": nu", bad ? double(program.block(line, "nu", 2).cwiseAbs().maxCoeff()) : 0, 0);
  };
  check("fine", 1, -1, 1, false);
  check("infinite bounds", 1, -INFINITY, INFINITY, false);
  check("lower above upper", 1, 2, 1, true);
  check("negative friction", -1, -1, 1, true);
  const auto moving = program.run({program.arrange({{"q.joint1", 0},
                                                    {"qd.joint1", 1},
                                                    {"friction.joint1", -1},
                                                    {"b.tip.lin_x", 1},
                                                    {"lo.tip.lin_x", -1},
                                                    {"hi.tip.lin_x", 1}})})[0];
  out.add("negative friction in motion: status", (unsigned(moving[0]) & BAD_INPUT) == 0, 0);
  check("NaN below", 1, NAN, 1, true);
  check("NaN above", 1, -1, NAN, true);
  return out.print();
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 60);
  if (arguments.only == "reference") return run_reference(arguments);
  int bad = 0;
  const auto wanted = [&](const char *title) { return std::strstr(title, arguments.only.c_str()); };
  if (wanted("experiments")) bad += run_experiments(arguments);
  if (wanted("bad input")) bad += run_bad_input(arguments);
  InSample in_sample(arguments, 8);
  for (const Case &c : cases)
    if (wanted(c.robot) && in_sample()) bad += run_case(arguments, c);
  for (const Words &w : words_of_bounds())
    if (wanted(w.title.c_str()) && in_sample()) bad += run_words(arguments, w);
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
