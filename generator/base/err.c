/* SPDX-License-Identifier: MIT */
/* err.c: see err.h */
#include "base/err.h"

#include <stdarg.h>

bool ag_fail(ag_err *err, const char *file, int line, const char *remedy, const char *what, ...) {
  if (err->set) return false;
  err->set = true;
  err->line = line;
  snprintf(err->file, sizeof err->file, "%s", file ? file : "");
  snprintf(err->remedy, sizeof err->remedy, "%s", remedy ? remedy : "");
  va_list args;
  va_start(args, what);
  vsnprintf(err->what, sizeof err->what, what, args);
  va_end(args);
  return false;
}

void ag_err_print(const ag_err *err, FILE *to) {
  if (err->file[0] == '\0')
    fprintf(to, "achdgen: error: %s\n", err->what);
  else if (err->line > 0)
    fprintf(to, "%s:%d: error: %s\n", err->file, err->line, err->what);
  else
    fprintf(to, "%s: error: %s\n", err->file, err->what);
  if (err->remedy[0] != '\0') fprintf(to, "  remedy: %s\n", err->remedy);
}
