/* SPDX-License-Identifier: MIT */
/* limit_test.c: motions that are driven as far as achd/limit.h lets them, from random states: they stay
 * within position, velocity and acceleration and come to rest at the limit in the time of a bang-bang
 * motion; points of a base stay in convex areas; bumps stay below their bound, by integration. */
#include <achd/limit.h>

#include "random.h"
#include "test.h"

static const bool single = sizeof(achd_real) == sizeof(float);

static unsigned long long seed = 31;

static double between(double low, double high) {
  return random_between(&seed, low, high);
}

static achd_real real_of(double x) {
  return (achd_real)x;
}

/* From rest or a random speed that can be stopped, with all the acceleration that is allowed; steps in
 * which the acceleration stays. */
static void stops_in_time(void) {
  double beyond = 0, late = 0, fast = 0, most = 0;
  for (int run = 0; run < 300; run++) {
    const achd_limit l = {.velocity = real_of(between(0.2, 2)),
                          .braking = real_of(between(0.5, 20)),
                          .most = 0,
                          .rate = 10,
                          .period = real_of(run % 2 ? 1e-3 : 4e-3)};
    achd_limit limit = l;
    limit.most = l.braking * (run % 3 ? 1 : 2);
    const double V = (double)l.velocity, a = (double)l.braking, h = (double)l.period;
    const double up = (double)limit.most;
    double v = run % 5 ? between(-V, V) : 0;
    double d = between(0.001, 1) + (v > 0 ? v * v / (2 * a) + h * v : 0), t = 0, arrives = INFINITY;
    /* a bang-bang motion: up to w, along, down with a */
    double w = V, distance = d;
    if (distance < (w * w - v * v) / (2 * up) + w * w / (2 * a))
      w = sqrt((distance + v * v / (2 * up)) / (1 / (2 * up) + 1 / (2 * a)));
    const double best =
        (w - v) / up + w / a + (distance - (w * w - v * v) / (2 * up) - w * w / (2 * a)) / w;
    for (int k = 0; k * h < best + 2; k++) {
      achd_real x;
      CHECK(achd_limit_most(&limit, real_of(d), real_of(v), &x));
      d -= h * v + h * h * (double)x / 2;
      v += h * (double)x;
      t += h;
      beyond = fmax(beyond, -d / (a * h * h));
      fast = fmax(fast, fabs(v) / V - 1);
      most = fmax(most, fabs((double)x) / up - 1);
      if (d < 1e-3 * distance && isinf(arrives)) arrives = t;
    }
    CHECK(fabs(v) < (single ? 1e-2 : 1e-3) * V && fabs(d) < 1e-3);
    late = fmax(late, (arrives - best) / best);
  }
  printf("beyond %.3g of a h^2, too fast by %.1e, acceleration beyond by %.1e, later than "
         "bang-bang by %.2f %%\n",
         beyond, fast, most, 100 * late);
  CHECK(beyond < (single ? 1 : 0.2)); /* a h^2 / 8: in the step in which it stops */
  CHECK(fast < (single ? 1e-5 : 1e-12));
  CHECK(most < (single ? 1e-5 : 1e-12));
  CHECK(late < 0.05);
}

static void comes_back_from_beyond(void) {
  const achd_limit l = {
      .velocity = real_of(0.5), .braking = 2, .most = 4, .rate = 10, .period = real_of(1e-3)};
  double d = -0.1, v = 0.2;
  for (int k = 0; k < 3000; k++) {
    achd_real x;
    CHECK(achd_limit_most(&l, real_of(d), real_of(v), &x));
    CHECK(fabs((double)x) <= 4);
    d -= 1e-3 * v + 1e-6 * (double)x / 2;
    v += 1e-3 * (double)x;
    CHECK(v >= -0.5 - 1e-5);
  }
  CHECK_NEAR(d, 0, 1e-4);
  CHECK_NEAR(v, 0, 1e-3);
}

static void what_is_senseless_is_refused(void) {
  const achd_limit good = {1, 1, 2, 10, real_of(1e-3)};
  const achd_real nan = real_of(NAN);
  achd_limit bad[6] = {good, good, good, good, good, good};
  achd_real x = 7;
  bad[0].velocity = 0, bad[1].braking = -1, bad[2].most = real_of(0.5), bad[3].rate = 2000;
  bad[4].period = 0, bad[5].braking = nan;
  for (int i = 0; i < 6; i++) {
    CHECK(!achd_limit_most(&bad[i], 1, 0, &x) && x == 0);
    CHECK(isinf((double)achd_limit_stop(&bad[i], 1)));
  }
  CHECK(!achd_limit_most(&good, nan, 0, &x) && x == 0);
  CHECK(!achd_limit_most(&good, 1, nan, &x) && x == 0);
  CHECK(!achd_limit_most(&good, 1, ACHD_INFINITY, &x) && x == 0);
  CHECK(achd_limit_most(&good, ACHD_INFINITY, 0, &x) && x == 2);
  CHECK_NEAR((double)achd_limit_stop(&good, 2), 2 + 2e-3, 1e-6);
  CHECK(achd_limit_stop(&good, -2) == 0);

  static const achd_real line[3][2] = {{0, 0}, {1, 0}, {2, 0}},
                         clockwise[3][2] = {{0, 0}, {0, 1}, {1, 0}},
                         triangle[3][2] = {{0, 0}, {1, 0}, {0, 1}}, middle[1][2] = {{0, 0}};
  const achd_outline outline = {1, middle, 0};
  const achd_real pose[3] = {real_of(0.2), real_of(0.2), 0}, twist[3] = {0}, lost[3] = {0, nan, 0};
  achd_area_row rows[3];
  CHECK(achd_area_rows(&(achd_area){3, triangle}, &outline, &good, pose, twist, rows));
  for (int i = 0; i < 4; i++) {
    rows[1].most = 7;
    CHECK(!achd_area_rows(&(achd_area){3, i == 0   ? line
                                          : i == 1 ? clockwise
                                                   : triangle},
                          &outline, &good, i == 2 ? lost : pose, i == 3 ? lost : twist, rows));
    CHECK(rows[1].most == 0 && rows[1].direction[0] == 0 && rows[1].direction[2] == 0);
  }
  CHECK(!achd_area_speed(&good, lost, rows));
  CHECK(isinf((double)achd_bump_force(&(achd_bumper){0, 1}, 1, 1, 1)));
  CHECK(isinf((double)achd_bump_force(&(achd_bumper){1, 1}, 1, nan, 1)));
  CHECK(achd_bump_speed(&(achd_bumper){1, 1}, 1, 1, 2) == 0);
}

/* Distances and speeds of the rows against differences along a motion. */
static void rows_are_what_points_do(void) {
  static const achd_real corners[5][2] = {{-2, -1}, {2, -2}, {3, 1}, {0, 3}, {-2, 2}};
  static const achd_real points[3][2] = {
      {(achd_real)0.3, (achd_real)0.2}, {(achd_real)-0.3, (achd_real)0.2}, {0, (achd_real)-0.4}};
  const achd_area area = {5, corners};
  const achd_outline outline = {3, points, real_of(0.1)};
  const achd_limit free = {.velocity = 1000,
                           .braking = 1000,
                           .most = ACHD_INFINITY,
                           .rate = 10,
                           .period = real_of(1e-3)};
  const double t = single ? 1e-2 : 1e-4;
  for (int n = 0; n < 50; n++) {
    double pose[3], twist[3], acceleration[3];
    for (int k = 0; k < 3; k++)
      pose[k] = between(-0.5, 0.5), twist[k] = between(-1, 1), acceleration[k] = between(-1, 1);
    achd_area_row at[3][15];
    for (int s = 0; s < 3; s++) {
      achd_real p[3], v[3];
      const double u = (s - 1) * t;
      for (int k = 0; k < 3; k++) {
        p[k] = real_of(pose[k] + u * twist[k] + u * u / 2 * acceleration[k]);
        v[k] = real_of(twist[k] + u * acceleration[k]);
      }
      CHECK(achd_area_rows(&area, &outline, &free, p, v, at[s]));
    }
    for (int i = 0; i < 15; i++) {
      const achd_area_row *row = &at[1][i];
      double speed = 0, along = 0;
      for (int k = 0; k < 3; k++) {
        speed += (double)row->direction[k] * twist[k];
        along += (double)row->direction[k] * acceleration[k];
      }
      const double before = (double)at[0][i].distance, here = (double)row->distance,
                   after = (double)at[2][i].distance;
      CHECK_NEAR((before - after) / (2 * t), speed, single ? 1e-3 : 1e-6);
      achd_real most;
      CHECK(achd_limit_most(&free, row->distance, real_of(speed), &most));
      /* the point accelerates by `along` - centripetal, which the row's `most` has taken to it */
      if (!single)
        CHECK_NEAR(-(before - 2 * here + after) / (t * t),
                   along - ((double)row->most - (double)most), 1e-4);
    }
  }
}

/* A mass on its bumper in steps of 1 us, driven with the whole force. */
static double hardest(const achd_bumper *b, double mass, double speed, double drive) {
  const double h = 1e-6, k = (double)b->stiffness, c = (double)b->damping;
  double x = 0, v = speed, most = 0;
  for (int i = 0; i < 400000 && (v > 0 || i == 0); i++) {
    const double f = k * x + c * v;
    most = fmax(most, f);
    v += h * (drive - f) / mass;
    x += h * v;
  }
  return most;
}

static void bumps_are_below_their_bound(void) {
  double least = INFINITY;
  for (int n = 0; n < 40; n++) {
    const double mass = between(10, 200), k = 1000 * pow(10, between(0, 2)), v = between(0.02, 1);
    const double c = n % 4 ? 2 * sqrt(k * mass) * between(0.05, 2) : 0, drive = between(0, 100);
    const achd_bumper b = {real_of(k), real_of(c)};
    const double bound = (double)achd_bump_force(&b, real_of(mass), real_of(v), real_of(drive)),
                 force = hardest(&b, mass, v, drive);
    CHECK(force <= bound * (1 + 1e-4)); /* steps times sqrt(k / mass) */
    least = fmin(least, bound / fmax(force, drive));
    const achd_real slow = achd_bump_speed(&b, real_of(mass), real_of(bound), real_of(drive));
    CHECK_NEAR((double)achd_bump_force(&b, real_of(mass), slow, real_of(drive)), bound,
               (single ? 1e-3 : 1e-9) * bound);
  }
  printf("bounds of bumps: %.3f of the force at best\n", least);
  CHECK(least < 1.5); /* a bound that means something */
}

int main(void) {
  RUN(stops_in_time);
  RUN(comes_back_from_beyond);
  RUN(what_is_senseless_is_refused);
  RUN(rows_are_what_points_do);
  RUN(bumps_are_below_their_bound);
  return test_end();
}
