/* SPDX-License-Identifier: MIT */
// accuracy.cpp: errors of qdd beside those of KDL's ChainHdSolver_Vereshchagin, against the dense
// KKT system in long double: median, 99th percentile, worst. Numbers as the URDF writes them
// (--snap 0), singular_threshold 1e-13: exact solves on both sides.
//
// Fails where, with 5 or 6 rows, our median or 99th percentile is not ten times better than KDL's.
// Arguments: oracle/arguments.hpp.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "loaded.hpp"
#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/kdl_oracle.hpp"
#include "oracle/layout.hpp"

using namespace oracle;

namespace {

struct Errors {
  std::vector<double> of;
  void add(double error) { of.push_back(error); }
  void sort() { std::sort(of.begin(), of.end()); }
  double median() const { return of[of.size() / 2]; }
  double percentile_99() const { return of[of.size() * 99 / 100]; }
  double worst() const { return of.back(); }
};

// A robot with the first `rows` of lin x y z, ang x y z at its tip, in the formulation that the
// generator chooses or in the one that is named. False where it fails.
bool run(const Arguments &arguments, const std::string &name, const std::string &tip, int rows,
         const std::string &formulation = "") {
  LayoutSpec spec;
  spec.name = name;
  spec.gravity_input = false;
  spec.gravity = {0, 0, real(-9.81)};
  spec.threshold = 1e-13;
  GroupSpec group;
  group.name = "tool";
  group.frame = tip;
  if (rows == 1) group.rows = {"lin_z"};
  group.rows.resize(size_t(rows));
  spec.groups = {group};
  const Robot robot = read_urdf(arguments.robots + "/" + name + ".urdf");
  const TemporaryFolder folder;
  const bench::Emitted emitted(
      {arguments.achdgen, arguments.robots + "/" + name + ".urdf", lua(spec),
       "--snap 0" + (formulation.empty() ? "" : " --formulation " + formulation)},
      name, "achd", folder.path + "/" + name);
  bench::Loaded program(emitted, "cc -O2", "0");
  std::vector<size_t> qdd;
  for (const Dof &dof : robot.dofs)
    for (size_t k = 0; k < emitted.columns.out.size(); k++)
      if (emitted.columns.out[k].name == "qdd." + identifier(dof.name)) qdd.push_back(k);

  Random random(7000);
  Errors ours, kdl;
  for (int done = 0; done < arguments.states;) {
    std::vector<Sample> samples;
    Table in;
    for (; samples.size() < 1000 && done < arguments.states; done++) {
      samples.push_back(random_sample(robot, spec, random, {}));
      samples.back().state.gravity = spec.gravity;
      const auto values = input_columns(robot, spec, samples.back());
      in.emplace_back();
      for (const Column &column : emitted.columns.in) in.back().push_back(values.at(column.name));
    }
    program.load(in);
    for (size_t i = 0; i < samples.size(); i++) {
      const Motion at = motion(robot, samples[i].state);
      Problem problem = problem_of(robot, spec, at, samples[i]);
      problem.policy = Policy::exact;
      const Vec expected = solve(robot, at, problem).vdot;
      const std::vector<double> out = program.result(i);
      Eigen::VectorXd got(robot.nd());
      for (int k = 0; k < robot.nd(); k++) got[k] = out[qdd[size_t(k)]];
      ours.add(relative(got, expected));
      kdl.add(relative(kdl_solve(robot, samples[i].state, problem, robot.link(tip)).qdd, expected));
    }
  }
  ours.sort();
  kdl.sort();
  const double by_median = kdl.median() / ours.median();
  const double by_99 = kdl.percentile_99() / ours.percentile_99();
  const bool good = rows < 5 || (by_median >= 10 && by_99 >= 10);
  const std::string title = name + (formulation.empty() ? "" : " by " + formulation);
  std::printf("%s,%d,%d,%.1e,%.1e,%.1e,%.1e,%.1e,%.1e,%.1f,%.1f,%.1f%s\n", title.c_str(), rows,
              arguments.states, ours.median(), ours.percentile_99(), ours.worst(), kdl.median(),
              kdl.percentile_99(), kdl.worst(), by_median, by_99, kdl.worst() / ours.worst(),
              good ? "" : "  FAILED");
  std::fflush(stdout);
  return good;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 2000);
  std::printf("# relative error of qdd against the KKT system in long double\n"
              "robot,rows,states,median,p99,worst,kdl_median,kdl_p99,kdl_worst,"
              "ratio_median,ratio_p99,ratio_worst\n");
  bool good = true;
  try {
    for (const int rows : {1, 5, 6}) good &= run(arguments, "gen3", "tool_frame", rows);
    good &= run(arguments, "gen3", "tool_frame", 1, "recursion");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    good = false;
  }
  return good ? 0 : 1;
}
