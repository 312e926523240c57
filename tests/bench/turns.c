/* SPDX-License-Identifier: MIT */
/* turns.c TURNS: two functions of caller.c, ONE and OTHER, in turn. Prints "ns | ns | ratio": the 5th percentiles of the processor
 * time of a call, and the median of the ratios of neighbouring turns, ONE's time over OTHER's. */
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
void JOIN(ONE, _begin)(void);
void JOIN(OTHER, _begin)(void);
void JOIN(ONE, _run)(void);
void JOIN(OTHER, _run)(void);

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
