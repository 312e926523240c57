/* SPDX-License-Identifier: MIT */
/* derivatives.c: see derivatives.h */
#include "check/derivatives.h"

#include "check/wide.h"
#include "graph/functions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const long double STEP = 1e-3L;
/* Beyond this, differences at two steps tell that something switches between them. */
static const double SWITCHES = 1e-3;
/* Rows as close to dependent as that are judged by the solve's own checks. */
static const double LEAST_PIVOT = 1e-3;

typedef struct difference { /* of all outputs of the function that gives the values */
  ag_wide wide;
  long double *coarse, *fine;
  unsigned status; /* at the state */
} difference;

/* A matrix that is judged; all by the same input are judged by the same differences. */
typedef struct matrix {
  const ag_quantity *q;
  int source;
  double apart, largest, unsteady;
  bool begun, steady; /* is it judged; were all its columns, with no branch nearby */
} matrix;

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

static const ag_quantity *find(const ag_graph *p, const char *name) {
  return ag_quantity_of(&p->function->in, name);
}

/* Turns a ball by h about an axis of its child: the quaternion times (cos h/2, sin h/2 at the axis). */
static void turn_ball(long double *e, int axis, long double h) {
  long double r[4];
  const long double c = cosl(h / 2), s = sinl(h / 2), *v = e + 1;
  const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
  r[0] = c * e[0] - s * v[i];
  r[1 + i] = c * v[i] + s * e[0];
  r[1 + j] = c * v[j] + s * v[k];
  r[1 + k] = c * v[k] - s * v[j];
  memcpy(e, r, sizeof r);
}

/* Turns the orientation of the base by h about an axis of the world. */
static void turn(const ag_graph *p, long double *x, int axis, long double h) {
  const ag_quantity *q;
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

/* Column k of a derivative by something: "q", "qd", "tau". */
typedef struct column {
  const ag_quantity *q;
  const char *by;
  int k;
} column;

/* Moves what the column is by in the inputs x by h; false: it makes no difference. */
static bool move(const ag_checker *c, const ag_graph *p, long double *x, const column *of,
                 long double h) {
  const int nbase = c->header->nbase, k = of->k;
  const char *by = of->by;
  const bool positions = of->q->count % AG_NBY == AG_BY_POSITIONS;
  if (positions && k < nbase) {
    const int first = nbase == 3 ? 2 : 3;
    if (k < first) return false;
    turn(p, x, k - first, h);
    return true;
  }
  const ag_joint_info *joint = positions ? &c->header->joints[k - nbase] : NULL;
  if (joint && joint->ball) {
    const ag_quantity *ball = find(p, joint->ball);
    if (ball) turn_ball(x + ball->first, joint->axis, h);
    return ball != NULL;
  }
  const char *name = input_of(by);
  if (strcmp(name, "tau_art") == 0 && !find(p, name)) name = "tau"; /* of fd */
  const bool base = strcmp(by, "qd") == 0 && k < nbase;
  const ag_quantity *in = find(p, base ? "base.twist" : name);
  const bool by_velocity = positions || strcmp(by, "qd") == 0;
  if (in) x[in->first + (by_velocity && !base ? k - nbase : k)] += h;
  return in != NULL;
}

/* The differences of a column: D(h) into d->coarse and D(h / 2) into d->fine; false: a branch changes
 * nearby. */
static bool differentiate(const ag_checker *c, difference *d, const column *of) {
  ag_wide *w = &d->wide;
  const int outputs = w->graph->function->out.nelements;
  unsigned odd = 0;
  for (int j = 0; j < AG_WIDE_STATES; j++) { /* -h, h, -h / 2, h / 2 */
    const long double h = (j < 2 ? STEP : STEP / 2) * (j % 2 ? 1 : -1);
    if (!move(c, w->graph, w->in[j], of, h)) {
      for (int i = 0; i < outputs; i++) d->fine[i] = d->coarse[i] = 0;
      return true;
    }
  }
  ag_wide_evaluate(w);
  for (int j = 0; j < AG_WIDE_STATES; j++) odd |= w->status[j] ^ d->status;
  for (int i = 0; i < outputs; i++) {
    d->coarse[i] = (w->out[1][i] - w->out[0][i]) / (2 * STEP);
    d->fine[i] = (w->out[3][i] - w->out[2][i]) / STEP;
  }
  return (odd & ~(unsigned)(AG_BIT_UNACTUATED | AG_BIT_BAD_INPUT)) == 0;
}

/* Row i of the derivative in a list of outputs. */
static long double row(const ag_checker *c, const difference *d, const ag_quantity *q, int source,
                       int i, const long double *values) {
  const bool velocities = q->count / AG_NBY == AG_OF_VELOCITIES;
  const int nbase = velocities ? c->header->nbase : 0;
  const ag_quantity *of = ag_quantity_of(&d->wide.graph->function->out,
                                         i < nbase ? sources[source].base : sources[source].joints);
  return of ? values[of->first + (i < nbase ? i : i - nbase)] : 0;
}

/* What forces cause cancels where rows hold: the terms that it is the rest of, M^-1 times a lever; by
 * positions and velocities those of qdd, of which doubles leave their rounding. */
static double terms(const ag_checker *c, const ag_quantity *q, int source) {
  const ag_by by = (ag_by)(q->count % AG_NBY);
  if (strcmp(sources[source].joints, "qdd") != 0) return 1e-3;
  if (by == AG_BY_POSITIONS || by == AG_BY_VELOCITIES)
    return 1e-3 + AG_CHECK_SAME / AG_CHECK_DIFFERENCES * c->robot.sizes.qdd;
  if (by != AG_BY_TORQUES && by != AG_BY_WRENCH) return 1e-3;
  return 1e-3 + ag_largest(c->robot.inverse, c->robot.n * c->robot.n) *
                    fmax(1, by == AG_BY_WRENCH ? c->robot.measures.length : 1);
}

static const char *by_of(const matrix *m) {
  return m->q->name + strlen(sources[m->source].of);
}

/* Column k of a matrix against (4 D(h / 2) - D(h)) / 3. */
static void compare_column(const ag_checker *c, const ag_run *run, const difference *d, matrix *m,
                           int k) {
  const int rows = ag_derivative_rows(c->header, m->q),
            columns = ag_derivative_columns(c->header, m->q);
  for (int i = 0; i < rows; i++) {
    const long double fine = row(c, d, m->q, m->source, i, d->fine),
                      coarse = row(c, d, m->q, m->source, i, d->coarse);
    const double expected = (double)((4 * fine - coarse) / 3);
    const double told = run->out[m->q->first + i * columns + k];
    if (!(fabs(told - expected) <= m->apart)) m->apart = fabs(told - expected);
    m->largest = fmax(m->largest, fabs(expected));
    m->unsteady = fmax(m->unsteady, (double)fabsl(fine - coarse));
  }
}

/* Whether differences of one motion judge both. */
static bool same_motion(const ag_checker *c, const matrix *a, const matrix *b) {
  return strcmp(by_of(a), by_of(b)) == 0 && a->q->count % AG_NBY == b->q->count % AG_NBY &&
         ag_derivative_columns(c->header, a->q) == ag_derivative_columns(c->header, b->q);
}

/* A matrix and those behind it that are by the same input. */
static void differentiate_all(ag_checker *c, const ag_run *run, difference *d, matrix *m,
                              const matrix *end) {
  const int columns = ag_derivative_columns(c->header, m->q);
  bool steady = true;
  for (int k = 0; k < columns && steady; k++) {
    steady = differentiate(c, d, &(column){m->q, by_of(m), k});
    for (matrix *other = m; other < end && steady; other++)
      if (same_motion(c, m, other)) compare_column(c, run, d, other, k);
  }
  for (matrix *other = m; other < end; other++) {
    if (!same_motion(c, m, other)) continue;
    other->begun = true;
    other->steady = steady;
  }
}

/* The derivatives of a run. */
static matrix *find_matrices(const ag_run *run, int *count, ag_arena *arena) {
  const ag_list *out = &run->graph->function->out;
  matrix *list = ag_alloc(arena, ((size_t)out->nquantities + 1) * sizeof *list);
  *count = 0;
  for (int k = 0; k < out->nquantities; k++) {
    const ag_quantity *q = &out->quantities[k];
    for (int s = 0; s < SOURCES && q->shape == AG_DERIVATIVE; s++)
      if (strncmp(q->name, sources[s].of, strlen(sources[s].of)) == 0) {
        list[(*count)++] = (matrix){.q = q, .source = s};
        break;
      }
  }
  return list;
}

void ag_check_derivatives(ag_checker *c, const ag_run *run, double coarse) {
  const char *values = ag_function_values(run->graph->function->name);
  const bool solve = ag_function_solves(values);
  const ag_run *reference = ag_reference_run(&c->robot, values);
  if (solve &&
      ((run->status | reference->status) & AG_BIT_SINGULAR || c->robot.pivot < LEAST_PIVOT))
    return;
  const ag_graph *p = reference->graph;
  const size_t out = (size_t)p->function->out.nelements + 1;
  ag_arena own = {0};
  difference d = {0};
  d.coarse = ag_alloc(&own, out * sizeof *d.coarse);
  d.fine = ag_alloc(&own, out * sizeof *d.fine);
  ag_sampler_fill(&c->robot.sampler, p, reference->in);
  ag_wide_open(&d.wide, p, reference->in, &own);
  d.status = d.wide.status[0];
  const double pivot = solve ? c->robot.pivot : 1; /* id and fd have no rows */
  const double allowed = AG_CHECK_DIFFERENCES * fmax(1, coarse / 5e4) / pivot;
  int count;
  matrix *list = find_matrices(run, &count, &own);
  for (matrix *m = list; m < list + count; m++) {
    if (!m->begun) differentiate_all(c, run, &d, m, list + count);
    if (!m->steady || m->unsteady > SWITCHES * m->largest) continue;
    ag_check_note(c, run->graph->function->name,
                  ag_printf(c->arena, "%s, by differences", m->q->name),
                  ag_check_ratio(m->apart, m->largest + terms(c, m->q, m->source)), allowed);
  }
  ag_arena_free(&own);
}
