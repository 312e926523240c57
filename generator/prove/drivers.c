/* SPDX-License-Identifier: MIT */
/* drivers.c: see drivers.h */
#include "prove/drivers.h"

#include "base/text.h"

#include <string.h>

ag_number *ag_driver_wrench(ag_definition *d, int k) {
  ag_number *forces = ag_numbers(d, d->robot->n);
  ag_define_wrench(d, k, forces);
  return forces;
}

ag_number ag_driver_viscous(const ag_robot *r, int joint, const ag_number *rates) {
  const ag_problem *p = r->problem;
  ag_number d = ag_zero;
  for (int k = 0; k < p->njoint_rows; k++) {
    const ag_value *g = p->joint_rows[k].value, *given = ag_value_item(g, "viscous");
    if (ag_value_boolean(g, "viscous_input")) d = ag_point_find(r->point, "viscous")[joint];
    if (given) d = ag_value_at(given, joint);
  }
  const int c = p->nbase + joint;
  ag_number torque = ag_number_mul(d, rates[c]);
  for (int m = 0; m < p->ngears; m++) {
    const ag_number own = ag_number_mul(p->gears[m].viscous, ag_robot_gear(r, m, rates));
    torque = ag_plus(torque, r->gears[m * r->n + c], own);
  }
  return torque;
}

/* The forces of a driver by coordinate. */
static ag_number *forces_of(ag_definition *d, const char *name) {
  const ag_robot *r = d->robot;
  for (int k = 0; k < r->problem->nwrenches; k++)
    if (strcmp(r->problem->wrenches[k].name, name) == 0) return ag_driver_wrench(d, k);
  const ag_number *given = ag_point_find(r->point, name);
  const bool viscous = strcmp(name, "viscous") == 0;
  ag_number *forces = ag_numbers(d, r->n);
  for (int j = 0; j < r->problem->njoints; j++)
    forces[r->problem->nbase + j] = viscous ? ag_number_neg(ag_driver_viscous(r, j, r->qd))
                                    : given ? given[j]
                                            : ag_zero;
  return forces;
}

/* 1 - w of row j: of a constant the double that stands for it; at: of run-time weights, the row's place in them. */
static ag_number share_of(const ag_robot *r, const ag_header *h, int j, int driver, int at) {
  const ag_row_info *row = &h->rows[j];
  if (row->weights) return ag_number_of(1 - row->weights[driver]);
  if (!row->weighted) return ag_zero;
  const char *name = ag_printf(r->arena, "weight.%s", h->drivers[driver]);
  return ag_number_sub(ag_one, ag_point_find(r->point, name)[at]);
}

/* To forces J^T nu of the physical rows: so that they hold, J M^-1 (forces + J^T nu) = -c nu. */
static void hold(ag_definition *d, const ag_system *contacts, const ag_number *W,
                 const ag_demand *const *rows, ag_number *forces) {
  ag_number *right = ag_numbers(d, contacts->m), *nu = ag_numbers(d, contacts->m);
  for (int l = 0; l < contacts->m; l++)
    right[l] = ag_number_neg(ag_demand_caused(d->robot, W, rows[l], forces));
  ag_system_solve(contacts, right, nu);
  for (int l = 0; l < contacts->m; l++)
    ag_dense_add_transposed(rows[l]->J, 1, d->robot->n, &nu[l], forces);
}

ag_passing ag_passing_of(ag_definition *d, const ag_number *W, const ag_demand *rows, int m) {
  const ag_robot *r = d->robot;
  const ag_header *h = r->point->header;
  ag_passing p = {.header = h, .m = m, .through = ag_numbers(d, h->ndrivers * m)};
  const ag_demand **physical = ag_alloc(d->arena, (size_t)(m + 1) * sizeof *physical);
  int nphysical = 0;
  bool weighted = false;
  for (int j = 0; j < m; j++) {
    weighted = weighted || (j < h->nrows && ag_row_weighs(&h->rows[j]));
    if (rows[j].physical) physical[nphysical++] = &rows[j];
  }
  if (!weighted) return p;
  if (nphysical > 0) p.contacts = ag_system_of(r, W, physical, nphysical, NULL);
  for (int k = 0; k < h->ndrivers; k++) {
    ag_number *forces = forces_of(d, h->drivers[k]);
    if (nphysical > 0) hold(d, &p.contacts, W, physical, forces);
    for (int j = 0, at = 0; j < h->nrows; j++) {
      const ag_number share = share_of(r, h, j, k, at);
      at += h->rows[j].weighted;
      p.through[k * m + j] = ag_number_mul(share, ag_demand_caused(r, W, &rows[j], forces));
    }
  }
  return p;
}

ag_number ag_passes(const ag_passing *p, int j, const char *driver) {
  ag_number sum = ag_zero;
  for (int k = 0; k < p->header->ndrivers; k++)
    if (!driver || strcmp(p->header->drivers[k], driver) == 0)
      sum = ag_number_add(sum, p->through[k * p->m + j]);
  return sum;
}
