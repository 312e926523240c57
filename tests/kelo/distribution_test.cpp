/* SPDX-License-Identifier: MIT */
/* distribution_test.cpp: the forces that drives exert on a platform, by the generated solvers of
 * robots/platforms/ (two drives, four) and of three_drives.lua, against the
 * pseudo-inverse of the matrix of the forces, by a dense singular value decomposition; then wheels'
 * forces and velocities against values that were computed by hand, and against each other. */
#include <cmath>

#define ROBILE_IMPLEMENTATION
#include "robile_achd.h"
#define THREE_IMPLEMENTATION
#include "three_achd.h"
#define PLATFORM_IMPLEMENTATION
#include "platform_achd.h"

#include <achd/mclp.h>
#include <achd/platform.h>

#include <Eigen/SVD>

#include <algorithm>
#include <random>

#include "test.h"

namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const achd_real places[4][2] = {{.233, .1165}, {-.233, .1165}, {-.233, -.1165}, {.233, -.1165}};
const achd_real robile_places[2][2] = {{-.233, .1165}, {-.233, -.1165}};
const achd_drive_geometry kelo = {.0515, .0786, .01};

std::mt19937 bits(1);
double in(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(bits);
}

/* The matrix G of forces along the axes of drives that are turned by phi, at (x, y): two columns each,
 * (c, s, x s - y c) and (-s, c, x c + y s). */
MatrixXd matrix_of(int n, const achd_real (*p)[2], const double *phi) {
  MatrixXd G(3, 2 * n);
  for (int i = 0; i < n; i++) {
    const double c = std::cos(phi[i]), s = std::sin(phi[i]), x = p[i][0], y = p[i][1];
    G.col(2 * i) << c, s, x * s - y * c;
    G.col(2 * i + 1) << -s, c, x * c + y * s;
  }
  return G;
}

/* Of least norm, by the pseudo-inverse. */
VectorXd wanted(const MatrixXd &G, const Vector3d &wrench) {
  Eigen::JacobiSVD<MatrixXd> svd(G, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.solve(wrench);
}

template <class Wrench> void put(Wrench &load, const Vector3d &wrench) {
  load.lin[0] = -wrench[0];
  load.lin[1] = -wrench[1];
  load.ang[2] = -wrench[2];
}

VectorXd by_robile(const Vector3d &wrench) {
  robile_achd_in input = ROBILE_ACHD_IN_DEFAULT;
  robile_achd_out out;
  put(input.load, wrench);
  CHECK((robile_achd(&input, &out) & ROBILE_DO_NOT_COMMAND) == 0);
  return Eigen::Map<VectorXd>(out.nu, ROBILE_NR);
}

VectorXd by_three(const Vector3d &wrench) {
  three_achd_in input = THREE_ACHD_IN_DEFAULT;
  three_achd_out out;
  put(input.load, wrench);
  CHECK((three_achd(&input, &out) & THREE_DO_NOT_COMMAND) == 0);
  return Eigen::Map<VectorXd>(out.nu, THREE_NR);
}

/* most: the largest force of each drive along each axis. */
VectorXd by_platform(const Vector3d &wrench, double most, platform_status *status) {
  platform_achd_in input = PLATFORM_ACHD_IN_DEFAULT;
  platform_mclp_out p;
  achd_real nu[PLATFORM_NR], work[ACHD_MCLP_WORK(PLATFORM_NR)];
  signed char side[PLATFORM_NR] = {0};
  achd_mclp_report report;
  put(input.load, wrench);
  for (int i = 0; i < PLATFORM_NR; i++) input.lo[i] = -most, input.hi[i] = most;
  *status = platform_mclp(&input, &p);
  CHECK((*status & PLATFORM_DO_NOT_COMMAND) == 0);
  const achd_mclp_problem problem = {PLATFORM_NR, p.L, p.r, p.lo, p.hi};
  CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  platform_achd_out out;
  *status |= platform_apply(&input, &p, nu, &out);
  return Eigen::Map<VectorXd>(out.nu, PLATFORM_NR);
}

VectorXd solved(int n, const Vector3d &wrench) {
  platform_status status;
  return n == 2   ? by_robile(wrench)
         : n == 3 ? by_three(wrench)
                  : by_platform(wrench, INFINITY, &status);
}

/* Errors of the largest force, relative to it. */
void pseudo_inverse() {
  for (int n = 2; n <= 4; n++) {
    const achd_real(*p)[2] = n == 2 ? robile_places : places;
    double worst = 0;
    for (int k = 0; k < 2000; k++) {
      const double scale = std::pow(10, in(-3, 4));
      const Vector3d wrench(scale * in(-1, 1), scale * in(-1, 1), scale * in(-1, 1));
      double phi[4];
      for (double &angle : phi) angle = in(-4, 4);
      const VectorXd nu = solved(n, wrench), along_drives = wanted(matrix_of(n, p, phi), wrench);
      for (int i = 0; i < n; i++) { /* the same forces, along the axes of the drives */
        const double c = std::cos(phi[i]), s = std::sin(phi[i]);
        const double x = c * nu[2 * i] + s * nu[2 * i + 1], y = c * nu[2 * i + 1] - s * nu[2 * i];
        worst = std::max({worst, std::fabs(x - along_drives[2 * i]) / along_drives.norm(),
                          std::fabs(y - along_drives[2 * i + 1]) / along_drives.norm()});
      }
    }
    printf("%d drives: largest error %.1e of the forces\n", n, worst);
    CHECK(worst < 1e-9);
  }
}

/* Zero, single axes. */
void plain_wrenches() {
  for (int n = 2; n <= 4; n++) {
    CHECK(solved(n, Vector3d::Zero()).isZero(0));
    const VectorXd forward = solved(n, Vector3d(12 * n, 0, 0));
    if (n != 3)
      for (int i = 0; i < n; i++) {
        CHECK_NEAR(forward[2 * i], 12, 1e-10);
        CHECK_NEAR(forward[2 * i + 1], 0, 1e-10);
      }
  }
}

/* Within their bounds the forces stay what they are; beyond, the platform accelerates as little as
 * possible against the wrench, and no bound is exceeded. */
void bounded_forces() {
  platform_status status;
  const VectorXd small = by_platform(Vector3d(80, 0, 0), 20.001, &status);
  CHECK((status & PLATFORM_BOUND_ACTIVE) == 0);
  CHECK_NEAR(small[0], 20, 1e-9);
  const VectorXd large = by_platform(Vector3d(100, 5, 0), 20, &status);
  CHECK((status & PLATFORM_BOUND_ACTIVE) != 0);
  CHECK(large.cwiseAbs().maxCoeff() <= 20);
  const double phi[4] = {0, 0, 0, 0};
  const Vector3d reached = matrix_of(4, places, phi) * large;
  CHECK_NEAR(reached[0], 80, 1e-9);
  CHECK_NEAR(reached[1], 5, 1e-9);
}

void values_of_the_wheels() {
  const achd_drive_geometry drive = {.0575, .0775, .01};
  achd_real wheels[2], force[2], velocity[2];
  const achd_real ahead[2] = {.25, 0}, aside[2] = {0, -.96875};
  achd_drive_wheel_forces(&drive, ahead, wheels);
  CHECK_NEAR(wheels[0], -.125, 1e-15);
  CHECK_NEAR(wheels[1], .125, 1e-15);
  achd_drive_wheel_forces(&drive, aside, wheels);
  CHECK_NEAR(wheels[0], .125, 1e-15);
  CHECK_NEAR(wheels[1], .125, 1e-15);
  achd_drive_pivot_force(&drive, wheels, force);
  CHECK_NEAR(force[0], 0, 1e-15);
  CHECK_NEAR(force[1], -.96875, 1e-15);
  const achd_real rolling[2] = {-.3, .3}, turning[2] = {-.2, -.2};
  achd_drive_pivot_velocity(&drive, rolling, velocity);
  CHECK_NEAR(velocity[0], .3, 1e-15);
  CHECK_NEAR(velocity[1], 0, 1e-15);
  achd_drive_pivot_velocity(&drive, turning, velocity); /* counter-clockwise: .4/.0775 rad/s */
  CHECK_NEAR(velocity[0], 0, 1e-15);
  CHECK_NEAR(velocity[1], .01 * .4 / .0775, 1e-15);
}

/* force . velocity = f . v; the two force functions are inverse to each other. */
void power_is_kept() {
  for (int k = 0; k < 1000; k++) {
    const achd_drive_geometry drive = {in(.02, .2), in(.03, .3), in(.002, .1)};
    const achd_real force[2] = {in(-9, 9), in(-9, 9)}, v[2] = {in(-2, 2), in(-2, 2)};
    achd_real f[2], again[2], velocity[2];
    achd_drive_wheel_forces(&drive, force, f);
    achd_drive_pivot_force(&drive, f, again);
    achd_drive_pivot_velocity(&drive, v, velocity);
    CHECK_NEAR(again[0], force[0], 1e-12);
    CHECK_NEAR(again[1], force[1], 1e-12);
    CHECK_NEAR(force[0] * velocity[0] + force[1] * velocity[1], f[0] * v[0] + f[1] * v[1], 1e-9);
  }
}

/* The whole way: power of the wheels' torques is that of the wrench, for every twist that the wheels
 * roll with; and the twist is found again from the wheels. */
void torques_do_the_work_of_the_wrench() {
  for (int n = 2; n <= 4; n++) {
    const achd_platform platform = {n, n == 2 ? robile_places : places, kelo};
    for (int k = 0; k < 500; k++) {
      const Vector3d wrench(in(-50, 50), in(-50, 50), in(-9, 9)),
          twist(in(-1, 1), in(-1, 1), in(-1, 1));
      achd_real angles[4], rates[8], torques[8], found[3];
      const VectorXd nu = solved(n, wrench);
      for (int i = 0; i < n; i++) {
        angles[i] = in(-4, 4);
        const double c = std::cos(angles[i]), s = std::sin(angles[i]);
        const double vx = twist[0] - twist[2] * platform.pivots[i][1];
        const double vy = twist[1] + twist[2] * platform.pivots[i][0];
        const double ahead = c * vx + s * vy, aside = c * vy - s * vx;
        /* x = (vl - vr)/2, y = -(l/d)(vl + vr), solved for vl and vr */
        rates[2 * i] = (-ahead - kelo.distance / (2 * kelo.offset) * aside) / kelo.radius;
        rates[2 * i + 1] = (ahead - kelo.distance / (2 * kelo.offset) * aside) / kelo.radius;
      }
      achd_platform_wheel_torques(&platform, angles, nu.data(), torques);
      achd_platform_twist(&platform, angles, rates, found);
      double power = 0;
      for (int i = 0; i < 2 * n; i++) power += torques[i] * rates[i];
      CHECK_NEAR(power, wrench.dot(twist), 1e-9);
      for (int i = 0; i < 3; i++) CHECK_NEAR(found[i], twist[i], 1e-10);
    }
  }
}

/* Velocities that fit no twist: the least squares of the pivots' velocities, by the normal equations of
 * a dense solver. */
void twist_of_least_squares() {
  const achd_platform platform = {4, places, kelo};
  for (int k = 0; k < 500; k++) {
    achd_real angles[4], rates[8], found[3];
    MatrixXd A(8, 3);
    VectorXd v(8);
    for (int i = 0; i < 4; i++) {
      angles[i] = in(-4, 4);
      rates[2 * i] = in(-5, 5), rates[2 * i + 1] = in(-5, 5);
      const double x = kelo.radius * (rates[2 * i + 1] - rates[2 * i]) / 2;
      const double y =
          -kelo.radius * kelo.offset / kelo.distance * (rates[2 * i] + rates[2 * i + 1]);
      const double c = std::cos(angles[i]), s = std::sin(angles[i]);
      v[2 * i] = c * x - s * y, v[2 * i + 1] = s * x + c * y;
      A.row(2 * i) << 1, 0, -places[i][1];
      A.row(2 * i + 1) << 0, 1, places[i][0];
    }
    achd_platform_twist(&platform, angles, rates, found);
    const Vector3d twist = A.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).solve(v);
    for (int i = 0; i < 3; i++) CHECK_NEAR(found[i], twist[i], 1e-12);
  }
  const achd_platform one = {1, places, kelo}, none = {0, places, kelo};
  const achd_real angle = 0, rolling[2] = {-1, 1};
  achd_real twist[3];
  achd_platform_twist(&one, &angle, rolling, twist);
  CHECK_NEAR(twist[0], kelo.radius, 1e-15);
  CHECK(twist[1] == 0 && twist[2] == 0);
  achd_platform_twist(&none, &angle, rolling, twist);
  CHECK(twist[0] == 0 && twist[1] == 0 && twist[2] == 0);
}

/* A quarter of a circle of radius 1, in small steps. */
void poses() {
  achd_real pose[3] = {1, 2, 0};
  const achd_real twist[3] = {M_PI / 2, 0, M_PI / 2};
  for (int k = 0; k < 1000; k++) achd_platform_advance(pose, twist, .001);
  CHECK_NEAR(pose[0], 2, 1e-6);
  CHECK_NEAR(pose[1], 3, 1e-6);
  CHECK_NEAR(pose[2], M_PI / 2, 1e-12);
}

/* Wherever a number is none, nothing that is none comes out, and a pose is not lost for ever. */
void strange_numbers() {
  const achd_platform platform = {2, places, kelo};
  for (int k = 0; k < 6; k++) {
    const achd_real strange = k % 2 ? NAN : INFINITY;
    achd_real angles[2] = {0.1, 0.2}, forces[4] = {1, 2, 3, 4}, torques[4], twist[3];
    achd_real pose[3] = {1, 2, 3}, still[3] = {0, 0, 0};
    CHECK(achd_platform_wheel_torques(&platform, angles, forces, torques));
    CHECK(achd_platform_twist(&platform, angles, forces, twist));
    (k < 2 ? angles[k] : forces[k - 2]) = strange;
    CHECK(!achd_platform_wheel_torques(&platform, angles, forces, torques));
    for (int i = 0; i < 4; i++) CHECK(torques[i] == 0);
    CHECK(!achd_platform_twist(&platform, angles, forces, twist));
    for (int i = 0; i < 3; i++) CHECK(twist[i] == 0);
    still[k % 3] = strange;
    CHECK(!achd_platform_advance(pose, still, 1));
    CHECK(pose[0] == 1 && pose[1] == 2 && pose[2] == 3);
  }
}

} // namespace

int main() {
  RUN(pseudo_inverse);
  RUN(plain_wrenches);
  RUN(bounded_forces);
  RUN(values_of_the_wheels);
  RUN(power_is_kept);
  RUN(torques_do_the_work_of_the_wrench);
  RUN(twist_of_least_squares);
  RUN(poses);
  RUN(strange_numbers);
  return test_end();
}
