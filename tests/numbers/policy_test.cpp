/* SPDX-License-Identifier: MIT */
// policy_test.cpp: what becomes of rows that cannot hold, or hardly: each
// singularity policy against its own definition in the dense oracle, where rank is lost (stretched
// arms, the same row twice, more rows than joints, rows out of reach), nearly lost, and not at all;
// with masks in between and under saturation; in both formulations. Nothing is ever not finite, in
// double and in float. SINGULAR is set exactly where a policy acted or a row in force is out of
// reach. Arguments: oracle/arguments.hpp.
#include <algorithm>
#include <functional>
#include <memory>

#include "oracle/arguments.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const char *word(Policy policy) {
  return policy == Policy::damp ? "damp" : policy == Policy::drop ? "drop" : "truncate";
}

struct Case {
  std::string title, urdf;
  LayoutSpec layout;
  SampleRange range;
  // Puts sample i where it is wanted.
  std::function<void(const Robot &, const LayoutSpec &, Sample &, Random &, int)> shape;
  bool can_act = true; // some states lose rank
};

Robot robot_of(const Case &c, const Arguments &arguments) {
  return read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
}

// Stretched: elbow and wrist straight, some more joints at zero, all of them in every third; in
// half the states off by something between nothing and much.
void stretch(const Robot &robot, Sample &sample, Random &random, int i) {
  for (int k = 0; k < robot.nd(); k++)
    if (i % 3 == 0 || k % 2 == 1 || random.chance(0.3)) sample.state.q[k] = 0;
  const double off = i % 2 ? random.log_uniform(1e-9, 0.3) : 0;
  for (int k = 0; k < robot.nd(); k++)
    sample.state.q[k] = double(sample.state.q[k] + real(off * random.uniform(-1, 1)));
  if (i % 4 == 0) sample.state.qd.setZero();
}

// The second group's set-points are those of the first group's rows of the same name.
void agree(const LayoutSpec &layout, Sample &sample) {
  const GroupSpec &one = layout.groups[0], &two = layout.groups[1];
  for (int k = 0; k < two.size(); k++)
    for (int j = 0; j < one.size(); j++)
      if (one.rows[j] == two.rows[k]) sample.b[1][k] = sample.b[0][j];
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string &title, const std::string &urdf,
                       std::vector<GroupSpec> groups) -> Case & {
    Case c;
    c.title = title;
    c.urdf = urdf;
    c.layout.name = identifier(urdf.substr(0, urdf.find('.')));
    c.layout.armature_input = c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.groups = groups;
    c.layout.outputs = {"qdd", "nu", "tau_ctrl", "pivot_min", "pivot", "residual"};
    c.range.state.armature = 0.6;
    c.range.most_active = 6;
    c.shape = [](const Robot &, const LayoutSpec &, Sample &, Random &, int) {};
    all.push_back(c);
    return all.back();
  };
  const auto stretched = [](const Robot &robot, const LayoutSpec &, Sample &sample, Random &random,
                            int i) { stretch(robot, sample, random, i); };
  add("gen3 stretched, six rows", "gen3.urdf", {group("tool", "tool_frame")}).shape = stretched;
  {
    Case &c =
        add("gen3 stretched, masks, axes of the link", "gen3.urdf", {group("tool", "tool_frame")});
    c.layout.groups[0].axes = Axes::link;
    c.layout.groups[0].maskable = true;
    c.shape = stretched;
  }
  {
    Case &c = add("gen3 stretched, physical rows, saturation", "gen3.urdf",
                  {group("ground", "tool_frame", {"lin_x", "lin_y", "lin_z"}),
                   group("aim", "tool_frame", {"ang_x", "ang_y", "ang_z"})});
    c.layout.groups[0].physical = c.layout.groups[0].maskable = true;
    c.layout.saturate = true;
    c.shape = stretched;
  }
  add("gen3 anywhere, six rows", "gen3.urdf", {group("tool", "tool_frame")}).can_act = false;
  for (const bool consistent : {true, false}) {
    Case &c = add(std::string("gen3, rows twice, ") + (consistent ? "agreeing" : "not agreeing"),
                  "gen3.urdf",
                  {group("one", "tool_frame", {"lin_x", "lin_y", "ang_z"}),
                   group("two", "tool_frame", {"lin_y", "ang_z", "lin_z"})});
    c.layout.groups[0].maskable = c.layout.groups[1].maskable = true;
    c.range.masked = 0.2;
    c.shape = [consistent](const Robot &, const LayoutSpec &layout, Sample &sample, Random &, int) {
      if (consistent) agree(layout, sample);
    };
  }
  {
    Case &c = add("gen3, rows twice, physical and artificial, saturation", "gen3.urdf",
                  {group("ground", "tool_frame", {"lin_z", "lin_x"}),
                   group("ground2", "tool_frame", {"lin_z"}),
                   group("aim", "tool_frame", {"ang_x", "lin_y"})});
    c.layout.groups[0].physical = c.layout.groups[1].physical = true;
    c.layout.groups[1].maskable = true;
    c.layout.saturate = true;
    c.shape = [](const Robot &, const LayoutSpec &layout, Sample &sample, Random &, int) {
      agree(layout, sample);
    };
  }
  {
    // Nearly parallel: relative pivots from 1e-12 to 1, through every threshold.
    Case &c = add("gen3, two rows nearly the same", "gen3.urdf", {group("pair", "tool_frame")});
    c.layout.groups[0].free = 2;
    c.shape = [](const Robot &, const LayoutSpec &, Sample &sample, Random &random, int) {
      const real s = random.log_uniform(1e-6, 1);
      Vec6 &one = sample.dirs[0][0], &two = sample.dirs[0][1];
      two = Random::rounded(Vec6((1 - s) * one + s * two));
    };
  }
  add("youbot_arm, six rows on five joints", "youbot_arm.urdf",
      {group("grip", "gripper_palm_link")});
  {
    Case &c =
        add("youbot_arm stretched, masks", "youbot_arm.urdf", {group("grip", "gripper_palm_link")});
    c.layout.groups[0].maskable = true;
    c.shape = stretched;
  }
  {
    Case &c = add("arm1dof, six rows", "arm1dof.urdf", {group("tip", "tip")});
    c.layout.groups[0].maskable = true;
  }
  {
    Case &c = add("arm1dof, rows out of reach alone", "arm1dof.urdf",
                  {group("tip", "tip", {"lin_z", "ang_x"}), group("turn", "tip", {"ang_z"})});
    c.layout.groups[0].maskable = c.layout.groups[1].maskable = true;
    c.layout.groups[0].axes = Axes::link;
  }
  return all;
}

// What the definition promises, seen with the dense oracle from the program's own numbers.
int promises(const Case &c, const Program &program, const std::vector<double> &got,
             const Robot &robot, const Expected &expected, double accuracy,
             const std::string &where) {
  const ColumnNames names = names_of(robot, c.layout);
  const Vec qdd = picked(program, got, "qdd.", names.joints);
  const Vec nu = picked(program, got, "nu.", names.rows);
  const bool singular = unsigned(got[program.output("status")]) & SINGULAR;
  int bad = 0;
  const auto broken = [&](const char *what, double error) {
    std::printf("  BAD %s: %s, %.3g  %s\n", c.title.c_str(), what, error, where.c_str());
    bad++;
  };
  for (size_t k = 0; k < expected.problem.rows.size(); k++) {
    const Row &row = expected.problem.rows[k];
    if (!row.active) {
      if (nu[int(k)] != 0) broken("a masked row has a force", double(nu[int(k)]));
      continue;
    }
    if (expected.solution.saturated && !row.physical) continue;
    // Dropped or out of reach: exactly no force. All others hold, always under drop, under the
    // others where nothing was done.
    const bool holds =
        c.layout.singularity == Policy::drop ? nu[int(k)] != 0 || row.b == 0 : !singular;
    if (!holds) continue;
    const Vec6 a = acceleration(expected.at, row.link, qdd, row.classical);
    const real terms = expected.solution.G.row(Eigen::Index(k)).cwiseAbs().dot(qdd.cwiseAbs());
    const double error = double(std::abs(row.a.dot(a) - row.b) / (1 + std::abs(row.b) + terms));
    if (!(error <= accuracy)) broken("a row does not hold", error);
  }
  return bad;
}

// What truncation calls pivots are eigenvalues of L, which belong to no row: only the least of them is judged.
void accept_pivots(const Program &program, const std::vector<double> &got, Expected &expected) {
  for (auto &column : expected.columns)
    if (column.first.compare(0, 6, "pivot.") == 0)
      column.second = got[size_t(program.output(column.first))];
}

int run_case(Case c, Policy policy, const Arguments &arguments, const std::string &run) {
  c.layout.singularity = policy;
  c.layout.threshold = policy == Policy::truncate ? 1e-10 : 1e-6;
  const Robot robot = robot_of(c, arguments);
  Random random(2024);
  std::vector<Sample> given;
  for (int i = 0; i < arguments.states; i++) {
    given.push_back(random_sample(robot, c.layout, random, c.range));
    c.shape(robot, c.layout, given.back(), random, i);
  }
  int bad = 0;
  // Compiled: the same program as evaluated, and compilers take their time.
  std::vector<std::string> formulations = {"joint", "recursion"};
  if (run == "c") formulations = {formulations[c.title.size() % 2]};
  for (const std::string &formulation : formulations) {
    const std::string title = c.title + ", " + word(policy) + ", " + formulation;
    const Generator generator{arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout),
                              "--snap 0 --formulation " + formulation};
    const auto program =
        run == "c" ? std::unique_ptr<Program>(std::make_unique<Compiled>(generator, c.layout.name))
                   : std::make_unique<Evaluator>(generator);
    Table in;
    for (const Sample &sample : given)
      in.push_back(program->arrange(input_columns(robot, c.layout, sample)));
    const Table got = program->run(in);
    Comparison out(title + " [" + run + "]");
    int judged = 0, acted = 0, near = 0, wrong_status = 0, not_finite = 0, broken = 0;
    for (size_t s = 0; s < given.size(); s++) {
      for (const double x : got[s]) not_finite += !std::isfinite(x);
      Expected expected = expect(robot, c.layout, given[s]);
      if (rounding_decides(expected)) {
        near++;
        continue;
      }
      if (policy == Policy::truncate) accept_pivots(*program, got[s], expected);
      const double accuracy = policy_tolerance(expected);
      char where[80];
      std::snprintf(where, sizeof where, "state %zu, least pivot %.1e", s,
                    double(expected.solution.pivot_min));
      judged++;
      acted += expected.solution.singular;
      judge_blocks(*program, got[s], expected, accuracy, "", where, out);
      if (!status_fits(*program, got[s], robot, expected) && ++wrong_status <= 3)
        std::printf("  BAD %s: status %g, expected %g  %s\n", title.c_str(),
                    got[s][program->output("status")], double(expected.columns.at("status")),
                    where);
      broken += promises(c, *program, got[s], robot, expected, accuracy, where);
    }
    bad += out.print() + wrong_status + not_finite + broken;
    std::printf("  %d states judged, in %d of them the policy acted; %d where rounding decides; "
                "wrong status: %d; not finite: %d; promises broken: %d\n",
                judged, acted, near, wrong_status, not_finite, broken);
    if (judged < arguments.states / 2 || (c.can_act && (acted == 0 || acted == judged) &&
                                          c.title.find("six rows on five") == std::string::npos)) {
      std::printf("  BAD %s: too few states of a kind\n", title.c_str());
      bad++;
    }
  }
  return bad;
}

// Two rows of which the second turns away from the first, s = 0 .. : its relative pivot passes the
// threshold in small steps. damp: nu and qdd take steps like the ones before, no jump; drop jumps
// (so the test would see one).
int run_sweep(Policy policy, double threshold, const Arguments &arguments) {
  Case c;
  c.title = std::string("sweep through the threshold, ") + word(policy);
  LayoutSpec &layout = c.layout;
  layout.name = "gen3";
  layout.groups = {group("pair", "tool_frame")};
  layout.groups[0].free = 2;
  layout.singularity = policy;
  layout.threshold = threshold;
  layout.outputs = {"qdd", "nu", "pivot"};
  const Robot robot = read_urdf(arguments.robots + "/gen3.urdf");
  Evaluator program({arguments.achdgen, arguments.robots + "/gen3.urdf", lua(layout), "--snap 0"});
  Random random(7);
  int bad = 0, crossed = 0;
  double worst = 0, least = INFINITY;
  for (int sweep = 0; sweep < 12; sweep++) {
    const Sample start = random_sample(robot, layout, random, SampleRange());
    const Motion at = motion(robot, start.state);
    // The angle at which the pivot meets the threshold, by the oracle: r is the square of a sine.
    const auto turned = [&](real s) {
      Sample sample = start;
      sample.dirs[0][1] = Random::rounded(Vec6(start.dirs[0][0] + s * start.dirs[0][1]));
      return sample;
    };
    const auto vanishes = [&](real s) {
      return solve(robot, at, problem_of(robot, layout, at, turned(s))).pivot[1] < threshold;
    };
    real low = 0, high = 1;
    while (vanishes(high)) high *= 2;
    for (int k = 0; k < 60; k++) {
      const real middle = (low + high) / 2;
      (vanishes(middle) ? low : high) = middle;
    }
    const int steps = 200;
    Table in;
    for (int k = -steps; k <= steps; k++)
      in.push_back(program.arrange(
          input_columns(robot, layout, turned(high * (1 + real(k) / (20 * steps))))));
    const Table got = program.run(in);
    const ColumnNames names = names_of(robot, layout);
    const std::pair<std::string, std::vector<std::string>> quantities[] = {{"qdd.", names.joints},
                                                                           {"nu.", names.rows}};
    for (const auto &q : quantities) {
      std::vector<Vec> step;
      std::vector<real> length;
      Vec before;
      for (const auto &row : got) {
        const Vec now = picked(program, row, q.first, q.second);
        if (before.size()) {
          step.push_back(now - before);
          length.push_back(step.back().norm());
        }
        before = now;
      }
      std::vector<real> sorted = length;
      std::sort(sorted.begin(), sorted.end());
      const real usual = sorted[sorted.size() / 2] / 10;
      real turn = 0;
      for (size_t k = 1; k < step.size(); k++)
        turn = std::max(turn, (step[k] - step[k - 1]).norm() / (length[k] + length[k - 1] + usual));
      worst = std::max(worst, double(turn));
      least = std::min(least, double(turn));
    }
    int singular = 0;
    for (const auto &row : got) singular += unsigned(row[program.output("status")]) & SINGULAR;
    crossed += singular > 0 && singular < int(got.size());
  }
  std::printf("%s %g: a step differs from the one before by %.3f of both at most, by %.3f at "
              "least in each sweep; crossed in %d of 12\n",
              c.title.c_str(), threshold, worst, least, crossed);
  bad += crossed != 12;
  if (policy == Policy::damp) bad += !(worst < 0.5); // smooth: steps change slowly
  if (policy == Policy::drop) bad += !(least > 0.9);
  if (bad) std::printf("  BAD\n");
  return bad;
}

// Whatever comes in, everything that comes out is finite: also where rounding decides, and in
// float.
int run_finite(const Case &given, Policy policy, const Arguments &arguments,
               const std::string &real_type) {
  Case c = given;
  c.layout.singularity = policy;
  const bool single = real_type == "float";
  c.layout.threshold =
      policy == Policy::truncate ? (single ? 1e-5 : 1e-10) : (single ? 1e-3 : 1e-6);
  const Robot robot = robot_of(c, arguments);
  Evaluator program(
      {arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout), "--real " + real_type});
  Random random(31);
  Table in;
  for (int i = 0; i < arguments.states; i++) {
    Sample sample = random_sample(robot, c.layout, random, c.range);
    c.shape(robot, c.layout, sample, random, i);
    in.push_back(program.arrange(input_columns(robot, c.layout, sample)));
  }
  int not_finite = 0, status = 0, singular = 0;
  for (const auto &row : program.run(in)) {
    for (const double x : row) not_finite += !std::isfinite(x);
    const unsigned bits = unsigned(row[program.output("status")]);
    status += (bits & ~(SINGULAR | SATURATED)) != 0;
    singular += bits & SINGULAR;
  }
  const bool wrong = c.can_act && singular == 0;
  std::printf("%s, %s, %s: %d numbers not finite, %d strange statuses, %d of %d singular%s\n",
              c.title.c_str(), word(policy), real_type.c_str(), not_finite, status, singular,
              arguments.states, not_finite + status + wrong ? "  BAD" : "");
  return not_finite + status + wrong;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 40, 120);
  Runs runs(arguments);
  const Policy policies[] = {Policy::damp, Policy::drop, Policy::truncate};
  const std::vector<Case> all = cases();
  std::vector<std::string> real_types = {"float"}; // run_case looks at doubles
  if (std::getenv("ACHD_SWEEP")) real_types.push_back("double");
  InSample in_sample(arguments, arguments.run == "c" ? 3 : 9);
  for (size_t p = 0; p < 3; p++)
    for (size_t k = 0; k < all.size(); k++) {
      if (!in_sample()) continue;
      const Case &c = all[k];
      if (arguments.run != "c")
        runs(c.title, [&] { return run_case(c, policies[p], arguments, "eval"); });
      if (arguments.run != "eval" && k % 3 == p)
        runs(c.title, [&] { return run_case(c, policies[p], arguments, "c"); });
      if (arguments.run != "c")
        for (const std::string &real_type : real_types)
          runs(c.title, [&] { return run_finite(c, policies[p], arguments, real_type); });
    }
  if (arguments.run != "c") {
    // 1e-9: by Gram and Schmidt (constraints.lua)
    for (const double threshold : {1e-3, 1e-6, 1e-9}) {
      runs("sweep", [&] { return run_sweep(Policy::damp, threshold, arguments); });
      runs("sweep", [&] { return run_sweep(Policy::drop, threshold, arguments); });
    }
  }
  return runs.end();
}
