/* SPDX-License-Identifier: MIT */
/* kinds.c: see kinds.h */
#include "kinds.h"

#include "arm.h"
#include "ft_sensor.h"
#include "kelo_bus.h"
#include "serial_gripper.h"

const achd_world_kind *const achd_world_kinds[] = {
    &achd_gen3_kind, &achd_arm_kind, &achd_ethercat_kind, &achd_ft_kind, &achd_gripper_kind, NULL};
