/* SPDX-License-Identifier: MIT */
/* step_worlds.c: the worlds that are compiled in with generated steps: Gen3s with a force and torque sensor at their tools'
 * frames, and grippers whose fingers have no mass. That of a platform is there to say what it needs. */
#include "builtin.h"

#include <stddef.h>

#define GEN3_AT(address)                                                                           \
  "model builtin:gen3\n"                                                                           \
  "device " address " gen3\n"                                                                      \
  "device /dev/ttyUSB0 robotiq_ft\n"                                                               \
  "device /dev/ttyUSB0 robotiq_gripper\n"                                                          \
  "device /dev/ttyUSB1 robotiq_gripper\n"                                                          \
  "device /dev/ttyUSB1 robotiq_ft\n"

const achd_builtin achd_builtin_worlds[] = {
    {"gen3", GEN3_AT("192.168.1.10")},
    {"gen3_left", GEN3_AT("192.168.1.11")},
    {"gen3_right", GEN3_AT("192.168.1.12")},
    {"robile", "model builtin:robile\ndevice net0 ethercat\n"},
    {NULL, NULL}};
