/* SPDX-License-Identifier: MIT */
// rows_first_test.cpp: the null-space solve (formulation "null") and rows that are eliminated early ("early").
// Random arms and trees under random layouts that these are for, against the dense oracle: whole and
// partial groups, one or several, which leave no or several motions free, sliding joints, armature,
// axes of all kinds, masks, loads, limits of effort; moving bases, joints that mimic others, ties,
// free directions. Limits of effort and joints that mimic others are not for "early". Where "null" gives way to
// the general solve: seam_test.cpp; where "early" does: here, on a quadruped with straight knees. ACHD_SWEEP=1: 1000
// robots of each kind. --only null, early or knees: that alone. Other arguments: oracle/arguments.hpp.
#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/random_robot.hpp"

using namespace oracle;

namespace {

const std::vector<std::string> lin = {"lin_x", "lin_y", "lin_z"}, ang = {"ang_x", "ang_y", "ang_z"};

// How many coordinates move a link: of a moving base, and of joints that do not mimic.
int coordinates_to(const Robot &robot, int link) {
  Random random(3);
  const Motion at = motion(robot, random_state(robot, random));
  const Mat J = jacobian(at, link);
  int count = 0;
  for (int i = 0; i < int(J.cols()); i++) count += J.col(i).cwiseAbs().maxCoeff() > 0;
  return count;
}

// How many joints move one of two links against the other.
int joints_between(const Robot &robot, int a, int b) {
  std::set<int> moving; // on the way from one of them to the root, not both
  for (int link : {a, b})
    for (; link >= 0; link = robot.links[size_t(link)].parent)
      if (robot.links[size_t(link)].joint.type != JointType::fixed && !moving.insert(link).second)
        moving.erase(link);
  return int(moving.size());
}

// Links that carry no others.
std::vector<std::string> leaves(const Robot &robot) {
  std::vector<std::string> names;
  for (size_t i = 0; i < robot.links.size(); i++) {
    bool carries = false;
    for (const Link &other : robot.links) carries |= other.parent == int(i);
    if (!carries && robot.links[i].name != "tip") names.push_back(robot.links[i].name);
  }
  return names;
}

struct Tally {
  const std::string formulation;
  Comparison out{"Random robots, " + formulation};
  int fitting = 0, refused = 0, judged = 0, left_out = 0;
  int saturated = 0;                                                       // states that are
  int planar = 0, floating = 0, mimic = 0, tie = 0, free = 0, limited = 0; // robots
  int several = 0, partial = 0, two = 0; // robots: motions left free; rows of a body; bodies
  explicit Tally(const std::string &given) : formulation(given) {}
};

std::vector<std::string> shuffled(std::vector<std::string> words, Random &random) {
  for (size_t k = words.size(); k > 1; k--)
    std::swap(words[k - 1], words[size_t(random.below(int(k)))]);
  return words;
}

GroupSpec group_on(const std::string &name, const std::string &frame, std::vector<std::string> rows,
                   Random &random) {
  GroupSpec g;
  g.name = name;
  g.frame = frame;
  g.rows = shuffled(rows, random);
  const int axes = random.below(3);
  g.axes = axes == 0 ? Axes::base : axes == 1 ? Axes::link : Axes::input;
  g.physical = random.chance(0.3);
  g.classical = random.chance(0.7);
  g.maskable = random.chance(0.4);
  return g;
}

// What a layout has besides rows.
void add_words(const Robot &robot, const std::string &tip, Random &random, LayoutSpec &spec) {
  for (const Dof &dof : robot.dofs) {
    if (random.chance(0.3)) spec.armature[dof.name] = random.uniform(0.05, 0.6);
    if (random.chance(0.05)) spec.selection.passive.push_back(dof.name);
  }
  if (random.chance(0.3)) {
    spec.armature.clear();
    spec.armature_input = true;
  }
  spec.gravity_input = random.chance(0.5);
  spec.tau_phys = random.chance(0.5);
  spec.tau_art = random.chance(0.5);
  if (random.chance(0.4)) spec.wrenches.push_back({"push", tip, random.chance(0.5)});
  if (random.chance(0.3)) {
    PayloadSpec p;
    p.name = "load";
    p.frame = tip;
    p.load = random_load(random);
    p.mass_input = random.chance(0.5);
    p.com_input = p.mass_input && random.chance(0.5);
    spec.payloads.push_back(p);
  }
  spec.threshold = random.chance(0.5) ? 1e-9 : 1e-7;
  spec.singularity = random.chance(0.8) ? Policy::damp : Policy::drop;
  spec.outputs = {"qdd", "nu", "tau_ctrl", "residual"};
  if (random.chance(0.3)) spec.acc = {tip};
  if (random.chance(0.2)) spec.twist = {tip};
  if (random.chance(0.3)) {
    spec.saturate = true;
    for (const Dof &dof : robot.dofs) spec.selection.effort[dof.name] = random.uniform(1, 40);
    for (GroupSpec &g : spec.groups) g.physical &= random.chance(0.05);
  }
}

// Six rows in one group or two, or some of them at random, which leave up to four joints free; or
// some on two bodies.
LayoutSpec random_rows(const Robot &robot, Random &random) {
  LayoutSpec spec;
  const std::string tip = "tip";
  const int n = coordinates_to(robot, robot.link(tip));
  std::vector<std::string> all = lin;
  all.insert(all.end(), ang.begin(), ang.end());
  const std::vector<std::string> ends = leaves(robot);
  const int second = ends.empty() ? 0 : coordinates_to(robot, robot.link(ends[0]));
  if (random.chance(0.4)) {
    std::vector<std::string> some = shuffled(all, random);
    some.resize(size_t(std::max(1, std::min(n, 6) - random.below(4))));
    spec.groups = {group_on("tool", tip, some, random)};
    if (second > 2 && random.chance(0.7)) {
      some = shuffled(all, random);
      some.resize(2);
      spec.groups.push_back(group_on("other", ends[0], some, random));
    }
  } else if (n >= 6) {
    if (random.chance(0.7)) {
      spec.groups = {group_on("tool", tip, all, random)};
    } else {
      spec.groups = {group_on("place", tip, lin, random), group_on("turn", tip, ang, random)};
    }
  } else {
    std::vector<std::string> some = shuffled(all, random);
    some.resize(size_t(std::max(1, n - random.below(2))));
    spec.groups = {group_on("tool", tip, some, random)};
  }
  add_words(robot, tip, random, spec);
  return spec;
}

// Rows on robots whose base moves, whose joints mimic others, between two tips or along free
// directions: so many as leave at most one motion of their own free.
LayoutSpec random_wide_rows(const Robot &robot, Random &random) {
  LayoutSpec spec;
  const std::string tip = "tip";
  const bool floats = robot.base == Base::floating;
  const int n = coordinates_to(robot, robot.link(tip)), most = floats ? n : n - random.below(2);
  std::vector<std::string> all = lin;
  all.insert(all.end(), ang.begin(), ang.end());
  const std::vector<std::string> ends = leaves(robot);
  if (!floats && !ends.empty() && random.chance(0.6)) {
    GroupSpec tie = group_on("loop", tip, all, random);
    tie.to = ends[size_t(random.below(int(ends.size())))];
    tie.axes = Axes::base; // those of its frame
    tie.classical = true;
    const int moving = joints_between(robot, robot.link(tip), robot.link(tie.to));
    tie.rows.resize(size_t(std::max(1, std::min(moving - random.below(2), 6))));
    spec.groups = {tie};
  } else if (random.chance(0.4)) {
    GroupSpec free = group_on("tool", tip, all, random);
    free.axes = Axes::base;
    free.free = std::max(1, std::min(most, 6));
    spec.groups = {free};
  } else {
    spec.groups = {group_on("tool", tip, all, random)};
    spec.groups[0].rows.resize(size_t(std::max(1, std::min(most, 6))));
  }
  if (most > 6 && (floats || random.chance(0.7))) {
    GroupSpec elbow = group_on("elbow", robot.links[size_t(robot.dofs[0].link)].name, all, random);
    elbow.axes = Axes::base;
    elbow.free = std::min(most - 6, 3);
    spec.groups.push_back(elbow);
  }
  spec.matrix = robot.base == Base::floating && random.chance(0.4);
  add_words(robot, tip, random, spec);
  return spec;
}

int run_robot(uint64_t seed, bool wide, const Arguments &arguments, Tally &tally) {
  Random random(seed);
  RobotShape shape;
  shape.joints = wide ? 1 + random.below(5) : 2 + random.below(7);
  shape.prismatic = random.chance(0.4) ? 0.3 : 0;
  shape.branch = random.chance(wide ? 0.6 : 0.3) ? wide ? 0.6 : 0.3 : 0;
  shape.parallel = random.chance(0.5) ? 0.8 : 0.2;
  const bool early =
      tally.formulation == "early"; // without limits of effort and joints that mimic others
  if (wide && !early) shape.mimic = shape.joints > 2 && random.chance(0.4) ? 1 : 0;
  const std::string urdf = random_urdf(random, shape);
  Selection selection;
  if (wide && random.chance(0.6))
    selection.base = random.chance(0.5) ? Base::planar : Base::floating;
  const Robot whole = parse_urdf(urdf, selection);
  LayoutSpec spec = wide ? random_wide_rows(whole, random) : random_rows(whole, random);
  spec.selection.base = selection.base;
  if (early) spec.saturate = false;
  const Robot robot = parse_urdf(urdf, spec.selection);
  const TemporaryFolder folder;
  const Generator generator{arguments.achdgen, folder.write("robot.urdf", urdf), lua(spec),
                            "--snap 0 --formulation " + tally.formulation};
  std::unique_ptr<Evaluator> program;
  try {
    program = std::make_unique<Evaluator>(generator);
  } catch (const std::exception &error) {
    if (!std::strstr(error.what(), "is not for this layout") &&
        !(wide && std::strstr(error.what(), "tie"))) // rows of ties that follow from others
      throw;
    tally.refused++;
    return 0;
  }
  tally.fitting++;
  tally.planar += robot.base == Base::planar;
  tally.floating += robot.base == Base::floating;
  tally.mimic += shape.mimic > 0;
  tally.tie += !spec.groups[0].to.empty();
  tally.free += spec.groups.back().free > 0;
  tally.limited += spec.saturate;
  int rows = 0;
  for (const GroupSpec &g : spec.groups) rows += int(g.free > 0 ? g.free : int(g.rows.size()));
  tally.several += robot.nd() - rows > 1;
  tally.partial += spec.groups[0].rows.size() < 6;
  tally.two += spec.groups.size() > 1 && spec.groups[1].name == "other";
  std::vector<Sample> given;
  Table in;
  SampleRange range;
  range.state.armature = 0.5;
  range.masked = 0.1;
  range.all_active = 0.7;
  for (int i = 0; i < arguments.states; i++) {
    given.push_back(random_sample(robot, spec, random, range));
    in.push_back(program->arrange(input_columns(robot, spec, given.back())));
  }
  const Table got = program->run(in);
  const int before = tally.out.bad();
  int bad = 0;
  for (size_t s = 0; s < given.size(); s++) {
    const std::string where = "seed " + std::to_string(seed) + " state " + std::to_string(s);
    const Expected expected = expect(robot, spec, given[s]);
    const double tolerance =
        std::max(policy_tolerance(expected), 1e-14 * double(condition(expected.at.M)));
    if (tolerance > 1e-4 || rounding_decides(expected)) {
      tally.left_out++;
      continue;
    }
    tally.judged++;
    tally.saturated += expected.solution.saturated;
    judge_blocks(*program, got[s], expected, tolerance, "", where, tally.out);
    if (!status_fits(*program, got[s], robot, expected)) {
      std::printf("  BAD status %g, expected %g  %s\n", got[s][size_t(program->output("status"))],
                  double(expected.columns.at("status")), where.c_str());
      bad++;
    }
  }
  return bad + tally.out.bad() - before;
}

// Robots of every kind from seed `first` on.
int run_robots(uint64_t first, uint64_t count, const Arguments &arguments, Tally &tally) {
  int bad = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    try {
      bad += run_robot(seed, false, arguments, tally);
      bad += run_robot(5000 + seed, true, arguments, tally);
    } catch (const std::exception &error) {
      std::printf("  BAD seed %d: %s\n", int(seed), error.what());
      bad++;
    }
  }
  bad += tally.out.print();
  std::printf("%s: %d robots, %d refused; %d states judged, %d left out\n",
              tally.formulation.c_str(), tally.fitting, tally.refused, tally.judged,
              tally.left_out);
  std::printf("of them: base planar %d, floating %d; mimic %d, ties %d, free directions %d, limits "
              "of effort %d (%d states beyond them)\n",
              tally.planar, tally.floating, tally.mimic, tally.tie, tally.free, tally.limited,
              tally.saturated);
  std::printf(
      "that leave several motions free %d, fewer than six rows on a body %d, two bodies %d\n",
      tally.several, tally.partial, tally.two);
  for (const int seen : {tally.planar, tally.floating, tally.tie, tally.free, tally.several,
                         tally.partial, tally.two})
    bad += seen < 1;
  const bool null = tally.formulation == "null";
  for (const int seen : {tally.mimic, tally.limited, tally.saturated}) bad += (seen > 0) != null;
  if (tally.fitting < 10) bad++;
  return bad;
}

// A quadruped on its feet, whose rows are eliminated at the trunk: a leg that is straight, or has a row masked, is no way
// to eliminate its rows, and then the general solve gives its very bits.
class Knees {
public:
  explicit Knees(const Arguments &arguments)
      : early(generator(arguments, "early")), general(generator(arguments, "recursion")),
        robot(read_urdf(arguments.robots + "/quadruped.urdf", spec.selection)) {}

  int run(int legs) {
    for (int k = 0; k < legs; k++) {
      Sample sample = random_sample(robot, spec, random, range);
      for (std::vector<int> &group : sample.mask) std::fill(group.begin(), group.end(), 1);
      for (int i = 2; i < robot.nd(); i += 3) sample.state.q[i] = random.uniform(0.4, 2);
      add(sample, true, "bent");
      real &knee = sample.state.q[3 * random.below(4) + 2];
      for (const double q : {0.2, 3e-4, 1e-4, 1e-9, 0.0}) {
        knee = q;
        add(sample, q > 0.1, "stretched");
      }
      knee = 1;
      sample.mask[size_t(random.below(4))][size_t(random.below(3))] = 0;
      add(sample, false, "masked");
    }
    return judge();
  }

private:
  static LayoutSpec layout() {
    LayoutSpec feet;
    feet.selection.base = Base::floating;
    for (const char *leg : {"fl", "fr", "rl", "rr"}) {
      GroupSpec group;
      group.name = leg;
      group.frame = std::string(leg) + "_foot";
      group.rows = lin;
      group.physical = leg[0] == 'f';
      group.maskable = true;
      feet.groups.push_back(group);
    }
    feet.threshold = 1e-9; // at 3e-4 one pivot is below the seam, no product, and all is in reach
    feet.outputs = {"qdd", "nu", "tau_ctrl"};
    return feet;
  }
  Generator generator(const Arguments &arguments, const std::string &formulation) const {
    return {arguments.achdgen, arguments.robots + "/quadruped.urdf", lua(spec),
            "--snap 0 --formulation " + formulation};
  }

  struct Case {
    Sample sample;
    bool fast; // a state for the early way
    const char *leg;
  };
  void add(const Sample &sample, bool fast, const char *leg) {
    cases.push_back({sample, fast, leg});
  }

  // Numbers and status against the dense oracle; the way by the bits, which are those of the general solve or not.
  int judge() {
    Table in;
    for (const Case &c : cases) in.push_back(early.arrange(input_columns(robot, spec, c.sample)));
    const Table got = early.run(in), by_general = general.run(in);
    Comparison out("Knees");
    int bad = 0, left_out = 0, ways[2] = {0, 0};
    for (size_t s = 0; s < cases.size(); s++) {
      const Case &c = cases[s];
      const bool fast = got[s] != by_general[s];
      ways[fast]++;
      const Expected expected = expect(robot, spec, c.sample);
      const bool known = !rounding_decides(expected);
      left_out += !known;
      if (known) judge_blocks(early, got[s], expected, policy_tolerance(expected), "", c.leg, out);
      if (fast == c.fast && (!known || status_fits(early, got[s], robot, expected))) continue;
      std::printf("  BAD state %d, a %s leg: %s, status %g\n", int(s), c.leg,
                  fast ? "rows are eliminated early" : "the general solve",
                  got[s][size_t(early.output("status"))]);
      bad++;
    }
    bad += out.print();
    std::printf("knees: %d states by the early way, %d by the general one, %d not judged\n",
                ways[1], ways[0], left_out);
    return bad + (left_out > ways[0] / 2);
  }

  const LayoutSpec spec = layout();
  Evaluator early, general;
  const Robot robot;
  Random random{11};
  SampleRange range;
  std::vector<Case> cases;
};

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 12, 200);
  const bool all = arguments.states == 200;
  const auto asked = [&](const char *part) {
    return arguments.only.empty() || arguments.only == part;
  };
  Tally null("null"), early("early");
  int bad = 0;
  if (asked("null")) bad += run_robots(all ? 1 : 19, all ? 1000 : 6, arguments, null);
  if (asked("early")) bad += run_robots(all ? 1 : 45, all ? 1000 : 8, arguments, early);
  if (asked("knees")) bad += Knees(arguments).run(all ? 500 : 20);
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
