/* SPDX-License-Identifier: MIT */
// reference.hpp: reads reference vectors (one JSON object a line: a header, then records) made by
// another implementation. Optional data: a folder that is not there holds no records.
#pragma once

#include <string>
#include <vector>

#include "kkt.hpp"

namespace oracle {

struct ReferenceRecord {
  int index;
  std::string kind;
  State state; // base_pos is left out: positions are relative to the base's origin
  Vec3 base_pos;
  Problem problem; // rows with classical b; its policy is truncate at 1e-10
  std::vector<real> b_spatial, b_spatial_minus_gravity; // the same set-points, by row

  // Output; empty where the record has none.
  Vec vdot, vdot_free, nu, tau_constraint, tau_artificial, tau_external, h, residual;
  Mat M, L;
  real cond = 1, gauss = 0; // cond: of what truncation left of L
  int rank = 0;             // of L
  struct Link {
    int link;
    Mat3 R;
    Vec3 p, v, w, a, alpha;
  };
  std::vector<Link> links;

  // Friction records only: mu acts as a joint torque; stuck joints stay at rest.
  Vec mu, friction;
  std::vector<int> stuck;
  bool mu_unique = false;
};

struct ReferenceSet {
  std::string robot_name, path; // path: of the URDF
  Robot robot;
  std::string tip;
  std::vector<ReferenceRecord> records;
};

// Sets in a file; URDFs are looked for in `robot_folders`. A set whose URDF is nowhere is left out
// and named in `missing`. No file: no sets.
std::vector<ReferenceSet> read_reference(const std::string &path,
                                         const std::vector<std::string> &robot_folders,
                                         std::vector<std::string> *missing);

} // namespace oracle
