/* SPDX-License-Identifier: MIT */
/* world_file.c: the text of a world, read into words. */
#include "world_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool achd_world_number(const char *word, double *number) {
  char *end = NULL;
  *number = strtod(word, &end);
  return end != word && *end == '\0' && isfinite(*number);
}

static const char *bare(const char *address) {
  static const char folder[] = "/dev/";
  const size_t length = sizeof folder - 1;
  return strncmp(address, folder, length) == 0 ? address + length : address;
}

bool achd_world_same_address(const char *a, const char *b) {
  return strcmp(bare(a), bare(b)) == 0;
}

/* The place in front of a message. Returns false. */
static bool wrong(const achd_world *world, int line, char *why, const char *form, ...)
    __attribute__((format(printf, 4, 5)));

static bool wrong(const achd_world *world, int line, char *why, const char *form, ...) {
  va_list values;
  va_start(values, form);
  const int n = snprintf(why, ACHD_WORLD_WHY, "%s:%d: ", world->name, line);
  if (n > 0 && n < ACHD_WORLD_WHY) vsnprintf(why + n, (size_t)(ACHD_WORLD_WHY - n), form, values);
  va_end(values);
  return false;
}

static bool among(const char *const *list, const char *word) {
  for (; *list; list++)
    if (strcmp(*list, word) == 0) return true;
  return false;
}

/* Cuts the line at *text into words, and goes on to the next one. */
static void split(char **text, achd_world_line *line) {
  char *at = *text;
  char *end = at + strcspn(at, "\n");
  *text = *end ? end + 1 : end;
  *end = '\0';
  at[strcspn(at, "#")] = '\0';
  line->word = NULL;
  line->nvalues = 0;
  char *rest = NULL;
  for (char *word = strtok_r(at, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
    if (!line->word)
      line->word = word;
    else if (line->nvalues < ACHD_WORLD_VALUES)
      line->values[line->nvalues++] = word;
  }
}

static bool read_device(achd_world *world, const achd_world_line *l, char *why) {
  if (l->nvalues != 2) return wrong(world, l->line, why, "device takes an address and a kind");
  if (world->ndevices == ACHD_WORLD_DEVICES)
    return wrong(world, l->line, why, "there are more than %d devices", ACHD_WORLD_DEVICES);
  const achd_world_kind *const *kind = world->kinds;
  while (*kind && strcmp((*kind)->name, l->values[1]) != 0) kind++;
  if (!*kind) return wrong(world, l->line, why, "there is no kind of device %s", l->values[1]);
  for (int i = 0; i < world->ndevices; i++) {
    const achd_world_device *other = &world->devices[i];
    const bool both_serial = (*kind)->waits && other->kind->waits && *kind != other->kind;
    if (achd_world_same_address(other->address, l->values[0]) && !both_serial)
      return wrong(world, l->line, why, "there is a device at %s already", l->values[0]);
  }
  achd_world_device *device = &world->devices[world->ndevices++];
  device->world = world;
  device->kind = *kind;
  device->address = l->values[0];
  device->line = l->line;
  return true;
}

const achd_world_fault_kind *achd_world_fault_named(const achd_world_kind *kind, const char *word) {
  for (const achd_world_fault_kind *f = kind->faults; f->word; f++)
    if (strcmp(f->word, word) == 0) return f;
  return NULL;
}

bool achd_world_fault_has_part(const achd_world_device *device, const achd_world_fault *fault) {
  if (fault->joint == 0) return true;
  return fault->joint > 0 && fault->kind->of &&
         device->kind->has(device->self, fault->kind->word, fault->joint);
}

/* Numbers that no fault of this kind can have. Which joints there are is known when the device is made. */
static bool check_fault(const achd_world *world, const achd_world_line *l,
                        const achd_world_fault_kind *kind, const double numbers[4], char *why) {
  if (numbers[0] < 0)
    return wrong(world, l->line, why, "%s begins at %g s: time begins at 0", kind->word,
                 numbers[0]);
  if (numbers[1] <= 0)
    return wrong(world, l->line, why, "%s lasts for %g s: write a duration above 0", kind->word,
                 numbers[1]);
  if (!kind->of && numbers[2] != 0)
    return wrong(world, l->line, why, "%s is a fault of the whole device: write 0 for %g",
                 kind->word, numbers[2]);
  if (numbers[2] < 0 || numbers[2] > 1000 || numbers[2] != floor(numbers[2]))
    return wrong(world, l->line, why, "there is no %s %g", kind->of, numbers[2]);
  if (l->nvalues < 5) return true;
  if (kind->least == 0 && kind->most == 0)
    return wrong(world, l->line, why, "%s has no value: leave out %g", kind->word, numbers[3]);
  return (numbers[3] >= kind->least && numbers[3] <= kind->most) ||
         wrong(world, l->line, why, "the value of %s is from %g to %g, and not %g", kind->word,
               kind->least, kind->most, numbers[3]);
}

static bool read_fault(achd_world_device *device, const achd_world_line *l, char *why) {
  double numbers[4] = {0, 0, 0, 0};
  if (l->nvalues < 3 || l->nvalues > 5)
    return wrong(device->world, l->line, why,
                 "fault takes its word, the time when it begins, its duration, and perhaps a joint "
                 "and a value");
  for (int i = 1; i < l->nvalues; i++)
    if (!achd_world_number(l->values[i], &numbers[i - 1]))
      return wrong(device->world, l->line, why, "%s is not a number", l->values[i]);
  const achd_world_fault_kind *kind = achd_world_fault_named(device->kind, l->values[0]);
  if (!kind)
    return wrong(device->world, l->line, why, "a device of kind %s has no fault %s",
                 device->kind->name, l->values[0]);
  if (!check_fault(device->world, l, kind, numbers, why)) return false;
  if (device->nfaults == ACHD_WORLD_FAULTS)
    return wrong(device->world, l->line, why, "there are more than %d faults", ACHD_WORLD_FAULTS);
  device->faults[device->nfaults++] = (achd_world_fault){
      kind, numbers[0], numbers[0] + numbers[1], (int)numbers[2], numbers[3], l->line};
  return true;
}

static bool read_word(achd_world_device *device, const achd_world_line *l, char *why) {
  if (strcmp(l->word, "fault") == 0) return read_fault(device, l, why);
  if (!among(device->kind->words, l->word))
    return wrong(device->world, l->line, why, "a device of kind %s does not know the word %s",
                 device->kind->name, l->word);
  for (int i = 0; i < device->nwords; i++)
    if (strcmp(device->words[i].word, l->word) == 0)
      return wrong(device->world, l->line, why, "%s stands in line %d already", l->word,
                   device->words[i].line);
  if (device->nwords == ACHD_WORLD_WORDS)
    return wrong(device->world, l->line, why, "the device has too many words");
  device->words[device->nwords++] = *l;
  return true;
}

static bool read_line(achd_world *world, const achd_world_line *l, char *why) {
  if (l->nvalues == ACHD_WORLD_VALUES)
    return wrong(world, l->line, why, "%s has too many values", l->word);
  if (strcmp(l->word, "device") == 0) return read_device(world, l, why);
  if (strcmp(l->word, "model") == 0) {
    if (l->nvalues != 1 || world->model_name)
      return wrong(world, l->line, why, "a world has one model, one file");
    world->model_name = l->values[0];
    world->model_line = l->line;
    return true;
  }
  if (strcmp(l->word, "clock") == 0) {
    const char *clock = l->nvalues == 1 ? l->values[0] : "";
    world->wall = strcmp(clock, "wall") == 0;
    return world->wall || strcmp(clock, "stepped") == 0 ||
           wrong(world, l->line, why, "the clock is stepped or wall");
  }
  if (world->ndevices == 0)
    return wrong(world, l->line, why, "what is %s? A world has model, clock and device", l->word);
  return read_word(&world->devices[world->ndevices - 1], l, why);
}

bool achd_world_read(achd_world *world, char why[ACHD_WORLD_WHY]) {
  char *text = world->text;
  achd_world_line line = {.line = 0};
  while (*text) {
    line.line++;
    split(&text, &line);
    if (line.word && !read_line(world, &line, why)) return false;
  }
  if (!world->model_name) return wrong(world, line.line, why, "the world has no model");
  if (world->ndevices == 0) return wrong(world, line.line, why, "the world has no device");
  return true;
}
