/* SPDX-License-Identifier: MIT */
/* grip.c: written for robif2b and nothing else: a gripper on a serial line closes and opens. With an
 * argument, the line's settings have their older name. */
#include "robif2b/functions/robotiq_gripper.h"

#include <stdio.h>

int main(int argc, char **argv) {
  bool success = false, moving = false;
  uint8_t position = 0, goal = 0, speed = 0xFF, force = 0xFF;
  enum robif2b_robotiq_gripper_obj_status object = ROBIF2B_ROBOTIQ_OBJ_UNKNOWN;
  enum robif2b_robotiq_gripper_status status = ROBIF2B_ROBOTIQ_UNKNOWN;
  enum robif2b_robotiq_gripper_error error = ROBIF2B_ROBOTIQ_NO_ERROR;
  struct robif2b_robotiq_gripper_nbx newer = {.serial.port = "/dev/ttyUSB0",
                                              .serial.baudrate = 115200,
                                              .serial.timeout_ms = 1000,
                                              .serial.slave_address = 0x09,
                                              .position_msr = &position,
                                              .is_gripper_moving = &moving,
                                              .obj_detection_status = &object,
                                              .gripper_status = &status,
                                              .position_cmd = &goal,
                                              .speed_cmd = &speed,
                                              .force_cmd = &force,
                                              .error = &error,
                                              .success = &success};
  struct robif2b_robotiq_gripper_nbx older = {.conf.port = "/dev/ttyUSB0",
                                              .conf.baudrate = 115200,
                                              .conf.timeout_ms = 1,
                                              .conf.slave_address = 0x09,
                                              .position_msr = &position,
                                              .is_gripper_moving = &moving,
                                              .obj_detection_status = &object,
                                              .gripper_status = &status,
                                              .position_cmd = &goal,
                                              .speed_cmd = &speed,
                                              .force_cmd = &force,
                                              .error = &error,
                                              .success = &success};
  struct robif2b_robotiq_gripper_nbx *gripper = argc > 1 ? &older : &newer;
  (void)argv;
  robif2b_robotiq_gripper_configure(gripper);
  if (!success) {
    printf("configure failed, error %d\n", (int)error);
    return 1;
  }
  for (int way = 0; way < 2; way++) {
    int updates = 0;
    goal = way == 0 ? 0xFF : 0x00;
    speed = way == 0 ? 0xFF : 0x0F;
    do {
      robif2b_robotiq_gripper_update(gripper);
      updates++;
    } while (success && moving);
    if (!success) {
      printf("update failed, error %d\n", (int)error);
      break;
    }
    printf("%s: position %d, object status %d, after %d updates\n", way == 0 ? "closed" : "open",
           position, (int)object, updates);
  }
  const bool good = success && position == 0;
  robif2b_robotiq_gripper_shutdown(gripper);
  return good && success ? 0 : 1;
}
