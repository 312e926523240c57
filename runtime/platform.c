/* SPDX-License-Identifier: MIT */
/* platform.c: see achd/platform.h */
#include <achd/platform.h>

#include "vector.h"

void achd_drive_wheel_forces(const achd_drive_geometry *drive, const achd_real force[2],
                             achd_real wheels[2]) {
  const achd_real ahead = force[0] / 2, steering = drive->offset / drive->distance * force[1];
  wheels[0] = -ahead - steering;
  wheels[1] = ahead - steering;
}

void achd_drive_pivot_force(const achd_drive_geometry *drive, const achd_real wheels[2],
                            achd_real force[2]) {
  force[0] = wheels[1] - wheels[0];
  force[1] = -drive->distance / (2 * drive->offset) * (wheels[0] + wheels[1]);
}

void achd_drive_pivot_velocity(const achd_drive_geometry *drive, const achd_real wheels[2],
                               achd_real velocity[2]) {
  velocity[0] = (wheels[1] - wheels[0]) / 2;
  velocity[1] = -drive->offset / drive->distance * (wheels[0] + wheels[1]);
}

/* Whether all are finite; else all are made 0. */
static bool keep_finite(achd_real *x, int count) {
  if (achd_all_finite(x, count)) return true;
  achd_zero(x, count);
  return false;
}

bool achd_platform_wheel_torques(const achd_platform *platform, const achd_real *angles,
                                 const achd_real *forces, achd_real *torques) {
  for (int i = 0; i < platform->drives; i++) {
    const int first = 2 * i, second = first + 1;
    const achd_real c = achd_cos(angles[i]), s = achd_sin(angles[i]);
    const achd_real x = forces[first], y = forces[second];
    const achd_real force[2] = {c * x + s * y, c * y - s * x};
    achd_real wheels[2];
    achd_drive_wheel_forces(&platform->drive, force, wheels);
    torques[first] = platform->drive.radius * wheels[0];
    torques[second] = platform->drive.radius * wheels[1];
  }
  return keep_finite(torques, 2 * platform->drives);
}

/* Velocity of a pivot along the axes of the base [m/s]. */
static void velocity_of_pivot(const achd_drive_geometry *drive, achd_real angle,
                              const achd_real rates[2], achd_real v[2]) {
  const achd_real wheels[2] = {drive->radius * rates[0], drive->radius * rates[1]};
  achd_real own[2];
  achd_drive_pivot_velocity(drive, wheels, own);
  const achd_real c = achd_cos(angle), s = achd_sin(angle);
  v[0] = c * own[0] - s * own[1];
  v[1] = s * own[0] + c * own[1];
}

/* v_i = v + yaw z x r_i. With the mean velocity v_m, the mean place r_m and differences d to these:
 *
 *   yaw = sum dr_i x dv_i / sum |dr_i|^2,   v = v_m - yaw z x r_m */
bool achd_platform_twist(const achd_platform *platform, const achd_real *angles,
                         const achd_real *wheel_velocities, achd_real twist[3]) {
  const int n = platform->drives < ACHD_PLATFORM_DRIVES ? platform->drives : ACHD_PLATFORM_DRIVES;
  achd_real v[ACHD_PLATFORM_DRIVES][2], mean[2] = {0, 0}, place[2] = {0, 0};
  achd_real turning = 0, spread = 0;
  twist[0] = twist[1] = twist[2] = 0;
  if (n < 1) return true;
  for (int i = 0; i < n; i++) {
    const int right = 2 * i;
    velocity_of_pivot(&platform->drive, angles[i], &wheel_velocities[right], v[i]);
    for (int k = 0; k < 2; k++) {
      mean[k] += v[i][k] / (achd_real)n;
      place[k] += platform->pivots[i][k] / (achd_real)n;
    }
  }
  for (int i = 0; i < n; i++) {
    const achd_real x = platform->pivots[i][0] - place[0], y = platform->pivots[i][1] - place[1];
    turning += x * (v[i][1] - mean[1]) - y * (v[i][0] - mean[0]);
    spread += x * x + y * y;
  }
  const achd_real yaw = spread > 0 ? turning / spread : 0;
  twist[0] = mean[0] + yaw * place[1];
  twist[1] = mean[1] - yaw * place[0];
  twist[2] = yaw;
  return keep_finite(twist, 3);
}

bool achd_platform_advance(achd_real pose[3], const achd_real twist[3], achd_real time) {
  const achd_real middle = pose[2] + twist[2] * time / 2;
  const achd_real c = achd_cos(middle), s = achd_sin(middle);
  const achd_real moved[3] = {pose[0] + (c * twist[0] - s * twist[1]) * time,
                              pose[1] + (s * twist[0] + c * twist[1]) * time,
                              pose[2] + twist[2] * time};
  if (!achd_all_finite(moved, 3)) return false;
  achd_copy(pose, moved, 3);
  return true;
}
