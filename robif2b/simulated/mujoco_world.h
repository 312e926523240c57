/* SPDX-License-Identifier: MIT */
/* mujoco_world.h: MuJoCo's model and data of a device's world, for tests, which look at the truth. */
#ifndef ACHD_SIMULATED_MUJOCO_WORLD_H
#define ACHD_SIMULATED_MUJOCO_WORLD_H

#include "physics_mujoco.h"
#include "world.h"

static inline mjModel *achd_world_model(const achd_world_device *device) {
  return achd_world_physics(device)->model;
}

static inline mjData *achd_world_data(const achd_world_device *device) {
  return achd_world_physics(device)->data;
}

#endif
