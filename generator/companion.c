/* companion.c: see companion.h */
#include "companion.h"

#include "eval.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double ag_largest(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* ---- programs on the state ---- */

ag_run ag_run_new(ag_sampler *sampler, const ag_program *p, ag_arena *arena) {
  ag_sampler_add(sampler, p);
  const size_t size = sizeof(double);
  return (ag_run){.program = p,
                  .in = ag_alloc(arena, (size_t)(p->in.nelements + 1) * size),
                  .out = ag_alloc(arena, (size_t)(p->out.nelements + 1) * size),
                  .work = ag_alloc(arena, (size_t)(p->dag.count + 1) * size)};
}

void ag_run_evaluate(const ag_sampler *sampler, ag_run *run, bool single) {
  ag_sampler_fill(sampler, run->program, run->in);
  run->status = ag_eval(run->program, single, run->in, run->out, run->work);
}

const ag_quantity *ag_quantity_of(const ag_list *list, const char *name) {
  for (int k = 0; k < list->nquantities; k++)
    if (strcmp(list->quantities[k].name, name) == 0) return &list->quantities[k];
  return NULL;
}

const double *ag_output_of(const ag_run *run, const char *name) {
  const ag_quantity *q = ag_quantity_of(&run->program->out, name);
  return q ? run->out + q->first : NULL;
}

ag_run *ag_companion_run(const ag_companion *c, const char *function) {
  int k = 0;
  while (strcmp(c->header.programs[k]->function, function) != 0) k++;
  return &c->runs[k];
}

const double *ag_companion_torques(const ag_companion *c, const double *qdd) {
  ag_run *r = ag_companion_run(c, "id");
  ag_sampler_fill(&c->sampler, r->program, r->in);
  const ag_quantity *q = ag_quantity_of(&r->program->in, "qdd");
  memcpy(r->in + q->first, qdd, (size_t)q->size * sizeof *qdd);
  r->status = ag_eval(r->program, false, r->in, r->out, r->work);
  return ag_output_of(r, "tau");
}

const double *ag_companion_derivative(const ag_companion *c, const char *function, const double *v,
                                      double h) {
  ag_run *r = ag_companion_run(c, function);
  const int size = r->program->out.nelements;
  double *q = ag_sampler_find(&c->sampler, "q"), *forward = c->passing[1], *kept = c->passing[2];
  memcpy(kept, q, (size_t)c->n * sizeof *q);
  for (int j = 0; j < c->n; j++) q[j] = kept[j] + h * v[j];
  ag_run_evaluate(&c->sampler, r, false);
  memcpy(forward, r->out, (size_t)size * sizeof *forward);
  for (int j = 0; j < c->n; j++) q[j] = kept[j] - h * v[j];
  ag_run_evaluate(&c->sampler, r, false);
  for (int i = 0; i < size; i++) forward[i] = (forward[i] - r->out[i]) / (2 * h);
  memcpy(q, kept, (size_t)c->n * sizeof *q);
  ag_run_evaluate(&c->sampler, r, false);
  return forward;
}
/* ---- M and its inverse ---- */

/* By Cholesky; false: not positive definite. */
static bool invert(const double *M, double *inverse, double *L, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = M[i * n + j];
      for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 0)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  for (int column = 0; column < n; column++) {
    for (int i = 0; i < n; i++) {
      double sum = i == column;
      for (int k = 0; k < i; k++) sum -= L[i * n + k] * inverse[k * n + column];
      inverse[i * n + column] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
      double sum = inverse[i * n + column];
      for (int k = i + 1; k < n; k++) sum -= L[k * n + i] * inverse[k * n + column];
      inverse[i * n + column] = sum / L[i * n + i];
    }
  }
  return true;
}
static bool find_inverse(ag_companion *c) {
  const int n = c->n;
  const double *packed = ag_output_of(ag_companion_run(c, "crba"), "M");
  for (int i = 0, at = 0; i < n; i++)
    for (int j = 0; j <= i; j++) c->M[i * n + j] = c->M[j * n + i] = packed[at++];
  return invert(c->M, c->inverse, c->passing[1], n);
}
/* ---- rows and wrenches ---- */

static const ag_seen_frame *frame_of(const ag_companion *c, int link) {
  for (int k = 0; k < c->nframes; k++)
    if (strcmp(c->frames[k].id, c->sampler.model->links[link].id) == 0) return &c->frames[k];
  return NULL;
}
static void find_frames(ag_companion *c, ag_arena *arena) {
  const ag_run *jac = ag_companion_run(c, "jac");
  c->nframes = jac->program->out.nquantities;
  c->frames = ag_alloc(arena, (size_t)(c->nframes + 1) * sizeof *c->frames);
  for (int k = 0; k < c->nframes; k++) {
    const char *id = strchr(jac->program->out.quantities[k].name, '.') + 1;
    c->frames[k] = (ag_seen_frame){
        .id = id,
        .pose = ag_output_of(ag_companion_run(c, "fk"), ag_printf(arena, "pose.%s", id)),
        .twist = ag_output_of(ag_companion_run(c, "fvk"), ag_printf(arena, "twist.%s", id)),
        .acc = ag_output_of(ag_companion_run(c, "fak"), ag_printf(arena, "acc.%s", id)),
        .jac = ag_output_of(jac, ag_printf(arena, "jac.%s", id)),
        .jdqd = ag_output_of(ag_companion_run(c, "jdqd"), ag_printf(arena, "jdqd.%s", id))};
  }
}
static void find_rows(ag_companion *c, ag_arena *arena) {
  c->rows = ag_alloc(arena, (size_t)(c->nrows + 1) * sizeof *c->rows);
  for (int k = 0, first = 0; k < c->nrows; k++) {
    const ag_row_info *info = &c->header.rows[k];
    ag_seen_row *r = &c->rows[k];
    if (strcmp(c->header.rows[first].group, info->group) != 0) first = k;
    for (int m = 0; m < c->header.nmarks; m++) {
      const ag_mark *g = &c->header.marks[m];
      if (g->kind == AG_MARK_GROUP && strcmp(g->name, info->group) == 0) r->group = g;
    }
    assert(r->group);
    r->frame = frame_of(c, r->group->link);
    if (info->kind == AG_ROW_FREE) {
      r->direction = ag_sampler_find(&c->sampler, ag_printf(arena, "dir.%s", r->group->name)) +
                     6 * (size_t)(k - first);
      continue;
    }
    r->part = info->kind == AG_ROW_ANGULAR;
    r->axis = info->name[strlen(info->name) - 1] - 'x';
    if (strcmp(r->group->axes, "link") == 0) r->rotation = r->frame->pose + 3;
    if (strcmp(r->group->axes, "input") == 0)
      r->rotation = ag_sampler_find(&c->sampler, ag_printf(arena, "axes.%s", r->group->name));
  }
}
/* A^T J and A^T J-dot q-dot of every row; that of a spatial acceleration is smaller by w x v. */
static void evaluate_rows(ag_companion *c) {
  for (int k = 0; k < c->nrows; k++) {
    const ag_seen_row *r = &c->rows[k];
    const ag_seen_frame *f = r->frame;
    double A[6] = {0}, a[6];
    memcpy(a, f->jdqd, sizeof a);
    if (r->group->spatial) {
      const double *v = f->twist, *w = f->twist + 3;
      for (int i = 0; i < 3; i++)
        a[i] -= w[(i + 1) % 3] * v[(i + 2) % 3] - w[(i + 2) % 3] * v[(i + 1) % 3];
    }
    for (int i = 0; i < 6 && r->direction; i++) A[i] = r->direction[i];
    for (int i = 0; i < 3 && !r->direction; i++)
      A[3 * r->part + i] = r->rotation ? r->rotation[3 * i + r->axis] : i == r->axis;
    c->drift[k] = c->drift_size[k] = 0;
    for (int i = 0; i < 6; i++) {
      c->drift[k] += A[i] * a[i];
      c->drift_size[k] += fabs(A[i]) * (fabs(f->jdqd[i]) + fabs(a[i]));
    }
    for (int j = 0; j < c->n; j++) {
      c->AJ[k * c->n + j] = 0;
      for (int i = 0; i < 6; i++) c->AJ[k * c->n + j] += A[i] * f->jac[i * c->n + j];
    }
  }
}
void ag_companion_wrenches(const ag_companion *c, bool physical, double *tau, double *size) {
  for (int m = 0; m < c->header.nmarks; m++) {
    const ag_mark *w = &c->header.marks[m];
    const ag_seen_frame *f = w->kind == AG_MARK_WRENCH ? frame_of(c, w->link) : NULL;
    const double *values = f ? ag_sampler_find(&c->sampler, w->name) : NULL;
    if (!values || w->physical != physical) continue;
    for (int j = 0; j < c->n; j++)
      for (int i = 0; i < 6; i++) {
        const double term = f->jac[i * c->n + j] * values[i];
        if (tau) tau[j] += term;
        if (size) size[j] += fabs(term);
      }
  }
}
double ag_companion_size(const ag_companion *c, const double *qdd, const double *tau,
                         const double *nu) {
  double *size = c->passing[0];
  const double *bias = ag_output_of(ag_companion_run(c, "bias"), "tau"),
               *hold = ag_output_of(ag_companion_run(c, "gravity"), "tau");
  const double *phys = ag_sampler_find(&c->sampler, "tau_phys"),
               *art = ag_sampler_find(&c->sampler, "tau_art");
  for (int i = 0; i < c->n; i++) {
    size[i] = fabs(bias[i]) + fabs(hold[i]);
    if (tau) size[i] += fabs(tau[i]);
    if (phys) size[i] += fabs(phys[i]);
    if (art) size[i] += fabs(art[i]);
    for (int j = 0; j < c->n; j++) size[i] += fabs(c->M[i * c->n + j] * qdd[j]);
    for (int k = 0; nu && k < c->nrows; k++) size[i] += fabs(c->AJ[k * c->n + i] * nu[k]);
  }
  ag_companion_wrenches(c, true, NULL, size);
  ag_companion_wrenches(c, false, NULL, size);
  return ag_largest(size, c->n);
}
static void find_sizes(ag_companion *c, const ag_run *solve) {
  const double *qdd = ag_output_of(solve, "qdd"), *tau = ag_output_of(solve, "tau_ctrl"),
               *nu = ag_output_of(solve, "nu");
  const int n = c->n;
  const double *b = ag_sampler_find(&c->sampler, "b");
  ag_sizes *z = &c->sizes;
  *z = (ag_sizes){.torque = ag_companion_size(c, qdd, tau, nu)};
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(c->inverse[i * n + j]);
    c->reach[i] = sum * z->torque;
    z->qdd = fmax(z->qdd, c->reach[i]);
  }
  z->acceleration = 10 + z->qdd;
  for (int k = 0; nu && k < c->nrows; k++) {
    const double *J = c->AJ + (size_t)k * (size_t)n;
    double terms = c->drift_size[k] + fabs(b[k]), L = 0;
    for (int i = 0; i < n; i++) {
      terms += fabs(J[i]) * c->reach[i];
      for (int j = 0; j < n; j++) L += J[i] * c->inverse[i * n + j] * J[j];
    }
    z->acceleration = fmax(z->acceleration, terms);
    if (nu[k] != 0 && L > 0) z->nu = fmax(z->nu, terms / L);
  }
}
/* ---- all of it ---- */

static const char *const family_names[] = {"achd", "fk", "fvk",     "fak",  "jac",  "jdqd",
                                           "id",   "fd", "gravity", "bias", "crba", "energy"};
enum { FAMILY = sizeof family_names / sizeof *family_names };

bool ag_companion_open(ag_companion *c, const ag_model *model, const ag_script_options *options,
                       const char *formulation, ag_err *err, ag_arena *arena) {
  *c = (ag_companion){0};
  ag_script_options o = *options;
  o.functions = family_names;
  o.nfunctions = FAMILY;
  o.formulation = formulation;
  o.check = true;
  if (!ag_script_build(model, &o, &c->header, &c->script, arena, err)) return false;
  c->sampler = (ag_sampler){.model = model, .header = &c->header};
  c->n = c->header.njoints;
  c->nrows = c->header.nrows;
  c->runs = ag_alloc(arena, FAMILY * sizeof *c->runs);
  const size_t n = (size_t)c->n, rows = (size_t)c->nrows, real = sizeof(double);
  size_t most = n * n;
  for (int k = 0; k < FAMILY; k++) {
    c->runs[k] = ag_run_new(&c->sampler, c->header.programs[k], arena);
    const size_t outputs = (size_t)c->header.programs[k]->out.nelements;
    if (outputs > most) most = outputs;
  }
  find_frames(c, arena);
  find_rows(c, arena);
  c->M = ag_alloc(arena, n * n * real);
  c->inverse = ag_alloc(arena, n * n * real);
  c->AJ = ag_alloc(arena, (rows * n + 1) * real);
  c->drift = ag_alloc(arena, (rows + 1) * real);
  c->drift_size = ag_alloc(arena, (rows + 1) * real);
  c->reach = ag_alloc(arena, n * real);
  for (int k = 0; k < 3; k++) c->passing[k] = ag_alloc(arena, most * real);
  return true;
}

void ag_companion_close(ag_companion *c) {
  ag_script_close(c->script);
}

bool ag_companion_draw(ag_companion *c, int state, bool single) {
  ag_sampler_draw(&c->sampler, state, single);
  for (int k = 0; k < FAMILY; k++) ag_run_evaluate(&c->sampler, &c->runs[k], false);
  if (!find_inverse(c)) return false;
  evaluate_rows(c);
  const ag_run *solve = ag_companion_run(c, "achd");
  const double *pivot = ag_output_of(solve, "pivot_min");
  c->pivot = pivot ? fmin(1, *pivot) : 1;
  find_sizes(c, solve);
  return true;
}
