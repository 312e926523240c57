/* SPDX-License-Identifier: MIT */
/* columns.c: see columns.h */
#define _POSIX_C_SOURCE 200809L
#include "report/columns.h"

#include "graph/eval.h"

#include <stdlib.h>
#include <string.h>

void ag_columns(const ag_graph *graph, FILE *to) {
  for (int i = 0; i < graph->function->in.nelements; i++)
    fprintf(to, "in %s %s\n", graph->function->in.elements[i].column,
            graph->function->in.elements[i].unit);
  for (int i = 0; i < graph->function->out.nelements; i++)
    if (!ag_always_zero(graph, i))
      fprintf(to, "out %s %s\n", graph->function->out.elements[i].column,
              graph->function->out.elements[i].unit);
  fprintf(to, "out status 1\n");
}

/* A line's numbers into values; NaN and Inf are numbers here. */
static bool parse_line(const ag_graph *graph, char *line, const char *name, int number,
                       double *values, ag_err *err) {
  const int expected = graph->function->in.nelements;
  int count = 0;
  for (char *at = line + strspn(line, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
    const size_t length = strcspn(at, " \t\r\n");
    char *end;
    const double value = strtod(at, &end);
    if (end != at + length)
      return ag_fail(err, name, number, "separate numbers by blanks; --columns lists what they are",
                     "\"%.*s\" is not a number", (int)(length < 40 ? length : 40), at);
    if (count < expected) values[count] = value;
    count++;
    at += length;
  }
  if (count != expected)
    return ag_fail(err, name, number, "--columns lists what they are",
                   "the line has %d number%s, and a state has %d", count, count == 1 ? "" : "s",
                   expected);
  return true;
}

/* Where states come from, line by line. */
typedef struct states {
  FILE *from;
  const char *name; /* in messages */
  int number;       /* of the last line */
} states;

/* The next state; *more: there was one. */
static bool next_state(const ag_header *header, const ag_graph *graph, states *s, double *in,
                       bool *more, ag_err *err) {
  char *line = NULL;
  size_t size = 0;
  bool ok = true;
  *more = false;
  while (ok && !*more) {
    const ssize_t length = getline(&line, &size, s->from);
    if (length < 0) break;
    ++s->number;
    if (strlen(line) != (size_t)length)
      ok = ag_fail(err, s->name, s->number, "give text", "the line holds a zero byte");
    line[strcspn(line, "#")] = '\0';
    if (!ok || line[strspn(line, " \t\r\n")] == '\0') continue;
    ok = parse_line(graph, line, s->name, s->number, in, err);
    *more = ok;
  }
  free(line);
  if (header->target.single)
    for (int i = 0; *more && i < graph->function->in.nelements; i++) in[i] = (double)(float)in[i];
  return ok;
}

bool ag_read_state(const ag_header *header, const ag_graph *graph, FILE *from, const char *name,
                   double *in, ag_err *err) {
  states s = {from, name, 0};
  bool more;
  if (!next_state(header, graph, &s, in, &more, err)) return false;
  return more || ag_fail(err, name, 0, "--columns lists what a state has", "there is no state");
}

bool ag_eval_lines(const ag_header *header, const ag_graph *graph, FILE *from, const char *name,
                   FILE *to, ag_err *err) {
  ag_arena *arena = header->arena;
  double *in = ag_alloc(arena, (size_t)(graph->function->in.nelements + 1) * sizeof *in);
  double *out = ag_alloc(arena, (size_t)(graph->function->out.nelements + 1) * sizeof *out);
  double *work = ag_alloc(arena, (size_t)graph->dag.count * sizeof *work);
  states s = {from, name, 0};
  bool ok = true, more = true;
  while (ok && more) {
    ok = next_state(header, graph, &s, in, &more, err);
    if (!ok || !more) break;
    const unsigned status = ag_eval(graph, header->target.single, in, out, work);
    for (int i = 0; i < graph->function->out.nelements; i++)
      if (!ag_always_zero(graph, i)) fprintf(to, "%.17g ", out[i]);
    fprintf(to, "%u\n", status);
    (void)fflush(
        to); /* whoever asks state by state gets an answer before the next; a failure shows at the end */
  }
  return ok;
}
