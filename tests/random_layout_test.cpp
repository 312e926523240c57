// random_layout_test.cpp: random robots under random layouts against the dense KKT: several groups
// on several frames, row subsets, free directions, sub-chains, locked and passive joints, inertia
// at run time, trees. What fails is written out with the seed that makes it again (--only SEED).
#include <fstream>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/random_robot.hpp"

using namespace oracle;

namespace {

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

// Rows on a frame that moves, no more of them than joints that move it.
GroupSpec random_group(const Robot &robot, Random &random, int number, int most) {
  GroupSpec group;
  group.name = "group" + std::to_string(number);
  do {
    group.frame = any_link(robot, random);
  } while (joints_to(robot, robot.link(group.frame)) == 0);
  most = std::min(most, joints_to(robot, robot.link(group.frame)));
  group.axes = Axes(random.below(3));
  group.physical = random.chance(0.4);
  group.classical = random.chance(0.5);
  group.maskable = random.chance(0.5);
  if (random.chance(0.3)) {
    group.axes = Axes::base;
    group.free = 1 + random.below(std::min(most, 6));
    return group;
  }
  const std::vector<std::string> words = group.rows;
  group.rows.clear();
  for (const std::string &word : words)
    if (int(group.rows.size()) < most && random.chance(0.5)) group.rows.push_back(word);
  if (group.rows.empty()) group.rows.push_back(words[random.below(6)]);
  return group;
}

LayoutSpec random_layout(const std::string &urdf, Random &random) {
  LayoutSpec spec;
  Selection &selection = spec.selection;
  const Robot whole = parse_urdf(urdf);
  if (whole.nd() > 2)
    for (int i = 0; i < whole.nd(); i++)
      if (random.chance(0.1)) selection.locked[whole.dofs[i].name] = random.uniform(-1, 1);
  if (random.chance(0.2)) {
    // A sub-chain: up to a link with a moving joint on its way.
    selection.tips = {whole.links[whole.dofs.back().link].name};
  }
  Robot robot = parse_urdf(urdf, selection);
  if (robot.nd() == 0) {
    selection = {};
    robot = whole;
  }
  for (const Dof &dof : robot.dofs) {
    if (random.chance(0.1)) selection.passive.push_back(dof.name);
    if (random.chance(0.2)) selection.effort[dof.name] = random.uniform(5, 50);
    if (random.chance(0.3)) spec.armature[dof.name] = random.uniform(0.05, 0.6);
  }
  if (random.chance(0.4)) {
    spec.armature.clear();
    spec.armature_input = true;
  }
  spec.gravity_input = random.chance(0.7);
  spec.tau_phys = random.chance(0.5);
  spec.tau_art = random.chance(0.5);
  spec.saturate = random.chance(0.3);
  if (random.chance(0.15)) spec.inertia_inputs = {any_link(robot, random)};
  for (int k = random.below(3); k > 0; k--)
    spec.wrenches.push_back(
        {"wrench" + std::to_string(k), any_link(robot, random), random.chance(0.5)});
  int left = std::min(robot.nd(), 8);
  for (int k = random.below(4); k > 0 && left > 0; k--) {
    spec.groups.push_back(random_group(robot, random, k, left));
    left -= spec.groups.back().size();
  }
  spec.threshold = 1e-13;
  spec.outputs = {"qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "residual"};
  spec.acc = {any_link(robot, random)};
  spec.twist = {any_link(robot, random)};
  spec.pose = {any_link(robot, random)};
  spec.acc_classical = random.chance(0.5);
  return spec;
}

// Number of bad cases.
int run(uint64_t seed, const Arguments &arguments, Comparison &out, int *judged, int *lost_rank) {
  Random random(seed);
  RobotShape shape;
  shape.joints = 1 + random.below(9);
  shape.branch = random.chance(0.5) ? 0.4 : 0;
  const std::string urdf = random_urdf(random, shape);
  const LayoutSpec spec = random_layout(urdf, random);
  const Robot robot = parse_urdf(urdf, spec.selection);
  const TemporaryFolder folder;
  const std::string title = "seed " + std::to_string(seed);
  int bad = 0;
  try {
    Evaluator program({arguments.achdgen, folder.write("robot.urdf", urdf), lua(spec), "--snap 0"});
    std::vector<Sample> given;
    Table in;
    SampleRange range;
    range.state.armature = 0.5;
    for (int i = 0; i < arguments.states; i++) {
      given.push_back(random_sample(robot, spec, random, range));
      in.push_back(program.arrange(input_columns(robot, spec, given.back())));
    }
    const Table got = program.run(in);
    for (size_t s = 0; s < given.size(); s++) {
      const Expected expected = expect(robot, spec, given[s]);
      if (!(expected.solution.cond < 1e9L) || least_reach(expected) < 1e-5L) {
        ++*lost_rank;
        continue;
      }
      ++*judged;
      const std::string where = title + " state " + std::to_string(s);
      // M's own condition counts too: links of grams behind links of kilograms, without rotors.
      const double tolerance =
          std::max(tolerance_of(expected.solution.cond), 1e-14 * double(condition(expected.at.M)));
      judge_blocks(program, got[s], expected, tolerance, "", where, out);
      if (!status_fits(program, got[s], robot, expected)) {
        std::printf("  BAD status %g, expected %g  %s\n", got[s][program.output("status")],
                    double(expected.columns.at("status")), where.c_str());
        bad++;
      }
    }
  } catch (const std::exception &error) {
    std::printf("  BAD %s: %s\n", title.c_str(), error.what());
    bad++;
  }
  if (!arguments.only.empty()) {
    std::ofstream("random.urdf") << urdf;
    std::ofstream("random.lua") << lua(spec);
  }
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 20);
  int bad = 0, judged = 0, lost_rank = 0;
  Comparison out("Random robots under random layouts");
  if (!arguments.only.empty())
    bad += run(std::stoull(arguments.only), arguments, out, &judged, &lost_rank);
  else
    for (uint64_t seed = 1; seed <= 200; seed++)
      bad += run(seed, arguments, out, &judged, &lost_rank);
  bad += out.print();
  std::printf("  %d states judged, %d not: rank lost or nearly, or rows out of reach\n", judged,
              lost_rank);
  if (judged == 0) bad++;
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
