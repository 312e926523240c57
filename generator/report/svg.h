/* SPDX-License-Identifier: MIT */
/* svg.h: elements of an SVG 1.1 drawing, as text. Coordinates are pixels, y down. The looks of the
 * classes and symbols named here are the template's (templates/tree.svg.in). */
#ifndef AG_SVG_H
#define AG_SVG_H

#include "base/text.h"

#include <stdbool.h>

typedef enum ag_anchor { AG_START, AG_MIDDLE, AG_END } ag_anchor;

typedef struct ag_font {
  const char *name; /* class: says the colour */
  double size;
  bool bold;
} ag_font;

/* Width of a text [pixels]: at least that of any common sans serif face. */
double ag_text_width(const char *text, const ag_font *font);

/* y: of the base line. */
void ag_draw_text(ag_text *to, double x, double y, ag_anchor anchor, const ag_font *font,
                  const char *text);
typedef struct ag_spot {
  double x, y;
} ag_spot;

typedef struct ag_box { /* x, y: of its upper left corner */
  double x, y, width, height;
} ag_box;

/* A rectangle with round corners. */
void ag_draw_box(ag_text *to, const char *name, ag_box box, double radius);
/* The same with round corners above and, where `closed`, below. */
void ag_draw_tab(ag_text *to, const char *name, ag_box box, double radius, bool closed);
/* A straight line. */
void ag_draw_line(ag_text *to, const char *name, double x1, double y1, double x2, double y2);
/* A curve from one point to another that hangs down towards y = low. */
void ag_draw_curve(ag_text *to, const char *name, ag_spot from, ag_spot there, double low);
/* One of the template's symbols, its middle at x, y. */
void ag_draw_symbol(ag_text *to, const char *name, double x, double y);
/* A group of elements with a tool tip; tip NULL: none. */
void ag_draw_open(ag_text *to, const char *name, const char *tip);
/* Ends the group that was opened last. */
void ag_draw_close(ag_text *to);

/* A text as it can stand in XML; control characters become blanks. */
const char *ag_xml(ag_arena *arena, const char *text);

#endif
