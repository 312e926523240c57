/* SPDX-License-Identifier: MIT */
/* load_test.c: quiet signals, updates of the wrench, and mass and centre of known wrenches. */
#include <achd/load.h>

#include "random.h"
#include "test.h"

static const double rounding = 64 * ACHD_EPSILON;

/* Mean, variance and slope by their definitions, in double. */
static void check_statistics(const achd_window *w, const double *x, int n) {
  double mean = 0, variance = 0, above = 0, below = 0;
  for (int k = 0; k < n; k++) mean += x[k] / n;
  for (int k = 0; k < n; k++) {
    const double t = k - (n - 1) / 2.0;
    variance += (x[k] - mean) * (x[k] - mean) / n;
    above += t * x[k], below += t * t;
  }
  achd_window_statistics s;
  achd_window_examine(w, &s);
  CHECK_NEAR((double)s.mean, mean, rounding);
  CHECK_NEAR((double)s.variance, variance, rounding);
  CHECK_NEAR((double)s.slope, n > 1 ? above / below : 0, rounding);
}

static void window_knows_its_last_samples(void) {
  enum { SAMPLES = 357 };
  unsigned long long state = 1;
  double x[SAMPLES];
  achd_window w = {0};
  for (int k = 0; k < SAMPLES; k++) {
    x[k] = (double)(achd_real)(random_number(&state) + 0.01 * k);
    achd_window_put(&w, (achd_real)x[k]);
    const int n = k + 1 < ACHD_LOAD_WINDOW ? k + 1 : ACHD_LOAD_WINDOW;
    if (k % 7 == 0 || k < 3) check_statistics(&w, x + k + 1 - n, n);
  }
}

static void empty_window_has_no_statistics(void) {
  const achd_window w = {0};
  achd_window_statistics s;
  achd_window_examine(&w, &s);
  CHECK(s.mean == 0 && s.variance == 0 && s.slope == 0);
}

static const achd_load_parameters parameters = {.filter = (achd_real)0.5,
                                                .bias = {(achd_real)1e-6, (achd_real)1e-5},
                                                .gain = {(achd_real)1e-3, (achd_real)1e-3},
                                                .patience = 60,
                                                .reference = {0, 0, (achd_real)0.1},
                                                .scale = {10, 10, 20, 1, 1, 2},
                                                .tolerance = {(achd_real)0.01, (achd_real)0.01,
                                                              (achd_real)0.01, (achd_real)0.01,
                                                              (achd_real)0.01, (achd_real)0.01}};

static const achd_real still[6] = {0};

/* Steps with constant signals until something happens; returns the number of steps. */
static int steps_until(achd_load *load, const achd_real bias[6], achd_load_event wanted) {
  for (int k = 1; k < 1000; k++) {
    const achd_load_event event = achd_load_step(load, &parameters, bias, still);
    if (event == wanted) return k;
    if (event != ACHD_LOAD_WAITING) return -1;
  }
  return 0;
}

/* A full window, then each of six channels examined, then the patience. */
static void quiet_takes_a_window_and_patience(void) {
  achd_load load;
  const achd_real at_reference[6] = {0, 0, (achd_real)0.1, 0, 0, 0};
  achd_load_reset(&load, at_reference);
  const int steps = steps_until(&load, at_reference, ACHD_LOAD_CONVERGED);
  CHECK(steps >= ACHD_LOAD_WINDOW + 60 && steps <= ACHD_LOAD_WINDOW + 60 + 6);
}

static void update_is_scale_times_excess(void) {
  achd_load load;
  const achd_real loaded[6] = {(achd_real)-0.2, 0, (achd_real)0.6, 0, 0, (achd_real)0.05};
  achd_load_reset(&load, loaded);
  CHECK(steps_until(&load, loaded, ACHD_LOAD_QUIET) > ACHD_LOAD_WINDOW);
  achd_load_update(&load, &parameters);
  CHECK_NEAR((double)load.wrench[0], 2, 10 * rounding);
  CHECK_NEAR((double)load.wrench[2], -20 * 0.5, 10 * rounding);
  CHECK_NEAR((double)load.wrench[5], -2 * 0.05, 10 * rounding);
  CHECK(load.wrench[1] == 0 && load.wrench[3] == 0 && load.wrench[4] == 0);
  CHECK(steps_until(&load, loaded, ACHD_LOAD_QUIET) > ACHD_LOAD_WINDOW); /* waits anew */
  achd_load_update(&load, &parameters);
  CHECK_NEAR((double)load.wrench[2], -2 * 20 * 0.5, 10 * rounding); /* and adds up */
}

static void update_by_a_known_change(void) {
  achd_load load;
  achd_load_reset(&load, still);
  const achd_real change[6] = {1, 2, 3, 4, 5, 6}, strange[6] = {1, 2, (achd_real)NAN, 4, 5, 6};
  CHECK(achd_load_update_by(&load, change) && !achd_load_update_by(&load, strange));
  for (int c = 0; c < 6; c++) CHECK(load.wrench[c] == change[c]);
}

/* Each signal for itself keeps the whole from being quiet. */
/* A bias that stands at its end is as quiet as any: its update is limited, all six components by
 * the same share; also one that somebody else knows. */
static void updates_are_limited(void) {
  achd_load load;
  achd_load_parameters p = parameters;
  const achd_real bias[6] = {0, 0, 1, 0, (achd_real)-0.5, 0};
  for (int c = 0; c < 6; c++) p.reference[c] = 0, p.scale[c] = 196, p.largest_update[c] = 7;
  p.largest_update[4] = 0;
  achd_load_reset(&load, bias);
  achd_load_event event = ACHD_LOAD_WAITING;
  for (int k = 0; k < 1000 && event == ACHD_LOAD_WAITING; k++)
    event = achd_load_step(&load, &p, bias, still);
  CHECK(event == ACHD_LOAD_QUIET);
  achd_load_update(&load, &p);
  CHECK_NEAR((double)load.wrench[2], -7, 100 * rounding);
  CHECK_NEAR((double)load.wrench[4], 3.5, 100 * rounding); /* no limit of its own */
  CHECK(load.wrench[0] == 0);
  const achd_real change[6] = {0, 14, 0, 0, 2, -1};
  CHECK(achd_load_update_by(&load, change));
  CHECK_NEAR((double)load.wrench[1], 7, 100 * rounding);
  CHECK_NEAR((double)load.wrench[4], 4.5, 100 * rounding);
  CHECK_NEAR((double)load.wrench[5], -0.5, 100 * rounding);
}

/* Updates that go on and on, as of a tool that is held: the estimate stays where it may be, and says so. */
static void estimates_are_limited(void) {
  achd_load load;
  achd_load_parameters p = parameters;
  achd_real bias[6] = {0, 0, 1, 0, 0, 0};
  const achd_real change[6] = {0, 14, 0, 0, 0, -1};
  for (int c = 0; c < 6; c++)
    p.reference[c] = 0, p.scale[c] = 7, p.largest_update[c] = 0, p.largest_wrench[c] = 20;
  p.largest_wrench[5] = 0;
  achd_load_reset(&load, bias);
  achd_load_step(&load, &p, bias, still);
  for (int k = 1; k <= 10; k++) {
    achd_load_update(&load, &p);
    CHECK_NEAR((double)load.wrench[2], k < 3 ? -7 * k : -20, 100 * rounding);
    CHECK(load.beyond == (k < 3 ? 0u : 1u << 2));
    CHECK(achd_load_update_by(&load, change));
    CHECK_NEAR((double)load.wrench[1], k < 2 ? 14 : 20, 100 * rounding);
    CHECK(load.beyond == (k < 2 ? 0u : 1u << 1));
    CHECK_NEAR((double)load.wrench[5], -k, 100 * rounding); /* no limit of its own */
  }
  achd_load_reset(&load, bias);
  CHECK(load.beyond == 0 && load.wrench[2] == 0);
}

/* What a steady gain bears is not with the bias: not converged, though all is quiet. */
static void gains_that_bear_a_load_do_not_converge(void) {
  for (int c = 0; c < 6; c++) {
    achd_load load;
    achd_load_reset(&load, parameters.reference);
    achd_real gain[6] = {0};
    gain[c] = (achd_real)0.7;
    achd_load_event event = ACHD_LOAD_WAITING;
    for (int k = 0; k < 400; k++) {
      event = achd_load_step(&load, &parameters, parameters.reference, gain);
      CHECK(event != ACHD_LOAD_CONVERGED);
    }
    CHECK(event == ACHD_LOAD_QUIET);
    achd_load_parameters tolerant = parameters;
    tolerant.gain_tolerance = (achd_real)0.8;
    CHECK(achd_load_step(&load, &tolerant, parameters.reference, gain) == ACHD_LOAD_CONVERGED);
    gain[c] = (achd_real)0.05;
    for (int k = 0; k < 400; k++)
      event = achd_load_step(&load, &parameters, parameters.reference, gain);
    CHECK(event == ACHD_LOAD_CONVERGED);
  }
}

static void one_loud_signal_is_enough(void) {
  for (int channel = 0; channel < 12; channel++) {
    achd_load load;
    achd_load_reset(&load, still);
    int events = 0;
    for (int k = 0; k < 1000; k++) {
      achd_real bias[6] = {0}, gain[6] = {0};
      const double wave = 0.1 * (k / 10 % 2);
      if (channel < 6)
        bias[channel] = (achd_real)wave;
      else
        gain[channel - 6] = (achd_real)wave;
      events += achd_load_step(&load, &parameters, bias, gain) != ACHD_LOAD_WAITING;
    }
    CHECK(events == 0);
  }
}

/* A drift of small variance. */
static void slow_drift_is_not_quiet(void) {
  achd_load_parameters steep = parameters;
  steep.bias.variance = 1;
  achd_load load;
  achd_load_reset(&load, still);
  int events = 0;
  for (int k = 0; k < 1000; k++) {
    const achd_real bias[6] = {0, (achd_real)(2e-5 * k), 0, 0, 0, 0};
    events += achd_load_step(&load, &steep, bias, still) != ACHD_LOAD_WAITING;
  }
  CHECK(events == 0);
}

static void strange_values_begin_the_waiting_again(void) {
  achd_load load;
  const achd_real loaded[6] = {0, 0, 1, 0, 0, 0}, strange[6] = {0, 0, (achd_real)NAN, 0, 0, 0};
  achd_load_reset(&load, strange);
  CHECK(load.bias[2] == 0);
  achd_load_reset(&load, loaded);
  for (int k = 0; k < 150; k++) achd_load_step(&load, &parameters, loaded, still);
  CHECK(achd_load_step(&load, &parameters, strange, still) == ACHD_LOAD_WAITING);
  CHECK(load.bias[2] == 1);
  CHECK(steps_until(&load, loaded, ACHD_LOAD_QUIET) >= ACHD_LOAD_WINDOW + 60);
  achd_load_step(&load, &parameters, loaded, strange);
  CHECK(steps_until(&load, loaded, ACHD_LOAD_QUIET) >= ACHD_LOAD_WINDOW + 60);
}

/* ---- mass and centre ---- */

static const achd_real down[3] = {0, 0, (achd_real)-9.81};

/* The wrench of a mass at a centre, in a tool that is turned by v: f = m g, moment = c x f. */
static void add_pose(achd_payload_sums *sums, double mass, const double centre[3],
                     const double v[3]) {
  const achd_real turn[3] = {(achd_real)v[0], (achd_real)v[1], (achd_real)v[2]};
  const achd_real c[3] = {(achd_real)centre[0], (achd_real)centre[1], (achd_real)centre[2]};
  achd_rotation R;
  achd_real arm[3];
  achd_rotation_exp(turn, &R);
  achd_rotate(&R, c, arm);
  const achd_real f = (achd_real)(-9.81 * mass);
  const achd_wrench w = {{0, 0, f}, {arm[1] * f, -arm[0] * f, 0}};
  CHECK(achd_payload_add(sums, &w, &R, down));
}

static const double centre[3] = {0.02, -0.03, 0.05};

/* Three numbers that single precision cannot hold to the least-squares' square root. */
static const double solved = sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-8;

static void two_poses_tell_mass_and_centre(void) {
  achd_payload_sums sums = {0};
  achd_payload payload;
  add_pose(&sums, 1.5, centre, (double[]){0, 0, 0});
  add_pose(&sums, 1.5, centre, (double[]){1, 0.5, 0});
  achd_payload_solve(&sums, &payload);
  CHECK_NEAR((double)payload.mass, 1.5, 10 * rounding);
  for (int i = 0; i < 3; i++) CHECK_NEAR((double)payload.centre[i], centre[i], solved);
  CHECK(payload.rank == 3);
}

static void one_pose_tells_two_components(void) {
  achd_payload_sums sums = {0};
  achd_payload payload;
  add_pose(&sums, 1.5, centre, (double[]){0, 0, 0});
  add_pose(&sums, 1.5, centre, (double[]){0, 0, 2}); /* about gravity: nothing new */
  achd_payload_solve(&sums, &payload);
  CHECK_NEAR((double)payload.mass, 1.5, 10 * rounding);
  CHECK_NEAR((double)payload.centre[0], centre[0], solved);
  CHECK_NEAR((double)payload.centre[1], centre[1], solved);
  CHECK_NEAR((double)payload.centre[2], 0, 10 * solved);
  CHECK(payload.rank == 2);
}

static void turns_below_five_degrees_are_not_trusted(void) {
  for (int degrees = 2; degrees <= 20; degrees++) {
    achd_payload_sums sums = {0};
    achd_payload payload;
    add_pose(&sums, 1.5, centre, (double[]){0, 0, 0});
    add_pose(&sums, 1.5, centre, (double[]){degrees * 0.0174533, 0, 0});
    achd_payload_solve(&sums, &payload);
    CHECK(degrees < 4 ? payload.rank == 2 : degrees > 6 ? payload.rank == 3 : payload.rank > 0);
  }
}

static void nothing_known_is_no_load(void) {
  achd_payload_sums sums = {0};
  achd_payload payload = {1, {1, 1, 1}, 3};
  achd_payload_solve(&sums, &payload);
  CHECK(payload.mass == 0 && payload.rank == 0 && payload.centre[0] == 0);
  const achd_wrench strange = {{0, 0, (achd_real)NAN}, {0, 0, 0}};
  const achd_rotation identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  CHECK(!achd_payload_add(&sums, &strange, &identity, down));
  CHECK(sums.gravity == 0);
  const achd_wrench lifting = {{0, 0, 1}, {0, 0, 0}}; /* a balloon: no centre */
  CHECK(achd_payload_add(&sums, &lifting, &identity, down));
  achd_payload_solve(&sums, &payload);
  CHECK(payload.mass < 0 && payload.rank == 0);
}

/* By the definition, element by element: I + m (c.c 1 - c c^T), at the centre in link axes. */
static void link_carries_a_point_mass(void) {
  const achd_payload payload = {2, {1, 2, 3}, 3};
  /* tool: at (10, 0, 0) in the link, its x along the link's y, its y along the link's -x */
  const achd_pose tool = {{10, 0, 0}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
  const achd_inertia link = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  achd_inertia loaded;
  achd_payload_carry(&payload, &tool, &link, &loaded);
  const double c[3] = {10 - 2, 1, 3};
  CHECK(loaded.m == 3);
  CHECK((double)loaded.mx == 2 + 2 * c[0] && (double)loaded.my == 3 + 2 * c[1] &&
        (double)loaded.mz == 4 + 2 * c[2]);
  CHECK((double)loaded.xx == 5 + 2 * (c[1] * c[1] + c[2] * c[2]));
  CHECK((double)loaded.xy == 6 - 2 * c[0] * c[1] && (double)loaded.xz == 7 - 2 * c[0] * c[2]);
  CHECK((double)loaded.yy == 8 + 2 * (c[0] * c[0] + c[2] * c[2]));
  CHECK((double)loaded.yz == 9 - 2 * c[1] * c[2]);
  CHECK((double)loaded.zz == 10 + 2 * (c[0] * c[0] + c[1] * c[1]));
  const achd_payload lifted = {-1, {1, 2, 3}, 0};
  achd_payload_carry(&lifted, &tool, &link, &loaded);
  CHECK(loaded.m == 1 && loaded.mx == 2 && loaded.zz == 10);
}

int main(void) {
  RUN(window_knows_its_last_samples);
  RUN(empty_window_has_no_statistics);
  RUN(quiet_takes_a_window_and_patience);
  RUN(update_is_scale_times_excess);
  RUN(update_by_a_known_change);
  RUN(updates_are_limited);
  RUN(estimates_are_limited);
  RUN(gains_that_bear_a_load_do_not_converge);
  RUN(one_loud_signal_is_enough);
  RUN(slow_drift_is_not_quiet);
  RUN(strange_values_begin_the_waiting_again);
  RUN(two_poses_tell_mass_and_centre);
  RUN(one_pose_tells_two_components);
  RUN(turns_below_five_degrees_are_not_trusted);
  RUN(nothing_known_is_no_load);
  RUN(link_carries_a_point_mass);
  return test_end();
}
