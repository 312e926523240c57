/* SPDX-License-Identifier: MIT */
/* checker.c: see checker.h */
#include "check/checker.h"

#include <math.h>
#include <string.h>

/* How much of what is allowed an error is: states allow more or less, so errors themselves do not tell
 * which is the worst. */
static double share(double error, double allowed) {
  if (error <= 0 && allowed >= 0) return 0;
  return allowed > 0 ? error / allowed : INFINITY;
}

void ag_check_note(ag_checker *c, const char *function, const char *what, double error,
                   double allowed) {
  ag_check_report *r = c->report;
  int k = 0;
  while (k < r->nlines &&
         (strcmp(r->lines[k].function, function) != 0 || strcmp(r->lines[k].what, what) != 0))
    k++;
  if (k == r->nlines) {
    r->lines = ag_grow(c->arena, r->lines, (size_t)k * sizeof *r->lines,
                       (size_t)(k + 1) * sizeof *r->lines);
    r->lines[r->nlines++] =
        (ag_check_line){.function = function, .what = ag_strdup(c->arena, what), .worst = -1};
  }
  ag_check_line *line = &r->lines[k];
  line->count++;
  if (!isfinite(error)) error = INFINITY;
  if (line->worst < 0 || share(error, allowed) > share(line->worst, line->allowed)) {
    line->worst = error;
    line->allowed = allowed;
    line->state = c->state;
  }
}

double ag_check_norm(const double *x, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

double ag_check_ratio(double difference, double size) {
  return fabs(difference) / (size + 1e-290); /* 0 where there is nothing to tell apart */
}

double ag_check_pivot(const ag_checker *c, const ag_run *solve) {
  const bool singular = (solve->status & AG_BIT_SINGULAR) != 0;
  double kept = AG_CHECK_LEAST_PIVOT(c->single);
  if (!c->single && c->threshold > 0) kept = fmin(kept, c->threshold);
  return fmax(c->robot.pivot, singular ? kept : AG_CHECK_SAME);
}
