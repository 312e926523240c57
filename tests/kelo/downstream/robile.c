/* SPDX-License-Identifier: MIT */
/* robile.c: a Robile with zero torque, 500 cycles of a millisecond by the clock; prints what it measures. */
#define _DEFAULT_SOURCE
#include <robif2b/functions/ethercat.h>
#include <robif2b/functions/kelo_drive.h>
#include <robif2b/functions/kelo_power_board.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { DRIVES = 2, SLAVES = 3, CYCLES = 500 };

static struct robif2b_kelo_drive_api_msr_pdo msr[DRIVES];
static struct robif2b_kelo_drive_api_cmd_pdo cmd[DRIVES];
static struct robif2b_kelo_power_board_api_msr_pdo board_msr;
static struct robif2b_kelo_power_board_api_cmd_pdo board_cmd;

static long microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

int main(void) {
  int error = 0, exposed = SLAVES, found = 0, active = 0, drives = DRIVES, charge = 0;
  const int index[SLAVES] = {1, 3, 5};
  const char *name[SLAVES] = {"KELO_ROBILE", "KELOD105", "KELOD105"};
  const unsigned code[SLAVES] = {0x02100101, 0x02001001, 0x02001001};
  const size_t in_size[SLAVES] = {sizeof board_msr, sizeof msr[0], sizeof msr[1]};
  const size_t out_size[SLAVES] = {sizeof board_cmd, sizeof cmd[0], sizeof cmd[1]};
  void *input[SLAVES] = {&board_msr, &msr[0], &msr[1]};
  const void *output[SLAVES] = {&board_cmd, &cmd[0], &cmd[1]};
  bool connected[SLAVES];
  double pos[2 * DRIVES], vel[2 * DRIVES], pivot[DRIVES], pivot_vel[DRIVES];
  const double offset[DRIVES] = {1.523339, 2.399158};
  const enum robif2b_ctrl_mode mode[DRIVES] = {ROBIF2B_CTRL_MODE_FORCE, ROBIF2B_CTRL_MODE_FORCE};
  const double zero[2 * DRIVES] = {0}, most[2 * DRIVES] = {10, 10, 10, 10};
  const double constant[2 * DRIVES] = {0.29, 0.29, 0.29, 0.29};
  double gyro[3 * DRIVES], accel[3 * DRIVES], volts = 0, amperes = 0, watts = 0;
  struct robif2b_ethercat bus = {.ethernet_if = "net0",
                                 .num_exposed_slaves = &exposed,
                                 .slave_idx = index,
                                 .name = name,
                                 .product_code = code,
                                 .input_size = in_size,
                                 .output_size = out_size,
                                 .error_code = &error,
                                 .num_initial_slaves = &found,
                                 .num_current_slaves = &active,
                                 .input = input,
                                 .output = output,
                                 .is_connected = connected};
  struct robif2b_kelo_drive_encoder encoder = {.num_drives = &drives,
                                               .msr_pdo = msr,
                                               .wheel_pos_msr = pos,
                                               .wheel_vel_msr = vel,
                                               .pivot_pos_off = offset,
                                               .pivot_pos_msr = pivot,
                                               .pivot_vel_msr = pivot_vel};
  struct robif2b_kelo_drive_imu imu = {
      .num_drives = &drives, .msr_pdo = msr, .imu_ang_vel_msr = gyro, .imu_lin_acc_msr = accel};
  struct robif2b_kelo_drive_actuator wheels = {.num_drives = &drives,
                                               .cmd_pdo = cmd,
                                               .ctrl_mode = mode,
                                               .act_vel_cmd = zero,
                                               .act_trq_cmd = zero,
                                               .act_cur_cmd = zero,
                                               .max_current = most,
                                               .trq_const = constant};
  struct robif2b_kelo_power_board board = {.msr_pdo = &board_msr,
                                           .cmd_pdo = &board_cmd,
                                           .soc_msr = &charge,
                                           .voltage_msr = &volts,
                                           .current_msr = &amperes,
                                           .power_msr = &watts};
  robif2b_ethercat_configure(&bus);
  if (error < 0) return 1;
  robif2b_ethercat_start(&bus);
  if (error < 0) return 1;
  for (int k = 0; k < CYCLES; k++) {
    const long start = microseconds();
    robif2b_ethercat_update(&bus);
    if (error < 0) return 1;
    robif2b_kelo_drive_encoder_update(&encoder);
    robif2b_kelo_drive_imu_update(&imu);
    robif2b_kelo_drive_actuator_update(&wheels);
    robif2b_kelo_power_board_update(&board);
    for (int i = 0; i < DRIVES; i++)
      printf("drive %d connected %d: %.2f %.2f rad/s, pivot %.2f rad, %.2f m/s^2\n", i,
             connected[i + 1], vel[2 * i], vel[2 * i + 1], pivot[i], accel[3 * i + 2]);
    printf("board connected %d: %.1f V %.1f A %.1f W %d %%\n", connected[0], volts, amperes, watts,
           charge);
    const long took = microseconds() - start;
    if (took < 1000) usleep((useconds_t)(1000 - took));
  }
  robif2b_kelo_drive_actuator_stop(&wheels);
  robif2b_ethercat_stop(&bus);
  robif2b_ethercat_shutdown(&bus);
  return error < 0;
}
