/* SPDX-License-Identifier: MIT */
/* eddie_test.c: a platform with four drives on the bus of the robot Eddie, as its published example drives
 * it: the arms' supply is switched on, then the first drive gets 1 N m and -1 N m. */
#include <robif2b/functions/eddie_power_board.h>
#include <robif2b/functions/ethercat.h>
#include <robif2b/functions/kelo_drive.h>

#include "mujoco_world.h"

#include <stdlib.h>

#include "test.h"

enum { DRIVES = 4, SLAVES = 5 };

static struct robif2b_kelo_drive_api_msr_pdo msr[DRIVES];
static struct robif2b_kelo_drive_api_cmd_pdo cmd[DRIVES];
static struct robif2b_eddie_power_board_api_msr_pdo board_msr;
static struct robif2b_eddie_power_board_api_cmd_pdo board_cmd;

static void the_published_example(void) {
  int error = 0, exposed = SLAVES, found = 0, active = 0, drives = DRIVES;
  const int index[SLAVES] = {1, 3, 4, 6, 7};
  const char *name[SLAVES] = {"KELO_ECAT_FRD2_PMU1.0", "KELOD105", "KELOD105", "KELOD105",
                              "KELOD105"};
  unsigned code[SLAVES] = {0x90001001, 0x02001001, 0x02001001, 0x02001001, 0x02001001};
  size_t in_size[SLAVES] = {30, 172, 172, 172, 172}, out_size[SLAVES] = {6, 36, 36, 36, 36};
  void *input[SLAVES] = {&board_msr, &msr[0], &msr[1], &msr[2], &msr[3]};
  const void *output[SLAVES] = {&board_cmd, &cmd[0], &cmd[1], &cmd[2], &cmd[3]};
  bool connected[SLAVES] = {false};
  enum robif2b_ctrl_mode mode[DRIVES];
  double torque[2 * DRIVES] = {0}, most[2 * DRIVES], constant[2 * DRIVES], vel[2 * DRIVES];
  for (int i = 0; i < DRIVES; i++) mode[i] = ROBIF2B_CTRL_MODE_FORCE;
  for (int w = 0; w < 2 * DRIVES; w++) most[w] = 10, constant[w] = 0.29;
  struct robif2b_ethercat bus = {"eno1", &exposed, index,   name,  code,   in_size,   out_size,
                                 &error, &found,   &active, input, output, connected, NULL};
  struct robif2b_kelo_drive_encoder encoder = {
      .num_drives = &drives, .msr_pdo = msr, .wheel_vel_msr = vel};
  struct robif2b_kelo_drive_actuator wheels = {.num_drives = &drives,
                                               .cmd_pdo = cmd,
                                               .ctrl_mode = mode,
                                               .act_trq_cmd = torque,
                                               .max_current = most,
                                               .trq_const = constant};
  double volts = 0;
  uint64_t time = 0, before = 0;
  struct robif2b_eddie_power_board board = {
      .msr_pdo = &board_msr, .cmd_pdo = &board_cmd, .time_stamp = &time, .voltage_msr = &volts};
  setenv("ACHD_SIM", ACHD_SOURCE_DIR "/robif2b/worlds/eddie.world", 1);
  robif2b_ethercat_configure(&bus);
  CHECK(error == 0 && found == 7);
  robif2b_ethercat_start(&bus);
  CHECK(error == 0);
  board_cmd.command = 0x20;
  robif2b_eddie_power_board_update(&board);
  robif2b_ethercat_update(&bus);
  for (int k = 0; k < 1500; k++) {
    torque[0] = 1, torque[1] = -1;
    before = time;
    robif2b_ethercat_update(&bus);
    CHECK(error == 0 && active == 15 && connected[0] && connected[4]);
    robif2b_kelo_drive_encoder_update(&encoder);
    robif2b_kelo_drive_actuator_update(&wheels);
    robif2b_eddie_power_board_update(&board);
    CHECK(k == 0 || time > before);
  }
  CHECK(volts == 24 && board_cmd.command == 0x20);
  CHECK((double)msr[0].current_1_q > 3.4 && msr[1].current_1_q == 0);
  CHECK(vel[0] > 0 || vel[1] < 0); /* right +, left -: backward */
  achd_world_lock();
  const mjData *data = achd_world_data(achd_world_find("eno1"));
  CHECK(data->qpos[0] < -0.05); /* backward; the drive then turns about its pivot */
  achd_world_unlock();
  robif2b_kelo_drive_actuator_stop(&wheels);
  robif2b_ethercat_stop(&bus);
  robif2b_ethercat_shutdown(&bus);
  CHECK(error == 0);
}

int main(void) {
  RUN(the_published_example);
  return test_end();
}
