/* derivatives.c: see derivatives.h */
#include "check/derivatives.h"

#include "check/wide.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const long double STEP = 1e-3L;
/* Beyond this, differences at two steps tell that something switches between them. */
static const double SWITCHES = 1e-3;
/* Rows as close to dependent as that are judged by the solve's own checks. */
static const double LEAST_PIVOT = 1e-3;

typedef struct difference { /* of all outputs of the function that gives the values */
  const ag_program *program;
  long double *in, *moved, *out, *work, *coarse, *fine;
  unsigned status;
} difference;

static const struct {
  const char *of, *base, *joints; /* outputs that the rows are of */
} sources[] = {{"dtau_ctrl_d", "", "tau_ctrl"},
               {"dtau_d", "base.wrench", "tau"},
               {"dqdd_d", "base.acc", "qdd"},
               {"dnu_d", "", "nu"}};

enum { SOURCES = sizeof sources / sizeof *sources };

/* The input that a derivative is by: its name, of the base's part too. */
static const char *input_of(const char *by) {
  return strcmp(by, "tau") == 0 ? "tau_art" : by;
}

static const ag_quantity *find(const ag_program *p, const char *name) {
  return ag_quantity_of(&p->in, name);
}

/* Turns the orientation of the base by h about an axis of the world. */
static void turn(const difference *d, int axis, long double h) {
  const ag_program *p = d->program;
  const ag_quantity *q;
  long double *x = d->moved;
  if ((q = find(p, "base.yaw"))) {
    x[q->first] += h;
  } else if ((q = find(p, "base.quat"))) {
    long double *e = x + q->first, r[4];
    const long double c = cosl(h / 2), s = sinl(h / 2), *v = e + 1;
    const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
    r[0] = c * e[0] - s * v[i];
    r[1 + i] = c * v[i] + s * e[0];
    r[1 + j] = c * v[j] - s * v[k];
    r[1 + k] = c * v[k] + s * v[j];
    memcpy(e, r, sizeof r);
  } else if ((q = find(p, "base.rot"))) {
    const long double c = cosl(h), s = sinl(h);
    long double *rows[3];
    for (int i = 0; i < 3; i++) rows[i] = x + q->first + (ptrdiff_t)3 * i;
    long double *a = rows[(axis + 1) % 3], *b = rows[(axis + 2) % 3];
    for (int i = 0; i < 3; i++) {
      const long double old = a[i];
      a[i] = c * old - s * b[i];
      b[i] = s * old + c * b[i];
    }
  }
}

/* Moves what column k of a derivative is by; false: it makes no difference. */
static bool move(const ag_checker *c, const difference *d, const ag_quantity *q, const char *by,
                 int k, long double h) {
  const int nbase = c->header->nbase;
  const bool positions = q->count % AG_NBY == AG_BY_POSITIONS;
  if (positions && k < nbase) {
    const int first = nbase == 3 ? 2 : 3;
    if (k < first) return false;
    turn(d, k - first, h);
    return true;
  }
  const char *name = input_of(by);
  if (strcmp(name, "tau_art") == 0 && !find(d->program, name)) name = "tau"; /* of fd */
  const bool base = strcmp(by, "qd") == 0 && k < nbase;
  const ag_quantity *in = find(d->program, base ? "base.twist" : name);
  const bool by_velocity = positions || strcmp(by, "qd") == 0;
  if (in) d->moved[in->first + (by_velocity && !base ? k - nbase : k)] += h;
  return in != NULL;
}

static unsigned evaluate(const difference *d, long double *out) {
  return ag_eval_wide(d->program, d->moved, out, d->work);
}

/* Column k: (4 D(h / 2) - D(h)) / 3 into d->fine; false: a branch changes nearby. */
static bool differentiate(const ag_checker *c, difference *d, const ag_quantity *q, const char *by,
                          int k) {
  const size_t inputs = (size_t)d->program->in.nelements * sizeof *d->in;
  const int outputs = d->program->out.nelements;
  unsigned odd = 0;
  for (int half = 0; half < 2; half++) {
    const long double h = half ? STEP / 2 : STEP;
    long double *to = half ? d->fine : d->coarse;
    for (int side = -1; side <= 1; side += 2) {
      memcpy(d->moved, d->in, inputs);
      if (!move(c, d, q, by, k, (long double)side * h)) {
        for (int i = 0; i < outputs; i++) d->fine[i] = d->coarse[i] = 0;
        return true;
      }
      odd |= evaluate(d, side < 0 ? to : d->out) ^ d->status;
    }
    for (int i = 0; i < outputs; i++) to[i] = (d->out[i] - to[i]) / (2 * h);
  }
  return (odd & ~(unsigned)(AG_BIT_UNACTUATED | AG_BIT_BAD_INPUT)) == 0;
}

/* Row i of the derivative in a list of outputs. */
static long double row(const ag_checker *c, const difference *d, const ag_quantity *q, int source,
                       int i, const long double *values) {
  const bool velocities = q->count / AG_NBY == AG_OF_VELOCITIES;
  const int nbase = velocities ? c->header->nbase : 0;
  const ag_quantity *of =
      ag_quantity_of(&d->program->out, i < nbase ? sources[source].base : sources[source].joints);
  return of ? values[of->first + (i < nbase ? i : i - nbase)] : 0;
}

/* What forces cause cancels where rows hold: the terms that it is the rest of, M^-1 times a lever. */
static double terms(const ag_checker *c, const ag_quantity *q, int source) {
  const ag_by by = (ag_by)(q->count % AG_NBY);
  if (strcmp(sources[source].joints, "qdd") != 0) return 1e-3;
  if (by != AG_BY_TORQUES && by != AG_BY_WRENCH) return 1e-3;
  return 1e-3 + ag_largest(c->robot.inverse, c->robot.n * c->robot.n) *
                    fmax(1, by == AG_BY_WRENCH ? c->robot.measures.length : 1);
}

/* One matrix of a run. */
static void check_matrix(ag_checker *c, const ag_run *run, difference *d, const ag_quantity *q,
                         int source, double allowed) {
  const char *by = q->name + strlen(sources[source].of);
  const int rows = ag_derivative_rows(c->header, q), columns = ag_derivative_columns(c->header, q);
  double apart = 0, largest = 0, unsteady = 0;
  for (int k = 0; k < columns; k++) {
    if (!differentiate(c, d, q, by, k)) return;
    for (int i = 0; i < rows; i++) {
      const long double fine = row(c, d, q, source, i, d->fine),
                        coarse = row(c, d, q, source, i, d->coarse);
      const double expected = (double)((4 * fine - coarse) / 3);
      const double told = run->out[q->first + i * columns + k];
      if (!(fabs(told - expected) <= apart)) apart = fabs(told - expected);
      largest = fmax(largest, fabs(expected));
      unsteady = fmax(unsteady, (double)fabsl(fine - coarse));
    }
  }
  if (unsteady > SWITCHES * largest) return;
  ag_check_note(c, run->program->function, ag_printf(c->arena, "%s, by differences", q->name),
                ag_check_ratio(apart, largest + terms(c, q, source)), allowed);
}

void ag_check_derivatives(ag_checker *c, const ag_run *run, double coarse) {
  const char *function = run->program->function;
  const bool solve = strcmp(function, "dachd") == 0;
  const char *values = solve ? "achd" : strcmp(function, "dfd") == 0 ? "fd" : "id";
  const ag_run *reference = ag_reference_run(&c->robot, values);
  if (solve &&
      ((run->status | reference->status) & AG_BIT_SINGULAR || c->robot.pivot < LEAST_PIVOT))
    return;
  const ag_program *p = reference->program;
  const size_t in = (size_t)p->in.nelements + 1, out = (size_t)p->out.nelements + 1,
               nodes = (size_t)p->dag.count + 1, wide = sizeof(long double);
  ag_arena own = {0};
  difference d = {.program = p};
  d.in = ag_alloc(&own, in * wide);
  d.moved = ag_alloc(&own, in * wide);
  d.work = ag_alloc(&own, nodes * wide);
  long double **lists[] = {&d.out, &d.coarse, &d.fine};
  for (int k = 0; k < 3; k++) *lists[k] = ag_alloc(&own, out * wide);
  ag_sampler_fill(&c->robot.sampler, p, reference->in);
  for (int i = 0; i < p->in.nelements; i++) d.in[i] = d.moved[i] = (long double)reference->in[i];
  d.status = evaluate(&d, d.out);
  const double pivot = solve ? c->robot.pivot : 1; /* id and fd have no rows */
  const double allowed = AG_CHECK_DIFFERENCES * fmax(1, coarse / 5e4) / pivot;
  for (int k = 0; k < run->program->out.nquantities; k++) {
    const ag_quantity *q = &run->program->out.quantities[k];
    if (q->shape != AG_DERIVATIVE) continue;
    for (int s = 0; s < SOURCES; s++)
      if (strncmp(q->name, sources[s].of, strlen(sources[s].of)) == 0) {
        check_matrix(c, run, &d, q, s, allowed);
        break;
      }
  }
  ag_arena_free(&own);
}
