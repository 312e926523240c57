/* SPDX-License-Identifier: MIT */
/* drive_test.c: platforms with two and with four drives are driven 1 m forward, 1 m sideways, and turned
 * on the spot, by forces of the generated solvers and torques of the wheels, through the adapter; where
 * they are is told by the world. */
#define ROBILE_IMPLEMENTATION
#define PLATFORM_IMPLEMENTATION
#include <math.h>

#include "platform_achd.h"
#include "robile_achd.h"

#include "platform_drives.h"
#include "mujoco_world.h"

#include <stdlib.h>

#include "test.h"

static achd_kelo base;

/* The truth: x, y, yaw of the base in the world, and how far it is from level. */
static void truth(double pose[3], double *tilt) {
  achd_world_lock();
  const mjtNum *q = achd_world_data(achd_world_find("net0"))->qpos;
  pose[0] = q[0], pose[1] = q[1];
  pose[2] = atan2(2 * (q[3] * q[6] + q[4] * q[5]), 1 - 2 * (q[5] * q[5] + q[6] * q[6]));
  *tilt = hypot(q[4], q[5]);
  achd_world_unlock();
}

static double within(double x, double most) {
  return x > most ? most : x < -most ? -most : x;
}

/* The wrench on the base, along its axes, that leads to a goal: velocities towards it, as fast as its
 * distance allows; forces by what is missing of them, and by its integral, against friction. */
static void wrench_to(const double goal[3], double integral[3], double wrench[3]) {
  static const double fastest[3] = {.25, .25, .5}, gain[3] = {400, 400, 40}, most[3] = {60, 60, 20};
  static const double slow = 1.5; /* gain of the integral, relative [1/s] */
  const double c = cos(base.pose[2]), s = sin(base.pose[2]);
  const double dx = goal[0] - base.pose[0], dy = goal[1] - base.pose[1];
  const double missing[3] = {c * dx + s * dy, c * dy - s * dx, goal[2] - base.pose[2]};
  for (int k = 0; k < 3; k++) {
    const double error = gain[k] * (within(1.5 * missing[k], fastest[k]) - base.twist[k]);
    integral[k] = within(integral[k] + slow * error * base.period, most[k] / 4);
    wrench[k] = within(error + integral[k], most[k]);
  }
}

typedef struct run {
  double end[3], tilt, aside, speed, torque, lag;
} run;

static run drive_to(const test_platform *p, const double goal[3], double duration) {
  run r = {.tilt = 0};
  double integral[3] = {0, 0, 0};
  const double along = hypot(goal[0], goal[1]);
  for (int k = 0; k < (int)(1000 * duration); k++) {
    achd_measurement measured;
    double wrench[3], forces[8], torques[8], pose[3], tilt;
    achd_kelo_read(&base, &measured);
    CHECK(base.error == 0 && !measured.drives_fault && measured.joints_age == 0);
    wrench_to(goal, integral, wrench);
    CHECK(p->forces(wrench, forces));
    achd_platform_wheel_torques(&base.platform, base.angle, forces, torques);
    achd_kelo_command_torques(&base, torques);
    truth(pose, &tilt);
    r.tilt = fmax(r.tilt, tilt);
    r.speed = fmax(r.speed, hypot(base.twist[0], base.twist[1]));
    if (along > 0) r.aside = fmax(r.aside, fabs(pose[0] * goal[1] - pose[1] * goal[0]) / along);
    r.lag = fmax(r.lag, hypot(pose[0] - base.pose[0], pose[1] - base.pose[1]));
    for (int w = 0; w < 2 * p->platform.drives; w++) r.torque = fmax(r.torque, fabs(torques[w]));
  }
  truth(r.end, &r.tilt);
  return r;
}

static bool begin(const test_platform *p) {
  const achd_kelo_setup setup = test_setup(p);
  if (p->world)
    setenv("ACHD_SIM", p->world, 1);
  else
    unsetenv("ACHD_SIM");
  const bool good = achd_kelo_connect(&base, &setup);
  CHECK(good && base.enabled && base.charge > 70 && base.charge <= 80);
  return good;
}

static void drive(const double goal[3], const char *what) {
  for (int k = 0; k < 2; k++) {
    const test_platform *p = &test_platforms[k];
    if (!begin(p)) continue;
    const run r = drive_to(p, goal, 10);
    achd_kelo_disconnect(&base);
    printf("%s %s: ends at %.4f %.4f m, %.4f rad; %.1f mm beside the line, %.2f m/s, %.2f N m, "
           "odometry %.1f mm off\n",
           p->name, what, r.end[0], r.end[1], r.end[2], 1000 * r.aside, r.speed, r.torque,
           1000 * r.lag);
    CHECK_NEAR(r.end[0], goal[0], 0.02);
    CHECK_NEAR(r.end[1], goal[1], 0.02);
    CHECK_NEAR(remainder(r.end[2] - goal[2], 2 * M_PI), 0, 0.02);
    /* while the drives turn into the new direction it leaves the line by less than half a brick */
    CHECK(r.tilt < 0.005 && r.lag < 0.02 && r.speed < 0.5);
    if (goal[2] == 0) CHECK(r.aside < 0.1165);
  }
}

static void forward(void) {
  drive((const double[]){1, 0, 0}, "forward");
}
static void backward(void) {
  drive((const double[]){-1, 0, 0}, "backward");
}
static void sideways(void) {
  drive((const double[]){0, 1, 0}, "sideways");
}
static void on_the_spot(void) {
  drive((const double[]){0, 0, M_PI / 2}, "on the spot");
}
static void all_at_once(void) {
  drive((const double[]){0.6, -0.8, -1}, "all at once");
}

/* One torque that is no number, in the middle of a motion: no drive gets it, and the platform rests. */
static void torques_that_are_no_numbers_stop_it(void) {
  for (int k = 0; k < 2; k++) {
    const test_platform *p = &test_platforms[k];
    const double goal[3] = {1, 0, 0};
    double torques[8] = {0};
    if (!begin(p)) continue;
    drive_to(p, goal, 2);
    CHECK(hypot(base.twist[0], base.twist[1]) > 0.1);
    torques[1] = NAN;
    for (int cycle = 0; cycle < 1000; cycle++) {
      achd_measurement measured;
      achd_kelo_read(&base, &measured);
      CHECK(!measured.drives_fault);
      achd_kelo_command_torques(&base, torques);
      for (int w = 0; w < 2 * p->platform.drives; w++) CHECK(isfinite(base.torque_cmd[w]));
    }
    CHECK(hypot(base.twist[0], base.twist[1]) < 0.01);
    achd_kelo_disconnect(&base);
  }
}

int main(void) {
  RUN(forward);
  RUN(backward);
  RUN(sideways);
  RUN(on_the_spot);
  RUN(all_at_once);
  RUN(torques_that_are_no_numbers_stop_it);
  return test_end();
}
