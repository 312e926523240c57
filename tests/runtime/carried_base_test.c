/* SPDX-License-Identifier: MIT */
/* carried_base_test.c: dynamics on a base that accelerates and turns as is given: six physical rows at
 * the base. Of a thin rod of 1 m and 1 kg that turns about z, I = 1/3 kg m^2, at the angle q from y on a
 * base that turns with W and its rate A and accelerates by a, Lagrange says
 *   I (qdd + A_z) = tau - m l/2 (a_y r_x - a_x r_y) + I (W_x W_y cos 2q + (W_y^2 - W_x^2) sin 2q / 2),
 * r = (-sin q, cos q) along the rod: the kinetic energy of turning has the term I/2 (W . r')^2 less. */
#include "random.h"
#include "rod_carried.h"
#include "test.h"

static unsigned long long seed = 21;

static void rod_moves_as_on_a_carried_base(void) {
  const double inertia = 1.0 / 3;
  for (int n = 0; n < 500; n++) {
    rod_carried_achd_in in = {.base = {.rot = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    rod_carried_achd_out out;
    double W[3], a[6];
    const double q = in.q[0] = random_between(&seed, -3, 3);
    in.qd[0] = random_between(&seed, -2, 2);
    const double tau = in.tau_art[0] = random_between(&seed, -5, 5);
    for (int k = 0; k < 3; k++) {
      W[k] = in.base.twist.ang[k] = random_between(&seed, -3, 3);
      in.base.twist.lin[k] = random_between(&seed, -3, 3);
    }
    for (int k = 0; k < 6; k++) a[k] = in.b[k] = random_between(&seed, -5, 5);
    CHECK(rod_carried_achd(&in, &out) == ROD_CARRIED_OK);
    const double x = -sin(q), y = cos(q);
    const double turning = W[0] * W[1] * cos(2 * q) + (W[1] * W[1] - W[0] * W[0]) * sin(2 * q) / 2;
    const double qdd = (tau - 0.5 * (a[1] * x - a[0] * y)) / inertia + turning - a[5];
    CHECK_NEAR(out.qdd[0], qdd, 1e-4); /* the rod of the URDF is not quite thin: 1e-6 kg m^2 */
    CHECK_NEAR(out.tau_ctrl[0], tau, 1e-12);
  }
}

int main(void) {
  RUN(rod_moves_as_on_a_carried_base);
  return test_end();
}
