/* SPDX-License-Identifier: MIT */
/* vector.h: vectors, rotations and inertias of numbers in both worlds (base/field.h). */
#ifndef AG_VECTOR_H
#define AG_VECTOR_H

#include "base/field.h"

typedef struct ag_vec {
  ag_number x[3];
} ag_vec;

typedef struct ag_mat {
  ag_number x[3][3]; /* by rows */
} ag_mat;

typedef struct ag_exact_pose { /* of a frame: origin and axes, which are the columns of R */
  ag_vec p;
  ag_mat R;
} ag_exact_pose;

typedef struct ag_mass { /* of a body about a point: mass, first moment, rotational inertia */
  ag_number m;
  ag_vec h;
  ag_mat I;
} ag_mass;

static const ag_number ag_zero = {0, 0, 0}, ag_one = {1, 1, 0};
static const ag_vec ag_no_vec = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};

/* a x + y: what all sums are made of */
static inline ag_number ag_plus(ag_number y, ag_number a, ag_number x) {
  return ag_number_add(y, ag_number_mul(a, x));
}

ag_number ag_dot(ag_vec a, ag_vec b);
ag_vec ag_vec_add(ag_vec a, ag_vec b);
ag_vec ag_vec_sub(ag_vec a, ag_vec b);
ag_vec ag_vec_cross(ag_vec a, ag_vec b);
ag_vec ag_vec_scale(ag_number k, ag_vec a);
/* The unit vector of axis 0, 1 or 2. */
ag_vec ag_unit(int axis);

ag_mat ag_mat_unit(void);
ag_mat ag_mat_transpose(ag_mat A);
ag_mat ag_mat_mul(ag_mat A, ag_mat B);
ag_mat ag_mat_add(ag_mat A, ag_mat B);
ag_vec ag_mat_vec(ag_mat A, ag_vec v);
ag_vec ag_column(ag_mat A, int k);
/* Turns about axis 0, 1 or 2 by the angle with this cosine and sine. */
ag_mat ag_turn(int axis, ag_number c, ag_number s);
/* {xx, xy, xz, yy, yz, zz} as a matrix. */
ag_mat ag_symmetric(const ag_number x[6]);

/* Point a of frame f in the frame that f's place is in; a frame likewise. */
ag_vec ag_exact_pose_point(const ag_exact_pose *f, ag_vec a);
ag_exact_pose ag_exact_pose_mul(const ag_exact_pose *a, const ag_exact_pose *b);
/* A mass given about the origin of a frame along its axes, about that of the frame around it. */
ag_mass ag_mass_moved(const ag_mass *mass, const ag_exact_pose *f);
ag_mass ag_mass_add(const ag_mass *a, const ag_mass *b);

#endif
