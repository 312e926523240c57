/* SPDX-License-Identifier: MIT */
/* ft.c: a Robotiq force and torque sensor as the physical wrench of the control loop, through robif2b. */
#include <achd/robif2b_ft.h>

#include "../clock.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef ACHD_ROBIF2B_SIMULATED
#include "../simulated/device_time.h"
#endif

/* What the waiting thread hands over. */
struct achd_ft_thread {
  pthread_t thread;
  pthread_mutex_t mutex; /* of what follows */
  float force[3], moment[3];
  int64_t readings, failed;
  double taken; /* when the last reading was, by the machine's clock [s] */
  bool ends;
};

/* ---- readings ---- */

/* The ports' values as the last reading. */
static void take(achd_ft *sensor, const float force[3], const float moment[3]) {
  static const double share = 0.1; /* of a new reading in the mean */
  for (int i = 0; i < 6; i++) {
    const double x = (double)(i < 3 ? force[i] : moment[i - 3]);
    sensor->mean[i] += (sensor->stamp == 0 ? 1 : share) * (x - sensor->mean[i]);
    sensor->reading[i] = x - sensor->offset[i];
  }
  sensor->stamp++;
}

static void *wait_for_readings(void *context) {
  achd_ft *sensor = context;
  struct achd_ft_thread *t = sensor->thread;
  bool ends = false;
  while (!ends) {
    robif2b_robotiq_ft_update(&sensor->device);
    pthread_mutex_lock(&t->mutex);
    if (sensor->success) {
      memcpy(t->force, sensor->force, sizeof t->force);
      memcpy(t->moment, sensor->moment, sizeof t->moment);
      t->readings++;
      t->taken = achd_clock();
    } else {
      t->failed++;
    }
    ends = t->ends;
    pthread_mutex_unlock(&t->mutex);
    if (!sensor->success && !ends) { /* a line that is gone fails at once */
      const struct timespec pause = {0, 1000000};
      nanosleep(&pause, NULL);
    }
  }
  return NULL;
}

/* What the thread has, unless it is just writing that. */
static void take_from_thread(achd_ft *sensor) {
  struct achd_ft_thread *t = sensor->thread;
  if (pthread_mutex_trylock(&t->mutex) == 0) {
    if (sensor->stamp != t->readings) {
      take(sensor, t->force, t->moment);
      sensor->stamp = t->readings;
    }
    sensor->failed = t->failed;
    sensor->age = achd_clock() - t->taken;
    pthread_mutex_unlock(&t->mutex);
  }
}

#ifdef ACHD_ROBIF2B_SIMULATED
/* With the stepped clock an update beside an arm does not wait. */
static void take_at_once(achd_ft *sensor) {
  const double before = sensor->age;
  robif2b_robotiq_ft_update(&sensor->device);
  const int64_t frames = achd_ft_frame(sensor->device.comm, &sensor->age);
  if (!sensor->success) {
    sensor->failed++;
    sensor->age = fmax(sensor->age, before);
  } else if (frames != sensor->stamp) {
    take(sensor, sensor->force, sensor->moment);
    sensor->stamp = frames;
  }
}
#endif

static void take_last(achd_ft *sensor) {
#ifdef ACHD_ROBIF2B_SIMULATED
  if (!sensor->thread) {
    take_at_once(sensor);
    return;
  }
#endif
  take_from_thread(sensor);
}

/* ---- the connection ---- */

static void set_ports(achd_ft *sensor) {
  struct robif2b_robotiq_ft_sensor_nbx *b = &sensor->device;
  b->serial.port = sensor->setup.port ? sensor->setup.port : "/dev/ttyUSB0";
  b->serial.baudrate = 19200;
  b->serial.timeout_ms = 1e3 * (sensor->setup.timeout > 0 ? sensor->setup.timeout : 0.1);
  b->serial.slave_address = 9;
  b->force_msr = sensor->force;
  b->force_offset = sensor->no_force;
  b->moment_msr = sensor->moment;
  b->moment_offset = sensor->no_moment;
  b->success = &sensor->success;
}

/* Missing values of the setup. */
static void complete(achd_ft_setup *setup) {
  double axes = 0, down = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) axes += fabs(setup->mounting.R.m[i][j]);
  for (int i = 0; i < 3; i++) {
    if (axes == 0) setup->mounting.R.m[i][i] = 1;
    down += fabs(setup->gravity[i]);
  }
  if (down == 0) setup->gravity[2] = -9.81;
}

static bool waits(const achd_ft *sensor) {
#ifdef ACHD_ROBIF2B_SIMULATED
  return !achd_ft_stepped(sensor->device.comm);
#else
  (void)sensor;
  return true;
#endif
}

static bool start_thread(achd_ft *sensor) {
  struct achd_ft_thread *t = calloc(1, sizeof *t);
  if (!t) return false;
  t->readings = sensor->stamp;
  t->taken = achd_clock();
  sensor->thread = t;
  if (pthread_mutex_init(&t->mutex, NULL) == 0) {
    if (pthread_create(&t->thread, NULL, wait_for_readings, sensor) == 0) return true;
    pthread_mutex_destroy(&t->mutex);
  }
  free(t);
  sensor->thread = NULL;
  return false;
}

bool achd_ft_connect(achd_ft *sensor, const achd_ft_setup *setup) {
  memset(sensor, 0, sizeof *sensor);
  sensor->setup = *setup;
  complete(&sensor->setup);
  set_ports(sensor);
  robif2b_robotiq_ft_configure(&sensor->device);
  sensor->connected = sensor->success;
  if (!sensor->success) return false;
  take(sensor, sensor->force, sensor->moment);
  if (!waits(sensor) || start_thread(sensor)) return true;
  achd_ft_disconnect(sensor);
  return false;
}

void achd_ft_disconnect(achd_ft *sensor) {
  struct achd_ft_thread *t = sensor->thread;
  if (!sensor->connected) return;
  if (t) {
    pthread_mutex_lock(&t->mutex);
    t->ends = true;
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    pthread_mutex_destroy(&t->mutex);
    free(t);
    sensor->thread = NULL;
  }
  robif2b_robotiq_ft_shutdown(&sensor->device);
  sensor->connected = false;
}

/* ---- the wrench ---- */

/* Of the load on the sensor, about the tool frame's origin, along the base's axes; r: from there to the
 * sensor's. */
static achd_wrench load_of(const achd_ft *sensor, const achd_rotation *R, const double r[3]) {
  const achd_ft_setup *setup = &sensor->setup;
  achd_wrench weight = {{0, 0, 0}, {0, 0, 0}}, shifted;
  double centre[3];
  static const double origin[3] = {0, 0, 0};
  achd_rotate(R, setup->centre, centre);
  for (int i = 0; i < 3; i++) {
    weight.lin[i] = setup->mass * setup->gravity[i];
    centre[i] += r[i];
  }
  achd_wrench_shift(&weight, centre, origin, &shifted);
  return shifted;
}

/* The sensor's axes in the base, and r. */
static void place(const achd_ft *sensor, const achd_pose *tool, achd_rotation *R, double r[3]) {
  achd_rotation_product(&tool->R, &sensor->setup.mounting.R, R);
  achd_rotate(&tool->R, sensor->setup.mounting.p, r);
}

/* What the sensor reads there from the load alone. */
static void reading_of_load(const achd_ft *sensor, const achd_pose *tool, double reading[6]) {
  static const double origin[3] = {0, 0, 0};
  achd_rotation R;
  achd_wrench there;
  double r[3];
  place(sensor, tool, &R, r);
  const achd_wrench load = load_of(sensor, &R, r);
  achd_wrench_shift(&load, origin, r, &there);
  achd_rotate_back(&R, there.lin, reading);
  achd_rotate_back(&R, there.ang, reading + 3);
}

void achd_ft_read(achd_ft *sensor, const achd_pose *tool, achd_measurement *measured) {
  static const double origin[3] = {0, 0, 0};
  achd_rotation R;
  achd_wrench there, w;
  double r[3];
  if (sensor->connected) take_last(sensor);
  place(sensor, tool, &R, r);
  achd_rotate(&R, sensor->reading, there.lin);
  achd_rotate(&R, sensor->reading + 3, there.ang);
  achd_wrench_shift(&there, r, origin, &w);
  const achd_wrench load = load_of(sensor, &R, r);
  for (int i = 0; i < 3; i++) {
    measured->wrench.lin[i] = w.lin[i] - load.lin[i];
    measured->wrench.ang[i] = w.ang[i] - load.ang[i];
  }
  measured->wrench_stamp = sensor->stamp;
  measured->wrench_age = sensor->age;
}

void achd_ft_zero(achd_ft *sensor, const achd_pose *tool) {
  double load[6];
  reading_of_load(sensor, tool, load);
  for (int i = 0; i < 6; i++) {
    const double raw = sensor->reading[i] + sensor->offset[i];
    sensor->offset[i] = sensor->mean[i] - load[i];
    sensor->reading[i] = raw - sensor->offset[i];
  }
}
