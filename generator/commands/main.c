/* SPDX-License-Identifier: MIT */
/* main.c: the achdgen program: options in, steps in order, files out. */
#define _POSIX_C_SOURCE 200809L
#include "base/files.h"
#include "check/compare.h"
#include "commands/act.h"
#include "commands/describe.h"
#include "commands/kdl.h"
#include "model/robot_file.h"
#include "commands/options.h"
#include "commands/page.h"
#include "lower/choice.h"
#include "lower/lower.h"
#include "report/inspect.h"
#include "script/script.h"
#include "commands/write.h"

/* What is odd in robot and layout, to standard error; -Werror makes an error of it. */
static bool warn(const ag_options *a, const ag_model *model, const ag_reduced *reduced,
                 const ag_script *script, ag_arena *arena, ag_err *err) {
  if (a->quiet) return true;
  int count = 0;
  if (a->action != AG_INSPECT || a->strict) { /* --inspect has the robot's */
    count += ag_note_print(model->path, model->warnings, model->nwarnings, arena);
    count += ag_note_print(model->path, reduced->warnings, reduced->nwarnings, arena);
  }
  count += ag_sources_warn(ag_script_sources(script), arena);
  return count == 0 || !a->strict || ag_note_refuse(model->path, count, err);
}

/* Whether code is requested, or what it costs; limbs as lanes are proven, too. */
static bool is_lowered(const ag_options *a) {
  return a->action == AG_WRITE || a->action == AG_INSPECT || a->action == AG_FORMULAS ||
         a->action == AG_DESCRIBE ||
         (a->action == AG_PROVE && (a->target.limbs || a->target.cache > 0));
}

static bool describe(const ag_options *a, ag_arena *arena, ag_err *err) {
  const ag_description description = {.kind = a->kind,
                                      .path = a->description,
                                      .coord2b = a->coord2b,
                                      .output = a->output,
                                      .svg = a->svg,
                                      .dot = a->dot,
                                      .mermaid = a->mermaid,
                                      .fsm = a->fsm,
                                      .depfile = a->depfile,
                                      .quiet = a->quiet,
                                      .strict = a->strict,
                                      .command = a->command};
  return ag_describe(&description, arena, err);
}

static bool read_robot(const ag_options *a, ag_built *r, ag_arena *arena, ag_err *err) {
  return ag_robot_model(a->urdf, a->snap, &r->doc, &r->model, arena, err) &&
         ag_spare_robot(a, &r->doc, err);
}

static bool print_first(const char *what, const ag_built *r, ag_arena *arena, ag_err *err) {
  const char *text;
  if (!ag_script_first(&r->model, what, &text, arena, err)) return false;
  fputs(text, stdout);
  return true;
}

static bool compare(const ag_options *a, const ag_built *r, ag_arena *arena, ag_err *err) {
  ag_urdf doc;
  ag_model other;
  int count;
  if (!ag_robot_model(a->other, a->snap, &doc, &other, arena, err)) return false;
  if (!ag_compare(&r->model, &other, stdout, &count, arena, err)) return false;
  if (count == 0 && !a->quiet)
    fprintf(stderr, "%s and %s have the same numbers\n", a->urdf, a->other);
  return ag_flush_stdout(err);
}

/* The functions, lowered where code is requested, or what it costs. */
static bool build_functions(const ag_options *a, ag_built *r, ag_arena *arena, ag_err *err) {
  static const char *const none[] = {NULL}, *of_loop[] = {"crba", "gravity"};
  const bool loop = a->action == AG_LOOP;
  ag_header *header = &r->header;
  r->options =
      (ag_script_options){.layout = a->layout,
                          .name = a->name,
                          .formulation = a->formulation,
                          .one_way = a->target.branchless || (a->target.small && !a->formulation),
                          .target = a->target,
                          .functions = loop      ? of_loop
                                       : a->mjcf ? none
                                                 : a->functions, /* none: the tree */
                          .nfunctions = loop ? 2 : a->nfunctions,
                          .all_functions = a->all_functions,
                          .regroup = true,
                          .casadi = a->casadi,
                          .look = a->action == AG_INSPECT};
  if (!ag_script_build(&r->model, &r->options, header, &r->script, arena, err)) return false;
  int nread;
  const ag_input_file *read = ag_all_inputs(&r->doc, r->script, &nread, arena);
  if (!ag_spare_files("-", read, nread, err)) return false;
  if (a->action != AG_WRITE && a->action != AG_PROVE) /* looked at one after the other */
    header->target.limbs = false;
  return !is_lowered(a) || ag_lower_functions(header, err);
}

/* r->script is the caller's to close, also on failure; NULL: there is none. */
static bool run(const ag_options *a, ag_built *r, ag_arena *arena, ag_err *err) {
  ag_options plain;
  if (a->description) return describe(a, arena, err);
  if (a->action == AG_PAGE) return ag_page(a, arena, err);
  if (a->kdl) return ag_kdl(a, arena, err);
  if (!read_robot(a, r, arena, err)) return false;
  if (a->action == AG_INIT) return print_first(a->first, r, arena, err) && ag_flush_stdout(err);
  if (a->action == AG_COMPARE) return compare(a, r, arena, err);
  if (a->action == AG_LOSSES) {
    ag_losses(&r->model, stdout);
    return ag_flush_stdout(err);
  }
  if (!build_functions(a, r, arena, err)) return false;
  const bool code = a->action == AG_WRITE || a->action == AG_PROVE;
  if (code && a->target.limbs && !r->header.target.limbs) a = ag_without_lanes(a, &plain);
  return warn(a, &r->model, ag_script_reduced(r->script), r->script, arena, err) &&
         ag_act(a, r, arena, err) && ag_flush_stdout(err);
}

int main(int argc, char **argv) {
  ag_arena arena = {0};
  ag_err err = {0};
  ag_options a;
  const char *description = ag_self_description(argc, argv, &arena);
  if (description) {
    fputs(description, stdout);
    if (!ag_flush_stdout(&err)) ag_err_print(&err, stderr);
    ag_arena_free(&arena);
    return err.set;
  }
  ag_built r = {.script = NULL};
  const bool ok = ag_options_parse(argc, argv, &a, &arena, &err) && run(&a, &r, &arena, &err);
  if (!ok) {
    (void)fflush(stdout); /* there is an error to tell already */
    ag_err_print(&err, stderr);
  }
  ag_script_close(r.script);
  ag_arena_free(&arena);
  return ok ? 0 : 1;
}
