/* SPDX-License-Identifier: MIT */
// blur.hpp: what rounding has to leave of a derivative. The oracle's own dense equations of motion are
// solved again with every number that they are made of (inertia, bias forces, Jacobians, biases of frames,
// and what a small motion changes in each) off by one rounding of the terms that are summed in it: masses
// times lengths along the chain times accelerations, without regard to signs, so that what cancels counts.
// What changes in a matrix is one rounding as this problem magnifies it, in whatever way it is solved.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "differences.hpp"

namespace oracle {

// What is differentiated, of a sample and its motion. Jacobians of wrenches are those of the links from
// `wrenches` on: a blurred motion has its links twice, so that rows and wrenches err apart.
using OfMotion = std::function<Values(const Sample &, const Motion &, int wrenches)>;

// By derivative ("dqdd_dq"): the largest change of any element by roundings of the size `rounding`, drawn
// `draws` times. wanted: which derivatives.
std::map<std::string, real> blur(const Robot &robot, const LayoutSpec &spec, const Sample &sample,
                                 const OfMotion &f,
                                 const std::function<bool(const std::string &)> &wanted,
                                 real rounding, int draws, Random &random);

} // namespace oracle
