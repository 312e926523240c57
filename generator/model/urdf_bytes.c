/* SPDX-License-Identifier: MIT */
/* urdf_bytes.c: see urdf_bytes.h */
#define _POSIX_C_SOURCE 200809L
#include "model/urdf_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 32 << 20, MOST_ATTRIBUTES = 1000 };

typedef struct mender {
  char *bytes;
  size_t size;
  ag_note *notes;
  int nnotes;
  ag_arena *arena;
} mender;

#define WARN(m, line, ...) ag_note_add(&(m)->notes, &(m)->nnotes, (m)->arena, line, __VA_ARGS__)

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Overwrites bytes from `from` to `to` by blanks; lines stay where they are. */
static void blank_out(char *from, const char *to) {
  for (; from < to; ++from)
    if (*from != '\n' && *from != '\r') *from = ' ';
}

/* The first place of `what` in [from, end); NULL: none. */
static char *find_text(char *from, const char *end, const char *what) {
  const size_t length = strlen(what);
  for (; from + length <= end; ++from)
    if (*from == what[0] && memcmp(from, what, length) == 0) return from;
  return NULL;
}

static int line_at(const char *bytes, const char *at) {
  int line = 1;
  for (; bytes < at; ++bytes) line += *bytes == '\n';
  return line;
}

/* Comments say nothing about the robot. With -- in them they are no XML, but vendors write them. */
static void drop_comments(mender *m) {
  char *const bytes = m->bytes;
  const char *const end = bytes + m->size;
  int warned = 0;
  for (char *at = bytes, *close; (at = find_text(at, end, "<!--")) != NULL; at = close) {
    close = find_text(at + 4, end, "-->");
    if (!close) return; /* the parser says so */
    const char *dashes = find_text(at + 4, end, "--");
    if (dashes < close && warned++ == 0)
      WARN(m, line_at(bytes, dashes),
           "a comment has -- in it, which XML forbids: read all the same, but other programs may "
           "refuse the file");
    close += 3;
    blank_out(at, close);
  }
}

/* <?xml version="1.0"?> must be the first bytes, and no other version was ever given to URDFs. */
static void mend_declaration(mender *m) {
  char *const bytes = m->bytes, *const end = bytes + m->size, *at = bytes;
  while (at < end && is_blank(*at)) ++at;
  if (at + 6 > end || memcmp(at, "<?xml", 5) != 0 || !is_blank(at[5])) return;
  char *close = find_text(at, end, "?>");
  if (!close) return;
  char *version = find_text(at, close, "version");
  if (version) version += strlen("version");
  while (version && version < close && (is_blank(*version) || *version == '=')) ++version;
  char *last = version && version < close && (*version == '"' || *version == '\'')
                   ? memchr(version + 1, *version, (size_t)(close - version - 1))
                   : NULL;
  if (last && last - version >= 4 && memcmp(version + 1, "1.", 2) != 0) {
    WARN(m, line_at(bytes, at), "there is no XML version %.*s: read as \"1.0\"; write that",
         (int)(last + 1 - version < 40 ? last + 1 - version : 40), version);
    const char quote = *last;
    memcpy(version + 1, "1.0", 3);
    version[4] = quote;
    blank_out(version + 5, last + 1);
  }
  if (at == bytes) return;
  WARN(m, line_at(bytes, at), "<?xml ...?> is not at the very start of the file: ignored");
  blank_out(at, close + 2);
}

/* libxml2 compares each attribute of an element with all others of it, before it calls us: so many
 * are refused before. An attribute has a =, and no < stands within one. */
static bool check_attributes(const char *path, const char *bytes, size_t size, ag_err *err) {
  int line = 1, count = 0;
  for (size_t i = 0; i < size; ++i) {
    line += bytes[i] == '\n';
    if (bytes[i] == '<') {
      count = 0;
    } else if (bytes[i] == '=' && ++count > MOST_ATTRIBUTES) {
      return ag_fail(err, path, line, "is this the right file?",
                     "an element has more than %d attributes", MOST_ATTRIBUTES);
    }
  }
  return true;
}

bool ag_is_regular(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool ag_urdf_bytes(ag_bytes *file, bool standard, ag_arena *arena, ag_err *err) {
  const char *path = file->path;
  struct stat about;
  FILE *from = standard ? stdin : fopen(path, "rb");
  if (!from)
    return ag_fail(err, path, 0, "check the name of the file and the folder you are in",
                   "cannot open the file: %s", strerror(errno));
  if (fstat(fileno(from), &about) == 0 && S_ISDIR(about.st_mode)) {
    if (!standard) fclose(from);
    return ag_fail(err, path, 0, "name a URDF file in it", "this is a folder");
  }
  size_t room = 1 << 16, used = 0, got;
  char *text = ag_alloc(arena, room);
  while (used <= MOST_BYTES && (got = fread(text + used, 1, room - used, from)) > 0) {
    used += got;
    if (used < room) continue;
    text = ag_grow(arena, text, used, 2 * room);
    room *= 2;
  }
  const bool broken = ferror(from) != 0;
  if (!standard) fclose(from);
  if (broken) return ag_fail(err, path, 0, NULL, "cannot read the file: %s", strerror(errno));
  if (used == 0)
    return ag_fail(err, path, 0, "if a program generates it, check the messages of that program",
                   "the file is empty");
  if (used > MOST_BYTES)
    return ag_fail(err, path, 0, "a URDF keeps its meshes in other files",
                   "the file is larger than %d MB", MOST_BYTES >> 20);
  file->bytes = text;
  file->size = used;
  return true;
}

bool ag_urdf_mend(ag_bytes *file, ag_note **notes, int *nnotes, ag_arena *arena, ag_err *err) {
  mender m = {file->bytes, file->size, *notes, *nnotes, arena};
  drop_comments(&m);
  mend_declaration(&m);
  *notes = m.notes;
  *nnotes = m.nnotes;
  return check_attributes(file->path, file->bytes, file->size, err);
}
