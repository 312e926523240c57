/* SPDX-License-Identifier: MIT */
// kdl_hybrid.hpp: achd::ChainHdSolver_Vereshchagin. Part of achd/kdl.hpp. C++11.
#ifndef ACHD_KDL_HYBRID_HPP
#define ACHD_KDL_HYBRID_HPP

#include <cmath>
#include <cstring>
#include <vector>

#include <kdl/jacobian.hpp>

#include <achd/kdl_chain.hpp>

namespace achd {

namespace kdl {
// Whether an input has weights of drivers, by a layout.
template <class In> struct IsWeighed {
  template <class T> static char look(decltype(T::weight) *);
  template <class T> static long look(...);
  enum { value = sizeof(look<In>(nullptr)) == sizeof(char) };
};
} // namespace kdl

// KDL::ChainHdSolver_Vereshchagin: acceleration-constrained hybrid dynamics. Unlike KDL's it is a public KDL::SolverI.
template <class Traits>
class ChainHdSolver_Vereshchagin : public ChainSolver<Traits, KDL::SolverI> {
  typedef ChainSolver<Traits, KDL::SolverI> Base;
  using Base::error;
  using Base::known;
  static_assert(!kdl::IsWeighed<typename Traits::achd_one_in>::value &&
                    !kdl::IsWeighed<typename Traits::achd_six_in>::value &&
                    !kdl::IsWeighed<typename Traits::achd_any_in>::value,
                "functions of a layout with weights would not see those of setDriverWeights: use "
                "the functions that achdgen --kdl writes");

public:
  enum { E_ROOT_TURNS = kdl::E_ROOT_TURNS };

  // root_acc: MINUS gravity. nc: columns of alpha, at most 6. The chain is referred to, not copied, as in KDL.
  ChainHdSolver_Vereshchagin(const KDL::Chain &chain, const KDL::Twist &root_acc,
                             const unsigned int nc)
      : Base(chain), acc_root(root_acc), count(nc), of_one(), of_six(), of_wrenches(), of_torques(),
        weighted(false) {
    reset();
  }

  // alpha: unit constraint wrenches at the chain's tip, axes of the base. beta: alpha^T X'' with X'' the spatial
  // acceleration, root_acc included. f_ext: by segment, about the origin of its tip, axes of the base.
  // Returns E_NOERROR; E_DEGRADED where constraints depend on each other, or nearly, or no joint can move along one;
  // E_UNDEFINED where an input or a result is not finite or absurdly large (then all results are 0); else a size.
  int CartToJnt(const KDL::JntArray &q, const KDL::JntArray &q_dot, KDL::JntArray &q_dotdot,
                const KDL::Jacobian &alfa, const KDL::JntArray &beta, const KDL::Wrenches &f_ext,
                const KDL::JntArray &ff_torques, KDL::JntArray &constraint_torques) {
    error = check(q, q_dot, q_dotdot, alfa, beta, f_ext, ff_torques, constraint_torques);
    if (error != Base::E_NOERROR) return error;
    const Asked asked = {q, q_dot, alfa, beta, f_ext, ff_torques};
    keep(asked);
    unsigned status;
    // Of wrenches, those functions know the one at the tip.
    const bool plain = !known.rotors && !weighted && kdl::is_zero(f_ext, 0, Traits::segments - 1);
    if (plain && count == 1 && !kdl::is_zero(column_of(alfa, 0)))
      status = solve_one(asked, q_dotdot, constraint_torques);
    else if (plain && axes)
      status = solve_six(asked, q_dotdot, constraint_torques);
    else
      status = solve_any(asked, q_dotdot, constraint_torques);
    error = kdl::code_of<Traits>(status);
    if (error < 0) {
      KDL::SetToZero(q_dotdot);
      KDL::SetToZero(constraint_torques);
      stop();
    }
    return error;
  }

  // By constraint, how much of what external wrenches and feed-forward torques do along it the constraint makes up for:
  // 1 (where none are set) all of it, 0 nothing, so that it passes (Shakhimardanov 2015, eq. 3.42). Not in KDL 1.5, but
  // in a fork of it. E_SIZE_MISMATCH, or E_OUT_OF_RANGE where one is not from 0 to 1: nothing is changed then.
  int setDriverWeights(const Eigen::VectorXd &f_ext, const Eigen::VectorXd &ff_torques) {
    if (f_ext.size() != Eigen::Index(count) || ff_torques.size() != Eigen::Index(count))
      return (error = Base::E_SIZE_MISMATCH);
    bool some = false;
    for (Eigen::Index k = 0; k < f_ext.size(); k++) {
      if (!within(f_ext(k)) || !within(ff_torques(k))) return (error = Base::E_OUT_OF_RANGE);
      some = some || f_ext(k) < 1 || ff_torques(k) < 1;
    }
    of_wrenches = f_ext;
    of_torques = ff_torques;
    weighted = some;
    return (error = Base::E_NOERROR);
  }
  int setDriverWeights(const KDL::JntArray &f_ext, const KDL::JntArray &ff_torques) {
    return setDriverWeights(f_ext.data, ff_torques.data);
  }

  // Looks at the chain again; driver weights are 1 then.
  virtual void updateInternalDataStructures() {
    Base::updateInternalDataStructures();
    reset();
  }

  // Spatial accelerations of the root, then of each segment's tip, root_acc included, axes of the base.
  void getTransformedLinkAcceleration(std::vector<KDL::Twist> &x_dotdot) {
    x_dotdot.resize(Traits::segments + 1);
    x_dotdot[0] = acc_root;
    typename Traits::fak_in in = typename Traits::fak_in();
    typename Traits::fak_out out;
    kdl::put(in.q, q_);
    kdl::put(in.qd, qd_);
    kdl::put(in.qdd, qdd_);
    Traits::call(in, out);
    Traits::get_accelerations(out, &x_dotdot[1]);
    for (unsigned i = 1; i < x_dotdot.size(); i++) x_dotdot[i].vel += acc_root.vel;
  }

  // D qdd with D of the articulated bodies: all that is felt along each joint.
  void getTotalTorque(KDL::JntArray &total_tau) {
    total_tau.resize(Traits::joints);
    kdl::get(total, total_tau);
  }

  // Magnitudes of the constraint wrenches, with KDL's sign: the wrench on the last segment is -alpha nu.
  void getContraintForceMagnitude(Eigen::VectorXd &nu_) {
    nu_ = Eigen::Map<const Eigen::VectorXd>(nu, Eigen::Index(count < 6 ? count : 6));
  }

  // What motors have to produce beside ff_torques so that the constraints hold: -J^T alpha nu. (constraint_torques of
  // CartToJnt do not: alpha is projected through the joints further out there.) Not in KDL.
  void getControlTorque(KDL::JntArray &tau) {
    tau.resize(Traits::joints);
    KDL::SetToZero(tau);
    typename Traits::jac_in in = typename Traits::jac_in();
    typename Traits::jac_out out;
    kdl::put(in.q, q_);
    Traits::call(in, out);
    for (unsigned r = 0; r < 6; r++) {
      double along = 0;
      for (unsigned c = 0; c < count; c++) along -= alpha[6 * c + r] * nu[c];
      const double *row = Traits::jacobian(out, int(r));
      for (unsigned j = 0; j < Traits::joints; j++) tau(j) += row[j] * along;
    }
  }

private:
  struct Asked {
    const KDL::JntArray &q, &qd;
    const KDL::Jacobian &alfa;
    const KDL::JntArray &beta;
    const KDL::Wrenches &f_ext;
    const KDL::JntArray &ff;
  };
  struct Column { // of alpha: plus or minus the unit wrench along an axis of the base, or zero
    unsigned row;
    double sign;
  };

  static bool within(double w) { return w >= 0 && w <= 1; }

  // A column of alpha: linear, then angular.
  static const double *column_of(const KDL::Jacobian &alfa, unsigned c) {
    return alfa.data.data() + 6 * c;
  }

  int check(const KDL::JntArray &q, const KDL::JntArray &q_dot, const KDL::JntArray &q_dotdot,
            const KDL::Jacobian &alfa, const KDL::JntArray &beta, const KDL::Wrenches &f_ext,
            const KDL::JntArray &ff_torques, const KDL::JntArray &constraint_torques) const {
    const unsigned nj = known.nj;
    const int code =
        known.check(kdl::size_of(q) == nj && kdl::size_of(q_dot) == nj &&
                    kdl::size_of(q_dotdot) == nj && kdl::size_of(ff_torques) == nj &&
                    kdl::size_of(constraint_torques) == nj && f_ext.size() == known.ns &&
                    alfa.data.cols() == Eigen::Index(count) && kdl::size_of(beta) == count);
    if (code != Base::E_NOERROR) return code;
    if (count > 6) return Base::E_OUT_OF_RANGE;
    for (int k = 0; k < 3; k++)
      if (!(std::fabs(acc_root.rot(k)) <= 0)) return E_ROOT_TURNS;
    return Base::E_NOERROR;
  }

  // Whether all columns that are not zero are unit wrenches along different axes.
  bool along_axes(const KDL::Jacobian &alfa) {
    bool taken[6] = {false, false, false, false, false, false};
    for (unsigned c = 0; c < count; c++) {
      columns[c].row = 6;
      columns[c].sign = 0;
      for (unsigned r = 0; r < 6; r++) {
        const double x = column_of(alfa, c)[r];
        if (std::fabs(x) <= 0) continue;
        if (!(std::fabs(std::fabs(x) - 1) <= 0) || columns[c].row < 6 || taken[r]) return false;
        columns[c].row = r;
        columns[c].sign = x;
        taken[r] = true;
      }
    }
    return true;
  }

  template <class In> void put_state(In &in, const Asked &asked) const {
    kdl::put(in.q, asked.q);
    kdl::put(in.qd, asked.qd);
    kdl::put(in.tau_phys, asked.ff);
  }
  template <class In> void put_gravity(In &in) const {
    for (int k = 0; k < 3; k++) in.gravity[k] = -acc_root.vel.data[k];
  }
  template <class Out> void get_motion(const Out &out, KDL::JntArray &qdd, KDL::JntArray &torques) {
    kdl::get(out.qdd, qdd);
    kdl::get(out.tau_apparent, torques);
    kdl::put(qdd_, out.qdd);
    kdl::put(total, out.tau_total);
  }

  // The set-point of the true acceleration, beta + alpha^T g.
  double set_point(const Asked &asked, unsigned c) const {
    double b = asked.beta.data.data()[c];
    for (unsigned r = 0; r < 3; r++) b -= column_of(asked.alfa, c)[r] * acc_root.vel.data[r];
    return b;
  }
  template <class Direction>
  static void put_column(Direction &to, const KDL::Jacobian &alfa, unsigned c) {
    for (unsigned r = 0; r < 3; r++) {
      to.lin[r] = column_of(alfa, c)[r];
      to.ang[r] = column_of(alfa, c)[r + 3];
    }
  }

  unsigned solve_one(const Asked &asked, KDL::JntArray &qdd, KDL::JntArray &torques) {
    typename Traits::achd_one_in &in = of_one;
    typename Traits::achd_one_out out;
    put_state(in, asked);
    Traits::put_tip_wrench(in, asked.f_ext.back());
    in.b[0] = set_point(asked, 0);
    put_column(in.dir.tip[0], asked.alfa, 0);
    const unsigned status = Traits::call(in, out);
    get_motion(out, qdd, torques);
    nu[0] = -out.nu[0];
    return status;
  }

  unsigned solve_six(const Asked &asked, KDL::JntArray &qdd, KDL::JntArray &torques) {
    typename Traits::achd_six_in &in = of_six;
    typename Traits::achd_six_out out;
    put_state(in, asked);
    Traits::put_tip_wrench(in, asked.f_ext.back());
    const double *beta = asked.beta.data.data();
    unsigned bad = 0;
    for (unsigned c = 0; c < count; c++) {
      const unsigned row = columns[c].row;
      if (row == 6) { // a zero column: its set-point is not looked at, but for NaN and infinity
        if (!(std::fabs(beta[c]) <= 1e300)) bad = Traits::do_not_command;
        continue;
      }
      in.b[row] = columns[c].sign * beta[c] - (row < 3 ? acc_root.vel.data[row] : 0);
    }
    const unsigned status = Traits::call(in, out);
    get_motion(out, qdd, torques);
    for (unsigned c = 0; c < count; c++)
      nu[c] = columns[c].row < 6 ? -columns[c].sign * out.nu[columns[c].row] : 0;
    return status | bad;
  }

  unsigned solve_any(const Asked &asked, KDL::JntArray &qdd, KDL::JntArray &torques) {
    typename Traits::achd_any_in in = typename Traits::achd_any_in();
    typename Traits::achd_any_out out;
    put_state(in, asked);
    put_gravity(in);
    kdl::put(in.armature, known.armature);
    Traits::put_wrenches(in, &asked.f_ext[0]);
    for (unsigned c = 0; c < count; c++) {
      in.mask[c] = kdl::is_zero(column_of(asked.alfa, c)) ? 0 : 1;
      in.b[c] = set_point(asked, c);
      put_column(in.dir.tip[c], asked.alfa, c);
    }
    const unsigned bad = weighted ? pass(asked, in.b) : 0;
    const unsigned status = Traits::call(in, out);
    get_motion(out, qdd, torques);
    for (unsigned c = 0; c < count; c++) nu[c] = -out.nu[c];
    return status | bad;
  }

  // What drivers may do along the constraints: b + (1 - w) o (J M^-1 f) for each, with M^-1 f the accelerations that it
  // causes at rest without gravity.
  unsigned pass(const Asked &asked, double *b) const {
    typename Traits::jac_in at = typename Traits::jac_in();
    typename Traits::jac_out J;
    kdl::put(at.q, asked.q);
    unsigned status = Traits::call(at, J);
    for (int driver = 0; driver < 2; driver++) {
      typename Traits::fd_in in = typename Traits::fd_in();
      typename Traits::fd_out out;
      kdl::put(in.q, asked.q);
      kdl::put(in.armature, known.armature);
      if (driver == 0) Traits::put_wrenches(in, &asked.f_ext[0]);
      if (driver == 1) kdl::put(in.tau, asked.ff);
      status |= Traits::call(in, out);
      const Eigen::VectorXd &w = driver == 0 ? of_wrenches : of_torques;
      for (unsigned r = 0; r < 6; r++) {
        const double *row = Traits::jacobian(J, static_cast<int>(r));
        double a = 0;
        for (unsigned j = 0; j < Traits::joints; j++) a += row[j] * out.qdd[j];
        for (unsigned c = 0; c < count; c++)
          b[c] += (1 - w.data()[c]) * column_of(asked.alfa, c)[r] * a;
      }
    }
    return status & Traits::do_not_command;
  }

  // What getters look at, before results are written where inputs may be.
  void keep(const Asked &asked) {
    kdl::put(q_, asked.q);
    kdl::put(qd_, asked.qd);
    const std::size_t size = 6 * count * sizeof *alpha;
    if (known_alpha && std::memcmp(alpha, asked.alfa.data.data(), size) == 0) return;
    std::memcpy(alpha, asked.alfa.data.data(), size);
    axes = along_axes(asked.alfa);
    for (unsigned r = 0; r < 6; r++) of_six.mask[r] = of_six.b[r] = 0;
    for (unsigned c = 0; axes && c < count; c++)
      if (columns[c].row < 6) of_six.mask[columns[c].row] = 1;
    known_alpha = true;
  }
  void stop() {
    for (unsigned j = 0; j < Traits::joints; j++) q_[j] = qd_[j] = qdd_[j] = total[j] = 0;
    for (unsigned c = 0; c < 6; c++) nu[c] = 0;
    for (unsigned k = 0; k < 36; k++) alpha[k] = 0;
    known_alpha = false;
  }
  void reset() {
    stop();
    put_gravity(of_one);
    put_gravity(of_six);
    of_wrenches = of_torques = Eigen::VectorXd::Ones(Eigen::Index(count));
    weighted = false;
  }

  KDL::Twist acc_root;
  unsigned count;
  // Of the last solve.
  double q_[Traits::joints], qd_[Traits::joints], qdd_[Traits::joints], total[Traits::joints];
  double nu[6], alpha[36];
  Column columns[6]; // of alpha, where they are along axes
  bool known_alpha, axes;
  // Their numbers that calls have in common stay: gravity, and masks, which are of alpha.
  typename Traits::achd_one_in of_one;
  typename Traits::achd_six_in of_six;
  Eigen::VectorXd of_wrenches, of_torques;
  bool weighted;
};

} // namespace achd

#endif
