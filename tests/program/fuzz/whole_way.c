/* SPDX-License-Identifier: MIT */
/* whole_way.c: see whole_way.h */
#include "whole_way.h"

#include "commands/describe.h"
#include "tables/coord2b_tables.h"
#include "tables/fsm_text.h"
#include "tables/machine_tables.h"
#include "tables/task_tables.h"
#include "graph/eval.h"
#include "emit/header.h"
#include "report/inspect.h"
#include "lower/lower.h"
#include "report/machine_drawing.h"
#include "script/script.h"
#include "report/tree_drawing.h"
#include "model/robot_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put_file(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static FILE *nowhere(void) {
  static FILE *file;
  if (!file) file = fopen("/dev/null", "w");
  if (!file) abort();
  return file;
}

static void check_error(const ag_err *err) {
  if (err->set && err->what[0] != '\0' && strncmp(err->what, "internal:", 9) != 0) return;
  ag_err_print(err, stderr);
  abort();
}

static void evaluate(const ag_header *header, const ag_graph *graph, ag_arena *arena) {
  double *in = ag_alloc(arena, ((size_t)graph->function->in.nelements + 1) * sizeof *in);
  double *out = ag_alloc(arena, ((size_t)graph->function->out.nelements + 1) * sizeof *out);
  double *work = ag_alloc(arena, ((size_t)graph->dag.count + 1) * sizeof *work);
  (void)ag_eval(graph, header->target.single, in, out, work);
}

/* With ACHD_PLANT, a defect behind all steps: fuzzing has to find it (fuzz.sh). It writes too far for an input that says something else than
 * the first that was good: as a layout, how many rows there are; as a robot, how heavy its links are. */
static void planted(double said, FILE *to) {
#ifdef ACHD_PLANT
  static double first = NAN;
  if (isnan(first)) first = said;
  char *copy = malloc(4);
  if (!copy) abort();
  strcpy(copy, said != first ? "four" : "one");
  fputs(copy, to); /* else a compiler leaves all of it out */
  free(copy);
#else
  (void)said, (void)to;
#endif
}

/* Masses, first and second moments of all links, added up. */
static double inertias(const ag_model *model) {
  double sum = 0;
  for (int i = 0; i < model->nlinks; i++) {
    const ag_inertia *of = &model->links[i].inertia;
    sum += of->m;
    for (int k = 0; k < 3; k++) sum += of->h[k];
    for (int k = 0; k < 6; k++) sum += of->I[k];
  }
  return sum;
}

static bool build(const char *urdf, unsigned choice, const ag_script_options *options,
                  ag_script **script, FILE *nowhere, ag_arena *arena, ag_err *err) {
  ag_urdf doc;
  ag_model model;
  ag_header header;
  if (!ag_robot_read(urdf, true, &doc, arena, err) ||
      !ag_model_build(&doc, choice % 5 != 0, &model, arena, err) ||
      !ag_script_build(&model, options, &header, script, arena, err))
    return false;
  if (!ag_lower_functions(&header, err)) return false;
  for (int k = 0; k < header.nfunctions; k++) evaluate(&header, header.functions[k]->graph, arena);
  const ag_header_options how = {
      .mode = (ag_mode)(choice % 3), .file = "fuzzed.h", .command = "achdgen fuzzed.urdf"};
  const char *text, *body;
  if (!ag_header_text(&header, &how, &text, &body, err)) return false;
  const ag_reduced *reduced = ag_script_reduced(*script);
  ag_inspect(&model, reduced, &header, nowhere);
  fputs(ag_svg(&model, reduced, &header), nowhere);
  planted(options->layout ? header.nrows : inertias(&model), nowhere);
  return true;
}

void whole_way(const char *urdf, const char *layout, unsigned choice) {
  static const char *const functions[4][3] = {
      {"achd"}, {"fk", "jac", "jdqd"}, {"id", "gravity", "bias"}, {"crba", "energy", "fd"}};
  const unsigned kind = choice % 8 < 4 ? 0 : choice % 4;
  const ag_script_options options = {
      .layout = layout,
      .functions = functions[kind],
      .nfunctions = kind == 0 ? 1 : 3,
      .target = {.single = choice % 7 == 0, .batch = choice % 3 == 0 ? 4 : 0},
      .regroup = true};
  ag_arena arena = {0};
  ag_err err = {0};
  ag_script *script = NULL;
  if (!build(urdf, choice, &options, &script, nowhere(), &arena, &err)) check_error(&err);
  ag_script_close(script);
  ag_arena_free(&arena);
}

/* What a description says, as one number: its numbers, and its letters weighed by their places. */
static double survey(const ag_value *value) {
  double sum = 0;
  if (value->type == AG_VALUE_NUMBER && isfinite(value->number)) sum += value->number;
  for (size_t i = 0; value->type == AG_VALUE_TEXT && value->text[i]; i++)
    sum += (double)(i + 1) * (unsigned char)value->text[i];
  for (int i = 0; value->type == AG_VALUE_TABLE && i < value->count; i++)
    sum += survey(&value->items[i]);
  return sum;
}

void whole_description(const char *path, int kind) {
  FILE *to = nowhere();
  ag_arena arena = {0};
  ag_err err = {0};
  ag_value value;
  ag_sources sources;
  const ag_told told = {.path = path, .module = kind == AG_MACHINE ? "machine" : "task"};
  if (ag_script_describe(&told, &value, &sources, &arena, &err)) {
    fputs(kind == AG_MACHINE ? ag_machine_body(&value, &arena) : ag_task_body(&value, &arena), to);
    if (kind == AG_MACHINE) fputs(ag_coord2b_body(&value, &arena), to);
    if (kind == AG_MACHINE) fputs(ag_machine_svg(&value, &arena), to);
    planted(survey(&value), to);
  } else {
    check_error(&err);
  }
  ag_arena_free(&arena);
}

/* Whether a file is a good machine; its text, written again. */
static bool written_again(const char *path, const char **text, FILE *to, ag_arena *arena,
                          ag_err *err) {
  ag_value value;
  ag_sources sources;
  const ag_told told = {.path = path, .module = "fsm"};
  if (!ag_script_describe(&told, &value, &sources, arena, err)) return false;
  fputs(ag_machine_body(&value, arena), to);
  fputs(ag_coord2b_body(&value, arena), to);
  *text = ag_fsm_text(&value, "fuzzed.fsm", arena);
  planted(survey(&value), to);
  return true;
}

void whole_fsm(const char *path) {
  ag_arena arena = {0};
  ag_err err = {0};
  const char *text = NULL, *again = NULL;
  if (!written_again(path, &text, nowhere(), &arena, &err)) {
    check_error(&err);
  } else {
    put_file("written.fsm", text, strlen(text));
    if (!written_again("written.fsm", &again, nowhere(), &arena, &err) ||
        strcmp(text, again) != 0) {
      ag_err_print(&err, stderr);
      fputs(text, stderr);
      abort();
    }
  }
  ag_arena_free(&arena);
}
