/* SPDX-License-Identifier: MIT */
/* derivatives.c: see derivatives.h */
#include "prove/derivatives.h"

#include "graph/functions.h"

#include <string.h>

const char *ag_derivative_by(const char *name, const char **of, ag_arena *arena) {
  static const char *const ofs[] = {"tau", "qdd", "nu", "tau_ctrl", "q_next", "qd_next"};
  for (size_t k = 0; k < sizeof ofs / sizeof *ofs; k++) {
    const char *start = ag_printf(arena, "d%s_d", ofs[k]);
    *of = ofs[k];
    if (strncmp(name, start, strlen(start)) == 0) return name + strlen(start);
  }
  return NULL;
}

/* Where the rate of a column stands; NULL: nothing depends on it, as on the set-points that rows of
 * joints do not have. */
static ag_residue *rate_at(const ag_graph *graph, ag_point *point, int nbase, const char *by,
                           int column) {
  const bool by_q = strcmp(by, "q") == 0, by_qd = strcmp(by, "qd") == 0;
  const int base = by_q || by_qd ? nbase : 0;
  if (column < base && by_q) { /* where the base stands matters to steps alone */
    static const char *const planar[] = {"base.x", "base.y"};
    const int linear = nbase == 3 ? 2 : 3;
    if (column >= linear) return &point->turn[nbase == 3 ? 2 : column - linear];
    ag_number *at = ag_point_find(point, nbase == 3 ? planar[column] : "base.position");
    return !at ? NULL : nbase == 3 ? &at->rate : &at[column].rate;
  }
  if (column < base) return &ag_point_find(point, "base.twist")[column].rate;
  /* that of the feed-forward torque, in the solve */
  const char *values = ag_function_values(graph->function->name);
  const bool torque = strcmp(by, "tau") == 0 && values && ag_function_solves(values);
  ag_number *given = ag_point_element(point, torque ? "tau_art" : by, column - base);
  return given ? &given->rate : NULL;
}

ag_definition ag_define_along(const ag_graph *graph, const ag_problem *problem, ag_point *point,
                              const ag_direction *direction, ag_arena *arena) {
  for (int c = 0; c < direction->columns; c++) {
    ag_residue *rate = rate_at(graph, point, problem->nbase, direction->by, c);
    if (rate) *rate = direction->rates[c];
  }
  ag_decisions_start(point->decisions, point->decisions->turn);
  const ag_definition d = ag_define(graph->function->name, ag_robot_at(problem, point, arena));
  for (int c = 0; c < direction->columns; c++) {
    ag_residue *rate = rate_at(graph, point, problem->nbase, direction->by, c);
    if (rate) *rate = 0;
  }
  return d;
}

bool ag_rates_of(const ag_definition *d, const char *of, int rows, ag_residue *rates) {
  static const struct {
    const char *of, *base[3]; /* outputs of the base */
  } moving[] = {{"tau", {"base.wrench", NULL, NULL}},
                {"qdd", {"base.acc", NULL, NULL}},
                {"qd_next", {"base_next.twist", NULL, NULL}},
                {"q_next", {"base_next.x", "base_next.y", "base_next.yaw"}}};
  const ag_defined *parts[4] = {NULL, NULL, NULL, ag_defined_output(d, of)};
  int count = 0;
  for (size_t m = 0; m < sizeof moving / sizeof *moving; m++)
    for (int k = 0; k < 3 && strcmp(moving[m].of, of) == 0; k++)
      if (moving[m].base[k]) parts[k] = ag_defined_output(d, moving[m].base[k]);
  for (int k = 0; k < 4; k++)
    for (int i = 0; parts[k] && i < parts[k]->count && count < rows; i++)
      rates[count++] = parts[k]->values[i].rate;
  return parts[3] && count == rows;
}

void ag_random_direction(const char *by, int columns, ag_residue *direction) {
  for (int c = 0; c < columns; c++) direction[c] = ag_point_residue(by, c);
}

void ag_unit_direction(int column, int columns, ag_residue *direction) {
  for (int c = 0; c < columns; c++) direction[c] = c == column;
}
