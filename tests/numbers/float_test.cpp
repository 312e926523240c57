/* SPDX-License-Identifier: MIT */
// float_test.cpp: `--real float` beside `--real double`: the error of the one against the other by
// the condition of L, with rotors, printed; below 1e-4 where the condition is below 1e3. Both
// programs get the same inputs, rounded to float. Arguments: oracle/arguments.hpp; with --run BOARD
// float is on the board, double here.
#include <cmath>
#include <memory>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

// A number in float is off by 6e-8 of itself; a system of condition 1e3 makes 6e-5 of that.
const double tolerance = 1e-4;
const real judged_below = 1e3L;

// Decades of cond(L) below 1e3 and one for each above that is printed only.
const real bucket_limit[] = {1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L};
const char *const bucket_name[] = {"cond < 1e1  ", "cond < 1e2  ", "cond < 1e3  ",
                                   "cond < 1e4  ", "cond < 1e5  ", "cond < 1e6  "};
int bucket_of(real cond) {
  for (int k = 0; k < 6; k++)
    if (cond < bucket_limit[k]) return k;
  return -1;
}

struct Case {
  std::string robot, tip;
  std::map<std::string, double> armature; // [kg m^2], where drives are known; else `input`
  std::map<std::string, real> locked;
  std::vector<std::string> rows;
};

const std::vector<std::string> six = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

std::vector<Case> cases() {
  return {
      {"gen3",
       "tool_frame",
       {{"joint_1", 0.558},
        {"joint_2", 0.558},
        {"joint_3", 0.558},
        {"joint_4", 0.558},
        {"joint_5", 0.1389},
        {"joint_6", 0.1389},
        {"joint_7", 0.1389}},
       {},
       six},
      {"lwr4",
       "lwr_7_link",
       {{"lwr_a1_joint", 3.19},
        {"lwr_a2_joint", 3.05},
        {"lwr_e1_joint", 1.98},
        {"lwr_a3_joint", 2.05},
        {"lwr_a4_joint", 0.787},
        {"lwr_a5_joint", 0.391},
        {"lwr_a6_joint", 0.394}},
       {},
       six},
      {"youbot_arm",
       "gripper_palm_link",
       {{"arm_joint_1", 0.33848},
        {"arm_joint_2", 0.33848},
        {"arm_joint_3", 0.13571},
        {"arm_joint_4", 0.04698},
        {"arm_joint_5", 0.01799}},
       {},
       {"lin_x", "lin_y", "lin_z"}},
      {"iiwa7", "iiwa_link_ee", {}, {}, six},
      {"panda",
       "panda_hand_tcp",
       {},
       {{"panda_finger_joint1", 0.02L}, {"panda_finger_joint2", 0.02L}},
       six},
  };
}

LayoutSpec layout_of(const Case &c) {
  LayoutSpec layout;
  layout.name = c.robot;
  layout.selection.locked = c.locked;
  layout.armature = c.armature;
  layout.armature_input = c.armature.empty();
  layout.tau_phys = layout.tau_art = true;
  layout.wrenches = {{"push", c.tip, false}, {"press", c.tip, true}};
  GroupSpec group;
  group.name = "tool";
  group.frame = c.tip;
  group.rows = c.rows;
  group.maskable = true;
  layout.groups = {group};
  layout.threshold = 0; // the defaults: 1e-6, float 3e-6
  return layout;
}

real condition_of(const Robot &robot, const Case &c, const State &state) {
  const Motion at = motion(robot, state);
  const Mat whole = jacobian(at, robot.link(c.tip));
  Mat J(int(c.rows.size()), whole.cols());
  for (int k = 0, row = 0; k < 6; k++)
    for (const std::string &name : c.rows)
      if (name == six[k]) J.row(row++) = whole.row(k);
  return condition(J * solve_spd(at.M, J.transpose()));
}

// Half of them as they come, half brought near conditions from 10 to 1e6.
std::vector<Sample> samples(const Robot &robot, const Case &c, const LayoutSpec &layout,
                            int count) {
  Random random(31);
  SampleRange range;
  range.state.armature = 1;
  std::vector<Sample> out;
  for (int i = 0; i < count; i++) {
    Sample sample = random_sample(robot, layout, random, range);
    if (i % 2) {
      const real target = random.log_uniform(1e2, 1e6);
      bring_to_condition(sample.state, random, target,
                         [&](const State &state) { return condition_of(robot, c, state); });
      sample.mask = {std::vector<int>(c.rows.size(), 1)};
    }
    out.push_back(sample);
  }
  return out;
}

using Named = std::map<std::string, double>;

Named rounded_to_float(Named in) {
  for (auto &entry : in) entry.second = double(float(entry.second));
  return in;
}

// A state, and what the oracle knows of it.
struct Given {
  Sample sample;
  real cond; // of L
  // By block of nu: what the force of one row alone would be for the largest of the accelerations
  // that nu balances, (|b| + |G| |qdd_free| + |gamma|) / L_kk: where they cancel, a small nu has
  // rounding of their size.
  std::map<std::string, real> floor;
};

Given known(const Robot &robot, const LayoutSpec &layout, const Sample &sample) {
  const Motion at = motion(robot, sample.state);
  const Problem problem = problem_of(robot, layout, at, sample);
  const Solution solution = solve(robot, at, problem);
  Given out{sample, solution.cond, {}};
  for (int k = 0, row = 0; k < int(problem.rows.size()); k++) {
    if (!problem.rows[k].active) continue;
    real gamma;
    const auto G = row_jacobian(at, problem.rows[k], &gamma);
    const real seen = std::abs(problem.rows[k].b) + std::abs(gamma) +
                      G.cwiseAbs().dot(solution.vdot_free.cwiseAbs());
    real &floor = out.floor[block_of("nu.tool." + layout.groups[0].row_name(k))];
    floor = std::max(floor, seen / solution.L(row, row));
    row++;
  }
  return out;
}

int run_case(const Case &c, const LayoutSpec &layout, const std::vector<Given> &given,
             const Arguments &arguments, const std::string &run) {
  const std::string urdf = arguments.robots + "/" + c.robot + ".urdf";
  const Robot robot = read_urdf(urdf, layout.selection);
  const bool on_host = run == "eval" || run == "c";
  const auto make = [&](bool in_float, const std::string &where) -> std::unique_ptr<Program> {
    const Generator generator{arguments.achdgen, urdf, lua(layout),
                              in_float ? "--snap 0 --real float" : "--snap 0"};
    const std::string name = c.robot + (in_float ? "f" : "");
    if (where == "eval") return std::make_unique<Evaluator>(generator);
    if (where == "c") return std::make_unique<Compiled>(generator, name);
    return std::make_unique<OnBoard>(generator, name, where);
  };
  const auto twice = make(false, on_host ? run : "c");
  const auto single = make(true, run);
  Table in_twice, in_single;
  for (const Given &state : given) {
    const Named in = rounded_to_float(input_columns(robot, layout, state.sample));
    in_twice.push_back(twice->arrange(in));
    in_single.push_back(single->arrange(in));
  }
  const Table expected = twice->run(in_twice), got = single->run(in_single);

  const int status = single->output("status");
  Comparison out(c.robot + " [" + run + "], float against double");
  int in_bucket[6] = {}, told[6] = {}, bad = 0;
  if (!on_host) {
    const bool same = make(true, "c")->run(in_single) == got;
    std::printf("  %s: float on the board is float here, to the last bit\n", same ? "good" : "BAD");
    bad += !same;
  }
  for (size_t s = 0; s < given.size(); s++) {
    const real cond = given[s].cond;
    const int bucket = bucket_of(cond);
    if (bucket < 0) continue;
    in_bucket[bucket]++;
    char where[60];
    std::snprintf(where, sizeof where, "state %zu cond %.1e", s, double(cond));
    const bool judged = cond < judged_below;
    if (got[s][status] != 0) {
      // A relative pivot is at least 1 / cond: below 1e3 none falls under the threshold of 3e-6.
      told[bucket]++;
      const bool wrong = judged || got[s][status] != SINGULAR;
      if (wrong && ++bad <= 3) std::printf("  BAD status %g  %s\n", got[s][status], where);
      continue; // damped, says the status: another answer than double's, and not compared
    }
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> blocks;
    for (size_t i = 0; i < got[s].size(); i++) {
      const std::string &name = single->columns().out[i].name;
      if (name == "status") continue;
      auto &block = blocks[block_of(name)];
      block.first.push_back(got[s][i]);
      block.second.push_back(expected[s][twice->output(name)]);
    }
    for (const auto &entry : blocks) {
      const auto &b = entry.second;
      const Eigen::Map<const Eigen::VectorXd> x(b.first.data(), Eigen::Index(b.first.size()));
      const Eigen::Map<const Eigen::VectorXd> y(b.second.data(), Eigen::Index(b.second.size()));
      const auto floor = given[s].floor.find(entry.first);
      const double error =
          relative(x, y, unit_floor + (floor == given[s].floor.end() ? 0 : floor->second));
      out.add(bucket_name[bucket] + entry.first, error, judged ? tolerance : INFINITY, where);
    }
  }
  bad += out.print();
  std::printf("  states (of them with a status, damped):");
  for (int k = 0; k < 6; k++) std::printf("  %s%d (%d)", bucket_name[k], in_bucket[k], told[k]);
  std::printf("\n");
  for (int k = 1; k < 5; k++)
    if (in_bucket[k] == 0) {
      std::printf("  BAD: no state in the bucket %s\n", bucket_name[k]);
      bad++;
    }
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 200, 800);
  int bad = 0;
  InSample in_sample(arguments, 6);
  for (const Case &c : cases()) {
    if (c.robot.find(arguments.only) == std::string::npos || !in_sample()) continue;
    try {
      const LayoutSpec layout = layout_of(c);
      const Robot robot = read_urdf(arguments.robots + "/" + c.robot + ".urdf", layout.selection);
      std::vector<Given> given;
      for (const Sample &sample : samples(robot, c, layout, arguments.states))
        given.push_back(known(robot, layout, sample));
      for (const std::string &run : arguments.runs())
        bad += run_case(c, layout, given, arguments, run);
    } catch (const std::exception &error) {
      std::printf("BAD %s: %s\n", c.robot.c_str(), error.what());
      bad++;
    }
    std::fflush(stdout);
  }
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
