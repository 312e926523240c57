/* SPDX-License-Identifier: MIT */
#include "motion.hpp"

namespace oracle {

State rest(const Robot &robot) {
  State state;
  state.q = state.qd = state.armature = Vec::Zero(robot.nd());
  return state;
}

namespace {

// A link's mass in motion: as State has it, else the robot's.
struct Body {
  real m;
  Vec3 c, v, a; // centre of mass, from the link's origin; its velocity, acceleration where vdot = 0
  Mat3 I;       // about it, world axes
  Jac J;        // v = J u
};

Body body_of(const Robot &robot, const State &state, const LinkMotion &k, int link) {
  const auto other = state.inertia.find(link);
  const Inertia own =
      other == state.inertia.end() ? robot.links[link].inertia : at_com(other->second);
  Body body;
  body.m = own.m;
  body.c = k.R * own.c;
  body.v = k.v + k.w.cross(body.c);
  body.a = k.a + k.al.cross(body.c) + k.w.cross(k.w.cross(body.c));
  body.I = k.R * own.I * k.R.transpose();
  body.J = k.Jv - skew(body.c) * k.Jw;
  return body;
}

LinkMotion base_motion(const Robot &robot, const State &state) {
  LinkMotion base;
  base.R = state.base_R;
  base.p = base.a = base.al = base.v = base.w = Vec3::Zero();
  base.Jv = base.Jw = Jac::Zero(3, robot.nv());
  if (robot.base == Base::floating) {
    base.Jv.leftCols(3) = Mat3::Identity();
    base.Jw.middleCols(3, 3) = Mat3::Identity();
    base.v = state.base_twist.head(3);
    base.w = state.base_twist.tail(3);
  } else if (robot.base == Base::planar) {
    base.Jv(0, 0) = base.Jv(1, 1) = base.Jw(2, 2) = 1;
    base.v.head(2) = state.base_twist.head(2);
    base.w[2] = state.base_twist[5];
  }
  return base;
}

// Revolute, coordinate t about the axis z:      Prismatic, along it:
//   w' = w + z td,  al' = al + w x z td           w' = w,  al' = al
//   v' = v + w x r                                v' = v + w x r + z td
//   a' = a + al x r + w x (w x r)                 a' = ... + 2 w x z td
// r from the parent's origin to the child's.
LinkMotion child_motion(const LinkMotion &parent, const Joint &joint, const State &state, int nb) {
  LinkMotion child;
  const real t = joint.dof < 0 ? 0 : joint.ratio * state.q[joint.dof] + joint.offset;
  const real td = joint.dof < 0 ? 0 : joint.ratio * state.qd[joint.dof];
  const Mat3 frame = parent.R * joint.R;
  const Vec3 z = frame * joint.axis;
  Vec3 r = parent.R * joint.p;
  child.R = frame;
  if (joint.type == JointType::revolute) child.R = frame * rotation(joint.axis, t);
  if (joint.type == JointType::prismatic) r += z * t;
  child.p = parent.p + r;
  child.w = parent.w;
  child.al = parent.al;
  child.v = parent.v + parent.w.cross(r);
  child.a = parent.a + parent.al.cross(r) + parent.w.cross(parent.w.cross(r));
  child.Jv = parent.Jv - skew(r) * parent.Jw;
  child.Jw = parent.Jw;
  if (joint.type == JointType::revolute) {
    child.w += z * td;
    child.al += parent.w.cross(z * td);
    child.Jw.col(nb + joint.dof) += joint.ratio * z;
  } else if (joint.type == JointType::prismatic) {
    child.v += z * td;
    child.a += 2 * parent.w.cross(z * td);
    child.Jv.col(nb + joint.dof) += joint.ratio * z;
  }
  return child;
}

} // namespace

// M = sum_i m Jc^T Jc + Jw^T I Jw + diag(rotors),  h = sum_i Jc^T m (a_c - g) + Jw^T (I al + w x I
// w)
Motion motion(const Robot &robot, const State &state) {
  Motion out;
  out.nb = robot.nb();
  out.nv = robot.nv();
  out.u = Vec::Zero(out.nv);
  if (robot.base == Base::floating) out.u.head(6) = state.base_twist;
  if (robot.base == Base::planar)
    out.u.head(3) << state.base_twist[0], state.base_twist[1], state.base_twist[5];
  out.u.tail(robot.nd()) = state.qd;
  out.M = Mat::Zero(out.nv, out.nv);
  out.h = out.h_gravity = Vec::Zero(out.nv);
  out.kinetic = out.potential = 0;
  for (size_t i = 0; i < robot.links.size(); i++) {
    const Link &link = robot.links[i];
    out.links.push_back(link.parent < 0
                            ? base_motion(robot, state)
                            : child_motion(out.links[link.parent], link.joint, state, out.nb));
    const LinkMotion &k = out.links.back();
    const Body body = body_of(robot, state, k, int(i));
    const Mat3 &I = body.I;
    out.M += body.m * body.J.transpose() * body.J + k.Jw.transpose() * I * k.Jw;
    const Vec weight = -body.m * body.J.transpose() * state.gravity;
    out.h += body.m * body.J.transpose() * body.a +
             k.Jw.transpose() * (I * k.al + k.w.cross(I * k.w)) + weight;
    out.h_gravity += weight;
    out.kinetic += body.m * body.v.squaredNorm() / 2 + k.w.dot(I * k.w) / 2;
    out.potential -= body.m * state.gravity.dot(k.p + body.c);
  }
  for (int i = 0; i < int(state.armature.size()); i++) {
    out.M(out.nb + i, out.nb + i) += state.armature[i];
    out.kinetic += state.armature[i] * state.qd[i] * state.qd[i] / 2;
  }
  return out;
}

Mat jacobian(const Motion &motion, int link) {
  Mat J(6, motion.nv);
  J << motion.links[link].Jv, motion.links[link].Jw;
  return J;
}

Vec6 acceleration(const Motion &motion, int link, const Vec &vdot, bool classical) {
  const LinkMotion &k = motion.links[link];
  Vec6 a;
  a << k.Jv * vdot + k.a, k.Jw * vdot + k.al;
  if (!classical) a.head(3) -= k.w.cross(k.v);
  return a;
}

Vec6 twist(const Motion &motion, int link) {
  Vec6 t;
  t << motion.links[link].v, motion.links[link].w;
  return t;
}

// c = sum m c_i / m,  l = sum I w + (c_i - c) x m (v_i - v)
MassMotion mass_motion(const Robot &robot, const State &state, const Motion &motion) {
  MassMotion out;
  std::vector<Body> bodies;
  std::vector<Vec3> centres;
  out.c = out.v = out.a = out.l = Vec3::Zero();
  out.J = Jac::Zero(3, motion.nv);
  for (int i = 0; i < int(robot.links.size()); i++) {
    if (!robot.moves(i)) continue;
    const LinkMotion &k = motion.links[size_t(i)];
    const Body body = body_of(robot, state, k, i);
    bodies.push_back(body);
    centres.push_back(k.p + body.c);
    out.m += body.m;
    out.c += body.m * centres.back();
    out.v += body.m * body.v;
    out.a += body.m * body.a;
    out.J += body.m * body.J;
    out.l += body.I * k.w;
  }
  out.c /= out.m;
  out.v /= out.m;
  out.a /= out.m;
  out.J /= out.m;
  for (size_t i = 0; i < bodies.size(); i++)
    out.l += (centres[i] - out.c).cross(bodies[i].m * (bodies[i].v - out.v));
  return out;
}

} // namespace oracle
