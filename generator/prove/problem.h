/* SPDX-License-Identifier: MIT */
/* problem.h: what a function is about (lua/functions/problem.lua), as structs: the robot in the
 * frames that the function was made in, every number exact, and what the layout asks for. */
#ifndef AG_PROBLEM_H
#define AG_PROBLEM_H

#include "base/arena.h"
#include "base/value.h"
#include "prove/vector.h"

/* Body i stands in its parent at Tp(p) Rz(gamma) Rx(alpha), then Rz(theta + q) where the joint
 * turns, Tz(q) Rz(theta) where it slides. Body 0 is the base. A ball joint is three bodies, of which the
 * first stands at Tp(p) before R(quaternion) after and all turn by none: their axes are those of the third,
 * the child. */
typedef struct ag_solid {
  int parent;
  bool slides;
  ag_number cosine[3], sine[3]; /* of gamma, alpha, theta */
  ag_vec p;
  ag_mass mass;            /* about its origin */
  int joint;               /* from 0: that moves it, itself or as what it mimics */
  ag_number ratio, offset; /* q = ratio q_joint + offset */
  ag_number armature;
  int ball; /* 1, 2, 3: of a ball joint */
  ag_mat before, after;
  const char *quaternion; /* the input, of a ball */
} ag_solid;

typedef struct ag_gear { /* a motor: how joints turn it, and what it has */
  const ag_value *ratio; /* its velocity by those of the bodies' joints, by body from 0 */
  ag_number inertia, viscous, coulomb;
  ag_number effort; /* of one that moves joints together; infinite: no limit */
  bool beside;      /* it is in a transmission with such a limit */
} ag_gear;

typedef struct ag_site { /* a frame on a body */
  const char *id;        /* of its link; NULL: unknown */
  int body;
  ag_exact_pose place;
} ag_site;

typedef enum ag_axes { AG_AXES_BASE, AG_AXES_LINK, AG_AXES_INPUT, AG_AXES_JOINT } ag_axes;

typedef struct ag_group { /* of constraint rows */
  const char *name;
  int nrows;
  const char *const *rows; /* "lin_x" */
  ag_axes axes;
  bool physical, free, spatial, yields, maskable;
  ag_site frame, to;
  bool tie;
  const int *joints;     /* of rows along joints, from 0 */
  const ag_value *value; /* as it came, for its bounds */
} ag_group;

typedef struct ag_joint_rows { /* friction or limits of joints, or friction of motors */
  int nrows;
  const int *joints;
  const int *motors; /* NULL: it is of joints; else the friction of these motors, from 0 */
  bool physical, friction, limits, given_b;
  const ag_value *value;
} ag_joint_rows;

typedef struct ag_pusher { /* a wrench */
  const char *name;
  bool physical;
  ag_site frame;
} ag_pusher;

typedef struct ag_problem {
  ag_solid *bodies; /* nbodies + 1, 0 the base */
  ag_site *frames;
  ag_group *groups;
  ag_joint_rows *joint_rows;
  ag_pusher *wrenches;
  ag_gear *gears; /* of a layout with motors that are not joints: all motors */
  int nbase, njoints, nbodies;
  int nframes, ngroups, njoint_rows, nwrenches, ngears; /* of these lists */
  bool *passive;                                        /* by joint */
  ag_number *effort;                                    /* by joint; infinite: no limit */
  bool saturate, scales, by_motors, spatial_acc, spatial_family;
  bool rows_first; /* a fast way solves `equations` first, or eliminates `sets` early */
  const char *singularity;
  const ag_value
      *equations, /* whose pivots pivot_min is of with all rows in force; NULL: those of L */
      *sets; /* of rows that are eliminated before the base: numbers of rows and of coordinates */
  ag_number threshold, no_bound;
  const ag_value *value; /* as it came */
} ag_problem;

ag_problem *ag_problem_read(const ag_value *value, ag_arena *arena);

/* Three numbers of a list. */
ag_vec ag_vec_of(const ag_value *list);
/* {m, h, I} */
ag_mass ag_mass_of(const ag_value *table);
/* {body, p, R} */
ag_site ag_site_of(const ag_value *table);

#endif
