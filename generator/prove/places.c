/* SPDX-License-Identifier: MIT */
/* places.c: see places.h */
#include "prove/places.h"

/* Of an angle that changes: (cos q)' = -sin q q', (sin q)' = cos q q'. */
ag_spot ag_spot_at(ag_number q) {
  ag_spot at = {.q = q};
  ag_point_circle(q.value, &at.c, &at.s);
  at.c.rate = ag_residue_neg(ag_residue_mul(at.s.exact, q.rate));
  at.s.rate = ag_residue_mul(at.c.exact, q.rate);
  return at;
}

/* Rotation A of a base that turns about the axes of the world: A' = w x A, column by column. */
static ag_mat turning(ag_mat A, const ag_residue w[3]) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int c = 0; c < 3; c++)
      A.x[i][c].rate = ag_residue_sub(ag_residue_mul(w[j], A.x[k][c].exact),
                                      ag_residue_mul(w[k], A.x[j][c].exact));
  }
  return A;
}

/* The vector part of the product q v q* / |q|^2 = ((w^2 - u.u) v + 2 (u.v) u + 2 w u x v)/|q|^2, v by v */
static ag_mat quaternion_axes(const ag_number q[4]) {
  ag_mat A;
  const ag_vec u = {{q[1], q[2], q[3]}};
  const ag_number two = ag_number_of(2), ww = ag_number_mul(q[0], q[0]), uu = ag_dot(u, u),
                  inverse = ag_number_div(ag_one, ag_number_add(ww, uu));
  for (int j = 0; j < 3; j++) {
    const ag_vec v = ag_unit(j);
    ag_vec r = ag_vec_scale(ag_number_sub(ww, uu), v);
    r = ag_vec_add(r, ag_vec_scale(ag_number_mul(two, ag_dot(u, v)), u));
    r = ag_vec_add(r, ag_vec_scale(ag_number_mul(two, q[0]), ag_vec_cross(u, v)));
    for (int i = 0; i < 3; i++) A.x[i][j] = ag_number_mul(inverse, r.x[i]);
  }
  return A;
}

ag_mat ag_base_axes(const ag_point *point) {
  const ag_number *yaw = ag_point_find(point, "base.yaw"), *R = ag_point_find(point, "base.rot"),
                  *q = ag_point_find(point, "base.quat");
  if (yaw) {
    const ag_spot at = ag_spot_at(yaw[0]);
    return turning(ag_turn(2, at.c, at.s), point->turn);
  }
  ag_mat A = ag_mat_unit();
  if (R) {
    for (int k = 0; k < 9; k++) A.x[k / 3][k % 3] = R[k];
  } else if (q) {
    A = quaternion_axes(q);
  }
  return turning(A, point->turn);
}

ag_exact_pose ag_body_place(const ag_point *point, const ag_solid *b, const ag_spot *at,
                            ag_vec *axis) {
  if (b->ball == 1) {
    const ag_mat R = quaternion_axes(ag_point_find(point, b->quaternion)),
                 here = ag_mat_mul(ag_mat_mul(b->before, R), b->after);
    *axis = ag_column(here, 2);
    return (ag_exact_pose){b->p, ag_mat_mul(here, ag_turn(2, at->c, at->s))};
  }
  ag_mat R = ag_mat_mul(ag_turn(2, b->cosine[0], b->sine[0]), ag_turn(0, b->cosine[1], b->sine[1]));
  *axis = ag_column(R, 2);
  ag_vec p = b->p;
  if (b->slides)
    p = ag_vec_add(p, ag_vec_scale(at->q, *axis));
  else
    R = ag_mat_mul(R, ag_turn(2, at->c, at->s));
  return (ag_exact_pose){p, ag_mat_mul(R, ag_turn(2, b->cosine[2], b->sine[2]))};
}
