/* SPDX-License-Identifier: MIT */
// Lifts the tool of a Gen3 by 10 cm and holds it there: the generated C, used from C++ as it is.
// Its structs are plain arrays of doubles, which std::span, Eigen::Map and the like look at without
// a copy.
#include "gen3_achd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

// This file was written for these fields: a header that has others is an error here, not on the
// robot.
static_assert(GEN3_ACHD_SHAPE == 0x23da9168u);

using Joints = std::array<double, GEN3_NJ>;
struct State {
  Joints q, qd;
};

struct Tool {
  gen3_fk_out pose;
  gen3_fvk_out twist;
};

static Tool tool_of(const State &state) {
  Tool tool;
  gen3_fk_in at{};
  std::ranges::copy(state.q, at.q);
  gen3_fk(&at, &tool.pose);
  gen3_fvk_in moving{};
  std::ranges::copy(state.q, moving.q);
  std::ranges::copy(state.qd, moving.qd);
  gen3_fvk(&moving, &tool.twist);
  return tool;
}

// Acceleration that pulls one coordinate to its target, critically damped [m/s^2].
static double pull(double target, double position, double velocity) {
  constexpr double k = 100; // [1/s^2]
  return k * (target - position) - 2 * 10 * velocity;
}

int main() {
  State arm{{0, 0.26, 3.14, -2.27, 0, 0.96, 1.57}, {}};
  std::array<double, 3> target;
  std::ranges::copy(tool_of(arm).pose.pose.tool_frame.p, target.begin());
  target[2] += 0.1;

  constexpr double dt = 1e-3; // [s]
  for (int cycle = 0; cycle <= 2000; cycle++) {
    const Tool tool = tool_of(arm);
    const std::span<const double, 3> p(tool.pose.pose.tool_frame.p);
    const gen3_twist &v = tool.twist.twist.tool_frame;
    if (cycle % 500 == 0)
      std::printf("%.1f s: %.4f m to go, %.4f m aside\n", cycle * dt, target[2] - p[2],
                  std::hypot(target[0] - p[0], target[1] - p[1]));

    gen3_achd_in in{}; // zeroes what is not set
    std::ranges::copy(arm.q, in.q);
    std::ranges::copy(arm.qd, in.qd);
    for (int k = 0; k < 3; k++) {
      in.b[GEN3_TOOL_LIN_X + k] = pull(target[k], p[k], v.lin[k]);
      in.b[GEN3_TOOL_ANG_X + k] = -20 * v.ang[k];
    }
    for (int j = 0; j < GEN3_NJ; j++) in.tau_art[j] = -4 * arm.qd[j]; // the elbow's swing dies out
    gen3_achd_out out;
    if (const gen3_status status = gen3_achd(&in, &out); status != GEN3_OK) {
      std::printf("status %u\n", status);
      return 1;
    }

    // A robot would get out.tau_ctrl; this one moves as the solver says that it will.
    for (int j = 0; j < GEN3_NJ; j++) {
      arm.qd[j] += dt * out.qdd[j];
      arm.q[j] += dt * arm.qd[j];
    }
  }
}
