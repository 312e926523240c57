/* SPDX-License-Identifier: MIT */
/* kelo_drive.c: see robif2b/functions/kelo_drive.h */
#include <robif2b/functions/kelo_drive.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct robif2b_kelo_drive_api_cmd_pdo command;

static const double two_pi = 6.283185307179586;

/* x in 0..2 pi, without 2 pi itself: x - 2 pi floor(x / 2 pi). */
static double wrapped(double x) {
  const double r = x - two_pi * floor(x / two_pi);
  return r < 0 || r >= two_pi ? 0 : r;
}

void robif2b_kelo_drive_encoder_update(struct robif2b_kelo_drive_encoder *b) {
  if (!b || !b->num_drives || !b->msr_pdo) return;
  for (int i = 0; i < *b->num_drives; i++) {
    const struct robif2b_kelo_drive_api_msr_pdo *m = &b->msr_pdo[i];
    const int right = 2 * i, left = right + 1;
    if (b->wheel_pos_msr) {
      b->wheel_pos_msr[right] = (double)m->encoder_1;
      b->wheel_pos_msr[left] = (double)m->encoder_2;
    }
    if (b->wheel_vel_msr) {
      b->wheel_vel_msr[right] = (double)m->velocity_1;
      b->wheel_vel_msr[left] = (double)m->velocity_2;
    }
    if (b->pivot_pos_msr)
      b->pivot_pos_msr[i] = b->pivot_pos_off
                                ? wrapped((double)m->encoder_pivot - b->pivot_pos_off[i])
                                : (double)m->encoder_pivot;
    if (b->pivot_vel_msr) b->pivot_vel_msr[i] = (double)m->velocity_pivot;
  }
}

void robif2b_kelo_drive_imu_update(struct robif2b_kelo_drive_imu *b) {
  if (!b || !b->num_drives || !b->msr_pdo) return;
  for (int i = 0; i < *b->num_drives; i++) {
    const struct robif2b_kelo_drive_api_msr_pdo *m = &b->msr_pdo[i];
    const int x = 3 * i, y = x + 1, z = x + 2;
    if (b->imu_ang_vel_msr) {
      b->imu_ang_vel_msr[x] = (double)m->gyro_x;
      b->imu_ang_vel_msr[y] = (double)m->gyro_y;
      b->imu_ang_vel_msr[z] = (double)m->gyro_z;
    }
    if (b->imu_lin_acc_msr) {
      b->imu_lin_acc_msr[x] = (double)m->accel_x;
      b->imu_lin_acc_msr[y] = (double)m->accel_y;
      b->imu_lin_acc_msr[z] = (double)m->accel_z;
    }
  }
}

/* Writes a command with symmetric limits. Returns false, and writes nothing, if a number is not
 * finite in the process data. */
static bool write_command(command *c, unsigned mode, const double setpoint[2],
                          const double limit[2]) {
  const float s1 = (float)setpoint[0], s2 = (float)setpoint[1];
  const float l1 = (float)limit[0], l2 = (float)limit[1];
  if (!isfinite(s1) || !isfinite(s2) || !isfinite(l1) || !isfinite(l2)) return false;
  c->command1 = (uint16_t)(COM1_ENABLE1 | COM1_ENABLE2 | mode);
  c->setpoint1 = s1;
  c->setpoint2 = s2;
  c->limit1_p = l1;
  c->limit1_n = 0 - l1; /* no -0 */
  c->limit2_p = l2;
  c->limit2_n = 0 - l2;
  return true;
}

static void stop(const struct robif2b_kelo_drive_actuator *b, int drive) {
  static const double none[2] = {0, 0};
  const double *most = b->max_current ? &b->max_current[(ptrdiff_t)2 * drive] : none;
  if (!write_command(&b->cmd_pdo[drive], COM1_MODE_VELOCITY, none, most))
    write_command(&b->cmd_pdo[drive], COM1_MODE_VELOCITY, none, none);
}

/* False if the command is missing or not finite. */
static bool command_drive(const struct robif2b_kelo_drive_actuator *b, int drive) {
  static const double none[2] = {0, 0};
  const ptrdiff_t wheel = (ptrdiff_t)2 * drive;
  const double *torque = b->act_trq_cmd, *constant = b->trq_const;
  const double *most = b->act_cur_cmd ? b->act_cur_cmd : b->max_current;
  switch ((int)b->ctrl_mode[drive]) {
  case ROBIF2B_CTRL_MODE_VELOCITY:
    return b->act_vel_cmd && most &&
           write_command(&b->cmd_pdo[drive], COM1_MODE_VELOCITY, &b->act_vel_cmd[wheel],
                         &most[wheel]);
  case ROBIF2B_CTRL_MODE_FORCE: {
    if (!torque || !constant) return false;
    const double current[2] = {torque[wheel] / constant[wheel],
                               torque[wheel + 1] / constant[wheel + 1]};
    return write_command(&b->cmd_pdo[drive], COM1_MODE_TORQUE, current, none);
  }
  default: /* CURRENT */
    return b->act_cur_cmd &&
           write_command(&b->cmd_pdo[drive], COM1_MODE_TORQUE, &b->act_cur_cmd[wheel], none);
  }
}

static bool known(enum robif2b_ctrl_mode mode) {
  const int m = (int)mode;
  return m == ROBIF2B_CTRL_MODE_VELOCITY || m == ROBIF2B_CTRL_MODE_FORCE ||
         m == ROBIF2B_CTRL_MODE_CURRENT;
}

void robif2b_kelo_drive_actuator_update(struct robif2b_kelo_drive_actuator *b) {
  if (!b || !b->num_drives || !b->cmd_pdo) return;
  bool all_known = b->ctrl_mode != NULL;
  for (int i = 0; all_known && i < *b->num_drives; i++) all_known = known(b->ctrl_mode[i]);
  for (int i = 0; i < *b->num_drives; i++)
    if (!all_known || !command_drive(b, i)) stop(b, i);
}

void robif2b_kelo_drive_actuator_stop(struct robif2b_kelo_drive_actuator *b) {
  if (!b || !b->num_drives || !b->cmd_pdo) return;
  for (int i = 0; i < *b->num_drives; i++) stop(b, i);
}
