/* SPDX-License-Identifier: MIT */
/* massless.c: see massless.h
 *
 * The articulated inertia D_k of a joint is the pivot of the joint-space inertia matrix M when it
 * is eliminated from the tips inwards (M = L^T D L); M comes from composite rigid bodies. Joints
 * that mimic share their leader's coordinate, M' = G^T M G, and a moving base has coordinates of
 * its own before all joints. A pivot that vanishes in generic configurations vanishes in all. */
#include "model/massless.h"

#include "model/pose.h"

#include <math.h>
#include <string.h>

/* A pivot that is smaller than this part of what the joint carries is the rounding error of a zero.
 */
static const double PIVOT_TOLERANCE = 1e-12;

/* Configurations to try; the last one is q = 0. */
enum { GENERIC = 3, AT_ZERO = GENERIC };

typedef struct force { /* on a body, moment about its frame's origin, its axes */
  double n[3], f[3];
} force;

typedef struct inspector {
  const ag_model *model;
  const ag_selection *selection;
  const ag_reduced *reduced;
  int nbase; /* coordinates of the base: 0, 3 (x y yaw) or 6 (x y z, then turns) */
  int ncoordinates;
  int *coordinate;   /* of a body */
  double *factor;    /* of a body: d q_body / d coordinate */
  int *owner;        /* of a coordinate: body; -1: the base */
  ag_pose *pose;     /* of a body in its parent body's frame */
  ag_inertia *whole; /* of a body and all beyond it, rigid; [nbodies]: of the base and all */
  ag_inertia *own;   /* of a body, run-time inertias included; [nbodies]: of the base */
  double *M;         /* by rows */
  double *scale;     /* of a coordinate: the size that M's diagonal could have */
} inspector;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static const ag_joint *joint_of(const inspector *w, int body) {
  return &w->model->links[w->reduced->bodies[body].link].joint;
}

static double trace(const ag_inertia *inertia) {
  return inertia->I[0] + inertia->I[3] + inertia->I[5];
}

/* Bodies with the inertias that come at run time: any will do, here 1 kg and 1 kg m^2. */
static void find_inertias(inspector *w) {
  static const ag_inertia STAND_IN = {1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
  const ag_reduced *reduced = w->reduced;
  for (int k = 0; k < reduced->nbodies; ++k) w->own[k] = reduced->bodies[k].inertia;
  w->own[reduced->nbodies] = reduced->base;
  for (int f = 0; f < reduced->nframes; ++f) {
    const ag_frame *frame = &reduced->frames[f];
    const bool *own = w->selection->own_inertia, *carries = w->selection->carries;
    if (!(own && own[frame->link]) && !(carries && carries[frame->link])) continue;
    const ag_inertia part = ag_inertia_transform(&frame->pose, &STAND_IN);
    ag_inertia_add(&w->own[frame->body < 0 ? reduced->nbodies : frame->body], &part);
  }
}

/* The leaders' coordinates behind the base's, in the order of the bodies. */
static void number_coordinates(inspector *w) {
  const ag_reduced *reduced = w->reduced;
  int count = w->nbase;
  for (int c = 0; c < count; ++c) w->owner[c] = -1;
  for (int k = 0; k < reduced->nbodies; ++k) {
    if (reduced->bodies[k].mimic >= 0) continue;
    w->owner[count] = k;
    w->coordinate[k] = count++;
    w->factor[k] = 1;
  }
  for (int k = 0; k < reduced->nbodies; ++k) {
    if (reduced->bodies[k].mimic < 0) continue;
    w->coordinate[k] = w->coordinate[reduced->bodies[k].mimic];
    w->factor[k] = joint_of(w, k)->multiplier;
  }
  w->ncoordinates = count;
}

/* Poses in a configuration: angles and travels of one to two and a half that fit no pattern, or 0.
 */
static void set_configuration(inspector *w, int configuration) {
  const ag_reduced *reduced = w->reduced;
  for (int k = 0; k < reduced->nbodies; ++k) {
    const ag_body *body = &reduced->bodies[k];
    const ag_joint *joint = joint_of(w, k);
    const int leader = body->mimic < 0 ? k : body->mimic;
    const double spread =
        0.6180339887 * (leader + 1) + 0.3819660113 * configuration * configuration;
    double q = configuration == AT_ZERO ? 0 : 1 + 1.5 * (spread - floor(spread));
    if (body->mimic >= 0) q = joint->multiplier * q + joint->offset;
    if (joint->type != AG_PRISMATIC) q = fmod(q, 6.283185307179586);
    const ag_pose motion = ag_pose_of_motion(joint->type, body->axis, q, false);
    w->pose[k] = ag_pose_mul(&body->origin, &motion);
  }
}

/* A force on a body, carried to its parent body's frame: f' = R f, n' = R n + p x f'. */
static force force_to_parent(const ag_pose *pose, const force *on) {
  force out;
  double lever[3];
  for (int i = 0; i < 3; ++i) {
    out.f[i] = dot(pose->R[i], on->f);
    out.n[i] = dot(pose->R[i], on->n);
  }
  cross(pose->p, out.f, lever);
  for (int i = 0; i < 3; ++i) out.n[i] += lever[i];
  return out;
}

/* What accelerates an inertia by the turn w and the translation v: n = I w + h x v, f = m v - h x
 * w. */
static force inertia_times(const ag_inertia *inertia, const double w[3], const double v[3]) {
  const double *I = inertia->I;
  force out = {{I[0] * w[0] + I[1] * w[1] + I[2] * w[2], I[1] * w[0] + I[3] * w[1] + I[4] * w[2],
                I[2] * w[0] + I[4] * w[1] + I[5] * w[2]},
               {0, 0, 0}};
  double hv[3], hw[3];
  cross(inertia->h, v, hv);
  cross(inertia->h, w, hw);
  for (int i = 0; i < 3; ++i) {
    out.n[i] += hv[i];
    out.f[i] = inertia->m * v[i] - hw[i];
  }
  return out;
}

/* The element of a force along the base's coordinate c: floating x y z, turns; planar x y yaw. */
static double along_base(const inspector *w, const force *on, int c) {
  if (w->nbase == 3) return c < 2 ? on->f[c] : on->n[2];
  return c < 3 ? on->f[c] : on->n[c - 3];
}

static void base_direction(const inspector *w, int c, double turn[3], double move[3]) {
  for (int i = 0; i < 3; ++i) turn[i] = move[i] = 0;
  if (w->nbase == 3)
    *(c < 2 ? &move[c] : &turn[2]) = 1;
  else
    *(c < 3 ? &move[c] : &turn[c - 3]) = 1;
}

/* Adds to M's lower triangle; a coordinate's diagonal element gets both orders of a pair. */
static void add_element(inspector *w, int a, int b, bool pair, double value) {
  const int row = a > b ? a : b, column = a > b ? b : a;
  w->M[(size_t)row * (size_t)w->ncoordinates + (size_t)column] +=
      pair && a == b ? 2 * value : value;
}

/* The base's own block. */
static void fill_base(inspector *w) {
  const ag_inertia *all = &w->whole[w->reduced->nbodies];
  for (int c = 0; c < w->nbase; ++c) {
    double turn[3], move[3];
    base_direction(w, c, turn, move);
    const force column = inertia_times(all, turn, move);
    for (int row = c; row < w->nbase; ++row)
      add_element(w, row, c, false, along_base(w, &column, row));
    w->scale[c] = dot(move, move) > 0 ? all->m : trace(all);
  }
}

/* M_kj = S_j^T X I^c_k S_k for j on the way from k to the base (composite rigid bodies). */
static void fill_body(inspector *w, int k) {
  static const double NONE[3] = {0, 0, 0};
  const ag_reduced *reduced = w->reduced;
  const ag_body *body = &reduced->bodies[k];
  const bool slides = joint_of(w, k)->type == AG_PRISMATIC;
  const double g = w->factor[k], size = slides ? w->whole[k].m : trace(&w->whole[k]);
  const int c = w->coordinate[k];
  force on = inertia_times(&w->whole[k], slides ? NONE : body->axis, slides ? body->axis : NONE);
  add_element(w, c, c, false, g * g * dot(body->axis, slides ? on.f : on.n));
  w->scale[c] += g * g * size;
  if (w->selection->armature && w->selection->armature[body->link])
    add_element(w, c, c, false, g * g * (size > 0 ? size : 1));
  for (int i = k; i >= 0;) {
    on = force_to_parent(&w->pose[i], &on);
    i = reduced->bodies[i].parent;
    if (i < 0) break;
    const bool slid = joint_of(w, i)->type == AG_PRISMATIC;
    add_element(w, c, w->coordinate[i], true,
                g * w->factor[i] * dot(reduced->bodies[i].axis, slid ? on.f : on.n));
  }
  for (int b = 0; b < w->nbase; ++b) add_element(w, c, b, false, g * along_base(w, &on, b));
}

static void fill(inspector *w) {
  const ag_reduced *reduced = w->reduced;
  const size_t n = (size_t)w->ncoordinates;
  memset(w->M, 0, n * n * sizeof *w->M);
  memset(w->scale, 0, n * sizeof *w->scale);
  memcpy(w->whole, w->own, ((size_t)reduced->nbodies + 1) * sizeof *w->whole);
  for (int k = reduced->nbodies - 1; k >= 0; --k) {
    const int parent = reduced->bodies[k].parent;
    const ag_inertia moved = ag_inertia_transform(&w->pose[k], &w->whole[k]);
    ag_inertia_add(&w->whole[parent < 0 ? reduced->nbodies : parent], &moved);
  }
  fill_base(w);
  for (int k = 0; k < reduced->nbodies; ++k) fill_body(w, k);
}

/* The coordinate whose pivot vanishes, eliminating from the last; -1: none. */
static int vanishing_pivot(inspector *w) {
  const size_t n = (size_t)w->ncoordinates;
  for (size_t k = n; k-- > 0;) {
    const double *row = &w->M[k * n];
    if (!(row[k] > PIVOT_TOLERANCE * w->scale[k])) return (int)k;
    for (size_t i = 0; i < k; ++i) {
      if (row[i] == 0) continue;
      const double factor = row[i] / row[k];
      for (size_t j = 0; j <= i; ++j) w->M[i * n + j] -= factor * row[j];
    }
  }
  return -1;
}

/* "; without mass: link "a", "b"", of the moving bodies; "": none. */
static const char *massless_links(const inspector *w, ag_arena *arena) {
  enum { NAMED = 8 };
  const char *list = "";
  int count = 0;
  for (int k = 0; k < w->reduced->nbodies; ++k) {
    const double *I = w->own[k].I;
    if (w->own[k].m > 0 || fabs(I[0]) + fabs(I[3]) + fabs(I[5]) > 0) continue;
    if (++count <= NAMED)
      list = ag_printf(arena, "%s%s\"%s\"", list, count == 1 ? "" : ", ",
                       w->model->links[w->reduced->bodies[k].link].name);
  }
  if (count == 0) return "";
  if (count > NAMED) list = ag_printf(arena, "%s and %d more", list, count - NAMED);
  return ag_printf(arena, "; link%s without mass: %s", count == 1 ? "" : "s", list);
}

void ag_find_massless(const ag_model *model, const ag_selection *selection, ag_reduced *reduced,
                      ag_arena *arena) {
  const size_t nbodies = (size_t)reduced->nbodies;
  inspector w = {.model = model,
                 .selection = selection,
                 .reduced = reduced,
                 .nbase = selection->base == AG_FLOATING ? 6
                          : selection->base == AG_PLANAR ? 3
                                                         : 0};
  const size_t most = nbodies + (size_t)w.nbase;
  w.coordinate = ag_alloc(arena, nbodies * sizeof *w.coordinate);
  w.factor = ag_alloc(arena, nbodies * sizeof *w.factor);
  w.owner = ag_alloc(arena, most * sizeof *w.owner);
  w.pose = ag_alloc(arena, nbodies * sizeof *w.pose);
  w.whole = ag_alloc(arena, (nbodies + 1) * sizeof *w.whole);
  w.own = ag_alloc(arena, (nbodies + 1) * sizeof *w.own);
  w.M = ag_alloc(arena, most * most * sizeof *w.M);
  w.scale = ag_alloc(arena, most * sizeof *w.scale);
  find_inertias(&w);
  number_coordinates(&w);

  int vanishes = 0;
  for (int configuration = 0; configuration < GENERIC && vanishes >= 0; ++configuration) {
    set_configuration(&w, configuration);
    fill(&w);
    vanishes = vanishing_pivot(&w);
  }
  if (vanishes >= 0) {
    const int body = w.owner[vanishes];
    const ag_link *link = &model->links[body < 0 ? reduced->root : reduced->bodies[body].link];
    const char *without = massless_links(&w, arena);
    if (body < 0)
      reduced->pivot_fault = (ag_fault){
          link->line,
          ag_printf(arena,
                    "the moving base \"%s\": no mass or rotational inertia resists one of its "
                    "motions%s",
                    link->name, without),
          "give the base link an <inertial>, or inertials in the layout"};
    else
      reduced->pivot_fault = (ag_fault){
          link->joint.line,
          ag_printf(arena,
                    "joint \"%s\": no mass or rotational inertia beyond it resists its motion%s",
                    link->joint.name, without),
          "give a link beyond it an <inertial> (or inertials in the layout), make the joint fixed, "
          "or "
          "give it an armature in the layout"};
    return;
  }
  set_configuration(&w, AT_ZERO);
  fill(&w);
  vanishes = vanishing_pivot(&w);
  if (vanishes >= 0 && w.owner[vanishes] >= 0) {
    const ag_joint *joint = joint_of(&w, w.owner[vanishes]);
    ag_note_add(&reduced->warnings, &reduced->nwarnings, arena, joint->line,
                "joint \"%s\": nothing resists its motion at q = 0, where the dynamics is singular",
                joint->name);
  }
}
