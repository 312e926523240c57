/* reference.c: see reference.h */
#include "check/reference.h"

#include "program/eval.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void ag_cross(const double a[3], const double b[3], double product[3]) {
  for (int i = 0; i < 3; i++)
    product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

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

void ag_companion_join(const ag_companion *c, const double *base, const double *joints, double *x) {
  for (int i = 0; i < c->nbase; i++) x[i] = base ? base[i] : 0;
  for (int i = c->nbase; i < c->n; i++) x[i] = joints ? joints[i - c->nbase] : 0;
}

void ag_companion_outputs(const ag_companion *c, const ag_run *run, const char *base,
                          const char *joints, double *x) {
  ag_companion_join(c, ag_output_of(run, base), ag_output_of(run, joints), x);
}

static void set_input(ag_run *r, const char *name, const double *values) {
  const ag_quantity *q = ag_quantity_of(&r->program->in, name);
  if (q) memcpy(r->in + q->first, values, (size_t)q->size * sizeof *values);
}

const double *ag_companion_torques(const ag_companion *c, const double *vdot) {
  ag_run *r = ag_companion_run(c, "id");
  ag_sampler_fill(&c->sampler, r->program, r->in);
  set_input(r, "base.acc", vdot);
  set_input(r, "qdd", vdot + c->nbase);
  r->status = ag_eval(r->program, false, r->in, r->out, r->work);
  ag_companion_outputs(c, r, "base.wrench", "tau", c->torques);
  return c->torques;
}

static const struct {
  const char *name;
  int size;
} base_positions[] = {{"base.quat", 4}, {"base.rot", 9}, {"base.yaw", 1}};
enum { BASE_POSITIONS = sizeof base_positions / sizeof *base_positions, MOST_OF_BASE = 14 };

/* Copies the positions of joints and base to `kept`, or back. */
static void keep_positions(const ag_companion *c, double *kept, bool back) {
  for (int k = -1; k < BASE_POSITIONS; k++) {
    double *x = ag_sampler_find(&c->sampler, k < 0 ? "q" : base_positions[k].name);
    const int size = k < 0 ? c->n - c->nbase : base_positions[k].size;
    if (x) memcpy(back ? x : kept, back ? kept : x, (size_t)size * sizeof *x);
    kept += size;
  }
}

const double *ag_companion_derivative(const ag_companion *c, const char *function, const double *v,
                                      double h) {
  ag_run *r = ag_companion_run(c, function);
  const int size = r->program->out.nelements;
  double *forward = c->passing[1], *kept = c->passing[2];
  keep_positions(c, kept, false);
  for (int side = 1; side >= -1; side -= 2) {
    ag_sampler_move(&c->sampler, v, side * h);
    ag_run_evaluate(&c->sampler, r, false);
    for (int i = 0; i < size; i++)
      forward[i] = side > 0 ? r->out[i] : (forward[i] - r->out[i]) / (2 * h);
    keep_positions(c, kept, true);
  }
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
    r->joint = -1;
    if (strcmp(r->group->axes, "joint") == 0) {
      r->joint = 0;
      while (strcmp(c->header.joints[r->joint].id, info->name) != 0) r->joint++;
      continue;
    }
    r->frame = frame_of(c, r->group->link);
    if (r->group->to >= 0) r->to = frame_of(c, r->group->to);
    if (info->kind == AG_ROW_FREE) {
      r->direction = ag_sampler_find(&c->sampler, ag_printf(arena, "dir.%s", r->group->name)) +
                     6 * (size_t)(k - first);
      continue;
    }
    r->part = info->kind == AG_ROW_ANGULAR;
    r->axis = info->name[strlen(info->name) - 1] - 'x';
    if (r->to || strcmp(r->group->axes, "link") == 0) r->rotation = r->frame->pose + 3;
    if (strcmp(r->group->axes, "input") == 0)
      r->rotation = ag_sampler_find(&c->sampler, ag_printf(arena, "axes.%s", r->group->name));
  }
}
/* What a row's direction is laid on: the acceleration at vdot = 0, and the velocities' columns. */
typedef struct seen_motion {
  double drift[6], size[6];
} seen_motion;

/* The acceleration of a frame without joint accelerations: classical, or the spatial one, which is
 * smaller by w x v. */
static void drift_of_frame(const ag_seen_row *r, seen_motion *m) {
  const double *v = r->frame->twist, *w = r->frame->twist + 3;
  double spatial[3] = {0};
  if (r->group->spatial) ag_cross(w, v, spatial);
  for (int i = 0; i < 6; i++) {
    const double less = i < 3 ? spatial[i] : 0;
    m->drift[i] = r->frame->jdqd[i] - less;
    m->size[i] = fabs(r->frame->jdqd[i]) + fabs(less);
  }
}

/* The second derivative of a tie's residual, position and rotation of `to` in `frame`, along axes
 * that do not turn. With the arm r from the one origin to the other, and x the rotating frame's
 * terms (Euler, centripetal, Coriolis): a_to - a - wd x r - w x (w x r) - 2 w x (v_to - v - w x r)
 * wd_to - wd - w x w_to */
static void drift_of_tie(const ag_seen_row *r, seen_motion *m) {
  const ag_seen_frame *here = r->frame, *there = r->to;
  const double *w = here->twist + 3;
  double arm[3], carried[3], relative[3], terms[4][3];
  for (int i = 0; i < 3; i++) arm[i] = there->pose[i] - here->pose[i];
  ag_cross(w, arm, carried);
  for (int i = 0; i < 3; i++) relative[i] = there->twist[i] - here->twist[i] - carried[i];
  ag_cross(here->jdqd + 3, arm, terms[0]);
  ag_cross(w, carried, terms[1]);
  ag_cross(w, relative, terms[2]);
  ag_cross(w, there->twist + 3, terms[3]);
  for (int i = 0; i < 3; i++) {
    const double parts[2] = {terms[0][i] + terms[1][i] + 2 * terms[2][i], terms[3][i]};
    for (int k = 0; k < 2; k++) {
      const double a = there->jdqd[3 * k + i], b = here->jdqd[3 * k + i];
      m->drift[3 * k + i] = a - b - parts[k];
      m->size[3 * k + i] = fabs(a) + fabs(b) + fabs(parts[k]);
    }
  }
  /* what cancels in them is as large as the whole robot's velocities make it */
  const double speed = ag_largest(w, 3) + ag_largest(there->twist, 6) + ag_largest(here->twist, 6);
  for (int i = 0; i < 6; i++) m->size[i] += speed * speed;
}

/* Column j of the Jacobian that the row's direction is laid on. */
static void column_of(const ag_companion *c, const ag_seen_row *r, int j, double column[6]) {
  const double *J = r->frame->jac;
  for (int i = 0; i < 6; i++) column[i] = J[i * c->n + j];
  if (!r->to) return;
  const double w[3] = {column[3], column[4], column[5]};
  double arm[3], carried[3];
  for (int i = 0; i < 3; i++) arm[i] = r->to->pose[i] - r->frame->pose[i];
  ag_cross(w, arm, carried);
  for (int i = 0; i < 6; i++)
    column[i] = r->to->jac[i * c->n + j] - column[i] - (i < 3 ? carried[i] : 0);
}

/* A^T J and A^T J-dot q-dot of every row. */
static void evaluate_rows(ag_companion *c) {
  for (int k = 0; k < c->nrows; k++) {
    const ag_seen_row *r = &c->rows[k];
    if (r->joint >= 0) {
      c->drift[k] = c->drift_size[k] = 0;
      for (int j = 0; j < c->n; j++) c->AJ[k * c->n + j] = j == c->nbase + r->joint;
      continue;
    }
    double A[6] = {0}, column[6];
    seen_motion m;
    if (r->to)
      drift_of_tie(r, &m);
    else
      drift_of_frame(r, &m);
    for (int i = 0; i < 6 && r->direction; i++) A[i] = r->direction[i];
    for (int i = 0; i < 3 && !r->direction; i++)
      A[3 * r->part + i] = r->rotation ? r->rotation[3 * i + r->axis] : i == r->axis;
    c->drift[k] = c->drift_size[k] = 0;
    for (int i = 0; i < 6; i++) {
      c->drift[k] += A[i] * m.drift[i];
      c->drift_size[k] += fabs(A[i]) * m.size[i];
    }
    for (int j = 0; j < c->n; j++) {
      column_of(c, r, j, column);
      c->AJ[k * c->n + j] = 0;
      for (int i = 0; i < 6; i++) c->AJ[k * c->n + j] += A[i] * column[i];
    }
  }
}

/* Rows that yield take over A^T J M^-1 J^T f of the artificial wrenches. */
static void evaluate_yield(ag_companion *c) {
  double *force = c->passing[0], *size = c->passing[1];
  for (int i = 0; i < c->n; i++) force[i] = size[i] = 0;
  ag_companion_wrenches(c, false, force, size);
  for (int k = 0; k < c->nrows; k++) {
    c->yield[k] = c->yield_size[k] = 0;
    if (!c->rows[k].group->yields) continue;
    for (int i = 0; i < c->n; i++)
      for (int j = 0; j < c->n; j++) {
        const double AJ = c->AJ[k * c->n + i], inverse = c->inverse[i * c->n + j];
        c->yield[k] += AJ * inverse * force[j];
        c->yield_size[k] += fabs(AJ * inverse) * size[j];
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
double ag_companion_size(const ag_companion *c, const double *vdot, const double *tau,
                         const double *nu) {
  double *size = c->passing[0], *bias = c->passing[1], *hold = c->passing[2];
  ag_companion_outputs(c, ag_companion_run(c, "bias"), "base.wrench", "tau", bias);
  ag_companion_outputs(c, ag_companion_run(c, "gravity"), "base.wrench", "tau", hold);
  const double *phys = ag_sampler_find(&c->sampler, "tau_phys"),
               *art = ag_sampler_find(&c->sampler, "tau_art");
  for (int i = 0; i < c->n; i++) {
    const int j = i - c->nbase;
    size[i] = fabs(bias[i]) + fabs(hold[i]);
    if (tau) size[i] += fabs(tau[i]);
    if (phys && j >= 0) size[i] += fabs(phys[j]);
    if (art && j >= 0) size[i] += fabs(art[j]);
    for (int k = 0; k < c->n; k++) size[i] += fabs(c->M[i * c->n + k] * vdot[k]);
    for (int k = 0; nu && k < c->nrows; k++) size[i] += fabs(c->AJ[k * c->n + i] * nu[k]);
  }
  ag_companion_wrenches(c, true, NULL, size);
  ag_companion_wrenches(c, false, NULL, size);
  return ag_largest(size, c->n);
}

static void find_sizes(ag_companion *c, const ag_run *solve) {
  const int n = c->n;
  const double *nu = ag_output_of(solve, "nu"), *b = ag_sampler_find(&c->sampler, "b");
  double *vdot = c->passing[3], *tau = c->torques;
  ag_companion_outputs(c, solve, "base.acc", "qdd", vdot);
  ag_companion_outputs(c, solve, "base.wrench_ctrl", "tau_ctrl", tau);
  ag_sizes *z = &c->sizes;
  *z = (ag_sizes){.torque = ag_companion_size(c, vdot, tau, nu)};
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(c->inverse[i * n + j]);
    c->reach[i] = sum * z->torque;
    z->qdd = fmax(z->qdd, c->reach[i]);
  }
  z->acceleration = 10 + z->qdd;
  for (int k = 0; nu && k < c->nrows; k++) {
    const double *J = c->AJ + (size_t)k * (size_t)n;
    double terms = c->drift_size[k] + c->yield_size[k] + fabs(b[k]), L = 0;
    for (int i = 0; i < n; i++) {
      terms += fabs(J[i]) * c->reach[i];
      for (int j = 0; j < n; j++) L += J[i] * c->inverse[i * n + j] * J[j];
    }
    z->acceleration = fmax(z->acceleration, terms);
    if (nu[k] != 0 && L > 0) z->nu = fmax(z->nu, terms / L);
  }
}

/* ---- all of it ---- */

static const char *const family_names[] = {"achd", "fk",  "fvk",     "fak",  "jac",  "jdqd",  "id",
                                           "fd",   "com", "gravity", "bias", "crba", "energy"};
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
  c->nbase = c->header.nbase;
  c->n = c->nbase + c->header.njoints;
  c->nrows = c->header.nrows;
  c->runs = ag_alloc(arena, FAMILY * sizeof *c->runs);
  const size_t n = (size_t)c->n, rows = (size_t)c->nrows, real = sizeof(double);
  size_t most = n * n + MOST_OF_BASE;
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
  c->yield = ag_alloc(arena, (rows + 1) * real);
  c->yield_size = ag_alloc(arena, (rows + 1) * real);
  double **vectors[] = {&c->velocity, &c->acceleration, &c->reach, &c->torques};
  for (int k = 0; k < 4; k++) *vectors[k] = ag_alloc(arena, n * real);
  for (int k = 0; k < 4; k++) c->passing[k] = ag_alloc(arena, most * real);
  return true;
}

void ag_companion_close(ag_companion *c) {
  ag_script_close(c->script);
}

bool ag_companion_draw(ag_companion *c, int state, bool single) {
  const ag_sampler *s = &c->sampler;
  ag_sampler_draw(&c->sampler, state, single);
  ag_companion_join(c, ag_sampler_find(s, "base.twist"), ag_sampler_find(s, "qd"), c->velocity);
  ag_companion_join(c, ag_sampler_find(s, "base.acc"), ag_sampler_find(s, "qdd"), c->acceleration);
  for (int k = 0; k < FAMILY; k++) ag_run_evaluate(&c->sampler, &c->runs[k], false);
  if (!find_inverse(c)) return false;
  evaluate_rows(c);
  evaluate_yield(c);
  const ag_run *solve = ag_companion_run(c, "achd");
  const double *pivot = ag_output_of(solve, "pivot_min");
  c->pivot = pivot ? fmin(1, *pivot) : 1;
  find_sizes(c, solve);
  return true;
}
