/* SPDX-License-Identifier: MIT */
/* account.h: the best torques of a cycle, with an account of all cycles of a motion: how often and on
 * which level there was no answer in full, how far forces were outside of their cones, whether
 * answers have their certificate, and the time. */
#ifndef WHOLE_BODY_ACCOUNT_H
#define WHOLE_BODY_ACCOUNT_H

#include <achd/qp.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef struct account {
  int cycles, unsolved, yielded[ACHD_QP_LEVELS + 1], steps, checked, refused;
  int most_steps;              /* of a solve; 0: no limit */
  int stopped, given_up;       /* solves that it ended; of these, after level 0 */
  bool all;                    /* every answer is checked, not one in ten */
  double outside;              /* how far a commanded force was outside of its pyramid [N] */
  double begun, time, longest; /* of a cycle's calls [us] */
} account;

static inline double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static inline void account_begin(account *a) {
  a->begun = microseconds();
}

/* Solves p from the last cycle's active set. Returns the level that yields, -1: none, or -2: there is
 * no answer. At the limit of steps an answer counts as one that yields in level 1, since its cones may be left. One in ten answers is checked, or all. */
static inline int account_solve(account *a, const achd_qp_problem *p, double *x, double *dual,
                                signed char *side, double *work) {
  achd_qp_report report;
  const achd_qp_status solved = achd_qp(p, x, dual, side, a->most_steps, work, &report);
  if (report.steps > a->steps) a->steps = report.steps;
  if (solved == ACHD_QP_STOPPED) {
    a->stopped++, a->given_up += report.level <= 1;
    return report.level > 1 ? 1 : -2;
  }
  if (solved != ACHD_QP_SOLVED && solved != ACHD_QP_YIELDED) return -2;
  if ((solved == ACHD_QP_YIELDED) != (report.level > 0)) a->refused++;
  if (report.level > 0) a->yielded[report.level]++;
  if (a->all || a->cycles % 10 == 0) {
    const double begun = microseconds();
    achd_qp_certificate c;
    a->checked++, a->refused += !achd_qp_check(p, x, dual, &c);
    a->begun += microseconds() - begun;
  }
  return report.level;
}

static inline void account_end(account *a, bool answered) {
  const double taken = microseconds() - a->begun;
  a->time += taken, a->longest = fmax(a->longest, taken);
  a->cycles++, a->unsolved += !answered;
}

/* Notes a force along x, y and the normal, which shall be within the pyramid of four sides in its
 * cone. */
static inline void account_cone(account *a, const double f[3], double friction) {
  const double most = friction / sqrt(2) * f[2];
  a->outside = fmax(a->outside, fmax(-f[2], fmax(fabs(f[0]), fabs(f[1])) - most));
}

static inline void account_print(const account *a) {
  printf("  %d cycles: levels 1 to 5 yield in %d, %d, %d, %d, %d, without answer %d, refused %d of "
         "%d; forces outside of cones by %.0e N; %d steps at most; %.0f us, %.0f us at most\n",
         a->cycles, a->yielded[1], a->yielded[2], a->yielded[3], a->yielded[4], a->yielded[5],
         a->unsolved, a->refused, a->checked, a->outside, a->steps, a->time / fmax(1, a->cycles),
         a->longest);
}

#endif
