/* SPDX-License-Identifier: MIT */
/* observer_test.c: the momentum observer against its equation, for every gain and period; its noise; friction and offsets; what
 * resets it. Detection: bounds, cycles in a row, latch, which joint. The wrench of a contact, and a load. Reactions. */
#include <achd/observer.h>

#include "random.h"
#include "test.h"

#include <float.h>

static const double epsilon = (double)ACHD_EPSILON, rounding = 64 * (double)ACHD_EPSILON;

#define REAL(x) ((achd_real)(x))

static unsigned long long seed = 5;

static const achd_observer_joint plain = {.gain = 100};

/* One update of one joint. */
static unsigned step(achd_observer *o, const achd_observer_joint *joint, double p, double beta,
                     double qd, double tau, double period) {
  const achd_real a = REAL(p), b = REAL(beta), c = REAL(qd), d = REAL(tau);
  const achd_observer_input input = {&a, &b, &c, &d, REAL(period), true};
  return achd_observer_step(o, joint, 1, &input);
}

/* p grows by tau + beta + 5: after N steps from rest r = 5 (1 - (1 + K T)^-N). */
static void follows_the_contact_with_every_gain_and_period(void) {
  static const double rates[] = {0.01, 0.1, 1, 2, 5, 100, 1e4};
  for (int k = 0; k < 7; k++) {
    const double period = 1e-3, gain = rates[k] / period, tau = 3, beta = -1, contact = 5;
    const achd_observer_joint joint = {.gain = REAL(gain)};
    achd_observer o;
    achd_observer_reset(&o);
    double left = 1;
    for (int i = 0; i < 200; i++) {
      const unsigned status =
          step(&o, &joint, i * period * (tau + beta + contact), beta, 0, tau, period);
      CHECK(status == (i ? ACHD_OBSERVER_OK : ACHD_OBSERVER_STARTED));
      if (i) left /= 1 + gain * period;
      /* p is rounded to what is left of 1.4, over a period */
      CHECK_NEAR((double)o.tau_ext[0], contact * (1 - left), 4e3 * epsilon / period);
    }
  }
}

/* The period changes from step to step, as loops have it. */
static void takes_the_period_that_passed(void) {
  achd_observer o;
  achd_observer_reset(&o);
  double p = 0;
  for (int i = 0; i < 500; i++) {
    const double period = random_between(&seed, 0.5e-3, 5e-3);
    p += period * (2 - 0.5 + 4);
    (void)step(&o, &plain, p, -0.5, 0, 2, period);
  }
  CHECK_NEAR((double)o.tau_ext[0], 4, 1e5 * epsilon);
}

/* Beta enters by the mean of both ends: exact where it changes evenly. */
static void beta_is_the_mean_of_both_ends(void) {
  achd_observer o;
  achd_observer_reset(&o);
  const double period = 0.01;
  for (int i = 0; i < 300; i++) {
    const double t = i * period;
    (void)step(&o, &plain, 10 * t * t / 2, 10 * t, 0, 0, period);
  }
  CHECK_NEAR((double)o.tau_ext[0], 0, 1e4 * epsilon);
}

static void knows_friction_and_offset(void) {
  const achd_observer_joint joint = {
      .gain = 100, .viscous = 2, .coulomb = 3, .speed = REAL(0.5), .offset = REAL(0.25)};
  static const struct {
    double qd, friction;
  } cases[] = {{0.25, 0.5 + 1.5}, {-0.25, -0.5 - 1.5}, {4, 8 + 3}, {-4, -8 - 3}, {0, 0}};
  for (int k = 0; k < 5; k++) {
    achd_observer o;
    achd_observer_reset(&o);
    for (int i = 0; i < 400; i++)
      (void)step(&o, &joint, i * 1e-3 * (7 + 0.25 - cases[k].friction + 1), 0, cases[k].qd, 7,
                 1e-3);
    CHECK_NEAR((double)o.tau_ext[0], 1, 1e5 * epsilon);
  }
}

/* Standard deviation K sqrt(2 / ((1 + K T) (2 + K T))) of r for noise of p of 1. */
static void noise_is_what_is_promised(void) {
  static const double gains[] = {50, 500, 5000};
  for (int k = 0; k < 3; k++) {
    const double period = 1e-3, rate = gains[k] * period;
    const achd_observer_joint joint = {.gain = REAL(gains[k])};
    achd_observer o;
    achd_observer_reset(&o);
    double sum = 0;
    const int count = 20000;
    for (int i = 0; i < count; i++) {
      (void)step(&o, &joint, random_normal(&seed), 0, 0, 0, period);
      sum += (double)o.tau_ext[0] * (double)o.tau_ext[0];
    }
    const double promised = gains[k] * sqrt(2 / ((1 + rate) * (2 + rate)));
    CHECK_NEAR(sqrt(sum / count) / promised, 1, 0.05);
  }
}

static void what_is_not_there_resets_it_and_is_told(void) {
  const double not_finite[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3 * 4 + 8; k++) {
    achd_observer o;
    achd_observer_reset(&o);
    for (int i = 0; i < 10; i++) (void)step(&o, &plain, i * 1e-3, 0, 0, 0, 1e-3);
    CHECK(o.tau_ext[0] > 0 && o.running);
    double x[4] = {0.01, 0, 0, 0}, period = 1e-3;
    achd_observer_joint joint = plain;
    unsigned wanted = ACHD_OBSERVER_BAD_INPUT;
    int njoints = 1;
    bool fresh = true;
    if (k < 12) x[k / 3] = not_finite[k % 3], wanted = ACHD_OBSERVER_NOT_FINITE;
    if (k == 12) period = 0;
    if (k == 13) period = -1e-3;
    if (k == 14) period = NAN;
    if (k == 15) joint.gain = -1;
    if (k == 16) joint.gain = REAL(NAN);
    if (k == 17) njoints = 0;
    if (k == 18) njoints = ACHD_OBSERVER_JOINTS + 1;
    if (k == 19) fresh = false, wanted = ACHD_OBSERVER_STALE;
    const achd_real in[4] = {REAL(x[0]), REAL(x[1]), REAL(x[2]), REAL(x[3])};
    const achd_observer_input input = {&in[0], &in[1], &in[2], &in[3], REAL(period), fresh};
    CHECK(achd_observer_step(&o, &joint, njoints, &input) == wanted);
    CHECK(o.tau_ext[0] == 0 && !o.running && o.status == wanted);
    CHECK(step(&o, &plain, 1, 0, 0, 0, 1e-3) == ACHD_OBSERVER_STARTED && o.tau_ext[0] == 0);
  }
  /* finite numbers that become infinite */
  achd_observer o;
  achd_observer_reset(&o);
  const double most = sizeof(achd_real) == 4 ? (double)FLT_MAX : DBL_MAX;
  (void)step(&o, &plain, -most, 0, 0, 0, 1e-3);
  CHECK(step(&o, &plain, most, 0, 0, 0, 1e-3) == ACHD_OBSERVER_NOT_FINITE && o.tau_ext[0] == 0);
}

static bool contact_step(achd_contact *c, const achd_contact_parameters *p, double a, double b,
                         double d) {
  const achd_real tau[3] = {REAL(a), REAL(b), REAL(d)}, rest[3] = {0, 0, 0};
  return achd_contact_step(c, p, tau, rest, NULL);
}

static const achd_contact_bound bounds[3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
static const achd_contact_parameters three = {3, bounds, 4, 10};

static void a_contact_is_found_after_some_cycles_and_stays(void) {
  achd_contact c;
  achd_contact_release(&c);
  for (int i = 0; i < 3; i++) CHECK(!contact_step(&c, &three, -1.01, 0, 0));
  CHECK(!contact_step(&c, &three, 1, 0, 0)); /* at the bound: begins anew */
  for (int i = 0; i < 3; i++) CHECK(!contact_step(&c, &three, i % 2 ? 1.01 : -1.01, 0, 0));
  CHECK(contact_step(&c, &three, 1.01, 0, 0));
  CHECK(c.joint == 0 && c.felt == 1);
  for (int i = 0; i < 50; i++) CHECK(contact_step(&c, &three, 0, 0, 0));
  achd_contact_release(&c);
  CHECK(!contact_step(&c, &three, 0, 0, 0) && !c.found && c.felt == 0);
}

static void the_last_joint_that_feels_it_is_told(void) {
  achd_contact c;
  achd_contact_release(&c);
  for (int i = 0; i < 4; i++) (void)contact_step(&c, &three, 2, i >= 2 ? 2.5 : 0, 0);
  CHECK(c.found && c.joint == 0);
  for (int i = 0; i < 2; i++) (void)contact_step(&c, &three, 2, 2.5, 0);
  CHECK(c.joint == 1 && c.felt == 3);
  (void)contact_step(&c, &three, 2, 0, 0); /* it stays the last */
  CHECK(c.joint == 1);
  for (int i = 0; i < 20; i++) (void)contact_step(&c, &three, 2, 2.5, 0);
  for (int i = 0; i < 20; i++) (void)contact_step(&c, &three, 2, 2.5, 9); /* too late: settled */
  CHECK(c.joint == 1 && c.felt == 3);
}

static void bounds_grow_with_the_motion(void) {
  const achd_contact_bound bound = {1, 2, 4};
  const achd_contact_parameters p = {1, &bound, 1, 0};
  const achd_real qd = -3, qdd = -5;
  for (int above = 0; above < 2; above++) {
    achd_contact c;
    achd_contact_release(&c);
    const achd_real tau = -REAL(27 + (above ? 0.01 : -0.01));
    CHECK(achd_contact_step(&c, &p, &tau, &qd, &qdd) == (above == 1));
    achd_contact_release(&c);
    const achd_real slow = REAL(7 + (above ? 0.01 : -0.01));
    CHECK(achd_contact_step(&c, &p, &slow, &qd, NULL) == (above == 1));
  }
}

static void who_asks_for_something_senseless_is_not_safe(void) {
  const double wrong[] = {0, -1, NAN};
  for (int k = 0; k < 9; k++) {
    achd_contact_bound bound = {1, 0, 0};
    const achd_real x = REAL(wrong[k % 3]), none = 0, two = 2;
    if (k % 3 == 0 && k > 0) continue; /* a slope of 0 is one */
    *(k < 3 ? &bound.constant : k < 6 ? &bound.by_speed : &bound.by_acceleration) = x;
    const achd_contact_parameters p = {1, &bound, 1, 0};
    achd_contact c;
    achd_contact_release(&c);
    CHECK(achd_contact_step(&c, &p, &none, &two, &two));
  }
  for (int n = 0; n < 2; n++) {
    const achd_contact_parameters p = {n ? ACHD_OBSERVER_JOINTS + 1 : 0, bounds, 1, 0};
    achd_contact c;
    achd_contact_release(&c);
    CHECK(contact_step(&c, &p, 0, 0, 0));
  }
  const achd_contact_parameters one = {3, bounds, 1, 0};
  achd_contact c;
  achd_contact_release(&c);
  CHECK(contact_step(&c, &one, NAN, 0, 0));
}

enum { N = 7 };

static void draw(achd_real *x, int count, double most) {
  for (int i = 0; i < count; i++) x[i] = REAL(random_between(&seed, -most, most));
}

static void torques_of(const achd_real lin[], const achd_real ang[], const achd_real f[6],
                       achd_real tau[]) {
  for (int j = 0; j < N; j++) {
    tau[j] = 0;
    for (int i = 0; i < 3; i++)
      tau[j] += lin[i * N + j] * f[i] + (ang ? ang[i * N + j] * f[3 + i] : 0);
  }
}

static void one_contact_is_located(void) {
  for (int k = 0; k < 200; k++) {
    achd_real lin[3 * N], ang[3 * N], f[6], tau[N];
    draw(lin, 3 * N, 1), draw(ang, 3 * N, 1), draw(f, 6, 20);
    achd_contact_wrench w;
    torques_of(lin, ang, f, tau);
    CHECK(achd_contact_locate(&w, N, lin, ang, tau) && w.rank == 6);
    for (int i = 0; i < 3; i++) CHECK_NEAR((double)w.lin[i], (double)f[i], 1e5 * rounding);
    for (int i = 0; i < 3; i++) CHECK_NEAR((double)w.ang[i], (double)f[3 + i], 1e5 * rounding);
    CHECK((double)w.residual < 1e2 * rounding);
    torques_of(lin, NULL, f, tau);
    CHECK(achd_contact_locate(&w, N, lin, NULL, tau) && w.rank == 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR((double)w.lin[i], (double)f[i], 1e4 * rounding);
    for (int i = 0; i < 3; i++) CHECK(w.ang[i] == 0);
  }
}

/* What is left stands on all columns of J^T, and its share is the residual. */
static void two_contacts_leave_a_residual(void) {
  for (int k = 0; k < 100; k++) {
    achd_real lin[3 * N], tau[N], again[N], f[6] = {0, 0, 0, 0, 0, 0};
    draw(lin, 3 * N, 1), draw(tau, N, 5);
    achd_contact_wrench w;
    CHECK(achd_contact_locate(&w, N, lin, NULL, tau));
    for (int i = 0; i < 3; i++) f[i] = w.lin[i];
    torques_of(lin, NULL, f, again);
    double left = 0, whole = 0;
    for (int j = 0; j < N; j++) {
      left += pow((double)(tau[j] - again[j]), 2);
      whole += pow((double)tau[j], 2);
    }
    CHECK_NEAR((double)w.residual, sqrt(left / whole), 1e4 * rounding);
    for (int i = 0; i < 3; i++) {
      double along = 0;
      for (int j = 0; j < N; j++) along += (double)(lin[i * N + j] * (tau[j] - again[j]));
      CHECK_NEAR(along, 0, 1e4 * rounding);
    }
  }
}

/* The second link: two joints feel a force, in two directions at most. */
static void what_joints_cannot_tell_is_zero(void) {
  achd_real lin[3 * N] = {0}, tau[N] = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) lin[i * N + j] = REAL(random_between(&seed, -1, 1));
  tau[0] = 3, tau[1] = -2;
  achd_contact_wrench w;
  CHECK(achd_contact_locate(&w, N, lin, NULL, tau));
  CHECK(w.rank == 2 && (double)w.residual < rounding);
  CHECK((w.lin[0] == 0) + (w.lin[1] == 0) + (w.lin[2] == 0) == 1);
  const achd_real zero[N] = {0}, nan[N] = {REAL(NAN)};
  CHECK(!achd_contact_locate(&w, N, lin, NULL, zero) && w.residual == 1 && w.rank == 0);
  CHECK(!achd_contact_locate(&w, N, lin, NULL, nan) && w.lin[0] == 0);
  const achd_real still[3 * N] = {0};
  CHECK(!achd_contact_locate(&w, N, still, NULL, tau));
  CHECK(!achd_contact_locate(&w, 0, lin, NULL, tau));
  CHECK(!achd_contact_locate(&w, ACHD_OBSERVER_JOINTS + 1, lin, NULL, tau));
}

static void a_load_is_told_from_a_contact(void) {
  const achd_real g[3] = {0, 0, REAL(-9.81)};
  for (int k = 0; k < 50; k++) {
    achd_real lin[3 * N], tau[N], mass, left, f[6] = {0, 0, REAL(-9.81 * 1.5), 0, 0, 0};
    draw(lin, 3 * N, 1);
    torques_of(lin, NULL, f, tau);
    CHECK(achd_contact_mass(&mass, &left, N, lin, g, tau));
    CHECK_NEAR((double)mass, 1.5, 100 * rounding);
    CHECK((double)left < 100 * rounding);
    f[0] = 10, f[2] = 0;
    torques_of(lin, NULL, f, tau);
    CHECK(achd_contact_mass(&mass, &left, N, lin, g, tau) && left > REAL(0.1));
    const achd_real none[3] = {0, 0, 0};
    CHECK(!achd_contact_mass(&mass, &left, N, lin, none, tau) && mass == 0 && left == 1);
    tau[3] = REAL(NAN);
    CHECK(!achd_contact_mass(&mass, &left, N, lin, g, tau) && mass == 0);
  }
}

static double reaction(achd_response r, achd_response_joint joint, double gravity, double qd,
                       double tau_ext, double tau) {
  const achd_real in[4] = {REAL(gravity), REAL(qd), REAL(tau_ext), REAL(tau)};
  achd_real out;
  achd_response_torques(r, &joint, 1, &(achd_response_input){&in[0], &in[1], &in[2], &in[3]}, &out);
  return (double)out;
}

static void reactions_are_what_they_say(void) {
  const achd_response_joint joint = {.damping = 10, .follow = 2, .effort = 50};
  CHECK_NEAR(reaction(ACHD_RESPONSE_NONE, joint, 5, 1, 3, 7), 7, 0);
  CHECK_NEAR(reaction(ACHD_RESPONSE_SLOW, joint, 5, 1, 3, 7), 7, 0);
  CHECK_NEAR(reaction(ACHD_RESPONSE_STOP, joint, 5, 1, 3, 7), -5, 0);
  CHECK_NEAR(reaction(ACHD_RESPONSE_FLOAT, joint, 5, 1, 3, 7), 4.5, rounding);
  CHECK_NEAR(reaction(ACHD_RESPONSE_AWAY, joint, 5, 1, 3, 7), 10.5, rounding);
  CHECK(reaction(ACHD_RESPONSE_STOP, joint, 5, 100, 3, 7) == -50);
  CHECK(reaction(ACHD_RESPONSE_NONE, joint, 5, 0, 0, 1e9) == 50);
  const achd_response all[] = {ACHD_RESPONSE_NONE, ACHD_RESPONSE_STOP, ACHD_RESPONSE_FLOAT,
                               ACHD_RESPONSE_AWAY, ACHD_RESPONSE_SLOW};
  for (int k = 0; k < 5; k++) {
    const bool on = k == 0 || k == 4;
    CHECK(reaction(all[k], joint, on ? 0 : NAN, 0, 0, on ? NAN : 0) == 0);
    CHECK(reaction(all[k], (achd_response_joint){10, 2, -1}, 5, 0, 0, 7) == 0);
    CHECK(reaction(all[k], (achd_response_joint){-10, 2, 50}, 5, 0, 0, 7) == 0);
    CHECK(reaction(all[k], (achd_response_joint){10, -2, 50}, 5, 0, 0, 7) == 0);
  }
  CHECK(achd_response_speed(ACHD_RESPONSE_NONE, REAL(0.3)) == 1);
  CHECK(achd_response_speed(ACHD_RESPONSE_SLOW, REAL(0.3)) == REAL(0.3));
  CHECK(achd_response_speed(ACHD_RESPONSE_SLOW, 4) == 1 &&
        achd_response_speed(ACHD_RESPONSE_SLOW, REAL(NAN)) == 0);
  CHECK(achd_response_speed(ACHD_RESPONSE_STOP, 1) == 0 &&
        achd_response_speed(ACHD_RESPONSE_FLOAT, 1) == 0);
}

int main(void) {
  RUN(follows_the_contact_with_every_gain_and_period);
  RUN(takes_the_period_that_passed);
  RUN(beta_is_the_mean_of_both_ends);
  RUN(knows_friction_and_offset);
  RUN(noise_is_what_is_promised);
  RUN(what_is_not_there_resets_it_and_is_told);
  RUN(a_contact_is_found_after_some_cycles_and_stays);
  RUN(the_last_joint_that_feels_it_is_told);
  RUN(bounds_grow_with_the_motion);
  RUN(who_asks_for_something_senseless_is_not_safe);
  RUN(one_contact_is_located);
  RUN(two_contacts_leave_a_residual);
  RUN(what_joints_cannot_tell_is_zero);
  RUN(a_load_is_told_from_a_contact);
  RUN(reactions_are_what_they_say);
  return test_end();
}
