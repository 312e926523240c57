/* SPDX-License-Identifier: MIT */
/* kelo_test.c: process data of KELO drives and power boards, against bytes that were computed by hand;
 * what the functions make of missing ports and of numbers that are not finite. */
#include <robif2b/functions/2dof.h>
#include <robif2b/functions/eddie_power_board.h>
#include <robif2b/functions/freddy_2_power_board.h>
#include <robif2b/functions/kelo_drive.h>
#include <robif2b/functions/kelo_power_board.h>

#include <stddef.h>

#include "test.h"

typedef struct robif2b_kelo_drive_api_msr_pdo msr;
typedef struct robif2b_kelo_drive_api_cmd_pdo cmd;
typedef struct robif2b_kelo_power_board_api_msr_pdo board_msr;
typedef struct robif2b_kelo_power_board_api_cmd_pdo board_cmd;

static void sizes_and_places(void) {
  CHECK(sizeof(msr) == 172 && sizeof(cmd) == 36);
  CHECK(sizeof(board_msr) == 68 && sizeof(board_cmd) == 12);
  CHECK(offsetof(msr, status2) == 2 && offsetof(msr, sensor_ts) == 4);
  CHECK(offsetof(msr, setpoint_ts) == 12 && offsetof(msr, encoder_1) == 20);
  CHECK(offsetof(msr, current_1_q) == 32 && offsetof(msr, temperature_1) == 64);
  CHECK(offsetof(msr, encoder_2) == 68 && offsetof(msr, temperature_2) == 112);
  CHECK(offsetof(msr, encoder_pivot) == 116 && offsetof(msr, voltage_bus) == 124);
  CHECK(offsetof(msr, imu_ts) == 128 && offsetof(msr, accel_x) == 136);
  CHECK(offsetof(msr, gyro_z) == 156 && offsetof(msr, current_in) == 168);
  CHECK(offsetof(cmd, setpoint1) == 4 && offsetof(cmd, limit1_p) == 12);
  CHECK(offsetof(cmd, limit2_n) == 24 && offsetof(cmd, timestamp) == 28);
  CHECK(offsetof(board_msr, output_current) == 14 && offsetof(board_msr, generic_data_2) == 34);
  CHECK(offsetof(board_msr, bmsm_power_device_id) == 38 && offsetof(board_msr, bmsm_soc) == 54);
  CHECK(offsetof(board_msr, bmsm_sn) == 56 && offsetof(board_msr, bmsm_generic_data_2) == 64);
  CHECK(offsetof(board_cmd, shutdown_command) == 8 && offsetof(board_cmd, power_device_id) == 10);
}

static void macros(void) {
  CHECK((STAT1_ENABLED1 | STAT1_ENABLED2) == 3);
  CHECK((STAT1_ENC_1_OK | STAT1_ENC_2_OK | STAT1_ENC_PIVOT_OK | STAT1_UNDERVOLTAGE) == 60);
  CHECK(STAT1_OVERVOLTAGE == 0x40 && STAT1_OVERCURRENT_1 == 0x80 && STAT1_OVERCURRENT_2 == 0x100);
  CHECK(STAT1_OVERTEMP_1 == 0x200 && STAT1_OVERTEMP_2 == 0x400 && STAT1_DETECT == 0x4000);
  CHECK(COM1_MODE_TORQUE == 0 && COM1_MODE_DTORQUE == 4 && COM1_MODE_VELOCITY == 8);
  CHECK(COM1_MODE_DVELOCITY == 12 && COM1_EMERGENCY1 == 0x10 && COM1_EMERGENCY2 == 0x20);
  CHECK(COM1_ENABLESERVO == 0x400 && COM1_SERVOCLOSE == 0x800 && COM1_USE_TS == 0x8000);
}

/* As the bus carries it: 1.5 rad is 00 00 c0 3f, -2 rad/s is 00 00 00 c0, 4 rad is 00 00 80 40. */
static void readings_from_bytes(void) {
  unsigned char bytes[2][172] = {{0}};
  static const unsigned char one_and_a_half[] = {0, 0, 0xc0, 0x3f}, minus_two[] = {0, 0, 0, 0xc0},
                             four[] = {0, 0, 0x80, 0x40}, minus_three[] = {0, 0, 0x40, 0xc0};
  memcpy(bytes[1] + 20, one_and_a_half, 4); /* encoder_1 */
  memcpy(bytes[1] + 24, minus_two, 4);      /* velocity_1 */
  memcpy(bytes[1] + 68, four, 4);           /* encoder_2 */
  memcpy(bytes[1] + 72, minus_three, 4);    /* velocity_2 */
  memcpy(bytes[1] + 116, minus_two, 4);     /* encoder_pivot */
  memcpy(bytes[1] + 120, four, 4);          /* velocity_pivot */
  for (int axis = 0; axis < 3; axis++) {
    memcpy(bytes[0] + 136 + 4 * axis, axis == 2 ? four : minus_two, 4);   /* accel */
    memcpy(bytes[1] + 148 + 4 * axis, axis == 1 ? minus_three : four, 4); /* gyro */
  }
  msr pdo[2];
  memcpy(pdo, bytes, sizeof pdo);
  const int two = 2;
  const double offset[2] = {0, 1.5};
  double pos[4], vel[4], pivot[2], pivot_vel[2], gyro[6], accel[6];
  struct robif2b_kelo_drive_encoder encoder = {.num_drives = &two,
                                               .msr_pdo = pdo,
                                               .wheel_pos_msr = pos,
                                               .wheel_vel_msr = vel,
                                               .pivot_pos_off = offset,
                                               .pivot_pos_msr = pivot,
                                               .pivot_vel_msr = pivot_vel};
  robif2b_kelo_drive_encoder_update(&encoder);
  CHECK(pos[0] == 0 && pos[2] == 1.5 && pos[3] == 4 && vel[2] == -2 && vel[3] == -3);
  CHECK_NEAR(pivot[1], 2 * M_PI - 3.5, 1e-15);
  CHECK(pivot[0] == 0 && pivot_vel[1] == 4);
  encoder.pivot_pos_off = NULL;
  robif2b_kelo_drive_encoder_update(&encoder);
  CHECK(pivot[1] == -2); /* as it is */
  struct robif2b_kelo_drive_imu imu = {&two, pdo, gyro, accel};
  robif2b_kelo_drive_imu_update(&imu);
  CHECK(accel[0] == -2 && accel[1] == -2 && accel[2] == 4 && accel[3] == 0);
  CHECK(gyro[2] == 0 && gyro[3] == 4 && gyro[4] == -3 && gyro[5] == 4);
}

/* The pivot's angle is in 0..2 pi for any reading and any offset, and the same angle. */
static void pivots_are_wrapped(void) {
  const int one = 1;
  msr pdo = {.status1 = 0};
  double offset = 0, pivot = 0;
  struct robif2b_kelo_drive_encoder encoder = {
      .num_drives = &one, .msr_pdo = &pdo, .pivot_pos_off = &offset, .pivot_pos_msr = &pivot};
  for (int k = -40; k <= 40; k++)
    for (int n = -30; n <= 30; n++) {
      pdo.encoder_pivot = (float)k * 0.0785f;
      offset = n * 0.9;
      robif2b_kelo_drive_encoder_update(&encoder);
      CHECK(pivot >= 0 && pivot < 6.283185307179586);
      CHECK_NEAR(remainder(pivot - ((double)pdo.encoder_pivot - offset), 2 * M_PI), 0, 1e-12);
    }
  pdo.encoder_pivot = -1e-30f, offset = 0;
  robif2b_kelo_drive_encoder_update(&encoder);
  CHECK(pivot == 0); /* not 2 pi */
}

enum { WHEELS = 4 };
static const int drives = 2;
static enum robif2b_ctrl_mode mode[2];
static double velocity[WHEELS], torque[WHEELS], current[WHEELS], most[WHEELS], constant[WHEELS];
static cmd commands[2];

static struct robif2b_kelo_drive_actuator actuator(void) {
  for (int k = 0; k < WHEELS; k++) {
    velocity[k] = 1.5 + k;
    torque[k] = 0.29 * (k + 1);
    current[k] = k + 2;
    most[k] = 10;
    constant[k] = 0.29;
  }
  memset(commands, 0xaa, sizeof commands);
  return (struct robif2b_kelo_drive_actuator){&drives, commands, mode, velocity,
                                              torque,  current,  most, constant};
}

static bool bytes_are(int drive, const unsigned char wanted[36]) {
  return memcmp(&commands[drive], wanted, 36) == 0;
}

/* command2 and timestamp stay as they are, aa. */
static void commands_as_bytes(void) {
  static const unsigned char velocities[36] = {
      0x0b, 0,    0xaa, 0xaa, 0,    0,    0xc0, 0x3f, 0, 0, 0x20, 0x40, /* 1.5, 2.5 */
      0,    0,    0,    0x40, 0,    0,    0,    0xc0, 0, 0, 0x40, 0x40,
      0,    0,    0x40, 0xc0, /* 2 -2 3 -3 */
      0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
  static const unsigned char torques[36] = {
      0x03, 0, 0xaa, 0xaa, 0,    0,    0x40, 0x40, 0,    0,    0x80, 0x40, /* 3 A, 4 A */
      0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
      0,    0, 0,    0,    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
  static const unsigned char currents[36] = {
      0x03, 0, 0xaa, 0xaa, 0,    0,    0x80, 0x40, 0,    0,    0xa0, 0x40, /* 4 A, 5 A */
      0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
      0,    0, 0,    0,    0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
  static const unsigned char stopped[36] = {
      0x0b, 0,    0xaa, 0xaa, 0,    0,    0,    0,   0,    0,    0, 0, 0,    0,
      0x20, 0x41, 0,    0,    0x20, 0xc1, 0,    0,   0x20, 0x41, 0, 0, 0x20, 0xc1, /* +-10 A */
      0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
  struct robif2b_kelo_drive_actuator act = actuator();
  mode[0] = ROBIF2B_CTRL_MODE_VELOCITY, mode[1] = ROBIF2B_CTRL_MODE_FORCE;
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(bytes_are(0, velocities) && bytes_are(1, torques));
  mode[1] = ROBIF2B_CTRL_MODE_CURRENT; /* of the second drive, not of the first */
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(bytes_are(0, velocities) && bytes_are(1, currents));
  robif2b_kelo_drive_actuator_stop(&act);
  CHECK(bytes_are(0, stopped) && bytes_are(1, stopped));
  const int unknown[] = {ROBIF2B_CTRL_MODE_POSITION, 4, -1, 1000};
  for (int k = 0; k < 4; k++) {
    act = actuator();
    mode[0] = ROBIF2B_CTRL_MODE_VELOCITY, mode[1] = (enum robif2b_ctrl_mode)unknown[k];
    robif2b_kelo_drive_actuator_update(&act);
    CHECK(bytes_are(0, stopped) && bytes_are(1, stopped));
  }
  act = actuator();
  act.ctrl_mode = NULL;
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(bytes_are(0, stopped) && bytes_are(1, stopped));
}

static bool is_stopped(const cmd *c, float limit) {
  return c->command1 == 11 && c->setpoint1 == 0 && c->setpoint2 == 0 && c->limit1_p == limit &&
         c->limit1_n == -limit && c->limit2_p == limit && c->limit2_n == -limit;
}

static void what_is_not_finite_stops_its_drive(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
  for (int k = 0; k < 4; k++)
    for (int m = 1; m < 4; m++) {
      struct robif2b_kelo_drive_actuator act = actuator();
      mode[0] = mode[1] = (enum robif2b_ctrl_mode)m;
      double *array = m == 1 ? velocity : m == 2 ? torque : current;
      array[3] = bad[k];
      robif2b_kelo_drive_actuator_update(&act);
      CHECK(is_stopped(&commands[1], 10));
      CHECK(!is_stopped(&commands[0], 10) && isfinite(commands[0].setpoint1));
    }
  struct robif2b_kelo_drive_actuator act = actuator();
  mode[0] = mode[1] = ROBIF2B_CTRL_MODE_FORCE;
  constant[0] = 0;
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(is_stopped(&commands[0], 10));
  most[0] = NAN;
  robif2b_kelo_drive_actuator_stop(&act);
  CHECK(is_stopped(&commands[0], 0) && is_stopped(&commands[1], 10));
}

static void missing_ports(void) {
  for (int m = 1; m < 4; m++) {
    struct robif2b_kelo_drive_actuator act = actuator();
    mode[0] = mode[1] = (enum robif2b_ctrl_mode)m;
    act.act_vel_cmd = NULL, act.act_trq_cmd = NULL;
    if (m == ROBIF2B_CTRL_MODE_CURRENT) act.act_cur_cmd = NULL;
    robif2b_kelo_drive_actuator_update(&act);
    CHECK(is_stopped(&commands[0], 10) && is_stopped(&commands[1], 10));
  }
  struct robif2b_kelo_drive_actuator act = actuator();
  mode[0] = mode[1] = ROBIF2B_CTRL_MODE_VELOCITY;
  act.act_cur_cmd = NULL;
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(commands[0].setpoint1 == 1.5f && commands[0].limit1_p == 10 && commands[1].limit2_n == -10);
  act.max_current = NULL;
  robif2b_kelo_drive_actuator_update(&act);
  CHECK(is_stopped(&commands[0], 0));
  act.cmd_pdo = NULL;
  robif2b_kelo_drive_actuator_update(&act);
  robif2b_kelo_drive_actuator_stop(&act);
  robif2b_kelo_drive_actuator_update(NULL);
  robif2b_kelo_drive_actuator_stop(NULL);
  robif2b_kelo_drive_encoder_update(NULL);
  robif2b_kelo_drive_imu_update(NULL);
  msr pdo = {.status1 = 0};
  const int one = 1;
  robif2b_kelo_drive_encoder_update(
      &(struct robif2b_kelo_drive_encoder){.num_drives = &one, .msr_pdo = &pdo});
  robif2b_kelo_drive_imu_update(
      &(struct robif2b_kelo_drive_imu){.num_drives = &one, .msr_pdo = &pdo});
}

/* 48.5 V is 00 00 42 42, 2.25 A is 00 00 10 40, 96 W is 00 00 c0 42. */
static void power_board(void) {
  unsigned char bytes[68] = {0}, command[12];
  static const unsigned char volts[] = {0, 0, 0x42, 0x42}, amperes[] = {0, 0, 0x10, 0x40},
                             watts[] = {0, 0, 0xc0, 0x42};
  memcpy(bytes + 22, watts, 4);
  memcpy(bytes + 42, volts, 4);
  memcpy(bytes + 46, amperes, 4);
  bytes[54] = 87;
  memset(command, 0xff, sizeof command);
  board_msr m;
  board_cmd c;
  memcpy(&m, bytes, sizeof m);
  memcpy(&c, command, sizeof c);
  int soc = 0;
  double voltage = 0, amps = 0, power = 0;
  struct robif2b_kelo_power_board board = {&m, &c, &soc, &voltage, &amps, &power};
  robif2b_kelo_power_board_update(&board);
  CHECK(soc == 87 && voltage == 48.5 && amps == 2.25 && power == 96);
  CHECK(c.generic_command == 0 && c.charge_command == 0 && c.shutdown_command == 0);
  CHECK(c.power_device_id == 0xffff); /* stays */
  robif2b_kelo_power_board_update(&(struct robif2b_kelo_power_board){.msr_pdo = &m});
  robif2b_kelo_power_board_update(NULL);
}

/* The other board: 30 bytes, 6 bytes; commands stay. */
static void other_power_boards(void) {
  struct robif2b_eddie_power_board_api_msr_pdo m;
  struct robif2b_eddie_power_board_api_cmd_pdo c;
  unsigned char bytes[30] = {0x34, 0x12, 7};
  static const unsigned char volts[] = {0, 0, 0x42, 0x42}, amperes[] = {0, 0, 0x10, 0x40},
                             watts[] = {0, 0, 0xc0, 0x42};
  CHECK(sizeof m == 30 && sizeof c == 6 &&
        offsetof(struct robif2b_eddie_power_board_api_cmd_pdo, command) == 2);
  memcpy(bytes + 10, amperes, 4);
  memcpy(bytes + 14, volts, 4);
  memcpy(bytes + 18, watts, 4);
  memcpy(&m, bytes, sizeof m);
  memset(&c, 0x5a, sizeof c);
  uint64_t time = 0;
  uint16_t status = 0;
  double voltage = 0, amps = 0, power = 0;
  robif2b_eddie_power_board_update(
      &(struct robif2b_eddie_power_board){&m, &c, &time, &status, &voltage, &amps, &power});
  CHECK(time == 7 && status == 0x1234 && voltage == 48.5 && amps == 2.25 && power == 96);
  CHECK(c.shutdown == 0x5a5a && c.command == 0x5a5a5a5a);
  struct robif2b_freddy_2_power_board_api_msr_pdo f;
  memcpy(&f, bytes, sizeof f);
  voltage = 0;
  robif2b_freddy_2_power_board_update(
      &(struct robif2b_freddy_2_power_board){.msr_pdo = &f, .voltage_msr = &voltage});
  CHECK(voltage == 48.5);
  robif2b_eddie_power_board_update(NULL);
  robif2b_freddy_2_power_board_update(&(struct robif2b_freddy_2_power_board){.msr_pdo = NULL});
}

static void two_joints(void) {
  double pos[2] = {0, 0}, vel[2] = {9, 9};
  double command[2] = {0.1, 0.2};
  struct robif2b_2dof_nbx arm = {pos, vel, command};
  for (int k = 0; k < 10; k++) robif2b_2dof_update(&arm);
  CHECK_NEAR(pos[0], 1, 1e-15);
  CHECK_NEAR(pos[1], 2, 1e-15);
  CHECK(vel[0] == 0.1 && vel[1] == 0.2);
  command[1] = NAN;
  robif2b_2dof_update(&arm);
  CHECK_NEAR(pos[1], 2, 1e-15);
  CHECK(vel[1] == 0);
  robif2b_2dof_update(&(struct robif2b_2dof_nbx){NULL, NULL, NULL});
}

int main(void) {
  RUN(sizes_and_places);
  RUN(macros);
  RUN(readings_from_bytes);
  RUN(pivots_are_wrapped);
  RUN(commands_as_bytes);
  RUN(what_is_not_finite_stops_its_drive);
  RUN(missing_ports);
  RUN(power_board);
  RUN(other_power_boards);
  RUN(two_joints);
  return test_end();
}
