/* SPDX-License-Identifier: MIT */
// achd_test.cpp: the constrained solve of generated programs against three oracles that share no
// code with the generator: the dense KKT system in long double, KDL's Vereshchagin solver, MuJoCo.
//
// qdd and nu within the larger of 1e-9 and 1e-14 cond(L) of the dense KKT, relative per block; the
// errors that KDL makes on the same states stand beside. Every state falls in a bucket of cond(L):
// below 1e3, 1e6 or 1e9, the last constructed; an empty one fails. Arguments: oracle/arguments.hpp.
#include <memory>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const double bucket_limit[] = {1e3, 1e6, 1e9};
const char *const bucket_name[] = {"cond < 1e3", "cond < 1e6", "cond < 1e9"};
int bucket_of(real cond) {
  for (int k = 0; k < 3; k++)
    if (cond < bucket_limit[k]) return k;
  return 3;
}

struct Case {
  std::string title, urdf;
  LayoutSpec layout;
  SampleRange range;
  int needed_buckets = 3; // one row has condition 1: no worse bucket exists for it
};

std::unique_ptr<Program> make_program(const Case &c, const Arguments &arguments,
                                      const std::string &run) {
  const Generator generator{arguments.achdgen, arguments.robots + "/" + c.urdf, lua(c.layout),
                            "--snap 0"};
  if (run == "c") return std::make_unique<Compiled>(generator, c.layout.name);
  return std::make_unique<Evaluator>(generator);
}

Robot robot_of(const Case &c, const Arguments &arguments) {
  return read_urdf(arguments.robots + "/" + c.urdf, c.layout.selection);
}

// Configurations near singular ones: made once per robot and armature, for every case alike (axes
// do not change the eigenvalues of L for six rows).
struct Pool {
  std::vector<State> states; // conditions spread from 1e3 to 1e9, evenly in their logarithm
};

Pool &pool(const Robot &robot, const Case &c, int count) {
  static std::map<std::string, Pool> pools;
  Pool &pool =
      pools[c.urdf + c.layout.groups[0].frame + (c.layout.armature_input ? " armature" : "")];
  if (!pool.states.empty()) return pool;
  Random random(77);
  const int link = robot.link(c.layout.groups[0].frame);
  const auto cond = [&](const State &state) {
    const Motion at = motion(robot, state);
    const Mat J = jacobian(at, link);
    return condition(J * solve_spd(at.M, J.transpose()));
  };
  StateRange range = c.range.state;
  if (!c.layout.armature_input) range.armature = 0;
  for (int i = 0; int(pool.states.size()) < count && i < 8 * count; i++) {
    State state = random_state(robot, random, range);
    state.qd.setZero(); // not looked at
    const real target = random.log_uniform(2e3, 5e8);
    if (bring_to_condition(state, random, target, cond)) pool.states.push_back(state);
  }
  return pool;
}

// Random states, the last half of them at the pool's configurations.
std::vector<Sample> samples(const Robot &robot, const Case &c, int count) {
  Random random(4242);
  std::vector<Sample> out;
  Pool none;
  Pool &near = c.needed_buckets > 1 ? pool(robot, c, count / 4) : none;
  for (int i = 0; i < count; i++) {
    const bool constructed = i >= count / 2 && !near.states.empty();
    SampleRange range = c.range;
    if (constructed && i % 4) range.masked = 0;
    for (int attempt = 0; attempt < 200; attempt++) {
      Sample sample = random_sample(robot, c.layout, random, range);
      if (constructed) {
        const State &state = near.states[i % near.states.size()];
        sample.state.q = state.q;
        if (c.layout.armature_input) sample.state.armature = state.armature;
      }
      out.push_back(sample);
      if (robot.nd() >= 6) break;
      // Few joints: rows that they reach.
      const Motion at = motion(robot, sample.state);
      const Solution solution = solve(robot, at, problem_of(robot, c.layout, at, sample));
      if (!solution.singular && solution.L.rows() > 0 && solution.cond < 1e9L &&
          solution.L.diagonal().minCoeff() > 1e-2L)
        break;
      if (attempt < 199) out.pop_back();
    }
  }
  return out;
}

// A program's numbers in all states against the oracles'; returns the number of what is wrong.
int judge_case(const Case &c, const Robot &robot, Program &program, const std::string &run,
               const std::vector<Sample> &given, const std::vector<Expected> &all) {
  Table in;
  for (const Sample &sample : given)
    in.push_back(program.arrange(input_columns(robot, c.layout, sample)));
  const Table got = program.run(in);

  Mujoco mujoco(robot);
  int bucket_count[4] = {}, wrong_status = 0, clamped = 0;
  Comparison out(c.title + " [" + run + "], " + std::to_string(program.columns().in.size()) +
                 " in, " + std::to_string(program.columns().out.size()) + " out");
  for (size_t s = 0; s < given.size(); s++) {
    const Sample &sample = given[s];
    const Expected &expected = all[s];
    const Solution &solution = expected.solution;
    const int b = bucket_of(solution.cond);
    bucket_count[b]++;
    clamped += solution.saturated;
    if (b == 3) continue; // beyond what is judged
    char where[80];
    std::snprintf(where, sizeof where, "state %zu cond %.1e", s, double(solution.cond));
    const std::string label = std::string(bucket_name[b]) + "  ";
    judge_blocks(program, got[s], expected, tolerance_of(solution.cond), label, where, out);
    if (!status_fits(program, got[s], robot, expected) && ++wrong_status <= 3)
      std::printf("  BAD status %g, expected %g  %s\n", got[s][program.output("status")],
                  double(expected.columns.at("status")), where);
    judge_by_mujoco(mujoco, robot, c.layout, program, got[s], sample, expected, label, where, out);
    if (!solution.saturated) report_kdl(robot, c.layout, sample, expected, label, where, out);
  }
  int bad = out.print() + wrong_status;
  std::printf("  states");
  for (int k = 0; k < 3; k++) std::printf("  %s: %d", bucket_name[k], bucket_count[k]);
  std::printf("  beyond: %d;  saturated: %d;  wrong status: %d\n", bucket_count[3], clamped,
              wrong_status);
  for (int k = 0; k < c.needed_buckets; k++)
    if (bucket_count[k] == 0) {
      std::printf("  BAD: no state in the bucket %s\n", bucket_name[k]);
      bad++;
    }
  if (c.needed_buckets < 3)
    std::printf("  (one row at a time: cond(L) = 1, no other bucket exists)\n");
  if (c.layout.saturate && clamped == 0) {
    std::printf("  BAD: nothing was clamped\n");
    bad++;
  }
  return bad;
}

// What the oracles say is asked for once, for every way to run.
int run_case(const Case &c, const Arguments &arguments) {
  const Robot robot = robot_of(c, arguments);
  const std::vector<Sample> given = samples(robot, c, arguments.states);
  std::vector<Expected> expected;
  for (const Sample &sample : given) expected.push_back(expect(robot, c.layout, sample));
  int bad = 0;
  for (const std::string &run : arguments.runs())
    bad += judge_case(c, robot, *make_program(c, arguments, run), run, given, expected);
  return bad;
}

Case gen3_case(const std::string &title, Axes axes, bool classical, bool armature) {
  Case c;
  c.title = "gen3: " + title;
  c.urdf = "gen3.urdf";
  LayoutSpec &layout = c.layout;
  layout.name = "gen3";
  layout.threshold = 1e-13;
  layout.armature_input = armature;
  layout.tau_phys = layout.tau_art = true;
  layout.wrenches = {{"push", "tool_frame", false}, {"press", "forearm_link", true}};
  GroupSpec group;
  group.name = "tool";
  group.frame = "tool_frame";
  group.axes = axes;
  group.classical = classical;
  group.maskable = true;
  layout.groups = {group};
  layout.outputs = {"qdd", "nu", "tau_ctrl"};
  c.range.state.armature = 0.6;
  return c;
}

Case arm1dof_case(const std::string &title, Axes axes, bool classical, bool armature) {
  Case c = gen3_case(title, axes, classical, armature);
  c.title = "arm1dof: " + title;
  c.urdf = "arm1dof.urdf";
  c.layout.name = "arm1dof";
  c.layout.wrenches = {{"push", "tip", false}, {"press", "link1", true}};
  c.layout.groups[0].name = c.layout.groups[0].frame = "tip";
  c.range.most_active = 1;
  c.needed_buckets = 1;
  return c;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const struct {
    const char *title;
    Axes axes;
    bool classical, armature;
  } kinds[] = {
      {"base axes, classical", Axes::base, true, false},
      {"base axes, spatial, armature", Axes::base, false, true},
      {"link axes, classical, armature", Axes::link, true, true},
      {"link axes, spatial", Axes::link, false, false},
      {"input axes, classical, armature", Axes::input, true, true},
      {"input axes, spatial", Axes::input, false, false},
  };
  for (const auto make : {gen3_case, arm1dof_case}) {
    for (const auto &k : kinds) all.push_back(make(k.title, k.axes, k.classical, k.armature));
    Case c = make("physical rows", Axes::base, true, true);
    c.layout.groups[0].physical = true;
    all.push_back(c);
    for (bool physical : {false, true}) {
      c = make(physical ? "saturation, physical rows" : "saturation", Axes::base, true, true);
      c.layout.groups[0].physical = physical;
      c.layout.saturate = true;
      c.range.tau = 40;
      if (std::string(c.urdf) == "arm1dof.urdf") c.layout.selection.effort["joint1"] = 15;
      all.push_back(c);
    }
    c = make("every output", Axes::link, true, true);
    const std::string tip = c.layout.groups[0].frame;
    c.layout.outputs = {"qdd",          "nu",        "tau_ctrl", "tau_total",
                        "tau_apparent", "pivot_min", "pivot",    "residual"};
    c.layout.acc = c.layout.twist = c.layout.pose = {tip};
    all.push_back(c);
  }
  return all;
}

// Lost rank under each policy, where rounding decides nothing: arm1dof with all six rows of its
// tip, of which one joint reaches three and obeys one.
int run_policy(Policy policy, const Arguments &arguments, const std::string &run) {
  const char *const name = policy == Policy::damp   ? "damp"
                           : policy == Policy::drop ? "drop"
                                                    : "truncate";
  Case c = arm1dof_case(std::string("six rows at once, ") + name, Axes::base, true, true);
  c.layout.singularity = policy;
  c.layout.threshold = policy == Policy::truncate ? 1e-10 : 1e-6;
  c.range.most_active = 6;
  const Robot robot = robot_of(c, arguments);
  const auto program = make_program(c, arguments, run);
  Random random(99);
  std::vector<Sample> given;
  Table in;
  for (int i = 0; i < arguments.states / 4; i++) {
    given.push_back(random_sample(robot, c.layout, random, c.range));
    in.push_back(program->arrange(input_columns(robot, c.layout, given.back())));
  }
  const Table got = program->run(in);
  Comparison out(c.title + " [" + run + "]");
  int wrong_status = 0;
  for (size_t s = 0; s < given.size(); s++) {
    const Expected expected = expect(robot, c.layout, given[s]);
    // Not where the joint hardly moves a row: its pivot is a rounding of another's.
    const Mat &L = expected.solution.L;
    bool hardly = false;
    for (int k = 0; k < int(L.rows()); k++)
      hardly |= L(k, k) > 0 && L(k, k) < 1e-3L * L.diagonal().maxCoeff();
    if (hardly) continue;
    const std::string where = "state " + std::to_string(s);
    // damp: the pivots are roundings, 1e-16 beside t = 1e-6, and rows that contradict one another
    // get forces of 1 / t: what is left when they cancel has lost ten digits.
    const double tolerance = policy == Policy::damp ? 1e-7 : 1e-9;
    judge_blocks(*program, got[s], expected, tolerance, "", where, out);
    if (!status_fits(*program, got[s], robot, expected) && ++wrong_status <= 3)
      std::printf("  BAD status %g, expected %g  %s\n", got[s][program->output("status")],
                  double(expected.columns.at("status")), where.c_str());
  }
  return out.print() + wrong_status;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 200, 2000);
  Runs runs(arguments);
  InSample in_sample(arguments, 6);
  for (const Case &c : cases())
    if (in_sample()) runs(c.title, [&] { return run_case(c, arguments); });
  for (const std::string &run : arguments.runs())
    for (const Policy policy : {Policy::damp, Policy::drop, Policy::truncate})
      runs("policy", [&] { return run_policy(policy, arguments, run); });
  return runs.end();
}
