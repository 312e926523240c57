/* SPDX-License-Identifier: MIT */
/* links.h: the robot as plain SI numbers: a tree of links. */
#ifndef AG_LINKS_H
#define AG_LINKS_H

#include "model/pose.h"

typedef struct ag_limits {
  double lower, upper; /* [rad, m]; NaN: none */
  double velocity;     /* [rad/s, m/s]; NaN: none */
  double effort;       /* [N m, N]; NaN: none (a 0 in the file means none, with a warning) */
} ag_limits;

/* The joint that carries a link; the root link's has type AG_FIXED and no name. */
typedef struct ag_joint {
  const char *name; /* as in the URDF */
  const char *id;   /* the same as a C identifier */
  int line;
  ag_joint_type type;
  ag_pose origin; /* of the joint frame in the parent link's frame, at q = 0 the child's frame */
  double axis[3]; /* unit vector, in the joint frame */
  ag_limits limits;
  double armature;           /* rotor inertia at the joint's side, where the file has it */
  double damping, friction;  /* [N m s/rad, N s/m], [N m, N] */
  int mimic;                 /* index of the link whose joint leads, itself no mimic; -1: none */
  double multiplier, offset; /* q = multiplier q_leader + offset */
  int ball; /* 1, 2, 3: the turn about x, y, z of the child's axes of a ball joint; 0: of none */
  const char *ball_name, *ball_id; /* of that ball joint */
} ag_joint;

/* Why dynamics cannot be made: an error that is reported where a function needs what is amiss. */
typedef struct ag_fault {
  int line;         /* of the URDF */
  const char *what; /* NULL: nothing is amiss */
  const char *remedy;
} ag_fault;

/* Links stand in an order in which every parent comes before its children: root first, otherwise
 * depth first, children in the order of the file's joints. */
typedef struct ag_link {
  const char *name; /* as in the URDF */
  const char *id;   /* the same as a C identifier */
  int line;
  int parent; /* index; -1: root */
  ag_joint joint;
  ag_inertia inertia; /* about the link frame's origin, link axes */
  double com[3];      /* centre of mass in the link frame [m] */
  double central[6];  /* rotational inertia about it, link axes: xx xy xz yy yz zz [kg m^2] */
  ag_fault fault;     /* the <inertial> is none: no dynamics of any body that has this link */
  ag_fault doubt;     /* a principal moment is negative: of use only where the body's are not */
  bool is_tie_end;    /* it stands for an end of a tie of the file */
} ag_link;

/* A closed loop of the file's: two frames that are one, or have one origin. */
typedef struct ag_tie {
  const char *id; /* a C identifier */
  int line;
  int frame, to; /* links */
  bool turns;    /* only the origins are one */
} ag_tie;

/* A posture of the file's. */
typedef struct ag_posture {
  const char *name;
  int line;
  const double *q; /* of each link's joint [rad, m]; NaN: none */
} ag_posture;

typedef struct ag_model {
  const char *path, *name, *id; /* file, robot, robot as a C identifier */
  ag_link *links;
  int nlinks;
  ag_tie *ties;
  ag_posture *postures;
  const struct ag_urdf_gear *gears;   /* document.h */
  const struct ag_urdf_motor *motors; /* document.h */
  int nties, npostures, ngears, nmotors;
  ag_note *warnings;
  int nwarnings;
  ag_note *losses; /* what is in the file and not in the model */
  int nlosses;
  ag_note *snapped; /* "joint_1 rpy[0] 3.1416 -> pi" */
  int nsnapped;
  bool snap; /* as it was built */
} ag_model;

/* Index of the link that the joint of this URDF name carries; -1: none. */
int ag_model_joint(const ag_model *model, const char *name);

/* The link of this name; -1: none. */
int ag_model_link(const ag_model *model, const char *name);

#endif
