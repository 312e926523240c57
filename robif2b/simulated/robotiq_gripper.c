/* SPDX-License-Identifier: MIT */
/* robotiq_gripper.c: a simulated Robotiq gripper on a serial line behind robif2b's ports. */
#include <robif2b/functions/robotiq_gripper.h>

#include "kinds.h"
#include "serial_gripper.h"

#include <math.h>
#include <stdio.h>

static achd_serial_handles grippers; /* that are open */

static achd_serial_gripper *gripper_of(const struct robif2b_robotiq_gripper_nbx *b) {
  return achd_serial_of(&grippers, b->comm);
}

static void answer(const struct robif2b_robotiq_gripper_nbx *b,
                   enum robif2b_robotiq_gripper_error error) {
  *b->success = error == ROBIF2B_ROBOTIQ_NO_ERROR;
  *b->error = error;
}

/* The missing port of a measurement, or NULL. */
static const char *missing(const struct robif2b_robotiq_gripper_nbx *b) {
  return !b->position_msr           ? "position_msr"
         : !b->is_gripper_moving    ? "is_gripper_moving"
         : !b->obj_detection_status ? "obj_detection_status"
         : !b->gripper_status       ? "gripper_status"
                                    : NULL;
}

static void publish(const achd_serial_gripper *g, const struct robif2b_robotiq_gripper_nbx *b) {
  static const enum robif2b_robotiq_gripper_obj_status does[] = {
      [ACHD_FINGERS_MOVE] = ROBIF2B_ROBOTIQ_OBJ_MOVING,
      [ACHD_FINGERS_STOPPED_OPENING] = ROBIF2B_ROBOTIQ_OBJ_DETECTED_OPENING,
      [ACHD_FINGERS_STOPPED_CLOSING] = ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING,
      [ACHD_FINGERS_ARRIVED] = ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION};
  *b->position_msr = (uint8_t)rint(achd_serial_gripper_count(g));
  *b->obj_detection_status = does[achd_fingers_does(&g->fingers)];
  *b->is_gripper_moving = *b->obj_detection_status == ROBIF2B_ROBOTIQ_OBJ_MOVING;
  *b->gripper_status = g->activated ? ROBIF2B_ROBOTIQ_COMPLETED : ROBIF2B_ROBOTIQ_RESET;
  if (b->current_msr) *b->current_msr = rint(100 * achd_fingers_current(&g->fingers)) / 100;
}

/* Resets the gripper and activates it; NO_ERROR, or what it did not answer. */
static enum robif2b_robotiq_gripper_error activate(achd_serial_gripper *g) {
  const achd_world_device *device = g->line.device;
  const bool plugged = !achd_world_faulty(device, "unplugged", 0, NULL);
  if (!plugged) return ROBIF2B_ROBOTIQ_ERR_CONNECTION;
  const bool silent = achd_serial_silent(&g->line);
  g->activated = false;
  if (silent || achd_world_faulty(device, "no_deactivation", 0, NULL))
    return ROBIF2B_ROBOTIQ_ERR_DEACTIVATION;
  if (achd_world_faulty(device, "no_activation", 0, NULL)) return ROBIF2B_ROBOTIQ_ERR_ACTIVATION;
  achd_fingers_open(&g->fingers);
  g->activated = true;
  return achd_world_faulty(device, "no_status", 0, NULL) ? ROBIF2B_ROBOTIQ_ERR_READ
                                                         : ROBIF2B_ROBOTIQ_NO_ERROR;
}

/* Opens and activates the gripper of a port; the world is locked. */
static void open_gripper(struct robif2b_robotiq_gripper_nbx *b) {
  static const char *const what[] = {
      [ROBIF2B_ROBOTIQ_ERR_CONNECTION] = "it is not plugged in",
      [ROBIF2B_ROBOTIQ_ERR_DEACTIVATION] = "no answer to the deactivation",
      [ROBIF2B_ROBOTIQ_ERR_ACTIVATION] = "no answer to the activation",
      [ROBIF2B_ROBOTIQ_ERR_READ] = "no answer to the first reading"};
  achd_world_device *device =
      achd_serial_open(&b->serial, achd_gripper_kind.name, achd_world_kinds, 0);
  if (!device) return;
  achd_serial_gripper *g = achd_world_self(device);
  const enum robif2b_robotiq_gripper_error error = activate(g);
  if (error == ROBIF2B_ROBOTIQ_NO_ERROR && achd_serial_remember(&grippers, g)) {
    b->comm = (struct robif2b_robotiq_gripper_comm *)(void *)g;
    publish(g, b);
    answer(b, ROBIF2B_ROBOTIQ_NO_ERROR);
    return;
  }
  if (error != ROBIF2B_ROBOTIQ_NO_ERROR) {
    achd_serial_complain(&g->line, what[error]);
    answer(b, error);
  }
  achd_world_close(device);
}

void robif2b_robotiq_gripper_configure(struct robif2b_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->error) return;
  answer(b, ROBIF2B_ROBOTIQ_ERR_CONNECTION);
  achd_world_lock();
  const achd_serial_gripper *g = gripper_of(b);
  if (g) {
    achd_serial_complain(&g->line, "it is configured already");
  } else if (missing(b)) {
    b->comm = NULL;
    answer(b, ROBIF2B_ROBOTIQ_ERR_READ);
    fprintf(stderr, "robif2b, SIMULATED: no robotiq_gripper: %s is NULL\n", missing(b));
  } else {
    b->comm = NULL;
    open_gripper(b);
  }
  achd_world_unlock();
}

void robif2b_robotiq_gripper_shutdown(struct robif2b_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->error) return;
  achd_world_lock();
  achd_serial_gripper *g = gripper_of(b);
  answer(b, g ? ROBIF2B_ROBOTIQ_NO_ERROR : ROBIF2B_ROBOTIQ_ERR_CONNECTION);
  if (g) {
    achd_serial_forget(&grippers, g);
    achd_world_close(g->line.device);
  }
  b->comm = NULL;
  achd_world_unlock();
}

/* Sends the command and reads the answer; the world is locked. */
static enum robif2b_robotiq_gripper_error send(const struct robif2b_robotiq_gripper_nbx *b) {
  achd_serial_gripper *g = gripper_of(b);
  if (!g) return ROBIF2B_ROBOTIQ_ERR_CONNECTION;
  if (!b->position_cmd || !b->speed_cmd || !b->force_cmd) return ROBIF2B_ROBOTIQ_ERR_WRITE;
  if (missing(b)) return ROBIF2B_ROBOTIQ_ERR_READ;
  const bool sent = !achd_serial_silent(&g->line);
  if (sent) {
    achd_fingers_command(&g->fingers, *b->position_cmd / 255.0,
                         achd_fingers_speed(&g->fingers, *b->speed_cmd / 255.0),
                         achd_fingers_force(*b->force_cmd / 255.0));
  }
  const double until = achd_world_time(g->line.device) + g->line.period;
  g = achd_serial_wait(&grippers, &g->line, until) ? gripper_of(b) : NULL;
  if (!g) return ROBIF2B_ROBOTIQ_ERR_CONNECTION;
  if (!sent) return ROBIF2B_ROBOTIQ_ERR_WRITE;
  if (achd_serial_silent(&g->line) || achd_world_faulty(g->line.device, "no_status", 0, NULL))
    return ROBIF2B_ROBOTIQ_ERR_READ;
  publish(g, b);
  return ROBIF2B_ROBOTIQ_NO_ERROR;
}

void robif2b_robotiq_gripper_update(struct robif2b_robotiq_gripper_nbx *b) {
  if (!b || !b->success) return;
  *b->success = false;
  if (!b->error) return;
  achd_world_lock();
  answer(b, send(b));
  achd_world_unlock();
}
