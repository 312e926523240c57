/* SPDX-License-Identifier: MIT */
/* high_level.c: high-level control of a simulated Kinova Gen3 behind robif2b's ports. */
#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"
#include "kinds.h"

#include <math.h>
#include <string.h>

static const double degree = ACHD_PI / 180;

/* The ports that low-level control has, too. */
static struct achd_arm_nbx ports(const struct robif2b_kinova_gen3_hl_nbx *b) {
  return (struct achd_arm_nbx){.address = b->conf.ip_address,
                               .num_joints = ROBIF2B_KINOVA_GEN3_NR_JOINTS,
                               .jnt_pos_msr = b->jnt_pos_msr,
                               .jnt_vel_msr = b->jnt_vel_msr,
                               .jnt_trq_msr = b->jnt_trq_msr,
                               .act_cur_msr = b->act_cur_msr,
                               .imu_ang_vel_msr = b->imu_ang_vel_msr,
                               .imu_lin_acc_msr = b->imu_lin_acc_msr,
                               .success = b->success,
                               .comm = (struct achd_arm *)(void *)b->comm};
}

static void publish_wrench(const struct robif2b_kinova_gen3_hl_nbx *b) {
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(b->comm);
  if (arm && b->tool_ext_wrench_msr)
    achd_cartesian_external(&arm->cartesian, b->tool_ext_wrench_msr);
  achd_world_unlock();
}

static void connect(struct achd_arm_nbx *p) {
  achd_world_lock();
  achd_arm_connect(p, "gen3", achd_world_kinds);
  achd_world_unlock();
}

/* One of the arm's functions, on the same ports. */
static void call(struct robif2b_kinova_gen3_hl_nbx *b, void (*function)(struct achd_arm_nbx *)) {
  if (!b) return;
  struct achd_arm_nbx p = ports(b);
  function(&p);
  b->comm = (struct robif2b_kinova_gen3_comm *)(void *)p.comm;
}

void robif2b_kinova_gen3_hl_configure(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, connect);
  if (b && b->success && *b->success) publish_wrench(b);
}

void robif2b_kinova_gen3_hl_recover(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, achd_arm_recover);
}

void robif2b_kinova_gen3_hl_start(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, achd_arm_start_high_level);
}

void robif2b_kinova_gen3_hl_stop(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, achd_arm_stop);
}

void robif2b_kinova_gen3_hl_shutdown(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, achd_arm_shutdown);
}

void publish_hl_measurement(struct robif2b_kinova_gen3_hl_nbx *b) {
  call(b, achd_arm_publish);
  if (b) publish_wrench(b);
}

/* ---- commands ---- */

/* Whether the enumerations have values that they know. */
static bool known(const struct robif2b_kinova_gen3_hl_nbx *b) {
  const int mode = (int)*b->ctrl_mode, frame = (int)*b->reference_frame;
  const bool wrench = mode == ROBIF2B_HL_CTRL_MODE_WRENCH;
  const int kind = wrench ? (int)*b->wrench_mode : ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL;
  return (wrench || mode == ROBIF2B_HL_CTRL_MODE_TWIST) &&
         frame >= ROBIF2B_KINOVA_CART_REF_FRAME_BASE &&
         frame <= ROBIF2B_KINOVA_CART_REF_FRAME_MIXED &&
         kind >= ROBIF2B_KINOVA_CART_WRENCH_MODE_RESTRICTED &&
         kind <= ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL;
}

/* The command of the ports; false if it is missing or not finite. */
static bool take(const struct robif2b_kinova_gen3_hl_nbx *b, achd_cartesian_command *command) {
  const bool wrench = *b->ctrl_mode == ROBIF2B_HL_CTRL_MODE_WRENCH;
  const double *values = wrench ? b->wrench_cmd : b->twist_cmd;
  bool good = values != NULL;
  memset(command, 0, sizeof *command);
  command->mode = *b->ctrl_mode;
  command->frame = *b->reference_frame;
  command->restricted = wrench && *b->wrench_mode == ROBIF2B_KINOVA_CART_WRENCH_MODE_RESTRICTED;
  for (int i = 0; good && i < 6; i++) {
    command->values[i] = !wrench && i >= 3 ? degree * values[i] : values[i];
    good = isfinite(values[i]);
  }
  return good;
}

void robif2b_kinova_gen3_hl_update(struct robif2b_kinova_gen3_hl_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->ctrl_mode || !b->reference_frame) return;
  if (*b->ctrl_mode == ROBIF2B_HL_CTRL_MODE_WRENCH && !b->wrench_mode) return;
  if (!known(b)) {
    robif2b_kinova_gen3_hl_stop(b);
    *b->success = false;
    return;
  }
  struct achd_arm_nbx p = ports(b);
  achd_cartesian_command command;
  achd_arm_move(&p, take(b, &command) ? &command : NULL);
  if (*b->success) publish_wrench(b);
}
