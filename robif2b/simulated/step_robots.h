/* SPDX-License-Identifier: MIT */
/* step_robots.h: the robots that are compiled in. */
#ifndef ACHD_SIMULATED_STEP_ROBOTS_H
#define ACHD_SIMULATED_STEP_ROBOTS_H

#include <achd/step_robot.h>

extern const achd_step_robot *const achd_step_robots[]; /* NULL at the end */

#endif
