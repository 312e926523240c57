/* SPDX-License-Identifier: MIT */
/* record.h: what an experiment leaves: a folder with log.csv and run.json (docs/report.md), and a
 * table of published and own numbers on standard output. */
#ifndef EXPERIMENTS_RECORD_H
#define EXPERIMENTS_RECORD_H

#include "experiments/directions.h"

#include <achd/log_file.h>
#include <achd/loop_log.h>

#include <stdio.h>

enum {
  RECORD_ROWS = 20000,
  RECORD_SIGNALS = ACHD_LOOP_SIGNALS + DIRECTIONS_SIGNALS + 4 * ACHD_LOOP_JOINTS + 8,
  RECORD_TABLE = 160,
  RECORD_PICTURES = 12,
  RECORD_BOXES = 16
};

/* A line of the table. NaN: there is no number. */
typedef struct record_line {
  char quantity[160], unit[16], bound[160];
  double published, ours;
  bool judged, holds;
} record_line;

typedef struct record {
  const char *folder; /* NULL: nothing is written */
  const char *title, *text, *source;
  int number; /* of the experiment */
  /* the log */
  achd_log log;
  achd_signal signals[RECORD_SIGNALS];
  /* those of the loop, which come first, and of its directions, which come next; all */
  int nloop, ndirections, nsignals;
  directions_view view;
  int every, cycle; /* one row in so many cycles */
  const achd_loop_setup *setup;
  /* the frames of the task */
  const achd_task *task;
  double tube; /* tolerance beside x [m]; 0: none */
  double length;
  achd_cycle_times times;
  record_line table[RECORD_TABLE];
  int nlines;
  /* pictures that the experiment has drawn into the folder */
  struct {
    const char *file, *text;
  } pictures[RECORD_PICTURES];
  int npictures;
  /* what stands in the world: poses in the base frame, lengths [m] */
  struct {
    char name[64];
    double p[3], R[9], size[3];
  } boxes[RECORD_BOXES];
  int nboxes;
  double losses; /* of contacts, as the loop tells them, at most [1/s] */
} record;

/* Begins the record of a loop. joints: names. more: signals beside those of the loop, nmore of
 * them. */
void record_start(record *r, const achd_loop_setup *setup, const char *const *joints,
                  const achd_signal *more, int nmore, int every);
/* The same without a loop. */
void record_start_plain(record *r, const achd_signal *signals, int nsignals, int every);

/* After a cycle; more: their values. */
void record_put(record *r, const achd_loop *loop, double time, const double *more);

/* A line that is judged: ours within `share` of the published number. */
void record_near(record *r, const char *quantity, const char *unit, double published, double ours,
                 double share);
/* A line that is judged by a bound that was chosen before running. published: NaN without one. */
void record_bound(record *r, const char *quantity, const char *unit, double published, double ours,
                  const char *bound, bool holds);
/* A line that is not judged. */
void record_say(record *r, const char *quantity, const char *unit, double published, double ours);

/* Writes all; returns whether all bounds hold. */
bool record_end(record *r);

#endif
