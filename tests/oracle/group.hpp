/* SPDX-License-Identifier: MIT */
// group.hpp: a group of a layout as tests write it.
#pragma once

#include "oracle/layout.hpp"

namespace oracle {

// rows: none are named: all six.
inline GroupSpec group(const std::string &name, const std::string &frame,
                       const std::vector<std::string> &rows = {}, bool physical = false) {
  GroupSpec out;
  out.name = name;
  out.frame = frame;
  out.physical = physical;
  if (!rows.empty()) out.rows = rows;
  return out;
}

} // namespace oracle
