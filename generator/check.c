/* check.c: see check.h
 *
 * An error is a difference over the terms that it is made of. For a solve these are |M^-1| times
 * all torques that the equation of motion sums up; its rows magnify roundings by one over their
 * least pivot. What remains is rounding, whatever the robot and the state. */
#include "check.h"

#include "companion.h"

#include <math.h>
#include <string.h>

/* What is allowed.
 * SAME: one script, the same operations up to folded constants, signs and the order of sums:
 *   1e-16 times the length of sums, and four digits for what cancels in them.
 * BALANCE: torques and accelerations by other ways than the program's, through M and J: one digit
 *   more.
 * SINGLE: how much coarser float is than double, 2^-24 / 2^-53, less one digit, which SAME can do
 *   without. */
static const double SAME = 1e-12, BALANCE = 1e-11, SINGLE = 5e7;
/* Central differences: h^2 of truncation, 1e-16 / h of rounding, and three digits. */
static const double STEP = 1e-5, DIFFERENCES = 1e-6;
/* Where a policy acts, the rows it keeps have pivots down to this. */
static const double LEAST_PIVOT[2] = {1e-8, 1e-3}; /* double, float */
enum {
  LINE = 200,
  TYPICAL_STATES = 101,
  BIT_SINGULAR = 1,
  BIT_SATURATED = 2,
  BIT_NOT_FINITE = 4,
  BIT_BAD_INPUT = 16,
  BIT_UNACTUATED = 32,
  BIT_NOT_POSITIVE = 64
};
/* Status bits that rounding cannot flip. */
static const unsigned ROUNDING_PROOF = BIT_NOT_FINITE | BIT_BAD_INPUT | BIT_NOT_POSITIVE;

typedef struct subject { /* a program that is checked */
  ag_run run;
  double *numbers; /* the script's outputs */
  double *typical; /* norms of its outputs, by quantity */
} subject;

typedef struct checker {
  const ag_header *header;
  ag_script *script;
  subject *subjects; /* by program */
  ag_companion robot;
  int state;
  ag_check_report *report;
  ag_arena *arena;
  ag_err *err;
  double *v[3]; /* of as many numbers as there are joints, for passing use */
} checker;

/* ---- the report ---- */

static void note(checker *c, const char *function, const char *what, double error, double allowed) {
  ag_check_report *r = c->report;
  int k = 0;
  while (k < r->nlines &&
         (strcmp(r->lines[k].function, function) != 0 || strcmp(r->lines[k].what, what) != 0))
    k++;
  if (k == r->nlines) {
    r->lines = ag_grow(c->arena, r->lines, (size_t)k * sizeof *r->lines,
                       (size_t)(k + 1) * sizeof *r->lines);
    r->lines[r->nlines++] =
        (ag_check_line){.function = function, .what = ag_strdup(c->arena, what), .worst = -1};
  }
  ag_check_line *line = &r->lines[k];
  line->allowed = allowed;
  line->count++;
  if (!isfinite(error)) error = INFINITY;
  if (error > line->worst) {
    line->worst = error;
    line->state = c->state;
  }
}

static double ratio(double difference, double size) {
  return fabs(difference) / (size + 1e-12);
}

void ag_check_print(const ag_check_report *report, FILE *to) {
  fprintf(to, "%d random states; differences over the terms that they are made of\n\n",
          report->nstates);
  fprintf(to, "  %-8s %-56s %7s %9s %9s\n", "function", "comparison", "states", "worst", "allowed");
  for (int k = 0; k < report->nlines; k++) {
    const ag_check_line *l = &report->lines[k];
    fprintf(to, "  %-8s %-56s %7d %9.1e %9.1e%s\n", l->function, l->what, l->count, l->worst,
            l->allowed, l->worst <= l->allowed ? "" : "  FAILED");
  }
  if (report->nsingular)
    fprintf(
        to,
        "\n  In %d of %d states rows met the singularity policy; b is not asked of them there.\n",
        report->nsingular, report->nstates);
}

bool ag_check_passed(const ag_check_report *report, const char *path, ag_err *err) {
  for (int k = 0; k < report->nlines; k++) {
    const ag_check_line *l = &report->lines[k];
    if (!(l->worst <= l->allowed))
      return ag_fail(err, path, 0, "this is a defect of achdgen, please report it",
                     "check: %s, %s: %.1e in state %d, at most %.1e is allowed", l->function,
                     l->what, l->worst, l->state, l->allowed);
  }
  return true;
}

/* ---- the solve against the equations ---- */

static bool has_status(const ag_program *p, unsigned bit) {
  for (int k = 0; k < p->nstatus; k++)
    if (p->status[k].bit == bit) return true;
  return false;
}

/* Shares of joints without a motor, 0 for the others. */
static void unactuated(const checker *c, const ag_run *r, double *tau) {
  for (int j = 0; j < c->robot.n; j++) {
    tau[j] = 0;
    for (int k = 0; k < r->program->out.nquantities; k++) {
      const ag_quantity *q = &r->program->out.quantities[k];
      if (strncmp(q->name, "tau_unactuated.", 15) == 0 &&
          strcmp(q->name + 15, c->header->joints[j].id) == 0)
        tau[j] = r->out[q->first];
    }
  }
}

/* M qdd + h - J^T f = tau_phys + tau_ctrl + J^T A nu of physical rows; without saturation also
 * what joints without a motor would have to give. */
static void check_motion(checker *c, const ag_run *r, double allowed) {
  const int n = c->robot.n;
  const double *qdd = ag_output_of(r, "qdd"), *tau_ctrl = ag_output_of(r, "tau_ctrl"),
               *nu = ag_output_of(r, "nu");
  const double *phys = ag_sampler_find(&c->robot.sampler, "tau_phys"),
               *art = ag_sampler_find(&c->robot.sampler, "tau_art"),
               *b = ag_sampler_find(&c->robot.sampler, "b"),
               *mask = ag_sampler_find(&c->robot.sampler, "mask");
  double *extra = c->v[0], *left = c->v[1], *own = c->v[2];
  const bool saturates = has_status(r->program, BIT_SATURATED);
  unactuated(c, r, extra);
  /* of these numbers, which may be far from the companion's where rows are close to dependent */
  const double ours = ag_companion_size(&c->robot, qdd, tau_ctrl, nu) + ag_largest(extra, n);
  const double size = fmax(c->robot.sizes.torque, ours);
  const double larger = c->robot.sizes.torque > 0 ? size / c->robot.sizes.torque : 1;
  const double *tau = ag_companion_torques(&c->robot, qdd);
  for (int i = 0; i < n; i++) {
    left[i] = tau[i] - tau_ctrl[i] - (phys ? phys[i] : 0) - (saturates ? 0 : extra[i]);
    own[i] = tau_ctrl[i] + extra[i] - (art ? art[i] : 0);
    for (int k = 0; k < c->robot.nrows; k++) {
      const double torque = c->robot.AJ[k * n + i] * nu[k];
      if (c->robot.rows[k].group->physical)
        left[i] -= torque;
      else
        own[i] -= torque;
    }
    own[i] = -own[i];
  }
  ag_companion_wrenches(&c->robot, false, own, NULL);
  note(c, "achd", "M qdd + h - J^T f = tau + J^T A nu of physical rows",
       ratio(ag_largest(left, n), size), allowed);
  if (!(r->status & BIT_SATURATED))
    note(c, "achd", "tau_ctrl = tau_art + J^T A nu + J^T f, artificial",
         ratio(ag_largest(own, n), size), allowed);
  if (r->status & BIT_SINGULAR) return;
  const bool clamped =
      r->status & BIT_SATURATED || (saturates && (r->status & BIT_UNACTUATED) != 0);
  for (int k = 0, masked = 0; k < c->robot.nrows; k++) {
    double a = c->robot.drift[k] - b[k], terms = c->robot.drift_size[k] + fabs(b[k]);
    for (int j = 0; j < n; j++) {
      a += c->robot.AJ[k * n + j] * qdd[j];
      terms += fabs(c->robot.AJ[k * n + j]) * c->robot.reach[j] * larger;
    }
    const bool off = c->header->rows[k].maskable && mask[masked++] == 0;
    if (off)
      note(c, "achd", "nu of masked rows", fabs(nu[k]), 0);
    else if (!clamped || c->robot.rows[k].group->physical)
      note(c, "achd", "A^T (J qdd + J-dot q-dot) = b", ratio(a, terms), allowed);
  }
}

static bool complete(const checker *c, const ag_run *r) {
  return ag_output_of(r, "qdd") && ag_output_of(r, "tau_ctrl") &&
         (c->robot.nrows == 0 || ag_output_of(r, "nu"));
}

/* ---- programs against scripts, and one formulation against the other ---- */

static double norm(const double *x, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* The median over some states of the norm of every output. */
static void find_typical(checker *c, subject *s, int nstates) {
  if (nstates > TYPICAL_STATES) nstates = TYPICAL_STATES;
  const ag_list *list = &s->run.program->out;
  const size_t count = (size_t)nstates;
  double *norms = ag_alloc(c->arena, (count * (size_t)list->nquantities + 1) * sizeof *norms);
  for (int state = 0; state < nstates; state++) {
    ag_sampler_draw(&c->robot.sampler, state, c->header->single);
    ag_run_evaluate(&c->robot.sampler, &s->run, c->header->single);
    for (int k = 0; k < list->nquantities; k++) {
      const ag_quantity *q = &list->quantities[k];
      double *sorted = norms + (size_t)k * count, x = norm(s->run.out + q->first, q->size);
      int at = state;
      for (; at > 0 && sorted[at - 1] > x; at--) sorted[at] = sorted[at - 1];
      sorted[at] = x;
    }
  }
  for (int k = 0; k < list->nquantities; k++) s->typical[k] = norms[(size_t)k * count + count / 2];
}

/* What an output's differences are made of. */
static double output_size(const checker *c, const subject *s, int k) {
  const ag_run *r = &s->run;
  const ag_companion *robot = &c->robot;
  const char *function = r->program->function;
  const ag_quantity *q = &r->program->out.quantities[k];
  const ag_sizes *z = &robot->sizes;
  const double own = norm(r->out + q->first, q->size) + s->typical[k];
  const double *qd = ag_sampler_find(&robot->sampler, "qd");
  if (strncmp(q->name, "pivot", 5) == 0) return 1;
  if (strcmp(q->name, "tau_total") == 0 || strcmp(q->name, "tau_apparent") == 0)
    return own + z->torque +
           ag_largest(robot->M, robot->n * robot->n) * z->qdd; /* D qdd, D below M's diagonal */
  if (strncmp(q->name, "tau", 3) == 0) return own + z->torque;
  if (strcmp(q->name, "qdd") == 0) return own + z->qdd;
  if (strcmp(q->name, "nu") == 0) return own + z->nu;
  if (strcmp(q->name, "gauss") == 0) return own + robot->n * z->torque * z->qdd;
  const bool solve = strcmp(function, "achd") == 0;
  if (solve && (strcmp(q->name, "residual") == 0 || strncmp(q->name, "acc.", 4) == 0))
    return own + z->acceleration;
  return own + ag_largest(qd, robot->n) * ag_largest(qd, robot->n);
}

static void compare(checker *c, const subject *s, const ag_list *list, const double *other,
                    const char *title, double allowed) {
  const ag_run *r = &s->run;
  const ag_program *p = r->program;
  double pivot = strcmp(p->function, "achd") == 0 ? c->robot.pivot : 1;
  if (r->status & BIT_SINGULAR) pivot = fmax(pivot, LEAST_PIVOT[c->header->single]);
  for (int k = 0; k < p->out.nquantities; k++) {
    const ag_quantity *q = &p->out.quantities[k], *same = ag_quantity_of(list, q->name);
    if (!same || same->size != q->size) continue;
    double apart = 0;
    for (int i = 0; i < q->size; i++)
      apart = fmax(apart, fabs(r->out[q->first + i] - other[same->first + i]));
    for (int i = 0; i < q->size; i++)
      if (isnan(r->out[q->first + i]) || isnan(other[same->first + i])) apart = INFINITY;
    char what[LINE];
    snprintf(what, sizeof what, "%s: %s", title, q->name);
    note(c, p->function, what, ratio(apart, output_size(c, s, k) / pivot), allowed);
  }
}

static bool check_subject(checker *c, int index, double coarse) {
  subject *s = &c->subjects[index];
  ag_run *r = &s->run;
  const ag_program *p = r->program;
  ag_run_evaluate(&c->robot.sampler, r, c->header->single);
  unsigned status = 0;
  if (!ag_script_numbers(c->script, index, r->in, s->numbers, &status, c->err)) return false;
  const unsigned odd = (r->status ^ status) & (c->header->single ? ROUNDING_PROOF : ~0u);
  note(c, p->function, "program and script: status", odd != 0, 0);
  const bool solve = strcmp(p->function, "achd") == 0;
  const ag_run *other = ag_companion_run(&c->robot, "achd");
  /* one side or the other of a threshold; float leaves nothing of rows this close to dependent */
  if (solve && r->status != status) return true;
  if (solve && c->header->single && c->robot.pivot < LEAST_PIVOT[1]) return true;
  compare(c, s, &p->out, s->numbers, "program and script", SAME * coarse);
  if (solve && !((r->status | other->status) & BIT_SINGULAR)) {
    char title[LINE];
    snprintf(title, sizeof title, "%s and %s", p->formulation, other->program->formulation);
    compare(c, s, &other->program->out, other->out, title, BALANCE * coarse);
  }
  return true;
}

/* ---- the family ---- */

/* J x, and the sums of absolute values. */
static void times(const checker *c, const double *jac, const double *x, double y[6], double *size) {
  *size = 0;
  for (int i = 0; i < 6; i++) {
    double terms = y[i] = 0;
    for (int j = 0; j < c->robot.n; j++) {
      y[i] += jac[i * c->robot.n + j] * x[j];
      terms += fabs(jac[i * c->robot.n + j] * x[j]);
    }
    *size = fmax(*size, terms);
  }
}

static void check_frames(checker *c) {
  const double *qd = ag_sampler_find(&c->robot.sampler, "qd"),
               *qdd = ag_sampler_find(&c->robot.sampler, "qdd");
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_seen_frame *f = &c->robot.frames[k];
    double v[6], a[6], size, error = 0;
    times(c, f->jac, qd, v, &size);
    for (int i = 0; i < 6; i++) error = fmax(error, fabs(v[i] - f->twist[i]));
    note(c, "fvk", "twist = J qd", ratio(error, size), BALANCE);
    times(c, f->jac, qdd, a, &size);
    error = 0;
    for (int i = 0; i < 6; i++) error = fmax(error, fabs(a[i] + f->jdqd[i] - f->acc[i]));
    note(c, "fak", "acceleration = J qdd + J-dot q-dot",
         ratio(error, size + ag_largest(f->jdqd, 6)), BALANCE);
  }
}

static void check_dynamics(checker *c) {
  const int n = c->robot.n;
  const double *qd = ag_sampler_find(&c->robot.sampler, "qd"),
               *qdd = ag_sampler_find(&c->robot.sampler, "qdd"),
               *tau = ag_sampler_find(&c->robot.sampler, "tau");
  const double *id = ag_output_of(ag_companion_run(&c->robot, "id"), "tau"),
               *bias = ag_output_of(ag_companion_run(&c->robot, "bias"), "tau"),
               *hold = ag_output_of(ag_companion_run(&c->robot, "gravity"), "tau");
  double *sum = c->v[0], *given = c->v[1], size = ag_companion_size(&c->robot, qdd, NULL, NULL);
  for (int i = 0; i < n; i++) given[i] = 0;
  ag_companion_wrenches(&c->robot, true, given, NULL);
  double kinetic = 0, kinetic_size = 0;
  for (int i = 0; i < n; i++) {
    sum[i] = bias[i] + hold[i] - given[i] - id[i];
    for (int j = 0; j < n; j++) {
      const double m = c->robot.M[i * n + j];
      sum[i] += m * qdd[j];
      kinetic += 0.5 * qd[i] * m * qd[j];
      kinetic_size += 0.5 * fabs(qd[i] * m * qd[j]);
    }
  }
  note(c, "id", "id = M qdd + bias + gravity - J^T f", ratio(ag_largest(sum, n), size), BALANCE);
  note(c, "energy", "kinetic = 1/2 qd^T M qd",
       ratio(kinetic - *ag_output_of(ag_companion_run(&c->robot, "energy"), "kinetic"),
             kinetic_size),
       BALANCE);
  const double *fd = ag_output_of(ag_companion_run(&c->robot, "fd"), "qdd");
  size = ag_companion_size(&c->robot, fd, tau, NULL);
  const double *back = ag_companion_torques(&c->robot, fd);
  for (int i = 0; i < n; i++) sum[i] = back[i] - tau[i];
  note(c, "fd", "id(fd(tau)) = tau", ratio(ag_largest(sum, n), size), BALANCE);
}

/* Where an output of a function stands among its derivatives. */
static const double *part(const checker *c, const char *function, const double *derivatives,
                          const double *value) {
  return derivatives + (value - ag_companion_run(&c->robot, function)->out);
}

static void check_derivatives(checker *c, const double *v) {
  const int n = c->robot.n;
  const double *qd = ag_sampler_find(&c->robot.sampler, "qd");
  double fastest = 1;
  for (int k = 0; k < c->header->nangles; k++)
    fastest = fmax(fastest, fabs(c->header->angles[k].multiplier));
  const double h = STEP / fastest;
  const double *change = ag_companion_derivative(&c->robot, "fk", v, h);
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_seen_frame *f = &c->robot.frames[k];
    const double *d = part(c, "fk", change, f->pose), *R = f->pose + 3, *D = d + 3;
    double twist[6], size, error = 0;
    times(c, f->jac, v, twist, &size);
    for (int i = 0; i < 3; i++) { /* R-dot R^T = [w]x */
      const int a = (i + 2) % 3, b = (i + 1) % 3;
      double w = 0;
      for (int m = 0; m < 3; m++) w += D[3 * a + m] * R[3 * b + m];
      error = fmax(error, fmax(fabs(twist[i] - d[i]), fabs(twist[3 + i] - w)));
    }
    note(c, "jac", "J v = derivative of poses", ratio(error, size), DIFFERENCES);
  }
  change = ag_companion_derivative(&c->robot, "jac", qd, h);
  for (int k = 0; k < c->robot.nframes; k++) {
    const ag_seen_frame *f = &c->robot.frames[k];
    double a[6], size, error = 0;
    times(c, part(c, "jac", change, f->jac), qd, a, &size);
    for (int i = 0; i < 6; i++) error = fmax(error, fabs(a[i] - f->jdqd[i]));
    times(c, f->jac, qd, a, &size);
    note(c, "jdqd", "J-dot q-dot = derivative of J along qd",
         ratio(error, size * (1 + ag_largest(qd, n))), DIFFERENCES);
  }
  const double *potential = ag_output_of(ag_companion_run(&c->robot, "energy"), "potential"),
               *hold = ag_output_of(ag_companion_run(&c->robot, "gravity"), "tau"),
               *bias = ag_output_of(ag_companion_run(&c->robot, "bias"), "tau");
  change = ag_companion_derivative(&c->robot, "energy", v, h);
  double power = -*part(c, "energy", change, potential), size = fabs(*potential);
  for (int i = 0; i < n; i++) {
    power += hold[i] * v[i];
    size += fabs(hold[i] * v[i]);
  }
  note(c, "gravity", "gravity v = derivative of the potential", ratio(power, size), DIFFERENCES);
  /* v^T C qd = v^T M-dot qd - 1/2 qd^T (dM/dv) qd */
  double sum = 0, terms = 0;
  for (int pass = 0; pass < 2; pass++) {
    const double *D = ag_companion_derivative(&c->robot, "crba", pass ? v : qd, h),
                 *left = pass ? qd : v;
    for (int i = 0, at = 0; i < n; i++)
      for (int j = 0; j <= i; j++, at++) {
        const double both = i == j ? left[i] * qd[i] : left[i] * qd[j] + left[j] * qd[i];
        sum += (pass ? -0.5 : 1) * D[at] * both;
        terms += fabs(c->robot.M[i * n + j] * both) * (1 + ag_largest(pass ? v : qd, n));
      }
  }
  for (int i = 0; i < n; i++) sum -= bias[i] * v[i];
  note(c, "bias", "bias v = what the derivatives of M make of qd", ratio(sum, terms), DIFFERENCES);
}

/* ---- all of it ---- */

static bool check_state(checker *c, double *v) {
  const double coarse = c->header->single ? SINGLE : 1;
  if (!ag_companion_draw(&c->robot, c->state, c->header->single)) {
    note(c, "crba", "M is positive definite", INFINITY, 0);
    return true;
  }
  for (int k = 0; k < c->header->nprograms; k++) {
    if (!check_subject(c, k, coarse)) return false;
    const ag_run *r = &c->subjects[k].run;
    if (strcmp(r->program->function, "achd") != 0) continue;
    const bool own = complete(c, r);
    if (!own) r = ag_companion_run(&c->robot, "achd");
    c->report->nsingular += (r->status & BIT_SINGULAR) != 0;
    note(c, "achd", "finite and positive", (r->status & (BIT_NOT_FINITE | BIT_NOT_POSITIVE)) != 0,
         0);
    check_motion(c, r, BALANCE * (own ? coarse : 1));
  }
  const double *qdd = ag_sampler_find(&c->robot.sampler, "qdd");
  for (int j = 0; j < c->robot.n; j++) v[j] = qdd[j] / 5;
  ag_run_evaluate(&c->robot.sampler, ag_companion_run(&c->robot, "id"), false);
  check_frames(c);
  check_dynamics(c);
  check_derivatives(c, v);
  return true;
}

/* The formulation that the solve is not in; NULL: there is but one, or no solve. */
static const char *other_formulation(const ag_header *header, const ag_reduced *reduced) {
  for (int i = 0; i < reduced->nbodies; i++)
    if (reduced->bodies[i].mimic >= 0) return NULL;
  for (int k = 0; k < header->nprograms; k++)
    if (strcmp(header->programs[k]->function, "achd") == 0)
      return strcmp(header->programs[k]->formulation, "joint") == 0 ? "recursion" : "joint";
  return NULL;
}

bool ag_check(const ag_model *model, const ag_script_options *options, const ag_header *header,
              ag_script *script, int nstates, ag_check_report *report, ag_err *err) {
  ag_arena *arena = header->arena;
  checker c = {.header = header, .script = script, .report = report, .arena = arena, .err = err};
  *report = (ag_check_report){.nstates = nstates};
  bool good = ag_companion_open(&c.robot, model, options,
                                other_formulation(header, ag_script_reduced(script)), err, arena);
  if (good) {
    const size_t real = sizeof(double);
    c.subjects = ag_alloc(arena, (size_t)header->nprograms * sizeof *c.subjects);
    for (int k = 0; k < header->nprograms; k++) {
      const ag_list *out = &header->programs[k]->out;
      subject *s = &c.subjects[k];
      s->run = ag_run_new(&c.robot.sampler, header->programs[k], arena);
      s->numbers = ag_alloc(arena, (size_t)(out->nelements + 1) * real);
      s->typical = ag_alloc(arena, (size_t)(out->nquantities + 1) * real);
    }
    for (int k = 0; k < header->nprograms; k++) find_typical(&c, &c.subjects[k], nstates);
    for (int k = 0; k < 3; k++) c.v[k] = ag_alloc(arena, (size_t)c.robot.n * real);
    double *v = ag_alloc(arena, (size_t)c.robot.n * real);
    for (c.state = 0; good && c.state < nstates; c.state++) good = check_state(&c, v);
  }
  ag_companion_close(&c.robot);
  return good;
}
