/* SPDX-License-Identifier: MIT */
/* scripts_from_folder.c: with this linked before the generator's library, achdgen reads its scripts
 * and templates (embedded.h) from folders in place of what is built in: mutants.sh changes them
 * there.
 */
#include "base/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256 };
static ag_file loaded[MOST_FILES];
const ag_file ag_files[] = {{NULL, NULL, 0, NULL, 0}};
const char ag_compiled_by[] = ""; /* all are read as text */

static char *slurp(const char *folder, const char *name, size_t *size) {
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path) return NULL;
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t room = 1 << 16;
  char *text = malloc(room);
  *size = 0;
  while (text) {
    *size += fread(text + *size, 1, room - *size - 1, file);
    if (*size < room - 1) break;
    text = realloc(text, room *= 2);
  }
  fclose(file);
  if (text) text[*size] = '\0';
  return text;
}

/* $ACHD_SCRIPTS has the Lua scripts, $ACHD_TEMPLATES the templates. */
const ag_file *ag_file_find(const char *name) {
  int k = 0;
  for (; k < MOST_FILES && loaded[k].name; k++)
    if (strcmp(loaded[k].name, name) == 0) return &loaded[k];
  if (k == MOST_FILES) {
    fprintf(stderr, "%s: more than %d scripts and templates\n", __FILE__, MOST_FILES);
    exit(2);
  }
  const char *folders[] = {getenv("ACHD_SCRIPTS"), getenv("ACHD_TEMPLATES")};
  for (int i = 0; i < 2; i++) {
    size_t size = 0;
    char *text = folders[i] ? slurp(folders[i], name, &size) : NULL;
    if (!text) continue;
    char *copy = malloc(strlen(name) + 1);
    if (!copy) return NULL;
    loaded[k] = (ag_file){strcpy(copy, name), text, size, NULL, 0};
    return &loaded[k];
  }
  return NULL;
}
