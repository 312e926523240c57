/* SPDX-License-Identifier: MIT */
/* touch.c: a Gen3 lowers its tool until a force and torque sensor between flange and tool feels a table,
 * and stops. */
#include <achd/loop_robot.h>
#include <achd/robif2b_ft.h>
#include <achd/robif2b_gen3.h>

#include "gen3_achd.h"
#include "slide_task.h"
#include "sliding_machine.h"

#include <signal.h>
#include <stdio.h>

ACHD_LOOP_ROBOT(gen3, GEN3, tool_frame, tool, push, press);
ACHD_LOOP_ACCELERATIONS(gen3, GEN3, push);
ACHD_FT_WRENCH(gen3, tool_frame);

static const double above[] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                               -0.810879, -0.439211, 0.761116}; /* the table [rad] */
static achd_loop_posture posture = {.q = above, .stiffness = 20, .damping = 4};
static const achd_loop_robot robot = {
    GEN3_NJ, achd_gen3_joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};
static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &sliding_machine,
    .states = {[SLIDING_STOP] = {ACHD_LOOP_STOP, NULL},
               [SLIDING_APPROACH] = {ACHD_LOOP_CRUISE, &slide_tasks[SLIDE_TASK_LOWER]},
               [SLIDING_ALIGN] = {ACHD_LOOP_STOP, NULL}}, /* the table is there */
    .events = {.fault = SLIDING_E_FAULT,
               .timeout = SLIDING_E_TIMEOUT,
               .contact = SLIDING_E_CONTACT},
    .latest = 3e-3,
    .late_cycles = 3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .motion_time = 60,
    .brakes_after = 1, /* then the drives' own brakes hold the arm */
    .watch = {.joints = achd_gen3_guards,
              .joints_stamped = true,
              .accelerations = gen3_loop_accelerations,
              .wrench_stamped = true,
              .wrench_oldest = 0.05, /* five frames */
              .largest_force = 250,  /* the sensor's range, less what it shows without a load */
              .largest_moment = 25}};

/* Ctrl-C and kill do not let go of the arm: it is braked, and the program ends as at the table. */
static volatile sig_atomic_t asked_to_end;
static void on_signal(int number) {
  (void)number;
  asked_to_end = 1;
}

int main(void) {
  static achd_loop loop;
  static achd_gen3 arm;
  static achd_ft sensor;
  int before = -1;
  if (!achd_loop_start(&loop, &setup) ||
      !achd_gen3_connect(&arm, &(achd_gen3_setup){.near = above}))
    return 1;
  if (!achd_ft_connect(&sensor, &(achd_ft_setup){.port = "/dev/ttyUSB0"})) {
    achd_gen3_disconnect(&arm);
    return 1;
  }
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  printf("the %s arm\n", achd_gen3_library());
  for (int cycle = 0; loop.mode != ACHD_LOOP_DISABLE; cycle++) {
    achd_measurement measured;
    achd_gen3_read(&arm, &measured);
    if (cycle == 300) gen3_ft_zero(&sensor, &measured); /* at rest, before anything is touched */
    gen3_ft_wrench(&sensor, &measured);
    const double felt = measured.wrench.lin[2];
    if (cycle < 300) measured.wrench = (achd_wrench){{0}, {0}}; /* its zero is not known yet */
    if (cycle == 300) achd_loop_raise(&loop, SLIDING_E_START);
    if (asked_to_end) achd_loop_raise(&loop, SLIDING_E_FAULT);
    achd_loop_cycle(&loop, &measured, arm.period);
    achd_gen3_command(&arm, &loop);

    const int state = loop.machine.state;
    if (state != before)
      printf("%6.2f s: %s, %.1f N\n", arm.time, sliding_machine.states[state], felt);
    before = state;
    if ((cycle > 300 || asked_to_end) && state != SLIDING_APPROACH && loop.stopped_for > 0.5) break;
  }
  printf("table at %.3f m, fault %u\n", loop.tool.pose.p[2], loop.fault);
  achd_ft_disconnect(&sensor);
  achd_gen3_disconnect(&arm);
  return loop.fault != ACHD_LOOP_FINE || loop.machine.state != SLIDING_ALIGN;
}
