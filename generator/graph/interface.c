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

int ag_longest_chain(const ag_header *header) {
  const size_t count = (size_t)header->njoints + 1;
  int *carried = ag_alloc(header->arena, count * sizeof *carried);
  int *length = ag_alloc(header->arena, count * sizeof *length), longest = 0;
  for (int i = 0; i < header->njoints; i++)
    if (header->joints[i].parent >= 0) carried[header->joints[i].parent]++;
  for (int i = 0; i < header->njoints; i++) { /* a parent comes before those that it carries */
    const int parent = header->joints[i].parent;
    length[i] = parent >= 0 && carried[parent] == 1 ? length[parent] + 1 : 1;
    if (length[i] > longest) longest = length[i];
  }
  return longest;
}
