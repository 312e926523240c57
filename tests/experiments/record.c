/* SPDX-License-Identifier: MIT */
/* record.c: see record.h */
#include "experiments/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t times[RECORD_ROWS];
static double values[(size_t)RECORD_ROWS * RECORD_SIGNALS];

static void start(record *r, int every) {
  r->every = every;
  r->cycle = 0;
  const achd_log_setup setup = {.signals = r->signals,
                                .nsignals = r->nsignals,
                                .times = times,
                                .values = values,
                                .capacity = RECORD_ROWS,
                                .keep = ACHD_LOG_OLDEST};
  if (achd_log_start(&r->log, &setup) != ACHD_LOG_OK ||
      achd_cycle_times_start(&r->times, 1000000) != ACHD_LOG_OK) {
    fprintf(stderr, "experiments: the log cannot be started\n");
    exit(1);
  }
}

void record_start_plain(record *r, const achd_signal *signals, int nsignals, int every) {
  memcpy(r->signals, signals, (size_t)nsignals * sizeof *signals);
  r->nloop = r->ndirections = 0;
  r->nsignals = nsignals;
  start(r, every);
}

void record_start(record *r, const achd_loop_setup *setup, const char *const *joints,
                  const achd_signal *more, int nmore, int every) {
  r->setup = setup;
  r->nloop = achd_loop_signals(setup, joints, r->signals);
  r->ndirections = directions_signals(setup, r->signals, r->nloop, joints, r->signals + r->nloop);
  const int before = r->nloop + r->ndirections;
  r->nsignals = before + nmore;
  r->view = (directions_view){NULL, 0, ACHD_LOOP_STOP};
  memcpy(r->signals + before, more, (size_t)nmore * sizeof *more);
  start(r, every);
}

void record_put(record *r, const achd_loop *loop, double time, const double *more) {
  double row[RECORD_SIGNALS];
  const directions_view view = r->cycle > 0 || r->nloop == 0 ? r->view : directions_now(loop);
  if (loop) r->losses = fmax(r->losses, loop->contact.losses);
  if (r->nloop > 0) r->view = directions_now(loop);
  if (r->cycle++ % r->every != 0) return;
  int n = r->nloop > 0 ? achd_loop_values(loop, row) : 0;
  if (r->nloop > 0) n += directions_values(loop, &view, row + n);
  memcpy(row + n, more, (size_t)(r->nsignals - n) * sizeof *row);
  achd_log_put(&r->log, (int64_t)llround(time * 1e9), row);
}

static void add(record *r, const char *quantity, const char *unit, double published, double ours,
                const char *bound, bool judged, bool holds) {
  if (r->nlines == RECORD_TABLE) return;
  record_line *line = &r->table[r->nlines++];
  *line = (record_line){
      .published = published, .ours = ours, .judged = judged, .holds = holds && !isnan(ours)};
  snprintf(line->quantity, sizeof line->quantity, "%s", quantity);
  snprintf(line->unit, sizeof line->unit, "%s", unit);
  snprintf(line->bound, sizeof line->bound, "%s", bound);
}

void record_near(record *r, const char *quantity, const char *unit, double published, double ours,
                 double share) {
  char bound[160];
  snprintf(bound, sizeof bound, "within %g %%", 100 * share);
  add(r, quantity, unit, published, ours, bound, true,
      fabs(ours - published) <= share * fabs(published));
}

void record_bound(record *r, const char *quantity, const char *unit, double published, double ours,
                  const char *bound, bool holds) {
  add(r, quantity, unit, published, ours, bound, true, holds);
}

void record_say(record *r, const char *quantity, const char *unit, double published, double ours) {
  add(r, quantity, unit, published, ours, "", false, true);
}

/* ---- files ---- */

static void number(FILE *to, const char *key, double value) {
  if (isfinite(value)) fprintf(to, ", \"%s\": %.6g", key, value);
}

static void frames(FILE *to, const record *r) {
  fprintf(to, "  \"frames\": [");
  for (int k = 0; r->task && k < r->task->nframes; k++) {
    const achd_pose *f = &r->task->frames[k];
    fprintf(to, "%s\n    {\"name\": \"%s %d\", \"p\": [%.6g, %.6g, %.6g], \"R\": [", k ? "," : "",
            r->task->nframes > 1 ? "waypoint" : "goal", k + 1, f->p[0], f->p[1], f->p[2]);
    for (int i = 0; i < 3; i++)
      fprintf(to, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", f->R.m[i][0], f->R.m[i][1], f->R.m[i][2]);
    fprintf(to, "]");
    if (r->tube > 0) fprintf(to, ", \"tube\": %.6g, \"length\": %.6g", r->tube, r->length);
    fprintf(to, "}");
  }
  fprintf(to, "],\n");
}

static void boxes(FILE *to, const record *r) {
  fprintf(to, "  \"boxes\": [");
  for (int k = 0; k < r->nboxes; k++) {
    const double *p = r->boxes[k].p, *R = r->boxes[k].R, *size = r->boxes[k].size;
    fprintf(to, "%s\n    {\"name\": \"%s\", \"p\": [%.6g, %.6g, %.6g], \"R\": [", k ? "," : "",
            r->boxes[k].name, p[0], p[1], p[2]);
    for (int i = 0; i < 3; i++)
      fprintf(to, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", R[3 * i], R[3 * i + 1], R[3 * i + 2]);
    fprintf(to, "], \"size\": [%.6g, %.6g, %.6g]}", size[0], size[1], size[2]);
  }
  fprintf(to, "],\n");
}

static bool write_json(const record *r, const char *path) {
  FILE *to = fopen(path, "w");
  if (!to) return false;
  fprintf(to,
          "{\n  \"title\": \"Experiment %d: %s\",\n  \"text\": \"%s\",\n  \"source\": \"%s\",\n"
          "  \"command\": \"sh tests/experiments.sh %d\",\n",
          r->number, r->title, r->text, r->source, r->number);
  if (r->setup) {
    const achd_machine *machine = r->setup->machine;
    fprintf(to, "  \"states\": [");
    for (int k = 0; k < machine->nstates; k++)
      fprintf(to, "%s\"%s\"", k ? ", " : "", machine->states[k]);
    fprintf(to, "],\n");
    frames(to, r);
  }
  boxes(to, r);
  fprintf(to, "  \"table\": [");
  for (int k = 0; k < r->nlines; k++) {
    const record_line *line = &r->table[k];
    fprintf(to, "%s\n    {\"quantity\": \"%s\", \"unit\": \"%s\"", k ? "," : "", line->quantity,
            line->unit);
    number(to, "published", line->published);
    number(to, "ours", line->ours);
    if (line->judged)
      fprintf(to, ", \"bound\": \"%s\", \"holds\": %s", line->bound,
              line->holds ? "true" : "false");
    fprintf(to, "}");
  }
  fprintf(to, "\n  ]");
  for (int k = 0; k < r->npictures; k++)
    fprintf(to, "%s{\"file\": \"%s\", \"text\": \"%s\"}%s", k ? ", " : ",\n  \"stills\": [",
            r->pictures[k].file, r->pictures[k].text, k + 1 == r->npictures ? "]" : "");
  if (r->times.count > 0)
    fprintf(to,
            ",\n  \"cycles\": [{\"name\": \"computing\", \"count\": %u, \"limit\": %lld, "
            "\"overruns\": %u, \"latest\": %lld, \"p50\": %lld, \"p99\": %lld, \"p999\": %lld, "
            "\"longest\": %lld}]",
            r->times.count, (long long)r->times.limit, r->times.overruns,
            (long long)r->times.latest, (long long)achd_cycle_times_percentile(&r->times, 500),
            (long long)achd_cycle_times_percentile(&r->times, 990),
            (long long)achd_cycle_times_percentile(&r->times, 999), (long long)r->times.longest);
  fprintf(to, "\n}\n");
  return fclose(to) == 0;
}

static bool write_log(record *r, const char *path) {
  achd_log_file file = {.file = NULL};
  const bool opened = achd_log_file_open(&file, path, ACHD_LOG_CSV, &r->log) == ACHD_LOG_OK;
  const bool written = opened && achd_log_file_write(&file, &r->log) == ACHD_LOG_OK;
  return opened && achd_log_file_close(&file) == ACHD_LOG_OK && written;
}

bool record_end(record *r) {
  char path[1000];
  bool all = true;
  printf("experiment %d: %s\n", r->number, r->title);
  printf("  %-62s %-7s %10s %10s\n", "", "", "published", "ours");
  for (int k = 0; k < r->nlines; k++) {
    const record_line *line = &r->table[k];
    char published[32] = "", ours[32] = "";
    if (!isnan(line->published)) snprintf(published, sizeof published, "%.4g", line->published);
    if (!isnan(line->ours)) snprintf(ours, sizeof ours, "%.4g", line->ours);
    printf("  %-62s %-7s %10s %10s  %s%s%s\n", line->quantity, line->unit, published, ours,
           line->bound, line->judged ? ": " : "",
           !line->judged ? ""
           : line->holds ? "yes"
                         : "NO");
    all = all && (!line->judged || line->holds);
  }
  if (r->losses > 20)
    printf("  the loop says that the contact chatters: %.0f losses a second\n", r->losses);
  if (!r->folder) return all;
  snprintf(path, sizeof path, "%s/log.csv", r->folder);
  bool written = write_log(r, path);
  snprintf(path, sizeof path, "%s/run.json", r->folder);
  written = write_json(r, path) && written;
  if (!written) fprintf(stderr, "experiments: %s: cannot be written\n", r->folder);
  return all && written;
}
