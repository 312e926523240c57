/* SPDX-License-Identifier: MIT */
// states.hpp: random inputs, the same on every machine: mt19937_64 (fixed by the standard) and our
// own uniform. Every number is a double, so that a program fed with 17 digits gets the very same
// one.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>

#include "motion.hpp"

namespace oracle {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  // Uniform in [lo, hi), 53 bits.
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (double(engine() >> 11) * 0x1p-53);
  }
  int below(int n) { return int(engine() % uint64_t(n)); }
  bool chance(double p) { return uniform(0, 1) < p; }
  // 10^uniform: the exponent is uniform between those of lo and hi.
  double log_uniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  Vec3 vec3(double scale) { // one statement per draw: the order is part of the numbers
    const double x = uniform(-scale, scale), y = uniform(-scale, scale), z = uniform(-scale, scale);
    return {x, y, z};
  }
  Vec6 vec6(double linear, double angular) {
    Vec6 v;
    v.head(3) = vec3(linear);
    v.tail(3) = vec3(angular);
    return v;
  }
  Vec3 unit() {
    for (;;) {
      const Vec3 v = vec3(1);
      const real n = v.norm();
      if (n > 0.1L && n <= 1) return rounded(v / n);
    }
  }
  // Rotation matrix whose entries are doubles (orthogonal to their rounding).
  Mat3 rotation() { return rounded(rotation_quat(quat())); }
  // Unit quaternion (w, x, y, z) of doubles.
  Vec4 quat() {
    for (;;) {
      Vec4 n;
      for (int i = 0; i < 4; i++) n[i] = uniform(-1, 1);
      const real length = n.norm();
      if (length > 0.1L && length <= 1) return rounded(n / length);
    }
  }

  template <class T> static typename T::PlainObject rounded(const T &v) {
    return v.template cast<double>().template cast<real>();
  }

private:
  std::mt19937_64 engine;
};

// What random states look like. Rates and torques are those of arms at work.
struct StateRange {
  double qd = 2;       // [rad/s]; prismatic: a quarter of it [m/s]
  double gravity = 10; // each component [m/s^2]
  double armature = 0; // largest rotor inertia; 0: none
  double base_lin = 1, base_ang = 1;
};

inline State random_state(const Robot &robot, Random &random, const StateRange &range = {}) {
  State state = rest(robot);
  for (int i = 0; i < robot.nd(); i++) {
    const bool prismatic = robot.dofs[i].prismatic;
    state.q[i] = prismatic ? random.uniform(-0.5, 0.5) : random.uniform(-M_PI, M_PI);
    state.qd[i] = random.uniform(-range.qd, range.qd) * (prismatic ? 0.25 : 1);
    state.armature[i] = range.armature > 0 ? random.uniform(0.02, 1) * range.armature : 0;
  }
  state.gravity = random.vec3(range.gravity);
  if (robot.base == Base::floating) {
    state.base_quat = random.quat();
    state.base_R = rotation_quat(state.base_quat);
    state.base_twist = random.vec6(range.base_lin, range.base_ang);
  } else if (robot.base == Base::planar) {
    state.base_yaw = random.uniform(-M_PI, M_PI);
    state.base_R = rotation(Vec3::UnitZ(), state.base_yaw);
    state.base_twist[0] = random.uniform(-range.base_lin, range.base_lin);
    state.base_twist[1] = random.uniform(-range.base_lin, range.base_lin);
    state.base_twist[5] = random.uniform(-range.base_ang, range.base_ang);
  }
  return state;
}

// Moves joints of `state` until cond(state) lies within half a decade of `target`: along one joint
// after the other the worst configuration is sought, and between a good and a bad one the target is
// bisected. False where some rounds find nothing so bad.
inline bool bring_to_condition(State &state, Random &random, real target,
                               const std::function<real(const State &)> &cond) {
  const int n = int(state.q.size());
  if (cond(state) > target) return false;
  for (int round = 0; round < 3 * n; round++) {
    const int j = random.below(n);
    State probe = state;
    const auto at = [&](real q) {
      probe.q[j] = double(q);
      return cond(probe);
    };
    // The worst of a grid over a full turn, then refined by golden section.
    const real start = state.q[j], step = 2 * M_PIl / 24;
    real best = start, worst = cond(state);
    for (int k = 1; k < 24; k++)
      if (const real c = at(start + k * step); c > worst) {
        worst = c;
        best = start + k * step;
      }
    real a = best - step, b = best + step;
    for (int k = 0; k < 50 && worst < target; k++) {
      const real left = b - 0.618034L * (b - a), right = a + 0.618034L * (b - a);
      const real l = at(left), r = at(right);
      (l > r ? b : a) = l > r ? right : left;
      if (std::max(l, r) > worst) {
        worst = std::max(l, r);
        best = l > r ? left : right;
      }
    }
    if (worst >= target) {
      real good = start, bad = best;
      for (int k = 0; k < 80; k++) {
        const real middle = (good + bad) / 2, c = at(middle);
        if (c > target / 3 && c < target * 3) {
          state.q[j] = double(middle);
          return true;
        }
        (c < target ? good : bad) = middle;
      }
    }
    state.q[j] = double(std::remainder(best, 2 * M_PIl)); // worse than before: go on along another
  }
  return false;
}

} // namespace oracle
