/* SPDX-License-Identifier: MIT */
/* world.c: worlds loaded, stepped and freed. */
#include "world.h"

#include "../clock.h"
#include "builtin.h"
#include "world_file.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t locked = PTHREAD_MUTEX_INITIALIZER;
static achd_world *worlds;

enum { largest_file = 1 << 20 };                           /* [bytes] */
static const double longest_period = 1, longest_lag = 0.2; /* [s] */

void achd_world_lock(void) {
  pthread_mutex_lock(&locked);
}

void achd_world_unlock(void) {
  pthread_mutex_unlock(&locked);
}

/* ---- loading ---- */

/* The whole of a file, or NULL; also if it is larger than any world. */
static char *file_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t size = 0, room = 4096;
  char *text = malloc(room + 1);
  while (text) {
    size += fread(text + size, 1, room - size, file);
    if (size < room) break;
    room *= 2;
    char *more = room > largest_file ? NULL : realloc(text, room + 1);
    if (!more) free(text);
    text = more;
  }
  if (text && ferror(file)) {
    free(text);
    text = NULL;
  }
  if (text) text[size] = '\0';
  if (fclose(file) != 0) { /* it was read */
  }
  return text;
}

/* The mechanics of a world: compiled in, or of a file beside the world's. */
static achd_physics *load_physics(const achd_world *world, char why[ACHD_WORLD_WHY]) {
  static const char mark[] = "builtin:";
  const char *name = world->model_name;
  if (strncmp(name, mark, sizeof mark - 1) == 0) {
    char reason[ACHD_WORLD_WHY] = "";
    achd_physics *p = achd_physics_builtin(name + sizeof mark - 1, reason);
    if (!p)
      snprintf(why, ACHD_WORLD_WHY, "%.80s:%d: %.200s", world->name, world->model_line, reason);
    return p;
  }
  const char *slash = strrchr(world->name, '/');
  const int folder = slash && name[0] != '/' ? (int)(slash - world->name + 1) : 0;
  char path[4096];
  const int n = snprintf(path, sizeof path, "%.*s%s", folder, world->name, name);
  if (n < 0 || n >= (int)sizeof path) {
    snprintf(why, ACHD_WORLD_WHY, "%s:%d: the model's path is too long", world->name,
             world->model_line);
    return NULL;
  }
  return achd_physics_load(path, why);
}

static void free_world(achd_world *world) {
  achd_world **link = &worlds;
  while (*link && *link != world) link = &(*link)->next;
  if (*link) *link = world->next;
  for (int i = 0; i < world->ndevices; i++)
    if (world->devices[i].self) world->devices[i].kind->destroy(world->devices[i].self);
  achd_physics_free(world->physics);
  free(world->text);
  free(world->name);
  free(world);
}

/* Makes a device. False, with the line to name and what is wrong there, if its words or faults are. */
static bool make_device(achd_world_device *device, char reason[ACHD_WORLD_WHY]) {
  achd_world *world = device->world;
  world->looked = device->line;
  device->self = device->kind->create(device, reason);
  if (!device->self) return false;
  for (int i = 0; i < device->nfaults; i++) {
    const achd_world_fault *fault = &device->faults[i];
    if (achd_world_fault_has_part(device, fault)) continue;
    world->looked = fault->line;
    snprintf(reason, ACHD_WORLD_WHY, "there is no %s %d", fault->kind->of, fault->joint);
    return false;
  }
  return true;
}

static bool make_devices(achd_world *world, char why[ACHD_WORLD_WHY]) {
  for (int i = 0; i < world->ndevices; i++) {
    achd_world_device *device = &world->devices[i];
    char reason[ACHD_WORLD_WHY] = "";
    if (make_device(device, reason)) continue;
    snprintf(why, ACHD_WORLD_WHY, "%.80s:%d: device %.60s: %.140s", world->name, world->looked,
             device->address, reason);
    return false;
  }
  achd_physics_renew(world->physics);
  return true;
}

/* name, text: copied. */
static achd_world *load(const char *name, const char *text, bool builtin,
                        const achd_world_kind *const *kinds, char why[ACHD_WORLD_WHY]) {
  achd_world *world = calloc(1, sizeof *world);
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for a world");
  if (!world) return NULL;
  world->builtin = builtin;
  world->kinds = kinds;
  world->name = strdup(name);
  world->text = strdup(text);
  bool good = world->name && world->text && achd_world_read(world, why);
  if (good) {
    world->physics = load_physics(world, why);
    good = world->physics != NULL;
  }
  if (good) {
    world->step = achd_physics_longest(world->physics);
    good = make_devices(world, why);
  }
  if (!good) {
    free_world(world);
    return NULL;
  }
  why[0] = '\0';
  world->loaded = achd_clock();
  world->next = worlds;
  worlds = world;
  return world;
}

/* The device at an address, of a kind if there is one of it; kind NULL: whichever. */
static achd_world_device *device_at(achd_world *world, const char *address, const char *kind) {
  achd_world_device *found = NULL;
  for (int i = 0; i < world->ndevices; i++) {
    achd_world_device *device = &world->devices[i];
    if (!achd_world_same_address(device->address, address)) continue;
    if (kind && strcmp(device->kind->name, kind) == 0) return device;
    if (!found || (!kind && device->open)) found = device;
  }
  return found;
}

/* Of the worlds that are loaded, the one of this name. */
static achd_world *loaded_world(const char *name, bool builtin) {
  achd_world *world = worlds;
  while (world && (world->builtin != builtin || strcmp(world->name, name) != 0))
    world = world->next;
  return world;
}

static achd_world *world_of_file(const char *path, const achd_world_kind *const *kinds,
                                 char why[ACHD_WORLD_WHY]) {
  achd_world *world = loaded_world(path, false);
  if (world) return world;
  char *text = file_text(path);
  if (!text) {
    snprintf(why, ACHD_WORLD_WHY, "%.200s: cannot be read (ACHD_SIM names it)", path);
    return NULL;
  }
  world = load(path, text, false, kinds, why);
  free(text);
  return world;
}

/* A world that nobody uses is freed again: a compiled-in one that has no such address. */
static void free_unused(void) {
  achd_world *next = NULL;
  for (achd_world *world = worlds; world; world = next) {
    bool used = false;
    next = world->next;
    for (int i = 0; i < world->ndevices; i++) used = used || world->devices[i].open;
    if (!used) free_world(world);
  }
}

/* Of the compiled-in worlds with a device there, one that is loaded already if there is one: a sensor
 * belongs to the arm that the program has opened. */
static achd_world_device *builtin_device(const char *address, const char *kind,
                                         const achd_world_kind *const *kinds,
                                         char why[ACHD_WORLD_WHY]) {
  for (achd_world *world = worlds; world; world = world->next) {
    achd_world_device *device = world->builtin ? device_at(world, address, kind) : NULL;
    if (device && !device->open) return device;
  }
  for (const achd_builtin *b = achd_builtin_worlds; b->name; b++) {
    achd_world *world = loaded_world(b->name, true);
    if (!world) world = load(b->name, b->text, true, kinds, why);
    if (!world && strstr(b->text, address)) return NULL;
    why[0] = '\0'; /* that another world cannot be made is of no interest */
    if (!world) continue;
    achd_world_device *device = device_at(world, address, kind);
    if (device) return device;
    free_unused();
  }
  return NULL;
}

/* ---- devices ---- */

achd_world_device *achd_world_find(const char *address) {
  for (achd_world *world = worlds; world; world = world->next) {
    achd_world_device *device = device_at(world, address, NULL);
    if (device && device->open) return device;
  }
  return NULL;
}

achd_world_device *achd_world_open(const char *address, const char *kind,
                                   const achd_world_kind *const *kinds) {
  const char *path = getenv("ACHD_SIM");
  char why[ACHD_WORLD_WHY] = "";
  achd_world_device *device = NULL;
  if (path && *path) {
    achd_world *world = world_of_file(path, kinds, why);
    if (world) device = device_at(world, address, kind);
    if (world && !device) snprintf(why, sizeof why, "%.200s: has no device there", path);
  } else {
    device = builtin_device(address, kind, kinds, why);
    if (!device && !*why)
      snprintf(why, sizeof why, "no compiled-in world has a device there, and ACHD_SIM names none");
  }
  if (device && strcmp(device->kind->name, kind) != 0) {
    snprintf(why, sizeof why, "%.150s: the device there is of kind %.60s", device->world->name,
             device->kind->name);
    device = NULL;
  }
  if (device && device->open) {
    snprintf(why, sizeof why, "%.200s: the device is in use", device->world->name);
    device = NULL;
  }
  if (!device) {
    free_unused();
    fprintf(stderr, "robif2b, SIMULATED: no %s at %s: %s\n", kind, address, why);
    return NULL;
  }
  device->open = true;
  device->time = device->world->time;
  fprintf(stderr, "robif2b, SIMULATED: %s at %s in the %s %s, %s, %s clock\n", kind, address,
          device->world->builtin ? "compiled-in world" : "world", device->world->name,
          achd_physics_title(), device->world->wall ? "wall" : "stepped");
  return device;
}

void achd_world_close(achd_world_device *device) {
  device->open = false;
  free_unused();
}

void *achd_world_self(const achd_world_device *device) {
  return device->self;
}

const char *achd_world_address(const achd_world_device *device) {
  return device->address;
}

achd_physics *achd_world_physics(const achd_world_device *device) {
  return device->world->physics;
}

double achd_world_time(const achd_world_device *device) {
  return device->world->time;
}

bool achd_world_stepped(const achd_world_device *device) {
  return !device->world->wall;
}

bool achd_world_driven(const achd_world_device *device) {
  const achd_world *world = device->world;
  for (int i = 0; i < world->ndevices && !world->wall; i++)
    if (world->devices[i].open && !world->devices[i].kind->waits) return true;
  return false;
}

void achd_world_sleep(const achd_world_device *device, double until) {
  if (!device->world->wall) return;
  const double due = device->world->loaded + until;
  achd_world_unlock();
  achd_clock_sleep(due);
  achd_world_lock();
}

/* ---- words and faults ---- */

static const achd_world_line *line_of(const achd_world_device *device, const char *word) {
  const achd_world_line *line = NULL;
  for (int i = 0; i < device->nwords && !line; i++)
    if (strcmp(device->words[i].word, word) == 0) line = &device->words[i];
  device->world->looked = line ? line->line : device->line;
  return line;
}

int achd_world_numbers(const achd_world_device *device, const char *word, double *values,
                       int most) {
  const achd_world_line *line = line_of(device, word);
  if (!line) return -1;
  for (int i = 0; i < line->nvalues; i++) {
    double number = 0;
    if (!achd_world_number(line->values[i], &number)) return -1;
    if (i < most) values[i] = number;
  }
  return line->nvalues;
}

const char *achd_world_text(const achd_world_device *device, const char *word, int i) {
  const achd_world_line *line = line_of(device, word);
  return line && i >= 0 && i < line->nvalues ? line->values[i] : NULL;
}

bool achd_world_value(const achd_world_device *device, const char *word, int i, double *value) {
  const char *text = achd_world_text(device, word, i);
  return text && achd_world_number(text, value);
}

bool achd_world_faulty(const achd_world_device *device, const char *fault, int joint,
                       double *value) {
  const double now = device->world->time, soon = 1e-9; /* times are sums of periods */
  for (int i = 0; i < device->nfaults; i++) {
    const achd_world_fault *f = &device->faults[i];
    if (now < f->from - soon || now >= f->until - soon || strcmp(f->kind->word, fault) != 0)
      continue;
    if (joint != 0 && f->joint != 0 && f->joint != joint) continue;
    if (value) *value = f->value;
    return true;
  }
  return false;
}

bool achd_world_inject(achd_world_device *device, const char *fault, double duration, int joint,
                       double value) {
  const double now = device->world->time;
  const achd_world_fault added = {
      achd_world_fault_named(device->kind, fault), now, now + duration, joint, value, 0};
  if (!added.kind || !(duration > 0) || !achd_world_fault_has_part(device, &added)) return false;
  int kept = 0; /* those that are over make room */
  for (int i = 0; i < device->nfaults; i++)
    if (device->faults[i].until >= now) device->faults[kept++] = device->faults[i];
  device->nfaults = kept;
  if (kept == ACHD_WORLD_FAULTS) return false;
  device->faults[device->nfaults++] = added;
  return true;
}

/* ---- time ---- */

static void step(achd_world *world, double h) {
  achd_physics_before(world->physics, h);
  for (int i = 0; i < world->ndevices; i++) world->devices[i].kind->act(world->devices[i].self, h);
  if (!achd_physics_after(world->physics)) world->diverged = true;
  world->time += h;
  for (int i = 0; i < world->ndevices; i++)
    if (world->devices[i].kind->sense) world->devices[i].kind->sense(world->devices[i].self);
}

bool achd_world_advance(achd_world_device *device, double period) {
  achd_world *world = device->world;
  if (!(period >= 0 && period <= longest_period) || world->diverged) return false;
  device->time += period;
  if (world->wall) {
    const double passed = achd_clock() - world->loaded;
    if (passed - world->time > longest_lag) world->loaded += passed - world->time - longest_lag;
    device->time = achd_clock() - world->loaded;
  }
  const double span = device->time - world->time;
  if (!(span > 1e-9)) return true; /* another device has brought the world here */
  const int steps = (int)ceil(span / world->step - 1e-6);
  for (int i = 0; i < steps && !world->diverged; i++) step(world, span / steps);
  world->time = device->time; /* not its sum of steps */
  return !world->diverged;
}
