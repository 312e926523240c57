/* SPDX-License-Identifier: MIT */
/* world_file.h: the text of a world, read into words. */
#ifndef ACHD_SIMULATED_WORLD_FILE_H
#define ACHD_SIMULATED_WORLD_FILE_H

#include "device_kind.h"
#include "physics.h"

#include <stdbool.h>

enum {
  ACHD_WORLD_VALUES = 40,
  ACHD_WORLD_WORDS = 64,
  ACHD_WORLD_DEVICES = 8,
  ACHD_WORLD_FAULTS = 64
};

/* A line: a word and its values, which point into the text. */
typedef struct achd_world_line {
  const char *word;
  const char *values[ACHD_WORLD_VALUES];
  int nvalues, line;
} achd_world_line;

/* A fault: from a time, for a duration, of a joint, axis or slave (from 1; 0: all). */
typedef struct achd_world_fault {
  const achd_world_fault_kind *kind;
  double from, until; /* time of the world [s] */
  int joint;
  double value;
  int line; /* where it stands; 0: it was injected */
} achd_world_fault;

struct achd_world_device {
  achd_world *world;
  const achd_world_kind *kind;
  const char *address;
  int line; /* where it stands */
  achd_world_line words[ACHD_WORLD_WORDS];
  int nwords;
  achd_world_fault faults[ACHD_WORLD_FAULTS];
  int nfaults;
  double time; /* its own [s] */
  bool open;
  void *self;
};

struct achd_world {
  char *name; /* path of the file, or name of the compiled-in world */
  char *text; /* the words point into it */
  bool builtin;
  const char *model_name;
  int model_line;
  int looked; /* line of the word that a device looked up last; without the word, the device's */
  bool wall;
  const achd_world_kind *const *kinds; /* that its devices may be of, NULL at the end */
  achd_world_device devices[ACHD_WORLD_DEVICES];
  int ndevices;
  achd_physics *physics;
  double step;   /* largest step of the physics [s] */
  double time;   /* [s] */
  double loaded; /* wall clock at its beginning [s] */
  bool diverged;
  achd_world *next;
};

/* Reads world->text, which it cuts into words, with devices of world->kinds. False, and why with its line, if it is wrong. */
bool achd_world_read(achd_world *world, char why[ACHD_WORLD_WHY]);

/* The fault of this name, or NULL. */
const achd_world_fault_kind *achd_world_fault_named(const achd_world_kind *kind, const char *word);

/* Whether its joint, axis or slave is one of the device's, which is made. */
bool achd_world_fault_has_part(const achd_world_device *device, const achd_world_fault *fault);

/* Whether two addresses are the same: /dev/ttyUSB0 is ttyUSB0. */
bool achd_world_same_address(const char *a, const char *b);

/* A decimal number, the whole of a word. */
bool achd_world_number(const char *word, double *number);

#endif
