/* embedded.h: text files that CMake compiles into the program (embed.cmake). */
#ifndef AG_EMBEDDED_H
#define AG_EMBEDDED_H

#include <assert.h>
#include <stddef.h>

typedef struct ag_file {
  const char *name; /* "motion.lua", without folder */
  const char *text;
  size_t size;
} ag_file;

extern const ag_file ag_files[]; /* ends with name NULL */

/* NULL: no such file. */
const ag_file *ag_file_find(const char *name);

/* The text of a file that must be there. */
static inline const char *ag_file_text(const char *name) {
  const ag_file *file = ag_file_find(name);
  assert(file);
  return file->text;
}

#endif
