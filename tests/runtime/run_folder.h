/* SPDX-License-Identifier: MIT */
/* run_folder.h: writes a run of a control loop as the folder that achd-report makes a page of
 * (docs/report.md): log.csv with all signals of the loop, run.json. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <achd/log_file.h>
#include <achd/loop_log.h>

enum { RUN_FOLDER_ROWS = 1000, RUN_FOLDER_TEXT = 65536 };

typedef struct run_folder {
  const achd_loop_setup *setup;
  achd_signal signals[ACHD_LOOP_SIGNALS];
  int64_t times[RUN_FOLDER_ROWS];
  achd_real values[RUN_FOLDER_ROWS * ACHD_LOOP_SIGNALS];
  achd_log log;
  achd_log_file file;
  achd_cycle_times computing; /* durations of cycles, of the caller */
  const char *folder, *title, *text, *source, *command;
  char table[RUN_FOLDER_TEXT], frames[RUN_FOLDER_TEXT];
} run_folder;

/* What a page says above all: NULL for what there is not, but a title. */
typedef struct run_about {
  const char *title, *text, *source, *command;
} run_about;

/* Opens `folder`, which exists, for a run of the loop. joints: their names. */
bool run_folder_open(run_folder *run, const char *folder, const achd_loop_setup *setup,
                     const char *const *joints, run_about about);

/* After a cycle at `time` [s]. */
bool run_folder_record(run_folder *run, const achd_loop *loop, double time);

/* A row of the table: what was published and what came out. published: NAN where there is no
 * number. */
void run_folder_compare(run_folder *run, const char *quantity, const char *unit, double published,
                        double ours, const char *bound, bool holds);

/* A frame to be drawn, with the tube along its x axis [m]; 0: none. */
void run_folder_frame(run_folder *run, const char *name, const achd_pose *pose, double tube,
                      double length);

/* Writes what is left, and run.json. */
bool run_folder_close(run_folder *run);

#endif
