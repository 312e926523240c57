/* SPDX-License-Identifier: MIT */
/* arm.c: the ports of a simulated arm.
 *
 * An update sends a frame and receives the answer to the same frame: the command acts, the world
 * advances by the cycle time, then the measurement is published. */
#include "arm.h"

#include "device_time.h"

#include <math.h>
#include <string.h>

static const double default_cycle = 1e-3; /* [s] */
static const double default_late = 0.01;  /* of a late frame [s] */
static const double least_cycle = 1e-3;   /* between two commands, for the drives [s] */
static const unsigned last_frame = 65535;

/* ---- handles ---- */

enum { MOST_OPEN = 16 };
static achd_arm *arms[MOST_OPEN];

achd_arm *achd_arm_of(const void *comm) {
  for (int i = 0; comm && i < MOST_OPEN; i++)
    if (arms[i] == comm) return arms[i];
  return NULL;
}

static bool remember(achd_arm *arm) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (!arms[i]) {
      arms[i] = arm;
      return true;
    }
  return false;
}

static void forget(const achd_arm *arm) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (arms[i] == arm) arms[i] = NULL;
}

static void answer(const struct achd_arm_nbx *b, enum robif2b_kinova_gen3_error error) {
  *b->success = error == ROBIF2B_KINOVA_NO_ERROR;
  if (b->error) *b->error = error;
}

/* ---- measurement ---- */

static void inertial_sensor(const achd_arm *arm, int link, double gyro[3], double acceleration[3]) {
  achd_physics_motion(arm->motors.physics, link, gyro, acceleration);
  for (int i = 0; i < 3; i++) acceleration[i] *= arm->upwards;
}

static double wrapped(const achd_arm *arm, int j, double q) {
  const int joint = arm->motors.motor[j].joint;
  if (!arm->wraps || achd_physics_joint_type(arm->motors.physics, joint) != ACHD_JOINT_TURNS)
    return q;
  const double turn = 2 * ACHD_PI, rest = fmod(q, turn);
  const double up = rest < 0 ? rest + turn : rest;
  return up < turn ? up : 0;
}

/* Faults of sensors: those at the beginning of the exchange. */
static void examine_sensors(achd_arm *arm) {
  for (int j = 0; j < arm->motors.n; j++) {
    arm->stuck[j] = achd_world_faulty(arm->device, "stuck", j + 1, NULL);
    arm->dead[j] = achd_world_faulty(arm->device, "nan", j + 1, NULL);
  }
}

static void measure(achd_arm *arm) {
  achd_physics *p = arm->motors.physics;
  achd_physics_sense(p);
  for (int j = 0; j < arm->motors.n; j++) {
    const achd_arm_motor *motor = &arm->motors.motor[j];
    if (arm->stuck[j]) continue;
    arm->q[j] = wrapped(arm, j, achd_physics_q(p, motor->joint));
    arm->qd[j] = achd_physics_qd(p, motor->joint);
    arm->tau[j] = -achd_motors_output(&arm->motors, j);
    arm->current[j] = motor->tau / motor->limits.torque_constant;
  }
  if (arm->sensor >= 0) achd_physics_felt(p, arm->sensor, arm->sensed);
  inertial_sensor(arm, arm->base, arm->base_gyro, arm->base_acceleration);
  inertial_sensor(arm, arm->wrist, arm->wrist_gyro, arm->wrist_acceleration);
}

enum robif2b_kinova_arm_state achd_arm_state(const achd_arm *arm) {
  if (achd_motors_tripped(&arm->motors)) return ROBIF2B_KINOVA_ARM_STATE_IN_FAULT;
  return arm->servoing ? ROBIF2B_KINOVA_ARM_STATE_SERVOING_LOW_LEVEL
                       : ROBIF2B_KINOVA_ARM_STATE_SERVOING_READY;
}

unsigned achd_arm_flags(const achd_arm *arm, bool warnings) {
  static const unsigned joint_fault = 16;
  for (int j = 0; j < arm->motors.n; j++)
    if (warnings ? arm->motors.motor[j].warnings : arm->motors.motor[j].faults) return joint_fault;
  return 0;
}

static void publish(const achd_arm *arm, const struct achd_arm_nbx *b) {
  for (int j = 0; j < arm->motors.n; j++) {
    b->jnt_pos_msr[j] = arm->dead[j] ? NAN : arm->q[j];
    b->jnt_vel_msr[j] = arm->dead[j] ? NAN : arm->qd[j];
    b->jnt_trq_msr[j] = arm->tau[j];
    b->act_cur_msr[j] = arm->current[j];
    if (b->jnt_fault_flags) b->jnt_fault_flags[j] = arm->motors.motor[j].faults;
    if (b->jnt_warning_flags) b->jnt_warning_flags[j] = arm->motors.motor[j].warnings;
  }
  memcpy(b->imu_ang_vel_msr, arm->base_gyro, sizeof arm->base_gyro);
  memcpy(b->imu_lin_acc_msr, arm->base_acceleration, sizeof arm->base_acceleration);
  if (b->force_msr) memcpy(b->force_msr, arm->sensed, 3 * sizeof *b->force_msr);
  if (b->moment_msr) memcpy(b->moment_msr, arm->sensed + 3, 3 * sizeof *b->moment_msr);
  if (b->fault_flags) *b->fault_flags = achd_arm_flags(arm, false);
  if (b->warning_flags) *b->warning_flags = achd_arm_flags(arm, true);
  if (b->arm_state) *b->arm_state = achd_arm_state(arm);
}

/* ---- command ---- */

static const double *command_of(const struct achd_arm_nbx *b) {
  switch (*b->ctrl_mode) {
  case ROBIF2B_CTRL_MODE_POSITION:
    return b->jnt_pos_cmd;
  case ROBIF2B_CTRL_MODE_VELOCITY:
    return b->jnt_vel_cmd;
  case ROBIF2B_CTRL_MODE_FORCE:
    return b->jnt_trq_cmd;
  case ROBIF2B_CTRL_MODE_CURRENT:
    return b->act_cur_cmd;
  }
  return NULL;
}

static bool finite_command(const double *command, int n) {
  for (int j = 0; j < n; j++)
    if (!isfinite(command[j])) return false;
  return true;
}

/* A frame arrives at the motors. In every mode it has a position: the last measured one, except in
 * POSITION, so that the following error stays small. */
static void take_frame(achd_arm *arm, enum robif2b_ctrl_mode mode, const double *command,
                       double cycle) {
  achd_arm_motors *motors = &arm->motors;
  if (achd_motors_tripped(motors)) return;
  if (!motors->obeying) achd_motors_obey(motors);
  motors->mode = mode;
  motors->frame = cycle > least_cycle ? cycle : least_cycle;
  for (int j = 0; j < motors->n; j++) {
    achd_arm_motor *motor = &motors->motor[j];
    motor->position = arm->q[j];
    if (mode == ROBIF2B_CTRL_MODE_POSITION) motor->position = command[j];
    if (mode == ROBIF2B_CTRL_MODE_VELOCITY) motor->position += command[j] * cycle;
    if (mode == ROBIF2B_CTRL_MODE_FORCE) motor->torque = command[j];
    if (mode == ROBIF2B_CTRL_MODE_CURRENT) motor->current = command[j];
  }
}

/* Low-level or high-level control ends. */
static void leave(achd_arm *arm) {
  arm->servoing = arm->high_level = false;
  achd_cartesian_end(&arm->cartesian);
  if (arm->motors.obeying) achd_motors_hold(&arm->motors);
}

static bool measures(const struct achd_arm_nbx *b) {
  return b->jnt_pos_msr && b->jnt_vel_msr && b->jnt_trq_msr && b->act_cur_msr &&
         b->imu_ang_vel_msr && b->imu_lin_acc_msr;
}

/* Why the arguments of an update are of no use; NO_ERROR if they are. */
static enum robif2b_kinova_gen3_error examine(const struct achd_arm_nbx *b, const achd_arm *arm) {
  if (!arm) return ROBIF2B_KINOVA_ERR_CONNECTION;
  if (!measures(b) || !b->ctrl_mode) return ROBIF2B_KINOVA_ERR_READ;
  if (!arm->servoing) return ROBIF2B_KINOVA_ERR_SERVOING_MODE;
  return ROBIF2B_KINOVA_NO_ERROR;
}

static bool arrives(const achd_arm *arm) {
  return !achd_world_faulty(arm->device, "lost_frame", 0, NULL);
}

/* What happens before a frame is there. False if the world stands still. */
static bool travel(achd_arm *arm) {
  double late = default_late;
  examine_sensors(arm);
  return !achd_world_faulty(arm->device, "late_frame", 0, &late) ||
         achd_world_advance(arm->device, late > 0 ? late : default_late);
}

static enum robif2b_kinova_gen3_error exchange(struct achd_arm_nbx *b, achd_arm *arm) {
  const double cycle = b->cycle_time ? *b->cycle_time : default_cycle;
  enum robif2b_kinova_gen3_error error = examine(b, arm);
  if (error != ROBIF2B_KINOVA_NO_ERROR) return error;
  const unsigned mode = (unsigned)*b->ctrl_mode;
  if (mode > ROBIF2B_CTRL_MODE_CURRENT) {
    leave(arm);
    return ROBIF2B_KINOVA_ERR_CTRL_MODE;
  }
  const double *command = command_of(b);
  arm->frame = arm->frame == last_frame ? 0 : arm->frame + 1;
  const bool sent = command && finite_command(command, arm->motors.n) && arrives(arm);
  if (!travel(arm)) return ROBIF2B_KINOVA_ERR_READ;
  if (sent) take_frame(arm, *b->ctrl_mode, command, cycle);
  if (!achd_world_advance(arm->device, cycle)) return ROBIF2B_KINOVA_ERR_READ;
  if (!sent) return ROBIF2B_KINOVA_ERR_WRITE;
  measure(arm);
  publish(arm, b);
  b->ctrl_mode_prev = *b->ctrl_mode;
  return ROBIF2B_KINOVA_NO_ERROR;
}

/* The same in high-level control, whose updates take as long as a cycle by default. */
static enum robif2b_kinova_gen3_error move(struct achd_arm_nbx *b, achd_arm *arm,
                                           const achd_cartesian_command *command) {
  if (!measures(b)) return ROBIF2B_KINOVA_ERR_READ;
  if (!arm->high_level) return ROBIF2B_KINOVA_ERR_SERVOING_MODE;
  const bool sent = command && arrives(arm);
  if (!travel(arm)) return ROBIF2B_KINOVA_ERR_READ;
  if (achd_motors_tripped(&arm->motors))
    achd_cartesian_end(&arm->cartesian);
  else if (sent)
    achd_cartesian_take(&arm->cartesian, command);
  if (!achd_world_advance(arm->device, default_cycle)) return ROBIF2B_KINOVA_ERR_READ;
  if (!sent) return ROBIF2B_KINOVA_ERR_WRITE;
  measure(arm);
  publish(arm, b);
  return ROBIF2B_KINOVA_NO_ERROR;
}

/* ---- the functions ---- */

void achd_arm_connect(struct achd_arm_nbx *b, const char *kind,
                      const achd_world_kind *const *kinds) {
  if (!b || !b->success) return;
  answer(b, ROBIF2B_KINOVA_ERR_CONNECTION);
  if (achd_arm_of(b->comm) || !b->address) return;
  b->comm = NULL;
  if (!measures(b)) {
    answer(b, ROBIF2B_KINOVA_ERR_READ);
    return;
  }
  achd_world_device *device = achd_world_open(b->address, kind, kinds);
  if (!device) return;
  achd_arm *arm = achd_world_self(device);
  if (arm->motors.n != b->num_joints || !remember(arm)) {
    achd_world_close(device);
    return;
  }
  arm->servoing = arm->high_level = false;
  arm->frame = 0;
  examine_sensors(arm);
  measure(arm);
  publish(arm, b);
  b->comm = arm;
  b->ctrl_mode_prev = ROBIF2B_CTRL_MODE_VELOCITY;
  answer(b, ROBIF2B_KINOVA_NO_ERROR);
}

/* The arm of the caller, with the world locked; NULL, and the answer, if there is none. */
static achd_arm *begin(struct achd_arm_nbx *b) {
  if (!b || !b->success) return NULL;
  achd_world_lock();
  achd_arm *arm = achd_arm_of(b->comm);
  if (arm) return arm;
  answer(b, ROBIF2B_KINOVA_ERR_CONNECTION);
  achd_world_unlock();
  return NULL;
}

static void end(struct achd_arm_nbx *b, enum robif2b_kinova_gen3_error error) {
  answer(b, error);
  achd_world_unlock();
}

void achd_arm_recover(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (!arm) return;
  achd_motors_clear(&arm->motors);
  measure(arm);
  if (b->fault_flags) *b->fault_flags = 0;
  if (b->arm_state) *b->arm_state = achd_arm_state(arm);
  end(b, ROBIF2B_KINOVA_NO_ERROR);
}

void achd_arm_start(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (!arm) return;
  arm->servoing = true;
  end(b, ROBIF2B_KINOVA_NO_ERROR);
}

void achd_arm_update(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (arm) end(b, exchange(b, arm));
}

void achd_arm_start_high_level(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (!arm) return;
  arm->high_level = arm->cartesian.tool >= 0; /* a model without frames has no tool */
  end(b, arm->high_level ? ROBIF2B_KINOVA_NO_ERROR : ROBIF2B_KINOVA_ERR_SERVOING_MODE);
}

void achd_arm_move(struct achd_arm_nbx *b, const achd_cartesian_command *command) {
  achd_arm *arm = begin(b);
  if (arm) end(b, move(b, arm, command));
}

void achd_arm_publish(struct achd_arm_nbx *b) {
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(b->comm);
  if (arm && measures(b)) publish(arm, b);
  achd_world_unlock();
}

void achd_arm_stop(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (!arm) return;
  leave(arm);
  end(b, ROBIF2B_KINOVA_NO_ERROR);
}

void achd_arm_shutdown(struct achd_arm_nbx *b) {
  achd_arm *arm = begin(b);
  if (!arm) {
    if (b) b->comm = NULL;
    return;
  }
  leave(arm);
  forget(arm);
  achd_world_close(arm->device);
  b->comm = NULL;
  end(b, ROBIF2B_KINOVA_NO_ERROR);
}

double achd_device_time(const void *comm) {
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(comm);
  const double time = arm ? achd_world_time(arm->device) : 0;
  achd_world_unlock();
  return time;
}

bool achd_device_stepped(const void *comm) {
  achd_world_lock();
  const achd_arm *arm = achd_arm_of(comm);
  const bool stepped = !arm || achd_world_stepped(arm->device);
  achd_world_unlock();
  return stepped;
}
