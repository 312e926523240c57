/* SPDX-License-Identifier: MIT */
/* main.c: a Gen3 moves its tool to a goal along a line, within a tube, and stops there. With an
 * argument the encoders fail on the way: the drives are disabled, and their brakes hold the arm. */
#include "robot.h"

#include "gen3_achd.h"
#include "reach_task.h"
#include "steps_machine.h"

#include <achd/loop_robot.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* gen3_loop_accelerations: how the joints move under the torques that are commanded. */
ACHD_LOOP_ACCELERATIONS(gen3, GEN3, push);

/* The machine's states in terms of the loop's actions, and its events in terms of what is seen. */
static const achd_loop_setup setup = {
    .robot = &gen3_robot,
    .machine = &steps_machine,
    .states = {[STEPS_STOP] = {ACHD_LOOP_STOP, NULL},
               [STEPS_ENTER] = {ACHD_LOOP_APPROACH, &reach_tasks[REACH_TASK_REACH]},
               [STEPS_TRAVEL] = {ACHD_LOOP_CRUISE, &reach_tasks[REACH_TASK_REACH]}},
    .events = {.fault = STEPS_E_FAULT,
               .timeout = STEPS_E_TIMEOUT,
               .contact = STEPS_E_CONTACT,
               .within_tube = STEPS_E_WITHIN_TUBE,
               .out_of_tube = STEPS_E_OUT_OF_TUBE,
               .goal_area = STEPS_E_GOAL_AREA},
    .latest = 1.5e-3,
    .late_cycles = 3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .brakes_after = 1, /* then the drives' own brakes hold the arm */
    .watch = {.joints = gen3_guards, .accelerations = gen3_loop_accelerations}};

/* Ctrl-C and kill do not let go of the arm: it is braked, and the program ends as at its goal. */
static volatile sig_atomic_t asked_to_end;
static void on_signal(int number) {
  (void)number;
  asked_to_end = 1;
}

int main(int argc, char **argv) {
  (void)argv;
  static achd_loop loop;      /* nothing is allocated: this is all the state that there is */
  const double period = 1e-3; /* [s] */
  if (!achd_loop_start(&loop, &setup)) return 1;
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  achd_loop_raise(&loop, STEPS_E_START);

  int before = -1;
  for (int cycle = 0; cycle < 12000; cycle++) {
    if (argc > 1 && cycle == 5000) arm_lose_encoders();
    achd_measurement measured;
    arm_read(&measured);
    if (asked_to_end) achd_loop_raise(&loop, STEPS_E_FAULT);
    const achd_loop_mode mode = achd_loop_cycle(&loop, &measured, period);
    arm_command(mode, loop.tau, period);

    if (loop.machine.state != before)
      printf("%5.2f s: %s\n", cycle * period, steps_machine.states[loop.machine.state]);
    before = loop.machine.state;
    if (mode == ACHD_LOOP_DISABLE) {
      printf("%5.2f s: drives disabled\n", cycle * period);
      break;
    }
  }
  const double *p = loop.tool.pose.p;
  printf("tool at %.2f %.2f %.2f m, fault %u\n", p[0], p[1], p[2], loop.fault);
  return 0;
}
