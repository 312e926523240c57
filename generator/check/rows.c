/* SPDX-License-Identifier: MIT */
/* rows.c: see rows.h */
#include "check/rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void find_frames(ag_reference *reference, ag_arena *arena) {
  const ag_run *jac = ag_reference_run(reference, "jac");
  const ag_list *out = &jac->graph->function->out;
  reference->frames = ag_alloc(arena, (size_t)(out->nquantities + 1) * sizeof *reference->frames);
  for (int k = 0; k < out->nquantities; k++) {
    if (strncmp(out->quantities[k].name, "jac.", 4) != 0) continue; /* it is of a linkage */
    const char *id = out->quantities[k].name + 4;
    reference->frames[reference->nframes++] = (ag_moving_frame){
        .id = id,
        .pose = ag_output_of(ag_reference_run(reference, "fk"), ag_printf(arena, "pose.%s", id)),
        .twist = ag_output_of(ag_reference_run(reference, "fvk"), ag_printf(arena, "twist.%s", id)),
        .acc = ag_output_of(ag_reference_run(reference, "fak"), ag_printf(arena, "acc.%s", id)),
        .jac = ag_output_of(jac, ag_printf(arena, "jac.%s", id)),
        .jdqd = ag_output_of(ag_reference_run(reference, "jdqd"), ag_printf(arena, "jdqd.%s", id))};
  }
}

/* J-dot q-dot, and what a base that is given an acceleration carries the frame with: a + alpha x p, alpha */
void ag_rows_drift(const ag_reference *reference, const ag_moving_frame *f, double a[6]) {
  const double *root = ag_sampler_find(&reference->sampler, "root_acc");
  double turned[3] = {0};
  if (root) ag_cross(root + 3, f->pose, turned);
  for (int i = 0; i < 6; i++) a[i] = f->jdqd[i] + (root ? root[i] : 0) + (i < 3 ? turned[i] : 0);
}

void ag_rows_place(ag_reference *reference, ag_arena *arena) {
  static const double unasked[6] = {
      1, 0, 0, 0, 0, 0}; /* of rows whose directions no function has as an input */
  reference->rows = ag_alloc(arena, (size_t)(reference->nrows + 1) * sizeof *reference->rows);
  for (int k = 0, first = 0; k < reference->nrows; k++) {
    const ag_row_info *info = &reference->header.rows[k];
    ag_placed_row *r = &reference->rows[k];
    if (strcmp(reference->header.rows[first].group, info->group) != 0) first = k;
    for (int m = 0; m < reference->header.nmarks; m++) {
      const ag_mark *g = &reference->header.marks[m];
      if (g->kind == AG_MARK_GROUP && strcmp(g->name, info->group) == 0) r->group = g;
    }
    assert(r->group);
    r->joint = -1;
    if (strcmp(r->group->axes, "joint") == 0) {
      r->joint = 0;
      while (strcmp(reference->header.joints[r->joint].id, info->name) != 0) r->joint++;
      continue;
    }
    r->frame = ag_reference_frame(reference, r->group->link);
    if (r->group->to >= 0) r->to = ag_reference_frame(reference, r->group->to);
    if (info->kind == AG_ROW_FREE) {
      const double *directions =
          ag_sampler_find(&reference->sampler, ag_printf(arena, "dir.%s", r->group->name));
      r->direction = directions ? directions + 6 * (size_t)(k - first) : unasked;
      continue;
    }
    r->part = info->kind == AG_ROW_ANGULAR;
    r->axis = info->name[strlen(info->name) - 1] - 'x';
    if (r->to || strcmp(r->group->axes, "link") == 0) r->rotation = r->frame->pose + 3;
    if (strcmp(r->group->axes, "input") == 0)
      r->rotation =
          ag_sampler_find(&reference->sampler, ag_printf(arena, "axes.%s", r->group->name));
  }
}

/* What a row's direction is laid on: the acceleration at vdot = 0, and the velocities' columns. */
typedef struct row_motion {
  double drift[6], size[6];
} row_motion;

/* What cancels in an acceleration without joint accelerations, be it all of it. */
static double centripetal(const ag_reference *reference, bool linear) {
  const double squared = reference->measures.speed * reference->measures.speed;
  return linear ? ag_measure_velocity(&reference->measures, squared) : squared;
}

/* The acceleration of a frame without joint accelerations: classical, or the spatial one, which is
 * smaller by w x v. */
static void drift_of_frame(const ag_reference *reference, const ag_placed_row *r, row_motion *m) {
  const double *v = r->frame->twist, *w = r->frame->twist + 3;
  double spatial[3] = {0}, drift[6];
  if (r->group->spatial) ag_cross(w, v, spatial);
  ag_rows_drift(reference, r->frame, drift);
  for (int i = 0; i < 6; i++) {
    const double less = i < 3 ? spatial[i] : 0;
    m->drift[i] = drift[i] - less;
    m->size[i] = fabs(drift[i]) + fabs(less) + centripetal(reference, i < 3);
  }
}

/* The second derivative of a tie's residual, position and rotation of `to` in `frame`, along axes
 * that do not turn. With the arm r from the one origin to the other, and x the rotating frame's
 * terms (Euler, centripetal, Coriolis): a_to - a - wd x r - w x (w x r) - 2 w x (v_to - v - w x r)
 * wd_to - wd - w x w_to */
static void drift_of_tie(const ag_reference *reference, const ag_placed_row *r, row_motion *m) {
  const ag_moving_frame *here = r->frame, *there = r->to;
  const double *w = here->twist + 3;
  double arm[3], carried[3], relative[3], terms[4][3], drift[6], drift_there[6];
  ag_rows_drift(reference, here, drift);
  ag_rows_drift(reference, there, drift_there);
  for (int i = 0; i < 3; i++) arm[i] = there->pose[i] - here->pose[i];
  ag_cross(w, arm, carried);
  for (int i = 0; i < 3; i++) relative[i] = there->twist[i] - here->twist[i] - carried[i];
  ag_cross(drift + 3, arm, terms[0]);
  ag_cross(w, carried, terms[1]);
  ag_cross(w, relative, terms[2]);
  ag_cross(w, there->twist + 3, terms[3]);
  for (int i = 0; i < 3; i++) {
    const double parts[2] = {terms[0][i] + terms[1][i] + 2 * terms[2][i], terms[3][i]};
    for (int k = 0; k < 2; k++) {
      const double a = drift_there[3 * k + i], b = drift[3 * k + i];
      m->drift[3 * k + i] = a - b - parts[k];
      m->size[3 * k + i] = fabs(a) + fabs(b) + fabs(parts[k]);
    }
  }
  /* what cancels in them is as large as the whole robot's velocities make it */
  const double speed = ag_largest(w, 3) + ag_largest(there->twist, 6) + ag_largest(here->twist, 6);
  for (int i = 0; i < 6; i++) m->size[i] += speed * speed + centripetal(reference, i < 3);
}

/* Column j of the Jacobian that the row's direction is laid on. */
static void column_of(const ag_reference *reference, const ag_placed_row *r, int j,
                      double column[6]) {
  const double *J = r->frame->jac;
  for (int i = 0; i < 6; i++) column[i] = J[i * reference->n + j];
  if (!r->to) return;
  const double w[3] = {column[3], column[4], column[5]};
  double arm[3], carried[3];
  for (int i = 0; i < 3; i++) arm[i] = r->to->pose[i] - r->frame->pose[i];
  ag_cross(w, arm, carried);
  for (int i = 0; i < 6; i++)
    column[i] = r->to->jac[i * reference->n + j] - column[i] - (i < 3 ? carried[i] : 0);
}

/* A^T J and A^T J-dot q-dot of every row. */
static void evaluate_rows(ag_reference *reference) {
  for (int k = 0; k < reference->nrows; k++) {
    const ag_placed_row *r = &reference->rows[k];
    if (r->joint >= 0) {
      reference->drift[k] = reference->drift_size[k] = 0;
      for (int j = 0; j < reference->n; j++)
        reference->AJ[k * reference->n + j] = j == reference->nbase + r->joint;
      continue;
    }
    double A[6] = {0}, column[6];
    row_motion m;
    if (r->to)
      drift_of_tie(reference, r, &m);
    else
      drift_of_frame(reference, r, &m);
    for (int i = 0; i < 6 && r->direction; i++) A[i] = r->direction[i];
    for (int i = 0; i < 3 && !r->direction; i++)
      A[3 * r->part + i] = r->rotation ? r->rotation[3 * i + r->axis] : i == r->axis;
    reference->drift[k] = reference->drift_size[k] = 0;
    for (int i = 0; i < 6; i++) {
      reference->drift[k] += A[i] * m.drift[i];
      reference->drift_size[k] += fabs(A[i]) * m.size[i];
    }
    for (int j = 0; j < reference->n; j++) {
      column_of(reference, r, j, column);
      reference->AJ[k * reference->n + j] = 0;
      for (int i = 0; i < 6; i++) reference->AJ[k * reference->n + j] += A[i] * column[i];
    }
  }
}

/* The number of row k in an input that has one for each row of a kind; otherwise: no function has that input. */
static double given(const ag_reference *r, const char *name, ag_shape shape, int k,
                    double otherwise) {
  const double *values = ag_sampler_find(&r->sampler, name);
  int at = 0;
  for (int i = 0; i < k; i++) at += ag_row_counts(&r->header.rows[i], shape);
  return values ? values[at] : otherwise;
}

bool ag_rows_in_force(const ag_reference *reference, int k) {
  return !reference->header.rows[k].maskable || given(reference, "mask", AG_MASKS, k, 1) != 0;
}

double ag_rows_compliance(const ag_reference *reference, int k) {
  const ag_row_info *row = &reference->header.rows[k];
  return row->compliant ? given(reference, "compliance", AG_COMPLIANCES, k, 0) : row->compliance;
}

double ag_rows_caused(const ag_reference *r, int k, const double *forces, double *size) {
  double sum = 0, terms = 0;
  for (int i = 0; i < r->n; i++)
    for (int j = 0; j < r->n; j++) {
      const double term = r->AJ[k * r->n + i] * r->inverse[i * r->n + j] * forces[j];
      sum += term;
      terms += fabs(term);
    }
  if (size) *size = terms;
  return sum;
}

int ag_rows_first_physical(const ag_reference *r) {
  int k = 0;
  while (k < r->nrows && !r->rows[k].group->physical) k++;
  return k;
}

void ag_rows_with_forces(const ag_reference *r, const double *nu, bool *force) {
  /* far above what a row out of reach has of its own scale (constraints.reach_threshold), which is another */
  const double clearly = r->header.target.single ? 1e-3 : 1e-6,
               length = fmax(1, r->measures.length);
  for (int k = 0; k < r->nrows; k++) {
    const double *J = r->AJ + (size_t)k * (size_t)r->n;
    double most = 0;
    for (int i = 0; i < r->n; i++)
      if (J[i] != 0) most += length * length * r->inverse[i * r->n + i];
    force[k] =
        ag_rows_in_force(r, k) && (nu[k] != 0 || ag_rows_caused(r, k, J, NULL) > clearly * most);
  }
}

void ag_rows_find(ag_reference *reference, ag_arena *arena) {
  find_frames(reference, arena);
  ag_rows_place(reference, arena);
}

void ag_rows_evaluate(ag_reference *reference) {
  evaluate_rows(reference);
}

double ag_rows_least_pivot(const ag_reference *r, const int *level, int of_level) {
  const size_t n = (size_t)r->n, most = (size_t)r->nrows + 1;
  ag_arena arena = {0};
  const double **J = ag_alloc(&arena, most * sizeof *J);
  double *C = ag_alloc(&arena, most * most * sizeof *C),
         least = 1; /* L = l D l^T, l_jk d_k below D */
  size_t m = 0;
  for (int k = 0; k < r->nrows; k++) {
    if (!ag_rows_in_force(r, k) || level[k] != of_level) continue;
    J[m] = r->AJ + (size_t)k * n;
    double *own = C + m * most, whole = 0;
    for (size_t l = 0; l <= m; l++) {
      own[l] = ag_rows_caused(r, k, J[l], NULL);
      if (l == m) whole = own[l];
      for (size_t i = 0; i < l; i++)
        if (C[i * most + i] > 0) own[l] -= own[i] * C[l * most + i] / C[i * most + i];
    }
    if (whole > 0) least = fmin(least, fmax(own[m], 0) / whole);
    m++;
  }
  ag_arena_free(&arena);
  return least;
}

double ag_rows_physical_pivot(const ag_reference *r) {
  ag_arena arena = {0};
  int *physical = ag_alloc(&arena, ((size_t)r->nrows + 1) * sizeof *physical);
  for (int k = 0; k < r->nrows; k++) physical[k] = r->rows[k].group->physical;
  const double least = ag_rows_least_pivot(r, physical, 1);
  ag_arena_free(&arena);
  return least;
}
