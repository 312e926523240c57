/* SPDX-License-Identifier: MIT */
/* vehicle_test.c: odometry and wheel torques of differential, steered and mecanum vehicles against
 * the formulas of textbooks, against each other, and against the power that wheels and base share. */
#include <achd/vehicle.h>

#include "random.h"
#include "test.h"

static const achd_real digits =
    sizeof(achd_real) == sizeof(float) ? (achd_real)2e-4 : (achd_real)1e-12;

#define NEAR(a, b) CHECK_NEAR((double)(a), (double)(b), (double)digits)

/* v = r (w_right + w_left) / 2, yaw = r (w_right - w_left) / distance; sideways the ground holds */
static void differential(void) {
  const achd_real r = (achd_real)0.1, half = (achd_real)0.25;
  const achd_wheel wheels[] = {{0, -half, r, 0, false, 0}, {0, half, r, 0, false, 0}};
  const achd_vehicle vehicle = {2, wheels};
  const achd_real rates[] = {3, 5};
  achd_real twist[3], back[2], torques[2], missed[3], sideways;
  CHECK(achd_vehicle_twist(&vehicle, rates, twist));
  NEAR(twist[0], 0.4);
  NEAR(twist[1], 0);
  NEAR(twist[2], -0.4);
  CHECK(achd_vehicle_rates(&vehicle, twist, back, &sideways));
  NEAR(back[0], 3);
  NEAR(back[1], 5);
  NEAR(sideways, 0);
  const achd_real wrench[] = {10, 7, 1};
  CHECK(achd_vehicle_torques(&vehicle, wrench, torques, missed));
  NEAR(torques[0], 0.5 + 0.2); /* F r / 2 + M r / distance */
  NEAR(torques[1], 0.5 - 0.2);
  NEAR(missed[0], 0);
  NEAR(missed[1], 7);
  NEAR(missed[2], 0);
  const achd_real slips[] = {0, 1, 0};
  CHECK(achd_vehicle_rates(&vehicle, slips, back, &sideways));
  NEAR(sideways, 1);
}

/* v_x = r / 4 sum w, v_y = r / 4 (-w_1 + w_2 + w_3 - w_4), yaw = r / (4 (a + b)) (-w_1 + w_2 - w_3 +
 * w_4): front left, front right, rear left, rear right */
static void mecanum(void) {
  const achd_real r = (achd_real)0.05, a = (achd_real)0.3, b = (achd_real)0.2,
                  turn = (achd_real)(3.14159265358979323846 / 4);
  const achd_wheel wheels[] = {{a, b, r, 0, true, -turn},
                               {a, -b, r, 0, true, turn},
                               {-a, b, r, 0, true, turn},
                               {-a, -b, r, 0, true, -turn}};
  const achd_vehicle vehicle = {4, wheels};
  const achd_real rates[] = {1, 4, -2, 3};
  achd_real twist[3], torques[4], missed[3];
  CHECK(achd_vehicle_twist(&vehicle, rates, twist));
  NEAR(twist[0], 0.05 / 4 * 6);
  NEAR(twist[1], 0.05 / 4 * (-1 + 4 - 2 - 3));
  NEAR(twist[2], 0.05 / 4 / 0.5 * (-1 + 4 + 2 + 3));
  const achd_real wrench[] = {8, 4, 2};
  CHECK(achd_vehicle_torques(&vehicle, wrench, torques, missed));
  for (int k = 0; k < 3; k++) NEAR(missed[k], 0);
  NEAR(torques[0], 0.05 / 4 * (8 - 4 - 2 / 0.5));
  NEAR(torques[1], 0.05 / 4 * (8 + 4 + 2 / 0.5));
  NEAR(torques[2], 0.05 / 4 * (8 + 4 - 2 / 0.5));
  NEAR(torques[3], 0.05 / 4 * (8 - 4 + 2 / 0.5));
}

static achd_real between(double low, double high) {
  static unsigned long long seed = 5;
  return (achd_real)random_between(&seed, low, high);
}

/* Wheels steered to the twist's centre of rotation measure that twist; whatever a vehicle is, wheels
 * and base do the same work. */
static void steered_and_others(void) {
  for (int n = 0; n < 200; n++) {
    achd_wheel wheels[4];
    const achd_vehicle vehicle = {4, wheels};
    const achd_real twist[] = {between(-1, 1), between(-1, 1), between(-2, 2)};
    achd_real rates[4], back[3], sideways, torques[4], missed[3];
    const bool mixed = n % 2;
    for (int i = 0; i < 4; i++) {
      achd_wheel *w = &wheels[i];
      *w = (achd_wheel){between(-1, 1), between(-1, 1), between(0.05, 0.2), 0,
                        mixed && i > 1, between(-1, 1)};
      const double vx = (double)(twist[0] - twist[2] * w->y),
                   vy = (double)(twist[1] + twist[2] * w->x);
      w->heading = w->rollers ? between(-3, 3) : (achd_real)atan2(vy, vx);
    }
    CHECK(achd_vehicle_rates(&vehicle, twist, rates, &sideways));
    NEAR(sideways, 0);
    CHECK(achd_vehicle_twist(&vehicle, rates, back));
    for (int k = 0; k < 3; k++) CHECK_NEAR((double)back[k], (double)twist[k], 100 * (double)digits);
    const achd_real wrench[] = {between(-9, 9), between(-9, 9), between(-9, 9)};
    CHECK(achd_vehicle_torques(&vehicle, wrench, torques, missed));
    double of_wheels = 0, of_base = 0;
    for (int i = 0; i < 4; i++) of_wheels += (double)(torques[i] * rates[i]);
    for (int k = 0; k < 3; k++) of_base += (double)((wrench[k] - missed[k]) * twist[k]);
    CHECK_NEAR(of_wheels, of_base, 1000 * (double)digits);
  }
}

static void senseless_numbers(void) {
  achd_wheel wheel = {0, 0, (achd_real)0.1, 0, false, 0};
  const achd_vehicle vehicle = {1, &wheel};
  achd_real twist[3], torque, missed[3], rate = 2;
  const achd_real wrench[] = {1, 0, 0};
  CHECK(achd_vehicle_twist(&vehicle, &rate, twist)); /* one wheel: it turns about nothing */
  NEAR(twist[0], 0.2);
  NEAR(twist[2], 0);
  rate = (achd_real)NAN;
  CHECK(!achd_vehicle_twist(&vehicle, &rate, twist) && twist[0] == 0);
  wheel.radius = 0;
  CHECK(!achd_vehicle_torques(&vehicle, wrench, &torque, missed) && torque == 0);
  wheel = (achd_wheel){0, 0, 1, 0, true, (achd_real)1.57079632679489662};
  CHECK(!achd_vehicle_torques(&vehicle, wrench, &torque, missed) && torque == 0);
}

int main(void) {
  RUN(differential);
  RUN(mecanum);
  RUN(steered_and_others);
  RUN(senseless_numbers);
  return test_end();
}
