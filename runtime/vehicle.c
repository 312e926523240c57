/* SPDX-License-Identifier: MIT */
/* vehicle.c: see achd/vehicle.h */
#include <achd/vehicle.h>

#include "vector.h"

/* Relative to the largest: an eigenvalue below is rounding of zero. */
static const achd_real rounding = 1024 * ACHD_EPSILON;

/* The directions e, s, u of a wheel, and u e. */
typedef struct directions {
  achd_real e[2], s[2], u[2], along;
} directions;

static bool find_directions(const achd_wheel *w, directions *d) {
  const achd_real roller = w->rollers ? w->roller : 0;
  if (!achd_finite(w->x) || !achd_finite(w->y) || !achd_finite(w->heading) ||
      !achd_finite(roller) || !(w->radius > 0) || !achd_finite(w->radius))
    return false;
  d->e[0] = achd_cos(w->heading), d->e[1] = achd_sin(w->heading);
  d->s[0] = -d->e[1], d->s[1] = d->e[0];
  d->u[0] = achd_cos(w->heading + roller), d->u[1] = achd_sin(w->heading + roller);
  d->along = achd_cos(roller);
  return achd_magnitude(d->along) > (achd_real)1e-3;
}

/* A row of 3: what a direction at the wheel's place sees of the base's twist; yaw by 1/length. */
static void row_of(const achd_wheel *w, const achd_real direction[2], achd_real length,
                   achd_real row[3]) {
  row[0] = direction[0], row[1] = direction[1];
  row[2] = (w->x * direction[1] - w->y * direction[0]) / length;
}

/* The distance of the wheels from the origin, by their squares; 1 where they all stand there. */
static achd_real length_of(const achd_vehicle *vehicle) {
  achd_real squares = 0;
  for (int i = 0; i < vehicle->count; i++) {
    const achd_wheel *w = &vehicle->wheels[i];
    squares += w->x * w->x + w->y * w->y;
  }
  return squares > 0 ? achd_sqrt(squares / (achd_real)vehicle->count) : 1;
}

/* A <- rotated by Jacobi until it is diagonal; V: its eigenvectors by columns. */
static void diagonalize(achd_real A[3][3], achd_real V[3][3]) {
  for (int i = 0; i < 3; i++) {
    achd_zero(V[i], 3);
    V[i][i] = 1;
  }
  for (int sweep = 0; sweep < 12; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        achd_real c, s;
        achd_jacobi(A[p][p], A[q][q], A[p][q], &c, &s);
        achd_turn_plane(A, V, p, q, c, s);
        A[p][q] = A[q][p] = 0;
      }
}

/* x = A^+ b; missed = b - A x. A: symmetric, positive semidefinite. */
static void solve(achd_real A[3][3], const achd_real b[3], achd_real x[3], achd_real missed[3]) {
  achd_real V[3][3], largest = 0;
  diagonalize(A, V);
  for (int k = 0; k < 3; k++)
    if (A[k][k] > largest) largest = A[k][k];
  achd_zero(x, 3);
  achd_zero(missed, 3);
  for (int k = 0; k < 3; k++) {
    const achd_real along = V[0][k] * b[0] + V[1][k] * b[1] + V[2][k] * b[2];
    const bool moves = A[k][k] > rounding * largest;
    for (int i = 0; i < 3; i++) {
      if (moves) x[i] += along / A[k][k] * V[i][k];
      if (!moves) missed[i] += along * V[i][k];
    }
  }
}

static void clear(achd_real A[3][3], achd_real b[3]) {
  for (int i = 0; i < 3; i++) achd_zero(A[i], 3);
  achd_zero(b, 3);
}

static void add_square(const achd_real row[3], achd_real wanted, achd_real A[3][3],
                       achd_real b[3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) A[i][k] += row[i] * row[k];
    b[i] += row[i] * wanted;
  }
}

bool achd_vehicle_twist(const achd_vehicle *vehicle, const achd_real rates[], achd_real twist[3]) {
  const achd_real length = length_of(vehicle);
  achd_real A[3][3], b[3], x[3], missed[3], row[3];
  clear(A, b);
  bool good = achd_all_finite(rates, vehicle->count);
  for (int i = 0; good && i < vehicle->count; i++) {
    const achd_wheel *w = &vehicle->wheels[i];
    directions d;
    good = find_directions(w, &d);
    if (!good) break;
    row_of(w, d.u, length, row);
    add_square(row, w->radius * rates[i] * d.along, A, b);
    if (w->rollers) continue;
    row_of(w, d.s, length, row);
    add_square(row, 0, A, b);
  }
  if (good) solve(A, b, x, missed);
  for (int k = 0; k < 3; k++) twist[k] = good ? (k == 2 ? x[k] / length : x[k]) : 0;
  good = good && achd_all_finite(twist, 3);
  if (!good) achd_zero(twist, 3);
  return good;
}

bool achd_vehicle_rates(const achd_vehicle *vehicle, const achd_real twist[3], achd_real rates[],
                        achd_real *missed) {
  bool good = achd_all_finite(twist, 3);
  *missed = 0;
  for (int i = 0; good && i < vehicle->count; i++) {
    const achd_wheel *w = &vehicle->wheels[i];
    const achd_real v[2] = {twist[0] - twist[2] * w->y, twist[1] + twist[2] * w->x};
    directions d;
    good = find_directions(w, &d);
    if (!good) break;
    rates[i] = (d.u[0] * v[0] + d.u[1] * v[1]) / (w->radius * d.along);
    const achd_real sideways = achd_magnitude(d.s[0] * v[0] + d.s[1] * v[1]);
    if (!w->rollers && sideways > *missed) *missed = sideways;
  }
  good = good && achd_all_finite(rates, vehicle->count) && achd_finite(*missed);
  if (!good) achd_zero(rates, vehicle->count), *missed = 0;
  return good;
}

/* A row of G: the wrench with which 1 N m of the wheel pushes, (u, moment) / (radius u e). */
static bool push_of(const achd_wheel *w, achd_real length, achd_real row[3]) {
  directions d;
  if (!find_directions(w, &d)) return false;
  row_of(w, d.u, length, row);
  for (int k = 0; k < 3; k++) row[k] /= w->radius * d.along;
  return true;
}

/* wrench = G^T torque: torque = G (G^T G)^+ wrench */
bool achd_vehicle_torques(const achd_vehicle *vehicle, const achd_real wrench[3],
                          achd_real torques[], achd_real missed[3]) {
  const achd_real length = length_of(vehicle);
  const achd_real asked[3] = {wrench[0], wrench[1], wrench[2] / length};
  achd_real A[3][3], none[3], y[3], row[3];
  clear(A, none);
  bool good = achd_all_finite(wrench, 3);
  for (int i = 0; good && i < vehicle->count; i++) {
    good = push_of(&vehicle->wheels[i], length, row);
    if (good) add_square(row, 0, A, none);
  }
  if (good) {
    solve(A, asked, y, missed);
    missed[2] *= length;
  }
  for (int i = 0; good && i < vehicle->count; i++) {
    (void)push_of(&vehicle->wheels[i], length, row);
    torques[i] = achd_dot(row, y);
  }
  good = good && achd_all_finite(torques, vehicle->count) && achd_all_finite(missed, 3);
  if (!good) achd_zero(torques, vehicle->count), achd_zero(missed, 3);
  return good;
}
