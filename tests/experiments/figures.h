/* SPDX-License-Identifier: MIT */
/* figures.h: the graphs of Vukcevic 2020, chapter 7, of our runs, drawn from the log of the run: for each
 * direction the measured quantity with its reference and tolerance, the error, and the signals of its ABAG
 * controller; the way along the motion with the goal area, or the path in two planes with its waypoints;
 * the torques with their limits. */
#ifndef EXPERIMENTS_FIGURES_H
#define EXPERIMENTS_FIGURES_H

#include "experiments/record.h"

enum { FIGURES_TIMES = 16 };

typedef struct figures {
  int first;       /* figure 7.first is the one of the direction x; the others follow it */
  int directions;  /* how many directions have a figure: x, y, z, about x, about y */
  bool planes;     /* a path has two figures in planes, the others one of the way along x */
  int plane[2][2]; /* axes of the base: 0 1 2 */
  bool of_task;    /* drawn from where the task of the record begins */
  double times[FIGURES_TIMES]; /* "notable time-points" that are printed; ends at the first 0 [s] */
} figures;

/* Draws all into the record's folder, and names them in the record; false: a file cannot be written. */
bool figures_draw(const figures *f, record *r);

#endif
