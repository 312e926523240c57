/* SPDX-License-Identifier: MIT */
// weights_test.cpp: rows that weigh drivers, against dense systems in long double. Without physical rows as the
// literature has it (Shakhimardanov 2015, eq. 3.42),
//   L nu = b - J-dot q-dot - J M^-1 f_nature - sum w o (J M^-1 f),   f_nature = -(C q-dot + g)
// else by what each driver alone causes of the robot whose physical rows hold,
//   [ M  -Jp^T ] [v]   [f]
//   [ Jp   C   ] [n] = [0],   J qdd = b + sum (1 - w) o (J v).
// Constants and inputs, wrenches of both kinds, both torques, viscous friction; both formulations, rows of a frame, free
// directions, rows on joints; masks, soft and physical rows, moving bases, contributions, saturation, float; weights
// that mean nothing; bounded rows. Arguments: oracle/arguments.hpp.
#include "oracle/arguments.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

struct Case {
  std::string title, urdf, flags;
  LayoutSpec layout;
  std::vector<double> viscous; // by joint; empty: none
  std::vector<std::string> drivers;
  std::vector<Mat> weights; // by group: drivers x rows; empty: at run time, or of a group without
  std::vector<bool> at_run_time;
};

// Constants for a group, of which some are left out where they are 1.
void weigh(Case &c, size_t g, Random &random) {
  GroupSpec &to = c.layout.groups[g];
  Mat w(Eigen::Index(c.drivers.size()), to.size());
  std::string text = "weights = {";
  for (size_t d = 0; d < c.drivers.size(); d++) {
    text += " " + c.drivers[d] + " = {";
    for (int k = 0; k < to.size(); k++) {
      const double kinds[] = {0, 1, 0.5, random.uniform(0, 1)};
      const double x = kinds[size_t(random.uniform(0, 3.999))];
      w(Eigen::Index(d), k) = x;
      char number[40];
      std::snprintf(number, sizeof number, "%.17g", x);
      if (x < 1) text += " [\"" + to.row_name(k) + "\"] = " + number + ",";
    }
    text += " },";
  }
  to.more += text + " },";
  c.weights[g] = w;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  Random random(5);
  const auto add = [&](const std::string &title, const std::string &urdf,
                       std::vector<GroupSpec> groups) -> Case & {
    Case c;
    c.title = title;
    c.urdf = urdf;
    c.layout.name = "robot";
    c.layout.groups = groups;
    c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.outputs = {"qdd", "nu", "tau_ctrl", "residual"};
    c.weights.resize(groups.size());
    c.at_run_time.assign(groups.size(), false);
    all.push_back(c);
    return all.back();
  };
  // The groups' weights: constants, or inputs where `input`.
  const auto finish = [&](Case &c, std::vector<size_t> which, bool input) {
    for (const WrenchSpec &w : c.layout.wrenches) c.drivers.push_back(w.name);
    if (c.layout.tau_phys) c.drivers.push_back("tau_phys");
    if (c.layout.tau_art) c.drivers.push_back("tau_art");
    if (!c.viscous.empty()) c.drivers.push_back("viscous");
    for (size_t g : which) {
      if (!input) weigh(c, g, random);
      if (input) c.layout.groups[g].more += "weights = \"input\",";
      c.at_run_time[g] = input;
    }
  };
  for (const std::string formulation : {"recursion", "joint"}) {
    Case &c = add("gen3, " + formulation, "gen3.urdf",
                  {group("tool", "tool_frame", {"lin_x", "lin_y", "lin_z", "ang_x"})});
    c.flags = "--formulation " + formulation;
    c.layout.wrenches = {{"push", "tool_frame", false}, {"grip", "forearm_link", true}};
    c.layout.groups[0].maskable = true;
    c.layout.contributions = {"qdd", "nu", "tau_ctrl"};
    c.viscous = {0.5, 0, 1, 0, 2, 0.25, 0};
    finish(c, {0}, formulation == "joint");
  }
  {
    Case &c = add("gen3, free directions, rows on joints, saturated", "gen3.urdf",
                  {group("elbow", ""), group("tool", "tool_frame")});
    c.layout.groups[0].joints = {"joint_4"};
    c.layout.groups[1].free = 3;
    c.layout.wrenches = {{"push", "tool_frame", false}};
    c.layout.saturate = true;
    c.layout.selection.effort = {{"joint_1", 20}, {"joint_2", 25}, {"joint_4", 10}};
    finish(c, {0, 1}, true);
  }
  for (const bool input : {false, true}) {
    Case &c = add(std::string("quadruped, feet that stand, ") + (input ? "inputs" : "constants"),
                  "quadruped.urdf",
                  {group("trunk", "trunk", {"lin_z", "ang_x"}),
                   group("fl", "fl_foot", {"lin_x", "lin_y", "lin_z"}, true),
                   group("rr", "rr_foot", {"lin_x", "lin_y", "lin_z"}, true)});
    c.layout.selection.base = Base::floating;
    c.layout.groups[1].maskable = true;
    c.layout.groups[2].more = "compliance = 0.05, ";
    c.layout.wrenches = {{"push", "trunk", false}, {"swing", "fr_foot", true}};
    finish(c, {0}, input);
  }
  {
    Case &c = add("youbot on its platform, a brake", "youbot.urdf",
                  {group("grip", "gripper_palm_link", {"lin_x", "lin_z", "ang_y"}),
                   group("brake", "base_link", {"lin_y"}, true)});
    c.layout.selection.base = Base::planar;
    c.layout.selection.tips = {"gripper_palm_link"};
    c.layout.wrenches = {{"press", "gripper_palm_link", true}, {"push", "arm_link_3", false}};
    c.layout.contributions = {"qdd", "nu", "tau_ctrl"};
    finish(c, {0}, false);
  }
  return all;
}

// Forces of the drivers by coordinate, in their order, and those of nature.
struct Acting {
  std::vector<Vec> drivers;
  Vec nature, own;
};

Acting acting(const Robot &robot, const Motion &at, const Problem &problem, const Case &c) {
  Acting a;
  a.nature = -at.h;
  a.own = Vec::Zero(at.nv);
  for (const Wrench &w : problem.wrenches) {
    a.drivers.push_back(jacobian(at, w.link).transpose() * w.f);
    if (w.artificial) a.own += a.drivers.back();
  }
  const auto torques = [&](const Vec &tau) {
    Vec f = Vec::Zero(at.nv);
    f.tail(robot.nd()) = tau;
    a.drivers.push_back(f);
  };
  if (problem.tau_phys.size()) torques(problem.tau_phys);
  if (problem.tau_art.size()) torques(problem.tau_art), a.own += a.drivers.back();
  if (!c.viscous.empty()) {
    Vec tau(robot.nd());
    for (int j = 0; j < robot.nd(); j++) tau[j] = -c.viscous[size_t(j)] * at.u[at.nb + j];
    torques(tau);
  }
  return a;
}

// vdot and nu of rows J vdot + c nu = b under forces.
void balance(const Mat &M, const Mat &J, const Vec &c, const Vec &forces, const Vec &b, Vec &vdot,
             Vec &nu) {
  const Eigen::Index n = M.rows(), m = J.rows();
  Mat K = Mat::Zero(n + m, n + m);
  Vec r(n + m);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, m) = -J.transpose();
  K.bottomLeftCorner(m, n) = J;
  K.bottomRightCorner(m, m) = Mat(c.asDiagonal());
  r << forces, b;
  const Vec x = K.fullPivLu().solve(r);
  vdot = x.head(n), nu = x.tail(m);
}

struct Rows { // in force
  std::vector<int> which;
  Mat J, w; // w: drivers x rows
  Vec b, c;
  std::vector<bool> physical;
};

Rows rows_of(const Motion &at, const Problem &problem, const Case &c, const Mat &weights) {
  Rows r;
  for (size_t k = 0; k < problem.rows.size(); k++)
    if (problem.rows[k].active) r.which.push_back(int(k));
  const Eigen::Index m = Eigen::Index(r.which.size());
  r.J.resize(m, at.nv), r.b.resize(m), r.c = Vec::Zero(m), r.w.resize(weights.rows(), m);
  for (Eigen::Index i = 0; i < m; i++) {
    const int k = r.which[size_t(i)];
    const Row &row = problem.rows[size_t(k)];
    real gamma;
    r.J.row(i) = row_jacobian(at, row, &gamma);
    r.b[i] = row.b - gamma;
    r.w.col(i) = weights.col(k);
    r.physical.push_back(row.physical);
    if (c.layout.groups[size_t(row.group)].more.find("compliance") != std::string::npos)
      r.c[i] = 0.05L;
  }
  return r;
}

// What the rows ask for beside b.
Vec passing(const Motion &at, const Rows &r, const Acting &a) {
  std::vector<Eigen::Index> held;
  for (size_t i = 0; i < r.physical.size(); i++)
    if (r.physical[i]) held.push_back(Eigen::Index(i));
  Mat J(held.size(), at.nv);
  Vec c(held.size());
  for (size_t i = 0; i < held.size(); i++)
    J.row(Eigen::Index(i)) = r.J.row(held[i]), c[Eigen::Index(i)] = r.c[held[i]];
  Vec more = Vec::Zero(r.b.size());
  for (size_t d = 0; d < a.drivers.size(); d++) {
    Vec v, nu;
    balance(at.M, J, c, a.drivers[d], Vec::Zero(c.size()), v, nu);
    for (Eigen::Index j = 0; j < more.size(); j++)
      more[j] += (1 - r.w(Eigen::Index(d), j)) * r.J.row(j).dot(v);
  }
  return more;
}

// The literature's nu.
Vec by_equation(const Motion &at, const Rows &r, const Acting &a) {
  const Mat W = solve_spd(at.M, Mat(r.J.transpose()));
  Vec right = r.b - W.transpose() * a.nature;
  for (size_t d = 0; d < a.drivers.size(); d++)
    right -= r.w.row(Eigen::Index(d)).transpose().cwiseProduct(W.transpose() * a.drivers[d]);
  return solve_spd(Mat(r.J * W), right);
}

// The inputs, and the weights of all rows: drivers x rows.
std::map<std::string, double> columns_of(const Robot &robot, const Case &c, const Sample &sample,
                                         Random &random, Mat &weights) {
  auto in = input_columns(robot, c.layout, sample);
  int rows = 0, at = 0;
  for (const GroupSpec &g : c.layout.groups) rows += g.size();
  weights = Mat::Ones(Eigen::Index(c.drivers.size()), rows);
  for (size_t g = 0; g < c.layout.groups.size(); g++)
    for (int k = 0; k < c.layout.groups[g].size(); k++, at++)
      for (size_t d = 0; d < c.drivers.size(); d++) {
        const Eigen::Index i = Eigen::Index(d);
        if (c.weights[g].size()) weights(i, at) = c.weights[g](i, k);
        if (!c.at_run_time[g]) continue;
        const double x = random.chance(0.2) ? 1 : random.chance(0.2) ? 0 : random.uniform(0, 1);
        weights(i, at) = x;
        in["weight." + c.drivers[d] + "." + c.layout.groups[g].name + "." +
           c.layout.groups[g].row_name(k)] = x;
      }
  return in;
}

int run_case(Case c, const Arguments &arguments, bool single) {
  if (!c.viscous.empty()) {
    c.layout.more += "  friction = { viscous = {";
    for (size_t j = 0; j < c.viscous.size(); j++)
      if (c.viscous[j] > 0)
        c.layout.more +=
            " joint_" + std::to_string(j + 1) + " = " + std::to_string(c.viscous[j]) + ",";
    c.layout.more += " } },\n";
  }
  const Robot robot = read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
  Evaluator program({arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout),
                     c.flags + " --snap 0 --real " + (single ? "float" : "double")});
  Comparison errors(c.title + (single ? ", float" : ""));
  Random random(29);
  Table in;
  std::vector<Sample> samples;
  std::vector<Mat> weights(size_t(arguments.states));
  for (int i = 0; i < arguments.states; i++) {
    samples.push_back(random_sample(robot, c.layout, random, SampleRange()));
    in.push_back(program.arrange(columns_of(robot, c, samples.back(), random, weights[size_t(i)])));
  }
  const Table got = program.run(in);
  const ColumnNames names = names_of(robot, c.layout);
  const double tolerance = single ? 1e-2 : 1e-8;
  int judged = 0, by_literature = 0;
  for (size_t i = 0; i < samples.size(); i++) {
    const Motion at = motion(robot, samples[i].state);
    const Problem problem = problem_of(robot, c.layout, at, samples[i]);
    const Acting a = acting(robot, at, problem, c);
    const Rows r = rows_of(at, problem, c, weights[i]);
    const std::string where = "state " + std::to_string(i);
    Mat L = r.J * solve_spd(at.M, Mat(r.J.transpose()));
    L.diagonal() += r.c;
    const Vec scale = L.diagonal().cwiseSqrt().cwiseInverse();
    if (!(condition(scale.asDiagonal() * L * scale.asDiagonal()) < (single ? 1e3 : 1e5))) continue;
    judged++;
    const Vec more = passing(at, r, a);
    Vec forces = a.nature, vdot, part, nu = Vec::Zero(Eigen::Index(problem.rows.size()));
    for (const Vec &f : a.drivers) forces += f;
    balance(at.M, r.J, r.c, forces, r.b + more, vdot, part);
    if (r.which.size() &&
        std::none_of(r.physical.begin(), r.physical.end(), [](bool p) { return p; })) {
      errors.add("oracle: eq. 3.42", relative(by_equation(at, r, a), part), 1e-10, where);
      by_literature++;
    }
    Vec tau = a.own;
    for (size_t k = 0; k < r.which.size(); k++) {
      nu[r.which[k]] = part[Eigen::Index(k)];
      if (!r.physical[k]) tau += r.J.row(Eigen::Index(k)).transpose() * part[Eigen::Index(k)];
    }
    Vec motors = tau.tail(robot.nd());
    if (c.layout.saturate) {
      Vec applied = forces - a.own;
      for (int j = 0; j < robot.nd(); j++) {
        const real limit = robot.dofs[size_t(j)].effort;
        motors[j] = std::max(-limit, std::min(limit, motors[j]));
        applied[at.nb + j] += motors[j];
      }
      vdot = solve_spd(at.M, applied);
    }
    const unsigned status = unsigned(got[i][size_t(program.output("status"))]);
    errors.add("qdd",
               relative(picked(program, got[i], "qdd.", names.joints), Vec(vdot.tail(robot.nd()))),
               tolerance, where);
    errors.add("nu", relative(picked(program, got[i], "nu.", names.rows), nu), tolerance, where);
    errors.add("tau_ctrl", relative(picked(program, got[i], "tau_ctrl.", names.joints), motors),
               tolerance, where);
    const Vec residual = picked(program, got[i], "residual.", names.rows);
    const Vec wanted = r.J * vdot - r.b - more;
    Vec left(r.b.size());
    for (size_t k = 0; k < r.which.size(); k++) left[Eigen::Index(k)] = residual[r.which[k]];
    errors.add("residual", relative(left, wanted, 1), 10 * tolerance, where);
    errors.add("status", status & ~(UNACTUATED | SATURATED), 0, where);
    if (!c.layout.contributions.empty())
      judge_shares(program, got[i], c.layout, tolerance, where, errors);
  }
  int bad = errors.print();
  std::printf("  %d of %zu states judged, %d of them by the literature's equation\n", judged,
              samples.size(), by_literature);
  if (3 * judged < int(samples.size())) bad++, std::printf("  BAD: too few\n");
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 20, 500);
  Runs runs(arguments);
  InSample in_sample(arguments, 2);
  for (const Case &c : cases())
    for (const bool single : {false, true})
      if (in_sample()) runs(c.title, [&] { return run_case(c, arguments, single); });
  return runs.end();
}
