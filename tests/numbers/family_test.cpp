/* SPDX-License-Identifier: MIT */
// family_test.cpp: every function of the family (fk, fvk, fak, jac, jdqd, id, gravity, bias, crba,
// fd, energy, com), on fixed, planar and floating bases, against a dense oracle in long double, KDL
// and MuJoCo, each where it has the quantity; the evaluator, and all functions compiled out of one
// header, each with its twin that takes shared sines and cosines. KDL's chains take serial robots
// only. Arguments: oracle/arguments.hpp.
#include <functional>
#include <memory>

#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/kdl_chain.hpp"
#include "oracle/kdl_oracle.hpp"
#include "oracle/layout.hpp"
#include "oracle/mujoco_oracle.hpp"
#include "oracle/program.hpp"
#include "oracle/random_robot.hpp"
#include "oracle/sample.hpp"

using namespace oracle;

namespace {

// Relative per block, a block being one vector of one kind (a position, a linear acceleration, the
// joint torques): errors of its numbers are roundings of the largest of them, since they come of
// one another by rotations. A block that sums terms which may cancel (energies) is relative to the
// terms.
const double tolerance = 1e-10;
// Solving for accelerations multiplies rounding (some 1e-16 by each of ten bodies) by M's
// condition.
double solve_tolerance(real cond) {
  return std::max(tolerance, 1e-14 * double(cond));
}

const std::vector<std::string> family = {
    "achd", "fk", "fvk",    "fak", "jac",      "jdqd",     "id",         "gravity",   "bias",
    "crba", "fd", "energy", "com", "momentum", "coriolis", "slotine_li", "centroidal"};
// With long ones, which the evaluator alone does.
std::vector<std::string> family_and_long_ones() {
  std::vector<std::string> all = family;
  all.insert(all.end(), {"manipulability", "osim"});
  return all;
}

struct Case {
  std::string title, urdf; // text
  LayoutSpec layout;
  SampleRange range;
  bool serial = true;
  int share = 1; // of the states: one in so many
  // Does its C run, too? Of every third case, all with ACHD_SWEEP=1: the numbers are judged by the evaluator, the emitter is the same
  // of all robots, and compiling takes longer than all else.
  bool compiled = true;
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
  for (; link >= 0; link = robot.links[link].parent)
    count += robot.links[link].joint.type != JointType::fixed;
  return count;
}

// The link behind the most joints, the last of them.
int deepest(const Robot &robot) {
  int best = 0;
  for (int i = 0; i < int(robot.links.size()); i++)
    if (joints_to(robot, i) >= joints_to(robot, best)) best = i;
  return best;
}

// Frames and what acts: at the tip, half way, and at the base.
void furnish(Case &c, int number) {
  const Robot robot = parse_urdf(c.urdf, c.layout.selection);
  LayoutSpec &layout = c.layout;
  const std::string tip = robot.links[deepest(robot)].name, root = robot.links[0].name;
  std::string middle;
  if (c.serial) {
    const KdlChain built = kdl_chain(robot, rest(robot), deepest(robot));
    middle = robot.links[built.segments[built.segments.size() / 2].tip_link].name;
  } else {
    middle = robot.links[robot.links.size() / 2].name;
  }
  std::vector<std::string> frames = {tip, root};
  if (middle != tip) frames.push_back(middle);
  layout.name = "robot";
  layout.acc = layout.twist = layout.pose = layout.jac = frames;
  layout.outputs = {"qdd", "nu", "tau_ctrl"};
  layout.acc_classical = number % 2 == 0;
  layout.tau_phys = layout.tau_art = true;
  layout.threshold = 1e-13;
  layout.wrenches = {{"push", tip, false}, {"pull", middle, false}, {"on_base", root, false}};
  layout.armature_input = number % 3 == 1;
  if (number % 3 == 2)
    for (const Dof &dof : robot.dofs) layout.armature[dof.name] = 0.1 + 0.05 * double(dof.link);
  if (robot.nd() == 0 || number % 9 == 6) { // loads: one at run time, one folded in
    Random random{uint64_t(number)};
    for (const std::string &frame : {tip, middle}) {
      PayloadSpec p;
      p.name = layout.payloads.empty() ? "payload" : "second";
      p.frame = frame;
      p.load = random_load(random);
      p.mass_input = p.com_input = p.inertia_input = layout.payloads.empty();
      layout.payloads.push_back(p);
    }
  }
  if (number % 4 == 3 && robot.nd() > 0)
    layout.inertia_inputs = {robot.links[robot.dofs.back().link].name};
  if (number % 5 == 4) layout.gravity_input = false;
  GroupSpec group;
  group.name = "tool";
  group.frame = tip;
  group.maskable = true;
  layout.groups = {group};
  c.range.state.armature = 0.6;
  layout.matrix = robot.base == Base::floating && number % 2 == 0;
  c.range.most_active = std::min(6, robot.nv());
}

const char *base_name(Base base) {
  return base == Base::fixed ? "" : base == Base::planar ? ", planar" : ", floating";
}

std::vector<Case> cases(const Arguments &arguments) {
  std::vector<Case> all;
  for (const char *name :
       {"gen3", "lwr4", "youbot_arm", "iiwa7", "panda", "gen3_6dof", "ur5", "arm1dof"}) {
    Case c;
    c.title = name;
    c.urdf = slurp(arguments.robots + "/" + name + ".urdf");
    if (c.urdf.empty()) continue;
    if (c.title == "panda") {
      c.layout.selection.locked = {{"panda_finger_joint1", 0.02}, {"panda_finger_joint2", 0.02}};
      c.layout.selection.tips = {"panda_hand_tcp", "panda_leftfinger", "panda_rightfinger"};
    }
    all.push_back(c);
  }
  const std::pair<const char *, Base> trees[] = {
      {"drone", Base::floating},       {"two_arms", Base::fixed},
      {"quadruped", Base::floating},   {"table41_base", Base::planar},
      {"youbot_base", Base::floating}, {"youbot", Base::planar},
      {"youbot", Base::floating},      {"gripper", Base::floating},
      {"gen3", Base::floating}};
  for (const auto &[name, base] : trees) {
    Case c;
    c.title = std::string(name) + base_name(base);
    c.urdf = slurp(arguments.robots + "/" + name + ".urdf");
    c.layout.selection.base = base;
    c.serial = false;
    c.share = 5;
    all.push_back(c);
  }
  for (int seed = 1; seed <= 9; seed++) {
    Random random(uint64_t(1000 + seed));
    RobotShape shape;
    shape.joints = 3 + seed % 6;
    shape.prismatic = 0.4;
    shape.branch = seed >= 5 ? 0.5 : 0;
    Case c;
    const Base base = seed < 6 ? Base::fixed : seed % 2 ? Base::planar : Base::floating;
    c.title =
        "random " + std::to_string(seed) + (shape.branch > 0 ? ", a tree" : "") + base_name(base);
    c.urdf = random_urdf(random, shape);
    c.layout.selection.base = base;
    c.serial = shape.branch == 0;
    if (seed > 5) c.share = 5;
    all.push_back(c);
  }
  for (size_t i = 0; i < all.size(); i++) {
    furnish(all[i], int(i));
    all[i].compiled = i % 3 == 0 || arguments.run == "c" || std::getenv("ACHD_SWEEP");
  }
  return all;
}

// Of a link: as the state has it, else the robot's.
Inertia inertia_of(const Robot &robot, const State &state, int link) {
  const auto other = state.inertia.find(link);
  return other == state.inertia.end() ? robot.links[link].inertia : at_com(other->second);
}

// The Gauss function from its definition, each link about its centre of mass (there the spatial
// acceleration's linear part is a_c - w x v_c, and v x* I v = (w x m v_c, w x I w)), less gravity:
//   Z = sum 1/2 (m a.a + al.I al) + (w x m v_c).a + (w x I w).al - sum f.a_f + n.al_f
//       + sum 1/2 d qdd^2 - tau qdd,                   a = a_c - w x v_c - g
// a_f: spatial acceleration of the wrench's frame, less g. `terms`: sum of what is added up, by
// size.
real gauss(const Robot &robot, const State &state, const Motion &at, const Vec &vdot,
           const Vec &tau, const std::vector<Wrench> &wrenches, real *terms) {
  real z = 0;
  *terms = 0;
  const auto add = [&](real x) {
    z += x;
    *terms += std::abs(x);
  };
  for (int i = 0; i < int(robot.links.size()); i++) {
    if (!robot.moves(i)) continue;
    const LinkMotion &k = at.links[i];
    const Inertia own = inertia_of(robot, state, i);
    const Vec3 c = k.R * own.c;
    const Mat3 I = k.R * own.I * k.R.transpose();
    const Vec6 origin = acceleration(at, i, vdot);
    const Vec3 al = origin.tail(3), v_c = k.v + k.w.cross(c);
    const Vec3 a_c = origin.head(3) + al.cross(c) + k.w.cross(k.w.cross(c));
    const Vec3 a = a_c - k.w.cross(v_c) - state.gravity;
    add(own.m * a.squaredNorm() / 2);
    add(al.dot(I * al) / 2);
    add(own.m * k.w.cross(v_c).dot(a));
    add(k.w.cross(I * k.w).dot(al));
  }
  for (const Wrench &w : wrenches) {
    if (!robot.moves(w.link)) continue;
    Vec6 a = acceleration(at, w.link, vdot, false);
    a.head(3) -= state.gravity;
    for (int i = 0; i < 6; i++) add(-w.f[i] * a[i]);
  }
  for (int i = 0; i < robot.nd(); i++) {
    const real qdd = vdot[robot.nb() + i];
    add(state.armature[i] * qdd * qdd / 2);
    add(-tau[i] * qdd);
  }
  return z;
}

// Part of the potential energy that does not move; it is in MuJoCo's.
real resting_potential(const Robot &robot, const State &state, const Motion &at) {
  real out = 0;
  for (int i = 0; i < int(robot.links.size()); i++) {
    if (robot.moves(i)) continue;
    const Inertia own = inertia_of(robot, state, i);
    out -= own.m * state.gravity.dot(at.links[i].p + at.links[i].R * own.c);
  }
  return out;
}

// Numbers that are judged together. Empty: that library has no such quantity.
struct Block {
  std::string quantity;
  std::vector<std::string> columns;
  Vec dense;
  Eigen::VectorXd kdl, mujoco;
  real floor = unit_floor;
  double within = tolerance;
};

const char *const lin_ang[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};

std::vector<std::string> by_joint(const Robot &robot, const std::string &prefix) {
  std::vector<std::string> out;
  for (const Dof &dof : robot.dofs) out.push_back(prefix + identifier(dof.name));
  return out;
}

// Of what the base has too: its parts, under a name of their own, then the joints.
std::vector<std::string> by_velocity(const Robot &robot, const std::string &base,
                                     const std::string &joint) {
  std::vector<std::string> out = velocities(robot);
  for (int i = 0; i < robot.nv(); i++)
    out[size_t(i)] = i < robot.nb() ? base + out[size_t(i)].substr(4) : joint + out[size_t(i)];
  return out;
}

Eigen::VectorXd scalar(double value) {
  return Eigen::VectorXd::Constant(1, value);
}

// One state, its inputs, and what the three references say of every function.
class Reference {
public:
  Reference(const Case &c, const Robot &robot, const Sample &sample, const Vec &vdot,
            const Vec &referred, Mujoco *mujoco);
  std::map<std::string, std::vector<Block>> blocks; // by function
  Motion at;
  Problem problem;

private:
  void frames(const LayoutSpec &layout);
  void dynamics();
  void masses();
  void centroidal();
  void manipulability(const LayoutSpec &layout);
  void operational_space(const LayoutSpec &layout);
  // Linear and angular part of a six-vector (or of a Jacobian, by rows), apart.
  void halves(const std::string &function, const std::string &quantity, const std::string &prefix,
              const std::vector<std::string> &suffixes, const Mat &dense,
              const Eigen::MatrixXd &kdl, const Eigen::MatrixXd &mujoco);
  const Robot &robot;
  const State &state;
  const Vec &vdot, &referred; // accelerations; velocities that a law of control refers to
  Vec tau;
  Mujoco *mujoco;
  bool has_kdl;
  KdlFamily kdl;
};

Reference::Reference(const Case &c, const Robot &r, const Sample &sample, const Vec &given,
                     const Vec &velocities, Mujoco *m)
    : robot(r), state(sample.state), vdot(given), referred(velocities), mujoco(m),
      has_kdl(c.serial) {
  at = motion(robot, state);
  problem = problem_of(robot, c.layout, at, sample);
  tau = sample.tau_phys + sample.tau_art;
  if (has_kdl) kdl = kdl_family(robot, state, deepest(robot), vdot, tau, problem.wrenches);
  dynamics();
  masses();
  centroidal();
  frames(c.layout);
  manipulability(c.layout);
  operational_space(c.layout);
}

void Reference::halves(const std::string &function, const std::string &quantity,
                       const std::string &prefix, const std::vector<std::string> &suffixes,
                       const Mat &dense, const Eigen::MatrixXd &from_kdl,
                       const Eigen::MatrixXd &from_mujoco) {
  for (int half = 0; half < 2; half++) {
    Block block;
    block.quantity = quantity + (half ? " ang" : " lin");
    const auto part = [&](const auto &whole, auto &out) {
      out.resize(whole.size() / 2);
      for (int i = 0, k = 0; i < 3 && whole.size(); i++)
        for (int j = 0; j < int(suffixes.size()); j++) out[k++] = whole(3 * half + i, j);
    };
    part(dense, block.dense);
    part(from_kdl, block.kdl);
    part(from_mujoco, block.mujoco);
    for (int i = 0; i < 3; i++)
      for (const std::string &suffix : suffixes)
        block.columns.push_back(prefix + lin_ang[3 * half + i] + suffix);
    blocks[function].push_back(block);
  }
}

void Reference::frames(const LayoutSpec &layout) {
  const std::vector<std::string> none = {""}, joints = by_velocity(robot, ".base", ".");
  const Vec zero = Vec::Zero(robot.nv());
  const auto mujoco_acceleration = [&](const Vec &vdot_then, int link) {
    if (!mujoco) return Eigen::VectorXd();
    mujoco->inverse(vdot_then.cast<double>(), {});
    return mujoco->acceleration(link);
  };
  for (const std::string &frame : layout.pose) {
    const int link = robot.link(frame);
    const std::string id = identifier(frame) + ".";
    const LinkMotion &k = at.links[link];
    const auto found = kdl.frames.find(link);
    const KdlFrame *const by_kdl = has_kdl && found != kdl.frames.end() ? &found->second : nullptr;

    Block p{"pose.p", {}, k.p, {}, {}}, R{"pose.R", {}, Vec(9), {}, {}};
    const auto flat = [](const auto &M, auto &out) {
      out.resize(9);
      for (int i = 0; i < 9; i++) out[i] = M(i / 3, i % 3);
    };
    flat(k.R, R.dense);
    if (by_kdl) p.kdl = by_kdl->p, flat(by_kdl->R, R.kdl);
    if (mujoco) p.mujoco = mujoco->p(link), flat(mujoco->R(link), R.mujoco);
    for (int i = 0; i < 3; i++) {
      p.columns.push_back("pose." + id + "p." + "xyz"[i]);
      for (int j = 0; j < 3; j++)
        R.columns.push_back("pose." + id + "R." + "xyz"[i] + std::string(1, "xyz"[j]));
    }
    blocks["fk"].push_back(p);
    blocks["fk"].push_back(R);

    halves("fvk", "twist", "twist." + id, none, twist(at, link),
           by_kdl ? by_kdl->twist : Eigen::VectorXd(),
           mujoco ? mujoco->twist(link) : Eigen::VectorXd());
    halves("jac", "J", "jac." + id, joints, jacobian(at, link),
           by_kdl ? by_kdl->J : Eigen::MatrixXd(),
           mujoco ? mujoco->jacobian(link) : Eigen::MatrixXd());

    // KDL has no forward accelerations: J qdd + J-dot q-dot of its own two. Both libraries give
    // classical ones; the spatial is smaller by w x v.
    const auto kind = [&](Eigen::VectorXd a, const Eigen::VectorXd &v) {
      if (a.size() && !layout.acc_classical) {
        const Eigen::Vector3d w = v.tail(3), lin = v.head(3);
        a.head(3) -= w.cross(lin);
      }
      return a;
    };
    for (const bool moved : {true, false}) {
      const Vec &then = moved ? vdot : zero;
      Eigen::VectorXd a_kdl, a_mujoco = mujoco_acceleration(then, link);
      if (by_kdl) {
        a_kdl = by_kdl->jdqd + by_kdl->J * then.cast<double>();
        a_kdl = kind(a_kdl, by_kdl->twist);
      }
      if (mujoco) a_mujoco = kind(a_mujoco, mujoco->twist(link));
      halves(moved ? "fak" : "jdqd", moved ? "acceleration" : "J-dot q-dot",
             (moved ? "acc." : "jdqd.") + id, none,
             acceleration(at, link, then, layout.acc_classical), a_kdl, a_mujoco);
    }
  }
}

// The derivative of M along the velocities of a state, by differences: M at the state h later and before, 2 h later and before.
// In long double rounding leaves 1e-15 of M and the step, h^4 / 30, 3e-18 of M's fifth derivative: where several joints turn by some
// rad/s that is 1e6 times M, and a step of 1e-3 is off by more than the tolerance.
Mat rate(const Robot &robot, const State &state, const std::function<Mat(const Motion &)> &of) {
  const auto later = [&](real h) {
    State moved = state;
    moved.q += h * state.qd;
    const Vec3 w = state.base_twist.tail(3);
    if (w.norm() > 0)
      moved.base_R = Eigen::AngleAxis<real>(h * w.norm(), w.normalized()) * state.base_R;
    moved.base_yaw += h * w[2];
    return of(motion(robot, moved));
  };
  const real h = 1e-4L;
  return (8 * (later(h) - later(-h)) - (later(2 * h) - later(-2 * h))) / (12 * h);
}
Mat inertia_rate(const Robot &robot, const State &state) {
  return rate(robot, state, [](const Motion &at) { return at.M; });
}

// The Coriolis matrix as a sum over particles, C = sum m J^T J-dot: of a link of mass m, second moments S about its centre
// of mass, whose coordinates move it by J_c and turn it by J_w,
//   C = m J_c^T J_c-dot + J_w^T (tr(S) 1 - S) J_w-dot + J_w^T c,   c_k = (S J_w,k) x w
Mat coriolis(const Robot &robot, const State &state, const Motion &at) {
  const int links = int(robot.links.size());
  // Partial velocities of the centres of mass, then those of turning, link by link.
  const auto partial = [&](const Motion &moved) {
    Mat J = Mat::Zero(6 * links, robot.nv());
    for (int i = 0; i < links; i++) {
      const LinkMotion &k = moved.links[i];
      const Vec3 c = k.R * inertia_of(robot, state, i).c;
      for (int j = 0; j < robot.nv(); j++) {
        const Vec3 turn = k.Jw.col(j), slide = k.Jv.col(j);
        J.block(6 * i, j, 3, 1) = slide + turn.cross(c);
        J.block(6 * i + 3, j, 3, 1) = turn;
      }
    }
    return J;
  };
  const Mat J = partial(at), Jdot = rate(robot, state, partial);
  Mat C = Mat::Zero(robot.nv(), robot.nv());
  for (int i = 0; i < links; i++) {
    const LinkMotion &k = at.links[i];
    if (!robot.moves(i)) continue;
    const Inertia own = inertia_of(robot, state, i);
    const Mat3 I = k.R * own.I * k.R.transpose();
    const Mat3 S = I.trace() / 2 * Mat3::Identity() - I;
    Mat moment = I * Jdot.middleRows(6 * i + 3, 3);
    for (int j = 0; j < robot.nv(); j++) {
      const Vec3 turned = S * J.block(6 * i + 3, j, 3, 1);
      moment.col(j) += turned.cross(k.w);
    }
    C += own.m * J.middleRows(6 * i, 3).transpose() * Jdot.middleRows(6 * i, 3);
    C += J.middleRows(6 * i + 3, 3).transpose() * moment;
  }
  return C;
}

void Reference::dynamics() {
  const int n = robot.nv(), nb = robot.nb();
  // Two blocks: of the base, where it moves, and of the joints.
  const auto add = [&](const std::string &function, const std::string &base,
                       const std::string &joint, const Vec &dense, const Eigen::VectorXd &by_kdl,
                       const Eigen::VectorXd &by_mujoco, double within = tolerance) {
    const std::vector<std::string> columns = by_velocity(robot, base, joint + ".");
    const auto part = [&](const auto &v, int from, int to) {
      using Vector = typename std::decay<decltype(v)>::type;
      return v.size() ? Vector(v.segment(from, to - from)) : Vector();
    };
    for (const auto &[from, to, name] :
         {std::make_tuple(0, nb, base), std::make_tuple(nb, n, joint)})
      if (from < to)
        blocks[function].push_back({name,
                                    {columns.begin() + from, columns.begin() + to},
                                    part(dense, from, to),
                                    part(by_kdl, from, to),
                                    part(by_mujoco, from, to),
                                    unit_floor,
                                    within});
  };
  const auto if_kdl = [&](const Eigen::VectorXd &v) { return has_kdl ? v : Eigen::VectorXd(); };
  Vec external = Vec::Zero(n), forces = Vec::Zero(n);
  for (const Wrench &w : problem.wrenches) external += jacobian(at, w.link).transpose() * w.f;
  forces.tail(robot.nd()) = tau;
  Eigen::VectorXd hold, bias, fd, id;
  if (mujoco) {
    State other = state;
    other.qd.setZero();
    other.base_twist.setZero();
    mujoco->set(other);
    hold = mujoco->h();
    other = state;
    other.gravity.setZero();
    mujoco->set(other);
    bias = mujoco->h();
    mujoco->set(state);
    fd = mujoco->forward(tau.cast<double>(), problem.wrenches);
    mujoco->set(state);
    id = mujoco->inverse(vdot.cast<double>(), problem.wrenches);
    mujoco->set(state);
  }
  add("id", "base.wrench", "tau", at.M * vdot + at.h - external, if_kdl(kdl.tau), id);
  add("gravity", "base.wrench", "tau", at.h_gravity, if_kdl(kdl.gravity), hold);
  add("bias", "base.wrench", "tau", at.h - at.h_gravity, if_kdl(kdl.coriolis), bias);
  add("fd", "base.acc", "qdd", solve_spd(at.M, forces + external - at.h), if_kdl(kdl.qdd), fd,
      solve_tolerance(condition(at.M)));

  // p = M u; dp/dt = M udot + M-dot u is torques and beta, where M udot + h is torques
  const Eigen::VectorXd u = at.u.cast<double>();
  add("momentum", "base.p", "p", at.M * at.u, if_kdl(kdl.M * u.tail(kdl.M.cols())),
      mujoco ? Eigen::VectorXd(mujoco->M() * u) : Eigen::VectorXd());
  add("momentum", "base.beta", "beta", inertia_rate(robot, state) * at.u - at.h, {}, {});

  const std::vector<std::string> names = velocities(robot);
  const Mat C = coriolis(robot, state, at);
  Block whole{"C", {}, Vec(n * n), {}, {}};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      whole.columns.push_back("C." + names[size_t(i)] + "." + names[size_t(j)]);
      whole.dense[i * n + j] = C(i, j);
    }
  blocks["coriolis"].push_back(whole);
  add("slotine_li", "base.wrench", "tau", at.M * vdot + C * referred + at.h_gravity - external, {},
      {});

  Block M{"M", {}, Vec(n * (n + 1) / 2), {}, {}};
  const auto lower = [&](const auto &whole, auto &out) {
    out.resize(n * (n + 1) / 2);
    for (int i = 0, k = 0; i < n; i++)
      for (int j = 0; j <= i; j++) out[k++] = whole(i, j);
  };
  for (size_t i = 0; i < names.size(); i++)
    for (size_t j = 0; j <= i; j++) M.columns.push_back("M." + names[i] + "." + names[j]);
  lower(at.M, M.dense);
  if (has_kdl) lower(kdl.M, M.kdl);
  if (mujoco) lower(mujoco->M(), M.mujoco);
  blocks["crba"].push_back(M);

  // Energies: relative to the terms that they sum.
  const real resting = resting_potential(robot, state, at);
  real weights = 0, terms;
  for (size_t i = 0; i < robot.links.size(); i++)
    weights += robot.links[i].inertia.m * state.gravity.norm() *
               (at.links[i].p + at.links[i].R * robot.links[i].inertia.c).norm();
  const real z = gauss(robot, state, at, vdot, tau, problem.wrenches, &terms);
  Block kinetic{"kinetic", {"kinetic"}, Vec::Constant(1, at.kinetic), {}, {}};
  Block potential{"potential", {"potential"}, Vec::Constant(1, at.potential - resting), {}, {}};
  potential.floor += weights;
  Block zwang{"Gauss Z", {"gauss"}, Vec::Constant(1, z), {}, {}};
  zwang.floor += terms;
  if (has_kdl) {
    kinetic.kdl = scalar(kdl.kinetic);
    potential.kdl = scalar(kdl.potential);
  }

  if (mujoco) {
    kinetic.mujoco = scalar(mujoco->kinetic());
    potential.mujoco = scalar(mujoco->potential() - double(resting));
  }
  for (const Block &energy : {kinetic, potential, zwang}) blocks["energy"].push_back(energy);
}

void Reference::masses() {
  const MassMotion mass = mass_motion(robot, state, at);
  const auto theirs = mujoco ? mujoco->mass() : Mujoco::Mass();
  const auto vector = [&](const Eigen::VectorXd &v) { return mujoco ? v : Eigen::VectorXd(); };
  const auto add = [&](const std::string &name, std::vector<std::string> columns, const Vec &dense,
                       const Eigen::VectorXd &by_mujoco) {
    for (std::string &column : columns) column = "com." + name + column;
    blocks["com"].push_back({name, columns, dense, {}, by_mujoco});
  };
  const std::vector<std::string> xyz = {".x", ".y", ".z"};
  add("m", {""}, Vec::Constant(1, mass.m), {});
  add("p", xyz, mass.c, vector(theirs.c));
  const Eigen::VectorXd v =
      mujoco ? Eigen::VectorXd(theirs.J * at.u.cast<double>()) : Eigen::VectorXd();
  add("v", xyz, mass.v, v);
  std::vector<std::string> partial;
  for (const std::string &axis : xyz)
    for (const std::string &name : by_velocity(robot, ".base", ".")) partial.push_back(axis + name);
  const auto flat = [](const auto &J) {
    Eigen::Matrix<typename std::decay<decltype(J)>::type::Scalar, Eigen::Dynamic, 1> out(J.size());
    for (int i = 0; i < int(J.size()); i++) out[i] = J(i / J.cols(), i % J.cols());
    return out;
  };
  add("jac", partial, flat(mass.J), vector(flat(theirs.J)));
  add("momentum", {".lin_x", ".lin_y", ".lin_z"}, mass.m * mass.v, vector(double(mass.m) * v));
  add("momentum", {".ang_x", ".ang_y", ".ang_z"}, mass.l, vector(theirs.l));
}

// Momentum of unit velocities about the centre of mass, its change at constant velocities by differences, and the inertia of
// the links about it.
void Reference::centroidal() {
  const auto momentum = [&](const Motion &moved) -> Mat {
    const MassMotion mass = mass_motion(robot, state, moved);
    Mat h(6, 1);
    h << mass.m * mass.v, mass.l;
    return h;
  };
  const int n = robot.nv(), nb = robot.nb();
  Mat A(6, n);
  for (int k = 0; k < n; k++) {
    State unit = state;
    unit.qd.setZero();
    unit.base_twist.setZero();
    if (k < nb)
      unit.base_twist[nb == 3 && k == 2 ? 5 : k] = 1;
    else
      unit.qd[k - nb] = 1;
    A.col(k) = momentum(motion(robot, unit));
  }
  const Vec h = A * at.u, change = rate(robot, state, momentum);
  const MassMotion mass = mass_motion(robot, state, at);
  Mat3 I = Mat3::Zero();
  for (int i = 0; i < int(robot.links.size()); i++) {
    const Inertia own = inertia_of(robot, state, i);
    const LinkMotion &k = at.links[i];
    const Vec3 r = k.p + k.R * own.c - mass.c;
    if (!robot.moves(i)) continue;
    I += k.R * own.I * k.R.transpose();
    I += own.m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  Vec tensor(6);
  tensor << I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  halves("centroidal", "A_G", "A_G.", by_velocity(robot, ".base", "."), A, {}, {});
  halves("centroidal", "h_G", "h_G.", {""}, h, {}, {});
  halves("centroidal", "A_G-dot v", "Adot_v.", {""}, change, {}, {});
  blocks["centroidal"].push_back(
      {"I_G", {"I_G.xx", "I_G.xy", "I_G.xz", "I_G.yy", "I_G.yz", "I_G.zz"}, tensor, {}, {}});
}

// w = prod s_i and w J^+, of which the derivative of w along a change dJ of J is the sum of products; s_i the singular values of J,
// which has no fewer columns than rows. What is below 1e-14 of the largest is 0.
struct Root {
  real w = 0, cond = 1;
  Mat weight;
};
Root root_of(const Mat &J) {
  Root out;
  out.weight = Mat::Zero(J.rows(), J.cols());
  if (J.cols() < J.rows()) return out;
  const Eigen::JacobiSVD<Mat> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vec s = svd.singularValues();
  if (!(s[s.size() - 1] > 1e-14L * s[0])) return out;
  out.w = s.prod();
  out.cond = s[0] / s[s.size() - 1];
  out.weight = out.w * svd.matrixU() * s.cwiseInverse().asDiagonal() * svd.matrixV().transpose();
  return out;
}

// The gradient by the derivative of J along each joint, by differences: J at positions h more and less. h^2 is 1e-12, and rounding
// leaves 1e-19 / h.
void Reference::manipulability(const LayoutSpec &layout) {
  std::vector<Mat> slopes;
  const auto all = [&](const Motion &moved) {
    Mat J(6 * Eigen::Index(layout.jac.size()), robot.nv());
    for (size_t f = 0; f < layout.jac.size(); f++)
      J.middleRows(6 * Eigen::Index(f), 6) = jacobian(moved, robot.link(layout.jac[f]));
    return J;
  };
  const real h = 1e-6L;
  for (int j = 0; j < robot.nd(); j++) {
    State more = state, less = state;
    more.q[j] += h;
    less.q[j] -= h;
    slopes.push_back((all(motion(robot, more)) - all(motion(robot, less))) / (2 * h));
  }
  const Mat J = all(at);
  for (size_t f = 0; f < layout.jac.size(); f++)
    for (const auto &[word, from, rows] :
         {std::make_tuple("manipulability", 0, 6), std::make_tuple("manipulability_lin", 0, 3),
          std::make_tuple("manipulability_ang", 3, 3)}) {
      const Eigen::Index first = 6 * Eigen::Index(f) + from;
      const Mat own = J.middleRows(first, rows);
      const Root root = root_of(own);
      const std::string id = identifier(layout.jac[f]);
      const real whole = own.rowwise().norm().prod(); // no w of such rows is larger
      const double within = std::max(tolerance, 1e-15 * double(root.cond));
      Vec slope(robot.nd());
      for (int j = 0; j < robot.nd(); j++)
        slope[j] = root.weight.cwiseProduct(slopes[size_t(j)].middleRows(first, rows)).sum();
      blocks["manipulability"].push_back({word,
                                          {word + ("." + id)},
                                          Vec::Constant(1, root.w),
                                          {},
                                          {},
                                          unit_floor + whole,
                                          tolerance});
      if (robot.nd() > 0)
        blocks["manipulability"].push_back(
            {"gradient of " + std::string(word),
             by_joint(robot, "d" + std::string(word) + "_dq." + id + "."),
             slope,
             {},
             {},
             unit_floor + whole,
             within});
    }
}

// Lambda is the inverse of J M^-1 J^T of the rows in force; where that is too ill-conditioned for doubles nothing is judged.
void Reference::operational_space(const LayoutSpec &layout) {
  const int n = robot.nv(), m = int(problem.rows.size());
  Mat G(m, n);
  Vec gamma(m);
  std::vector<int> active;
  for (int k = 0; k < m; k++) {
    G.row(k) = row_jacobian(at, problem.rows[size_t(k)], &gamma[k]);
    if (problem.rows[size_t(k)].active) active.push_back(k);
  }
  const Mat W = solve_spd(at.M, G.transpose()), whole = G * W;
  const Mat L = whole(active, active);
  const real cond = condition(L);
  if (!(cond < 1e8L)) return;
  Mat Lambda = Mat::Zero(m, m);
  Lambda(active, active) = solve_spd(L, Mat::Identity(L.rows(), L.rows()));
  const Mat Jbar = W * Lambda;
  const Vec moving = Lambda * (W.transpose() * (at.h - at.h_gravity) - gamma),
            resting = Lambda * (W.transpose() * at.h_gravity);
  const double within = std::max(1e-9, 1e-14 * double(cond * condition(at.M)));
  std::vector<std::string> rows;
  for (const GroupSpec &group : layout.groups)
    for (const char *row : lin_ang) rows.push_back(group.name + "." + row);
  const auto add = [&](const std::string &name, const std::vector<std::string> &columns,
                       const Vec &dense, real floor) {
    blocks["osim"].push_back({name, columns, dense, {}, {}, floor, within});
  };
  const auto triangle = [&](const std::string &name, const Mat &A) {
    std::vector<std::string> columns;
    Vec values(m * (m + 1) / 2);
    for (int i = 0, k = 0; i < m; i++)
      for (int j = 0; j <= i; j++) {
        columns.push_back(name + "." + rows[size_t(i)] + "." + rows[size_t(j)]);
        values[k++] = A(i, j);
      }
    add(name, columns, values, unit_floor);
  };
  const auto by_row = [&](const std::string &name, const Vec &values, real floor) {
    std::vector<std::string> columns;
    for (const std::string &row : rows) columns.push_back(name + "." + row);
    add(name, columns, values, floor);
  };
  triangle("Lambda_inv", whole);
  triangle("Lambda", Lambda);
  by_row("mu", moving, unit_floor + Lambda.norm() * (W.transpose() * at.h).norm());
  by_row("p", resting, unit_floor + Lambda.norm() * (W.transpose() * at.h_gravity).norm());
  std::vector<std::string> columns;
  for (const std::string &velocity : by_velocity(robot, "Jbar.base", "Jbar."))
    for (const std::string &row : rows) columns.push_back(velocity + "." + row);
  Vec flat(n * m);
  for (int i = 0; i < n * m; i++) flat[i] = Jbar(i / m, i % m);
  add("Jbar", columns, flat, unit_floor);
}

struct Run {
  std::string name;
  Functions functions;
  std::map<std::string, Table> got;
};

double value(const Program &program, const std::vector<double> &got, const std::string &column) {
  const int at = program.output(column);
  if (at < 0) throw std::runtime_error("no output column " + column);
  return got[at];
}

// What a function put out, block by block against each reference; every column must be in one.
void judge(const std::string &function, const Program &program, const std::vector<double> &got,
           const std::vector<Block> &blocks, const std::string &where, Comparison &out) {
  size_t judged = 1; // the status
  for (const Block &block : blocks) {
    Vec values(block.columns.size());
    for (size_t i = 0; i < block.columns.size(); i++)
      values[Eigen::Index(i)] = value(program, got, block.columns[i]);
    judged += block.columns.size();
    const std::string label = function + ": " + block.quantity;
    const auto against = [&](const auto &reference, const char *who) {
      if (reference.size())
        out.add(label + who, relative(values, reference, block.floor), block.within, where);
    };
    against(block.dense, ", dense");
    against(block.kdl, ", KDL");
    against(block.mujoco, ", MuJoCo");
  }
  if (judged != got.size())
    throw std::runtime_error(function + " puts out " + std::to_string(got.size()) + " numbers, " +
                             std::to_string(judged) + " of them are judged");
}

struct Given {
  Sample sample;
  Vec vdot, referred;
  std::map<std::string, double> columns;
};

std::vector<Given> states(const Case &c, const Robot &robot, int count) {
  Random random(2025);
  std::vector<Given> out;
  for (int i = 0; i < count; i++) {
    Given s{random_sample(robot, c.layout, random, c.range), Vec(robot.nv()), Vec(robot.nv()), {}};
    s.columns = input_columns(robot, c.layout, s.sample);
    const std::vector<std::string> names = by_velocity(robot, "base.acc", "qdd.");
    for (int k = 0; k < robot.nv(); k++)
      s.columns[names[size_t(k)]] = double(s.vdot[k] = random.uniform(-10, 10));
    const std::vector<std::string> velocity = by_velocity(robot, "base.twist_r", "qd_r."),
                                   acceleration = by_velocity(robot, "base.acc_r", "qdd_r.");
    for (int k = 0; k < robot.nv(); k++) {
      s.columns[velocity[size_t(k)]] = double(s.referred[k] = random.uniform(-3, 3));
      s.columns[acceleration[size_t(k)]] = double(s.vdot[k]);
    }
    for (int k = 0; k < robot.nd(); k++) {
      const std::string joint = identifier(robot.dofs[k].name);
      s.columns["tau." + joint] = double(s.sample.tau_phys[k] + s.sample.tau_art[k]);
    }
    out.push_back(s);
  }
  return out;
}

// Z along motions, of the program: at achd's accelerations it is least of all that meet the rows.
// Moved by d that rows do not see it grows by 1/2 d^T M d; the free motion lies lower by the
// oracle's
//   1/2 (vdot - vdot_free)^T M (vdot - vdot_free).
void judge_least(const Robot &robot, const std::vector<Given> &given,
                 const std::vector<Reference> &references, Run &run, Comparison &out) {
  Program &achd = *run.functions["achd"], &energy = *run.functions["energy"],
          &fd = *run.functions["fd"];
  const std::vector<std::string> columns = by_velocity(robot, "base.acc", "qdd.");
  const int nv = robot.nv();
  Random random(7);
  Table in;
  struct Question {
    size_t state;
    real grows; // what Z should do, against achd's
    const char *name;
    double tolerance;
    real terms;
  };
  std::vector<Question> questions;
  for (size_t s = 0; s < given.size(); s++) {
    const Reference &r = references[s];
    const Solution solution = solve(robot, r.at, r.problem);
    // The first-order term is the error of vdot, which grows with L's condition.
    if (solution.singular || !(solution.cond < 1e6L)) continue;
    const double bound = std::max(1e-9, 1e-14 * double(condition(r.at.M)));
    std::map<std::string, double> at = given[s].columns;
    Vec vdot(nv), vdot_free(nv);
    for (int k = 0; k < nv; k++) {
      vdot[k] = value(achd, run.got["achd"][s], columns[k]);
      vdot_free[k] = value(fd, run.got["fd"][s], columns[k]);
    }
    const Vec tau = given[s].sample.tau_phys + given[s].sample.tau_art;
    const auto ask = [&](const Vec &there, real grows, const char *name) {
      real terms;
      gauss(robot, given[s].sample.state, r.at, there, tau, r.problem.wrenches, &terms);
      for (int k = 0; k < nv; k++) at[columns[k]] = double(there[k]);
      in.push_back(energy.arrange(at));
      questions.push_back({s, grows, name, bound, terms});
    };
    ask(vdot, 0, "");
    ask(vdot_free, -solution.gauss, "Z of the free motion");
    // d: a random one, less what the rows in force see of it.
    const int active = int(solution.L.rows());
    Mat G(active, nv);
    for (int k = 0, row = 0; k < int(r.problem.rows.size()); k++)
      if (r.problem.rows[k].active) G.row(row++) = solution.G.row(k);
    Vec d(nv);
    for (int k = 0; k < nv; k++) d[k] = random.uniform(-3, 3);
    if (active >= nv) continue; // nothing is free
    if (active > 0) d -= solve_spd(r.at.M, G.transpose()) * solve_spd(solution.L, G * d).col(0);
    ask(vdot + d, d.dot(r.at.M * d) / 2, "Z beside the least");
  }
  const Table got = energy.run(in);
  real least = 0, terms = 0;
  for (size_t i = 0; i < got.size(); i++) {
    const Question &q = questions[i];
    const real z = value(energy, got[i], "gauss");
    if (!*q.name) {
      least = z;
      terms = q.terms;
      continue;
    }
    const std::string where = "state " + std::to_string(q.state);
    out.add(q.name, double(std::abs(z - least - q.grows) / (terms + q.terms)), q.tolerance, where);
    // and truly so wherever rounding leaves the difference a sign
    const bool wrong = q.grows > 0 ? z <= least : z > least;
    const bool told = std::abs(q.grows) > q.tolerance * (terms + q.terms);
    if (told) out.add(std::string(q.name) + ": of wrong sign", wrong, 0.5, where);
  }
}

// States judged at a time: what the oracles say of one takes a megabyte for a large robot.
const size_t together = 200;

// What the oracles say of the states. MuJoCo takes inertias once per model.
std::vector<Reference> references_of(const Case &c, const Robot &robot,
                                     const std::vector<Given> &given,
                                     std::unique_ptr<Mujoco> &mujoco) {
  std::vector<Reference> references;
  references.reserve(given.size());
  for (const Given &s : given) {
    if (mujoco && !s.sample.state.inertia.empty())
      mujoco = std::make_unique<Mujoco>(with_inertias(robot, s.sample.state));
    if (mujoco) mujoco->set(s.sample.state);
    references.emplace_back(c, robot, s.sample, s.vdot, s.referred, mujoco.get());
  }
  return references;
}

void judge_run(Run &run, const Robot &robot, const std::vector<Given> &given,
               std::vector<Reference> &references, size_t first, Comparison &out) {
  for (const std::string &function : run.name == "eval" ? family_and_long_ones() : family) {
    Program &program = *run.functions[function];
    Table in;
    for (const Given &s : given) in.push_back(program.arrange(s.columns));
    run.got[function] = program.run(in);
    if (function == "achd") continue; // achd_test
    for (size_t s = 0; s < given.size(); s++) {
      if (references[s].blocks[function].empty()) continue;
      const std::vector<double> &got = run.got[function][s];
      const std::string where = "state " + std::to_string(first + s);
      judge(function, program, got, references[s].blocks[function], where, out);
      out.add("status", value(program, got, "status"), 0.5, function + " " + where);
    }
  }
  judge_least(robot, given, references, run, out);
}

int run_case(const Case &c, const Arguments &arguments) {
  const Robot robot = parse_urdf(c.urdf, c.layout.selection);
  const TemporaryFolder folder;
  const Generator generator{arguments.achdgen, folder.write("robot.urdf", c.urdf), lua(c.layout),
                            "--snap 0"};
  std::vector<Run> runs;
  if (arguments.run != "c")
    runs.push_back({"eval", evaluated(generator, family_and_long_ones()), {}});
  if (arguments.run != "eval" && c.compiled)
    runs.push_back({"c", compiled(generator, "robot", family), {}});
  std::vector<Comparison> comparisons;
  for (const Run &run : runs) comparisons.emplace_back(c.title + " [" + run.name + "]");

  std::unique_ptr<Mujoco> mujoco;
  std::string refusal;
  try {
    mujoco = std::make_unique<Mujoco>(robot);
  } catch (const std::exception &error) {
    refusal = error.what();
  }
  const std::vector<Given> all = states(c, robot, arguments.states / c.share);
  for (size_t first = 0; first < all.size(); first += together) {
    const std::vector<Given> given(all.begin() + long(first),
                                   all.begin() + long(std::min(first + together, all.size())));
    std::vector<Reference> references = references_of(c, robot, given, mujoco);
    for (size_t r = 0; r < runs.size(); r++)
      judge_run(runs[r], robot, given, references, first, comparisons[r]);
  }

  int bad = 0;
  for (Comparison &out : comparisons) bad += out.print();
  if (!mujoco) std::printf("  without MuJoCo: %s\n", refusal.c_str());
  if (!c.serial) std::printf("  without KDL: a tree, or its base moves\n");
  return bad;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 60, 2000);
  int bad = 0;
  InSample in_sample(arguments, 13);
  for (const Case &c : cases(arguments)) {
    if (c.title.find(arguments.only) == std::string::npos || !in_sample()) continue;
    try {
      bad += run_case(c, arguments);
    } catch (const std::exception &error) {
      std::printf("BAD %s: %s\n", c.title.c_str(), error.what());
      bad++;
    }
    std::fflush(stdout);
  }
  std::printf("%s\n", bad ? "FAILED" : "OK");
  return bad ? 1 : 0;
}
