/* SPDX-License-Identifier: MIT */
/* robif2b_gen3.h: the control loop on a Kinova Gen3, through robif2b. The same program runs on the
 * simulated and on the real arm: what it is linked with decides.
 *
 *   achd_gen3 arm;
 *   if (!achd_gen3_connect(&arm, &(achd_gen3_setup){.ip_address = "192.168.1.10"})) return 1;
 *   for (each cycle) {
 *     achd_gen3_read(&arm, &measured);         exchange: the last command goes, a reading comes
 *     achd_loop_cycle(&loop, &measured, arm.period);
 *     achd_gen3_command(&arm, &loop);          takes effect with the next exchange
 *   }
 *   achd_gen3_disconnect(&arm);
 *
 * What it does for the loop: positions continue over 2 pi; torques have the command's sign; stamps
 * and ages tell of readings that are missing; faults of the arm become the loop's (DRIVES), if this robif2b has ports for them; the
 * loop's mode DISABLE ends low-level control, so that the arm holds its position by itself. The
 * setup of the loop has watch.joints_stamped = true. */
#ifndef ACHD_ROBIF2B_GEN3_H
#define ACHD_ROBIF2B_GEN3_H

#include <achd/loop.h>
#include <robif2b/functions/kinova_gen3.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_GEN3_JOINTS = ROBIF2B_KINOVA_GEN3_NR_JOINTS };

/* Limits, efforts and brakes of the Gen3's joints for achd_loop_robot, and how they are watched:
 * position limits of the URDF, velocities of the actuators' slower kind, torques of low-level
 * control. */
extern const achd_loop_joint achd_gen3_joints[ACHD_GEN3_JOINTS];
extern const achd_loop_guard achd_gen3_guards[ACHD_GEN3_JOINTS];

/* Rotor inertias, seen from the joints [kg m^2]. */
extern const double achd_gen3_rotors[ACHD_GEN3_JOINTS];

/* What is left out, is as the arm is delivered. */
typedef struct achd_gen3_setup {
  const char *ip_address;      /* NULL: 192.168.1.10 */
  const char *user, *password; /* NULL: admin */
  double cycle_time;           /* between reads; 0: 0.001 [s] */
  /* Positions near which the first reading is taken: of all q + 2 pi k the nearest. NULL: 0, of
   * joint 3 pi [rad] */
  const double *near;
  double wrench_time; /* time constant of achd_gen3_wrench; 0: 0.005 [s] */
} achd_gen3_setup;

typedef struct achd_gen3 {
  struct robif2b_kinova_gen3_nbx device; /* its ports are the following fields */
  double cycle_time;
  enum robif2b_ctrl_mode mode;
  double q_raw[ACHD_GEN3_JOINTS], qd[ACHD_GEN3_JOINTS], trq_raw[ACHD_GEN3_JOINTS];
  double current[ACHD_GEN3_JOINTS]; /* [A] */
  double q_cmd[ACHD_GEN3_JOINTS], qd_cmd[ACHD_GEN3_JOINTS], tau_cmd[ACHD_GEN3_JOINTS];
  double current_cmd[ACHD_GEN3_JOINTS];
  double gyro[3], acceleration[3]; /* of the base [rad/s], [m/s^2] */
  bool success;
  uint32_t fault_flags, joint_faults[ACHD_GEN3_JOINTS];
  /* readings, as the loop wants them */
  double q[ACHD_GEN3_JOINTS];   /* continues over 2 pi [rad] */
  double tau[ACHD_GEN3_JOINTS]; /* at the joints' outputs, with the command's sign [N m] */
  double qdd[ACHD_GEN3_JOINTS]; /* change of the velocity over the period [rad/s^2] */
  double period;                /* time since the read before [s] */
  int64_t stamp;                /* number of readings */
  double age;                   /* of the last reading [s] */
  double time;                  /* of the last read: the world's, or the machine's [s] */
  double due;                   /* when the next exchange is, by the machine's clock [s] */
  double qd_before[ACHD_GEN3_JOINTS];
  achd_wrench wrench;      /* the last estimate */
  double wrench_time;      /* [s] */
  bool disabled;           /* the loop has ended low-level control */
  bool connected, started; /* low-level control */
} achd_gen3;

/* "simulated" or "real": what the program is linked with. */
const char *achd_gen3_library(void);

/* Connects, clears faults, and begins low-level control with torques that hold the arm. False if the
 * arm does not answer; nothing is connected then. */
bool achd_gen3_connect(achd_gen3 *arm, const achd_gen3_setup *setup);

/* One exchange, a cycle time after the last one: on the real arm, and in worlds with the wall clock,
 * it waits until then. Fills the measurement but its wrench, which is set to 0, and sets arm->period. A
 * failed exchange repeats the last reading, with its stamp and a larger age. After a DISABLE there is
 * no exchange: the arm is left alone. */
void achd_gen3_read(achd_gen3 *arm, achd_measurement *measured);

/* The loop's command for the next exchange. */
void achd_gen3_command(achd_gen3 *arm, const achd_loop *loop);

/* Clears the arm's faults, and begins low-level control again after a DISABLE. Then call
 * achd_loop_rearm after each cycle until it returns true. False if the arm does not answer. */
bool achd_gen3_recover(achd_gen3 *arm);

/* Stops the arm, which then holds its position, and disconnects. */
void achd_gen3_disconnect(achd_gen3 *arm);

/* Estimates the wrench of the environment on a tool from the torques at the joints' outputs, which
 * friction of the motors does not reach, by least squares:
 *
 *   J^T F = (M - A) qdd + h - tau,   A: inertias of the rotors, which stand behind the sensors
 *
 * lin, ang: Jacobian of the tool's frame (generated function `jac`). torques: M qdd + h (function `id`)
 * at arm->q, arm->qd and arm->qdd, by a layout with these rotor inertias (achd_gen3_rotors). Passes a
 * low-pass filter of setup.wrench_time; call it in every cycle. The wrench is about the frame's
 * origin, along the axes of the base. Where the arm is singular or a reading is missing or not
 * finite, the last one is repeated. */
void achd_gen3_wrench(achd_gen3 *arm, double lin[3][ACHD_GEN3_JOINTS],
                      double ang[3][ACHD_GEN3_JOINTS], const double *torques, achd_wrench *wrench);

/* The same by generated code:
 *
 *   ACHD_GEN3_WRENCH(gen3, tool_frame);     achdgen --functions jac,id
 *
 * defines gen3_tool_wrench(arm, wrench). The layout has the rotor inertias, gravity as a constant and
 * a Jacobian of tool_frame. */
#define ACHD_GEN3_WRENCH(robot, frame)                                                             \
  static void robot##_tool_wrench(achd_gen3 *arm, achd_wrench *wrench) {                           \
    robot##_jac_in at;                                                                             \
    robot##_jac_out J;                                                                             \
    robot##_id_in moving;                                                                          \
    robot##_id_out needed;                                                                         \
    memset(&moving, 0, sizeof moving);                                                             \
    memcpy(at.q, arm->q, sizeof at.q);                                                             \
    memcpy(moving.q, arm->q, sizeof moving.q);                                                     \
    memcpy(moving.qd, arm->qd, sizeof moving.qd);                                                  \
    memcpy(moving.qdd, arm->qdd, sizeof moving.qdd);                                               \
    robot##_jac(&at, &J);                                                                          \
    robot##_id(&moving, &needed);                                                                  \
    achd_gen3_wrench(arm, J.jac.frame.lin, J.jac.frame.ang, needed.tau, wrench);                   \
  }                                                                                                \
  struct robot##_wrench_function /* for the semicolon */

#ifdef __cplusplus
}
#endif

#endif
