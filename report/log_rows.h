/* SPDX-License-Identifier: MIT */
/* log_rows.h: the numbers of a log.csv (docs/report.md), for programs in C. */
#ifndef ACHD_LOG_ROWS_H
#define ACHD_LOG_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct log_rows {
  size_t columns, rows;
  char **names;   /* without units */
  double *values; /* [rows][columns]; the first column is the time [s] */
} log_rows;

/* Reads a file. Returns false, with what is wrong in message[size]. */
bool log_rows_read(log_rows *log, const char *path, char *message, size_t size);
void log_rows_free(log_rows *log);

/* Column of a name, or -1. */
long log_rows_column(const log_rows *log, const char *name);
/* Row whose time is the nearest. */
size_t log_rows_at(const log_rows *log, double time);

#endif
