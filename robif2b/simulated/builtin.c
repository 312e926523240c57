/* SPDX-License-Identifier: MIT */
/* builtin.c: see builtin.h */
#include "builtin.h"

#include "gen3_model.h"
#include "platform_model.h"
#include "robile_model.h"

#include <stddef.h>

/* A Gen3 with a force and torque sensor at its flange and grippers, as the addresses in robif2b's
 * examples have them. */
#define GEN3_AT(address)                                                                           \
  "model builtin:gen3\n"                                                                           \
  "device " address " gen3\n"                                                                      \
  "device /dev/ttyUSB0 robotiq_ft\n"                                                               \
  "device /dev/ttyUSB0 robotiq_gripper\n"                                                          \
  "device /dev/ttyUSB1 robotiq_gripper\n"                                                          \
  "device /dev/ttyUSB1 robotiq_ft\n"

const achd_builtin achd_builtin_worlds[] = {{"gen3", GEN3_AT("192.168.1.10")},
                                            {"gen3_left", GEN3_AT("192.168.1.11")},
                                            {"gen3_right", GEN3_AT("192.168.1.12")},
                                            {"robile",
                                             "model builtin:robile\n"
                                             "device net0 ethercat\n"
                                             "slaves board junction drive junction drive\n"
                                             "drives left right\n"
                                             "pivot_offset 1.523339 2.399158\n"},
                                            {NULL, NULL}};

const achd_builtin achd_builtin_models[] = {
    {"gen3", gen3_model}, {"robile", robile_model}, {"platform", platform_model}, {NULL, NULL}};
