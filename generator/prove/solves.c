/* SPDX-License-Identifier: MIT */
/* solves.c: see solves.h */
#include "prove/solves.h"

#include "prove/bounds.h"
#include "prove/demands.h"
#include "prove/drivers.h"
#include "prove/early.h"
#include "prove/motors.h"
#include "prove/pivots.h"
#include "prove/saturation.h"

#include <math.h>
#include <string.h>

typedef struct solve {
  ag_definition *d;
  const ag_robot *r;
  int n, nb, nj, m, nframe;
  ag_number *W;           /* M^-1 */
  ag_demand *rows;        /* m, of groups first */
  const ag_demand **list; /* the same, by address */
  ag_number
      *asked; /* by row: b, what artificial wrenches alone cause where it yields, what passes */
  ag_passing passing; /* of the drivers that rows weigh */
  /* by coordinate: J^T of artificial wrenches; these and tau_art; the torques that act besides; all
     others: physical wrenches less the bias; and everything */
  ag_number *from_wrenches, *own, *acting, *physical, *all;
  const ag_motors *motors; /* that alone realise what is artificial; NULL: every freedom does */
  ag_number *taken;        /* m x m: what rows see of the motion that these take out */
  const ag_number
      *clamped; /* by motor: torques within limits; NULL: there are none of several joints */
} solve;

static ag_number *sum(const solve *s, const ag_number *a, const ag_number *b) {
  ag_number *x = ag_numbers(s->d, s->n);
  for (int c = 0; c < s->n; c++) x[c] = ag_number_add(a[c], b[c]);
  return x;
}

/* Along row j: J M^-1 of forces. */
static ag_number along(const solve *s, int j, const ag_number *forces) {
  return ag_demand_caused(s->r, s->W, &s->rows[j], forces);
}

static void find_forces(solve *s) {
  const ag_number *phys = ag_point_find(s->r->point, "tau_phys"),
                  *art = ag_point_find(s->r->point, "tau_art");
  ag_number *bias = ag_numbers(s->d, s->n);
  s->from_wrenches = ag_numbers(s->d, s->n);
  s->acting = ag_numbers(s->d, s->n);
  s->physical = ag_numbers(s->d, s->n);
  ag_define_wrenches(s->d, false, s->from_wrenches);
  ag_define_wrenches(s->d, true, s->physical);
  ag_robot_forces(s->r, NULL, s->r->gravity, bias);
  for (int c = 0; c < s->n; c++) s->physical[c] = ag_number_sub(s->physical[c], bias[c]);
  s->own = sum(s, s->from_wrenches, ag_numbers(s->d, s->n));
  for (int j = 0; j < s->nj; j++) {
    const ag_number mine = ag_driver_viscous(s->r, j, s->r->qd);
    s->acting[s->nb + j] = ag_number_sub(phys ? phys[j] : ag_zero, mine);
    if (art) s->own[s->nb + j] = ag_number_add(s->own[s->nb + j], art[j]);
  }
  s->all = sum(s, sum(s, s->own, s->acting), s->physical);
}

static solve solve_of(ag_definition *d) {
  const ag_robot *r = d->robot;
  solve s = {.d = d, .r = r, .n = r->n, .nb = r->problem->nbase, .nj = r->problem->njoints};
  s.W = ag_numbers(d, s.n * s.n);
  d->singular = !ag_dense_inverse(r->M, s.n, s.W, d->arena);
  find_forces(&s);
  s.rows = ag_demands_at(r, &s.m, &s.nframe);
  s.list = ag_alloc(d->arena, (size_t)(s.m + 1) * sizeof *s.list);
  s.asked = ag_numbers(d, s.m);
  s.passing = ag_passing_of(d, s.W, s.rows, s.m);
  for (int j = 0; j < s.m; j++) {
    s.list[j] = &s.rows[j];
    s.asked[j] = ag_number_add(s.rows[j].b, ag_passes(&s.passing, j, NULL));
    if (s.rows[j].group && s.rows[j].group->yields)
      s.asked[j] = ag_number_add(s.asked[j], along(&s, j, s.from_wrenches));
  }
  return s;
}

/* Forces and J^T nu of the rows. */
static ag_number *pushed(const solve *s, const ag_number *forces, const ag_demand *const *rows,
                         int m, const ag_number *nu) {
  ag_number *x = sum(s, forces, ag_numbers(s->d, s->n));
  for (int j = 0; j < m; j++) ag_dense_add_transposed(rows[j]->J, 1, s->n, &nu[j], x);
  return x;
}

static ag_number *accelerations(const solve *s, const ag_number *forces) {
  ag_number *qdd = ag_numbers(s->d, s->n);
  ag_dense_times(s->W, s->n, s->n, forces, qdd);
  return qdd;
}

/* What the artificial rows and `own` ask of the motors and of what has none. */
static ag_number *demanded(const solve *s, const ag_number *own, const ag_number *nu) {
  ag_number *x = sum(s, own, ag_numbers(s->d, s->n));
  for (int j = 0; j < s->m; j++)
    if (!s->rows[j].physical) ag_dense_add_transposed(s->rows[j].J, 1, s->n, &nu[j], x);
  return x;
}

static ag_number *of_motors(const solve *s, const ag_number *demand) {
  ag_number *tau = ag_numbers(s->d, s->nj);
  for (int j = 0; j < s->nj; j++)
    if (!s->r->problem->passive[j]) tau[j] = demand[s->nb + j];
  return tau;
}

static ag_number seen(const solve *s, int j, const ag_number *w) {
  ag_number x;
  ag_dense_times(s->rows[j].J, 1, s->n, w, &x);
  return s->rows[j].physical ? ag_zero : x;
}

static void find_motors(solve *s) {
  ag_number *compliance = ag_numbers(s->d, s->m), *w = ag_numbers(s->d, s->n),
            *mu = ag_numbers(s->d, s->m);
  for (int j = 0; j < s->m; j++) compliance[j] = along(s, j, s->rows[j].J);
  s->motors = ag_motors_of(s->r, s->rows, s->m, compliance);
  if (!s->motors) return;
  s->d->borderline = s->d->borderline || s->motors->borderline;
  s->taken = ag_numbers(s->d, s->m * s->m);
  for (int l = 0; l < s->m; l++) {
    ag_motors_answer(s->motors, s->rows[l].J, w, mu);
    for (int j = 0; j < s->m && !s->rows[l].physical; j++) s->taken[j * s->m + l] = seen(s, j, w);
  }
}

typedef struct outcome { /* forces of the rows; what they and `own` ask of the freedoms; motion */
  ag_number *nu, *demand, *qdd;
} outcome;

/* Of the solve with right side r, in which `forces` act, `own` of them through the motors. With motors
 * alone: contacts carry mu, f = load + J_c^T mu + M w, and w comes on top of the motion. */
static outcome outcome_of(const solve *s, const ag_system *system, ag_number *r,
                          const ag_number *forces, const ag_number *own) {
  outcome o = {.nu = ag_numbers(s->d, s->m)};
  ag_number *w = ag_numbers(s->d, s->n), *mu = ag_numbers(s->d, s->m);
  if (s->motors) ag_motors_answer(s->motors, own, w, mu);
  for (int j = 0; j < s->m; j++) r[j] = ag_number_sub(r[j], seen(s, j, w));
  ag_system_solve(system, r, o.nu);
  o.demand = demanded(s, own, o.nu);
  o.qdd = accelerations(s, pushed(s, forces, s->list, s->m, o.nu));
  if (!s->motors) return o;
  ag_motors_answer(s->motors, o.demand, w, mu);
  for (int j = 0; j < s->m; j++) {
    ag_dense_add_transposed(s->rows[j].J, 1, s->n, &mu[j], o.demand);
    o.nu[j] = ag_number_sub(o.nu[j], mu[j]);
  }
  ag_dense_add_transposed(s->r->M, s->n, s->n, w, o.demand);
  for (int c = 0; c < s->n; c++) o.qdd[c] = ag_number_add(o.qdd[c], w[c]);
  return o;
}

/* "acc.tool" and "_0": "acc_0.tool" */
static const char *called(const solve *s, const char *name, const char *suffix) {
  const char *dot = strchr(name, '.');
  const int stem = dot ? (int)(dot - name) : (int)strlen(name);
  return ag_printf(s->d->arena, "%.*s%s%s", stem, name, suffix, name + stem);
}

static void put(const solve *s, const char *name, const char *suffix, const ag_number *x, int n) {
  ag_define_output(s->d, called(s, name, suffix), x, n);
}

/* The torques to command, for `count` causes, and those of the motors. */
static void put_commands(const solve *s, const char *suffix, const ag_number *tau, int count) {
  const int motors = s->r->problem->ngears;
  ag_number *list = ag_numbers(s->d, motors * count);
  for (int k = 0; k < count && motors > 0; k++)
    memcpy(list + (ptrdiff_t)k * motors, ag_motor_torques(s->d, tau + (ptrdiff_t)k * s->nj),
           (size_t)motors * sizeof *list);
  for (int m = 0; s->clamped && m < motors; m++)
    if (s->r->problem->gears[m].beside) list[m] = s->clamped[m];
  put(s, "tau_ctrl", suffix, tau, s->nj * count);
  put(s, "tau_motor", suffix, list, motors * count);
}

/* What no motor gives. */
static void put_unactuated(const solve *s, const char *suffix, const ag_number *demand) {
  put(s, "base.wrench_ctrl", suffix, demand, s->nb);
  for (int j = 0; j < s->nj; j++)
    put(s, ag_printf(s->d->arena, "tau_unactuated.%s", s->r->point->header->joints[j].id), suffix,
        demand + s->nb + j, 1);
}

/* D of the joints: the articulated inertias, what is left of M when the joints beyond are free; and
 * what is left of forces. */
static void articulated(const solve *s, ag_number *D, ag_number *forces) {
  ag_dense_eliminate(s->r->M, s->n, D, forces, s->d->arena);
}

/* Algorithm 2's torques, for comparison: D qdd; and K nu, K projected through the joints beyond. */
static void put_comparisons(const solve *s, const char *suffix, const ag_number *qdd,
                            const ag_number *nu) {
  ag_number *D = ag_numbers(s->d, s->n), *total = ag_numbers(s->d, s->nj),
            *K = pushed(s, ag_numbers(s->d, s->n), s->list, s->m, nu);
  articulated(s, D, K);
  for (int j = 0; j < s->nj; j++) total[j] = ag_number_mul(D[s->nb + j], qdd[s->nb + j]);
  put(s, "tau_total", suffix, total, s->nj);
  put(s, "tau_apparent", suffix, K + s->nb, s->nj);
}

/* friction: by joint, of its row; NULL: none has one */
static void put_motion(const solve *s, const char *suffix, const ag_number *qdd,
                       const ag_number *friction) {
  ag_number *tau = ag_numbers(s->d, s->nj);
  for (int j = 0; j < s->nj; j++) {
    tau[j] = ag_number_neg(ag_driver_viscous(s->r, j, s->r->qd));
    if (friction) tau[j] = ag_number_add(tau[j], friction[j]);
  }
  put(s, "tau_friction", suffix, tau, s->nj);
  put(s, "qdd", suffix, qdd + s->nb, s->nj);
  put(s, "base.acc", suffix, qdd, s->nb);
}

/* The outputs of frames have definitions of their own names: these are renamed. */
static void put_frames(const solve *s, const char *suffix, const ag_number *qdd) {
  const int first = s->d->noutputs;
  ag_define_frames(s->d);
  ag_define_accelerations(s->d, "acc.", s->r->problem->spatial_acc, qdd);
  for (int k = first; k < s->d->noutputs; k++)
    s->d->outputs[k].name = called(s, s->d->outputs[k].name, suffix);
}

static void put_residual(const solve *s, const ag_number *qdd) {
  ag_number *x = ag_numbers(s->d, s->m);
  for (int j = 0; j < s->m; j++)
    x[j] = ag_number_sub(ag_demand_seen(s->r, &s->rows[j], qdd), s->asked[j]);
  put(s, "residual", "", x, s->m);
}

/* ---- achd ---- */

/* r_j = asked_j - drift_j - J_j M^-1 forces */
static ag_number *right_side(const solve *s, const ag_demand *const *rows, int m,
                             const ag_number *forces) {
  ag_number *r = ag_numbers(s->d, m);
  for (int j = 0; j < m; j++) {
    const int at = (int)(rows[j] - s->rows);
    r[j] = ag_number_sub(ag_number_sub(s->asked[at], rows[j]->drift), along(s, at, forces));
  }
  return r;
}

static void note(solve *s, const ag_system *system) {
  s->d->borderline = s->d->borderline || system->borderline;
  s->d->close = s->d->close || system->close;
  s->d->acted = s->d->acted || system->acted;
  s->d->moved = s->d->moved || system->moved;
}

/* The clamped torques in place of the demanded ones, the physical rows solved again; returns the
 * accelerations, and puts the forces of those rows into nu. */
static ag_number *saturated(solve *s, ag_number *tau, ag_number *nu) {
  ag_number *applied = sum(s, s->acting, s->physical), *part = ag_numbers(s->d, s->m);
  const ag_demand **rows = ag_alloc(s->d->arena, (size_t)(s->m + 1) * sizeof *rows);
  int m = 0;
  s->clamped = ag_clamp(s->d, tau);
  for (int j = 0; j < s->nj; j++) applied[s->nb + j] = ag_number_add(applied[s->nb + j], tau[j]);
  for (int j = 0; j < s->m; j++)
    if (s->rows[j].physical) rows[m++] = &s->rows[j];
  const ag_system again = ag_system_of(s->r, s->W, rows, m, NULL);
  note(s, &again);
  ag_system_solve(&again, right_side(s, rows, m, applied), part);
  for (int j = 0; j < m; j++) nu[rows[j] - s->rows] = part[j];
  return accelerations(s, pushed(s, applied, rows, m, part));
}

/* One cause of the motion: forces, those of them that the motors give, and what it asks of the rows. */
typedef struct cause {
  const char *name;
  const ag_number *forces, *own, *target;
  bool artificial;        /* a wrench, which rows that yield let through */
  const char *drivers[3]; /* that rows with weights let pass; NULL: no more */
} cause;

/* The share of one cause. */
static void put_share(solve *s, const ag_system *system, const cause *of) {
  const ag_number *target = of->target;
  ag_number *r = ag_numbers(s->d, s->m);
  for (int j = 0; j < s->m; j++) {
    const ag_number x = along(s, j, of->forces);
    const bool yields = of->artificial && s->rows[j].group->yields;
    r[j] = yields ? target[j] : ag_number_sub(target[j], x);
    for (int k = 0; k < 3 && of->drivers[k]; k++)
      r[j] = ag_number_add(r[j], ag_passes(&s->passing, j, of->drivers[k]));
  }
  const outcome o = outcome_of(s, system, r, of->forces, of->own);
  const ag_number *tau = of_motors(s, o.demand);
  ag_define_output(s->d, ag_printf(s->d->arena, "qdd_of.%s", of->name), o.qdd + s->nb, s->nj);
  ag_define_output(s->d, ag_printf(s->d->arena, "base_acc_of.%s", of->name), o.qdd, s->nb);
  ag_define_output(s->d, ag_printf(s->d->arena, "nu_of.%s", of->name), o.nu, s->m);
  ag_define_output(s->d, ag_printf(s->d->arena, "tau_ctrl_of.%s", of->name), tau, s->nj);
}

static void put_shares(solve *s, const ag_system *system) {
  const ag_problem *p = s->r->problem;
  const ag_number *none = ag_numbers(s->d, s->n + s->m),
                  *art = ag_point_find(s->r->point, "tau_art");
  const ag_robot still = ag_robot_still(s->r);
  ag_number *gravity = ag_numbers(s->d, s->n), *velocity = ag_numbers(s->d, s->n),
            *drift = ag_numbers(s->d, s->m), *forward = ag_numbers(s->d, s->n);
  ag_robot_forces(&still, NULL, still.gravity, gravity);
  ag_robot_forces(s->r, NULL, ag_no_vec, velocity);
  for (int c = 0; c < s->n; c++) {
    gravity[c] = ag_number_neg(gravity[c]);
    velocity[c] = ag_number_neg(velocity[c]);
  }
  for (int j = 0; j < s->m; j++) drift[j] = ag_number_neg(s->rows[j].drift);
  for (int j = 0; art && j < s->nj; j++) forward[s->nb + j] = art[j];
  put_share(s, system, &(cause){"gravity", gravity, none, none, false, {0}});
  put_share(s, system, &(cause){"velocity", velocity, none, drift, false, {0}});
  const ag_number *applied = sum(s, forward, s->acting);
  put_share(
      s, system,
      &(cause){"feed_forward", applied, forward, none, false, {"tau_phys", "tau_art", "viscous"}});
  for (int k = 0; k < p->nwrenches; k++) {
    const ag_pusher *w = &p->wrenches[k];
    const ag_number *forces = ag_driver_wrench(s->d, k), *own = w->physical ? none : forces;
    put_share(s, system, &(cause){w->name, forces, own, none, !w->physical, {w->name}});
  }
  for (int g = 0; g < p->ngroups; g++) {
    ag_number *target = ag_numbers(s->d, s->m);
    for (int j = 0; j < s->m; j++)
      if (s->rows[j].group == &p->groups[g]) target[j] = s->rows[j].b;
    put_share(s, system, &(cause){p->groups[g].name, none, none, target, false, {0}});
  }
}

static bool all_in_force(const solve *s) {
  for (int j = 0; j < s->m; j++)
    if (s->rows[j].masked) return false;
  return true;
}

/* Whether pivot_min is of the equations that a null-space solve has: there are such, and all rows are in force. */
static bool by_equations(const solve *s) {
  return s->r->problem->equations && all_in_force(s);
}

static ag_number least_pivot(const solve *s, const ag_system *system) {
  if (s->m == 0) return ag_zero;
  ag_number least = system->pivot[0];
  ag_turns turns = {.so_far = 1, .all = s->m};
  for (int j = 1; j < s->m; j++) least = ag_smaller_pivot(s->r, system->pivot[j], least, &turns);
  return least;
}

/* The solve with b of the artificial rows in the share that the motors reach. */
static outcome scaled(solve *s, const ag_system *system) {
  ag_number *scale = ag_numbers(s->d, 1), *b = ag_numbers(s->d, s->m), share,
            *none = ag_numbers(s->d, s->n);
  ag_number *rest = right_side(s, s->list, s->m, s->all);
  for (int j = 0; j < s->m; j++) {
    if (s->rows[j].physical) continue;
    b[j] = s->rows[j].b;
    rest[j] = ag_number_sub(rest[j], b[j]);
  }
  outcome o = outcome_of(s, system, rest, s->all, s->own);
  const outcome whole = outcome_of(s, system, b, none, none);
  const bool found =
      ag_largest_share(s->d, of_motors(s, o.demand), of_motors(s, whole.demand), &share);
  *scale = found ? share : ag_zero;
  if (!found) share = ag_one;
  for (int j = 0; j < s->m; j++) o.nu[j] = ag_plus(o.nu[j], share, whole.nu[j]);
  for (int c = 0; c < s->n; c++) {
    o.demand[c] = ag_plus(o.demand[c], share, whole.demand[c]);
    o.qdd[c] = ag_plus(o.qdd[c], share, whole.qdd[c]);
  }
  put(s, "scale", "", scale, 1);
  return o;
}

void ag_define_solve(ag_definition *d) {
  solve s = solve_of(d);
  find_motors(&s);
  ag_number *least = ag_numbers(d, 1);
  ag_decisions *decisions = s.r->point->decisions;
  const bool equations = by_equations(&s);
  if (equations) *least = ag_least_pivot_of_equations(s.r, s.rows).pivot;
  const bool early = s.r->problem->sets->length > 0 && all_in_force(&s);
  if (early) *least = ag_ask_early(s.r, s.rows);
  /* no policy acts in the fast way */
  decisions->held = (equations || early) && s.r->problem->rows_first && !decisions->general;
  const ag_system system = ag_system_of(s.r, s.W, s.list, s.m, s.taken);
  decisions->held = false;
  note(&s, &system);
  if (s.passing.contacts.m > 0) note(&s, &s.passing.contacts);
  const outcome o = s.r->problem->scales
                        ? scaled(&s, &system)
                        : outcome_of(&s, &system, right_side(&s, s.list, s.m, s.all), s.all, s.own);
  const ag_number *demand = o.demand, *qdd = o.qdd;
  ag_number *nu = o.nu, *tau = of_motors(&s, demand);
  if (s.r->problem->saturate) qdd = saturated(&s, tau, nu);
  put_commands(&s, "", tau, 1);
  put(&s, "nu", "", nu, s.m);
  ag_define_gauss(d, "Z", qdd, s.all);
  put_motion(&s, "", qdd, NULL);
  put_comparisons(&s, "", qdd, nu);
  put_unactuated(&s, "", demand);
  put_frames(&s, "", qdd);
  put_residual(&s, qdd);
  if (!equations && !early) *least = least_pivot(&s, &system);
  d->truncated =
      !equations && !early && s.m > 1 && strcmp(s.r->problem->singularity, "truncate") == 0;
  put(&s, "pivot", "", system.pivot, s.m);
  put(&s, "pivot_min", "", least, 1);
  if (!d->singular) put_shares(&s, &system);
}

/* ---- bounded rows ---- */

/* What a unit of row j's force adds to outputs of `count` numbers: all of it, row by row. */
static ag_number *map_of(const solve *s, int count,
                         const ag_number *(*column)(const solve *, int)) {
  ag_number *x = ag_numbers(s->d, s->m * count);
  for (int j = 0; j < s->m; j++)
    memcpy(x + (size_t)j * (size_t)count, column(s, j), (size_t)count * sizeof *x);
  return x;
}

static const ag_number *added_qdd(const solve *s, int j) {
  return accelerations(s, s->rows[j].J);
}

static const ag_number *added_joints(const solve *s, int j) {
  return added_qdd(s, j) + s->nb;
}

static const ag_number *added_demand(const solve *s, int j) {
  return s->rows[j].physical ? ag_numbers(s->d, s->n) : s->rows[j].J;
}

static const ag_number *added_torques(const solve *s, int j) {
  return of_motors(s, added_demand(s, j));
}

static const ag_number *added_total(const solve *s, int j) {
  ag_number *D = ag_numbers(s->d, s->n), *x = ag_numbers(s->d, s->nj);
  const ag_number *qdd = added_qdd(s, j) + s->nb;
  articulated(s, D, NULL);
  for (int i = 0; i < s->nj; i++) x[i] = ag_number_mul(D[s->nb + i], qdd[i]);
  return x;
}

static const ag_number *added_apparent(const solve *s, int j) {
  ag_number *D = ag_numbers(s->d, s->n), *K = sum(s, s->rows[j].J, ag_numbers(s->d, s->n));
  articulated(s, D, K);
  return K + s->nb;
}

static const ag_number *added_friction(const solve *s, int j) {
  ag_number *x = ag_numbers(s->d, s->nj);
  const ag_demand *row = &s->rows[j];
  if (row->joints && row->joints->friction) memcpy(x, row->J + s->nb, (size_t)s->nj * sizeof *x);
  return x;
}

static void put_maps(const solve *s) {
  const ag_robot *r = s->r;
  put(s, "qdd", "_nu", map_of(s, s->nj, added_joints), s->m * s->nj);
  put_commands(s, "_nu", map_of(s, s->nj, added_torques), s->m);
  put(s, "tau_total", "_nu", map_of(s, s->nj, added_total), s->m * s->nj);
  put(s, "tau_apparent", "_nu", map_of(s, s->nj, added_apparent), s->m * s->nj);
  put(s, "tau_friction", "_nu", map_of(s, s->nj, added_friction), s->m * s->nj);
  put(s, "base.acc", "_nu", map_of(s, s->nb, added_qdd), s->m * s->nb);
  put(s, "base.wrench_ctrl", "_nu", map_of(s, s->nb, added_demand), s->m * s->nb);
  for (int i = 0; i < s->nj; i++) {
    ag_number *x = ag_numbers(s->d, s->m);
    for (int j = 0; j < s->m; j++) x[j] = added_demand(s, j)[s->nb + i];
    put(s, ag_printf(s->d->arena, "tau_unactuated.%s", r->point->header->joints[i].id), "_nu", x,
        s->m);
  }
  for (int k = 0; k < r->problem->nframes; k++) { /* of the acceleration J_f M^-1 J^T */
    const ag_site *f = &r->problem->frames[k];
    const ag_vec p = ag_robot_point(r, f);
    ag_number *x = ag_numbers(s->d, 6 * s->m);
    for (int j = 0; j < s->m; j++) {
      const ag_number *qdd = added_qdd(s, j);
      for (int c = 0; c < s->n; c++) {
        const ag_motion m = ag_robot_partial(r, f->body, p, c);
        for (int i = 0; i < 3; i++) {
          x[6 * j + i] = ag_plus(x[6 * j + i], m.lin.x[i], qdd[c]);
          x[6 * j + 3 + i] = ag_plus(x[6 * j + 3 + i], m.ang.x[i], qdd[c]);
        }
      }
    }
    put(s, ag_printf(s->d->arena, "acc.%s", f->id), "_nu", x, 6 * s->m);
  }
}

static ag_number size_of(const solve *s, ag_number x) {
  return ag_decide(s->r->point->decisions, x, ag_zero) ? ag_number_neg(x) : x;
}

/* How large forces without a motor can be: artificial wrenches at the robot's reach, and what is
 * commanded to joints that have none. */
static void put_forces(const solve *s) {
  const ag_problem *p = s->r->problem;
  const ag_number reach = ag_value_exact(p->value, "reach"),
                  *art = ag_point_find(s->r->point, "tau_art");
  ag_number *x = ag_numbers(s->d, 1);
  for (int k = 0; k < p->nwrenches; k++) {
    const ag_number *w = ag_point_find(s->r->point, p->wrenches[k].name);
    for (int i = 0; i < 6 && !p->wrenches[k].physical; i++)
      *x = ag_plus(*x, i < 3 ? reach : ag_one, size_of(s, w[i]));
  }
  for (int j = 0; art && j < s->nj; j++)
    if (p->passive[j]) *x = ag_number_add(*x, size_of(s, art[j]));
  put(s, "forces", "", x, 1);
}

void ag_define_problem(ag_definition *d) {
  solve s = solve_of(d);
  ag_number *lo = ag_numbers(d, s.m), *hi = ag_numbers(d, s.m), *L = ag_numbers(d, s.m * s.m),
            *none = ag_numbers(d, s.m), *soft = ag_numbers(d, s.m), *Z = ag_numbers(d, s.m);
  int count = 0;
  for (int j = s.nframe; j < s.m; j++) s.asked[j] = ag_joint_set_point(s.r, &s.rows[j]);
  const ag_system system = ag_system_of(s.r, s.W, s.list, s.m, NULL);
  d->close = system.close;
  for (int j = 0; j < s.m; j++)
    for (int k = 0; k <= j; k++) L[count++] = system.L[j * s.m + k];
  put(&s, "L", "", L, count);
  put(&s, "r", "", right_side(&s, s.list, s.m, s.all), s.m);
  ag_bounds_at(d, s.rows, s.m, lo, hi);
  for (int j = 0; j < s.m; j++) {
    const bool reached = j >= s.nframe || ag_demand_in_reach(s.r, &s.rows[j], system.own[j]);
    if (reached && !s.rows[j].masked) continue;
    lo[j] = hi[j] = ag_zero;
  }
  put(&s, "lo", "", lo, s.m);
  put(&s, "hi", "", hi, s.m);
  for (int j = 0; j < s.m; j++) soft[j] = s.rows[j].compliance;
  put(&s, "compliance", "", soft, s.m);
  const ag_value *weight = ag_value_item(s.r->problem->value, "torque_weight");
  ag_number *weights = ag_numbers(d, s.nj);
  for (int j = 0; weight && j < s.nj; j++) weights[j] = ag_value_at(weight, j);
  put(&s, "torque_weight", "", weights, s.nj);
  put_forces(&s);
  const ag_number *qdd = accelerations(&s, s.all);
  ag_define_gauss(d, "Z_0", qdd, s.all);
  put_commands(&s, "_0", of_motors(&s, s.own), 1);
  put_motion(&s, "_0", qdd, NULL);
  put_comparisons(&s, "_0", qdd, none);
  put(&s, "tau_apparent", "_0", ag_numbers(d, s.nj), s.nj);
  put_unactuated(&s, "_0", s.own);
  put_frames(&s, "_0", qdd);
  for (int j = s.nframe; j < s.m; j++)
    if (s.rows[j].joints->friction) Z[j] = ag_number_neg(along(&s, j, s.all));
  put(&s, "Z", "_nu", Z, s.m);
  put_maps(&s);
}

void ag_define_applied(ag_definition *d) {
  solve s = solve_of(d);
  const ag_number *nu = ag_point_find(s.r->point, "nu");
  for (int j = s.nframe; j < s.m; j++) s.asked[j] = ag_joint_set_point(s.r, &s.rows[j]);
  const ag_number *demand = demanded(&s, s.own, nu);
  const ag_number *qdd = accelerations(&s, pushed(&s, s.all, s.list, s.m, nu));
  ag_number *friction = ag_numbers(d, s.n) + s.nb;
  for (int j = s.nframe; j < s.m; j++)
    for (int i = 0; s.rows[j].joints->friction && i < s.nj; i++)
      friction[i] = ag_plus(friction[i], s.rows[j].J[s.nb + i], nu[j]);
  ag_define_gauss(d, "Z", qdd, sum(&s, s.all, friction - s.nb));
  put(&s, "nu", "", nu, s.m);
  put_commands(&s, "", of_motors(&s, demand), 1);
  put_motion(&s, "", qdd, friction);
  put_comparisons(&s, "", qdd, nu);
  put_unactuated(&s, "", demand);
  put_frames(&s, "", qdd);
  put_residual(&s, qdd);
}
