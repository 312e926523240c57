/* SPDX-License-Identifier: MIT */
/* device_kind.h: a kind of device that a world may have: the words that describe one in the world's
 * file, and what it does to the world. */
#ifndef ACHD_SIMULATED_DEVICE_KIND_H
#define ACHD_SIMULATED_DEVICE_KIND_H

#include <stdbool.h>

enum { ACHD_WORLD_WHY = 300 }; /* size of a message */

typedef struct achd_world achd_world;
typedef struct achd_world_device achd_world_device;

/* A fault that can be injected. */
typedef struct achd_world_fault_kind {
  const char *word;
  const char *of;     /* what it is of, one by one: joint, axis, slave; NULL: of the device */
  double least, most; /* of its value; both 0: it has none */
} achd_world_fault_kind;

/* A kind of device. */
typedef struct achd_world_kind {
  const char *name;                    /* as the world's file says it */
  const char *const *words;            /* that may follow its device line, NULL at the end */
  const achd_world_fault_kind *faults; /* that can be injected, word NULL at the end */
  /* Makes the device from its words when the world is loaded; NULL, and why, if they are wrong. The line
   * that is reported is that of the word which was looked up last, or the device's if it has no such word. */
  void *(*create)(achd_world_device *device, char why[ACHD_WORLD_WHY]);
  /* Sets the forces of the device for the next step [s] (physics.h). Positions, velocities, inertias and bias
   * torques are those of now; accelerations are those of the last step. */
  void (*act)(void *self, double step);
  void (*destroy)(void *self);
  /* Looks at the world after each step: forces and accelerations are those of the step. NULL:
   * it does not. */
  void (*sense)(void *self);
  /* Its updates wait for the device, as on a serial line. With the stepped clock they advance the world
   * only where no other device, whose updates make a cycle, is open in it. */
  bool waits;
  /* Whether a fault can be of this joint, axis or slave (from 1). NULL: all faults are of the device. */
  bool (*has)(const void *self, const char *fault, int part);
} achd_world_kind;

#endif
