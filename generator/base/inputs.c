/* SPDX-License-Identifier: MIT */
/* inputs.c: see inputs.h */
#define _XOPEN_SOURCE 700
#include "base/inputs.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MOST_BYTES = 1 << 20, /* of a layout and all that it includes */
  MOST_FILES = 64
};

static bool unreadable(ag_input_file file, ag_place from, const char *remedy, ag_err *err) {
  const char *reason = strerror(errno);
  if (from.line == 0) return ag_fail(err, file.path, 0, remedy, "cannot be read: %s", reason);
  return ag_fail(err, from.file, from.line, remedy, "%s cannot be read: %s", file.path, reason);
}

/* Reads a file as the next of the list; `from`: who asks for it. */
static bool read_next(ag_sources *s, ag_input_file file, ag_place from, ag_arena *arena,
                      ag_err *err) {
  FILE *f = fopen(file.path, "rb");
  if (!f) return unreadable(file, from, "check the name and the permissions", err);
  const size_t room = MOST_BYTES - s->size;
  char *text = ag_alloc(arena, room + 1);
  size_t length = fread(text, 1, room + 1, f);
  const int failed = ferror(f) ? errno : 0;
  fclose(f);
  errno = failed;
  if (failed) return unreadable(file, from, "name a text file", err);
  if (length > room)
    return ag_fail(err, file.path, 0, "a layout is a short description", "%s larger than %d MB",
                   s->count ? "the layout and what it includes are" : "is", MOST_BYTES >> 20);
  s->size += length;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    length -= 3;
  }
  s->list = ag_grow(arena, s->list, (size_t)s->count * sizeof *s->list,
                    (size_t)(s->count + 1) * sizeof *s->list);
  s->list[s->count++] = (ag_source){.file = file, .text = text, .length = length};
  return true;
}

bool ag_sources_layout(ag_sources *s, const char *path, ag_arena *arena, ag_err *err) {
  const ag_input_file file = {.path = path, .name = ag_base_name(path)};
  return read_next(s, file, (ag_place){.file = path}, arena, err);
}

void ag_sources_text(ag_sources *s, const char *name, const char *text, ag_arena *arena) {
  const size_t length = strlen(text);
  const ag_input_file file = {.path = name, .name = name, .text = text, .length = length};
  s->list = ag_grow(arena, s->list, (size_t)s->count * sizeof *s->list,
                    (size_t)(s->count + 1) * sizeof *s->list);
  s->list[s->count++] = (ag_source){.file = file, .text = text, .length = length};
  s->size += length;
}

/* A relative name that does not climb: "common/arm.lua". */
static bool stays_inside(const char *name) {
  if (name[0] == '\0' || name[0] == '/' || strchr(name, '\\')) return false;
  for (const char *part = name;; part++) {
    const size_t length = strcspn(part, "/");
    if (length == 0 || (length == 1 && part[0] == '.') ||
        (length == 2 && part[0] == '.' && part[1] == '.'))
      return false;
    part += length;
    if (*part == '\0') return true;
  }
}

bool ag_sources_include(ag_sources *s, const char *name, ag_place from, int *index, ag_arena *arena,
                        ag_err *err) {
  for (*index = 0; *index < s->count; (*index)++)
    if (strcmp(s->list[*index].file.name, name) == 0) return true;
  if (!stays_inside(name))
    return ag_fail(err, from.file, from.line,
                   "name a file in the layout's folder or below it: include \"arm.lua\"",
                   "\"%s\" is not in the layout's folder", name);
  if (s->count == MOST_FILES)
    return ag_fail(err, from.file, from.line, "a layout is a short description",
                   "the layout is made of more than %d files", (int)MOST_FILES);
  const char *layout = s->list[0].file.path;
  const int folder = (int)(ag_base_name(layout) - layout);
  const ag_input_file file = {.path = ag_printf(arena, "%.*s%s", folder, layout, name),
                              .name = ag_strdup(arena, name)};
  struct stat there; /* a pipe might never end */
  if (stat(file.path, &there) == 0 && !S_ISREG(there.st_mode))
    return ag_fail(err, from.file, from.line, "name a text file", "%s is not a regular file",
                   file.path);
  return read_next(s, file, from, arena, err);
}

const ag_input_file *ag_sources_files(const ag_sources *sources, int *count, ag_arena *arena) {
  ag_input_file *files = ag_alloc(arena, (size_t)(sources->count + 1) * sizeof *files);
  for (int i = 0; i < sources->count; i++) files[i] = sources->list[i].file;
  *count = sources->count;
  return files;
}

bool ag_input_hash(const ag_input_file *file, uint64_t *hash, ag_err *err) {
  if (file->text) {
    *hash = ag_hash_add(AG_HASH_START, file->text, file->length);
    return true;
  }
  return ag_hash_file(file->path, hash) ||
         ag_fail(err, file->path, 0, "let it stand while achdgen runs", "cannot be read again");
}

int ag_sources_warn(const ag_sources *sources, ag_arena *arena) {
  int count = 0;
  for (int k = 0; k < sources->count; k++) {
    const ag_source *source = &sources->list[k];
    count += ag_note_print(source->file.path, source->warnings, source->nwarnings, arena);
  }
  return count;
}
