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

/* Optimises from `begin` on, `times` times; the median of the processor times [s]. */
static inline double timed(const ilqr_problem *p, const ilqr_motion *begin, ilqr_motion *t,
                           int times, ilqr_status *status) {
  double took[99] = {0};
  times = times < 1 ? 1 : times < 99 ? times : 99;
  *status = ILQR_BAD_MODEL;
  for (int n = 0; n < times; n++) {
    *t = *begin;
    const double began = processor_time();
    *status = ilqr_optimise(p, t);
    took[n] = processor_time() - began;
  }
  qsort(took, (size_t)times, sizeof *took, by_size);
  return took[times / 2];
}

/* The torques that hold the robot at the start best: |a|^2 + 1e-9 |u|^2 is least. */
static inline bool holding(const ilqr_problem *p, double u[NU]) {
  static ilqr_model m;
  const bool held[NU] = {false};
  double H[NU][NU], R[NU][NU];
  memset(u, 0, sizeof(double[NU]));
  if (!p->model(p->context, &p->start, u, true, &m)) return false;
  for (int i = 0; i < NU; i++)
    for (int j = 0; j < NU; j++) {
      H[i][j] = i == j ? 1e-9 : 0;
      for (int k = 0; k < NV; k++) H[i][j] += m.a_u[k][i] * m.a_u[k][j];
    }
  for (int i = 0; i < NU; i++)
    for (int k = 0; k < NV; k++) u[i] -= m.a_u[k][i] * m.a[k];
  if (!ilqr_factor(H, held, R)) return false;
  ilqr_solve(R, u);
  return true;
}

/* The largest error of the gradient against differences of the cost (central, extrapolated), of 40
 * torques along the motion, in proportion to the largest; with multipliers, so that it is not 0. */
static inline double gradient_error(const ilqr_problem *p, ilqr_motion *t) {
  static double gradient[STEPS][NU], u[STEPS][NU];
  static ilqr_state x[STEPS + 1];
  ilqr_model m;
  double worst = 0, largest = 0;
  for (int k = 0; k < STEPS; k++)
    for (int j = 0; j < NC; j++) t->multiplier[k][j] = 1 + j;
  t->penalty = 10;
  ilqr_gradient(p, t, gradient);
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < NU; i++) largest = fmax(largest, fabs(gradient[k][i]));
  for (int n = 0; n < 40; n++) {
    const int k = n * (STEPS - 1) / 39, i = n % NU;
    const double kept = t->u[k][i], h = 2e-7 * p->u_most[i];
    double slope[2];
    if (fabs(kept) + h > p->u_most[i]) continue; /* a difference would leave the limits */
    for (int half = 0; half < 2; half++) {
      const double d = half ? h / 2 : h;
      double cost[2];
      for (int side = 0; side < 2; side++) {
        t->u[k][i] = kept + (side ? -d : d);
        cost[side] = ilqr_roll(p, t, 0, x, u, &m);
      }
      slope[half] = (cost[0] - cost[1]) / (2 * d);
    }
    t->u[k][i] = kept;
    worst = fmax(worst, fabs(gradient[k][i] - (4 * slope[1] - slope[0]) / 3) / largest);
  }
  return worst;
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
  const char *name;
  double values[STEPS + 1], limit; /* a dashed line of its colour at +- limit; 0: none */
  int count;
} curve;

typedef struct panel {
  const char *title; /* with its unit */
  curve curves[8];   /* ends at the first without values */
} panel;

/* Panels over time, one below the other, as an SVG file. */
static inline bool draw(const char *path, double period, const panel panels[], int count) {
  static const char *const colours[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#555555", "#000000"};
  enum { LEFT = 70, WIDTH = 560, HEIGHT = 150, GAP = 50 };
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          LEFT + WIDTH + 110, count * (HEIGHT + GAP) + 30);
  for (int n = 0; n < count; n++) {
    const double top = n * (HEIGHT + GAP) + 30;
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 8 && panels[n].curves[c].count; c++) {
      const curve *f = &panels[n].curves[c];
      for (int k = 0; k < f->count; k++) {
        low = fmin(low, f->values[k]);
        high = fmax(high, f->values[k]);
      }
      if (f->limit != 0) {
        low = fmin(low, -f->limit);
        high = fmax(high, f->limit);
      }
    }
    if (!(high > low)) high = low + 1;
    const double scale = HEIGHT / (1.1 * (high - low)), middle = 0.5 * (low + high);
#define X(k) (LEFT + (k)*WIDTH / (double)STEPS)
#define Y(value) (top + HEIGHT / 2.0 - ((value)-middle) * scale)
    fprintf(file, "<text x=\"%d\" y=\"%g\">%s</text>\n", LEFT, top - 8, panels[n].title);
    fprintf(file,
            "<rect x=\"%d\" y=\"%g\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
            LEFT, top, WIDTH, HEIGHT);
    for (int tick = 0; tick < 3; tick++) {
      const double value = tick == 0 ? low : tick == 1 ? middle : high;
      fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 6,
              Y(value) + 4, value);
    }
    for (int tick = 0; tick <= 4; tick++)
      fprintf(file, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%g s</text>\n",
              X(tick * STEPS / 4.0), top + HEIGHT + 16, tick * STEPS * period / 4);
    for (int c = 0; c < 8 && panels[n].curves[c].count; c++) {
      const curve *f = &panels[n].curves[c];
      fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
              colours[c]);
      for (int k = 0; k < f->count; k++) fprintf(file, "%.1f,%.1f ", X(k), Y(f->values[k]));
      fprintf(file, "\"/>\n<text x=\"%d\" y=\"%g\" fill=\"%s\">%s</text>\n", LEFT + WIDTH + 8,
              top + 14 + 18 * c, colours[c], f->name);
      for (int side = -1; f->limit != 0 && side <= 1; side += 2)
        fprintf(file,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-dasharray=\"4 4\"/>\n",
                LEFT, LEFT + WIDTH, Y(side * f->limit), Y(side * f->limit), colours[c]);
    }
#undef X
#undef Y
  }
  fputs("</svg>\n", file);
  return fclose(file) == 0;
}

static const char *const status_text[] = {"solved",
                                          "the problem has numbers that are none",
                                          "the model has no result",
                                          "no motion comes past the constraints",
                                          "the goal is not reached",
                                          "not converged"};

/* The options of both programs: NAME=NUMBER. */
static inline double option(int argc, char **argv, const char *name, double otherwise) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, strlen(name)) == 0 && argv[i][strlen(name)] == '=')
      return atof(argv[i] + strlen(name) + 1);
  return otherwise;
}

#endif
