/* SPDX-License-Identifier: MIT */
// scaled_test.cpp: saturate = "scale": the set-points of the artificial rows shortened to the largest
// share s, at most 1, with which every motor is within its limits. The share is sought by an oracle
// that knows no intervals: bisection, in long double, of whole solves with s b (kkt.hpp), from a
// share that is found to fit by trying a thousand. Where it is found, the motion has A^T a = s b, on a
// line with b, and where not, torques are clamped. Loads that no share of b bears, limits that
// only some share reaches (from below), shares of 0 and of 1; physical rows keep their b; bases,
// passive joints, wrenches, masks, rows that yield, float. Arguments:
// oracle/arguments.hpp.
#include "oracle/arguments.hpp"
#include "oracle/group.hpp"
#include "oracle/judge.hpp"
#include "oracle/runs.hpp"

using namespace oracle;

namespace {

struct Case {
  std::string title, urdf, flags;
  LayoutSpec layout;
  double force = 20, b = 20; // how large wrenches and set-points are
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string &title, const std::string &urdf,
                       std::vector<GroupSpec> groups) -> Case & {
    Case c;
    c.title = title;
    c.urdf = urdf;
    c.layout.name = "robot";
    c.layout.groups = groups;
    c.layout.tau_phys = c.layout.tau_art = true;
    c.layout.outputs = {"qdd", "nu", "tau_ctrl", "scale"};
    c.layout.more = "  saturate = \"scale\",\n";
    all.push_back(c);
    return all.back();
  };
  for (const std::string formulation : {"recursion", "joint"}) {
    Case &c = add("gen3, " + formulation, "gen3.urdf",
                  {group("tool", "tool_frame"), group("wall", "forearm_link", {"lin_x"}, true)});
    c.layout.groups[0].maskable = true;
    c.layout.armature_input = true;
    c.flags = "--formulation " + formulation;
    c.layout.selection.effort = {{"joint_1", 50}, {"joint_2", 60}, {"joint_4", 30}};
  }
  {
    Case &c =
        add("gen3, weak", "gen3.urdf", {group("tool", "tool_frame", {"lin_x", "lin_y", "lin_z"})});
    c.layout.selection.effort = {
        {"joint_1", 50}, {"joint_2", 60}, {"joint_3", 40}, {"joint_4", 35}};
    c.layout.wrenches = {{"press", "tool_frame", true}, {"push", "forearm_link", false}};
    c.layout.groups[0].yields = true;
    c.b = 30;
  }
  {
    Case &c =
        add("quadruped, feet that hold", "quadruped.urdf",
            {group("swing", "fr_foot", {"lin_x", "lin_z"}), group("trunk", "trunk", {"lin_z"}),
             group("fl", "fl_foot", {"lin_x", "lin_y", "lin_z"}, true),
             group("rr", "rr_foot", {"lin_x", "lin_y", "lin_z"}, true)});
    c.layout.selection.base = Base::floating;
    for (const char *leg : {"fl", "fr", "rl", "rr"})
      for (const char *joint : {"hip", "thigh", "calf"})
        c.layout.selection.effort[std::string(leg) + "_" + joint + "_joint"] = 12;
    c.b = 120;
  }
  {
    Case &c = add("youbot arm on its platform, a passive joint", "youbot.urdf",
                  {group("grip", "gripper_palm_link", {"lin_x", "lin_z"})});
    c.layout.selection.base = Base::planar;
    c.layout.selection.tips = {"gripper_palm_link"};
    c.layout.selection.passive = {"arm_joint_5"};
    c.layout.singularity = Policy::drop;
    for (int k = 1; k < 5; k++) c.layout.selection.effort["arm_joint_" + std::to_string(k)] = 12;
  }
  return all;
}

// One solve with the share s of the artificial rows' b.
Solution with_share(const Robot &robot, const Motion &at, const Problem &problem, real s) {
  Problem p = problem;
  p.saturate = false;
  for (Row &row : p.rows)
    if (!row.physical) row.b *= s;
  return solve(robot, at, p);
}

real excess(const Robot &robot, const Vec &tau) { // over the limits; not positive: within
  real most = -1e30L;
  for (int j = 0; j < robot.nd(); j++)
    if (const Dof &dof = robot.dofs[size_t(j)]; !dof.passive && std::isfinite(double(dof.effort)))
      most = std::max(most, std::abs(tau[j]) - dof.effort);
  return most;
}

struct Share {
  bool found = false, narrow = false; // narrow: hardly any share fits, or 1 hardly does
  real s = 1;
};

// Torques are affine in s, so their excess is convex: what fits is one interval of s.
Share largest_share(const Robot &robot, const Motion &at, const Problem &problem) {
  const Vec t0 = with_share(robot, at, problem, 0).tau_ctrl;
  const Vec half = with_share(robot, at, problem, 0.5L).tau_ctrl;
  const auto over = [&](real s) { return excess(robot, t0 + 2 * s * (half - t0)); };
  Share out;
  const int steps = 2000;
  int last = -1, fitting = 0;
  for (int k = 0; k <= steps; k++)
    if (over(real(k) / steps) <= 0) last = k, fitting++;
  out.found = last >= 0;
  out.narrow = fitting > 0 && fitting < 3;
  // none of the trials fits, but one between two may
  for (int k = 0; k < steps && !out.found; k++)
    if (over((k + 0.5L) / steps) < 0.01L) out.narrow = true;
  if (!out.found) return out;
  real fits = real(last) / steps, beyond = std::min(1.0L, fits + 1.0L / steps);
  if (last < steps) {
    for (int k = 0; k < 80; k++) {
      const real middle = (fits + beyond) / 2;
      (over(middle) <= 0 ? fits : beyond) = middle;
    }
  }
  out.s = fits;
  out.narrow |= std::abs(over(1)) < 1e-6L;
  return out;
}

int run_case(const Case &c, const Arguments &arguments, bool single) {
  const LayoutSpec &layout = c.layout;
  const Robot robot = read_urdf(arguments.robots + "/" + c.urdf, layout.selection);
  Evaluator program({arguments.achdgen, arguments.robots + "/" + c.urdf, lua(layout),
                     c.flags + " --snap 0 --real " + (single ? "float" : "double")});
  Comparison errors(c.title + (single ? ", float" : ""));
  Random random(29);
  SampleRange range;
  range.b = c.b, range.force = c.force;
  Table in;
  std::vector<Sample> samples;
  for (int i = 0; i < arguments.states; i++) {
    samples.push_back(random_sample(robot, layout, random, range));
    in.push_back(program.arrange(input_columns(robot, layout, samples.back())));
  }
  const Table got = program.run(in);
  const ColumnNames names = names_of(robot, layout);
  int whole = 0, part = 0, none = 0, from_below = 0;
  for (size_t i = 0; i < samples.size(); i++) {
    const Motion at = motion(robot, samples[i].state);
    Problem problem = problem_of(robot, layout, at, samples[i]);
    problem.policy = Policy::exact;
    const Solution plain = with_share(robot, at, problem, 1);
    if (!(plain.cond < (single ? 1e3 : 1e6))) continue;
    const Share share = largest_share(robot, at, problem);
    if (share.narrow) continue;
    const std::string where = "state " + std::to_string(i);
    const double tolerance = single ? 2e-2 : 1e-8;
    const unsigned status = unsigned(got[i][size_t(program.output("status"))]);
    const double scale = got[i][size_t(program.output("scale"))];
    const bool all = share.found && share.s >= 1;
    (all ? whole : share.found ? part : none)++;
    if (share.found && excess(robot, with_share(robot, at, problem, 0).tau_ctrl) > 0) from_below++;
    errors.add("scale", std::abs(scale - double(share.found ? share.s : 0)), single ? 1e-3 : 1e-9,
               where);
    errors.add("SATURATED where scale < 1", ((status & SATURATED) != 0) == all, 0, where);
    // the motion of these torques, with the contacts as equalities and nothing where no motor is
    Problem driven = problem;
    if (share.found)
      for (Row &row : driven.rows)
        if (!row.physical) row.b *= share.s;
    driven.saturate = true;
    const Solution want = solve(robot, at, driven);
    const Vec tau = picked(program, got[i], "tau_ctrl.", names.joints);
    const Vec qdd = picked(program, got[i], "qdd.", names.joints);
    errors.add("tau_ctrl", relative(tau, want.tau_ctrl), tolerance, where);
    errors.add("within the limits", std::max(0.0, double(excess(robot, tau))),
               single ? 1e-4 : 1e-12, where);
    errors.add("qdd", relative(qdd, Vec(want.vdot.tail(robot.nd()))), tolerance, where);
    errors.add("nu", relative(picked(program, got[i], "nu.", names.rows), want.nu), tolerance,
               where);
    // the direction of b stays, where motors are all there is to it
    bool moves = at.nb == 0 && share.found && layout.selection.passive.empty();
    for (const Row &row : problem.rows) {
      if (!moves || !row.active || row.physical || row.yields) continue;
      real gamma;
      const real a = row_jacobian(at, row, &gamma).dot(qdd);
      errors.add("A^T a = s b", std::abs(double(a + gamma - share.s * row.b)), single ? 0.5 : 1e-6,
                 where);
    }
  }
  int bad = errors.print();
  std::printf("  all of b in %d states, part in %d (of them %d where none of it does not fit), "
              "none in %d\n",
              whole, part, from_below, none);
  if (!single && (whole == 0 || part == 0)) bad++, std::printf("  BAD: one kind was not seen\n");
  return bad;
}

// Motors and contacts alone: the torques are those that the same solve without limits has for s b.
int run_motors(const Arguments &arguments) {
  LayoutSpec layout;
  layout.name = "robot";
  layout.selection.base = Base::floating;
  layout.groups = {group("trunk", "trunk"),
                   group("fl", "fl_foot", {"lin_x", "lin_y", "lin_z"}, true),
                   group("fr", "fr_foot", {"lin_x", "lin_y", "lin_z"}, true),
                   group("rr", "rr_foot", {"lin_x", "lin_y", "lin_z"}, true)};
  const std::string urdf = arguments.robots + "/quadruped.urdf";
  const std::string motors = "  realise = \"motors\",\n";
  layout.outputs = {"tau_ctrl", "nu"};
  layout.more = motors;
  Evaluator free({arguments.achdgen, urdf, lua(layout)});
  layout.outputs.push_back("scale");
  layout.more = motors + "  saturate = \"scale\",\n";
  for (const char *leg : {"fl", "fr", "rl", "rr"})
    for (const char *joint : {"hip", "thigh", "calf"})
      layout.selection.effort[std::string(leg) + "_" + joint + "_joint"] = 200;
  const Robot robot = read_urdf(urdf, layout.selection);
  Evaluator program({arguments.achdgen, urdf, lua(layout)});
  const ColumnNames names = names_of(robot, layout);
  Comparison errors("quadruped, motors alone");
  Random random(11);
  SampleRange range;
  range.b = 300;
  Table in;
  std::vector<Sample> samples;
  for (int i = 0; i < arguments.states; i++) {
    samples.push_back(random_sample(robot, layout, random, range));
    in.push_back(program.arrange(input_columns(robot, layout, samples.back())));
  }
  const Table got = program.run(in);
  Table shorter;
  for (size_t i = 0; i < got.size(); i++) {
    for (real &b : samples[i].b[0]) b = double(b) * got[i][size_t(program.output("scale"))];
    shorter.push_back(free.arrange(input_columns(robot, layout, samples[i])));
  }
  const Table want = free.run(shorter);
  int part = 0;
  for (size_t i = 0; i < got.size(); i++) {
    const double s = got[i][size_t(program.output("scale"))];
    const bool told = unsigned(got[i][size_t(program.output("status"))]) & SATURATED;
    errors.add("SATURATED where scale < 1", told != (s < 1), 0);
    const Vec tau = picked(program, got[i], "tau_ctrl.", names.joints);
    errors.add("within the limits", std::max(0.0, double(excess(robot, tau))), 1e-12);
    if (s <= 0 || unsigned(got[i][size_t(program.output("status"))]) & SINGULAR) continue;
    part += s < 1;
    errors.add("tau_ctrl", relative(tau, picked(free, want[i], "tau_ctrl.", names.joints)), 1e-7);
    if (s < 1) errors.add("a motor at its limit", std::abs(double(excess(robot, tau))), 1e-6);
  }
  const int bad = errors.print();
  std::printf("  part of b in %d of %zu states\n", part, got.size());
  return bad + (4 * part < int(got.size())); // enough of them shortened
}

// One joint: t0 = the load, t1 = the inertia times b; by hand.
int run_by_hand(const Arguments &arguments) {
  Evaluator program(
      {arguments.achdgen, arguments.robots + "/arm1dof.urdf",
       "return {\n  name = \"robot\",\n  gravity = { 0, 0, 0 },\n"
       "  saturate = \"scale\",\n  torques = { artificial = true, physical = true },\n"
       "  groups = { { name = \"axis\", joint = \"joint1\" } },\n}\n"});
  const Columns &names = program.columns();
  const Robot robot = read_urdf(arguments.robots + "/arm1dof.urdf");
  const double limit = double(robot.dofs[0].effort);
  const Motion at = motion(robot, rest(robot));
  const double M = double(at.M(0, 0));
  int bad = 0;
  const auto check = [&](const char *what, double load, double b, double scale, double tau) {
    std::map<std::string, double> in;
    for (const Column &column : names.in) in[column.name] = 0;
    in["tau_phys.joint1"] = -load * limit;
    in["b.axis.joint1"] = b * limit / M;
    const auto got = program.run({program.arrange(in)})[0];
    const double s = got[size_t(program.output("scale"))],
                 t = got[size_t(program.output("tau_ctrl.joint1"))] / limit;
    const bool told = unsigned(got[size_t(program.output("status"))]) & SATURATED;
    if (!(std::abs(s - scale) < 1e-12 && std::abs(t - tau) < 1e-12 && told == (scale < 1)))
      bad++, std::printf("  BAD %s: scale %g, torque %g\n", what, s, t);
  };
  check("all of it", 0.25, 0.5, 1, 0.75);
  check("the upper limit", 0.5, 1, 0.5, 1);
  check("the lower limit", -0.5, -2, 0.25, -1);
  check("nothing is left", 1, 1, 0, 1);
  check("away from a load beyond the upper limit: whole", 1.5, -1, 1, 0.5);
  check("away from a load beyond the lower limit: part", -1.5, 4, 0.625, 1);
  check("not enough to come within", 1.5, -0.25, 0, 1);
  check("a load beyond the limit", 1.5, 1, 0, 1);
  check("a load beyond the limit, and nothing asked for", -1.5, 0, 0, -1);
  check("nothing asked for", 0.5, 0, 1, 0.5);
  check("hardly anything asked for", 0.5, 1e-300, 1, 0.5);
  check("far too much", 0, 1e12, 1e-12, 1);
  std::printf("one joint, by hand: %d bad\n", bad);
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 60, 1500);
  Runs runs(arguments);
  for (const Case &c : cases())
    for (const bool single : {false, true})
      runs(c.title, [&] { return run_case(c, arguments, single); });
  runs("motors", [&] { return run_motors(arguments); });
  runs("by hand", [&] { return run_by_hand(arguments); });
  return runs.end();
}
