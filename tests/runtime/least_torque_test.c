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

/* A posture at rest whose tool is held; `wild`: some joints move, the tool is to accelerate, friction
 * is anything. */
static rubbing_state draw(const rubbing_arm *arm, bool wild) {
  rubbing_state s = {.period = 1e-3, .held = true};
  for (int i = 0; i < arm->joints; i++) {
    s.q[i] = random_between(&seed, -2, 2);
    s.friction[i] = friction_of(i);
    if (!wild) continue;
    s.friction[i] = random_between(&seed, -2, 30);
    if (s.friction[i] < 0) s.friction[i] = 0;
    if (random_between(&seed, 0, 1) < 0.3) s.qd[i] = random_between(&seed, -1, 1);
    s.b[i] = random_between(&seed, -1, 1);
    s.tau[i] = random_between(&seed, -5, 5);
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

/* tau of the oracle. False: it does not come to an end. */
static bool ask(const rubbing_arm *arm, const rubbing_problem *p, const double per_motor[],
                const double nu[], double tau[]) {
  static qp_oracle_problem o;
  long double x[ORACLE_N], v[ORACLE_M];
  const int n = arm->rows, motors = arm->joints;
  memset(&o, 0, sizeof o);
  o.n = n, o.levels = 0;
  for (int m = 0; m < motors; m++) {
    for (int i = 0; i < n; i++) {
      const long double per = p->tau_nu[i * motors + m];
      o.g[i] += (long double)per_motor[m] * per * p->tau_0[m];
      for (int k = 0; k < n; k++)
        o.H[i][k] += (long double)per_motor[m] * per * p->tau_nu[k * motors + m];
    }
    for (int i = 0; i < n; i++) {
      o.A[m][i] = p->qdd_nu[i * motors + m];
      o.lo[m] += o.A[m][i] * nu[i];
    }
    o.hi[m] = o.lo[m];
  }
  o.m = motors;
  for (int i = 0; i < n; i++) {
    if (p->lo[i] <= -ACHD_MCLP_UNBOUNDED) continue;
    long double size;
    const long double w = rubbing_row(arm, p, nu, i, &size);
    const bool slides = fabsl(w) > ACHD_MCLP_RESIDUAL * size; /* friction is at its bound then */
    o.A[o.m][i] = 1, o.lo[o.m] = slides ? nu[i] : p->lo[i], o.hi[o.m] = slides ? nu[i] : p->hi[i];
    o.m++;
  }
  if (!qp_oracle(&o, false, x, v)) return false;
  for (int m = 0; m < motors; m++) {
    long double sum = p->tau_0[m];
    for (int i = 0; i < n; i++) sum += p->tau_nu[i * motors + m] * x[i];
    tau[m] = (double)sum;
  }
  return true;
}

typedef struct tally {
  int postures, solved, certified, heavy, heavy_before, asked;
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
  for (int m = 0; m < motors; m++) per_motor[m] = wild ? random_between(&seed, 0.1, 10) : 1;
  const achd_mclp_torques torques = {motors, p.tau_0, p.tau_nu, wild ? per_motor : NULL};
  memcpy(first, nu, sizeof nu);
  const achd_mclp_status status =
      achd_mclp_least_torque(&problem, &torques, nu, side, work, &report);
  CHECK(status == ACHD_MCLP_SOLVED);
  if (status != ACHD_MCLP_SOLVED) return;
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
  for (int m = 0; m < motors && certified; m++) {
    double terms = fabs(p.qdd_0[m]);
    for (int j = 0; j < rows; j++) terms += fabs(p.qdd_nu[j * motors + m] * first[j]);
    t->moved = fmax(t->moved, fabs(a[m] - b[m]) / terms);
  }
  if (certified && ask(arm, &p, per_motor, first, other)) { /* else nobody knows it so well */
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
  printf("   %-10s postures  solved  certified  asked   |tau - oracle|  |qdd - qdd|  certificate   "
         "commanded "
         "above weight: least norm, least torque   mean tau^2: least norm, least torque\n",
         wild ? "anything" : "at rest");
  for (int k = 0; k < rubbing_arms; k++) {
    tally t = {0};
    for (int n = 0; n < count; n++) try_posture(rubbing_all[k], wild, &t);
    printf("   %-10s %8d %7d %10d %6d %16.1e %12.1e %12.1e", rubbing_all[k]->name, t.postures,
           t.solved, t.certified, t.asked, t.apart, t.moved, t.error);
    if (!wild)
      printf(" %38d %13d %29.4g %13.4g", t.heavy_before, t.heavy, t.energy_before / count,
             t.energy / count);
    printf("\n");
    CHECK(t.solved > 0.99 * count);
    CHECK(t.asked > 0.99 * t.certified);
    /* not where rows nearly depend on each other: 7 of 50 000 at rest */
    CHECK(t.certified >= (wild ? 0.99 : 0.9995) * t.solved - 1);
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
  RUN(in_float);
  return test_end();
}
