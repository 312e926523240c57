/* mclp_check.c: see achd/mclp.h
 *
 * It shares no code with the solver. The annotations state what Frama-C proves of it, over real
 * numbers (tests/runtime/proof.sh): it reads no memory but the problem's and nu, it writes no
 * memory but the certificate, it ends, and what it accepts meets the conditions of mclp.h. The
 * sums keep twice the digits, so that rounding changes w by less than one operation does. */
#include <achd/mclp.h>

#include "mathematics.h"

/* Of the largest |r_k| / sqrt(L_kk): what rounding leaves of r. */
#define NOISE_OF_R (4 * ACHD_EPSILON)

/*@ axiomatic packed_lower_triangle {
      logic integer at(integer row, integer column);
      axiom where: \forall integer row, column; at(row, column) == row * (row + 1) / 2 + column;
    }
    logic integer index(integer j, integer k) = j >= k ? at(j, k) : at(k, j);
    logic real sum{A}(achd_mclp_problem *p, achd_real *nu, integer j, integer n) =
      n <= 0 ? -p->r[j] : sum(p, nu, j, n - 1) + p->L[index(j, n - 1)] * nu[n - 1];
    logic real sizes{A}(achd_mclp_problem *p, achd_real *nu, integer j, integer n) =
      n <= 0 ? \abs(p->r[j])
             : sizes(p, nu, j, n - 1) + \abs(p->L[index(j, n - 1)] * nu[n - 1]);
    logic real slack{A}(achd_mclp_problem *p, achd_real *nu, integer j, real noise) =
      noise * \sqrt(p->L[index(j, j)]) + ACHD_MCLP_RESIDUAL * sizes(p, nu, j, p->rows);
    predicate meets{A}(achd_mclp_problem *p, achd_real *nu, integer j, real noise) =
      p->lo[j] <= nu[j] <= p->hi[j] &&
      (nu[j] < p->hi[j] || p->hi[j] >= ACHD_MCLP_UNBOUNDED ==>
       sum(p, nu, j, p->rows) >= -slack(p, nu, j, noise)) &&
      (nu[j] > p->lo[j] || p->lo[j] <= -ACHD_MCLP_UNBOUNDED ==>
       sum(p, nu, j, p->rows) <= slack(p, nu, j, noise));
    predicate readable{A}(achd_mclp_problem *p, achd_real *nu) =
      \valid_read(p) && 0 <= p->rows <= ACHD_MCLP_ROWS &&
      (\forall integer j, k; 0 <= k <= j < p->rows ==> \valid_read(p->L + at(j, k))) &&
      \valid_read(p->r + (0 .. p->rows - 1)) && \valid_read(p->lo + (0 .. p->rows - 1)) &&
      \valid_read(p->hi + (0 .. p->rows - 1)) && \valid_read(nu + (0 .. p->rows - 1)); */

/*@ requires readable(p, p->r) && 0 <= j < p->rows && 0 <= k < p->rows;
    assigns \nothing;
    ensures \result == p->L[index(j, k)]; */
static achd_real element(const achd_mclp_problem *p, int j, int k) {
  const int row = j >= k ? j : k, column = j >= k ? k : j;
  /*@ assert at(row, column) == row * (row + 1) / 2 + column; */
  return p->L[row * (row + 1) / 2 + column];
}

/* L nu - r along a row, and the sum of the sizes of its terms. */
typedef struct along {
  achd_real w, size;
} along;

/* Products and sums with what each of them lost (Ogita, Rump, Oishi, Accurate sum and dot product,
 * SIAM Journal on Scientific Computing 26, 2005). */
/*@ requires readable(p, nu) && 0 <= j < p->rows;
    assigns \nothing;
    ensures \result.w == sum(p, nu, j, p->rows);
    ensures \result.size == sizes(p, nu, j, p->rows); */
static along evaluate(const achd_mclp_problem *p, const achd_real nu[], int j) {
  achd_real w = -p->r[j], lost = 0, size = achd_magnitude(p->r[j]);
  /*@ loop assigns k, w, lost, size;
      loop invariant 0 <= k <= p->rows;
      loop invariant w == sum(p, nu, j, k) && lost == 0;
      loop invariant size == sizes(p, nu, j, k);
      loop variant p->rows - k; */
  for (int k = 0; k < p->rows; k++) {
    const achd_real a = element(p, j, k), product = a * nu[k], next = w + product;
    const achd_real added = next - w;
    lost += achd_fma(a, nu[k], -product) + ((w - (next - added)) + (product - added));
    w = next;
    size += achd_magnitude(product);
  }
  const along row = {w + lost, size};
  return row;
}

/* Whether nu_j is within its bounds, and these and L_jj are what they may be. */
/*@ requires readable(p, nu) && 0 <= j < p->rows;
    assigns \nothing;
    ensures \result ==> p->lo[j] <= nu[j] <= p->hi[j] && 0 <= p->L[index(j, j)]; */
static bool sound(const achd_mclp_problem *p, const achd_real nu[], int j) {
  const achd_real lo = p->lo[j], hi = p->hi[j];
  if (lo >= ACHD_MCLP_UNBOUNDED || hi <= -ACHD_MCLP_UNBOUNDED) return false;
  return lo <= nu[j] && nu[j] <= hi && element(p, j, j) >= 0; /* false for a NaN */
}

/* By how much w_j has the wrong sign for where nu_j is. */
/*@ requires readable(p, nu) && 0 <= j < p->rows;
    assigns \nothing;
    ensures \result >= 0;
    ensures nu[j] < p->hi[j] || p->hi[j] >= ACHD_MCLP_UNBOUNDED ==> w >= -\result;
    ensures nu[j] > p->lo[j] || p->lo[j] <= -ACHD_MCLP_UNBOUNDED ==> w <= \result; */
static achd_real violation(const achd_mclp_problem *p, const achd_real nu[], int j, achd_real w) {
  const bool may_rise = nu[j] < p->hi[j] || p->hi[j] >= ACHD_MCLP_UNBOUNDED;
  const bool may_fall = nu[j] > p->lo[j] || p->lo[j] <= -ACHD_MCLP_UNBOUNDED;
  if (w < 0) return may_rise ? -w : 0;
  return may_fall ? w : 0;
}

/* The row of the largest |r_k| / sqrt(L_kk); -1: all are 0, or L_kk is. */
/*@ requires readable(p, p->r);
    requires \forall integer k; 0 <= k < p->rows ==> 0 <= p->L[index(k, k)];
    assigns \nothing;
    ensures -1 <= \result < p->rows;
    ensures \result >= 0 ==> \sqrt(p->L[index(\result, \result)]) > 0; */
static int most_driven(const achd_mclp_problem *p) {
  achd_real largest = 0;
  int most = -1;
  /*@ loop assigns k, most, largest;
      loop invariant 0 <= k <= p->rows && -1 <= most < k;
      loop invariant most >= 0 ==> \sqrt(p->L[index(most, most)]) > 0;
      loop variant p->rows - k; */
  for (int k = 0; k < p->rows; k++) {
    const achd_real root = achd_sqrt(element(p, k, k)), size = achd_magnitude(p->r[k]);
    if (!(root > 0) || !(size / root > largest)) continue;
    largest = size / root;
    most = k;
  }
  return most;
}

/* What rounding leaves of r, in units of sqrt(L_jj). */
/*@ requires readable(p, p->r);
    requires \forall integer k; 0 <= k < p->rows ==> 0 <= p->L[index(k, k)];
    assigns \nothing;
    ensures \result == 0 || \exists integer k; 0 <= k < p->rows &&
      \result == NOISE_OF_R * \abs(p->r[k]) / \sqrt(p->L[index(k, k)]); */
static achd_real noise_of(const achd_mclp_problem *p) {
  const int k = most_driven(p);
  if (k < 0) return 0;
  return NOISE_OF_R * achd_magnitude(p->r[k]) / achd_sqrt(element(p, k, k));
}

/* Marks the rows that are coupled with row `first`, over however many others. */
/*@ requires readable(p, p->r) && 0 <= first < p->rows && \valid(with + (0 .. p->rows - 1));
    requires \separated(with + (0 .. p->rows - 1), p, p->L + (0 .. 2079));
    assigns with[0 .. p->rows - 1]; */
static void find_coupled(const achd_mclp_problem *p, int first, bool with[]) {
  const int n = p->rows;
  /*@ loop assigns j, with[0 .. n - 1];
      loop invariant 0 <= j <= n;
      loop variant n - j; */
  for (int j = 0; j < n; j++) with[j] = j == first;
  bool more = true;
  /*@ loop assigns pass, more, with[0 .. n - 1];
      loop invariant 0 <= pass <= n;
      loop variant n - pass; */
  for (int pass = 0; more && pass < n; pass++) {
    more = false;
    /*@ loop assigns j, more, with[0 .. n - 1];
        loop invariant 0 <= j <= n;
        loop variant n - j; */
    for (int j = 0; j < n; j++) {
      /*@ loop assigns k, more, with[0 .. n - 1];
          loop invariant 0 <= k <= n;
          loop variant n - k; */
      for (int k = 0; k < n; k++) {
        if (with[j] || !with[k] || element(p, j, k) == 0) continue;
        with[j] = true;
        more = true;
      }
    }
  }
}

/* For each row what its w is measured by, in units of its sqrt(L_jj): the largest |r_k| /
 * sqrt(L_kk), no less than `noise`, and the forces at bounds, of the rows that are coupled with it.
 */
/*@ requires readable(p, nu) && \valid(given + (0 .. p->rows - 1));
    requires \separated(given + (0 .. p->rows - 1), p, p->L + (0 .. 2079),
                        p->r + (0 .. p->rows - 1), p->lo + (0 .. p->rows - 1));
    requires \separated(given + (0 .. p->rows - 1), p->hi + (0 .. p->rows - 1),
                        nu + (0 .. p->rows - 1));
    requires \forall integer k; 0 <= k < p->rows ==> 0 <= p->L[index(k, k)];
    assigns given[0 .. p->rows - 1]; */
static void find_given(const achd_mclp_problem *p, const achd_real nu[], achd_real noise,
                       achd_real given[]) {
  const int n = p->rows;
  bool with[ACHD_MCLP_ROWS], done[ACHD_MCLP_ROWS];
  /*@ loop assigns j, done[0 .. n - 1];
      loop invariant 0 <= j <= n;
      loop variant n - j; */
  for (int j = 0; j < n; j++) done[j] = false;
  /*@ loop assigns first, given[0 .. n - 1], with[0 .. n - 1], done[0 .. n - 1];
      loop invariant 0 <= first <= n;
      loop variant n - first; */
  for (int first = 0; first < n; first++) {
    if (done[first]) continue;
    find_coupled(p, first, with);
    achd_real most = noise, at_bounds = 0;
    /*@ loop assigns k, most, at_bounds;
        loop invariant 0 <= k <= n;
        loop variant n - k; */
    for (int k = 0; k < n; k++) {
      const achd_real root = achd_sqrt(element(p, k, k)), size = achd_magnitude(p->r[k]);
      if (!with[k]) continue;
      if (root > 0 && size / root > most) most = size / root;
      const bool at_lo = nu[k] == p->lo[k] && p->lo[k] > -ACHD_MCLP_UNBOUNDED;
      const bool at_hi = nu[k] == p->hi[k] && p->hi[k] < ACHD_MCLP_UNBOUNDED;
      if (at_lo || at_hi) at_bounds += root * achd_magnitude(nu[k]);
    }
    /*@ loop assigns k, given[0 .. n - 1], done[0 .. n - 1];
        loop invariant 0 <= k <= n;
        loop variant n - k; */
    for (int k = 0; k < n; k++) {
      if (!with[k]) continue;
      given[k] = most + at_bounds;
      done[k] = true;
    }
  }
}

/* The certificate of an answer that there is nothing to say about. */
/*@ requires \valid(c);
    assigns *c;
    ensures !\result; */
static bool refuse(achd_mclp_certificate *c, int row) {
  c->residual = c->error = ACHD_INFINITY;
  c->noise = 0;
  c->row = row;
  return false;
}

/*@ requires 0 <= problem->rows <= ACHD_MCLP_ROWS ==> readable(problem, nu);
    requires \valid_read(problem) && \valid(c);
    requires \separated(c, problem, problem->L + (0 .. 2079), problem->r + (0 .. problem->rows - 1));
    requires \separated(c, problem->lo + (0 .. problem->rows - 1),
                        problem->hi + (0 .. problem->rows - 1), nu + (0 .. problem->rows - 1));
    assigns *c;
    ensures \result ==> 0 <= problem->rows <= ACHD_MCLP_ROWS;
    ensures \result ==> \forall integer j; 0 <= j < problem->rows ==>
      meets(problem, nu, j, c->noise);
    ensures \result ==> c->noise == 0 || \exists integer k; 0 <= k < problem->rows &&
      c->noise == NOISE_OF_R * \abs(problem->r[k]) / \sqrt(problem->L[index(k, k)]); */
bool achd_mclp_check(const achd_mclp_problem *problem, const achd_real nu[],
                     achd_mclp_certificate *c) {
  const int n = problem->rows;
  if (n < 0 || n > ACHD_MCLP_ROWS) return refuse(c, -1);
  /*@ loop assigns j, *c;
      loop invariant 0 <= j <= n;
      loop invariant \forall integer k; 0 <= k < j ==>
        problem->lo[k] <= nu[k] <= problem->hi[k] && 0 <= problem->L[index(k, k)];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    if (!sound(problem, nu, j)) return refuse(c, j);
  }
  achd_real given[ACHD_MCLP_ROWS];
  const achd_real noise = noise_of(problem);
  find_given(problem, nu, noise, given);
  c->residual = c->error = 0;
  c->noise = noise;
  c->row = -1;
  /*@ loop assigns j, *c;
      loop invariant 0 <= j <= n && c->noise == noise;
      loop invariant c->row < 0 ==> \forall integer k; 0 <= k < j ==> meets(problem, nu, k, noise);
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const along row = evaluate(problem, nu, j);
    const achd_real root = achd_sqrt(element(problem, j, j)), measure = root * given[j];
    /* Every number of the row is in row.size: it is not finite if one of them is not. */
    if (!achd_finite(row.w) || !achd_finite(row.size) || !achd_finite(measure)) return refuse(c, j);
    const achd_real wrong = violation(problem, nu, j, row.w) - noise * root;
    if (!(wrong > 0)) continue;
    if (wrong > c->residual * row.size) c->residual = wrong / row.size;
    if (wrong > c->error * measure) c->error = measure > 0 ? wrong / measure : ACHD_INFINITY;
    if (c->row >= 0) continue;
    if (wrong > ACHD_MCLP_RESIDUAL * row.size || wrong > ACHD_MCLP_ERROR * measure) c->row = j;
  }
  return c->row < 0;
}
