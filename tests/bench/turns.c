/* SPDX-License-Identifier: MIT */
/* turns.c TURNS: two functions of caller.c, ONE and OTHER, in turn. Prints "ns | ns | ratio": the 5th percentiles of the processor
 * time of a call, and the median of the ratios of neighbouring turns, ONE's time over OTHER's. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
void JOIN(ONE, _begin)(void);
void JOIN(OTHER, _begin)(void);
void JOIN(ONE, _run)(void);
void JOIN(OTHER, _run)(void);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  enum { MOST = 10000 };
  static double ns[3][MOST];
  int n = argc > 1 ? atoi(argv[1]) : 1001;
  if (n > MOST) n = MOST;
  JOIN(ONE, _begin)();
  JOIN(OTHER, _begin)();
  for (int r = 0; r < n; r++) {
    const double a = now();
    JOIN(ONE, _run)();
    const double b = now();
    JOIN(OTHER, _run)();
    const double c = now();
    ns[0][r] = (b - a) / 64;
    ns[1][r] = (c - b) / 64;
    ns[2][r] = ns[0][r] / ns[1][r];
  }
  for (int k = 0; k < 3; k++) qsort(ns[k], (size_t)n, sizeof ns[k][0], by_size);
  printf("%.0f ns | %.0f ns | %.2f", ns[0][n / 20], ns[1][n / 20], ns[2][n / 2]);
  return 0;
}
