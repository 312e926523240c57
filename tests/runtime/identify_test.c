/* SPDX-License-Identifier: MIT */
/* identify_test.c: a Gen3 tells what it carries while it moves, with noise and friction: mass to 2 % and centre to 5 mm within 3 s;
 * where its motion does not tell, that is said. Friction of a joint by the same least squares; forgetting; NaN; bodies that can be. */
#include <achd/identify.h>

#include "random.h"
#include "test.h"

#ifdef ACHD_SINGLE
#include "gen3f_carrying.h"
#define ROBOT_inertia gen3f_inertia
ACHD_IDENTIFY_LOAD(gen3f, GEN3F, bracelet_link);
#define robot_identify_load gen3f_identify_load
#else
#include "gen3_carrying.h"
#define ROBOT_inertia gen3_inertia
ACHD_IDENTIFY_LOAD(gen3, GEN3, bracelet_link);
#define robot_identify_load gen3_identify_load
#endif
#include "gen3_plant_carrying.h"

enum { NJ = PLANT_NJ, ALL = 10 };

#define REAL(x) ((achd_real)(x))

static unsigned long long seed = 9;
static const double period = 1e-3;

/* ---- a plant: the arm in double, its friction, and a controller that follows sines ---- */

static const double viscous[NJ] = {1.5, 1.5, 1.5, 1.5, 0.6, 0.6, 0.6},
                    coulomb[NJ] = {0.8, 0.8, 0.8, 0.8, 0.3, 0.3, 0.3},
                    effort[NJ] = {39, 39, 39, 39, 9, 9, 9};
static const double knee = 0.02; /* [rad/s]: below, dry friction grows with the speed */

typedef struct load {
  double mass, centre[3],
      own; /* [kg], [m] in the bracelet's frame, inertia about the centre [kg m^2] */
} load;

static const load carried = {1.5, {0.03, -0.02, -0.12}, 0.004};

typedef struct arm {
  double q[NJ], qd[NJ];
  plant_inertia tip;
} arm;

static void take_up(arm *a, const load *l) {
  const plant_fd_in in = PLANT_FD_IN_DEFAULT;
  const double *c = l->centre, m = l->mass, cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  plant_inertia *t = &a->tip;
  *t = in.inertia.bracelet_link;
  t->m += m, t->mx += m * c[0], t->my += m * c[1], t->mz += m * c[2];
  t->xx += l->own + m * (cc - c[0] * c[0]), t->yy += l->own + m * (cc - c[1] * c[1]);
  t->zz += l->own + m * (cc - c[2] * c[2]);
  t->xy -= m * c[0] * c[1], t->xz -= m * c[0] * c[2], t->yz -= m * c[1] * c[2];
}

static double rubs(int j, double qd) {
  return viscous[j] * qd + coulomb[j] * fmax(-1, fmin(1, qd / knee));
}

static void move(arm *a, const double tau[NJ]) {
  enum { STEPS = 4 };
  for (int s = 0; s < STEPS; s++) {
    plant_fd_in in = PLANT_FD_IN_DEFAULT;
    plant_fd_out out;
    in.inertia.bracelet_link = a->tip;
    for (int j = 0; j < NJ; j++)
      in.q[j] = a->q[j], in.qd[j] = a->qd[j], in.tau[j] = tau[j] - rubs(j, a->qd[j]);
    CHECK(plant_fd(&in, &out) == 0);
    for (int j = 0; j < NJ; j++) {
      const double change = out.qdd[j] * period / STEPS;
      a->q[j] += (a->qd[j] + change / 2) * period / STEPS, a->qd[j] += change;
    }
  }
}

/* Sines about a posture; size 0: it holds still. */
static void follow(const arm *a, double t, double size, double tau[NJ]) {
  static const double about[NJ] = {0, 0.4, 0, 1.2, 0, 0.8, 0},
                      stiffness[NJ] = {400, 400, 300, 300, 60, 60, 60};
  plant_gravity_in in = PLANT_GRAVITY_IN_DEFAULT;
  plant_gravity_out out;
  in.inertia.bracelet_link = a->tip;
  memcpy(in.q, a->q, sizeof in.q);
  CHECK(plant_gravity(&in, &out) == 0);
  for (int j = 0; j < NJ; j++) {
    const double rate = 2 + 0.6 * j, amplitude = size / rate;
    const double e = about[j] + amplitude * sin(rate * t) - a->q[j],
                 ed = amplitude * rate * cos(rate * t) * fmin(1, 2 * t) - a->qd[j];
    tau[j] = out.tau[j] + stiffness[j] * e + stiffness[j] / 8 * ed;
  }
}

/* ---- the estimate ---- */

static const achd_identify_prior priors[ALL] = {
    {0, 3},          {0, REAL(0.3)},  {0, REAL(0.3)},  {0, REAL(0.3)},  {0, REAL(0.03)},
    {0, REAL(0.03)}, {0, REAL(0.03)}, {0, REAL(0.03)}, {0, REAL(0.03)}, {0, REAL(0.03)}};
static const achd_real sigma[NJ] = {REAL(0.15), REAL(0.15), REAL(0.15), REAL(0.15),
                                    REAL(0.05), REAL(0.05), REAL(0.05)};
static const achd_identify_setup setup = {priors, sigma, ALL, NJ, 30, ACHD_INFINITY, REAL(0.1)};

typedef struct told {
  achd_identify_estimate estimate;
  unsigned status, worst; /* of the estimate; of all cycles */
  double mass, away;      /* off: mass [1], centre [m] */
} told;

/* friction: what the estimator knows of it, as a share. size: of the motion. broken: every such cycle is NaN; 0: none */
static told moves(double size, double seconds, double friction, int broken) {
  static achd_identify state;
  static achd_identify_filter filter;
  arm a = {{0, 0.4, 0, 1.2, 0, 0.8, 0}, {0}, {0}};
  achd_observer_joint rubbing[NJ] = {{0}};
  double tau[NJ] = {0};
  told t = {0};
  achd_identify_reset(&state);
  achd_identify_filter_reset(&filter);
  take_up(&a, &carried);
  const load nothing = {0};
  arm empty = a;
  take_up(&empty, &nothing);
  const plant_inertia *e = &empty.tip;
  const ROBOT_inertia own = {REAL(e->m),  REAL(e->mx), REAL(e->my), REAL(e->mz), REAL(e->xx),
                             REAL(e->xy), REAL(e->xz), REAL(e->yy), REAL(e->yz), REAL(e->zz)};
  for (int j = 0; j < NJ; j++)
    rubbing[j] = (achd_observer_joint){.viscous = REAL(friction * viscous[j]),
                                       .coulomb = REAL(friction * coulomb[j]),
                                       .speed = REAL(knee)};
  for (int i = 0; i * period < seconds; i++) {
    achd_real q[NJ], qd[NJ], measured[NJ];
    for (int j = 0; j < NJ; j++) {
      q[j] = REAL(a.q[j] + 1e-4 * random_normal(&seed));
      qd[j] = REAL(a.qd[j] + 1e-3 * random_normal(&seed));
      measured[j] = REAL(tau[j] + 0.01 * effort[j] * random_normal(&seed));
    }
    if (broken && i % broken == broken - 1)
      (i / broken % 2 ? qd : measured)[i / broken % NJ] = REAL(NAN);
    const unsigned status =
        robot_identify_load(&filter, &state, &setup, &own, q, qd, measured, rubbing, REAL(period));
    t.worst |= status;
    follow(&a, i * period, size, tau);
    move(&a, tau);
  }
  t.status = achd_identify_solve(&state, &setup, &t.estimate);
  const achd_real *x = t.estimate.value;
  t.mass = fabs((double)x[0] / carried.mass - 1);
  for (int i = 0; i < 3; i++) t.away += pow((double)(x[1 + i] / x[0]) - carried.centre[i], 2);
  t.away = sqrt(t.away);
  return t;
}

static void a_load_is_told_while_the_arm_moves(void) {
  double mass = 0, away = 0;
  int outside = 0;
  const int runs = getenv("ACHD_SWEEP") ? 200 : 4;
  for (int k = 0; k < runs; k++) {
    const told t = moves(1, 3, 1 + 0.02 * (k % 3 - 1), 0);
    CHECK((t.estimate.told & 15) == 15);
    CHECK(t.estimate.unexplained > REAL(0.3) && t.estimate.unexplained < 3);
    mass = fmax(mass, t.mass), away = fmax(away, t.away);
    outside += t.mass * carried.mass > 3 * (double)t.estimate.deviation[0];
  }
  printf("  1.5 kg after 3 s, %d runs: mass to %.2f %%, centre to %.1f mm; %d outside of three "
         "deviations\n",
         runs, 100 * mass, 1e3 * away, outside);
  CHECK(mass < 0.02 && away < 0.005);
}

/* An arm that holds still, within its friction, tells no centre along gravity. */
static void a_motion_that_does_not_tell_is_told(void) {
  const told t = moves(0, 3, 1, 0);
  printf("  at rest: told %x, mass +- %.3f kg\n", t.estimate.told, (double)t.estimate.deviation[0]);
  CHECK(t.status == ACHD_IDENTIFY_UNTOLD);
  CHECK((t.estimate.told & 14) != 14);
  for (int k = 0; k < ALL; k++)
    CHECK(achd_finite(t.estimate.value[k]) &&
          t.estimate.deviation[k] <= priors[k].deviation * REAL(1.0001));
}

static void what_is_not_finite_never_enters(void) {
  const told t = moves(1, 3, 1, 97);
  CHECK(t.worst & ACHD_IDENTIFY_NOT_FINITE || t.worst & ACHD_IDENTIFY_BAD_INPUT);
  CHECK(t.mass < 0.03 && t.away < 0.008);
}

/* ---- least squares alone ---- */

static const achd_identify_prior rubbing_priors[3] = {{0, 10}, {0, 10}, {0, 10}};

/* y = 1.5 qd + 0.8 sat(qd / 0.02) + 0.1, by one joint: against the least squares of all lines at once. */
static void friction_of_a_joint(void) {
  static const achd_real one = 1;
  const achd_identify_setup rubbing = {rubbing_priors, &one, 3, 1, 2000, ACHD_INFINITY, REAL(0.1)};
  achd_identify state = {0};
  achd_identify_estimate found;
  for (int i = 0; i < 4000; i++) {
    const double qd = sin(0.01 * i), sign = fmax(-1, fmin(1, qd / knee));
    const achd_real a[3] = {REAL(qd), REAL(sign), 1},
                    y = REAL(1.5 * qd + 0.8 * sign + 0.1 + random_normal(&seed));
    CHECK(achd_identify_add(&state, &rubbing, &y, a, REAL(1e-3)) == ACHD_IDENTIFY_OK);
  }
  CHECK(achd_identify_solve(&state, &rubbing, &found) == ACHD_IDENTIFY_OK && found.told == 7);
  static const double wanted[3] = {1.5, 0.8, 0.1};
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR((double)found.value[k], wanted[k], 4 * (double)found.deviation[k]);
    CHECK(found.deviation[k] > REAL(0.01) && found.deviation[k] < REAL(0.2));
  }
  CHECK_NEAR((double)found.unexplained, 1, 0.05);
}

/* Lines nearer than 2 / K count as one; what is older than the memory counts less: a number that changes is followed. */
static void weights_and_forgetting(void) {
  static const achd_identify_prior prior = {2, 100};
  static const achd_real one = 1;
  achd_identify_setup s = {&prior, &one, 1, 1, 20, ACHD_INFINITY, REAL(0.5)};
  achd_identify state = {0};
  achd_identify_estimate found;
  CHECK(achd_identify_solve(&state, &s, &found) == ACHD_IDENTIFY_UNTOLD && found.told == 0);
  CHECK_NEAR((double)found.value[0], 2, 0);
  CHECK_NEAR((double)found.deviation[0], 100, 1e-3);
  const achd_real three = 3, five = 5;
  for (int i = 0; i < 1000; i++) (void)achd_identify_add(&state, &s, &three, &one, REAL(1e-3));
  (void)achd_identify_solve(&state, &s, &found);
  CHECK_NEAR((double)found.value[0], 3, 1e-2);
  CHECK_NEAR((double)found.deviation[0], 1 / sqrt(10), 1e-3); /* 1000 lines of a hundredth each */
  s.memory = REAL(0.1);
  for (int i = 0; i < 1000; i++) (void)achd_identify_add(&state, &s, &five, &one, REAL(1e-3));
  (void)achd_identify_solve(&state, &s, &found);
  CHECK_NEAR((double)found.value[0], 5, 1e-2);
  CHECK_NEAR((double)found.deviation[0], 1, 0.01); /* of a tenth of a second */
}

/* One line against a prior as strong: half way, with the deviation of two. */
static void one_line_and_its_prior(void) {
  static const achd_identify_prior prior = {1, 1};
  static const achd_real one = 1, four = 4;
  const achd_identify_setup s = {&prior, &one, 1, 1, 20, ACHD_INFINITY, REAL(0.8)};
  achd_identify state = {0};
  achd_identify_estimate found;
  CHECK(achd_identify_add(&state, &s, &four, &one, 1) == ACHD_IDENTIFY_OK);
  CHECK(achd_identify_solve(&state, &s, &found) == ACHD_IDENTIFY_OK);
  CHECK_NEAR((double)found.value[0], 2.5, 1e-5);
  CHECK_NEAR((double)found.deviation[0], sqrt(0.5), 1e-5);
  CHECK_NEAR((double)found.unexplained, 1.5, 1e-5);
}

/* p is the integral of a torque and of a force that grows evenly, over periods that change: nothing is left. A unit of the parameter
 * makes p_1 - p = 3 t: its column tends to 3. What the robot had before the first cycle does not enter. */
static void the_filter_takes_what_happened_in_each_period(void) {
  static const achd_identify_prior prior = {0, 1};
  static const achd_real one = 1;
  const achd_identify_setup s = {&prior, &one, 1, 1, 50, ACHD_INFINITY, REAL(0.5)};
  achd_identify state = {0};
  achd_identify_filter filter = {0};
  double p = 7, t = 0, before = 0, a = 0;
  for (int i = 0; i < 300; i++) {
    const double T = random_between(&seed, 1e-3, 4e-3), tau = random_between(&seed, -1, 1);
    t += T;
    const double force = 2 * t;
    if (i) p += T * (tau + (force + before) / 2);
    before = force;
    const achd_real p0 = REAL(p), p1 = REAL(p + 3 * t), beta = REAL(force), qd = 0,
                    acts = REAL(tau);
    const achd_real *const all[2] = {&p0, &p1}, *const forces[2] = {&beta, &beta};
    const achd_identify_input in = {all, forces, &qd, &acts, NULL, REAL(T)};
    const unsigned status = achd_identify_step(&filter, &state, &s, &in);
    CHECK(status == (i ? ACHD_IDENTIFY_OK : ACHD_IDENTIFY_STARTED));
    if (i == 0) CHECK(state.lines == 0);
    if (i) a = (a + 50 * 3 * T) / (1 + 50 * T);
    CHECK_NEAR((double)filter.r[0][1], a, 4e4 * (double)ACHD_EPSILON);
    CHECK_NEAR((double)filter.r[0][0], 0, 4e4 * (double)ACHD_EPSILON);
  }
  CHECK_NEAR(a, 3, 1e-3);
}

static void senseless_setups_are_refused(void) {
  static const achd_real one = 1, none = 0;
  const achd_identify_setup good = {rubbing_priors, &one, 1, 1, 20, ACHD_INFINITY, REAL(0.5)};
  const achd_identify_prior flat = {0, 0}, nowhere = {REAL(NAN), 1};
  achd_identify_setup bad[] = {good, good, good, good, good, good, good, good};
  bad[0].nparameters = 0, bad[1].nparameters = ALL + 1, bad[2].njoints = 0, bad[3].gain = 0,
  bad[4].memory = 0;
  bad[5].sigma = &none, bad[6].parameters = &flat, bad[7].parameters = &nowhere;
  achd_identify state = {0};
  achd_identify_estimate found;
  for (int k = 0; k < 8; k++) {
    CHECK(achd_identify_add(&state, &bad[k], &one, &one, 1) == ACHD_IDENTIFY_BAD_INPUT);
    CHECK(achd_identify_solve(&state, &bad[k], &found) & ACHD_IDENTIFY_BAD_INPUT);
  }
  static const double bits[] = {0, -1, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    CHECK(achd_identify_add(&state, &good, &one, &one, REAL(bits[k])) == ACHD_IDENTIFY_BAD_INPUT);
    if (k < 2) continue;
    const achd_real x = REAL(bits[k]);
    CHECK(achd_identify_add(&state, &good, &x, &one, 1) == ACHD_IDENTIFY_NOT_FINITE);
    CHECK(achd_identify_add(&state, &good, &one, &x, 1) == ACHD_IDENTIFY_NOT_FINITE);
  }
  const achd_real huge = sizeof huge == 4 ? REAL(1e30) : REAL(1e200);
  CHECK(achd_identify_add(&state, &good, &huge, &one, 1) == ACHD_IDENTIFY_NOT_FINITE);
  CHECK(state.lines == 0 && state.b[0] == 0 && state.N[0] == 0);
}

/* Mass and centre stay; second moments that no body has are taken to the nearest that one has. */
static void loads_are_bodies_that_can_be(void) {
  const achd_real rounding = 64 * ACHD_EPSILON;
  for (int k = 0; k < 200; k++) {
    achd_real x[10];
    achd_inertia body;
    for (int i = 0; i < 10; i++) x[i] = REAL(random_between(&seed, -1, 1));
    const bool good = x[0] > 0;
    CHECK(achd_identify_body(&body, x) == good);
    if (!good) continue;
    CHECK(body.m == x[0] && body.mx == x[1] && body.my == x[2] && body.mz == x[3]);
    /* about the centre: each of the moments at most the sum of the others, for every direction */
    for (int n = 0; n < 20; n++) {
      double u[3], S = 0;
      random_direction(&seed, u);
      const double I[3][3] = {{(double)body.xx, (double)body.xy, (double)body.xz},
                              {(double)body.xy, (double)body.yy, (double)body.yz},
                              {(double)body.xz, (double)body.yz, (double)body.zz}};
      const double h = u[0] * (double)body.mx + u[1] * (double)body.my + u[2] * (double)body.mz;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          S += u[i] * ((i == j ? (I[0][0] + I[1][1] + I[2][2]) / 2 : 0) - I[i][j]) * u[j];
      CHECK(S - h * h / (double)body.m > -(double)rounding * (3 + h * h / (double)body.m));
    }
    achd_real again[10] = {body.m,  body.mx, body.my, body.mz, body.xx,
                           body.xy, body.xz, body.yy, body.yz, body.zz};
    achd_inertia same;
    CHECK(achd_identify_body(&same, again));
    CHECK_NEAR((double)same.xx, (double)body.xx, (double)rounding * (3 + 3 / (double)body.m));
    CHECK_NEAR((double)same.yz, (double)body.yz, (double)rounding * (3 + 3 / (double)body.m));
  }
  achd_inertia body;
  const achd_real nan[10] = {1, 0, 0, 0, REAL(NAN)};
  CHECK(!achd_identify_body(&body, nan) && body.m == 0);
}

int main(void) {
  RUN(a_load_is_told_while_the_arm_moves);
  RUN(a_motion_that_does_not_tell_is_told);
  RUN(what_is_not_finite_never_enters);
  RUN(friction_of_a_joint);
  RUN(weights_and_forgetting);
  RUN(one_line_and_its_prior);
  RUN(the_filter_takes_what_happened_in_each_period);
  RUN(senseless_setups_are_refused);
  RUN(loads_are_bodies_that_can_be);
  return test_end();
}
