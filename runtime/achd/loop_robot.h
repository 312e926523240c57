/* SPDX-License-Identifier: MIT */
/* loop_robot.h: the functions of achd_loop_robot, by generated code.
 *
 *   #include "gen3_achd.h"        achdgen gen3.urdf --layout arm.lua --functions achd,fk,fvk,gravity
 *   ACHD_LOOP_ROBOT(gen3, GEN3, tool_frame, tool, push, press);
 *
 * defines gen3_loop_kinematics, gen3_loop_solve and gen3_loop_gravity. The layout has one group,
 * `tool`, of six maskable rows at tool_frame with axes = "input", a physical wrench `push` and an
 * artificial one `press` on tool_frame, torques = { artificial = true }, and pose and twist of
 * tool_frame among its outputs. The robot's context is an achd_loop_posture.
 *
 * Inputs that the loop does not know are those of the header's *_IN_DEFAULT: gravity, where it is
 * no constant of the layout, is 0 0 -9.81 along the axes of the base; inertias of links are those
 * of the URDF; loads, further wrenches and further torques are 0; rotors' inertias that the layout
 * leaves as an input are 0, too: write them into the layout. An arm that is mounted otherwise has
 * its gravity in the layout, or puts it in by the macro of ACHD_LOOP_ROBOT_WITH:
 *
 *   #define GEN3_HANGS(in, context) ((in).gravity[2] = 9.81, (void)(context)) */
#ifndef ACHD_LOOP_ROBOT_H
#define ACHD_LOOP_ROBOT_H

#include <achd/loop.h>

#include <string.h>

/* What acts in the directions that the rows leave free, beside gravity's compensation: a spring to
 * a posture and a damper. Where a row is masked out to control a force, the spring pushes there,
 * too.
 *
 * gravity_acts: gravity is not compensated while a task is executed (a stop compensates it always).
 * The rows keep their accelerations all the same, since the solver knows gravity; in the directions
 * that they leave free the arm's weight moves it, and motors do not work against it: lazy control as
 * published (Vukcevic 2020, tables 7.1 to 7.4, "Gravity compensation: Disabled", without spring and
 * damper). It suits arms whose joints have friction; others sink into their joint limits. */
typedef struct achd_loop_posture {
  const achd_real *q;  /* [rad; m] */
  achd_real stiffness; /* [N m/rad; N/m] */
  achd_real damping;   /* [N m s/rad; N s/m] */
  bool gravity_acts;
} achd_loop_posture;

/* The same with numbers of each joint, for a robot some of whose joints slide: ACHD_LOOP_ROBOT_EACH. */
typedef struct achd_loop_posture_each {
  const achd_real *q;         /* [rad; m] */
  const achd_real *stiffness; /* [N m/rad; N/m] */
  const achd_real *damping;   /* [N m s/rad; N s/m] */
  bool gravity_acts;
} achd_loop_posture_each;

/* The torque of spring and damper at joint j [N m; N]. */
static inline achd_real achd_loop_posture_torque(const achd_loop_posture *posture, int j,
                                                 achd_real q, achd_real qd) {
  return posture->stiffness * (posture->q[j] - q) - posture->damping * qd;
}

static inline achd_real achd_loop_posture_each_torque(const achd_loop_posture_each *posture, int j,
                                                      achd_real q, achd_real qd) {
  return posture->stiffness[j] * (posture->q[j] - q) - posture->damping[j] * qd;
}

#define ACHD_LOOP_ROBOT(robot, ROBOT, frame, group, push, press)                                   \
  ACHD_LOOP_ROBOT_WITH(achd_loop_posture, ACHD_LOOP_NO_LOAD, robot, ROBOT, frame, group, push,     \
                       press)

/* The robot's context is an achd_loop_posture_each. */
#define ACHD_LOOP_ROBOT_EACH(robot, ROBOT, frame, group, push, press)                              \
  ACHD_LOOP_ROBOT_WITH(achd_loop_posture_each, ACHD_LOOP_NO_LOAD, robot, ROBOT, frame, group,      \
                       push, press)

/* Puts the loads that come at run time into a function's inputs; of a robot without: nothing. */
#define ACHD_LOOP_NO_LOAD(in, context) ((void)(context))

/* All of them, by the type of the context and by a macro carry(in, context), which puts what the robot carries into the
 * inputs of achd, gravity, fd and id: of a layout with payload = { frame = .., mass = "input" },
 *
 *   #define GEN3_CARRY(in, context) ((in).payload.mass = carried, (void)(context))
 *   ACHD_LOOP_ROBOT_WITH(achd_loop_posture, GEN3_CARRY, gen3, GEN3, tool_frame, tool, push, press);
 *   ACHD_LOOP_ACCELERATIONS_WITH(GEN3_CARRY, gen3, GEN3, push);
 *
 * What the macro reads may change between two cycles: a tool is exchanged, a part is taken. (achdgen --loop writes the
 * macro.) */
#define ACHD_LOOP_ROBOT_WITH(type, carry, robot, ROBOT, frame, group, push, press)                 \
  ACHD_LOOP_KINEMATICS(robot, ROBOT, frame)                                                        \
  ACHD_LOOP_GRAVITY_WITH(carry, robot, ROBOT)                                                      \
  ACHD_LOOP_SOLVE_WITH(type, carry, robot, ROBOT, group, push, press)                              \
  struct robot##_loop_functions /* for the semicolon */

/* The same of a robot that carries loads whose weight is a wrench (achd/loop_load.h): what holds the arm is computed by the generated
 * function id, at rest, of whose inputs `carry` may change the wrench `push`, too. gravity does not have it.
 *
 *   ACHD_LOOP_ROBOT_LOADED(achd_loop_posture, CARRIED, gen3, GEN3, tool_frame, tool, push, press);
 *                                                  achdgen ... --functions achd,fk,fvk,id */
#define ACHD_LOOP_ROBOT_LOADED(type, carry, robot, ROBOT, frame, group, push, press)               \
  ACHD_LOOP_KINEMATICS(robot, ROBOT, frame)                                                        \
  ACHD_LOOP_HOLD_WITH(carry, robot, ROBOT)                                                         \
  ACHD_LOOP_SOLVE_WITH(type, carry, robot, ROBOT, group, push, press)                              \
  struct robot##_loop_functions /* for the semicolon */

/* ---- of these ---- */

#define ACHD_LOOP_KINEMATICS(robot, ROBOT, frame)                                                  \
  static void robot##_loop_kinematics(void *context, const achd_measurement *m, achd_pose *pose,   \
                                      achd_twist *twist) {                                         \
    robot##_fk_in fk = ROBOT##_FK_IN_DEFAULT;                                                      \
    robot##_fvk_in fvk = ROBOT##_FVK_IN_DEFAULT;                                                   \
    robot##_fk_out at;                                                                             \
    robot##_fvk_out moving;                                                                        \
    (void)context;                                                                                 \
    memcpy(fk.q, m->q, sizeof fk.q);                                                               \
    memcpy(fvk.q, m->q, sizeof fvk.q);                                                             \
    memcpy(fvk.qd, m->qd, sizeof fvk.qd);                                                          \
    robot##_fk(&fk, &at);                                                                          \
    robot##_fvk(&fvk, &moving);                                                                    \
    *pose = ACHD_POSE_OF(at.pose.frame);                                                           \
    *twist = ACHD_TWIST_OF(moving.twist.frame);                                                    \
  }

#define ACHD_LOOP_GRAVITY_WITH(carry, robot, ROBOT)                                                \
  static void robot##_loop_gravity(void *context, const achd_measurement *m, achd_real *tau) {     \
    robot##_gravity_in in = ROBOT##_GRAVITY_IN_DEFAULT;                                            \
    robot##_gravity_out out;                                                                       \
    (void)context;                                                                                 \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    carry(in, context);                                                                            \
    robot##_gravity(&in, &out);                                                                    \
    memcpy(tau, out.tau, sizeof out.tau);                                                          \
  }

#define ACHD_LOOP_HOLD_WITH(carry, robot, ROBOT)                                                   \
  static void robot##_loop_gravity(void *context, const achd_measurement *m, achd_real *tau) {     \
    robot##_id_in in = ROBOT##_ID_IN_DEFAULT;                                                      \
    robot##_id_out out;                                                                            \
    (void)context;                                                                                 \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    carry(in, context);                                                                            \
    robot##_id(&in, &out);                                                                         \
    memcpy(tau, out.tau, sizeof out.tau);                                                          \
  }

#define ACHD_LOOP_SOLVE_WITH(type, carry, robot, ROBOT, group, push, press)                        \
  static void robot##_loop_solve(void *context, const achd_measurement *m,                         \
                                 const achd_task_command *command, achd_solution *solution) {      \
    const type *posture = (const type *)context;                                                   \
    robot##_achd_in in = ROBOT##_ACHD_IN_DEFAULT;                                                  \
    robot##_achd_out out;                                                                          \
    (void)sizeof(char[sizeof in.b == sizeof command->b ? 1 : -1]);                                 \
    (void)sizeof(char[sizeof in.mask == sizeof command->mask ? 1 : -1]);                           \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    memcpy(in.qd, m->qd, sizeof in.qd);                                                            \
    memcpy(in.b, command->b, sizeof in.b);                                                         \
    memcpy(in.mask, command->mask, sizeof in.mask);                                                \
    memcpy(in.axes.group, command->axes.m, sizeof in.axes.group);                                  \
    ACHD_PUT_WRENCH(in.push, m->wrench);                                                           \
    ACHD_PUT_WRENCH(in.press, command->wrench);                                                    \
    carry(in, context);                                                                            \
    if (!posture->gravity_acts) robot##_loop_gravity(context, m, in.tau_art);                      \
    for (int j = 0; j < ROBOT##_NJ; j++)                                                           \
      in.tau_art[j] += type##_torque(posture, j, m->q[j], m->qd[j]);                               \
    const robot##_status status = robot##_achd(&in, &out);                                         \
    memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);                                      \
    memcpy(solution->qdd, out.qdd, sizeof out.qdd);                                                \
    solution->usable = (status & ROBOT##_DO_NOT_COMMAND) == 0;                                     \
    solution->singular = (status & ROBOT##_SINGULAR) != 0;                                         \
  }

/* For achd_loop_move: `torques` by the generated function id, with the measured wrench.
 *
 *   ACHD_LOOP_TORQUES(gen3, GEN3, push);           achdgen ... --functions achd,fk,fvk,gravity,id
 *
 * defines gen3_loop_torques. */
#define ACHD_LOOP_TORQUES(robot, ROBOT, push)                                                      \
  ACHD_LOOP_TORQUES_WITH(ACHD_LOOP_NO_LOAD, robot, ROBOT, push)

#define ACHD_LOOP_TORQUES_WITH(carry, robot, ROBOT, push)                                          \
  static void robot##_loop_torques(void *context, const achd_measurement *m, const achd_real *qdd, \
                                   achd_real *tau) {                                               \
    robot##_id_in in = ROBOT##_ID_IN_DEFAULT;                                                      \
    robot##_id_out out;                                                                            \
    (void)context;                                                                                 \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    memcpy(in.qd, m->qd, sizeof in.qd);                                                            \
    memcpy(in.qdd, qdd, sizeof in.qdd);                                                            \
    ACHD_PUT_WRENCH(in.push, m->wrench);                                                           \
    carry(in, context);                                                                            \
    robot##_id(&in, &out);                                                                         \
    memcpy(tau, out.tau, sizeof out.tau);                                                          \
  }                                                                                                \
  struct robot##_loop_inverse /* for the semicolon */

/* For achd_loop_watch: `accelerations` by the generated function fd, with the measured wrench.
 *
 *   ACHD_LOOP_ACCELERATIONS(gen3, GEN3, push);     achdgen ... --functions achd,fk,fvk,gravity,fd
 *
 * defines gen3_loop_accelerations. */
#define ACHD_LOOP_ACCELERATIONS(robot, ROBOT, push)                                                \
  ACHD_LOOP_ACCELERATIONS_WITH(ACHD_LOOP_NO_LOAD, robot, ROBOT, push)

#define ACHD_LOOP_ACCELERATIONS_WITH(carry, robot, ROBOT, push)                                    \
  static void robot##_loop_accelerations(void *context, const achd_measurement *m,                 \
                                         const achd_real *tau, achd_real *qdd) {                   \
    robot##_fd_in in = ROBOT##_FD_IN_DEFAULT;                                                      \
    robot##_fd_out out;                                                                            \
    (void)context;                                                                                 \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    memcpy(in.qd, m->qd, sizeof in.qd);                                                            \
    memcpy(in.tau, tau, sizeof in.tau);                                                            \
    ACHD_PUT_WRENCH(in.push, m->wrench);                                                           \
    carry(in, context);                                                                            \
    robot##_fd(&in, &out);                                                                         \
    memcpy(qdd, out.qdd, sizeof out.qdd);                                                          \
  }                                                                                                \
  struct robot##_loop_prediction /* for the semicolon */

#endif
