/* SPDX-License-Identifier: MIT */
// random_robot.hpp: URDF text of robots that nobody drew, for tests over many shapes.
#pragma once

#include <string>

#include "states.hpp"

namespace oracle {

struct RobotShape {
  int joints = 6;          // moving, mimic ones included
  double prismatic = 0.15; // share of them
  double fixed = 0.3;      // chance of a fixed link after a moving one, with mass
  double branch = 0;       // chance that a joint hangs on any earlier link; 0: a serial chain
  double parallel = 0.3;   // chance of axes along x, y or z and twists of a quarter turn
  int mimic = 0;           // that many joints follow an earlier one
  bool base_inertia = true;
  double continuous = 0;       // share of turning joints without limits
  double massless = 0;         // chance that a moving link which carries another has no inertia
  double point = 0;            // chance that a mass has no rotational inertia
  bool world = false;          // a root "world", without inertia, carries the base
  Base root = Base::fixed;     // by a joint of this type
  bool vendor = false;         // what vendors' files have besides
  bool odd_names = false;      // joints and links have names that are no C identifiers
  bool default_values = false; // origins and axes that are URDF's defaults may be left out
};

// Joints are named j1 .. jn, links base, l1 .. ln, fixed ones f1 .. and a massless "tip" at the
// end (with odd names: "j-1" and so on). What a shape leaves at its default costs no random number.
std::string random_urdf(Random &random, const RobotShape &shape = {});

// A tree shaped like a human, of 38 turning joints: on the pelvis a torso of 3 and two legs of 8,
// on the torso a neck of 3 and two arms of 8. Links and joints are named left_leg_1 .., the frames
// at the ends head, left_hand, right_hand, left_foot, right_foot.
std::string humanoid_urdf(Random &random);

} // namespace oracle
