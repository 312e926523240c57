/* SPDX-License-Identifier: MIT */
/* serial.c: see serial.h */
#include "serial.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

void *achd_serial_of(const achd_serial_handles *handles, const void *comm) {
  for (int i = 0; comm && i < ACHD_SERIAL_OPEN; i++)
    if (handles->open[i] == comm) return handles->open[i];
  return NULL;
}

bool achd_serial_remember(achd_serial_handles *handles, void *self) {
  for (int i = 0; i < ACHD_SERIAL_OPEN; i++)
    if (!handles->open[i]) {
      handles->open[i] = self;
      return true;
    }
  return false;
}

void achd_serial_forget(achd_serial_handles *handles, const void *self) {
  for (int i = 0; i < ACHD_SERIAL_OPEN; i++)
    if (handles->open[i] == self) handles->open[i] = NULL;
}

bool achd_serial_number(const achd_world_device *device, const char *word, double least,
                        double most, double *value, char why[ACHD_WORLD_WHY]) {
  double number = 0;
  if (!achd_world_text(device, word, 0)) return true;
  if (achd_world_numbers(device, word, &number, 1) != 1 || number < least || number > most) {
    snprintf(why, ACHD_WORLD_WHY, "one number from %g to %g follows %s", least, most, word);
    return false;
  }
  *value = number;
  return true;
}

bool achd_serial_read(achd_serial *line, const char *period, char why[ACHD_WORLD_WHY]) {
  return achd_serial_number(line->device, "slave", 1, 247, &line->slave, why) &&
         achd_serial_number(line->device, period, 1e-3, 1, &line->period, why);
}

void achd_serial_complain(const achd_serial *line, const char *what) {
  fprintf(stderr, "robif2b, SIMULATED: %s: %s\n", achd_world_address(line->device), what);
}

/* Whether the device answers by these settings; says why not. Its line is what it begins with. */
static bool answers(achd_serial *line, const struct robif2b_serial_config *config, double longest) {
  char what[ACHD_WORLD_WHY];
  if (config->baudrate != line->baud)
    snprintf(what, sizeof what, "no answer at %u baud: the device is set to %g", config->baudrate,
             line->baud);
  else if (config->slave_address != line->slave)
    snprintf(what, sizeof what, "no answer from slave %u: the device is slave %g",
             config->slave_address, line->slave);
  else if (!(config->timeout_ms > 1e3 * longest && isfinite(config->timeout_ms)))
    snprintf(what, sizeof what, "no answer within the timeout of %g ms: it has to be above %g ms",
             config->timeout_ms, 1e3 * longest);
  else
    return true;
  achd_serial_complain(line, what);
  return false;
}

achd_world_device *achd_serial_open(const struct robif2b_serial_config *config, const char *kind,
                                    const achd_world_kind *const *kinds, double longest) {
  if (!config->port) {
    fprintf(stderr, "robif2b, SIMULATED: no %s: its port is NULL\n", kind);
    return NULL;
  }
  achd_world_device *device = achd_world_open(config->port, kind, kinds);
  if (!device) return NULL;
  achd_serial *line = achd_world_self(device);
  line->unplugged = false;
  line->asked = -1;
  if (answers(line, config, longest)) return device;
  achd_world_close(device);
  return NULL;
}

static void rest(achd_serial *line) {
  const double now = achd_world_time(line->device);
  const bool again = line->asked == now;
  line->asked = now;
  if (!again) return;
  const struct timespec pause = {0, 100000};
  achd_world_unlock();
  nanosleep(&pause, NULL);
  achd_world_lock();
}

bool achd_serial_wait(const achd_serial_handles *handles, achd_serial *line, double until) {
  if (achd_world_driven(line->device)) {
    rest(line);
    return achd_serial_of(handles, line) != NULL;
  }
  achd_world_sleep(line->device, until);
  if (!achd_serial_of(handles, line)) return false;
  const double late = until - achd_world_time(line->device);
  return late <= 0 || achd_world_advance(line->device, late);
}

bool achd_serial_silent(achd_serial *line) {
  if (achd_world_faulty(line->device, "unplugged", 0, NULL)) line->unplugged = true;
  return line->unplugged || achd_world_faulty(line->device, "no_frames", 0, NULL);
}

void achd_serial_reopen(achd_serial *line) {
  line->unplugged = achd_world_faulty(line->device, "unplugged", 0, NULL);
}
