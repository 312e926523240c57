/* SPDX-License-Identifier: MIT */
/* embedded.h: text files that are compiled into the program (script/embed.c). */
#ifndef AG_EMBEDDED_H
#define AG_EMBEDDED_H

#include <assert.h>
#include <stddef.h>

typedef struct ag_file {
  const char *name; /* "motion.lua", without folder */
  const char *text;
  size_t size;
  const char *compiled; /* of a Lua script: as lua_dump writes it; else NULL */
  size_t compiled_size;
} ag_file;

extern const ag_file ag_files[]; /* ends with name NULL */
/* The release of Lua that compiled them, as lua_ident says: only this one may load them. */
extern const char ag_compiled_by[];

/* NULL: no such file. */
const ag_file *ag_file_find(const char *name);

/* The text of a file that must be there. */
static inline const char *ag_file_text(const char *name) {
  const ag_file *file = ag_file_find(name);
  assert(file);
  return file->text;
}

#endif
