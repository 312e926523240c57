/* SPDX-License-Identifier: MIT */
/* closing.c: see closing.h */
#include "prove/closing.h"

#include "prove/equations.h"

#include <stdio.h>
#include <string.h>

/* A tie or a rod. */
typedef struct closure {
  ag_site from, to;
  int stop; /* the last body that carries both */
  const ag_value *rows;
  ag_number length;
  bool rod;
} closure;

static int common(const ag_problem *p, int a, int b) {
  while (a != b) {
    if (a > b)
      a = p->bodies[a].parent;
    else
      b = p->bodies[b].parent;
  }
  return a;
}

static closure closure_of(const ag_problem *p, const ag_value *tie) {
  closure t = {.from = ag_site_of(ag_value_list(tie, "here")),
               .to = ag_site_of(ag_value_list(tie, "there")),
               .rows = ag_value_list(tie, "rows"),
               .length = ag_value_exact(tie, "length")};
  t.rod = t.length.value > 0;
  t.stop = common(p, t.from.body, t.to.body);
  return t;
}

/* ---- what moves, seen from a body that stands still ---- */

typedef struct moving { /* a body: its place, and the motion of its origin */
  ag_exact_pose place;
  ag_vec axis; /* of its joint */
  ag_vec w, wd, v, a;
} moving;

static ag_vec carried(const moving *m, ag_vec r, ag_vec *a) {
  const ag_vec wr = ag_vec_cross(m->w, r);
  *a = ag_vec_add(m->a, ag_vec_add(ag_vec_cross(m->wd, r), ag_vec_cross(m->w, wr)));
  return ag_vec_add(m->v, wr);
}

/* The body, with joints that move at these rates, by body; NULL: they stand still. */
static moving moving_of(const ag_closing *c, int body, int stop, const ag_number *rates) {
  if (body == stop) return (moving){.place = {ag_no_vec, ag_mat_unit()}};
  const ag_solid *b = &c->problem->bodies[body];
  const moving under = moving_of(c, b->parent, stop, rates);
  const ag_number rate = rates ? rates[body] : ag_zero;
  ag_vec axis;
  const ag_exact_pose here = ag_body_place(c->point, b, &c->spots[body], &axis);
  moving m = {.place = ag_exact_pose_mul(&under.place, &here),
              .axis = ag_mat_vec(under.place.R, axis),
              .w = under.w,
              .wd = under.wd};
  m.v = carried(&under, ag_vec_sub(m.place.p, under.place.p), &m.a);
  const ag_vec turned = ag_vec_cross(under.w, m.axis);
  if (b->slides) {
    m.v = ag_vec_add(m.v, ag_vec_scale(rate, m.axis));
    m.a = ag_vec_add(m.a, ag_vec_scale(ag_number_add(rate, rate), turned));
  } else {
    m.w = ag_vec_add(m.w, ag_vec_scale(rate, m.axis));
    m.wd = ag_vec_add(m.wd, ag_vec_scale(rate, turned));
  }
  return m;
}

/* ---- equations ---- */

typedef struct loop { /* a linkage: rows n, by dependent joint; J by row and body */
  int n, nbodies;
  const ag_value *told;
  ag_number *r, *J, *drift;
} loop;

static int axis_of(const char *name) {
  return name[4] - 'x';
}

/* What is left of angular row k: the sine of an angle by which {to} is turned in {from}, or, where rows leave one axis free,
 * how that axis leans. */
static ag_number angle_left(const closure *t, int k, ag_mat R) {
  const int a = axis_of(t->rows->items[k].text), b = (a + 1) % 3, c = (a + 2) % 3;
  int angular = 0, others = 3;
  for (int i = 0; i < t->rows->length; i++) {
    if (strncmp(t->rows->items[i].text, "ang", 3) != 0) continue;
    angular++;
    others -= axis_of(t->rows->items[i].text);
  }
  if (angular == 2 && others == c) return ag_number_neg(R.x[b][c]);
  if (angular == 2 && others == b) return R.x[c][b];
  return ag_number_mul(ag_number_of(0.5), ag_number_sub(R.x[c][b], R.x[b][c]));
}

typedef struct row { /* of J: along an axis through a point, or about it */
  ag_vec axis, point;
  bool angular;
  ag_number *J; /* by body */
} row;

/* How the joint of a body moves the point, or turns. */
static ag_vec moved(const ag_closing *c, int body, const moving *m, const row *along) {
  const bool slides = c->problem->bodies[body].slides;
  if (along->angular) return slides ? ag_no_vec : m->axis;
  return slides ? m->axis : ag_vec_cross(m->axis, ag_vec_sub(along->point, m->place.p));
}

/* Adds what the joints between a body and the stop move. */
static void add_way(const ag_closing *c, const closure *t, int body, const row *to) {
  const bool back = body == t->from.body;
  for (int i = body; i != t->stop; i = c->problem->bodies[i].parent) {
    const moving m = moving_of(c, i, t->stop, NULL);
    const ag_number x = ag_dot(to->axis, moved(c, i, &m, to));
    to->J[i] = ag_number_add(to->J[i], back ? ag_number_neg(x) : x);
  }
}

typedef struct two { /* the ends of a tie or a rod */
  moving from, to;
  ag_vec p_from, p_to; /* its points */
  ag_mat R;            /* axes of {from} */
} two;

static two ends_of(const ag_closing *c, const closure *t, const ag_number *rates) {
  two e = {.from = moving_of(c, t->from.body, t->stop, rates),
           .to = moving_of(c, t->to.body, t->stop, rates)};
  e.p_from = ag_exact_pose_point(&e.from.place, t->from.place.p);
  e.p_to = ag_exact_pose_point(&e.to.place, t->to.place.p);
  e.R = ag_mat_mul(e.from.place.R, t->from.place.R);
  return e;
}

/* (d . d - l^2) / 2 l, along d / l; (v . v + d . a) / l */
static void put_rod(const ag_closing *c, const closure *t, const ag_number *rates, loop *to) {
  const two e = ends_of(c, t, rates);
  const ag_vec d = ag_vec_sub(e.p_to, e.p_from);
  const ag_number half = ag_number_of(0.5), inverse = ag_number_div(ag_one, t->length),
                  left = ag_number_sub(ag_dot(d, d), ag_number_mul(t->length, t->length));
  const ag_vec along = ag_vec_scale(inverse, d);
  ag_number *J = to->J + (ptrdiff_t)to->n * to->nbodies;
  add_way(c, t, t->to.body, &(row){along, e.p_to, false, J});
  add_way(c, t, t->from.body, &(row){along, e.p_from, false, J});
  ag_vec a_from, a_to;
  const ag_vec v_from = carried(&e.from, ag_vec_sub(e.p_from, e.from.place.p), &a_from),
               v_to = carried(&e.to, ag_vec_sub(e.p_to, e.to.place.p), &a_to),
               v = ag_vec_sub(v_to, v_from);
  to->r[to->n] = ag_number_mul(half, ag_number_mul(inverse, left));
  to->drift[to->n++] =
      ag_number_add(ag_number_mul(inverse, ag_dot(v, v)), ag_dot(along, ag_vec_sub(a_to, a_from)));
}

/* The motion of {to} relative to {from}, at the point p of {to}: a_to - a - 2 w x (v_to - v), wd_to - wd - w x w_to */
static void put_tie(const ag_closing *c, const closure *t, const ag_number *rates, loop *to) {
  const two e = ends_of(c, t, rates);
  const ag_mat back = ag_mat_transpose(e.R),
               R = ag_mat_mul(back, ag_mat_mul(e.to.place.R, t->to.place.R));
  const ag_vec d = ag_mat_vec(back, ag_vec_sub(e.p_to, e.p_from));
  ag_vec a, a_to;
  const ag_vec v = carried(&e.from, ag_vec_sub(e.p_to, e.from.place.p), &a),
               v_to = carried(&e.to, ag_vec_sub(e.p_to, e.to.place.p), &a_to),
               turning = ag_vec_cross(e.from.w, ag_vec_sub(v_to, v)),
               lin = ag_vec_sub(ag_vec_sub(a_to, a), ag_vec_add(turning, turning)),
               ang = ag_vec_sub(ag_vec_sub(e.to.wd, e.from.wd), ag_vec_cross(e.from.w, e.to.w));
  for (int k = 0; k < t->rows->length; k++) {
    const char *name = t->rows->items[k].text;
    const int axis = axis_of(name);
    const row along = {.axis = ag_column(e.R, axis),
                       .point = e.p_to,
                       .angular = strncmp(name, "ang", 3) == 0,
                       .J = to->J + (ptrdiff_t)to->n * to->nbodies};
    add_way(c, t, t->to.body, &along);
    add_way(c, t, t->from.body, &along);
    to->r[to->n] = along.angular ? angle_left(t, k, R) : d.x[axis];
    to->drift[to->n++] = ag_dot(along.axis, along.angular ? ang : lin);
  }
}

static ag_number *zeros(const ag_closing *c, int count) {
  return ag_alloc(c->arena, (size_t)(count + 1) * sizeof(ag_number));
}

static loop loop_at(const ag_closing *c, const ag_value *told, const ag_number *rates) {
  const ag_value *ties = ag_value_list(told, "ties");
  const int n = ag_value_list(told, "dependent")->length;
  loop l = {.nbodies = c->problem->nbodies + 1, .told = told};
  l.r = zeros(c, n);
  l.J = zeros(c, n * l.nbodies);
  l.drift = zeros(c, n);
  for (int k = 0; k < ties->length; k++) {
    const closure t = closure_of(c->problem, &ties->items[k]);
    if (t.rod)
      put_rod(c, &t, rates, &l);
    else
      put_tie(c, &t, rates, &l);
  }
  return l;
}

static int number_at(const ag_value *list, int k) {
  return (int)list->items[k].number;
}

/* Columns of bodies; scaled: where slides count as turns with the robot's reach as lever. */
static ag_number *columns_of(const ag_closing *c, const loop *l, const ag_value *bodies,
                             bool scaled) {
  const ag_number reach = ag_value_exact(c->problem->value, "reach");
  ag_number *A = zeros(c, l->n * bodies->length);
  for (int k = 0; k < l->n; k++)
    for (int a = 0; a < bodies->length; a++) {
      const int i = number_at(bodies, a);
      const ag_number x = l->J[k * l->nbodies + i];
      A[k * bodies->length + a] =
          scaled && c->problem->bodies[i].slides ? ag_number_mul(reach, x) : x;
    }
  return A;
}

static void add_sizes(const ag_closing *c, const loop *l, const char *word, ag_number *sizes) {
  const ag_value *bodies = ag_value_list(l->told, word);
  const ag_number *A = columns_of(c, l, bodies, true);
  for (int k = 0; k < l->n * bodies->length; k++)
    sizes[k / bodies->length] = ag_plus(sizes[k / bodies->length], A[k], A[k]);
}

static ag_number threshold_of(const ag_closing *c) {
  return ag_number_of(c->point->header->target.single ? 1e-6 : 1e-8);
}

/* J_d x = b; judged: of a linkage that may be singular here. */
static ag_answer solved(const ag_closing *c, const loop *l, bool judged, const ag_number *b,
                        int count) {
  const ag_value *dependent = ag_value_list(l->told, "dependent");
  const ag_number least = threshold_of(c);
  ag_number *sizes = zeros(c, l->n);
  if (judged) {
    add_sizes(c, l, "dependent", sizes);
    add_sizes(c, l, "independent", sizes);
  }
  const ag_equations e = {.decisions = c->point->decisions,
                          .arena = c->arena,
                          .blocks = ag_value_list(l->told, "blocks"),
                          .n = l->n,
                          .A = columns_of(c, l, dependent, judged),
                          .sizes = sizes,
                          .least = judged ? &least : NULL};
  const ag_answer answer = ag_equations_solve(&e, b, count);
  const ag_number reach = ag_value_exact(c->problem->value, "reach");
  for (int k = 0; judged && k < l->n * count; k++)
    if (c->problem->bodies[number_at(dependent, k / count)].slides)
      answer.x[k] = ag_number_mul(reach, answer.x[k]);
  return answer;
}

/* ---- positions ---- */

/* By 2 atan(x / 2): cos = (1 - t^2) / (1 + t^2), sin = 2 t / (1 + t^2), t = x / 2. */
static void turn(ag_spot *at, ag_number x) {
  const ag_number t = ag_number_mul(ag_number_of(0.5), x), tt = ag_number_mul(t, t),
                  scale = ag_number_div(ag_one, ag_number_add(ag_one, tt)),
                  cosine = ag_number_mul(scale, ag_number_sub(ag_one, tt)),
                  sine = ag_number_mul(scale, ag_number_add(t, t)), c = at->c, s = at->s;
  at->c = ag_number_sub(ag_number_mul(cosine, c), ag_number_mul(sine, s));
  at->s = ag_number_add(ag_number_mul(cosine, s), ag_number_mul(sine, c));
}

/* linkage_start: cosine and sine of what turns, by x (3 - x . x) / 2 of length 1. */
static void start(const ag_closing *c, const ag_value *told) {
  const ag_value *dependent = ag_value_list(told, "dependent");
  const char *name = ag_printf(c->arena, "linkage_start.%s", ag_value_text(told, "name"));
  const ag_number *x = ag_point_find(c->point, name);
  for (int a = 0; x && a < dependent->length; a++) {
    const int i = number_at(dependent, a);
    ag_spot *at = &c->spots[i];
    if (c->problem->bodies[i].slides) {
      *at = (ag_spot){.q = *x++};
      continue;
    }
    const ag_number norm2 = ag_plus(ag_number_mul(x[0], x[0]), x[1], x[1]),
                    factor =
                        ag_number_sub(ag_number_of(1.5), ag_number_mul(ag_number_of(0.5), norm2));
    *at = (ag_spot){.c = ag_number_mul(factor, x[0]), .s = ag_number_mul(factor, x[1])};
    x += 2;
  }
}

static void newton(const ag_closing *c, const ag_value *told) {
  const ag_value *dependent = ag_value_list(told, "dependent");
  const int steps = ag_value_integer(told, "steps");
  for (int step = 0; step < steps; step++) {
    const loop l = loop_at(c, told, NULL);
    const ag_number *x = solved(c, &l, false, l.r, 1).x;
    for (int a = 0; a < l.n; a++) {
      const int i = number_at(dependent, a);
      ag_spot *at = &c->spots[i];
      if (c->problem->bodies[i].slides)
        at->q = ag_number_sub(at->q, x[a]);
      else
        turn(at, ag_number_neg(x[a]));
    }
  }
}

/* P of a linkage at the position where its joints stand. */
static ag_answer ratios(const ag_closing *c, const loop *l) {
  const ag_value *independent = ag_value_list(l->told, "independent");
  ag_number *b = columns_of(c, l, independent, false);
  for (int k = 0; k < l->n * independent->length; k++) b[k] = ag_number_neg(b[k]);
  return solved(c, l, true, b, independent->length);
}

static bool is_moved(const ag_closing *c, const loop *l) {
  const ag_value *independent = ag_value_list(l->told, "independent");
  bool any = false;
  for (int b = 0; b < independent->length; b++)
    any = any || c->spots[number_at(independent, b)].q.rate != 0;
  return any;
}

/* Dependent joints move with the independent ones: dq_d = P dq_i. */
static void follow(const ag_closing *c, const loop *l, const ag_number *P) {
  const ag_value *dependent = ag_value_list(l->told, "dependent"),
                 *independent = ag_value_list(l->told, "independent");
  for (int a = 0; a < l->n; a++) {
    ag_spot *at = &c->spots[number_at(dependent, a)];
    ag_residue rate = 0;
    for (int b = 0; b < independent->length; b++)
      rate = ag_residue_add(rate, ag_residue_mul(P[a * independent->length + b].exact,
                                                 c->spots[number_at(independent, b)].q.rate));
    at->q.rate = rate;
    at->c.rate = ag_residue_neg(ag_residue_mul(at->s.exact, rate));
    at->s.rate = ag_residue_mul(at->c.exact, rate);
  }
}

static ag_number size_of(const ag_closing *c, ag_number x) {
  return ag_decide(c->point->decisions, x, ag_zero) ? ag_number_neg(x) : x;
}

/* Whether something is left of the ties and rods: at a random point there is, which then counts as nothing. */
static bool left_open(const ag_closing *c, const loop *l, ag_closed *to) {
  const ag_number tolerance = ag_value_exact(l->told, "tolerance");
  to->residual = ag_zero;
  for (int k = 0; k < l->n; k++) {
    const ag_number x = size_of(c, l->r[k]);
    if (ag_decide(c->point->decisions, to->residual, x)) to->residual = x;
  }
  return !ag_decide_usual(c->point->decisions, to->residual, tolerance, true);
}

static void close_one(ag_closing *c, const ag_value *told, ag_closed *to) {
  const ag_value *dependent = ag_value_list(told, "dependent"),
                 *joints = ag_value_list(told, "joints");
  to->told = told;
  start(c, told);
  newton(c, told);
  for (int a = 0; a < dependent->length; a++) {
    ag_spot *at = &c->spots[number_at(dependent, a)];
    at->q.rate = at->c.rate = at->s.rate = 0;
  }
  const loop still = loop_at(c, told, NULL);
  follow(c, &still, ratios(c, &still).x);
  const loop l = loop_at(c, told, NULL);
  const ag_answer P = ratios(c, &l);
  to->pivot = P.pivot;
  const bool left = left_open(c, &l, to);
  c->open = c->open || left || P.bad;
  c->moved = c->moved || (P.bad && is_moved(c, &l));
  for (int a = 0; a < l.n; a++)
    for (int b = 0; b < joints->length; b++) {
      const int at = number_at(dependent, a) * c->problem->njoints + number_at(joints, b) - 1;
      c->moves[at] = true;
      c->P[at] = P.x[a * joints->length + b];
    }
}

ag_closing *ag_closing_at(const ag_problem *p, const ag_point *point, ag_arena *arena) {
  const ag_value *linkages = ag_value_list(p->value, "linkages");
  const size_t bodies = (size_t)p->nbodies + 1, size = bodies * (size_t)(p->njoints + 1);
  const ag_number *q = ag_point_find(point, "q");
  ag_closing *c = ag_alloc(arena, sizeof *c);
  *c = (ag_closing){.problem = p, .point = point, .arena = arena, .nlinkages = linkages->length};
  c->spots = ag_alloc(arena, bodies * sizeof *c->spots);
  c->dependent = ag_alloc(arena, bodies * sizeof *c->dependent);
  c->moves = ag_alloc(arena, size * sizeof *c->moves);
  c->P = ag_alloc(arena, size * sizeof *c->P);
  c->linkages = ag_alloc(arena, (size_t)(linkages->length + 1) * sizeof *c->linkages);
  for (int k = 0; k < linkages->length; k++) {
    const ag_value *dependent = ag_value_list(&linkages->items[k], "dependent");
    for (int a = 0; a < dependent->length; a++) c->dependent[number_at(dependent, a)] = true;
  }
  for (int i = 1; i <= p->nbodies; i++) {
    const ag_solid *b = &p->bodies[i];
    if (c->dependent[i]) continue;
    ag_number x = ag_number_add(ag_number_mul(b->ratio, q[b->joint]), b->offset);
    if (b->ball) x = (ag_number){.rate = q[b->joint].rate}; /* a turn that the quaternion begins */
    c->spots[i] = ag_spot_at(x);
  }
  for (int k = 0; k < linkages->length; k++) close_one(c, &linkages->items[k], &c->linkages[k]);
  return c;
}

/* ---- velocities and torques ---- */

ag_number *ag_closing_drift(const ag_closing *c, const ag_number *qd) {
  const int bodies = c->problem->nbodies + 1, joints = c->problem->njoints;
  ag_number *drift = zeros(c, bodies), *rates = zeros(c, bodies);
  for (int i = 1; i < bodies && c->nlinkages > 0; i++) {
    const ag_solid *b = &c->problem->bodies[i];
    for (int j = 0; c->dependent[i] && j < joints; j++)
      rates[i] = ag_plus(rates[i], c->P[i * joints + j], qd[j]);
    if (!c->dependent[i]) rates[i] = ag_number_mul(b->ratio, qd[b->joint]);
  }
  for (int k = 0; k < c->nlinkages; k++) {
    const loop l = loop_at(c, c->linkages[k].told, rates);
    const ag_value *dependent = ag_value_list(l.told, "dependent");
    for (int i = 0; i < l.n; i++) l.drift[i] = ag_number_neg(l.drift[i]);
    const ag_number *x = solved(c, &l, true, l.drift, 1).x;
    for (int a = 0; a < l.n; a++) drift[number_at(dependent, a)] = x[a];
  }
  return drift;
}

ag_number *ag_closing_motors(const ag_closing *c, const ag_closed *of, const ag_number *tau,
                             bool *bad) {
  const ag_value *motors = ag_value_list(of->told, "motors"),
                 *joints = ag_value_list(of->told, "joints"),
                 *dependent = ag_value_list(of->told, "dependent");
  const int n = joints->length;
  const ag_number least = threshold_of(c);
  ag_number *A = zeros(c, n * n), *sizes = zeros(c, n), *own = zeros(c, n);
  for (int b = 0; b < n; b++) {
    const int joint = number_at(joints, b) - 1;
    own[b] = tau[joint];
    for (int m = 0; m < n; m++) {
      const int place = ag_value_integer(&motors->items[m], "place"),
                motor = ag_value_integer(&motors->items[m], "joint") - 1;
      if (place > 0)
        A[b * n + m] = c->P[number_at(dependent, place - 1) * c->problem->njoints + joint];
      else if (motor == joint)
        A[b * n + m] = ag_one;
      sizes[b] = ag_plus(sizes[b], A[b * n + m], A[b * n + m]);
    }
  }
  const ag_equations e = {.decisions = c->point->decisions,
                          .arena = c->arena,
                          .blocks = ag_value_list(of->told, "motor_blocks"),
                          .n = n,
                          .A = A,
                          .sizes = sizes,
                          .least = &least};
  const ag_answer answer = ag_equations_solve(&e, own, 1);
  *bad = answer.bad;
  return answer.x;
}

void ag_closing_draw(const ag_problem *p, const ag_point *point, int k) {
  const ag_value *linkages = ag_value_list(p->value, "linkages");
  for (int l = 0; l < linkages->length; l++) {
    const ag_value *dependent = ag_value_list(&linkages->items[l], "dependent");
    char name[200];
    snprintf(name, sizeof name, "linkage_start.%s", ag_value_text(&linkages->items[l], "name"));
    ag_number *x = ag_point_find(point, name);
    for (int a = 0; x && a < dependent->length; a++) {
      const bool slides = p->bodies[number_at(dependent, a)].slides;
      const double drawn = (double)(ag_point_residue(name, k * 100 + a) % 100000) / 1e5;
      if (slides) {
        *x++ = ag_number_of(0.2 * drawn - 0.1);
        continue;
      }
      ag_point_circle(6 * drawn - 3, &x[0], &x[1]);
      x += 2;
    }
  }
}
