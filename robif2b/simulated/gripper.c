/* SPDX-License-Identifier: MIT */
/* gripper.c: the gripper behind a simulated Gen3. Its commands travel with the arm's frames: the fingers
 * move while the world advances. */
#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"

#include <math.h>

static double percent(double x) {
  return fmax(0, fmin(100, x));
}

void robif2b_kinova_gen3_gripper_update(struct robif2b_kinova_gen3_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  if (arm && !(b->gripper_pos_cmd && !isfinite(*b->gripper_pos_cmd))) {
    if (b->gripper_pos_cmd)
      achd_fingers_command(&arm->fingers, percent(*b->gripper_pos_cmd) / 100, 1,
                           achd_fingers_force(1));
    for (int j = 0; b->act_vol_msr && j < arm->motors.n; j++) b->act_vol_msr[j] = arm->voltage;
    if (b->gripper_pos_msr) *b->gripper_pos_msr = 100 * arm->fingers.s;
    *b->success = true;
  }
  achd_world_unlock();
}

/* ---- the same by the ports of a Robotiq gripper behind the arm ---- */

void robif2b_kg3_robotiq_gripper_configure(struct robif2b_kg3_robotiq_gripper_nbx *b,
                                           struct robif2b_kinova_gen3_nbx *g) {
  if (!b || !b->success) return;
  achd_world_lock();
  *b->success = g && achd_arm_of(g->comm);
  b->comm = *b->success ? g->comm : NULL;
  achd_world_unlock();
}

void robif2b_kg3_robotiq_gripper_start(struct robif2b_kg3_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(b->comm);
  *b->success = arm && arm->servoing;
  achd_world_unlock();
}

void robif2b_kg3_robotiq_gripper_stop(struct robif2b_kg3_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  *b->success = arm != NULL;
  if (arm) arm->fingers.goal = arm->fingers.s;
  achd_world_unlock();
}

static void publish(const achd_fingers *f, const struct robif2b_kg3_robotiq_gripper_nbx *b) {
  *b->gripper_pos_msr = (float)(100 * f->s);
  *b->gripper_vel_msr = (float)(100 * fabs(f->velocity));
  *b->gripper_cur_msr = (float)(100 * achd_fingers_current(f));
}

static bool measured(const struct robif2b_kg3_robotiq_gripper_nbx *b) {
  return b->gripper_pos_msr && b->gripper_vel_msr && b->gripper_cur_msr;
}

void publish_gripper_measurement(struct robif2b_kg3_robotiq_gripper_nbx *b) {
  if (!b || !measured(b)) return;
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(b->comm);
  if (arm) publish(&arm->fingers, b);
  achd_world_unlock();
}

void robif2b_kg3_robotiq_gripper_update(struct robif2b_kg3_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->gripper_pos_cmd || !b->gripper_vel_cmd || !b->gripper_frc_cmd || !measured(b)) return;
  const double goal = (double)*b->gripper_pos_cmd, speed = (double)*b->gripper_vel_cmd;
  const double force = (double)*b->gripper_frc_cmd;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  if (arm && arm->servoing && isfinite(goal) && isfinite(speed) && isfinite(force)) {
    achd_fingers_command(&arm->fingers, percent(goal) / 100, percent(speed) / 100,
                         achd_fingers_force(percent(force) / 100));
    publish(&arm->fingers, b);
    *b->success = true;
  }
  achd_world_unlock();
}
