/* SPDX-License-Identifier: MIT */
/* kinova_gen3.h: a Kinova Gen3, one exchange per cycle.
 *
 *   configure -> recover -> start -> update, update, ... -> stop -> shutdown
 *
 * Each function sets *success. A fault of the arm (a joint that does not follow, is too fast, at a
 * limit, or with too large a torque) leaves it true: the arm then holds its position by itself until
 * recover is called. It is false if the exchange failed, an argument is wrong, or a function is
 * called out of order. */
#ifndef ROBIF2B_FUNCTIONS_KINOVA_GEN3_H
#define ROBIF2B_FUNCTIONS_KINOVA_GEN3_H

#include <robif2b/types/kinova_gen3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Connects to the arm at conf.ip_address, and publishes the first measurement. */
void robif2b_kinova_gen3_configure(struct robif2b_kinova_gen3_nbx *b);

/* Clears the arm's faults. */
void robif2b_kinova_gen3_recover(struct robif2b_kinova_gen3_nbx *b);

/* Low-level control begins: the arm obeys updates. */
void robif2b_kinova_gen3_start(struct robif2b_kinova_gen3_nbx *b);

/* One exchange: sends the command of *ctrl_mode, then publishes the measurement that answers it. An
 * unknown mode stops the arm and fails. */
void robif2b_kinova_gen3_update(struct robif2b_kinova_gen3_nbx *b);

/* Low-level control ends: the arm holds its position. */
void robif2b_kinova_gen3_stop(struct robif2b_kinova_gen3_nbx *b);

/* Disconnects. After a configure that failed there is nothing to do, and *success is false. */
void robif2b_kinova_gen3_shutdown(struct robif2b_kinova_gen3_nbx *b);

/* Publishes the last measurement once more, without an exchange. */
void publish_measurement(struct robif2b_kinova_gen3_nbx *b);

/* High-level control: the arm's base moves the tool as *ctrl_mode, a twist or a wrench along the axes
 * of *reference_frame, says. The same order of functions. An update sends the command and publishes
 * the measurement; a value that is none of its enumeration stops the arm, and fails. stop: the arm
 * holds its position. */
void robif2b_kinova_gen3_hl_configure(struct robif2b_kinova_gen3_hl_nbx *b);
void robif2b_kinova_gen3_hl_recover(struct robif2b_kinova_gen3_hl_nbx *b);
void robif2b_kinova_gen3_hl_start(struct robif2b_kinova_gen3_hl_nbx *b);
void robif2b_kinova_gen3_hl_update(struct robif2b_kinova_gen3_hl_nbx *b);
void robif2b_kinova_gen3_hl_stop(struct robif2b_kinova_gen3_hl_nbx *b);
void robif2b_kinova_gen3_hl_shutdown(struct robif2b_kinova_gen3_hl_nbx *b);
void publish_hl_measurement(struct robif2b_kinova_gen3_hl_nbx *b);

/* Exchanges the ports of the gripper, and the motors' voltages. */
void robif2b_kinova_gen3_gripper_update(struct robif2b_kinova_gen3_gripper_nbx *b);

/* A Robotiq gripper behind the arm. configure: after the arm's. start: in low-level control only. */
void robif2b_kg3_robotiq_gripper_configure(struct robif2b_kg3_robotiq_gripper_nbx *b,
                                           struct robif2b_kinova_gen3_nbx *g);
void robif2b_kg3_robotiq_gripper_start(struct robif2b_kg3_robotiq_gripper_nbx *b);
void robif2b_kg3_robotiq_gripper_update(struct robif2b_kg3_robotiq_gripper_nbx *b);
void robif2b_kg3_robotiq_gripper_stop(struct robif2b_kg3_robotiq_gripper_nbx *b);
void publish_gripper_measurement(struct robif2b_kg3_robotiq_gripper_nbx *b);

#ifdef __cplusplus
}
#endif

#endif
