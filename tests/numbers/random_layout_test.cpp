/* SPDX-License-Identifier: MIT */
// random_layout_test.cpp: random robots under random layouts against the dense KKT: a property of
// every word that a layout can have and of every kind of base, joint and link, the whole
// pipeline from URDF and Lua text to numbers, both formulations; every tenth robot through the
// compiled C, too.
//
//   --long       3000 robots in place of 100
//   --robots N   that many robots (the arguments of oracle/arguments.hpp, but for --robots)
//   --only SEED  one robot; writes it out as random.urdf and random.lua
//   --until-bad  stops behind the first robot that fails
//   --write DIR  writes the robots there, as SEED.urdf and SEED.lua, and tries none
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const real worst_mass_matrix = 1e7L; // condition of M beyond which double keeps too few digits

std::string any_link(const Robot &robot, Random &random) {
  return robot.links[random.below(int(robot.links.size()))].name;
}

// Joints between the base and a link.
int joints_to(const Robot &robot, int link) {
  int count = 0;
  for (; link >= 0; link = robot.links[link].parent)
    count += robot.links[link].joint.type != JointType::fixed;
  return count;
}

// A link that joints move.
std::string jointed_link(const Robot &robot, Random &random) {
  for (;;) {
    const std::string link = any_link(robot, random);
    if (joints_to(robot, robot.link(link)) > 0) return link;
  }
}

// A link that joints move, or the base.
std::string moving_link(const Robot &robot, Random &random) {
  return robot.base == Base::fixed ? jointed_link(robot, random) : any_link(robot, random);
}

// How many joints move one of two links against the other.
int joints_between(const Robot &robot, int a, int b) {
  std::set<int> moving; // on the way from one of them to the root, not both
  for (int link : {a, b})
    for (; link >= 0; link = robot.links[link].parent)
      if (robot.links[link].joint.type != JointType::fixed && !moving.insert(link).second)
        moving.erase(link);
  return int(moving.size());
}

RobotShape random_shape(Random &random) {
  RobotShape shape;
  shape.joints = random.chance(0.06) ? 0 : 2 + random.below(11);
  shape.branch = random.chance(0.4) ? 0.4 : 0;
  shape.prismatic = random.uniform(0, 0.4);
  shape.continuous = 0.4;
  shape.massless = random.chance(0.4) ? 0.3 : 0;
  shape.point = 0.05;
  shape.mimic = random.chance(0.15) ? 1 : 0;
  shape.base_inertia = shape.joints == 0 || random.chance(0.5);
  shape.world = random.chance(0.3);
  if (shape.world && random.chance(0.3))
    shape.root = random.chance(0.5) ? Base::planar : Base::floating;
  shape.vendor = random.chance(0.3) && shape.joints > 0;
  shape.odd_names = random.chance(0.2);
  shape.default_values = random.chance(0.4);
  return shape;
}

// Rows on a frame that moves, no more of them than `most`.
GroupSpec random_group(const Robot &robot, Random &random, int number, int most) {
  GroupSpec group;
  group.name = "group" + std::to_string(number);
  group.frame = moving_link(robot, random);
  group.axes = Axes(random.below(3));
  group.physical = random.chance(0.4);
  group.classical = random.chance(0.5);
  group.maskable = random.chance(0.5);
  group.yields = random.chance(0.2);
  if (random.chance(0.25)) {
    const std::string to = any_link(robot, random);
    const int joints = joints_between(robot, robot.link(group.frame), robot.link(to));
    if (joints > 0) {
      group.to = to;
      group.axes = Axes::base; // those of its frame
      group.classical = true;
      most = std::min(most, joints);
    }
  }
  if (group.to.empty() && robot.nd() > 0 && random.chance(0.2)) {
    group.axes = Axes::base;
    group.classical = true;
    std::vector<std::string> words;
    for (const Dof &dof : robot.dofs) words.push_back(dof.name);
    group.frame.clear();
    while (group.joints.empty() ||
           (!words.empty() && int(group.joints.size()) < most && random.chance(0.5))) {
      const int k = random.below(int(words.size())); // in any order
      group.joints.push_back(words[size_t(k)]);
      words.erase(words.begin() + k);
    }
    return group;
  }
  if (group.to.empty() && random.chance(0.3)) {
    group.axes = Axes::base;
    group.free = 1 + random.below(std::min(most, 6));
    return group;
  }
  std::vector<std::string> words = group.rows;
  if (random.chance(0.2) && most >= 6) return group; // all six, the default
  group.rows.clear();
  while (group.rows.empty() || (int(group.rows.size()) < most && random.chance(0.6))) {
    const int k = random.below(int(words.size())); // in any order
    group.rows.push_back(words[k]);
    words.erase(words.begin() + k);
    if (words.empty()) break;
  }
  return group;
}

// Do the rows of all ties move apart, in general? Others are refused.
bool ties_are_independent(const Robot &robot, const LayoutSpec &spec) {
  Random random(7);
  SampleRange range;
  LayoutSpec ties = spec;
  ties.groups.clear();
  for (const GroupSpec &group : spec.groups)
    if (!group.to.empty()) ties.groups.push_back(group);
  if (ties.groups.empty()) return true;
  const Sample sample = random_sample(robot, ties, random, range);
  const Expected expected = expect(robot, ties, sample);
  const Mat &G = expected.solution.G;
  Eigen::ColPivHouseholderQR<Mat> qr(G.transpose());
  qr.setThreshold(1e-9L);
  return qr.rank() == G.rows();
}

// Root, tips, locked and passive joints.
Selection random_selection(const Robot &whole, Random &random) {
  Selection selection;
  if (random.chance(0.2)) selection.root = any_link(whole, random);
  for (int k = whole.nd() > 0 && random.chance(0.3) ? 1 + random.below(2) : 0; k > 0; k--) {
    const std::string tip = jointed_link(whole, random);
    if (selection.tips.empty() || selection.tips[0] != tip) selection.tips.push_back(tip);
  }
  for (int i = 0; i < whole.nd(); i++)
    if (random.chance(0.1)) selection.locked[whole.dofs[i].name] = random.uniform(-1, 1);
  return selection;
}

// Does the selection leave a robot that moves, and has every motion something to move?
bool sound(const std::string &urdf, const Selection &selection) {
  try {
    const Robot robot = parse_urdf(urdf, selection);
    if (robot.nv() == 0) return false;
    for (const std::string &tip : selection.tips)
      if (joints_to(robot, robot.link(tip)) == 0) return false;
    for (const auto &locked : selection.locked) { // locked joints stand in what is selected
      Selection unlocked = selection;
      unlocked.locked.clear();
      parse_urdf(urdf, unlocked).dof(locked.first);
    }
    Random random(5);
    for (int k = 0; k < 3; k++)
      if (!(condition(motion(robot, random_state(robot, random)).M) < worst_mass_matrix))
        return false;
    return true;
  } catch (const std::exception &) { // a name that the selection cut off
    return false;
  }
}

// Weights of drivers, where no row is physical (weights_test.cpp has those).
void weigh(LayoutSpec &spec, Random &random) {
  std::vector<std::string> drivers;
  for (const WrenchSpec &w : spec.wrenches) drivers.push_back(w.name);
  if (spec.tau_phys) drivers.push_back("tau_phys");
  if (spec.tau_art) drivers.push_back("tau_art");
  for (const GroupSpec &group : spec.groups)
    if (group.physical) return;
  for (GroupSpec &group : spec.groups) {
    if (group.yields) continue;
    for (const std::string &driver : drivers)
      if (random.chance(0.6)) group.weights[driver] = random.chance(0.3) ? 0 : random.uniform(0, 1);
  }
}

LayoutSpec random_layout(const std::string &urdf, Random &random) {
  LayoutSpec spec;
  const Robot whole = parse_urdf(urdf);
  do {
    spec.selection = random_selection(whole, random);
    if (whole.nd() == 0) spec.selection.base = random.chance(0.4) ? Base::planar : Base::floating;
    if (!sound(urdf, spec.selection)) continue;
    // A root joint of the URDF says what the base is where it is selected.
    spec.selection.base = parse_urdf(urdf, spec.selection).base;
    if (spec.selection.base == Base::fixed && random.chance(0.5))
      spec.selection.base = random.chance(0.4) ? Base::planar : Base::floating;
  } while (!sound(urdf, spec.selection));
  const Robot robot = parse_urdf(urdf, spec.selection);
  spec.matrix = robot.base == Base::floating && random.chance(0.4);
  if (random.chance(0.5)) spec.name = "some_robot";
  for (const Dof &dof : robot.dofs) {
    if (random.chance(0.1)) spec.selection.passive.push_back(dof.name);
    if (random.chance(0.2)) spec.selection.effort[dof.name] = random.uniform(5, 50);
    if (random.chance(0.3)) spec.armature[dof.name] = random.uniform(0.05, 0.6);
  }
  if (random.chance(0.4)) {
    spec.armature.clear();
    spec.armature_input = true;
  } else if (random.chance(0.3)) {
    spec.armature.clear();
  }
  spec.gravity_input = random.chance(0.7);
  if (!spec.gravity_input && random.chance(0.5)) spec.gravity = random.vec3(10);
  spec.tau_phys = random.chance(0.5);
  spec.tau_art = random.chance(0.5);
  spec.saturate = random.chance(0.3);
  std::set<std::string> own;
  for (int k = random.chance(0.25) ? 1 + random.below(2) : 0; k > 0; k--)
    own.insert(any_link(robot, random));
  spec.inertia_inputs.assign(own.begin(), own.end());
  for (int k = random.chance(0.3) ? 1 + random.below(2) : 0; k > 0; k--) {
    PayloadSpec p;
    p.name = k == 1 ? "payload" : "box";
    p.frame = moving_link(robot, random);
    p.load = random_load(random);
    p.mass_input = random.chance(0.4);
    p.com_input = random.chance(0.4);
    p.inertia_input = random.chance(0.4);
    spec.payloads.push_back(p);
  }
  for (int k = random.below(4); k > 0; k--)
    spec.wrenches.push_back(
        {"wrench" + std::to_string(k), any_link(robot, random), random.chance(0.5)});
  const int policy = random.below(6);
  spec.singularity = policy < 4 ? Policy::damp : policy < 5 ? Policy::drop : Policy::truncate;
  const double thresholds[] = {1e-13, 1e-6, 1e-9, 1e-4};
  spec.threshold = policy == 5 ? 1e-10 : thresholds[random.below(4)];
  std::set<std::string> on_joints;
  // Mostly what the joints can do; now and then more.
  int left = std::min(robot.nv(), random.chance(robot.nv() > 12 ? 0.6 : 0.15) ? 24 : 8) +
             (random.chance(0.1) ? 3 : 0);
  if (policy == 5) left = std::min(left, 6);
  for (int k = left > 12 ? 9 : random.below(5); k > 0 && left > 0; k--) {
    spec.groups.push_back(random_group(robot, random, k, std::min(left, 6)));
    if (!ties_are_independent(robot, spec)) {
      spec.groups.pop_back();
      continue;
    }
    const std::vector<std::string> joints = spec.groups.back().joints;
    bool twice = false; // a row that an earlier group has
    for (const std::string &joint : joints) twice |= on_joints.count(joint) > 0;
    if (twice) {
      spec.groups.pop_back();
      continue;
    }
    on_joints.insert(joints.begin(), joints.end());
    left -= spec.groups.back().size();
  }
  spec.outputs.clear();
  for (const char *word :
       {"qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "residual", "pivot_min", "pivot"})
    if (random.chance(0.8) &&
        !(policy == 5 && std::strcmp(word, "pivot") == 0)) // its order is the generator's own
      spec.outputs.push_back(word);
  if (spec.outputs.empty()) spec.outputs = {"qdd"};
  for (std::vector<std::string> *frames : {&spec.acc, &spec.twist, &spec.pose})
    for (int k = random.below(3); k > 0; k--) {
      const std::string frame = any_link(robot, random);
      if (frames->empty() || frames->front() != frame) frames->push_back(frame);
    }
  spec.acc_classical = random.chance(0.5);
  if (random.chance(0.2))
    for (const char *word : {"qdd", "nu", "tau_ctrl"})
      if (random.chance(0.8)) spec.contributions.push_back(word);
  if (random.chance(0.7)) weigh(spec, random);
  return spec;
}

// Which words of a layout, and which kinds of robots, a test has seen.
using Words = std::map<std::string, int>;

void count_words(const RobotShape &shape, const LayoutSpec &spec, const Robot &robot,
                 Words &words) {
  const auto count = [&](const char *word, bool there) { words[word] += there; };
  bool prismatic = false, free = false, input = false, link = false, spatial = false, mask = false;
  bool physical = false, subset = false, artificial_wrench = false, physical_wrench = false;
  bool tie = false, yields = false, weights = false, on_base = false, on_joints = false,
       folded = false, at_run_time = false;
  int rows = 0;
  for (const Dof &dof : robot.dofs) prismatic |= dof.prismatic;
  for (const GroupSpec &g : spec.groups) {
    free |= g.free > 0;
    input |= g.axes == Axes::input;
    link |= g.axes == Axes::link;
    spatial |= !g.classical;
    mask |= g.maskable;
    physical |= g.physical;
    subset |= g.joints.empty() && g.free == 0 && g.rows.size() < 6;
    tie |= !g.to.empty();
    yields |= g.yields;
    weights |= !g.weights.empty();
    on_joints |= !g.joints.empty();
    on_base |= g.joints.empty() && joints_to(robot, robot.link(g.frame)) == 0;
    rows += g.size();
  }
  for (const WrenchSpec &w : spec.wrenches)
    (w.artificial ? artificial_wrench : physical_wrench) = true;
  for (const PayloadSpec &p : spec.payloads)
    (p.mass_input || p.com_input || p.inertia_input ? at_run_time : folded) = true;
  count("robot: one body", robot.nd() == 0);
  count("rows on joints", on_joints);
  count("payload folded", folded);
  count("payload at run time", at_run_time);
  count("robot: tree", shape.branch > 0);
  count("robot: prismatic", prismatic);
  count("robot: massless links", shape.massless > 0);
  count("robot: mimic", shape.mimic > 0);
  count("robot: world", shape.world);
  count("robot: vendor's tags", shape.vendor);
  count("robot: odd names", shape.odd_names);
  count("robot: root joint", shape.root != Base::fixed);
  count("base planar", robot.base == Base::planar);
  count("base floating", robot.base == Base::floating);
  count("orientation matrix", spec.matrix);
  count("root", !spec.selection.root.empty());
  count("tips", !spec.selection.tips.empty());
  count("locked", !spec.selection.locked.empty());
  count("passive", !spec.selection.passive.empty());
  count("effort", !spec.selection.effort.empty());
  count("gravity input", spec.gravity_input);
  count("gravity folded", !spec.gravity_input);
  count("armature input", spec.armature_input);
  count("armature folded", !spec.armature.empty());
  count("inertia_inputs", !spec.inertia_inputs.empty());
  count("torques physical", spec.tau_phys);
  count("torques artificial", spec.tau_art);
  count("saturate", spec.saturate);
  count("wrench physical", physical_wrench);
  count("wrench artificial", artificial_wrench);
  count("no groups", spec.groups.empty());
  count("several groups", spec.groups.size() > 1);
  count("rows free", free);
  count("rows subset", subset);
  count("axes link", link);
  count("axes input", input);
  count("kind physical", physical);
  count("acceleration spatial", spatial);
  count("maskable", mask);
  count("tie", tie);
  count("over yields", yields);
  count("weights", weights);
  count("rows on the base", on_base);
  count("more than twelve rows", rows > 12);
  count("contributions", !spec.contributions.empty());
  count("damp", spec.singularity == Policy::damp);
  count("drop", spec.singularity == Policy::drop);
  count("truncate", spec.singularity == Policy::truncate);
  for (const std::string &o : spec.outputs) words["output " + o]++;
  count("output acc", !spec.acc.empty());
  count("output twist", !spec.twist.empty());
  count("output pose", !spec.pose.empty());
  count("output acc spatial", !spec.acc.empty() && !spec.acc_classical);
}

struct Tally {
  Comparison out{"Random robots under random layouts"};
  Words words;
  int robots = 0, judged = 0, singular = 0, saturated = 0, unactuated = 0, left_out = 0;
  int compiled = 0;
};

// Does the description of the least pivot say that it is one of the rows' own equations? Then L has another, where no row is masked; pivot_test.cpp
// judges it.
bool pivot_of_equations(const Generator &generator) {
  const TemporaryFolder folder;
  std::string text;
  const int status =
      run_command(shell_quoted(generator.achdgen) + " " + shell_quoted(generator.urdf) +
                      " --layout " + shell_quoted(folder.write("layout.lua", generator.layout)) +
                      " " + generator.flags + " -q --describe json",
                  &text);
  return status == 0 &&
         text.find("smallest relative pivot of the rows' equations") != std::string::npos;
}

bool masked(const Sample &sample) {
  for (const std::vector<int> &group : sample.mask)
    if (std::count(group.begin(), group.end(), 0) > 0) return true;
  return false;
}

// Number of bad cases.
int judge(Program &program, const Generator &generator, const Robot &robot, const LayoutSpec &spec,
          const std::vector<Sample> &given, const std::string &title, Tally &tally) {
  const auto at = std::find(spec.outputs.begin(), spec.outputs.end(), "pivot_min");
  const bool has_pivot = at != spec.outputs.end() && !spec.groups.empty();
  int of_equations = -1; // not asked yet
  Table in;
  for (const Sample &sample : given)
    in.push_back(program.arrange(input_columns(robot, spec, sample)));
  const Table got = program.run(in);
  int bad = 0;
  for (size_t s = 0; s < given.size(); s++) {
    const std::string where = title + " state " + std::to_string(s);
    for (size_t i = 0; i < got[s].size(); i++)
      if (!std::isfinite(got[s][i]) && ++bad <= 3)
        std::printf("  BAD %s is not finite  %s\n", program.columns().out[i].name.c_str(),
                    where.c_str());
    Expected expected = expect(robot, spec, given[s]);
    // M's own condition counts too: links of grams behind links of kilograms, without rotors.
    const double mass_condition = double(condition(expected.at.M));
    const double tolerance = std::max(policy_tolerance(expected), 1e-14 * mass_condition);
    if (tolerance > 1e-4 || rounding_decides(expected)) {
      tally.left_out++;
      continue;
    }
    tally.judged++;
    tally.singular += expected.solution.singular;
    tally.saturated += expected.solution.saturated;
    tally.unactuated += expected.solution.unactuated;
    if (has_pivot && !masked(given[s])) {
      const double pivot = got[s][size_t(program.output("pivot_min"))];
      if (!(std::abs(pivot - double(expected.columns["pivot_min"])) < tolerance)) {
        if (of_equations < 0) of_equations = pivot_of_equations(generator);
        if (of_equations) expected.columns["pivot_min"] = pivot;
      }
    }
    const int before = tally.out.bad();
    judge_blocks(program, got[s], expected, tolerance, "", where, tally.out);
    // Clamped torques, or what has no motor, make another motion than the one asked for.
    const bool demanded =
        !spec.saturate || !(expected.solution.saturated || expected.solution.unactuated);
    if (demanded && !spec.contributions.empty())
      judge_shares(program, got[s], spec,
                   std::max(1e-12, 1e-16 * (policy_condition(expected) + mass_condition)), where,
                   tally.out);
    bad += tally.out.bad() - before;
    if (!status_fits(program, got[s], robot, expected)) {
      std::printf("  BAD status %g, expected %g  %s\n", got[s][program.output("status")],
                  double(expected.columns.at("status")), where.c_str());
      bad++;
    }
  }
  return bad;
}

int run(uint64_t seed, const Arguments &arguments, const std::string &write_to, Tally &tally) {
  Random random(seed);
  const std::string title = "seed " + std::to_string(seed);
  RobotShape shape;
  std::string urdf;
  Selection whole;
  do { // coaxial joints with nothing in between are no robot
    shape = random_shape(random);
    urdf = random_urdf(random, shape);
    whole.base = shape.joints == 0 ? Base::floating : Base::fixed;
  } while (!sound(urdf, whole));
  const LayoutSpec spec = random_layout(urdf, random);
  const Robot robot = parse_urdf(urdf, spec.selection);
  count_words(shape, spec, robot, tally.words);
  tally.robots++;
  std::vector<Sample> given;
  SampleRange range;
  range.state.armature = 0.5;
  for (int i = 0; i < arguments.states; i++)
    given.push_back(random_sample(robot, spec, random, range));
  // Words that mean nothing but what is the default anyhow.
  std::string text = lua(spec);
  if (robot.base == Base::fixed && random.chance(0.3))
    text.insert(text.find('\n') + 1, "  base = \"fixed\",\n");

  if (!write_to.empty()) {
    std::ofstream(write_to + "/" + std::to_string(seed) + ".urdf") << urdf;
    std::ofstream(write_to + "/" + std::to_string(seed) + ".lua") << text;
    return 0;
  }

  const TemporaryFolder folder;
  const std::string path = folder.write("robot.urdf", urdf);
  std::vector<std::string> formulations = {"--formulation joint", "--formulation recursion"};
  if (shape.mimic) formulations = {""}; // in joint space only
  int bad = 0;
  try {
    for (const std::string &formulation : formulations) {
      const Generator generator = {arguments.achdgen, path, text, "--snap 0 " + formulation};
      Evaluator program(generator);
      bad += judge(program, generator, robot, spec, given, title + " " + formulation, tally);
    }
    if (seed % 10 == 0) {
      const Generator generator = {arguments.achdgen, path, text, "--snap 0"};
      Compiled program(generator, spec.name);
      bad += judge(program, generator, robot, spec, given, title + " compiled", tally);
      tally.compiled++;
    }
  } catch (const std::exception &error) {
    std::printf("  BAD %s: %s\n", title.c_str(), error.what());
    bad++;
  }
  if (!arguments.only.empty()) {
    std::ofstream("random.urdf") << urdf;
    std::ofstream("random.lua") << text;
  }
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  int robots = 100;
  bool until_bad = false, all_of_them = false;
  std::string write_to;
  std::vector<char *> rest;
  for (int i = 0; i < argc; i++) {
    if (std::strcmp(argv[i], "--long") == 0)
      robots = 3000, all_of_them = true;
    else if (std::strcmp(argv[i], "--until-bad") == 0)
      until_bad = true;
    else if (std::strcmp(argv[i], "--robots") == 0 && i + 1 < argc)
      robots = std::atoi(argv[++i]), all_of_them = true;
    else if (std::strcmp(argv[i], "--write") == 0 && i + 1 < argc)
      write_to = argv[++i];
    else
      rest.push_back(argv[i]);
  }
  const Arguments arguments = parse_arguments(int(rest.size()), rest.data(), 20);
  Tally tally;
  std::vector<uint64_t> failed, seeds;
  if (!arguments.only.empty())
    seeds = {std::stoull(arguments.only)};
  else {
    InSample in_sample(arguments, all_of_them ? 1 : 6);
    for (int k = 1; k <= robots; k++)
      if (in_sample()) seeds.push_back(uint64_t(k));
  }
  std::printf("seeds %llu to %llu\n", (unsigned long long)seeds.front(),
              (unsigned long long)seeds.back());
  for (const uint64_t seed : seeds) {
    if (run(seed, arguments, write_to, tally) == 0) continue;
    failed.push_back(seed);
    std::printf("  seed %llu failed; again: %s --achdgen %s --states %d --only %llu\n",
                (unsigned long long)seed, argv[0], arguments.achdgen.c_str(), arguments.states,
                (unsigned long long)seed);
    std::fflush(stdout);
    if (until_bad) break;
  }
  if (!write_to.empty()) return 0;
  tally.out.print();
  std::printf("  %d robots, %d compiled; %d states judged: %d singular, %d saturated, %d with a "
              "share for joints without motor; %d left out, where rounding decides\n",
              tally.robots, tally.compiled, tally.judged, tally.singular, tally.saturated,
              tally.unactuated, tally.left_out);
  bool all = tally.judged > tally.left_out;
  if (seeds.size() >= 100) {
    for (const auto &word : tally.words)
      if (word.second == 0) {
        std::printf("  BAD: no layout had: %s\n", word.first.c_str());
        all = false;
      }
    all = all && tally.singular && tally.saturated && tally.unactuated;
  }
  const bool good = failed.empty() && (all || seeds.size() < 100);
  std::printf("%zu robots failed\n%s\n", failed.size(), good ? "OK" : "FAILED");
  return good ? 0 : 1;
}
