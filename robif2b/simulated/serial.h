/* SPDX-License-Identifier: MIT */
/* serial.h: what simulated devices on a serial line have in common: which handles are open, the line's
 * settings, and faults of the line. */
#ifndef ACHD_SIMULATED_SERIAL_H
#define ACHD_SIMULATED_SERIAL_H

#include "world.h"

#include <robif2b/types/serial.h>

/* The line of a device, in the device. */
typedef struct achd_serial {
  achd_world_device *device;
  double baud, slave; /* to which the device listens */
  double period;      /* of the device's frames, or of one exchange with it [s] */
  bool unplugged;     /* the converter has been out since the line was opened */
  double asked;       /* time of the world at the last update [s] */
} achd_serial;

enum { ACHD_SERIAL_OPEN = 16 }; /* largest number of devices of a kind */

/* Handles that are open: what was never made or is closed is harmless. Each begins with its line. */
typedef struct achd_serial_handles {
  void *open[ACHD_SERIAL_OPEN];
} achd_serial_handles;

void *achd_serial_of(const achd_serial_handles *handles, const void *comm);
bool achd_serial_remember(achd_serial_handles *handles, void *self);
void achd_serial_forget(achd_serial_handles *handles, const void *self);

/* Reads the words of the line: `slave` and the one for the period. False, and why. */
bool achd_serial_read(achd_serial *line, const char *period, char why[ACHD_WORLD_WHY]);

/* One number after a word, within bounds; without the word the value stays. False, and why. */
bool achd_serial_number(const achd_world_device *device, const char *word, double least,
                        double most, double *value, char why[ACHD_WORLD_WHY]);

/* Opens the device of a kind at the line's port, as achd_world_open, and compares the settings: a
 * timeout has to be longer than `longest` [s]. NULL, and why on standard error, if it does not answer
 * by these. */
achd_world_device *achd_serial_open(const struct robif2b_serial_config *config, const char *kind,
                                    const achd_world_kind *const *kinds, double longest);

/* Says on standard error what is wrong with a device. */
void achd_serial_complain(const achd_serial *line, const char *what);

/* An update of an open device waits until a time of the world [s]. Beside a device that advances the
 * world it does not: where the world has stood still since the last update, a thread of its own asks,
 * which rests for 0.1 ms, so that the other one comes to its turn. The world may be unlocked meanwhile.
 * False if the device is closed by then, or if the world stands still. */
bool achd_serial_wait(const achd_serial_handles *handles, achd_serial *line, double until);

/* Whether nothing comes from the device now. Unplugging is remembered until the line is opened anew. */
bool achd_serial_silent(achd_serial *line);

/* Opens the line anew. */
void achd_serial_reopen(achd_serial *line);

#endif
