/* urdf_bytes.c: see urdf_bytes.h */
#define _POSIX_C_SOURCE 200809L
#include "model/urdf_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 32 << 20, MOST_ATTRIBUTES = 1000 };

/* libxml2 compares each attribute of an element with all others of it, before it calls us: so many
 * are refused before. An attribute has a =, and no < stands within one. */
static bool check_attributes(const char *path, const char *bytes, size_t size, ag_err *err) {
  bool comment = false;
  int line = 1, count = 0;
  for (size_t i = 0; i < size; ++i) {
    line += bytes[i] == '\n';
    if (comment) {
      comment = !(i >= 2 && memcmp(bytes + i - 2, "-->", 3) == 0);
    } else if (bytes[i] == '<') {
      count = 0;
      comment = size - i >= 4 && memcmp(bytes + i, "<!--", 4) == 0;
    } else if (bytes[i] == '=' && ++count > MOST_ATTRIBUTES) {
      return ag_fail(err, path, line, "is this the right file?",
                     "an element has more than %d attributes", MOST_ATTRIBUTES);
    }
  }
  return true;
}

bool ag_urdf_bytes(const char *path, bool standard, char **bytes, size_t *size, ag_arena *arena, ag_err *err) {
  struct stat about;
  FILE *file = standard ? stdin : fopen(path, "rb");
  if (!file)
    return ag_fail(err, path, 0, "check the name of the file and the folder you are in",
                   "cannot open the file: %s", strerror(errno));
  if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
    if (!standard) fclose(file);
    return ag_fail(err, path, 0, "name a URDF file in it", "this is a folder");
  }
  size_t room = 1 << 16, used = 0, got;
  char *text = ag_alloc(arena, room);
  while (used <= MOST_BYTES && (got = fread(text + used, 1, room - used, file)) > 0) {
    used += got;
    if (used < room) continue;
    text = ag_grow(arena, text, used, 2 * room);
    room *= 2;
  }
  const bool broken = ferror(file) != 0;
  if (!standard) fclose(file);
  if (broken) return ag_fail(err, path, 0, NULL, "cannot read the file: %s", strerror(errno));
  if (used == 0)
    return ag_fail(err, path, 0, "if a program makes it, see what that program says",
                   "the file is empty");
  if (used > MOST_BYTES)
    return ag_fail(err, path, 0, "a URDF keeps its meshes in other files",
                   "the file is larger than %d MB", MOST_BYTES >> 20);
  *bytes = text;
  *size = used;
  return check_attributes(path, text, used, err);
}
