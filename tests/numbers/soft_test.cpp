/* SPDX-License-Identifier: MIT */
// soft_test.cpp: rows with compliance, A^T a - b = -c nu, against the dense system that says it,
//   [ M  -J^T ] [vdot]   [ forces        ]
//   [ J    C  ] [ nu ] = [ b - J-dot q-dot ]
// in long double; where all rows are soft also against the least weighted squares that they mean,
// M vdot - forces + J^T C^-1 (J vdot + J-dot q-dot - b) = 0. Constants and inputs, of every group or
// of some rows; every policy and both ways to factor L, bases, ties, mimic joints, masks, rows that
// yield, physical rows, saturation, contributions, float; rows that depend on others or are out of
// reach; numbers that mean nothing; bounded rows by their conditions. Arguments:
// oracle/arguments.hpp.
#include <optional>

#include "oracle/arguments.hpp"
#include "oracle/bounded.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

using Compliance = std::vector<std::optional<double>>; // by row of a group; none: at run time

struct Case {
  std::string title, urdf, flags;
  LayoutSpec layout;
  std::vector<Compliance> soft; // by group; empty: rigid
  bool shares = false;
};

// Writes the word into the groups' text.
void write_compliance(LayoutSpec &layout, const std::vector<Compliance> &soft) {
  for (size_t g = 0; g < layout.groups.size(); g++) {
    GroupSpec &group = layout.groups[g];
    if (soft[g].empty()) continue;
    std::string text = "compliance = {";
    for (int k = 0; k < group.size(); k++) {
      char number[40] = "\"input\"";
      if (soft[g][size_t(k)]) std::snprintf(number, sizeof number, "%.17g", *soft[g][size_t(k)]);
      text += " [\"" + group.row_name(k) + "\"] = " + number + ",";
    }
    group.more += text + " },";
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string &title, const std::string &urdf,
                       std::vector<GroupSpec> groups, std::vector<Compliance> soft) -> Case & {
    Case c;
    c.title = title;
    c.urdf = urdf;
    c.layout.name = "robot";
    c.layout.groups = groups;
    c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.outputs = {"qdd", "nu", "tau_ctrl", "residual"};
    c.soft = soft;
    all.push_back(c);
    return all.back();
  };
  const std::optional<double> input;
  for (const std::string formulation : {"recursion", "joint"}) {
    Case &c = add("gen3, half of the rows soft, " + formulation, "gen3.urdf",
                  {group("tool", "tool_frame"), group("elbow", "forearm_link", {"lin_z"}, true)},
                  {{0.5, 0.0, input, 2.0, 0.0, input}, {0.01}});
    c.layout.groups[0].maskable = true;
    c.layout.armature_input = true;
    c.flags = "--formulation " + formulation;
  }
  for (const Policy policy : {Policy::damp, Policy::drop, Policy::truncate})
    for (const double threshold : {1e-6, 1e-10}) { // below 1.5e-8: Gram and Schmidt
      Case &c =
          add("gen3, " +
                  std::string(policy == Policy::damp   ? "damp"
                              : policy == Policy::drop ? "drop"
                                                       : "truncate") +
                  (threshold < 1e-8 ? ", small threshold" : ""),
              "gen3.urdf", {group("tool", "tool_frame")}, {{input, 1e-3, 0.2, 0.0, input, 5.0}});
      c.layout.groups[0].axes = Axes::input;
      c.layout.groups[0].maskable = policy != Policy::truncate;
      c.layout.singularity = policy;
      c.layout.threshold = threshold;
    }
  {
    Case &c = add("youbot on its platform, rows that yield", "youbot.urdf",
                  {group("grip", "gripper_palm_link", {"lin_x", "lin_z", "ang_y"}),
                   group("brake", "base_link", {"lin_y"}, true)},
                  {{0.1, input, 0.3}, {}});
    c.layout.selection.base = Base::planar;
    c.layout.selection.tips = {"gripper_palm_link"};
    c.layout.groups[0].yields = true;
    c.layout.wrenches = {{"press", "gripper_palm_link", true}, {"push", "arm_link_3", false}};
    c.layout.contributions = {"qdd", "nu", "tau_ctrl"};
    c.shares = true;
  }
  {
    Case &c = add("quadruped, floating, soft ground", "quadruped.urdf",
                  {group("trunk", "trunk", {"lin_z", "ang_x"}),
                   group("fl", "fl_foot", {"lin_x", "lin_y", "lin_z"}, true),
                   group("rr", "rr_foot", {"lin_x", "lin_y", "lin_z"}, true)},
                  {{}, {input, input, input}, {0.05, 0.05, 0.2}});
    c.layout.selection.base = Base::floating;
    c.layout.groups[1].maskable = true;
    c.layout.groups[2].axes = Axes::link;
    c.layout.groups[2].classical = false;
  }
  {
    Case &c =
        add("motors alone, the trunk soft", "quadruped.urdf",
            {group("trunk", "trunk"), group("fl", "fl_foot", {"lin_x", "lin_y", "lin_z"}, true),
             group("fr", "fr_foot", {"lin_x", "lin_y", "lin_z"}, true),
             group("rr", "rr_foot", {"lin_x", "lin_y", "lin_z"}, true)},
            {{0.02, 0.02, 0.02, input, input, input}, {}, {}, {}});
    c.layout.selection.base = Base::floating;
    c.layout.tau_art = false;
    c.layout.more = "  realise = \"motors\",\n";
  }
  {
    Case &c = add("panda, a soft tie of sliding fingers", "panda.urdf",
                  {group("grasp", "panda_leftfinger", {"lin_y"}, true),
                   group("tool", "panda_hand_tcp", {"lin_x", "lin_z"})},
                  {{0.7}, {0.0, 0.4}});
    c.layout.selection.tips = {"panda_hand_tcp", "panda_leftfinger", "panda_rightfinger"};
    c.layout.groups[0].to = "panda_rightfinger";
  }
  {
    Case &c = add("gripper, mimic joints, soft loops", "gripper.urdf",
                  {group("crank", ""), group("left", "left_link_pin", {"lin_y", "lin_z"}, true),
                   group("right", "right_link_pin", {"lin_y", "lin_z"}, true)},
                  {{0.3}, {0.0, input}, {0.01, 0.02}});
    c.layout.groups[0].joints = {"left_crank_joint"};
    c.layout.groups[1].to = "left_finger_pin";
    c.layout.groups[2].to = "right_finger_pin";
  }
  {
    Case &c = add("two arms, a tree, rows on joints", "two_arms.urdf",
                  {group("torso", ""), group("right", "right_hand", {"lin_x", "lin_y", "lin_z"})},
                  {{input}, {0.1, 0.0, input}});
    c.layout.groups[0].joints = {"torso_joint"};
  }
  {
    Case &c = add("gen3, all rows soft, more of them than joints", "gen3.urdf",
                  {group("tool", "tool_frame"), group("elbow", "forearm_link")},
                  {{0.1, 0.2, 0.3, 1.0, 2.0, 3.0}, {input, input, input, 4.0, 4.0, 4.0}});
    c.layout.singularity = Policy::drop;
  }
  {
    Case &c = add("gen3, saturated", "gen3.urdf",
                  {group("tool", "tool_frame", {"lin_x", "lin_y", "lin_z"}),
                   group("wall", "forearm_link", {"lin_x"}, true)},
                  {{0.01, input, 0.0}, {input}});
    c.layout.saturate = true;
    c.layout.selection.effort = {{"joint_1", 20}, {"joint_2", 25}, {"joint_4", 10}};
  }
  return all;
}

struct Dense {
  Mat J;    // rows in force
  Vec b, c; // less what they see at vdot = 0; compliance
  Vec own, rest;
  std::vector<int> which;
};

Dense dense_of(const Robot &robot, const Motion &at, const Problem &problem, const Vec &soft) {
  Dense d;
  const int nd = robot.nd();
  Vec pressed = Vec::Zero(at.nv);
  d.rest = -at.h;
  for (const Wrench &w : problem.wrenches)
    (w.artificial ? pressed : d.rest) += jacobian(at, w.link).transpose() * w.f;
  d.own = pressed;
  if (problem.tau_art.size()) d.own.tail(nd) += problem.tau_art;
  if (problem.tau_phys.size()) d.rest.tail(nd) += problem.tau_phys;
  const Vec alone = solve_spd(at.M, pressed);
  for (size_t k = 0; k < problem.rows.size(); k++)
    if (problem.rows[k].active) d.which.push_back(int(k));
  const Eigen::Index m = Eigen::Index(d.which.size());
  d.J.resize(m, at.nv), d.b.resize(m), d.c.resize(m);
  for (Eigen::Index i = 0; i < m; i++) {
    const Row &row = problem.rows[size_t(d.which[size_t(i)])];
    real gamma;
    d.J.row(i) = row_jacobian(at, row, &gamma);
    d.b[i] = row.b - gamma + (row.yields ? d.J.row(i).dot(alone) : 0);
    d.c[i] = soft[d.which[size_t(i)]];
  }
  return d;
}

// vdot and nu of the rows `only` (of d.which; empty: all) under forces.
void balance(const Motion &at, const Dense &d, const Vec &forces, const std::vector<int> &only,
             Vec &vdot, Vec &nu) {
  const Eigen::Index n = at.nv, m = Eigen::Index(only.size());
  Mat K = Mat::Zero(n + m, n + m);
  Vec r(n + m);
  K.topLeftCorner(n, n) = at.M;
  r.head(n) = forces;
  for (Eigen::Index i = 0; i < m; i++) {
    const int j = only[size_t(i)];
    K.block(0, n + i, n, 1) = -d.J.row(j).transpose();
    K.block(n + i, 0, 1, n) = d.J.row(j);
    K(n + i, n + i) = d.c[j];
    r[n + i] = d.b[j];
  }
  const Vec x = K.fullPivLu().solve(r);
  vdot = x.head(n), nu = x.tail(m);
}

std::map<std::string, double> columns_of(const Robot &robot, const Case &c, const Sample &sample,
                                         Random &random, Vec &soft) {
  auto in = input_columns(robot, c.layout, sample);
  std::vector<real> list;
  for (size_t g = 0; g < c.layout.groups.size(); g++)
    for (int k = 0; k < c.layout.groups[g].size(); k++) {
      const bool rigid = c.soft[g].empty();
      list.push_back(rigid ? 0 : c.soft[g][size_t(k)].value_or(0));
      if (rigid || c.soft[g][size_t(k)]) continue;
      const double x = random.chance(0.2) ? 0 : random.log_uniform(1e-3, 10);
      list.back() = x;
      in["compliance." + c.layout.groups[g].name + "." + c.layout.groups[g].row_name(k)] = x;
    }
  soft = Eigen::Map<Vec>(list.data(), Eigen::Index(list.size()));
  return in;
}

// By row the most that joints do for it alone in any of the states, (J M^-1 J^T)_kk.
Vec most_of(const Robot &robot, const LayoutSpec &layout, const std::vector<Sample> &samples,
            const std::vector<Vec> &soft) {
  Vec most = Vec::Zero(soft[0].size());
  for (size_t i = 0; i < samples.size(); i++) {
    const Motion at = motion(robot, samples[i].state);
    const Dense d = dense_of(robot, at, problem_of(robot, layout, at, samples[i]), soft[i]);
    const Mat W = solve_spd(at.M, Mat(d.J.transpose()));
    for (size_t k = 0; k < d.which.size(); k++)
      most[d.which[k]] = std::max(most[d.which[k]], (d.J * W)(Eigen::Index(k), Eigen::Index(k)));
  }
  return most;
}

// Whether joints hardly do anything for some row, soft or not: float takes it to be out of reach.
bool hardly_moves(const Mat &L, const std::vector<int> &which, const Vec &most) {
  for (size_t k = 0; k < which.size(); k++)
    if (L(Eigen::Index(k), Eigen::Index(k)) <= 1e-3L * most[which[k]]) return true;
  return false;
}

int run_case(Case c, const Arguments &arguments, bool single) {
  write_compliance(c.layout, c.soft);
  const Robot robot = read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
  if (single && c.layout.threshold < 1e-8) return 0;
  const Generator how = {arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout),
                         c.flags + " --snap 0 --real " + (single ? "float" : "double")};
  Evaluator program(how);
  Comparison errors(c.title + (single ? ", float" : ""));
  Random random(23);
  Table in;
  std::vector<Sample> samples;
  std::vector<Vec> soft(size_t(arguments.states));
  for (int i = 0; i < arguments.states; i++) {
    samples.push_back(random_sample(robot, c.layout, random, SampleRange()));
    in.push_back(program.arrange(columns_of(robot, c, samples.back(), random, soft[size_t(i)])));
  }
  const Table got = program.run(in);
  const ColumnNames names = names_of(robot, c.layout);
  int judged = 0, weighted = 0, saturated = 0;
  const Vec most = single ? most_of(robot, c.layout, samples, soft) : Vec();
  for (size_t i = 0; i < samples.size(); i++) {
    const Motion at = motion(robot, samples[i].state);
    const Problem problem = problem_of(robot, c.layout, at, samples[i]);
    const Dense d = dense_of(robot, at, problem, soft[i]);
    const std::string where = "state " + std::to_string(i);
    std::vector<int> all, physical;
    for (int k = 0; k < int(d.which.size()); k++) {
      all.push_back(k);
      if (problem.rows[size_t(d.which[size_t(k)])].physical) physical.push_back(k);
    }
    const Mat W = solve_spd(at.M, Mat(d.J.transpose()));
    Mat L = d.J * W;
    if (single && hardly_moves(L, d.which, most)) continue;
    L.diagonal() += d.c;
    const Vec scale = L.diagonal().cwiseSqrt().cwiseInverse();
    if (!(condition(scale.asDiagonal() * L * scale.asDiagonal()) < (single ? 1e3 : 1e5))) continue;
    judged++;
    const double tolerance = single ? 1e-2 : 1e-8;
    Vec vdot, part, nu = Vec::Zero(soft[i].size());
    balance(at, d, d.rest + d.own, all, vdot, part);
    for (size_t k = 0; k < all.size(); k++) nu[d.which[k]] = part[Eigen::Index(k)];
    if (d.c.size() && d.c.minCoeff() > 0) {
      const Vec stiff = d.c.cwiseInverse();
      const Mat weight = at.M + d.J.transpose() * stiff.asDiagonal() * d.J;
      const Vec least =
          solve_spd(weight, Vec(d.rest + d.own + d.J.transpose() * stiff.cwiseProduct(d.b)));
      errors.add("oracle: least weighted squares", relative(vdot, least), 1e-10, where);
      weighted++;
    }
    Vec tau = d.own;
    for (size_t k = 0; k < all.size(); k++)
      if (!problem.rows[size_t(d.which[k])].physical)
        tau += d.J.row(Eigen::Index(k)).transpose() * part[Eigen::Index(k)];
    Vec motors = tau.tail(robot.nd());
    const bool by_motors = !c.layout.more.empty();
    const unsigned status = unsigned(got[i][size_t(program.output("status"))]);
    if (c.layout.saturate) {
      Vec applied = Vec::Zero(at.nv);
      bool cut = false;
      for (int j = 0; j < robot.nd(); j++) {
        const real limit = robot.dofs[size_t(j)].effort;
        cut |= std::abs(motors[j]) > limit;
        motors[j] = std::max(-limit, std::min(limit, motors[j]));
        applied[at.nb + j] = motors[j];
      }
      balance(at, d, d.rest + applied, physical, vdot, part);
      for (size_t k = 0; k < physical.size(); k++)
        nu[d.which[size_t(physical[k])]] = part[Eigen::Index(k)];
      saturated += cut;
      errors.add("SATURATED", ((status & SATURATED) != 0) != cut, 0, where);
    }
    const Vec qdd = picked(program, got[i], "qdd.", names.joints);
    errors.add("qdd", relative(qdd, Vec(vdot.tail(robot.nd()))), tolerance, where);
    if (!by_motors) {
      errors.add("nu", relative(picked(program, got[i], "nu.", names.rows), nu), tolerance, where);
      errors.add("tau_ctrl", relative(picked(program, got[i], "tau_ctrl.", names.joints), motors),
                 tolerance, where);
    }
    const Vec residual = picked(program, got[i], "residual.", names.rows);
    const Vec wanted = d.J * vdot - d.b;
    Vec left(d.b.size());
    for (size_t k = 0; k < all.size(); k++) left[Eigen::Index(k)] = residual[d.which[k]];
    errors.add("residual", relative(left, wanted, 1), 10 * tolerance, where);
    errors.add("status", status & ~(UNACTUATED | SATURATED), 0, where);
    if (c.shares) judge_shares(program, got[i], c.layout, tolerance, where, errors);
  }
  int bad = errors.print();
  std::printf("  %d of %zu states judged, %d as weighted squares, %d saturated\n", judged,
              samples.size(), weighted, saturated);
  if (3 * judged < int(samples.size())) bad++, std::printf("  BAD: too few\n");
  if (c.layout.saturate && saturated == 0) bad++, std::printf("  BAD: nothing was saturated\n");
  return bad;
}

// Rows that the rigid solve cannot have: the same row twice, and one that no joint moves.
int run_dependent(const Arguments &arguments) {
  int bad = 0;
  for (const std::string singularity : {"damp", "drop", "truncate"})
    for (const std::string threshold : {"", "  singular_threshold = 1e-10,\n"}) {
      Evaluator program(
          {arguments.achdgen, arguments.robots + "/arm1dof.urdf",
           "return {\n  name = \"robot\",\n  gravity = { 0, 0, 0 },\n  singularity = \"" +
               singularity + "\",\n" + threshold +
               "  groups = {\n"
               "    { name = \"one\", frame = \"tip\", rows = 1, compliance = \"input\" },\n"
               "    { name = \"two\", frame = \"tip\", rows = 1, compliance = \"input\" },\n"
               "  },\n  outputs = { \"qdd\", \"nu\" },\n}\n"});
      const Columns &names = program.columns();
      // inputs by name, all 0; both rows about the joint's axis or, if `across`, the second is not
      const auto state = [&](double c1, double c2, bool across) {
        std::map<std::string, double> in;
        for (const Column &column : names.in) in[column.name] = 0;
        for (const char axis : {'x', 'y', 'z'}) {
          in[std::string("dir.one.1.ang_") + axis] = 1;
          in[std::string("dir.two.1.ang_") + axis] = across ? 0 : 1;
        }
        if (across) in["dir.two.1.lin_x"] = 0;
        in["b.one.1"] = 1, in["b.two.1"] = 4;
        in["compliance.one.1"] = c1, in["compliance.two.1"] = c2;
        return program.arrange(in);
      };
      const Table got = program.run({state(2, 1, false), state(0, 0, false), state(2, 1, true),
                                     state(-1, 1, false), state(NAN, 1, false),
                                     state(INFINITY, 1, false), state(1e250, 1, false)});
      const auto at = [&](int i, const std::string &name) {
        return got[size_t(i)][size_t(program.output(name))];
      };
      const auto status = [&](int i) { return unsigned(at(i, "status")); };
      // 1/2 (x - 1)^2 / 2 + 1/2 (x - 4)^2 / 1 + 1/2 M x^2: forces balance, c nu = b - x
      const double x = 1 - 2 * at(0, "nu.one.1");
      const auto check = [&](const char *what, bool good) {
        if (!good)
          bad++, std::printf("  BAD %s, %s: %s\n", singularity.c_str(), threshold.c_str(), what);
      };
      check("two soft rows about one axis are no singularity", status(0) == 0);
      check("they give way by their compliance", std::abs(4 - at(0, "nu.two.1") - x) < 1e-9);
      check("rigid ones are singular", (status(1) & SINGULAR) != 0);
      check("no joint moves the row: no force, and told",
            status(2) == SINGULAR && at(2, "nu.two.1") == 0);
      check("a compliance below 0 is bad input", (status(3) & BAD_INPUT) != 0);
      check("and counts as 0", std::abs(4 - at(3, "nu.two.1") - 1) < 1e-9);
      check("NaN is told", (status(4) & NOT_FINITE) != 0);
      check("infinity is told", (status(5) & NOT_FINITE) != 0);
      check("a huge one lets go of the row",
            std::abs(at(6, "nu.one.1")) < 1e-200 && std::isfinite(at(6, "nu.two.1")));
    }
  std::printf("dependent rows, and numbers that mean nothing: %d bad\n", bad);
  return bad;
}

// Bounded rows: L, and the conditions lo <= nu <= hi, w = A^T a - b + c nu, of which w = 0 inside.
int run_bounded(const Arguments &arguments) {
  const std::string urdf = arguments.robots + "/gen3.urdf";
  const Generator how = {
      arguments.achdgen, urdf,
      "return {\n  name = \"gen3\",\n  gravity = { 0, 0, -9.81 },\n"
      "  groups = {\n"
      "    { name = \"tool\", frame = \"tool_frame\", rows = { \"lin_x\", \"lin_y\", \"lin_z\" },\n"
      "      bounds = { lin_x = { -5, 5 }, lin_z = { 0, math.huge } }, maskable = true,\n"
      "      compliance = { lin_x = 0.4, lin_z = \"input\" } },\n"
      "    { name = \"wrist\", joint = \"joint_6\", compliance = \"input\" },\n"
      "  },\n  limits = { joints = { \"joint_2\" } },\n"
      "  outputs = { \"qdd\", \"nu\", \"tau_ctrl\", \"residual\" },\n}\n"};
  const std::vector<std::string> residuals = {"residual.tool.lin_x", "residual.tool.lin_y",
                                              "residual.tool.lin_z", "residual.wrist.joint_6"};
  BoundedProgram program(how, "gen3", 7, 5, residuals);
  const Robot robot = read_urdf(urdf);
  Comparison errors("bounded rows");
  Random random(3);
  Table in;
  std::vector<oracle::State> states;
  std::vector<std::map<std::string, double>> given;
  for (int i = 0; i < arguments.states; i++) {
    oracle::State state = random_state(robot, random, StateRange());
    state.gravity = Vec3(0, 0, -9.81);
    state.q[1] = 0; // far from the limit
    std::map<std::string, double> x;
    for (int j = 0; j < 7; j++) {
      const std::string name = robot.dofs[size_t(j)].name;
      x["q." + name] = double(state.q[j]), x["qd." + name] = double(state.qd[j]);
    }
    for (const char *row : {"tool.lin_x", "tool.lin_y", "tool.lin_z", "wrist.joint_6"})
      x[std::string("b.") + row] = random.uniform(-5, 5);
    for (const char *row : {"tool.lin_x", "tool.lin_y", "tool.lin_z"})
      x[std::string("mask.") + row] = random.chance(0.8);
    x["compliance.tool.lin_z"] = random.log_uniform(1e-2, 10);
    x["compliance.wrist.joint_6"] = random.chance(0.3) ? 0 : random.log_uniform(1e-2, 10);
    states.push_back(state), given.push_back(x);
    in.push_back(program.arrange(x));
  }
  const Table got = program.run(in);
  int inside = 0, bound = 0;
  for (size_t i = 0; i < got.size(); i++) {
    const Motion at = motion(robot, states[i]);
    auto &x = given[i];
    const Vec nu = program.block(got[i], "nu", 5), qdd = program.block(got[i], "qdd", 7);
    Mat J = Mat::Zero(5, 7);
    Vec bias(5), b(5), c(5);
    for (int k = 0; k < 5; k++) {
      Row row;
      if (k < 3) row.link = robot.link("tool_frame"), row.a[k] = 1;
      if (k == 3) row.joint = 5;
      if (k == 4) row.joint = 1;
      J.row(k) = row_jacobian(at, row, &bias[k]);
    }
    b << x["b.tool.lin_x"], x["b.tool.lin_y"], x["b.tool.lin_z"], x["b.wrist.joint_6"], 0;
    c << 0.4, 0, x["compliance.tool.lin_z"], x["compliance.wrist.joint_6"], 0;
    Mat L = J * solve_spd(at.M, Mat(J.transpose()));
    L.diagonal() += c;
    const std::string where = "state " + std::to_string(i);
    errors.add("L", relative(program.coupling(got[i]), L), 1e-10, where);
    errors.add("motion", relative(qdd, Vec(solve_spd(at.M, Vec(J.transpose() * nu - at.h)))), 1e-9,
               where);
    const Vec lo = program.block(got[i], "lo", 5), hi = program.block(got[i], "hi", 5);
    for (int k = 0; k < 4; k++) {
      const real a = J.row(k).dot(qdd) + bias[k] - b[k], w = a + c[k] * nu[k];
      errors.add("residual",
                 std::abs(double(got[i][size_t(program.output(residuals[size_t(k)]))] - a)), 1e-7,
                 where);
      if (lo[k] == hi[k]) continue; // masked
      const bool low = nu[k] <= lo[k], high = nu[k] >= hi[k];
      (low || high ? bound : inside)++;
      errors.add("conditions",
                 double(low    ? std::max(-w, 0.0L)
                        : high ? std::max(w, 0.0L)
                               : std::abs(w)),
                 1e-7, where);
    }
  }
  int bad = errors.print();
  std::printf("  %d rows inside, %d at a bound\n", inside, bound);
  return bad + (inside == 0) + (bound == 0);
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 40, 1000);
  Runs runs(arguments);
  InSample in_sample(arguments, 5);
  for (const Case &c : cases())
    for (const bool single : {false, true})
      if (in_sample()) runs(c.title, [&] { return run_case(c, arguments, single); });
  runs("dependent", [&] { return run_dependent(arguments); });
  runs("bounded", [&] { return run_bounded(arguments); });
  return runs.end();
}
