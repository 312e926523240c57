/* SPDX-License-Identifier: MIT */
// kdl_family.hpp: kinematics and dynamics with the interfaces of KDL's solvers. Part of achd/kdl.hpp. C++11.
#ifndef ACHD_KDL_FAMILY_HPP
#define ACHD_KDL_FAMILY_HPP

#include <vector>

#include <kdl/chainfdsolver.hpp>
#include <kdl/chainfksolver.hpp>
#include <kdl/chainidsolver.hpp>
#include <kdl/framevel.hpp>
#include <kdl/jacobian.hpp>
#include <kdl/jntarrayvel.hpp>
#include <kdl/jntspaceinertiamatrix.hpp>

#include <achd/kdl_chain.hpp>

namespace achd {

// KDL::ChainFkSolverPos_recursive: poses of segments' tips in the base.
template <class Traits>
class ChainFkSolverPos_recursive : public ChainSolver<Traits, KDL::ChainFkSolverPos> {
  typedef ChainSolver<Traits, KDL::ChainFkSolverPos> Base;
  using Base::error;
  using Base::known;

public:
  explicit ChainFkSolverPos_recursive(const KDL::Chain &chain) : Base(chain) {}

  virtual int JntToCart(const KDL::JntArray &q_in, KDL::Frame &p_out, int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    p_out = KDL::Frame::Identity();
    if (q_in.rows() != known.chain.getNrOfJoints()) return (error = Base::E_SIZE_MISMATCH);
    if (last > known.chain.getNrOfSegments()) return (error = Base::E_OUT_OF_RANGE);
    KDL::Frame all[Traits::segments];
    error = solve(q_in, all);
    if (error >= 0 && last > 0) p_out = all[last - 1];
    return error;
  }
  // Where sizes do not fit, -1, as in KDL 1.5.
  virtual int JntToCart(const KDL::JntArray &q_in, std::vector<KDL::Frame> &p_out,
                        int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    if (q_in.rows() != known.chain.getNrOfJoints() || last > known.chain.getNrOfSegments() ||
        p_out.size() != last || last == 0)
      return (error = -1);
    KDL::Frame all[Traits::segments];
    error = solve(q_in, all);
    for (unsigned i = 0; i < last && error >= 0; i++) p_out[i] = all[i];
    return error;
  }

private:
  int solve(const KDL::JntArray &q, KDL::Frame *all) const {
    const int code = known.check(true);
    return code == Base::E_NOERROR ? kdl::code_of<Traits>(kdl::poses<Traits>(q, all)) : code;
  }
};

// KDL::ChainFkSolverVel_recursive: poses and velocities of segments' tips in the base.
template <class Traits>
class ChainFkSolverVel_recursive : public ChainSolver<Traits, KDL::ChainFkSolverVel> {
  typedef ChainSolver<Traits, KDL::ChainFkSolverVel> Base;
  using Base::error;
  using Base::known;

public:
  explicit ChainFkSolverVel_recursive(const KDL::Chain &chain) : Base(chain) {}

  virtual int JntToCart(const KDL::JntArrayVel &q_in, KDL::FrameVel &out, int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    out = KDL::FrameVel::Identity();
    if (!fits(q_in)) return (error = Base::E_SIZE_MISMATCH);
    if (last > known.chain.getNrOfSegments()) return (error = Base::E_OUT_OF_RANGE);
    KDL::FrameVel all[Traits::segments];
    error = solve(q_in, all);
    if (error >= 0 && last > 0) out = all[last - 1];
    return error;
  }
  virtual int JntToCart(const KDL::JntArrayVel &q_in, std::vector<KDL::FrameVel> &out,
                        int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    if (!fits(q_in) || last > known.chain.getNrOfSegments() || out.size() != last || last == 0)
      return (error = -1);
    KDL::FrameVel all[Traits::segments];
    error = solve(q_in, all);
    for (unsigned i = 0; i < last && error >= 0; i++) out[i] = all[i];
    return error;
  }

private:
  bool fits(const KDL::JntArrayVel &q) const {
    return q.q.rows() == known.chain.getNrOfJoints() &&
           q.qdot.rows() == known.chain.getNrOfJoints();
  }
  int solve(const KDL::JntArrayVel &q, KDL::FrameVel *all) const {
    const int code = known.check(true);
    if (code != Base::E_NOERROR) return code;
    typename Traits::fvk_in in = typename Traits::fvk_in();
    typename Traits::fvk_out out;
    KDL::Frame frames[Traits::segments];
    KDL::Twist twists[Traits::segments];
    kdl::put(in.q, q.q);
    kdl::put(in.qd, q.qdot);
    const unsigned status = kdl::poses<Traits>(q.q, frames) | Traits::call(in, out);
    Traits::get_twists(out, twists);
    for (int i = 0; i < Traits::segments; i++)
      all[i] = KDL::FrameVel(KDL::RotationVel(frames[i].M, twists[i].rot),
                             KDL::VectorVel(frames[i].p, twists[i].vel));
    return kdl::code_of<Traits>(status);
  }
};

// KDL::ChainJntToJacSolver: the Jacobian of a segment's tip, axes of the base.
template <class Traits> class ChainJntToJacSolver : public ChainSolver<Traits, KDL::SolverI> {
  typedef ChainSolver<Traits, KDL::SolverI> Base;
  using Base::error;
  using Base::known;

public:
  explicit ChainJntToJacSolver(const KDL::Chain &chain)
      : Base(chain), locked(chain.getNrOfJoints(), false) {}

  virtual int JntToJac(const KDL::JntArray &q_in, KDL::Jacobian &jac, int seg_nr = -1) {
    if (known.changed()) return (error = Base::E_NOT_UP_TO_DATE);
    const unsigned last = seg_nr < 0 ? known.ns : unsigned(seg_nr);
    KDL::SetToZero(jac);
    if (q_in.rows() != known.nj || jac.columns() != known.nj)
      return (error = Base::E_SIZE_MISMATCH);
    if (last > known.ns) return (error = Base::E_OUT_OF_RANGE);
    if (!known.mismatch.empty()) return (error = kdl::E_CHAIN_MISMATCH);
    typename Traits::jac_in in = typename Traits::jac_in();
    typename Traits::jac_out out;
    kdl::put(in.q, q_in);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    KDL::Vector shift = KDL::Vector::Zero(); // from the chain's tip to the point
    if (last < known.ns && last > 0) shift = from_tip(q_in, last);
    // Columns of joints that are locked are left out, and those behind them move up.
    unsigned column = 0;
    for (unsigned i = 0, j = 0; i < last; i++) {
      if (known.chain.getSegment(i).getJoint().getType() == KDL::Joint::Fixed) continue;
      KDL::Twist t;
      for (int r = 0; r < 6; r++) t(r) = Traits::jacobian(out, r)[j];
      if (!locked[j++]) jac.setColumn(column++, t.RefPoint(shift));
    }
    return error;
  }

  int setLockedJoints(const std::vector<bool> locked_joints) {
    if (locked.size() != known.chain.getNrOfJoints()) return (error = Base::E_NOT_UP_TO_DATE);
    if (locked_joints.size() != locked.size()) return (error = Base::E_SIZE_MISMATCH);
    locked = locked_joints;
    return (error = Base::E_NOERROR);
  }

  virtual void updateInternalDataStructures() {
    Base::updateInternalDataStructures();
    locked.resize(known.nj, false);
  }

private:
  static KDL::Vector from_tip(const KDL::JntArray &q, unsigned last) {
    KDL::Frame all[Traits::segments];
    kdl::poses<Traits>(q, all);
    return all[last - 1].p - all[Traits::segments - 1].p;
  }
  std::vector<bool> locked;
};

// KDL::ChainIdSolver_RNE: inverse dynamics. grav: gravity itself. f_ext: by segment, about the origin of its tip, axes of
// its TIP frame.
template <class Traits> class ChainIdSolver_RNE : public ChainSolver<Traits, KDL::ChainIdSolver> {
  typedef ChainSolver<Traits, KDL::ChainIdSolver> Base;
  using Base::error;
  using Base::known;

public:
  ChainIdSolver_RNE(const KDL::Chain &chain, KDL::Vector grav) : Base(chain), gravity(grav) {}

  virtual int CartToJnt(const KDL::JntArray &q, const KDL::JntArray &q_dot,
                        const KDL::JntArray &q_dotdot, const KDL::Wrenches &f_ext,
                        KDL::JntArray &torques) {
    const unsigned nj = known.nj;
    error = known.check(q.rows() == nj && q_dot.rows() == nj && q_dotdot.rows() == nj &&
                        torques.rows() == nj && f_ext.size() == known.ns);
    if (error != Base::E_NOERROR) return error;
    typename Traits::id_in in = typename Traits::id_in();
    typename Traits::id_out out;
    kdl::put(in.q, q);
    kdl::put(in.qd, q_dot);
    kdl::put(in.qdd, q_dotdot);
    kdl::put(in.gravity, gravity);
    put_turned(in, q, f_ext);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    kdl::get(out.tau, torques);
    for (unsigned j = 0; j < nj; j++) torques(j) += known.armature[j] * q_dotdot(j); // rotors
    return error;
  }

  // Wrenches in the axes of segments' tips, into an input that has them in those of the base.
  template <class In>
  static void put_turned(In &in, const KDL::JntArray &q, const KDL::Wrenches &f_ext) {
    if (kdl::is_zero(f_ext, 0, f_ext.size())) return;
    KDL::Frame frames[Traits::segments];
    KDL::Wrench turned[Traits::segments];
    kdl::poses<Traits>(q, frames);
    for (std::size_t i = 0; i < f_ext.size(); i++) turned[i] = frames[i].M * f_ext[i];
    Traits::put_wrenches(in, turned);
  }

private:
  KDL::Vector gravity;
};

// KDL::ChainFdSolver_RNE: forward dynamics. f_ext as of ChainIdSolver_RNE.
template <class Traits> class ChainFdSolver_RNE : public ChainSolver<Traits, KDL::ChainFdSolver> {
  typedef ChainSolver<Traits, KDL::ChainFdSolver> Base;
  using Base::error;
  using Base::known;

public:
  ChainFdSolver_RNE(const KDL::Chain &chain, KDL::Vector grav) : Base(chain), gravity(grav) {}

  virtual int CartToJnt(const KDL::JntArray &q, const KDL::JntArray &q_dot,
                        const KDL::JntArray &torques, const KDL::Wrenches &f_ext,
                        KDL::JntArray &q_dotdot) {
    const unsigned nj = known.nj;
    error = known.check(q.rows() == nj && q_dot.rows() == nj && q_dotdot.rows() == nj &&
                        torques.rows() == nj && f_ext.size() == known.ns);
    if (error != Base::E_NOERROR) return error;
    typename Traits::fd_in in = typename Traits::fd_in();
    typename Traits::fd_out out;
    kdl::put(in.q, q);
    kdl::put(in.qd, q_dot);
    kdl::put(in.gravity, gravity);
    kdl::put(in.tau, torques);
    kdl::put(in.armature, known.armature);
    ChainIdSolver_RNE<Traits>::put_turned(in, q, f_ext);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    kdl::get(out.qdd, q_dotdot);
    return error;
  }

  // A step of dt by the classical method of Runge and Kutta, torques and wrenches held.
  template <class Solver>
  void RK4Integrator(unsigned int &nj, const double &, double &dt, KDL::JntArray &q,
                     KDL::JntArray &q_dot, KDL::JntArray &torques, KDL::Wrenches &f_ext,
                     Solver &fdsolver, KDL::JntArray &q_dotdot, KDL::JntArray &dq,
                     KDL::JntArray &dq_dot, KDL::JntArray &q_temp, KDL::JntArray &q_dot_temp) {
    const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int k = 0; k < 4; k++) {
      for (unsigned i = 0; i < nj; i++) {
        const double slope = k > 0 ? q_dot_temp(i) : 0, change = k > 0 ? q_dotdot(i) : 0;
        q_temp(i) = q(i) + at[k] * dt * slope;
        q_dot_temp(i) = q_dot(i) + at[k] * dt * change;
      }
      fdsolver.CartToJnt(q_temp, q_dot_temp, torques, f_ext, q_dotdot);
      for (unsigned i = 0; i < nj; i++) {
        dq(i) = (k > 0 ? dq(i) : 0) + weight[k] * dt / 6 * q_dot_temp(i);
        dq_dot(i) = (k > 0 ? dq_dot(i) : 0) + weight[k] * dt / 6 * q_dotdot(i);
      }
    }
    for (unsigned i = 0; i < nj; i++) {
      q(i) += dq(i);
      q_dot(i) += dq_dot(i);
    }
  }

private:
  KDL::Vector gravity;
};

// KDL::ChainDynParam: inertia in joint space, torques of velocities and of gravity.
template <class Traits> class ChainDynParam : public ChainSolver<Traits, KDL::SolverI> {
  typedef ChainSolver<Traits, KDL::SolverI> Base;
  using Base::error;
  using Base::known;

public:
  ChainDynParam(const KDL::Chain &chain, KDL::Vector grav) : Base(chain), gravity_(grav) {}

  virtual int JntToMass(const KDL::JntArray &q, KDL::JntSpaceInertiaMatrix &H) {
    error = known.check(q.rows() == known.nj && H.rows() == known.nj && H.columns() == known.nj);
    if (error != Base::E_NOERROR) return error;
    typename Traits::crba_in in = typename Traits::crba_in();
    typename Traits::crba_out out;
    kdl::put(in.q, q);
    kdl::put(in.armature, known.armature);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    for (unsigned i = 0, k = 0; i < known.nj; i++)
      for (unsigned j = 0; j <= i; j++) H(i, j) = H(j, i) = out.M[k++];
    return error;
  }
  virtual int JntToCoriolis(const KDL::JntArray &q, const KDL::JntArray &q_dot,
                            KDL::JntArray &coriolis) {
    error = known.check(q.rows() == known.nj && q_dot.rows() == known.nj &&
                        coriolis.rows() == known.nj);
    if (error != Base::E_NOERROR) return error;
    typename Traits::bias_in in = typename Traits::bias_in();
    typename Traits::bias_out out;
    kdl::put(in.q, q);
    kdl::put(in.qd, q_dot);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    kdl::get(out.tau, coriolis);
    return error;
  }
  virtual int JntToGravity(const KDL::JntArray &q, KDL::JntArray &gravity) {
    error = known.check(q.rows() == known.nj && gravity.rows() == known.nj);
    if (error != Base::E_NOERROR) return error;
    typename Traits::gravity_in in = typename Traits::gravity_in();
    typename Traits::gravity_out out;
    kdl::put(in.q, q);
    kdl::put(in.gravity, gravity_);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    kdl::get(out.tau, gravity);
    return error;
  }

private:
  KDL::Vector gravity_;
};

} // namespace achd

#endif
