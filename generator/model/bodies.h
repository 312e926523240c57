/* SPDX-License-Identifier: MIT */
/* bodies.h: what a layout selects from a model, and the tree of moving bodies that this makes. */
#ifndef AG_BODIES_H
#define AG_BODIES_H

#include "model/model.h"

/* What a layout selects. Arrays are indexed by link (joint: by the link it carries). */
typedef struct ag_selection {
  int root;           /* link; of a planar or floating joint's parent, the child is meant */
  ag_joint_type base; /* the layout's: AG_FIXED, AG_PLANAR or AG_FLOATING */
  /* Links: the tree from root to them stays, all of their descendants that are fixed to a kept body
   * count as its mass too. None: the whole tree below root. */
  const int *tips;
  int ntips;
  const double *locked;      /* the joint's frozen position; NaN: not locked. NULL: none is */
  const bool *own_inertia;   /* leave this link's inertia out of its body: it comes at run time */
  const ag_inertia *payload; /* a load on this link, about its frame's origin; NULL: none has one */
  const bool *carries;       /* a load on this link comes at run time; NULL: none does */
  const bool *armature;      /* the joint's rotor inertia is not zero */
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
  int root;               /* the link that is the base */
  ag_fault inertia_fault; /* the first inertial that is none: no function of masses can be made */
  ag_fault pivot_fault;   /* a motion that nothing resists: no accelerations can be computed */
} ag_reduced;

#endif
