/* SPDX-License-Identifier: MIT */
/* page.c: see page.h */
#define _POSIX_C_SOURCE 200809L
#include "commands/page.h"

#include "base/text.h"
#include "graph/functions.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *const program = "achd-page";

bool ag_page(const ag_options *a, ag_arena *arena, ag_err *err) {
  char self[PATH_MAX + 1] = "achdgen";
  const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX);
  self[length > 0 ? length : 7] = '\0';
  const int folder = (int)(strlen(self) - strlen(ag_base_name(self)));
  const char *const places[] = {ag_printf(arena, "%.*s%s", folder, self, program),
                                ag_printf(arena, "%.*sreport/%s", folder, self, program), program};
  const char *list = a->all_functions ? "all" : NULL;
  for (int k = 0; k < a->nfunctions; k++)
    if (!ag_function_follows(a->functions[k]))
      list = list ? ag_printf(arena, "%s,%s", list, a->functions[k]) : a->functions[k];
  const char *const options[][2] = {{"--layout", a->layout}, {"--functions", list}};
  const char *arguments[11] = {program, a->urdf, "-o", a->page, "--achdgen", self};
  for (int k = 0, count = 6; k < 2; k++)
    if (options[k][1]) {
      arguments[count++] = options[k][0];
      arguments[count++] = options[k][1];
    }
  char *const *words = (char *const *)(const void *)arguments; /* execv changes none of them */
  if (folder > 0 && access(places[0], X_OK) == 0) (void)execv(places[0], words);
  if (folder > 0 && access(places[1], X_OK) == 0) (void)execv(places[1], words);
  (void)execvp(places[2], words);
  return ag_fail(
      err, "", 0,
      "in the project's folder: sh tests/install.sh report && cmake -S . -B build "
      "-DACHD_REPORT=ON && cmake --build build && cmake --install build (docs/report.md); or put "
      "achd-page on PATH",
      "--page needs the program achd-page, which cannot be run: %s", strerror(errno));
}
