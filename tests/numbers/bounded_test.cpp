// bounded_test.cpp: rows with bounds: generated mclp and apply with the runtime's solver between
// them, against brute force over all sets of rows at their bounds on L and r from the definition,
// against reference vectors of static friction, and against experiments that can be worked out by
// hand.
#include <array>
#include <cstring>
#include <set>

#include "oracle/arguments.hpp"
#include "oracle/bounded.hpp"
#include "oracle/compare.hpp"
#include "oracle/kkt.hpp"
#include "oracle/layout.hpp"
#include "oracle/reference.hpp"
#include "oracle/states.hpp"
#include "runtime/mclp_oracle.h"

using namespace oracle;

namespace {

enum : unsigned { BOUND_ACTIVE = 8 };
const double unbounded = 1e300;

// L, r, and all that is needed of a motion to judge nu: from the definition, dense.
struct Dense {
  Mat G, L;    // rows x nv; G M^-1 G^T
  Vec r, free; // b - (G free + gamma); vdot at nu = 0
  Mat Mi_Gt;
  Vec own; // by coordinate: artificial torques and wrenches
};

// Rows that yield: b on top of what the artificial wrenches alone would cause, G M^-1 J^T f.
Dense dense(const Motion &motion, const Problem &problem) {
  Dense d;
  const int m = int(problem.rows.size()), nd = motion.nv - motion.nb;
  Vec pressed = Vec::Zero(motion.nv), force = -motion.h;
  for (const Wrench &w : problem.wrenches)
    (w.artificial ? pressed : force) += jacobian(motion, w.link).transpose() * w.f;
  d.own = pressed;
  d.own.tail(nd) += problem.tau_art;
  force += d.own;
  force.tail(nd) += problem.tau_phys;
  d.free = solve_spd(motion.M, force);
  d.G.resize(m, motion.nv);
  d.r.resize(m);
  const Vec alone = solve_spd(motion.M, pressed);
  for (int j = 0; j < m; j++) {
    const Row &row = problem.rows[size_t(j)];
    real gamma;
    d.G.row(j) = row_jacobian(motion, row, &gamma);
    d.r[j] = row.b - gamma - d.G.row(j).dot(row.yields ? Vec(d.free - alone) : d.free);
  }
  d.Mi_Gt = solve_spd(motion.M, d.G.transpose());
  d.L = d.G * d.Mi_Gt;
  return d;
}

real dual(const Mat &L, const Vec &r, const Vec &nu) {
  return 0.5L * nu.dot(L * nu) - r.dot(nu);
}

// How far nu is from the conditions, which for a convex problem are sufficient: w = L nu - r is not
// negative at the lower bound, not positive at the upper, zero in between; over the terms that w is
// made of.
real violation(const Dense &d, const Vec &lo, const Vec &hi, const Vec &nu) {
  const Vec w = d.L * nu - d.r;
  const Vec unit = d.L.diagonal().cwiseMax(0).cwiseSqrt();
  const real forces = unit.dot(nu.cwiseAbs());
  real worst = 0;
  for (int j = 0; j < nu.size(); j++) {
    if (lo[j] == hi[j]) continue;
    const bool low = nu[j] <= lo[j], high = nu[j] >= hi[j];
    const real wrong = low ? std::max(-w[j], 0.0L) : high ? std::max(w[j], 0.0L) : std::fabs(w[j]);
    worst = std::max(worst, wrong / (std::fabs(d.r[j]) + unit[j] * forces + 1e-3L));
  }
  return worst;
}

// The most bounded rows whose sets at their bounds can all be tried.
const int most_tried = 8;

// The least dual value: rows without bounds eliminated, those of equal bounds put in, the others by
// brute force. False: none.
bool brute_force(const Dense &d, const Vec &lo, const Vec &hi, real *value) {
  std::vector<int> equal, bounded;
  Vec fixed = Vec::Zero(lo.size());
  for (int j = 0; j < lo.size(); j++) {
    if (lo[j] == hi[j])
      fixed[j] = lo[j];
    else
      (lo[j] <= -unbounded && hi[j] >= unbounded ? equal : bounded).push_back(j);
  }
  const Vec r = d.r - d.L * fixed; // of the other rows
  const int e = int(equal.size()), n = int(bounded.size());
  Mat A(e, e), B(e, n), C(n, n);
  Vec s(e), t(n);
  for (int i = 0; i < e; i++) {
    s[i] = r[equal[size_t(i)]];
    for (int j = 0; j < e; j++) A(i, j) = d.L(equal[size_t(i)], equal[size_t(j)]);
    for (int j = 0; j < n; j++) B(i, j) = d.L(equal[size_t(i)], bounded[size_t(j)]);
  }
  for (int i = 0; i < n; i++) {
    t[i] = r[bounded[size_t(i)]];
    for (int j = 0; j < n; j++) C(i, j) = d.L(bounded[size_t(i)], bounded[size_t(j)]);
  }
  const Mat AiB = e ? solve_spd(A, B) : Mat(0, n);
  const Vec Ais = e ? Vec(solve_spd(A, s)) : Vec(0);
  static oracle_problem p;
  p.rows = n;
  p.rounding = 0x1p-52L;
  const Mat S = C - B.transpose() * AiB;
  const Vec rest = t - B.transpose() * Ais;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) p.L[i][j] = (S(i, j) + S(j, i)) / 2;
    p.r[i] = rest[i];
    const int j = bounded[size_t(i)];
    p.lo[i] = lo[j] <= -unbounded ? -INFINITY : lo[j];
    p.hi[i] = hi[j] >= unbounded ? INFINITY : hi[j];
  }
  real nu[oracle_rows] = {0}, scale;
  if (!oracle_solve(&p, 0, nu)) return false;
  *value = oracle_value(&p, nu, &scale) - (e ? 0.5L * s.dot(Ais) : 0) + dual(d.L, d.r, fixed);
  return true;
}

int bounded_rows(const Vec &lo, const Vec &hi) {
  int count = 0;
  for (int j = 0; j < lo.size(); j++)
    count += lo[j] < hi[j] && (lo[j] > -unbounded || hi[j] < unbounded);
  return count;
}

// ---- brute force on robots ----

struct Case {
  const char *robot, *frame;
  std::vector<int> axes; // rows of the group, 0 lin_x .. 5 ang_z
  const char *bounds;    // of the group, as the layout has them
  bool friction;
};

const char *const words[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

const std::vector<Case> cases = {
    {"arm1dof", "tip", {0}, "", true},
    {"youbot_arm", "arm_link_5", {0, 1, 2}, "", true},
    {"youbot_arm",
     "arm_link_5",
     {0, 1, 2, 3, 4},
     "bounds = { lin_x = \"input\", lin_z = { 0, math.huge } },",
     false},
    {"gen3_6dof", "end_effector_link", {0, 1, 2}, "bounds = \"input\",", true},
    {"gen3_6dof",
     "end_effector_link",
     {0, 1, 2, 3, 4, 5},
     "bounds = { lin_z = { -5, 5 }, ang_x = { -math.huge, 0 } },",
     false},
    {"gen3", "tool_frame", {}, "", true},
    {"gen3", "tool_frame", {0, 2, 4}, "", true},
    {"gen3", "tool_frame", {0, 1, 2, 3, 4, 5}, "bounds = { lin_z = \"input\" },", true},
};

std::string layout_of(const Case &c) {
  std::string text = "return {\n  torques = { artificial = true, physical = true },\n";
  if (c.friction) text += "  friction = { coulomb = \"input\", threshold = 0.01 },\n";
  text += "  groups = {";
  if (!c.axes.empty()) {
    text +=
        " { name = \"tool\", frame = \"" + std::string(c.frame) + "\", " + c.bounds + " rows = {";
    for (int a : c.axes) text += std::string(" \"") + words[a] + "\",";
    text += " } } ";
  }
  return text + "},\n}\n";
}

// One state: inputs by column, and the problem that they mean.
struct Posed {
  std::map<std::string, double> in;
  State state;
  Problem problem;
  Vec lo, hi;
};

// The bounds of one row more.
void append(Posed &p, real lo, real hi) {
  const Eigen::Index m = p.lo.size();
  p.lo.conservativeResize(m + 1), p.hi.conservativeResize(m + 1);
  p.lo[m] = lo, p.hi[m] = hi;
}

// Friction of a joint, which can give f.
void append_friction(Posed &p, int joint, real f, real threshold) {
  Row row;
  row.joint = joint;
  row.physical = true;
  p.problem.rows.push_back(row);
  const real qd = p.state.qd[joint], kinetic = qd < 0 ? f : -f;
  const bool rests = std::fabs(qd) < threshold;
  append(p, rests ? -f : kinetic, rests ? f : kinetic);
}

Posed pose(const Robot &robot, const Case &c, const Columns &columns, Random &random) {
  Posed p;
  StateRange range;
  p.state = random_state(robot, random, range);
  const int n = robot.nd(), frame_rows = int(c.axes.size());
  p.problem.tau_art = p.problem.tau_phys = Vec::Zero(n);
  const int link = robot.link(c.frame);
  for (int a : c.axes) {
    Row row;
    row.link = link;
    row.a[a] = 1;
    row.b = random.uniform(-5, 5);
    p.problem.rows.push_back(row);
  }
  p.lo = Vec::Constant(frame_rows, -unbounded), p.hi = Vec::Constant(frame_rows, unbounded);
  for (int i = 0; i < n; i++) {
    if (random.chance(0.8)) p.state.qd[i] = random.uniform(-0.009, 0.009); // at rest
    p.problem.tau_art[i] = random.uniform(-20, 20);
    p.problem.tau_phys[i] = random.uniform(-5, 5);
    const std::string &name = robot.dofs[size_t(i)].name;
    p.in["q." + name] = double(p.state.q[i]);
    p.in["qd." + name] = double(p.state.qd[i]);
    p.in["tau_art." + name] = double(p.problem.tau_art[i]);
    p.in["tau_phys." + name] = double(p.problem.tau_phys[i]);
    const double f = random.chance(0.1) ? 0 : random.uniform(0, 10);
    p.in["friction." + name] = f;
    if (c.friction) append_friction(p, i, f, 0.01L);
  }
  for (int k = 0; k < 3; k++) p.in[std::string("gravity.") + "xyz"[k]] = double(p.state.gravity[k]);
  const std::string bounds = c.bounds;
  for (int k = 0; k < frame_rows; k++) {
    const std::string name = words[c.axes[size_t(k)]], column = "tool." + name;
    p.in["b." + column] = double(p.problem.rows[size_t(k)].b);
    for (const Column &in : columns.in) {
      if (in.name != "lo." + column) continue;
      const int which = random.below(4);
      p.lo[k] = which & 1 ? -unbounded : random.uniform(-20, 5);
      p.hi[k] = which & 2 ? unbounded : std::max(double(p.lo[k]), -20.0) + random.uniform(0, 20);
      p.in["lo." + column] = p.lo[k] <= -unbounded ? -INFINITY : double(p.lo[k]);
      p.in["hi." + column] = p.hi[k] >= unbounded ? INFINITY : double(p.hi[k]);
    }
    if (bounds.find(name + " = { 0, math.huge }") != std::string::npos) p.lo[k] = 0;
    if (bounds.find(name + " = { -math.huge, 0 }") != std::string::npos) p.hi[k] = 0;
    if (bounds.find(name + " = { -5, 5 }") != std::string::npos) p.lo[k] = -5, p.hi[k] = 5;
  }
  return p;
}

// Infinite bounds as what stands for them.
Vec finite(const Vec &bounds) {
  return bounds.cwiseMax(-unbounded).cwiseMin(unbounded);
}

// Runs the states, and judges everything by the definition. Told of a row at its bound, and of
// UNACTUATED; bad where no row ever is at its bound.
int judge(const Robot &robot, BoundedProgram &program, const std::vector<Posed> &states,
          const Table &in, Comparison &out, bool unactuated_too = false) {
  const Table results = program.run(in);
  const int m = program.rows, nb = robot.nb(), nd = robot.nd();
  int active = 0, unactuated = 0;
  for (size_t k = 0; k < states.size(); k++) {
    const Posed &p = states[k];
    const auto &line = results[k];
    const Motion motion = oracle::motion(robot, p.state);
    const Dense d = dense(motion, p.problem);
    const std::string where = "state " + std::to_string(k);
    const Vec nu = program.block(line, "nu", m);
    const Vec lo = program.block(line, "lo", m), hi = program.block(line, "hi", m);
    out.add("L", relative(program.coupling(line), d.L), 1e-10, where);
    out.add("r", relative(program.block(line, "r", m), d.r), 1e-10, where);
    out.add("lo", relative(finite(lo), p.lo), 1e-12, where);
    out.add("hi", relative(finite(hi), p.hi), 1e-12, where);
    out.add("solved", line[size_t(program.output("solver"))], 0, where);
    out.add("report", line[size_t(program.output("report"))], 1e-10, where);
    out.add("conditions", double(violation(d, lo, hi, nu)), 1e-9, where);
    if (bounded_rows(p.lo, p.hi) <= most_tried) {
      real value;
      const bool any = brute_force(d, p.lo, p.hi, &value);
      out.add("brute force has one", !any, 0, where);
      const real scale = std::fabs(value) + 1e-3L;
      out.add("dual value", double(std::fabs(dual(d.L, d.r, nu) - value) / scale), 1e-9, where);
    }
    const Vec vdot = d.free + d.Mi_Gt * nu;
    if (nd) out.add("qdd", relative(program.block(line, "qdd", nd), vdot.tail(nd)), 1e-9, where);
    Vec tau = d.own; // that motors are asked for
    for (int j = 0; j < m; j++)
      if (!p.problem.rows[size_t(j)].physical) tau += d.G.row(j).transpose() * nu[j];
    Vec tau_ctrl = tau.tail(nd);
    bool told = false; // of what has no motor
    const real rounding = 1e-9L * (1 + tau.cwiseAbs().maxCoeff());
    for (int i = 0; i < nd; i++) {
      const Dof &dof = robot.dofs[size_t(i)];
      if (!dof.passive) continue;
      const double got = line[size_t(program.output("tau_unactuated." + identifier(dof.name)))];
      out.add("tau_unactuated", relative(Vec::Constant(1, got), tau.segment(nb + i, 1)), 1e-9,
              where);
      told = told || std::fabs(tau[nb + i]) > rounding;
      tau_ctrl[i] = 0;
    }
    if (nd)
      out.add("tau_ctrl", relative(program.block(line, "tau_ctrl", nd), tau_ctrl), 1e-10, where);
    Vec acc(nb), wrench(nb);
    for (int i = 0; i < nb; i++) {
      const std::string part = velocities(robot)[size_t(i)].substr(4);
      acc[i] = line[size_t(program.output("base.acc" + part))];
      wrench[i] = line[size_t(program.output("base.wrench_ctrl" + part))];
      told = told || std::fabs(tau[i]) > rounding;
    }
    if (nb) {
      out.add("base.acc", relative(acc, vdot.head(nb)), 1e-9, where);
      out.add("base.wrench_ctrl", relative(wrench, tau.head(nb)), 1e-9, where);
    }
    bool at_bound = false;
    for (int j = 0; j < m; j++)
      at_bound = at_bound || (lo[j] < hi[j] && (nu[j] == lo[j] || nu[j] == hi[j]));
    active += at_bound;
    unactuated += told;
    out.add("status", line[0] != ((at_bound ? BOUND_ACTIVE : 0) | (told ? UNACTUATED : 0)), 0,
            where);
  }
  const int bad = out.print();
  std::printf("  %d of %zu with a row at its bound, %d UNACTUATED\n", active, states.size(),
              unactuated);
  return bad + (active == 0) + (unactuated_too && unactuated == 0);
}

int run_case(const Arguments &arguments, const Case &c) {
  const std::string urdf = arguments.robots + "/" + c.robot + ".urdf";
  const Robot robot = read_urdf(urdf);
  const int m = int(c.axes.size()) + (c.friction ? robot.nd() : 0);
  BoundedProgram program({arguments.achdgen, urdf, layout_of(c), "--snap 0"},
                         identifier(robot.name), robot.nd(), m);
  Comparison out(std::string(c.robot) + ", " + std::to_string(c.axes.size()) + " rows" +
                 (*c.bounds ? " bounded" : "") + (c.friction ? ", friction" : ""));
  Random random(7);
  std::vector<Posed> states;
  Table in;
  for (int k = 0; k < arguments.states; k++) {
    states.push_back(pose(robot, c, program.columns(), random));
    in.push_back(program.arrange(states.back().in));
  }
  return judge(robot, program, states, in, out);
}

// ---- words of bounds, on bases that move, with ties, masks, rows that yield, joints without motor
// ----

// A layout, and what it says of bounds.
struct Words {
  std::string title, robot;
  LayoutSpec layout;
  bool unactuated = false;                            // expected of some states
  std::map<std::string, std::array<real, 2>> between; // bounds by group
  std::set<std::string> bounds_input;                 // groups
  std::map<std::string, double> contact;              // coefficients by group; below 0: input
  std::map<std::string, std::string> normal; // of contacts that only push: the row, by group
  bool coulomb_input = false;
  std::map<std::string, double> coulomb; // by joint
  std::string viscous;                   // as Lua has it
  std::map<std::string, double> damping; // what it means; empty: input, or none
  double margin = 0, rate = 0;           // of limits; 0: none
  bool limits_b_input = false, limits_physical = false;
  std::vector<std::string> limited; // joints; empty: all that have limits
};

const double threshold = 0.01; // of friction [rad/s, m/s]

std::string lua_table(const std::map<std::string, double> &entries) {
  std::string out = "{ ";
  for (const auto &[name, value] : entries) out += name + " = " + std::to_string(value) + ", ";
  return out + "}";
}

// The words beside the layout, as Lua has them.
LayoutSpec furnished(const Words &w) {
  LayoutSpec layout = w.layout;
  layout.singularity = Policy::exact;
  layout.threshold = 0;
  layout.outputs = {"qdd", "nu", "tau_ctrl"};
  for (GroupSpec &g : layout.groups) {
    const auto lua = [](real x) {
      return std::isinf(double(x)) ? std::string(x < 0 ? "-" : "") + "math.huge"
                                   : std::to_string(double(x));
    };
    if (w.between.count(g.name))
      g.more =
          "bounds = { " + lua(w.between.at(g.name)[0]) + ", " + lua(w.between.at(g.name)[1]) + " }";
    if (w.bounds_input.count(g.name)) g.more = "bounds = \"input\"";
    if (w.contact.count(g.name)) {
      const double mu = w.contact.at(g.name);
      g.more = "friction = " + (mu < 0 ? "\"input\"" : std::to_string(mu)) +
               ", threshold = " + std::to_string(threshold);
    }
    if (w.normal.count(g.name))
      g.more = "contact = { normal = \"" + w.normal.at(g.name) + "\"" +
               (w.contact.count(g.name) ? ", " + g.more : "") + " }";
  }
  if (w.coulomb_input || !w.coulomb.empty() || !w.viscous.empty()) {
    layout.more += "  friction = { threshold = " + std::to_string(threshold) + ", ";
    if (w.coulomb_input) layout.more += "coulomb = \"input\", ";
    if (!w.coulomb.empty()) layout.more += "coulomb = " + lua_table(w.coulomb) + ", ";
    if (!w.viscous.empty()) layout.more += "viscous = " + w.viscous;
    layout.more += " },\n";
  }
  if (w.margin > 0) {
    layout.more += "  limits = { margin = " + std::to_string(w.margin) +
                   ", rate = " + std::to_string(w.rate) + ", ";
    if (w.limits_b_input) layout.more += "b = \"input\", ";
    if (w.limits_physical) layout.more += "kind = \"physical\", ";
    if (!w.limited.empty()) {
      layout.more += "joints = { ";
      for (const std::string &joint : w.limited) layout.more += "\"" + joint + "\", ";
      layout.more += "} ";
    }
    layout.more += "},\n";
  }
  return layout;
}

std::vector<Words> words_of_bounds() {
  const real none = INFINITY;
  std::vector<Words> all;
  const auto add = [&](const char *title, const char *robot) -> Words & {
    all.push_back({});
    all.back().title = title;
    all.back().robot = robot;
    all.back().layout.tau_phys = all.back().layout.tau_art = true;
    return all.back();
  };
  const auto group = [](Words &w, const char *name, const char *frame,
                        const std::vector<std::string> &rows) -> GroupSpec & {
    GroupSpec g;
    g.name = name;
    g.frame = frame;
    g.rows = rows;
    w.layout.groups.push_back(g);
    return w.layout.groups.back();
  };
  {
    Words &w = add("viscous friction from the URDF", "iiwa7");
    w.viscous = "\"urdf\"";
    for (int i = 1; i <= 7; i++) w.damping["iiwa_joint_" + std::to_string(i)] = 0.5;
    w.coulomb = {{"iiwa_joint_2", 3}, {"iiwa_joint_4", 1.5}};
    group(w, "tool", "iiwa_link_ee", {"lin_x", "lin_y", "lin_z"});
    w.bounds_input = {"tool"};
  }
  {
    Words &w = add("viscous friction at run time, with Coulomb's", "youbot_arm");
    w.viscous = "\"input\"";
    w.coulomb_input = true;
    group(w, "tool", "arm_link_5", {"lin_x", "ang_z"}).axes = Axes::link;
  }
  {
    Words &w = add("viscous friction of one joint, a row that yields", "gen3_6dof");
    w.viscous = "{ joint_3 = 2.5 }";
    w.damping = {{"joint_3", 2.5}};
    w.layout.wrenches = {{"press", "end_effector_link", true}, {"push", "forearm_link", false}};
    GroupSpec &g = group(w, "tool", "end_effector_link", {"lin_x", "lin_y", "lin_z"});
    g.yields = true;
    group(w, "turn", "end_effector_link", {"ang_x", "ang_y"});
    w.between["tool"] = {-15, 40};
  }
  {
    Words &w = add("limits, b at run time", "youbot_arm");
    w.margin = 0.5, w.rate = 8;
    w.limits_b_input = true;
    group(w, "tool", "arm_link_5", {"lin_x", "lin_z"}).maskable = true;
    w.bounds_input = {"tool"};
  }
  {
    Words &w = add("limits, stops of the mechanism", "youbot_arm");
    w.margin = 0.2, w.rate = 5;
    w.limits_physical = true;
    w.limited = {"arm_joint_3", "arm_joint_5"}; // three joints are left for two rows
    w.layout.wrenches = {{"press", "arm_link_5", true}};
    group(w, "tool", "arm_link_5", {"lin_x", "lin_z"}).yields = true;
  }
  {
    Words &w = add("limits of some, stops with b at run time, friction", "gen3_6dof");
    w.margin = 1, w.rate = 10;
    w.limits_b_input = w.limits_physical = true;
    w.limited = {"joint_2", "joint_5"};
    w.coulomb = {{"joint_1", 4}, {"joint_2", 2}};
    group(w, "tool", "end_effector_link", {"lin_x", "lin_y", "lin_z"});
  }
  {
    Words &w = add("joints without motor", "youbot_arm");
    w.unactuated = true;
    w.layout.selection.passive = {"arm_joint_3", "arm_joint_5"};
    w.margin = 0.5, w.rate = 8;
    w.layout.wrenches = {{"press", "arm_link_4", true}};
    group(w, "tool", "arm_link_5", {"lin_x", "lin_z"}).maskable = true;
    w.between["tool"] = {-5, 5};
  }
  {
    Words &w = add("joints without motor, of which nothing is asked", "youbot_arm");
    w.layout.tau_art = false;
    w.layout.selection.passive = {"arm_joint_2"};
    w.coulomb_input = true;
    w.margin = 0.5, w.rate = 8;
    w.limits_physical = true;
    w.limited = {"arm_joint_2", "arm_joint_4"};
    group(w, "wall", "arm_link_5", {"lin_x"}).physical = true;
    w.between["wall"] = {0, none};
  }
  {
    Words &w = add("a loop tied by the environment", "four_bar");
    w.unactuated = true;
    w.layout.selection.passive = {"coupler_joint", "rocker_joint"};
    w.layout.tau_art = false;
    w.coulomb_input = true;
    w.viscous = "\"input\"";
    GroupSpec &pin = group(w, "pin", "rocker_pin", {"lin_x", "lin_z"});
    pin.to = "coupler_pin";
    pin.physical = true;
    group(w, "tool", "coupler_pin", {"lin_x"}).maskable = true;
    w.bounds_input = {"tool"};
  }
  {
    Words &w = add("a loop that pushes only, held by motors", "four_bar");
    GroupSpec &pin = group(w, "pin", "rocker_pin", {"lin_x", "lin_z"});
    pin.to = "coupler_pin";
    w.between["pin"] = {0, none};
    w.coulomb = {{"crank_joint", 0.5}};
  }
  {
    Words &w = add("four feet that push only", "quadruped");
    w.layout.selection.base = Base::floating;
    for (const char *foot : {"fl", "fr", "rl", "rr"}) {
      GroupSpec &g = group(w, foot, (std::string(foot) + "_foot").c_str(), {"lin_z"});
      g.physical = g.maskable = true;
      w.between[foot] = {0, none};
    }
    GroupSpec &slide = group(w, "slide", "fl_foot", {"lin_x", "lin_y"});
    slide.physical = true;
    w.contact["slide"] = -1;
  }
  {
    Words &w = add("a floating arm that pushes with its motors", "youbot_arm");
    w.unactuated = true;
    w.layout.selection.base = Base::floating;
    w.layout.matrix = true;
    w.layout.selection.passive = {"arm_joint_4"};
    w.layout.wrenches = {{"press", "arm_link_5", true}, {"push", "arm_link_0", false}};
    group(w, "tool", "arm_link_5", {"lin_x", "lin_y", "ang_z"}).yields = true;
    GroupSpec &ground = group(w, "ground", "arm_link_0", {"lin_z", "ang_x", "ang_y"});
    ground.physical = ground.maskable = true;
    w.between["tool"] = {-10, 10};
    w.between["ground"] = {0, none};
  }
  {
    Words &w = add("a planar base against a wall, wheels that slide", "youbot_base");
    w.layout.selection.base = Base::planar;
    GroupSpec &wall = group(w, "wall", "base_link", {"lin_x", "lin_y"});
    wall.physical = true;
    wall.axes = Axes::input;
    w.between["wall"] = {0, none};
    group(w, "wheel", "wheel_link_fl", {"lin_x", "lin_y"}).physical = true;
    w.contact["wheel"] = 0.6;
  }
  {
    Words &w = add("feet that push and rub", "quadruped");
    w.layout.selection.base = Base::floating;
    for (const char *foot : {"fl", "fr", "rl"}) {
      GroupSpec &g =
          group(w, foot, (std::string(foot) + "_foot").c_str(), {"lin_x", "lin_y", "lin_z"});
      g.physical = true;
      w.normal[foot] = "lin_z";
    }
    w.layout.groups[0].maskable = true;
    w.contact = {{"fl", 0.6}, {"fr", -1}, {"rl", 0.3}};
    w.layout.groups[1].axes = Axes::input;
    w.normal["fr"] = "lin_y";
    w.layout.groups[2].axes = Axes::link;
    w.layout.groups[2].classical = false; // b is the rate of the velocity along the rows
    w.layout.groups[2].rate = true;
    GroupSpec &alone = group(w, "rr", "rr_foot", {"lin_z"});
    alone.physical = true;
    w.normal["rr"] = "lin_z";
  }
  {
    Words &w = add("rows on joints, bounded", "youbot_arm");
    w.unactuated = true;
    w.layout.selection.passive = {"arm_joint_3"};
    const auto on_joints = [&](const char *name,
                               const std::vector<std::string> &joints) -> GroupSpec & {
      GroupSpec &g = group(w, name, "", {});
      g.joints = joints;
      return g;
    };
    on_joints("elbow", {"arm_joint_3"}).maskable = true;
    on_joints("wrist", {"arm_joint_5", "arm_joint_4"}).physical = true;
    w.bounds_input = {"elbow"};
    w.between["wrist"] = {-2, 0.5};
    w.coulomb = {{"arm_joint_1", 2}, {"arm_joint_5", 1}};
    group(w, "tool", "arm_link_5", {"lin_x", "lin_z"});
  }
  {
    Words &w = add("a single body, held and pushed", "drone");
    w.unactuated = true;
    w.layout.selection.base = Base::floating;
    w.layout.tau_art = w.layout.tau_phys = false;
    w.layout.wrenches = {{"wind", "frame", false}};
    GroupSpec &skid = group(w, "skid", "hook", {"lin_x", "lin_y", "lin_z"});
    skid.physical = true;
    w.normal["skid"] = "lin_z";
    w.contact["skid"] = 0.4;
    group(w, "rotors", "frame", {"lin_z", "ang_x", "ang_y"}).axes = Axes::link;
    w.between["rotors"] = {-3, 30};
    PayloadSpec load;
    load.name = "payload";
    load.frame = "hook";
    load.mass_input = load.com_input = load.inertia_input = true;
    w.layout.payloads = {load};
  }
  {
    Words &w = add("46 rows: feet, friction, limits and joints", "quadruped");
    w.layout.selection.base = Base::floating;
    for (const char *foot : {"fl", "fr", "rl", "rr"}) {
      GroupSpec &g =
          group(w, foot, (std::string(foot) + "_foot").c_str(), {"lin_x", "lin_y", "lin_z"});
      g.physical = true;
      w.normal[foot] = "lin_z";
      w.contact[foot] = 0.6;
    }
    GroupSpec &trunk = group(w, "trunk", "trunk", {"lin_z", "ang_x", "ang_y", "ang_z"});
    w.between["trunk"] = {-50, 50};
    trunk.maskable = true;
    GroupSpec g;
    g.name = "hips";
    g.joints = {"fl_hip_joint", "fr_hip_joint",  "rl_hip_joint",
                "rr_hip_joint", "fl_calf_joint", "fr_calf_joint"};
    w.layout.groups.push_back(g);
    w.between["hips"] = {-1, 1};
    w.coulomb_input = true;
    w.margin = 0.5, w.rate = 8;
    w.layout.tau_art = true;
    w.unactuated = true;
  }
  return all;
}

// Whether the row of a limit is in force, -1 at the lower, 1 at the upper limit, 0 at none; and its
// b.
int limit_of(const Words &w, const Joint &joint, real q, real qd, real *b) {
  const real below = q - joint.lower, above = joint.upper - q;
  const int side = below < w.margin && below <= above ? -1 : above < w.margin ? 1 : 0;
  const real d = side < 0 ? below : above, v = side < 0 ? -qd : qd;
  const real fast = std::max(0.0L, v - w.rate * d);
  const real against = 2 * w.rate * v - w.rate * w.rate * d + fast * fast / d;
  *b = side == 0 ? 0 : -side * against;
  return side;
}

bool has_limits(const Words &w, const Robot &robot, const Dof &dof) {
  bool named = w.limited.empty();
  for (const std::string &name : w.limited) named = named || name == dof.name;
  return w.margin > 0 && named && std::isfinite(robot.links[size_t(dof.link)].joint.lower);
}

// The bounds of row k of a group.
void append_bounds(const Words &w, const GroupSpec &g, int k, Posed &p, Random &random) {
  const std::string column = g.name + "." + g.row_name(k);
  real lo = -unbounded, hi = unbounded;
  if (w.between.count(g.name)) {
    lo = std::max(-unbounded, double(w.between.at(g.name)[0]));
    hi = std::min(unbounded, double(w.between.at(g.name)[1]));
  }
  if (w.bounds_input.count(g.name)) {
    lo = random.uniform(-20, 5);
    hi = random.chance(0.3) ? unbounded : double(lo) + random.uniform(0, 20);
    p.in["lo." + column] = double(lo);
    p.in["hi." + column] = hi >= unbounded ? INFINITY : double(hi);
  }
  append(p, lo, hi);
}

// The bounds of a contact's rows: with v the velocity along them and F the normal force, |nu| <= mu
// F where |v| is within the threshold, nu = -mu F v / |v| beyond. The normal's row only pushes.
void append_contact(const Words &w, const GroupSpec &g, int first, const Motion &motion, Posed &p,
                    Random &random) {
  double mu = w.contact.count(g.name) ? w.contact.at(g.name) : 0;
  if (mu < 0) p.in["mu." + g.name] = mu = random.uniform(0, 1);
  const double normal = p.in["normal." + g.name] = random.uniform(-10, 60);
  const real most = mu * std::max(0.0L, real(normal));
  Vec v(g.size());
  const auto pushes = [&](int k) {
    return w.normal.count(g.name) && w.normal.at(g.name) == g.row_name(k);
  };
  for (int k = 0; k < g.size(); k++) {
    const Row &row = p.problem.rows[size_t(first + k)];
    v[k] = pushes(k) ? 0 : row.a.dot(twist(motion, row.link));
  }
  const bool slides = v.norm() > threshold;
  for (int k = 0; k < g.size(); k++) {
    if (pushes(k)) {
      append(p, 0, unbounded);
      continue;
    }
    const real kinetic = slides ? -most * v[k] / v.norm() : 0;
    append(p, slides ? kinetic : -most, slides ? kinetic : most);
  }
}

Posed pose(const Robot &robot, const Words &w, const LayoutSpec &layout, Random &random) {
  SampleRange range;
  const bool slow = random.chance(0.4); // so that contacts stick
  if (slow) range.state.qd = range.state.base_lin = range.state.base_ang = 1e-3;
  Sample sample = random_sample(robot, layout, random, range);
  for (int i = 0; i < robot.nd(); i++) {
    const Joint &joint = robot.links[size_t(robot.dofs[size_t(i)].link)].joint;
    if (random.chance(0.5)) sample.state.qd[i] = random.uniform(-0.009, 0.009); // at rest
    if (!has_limits(w, robot, robot.dofs[size_t(i)])) continue;
    const double in = random.uniform(0.05, 1.5) * w.margin;
    sample.state.q[i] = random.chance(0.5) ? double(joint.lower) + in : double(joint.upper) - in;
  }
  Posed p;
  p.state = sample.state;
  p.in = input_columns(robot, layout, sample);
  const Motion motion = oracle::motion(robot, p.state);
  p.problem = problem_of(robot, layout, motion, sample);
  int row = 0;
  for (const GroupSpec &g : layout.groups) {
    const bool contact = w.contact.count(g.name) || w.normal.count(g.name);
    if (contact) append_contact(w, g, row, motion, p, random);
    for (int k = 0; k < g.size(); k++, row++) {
      if (!contact) append_bounds(w, g, k, p, random);
      if (!p.problem.rows[size_t(row)].active) p.lo[row] = p.hi[row] = 0;
    }
  }
  for (int i = 0; i < robot.nd(); i++) {
    const std::string &name = robot.dofs[size_t(i)].name;
    const double f = random.uniform(0, 5), c = random.uniform(0, 3);
    p.in["friction." + name] = f;
    p.in["viscous." + name] = c;
    if (w.viscous.empty()) continue;
    const real given = w.damping.empty() ? c : w.damping.count(name) ? w.damping.at(name) : 0;
    p.problem.tau_phys[i] -= given * p.state.qd[i];
  }
  const auto append_all_friction = [&] {
    for (int i = 0; i < robot.nd(); i++) {
      const std::string &name = robot.dofs[size_t(i)].name;
      if (w.coulomb_input) append_friction(p, i, p.in.at("friction." + name), threshold);
      if (w.coulomb.count(name)) append_friction(p, i, w.coulomb.at(name), threshold);
    }
  };
  // Rows with a set-point come first.
  if (!w.limits_b_input) append_all_friction();
  for (int i = 0; i < robot.nd(); i++) {
    const Dof &dof = robot.dofs[size_t(i)];
    if (!has_limits(w, robot, dof)) continue;
    Row limit;
    limit.joint = i;
    limit.physical = w.limits_physical;
    const int side =
        limit_of(w, robot.links[size_t(dof.link)].joint, p.state.q[i], p.state.qd[i], &limit.b);
    if (w.limits_b_input) p.in["b.limits." + dof.name] = double(limit.b = random.uniform(-5, 5));
    p.problem.rows.push_back(limit);
    append(p, side > 0 ? -unbounded : 0, side < 0 ? unbounded : 0);
  }
  if (w.limits_b_input) append_all_friction();
  return p;
}

int run_words(const Arguments &arguments, const Words &w) {
  const std::string urdf = arguments.robots + "/" + w.robot + ".urdf";
  const LayoutSpec layout = furnished(w);
  const Robot robot = read_urdf(urdf, layout.selection);
  std::vector<std::string> more;
  for (int i = 0; i < robot.nb(); i++)
    for (const char *of : {"base.acc", "base.wrench_ctrl"})
      more.push_back(of + velocities(robot)[size_t(i)].substr(4));
  for (const Dof &dof : robot.dofs)
    if (dof.passive) more.push_back("tau_unactuated." + identifier(dof.name));
  Random random(11);
  std::vector<Posed> states;
  for (int k = 0; k < arguments.states; k++) states.push_back(pose(robot, w, layout, random));
  BoundedProgram program({arguments.achdgen, urdf, lua(layout), "--snap 0"}, layout.name,
                         robot.nd(), int(states[0].problem.rows.size()), more);
  Table in;
  for (const Posed &p : states) in.push_back(program.arrange(p.in));
  Comparison out(w.title + ": " + w.robot);
  return judge(robot, program, states, in, out, w.unactuated);
}

// ---- reference vectors of static friction ----

std::string friction_layout(const ReferenceSet &set, const ReferenceRecord &record) {
  std::string text = "return {\n  armature = \"input\",\n  torques = { artificial = true },\n"
                     "  friction = { coulomb = \"input\", threshold = 1e-12 },\n  wrenches = {";
  int count = 0;
  for (const Wrench &w : record.problem.wrenches)
    text += " { name = \"w" + std::to_string(count++) + "\", kind = \"physical\", frame = \"" +
            set.robot.links[size_t(w.link)].name + "\" },";
  text += " },\n  groups = {";
  const auto &rows = record.problem.rows;
  for (size_t j = 0; j < rows.size(); j++)
    text += " { name = \"g" + std::to_string(j) + "\", rows = 1, frame = \"" +
            set.robot.links[size_t(rows[j].link)].name + "\" },";
  return text + " },\n}\n";
}

int run_reference(const Arguments &arguments) {
  const auto sets = read_reference(arguments.reference + "/friction.jsonl",
                                   {arguments.robots, arguments.reference + "/../robots"}, nullptr);
  if (sets.empty()) std::printf("SKIPPED reference friction: not there\n");
  int bad = 0;
  for (const ReferenceSet &set : sets) {
    Comparison out("Reference vectors of friction: " + set.robot_name);
    std::map<std::string, std::unique_ptr<BoundedProgram>> programs;
    for (const ReferenceRecord &record : set.records) {
      const Robot &robot = set.robot;
      const int m = int(record.problem.rows.size()) + robot.nd();
      const std::string layout = friction_layout(set, record);
      auto &made = programs[layout]; // many records share one
      if (!made)
        made = std::make_unique<BoundedProgram>(
            Generator{arguments.achdgen, set.path, layout, "--snap 0 --formulation joint"},
            identifier(robot.name), robot.nd(), m);
      BoundedProgram &program = *made;
      std::map<std::string, double> in;
      for (int i = 0; i < robot.nd(); i++) {
        const std::string &name = robot.dofs[size_t(i)].name;
        in["q." + name] = double(record.state.q[i]);
        in["qd." + name] = double(record.state.qd[i]);
        in["armature." + name] = double(record.state.armature[i]);
        in["tau_art." + name] = double(record.problem.tau_art[i]);
        in["friction." + name] = double(record.friction[i]);
      }
      for (int k = 0; k < 3; k++)
        in[std::string("gravity.") + "xyz"[k]] = double(record.state.gravity[k]);
      for (size_t w = 0; w < record.problem.wrenches.size(); w++)
        for (int k = 0; k < 6; k++)
          in["w" + std::to_string(w) + "." + words[k]] = double(record.problem.wrenches[w].f[k]);
      for (size_t j = 0; j < record.problem.rows.size(); j++) {
        const std::string g = "g" + std::to_string(j);
        in["b." + g + ".1"] = double(record.problem.rows[j].b);
        for (int k = 0; k < 6; k++)
          in["dir." + g + ".1." + words[k]] = double(record.problem.rows[j].a[k]);
      }
      const auto line = program.run({program.arrange(in)})[0];
      const std::string where = "record " + std::to_string(record.index);
      out.add("solved", line[size_t(program.output("solver"))], 0, where);
      out.add("qdd", relative(program.block(line, "qdd", robot.nd()), record.vdot), 1e-8, where);
      const int first = int(record.problem.rows.size());
      const Vec mu = program.block(line, "nu." + std::to_string(first), robot.nd());
      if (record.mu_unique) out.add("mu", relative(mu, record.mu), 1e-8, where);
    }
    bad += out.print();
  }
  return bad;
}

// ---- experiments by hand (Vukcevic 2018: one rod, 1 m, 1 kg, breakaway 10 N m, no gravity) ----

std::map<std::string, double> rod(double force, double b) {
  return {{"q.joint1", 0},   {"qd.joint1", 0},      {"gravity.x", 0},  {"gravity.y", 0},
          {"gravity.z", 0},  {"push.lin_x", force}, {"push.lin_y", 0}, {"push.lin_z", 0},
          {"push.ang_x", 0}, {"push.ang_y", 0},     {"push.ang_z", 0}, {"b.tip.ang_z", b}};
}

int run_experiments(const Arguments &arguments) {
  const std::string urdf = arguments.robots + "/arm1dof.urdf";
  const std::string push =
      "return {\n  friction = \"urdf\",\n"
      "  wrenches = { { name = \"push\", frame = \"tip\", kind = \"physical\" } },\n";
  Comparison out("Experiments with static friction, by hand");
  BoundedProgram free({arguments.achdgen, urdf, push + "  groups = {},\n}\n"}, "arm1dof", 1, 1);
  // the rod is along y: a force F along x turns it by -F
  const auto check = [&](const BoundedProgram &p, const std::vector<double> &line, int row,
                         const std::string &what, double nu, double qdd) {
    out.add(what + ": reaction", std::fabs(double(p.block(line, "nu", p.rows)[row]) - nu), 1e-12);
    out.add(what + ": qdd", std::fabs(double(p.block(line, "qdd", 1)[0]) - qdd), 1e-12);
  };
  auto without_b = [&](double force) {
    auto in = rod(force, 0);
    in.erase("b.tip.ang_z");
    return free.run({free.arrange(in)})[0];
  };
  check(free, without_b(5), 0, "5 N m against 10", 5, 0);
  check(free, without_b(11), 0, "11 N m against 10", 10, -3);
  check(free, without_b(-11), 0, "11 N m the other way", -10, 3);
  BoundedProgram held(
      {arguments.achdgen, urdf,
       push + "  groups = { { name = \"tip\", frame = \"tip\", rows = { \"ang_z\" } } },\n}\n"},
      "arm1dof", 1, 2);
  const auto line = held.run({held.arrange(rod(0, 5))})[0];
  check(held, line, 1, "5 rad/s^2 imposed: a vertex", -10, 5);
  return out.print();
}

// ---- input that means nothing ----

int run_bad_input(const Arguments &arguments) {
  const std::string urdf = arguments.robots + "/arm1dof.urdf";
  const std::string layout = "return {\n  friction = \"input\",\n  gravity = { 0, 0, 0 },\n"
                             "  groups = { { name = \"tip\", frame = \"tip\", rows = { \"lin_x\" "
                             "}, bounds = \"input\" } },\n}\n";
  BoundedProgram program({arguments.achdgen, urdf, layout}, "arm1dof", 1, 2);
  Comparison out("Input that means nothing");
  const auto check = [&](const std::string &what, double friction, double lo, double hi, bool bad) {
    const auto line = program.run({program.arrange({{"q.joint1", 0},
                                                    {"qd.joint1", 0},
                                                    {"friction.joint1", friction},
                                                    {"b.tip.lin_x", 1},
                                                    {"lo.tip.lin_x", lo},
                                                    {"hi.tip.lin_x", hi}})})[0];
    const bool told = (unsigned(line[0]) & BAD_INPUT) != 0;
    const bool refused = line[size_t(program.output("solver"))] == 4; /* ACHD_MCLP_BAD_INPUT */
    out.add(what + ": status", told != bad, 0);
    out.add(what + ": refused by the solver", refused != bad, 0);
    out.add(what + ": nu", bad ? double(program.block(line, "nu", 2).cwiseAbs().maxCoeff()) : 0, 0);
  };
  check("fine", 1, -1, 1, false);
  check("infinite bounds", 1, -INFINITY, INFINITY, false);
  check("lower above upper", 1, 2, 1, true);
  check("negative friction", -1, -1, 1, true);
  const auto moving = program.run({program.arrange({{"q.joint1", 0},
                                                    {"qd.joint1", 1},
                                                    {"friction.joint1", -1},
                                                    {"b.tip.lin_x", 1},
                                                    {"lo.tip.lin_x", -1},
                                                    {"hi.tip.lin_x", 1}})})[0];
  out.add("negative friction in motion: status", (unsigned(moving[0]) & BAD_INPUT) == 0, 0);
  check("NaN below", 1, NAN, 1, true);
  check("NaN above", 1, -1, NAN, true);
  return out.print();
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 60);
  int bad = 0;
  const auto wanted = [&](const char *title) { return std::strstr(title, arguments.only.c_str()); };
  if (wanted("experiments")) bad += run_experiments(arguments);
  if (wanted("bad input")) bad += run_bad_input(arguments);
  for (const Case &c : cases)
    if (wanted(c.robot)) bad += run_case(arguments, c);
  for (const Words &w : words_of_bounds())
    if (wanted(w.title.c_str())) bad += run_words(arguments, w);
  if (wanted("reference")) bad += run_reference(arguments);
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
