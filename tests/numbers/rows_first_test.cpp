/* SPDX-License-Identifier: MIT */
// rows_first_test.cpp: the null-space solve (formulation "null").
// Random arms and trees under random layouts that it is for, against the dense oracle: whole and
// partial groups, one or several, which leave no or several motions free, sliding joints, armature,
// axes of all kinds, masks, loads, limits of effort; moving bases, joints that mimic others, ties,
// free directions. Where it gives way to the general solve: seam_test.cpp. ACHD_SWEEP=1: 1000 robots
// of each kind. Arguments: oracle/arguments.hpp.
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
  Comparison out{"Random robots, null-space solve"};
  int fitting = 0, refused = 0, judged = 0, left_out = 0;
  int saturated = 0;                                                       // states that are
  int planar = 0, floating = 0, mimic = 0, tie = 0, free = 0, limited = 0; // robots
  int several = 0, partial = 0, two = 0; // robots: motions left free; rows of a body; bodies
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
  if (wide) shape.mimic = shape.joints > 2 && random.chance(0.4) ? 1 : 0;
  const std::string urdf = random_urdf(random, shape);
  Selection selection;
  if (wide && random.chance(0.6))
    selection.base = random.chance(0.5) ? Base::planar : Base::floating;
  const Robot whole = parse_urdf(urdf, selection);
  LayoutSpec spec = wide ? random_wide_rows(whole, random) : random_rows(whole, random);
  spec.selection.base = selection.base;
  const Robot robot = parse_urdf(urdf, spec.selection);
  const TemporaryFolder folder;
  const Generator generator{arguments.achdgen, folder.write("robot.urdf", urdf), lua(spec),
                            "--snap 0 --formulation null"};
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

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 12, 200);
  const bool all = arguments.states == 200;
  int bad = 0;
  Tally tally;
  for (uint64_t seed = 1; seed <= (all ? 1000u : 15u); seed++) {
    try {
      bad += run_robot(seed, false, arguments, tally);
      bad += run_robot(5000 + seed, true, arguments, tally);
    } catch (const std::exception &error) {
      std::printf("  BAD seed %d: %s\n", int(seed), error.what());
      bad++;
    }
  }
  bad += tally.out.print();
  std::printf("%d robots, %d refused; %d states judged, %d left out\n", tally.fitting,
              tally.refused, tally.judged, tally.left_out);
  std::printf("of them: base planar %d, floating %d; mimic %d, ties %d, free directions %d, limits "
              "of effort %d (%d states beyond them)\n",
              tally.planar, tally.floating, tally.mimic, tally.tie, tally.free, tally.limited,
              tally.saturated);
  std::printf(
      "that leave several motions free %d, fewer than six rows on a body %d, two bodies %d\n",
      tally.several, tally.partial, tally.two);
  for (const int seen : {tally.planar, tally.floating, tally.mimic, tally.tie, tally.free,
                         tally.limited, tally.saturated, tally.several, tally.partial, tally.two})
    bad += seen < 1;
  if (tally.fitting < 20) bad++;
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
