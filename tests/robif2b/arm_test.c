/* SPDX-License-Identifier: MIT */
/* arm_test.c: the loop on an arm of any number of joints, through achd/robif2b_arm.h: a guarded move on
 * a Gen3 that stands in its world as an arm like any other; joints that slide; faults. */
#include "gen3_achd.h"
#include "gen3_rig.h"
#include "slide_task.h"
#include "sliding_machine.h"

#include <achd/loop_robot.h>
#include <achd/robif2b_arm.h>
#include <achd/robif2b_gen3.h> /* the limits of its joints */

ACHD_LOOP_ROBOT_EACH(gen3, GEN3, tool_frame, tool, push, press);
ACHD_LOOP_ARM_WRENCH(gen3, tool_frame);

/* Of the folder with gen3_table.xml. */
static const char *folder = FOLDER;
static const double above[] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                               -0.810879, -0.439211, 0.761116}; /* the table [rad] */
static const double stiff[] = {20, 20, 20, 20, 20, 20, 20}, damped[] = {4, 4, 4, 4, 4, 4, 4};
static achd_loop_posture_each posture = {above, stiff, damped, false};
static const achd_loop_robot robot = {
    GEN3_NJ, achd_gen3_joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};
static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &sliding_machine,
    .states = {[SLIDING_STOP] = {ACHD_LOOP_STOP, NULL},
               [SLIDING_APPROACH] = {ACHD_LOOP_CRUISE, &slide_tasks[SLIDE_TASK_LOWER]},
               [SLIDING_ALIGN] = {ACHD_LOOP_STOP, NULL}},
    .events = {.fault = SLIDING_E_FAULT,
               .timeout = SLIDING_E_TIMEOUT,
               .contact = SLIDING_E_CONTACT},
    .latest = 3e-3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .motion_time = 60,
    .watch = {.joints = achd_gen3_guards, .joints_stamped = true}};

/* The sensor, or the joints' torques, end a motion at the table. */
static void a_guarded_move(bool by_sensor, const char *fault, unsigned reason) {
  static achd_loop loop;
  static achd_loop_arm arm;
  double hard = 0, apart = 0, moved = 0;
  CHECK(achd_loop_start(&loop, &setup));
  CHECK(achd_loop_arm_connect(&arm, &(achd_loop_arm_setup){.address = "arm",
                                                           .num_joints = GEN3_NJ,
                                                           .rotors = achd_gen3_rotors,
                                                           .wrench_time = 0.02}));
  achd_loop_raise(&loop, SLIDING_E_START);
  for (int cycle = 0; cycle < 6000 && loop.mode != ACHD_LOOP_DISABLE; cycle++) {
    achd_measurement measured;
    achd_wrench felt;
    achd_loop_arm_read(&arm, &measured);
    gen3_arm_wrench(&arm, &felt);
    if (by_sensor)
      achd_loop_arm_sensor(&arm, &loop.tool.pose, &measured);
    else
      measured.wrench = felt;
    if (fault && cycle == 300) {
      const int joint = strcmp(fault, "lost_frame") == 0 ? 0 : 2;
      CHECK(achd_world_inject(achd_arm_of(arm.device.comm)->device, fault, 1, joint, 0));
    }
    achd_loop_cycle(&loop, &measured, arm.period);
    achd_loop_arm_command(&arm, &loop);
    const achd_world_device *world = achd_arm_of(arm.device.comm)->device;
    const double force = contact_force(achd_world_model(world), achd_world_data(world));
    hard = fmax(hard, force);
    if (cycle > 100 && by_sensor) apart = fmax(apart, fabs(measured.wrench.lin[2] - force));
    moved = fmax(moved, fabs(arm.q[1] - above[1]));
    if (cycle > 100 && loop.machine.state != SLIDING_APPROACH && loop.stopped_for > 0.2) break;
  }
  printf("  by %s: at most %.1f N, %.2f N apart, state %d, fault %u\n",
         by_sensor ? "the sensor" : "the torques", hard, apart, loop.machine.state, loop.fault);
  if (fault) {
    CHECK((loop.fault & reason) != 0 && hard == 0);
  } else {
    CHECK(loop.fault == ACHD_LOOP_FINE && loop.machine.state == SLIDING_ALIGN);
    CHECK(hard > 14 && hard < 40 && moved > 0.001);
    CHECK(apart < 1.5);
  }
  achd_loop_arm_disconnect(&arm);
  CHECK(!arm.connected && !arm.device.comm);
}

static void guarded_moves(void) {
  char text[1200];
  snprintf(text, sizeof text,
           "model %s/gen3_table.xml\n"
           "device arm arm\n  home -0.295106 0.839180 -2.714473 -2.036375 -0.810879 -0.439211 "
           "0.761116\n  sensor tool_frame_site\n  torque 104 104 104 104 51 51 51\n",
           folder);
  world_of(text);
  a_guarded_move(true, NULL, 0);
  a_guarded_move(false, NULL, 0);
  a_guarded_move(true, "lost_frame", ACHD_LOOP_STALE);
  a_guarded_move(true, "max_torque", ACHD_LOOP_DRIVES);
  a_guarded_move(true, "nan", ACHD_LOOP_NOT_FINITE);
  world_of(NULL);
}

/* A lift, a boom that turns and slides: three joints, of which two slide. */
static const char lift[] =
    "<mujoco><option gravity='0 0 -9.81' timestep='0.001'/><worldbody><body name='post'>"
    "<body name='lift'><joint name='up' type='slide' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='3' diaginertia='0.1 0.1 0.1'/>"
    "<body name='boom'><joint name='turn' type='hinge' axis='0 1 0'/>"
    "<inertial pos='0.2 0 0' mass='1' diaginertia='0.02 0.02 0.02'/>"
    "<body name='rod' pos='0.4 0 0'><joint name='out' type='slide' axis='1 0 0'/>"
    "<inertial pos='0.1 0 0' mass='0.5' diaginertia='0.005 0.005 0.005'/><site name='end'/>"
    "</body></body></body></body></worldbody></mujoco>";

static void joints_slide(void) {
  static const double goal[3] = {0.1, 0.2, 0.05}, stiffness[3] = {4000, 200, 800},
                      damping[3] = {400, 20, 40};
  static const achd_loop_posture_each springs = {goal, stiffness, damping, false};
  static achd_loop_arm arm;
  world_with(lift, "device arm arm\n  sensor end\n");
  CHECK(!achd_loop_arm_connect(&arm, &(achd_loop_arm_setup){.address = "arm", .num_joints = 2}));
  CHECK(!achd_loop_arm_connect(&arm, &(achd_loop_arm_setup){.address = "arm", .num_joints = 33}));
  CHECK(achd_loop_arm_connect(&arm, &(achd_loop_arm_setup){.address = "arm", .num_joints = 3}));
  CHECK_NEAR(arm.tau[0], 4.5 * 9.81, 1e-6); /* the lift carries all [N] */
  CHECK_NEAR(arm.tau[2], 0, 1e-6);
  for (int cycle = 0; cycle < 3000; cycle++) {
    achd_measurement measured;
    achd_loop_arm_read(&arm, &measured);
    CHECK(arm.success && measured.joints_stamp == cycle + 2);
    const achd_arm *device = achd_arm_of(arm.device.comm);
    for (int j = 0; j < 3; j++)
      arm.tau_cmd[j] = achd_physics_bias(device->motors.physics, device->motors.motor[j].joint) +
                       achd_loop_posture_each_torque(&springs, j, arm.q[j], arm.qd[j]);
  }
  for (int j = 0; j < 3; j++) CHECK_NEAR(arm.q[j], goal[j], 1e-3);
  /* the rod's weight, along the axes of its end, which is turned by 0.2 rad about y */
  CHECK_NEAR(arm.force[0], 0.5 * 9.81 * sin(0.2), 0.02);
  CHECK_NEAR(arm.force[2], -0.5 * 9.81 * cos(0.2), 0.02);
  achd_wrench wrench = {{1, 2, 3}, {4, 5, 6}};
  const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, torques[3] = {1, 2, 3};
  achd_loop_arm_wrench(&arm, rows, rows, torques,
                       &wrench); /* three joints do not tell six components */
  CHECK(wrench.lin[0] == 0 && wrench.ang[2] == 0);
  achd_loop_arm_disconnect(&arm);
  achd_loop_arm_disconnect(&arm);
  CHECK(!achd_loop_arm_recover(&arm));
  world_of(NULL);
  /* the same for all joints */
  const achd_loop_posture one = {.q = goal, .stiffness = 10, .damping = 2};
  CHECK_NEAR(achd_loop_posture_torque(&one, 1, 0.1, 0.5), 10 * 0.1 - 2 * 0.5, 1e-12);
}

/* What is commanded where no row is active: the weight, or nothing where gravity acts; a row keeps its
 * acceleration either way. */
static void gravity_acts(void) {
  static const double none[GEN3_NJ] = {0};
  achd_loop_posture_each lazy = {above, none, none, true};
  achd_measurement m = {.q = {0}};
  achd_task_command command = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  achd_solution falls, stands;
  double weight[ACHD_LOOP_JOINTS];
  memcpy(m.q, above, sizeof above);
  gen3_loop_gravity(NULL, &m, weight);
  CHECK(fabs(weight[1]) > 10);
  gen3_loop_solve(&lazy, &m, &command, &falls);
  lazy.gravity_acts = false;
  gen3_loop_solve(&lazy, &m, &command, &stands);
  for (int j = 0; j < GEN3_NJ; j++) {
    CHECK_NEAR(falls.tau[j], 0, 1e-12);
    CHECK_NEAR(stands.tau[j], weight[j], 1e-12);
    CHECK_NEAR(stands.qdd[j], 0, 1e-9);
  }
  CHECK(fabs(falls.qdd[1]) > 1);
  for (int i = 0; i < 6; i++) command.mask[i] = 1, command.b[i] = i == 2 ? 0.5 : 0;
  gen3_loop_solve(&lazy, &m, &command, &stands);
  lazy.gravity_acts = true;
  gen3_loop_solve(&lazy, &m, &command, &falls);
  /* seven joints, six rows: what differs is the one motion that is left */
  double apart = 0;
  for (int j = 0; j < GEN3_NJ; j++) apart = fmax(apart, fabs(falls.qdd[j] - stands.qdd[j]));
  CHECK(apart > 1e-3);
  CHECK(falls.usable && stands.usable);
}

int main(int argc, char **argv) {
  if (argc > 1) folder = argv[1];
  RUN(guarded_moves);
  RUN(joints_slide);
  RUN(gravity_acts);
  return test_end();
}
