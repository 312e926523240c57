/* SPDX-License-Identifier: MIT */
/* log_rows.c: see log_rows.h */
#include "log_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(char *message, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, size, format, arguments);
  va_end(arguments);
  return false;
}

/* The whole of a file, ended by 0; NULL if it cannot be read. */
static char *content_of(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t length = 0, room = 1 << 16;
  char *text = malloc(room);
  while (file && text) {
    length += fread(text + length, 1, room - length - 1, file);
    if (length + 1 < room) break;
    char *more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  const bool good = file && text && !ferror(file);
  if (file) fclose(file);
  if (good) text[length] = 0;
  if (!good) free(text);
  return good ? text : NULL;
}

/* Takes a name off the header: quoted or not; *at goes on behind its comma or at the end of the
 * line. The name is written where it stood. */
static char *take_name(char **at) {
  char *name = *at, *to = *at, *from = *at;
  const bool quoted = *from == '"';
  if (quoted) from++;
  while (*from && (quoted || (*from != ',' && *from != '\n' && *from != '\r'))) {
    if (quoted && *from == '"' && *++from != '"') break;
    *to++ = *from++;
  }
  while (*from == '\r') from++;
  const char end = *from;
  *at = from + (end == ',');
  *to = 0;
  char *unit = strrchr(name, '[');
  if (unit && unit > name && unit[-1] == ' ') unit[-1] = 0;
  if (end == '\n') **at = '\n'; /* the 0 may stand where the line ended */
  return name;
}

static bool add_name(log_rows *log, char *name) {
  char **more = realloc(log->names, (log->columns + 1) * sizeof *more);
  if (!more) return false;
  log->names = more;
  more[log->columns] = malloc(strlen(name) + 1);
  if (!more[log->columns]) return false;
  memcpy(more[log->columns++], name, strlen(name) + 1);
  return true;
}

static bool read_header(log_rows *log, char *text, char **end) {
  char *line_end = text + strcspn(text, "\n"), kept = *line_end;
  *line_end = 0;
  for (char *at = text; at < line_end;) {
    if (!add_name(log, take_name(&at))) return false;
    if (*at == 0) break;
  }
  *end = line_end + (kept == '\n');
  return true;
}

static bool read_rows(log_rows *log, const char *path, char *at, char *message, size_t size) {
  size_t room = 0;
  for (unsigned line = 2; *at; line++) {
    if (log->rows == room) {
      room = room ? 2 * room : 1024;
      double *more = realloc(log->values, room * log->columns * sizeof *more);
      if (!more) return refuse(message, size, "%s: out of memory", path);
      log->values = more;
    }
    double *row = log->values + log->rows * log->columns;
    for (size_t i = 0; i < log->columns; i++) {
      char *end = at;
      if (strchr(" \t\r\n", *at) == NULL) row[i] = strtod(at, &end); /* which skips spaces */
      const char wanted = i + 1 < log->columns ? ',' : '\n';
      if (*end == '\r') end++;
      if (end == at || (*end != wanted && !(wanted == '\n' && *end == 0)))
        return refuse(message, size, "%s:%u: column %zu is no number", path, line, i + 1);
      at = end + (*end != 0);
    }
    if (!isfinite(row[0]) || (log->rows > 0 && row[0] <= row[-(ptrdiff_t)log->columns]))
      return refuse(message, size, "%s:%u: times have to increase from line to line", path, line);
    log->rows++;
  }
  return log->rows > 0 || refuse(message, size, "%s: has no rows", path);
}

bool log_rows_read(log_rows *log, const char *path, char *message, size_t size) {
  memset(log, 0, sizeof *log);
  char *text = content_of(path), *rows = text;
  if (!text) return refuse(message, size, "%s: cannot be read", path);
  bool good = read_header(log, text, &rows);
  if (!good || log->columns == 0 || strcmp(log->names[0], "time") != 0)
    good = refuse(message, size, "%s:1: the first column has to be time [s]", path);
  good = good && read_rows(log, path, rows, message, size);
  free(text);
  if (!good) log_rows_free(log);
  return good;
}

void log_rows_free(log_rows *log) {
  for (size_t i = 0; i < log->columns; i++) free(log->names[i]);
  free(log->names);
  free(log->values);
  memset(log, 0, sizeof *log);
}

long log_rows_column(const log_rows *log, const char *name) {
  for (size_t i = 0; i < log->columns; i++)
    if (strcmp(log->names[i], name) == 0) return (long)i;
  return -1;
}

size_t log_rows_at(const log_rows *log, double time) {
  size_t best = 0;
  for (size_t k = 1; k < log->rows; k++)
    if (fabs(log->values[k * log->columns] - time) < fabs(log->values[best * log->columns] - time))
      best = k;
  return best;
}
