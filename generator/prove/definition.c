/* SPDX-License-Identifier: MIT */
/* definition.c: see definition.h */
#include "prove/definition.h"

#include "graph/functions.h"
#include "prove/dense.h"
#include "prove/passivity.h"
#include "prove/solves.h"
#include "prove/steps.h"

#include <math.h>
#include <string.h>

static void put_vec(ag_number *to, ag_vec v) {
  memcpy(to, v.x, sizeof v.x);
}

/* ---- frames ---- */

static void define_jacobians(ag_definition *d) {
  const ag_robot *r = d->robot;
  for (int k = 0; k < r->problem->nframes; k++) {
    const ag_site *f = &r->problem->frames[k];
    const ag_vec p = ag_robot_point(r, f);
    ag_number *x = ag_numbers(d, 6 * r->n);
    for (int c = 0; c < r->n; c++) {
      const ag_motion m = ag_robot_partial(r, f->body, p, c);
      for (int i = 0; i < 3; i++) {
        x[i * r->n + c] = m.lin.x[i];
        x[(3 + i) * r->n + c] = m.ang.x[i];
      }
    }
    ag_define_output(d, ag_printf(d->arena, "jac.%s", f->id), x, 6 * r->n);
  }
}

/* J J^T of rows `from` to `to` of a frame's Jacobian. */
static ag_number *gram_of(const ag_definition *d, const ag_robot *r, const ag_site *f, int from,
                          int to) {
  const int m = to - from;
  const ag_vec p = ag_robot_point(r, f);
  ag_number *gram = ag_numbers(d, m * m);
  for (int c = 0; c < r->n; c++) {
    const ag_motion t = ag_robot_partial(r, f->body, p, c);
    for (int i = 0; i < m * m; i++) {
      const int a = from + i / m, b = from + i % m;
      gram[i] = ag_plus(gram[i], a < 3 ? t.lin.x[a] : t.ang.x[a - 3],
                        b < 3 ? t.lin.x[b] : t.ang.x[b - 3]);
    }
  }
  return gram;
}

/* Whether what is left of a row is more than rounding. Where answers are turned, that of one row after the other is: two
 * rows that depend on others make the determinant 0 twice, and show neither. */
static bool is_apart(ag_decisions *decisions, ag_number least, ag_number left, int row, int rows) {
  const int turn = decisions->turn.number;
  if (turn > 0 && least.exact != left.exact)
    ag_decide_as(decisions, least, left, row != turn % rows, false);
  return ag_decide(decisions, least, left);
}

/* The determinant, by rows from the first on; 0 where what is left of one beside those before it is rounding of its three,
 * which is no longer compared with `held`. */
static ag_number determinant(const ag_robot *r, ag_number *gram, int m, bool held) {
  const ag_number share = ag_number_of(r->point->header->target.single ? 1e-11 : 1e-28);
  ag_number det = ag_one, least[6];
  for (int i = 0; i < m; i++) {
    const int first = i / 3 * 3;
    ag_number whole = ag_zero;
    for (int k = first; k < first + 3; k++) whole = ag_number_add(whole, gram[k * m + k]);
    least[i] = ag_number_mul(share, whole);
  }
  for (int i = 0; i < m; i++) {
    const ag_number pivot = gram[i * m + i];
    if (!held && !is_apart(r->point->decisions, least[i], pivot, i, m)) {
      det = ag_zero;
      continue;
    }
    det = ag_number_mul(det, pivot);
    for (int j = i + 1; j < m; j++) {
      const ag_number factor = ag_number_div(gram[j * m + i], pivot);
      for (int k = i + 1; k < m; k++)
        gram[j * m + k] = ag_number_sub(gram[j * m + k], ag_number_mul(factor, gram[i * m + k]));
    }
  }
  return det;
}

/* w, of which w^2 = det J J^T, and dw/dq_j = w (d det/dq_j) / (2 det); where det is 0, w is, and its derivatives are given as
 * 0. moved: the robot with dual numbers along each joint. */
static void define_root(ag_definition *d, ag_robot *const *moved, const ag_site *f,
                        const char *word, int from, int to) {
  const int m = to - from, joints = d->robot->problem->njoints;
  const ag_number det = determinant(d->robot, gram_of(d, d->robot, f, from, to), m, false);
  ag_number *w = ag_numbers(d, 1), *slope = ag_numbers(d, joints);
  w[0] = ag_number_from(sqrt(det.value > 0 ? det.value : 0), ag_residue_root(det.exact));
  for (int j = 0; det.exact != 0 && j < joints; j++) {
    const ag_number along = determinant(moved[j], gram_of(d, moved[j], f, from, to), m, true);
    slope[j] =
        ag_number_div(ag_number_mul(w[0], ag_number_from(0, along.rate)), ag_number_add(det, det));
  }
  ag_define_output(d, ag_printf(d->arena, "%s.%s", word, f->id), w, 1);
  ag_define_output(d, ag_printf(d->arena, "d%s_dq.%s", word, f->id), slope, joints);
}

static void define_manipulability(ag_definition *d) {
  const ag_problem *problem = d->robot->problem;
  ag_number *q = ag_point_find(d->robot->point, "q");
  ag_robot **moved = ag_alloc(d->arena, (size_t)(problem->njoints + 1) * sizeof *moved);
  for (int j = 0; q && j < problem->njoints; j++) {
    q[j].rate = 1;
    moved[j] = ag_robot_at(problem, d->robot->point, d->arena);
    q[j].rate = 0;
  }
  for (int k = 0; k < problem->nframes; k++) {
    const ag_site *f = &problem->frames[k];
    define_root(d, moved, f, "manipulability", 0, 6);
    define_root(d, moved, f, "manipulability_lin", 0, 3);
    define_root(d, moved, f, "manipulability_ang", 3, 6);
  }
}

/* ---- forces ---- */

/* tau = M qdd + h - J^T f of physical wrenches */
static void define_inverse(ag_definition *d) {
  const ag_robot *r = d->robot;
  const ag_number *qdd = ag_given_by_coordinate(d, "base.acc", "qdd");
  ag_number *tau = ag_numbers(d, r->n), *given = ag_numbers(d, r->n);
  ag_robot_forces(r, qdd, r->gravity, tau);
  ag_define_wrenches(d, true, given);
  for (int c = 0; c < r->n; c++) tau[c] = ag_number_sub(tau[c], given[c]);
  ag_robot_rotors(r, qdd, tau);
  ag_define_by_coordinate(d, "base.wrench", "tau", tau);
}

static void define_forward(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase;
  const ag_number *tau = ag_point_find(r->point, "tau");
  ag_number *bias = ag_numbers(d, n), *left = ag_numbers(d, n), *qdd = ag_numbers(d, n),
            *W = ag_numbers(d, n * n);
  ag_robot_forces(r, NULL, r->gravity, bias);
  ag_define_wrenches(d, true, left);
  for (int c = 0; c < n; c++) left[c] = ag_number_sub(left[c], bias[c]);
  for (int j = 0; j < r->problem->njoints; j++) left[nb + j] = ag_number_add(left[nb + j], tau[j]);
  d->singular = !ag_dense_inverse(r->M, n, W, d->arena);
  ag_dense_times(W, n, n, left, qdd);
  ag_define_by_coordinate(d, "base.acc", "qdd", qdd);
}

static void define_inertia(ag_definition *d) {
  const ag_robot *r = d->robot;
  int count = 0;
  ag_number *x = ag_numbers(d, r->n * (r->n + 1) / 2);
  for (int i = 0; i < r->n; i++)
    for (int j = 0; j <= i; j++) x[count++] = r->M[i * r->n + j];
  ag_define_output(d, "M", x, count);
}

/* ---- energies and momentum ---- */

static ag_number power(ag_motion force, ag_motion t) {
  return ag_number_add(ag_dot(force.lin, t.lin), ag_dot(force.ang, t.ang));
}

/* sum 1/2 a^T I a + p^T a over bodies, a the spatial acceleration at the body's origin with -g in
 * it, p = v x* I v less the physical wrenches; sum 1/2 d qdd^2 - tau qdd */
static ag_number gauss(const ag_definition *d) {
  const ag_robot *r = d->robot;
  const ag_number *qdd = ag_given_by_coordinate(d, "base.acc", "qdd"),
                  *tau = ag_point_find(r->point, "tau"), half = ag_number_of(0.5);
  ag_number z = ag_zero;
  for (int i = r->problem->nbase > 0 ? 0 : 1; i <= r->problem->nbodies; i++) {
    const ag_vec o = r->place[i].p;
    const ag_mass mass = ag_robot_mass(r, i);
    const ag_motion v = ag_robot_velocity(r, i, o), P = ag_mass_times(&mass, v);
    ag_motion a = ag_robot_acceleration(r, i, o, qdd);
    a.lin = ag_vec_sub(ag_vec_sub(a.lin, r->gravity), ag_vec_cross(v.ang, v.lin));
    ag_motion bias = {ag_vec_cross(v.ang, P.lin),
                      ag_vec_add(ag_vec_cross(v.ang, P.ang), ag_vec_cross(v.lin, P.lin))};
    for (int k = 0; k < r->problem->nwrenches; k++) {
      const ag_pusher *w = &r->problem->wrenches[k];
      const ag_number *x = ag_point_find(r->point, w->name);
      if (!w->physical || w->frame.body != i) continue;
      const ag_vec f = {{x[0], x[1], x[2]}}, m = {{x[3], x[4], x[5]}};
      const ag_vec arm = ag_vec_sub(ag_robot_point(r, &w->frame), o);
      bias.lin = ag_vec_sub(bias.lin, f);
      bias.ang = ag_vec_sub(bias.ang, ag_vec_add(m, ag_vec_cross(arm, f)));
    }
    z = ag_plus(z, half, power(ag_mass_times(&mass, a), a));
    z = ag_number_add(z, power(bias, a));
  }
  for (int j = 0; j < r->problem->njoints; j++) {
    const int c = r->problem->nbase + j;
    z = ag_plus(z, ag_number_mul(half, r->armature[c]), ag_number_mul(qdd[c], qdd[c]));
    z = ag_number_sub(z, ag_number_mul(tau[j], qdd[c]));
  }
  for (int i = 1; i <= r->problem->nbodies; i++) {
    const ag_number wd = ag_robot_rotor_rate(r, i, qdd);
    if (r->closing->dependent[i])
      z = ag_plus(z, ag_number_mul(half, r->problem->bodies[i].armature), ag_number_mul(wd, wd));
  }
  for (int m = 0; m < r->problem->ngears; m++) {
    const ag_number wd = ag_robot_gear(r, m, qdd);
    z = ag_plus(z, ag_number_mul(half, r->problem->gears[m].inertia), ag_number_mul(wd, wd));
  }
  return z;
}

static void define_energies(ag_definition *d) {
  const ag_robot *r = d->robot;
  ag_number *x = ag_numbers(d, 3), *Mv = ag_numbers(d, r->n), twice;
  ag_dense_times(r->M, r->n, r->n, r->qd, Mv);
  ag_dense_times(Mv, 1, r->n, r->qd, &twice);
  x[0] = ag_number_mul(ag_number_of(0.5), twice);
  for (int i = r->problem->nbase > 0 ? 0 : 1; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    const ag_vec first = ag_vec_add(ag_vec_scale(mass.m, r->place[i].p), mass.h);
    x[1] = ag_number_sub(x[1], ag_dot(r->gravity, first));
  }
  x[2] = gauss(d);
  ag_define_output(d, "kinetic", x, 1);
  ag_define_output(d, "potential", x + 1, 1);
  ag_define_output(d, "gauss", x + 2, 1);
}

static void define_mass_centre(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n;
  ag_number *x = ag_numbers(d, 13 + 3 * n), *jac = x + 13, m = ag_zero;
  ag_vec first = ag_no_vec, lin = ag_no_vec, ang = ag_no_vec;
  ag_motion *sum = ag_alloc(d->arena, (size_t)(n + 1) * sizeof *sum);
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (int i = r->problem->nbase > 0 ? 0 : 1; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    const ag_vec o = r->place[i].p;
    const ag_motion P = ag_mass_times(&mass, ag_robot_velocity(r, i, o));
    m = ag_number_add(m, mass.m);
    first = ag_vec_add(first, ag_vec_add(ag_vec_scale(mass.m, o), mass.h));
    lin = ag_vec_add(lin, P.lin);
    ang = ag_vec_add(ang, ag_vec_add(P.ang, ag_vec_cross(o, P.lin)));
    for (int c = 0; c < n; c++)
      sum[c].lin = ag_vec_add(sum[c].lin, ag_mass_times(&mass, ag_robot_partial(r, i, o, c)).lin);
  }
  const ag_number inverse = ag_number_div(ag_one, m);
  const ag_vec com = ag_vec_scale(inverse, first);
  x[0] = m;
  put_vec(x + 1, com);
  put_vec(x + 4, ag_vec_scale(inverse, lin));
  put_vec(x + 7, lin);
  put_vec(x + 10, ag_vec_sub(ang, ag_vec_cross(com, lin)));
  for (int c = 0; c < n; c++)
    for (int i = 0; i < 3; i++) jac[i * n + c] = ag_number_mul(inverse, sum[c].lin.x[i]);
  ag_define_output(d, "com.m", x, 1);
  ag_define_output(d, "com.p", x + 1, 3);
  ag_define_output(d, "com.v", x + 4, 3);
  ag_define_output(d, "com.momentum", x + 7, 6);
  ag_define_output(d, "com.jac", jac, 3 * n);
}

/* About the centre of mass: columns of A_G from the momenta of unit velocities, h_G = A_G v, the forces and moments that
 * the velocities take, and the inertia. */
static void define_centroidal(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n;
  ag_number *A = ag_numbers(d, 6 * n), *h = ag_numbers(d, 6), *rate = ag_numbers(d, 6),
            *I = ag_numbers(d, 6), m = ag_zero;
  ag_vec first = ag_no_vec;
  ag_mass whole = {ag_zero, ag_no_vec, {{{{0, 0, 0}}}}};
  const int from = r->problem->nbase > 0 ? 0 : 1;
  for (int i = from; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    m = ag_number_add(m, mass.m);
    first = ag_vec_add(first, ag_vec_add(ag_vec_scale(mass.m, r->place[i].p), mass.h));
  }
  const ag_vec G = ag_vec_scale(ag_number_div(ag_one, m), first);
  for (int i = from; i <= r->problem->nbodies; i++) {
    const ag_exact_pose at = {ag_vec_sub(r->place[i].p, G), ag_mat_unit()};
    const ag_mass own = ag_robot_mass(r, i), mass = ag_mass_moved(&own, &at);
    whole = ag_mass_add(&whole, &mass);
    for (int c = 0; c < n; c++) {
      const ag_motion p = ag_mass_times(&mass, ag_robot_partial(r, i, G, c));
      for (int k = 0; k < 3; k++) {
        A[k * n + c] = ag_number_add(A[k * n + c], p.lin.x[k]);
        A[(3 + k) * n + c] = ag_number_add(A[(3 + k) * n + c], p.ang.x[k]);
      }
    }
    const ag_motion needed =
        ag_mass_forces(&mass, ag_robot_acceleration(r, i, G, NULL), ag_robot_velocity(r, i, G).ang);
    for (int k = 0; k < 3; k++) {
      rate[k] = ag_number_add(rate[k], needed.lin.x[k]);
      rate[3 + k] = ag_number_add(rate[3 + k], needed.ang.x[k]);
    }
  }
  ag_dense_times(A, 6, n, r->qd, h);
  for (int k = 0, at = 0; k < 3; k++)
    for (int c = k; c < 3; c++) I[at++] = whole.I.x[k][c];
  ag_define_output(d, "h_G", h, 6);
  ag_define_output(d, "A_G", A, 6 * n);
  ag_define_output(d, "Adot_v", rate, 6);
  ag_define_output(d, "I_G", I, 6);
}

/* The derivative of M along the velocities: that of a point that moves as they say. */
static const ag_number *derivative_of_inertia(const ag_definition *d) {
  const ag_robot *r = d->robot;
  const int nb = r->problem->nbase, linear = nb == 3 ? 2 : 3;
  ag_point moving = *r->point;
  ag_number *q = ag_point_find(&moving, "q");
  for (int j = 0; j < r->problem->njoints; j++) q[j].rate = r->qd[nb + j].exact;
  for (int c = linear; c < nb; c++) moving.turn[nb == 3 ? 2 : c - linear] = r->qd[c].exact;
  const ag_number *M = ag_robot_at(r->problem, &moving, d->arena)->M;
  for (int j = 0; j < r->problem->njoints; j++) q[j].rate = 0;
  ag_number *rates = ag_numbers(d, r->n * r->n);
  for (int i = 0; i < r->n * r->n; i++) rates[i] = ag_number_from(0, M[i].rate);
  return rates;
}

/* p = M v; beta = M-dot v less what the equation of motion has beside M vdot, as M-dot = C + C^T */
static void define_momentum(ag_definition *d) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase;
  ag_number *p = ag_numbers(d, n), *beta = ag_numbers(d, n), *bias = ag_numbers(d, n);
  ag_dense_times(r->M, n, n, r->qd, p);
  ag_dense_times(derivative_of_inertia(d), n, n, r->qd, beta);
  ag_robot_forces(r, NULL, r->gravity, bias);
  for (int c = 0; c < n; c++) beta[c] = ag_number_sub(beta[c], bias[c]);
  ag_define_output(d, "base.p", p, nb);
  ag_define_output(d, "base.beta", beta, nb);
  ag_define_output(d, "p", p + nb, n - nb);
  ag_define_output(d, "beta", beta + nb, n - nb);
}

/* ---- all of them ---- */

static void define_acceleration(ag_definition *d) {
  ag_define_accelerations(d, "acc.", d->robot->problem->spatial_family,
                          ag_given_by_coordinate(d, "base.acc", "qdd"));
}

static void define_drift(ag_definition *d) {
  ag_define_accelerations(d, "jdqd.", d->robot->problem->spatial_family, NULL);
}

static void define_gravity(ag_definition *d) {
  const ag_robot still = ag_robot_still(d->robot);
  ag_number *tau = ag_numbers(d, still.n);
  ag_robot_forces(&still, NULL, still.gravity, tau);
  ag_define_by_coordinate(d, "base.wrench", "tau", tau);
}

static void define_bias(ag_definition *d) {
  ag_number *tau = ag_numbers(d, d->robot->n);
  ag_robot_forces(d->robot, NULL, ag_no_vec, tau);
  ag_define_by_coordinate(d, "base.wrench", "tau", tau);
}

/* A column of a regressor: of a body with that mass alone, or of what a joint or a motor has of a word. */
typedef struct parameter {
  int body, joint, motor; /* -1: it is not of one */
  ag_mass mass;           /* about the body's origin, along its axes */
  const char *word;
} parameter;

static parameter parameter_of(const ag_value *value) {
  parameter p = {.body = ag_value_integer(value, "body"),
                 .joint = ag_value_integer(value, "joint") - 1,
                 .motor = ag_value_integer(value, "motor") - 1,
                 .word = ag_value_text(value, "word")};
  if (p.body >= 0) p.mass = ag_mass_of(ag_value_item(value, "inertia"));
  return p;
}

static bool is_of(const parameter *p, const char *word) {
  return strcmp(p->word, word) == 0;
}

/* What dry friction and an offset are multiplied by, where the parameter is of one of them; else 0. */
static ag_number constant_friction(const ag_definition *d, const parameter *p) {
  if (is_of(p, "coulomb")) return ag_point_find(d->robot->point, "sign")[p->joint];
  return is_of(p, "offset") ? ag_number_of(1) : ag_number_of(0);
}

/* Adds what the coordinates feel of a unit of a motor's torque times its velocity or acceleration, that of x. */
static void add_turned(const ag_robot *r, int motor, const ag_number *x, ag_number *forces) {
  const ag_number w = ag_robot_gear(r, motor, x);
  for (int c = 0; c < r->n; c++) forces[c] = ag_plus(forces[c], r->gears[motor * r->n + c], w);
}

/* Column k of Y: what the coordinates feel of it. */
static void define_regressor(ag_definition *d) {
  const ag_robot *r = d->robot;
  const ag_value *list = ag_value_list(r->problem->value, "parameters");
  const int n = r->n, nb = r->problem->nbase, columns = list->length;
  const ag_number *qdd = ag_given_by_coordinate(d, "base.acc", "qdd");
  ag_number *Y = ag_numbers(d, n * columns), *tau = ag_numbers(d, n);
  for (int k = 0; k < columns; k++) {
    const parameter p = parameter_of(&list->items[k]);
    memset(tau, 0, (size_t)n * sizeof *tau);
    if (p.body >= 0) {
      const ag_mass mass = ag_robot_turned(r, p.body, &p.mass);
      ag_robot_body_forces(r, p.body, &mass, qdd, r->gravity, tau);
    } else if (p.motor >= 0) {
      add_turned(r, p.motor, is_of(&p, "armature") ? qdd : r->qd, tau);
    } else {
      const int c = nb + p.joint;
      tau[c] = is_of(&p, "armature")  ? qdd[c]
               : is_of(&p, "viscous") ? r->qd[c]
                                      : constant_friction(d, &p);
    }
    for (int c = 0; c < n; c++) Y[c * columns + k] = tau[c];
  }
  ag_define_output(d, "Y", Y, n * columns);
}

/* The momentum by coordinate of a body with this mass alone, about its origin along the base's axes, and what changes it
 * but for torques: sum of m v . (d/dt of the velocity by the coordinate) less the weight. */
static void momentum_of(const ag_robot *r, int body, const ag_mass *mass, ag_number *p,
                        ag_number *change) {
  const ag_vec o = r->place[body].p;
  const ag_motion v = ag_robot_velocity(r, body, o), momentum = ag_mass_times(mass, v);
  const ag_motion rigid = {ag_vec_add(r->root.lin, ag_vec_cross(r->root.ang, o)), r->root.ang};
  const ag_motion carried = ag_mass_times(mass, rigid); /* what carries a fixed base does to it */
  ag_robot_push(r, body, o, momentum.lin, momentum.ang, p);
  ag_robot_push(r, body, o, ag_vec_scale(mass->m, r->gravity), ag_vec_cross(mass->h, r->gravity),
                change);
  ag_robot_push(r, body, o, ag_vec_sub(ag_no_vec, carried.lin), ag_vec_sub(ag_no_vec, carried.ang),
                change);
  for (int c = 0; c < r->n; c++) {
    const ag_motion rate = ag_robot_partial_rate(r, body, o, c);
    const ag_vec a = ag_robot_partial(r, body, o, c).ang;
    const ag_number turned = ag_dot(v.lin, ag_vec_cross(a, ag_vec_cross(v.ang, mass->h)));
    change[c] = ag_number_add(
        change[c], ag_number_add(ag_dot(rate.lin, momentum.lin), ag_dot(rate.ang, momentum.ang)));
    change[c] = ag_number_add(change[c], turned);
  }
}

static void define_momentum_regressor(ag_definition *d) {
  const ag_robot *r = d->robot;
  const ag_value *list = ag_value_list(r->problem->value, "parameters");
  const int n = r->n, nb = r->problem->nbase, columns = list->length;
  ag_number *Yp = ag_numbers(d, n * columns), *Yt = ag_numbers(d, n * columns),
            *momentum = ag_numbers(d, n), *change = ag_numbers(d, n);
  for (int k = 0; k < columns; k++) {
    const parameter p = parameter_of(&list->items[k]);
    memset(momentum, 0, (size_t)n * sizeof *momentum);
    memset(change, 0, (size_t)n * sizeof *change);
    if (p.body >= 0) {
      const ag_mass mass = ag_robot_turned(r, p.body, &p.mass);
      momentum_of(r, p.body, &mass, momentum, change);
    } else if (p.motor >= 0) {
      const bool rotor = is_of(&p, "armature");
      add_turned(r, p.motor, r->qd, rotor ? momentum : change);
      for (int c = 0; c < n && !rotor; c++) change[c] = ag_number_neg(change[c]);
    } else if (is_of(&p, "armature")) {
      momentum[nb + p.joint] = r->qd[nb + p.joint];
    } else {
      const int c = nb + p.joint;
      change[c] = ag_number_neg(is_of(&p, "viscous") ? r->qd[c] : constant_friction(d, &p));
    }
    for (int c = 0; c < n; c++) {
      Yp[c * columns + k] = momentum[c];
      Yt[c * columns + k] = change[c];
    }
  }
  ag_define_output(d, "Yp", Yp, n * columns);
  ag_define_output(d, "Yt", Yt, n * columns);
}

/* did: its derivatives are derivatives.c's */
static void define_inverse_and_inertia(ag_definition *d) {
  define_inverse(d);
  define_inertia(d);
}

ag_definition ag_define(const char *function, const ag_robot *robot) {
  static const struct {
    const char *function;
    void (*define)(ag_definition *);
    bool carried; /* takes the acceleration of a fixed base */
  } known[] = {{"achd", ag_define_solve, true},
               {"mclp", ag_define_problem, true},
               {"apply", ag_define_applied, true},
               {"fk", ag_define_frames, false},
               {"fvk", ag_define_frames, false},
               {"fak", define_acceleration, true},
               {"jac", define_jacobians, false},
               {"jdqd", define_drift, false},
               {"manipulability", define_manipulability, false},
               {"id", define_inverse, true},
               {"gravity", define_gravity, true},
               {"bias", define_bias, false},
               {"fd", define_forward, true},
               {"crba", define_inertia, false},
               {"energy", define_energies, true},
               {"com", define_mass_centre, false},
               {"momentum", define_momentum, true},
               {"centroidal", define_centroidal, false},
               {"regressor", define_regressor, true},
               {"momentum_regressor", define_momentum_regressor, true},
               {"osim", ag_define_operational_space, true},
               {"coriolis", ag_define_coriolis, false},
               {"slotine_li", ag_define_slotine_li, true},
               {"step", ag_define_step, true},
               {"dstep", ag_define_step, true},
               {"step_begin", ag_define_step_begin, true},
               {"step_end", ag_define_step_end, true},
               {"did", define_inverse_and_inertia, true},
               {"dfd", define_forward, true},
               {"dachd", ag_define_solve, true}};
  ag_definition d = {.robot = robot, .arena = robot->arena};
  /* an optimum within limits has no definition here: qp, and the apply that follows it */
  const bool undefined =
      robot->point->header->optimum.unknowns > 0 && ag_function_follows(function);
  for (size_t k = 0; !undefined && k < sizeof known / sizeof *known; k++)
    if (strcmp(known[k].function, function) == 0) {
      if (!known[k].carried) d.robot = ag_robot_uncarried(robot);
      known[k].define(&d);
      ag_define_linkages(&d, ag_function_follows(function), ag_function_partner(function) != NULL);
    }
  return d;
}
