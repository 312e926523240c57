/* SPDX-License-Identifier: MIT */
// kdl_chain.hpp: a serial robot as a KDL chain: one segment per moving joint, fixed links merged,
// inertias in each segment's tip frame. (kdl_oracle.hpp needs none of KDL's headers; this does.)
#pragma once

#include <kdl/chain.hpp>

#include "motion.hpp"

namespace oracle {

struct KdlSegment {
  int dof, joint_link; // joint_link: the child of its joint
  int tip_link;        // its tip frame is this link's
};

struct KdlChain {
  KDL::Chain chain;
  std::vector<KdlSegment> segments;
};

// The chain from the root to `tip`, where it ends. Fixed base, no mimic, every moving joint on the
// chain: otherwise throws. The state's armature and run-time inertias are built in.
KdlChain kdl_chain(const Robot &robot, const State &state, int tip);

} // namespace oracle
