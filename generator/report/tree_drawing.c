/* SPDX-License-Identifier: MIT */
/* tree_drawing.c: see tree_drawing.h */
#include "report/tree_drawing.h"

#include "base/embedded.h"
#include "base/version.h"
#include "lower/plan.h"
#include "report/tree_layout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
  MARGIN = 32, /* around everything */
  ARM = 9,     /* length of an axis */
  CHIP_HIGH = 16,
  LEAST_WIDTH = 700 /* of the page */
};

/* The axes of a frame as seen from a corner: x to the left front, y to the right, z up. */
static void draw_axes(const ag_tree *d, double x, double y, const double R[3][3]) {
  static const char *const names[] = {"x", "y", "z"};
  static const double view[2][3] = {{-0.62, 0.92, 0}, {0.52, 0.26, -1}}; /* right, down */
  for (int k = 0; k < 3; k++) {
    double tip[2];
    for (int i = 0; i < 2; i++)
      tip[i] = ARM * (view[i][0] * R[0][k] + view[i][1] * R[1][k] + view[i][2] * R[2][k]);
    ag_draw_line(d->to, names[k], x, y, x + tip[0], y + tip[1]);
  }
}

static void draw_row(const ag_tree *d, const ag_tree_node *n, int index, double left, double top) {
  const ag_tree_row *r = &n->rows[index];
  const double y = top + ag_row_middle(n, index), x = left + ag_row_left(r);
  const ag_link *link = &d->model->links[r->frame->link];
  const char *tip = r->parent < 0 ? NULL
                                  : ag_printf(d->arena, "%s joint %s",
                                              *r->lock ? "locked" : "fixed", link->joint.name);
  ag_draw_open(d->to, "frame", tip);
  if (r->parent >= 0) { /* from the frame that it is fixed to */
    const double trunk = left + AG_PADDING + (r->depth - 0.5) * AG_INDENT - 2;
    const double from = r->parent == 0 ? top + n->head_high : top + ag_row_middle(n, r->parent) + 9;
    ag_draw_line(d->to, "rigid", trunk, from, trunk, y);
    ag_draw_line(d->to, "rigid", trunk, y, x - AG_AXES, y);
    ag_draw_line(d->to, "rigid", trunk + 4, y - 4, trunk + 4, y + 4);
  }
  draw_axes(d, x - 15, y + 1, r->frame->pose.R);
  const ag_font *font = r->parent < 0 ? &ag_tree_fonts.link_name : &ag_tree_fonts.plain;
  ag_draw_text(d->to, x, y + 4.5, AG_START, font, r->name);
  double at = x + ag_text_width(r->name, font);
  if (*r->lock) {
    ag_draw_symbol(d->to, "locked", at + 12, y - 1);
    ag_draw_text(d->to, at + 22, y + 4.5, AG_START, &ag_tree_fonts.note, r->lock);
    at += 22 + ag_text_width(r->lock, &ag_tree_fonts.note);
  }
  if (*r->note) ag_draw_text(d->to, at + 8, y + 4.5, AG_START, &ag_tree_fonts.note, r->note);
  if (*r->place)
    ag_draw_text(d->to, left + n->card_wide - AG_PADDING, y + 4.5, AG_END, &ag_tree_fonts.faint,
                 r->place);
  ag_draw_close(d->to);
}

/* One row's sign; group NULL: for the legend. */
static void draw_chip(const ag_tree *d, bool physical, bool on, double x, double y,
                      const char *text) {
  ag_draw_box(d->to,
              !on        ? "off"
              : physical ? "environment_on"
                         : "motor_on",
              (ag_box){x, y, AG_CHIP, CHIP_HIGH}, 4);
  ag_draw_text(d->to, x + AG_CHIP / 2.0, y + 11.5, AG_MIDDLE,
               on ? &ag_tree_fonts.chip_on : &ag_tree_fonts.chip_off, text);
}

static bool has_row(const ag_tree *d, const char *group, const char *name) {
  for (int k = 0; k < d->header->nrows; k++)
    if (strcmp(d->header->rows[k].group, group) == 0 && strcmp(d->header->rows[k].name, name) == 0)
      return true;
  return false;
}

static void draw_chips(const ag_tree *d, const ag_mark *m, double x, double y) {
  const double step = AG_CHIP + AG_CHIP_GAP;
  for (int k = 0; ag_on_joints(m) && k < ag_row_count(d, m); k++)
    draw_chip(d, m->physical, true, x + k * step, y, ag_printf(d->arena, "%d", k + 1));
  if (ag_on_joints(m)) return;
  if (m->axes[0] == 'f') {
    for (int k = 0; k < 6; k++) {
      const char *name = ag_printf(d->arena, "%d", k + 1);
      if (has_row(d, m->name, name)) draw_chip(d, m->physical, true, x + k * step, y, name);
    }
    return;
  }
  double left = x;
  for (int part = 0; part < 2; part++) {
    const char *kind = part ? "ang" : "lin";
    ag_draw_text(d->to, left, y + 12, AG_START, &ag_tree_fonts.small, kind);
    left += ag_text_width(kind, &ag_tree_fonts.small) + 6;
    for (int k = 0; k < 3; k++) {
      const char *axis = ag_printf(d->arena, "%c", "xyz"[k]);
      const bool on = has_row(d, m->name, ag_printf(d->arena, "%s_%s", kind, axis));
      draw_chip(d, m->physical, on, left + k * step, y, axis);
    }
    left += 3 * step + 10;
  }
}

static void draw_mark(const ag_tree *d, const ag_tree_node *n, int k, double left, double top) {
  const ag_mark *m = n->marks[k];
  const double x = left + ag_marks_left(n), y = top + ag_mark_top(n, k);
  const double from = top + ag_lead_from(n, k), end = y + 15;
  const char *lead = m->physical ? "environment_lead" : "motor_lead";
  /* marks further down bend further left: no lead crosses another */
  const double track = left + n->card_wide + 8 + AG_TRACK * (n->nmarks - k);
  ag_draw_line(d->to, lead, left + n->card_wide, from, track, from);
  if (end > from) ag_draw_line(d->to, lead, track, from, track, end);
  ag_draw_line(d->to, lead, track, end, x, end);
  ag_draw_symbol(d->to, m->physical ? "environment_point" : "motor_point", left + n->card_wide,
                 from);
  ag_draw_open(d->to, "mark", NULL);
  const ag_box card = {x, y, ag_mark_width(d, m), ag_mark_height(m)};
  ag_draw_box(d->to, m->physical ? "environment_card" : "motor_card", card, 7);
  const ag_font *font = m->physical ? &ag_tree_fonts.environment : &ag_tree_fonts.motor;
  if (m->kind == AG_MARK_WRENCH) {
    ag_draw_symbol(d->to, m->physical ? "environment_wrench" : "motor_wrench", x + AG_PADDING + 11,
                   y + AG_WRENCH_HIGH / 2.0);
    ag_draw_text(d->to, x + AG_PADDING + 30, y + 19, AG_START, font, m->name);
    ag_draw_text(d->to, x + AG_PADDING + 30, y + 36, AG_START, &ag_tree_fonts.small,
                 ag_wrench_summary(d, m));
  } else {
    ag_draw_text(d->to, x + AG_PADDING, y + 19, AG_START, font, m->name);
    ag_draw_text(d->to, x + AG_PADDING, y + 35, AG_START, &ag_tree_fonts.small,
                 ag_group_summary(d, m));
    ag_draw_text(d->to, x + AG_PADDING, y + 50, AG_START, &ag_tree_fonts.small, m->text);
    draw_chips(d, m, x + AG_PADDING, y + 59);
  }
  ag_draw_close(d->to);
}

static void draw_joint(const ag_tree *d, const ag_tree_node *n, double spine) {
  const ag_joint *joint = &d->model->links[n->rows[0].frame->link].joint;
  const char *symbol = joint->type == AG_PRISMATIC    ? "prismatic"
                       : joint->type == AG_CONTINUOUS ? "continuous"
                                                      : "revolute";
  const double y = n->y + n->joint_high / 2 - 4;
  ag_draw_line(d->to, "edge", spine, n->y - AG_DROP / 2.0, spine, n->y + n->joint_high);
  ag_draw_open(d->to, "joint", NULL);
  ag_draw_symbol(d->to, symbol, spine, y);
  for (int k = 0; k < n->nlines; k++)
    ag_draw_text(d->to, spine + AG_SYMBOL + 8, y + 4.5 + AG_LINE * (k - (n->nlines - 1) / 2.0),
                 AG_START, k ? &ag_tree_fonts.plain : &ag_tree_fonts.joint_name, n->lines[k]);
  ag_draw_close(d->to);
}

/* "fixed", "planar", "floating" */
static const char *base_kind(const ag_tree *d) {
  return d->header->nbase == 6 ? "floating" : d->header->nbase == 3 ? "planar" : "fixed";
}

/* From a card's bottom to the children below it; to further lines of them by a trunk along their left edge. */
static void draw_edges(const ag_tree *d, int index, double spine, double bottom) {
  const ag_tree_node *n = &d->nodes[index];
  const double trunk = n->x + n->children_left - AG_TRUNK / 2.0;
  double first = 0, last = 0, bus = 0, low = 0; /* of the children that stand beside each other */
  int children = 0;
  for (int c = index + 1; c < d->nnodes; c++) {
    const ag_tree_node *child = &d->nodes[c];
    if (child->parent != index) continue;
    const double x = child->x + child->spine, y = child->y - AG_DROP / 2.0;
    if (children > 0 && y > low) { /* a further line */
      if (low == bus) first = fmin(first, trunk);
      ag_draw_line(d->to, "edge", first - 1, low, last + 1, low);
      first = trunk;
    }
    if (children++ == 0) first = x, bus = y;
    low = y;
    last = x;
  }
  if (children == 0) return;
  ag_draw_line(d->to, "edge", spine, bottom, spine, bus);
  if (children > 1) ag_draw_line(d->to, "edge", first - 1, low, last + 1, low);
  if (low > bus) ag_draw_line(d->to, "edge", trunk, bus, trunk, low);
}

static void draw_node(const ag_tree *d, int index) {
  const ag_tree_node *n = &d->nodes[index];
  const double left = n->x + n->block_left, top = n->y + n->joint_high, spine = n->x + n->spine;
  if (index == 0) {
    ag_draw_symbol(d->to,
                   d->header->nbase ? ag_printf(d->arena, "%s_base", base_kind(d)) : "ground",
                   spine, n->y + 8);
    ag_draw_line(d->to, "edge", spine, n->y + 8, spine, top);
    /* a root joint of the URDF, on which the base moves */
    const ag_link *root = &d->model->links[d->reduced->root];
    if (root->parent >= 0 && d->header->nbase)
      ag_draw_text(
          d->to, spine + AG_SYMBOL + 8, n->y + 12, AG_START, &ag_tree_fonts.plain,
          ag_printf(d->arena, "%s, in %s", root->joint.name, d->model->links[root->parent].name));
  } else {
    draw_joint(d, n, spine);
  }
  draw_edges(d, index, spine, top + n->card_high);
  const ag_box card = {left, top, n->card_wide, n->card_high};
  const ag_box head = {left, top, n->card_wide, n->head_high};
  ag_draw_box(d->to, "card", card, 7);
  ag_draw_tab(d->to, index == 0 ? "base_head" : "head", head, 7, n->nrows == 1);
  for (int r = 0; r < n->nrows; r++) draw_row(d, n, r, left, top);
  ag_draw_text(d->to, left + n->card_wide - AG_PADDING, top + ag_row_middle(n, 0) + 4.5, AG_END,
               &ag_tree_fonts.plain, n->mass);
  if (*n->centre) {
    ag_draw_symbol(d->to, "mass", left + ag_row_left(&n->rows[0]) - 15, top + AG_HEAD_LINE + 6);
    ag_draw_text(d->to, left + ag_row_left(&n->rows[0]), top + AG_HEAD_LINE + 10, AG_START,
                 &ag_tree_fonts.faint, n->centre);
  }
  for (int k = 0; k < n->nmarks; k++) draw_mark(d, n, k, left, top);
}

/* The node of a link's body. */
static const ag_tree_node *node_of(const ag_tree *d, int link) {
  for (int k = 0; k < d->reduced->nframes; k++)
    if (d->reduced->frames[k].link == link) return &d->nodes[d->reduced->frames[k].body + 1];
  return &d->nodes[0];
}

/* Ties as curves that hang from the one card to the other, behind the cards. Returns the y below
 * them. */
static double draw_ties(const ag_tree *d) {
  double bottom = 0, hang = 40;
  for (int k = 0; k < d->header->nmarks; k++) {
    const ag_mark *m = &d->header->marks[k];
    if (m->kind != AG_MARK_GROUP || m->to < 0) continue;
    const ag_tree_node *from = node_of(d, m->link), *to = node_of(d, m->to);
    const double x1 = from->x + from->block_left + from->card_wide / 2,
                 x2 = to->x + to->block_left + to->card_wide / 2,
                 y1 = from->y + from->joint_high + from->card_high,
                 y2 = to->y + to->joint_high + to->card_high, low = fmax(y1, y2) + hang;
    ag_draw_curve(d->to, m->physical ? "environment_tie" : "motor_tie", (ag_spot){x1, y1},
                  (ag_spot){x2, y2}, low);
    bottom = fmax(bottom, 0.125 * (y1 + y2) + 0.75 * low);
    hang += 14;
  }
  return bottom;
}

/* Words one after the other, from line to line. */
typedef struct flow {
  double left, right, x, y, step;
} flow;

static void make_room(flow *f, double width) {
  if (f->x > f->left && f->x + width > f->right) {
    f->x = f->left;
    f->y += f->step;
  }
}

static void flow_text(const ag_tree *d, flow *f, const char *text) {
  const double width = ag_text_width(text, &ag_tree_fonts.plain);
  make_room(f, width);
  ag_draw_text(d->to, f->x, f->y, AG_START, &ag_tree_fonts.plain, text);
  f->x += width + 24;
}

static double summary_width(const ag_tree *d, const char *first) {
  double width = fmax(ag_text_width(d->model->name, &ag_tree_fonts.title),
                      ag_text_width(first, &ag_tree_fonts.plain));
  for (int i = 0; i < d->header->nfunctions; i++)
    width = fmax(width, ag_text_width(d->header->functions[i]->name, &ag_tree_fonts.plain) + 250);
  return width;
}

static const char *counts(const ag_tree *d) {
  double mass = d->reduced->base.m;
  for (int i = 0; i < d->reduced->nbodies; i++) mass += d->reduced->bodies[i].inertia.m;
  const int n = d->header->njoints, left_out = d->model->nlinks - d->reduced->nframes;
  const char *text =
      ag_printf(d->arena, "%d %s, %d links, %s kg; base {%s}, %s", n, n == 1 ? "joint" : "joints",
                d->reduced->nframes, ag_tree_number(d->arena, mass),
                d->model->links[d->reduced->root].name, base_kind(d));
  if (left_out == 0) return text;
  return ag_printf(d->arena, "%s; %d %s left out by root and tips", text, left_out,
                   left_out == 1 ? "link" : "links");
}

static void draw_summary(const ag_tree *d, flow *f) {
  ag_draw_text(d->to, f->left, f->y, AG_START, &ag_tree_fonts.title, d->model->name);
  f->y += 26;
  flow_text(d, f, counts(d));
  f->x = f->left;
  f->y += f->step;
  for (int i = 0; i < d->header->nfunctions; i++) {
    const ag_plan *p = d->header->plans[i];
    const ag_function *function = p->graph->function;
    const char *worst = p->fast ? ag_printf(d->arena, "; at worst %d", ag_flops(&p->own.cost)) : "";
    flow_text(d, f,
              ag_printf(d->arena, "%s: %d operations (%s%s)", function->name,
                        ag_flops(p->fast ? &p->fast->cost : &p->own.cost), function->formulation,
                        worst));
  }
}

static void legend_item(const ag_tree *d, flow *f, const char *symbol, const char *text) {
  static const double upright[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double width = ag_text_width(text, &ag_tree_fonts.small);
  make_room(f, 40 + width);
  const double x = f->x + 16, y = f->y - 4;
  if (strcmp(symbol, "axes") == 0)
    draw_axes(d, x, y + 1, upright);
  else if (strcmp(symbol, "motor_on") == 0 || strcmp(symbol, "environment_on") == 0)
    draw_chip(d, symbol[0] == 'e', true, x - AG_CHIP / 2.0, y - CHIP_HIGH / 2.0, "x");
  else if (strcmp(symbol, "off") == 0)
    draw_chip(d, false, false, x - AG_CHIP / 2.0, y - CHIP_HIGH / 2.0, "x");
  else
    ag_draw_symbol(d->to, symbol, x, y);
  ag_draw_text(d->to, f->x + 38, f->y, AG_START, &ag_tree_fonts.small, text);
  f->x += 40 + width + 20;
}

/* `sign` is in the elements of a drawing where the item is needed; NULL: always. */
static const struct {
  const char *symbol, *text, *sign;
} legend[] = {{"revolute", "revolute", "#revolute\""},
              {"continuous", "continuous: no limits", "#continuous\""},
              {"prismatic", "prismatic", "#prismatic\""},
              {"fixed", "fixed joint", "\"rigid\""},
              {"locked", "locked joint", "#locked\""},
              {"ground", "base, fixed", "#ground\""},
              {"planar_base", "base, moves along x and y, turns about z", "#planar_base\""},
              {"floating_base", "base, floats", "#floating_base\""},
              {"axes", "frame: x red, y green, z blue; on its body, at q = 0", NULL},
              {"mass", "centre of mass, in the body's frame", "#mass\""},
              {"motor_on", "artificial row: motors hold it", "\"motor_on\""},
              {"environment_on", "physical row: the environment does", "\"environment_on\""},
              {"off", "no row", "\"off\""},
              {"motor_tied", "tie that motors hold", "\"motor_tie\""},
              {"environment_tied", "tie of two frames: closes a loop", "\"environment_tie\""},
              {"motor_wrench", "artificial wrench", "#motor_wrench\""},
              {"environment_wrench", "physical wrench", "#environment_wrench\""}};

enum { LEGEND = sizeof legend / sizeof *legend, LEGEND_LINE = 34 };

/* Returns the y below it. Drawn twice: the box needs the height. */
static double draw_legend(const ag_tree *d, double top, double right) {
  ag_text aside = {.arena = d->arena};
  ag_tree measured = *d;
  measured.to = &aside;
  double bottom = top;
  for (int pass = 0; pass < 2; pass++) {
    const ag_tree *on = pass ? d : &measured;
    flow f = {.left = MARGIN + AG_PADDING,
              .right = right - AG_PADDING,
              .x = MARGIN + AG_PADDING,
              .y = top + 28,
              .step = LEGEND_LINE};
    const ag_box box = {MARGIN, top, right - MARGIN, bottom - top};
    if (pass) ag_draw_box(d->to, "legend_box", box, 7);
    for (int k = 0; k < LEGEND; k++)
      if (!legend[k].sign || strstr(d->to->chars, legend[k].sign))
        legend_item(on, &f, legend[k].symbol, legend[k].text);
    bottom = f.y + 22;
  }
  return bottom;
}

const char *ag_svg(const ag_model *model, const ag_reduced *reduced, const ag_header *header) {
  ag_arena *arena = header->arena;
  ag_text elements = {.arena = arena}, whole = elements;
  ag_tree d = {.model = model,
               .reduced = reduced,
               .header = header,
               .arena = arena,
               .nnodes = reduced->nbodies + 1,
               .to = &elements};
  d.nodes = ag_alloc(arena, (size_t)d.nnodes * sizeof *d.nodes);
  ag_tree_fill(&d);
  ag_tree_place(&d, MARGIN, 0);
  const double right =
      MARGIN + fmax(fmax(d.nodes[0].wide, summary_width(&d, counts(&d))), LEAST_WIDTH - 2 * MARGIN);
  flow summary = {.left = MARGIN, .right = right, .x = MARGIN, .y = MARGIN + 20, .step = 18};
  draw_summary(&d, &summary);
  ag_tree_place(&d, MARGIN, summary.y + 24);
  double bottom = draw_ties(&d);
  for (int i = 0; i < d.nnodes; i++) {
    draw_node(&d, i);
    bottom = fmax(bottom, d.nodes[i].y + d.nodes[i].block_high);
  }
  bottom = draw_legend(&d, bottom + 32, right);
  const ag_file *form = ag_file_find("tree.svg.in");
  assert(form);
  const ag_substitution with[] = {{"WIDTH", ag_printf(arena, "%.0f", ceil(right + MARGIN))},
                                  {"HEIGHT", ag_printf(arena, "%.0f", ceil(bottom + MARGIN))},
                                  {"TITLE", ag_xml(arena, model->name)},
                                  {"VERSION", AG_VERSION},
                                  {"DRAWING", elements.chars},
                                  {NULL, NULL}};
  ag_text_substitute(&whole, form->text, with);
  return whole.chars;
}
