/* SPDX-License-Identifier: MIT */
/* arms.h: joints of the arms that tasks are run on: limits of their URDFs, efforts of the published
 * controllers. A stop brakes with the time constant of about 10 ms of the rotors. */
#ifndef ARMS_H
#define ARMS_H

#include <achd/loop.h>

#include <math.h>

#define ARM_JOINT(low, high, speed, most)                                                          \
  {                                                                                                \
    .limits = {low, high, speed}, .effort = most, .hold = { 8, 2.0 * (most), 0.5, -(most), most }  \
  }

static const achd_loop_joint lwr4_joints[] = {
    ARM_JOINT(-2.9670597283903604, 2.9670597283903604, 1.919, 176),
    ARM_JOINT(-2.0943951023931953, 2.0943951023931953, 1.919, 176),
    ARM_JOINT(-2.9670597283903604, 2.9670597283903604, 2.234, 100),
    ARM_JOINT(-2.0943951023931953, 2.0943951023931953, 2.234, 100),
    ARM_JOINT(-2.9670597283903604, 2.9670597283903604, 3.560, 100),
    ARM_JOINT(-2.0943951023931953, 2.0943951023931953, 3.211, 30),
    ARM_JOINT(-2.9670597283903604, 2.9670597283903604, 3.211, 30)};

static const achd_loop_joint youbot_joints[] = {
    ARM_JOINT(0, 5.899212871740834, 1.5707, 14.9), ARM_JOINT(0, 2.705260340591211, 1.5707, 14.9),
    ARM_JOINT(-5.183627878423159, 0, 1.5707, 8), ARM_JOINT(0, 3.5779249665883754, 1.5707, 3.3),
    ARM_JOINT(0, 5.8468529941810035, 1.5707, 1.2)};

static const achd_loop_joint gen3_joints[] = {
    ARM_JOINT(-INFINITY, INFINITY, 1.3963, 55), ARM_JOINT(-2.24, 2.24, 1.3963, 55),
    ARM_JOINT(-INFINITY, INFINITY, 1.3963, 55), ARM_JOINT(-2.57, 2.57, 1.3963, 55),
    ARM_JOINT(-INFINITY, INFINITY, 1.2218, 28), ARM_JOINT(-2.09, 2.09, 1.2218, 28),
    ARM_JOINT(-INFINITY, INFINITY, 1.2218, 28)};

#endif
