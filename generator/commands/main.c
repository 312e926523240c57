/* main.c: the achdgen program: options in, steps in order, files out. */
#define _POSIX_C_SOURCE 200809L
#include "base/files.h"
#include "check/check.h"
#include "commands/describe.h"
#include "model/plausible.h"
#include "tables/gappa.h"
#include "commands/options.h"
#include "commands/page.h"
#include "lower/lower.h"
#include "prove/prove.h"
#include "report/columns.h"
#include "report/inspect.h"
#include "report/tree_drawing.h"
#include "script/script.h"
#include "commands/simulate.h"
#include "commands/write.h"

#include <string.h>
#include <unistd.h>

/* What is odd in robot and layout, to standard error; -Werror makes an error of it. */
static bool warn(const ag_options *a, const ag_model *model, const ag_reduced *reduced,
                 const ag_script *script, ag_arena *arena, ag_err *err) {
  if (a->quiet || (a->action == AG_INSPECT && !a->strict)) return true; /* --inspect has them */
  int count = ag_note_print(model->path, model->warnings, model->nwarnings, arena);
  count += ag_note_print(model->path, reduced->warnings, reduced->nwarnings, arena);
  count += ag_sources_warn(ag_script_sources(script), arena);
  return count == 0 || !a->strict || ag_note_refuse(model->path, count, err);
}

/* What Gappa is asked to prove of the first function. */
static bool print_theorem(const ag_options *a, const ag_header *header, ag_err *err) {
  const ag_graph *graph = header->functions[0]->graph;
  if (strcmp(a->gappa, "sincos") == 0) {
    ag_gappa_sincos(header, stdout);
    return true;
  }
  double *in = ag_alloc(header->arena, (size_t)(graph->function->in.nelements + 1) * sizeof *in);
  return ag_read_state(header, graph, stdin, "standard input", in, err) &&
         ag_gappa(header, graph, a->gappa, a->box, in, stdout, err);
}

/* Whether code is asked for, or what it costs; limbs as lanes are proven, too. */
static bool is_lowered(const ag_options *a) {
  return a->action == AG_WRITE || a->action == AG_INSPECT || a->action == AG_DESCRIBE ||
         (a->action == AG_PROVE && a->target.limbs);
}

static bool run(const ag_options *a, ag_arena *arena, ag_script **script, ag_err *err) {
  if (a->description) {
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
  if (a->action == AG_PAGE) return ag_page(a, arena, err);
  ag_urdf doc;
  ag_model model;
  ag_header header;
  if (!ag_urdf_read(a->urdf, &doc, arena, err)) return false;
  if (!ag_model_build(&doc, a->snap, &model, arena, err)) return false;
  ag_plausible(&doc, &model, arena);
  if (!ag_spare_robot(a, &doc, err)) return false;
  ag_script_options options = {.layout = a->layout,
                               .name = a->name,
                               .formulation = a->formulation,
                               .one_way =
                                   a->target.branchless || (a->target.small && !a->formulation),
                               .target = a->target,
                               .functions = a->functions,
                               .nfunctions = a->nfunctions,
                               .all_functions = a->all_functions,
                               .regroup = true,
                               .casadi = a->casadi,
                               .look = a->action == AG_INSPECT};
  if (a->action == AG_INIT) {
    const char *text;
    if (!ag_script_first_layout(&model, &text, arena, err)) return false;
    fputs(text, stdout);
    return ag_flush_stdout(err);
  }
  const char *const none[] = {NULL};
  if (a->action == AG_MJCF) options.functions = none; /* the tree alone */
  if (!ag_script_build(&model, &options, &header, script, arena, err)) return false;
  for (int k = 0; a->target.batch && k < header.nfunctions; k++)
    if (header.functions[k]->after)
      return ag_fail(err, a->layout, 0, "leave --batch out", "%s solved state by state",
                     header.optimum.unknowns > 0 ? "optima are" : "bounded rows are");
  int nread;
  const ag_input_file *read = ag_all_inputs(&doc, *script, &nread, arena);
  if (!ag_spare_files("-", read, nread, err)) return false;
  if (a->action != AG_WRITE && a->action != AG_PROVE) /* looked at one after the other */
    header.target.limbs = false;
  if (is_lowered(a) && !ag_lower_functions(&header, err)) return false;
  ag_options plain;
  const bool code = a->action == AG_WRITE || a->action == AG_PROVE;
  if (code && a->target.limbs && !header.target.limbs) a = ag_without_lanes(a, &plain);
  const ag_reduced *reduced = ag_script_reduced(*script);
  const ag_model *seen = ag_script_model(*script);
  if (!warn(a, &model, reduced, *script, arena, err)) return false;
  switch (a->action) {
  case AG_INIT: /* above */
  case AG_PAGE:
    break;
  case AG_WRITE:
    if (!ag_write_header(a, &doc, &header, *script, arena, err)) return false;
    break;
  case AG_INSPECT:
    if (a->svg) {
      const ag_output drawing = {a->svg, ag_svg(seen, reduced, &header)};
      if (!ag_write_files(&drawing, 1, read, nread, err)) return false;
      if (strcmp(a->svg, "-") == 0) break;
    }
    ag_inspect(seen, reduced, &header, stdout);
    break;
  case AG_DESCRIBE: {
    const char *text;
    if (!ag_description_text(a, &doc, &header, *script, &text, arena, err)) return false;
    fputs(text, stdout);
    break;
  }
  case AG_COLUMNS:
    ag_columns(header.functions[0]->graph, stdout);
    break;
  case AG_MJCF:
    if (!ag_simulate(a, &doc, *script, arena, err)) return false;
    break;
  case AG_CHECK: {
    ag_check_report report;
    FILE *progress = !a->quiet && isatty(STDERR_FILENO) ? stderr : NULL;
    if (!ag_check(seen, &options, &header, *script, a->states, progress, &report, err))
      return false;
    ag_check_print(&report, stdout);
    if (!ag_check_passed(&report, model.path, err)) return false;
    break;
  }
  case AG_PROVE: {
    ag_proof proof;
    if (!ag_prove(&header, *script, a->points, &proof, err)) return false;
    ag_proof_print(&proof, stdout);
    if (!ag_proof_holds(&proof, model.path, err)) return false;
    break;
  }
  case AG_GAPPA:
    if (!print_theorem(a, &header, err)) return false;
    break;
  case AG_EVAL:
    if (!ag_eval_lines(&header, header.functions[0]->graph, stdin, "standard input", stdout, err))
      return false;
    break;
  }
  return ag_flush_stdout(err);
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
  ag_script *script = NULL;
  const bool ok = ag_options_parse(argc, argv, &a, &arena, &err) && run(&a, &arena, &script, &err);
  if (!ok) {
    (void)fflush(stdout); /* there is an error to tell already */
    ag_err_print(&err, stderr);
  }
  ag_script_close(script);
  ag_arena_free(&arena);
  return ok ? 0 : 1;
}
