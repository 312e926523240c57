/* SPDX-License-Identifier: MIT */
/* contact.c: impulses of contacts by active sets of blocks, see achd/contact.h. */
#include "contact_solver.h"
#include "dispatch.h"

#include "vector.h"

enum { DEFAULT_ITERATIONS = 200, SETTLING = 14 };

/* Relative to the terms of w; and what c's own rounding leaves of the largest |c_j| / sqrt(A_jj). */
static const achd_real wanted =
    ACHD_CONTACT_RESIDUAL / (sizeof(achd_real) == sizeof(float) ? 128 : 16);
static const achd_real enough = ACHD_CONTACT_RESIDUAL / 8,
                       most_residual = ACHD_CONTACT_RESIDUAL / 2, rounding_of_w = 64 * ACHD_EPSILON;
static const achd_real noise_of_c = 4 * ACHD_EPSILON;
/* Of the mean diagonal element: a block below it is out of reach. */
static const achd_real out_of_reach = ACHD_EPSILON * ACHD_EPSILON;
/* By how much a row may miss its velocity because rigid rows are regularised, of the largest one. */
static const achd_real most_missed = (achd_real)1e-3;
/* Of the mean product at the first point of the path, where it is left for Newton's
 * method; and from one time to the next. */
static const achd_real first_gap = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-8);
static const achd_real gap_by = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-2 : 1e-3);
/* A contact this close to its cone is on it. */
static const achd_real on_cone = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-6);

/* ---- the cones ---- */

static achd_real length_of(const achd_real t[2]) {
  return achd_sqrt(t[0] * t[0] + t[1] * t[1]);
}

/* The nearest point of the cone |t| <= mu n to z, and where on it that is. */
static contact_state project_on_cone(achd_real mu, const achd_real z[3], achd_real nearest[3]) {
  const achd_real t = length_of(z + 1);
  if (t <= mu * z[0]) {
    achd_copy(nearest, z, 3);
    return HELD;
  }
  if (mu * t <= -z[0]) {
    achd_zero(nearest, 3);
    return AWAY;
  }
  nearest[0] = (z[0] + mu * t) / (1 + mu * mu);
  const achd_real share = mu * nearest[0] / t;
  nearest[1] = share * z[1], nearest[2] = share * z[2];
  return SLIDES;
}

/* Whether lambda is on the surface of the cone; then it is put there exactly. */
static bool is_on_cone(achd_real mu, achd_real lambda[3]) {
  const achd_real t = length_of(lambda + 1), most = mu * lambda[0];
  if (!(most > 0 && achd_magnitude(t - most) <= on_cone * most)) return false;
  lambda[1] *= most / t, lambda[2] *= most / t;
  return true;
}

/* target and the states of all blocks, from lambda and y: the natural map. */
static void find_targets(achd_contact_solver *s) {
  for (int j = 0; j < s->n; j += s->rows[j]) {
    const achd_real by = 1 / s->size[j];
    if (s->rows[j] == 3) {
      achd_real z[3];
      for (int i = 0; i < 3; i++) z[i] = s->lambda[j + i] - by * s->y[j + i];
      s->state[j] = (unsigned char)project_on_cone(s->mu[j], z, s->target + j);
    } else {
      const achd_real z = s->lambda[j] - by * s->y[j];
      s->target[j] = achd_clamp(z, s->lo[j], s->hi[j]);
      s->state[j] = z > s->lo[j] && z < s->hi[j] ? HELD : AWAY;
    }
  }
}

/* The sets at a point of the central path, where a contact that slides has a slip that is small beside what rounding
 * and the distance from the end of the path leave of lambda, if A is nearly singular: in units of the
 * least regularisation, which is what counts there. */
static void guess_sets(achd_contact_solver *s) {
  for (int j = 0; j < s->n; j += s->rows[j]) {
    const achd_real by = 1 / (ACHD_CONTACT_LEAST * s->size[j]), *lambda = s->lambda + j;
    if (s->rows[j] == 1) {
      const achd_real z = lambda[0] - by * s->y[j];
      s->target[j] = achd_clamp(z, s->lo[j], s->hi[j]);
      s->state[j] = z > s->lo[j] && z < s->hi[j] ? HELD : AWAY;
      continue;
    }
    achd_real z[3], nearest[3];
    for (int i = 0; i < 3; i++) z[i] = lambda[i] - by * s->y[j + i];
    s->state[j] = (unsigned char)project_on_cone(s->mu[j], z, nearest);
    const achd_real t = length_of(lambda + 1);
    if (s->state[j] != SLIDES || !(t > 0 && lambda[0] > 0)) {
      achd_copy(s->target + j, nearest, 3);
      continue;
    }
    s->target[j] = lambda[0];
    for (int i = 1; i < 3; i++) s->target[j + i] = s->mu[j] * lambda[0] / t * lambda[i];
  }
}

/* ---- how good lambda is ---- */

/* |size (target - lambda)| of the block: by how much w would have to change, that lambda were the solution. */
static achd_real off_by(const achd_contact_solver *s, int j) {
  if (s->rows[j] == 1) return s->size[j] * achd_magnitude(s->target[j] - s->lambda[j]);
  achd_real off[3];
  for (int i = 0; i < 3; i++) off[i] = s->target[j + i] - s->lambda[j + i];
  return s->size[j] * achd_norm(off);
}

/* terms[j] <- |c_j| + sum |A_jk lambda_k| */
static void find_terms(const achd_contact_solver *s) {
  const int n = s->n;
  for (int i = 0; i < n; i++) {
    s->terms[i] = achd_magnitude(s->c[i]) + s->R[i] * achd_magnitude(s->lambda[i]);
  }
  for (int k = 0; k < n; k++) {
    const achd_real *restrict column = s->p->A + (size_t)(k * n), by = achd_magnitude(s->lambda[k]);
    for (int i = 0; i < n; i++) s->terms[i] += achd_magnitude(column[i]) * by;
  }
}

/* The largest off_by, relative to the terms of w. */
static achd_real find_residual(const achd_contact_solver *s) {
  achd_real most = 0;
  find_terms(s);
  for (int j = 0; j < s->n; j += s->rows[j]) {
    achd_real terms = 0;
    for (int i = 0; i < s->rows[j]; i++) terms = terms > s->terms[j + i] ? terms : s->terms[j + i];
    terms += noise_of_c / wanted * s->largest * achd_sqrt(s->size[j]);
    const achd_real off = off_by(s, j);
    if (!(off <= most * terms)) most = off / terms;
  }
  return most;
}

/* lambda <- target, which is in K, if it is finite. */
static bool end_in_cones(achd_contact_solver *s) {
  const bool finite = achd_all_finite(s->target, s->n) && achd_all_finite(s->y, s->n);
  if (finite) {
    achd_copy(s->lambda, s->target, s->n);
  } else {
    achd_zero(s->lambda, s->n);
  }
  return finite;
}

/* Whether lambda is nearly the solution. Most others are distinguished by a bound on all terms,
 * |A_jk| <= sqrt(A_jj A_kk). */
static bool is_near(const achd_contact_solver *s) {
  achd_real all = s->largest;
  for (int j = 0; j < s->n; j++) {
    all += achd_magnitude(s->lambda[j]) * achd_sqrt(3 * s->size[j]);
  }
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (!(off_by(s, j) <= wanted * 2 * achd_sqrt(3 * s->size[j]) * all)) return false;
  }
  return true;
}

/* Whether lambda is the solution; then it is put into K. Where that moves it by more than rounding,
 * w of other rows changes, more than theirs may where masses differ much, so that all is computed again. */
static bool is_solved(achd_contact_solver *s) {
  if (!is_near(s)) return false;
  s->residual = find_residual(s);
  if (!(s->residual <= wanted)) return false;
  const bool rounding = s->residual <= rounding_of_w;
  achd_copy(s->lambda, s->target, s->n);
  if (rounding) return true;
  achd_contact_gradient(s, s->lambda, s->y);
  find_targets(s);
  s->residual = find_residual(s);
  return s->residual <= enough;
}

/* ---- Newton's method on an active set ---- */

/* Blocks that leave what they were take lambda = target with them; y follows. */
static void take_sets(achd_contact_solver *s) {
  const int n = s->n;
  for (int j = 0; j < n; j += s->rows[j]) {
    if (s->state[j] == HELD) continue;
    achd_real *lambda = s->lambda + j, before[3];
    achd_zero(before, 3);
    achd_copy(before, lambda, s->rows[j]);
    if (s->state[j] == AWAY || !is_on_cone(s->mu[j], lambda)) {
      achd_copy(lambda, s->target + j, s->rows[j]);
    }
    for (int i = 0; i < s->rows[j]; i++) {
      const achd_real by = lambda[i] - before[i];
      if (by == 0) continue;
      const achd_real *restrict column = s->p->A + (size_t)((j + i) * n);
      for (int k = 0; k < n; k++) s->y[k] += by * column[k];
      s->y[j + i] += by * s->R[j + i];
    }
  }
}

/* The two directions along the cone at lambda: e = (1, mu u), along which it grows, and (0, turned u). */
typedef struct sliding {
  achd_real normal, mu, cosine, sine;
} sliding;

static sliding sliding_at(const achd_contact_solver *s, int j) {
  const achd_real *lambda = s->lambda + j, mu = s->mu[j];
  const achd_real by = 1 / (mu * lambda[0]);
  return (sliding){lambda[0], mu, by * lambda[1], by * lambda[2]};
}

/* How far friction is from pushing the right way: -u . w_t, the speed of sliding. */
static achd_real speed_of(const achd_contact_solver *s, int j, const sliding *on) {
  return -(on->cosine * s->y[j + 1] + on->sine * s->y[j + 2]);
}

/* Row `row` of A + R, which is in the block `first`, times the directions of the blocks from that on. */
static void reduce_row(const achd_contact_solver *s, int row, int first, achd_real *out) {
  const achd_real *of = s->p->A + (size_t)(row * s->n);
  for (int j = first; j < s->n; j += s->rows[j]) {
    if (s->state[j] == AWAY) continue;
    if (s->state[j] == HELD) {
      achd_copy(out, of + j, s->rows[j]);
      if (j == first) out[row - j] += s->R[row];
      out += s->rows[j];
      continue;
    }
    achd_real own[3];
    achd_copy(own, of + j, 3);
    if (j == first) own[row - j] += s->R[row];
    const sliding on = sliding_at(s, j);
    *out++ = own[0] + on.mu * (on.cosine * own[1] + on.sine * own[2]);
    *out++ = on.cosine * own[2] - on.sine * own[1];
  }
}

/* Rows k and k + 1 of F and of the right side, of a contact that slides: rows of A + R are at F's row k, k + 1 and
 * in `third`. On the surface lambda = s (1, mu u) the second derivative of the objective has beside that of
 * A + R the curvature |w_t| / (mu s) along the turn of u. */
static void reduce_sliding(achd_contact_solver *s, int j, int k, const achd_real *third) {
  const sliding on = sliding_at(s, j);
  achd_real *e = s->F + (size_t)(k * s->n), *turn = s->F + (size_t)((k + 1) * s->n);
  for (int i = k; i < s->unknowns; i++) {
    const achd_real t1 = turn[i], t2 = third[i];
    e[i] += on.mu * (on.cosine * t1 + on.sine * t2);
    turn[i] = on.cosine * t2 - on.sine * t1;
  }
  const achd_real speed = speed_of(s, j, &on);
  if (speed > 0) turn[k + 1] += speed / (on.mu * on.normal);
  s->step[k] = -(s->y[j] - on.mu * speed);
  s->step[k + 1] = on.sine * s->y[j + 1] - on.cosine * s->y[j + 2];
}

/* F and the right side over the active set. */
static void reduce(achd_contact_solver *s) {
  int k = 0;
  s->unknowns = 0;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    s->unknowns += s->state[j] == AWAY ? 0 : s->state[j] == SLIDES ? 2 : s->rows[j];
  }
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (s->state[j] == AWAY) continue;
    const bool slides = s->state[j] == SLIDES;
    for (int i = 0; i < s->rows[j]; i++) {
      achd_real *row = slides && i == 2 ? s->terms : s->F + (size_t)((k + i) * s->n);
      reduce_row(s, j + i, j, row + k);
      if (!slides) s->step[k + i] = -s->y[j + i];
    }
    if (slides) reduce_sliding(s, j, k, s->terms);
    k += slides ? 2 : s->rows[j];
  }
}

/* lambda after the step; contacts that slide stay on their cones. */
static void move(achd_contact_solver *s) {
  const achd_real *step = s->step;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    achd_real *lambda = s->lambda + j;
    if (s->state[j] == HELD) {
      for (int i = 0; i < s->rows[j]; i++) lambda[i] += *step++;
    } else if (s->state[j] == SLIDES) {
      const sliding on = sliding_at(s, j);
      const achd_real normal = on.normal + step[0], turn = step[1] / (on.mu * on.normal);
      step += 2;
      if (!(normal > 0)) {
        achd_zero(lambda, 3);
        continue;
      }
      const achd_real by = on.mu * normal / achd_sqrt(1 + turn * turn);
      lambda[0] = normal;
      lambda[1] = by * (on.cosine - turn * on.sine);
      lambda[2] = by * (on.sine + turn * on.cosine);
    }
  }
}

typedef enum outcome { DONE, WANDERS, STUCK } outcome;

/* Newton's method until lambda is the solution, at most `most` times. STUCK: no factor, or numbers overflowed. */
static outcome settle(achd_contact_solver *s, int most, bool on_path) {
  for (int k = 0;; k++) {
    achd_contact_gradient(s, s->lambda, s->y);
    if (!achd_all_finite(s->y, s->n)) return STUCK;
    find_targets(s);
    if (is_solved(s)) return DONE;
    if (k >= most || s->factored >= s->most) return WANDERS;
    if (on_path && k == 0) guess_sets(s);
    take_sets(s);
    reduce(s);
    s->factored++;
    if (!achd_contact_factor(s->unknowns, s->n, s->F, s->inverse)) {
      s->indefinite = true;
      return STUCK;
    }
    achd_contact_substitute(s->unknowns, s->n, s->F, s->inverse, s->step);
    move(s);
  }
}

/* ---- the problem ---- */

static int rows_of(const achd_contact_problem *p) {
  return 3 * p->contacts + p->limits + p->boxes;
}

static bool good_problem(const achd_contact_problem *p) {
  enum { MOST = ACHD_CONTACT_ROWS };
  if (p->contacts < 0 || p->limits < 0 || p->boxes < 0) return false;
  if (p->contacts > MOST || p->limits > MOST || p->boxes > MOST || rows_of(p) > MOST) return false;
  const int n = rows_of(p);
  if (!achd_all_finite(p->b, n) || (p->gap && !achd_all_finite(p->gap, n))) return false;
  if (!achd_all_finite(p->A, n * n)) return false;
  for (int j = 0; j < n; j++) {
    if (!(p->A[j * n + j] >= 0)) return false;
    if (p->R && !(p->R[j] >= 0 && achd_finite(p->R[j]))) return false;
  }
  for (int k = 0; k < p->contacts; k++) {
    if (!(p->mu[k] >= 0 && achd_finite(p->mu[k]))) return false;
  }
  for (int k = 0; k < p->boxes; k++) {
    if (!(p->bound[k] >= 0)) return false;
  }
  return true;
}

/* R and size of the block of `rows` rows at j. A block that nothing moves gets R = 1. */
static void set_block(achd_contact_solver *s, int j, int rows, achd_real mean) {
  achd_real own = 0;
  for (int i = j; i < j + rows; i++) own += s->p->A[i * s->n + i] / (achd_real)rows;
  const bool reached = own > out_of_reach * mean;
  const achd_real least = reached ? ACHD_CONTACT_LEAST * own : 1;
  achd_real added = 0;
  for (int i = j; i < j + rows; i++) {
    s->R[i] = s->p->R && s->p->R[i] > least ? s->p->R[i] : least;
    added += s->R[i] / (achd_real)rows;
  }
  for (int i = j; i < j + rows; i++) s->size[i] = own + added;
}

/* Row j with bounds. */
static void set_row(achd_contact_solver *s, int j, achd_real lo, achd_real hi) {
  s->rows[j] = 1;
  s->lo[j] = lo, s->hi[j] = hi;
}

static void set_blocks(achd_contact_solver *s) {
  const achd_contact_problem *p = s->p;
  achd_real trace = 0;
  for (int j = 0; j < s->n; j++) trace += s->p->A[j * s->n + j];
  const achd_real mean = s->n > 0 ? trace / (achd_real)s->n : 0;
  int j = 0;
  for (int k = 0; k < p->contacts; k++, j += 3) {
    set_block(s, j, 3, mean);
    s->mu[j] = p->mu[k];
    s->rows[j] = 3, s->rows[j + 1] = s->rows[j + 2] = 0;
    if (p->mu[k] > 0) continue;
    set_row(s, j, 0, ACHD_INFINITY);
    set_row(s, j + 1, 0, 0), set_row(s, j + 2, 0, 0);
  }
  for (int k = 0; k < p->limits + p->boxes; k++, j++) {
    set_block(s, j, 1, mean);
    const bool limit = k < p->limits;
    const achd_real bound = limit ? 0 : p->bound[k - p->limits];
    const achd_real hi = limit || bound >= ACHD_CONTACT_UNBOUNDED ? ACHD_INFINITY : bound;
    set_row(s, j, limit ? 0 : -hi, hi);
  }
}

static achd_real *take(achd_real **work, int count) {
  achd_real *taken = *work;
  *work += count;
  return taken;
}

static void prepare(achd_contact_solver *s, const achd_contact_problem *p, achd_real lambda[],
                    achd_real *work) {
  const int n = rows_of(p);
  s->p = p, s->n = n, s->lambda = lambda;
  s->F = take(&work, n * n);
  s->c = take(&work, n), s->R = take(&work, n), s->size = take(&work, n);
  s->lo = take(&work, n), s->hi = take(&work, n), s->mu = take(&work, n);
  s->y = take(&work, n), s->target = take(&work, n), s->step = take(&work, n);
  s->inverse = take(&work, n), s->terms = take(&work, n);
  s->rest = work;
  s->factored = s->path = 0, s->unknowns = 0;
  s->indefinite = false;
  set_blocks(s);
  s->largest = 0;
  for (int j = 0; j < n; j++) {
    s->c[j] = p->b[j] + (p->gap ? p->gap[j] : 0);
    const achd_real in_units = achd_magnitude(s->c[j]) / achd_sqrt(s->size[j]);
    if (in_units > s->largest) s->largest = in_units;
    if (!achd_finite(lambda[j])) lambda[j] = 0;
  }
}

/* Whether rigid rows miss their velocities by what R was raised. */
static bool is_inconsistent(const achd_contact_solver *s) {
  for (int j = 0; j < s->n; j++) {
    const achd_real given = s->p->R ? s->p->R[j] : 0;
    const achd_real missed = (s->R[j] - given) * achd_magnitude(s->lambda[j]);
    if (missed > most_missed * s->largest * achd_sqrt(s->size[j])) return true;
  }
  return false;
}

/* Points of the central path, each followed by Newton's method with the sets that they suggest; where that wanders,
 * Newton's method from the last point with the sets of the natural map; where that does, too, this point, which is
 * as good as rounding lets it be. */
static outcome follow_path(achd_contact_solver *s) {
  enum { FEW = 5 };
  achd_real gap = first_gap;
  bool more = true;
  for (int k = 0; more; k++) {
    more = achd_contact_path(s, k == 0, gap);
    const outcome how = settle(s, FEW, true);
    if (how != WANDERS) return how;
    gap *= gap_by;
  }
  achd_copy(s->lambda, s->rest, s->n);
  const outcome how = settle(s, SETTLING, false);
  if (how != WANDERS) return how;
  achd_copy(s->lambda, s->rest, s->n);
  achd_contact_gradient(s, s->lambda, s->y);
  find_targets(s);
  return WANDERS;
}

achd_contact_status achd_contact_solve(const achd_contact_problem *problem, achd_real lambda[],
                                       int most_iterations, achd_real work[],
                                       achd_contact_report *report) {
#ifdef ACHD_HAS_AVX2
  if (ACHD_HAS_AVX2) return achd_contact_solve_avx2(problem, lambda, most_iterations, work, report);
#endif
  *report = (achd_contact_report){ACHD_INFINITY, 0, 0};
  achd_contact_solver s;
  if (!good_problem(problem)) {
    const int n = rows_of(problem);
    if (n > 0 && n <= ACHD_CONTACT_ROWS) achd_zero(lambda, n);
    return ACHD_CONTACT_BAD_INPUT;
  }
  prepare(&s, problem, lambda, work);
  s.most = most_iterations > 0 ? most_iterations : DEFAULT_ITERATIONS;
  outcome how = settle(&s, SETTLING, false);
  if (how == WANDERS) how = follow_path(&s);
  report->iterations = s.factored - s.path, report->path = s.path;
  if (s.indefinite || (how != DONE && !end_in_cones(&s))) {
    achd_zero(lambda, s.n);
    return s.indefinite ? ACHD_CONTACT_INDEFINITE : ACHD_CONTACT_NOT_SOLVED;
  }
  if (how != DONE) {
    achd_contact_gradient(&s, lambda, s.y);
    find_targets(&s);
    s.residual = find_residual(&s);
  }
  report->residual = s.residual;
  if (!(s.residual <= most_residual)) {
    return s.factored >= s.most ? ACHD_CONTACT_STOPPED : ACHD_CONTACT_NOT_SOLVED;
  }
  return is_inconsistent(&s) ? ACHD_CONTACT_INCONSISTENT : ACHD_CONTACT_SOLVED;
}
