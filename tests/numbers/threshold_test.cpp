/* SPDX-License-Identifier: MIT */
// threshold_test.cpp: what the default of singular_threshold is chosen by.
//
// Six arms in states at random and close to singular ones, and random trees whose links taper off;
// the general solve (--formulation joint) at several thresholds against accelerations from the
// definition without any policy, in long double. By decades of the least pivot: how many states are
// damped, and the largest error of qdd beside the largest acceleration. ACHD_SWEEP=1 prints the
// table of docs/performance.md, 60 states a robot. Arguments: oracle/arguments.hpp.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"

using namespace oracle;

namespace {

// Least pivots: from 1 down to each of these, and below.
const double decades[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12};
const int ndecades = 6;

struct Cell {
  int states = 0, damped = 0;
  double worst = 0;
};

struct Case {
  std::string title, urdf;
  LayoutSpec spec;
};

std::string number(double x) {
  std::ostringstream text;
  text.precision(17);
  text << x;
  return text.str();
}

// A link of length l: a rod of mass m, turning about a random axis at its end.
std::string tapered_link(int k, const std::string &parent, double place, double l, double m,
                         Random &random) {
  const Vec3 axis = random.unit();
  const std::string name = "l" + std::to_string(k), moment = number(m * l * l / 12);
  std::ostringstream text;
  text << "<link name=\"" << name << "\"><inertial><origin xyz=\"" << number(l / 2)
       << " 0 0\"/><mass value=\"" << number(m) << "\"/><inertia ixx=\"" << number(m * l * l / 100)
       << "\" ixy=\"0\" ixz=\"0\" iyy=\"" << moment << "\" iyz=\"0\" izz=\"" << moment
       << "\"/></inertial></link>\n<joint name=\"j" << k << "\" type=\"continuous\"><parent link=\""
       << parent << "\"/><child link=\"" << name << "\"/><origin xyz=\"" << number(place)
       << " 0 0\" rpy=\"" << number(random.uniform(-1.5, 1.5)) << " "
       << number(random.uniform(-1.5, 1.5)) << " 0\"/><axis xyz=\"" << number(double(axis[0]))
       << " " << number(double(axis[1])) << " " << number(double(axis[2])) << "\"/></joint>\n";
  return text.str();
}

// Two branches on a trunk of two links; each link is `taper` times as long as the one before.
Case tapered_tree(uint64_t seed) {
  Random random(seed);
  const double taper = random.uniform(0.35, 0.6);
  std::ostringstream text;
  text << "<robot name=\"tapered\"><link name=\"base\"/>\n";
  int k = 0;
  double l = 1, m = 10;
  std::string parent = "base";
  double place = 0;
  for (int i = 0; i < 2; i++) {
    text << tapered_link(++k, parent, place, l, m, random);
    parent = "l" + std::to_string(k);
    place = l;
    l *= taper, m *= taper * taper * taper;
  }
  Case c;
  for (int branch = 0; branch < 2; branch++) {
    std::string from = parent;
    double at = place, length = l, mass = m;
    for (int i = 0; i < 3; i++) {
      text << tapered_link(++k, from, at, length, mass, random);
      from = "l" + std::to_string(k);
      at = length;
      length *= taper, mass *= taper * taper * taper;
    }
    GroupSpec group;
    group.name = "tip" + std::to_string(branch);
    group.frame = from;
    group.rows = {"lin_x", "lin_y", "lin_z"};
    c.spec.groups.push_back(group);
  }
  text << "</robot>\n";
  c.title = "trees";
  c.urdf = text.str();
  return c;
}

Case arm(const std::string &robots, const std::string &file, const std::string &frame) {
  Case c;
  c.title = "arms";
  std::ifstream in(robots + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  c.urdf = text.str();
  GroupSpec group;
  group.name = "tool";
  group.frame = frame;
  if (file == "youbot_arm.urdf") group.rows = {"lin_x", "lin_y", "lin_z", "ang_x"};
  c.spec.groups = {group};
  return c;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 30, 60);
  const bool all = arguments.states >= 60;
  const TemporaryFolder folder;
  std::vector<Case> cases = {
      arm(arguments.robots, "gen3.urdf", "end_effector_link"),
      arm(arguments.robots, "iiwa7.urdf", "iiwa_link_ee"),
      arm(arguments.robots, "lwr4.urdf", "lwr_7_link"),
      arm(arguments.robots, "gen3_6dof.urdf", "tool_frame"),
      arm(arguments.robots, "puma560.urdf", "link_6"),
      arm(arguments.robots, "youbot_arm.urdf", "gripper_palm_link"),
  };
  const size_t narms = cases.size();
  for (uint64_t seed = 1; seed <= (all ? 12u : 6u); seed++) cases.push_back(tapered_tree(seed));
  const double none = 0; // the generator's own
  std::vector<double> thresholds = {none, 1e-9};
  if (all) thresholds = {none, 1e-6, 1e-7, 2e-8, 1e-10, 1e-12, 1e-9};
  std::map<std::string, std::vector<std::vector<Cell>>> table; // by title, threshold, decade
  for (size_t which = 0; which < cases.size(); which++) {
    Case &c = cases[which];
    const std::string path = folder.write("robot" + std::to_string(which) + ".urdf", c.urdf);
    const Robot robot = parse_urdf(c.urdf);
    c.spec.outputs = {"qdd"};
    c.spec.armature_input = which < narms;
    SampleRange range;
    range.masked = 0;
    range.state.armature = which < narms ? 0.5 : 0;
    Random random(which + 1);
    std::vector<Sample> samples;
    LayoutSpec exact = c.spec;
    exact.singularity = Policy::exact;
    for (int s = 0; s < arguments.states; s++) {
      samples.push_back(random_sample(robot, exact, random, range));
      if (s % 2 == 0) // close to where elbow or wrist is straight
        samples.back().state.q[1 + random.below(robot.nd() - 2)] =
            random.log_uniform(1e-5, 1e-1) * (random.chance(0.5) ? 1 : -1);
    }
    std::vector<Expected> expected;
    for (const Sample &sample : samples) expected.push_back(expect(robot, exact, sample));
    auto &cells = table[c.title];
    cells.resize(thresholds.size(), std::vector<Cell>(size_t(ndecades)));
    for (size_t t = 0; t < thresholds.size(); t++) {
      c.spec.threshold = thresholds[t];
      Evaluator program({arguments.achdgen, path, lua(c.spec), "--snap 0 --formulation joint"});
      Table in;
      for (const Sample &sample : samples)
        in.push_back(program.arrange(input_columns(robot, c.spec, sample)));
      const Table got = program.run(in);
      for (size_t s = 0; s < samples.size(); s++) {
        const double pivot = double(expected[s].solution.pivot_min);
        int decade = 0;
        while (decade < ndecades && pivot < decades[decade]) decade++;
        if (decade == ndecades) continue; // nor does long double know
        Cell &cell = cells[t][size_t(decade)];
        cell.states++;
        double size = 0, off = 0;
        for (int j = 0; j < robot.nd(); j++) {
          const std::string name = "qdd." + identifier(robot.dofs[size_t(j)].name);
          const real value = expected[s].columns.at(name);
          size = std::max(size, std::abs(double(value)));
          off = std::max(off, double(std::abs(got[s][size_t(program.output(name))] - value)));
        }
        cell.damped += got[s][size_t(program.output("status"))] != 0;
        cell.worst = std::max(cell.worst, off / size);
      }
    }
  }
  int bad = 0, freed = 0;
  for (const auto &[title, cells] : table) {
    std::printf("\n| %s, threshold |", title.c_str());
    for (const double d : decades) std::printf(" pivots above %g |", d);
    std::printf("\n|---|");
    for (int d = 0; d < ndecades; d++) std::printf("---|");
    for (size_t t = 0; t < thresholds.size(); t++) {
      if (thresholds[t] > 0)
        std::printf("\n| %g |", thresholds[t]);
      else
        std::printf("\n| default |");
      for (const Cell &cell : cells[t])
        if (cell.states == 0)
          std::printf(" |");
        else
          std::printf(" %.0e, %d of %d |", cell.worst, cell.damped, cell.states);
    }
    std::printf("\n");
    // Above the default nothing is damped, and the matrix L loses 1e-16 times its condition, which is
    // up to a thousand over its least pivot, of metres beside radians. With 1e-9 the rows are solved
    // without L, and what the default damps, too, loses the square root of that.
    const std::vector<Cell> &by_default = cells.front(), &by_small = cells.back();
    bad += by_default[0].damped > 0 || !(by_default[0].worst < 1e-6);
    for (size_t d = 0; d < 4; d++) {
      bad += by_small[d].damped > 0 || !(by_small[d].worst < 1e-8);
      freed += by_default[d].damped;
    }
  }
  std::printf("%s: %d states that the default damps are solved with 1e-9\n",
              bad || freed < 5 ? "FAILED" : "OK", freed);
  return bad || freed < 5;
}
