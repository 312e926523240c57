/* SPDX-License-Identifier: MIT */
/* main.c: an arm lowers its tool to a surface, presses, slides along it and goes up again. To copy: the names arm, work
 * and steps are those of the layout, the tasks and the machine. It runs an arm in MuJoCo, as fast as it can or, with the
 * argument real-time, in real time; a driver of your own stands in the place of the four functions achd_mujoco_... */
#define _GNU_SOURCE
#include "arm_loop.h"
#include "steps_machine.h"
#include "work_task.h"

#include "real_time.h"

#include <achd/mujoco_arm.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#ifndef SENSOR
#define SENSOR "flange" /* the frame of the tool, which has the sensor of force */
#endif

/* The frame of the tasks: the tool's where the program begins. */
static achd_object_state start;

static achd_loop_setup setup = {
    .machine = &steps_machine,
    .states = {[STEPS_STOP] = {ACHD_LOOP_STOP, NULL},
               [STEPS_APPROACH] = {ACHD_LOOP_CRUISE, &work_tasks[WORK_TASK_LOWER]},
               [STEPS_PRESS] = {ACHD_LOOP_APPROACH, &work_tasks[WORK_TASK_SLIDE]},
               [STEPS_SLIDE] = {ACHD_LOOP_CRUISE, &work_tasks[WORK_TASK_SLIDE]},
               [STEPS_RETREAT] = {ACHD_LOOP_CRUISE, &work_tasks[WORK_TASK_RETREAT]}},
    .events = {.fault = STEPS_E_FAULT,
               .timeout = STEPS_E_TIMEOUT,
               .contact = STEPS_E_CONTACT,
               .no_contact = STEPS_E_NO_CONTACT,
               .align_done = STEPS_E_PRESSED,
               .goal_area = STEPS_E_GOAL_AREA},
    .motion_time = 60, /* [s], of all tasks together */
    .named_objects = {[WORK_OBJECT_START - 1] = &start},
    .watch = {.joints_stamped = true, .wrench_stamped = true}};

/* Ctrl-C and kill do not let go of the arm: it is braked and held, and then the program ends. */
static volatile sig_atomic_t asked_to_end;
static void on_signal(int number) {
  (void)number;
  asked_to_end = 1;
}

/* One reading: the joints, and the wrench. */
static void read_arm(achd_mujoco_arm *arm, achd_measurement *measured) {
  achd_mujoco_read(arm, measured);
  achd_mujoco_wrench(arm, measured);
}

/* The posture that free directions are led to and the frame of the tasks are those of now. */
static void begin_here(const achd_measurement *measured) {
  achd_twist twist;
  memcpy(arm_loop_home, measured->q, sizeof arm_loop_home);
  arm_loop_kinematics(setup.robot->context, measured, &start.pose, &twist);
}

/* What the tool felt while it slid. */
typedef struct felt {
  int cycles, off; /* off: without contact */
  double sum, most;
} felt;

static void feel(felt *f, const achd_loop *loop) {
  const double force = work_tasks[WORK_TASK_SLIDE].direction[2].value - loop->errors.exact[2];
  f->cycles++, f->off += force < 0.05;
  f->sum += force, f->most = fmax(f->most, force);
}

static void run(achd_loop *loop, achd_mujoco_arm *arm, real_time *clock, felt *f) {
  achd_measurement measured;
  int before = -1;
  bool started = false;
  do {
    const double period = clock ? real_time_wait(clock) : arm->period;
    read_arm(arm, &measured);
    if (asked_to_end) achd_loop_raise(loop, STEPS_E_FAULT);
    /* 0.1 s at rest tell the loop the noise of the sensors */
    if (!started && arm->time >= 0.1) started = achd_loop_raise(loop, STEPS_E_START);
    achd_loop_cycle(loop, &measured, (achd_real)period);
    achd_mujoco_command(arm, loop);
    if (loop->machine.state == STEPS_SLIDE) feel(f, loop);
    if (loop->machine.state != before)
      printf("%6.2f s: %s\n", arm->time, steps_machine.states[loop->machine.state]);
    before = loop->machine.state;
  } while (loop->mode != ACHD_LOOP_DISABLE &&
           !(started && loop->stopping && loop->stopped_for > setup.braking_time));
}

int main(int argc, char **argv) {
  static achd_loop loop;
  static achd_mujoco_arm arm;
  static real_time clock;
  const bool in_real_time = argc > 1 && strcmp(argv[1], "real-time") == 0;
  achd_measurement measured;
  arm_loop_fill(&setup);
  if (!achd_mujoco_connect(&arm, &(achd_mujoco_setup){.model = "arm.xml",
                                                      .num_joints = ARM_NJ,
                                                      .sensor = SENSOR,
                                                      .period = ARM_LOOP_PERIOD})) {
    fprintf(stderr, "%s\n", arm.why);
    return 1;
  }
  read_arm(&arm, &measured);
  begin_here(&measured);
  if (!achd_loop_start(&loop, &setup)) {
    fprintf(stderr, "the setup is wrong: achd_loop_start in achd/loop.h says of what\n");
    return 1;
  }
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  if (in_real_time && !real_time_ask())
    fprintf(stderr, "no real time: without its rights the program runs as any other\n");
  real_time_start(&clock, arm.period);
  felt f = {0};
  run(&loop, &arm, in_real_time ? &clock : NULL, &f);
  if (f.cycles > 0)
    printf("slid with %.1f N, at most %.1f N, off the table in %d of %d cycles\n", f.sum / f.cycles,
           f.most, f.off, f.cycles);
  const bool arrived = !achd_machine_latched(&loop.machine); /* no fault, timeout, or Ctrl-C */
  if (!arrived)
    printf("%s\n", asked_to_end ? "asked to end: braked and held"
                   : loop.fault
                       ? "stopped by a fault: enum achd_loop_fault of achd/loop.h has its bits"
                       : "stopped: the time of a task is over");
  printf("tool at %.3f %.3f %.3f m, fault %u\n", loop.tool.pose.p[0], loop.tool.pose.p[1],
         loop.tool.pose.p[2], loop.fault);
  if (in_real_time) real_time_print(&clock);
  achd_mujoco_disconnect(&arm);
  return arrived ? 0 : 1;
}
