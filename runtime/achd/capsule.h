/* SPDX-License-Identifier: MIT */
/* capsule.h: how near the links of a robot are to each other, as capsules: all points no farther than a radius
 * from a segment. The tables are made by achdgen:
 *
 *   achdgen gen3.urdf --layout arm.lua --capsules gen3_capsules.h
 *
 * of the shapes that --mjcf has, boxes and cylinders within capsules that contain them, and of the pairs of links
 * that are no neighbours. The loop (loop.h) asks this in every cycle, where its setup has a watch. */
#ifndef ACHD_CAPSULE_H
#define ACHD_CAPSULE_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_CAPSULES = 64 }; /* largest number of capsules, and of links */

/* A link, by its parent, which comes before it:
 *
 *   R = R_parent R_at exp(q axis),  p = p_parent + R_parent p_at          where it turns
 *   R = R_parent R_at,              p = p_parent + R_parent p_at + R axis q   where it slides */
typedef struct achd_capsule_link {
  int parent; /* index; -1: the base */
  int joint;  /* of the robot; -1: none, it is fixed to its parent */
  bool slides;
  achd_pose at;               /* in the parent's frame at q = 0 */
  achd_real axis[3];          /* unit vector, in the link's frame */
  achd_real factor, constant; /* q = factor q_joint + constant */
} achd_capsule_link;

typedef struct achd_capsule {
  int link;             /* index */
  achd_real ends[2][3]; /* of the segment, in the link's frame; both the same: a sphere [m] */
  achd_real radius;     /* >= 0 [m] */
} achd_capsule;

typedef struct achd_capsules {
  int nlinks, ncapsules, npairs;
  const achd_capsule_link *links;
  const achd_capsule *capsules;
  const int (*pairs)[2];    /* of capsules */
  const char *const *names; /* of links */
} achd_capsules;

/* A watch of the loop; `near` and `outside` of its events. */
typedef struct achd_capsule_watch {
  const achd_capsules *capsules; /* NULL: none */
  achd_real nearest;             /* a pair that is nearer is reported [m] */
  /* The tool frame's origin stays within lower .. upper, in the frame of the base; all 0: anywhere [m] */
  achd_real lower[3], upper[3];
} achd_capsule_watch;

/* The nearest pair. */
typedef struct achd_clearance {
  int pair;           /* index; -1: there is none */
  achd_real distance; /* of the two surfaces; negative: they overlap [m] */
} achd_clearance;

/* False: an index, count or number has no meaning: NaN, infinite, a radius below 0, an axis that is no unit vector of a
 * joint that moves, a joint that the robot does not have. */
bool achd_capsules_valid(const achd_capsules *capsules, int njoints);

/* The same, and the table is valid or NULL. The distance and the corners of the box are no NaN, lower no larger than upper. */
bool achd_capsule_watch_valid(const achd_capsule_watch *watch, int njoints);

/* Distance of the segments p0 p1 and q0 q1 [m]; a segment may be a point (Ericson 2005: Real-Time Collision Detection, 5.1.9). */
achd_real achd_segment_distance(const achd_real p0[3], const achd_real p1[3], const achd_real q0[3],
                                const achd_real q1[3]);

/* The nearest of the pairs at joint positions q. Of a table that is valid; where a position is not finite, or so large
 * that its places are not, pair is -1 and the distance 0. */
achd_clearance achd_capsules_nearest(const achd_capsules *capsules, const achd_real q[]);

#ifdef __cplusplus
}
#endif

#endif
