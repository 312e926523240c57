/* SPDX-License-Identifier: MIT */
// oracle_test.cpp: the oracles against one another and against reference vectors, without the
// generator: what the other tests judge with is judged here.
// Arguments: oracle/arguments.hpp.
#include <fstream>

#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/kdl_oracle.hpp"
#include "oracle/mujoco_oracle.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/reference.hpp"
#include "oracle/states.hpp"

using namespace oracle;

namespace {

// KDL and MuJoCo work in double: a chain of ten bodies loses two or three digits of 1e-16, and
// solving for accelerations multiplies by the condition of M (1e4 and more, wrists against
// shoulders).
const double kinematic_tolerance = 1e-13;
const double dynamic_tolerance = 1e-10;
// KDL's own error at row systems of condition c: its SVD-based solve and M's condition on top.
double kdl_tolerance(real cond) {
  return std::max(1e-9, 1e-11 * double(cond));
}
// The reference's arithmetic is long double, its numbers are printed as doubles.
double reference_tolerance(real cond) {
  return std::max(1e-12, 1e-14 * double(cond));
}

int deepest(const Robot &robot) {
  int best = 0, depth = -1;
  for (int i = 0; i < int(robot.links.size()); i++) {
    int d = 0;
    for (int k = i; robot.links[k].parent >= 0; k = robot.links[k].parent)
      d += 1000 * (robot.links[k].joint.type != JointType::fixed) + 1;
    if (d > depth) {
      depth = d;
      best = i;
    }
  }
  return best;
}

Problem random_problem(const Robot &robot, Random &random, int link, int max_rows) {
  Problem problem;
  const bool classical = random.chance(0.5);
  const Mat3 axes = random.chance(0.3) ? Mat3(Mat3::Identity()) : random.rotation();
  problem.rows = six_rows(link, axes, classical, false);
  int left = max_rows;
  for (Row &row : problem.rows) {
    row.b = random.uniform(-5, 5);
    row.active = left > 0 && random.chance(0.7);
    left -= row.active;
  }
  problem.tau_phys = Vec(robot.nd());
  problem.tau_art = Vec(robot.nd());
  for (int i = 0; i < robot.nd(); i++) {
    problem.tau_phys[i] = random.uniform(-10, 10);
    problem.tau_art[i] = random.uniform(-10, 10);
  }
  for (int k = 0; k < 3; k++)
    problem.wrenches.push_back(
        {random.below(int(robot.links.size())), random.vec6(20, 2), random.chance(0.5)});
  return problem;
}

std::string where(const std::string &name, int state, real cond) {
  char text[200];
  std::snprintf(text, sizeof text, "%s state %d cond %.1e", name.c_str(), state, double(cond));
  return text;
}

// qdd, nu, accelerations, constraint_torques, M, h, J, pose of a serial robot.
void against_kdl(const Robot &robot, Random &random, int states, Comparison &out) {
  const int tip = deepest(robot);
  for (int s = 0; s < states; s++) {
    StateRange range;
    range.armature = s % 2 ? 0.5 : 0;
    const State state = random_state(robot, random, range);
    const Motion at = motion(robot, state);
    const Problem problem = random_problem(robot, random, tip, std::min(6, robot.nd()));
    const Solution ours = solve(robot, at, problem);
    const std::string place = where(robot.name, s, ours.cond);

    const KdlModel model = kdl_model(robot, state, tip);
    out.add("KDL pose",
            std::max(relative(model.R, at.links[tip].R), relative(model.p, at.links[tip].p)),
            kinematic_tolerance, place);
    out.add("KDL Jacobian", relative(model.J, jacobian(at, tip)), kinematic_tolerance, place);
    const Mat M = at.M - Mat(state.armature.asDiagonal());
    // Its JntToMass counts no rotors in 1.5.1.
    const double with = relative(model.M, at.M), without = relative(model.M, M);
    out.add("KDL M", std::min(with, without), kinematic_tolerance * 10, place);
    out.add("KDL h", relative(model.h, at.h), kinematic_tolerance * 10, place);

    if (!(ours.cond < 1e9L)) continue;
    const KdlResult kdl = kdl_solve(robot, state, problem, tip);
    const double tolerance = kdl_tolerance(ours.cond);
    out.add("KDL qdd", relative(kdl.qdd, ours.vdot), tolerance, place);
    out.add("KDL nu", relative(kdl.nu, ours.nu), tolerance, place);
    out.add("KDL constraint_torques", relative(kdl.constraint_torques, ours.tau_apparent),
            tolerance, place);
    for (size_t k = 0; k < kdl.acc.size(); k++)
      out.add("KDL link accelerations",
              relative(kdl.acc[k], acceleration(at, kdl.acc_link[k], ours.vdot, false)), tolerance,
              place);
  }
}

// M, bias, Jacobians, poses, forward dynamics; and tau_ctrl driving it to the set-points.
void against_mujoco(const Robot &robot, Random &random, int states, Comparison &out) {
  Mujoco mujoco(robot);
  for (int s = 0; s < states; s++) {
    StateRange range;
    range.armature = s % 2 ? 0.5 : 0;
    const State state = random_state(robot, random, range);
    const Motion at = motion(robot, state);
    const int link = random.below(int(robot.links.size()));
    Problem problem = random_problem(robot, random, deepest(robot), std::min(6, robot.nd()));
    const Solution ours = solve(robot, at, problem);
    const std::string place = where(robot.name, s, ours.cond);

    mujoco.set(state);
    out.add("MuJoCo pose",
            std::max(relative(mujoco.R(link), at.links[link].R),
                     relative(mujoco.p(link), at.links[link].p)),
            kinematic_tolerance, place);
    out.add("MuJoCo Jacobian", relative(mujoco.jacobian(link), jacobian(at, link)),
            kinematic_tolerance, place);
    out.add("MuJoCo M", relative(mujoco.M(), at.M), kinematic_tolerance * 10, place);
    out.add("MuJoCo h", relative(mujoco.h(), at.h), kinematic_tolerance * 10, place);

    const MassMotion mass = mass_motion(robot, state, at);
    const Mujoco::Mass theirs = mujoco.mass();
    out.add("MuJoCo centre of mass", relative(theirs.c, mass.c), kinematic_tolerance, place);
    out.add("MuJoCo its Jacobian", relative(theirs.J, mass.J), kinematic_tolerance, place);
    out.add("MuJoCo angular momentum", relative(theirs.l, mass.l), kinematic_tolerance * 10, place);

    const double tolerance = std::max(dynamic_tolerance, 1e-14 * double(condition(at.M)));
    Vec tau = problem.tau_phys + problem.tau_art;
    Eigen::VectorXd vdot = mujoco.forward(tau.cast<double>(), problem.wrenches);
    out.add("MuJoCo forward dynamics", relative(vdot, ours.vdot_free), tolerance, place);
    out.add("MuJoCo accelerations",
            relative(mujoco.acceleration(link), acceleration(at, link, ours.vdot_free)), tolerance,
            place);

    // Driven by tau_ctrl and by what acts physically, it reaches b. A moving base has no motor:
    // there the share that falls on it is applied as a wrench at the base's origin.
    if (!(ours.cond < 1e9L)) continue;
    std::vector<Wrench> physical;
    for (const Wrench &w : problem.wrenches)
      if (!w.artificial) physical.push_back(w);
    if (robot.nb() > 0) {
      Vec6 f = Vec6::Zero();
      if (robot.base == Base::floating) f = ours.base_wrench;
      if (robot.base == Base::planar) f << ours.base_wrench.head(2), 0, 0, 0, ours.base_wrench[2];
      physical.push_back({0, f, true});
    }
    tau = problem.tau_phys + ours.tau_ctrl;
    vdot = mujoco.forward(tau.cast<double>(), physical);
    const double reached = std::max(dynamic_tolerance, 1e-14 * double(ours.cond));
    out.add("MuJoCo driven by tau_ctrl: qdd", relative(vdot, ours.vdot), tolerance + reached,
            place);
    const Vec acc = mujoco.acceleration(deepest(robot)).cast<real>();
    const LinkMotion &tip = at.links[deepest(robot)];
    double worst = 0;
    for (const Row &row : problem.rows) {
      if (!row.active) continue;
      real a = row.a.dot(acc);
      if (!row.classical) a -= row.a.head(3).dot(tip.w.cross(tip.v));
      worst = std::max(worst, double(std::abs(a - row.b) / (1 + acc.norm())));
    }
    out.add("MuJoCo driven by tau_ctrl: A^T a - b", worst, tolerance + reached, place);
  }
}

void check_reference(const ReferenceSet &set, Comparison &out) {
  for (const ReferenceRecord &record : set.records) {
    const Motion at = motion(set.robot, record.state);
    const std::string place = where(set.robot_name + " " + record.kind, record.index, record.cond);
    const double tolerance = reference_tolerance(record.cond);

    if (record.mu.size()) { // friction: stuck joints are physical joint rows, sliding ones a torque
      Problem problem = record.problem;
      Vec torque = record.mu;
      for (int joint : record.stuck) {
        Row row;
        row.joint = joint;
        row.physical = true;
        torque[joint] = 0;
        problem.rows.push_back(row);
      }
      problem.tau_phys = torque;
      const Solution ours = solve(set.robot, at, problem);
      const double tight = std::max(1e-10, 1e-14 * double(ours.cond));
      out.add("friction: vdot", relative(ours.vdot, record.vdot), tight, place);
      if (!record.mu_unique) continue;
      for (size_t k = 0; k < record.stuck.size(); k++)
        out.add("friction: mu of stuck joints",
                double(std::abs(ours.nu[int(record.problem.rows.size() + k)] -
                                record.mu[record.stuck[k]])),
                tight * 100, place);
      continue;
    }

    const Solution ours = solve(set.robot, at, record.problem);
    // A row at a right angle to all that the robot can do, its L the square of a rounding: no
    // vector.
    if (record.rank > 0 && record.L.cwiseAbs().maxCoeff() < 1e-25L) {
      std::printf("SKIPPED %s: L is rounding alone\n", place.c_str());
      continue;
    }
    const bool consistent = record.kind != "inconsistent";
    out.add("M", relative(at.M, record.M), 1e-14, place);
    out.add("h", relative(at.h, record.h), 1e-14, place);
    out.add("L = G M^-1 G^T", relative(ours.L, record.L), 1e-13, place);
    out.add("vdot_free", relative(ours.vdot_free, record.vdot_free), 1e-13, place);
    out.add("vdot", relative(ours.vdot, record.vdot), tolerance, place);
    out.add("nu", relative(ours.nu, record.nu), tolerance, place);
    out.add("constraint residual", double((ours.residual - record.residual).cwiseAbs().sum()),
            tolerance * 10, place);
    out.add("tau of rows", relative(ours.G.transpose() * ours.nu, record.tau_constraint), tolerance,
            place);
    if (consistent) {
      out.add("gauss", double(std::abs(ours.gauss - record.gauss) / (std::abs(record.gauss) + 1)),
              tolerance, place);
      if (record.rank > 0 && record.rank == ours.L.rows())
        out.add("cond(L)", double(std::abs(ours.cond / record.cond - 1)),
                std::max(1e-9, 1e-14 * double(record.cond)), place);
    }
    Vec physical = Vec::Zero(at.nv), artificial = physical;
    for (const Wrench &w : record.problem.wrenches)
      (w.artificial ? artificial : physical) += jacobian(at, w.link).transpose() * w.f;
    out.add("tau of wrenches",
            std::max(relative(physical, record.tau_external),
                     relative(artificial, record.tau_artificial)),
            1e-13, place);
    // The records' own p is in the world, its digits lost to the base's place in it.
    for (const ReferenceRecord::Link &l : record.links) {
      const LinkMotion &k = at.links[l.link];
      const Vec6 acc = acceleration(at, l.link, ours.vdot);
      out.add("link pose",
              std::max(relative(k.R, l.R), relative(Vec3(k.p + record.base_pos), l.p, 1)), 1e-15,
              place);
      out.add("link twist", std::max(relative(k.v, l.v), relative(k.w, l.w)), 1e-12, place);
      out.add("link acceleration",
              std::max(relative(acc.head(3), l.a, 1), relative(acc.tail(3), l.alpha, 1)),
              tolerance * 10, place);
    }
    // b said in three ways is one b.
    for (size_t k = 0; k < record.b_spatial.size(); k++) {
      const Row &row = record.problem.rows[k];
      const LinkMotion &l = at.links[row.link];
      const real spatial = row.b - row.a.head(3).dot(l.w.cross(l.v));
      out.add("b spatial", double(std::abs(spatial - record.b_spatial[k])), 1e-13, place);
      out.add("b spatial minus gravity",
              double(std::abs(spatial - row.a.head(3).dot(record.state.gravity) -
                              record.b_spatial_minus_gravity[k])),
              1e-13, place);
    }
  }
}

// A motion of which the state at t = 0 has the velocities, and vdot the accelerations: joints by
// q + qd t + qdd t^2 / 2, a base turned by the rotation vector r = w t + al t^2 / 2 in the world,
//   w(t) = (1 + (1 - cos |r|) / |r|^2 [r]x + (|r| - sin |r|) / |r|^3 [r]x^2) r'
State moved_by(const Robot &robot, const State &state, const Vec &vdot, real t) {
  State moved = state;
  const Vec qdd = vdot.tail(robot.nd());
  moved.q += state.qd * t + qdd * (t * t / 2);
  moved.qd += qdd * t;
  if (robot.base == Base::fixed) return moved;
  Vec6 a = Vec6::Zero();
  if (robot.base == Base::floating) a = vdot.head(6);
  if (robot.base == Base::planar) a << vdot.head(2), 0, 0, 0, vdot[2];
  const Vec3 w = state.base_twist.tail(3), al = a.tail(3);
  const Vec3 r = w * t + al * (t * t / 2), rd = w + al * t;
  const real angle = r.norm();
  moved.base_twist.head(3) += a.head(3) * t;
  moved.base_twist.tail(3) = rd;
  if (angle == 0) return moved;
  moved.base_R = rotation(r / angle, angle) * state.base_R;
  moved.base_twist.tail(3) +=
      (1 - std::cos(angle)) / (angle * angle) * r.cross(rd) +
      (angle - std::sin(angle)) / (angle * angle * angle) * r.cross(r.cross(rd));
  return moved;
}

// What no other library here says: ties and energies, by differences along a motion of fourth
// order with step s: they err by s^4 of the sixth derivative, 1e-12, and by 1e-19 / s^2.
void against_differences(const Robot &robot, Random &random, Comparison &out) {
  const State state = random_state(robot, random);
  Vec vdot(robot.nv());
  for (int i = 0; i < robot.nv(); i++) vdot[i] = random.uniform(-3, 3);
  const int F = random.below(int(robot.links.size())), T = random.below(int(robot.links.size()));
  const real s = 1e-3L;
  Motion at[5]; // at t = -2s .. 2s
  MassMotion mass[5];
  for (int k = 0; k < 5; k++) {
    const State moved = moved_by(robot, state, vdot, (k - 2) * s);
    at[k] = motion(robot, moved);
    mass[k] = mass_motion(robot, moved, at[k]);
  }
  const auto first = [&](const auto &f) { return ((f(0) - f(4)) + 8 * (f(3) - f(1))) / (12 * s); };
  const auto second = [&](const auto &f) {
    return (-(f(0) + f(4)) + 16 * (f(1) + f(3)) - 30 * f(2)) / (12 * s * s);
  };
  const auto compare = [&](const char *what, real ours, real difference) {
    out.add(what, double(std::abs(ours - difference) / (1 + std::abs(ours))), 1e-8);
  };
  Row row;
  row.link = F;
  row.to = T;
  for (int i = 0; i < 6; i++) {
    row.a = Vec6::Unit(i);
    real gamma;
    const real ours = row_jacobian(at[2], row, &gamma).dot(vdot) + gamma;
    if (i < 3)
      compare("ties, linear", ours, second([&](int k) -> real {
                return at[k].links[F].R.col(i).dot(at[k].links[T].p - at[k].links[F].p);
              }));
    else
      compare("ties, angular", ours, first([&](int k) -> real {
                return at[k].links[F].R.col(i - 3).dot(at[k].links[T].w - at[k].links[F].w);
              }));
  }
  const Vec &u = at[2].u;
  const real kinetic = u.dot(at[2].M * u) / 2;
  out.add("kinetic energy", double(std::abs(at[2].kinetic - kinetic) / (1 + kinetic)), 1e-17);
  // The base's origin moves, and with it that from which the potential counts.
  const Vec3 weight = robot.mass() * state.gravity, v0 = at[2].links[0].v;
  compare("potential energy", at[2].h_gravity.dot(u),
          first([&](int k) { return at[k].potential; }) - weight.dot(v0));
  // d/dt (kinetic + potential) = u^T tau, tau = M vdot + h
  compare("power", u.dot(at[2].M * vdot + at[2].h),
          first([&](int k) { return at[k].kinetic + at[k].potential; }) - weight.dot(v0));
  for (int i = 0; i < 3; i++) {
    compare("velocity of the centre of mass", mass[2].v[i] - v0[i],
            first([&](int k) -> real { return mass[k].c[i]; }));
    compare("acceleration of the centre of mass", mass[2].J.row(i).dot(vdot) + mass[2].a[i],
            first([&](int k) -> real { return mass[k].v[i]; }));
  }
  if (robot.base != Base::floating) return;
  // The base's rows of M u are the momentum about the base's origin.
  const Vec momentum = at[2].M.topRows(6) * u;
  const Vec3 linear = mass[2].m * mass[2].v, angular = mass[2].l + mass[2].c.cross(linear);
  out.add("momentum, linear", relative(linear, momentum.head(3)), 1e-16);
  out.add("momentum, angular", relative(angular, momentum.tail(3)), 1e-15);
}

Base base_of(int i) {
  return i % 3 == 0 ? Base::fixed : i % 3 == 1 ? Base::planar : Base::floating;
}

// Reference vectors, and robots beside them that do not ship.
int run_reference(const Arguments &arguments) {
  const std::vector<std::string> folders = {arguments.robots, arguments.reference + "/../robots"};
  int bad = 0, found = 0;
  for (const char *name : {"gen3", "arm1dof", "table41_base", "youbot_base", "friction"}) {
    std::vector<std::string> missing;
    const auto sets =
        read_reference(arguments.reference + "/" + name + ".jsonl", folders, &missing);
    if (sets.empty()) std::printf("left out: reference %s, not there\n", name);
    for (const std::string &urdf : missing)
      std::printf("left out: reference of %s, no URDF\n", urdf.c_str());
    for (const ReferenceSet &set : sets) {
      Comparison out("Reference " + std::string(name) + ": " + set.robot_name + ", " +
                     std::to_string(set.records.size()) + " records");
      check_reference(set, out);
      bad += out.print();
      found++;
    }
  }
  if (const std::string urdf = folders[1] + "/ur5.urdf"; std::ifstream(urdf)) {
    Random random(20240607);
    Comparison out("Robots beside the reference vectors");
    against_mujoco(read_urdf(urdf), random, arguments.states, out);
    against_kdl(read_urdf(urdf), random, arguments.states, out);
    bad += out.print();
    found++;
  }
  if (found == 0) return nothing_to_test("no reference vectors in " + arguments.reference);
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 300);
  if (arguments.only == "reference") return run_reference(arguments);
  int bad = 0;
  Random random(20240607);

  Comparison drawn("Robots that ship");
  for (const char *name : {"gen3", "gen3_6dof", "iiwa7", "lwr4", "youbot_arm", "arm1dof"}) {
    const Robot robot = read_urdf(arguments.robots + "/" + name + ".urdf");
    against_mujoco(robot, random, arguments.states, drawn);
    against_kdl(robot, random, arguments.states, drawn);
  }
  bad += drawn.print();

  Comparison serial("Random serial robots");
  for (int i = 0; i < arguments.states / 10; i++) {
    RobotShape shape;
    shape.joints = 1 + random.below(9);
    const Robot robot = parse_urdf(random_urdf(random, shape));
    against_mujoco(robot, random, 5, serial);
    against_kdl(robot, random, 5, serial);
  }
  bad += serial.print();

  Comparison trees("Random trees on fixed, planar and floating bases, some with mimic joints");
  for (int i = 0; i < arguments.states / 5; i++) {
    RobotShape shape;
    shape.joints = 2 + random.below(9);
    shape.branch = 0.4;
    shape.mimic = i % 4 == 3 ? 2 : 0;
    Selection selection;
    selection.base = base_of(i);
    const Robot robot = parse_urdf(random_urdf(random, shape), selection);
    against_mujoco(robot, random, 5, trees);
  }
  bad += trees.print();

  Comparison differences("Ties, energies and momenta by differences, random trees on fixed, planar "
                         "and floating bases, some with mimic joints");
  for (int i = 0; i < 2 * arguments.states; i++) {
    RobotShape shape;
    shape.joints = 2 + random.below(7);
    shape.branch = 0.4;
    shape.mimic = i % 4 == 3;
    Selection selection;
    selection.base = base_of(i);
    against_differences(parse_urdf(random_urdf(random, shape), selection), random, differences);
  }
  bad += differences.print();
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
