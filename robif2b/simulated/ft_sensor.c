/* SPDX-License-Identifier: MIT */
/* ft_sensor.c: what the sensor feels and sends.
 *
 * It stands between the body of its site and the body that this one is fixed to, or hinged on. What it
 * carries, weight and inertia included, and what this touches acts on it with the wrench
 *
 *   F = -f,   M = -m
 *
 * where f, m is the wrench that the parent gives to the body, about the site's origin. Along the site's axes, plus bias and noise, less the
 * zero, within the range and in the steps of the frame: 0.01 N and 0.001 N m. */
#include "ft_sensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"site",  "reading", "bias",   "noise",
                                    "range", "slave",   "period", NULL};
static const achd_world_fault_kind faults[] = {{"no_frames", NULL, 0, 0},
                                               {"unplugged", NULL, 0, 0},
                                               {"bad_frames", NULL, 0, 1},
                                               {"stuck", NULL, 0, 0},
                                               {"biased", "axis", -INFINITY, INFINITY},
                                               {"noisy", "axis", 0, INFINITY},
                                               {"saturated", "axis", -INFINITY, INFINITY},
                                               {NULL, NULL, 0, 0}};
static const double step[6] = {0.01, 0.01, 0.01, 0.001, 0.001, 0.001};

/* ---- what it sends ---- */

/* Uniform in 0 .. 1, without 0 (xorshift64*, Vigna 2016). */
static double uniform(achd_ft_sensor *s) {
  s->random ^= s->random >> 12;
  s->random ^= s->random << 25;
  s->random ^= s->random >> 27;
  return ((double)((s->random * UINT64_C(2685821657736338717)) >> 11) + 1) * 0x1p-53;
}

/* Normally distributed, of standard deviation 1 (Box and Muller). */
static double normal(achd_ft_sensor *s) {
  const double u = uniform(s), v = uniform(s);
  return sqrt(-2 * log(u)) * cos(2 * ACHD_PI * v);
}

/* What stands in the frame: bias, noise, zero, range and steps; faults of the gauges. */
static void encode(achd_ft_sensor *s, double wrench[6]) {
  const achd_world_device *device = s->line.device;
  if (achd_world_faulty(device, "stuck", 0, NULL)) memcpy(wrench, s->stuck, sizeof s->stuck);
  memcpy(s->stuck, wrench, sizeof s->stuck);
  for (int i = 0; i < 6; i++) {
    double off = 0, share = 1, loud = 0;
    achd_world_faulty(device, "biased", i + 1, &off);
    achd_world_faulty(device, "noisy", i + 1, &loud);
    const double noise = s->noise[i] + loud;
    double x = wrench[i] + s->bias[i] + off + (noise > 0 ? noise * normal(s) : 0);
    if (achd_world_faulty(device, "saturated", i + 1, &share)) x = share < 0 ? -INFINITY : INFINITY;
    x = fmax(-s->range[i], fmin(s->range[i], x)) - s->zero[i];
    x = fmax(-32768, fmin(32767, rint(x / step[i]))); /* 16 bits */
    s->wire[i] = x * step[i];
  }
}

static void sense(void *self) {
  achd_ft_sensor *s = self;
  const double now = achd_world_time(s->line.device), soon = 1e-9;
  if (now < s->due - soon) return;
  s->due = (floor((now + soon) / s->line.period) + 1) * s->line.period;
  double share = 1, wrench[6];
  const bool silent = achd_serial_silent(&s->line);
  const bool bad = achd_world_faulty(s->line.device, "bad_frames", 0, &share) &&
                   uniform(s) <= (share > 0 ? share : 1);
  s->arrived = !silent && !bad;
  if (!s->arrived) return;
  achd_physics *p = achd_world_physics(s->line.device);
  achd_physics_sense(p);
  achd_physics_felt(p, s->site, wrench);
  for (int i = 0; i < 6; i++) wrench[i] *= s->sign;
  encode(s, wrench);
  s->frames++;
  s->at = now;
}

/* ---- the device ---- */

/* Three numbers for forces and three for moments, or one for each of the two. */
static bool read_six(const achd_ft_sensor *s, const char *word, bool positive, double values[6],
                     char why[ACHD_WORLD_WHY]) {
  double given[6];
  if (!achd_world_text(s->line.device, word, 0)) return true;
  const int n = achd_world_numbers(s->line.device, word, given, 6);
  bool good = n == 2 || n == 6;
  for (int i = 0; good && i < 6; i++) {
    values[i] = n == 6 ? given[i] : given[i / 3];
    good = !positive || values[i] >= 0;
  }
  if (!good)
    snprintf(why, ACHD_WORLD_WHY, "%s takes two numbers%s, [N] and [N m], or six: x, y, z of both",
             word, positive ? " that are not negative" : "");
  return good;
}

/* The site that the world names; otherwise that of the model's first force sensor. */
static bool find_site(achd_ft_sensor *s, char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = achd_world_physics(s->line.device);
  const char *name = achd_world_text(s->line.device, "site", 0);
  s->site = name ? achd_physics_frame(p, name) : achd_physics_sensor(p);
  if (s->site < 0 && name) snprintf(why, ACHD_WORLD_WHY, "the model has no site %.100s", name);
  if (s->site < 0 && !name)
    snprintf(why, ACHD_WORLD_WHY, "the model has no force sensor: name a site after the word site");
  return s->site >= 0 && achd_physics_feels(p, s->site, why);
}

static bool read_sign(achd_ft_sensor *s, char why[ACHD_WORLD_WHY]) {
  const char *text = achd_world_text(s->line.device, "reading", 0);
  s->sign = text && strcmp(text, "reaction") == 0 ? -1 : 1;
  if (!text || s->sign < 0 || strcmp(text, "applied") == 0) return true;
  snprintf(why, ACHD_WORLD_WHY, "reading is followed by applied or reaction");
  return false;
}

static void *create(achd_world_device *device, char why[ACHD_WORLD_WHY]) {
  achd_ft_sensor *s = calloc(1, sizeof *s);
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for a sensor");
  if (!s) return NULL;
  s->line = (achd_serial){.device = device, .baud = 19200, .slave = 9, .period = 0.01};
  s->random = UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; i < 6; i++) s->range[i] = i < 3 ? 300 : 30;
  if (achd_serial_read(&s->line, "period", why) && find_site(s, why) && read_sign(s, why) &&
      read_six(s, "bias", false, s->bias, why) && read_six(s, "noise", true, s->noise, why) &&
      read_six(s, "range", true, s->range, why)) {
    s->due = s->line.period;
    return s;
  }
  free(s);
  return NULL;
}

static void act(void *self, double h) {
  (void)self;
  (void)h;
}

static bool has_axis(const void *self, const char *fault, int axis) {
  (void)self;
  (void)fault;
  return axis <= 6;
}

const achd_world_kind achd_ft_kind = {"robotiq_ft", words, faults, create,  act,
                                      free,         sense, true,   has_axis};
