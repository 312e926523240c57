/* SPDX-License-Identifier: MIT */
// input_table_test.cpp: every input field given every value that a sensor, a bug or a caller can
// come up with: the status bits are those of the table below, torques are finite, and 0 where the
// status says NOT_FINITE. The compiled C runs under the address and undefined-behaviour sanitizers.
// Arguments: oracle/arguments.hpp; with --run BOARD achd in float on the board.
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "oracle/arguments.hpp"
#include "oracle/layout.hpp"
#include "oracle/program.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

const unsigned NOT_POSITIVE = 64;
const unsigned solver_raised = SINGULAR | SATURATED | UNACTUATED | NOT_POSITIVE;

// What a value is. `limit` is that of |q|: 1e5, float 1e4. `huge` is 1e300, in float Inf.
enum Kind { NAN_, INFINITE, DENORMAL, HUGE_, ZERO, LIMIT, ABOVE, TWICE, HALF };
struct Value {
  const char *name;
  Kind kind;
  double value;
};

std::vector<Value> values(bool single) {
  const double inf = INFINITY, limit = single ? 1e4 : 1e5;
  const double above = single ? double(std::nextafter(1e4F, 1e5F)) : std::nextafter(1e5, 1e6);
  const double denormal = single ? double(std::numeric_limits<float>::denorm_min())
                                 : std::numeric_limits<double>::denorm_min();
  return {{"NaN", NAN_, NAN},
          {"+Inf", INFINITE, inf},
          {"-Inf", INFINITE, -inf},
          {"the least denormal", DENORMAL, denormal},
          {"a denormal", DENORMAL, -1000 * denormal},
          {"1e300", HUGE_, 1e300},
          {"-1e300", HUGE_, -1e300},
          {"-0.0", ZERO, -0.0},
          {"0.0", ZERO, 0.0},
          {"the limit", LIMIT, limit},
          {"minus the limit", LIMIT, -limit},
          {"just above the limit", ABOVE, above},
          {"just below minus the limit", ABOVE, -above},
          {"twice the limit", TWICE, 2 * limit},
          {"minus twice the limit", TWICE, -2 * limit},
          {"0.5", HALF, 0.5}};
}

// Status bits: those that must be, and those that may: where the definition leaves them to
// rounding. `some`: at least one of these.
struct Bits {
  unsigned must, may = 0, some = 0;
};
bool fit(const Bits &bits, unsigned status) {
  return (status & bits.must) == bits.must && (status & ~(bits.must | bits.may | bits.some)) == 0 &&
         (bits.some == 0 || (status & bits.some));
}

// What a field is.
struct Field {
  std::string head; // "q", "mask", "inertia", "load" for whatever is linear in the equations
  bool prismatic = false, diagonal = false;
  bool passive_torque = false; // a torque to command where there is no motor
};

// THE TABLE. `loads_tell`: the layout saturates and has a passive joint, so that loads beyond
// reason raise SATURATED and UNACTUATED.
Bits expected(const Field &field, const Value &value, bool single, bool loads_tell) {
  const bool negative = std::signbit(value.value);
  const Kind kind = value.kind == HUGE_ && single ? INFINITE : value.kind;
  const std::string &head = field.head;
  const unsigned told = loads_tell ? SATURATED | UNACTUATED : 0;

  // Whatever is not finite says so, and a mask of it is neither 0 nor 1, |q|, an inertia or an
  // armature of it beyond the limit.
  const bool massive = head == "inertia" || head == "armature";
  if (kind == NAN_) return {head == "mask" ? NOT_FINITE | BAD_INPUT : NOT_FINITE};
  if (kind == INFINITE)
    return {head == "mask" || head == "q" || massive ? NOT_FINITE | BAD_INPUT : NOT_FINITE};
  const unsigned too_large = massive && kind == HUGE_ ? BAD_INPUT : 0; // beyond 1e15

  if (head == "mask") {
    if (kind == ZERO) return {0};
    // Used as it is: beyond 1 L is no longer positive, or overflows.
    if (kind == HUGE_) return {BAD_INPUT, NOT_FINITE | SINGULAR | told};
    if (kind == DENORMAL || kind == HALF) return {BAD_INPUT};
    return {BAD_INPUT, SINGULAR | told};
  }
  // A denormal or a zero of either sign is a small number (a run-time inertia without mass, or with
  // a moment left out, is compared with that of 0.0 apart).
  if (kind == DENORMAL || kind == ZERO || kind == HALF) {
    if (head == "inertia") return {0, SINGULAR | NOT_POSITIVE};
    return {kind == HALF && field.passive_torque ? UNACTUATED : 0U};
  }
  if (head == "q") {
    // A revolute joint beyond the limit stands as at 0. A prismatic one goes there: 100 km of
    // lever, against which other rows are nothing; 1e300 m overflow.
    const unsigned beyond = kind == LIMIT ? 0 : BAD_INPUT;
    if (!field.prismatic) return {beyond};
    if (kind == HUGE_) return {beyond | NOT_FINITE};
    return {beyond, SINGULAR | NOT_POSITIVE | told};
  }
  if (head == "qd") {
    // Its square; but a joint that slides may stand before all that turn, and then squares nothing.
    if (kind == HUGE_) return {field.prismatic ? 0U : NOT_FINITE, NOT_FINITE | told};
    return {0, told};
  }
  if (field.passive_torque) return {UNACTUATED, told};
  if (head == "load") return {0, told}; // nothing is squared: finite, for double
  if (head == "armature") {
    if (negative) return {too_large | NOT_POSITIVE, SINGULAR | told};
    // a joint that hardly moves any more, and rows that had only that one
    return {too_large, SINGULAR | told};
  }
  if (head == "axes" || head == "dir") {
    // L has the square of it, against which other rows are out of reach; 1e600 overflows.
    if (kind == HUGE_) return {0, told, SINGULAR | NOT_FINITE};
    return {0, SINGULAR | told};
  }
  // Run-time inertia: of 1e300 kg a body that does not move any more, and rounding that hides the
  // rest; moments that belong to no body; of 1e300, or 1e10 times what they should be, only
  // rounding or overflow remains of the other links.
  if (kind == HUGE_ && field.diagonal && !negative)
    return {too_large, SINGULAR | told | NOT_FINITE | NOT_POSITIVE};
  if (field.diagonal && !negative) return {0, SINGULAR | told};
  return {too_large, SINGULAR | told, NOT_FINITE | NOT_POSITIVE};
}

struct Case {
  std::string title, urdf;
  LayoutSpec layout;
  bool loads_tell = false;
};

std::string slurp(const std::string &path) {
  std::string out;
  if (FILE *file = std::fopen(path.c_str(), "r")) {
    for (int c; (c = std::fgetc(file)) != EOF;) out += char(c);
    std::fclose(file);
  }
  return out;
}

// Every kind of field that a layout can ask for.
LayoutSpec rich(const std::string &tip, const std::string &middle, const std::string &heavy) {
  LayoutSpec layout;
  layout.name = "robot";
  layout.armature_input = layout.tau_phys = layout.tau_art = true;
  layout.inertia_inputs = {heavy};
  layout.wrenches = {{"push", tip, false}, {"press", middle, true}};
  layout.groups.resize(3);
  layout.groups[0].name = "tool";
  layout.groups[0].frame = tip;
  layout.groups[0].axes = Axes::input;
  layout.groups[0].rows = {"lin_x", "lin_z", "ang_y"};
  layout.groups[0].maskable = true;
  layout.groups[1].name = "hold";
  layout.groups[1].frame = middle;
  layout.groups[1].axes = Axes::link;
  layout.groups[1].rows = {"lin_y"};
  layout.groups[1].physical = true;
  layout.groups[2].name = "elbow";
  layout.groups[2].frame = middle;
  layout.groups[2].free = 1;
  layout.groups[2].maskable = true;
  layout.threshold = 0;
  layout.outputs = {"qdd",          "nu",        "tau_ctrl", "tau_total",
                    "tau_apparent", "pivot_min", "pivot",    "residual"};
  layout.acc = layout.twist = layout.pose = {tip};
  return layout;
}

// Limits and a joint without motor, behind all artificial rows and wrenches: they do not ask it.
LayoutSpec limited(const Robot &robot, const std::string &tip, const std::string &middle,
                   const std::string &heavy) {
  LayoutSpec layout = rich(tip, middle, heavy);
  layout.groups[0].frame = middle;
  layout.groups[1].frame = tip;
  layout.groups.pop_back();
  layout.saturate = true;
  layout.selection.passive = {robot.dofs.back().name};
  for (const Dof &dof : robot.dofs) layout.selection.effort[dof.name] = 1e4;
  return layout;
}

std::vector<Case> cases(const Arguments &arguments) {
  Random random(3);
  RobotShape shape;
  shape.joints = 7;
  shape.prismatic = 0.4;
  const struct {
    const char *name;
    std::string urdf;
    const char *tip, *middle, *heavy;
  } robots[] = {
      {"gen3", slurp(arguments.robots + "/gen3.urdf"), "tool_frame", "spherical_wrist_1_link",
       "bracelet_link"},
      {"random, sliding joints", random_urdf(random, shape), "tip", "l4", "l7"},
  };
  std::vector<Case> all;
  for (const auto &r : robots) {
    const Robot robot = parse_urdf(r.urdf);
    const std::string name = r.name;
    for (const Policy policy : {Policy::damp, Policy::drop, Policy::truncate}) {
      Case c{name, r.urdf, rich(r.tip, r.middle, r.heavy)};
      c.title += policy == Policy::damp   ? ", damp"
                 : policy == Policy::drop ? ", drop"
                                          : ", truncate";
      c.layout.singularity = policy;
      all.push_back(c);
    }
    all.push_back({name + ", limits", r.urdf, limited(robot, r.tip, r.middle, r.heavy), true});
  }
  return all;
}

// Rows well apart, all of them met within the limits.
bool well_posed(const Robot &robot, const LayoutSpec &layout, const Sample &sample) {
  const Motion at = motion(robot, sample.state);
  Problem problem = problem_of(robot, layout, at, sample);
  problem.policy = Policy::exact;
  const Solution solution = solve(robot, at, problem);
  return solution.cond < 2e4L && solution.pivot_min > 3e-3L && !solution.saturated;
}

// An ordinary state, and still one when any joint stands at an angle of the table, or any number of
// a direction becomes 0 or 0.5.
bool ordinary(const Robot &robot, const LayoutSpec &layout, const Sample &sample) {
  if (!well_posed(robot, layout, sample)) return false;
  for (int joint = 0; joint < robot.nd(); joint++)
    for (const double angle : {0., 0.5, 1e4, -1e4, 1e5, -1e5}) {
      Sample other = sample;
      if (robot.dofs[joint].prismatic && std::abs(angle) > 1) continue;
      other.state.q[joint] = angle;
      if (!well_posed(robot, layout, other)) return false;
    }
  for (const double value : {0., 0.5})
    for (size_t g = 0; g < layout.groups.size(); g++) {
      Sample other = sample;
      for (int i = 0; layout.groups[g].axes == Axes::input && i < 9; i++) {
        other.axes[g] = sample.axes[g];
        other.axes[g](i / 3, i % 3) = value;
        if (!well_posed(robot, layout, other)) return false;
      }
      for (int i = 0; layout.groups[g].free > 0 && i < 6; i++) {
        other.dirs[g] = sample.dirs[g];
        other.dirs[g][0][i] = value;
        if (!well_posed(robot, layout, other)) return false;
      }
    }
  return true;
}

std::map<std::string, double> ordinary_columns(const Robot &robot, const LayoutSpec &layout) {
  Random random(12);
  SampleRange range;
  range.state.qd = 1;
  range.state.armature = 0.6;
  range.masked = 0;
  for (int attempt = 0; attempt < 5000; attempt++) {
    Sample sample = random_sample(robot, layout, random, range);
    for (int i = 0; i < robot.nd(); i++)
      if (robot.dofs[i].passive) sample.tau_art[i] = 0;
    if (!ordinary(robot, layout, sample)) continue;
    std::map<std::string, double> in = input_columns(robot, layout, sample);
    for (int i = 0; i < robot.nd(); i++) {
      const std::string joint = identifier(robot.dofs[i].name);
      in["qdd." + joint] = random.uniform(-2, 2);
      in["tau." + joint] = random.uniform(-2, 2);
    }
    return in;
  }
  throw std::runtime_error("no ordinary state");
}

Field field_of(const std::string &column, const Robot &robot) {
  const std::string head = column.substr(0, column.find('.'));
  const std::string tail = column.substr(column.rfind('.') + 1);
  Field field{head};
  if (head == "q" || head == "qd")
    for (const Dof &dof : robot.dofs)
      field.prismatic |= dof.prismatic && identifier(dof.name) == tail;
  field.diagonal = tail == "m" || tail == "xx" || tail == "yy" || tail == "zz";
  if (head == "tau_art")
    for (const Dof &dof : robot.dofs)
      field.passive_torque |= dof.passive && identifier(dof.name) == tail;
  for (const char *load : {"gravity", "tau_phys", "tau_art", "push", "press", "b", "qdd", "tau"})
    if (head == load) field.head = "load";
  return field;
}

// Functions of the family: quadratic in more than achd is (energies, momenta), and without rows.
Bits of_family(const std::string &function, const Field &field, const Value &value, bool single) {
  Bits bits = expected(field, value, single, false);
  bits.may &= ~unsigned(SINGULAR);
  bits.some &= ~unsigned(SINGULAR);
  if (value.kind == HUGE_ && !single) {
    if (field.head == "qd") bits.must = 0;                           // twists are linear in it
    if (field.head == "q" && field.prismatic) bits.must = BAD_INPUT; // and positions
    bits.may |= NOT_FINITE;
  }
  if (function != "fd") { // nothing is solved: no inertia is told to be wrong
    bits.must &= ~NOT_POSITIVE;
    bits.may |= bits.some & NOT_FINITE;
    bits.may &= ~NOT_POSITIVE;
    bits.some = 0;
  }
  return bits;
}

const std::set<std::string> torques = {"tau_ctrl", "tau_total", "tau_apparent", "tau_unactuated",
                                       "tau"};

int run_function(const std::string &title, const std::string &function, Program &program,
                 const Robot &robot, const std::map<std::string, double> &base, bool single,
                 bool loads_tell) {
  struct Question {
    std::string column;
    Value value;
  };
  std::vector<Question> questions;
  Table in = {program.arrange(base)};
  for (size_t i = 0; i < program.columns().in.size(); i++)
    for (const Value &value : values(single)) {
      questions.push_back({program.columns().in[i].name, value});
      in.push_back(in[0]);
      in.back()[i] = value.value;
    }
  if (single)
    for (auto &row : in)
      for (double &x : row) x = double(float(x));
  const Table got = program.run(in);
  const int status_at = program.output("status");
  int bad = 0, finite = 0, counted[128] = {};
  const auto complain = [&](const Question &q, const std::string &what) {
    if (++bad <= 10)
      std::printf("  BAD %s %s: %s = %s: %s\n", title.c_str(), function.c_str(), q.column.c_str(),
                  q.value.name, what.c_str());
  };
  if (got[0][status_at] != 0) complain({"the ordinary state", {"", ZERO, 0}}, "has a status");
  std::vector<double> at_zero; // of -0.0, which stands before 0.0
  for (size_t s = 0; s < questions.size(); s++) {
    const Question &q = questions[s];
    const std::vector<double> &out = got[s + 1];
    const auto status = unsigned(out[status_at]);
    counted[status & 127]++;
    const Field field = field_of(q.column, robot);
    const Bits bits = function == "achd" ? expected(field, q.value, single, loads_tell)
                                         : of_family(function, field, q.value, single);
    if (!fit(bits, status))
      complain(q, "status " + std::to_string(status) + ", must be " + std::to_string(bits.must) +
                      ", may be " + std::to_string(bits.may) + ", some of " +
                      std::to_string(bits.some));
    if ((status & NOT_FINITE) && (status & solver_raised))
      complain(q, "the solver's bits mean nothing beside NOT_FINITE");
    for (size_t i = 0; i < out.size(); i++) {
      const std::string &name = program.columns().out[i].name;
      const bool torque = torques.count(name.substr(0, name.find('.'))) > 0;
      if (torque && (status & NOT_FINITE) && out[i] != 0) complain(q, name + " is not 0");
      if ((torque || !(status & NOT_FINITE)) && !std::isfinite(out[i]))
        complain(q, name + " is not finite");
    }
    finite += !(status & NOT_FINITE);
    if (q.value.kind == ZERO) {
      if (std::signbit(q.value.value))
        at_zero = out;
      else if (at_zero != out) // ==: zeros may differ in sign
        complain(q, "-0.0 gives other numbers");
    }
    // Of the denormals, which stand before the zeros: looked at when 0.0 is known.
    if (field.head == "inertia" && q.value.kind == ZERO && !std::signbit(q.value.value))
      for (size_t back = 1; back <= s && questions[s - back].column == q.column; back++)
        if (questions[s - back].value.kind == DENORMAL &&
            got[s + 1 - back][status_at] != double(status))
          complain(questions[s - back], "another status than of 0.0");
  }
  std::printf("%-44s %-8s %5zu questions, %5d finite; by status:", title.c_str(), function.c_str(),
              questions.size(), finite);
  for (int k = 0; k < 128; k++)
    if (counted[k]) std::printf("  %d: %d", k, counted[k]);
  std::printf("%s\n", bad ? "  FAILED" : "");
  return bad;
}

const std::vector<std::string> family = {"fk",      "fvk",  "fak",  "jac", "jdqd",  "id",
                                         "gravity", "bias", "crba", "fd",  "energy"};

int run_case(const Case &c, const Arguments &arguments, const std::string &run, bool single) {
  const Robot robot = parse_urdf(c.urdf, c.layout.selection);
  const TemporaryFolder folder;
  const Generator generator{arguments.achdgen, folder.write("robot.urdf", c.urdf), lua(c.layout),
                            std::string("--snap 0") + (single ? " --real float" : "")};
  const std::string title = c.title + (single ? ", float" : "") + " [" + run + "]";
  std::vector<std::string> functions = {"achd"};
  if (c.layout.singularity == Policy::damp && !c.loads_tell)
    functions.insert(functions.end(), family.begin(), family.end());
  const char *const sanitized = "cc -std=c99 -O0 -fsanitize=undefined,address,float-cast-overflow "
                                "-fno-sanitize-recover=all";
  Functions programs;
  if (run == "eval") {
    programs = evaluated(generator, functions);
  } else if (run == "c") {
    programs = compiled(generator, single ? "robotf" : "robot", functions, sanitized);
  } else {
    functions = {"achd"};
    programs["achd"] = std::make_unique<OnBoard>(generator, "robotf", run);
  }
  const std::map<std::string, double> base = ordinary_columns(robot, c.layout);
  int bad = 0;
  for (const std::string &function : functions)
    bad += run_function(title, function, *programs.at(function), robot, base, single, c.loads_tell);
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 1);
  int bad = 0;
  InSample in_sample(arguments, 9);
  for (const std::string &run : arguments.runs()) {
    const bool on_board = run != "eval" && run != "c";
    for (const bool single : on_board ? std::vector{true} : std::vector{false, true})
      for (const Case &c : cases(arguments)) {
        if (c.title.find(arguments.only) == std::string::npos || !in_sample()) continue;
        try {
          bad += run_case(c, arguments, run, single);
        } catch (const std::exception &error) {
          std::printf("BAD %s: %s\n", c.title.c_str(), error.what());
          bad++;
        }
        std::fflush(stdout);
      }
  }
  std::printf("%s\n%s\n", in_sample.said().c_str(), bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
