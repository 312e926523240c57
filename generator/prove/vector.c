/* SPDX-License-Identifier: MIT */
/* vector.c: see vector.h */
#include "prove/vector.h"

ag_number ag_dot(ag_vec a, ag_vec b) {
  ag_number sum = ag_zero;
  for (int k = 0; k < 3; k++) sum = ag_plus(sum, a.x[k], b.x[k]);
  return sum;
}

ag_vec ag_vec_add(ag_vec a, ag_vec b) {
  for (int k = 0; k < 3; k++) a.x[k] = ag_number_add(a.x[k], b.x[k]);
  return a;
}

ag_vec ag_vec_sub(ag_vec a, ag_vec b) {
  for (int k = 0; k < 3; k++) a.x[k] = ag_number_sub(a.x[k], b.x[k]);
  return a;
}

ag_vec ag_vec_scale(ag_number k, ag_vec a) {
  for (int i = 0; i < 3; i++) a.x[i] = ag_number_mul(k, a.x[i]);
  return a;
}

ag_vec ag_vec_cross(ag_vec a, ag_vec b) {
  ag_vec r;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    r.x[k] = ag_number_sub(ag_number_mul(a.x[i], b.x[j]), ag_number_mul(a.x[j], b.x[i]));
  }
  return r;
}

ag_vec ag_unit(int axis) {
  ag_vec v = ag_no_vec;
  v.x[axis] = ag_one;
  return v;
}

ag_mat ag_mat_unit(void) {
  ag_mat A = {0};
  for (int k = 0; k < 3; k++) A.x[k][k] = ag_one;
  return A;
}

ag_mat ag_mat_transpose(ag_mat A) {
  ag_mat B;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) B.x[i][j] = A.x[j][i];
  return B;
}

ag_mat ag_mat_mul(ag_mat A, ag_mat B) {
  ag_mat C = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) C.x[i][j] = ag_plus(C.x[i][j], A.x[i][k], B.x[k][j]);
  return C;
}

ag_mat ag_mat_add(ag_mat A, ag_mat B) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.x[i][j] = ag_number_add(A.x[i][j], B.x[i][j]);
  return A;
}

ag_vec ag_mat_vec(ag_mat A, ag_vec v) {
  ag_vec r = ag_no_vec;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r.x[i] = ag_plus(r.x[i], A.x[i][j], v.x[j]);
  return r;
}

ag_vec ag_column(ag_mat A, int k) {
  return (ag_vec){{A.x[0][k], A.x[1][k], A.x[2][k]}};
}

ag_mat ag_turn(int axis, ag_number c, ag_number s) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  ag_mat A = ag_mat_unit();
  A.x[i][i] = A.x[j][j] = c;
  A.x[i][j] = ag_number_neg(s);
  A.x[j][i] = s;
  return A;
}

ag_mat ag_symmetric(const ag_number x[6]) {
  return (ag_mat){{{x[0], x[1], x[2]}, {x[1], x[3], x[4]}, {x[2], x[4], x[5]}}};
}

ag_vec ag_exact_pose_point(const ag_exact_pose *f, ag_vec a) {
  return ag_vec_add(f->p, ag_mat_vec(f->R, a));
}

ag_exact_pose ag_exact_pose_mul(const ag_exact_pose *a, const ag_exact_pose *b) {
  return (ag_exact_pose){ag_exact_pose_point(a, b->p), ag_mat_mul(a->R, b->R)};
}

/* a b^T */
static ag_mat outer(ag_vec a, ag_vec b) {
  ag_mat A;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.x[i][j] = ag_number_mul(a.x[i], b.x[j]);
  return A;
}

/* With r' = p + R r under int (r'.r' 1 - r' r'^T) dm, h = R int r dm:
 *   I' = R I R^T + D(2 h p^T) + D(m p p^T), D(A) = tr(A) 1 - (A + A^T) / 2; so that no half is
 *   needed, D(2 A) = 2 tr(A) 1 - A - A^T */
ag_mass ag_mass_moved(const ag_mass *mass, const ag_exact_pose *f) {
  const ag_vec h = ag_mat_vec(f->R, mass->h), mp = ag_vec_scale(mass->m, f->p);
  ag_mat I = ag_mat_mul(ag_mat_mul(f->R, mass->I), ag_mat_transpose(f->R));
  const ag_mat H = outer(h, f->p), P = outer(mp, f->p);
  ag_number trace = ag_dot(mp, f->p);
  trace = ag_number_add(trace, ag_number_add(ag_dot(h, f->p), ag_dot(h, f->p)));
  for (int i = 0; i < 3; i++) {
    I.x[i][i] = ag_number_add(I.x[i][i], trace);
    for (int j = 0; j < 3; j++) {
      I.x[i][j] = ag_number_sub(I.x[i][j], ag_number_add(H.x[i][j], H.x[j][i]));
      I.x[i][j] = ag_number_sub(I.x[i][j], P.x[i][j]);
    }
  }
  return (ag_mass){mass->m, ag_vec_add(h, mp), I};
}

ag_mass ag_mass_add(const ag_mass *a, const ag_mass *b) {
  return (ag_mass){ag_number_add(a->m, b->m), ag_vec_add(a->h, b->h), ag_mat_add(a->I, b->I)};
}
