/* SPDX-License-Identifier: MIT */
/* motors.c: the laws of the drives.
 *
 * POSITION, VELOCITY and holding: a servo to a position p of the joint, as a cascade. The velocity
 * that it wants brakes in time before p, and the acceleration that makes it is computed through the
 * inertia M_jj and the bias torque h_j (gravity, Coriolis):
 *
 *   e = p - q,   v = sgn(e) min(|e| / T, sqrt(2 a |e|)),   tau = h_j + M_jj (w (v - qd) + z),
 *   dz/dt = w w_i (v - qd)
 *
 * In VELOCITY the driver sends p = measured + v dt with each command. There the drive wants to be at p
 * when the next command comes: T = dt, without braking. What the arm's own firmware does is not
 * published; these laws are this simulation's.
 *
 * FORCE: tau as commanded; CURRENT: tau = torque constant times current. */
#include "motors.h"

#include <math.h>

static const double bandwidth = 200, integral = 10; /* w, w_i [1/s] */
static const double settling = 0.01;                /* T of positions [s] */
static const double steepest = 30, gentlest = 1;    /* bounds of a [rad/s^2] */

static double clamp(double x, double most) {
  return fmax(-most, fmin(most, x));
}

/* To -pi .. pi, if the joint turns without end. */
static double difference(const achd_arm_motor *motor, double d) {
  return motor->turns ? remainder(d, 2 * ACHD_PI) : d;
}

static double position(const achd_arm_motors *motors, const achd_arm_motor *motor) {
  return achd_physics_q(motors->physics, motor->joint);
}

static double velocity(const achd_arm_motors *motors, const achd_arm_motor *motor) {
  return achd_physics_qd(motors->physics, motor->joint);
}

static double bias(const achd_arm_motors *motors, const achd_arm_motor *motor) {
  return achd_physics_bias(motors->physics, motor->joint);
}

static double inertia(const achd_arm_motors *motors, const achd_arm_motor *motor) {
  return achd_physics_inertia(motors->physics, motor->joint);
}

/* What the motor can brake with, three fifths of what gravity leaves [rad/s^2; m/s^2]. */
static double deceleration(const achd_arm_motors *motors, const achd_arm_motor *motor) {
  const double spare = motor->limits.torque_fault - fabs(bias(motors, motor));
  return fmax(gentlest, fmin(steepest, 0.6 * spare / inertia(motors, motor)));
}

static double servo(const achd_arm_motors *motors, achd_arm_motor *motor, double p, bool brakes,
                    double step) {
  const double q = position(motors, motor), qd = velocity(motors, motor);
  const double e = difference(motor, p - q), a = deceleration(motors, motor);
  const double T = brakes ? settling : fmax(motors->frame, step);
  const double most = motor->limits.velocity_fault;
  double v = clamp(e / T, 0.9 * most);
  if (brakes) v = clamp(v, sqrt(2 * a * fabs(e)));
  const double w = fmin(bandwidth, 0.3 / step), M = inertia(motors, motor);
  const double wanted = bias(motors, motor) + M * (w * (v - qd) + motor->integral);
  const double tau = clamp(wanted, 0.99 * motor->limits.torque_fault);
  if (tau == wanted) motor->integral += w * integral * (v - qd) * step;
  return tau;
}

static double torque(const achd_arm_motors *motors, achd_arm_motor *motor, double step) {
  const achd_arm_limits *limits = &motor->limits;
  const bool helps = motors->gravity_compensation && !motors->compensated;
  const double help = helps ? achd_physics_weight(motors->physics, motor->joint) : 0;
  if (!motors->obeying) return servo(motors, motor, motor->held, true, step);
  switch (motors->mode) {
  case ROBIF2B_CTRL_MODE_FORCE:
    return clamp(motor->torque + help, limits->torque_fault);
  case ROBIF2B_CTRL_MODE_CURRENT:
    return clamp(limits->torque_constant * clamp(motor->current, limits->current) + help,
                 limits->torque_fault);
  case ROBIF2B_CTRL_MODE_VELOCITY:
    return servo(motors, motor, motor->position, false, step);
  case ROBIF2B_CTRL_MODE_POSITION:
  default:
    return servo(motors, motor, motor->position, true, step);
  }
}

/* ---- limits ---- */

/* Beyond a position limit and moving on outward. */
static unsigned beyond(const achd_arm_motors *motors, const achd_arm_motor *motor, double margin) {
  const double q = position(motors, motor), qd = velocity(motors, motor);
  if (q > motor->limits.upper + margin && qd > 0) return ACHD_ARM_LIMIT_HIGH;
  if (q < motor->limits.lower - margin && qd < 0) return ACHD_ARM_LIMIT_LOW;
  return 0;
}

/* The bits whose limits, of the faults or of the warnings, are exceeded. */
static unsigned exceeded(const achd_arm_motors *motors, const achd_arm_motor *motor, bool warning) {
  const achd_arm_limits *l = &motor->limits;
  const double q = position(motors, motor), qd = velocity(motors, motor);
  const double e = difference(motor, motor->position - q);
  const bool forced = motors->obeying && motors->mode == ROBIF2B_CTRL_MODE_FORCE;
  const double wanted = fabs(forced ? motor->torque : motor->tau);
  unsigned bits = 0;
  if (motors->obeying && fabs(e) > (warning ? l->following_warning : l->following_fault))
    bits |= ACHD_ARM_FOLLOWING_ERROR;
  if (fabs(qd) > (warning ? l->velocity_warning : l->velocity_fault)) bits |= ACHD_ARM_MAX_VELOCITY;
  if (wanted > (warning ? l->torque_warning : l->torque_fault)) bits |= ACHD_ARM_MAX_TORQUE;
  return bits;
}

static void watch(achd_arm_motors *motors, int j) {
  achd_arm_motor *motor = &motors->motor[j];
  const double q = position(motors, motor);
  motor->warnings = exceeded(motors, motor, true);
  const double outside = fmax(q - motor->limits.upper, motor->limits.lower - q);
  motor->edge = fmax(0, fmin(motor->edge, outside + 0.01));
  if (!motors->obeying) return; /* what holds already has nothing more to do */
  const unsigned bits = exceeded(motors, motor, false) | beyond(motors, motor, motor->edge);
  if (bits) achd_motors_trip(motors, j, bits);
}

void achd_motors_hold(achd_arm_motors *motors) {
  for (int j = 0; j < motors->n; j++) {
    achd_arm_motor *motor = &motors->motor[j];
    const double qd = velocity(motors, motor);
    motor->held = position(motors, motor) + qd * fabs(qd) / (2 * deceleration(motors, motor));
    motor->integral = 0;
  }
  motors->obeying = false;
}

void achd_motors_obey(achd_arm_motors *motors) {
  for (int j = 0; j < motors->n; j++) {
    achd_arm_motor *motor = &motors->motor[j];
    motor->position = position(motors, motor);
    motor->torque = motor->tau;
    motor->current = motor->tau / motor->limits.torque_constant;
    motor->integral = 0;
  }
  motors->obeying = true;
}

void achd_motors_trip(achd_arm_motors *motors, int j, unsigned fault) {
  const bool again = achd_motors_tripped(motors);
  motors->motor[j].faults |= fault;
  if (!again) achd_motors_hold(motors);
}

bool achd_motors_tripped(const achd_arm_motors *motors) {
  for (int j = 0; j < motors->n; j++)
    if (motors->motor[j].faults) return true;
  return false;
}

void achd_motors_clear(achd_arm_motors *motors) {
  for (int j = 0; j < motors->n; j++) {
    achd_arm_motor *motor = &motors->motor[j];
    const double q = position(motors, motor);
    motor->faults = 0;
    motor->edge = fmax(0, fmax(q - motor->limits.upper, motor->limits.lower - q)) + 0.01;
  }
}

void achd_motors_act(achd_arm_motors *motors, double step) {
  for (int j = 0; j < motors->n; j++) watch(motors, j);
  for (int j = 0; j < motors->n; j++) {
    achd_arm_motor *motor = &motors->motor[j];
    motor->tau = torque(motors, motor, step);
    achd_physics_apply(motors->physics, motor->joint, motor->tau);
  }
}

double achd_motors_output(const achd_arm_motors *motors, int j) {
  const achd_arm_motor *motor = &motors->motor[j];
  const achd_physics *p = motors->physics;
  return motor->tau + achd_physics_friction(p, motor->joint) -
         achd_physics_rotor(p, motor->joint) * achd_physics_qdd(p, motor->joint);
}
