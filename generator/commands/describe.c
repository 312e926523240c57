/* SPDX-License-Identifier: MIT */
/* describe.c: see describe.h */
#include "commands/describe.h"

#include "emit/banner.h"
#include "tables/coord2b_tables.h"
#include "tables/depfile.h"
#include "tables/fsm_text.h"
#include "tables/machine_tables.h"
#include "base/files.h"
#include "base/version.h"
#include "script/script.h"
#include "tables/task_tables.h"
#include "report/machine_drawing.h"
#include "report/machine_graph.h"

#include <string.h>

static const char *const scripts[] = {[AG_MACHINE] = "machine", [AG_TASK] = "task"};

/* A state machine of coord-dsl has a language of its own. */
static bool is_fsm(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".fsm") == 0;
}

bool ag_describe(const ag_description *d, ag_arena *arena, ag_err *err) {
  const char *script = scripts[d->kind], *rule = NULL;
  ag_value value;
  ag_sources sources;
  int ninputs;
  const char *reader = d->kind == AG_MACHINE && is_fsm(d->path) ? "fsm" : script;
  const ag_told told = {.path = d->path, .module = reader};
  if (!ag_script_describe(&told, &value, &sources, arena, err)) return false;
  if (!d->quiet) {
    const int warnings = ag_sources_warn(&sources, arena);
    if (warnings > 0 && d->strict) return ag_note_refuse(d->path, warnings, err);
  }
  const ag_input_file *inputs = ag_sources_files(&sources, &ninputs, arena);
  const bool to_stdout = d->output && strcmp(d->output, "-") == 0;
  const char *own_name =
      ag_printf(arena, "%s_%s.h", ag_value_text(&value, "name"), d->coord2b ? "coord2b" : script);
  const char *path = d->output && !to_stdout ? d->output : own_name;
  const char *body = d->kind == AG_TASK ? ag_task_body(&value, arena)
                     : d->coord2b       ? ag_coord2b_body(&value, arena)
                                        : ag_machine_body(&value, arena);
  const ag_banner banner = {
      .file = ag_base_name(path), .command = d->command, .inputs = inputs, .ninputs = ninputs};
  ag_text text = {.arena = arena};
  if (!ag_banner_add(&text, &banner, body, err)) return false;
  ag_text_add(&text,
              " * licence this file is yours, without conditions\n * " AG_EMITTED_LICENCE " */\n%s",
              body);
  const ag_rule made = {&path, 1, inputs, ninputs};
  if (d->depfile && !ag_depfile_text(&made, &rule, arena, err)) return false;
  const ag_output wanted[] = {
      {d->depfile, rule},
      {d->svg, d->svg ? ag_machine_svg(&value, arena) : NULL},
      {d->dot, d->dot ? ag_machine_dot(&value, arena) : NULL},
      {d->mermaid, d->mermaid ? ag_machine_mermaid(&value, arena) : NULL},
      {d->fsm, d->fsm ? ag_fsm_text(&value, ag_base_name(d->path), arena) : NULL},
      {to_stdout ? "-" : path, text.chars},
  };
  enum { MOST = sizeof wanted / sizeof *wanted };
  ag_output files[MOST];
  int count = 0;
  for (int k = 0; k < MOST; k++)
    if (wanted[k].path) files[count++] = wanted[k];
  return ag_write_files(files, count, inputs, ninputs, err);
}
