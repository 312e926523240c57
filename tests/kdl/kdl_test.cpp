/* SPDX-License-Identifier: MIT */
// kdl_test.cpp: the classes of achd/kdl.hpp beside KDL's: the same numbers, arguments, codes and texts. Compiled with
// CHAIN, the structure of a generated header, and -include of that header.
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#ifdef WITH_PARSER
#include <kdl_parser/kdl_parser.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include "test.h"

#ifdef WITH_WEIGHTS
#include <weighed.h> // the same chain, by a layout with weights (kdl.sh)
#endif

typedef CHAIN Chain;

static double random_number() {
  return 2.0 * std::rand() / RAND_MAX - 1;
}

static KDL::JntArray random_array(unsigned n, double size) {
  KDL::JntArray x(n);
  for (unsigned k = 0; k < n; k++) x(k) = size * random_number();
  return x;
}

static double error_of(const Eigen::VectorXd &ours, const Eigen::VectorXd &theirs) {
  const double size = theirs.norm();
  return (ours - theirs).norm() / (size > 1 ? size : 1);
}

// KDL's own solver takes no fixed joints (docs/kdl.md): the chain with what is fixed behind a joint merged into its
// segment, and what is fixed before the first into the first; at[i]: the segment of it that carries segment i.
struct Merged {
  KDL::Chain chain;
  std::vector<int> at;
};
static Merged merged(const KDL::Chain &given) {
  Merged out;
  KDL::Frame before;
  std::string name;
  KDL::Joint joint;
  KDL::Frame tip;
  KDL::RigidBodyInertia inertia;
  int last = -1;
  const auto put = [&]() {
    if (last >= 0) out.chain.addSegment(KDL::Segment(name, joint, tip, inertia));
  };
  for (unsigned i = 0; i < given.getNrOfSegments(); i++) {
    const KDL::Segment &s = given.getSegment(i);
    const KDL::Joint &j = s.getJoint();
    if (j.getType() == KDL::Joint::Fixed) {
      const KDL::Frame rest = s.pose(0);
      if (last < 0) before = before * rest;
      if (last >= 0) {
        tip = tip * rest;
        inertia = rest.Inverse() * inertia + s.getInertia();
      }
    } else {
      put();
      last++;
      name = s.getName();
      const bool turns = j.twist(1).rot.Norm() > 0.5;
      joint = KDL::Joint(j.getName(), before * j.JointOrigin(), before.M * j.JointAxis(),
                         turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis, 1, 0, j.getInertia());
      tip = before * s.pose(0);
      inertia = s.getInertia();
      before = KDL::Frame::Identity();
    }
    out.at.push_back(last);
  }
  put();
  return out;
}

struct State {
  KDL::JntArray q, qd, ff, beta;
  KDL::Jacobian alpha;
  KDL::Wrenches f;
};

// kind: 0 unit wrenches along axes, 1 with signs, in another order, one zero; 2 any; with 3 and 4
// wrenches on all segments, with 5 and 6 at the tip; any with 4 and 6.
static State random_state(const KDL::Chain &chain, unsigned nc, int kind) {
  State s;
  s.q = random_array(chain.getNrOfJoints(), 1.5);
  s.qd = random_array(chain.getNrOfJoints(), 1);
  s.ff = random_array(chain.getNrOfJoints(), 5);
  s.beta = random_array(nc, 5);
  s.alpha = KDL::Jacobian(nc);
  for (unsigned c = 0; c < nc; c++) {
    if (kind > 0 && kind % 2 == 0) {
      for (unsigned r = 0; r < 6; r++) s.alpha(r, c) = random_number();
    } else {
      s.alpha(kind == 1 ? (c + 2) % 6 : c, c) = kind == 1 && c % 2 ? -1 : 1;
    }
  }
  s.f.resize(chain.getNrOfSegments());
  for (std::size_t i = kind >= 5 ? s.f.size() - 1 : 0; kind >= 3 && i < s.f.size(); i++)
    for (int k = 0; k < 6; k++) s.f[i](k) = 3 * random_number();
  return s;
}

// f_ext of KDL's chain without fixed segments: moved to the origin of the carrier's tip.
static KDL::Wrenches moved(const KDL::Chain &chain, const Merged &m, const State &s) {
  KDL::ChainFkSolverPos_recursive of_all(chain), of_merged(m.chain);
  KDL::Wrenches out(m.chain.getNrOfSegments());
  for (unsigned i = 0; i < chain.getNrOfSegments(); i++) {
    if (m.at[i] < 0) continue;
    KDL::Frame from, to;
    of_all.JntToCart(s.q, from, int(i) + 1);
    of_merged.JntToCart(s.q, to, m.at[i] + 1);
    out[std::size_t(m.at[i])] += s.f[i].RefPoint(to.p - from.p);
  }
  return out;
}

static void hybrid_dynamics(const KDL::Chain &chain) {
  const Merged m = merged(chain);
  const KDL::Twist root(KDL::Vector(0.3, -0.2, 9.81), KDL::Vector::Zero());
  const unsigned nj = chain.getNrOfJoints(), most = nj < 6 ? nj : 6;
  double worst = 0;
  int compared = 0;
  for (unsigned nc = 1; nc <= most; nc++) {
    achd::ChainHdSolver_Vereshchagin<Chain> ours(chain, root, nc);
    KDL::ChainHdSolver_Vereshchagin theirs(m.chain, root, nc);
    for (int kind = 0; kind < 7; kind++)
      for (int trial = 0; trial < 10; trial++) {
        const State s = random_state(chain, nc, kind);
        KDL::JntArray a(nj), b(nj), ta(nj), tb(nj), sa(nj), sb(nj), motors(nj);
        const int code = ours.CartToJnt(s.q, s.qd, a, s.alpha, s.beta, s.f, s.ff, ta);
        CHECK(code == ours.getError() && code >= 0);
        CHECK(theirs.CartToJnt(s.q, s.qd, b, s.alpha, s.beta, moved(chain, m, s), s.ff, tb) == 0);
        if (code != 0) continue;
        compared++;
        Eigen::VectorXd na(nc), nb(nc);
        ours.getContraintForceMagnitude(na);
        theirs.getContraintForceMagnitude(nb);
        ours.getTotalTorque(sa);
        theirs.getTotalTorque(sb);
        std::vector<KDL::Twist> xa(chain.getNrOfSegments() + 1), xb(m.chain.getNrOfSegments() + 1);
        ours.getTransformedLinkAcceleration(xa);
        theirs.getTransformedLinkAcceleration(xb);
        const double errors[] = {error_of(a.data, b.data), error_of(ta.data, tb.data),
                                 error_of(na, nb), error_of(sa.data, sb.data)};
        for (double e : errors) worst = std::max(worst, e);
        for (int k = 0; k < 6; k++)
          CHECK(std::fabs(xa.back()(k) - xb.back()(k)) < 1e-5 * (1 + b.data.norm()));
        CHECK(xa[0] == root);
        // alpha^T X'' = beta at the tip; the motors' torques with ff and f cause this motion
        for (unsigned c = 0; c < nc; c++) {
          double sum = -s.beta(c), size = 1;
          for (unsigned r = 0; r < 6; r++) {
            sum += s.alpha(r, c) * xa.back()(int(r));
            size += std::fabs(xa.back()(int(r)));
          }
          CHECK(std::fabs(sum) < 1e-6 * size);
        }
        ours.getControlTorque(motors);
        KDL::Wrenches turned = s.f;
        std::vector<KDL::Frame> poses(chain.getNrOfSegments());
        KDL::ChainFkSolverPos_recursive(chain).JntToCart(s.q, poses);
        for (std::size_t i = 0; i < turned.size(); i++) turned[i] = poses[i].M.Inverse() * s.f[i];
        KDL::JntArray needed(nj);
        KDL::ChainIdSolver_RNE(chain, -root.vel).CartToJnt(s.q, s.qd, a, turned, needed);
        CHECK(error_of(motors.data + s.ff.data, needed.data) < 1e-7);
      }
  }
  std::printf("hybrid dynamics: %d states, largest difference from KDL %.1e\n", compared, worst);
  CHECK(worst < 1e-7 && compared > 0);
}

static void codes(const KDL::Chain &chain) {
  const KDL::Twist root(KDL::Vector(0, 0, 9.81), KDL::Vector::Zero());
  const unsigned nj = chain.getNrOfJoints(), nc = 2;
  typedef achd::ChainHdSolver_Vereshchagin<Chain> Solver;
  Solver solver(chain, root, nc);
  KDL::SolverI &base = solver;
  State s = random_state(chain, nc, 0);
  KDL::JntArray qdd(nj), torques(nj), wrong(nj + 1);
  CHECK(solver.getError() == KDL::SolverI::E_NOERROR);
  const int mismatch = KDL::SolverI::E_SIZE_MISMATCH;
  CHECK(solver.CartToJnt(wrong, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques) == mismatch);
  CHECK(solver.CartToJnt(s.q, wrong, qdd, s.alpha, s.beta, s.f, s.ff, torques) == mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, wrong, s.alpha, s.beta, s.f, s.ff, torques) == mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, KDL::Jacobian(3), s.beta, s.f, s.ff, torques) == mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, KDL::JntArray(3), s.f, s.ff, torques) ==
        mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, KDL::Wrenches(1), s.ff, torques) ==
        mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, wrong, torques) == mismatch);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, wrong) == mismatch);
  CHECK(base.getError() == mismatch);
  CHECK(std::strcmp(base.strError(mismatch),
                    "The size of the input does not match the internal state") == 0);
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques) == 0 &&
        base.getError() == 0);

  // the output may be an input
  KDL::JntArray both = s.qd;
  CHECK(solver.CartToJnt(s.q, both, both, s.alpha, s.beta, s.f, s.ff, torques) == 0 &&
        error_of(both.data, qdd.data) < 1e-14);

  // what is not finite: no torque, no motion
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
  for (double x : bad) {
    for (int what = 0; what < 6; what++) {
      State t = s;
      if (what == 0) t.q(0) = x;
      if (what == 1) t.qd(0) = x;
      if (what == 2) t.ff(0) = x;
      if (what == 3) t.beta(0) = x;
      if (what == 4) t.alpha(0, 0) = x;
      if (what == 5) t.f.back()(2) = x;
      KDL::SetToZero(qdd);
      torques(0) = qdd(0) = 1;
      CHECK(solver.CartToJnt(t.q, t.qd, qdd, t.alpha, t.beta, t.f, t.ff, torques) ==
            KDL::SolverI::E_UNDEFINED);
      CHECK(torques.data.norm() == 0 && qdd.data.norm() == 0);
      KDL::JntArray total(nj);
      solver.getTotalTorque(total);
      CHECK(total.data.norm() == 0);
    }
    State t = s; // NaN in the set-point of a column that is zero
    for (unsigned r = 0; r < 6; r++) t.alpha(r, 1) = 0;
    t.beta(1) = x;
    CHECK(solver.CartToJnt(t.q, t.qd, qdd, t.alpha, t.beta, t.f, t.ff, torques) ==
          KDL::SolverI::E_UNDEFINED);
  }

  // the same constraint twice: degraded, and no number is wild
  State twice = random_state(chain, nc, 2);
  for (unsigned r = 0; r < 6; r++) twice.alpha(r, 1) = twice.alpha(r, 0);
  twice.beta(1) = twice.beta(0);
  CHECK(solver.CartToJnt(twice.q, twice.qd, qdd, twice.alpha, twice.beta, twice.f, twice.ff,
                         torques) == KDL::SolverI::E_DEGRADED);
  CHECK(qdd.data.norm() < 1e6);

  // no constraint, more than six, a root that turns
  Solver none(chain, root, 0);
  KDL::JntArray free(nj), of_fd(nj);
  CHECK(none.CartToJnt(s.q, s.qd, free, KDL::Jacobian(0), KDL::JntArray(0), s.f, s.ff, torques) ==
        0);
  KDL::ChainFdSolver_RNE(chain, -root.vel).CartToJnt(s.q, s.qd, s.ff, s.f, of_fd);
  CHECK(error_of(free.data, of_fd.data) < 1e-9 && torques.data.norm() == 0);
  Solver seven(chain, root, 7);
  CHECK(seven.CartToJnt(s.q, s.qd, qdd, KDL::Jacobian(7), KDL::JntArray(7), s.f, s.ff, torques) ==
        KDL::SolverI::E_OUT_OF_RANGE);
  Solver turning(chain, KDL::Twist(root.vel, KDL::Vector(0, 0, 1)), nc);
  CHECK(turning.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques) ==
        Solver::E_ROOT_TURNS);
  CHECK(std::strstr(turning.strError(Solver::E_ROOT_TURNS), "angular") != nullptr);

  // driver weights: sizes and bounds
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(nc), three = Eigen::VectorXd::Ones(3);
  CHECK(solver.setDriverWeights(one, one) == 0);
  CHECK(solver.setDriverWeights(three, one) == mismatch &&
        solver.setDriverWeights(one, three) == mismatch);
  const double outside[] = {-0.1, 1.1, bad[0]};
  for (double w : outside)
    CHECK(solver.setDriverWeights(w * one, one) == KDL::SolverI::E_OUT_OF_RANGE);
}

// Driver weights: J qdd = b + (1 - w) o (J M^-1 f) for each driver, and with one column alone the same by hand.
static void weights(const KDL::Chain &chain) {
  const KDL::Twist root(KDL::Vector(0, 0, 9.81), KDL::Vector::Zero());
  const unsigned nj = chain.getNrOfJoints(), nc = nj < 3 ? nj : 3;
  achd::ChainHdSolver_Vereshchagin<Chain> solver(chain, root, nc), same(chain, root, nc),
      unconstrained(chain, root, 0);
  for (int kind = 3; kind < 5; kind++)
    for (int trial = 0; trial < 10; trial++) {
      const State s = random_state(chain, nc, kind);
      const KDL::Wrenches none(s.f.size());
      const KDL::JntArray rest(nj);
      Eigen::VectorXd of_f(nc), of_ff(nc);
      for (unsigned c = 0; c < nc; c++) {
        of_f(c) = (1 + random_number()) / 2;
        of_ff(c) = trial == 0 ? 0 : (1 + random_number()) / 2;
      }
      CHECK(solver.setDriverWeights(of_f, of_ff) == 0);
      // what each driver alone does along each constraint: by three solves without constraints
      KDL::JntArray x(nj), torques(nj), asked = s.beta;
      const KDL::Jacobian nothing(0);
      const KDL::JntArray no_beta(0);
      std::vector<KDL::Twist> by[3];
      for (int k = 0; k < 3; k++) {
        unconstrained.CartToJnt(s.q, s.qd, x, nothing, no_beta, k == 1 ? s.f : none,
                                k == 2 ? s.ff : rest, torques);
        by[k].resize(chain.getNrOfSegments() + 1);
        unconstrained.getTransformedLinkAcceleration(by[k]);
      }
      for (unsigned c = 0; c < nc; c++)
        for (unsigned r = 0; r < 6; r++) {
          const int i = int(r);
          asked(c) += s.alpha(r, c) * ((1 - of_f(c)) * (by[1].back()(i) - by[0].back()(i)) +
                                       (1 - of_ff(c)) * (by[2].back()(i) - by[0].back()(i)));
        }
      KDL::JntArray a(nj), b(nj), ta(nj), tb(nj);
      if (solver.CartToJnt(s.q, s.qd, a, s.alpha, s.beta, s.f, s.ff, ta) != 0) continue;
      CHECK(same.CartToJnt(s.q, s.qd, b, s.alpha, asked, s.f, s.ff, tb) == 0);
      CHECK(error_of(a.data, b.data) < 1e-8 && error_of(ta.data, tb.data) < 1e-8);
      // and one is all that KDL does
      solver.updateInternalDataStructures();
      CHECK(solver.CartToJnt(s.q, s.qd, a, s.alpha, s.beta, s.f, s.ff, ta) == 0);
      CHECK(same.CartToJnt(s.q, s.qd, b, s.alpha, s.beta, s.f, s.ff, tb) == 0 && a.data == b.data);
    }
}

#ifdef WITH_WEIGHTS
// Functions of that layout are not taken for those of --kdl: their weights would be 0.
static_assert(achd::kdl::IsWeighed<weighed_achd_in>::value &&
                  !achd::kdl::IsWeighed<Chain::achd_any_in>::value,
              "whether inputs have weights");

static void copy(const KDL::Wrench &from, weighed_wrench &to) {
  for (int k = 0; k < 3; k++) {
    to.lin[k] = from.force(k);
    to.ang[k] = from.torque(k);
  }
}

// The same as the weights of a layout, which tests/numbers/weights_test.cpp judges by dense systems: weights of wrenches
// are those of each wrench.
static void weights_of_layout(const KDL::Chain &chain) {
  const KDL::Twist root(KDL::Vector(0.3, -0.2, 9.81), KDL::Vector::Zero());
  const unsigned nj = chain.getNrOfJoints(), nc = 3;
  achd::ChainHdSolver_Vereshchagin<Chain> solver(chain, root, nc);
  std::size_t segment_l2 = 0;
  while (chain.getSegment(unsigned(segment_l2)).getName() != "l2") segment_l2++;
  int compared = 0;
  double apart = 0;
  for (int trial = 0; trial < 40; trial++) {
    State s = random_state(chain, nc, 4);
    for (std::size_t i = 0; i + 1 < s.f.size(); i++)
      if (i != segment_l2) s.f[i] = KDL::Wrench::Zero();
    weighed_achd_in in = weighed_achd_in();
    weighed_achd_out out;
    Eigen::VectorXd of_f(nc), of_ff(nc);
    for (unsigned j = 0; j < nj; j++) {
      in.q[j] = s.q(j);
      in.qd[j] = s.qd(j);
      in.tau_phys[j] = s.ff(j);
    }
    for (int k = 0; k < 3; k++) in.gravity[k] = -root.vel(k);
    copy(s.f.back(), in.on_tip);
    copy(s.f[segment_l2], in.on_l2);
    for (unsigned c = 0; c < nc; c++) {
      of_f(c) = (1 + random_number()) / 2;
      of_ff(c) = (1 + random_number()) / 2;
      in.weight.on_tip[c] = in.weight.on_l2[c] = of_f(c);
      in.weight.tau_phys[c] = of_ff(c);
      in.b[c] = s.beta(c); // of the true acceleration
      for (unsigned r = 0; r < 3; r++) {
        in.b[c] -= s.alpha(r, c) * root.vel(int(r));
        in.dir.tip[c].lin[r] = s.alpha(r, c);
        in.dir.tip[c].ang[r] = s.alpha(r + 3, c);
      }
    }
    KDL::JntArray qdd(nj), torques(nj), stiff(nj);
    CHECK(solver.setDriverWeights(Eigen::VectorXd::Ones(nc), Eigen::VectorXd::Ones(nc)) == 0);
    solver.CartToJnt(s.q, s.qd, stiff, s.alpha, s.beta, s.f, s.ff, torques);
    CHECK(solver.setDriverWeights(of_f, of_ff) == 0);
    const int code = solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques);
    const unsigned status = weighed_achd(&in, &out);
    CHECK((code == 0) == (status == 0));
    if (code != 0) continue;
    compared++;
    Eigen::VectorXd nu(nc), nu_of_layout(nc), qdd_of_layout(nj);
    solver.getContraintForceMagnitude(nu);
    for (unsigned c = 0; c < nc; c++) nu_of_layout(c) = -out.nu[c];
    for (unsigned j = 0; j < nj; j++) qdd_of_layout(j) = out.qdd[j];
    CHECK(error_of(qdd.data, qdd_of_layout) < 1e-9 && error_of(nu, nu_of_layout) < 1e-9);
    apart = std::max(apart, error_of(qdd.data, stiff.data));
  }
  CHECK(compared > 20 && apart > 0.1);
}
#endif

static void other_chains(const KDL::Chain &chain) {
  const KDL::Twist root(KDL::Vector(0, 0, 9.81), KDL::Vector::Zero());
  const unsigned nj = chain.getNrOfJoints();
  typedef achd::ChainHdSolver_Vereshchagin<Chain> Solver;
  const State s = random_state(chain, 1, 0);
  const auto code = [&](const KDL::Chain &other, const char *text) {
    Solver solver(other, root, 1);
    KDL::JntArray qdd(nj), torques(nj);
    const int got = solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta,
                                     KDL::Wrenches(other.getNrOfSegments()), s.ff, torques);
    if (text && !std::strstr(solver.strError(got), text)) std::printf("%s\n", solver.strError(got));
    return got != 0 && text && !std::strstr(solver.strError(got), text) ? 1000 : got;
  };
  CHECK(code(chain, nullptr) == 0);
  unsigned at = 0;
  while (chain.getSegment(at).getJoint().getType() == KDL::Joint::Fixed) at++;
  const auto changed = [&](const KDL::Joint &joint, const KDL::Frame &tip,
                           const KDL::RigidBodyInertia &inertia, const char *name) {
    KDL::Chain other;
    for (unsigned i = 0; i < chain.getNrOfSegments(); i++)
      other.addSegment(i == at ? KDL::Segment(name, joint, tip, inertia) : chain.getSegment(i));
    return other;
  };
  const KDL::Segment &segment = chain.getSegment(at);
  const KDL::Joint &j = segment.getJoint();
  const KDL::Frame tip = segment.getFrameToTip();
  const KDL::RigidBodyInertia I = segment.getInertia();
  const std::string name = segment.getName();
  const bool turns = j.twist(1).rot.Norm() > 0.5;
  const KDL::Joint::JointType type = turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
  const auto joint = [&](const std::string &called, const KDL::Vector &axis, double scale,
                         double offset, double rotor) {
    return KDL::Joint(called, j.JointOrigin(), axis, type, scale, offset, rotor);
  };
  const int mismatch = Solver::E_CHAIN_MISMATCH;
  const KDL::Vector axis = j.JointAxis();
  CHECK(code(changed(joint(j.getName(), axis, 1, 0, 0), tip, I, name.c_str()), nullptr) == 0);
  CHECK(code(changed(joint("NoName", axis, 1, 0, 0), tip, I, "NoName"), nullptr) ==
        0); // without names
  CHECK(code(changed(joint("other", axis, 1, 0, 0), tip, I, name.c_str()), "\"other\"") ==
        mismatch);
  CHECK(code(changed(joint(j.getName(), axis, 1, 0, 0), tip, I, "other"), "\"other\"") == mismatch);
  CHECK(code(changed(joint(j.getName(), -axis, 1, 0, 0), tip, I, name.c_str()), "axis") ==
        mismatch);
  CHECK(code(changed(joint(j.getName(), axis, 2, 0, 0), tip, I, name.c_str()), "scale") ==
        mismatch);
  CHECK(code(changed(joint(j.getName(), axis, 1, 0.1, 0), tip, I, name.c_str()), nullptr) ==
        0); // segments take it back
  CHECK(code(changed(j, tip * KDL::Frame(KDL::Vector(1e-8, 0, 0)), I, name.c_str()), "frames") ==
        mismatch);
  CHECK(code(changed(j, tip * KDL::Frame(KDL::Vector(1e-11, 0, 0)), I, name.c_str()), nullptr) ==
        0);
  CHECK(code(changed(j, tip, 1.01 * I, name.c_str()), "mass") == mismatch);
  CHECK(code(changed(j, tip,
                     I + KDL::RigidBodyInertia(0, KDL::Vector::Zero(),
                                               KDL::RotationalInertia(1e-6, 0, 0)),
                     name.c_str()),
             "rotational") == mismatch);
  KDL::Chain longer = chain;
  longer.addSegment(KDL::Segment("hand"));
  CHECK(code(longer, "segments") == mismatch);

  // a chain that changes: not up to date, then another chain
  KDL::Chain grows = chain;
  Solver solver(grows, root, 1);
  KDL::JntArray qdd(nj), torques(nj);
  grows.addSegment(KDL::Segment("hand"));
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques) ==
        KDL::SolverI::E_NOT_UP_TO_DATE);
  solver.updateInternalDataStructures();
  KDL::Wrenches more(grows.getNrOfSegments());
  CHECK(solver.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, more, s.ff, torques) == mismatch);

  // rotors
  const KDL::Chain heavy = changed(joint(j.getName(), axis, 1, 0, 0.4), tip, I, name.c_str());
  const Merged m = merged(heavy);
  KDL::ChainHdSolver_Vereshchagin theirs(m.chain, root, 1);
  Solver ours(heavy, root, 1);
  KDL::JntArray other(nj);
  CHECK(ours.CartToJnt(s.q, s.qd, qdd, s.alpha, s.beta, s.f, s.ff, torques) == 0);
  CHECK(theirs.CartToJnt(s.q, s.qd, other, s.alpha, s.beta, moved(heavy, m, s), s.ff, torques) ==
        0);
  CHECK(error_of(qdd.data, other.data) < 1e-9);
}

static double distance(const KDL::Frame &a, const KDL::Frame &b) {
  double most = (a.p - b.p).Norm();
  for (int k = 0; k < 9; k++) most = std::max(most, std::fabs(a.M.data[k] - b.M.data[k]));
  return most;
}
static double distance(const KDL::Twist &a, const KDL::Twist &b) {
  return (a.vel - b.vel).Norm() + (a.rot - b.rot).Norm();
}

static void family(const KDL::Chain &chain) {
  const unsigned nj = chain.getNrOfJoints(), ns = chain.getNrOfSegments();
  const KDL::Vector grav(0.2, -0.3, -9.81);
  KDL::ChainFkSolverPos_recursive fk(chain);
  KDL::ChainFkSolverVel_recursive fvk(chain);
  KDL::ChainJntToJacSolver jac(chain);
  KDL::ChainIdSolver_RNE id(chain, grav);
  KDL::ChainFdSolver_RNE fd(chain, grav);
  KDL::ChainDynParam dynamics(chain, grav);
  achd::ChainFkSolverPos_recursive<Chain> our_fk(chain);
  achd::ChainFkSolverVel_recursive<Chain> our_fvk(chain);
  achd::ChainJntToJacSolver<Chain> our_jac(chain);
  achd::ChainIdSolver_RNE<Chain> our_id(chain, grav);
  achd::ChainFdSolver_RNE<Chain> our_fd(chain, grav);
  achd::ChainDynParam<Chain> our_dynamics(chain, grav);
  KDL::ChainFkSolverPos &as_fk = our_fk; // go where KDL's do
  KDL::ChainFkSolverVel &as_fvk = our_fvk;
  KDL::ChainIdSolver &as_id = our_id;
  KDL::ChainFdSolver &as_fd = our_fd;
  for (int trial = 0; trial < 20; trial++) {
    const State s = random_state(chain, 1, trial % 2 ? 3 : 0);
    const KDL::JntArrayVel v(s.q, s.qd);
    std::vector<bool> locked(nj, false);
    for (unsigned j = 0; j < nj; j++) locked[j] = trial > 10 && random_number() > 0;
    CHECK(jac.setLockedJoints(locked) == 0 && our_jac.setLockedJoints(locked) == 0);
    for (int k = -1; k <= int(ns); k++) {
      KDL::Frame a, b;
      KDL::FrameVel va, vb;
      KDL::Jacobian ja(nj), jb(nj);
      CHECK(fk.JntToCart(s.q, a, k) == 0 && as_fk.JntToCart(s.q, b, k) == 0 &&
            distance(a, b) < 1e-12);
      CHECK(fvk.JntToCart(v, va, k) == 0 && as_fvk.JntToCart(v, vb, k) == 0);
      CHECK(distance(va.GetFrame(), vb.GetFrame()) < 1e-12 &&
            distance(va.GetTwist(), vb.GetTwist()) < 1e-11);
      CHECK(jac.JntToJac(s.q, ja, k) == 0 && our_jac.JntToJac(s.q, jb, k) == 0 &&
            (ja.data - jb.data).norm() < 1e-11);
      const std::size_t count = k < 0 ? ns : std::size_t(k);
      std::vector<KDL::Frame> all(count), our_all(count);
      std::vector<KDL::FrameVel> moving(count), our_moving(count);
      CHECK(fk.JntToCart(s.q, all, k) == as_fk.JntToCart(s.q, our_all, k));
      CHECK(fvk.JntToCart(v, moving, k) == as_fvk.JntToCart(v, our_moving, k));
      for (std::size_t i = 0; i < count; i++)
        CHECK(distance(all[i], our_all[i]) < 1e-12 &&
              distance(moving[i].GetTwist(), our_moving[i].GetTwist()) < 1e-11);
    }
    const KDL::JntArray qdd = random_array(nj, 3);
    KDL::JntArray a(nj), b(nj);
    CHECK(id.CartToJnt(s.q, s.qd, qdd, s.f, a) == 0 &&
          as_id.CartToJnt(s.q, s.qd, qdd, s.f, b) == 0);
    CHECK(error_of(b.data, a.data) < 1e-11);
    CHECK(fd.CartToJnt(s.q, s.qd, s.ff, s.f, a) == 0 &&
          as_fd.CartToJnt(s.q, s.qd, s.ff, s.f, b) == 0);
    CHECK(error_of(b.data, a.data) < 1e-9);
    const int rows = static_cast<int>(nj);
    KDL::JntSpaceInertiaMatrix H(rows), M(rows);
    CHECK(dynamics.JntToMass(s.q, H) == 0 && our_dynamics.JntToMass(s.q, M) == 0 &&
          (H.data - M.data).norm() < 1e-12 * H.data.norm());
    CHECK(dynamics.JntToCoriolis(s.q, s.qd, a) == 0 &&
          our_dynamics.JntToCoriolis(s.q, s.qd, b) == 0 && error_of(b.data, a.data) < 1e-11);
    CHECK(dynamics.JntToGravity(s.q, a) == 0 && our_dynamics.JntToGravity(s.q, b) == 0 &&
          error_of(b.data, a.data) < 1e-11);

    // A step of 10 ms beside 100 of 0.1 ms: the method is of fourth order, and KDL's, which adds up velocities of the
    // stage behind, is not (docs/kdl.md).
    KDL::JntArray x[3], v_of[3], ff = s.ff, w[5];
    for (KDL::JntArray &y : w) y.resize(nj);
    KDL::Wrenches f = s.f;
    unsigned n = nj;
    double dt = 0.01, small = 1e-4;
    for (int k = 0; k < 3; k++) x[k] = s.q, v_of[k] = s.qd;
    our_fd.RK4Integrator(n, 0, dt, x[0], v_of[0], ff, f, our_fd, w[0], w[1], w[2], w[3], w[4]);
    fd.RK4Integrator(n, 0, dt, x[1], v_of[1], ff, f, fd, w[0], w[1], w[2], w[3], w[4]);
    for (int k = 0; k < 100 && trial < 3; k++)
      our_fd.RK4Integrator(n, 0, small, x[2], v_of[2], ff, f, our_fd, w[0], w[1], w[2], w[3], w[4]);
    if (trial < 3) {
      const double ours = error_of(x[0].data, x[2].data), theirs = error_of(x[1].data, x[2].data);
      std::printf("step of 10 ms: errors %.1e, KDL %.1e\n", ours, theirs);
      CHECK(ours < 0.1 * theirs);
      CHECK(error_of(v_of[0].data, v_of[2].data) <
            1.01 * error_of(v_of[1].data, v_of[2].data) + 1e-12);
    }
  }

  // codes are KDL's
  const KDL::JntArray q(nj), wrong(nj + 1);
  KDL::JntArray out(nj), bad(nj + 1);
  KDL::Frame frame;
  KDL::FrameVel moving;
  std::vector<KDL::Frame> frames(ns), few(1);
  std::vector<KDL::FrameVel> motions(ns), one(1);
  KDL::Jacobian J(nj), narrow(nj + 1);
  const int size = static_cast<int>(nj);
  KDL::JntSpaceInertiaMatrix M(size), large(size + 1);
  const KDL::Wrenches f(ns), more(ns + 1);
  const int over = int(ns) + 1;
#define SAME(call, of) CHECK(of.call == our_##of.call && of.getError() == our_##of.getError())
  SAME(JntToCart(wrong, frame), fk);
  SAME(JntToCart(q, frame, over), fk);
  CHECK(fk.JntToCart(wrong, frames) == our_fk.JntToCart(wrong, frames));
  CHECK(ns == 1 || fk.JntToCart(q, few) == our_fk.JntToCart(q, few));
  SAME(JntToCart(KDL::JntArrayVel(wrong, wrong), moving), fvk);
  SAME(JntToCart(KDL::JntArrayVel(q, q), moving, over), fvk);
  CHECK(fvk.JntToCart(KDL::JntArrayVel(wrong, wrong), motions) ==
        our_fvk.JntToCart(KDL::JntArrayVel(wrong, wrong), motions));
  SAME(JntToJac(wrong, J), jac);
  SAME(JntToJac(q, narrow), jac);
  SAME(JntToJac(q, J, over), jac);
  SAME(setLockedJoints(std::vector<bool>(nj + 1)), jac);
  SAME(CartToJnt(wrong, q, q, f, out), id);
  SAME(CartToJnt(q, q, q, more, out), id);
  SAME(CartToJnt(q, q, q, f, bad), id);
  SAME(CartToJnt(q, wrong, q, f, out), fd);
  SAME(CartToJnt(q, q, q, more, out), fd);
  SAME(JntToMass(wrong, M), dynamics);
  SAME(JntToMass(q, large), dynamics);
  CHECK(dynamics.JntToCoriolis(q, wrong, out) == our_dynamics.JntToCoriolis(q, wrong, out));
  CHECK(dynamics.JntToGravity(q, bad) == our_dynamics.JntToGravity(q, bad));
}

int main(int argc, char **argv) {
  test_name = "chain";
  std::srand(1);
  const KDL::Chain own = Chain::chain();
#ifdef WITH_PARSER
  KDL::Tree tree;
  KDL::Chain chain;
  CHECK(argc == 4 && kdl_parser::treeFromFile(argv[1], tree) &&
        tree.getChain(argv[2], argv[3], chain));
  const std::string what = achd::kdl::difference(chain, Chain::table(), Chain::segments);
  if (!what.empty()) std::printf("%s\n", what.c_str());
  CHECK(what.empty()); // kdl_parser's chain and ours are equal
#else
  (void)argc;
  (void)argv;
  const KDL::Chain &chain = own;
#endif
  CHECK(achd::kdl::difference(own, Chain::table(), Chain::segments).empty());
  test_name = "hybrid_dynamics", hybrid_dynamics(chain);
  test_name = "codes", codes(chain);
  test_name = "other_chains", other_chains(own);
  test_name = "weights", weights(own);
#ifdef WITH_WEIGHTS
  test_name = "weights_of_layout", weights_of_layout(own);
#endif
  test_name = "family", family(chain);
  return test_end();
}
