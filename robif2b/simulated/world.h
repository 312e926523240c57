/* SPDX-License-Identifier: MIT */
/* world.h: a world that simulated devices share.
 *
 * Which world: the file that the environment's ACHD_SIM names, otherwise the compiled-in world that
 * has a device at the wanted address. A world is loaded when its first device is opened, and freed
 * when its last one is closed. The file has one word and its values a line; # begins a comment:
 *
 *   model table.xml              for MuJoCo: MJCF or URDF, relative to this file; a compiled-in one: builtin:NAME
 *   clock stepped                or wall
 *   device 192.168.1.10 gen3     address and kind; the lines that follow belong to it. A serial port may
 *                                have one device of each kind, and is found with and without /dev/
 *     WORD VALUE...              words of the kind
 *     fault WORD FROM FOR [JOINT [VALUE]]
 *
 * Time. Each device has its own time, which its updates advance by its cycle time; the world's time
 * is the largest of these. With the wall clock, an update advances the world to the time that has
 * passed since it was loaded. Before each step of the physics every device acts on the world, also
 * those that nobody has opened (an arm holds its position).
 *
 * All functions are called with the world locked: achd_world_lock. */
#ifndef ACHD_SIMULATED_WORLD_H
#define ACHD_SIMULATED_WORLD_H

#include "device_kind.h"
#include "physics.h"

#include <stdbool.h>
#include <stddef.h>

void achd_world_lock(void);
void achd_world_unlock(void);

/* Opens the device of a kind at an address. Loads its world if need be, whose devices are of `kinds`
 * (NULL at the end), and says on standard error, in one line, that the device is simulated; or why
 * there is none, and returns NULL. */
achd_world_device *achd_world_open(const char *address, const char *kind,
                                   const achd_world_kind *const *kinds);
void achd_world_close(achd_world_device *device);

/* An open device, or NULL: for tests, which look at the truth. */
achd_world_device *achd_world_find(const char *address);

/* Advances the device's own time by a period [s], and the world if it is behind. Returns false, and
 * the world stands still, if the period is negative, above 1 s or not finite, or if the physics has
 * diverged. */
bool achd_world_advance(achd_world_device *device, double period);

void *achd_world_self(const achd_world_device *device); /* what create returned */
const char *achd_world_address(const achd_world_device *device);
achd_physics *achd_world_physics(const achd_world_device *device); /* mechanics */
double achd_world_time(const achd_world_device *device);           /* of the world [s] */
bool achd_world_stepped(const achd_world_device *device);          /* false: wall clock */
/* Whether, with the stepped clock, another device that is open advances the world (kind's `waits`). */
bool achd_world_driven(const achd_world_device *device);
/* With the wall clock: sleeps until the world's time is `until` [s], with the world unlocked, so that
 * the device may be closed when this returns. */
void achd_world_sleep(const achd_world_device *device, double until);

/* Values of a word of the device: their number, at most `most` of them are stored; -1 if the file
 * does not have the word, or if a value is not a number. */
int achd_world_numbers(const achd_world_device *device, const char *word, double *values, int most);
/* Value i of a word, or NULL. */
const char *achd_world_text(const achd_world_device *device, const char *word, int i);
/* The same as a number; false if there is none, or if it is not one. */
bool achd_world_value(const achd_world_device *device, const char *word, int i, double *value);

/* Whether a fault is active now, for a joint (counted from 1; 0: whichever); its value, if wanted. */
bool achd_world_faulty(const achd_world_device *device, const char *fault, int joint,
                       double *value);
/* Injects a fault for a duration from now on [s]; joint 0: all. False if the device has no such fault or
 * joint, or if the duration is not above 0. */
bool achd_world_inject(achd_world_device *device, const char *fault, double duration, int joint,
                       double value);

#endif
