/* SPDX-License-Identifier: MIT */
/* serial_gripper.c: see serial_gripper.h */
#include "serial_gripper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const words[] = {"joints", "open",  "closed",   "stroke", "object",
                                    "counts", "slave", "exchange", NULL};
static const achd_world_fault_kind faults[] = {
    {"no_frames", NULL, 0, 0},     {"unplugged", NULL, 0, 0},
    {"no_status", NULL, 0, 0},     {"no_deactivation", NULL, 0, 0},
    {"no_activation", NULL, 0, 0}, {"stuck", NULL, 0, 0},
    {"dropped", NULL, 0, 0},       {NULL, NULL, 0, 0}};

double achd_serial_gripper_count(const achd_serial_gripper *g) {
  const double s = fmax(0, fmin(1, g->fingers.s));
  return g->counts[0] + s * (g->counts[1] - g->counts[0]);
}

static bool read_counts(achd_serial_gripper *g, char why[ACHD_WORLD_WHY]) {
  if (!achd_world_text(g->line.device, "counts", 0)) return true;
  const int n = achd_world_numbers(g->line.device, "counts", g->counts, 2);
  if (n == 2 && g->counts[0] >= 0 && g->counts[1] <= 255 && g->counts[0] < g->counts[1])
    return true;
  snprintf(why, ACHD_WORLD_WHY, "counts takes those of open and of closed fingers, 0 to 255");
  return false;
}

static void *create(achd_world_device *device, char why[ACHD_WORLD_WHY]) {
  achd_serial_gripper *g = calloc(1, sizeof *g);
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for a gripper");
  if (!g) return NULL;
  g->line = (achd_serial){.device = device, .baud = 115200, .slave = 9, .period = 0.02};
  g->counts[1] = 255;
  if (achd_serial_read(&g->line, "exchange", why) &&
      achd_fingers_read(&g->fingers, device, "", why) && read_counts(g, why))
    return g;
  free(g);
  return NULL;
}

static void act(void *self, double step) {
  achd_serial_gripper *g = self;
  g->fingers.jammed = achd_world_faulty(g->line.device, "stuck", 0, NULL);
  g->fingers.dropped = achd_world_faulty(g->line.device, "dropped", 0, NULL);
  achd_fingers_act(&g->fingers, step);
}

const achd_world_kind achd_gripper_kind = {
    "robotiq_gripper", words, faults, create, act, free, NULL, true, NULL};
