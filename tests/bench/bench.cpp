/* SPDX-License-Identifier: MIT */
// bench.cpp: nanoseconds per solve of what achdgen emits, beside KDL and MuJoCo on the same
// problems, as CSV: name,robot,rows,ns_min,ns_median,ratio,operations,code_bytes
//
//   --achdgen PROGRAM     the generator
//   --robots DIR          URDFs
//   --folder DIR          where layouts, headers and objects go; they stay
//   --only TEXT           groups whose title ("gen3 achd 6") begins with it
//   --compiler "CC FLAGS" how to compile what is emitted; may be given several times
//   --repetitions N       of each batch; default 21
//   --states N            in a batch; default 1024: wide vectors take microseconds to wake
//   --core N              to run on; default: the last one allowed
//
// A batch solves every state once, one after another. In a repetition each contestant has one
// batch, in turn: ours, theirs, ours, ..., after one without a clock that fills the caches. Time is
// the thread's processor time: what a neighbour takes of the core is not in it. Before the clock
// starts, contestants must agree on the results.
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <stdexcept>

#include "loaded.hpp"
#include "opponents.hpp"
#include "oracle/layout.hpp"
#include "oracle/random_robot.hpp"

using namespace bench;

namespace {

struct Arguments {
  std::string achdgen, robots = ACHD_SOURCE_DIR "/robots", folder = ".", only;
  std::vector<std::string> compilers, vector_compilers; // the latter: of batches
  int repetitions = 21, states = 1024, core = -1;
};

// What the processor says of itself: the first line that begins with `key`.
std::string cpuinfo(const std::string &key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, key.size(), key) == 0) return line.substr(line.find(':') + 1);
  return " unknown";
}

Arguments parse(int argc, char **argv) {
  Arguments out;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--achdgen")
      out.achdgen = value;
    else if (word == "--robots")
      out.robots = value;
    else if (word == "--folder")
      out.folder = value;
    else if (word == "--only")
      out.only = value;
    else if (word == "--compiler")
      out.compilers.push_back(value);
    else if (word == "--repetitions")
      out.repetitions = std::atoi(value.c_str());
    else if (word == "--states")
      out.states = std::atoi(value.c_str());
    else if (word == "--core")
      out.core = std::atoi(value.c_str());
    else
      throw std::runtime_error("what is " + word + "?");
  }
  if (out.repetitions < 1 || out.states < 1) throw std::runtime_error("nothing to measure");
  out.vector_compilers = out.compilers;
  if (!out.compilers.empty()) return out;
  const bool avx2 = cpuinfo("flags").find(" avx2 ") != std::string::npos;
  for (const std::string compiler : {"gcc", "clang"})
    if (oracle::run_command("command -v " + compiler) == 0) {
      for (const char *flags : {" -O2", " -O3 -march=native"})
        out.compilers.push_back(compiler + flags);
      out.vector_compilers.push_back(compiler + (avx2 ? " -O3 -mavx2 -mfma" : " -O3"));
    }
  return out;
}

// ---------------------------------------------------------------- where it runs

std::string line_of(const std::string &command) {
  std::string out;
  oracle::run_command(command, &out);
  return out.substr(0, out.find('\n'));
}

// Keeps this thread on one core as long as it lives.
class Pinned {
public:
  explicit Pinned(int core) {
    sched_getaffinity(0, sizeof before, &before);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(size_t(core), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
      throw std::runtime_error("cannot run on core " + std::to_string(core));
  }
  ~Pinned() { sched_setaffinity(0, sizeof before, &before); }
  Pinned(const Pinned &) = delete;
  Pinned &operator=(const Pinned &) = delete;

private:
  cpu_set_t before;
};

int last_core() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  for (int i = CPU_SETSIZE - 1; i > 0; i--)
    if (CPU_ISSET(size_t(i), &set)) return i;
  return 0;
}

void introduce(const Arguments &arguments) {
  std::printf("# processor:%s, core %d\n", cpuinfo("model name").c_str(), arguments.core);
  std::printf("# achdgen: %s\n",
              line_of(oracle::shell_quoted(arguments.achdgen) + " --version").c_str());
  for (const auto *list : {&arguments.compilers, &arguments.vector_compilers})
    for (const std::string &c : *list)
      std::printf("# ours%s: %s  (%s)\n", list == &arguments.compilers ? "" : ", batch", c.c_str(),
                  line_of(c.substr(0, c.find(' ')) + " --version").c_str());
  std::printf(
      "# KDL %s, MuJoCo %s: shared libraries as packaged, for any x86-64; packages: %s\n",
      kdl_version().c_str(), mujoco_version().c_str(),
      line_of("dpkg-query -W -f '${Package} ${Version}; ' 'liborocos-kdl1*' 'libmujoco[0-9]*'")
          .c_str());
  std::printf("# the calls into them: %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  std::printf(
      "# %d repetitions in turn, a batch of %d random states each, caches warm; processor time "
      "of the thread\n",
      arguments.repetitions, arguments.states);
  std::printf("# ours: angles snapped, no armature; achd: constant gravity, rows along the base's "
              "axes, outputs qdd nu tau_ctrl; achd default: the default layout (gravity and masks "
              "are inputs, pivot_min too); achd batch 4: the same as achd over 4 states at a time, "
              "nanoseconds per state\n");
  std::printf("# ratio: KDL's median, of trees MuJoCo's, over this line's; operations: + - * / as "
              "--inspect "
              "counts them; code_bytes: of the functions, constants not in it\n");
  std::printf("name,robot,rows,ns_min,ns_median,ratio,operations,code_bytes\n");
}

// ---------------------------------------------------------------- problems

const char *const row_names[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

struct Machine { // a robot and what happens to it
  std::string name, urdf, tip;
  oracle::Robot robot;
  std::vector<Input> inputs;
  std::vector<std::map<std::string, double>> columns; // of a tree: every input, by state
};

Machine machine(const std::string &name, const std::string &tip, const Arguments &arguments) {
  Machine out{name, arguments.robots + "/" + name + ".urdf", tip, {}, {}, {}};
  out.robot = oracle::read_urdf(out.urdf);
  oracle::Random random(20);
  for (int i = 0; i < arguments.states; i++) {
    Input input{oracle::random_state(out.robot, random), {}, {}, {}, std::vector<double>(6, 1)};
    input.state.gravity = {0, 0, oracle::real(-9.81)}; // the double that the layout says
    input.qdd.resize(out.robot.nd());
    input.tau.resize(out.robot.nd());
    for (int k = 0; k < out.robot.nd(); k++) {
      input.qdd[k] = random.uniform(-5, 5);
      input.tau[k] = random.uniform(-10, 10);
    }
    for (int k = 0; k < 6; k++) input.b.push_back(random.uniform(-5, 5));
    out.inputs.push_back(input);
  }
  return out;
}

// `outputs`: Lua, what is put out beside or instead of the solve's.
std::string layout(const Machine &machine, const std::vector<int> &rows,
                   const std::string &outputs = "\"qdd\", \"nu\", \"tau_ctrl\"") {
  std::string names;
  for (const int row : rows) names += std::string("\"") + row_names[row] + "\", ";
  const std::string group = rows.empty() ? ""
                                         : "{ name = \"tool\", frame = \"" + machine.tip +
                                               "\", axes = \"base\", rows = { " + names + "} }";
  return "return {\n  name = \"" + machine.name + "\",\n  gravity = { 0, 0, -9.81 },\n" +
         "  groups = { " + group + " },\n" + "  outputs = { " + outputs + " },\n}\n";
}

// The default layout, with the name and the tip said.
std::string layout_default(const Machine &machine) {
  return "return {\n  name = \"" + machine.name +
         "\",\n  groups = { { name = \"tool\", frame = \"" + machine.tip +
         "\", maskable = true } },\n}\n";
}

// A state's inputs, by the names of their columns.
std::map<std::string, double> by_column(const Machine &machine, const Input &input,
                                        const std::vector<int> &rows) {
  std::map<std::string, double> by_name;
  for (int k = 0; k < machine.robot.nd(); k++) {
    const std::string joint = oracle::identifier(machine.robot.dofs[size_t(k)].name);
    by_name["q." + joint] = double(input.state.q[k]);
    by_name["qd." + joint] = double(input.state.qd[k]);
    by_name["qdd." + joint] = input.qdd[k];
    by_name["tau." + joint] = input.tau[k];
  }
  for (size_t k = 0; k < rows.size(); k++) {
    by_name[std::string("b.tool.") + row_names[rows[k]]] = input.b[k];
    by_name[std::string("mask.tool.") + row_names[rows[k]]] = input.mask[k];
  }
  for (int i = 0; i < 3; i++)
    by_name[std::string("gravity.") + "xyz"[i]] = double(input.state.gravity[i]);
  return by_name;
}

// State i in the order of the columns.
std::vector<double> arranged(const Machine &machine, size_t i, const std::vector<int> &rows,
                             const oracle::Columns &columns) {
  const std::map<std::string, double> by_name =
      machine.columns.empty() ? by_column(machine, machine.inputs[i], rows) : machine.columns[i];
  std::vector<double> out;
  for (const oracle::Column &column : columns.in) {
    const auto found = by_name.find(column.name);
    if (found == by_name.end()) throw std::runtime_error("bench: what is " + column.name + "?");
    out.push_back(found->second);
  }
  return out;
}

// ---------------------------------------------------------------- measuring

struct Contestant {
  std::string name;
  int operations; // 0: not known
  long bytes;
  std::function<double()> batch;
  std::function<std::vector<double>(size_t)> result;
  std::vector<double> ns;
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}

volatile double consumed;

class Group {
public:
  Group(const Machine &of, const std::string &function, int row_count, const Arguments &how)
      : arguments(how), machine(of), rows(size_t(row_count)) {
    for (int k = 0; k < row_count; k++) rows[size_t(k)] = row_count == 1 ? 2 : k;
    title = machine.name + " " + function + (row_count > 0 ? " " + std::to_string(row_count) : "");
  }

  bool wanted() const { return title.compare(0, arguments.only.size(), arguments.only) == 0; }

  // Emitted function under each of the compilers; `prefix`: of the outputs that are compared.
  // `at_once`: more than 1: of so many states at a time.
  void ours(const std::string &label, const std::string &function, const std::string &layout_text,
            const std::string &prefix, int at_once = 1, const std::string &flags = "") {
    std::string stem = arguments.folder + "/" + title + " " + label;
    std::replace(stem.begin() + long(arguments.folder.size()) + 1, stem.end(), ' ', '_');
    const Emitted emitted({arguments.achdgen, machine.urdf, layout_text, flags}, machine.name,
                          function, stem, at_once);
    std::vector<std::future<std::shared_ptr<Loaded>>> compiled;
    for (size_t i = 0; i < arguments.compilers.size(); i++)
      compiled.push_back(std::async(std::launch::async, [&, i] {
        return std::make_shared<Loaded>(emitted, arguments.compilers[i], std::to_string(i));
      }));
    oracle::Table in;
    for (size_t i = 0; i < machine.inputs.size(); i++)
      in.push_back(arranged(machine, i, rows, emitted.columns));
    for (size_t i = 0; i < compiled.size(); i++) {
      const std::shared_ptr<Loaded> loaded = compiled[i].get();
      loaded->load(in);
      const auto result = [loaded, prefix](size_t state) {
        const std::vector<double> all = loaded->result(state);
        std::vector<double> out;
        for (size_t k = 0; k < all.size(); k++)
          if (loaded->columns().out[k].name.compare(0, prefix.size(), prefix) == 0)
            out.push_back(all[k]);
        return out;
      };
      our.push_back({label + " " + arguments.compilers[i],
                     emitted.operations,
                     loaded->code_bytes(),
                     [loaded] { return loaded->batch(); },
                     result,
                     {}});
    }
  }

  void theirs(const Opponent &opponent) {
    their.push_back({opponent.name, 0, 0, opponent.batch, opponent.result, {}});
  }

  // What all results are to agree with; default: the first library's.
  void reference(std::function<std::vector<double>(size_t)> right) { wanted_result = right; }

  // Prints the lines; false where results do not agree.
  bool run() {
    if (!wanted_result) {
      wanted_result = their[0].result;
      for (Contestant &c : their) judged.push_back(&c);
    }
    for (Contestant &c : our) judged.push_back(&c);
    const bool good = agree();
    {
      const Pinned pinned(arguments.core);
      for (int repetition = 0; repetition < arguments.repetitions; repetition++)
        for (Contestant &mine : our) {
          measure(mine);
          for (Contestant &other : their) measure(other);
        }
    }
    const double first = median(their[0].ns);
    for (const Contestant *c : all()) {
      std::printf("%s,%s,%zu,%.1f,%.1f,%.2f,", c->name.c_str(), machine.name.c_str(), rows.size(),
                  *std::min_element(c->ns.begin(), c->ns.end()), median(c->ns),
                  first / median(c->ns));
      if (c->operations > 0)
        std::printf("%d,%ld\n", c->operations, c->bytes);
      else
        std::printf(",\n");
    }
    std::fflush(stdout);
    return good;
  }

  // Of contestants called A.. and B.. under the same compiler: how much faster the second is.
  void compare(const std::string &a, const std::string &b) const {
    for (const Contestant &mine : our)
      for (const Contestant &other : our)
        if (mine.name.compare(0, a.size() + 1, a + " ") == 0 &&
            other.name == b + mine.name.substr(a.size()))
          std::printf("# %s, %zu rows: %s is %.2f times as fast per state as %s\n",
                      machine.name.c_str(), rows.size(), other.name.c_str(),
                      median(mine.ns) / median(other.ns), mine.name.c_str());
  }

  const std::vector<int> &row_list() const { return rows; }

private:
  std::vector<Contestant *> all() {
    std::vector<Contestant *> out;
    for (Contestant &c : our) out.push_back(&c);
    for (Contestant &c : their) out.push_back(&c);
    return out;
  }

  // One batch to fill the caches, one by the clock.
  void measure(Contestant &c) {
    consumed = consumed + c.batch();
    const double start = now();
    consumed = consumed + c.batch();
    c.ns.push_back((now() - start) / double(machine.inputs.size()));
  }

  // Median over the states of the relative difference: angles are snapped, so some 1e-5.
  bool agree() {
    bool good = true;
    for (const Contestant *c : judged) {
      std::vector<double> differences;
      for (size_t i = 0; i < machine.inputs.size(); i++) {
        const std::vector<double> mine = c->result(i), right = wanted_result(i);
        if (mine.size() != right.size())
          throw std::runtime_error(title + ": results of other sizes");
        double difference = 0, largest = 1e-3;
        for (size_t k = 0; k < mine.size(); k++) {
          difference = std::max(difference, std::abs(mine[k] - right[k]));
          largest = std::max(largest, std::abs(right[k]));
        }
        differences.push_back(difference / largest);
      }
      if (median(differences) < 1e-3) continue;
      std::printf("# DISAGREES: %s: %s is off by %.1e of the right result\n", title.c_str(),
                  c->name.c_str(), median(differences));
      good = false;
    }
    return good;
  }

  const Arguments &arguments;
  const Machine &machine;
  std::vector<int> rows;
  std::string title;
  std::vector<Contestant> our, their; // their[0]: KDL; of trees MuJoCo
  std::vector<const Contestant *> judged;
  std::function<std::vector<double>(size_t)> wanted_result;
};

bool run(const Machine &m, const Arguments &arguments) {
  const int tip = m.robot.link(m.tip);
  bool good = true;
  for (const int rows : {0, 1, 5, 6}) {
    if (rows > m.robot.nd()) continue; // no robot can meet them
    Group group(m, "achd", rows, arguments);
    if (!group.wanted()) continue;
    group.ours("achd", "achd", layout(m, group.row_list()), "qdd.");
    if (rows == 6) {
      group.ours("achd default", "achd", layout_default(m), "qdd.");
      group.ours("achd branchless", "achd", layout(m, group.row_list()), "qdd.", 1, "--branchless");
    }
    if (rows == 0) {
      std::vector<Input> free = m.inputs;
      for (Input &input : free) input.tau.setZero();
      group.theirs(kdl_forward(m.robot, tip, free));
    } else
      group.theirs(kdl_constrained(m.robot, tip, group.row_list(), m.inputs));
    good &= group.run();
  }
  Arguments for_vectors = arguments;
  for_vectors.compilers = arguments.vector_compilers;
  const int most = std::min(m.robot.nd(), 6);
  if (Group group(m, "batch", most, for_vectors); group.wanted()) {
    group.ours("achd", "achd", layout(m, group.row_list()), "qdd.");
    group.ours("achd batch 4", "achd", layout(m, group.row_list()), "qdd.", 4);
    group.theirs(kdl_constrained(m.robot, tip, group.row_list(), m.inputs));
    good &= group.run();
    group.compare("achd", "achd batch 4");
  }
  const std::string free = layout(m, {});
  if (Group group(m, "fd", 0, arguments); group.wanted()) {
    group.ours("fd", "fd", free, "qdd.");
    group.theirs(kdl_forward(m.robot, tip, m.inputs));
    group.theirs(mujoco_forward(m.robot, m.inputs));
    good &= group.run();
  }
  if (Group group(m, "id", 0, arguments); group.wanted()) {
    group.ours("id", "id", free, "tau.");
    group.theirs(kdl_inverse(m.robot, tip, m.inputs));
    group.theirs(mujoco_inverse(m.robot, m.inputs));
    good &= group.run();
  }
  if (Group group(m, "fk", 0, arguments); group.wanted()) {
    group.ours("fk", "fk", layout(m, {}, "pose = { \"" + m.tip + "\" }"), "pose.");
    group.theirs(kdl_pose(m.robot, tip, m.inputs));
    good &= group.run();
  }
  return good;
}

// ---------------------------------------------------------------- trees

// A robot whose base floats, with rows that the environment holds at `frames`.
bool run_tree(const std::string &name, const std::string &urdf, const oracle::GroupSpec &rows,
              const std::vector<std::string> &frames, const Arguments &arguments) {
  oracle::LayoutSpec spec;
  spec.name = name;
  spec.selection.base = oracle::Base::floating;
  spec.gravity_input = false;
  spec.gravity = {0, 0, oracle::real(-9.81)};
  spec.tau_art = true;
  spec.threshold = 0;
  spec.outputs = {"qdd", "nu", "tau_ctrl"};
  const std::string free = oracle::lua(spec);
  for (const std::string &frame : frames) {
    spec.groups.push_back(rows);
    spec.groups.back().name = spec.groups.back().frame = frame;
  }
  Machine m{name, urdf, "", oracle::read_urdf(urdf, spec.selection), {}, {}};
  oracle::Random random(20);
  std::vector<oracle::Sample> samples;
  for (int i = 0; i < arguments.states; i++) {
    samples.push_back(oracle::random_sample(m.robot, spec, random, {}));
    const oracle::Sample &sample = samples.back();
    m.inputs.push_back({sample.state, {}, sample.tau_art.cast<double>(), {}, {}});
    m.columns.push_back(oracle::input_columns(m.robot, spec, sample));
    for (int k = 0; k < m.robot.nd(); k++)
      m.columns.back()["tau." + oracle::identifier(m.robot.dofs[size_t(k)].name)] =
          m.inputs.back().tau[k];
  }
  bool good = true;
  if (Group group(m, "fd", 0, arguments); group.wanted()) {
    group.ours("fd", "fd", free, "qdd.");
    group.theirs(mujoco_forward(m.robot, m.inputs));
    good &= group.run();
  }
  // MuJoCo's is still the forward dynamics without rows: what it takes, not what it gives.
  if (Group group(m, "achd", int(frames.size()) * rows.size(), arguments); group.wanted()) {
    group.ours("achd", "achd", oracle::lua(spec), "qdd.");
    group.theirs(mujoco_forward(m.robot, m.inputs));
    group.reference([&](size_t i) {
      const oracle::Motion at = oracle::motion(m.robot, samples[i].state);
      const oracle::Problem problem = oracle::problem_of(m.robot, spec, at, samples[i]);
      const oracle::Vec vdot = oracle::solve(m.robot, at, problem).vdot;
      std::vector<double> qdd;
      for (int k = m.robot.nb(); k < m.robot.nv(); k++) qdd.push_back(double(vdot[k]));
      return qdd;
    });
    good &= group.run();
  }
  return good;
}

bool run_trees(const Arguments &arguments) {
  oracle::GroupSpec point;
  point.rows = {"lin_x", "lin_y", "lin_z"};
  point.physical = true;
  oracle::GroupSpec flat;
  flat.physical = true;
  bool good = run_tree("quadruped", arguments.robots + "/quadruped.urdf", point,
                       {"fl_foot", "fr_foot", "rl_foot", "rr_foot"}, arguments);
  oracle::Random random(1);
  const std::string humanoid = arguments.folder + "/humanoid.urdf";
  std::ofstream(humanoid) << oracle::humanoid_urdf(random);
  good &= run_tree("humanoid", humanoid, flat, {"left_foot", "right_foot"}, arguments);
  return good;
}

} // namespace

int main(int argc, char **argv) {
  try {
    Arguments arguments = parse(argc, argv);
    if (arguments.core < 0) arguments.core = last_core();
    std::filesystem::create_directories(arguments.folder);
    introduce(arguments);
    bool good = true;
    for (const auto &robot :
         {std::pair("gen3", "tool_frame"), std::pair("lwr4", "lwr_7_link"),
          std::pair("youbot_arm", "gripper_palm_link"), std::pair("iiwa7", "iiwa_link_ee")})
      good &= run(machine(robot.first, robot.second, arguments), arguments);
    good &= run_trees(arguments);
    return good ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
