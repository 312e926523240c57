/* SPDX-License-Identifier: MIT */
/* lines.c: what achd-identify and achd-observe do with every line of a log: numbers out of text, an
 * even rate, a low pass, normal equations. Compiled by kernel.py when it is first needed; blocks of
 * lines come and go, so that memory does not grow with a log. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with a line, as recording.py has it. */
enum { GOOD, COUNT, NO_NUMBER, NO_MEASUREMENT, TIME, FULL };

/* A block of text, which ends with a line feed, and what of it has been read. */
typedef struct text {
  const char *bytes;
  size_t length;
  size_t place; /* of the next line */
  size_t line;  /* lines read */
  char separator;
  size_t columns; /* of a line */
  size_t wanted;  /* numbers of a row */
  const int *to;  /* [columns] where a column stands in a row, -1: nowhere */
  double *
      rows; /* [most][wanted] time first; of the first `given`, the last is the one before this block */
  size_t most;
  size_t given;
  size_t leaps; /* rows taken back, because only their times do not fit */
  int strict;   /* none is: the line behind is wrong */
  size_t found; /* fields of a line that has too few or too many */
  double wrong; /* a number that is no measurement */
} text;

static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Digits and a point; *digits of them in *whole, *behind of them behind the point. */
static const char *mantissa(const char *at, const char *end, unsigned long long *whole, int *digits,
                            int *behind) {
  for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && *behind < 0)); at++) {
    if (*at == '.') {
      *behind = 0;
      continue;
    }
    if (*digits < 19) *whole = 10 * *whole + (unsigned)(*at - '0');
    *digits += *digits > 0 || *at != '0';
    if (*behind >= 0) (*behind)++;
  }
  return at;
}

/* strtod, of a field that has only what a number can have, in the locale of C. */
static int number_slowly(const char *at, const char *end, double *value) {
  char copy[64], *stop;
  const size_t length = (size_t)(end - at);
  if (length == 0 || length >= sizeof copy) return 0;
  for (size_t i = 0; i < length; i++) {
    if (!strchr("+-.0123456789eEnNaAiIfFtTyY", at[i])) return 0;
    copy[i] = at[i];
  }
  copy[length] = 0;
  *value = strtod(copy, &stop);
  return stop == copy + length;
}

/* A number. That of at most 2^53 times or over a power of ten up to 22 is rounded once, as it is to
 * be (Clinger 1990). */
static int number(const char *at, const char *end, double *value) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  while (end > at && (end[-1] == ' ' || end[-1] == '\t')) end--;
  const char *first = at;
  unsigned long long whole = 0;
  int digits = 0, behind = -1, power = 0;
  const int negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  const char *from = at;
  at = mantissa(at, end, &whole, &digits, &behind);
  if (at - from < 1 + (behind >= 0)) return number_slowly(first, end, value);
  if (at < end && (*at == 'e' || *at == 'E')) {
    int down = 0, seen = 0;
    at++;
    if (at < end && (*at == '-' || *at == '+')) down = *at++ == '-';
    for (; at < end && *at >= '0' && *at <= '9' && seen < 4; at++, seen++)
      power = 10 * power + (*at - '0');
    if (!seen) return 0;
    if (down) power = -power;
  }
  power -= behind > 0 ? behind : 0;
  if (at != end || digits > 18 || whole > (1ULL << 53) || power < -22 || power > 22)
    return number_slowly(first, end, value);
  *value = power < 0 ? (double)whole / TENS[-power] : (double)whole * TENS[power];
  if (negative) *value = -*value;
  return 1;
}

/* The numbers of one line. */
static int line_of(text *t, const char *at, const char *end, double *row) {
  size_t column = 0;
  int fault = GOOD;
  for (;;) {
    const char *next = memchr(at, t->separator, (size_t)(end - at)), *stop = next ? next : end;
    if (column < t->columns && t->to[column] >= 0 && fault == GOOD) {
      double *value = &row[t->to[column]];
      if (!number(at, stop, value))
        fault = NO_NUMBER;
      else if (!(fabs(*value) < (t->to[column] ? 1e6 : 1e12))) {
        fault = NO_MEASUREMENT;
        t->wrong = *value;
      }
    }
    column++;
    if (!next) break;
    at = next + 1;
  }
  t->found = column;
  return column != t->columns ? COUNT : fault;
}

/* Whether time grows. Where it does not, because that of the row before alone has leapt, that row is
 * taken back. */
static int time_grows(text *t, size_t rows, size_t *taken) {
  const double *row = t->rows + rows * t->wanted;
  *taken = 0;
  if (rows == 0) return 1;
  const double *last = row - t->wanted, *before = rows > 1 ? last - t->wanted : last;
  if (row[0] > last[0]) return 1;
  if (t->strict || row[0] == last[0]) return 0;
  if (rows > 1 && !(row[0] > before[0] && last[0] - before[0] > 10 * (row[0] - before[0])))
    return 0;
  *taken = 1;
  return 1;
}

/* Reads lines until one is wrong, or the block or the room is used up. Returns what is wrong. */
int lines_read(text *t, size_t *rows);
int lines_read(text *t, size_t *rows) {
  *rows = t->given;
  while (t->place < t->length) {
    const char *at = t->bytes + t->place, *feed = memchr(at, '\n', t->length - t->place);
    const char *end = feed ? feed : t->bytes + t->length;
    if (*rows == t->most) return FULL;
    t->place = (size_t)(end - t->bytes) + 1;
    t->line++;
    if (end > at && end[-1] == '\r') end--;
    if (end == at) continue; /* an empty line */
    double *row = t->rows + *rows * t->wanted;
    size_t taken;
    const int fault = line_of(t, at, end, row);
    if (fault) return fault;
    if (!time_grows(t, *rows, &taken)) return TIME;
    if (taken) {
      memcpy(row - t->wanted, row, t->wanted * sizeof *row);
      t->leaps++;
    } else {
      (*rows)++;
    }
  }
  return GOOD;
}

/* The columns behind the first of rows at even times, by lines between the two rows around each. */
void lines_even(size_t rows, size_t columns, const double *in, size_t count, double start,
                double step, double *out);
void lines_even(size_t rows, size_t columns, const double *in, size_t count, double start,
                double step, double *out) {
  size_t k = 0;
  for (size_t i = 0; i < count; i++) {
    const double now = start + (double)i * step;
    while (k + 2 < rows && in[(k + 1) * columns] <= now) k++;
    const double *a = in + k * columns, *b = rows > 1 ? a + columns : a;
    const double share = b[0] > a[0] ? fmin(1, fmax(0, (now - a[0]) / (b[0] - a[0]))) : 0;
    for (size_t c = 1; c < columns; c++)
      out[i * (columns - 1) + c - 1] = a[c] + share * (b[c] - a[c]);
  }
}

/* One way through two sections of second order, in transposed direct form II, at rest at what the
 * first line has. state: [4][columns]. */
static void one_way(size_t lines, size_t columns, double *x, ptrdiff_t way, const double *sections,
                    double *state) {
  double *s0 = state, *s1 = s0 + columns, *s2 = s1 + columns, *s3 = s2 + columns;
  const double b0 = sections[0], b1 = sections[1], b2 = sections[2], a1 = sections[3],
               a2 = sections[4];
  const double c0 = sections[5], c1 = sections[6], c2 = sections[7], d1 = sections[8],
               d2 = sections[9];
  for (size_t c = 0; c < columns; c++) {
    s1[c] = (b2 - a2) * x[c];
    s0[c] = (b1 - a1) * x[c] + s1[c];
    s3[c] = (c2 - d2) * x[c];
    s2[c] = (c1 - d1) * x[c] + s3[c];
  }
  for (size_t i = 0; i < lines; i++, x += way) {
    for (size_t c = 0; c < columns; c++) {
      const double v = x[c], w = b0 * v + s0[c], y = c0 * w + s2[c];
      s0[c] = b1 * v - a1 * w + s1[c];
      s1[c] = b2 * v - a2 * w;
      s2[c] = c1 * w - d1 * y + s3[c];
      s3[c] = c2 * w - d2 * y;
      x[c] = y;
    }
  }
}

/* A Butterworth filter of order 4 forwards and backwards, in place. sections: b0 b1 b2 a1 a2 of both;
 * state: [4][columns]. */
void lines_low_pass(size_t lines, size_t columns, double *x, const double *sections, double *state);
void lines_low_pass(size_t lines, size_t columns, double *x, const double *sections,
                    double *state) {
  one_way(lines, columns, x, (ptrdiff_t)columns, sections, state);
  one_way(lines, columns, x + (lines - 1) * columns, -(ptrdiff_t)columns, sections, state);
}

/* Dry friction over its largest value, by line and column, of positions q: while a joint moves by dx, what is left
 * to the sign s of the motion falls to exp(-|dx| / distance) of itself (Dahl 1968). Of z the first line is given. */
void lines_presliding(size_t lines, size_t columns, const double *q, double distance, double *z);
void lines_presliding(size_t lines, size_t columns, const double *q, double distance, double *z) {
  for (size_t i = columns; i < lines * columns; i++) {
    const double dx = q[i] - q[i - columns], sign = dx > 0 ? 1 : -1;
    z[i] = sign + (z[i - columns] - sign) * exp(-fabs(dx) / distance);
  }
}

enum { TOGETHER = 64, WIDE = 4, PAIR = 2 * WIDE };

/* WIDE numbers, wherever they stand (GCC and Clang: in as many registers as the machine needs). */
typedef double wide
    __attribute__((vector_size(WIDE * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Four rows and 2 WIDE columns of W^T A. W, A: [64][m], m a multiple of 2 WIDE. */
static void tile(const double *W, const double *A, size_t m, double *restrict N) {
  wide sum[8] = {{0}};
  for (size_t i = 0; i < TOGETHER; i++, W += m, A += m) {
    const wide x = *(const wide *)A, y = *(const wide *)(A + WIDE);
    sum[0] += W[0] * x, sum[1] += W[0] * y;
    sum[2] += W[1] * x, sum[3] += W[1] * y;
    sum[4] += W[2] * x, sum[5] += W[2] * y;
    sum[6] += W[3] * x, sum[7] += W[3] * y;
  }
  for (size_t k = 0; k < 8; k++) *(wide *)(N + k / 2 * m + k % 2 * WIDE) += sum[k];
}

/* N += A^T diag(weight) A, with A the columns `at` of Y and all of `more`, by line, and zeros up to m columns, a multiple
 * of 2 WIDE. N: [m][m], from its diagonal on to the right. work: [2][64][m]. */
void lines_normal(size_t lines, const double *Y, size_t stride, const int *at, size_t own,
                  const double *more, size_t count, const double *weight, size_t m,
                  double *restrict N, double *restrict work);
void lines_normal(size_t lines, const double *Y, size_t stride, const int *at, size_t own,
                  const double *more, size_t count, const double *weight, size_t m,
                  double *restrict N, double *restrict work) {
  double *A = work, *W = work + TOGETHER * m;
  for (size_t i = 0; i < m * 2 * TOGETHER; i++) work[i] = 0;
  for (size_t first = 0; first < lines; first += TOGETHER) {
    for (size_t i = 0; i < TOGETHER; i++) {
      const int there = first + i < lines;
      const double w = !there ? 0 : weight ? weight[first + i] : 1;
      for (size_t c = 0; c < own; c++)
        A[i * m + c] = there ? Y[(first + i) * stride + (size_t)at[c]] : 0;
      for (size_t c = 0; c < count; c++)
        A[i * m + own + c] = there ? more[(first + i) * count + c] : 0;
      for (size_t c = 0; c < own + count; c++) W[i * m + c] = w * A[i * m + c];
    }
    for (size_t r = 0; r < m; r += 4)
      for (size_t c = r / PAIR * PAIR; c < m; c += PAIR) tile(W + r, A + c, m, N + r * m + c);
  }
}
