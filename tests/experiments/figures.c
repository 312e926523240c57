/* SPDX-License-Identifier: MIT */
/* figures.c: see figures.h */
#include "experiments/figures.h"

#include "runtime/plot.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 3 * PLOT_PANELS, POINTS = 512 };

/* The rows of the log that are drawn: `count` from row `first` on. */
typedef struct window {
  uint32_t first;
  size_t count;
  double from, step; /* [s] */
  int columns;       /* that are taken */
} window;

static double column[COLUMNS][RECORD_ROWS];
static char names[RECORD_PICTURES][32], texts[RECORD_PICTURES][200];

static int signal_of(const record *r, const char *name, const char *part) {
  for (int k = 0; k < r->nsignals; k++)
    if (strcmp(r->signals[k].name, name) == 0 &&
        (!part || (r->signals[k].part && strcmp(r->signals[k].part, part) == 0)))
      return k;
  return -1;
}

static double at(const record *r, uint32_t row, int signal) {
  int64_t time;
  return achd_log_row(&r->log, row, &time)[signal];
}

/* A column of the log, negated or not; NULL: it has none. */
static const double *take(const record *r, window *w, const char *name, const char *part,
                          double sign) {
  const int k = signal_of(r, name, part);
  if (k < 0 || w->columns == COLUMNS) return NULL;
  double *to = column[w->columns++];
  for (uint32_t i = 0; i < w->count; i++) to[i] = sign * at(r, w->first + i, k);
  return to;
}

static window window_of(const figures *f, const record *r) {
  const uint32_t rows = achd_log_rows(&r->log);
  const int state = signal_of(r, "state", NULL);
  int64_t from = 0, next = 0;
  window w = {.first = 0};
  while (f->of_task && w.first + 2 < rows &&
         r->setup->states[(int)at(r, w.first, state)].task != r->task)
    w.first++;
  (void)achd_log_row(&r->log, w.first, &from);
  (void)achd_log_row(&r->log, w.first + 1, &next);
  w.count = rows - w.first;
  w.from = f->of_task ? 0 : 1e-9 * (double)from;
  w.step = 1e-9 * (double)(next - from);
  return w;
}

static plot_axis axis_of(const figures *f, const window *w) {
  int n = 0;
  while (n < FIGURES_TIMES && f->times[n] > 0) n++;
  return (plot_axis){"time [s]", w->from, w->step, NULL, f->times, n};
}

/* The place of the next picture in the record; its path. */
static const char *next_picture(record *r, int figure, const char *what, char path[600]) {
  const int k = r->npictures++;
  snprintf(names[k], sizeof names[k], "figure_7_%d.svg", figure);
  snprintf(texts[k], sizeof texts[k], "What figure 7.%d of Vukcevic 2020 draws, of our run: %s",
           figure, what);
  r->pictures[k].file = names[k];
  r->pictures[k].text = texts[k];
  snprintf(path, 600, "%s/%s", r->folder, names[k]);
  return texts[k];
}

static bool draw_direction(const figures *f, record *r, int i, window w) {
  static const char *const words[6] = {"along x", "along y", "along z",
                                       "about x", "about y", "about z"};
  static const char *const axes[6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  const char *name = directions_names[i];
  const int k = signal_of(r, name, "measured");
  char path[600];
  if (k < 0) return false;
  const char *unit = r->signals[k].unit;
  const plot_panel panels[PLOT_PANELS] = {
      {unit,
       {{"measured", take(r, &w, name, "measured", 1)},
        {"reference", take(r, &w, name, "reference", 1)},
        {"tolerance", take(r, &w, name, "upper", 1)},
        {"tolerance", take(r, &w, name, "lower", 1)}}},
      {unit, {{"error", take(r, &w, "error", axes[i], 1)}}},
      {"1", {{"filtered error", take(r, &w, name, "filtered", 1)}}},
      {"1",
       {{"u", take(r, &w, name, "u", 1)},
        {"gain", take(r, &w, name, "gain", 1)},
        {"bias", take(r, &w, name, "bias", 1)}}},
  };
  const char *title = next_picture(r, f->first + i, words[i], path);
  return plot_write_over(path, title, axis_of(f, &w), w.count, panels) == 0;
}

static bool draw_way(const figures *f, record *r, window w) {
  char path[600];
  const double *x = take(r, &w, "place", "x", 1);
  double *edge[2] = {column[w.columns], column[w.columns + 1]};
  for (size_t k = 0; k < w.count; k++) {
    edge[0][k] = r->task->goal_area;
    edge[1][k] = -r->task->goal_area;
  }
  const plot_panel panels[PLOT_PANELS] = {
      {"m", {{"x", x}, {"goal area", edge[0]}, {"goal area", edge[1]}}}};
  const char *title = next_picture(r, f->first + f->directions, "the way along x", path);
  return plot_write_over(path, title, axis_of(f, &w), w.count, panels) == 0;
}

/* The waypoints, before them the point where the first section begins. */
static bool draw_plane(const figures *f, record *r, int k, window w) {
  static const char *const parts[3] = {"p_x", "p_y", "p_z"};
  static const char *const axes[3] = {"x [m]", "y [m]", "z [m]"};
  const int a = f->plane[k][0], b = f->plane[k][1];
  char path[600], what[80];
  static double points[POINTS][2];
  int n = 0;
  for (; n < r->task->nframes && n < POINTS; n++) {
    points[n][0] = r->task->frames[n].p[a];
    points[n][1] = r->task->frames[n].p[b];
  }
  const plot_plane plane = {.x = take(r, &w, "tool", parts[a], 1),
                            .y = take(r, &w, "tool", parts[b], 1),
                            .count = w.count,
                            .x_name = axes[a],
                            .y_name = axes[b],
                            .points = points,
                            .npoints = n,
                            .radius = r->tube};
  snprintf(what, sizeof what, "the path in the plane of %c and %c", "xyz"[a], "xyz"[b]);
  const char *title = next_picture(r, f->first + f->directions + k, what, path);
  return plot_plane_write(path, title, &plane) == 0;
}

static bool draw_torques(const figures *f, record *r, window w) {
  static char labels[ACHD_LOOP_JOINTS][16];
  plot_panel panels[PLOT_PANELS] = {{NULL}};
  char path[600];
  const int n = r->setup->robot->njoints, first = signal_of(r, "tau", NULL);
  for (int j = 0; j < n && j < PLOT_PANELS; j++) {
    const char *joint = r->signals[first + j].part;
    snprintf(labels[j], sizeof labels[j], "joint %d", j + 1);
    panels[j] = (plot_panel){"N m",
                             {{labels[j], take(r, &w, "tau", joint, 1)},
                              {"limit", take(r, &w, "tau_limit", joint, 1)},
                              {"limit", take(r, &w, "tau_limit", joint, -1)}}};
  }
  const int figure = f->first + f->directions + (f->planes ? 2 : 1);
  const char *title = next_picture(r, figure, "torques and their limits", path);
  return plot_write_over(path, title, axis_of(f, &w), w.count, panels) == 0;
}

bool figures_draw(const figures *f, record *r) {
  bool drawn = true;
  if (!r->folder || achd_log_rows(&r->log) < 2) return true;
  const window w = window_of(f, r);
  for (int i = 0; i < f->directions; i++) drawn = draw_direction(f, r, i, w) && drawn;
  for (int k = 0; k < (f->planes ? 2 : 0); k++) drawn = draw_plane(f, r, k, w) && drawn;
  if (!f->planes) drawn = draw_way(f, r, w) && drawn;
  drawn = draw_torques(f, r, w) && drawn;
  if (!drawn) fprintf(stderr, "experiments: %s: the figures cannot be drawn\n", r->folder);
  return drawn;
}
