/* SPDX-License-Identifier: MIT */
// differences.hpp: derivatives by differences in long double: what there is to differentiate by, and how.
#pragma once

#include <functional>

#include "judge.hpp"

namespace oracle {

// What a derivative is by: its name, its columns, and the sample with the k-th moved by h.
struct By {
  std::string name;
  std::vector<std::string> columns;
  std::function<Sample(Sample, int, real)> moved;
};

// Positions and velocities of the base and the joints, tau_art ("tau"), tau_phys, set-points, wrenches. A position of a
// moving base turns about the world's axes.
std::vector<By> all_bys(const Robot &robot, const LayoutSpec &spec);

// Values by name: "tau", "qdd", "nu", "tau_ctrl"; of a moving base the base's come first.
using Values = std::map<std::string, Vec>;

// The derivative by differences. Everything is a linear function of tau, b and wrenches, so that one
// difference from `here`, the state's values, is exact for any step `far`, and a quadratic one of velocities, so
// that a central one, D(h), is. Of a value x of a solve with the condition c, rounding leaves 1e-19 c x / far: where rows
// take all of a wrench away (iiwa7 on a planar base, c = 8e6, x = 850), a step of 1e-3 showed 3e-11 for a derivative that
// is 0, and is 3e-17 in the generated code compiled in long double. By positions D(h), D(h/2), D(h/4) are extrapolated, to an error of the order h^6:
// at the distance d from a singular position that is (h/d)^6, where a single extrapolation leaves
// (h/d)^4.
Values difference(const std::function<Values(real)> &moved_by, const Values &here,
                  const std::string &by, real far = 1e-3L, real step = 2e-4L);

} // namespace oracle
