/* SPDX-License-Identifier: MIT */
/* gen3_loop_setup.h: the Gen3, the pre-grasp machine and its task, put together. */
#ifndef GEN3_LOOP_SETUP_H
#define GEN3_LOOP_SETUP_H

#include "gen3_pregrasp_task.h"
#include "gen3_robot.h"
#include "pregrasp_machine.h"

static const achd_task *const pregrasp_task =
    &gen3_pregrasp_tasks[GEN3_PREGRASP_TASK_GEN3_PREGRASP];

static const achd_loop_setup pregrasp_setup = {
    .robot = &gen3_robot,
    .machine = &pregrasp_machine,
    .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
               [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_pregrasp_tasks[0]},
               [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &gen3_pregrasp_tasks[0]}},
    .events = {.fault = -1,
               .joint_limit = PREGRASP_E_JOINT_LIMIT,
               .timeout = PREGRASP_E_TIMEOUT,
               .contact = PREGRASP_E_CONTACT,
               .no_contact = -1,
               .within_tube = PREGRASP_E_WITHIN_TUBE,
               .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
               .goal_area = PREGRASP_E_GOAL_AREA,
               .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA,
               .section_covered = -1},
    .latest = 1.5e-3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3};

#endif
