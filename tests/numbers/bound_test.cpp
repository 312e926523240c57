/* SPDX-License-Identifier: MIT */
// bound_test.cpp: the output "bound", how far qdd (and base.acc) can be from the exact solution.
// Random robots and layouts of every kind that it is for, in all formulations, double and float, in states at random and
// close to singular ones, against the dense oracle in long double: no error may exceed its bound. Where a policy changes
// what the rows ask for there is none. Then small and odd robots, at rest too: in regular states none is without a bound.
// Prints the median of bound over error. ACHD_SWEEP=1: ten times as many robots.
// Arguments: oracle/arguments.hpp.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "oracle/arguments.hpp"
#include "oracle/judge.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const std::vector<std::string> six = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

struct Tally {
  std::vector<double> ratios;
  double closest = 0; // largest error over bound
  int robots = 0, states = 0, judged = 0, exceeded = 0, none = 0, singular = 0, left_out = 0;
  int lost = 0; // of `none`, those in regular states
};

// Robots that are small or odd: their rows leave little free, or nothing at all.
enum class Odd { one, slides, full, bare, rotors, mimics, bases };
const int kinds_of_odd = 7;

struct Kind {
  const char *title;
  bool fd, single, near;
  double useful; // the median of bound over error is below it
  bool odd = false;
};

struct Case {
  std::string urdf;
  LayoutSpec spec;
};

GroupSpec random_group(const std::string &name, const std::string &frame, int most,
                       Random &random) {
  GroupSpec g;
  g.name = name;
  g.frame = frame;
  g.rows = six;
  for (size_t k = 6; k > 1; k--) std::swap(g.rows[k - 1], g.rows[size_t(random.below(int(k)))]);
  g.rows.resize(size_t(1 + random.below(most)));
  if (most >= 6 && random.chance(0.6)) g.rows = six;
  const int axes = random.below(3);
  g.axes = axes == 0 ? Axes::base : axes == 1 ? Axes::link : Axes::input;
  if (g.axes == Axes::base && random.chance(0.3)) g.free = 1 + random.below(most);
  g.physical = random.chance(0.3);
  g.classical = random.chance(0.7);
  g.maskable = random.chance(0.4);
  return g;
}

LayoutSpec random_layout(const std::string &urdf, Random &random, RobotShape &shape) {
  LayoutSpec spec;
  const int base = random.below(4);
  spec.selection.base = base == 0 ? Base::planar : base == 1 ? Base::floating : Base::fixed;
  spec.matrix = false;
  const Robot robot = parse_urdf(urdf, spec.selection);
  const int freedoms = robot.nv();
  spec.groups = {random_group("tool", "tip", std::min(6, freedoms), random)};
  if (freedoms > 8 && random.chance(0.4))
    spec.groups.push_back(random_group("other", "l2", 2, random));
  if (random.chance(0.2) && !robot.dofs.empty()) {
    GroupSpec along;
    along.name = "axis";
    along.joints = {robot.dofs[size_t(random.below(robot.nd()))].name};
    if (freedoms > 6) spec.groups.push_back(along);
  }
  for (const Dof &dof : robot.dofs)
    if (random.chance(0.3)) spec.armature[dof.name] = random.uniform(0.05, 0.6);
  if (random.chance(0.3)) {
    spec.armature.clear();
    spec.armature_input = true;
  }
  spec.gravity_input = random.chance(0.7);
  spec.tau_phys = random.chance(0.5);
  spec.tau_art = random.chance(0.5);
  if (random.chance(0.4)) spec.wrenches.push_back({"push", "tip", random.chance(0.5)});
  spec.singularity = random.chance(0.6)   ? Policy::damp
                     : random.chance(0.6) ? Policy::drop
                                          : Policy::truncate;
  int rows = 0;
  for (const GroupSpec &g : spec.groups) rows += g.size();
  if (rows > 6 && spec.singularity == Policy::truncate) spec.singularity = Policy::damp;
  spec.threshold = 0;
  spec.outputs = {"qdd", "nu", "tau_ctrl", "bound"};
  (void)shape;
  return spec;
}

// Numbers that are floats.
template <class V> void to_float(V &v) {
  for (Eigen::Index k = 0; k < v.size(); k++) v.data()[k] = float(v.data()[k]);
}

void to_floats(Sample &s, const Robot &robot) {
  to_float(s.state.q);
  to_float(s.state.qd);
  to_float(s.state.gravity);
  to_float(s.state.armature);
  to_float(s.state.base_twist);
  if (robot.base == Base::floating) {
    to_float(s.state.base_quat);
    s.state.base_R = rotation_quat(s.state.base_quat);
  }
  if (robot.base == Base::planar) {
    s.state.base_yaw = float(s.state.base_yaw);
    s.state.base_R = rotation(Vec3::UnitZ(), s.state.base_yaw);
  }
  to_float(s.tau_phys);
  to_float(s.tau_art);
  for (Vec6 &w : s.wrenches) to_float(w);
  for (Vec &b : s.b) to_float(b);
  for (Mat3 &axes : s.axes) to_float(axes);
  for (auto &group : s.dirs)
    for (Vec6 &d : group) to_float(d);
}

// Some joints close to where they stand in line, at a right angle or at their zero.
void come_close(State &state, Random &random) {
  for (Eigen::Index j = 0; j < state.q.size(); j++)
    if (random.chance(0.5))
      state.q[j] = double(random.below(3) - 1) * M_PI / 2 + random.log_uniform(1e-6, 1e-1);
}

// slack: the oracle's own error. Where it is not far below the bound, nothing is judged. The median is of what is judged, and in
// `coarse` kinds of all numbers: their slack is close to most bounds, and what is judged are the widest.
void judge_number(double got, real exact, double bound, double slack, const std::string &where,
                  bool coarse, Tally &tally) {
  const double error = double(std::abs(real(got) - exact));
  const bool judged = slack <= bound / 10;
  if (error > 0 && (judged || coarse)) tally.ratios.push_back(bound / error);
  if (!judged) {
    tally.left_out++;
    return;
  }
  tally.judged++;
  if (!(error <= bound + slack)) {
    std::printf("  BAD error %.3e, bound %.3e, got %.17g  %s\n", error, bound, got, where.c_str());
    tally.exceeded++;
  }
  tally.closest = std::max(tally.closest, (error - slack) / bound);
}

// dropped: rows that a solve in float takes to be out of reach may be in reach of the oracle's.
bool decided_by_rounding(const Expected &expected, bool dropped) {
  if (dropped && least_reach(expected) < 1e-2L) return true;
  if (expected.problem.policy != Policy::drop) return false;
  for (const real r : expected.solution.pivot)
    if (std::abs(r - expected.problem.threshold) < 1e-3L * expected.problem.threshold) return true;
  return false;
}

Case random_case(const Kind &kind, Random &random) {
  RobotShape shape;
  shape.joints = 2 + random.below(7);
  shape.prismatic = random.chance(0.4) ? 0.3 : 0;
  shape.branch = random.chance(0.4) ? 0.3 : 0;
  // Of double: robots whose frames the generator finds without rounding to speak of; what rounding does to the numbers of
  // others is no error of the solve, and of float it is none beside the solve's.
  shape.parallel = !kind.single ? 1 : random.chance(0.5) ? 0.9 : 0.3;
  shape.mimic = shape.joints > 4 && random.chance(0.3) ? 1 : 0;
  const std::string urdf = random_urdf(random, shape);
  return {urdf, random_layout(urdf, random, shape)};
}

// Rows that can all be met, but for what regular() finds: along joints, or along the axes of a frame.
GroupSpec odd_group(const std::string &urdf, const Selection &selection, int rows, Random &random) {
  const Robot robot = parse_urdf(urdf, selection);
  GroupSpec g = random_group("tool", "tip", 1, random);
  g.free = 0;
  const bool slide_only = std::all_of(robot.dofs.begin(), robot.dofs.end(),
                                      [](const Dof &dof) { return dof.prismatic; });
  if (robot.nd() >= rows && random.chance(0.5)) {
    g.axes = Axes::base;
    g.classical = true;
    for (int k = 0; k < rows; k++) g.joints.push_back(robot.dofs[size_t(k)].name);
  } else {
    g.rows = six;
    if (slide_only && robot.nb() == 0) g.rows.resize(3);
    for (size_t k = g.rows.size(); k > 1; k--)
      std::swap(g.rows[k - 1], g.rows[size_t(random.below(int(k)))]);
    g.rows.resize(std::min(g.rows.size(), size_t(rows)));
  }
  return g;
}

Case odd_case(Odd odd, const Kind &kind, Random &random) {
  RobotShape shape;
  shape.parallel = !kind.single ? 1 : random.chance(0.5) ? 0.9 : 0.3;
  shape.joints = odd == Odd::one      ? 1
                 : odd == Odd::slides ? 1 + random.below(4)
                 : odd == Odd::bases  ? random.below(4)
                                      : 2 + random.below(5);
  shape.prismatic = odd == Odd::slides ? 1 : random.chance(0.4) ? 0.3 : 0;
  shape.massless = odd == Odd::bare || odd == Odd::rotors ? 0.7 : 0;
  shape.point = odd == Odd::bare ? 0.5 : 0;
  shape.mimic = odd == Odd::mimics ? 1 : 0;
  if (odd == Odd::mimics) shape.joints++;
  LayoutSpec spec;
  const std::string urdf = random_urdf(random, shape);
  spec.selection.base = odd != Odd::bases    ? Base::fixed
                        : random.chance(0.5) ? Base::planar
                                             : Base::floating;
  spec.matrix = false;
  const Robot robot = parse_urdf(urdf, spec.selection);
  const int most = std::min(6, robot.nv());
  const int rows = odd == Odd::full || random.chance(0.5) ? most : 1 + random.below(most);
  spec.groups = {odd_group(urdf, spec.selection, rows, random)};
  for (const Dof &dof : robot.dofs)
    if (odd == Odd::rotors || random.chance(0.2))
      spec.armature[dof.name] = random.log_uniform(0.001, 0.6);
  if (odd == Odd::rotors && random.chance(0.3)) spec.armature_input = true;
  spec.gravity_input = random.chance(0.5);
  spec.tau_art = true;
  spec.singularity = Policy::damp;
  spec.threshold = 0;
  spec.outputs = {"qdd", "nu", "tau_ctrl", "bound"};
  return {urdf, spec};
}

// Every third state of an odd robot is at rest.
bool rests(const Kind &kind, size_t state) {
  return kind.odd && state % 3 == 0;
}

// Nothing moves, and there is nothing but gravity.
void come_to_rest(Sample &sample) {
  sample.state.qd.setZero();
  sample.state.base_twist.setZero();
  sample.tau_art.setZero();
  for (Vec &b : sample.b) b.setZero();
  for (auto &mask : sample.mask) std::fill(mask.begin(), mask.end(), 1);
}

// The condition of A in units that make its diagonal 1.
real scaled_condition(Mat A) {
  const Vec units = A.diagonal().cwiseSqrt().cwiseInverse();
  A = units.asDiagonal() * A * units.asDiagonal();
  return condition(A);
}

// Whether a joint slides beyond 5 cm from its limits, where no bound is promised: one that mimics another may.
bool beyond_limits(const Robot &robot, const Vec &q) {
  for (const Link &link : robot.links) {
    const Joint &joint = link.joint;
    if (joint.type != JointType::prismatic || joint.dof < 0) continue;
    const real at = joint.ratio * q[joint.dof] + joint.offset;
    const real most = std::max(std::abs(joint.lower), std::abs(joint.upper));
    if (std::abs(at) >= most + 0.05L) return true;
  }
  return false;
}

// Whether rounding leaves most digits of the solve.
bool regular(const Expected &expected, unsigned status, const Kind &kind) {
  const real most = kind.single ? 30 : 1e6L;
  return !(status & SINGULAR) && scaled_condition(expected.at.M) < most &&
         (expected.solution.L.size() == 0 || scaled_condition(expected.solution.L) < most);
}

void run_robot(uint64_t seed, const Kind &kind, const Arguments &arguments, Tally &tally) {
  Random random(seed);
  const Case drawn =
      kind.odd ? odd_case(Odd(seed % kinds_of_odd), kind, random) : random_case(kind, random);
  const std::string &urdf = drawn.urdf;
  const LayoutSpec &spec = drawn.spec;
  const Robot robot = parse_urdf(urdf, spec.selection);
  const TemporaryFolder folder;
  const char *formulations[] = {"joint", "recursion", "null", ""};
  const std::string formulation = formulations[random.below(4)];
  std::string flags = "--snap 0";
  if (kind.single) flags += " --real float";
  if (kind.fd) flags += " --functions fd";
  std::unique_ptr<Evaluator> program;
  const std::string path = folder.write("robot.urdf", urdf);
  try {
    program = std::make_unique<Evaluator>(
        Generator{arguments.achdgen, path, lua(spec),
                  flags + (formulation.empty() ? "" : " --formulation " + formulation)});
  } catch (const std::exception &error) {
    if (formulation != "null" && formulation != "recursion") throw;
    program = std::make_unique<Evaluator>(Generator{arguments.achdgen, path, lua(spec), flags});
  }
  tally.robots++;
  SampleRange range;
  range.state.armature = 0.5;
  range.masked = 0.2;
  range.all_active = 0.7;
  std::vector<Sample> given;
  Table in;
  for (int i = 0; i < arguments.states; i++) {
    Sample sample = random_sample(robot, spec, random, range);
    if (kind.near) come_close(sample.state, random);
    if (rests(kind, size_t(i))) come_to_rest(sample);
    if (kind.single) to_floats(sample, robot);
    std::map<std::string, double> columns = input_columns(robot, spec, sample);
    if (kind.fd)
      for (int j = 0; j < robot.nd(); j++) {
        const std::string name = "tau." + robot.dofs[size_t(j)].name;
        const double torque = random.uniform(-10, 10);
        columns[name] = rests(kind, size_t(i)) ? 0 : double(float(torque));
        if (!sample.tau_phys.size()) sample.tau_phys = Vec::Zero(robot.nd());
        sample.tau_phys[j] = columns[name];
      }
    in.push_back(program->arrange(columns));
    given.push_back(sample);
  }
  const Table got = program->run(in);
  const double least = kind.single ? 1e25 : 1e200; // of "no bound"
  LayoutSpec exactly = spec;
  exactly.singularity = Policy::exact;
  exactly.threshold = 0;
  LayoutSpec free = exactly;
  free.groups.clear();
  const char *base_names[] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  const char *planar_names[] = {"x", "y", "yaw"};
  for (size_t s = 0; s < given.size(); s++) {
    const std::string where = std::string(kind.title) + " seed " + std::to_string(seed) +
                              " state " + std::to_string(s) + " " + formulation;
    const auto value = [&](const std::string &name) {
      const int at = program->output(name);
      if (at < 0) throw std::runtime_error("no column " + name);
      return got[s][size_t(at)];
    };
    const unsigned status = unsigned(value("status"));
    tally.states++;
    tally.singular += (status & SINGULAR) != 0;
    if (status & (NOT_FINITE | BAD_INPUT))
      throw std::runtime_error("status " + std::to_string(status) + " " + where);
    Sample sample = given[s];
    if (kind.fd) {
      for (size_t k = 0; k < spec.wrenches.size(); k++)
        if (spec.wrenches[k].artificial) sample.wrenches[k].setZero();
      sample.tau_art = Vec();
    }
    Expected expected;
    if (kind.fd) {
      free.wrenches = spec.wrenches;
      sample.b.clear(), sample.mask.clear(), sample.axes.clear(), sample.dirs.clear();
      free.tau_phys = true;
      free.tau_art = false;
      expected = expect(robot, free, sample);
    } else {
      LayoutSpec policy = spec;
      if (policy.threshold == 0) policy.threshold = kind.single ? 3e-6 : 1e-6;
      if (policy.singularity == Policy::truncate) policy.threshold = kind.single ? 1e-5 : 1e-10;
      expected = expect(robot, (status & SINGULAR) ? policy : exactly, sample);
    }
    const Vec &vdot = expected.solution.vdot;
    double slack = 0x1p-60 * double(std::max(expected.solution.cond, condition(expected.at.M)) *
                                    vdot.cwiseAbs().maxCoeff());
    if (kind.odd) {
      // Small robots have bounds of a few roundings, as many as the joined inertias and the frames of the header have in
      // double. What rows hold is the difference of what moves without them and what they do.
      const real moved = std::max({vdot.cwiseAbs().maxCoeff(), sample.state.gravity.norm(),
                                   expected.solution.vdot_free.cwiseAbs().maxCoeff()});
      const real of_oracle = 0x1p-60L * expected.solution.cond;
      const real of_header = 0x1p-50L * scaled_condition(expected.at.M);
      slack = std::max(slack, double(moved * (kind.single ? of_oracle : of_header)));
    }
    for (int c = 0; c < robot.nv(); c++) {
      std::string name, bound;
      const int nb = robot.nb();
      if (c < nb) {
        const char *word = nb == 3 ? planar_names[c] : base_names[c];
        name = std::string("base.acc.") + word;
        bound = std::string("base.bound.") + word;
      } else {
        const std::string &joint = robot.dofs[size_t(c - nb)].name;
        name = "qdd." + joint;
        bound = "bound." + joint;
      }
      if (kind.odd && (!regular(expected, status, kind) || beyond_limits(robot, sample.state.q))) {
        tally.left_out++;
        continue;
      }
      if (value(bound) > least) {
        tally.none++;
        if (kind.odd) {
          tally.lost++;
          if (!kind.single)
            std::printf("  BAD no bound in a regular state  %s %s\n", where.c_str(), name.c_str());
        }
        continue;
      }
      if (decided_by_rounding(expected, kind.single && (status & SINGULAR))) {
        tally.left_out++;
        continue;
      }
      judge_number(value(name), vdot[c], value(bound), slack, where + " " + name,
                   kind.odd && !kind.single, tally);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 12, 100);
  const bool all = arguments.states == 100;
  const Kind kinds[] = {
      {"achd", false, false, false, 100},
      {"achd, near singular", false, false, true, 100},
      {"fd", true, false, false, 100},
      {"achd, float", false, true, false, 150}, // refined, so that errors are smaller
      {"achd, float, near", false, true, true, 150},
      {"fd, float", true, true, false, 100},
      {"odd robots, achd", false, false, false, 100, true},
      {"odd robots, achd, float", false, true, false, 150, true},
      {"odd robots, fd, float", true, true, false, 100, true},
  };
  int bad = 0;
  InSample in_sample(arguments, 6);
  for (const Kind &kind : kinds) {
    if (std::string(kind.title).find(arguments.only) == std::string::npos || !in_sample()) continue;
    Tally tally;
    const int robots = (all ? 400 : 14) * (kind.odd ? 2 : 1);
    for (uint64_t seed = 1; seed <= uint64_t(robots); seed++) {
      try {
        run_robot(seed, kind, arguments, tally);
      } catch (const std::exception &error) {
        // a draw of massless links may have a joint that moves nothing, and there is no solve of it
        if (kind.odd && std::string(error.what()).find("resists its motion") != std::string::npos)
          continue;
        std::printf("  BAD seed %d: %s\n", int(seed), error.what());
        bad++;
      }
    }
    bad += tally.exceeded;
    if (tally.ratios.empty()) {
      std::printf("  BAD nothing judged\n");
      bad++;
      continue;
    }
    std::sort(tally.ratios.begin(), tally.ratios.end());
    const double median = tally.ratios[tally.ratios.size() / 2];
    // floats leave less to tell, above all of a small mass close to its axis (inertia_scales of bound_spread.lua)
    const bool kept = kind.single ? tally.lost * 20 <= tally.judged : tally.lost == 0;
    const bool good = median < kind.useful && tally.none < tally.judged && kept;
    std::printf("%s %s: %d robots, %d states, %d of them singular; %d numbers judged, %d above "
                "their bound, %d without, %d not judged; bound over error: median %.1f; largest "
                "error over bound %.3f\n",
                good ? "good" : "BAD", kind.title, tally.robots, tally.states, tally.singular,
                tally.judged, tally.exceeded, tally.none, tally.left_out, median, tally.closest);
    bad += !good;
  }
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
