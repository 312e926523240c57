/* model.h: the robot as plain SI numbers: a tree of links. No XML, no Lua.
 *
 * Every anomaly of a raw URDF document is an error or a warning with file and line, never a silent
 * drop. */
#ifndef AG_MODEL_H
#define AG_MODEL_H

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
  double damping, friction;  /* [N m s/rad, N s/m], [N m, N] */
  int mimic;                 /* index of the link whose joint leads, itself no mimic; -1: none */
  double multiplier, offset; /* q = multiplier q_leader + offset */
} ag_joint;

/* Links stand in an order in which every parent comes before its children: root first, otherwise
 * depth first, children in the order of the file's joints. */
typedef struct ag_link {
  const char *name; /* as in the URDF */
  const char *id;   /* the same as a C identifier */
  int line;
  int parent; /* index; -1: root */
  ag_joint joint;
  ag_inertia inertia; /* about the link frame's origin, link axes */
} ag_link;

typedef struct ag_model {
  const char *path, *name, *id; /* file, robot, robot as a C identifier */
  ag_link *links;
  int nlinks;
  ag_note *warnings;
  int nwarnings;
  ag_note *snapped; /* "joint_1 rpy[0] 3.1416 -> pi" */
  int nsnapped;
  bool snap; /* as it was built */
} ag_model;

/* With snap, angles are taken for the multiple of pi/4 whose rounding their decimals are (at least
 * four of them, or more where the file has more), and angles below 1e-9 for zero; their sines and
 * cosines are then exact. Likewise components of an axis below 1e-9. Without it, numbers are those
 * of the file. */
bool ag_model_build(const ag_urdf *doc, bool snap, ag_model *model, ag_arena *arena, ag_err *err);

/* Index of the link that the joint of this URDF name carries; -1: none. */
int ag_model_joint(const ag_model *model, const char *name);
/* The link that a layout's default root is: the root of the tree, or the child of the planar or
 * floating joint there. */
int ag_model_base(const ag_model *model);

#endif
