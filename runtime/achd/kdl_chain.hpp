/* SPDX-License-Identifier: MIT */
// kdl_chain.hpp: chains of KDL as the functions know them that achdgen generates for one: the table that NAME_kdl.hpp has,
// the chain made of it, and whether a chain is that one; conversions of KDL's vectors. Part of achd/kdl.hpp. C++11.
#ifndef ACHD_KDL_CHAIN_HPP
#define ACHD_KDL_CHAIN_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <kdl/chain.hpp>
#include <kdl/chainidsolver.hpp>
#include <kdl/frames.hpp>
#include <kdl/jntarray.hpp>
#include <kdl/solveri.hpp>

// ACHD_KDL_CPU: what is made of the generated functions where a program is compiled for any x86-64 processor.
//   1, the default of gcc and clang: each twice, the second time with AVX2, which is called where the processor has it.
//      The same bits, sooner.
//   2: with AVX2 and FMA, sooner still. a * b + c is rounded once there, so the last digits depend on the processor.
//   0: each once, as the rest of the program is compiled. So it is where the compiler has AVX2 already.
#ifndef ACHD_KDL_CPU
#define ACHD_KDL_CPU 1
#endif
#if ACHD_KDL_CPU != 0 && ACHD_KDL_CPU != 1 && ACHD_KDL_CPU != 2
#error "ACHD_KDL_CPU is 0, 1 or 2"
#endif
#if ACHD_KDL_CPU != 0 &&                                                                           \
    (!defined(__GNUC__) || !defined(__x86_64__) || defined(__AVX2__) || defined(ACHD_KDL_TARGET))
#undef ACHD_KDL_CPU
#define ACHD_KDL_CPU 0
#endif
#if ACHD_KDL_CPU == 0
#define ACHD_KDL_WIDE
#else
#if ACHD_KDL_CPU == 1
#define ACHD_KDL_HAS "avx2"
#else
#define ACHD_KDL_HAS "avx2,fma"
#endif
#ifdef __clang__
#define ACHD_KDL_WIDE __attribute__((target(ACHD_KDL_HAS), flatten))
#else // vectors of neighbouring numbers cost gcc 12 a tenth of the time
#define ACHD_KDL_WIDE                                                                              \
  __attribute__((target(ACHD_KDL_HAS), flatten, optimize("no-tree-slp-vectorize")))
#endif
#endif

namespace achd {
namespace kdl {

// Whether to call the second one of each.
inline bool is_wide() {
#if ACHD_KDL_CPU == 2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#elif ACHD_KDL_CPU == 1
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

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
// Elements as a whole: those of JntArray's operator() are calls into KDL's library. from has N of them.
template <std::size_t N> void put(double (&to)[N], const KDL::JntArray &from) {
  std::memcpy(to, from.data.data(), sizeof to);
}
template <std::size_t N> void put(double (&to)[N], const std::vector<double> &from) {
  std::memcpy(to, from.data(), sizeof to);
}
template <std::size_t N> void put(double (&to)[N], const double (&from)[N]) {
  std::memcpy(to, from, sizeof to);
}
template <std::size_t N> void get(const double (&from)[N], KDL::JntArray &to) {
  std::memcpy(to.data.data(), from, sizeof from);
}
// How many elements, without a call into the library.
inline unsigned size_of(const KDL::JntArray &x) {
  return unsigned(x.data.rows());
}
inline void put(double (&to)[3], const KDL::Vector &from) {
  for (int k = 0; k < 3; k++) to[k] = from(k);
}

// Whether six numbers, linear and angular, are zero: by their bits but for the sign, without a branch. NaN is not.
inline bool is_zero(const double *six) {
  std::uint64_t x[6];
  std::memcpy(x, six, sizeof x);
  return ((x[0] | x[1] | x[2] | x[3] | x[4] | x[5]) << 1) == 0;
}
// The same of wrenches from the first to before the last one named.
inline bool is_zero(const KDL::Wrenches &f, std::size_t first, std::size_t last) {
  std::uint64_t any = 0, x[6];
  static_assert(sizeof(KDL::Wrench) == sizeof x, "a wrench is six numbers");
  for (std::size_t i = first; i < last; i++) {
    std::memcpy(x, f[i].force.data, 3 * sizeof *x);
    std::memcpy(x + 3, f[i].torque.data, 3 * sizeof *x);
    any |= x[0] | x[1] | x[2] | x[3] | x[4] | x[5];
  }
  return (any << 1) == 0;
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

// What all solvers have in common: the chain, what tells of it, and KDL's codes with ours. Base: KDL's class that the
// solver is one of.
template <class Traits, class Base> class ChainSolver : public Base {
public:
  enum { E_CHAIN_MISMATCH = kdl::E_CHAIN_MISMATCH };
  virtual void updateInternalDataStructures() { known.look(); }
  virtual const char *strError(const int code) const {
    return known.text(code, KDL::SolverI::strError(code));
  }

protected:
  explicit ChainSolver(const KDL::Chain &chain) : known(chain) {}
  kdl::Known<Traits> known;
};

} // namespace achd

#endif
