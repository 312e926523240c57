/* SPDX-License-Identifier: MIT */
/* qp_oracle.c: see qp_oracle.h */
#include "qp_oracle.h"

#include <math.h>
#include <string.h>

/* A problem of one level, with violations among its unknowns. */
typedef struct plain {
  int n, m;
  long double Q[ORACLE_N][ORACLE_N], c[ORACLE_N];
  long double G[ORACLE_M][ORACLE_N], lo[ORACLE_M], hi[ORACLE_M];
} plain;

/* What the unknowns of x weigh in a level's problem, and by how much bounds that levels have reached are
 * wider than that: both bias the answer by far less than it is judged by. */
static const long double faint = 1e-15L, wider = 1e-14L;

enum { SIZE = ORACLE_N + ORACLE_M };

/* Gauss with complete pivoting; false: singular. */
static bool gauss(int n, long double K[SIZE][SIZE + 1]) {
  static int column[SIZE];
  for (int i = 0; i < n; i++) column[i] = i;
  for (int k = 0; k < n; k++) {
    int row = k, col = k;
    for (int i = k; i < n; i++)
      for (int j = k; j < n; j++)
        if (fabsl(K[i][j]) > fabsl(K[row][col])) row = i, col = j;
    if (!(fabsl(K[row][col]) > 1e-24L)) return false;
    for (int j = 0; j <= n; j++) {
      const long double t = K[k][j];
      K[k][j] = K[row][j], K[row][j] = t;
    }
    for (int i = 0; i < n; i++) {
      const long double t = K[i][k];
      K[i][k] = K[i][col], K[i][col] = t;
    }
    const int t = column[k];
    column[k] = column[col], column[col] = t;
    for (int i = k + 1; i < n; i++) {
      const long double f = K[i][k] / K[k][k];
      if (f == 0) continue;
      for (int j = k; j <= n; j++) K[i][j] -= f * K[k][j];
    }
  }
  static long double solution[SIZE];
  for (int k = n - 1; k >= 0; k--) {
    long double sum = K[k][n];
    for (int j = k + 1; j < n; j++) sum -= K[k][j] * solution[column[j]];
    solution[column[k]] = sum / K[k][k];
  }
  for (int k = 0; k < n; k++) K[k][n] = solution[k];
  return true;
}

static long double along(const plain *p, int j, const long double z[]) {
  long double sum = 0;
  for (int i = 0; i < p->n; i++) sum += p->G[j][i] * z[i];
  return sum;
}

/* ---- every set of rows at their bounds ---- */

static bool try_sides(const plain *p, const int side[], long double z[]) {
  static long double K[SIZE][SIZE + 1];
  int rows[ORACLE_M], count = 0;
  for (int j = 0; j < p->m; j++) {
    if (side[j] == 0) continue;
    if (isinf(side[j] > 0 ? p->hi[j] : p->lo[j])) return false;
    rows[count++] = j;
  }
  if (count > p->n) return false;
  const int size = p->n + count;
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= size; j++) K[i][j] = 0;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) K[i][j] = p->Q[i][j];
    K[i][size] = -p->c[i];
    for (int c = 0; c < count; c++) K[i][p->n + c] = K[p->n + c][i] = p->G[rows[c]][i];
  }
  for (int c = 0; c < count; c++)
    K[p->n + c][size] = side[rows[c]] > 0 ? p->hi[rows[c]] : p->lo[rows[c]];
  if (!gauss(size, K)) return false;
  for (int i = 0; i < p->n; i++) z[i] = K[i][size];
  for (int j = 0; j < p->m; j++) {
    const long double value = along(p, j, z), slack = 1e-14L * (1 + fabsl(value));
    if (value > p->hi[j] + slack || value < p->lo[j] - slack) return false;
  }
  for (int c = 0; c < count; c++) {
    const int j = rows[c];
    const long double y = K[p->n + c][size];
    if (p->lo[j] != p->hi[j] && y * side[j] < -1e-14L) return false;
  }
  return true;
}

static bool by_all_sets(const plain *p, long double z[]) {
  int side[ORACLE_M];
  long ways = 1;
  for (int j = 0; j < p->m; j++) ways *= 3;
  for (long way = 0; way < ways; way++) {
    long rest = way;
    bool once = true;
    for (int j = 0; j < p->m; j++, rest /= 3) {
      side[j] = (int)(rest % 3) - 1;
      if (p->lo[j] == p->hi[j] && side[j] < 0) once = false; /* the same as above */
    }
    if (once && try_sides(p, side, z)) return true;
  }
  return false;
}

/* ---- the central path ---- */

/* Rows without a width are equalities E z = e, all others one-sided: F z + s = f, s > 0, y > 0. Mehrotra's predictor and
 * corrector (Nocedal, Wright, Numerical Optimization, 2006, algorithm 16.4); equalities that depend on each other
 * are told apart by a shade of softness, which is not in what is left over. */
static bool by_path(const plain *p, long double z[]) {
  enum { ROWS = 2 * ORACLE_M };
  static long double F[ROWS][ORACLE_N], f[ROWS], s[ROWS], y[ROWS], ds[ROWS], dy[ROWS], rc[ROWS],
      rp[ROWS];
  static long double K[SIZE][SIZE + 1], rd[ORACLE_N], u[ORACLE_M];
  int m = 0, equal[ORACLE_M], ne = 0;
  for (int j = 0; j < p->m; j++) {
    if (p->lo[j] == p->hi[j]) {
      u[ne] = 0;
      equal[ne++] = j;
      continue;
    }
    for (int side = 1; side >= -1; side -= 2) {
      const long double bound = side > 0 ? p->hi[j] : p->lo[j];
      if (isinf(bound)) continue;
      for (int i = 0; i < p->n; i++) F[m][i] = side * p->G[j][i];
      f[m++] = side * bound;
    }
  }
  const int n = p->n, size = n + ne;
  for (int i = 0; i < n; i++) z[i] = 0;
  for (int j = 0; j < m; j++) s[j] = fmaxl(1, fabsl(f[j])), y[j] = 1;
  bool near = false;
  for (int step = 0; step < 300; step++) {
    long double worst = 0, mu = 0, largest = 1;
    for (int i = 0; i < n; i++) {
      rd[i] = p->c[i];
      for (int j = 0; j < n; j++) rd[i] += p->Q[i][j] * z[j];
      for (int j = 0; j < m; j++) rd[i] += F[j][i] * y[j];
      for (int k = 0; k < ne; k++) rd[i] += p->G[equal[k]][i] * u[k];
      worst = fmaxl(worst, fabsl(rd[i]));
    }
    for (int j = 0; j < m; j++) {
      rp[j] = s[j] - f[j];
      for (int i = 0; i < n; i++) rp[j] += F[j][i] * z[i];
      worst = fmaxl(worst, fabsl(rp[j]));
      mu += s[j] * y[j] / m;
      largest = fmaxl(largest, y[j]);
    }
    long double missed = 0;
    for (int k = 0; k < ne; k++) {
      missed = fmaxl(missed, fabsl(along(p, equal[k], z) - p->hi[equal[k]]));
      largest = fmaxl(largest, fabsl(u[k]));
    }
    worst = fmaxl(worst, missed);
    const bool met = worst < 1e-14L * largest && largest < 1e9L && /* else: none is inside */
                     missed < 1e-13L * (1 + largest * 1e-3L);
    if (met && mu < 1e-22L * largest) return true;
    near = met && mu < 1e-18L * largest; /* x to its square root, should that be the end */
    long double sigma = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < m; j++) rc[j] = s[j] * y[j] - (pass ? sigma * mu - ds[j] * dy[j] : 0);
      for (int i = 0; i < size; i++)
        for (int l = 0; l <= size; l++) K[i][l] = 0;
      for (int i = 0; i < n; i++) {
        for (int l = 0; l < n; l++) {
          K[i][l] = p->Q[i][l];
          for (int j = 0; j < m; j++) K[i][l] += F[j][i] * (y[j] / s[j]) * F[j][l];
        }
        K[i][size] = -rd[i];
        for (int j = 0; j < m; j++) K[i][size] -= F[j][i] * ((y[j] * rp[j] - rc[j]) / s[j]);
      }
      for (int k = 0; k < ne; k++) {
        for (int i = 0; i < n; i++) K[n + k][i] = K[i][n + k] = p->G[equal[k]][i];
        K[n + k][n + k] = -1e-14L;
        K[n + k][size] = p->hi[equal[k]] - along(p, equal[k], z);
      }
      if (!gauss(size, K)) return near;
      long double most = 1;
      for (int j = 0; j < m; j++) {
        ds[j] = -rp[j];
        for (int i = 0; i < n; i++) ds[j] -= F[j][i] * K[i][size];
        dy[j] = -(rc[j] + y[j] * ds[j]) / s[j];
        if (ds[j] < 0) most = fminl(most, -s[j] / ds[j]);
        if (dy[j] < 0) most = fminl(most, -y[j] / dy[j]);
      }
      if (pass == 0) {
        long double after = 0;
        for (int j = 0; j < m; j++) after += (s[j] + most * ds[j]) * (y[j] + most * dy[j]) / m;
        sigma = m ? powl(after / mu, 3) : 0;
        continue;
      }
      most = fminl(1, 0.99L * most);
      for (int i = 0; i < n; i++) z[i] += most * K[i][size];
      for (int k = 0; k < ne; k++) u[k] += most * K[n + k][size];
      for (int j = 0; j < m; j++) s[j] += most * ds[j], y[j] += most * dy[j];
    }
  }
  return near;
}

/* ---- levels ---- */

static bool solve(const plain *p, bool few, long double z[]) {
  return few ? by_all_sets(p, z) : by_path(p, z);
}

/* The rows up to a level as they stand; those of the level itself with a violation each where `soft`. */
static void pose(const qp_oracle_problem *p, const long double lo[], const long double hi[],
                 int level, bool soft, plain *q) {
  memset(q, 0, sizeof *q);
  q->n = p->n;
  for (int i = 0; i < p->n; i++) {
    for (int k = 0; k < p->n; k++) q->Q[i][k] = p->H[i][k] * (soft ? faint : 1);
    q->c[i] = p->g[i] * (soft ? faint : 1);
  }
  for (int j = 0; j < p->m; j++) {
    if (p->level[j] > level) continue;
    for (int i = 0; i < p->n; i++) q->G[q->m][i] = p->A[j][i];
    q->lo[q->m] = lo[j], q->hi[q->m] = hi[j];
    if (soft && p->level[j] == level) {
      q->Q[q->n][q->n] = p->weight[j];
      q->G[q->m][q->n++] = -1;
    }
    q->m++;
  }
}

bool qp_oracle(const qp_oracle_problem *p, bool few, long double x[], long double v[]) {
  static plain q;
  long double lo[ORACLE_M], hi[ORACLE_M], z[ORACLE_N];
  for (int j = 0; j < p->m; j++) {
    lo[j] = p->lo[j], hi[j] = p->hi[j], v[j] = 0;
  }
  if (!few && qp_oracle_infeasibility(p) > 1e-16L) return false;
  for (int k = 1; k <= p->levels; k++) {
    pose(p, lo, hi, k, false, &q);
    if (solve(&q, few, z)) continue; /* nothing yields */
    pose(p, lo, hi, k, true, &q);
    if (!solve(&q, few, z)) return false;
    for (int j = 0; j < p->m; j++) {
      if (p->level[j] != k) continue;
      long double value = 0;
      for (int i = 0; i < p->n; i++) value += p->A[j][i] * z[i];
      v[j] = value > p->hi[j] ? value - p->hi[j] : value < p->lo[j] ? value - p->lo[j] : 0;
      if (lo[j] > value - wider) lo[j] = value - wider;
      if (hi[j] < value + wider) hi[j] = value + wider;
      if (fabsl(v[j]) > 1e-9L) lo[j] = hi[j] = value;
    }
  }
  pose(p, lo, hi, p->levels, false, &q);
  if (!solve(&q, few, z)) return false;
  for (int i = 0; i < p->n; i++) x[i] = z[i];
  return true;
}

bool qp_oracle_feasible(const qp_oracle_problem *p, long double x[]) {
  static plain q;
  q.n = p->n, q.m = p->m;
  for (int i = 0; i < p->n; i++) {
    for (int k = 0; k < p->n; k++) q.Q[i][k] = p->H[i][k];
    q.c[i] = p->g[i];
  }
  for (int j = 0; j < p->m; j++) {
    for (int i = 0; i < p->n; i++) q.G[j][i] = p->A[j][i];
    q.lo[j] = p->lo[j], q.hi[j] = p->hi[j];
  }
  return by_path(&q, x) || (p->m <= 8 && by_all_sets(&q, x));
}

long double qp_oracle_infeasibility(const qp_oracle_problem *problem) {
  static qp_oracle_problem p;
  static plain q;
  p = *problem;
  long double z[ORACLE_N], sum = 0;
  for (int j = 0; j < p.m; j++) {
    p.weight[j] = 1;
    if (p.level[j] > 0) p.lo[j] = -INFINITY, p.hi[j] = INFINITY;
  }
  pose(&p, p.lo, p.hi, 0, true, &q);
  if (!by_path(&q, z)) return -1;
  for (int i = p.n; i < q.n; i++) sum += z[i] * z[i];
  return sum;
}
