/* SPDX-License-Identifier: MIT */
/* capsule.c: see achd/capsule.h */
#include <achd/capsule.h>

#include "vector.h"

static const achd_real tolerance = (achd_real)1e-3; /* of an axis' length and of a rotation [1] */

/* ---- tables ---- */

static bool in_range(int index, int count) {
  return index >= 0 && index < count;
}

static bool near_one(achd_real x) {
  return achd_magnitude(x - 1) <= tolerance;
}

static bool link_valid(const achd_capsule_link *link, int own, int njoints) {
  if (link->parent < -1 || link->parent >= own) return false;
  if (link->joint < -1 || link->joint >= njoints) return false;
  if (!achd_all_finite(link->at.p, 3)) return false;
  for (int i = 0; i < 3; i++) /* rows of a rotation; NaN is not near one */
    if (!near_one(achd_norm(link->at.R.m[i]))) return false;
  if (link->joint < 0) return true;
  return near_one(achd_norm(link->axis)) && achd_finite(link->factor) &&
         achd_finite(link->constant);
}

bool achd_capsules_valid(const achd_capsules *c, int njoints) {
  if (!in_range(c->nlinks, ACHD_CAPSULES + 1) || !in_range(c->ncapsules, ACHD_CAPSULES + 1) ||
      c->npairs < 0)
    return false;
  if ((c->nlinks > 0 && !c->links) || (c->ncapsules > 0 && !c->capsules) ||
      (c->npairs > 0 && !c->pairs))
    return false;
  for (int i = 0; i < c->nlinks; i++)
    if (!link_valid(&c->links[i], i, njoints)) return false;
  for (int k = 0; k < c->ncapsules; k++) {
    const achd_capsule *capsule = &c->capsules[k];
    if (!in_range(capsule->link, c->nlinks) || !achd_all_finite(capsule->ends[0], 3) ||
        !achd_all_finite(capsule->ends[1], 3) || !achd_finite(capsule->radius) ||
        capsule->radius < 0)
      return false;
  }
  for (int i = 0; i < c->npairs; i++)
    if (!in_range(c->pairs[i][0], c->ncapsules) || !in_range(c->pairs[i][1], c->ncapsules))
      return false;
  return true;
}

bool achd_capsule_watch_valid(const achd_capsule_watch *watch, int njoints) {
  for (int i = 0; i < 3; i++)
    if (!(watch->lower[i] <= watch->upper[i])) return false;
  return watch->nearest >= 0 && (!watch->capsules || achd_capsules_valid(watch->capsules, njoints));
}

/* ---- two segments ---- */

static achd_real within_one(achd_real x) {
  return achd_clamp(x, 0, 1);
}

/* The points p0 + s d1 and q0 + t d2 that are nearest: with r = p0 - q0, a = d1 d1, e = d2 d2, b = d1 d2,
 * c = d1 r, f = d2 r
 *
 *   s = sat( (b f - c e) / (a e - b b) ),   t = (b s + f) / e,
 *
 * and where t is beyond its segment, it is at the end, and s = sat( (b t - c) / a ). */
achd_real achd_segment_distance(const achd_real p0[3], const achd_real p1[3], const achd_real q0[3],
                                const achd_real q1[3]) {
  achd_real d1[3], d2[3], r[3], apart[3], s = 0, t = 0;
  for (int i = 0; i < 3; i++) {
    d1[i] = p1[i] - p0[i];
    d2[i] = q1[i] - q0[i];
    r[i] = p0[i] - q0[i];
  }
  const achd_real a = achd_dot(d1, d1), e = achd_dot(d2, d2), b = achd_dot(d1, d2);
  const achd_real c = achd_dot(d1, r), f = achd_dot(d2, r), area = a * e - b * b;
  if (area > 16 * ACHD_EPSILON * a * e) s = within_one((b * f - c * e) / area); /* else parallel */
  if (e > 0) t = (b * s + f) / e;
  if (t < 0 || t > 1 || !(e > 0)) {
    t = within_one(t);
    s = a > 0 ? within_one((b * t - c) / a) : 0;
  }
  for (int i = 0; i < 3; i++) apart[i] = r[i] + s * d1[i] - t * d2[i];
  return achd_norm(apart);
}

/* ---- the robot ---- */

/* exp(angle axis), by Rodrigues: cos 1 + sin [axis]x + (1 - cos) axis axis^T. */
static void turn(const achd_real axis[3], achd_real angle, achd_rotation *R) {
  const achd_real s = achd_sin(angle), c = achd_cos(angle);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R->m[i][i] = c + (1 - c) * axis[i] * axis[i];
    R->m[i][j] = (1 - c) * axis[i] * axis[j] - s * axis[k];
    R->m[i][k] = (1 - c) * axis[i] * axis[k] + s * axis[j];
  }
}

static void place(const achd_capsule_link *link, const achd_pose *parent, const achd_real q[],
                  achd_pose *pose) {
  const achd_real x = link->joint < 0 ? 0 : link->factor * q[link->joint] + link->constant;
  achd_rotation before, turned;
  achd_real way[3];
  achd_rotate(&parent->R, link->at.p, way);
  for (int i = 0; i < 3; i++) pose->p[i] = parent->p[i] + way[i];
  achd_rotation_product(&parent->R, &link->at.R, &before);
  if (link->joint >= 0 && !link->slides) {
    turn(link->axis, x, &turned);
    achd_rotation_product(&before, &turned, &pose->R);
    return;
  }
  for (int i = 0; i < 3; i++) achd_copy(pose->R.m[i], before.m[i], 3);
  if (link->joint < 0) return;
  achd_rotate(&pose->R, link->axis, way);
  for (int i = 0; i < 3; i++) pose->p[i] += x * way[i];
}

achd_clearance achd_capsules_nearest(const achd_capsules *c, const achd_real q[]) {
  static const achd_pose base = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  achd_pose links[ACHD_CAPSULES];
  achd_real ends[ACHD_CAPSULES][2][3];
  achd_clearance nearest = {-1, 0};
  for (int i = 0; i < c->nlinks; i++) {
    const int parent = c->links[i].parent;
    place(&c->links[i], parent < 0 ? &base : &links[parent], q, &links[i]);
  }
  for (int k = 0; k < c->ncapsules; k++)
    for (int end = 0; end < 2; end++) {
      const achd_pose *link = &links[c->capsules[k].link];
      achd_rotate(&link->R, c->capsules[k].ends[end], ends[k][end]);
      for (int i = 0; i < 3; i++) ends[k][end][i] += link->p[i];
    }
  for (int i = 0; i < c->npairs; i++) {
    const int one = c->pairs[i][0], other = c->pairs[i][1];
    const achd_real between =
        achd_segment_distance(ends[one][0], ends[one][1], ends[other][0], ends[other][1]);
    const achd_real distance = between - c->capsules[one].radius - c->capsules[other].radius;
    if (!achd_finite(distance)) return (achd_clearance){-1, 0};
    if (nearest.pair < 0 || distance < nearest.distance) nearest = (achd_clearance){i, distance};
  }
  return nearest;
}
