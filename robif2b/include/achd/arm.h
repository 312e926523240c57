/* SPDX-License-Identifier: MIT */
/* arm.h: a simulated arm of any number of joints, with the ports of robif2b's Kinova Gen3. It stands
 * in a world (docs/robif2b.md) under an address, and serves robots for which robif2b has no driver.
 * It exists in simulation only. */
#ifndef ACHD_ARM_H
#define ACHD_ARM_H

#include <robif2b/types/kinova_gen3.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_ARM_JOINTS = 32 }; /* largest number */

/* The ports of robif2b_kinova_gen3_nbx, with arrays of num_joints elements. */
struct achd_arm_nbx {
  const char *address; /* of the arm in its world */
  int num_joints;
  const double *cycle_time; /* NULL: 0.001 [s] */
  enum robif2b_ctrl_mode *ctrl_mode;
  double *jnt_pos_msr; /* [rad; m] */
  double *jnt_vel_msr; /* [rad/s; m/s] */
  double *jnt_trq_msr; /* opposite of the command's sign [N m; N] */
  double *act_cur_msr; /* [A] */
  const double *jnt_pos_cmd, *jnt_vel_cmd, *jnt_trq_cmd, *act_cur_cmd; /* units as measured */
  double *imu_ang_vel_msr; /* x, y, z of the base [rad/s] */
  double *imu_lin_acc_msr; /* [m/s^2] */
  /* optional */
  uint32_t *fault_flags, *warning_flags;
  uint32_t *jnt_fault_flags, *jnt_warning_flags;
  enum robif2b_kinova_arm_state *arm_state;
  /* of the force and torque sensor of the world (its word `sensor`), x, y, z along its axes; without
   * that word they are set to 0 */
  double *force_msr;  /* what acts on the sensor from the tool's side [N] */
  double *moment_msr; /* about the sensor's origin [N m] */
  enum robif2b_kinova_gen3_error *error;
  bool *success;
  /* internal state */
  struct achd_arm *comm;
  enum robif2b_ctrl_mode ctrl_mode_prev;
};

/* As the functions of robif2b/functions/kinova_gen3.h. */
void achd_arm_configure(struct achd_arm_nbx *b);
void achd_arm_recover(struct achd_arm_nbx *b);
void achd_arm_start(struct achd_arm_nbx *b);
void achd_arm_update(struct achd_arm_nbx *b);
void achd_arm_stop(struct achd_arm_nbx *b);
void achd_arm_shutdown(struct achd_arm_nbx *b);

#ifdef __cplusplus
}
#endif

#endif
