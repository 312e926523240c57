/* SPDX-License-Identifier: MIT */
// achd_reference_test.cpp: generated programs against reference vectors that another implementation
// made: under the layout that each vector needs, one program for all that need the same. Without
// the vectors there is nothing to do.
#include <cstring>
#include <map>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/reference.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

// Reference vectors as layouts of their own: a group per constrained link, columns that are unit
// vectors as named rows, others as free directions.
LayoutSpec reference_layout(const ReferenceSet &set, const ReferenceRecord &record,
                            Sample &sample) {
  LayoutSpec spec;
  spec.name = identifier(set.robot_name);
  spec.selection.base = set.robot.base;
  spec.armature_input = spec.tau_art = spec.tau_phys = true;
  const bool full_rank = record.rank == int(record.problem.rows.size());
  spec.singularity = full_rank ? Policy::damp : Policy::truncate;
  spec.threshold = full_rank ? 1e-13 : 1e-10;
  spec.outputs = {"qdd", "nu"};
  sample.state = record.state;
  sample.tau_art = record.problem.tau_art;
  sample.tau_phys = record.mu.size() ? record.mu : Vec(Vec::Zero(set.robot.nd())); // of friction
  for (const Wrench &w : record.problem.wrenches) {
    spec.wrenches.push_back(
        {"w" + std::to_string(spec.wrenches.size()), set.robot.links[w.link].name, w.artificial});
    sample.wrenches.push_back(w.f);
  }
  const char *const words[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  const auto &rows = record.problem.rows;
  for (size_t first = 0; first < rows.size();) {
    size_t last = first;
    bool unit = true;
    while (last < rows.size() && rows[last].link == rows[first].link) {
      unit = unit && rows[last].a.cwiseAbs().sum() == 1 && rows[last].a.maxCoeff() == 1;
      last++;
    }
    GroupSpec group;
    group.name = "g" + std::to_string(spec.groups.size());
    group.frame = set.robot.links[rows[first].link].name;
    group.classical = record.index % 2 == 0;
    group.rows.clear();
    group.free = unit ? 0 : int(last - first);
    Vec b(int(last - first));
    std::vector<Vec6> dirs;
    for (size_t k = first; k < last; k++) {
      b[int(k - first)] = group.classical ? rows[k].b : record.b_spatial[k];
      dirs.push_back(rows[k].a);
      if (!unit) continue;
      int at = 0;
      rows[k].a.maxCoeff(&at);
      group.rows.push_back(words[at]);
    }
    spec.groups.push_back(group);
    sample.b.push_back(b);
    sample.mask.push_back(std::vector<int>(last - first, 1));
    sample.axes.push_back(Mat3::Identity());
    sample.dirs.push_back(dirs);
    first = last;
  }
  return spec;
}

// A vector as a state of a program; vectors whose layouts are the same share one.
struct Posed {
  const ReferenceRecord *record;
  LayoutSpec spec;
  Sample sample;
};

void judge(const Evaluator &program, const std::vector<double> &got, const ReferenceSet &set,
           const Posed &posed, Comparison &out) {
  const ReferenceRecord &record = *posed.record;
  const ColumnNames names = names_of(set.robot, posed.spec);
  char where[80];
  std::snprintf(where, sizeof where, "%s %d cond %.1e", record.kind.c_str(), record.index,
                double(record.cond));
  // What truncation leaves has condition up to 1e10, and the eigenvectors it cuts turn by 1e-16
  // of it: judged like the rest.
  const double tolerance = tolerance_of(record.cond);
  out.add(
      record.kind + ": qdd",
      relative(picked(program, got, "qdd.", names.joints), Vec(record.vdot.tail(set.robot.nd()))),
      tolerance, where);
  if (set.robot.nb() > 0)
    out.add(record.kind + ": base.acc",
            relative(picked(program, got, "base.acc.",
                            {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}),
                     Vec(record.vdot.head(6))),
            tolerance, where);
  out.add(record.kind + ": nu", relative(picked(program, got, "nu.", names.rows), record.nu),
          tolerance, where);
}

// One set of a file; returns the number of what is wrong.
int run_set(const Arguments &arguments, const std::string &name, const ReferenceSet &set) {
  Comparison out("Reference vectors of " + name + ": " + set.robot_name);
  int rounding = 0;
  size_t ran = 0, refused = 0;
  std::map<std::string, std::vector<Posed>> by_layout;
  for (const ReferenceRecord &record : set.records) {
    if (record.rank > 0 && record.L.cwiseAbs().maxCoeff() < 1e-25L) {
      rounding++;
      continue;
    }
    Sample sample;
    const LayoutSpec spec = reference_layout(set, record, sample);
    by_layout[lua(spec)].push_back({&record, spec, sample});
  }
  InSample in_sample(arguments,
                     by_layout.size() > 30 ? 3 : 1); // a layout takes two runs of achdgen
  for (const auto &[layout, all] : by_layout) {
    if (!in_sample()) continue;
    try {
      Evaluator program({arguments.achdgen, set.path, layout, "--snap 0"});
      Table in;
      for (const Posed &posed : all)
        in.push_back(program.arrange(input_columns(set.robot, posed.spec, posed.sample)));
      const Table got = program.run(in);
      for (size_t k = 0; k < all.size(); k++) judge(program, got[k], set, all[k], out);
      ran += all.size();
    } catch (const std::exception &error) {
      std::printf("  BAD %s %d, and %zu of the same layout: %s\n", all[0].record->kind.c_str(),
                  all[0].record->index, all.size() - 1, error.what());
      refused += all.size();
    }
  }
  const int bad = out.print() + int(refused) + (ran == 0);
  std::printf("  %zu of %zu ran, %s of the layouts; %d where L is rounding alone were left out; "
              "%zu refused\n",
              ran, set.records.size(), in_sample.said().c_str(), rounding, refused);
  return bad;
}

int run_reference(const Arguments &arguments, const std::string &name, InSample &in_sample,
                  int &found) {
  int bad = 0;
  const auto sets = read_reference(arguments.reference + "/" + name + ".jsonl",
                                   {arguments.robots, arguments.reference + "/../robots"}, nullptr);
  if (sets.empty()) std::printf("left out: reference %s, not there\n", name.c_str());
  found += int(sets.size());
  for (const ReferenceSet &set : sets)
    if (in_sample()) bad += run_set(arguments, name, set);
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 0);
  int bad = 0, found = 0;
  InSample in_sample(arguments, 5);
  for (const char *name : {"gen3", "arm1dof", "friction", "table41_base", "youbot_base"})
    if (std::strstr(name, arguments.only.c_str()))
      bad += run_reference(arguments, name, in_sample, found);
  if (found == 0) return nothing_to_test("no reference vectors in " + arguments.reference);
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
