// kdl.hpp: solvers with the interfaces and the conventions of Orocos KDL 1.5 over functions that achdgen generates for
// one chain (docs/kdl.md). NAME_kdl.hpp, which `achdgen ROBOT.urdf --kdl TIP --name NAME` writes, includes this file:
//
//   #include "gen3_kdl.hpp"
//   achd::ChainHdSolver_Vereshchagin<gen3_kdl> solver(chain, root_acc, 6); // KDL::ChainHdSolver_Vereshchagin
//
// Every class compares the chain that it is given with the one that its functions were generated for, when it is made
// and by updateInternalDataStructures(). Where they differ, its functions return E_CHAIN_MISMATCH, and strError tells
// the first difference. C++11.
#ifndef ACHD_KDL_HPP
#define ACHD_KDL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <kdl/chain.hpp>
#include <kdl/chainfdsolver.hpp>
#include <kdl/chainfksolver.hpp>
#include <kdl/chainidsolver.hpp>
#include <kdl/frames.hpp>
#include <kdl/framevel.hpp>
#include <kdl/jacobian.hpp>
#include <kdl/jntarray.hpp>
#include <kdl/jntarrayvel.hpp>
#include <kdl/jntspaceinertiamatrix.hpp>
#include <kdl/solveri.hpp>

namespace achd {
namespace kdl {

enum Kind { fixed, revolute, prismatic };

// A segment as the generated functions know it. Unit: m, kg, kg m^2.
struct Segment {
  const char *name, *joint;
  Kind kind;
  double origin[3], axis[3]; // of the joint, in the tip frame of the segment before
  double rotation
      [9]; // of the segment's tip frame in that frame at q = 0, by rows; its origin is the joint's
  double mass, com[3]; // in the segment's tip frame
  double inertia[6];   // xx xy xz yy yz zz about the centre of mass, axes of the tip frame
};

inline KDL::Vector vector(const double v[3]) {
  return KDL::Vector(v[0], v[1], v[2]);
}

inline KDL::Chain chain(const Segment *segments, unsigned count) {
  KDL::Chain out;
  for (unsigned i = 0; i < count; i++) {
    const Segment &s = segments[i];
    const double *R = s.rotation, *I = s.inertia;
    const KDL::Frame tip(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                         vector(s.origin));
    const KDL::RigidBodyInertia inertia(s.mass, vector(s.com),
                                        KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
    const std::string name(s.joint);
    const KDL::Joint joint =
        s.kind == fixed
            ? KDL::Joint(name)
            : KDL::Joint(name, vector(s.origin), vector(s.axis),
                         s.kind == revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
    out.addSegment(KDL::Segment(s.name, joint, tip, inertia));
  }
  return out;
}

// Between KDL's vectors and the structs of generated functions.
template <class Six> void put(Six &to, const KDL::Wrench &from) {
  for (int k = 0; k < 3; k++) {
    to.lin[k] = from.force.data[k];
    to.ang[k] = from.torque.data[k];
  }
}
template <class Six> void get(const Six &from, KDL::Twist &to) {
  to = KDL::Twist(vector(from.lin), vector(from.ang));
}
template <class Pose> void get(const Pose &from, KDL::Frame &to) {
  to.p = vector(from.p);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) to.M(r, c) = from.R[r][c];
}
// Elements by pointers: those of JntArray's operator() are calls into KDL's library.
template <std::size_t N> void put(double (&to)[N], const KDL::JntArray &from) {
  const double *x = from.data.data();
  for (std::size_t k = 0; k < N; k++) to[k] = x[k];
}
template <std::size_t N> void put(double (&to)[N], const std::vector<double> &from) {
  for (std::size_t k = 0; k < N; k++) to[k] = from[k];
}
template <std::size_t N> void put(double (&to)[N], const double (&from)[N]) {
  for (std::size_t k = 0; k < N; k++) to[k] = from[k];
}
template <std::size_t N> void get(const double (&from)[N], KDL::JntArray &to) {
  double *x = to.data.data();
  for (std::size_t k = 0; k < N; k++) x[k] = from[k];
}
inline void put(double (&to)[3], const KDL::Vector &from) {
  for (int k = 0; k < 3; k++) to[k] = from(k);
}

// Whether six numbers, linear and angular, are zero: by their bits but for the sign, without a branch. NaN is not.
inline std::uint64_t bits_of(const double *lin, const double *ang) {
  std::uint64_t a[3], b[3];
  std::memcpy(a, lin, sizeof a);
  std::memcpy(b, ang, sizeof b);
  return (a[0] | a[1] | a[2] | b[0] | b[1] | b[2]) << 1;
}
inline bool is_zero(const double *six) {
  return bits_of(six, six + 3) == 0;
}
inline bool is_zero(const KDL::Wrenches &f) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < f.size(); i++) any |= bits_of(f[i].force.data, f[i].torque.data);
  return any == 0;
}

// ---- whether a chain is the one that functions were generated for ----

inline bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-9 * (1 + std::fabs(b)); // false for NaN
}
inline bool near(const KDL::Vector &a, const KDL::Vector &b) {
  return near(a(0), b(0)) && near(a(1), b(1)) && near(a(2), b(2));
}
inline bool near(const KDL::Frame &a, const KDL::Frame &b) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      if (!near(a.M(r, c), b.M(r, c))) return false;
  return near(a.p, b.p);
}

// KDL calls what has no name "NoName"; that is a name like any.
inline bool same_name(const std::string &given, const std::string &ours) {
  return given == ours || given == "NoName";
}

inline std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}
inline std::string told(const char *what, double given, double ours) {
  return std::string(what) + " is " + text_of(given) + ", and " + text_of(ours) +
         " in the generated functions";
}

// The first difference of two segments; "": there is none. At q = 0 and another q poses and twists tell where and along
// which axis the joint is, its scale and its offset.
inline std::string difference(const KDL::Segment &given, const KDL::Segment &ours) {
  const bool moves = ours.getJoint().getType() != KDL::Joint::Fixed;
  if (!same_name(given.getName(), ours.getName()))
    return "it is called \"" + given.getName() + "\"";
  if ((given.getJoint().getType() != KDL::Joint::Fixed) != moves)
    return moves ? "its joint is fixed"
                 : "its joint moves, and it is fixed in the generated functions";
  if (moves && !same_name(given.getJoint().getName(), ours.getJoint().getName()))
    return "its joint is \"" + given.getJoint().getName() + "\", and \"" +
           ours.getJoint().getName() + "\" in the generated functions";
  const double positions[] = {0, 0.7};
  for (int k = 0; k < (moves ? 2 : 1); k++) {
    const double q = positions[k];
    const KDL::Twist a = given.twist(q, 1), b = ours.twist(q, 1);
    if (!near(given.pose(q), ours.pose(q)) ||
        (moves && (!near(a.vel, b.vel) || !near(a.rot, b.rot))))
      return "its frames, or its joint's axis, origin, scale or offset, are others";
  }
  const KDL::RigidBodyInertia I = given.getInertia(), J = ours.getInertia();
  if (!near(I.getMass(), J.getMass())) return told("its mass", I.getMass(), J.getMass());
  for (int k = 0; k < 3; k++) {
    const char *const what[] = {"x of its centre of mass", "y of its centre of mass",
                                "z of its centre of mass"};
    if (!near(I.getMass() * I.getCOG()(k), J.getMass() * J.getCOG()(k)))
      return told(what[k], I.getCOG()(k), J.getCOG()(k));
  }
  const KDL::RotationalInertia about = I.getRotationalInertia(),
                               ours_about = J.getRotationalInertia();
  for (int k = 0; k < 9; k++)
    if (!near(about.data[k], ours_about.data[k]))
      return told("an element of its rotational inertia", about.data[k], ours_about.data[k]);
  return "";
}

inline std::string difference(const KDL::Chain &given, const Segment *segments, unsigned count) {
  const KDL::Chain ours = chain(segments, count);
  if (given.getNrOfSegments() != count || given.getNrOfJoints() != ours.getNrOfJoints())
    return "the chain has " + std::to_string(given.getNrOfSegments()) + " segments and " +
           std::to_string(given.getNrOfJoints()) + " joints, and the generated functions are for " +
           std::to_string(count) + " and " + std::to_string(ours.getNrOfJoints());
  for (unsigned i = 0; i < count; i++) {
    const std::string what = difference(given.getSegment(i), ours.getSegment(i));
    if (!what.empty())
      return "segment " + std::to_string(i) + ", \"" + ours.getSegment(i).getName() + "\": " + what;
  }
  return "";
}

// Codes beside those of KDL::SolverI.
enum Error {
  E_CHAIN_MISMATCH = -101, // the chain is not the one that the functions were generated for
  E_ROOT_TURNS = -102      // the root acceleration has an angular part
};

// The chain of a solver, as KDL's solvers have it: by reference.
template <class Traits> class Known {
public:
  explicit Known(const KDL::Chain &c)
      : chain(c), nj(0), ns(0), rotors(false), mismatch(), armature() {
    look();
  }

  void look() {
    nj = chain.getNrOfJoints();
    ns = chain.getNrOfSegments();
    mismatch = difference(chain, Traits::table(), Traits::segments);
    if (!mismatch.empty()) return;
    armature.clear();
    rotors = false;
    for (unsigned i = 0; i < ns; i++) {
      const KDL::Joint &joint = chain.getSegment(i).getJoint();
      if (joint.getType() == KDL::Joint::Fixed) continue;
      armature.push_back(joint.getInertia());
      rotors = rotors || !(std::fabs(joint.getInertia()) <= 0);
    }
  }

  // Of a call with these arguments: E_NOERROR, or why it cannot be made.
  int check(bool sizes_fit) const {
    if (changed()) return KDL::SolverI::E_NOT_UP_TO_DATE;
    if (!sizes_fit) return KDL::SolverI::E_SIZE_MISMATCH;
    return mismatch.empty() ? int(KDL::SolverI::E_NOERROR) : int(E_CHAIN_MISMATCH);
  }

  bool changed() const { return nj != chain.getNrOfJoints() || ns != chain.getNrOfSegments(); }

  // The codes of KDL, and ours.
  const char *text(int error, const char *otherwise) const {
    if (error == E_CHAIN_MISMATCH)
      return mismatch.empty() ? "The chain is not the one that the functions were generated for"
                              : mismatch.c_str();
    if (error == E_ROOT_TURNS)
      return "The root acceleration has an angular part: the base of generated functions does not "
             "turn";
    return otherwise;
  }

  const KDL::Chain &chain;
  unsigned nj, ns;
  bool rotors; // a joint has a rotor's inertia
  std::string mismatch;
  std::vector<double> armature;
};

template <class Traits> int code_of(unsigned status) {
  if (status & Traits::do_not_command) return KDL::SolverI::E_UNDEFINED;
  return status & Traits::singular ? KDL::SolverI::E_DEGRADED : KDL::SolverI::E_NOERROR;
}

// Poses of all segments' tips in the base. Returns the status of the function.
template <class Traits> unsigned poses(const KDL::JntArray &q, KDL::Frame *all) {
  typename Traits::fk_in in = typename Traits::fk_in();
  typename Traits::fk_out out;
  put(in.q, q);
  const unsigned status = Traits::call(in, out);
  Traits::get_poses(out, all);
  return status;
}

} // namespace kdl

// KDL::ChainHdSolver_Vereshchagin: acceleration-constrained hybrid dynamics. Unlike KDL's it is a public KDL::SolverI.
template <class Traits> class ChainHdSolver_Vereshchagin : public KDL::SolverI {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH, E_ROOT_TURNS = kdl::E_ROOT_TURNS };

  // root_acc: MINUS gravity. nc: columns of alpha, at most 6. The chain is referred to, not copied, as in KDL.
  ChainHdSolver_Vereshchagin(const KDL::Chain &chain, const KDL::Twist &root_acc,
                             const unsigned int nc)
      : known(chain), acc_root(root_acc), count(nc), of_wrenches(), of_torques(), weighted(false) {
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
    if (error != E_NOERROR) return error;
    const Asked asked = {q, q_dot, alfa, beta, f_ext, ff_torques};
    keep(asked);
    unsigned status;
    const bool plain = !known.rotors && !weighted && kdl::is_zero(f_ext);
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
      return (error = E_SIZE_MISMATCH);
    bool some = false;
    for (Eigen::Index k = 0; k < f_ext.size(); k++) {
      if (!within(f_ext(k)) || !within(ff_torques(k))) return (error = E_OUT_OF_RANGE);
      some = some || f_ext(k) < 1 || ff_torques(k) < 1;
    }
    of_wrenches = f_ext;
    of_torques = ff_torques;
    weighted = some;
    return (error = E_NOERROR);
  }
  int setDriverWeights(const KDL::JntArray &f_ext, const KDL::JntArray &ff_torques) {
    return setDriverWeights(f_ext.data, ff_torques.data);
  }

  // Looks at the chain again; driver weights are 1 then.
  virtual void updateInternalDataStructures() {
    known.look();
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

  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
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
        known.check(q.rows() == nj && q_dot.rows() == nj && q_dotdot.rows() == nj &&
                    ff_torques.rows() == nj && constraint_torques.rows() == nj &&
                    f_ext.size() == known.ns && alfa.columns() == count && beta.rows() == count);
    if (code != E_NOERROR) return code;
    if (count > 6) return E_OUT_OF_RANGE;
    for (int k = 0; k < 3; k++)
      if (!(std::fabs(acc_root.rot(k)) <= 0)) return E_ROOT_TURNS;
    return E_NOERROR;
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
    typename Traits::achd_one_in in = typename Traits::achd_one_in();
    typename Traits::achd_one_out out;
    put_state(in, asked);
    in.b[0] = set_point(asked, 0);
    put_column(in.dir.tip[0], asked.alfa, 0);
    const unsigned status = Traits::call(in, out);
    get_motion(out, qdd, torques);
    nu[0] = -out.nu[0];
    return status;
  }

  unsigned solve_six(const Asked &asked, KDL::JntArray &qdd, KDL::JntArray &torques) {
    typename Traits::achd_six_in in = typename Traits::achd_six_in();
    typename Traits::achd_six_out out;
    put_state(in, asked);
    const double *beta = asked.beta.data.data();
    unsigned bad = 0;
    for (unsigned c = 0; c < count; c++) {
      const unsigned row = columns[c].row;
      if (row == 6) { // a zero column: its set-point is not looked at, but for NaN and infinity
        if (!(std::fabs(beta[c]) <= 1e300)) bad = Traits::do_not_command;
        continue;
      }
      in.mask[row] = 1;
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
    of_wrenches = of_torques = Eigen::VectorXd::Ones(Eigen::Index(count));
    weighted = false;
  }

  kdl::Known<Traits> known;
  KDL::Twist acc_root;
  unsigned count;
  // Of the last solve.
  double q_[Traits::joints], qd_[Traits::joints], qdd_[Traits::joints], total[Traits::joints];
  double nu[6], alpha[36];
  Column columns[6]; // of alpha, where they are along axes
  bool known_alpha, axes;
  Eigen::VectorXd of_wrenches, of_torques;
  bool weighted;
};

// KDL::ChainFkSolverPos_recursive: poses of segments' tips in the base.
template <class Traits> class ChainFkSolverPos_recursive : public KDL::ChainFkSolverPos {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  explicit ChainFkSolverPos_recursive(const KDL::Chain &chain) : known(chain) {}

  virtual int JntToCart(const KDL::JntArray &q_in, KDL::Frame &p_out, int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    p_out = KDL::Frame::Identity();
    if (q_in.rows() != known.chain.getNrOfJoints()) return (error = E_SIZE_MISMATCH);
    if (last > known.chain.getNrOfSegments()) return (error = E_OUT_OF_RANGE);
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

  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

private:
  int solve(const KDL::JntArray &q, KDL::Frame *all) const {
    const int code = known.check(true);
    return code == E_NOERROR ? kdl::code_of<Traits>(kdl::poses<Traits>(q, all)) : code;
  }
  kdl::Known<Traits> known;
};

// KDL::ChainFkSolverVel_recursive: poses and velocities of segments' tips in the base.
template <class Traits> class ChainFkSolverVel_recursive : public KDL::ChainFkSolverVel {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  explicit ChainFkSolverVel_recursive(const KDL::Chain &chain) : known(chain) {}

  virtual int JntToCart(const KDL::JntArrayVel &q_in, KDL::FrameVel &out, int segmentNr = -1) {
    const unsigned last = segmentNr < 0 ? known.chain.getNrOfSegments() : unsigned(segmentNr);
    out = KDL::FrameVel::Identity();
    if (!fits(q_in)) return (error = E_SIZE_MISMATCH);
    if (last > known.chain.getNrOfSegments()) return (error = E_OUT_OF_RANGE);
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

  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

private:
  bool fits(const KDL::JntArrayVel &q) const {
    return q.q.rows() == known.chain.getNrOfJoints() &&
           q.qdot.rows() == known.chain.getNrOfJoints();
  }
  int solve(const KDL::JntArrayVel &q, KDL::FrameVel *all) const {
    const int code = known.check(true);
    if (code != E_NOERROR) return code;
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
  kdl::Known<Traits> known;
};

// KDL::ChainJntToJacSolver: the Jacobian of a segment's tip, axes of the base.
template <class Traits> class ChainJntToJacSolver : public KDL::SolverI {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  explicit ChainJntToJacSolver(const KDL::Chain &chain)
      : known(chain), locked(chain.getNrOfJoints(), false) {}

  virtual int JntToJac(const KDL::JntArray &q_in, KDL::Jacobian &jac, int seg_nr = -1) {
    if (known.changed()) return (error = E_NOT_UP_TO_DATE);
    const unsigned last = seg_nr < 0 ? known.ns : unsigned(seg_nr);
    KDL::SetToZero(jac);
    if (q_in.rows() != known.nj || jac.columns() != known.nj) return (error = E_SIZE_MISMATCH);
    if (last > known.ns) return (error = E_OUT_OF_RANGE);
    if (!known.mismatch.empty()) return (error = E_CHAIN_MISMATCH);
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
    if (locked.size() != known.chain.getNrOfJoints()) return (error = E_NOT_UP_TO_DATE);
    if (locked_joints.size() != locked.size()) return (error = E_SIZE_MISMATCH);
    locked = locked_joints;
    return (error = E_NOERROR);
  }

  virtual void updateInternalDataStructures() {
    known.look();
    locked.resize(known.nj, false);
  }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

private:
  static KDL::Vector from_tip(const KDL::JntArray &q, unsigned last) {
    KDL::Frame all[Traits::segments];
    kdl::poses<Traits>(q, all);
    return all[last - 1].p - all[Traits::segments - 1].p;
  }
  kdl::Known<Traits> known;
  std::vector<bool> locked;
};

// KDL::ChainIdSolver_RNE: inverse dynamics. grav: gravity itself. f_ext: by segment, about the origin of its tip, axes of
// its TIP frame.
template <class Traits> class ChainIdSolver_RNE : public KDL::ChainIdSolver {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  ChainIdSolver_RNE(const KDL::Chain &chain, KDL::Vector grav) : known(chain), gravity(grav) {}

  virtual int CartToJnt(const KDL::JntArray &q, const KDL::JntArray &q_dot,
                        const KDL::JntArray &q_dotdot, const KDL::Wrenches &f_ext,
                        KDL::JntArray &torques) {
    const unsigned nj = known.nj;
    error = known.check(q.rows() == nj && q_dot.rows() == nj && q_dotdot.rows() == nj &&
                        torques.rows() == nj && f_ext.size() == known.ns);
    if (error != E_NOERROR) return error;
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

  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

  // Wrenches in the axes of segments' tips, into an input that has them in those of the base.
  template <class In>
  static void put_turned(In &in, const KDL::JntArray &q, const KDL::Wrenches &f_ext) {
    if (kdl::is_zero(f_ext)) return;
    KDL::Frame frames[Traits::segments];
    KDL::Wrench turned[Traits::segments];
    kdl::poses<Traits>(q, frames);
    for (std::size_t i = 0; i < f_ext.size(); i++) turned[i] = frames[i].M * f_ext[i];
    Traits::put_wrenches(in, turned);
  }

private:
  kdl::Known<Traits> known;
  KDL::Vector gravity;
};

// KDL::ChainFdSolver_RNE: forward dynamics. f_ext as of ChainIdSolver_RNE.
template <class Traits> class ChainFdSolver_RNE : public KDL::ChainFdSolver {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  ChainFdSolver_RNE(const KDL::Chain &chain, KDL::Vector grav) : known(chain), gravity(grav) {}

  virtual int CartToJnt(const KDL::JntArray &q, const KDL::JntArray &q_dot,
                        const KDL::JntArray &torques, const KDL::Wrenches &f_ext,
                        KDL::JntArray &q_dotdot) {
    const unsigned nj = known.nj;
    error = known.check(q.rows() == nj && q_dot.rows() == nj && q_dotdot.rows() == nj &&
                        torques.rows() == nj && f_ext.size() == known.ns);
    if (error != E_NOERROR) return error;
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

  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

private:
  kdl::Known<Traits> known;
  KDL::Vector gravity;
};

// KDL::ChainDynParam: inertia in joint space, torques of velocities and of gravity.
template <class Traits> class ChainDynParam : public KDL::SolverI {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  ChainDynParam(const KDL::Chain &chain, KDL::Vector grav) : known(chain), gravity_(grav) {}

  virtual int JntToMass(const KDL::JntArray &q, KDL::JntSpaceInertiaMatrix &H) {
    error = known.check(q.rows() == known.nj && H.rows() == known.nj && H.columns() == known.nj);
    if (error != E_NOERROR) return error;
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
    if (error != E_NOERROR) return error;
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
    if (error != E_NOERROR) return error;
    typename Traits::gravity_in in = typename Traits::gravity_in();
    typename Traits::gravity_out out;
    kdl::put(in.q, q);
    kdl::put(in.gravity, gravity_);
    error = kdl::code_of<Traits>(Traits::call(in, out));
    kdl::get(out.tau, gravity);
    return error;
  }

  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, SolverI::strError(code));
  }

private:
  kdl::Known<Traits> known;
  KDL::Vector gravity_;
};

} // namespace achd

#endif
