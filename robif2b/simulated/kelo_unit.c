/* SPDX-License-Identifier: MIT */
/* kelo_unit.c: see kelo_unit.h. Chosen, because nothing is published: windings of 0.3 Ohm, 15 pairs of
 * poles, constant temperatures and air pressure, a board that needs 1.5 A itself, a battery of 20 A h
 * that begins at 80 %. */
#include "kelo_unit.h"

#include <math.h>
#include <string.h>

enum { HEALTHY = 2051 /* of status2 */, POLE_PAIRS = 15 };

static const double room = 298, air = 101325; /* [K], [Pa] */
static const double board_current = 1.5, battery_charge = 20 * 3600.0, first_soc = 80;

/* The command's bits, numbers and limits make sense. */
static bool sensible(const struct robif2b_kelo_drive_api_cmd_pdo *c) {
  return isfinite(c->setpoint1) && isfinite(c->setpoint2) && isfinite(c->limit1_p) &&
         isfinite(c->limit1_n) && isfinite(c->limit2_p) && isfinite(c->limit2_n);
}

static bool emergency(const struct robif2b_kelo_drive_api_cmd_pdo *c, int m) {
  return (c->command1 & (m == 0 ? COM1_EMERGENCY1 : COM1_EMERGENCY2)) != 0;
}

static bool enabled(const achd_kelo_drive *drive, const achd_kelo_kind *kind, int m) {
  return drive->motor[m].asked > kind->enabling;
}

void achd_kelo_drive_cycle(achd_kelo_drive *drive, const achd_kelo_kind *kind) {
  for (int m = 0; m < 2; m++) {
    achd_kelo_motor *motor = &drive->motor[m];
    const bool asked = (drive->command.command1 & (m == 0 ? COM1_ENABLE1 : COM1_ENABLE2)) != 0;
    if (!asked || !drive->operational || drive->undervoltage)
      motor->asked = 0;
    else if (motor->asked <= kind->enabling)
      motor->asked++;
  }
}

static double between(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

/* i = kp (w_set - w) + the integral of ki (w_set - w), within the limits; the integral waits while
 * they cut. */
static double velocity_control(achd_kelo_motor *motor, const achd_kelo_kind *kind, double error,
                               double lower, double upper, double step) {
  const double more = kind->integral * error * step;
  const double wanted = kind->proportional * error + motor->integral + more;
  const double current = between(wanted, lower, upper);
  if (current == wanted || (wanted > current) != (more > 0)) motor->integral += more;
  motor->integral = between(motor->integral, lower, upper);
  return current;
}

/* Current of a motor by its command [A]. */
static double commanded_current(achd_kelo_drive *drive, const achd_kelo_kind *kind, int m,
                                double velocity, double step) {
  const struct robif2b_kelo_drive_api_cmd_pdo *c = &drive->command;
  const double setpoint = (double)(m == 0 ? c->setpoint1 : c->setpoint2);
  const double upper = (double)(m == 0 ? c->limit1_p : c->limit2_p);
  const double lower = (double)(m == 0 ? c->limit1_n : c->limit2_n);
  achd_kelo_motor *motor = &drive->motor[m];
  const unsigned mode = c->command1 & COM1_MODE_DVELOCITY;
  const bool works = enabled(drive, kind, m) && drive->operational && !drive->undervoltage &&
                     !drive->blind && !emergency(c, m) && sensible(c);
  if (works && mode == COM1_MODE_VELOCITY)
    return velocity_control(motor, kind, setpoint - velocity, fmax(lower, -kind->most_current),
                            fmin(upper, kind->most_current), step);
  motor->integral = 0;
  return works && mode == COM1_MODE_TORQUE
             ? between(setpoint, -kind->most_current, kind->most_current)
             : 0;
}

void achd_kelo_drive_act(achd_kelo_drive *drive, const achd_kelo_kind *kind, achd_physics *physics,
                         double step) {
  double power = 0;
  for (int m = 0; m < 2; m++) {
    achd_kelo_motor *motor = &drive->motor[m];
    const double velocity = achd_physics_qd(physics, motor->joint);
    motor->current = commanded_current(drive, kind, m, velocity, step);
    achd_physics_apply(physics, motor->joint, kind->torque_constant * motor->current);
    power +=
        motor->current * (kind->resistance * motor->current + kind->torque_constant * velocity);
  }
  drive->supply_current = power / drive->supply;
}

static unsigned status_of(const achd_kelo_drive *drive, const achd_kelo_kind *kind) {
  if (drive->undervoltage) return STAT1_UNDERVOLTAGE;        /* and nothing else works */
  unsigned status = STAT1_UNDERVOLTAGE | STAT1_ENC_PIVOT_OK; /* healthy drives have both */
  if (!drive->blind) status |= STAT1_ENC_1_OK | STAT1_ENC_2_OK;
  if (enabled(drive, kind, 0)) status |= STAT1_ENABLED1;
  if (enabled(drive, kind, 1)) status |= STAT1_ENABLED2;
  return status;
}

/* Phase k of a motor with sinusoidal currents. */
static float phase(double amplitude, double angle, int k) {
  return (float)(-amplitude * sin(POLE_PAIRS * angle - 2 * ACHD_PI / 3 * k));
}

void achd_kelo_drive_read(achd_kelo_drive *drive, const achd_kelo_kind *kind,
                          const achd_physics *physics, uint64_t time,
                          struct robif2b_kelo_drive_api_msr_pdo *pdo) {
  if (!drive->blind) {
    for (int m = 0; m < 2; m++) {
      drive->motor[m].angle = achd_physics_q(physics, drive->motor[m].joint);
      drive->motor[m].velocity = achd_physics_qd(physics, drive->motor[m].joint);
    }
    drive->pivot_angle =
        remainder(achd_physics_q(physics, drive->pivot) + drive->offset, 2 * ACHD_PI);
    drive->pivot_velocity = achd_physics_qd(physics, drive->pivot);
  }
  const achd_kelo_motor *a = &drive->motor[0], *b = &drive->motor[1];
  const double volt_a = kind->resistance * a->current + kind->torque_constant * a->velocity;
  const double volt_b = kind->resistance * b->current + kind->torque_constant * b->velocity;
  double accel[3], gyro[3];
  achd_physics_read(physics, drive->accelerometer, accel);
  achd_physics_read(physics, drive->gyro, gyro);
  *pdo = (struct robif2b_kelo_drive_api_msr_pdo){.status1 = (uint16_t)status_of(drive, kind),
                                                 .status2 = HEALTHY,
                                                 .sensor_ts = time,
                                                 .setpoint_ts = drive->setpoint_time,
                                                 .encoder_1 = (float)a->angle,
                                                 .velocity_1 = (float)a->velocity,
                                                 .current_1_q = (float)a->current,
                                                 .current_1_u = phase(a->current, a->angle, 0),
                                                 .current_1_v = phase(a->current, a->angle, 1),
                                                 .current_1_w = phase(a->current, a->angle, 2),
                                                 .voltage_1 = (float)volt_a,
                                                 .voltage_1_u = phase(volt_a, a->angle, 0),
                                                 .voltage_1_v = phase(volt_a, a->angle, 1),
                                                 .voltage_1_w = phase(volt_a, a->angle, 2),
                                                 .temperature_1 = (float)room,
                                                 .encoder_2 = (float)b->angle,
                                                 .velocity_2 = (float)b->velocity,
                                                 .current_2_q = (float)b->current,
                                                 .current_2_u = phase(b->current, b->angle, 0),
                                                 .current_2_v = phase(b->current, b->angle, 1),
                                                 .current_2_w = phase(b->current, b->angle, 2),
                                                 .voltage_2 = (float)volt_b,
                                                 .voltage_2_u = phase(volt_b, b->angle, 0),
                                                 .voltage_2_v = phase(volt_b, b->angle, 1),
                                                 .voltage_2_w = phase(volt_b, b->angle, 2),
                                                 .temperature_2 = (float)room,
                                                 .encoder_pivot = (float)drive->pivot_angle,
                                                 .velocity_pivot = (float)drive->pivot_velocity,
                                                 .voltage_bus = (float)drive->supply,
                                                 .imu_ts = time,
                                                 .accel_x = (float)accel[0],
                                                 .accel_y = (float)accel[1],
                                                 .accel_z = (float)accel[2],
                                                 .gyro_x = (float)gyro[0],
                                                 .gyro_y = (float)gyro[1],
                                                 .gyro_z = (float)gyro[2],
                                                 .temperature_imu = (float)room,
                                                 .pressure = (float)air,
                                                 .current_in = (float)drive->supply_current};
}

void achd_kelo_board_read(achd_kelo_board *board, double current, double voltage, double cycle,
                          uint64_t time, struct robif2b_kelo_power_board_api_msr_pdo *pdo) {
  const double all = current + board_current;
  board->charge = between(board->charge + all * cycle, 0, battery_charge * first_soc / 100);
  *pdo = (struct robif2b_kelo_power_board_api_msr_pdo){
      .timestamp = time / 1000000,
      .output_current = (float)all,
      .output_voltage = (float)voltage,
      .output_power = (float)(all * voltage),
      .bmsm_voltage = (float)voltage,
      .bmsm_current = (float)all,
      .bmsm_temperature = (float)(room - 273),
      .bmsm_soc = (uint16_t)(first_soc - 100 * board->charge / battery_charge)};
}
