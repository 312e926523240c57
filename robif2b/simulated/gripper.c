/* gripper.c: the gripper of a simulated Gen3: its fingers move in the world's time, at 100 % of their
 * way per second or slower, and touch nothing. */
#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"

#include <math.h>

static double percent(double x) {
  return fmax(0, fmin(100, x));
}

/* Moves the fingers for the time that has passed; speed: [%/s]. Returns their velocity. */
static double move(achd_arm *arm, double speed) {
  const double now = achd_world_time(arm->device), time = now - arm->gripper_time;
  const double way = fmax(-speed * time, fmin(speed * time, arm->gripper_goal - arm->gripper));
  arm->gripper += way;
  arm->gripper_time = now;
  return time > 0 ? way / time : 0;
}

void robif2b_kinova_gen3_gripper_update(struct robif2b_kinova_gen3_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  if (arm && !(b->gripper_pos_cmd && !isfinite(*b->gripper_pos_cmd))) {
    if (b->gripper_pos_cmd) arm->gripper_goal = percent(*b->gripper_pos_cmd);
    move(arm, 100);
    for (int j = 0; b->act_vol_msr && j < arm->motors.n; j++) b->act_vol_msr[j] = arm->voltage;
    if (b->gripper_pos_msr) *b->gripper_pos_msr = arm->gripper;
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
  if (arm) arm->gripper_goal = arm->gripper;
  achd_world_unlock();
}

void robif2b_kg3_robotiq_gripper_update(struct robif2b_kg3_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->gripper_pos_cmd || !b->gripper_vel_cmd || !b->gripper_frc_cmd || !b->gripper_pos_msr ||
      !b->gripper_vel_msr || !b->gripper_cur_msr)
    return;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  if (arm && arm->servoing && isfinite(*b->gripper_pos_cmd) && isfinite(*b->gripper_vel_cmd)) {
    arm->gripper_goal = percent((double)*b->gripper_pos_cmd);
    const double speed = move(arm, percent((double)*b->gripper_vel_cmd));
    *b->gripper_pos_msr = (float)arm->gripper;
    *b->gripper_vel_msr = (float)fabs(speed);
    *b->gripper_cur_msr = 0;
    *b->success = true;
  }
  achd_world_unlock();
}
