/* SPDX-License-Identifier: MIT */
// bounded_words.hpp: layouts with every word of bounds, and what these mean in a state: rows with their bounds from the
// definition, in long double; and the dense problem that they pose.
#pragma once

#include <array>
#include <set>

#include "layout.hpp"

namespace oracle {

const double unbounded = 1e300; // a bound that is none

// L, r, and all that is needed of a motion to judge nu: from the definition, dense.
struct Dense {
  Mat G, L;    // rows x nv; G M^-1 G^T
  Vec r, free; // b - (G free + gamma); vdot at nu = 0
  Mat Mi_Gt;
  Vec own; // by coordinate: artificial torques and wrenches
};
Dense dense(const Motion &motion, const Problem &problem);

// Where the words of bounds branch; of limits with the side added, and 4 where the joint is fast.
enum Branch {
  joint_rests,
  joint_moves,
  joint_moves_back,
  contact_sticks,
  contact_slides,
  limit_acts = 20,
  limit_in_time = 40 // and what follows: beyond it, no room, too fast, cut off
};

// One state: inputs by column, and the problem that they mean.
struct Posed {
  Sample sample; // of words of bounds
  std::map<std::string, double> in;
  State state;
  Problem problem;
  Vec lo, hi, soft; // soft: compliance, by row; empty: none
  std::vector<int>
      branch; // of the words: which contacts slide, which joints rest, which limits act
};

// The bounds of one row more.
void append(Posed &p, real lo, real hi);
// Friction of a joint, which can give f.
void append_friction(Posed &p, int joint, real f, real threshold);

// A layout, and what it says of bounds.
struct Words {
  std::string title, robot;
  LayoutSpec layout;
  bool unactuated = false;                            // expected of some states
  std::map<std::string, std::array<real, 2>> between; // bounds by group
  std::set<std::string> bounds_input;                 // groups
  std::map<std::string, double> contact;              // coefficients by group; below 0: input
  std::map<std::string, std::string> normal; // of contacts that only push: the row, by group
  std::map<std::string, double> soft;        // compliance by group
  bool coulomb_input = false;
  std::map<std::string, double> coulomb;     // by joint
  std::string viscous;                       // as Lua has it
  std::map<std::string, double> damping;     // what it means; empty: input, or none
  double margin = 0, rate = 0;               // of limits; 0: none
  double braking = 0, fastest = 0, step = 0; // of limits in time; 0: none
  bool limits_b_input = false, limits_physical = false;
  std::vector<std::string> limited; // joints; empty: all that have limits
};

// The words beside the layout, as Lua has them.
LayoutSpec furnished(const Words &words);
std::vector<Words> words_of_bounds();

// A random state.
Posed pose(const Robot &robot, const Words &words, const LayoutSpec &layout, Random &random);
// What the state in p.sample and the other inputs in p.in mean: problem, lo, hi. Inputs beside the sample that p.in does not
// have are drawn.
void define(const Robot &robot, const Words &words, const LayoutSpec &layout, Posed &p,
            Random &random);

} // namespace oracle
