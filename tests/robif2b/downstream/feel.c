/* SPDX-License-Identifier: MIT */
/* feel.c: written for robif2b and nothing else: a force and torque sensor is read, its readings become
 * its offsets, and it is read again. */
#include "robif2b/functions/robotiq_ft_sensor.h"

#include <math.h>
#include <stdio.h>

enum { READS = 50, TRIES = 5 };

int main(int argc, char **argv) {
  bool success = false;
  float force[3] = {0}, force_offset[3] = {0}, moment[3] = {0}, moment_offset[3] = {0};
  struct robif2b_robotiq_ft_sensor_nbx sensor = {.serial.port = argc > 1 ? argv[1] : "/dev/ttyUSB0",
                                                 .serial.baudrate = 19200,
                                                 .serial.timeout_ms = 100,
                                                 .serial.slave_address = 0x09,
                                                 .force_msr = force,
                                                 .force_offset = force_offset,
                                                 .moment_msr = moment,
                                                 .moment_offset = moment_offset,
                                                 .success = &success};
  for (int i = 0; i < TRIES && !success; i++) robif2b_robotiq_ft_configure(&sensor);
  if (!success) {
    printf("configure failed\n");
    robif2b_robotiq_ft_shutdown(&sensor);
    return 1;
  }
  int missed = 0;
  for (int i = 0; i < 2 * READS; i++) {
    robif2b_robotiq_ft_update(&sensor);
    if (!success) missed++;
    if (i != READS - 1) continue;
    printf("%.2f %.2f %.2f N, %.3f %.3f %.3f N m\n", (double)force[0], (double)force[1],
           (double)force[2], (double)moment[0], (double)moment[1], (double)moment[2]);
    for (int k = 0; k < 3; k++) {
      force_offset[k] = force[k];
      moment_offset[k] = moment[k];
    }
  }
  const bool small = fabs((double)force[2]) < 1 && fabs((double)moment[1]) < 0.1;
  printf("%d missed, %s\n", missed, small ? "nothing is left" : "something is left");
  robif2b_robotiq_ft_shutdown(&sensor);
  return success && small ? 0 : 1;
}
