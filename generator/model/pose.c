/* SPDX-License-Identifier: MIT */
/* pose.c: see pose.h */
#include "model/pose.h"

#include "base/sincos.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Angles below this are somebody's rounding error [rad]. */
static const double TINY_ANGLE = 1e-9;

/* What a rotation's element is off by where only rounding is to blame. */
static const double TINY_ELEMENT = 1e-15;

/* Fewer decimals may be meant: 0.8 and 1.571 stay what they are. So may four that are cut off, as
 * 3.1415, but not five, as 1.57079. */
enum { LEAST_DECIMALS = 4, LEAST_CUT_OFF = 5 };

/* Beyond two turns a match would be chance. */
enum { MOST_EIGHTHS = 16 };

const ag_pose ag_pose_identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

bool ag_snap_angle(ag_decimal angle, int *k) {
  const double value = angle.value;
  *k = 0;
  if (fabs(value) < TINY_ANGLE) return true;
  if (angle.decimals < LEAST_DECIMALS || fabs(value) > MOST_EIGHTHS * PI / 4) return false;
  const double nearest = floor(value / (PI / 4) + 0.5);
  /* Half a unit of the last decimal, a whole one towards zero where decimals are cut off, but never
   * less than the doubles around the value can tell. */
  const bool cut_off = angle.decimals >= LEAST_CUT_OFF && fabs(value) < fabs(nearest) * (PI / 4);
  const double allowed = (cut_off ? 1 : 0.5) * pow(10, -angle.decimals) * (1 + 1e-9);
  const double rounding = 2 * DBL_EPSILON * fabs(value);
  *k = (int)nearest;
  return fabs(value - nearest * (PI / 4)) <= (allowed > rounding ? allowed : rounding);
}

/* k pi/4 in words: "pi", "-3 pi/4". */
static const char *eighth_text(int k, ag_arena *arena) {
  const int over = k % 4 == 0 ? 1 : k % 2 == 0 ? 2 : 4;
  const int times = abs(k) * over / 4;
  if (k == 0) return "0";
  return ag_printf(arena, "%s%spi%s", k < 0 ? "-" : "",
                   times == 1 ? "" : ag_printf(arena, "%d ", times),
                   over == 1   ? ""
                   : over == 2 ? "/2"
                               : "/4");
}

/* Sine and cosine of an angle as the file has it, or of the one that it is snapped to. */
static void angle_sincos(ag_decimal angle, bool snap, double *s, double *c) {
  int k;
  if (snap && ag_snap_angle(angle, &k))
    ag_sincos_eighth(k, s, c);
  else
    ag_sincos(angle.value, s, c);
}

/* With roll r, pitch p, yaw y and s, c their sines and cosines:
 *   R = | cy cp   cy sp sr - sy cr   cy sp cr + sy sr |
 *       | sy cp   sy sp sr + cy cr   sy sp cr - cy sr |
 *       |  -sp         cp sr              cp cr       |
 * exactly 0 and +-1 where the angles are multiples of pi/2; + 0.0 makes a -0 a 0. */
static void rotation_of_rpy(const double s[3], const double c[3], double R[3][3]) {
  const double sr = s[0], sp = s[1], sy = s[2], cr = c[0], cp = c[1], cy = c[2];
  R[0][0] = cy * cp + 0.0;
  R[0][1] = cy * sp * sr - sy * cr + 0.0;
  R[0][2] = cy * sp * cr + sy * sr + 0.0;
  R[1][0] = sy * cp + 0.0;
  R[1][1] = sy * sp * sr + cy * cr + 0.0;
  R[1][2] = sy * sp * cr - cy * sr + 0.0;
  R[2][0] = -sp + 0.0;
  R[2][1] = cp * sr + 0.0;
  R[2][2] = cp * cr + 0.0;
}

/* What an element is but for rounding: 0 or +-1, or of the size of one before it, as the sines of a
 * turn about one axis are, so that they are shared. */
static double snap_element(const double R[9], int k) {
  const double nearest = floor(R[k] + 0.5);
  if (fabs(R[k] - nearest) < TINY_ELEMENT) return nearest + 0.0;
  for (int i = 0; i < k; ++i)
    if (fabs(fabs(R[i]) - fabs(R[k])) < TINY_ELEMENT) return copysign(R[i], R[k]);
  return R[k];
}

/* A rotation that is given as a matrix. */
static ag_pose pose_of_matrix(const ag_urdf_pose *origin, bool snap) {
  ag_pose pose;
  for (int i = 0; i < 3; ++i) {
    pose.p[i] = origin->xyz[i].value + 0.0;
    for (int j = 0; j < 3; ++j)
      pose.R[i][j] = snap ? snap_element(origin->R, 3 * i + j) : origin->R[3 * i + j] + 0.0;
  }
  return pose;
}

ag_pose ag_pose_of_origin(const ag_urdf_pose *origin, bool snap, const char *owner, ag_note **notes,
                          int *nnotes, ag_arena *arena) {
  ag_pose pose;
  double s[3], c[3];
  if (origin->R) return pose_of_matrix(origin, snap);
  for (int i = 0; i < 3; ++i) {
    const ag_decimal angle = origin->rpy[i];
    int k;
    pose.p[i] = origin->xyz[i].value + 0.0;
    angle_sincos(angle, snap, &s[i], &c[i]);
    if (snap && ag_snap_angle(angle, &k) && angle.value != k * (PI / 4))
      ag_note_add(notes, nnotes, arena, origin->line, "%s rpy[%d] %s -> %s", owner, i,
                  ag_decimal_text(arena, angle.value), eighth_text(k, arena));
  }
  rotation_of_rpy(s, c, pose.R);
  return pose;
}

double ag_direction_length(double v[3]) {
  const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  if (largest == 0) return 0;
  if (largest > 1e100 || largest < 1e-100)
    for (int i = 0; i < 3; ++i) v[i] /= largest;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Rodrigues: R = c 1 + (1 - c) a a^T + s [a]x, its diagonal as a^2 + c (1 - a^2), which is exact for an
 * axis along a coordinate. */
void ag_rotation_about(const double axis[3], double s, double c, double R[3][3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][i] = axis[i] * axis[i] + c * (1 - axis[i] * axis[i]);
    R[i][j] = (1 - c) * axis[i] * axis[j] - s * axis[k] + 0.0;
    R[i][k] = (1 - c) * axis[i] * axis[k] + s * axis[j] + 0.0;
  }
}

/* Revolute: about the axis. Prismatic: p = q a. */
ag_pose ag_pose_of_motion(ag_joint_type type, const double axis[3], double q, bool snap) {
  ag_pose pose = ag_pose_identity;
  if (type == AG_PRISMATIC) {
    for (int i = 0; i < 3; ++i) pose.p[i] = q * axis[i] + 0.0;
    return pose;
  }
  double s, c;
  const ag_decimal angle = {q, 100}; /* all of its digits count */
  angle_sincos(angle, snap, &s, &c);
  ag_rotation_about(axis, s, c, pose.R);
  return pose;
}

/* p = a.p + a.R b.p, R = a.R b.R */
ag_pose ag_pose_mul(const ag_pose *a, const ag_pose *b) {
  ag_pose product;
  for (int i = 0; i < 3; ++i) {
    const double *row = a->R[i];
    product.p[i] = a->p[i] + (row[0] * b->p[0] + row[1] * b->p[1] + row[2] * b->p[2]);
    for (int j = 0; j < 3; ++j)
      product.R[i][j] = row[0] * b->R[0][j] + row[1] * b->R[1][j] + row[2] * b->R[2][j] + 0.0;
  }
  return product;
}

/* a^-1 b, with a^-1 = (-R^T p, R^T) */
ag_pose ag_pose_between(const ag_pose *a, const ag_pose *b) {
  ag_pose inverse;
  for (int i = 0; i < 3; ++i) {
    inverse.p[i] = -(a->R[0][i] * a->p[0] + a->R[1][i] * a->p[1] + a->R[2][i] * a->p[2]);
    for (int j = 0; j < 3; ++j) inverse.R[i][j] = a->R[j][i];
  }
  return ag_pose_mul(&inverse, b);
}

/* R = 1 + 2 (w [u]x + [u]x^2) / (w^2 + u.u) */
void ag_rotation_of_quaternion(const double quaternion[4], double R[3][3]) {
  const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  const double s = 2 / (w * w + x * x + y * y + z * z);
  R[0][0] = 1 - s * (y * y + z * z), R[0][1] = s * (x * y - w * z), R[0][2] = s * (x * z + w * y);
  R[1][0] = s * (x * y + w * z), R[1][1] = 1 - s * (x * x + z * z), R[1][2] = s * (y * z - w * x);
  R[2][0] = s * (x * z - w * y), R[2][1] = s * (y * z + w * x), R[2][2] = 1 - s * (x * x + y * y);
}

/* With h' = R h (components along {P}) and p the position of {C}'s origin,
 *   m_P = m,  h_P = h' + m p,
 *   I_P = R I R^T + (2 p.h' + m p.p) 1 - (p h'^T + h' p^T) - m p p^T
 * (Steiner, from any point to any point). */
ag_inertia ag_inertia_transform(const ag_pose *pose, const ag_inertia *inertia) {
  static const int ROW[6] = {0, 0, 0, 1, 1, 2}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
  const double(*R)[3] = pose->R, *p = pose->p, m = inertia->m, *h = inertia->h, *I = inertia->I;
  const double tensor[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  double turned[3], RI[3][3];
  for (int i = 0; i < 3; ++i) {
    turned[i] = R[i][0] * h[0] + R[i][1] * h[1] + R[i][2] * h[2];
    for (int j = 0; j < 3; ++j)
      RI[i][j] = R[i][0] * tensor[0][j] + R[i][1] * tensor[1][j] + R[i][2] * tensor[2][j];
  }
  ag_inertia out = {.m = m};
  const double ph = p[0] * turned[0] + p[1] * turned[1] + p[2] * turned[2];
  const double pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  for (int i = 0; i < 3; ++i) out.h[i] = turned[i] + m * p[i] + 0.0;
  for (int e = 0; e < 6; ++e) {
    const int i = ROW[e], j = COLUMN[e];
    const double rotated = RI[i][0] * R[j][0] + RI[i][1] * R[j][1] + RI[i][2] * R[j][2];
    const double unit = i == j ? 2 * ph + m * pp : 0;
    out.I[e] = rotated + (unit - (p[i] * turned[j] + turned[i] * p[j]) - m * p[i] * p[j]) + 0.0;
  }
  return out;
}

void ag_inertia_add(ag_inertia *a, const ag_inertia *b) {
  a->m += b->m;
  for (int i = 0; i < 3; ++i) a->h[i] += b->h[i];
  for (int i = 0; i < 6; ++i) a->I[i] += b->I[i];
}

/* Steiner, with c = h / m:  I_c = I_o - m (c.c 1 - c c^T) */
void ag_inertia_centre(const ag_inertia *inertia, double centre[3], double central[6]) {
  const double m = inertia->m, *I = inertia->I, *c = centre;
  for (int i = 0; i < 3; i++) centre[i] = m != 0 ? inertia->h[i] / m : 0;
  central[0] = I[0] - m * (c[1] * c[1] + c[2] * c[2]);
  central[1] = I[1] + m * c[0] * c[1];
  central[2] = I[2] + m * c[0] * c[2];
  central[3] = I[3] - m * (c[0] * c[0] + c[2] * c[2]);
  central[4] = I[4] + m * c[1] * c[2];
  central[5] = I[5] - m * (c[0] * c[0] + c[1] * c[1]);
}

/* Jacobi's rotations: each makes one element off the diagonal zero; they converge quadratically,
 * and eight rounds are more than double precision needs. The tensor is scaled first, so that
 * nothing overflows. */
void ag_principal_moments(const double tensor[6], double moments[3]) {
  double scale = 0;
  for (int i = 0; i < 6; ++i) scale = fmax(scale, fabs(tensor[i]));
  if (scale == 0) scale = 1;
  double a[3][3] = {{tensor[0] / scale, tensor[1] / scale, tensor[2] / scale},
                    {tensor[1] / scale, tensor[3] / scale, tensor[4] / scale},
                    {tensor[2] / scale, tensor[4] / scale, tensor[5] / scale}};
  for (int round = 0; round < 8; ++round)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (fabs(a[p][q]) < DBL_MIN) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        const int r = 3 - p - q;
        const double apq = a[p][q], apr = a[p][r], aqr = a[q][r];
        a[p][p] -= t * apq;
        a[q][q] += t * apq;
        a[p][q] = a[q][p] = 0;
        a[p][r] = a[r][p] = c * apr - s * aqr;
        a[q][r] = a[r][q] = s * apr + c * aqr;
      }
  for (int i = 0; i < 3; ++i) {
    int place = i;
    for (; place > 0 && a[i][i] * scale < moments[place - 1]; --place)
      moments[place] = moments[place - 1];
    moments[place] = a[i][i] * scale;
  }
}

bool ag_inertia_possible(const ag_inertia *inertia) {
  static const double ROUNDING = 1e-9; /* of the moments about the frame's origin */
  const double *I = inertia->I;
  if (inertia->m < 0) return false;
  double centre[3], central[6];
  ag_inertia_centre(inertia, centre, central);
  double moments[3];
  ag_principal_moments(central, moments);
  return moments[0] >= -ROUNDING * (fabs(I[0]) + fabs(I[3]) + fabs(I[5]));
}
