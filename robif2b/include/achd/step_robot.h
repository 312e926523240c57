/* SPDX-License-Identifier: MIT */
/* step_robot.h: a robot whose simulated devices (robif2b, achd/arm.h) move by steps that achdgen generated, without
 * MuJoCo.
 *
 *   achdgen arm.urdf --layout sim.lua --functions step_begin,crba,bias,gravity,fk,fvk,fak,jac -o arm_sim.h
 *
 *   #define ARM_IMPLEMENTATION
 *   #include "arm_sim.h"
 *   #include <achd/step_robot.h>
 *   static const double rotors[ARM_NJ] = {0.5, 0.5, 0.1};             the layout's armature [kg m^2; kg]
 *   ACHD_STEP_ROBOT(arm, ARM, tool_frame, last_link, CONTACTS, NO_DRY_FRICTION, rotors);
 *   ...
 *   achd_step_add(&arm_step_robot);
 *
 * From then on a world's file may say `model builtin:arm`. The layout has a fixed base, `gravity` as an input (the
 * default), double precision, pose, twist and acc of the two frames among its outputs, and J of the first; a group at each of
 * them names them. CONTACTS or NO_CONTACTS, DRY_FRICTION or NO_DRY_FRICTION: whether it has `contacts`, and `friction` with
 * `coulomb`. Physical wrenches stay 0. */
#ifndef ACHD_STEP_ROBOT_H
#define ACHD_STEP_ROBOT_H

#include <achd/contact.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_STEP_JOINTS = 32 };

/* A state, and what acts in it. */
typedef struct achd_step_input {
  double q[ACHD_STEP_JOINTS], qd[ACHD_STEP_JOINTS], tau[ACHD_STEP_JOINTS];
  double gravity[3]; /* along the axes of the base [m/s^2] */
  double period;     /* of the step [s] */
  double plane[5]; /* that contacts touch: normal, distance from the base's origin [m], friction */
} achd_step_input;

/* What a step asks of its impulses, copied from generated code. */
typedef struct achd_step_problem {
  int rows, contacts, boxes; /* limits: rows - 3 contacts - boxes */
  double A[ACHD_CONTACT_ROWS * ACHD_CONTACT_ROWS], b[ACHD_CONTACT_ROWS], gap[ACHD_CONTACT_ROWS];
  double mu[ACHD_CONTACT_ROWS], box[ACHD_CONTACT_ROWS];
  double v_free[ACHD_STEP_JOINTS]; /* velocities without impulses */
  double v_lambda[ACHD_CONTACT_ROWS *
                  ACHD_STEP_JOINTS]; /* row by row: velocities of an impulse of 1 */
} achd_step_problem;

/* What devices look at: of the joints, of the tool and of the last link. */
typedef struct achd_step_view {
  double M[ACHD_STEP_JOINTS * (ACHD_STEP_JOINTS + 1) / 2]; /* lower triangle, rotors included */
  double bias[ACHD_STEP_JOINTS], weight[ACHD_STEP_JOINTS]; /* torques of velocities; of gravity */
  double p[3], R[9];                                       /* of the tool, in the base; R by rows */
  double J[6][ACHD_STEP_JOINTS];                           /* of the tool, linear part first */
} achd_step_view;

typedef struct achd_step_motion {
  double R[9];                        /* axes of the last link, by rows */
  double angular[3], acceleration[3]; /* along the axes of the base; without gravity's */
} achd_step_motion;

typedef struct achd_step_robot {
  const char *name;
  int joints;
  const char *const *joint_names;
  const char *tool, *link; /* names of the two frames */
  const double *rotors;    /* inertias seen from the joints, that M includes; NULL: none */
  bool (*view)(const achd_step_input *in, achd_step_view *view);
  bool (*motion)(const achd_step_input *in, const double qdd[], achd_step_motion *motion);
  bool (*begin)(const achd_step_input *in, achd_step_problem *problem);
  bool (*end)(const achd_step_input *in, const double lambda[], double q[], double qd[]);
} achd_step_robot;

/* Makes a robot known under its name. It is not copied. False: a world knows the name already, or there are too many. */
bool achd_step_add(const achd_step_robot *robot);

/* ---- made of a generated header ---- */

#define ACHD_STEP_MU_CONTACTS(problem, begin) memcpy((problem)->mu, (begin).mu, sizeof(begin).mu)
#define ACHD_STEP_MU_NO_CONTACTS(problem, begin) ((void)0)
#define ACHD_STEP_BOX_DRY_FRICTION(problem, begin)                                                 \
  memcpy((problem)->box, (begin).box, sizeof(begin).box)
#define ACHD_STEP_BOX_NO_DRY_FRICTION(problem, begin) ((void)0)
#define ACHD_STEP_NUMBERS(field) ((int)(sizeof(field) / sizeof(double)))
#define ACHD_STEP_COUNT_CONTACTS(begin) ACHD_STEP_NUMBERS((begin).mu)
#define ACHD_STEP_COUNT_NO_CONTACTS(begin) 0
#define ACHD_STEP_COUNT_DRY_FRICTION(begin) ACHD_STEP_NUMBERS((begin).box)
#define ACHD_STEP_COUNT_NO_DRY_FRICTION(begin) 0
/* The same plane for all contacts: each has normal, distance, friction. */
#define ACHD_STEP_PLANE_CONTACTS(step, given)                                                      \
  for (size_t i = 0; i < sizeof(step).contact; i += sizeof(given)->plane)                          \
  memcpy((char *)&(step).contact + i, (given)->plane, sizeof(given)->plane)
#define ACHD_STEP_PLANE_NO_CONTACTS(step, given) ((void)0)

#define ACHD_STEP_ROBOT(robot, ROBOT, tool_, link_, contacts_, friction_, rotors_)                 \
  static robot##_step_in robot##_step_input(const achd_step_input *given) {                        \
    robot##_step_in in = ROBOT##_STEP_IN_DEFAULT;                                                  \
    memcpy(in.q, given->q, sizeof in.q);                                                           \
    memcpy(in.qd, given->qd, sizeof in.qd);                                                        \
    memcpy(in.tau, given->tau, sizeof in.tau);                                                     \
    memcpy(in.gravity, given->gravity, sizeof in.gravity);                                         \
    in.time_step = given->period;                                                                  \
    ACHD_STEP_PLANE_##contacts_(in, given);                                                        \
    return in;                                                                                     \
  }                                                                                                \
  static bool robot##_step_problem(const achd_step_input *given, achd_step_problem *problem) {     \
    const robot##_step_in in = robot##_step_input(given);                                          \
    robot##_step_begin_out begin;                                                                  \
    struct {                                                                                       \
      int a_fixed_base : sizeof begin.v_free == sizeof in.q ? 8 : -1;                              \
    } needs = {1};                                                                                 \
    if (robot##_step_begin(&in, &begin) & ROBOT##_DO_NOT_COMMAND) return false;                    \
    problem->rows = needs.a_fixed_base * ACHD_STEP_NUMBERS(begin.b);                               \
    problem->contacts = ACHD_STEP_COUNT_##contacts_(begin);                                        \
    problem->boxes = ACHD_STEP_COUNT_##friction_(begin);                                           \
    memcpy(problem->A, begin.A, sizeof begin.A);                                                   \
    memcpy(problem->b, begin.b, sizeof begin.b);                                                   \
    memcpy(problem->gap, begin.gap, sizeof begin.gap);                                             \
    memcpy(problem->v_free, begin.v_free, sizeof begin.v_free);                                    \
    memcpy(problem->v_lambda, begin.v_lambda, sizeof begin.v_lambda);                              \
    ACHD_STEP_MU_##contacts_(problem, begin);                                                      \
    ACHD_STEP_BOX_##friction_(problem, begin);                                                     \
    return true;                                                                                   \
  }                                                                                                \
  static bool robot##_step_finish(const achd_step_input *given, const double lambda[], double q[], \
                                  double qd[]) {                                                   \
    const robot##_step_in in = robot##_step_input(given);                                          \
    robot##_step_begin_out begin;                                                                  \
    robot##_step_out out;                                                                          \
    if ((robot##_step_begin(&in, &begin) | robot##_step_end(&in, &begin, lambda, &out)) &          \
        ROBOT##_DO_NOT_COMMAND)                                                                    \
      return false;                                                                                \
    memcpy(q, out.q_next, sizeof out.q_next);                                                      \
    memcpy(qd, out.qd_next, sizeof out.qd_next);                                                   \
    return true;                                                                                   \
  }                                                                                                \
  static bool robot##_step_view(const achd_step_input *given, achd_step_view *view) {              \
    robot##_crba_in inertia = ROBOT##_CRBA_IN_DEFAULT;                                             \
    robot##_bias_in moving = ROBOT##_BIAS_IN_DEFAULT;                                              \
    robot##_gravity_in heavy = ROBOT##_GRAVITY_IN_DEFAULT;                                         \
    robot##_fk_in at = ROBOT##_FK_IN_DEFAULT;                                                      \
    robot##_jac_in turned = ROBOT##_JAC_IN_DEFAULT;                                                \
    robot##_crba_out M;                                                                            \
    robot##_bias_out bias;                                                                         \
    robot##_gravity_out weight;                                                                    \
    robot##_fk_out place;                                                                          \
    robot##_jac_out J;                                                                             \
    memcpy(inertia.q, given->q, sizeof inertia.q);                                                 \
    memcpy(moving.q, given->q, sizeof moving.q);                                                   \
    memcpy(moving.qd, given->qd, sizeof moving.qd);                                                \
    memcpy(heavy.q, given->q, sizeof heavy.q);                                                     \
    memcpy(heavy.gravity, given->gravity, sizeof heavy.gravity);                                   \
    memcpy(at.q, given->q, sizeof at.q);                                                           \
    memcpy(turned.q, given->q, sizeof turned.q);                                                   \
    if ((robot##_crba(&inertia, &M) | robot##_bias(&moving, &bias) |                               \
         robot##_gravity(&heavy, &weight) | robot##_fk(&at, &place) | robot##_jac(&turned, &J)) &  \
        ROBOT##_DO_NOT_COMMAND)                                                                    \
      return false;                                                                                \
    memcpy(view->M, M.M, sizeof M.M);                                                              \
    memcpy(view->bias, bias.tau, sizeof bias.tau);                                                 \
    memcpy(view->weight, weight.tau, sizeof weight.tau);                                           \
    memcpy(view->p, place.pose.tool_.p, sizeof view->p);                                           \
    memcpy(view->R, place.pose.tool_.R, sizeof view->R);                                           \
    for (int i = 0; i < 3; i++) {                                                                  \
      memcpy(view->J[i], J.jac.tool_.lin[i], sizeof J.jac.tool_.lin[i]);                           \
      memcpy(view->J[3 + i], J.jac.tool_.ang[i], sizeof J.jac.tool_.ang[i]);                       \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  static bool robot##_step_motion(const achd_step_input *given, const double qdd[],                \
                                  achd_step_motion *motion) {                                      \
    robot##_fk_in at = ROBOT##_FK_IN_DEFAULT;                                                      \
    robot##_fvk_in moving = ROBOT##_FVK_IN_DEFAULT;                                                \
    robot##_fak_in turning = ROBOT##_FAK_IN_DEFAULT;                                               \
    robot##_fk_out place;                                                                          \
    robot##_fvk_out twist;                                                                         \
    robot##_fak_out acc;                                                                           \
    memcpy(at.q, given->q, sizeof at.q);                                                           \
    memcpy(moving.q, given->q, sizeof moving.q);                                                   \
    memcpy(moving.qd, given->qd, sizeof moving.qd);                                                \
    memcpy(turning.q, given->q, sizeof turning.q);                                                 \
    memcpy(turning.qd, given->qd, sizeof turning.qd);                                              \
    memcpy(turning.qdd, qdd, sizeof turning.qdd);                                                  \
    if ((robot##_fk(&at, &place) | robot##_fvk(&moving, &twist) | robot##_fak(&turning, &acc)) &   \
        ROBOT##_DO_NOT_COMMAND)                                                                    \
      return false;                                                                                \
    memcpy(motion->R, place.pose.link_.R, sizeof motion->R);                                       \
    memcpy(motion->angular, twist.twist.link_.ang, sizeof motion->angular);                        \
    memcpy(motion->acceleration, acc.acc.link_.lin, sizeof motion->acceleration);                  \
    return true;                                                                                   \
  }                                                                                                \
  static const char *const robot##_step_joints[] = ROBOT##_JOINT_NAMES;                            \
  static const achd_step_robot robot##_step_robot = {#robot,                                       \
                                                     ROBOT##_NJ,                                   \
                                                     robot##_step_joints,                          \
                                                     #tool_,                                       \
                                                     #link_,                                       \
                                                     rotors_,                                      \
                                                     robot##_step_view,                            \
                                                     robot##_step_motion,                          \
                                                     robot##_step_problem,                         \
                                                     robot##_step_finish}

#ifdef __cplusplus
}
#endif

#endif
