/* SPDX-License-Identifier: MIT */
/* tell.h: what the programs of this example tell of a motion: a line of numbers, a file to replay it
 * from, a drawing; and how long it took to compute. Include it behind ilqr.h. */
#ifndef TELL_H
#define TELL_H

#include "ilqr.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this program [s]. */
static inline double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Optimises from `begin` on, `times` times, and tells the median of the processor times. */
static inline ilqr_status optimise(const ilqr_problem *p, const ilqr_motion *begin, ilqr_motion *t,
                                   double times) {
  double took[99] = {0};
  ilqr_status status = ILQR_BAD_PROBLEM;
  const int count = times >= 1 && times <= 99 ? (int)times : 1;
  for (int n = 0; n < count; n++) {
    *t = *begin;
    const double began = processor_time();
    status = ilqr_optimise(p, t);
    took[n] = processor_time() - began;
  }
  qsort(took, (size_t)count, sizeof *took, by_size);
  fprintf(stderr, "computed in %.1f ms\n", 1e3 * took[count / 2]);
  return status;
}

/* The torques that hold the robot at the start best: |a|^2 + 1e-9 |u|^2 is least, a the change of v
 * in a step by its period. */
static inline bool holding(const ilqr_problem *p, double u[NU]) {
  static ilqr_model m;
  const bool held[NU] = {false};
  double K[NU][NX + 1];
  ilqr_form H = {{0}};
  memset(u, 0, sizeof(double[NU]));
  if (!p->model(p->context, &p->start, u, &m)) return false;
  for (int i = 0; i < NU; i++) H[i][i] = 1e-9;
  for (int k = 0; k < NV; k++) {
    double r[NZ] = {[ONE] = (m.next.v[k] - p->start.v[k]) / p->period};
    for (int i = 0; i < NU; i++) r[i] = m.v_u[k][i] / p->period;
    ilqr_square(1, r, H);
  }
  ilqr_eliminate(H, held, K);
  for (int i = 0; i < NU; i++) u[i] = K[i][NX];
  return true;
}

/* Torques at their limits that the motion `to`, a share of a step away from t, would take beyond: the merit has a kink
 * there, and no slope. They are held from now on. Returns whether there are any. */
static inline bool hold_kinks(const ilqr_problem *p, ilqr_motion *t, const ilqr_motion *to,
                              double share) {
  bool any = false;
  double d[NX + 1] = {[NX] = share};
  for (int k = 0; k < STEPS; k++) {
    ilqr_difference(&to->x[k], &t->x[k], d);
    for (int i = 0; i < NU; i++) {
      double by = 0;
      for (int j = 0; j <= NX; j++) by += t->K[k][i][j] * d[j];
      if (!(fabs(t->u[k][i]) >= p->u_most[i] && by * t->u[k][i] > 0)) continue;
      t->held[k][i] = any = true;
    }
  }
  return any;
}

/* Compares what a step of the optimiser saves at first, by its derivatives, with differences of the
 * merit along it, on the side where torques at their limits stay there; with other multipliers than
 * those of the solution, so that there is something to save, on the solution and on the first motion. */
static inline bool slope_right(const ilqr_problem *p, const ilqr_motion *begin, ilqr_motion *t) {
  static ilqr_motion tried;
  const double share = 1e-6;
  double worst = 0;
  for (int k = 0; k < STEPS; k++)
    for (int j = 0; j < NC; j++) t->multiplier[k][j] = 1 + j;
  t->penalty = 10;
  for (int n = 0; n < 2; n++) {
    ilqr_roll(p, t, 0, &tried);
    *t = tried;
    double slope, one;
    do {
      slope = -2 * ilqr_sweep(p, t, 0);
      one = ilqr_roll(p, t, share, &tried);
    } while (hold_kinks(p, t, &tried, share));
    const double two = ilqr_roll(p, t, 2 * share, &tried);
    worst = fmax(worst, fabs((4 * one - two - 3 * t->merit) / (2 * share) / slope - 1));
    memcpy(t->u, begin->u, sizeof t->u);
    memset(t->K, 0, sizeof t->K);
    memset(t->held, 0, sizeof t->held);
  }
  fprintf(stderr, "the slope of the cost equals differences to %.1e\n", worst);
  if (!(worst < 1e-7)) return false;
  puts("the slope of the cost equals differences");
  return true;
}

/* The period and the sizes, then a line per step: q, v, u, and K row by row; a last one with q, v. */
static inline bool write_motion(const char *path, const ilqr_problem *p, const ilqr_motion *t) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "%.17g %d %d %d %d\n", p->period, STEPS, NQ, NV, NU);
  for (int k = 0; k <= STEPS; k++) {
    for (int i = 0; i < NQ; i++) fprintf(file, "%.17g ", t->x[k].q[i]);
    for (int i = 0; i < NV; i++) fprintf(file, "%.17g ", t->x[k].v[i]);
    for (int i = 0; k < STEPS && i < NU; i++) fprintf(file, "%.17g ", t->u[k][i]);
    for (int i = 0; k < STEPS && i < NU; i++)
      for (int j = 0; j < NX; j++) fprintf(file, "%.17g ", t->K[k][i][j]);
    fputc('\n', file);
  }
  return fclose(file) == 0;
}

/* ---- a drawing ---- */

typedef struct curve {
  const char *name;            /* NULL behind the last curve of a panel */
  double values[STEPS], limit; /* a dashed line of its colour at +- limit; 0: none */
} curve;

typedef struct panel {
  const char *title; /* with its unit */
  curve curves[9];
} panel;

enum { LEFT = 70, WIDTH = 560, HEIGHT = 150, GAP = 50 };

/* Round numbers on the vertical axis: 2 to 5 of them. */
static inline double tick_distance(double range) {
  const double ten = pow(10, floor(log10(range)));
  return range < 2 * ten ? ten / 2 : range > 5 * ten ? 2 * ten : ten;
}

static inline void draw_panel(FILE *file, const panel *p, double top, double period) {
  static const char *const colours[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#555555", "#000000"};
  const double right = LEFT + WIDTH, bottom = top + HEIGHT;
  double low = INFINITY, high = -INFINITY;
  for (const curve *c = p->curves; c->name; c++)
    for (int k = 0; k < STEPS; k++) {
      low = fmin(low, c->limit != 0 ? -c->limit : c->values[k]);
      high = fmax(high, c->limit != 0 ? c->limit : c->values[k]);
    }
  const double range = 1.1 * fmax(high - low, 1e-6), least = 0.5 * (low + high - range);
  const double tick = tick_distance(range), scale = HEIGHT / range;
  fprintf(file, "<text x=\"%d\" y=\"%g\">%s</text>\n", LEFT, top - 8, p->title);
  fprintf(file, "<path d=\"M%d %g H%g V%g H%d Z\" fill=\"none\" stroke=\"#999\"/>\n", LEFT, top,
          right, bottom, LEFT);
  for (int n = (int)ceil(least / tick); n * tick <= least + range; n++) {
    const double y = bottom - (n * tick - least) * scale;
    fprintf(file, "<path d=\"M%d %.1f H%g\" stroke=\"#ddd\"/>\n", LEFT, y, right);
    fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, y + 4,
            n * tick);
  }
  for (int n = 0; n <= 4; n++)
    fprintf(file, "<text x=\"%d\" y=\"%g\" text-anchor=\"middle\">%g s</text>\n",
            LEFT + n * WIDTH / 4, bottom + 16, n * STEPS * period / 4);
  for (int n = 0; p->curves[n].name; n++) {
    const curve *c = &p->curves[n];
    fprintf(file, "<text x=\"%g\" y=\"%g\" fill=\"%s\">%s</text>\n", right + 8, top + 14 + 18 * n,
            colours[n], c->name);
    for (int side = -1; c->limit != 0 && side <= 1; side += 2)
      fprintf(file, "<path d=\"M%d %.1f H%g\" stroke=\"%s\" stroke-dasharray=\"4 4\"/>\n", LEFT,
              bottom - (side * c->limit - least) * scale, right, colours[n]);
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
            colours[n]);
    for (int k = 0; k < STEPS; k++)
      fprintf(file, "%.1f,%.1f ", LEFT + k * WIDTH / (double)STEPS,
              bottom - (c->values[k] - least) * scale);
    fputs("\"/>\n", file);
  }
}

/* Panels over time, one below the other, as an SVG file. */
static inline bool draw(const char *path, double period, const panel panels[], int count) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          LEFT + WIDTH + 110, count * (HEIGHT + GAP) + 30);
  for (int n = 0; n < count; n++) draw_panel(file, &panels[n], n * (HEIGHT + GAP) + 30, period);
  fputs("</svg>\n", file);
  return fclose(file) == 0;
}

static const char *const status_text[] = {"solved",
                                          "the problem has numbers that are none",
                                          "the model has no result",
                                          "no motion comes past the constraints",
                                          "the goal is not reached",
                                          "not converged"};

/* Which constraint no motion was found to meet. names: of each c of a step. */
static inline void tell_worst(const ilqr_problem *p, const ilqr_motion *t, ilqr_status status,
                              const char *const names[NC]) {
  if (status != ILQR_INFEASIBLE) return;
  printf("not met: %s, at %.3f s%s\n", names[t->worst], t->worst_step * p->period,
         t->iterations == 0 ? ", where the motion starts" : "");
}

/* The options of both programs: NAME=NUMBER. */
static inline double option(int argc, char **argv, const char *name, double otherwise) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, strlen(name)) == 0 && argv[i][strlen(name)] == '=')
      return atof(argv[i] + strlen(name) + 1);
  return otherwise;
}

#endif
