/* SPDX-License-Identifier: MIT */
/* run_folder.c: see run_folder.h */
#include "run_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void append(char text[RUN_FOLDER_TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, RUN_FOLDER_TEXT - used, format, arguments);
  va_end(arguments);
}

/* A text of JSON; those of tests have no control characters. */
static const char *quoted(const char *text, char to[1024]) {
  size_t length = 0;
  to[length++] = '"';
  for (; *text && length + 4 < 1024; text++) {
    if (*text == '"' || *text == '\\') to[length++] = '\\';
    to[length++] = *text;
  }
  to[length++] = '"';
  to[length] = 0;
  return to;
}

static const char *path_in(const run_folder *run, const char *name, char path[1024]) {
  snprintf(path, 1024, "%s/%s", run->folder, name);
  return path;
}

bool run_folder_open(run_folder *run, const char *folder, const achd_loop_setup *setup,
                     const char *const *joints, run_about about) {
  char path[1024];
  memset(run, 0, sizeof *run);
  run->setup = setup;
  run->folder = folder;
  run->title = about.title, run->text = about.text;
  run->source = about.source, run->command = about.command;
  const achd_log_setup log = {.signals = run->signals,
                              .nsignals = achd_loop_signals(setup, joints, run->signals),
                              .times = run->times,
                              .values = run->values,
                              .capacity = RUN_FOLDER_ROWS,
                              .keep = ACHD_LOG_OLDEST};
  achd_cycle_times_start(&run->computing, 1000000);
  return achd_log_start(&run->log, &log) == ACHD_LOG_OK &&
         achd_log_file_open(&run->file, path_in(run, "log.csv", path), ACHD_LOG_CSV, &run->log) ==
             ACHD_LOG_OK;
}

bool run_folder_record(run_folder *run, const achd_loop *loop, double time) {
  achd_real row[ACHD_LOOP_SIGNALS];
  achd_loop_values(loop, row);
  if (achd_log_rows(&run->log) == RUN_FOLDER_ROWS)
    if (achd_log_file_write(&run->file, &run->log) != ACHD_LOG_OK) return false;
  return achd_log_put(&run->log, (int64_t)llround(1e9 * time), row) == ACHD_LOG_OK;
}

void run_folder_compare(run_folder *run, const char *quantity, const char *unit, double published,
                        double ours, const char *bound, bool holds) {
  char name[1024], of[1024], limit[1024], number[32] = "null";
  if (isfinite(published)) snprintf(number, sizeof number, "%.9g", published);
  append(run->table,
         "%s\n    {\"quantity\": %s, \"unit\": %s, \"published\": %s, \"ours\": %.9g, "
         "\"bound\": %s, \"holds\": %s}",
         *run->table ? "," : "", quoted(quantity, name), quoted(unit, of), number, ours,
         quoted(bound, limit), holds ? "true" : "false");
}

void run_folder_frame(run_folder *run, const char *name, const achd_pose *pose, double tube,
                      double length) {
  char text[1024];
  const achd_real(*R)[3] = pose->R.m;
  append(run->frames,
         "%s\n    {\"name\": %s, \"p\": [%.9g, %.9g, %.9g], \"R\": [[%.9g, %.9g, %.9g], "
         "[%.9g, %.9g, %.9g], [%.9g, %.9g, %.9g]], \"tube\": %.9g, \"length\": %.9g}",
         *run->frames ? "," : "", quoted(name, text), (double)pose->p[0], (double)pose->p[1],
         (double)pose->p[2], (double)R[0][0], (double)R[0][1], (double)R[0][2], (double)R[1][0],
         (double)R[1][1], (double)R[1][2], (double)R[2][0], (double)R[2][1], (double)R[2][2], tube,
         length);
}

static void write_text(FILE *file, const char *word, const char *text) {
  char to[1024];
  if (text) fprintf(file, "  \"%s\": %s,\n", word, quoted(text, to));
}

static void write_cycles(FILE *file, const achd_cycle_times *t) {
  fprintf(file,
          "  \"cycles\": [{\"name\": \"computing a cycle\", \"count\": %" PRIu32
          ", \"limit\": %" PRId64 ", \"overruns\": %" PRIu32 ", \"latest\": %" PRId64
          ",\n    \"p50\": %" PRId64 ", \"p99\": %" PRId64 ", \"p999\": %" PRId64
          ", \"longest\": %" PRId64 "}],\n",
          t->count, t->limit, t->overruns, t->latest, achd_cycle_times_percentile(t, 500),
          achd_cycle_times_percentile(t, 990), achd_cycle_times_percentile(t, 999), t->longest);
}

bool run_folder_close(run_folder *run) {
  char path[1024], name[1024];
  bool good = achd_log_file_write(&run->file, &run->log) == ACHD_LOG_OK;
  good = achd_log_file_close(&run->file) == ACHD_LOG_OK && good;
  FILE *file = fopen(path_in(run, "run.json", path), "w");
  if (!file) return false;
  fprintf(file, "{\n  \"title\": %s,\n", quoted(run->title, name));
  write_text(file, "text", run->text);
  write_text(file, "source", run->source);
  write_text(file, "command", run->command);
  fprintf(file, "  \"states\": [");
  for (int s = 0; s < run->setup->machine->nstates; s++)
    fprintf(file, "%s%s", s > 0 ? ", " : "", quoted(run->setup->machine->states[s], name));
  fprintf(file, "],\n  \"frames\": [%s],\n  \"table\": [%s],\n", run->frames, run->table);
  if (run->computing.count > 0) write_cycles(file, &run->computing);
  fprintf(file, "  \"base\": {\"p\": [0, 0, 0], \"R\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n}\n");
  good = !ferror(file) && good;
  return fclose(file) == 0 && good;
}
