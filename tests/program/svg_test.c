/* SPDX-License-Identifier: MIT */
/* svg_test.c: is a drawing of --inspect --svg sound and readable? Well formed, the robot's names in
 * it, no two texts on each other, none out of its box or the page, no line through a text, no box
 * over another.
 *   svg_test DRAWING.svg ROBOT.urdf [NAME]...   NAME: of a group or wrench */
#include "test.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>

enum { MOST = 20000, LINE_LENGTH = 400 };

typedef struct box {
  double left, top, right, bottom;
  const char *what; /* text or class */
} box;

static box texts[MOST], rects[MOST], lines[MOST];
static int ntexts, nrects, nlines;
static xmlBufferPtr written; /* all texts and tool tips, each between line feeds */

static bool is(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}
static const char *attribute(xmlNode *node, const char *name) {
  const char *value = (const char *)xmlGetProp(node, (const xmlChar *)name);
  return value ? value : "";
}
static double number(xmlNode *node, const char *name) {
  char *end;
  const char *text = attribute(node, name);
  const double value = strtod(text, &end);
  if (*text == '\0' || *end != '\0') test_report(__FILE__, __LINE__, false, name);
  return value;
}

/* No narrower than in any of the faces that viewers take for sans serif; in sizes. */
static double width_of(const char *text, bool bold) {
  double sum = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if ((*c & 0xC0) == 0x80) continue;
    double width = *c >= 'A' && *c <= 'Z' ? 0.79 : 0.637;
    if (*c >= 0x80) width = 1;
    if (strchr(" il,.'j", *c)) width = 0.364;
    if (strchr("rtf-()[]{}/\\!:;|I", *c)) width = 0.455;
    if (strchr("scz\"", *c)) width = 0.55;
    if (strchr("w#<>=+~^*&M", *c)) width = 0.864;
    if (strchr("mW@%", *c)) width = *c == '%' ? 1.08 : 1;
    sum += width + (bold ? 0.085 : 0);
  }
  return sum;
}

static void collect(xmlNode *node) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE || is(node, "defs") || is(node, "style")) continue;
    if (is(node, "text") || is(node, "title")) {
      const xmlChar *content = xmlNodeGetContent(node);
      xmlBufferCat(written, content);
      xmlBufferCat(written, (const xmlChar *)"\n");
      if (is(node, "text") && ntexts < MOST) {
        const double size = number(node, "font-size");
        const double wide =
            size * width_of((const char *)content, strcmp(attribute(node, "font-weight"), "") != 0);
        const char *anchor = attribute(node, "text-anchor");
        const double x = number(node, "x") - (strcmp(anchor, "end") == 0      ? wide
                                              : strcmp(anchor, "middle") == 0 ? wide / 2
                                                                              : 0);
        const double y = number(node, "y");
        texts[ntexts++] =
            (box){x, y - 0.77 * size, x + wide, y + 0.24 * size, (const char *)content};
      }
    }
    if (is(node, "rect") && nrects < MOST) {
      const double x = number(node, "x"), y = number(node, "y");
      rects[nrects++] = (box){x, y, x + number(node, "width"), y + number(node, "height"),
                              attribute(node, "class")};
    }
    if (is(node, "line") && nlines < MOST) {
      const double x1 = number(node, "x1"), x2 = number(node, "x2"), y1 = number(node, "y1"),
                   y2 = number(node, "y2");
      lines[nlines++] =
          (box){fmin(x1, x2), fmin(y1, y2), fmax(x1, x2), fmax(y1, y2), attribute(node, "class")};
    }
    collect(node->children);
  }
}

static bool overlap(const box *a, const box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}
static bool inside(const box *a, const box *outer) {
  return a->left >= outer->left && a->right <= outer->right && a->top >= outer->top &&
         a->bottom <= outer->bottom;
}

static void report(const char *what, const box *a, const box *b, bool good) {
  char text[LINE_LENGTH];
  snprintf(text, sizeof text, "%s: \"%s\" at %.0f %.0f, \"%s\" at %.0f %.0f", what, a->what,
           a->left, a->top, b->what, b->left, b->top);
  test_report(__FILE__, __LINE__, good, text);
}

static void texts_do_not_overlap(void) {
  for (int i = 0; i < ntexts; i++)
    for (int k = 0; k < i; k++)
      if (overlap(&texts[i], &texts[k])) report("texts overlap", &texts[i], &texts[k], false);
  CHECK(ntexts > 10);
}

/* The smallest rectangle around a text's beginning holds all of it. */
static void texts_stay_in_their_boxes(void) {
  for (int i = 0; i < ntexts; i++) {
    const box *t = &texts[i], *least = NULL;
    for (int k = 0; k < nrects; k++) {
      const box *r = &rects[k];
      const double y = (t->top + t->bottom) / 2, x = (t->left + t->right) / 2;
      const bool around =
          (r->left <= t->left && t->left < r->right && r->top <= y && y < r->bottom) ||
          (r->left <= x && x < r->right && r->top <= y && y < r->bottom);
      if (around && (!least || inside(r, least))) least = r;
    }
    CHECK(least);
    if (least) report("text leaves its box", t, least, inside(t, least));
  }
}

static void lines_miss_texts(void) {
  for (int i = 0; i < nlines; i++)
    for (int k = 0; k < ntexts; k++)
      if (overlap(&lines[i], &texts[k])) report("line through text", &lines[i], &texts[k], false);
  CHECK(nlines > 3);
}

static void boxes_nest_or_miss(void) {
  for (int i = 0; i < nrects; i++)
    for (int k = 0; k < i; k++)
      if (overlap(&rects[i], &rects[k]))
        report("boxes overlap", &rects[i], &rects[k],
               inside(&rects[i], &rects[k]) || inside(&rects[k], &rects[i]));
}

/* Leads and edges are upright or level: their boxes have no room inside; they may touch. */
static void lines_are_straight(void) {
  for (int i = 0; i < nlines; i++)
    if (strlen(lines[i].what) > 1) /* not an axis */
      report("slanting line", &lines[i], &lines[i],
             lines[i].left == lines[i].right || lines[i].top == lines[i].bottom);
}

static void is_written(const char *name) {
  char what[LINE_LENGTH];
  snprintf(what, sizeof what, "name is missing: %s", name);
  test_report(__FILE__, __LINE__, strstr((const char *)xmlBufferContent(written), name) != NULL,
              what);
}

static void names_of_the_robot(const char *urdf) {
  xmlDoc *doc = xmlReadFile(urdf, NULL, XML_PARSE_NONET);
  CHECK(doc);
  if (!doc) return;
  for (xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next)
    if (is(n, "link") || is(n, "joint")) is_written(attribute(n, "name"));
  xmlFreeDoc(doc);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: svg_test DRAWING.svg ROBOT.urdf [NAME]...\n");
    return 2;
  }
  xmlDoc *doc = xmlReadFile(argv[1], NULL, XML_PARSE_NONET);
  CHECK(doc);
  if (!doc) return test_end();
  xmlNode *svg = xmlDocGetRootElement(doc);
  CHECK(is(svg, "svg") && strcmp((const char *)svg->ns->href, "http://www.w3.org/2000/svg") == 0);
  CHECK(strcmp(attribute(svg, "version"), "1.1") == 0);
  char view[LINE_LENGTH];
  snprintf(view, sizeof view, "0 0 %s %s", attribute(svg, "width"), attribute(svg, "height"));
  CHECK(strcmp(attribute(svg, "viewBox"), view) == 0);
  written = xmlBufferCreate();
  collect(svg->children);
  RUN(texts_do_not_overlap);
  RUN(texts_stay_in_their_boxes);
  RUN(lines_miss_texts);
  RUN(lines_are_straight);
  RUN(boxes_nest_or_miss);
  names_of_the_robot(argv[2]);
  for (int i = 3; i < argc; i++) is_written(argv[i]);
  xmlBufferFree(written);
  xmlFreeDoc(doc);
  return test_end();
}
