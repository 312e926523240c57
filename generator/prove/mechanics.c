/* SPDX-License-Identifier: MIT */
/* mechanics.c: see mechanics.h */
#include "prove/mechanics.h"

#include <string.h>

static ag_vec vec_at(const ag_number *x) {
  return (ag_vec){{x[0], x[1], x[2]}};
}

/* ---- places ---- */

/* Freedom k, the last one, moves by a share of a coordinate's rate. */
static void add_share(ag_robot *r, int k, int coordinate, ag_number ratio) {
  ag_freedom *f = &r->freedoms[k];
  if (f->nshares++ == 0) f->shares = r->nshares;
  r->shares[r->nshares++] = (ag_share){.freedom = k, .coordinate = coordinate, .ratio = ratio};
}

/* What a coordinate moves, in the order of the freedoms. */
static void link_shares(ag_robot *r) {
  for (int c = 0; c < r->n; c++) r->first[c] = -1;
  for (int k = r->nshares - 1; k >= 0; k--) {
    const int c = r->shares[k].coordinate;
    r->shares[k].next = r->first[c];
    r->first[c] = k;
  }
}

/* Of the ball whose child is body i: its axes stand still in the child, and turn with it. */
static void turn_ball(ag_robot *r, int i) {
  ag_vec own[3] = {ag_unit(2), ag_unit(2), ag_unit(2)}, axis;
  for (int k = 1; k < 3; k++) {
    const ag_spot still = ag_spot_at(ag_zero);
    const ag_mat back =
        ag_mat_transpose(ag_body_place(r->point, &r->problem->bodies[i - 2 + k], &still, &axis).R);
    for (int j = 0; j < k; j++) own[j] = ag_mat_vec(back, own[j]);
  }
  for (int k = 0; k < 3; k++)
    r->freedoms[r->problem->nbase + i - 3 + k].axis = ag_mat_vec(r->place[i].R, own[k]);
}

/* By what the joint of body i moves: its own, the one that it mimics, or those that move the loop. */
static void share_body(ag_robot *r, int i) {
  const ag_problem *p = r->problem;
  const int nb = p->nbase;
  if (!r->closing->dependent[i]) {
    add_share(r, nb + i - 1, nb + p->bodies[i].joint, p->bodies[i].ratio);
    return;
  }
  for (int j = 0; j < p->njoints; j++)
    if (r->closing->moves[i * p->njoints + j])
      add_share(r, nb + i - 1, nb + j, r->closing->P[i * p->njoints + j]);
}

static void place_bodies(ag_robot *r) {
  const ag_problem *p = r->problem;
  const int nb = p->nbase;
  r->place[0] = (ag_exact_pose){ag_no_vec, nb > 0 ? ag_base_axes(r->point) : ag_mat_unit()};
  for (int c = 0; c < nb; c++) {
    const bool slides = nb == 3 ? c < 2 : c < 3;
    const int axis = nb == 3 ? c : c % 3;
    r->freedoms[c] = (ag_freedom){.slides = slides, .axis = ag_unit(axis)};
    add_share(r, c, c, ag_one);
  }
  for (int i = 1; i <= p->nbodies; i++) {
    const ag_solid *b = &p->bodies[i];
    ag_vec axis;
    const ag_exact_pose here = ag_body_place(r->point, b, &r->closing->spots[i], &axis);
    r->place[i] = ag_exact_pose_mul(&r->place[b->parent], &here);
    r->freedoms[nb + i - 1] = (ag_freedom){.slides = b->slides,
                                           .axis = ag_mat_vec(r->place[b->parent].R, axis),
                                           .origin = r->place[i].p};
    share_body(r, i);
    bool *carries = &r->carries[(size_t)i * (size_t)r->nfreedoms];
    memcpy(carries, &r->carries[(size_t)b->parent * (size_t)r->nfreedoms],
           (size_t)r->nfreedoms * sizeof *carries);
    carries[nb + i - 1] = true;
    if (b->ball == 3) turn_ball(r, i);
  }
}

/* ---- masses ---- */

/* The numbers of a load, from the layout where that has them, else from the point. */
static void load_part(const ag_robot *r, const ag_value *load, const char *word, int count,
                      ag_number *x) {
  const ag_value *given = ag_value_item(load, word);
  if (!given) {
    const char *name = ag_printf(r->arena, "%s.%s", ag_value_text(load, "name"), word);
    memcpy(x, ag_point_find(r->point, name), (size_t)count * sizeof *x);
    return;
  }
  for (int k = 0; k < count; k++)
    x[k] = given->type == AG_VALUE_NUMBER ? ag_number_from(given->number, given->exact)
                                          : ag_value_at(given, k);
}

static void add_mass(ag_robot *r, const ag_value *at, ag_mass part) {
  const ag_site site = ag_site_of(ag_value_list(at, "frame"));
  part = ag_mass_moved(&part, &site.place);
  r->mass[site.body] = ag_mass_add(&r->mass[site.body], &part);
}

static void place_masses(ag_robot *r) {
  const ag_value *inputs = ag_value_list(r->problem->value, "inertia_inputs"),
                 *loads = ag_value_list(r->problem->value, "payloads");
  for (int i = 0; i <= r->problem->nbodies; i++) r->mass[i] = r->problem->bodies[i].mass;
  for (int k = 0; k < inputs->length; k++) {
    const ag_number *x = ag_point_find(r->point, ag_value_text(&inputs->items[k], "name"));
    if (x) add_mass(r, &inputs->items[k], (ag_mass){x[0], vec_at(x + 1), ag_symmetric(x + 4)});
  }
  for (int k = 0; k < loads->length; k++) {
    const char *name = ag_value_text(&loads->items[k], "name");
    const char *words[] = {"mass", "com", "inertia"};
    bool taken = false;
    for (int w = 0; w < 3; w++)
      taken = taken || ag_point_find(r->point, ag_printf(r->arena, "%s.%s", name, words[w]));
    if (!taken) continue;
    ag_number m, c[3], I[6];
    load_part(r, &loads->items[k], "mass", 1, &m);
    load_part(r, &loads->items[k], "com", 3, c);
    load_part(r, &loads->items[k], "inertia", 6, I);
    const ag_mass about_com = {m, ag_no_vec, ag_symmetric(I)};
    const ag_exact_pose com = {vec_at(c), ag_mat_unit()};
    add_mass(r, &loads->items[k], ag_mass_moved(&about_com, &com));
  }
}

ag_mass ag_robot_turned(const ag_robot *r, int body, const ag_mass *mass) {
  const ag_exact_pose turned = {ag_no_vec, r->place[body].R};
  return ag_mass_moved(mass, &turned);
}

ag_mass ag_robot_mass(const ag_robot *r, int body) {
  return ag_robot_turned(r, body, &r->mass[body]);
}

static ag_number rate_of(const ag_robot *r, const ag_freedom *f, const ag_number *rates) {
  ag_number x = ag_zero;
  for (int k = f->shares; k < f->shares + f->nshares; k++)
    x = ag_plus(x, r->shares[k].ratio, rates[r->shares[k].coordinate]);
  return x;
}

static bool moves(const ag_robot *r, int body, int coordinate) {
  for (int k = r->first[coordinate]; k >= 0; k = r->shares[k].next)
    if (r->carries[body * r->nfreedoms + r->shares[k].freedom]) return true;
  return false;
}

/* M_ab = sum over bodies of the momentum of a unit of b, along a unit of a. */
static void find_inertia(ag_robot *r) {
  const int first = r->problem->nbase > 0 ? 0 : 1;
  for (int i = first; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    ag_motion *unit = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *unit);
    for (int c = 0; c < r->n; c++) unit[c] = ag_robot_partial(r, i, r->place[i].p, c);
    for (int b = 0; b < r->n; b++) {
      const ag_motion *u = &unit[b];
      if (!moves(r, i, b)) continue;
      const ag_vec lin = ag_vec_add(ag_vec_scale(mass.m, u->lin), ag_vec_cross(u->ang, mass.h));
      const ag_vec ang = ag_vec_add(ag_mat_vec(mass.I, u->ang), ag_vec_cross(mass.h, u->lin));
      for (int a = 0; a < r->n; a++) {
        ag_number *to = &r->M[a * r->n + b];
        if (!moves(r, i, a)) continue;
        *to = ag_number_add(*to, ag_number_add(ag_dot(unit[a].lin, lin), ag_dot(unit[a].ang, ang)));
      }
    }
  }
  ag_number *unit = ag_alloc(r->arena, (size_t)(r->n + 1) * 2 * sizeof *unit),
            *column = unit + r->n;
  for (int c = 0; c < r->n; c++) {
    for (int i = 0; i < r->n; i++) unit[i] = i == c ? ag_one : ag_zero, column[i] = ag_zero;
    ag_robot_rotors(r, unit, column);
    for (int i = 0; i < r->n; i++)
      r->M[i * r->n + c] = ag_number_add(r->M[i * r->n + c], column[i]);
  }
}

ag_number ag_robot_rotor_rate(const ag_robot *r, int body, const ag_number *qdd) {
  const ag_freedom *f = &r->freedoms[r->problem->nbase + body - 1];
  return ag_number_add(f->drift, rate_of(r, f, qdd));
}

ag_number ag_robot_gear(const ag_robot *r, int m, const ag_number *x) {
  ag_number w = ag_zero;
  for (int c = 0; c < r->n; c++) w = ag_plus(w, r->gears[m * r->n + c], x[c]);
  return w;
}

/* Adds what the coordinates feel of the torque by which a dependent joint's rotor is accelerated by x. */
static void turn_rotor(const ag_robot *r, int body, ag_number x, ag_number *tau) {
  const ag_freedom *f = &r->freedoms[r->problem->nbase + body - 1];
  const ag_number torque = ag_number_mul(r->problem->bodies[body].armature, x);
  for (int k = f->shares; k < f->shares + f->nshares; k++) {
    ag_number *to = &tau[r->shares[k].coordinate];
    *to = ag_plus(*to, r->shares[k].ratio, torque);
  }
}

void ag_robot_rotors(const ag_robot *r, const ag_number *x, ag_number *tau) {
  for (int c = 0; c < r->n; c++) tau[c] = ag_plus(tau[c], r->armature[c], x[c]);
  for (int i = 1; i <= r->problem->nbodies; i++)
    if (r->closing->dependent[i])
      turn_rotor(r, i, rate_of(r, &r->freedoms[r->problem->nbase + i - 1], x), tau);
  for (int m = 0; m < r->problem->ngears; m++) {
    const ag_number torque = ag_number_mul(r->problem->gears[m].inertia, ag_robot_gear(r, m, x));
    for (int c = 0; c < r->n; c++) tau[c] = ag_plus(tau[c], r->gears[m * r->n + c], torque);
  }
}

/* A motor is turned by the joints of bodies, those that mimic others among them. */
static void place_gears(ag_robot *r) {
  const ag_problem *p = r->problem;
  r->gears = ag_alloc(r->arena, (size_t)(p->ngears * r->n + 1) * sizeof *r->gears);
  for (int k = 0; k < p->ngears * r->n; k++) r->gears[k] = ag_zero;
  for (int m = 0; m < p->ngears; m++)
    for (int i = 1; i <= p->nbodies; i++) {
      ag_number *to = &r->gears[m * r->n + p->nbase + p->bodies[i].joint];
      *to = ag_plus(*to, ag_value_at(p->gears[m].ratio, i - 1), p->bodies[i].ratio);
    }
}

/* ---- motion ---- */

static ag_vec lever(const ag_freedom *f, ag_vec point) {
  return ag_vec_cross(f->axis, ag_vec_sub(point, f->origin));
}

ag_motion ag_robot_velocity(const ag_robot *r, int body, ag_vec point) {
  ag_motion m = {ag_no_vec, ag_no_vec};
  for (int k = 0; k < r->nfreedoms; k++) {
    const ag_freedom *f = &r->freedoms[k];
    if (!r->carries[body * r->nfreedoms + k]) continue;
    const ag_number rate = rate_of(r, f, r->qd);
    m.lin = ag_vec_add(m.lin, ag_vec_scale(rate, f->slides ? f->axis : lever(f, point)));
    if (!f->slides) m.ang = ag_vec_add(m.ang, ag_vec_scale(rate, f->axis));
  }
  return m;
}

ag_motion ag_robot_partial(const ag_robot *r, int body, ag_vec point, int coordinate) {
  ag_motion m = {ag_no_vec, ag_no_vec};
  for (int k = r->first[coordinate]; k >= 0; k = r->shares[k].next) {
    const ag_share *of = &r->shares[k];
    const ag_freedom *f = &r->freedoms[of->freedom];
    if (!r->carries[body * r->nfreedoms + of->freedom]) continue;
    m.lin = ag_vec_add(m.lin, ag_vec_scale(of->ratio, f->slides ? f->axis : lever(f, point)));
    if (!f->slides) m.ang = ag_vec_add(m.ang, ag_vec_scale(of->ratio, f->axis));
  }
  return m;
}

/* (z x (r - o))' = z' x (r - o) + z x (r' - o') */
static ag_vec lever_rate(const ag_freedom *f, ag_vec point, ag_vec rate) {
  return ag_vec_add(ag_vec_cross(f->axis_rate, ag_vec_sub(point, f->origin)),
                    ag_vec_cross(f->axis, ag_vec_sub(rate, f->origin_rate)));
}

ag_motion ag_robot_partial_rate(const ag_robot *r, int body, ag_vec point, int coordinate) {
  const ag_vec rate = ag_robot_velocity(r, body, point).lin;
  ag_motion m = {ag_no_vec, ag_no_vec};
  for (int k = r->first[coordinate]; k >= 0; k = r->shares[k].next) {
    const ag_share *of = &r->shares[k];
    const ag_freedom *f = &r->freedoms[of->freedom];
    if (!r->carries[body * r->nfreedoms + of->freedom]) continue;
    const ag_vec lin = f->slides ? f->axis_rate : lever_rate(f, point, rate);
    m.lin = ag_vec_add(m.lin, ag_vec_scale(of->ratio, lin));
    if (!f->slides) m.ang = ag_vec_add(m.ang, ag_vec_scale(of->ratio, f->axis_rate));
  }
  return m;
}

ag_motion ag_robot_acceleration(const ag_robot *r, int body, ag_vec point, const ag_number *qdd) {
  const ag_vec rate = ag_robot_velocity(r, body, point).lin;
  ag_motion m = {ag_vec_add(r->root.lin, ag_vec_cross(r->root.ang, point)), r->root.ang};
  for (int k = 0; k < r->nfreedoms; k++) {
    const ag_freedom *f = &r->freedoms[k];
    if (!r->carries[body * r->nfreedoms + k]) continue;
    const ag_number x = rate_of(r, f, r->qd),
                    xd = ag_number_add(f->drift, qdd ? rate_of(r, f, qdd) : ag_zero);
    ag_vec unit = f->axis, unit_rate = f->axis_rate;
    if (!f->slides) {
      unit = lever(f, point);
      unit_rate = lever_rate(f, point, rate);
      m.ang =
          ag_vec_add(m.ang, ag_vec_add(ag_vec_scale(xd, f->axis), ag_vec_scale(x, f->axis_rate)));
    }
    m.lin = ag_vec_add(m.lin, ag_vec_add(ag_vec_scale(xd, unit), ag_vec_scale(x, unit_rate)));
  }
  return m;
}

/* The body with which the axis of body i's joint turns: its parent, or itself; the child of a ball. */
static int turns_with(const ag_robot *r, int i) {
  const ag_solid *b = &r->problem->bodies[i];
  return b->ball ? i + 3 - b->ball : b->parent;
}

/* z' = w x z and o' of every freedom. The origin of a joint that turns is fixed in its parent; that
 * of a base moves with it. */
static void find_rates(ag_robot *r) {
  for (int c = 0; c < r->problem->nbase; c++)
    r->freedoms[c].origin_rate = ag_robot_velocity(r, 0, ag_no_vec).lin;
  for (int c = 0; c < r->problem->nbase; c++) r->freedoms[c].axis_rate = ag_no_vec;
  for (int i = 1; i <= r->problem->nbodies; i++) {
    ag_freedom *f = &r->freedoms[r->problem->nbase + i - 1];
    const ag_motion m = ag_robot_velocity(r, r->problem->bodies[i].parent, f->origin);
    const ag_vec w = ag_robot_velocity(r, turns_with(r, i), f->origin).ang;
    f->axis_rate = ag_vec_cross(w, f->axis);
    f->origin_rate = m.lin;
  }
  const ag_number *drift = ag_closing_drift(r->closing, r->qd + r->problem->nbase);
  for (int i = 1; i <= r->problem->nbodies; i++)
    r->freedoms[r->problem->nbase + i - 1].drift = drift[i];
}

/* ---- forces ---- */

void ag_robot_push(const ag_robot *r, int body, ag_vec point, ag_vec force, ag_vec moment,
                   ag_number *tau) {
  for (int c = 0; c < r->n; c++) {
    if (!moves(r, body, c)) continue;
    const ag_motion unit = ag_robot_partial(r, body, point, c);
    tau[c] =
        ag_number_add(tau[c], ag_number_add(ag_dot(unit.lin, force), ag_dot(unit.ang, moment)));
  }
}

ag_motion ag_mass_times(const ag_mass *mass, ag_motion x) {
  return (ag_motion){ag_vec_add(ag_vec_scale(mass->m, x.lin), ag_vec_cross(x.ang, mass->h)),
                     ag_vec_add(ag_mat_vec(mass->I, x.ang), ag_vec_cross(mass->h, x.lin))};
}

ag_motion ag_mass_forces(const ag_mass *mass, ag_motion a, ag_vec w) {
  const ag_motion x = ag_mass_times(mass, a);
  return (ag_motion){ag_vec_add(x.lin, ag_vec_cross(w, ag_vec_cross(w, mass->h))),
                     ag_vec_add(x.ang, ag_vec_cross(w, ag_mat_vec(mass->I, w)))};
}

void ag_robot_body_forces(const ag_robot *r, int body, const ag_mass *mass, const ag_number *qdd,
                          ag_vec gravity, ag_number *tau) {
  const ag_vec o = r->place[body].p;
  ag_motion m = ag_robot_acceleration(r, body, o, qdd);
  m.lin = ag_vec_sub(m.lin, gravity);
  const ag_motion needed = ag_mass_forces(mass, m, ag_robot_velocity(r, body, o).ang);
  ag_robot_push(r, body, o, needed.lin, needed.ang, tau);
}

void ag_robot_forces(const ag_robot *r, const ag_number *qdd, ag_vec gravity, ag_number *tau) {
  memset(tau, 0, (size_t)r->n * sizeof *tau);
  for (int i = r->problem->nbase > 0 ? 0 : 1; i <= r->problem->nbodies; i++) {
    const ag_mass mass = ag_robot_mass(r, i);
    ag_robot_body_forces(r, i, &mass, qdd, gravity, tau);
  }
  /* the rotors of joints that velocities accelerate */
  for (int i = 1; i <= r->problem->nbodies; i++)
    if (r->closing->dependent[i])
      turn_rotor(r, i, r->freedoms[r->problem->nbase + i - 1].drift, tau);
}

/* ---- all of it ---- */

ag_vec ag_robot_point(const ag_robot *r, const ag_site *site) {
  return ag_exact_pose_point(&r->place[site->body], site->place.p);
}

ag_mat ag_robot_axes(const ag_robot *r, const ag_site *site) {
  return ag_mat_mul(r->place[site->body].R, site->place.R);
}

static void find_velocities(ag_robot *r) {
  const ag_number *qd = ag_point_find(r->point, "qd"),
                  *twist = ag_point_find(r->point, "base.twist");
  const int nb = r->problem->nbase;
  for (int c = 0; c < nb; c++) r->qd[c] = twist ? twist[c] : ag_zero;
  for (int j = 0; j < r->problem->njoints; j++) r->qd[nb + j] = qd ? qd[j] : ag_zero;
  find_rates(r);
}

ag_robot ag_robot_still(const ag_robot *robot) {
  ag_robot r = *robot;
  r.qd = ag_alloc(r.arena, (size_t)(r.n + 1) * sizeof *r.qd);
  r.freedoms = ag_alloc(r.arena, (size_t)(r.nfreedoms + 1) * sizeof *r.freedoms);
  memcpy(r.freedoms, robot->freedoms, (size_t)r.nfreedoms * sizeof *r.freedoms);
  find_rates(&r);
  return r;
}

const ag_robot *ag_robot_uncarried(const ag_robot *robot) {
  ag_robot *r = ag_alloc(robot->arena, sizeof *r);
  *r = *robot;
  r->root = (ag_motion){ag_no_vec, ag_no_vec};
  return r;
}

ag_robot *ag_robot_at(const ag_problem *p, const ag_point *point, ag_arena *arena) {
  ag_robot *r = ag_alloc(arena, sizeof *r);
  *r = (ag_robot){.problem = p,
                  .point = point,
                  .arena = arena,
                  .n = p->nbase + p->njoints,
                  .nfreedoms = p->nbase + p->nbodies};
  const size_t n = (size_t)r->n + 1, bodies = (size_t)p->nbodies + 1,
               freedoms = (size_t)r->nfreedoms + 1;
  r->closing = ag_closing_at(p, point, arena);
  r->place = ag_alloc(arena, bodies * sizeof *r->place);
  r->mass = ag_alloc(arena, bodies * sizeof *r->mass);
  r->freedoms = ag_alloc(arena, freedoms * sizeof *r->freedoms);
  r->carries = ag_alloc(arena, bodies * freedoms * sizeof *r->carries);
  r->first = ag_alloc(arena, n * sizeof *r->first);
  r->shares = ag_alloc(arena, (freedoms + bodies * n) * sizeof *r->shares);
  r->qd = ag_alloc(arena, n * sizeof *r->qd);
  r->armature = ag_alloc(arena, n * sizeof *r->armature);
  r->M = ag_alloc(arena, n * n * sizeof *r->M);
  for (int c = 0; c < p->nbase; c++) r->carries[c] = true;
  place_bodies(r);
  link_shares(r);
  find_velocities(r);
  const ag_number *gravity = ag_point_find(point, "gravity"),
                  *armature = ag_point_find(point, "armature");
  const ag_value *given = ag_value_item(p->value, "gravity");
  const ag_number *root = ag_point_find(point, "root_acc");
  if (root) r->root = (ag_motion){vec_at(root), vec_at(root + 3)};
  r->gravity = given ? ag_vec_of(given) : gravity ? vec_at(gravity) : ag_no_vec;
  for (int j = 0; armature && j < p->njoints; j++) r->armature[p->nbase + j] = armature[j];
  for (int i = 1; i <= p->nbodies; i++) { /* a rotor turns with its own joint */
    const ag_solid *b = &p->bodies[i];
    if (r->closing->dependent[i]) continue;
    ag_number *to = &r->armature[p->nbase + b->joint];
    *to = ag_plus(*to, b->armature, ag_number_mul(b->ratio, b->ratio));
  }
  place_gears(r);
  place_masses(r);
  find_inertia(r);
  return r;
}
