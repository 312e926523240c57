/* SPDX-License-Identifier: MIT */
/* plot.c: see plot.h */
#include "plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, LEFT = 70, RIGHT = 120, TOP = 40, PANEL = 150, GAP = 30, POINTS = 700 };

static const char *const colours[PLOT_CURVES] = {"#1f6fb4", "#d1541f", "#2f8f4e", "#8a4fa3"};

typedef struct range {
  double low, high;
} range;

static range range_of(const plot_panel *panel, size_t count) {
  range r = {INFINITY, -INFINITY};
  for (int c = 0; c < PLOT_CURVES && panel->curves[c].name; c++)
    for (size_t k = 0; k < count; k++) {
      r.low = fmin(r.low, panel->curves[c].values[k]);
      r.high = fmax(r.high, panel->curves[c].values[k]);
    }
  const double span = r.high - r.low, size = fmax(fabs(r.low), fabs(r.high));
  const double margin = span > 1e-9 * size ? 0.05 * span : 1; /* constant but for rounding */
  return (range){r.low - margin, r.high + margin};
}

static double tick_step(double span, int most) {
  const double rough = span / most, unit = pow(10, floor(log10(rough)));
  return unit * (rough <= unit ? 1 : rough <= 2 * unit ? 2 : rough <= 5 * unit ? 5 : 10);
}

static double height_at(range r, double top, double value) {
  return top + PANEL * (r.high - value) / (r.high - r.low);
}

static void draw_value_axis(FILE *f, range r, double top, const char *unit) {
  const double step = tick_step(r.high - r.low, 4);
  for (double v = ceil(r.low / step) * step; v <= r.high; v += step) {
    const double y = height_at(r, top, v);
    fprintf(f, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>", LEFT, y, WIDTH - RIGHT);
    fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 6, y + 4,
            fabs(v) < 1e-9 * step ? 0 : v);
  }
  fprintf(f, "<text x=\"%d\" y=\"%.1f\">[%s]</text>\n", LEFT, top - 5, unit);
}

static double place(plot_axis axis, size_t count, double x) {
  return LEFT + (WIDTH - LEFT - RIGHT) * (x - axis.from) / (axis.step * (double)count);
}

static void draw_axis(FILE *f, double top, double bottom, plot_axis axis, size_t count) {
  const double length = axis.step * (double)count, step = tick_step(length, 10);
  const double end = axis.from + length * (1 + 1e-9);
  for (double t = ceil(axis.from / step - 1e-9) * step; t <= end; t += step) {
    const double x = place(axis, count, t);
    fprintf(f, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#eee\"/>", x, top, bottom);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.6g</text>\n", x, bottom + 16,
            fabs(t) < 1e-9 * step ? 0 : t);
  }
  fprintf(f, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", WIDTH - RIGHT + 16, bottom + 16, axis.name);
  for (int k = axis.mark ? -1 : 0; k < axis.nlines; k++) {
    const double x = place(axis, count, k < 0 ? *axis.mark : axis.lines[k]);
    fprintf(f, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#777\" stroke-dasharray=\"4 3\"/>\n", x, top,
            bottom);
  }
}

static void draw_mark(FILE *f, const plot_curve *curve, const char *colour, range r, double top,
                      plot_axis axis, size_t count) {
  if (!axis.mark) return;
  const double at = (*axis.mark - axis.from) / axis.step;
  const size_t k = at <= 0 ? 0 : at >= (double)(count - 1) ? count - 1 : (size_t)(at + 0.5);
  fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
          place(axis, count, *axis.mark), height_at(r, top, curve->values[k]), colour);
}

/* Every pixel's least and largest value, so that no spike is lost. */
static void draw_curve(FILE *f, const plot_curve *curve, const char *colour, range r, double top,
                       size_t count) {
  const size_t columns = count < POINTS ? count : POINTS;
  fprintf(f, "<path fill=\"none\" stroke=\"%s\" d=\"", colour);
  for (size_t c = 0; c < columns; c++) {
    const size_t first = c * count / columns, end = (c + 1) * count / columns;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = first; k < end; k++) {
      low = fmin(low, curve->values[k]);
      high = fmax(high, curve->values[k]);
    }
    const double x = LEFT + (WIDTH - LEFT - RIGHT) * (double)first / (double)count;
    fprintf(f, "%c%.1f %.1fV%.1f", c ? 'L' : 'M', x, height_at(r, top, low),
            height_at(r, top, high));
  }
  fprintf(f, "\"/>\n");
}

int plot_write(const char *path, const char *title, double period, size_t count,
               const plot_panel *panels) {
  return plot_write_over(path, title, (plot_axis){"time [s]", 0, period, NULL, NULL, 0}, count,
                         panels);
}

int plot_write_over(const char *path, const char *title, plot_axis axis, size_t count,
                    const plot_panel *panels) {
  int npanels = 0;
  while (npanels < PLOT_PANELS && panels[npanels].unit) npanels++;
  FILE *f = fopen(path, "w");
  if (!f) return -1;
  const int height = TOP + npanels * (PANEL + GAP) + 10;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"11\">\n"
          "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
          "<text x=\"%d\" y=\"16\" font-size=\"14\">%s</text>\n",
          WIDTH, height, WIDTH, height, LEFT, title);
  draw_axis(f, TOP, height - 30, axis, count);
  for (int p = 0; p < npanels; p++) {
    const double top = TOP + p * (PANEL + GAP);
    const range r = range_of(&panels[p], count);
    draw_value_axis(f, r, top, panels[p].unit);
    for (int c = 0; c < PLOT_CURVES && panels[p].curves[c].name; c++) {
      draw_curve(f, &panels[p].curves[c], colours[c], r, top, count);
      draw_mark(f, &panels[p].curves[c], colours[c], r, top, axis, count);
      fprintf(f, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 8,
              top + 14 + 15 * c, colours[c], panels[p].curves[c].name);
    }
  }
  fprintf(f, "</svg>\n");
  return fclose(f) == 0 ? 0 : -1;
}

/* ---- in a plane ---- */

enum { SIDE = 500 };

typedef struct view {
  double scale, left, top; /* pixels per unit; where x is least, where y is greatest */
  range x, y;
} view;

static range spread(const double *values, size_t count, const plot_plane *plane, int axis) {
  range r = {INFINITY, -INFINITY};
  for (size_t k = 0; k < count; k++) r = (range){fmin(r.low, values[k]), fmax(r.high, values[k])};
  for (int k = 0; k < plane->npoints; k++) {
    const double at = plane->points[k][axis];
    r = (range){fmin(r.low, at - plane->radius), fmax(r.high, at + plane->radius)};
  }
  const double margin = fmax(0.05 * (r.high - r.low), plane->radius);
  return (range){r.low - margin, r.high + margin};
}

static double across(const view *v, double x) {
  return v->left + v->scale * (x - v->x.low);
}

static double down(const view *v, double y) {
  return v->top + v->scale * (v->y.high - y);
}

static void draw_grid(FILE *f, const view *v, const plot_plane *plane) {
  const double step = tick_step(fmax(v->x.high - v->x.low, v->y.high - v->y.low), 8);
  const double right = across(v, v->x.high), bottom = down(v, v->y.low);
  for (double x = ceil(v->x.low / step) * step; x <= v->x.high; x += step)
    fprintf(f,
            "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#eee\"/><text x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"middle\">%.4g</text>\n",
            across(v, x), v->top, bottom, across(v, x), bottom + 16, fabs(x) < 1e-9 * step ? 0 : x);
  for (double y = ceil(v->y.low / step) * step; y <= v->y.high; y += step)
    fprintf(f,
            "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#eee\"/><text x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"end\">%.4g</text>\n",
            v->left, down(v, y), right, v->left - 6, down(v, y) + 4, fabs(y) < 1e-9 * step ? 0 : y);
  fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">%s</text><text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
          right + 8, bottom + 16, plane->x_name, v->left, v->top - 6, plane->y_name);
}

static void draw_points(FILE *f, const view *v, const plot_plane *plane) {
  fprintf(f, "<path fill=\"none\" stroke=\"%s\" stroke-dasharray=\"4 3\" d=\"", colours[1]);
  for (int k = 0; k < plane->npoints; k++)
    fprintf(f, "%c%.1f %.1f", k ? 'L' : 'M', across(v, plane->points[k][0]),
            down(v, plane->points[k][1]));
  fprintf(f, "\"/>\n");
  for (int k = 0; k < plane->npoints; k++) {
    const double x = across(v, plane->points[k][0]), y = down(v, plane->points[k][1]);
    fprintf(f,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#888\" fill-opacity=\"0.1\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
            x, y, v->scale * plane->radius, x, y, colours[2]);
  }
}

int plot_plane_write(const char *path, const char *title, const plot_plane *plane) {
  view v = {.left = LEFT, .top = TOP};
  v.x = spread(plane->x, plane->count, plane, 0);
  v.y = spread(plane->y, plane->count, plane, 1);
  v.scale = fmin((WIDTH - LEFT - RIGHT) / (v.x.high - v.x.low), SIDE / (v.y.high - v.y.low));
  FILE *f = fopen(path, "w");
  if (!f) return -1;
  const double bottom = down(&v, v.y.low), right = across(&v, v.x.high) + 12;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
          "font-family=\"sans-serif\" font-size=\"11\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
          "<text x=\"%d\" y=\"16\" font-size=\"14\">%s</text>\n",
          WIDTH, bottom + 30, LEFT, title);
  draw_grid(f, &v, plane);
  draw_points(f, &v, plane);
  fprintf(f, "<path fill=\"none\" stroke=\"%s\" d=\"", colours[0]);
  const size_t every = plane->count / 2000 + 1;
  for (size_t k = 0; k < plane->count; k += every)
    fprintf(f, "%c%.1f %.1f", k ? 'L' : 'M', across(&v, plane->x[k]), down(&v, plane->y[k]));
  fprintf(f, "\"/>\n<text x=\"%.1f\" y=\"54\" fill=\"%s\">measured</text>\n", right, colours[0]);
  fprintf(f, "<text x=\"%.1f\" y=\"69\" fill=\"%s\">path</text>\n", right, colours[1]);
  fprintf(f, "<text x=\"%.1f\" y=\"84\" fill=\"%s\">waypoint, tube</text>\n</svg>\n", right,
          colours[2]);
  return fclose(f) == 0 ? 0 : -1;
}
