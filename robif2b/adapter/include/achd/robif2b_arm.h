/* SPDX-License-Identifier: MIT */
/* robif2b_arm.h: the control loop on a simulated arm of any number of joints (achd/arm.h), as
 * robif2b_gen3.h connects it with a Kinova Gen3. In simulation only.
 *
 *   achd_loop_arm arm;
 *   if (!achd_loop_arm_connect(&arm, &(achd_loop_arm_setup){.address = "arm", .num_joints = 6})) return 1;
 *   for (each cycle) {
 *     achd_loop_arm_read(&arm, &measured);     exchange: the last command goes, a reading comes
 *     achd_loop_cycle(&loop, &measured, arm.period);
 *     achd_loop_arm_command(&arm, &loop);      takes effect with the next exchange
 *   }
 *   achd_loop_arm_disconnect(&arm);
 *
 * Joints turn or slide. Positions are as the world has them: its word `wrap` is off. Torques have the
 * command's sign. The setup of the loop has watch.joints_stamped = true. */
#ifndef ACHD_ROBIF2B_ARM_H
#define ACHD_ROBIF2B_ARM_H

#include <achd/arm.h>
#include <achd/loop.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_loop_arm_setup {
  const char *address;  /* of the arm in its world */
  int num_joints;       /* at most ACHD_ARM_JOINTS */
  double cycle_time;    /* between reads; 0: 0.001 [s] */
  const double *rotors; /* inertias of the rotors, seen from the joints; NULL: 0 [kg m^2; kg] */
  double wrench_time;   /* time constant of achd_loop_arm_wrench; 0: 0.005 [s] */
} achd_loop_arm_setup;

typedef struct achd_loop_arm {
  struct achd_arm_nbx device; /* its ports are the following fields */
  double cycle_time;
  enum robif2b_ctrl_mode mode;
  double trq_raw[ACHD_ARM_JOINTS], current[ACHD_ARM_JOINTS];
  double q_cmd[ACHD_ARM_JOINTS], qd_cmd[ACHD_ARM_JOINTS], tau_cmd[ACHD_ARM_JOINTS];
  double current_cmd[ACHD_ARM_JOINTS];
  double gyro[3], acceleration[3]; /* of the base [rad/s], [m/s^2] */
  double force[3], moment[3];      /* of the world's sensor, along its axes [N], [N m] */
  bool success;
  uint32_t fault_flags, joint_faults[ACHD_ARM_JOINTS];
  /* readings, as the loop wants them */
  double q[ACHD_ARM_JOINTS], qd[ACHD_ARM_JOINTS]; /* [rad; m], [rad/s; m/s] */
  double tau[ACHD_ARM_JOINTS];                    /* with the command's sign [N m; N] */
  double qdd[ACHD_ARM_JOINTS];                    /* change of the velocity over the period */
  double period;                                  /* time since the read before [s] */
  int64_t stamp;                                  /* number of readings */
  double age;                                     /* of the last reading [s] */
  double time, due; /* of the last read: the world's; of the next one, by the machine's clock [s] */
  double qd_before[ACHD_ARM_JOINTS];
  double rotors[ACHD_ARM_JOINTS];
  achd_wrench wrench;      /* the last estimate */
  double wrench_time;      /* [s] */
  bool disabled;           /* the loop has ended low-level control */
  bool connected, started; /* low-level control */
} achd_loop_arm;

/* As the functions of robif2b_gen3.h. */
bool achd_loop_arm_connect(achd_loop_arm *arm, const achd_loop_arm_setup *setup);
void achd_loop_arm_read(achd_loop_arm *arm, achd_measurement *measured);
void achd_loop_arm_command(achd_loop_arm *arm, const achd_loop *loop);
bool achd_loop_arm_recover(achd_loop_arm *arm);
void achd_loop_arm_disconnect(achd_loop_arm *arm);

/* The world's sensor (word `sensor`) as the wrench of the environment on the tool: fills
 * measured->wrench. tool: pose of the sensor's frame, which is the tool's, in the base. What the sensor
 * carries counts as the environment's. */
void achd_loop_arm_sensor(const achd_loop_arm *arm, const achd_pose *tool,
                          achd_measurement *measured);

/* Estimates the wrench of the environment on a tool from the torques at the joints' outputs, as
 * achd_gen3_wrench. lin, ang: the first elements of the Jacobian's parts [3][num_joints]. With fewer
 * than six joints, or where the arm is singular, the last estimate is repeated. */
void achd_loop_arm_wrench(achd_loop_arm *arm, const double *lin, const double *ang,
                          const double *torques, achd_wrench *wrench);

/* The same by generated code:
 *
 *   ACHD_LOOP_ARM_WRENCH(iiwa7, tool_frame);     achdgen --functions jac,id
 *
 * defines iiwa7_arm_wrench(arm, wrench); as ACHD_GEN3_WRENCH. */
#define ACHD_LOOP_ARM_WRENCH(robot, frame)                                                         \
  static void robot##_arm_wrench(achd_loop_arm *arm, achd_wrench *wrench) {                        \
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
    achd_loop_arm_wrench(arm, &J.jac.frame.lin[0][0], &J.jac.frame.ang[0][0], needed.tau, wrench); \
  }                                                                                                \
  struct robot##_arm_wrench_function /* for the semicolon */

#ifdef __cplusplus
}
#endif

#endif
