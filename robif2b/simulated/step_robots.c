/* SPDX-License-Identifier: MIT */
/* step_robots.c: see step_robots.h. The headers are made by CMake. */
#include "step_robots.h"

#include "gen3_steps.h"

/* The armature of robots/gen3.lua [kg m^2]. */
static const double gen3_rotors[GEN3_NJ] = {0.5580, 0.5580, 0.5580, 0.5580, 0.1389, 0.1389, 0.1389};

ACHD_STEP_ROBOT(gen3, GEN3, tool_frame, bracelet_link, CONTACTS, DRY_FRICTION, gen3_rotors);

const achd_step_robot *const achd_step_robots[] = {&gen3_step_robot, NULL};
