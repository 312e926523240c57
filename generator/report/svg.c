/* SPDX-License-Identifier: MIT */
/* svg.c: see svg.h */
#include "report/svg.h"

#include <string.h>

/* Advance widths of the signs ' ' to '~' in thousandths of the size: of DejaVu Sans and Verdana,
 * which are the widest faces that a viewer falls back to, the wider. */
static const short widths[] = {
    352,  401, 460, 838, 636, 1076, 780, 275, 454, 454, 636, 838, 364, 454, 364, 454, /*   to / */
    636,  636, 636, 636, 636, 636,  636, 636, 636, 636, 454, 454, 838, 838, 838, 546, /* 0 to ? */
    1000, 684, 686, 698, 771, 633,  575, 776, 752, 421, 455, 693, 557, 863, 749, 788, /* @ to O */
    603,  788, 696, 685, 617, 732,  685, 989, 686, 616, 686, 454, 454, 454, 838, 636, /* P to _ */
    636,  613, 635, 550, 635, 616,  352, 635, 634, 278, 344, 592, 278, 974, 634, 612, /* ` to o */
    635,  635, 427, 521, 394, 634,  592, 818, 592, 592, 526, 636, 454, 636, 838,      /* p to ~ */
};
enum { FOREIGN = 1000, BOLD_MORE = 85 }; /* other signs; what a bold sign is wider */

double ag_text_width(const char *text, const ag_font *font) {
  double sum = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if ((*c & 0xC0) == 0x80) continue; /* inside a sign of UTF-8 */
    sum += *c < 0x20 ? widths[0] : *c < 0x7F ? widths[*c - 0x20] : FOREIGN;
    if (font->bold) sum += BOLD_MORE;
  }
  return 1.04 * sum * font->size / 1000; /* and what hinting may add */
}

const char *ag_xml(ag_arena *arena, const char *text) {
  ag_text to = {.arena = arena};
  ag_text_put(&to, "", 0);
  for (const char *c = text; *c; c++) {
    const char *entity = *c == '&'   ? "&amp;"
                         : *c == '<' ? "&lt;"
                         : *c == '>' ? "&gt;"
                         : *c == '"' ? "&quot;"
                                     : NULL;
    const bool control = (unsigned char)*c < 0x20 || *c == 0x7F;
    if (entity)
      ag_text_put(&to, entity, strlen(entity));
    else
      ag_text_put(&to, control ? " " : c, 1);
  }
  return to.chars;
}

void ag_draw_text(ag_text *to, double x, double y, ag_anchor anchor, const ag_font *font,
                  const char *text) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  ag_text_add(to, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" font-size=\"%g\"%s%s>%s</text>\n",
              font->name, x, y, font->size, font->bold ? " font-weight=\"bold\"" : "",
              anchors[anchor], ag_xml(to->arena, text));
}

void ag_draw_box(ag_text *to, const char *name, ag_box box, double radius) {
  ag_text_add(
      to, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%g\"/>\n",
      name, box.x, box.y, box.width, box.height, radius);
}

void ag_draw_tab(ag_text *to, const char *name, ag_box box, double radius, bool closed) {
  if (closed) {
    ag_draw_box(to, name, box, radius);
    return;
  }
  ag_text_add(
      to,
      "<path class=\"%s\" d=\"M %.1f %.1f v %.1f a %g %g 0 0 1 %g %g h %.1f a %g %g 0 0 1 %g "
      "%g v %.1f z\"/>\n",
      name, box.x, box.y + box.height, radius - box.height, radius, radius, radius, -radius,
      box.width - 2 * radius, radius, radius, radius, radius, box.height - radius);
}

void ag_draw_line(ag_text *to, const char *name, double x1, double y1, double x2, double y2) {
  ag_text_add(to, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", name,
              x1, y1, x2, y2);
}

void ag_draw_curve(ag_text *to, const char *name, ag_spot from, ag_spot there, double low) {
  ag_text_add(to, "<path class=\"%s\" d=\"M %.1f %.1f C %.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", name,
              from.x, from.y, from.x, low, there.x, low, there.x, there.y);
}

void ag_draw_symbol(ag_text *to, const char *name, double x, double y) {
  ag_text_add(to, "<use xlink:href=\"#%s\" x=\"%.1f\" y=\"%.1f\"/>\n", name, x, y);
}

void ag_draw_open(ag_text *to, const char *name, const char *tip) {
  ag_text_add(to, "<g class=\"%s\">\n", name);
  if (tip) ag_text_add(to, "<title>%s</title>\n", ag_xml(to->arena, tip));
}

void ag_draw_close(ag_text *to) {
  ag_text_add(to, "</g>\n");
}
