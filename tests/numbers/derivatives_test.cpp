/* SPDX-License-Identifier: MIT */
// derivatives_test.cpp: did, dfd and dachd on fixed, planar and floating bases, on trees, mimicking
// and sliding joints, closed loops and random robots, under layouts of all kinds of rows, against
// differences in long double of dense equations of motion that share no code with the generator
// (central ones, by positions extrapolated twice: Richardson), every output to 1e-8; and inverse
// dynamics against differences of MuJoCo's. Where damping or cuts act the derivative is not the
// function's: left out, and counted. Float is held against double, in roundings as the problem magnifies
// them (oracle/blur.hpp), and with --run both the compiled code as well, which has the bits of --eval.
// Arguments: oracle/arguments.hpp; with ACHD_SWEEP=1 500 states each of the shipped robots, 20 of the
// others, and all of them compiled.
#include <memory>
#include <set>

#include "oracle/arguments.hpp"
#include "oracle/blur.hpp"
#include "oracle/judge.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

// Relative to the largest element of a matrix. Rows close to dependent magnify rounding.
const double tolerance = 1e-8;
const double no_bit = 1e-300; // apart
// Of float: so many roundings, each as large as the problem makes it.
const double single_tolerance = 32;
const real rounding = 0x1p-24L;
const int draws = 2;
const real least_pivot = 1e-3L; // of the states that are judged; of M relative to its diagonal

struct Case {
  std::string title, urdf;
  bool shipped = false;
  LayoutSpec layout;
  SampleRange range;
};

std::string slurp(const std::string &path) {
  std::string out;
  if (FILE *file = std::fopen(path.c_str(), "r")) {
    for (int c; (c = std::fgetc(file)) != EOF;) out += char(c);
    std::fclose(file);
  }
  return out;
}

int joints_to(const Robot &robot, int link) {
  int count = 0;
  for (; link >= 0; link = robot.links[size_t(link)].parent)
    count += robot.links[size_t(link)].joint.type != JointType::fixed;
  return count;
}

// The links by how many joints move them, most first.
std::vector<std::string> by_depth(const Robot &robot) {
  std::vector<int> order(robot.links.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = int(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return joints_to(robot, a) > joints_to(robot, b); });
  std::vector<std::string> names;
  for (int i : order) names.push_back(robot.links[size_t(i)].name);
  return names;
}

GroupSpec group_of(const std::string &name, const std::string &frame,
                   const std::vector<std::string> &rows) {
  GroupSpec group;
  group.name = name;
  group.frame = frame;
  group.rows = rows;
  return group;
}

// Rows of many kinds, no more than the robot has freedoms, and what acts, by a number.
void furnish(Case &c, int number) {
  const Robot robot = parse_urdf(c.urdf, c.layout.selection);
  LayoutSpec &layout = c.layout;
  const std::vector<std::string> links = by_depth(robot);
  const std::string tip = links.front(), middle = links[links.size() / 3];
  int left = robot.nv() - 1;
  const auto put = [&](GroupSpec group) {
    if (group.size() > left) return;
    left -= group.size();
    group.name = "g" + std::to_string(layout.groups.size());
    layout.groups.push_back(group);
  };
  GroupSpec six = group_of("", tip, {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"});
  GroupSpec some = group_of("", tip, {"lin_y", "ang_x"});
  switch (number % 4) {
  case 0:
    six.physical = number % 8 == 4;
    put(six);
    if (!layout.groups.empty()) some.frame = links.back(); // not of what six rows hold
    some.axes = Axes::link;
    some.classical = false;
    put(some);
    break;
  case 1:
    some.axes = Axes::input;
    some.maskable = true;
    some.yields = number % 8 == 1;
    put(some);
    some.frame = middle;
    some.rows = {"lin_x", "lin_z"};
    some.physical = !some.yields;
    some.yields = false;
    put(some);
    break;
  case 2:
    six.axes = Axes::link;
    six.maskable = true;
    put(six);
    some.axes = Axes::base;
    some.frame = middle;
    some.classical = false;
    some.physical = true;
    put(some);
    break;
  default:
    some.free = 2;
    put(some);
    if (robot.nd() > 2) {
      GroupSpec joint;
      joint.joints = {robot.dofs[1].name};
      joint.maskable = true;
      put(joint);
    }
  }
  layout.name = "robot";
  layout.outputs = {"qdd", "nu", "tau_ctrl"};
  layout.tau_phys = number % 3 != 1;
  layout.tau_art = number % 3 != 2;
  layout.saturate = number % 5 == 3;
  for (const Dof &dof : robot.dofs)
    if (layout.saturate) layout.selection.effort[dof.name] = 15;
  if (robot.nd() > 3 && number % 4 == 1) layout.selection.passive = {robot.dofs[2].name};
  layout.singularity = number % 3 == 0   ? Policy::damp
                       : number % 3 == 1 ? Policy::drop
                                         : Policy::truncate;
  int held = 0;
  for (const GroupSpec &group : layout.groups) held += group.size();
  if (held > 6 && layout.singularity == Policy::truncate) layout.singularity = Policy::damp;
  layout.threshold = layout.singularity == Policy::truncate ? 1e-10 : 1e-6;
  layout.wrenches = {{"push", tip, false}, {"pull", middle, true}};
  if (number % 2) layout.wrenches.push_back({"on_base", robot.links[0].name, number % 4 == 1});
  layout.armature_input = number % 3 == 1;
  if (number % 3 == 2)
    for (const Dof &dof : robot.dofs) layout.armature[dof.name] = 0.1 + 0.05 * double(dof.link);
  if (number % 7 == 6) layout.gravity_input = false;
  if (number % 5 == 4 && robot.nd() > 0)
    layout.inertia_inputs = {robot.links[size_t(robot.dofs.back().link)].name};
  layout.matrix = robot.base == Base::floating && number % 2 == 0;
  c.range.state.armature = 0.6;
}

const char *base_name(Base base) {
  return base == Base::fixed ? "" : base == Base::planar ? ", planar" : ", floating";
}

std::vector<Case> cases(const Arguments &arguments) {
  std::vector<Case> all;
  const std::pair<const char *, Base> shipped[] = {
      {"gen3", Base::fixed},          {"iiwa7", Base::fixed},         {"lwr4", Base::fixed},
      {"youbot_arm", Base::fixed},    {"gen3_6dof", Base::fixed},     {"arm1dof", Base::fixed},
      {"two_arms", Base::fixed},      {"youbot", Base::planar},       {"gen3", Base::floating},
      {"quadruped", Base::floating},  {"gripper", Base::floating},    {"drone", Base::floating},
      {"panda", Base::fixed},         {"table41_base", Base::planar}, {"iiwa7", Base::planar},
      {"youbot_base", Base::floating}};
  for (const auto &[name, base] : shipped) {
    Case c;
    c.title = std::string(name) + base_name(base);
    c.urdf = slurp(arguments.robots + "/" + name + ".urdf");
    c.layout.selection.base = base;
    c.shipped = true;
    if (std::string(name) == "panda")
      c.layout.selection.locked = {{"panda_finger_joint1", 0.02}, {"panda_finger_joint2", 0.02}};
    all.push_back(c);
  }
  for (int seed = 1; seed <= 8; seed++) {
    Random random(uint64_t(3000 + seed));
    RobotShape shape;
    shape.joints = 4 + seed % 5;
    shape.prismatic = 0.4;
    shape.branch = seed >= 4 ? 0.5 : 0;
    shape.mimic = seed % 3 == 0;
    Case c;
    const Base base = seed < 4 ? Base::fixed : seed % 2 ? Base::planar : Base::floating;
    c.title = "random " + std::to_string(seed) + base_name(base);
    c.urdf = random_urdf(random, shape);
    c.layout.selection.base = base;
    all.push_back(c);
  }
  Case arms; // limbs that hang at a body which another limb moves
  arms.title = "two_arms, floating";
  arms.urdf = slurp(arguments.robots + "/two_arms.urdf");
  arms.layout.selection.base = Base::floating;
  arms.shipped = true;
  all.push_back(arms);
  for (size_t i = 0; i < all.size(); i++) furnish(all[i], int(i));
  // Closed loops: rows between two frames.
  for (int number = 0; number < 2; number++) {
    Case c;
    c.title = number ? "gripper, closed" : "four_bar";
    c.urdf = slurp(arguments.robots + (number ? "/gripper.urdf" : "/four_bar.urdf"));
    c.layout.selection.base = number ? Base::floating : Base::fixed;
    const std::vector<std::vector<std::string>> pins =
        number
            ? std::vector<std::vector<std::string>>{{"left_link_pin", "left_finger_pin", "lin_y"},
                                                    {"right_link_pin", "right_finger_pin", "lin_y"}}
            : std::vector<std::vector<std::string>>{{"rocker_pin", "coupler_pin", "lin_x"}};
    for (const auto &pin : pins) {
      GroupSpec tie =
          group_of("pin" + std::to_string(c.layout.groups.size()), pin[0], {pin[2], "lin_z"});
      tie.to = pin[1];
      tie.physical = c.layout.groups.empty();
      c.layout.groups.push_back(tie);
    }
    c.layout.outputs = {"qdd", "nu", "tau_ctrl"};
    c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.wrenches = {{"push", pins[0][1], true}};
    all.push_back(c);
  }
  return all;
}

// What compiles in a second or few; a sweep compiles all.
const std::set<std::string> short_code = {"arm1dof", "youbot_arm", "drone, floating", "four_bar"};

using Function = std::function<Values(const Sample &)>;

// What f does as the k-th column moves.
std::function<Values(real)> along(const Function &f, const Sample &sample, const By &by, int k) {
  return [&f, &sample, &by, k](real h) { return f(by.moved(sample, k, h)); };
}

struct Tally {
  Comparison out{"Derivatives against differences in long double"};
  int states = 0, left_out = 0;
};

// One program on a sample: every matrix that it has. free: the same without rows, or NULL. What
// rows take away of the accelerations that a wrench causes leaves its rounding, so where nearly all
// is taken away a matrix is judged relative to a thousandth of that.
void judge(const Program &program, const std::vector<double> &got, const std::string &function,
           const Function &f, const Function *free, const Sample &sample, const Robot &robot,
           const LayoutSpec &spec, double allowed, const std::string &where, Tally &tally) {
  const ColumnNames names = names_of(robot, spec);
  const std::vector<std::string> velocity = velocities(robot);
  const std::vector<std::string> joints(velocity.begin() + robot.nb(), velocity.end());
  const real far = spec.saturate ? 1e-3L : 1e3L; // not across the limit of a torque
  const std::map<std::string, std::vector<std::string>> rows = {
      {"tau", velocity}, {"qdd", velocity}, {"nu", names.rows}, {"tau_ctrl", joints}};
  for (const By &by : all_bys(robot, spec)) {
    const bool takes = by.name == "tau" ? function != "did" && (function == "dfd" || spec.tau_art)
                       : by.name == "tau_phys" ? function == "dachd" && spec.tau_phys
                       : by.name == "b"        ? function == "dachd"
                                               : true;
    bool artificial = false;
    for (const WrenchSpec &w : spec.wrenches) artificial |= w.name == by.name && w.artificial;
    if (!takes || (artificial && function != "dachd")) continue;
    std::vector<Values> columns;
    const Values unmoved = f(sample);
    real taken = 1; // away by rows
    for (size_t k = 0; k < by.columns.size(); k++) {
      columns.push_back(difference(along(f, sample, by, int(k)), unmoved, by.name, far));
      if (free && sample.wrenches.size() && by.columns[0] == "lin_x" && by.columns.size() == 6)
        taken = std::max(taken,
                         difference(along(*free, sample, by, int(k)), (*free)(sample), by.name, far)
                             .at("qdd")
                             .cwiseAbs()
                             .maxCoeff());
    }
    if (columns.empty()) continue;
    for (const auto &[of, first] : columns[0]) {
      const std::string name = "d" + of + "_d" + by.name;
      bool there = false;
      for (const Column &column : program.columns().out)
        there = there || column.name.compare(0, name.size() + 1, name + ".") == 0;
      const std::vector<std::string> &row = rows.at(of);
      if (row.empty()) continue;
      Mat expected(row.size(), by.columns.size()), told = expected;
      for (size_t i = 0; i < row.size(); i++)
        for (size_t k = 0; k < by.columns.size(); k++) {
          const int at = program.output(name + "." + row[i] + "." + by.columns[k]);
          expected(Eigen::Index(i), Eigen::Index(k)) = columns[k].at(of)[Eigen::Index(i)];
          told(Eigen::Index(i), Eigen::Index(k)) = at < 0 ? 0 : got[size_t(at)];
        }
      if (!there && expected.cwiseAbs().maxCoeff() > 1e-9L) {
        tally.out.add(function + " " + name, INFINITY, allowed, where + ": not there");
        continue;
      }
      tally.out.add(function + " " + name,
                    relative(told, expected, of == "qdd" ? taken * unit_floor : unit_floor),
                    allowed, where);
    }
  }
}

// first: of the links that wrenches act on (blur.hpp).
std::vector<Wrench> physical(const Robot &robot, const LayoutSpec &spec, const Sample &s,
                             int first = 0) {
  std::vector<Wrench> list;
  for (size_t k = 0; k < spec.wrenches.size(); k++)
    if (!spec.wrenches[k].artificial)
      list.push_back({first + robot.link(spec.wrenches[k].frame), s.wrenches[k], false});
  return list;
}

// h - J^T f of physical wrenches: M vdot and this are the forces.
Vec bias(const Robot &robot, const LayoutSpec &spec, const Sample &s, const Motion &at, int first) {
  Vec tau = at.h;
  for (const Wrench &w : physical(robot, spec, s, first))
    tau -= jacobian(at, w.link).transpose() * w.f;
  return tau;
}

// What did, dfd and dachd differentiate.
std::map<std::string, OfMotion> equations(const Robot &robot, const LayoutSpec &spec,
                                          const Vec &vdot) {
  return {{"did",
           [&, vdot](const Sample &s, const Motion &at, int wrenches) {
             return Values{{"tau", Vec(at.M * vdot + bias(robot, spec, s, at, wrenches))}};
           }},
          {"dfd",
           [&](const Sample &s, const Motion &at, int wrenches) {
             Vec tau = -bias(robot, spec, s, at, wrenches);
             tau.tail(robot.nd()) += s.tau_art;
             return Values{{"qdd", Vec(solve_spd(at.M, tau))}};
           }},
          {"dachd", [&](const Sample &s, const Motion &at, int wrenches) {
             Problem problem = problem_of(robot, spec, at, s);
             for (Wrench &w : problem.wrenches) w.link += wrenches;
             const Solution solution = solve(robot, at, problem);
             return Values{
                 {"qdd", solution.vdot}, {"nu", solution.nu}, {"tau_ctrl", solution.tau_ctrl}};
           }}};
}

// Does the branch that the solve takes stay the same near the state?
bool far_from_switches(const Robot &robot, const LayoutSpec &spec, const Expected &e) {
  if (e.solution.singular || e.solution.pivot_min < least_pivot || least_reach(e) < 1e-2L)
    return false;
  for (int i = 0; spec.saturate && i < robot.nd(); i++) {
    const real t = e.solution.tau_full[robot.nb() + i], limit = robot.dofs[size_t(i)].effort;
    if (std::abs(std::abs(t) - limit) < 0.05L * (1 + std::abs(t))) return false;
  }
  return true;
}

void add_bases(const Robot &robot, const Vec &vdot, std::map<std::string, double> &in) {
  const std::vector<std::string> names = velocities(robot);
  for (int i = 0; i < robot.nb(); i++)
    in["base.acc" + names[size_t(i)].substr(4)] = double(vdot[i]);
  for (int i = 0; i < robot.nd(); i++)
    in["qdd." + names[size_t(robot.nb() + i)]] = double(vdot[robot.nb() + i]);
}

// Derivatives of inverse dynamics by q and qd against MuJoCo's differences.
void judge_by_mujoco(Mujoco &mujoco, const Program &did, const std::vector<double> &got,
                     const Robot &robot, const LayoutSpec &spec, const Sample &sample,
                     const Vec &vdot, const std::string &where, Tally &tally) {
  const std::vector<std::string> names = velocities(robot);
  const double h = 1e-5;
  for (const By &by : all_bys(robot, spec)) {
    if (by.name != "q" && by.name != "qd") continue;
    Mat told(names.size(), names.size()), expected = told;
    for (int k = 0; k < int(names.size()); k++) {
      Eigen::VectorXd sides[2];
      for (int side = 0; side < 2; side++) {
        Sample s = by.moved(sample, k, side ? -h : h);
        if (robot.base == Base::floating) s.state.base_quat = quat_rotation(s.state.base_R);
        if (robot.base == Base::planar && by.name == "q" && k == 2)
          s.state.base_yaw += side ? -h : h;
        mujoco.set(s.state);
        sides[side] = mujoco.inverse(vdot.cast<double>(), physical(robot, spec, s));
      }
      for (int i = 0; i < int(names.size()); i++) {
        const int at =
            did.output("dtau_d" + by.name + "." + names[size_t(i)] + "." + names[size_t(k)]);
        told(i, k) = at < 0 ? 0 : got[size_t(at)];
        expected(i, k) = (sides[0][i] - sides[1][i]) / (2 * h);
      }
    }
    tally.out.add("did dtau_d" + by.name + ", MuJoCo", relative(told, expected), 1e-6, where);
  }
}

// How far two programs of a function are apart, by matrix, and the matrix' largest element.
std::map<std::string, std::pair<double, double>>
apart(const Program &program, const std::vector<double> &got, const std::vector<double> &expected) {
  std::map<std::string, std::pair<double, double>> matrices;
  const std::vector<Column> &columns = program.columns().out;
  for (size_t i = 0; i < columns.size(); i++) {
    const std::string name = columns[i].name.substr(0, columns[i].name.find('.'));
    if (name.find("_d") == std::string::npos && name != "M") continue;
    auto &[most, largest] = matrices[name];
    if (!(std::abs(got[i] - expected[i]) <= most)) most = std::abs(got[i] - expected[i]);
    largest = std::max(largest, std::abs(expected[i]));
  }
  return matrices;
}

// Compiled beside --eval: the same bits.
void judge_twin(const std::string &what, const Program &program, const std::vector<double> &got,
                const std::vector<double> &expected, const std::string &where, Tally &tally) {
  for (const auto &[name, size] : apart(program, got, expected))
    tally.out.add(what + " " + name, size.first, no_bit, where);
}

// Float beside double, in roundings as the problem magnifies them (blur.hpp).
void judge_float(const std::string &function, const Program &program,
                 const std::vector<double> &single, const std::vector<double> &rounded,
                 const OfMotion &f, const Sample &sample, const Robot &robot,
                 const LayoutSpec &spec, const std::string &where, Tally &tally) {
  const auto matrices = apart(program, single, rounded);
  const auto wanted = [&](const std::string &by) {
    for (const auto &[name, size] : matrices)
      if (name.size() > by.size() + 2 &&
          name.compare(name.size() - by.size() - 2, by.size() + 2, "_d" + by) == 0)
        return true;
    return false;
  };
  Random random(17);
  std::map<std::string, real> least = blur(robot, spec, sample, f, wanted, rounding, draws, random);
  for (const auto &[name, size] : matrices) {
    const double one = double(least[name]);
    tally.out.add("float " + function + " " + name, size.first > 0 ? size.first / one : 0,
                  single_tolerance, where);
  }
}

void run(const Case &c, const Arguments &arguments, const std::string &how, Tally &tally) {
  const Robot robot = parse_urdf(c.urdf, c.layout.selection);
  const LayoutSpec &spec = c.layout;
  const TemporaryFolder folder;
  const Generator generator{arguments.achdgen, folder.write("robot.urdf", c.urdf), lua(spec),
                            "--snap 0"};
  const std::vector<std::string> functions = {"did", "dfd", "dachd"};
  const int states = c.shipped ? arguments.states : std::min(arguments.states, 20);
  Functions programs =
      how == "c" ? compiled(generator, spec.name, functions) : evaluated(generator, functions);
  Random random(uint64_t(c.title.size() * 1000 + 7));
  std::unique_ptr<Mujoco> mujoco;
  if (spec.inertia_inputs.empty()) mujoco = std::make_unique<Mujoco>(robot);
  // all states first, so that each program runs once
  std::vector<Sample> samples;
  std::vector<Vec> accelerations;
  std::map<std::string, Table> in, out, in_single, single, rounded;
  for (int k = 0; k < states; k++) {
    Sample sample;
    Expected e;
    bool good = false;
    for (int trial = 0; trial < 20 && !good; trial++) {
      sample = random_sample(robot, spec, random, c.range);
      e = expect(robot, spec, sample);
      good = far_from_switches(robot, spec, e) && condition(e.at.M) < 1e6L;
      if (!good) tally.left_out++;
    }
    if (!good) continue;
    Vec vdot(robot.nv());
    for (int i = 0; i < robot.nv(); i++) vdot[i] = random.uniform(-4, 4);
    std::map<std::string, double> columns = input_columns(robot, spec, sample);
    add_bases(robot, vdot, columns);
    for (int i = 0; i < robot.nd(); i++)
      columns["tau." + identifier(robot.dofs[size_t(i)].name)] = double(sample.tau_art[i]);
    for (const std::string &f : functions) in[f].push_back(programs[f]->arrange(columns));
    for (auto &[name, x] : columns) x = double(float(x));
    for (const std::string &f : functions) in_single[f].push_back(programs[f]->arrange(columns));
    samples.push_back(sample);
    accelerations.push_back(vdot);
  }
  if (samples.empty()) throw std::runtime_error("no state to judge: all are close to a switch");
  Generator in_float = generator;
  in_float.flags += " --real float";
  const bool c_code = how == "c";
  const bool in_both = arguments.states > 1 || robot.nv() <= 9; // of long functions only in sweeps
  Functions floats = c_code ? compiled(in_float, spec.name + "f", functions)
                            : evaluated(in_float, functions),
            eval = evaluated(generator, functions), eval_float = evaluated(in_float, functions);
  for (const std::string &f : functions) {
    out[f] = programs[f]->run(in[f]);
    if (in_both) {
      single[f] = floats[f]->run(in_single[f]);
      rounded[f] = programs[f]->run(in_single[f]);
    }
    if (!c_code || !in_both) continue;
    const Table twice = eval[f]->run(in[f]), once = eval_float[f]->run(in_single[f]);
    for (size_t k = 0; k < samples.size(); k++) {
      const std::string where = c.title + ", state " + std::to_string(k);
      judge_twin("--eval " + f, *eval[f], twice[k], out[f][k], where, tally);
      judge_twin("--eval float " + f, *eval[f], once[k], single[f][k], where, tally);
    }
  }
  for (size_t k = 0; k < samples.size(); k++) {
    const Sample &sample = samples[k];
    const Vec &vdot = accelerations[k];
    tally.states++;
    const std::string where = c.title + ", state " + std::to_string(k);
    std::map<std::string, std::vector<double>> got;
    for (const std::string &f : functions) got[f] = out[f][k];

    std::map<std::string, Function> functions_of;
    for (const auto &[name, f] : equations(robot, spec, vdot)) {
      if (in_both)
        judge_float(name, *programs[name], single[name][k], rounded[name][k], f, sample, robot,
                    spec, where, tally);
      functions_of[name] = [&robot, f = f](const Sample &s) {
        return f(s, motion(robot, s.state), 0);
      };
    }
    const Function free = [&](const Sample &s) { // every wrench, without rows
      const Motion at = motion(robot, s.state);
      Vec f = Vec::Zero(robot.nv());
      for (size_t w = 0; w < spec.wrenches.size(); w++)
        f += jacobian(at, robot.link(spec.wrenches[w].frame)).transpose() * s.wrenches[w];
      return Values{{"qdd", Vec(solve_spd(at.M, f))}};
    };
    for (const std::string &f : functions)
      judge(*programs[f], got[f], f, functions_of[f], f == "dachd" ? &free : nullptr, sample, robot,
            spec, tolerance, where, tally);
    if (mujoco && k == 0)
      judge_by_mujoco(*mujoco, *programs["did"], got["did"], robot, spec, sample, vdot, where,
                      tally);
  }
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 1, 500);
  Tally tally;
  int bad = 0;
  InSample in_sample(arguments, 8);
  for (const std::string &how : arguments.runs())
    for (const Case &c : cases(arguments)) {
      if (c.title.find(arguments.only) == std::string::npos) continue;
      if (how == "c" && arguments.states == 1 && arguments.only.empty() &&
          !short_code.count(c.title))
        continue;
      if (!in_sample()) continue;
      if (arguments.states > 1) std::printf("  %s, %s\n", c.title.c_str(), how.c_str());
      std::fflush(stdout); // sweeps take long
      try {
        run(c, arguments, how, tally);
      } catch (const std::exception &error) {
        std::printf("  BAD %s: %s\n", c.title.c_str(), error.what());
        bad++;
      }
    }
  bad += tally.out.print();
  std::printf(
      "  %s; %d states judged; %d drawn and left out, close to a switch of the policy\n%s\n",
      in_sample.said().c_str(), tally.states, tally.left_out,
      bad || !tally.states ? "FAILED" : "OK");
  return bad || !tally.states;
}
