/* model.h: the robot as plain SI numbers: a tree of links, then the tree of moving bodies that a
 * layout selects from it. No XML, no Lua.
 *
 * ag_model_build checks a raw URDF document and makes the whole tree; ag_model_reduce selects a
 * sub-tree, freezes locked joints and merges what is rigid into bodies. Every anomaly is an error
 * or a warning with file and line, never a silent drop. */
#ifndef AG_MODEL_H
#define AG_MODEL_H

#include "model/urdf.h"

/* Pose of a frame {C} in a frame {P}: p is C's origin [m], R maps components in C to components in
 * P (its columns are C's axes). */
typedef struct ag_pose {
  double p[3];
  double R[3][3];
} ag_pose;

/* Rigid-body inertia about a frame's origin, along its axes: mass [kg], first moment m c [kg m],
 * rotational inertia xx xy xz yy yz zz about the ORIGIN [kg m^2] (xy is the tensor's element). */
typedef struct ag_inertia {
  double m, h[3], I[6];
} ag_inertia;

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

/* Index of a link by its URDF name; -1: none. */
int ag_model_link(const ag_model *model, const char *name);
/* Index of the link that the joint of this URDF name carries; -1: none. */
int ag_model_joint(const ag_model *model, const char *name);
/* The link that a layout's default root is: the root of the tree, or the child of the planar or
 * floating joint there. */
int ag_model_base(const ag_model *model);
/* The names most like a wrong one, as `"a", "b" or "c"`, "" when none is like it; what: 0 links,
 * 1 moving joints. */
const char *ag_model_near(const ag_model *model, int what, const char *name, ag_arena *arena);

/* What a layout selects. Arrays are indexed by link (joint: by the link it carries). */
typedef struct ag_selection {
  int root;           /* link; of a planar or floating joint's parent, the child is meant */
  ag_joint_type base; /* the layout's: AG_FIXED, AG_PLANAR or AG_FLOATING */
  /* Links: the tree from root to them stays, all of their descendants that are fixed to a kept body
   * count as its mass too. None: the whole tree below root. */
  const int *tips;
  int ntips;
  const double *locked;    /* the joint's frozen position; NaN: not locked. NULL: none is */
  const bool *own_inertia; /* leave this link's inertia out of its body: it comes at run time */
  const ag_inertia *payload; /* a load on this link, about its frame's origin; NULL: none has one */
  const bool *carries;       /* a load on this link comes at run time; NULL: none does */
  const bool *armature;    /* the joint's rotor inertia is not zero */
} ag_selection;

/* One moving joint and what it carries rigidly. Its frame {i} is the URDF frame of the joint's
 * child link. */
typedef struct ag_body {
  int link;           /* the joint's child link: name, joint, limits are found there */
  int parent;         /* body; -1: the base */
  ag_pose origin;     /* of {i} at q = 0 in the parent body's frame (base: the root link's) */
  double axis[3];     /* in {i} */
  ag_inertia inertia; /* of all that moves with it, about {i}'s origin, {i}'s axes */
  int mimic;          /* body whose joint leads; -1: none. The factors are in the link's joint */
} ag_body;

typedef struct ag_frame { /* every selected link, as a frame on a body */
  int link;
  int body;     /* -1: the base */
  ag_pose pose; /* in the body's frame */
} ag_frame;

typedef struct ag_reduced {
  ag_body *bodies; /* in the order of the links */
  int nbodies;
  ag_frame *frames; /* in the order of the links */
  int nframes;
  ag_inertia base; /* what is rigid with the root link */
  ag_note *merged; /* "end_effector_link into bracelet_link" */
  int nmerged;
  ag_note *warnings; /* what the selection leaves out, lines of the URDF */
  int nwarnings;
  int root; /* the link that is the base */
} ag_reduced;

/* Fails on: no moving joint on a fixed base; a base that is not the one which a planar or floating joint of the
 * URDF says; a moving joint (or moving base) whose articulated inertia can vanish (nothing with
 * mass, rotational inertia, run-time inertia or armature beyond it that the joint must move); tips
 * that are not below root; a mimic joint whose leader is not selected. `layout` is the file to
 * blame for a selection that does not fit. Limits given by limits.effort are the URDF's. */
bool ag_model_reduce(const ag_model *model, const ag_selection *selection, const char *layout,
                     ag_reduced *reduced, ag_arena *arena, ag_err *err);

/* The robot's or a frame's pose algebra, shared with the frame search. */
ag_pose ag_pose_mul(const ag_pose *a, const ag_pose *b); /* P_a{b}: frame b given in a */
/* Inertia given in {C}, expressed about {P}'s origin in {P}'s axes, pose of {C} in {P}. */
ag_inertia ag_inertia_transform(const ag_pose *pose, const ag_inertia *inertia);

#endif
