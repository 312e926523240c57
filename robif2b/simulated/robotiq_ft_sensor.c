/* SPDX-License-Identifier: MIT */
/* robotiq_ft_sensor.c: a simulated Robotiq force and torque sensor behind robif2b's ports. */
#include <robif2b/functions/robotiq_ft_sensor.h>

#include "device_time.h"
#include "ft_sensor.h"
#include "kinds.h"

#include <math.h>
#include <stdio.h>

static const double frame = 0.01;   /* period of the frames of the real one [s] */
enum { misses = 10 };               /* in a row, after which the line is opened anew */
static achd_serial_handles sensors; /* that are open */
/* Where chance stood when a configure failed: the next one goes on from there, though its world begins
 * anew, and draws other frames. 0: it did not fail. */
static uint64_t resumed;

static achd_ft_sensor *sensor_of(const struct robif2b_robotiq_ft_sensor_nbx *b) {
  return achd_serial_of(&sensors, b->comm);
}

/* The missing port, or NULL. */
static const char *missing(const struct robif2b_robotiq_ft_sensor_nbx *b) {
  return !b->force_msr       ? "force_msr"
         : !b->force_offset  ? "force_offset"
         : !b->moment_msr    ? "moment_msr"
         : !b->moment_offset ? "moment_offset"
                             : NULL;
}

/* The time passes until a frame is due, at most the timeout. NULL if the sensor is closed by then. */
static achd_ft_sensor *wait_for_frame(const struct robif2b_robotiq_ft_sensor_nbx *b) {
  achd_ft_sensor *s = sensor_of(b);
  if (!s) return NULL;
  const double now = achd_world_time(s->line.device);
  const double until = fmin(s->due, now + 1e-3 * b->serial.timeout_ms);
  return achd_serial_wait(&sensors, &s->line, until) ? sensor_of(b) : NULL;
}

static void publish(const achd_ft_sensor *s, const struct robif2b_robotiq_ft_sensor_nbx *b) {
  for (int i = 0; i < 3; i++) {
    b->force_msr[i] = (float)s->wire[i] - b->force_offset[i];
    b->moment_msr[i] = (float)s->wire[3 + i] - b->moment_offset[i];
  }
}

/* Whether the frame that was due last has arrived, and the line is still there. */
static bool heard(achd_ft_sensor *s) {
  return !achd_serial_silent(&s->line) && s->arrived;
}

/* One reading; the world is locked. */
static void read_frame(struct robif2b_robotiq_ft_sensor_nbx *b) {
  *b->success = false;
  achd_ft_sensor *s = missing(b) ? NULL : wait_for_frame(b);
  if (!s) return;
  if (heard(s)) {
    s->missed = 0;
    publish(s, b);
    *b->success = true;
  } else if (++s->missed >= misses) {
    s->missed = 0;
    achd_serial_reopen(&s->line);
  }
}

/* A frame now. */
static void sense_now(achd_ft_sensor *s) {
  s->due = achd_world_time(s->line.device);
  achd_ft_kind.sense(s);
}

/* Waits for the first frame that arrives, at most a time [s]. Beside a device that advances the world,
 * which stands still meanwhile, all frames of that time are of now. False: there was none. */
static bool begin(achd_ft_sensor *s, double longest) {
  const achd_world_device *device = s->line.device;
  const double until = achd_world_time(device) + longest, soon = 1e-9;
  s->missed = 0;
  if (resumed != 0) s->random = resumed;
  if (s->frames == 0) sense_now(s); /* the world has just begun */
  if (achd_world_driven(device)) {
    const long most = (long)(longest / s->line.period + 1e-9); /* frames in that time */
    for (long k = 0; !heard(s) && k < most; k++) sense_now(s);
  } else {
    while (!heard(s) && achd_world_time(device) < until - soon)
      if (!achd_serial_wait(&sensors, &s->line, fmin(s->due, until))) return false;
  }
  resumed = heard(s) ? 0 : s->random;
  return heard(s);
}

/* Opens the sensor of a port; the world is locked. */
static void open_sensor(struct robif2b_robotiq_ft_sensor_nbx *b) {
  achd_world_device *device =
      achd_serial_open(&b->serial, achd_ft_kind.name, achd_world_kinds, frame);
  achd_ft_sensor *s = device ? achd_world_self(device) : NULL;
  if (s && achd_serial_remember(&sensors, s)) {
    if (begin(s, 1e-3 * b->serial.timeout_ms)) {
      b->comm = (struct robif2b_robotiq_ft_sensor_comm *)(void *)s;
      publish(s, b);
      *b->success = true;
      return;
    }
    achd_serial_complain(&s->line, "the sensor sends nothing");
    achd_serial_forget(&sensors, s);
  }
  if (device) achd_world_close(device);
}

void robif2b_robotiq_ft_configure(struct robif2b_robotiq_ft_sensor_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  achd_world_lock();
  const achd_ft_sensor *s = sensor_of(b);
  if (s) {
    achd_serial_complain(&s->line, "it is configured already");
  } else if (missing(b)) {
    b->comm = NULL;
    fprintf(stderr, "robif2b, SIMULATED: no robotiq_ft: %s is NULL\n", missing(b));
  } else {
    b->comm = NULL;
    open_sensor(b);
  }
  achd_world_unlock();
}

void robif2b_robotiq_ft_shutdown(struct robif2b_robotiq_ft_sensor_nbx *b) {
  if (!b || !b->success) return;
  achd_world_lock();
  achd_ft_sensor *s = sensor_of(b);
  if (s) {
    achd_serial_forget(&sensors, s);
    achd_world_close(s->line.device);
  }
  b->comm = NULL;
  *b->success = true;
  achd_world_unlock();
}

void robif2b_robotiq_ft_update(struct robif2b_robotiq_ft_sensor_nbx *b) {
  if (!b || !b->success) return;
  achd_world_lock();
  read_frame(b);
  achd_world_unlock();
}

void robif2b_robotiq_ft_zero(struct robif2b_robotiq_ft_sensor_nbx *b) {
  if (!b || !b->success) return;
  achd_world_lock();
  achd_ft_sensor *s = sensor_of(b);
  *b->success = s && !achd_serial_silent(&s->line);
  for (int i = 0; *b->success && i < 6; i++) {
    s->zero[i] += s->wire[i];
    s->wire[i] = 0; /* the last frame as it would be now */
  }
  achd_world_unlock();
}

long achd_ft_frame(const void *comm, double *age) {
  achd_world_lock();
  const achd_ft_sensor *s = achd_serial_of(&sensors, comm);
  if (age) *age = s ? achd_world_time(s->line.device) - s->at : 0;
  const long frames = s ? s->frames : 0;
  achd_world_unlock();
  return frames;
}

bool achd_ft_stepped(const void *comm) {
  achd_world_lock();
  const achd_ft_sensor *s = achd_serial_of(&sensors, comm);
  const bool stepped = !s || achd_world_stepped(s->line.device);
  achd_world_unlock();
  return stepped;
}
