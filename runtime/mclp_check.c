/* SPDX-License-Identifier: MIT */
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
      axiom where{L}: \forall integer row, column; 0 <= column <= row ==>
        at(row, column) == row * (row + 1) / 2 + column;
    }
    lemma at_most: \forall integer row, column; 0 <= column <= row < ACHD_MCLP_ROWS ==>
      0 <= at(row, column) <= 2079;
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
    predicate within{A}(achd_mclp_problem *p, achd_real *nu, integer j) =
      p->lo[j] <= nu[j] <= p->hi[j] && 0 <= p->L[index(j, j)];
    predicate is_noise{A}(achd_mclp_problem *p, real noise) = noise == 0 ||
      \exists integer k; 0 <= k < p->rows &&
        noise == NOISE_OF_R * \abs(p->r[k]) / \sqrt(p->L[index(k, k)]);
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
  const int at = row * (row + 1) / 2 + column;
  /*@ assert at == at(row, column) && at(row, column) == index(j, k); */
  return p->L[at];
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
    ensures \result.size == sizes(p, nu, j, p->rows);
    ensures \result.size >= 0; */
static along evaluate(const achd_mclp_problem *p, const achd_real nu[], int j) {
  achd_real w = -p->r[j], lost = 0, size = achd_magnitude(p->r[j]);
  /*@ loop assigns k, w, lost, size;
      loop invariant 0 <= k <= p->rows;
      loop invariant w == sum(p, nu, j, k) && lost == 0;
      loop invariant size == sizes(p, nu, j, k);
      loop invariant size >= 0;
      loop variant p->rows - k; */
  for (int k = 0; k < p->rows; k++) {
    const achd_real a = element(p, j, k), product = a * nu[k], next = w + product;
    const achd_real added = next - w;
    lost += achd_fma(a, nu[k], -product) + ((w - (next - added)) + (product - added));
    w = next;
    size += achd_magnitude(product);
  }
  /*@ assert size == sizes(p, nu, j, p->rows); */
  const along row = {w + lost, size};
  return row;
}

/* Whether nu_j is within its bounds, and these and L_jj are what they may be. */
/*@ requires readable(p, nu) && 0 <= j < p->rows;
    assigns \nothing;
    ensures \result ==> within(p, nu, j); */
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
    ensures is_noise(p, \result); */
static achd_real noise_of(const achd_mclp_problem *p) {
  const int k = most_driven(p);
  if (k < 0) return 0;
  return NOISE_OF_R * achd_magnitude(p->r[k]) / achd_sqrt(element(p, k, k));
}

/* Marks the rows that are coupled with row `first`, over however many others. */
/*@ requires readable(p, p->r) && 0 <= first < p->rows && \valid(with + (0 .. p->rows - 1));
    requires \separated(with + (0 .. p->rows - 1), p);
    requires \separated(with + (0 .. p->rows - 1), p->L + (0 .. 2079));
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
    requires \separated(given + (0 .. p->rows - 1), p);
    requires \separated(given + (0 .. p->rows - 1), p->L + (0 .. 2079));
    requires \separated(given + (0 .. p->rows - 1), p->r + (0 .. p->rows - 1));
    requires \separated(given + (0 .. p->rows - 1), p->lo + (0 .. p->rows - 1));
    requires \separated(given + (0 .. p->rows - 1), p->hi + (0 .. p->rows - 1));
    requires \separated(given + (0 .. p->rows - 1), nu + (0 .. p->rows - 1));
    requires \forall integer k; 0 <= k < p->rows ==> 0 <= p->L[index(k, k)];
    assigns given[0 .. p->rows - 1]; */
static void find_given(const achd_mclp_problem *p, const achd_real nu[], achd_real noise,
                       achd_real given[]) {
  const int n = p->rows;
  bool with[ACHD_MCLP_ROWS], done[ACHD_MCLP_ROWS];
  achd_clear(done, (size_t)n * sizeof *done); /* a loop would become a call of memset */
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

typedef struct verdict {
  bool accepted;
  achd_mclp_certificate c;
} verdict;

/* Of numbers that are no problem or no answer, in this row. */
/*@ assigns \nothing;
    ensures !\result.accepted; */
static verdict refuse(int row) {
  const verdict v = {false, {ACHD_INFINITY, ACHD_INFINITY, 0, row}};
  return v;
}

/* What there is to say about one row. */
typedef struct finding {
  bool good;
  achd_real residual, error;
} finding;

/*@ requires readable(p, nu) && 0 <= j < p->rows && within(p, nu, j);
    assigns \nothing;
    ensures \result.good ==> meets(p, nu, j, noise); */
static finding examine(const achd_mclp_problem *p, const achd_real nu[], int j, achd_real noise,
                       achd_real given) {
  const along row = evaluate(p, nu, j);
  const achd_real root = achd_sqrt(element(p, j, j)), measure = root * given;
  finding found = {false, ACHD_INFINITY, ACHD_INFINITY};
  /* Every number of the row is in row.size: it is not finite if one of them is not. */
  if (!achd_finite(row.w) || !achd_finite(row.size) || !achd_finite(measure)) return found;
  const achd_real wrong = violation(p, nu, j, row.w) - noise * root;
  found.good =
      wrong <= 0 || (wrong <= ACHD_MCLP_RESIDUAL * row.size && wrong <= ACHD_MCLP_ERROR * measure);
  found.residual = wrong > 0 ? wrong / row.size : 0;
  if (wrong <= 0 || measure > 0) found.error = wrong > 0 ? wrong / measure : 0;
  return found;
}

/*@ requires readable(p, nu);
    requires \forall integer k; 0 <= k < p->rows ==> within(p, nu, k);
    assigns \nothing;
    ensures \result.accepted ==> \forall integer j; 0 <= j < p->rows ==>
      meets(p, nu, j, \result.c.noise);
    ensures \result.accepted ==> is_noise(p, \result.c.noise); */
static verdict judge(const achd_mclp_problem *p, const achd_real nu[]) {
  achd_real given[ACHD_MCLP_ROWS];
  const achd_real noise = noise_of(p);
  verdict v = {true, {0, 0, noise, -1}};
  find_given(p, nu, noise, given);
  /*@ loop assigns j, v.accepted, v.c.residual, v.c.error, v.c.row;
      loop invariant 0 <= j <= p->rows;
      loop invariant v.accepted ==> \forall integer k; 0 <= k < j ==> meets(p, nu, k, noise);
      loop variant p->rows - j; */
  for (int j = 0; j < p->rows; j++) {
    const finding found = examine(p, nu, j, noise, given[j]);
    if (found.residual > v.c.residual) v.c.residual = found.residual;
    if (found.error > v.c.error) v.c.error = found.error;
    if (!found.good && v.accepted) v.c.row = j;
    v.accepted = v.accepted && found.good;
  }
  return v;
}

/*@ requires 0 <= p->rows <= ACHD_MCLP_ROWS ==> readable(p, nu);
    requires \valid_read(p);
    assigns \nothing;
    ensures \result.accepted ==> 0 <= p->rows <= ACHD_MCLP_ROWS;
    ensures \result.accepted ==> \forall integer j; 0 <= j < p->rows ==>
      meets(p, nu, j, \result.c.noise);
    ensures \result.accepted ==> is_noise(p, \result.c.noise); */
static verdict verdict_on(const achd_mclp_problem *p, const achd_real nu[]) {
  if (p->rows < 0 || p->rows > ACHD_MCLP_ROWS) return refuse(-1);
  /*@ loop assigns j;
      loop invariant 0 <= j <= p->rows;
      loop invariant \forall integer k; 0 <= k < j ==> within(p, nu, k);
      loop variant p->rows - j; */
  for (int j = 0; j < p->rows; j++) {
    if (!sound(p, nu, j)) return refuse(j);
  }
  return judge(p, nu);
}

/*@ requires 0 <= problem->rows <= ACHD_MCLP_ROWS ==> readable(problem, nu);
    requires \valid_read(problem) && \valid(certificate);
    assigns *certificate;
    ensures \result ==> 0 <= \old(problem->rows) <= ACHD_MCLP_ROWS;
    ensures \result ==> \forall integer j; 0 <= j < \old(problem->rows) ==>
      meets{Pre}(problem, nu, j, certificate->noise);
    ensures \result ==> is_noise{Pre}(problem, certificate->noise); */
bool achd_mclp_check(const achd_mclp_problem *problem, const achd_real nu[],
                     achd_mclp_certificate *certificate) {
  const verdict v = verdict_on(problem, nu);
  certificate->residual = v.c.residual;
  certificate->error = v.c.error;
  certificate->noise = v.c.noise;
  certificate->row = v.c.row;
  return v.accepted;
}
