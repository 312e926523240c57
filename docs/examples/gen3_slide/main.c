/* SPDX-License-Identifier: MIT */
/* main.c: a Gen3 lowers its tool to a table, presses with 5 N and slides 0.10 m along it. It knows
 * neither the table's height nor the joints' friction, and feels the table by the joints' torques. */
#include <achd/loop_robot.h>
#include <achd/robif2b_gen3.h>

#include "gen3_achd.h"
#include "slide_task.h"
#include "sliding_machine.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

ACHD_LOOP_ROBOT(gen3, GEN3, tool_frame, tool, push, press);
ACHD_LOOP_ACCELERATIONS(gen3, GEN3, push);
ACHD_GEN3_WRENCH(gen3, tool_frame);

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
               [SLIDING_ALIGN] = {ACHD_LOOP_APPROACH, &slide_tasks[SLIDE_TASK_ALONG]},
               [SLIDING_SLIDE] = {ACHD_LOOP_CRUISE, &slide_tasks[SLIDE_TASK_ALONG]}},
    .events = {.fault = SLIDING_E_FAULT,
               .timeout = SLIDING_E_TIMEOUT,
               .contact = SLIDING_E_CONTACT,
               .no_contact = SLIDING_E_NO_CONTACT,
               .align_done = SLIDING_E_PRESSED,
               .goal_area = SLIDING_E_GOAL_AREA},
    .latest = 3e-3,
    .late_cycles = 3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .motion_time = 60, /* the clocks of the tasks begin anew whenever the contact is lost */
    .brakes_after = 1, /* then the drives' own brakes hold the arm */
    .watch = {.joints = achd_gen3_guards,
              .joints_stamped = true,
              .accelerations = gen3_loop_accelerations}};

/* Ctrl-C and kill do not let go of the arm: it is braked, and the program ends as at its goal. */
static volatile sig_atomic_t asked_to_end;
static void on_signal(int number) {
  (void)number;
  asked_to_end = 1;
}

int main(void) {
  static achd_loop loop;
  static achd_gen3 arm;
  int cycle = 0, before = -1, sliding = 0;
  double beside = 0, turned = 0, force = 0; /* sums of squared errors while it slides */
  if (!achd_loop_start(&loop, &setup) ||
      !achd_gen3_connect(&arm, &(achd_gen3_setup){.near = above, .wrench_time = 0.02}))
    return 1;
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  printf("the %s arm\n", achd_gen3_library());
  do {
    achd_measurement measured;
    achd_gen3_read(&arm, &measured);
    gen3_tool_wrench(&arm, &measured.wrench);
    /* 0.1 s at rest tell the loop the noise of the readings */
    if (cycle++ == 100) achd_loop_raise(&loop, SLIDING_E_START);
    if (asked_to_end) achd_loop_raise(&loop, SLIDING_E_FAULT);
    achd_loop_cycle(&loop, &measured, arm.period);
    achd_gen3_command(&arm, &loop);

    const int state = loop.machine.state;
    if (state != before) printf("%6.2f s: %s\n", arm.time, sliding_machine.states[state]);
    before = state;
    if (state != SLIDING_SLIDE) continue;
    const double *e = loop.errors.exact;
    beside += e[1] * e[1], force += e[2] * e[2];
    turned += e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    sliding++;
  } while (loop.mode != ACHD_LOOP_DISABLE && (!loop.stopping || loop.stopped_for < 0.5));
  if (sliding)
    printf("while it slides %.2f mm beside the line, turned by %.2f mrad, %.2f N off (root mean "
           "square)\n",
           1e3 * sqrt(beside / sliding), 1e3 * sqrt(turned / sliding), sqrt(force / sliding));
  printf("tool at %.3f %.3f %.3f m, fault %u\n", loop.tool.pose.p[0], loop.tool.pose.p[1],
         loop.tool.pose.p[2], loop.fault);
  achd_gen3_disconnect(&arm);
  return loop.fault != ACHD_LOOP_FINE;
}
