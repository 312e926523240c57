/* SPDX-License-Identifier: MIT */
/* least_torque_test.c: of all forces of motors and friction that cause the same accelerations those
 * of least motor torque: on random postures of five arms against a dense QP in long double that
 * shares no code with the solver, with the certificate that the answer comes with; how often a joint
 * is commanded more than its weight, and the energy of holding, beside those of least norm. 1000
 * postures; ACHD_SWEEP=1: 10^5. */
#include "qp_oracle.h"
#include "random.h"
#include "rubbing.h"
#include "rubbing_single.h"
#include "test.h"

static unsigned long long seed = 3;

static double friction_of(int joint) {
  return joint < 4 ? 10 : 5;
}

/* A posture at rest whose tool is held; `wild`: friction and torques are anything; in half of the postures some joints
 * move and the tool is to accelerate. */
static rubbing_state draw(const rubbing_arm *arm, bool wild) {
  rubbing_state s = {.period = 1e-3, .held = true};
  const bool moves = wild && random_between(&seed, 0, 1) < 0.5;
  for (int i = 0; i < arm->joints; i++) {
    s.q[i] = random_between(&seed, -2, 2);
    s.friction[i] = friction_of(i);
    if (!wild) continue;
    s.friction[i] = random_between(&seed, -2, 30);
    if (s.friction[i] < 0) s.friction[i] = 0;
    s.tau[i] = random_between(&seed, -5, 5);
    if (!moves) continue;
    if (random_between(&seed, 0, 1) < 0.3) s.qd[i] = random_between(&seed, -1, 1);
    s.b[i] = random_between(&seed, -1, 1);
  }
  return s;
}

/* What friction alone would have to hold: the joints' weights. */
static void find_weights(const rubbing_arm *arm, rubbing_state s, double weight[]) {
  rubbing_problem p;
  double nu[rubbing_rows], work[ACHD_MCLP_WORK(rubbing_rows)];
  signed char side[rubbing_rows] = {0};
  achd_mclp_report report;
  s.held = false;
  for (int i = 0; i < arm->joints; i++) s.friction[i] = 1e6, s.tau[i] = 0;
  arm->make(&s, &p);
  const achd_mclp_problem problem = {arm->rows, p.L, p.r, p.lo, p.hi};
  CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  for (int i = 0; i < arm->joints; i++) weight[i] = fabs(nu[arm->rows - arm->joints + i]);
}

/* Adds to `count` orthonormal vectors what candidates have across them, the longest first, as long as it is longer than
 * `least` and there are fewer than `motors`. Returns how many there are then. */
static int extend(int motors, long double basis[][rubbing_joints], int count,
                  long double from[][rubbing_joints], int candidates, long double least) {
  long double left[rubbing_rows][rubbing_joints];
  memcpy(left, from, sizeof *left * (size_t)candidates);
  for (int known = 0;;) {
    int best = -1;
    long double longest = least * least;
    for (; known < count; known++) {
      for (int i = 0; i < 2 * candidates; i++) { /* twice: Gram and Schmidt */
        long double along = 0, *v = left[i % candidates];
        for (int m = 0; m < motors; m++) along += basis[known][m] * v[m];
        for (int m = 0; m < motors; m++) v[m] -= along * basis[known][m];
      }
    }
    for (int i = 0; i < candidates; i++) {
      long double squares = 0;
      for (int m = 0; m < motors; m++) squares += left[i][m] * left[i][m];
      if (squares > longest) longest = squares, best = i;
    }
    if (best < 0 || count == motors) return count;
    for (int m = 0; m < motors; m++) basis[count][m] = left[best][m] / sqrtl(longest);
    count++;
  }
}

/* The torques of motors that rows of the tool make, T = J^T A, and that leave those of joints that slide as they are:
 * orthonormal vectors Q. Returns how many: all that is across what is across T, and across the joints that slide. */
static int find_ways(const rubbing_arm *arm, const rubbing_problem *p, const bool slides[],
                     long double Q[][rubbing_joints]) {
  const int motors = arm->joints, tool = arm->rows - motors;
  long double T[rubbing_rows][rubbing_joints], unit[rubbing_joints][rubbing_joints] = {{0}};
  long double basis[rubbing_joints][rubbing_joints], held[rubbing_joints][rubbing_joints], most = 0;
  int given = 0;
  for (int i = 0; i < tool; i++) {
    for (int m = 0; m < motors; m++) {
      T[i][m] = p->tau_nu[i * motors + m];
      most = fmaxl(most, fabsl(T[i][m]));
    }
  }
  for (int m = 0; m < motors; m++) unit[m][m] = 1;
  const int rank = extend(motors, basis, 0, T, tool, 1e-13L * most);
  const int all = extend(motors, basis, rank, unit, motors, 0), across = all - rank;
  memcpy(held, basis[rank], sizeof *held * (size_t)across);
  long double sliding[rubbing_joints][rubbing_joints];
  for (int m = 0; m < motors; m++)
    if (slides[m]) memcpy(sliding[given++], unit[m], sizeof unit[m]);
  const int fixed = extend(motors, held, across, sliding, given, 1e-9L);
  const int whole = extend(motors, held, fixed, unit, motors, 0);
  memcpy(Q, held[fixed], sizeof *Q * (size_t)(whole - fixed));
  return whole - fixed;
}

/* tau of the oracle. The same accelerations are the same torques of joints, those of motors and friction f together, so
 * that friction gives up what motors take over: from nu on,
 *
 *   minimum of 1/2 sum_m weight_m tau_m^2,   tau = tau(nu) + Q x,   lo <= f - Q x <= hi
 *
 * False: it does not come to an end. */
static bool ask(const rubbing_arm *arm, const rubbing_problem *p, const double per_motor[],
                const double nu[], double tau[]) {
  static qp_oracle_problem o;
  long double x[ORACLE_N] = {0}, Q[rubbing_joints][rubbing_joints], from[rubbing_joints], size;
  bool slides[rubbing_joints];
  const int motors = arm->joints, tool = arm->rows - motors;
  for (int m = 0; m < motors; m++) {
    const long double w = rubbing_row(arm, p, nu, tool + m, &size);
    slides[m] = p->lo[tool + m] == p->hi[tool + m] ||
                fabsl(w) > 1e-12L * size; /* friction is at its bound then */
    from[m] = p->tau_0[m];
    for (int i = 0; i < tool; i++) from[m] += (long double)p->tau_nu[i * motors + m] * nu[i];
  }
  const int n = find_ways(arm, p, slides, Q);
  o.n = n, o.m = 0;
  for (int i = 0; i < n; i++) {
    o.g[i] = 0;
    for (int m = 0; m < motors; m++) o.g[i] += per_motor[m] * Q[i][m] * from[m];
    for (int k = 0; k < n; k++) {
      o.H[i][k] = 0;
      for (int m = 0; m < motors; m++) o.H[i][k] += per_motor[m] * Q[i][m] * Q[k][m];
    }
  }
  for (int m = 0; m < motors; m++) {
    if (slides[m]) continue;
    for (int i = 0; i < n; i++) o.A[o.m][i] = -Q[i][m];
    o.lo[o.m] = p->lo[tool + m] - nu[tool + m], o.hi[o.m++] = p->hi[tool + m] - nu[tool + m];
  }
  if (n > 0 && !qp_oracle_feasible(&o, x)) return false;
  for (int m = 0; m < motors; m++) {
    for (int i = 0; i < n; i++) from[m] += Q[i][m] * x[i];
    tau[m] = (double)from[m];
  }
  return true;
}

typedef struct tally {
  int postures, solved, certified, heavy, heavy_before, asked;
  int lost;   /* the least torque is not found, or moves the joints */
  int pivots; /* most */
  double energy, energy_before, apart, moved, error;
} tally;

static void try_posture(const rubbing_arm *arm, bool wild, tally *t) {
  const rubbing_state s = draw(arm, wild);
  rubbing_problem p;
  double nu[rubbing_rows], first[rubbing_rows], per_motor[rubbing_joints];
  double work[ACHD_MCLP_TORQUE_WORK(rubbing_rows, rubbing_joints)], error;
  double before[rubbing_joints], tau[rubbing_joints], a[rubbing_joints], b[rubbing_joints];
  double other[rubbing_joints], weight[rubbing_joints];
  signed char side[rubbing_rows] = {0};
  achd_mclp_report report;
  t->postures++;
  arm->make(&s, &p);
  CHECK(p.status == 0);
  const int motors = arm->joints, rows = arm->rows;
  const achd_mclp_problem problem = {rows, p.L, p.r, p.lo, p.hi};
  if (achd_mclp(&problem, nu, side, 0, work, &report) != ACHD_MCLP_SOLVED) return;
  if (report.pivots > t->pivots) t->pivots = report.pivots;
  for (int m = 0; m < motors; m++) per_motor[m] = wild ? random_between(&seed, 0.1, 10) : 1;
  const achd_mclp_torques torques = {motors, p.tau_0, p.tau_nu, wild ? per_motor : NULL};
  memcpy(first, nu, sizeof nu);
  const achd_mclp_status status =
      achd_mclp_least_torque(&problem, &torques, nu, side, work, &report);
  if (status != ACHD_MCLP_SOLVED) { /* nu is as it was */
    for (int j = 0; j < rows; j++) CHECK(nu[j] == first[j]);
    t->lost++;
    return;
  }
  t->solved++;
  const bool certified = achd_mclp_check_least_torque(&problem, &torques, nu, work, &error);
  t->certified += certified;
  rubbing_affine(arm, p.tau_0, p.tau_nu, first, before);
  rubbing_affine(arm, p.tau_0, p.tau_nu, nu, tau);
  rubbing_affine(arm, p.qdd_0, p.qdd_nu, first, a);
  rubbing_affine(arm, p.qdd_0, p.qdd_nu, nu, b);
  double size = 1;
  for (int j = 0; j < rows; j++) size = fmax(size, fabs(first[j]));
  t->error = certified ? fmax(t->error, error) : t->error;
  double moved = 0;
  for (int m = 0; m < motors; m++) {
    double terms = fabs(p.qdd_0[m]);
    for (int j = 0; j < rows; j++)
      terms += fabs(p.qdd_nu[j * motors + m]) * fmax(fabs(first[j]), fabs(nu[j]));
    moved = fmax(moved, fabs(a[m] - b[m]) / terms);
  }
  if (moved > 1e-9) {
    t->lost++;
  } else {
    t->moved = fmax(t->moved, moved);
  }
  if (certified && ask(arm, &p, per_motor, nu, other)) {
    t->asked++;
    for (int m = 0; m < motors; m++) t->apart = fmax(t->apart, fabs(tau[m] - other[m]) / size);
  }
  if (wild) return;
  find_weights(arm, s, weight);
  bool heavy = false, heavy_before = false;
  for (int m = 0; m < motors; m++) {
    heavy |= fabs(tau[m]) > weight[m] + 0.05;
    heavy_before |= fabs(before[m]) > weight[m] + 0.05;
    t->energy += tau[m] * tau[m];
    t->energy_before += before[m] * before[m];
  }
  t->heavy += heavy, t->heavy_before += heavy_before;
}

static void postures(bool wild) {
  const int count = getenv("ACHD_SWEEP") ? 10000 : 100;
  printf("   %-10s postures  solved  certified  asked  lost  pivots  |tau - oracle|  |qdd - qdd|  "
         "certificate   "
         "commanded "
         "above weight: least norm, least torque   mean tau^2: least norm, least torque\n",
         wild ? "anything" : "at rest");
  for (int k = 0; k < rubbing_arms; k++) {
    tally t = {0};
    for (int n = 0; n < count; n++) try_posture(rubbing_all[k], wild, &t);
    printf("   %-10s %8d %7d %10d %6d %5d %7d %15.1e %12.1e %12.1e", rubbing_all[k]->name,
           t.postures, t.solved, t.certified, t.asked, t.lost, t.pivots, t.apart, t.moved, t.error);
    if (!wild)
      printf(" %38d %13d %29.4g %13.4g", t.heavy_before, t.heavy, t.energy_before / count,
             t.energy / count);
    printf("\n");
    CHECK(t.solved == count && t.certified == count && t.asked == count && t.lost == 0);
    CHECK(t.pivots <= 14 * rubbing_all[k]->rows); /* where rounding turns pivots in a circle */
    CHECK(t.error <= 1e-12);
    CHECK(t.apart <= 1e-8);
    CHECK(t.moved <= 1e-9);
    CHECK(t.energy <= t.energy_before * (1 + 1e-9));
  }
}

static void at_rest(void) {
  postures(false);
}

static void anything(void) {
  postures(true);
}

/* Postures so close to a singular configuration of the wrist that rounding once turned the pivots in a
 * circle, or left joints accelerating that stand still, or lost the least torque: each by the seed that
 * draws it. */
static void close_to_singular(void) {
  static const struct {
    const rubbing_arm *arm;
    bool wild;
    unsigned long long seed;
  } postures[] = {{&lwr4_rubbing, false, 11017364091328764013ULL},
                  {&puma560_rubbing, false, 169867647260525297ULL},
                  {&puma560_rubbing, false, 2478886639571450879ULL},
                  {&puma560_rubbing, true, 17559292479963670536ULL},
                  {&puma560_rubbing, true, 12144321695457466040ULL},
                  {&puma560_rubbing, true, 16307427859341271184ULL},
                  {&puma560_rubbing, true, 6107814498484874456ULL},
                  {&puma560_rubbing, true, 5705878237246682347ULL}};
  tally t = {0};
  for (size_t k = 0; k < sizeof postures / sizeof *postures; k++) {
    seed = postures[k].seed;
    try_posture(postures[k].arm, postures[k].wild, &t);
    CHECK(t.solved == t.postures && t.certified == t.solved && t.asked == t.solved);
    CHECK(t.lost == 0);
  }
  CHECK(t.pivots <= 14 * rubbing_rows);
  CHECK(t.apart <= 1e-8);
}

/* In float: torques to a thousandth of the forces, but where rows nearly depend on each other. */
static void in_float(void) {
  const int count = 100;
  printf("   float: arm   solved  certified  near\n");
  for (int k = 0; k < rubbing_arms; k++) {
    const rubbing_arm *arm = rubbing_all[k];
    int solved = 0, certified = 0, near = 0;
    for (int n = 0; n < count; n++) {
      const rubbing_state s = draw(arm, false);
      rubbing_problem p;
      double nu[rubbing_rows], other[rubbing_rows], tau[rubbing_joints], tau_single[rubbing_joints];
      double work[ACHD_MCLP_TORQUE_WORK(rubbing_rows, rubbing_joints)], size = 1, apart = 0;
      signed char side[rubbing_rows] = {0};
      achd_mclp_report report;
      bool proven = false;
      arm->make(&s, &p);
      const achd_mclp_problem problem = {arm->rows, p.L, p.r, p.lo, p.hi};
      const achd_mclp_torques torques = {arm->joints, p.tau_0, p.tau_nu, NULL};
      if (achd_mclp(&problem, nu, side, 0, work, &report) != ACHD_MCLP_SOLVED) continue;
      (void)achd_mclp_least_torque(&problem, &torques, nu, side, work, &report);
      if (!least_torque_single(arm->rows, arm->joints, p.L, p.r, p.lo, p.hi, p.tau_0, p.tau_nu,
                               other, &proven))
        continue;
      solved++, certified += proven;
      for (int j = 0; j < arm->rows; j++) CHECK(p.lo[j] <= other[j] && other[j] <= p.hi[j]);
      rubbing_affine(arm, p.tau_0, p.tau_nu, nu, tau);
      rubbing_affine(arm, p.tau_0, p.tau_nu, other, tau_single);
      for (int j = 0; j < arm->rows; j++) size = fmax(size, fabs(nu[j]));
      for (int m = 0; m < arm->joints; m++) apart = fmax(apart, fabs(tau[m] - tau_single[m]));
      near += apart <= 1e-3 * size;
    }
    printf("   %12s %7d %10d %5d\n", arm->name, solved, certified, near);
    CHECK(solved >= 80 && certified >= solved * 9 / 10 && near >= solved * 9 / 10);
  }
}

int main(void) {
  RUN(at_rest);
  RUN(anything);
  RUN(close_to_singular);
  RUN(in_float);
  return test_end();
}
