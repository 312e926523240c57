/* SPDX-License-Identifier: MIT */
#include "bounded_words.hpp"

#include <cmath>

#include "linear.hpp"

namespace oracle {

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
  p.branch.push_back(rests ? joint_rests : qd < 0 ? joint_moves_back : joint_moves);
  append(p, rests ? -f : kinetic, rests ? f : kinetic);
}

namespace {

const double threshold = 0.01; // of friction [rad/s, m/s]

std::string lua_table(const std::map<std::string, double> &entries) {
  std::string out = "{ ";
  for (const auto &[name, value] : entries) out += name + " = " + std::to_string(value) + ", ";
  return out + "}";
}

} // namespace

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
    if (w.soft.count(g.name))
      g.more += (g.more.empty() ? "compliance = " : ", compliance = ") +
                std::to_string(w.soft.at(g.name));
  }
  if (w.coulomb_input || !w.coulomb.empty() || !w.viscous.empty()) {
    layout.more += "  friction = { threshold = " + std::to_string(threshold) + ", ";
    if (w.coulomb_input) layout.more += "coulomb = \"input\", ";
    if (!w.coulomb.empty()) layout.more += "coulomb = " + lua_table(w.coulomb) + ", ";
    if (!w.viscous.empty()) layout.more += "viscous = " + w.viscous;
    layout.more += " },\n";
  }
  if (w.braking > 0) {
    layout.more += "  limits = { rate = " + std::to_string(w.rate) +
                   ", acceleration = " + std::to_string(w.braking) +
                   ", period = " + std::to_string(w.step);
    if (w.fastest > 0) {
      layout.more += ", velocity = { ";
      for (const std::string &joint : w.limited)
        layout.more += joint + " = " + std::to_string(w.fastest) + ", ";
      layout.more += "}";
    }
    layout.more += ", joints = { ";
    for (const std::string &joint : w.limited) layout.more += "\"" + joint + "\", ";
    layout.more += "} },\n";
  } else if (w.margin > 0) {
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
    Words &w = add("limits in time, of velocity too", "youbot_arm");
    w.margin = 0.3, w.rate = 4; // so far from its limits it is drawn at most
    w.braking = 12, w.fastest = 0.8, w.step = 0.125;
    w.limited = {"arm_joint_1", "arm_joint_2", "arm_joint_3", "arm_joint_5"};
    group(w, "tool", "arm_link_5", {"lin_x", "lin_z"}).maskable = true;
    w.between["tool"] = {-15, 40};
  }
  {
    Words &w = add("limits in time", "youbot_arm");
    w.margin = 0.2, w.rate = 8;
    w.braking = 9, w.step = 0.125;
    w.limited = {"arm_joint_2", "arm_joint_4"};
    w.coulomb = {{"arm_joint_1", 0.5}};
    group(w, "tool", "arm_link_5", {"lin_x"});
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
    Words &w = add("soft contacts of an arm", "gen3_6dof");
    GroupSpec &pad = group(w, "pad", "end_effector_link", {"lin_x", "lin_y", "lin_z"});
    pad.physical = true;
    w.normal["pad"] = "lin_z";
    w.contact["pad"] = 0.5;
    w.soft = {{"pad", 0.25}, {"hold", 1.5}};
    group(w, "hold", "forearm_link", {"lin_x", "ang_y"}).maskable = true;
    w.between["hold"] = {-6, 6};
    w.coulomb = {{"joint_1", 2}};
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

namespace {

// Whether the row of a limit is in force, -1 at the lower, 1 at the upper limit, 0 at none; and its
// b; fast: it is beyond what a critically damped approach has.
int limit_of(const Words &w, const Joint &joint, real q, real qd, real *b, bool *is_fast) {
  const real below = q - joint.lower, above = joint.upper - q;
  const int side = below < w.margin && below <= above ? -1 : above < w.margin ? 1 : 0;
  const real d = side < 0 ? below : above, v = side < 0 ? -qd : qd;
  const real fast = std::max(0.0L, v - w.rate * d);
  const real against = 2 * w.rate * v - w.rate * w.rate * d + fast * fast / d;
  *b = side == 0 ? 0 : -side * against;
  *is_fast = side != 0 && fast > 0;
  return side;
}

// The most that a joint may accelerate towards a limit at distance d at the speed v towards it, and the
// branch: braking with a stops at the limit from the speed after the step, speed^2 = 2 a (d - h (v +
// speed) / 2); it comes back from beyond by the rate.
real most_in_time(const Words &w, real d, real v, int *branch) {
  const real a = w.braking, h = w.step, left = d - h * v / 2;
  real speed = d < 0      ? w.rate * d
               : left > 0 ? (std::sqrt(a * a * h * h + 8 * a * left) - a * h) / 2
                          : 0;
  const bool fast = w.fastest > 0 && std::abs(speed) > w.fastest;
  if (fast) speed = std::copysign(real(w.fastest), speed);
  const real x = (speed - v) / h;
  *branch = limit_in_time + (d < 0) + 2 * (left > 0) + 4 * fast + 8 * (x > a) + 16 * (x < -a);
  return std::min(a, std::max(-a, x));
}

bool has_limits(const Words &w, const Robot &robot, const Dof &dof) {
  bool named = w.limited.empty();
  for (const std::string &name : w.limited) named = named || name == dof.name;
  return w.margin > 0 && named && std::isfinite(robot.links[size_t(dof.link)].joint.lower);
}

// An input, drawn where the state does not have it yet.
template <typename Draw> double given(Posed &p, const std::string &name, Draw draw) {
  const auto there = p.in.find(name);
  return there != p.in.end() ? there->second : p.in[name] = draw();
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
    lo = given(p, "lo." + column, [&] { return random.uniform(-20, 5); });
    hi = given(p, "hi." + column,
               [&] { return random.chance(0.3) ? INFINITY : double(lo) + random.uniform(0, 20); });
    if (std::isinf(double(hi))) hi = unbounded;
  }
  append(p, lo, hi);
}

// The bounds of a contact's rows: with v the velocity along them and F the normal force, |nu| <= mu
// F where |v| is within the threshold, nu = -mu F v / |v| beyond. The normal's row only pushes.
void append_contact(const Words &w, const GroupSpec &g, int first, const Motion &motion, Posed &p,
                    Random &random) {
  double mu = w.contact.count(g.name) ? w.contact.at(g.name) : 0;
  if (mu < 0) mu = given(p, "mu." + g.name, [&] { return random.uniform(0, 1); });
  const double normal = given(p, "normal." + g.name, [&] { return random.uniform(-10, 60); });
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
  p.branch.push_back(slides ? contact_slides : contact_sticks);
  for (int k = 0; k < g.size(); k++) {
    if (pushes(k)) {
      append(p, 0, unbounded);
      continue;
    }
    const real kinetic = slides ? -most * v[k] / v.norm() : 0;
    append(p, slides ? kinetic : -most, slides ? kinetic : most);
  }
}

} // namespace

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
  p.sample = sample;
  p.in = input_columns(robot, layout, sample);
  define(robot, w, layout, p, random);
  return p;
}

void define(const Robot &robot, const Words &w, const LayoutSpec &layout, Posed &p,
            Random &random) {
  p.state = p.sample.state;
  p.lo.resize(0), p.hi.resize(0), p.branch.clear();
  const Motion motion = oracle::motion(robot, p.state);
  p.problem = problem_of(robot, layout, motion, p.sample);
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
    given(p, "friction." + name, [&] { return random.uniform(0, 5); });
    const double c = given(p, "viscous." + name, [&] { return random.uniform(0, 3); });
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
  // In time: the lower limits of all joints, then the upper ones.
  for (int side = -1; w.braking > 0 && side <= 1; side += 2)
    for (int i = 0; i < robot.nd(); i++) {
      const Dof &dof = robot.dofs[size_t(i)];
      if (!has_limits(w, robot, dof)) continue;
      const Joint &joint = robot.links[size_t(dof.link)].joint;
      const real q = p.state.q[i];
      int branch;
      Row limit;
      limit.joint = i;
      limit.b = side * most_in_time(w, side < 0 ? q - joint.lower : joint.upper - q,
                                    side * real(p.state.qd[i]), &branch);
      p.branch.push_back(branch);
      p.problem.rows.push_back(limit);
      append(p, side > 0 ? -unbounded : 0, side < 0 ? unbounded : 0);
    }
  for (int i = 0; i < robot.nd(); i++) {
    const Dof &dof = robot.dofs[size_t(i)];
    if (w.braking > 0 || !has_limits(w, robot, dof)) continue;
    Row limit;
    limit.joint = i;
    limit.physical = w.limits_physical;
    bool fast;
    const int side = limit_of(w, robot.links[size_t(dof.link)].joint, p.state.q[i], p.state.qd[i],
                              &limit.b, &fast);
    p.branch.push_back(limit_acts + side + (fast ? 4 : 0));
    if (w.limits_b_input)
      limit.b = given(p, "b.limits." + dof.name, [&] { return random.uniform(-5, 5); });
    p.problem.rows.push_back(limit);
    append(p, side > 0 ? -unbounded : 0, side < 0 ? unbounded : 0);
  }
  if (w.limits_b_input) append_all_friction();
  p.soft = Vec::Zero(p.lo.size());
  row = 0;
  for (const GroupSpec &g : layout.groups)
    for (int k = 0; k < g.size(); k++, row++)
      if (w.soft.count(g.name)) p.soft[row] = w.soft.at(g.name);
}

} // namespace oracle
