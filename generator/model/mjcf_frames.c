/* SPDX-License-Identifier: MIT */
/* mjcf_frames.c: see mjcf_frames.h. MuJoCo's XML reference, "Frame orientations". */
#include "model/mjcf_frames.h"

#include "base/sincos.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Sine and cosine of an angle of the file; exact for multiples of 45 degrees. */
static void angle_sincos(const ag_mjcf *m, double angle, double *s, double *c) {
  const double eighths = angle / 45;
  if (!m->settings.degrees)
    ag_sincos(angle, s, c);
  else if (eighths == floor(eighths) && fabs(eighths) < 1e6)
    ag_sincos_eighth((int)eighths, s, c);
  else
    ag_sincos(angle * (PI / 180), s, c);
}

static bool fail_zero(const ag_mjcf *m, const ag_mjcf_item *item, const char *name) {
  return ag_fail(m->err, item->element->path, item->element->line, "write a direction",
                 "%s: %s has the length 0", item->whose, name);
}

static bool rotation_of_axis(const ag_mjcf *m, const ag_mjcf_item *item, double given[4],
                             double R[3][3]) {
  const double length = ag_direction_length(given);
  double s, c, a[3];
  if (length == 0) return fail_zero(m, item, "axisangle");
  angle_sincos(m, given[3], &s, &c);
  for (int i = 0; i < 3; ++i) a[i] = given[i] / length;
  ag_rotation_about(a, s, c, R);
  return true;
}

/* Lower case: about the axes as they are turned so far, from the right; upper case: from the left. */
static void rotation_of_euler(const ag_mjcf *m, const double angles[3], double R[3][3]) {
  ag_pose whole = ag_pose_identity;
  for (int k = 0; k < 3; ++k) {
    const char letter = m->settings.euler[k];
    const bool fixed = letter >= 'X' && letter <= 'Z';
    double s, c, axis[3] = {0, 0, 0};
    axis[letter - (fixed ? 'X' : 'x')] = 1;
    ag_pose turn = ag_pose_identity;
    angle_sincos(m, angles[k], &s, &c);
    ag_rotation_about(axis, s, c, turn.R);
    whole = fixed ? ag_pose_mul(&turn, &whole) : ag_pose_mul(&whole, &turn);
  }
  memcpy(R, whole.R, sizeof whole.R);
}

/* x as given, y made orthogonal to it, z = x x y. */
static bool rotation_of_axes(const ag_mjcf *m, const ag_mjcf_item *item, double xy[6],
                             double R[3][3]) {
  double x[3], y[3];
  const double nx = ag_direction_length(xy);
  if (nx == 0 || ag_direction_length(xy + 3) == 0) return fail_zero(m, item, "xyaxes");
  double along = 0;
  for (int i = 0; i < 3; ++i) x[i] = xy[i] / nx, along += x[i] * xy[3 + i];
  for (int i = 0; i < 3; ++i) y[i] = xy[3 + i] - along * x[i];
  const double ny = ag_direction_length(y);
  if (ny == 0) return fail_zero(m, item, "xyaxes");
  for (int i = 0; i < 3; ++i) y[i] /= ny;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][0] = x[i], R[i][1] = y[i], R[i][2] = x[j] * y[k] - x[k] * y[j];
  }
  return true;
}

void ag_mjcf_turn_z(const double direction[3], double R[3][3]) {
  double v[3];
  memcpy(v, direction, sizeof v);
  const double n = ag_direction_length(v), x = v[0] / n, y = v[1] / n, z = v[2] / n;
  memcpy(R, ag_pose_identity.R, sizeof ag_pose_identity.R);
  if (x == 0 && y == 0) { /* up, or turned about x by half a turn */
    R[1][1] = R[2][2] = z > 0 ? 1 : -1;
    return;
  }
  /* About z x d = (-y, x, 0), of the length s, by the angle of the cosine z: with
   * (1 - z) / s^2 = 1 / (1 + z), or as it stands where that would divide by nothing. */
  const double f = z > -0.5 ? 1 / (1 + z) : (1 - z) / (x * x + y * y);
  R[0][0] = z + f * y * y, R[0][1] = -f * x * y, R[0][2] = x;
  R[1][0] = -f * x * y, R[1][1] = z + f * x * x, R[1][2] = y;
  R[2][0] = -x, R[2][1] = -y, R[2][2] = z;
}

/* The orientation that one element, or a class, writes; found: whether there is one. */
static bool read_rotation(const ag_mjcf *m, const ag_mjcf_item *item, double R[3][3], bool *found) {
  double v[6];
  int n;
  *found = true;
  if (!ag_mjcf_numbers(item, "axisangle", 4, 4, v, &n)) return false;
  if (n) return rotation_of_axis(m, item, v, R);
  if (!ag_mjcf_numbers(item, "xyaxes", 6, 6, v, &n)) return false;
  if (n) return rotation_of_axes(m, item, v, R);
  if (!ag_mjcf_numbers(item, "zaxis", 3, 3, v, &n)) return false;
  if (n && ag_direction_length(v) == 0) return fail_zero(m, item, "zaxis");
  if (n) {
    ag_mjcf_turn_z(v, R);
    return true;
  }
  if (!ag_mjcf_numbers(item, "euler", 3, 3, v, &n)) return false;
  if (n) {
    rotation_of_euler(m, v, R);
    return true;
  }
  if (!ag_mjcf_numbers(item, "quat", 4, 4, v, &n)) return false;
  *found = n > 0;
  if (n && v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0) return fail_zero(m, item, "quat");
  if (n) ag_rotation_of_quaternion(v, R);
  return true;
}

bool ag_mjcf_pose(const ag_mjcf *m, const ag_mjcf_item *item, ag_pose *pose) {
  *pose = ag_pose_identity;
  int n;
  bool found;
  ag_mjcf_item own = *item;
  own.class_ = -1; /* what the element itself says comes before all that its class says */
  if (!ag_mjcf_numbers(item, "pos", 3, 3, pose->p, &n) || !read_rotation(m, &own, pose->R, &found))
    return false;
  return found || read_rotation(m, item, pose->R, &found);
}
