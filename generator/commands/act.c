/* SPDX-License-Identifier: MIT */
/* act.c: see act.h */
#define _POSIX_C_SOURCE 200809L
#include "commands/act.h"

#include "base/files.h"
#include "check/check.h"
#include "commands/loop.h"
#include "commands/simulate.h"
#include "commands/write.h"
#include "emit/formulas.h"
#include "prove/proof_text.h"
#include "report/columns.h"
#include "report/inspect.h"
#include "report/tree_drawing.h"
#include "tables/gappa.h"

#include <string.h>
#include <unistd.h>

/* What Gappa has to prove of the first function. */
static bool print_theorem(const ag_options *a, const ag_header *header, ag_err *err) {
  const ag_graph *graph = header->functions[0]->graph;
  if (strcmp(a->gappa, "sincos") == 0) {
    ag_gappa_sincos(header, stdout);
    return true;
  }
  double *in = ag_alloc(header->arena, (size_t)(graph->function->in.nelements + 1) * sizeof *in);
  return ag_read_state(header, graph, stdin, "standard input", in, err) &&
         ag_gappa(header, graph, a->gappa, &(ag_input_box){in, a->box}, stdout, err);
}

static bool inspect(const ag_options *a, const ag_built *r, ag_arena *arena, ag_err *err) {
  const ag_model *model = ag_script_model(r->script);
  const ag_reduced *reduced = ag_script_reduced(r->script);
  if (a->svg) {
    int nread;
    const ag_input_file *read = ag_all_inputs(&r->doc, r->script, &nread, arena);
    const ag_output drawing = {a->svg, ag_svg(model, reduced, &r->header)};
    if (!ag_write_files(&drawing, 1, read, nread, err)) return false;
    if (strcmp(a->svg, "-") == 0) return true;
  }
  ag_inspect(model, reduced, &r->header, stdout);
  return true;
}

static bool print_description(const ag_options *a, const ag_built *r, ag_err *err) {
  const char *text;
  if (!ag_description_text(a, &r->doc, &r->header, r->script, &text, err)) return false;
  fputs(text, stdout);
  return true;
}

static bool check(const ag_options *a, const ag_built *r, ag_err *err) {
  ag_check_report report;
  FILE *progress = !a->quiet && isatty(STDERR_FILENO) ? stderr : NULL;
  const ag_checked all = {ag_script_model(r->script), &r->options, &r->header, r->script};
  if (!ag_check(&all, a->states, progress, &report, err)) return false;
  ag_check_print(&report, stdout);
  return ag_check_passed(&report, r->model.path, err);
}

static bool prove(const ag_options *a, ag_built *r, ag_err *err) {
  ag_proof proof;
  if (!ag_prove(&r->header, r->script, a->points, &proof, err)) return false;
  ag_proof_print(&proof, stdout);
  return ag_proof_holds(&proof, r->model.path, err);
}

bool ag_act(const ag_options *a, ag_built *r, ag_arena *arena, ag_err *err) {
  const ag_graph *first = r->header.nfunctions > 0 ? r->header.functions[0]->graph : NULL;
  switch (a->action) {
  case AG_INIT: /* before there are functions */
  case AG_LOSSES:
  case AG_COMPARE:
  case AG_PAGE:
    return true;
  case AG_WRITE:
    return ag_write_header(a, &r->doc, &r->header, r->script, arena, err);
  case AG_INSPECT:
    return inspect(a, r, arena, err);
  case AG_DESCRIBE:
    return print_description(a, r, err);
  case AG_COLUMNS:
    ag_columns(first, stdout);
    return true;
  case AG_MJCF:
  case AG_CAPSULES:
    return ag_simulate(a, &r->doc, r->header.prefix, r->script, arena, err);
  case AG_LOOP:
    return ag_loop(a, &r->doc, &r->header, r->script, arena, err);
  case AG_CHECK:
    return check(a, r, err);
  case AG_PROVE:
    return prove(a, r, err);
  case AG_GAPPA:
    return print_theorem(a, &r->header, err);
  case AG_FORMULAS:
    return ag_formulas(&r->header, r->header.plans[0], a->formulas, stdout, err);
  case AG_EVAL:
    return ag_eval_lines(&r->header, first, stdin, "standard input", stdout, err);
  }
  return true;
}
