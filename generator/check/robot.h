/* SPDX-License-Identifier: MIT */
/* robot.h: a robot on a random state, as the programs of the whole family say: their numbers, its
 * frames, what forces do. Vectors of a robot's velocities, accelerations and forces have those of a
 * moving base first, then one per joint; frames are along the axes of the base, of a moving one's
 * world. */
#ifndef AG_CHECK_ROBOT_H
#define AG_CHECK_ROBOT_H

#include "base/value.h"
#include "check/measure.h"
#include "check/sampler.h"
#include "script/script.h"

typedef struct ag_run { /* a program and its numbers on the state */
  const ag_graph *graph;
  double *in, *out, *work;
  unsigned status;
} ag_run;

typedef struct ag_moving_frame { /* a frame of groups or wrenches that moves */
  const char *id;                /* of its link */
  const double *pose, *twist, *acc, *jac, *jdqd;
} ag_moving_frame;

typedef struct ag_placed_row {
  const ag_mark *group;
  int joint; /* of a row along a joint's axis, which has nothing below; -1 */
  const ag_moving_frame *frame;
  const ag_moving_frame
      *to;                 /* of a tie: its motion relative to `frame`, along its axes; else NULL */
  int part, axis;          /* lin or ang; x y z */
  const double *direction; /* free: the six numbers */
  const double *rotation;  /* row by row, its columns are the axes; NULL: those of the base */
} ag_placed_row;

/* A closed loop whose dependent joints are solved for. Joints, bodies and links are counted from 1. */
typedef struct ag_linkage {
  const char *name;
  const ag_value *joints, *dependent; /* joints of the header; bodies, in the order of `rates` */
  const ag_value *motors;             /* {place: in `dependent`, or joint; 0: the other} */
  const ag_value *ties;               /* {frame, to: links; rows; length: of a rod, else 0} */
  const double *begin;                /* the default of its start */
  double *start, *kept;               /* on the state; aside */
  const double *end, *residual, *pivot, *rates;
  const char *tau; /* the output of its motors' torques */
  int size;        /* of start and end */
  double *ratios;  /* velocities of dependent joints by those of the joints: n by row */
} ag_linkage;

/* The largest sums of absolute values that make the numbers of a solve. */
typedef struct ag_sizes {
  double torque, qdd, nu, acceleration;
  double nu_by_b, nu_by_torque; /* of a row's nu, by a unit of b and of a joint's torque */
} ag_sizes;

typedef struct ag_reference {
  ag_sampler sampler; /* the state */
  ag_header header;
  ag_script *script;
  ag_run *runs;
  bool solves;                     /* it has a solve: there are no bounded rows */
  int n, nbase, nrows;             /* velocities, of them the base's; rows of the solve */
  double *velocity, *acceleration; /* drawn */
  ag_moving_frame *frames;
  int nframes;
  ag_linkage *linkages;
  int nlinkages;
  double *drawn; /* positions, before linkages are closed */
  ag_placed_row *rows;
  double *M, *inverse;        /* n x n */
  double *AJ;                 /* A^T J: rows x n */
  double *drift, *drift_size; /* A^T J-dot q-dot by row, and of absolute values */
  double *yield, *yield_size; /* what the row lets pass of wrenches and other drivers */
  double *reach;              /* |M^-1| times the largest torque */
  ag_sizes sizes;             /* of the reference's own solve */
  double pivot;               /* its least, at most 1 */
  ag_measures measures;
  double *torques;    /* of the latest ag_reference_torques */
  double *lever;      /* by body: how far from the base it can be */
  double *scratch[4]; /* for intermediate results */
} ag_reference;

/* A run of a program, with arrays for its numbers. */
ag_run ag_run_new(ag_sampler *sampler, const ag_graph *p, ag_arena *arena);
/* Evaluates a program on the state of the sampler; single: with inputs rounded to float. */
void ag_run_evaluate(const ag_sampler *sampler, ag_run *run, bool single);
/* The numbers of an output by its name; NULL: there is none. */
const double *ag_output_of(const ag_run *run, const char *name);

/* A function of the family, which has "achd" where it solves; of "id" after ag_reference_torques
 * the numbers are others. */
ag_run *ag_reference_run(const ag_reference *reference, const char *function);

/* The frame of a link that groups or wrenches are at; NULL: it does not move. */
const ag_moving_frame *ag_reference_frame(const ag_reference *reference, int link);

/* Puts together the base's part of a vector and the joints'; NULL is zero. */
void ag_reference_join(const ag_reference *reference, const double *base, const double *joints,
                       double *x);
/* Puts together two outputs of a run; those that it has not are zero. */
void ag_reference_outputs(const ag_reference *reference, const ag_run *run, const char *base,
                          const char *joints, double *x);

/* M vdot + h - J^T f of physical wrenches, by inverse dynamics. Valid until the next. */
const double *ag_reference_torques(const ag_reference *reference, const double *vdot);

/* Adds J^T f of the wrench, given as the mark of the layout, to tau, and of absolute values to size. */
void ag_reference_wrench(const ag_reference *reference, const ag_mark *wrench, double *tau,
                         double *size);

/* Adds J^T f of the wrenches of a kind to tau, and of absolute values to size; either may be NULL.
 */
void ag_reference_wrenches(const ag_reference *reference, bool physical, double *tau, double *size);

/* How many numbers the positions of a base have at most. */
enum { AG_MOST_OF_BASE = 14 };

/* The largest absolute value. */
double ag_largest(const double *values, int count);
/* product = a x b */
void ag_cross(const double a[3], const double b[3], double product[3]);

#endif
