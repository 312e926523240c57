/* SPDX-License-Identifier: MIT */
/* mclp.c: see achd/mclp.h */
#include <achd/mclp.h>

#include "least_norm.h"
#include "mathematics.h"

/* Relative to the diagonal: a pivot below is rounding of zero, of L as generated functions make it;
 * below the fine one, of L as it came in. Relative to the terms that w is made of
 * (achd_mclp_report): a w below has no sign; one below the last makes no difference worth a norm.
 */
static const achd_real rank_rounding = 1024 * ACHD_EPSILON;
static const achd_real fine_rank_rounding = 2 * ACHD_EPSILON;
static const achd_real most_doubt = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-1 : 1e-6);
static const achd_real sign_rounding = 256 * ACHD_EPSILON;
static const achd_real fine_sign_rounding = 16 * ACHD_EPSILON;
static const achd_real idle_rounding = 4096 * ACHD_EPSILON;
static const achd_real fine_idle_rounding = 256 * ACHD_EPSILON;
/* Relative to the terms of w: below, w may be zero that rounding has moved. In double ten times what
 * counts as zero, so that rows of one motion are not distinguished. */
static const achd_real doubtful =
    (sizeof(achd_real) == sizeof(float) ? 1 : 10) * ACHD_MCLP_RESIDUAL;
/* r and forces at bounds in proportion to all forces: below, rounding of forces may be more of w than
 * of r, by the square of the inverse. */
static const achd_real immense_share =
    (achd_real)(sizeof(achd_real) == sizeof(float) ? 3e-1 : 1e-2);
/* Far below what rounding does to a pivot. */
static const achd_real indefinite_below = -16384 * ACHD_EPSILON;
/* Of the largest |r_j| / sqrt(L_jj): what r's own rounding leaves. */
static const achd_real noise_of_r = 4 * ACHD_EPSILON;

/* What is known of a row, as bits. */
enum {
  FREE = 1,     /* w = 0: in the factor */
  RESTS = 2,    /* is about to leave the factor, for its bound */
  GIVEN_UP = 4, /* nothing meets it */
  FINE = 8,     /* its pivot is computed with twice the digits */
  IDLE = 16     /* its w was zero in the nu that came in */
};

/* Rows are free (w = 0, in the factor) or rest at their nu. */
typedef struct solver {
  const achd_mclp_problem *p;
  int n;
  achd_real *lo, *hi;
  achd_real *nu;
  achd_real *w, *scale;         /* L nu - r, and the size of its terms */
  achd_real *root;              /* sqrt(L_jj) */
  achd_real noise;              /* of r: of |r_j| / sqrt(L_jj) */
  achd_real *column, *response; /* of the row that is driven, over the free rows; column: 2 n */
  achd_real *kept, *longer;     /* nu before a step that may not better it */
  achd_real *R;                 /* R R^T = L over the free rows; R_kk as its inverse */
  achd_real *N;                 /* directions along which L nu stays */
  int free_count;
  unsigned char
      row[ACHD_MCLP_ROWS]; /* the free rows, in the order of the factor; then candidates */
  unsigned char state[ACHD_MCLP_ROWS];
  bool indefinite, inconsistent;
  achd_real zero; /* relative to the terms of w: below, w may be zero */
  bool immense;   /* forces are out of proportion to r and to those at bounds */
  bool exact;     /* w is summed with twice the digits */
  bool as_given;  /* nu came in, and which rows are idle is known */
  int pivots, most_pivots;
} solver;

static bool is(const solver *s, int j, int state) {
  return (s->state[j] & state) != 0;
}

static void set(solver *s, int j, int state) {
  s->state[j] = (unsigned char)(s->state[j] | state);
}

static void unset(solver *s, int j, int state) {
  s->state[j] = (unsigned char)(s->state[j] & ~state);
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

/* ---- sums of products with twice the digits ---- */

/* Ogita, Rump, Oishi, Accurate sum and dot product, SIAM Journal on Scientific Computing 26, 2005:
 * what each product and each sum lost is added up too. */
typedef struct exact_sum {
  achd_real sum, lost;
} exact_sum;

static void add_product(exact_sum *e, achd_real a, achd_real b) {
  const achd_real product = a * b, sum = e->sum + product, added = sum - e->sum;
  e->lost += achd_fma(a, b, -product) + ((e->sum - (sum - added)) + (product - added));
  e->sum = sum;
}

static achd_real value_of(const exact_sum *e) {
  return e->sum + e->lost;
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
  return 1 / achd_sqrt(d);
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
  for (int k = 0; k < s->free_count; k++) sum += s->root[s->row[k]] * achd_magnitude(response[k]);
  return sum * sum;
}

/* z^T L z = sum_a z_a (L z)_a with z = e_j - response. The pivot is the least of all such values,
 * so that errors of the response count by their squares only. */
static achd_real exact_pivot(const solver *s, int j, const achd_real response[]) {
  exact_sum pivot = {0, 0};
  for (int a = -1; a < s->free_count; a++) {
    const int i = a < 0 ? j : s->row[a];
    exact_sum along = {coupling(s, i, j), 0};
    for (int k = 0; k < s->free_count; k++)
      add_product(&along, -coupling(s, i, s->row[k]), response[k]);
    add_product(&pivot, a < 0 ? 1 : -response[a], value_of(&along));
  }
  return value_of(&pivot);
}

/* Whether row j, with its row x of the factor, depends on the free ones. Leaves L_FF^-1 L_Fj, and a
 * better pivot where the row is fine. */
static bool depends(solver *s, int j, const achd_real x[], achd_real *pivot, achd_real response[]) {
  achd_copy(response, x, s->free_count);
  substitute_back(s, response);
  const achd_real scale = pivot_scale(s, j, response);
  if (*pivot < indefinite_below * scale) s->indefinite = true;
  if (!is(s, j, FINE)) return *pivot <= rank_rounding * scale;
  *pivot = exact_pivot(s, j, response);
  return *pivot <= fine_rank_rounding * scale;
}

/* The factor from a position on, after rows have left. */
static void factor_again(solver *s, int position) {
  for (int k = position; k < s->free_count; k++) {
    achd_real *Rk = factor_row(s, k);
    const int j = s->row[k];
    substitute(s, j, position, k, Rk);
    const achd_real rounding = is(s, j, FINE) ? fine_rank_rounding : rank_rounding;
    const achd_real d = pivot_of(s, j, k, Rk), least = rounding * diagonal(s, j);
    Rk[k] = inverse_root(d > least ? d : least); /* fewer rows, larger pivots, but for rounding */
  }
}

/* Takes out the free rows that are to rest. */
static void leave(solver *s) {
  int kept = 0, first = s->free_count;
  for (int k = 0; k < s->free_count; k++) {
    const int j = s->row[k];
    if (is(s, j, RESTS)) {
      if (first > k) first = k;
      unset(s, j, FREE | RESTS | FINE);
      s->pivots++;
    } else {
      if (kept < k) achd_copy(factor_row(s, kept), factor_row(s, k), first);
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
      const achd_real relative = achd_magnitude(pivot[i]) / diagonal(s, s->row[i]);
      if (relative > largest) best = i, largest = relative;
    }
    if (best < 0 || !depends(s, s->row[best], factor_row(s, best), &pivot[best], s->response))
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
    set(s, s->row[k], FREE);
    s->free_count = k + 1;
    for (int i = k + 1; i < end; i++) {
      achd_real *Ri = factor_row(s, i);
      substitute(s, s->row[i], k, k + 1, Ri);
      pivot[i] -= Ri[k] * Ri[k];
    }
  }
}

/* ---- what nu misses ---- */

static void evaluate_exactly(solver *s) {
  for (int j = 0; j < s->n; j++) {
    exact_sum w = {-s->p->r[j], 0};
    for (int k = 0; k < s->n; k++) add_product(&w, coupling(s, j, k), s->nu[k]);
    s->w[j] = value_of(&w);
  }
}

static void evaluate(solver *s) {
  for (int j = 0; j < s->n; j++) {
    s->w[j] = -s->p->r[j];
    s->scale[j] = achd_magnitude(s->p->r[j]);
  }
  const achd_real *L = s->p->L;
  for (int j = 0; j < s->n; j++) {
    for (int k = 0; k <= j; k++, L++) {
      const achd_real of_k = *L * s->nu[k], of_j = *L * s->nu[j];
      s->w[j] += of_k;
      s->scale[j] += achd_magnitude(of_k);
      if (k == j) continue;
      s->w[k] += of_j;
      s->scale[k] += achd_magnitude(of_j);
    }
  }
  if (s->exact) evaluate_exactly(s);
}

/* By how much w_j has the wrong sign for where nu_j is. */
static achd_real violation(const solver *s, int j) {
  if (s->w[j] < 0) return s->nu[j] < s->hi[j] ? -s->w[j] : 0;
  return s->nu[j] > s->lo[j] ? s->w[j] : 0;
}

/* The same without what r's rounding explains, relative to the terms of w_j. */
static achd_real missed(const solver *s, int j) {
  if (!achd_finite(s->scale[j])) return ACHD_INFINITY; /* no smaller than w */
  const achd_real wrong = violation(s, j) - s->noise * s->root[j];
  return wrong > 0 ? wrong / s->scale[j] : 0;
}

static achd_real residual(const solver *s) {
  achd_real worst = 0;
  for (int j = 0; j < s->n; j++) {
    const achd_real here = missed(s, j);
    if (here > worst) worst = here;
  }
  return worst;
}

/* ---- rows that have to do with each other ---- */

/* Gives each row the least index of those that it is coupled with, over however many others. */
static void find_groups(const solver *s, unsigned char group[]) {
  for (int j = 0; j < s->n; j++) {
    group[j] = (unsigned char)j;
    for (int k = 0; k < j; k++) {
      if (coupling(s, j, k) == 0 || group[k] == group[j]) continue;
      const unsigned char a = group[k], b = group[j], least = a < b ? a : b;
      for (int i = 0; i <= j; i++) {
        if (group[i] == a || group[i] == b) group[i] = least;
      }
    }
  }
}

/* Of rows that are coupled: the worst that is missed of w, their forces, and r and the forces at
 * bounds. */
typedef struct balance {
  achd_real worst, forces, given;
} balance;

static balance balance_of(const solver *s, const unsigned char group[], int first) {
  balance b = {0, 0, s->noise};
  achd_real at_bounds = 0;
  for (int j = first; j < s->n; j++) {
    if (group[j] != first) continue;
    const achd_real force = s->root[j] * achd_magnitude(s->nu[j]), here = missed(s, j);
    if (here > b.worst) b.worst = here;
    b.forces += force;
    if (s->nu[j] == s->lo[j] || s->nu[j] == s->hi[j]) at_bounds += force;
    if (achd_magnitude(s->p->r[j]) > b.given * s->root[j] && s->root[j] > 0)
      b.given = achd_magnitude(s->p->r[j]) / s->root[j];
  }
  b.given += at_bounds;
  return b;
}

/* Does what w misses of the forces, and their rounding, leave w in doubt? Rows that contradict each
 * other, but for rounding, are met by forces that grow as its inverse: those of free rows are then
 * out of all proportion to r and to the forces at bounds, of the rows that they are coupled with.
 * Where these are large in proportion, though in no doubt yet, forces are immense. */
static bool in_doubt(solver *s) {
  unsigned char group[ACHD_MCLP_ROWS];
  bool doubt = false;
  find_groups(s, group);
  s->immense = false;
  for (int first = 0; first < s->n; first++) {
    const balance b = balance_of(s, group, first);
    if ((b.worst + ACHD_EPSILON) * b.forces > most_doubt * b.given) doubt = true;
    const achd_real share = immense_share * b.forces;
    if (share > b.given) s->immense = true;
  }
  return doubt;
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
    bool any = false;
    evaluate(s);
    correct(s);
    for (int k = 0; k < s->free_count; k++) {
      const int j = s->row[k];
      const achd_real inside = achd_clamp(s->nu[j], s->lo[j], s->hi[j]);
      if (inside == s->nu[j]) continue;
      s->nu[j] = inside;
      set(s, j, RESTS);
      any = true;
    }
    if (!any) return;
    leave(s);
  }
}

/* What the rounding of L can make of w_j, with forces of the free rows as large as they are: they move
 * by L_FF^-1 of what rounding adds to their equations. */
static achd_real hidden(solver *s, int j) {
  achd_real sum = s->scale[j];
  substitute(s, j, 0, s->free_count, s->response);
  substitute_back(s, s->response);
  for (int k = 0; k < s->free_count; k++)
    sum += achd_magnitude(s->response[k]) * s->scale[s->row[k]];
  return fine_sign_rounding * sum;
}

/* The row to drive: the one whose w is wrong by most per root of its diagonal; -1: none. Late, when
 * the problem is degenerate or at the end of its digits: the first that does not count as solved;
 * very late, when rounding turns pivots in a circle: the first whose w no rounding explains. */
static int wrong_row(solver *s, bool late, bool very_late) {
  const achd_real soon = s->exact ? fine_sign_rounding : sign_rounding;
  const achd_real later = s->exact ? sign_rounding : ACHD_MCLP_RESIDUAL / 2;
  const achd_real least = very_late ? doubtful : late ? later : soon;
  int worst = -1;
  achd_real most = 0;
  for (int j = 0; j < s->n; j++) {
    if (is(s, j, FREE | GIVEN_UP) || fixed(s, j)) continue;
    const achd_real wrong = violation(s, j);
    if (wrong <= least * s->scale[j] || (very_late && wrong <= hidden(s, j))) continue;
    if (late || s->root[j] == 0) return j;
    if (wrong > most * s->root[j]) worst = j, most = wrong / s->root[j];
  }
  return worst;
}

/* No bound stops row j, and no share of its own does: nu would grow without end. */
static void give_up(solver *s, int j) {
  set(s, j, GIVEN_UP);
  if (missed(s, j) > ACHD_MCLP_RESIDUAL) s->inconsistent = true;
}

/* Moves row j from where it rests, up where w_j < 0, else down, until w_j = 0 or it meets a bound.
 * Free rows follow: nu_F changes by -L_FF^-1 L_Fj per unit of nu_j, w_j by the pivot of row j. */
static void drive(solver *s, int j) {
  const achd_real *lo = s->lo, *hi = s->hi;
  const achd_real way = s->w[j] < 0 ? 1 : -1;
  if (s->exact) set(s, j, FINE);
  while (s->pivots < s->most_pivots) {
    const int count = s->free_count;
    substitute(s, j, 0, count, s->column);
    achd_real pivot = pivot_of(s, j, count, s->column);
    const bool dependent = depends(s, j, s->column, &pivot, s->response);

    const achd_real own = way > 0 ? hi[j] - s->nu[j] : s->nu[j] - lo[j];
    achd_real length = own;
    int stops = -1;
    bool met = false;
    if (!dependent && !(achd_magnitude(s->w[j]) / pivot > own))
      length = achd_magnitude(s->w[j]) / pivot, met = true;
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
    s->nu[i] = way * s->response[stops] < 0 ? hi[i] : lo[i];
    set(s, i, RESTS);
    leave(s);
    evaluate(s);
    if (way * s->w[j] >= 0) return; /* by rounding: the row rests where it is */
  }
}

/* Drives rows until none is wrong; no more than so many pivots. */
static void drive_all(solver *s, int most_pivots) {
  const int patience = s->pivots + 4 * s->n, end = s->pivots + 6 * s->n;
  s->most_pivots = most_pivots;
  evaluate(s);
  for (int j; (j = wrong_row(s, s->pivots > patience, s->pivots > end)) >= 0 &&
              s->pivots < s->most_pivots && !s->indefinite;
       evaluate(s)) {
    drive(s, j);
    if (!is(s, j, FREE)) unset(s, j, FINE);
    if (s->exact) settle(s);
  }
}

/* One step of refinement: what rounding left of w, corrected; kept where it is better. Whether it
 * was. */
static bool refine(solver *s) {
  const achd_real before = residual(s);
  achd_copy(s->kept, s->nu, s->n);
  correct(s);
  for (int j = 0; j < s->n; j++) s->nu[j] = achd_clamp(s->nu[j], s->lo[j], s->hi[j]);
  evaluate(s);
  const achd_real after = residual(s);
  if (after <= before) return after < before;
  achd_copy(s->nu, s->kept, s->n);
  evaluate(s);
  return false;
}

/* Whether nu counts as solved, as far as it has come. */
static bool good(solver *s) {
  const bool doubt = in_doubt(s);
  return !s->inconsistent && residual(s) <= ACHD_MCLP_RESIDUAL && !doubt;
}

/* The problem once more where it is not solved: rows that were given up may move what others do
 * not, by pivots that only twice the digits tell from rounding. */
static void solve_finely(solver *s, int most_pivots) {
  s->exact = true;
  s->inconsistent = false;
  for (int j = 0; j < s->n; j++) unset(s, j, GIVEN_UP);
  drive_all(s, most_pivots);
  for (int step = 0; step < 4 && refine(s); step++) {
  }
}

/* Whether the motion would be the same were nu_j another, within its bounds. */
static bool idle(const solver *s, int j) {
  if (s->as_given) return is(s, j, IDLE);
  const achd_real least = s->exact ? fine_idle_rounding : idle_rounding;
  return !is(s, j, GIVEN_UP) && !fixed(s, j) && achd_magnitude(s->w[j]) <= least * s->scale[j];
}

/* Frees all rows that are idle and strictly within their bounds, at the nu that they have. */
static void free_idle(solver *s) {
  int count = 0;
  s->free_count = 0;
  for (int j = 0; j < s->n; j++) {
    unset(s, j, FREE);
    if (!idle(s, j) || s->nu[j] == s->lo[j] || s->nu[j] == s->hi[j]) continue;
    s->row[count++] = (unsigned char)j;
  }
  enter(s, count);
}

/* Where idle rows depend on the free ones, nu is not unique: each gives a direction along which L
 * nu stays, e_j - L_FF^-1 L_Fj, in N. Returns how many there are. */
static int find_directions(solver *s) {
  const int n = s->n;
  int count = 0;
  for (int j = 0; j < n; j++) {
    if (!is(s, j, FREE) && idle(s, j)) s->row[s->free_count + count++] = (unsigned char)j;
  }
  const int all = s->free_count + count;
  enter(s, count);
  const int nullity = all - s->free_count;
  for (int c = 0; c < nullity; c++) {
    achd_real *direction = s->N + (size_t)(c * n);
    achd_copy(s->response, factor_row(s, s->free_count + c), s->free_count);
    substitute_back(s, s->response);
    achd_zero(direction, n);
    for (int k = 0; k < s->free_count; k++) direction[s->row[k]] = -s->response[k];
    direction[s->row[s->free_count + c]] = 1;
  }
  return nullity;
}

/* Of all nu the one of least norm. Returns how many directions there are; *worse: rounding let that
 * one miss the conditions, nu is as it was. */
static int shorten(solver *s, bool *worse) {
  const int n = s->n, nullity = find_directions(s);
  *worse = false;
  if (nullity == 0) return 0;
  const bool met = good(s);
  const achd_real before = residual(s);
  achd_copy(s->longer, s->nu, n);
  const achd_bounded_plane plane = {n, nullity, s->N, s->root, s->lo, s->hi, s->R, s->column};
  achd_least_norm(&plane, s->nu, s->most_pivots);
  evaluate(s);
  free_idle(s);
  refine(s);
  if (met ? !good(s) : residual(s) > before) {
    achd_copy(s->nu, s->longer, n);
    evaluate(s);
    *worse = true;
  }
  return nullity;
}

/* ---- what rounding left of w ---- */

/* Whether w_j may be zero. Of a row that is taken for idle it becomes zero. */
static bool may_be_zero(solver *s, int j) {
  if (fixed(s, j) || is(s, j, GIVEN_UP)) return false;
  const achd_real w = achd_magnitude(s->w[j]);
  return w <= s->zero * s->scale[j] || (s->immense && w <= hidden(s, j));
}

/* Whether w of every row is zero but for its rounding, or is not zero. Near singular configurations
 * forces can be immense although others would do; what their rounding leaves of w is no small
 * acceleration then. */
static bool is_clean(solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (may_be_zero(s, j) && achd_magnitude(s->w[j]) > idle_rounding * s->scale[j]) return false;
  }
  return true;
}

/* Whether rounding explains every w that has the wrong sign. */
static bool is_met_but_for_rounding(solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (missed(s, j) > doubtful && !(violation(s, j) <= hidden(s, j))) return false;
  }
  return true;
}

/* Takes all rows for idle whose w may be zero. */
static void make_idle(solver *s) {
  for (int j = 0; j < s->n; j++) {
    unset(s, j, IDLE);
    set(s, j, FINE | (may_be_zero(s, j) ? IDLE : 0));
  }
  for (int j = 0; j < s->n; j++) unset(s, j, FREE);
  s->free_count = 0;
  s->as_given = true;
}

/* Corrects what rounding left of w. */
static void clean(solver *s) {
  s->exact = true;
  free_idle(s);
  evaluate(s);
  for (int step = 0; step < 4 && refine(s); step++) {
  }
}

/* Shortens nu with all rows idle whose w may be zero, again and again, as what rounding leaves of w
 * gets less with it. Keeps what is better. Returns how many directions there are. */
static int shorten_finely(solver *s, int nullity) {
  const achd_real before = residual(s), least = fine_sign_rounding;
  int found = nullity;
  achd_copy(s->longer, s->nu, s->n);
  for (int round = 0; round < 3 && !is_clean(s); round++) {
    make_idle(s);
    found = find_directions(s);
    const achd_bounded_plane plane = {s->n, found, s->N, s->root, s->lo, s->hi, s->R, s->column};
    if (found > 0) achd_least_norm(&plane, s->nu, 64 * s->n);
    evaluate(s);
    clean(s);
  }
  if (!s->indefinite && good(s) && residual(s) <= (before > least ? before : least)) return found;
  s->indefinite = false;
  achd_copy(s->nu, s->longer, s->n);
  evaluate(s);
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
    s->lo[j] = lo > -ACHD_MCLP_UNBOUNDED ? lo : -ACHD_INFINITY;
    s->hi[j] = hi < ACHD_MCLP_UNBOUNDED ? hi : ACHD_INFINITY;
  }
}

static void measure(solver *s) {
  s->noise = 0;
  for (int j = 0; j < s->n; j++) {
    s->root[j] = achd_sqrt(diagonal(s, j));
    const achd_real noise = noise_of_r * achd_magnitude(s->p->r[j]);
    if (s->root[j] > 0 && noise > s->noise * s->root[j]) s->noise = noise / s->root[j];
  }
}

/* No diagonal is negative, and no element is larger than its two diagonals allow. */
static bool may_be_semidefinite(const solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (diagonal(s, j) < 0) return false;
    for (int k = 0; k < j; k++) {
      if (achd_magnitude(coupling(s, j, k)) > (1 + rank_rounding) * s->root[j] * s->root[k])
        return false;
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

static void name_side(volatile signed char side[], int j, int where) {
  side[j] = (signed char)where;
}

static void name_sides(const solver *s, signed char side[]) {
  for (int j = 0; j < s->n; j++) {
    const bool at_lo = s->nu[j] == s->lo[j], at_hi = s->nu[j] == s->hi[j];
    name_side(side, j, at_lo && at_hi ? (s->w[j] < 0 ? 1 : -1) : at_hi - at_lo);
  }
}

static bool all_finite(const solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (!achd_finite(s->nu[j])) return false;
  }
  return true;
}

static achd_real *take(achd_real **work, int count) {
  achd_real *part = *work;
  *work += count;
  return part;
}

static achd_mclp_status refuse(achd_mclp_status status, int rows, achd_real nu[],
                               signed char side[], achd_mclp_report *report) {
  achd_zero(nu, rows);
  for (int j = 0; j < rows; j++) name_side(side, j, 0);
  report->residual = ACHD_INFINITY;
  return status;
}

/* Memory of the caller's for a problem of n rows. */
static void begin(solver *s, const achd_mclp_problem *problem, achd_real nu[], achd_real *work) {
  const int n = problem->rows;
  s->p = problem, s->n = n, s->nu = nu;
  s->w = take(&work, n), s->scale = take(&work, n), s->root = take(&work, n);
  s->response = take(&work, n), s->kept = take(&work, n), s->longer = take(&work, n);
  s->column = take(&work, 2 * n);
  s->lo = take(&work, n), s->hi = take(&work, n);
  s->R = take(&work, n * n), s->N = take(&work, n * n);
  s->free_count = s->pivots = 0;
  s->zero = doubtful;
  s->indefinite = s->inconsistent = s->exact = s->as_given = s->immense = false;
  volatile unsigned char *state = s->state;
  for (int j = 0; j < n; j++) state[j] = 0;
  measure(s);
  widen(s);
}

/* Whether all rows without bounds have w = 0. */
static bool meets_equations(const solver *s) {
  for (int j = 0; j < s->n; j++) {
    if (unbounded(s, j) && !(missed(s, j) <= ACHD_MCLP_RESIDUAL)) return false;
  }
  return true;
}

achd_mclp_status achd_mclp(const achd_mclp_problem *problem, achd_real nu[], signed char side[],
                           int most_pivots, achd_real work[], achd_mclp_report *report) {
  const int n = problem->rows;
  report->residual = 0;
  report->pivots = report->nullity = 0;
  if (!good_input(problem)) return refuse(ACHD_MCLP_BAD_INPUT, n, nu, side, report);
  solver s;
  begin(&s, problem, nu, work);
  if (!may_be_semidefinite(&s)) return refuse(ACHD_MCLP_INDEFINITE, n, nu, side, report);

  const int most = most_pivots > 0 ? most_pivots : 64 * n, soon = 8 * n;
  start(&s, side);
  drive_all(&s, most < soon ? most : soon);
  s.most_pivots = most;
  refine(&s);
  bool worse = false;
  if (good(&s)) report->nullity = shorten(&s, &worse);
  if (!s.indefinite && (worse || !good(&s))) {
    solve_finely(&s, most);
    if (!s.indefinite && (s.pivots < most || good(&s))) report->nullity = shorten(&s, &worse);
  }
  if (!s.indefinite && !s.inconsistent && all_finite(&s) && is_met_but_for_rounding(&s) &&
      !is_clean(&s))
    report->nullity = shorten_finely(&s, report->nullity);
  name_sides(&s, side);
  report->residual = residual(&s);
  report->pivots = s.pivots;
  if (s.indefinite) return refuse(ACHD_MCLP_INDEFINITE, n, nu, side, report);
  if (!all_finite(&s)) {
    refuse(ACHD_MCLP_NOT_SOLVED, n, nu, side, report);
    for (int j = 0; j < n; j++) nu[j] = achd_clamp(0, s.lo[j], s.hi[j]);
    return ACHD_MCLP_NOT_SOLVED;
  }
  if (s.inconsistent) return ACHD_MCLP_INCONSISTENT;
  if (good(&s)) return ACHD_MCLP_SOLVED;
  return s.pivots >= most && meets_equations(&s) ? ACHD_MCLP_STOPPED : ACHD_MCLP_NOT_SOLVED;
}

/* ---- of all solutions that of least motor torque ---- */

static bool good_torques(const achd_mclp_torques *t, int rows) {
  if (t->motors < 0) return false;
  for (int m = 0; m < t->motors; m++) {
    if (!achd_finite(t->at_0[m])) return false;
    if (t->weight && !(achd_finite(t->weight[m]) && t->weight[m] >= 0)) return false;
  }
  for (int k = 0; k < rows * t->motors; k++) {
    if (!achd_finite(t->per_nu[k])) return false;
  }
  return true;
}

/* With s = g + L y, where s is the force of the bounds of idle rows, y over the rows F:
 *   L_FF y_F = s_F - g_F,   g = per_nu^T weight tau */
static void find_multipliers(solver *s, const achd_mclp_torques *t, const unsigned char F[],
                             int count, const achd_real forces[], achd_real y[]) {
  achd_real *x = s->response;
  for (int j = 0; j < s->n; j++) unset(s, j, FREE);
  s->free_count = 0;
  volatile unsigned char *row = s->row;
  for (int k = 0; k < count; k++) row[k] = F[k];
  enter(s, count);
  for (int j = 0; j < s->n; j++) s->w[j] = forces[j], y[j] = 0;
  for (int m = 0; m < t->motors; m++) {
    achd_real tau = t->at_0[m];
    for (int j = 0; j < s->n; j++) tau += t->per_nu[j * t->motors + m] * s->nu[j];
    if (t->weight) tau *= t->weight[m];
    for (int j = 0; j < s->n; j++) s->w[j] -= t->per_nu[j * t->motors + m] * tau;
  }
  for (int pass = 0; pass < 2; pass++) { /* the second one refines */
    for (int k = 0; k < s->free_count; k++) {
      const achd_real *Rk = factor_row(s, k);
      exact_sum rest = {s->w[s->row[k]], 0};
      for (int i = 0; i < s->free_count; i++)
        add_product(&rest, -coupling(s, s->row[k], s->row[i]), y[s->row[i]]);
      achd_real sum = value_of(&rest);
      for (int i = 0; i < k; i++) sum -= x[i] * Rk[i];
      x[k] = sum * Rk[k];
    }
    substitute_back(s, x);
    for (int k = 0; k < s->free_count; k++) y[s->row[k]] += x[k];
  }
}

/* The rows that all others depend on. */
typedef struct base_rows {
  unsigned char row[ACHD_MCLP_ROWS];
  int count;
} base_rows;

/* From a solution on to the least torque; what is left of w is corrected between rounds, of which
 * there are so many at most. Returns the number of directions. */
static int spare_torque(solver *s, const achd_torque_plane *of, int rounds, base_rows *F) {
  for (int round = 1;; round++) {
    volatile unsigned char *written = F->row;
    make_idle(s);
    const int nullity = find_directions(s);
    F->count = s->free_count;
    for (int k = 0; k < s->free_count; k++) written[k] = s->row[k];
    achd_zero(of->forces, s->n);
    const achd_bounded_plane plane = {s->n, nullity, s->N, s->root, s->lo, s->hi, s->R, s->column};
    if (nullity > 0) achd_least_torque(&plane, of, s->nu, 64 * s->n);
    evaluate(s);
    if (round < rounds ? is_clean(s) && good(s) : good(s)) return nullity;
    clean(s);
    if (round >= rounds) return nullity;
  }
}

achd_mclp_status achd_mclp_least_torque(const achd_mclp_problem *problem,
                                        const achd_mclp_torques *torques, achd_real nu[],
                                        signed char side[], achd_real work[],
                                        achd_mclp_report *report) {
  const int n = problem->rows;
  report->residual = ACHD_INFINITY;
  report->pivots = report->nullity = 0;
  if (!good_input(problem) || !good_torques(torques, n)) return ACHD_MCLP_BAD_INPUT;
  achd_real *y = take(&work, n), *forces = take(&work, n), *start_nu = take(&work, n);
  achd_real *tau = take(&work, torques->motors), *B = take(&work, n * torques->motors);
  solver s;
  begin(&s, problem, nu, work);
  if (!all_finite(&s)) return ACHD_MCLP_BAD_INPUT;
  achd_copy(start_nu, nu, n);
  for (int j = 0; j < n; j++) nu[j] = achd_clamp(nu[j], s.lo[j], s.hi[j]);
  evaluate(&s);
  s.exact = !good(&s);
  if (s.exact) evaluate(&s);
  bool met = false;
  const bool given = good(&s);
  for (int attempt = 0; given && !met && attempt < 3; attempt++) {
    base_rows F;
    const achd_torque_plane of = {torques, B, tau, forces};
    if (attempt == 2) s.zero = idle_rounding; /* a w so small, but no rounding */
    report->nullity = spare_torque(&s, &of, attempt == 0 ? 4 : 1, &F);
    met = !s.indefinite && good(&s);
    report->residual = residual(&s);
    name_sides(&s, side);
    find_multipliers(&s, torques, F.row, F.count, forces, y);
    if (met) break;
    s.indefinite = false;
    for (int j = 0; j < n; j++) nu[j] = achd_clamp(start_nu[j], s.lo[j], s.hi[j]);
    evaluate(&s);
  }
  if (!met) achd_copy(nu, start_nu, n);
  return met ? ACHD_MCLP_SOLVED : ACHD_MCLP_NOT_SOLVED;
}
