/* SPDX-License-Identifier: MIT */
/* demands.h: constraint rows at a point: what each asks for, J qdd + drift = b, and L nu = r with
 * the policies for rows that depend on others, by the definitions. */
#ifndef AG_DEMANDS_H
#define AG_DEMANDS_H

#include "prove/dense.h"
#include "prove/mechanics.h"

typedef struct ag_demand { /* one row */
  const ag_group *group;   /* NULL: of the friction or the limits of joints */
  const ag_joint_rows *joints;
  int k;                /* which row of these */
  int joint;            /* of a row along a joint's axis, from 0; -1 */
  int motor;            /* of the friction of a motor, from 0; -1 */
  ag_vec lin, ang;      /* its direction, along the axes of the base */
  ag_number *J;         /* by coordinate */
  ag_number drift, b;   /* the acceleration along it at qdd = 0; the set-point */
  ag_number compliance; /* c of a soft row, J qdd + drift = b - c nu; 0: rigid */
  bool physical, masked;
} ag_demand;

/* The rows of the groups, then those along joints. nframe: how many are of groups. */
ag_demand *ag_demands_at(const ag_robot *robot, int *count, int *nframe);

/* The direction of row k of a group, along the axes of the base. */
void ag_demand_direction(const ag_robot *robot, const ag_group *group, int k, ag_vec *lin,
                         ag_vec *ang);

/* Whether joints move along a row: L_jj, without compliance, is above its scale. Not where it is 0; a direction
 * that is given at run time is out of reach, too, where it is so long that L_jj overflows. */
bool ag_demand_in_reach(const ag_robot *robot, const ag_demand *row, ag_number own);

/* The acceleration along a row when the robot accelerates so. */
ag_number ag_demand_seen(const ag_robot *robot, const ag_demand *row, const ag_number *qdd);

/* The acceleration along a row that forces by coordinate cause: J M^-1 forces; W = M^-1. */
ag_number ag_demand_caused(const ag_robot *robot, const ag_number *W, const ag_demand *row,
                           const ag_number *forces);

/* L nu = r, L_jk = J_j M^-1 J_k^T, and on the diagonal the compliance of soft rows, by L D L^T in the
 * order of the rows: pivot d_j. A row may be out of reach (above), and is dependent
 * where d_j < threshold L_jj: drop takes it out, damp adds threshold L_jj (1 - d_j / (threshold L_jj))^2
 * to d_j. A masked row is out. Derivatives are those of the branch taken, but for the damping, which the
 * functions of the header leave as it is. Where motors alone realise the rows, L grows by what rows see
 * of the motion that they take out; rows are judged against L_jj before. */
typedef struct ag_system {
  int m;
  ag_number *L, *l; /* m x m; l: of the factors */
  ag_number *own;   /* by row: L_jj without compliance, before it grows */
  ag_number *whole; /* by row: L_jj with compliance, before it grows */
  ag_number *inverse, *pivot;
  bool borderline; /* a comparison is too close for two ways of rounding */
  bool close;      /* one may be */
  bool acted;      /* the policy for dependent rows, on a row in force */
  bool moved;      /* along a derivative's direction: damping changes, or a row out of reach */
} ag_system;

/* rows: `count` of them; W = M^-1; more: what L grows by, NULL: nothing. */
ag_system ag_system_of(const ag_robot *robot, const ag_number *W, const ag_demand *const *rows,
                       int count, const ag_number *more);
void ag_system_solve(const ag_system *system, const ag_number *r, ag_number *nu);

#endif
