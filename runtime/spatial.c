/* SPDX-License-Identifier: MIT */
/* spatial.c: see achd/spatial.h */
#include <achd/spatial.h>

#include "vector.h"

void achd_rotate(const achd_rotation *R, const achd_real v[3], achd_real r[3]) {
  for (int i = 0; i < 3; i++) r[i] = achd_dot(R->m[i], v);
}

void achd_rotate_back(const achd_rotation *R, const achd_real v[3], achd_real r[3]) {
  const achd_real x = v[0], y = v[1], z = v[2];
  r[0] = R->m[0][0] * x + R->m[1][0] * y + R->m[2][0] * z;
  r[1] = R->m[0][1] * x + R->m[1][1] * y + R->m[2][1] * z;
  r[2] = R->m[0][2] * x + R->m[1][2] * y + R->m[2][2] * z;
}

void achd_rotation_product(const achd_rotation *A, const achd_rotation *B, achd_rotation *C) {
  for (int i = 0; i < 3; i++) achd_rotate_back(B, A->m[i], C->m[i]);
}

void achd_rotation_quotient(const achd_rotation *A, const achd_rotation *B, achd_rotation *C) {
  for (int i = 0; i < 3; i++) {
    const achd_real column[3] = {A->m[0][i], A->m[1][i], A->m[2][i]};
    achd_rotate_back(B, column, C->m[i]);
  }
}

void achd_pose_product(const achd_pose *ab, const achd_pose *bc, achd_pose *ac) {
  achd_rotate(&ab->R, bc->p, ac->p);
  for (int i = 0; i < 3; i++) ac->p[i] += ab->p[i];
  achd_rotation_product(&ab->R, &bc->R, &ac->R);
}

void achd_pose_relative(const achd_pose *ra, const achd_pose *rb, achd_pose *ab) {
  const achd_real apart[3] = {rb->p[0] - ra->p[0], rb->p[1] - ra->p[1], rb->p[2] - ra->p[2]};
  achd_rotate_back(&ra->R, apart, ab->p);
  achd_rotation_quotient(&ra->R, &rb->R, &ab->R);
}

void achd_wrench_shift(const achd_wrench *wrench, const achd_real from[3], const achd_real to[3],
                       achd_wrench *shifted) {
  const achd_real arm[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
  achd_cross(arm, wrench->lin, shifted->ang);
  achd_copy(shifted->lin, wrench->lin, 3);
  for (int i = 0; i < 3; i++) shifted->ang[i] += wrench->ang[i];
}

void achd_rotation_exp(const achd_real v[3], achd_rotation *R) {
  const achd_real angle = achd_norm(v);
  const achd_real half = angle / 2;
  const achd_real sinc = angle > 0 ? achd_sin(angle) / angle : 1;
  const achd_real half_sinc = angle > 0 ? achd_sin(half) / half : 1;
  const achd_real b = half_sinc * half_sinc / 2; /* 1 - cos x = 2 sin(x/2)^2: no cancellation */
  /* [v]^2 = v v^T - |v|^2, so that the diagonal is 1 - b (|v|^2 - v_i^2) */
  const achd_real squares[3] = {v[0] * v[0], v[1] * v[1], v[2] * v[2]};
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R->m[i][i] = 1 - b * (squares[j] + squares[k]);
    R->m[i][j] = b * v[i] * v[j] - sinc * v[k];
    R->m[j][i] = b * v[i] * v[j] + sinc * v[k];
  }
}

/* Unit quaternion {w, x, y, z}, up to a factor: the component that is largest comes from the
 * diagonal, the others from sums and differences over it (Shepperd 1978). */
static void quaternion_of(const achd_rotation *R, achd_real q[4]) {
  const achd_real trace = R->m[0][0] + R->m[1][1] + R->m[2][2];
  int i = R->m[1][1] > R->m[0][0] ? 1 : 0;
  if (R->m[2][2] > R->m[i][i]) i = 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  if (trace >= R->m[i][i]) {
    q[0] = 1 + trace;
    q[1] = R->m[2][1] - R->m[1][2];
    q[2] = R->m[0][2] - R->m[2][0];
    q[3] = R->m[1][0] - R->m[0][1];
  } else {
    q[0] = R->m[k][j] - R->m[j][k];
    q[1 + i] = 1 + R->m[i][i] - R->m[j][j] - R->m[k][k];
    q[1 + j] = R->m[j][i] + R->m[i][j];
    q[1 + k] = R->m[k][i] + R->m[i][k];
  }
}

void achd_rotation_log(const achd_rotation *R, achd_real v[3]) {
  achd_real q[4];
  quaternion_of(R, q);
  const achd_real norm = achd_norm(q + 1);
  /* tan(|v|/2) = |q_v| / |w|; v along q_v, or against it where w is negative */
  const achd_real angle = 2 * achd_atan2(norm, achd_magnitude(q[0]));
  const achd_real factor = norm > 0 ? (q[0] < 0 ? -angle : angle) / norm : 0;
  for (int i = 0; i < 3; i++) v[i] = factor * q[1 + i];
}

void achd_pose_difference(const achd_pose *from, const achd_pose *to, achd_twist *difference) {
  achd_rotation turn; /* R_to R_from^T: rows of R_to times rows of R_from */
  for (int i = 0; i < 3; i++) {
    difference->lin[i] = to->p[i] - from->p[i];
    for (int j = 0; j < 3; j++) turn.m[i][j] = achd_dot(to->R.m[i], from->R.m[j]);
  }
  achd_rotation_log(&turn, difference->ang);
}

void achd_twist_difference(const achd_twist *from, const achd_twist *to, achd_twist *difference) {
  for (int i = 0; i < 3; i++) {
    difference->lin[i] = to->lin[i] - from->lin[i];
    difference->ang[i] = to->ang[i] - from->ang[i];
  }
}
