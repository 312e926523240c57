/* SPDX-License-Identifier: MIT */
/* outputs.c: see outputs.h */
#include "prove/outputs.h"

#include "prove/dense.h"

#include <string.h>

void ag_define_output(ag_definition *d, const char *name, const ag_number *values, int count) {
  d->outputs = ag_room(d->arena, d->outputs, d->noutputs, sizeof *d->outputs);
  d->outputs[d->noutputs++] = (ag_defined){.name = name, .values = values, .count = count};
}

const ag_defined *ag_defined_output(const ag_definition *d, const char *name) {
  for (int k = 0; k < d->noutputs; k++)
    if (strcmp(d->outputs[k].name, name) == 0) return &d->outputs[k];
  return NULL;
}

ag_number *ag_numbers(const ag_definition *d, int count) {
  return ag_alloc(d->arena, (size_t)(count + 1) * sizeof(ag_number));
}

ag_number *ag_given_by_coordinate(const ag_definition *d, const char *base, const char *joints) {
  const ag_robot *r = d->robot;
  const ag_number *b = ag_point_find(r->point, base), *q = ag_point_find(r->point, joints);
  ag_number *x = ag_numbers(d, r->n);
  if (b) memcpy(x, b, (size_t)r->problem->nbase * sizeof *x);
  for (int j = 0; q && j < r->problem->njoints; j++) x[r->problem->nbase + j] = q[j];
  return x;
}

void ag_define_by_coordinate(ag_definition *d, const char *base, const char *joints,
                             const ag_number *x) {
  const int nb = d->robot->problem->nbase;
  ag_define_output(d, base, x, nb);
  ag_define_output(d, joints, x + nb, d->robot->n - nb);
  if (strcmp(joints, "tau") == 0)
    ag_define_output(d, "tau_motor", ag_motor_torques(d, x + nb), d->robot->problem->ngears);
}

ag_number *ag_motor_torques(const ag_definition *d, const ag_number *tau) {
  const ag_robot *r = d->robot;
  const int n = r->n, nb = r->problem->nbase, motors = r->problem->ngears;
  ag_number *GtG = ag_numbers(d, n * n), *W = ag_numbers(d, n * n), *x = ag_numbers(d, 2 * n),
            *lambda = x + n, *torques = ag_numbers(d, motors);
  for (int c = 0; c < n; c++) {
    for (int b = 0; b < n; b++)
      for (int m = 0; m < motors; m++)
        GtG[c * n + b] = ag_plus(GtG[c * n + b], r->gears[m * n + c], r->gears[m * n + b]);
    const bool moved = GtG[c * n + c].value != 0; /* by a motor */
    if (!moved) GtG[c * n + c] = ag_one;
    if (moved && c >= nb) x[c] = tau[c - nb];
  }
  ag_dense_inverse(GtG, n, W, d->arena);
  ag_dense_times(W, n, n, x, lambda);
  ag_dense_times(r->gears, motors, n, lambda, torques);
  return torques;
}

static void put_vec(ag_number *to, ag_vec v) {
  memcpy(to, v.x, sizeof v.x);
}

static void put_motion(ag_definition *d, const char *prefix, const char *id, ag_motion m) {
  ag_number *x = ag_numbers(d, 6);
  put_vec(x, m.lin);
  put_vec(x + 3, m.ang);
  ag_define_output(d, ag_printf(d->arena, "%s%s", prefix, id), x, 6);
}

/* ---- frames ---- */

void ag_define_frames(ag_definition *d) {
  const ag_robot *r = d->robot;
  for (int k = 0; k < r->problem->nframes; k++) {
    const ag_site *f = &r->problem->frames[k];
    const ag_vec p = ag_robot_point(r, f);
    const ag_mat R = ag_robot_axes(r, f);
    ag_number *pose = ag_numbers(d, 12);
    put_vec(pose, p);
    for (int i = 0; i < 9; i++) pose[3 + i] = R.x[i / 3][i % 3];
    ag_define_output(d, ag_printf(d->arena, "pose.%s", f->id), pose, 12);
    put_motion(d, "twist.", f->id, ag_robot_velocity(r, f->body, p));
  }
}

void ag_define_accelerations(ag_definition *d, const char *prefix, bool spatial,
                             const ag_number *qdd) {
  const ag_robot *r = d->robot;
  for (int k = 0; k < r->problem->nframes; k++) {
    const ag_site *f = &r->problem->frames[k];
    const ag_vec p = ag_robot_point(r, f);
    ag_motion a = ag_robot_acceleration(r, f->body, p, qdd);
    const ag_motion v = ag_robot_velocity(r, f->body, p);
    if (spatial) a.lin = ag_vec_sub(a.lin, ag_vec_cross(v.ang, v.lin));
    put_motion(d, prefix, f->id, a);
  }
}

void ag_define_wrench(const ag_definition *d, int k, ag_number *tau) {
  const ag_robot *r = d->robot;
  const ag_pusher *w = &r->problem->wrenches[k];
  const ag_number *x = ag_point_find(r->point, w->name);
  if (!x) return;
  const ag_vec f = {{x[0], x[1], x[2]}}, n = {{x[3], x[4], x[5]}};
  ag_robot_push(r, w->frame.body, ag_robot_point(r, &w->frame), f, n, tau);
}

void ag_define_wrenches(const ag_definition *d, bool physical, ag_number *tau) {
  const ag_problem *p = d->robot->problem;
  for (int k = 0; k < p->nwrenches; k++)
    if (p->wrenches[k].physical == physical) ag_define_wrench(d, k, tau);
}

void ag_define_gauss(ag_definition *d, const char *name, const ag_number *qdd,
                     const ag_number *forces) {
  const int n = d->robot->n;
  ag_number *Mqdd = ag_numbers(d, n), *z = ag_numbers(d, 1);
  ag_dense_times(d->robot->M, n, n, qdd, Mqdd);
  for (int c = 0; c < n; c++)
    *z = ag_plus(*z, ag_number_sub(ag_number_mul(ag_number_of(0.5), Mqdd[c]), forces[c]), qdd[c]);
  ag_define_output(d, name, z, 1);
}

/* Torques of the motors, one after the other, for a torque of 1 along each independent joint. */
static void define_map(ag_definition *d, const ag_closed *l) {
  const ag_robot *r = d->robot;
  const ag_value *joints = ag_value_list(l->told, "joints");
  const int n = joints->length;
  ag_number *map = ag_numbers(d, n * n), *tau = ag_numbers(d, r->problem->njoints);
  for (int b = 0; b < n; b++) {
    bool bad;
    const int joint = (int)joints->items[b].number - 1;
    tau[joint] = ag_one;
    const ag_number *own = ag_closing_motors(r->closing, l, tau, &bad);
    tau[joint] = ag_zero;
    for (int m = 0; m < n; m++) map[m * n + b] = own[m];
    d->open = d->open || bad;
  }
  ag_define_output(d, ag_printf(d->arena, "linkage_map.%s", ag_value_text(l->told, "name")), map,
                   n * n);
}

/* Torques of its motors; tau: by joint, NULL: that another function finds, or none does. */
static void define_motors(ag_definition *d, const ag_closed *l, const ag_number *tau) {
  const int motors = ag_value_list(l->told, "motors")->length;
  const char *name = ag_value_text(l->told, "name");
  bool bad;
  if (motors == 0) return;
  if (!tau) {
    define_map(d, l);
    return;
  }
  const ag_number *own = ag_closing_motors(d->robot->closing, l, tau, &bad);
  ag_define_output(d, ag_printf(d->arena, "linkage_tau.%s", name), own, motors);
  d->open = d->open || bad;
}

static void define_linkage(ag_definition *d, const ag_closed *l) {
  const ag_robot *r = d->robot;
  const ag_value *dependent = ag_value_list(l->told, "dependent");
  const char *name = ag_value_text(l->told, "name");
  const int joints = r->problem->njoints;
  ag_number *end = ag_numbers(d, 2 * dependent->length), *qd = ag_numbers(d, dependent->length),
            *left = ag_numbers(d, 2);
  int count = 0;
  for (int a = 0; a < dependent->length; a++) {
    const int i = (int)dependent->items[a].number;
    const ag_spot *at = &r->closing->spots[i];
    const bool slides = r->problem->bodies[i].slides;
    end[count++] = slides ? at->q : at->c;
    if (!slides) end[count++] = at->s;
    for (int j = 0; j < joints; j++)
      qd[a] = ag_plus(qd[a], r->closing->P[i * joints + j], r->qd[r->problem->nbase + j]);
  }
  left[0] = l->residual;
  left[1] = l->pivot;
  ag_define_output(d, ag_printf(d->arena, "linkage_end.%s", name), end, count);
  ag_define_output(d, ag_printf(d->arena, "linkage_qd.%s", name), qd, dependent->length);
  ag_define_output(d, ag_printf(d->arena, "linkage_residual.%s", name), left, 1);
  ag_define_output(d, ag_printf(d->arena, "linkage_pivot.%s", name), left + 1, 1);
}

void ag_define_linkages(ag_definition *d, bool follows, bool followed) {
  const ag_closing *c = d->robot->closing;
  const ag_defined *tau = ag_defined_output(d, "tau");
  if (!tau) tau = ag_defined_output(d, "tau_ctrl");
  if (c->nlinkages == 0) return;
  if (!follows) d->open = d->open || c->open;
  d->moved = d->moved || c->moved;
  for (int k = 0; k < c->nlinkages; k++) {
    if (!follows) define_linkage(d, &c->linkages[k]);
    if (tau || followed) define_motors(d, &c->linkages[k], tau ? tau->values : NULL);
  }
  ag_number *closed = ag_numbers(d, 1);
  *closed = d->open ? ag_zero : ag_one;
  ag_define_output(d, "closed", closed, 1);
  if (follows) d->open = tau && c->open; /* a step's end has torques that no motor gives */
}
