/* SPDX-License-Identifier: MIT */
/* arm_moving.h: arms that follow a motion of their joints by computed torques, in the loop of
 * achd/loop.h and on their own generated dynamics, for tests of sensors that fail. */
#ifndef ARM_MOVING_H
#define ARM_MOVING_H

#include <achd/loop_robot.h>

#include "random.h"

#include <math.h>
#include <string.h>

enum { MOST_JOINTS = 7 };

/* Of a robot's own generated code: qdd = forward dynamics, tau = inverse dynamics, and gravity. */
typedef void arm_function(const double *q, const double *qd, const double *x, double *result);

typedef struct arm {
  const char *name;
  int njoints;
  arm_function *forward, *inverse, *gravity;
  double centre[MOST_JOINTS]; /* about which it moves [rad] */
  double lower[MOST_JOINTS], upper[MOST_JOINTS];
  double velocity[MOST_JOINTS], effort[MOST_JOINTS];
} arm;

#define ARM_FUNCTIONS(name, NAME)                                                                  \
  static void name##_forward(const double *q, const double *qd, const double *x, double *result) { \
    name##_fd_in in = NAME##_FD_IN_DEFAULT;                                                        \
    name##_fd_out out;                                                                             \
    memcpy(in.q, q, sizeof in.q);                                                                  \
    memcpy(in.qd, qd, sizeof in.qd);                                                               \
    memcpy(in.tau, x, sizeof in.tau);                                                              \
    name##_fd(&in, &out);                                                                          \
    memcpy(result, out.qdd, sizeof out.qdd);                                                       \
  }                                                                                                \
  static void name##_inverse(const double *q, const double *qd, const double *x, double *result) { \
    name##_id_in in = NAME##_ID_IN_DEFAULT;                                                        \
    name##_id_out out;                                                                             \
    memcpy(in.q, q, sizeof in.q);                                                                  \
    memcpy(in.qd, qd, sizeof in.qd);                                                               \
    memcpy(in.qdd, x, sizeof in.qdd);                                                              \
    name##_id(&in, &out);                                                                          \
    memcpy(result, out.tau, sizeof out.tau);                                                       \
  }                                                                                                \
  static void name##_gravity_torques(const double *q, const double *qd, const double *x,           \
                                     double *result) {                                             \
    name##_gravity_in in = NAME##_GRAVITY_IN_DEFAULT;                                              \
    name##_gravity_out out;                                                                        \
    (void)qd, (void)x;                                                                             \
    memcpy(in.q, q, sizeof in.q);                                                                  \
    name##_gravity(&in, &out);                                                                     \
    memcpy(result, out.tau, sizeof out.tau);                                                       \
  }
#define ARM(name, NAME) #name, NAME##_NJ, name##_forward, name##_inverse, name##_gravity_torques

#include "arm_gen3.h"
#include "arm_gen3_6dof.h"
#include "arm_iiwa7.h"
#include "arm_lwr4.h"
#include "arm_panda.h"
#include "arm_puma560.h"
#include "arm_youbot_arm.h"

ARM_FUNCTIONS(gen3, GEN3)
ARM_FUNCTIONS(gen3_6dof, GEN3_6DOF)
ARM_FUNCTIONS(iiwa7, IIWA7)
ARM_FUNCTIONS(lwr4, LWR4)
ARM_FUNCTIONS(panda, PANDA)
ARM_FUNCTIONS(puma560, PUMA560)
ARM_FUNCTIONS(youbot_arm, YOUBOT_ARM)

/* Limits of the URDFs, efforts of the data sheets and the published controllers. */
#define ENDLESS INFINITY
static const arm arms[] = {{ARM(gen3, GEN3),
                            {0, 0.26, 3.14, -1.6, 0, 0.96, 1.57},
                            {-ENDLESS, -2.24, -ENDLESS, -2.57, -ENDLESS, -2.09, -ENDLESS},
                            {ENDLESS, 2.24, ENDLESS, 2.57, ENDLESS, 2.09, ENDLESS},
                            {1.3963, 1.3963, 1.3963, 1.3963, 1.2218, 1.2218, 1.2218},
                            {55, 55, 55, 55, 28, 28, 28}},
                           {ARM(gen3_6dof, GEN3_6DOF),
                            {0, 0.5, 1.5, 0, 0.8, 0},
                            {-ENDLESS, -2.24, -2.57, -ENDLESS, -2.09, -ENDLESS},
                            {ENDLESS, 2.24, 2.57, ENDLESS, 2.09, ENDLESS},
                            {1.3963, 1.3963, 1.3963, 1.2218, 1.2218, 1.2218},
                            {55, 55, 55, 28, 28, 28}},
                           {ARM(iiwa7, IIWA7),
                            {0, 0.6, 0, -1.2, 0, 1, 0},
                            {-2.96, -2.09, -2.96, -2.09, -2.96, -2.09, -3.05},
                            {2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 3.05},
                            {1.71, 1.71, 1.74, 2.27, 2.44, 3.14, 3.14},
                            {176, 176, 110, 110, 110, 40, 40}},
                           {ARM(lwr4, LWR4),
                            {0, 0.6, 0, -1.2, 0, 1, 0},
                            {-2.96, -2.09, -2.96, -2.09, -2.96, -2.09, -2.96},
                            {2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 2.96},
                            {1.919, 1.919, 2.234, 2.234, 3.56, 3.211, 3.211},
                            {176, 176, 100, 100, 100, 30, 30}},
                           {ARM(panda, PANDA),
                            {0, 0.2, 0, -1.8, 0, 1.9, 0.7},
                            {-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973},
                            {2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973},
                            {2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61},
                            {87, 87, 87, 87, 12, 12, 12}},
                           {ARM(puma560, PUMA560),
                            {0, -1, 0.8, 0, 0.5, 0},
                            {-2.79, -3.92, -0.9, -1.91, -1.74, -4.64},
                            {2.79, 0.78, 4.04, 2.96, 1.74, 4.64},
                            {1.43, 0.94, 2.1, 4.3, 4.5, 4.4},
                            {97.6, 186.4, 89.4, 24.2, 20.1, 21.3}},
                           {ARM(youbot_arm, YOUBOT_ARM),
                            {2.9, 1.2, -2.5, 1.8, 2.9},
                            {0, 0, -5.18, 0, 0},
                            {5.89, 2.7, 0, 3.57, 5.84},
                            {1.5707, 1.5707, 1.5707, 1.5707, 1.5707},
                            {14.9, 14.9, 8, 3.3, 1.2}}};
enum { ARMS = sizeof arms / sizeof *arms };

#endif
