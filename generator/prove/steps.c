/* SPDX-License-Identifier: MIT */
/* steps.c: see steps.h */
#include "prove/steps.h"

#include "prove/dense.h"
#include "prove/drivers.h"

#include <string.h>

/* The period of a step [s]. */
static ag_number period_of(const ag_robot *r) {
  const ag_number *given = ag_point_find(r->point, "time_step");
  return given ? *given : ag_value_exact(ag_value_list(r->problem->value, "step"), "time_step");
}

/* W = (M + h D)^-1; returns v* = v + h W (tau - D v + J^T f - c), f the physical wrenches. */
static ag_number *free_velocities(ag_definition *d, ag_number h, ag_number *W) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase;
  const ag_number *tau = ag_point_find(r->point, "tau");
  ag_number *bias = ag_numbers(d, n), *left = ag_numbers(d, n), *v = ag_numbers(d, n),
            *M = ag_numbers(d, n * n), *unit = ag_numbers(d, n);
  memcpy(M, r->M, (size_t)(n * n) * sizeof *M);
  ag_robot_forces(r, NULL, r->gravity, bias);
  ag_define_wrenches(d, true, left);
  for (int c = 0; c < n; c++) left[c] = ag_number_sub(left[c], bias[c]);
  for (int j = 0, c = nb; j < r->problem->njoints; j++, c++) {
    left[c] = ag_number_add(left[c], ag_number_sub(tau[j], ag_driver_viscous(r, j, r->qd)));
    memset(unit, 0, (size_t)n * sizeof *unit);
    unit[c] = h;
    for (int i = 0; i < r->problem->njoints; i++)
      M[(nb + i) * n + c] = ag_number_add(M[(nb + i) * n + c], ag_driver_viscous(r, i, unit));
  }
  d->singular = !ag_dense_inverse(M, n, W, d->arena);
  ag_dense_times(W, n, n, left, v);
  for (int c = 0; c < n; c++) v[c] = ag_plus(r->qd[c], h, v[c]);
  return v;
}

/* Where a step with velocities v at its end leads: positions plus h v; how a floating base and balls are turned has no
 * definition here. */
static void define_end(ag_definition *d, ag_number h, const ag_number *v) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase;
  const ag_number *q = ag_point_find(r->point, "q");
  ag_number *x = ag_numbers(d, n);
  for (int c = 0; c < n; c++) x[c] = ag_number_mul(h, v[c]);
  ag_define_by_coordinate(d, "base_next.twist", "qd_next", v);
  for (int j = 0; j < n - nb; j++) x[nb + j] = ag_number_add(q[j], x[nb + j]);
  bool balls = false;
  for (int i = 1; i <= r->problem->nbodies; i++) balls = balls || r->problem->bodies[i].ball;
  if (!balls) ag_define_output(d, "q_next", x + nb, n - nb);
  const char *const from[] = {"base.x", "base.y", "base.yaw"}, *const to[] = {"base_next.x",
                                                                              "base_next.y",
                                                                              "base_next.yaw"};
  for (int c = 0; nb == 3 && c < 3; c++) {
    x[c] = ag_number_add(*ag_point_find(r->point, from[c]), x[c]);
    if (c == 2) x[c].rate = ag_residue_add(x[c].rate, r->point->turn[2]);
    ag_define_output(d, to[c], x + c, 1);
  }
  if (nb != 6) return;
  for (int c = 0; c < 3; c++)
    x[c] = ag_number_add(ag_point_find(r->point, "base.position")[c], x[c]);
  ag_define_output(d, "base_next.position", x, 3);
}

/* (M + h D) (v+ - v) = h (tau - D v + J^T f - c) */
void ag_define_step(ag_definition *d) {
  const ag_robot *r = d->robot;
  const ag_number h = period_of(r);
  if (!ag_value_boolean(ag_value_list(r->problem->value, "step"), "simple")) return;
  define_end(d, h, free_velocities(d, h, ag_numbers(d, r->n * r->n)));
}

/* ---- contacts, limits and dry friction ---- */

typedef struct rows {
  int m, ncontacts, nbox;
  ag_number *J, *gap, *axes, *mu, *box; /* J: m rows of the velocities of coordinates */
} rows;

/* An input of a contact. */
static const ag_number *given_of(const ag_definition *d, const ag_value *contact,
                                 const char *word) {
  const char *name = ag_printf(d->arena, "contact.%s.%s", ag_value_text(contact, "name"), word);
  return ag_point_find(d->robot->point, name);
}

/* n, and what the shortest turn from the axis z, or from -z where n is below the horizon, to n makes of the axis x, and
 * n times that. */
static void axes_of(ag_decisions *decisions, ag_vec n, ag_vec axes[3]) {
  const bool below = ag_decide(decisions, n.x[2], ag_zero);
  const ag_vec from = ag_vec_scale(ag_number_of(below ? -1 : 1), ag_unit(2)),
               v = ag_vec_cross(from, n), x = ag_unit(0), turned = ag_vec_cross(v, x);
  const ag_number share = ag_number_div(ag_one, ag_number_add(ag_one, ag_dot(from, n)));
  axes[0] = n;
  axes[1] = ag_vec_add(ag_vec_add(x, turned), ag_vec_scale(share, ag_vec_cross(v, turned)));
  axes[2] = ag_vec_cross(n, axes[1]);
}

/* Of the lowest point of a sphere, or of a point, above a plane n . x = distance of the world. */
static void add_contact(const ag_definition *d, const ag_value *contact, ag_number h, rows *to) {
  const ag_robot *r = d->robot;
  const ag_number *normal = given_of(d, contact, "normal");
  const ag_vec n = {{normal[0], normal[1], normal[2]}};
  ag_site site = ag_site_of(ag_value_list(contact, "frame"));
  site.place.p = ag_exact_pose_point(&site.place, ag_vec_of(ag_value_list(contact, "at")));
  const ag_vec centre = ag_robot_point(r, &site),
               p = ag_vec_sub(centre, ag_vec_scale(ag_value_exact(contact, "radius"), n));
  const char *const planar[] = {"base.x", "base.y"};
  ag_vec world = p, axes[3];
  for (int k = 0; r->problem->nbase == 3 && k < 2; k++)
    world.x[k] = ag_number_add(world.x[k], *ag_point_find(r->point, planar[k]));
  for (int k = 0; r->problem->nbase == 6 && k < 3; k++)
    world.x[k] = ag_number_add(world.x[k], ag_point_find(r->point, "base.position")[k]);
  axes_of(r->point->decisions, n, axes);
  to->mu[to->ncontacts] = *given_of(d, contact, "friction");
  to->gap[to->m] =
      ag_number_div(ag_number_sub(ag_dot(n, world), *given_of(d, contact, "distance")), h);
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < r->n; c++)
      to->J[(to->m + i) * r->n + c] = ag_dot(axes[i], ag_robot_partial(r, site.body, p, c).lin);
    memcpy(to->axes + (ptrdiff_t)9 * to->ncontacts + (ptrdiff_t)3 * i, axes[i].x, sizeof axes[i].x);
  }
  to->m += 3;
  to->ncontacts++;
}

static void add_joint(const ag_robot *r, int joint, int sign, ag_number gap, rows *to) {
  to->J[to->m * r->n + r->problem->nbase + joint] = ag_number_of(sign);
  to->gap[to->m++] = gap;
}

/* Limits of position of joints that have them, each once: q - lower and upper - q. */
static void add_limits(const ag_definition *d, ag_number h, rows *to) {
  const ag_robot *r = d->robot;
  const ag_number *q = ag_point_find(r->point, "q");
  bool *seen = ag_alloc(d->arena, (size_t)(r->problem->njoints + 1) * sizeof *seen);
  for (int k = 0; k < r->problem->njoint_rows; k++) {
    const ag_joint_rows *g = &r->problem->joint_rows[k];
    for (int i = 0; g->limits && i < g->nrows; i++) {
      const int j = g->joints[i];
      const ag_number lower = ag_value_at(ag_value_list(g->value, "lower"), j),
                      upper = ag_value_at(ag_value_list(g->value, "upper"), j);
      if (seen[j] || lower.value >= upper.value) continue;
      seen[j] = true;
      add_joint(r, j, 1, ag_number_div(ag_number_sub(q[j], lower), h), to);
      add_joint(r, j, -1, ag_number_div(ag_number_sub(upper, q[j]), h), to);
    }
  }
}

/* Dry friction: an impulse of at most h times it. */
static void add_friction(const ag_definition *d, ag_number h, rows *to) {
  const ag_robot *r = d->robot;
  for (int k = 0; k < r->problem->njoint_rows; k++) {
    const ag_joint_rows *g = &r->problem->joint_rows[k];
    const ag_value *given = ag_value_item(g->value, "coulomb");
    for (int i = 0; g->motors && i < g->nrows; i++) { /* those of motors come last */
      const int m = g->motors[i];
      to->box[to->nbox++] = ag_number_mul(h, r->problem->gears[m].coulomb);
      memcpy(to->J + (ptrdiff_t)to->m * r->n, r->gears + (ptrdiff_t)m * r->n,
             (size_t)r->n * sizeof *to->J);
      to->gap[to->m++] = ag_zero;
    }
    for (int i = 0; g->friction && !g->motors && i < g->nrows; i++) {
      const int j = g->joints[i];
      const ag_number most = given ? ag_value_at(given, j) : ag_point_find(r->point, "friction")[j];
      to->box[to->nbox++] = ag_number_mul(h, most);
      add_joint(r, j, 1, ag_zero, to);
    }
  }
}

static rows rows_of(const ag_definition *d, ag_number h) {
  const ag_problem *p = d->robot->problem;
  const ag_value *contacts = ag_value_list(p->value, "contacts");
  int most = 3 * contacts->length; /* and two of a limit */
  for (int k = 0; k < p->njoint_rows; k++) most += 2 * p->joint_rows[k].nrows;
  rows r = {.J = ag_numbers(d, most * d->robot->n),
            .gap = ag_numbers(d, most),
            .axes = ag_numbers(d, 9 * contacts->length),
            .mu = ag_numbers(d, contacts->length),
            .box = ag_numbers(d, most)};
  for (int k = 0; k < contacts->length; k++) add_contact(d, &contacts->items[k], h, &r);
  add_limits(d, h, &r);
  add_friction(d, h, &r);
  return r;
}

/* Whether loops and frames are held, whose step has no definition here. */
static bool is_held(const ag_robot *r) {
  return ag_value_boolean(ag_value_list(r->problem->value, "step"), "held");
}

/* q, where the base is, of balls their quaternions, and the period, as they came in. */
static void define_place(ag_definition *d, ag_number h) {
  static const char *const names[] = {"q",         "base.x",  "base.y", "base.yaw", "base.position",
                                      "base.quat", "base.rot"};
  const ag_robot *r = d->robot;
  const int nb = r->problem->nbase, njoints = r->problem->njoints;
  const int sizes[] = {njoints,         nb == 3,         nb == 3,        nb == 3,
                       nb == 6 ? 3 : 0, nb == 6 ? 4 : 0, nb == 6 ? 9 : 0};
  ag_number *x = ag_numbers(d, njoints + 20 + 4 * r->problem->nbodies);
  int count = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const ag_number *given = ag_point_find(r->point, names[k]);
    for (int i = 0; given && i < sizes[k]; i++) x[count++] = given[i];
  }
  for (int i = 1; i <= r->problem->nbodies; i++) {
    const ag_solid *b = &r->problem->bodies[i];
    const ag_number *ball = b->ball == 1 ? ag_point_find(r->point, b->quaternion) : NULL;
    for (int k = 0; ball && k < 4; k++) x[count++] = ball[k];
  }
  x[count++] = h;
  ag_define_output(d, "place", x, count);
}

/* A = J W J^T, b = J v*, and what an impulse of each row does to the velocities, W J^T. */
void ag_define_step_begin(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n;
  if (is_held(r)) return;
  const ag_number h = period_of(r);
  ag_number *W = ag_numbers(d, n * n), *v = free_velocities(d, h, W);
  const rows all = rows_of(d, h);
  ag_number *A = ag_numbers(d, all.m * all.m), *b = ag_numbers(d, all.m),
            *change = ag_numbers(d, all.m * n);
  ag_dense_times(all.J, all.m, n, v, b);
  for (int j = 0; j < all.m; j++) {
    ag_dense_times(W, n, n, all.J + (ptrdiff_t)j * n, change + (ptrdiff_t)j * n);
    ag_dense_times(all.J, all.m, n, change + (ptrdiff_t)j * n, A + (ptrdiff_t)j * all.m);
  }
  ag_define_output(d, "A", A, all.m * all.m);
  ag_define_output(d, "b", b, all.m);
  ag_define_output(d, "gap", all.gap, all.m);
  ag_define_output(d, "mu", all.mu, all.ncontacts);
  ag_define_output(d, "axes", all.axes, 9 * all.ncontacts);
  ag_define_output(d, "box", all.box, all.nbox);
  ag_define_output(d, "v_free", v, n);
  ag_define_output(d, "v_lambda", change, all.m * n);
  define_place(d, h);
}

/* v+ = v* + W J^T lambda; forces lambda / h, those of contacts along the axes of the world. */
void ag_define_step_end(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase;
  const ag_number *lambda = ag_point_find(r->point, "lambda");
  if (is_held(r) || !lambda) return;
  const ag_value *contacts = ag_value_list(r->problem->value, "contacts");
  const ag_number h = period_of(r);
  ag_number *W = ag_numbers(d, n * n), *v = free_velocities(d, h, W);
  const rows all = rows_of(d, h);
  ag_number *impulse = ag_numbers(d, n), *change = ag_numbers(d, n), *tau = ag_numbers(d, n - nb);
  ag_dense_add_transposed(all.J, all.m, n, lambda, impulse);
  ag_dense_times(W, n, n, impulse, change);
  for (int c = 0; c < n; c++) v[c] = ag_number_add(v[c], change[c]);
  define_end(d, h, v);
  for (int k = 0; k < all.ncontacts; k++) {
    ag_number *force = ag_numbers(d, 3);
    for (int i = 0; i < 9; i++) {
      const ag_number along = ag_number_div(lambda[3 * k + i / 3], h);
      force[i % 3] = ag_plus(force[i % 3], all.axes[9 * k + i], along);
    }
    const char *name = ag_value_text(&contacts->items[k], "name");
    ag_define_output(d, ag_printf(d->arena, "contact.%s.force", name), force, 3);
  }
  for (int j = 3 * all.ncontacts; j < all.m; j++) {
    const ag_number share = ag_number_div(lambda[j], h);
    for (int c = nb; c < n; c++) tau[c - nb] = ag_plus(tau[c - nb], all.J[j * n + c], share);
  }
  ag_define_output(d, "tau_rows", tau, n - nb);
}
