/* SPDX-License-Identifier: MIT */
/* optimum.c: what realise = "optimum" takes: qp, achd_qp and apply of a quadruped on four feet in cones (12 motors) and
 * of a humanoid on two flat feet (8 points in cones), in random postures near standing. Accelerations of the trunk are
 * drawn until nothing yields; the states in which something does are reported apart. Every solve is a cold start.
 *
 * Time is the thread's, of the processor. Interrupts and other programs' use of the caches only lengthen it, by different
 * amounts each time, and the same state takes the same steps: so the thousand slowest states are solved again, and what
 * counts of each is its least time, until the slowest thousand have all been solved six times. "worst" is the largest of
 * these times, and no state that was solved once is slower.
 *
 *   achdgen_optimum_bench [STATES of the quadruped] [STATES of the humanoid]   default 100000, 10000 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <achd/qp.h>

#include "humanoid.h"
#include "standing.h"

enum { SLOWEST = 1000, TIMES = 5, ROUNDS = 1000, DRAWS = 1000 };

static double now(void) { /* [us] */
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* ---- states by their number ---- */

static unsigned long long seed;

static void start(unsigned long long number) {
  seed = 88172645463325252u ^ (number + 1) * 0x9e3779b97f4a7c15u;
}

static double uniform(double a, double b) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) * 0x1p-53;
}

static void tilt(double *w, double *x, double *y, double *z) {
  *x = uniform(-0.05, 0.05), *y = uniform(-0.05, 0.05), *z = uniform(-0.05, 0.05);
  *w = 1 / sqrt(1 + *x * *x + *y * *y + *z * *z);
  *x *= *w, *y *= *w, *z *= *w;
}

/* ---- one solve ---- */

typedef struct sample {
  int number; /* of the state */
  int draw;   /* of its accelerations */
  double whole, solver;
  int steps, repeated;
  achd_qp_status status;
  int refused; /* by the certificate */
} sample;

/* The three calls; x and the certificate behind the clock. */
#define SOLVE(name, NAME, s)                                                                       \
  static double work[ACHD_QP_WORK(NAME##_NX, NAME##_NQ)],                                          \
      dual[ACHD_QP_DUAL(NAME##_LEVELS, NAME##_NQ)], x[NAME##_NX];                                  \
  static name##_qp_out p;                                                                          \
  static name##_achd_out out;                                                                      \
  signed char side[NAME##_NQ] = {0};                                                               \
  achd_qp_report report;                                                                           \
  achd_qp_certificate c;                                                                           \
  const double begin = now();                                                                      \
  const name##_status made = name##_qp(&in, &p);                                                   \
  const double stated = now();                                                                     \
  const achd_qp_problem problem = {NAME##_NX, NAME##_NQ, NAME##_LEVELS, p.H,     p.g,              \
                                   p.A,       p.lo,      p.hi,          p.level, p.weight};        \
  s->status = achd_qp(&problem, x, dual, side, 0, work, &report);                                  \
  const double found = now();                                                                      \
  const name##_status applied = name##_apply(&in, &p, x, &out);                                    \
  s->whole = now() - begin, s->solver = found - stated, s->steps = report.steps;                   \
  s->refused = ((made | applied) & NAME##_DO_NOT_COMMAND) || !achd_qp_check(&problem, x, dual, &c)

static void quadruped(sample *s) {
  standing_achd_in in = STANDING_ACHD_IN_DEFAULT;
  start((unsigned long long)s->number);
  for (int j = 0; j < STANDING_NJ; j++) {
    static const double stance[] = {0, 0.8, -1.6};
    in.q[j] = stance[j % 3] + (j % 3 ? uniform(-0.2, 0.2) : uniform(-0.1, 0.1));
    in.qd[j] = uniform(-0.1, 0.1);
  }
  tilt(&in.base.quat.w, &in.base.quat.x, &in.base.quat.y, &in.base.quat.z);
  in.mu.fl = in.mu.fr = in.mu.rl = in.mu.rr = 0.6;
  for (int draw = 0; draw <= s->draw; draw++)
    for (int i = 0; i < 6; i++) in.b[i] = uniform(-1, 1) * (i < 3 ? 3 : 10);
  SOLVE(standing, STANDING, s);
}

static void humanoid(sample *s) {
  humanoid_achd_in in = HUMANOID_ACHD_IN_DEFAULT;
  start((unsigned long long)s->number);
  for (int j = 0; j < HUMANOID_NJ; j++) in.q[j] = uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_KNEE_JOINT] = 0.6 + uniform(-0.1, 0.1),
  in.q[HUMANOID_RIGHT_KNEE_JOINT] = 0.6 + uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_HIP_PITCH_JOINT] = -0.3 + uniform(-0.1, 0.1),
  in.q[HUMANOID_RIGHT_HIP_PITCH_JOINT] = -0.3 + uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_ANKLE_PITCH_JOINT] = -0.3, in.q[HUMANOID_RIGHT_ANKLE_PITCH_JOINT] = -0.3;
  tilt(&in.base.quat.w, &in.base.quat.x, &in.base.quat.y, &in.base.quat.z);
  for (int draw = 0; draw <= s->draw; draw++)
    for (int i = 0; i < 6; i++) in.b[i] = uniform(-1, 1) * (i < 3 ? 1 : 3);
  SOLVE(humanoid, HUMANOID, s);
}

/* ---- all of them ---- */

static int by_time(const void *a, const void *b) {
  const double x = ((const sample *)a)->whole, y = ((const sample *)b)->whole;
  return (x > y) - (x < y);
}
static int by_solver(const void *a, const void *b) {
  const double x = ((const sample *)a)->solver, y = ((const sample *)b)->solver;
  return (x > y) - (x < y);
}
static int by_steps(const void *a, const void *b) {
  return ((const sample *)a)->steps - ((const sample *)b)->steps;
}

/* Solves the slowest ones again, until they have been solved often enough. The list is by time before and after. Returns
 * how many were not. */
static int repeat(void (*solve)(sample *), sample *list, int count) {
  const int from = count > SLOWEST ? count - SLOWEST : 0;
  int left = count;
  for (int round = 0; round < ROUNDS && left > 0; round++) {
    left = 0;
    qsort(list, (size_t)count, sizeof *list, by_time);
    for (int k = from; k < count; k++) {
      if (list[k].repeated == TIMES) continue;
      sample again = list[k];
      solve(&again);
      list[k].whole = fmin(list[k].whole, again.whole);
      list[k].solver = fmin(list[k].solver, again.solver);
      list[k].repeated++, left++;
    }
  }
  qsort(list, (size_t)count, sizeof *list, by_time);
  return left;
}

static void row(const char *robot, const char *what, const char *unit, double median, double most,
                double worst, int count) {
  printf("%s: %s,%s,%.3g,%.3g,%.3g,%d\n", robot, what, unit, median, most, worst, count);
}

static void print(const char *robot, void (*solve)(sample *), sample *list, int count,
                  const char *which) {
  if (count == 0) return;
  char what[100];
  const int left = repeat(solve, list, count);
  const sample worst = list[count - 1];
  const int half = count / 2, most = (int)((long)count * 999 / 1000);
  snprintf(what, sizeof what, "%s: qp + achd_qp + apply", which);
  row(robot, what, "us", list[half].whole, list[most].whole, worst.whole, count);
  qsort(list, (size_t)count, sizeof *list, by_solver);
  snprintf(what, sizeof what, "%s: achd_qp alone", which);
  row(robot, what, "us", list[half].solver, list[most].solver, list[count - 1].solver, count);
  qsort(list, (size_t)count, sizeof *list, by_steps);
  snprintf(what, sizeof what, "%s: steps", which);
  row(robot, what, "1", list[half].steps, list[most].steps, list[count - 1].steps, count);
  printf("# the slowest one takes %d steps; %s\n", worst.steps,
         left ? "others were not repeated often enough" : "no other is slower");
}

/* Returns whether every problem was solved. */
static int measure(const char *robot, void (*solve)(sample *), int states) {
  sample *met = malloc((size_t)(states + 1) * sizeof *met);
  sample *others = malloc((size_t)(states + 1) * sizeof *others);
  if (!met || !others) exit(2);
  int feasible = 0, yielding = 0, unsolved = 0, refused = 0;
  for (int k = 0; k < states; k++) {
    for (int draw = 0; draw < DRAWS; draw++) {
      sample s = {.number = k, .draw = draw};
      solve(&s);
      refused += s.refused;
      if (s.status == ACHD_QP_SOLVED) {
        met[feasible++] = s;
        break;
      }
      if (s.status != ACHD_QP_YIELDED) unsolved++;
      if (s.status == ACHD_QP_YIELDED && yielding < states) others[yielding++] = s;
    }
  }
  print(robot, solve, met, feasible, "nothing yields");
  print(robot, solve, others, yielding, "something yields");
  printf("# %s: %d not solved, %d refused by the certificate, %d without a feasible draw\n", robot,
         unsolved, refused, states - feasible);
  free(met);
  free(others);
  return unsolved + refused == 0 && feasible == states;
}

int main(int argc, char **argv) {
  const int legs = argc > 1 ? atoi(argv[1]) : 100000, feet = argc > 2 ? atoi(argv[2]) : 10000;
  printf("what,unit,median,99.9%%,worst,states\n");
  const int four = measure("quadruped", quadruped, legs), two = measure("humanoid", humanoid, feet);
  if (!four || !two) printf("# not every problem was solved\n");
  return !four || !two;
}
