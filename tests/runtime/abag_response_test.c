/* SPDX-License-Identifier: MIT */
/* abag_response_test.c: what the law of abag.h makes of a mass: it reaches the wanted speed, and
 * its bias settles at the force that holds it there. Waveforms go to FOLDER, the only argument.
 *
 * The plant: a mass on a line, pushed by u F, by a steady disturbance and by Coulomb friction, at
 * 1 kHz, semi-implicit Euler, with sticking (friction never turns a velocity around). */
#include <achd/abag.h>

#include "plot.h"
#include "test.h"

enum { SAMPLES = 10000, SETTLED = 3000 };

static const double period = 1e-3;
static const char *folder;

typedef struct plant {
  double mass;        /* [kg] */
  double largest;     /* F, the largest command [N] */
  double disturbance; /* against the motion [N] */
  double friction;    /* kinetic and breakaway [N] */
} plant;

typedef struct waveforms {
  double speed[SAMPLES], wanted[SAMPLES], ebar[SAMPLES], bias[SAMPLES], gain[SAMPLES], u[SAMPLES];
} waveforms;

static waveforms w;

/* A Kinova Gen3's path following, linear x (Vukcevic 2020). */
static const achd_abag_parameters parameters = {(achd_real)0.85,     (achd_real)0.000457,
                                                (achd_real)0.00055,  (achd_real)0.502492,
                                                (achd_real)0.003152, ACHD_ABAG_LIMITS};

static double next_speed(const plant *p, double speed, double push) {
  const double sum = push - p->disturbance;
  if (speed == 0 && fabs(sum) <= p->friction) return 0;
  const double friction = copysign(p->friction, speed != 0 ? speed : sum);
  const double next = speed + (sum - friction) / p->mass * period;
  return speed * next < 0 && fabs(sum) <= p->friction ? 0 : next;
}

static void follow_speed(const plant *p, double wanted, double tolerance) {
  achd_abag a = {0};
  double speed = 0;
  for (int k = 0; k < SAMPLES; k++) {
    const double e = wanted - speed;
    const achd_real u =
        achd_abag_step(&a, &parameters, (achd_real)(fabs(e) <= tolerance ? 0 : e), a.saturated);
    w.speed[k] = speed, w.wanted[k] = wanted, w.u[k] = (double)u;
    w.ebar[k] = (double)a.ebar, w.bias[k] = (double)a.bias, w.gain[k] = (double)a.gain;
    speed = next_speed(p, speed, (double)u * p->largest);
  }
}

static void draw(const char *name, const char *title) {
  const plot_panel panels[PLOT_PANELS] = {{"m/s", {{"wanted speed", w.wanted}, {"speed", w.speed}}},
                                          {"1", {{"ebar", w.ebar}}},
                                          {"1", {{"bias", w.bias}}},
                                          {"1", {{"gain", w.gain}}},
                                          {"1", {{"u", w.u}}}};
  char path[512];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  CHECK(plot_write(path, title, period, SAMPLES, panels) == 0);
}

static double mean(const double *values) {
  double sum = 0;
  for (int k = SETTLED; k < SAMPLES; k++) sum += values[k];
  return sum / (SAMPLES - SETTLED);
}

static double largest_distance(const double *values, double from) {
  double most = 0;
  for (int k = SETTLED; k < SAMPLES; k++) most = fmax(most, fabs(values[k] - from));
  return most;
}

/* From the third second on: every cycle within 5 %. */
static void check_settled(const plant *p, double wanted) {
  const double needed = (p->disturbance + copysign(p->friction, wanted)) / p->largest;
  CHECK_NEAR(mean(w.bias), needed, 0.01 * fabs(needed));
  CHECK(largest_distance(w.bias, needed) < 0.05 * fabs(needed));
  CHECK(largest_distance(w.speed, wanted) < 0.05 * fabs(wanted));
}

static void bias_settles_at_a_steady_disturbance(void) {
  const plant p = {.mass = 1, .largest = 20, .disturbance = 8};
  follow_speed(&p, 0.1, 0);
  check_settled(&p, 0.1);
  draw("abag_disturbance", "ABAG, speed of 1 kg under a steady disturbance of 8 N, at most 20 N");
}

static void bias_settles_at_a_disturbance_from_behind(void) {
  const plant p = {.mass = 1, .largest = 20, .disturbance = -12};
  follow_speed(&p, 0.1, 0);
  check_settled(&p, 0.1);
}

static void bias_settles_at_kinetic_friction(void) {
  const plant p = {.mass = 1, .largest = 20, .friction = 8};
  follow_speed(&p, 0.1, 0);
  check_settled(&p, 0.1);
  draw("abag_friction", "ABAG, speed of 1 kg against 8 N of kinetic friction, at most 20 N");
}

static void bias_settles_at_friction_moving_back(void) {
  const plant p = {.mass = 1, .largest = 20, .friction = 8};
  follow_speed(&p, -0.1, 0);
  check_settled(&p, -0.1);
}

static void bias_settles_at_friction_and_disturbance(void) {
  const plant p = {.mass = 2, .largest = 40, .disturbance = 12, .friction = 8};
  follow_speed(&p, 0.1, 0);
  check_settled(&p, 0.1);
}

/* Inside the tolerance nothing tells where: the bias swings around what is needed. */
static void inside_a_tolerance_the_bias_is_right_in_the_mean(void) {
  const plant p = {.mass = 1, .largest = 20, .disturbance = 8};
  follow_speed(&p, 0.1, 0.005);
  CHECK_NEAR(mean(w.bias), 0.4, 0.05 * 0.4);
  CHECK(largest_distance(w.speed, 0.1) < 0.015);
  draw("abag_tolerance", "ABAG, speed of 1 kg under 8 N, tolerance 0.005 m/s, at most 20 N");
}

/* After a step of the disturbance at 0: time until the speed is within 5 %, from then on [s]. */
static double recovery(double disturbance, bool hold) {
  achd_abag_parameters p = parameters;
  p.hold = hold;
  achd_abag a = {0};
  double speed = 0, last = 0;
  for (int k = -5000; k < 20000; k++) {
    const plant mass = {.mass = 1, .largest = 20, .disturbance = k < 0 ? 0 : disturbance};
    const achd_real u = achd_abag_step(&a, &p, (achd_real)(0.1 - speed), 0);
    speed = next_speed(&mass, speed, (double)u * mass.largest);
    if (k >= 0 && fabs(speed - 0.1) > 0.005) last = (k + 1) * period;
  }
  return last;
}

/* 15 N at once, where 20 N are the most: the gain alone brings the command to its limit, and a bias
 * that waits meanwhile comes late. */
static void holding_on_its_own_limits_slows_the_recovery(void) {
  const double law = recovery(15, false), held = recovery(15, true);
  printf("  recovery from 15 of 20 N: %.1f s, holding %.1f s\n", law, held);
  CHECK(law < 3.5);
  CHECK(held > 2 * law);
  CHECK(recovery(8, false) < 1 && recovery(8, true) < 1);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(bias_settles_at_a_steady_disturbance);
  RUN(bias_settles_at_a_disturbance_from_behind);
  RUN(bias_settles_at_kinetic_friction);
  RUN(bias_settles_at_friction_moving_back);
  RUN(bias_settles_at_friction_and_disturbance);
  RUN(inside_a_tolerance_the_bias_is_right_in_the_mean);
  RUN(holding_on_its_own_limits_slows_the_recovery);
  return test_end();
}
