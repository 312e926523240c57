/* SPDX-License-Identifier: MIT */
/* document.h: what a robot's file says, a URDF or MJCF: links and joints with the lines that they
 * stand in. */
#ifndef AG_DOCUMENT_H
#define AG_DOCUMENT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/note.h"
#include "model/decimal.h"
#include "model/urdf_words.h"

typedef struct ag_urdf_pose {
  int line; /* of <origin>; 0 where the element is missing: identity */
  ag_decimal xyz[3], rpy[3];
  const double *R; /* MJCF: the rotation by rows, in place of rpy; NULL: rpy counts */
} ag_urdf_pose;

/* The shape of a <visual> or a <collision>, as texts of the file. */
typedef struct ag_urdf_look {
  int line;
  bool collision;
  const char *shape;                /* "box", "cylinder", "sphere", "mesh" */
  const char *texts[AG_LOOK_TEXTS]; /* NULL: not there */
} ag_urdf_look;

typedef struct ag_urdf_link {
  const char *name;
  int line;
  int inertial_line;           /* 0: no <inertial> */
  ag_urdf_pose com;            /* the inertial frame in the link frame */
  int mass_line, inertia_line; /* 0: the element is missing */
  double mass;                 /* [kg] */
  double inertia[6]; /* xx xy xz yy yz zz, about the centre of mass, inertial axes [kg m^2] */
  int fault_line; /* 0: <inertial> could be read; else where it could not, and as errors say it: */
  const char *fault, *remedy;
  ag_urdf_look *looks;
  int nlooks;
  bool is_tie_end; /* it stands for an end of a tie, and no limb ends there */
} ag_urdf_link;

typedef struct ag_urdf_joint {
  const char *name, *parent, *child; /* parent, child: links */
  int line, parent_line, child_line;
  ag_joint_type type;
  ag_urdf_pose origin;
  int axis_line; /* 0: missing, then 1 0 0 */
  double axis[3];
  int limit_line; /* 0: missing; attributes that are missing are NaN, that say none infinite */
  double lower, upper, effort, velocity;
  int dynamics_line; /* 0: missing, then 0 0 */
  double damping, friction;
  double armature;   /* MJCF: the rotor's inertia at the joint's side [kg m^2, kg] */
  double reference;  /* MJCF: the position in which the file shows the robot [rad, m] */
  int mimic_line;    /* 0: none */
  const char *mimic; /* joint */
  double multiplier, offset;
  int ball; /* 1, 2, 3: about x, y, z of a ball joint (compound.h); 0: it is of none */
  const char *ball_name;
  const struct ag_urdf_joint
      *second; /* of a universal joint: axis, limits and friction of its second axis */
} ag_urdf_joint;

/* MJCF: two links that move as if their frames were one, where they are one. */
typedef struct ag_urdf_tie {
  const char *name, *frame, *to; /* frame, to: links */
  int line;
  bool turns; /* only the origins are one: the links turn about it */
} ag_urdf_tie;

/* MJCF: a <key>: positions of joints. */
typedef struct ag_urdf_posture {
  const char *name;
  int line, count;
  const char **joints;
  double *q; /* [rad, m] */
} ag_urdf_posture;

/* A joint or an actuator of a <transmission>, as the file has it. */
typedef struct ag_urdf_gear_end {
  const char *name, *role, *reduction; /* NULL: it has none */
  int line;
} ag_urdf_gear_end;

/* URDF: a <transmission>, of the robot or within <ros2_control>. Layouts take them where they say so. */
typedef struct ag_urdf_gear {
  const char *name, *type; /* NULL: it has none */
  int line;
  ag_urdf_gear_end *joints, *actuators;
  int njoints, nactuators;
} ag_urdf_gear;

/* MJCF: an actuator, as the motor that a layout takes where it says so: w = sum ratio_k qd_k. */
typedef struct ag_urdf_motor {
  const char *name; /* a C identifier */
  const char *what; /* as errors say it: motor "lift" */
  int line;
  const char *fault; /* why it cannot be taken; NULL: it can */
  int count;
  const char **joints;
  double *ratios; /* [rad/rad, rad/m] */
  double effort;  /* the largest torque of the motor; infinite: none is said [N m, N] */
} ag_urdf_motor;

typedef struct ag_urdf {
  const char *path; /* as the user named it; "standard input" for "-" */
  const char *text; /* of standard input: its bytes; else NULL */
  size_t length;
  const char *robot;
  int robot_line;
  bool snap; /* right angles that are written with few digits are right ones (snapped) */
  ag_urdf_link *links;
  ag_urdf_joint *joints;
  int nlinks, njoints;
  ag_urdf_tie *ties;
  ag_urdf_posture *postures;
  ag_urdf_gear *gears;
  ag_urdf_motor *motors;
  int nties, npostures, ngears, nmotors;
  ag_note *warnings; /* what is no URDF, and read as one or ignored */
  int nwarnings;
  ag_note *losses; /* what is in the file and not in the document */
  int nlosses;
  ag_note *snapped; /* where angles are read into matrices at once: what that changed */
  int nsnapped;
  int nothers;
  const char **others; /* files that it includes, and meshes that were read */
} ag_urdf;

#endif
