/* columns.c: see columns.h */
#define _POSIX_C_SOURCE 200809L
#include "report/columns.h"

#include "program/eval.h"

#include <stdlib.h>
#include <string.h>

void ag_columns(const ag_program *program, FILE *to) {
  for (int i = 0; i < program->in.nelements; i++)
    fprintf(to, "in %s %s\n", program->in.elements[i].column, program->in.elements[i].unit);
  for (int i = 0; i < program->out.nelements; i++)
    if (!ag_always_zero(program, i))
      fprintf(to, "out %s %s\n", program->out.elements[i].column, program->out.elements[i].unit);
  fprintf(to, "out status 1\n");
}

/* A line's numbers into values; NaN and Inf are numbers here. */
static bool parse_line(const ag_program *program, char *line, const char *name, int number,
                       double *values, ag_err *err) {
  const int expected = program->in.nelements;
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

bool ag_eval_lines(const ag_header *header, const ag_program *program, FILE *from, const char *name,
                   FILE *to, ag_err *err) {
  ag_arena *arena = header->arena;
  double *in = ag_alloc(arena, (size_t)(program->in.nelements + 1) * sizeof *in);
  double *out = ag_alloc(arena, (size_t)(program->out.nelements + 1) * sizeof *out);
  double *work = ag_alloc(arena, (size_t)program->dag.count * sizeof *work);
  char *line = NULL;
  size_t size = 0;
  bool ok = true;
  for (int number = 1; ok; number++) {
    const ssize_t length = getline(&line, &size, from);
    if (length < 0) break;
    if (strlen(line) != (size_t)length)
      ok = ag_fail(err, name, number, "give text", "the line holds a zero byte");
    line[strcspn(line, "#")] = '\0';
    if (!ok || line[strspn(line, " \t\r\n")] == '\0') continue;
    ok = parse_line(program, line, name, number, in, err);
    if (!ok) break;
    if (header->single)
      for (int i = 0; i < program->in.nelements; i++) in[i] = (double)(float)in[i];
    const unsigned status = ag_eval(program, header->single, in, out, work);
    for (int i = 0; i < program->out.nelements; i++)
      if (!ag_always_zero(program, i)) fprintf(to, "%.17g ", out[i]);
    fprintf(to, "%u\n", status);
  }
  free(line);
  return ok;
}
