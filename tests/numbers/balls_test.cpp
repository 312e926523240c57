/* SPDX-License-Identifier: MIT */
// balls_test.cpp: robots with ball joints, as MJCF, against MuJoCo and against a dense KKT system in maximal
// coordinates: six accelerations of each body, the joints as constraints (Newton, Euler, d'Alembert). Chains and
// trees of balls, hinges and slides on fixed, planar and floating bases, a chain of ten balls, a humanoid whose hips
// and shoulders are balls; with rotors on some joints against MuJoCo alone.
//
//   balls_test --achdgen PROGRAM [--states N] [--only TEXT]   (oracle/arguments.hpp)
#include <mujoco/mujoco.h>

#include <iostream>
#include <sstream>

#include <Eigen/Dense>

#include "oracle/arguments.hpp"
#include "oracle/compare.hpp"
#include "oracle/program.hpp"
#include "oracle/states.hpp"

using namespace oracle;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;
using Values = std::map<std::string, double>;
const double tolerance = 1e-11;
const char *const xyz[] = {"x", "y", "z"};

M3 cross(const V3 &v) {
  return (M3() << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0).finished();
}

Eigen::Quaterniond random_quaternion(Random &random) {
  const Vec4 q = random.quat();
  return {double(q[0]), double(q[1]), double(q[2]), double(q[3])};
}

V3 random_vector(Random &random, double size) {
  return random.vec3(size).cast<double>();
}

// --- robots --------------------------------------------------------------------------------------

enum class Kind { ball, hinge, slide, none }; // none: of the top body of a moving base

struct Body {
  int parent = -1;
  Kind kind = Kind::ball;
  V3 place = V3::Zero(), anchor = V3::Zero(), axis = V3::UnitZ(),
     com = V3::Zero(); // anchor: in the body
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  double mass = 1, armature = 0;
  Eigen::Quaterniond principal =
      Eigen::Quaterniond::Identity(); // axes of the inertia about the centre of mass
  V3 moments = V3::Ones();
  M3 inertia() const {
    const M3 R = principal.toRotationMatrix();
    return R * moments.asDiagonal() * R.transpose();
  }
};

struct Tree {
  std::string title;
  int base = 0; // 0, 3, 6
  std::vector<Body> bodies;
  bool rotors() const {
    for (const Body &b : bodies)
      if (b.armature > 0) return true;
    return false;
  }
};

std::string joint_name(size_t i) {
  return "j" + std::to_string(i);
}

// The names of a body's joints: of a ball three.
std::vector<std::string> names_of(const Tree &robot, size_t i) {
  if (robot.bodies[i].kind == Kind::none) return {};
  if (robot.bodies[i].kind != Kind::ball) return {joint_name(i)};
  return {joint_name(i) + "_x", joint_name(i) + "_y", joint_name(i) + "_z"};
}

void give_mass(Body &body, Random &random, double size) {
  body.mass = random.uniform(0.3, 2);
  body.com = random_vector(random, 0.3 * size);
  body.principal = random_quaternion(random);
  const V3 a(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
  body.moments = V3(a[1] + a[2], a[2] + a[0], a[0] + a[1]) * body.mass * size * size * 0.05;
}

Tree random_tree(Random &random, int index) {
  Tree robot;
  robot.base = index % 3 == 0 ? 0 : index % 3 == 1 ? 6 : 3;
  const bool tree = random.chance(0.5), rotors = random.chance(0.4);
  const int n = 3 + random.below(4) + (robot.base > 0);
  robot.title = std::string(tree ? "tree " : "chain ") + std::to_string(index) +
                (robot.base == 0   ? ", fixed"
                 : robot.base == 3 ? ", planar"
                                   : ", floating") +
                (rotors ? ", rotors" : "");
  for (int i = 0; i < n; i++) {
    Body body;
    body.parent = i == 0 ? -1 : tree ? random.below(i) : i - 1;
    const double which = random.uniform(0, 1);
    body.kind = i == 1 || which < 0.55 ? Kind::ball : which < 0.85 ? Kind::hinge : Kind::slide;
    body.place = random_vector(random, 0.4);
    body.turn = random_quaternion(random);
    body.axis = random.unit().cast<double>().normalized();
    if (body.kind != Kind::slide && random.chance(0.5)) body.anchor = random_vector(random, 0.1);
    if (rotors && random.chance(0.6)) body.armature = random.uniform(0.01, 0.2);
    if (i == 0 && robot.base > 0) body.kind = Kind::none;
    if (i == 0 && robot.base == 3) body.place = V3::Zero(), body.turn.setIdentity();
    if (body.kind == Kind::none) body.anchor = V3::Zero(), body.armature = 0;
    give_mass(body, random, 0.4);
    robot.bodies.push_back(body);
  }
  return robot;
}

Tree ten_balls(Random &random) {
  Tree robot;
  robot.title = "ten balls";
  for (int i = 0; i < 10; i++) {
    Body body;
    body.parent = i - 1;
    body.place = V3(i == 0 ? 0 : 0.2, 0, 0);
    give_mass(body, random, 0.2);
    robot.bodies.push_back(body);
  }
  return robot;
}

// Torso, head; twice an arm (ball, elbow) and a leg (ball, knee, ankle about two axes).
Tree humanoid(Random &random) {
  Tree robot;
  robot.title = "humanoid";
  robot.base = 6;
  const auto add = [&](int parent, Kind kind, const V3 &place, const V3 &axis) {
    Body body;
    body.parent = parent, body.kind = kind, body.place = place, body.axis = axis;
    give_mass(body, random, 0.4);
    robot.bodies.push_back(body);
    return int(robot.bodies.size()) - 1;
  };
  const int torso = add(-1, Kind::none, V3(0, 0, 1), V3::UnitZ());
  add(torso, Kind::hinge, V3(0, 0, 0.5), V3::UnitZ());
  for (int side = -1; side <= 1; side += 2) {
    const int upper = add(torso, Kind::ball, V3(0, 0.2 * side, 0.4), V3::UnitX());
    add(upper, Kind::hinge, V3(0, 0, -0.3), V3::UnitY());
    const int thigh = add(torso, Kind::ball, V3(0, 0.1 * side, -0.1), V3::UnitX());
    const int shank = add(thigh, Kind::hinge, V3(0, 0, -0.4), V3::UnitY());
    const int ankle = add(shank, Kind::hinge, V3(0, 0, -0.4), V3::UnitY());
    add(ankle, Kind::hinge, V3(0, 0, 0), V3::UnitX());
  }
  return robot;
}

// --- MJCF ----------------------------------------------------------------------------------------

void write_body(std::ostream &out, const Tree &robot, size_t i, bool for_mujoco) {
  const Body &b = robot.bodies[i];
  out << "<body name=\"b" << i << "\" pos=\"" << b.place.transpose() << "\" quat=\"" << b.turn.w()
      << " " << b.turn.vec().transpose() << "\">\n";
  if (b.kind == Kind::none && robot.base == 6) out << "<freejoint name=\"base\"/>\n";
  if (b.kind == Kind::none && robot.base == 3 && for_mujoco)
    out << "<joint name=\"base_x\" type=\"slide\" axis=\"1 0 0\"/>\n<joint name=\"base_y\" "
           "type=\"slide\" "
           "axis=\"0 1 0\"/>\n<joint name=\"base_yaw\" type=\"hinge\" axis=\"0 0 1\"/>\n";
  if (b.kind != Kind::none)
    out << "<joint name=\"" << joint_name(i) << "\" type=\""
        << (b.kind == Kind::ball    ? "ball"
            : b.kind == Kind::hinge ? "hinge"
                                    : "slide")
        << "\" pos=\"" << b.anchor.transpose() << "\" axis=\"" << b.axis.transpose()
        << "\" armature=\"" << b.armature << "\"/>\n";
  out << "<inertial pos=\"" << b.com.transpose() << "\" mass=\"" << b.mass << "\" quat=\""
      << b.principal.w() << " " << b.principal.vec().transpose() << "\" diaginertia=\""
      << b.moments.transpose() << "\"/>\n";
  for (size_t k = i + 1; k < robot.bodies.size(); k++)
    if (robot.bodies[k].parent == int(i)) write_body(out, robot, k, for_mujoco);
  out << "</body>\n";
}

std::string mjcf_of(const Tree &robot, bool for_mujoco) {
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco model=\"balls\">\n<compiler angle=\"radian\"/>\n<worldbody>\n";
  for (size_t k = 0; k < robot.bodies.size(); k++)
    if (robot.bodies[k].parent < 0) write_body(out, robot, k, for_mujoco);
  out << "</worldbody>\n</mujoco>\n";
  return out.str();
}

std::string layout_of(const Tree &robot) {
  const std::string base = robot.base == 0 ? "fixed" : robot.base == 3 ? "planar" : "floating";
  return "return { base = \"" + base +
         "\", torques = { artificial = true }, groups = {{ name = \"tip\", frame = \"b" +
         std::to_string(robot.bodies.size() - 1) +
         "\", rows = { \"lin_x\", \"lin_y\", \"lin_z\" }, kind = \"physical\" }} }\n";
}

// --- a state -------------------------------------------------------------------------------------

struct TreeState {
  std::vector<double> q, qd, tau; // by body: of hinges and slides
  std::vector<Eigen::Quaterniond> ball;
  std::vector<V3> w, torque; // of balls, along the axes of the child
  V3 base_place = V3::Zero(), base_v = V3::Zero(), base_w = V3::Zero(), gravity = V3::Zero();
  Eigen::Quaterniond base_turn = Eigen::Quaterniond::Identity();
  double yaw = 0;
  V3 b = V3::Zero(); // of the rows
};

TreeState draw(const Tree &robot, Random &random) {
  TreeState s;
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    const bool slides = robot.bodies[i].kind == Kind::slide;
    s.q.push_back(random.uniform(-1, 1) * (slides ? 0.3 : M_PI));
    s.qd.push_back(random.uniform(-2, 2));
    s.tau.push_back(random.uniform(-5, 5));
    s.ball.push_back(random_quaternion(random).normalized());
    s.w.push_back(random_vector(random, 2));
    s.torque.push_back(random_vector(random, 5));
  }
  s.gravity = random_vector(random, 10);
  s.b = random_vector(random, 5);
  if (robot.base == 6) {
    s.base_turn = random_quaternion(random).normalized();
    s.base_place = random_vector(random, 1);
    s.base_v = random_vector(random, 1), s.base_w = random_vector(random, 1);
  } else if (robot.base == 3) {
    s.yaw = random.uniform(-M_PI, M_PI);
    s.base_turn = Eigen::AngleAxisd(s.yaw, V3::UnitZ());
    s.base_place = V3(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    s.base_v = V3(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    s.base_w = V3(0, 0, random.uniform(-1, 1));
  }
  return s;
}

// The state as values of columns.
Values values_of(const Tree &robot, const TreeState &s) {
  Values v;
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    const Body &body = robot.bodies[i];
    const std::vector<std::string> names = names_of(robot, i);
    for (size_t k = 0; k < names.size(); k++) {
      const bool ball = body.kind == Kind::ball;
      v["q." + names[k]] = ball ? 0 : s.q[i];
      v["qd." + names[k]] = ball ? s.w[i][Eigen::Index(k)] : s.qd[i];
      v["tau." + names[k]] = v["tau_art." + names[k]] =
          ball ? s.torque[i][Eigen::Index(k)] : s.tau[i];
    }
    if (body.kind != Kind::ball) continue;
    v["ball." + joint_name(i) + ".w"] = s.ball[i].w();
    for (int k = 0; k < 3; k++) v["ball." + joint_name(i) + "." + xyz[k]] = s.ball[i].vec()[k];
  }
  v["base.quat.w"] = s.base_turn.w();
  v["base.yaw"] = s.yaw;
  v["base.twist.x"] = s.base_v[0], v["base.twist.y"] = s.base_v[1],
  v["base.twist.yaw"] = s.base_w[2];
  for (int k = 0; k < 3; k++) {
    const std::string c = xyz[k];
    v["base.quat." + c] = s.base_turn.vec()[k];
    v["base.twist.lin_" + c] = s.base_v[k], v["base.twist.ang_" + c] = s.base_w[k];
    v["gravity." + c] = s.gravity[k];
    v["b.tip.lin_" + c] = s.b[k];
  }
  return v;
}

// Names of the coordinates: those of a moving base, then the joints; as functions print the quantity `of` of the
// joints and `of_base`.
std::vector<std::string> columns_of(const Tree &robot, const std::string &of,
                                    const std::string &of_base) {
  static const char *const six[] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"},
                           *const planar[] = {"x", "y", "yaw"};
  std::vector<std::string> list;
  for (int k = 0; k < robot.base; k++)
    list.push_back(of_base + (robot.base == 3 ? planar[k] : six[k]));
  for (size_t i = 0; i < robot.bodies.size(); i++)
    for (const std::string &name : names_of(robot, i)) list.push_back(of + name);
  return list;
}

// A function of the header, by --eval.
class Function {
public:
  Function(const std::string &achdgen, const std::string &path, const std::string &layout,
           const std::string &name)
      : program({achdgen, path, layout, "--snap 0 --functions " + name}) {}
  // Every state may have more values, which count before those of all.
  std::vector<Values> run(const std::vector<Values> &states) {
    Table in;
    for (const Values &state : states) {
      Values all;
      for (const Column &c : program.columns().in) {
        const auto at = state.find(c.name);
        all[c.name] = at != state.end() ? at->second : c.name.compare(0, 4, "mask") == 0;
      }
      in.push_back(program.arrange(all));
    }
    const Table out = program.run(in);
    std::vector<Values> list;
    for (const auto &row : out) {
      Values values;
      for (size_t k = 0; k < row.size(); k++) values[program.columns().out[k].name] = row[k];
      list.push_back(values);
    }
    return list;
  }

private:
  Evaluator program;
};

Vector pick(const Values &values, const std::vector<std::string> &names) {
  Vector x(Eigen::Index(names.size()));
  for (size_t k = 0; k < names.size(); k++) x[Eigen::Index(k)] = values.at(names[k]);
  return x;
}

// --- maximal coordinates -------------------------------------------------------------------------

struct Moving { // a body in the world
  M3 R;
  V3 origin, com, anchor, axis, w, v_com;
};

// Position and velocity of every body, outward.
std::vector<Moving> place(const Tree &robot, const TreeState &s) {
  std::vector<Moving> all;
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    const Body &b = robot.bodies[i];
    const bool root = b.parent < 0;
    const M3 up = root ? M3(M3::Identity()) : all[size_t(b.parent)].R;
    const V3 from = root ? V3(V3::Zero()) : all[size_t(b.parent)].origin;
    const V3 w_up = root ? V3(V3::Zero()) : all[size_t(b.parent)].w;
    Moving m;
    M3 R = up * b.turn.toRotationMatrix();
    V3 anchor = from + up * b.place + R * b.anchor; // the joint's, on the parent
    V3 w = w_up, slip = V3::Zero();
    m.axis = R * b.axis;
    if (b.kind == Kind::ball) {
      R = R * s.ball[i].toRotationMatrix();
      w += R * s.w[i];
    } else if (b.kind == Kind::hinge) {
      R = R * Eigen::AngleAxisd(s.q[i], b.axis).toRotationMatrix();
      w += m.axis * s.qd[i];
    } else if (b.kind == Kind::slide) {
      anchor += m.axis * s.q[i];
      slip = m.axis * s.qd[i];
    } else {
      R = s.base_turn.toRotationMatrix();
      anchor = s.base_place;
      w = s.base_w;
    }
    const V3 v_anchor = b.kind == Kind::none ? s.base_v
                        : root               ? slip
                                             : V3(all[size_t(b.parent)].v_com +
                                                  w_up.cross(anchor - all[size_t(b.parent)].com) + slip);
    m.R = R, m.anchor = anchor, m.w = w;
    m.origin = anchor - R * b.anchor;
    m.com = m.origin + R * b.com;
    m.v_com = v_anchor + w.cross(m.com - anchor);
    all.push_back(m);
  }
  return all;
}

// Constraints A x = c of the accelerations x: of body i the angular one at 6 i, that of the centre of mass behind it.
class System {
public:
  System(size_t bodies) : n(Eigen::Index(6 * bodies)), M(Matrix::Zero(n, n)), f(Vector::Zero(n)) {}
  // Adds e . (acceleration of point P of body i, or its angular one) to a row, times sign; body -1: the world.
  void add_point(Vector &row, double &c, const std::vector<Moving> &m, int i, const V3 &P,
                 const V3 &e, double sign) const {
    if (i < 0) return;
    const Moving &b = m[size_t(i)];
    const V3 r = P - b.com;
    row.segment<3>(6 * i) += sign * (-cross(r)).transpose() * e; // alpha x r
    row.segment<3>(6 * i + 3) += sign * e;
    c -= sign * e.dot(b.w.cross(b.w.cross(r)));
  }
  static void add_turn(Vector &row, int i, const V3 &e, double sign) {
    if (i >= 0) row.segment<3>(6 * i) += sign * e;
  }
  void constrain(const Vector &row, double c) { rows.push_back(row), right.push_back(c); }
  void push(int i, const Moving &m, const V3 &force, const V3 &point, const V3 &moment) {
    f.segment<3>(6 * i) += moment + (point - m.com).cross(force);
    f.segment<3>(6 * i + 3) += force;
  }
  // Accelerations, then the forces of the constraints.
  Vector solve() const {
    const Eigen::Index m = Eigen::Index(rows.size());
    Matrix K = Matrix::Zero(n + m, n + m);
    Vector b(n + m);
    K.topLeftCorner(n, n) = M;
    b.head(n) = f;
    for (Eigen::Index k = 0; k < m; k++) {
      K.block(n + k, 0, 1, n) = rows[size_t(k)].transpose();
      K.block(0, n + k, n, 1) = -rows[size_t(k)];
      b[n + k] = right[size_t(k)];
    }
    return K.fullPivLu().solve(b);
  }
  Eigen::Index n;
  Matrix M;
  Vector f;

private:
  std::vector<Vector> rows;
  std::vector<double> right;
};

// The constraints of the joint of body i, and its torque.
void add_joint(System &system, const Tree &robot, const TreeState &s, const std::vector<Moving> &m,
               size_t i) {
  const Body &b = robot.bodies[i];
  const int c = int(i), p = b.parent;
  const V3 w_p = p < 0 ? V3(V3::Zero()) : m[size_t(p)].w, z = m[i].axis;
  const V3 across = z.unitOrthogonal(), other = z.cross(across);
  const auto point = [&](const V3 &e, double more) {
    Vector row = Vector::Zero(system.n);
    double right = more;
    system.add_point(row, right, m, c, m[i].anchor, e, 1);
    system.add_point(row, right, m, p, m[i].anchor, e, -1);
    system.constrain(row, right);
  };
  const auto turn = [&](const V3 &e, double right) {
    Vector row = Vector::Zero(system.n);
    System::add_turn(row, c, e, 1);
    System::add_turn(row, p, e, -1);
    system.constrain(row, right);
  };
  V3 couple = V3::Zero(), force = V3::Zero();
  if (b.kind == Kind::ball || b.kind == Kind::hinge)
    for (int k = 0; k < 3; k++) point(V3::Unit(k), 0);
  if (b.kind == Kind::ball) couple = m[i].R * s.torque[i];
  if (b.kind == Kind::hinge) {
    for (const V3 &e : {across, other}) turn(e, e.dot(w_p.cross(z * s.qd[i])));
    couple = z * s.tau[i];
  } else if (b.kind == Kind::slide) {
    for (int k = 0; k < 3; k++) turn(V3::Unit(k), 0);
    for (const V3 &e : {across, other}) point(e, e.dot(2 * w_p.cross(z * s.qd[i])));
    force = z * s.tau[i];
  } else if (b.kind == Kind::none && robot.base == 3) {
    turn(V3::UnitX(), 0), turn(V3::UnitY(), 0), point(V3::UnitZ(), 0);
  }
  system.push(c, m[i], force, m[i].anchor, couple);
  if (p >= 0) system.push(p, m[size_t(p)], -force, m[i].anchor, -couple);
}

// Accelerations by coordinate as their definitions say, of accelerations x of the bodies.
Vector accelerations(const Tree &robot, const TreeState &s, const std::vector<Moving> &m,
                     const Vector &x) {
  std::vector<double> list;
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    const Body &b = robot.bodies[i];
    const int p = b.parent;
    const V3 alpha = x.segment<3>(Eigen::Index(6 * i));
    const auto at = [&](int k) -> V3 { // acceleration of body k where the joint is
      if (k < 0) return V3::Zero();
      const Moving &o = m[size_t(k)];
      const V3 r = m[i].anchor - o.com;
      return x.segment<3>(6 * k + 3) + V3(x.segment<3>(6 * k)).cross(r) + o.w.cross(o.w.cross(r));
    };
    const V3 alpha_p = p < 0 ? V3(V3::Zero()) : V3(x.segment<3>(6 * p));
    const V3 w_p = p < 0 ? V3(V3::Zero()) : m[size_t(p)].w, z = m[i].axis;
    if (b.kind == Kind::none) {
      const V3 a = at(int(i));
      for (int k = 0; k < (robot.base == 3 ? 2 : 3); k++) list.push_back(a[k]);
      for (int k = robot.base == 3 ? 2 : 0; k < 3; k++) list.push_back(alpha[k]);
    } else if (b.kind == Kind::ball) { // d/dt of R_c^T (w_c - w_p)
      const V3 rate = m[i].R.transpose() * (alpha - alpha_p - m[i].w.cross(m[i].w - w_p));
      for (int k = 0; k < 3; k++) list.push_back(rate[k]);
    } else if (b.kind == Kind::hinge) {
      list.push_back(z.dot(alpha - alpha_p));
    } else {
      list.push_back(z.dot(at(int(i)) - at(p) - 2 * w_p.cross(z * s.qd[i])));
    }
  }
  return Eigen::Map<Vector>(list.data(), Eigen::Index(list.size()));
}

// Accelerations by coordinate; with rows, of which the forces are told, too.
Vector by_maximal_coordinates(const Tree &robot, const TreeState &s, bool with_rows, V3 *nu) {
  const std::vector<Moving> m = place(robot, s);
  System system(robot.bodies.size());
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    const Body &b = robot.bodies[i];
    const M3 I = m[i].R * b.inertia() * m[i].R.transpose();
    const Eigen::Index at = Eigen::Index(6 * i);
    system.M.block<3, 3>(at, at) = I;
    system.M.block<3, 3>(at + 3, at + 3) = M3::Identity() * b.mass;
    system.push(int(i), m[i], b.mass * s.gravity, m[i].com, -m[i].w.cross(V3(I * m[i].w)));
  }
  for (int k = 0; k < 3 && with_rows; k++) {
    const int last = int(robot.bodies.size()) - 1;
    Vector row = Vector::Zero(system.n);
    double right = s.b[k];
    system.add_point(row, right, m, last, m[size_t(last)].origin, V3::Unit(k), 1);
    system.constrain(row, right);
  }
  for (size_t i = 0; i < robot.bodies.size(); i++) add_joint(system, robot, s, m, i);
  const Vector x = system.solve();
  if (nu) *nu = x.segment<3>(system.n);
  return accelerations(robot, s, m, x);
}

// --- MuJoCo --------------------------------------------------------------------------------------

struct Simulator {
  std::unique_ptr<mjModel, void (*)(mjModel *)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData *)> data{nullptr, mj_deleteData};
  Simulator(const std::string &path) {
    char error[1000] = "";
    model.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    if (!model) throw std::runtime_error(error);
    model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_PASSIVE;
    model->opt.enableflags |= mjENBL_ENERGY;
    data.reset(mj_makeData(model.get()));
  }
  int joint(const std::string &name) const {
    return mj_name2id(model.get(), mjOBJ_JOINT, name.c_str());
  }
};

// Sets a state; returns T with v_mj = T v, v by our coordinates, and tau by MuJoCo's.
Matrix set_state(const Simulator &sim, const Tree &robot, const TreeState &s, Vector &tau) {
  mjModel *m = sim.model.get();
  mjData *d = sim.data.get();
  mj_resetData(m, d);
  tau = Vector::Zero(m->nv);
  Matrix T = Matrix::Zero(m->nv, m->nv);
  if (robot.base == 3) {
    d->qpos[0] = s.base_place[0], d->qpos[1] = s.base_place[1], d->qpos[2] = s.yaw;
    d->qvel[0] = s.base_v[0], d->qvel[1] = s.base_v[1], d->qvel[2] = s.base_w[2];
    T.topLeftCorner(3, 3).setIdentity();
  } else if (robot.base == 6) {
    const M3 R = s.base_turn.toRotationMatrix();
    T.topLeftCorner(3, 3).setIdentity();
    T.block<3, 3>(3, 3) = R.transpose();
    mju_copy3(d->qpos, s.base_place.data());
    d->qpos[3] = s.base_turn.w();
    mju_copy3(d->qpos + 4, s.base_turn.vec().data());
    mju_copy3(d->qvel, s.base_v.data());
    const V3 w = R.transpose() * s.base_w;
    mju_copy3(d->qvel + 3, w.data());
  }
  Eigen::Index at = robot.base;
  for (size_t i = 0; i < robot.bodies.size(); i++) {
    if (robot.bodies[i].kind == Kind::none) continue;
    const int j = sim.joint(joint_name(i)), dof = m->jnt_dofadr[j], pos = m->jnt_qposadr[j];
    if (robot.bodies[i].kind == Kind::ball) {
      d->qpos[pos] = s.ball[i].w();
      mju_copy3(d->qpos + pos + 1, s.ball[i].vec().data());
      mju_copy3(d->qvel + dof, s.w[i].data());
      tau.segment<3>(dof) = s.torque[i];
      for (int k = 0; k < 3; k++) T(dof + k, at++) = 1;
    } else {
      d->qpos[pos] = s.q[i], d->qvel[dof] = s.qd[i], tau[dof] = s.tau[i];
      T(dof, at++) = 1;
    }
  }
  mju_copy3(m->opt.gravity, s.gravity.data());
  return T;
}

// Derivatives of MuJoCo's inverse dynamics by turns and velocities, by differences.
Matrix difference(const Simulator &sim, bool by_velocity) {
  mjModel *m = sim.model.get();
  mjData *d = sim.data.get();
  const double h = 1e-5;
  const Vector q = Eigen::Map<Vector>(d->qpos, m->nq), v = Eigen::Map<Vector>(d->qvel, m->nv);
  Matrix D(m->nv, m->nv);
  for (int k = 0; k < m->nv; k++) {
    Vector two[2];
    for (int side = 0; side < 2; side++) {
      const double step = side ? h : -h;
      Eigen::Map<Vector>(d->qpos, m->nq) = q;
      Eigen::Map<Vector>(d->qvel, m->nv) = v;
      const Vector unit = Vector::Unit(m->nv, k);
      if (by_velocity)
        d->qvel[k] += step;
      else
        mj_integratePos(m, d->qpos, unit.data(), step);
      mj_inverse(m, d);
      two[side] = Eigen::Map<Vector>(d->qfrc_inverse, m->nv);
    }
    D.col(k) = (two[1] - two[0]) / (2 * h);
  }
  Eigen::Map<Vector>(d->qpos, m->nq) = q;
  Eigen::Map<Vector>(d->qvel, m->nv) = v;
  return D;
}

// --- all of it -----------------------------------------------------------------------------------

void judge(const Tree &robot, Random &random, const Arguments &arguments, Comparison &result) {
  const TemporaryFolder folder;
  const std::string path = folder.write("robot.xml", mjcf_of(robot, false)),
                    layout = layout_of(robot);
  const Simulator sim(folder.write("mujoco.xml", mjcf_of(robot, true)));
  mjModel *m = sim.model.get();
  mjData *d = sim.data.get();
  const std::string own = folder.path + "/own.xml"; // the model that --mjcf writes
  if (run_command(shell_quoted(arguments.achdgen) + " -q " + shell_quoted(path) + " --layout " +
                  shell_quoted(folder.write("layout.lua", layout)) + " --mjcf " +
                  shell_quoted(own)) != 0)
    throw std::runtime_error("--mjcf failed");
  const Simulator written(own);
  const auto forces = columns_of(robot, "tau.", "base.wrench."),
             motions = columns_of(robot, "qdd.", "base.acc."),
             plain = columns_of(robot, "", "base.");
  const Eigen::Index n = Eigen::Index(forces.size());
  const std::string tip = "b" + std::to_string(robot.bodies.size() - 1);
  std::vector<TreeState> states;
  std::vector<Values> values;
  std::vector<Vector> vdot;
  for (int k = 0; k < arguments.states; k++) {
    states.push_back(draw(robot, random));
    values.push_back(values_of(robot, states.back()));
    vdot.push_back(Vector(n));
    for (Eigen::Index i = 0; i < n; i++)
      values.back()[motions[size_t(i)]] = vdot.back()[i] = random.uniform(-5, 5);
  }
  // of a long chain those without its links' velocities in so many numbers; derivatives where there is no base
  const bool small = robot.bodies.size() < 10;
  const auto run = [&](const std::string &name, bool wanted = true) {
    return wanted ? Function(arguments.achdgen, path, layout, name).run(values)
                  : std::vector<Values>();
  };
  const auto crba = run("crba"), id = run("id"), fd = run("fd"),
             achd = run("achd", small && !robot.rotors()), energy = run("energy", small),
             jac = run("jac"), fk = run("fk", small), centroidal = run("centroidal", small),
             did = run("did", small && robot.base == 0);
  for (size_t k = 0; k < states.size(); k++) {
    const TreeState &s = states[k];
    const std::string where = robot.title + ", state " + std::to_string(k);
    Vector tau;
    const Matrix T = set_state(sim, robot, s, tau);
    Eigen::Map<Vector>(d->qfrc_applied, m->nv) = tau;
    mj_forward(m, d);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(m->nv, m->nv);
    mj_fullM(m, full.data(), d->qM);
    const Matrix M = T.transpose() * full * T;
    Matrix ours(n, n);
    for (Eigen::Index i = 0; i < n; i++)
      for (Eigen::Index j = 0; j <= i; j++) {
        const auto at = crba[k].find("M." + plain[size_t(i)] + "." + plain[size_t(j)]);
        ours(i, j) = ours(j, i) = at == crba[k].end() ? 0 : at->second;
      }
    result.add("M", relative(ours, M), tolerance, where);
    Vector same;
    (void)set_state(written, robot, s, same);
    Eigen::Map<Vector>(written.data->qfrc_applied, m->nv) = tau;
    mj_forward(written.model.get(), written.data.get());
    const Vector e = Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvalues();
    const double solved = std::max(tolerance, 1e-13 * e[n - 1] / e[0]);
    const Vector forward = T.transpose() * Eigen::Map<Vector>(d->qacc, m->nv);
    result.add("forward dynamics", relative(pick(fd[k], motions), forward), solved, where);
    result.add("forward dynamics of --mjcf",
               relative(Vector(Eigen::Map<Vector>(written.data->qacc, m->nv)),
                        Vector(Eigen::Map<Vector>(d->qacc, m->nv))),
               std::max(1e-9, 1e3 * solved), where);
    // energies: MuJoCo's potential is zero at the origin of the world, ours at that of the base
    double lift = 0;
    for (const Body &b : robot.bodies)
      lift -= robot.base > 0 ? b.mass * s.gravity.dot(s.base_place) : 0;
    const Eigen::Vector2d seen_energy(d->energy[0] - lift, d->energy[1]);
    if (small)
      result.add("energies",
                 relative(Eigen::Vector2d(energy[k].at("potential"), energy[k].at("kinetic")),
                          seen_energy),
                 tolerance, where);
    Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor> J(6, m->nv);
    const int body = mj_name2id(m, mjOBJ_BODY, tip.c_str());
    mj_jac(m, d, J.data(), J.data() + 3 * m->nv, d->xpos + 3 * body, body);
    const Matrix jacobian = J * T;
    Matrix told(6, n);
    for (int r = 0; r < 6; r++)
      for (Eigen::Index i = 0; i < n; i++) {
        const auto at = jac[k].find("jac." + tip + (r < 3 ? ".lin_" : ".ang_") + xyz[r % 3] + "." +
                                    plain[size_t(i)]);
        told(r, i) = at == jac[k].end() ? 0 : at->second;
      }
    result.add("Jacobian", relative(told, jacobian), tolerance, where);
    Vector pose(12), seen(12);
    for (int i = 0; i < 3 && small; i++) {
      pose[i] = fk[k].at("pose." + tip + ".p." + xyz[i]);
      seen[i] = d->xpos[3 * body + i] - (robot.base > 0 ? s.base_place[i] : 0);
      for (int j = 0; j < 3; j++) {
        pose[3 + 3 * i + j] = fk[k].at("pose." + tip + ".R." + xyz[i] + xyz[j]);
        seen[3 + 3 * i + j] = d->xmat[9 * body + 3 * i + j];
      }
    }
    if (small) result.add("pose", relative(pose, seen), tolerance, where);
    mj_subtreeVel(m, d);
    Vector h(6), momentum(6);
    for (int i = 0; i < 6 && small; i++)
      h[i] = centroidal[k].at(std::string("h_G.") + (i < 3 ? "lin_" : "ang_") + xyz[i % 3]);
    for (int i = 0; i < 3; i++) {
      momentum[i] = d->subtree_linvel[i] * m->body_subtreemass[0];
      momentum[3 + i] = d->subtree_angmom[i];
    }
    if (small) result.add("centroidal momentum", relative(h, momentum), tolerance, where);
    Eigen::Map<Vector>(d->qacc, m->nv) = T * vdot[k];
    Eigen::Map<Vector>(d->qfrc_applied, m->nv).setZero();
    mj_inverse(m, d);
    const Vector inverse = T.transpose() * Eigen::Map<Vector>(d->qfrc_inverse, m->nv);
    result.add("inverse dynamics", relative(pick(id[k], forces), inverse), tolerance, where);
    for (int by = 0; by < 2 && !did.empty(); by++) {
      const Matrix D = T.transpose() * difference(sim, by == 1) * T;
      Matrix mine = Matrix::Zero(n, n);
      for (Eigen::Index i = 0; i < n; i++)
        for (Eigen::Index j = 0; j < n; j++) {
          const auto at = did[k].find((by ? "dtau_dqd." : "dtau_dq.") + plain[size_t(i)] + "." +
                                      plain[size_t(j)]);
          if (at != did[k].end()) mine(i, j) = at->second;
        }
      result.add(by ? "derivative by velocities" : "derivative by positions", relative(mine, D),
                 1e-6, where);
    }
    if (robot.rotors()) continue;
    result.add("forward dynamics, maximal coordinates",
               relative(pick(fd[k], motions), by_maximal_coordinates(robot, s, false, nullptr)),
               solved, where);
    if (!small) continue;
    V3 nu;
    const Vector constrained = by_maximal_coordinates(robot, s, true, &nu);
    const double pivot = achd[k].at("pivot_min");
    if (!(pivot > 1e-4)) continue;
    result.add("rows, maximal coordinates", relative(pick(achd[k], motions), constrained),
               solved / pivot, where);
    result.add("forces of rows, maximal coordinates",
               relative(pick(achd[k], {"nu.tip.lin_x", "nu.tip.lin_y", "nu.tip.lin_z"}), nu),
               solved / pivot, where);
  }
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse_arguments(argc, argv, 3, 20);
  const char *sweep = std::getenv("ACHD_SWEEP");
  const int robots = sweep && std::string(sweep) == "1" ? 1000 : 3;
  Comparison result("ball joints");
  Random random(7);
  std::vector<Tree> list = {ten_balls(random), humanoid(random)};
  for (int k = 0; k < robots; k++) list.push_back(random_tree(random, k));
  int bad = 0;
  for (const Tree &robot : list) {
    if (!arguments.only.empty() && robot.title.find(arguments.only) == std::string::npos) continue;
    try {
      judge(robot, random, arguments, result);
    } catch (const std::exception &e) {
      std::printf("  BAD %s: %s\n", robot.title.c_str(), e.what());
      bad++;
    }
  }
  return result.print() + bad > 0;
}
