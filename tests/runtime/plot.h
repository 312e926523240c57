/* SPDX-License-Identifier: MIT */
/* plot.h: signals over time as an SVG file, for tests whose results are to be looked at. */
#ifndef ACHD_PLOT_H
#define ACHD_PLOT_H

#include <stddef.h>

enum { PLOT_PANELS = 8, PLOT_CURVES = 4 };

typedef struct plot_curve {
  const char *name;
  const double *values; /* one per sample */
} plot_curve;

/* Curves over one common axis; its range is that of the values. */
typedef struct plot_panel {
  const char *unit;
  plot_curve curves[PLOT_CURVES]; /* ends at the first without a name */
} plot_panel;

/* What the curves are over: sample k stands at from + k step. mark: where something is to be seen,
 * with a dot on every curve; NULL: nowhere. lines: where else a dashed line stands. */
typedef struct plot_axis {
  const char *name; /* with its unit */
  double from, step;
  const double *mark;
  const double *lines;
  int nlines;
} plot_axis;

/* A way in a plane, with the points that it leads by and circles around them; both axes have the same
 * scale. */
typedef struct plot_plane {
  const double *x, *y; /* of each sample */
  size_t count;
  const char *x_name, *y_name; /* with their unit */
  double (*points)[2];
  int npoints;
  double radius; /* of the circles, in the unit of the axes */
} plot_plane;

/* Returns 0, or -1 where the file cannot be written. */
int plot_plane_write(const char *path, const char *title, const plot_plane *plane);

int plot_write_over(const char *path, const char *title, plot_axis axis, size_t count,
                    const plot_panel *panels);

/* Panels one above the other over the time of `count` samples, `period` seconds apart; the list
 * ends at the first panel without a unit. Returns 0, or -1 where the file cannot be written. */
int plot_write(const char *path, const char *title, double period, size_t count,
               const plot_panel *panels);

#endif
