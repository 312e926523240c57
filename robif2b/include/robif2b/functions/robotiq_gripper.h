/* SPDX-License-Identifier: MIT */
/* robotiq_gripper.h: a Robotiq gripper with two fingers on a serial line.
 *
 *   configure -> update, update, ... -> shutdown
 *
 * Each function sets *success and *error. */
#ifndef ROBIF2B_FUNCTIONS_ROBOTIQ_GRIPPER_H
#define ROBIF2B_FUNCTIONS_ROBOTIQ_GRIPPER_H

#include "robif2b/types/robotiq_gripper.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the line and activates the gripper: its fingers end open, and drop what they held. Waits
 * until that is done, and publishes the first measurement. */
void robif2b_robotiq_gripper_configure(struct robif2b_robotiq_gripper_nbx *b);

/* Closes the line. The gripper goes on with its last command. */
void robif2b_robotiq_gripper_shutdown(struct robif2b_robotiq_gripper_nbx *b);

/* Sends the command, then asks for the measurement and publishes it. */
void robif2b_robotiq_gripper_update(struct robif2b_robotiq_gripper_nbx *b);

#ifdef __cplusplus
}
#endif

#endif
