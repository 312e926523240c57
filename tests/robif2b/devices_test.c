/* SPDX-License-Identifier: MIT */
/* devices_test.c: a gripper and a force and torque sensor on a serial line, a gripper behind the arm, and
 * high-level control: what they publish, what they do in the world, faults, arguments that are wrong. */
#include "ft_sensor.h"
#include "gen3_rig.h"
#include "serial_gripper.h"

#include <robif2b/functions/robotiq_ft_sensor.h>
#include <robif2b/functions/robotiq_gripper.h>

#include <time.h>

static const char address[] = "192.168.1.10", port[] = "/dev/ttyUSB0";

/* ---- rigs ---- */

typedef struct feeler {
  struct robif2b_robotiq_ft_sensor_nbx b;
  float force[3], force_offset[3], moment[3], moment_offset[3];
  bool success;
} feeler;

static void wire_feeler(feeler *f, const char *where) {
  memset(f, 0, sizeof *f);
  f->b = (struct robif2b_robotiq_ft_sensor_nbx){.serial = {where, 19200, 100, 9},
                                                .force_msr = f->force,
                                                .force_offset = f->force_offset,
                                                .moment_msr = f->moment,
                                                .moment_offset = f->moment_offset,
                                                .success = &f->success};
}

static achd_ft_sensor *sensor_of(const feeler *f) {
  return (achd_ft_sensor *)(void *)f->b.comm; /* the handle is the sensor */
}

typedef struct grasper {
  struct robif2b_robotiq_gripper_nbx b;
  uint8_t position, goal, speed, force;
  bool moving, success;
  double current;
  enum robif2b_robotiq_gripper_obj_status object;
  enum robif2b_robotiq_gripper_status status;
  enum robif2b_robotiq_gripper_error error;
} grasper;

static void wire_grasper(grasper *g, const char *where) {
  memset(g, 0, sizeof *g);
  g->speed = g->force = 255;
  g->b = (struct robif2b_robotiq_gripper_nbx){.serial = {where, 115200, 1000, 9},
                                              .position_msr = &g->position,
                                              .is_gripper_moving = &g->moving,
                                              .obj_detection_status = &g->object,
                                              .gripper_status = &g->status,
                                              .position_cmd = &g->goal,
                                              .speed_cmd = &g->speed,
                                              .force_cmd = &g->force,
                                              .error = &g->error,
                                              .success = &g->success,
                                              .current_msr = &g->current};
}

static achd_serial_gripper *gripper_of(const grasper *g) {
  return (achd_serial_gripper *)(void *)g->b.comm;
}

/* Moves to a position; the updates until it is there or stopped, -1: one failed. */
static int move(grasper *g, int goal, int most) {
  g->goal = (uint8_t)goal;
  for (int i = 1; i <= most; i++) {
    robif2b_robotiq_gripper_update(&g->b);
    if (!g->success) return -1;
    if (!g->moving) return i;
  }
  return most + 1;
}

static double size3(const float v[3]) {
  return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
              (double)v[2] * (double)v[2]);
}

/* A ball of 0.5 kg that hangs on a rod 0.2 m below a sensor, and one hinge above it. */
static const char pendulum[] =
    "<mujoco><option gravity='0 0 -9.81' timestep='0.001'/><worldbody>"
    "<body name='link' pos='0 0 1'><joint name='j1' type='hinge' axis='0 1 0' damping='2'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='0.01 0.01 0.01'/>"
    "<body name='tool' pos='0 0 -0.1'><site name='flange'/>"
    "<inertial pos='0.03 0 -0.2' mass='0.5' diaginertia='0.001 0.001 0.001'/>"
    "</body></body></worldbody></mujoco>";

/* ---- the force and torque sensor ---- */

static void the_sensor_feels_what_hangs_on_it(void) {
  feeler f;
  world_with(pendulum, "device arm arm\ndevice /dev/ttyUSB0 robotiq_ft\n  site flange\n");
  wire_feeler(&f, "ttyUSB0"); /* also without /dev/ */
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(f.success && f.b.comm);
  CHECK_NEAR((double)f.force[2], -0.5 * 9.81, 0.005);
  CHECK_NEAR((double)f.force[0], 0, 0.005);
  /* m = r x F = (0.03, 0, -0.2) x (0, 0, -4.905) */
  CHECK_NEAR((double)f.moment[1], 0.03 * 0.5 * 9.81, 0.0005);
  CHECK_NEAR((double)f.moment[0], 0, 0.0005);
  robif2b_robotiq_ft_shutdown(&f.b);
  CHECK(f.success && !f.b.comm);
  world_of(NULL);
}

static void a_push_on_the_tool_is_measured_in_the_sensors_axes(void) {
  feeler f;
  world_with(pendulum, "device arm arm\n  home 1.0\ndevice s robotiq_ft\n  site flange\n");
  wire_feeler(&f, "s");
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(f.success);
  const achd_world_device *device = sensor_of(&f)->line.device;
  mjData *d = achd_world_data(device);
  const int tool = mj_name2id(achd_world_model(device), mjOBJ_BODY, "tool");
  float before[3], torque[3];
  for (int k = 0; k < 50; k++) robif2b_robotiq_ft_update(&f.b); /* the drive holds; at rest */
  memcpy(before, f.force, sizeof before);
  memcpy(torque, f.moment, sizeof torque);
  CHECK_NEAR(size3(before), 0.5 * 9.81, 0.02);
  d->xfrc_applied[6 * tool] = 3; /* 3 N along x of the world, at the centre of mass */
  for (int k = 0; k < 100; k++) robif2b_robotiq_ft_update(&f.b);
  const double q = d->qpos[0];
  CHECK_NEAR(q, 1, 0.01);
  CHECK_NEAR((double)(f.force[0] - before[0]), 3 * cos(q), 0.03); /* axes turned by q about y */
  CHECK_NEAR((double)(f.force[2] - before[2]), 3 * sin(q), 0.03);
  CHECK_NEAR((double)(f.moment[1] - torque[1]), -0.2 * 3 * cos(q) - 0.03 * 3 * sin(q), 0.005);
  robif2b_robotiq_ft_shutdown(&f.b);
  /* the reaction, if the world says so */
  world_with(pendulum, "device arm arm\ndevice s robotiq_ft\n  site flange\n  reading reaction\n");
  wire_feeler(&f, "s");
  robif2b_robotiq_ft_configure(&f.b);
  CHECK_NEAR((double)f.force[2], 0.5 * 9.81, 0.005);
  robif2b_robotiq_ft_shutdown(&f.b);
  world_of(NULL);
}

static void an_update_waits_for_the_next_frame(void) {
  feeler f;
  wire_feeler(&f, port);
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(f.success);
  const achd_ft_sensor *s = sensor_of(&f);
  for (int k = 1; k <= 20; k++) {
    robif2b_robotiq_ft_update(&f.b);
    CHECK(f.success && s->frames == k + 1);
    CHECK_NEAR(achd_world_time(s->line.device), 0.01 * k, 1e-12);
  }
  robif2b_robotiq_ft_shutdown(&f.b);
}

/* The arm's updates advance the world: the sensor's take what has come since. */
static void beside_an_arm_an_update_takes_what_is_there(void) {
  rig r;
  feeler f;
  rig_start(&r, "192.168.1.12"); /* its own sensor, not that of another arm */
  wire_feeler(&f, port);
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(f.success && achd_world_model(sensor_of(&f)->line.device) == rig_model(&r));
  for (int k = 1; k <= 100; k++) {
    CHECK(rig_update(&r, 1) == 0);
    robif2b_robotiq_ft_update(&f.b);
    CHECK(f.success && sensor_of(&f)->frames == 1 + k / 10);
    CHECK_NEAR(rig_time(&r), 0.001 * k, 1e-12);
  }
  robif2b_robotiq_ft_shutdown(&f.b);
  rig_end(&r);
}

static void offsets_bias_noise_range_and_zero(void) {
  feeler f;
  world_with(pendulum, "device arm arm\ndevice s robotiq_ft\n  site flange\n  bias 1 2 3 .1 .2 .3\n"
                       "  noise 0.1 0.005\n  range 20 2\n");
  wire_feeler(&f, "s");
  f.force_offset[1] = 2, f.moment_offset[2] = 0.3F;
  robif2b_robotiq_ft_configure(&f.b);
  double mean[6] = {0}, square = 0;
  enum { N = 400 };
  for (int k = 0; k < N; k++) {
    robif2b_robotiq_ft_update(&f.b);
    for (int i = 0; i < 3; i++) mean[i] += (double)f.force[i] / N;
    for (int i = 0; i < 3; i++) mean[3 + i] += (double)f.moment[i] / N;
    square += ((double)f.force[1]) * (double)f.force[1] / N;
  }
  CHECK_NEAR(mean[0], 1, 0.03);
  CHECK_NEAR(mean[1], 0, 0.03); /* the offset is taken off */
  CHECK_NEAR(mean[2], 3 - 4.905, 0.03);
  CHECK_NEAR(mean[4], 0.2 + 0.14715, 0.002);
  CHECK_NEAR(mean[5], 0, 0.002);
  CHECK_NEAR(sqrt(square), 0.1, 0.02);
  robif2b_robotiq_ft_zero(&f.b);
  CHECK(f.success);
  f.force_offset[1] = 0;
  robif2b_robotiq_ft_update(&f.b);
  CHECK(size3(f.force) < 0.8);
  CHECK(achd_world_inject(sensor_of(&f)->line.device, "saturated", 1, 3, -1));
  robif2b_robotiq_ft_update(&f.b);
  CHECK((double)f.force[2] < -17); /* -20 N, less the zero of about -1.9 N */
  /* steps of 0.01 N and 0.001 N m */
  CHECK_NEAR(100 * (double)f.force[0], rint(100 * (double)f.force[0]), 1e-3);
  CHECK_NEAR(1e3 * (double)f.moment[0], rint(1e3 * (double)f.moment[0]), 1e-3);
  robif2b_robotiq_ft_shutdown(&f.b);
  world_of(NULL);
}

static void frames_that_stay_away_fail_and_the_line_is_opened_anew(void) {
  feeler f;
  world_with(pendulum, "device s robotiq_ft\n  site flange\n  fault no_frames 0.1 0.05\n"
                       "  fault unplugged 0.5 0.1\n  fault bad_frames 2 0.5 0 0.5\n");
  wire_feeler(&f, "s");
  robif2b_robotiq_ft_configure(&f.b);
  int failed = 0, late = 0, bad = 0;
  float kept[3] = {7, 7, 7};
  for (int k = 1; k <= 250; k++) {
    memcpy(kept, f.force, sizeof kept);
    robif2b_robotiq_ft_update(&f.b);
    const double now = 0.01 * k;
    if (!f.success)
      CHECK(memcmp(kept, f.force, sizeof kept) == 0); /* the ports keep their values */
    if (now < 0.3) failed += !f.success;
    if (now > 0.45 && now < 1.5) late += !f.success;
    if (now > 1.9) bad += !f.success;
  }
  CHECK(failed == 5);
  /* out for 0.1 s: it is still out after the tenth failure, and found again after the twentieth */
  CHECK(late >= 19 && late <= 21);
  CHECK(bad > 15 && bad < 35); /* half of 50 */
  CHECK(f.success || bad > 0);
  robif2b_robotiq_ft_shutdown(&f.b);
  world_of(NULL);
}

/* Configures, without what it says; whether that worked. */
static bool opens(feeler *f, const char *where, double timeout, char *line, size_t size) {
  int saved, file = hush(&saved);
  wire_feeler(f, where);
  f->b.serial.timeout_ms = timeout;
  robif2b_robotiq_ft_configure(&f->b);
  unhush(file, saved, line, size);
  return f->success;
}

/* Garbled from the beginning: configure waits for the first good frame. */
static void configure_waits_for_a_good_frame_until_its_timeout(void) {
  static const double share[] = {0.1, 0.3, 0.5, 0.8};
  feeler f;
  char line[1200], text[200];
  for (int k = 0; k < 4; k++)
    for (int beside = 0; beside < 2; beside++) { /* also where an arm's updates advance the world */
      rig r;
      snprintf(
          text, sizeof text,
          "model builtin:gen3\ndevice s robotiq_ft\n  fault bad_frames 0 9 0 %g\ndevice a gen3\n",
          share[k]);
      world_of(text);
      if (beside) rig_start(&r, "a");
      CHECK(opens(&f, "s", 200, line, sizeof line));
      CHECK(achd_world_time(sensor_of(&f)->line.device) <= (beside ? 0 : 0.2));
      CHECK(sensor_of(&f)->frames == 1 && f.force[0] * f.force[0] < 100);
      robif2b_robotiq_ft_shutdown(&f.b);
      if (beside) rig_end(&r);
    }
  /* nothing until 0.15 s: 0.1 s are too short, 0.2 s are not; the ports have the frame of then */
  world_with(pendulum, "device s robotiq_ft\n  site flange\n  fault no_frames 0 0.145\n");
  CHECK(!opens(&f, "s", 100, line, sizeof line) && !f.b.comm);
  CHECK(strstr(line, "s: the sensor sends nothing"));
  CHECK(opens(&f, "s", 200, line, sizeof line));
  CHECK_NEAR(achd_world_time(sensor_of(&f)->line.device), 0.15, 1e-9);
  CHECK_NEAR((double)f.force[2], -0.5 * 9.81, 0.05);
  robif2b_robotiq_ft_shutdown(&f.b);
  /* two frames a try, of which four in five are garbled: not the same two in every try */
  world_with(pendulum, "device s robotiq_ft\n  site flange\n  fault bad_frames 0 9 0 0.8\n");
  int tries = 1;
  while (tries < 40 && !opens(&f, "s", 11, line, sizeof line)) tries++;
  CHECK(f.success && tries > 1);
  robif2b_robotiq_ft_shutdown(&f.b);
  world_with(pendulum, "device s robotiq_ft\n  site flange\n  fault bad_frames 0 9\n"); /* all */
  CHECK(!opens(&f, "s", 100, line, sizeof line));
  CHECK(strstr(line, "s: the sensor sends nothing"));
  world_of(NULL);
}

static void a_sensor_sticks_and_is_biased(void) {
  feeler f;
  world_with(pendulum, "device s robotiq_ft\n  site flange\n  fault biased 0.1 0.1 1 25\n"
                       "  fault stuck 0.3 0.1\n");
  wire_feeler(&f, "s");
  robif2b_robotiq_ft_configure(&f.b);
  mjData *d = achd_world_data(sensor_of(&f)->line.device);
  for (int k = 1; k <= 45; k++) {
    robif2b_robotiq_ft_update(&f.b);
    CHECK(f.success);
    if (k == 15) CHECK_NEAR((double)f.force[0], 25, 0.2);
    if (k == 25) CHECK_NEAR((double)f.force[0], 0, 0.2);
    if (k == 32) d->xfrc_applied[6 * 2 + 2] = 50;             /* up: body 2 is the tool */
    if (k == 35) CHECK_NEAR((double)f.force[2], -4.905, 0.1); /* it still shows the weight */
  }
  CHECK((double)f.force[2] > 30);
  robif2b_robotiq_ft_shutdown(&f.b);
  world_of(NULL);
}

static void settings_of_the_line_have_to_fit(void) {
  feeler f;
  char line[1200];
  int saved, file = hush(&saved);
  wire_feeler(&f, port);
  f.b.serial.baudrate = 115200;
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success && !f.b.comm);
  wire_feeler(&f, port);
  f.b.serial.slave_address = 10;
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  wire_feeler(&f, port);
  f.b.serial.timeout_ms = 5; /* less than the time between two frames */
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  f.b.serial.timeout_ms = NAN;
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  wire_feeler(&f, "/dev/ttyS7");
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  wire_feeler(&f, NULL);
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  wire_feeler(&f, port);
  f.b.moment_msr = NULL;
  robif2b_robotiq_ft_configure(&f.b);
  CHECK(!f.success);
  unhush(file, saved, line, sizeof line);
  CHECK(strstr(line, "no answer at 115200 baud: the device is set to 19200"));
  CHECK(strstr(line, "no answer from slave 10: the device is slave 9"));
  CHECK(strstr(line, "timeout of 5 ms: it has to be above 10 ms"));
  CHECK(strstr(line, "no robotiq_ft at /dev/ttyS7"));
  CHECK(strstr(line, "its port is NULL") && strstr(line, "moment_msr is NULL"));
  robif2b_robotiq_ft_shutdown(&f.b); /* after a configure that failed */
  CHECK(f.success);
  robif2b_robotiq_ft_update(&f.b);
  CHECK(!f.success);
  robif2b_robotiq_ft_zero(&f.b);
  CHECK(!f.success);
  robif2b_robotiq_ft_update(NULL);
  f.b.success = NULL;
  robif2b_robotiq_ft_configure(&f.b);
}

static void worlds_of_serial_devices_are_examined(void) {
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"device s robotiq_ft\n  site nowhere\n", ":3: device s: the model has no site nowhere"},
      {"device s robotiq_ft\n  bias 1\n",
       ":3: device s: bias takes two numbers, [N] and [N m], or six"},
      {"device s robotiq_ft\n  slave 9\n\n  noise 1 -1\n",
       ":5: device s: noise takes two numbers that are not negative"},
      {"device s robotiq_ft\n  reading up\n",
       ":3: device s: reading is followed by applied or reaction"},
      {"device s robotiq_ft\n  range -5 2\n  bias 0 0\n",
       ":3: device s: range takes two numbers that are not negative"},
      {"device s robotiq_ft\n  slave 9\n  period 0\n  site tool_frame_site\n",
       ":4: device s: one number from 0.001 to 1 follows period"},
      {"device s robotiq_ft\n  slave 0\n", ":3: device s: one number from 1 to 247 follows slave"},
      {"device s robotiq_ft\n  period 2\n",
       ":3: device s: one number from 0.001 to 1 follows period"},
      {"device s robotiq_ft\ndevice /dev/s robotiq_ft\n",
       ":3: there is a device at /dev/s already"},
      {"device s robotiq_ft\ndevice t robotiq_gripper\n  counts 200 100\n",
       ":4: device t: counts takes those of open and of closed fingers"},
      {"device s robotiq_ft\ndevice t robotiq_gripper\n  object 0.2\n",
       ":4: device t: wider than the stroke: object"},
      {"device s robotiq_ft\ndevice t robotiq_gripper\n  joints joint_9\n",
       ":4: device t: the model has no joint joint_9"},
      {"device s robotiq_ft\ndevice t robotiq_gripper\n  joints joint_1\n",
       ":3: device t: fingers with joints need one number for each after open"},
      {"device s robotiq_ft\ndevice t robotiq_gripper\n  joints joint_1\n  open 1\n  closed 1\n",
       ":6: device t: the same as open: closed"},
      {"device s robotiq_ft\ndevice t gen3\n  tool nowhere\n",
       ":4: device t: the model has no site nowhere"},
      {"device s robotiq_ft\ndevice t gen3\n  gripper_stroke -1\n",
       ":4: device t: a length [m] is expected after"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    feeler f;
    char line[1000], text[400];
    snprintf(text, sizeof text, "model builtin:gen3\n%s", bad[i].text);
    world_of(text);
    int saved, file = hush(&saved);
    wire_feeler(&f, "s");
    robif2b_robotiq_ft_configure(&f.b);
    unhush(file, saved, line, sizeof line);
    if (f.success || !strstr(line, bad[i].message)) printf("  %s -> %s", bad[i].text, line);
    CHECK(!f.success && strstr(line, bad[i].message));
  }
  world_of(NULL);
}

/* With the clock on the wall an update waits as long as the real sensor. */
static void on_the_wall_an_update_takes_its_time(void) {
  feeler f;
  grasper g;
  struct timespec from, to;
  world_with(pendulum,
             "clock wall\ndevice s robotiq_ft\n  site flange\ndevice t robotiq_gripper\n");
  wire_feeler(&f, "s");
  wire_grasper(&g, "t");
  robif2b_robotiq_ft_configure(&f.b);
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(f.success && g.success);
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int k = 0; k < 5; k++) robif2b_robotiq_ft_update(&f.b);
  robif2b_robotiq_gripper_update(&g.b);
  clock_gettime(CLOCK_MONOTONIC, &to);
  CHECK(f.success && g.success);
  const double took =
      (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  CHECK(took > 0.04); /* four whole periods at least */
  robif2b_robotiq_ft_shutdown(&f.b);
  robif2b_robotiq_gripper_shutdown(&g.b);
  world_of(NULL);
}

/* ---- the gripper ---- */

static void the_gripper_closes_and_opens_at_its_speed(void) {
  grasper g;
  wire_grasper(&g, port);
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(g.success && g.error == ROBIF2B_ROBOTIQ_NO_ERROR && g.position == 0);
  CHECK(g.status == ROBIF2B_ROBOTIQ_COMPLETED && !g.moving);
  CHECK(g.object == ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION);
  g.goal = 255;
  robif2b_robotiq_gripper_update(&g.b);
  CHECK(g.success && g.moving && g.object == ROBIF2B_ROBOTIQ_OBJ_MOVING && g.position > 0);
  CHECK_NEAR(g.current, 0.1, 1e-9);
  const int fast = move(&g, 255, 1000);
  CHECK_NEAR(0.02 * (fast + 1), 0.085 / 0.150, 0.03); /* an update takes 20 ms */
  CHECK(g.position == 255 && g.object == ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION);
  CHECK(g.current == 0);
  g.speed = 0;
  const int slow = move(&g, 0, 1000);
  CHECK_NEAR(0.02 * slow, 0.085 / 0.020, 0.05);
  CHECK(g.position == 0);
  g.speed = 255;
  move(&g, 100, 1000);
  CHECK(g.position == 100);
  robif2b_robotiq_gripper_shutdown(&g.b);
  CHECK(g.success && !g.b.comm);
}

static void the_gripper_finds_an_object_and_loses_it(void) {
  grasper g;
  world_of("model builtin:gen3\ndevice t robotiq_gripper\n  object 0.034\n  counts 3 228\n");
  wire_grasper(&g, "t");
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(g.success && g.position == 3);
  g.force = 128;
  CHECK(move(&g, 255, 100) < 100);
  CHECK(g.object == ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING);
  CHECK(g.position == (int)rint(3 + 225 * (1 - 0.034 / 0.085)));
  CHECK_NEAR(g.current, (20 + 215 * 128 / 255.0) / 235, 0.01);
  const double weak = g.current;
  g.force = 255;
  robif2b_robotiq_gripper_update(&g.b);
  CHECK(g.current > weak);
  CHECK(achd_world_inject(gripper_of(&g)->line.device, "dropped", 10, 0, 0));
  CHECK(move(&g, 255, 100) > 0 && move(&g, 255, 100) > 0);
  for (int k = 0; k < 30; k++) robif2b_robotiq_gripper_update(&g.b);
  CHECK(g.position == 228 && g.object == ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION);
  CHECK(achd_world_inject(gripper_of(&g)->line.device, "stuck", 1, 0, 0));
  CHECK(move(&g, 0, 20) < 20 && g.object == ROBIF2B_ROBOTIQ_OBJ_DETECTED_OPENING);
  CHECK(g.position == 228 && g.current > 0.9);
  robif2b_robotiq_gripper_shutdown(&g.b);
  world_of(NULL);
}

/* Two fingers of 50 g with rubber, and a box of 0.1 kg between them, 40 mm wide, off the middle. */
static const char hand[] =
    "<mujoco><option gravity='0 0 -9.81' timestep='0.001' cone='elliptic' "
    "impratio='20'/>"
    "<default><geom solref='0.004 1' solimp='0.95 0.99 0.001'/></default><worldbody>"
    "<body name='palm' pos='0 0 0.5'>"
    "<body name='left' pos='-0.0475 0 -0.05'><joint name='left' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='0.005 0.01 0.03' mass='0.05' friction='1'/></body>"
    "<body name='right' pos='0.0475 0 -0.05'><joint name='right' type='slide' axis='-1 0 0'/>"
    "<geom type='box' size='0.005 0.01 0.03' mass='0.05' friction='1'/></body></body>"
    "<body name='lid' pos='0 0 0.4'><geom name='lid' type='box' size='0.05 0.05 0.01'/></body>"
    "<body name='box' pos='0.008 0 0.44'><freejoint/>"
    "<geom type='box' size='0.02 0.02 0.03' mass='0.1' friction='1'/></body>"
    "</worldbody></mujoco>";

static void fingers_of_a_model_hold_a_box(void) {
  grasper g;
  world_with(hand, "device t robotiq_gripper\n  joints left right\n  open 0\n  closed 0.0425\n");
  wire_grasper(&g, "t");
  g.force = 0;
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(g.success);
  mjModel *m = achd_world_model(gripper_of(&g)->line.device);
  mjData *d = achd_world_data(gripper_of(&g)->line.device);
  const int box = mj_name2id(m, mjOBJ_BODY, "box"), lid = mj_name2id(m, mjOBJ_GEOM, "lid");
  CHECK(move(&g, 255, 150) < 150);
  CHECK(g.object == ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING);
  CHECK_NEAR(g.position, 255 * (1 - 0.04 / 0.085), 4);
  for (int k = 0; k < 10; k++) robif2b_robotiq_gripper_update(&g.b);
  /* each finger presses with 20 N */
  double pressed = 0, f[6];
  for (int i = 0; i < d->ncon; i++) {
    const int a = m->geom_bodyid[d->contact[i].geom1], b = m->geom_bodyid[d->contact[i].geom2];
    const int left = mj_name2id(m, mjOBJ_BODY, "left");
    mj_contactForce(m, d, i, f);
    if ((a == left && b == box) || (a == box && b == left)) pressed += f[0];
  }
  CHECK_NEAR(pressed, 20, 1.5);
  CHECK_NEAR(g.current, 20.0 / 235, 0.02);
  m->geom_contype[lid] = m->geom_conaffinity[lid] = 0; /* what it stood on is gone */
  for (int k = 0; k < 50; k++) robif2b_robotiq_gripper_update(&g.b);
  CHECK(g.object == ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING);
  CHECK(d->xpos[3 * box + 2] > 0.43);
  CHECK(move(&g, 0, 150) < 150 && g.position == 0);
  CHECK(d->xpos[3 * box + 2] < 0.4); /* it fell */
  robif2b_robotiq_gripper_shutdown(&g.b);
  world_of(NULL);
}

static void each_error_of_the_gripper_can_happen(void) {
  static const struct {
    const char *fault;
    enum robif2b_robotiq_gripper_error at_once, later;
  } all[] = {{"unplugged", ROBIF2B_ROBOTIQ_ERR_CONNECTION, ROBIF2B_ROBOTIQ_ERR_WRITE},
             {"no_frames", ROBIF2B_ROBOTIQ_ERR_DEACTIVATION, ROBIF2B_ROBOTIQ_ERR_WRITE},
             {"no_deactivation", ROBIF2B_ROBOTIQ_ERR_DEACTIVATION, ROBIF2B_ROBOTIQ_NO_ERROR},
             {"no_activation", ROBIF2B_ROBOTIQ_ERR_ACTIVATION, ROBIF2B_ROBOTIQ_NO_ERROR},
             {"no_status", ROBIF2B_ROBOTIQ_ERR_READ, ROBIF2B_ROBOTIQ_ERR_READ}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[200], line[600];
    grasper g;
    snprintf(text, sizeof text, "model builtin:gen3\ndevice t robotiq_gripper\n  fault %s 0 0.01\n",
             all[i].fault);
    world_of(text);
    int saved, file = hush(&saved);
    wire_grasper(&g, "t");
    robif2b_robotiq_gripper_configure(&g.b);
    unhush(file, saved, line, sizeof line);
    CHECK(!g.success && g.error == all[i].at_once && !g.b.comm);
    CHECK(strstr(line, "robif2b, SIMULATED: t: ") != NULL);
    robif2b_robotiq_gripper_shutdown(&g.b);
    CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_CONNECTION);
    snprintf(text, sizeof text,
             "model builtin:gen3\ndevice t robotiq_gripper\n  fault %s 0.05 0.04\n", all[i].fault);
    world_of(text);
    wire_grasper(&g, "t");
    robif2b_robotiq_gripper_configure(&g.b);
    enum robif2b_robotiq_gripper_error seen = ROBIF2B_ROBOTIQ_NO_ERROR;
    for (int k = 0; k < 10; k++) {
      g.goal = 255;
      robif2b_robotiq_gripper_update(&g.b);
      CHECK(g.success == (g.error == ROBIF2B_ROBOTIQ_NO_ERROR));
      if (g.error == ROBIF2B_ROBOTIQ_ERR_WRITE || (g.error && !seen)) seen = g.error;
    }
    CHECK(seen == all[i].later);
    /* a converter that was out is found again by configure only */
    CHECK(g.success == (strcmp(all[i].fault, "unplugged") != 0));
    robif2b_robotiq_gripper_shutdown(&g.b);
    robif2b_robotiq_gripper_configure(&g.b);
    CHECK(g.success || strcmp(all[i].fault, "unplugged") != 0);
    if (g.success) robif2b_robotiq_gripper_shutdown(&g.b);
  }
  world_of(NULL);
}

static void wrong_arguments_of_the_gripper_fail(void) {
  grasper g;
  char line[600];
  int saved, file = hush(&saved);
  wire_grasper(&g, port);
  g.b.conf.baudrate = 19200; /* its older name */
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_CONNECTION);
  wire_grasper(&g, port);
  g.b.gripper_status = NULL;
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_READ);
  wire_grasper(&g, port);
  g.b.error = NULL;
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(!g.success);
  wire_grasper(&g, port);
  robif2b_robotiq_gripper_configure(&g.b);
  CHECK(g.success);
  robif2b_robotiq_gripper_configure(&g.b); /* once more */
  CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_CONNECTION && g.b.comm);
  g.b.speed_cmd = NULL;
  robif2b_robotiq_gripper_update(&g.b);
  CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_WRITE);
  g.b.speed_cmd = &g.speed;
  g.b.current_msr = NULL; /* optional */
  robif2b_robotiq_gripper_update(&g.b);
  CHECK(g.success);
  robif2b_robotiq_gripper_shutdown(&g.b);
  robif2b_robotiq_gripper_update(&g.b);
  CHECK(!g.success && g.error == ROBIF2B_ROBOTIQ_ERR_CONNECTION);
  robif2b_robotiq_gripper_update(NULL);
  unhush(file, saved, line, sizeof line);
  CHECK(strstr(line, "no answer at 19200 baud: the device is set to 115200"));
  CHECK(strstr(line, "it is configured already"));
}

/* ---- the gripper behind the arm ---- */

static void a_gripper_behind_the_arm_finds_an_object(void) {
  rig r;
  float position = -1, velocity = -1, current = -1, goal = 100, speed = 50, force = 40;
  bool success = true;
  struct robif2b_kg3_robotiq_gripper_nbx g = {&position, &velocity, &current, &goal,
                                              &speed,    &force,    &success, NULL};
  world_of("model builtin:gen3\ndevice here gen3\n  gripper_object 0.0425\n"
           "  fault gripper_stuck 1.5 0.5\n");
  rig_start(&r, "here");
  robif2b_kg3_robotiq_gripper_configure(&g, &r.b);
  robif2b_kg3_robotiq_gripper_start(&g);
  CHECK(success);
  for (int k = 0; k < 2500; k++) {
    robif2b_kg3_robotiq_gripper_update(&g);
    CHECK(success && rig_update(&r, 1) == 0);
    if (k == 500) CHECK(position > 24 && position < 26 && velocity > 49 && velocity < 51);
    if (k == 1400) {
      CHECK_NEAR((double)position, 50, 1e-3);
      CHECK(velocity == 0);
      CHECK_NEAR((double)current, 100 * (20 + 0.4 * 215) / 235, 0.1);
      goal = 0;
    }
    if (k == 1990) CHECK(position > 40 && position < 50 && velocity == 0); /* stuck */
  }
  publish_gripper_measurement(&g);
  CHECK(position < 30);
  force = NAN;
  robif2b_kg3_robotiq_gripper_update(&g);
  CHECK(!success);
  robif2b_kg3_robotiq_gripper_stop(&g);
  CHECK(success);
  rig_end(&r);
  world_of(NULL);
}

/* ---- high-level control ---- */

typedef struct mover {
  struct robif2b_kinova_gen3_hl_nbx b;
  enum robif2b_hl_ctrl_mode mode;
  enum robif2b_kinova_cart_ref_frame frame;
  enum robif2b_kinova_cart_wrench_mode kind;
  double q[NJ], qd[NJ], tau[NJ], current[NJ], gyro[3], acceleration[3];
  double external[6], twist[6], wrench[6];
  bool success;
} mover;

static void wire_mover(mover *r, const char *where) {
  memset(r, 0, sizeof *r);
  r->kind = ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL;
  r->b = (struct robif2b_kinova_gen3_hl_nbx){.conf.ip_address = where,
                                             .conf.port = 10000,
                                             .ctrl_mode = &r->mode,
                                             .reference_frame = &r->frame,
                                             .wrench_mode = &r->kind,
                                             .jnt_pos_msr = r->q,
                                             .jnt_vel_msr = r->qd,
                                             .jnt_trq_msr = r->tau,
                                             .act_cur_msr = r->current,
                                             .imu_ang_vel_msr = r->gyro,
                                             .imu_lin_acc_msr = r->acceleration,
                                             .tool_ext_wrench_msr = r->external,
                                             .twist_cmd = r->twist,
                                             .wrench_cmd = r->wrench,
                                             .success = &r->success};
}

static void start_mover(mover *r, const char *where) {
  wire_mover(r, where);
  robif2b_kinova_gen3_hl_configure(&r->b);
  CHECK(r->success && r->b.comm);
  robif2b_kinova_gen3_hl_recover(&r->b);
  CHECK(r->success);
  robif2b_kinova_gen3_hl_start(&r->b);
  CHECK(r->success);
}

static void end_mover(mover *r) {
  robif2b_kinova_gen3_hl_stop(&r->b);
  CHECK(r->success);
  robif2b_kinova_gen3_hl_shutdown(&r->b);
  CHECK(r->success && !r->b.comm);
}

static int update_mover(mover *r, int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    robif2b_kinova_gen3_hl_update(&r->b);
    failed += !r->success;
  }
  return failed;
}

static const achd_arm *arm_of(const mover *r) {
  return achd_arm_of(r->b.comm);
}

/* Of the tool: position and axes as columns, in the base. */
static void pose_of(const mover *r, double p[3], double R[9]) {
  const achd_arm *arm = arm_of(r);
  memcpy(p, achd_world_data(arm->device)->site_xpos + 3 * (size_t)arm->cartesian.tool,
         3 * sizeof *p);
  memcpy(R, achd_world_data(arm->device)->site_xmat + 9 * (size_t)arm->cartesian.tool,
         9 * sizeof *R);
}

static double along(const double a[3], const double b[3], const double R[9], int axis) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (b[i] - a[i]) * R[3 * i + axis];
  return sum;
}

static void a_twist_moves_the_tool_along_the_axes_of_its_frame(void) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int frame = 0; frame < 3; frame++) {
    mover r;
    double p[3], R[9], p2[3], R2[9];
    start_mover(&r, address);
    r.mode = ROBIF2B_HL_CTRL_MODE_TWIST;
    r.frame = (enum robif2b_kinova_cart_ref_frame)frame;
    pose_of(&r, p, R);
    r.twist[0] = 0.05, r.twist[2] = -0.03;
    CHECK(update_mover(&r, 1000) == 0);
    pose_of(&r, p2, R2);
    const double *axes = frame == ROBIF2B_KINOVA_CART_REF_FRAME_TOOL ? R : unit;
    CHECK_NEAR(along(p, p2, axes, 0), 0.05, 0.003);
    CHECK_NEAR(along(p, p2, axes, 1), 0, 0.003);
    CHECK_NEAR(along(p, p2, axes, 2), -0.03, 0.003);
    for (int i = 0; i < 9; i++) CHECK_NEAR(R2[i], R[i], 0.02);
    /* turn: degrees per second, about z of the base, or of the tool */
    memset(r.twist, 0, sizeof r.twist);
    r.twist[5] = 20;
    CHECK(update_mover(&r, 1000) == 0);
    double p3[3], R3[9], turn = 0;
    pose_of(&r, p3, R3);
    const int z = frame == ROBIF2B_KINOVA_CART_REF_FRAME_BASE ? -1 : 2;
    for (int i = 0; i < 3; i++) /* the axis stays */
      if (z == 2) CHECK_NEAR(R3[3 * i + 2], R2[3 * i + 2], 0.03);
    for (int i = 0; i < 9; i++) turn += R2[i] * R3[i]; /* trace of R2^T R3 */
    CHECK_NEAR(acos((turn - 1) / 2), 20 * mjPI / 180, 0.02);
    if (z < 0) CHECK_NEAR(R3[6], R2[6], 0.03); /* about the vertical: heights of the axes stay */
    for (int i = 0; i < 3; i++) CHECK_NEAR(p3[i], p2[i], 0.005);
    memset(r.twist, 0, sizeof r.twist);
    CHECK(update_mover(&r, 500) == 0);
    for (int j = 0; j < NJ; j++) CHECK(fabs(r.qd[j]) < 1e-3);
    end_mover(&r);
  }
}

static void a_twist_is_as_fast_as_the_base_lets_it(void) {
  mover r;
  double p[3], R[9], p2[3], R2[9];
  start_mover(&r, address);
  r.mode = ROBIF2B_HL_CTRL_MODE_TWIST;
  r.twist[2] = 20;
  CHECK(update_mover(&r, 400) == 0);
  pose_of(&r, p, R);
  CHECK(update_mover(&r, 20) == 0);
  pose_of(&r, p2, R2);
  CHECK((p2[2] - p[2]) / 0.02 < 0.51);
  CHECK(arm_of(&r)->motors.motor[0].faults == 0);
  end_mover(&r);
}

/* The tool presses a wall with the wanted force, and the arm feels it. */
static void a_wrench_presses(void) {
  mover r;
  start_mover(&r, address);
  r.mode = ROBIF2B_HL_CTRL_MODE_WRENCH;
  CHECK(update_mover(&r, 500) == 0); /* nothing: it rests */
  for (int j = 0; j < NJ; j++) CHECK(fabs(r.qd[j]) < 1e-6);
  const achd_arm *arm = arm_of(&r);
  const int hand_body = achd_world_model(arm->device)->site_bodyid[arm->cartesian.tool];
  mjData *d = achd_world_data(arm->device);
  r.wrench[0] = 8;
  double p[3], R[9], p0[3];
  pose_of(&r, p0, R);
  /* the wall: a stiff spring along x, at the tool's body */
  for (int k = 0; k < 4000; k++) {
    pose_of(&r, p, R);
    const double deep = p[0] - p0[0] - 0.01;
    d->xfrc_applied[6 * hand_body] = deep > 0 ? -2000 * deep : 0;
    CHECK(update_mover(&r, 1) == 0);
  }
  CHECK_NEAR(r.external[0], -8, 0.3);
  CHECK_NEAR(r.external[2], 0, 1e-6);
  CHECK_NEAR(p[0] - p0[0], 0.01 + 8.0 / 2000, 0.001);
  memset(d->xfrc_applied, 0,
         6 * (size_t)achd_world_model(arm->device)->nbody * sizeof *d->xfrc_applied);
  end_mover(&r);
}

static void restricted_directions_are_held(void) {
  for (int kind = 0; kind < 2; kind++) {
    mover r;
    double p[3], R[9], p2[3], R2[9];
    start_mover(&r, address);
    r.mode = ROBIF2B_HL_CTRL_MODE_WRENCH;
    r.kind = (enum robif2b_kinova_cart_wrench_mode)kind;
    r.wrench[0] = 5;
    const achd_arm *arm = arm_of(&r);
    const int hand_body = achd_world_model(arm->device)->site_bodyid[arm->cartesian.tool];
    pose_of(&r, p, R);
    achd_world_data(arm->device)->xfrc_applied[6 * hand_body + 1] = 10; /* somebody pushes aside */
    CHECK(update_mover(&r, 1000) == 0);
    pose_of(&r, p2, R2);
    CHECK(p2[0] - p[0] > 0.01 && p2[0] - p[0] < 0.06);
    if (kind == ROBIF2B_KINOVA_CART_WRENCH_MODE_RESTRICTED)
      CHECK_NEAR(p2[1], p[1], 0.005);
    else
      CHECK(p2[1] - p[1] > 0.03);
    achd_world_data(arm->device)->xfrc_applied[6 * hand_body + 1] = 0;
    end_mover(&r);
  }
}

static void faults_in_high_level_control_hold_the_arm(void) {
  mover r;
  start_mover(&r, address);
  r.mode = ROBIF2B_HL_CTRL_MODE_TWIST;
  r.twist[1] = 0.1;
  CHECK(update_mover(&r, 300) == 0);
  CHECK(achd_world_inject(arm_of(&r)->device, "max_torque", 0.01, 2, 0));
  CHECK(update_mover(&r, 500) == 0); /* a fault of the arm leaves success true */
  for (int j = 0; j < NJ; j++) CHECK(fabs(r.qd[j]) < 1e-3);
  CHECK(achd_arm_state(arm_of(&r)) == ROBIF2B_KINOVA_ARM_STATE_IN_FAULT);
  robif2b_kinova_gen3_hl_recover(&r.b);
  CHECK(r.success && update_mover(&r, 300) == 0 && fabs(r.qd[0]) > 0.05);
  CHECK(achd_world_inject(arm_of(&r)->device, "lost_frame", 0.0045, 0, 0));
  CHECK(update_mover(&r, 20) == 5);
  end_mover(&r);
}

static void wrong_commands_of_high_level_control_fail(void) {
  mover r;
  wire_mover(&r, address);
  robif2b_kinova_gen3_hl_update(&r.b);
  CHECK(!r.success);
  robif2b_kinova_gen3_hl_configure(&r.b);
  CHECK(r.success && r.q[2] > 3);
  robif2b_kinova_gen3_hl_update(&r.b); /* before start */
  CHECK(!r.success);
  robif2b_kinova_gen3_hl_start(&r.b);
  CHECK(update_mover(&r, 1) == 0);
  r.twist[3] = NAN;
  CHECK(update_mover(&r, 1) == 1);
  r.twist[3] = 0;
  CHECK(update_mover(&r, 1) == 0);
  r.b.twist_cmd = NULL;
  CHECK(update_mover(&r, 1) == 1);
  r.b.twist_cmd = r.twist;
  CHECK(update_mover(&r, 1) == 0);
  r.frame = (enum robif2b_kinova_cart_ref_frame)3;
  CHECK(update_mover(&r, 1) == 1); /* stops the arm */
  r.frame = ROBIF2B_KINOVA_CART_REF_FRAME_TOOL;
  CHECK(update_mover(&r, 1) == 1);
  robif2b_kinova_gen3_hl_start(&r.b);
  CHECK(update_mover(&r, 1) == 0);
  r.mode = ROBIF2B_HL_CTRL_MODE_WRENCH;
  r.b.wrench_mode = NULL;
  CHECK(update_mover(&r, 1) == 1);
  r.b.wrench_mode = &r.kind;
  r.kind = (enum robif2b_kinova_cart_wrench_mode)7;
  CHECK(update_mover(&r, 1) == 1);
  memset(r.q, 0, sizeof r.q);
  publish_hl_measurement(&r.b);
  CHECK(r.q[2] > 3);
  robif2b_kinova_gen3_hl_shutdown(&r.b);
  CHECK(r.success);
  robif2b_kinova_gen3_hl_shutdown(&r.b);
  CHECK(!r.success);
  robif2b_kinova_gen3_hl_update(NULL);
  robif2b_kinova_gen3_hl_configure(NULL);
  publish_hl_measurement(NULL);
  publish_measurement(NULL);
  publish_gripper_measurement(NULL);
}

/* Seven hinges in a row, without a site. */
static void an_arm_without_a_tool_has_no_high_level_control(void) {
  char model[3000] = "<mujoco><worldbody>";
  for (int j = 0; j < NJ; j++)
    strcat(model, "<body pos='0 0 0.1'><joint type='hinge' axis='0 1 0'/>"
                  "<inertial pos='0 0 0.05' mass='1' diaginertia='0.01 0.01 0.01'/>");
  for (int j = 0; j < NJ; j++) strcat(model, "</body>");
  strcat(model, "</worldbody></mujoco>");
  mover r;
  world_with(model, "device here gen3\n  home 0.1\n");
  wire_mover(&r, "here");
  robif2b_kinova_gen3_hl_configure(&r.b);
  CHECK(r.success && r.external[2] == 0);
  robif2b_kinova_gen3_hl_start(&r.b);
  CHECK(!r.success);
  CHECK(update_mover(&r, 1) == 1);
  robif2b_kinova_gen3_hl_shutdown(&r.b);
  world_of(NULL);
}

int main(void) {
  RUN(the_sensor_feels_what_hangs_on_it);
  RUN(a_push_on_the_tool_is_measured_in_the_sensors_axes);
  RUN(an_update_waits_for_the_next_frame);
  RUN(beside_an_arm_an_update_takes_what_is_there);
  RUN(offsets_bias_noise_range_and_zero);
  RUN(frames_that_stay_away_fail_and_the_line_is_opened_anew);
  RUN(configure_waits_for_a_good_frame_until_its_timeout);
  RUN(a_sensor_sticks_and_is_biased);
  RUN(settings_of_the_line_have_to_fit);
  RUN(worlds_of_serial_devices_are_examined);
  RUN(on_the_wall_an_update_takes_its_time);
  RUN(the_gripper_closes_and_opens_at_its_speed);
  RUN(the_gripper_finds_an_object_and_loses_it);
  RUN(fingers_of_a_model_hold_a_box);
  RUN(each_error_of_the_gripper_can_happen);
  RUN(wrong_arguments_of_the_gripper_fail);
  RUN(a_gripper_behind_the_arm_finds_an_object);
  RUN(a_twist_moves_the_tool_along_the_axes_of_its_frame);
  RUN(a_twist_is_as_fast_as_the_base_lets_it);
  RUN(a_wrench_presses);
  RUN(restricted_directions_are_held);
  RUN(faults_in_high_level_control_hold_the_arm);
  RUN(wrong_commands_of_high_level_control_fail);
  RUN(an_arm_without_a_tool_has_no_high_level_control);
  return test_end();
}
