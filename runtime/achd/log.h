/* SPDX-License-Identifier: MIT */
/* log.h: a log of signals in memory of fixed size, and statistics of cycle times.
 *
 * A row of the log is a time and one number per signal. The control loop puts a row in every cycle;
 * nothing is allocated, printed or written there. achd/log_file.h writes the rows to a file.
 *
 * Two threads may share a log that keeps its oldest rows: one puts rows (the control loop), one
 * takes them (the writer of the file). A log that keeps its newest rows belongs to one thread at a
 * time: read it when the loop has ended. */
#ifndef ACHD_LOG_H
#define ACHD_LOG_H

#include <achd/real.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ACHD_LOG_SIGNALS = 4096, /* largest number of signals */
  ACHD_SIGNAL_TEXT = 128   /* size of the longest name, and of the longest unit, with its 0 */
};

/* A signal. Its name in files is `name`, or `name.part`, or `name.number`: the columns of a robot
 * with seven joints share the name "q". */
typedef struct achd_signal {
  const char *name;
  const char *part; /* NULL: none */
  int number;       /* where there is no part: > 0, or 0: none */
  const char *unit; /* such as "rad" or "N m"; "1" for numbers without unit, states and events */
} achd_signal;

typedef enum achd_log_status {
  ACHD_LOG_OK = 0,
  ACHD_LOG_FULL,         /* the log keeps its oldest rows and is full: the row is lost */
  ACHD_LOG_EMPTY,        /* there is no row */
  ACHD_LOG_BAD_ARGUMENT, /* NULL, or a number outside its range */
  ACHD_LOG_BAD_NAME,     /* a name or unit is missing, too long, or has control characters; two
                            signals have the same name; a unit has a bracket */
  ACHD_LOG_NOT_TEXT,     /* of files: a name or unit is not UTF-8 */
  ACHD_LOG_TOO_MANY,     /* of files: numpy.load refuses a header of so many signals */
  ACHD_LOG_NOT_OPEN,     /* of files: it could not be opened, or has been closed */
  ACHD_LOG_NOT_WRITTEN   /* of files: writing failed, for example because the disk is full */
} achd_log_status;

typedef enum achd_log_keep {
  ACHD_LOG_NEWEST, /* a ring: a new row replaces the oldest one */
  ACHD_LOG_OLDEST  /* a queue: a new row is lost, and counted, while the log is full */
} achd_log_keep;

/* What a log is made of. All memory belongs to the caller and must outlive the log. */
typedef struct achd_log_setup {
  const achd_signal *signals;
  int nsignals;      /* 1 .. ACHD_LOG_SIGNALS */
  int64_t *times;    /* [capacity] */
  achd_real *values; /* [capacity][nsignals] */
  uint32_t capacity; /* number of rows, 1 .. 2^30 */
  achd_log_keep keep;
} achd_log_setup;

typedef struct achd_log {
  achd_log_setup setup;
  uint32_t head, tail; /* positions of the next row and of the oldest one, modulo 2 capacity */
  uint64_t recorded;   /* rows put since the start, those that are lost apart */
  uint64_t lost;       /* rows that were not put (FULL) or have been replaced */
} achd_log;

/* Starts an empty log. Returns ACHD_LOG_BAD_ARGUMENT or ACHD_LOG_BAD_NAME if the setup is wrong;
 * the log then has no memory, and takes no row. */
achd_log_status achd_log_start(achd_log *log, const achd_log_setup *setup);

/* Puts a row: the time [ns] of any clock, and the values of all signals, NaN and infinities too.
 * Returns ACHD_LOG_OK, ACHD_LOG_FULL, or ACHD_LOG_BAD_ARGUMENT. Takes the same time in each
 * cycle. */
achd_log_status achd_log_put(achd_log *log, int64_t time, const achd_real *values);

/* Returns the number of rows in the log. */
uint32_t achd_log_rows(const achd_log *log);

/* Returns the values of row k, where they are in the log, and its time [ns]; 0 is the oldest row.
 * Returns NULL if the log has no such row. */
const achd_real *achd_log_row(const achd_log *log, uint32_t k, int64_t *time);

/* Removes the `count` oldest rows, or all if there are fewer. */
achd_log_status achd_log_drop(achd_log *log, uint32_t count);

/* Writes the name of a signal to text[size], ended by 0 and cut where it does not fit, and returns
 * its whole length. */
size_t achd_signal_name(const achd_signal *signal, char *text, size_t size);

/* ---- cycle times ---- */

enum { ACHD_CYCLE_BINS = 464 };

/* Statistics of durations: how long the computation of a cycle takes, or how far cycles are apart.
 * Durations are counted in bins, 16 for each factor of 2, so that a percentile is known to 6.25 %
 * from above, with memory of fixed size. */
typedef struct achd_cycle_times {
  int64_t limit;     /* a longer duration is an overrun [ns] */
  int64_t latest;    /* duration of the last cycle [ns] */
  int64_t shortest;  /* [ns] */
  int64_t longest;   /* [ns] */
  uint32_t count;    /* durations so far; stays at its largest value, as all counts */
  uint32_t overruns; /* durations above the limit */
  uint32_t invalid;  /* negative durations, which are not counted otherwise */
  uint32_t bin[ACHD_CYCLE_BINS];
} achd_cycle_times;

/* Starts anew, without any duration. limit: of a cycle, > 0 [ns]. */
achd_log_status achd_cycle_times_start(achd_cycle_times *times, int64_t limit);

/* Adds a duration [ns]. Returns ACHD_LOG_BAD_ARGUMENT if it is negative. */
achd_log_status achd_cycle_times_put(achd_cycle_times *times, int64_t duration);

/* Returns a duration [ns] that at least `permille` of 1000 durations do not exceed, at most 6.25 %
 * above the smallest such number and never above the longest: 500 is the median, 990 p99, 999
 * p99.9, 1000 the longest. Durations above 4.29 s are not distinguished from the longest. 0 if there
 * is no duration. */
int64_t achd_cycle_times_percentile(const achd_cycle_times *times, unsigned permille);

#ifdef __cplusplus
}
#endif

#endif
