/* mclp.c: see achd/mclp.h */
#include <achd/mclp.h>

#include <math.h>
#include <string.h>

#include "least_norm.h"

/* Relative to the diagonal: a pivot below is rounding of zero. Relative to the terms that w is made
 * of (achd_mclp_report): a w below has no sign; one below the last makes no difference worth a
 * norm. */
static const achd_real rank_rounding = 1024 * ACHD_EPSILON;
static const achd_real most_doubt = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-2 : 1e-6);
static const achd_real sign_rounding = 256 * ACHD_EPSILON;
static const achd_real idle_rounding = 4096 * ACHD_EPSILON;
/* Far below what rounding does to a pivot. */
static const achd_real indefinite_below = -16384 * ACHD_EPSILON;

/* Rows are free (w = 0, in the factor) or rest at their nu. */
typedef struct solver {
  const achd_mclp_problem *p;
  int n;
  achd_real *lo, *hi;
  achd_real *nu;
  achd_real *w, *scale;         /* L nu - r, and the size of its terms */
  achd_real *root;              /* sqrt(L_jj) */
  achd_real floor;              /* rounding of the largest |r_j| / sqrt(L_jj) */
  achd_real *column, *response; /* of the row that is driven, over the free rows; column: 2 n */
  achd_real *kept, *longer;     /* nu before a step that may not better it */
  achd_real *R;                 /* R R^T = L over the free rows; R_kk as its inverse */
  achd_real *N;                 /* directions along which L nu stays */
  int free_count;
  unsigned char
      row[ACHD_MCLP_ROWS]; /* the free rows, in the order of the factor; then candidates */
  bool free[ACHD_MCLP_ROWS];
  bool given_up[ACHD_MCLP_ROWS];
  bool indefinite, inconsistent;
  int pivots, most_pivots;
} solver;

static achd_real size(achd_real x) {
  return x < 0 ? -x : x;
}

static achd_real coupling(const solver *s, int j, int k) {
  return s->p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j];
}

static achd_real diagonal(const solver *s, int j) {
  return s->p->L[j * (j + 3) / 2];
}

static bool unbounded(const solver *s, int j) {
  return !achd_finite(s->lo[j]) && !achd_finite(s->hi[j]);
}

static bool fixed(const solver *s, int j) {
  return s->lo[j] == s->hi[j];
}

/* ---- Cholesky's factor of the free rows ---- */

static achd_real *factor_row(const solver *s, int position) {
  return s->R + (size_t)(position * s->n);
}

/* Elements from `first` on of the row of the factor that belongs to row j: forward substitution. */
static void substitute(const solver *s, int j, int first, int end, achd_real x[]) {
  for (int k = first; k < end; k++) {
    const achd_real *Rk = factor_row(s, k);
    achd_real sum = coupling(s, j, s->row[k]);
    for (int i = 0; i < k; i++) sum -= x[i] * Rk[i];
    x[k] = sum * Rk[k];
  }
}

/* L_jj less what the free rows take of it: the pivot of row j. */
static achd_real pivot_of(const solver *s, int j, int end, const achd_real x[]) {
  achd_real d = diagonal(s, j);
  for (int i = 0; i < end; i++) d -= x[i] * x[i];
  return d;
}

static achd_real inverse_root(achd_real d) {
  return 1 / (achd_real)sqrt((double)d);
}

/* x <- R^-T x */
static void substitute_back(const solver *s, achd_real x[]) {
  for (int k = s->free_count - 1; k >= 0; k--) {
    const achd_real *Rk = factor_row(s, k);
    x[k] *= Rk[k];
    for (int i = 0; i < k; i++) x[i] -= x[k] * Rk[i];
  }
}

/* What rounding of L does to the pivot z^T L z of row j, z = e_j - L_FF^-1 L_Fj, is relative to
 * (sum_i sqrt(L_ii) |z_i|)^2. response: L_FF^-1 L_Fj. */
static achd_real pivot_scale(const solver *s, int j, const achd_real response[]) {
  achd_real sum = s->root[j];
  for (int k = 0; k < s->free_count; k++) sum += s->root[s->row[k]] * size(response[k]);
  return sum * sum;
}

/* Whether row j, with its row x of the factor, depends on the free ones. Leaves L_FF^-1 L_Fj. */
static bool depends(solver *s, int j, const achd_real x[], achd_real pivot, achd_real response[]) {
  memcpy(response, x, sizeof *x * (size_t)s->free_count);
  substitute_back(s, response);
  const achd_real scale = pivot_scale(s, j, response);
  if (pivot < indefinite_below * scale) s->indefinite = true;
  return pivot <= rank_rounding * scale;
}

/* The factor from a position on, after rows have left. */
static void factor_again(solver *s, int position) {
  for (int k = position; k < s->free_count; k++) {
    achd_real *Rk = factor_row(s, k);
    const int j = s->row[k];
    substitute(s, j, position, k, Rk);
    const achd_real d = pivot_of(s, j, k, Rk), least = rank_rounding * diagonal(s, j);
    Rk[k] = inverse_root(d > least ? d : least); /* fewer rows, larger pivots, but for rounding */
  }
}

/* Takes out the free rows that `rests` names. */
static void leave(solver *s, const bool rests[]) {
  int kept = 0, first = s->free_count;
  for (int k = 0; k < s->free_count; k++) {
    const int j = s->row[k];
    if (rests[j]) {
      if (first > k) first = k;
      s->free[j] = false;
      s->pivots++;
    } else {
      if (kept < k)
        memcpy(factor_row(s, kept), factor_row(s, k), sizeof(achd_real) * (size_t)first);
      s->row[kept++] = (unsigned char)j;
    }
  }
  s->free_count = kept;
  factor_again(s, first);
}

static void swap_candidates(solver *s, achd_real pivot[], int a, int b, int known) {
  if (a == b) return;
  achd_real *Ra = factor_row(s, a), *Rb = factor_row(s, b);
  for (int i = 0; i < known; i++) {
    const achd_real x = Ra[i];
    Ra[i] = Rb[i], Rb[i] = x;
  }
  const achd_real d = pivot[a];
  pivot[a] = pivot[b], pivot[b] = d;
  const unsigned char j = s->row[a];
  s->row[a] = s->row[b], s->row[b] = j;
}

/* Of the candidates from free_count to end the one of largest relative pivot; -1: all depend on the
 * free rows, their pivots are 0 then. */
static int independent(solver *s, achd_real pivot[], int end) {
  for (;;) {
    int best = -1;
    achd_real largest = 0;
    for (int i = s->free_count; i < end; i++) {
      const achd_real relative = size(pivot[i]) / diagonal(s, s->row[i]);
      if (relative > largest) best = i, largest = relative;
    }
    if (best < 0 || !depends(s, s->row[best], factor_row(s, best), pivot[best], s->response))
      return best;
    pivot[best] = 0;
  }
}

/* Frees those of `count` candidates, in row[] behind the free ones, that are independent, the
 * largest relative pivot first. The others stay in row[] behind, with their rows of the factor. */
static void enter(solver *s, int count) {
  achd_real *pivot = s->column;
  const int end = s->free_count + count;
  for (int k = s->free_count; k < end; k++) {
    substitute(s, s->row[k], 0, s->free_count, factor_row(s, k));
    pivot[k] = pivot_of(s, s->row[k], s->free_count, factor_row(s, k));
  }
  for (int k = s->free_count; k < end; k++) {
    const int best = independent(s, pivot, end);
    if (best < 0) return;
    swap_candidates(s, pivot, k, best, k);
    achd_real *Rk = factor_row(s, k);
    Rk[k] = inverse_root(pivot[k]);
    s->free[s->row[k]] = true;
    s->free_count = k + 1;
    for (int i = k + 1; i < end; i++) {
      achd_real *Ri = factor_row(s, i);
      substitute(s, s->row[i], k, k + 1, Ri);
      pivot[i] -= Ri[k] * Ri[k];
    }
  }
}

/* ---- what nu misses ---- */

static void evaluate(solver *s) {
  achd_real total = s->floor;
  for (int j = 0; j < s->n; j++) total += s->root[j] * size(s->nu[j]);
  for (int j = 0; j < s->n; j++) {
    s->w[j] = -s->p->r[j];
    s->scale[j] = size(s->p->r[j]) + s->root[j] * total;
  }
  const achd_real *L = s->p->L;
  for (int j = 0; j < s->n; j++) {
    for (int k = 0; k < j; k++, L++) {
      s->w[j] += *L * s->nu[k];
      s->w[k] += *L * s->nu[j];
    }
    s->w[j] += *L++ * s->nu[j];
  }
}

/* By how much w_j has the wrong sign for where nu_j is. */
static achd_real violation(const solver *s, int j) {
  if (s->w[j] < 0) return s->nu[j] < s->hi[j] ? -s->w[j] : 0;
  return s->nu[j] > s->lo[j] ? s->w[j] : 0;
}

static achd_real residual(const solver *s) {
  achd_real worst = 0;
  for (int j = 0; j < s->n; j++) {
    if (!achd_finite(s->scale[j])) return (achd_real)INFINITY; /* no smaller than w */
    const achd_real wrong = violation(s, j);
    if (wrong > worst * s->scale[j]) worst = wrong / s->scale[j];
  }
  return worst;
}

/* Does what w misses of the forces, and their rounding, leave w in doubt? missed: the residual.
 * Rows that contradict each other, but for rounding, are met by forces that grow as its inverse:
 * those of free rows are then out of all proportion to r and to the forces at bounds. */
static bool in_doubt(const solver *s, achd_real missed) {
  achd_real forces = 0, given = s->floor / ACHD_EPSILON;
  for (int j = 0; j < s->n; j++) {
    const achd_real force = s->root[j] * size(s->nu[j]);
    forces += force;
    if (s->nu[j] == s->lo[j] || s->nu[j] == s->hi[j]) given += force;
  }
  return (missed + ACHD_EPSILON) * forces > most_doubt * given;
}

/* Moves the free rows to w = 0, without regard to their bounds. */
static void correct(solver *s) {
  achd_real *x = s->response;
  for (int k = 0; k < s->free_count; k++) {
    const achd_real *Rk = factor_row(s, k);
    achd_real sum = s->w[s->row[k]];
    for (int i = 0; i < k; i++) sum -= x[i] * Rk[i];
    x[k] = sum * Rk[k];
  }
  substitute_back(s, x);
  for (int k = 0; k < s->free_count; k++) s->nu[s->row[k]] -= x[k];
}

/* ---- principal pivoting ---- */

/* Solves with the rows that are free, and lets those that pass a bound rest there, until none does.
 */
static void settle(solver *s) {
  for (;;) {
    bool rests[ACHD_MCLP_ROWS] = {false}, any = false;
    evaluate(s);
    correct(s);
    for (int k = 0; k < s->free_count; k++) {
      const int j = s->row[k];
      const achd_real inside = achd_clamp(s->nu[j], s->lo[j], s->hi[j]);
      if (inside == s->nu[j]) continue;
      s->nu[j] = inside;
      rests[j] = any = true;
    }
    if (!any) return;
    leave(s, rests);
  }
}

/* The row to drive: the one whose w is wrong by most per root of its diagonal; -1: none. Late, when
 * the problem is degenerate or at the end of its digits: the first that does not count as solved.
 */
static int wrong_row(const solver *s, bool late) {
  const achd_real least = late ? ACHD_MCLP_RESIDUAL / 2 : sign_rounding;
  int worst = -1;
  achd_real most = 0;
  for (int j = 0; j < s->n; j++) {
    if (s->free[j] || s->given_up[j] || fixed(s, j)) continue;
    const achd_real wrong = violation(s, j);
    if (wrong <= least * s->scale[j]) continue;
    if (late || s->root[j] == 0) return j;
    if (wrong > most * s->root[j]) worst = j, most = wrong / s->root[j];
  }
  return worst;
}

/* No bound stops row j, and no share of its own does: nu would grow without end. */
static void give_up(solver *s, int j) {
  s->given_up[j] = true;
  if (size(s->w[j]) > ACHD_MCLP_RESIDUAL * s->scale[j]) s->inconsistent = true;
}

/* Moves row j from where it rests, up where w_j < 0, else down, until w_j = 0 or it meets a bound.
 * Free rows follow: nu_F changes by -L_FF^-1 L_Fj per unit of nu_j, w_j by the pivot of row j. */
static void drive(solver *s, int j) {
  const achd_real *lo = s->lo, *hi = s->hi;
  const achd_real way = s->w[j] < 0 ? 1 : -1;
  while (s->pivots < s->most_pivots) {
    const int count = s->free_count;
    substitute(s, j, 0, count, s->column);
    const achd_real pivot = pivot_of(s, j, count, s->column);
    const bool dependent = depends(s, j, s->column, pivot, s->response);

    const achd_real own = way > 0 ? hi[j] - s->nu[j] : s->nu[j] - lo[j];
    achd_real length = own;
    int stops = -1;
    bool met = false;
    if (!dependent && !(size(s->w[j]) / pivot > own)) length = size(s->w[j]) / pivot, met = true;
    for (int k = 0; k < count; k++) {
      const achd_real rate = -way * s->response[k];
      const int i = s->row[k];
      if (rate == 0) continue;
      const achd_real room = ((rate > 0 ? hi[i] : lo[i]) - s->nu[i]) / rate;
      if (room < length) length = room < 0 ? 0 : room, stops = k;
    }
    if (!achd_finite(length)) {
      give_up(s, j);
      return;
    }

    for (int k = 0; k < count; k++) {
      const int i = s->row[k];
      s->nu[i] = achd_clamp(s->nu[i] - way * length * s->response[k], lo[i], hi[i]);
    }
    s->nu[j] = achd_clamp(s->nu[j] + way * length, lo[j], hi[j]);
    if (stops < 0) {
      s->pivots++;
      if (met) {
        s->row[count] = (unsigned char)j;
        enter(s, 1);
      } else {
        s->nu[j] = way > 0 ? hi[j] : lo[j];
      }
      return;
    }
    const int i = s->row[stops];
    bool rests[ACHD_MCLP_ROWS] = {false};
    s->nu[i] = way * s->response[stops] < 0 ? hi[i] : lo[i];
    rests[i] = true;
    leave(s, rests);
    evaluate(s);
    if (way * s->w[j] >= 0) return; /* by rounding: the row rests where it is */
  }
}

static void drive_all(solver *s) {
  const int patience = 4 * s->n;
  evaluate(s);
  for (int j; (j = wrong_row(s, s->pivots > patience)) >= 0 && s->pivots < s->most_pivots &&
              !s->indefinite;
       evaluate(s))
    drive(s, j);
}

/* One step of refinement: what rounding left of w, corrected; kept where it is better. */
static void refine(solver *s) {
  const achd_real before = residual(s);
  memcpy(s->kept, s->nu, sizeof(achd_real) * (size_t)s->n);
  correct(s);
  for (int j = 0; j < s->n; j++) s->nu[j] = achd_clamp(s->nu[j], s->lo[j], s->hi[j]);
  evaluate(s);
  if (residual(s) <= before) return;
  memcpy(s->nu, s->kept, sizeof(achd_real) * (size_t)s->n);
  evaluate(s);
}

/* Whether the motion would be the same were nu_j another, within its bounds. */
static bool idle(const solver *s, int j) {
  return !s->given_up[j] && !fixed(s, j) && size(s->w[j]) <= idle_rounding * s->scale[j];
}

/* Frees all rows that are idle and strictly within their bounds, at the nu that they have. */
static void free_idle(solver *s) {
  int count = 0;
  s->free_count = 0;
  for (int j = 0; j < s->n; j++) {
    s->free[j] = false;
    if (!idle(s, j) || s->nu[j] == s->lo[j] || s->nu[j] == s->hi[j]) continue;
    s->row[count++] = (unsigned char)j;
  }
  enter(s, count);
}

/* Where idle rows depend on the free ones, nu is not unique: each gives a direction along which L
 * nu stays, e_j - L_FF^-1 L_Fj. Of all nu the one of least norm. Returns how many directions there
 * are. */
static int shorten(solver *s) {
  const int n = s->n;
  int count = 0;
  for (int j = 0; j < n; j++) {
    if (!s->free[j] && idle(s, j)) s->row[s->free_count + count++] = (unsigned char)j;
  }
  const int all = s->free_count + count;
  enter(s, count);
  const int nullity = all - s->free_count;
  if (nullity == 0) return 0;
  for (int c = 0; c < nullity; c++) {
    achd_real *direction = s->N + (size_t)(c * n);
    memcpy(s->response, factor_row(s, s->free_count + c),
           sizeof(achd_real) * (size_t)s->free_count);
    substitute_back(s, s->response);
    memset(direction, 0, sizeof(achd_real) * (size_t)n);
    for (int k = 0; k < s->free_count; k++) direction[s->row[k]] = -s->response[k];
    direction[s->row[s->free_count + c]] = 1;
  }
  const achd_real before = residual(s);
  memcpy(s->longer, s->nu, sizeof(achd_real) * (size_t)n);
  achd_least_norm(n, nullity, s->N, s->root, s->lo, s->hi, s->nu, s->R, s->column, s->most_pivots);
  evaluate(s);
  free_idle(s);
  refine(s);
  if (residual(s) > ACHD_MCLP_RESIDUAL && residual(s) > before) {
    memcpy(s->nu, s->longer, sizeof(achd_real) * (size_t)n);
    evaluate(s);
  }
  return nullity;
}

/* ---- the whole ---- */

static bool good_input(const achd_mclp_problem *p) {
  if (p->rows < 0 || p->rows > ACHD_MCLP_ROWS) return false;
  for (int k = 0; k < p->rows * (p->rows + 1) / 2; k++) {
    if (!achd_finite(p->L[k])) return false;
  }
  for (int j = 0; j < p->rows; j++) {
    const achd_real lo = p->lo[j], hi = p->hi[j];
    if (!achd_finite(p->r[j]) || !(lo <= hi)) return false;
    if (lo >= ACHD_MCLP_UNBOUNDED || hi <= -ACHD_MCLP_UNBOUNDED) return false;
  }
  return true;
}

/* Bounds beyond what counts as one become infinite. */
static void widen(solver *s) {
  for (int j = 0; j < s->n; j++) {
    const achd_real lo = s->p->lo[j], hi = s->p->hi[j];
    s->lo[j] = lo > -ACHD_MCLP_UNBOUNDED ? lo : -(achd_real)INFINITY;
    s->hi[j] = hi < ACHD_MCLP_UNBOUNDED ? hi : (achd_real)INFINITY;
  }
}

static void measure(solver *s) {
  for (int j = 0; j < s->n; j++) {
    s->root[j] = (achd_real)sqrt((double)diagonal(s, j));
    const achd_real rounding = ACHD_EPSILON * size(s->p->r[j]);
    if (s->root[j] > 0 && rounding > s->floor * s->root[j]) s->floor = rounding / s->root[j];
  }
}

/* No diagonal is negative, and no element is larger than its two diagonals allow. */
static bool may_be_semidefinite(const solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (diagonal(s, j) < 0) return false;
    for (int k = 0; k < j; k++) {
      if (size(coupling(s, j, k)) > (1 + rank_rounding) * s->root[j] * s->root[k]) return false;
    }
  }
  return true;
}

static void start(solver *s, const signed char side[]) {
  const achd_real *lo = s->lo, *hi = s->hi;
  int count = 0;
  for (int j = 0; j < s->n; j++) {
    s->nu[j] = achd_clamp(0, lo[j], hi[j]);
    if (unbounded(s, j)) s->row[count++] = (unsigned char)j;
  }
  enter(s, count);
  count = 0;
  for (int j = 0; j < s->n; j++) {
    if (unbounded(s, j)) continue;
    if (side[j] == -1 && achd_finite(lo[j])) {
      s->nu[j] = lo[j];
    } else if (side[j] == 1 && achd_finite(hi[j])) {
      s->nu[j] = hi[j];
    } else if (!fixed(s, j)) {
      s->row[s->free_count + count++] = (unsigned char)j;
    }
  }
  enter(s, count);
  settle(s);
}

static void name_sides(const solver *s, signed char side[]) {
  for (int j = 0; j < s->n; j++) {
    const bool at_lo = s->nu[j] == s->lo[j], at_hi = s->nu[j] == s->hi[j];
    side[j] = (signed char)(at_lo && at_hi ? (s->w[j] < 0 ? 1 : -1) : at_hi - at_lo);
  }
}

static achd_real *take(achd_real **work, int count) {
  achd_real *part = *work;
  *work += count;
  return part;
}

static achd_mclp_status refuse(achd_mclp_status status, int rows, achd_real nu[],
                               signed char side[], achd_mclp_report *report) {
  for (int j = 0; j < rows; j++) nu[j] = 0, side[j] = 0;
  report->residual = (achd_real)INFINITY;
  return status;
}

achd_mclp_status achd_mclp(const achd_mclp_problem *problem, achd_real nu[], signed char side[],
                           int most_pivots, achd_real work[], achd_mclp_report *report) {
  const int n = problem->rows;
  *report = (achd_mclp_report){0};
  if (!good_input(problem)) {
    return refuse(ACHD_MCLP_BAD_INPUT, n > ACHD_MCLP_ROWS ? 0 : n, nu, side, report);
  }
  solver s = {.p = problem, .n = n, .nu = nu};
  s.most_pivots = most_pivots > 0 ? most_pivots : 64 * n;
  s.w = take(&work, n), s.scale = take(&work, n), s.root = take(&work, n);
  s.response = take(&work, n), s.kept = take(&work, n), s.longer = take(&work, n);
  s.column = take(&work, 2 * n);
  s.lo = take(&work, n), s.hi = take(&work, n);
  s.R = take(&work, n * n), s.N = take(&work, n * n);
  measure(&s);
  widen(&s);
  if (!may_be_semidefinite(&s)) return refuse(ACHD_MCLP_INDEFINITE, n, nu, side, report);

  start(&s, side);
  drive_all(&s);
  refine(&s);
  if (!s.indefinite) report->nullity = shorten(&s);
  name_sides(&s, side);
  report->residual = residual(&s);
  report->pivots = s.pivots;
  if (s.indefinite) return refuse(ACHD_MCLP_INDEFINITE, n, nu, side, report);
  for (int j = 0; j < n; j++) {
    if (!achd_finite(nu[j])) return refuse(ACHD_MCLP_NOT_SOLVED, n, nu, side, report);
  }
  if (s.inconsistent) return ACHD_MCLP_INCONSISTENT;
  const bool solved = report->residual <= ACHD_MCLP_RESIDUAL && !in_doubt(&s, report->residual);
  return solved ? ACHD_MCLP_SOLVED : ACHD_MCLP_NOT_SOLVED;
}
