/* SPDX-License-Identifier: MIT */
/* limit.c: see achd/limit.h */
#include <achd/limit.h>

#include "vector.h"

/* ---- one direction ---- */

static bool sound(const achd_limit *l) {
  return l->velocity > 0 && l->braking > 0 && achd_finite(l->braking) && l->most >= l->braking &&
         l->rate > 0 && l->period > 0 && l->rate * l->period <= 1;
}

bool achd_limit_most(const achd_limit *l, achd_real distance, achd_real speed,
                     achd_real *acceleration) {
  const achd_real h = l->period, a = l->braking;
  *acceleration = 0;
  /* cppcheck-suppress [incorrectLogicOperator, oppositeExpression] NaN is neither */
  if (!sound(l) || !achd_finite(speed) || !(distance > 0 || distance <= 0)) return false;
  achd_real w = l->velocity;
  if (distance < 0) {
    w = distance * l->rate;
    if (w < -l->velocity) w = -l->velocity;
  } else if (achd_finite(distance)) {
    /* (S - a h) / 2, without the cancellation */
    const achd_real left = distance - h * speed / 2, ah = a * h;
    const achd_real stops = left > 0 ? 4 * a * left / (achd_sqrt(ah * ah + 8 * a * left) + ah) : 0;
    if (stops < w) w = stops;
  }
  const achd_real x = (w - speed) / h;
  *acceleration = x > l->most ? l->most : x < -l->most ? -l->most : x;
  return true;
}

achd_real achd_limit_stop(const achd_limit *l, achd_real speed) {
  if (!sound(l) || !achd_finite(speed)) return ACHD_INFINITY;
  return speed > 0 ? speed * (l->period + speed / (2 * l->braking)) : 0;
}

/* ---- a base in the plane ---- */

/* The outward normal of side i; false: it has no length, or the corner after it is not to its left.
 */
static bool normal_of(const achd_area *area, int i, achd_real n[2]) {
  const achd_real *from = area->corner[i], *to = area->corner[(i + 1) % area->corners],
                  *next = area->corner[(i + 2) % area->corners];
  const achd_real x = to[0] - from[0], y = to[1] - from[1];
  const achd_real length = achd_sqrt(x * x + y * y);
  if (!(length > 0) || !achd_finite(length)) return false;
  n[0] = y / length;
  n[1] = -x / length;
  return n[0] * (next[0] - to[0]) + n[1] * (next[1] - to[1]) < 0;
}

static void nothing(achd_area_row *row) {
  achd_zero(row->direction, 3);
  row->most = row->distance = 0;
}

/* The row of a point at r from the base's origin, along the axes of the world. */
static bool row_of(const achd_limit *limit, const achd_real n[2], achd_real distance,
                   const achd_real r[2], const achd_real twist[3], achd_area_row *row) {
  row->direction[0] = n[0];
  row->direction[1] = n[1];
  row->direction[2] = n[1] * r[0] - n[0] * r[1]; /* n . z x r */
  row->distance = distance;
  achd_real speed = 0;
  for (int k = 0; k < 3; k++) speed += row->direction[k] * twist[k];
  if (!achd_limit_most(limit, distance, speed, &row->most)) return false;
  row->most += twist[2] * twist[2] * (n[0] * r[0] + n[1] * r[1]);
  return achd_finite(row->most);
}

bool achd_area_rows(const achd_area *area, const achd_outline *outline, const achd_limit *limit,
                    const achd_real pose[3], const achd_real twist[3], achd_area_row rows[]) {
  bool good = area->corners >= 3 && outline->points >= 1 && outline->radius >= 0 &&
              achd_all_finite(pose, 3) && achd_all_finite(twist, 3);
  const achd_real c = good ? achd_cos(pose[2]) : 1, s = good ? achd_sin(pose[2]) : 0;
  for (int i = 0; i < area->corners && good; i++) {
    const achd_real *corner = area->corner[i];
    achd_real n[2];
    good = normal_of(area, i, n);
    if (!good) break;
    for (int p = 0; p < outline->points && good; p++) {
      const achd_real *of = outline->point[p];
      const achd_real r[2] = {c * of[0] - s * of[1], s * of[0] + c * of[1]};
      const achd_real distance = n[0] * (corner[0] - pose[0] - r[0]) +
                                 n[1] * (corner[1] - pose[1] - r[1]) - outline->radius;
      good = row_of(limit, n, distance, r, twist, &rows[p * area->corners + i]);
    }
  }
  for (int i = 0; i < outline->points * area->corners && !good; i++) nothing(&rows[i]);
  return good;
}

bool achd_area_speed(const achd_limit *limit, const achd_real twist[3], achd_area_row *row) {
  const achd_real speed = achd_sqrt(twist[0] * twist[0] + twist[1] * twist[1]);
  const bool moves = speed > 0;
  nothing(row);
  row->direction[0] = moves ? twist[0] / speed : 1;
  row->direction[1] = moves ? twist[1] / speed : 0;
  row->distance = ACHD_INFINITY;
  if (achd_all_finite(twist, 3) && achd_limit_most(limit, ACHD_INFINITY, speed, &row->most))
    return true;
  nothing(row);
  return false;
}

/* ---- bumps ---- */

static bool bumps(const achd_bumper *b, achd_real mass, achd_real drive) {
  return b->stiffness > 0 && b->damping >= 0 && mass > 0 && drive >= 0 &&
         achd_finite(b->stiffness) && achd_finite(b->damping) && achd_finite(mass) &&
         achd_finite(drive);
}

/* max(c, k M / c); infinite without a damper */
static achd_real steep(const achd_bumper *b, achd_real mass) {
  const achd_real c = b->damping;
  if (!(c > 0)) return ACHD_INFINITY;
  const achd_real x = b->stiffness * mass / c;
  return x > c ? x : c;
}

achd_real achd_bump_force(const achd_bumper *b, achd_real mass, achd_real speed, achd_real drive) {
  if (!bumps(b, mass, drive) || !(speed >= 0) || !achd_finite(speed)) return ACHD_INFINITY;
  const achd_real c = b->damping, km = b->stiffness * mass;
  const achd_real energy = (achd_sqrt(km) + c) * achd_sqrt(speed * speed + drive / km * drive);
  if (!(c > 0)) return drive + energy;
  const achd_real fastest = speed * c > drive ? speed : drive / c;
  const achd_real damped = fastest * steep(b, mass);
  return drive + (damped < energy ? damped : energy);
}

achd_real achd_bump_speed(const achd_bumper *b, achd_real mass, achd_real force, achd_real drive) {
  if (!bumps(b, mass, drive) || !achd_finite(force) || !(force > drive)) return 0;
  const achd_real c = b->damping, km = b->stiffness * mass;
  const achd_real most = (force - drive) / (achd_sqrt(km) + c);
  const achd_real square = most * most - drive / km * drive;
  const achd_real energy = square > 0 ? achd_sqrt(square) : 0;
  const achd_real damped = (force - drive) / steep(b, mass);
  return damped > energy && damped * c >= drive ? damped : energy;
}
