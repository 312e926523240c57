/* SPDX-License-Identifier: MIT */
/* interface.h: what all functions of a header have in common: the robot's joints, angles and rows,
 * names, and what a layout attached to which link. */
#ifndef AG_INTERFACE_H
#define AG_INTERFACE_H

#include "base/arena.h"
#include "graph/target.h"

#include <stdbool.h>

typedef struct ag_function ag_function; /* function.h */
typedef struct ag_plan ag_plan;         /* lower/plan.h */

enum { AG_NO_JOINT = -1, AG_BASE_YAW = -2 };

typedef struct ag_joint_info {
  const char *id;   /* C identifier */
  const char *name; /* URDF name */
  bool prismatic;
  int parent; /* the joint that carries it; AG_NO_JOINT: none, the base does */
  double lower, upper, velocity, effort; /* limits [rad, rad/s, N m; m, m/s, N]; NaN: none */
  const char *ball; /* an axis of a ball joint: the input with the rotation; NULL: it is none */
  int axis;         /* of a ball: 0, 1, 2: x, y, z of the child */
} ag_joint_info;

typedef struct ag_motor_info { /* of a layout with motors that are not joints */
  const char *id;              /* C identifier */
  bool slides;                 /* it is the motor of a joint that does */
  double velocity, effort;     /* limits [rad/s, N m; m/s, N]; NaN: none */
} ag_motor_info;

/* An angle whose sine and cosine the functions take: multiplier q[joint] + offset. The first are
 * the joints themselves, then those that mimic one, then the yaw of a planar base. */
typedef struct ag_angle {
  int joint; /* or AG_BASE_YAW */
  double multiplier, offset;
} ag_angle;

typedef enum ag_row_kind { AG_ROW_LINEAR, AG_ROW_ANGULAR, AG_ROW_FREE } ag_row_kind;

typedef struct ag_row_info {
  const char *group; /* C identifier */
  const char *name;  /* "lin_x", "1" */
  ag_row_kind kind;
  int joint; /* that carries the frame of its group; AG_NO_JOINT: none, or it is not one frame */
  bool maskable;
  bool set_point;        /* b is given at run time */
  bool bounds;           /* lo and hi are given at run time */
  bool compliant;        /* its compliance is given at run time */
  double compliance;     /* of a soft row, where it is constant; else 0 */
  bool weighted;         /* its weights of drivers are given at run time */
  const double *weights; /* of drivers, constants; NULL: they are given at run time, or all are 1 */
} ag_row_info;

/* The problem for achd_qp (achd/qp.h) that function qp makes. */
typedef struct ag_optimum {
  int unknowns, rows, levels;
  int rubbing; /* joints with dry friction, for achd_qp_friction */
} ag_optimum;

/* A parameter of the robot that its joints feel by itself: torques are the regressor times these. */
typedef struct ag_base_parameter {
  const char *id;   /* "upper_arm.mx", "joint_1.viscous" */
  const char *unit; /* "kg m" */
  const char *text; /* the links' masses, first moments and inertias that it is made of */
  double value;     /* the model's */
} ag_base_parameter;

typedef struct ag_remark {
  const char *key, *text;
} ag_remark;

/* What a layout attaches to a link or to the joint that carries it. */
typedef enum ag_mark_kind {
  AG_MARK_GROUP,
  AG_MARK_WRENCH,
  AG_MARK_JOINT,
  AG_MARK_FRAME
} ag_mark_kind;

typedef struct ag_mark {
  ag_mark_kind kind;
  int link;         /* of the model: the frame, or the child of the joint */
  const char *name; /* of the group or wrench; NULL: none */
  const char *text; /* for people: "locked at 0.02", "along the axes of {base_link}" */
  const char *axes; /* of a group: "base", "link", "input", "free", "joint" */
  int to; /* of a group that is a tie: the link whose motion relative to `link` it holds; -1 */
  bool physical; /* group or wrench: the environment produces it; else the motors */
  bool spatial;  /* group: b is the spatial acceleration */
  bool yields;   /* group: b comes on top of what artificial wrenches cause */
} ag_mark;

typedef struct ag_header {
  ag_arena *arena;
  const char *prefix; /* "gen3"; float: "gen3f" */
  const char *upper;  /* "GEN3" */
  const char *robot;  /* URDF robot name */
  ag_target target;   /* what code is made for */
  bool by_motors;     /* motors and contacts alone realise what is artificial */
  bool couples;       /* rotors of motors couple joints: no recursion */
  ag_joint_info *joints;
  ag_motor_info *motors;
  int njoints;
  int nmotors; /* 0: motors are joints */
  int nbase; /* velocities of the base, before those of the joints: 0, 3 (planar) or 6 (floating) */
  ag_angle *angles;
  ag_row_info *rows;
  const char *const *drivers; /* what rows can weigh: wrenches, "tau_phys", "tau_art", "viscous" */
  int nangles, nrows, ndrivers, nparameters;
  bool bounded;                  /* the layout bounds rows: there is mclp in place of achd */
  ag_optimum optimum;            /* unknowns 0: there is none, and no function qp */
  ag_base_parameter *parameters; /* of the regressor's columns, in their order */
  bool all_parameters; /* torques are these times the regressor: no rotors or loads beside them */
  ag_remark *remarks;  /* for the banner: robot, rows, rank, what was regrouped */
  ag_mark *marks;      /* groups and wrenches in the layout's order, then joints and frames */
  int nremarks;
  int nmarks;
  ag_function **functions;
  int nfunctions;
  ag_plan **plans; /* by function; NULL: no code is requested */
} ag_header;

/* The name of the base's velocity i < nbase: "lin_x", "yaw". */
const char *ag_base_velocity(const ag_header *header, int i);

/* Joints of the longest chain without a branch. */
int ag_longest_chain(const ag_header *header);

/* Whether the orientation of the base is an angle whose sine and cosine the functions take. */
bool ag_has_yaw(const ag_header *header);

#endif
