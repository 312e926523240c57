/* SPDX-License-Identifier: MIT */
/* outputs.h: outputs by their names, and those that several functions have: places, velocities and
 * accelerations of frames; wrenches. */
#ifndef AG_PROVE_OUTPUTS_H
#define AG_PROVE_OUTPUTS_H

#include "prove/mechanics.h"

typedef struct ag_defined { /* an output */
  const char *name;
  const ag_number *values;
  int count;
} ag_defined;

typedef struct ag_definition {
  const ag_robot *robot;
  ag_arena *arena;
  ag_defined *outputs;
  int noutputs;
  bool singular;   /* M has no inverse at the point */
  bool borderline; /* a comparison is too close for two ways of rounding */
  bool close;      /* one may be: then a difference is none to tell of */
  bool acted;      /* the policy for dependent rows did, on a row in force */
  bool moved; /* along a derivative's direction the policy changes, or a singular linkage moves */
  bool open;  /* a linkage is not closed, or at a singular position: torques are 0 */
  bool truncated; /* pivots are eigenvalues of L, by square roots unless rows do not meet in it */
} ag_definition;

/* By its name; NULL: there is no definition. */
const ag_defined *ag_defined_output(const ag_definition *definition, const char *name);

/* Adds an output. */
void ag_define_output(ag_definition *definition, const char *name, const ag_number *values,
                      int count);
/* Vectors by coordinate from two inputs and as two outputs: that of a moving base and that of the joints. */
ag_number *ag_given_by_coordinate(const ag_definition *definition, const char *base,
                                  const char *joints);
void ag_define_by_coordinate(ag_definition *definition, const char *base, const char *joints,
                             const ag_number *x);
/* Of the motors' torques t with G^T t = tau, tau by joint, those of least square: t = G x, G^T G x = tau. Joints that
 * no motor moves have none. */
ag_number *ag_motor_torques(const ag_definition *definition, const ag_number *tau);
/* Numbers, all zero. */
ag_number *ag_numbers(const ag_definition *definition, int count);
/* The acceleration energy Z = 1/2 qdd^T M qdd - f^T qdd, f of all forces but those of rows. */
void ag_define_gauss(ag_definition *definition, const char *name, const ag_number *qdd,
                     const ag_number *forces);
/* Pose, twist of frames, and their accelerations when the robot accelerates by qdd; prefix: of the
 * names, "acc." */
void ag_define_frames(ag_definition *definition);
void ag_define_accelerations(ag_definition *definition, const char *prefix, bool spatial,
                             const ag_number *qdd);
/* What is said of linkages: positions, velocities, what is left of them, torques at their motors. follows: another function
 * has said it; followed: another one finds the torques. */
void ag_define_linkages(ag_definition *definition, bool follows, bool followed);
/* Adds J^T f of wrench k of the layout, where there is an input of it. */
void ag_define_wrench(const ag_definition *definition, int k, ag_number *tau);
/* Adds those of the wrenches of a kind. */
void ag_define_wrenches(const ag_definition *definition, bool physical, ag_number *tau);

#endif
