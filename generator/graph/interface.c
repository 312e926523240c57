/* SPDX-License-Identifier: MIT */
/* interface.c: see interface.h */
#include "graph/interface.h"

const char *ag_base_velocity(const ag_header *header, int i) {
  static const char *const planar[] = {"x", "y", "yaw"};
  static const char *const spatial[] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  return header->nbase == 3 ? planar[i] : spatial[i];
}

bool ag_has_yaw(const ag_header *header) {
  return header->nangles > 0 && header->angles[header->nangles - 1].joint == AG_BASE_YAW;
}
