/* SPDX-License-Identifier: MIT */
/* steps_arm.c: any arm on generated steps: the UR5e of docs/examples/arm, which no library knows, by achd_step_add, with the table of `achdgen
 * --loop`, the tasks and the machine of `--init`. It goes down to a surface, presses with 10 N, slides 0.10 m and goes up again; the wrench is
 * that of the simulated sensor at its flange. With the argument fault, joint 2's encoder is stuck while it slides: it stops by that. */
#include "arm_achd.h"
#include "arm_loop.h"
#include "steps_machine.h"
#include "ur5e_sim.h"
#include "work_task.h"
#include "world.h"

#include <achd/robif2b_arm.h>
#include <achd/step_robot.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rotors[UR5E_SIM_NJ] = {0.4, 0.4, 0.4, 0.1, 0.1, 0.1};
ACHD_STEP_ROBOT(ur5e_sim, UR5E_SIM, flange, wrist_3_link, CONTACTS, NO_DRY_FRICTION, rotors);

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
    .motion_time = 60,
    .named_objects = {[WORK_OBJECT_START - 1] = &start},
    .watch = {.joints_stamped = true, .wrench_stamped = true}};

static void read_arm(achd_loop_arm *arm, achd_measurement *m) {
  achd_twist twist;
  achd_pose tool;
  achd_loop_arm_read(arm, m);
  arm_loop_kinematics(setup.robot->context, m, &tool, &twist);
  achd_loop_arm_sensor(arm, &tool, m);
}

static void begin_here(const achd_measurement *m) {
  achd_twist twist;
  memcpy(arm_loop_home, m->q, sizeof arm_loop_home);
  arm_loop_kinematics(setup.robot->context, m, &start.pose, &twist);
}

/* Until it has stopped. */
static void run(achd_loop *loop, achd_loop_arm *arm, bool faulty) {
  achd_measurement m;
  int before = -1, sliding = 0;
  bool started = false;
  double sum = 0;
  do {
    read_arm(arm, &m);
    if (!started && arm->time >= 0.1) started = achd_loop_raise(loop, STEPS_E_START);
    achd_loop_cycle(loop, &m, (achd_real)arm->period);
    achd_loop_arm_command(arm, loop);
    if (loop->machine.state == STEPS_SLIDE) sliding++, sum += m.wrench.lin[2];
    if (loop->machine.state != before)
      printf("%.2f s: %s\n", arm->time, steps_machine.states[loop->machine.state]);
    if (faulty && sliding == 1000) achd_world_inject(achd_world_find("arm"), "stuck", 1, 2, 0);
    before = loop->machine.state;
  } while (arm->time < 30 && loop->mode != ACHD_LOOP_DISABLE &&
           !(started && loop->stopping && loop->stopped_for > setup.braking_time));
  if (sliding) printf("slid with %.2f N in %d cycles\n", sum / sliding, sliding);
}

int main(int argc, char **argv) {
  static achd_loop loop;
  static achd_loop_arm arm;
  achd_measurement m;
  if (!achd_step_add(&ur5e_sim_step_robot) || achd_step_add(&ur5e_sim_step_robot))
    return 2; /* once */
  arm_loop_fill(&setup);
  if (!achd_loop_arm_connect(
          &arm, &(achd_loop_arm_setup){.address = "arm", .num_joints = ARM_NJ, .rotors = rotors}))
    return 1;
  read_arm(&arm, &m);
  begin_here(&m);
  if (!achd_loop_start(&loop, &setup)) return 1;
  run(&loop, &arm, argc > 1 && strcmp(argv[1], "fault") == 0);
  printf("tool at %.3f %.3f %.3f m, fault %u\n", loop.tool.pose.p[0], loop.tool.pose.p[1],
         loop.tool.pose.p[2], loop.fault);
  achd_loop_arm_disconnect(&arm);
  return achd_machine_latched(&loop.machine) ? 1 : 0;
}
