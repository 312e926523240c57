/* SPDX-License-Identifier: MIT */
/* world_test.c: worlds: what their files may say, arms of any robot, devices that share a world,
 * clocks. */
#include "gen3_rig.h"

#include <achd/arm.h>

#include <time.h>

/* ---- mistakes in files ---- */

/* What is said on standard error while a Gen3 at `here` is configured; whether that worked. */
static bool said(const char *text, char *line, size_t size) {
  rig r;
  world_of(text);
  int saved, file = hush(&saved);
  rig_wire(&r, "here");
  robif2b_kinova_gen3_configure(&r.b);
  const bool success = r.success;
  if (success) robif2b_kinova_gen3_shutdown(&r.b);
  unhush(file, saved, line, size);
  world_of(NULL);
  return success;
}

static void configure_says_that_it_is_simulated(void) {
  char line[600];
  CHECK(said("model builtin:gen3\ndevice here gen3\n", line, sizeof line));
  CHECK(strstr(line, "robif2b, SIMULATED: gen3 at here in the world /tmp/achd_world_") == line);
  CHECK(strstr(line, "stepped clock\n") &&
        strchr(line, '\n') == line + strlen(line) - 1); /* one line */
}

static void mistakes_in_files_are_told_with_their_line(void) {
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"", ":0: the world has no model"},
      {"model builtin:gen3\n", ":1: the world has no device"},
      {"device here gen3\n", ":1: the world has no model"},
      {"model builtin:gen4\ndevice here gen3\n", ":1: there is no model builtin:gen4"},
      {"model nowhere.xml\ndevice here gen3\n", "nowhere.xml: "},
      {"model builtin:gen3\nmodel b\n", ":2: a world has one model"},
      {"model builtin:gen3\nclock slow\n", ":2: the clock is stepped or wall"},
      {"model builtin:gen3\ntable 3\n", ":2: what is table?"},
      {"model builtin:gen3\ndevice here\n", ":2: device takes an address and a kind"},
      {"model builtin:gen3\ndevice here tank\n", ":2: there is no kind of device tank"},
      {"model builtin:gen3\ndevice here gen3\ndevice here arm\n",
       ":3: there is a device at here already"},
      {"model builtin:gen3\ndevice there gen3\n", "has no device there"},
      {"model builtin:gen3\ndevice here arm\n", "the device there is of kind arm"},
      {"model builtin:gen3\ndevice here gen3\n  hom 1\n",
       ":3: a device of kind gen3 does not know the word hom"},
      {"model builtin:gen3\ndevice here gen3\n  home 1\n  home 2\n",
       ":4: home stands in line 3 already"},
      {"model builtin:gen3\ndevice here gen3\n  home 1 2\n",
       ":3: device here: one number, or one for each joint, is expected after the word home"},
      {"model builtin:gen3\ndevice here gen3\n  home 1 2 3 4 5 6 x\n",
       ":3: device here: one number, or one for each joint, is expected"},
      {"model builtin:gen3\ndevice here gen3\n  velocity -1\n",
       ":3: device here: positive numbers are expected after velocity"},
      {"model builtin:gen3\ndevice here gen3\n  friction -1\n",
       ":3: device here: a negative number follows friction"},
      {"model builtin:gen3\ndevice here gen3\n  masses 0\n",
       ":3: device here: positive numbers are expected after masses"},
      {"model builtin:gen3\ndevice here gen3\n  push nobody 1 1 0 0 1\n",
       ":3: device here: the model has no body nobody"},
      {"model builtin:gen3\ndevice here gen3\n  push forearm_link 1 0 0 0 1\n",
       ":3: device here: a body, two times [s] and a force [N] are expected after the word push"},
      {"model builtin:gen3\ndevice here gen3\n  push forearm_link 1 1 0 0 1 forearm_link 2\n",
       ":3: device here: a body, two times [s] and a force [N] are expected after the word push"},
      {"model builtin:gen3\ndevice here gen3\n  wrap maybe\n",
       ":3: device here: wrap is followed by on or off"},
      {"model builtin:gen3\ndevice here gen3\n  imu sideways\n",
       ":3: device here: imu is followed by down or up"},
      {"model builtin:gen3\ndevice here gen3\n  joints joint_1 joint_8\n",
       ":3: device here: the model has no joint joint_8"},
      {"model builtin:gen3\ndevice here gen3\n  joints joint_1 joint_1\n",
       ":3: device here: named twice: joint joint_1"},
      {"model builtin:gen3\ndevice here gen3\n  joints joint_1\n",
       ":3: device here: a Gen3 has seven joints"},
      {"model builtin:gen3\ndevice here gen3\n  base moon\n",
       ":3: device here: the model has no body moon"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1\n", ":3: fault takes its word"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 x\n", ":3: x is not a number"},
      {"model builtin:gen3\ndevice here gen3\n  fault rust 1 1\n",
       ":3: a device of kind gen3 has no fault rust"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 1 -2\n", ":3: there is no joint -2"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 1 1.5\n",
       ":3: there is no joint 1.5"},
      {"model builtin:gen3\ndevice here gen3\n\n  fault stuck 1 1 7\n  fault nan 1 1 9\n",
       ":5: device here: there is no joint 9"},
      {"model builtin:gen3\ndevice here arm\n  joints joint_1 joint_2\n  fault stuck 1 1 3\n",
       ":4: device here: there is no joint 3"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck -1 1\n",
       ":3: stuck begins at -1 s: time begins at 0"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 -0.5\n",
       ":3: stuck lasts for -0.5 s: write a duration above 0"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 0\n", ":3: stuck lasts for 0 s"},
      {"model builtin:gen3\ndevice here gen3\n  fault lost_frame 1 1 3\n",
       ":3: lost_frame is a fault of the whole device: write 0 for 3"},
      {"model builtin:gen3\ndevice here gen3\n  fault stuck 1 1 3 5\n",
       ":3: stuck has no value: leave out 5"},
      {"model builtin:gen3\ndevice here gen3\n  fault late_frame 1 1 0 -0.1\n",
       ":3: the value of late_frame is from 0 to 1, and not -0.1"},
      {"model builtin:gen3\ndevice s robotiq_ft\n  fault biased 1 1 7 5\ndevice here gen3\n",
       ":3: device s: there is no axis 7"},
      {"model builtin:gen3\ndevice s robotiq_ft\n  fault bad_frames 0 1 0 1.5\ndevice here gen3\n",
       ":3: the value of bad_frames is from 0 to 1, and not 1.5"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char line[600];
    CHECK(!said(bad[i].text, line, sizeof line));
    const bool told = strstr(line, bad[i].message) != NULL &&
                      strstr(line, "robif2b, SIMULATED: no gen3 at here: ") == line;
    if (!told) printf("  %s    %s\n", bad[i].text, line);
    CHECK(told && strchr(line, '\n') == line + strlen(line) - 1);
  }
  setenv("ACHD_SIM", "/nowhere/world", 1);
  rig r;
  rig_wire(&r, "192.168.1.10");
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(!r.success); /* not the compiled-in world in its place */
  setenv("ACHD_SIM", "/dev/zero", 1);
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(!r.success);
  setenv("ACHD_SIM", "/", 1);
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(!r.success);
  unsetenv("ACHD_SIM");
}

/* Text without meaning never does more than fail. */
static void any_text_is_survived(void) {
  unsigned long long state = 1;
  static const char *const words[] = {
      "model", "builtin:gen3", "device", "here",     "gen3",    "arm",    "home", "fault", "nan",
      "1",     "-1e300",       "0",      "joints",   "joint_1", "#",      "\n",   "\n",    "\n",
      "clock", "wall",         "\t",     "\xff\xfe", "lower",   "torque", "imu",  "stuck"};
  for (int k = 0; k < 300; k++) {
    char text[2000] = "", line[600];
    for (int i = 0; i < 30; i++) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      strcat(text, words[(state >> 33) % (sizeof words / sizeof *words)]);
      strcat(text, " ");
    }
    said(text, line, sizeof line);
    CHECK(line[0] != '\0');
  }
}

/* ---- arms of any robot ---- */

typedef struct any {
  struct achd_arm_nbx b;
  double cycle;
  enum robif2b_ctrl_mode mode;
  double q[ACHD_ARM_JOINTS], qd[ACHD_ARM_JOINTS], tau[ACHD_ARM_JOINTS], current[ACHD_ARM_JOINTS];
  double command[4][ACHD_ARM_JOINTS], gyro[3], acceleration[3];
  uint32_t faults[ACHD_ARM_JOINTS];
  bool success;
} any;

static void any_start(any *a, const char *address, int joints) {
  memset(a, 0, sizeof *a);
  a->cycle = 1e-3;
  a->mode = ROBIF2B_CTRL_MODE_FORCE;
  a->b = (struct achd_arm_nbx){.address = address,
                               .num_joints = joints,
                               .cycle_time = &a->cycle,
                               .ctrl_mode = &a->mode,
                               .jnt_pos_msr = a->q,
                               .jnt_vel_msr = a->qd,
                               .jnt_trq_msr = a->tau,
                               .act_cur_msr = a->current,
                               .jnt_pos_cmd = a->command[0],
                               .jnt_vel_cmd = a->command[1],
                               .jnt_trq_cmd = a->command[2],
                               .act_cur_cmd = a->command[3],
                               .imu_ang_vel_msr = a->gyro,
                               .imu_lin_acc_msr = a->acceleration,
                               .jnt_fault_flags = a->faults,
                               .success = &a->success};
  achd_arm_configure(&a->b);
  for (int j = 0; j < joints && a->success; j++) {
    a->command[0][j] = a->q[j];
    a->command[2][j] = a->command[3][j] = -a->tau[j];
  }
  if (!a->success) return;
  achd_arm_start(&a->b);
}

static int any_update(any *a, int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    achd_arm_update(&a->b);
    failed += !a->success;
  }
  return failed;
}

/* Robots of this repository, as MuJoCo reads their URDF. */
static void arms_of_other_robots_have_the_same_ports(void) {
  static const struct {
    const char *robot;
    int joints;
    const char *home, *rotors;
  } robots[] = {
      {"lwr4", 7, "0.3 0.4 -0.2 -1.2 0.5 0.9 0.1", "3.19 3.05 1.98 2.05 0.787 0.391 0.394"},
      {"youbot_arm", 5, "1.4 1.6 -1.5 1.9 2.9", "0.33848 0.33848 0.13571 0.04698 0.01799"},
      {"iiwa7", 7, "0 0.5 0 -1.5 0 1 0", "1"},
      {"gen3_6dof", 6, "0 0.3 1 0.2 0.8 0", "0.5"}};
  for (int k = 0; k < 4; k++) {
    char text[600];
    any a;
    snprintf(text, sizeof text,
             "model %s/robots/%s.urdf\ndevice arm_1 arm\n  home %s\n  armature %s\n  torque 200\n  "
             "velocity 5\n",
             ACHD_SOURCE_DIR, robots[k].robot, robots[k].home, robots[k].rotors);
    world_of(text);
    any_start(&a, "arm_1", robots[k].joints);
    CHECK(a.success);
    if (!a.success) continue;
    double first[ACHD_ARM_JOINTS];
    memcpy(first, a.q, sizeof first);
    for (int mode = 0; mode < 4; mode++) {
      a.mode = (enum robif2b_ctrl_mode)mode;
      CHECK(any_update(&a, 300) == 0);
      for (int j = 0; j < robots[k].joints; j++) CHECK_NEAR(a.q[j], first[j], 2e-3);
    }
    a.mode = ROBIF2B_CTRL_MODE_VELOCITY;
    a.command[1][0] = 0.3;
    CHECK(any_update(&a, 500) == 0);
    CHECK_NEAR(a.qd[0], 0.3, 0.01);
    a.command[2][0] = 250; /* above its limit */
    a.mode = ROBIF2B_CTRL_MODE_FORCE;
    CHECK(any_update(&a, 2) == 0 && (a.faults[0] & 32));
    CHECK_NEAR(a.acceleration[2], 9.81, 1e-6);
    achd_arm_stop(&a.b);
    achd_arm_shutdown(&a.b);
    CHECK(a.success);
    any_start(&a, "arm_1", robots[k].joints + 1); /* another number of joints */
    CHECK(!a.success);
  }
  world_of(NULL);
}

/* ---- two devices ---- */

static const char two[] =
    "<mujoco><compiler autolimits='true'/><option timestep='0.001'/><worldbody>"
    "<body name='a'><joint name='ja' axis='0 0 1'/><inertial pos='0.1 0 0' mass='1' diaginertia='1 "
    "1 1'/></body>"
    "<body name='b' pos='2 0 0'><joint name='jb' axis='0 1 0'/><inertial pos='0.1 0 0' mass='1' "
    "diaginertia='1 1 1'/></body>"
    "</worldbody></mujoco>";

static void devices_share_a_world_and_its_time(void) {
  world_with(two, "device left arm\n  joints ja\ndevice right arm\n  joints jb\n");
  any left, right;
  any_start(&left, "left", 1);
  CHECK(left.success);
  left.command[2][0] = 1;
  CHECK(any_update(&left, 100) == 0);
  achd_world_device *l = achd_world_find("left");
  CHECK(l && fabs(achd_world_time(l) - 0.1) < 1e-12 && achd_world_find("right") == NULL);
  CHECK(fabs(achd_world_data(l)->qvel[1]) < 1e-4); /* nobody has opened it: it holds */
  any_start(&right, "right", 1);
  CHECK(right.success);
  right.command[2][0] = -right.tau[0];
  CHECK(any_update(&right, 50) == 0); /* the world goes with the one that is ahead */
  CHECK_NEAR(achd_world_time(l), 0.15, 1e-12);
  const double q = achd_world_data(l)->qpos[0];
  CHECK(any_update(&left, 50) == 0);
  CHECK_NEAR(achd_world_time(l), 0.15, 1e-12);
  CHECK(achd_world_data(l)->qpos[0] == q); /* and stands still for the one that follows */
  CHECK(any_update(&left, 1) == 0);
  CHECK_NEAR(achd_world_time(l), 0.151, 1e-12);
  achd_arm_shutdown(&left.b);
  CHECK(any_update(&right, 100) == 0); /* the other's arm is held again */
  CHECK(fabs(achd_world_data(achd_world_find("right"))->qvel[0]) < 1e-2);
  any_start(&left, "left", 1); /* where it was left */
  CHECK(left.success && left.q[0] > 0.001);
  achd_arm_shutdown(&left.b);
  achd_arm_shutdown(&right.b);
  CHECK(achd_world_find("left") == NULL && achd_world_find("right") == NULL);
  world_of(NULL);
}

/* Physics that explode are an error of the exchange, and no new beginning of the world. */
static void a_world_that_diverges_fails(void) {
  rig r;
  world_of("model builtin:gen3\ndevice here gen3\n  armature 1e-9\n  current 1e9\n  torque 1e9\n  "
           "velocity 1e9\n");
  rig_start(&r, "here");
  r.mode = ROBIF2B_CTRL_MODE_CURRENT;
  for (int j = 0; j < NJ; j++) r.current_cmd[j] = j % 2 ? 1e7 : -1e7;
  const int failed = rig_update(&r, 2000);
  CHECK(failed > 0 && !r.success);
  CHECK(rig_update(&r, 10) == 10);
  robif2b_kinova_gen3_shutdown(&r.b);
  world_of(NULL);
}

/* ---- clocks ---- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void the_wall_clock_drives_the_world(void) {
  rig r;
  world_of("model builtin:gen3\nclock wall\ndevice here gen3\n");
  rig_start(&r, "here");
  const double begin = seconds(), first = rig_time(&r);
  for (int k = 0; k < 50; k++) {
    CHECK(rig_update(&r, 1) == 0);
    usleep(1000);
  }
  CHECK(rig_update(&r, 1) == 0);
  const double passed = seconds() - begin, simulated = rig_time(&r) - first;
  CHECK(passed > 0.05 && simulated > 0.049 && simulated < passed + 0.25);
  CHECK(fabs(r.qd[1]) < 1e-3);
  robif2b_kinova_gen3_shutdown(&r.b);
  world_of(NULL);
}

/* The median: a machine that does something else at times is not the simulation's fault. */
static void an_update_takes_far_less_than_a_millisecond(void) {
  enum { COUNT = 501 };
  rig r;
  double took[COUNT];
  rig_start(&r, "192.168.1.10");
  for (int k = 0; k < COUNT; k++) {
    const double begin = seconds();
    CHECK(rig_update(&r, 1) == 0);
    took[k] = seconds() - begin;
  }
  int slower = 0;
  for (int k = 0; k < COUNT; k++) slower += took[k] > 0.3e-3;
  CHECK(slower < COUNT / 2);
  rig_end(&r);
}

int main(void) {
  RUN(configure_says_that_it_is_simulated);
  RUN(mistakes_in_files_are_told_with_their_line);
  RUN(any_text_is_survived);
  RUN(arms_of_other_robots_have_the_same_ports);
  RUN(devices_share_a_world_and_its_time);
  RUN(a_world_that_diverges_fails);
  RUN(the_wall_clock_drives_the_world);
  RUN(an_update_takes_far_less_than_a_millisecond);
  return test_end();
}
