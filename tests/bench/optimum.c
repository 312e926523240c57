/* optimum.c: what realise = "optimum" takes: qp, achd_qp and apply of a quadruped on four feet in cones (12 motors) and
 * of a humanoid on two flat feet (8 points in cones), near standing, with demanded accelerations of the trunk. States in
 * which nothing yields apart from those in which something does. Thread's processor time.
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

static double now(void) { /* [us] */
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static unsigned long long seed = 88172645463325252u;
static double uniform(double a, double b) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) * 0x1p-53;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void row(const char *what, const char *unit, double *values, int n) {
  if (n == 0) return;
  qsort(values, (size_t)n, sizeof *values, ascending);
  printf("%s,%s,%.3g,%.3g,%.3g,%d\n", what, unit, values[n / 2], values[(long)n * 999 / 1000],
         values[n - 1], n);
}

typedef struct times {
  double *whole, *solver, *steps, *others;
  int feasible, yielding, unsolved, refused;
} times;

static times times_of(int states) {
  const size_t n = (size_t)states * sizeof(double);
  const times t = {
      .whole = malloc(n), .solver = malloc(n), .steps = malloc(n), .others = malloc(n)};
  if (!t.whole || !t.solver || !t.steps || !t.others) exit(2);
  return t;
}

static void print(const char *robot, const times *t) {
  char what[100];
  const double *const all[] = {t->whole, t->solver, t->steps};
  static const char *const names[] = {"qp + achd_qp + apply", "achd_qp alone", "steps"};
  for (int k = 0; k < 3; k++) {
    snprintf(what, sizeof what, "%s: %s", robot, names[k]);
    row(what, k < 2 ? "us" : "1", (double *)all[k], t->feasible);
  }
  snprintf(what, sizeof what, "%s: states in which something yields", robot);
  row(what, "us", t->others, t->yielding);
  printf("# %s: %d not solved, %d refused by the certificate\n", robot, t->unsolved, t->refused);
}

static void keep(times *t, const achd_qp_problem *p, const achd_qp_report *report,
                 achd_qp_status status, const double x[], const double dual[], double whole,
                 double solver) {
  achd_qp_certificate c;
  if (status != ACHD_QP_SOLVED && status != ACHD_QP_YIELDED) {
    t->unsolved++;
    return;
  }
  t->refused += !achd_qp_check(p, x, dual, &c);
  if (status == ACHD_QP_YIELDED) {
    t->others[t->yielding++] = whole;
    return;
  }
  t->steps[t->feasible] = report->steps;
  t->solver[t->feasible] = solver;
  t->whole[t->feasible++] = whole;
}

/* A problem from a state on, cold; the three calls timed. */
#define SOLVE(name, NAME, t)                                                                       \
  static double work[ACHD_QP_WORK(NAME##_NX, NAME##_NQ)],                                          \
      dual[ACHD_QP_DUAL(NAME##_LEVELS, NAME##_NQ)], x[NAME##_NX];                                  \
  static name##_qp_out p;                                                                          \
  static name##_achd_out out;                                                                      \
  signed char side[NAME##_NQ] = {0};                                                               \
  achd_qp_report report;                                                                           \
  const double begin = now();                                                                      \
  name##_qp(&in, &p);                                                                              \
  const double made = now();                                                                       \
  const achd_qp_problem problem = {NAME##_NX, NAME##_NQ, NAME##_LEVELS, p.H,     p.g,              \
                                   p.A,       p.lo,      p.hi,          p.level, p.weight};        \
  const achd_qp_status status = achd_qp(&problem, x, dual, side, 0, work, &report);                \
  const double found = now();                                                                      \
  name##_apply(&in, &p, x, &out);                                                                  \
  keep(t, &problem, &report, status, x, dual, now() - begin, found - made)

static void tilt(double *w, double *x, double *y, double *z) {
  *x = uniform(-0.05, 0.05), *y = uniform(-0.05, 0.05), *z = uniform(-0.05, 0.05);
  *w = 1 / sqrt(1 + *x * *x + *y * *y + *z * *z);
  *x *= *w, *y *= *w, *z *= *w;
}

static void quadruped(times *t) {
  standing_achd_in in = STANDING_ACHD_IN_DEFAULT;
  for (int j = 0; j < STANDING_NJ; j++) {
    static const double stance[] = {0, 0.8, -1.6};
    in.q[j] = stance[j % 3] + (j % 3 ? uniform(-0.2, 0.2) : uniform(-0.1, 0.1));
    in.qd[j] = uniform(-0.1, 0.1);
  }
  tilt(&in.base.quat.w, &in.base.quat.x, &in.base.quat.y, &in.base.quat.z);
  in.mu.fl = in.mu.fr = in.mu.rl = in.mu.rr = 0.6;
  for (int i = 0; i < 6; i++) in.b[i] = uniform(-1, 1) * (i < 3 ? 3 : 10);
  SOLVE(standing, STANDING, t);
}

static void humanoid(times *t) {
  humanoid_achd_in in = HUMANOID_ACHD_IN_DEFAULT;
  for (int j = 0; j < HUMANOID_NJ; j++) in.q[j] = uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_KNEE_JOINT] = 0.6 + uniform(-0.1, 0.1),
  in.q[HUMANOID_RIGHT_KNEE_JOINT] = 0.6 + uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_HIP_PITCH_JOINT] = -0.3 + uniform(-0.1, 0.1),
  in.q[HUMANOID_RIGHT_HIP_PITCH_JOINT] = -0.3 + uniform(-0.1, 0.1);
  in.q[HUMANOID_LEFT_ANKLE_PITCH_JOINT] = -0.3, in.q[HUMANOID_RIGHT_ANKLE_PITCH_JOINT] = -0.3;
  tilt(&in.base.quat.w, &in.base.quat.x, &in.base.quat.y, &in.base.quat.z);
  for (int i = 0; i < 6; i++) in.b[i] = uniform(-1, 1) * (i < 3 ? 1 : 3);
  SOLVE(humanoid, HUMANOID, t);
}

int main(int argc, char **argv) {
  const int legs = argc > 1 ? atoi(argv[1]) : 100000, feet = argc > 2 ? atoi(argv[2]) : 10000;
  times four = times_of(legs + 1), two = times_of(feet + 1);
  for (int k = 0; k < legs; k++) quadruped(&four);
  for (int k = 0; k < feet; k++) humanoid(&two);
  printf("what,unit,median,99.9%%,worst,states\n");
  print("quadruped", &four);
  print("humanoid", &two);
  const int good = four.unsolved + two.unsolved + four.refused + two.refused == 0;
  if (!good) printf("# not every problem was solved\n");
  return !good;
}
