/* SPDX-License-Identifier: MIT */
/* optimum.c: see optimum.h
 *
 * By M and J of the family: a unit of motor i's torque e_i moves the robot so that
 *   M vdot_x = e_i + J^T A nu_x of the physical rows,
 * these stay as they are where they are in force, A^T J vdot_x = 0, and every residual is
 *   A^T (J vdot + J-dot q-dot) - b,
 * at x = 0 and by x. (How well rows hold depends on their pivots, which may be as small as 1e-6.)
 * H is the Gauss function's X^T M X, X of all vdot_x, and what weights of forces add, which is no
 * less than 0. */
#include "check/optimum.h"

#include "base/value.h"
#include "check/rows.h"
#include "check/stated.h"

#include <math.h>
#include <string.h>

static const char motion[] = "M vdot_x = e + J^T A nu_x of physical rows",
                  residuals[] = "residual = A^T (J vdot + J-dot q-dot) - b, and by x",
                  held[] = "physical rows hold: A^T J vdot_x = 0",
                  damped[] = "A^T a = b - damping nu, dependent physical rows, and by x",
                  gauss[] = "H: Gauss function and weights of forces";

/* The joints whose torques are unknowns, in their order. */
static void find_motors(ag_checker *c, const ag_value *problem) {
  const ag_value *driven = ag_value_list(problem, "driven");
  c->optimum = problem;
  c->motors = ag_alloc(c->arena, (size_t)(c->header->njoints + 1) * sizeof *c->motors);
  for (int j = 0; j < c->header->njoints; j++)
    if (driven->items[j].number != 0) c->motors[c->nmotors++] = j;
}

/* What a unit of unknown i adds to an output of `size` numbers; NULL: it has none. */
static const double *added(const ag_run *r, const char *name, int i, int size) {
  const double *x = ag_output_of(r, name);
  return x ? x + (size_t)i * (size_t)size : NULL;
}

static void check_torque(ag_checker *c, const ag_run *r, int i, const double *vdot, double coarse) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n, m = robot->nrows;
  const double *nu = added(r, "nu_x", i, m);
  double worst = 0, size = 1;
  for (int k = 0; k < n; k++) {
    double left = k == robot->nbase + c->motors[i] ? -1 : 0, terms = 1;
    for (int j = 0; j < n; j++) {
      left += robot->M[k * n + j] * vdot[j];
      terms += fabs(robot->M[k * n + j] * vdot[j]);
    }
    for (int j = 0; j < m; j++)
      if (robot->rows[j].group->physical) {
        left -= robot->AJ[j * n + k] * nu[j];
        terms += fabs(robot->AJ[j * n + k] * nu[j]);
      }
    worst = fmax(worst, fabs(left));
    size = fmax(size, terms);
  }
  ag_check_note(c, "qp", motion, ag_check_ratio(worst, size), AG_CHECK_BALANCE * coarse);
}

/* Along row j; adds absolute values to *terms. most: what accelerations are sums of. The levers in J can be as long as the robot, and
 * cancel, be it to nothing. */
static double along(const ag_reference *robot, int j, const double *vdot, double most,
                    double *terms) {
  double a = 0;
  for (int k = 0; k < robot->n; k++) {
    a += robot->AJ[j * robot->n + k] * vdot[k];
    *terms += fabs(robot->AJ[j * robot->n + k]) * most;
  }
  *terms += fmax(1, robot->measures.length) * most;
  return a;
}

/* Of rows, by unit i, or at x = 0 where i is -1. */
static const double *forces_of(const ag_run *r, int i, int m) {
  return i < 0 ? ag_output_of(r, "nu_0") : added(r, "nu_x", i, m);
}

/* The largest sum of absolute values in M^-1 (e + J^T A nu_x), the acceleration by unit i: where rows hold all that moves, nothing is left;
 * where i is -1, in M^-1 J^T A nu_0. */
static double moved_by(const ag_checker *c, const ag_run *r, int i) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n, m = robot->nrows;
  const double *nu = forces_of(r, i, m);
  double most = 0;
  for (int k = 0; k < n; k++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double force = i >= 0 && j == robot->nbase + c->motors[i];
      for (int row = 0; row < m; row++)
        if (robot->rows[row].group->physical) force += fabs(robot->AJ[row * n + j] * nu[row]);
      sum += fabs(robot->inverse[k * n + j]) * force;
    }
    most = fmax(most, sum);
  }
  return most;
}

/* What the policy leaves of physical rows by unit of their forces, where it acts, as for ag_check_dependent; NULL: that is not known. */
static const double *left_of(ag_checker *c, const ag_run *r, const ag_value *problem,
                             ag_arena *arena) {
  const ag_reference *robot = &c->robot;
  const char *policy = ag_value_text(problem, "singularity");
  const double *nu = ag_output_of(r, "nu_0");
  if (strcmp(policy, "truncate") == 0 || !nu) return NULL;
  bool *force = ag_alloc(arena, ((size_t)robot->nrows + 1) * sizeof *force);
  ag_pivots p =
      ag_pivots_new(robot, ag_value_number(problem, "threshold"), policy, c->single, arena);
  ag_rows_with_forces(robot, nu, force);
  p.first = ag_rows_first_physical(robot);
  for (int k = 0; k < robot->nrows; k++) force[k] = force[k] && robot->rows[k].group->physical;
  ag_pivots_find(&p, robot, force);
  return p.close ? NULL : p.left;
}

/* vdot: by unit i, or at x = 0 where i is -1. left: NULL, or what the policy leaves of rows. */
static void check_rows(ag_checker *c, const ag_run *r, int i, const double *vdot,
                       const double *left, double coarse) {
  const ag_reference *robot = &c->robot;
  const double *b = ag_sampler_find(&robot->sampler, "b"),
               *told =
                   i < 0 ? ag_output_of(r, "residual_0") : added(r, "residual_x", i, robot->nrows);
  const double by_rows = moved_by(c, r, i),
               most = i < 0 ? by_rows + ag_largest(vdot, robot->n) : by_rows;
  for (int j = 0; j < robot->nrows; j++) {
    const ag_placed_row *row = &robot->rows[j];
    double terms = i < 0 ? robot->drift_size[j] + fabs(b[j]) : 0;
    const double a = along(robot, j, vdot, most, &terms) + (i < 0 ? robot->drift[j] - b[j] : 0);
    if (told && !row->group->yields)
      ag_check_note(c, "qp", residuals, ag_check_ratio(a - told[j], terms),
                    AG_CHECK_BALANCE * coarse);
    if (!row->group->physical || row->group->yields || !ag_rows_in_force(robot, j)) continue;
    const double nu = forces_of(r, i, robot->nrows)[j];
    if (i >= 0 && !(r->status & AG_BIT_SINGULAR))
      ag_check_note(c, "qp", held, ag_check_ratio(a, terms), AG_CHECK_DIFFERENCES * coarse);
    else if (left && isnan(left[j]))
      ag_check_note(c, "qp", "physical rows that are left out have no force", fabs(nu), 0);
    else if (left)
      ag_check_note(c, "qp", damped, ag_check_ratio(a + left[j] * nu, terms + fabs(left[j] * nu)),
                    AG_CHECK_BALANCE * coarse);
  }
}

/* H_ii beside vdot_x^T M vdot_x: no less. */
static void check_gauss(ag_checker *c, const ag_run *r, int i, const double *vdot, double coarse) {
  const ag_reference *robot = &c->robot;
  const double *H = ag_output_of(r, "H");
  double whole = 0, terms = 0;
  for (int k = 0; k < robot->n; k++)
    for (int j = 0; j < robot->n; j++) {
      whole += vdot[k] * robot->M[k * robot->n + j] * vdot[j];
      terms += fabs(vdot[k] * robot->M[k * robot->n + j] * vdot[j]);
    }
  ag_check_note(c, "qp", gauss, ag_check_ratio(fmax(0, whole - H[i * (i + 1) / 2 + i]), terms),
                AG_CHECK_BALANCE * coarse);
}

double ag_check_levels_pivot(const ag_checker *c, const ag_value *problem) {
  const ag_value *groups = ag_value_list(problem, "groups");
  const ag_reference *robot = &c->robot;
  ag_arena own = {0};
  int *level = ag_alloc(&own, ((size_t)robot->nrows + 1) * sizeof *level), most = 0;
  for (int k = 0; k < robot->nrows; k++)
    for (int g = 0; g < groups->length; g++) {
      const ag_value *of = &groups->items[g];
      if (!ag_value_is(of, "name", c->header->rows[k].group)) continue;
      if (ag_value_boolean(of, "physical") || ag_value_boolean(of, "ranged")) continue;
      level[k] = ag_value_integer(of, "priority"); /* from 1 on */
      most = level[k] > most ? level[k] : most;
    }
  double least = 1;
  for (int k = 1; k <= most; k++) least = fmin(least, ag_rows_least_pivot(robot, level, k));
  ag_arena_free(&own);
  return fmax(least, AG_CHECK_LEAST_PIVOT(c->single));
}

bool ag_check_optimum(ag_checker *c, const ag_subject *qp, double coarse) {
  const ag_run *r = &qp->run;
  const ag_reference *robot = &c->robot;
  if (robot->nrows == 0 || !ag_output_of(r, "qdd_x") || !ag_output_of(r, "nu_x")) return false;
  if (c->single || (robot->nbase > 0 && !ag_output_of(r, "base_x.acc"))) return false;
  if (!c->motors) find_motors(c, &qp->problem);
  double *vdot = c->v[0];
  ag_arena own = {0};
  const bool singular = (r->status & AG_BIT_SINGULAR) != 0;
  const double *left = singular ? left_of(c, r, &qp->problem, &own) : NULL;
  ag_reference_outputs(robot, r, "base_0.acc", "qdd_0", vdot);
  check_rows(c, r, -1, vdot, left, coarse);
  for (int i = 0; i < c->nmotors; i++) {
    const double *base = added(r, "base_x.acc", i, robot->nbase),
                 *joints = added(r, "qdd_x", i, c->header->njoints);
    ag_reference_join(robot, base, joints, vdot);
    check_torque(c, r, i, vdot, coarse);
    check_rows(c, r, i, vdot, left, coarse);
    check_gauss(c, r, i, vdot, coarse);
  }
  if (c->header->optimum.rubbing == 0) /* else there are unknowns and rows of friction, too */
    ag_check_stated(c, r, c->optimum);
  const bool judged = !singular || left;
  ag_arena_free(&own);
  return judged;
}
