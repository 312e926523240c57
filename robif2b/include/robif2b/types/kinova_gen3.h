/* SPDX-License-Identifier: MIT */
/* kinova_gen3.h: the ports of a Kinova Gen3 in low-level control, one exchange with the arm per
 * cycle; in high-level control, where the arm's base moves the tool; and of a gripper behind the arm.
 * All ports are arrays or scalars of the caller; arrays have ROBIF2B_KINOVA_GEN3_NR_JOINTS
 * elements, indexed from the base, vectors of the inertial sensor have three, along x, y, z of the
 * base. Fill the struct with zeros where a port is not used. */
#ifndef ROBIF2B_TYPES_KINOVA_GEN3_H
#define ROBIF2B_TYPES_KINOVA_GEN3_H

#include <stdbool.h>
#include <stdint.h>

#include <robif2b/types/control_mode.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROBIF2B_KINOVA_GEN3_NR_JOINTS 7

struct robif2b_kinova_gen3_config {
  const char *ip_address;
  int port;           /* TCP, 10000 on the arm */
  int port_real_time; /* UDP, 10001 on the arm */
  const char *user;
  const char *password;
  int session_timeout;    /* [ms] */
  int connection_timeout; /* [ms] */
};

/* The connection: made by configure, released by shutdown. */
struct robif2b_kinova_gen3_comm;

/* State of the arm as a whole. */
enum robif2b_kinova_arm_state {
  ROBIF2B_KINOVA_ARM_STATE_UNSPECIFIED = 0,
  ROBIF2B_KINOVA_ARM_STATE_BASE_INITIALIZATION = 1,
  ROBIF2B_KINOVA_ARM_STATE_IDLE = 2,
  ROBIF2B_KINOVA_ARM_STATE_INITIALIZATION = 3,
  ROBIF2B_KINOVA_ARM_STATE_IN_FAULT = 4,
  ROBIF2B_KINOVA_ARM_STATE_MAINTENANCE = 5,
  ROBIF2B_KINOVA_ARM_STATE_SERVOING_LOW_LEVEL = 6,
  ROBIF2B_KINOVA_ARM_STATE_SERVOING_READY = 7,
  ROBIF2B_KINOVA_ARM_STATE_SERVOING_SEQUENCE = 8,
  ROBIF2B_KINOVA_ARM_STATE_SERVOING_MANUAL = 9
};

/* Why the last function failed. */
enum robif2b_kinova_gen3_error {
  ROBIF2B_KINOVA_NO_ERROR = 0,
  ROBIF2B_KINOVA_ERR_MEMORY = 1,
  ROBIF2B_KINOVA_ERR_CONNECTION = 2,
  ROBIF2B_KINOVA_ERR_SESSION = 3,
  ROBIF2B_KINOVA_ERR_SERVOING_MODE = 4,
  ROBIF2B_KINOVA_ERR_CTRL_MODE = 5,
  ROBIF2B_KINOVA_ERR_READ = 6,
  ROBIF2B_KINOVA_ERR_WRITE = 7,
  ROBIF2B_KINOVA_ERR_FAULT_CLEAR = 8,
  ROBIF2B_KINOVA_ERR_UNKNOWN = 9
};

struct robif2b_kinova_gen3_nbx {
  /* configuration */
  struct robif2b_kinova_gen3_config conf;
  /* ports */
  const double *cycle_time; /* time between updates; NULL: 0.001 [s] */
  enum robif2b_ctrl_mode *ctrl_mode;
  double *jnt_pos_msr; /* 0..2 pi, not continued over it [rad] */
  double *jnt_vel_msr; /* [rad/s] */
  double *jnt_trq_msr; /* opposite of the command's sign: a joint that is commanded 5 N m and rests
                          measures -5 N m [N m] */
  double *act_cur_msr; /* with the command's sign [A] */
  const double *jnt_pos_cmd; /* [rad] */
  const double *jnt_vel_cmd; /* [rad/s] */
  const double *jnt_trq_cmd; /* [N m] */
  const double *act_cur_cmd; /* [A] */
  double *imu_ang_vel_msr;   /* x, y, z [rad/s] */
  double *imu_lin_acc_msr;   /* x, y, z [m/s^2] */
  /* optional ports */
  double *jnt_volt_msr;        /* of each motor [V] */
  double *jnt_temp_motor_msr;  /* of each motor [degree Celsius] */
  double *jnt_temp_core_msr;   /* of each actuator's processor [degree Celsius] */
  double *jnt_comm_jitter_msr; /* of each actuator's communication [s] */
  double *arm_volt_msr;        /* of the arm [V] */
  double *arm_cur_msr;         /* of the arm [A] */
  double *cpu_temp_msr;        /* of the base's processor [degree Celsius] */
  double *ambient_temp_msr;    /* of the base [degree Celsius] */
  double *icm_imu_ang_vel_msr; /* of the interconnect at the wrist: x, y, z [rad/s] */
  double *icm_imu_lin_acc_msr; /* x, y, z [m/s^2] */
  uint32_t *fault_flags;       /* of the base, as bits: 16 a joint's fault */
  uint32_t *warning_flags;     /* the same */
  uint32_t *jnt_fault_flags;   /* of each joint, as bits: 1 following error, 2 velocity, 4 upper and
                                   8 lower position limit, 16 torque sensor, 32 torque */
  uint32_t *jnt_warning_flags; /* the same */
  enum robif2b_kinova_arm_state *arm_state;
  enum robif2b_kinova_gen3_error *error;
  /* result of the last function */
  bool *success;
  /* internal state */
  struct robif2b_kinova_gen3_comm *comm;
  enum robif2b_ctrl_mode ctrl_mode_prev;
};

/* Further ports of the same arm. */
struct robif2b_kinova_gen3_gripper_nbx {
  double *act_vol_msr;           /* of each motor [V] */
  double *gripper_pos_msr;       /* 0 (open) .. 100 (closed) [%] */
  const double *gripper_pos_cmd; /* 0..100 [%] */
  bool *success;
  struct robif2b_kinova_gen3_comm *comm; /* the arm's, after configure */
};

/* Axes of the twists and wrenches of high-level control. */
enum robif2b_kinova_cart_ref_frame {
  ROBIF2B_KINOVA_CART_REF_FRAME_BASE = 0,
  ROBIF2B_KINOVA_CART_REF_FRAME_TOOL = 1,
  ROBIF2B_KINOVA_CART_REF_FRAME_MIXED = 2 /* linear: of the base; angular: of the tool */
};

/* What a component of a wrench that is 0 means. */
enum robif2b_kinova_cart_wrench_mode {
  ROBIF2B_KINOVA_CART_WRENCH_MODE_RESTRICTED = 0, /* no motion in that direction */
  ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL = 1      /* yields in that direction, too */
};

/* High-level control: the arm's base computes what the joints do. */
struct robif2b_kinova_gen3_hl_nbx {
  /* configuration */
  struct robif2b_kinova_gen3_config conf; /* port_real_time is not used */
  /* ports */
  enum robif2b_hl_ctrl_mode *ctrl_mode;
  enum robif2b_kinova_cart_ref_frame *reference_frame;
  enum robif2b_kinova_cart_wrench_mode *wrench_mode; /* in WRENCH only */
  double *jnt_pos_msr;                               /* as in low-level control [rad] */
  double *jnt_vel_msr;                               /* [rad/s] */
  double *jnt_trq_msr;                               /* [N m] */
  double *act_cur_msr;                               /* [A] */
  double *imu_ang_vel_msr;                           /* x, y, z [rad/s] */
  double *imu_lin_acc_msr;                           /* x, y, z [m/s^2] */
  double *tool_ext_wrench_msr; /* optional: the environment's on the tool, force x, y, z [N], then
                                  moment [N m] */
  const double *twist_cmd;     /* in TWIST: velocity x, y, z [m/s], then angular [degree/s] */
  const double *wrench_cmd;    /* in WRENCH: of the tool on the environment, force x, y, z [N], then
                                  moment [N m] */
  bool *success;
  /* internal state */
  struct robif2b_kinova_gen3_comm *comm;
};

/* A Robotiq gripper behind the arm. Its commands travel with the arm's next update. */
struct robif2b_kg3_robotiq_gripper_nbx {
  float *gripper_pos_msr; /* 0 (open) .. 100 (closed) [%] */
  float *gripper_vel_msr; /* [%] */
  float *gripper_cur_msr; /* of the largest current [%] */
  float *gripper_pos_cmd; /* [%] */
  float *gripper_vel_cmd; /* [%] */
  float *gripper_frc_cmd; /* [%] */
  bool *success;
  struct robif2b_kinova_gen3_comm *comm;
};

#ifdef __cplusplus
}
#endif

#endif
