/* SPDX-License-Identifier: MIT */
/* physics_mujoco.h: what MuJoCo has of a world. */
#ifndef ACHD_SIMULATED_PHYSICS_MUJOCO_H
#define ACHD_SIMULATED_PHYSICS_MUJOCO_H

#include "physics.h"

#include <mujoco/mujoco.h>

struct achd_physics {
  mjModel *model;
  mjData *data;
};

#endif
