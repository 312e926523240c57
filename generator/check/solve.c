/* SPDX-License-Identifier: MIT */
/* solve.c: see solve.h */
#include "check/solve.h"

#include "check/by_motors.h"
#include "check/rows.h"

#include <math.h>
#include <string.h>

/* Shares of the base and of joints without a motor, 0 for the others. */
static void unactuated(const ag_checker *c, const ag_run *r, double *tau) {
  ag_reference_outputs(&c->robot, r, "base.wrench_ctrl", "", tau);
  for (int k = 0; k < r->graph->function->out.nquantities; k++) {
    const ag_quantity *q = &r->graph->function->out.quantities[k];
    if (strncmp(q->name, "tau_unactuated.", 15) != 0) continue;
    for (int j = 0; j < c->header->njoints; j++)
      if (strcmp(q->name + 15, c->header->joints[j].id) == 0)
        tau[c->robot.nbase + j] = r->out[q->first];
  }
}

static bool has_status(const ag_graph *p, unsigned bit) {
  const ag_way *way = &p->ways[AG_GENERAL];
  for (int k = 0; k < way->nstatus; k++)
    if (way->status[k].bit == bit) return true;
  return false;
}

bool ag_check_complete(const ag_checker *c, const ag_run *r) {
  return ag_output_of(r, "qdd") && ag_output_of(r, "tau_ctrl") &&
         (c->robot.nrows == 0 || ag_output_of(r, "nu"));
}

bool ag_check_rows_alone(const ag_checker *c) {
  bool weighted = false;
  for (int k = 0; k < c->robot.nrows; k++)
    weighted = weighted || ag_row_weighs(&c->header->rows[k]);
  return !weighted || ag_rows_first_physical(&c->robot) == c->robot.nrows;
}

bool ag_check_clamped(const ag_checker *c, const ag_run *r) {
  /* rows that motors alone realise ask for nothing that these cannot give */
  const unsigned less = c->header->by_motors ? 0 : AG_BIT_UNACTUATED;
  return has_status(r->graph, AG_BIT_SATURATED) && (r->status & (AG_BIT_SATURATED | less)) != 0;
}

bool ag_check_solved_again(const ag_checker *c, const ag_run *r) {
  return ag_rows_first_physical(&c->robot) < c->robot.nrows &&
         has_status(r->graph, AG_BIT_SATURATED);
}

typedef struct solution { /* of one run; vectors as the reference's */
  double *vdot, *tau_ctrl, *unactuated;
  const double *nu;
  double size;   /* of its torques */
  double larger; /* the same over the reference's */
} solution;

static solution solution_of(ag_checker *c, const ag_run *r) {
  solution s = {c->v[0], c->v[1], c->v[2], ag_output_of(r, "nu"), 0, 1};
  ag_reference_outputs(&c->robot, r, "base.acc", "qdd", s.vdot);
  ag_reference_outputs(&c->robot, r, "", "tau_ctrl", s.tau_ctrl);
  unactuated(c, r, s.unactuated);
  /* of these numbers, which may be far from the reference's where rows are close to dependent */
  const double own =
      ag_reference_size(&c->robot, s.vdot, s.tau_ctrl, s.nu) + ag_largest(s.unactuated, c->robot.n);
  const double others = c->robot.sizes.torque;
  s.size = fmax(others, own);
  if (others > 0) s.larger = s.size / others;
  return s;
}

/* M vdot + h - J^T f = tau_phys + friction + tau_ctrl + J^T A nu of physical rows; without
 * saturation also what the base and joints without a motor would have to give. */
static void check_motion(ag_checker *c, const ag_run *r, const solution *s, double allowed) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  double *given = c->v[3], *left = c->v[4];
  ag_reference_join(robot, NULL, ag_sampler_find(&robot->sampler, "tau_phys"), given);
  /* viscous friction, which acts in reference and program alike */
  const double *friction = ag_output_of(ag_reference_run(robot, "achd"), "tau_friction");
  for (int i = robot->nbase; friction && i < n; i++) given[i] += friction[i - robot->nbase];
  const bool saturates = has_status(r->graph, AG_BIT_SATURATED);
  const double *tau = ag_reference_torques(robot, s->vdot);
  for (int i = 0; i < n; i++) {
    left[i] = tau[i] - s->tau_ctrl[i] - given[i] - (saturates ? 0 : s->unactuated[i]);
    for (int k = 0; k < robot->nrows; k++)
      if (robot->rows[k].group->physical) left[i] -= robot->AJ[k * n + i] * s->nu[k];
  }
  ag_check_note(c, "achd", "M qdd + h - J^T f = tau + J^T A nu of physical rows",
                ag_check_ratio(ag_largest(left, n), s->size), allowed);
}

/* tau_ctrl and what no motor gives = tau_art + J^T A nu + J^T f of what is artificial. */
static void check_command(ag_checker *c, const ag_run *r, const solution *s, double allowed) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  double *demand = c->v[3], *left = c->v[4];
  ag_reference_join(robot, NULL, ag_sampler_find(&robot->sampler, "tau_art"), demand);
  ag_reference_wrenches(robot, false, demand, NULL);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < robot->nrows; k++)
      if (!robot->rows[k].group->physical) demand[i] += robot->AJ[k * n + i] * s->nu[k];
    left[i] = s->tau_ctrl[i] + s->unactuated[i] - demand[i];
  }
  /* what contacts carry among themselves cannot be distinguished from their forces */
  if (!(r->status & AG_BIT_SATURATED) && !c->header->by_motors)
    ag_check_note(c, "achd", "tau_ctrl = tau_art + J^T A nu + J^T f, artificial",
                  ag_check_ratio(ag_largest(left, n), s->size), allowed);
  if (!has_status(r->graph, AG_BIT_UNACTUATED)) return;
  const double most = ag_largest(s->unactuated, n);
  if (c->header->by_motors) { /* they never give what motors cannot */
    /* what motors do along a row is what is left of its column, whose digits are fewer by the root of its pivot */
    const double unit = 1e-4, pivot = c->least_pivot;
    const double few = pivot > 0 ? unit / sqrt(pivot) : 0;
    ag_check_note(c, "achd", "no share of what has no motor", ag_check_ratio(most, s->size),
                  allowed * (ag_by_motors_lost(robot) + few));
    return;
  }
  if (r->status & AG_BIT_UNACTUATED)
    ag_check_note(c, "achd", "UNACTUATED only where they cannot", most > 0 ? 0 : INFINITY, 0);
  else if (!(r->status & AG_BIT_SINGULAR)) /* nu of damped, dependent rows is rounding magnified */
    ag_check_note(c, "achd", "without UNACTUATED the motors can give it all",
                  ag_check_ratio(most, s->size), allowed);
}

/* left: NULL, or as for ag_check_dependent. */
static void check_rows(ag_checker *c, const ag_run *r, const solution *s, const double *left,
                       double allowed) {
  const ag_reference *robot = &c->robot;
  const double *b = ag_sampler_find(&robot->sampler, "b");
  for (int k = 0; k < robot->nrows; k++) {
    const ag_placed_row *row = &robot->rows[k];
    double a = robot->drift[k] - b[k] - robot->yield[k];
    double terms = robot->drift_size[k] + robot->yield_size[k] + fabs(b[k]);
    for (int j = 0; j < robot->n; j++) {
      a += robot->AJ[k * robot->n + j] * s->vdot[j];
      terms += fabs(robot->AJ[k * robot->n + j]) * robot->reach[j] * s->larger;
    }
    const double own = ag_rows_compliance(robot, k);
    const double compliance = left && !isnan(left[k]) ? own + left[k] : own;
    a += compliance * s->nu[k];
    terms += fabs(compliance * s->nu[k]);
    const char *what = left      ? "A^T (J qdd + J-dot q-dot) = b - damping nu, dependent rows"
                       : row->to ? "A^T (J qdd + J-dot q-dot) = b, ties"
                       : ag_row_weighs(&c->header->rows[k])
                           ? "A^T (J qdd + J-dot q-dot) = b, rows that weigh drivers"
                       : row->group->yields ? "A^T (J qdd + J-dot q-dot) = b, rows that yield"
                       : compliance > 0     ? "A^T (J qdd + J-dot q-dot) = b - c nu, soft rows"
                                            : "A^T (J qdd + J-dot q-dot) = b";
    if (left && isnan(left[k]))
      ag_check_note(c, "achd", "nu of rows that are left out", fabs(s->nu[k]), 0);
    else if (!ag_rows_in_force(robot, k))
      ag_check_note(c, "achd", "nu of masked rows", fabs(s->nu[k]), 0);
    else if (!ag_check_clamped(c, r) || row->group->physical)
      ag_check_note(c, "achd", what, ag_check_ratio(a, terms), allowed);
  }
}

void ag_check_solve(ag_checker *c, const ag_run *r, double coarse) {
  ag_check_note(c, "achd", "finite and positive",
                (r->status & (AG_BIT_NOT_FINITE | AG_BIT_NOT_POSITIVE)) != 0, 0);
  const double allowed = AG_CHECK_BALANCE * coarse;
  const solution s = solution_of(c, r);
  check_motion(c, r, &s, allowed);
  check_command(c, r, &s, allowed);
  if (!(r->status & AG_BIT_SINGULAR)) check_rows(c, r, &s, NULL, allowed);
}

void ag_check_dependent(ag_checker *c, const ag_run *r, const double *left, double coarse) {
  if (ag_check_clamped(c, r) || ag_check_solved_again(c, r)) return;
  const solution s = solution_of(c, r);
  check_rows(c, r, &s, left, AG_CHECK_BALANCE * coarse);
}

/* The shares of an output add up to it. prefix: of the shares' names. */
static void check_sum(ag_checker *c, const ag_run *r, const char *name, const char *prefix,
                      double allowed) {
  const double *whole = ag_output_of(r, name);
  if (!whole) return;
  const int size = ag_quantity_of(&r->graph->function->out, name)->size;
  double worst = 0, largest = 0;
  bool any = false;
  for (int i = 0; i < size; i++) {
    double sum = -whole[i], terms = fabs(whole[i]);
    for (int k = 0; k < r->graph->function->out.nquantities; k++) {
      const ag_quantity *q = &r->graph->function->out.quantities[k];
      if (strncmp(q->name, prefix, strlen(prefix)) != 0) continue;
      any = true;
      sum += r->out[q->first + i];
      terms += fabs(r->out[q->first + i]);
    }
    worst = fmax(worst, fabs(sum));
    largest = fmax(largest, terms);
  }
  if (!any) return;
  char what[80];
  snprintf(what, sizeof what, "contributions add up to %s", name);
  ag_check_note(c, "achd", what, ag_check_ratio(worst, largest / ag_check_pivot(c, r)), allowed);
}

void ag_check_contributions(ag_checker *c, const ag_run *r, double coarse) {
  if (ag_check_clamped(c, r)) return;
  /* float leaves nothing of the torques of rows this close to dependent */
  if (c->single && c->robot.pivot < AG_CHECK_LEAST_PIVOT(true)) return;
  static const char *const shares[][2] = {{"qdd", "qdd_of."},
                                          {"base.acc", "base_acc_of."},
                                          {"nu", "nu_of."},
                                          {"tau_ctrl", "tau_ctrl_of."}};
  for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
    check_sum(c, r, shares[k][0], shares[k][1], AG_CHECK_SAME * coarse);
}

/* Of the square of a column, what must be left of it for it to be held clearly. */
static const double clearly_held = 1e-4;

/* Whether the contacts in force hold the freedoms, each clearly: Gram and Schmidt on the columns of the
 * rows' J for these, scaled by L_kk. */
static bool contacts_hold(const ag_checker *c, const int *idle, int count) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n, m = robot->nrows;
  double B[AG_MOST_IDLE][AG_MOST_IDLE] = {{0}}, whole[AG_MOST_IDLE]; /* B^T W B */
  for (int k = 0; k < m; k++) {
    const double *J = robot->AJ + (size_t)k * (size_t)n;
    if (!ag_rows_in_force(robot, k) || !robot->rows[k].group->physical) continue;
    const double L = ag_rows_caused(robot, k, J, NULL);
    for (int a = 0; a < count && L > 0; a++)
      for (int b = 0; b < count; b++) B[a][b] += J[idle[a]] * J[idle[b]] / L;
  }
  for (int a = 0; a < count; a++) whole[a] = B[a][a];
  for (int a = 0; a < count; a++) {
    if (!(B[a][a] > clearly_held * whole[a])) return false;
    for (int b = a + 1; b < count; b++)
      for (int d = a + 1; d < count; d++) B[b][d] -= B[b][a] * B[a][d] / B[a][a];
  }
  return count > 0;
}

void ag_check_motors(ag_checker *c, const ag_run *r, const double *numbers, const double *typical) {
  static const char *const outputs[] = {"qdd", "nu", "tau_ctrl"};
  int idle[AG_MOST_IDLE + 1];
  const int count = ag_idle_freedoms(&c->robot, idle);
  if (count > AG_MOST_IDLE || !contacts_hold(c, idle, count)) return;
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
    const ag_quantity *q = ag_quantity_of(&r->graph->function->out, outputs[k]);
    double apart = 0, whole = 0;
    for (int i = 0; q && i < q->size; i++) {
      const double x = r->out[q->first + i], y = numbers[q->first + i];
      apart = fmax(apart, fabs(x - y)), whole += y * y;
    }
    if (!q) continue;
    char what[80];
    snprintf(what, sizeof what, "motors alone, contacts hold: digits of %s", outputs[k]);
    ag_check_note(
        c, "achd", what,
        ag_check_ratio(apart, sqrt(whole) + typical[q - r->graph->function->out.quantities]),
        AG_CHECK_MOTORS);
  }
}

/* ---- the operational space ---- */

/* Element (i, j) of a symmetric matrix of which the lower triangle is packed by rows. */
static double packed(const double *L, int i, int j) {
  return i > j ? L[i * (i + 1) / 2 + j] : L[j * (j + 1) / 2 + i];
}

void ag_check_operational_space(ag_checker *c, const ag_run *run, double coarse) {
  const ag_reference *r = &c->robot;
  const int n = r->n, m = r->nrows;
  const double *inverse = ag_output_of(run, "Lambda_inv"), *Lambda = ag_output_of(run, "Lambda"),
               *Jbar = ag_output_of(run, "Jbar"), *mu = ag_output_of(run, "mu"),
               *p = ag_output_of(run, "p"), allowed = AG_CHECK_BALANCE * coarse;
  double *forces = c->v[0], *term = c->v[1],
         *seen = ag_alloc(c->arena, (size_t)(2 * m + 1) * sizeof *seen);
  ag_reference_outputs(r, ag_reference_run(r, "bias"), "base.wrench", "tau", forces);
  ag_reference_outputs(r, ag_reference_run(r, "gravity"), "base.wrench", "tau", term);
  for (int i = 0; i < n; i++) forces[i] += term[i];
  /* levers in J can be as long as the robot, and cancel, be it to nothing */
  const double lever = fmax(1, r->measures.length), least = lever * ag_largest(r->inverse, n * n),
               stiffest = ag_largest(Lambda, m * (m + 1) / 2);
  for (int k = 0; k < m; k++) {
    double size;
    for (int j = 0; j <= k; j++) {
      const double by_M = ag_rows_caused(r, k, r->AJ + (size_t)j * (size_t)n, &size);
      ag_check_note(c, "osim", "Lambda^-1 = J M^-1 J^T",
                    ag_check_ratio(packed(inverse, k, j) - by_M, size + lever * least), allowed);
    }
    seen[k] = ag_rows_caused(r, k, forces, &size) - r->drift[k];
    seen[m + k] = size + fabs(r->drift_size[k]);
  }
  for (int k = 0; k < m; k++) {
    double sum = mu[k] + p[k], size = fabs(mu[k]) + fabs(p[k]);
    for (int j = 0; j < m; j++) {
      sum -= packed(Lambda, k, j) * seen[j];
      size += fabs(packed(Lambda, k, j)) * seen[m + j];
    }
    ag_check_note(c, "osim", "mu + p = Lambda (J M^-1 (bias + gravity) - J-dot qd)",
                  ag_check_ratio(sum, size), allowed / r->pivot);
    for (int i = 0; i < n; i++) {
      double apart = Jbar[i * m + k], terms = fabs(apart) + least * stiffest;
      for (int j = 0; j < m; j++)
        for (int l = 0; l < n; l++) {
          const double x = r->inverse[i * n + l] * r->AJ[j * n + l] * packed(Lambda, j, k);
          apart -= x;
          terms += fabs(x);
        }
      ag_check_note(c, "osim", "Jbar = M^-1 J^T Lambda", ag_check_ratio(apart, terms), allowed);
    }
  }
}
