/* SPDX-License-Identifier: MIT */
/* sincos.c: see sincos.h */
#include "base/sincos.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#if FLT_EVAL_METHOD != 0
#error "double-double arithmetic needs operations that round to double: build with -mfpmath=sse"
#endif

/* An unevaluated sum hi + lo with |lo| <= ulp(hi)/2: about 106 bits. The algorithms are Dekker's
 * (1971) and Knuth's; they need round-to-nearest and no contraction (-ffp-contract=off). */
typedef struct dd {
  double hi, lo;
} dd;

/* a + b exactly, whatever their sizes (Knuth). */
static dd two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return (dd){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* a + b exactly where |a| >= |b| or a is 0 (Dekker). */
static dd quick_two_sum(double a, double b) {
  const double sum = a + b;
  return (dd){sum, b - (sum - a)};
}

/* a in two halves of 26 bits, whose products are exact (Veltkamp). */
static dd split(double a) {
  const double shifted = 134217729.0 * a; /* 2^27 + 1 */
  const double hi = shifted - (shifted - a);
  return (dd){hi, a - hi};
}

/* a b exactly (Dekker). */
static dd two_product(double a, double b) {
  const double product = a * b;
  const dd x = split(a), y = split(b);
  return (dd){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

static dd dd_multiply(dd a, dd b) {
  const dd product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a / b for a b that is exact in double. */
static dd dd_divide(dd a, double b) {
  const double quotient = a.hi / b;
  const dd product = two_product(quotient, b);
  return quick_two_sum(quotient, ((a.hi - product.hi) - product.lo + a.lo) / b);
}

/* 1 - a, |a| < 1. */
static dd one_minus(dd a) {
  const dd difference = two_sum(1, -a.hi);
  return quick_two_sum(difference.hi, difference.lo - a.lo);
}

/* r = x - k pi/2 with |r| <= pi/4 to about 2^-140, returns k. pi/2 = P1 + P2 + P3 carries 159 bits
 * (Cody and Waite); no double comes nearer to a multiple of pi/2 than about 2^-62. */
static long reduce(double x, dd *r) {
  static const double P1 = 0x1.921fb54442d18p+0, P2 = 0x1.1a62633145c07p-54,
                      P3 = -0x1.f1976b7ed8fbcp-110;
  const double k = floor(x / P1 + 0.5);
  const dd first = two_product(k, P1), second = two_product(k, P2);
  double terms[] = {k * -P3, -second.lo, -second.hi, -first.lo, x - first.hi};
  enum { N = sizeof terms / sizeof *terms };
  for (int pass = 1; pass < N; ++pass) /* error-free, so the sum itself stays the same */
    for (int i = 1; i < N; ++i) {
      const dd sum = two_sum(terms[i], terms[i - 1]);
      terms[i] = sum.hi;
      terms[i - 1] = sum.lo;
    }
  *r = quick_two_sum(terms[N - 1], terms[N - 2]);
  return (long)k;
}

/* Taylor's series in Horner's form, for first = 1 (sine over r) or 0 (cosine):
 *   1 - r^2/((first+1)(first+2)) (1 - r^2/((first+3)(first+4)) (1 - ...))
 * Fourteen factors leave less than 2^-110 for |r| <= pi/4. */
static dd series(dd r, int first) {
  const dd square = dd_multiply(r, r);
  dd sum = {1, 0};
  for (int n = first + 27; n > first; n -= 2)
    sum = one_minus(dd_divide(dd_multiply(square, sum), (double)n * (n + 1)));
  return sum;
}

void ag_sincos(double x, double *s, double *c) {
  assert(fabs(x) <= AG_ANGLE_DOUBLE);
  dd r;
  const long k = reduce(x, &r);
  const double sine = dd_multiply(r, series(r, 1)).hi, cosine = series(r, 0).hi;
  switch (k & 3) {
  case 0:
    *s = sine, *c = cosine;
    break;
  case 1:
    *s = cosine, *c = -sine;
    break;
  case 2:
    *s = -sine, *c = -cosine;
    break;
  default:
    *s = -cosine, *c = sine;
    break;
  }
}

void ag_sincos_eighth(int k, double *s, double *c) {
  static const double HALF_SQRT_2 = 0x1.6a09e667f3bcdp-1;
  static const double SINE[8] = {0, HALF_SQRT_2, 1, HALF_SQRT_2, 0, -HALF_SQRT_2, -1, -HALF_SQRT_2};
  const unsigned eighth = (unsigned)k & 7u; /* two's complement wraps negative k the right way */
  *s = SINE[eighth];
  *c = SINE[(eighth + 2) & 7u];
}
