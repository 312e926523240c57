/* SPDX-License-Identifier: MIT */
#include "kdl_oracle.hpp"

#include "kdl_chain.hpp"

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include <stdexcept>

namespace oracle {
namespace {

KDL::Vector vector(const Vec3 &v) {
  return {double(v[0]), double(v[1]), double(v[2])};
}

KDL::Frame frame(const Mat3 &R, const Vec3 &p) {
  return {KDL::Rotation(double(R(0, 0)), double(R(0, 1)), double(R(0, 2)), //
                        double(R(1, 0)), double(R(1, 1)), double(R(1, 2)), //
                        double(R(2, 0)), double(R(2, 1)), double(R(2, 2))),
          vector(p)};
}

KDL::Wrench wrench(const Vec6 &f) {
  return {vector(f.head(3)), vector(f.tail(3))};
}

KDL::JntArray array(const Vec &v, const KdlChain &built) {
  KDL::JntArray out(unsigned(built.segments.size()));
  for (size_t k = 0; k < built.segments.size(); k++)
    out(unsigned(k)) = double(v[built.segments[k].dof]);
  return out;
}

// The last segment whose joint carries a link; -1: the base.
int carrier_of(const Robot &robot, const KdlChain &built, int link) {
  for (int i = link; i >= 0; i = robot.links[i].parent)
    for (size_t k = 0; k < built.segments.size(); k++)
      if (built.segments[k].joint_link == i) return int(k);
  return -1;
}

// A wrench moved to the tip of its carrier: moment' = moment + (p_link - p_tip) x force
Vec6 at_tip(const Motion &at, const KdlSegment &carrier, const Wrench &w) {
  Vec6 f = w.f;
  const Vec3 r = at.links[w.link].p - at.links[carrier.tip_link].p;
  f.tail(3) += r.cross(Vec3(w.f.head(3)));
  return f;
}

} // namespace

// One segment per moving joint; the last one ends at `tip`. Inertia of everything rigid with the
// joint's child, expressed at the segment's tip frame.
KdlChain kdl_chain(const Robot &full, const State &state, int tip) {
  if (full.base != Base::fixed) throw std::runtime_error("oracle: KDL chains have a fixed base");
  Robot given = full;
  for (const auto &entry : state.inertia) given.links[entry.first].inertia = at_com(entry.second);
  const Robot robot = merge_fixed(given);
  std::vector<int> path; // root's child .. tip
  for (int i = tip; robot.links[i].parent >= 0; i = robot.links[i].parent)
    path.insert(path.begin(), i);

  KdlChain out;
  Mat3 R = Mat3::Identity(); // of the link before the next joint, in the last segment's tip
  Vec3 p = Vec3::Zero();
  for (size_t k = 0; k < path.size(); k++) {
    const Link &link = robot.links[path[k]];
    const Joint &joint = link.joint;
    const Mat3 R_joint = R * joint.R;
    const Vec3 p_joint = p + R * joint.p;
    if (joint.type == JointType::fixed) { // before the first moving joint
      R = R_joint;
      p = p_joint;
      continue;
    }
    if (joint.ratio != 1 || joint.offset != 0) throw std::runtime_error("oracle: no mimic in KDL");
    // The frame in which the segment ends, as seen from the joint's child.
    Mat3 R_tip = Mat3::Identity();
    Vec3 p_tip = Vec3::Zero();
    KdlSegment segment{joint.dof, path[k], path[k]};
    while (k + 1 < path.size() && robot.links[path[k + 1]].joint.type == JointType::fixed) {
      const Joint &rigid = robot.links[path[++k]].joint;
      p_tip += R_tip * rigid.p;
      R_tip = R_tip * rigid.R;
      segment.tip_link = path[k];
    }
    const Inertia &own = link.inertia;
    const Vec3 c = R_tip.transpose() * (own.c - p_tip);
    const Mat3 I = R_tip.transpose() * own.I * R_tip;
    // KDL's constructor takes the rotational inertia about the centre of mass.
    const KDL::RigidBodyInertia inertia(double(own.m), vector(c),
                                        KDL::RotationalInertia(double(I(0, 0)), double(I(1, 1)),
                                                               double(I(2, 2)), double(I(0, 1)),
                                                               double(I(0, 2)), double(I(1, 2))));
    const double rotor = state.armature.size() ? double(state.armature[joint.dof]) : 0;
    const KDL::Joint kdl_joint(joint.name, vector(p_joint), vector(R_joint * joint.axis),
                               joint.type == JointType::revolute ? KDL::Joint::RotAxis
                                                                 : KDL::Joint::TransAxis,
                               1, 0, rotor);
    out.chain.addSegment(KDL::Segment(link.name, kdl_joint,
                                      frame(R_joint * R_tip, p_joint + R_joint * p_tip), inertia));
    out.segments.push_back(segment);
    R = Mat3::Identity();
    p = Vec3::Zero();
  }
  if (int(out.segments.size()) != robot.nd())
    throw std::runtime_error("oracle: not every joint is on the chain");
  return out;
}

KdlResult kdl_solve(const Robot &robot, const State &state, const Problem &problem, int tip) {
  const KdlChain built = kdl_chain(robot, state, tip);
  const Motion at = motion(robot, state); // to move set-points and wrenches to KDL's points
  const unsigned n = unsigned(built.segments.size()), m = unsigned(problem.rows.size());

  KDL::Jacobian alfa(m);
  KDL::JntArray beta(m);
  alfa.data.setZero();
  for (unsigned k = 0; k < m; k++) {
    const Row &row = problem.rows[k];
    if (row.link != tip) throw std::runtime_error("oracle: KDL constrains the tip only");
    beta(k) = 0;
    if (!row.active) continue; // a zero column
    const LinkMotion &link = at.links[tip];
    real b = row.b; // of the spatial acceleration
    if (row.classical) b -= row.a.head(3).dot(link.w.cross(link.v));
    for (int i = 0; i < 6; i++) alfa.data(i, k) = double(row.a[i]);
    beta(k) = double(b - row.a.head(3).dot(state.gravity));
  }

  Vec tau = Vec::Zero(robot.nd());
  if (problem.tau_phys.size()) tau += problem.tau_phys;
  if (problem.tau_art.size()) tau += problem.tau_art;
  KDL::Wrenches f_ext(n);
  for (const Wrench &w : problem.wrenches) {
    const int carrier = carrier_of(robot, built, w.link);
    if (carrier >= 0) f_ext[carrier] += wrench(at_tip(at, built.segments[carrier], w));
  }

  const KDL::Twist root(vector(-state.gravity), KDL::Vector::Zero());
  KDL::ChainHdSolver_Vereshchagin solver(built.chain, root, m);
  const KDL::JntArray q = array(state.q, built), qd = array(state.qd, built),
                      torque = array(tau, built);
  KDL::JntArray qdd(n), constraint(n);
  KdlResult out;
  out.error = solver.CartToJnt(q, qd, qdd, alfa, beta, f_ext, torque, constraint);
  out.qdd.resize(n);
  out.constraint_torques.resize(n);
  for (unsigned k = 0; k < n; k++) {
    out.qdd[built.segments[k].dof] = qdd(k);
    out.constraint_torques[built.segments[k].dof] = constraint(k);
  }
  Eigen::VectorXd nu(m);
  solver.getContraintForceMagnitude(nu);
  out.nu = -nu;
  for (unsigned k = 0; k < m; k++)
    if (!problem.rows[k].active) out.nu[k] = 0;
  std::vector<KDL::Twist> acc(n + 1);
  solver.getTransformedLinkAcceleration(acc); // [0]: the root's
  for (unsigned k = 0; k < n; k++) {
    Eigen::VectorXd a(6);
    for (int i = 0; i < 6; i++) a[i] = acc[k + 1][i] + (i < 3 ? double(state.gravity[i]) : 0);
    out.acc.push_back(a);
    out.acc_link.push_back(built.segments[k].tip_link);
  }
  return out;
}

KdlModel kdl_model(const Robot &robot, const State &state, int tip) {
  const KdlChain built = kdl_chain(robot, state, tip);
  const unsigned n = unsigned(built.segments.size());
  const KDL::Vector gravity = vector(state.gravity);
  const KDL::JntArray q = array(state.q, built), qd = array(state.qd, built);
  KdlModel out{Eigen::MatrixXd(n, n), Eigen::VectorXd(n), Eigen::MatrixXd(6, n), {}, {}};

  KDL::ChainDynParam dynamics(built.chain, gravity);
  KDL::JntSpaceInertiaMatrix M(n);
  dynamics.JntToMass(q, M);
  KDL::ChainIdSolver_RNE rne(built.chain, gravity);
  KDL::JntArray zero(n), h(n);
  rne.CartToJnt(q, qd, zero, KDL::Wrenches(n), h);
  KDL::ChainJntToJacSolver jac(built.chain);
  KDL::Jacobian J(n);
  jac.JntToJac(q, J);
  KDL::ChainFkSolverPos_recursive fk(built.chain);
  KDL::Frame pose;
  fk.JntToCart(q, pose);
  for (unsigned i = 0; i < n; i++) {
    const int a = built.segments[i].dof;
    out.h[a] = h(i);
    out.J.col(a) = J.data.col(i);
    for (unsigned j = 0; j < n; j++) out.M(a, built.segments[j].dof) = M(i, j);
  }
  for (int i = 0; i < 3; i++) {
    out.p[i] = pose.p[i];
    for (int j = 0; j < 3; j++) out.R(i, j) = pose.M(i, j);
  }
  return out;
}

KdlFamily kdl_family(const Robot &robot, const State &state, int tip, const Vec &qdd,
                     const Vec &tau, const std::vector<Wrench> &wrenches) {
  const KdlChain built = kdl_chain(robot, state, tip);
  const Motion at = motion(robot, state); // to move wrenches to KDL's points and axes
  const unsigned n = unsigned(built.segments.size());
  const KDL::JntArray q = array(state.q, built), qd = array(state.qd, built);
  const KDL::JntArrayVel velocity(q, qd);
  const KDL::Vector g = vector(state.gravity);
  const auto by_dof = [&](const KDL::JntArray &v) {
    Eigen::VectorXd out(n);
    for (unsigned k = 0; k < n; k++) out[built.segments[k].dof] = v(k);
    return out;
  };
  const auto six = [](const KDL::Twist &t) {
    Eigen::VectorXd out(6);
    for (int i = 0; i < 6; i++) out[i] = t[i];
    return out;
  };
  KdlFamily out;

  KDL::ChainFkSolverPos_recursive fk(built.chain);
  KDL::ChainFkSolverVel_recursive fvk(built.chain);
  KDL::ChainJntToJacSolver jac(built.chain);
  KDL::ChainJntToJacDotSolver jdqd(built.chain);
  jdqd.setRepresentation(KDL::ChainJntToJacDotSolver::HYBRID);
  out.potential = 0;
  for (unsigned k = 0; k < n; k++) {
    KdlFrame &frame = out.frames[built.segments[k].tip_link];
    KDL::Frame pose;
    fk.JntToCart(q, pose, int(k) + 1);
    for (int i = 0; i < 3; i++) {
      frame.p[i] = pose.p[i];
      for (int j = 0; j < 3; j++) frame.R(i, j) = pose.M(i, j);
    }
    KDL::FrameVel moving;
    fvk.JntToCart(velocity, moving, int(k) + 1);
    frame.twist = six(moving.GetTwist());
    KDL::Jacobian J(n);
    jac.JntToJac(q, J, int(k) + 1);
    frame.J.resize(6, n);
    for (unsigned i = 0; i < n; i++) frame.J.col(built.segments[i].dof) = J.data.col(i);
    KDL::Twist a;
    jdqd.JntToJacDot(velocity, a, int(k) + 1);
    frame.jdqd = six(a);
    const KDL::RigidBodyInertia &inertia = built.chain.getSegment(k).getInertia();
    out.potential -= inertia.getMass() * dot(g, pose * inertia.getCOG());
  }

  KDL::ChainDynParam dynamics(built.chain, g);
  KDL::JntSpaceInertiaMatrix M(n);
  dynamics.JntToMass(q, M);
  out.M.resize(n, n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) out.M(built.segments[i].dof, built.segments[j].dof) = M(i, j);
  KDL::JntArray joints(n);
  dynamics.JntToGravity(q, joints);
  out.gravity = by_dof(joints);
  dynamics.JntToCoriolis(q, qd, joints);
  out.coriolis = by_dof(joints);
  const Eigen::VectorXd u = by_dof(qd);
  out.kinetic = u.dot(out.M * u) / 2;

  KDL::Wrenches f_ext(n); // here: axes of the segment's tip
  for (const Wrench &w : wrenches) {
    const int carrier = carrier_of(robot, built, w.link);
    if (carrier < 0) continue;
    const KdlSegment &segment = built.segments[carrier];
    const Vec6 f = at_tip(at, segment, w);
    const Mat3 &R = at.links[segment.tip_link].R;
    f_ext[carrier] += KDL::Wrench(vector(R.transpose() * f.head(3)), //
                                  vector(R.transpose() * f.tail(3)));
  }
  KDL::ChainIdSolver_RNE id(built.chain, g);
  id.CartToJnt(q, qd, array(qdd, built), f_ext, joints);
  out.tau = by_dof(joints);
  KDL::ChainFdSolver_RNE fd(built.chain, g);
  fd.CartToJnt(q, qd, array(tau, built), f_ext, joints);
  out.qdd = by_dof(joints);
  return out;
}

} // namespace oracle
