/* SPDX-License-Identifier: MIT */
/* depfile.c: see depfile.h */
#include "tables/depfile.h"

#include "base/text.h"

/* A path with Make's special characters escaped, where all of Make, Ninja and CMake agree. */
static bool add_path(ag_text *text, const char *path, ag_err *err) {
  for (const char *c = path; *c; c++) {
    if ((unsigned char)*c < ' ' || *c == '\\')
      return ag_fail(err, path, 0, "rename it, or leave out --depfile",
                     "the path has a character that Make does not take");
    if (*c == ' ' || *c == '#' || *c == ':') ag_text_add(text, "\\");
    if (*c == '$') ag_text_add(text, "$");
    ag_text_put(text, c, 1);
  }
  return true;
}

bool ag_depfile_text(const ag_rule *rule, const char **text, ag_arena *arena, ag_err *err) {
  const ag_input_file *inputs = rule->inputs;
  ag_text rules = {.arena = arena};
  for (int i = 0; i < rule->ntargets; i++) {
    ag_text_add(&rules, "%s", i ? " " : "");
    if (!add_path(&rules, rule->targets[i], err)) return false;
  }
  ag_text_add(&rules, ":");
  for (int i = 0; i < rule->ninputs; i++) {
    if (inputs[i].text) continue; /* standard input is no file */
    ag_text_add(&rules, " \\\n  ");
    if (!add_path(&rules, inputs[i].path, err)) return false;
  }
  ag_text_add(&rules, "\n");
  for (int i = 0; i < rule->ninputs; i++) {
    if (inputs[i].text) continue; /* standard input is no file */
    ag_text_add(&rules, "\n");
    if (!add_path(&rules, inputs[i].path, err)) return false;
    ag_text_add(&rules, ":\n");
  }
  *text = rules.chars;
  return true;
}
