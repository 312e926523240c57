/* SPDX-License-Identifier: MIT */
/* ik.h: joint positions that bring a frame of a robot to a pose: inverse kinematics, by damped least
 * squares within the joints' limits, from several starts. It needs the functions fk and jac of a
 * generated header, allocates nothing, and takes a bounded number of steps. What cannot be reached is
 * said, with the nearest pose that was found.
 *
 *   #include "gen3_achd.h"                        achdgen gen3.urdf --functions fk,jac
 *   ACHD_IK_ROBOT(gen3, GEN3, tool_frame);
 *
 *   static const achd_ik_joint joints[GEN3_NJ] = {{-INFINITY, INFINITY, false}, {-2.24, 2.24, false}, ..};
 *   const achd_ik_robot robot = {GEN3_NJ, joints, gen3_ik_kinematics, NULL};
 *   const achd_ik_goal goal = {pose, ACHD_IK_POSE, 1e-6, 1e-6};
 *   const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
 *   achd_ik_result result;
 *   if (achd_ik_solve(&robot, &goal, &search, q, &result) == ACHD_IK_FOUND) { use q; }
 *
 * Sources: Nakamura, Hanafusa, Inverse kinematic solutions with singularity robustness, ASME Journal of
 * Dynamic Systems, Measurement, and Control 108 (1986); Wampler, Manipulator inverse kinematic solutions
 * based on vector formulations and damped least-squares methods, IEEE Transactions on Systems, Man, and
 * Cybernetics 16 (1986); Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt
 * method, IEEE Transactions on Robotics 27 (2011), whose damping grows with the square of the error. */
#ifndef ACHD_IK_H
#define ACHD_IK_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_IK_JOINTS = 32 }; /* largest number of joints */

typedef struct achd_ik_joint {
  achd_real lower, upper; /* limits of its position; -infinity, infinity: none [rad; m] */
  bool slides; /* [m]; false: it turns [rad], and without limits full turns are nothing */
} achd_ik_joint;

/* What a solve needs of a robot. */
typedef struct achd_ik_robot {
  int njoints; /* 1 to ACHD_IK_JOINTS */
  const achd_ik_joint *joints;
  /* The pose of the frame in the base's frame at the joint positions q, and its Jacobian at its origin,
   * along the axes of the base, 6 x njoints by rows, linear before angular. Returns false where there
   * is none. */
  bool (*kinematics)(void *context, const achd_real q[], achd_pose *pose, achd_real jacobian[]);
  void *context; /* of `kinematics` */
} achd_ik_robot;

/* What of the goal's pose the frame is brought to. */
typedef enum achd_ik_aim {
  ACHD_IK_POSE,     /* origin and axes */
  ACHD_IK_POSITION, /* origin; its orientation is free */
  ACHD_IK_AXIS      /* origin and z axis; how it is turned about that is free */
} achd_ik_aim;

typedef struct achd_ik_goal {
  achd_pose pose; /* of the frame, in the base's frame */
  achd_ik_aim aim;
  achd_real position; /* how far the origin may be from the goal's, > 0 [m] */
  achd_real angle;    /* by how much the axes may be turned against the goal's, > 0 [rad] */
} achd_ik_goal;

/* How much is tried. */
typedef struct achd_ik_search {
  achd_real length; /* an angle of 1 rad counts as much as this distance, > 0 [m] */
  int starts;       /* at least 1: the given one, then random ones within the limits */
  int steps;        /* of each start at most, at least 1 */
  uint32_t seed;    /* of the random starts: equal seeds, equal answers */
} achd_ik_search;

/* An arm of half a metre to two metres: 64 starts of at most 64 steps. */
#define ACHD_IK_SEARCH_DEFAULT                                                                     \
  { (achd_real)0.25, 64, 64, 1 }

typedef enum achd_ik_status {
  ACHD_IK_FOUND,    /* q brings the frame to the goal */
  ACHD_IK_NEAREST,  /* not reached: q is the nearest that was found */
  ACHD_IK_BAD_INPUT /* a number is NaN or senseless, or no start has a pose: q is as it was */
} achd_ik_status;

typedef struct achd_ik_result {
  achd_pose pose;     /* of the frame at q */
  achd_real position; /* distance of its origin from the goal's [m] */
  achd_real angle;    /* between its axes and the goal's [rad]; of ACHD_IK_POSITION 0 */
  uint32_t at_limit;  /* bit j: joint j stands at a limit */
  bool
      settled; /* no small motion within the limits comes nearer: of an ACHD_IK_NEAREST that is not settled, more steps tell more */
  int starts, steps; /* taken */
} achd_ik_result;

/* Joint positions q within the limits that minimise
 *
 *   |p_goal - p|^2 + length^2 |angle|^2
 *
 * q: in, where the search begins (limits are kept from the first step on); out, the answer. A joint that
 * turns without limits stays within half a turn of where it began. The first start whose error is within
 * both tolerances ends the search, so that an answer near the given q is preferred; if none does, the
 * nearest one goes on until it settles. One call takes at most (starts + 8) (steps + 1) calls of `kinematics`. */
achd_ik_status achd_ik_solve(const achd_ik_robot *robot, const achd_ik_goal *goal,
                             const achd_ik_search *search, achd_real q[], achd_ik_result *result);

/* Defines NAME_ik_kinematics, for achd_ik_robot, by the generated functions fk and jac of a robot on a fixed
 * base. */
#define ACHD_IK_ROBOT(robot, ROBOT, frame)                                                         \
  static bool robot##_ik_kinematics(void *context, const achd_real q[], achd_pose *pose,           \
                                    achd_real jacobian[]) {                                        \
    robot##_fk_in fk = ROBOT##_FK_IN_DEFAULT;                                                      \
    robot##_jac_in jac = ROBOT##_JAC_IN_DEFAULT;                                                   \
    robot##_fk_out at;                                                                             \
    robot##_jac_out by;                                                                            \
    (void)context;                                                                                 \
    for (int j = 0; j < ROBOT##_NJ; j++) fk.q[j] = jac.q[j] = q[j];                                \
    const robot##_status status = robot##_fk(&fk, &at) | robot##_jac(&jac, &by);                   \
    *pose = ACHD_POSE_OF(at.pose.frame);                                                           \
    for (int i = 0; i < 3; i++) {                                                                  \
      for (int j = 0; j < ROBOT##_NJ; j++) {                                                       \
        jacobian[i * ROBOT##_NJ + j] = by.jac.frame.lin[i][j];                                     \
        jacobian[(i + 3) * ROBOT##_NJ + j] = by.jac.frame.ang[i][j];                               \
      }                                                                                            \
    }                                                                                              \
    return (status & ROBOT##_DO_NOT_COMMAND) == 0;                                                 \
  }                                                                                                \
  struct robot##_ik_functions /* for the semicolon */

#ifdef __cplusplus
}
#endif

#endif
