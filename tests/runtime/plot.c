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
  if (!axis.mark) return;
  const double x = place(axis, count, *axis.mark);
  fprintf(f, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#777\" stroke-dasharray=\"4 3\"/>\n", x, top,
          bottom);
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
  return plot_write_over(path, title, (plot_axis){"time [s]", 0, period, NULL}, count, panels);
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
