/* tree_drawing.c: see tree_drawing.h
 *
 * Every body is a block: the joint that carries it with its text, below it a card that lists the
 * frames on the body, right of the card the groups and wrenches at these frames, each led to its
 * frame's line. A joint stands on its block's spine, a vertical near the left edge; a body's
 * children stand side by side below it. Blocks are sized by what is written in them, subtrees are
 * rectangles that do not overlap. */
#include "report/tree_drawing.h"

#include "report/svg.h"
#include "base/embedded.h"
#include "program/schedule.h"
#include "base/version.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* [pixels] */
enum {
  MARGIN = 32,      /* around everything */
  PADDING = 12,     /* inside a card */
  SPINE = 26,       /* of a block, from its left edge */
  SYMBOL = 18,      /* half the room of a joint's symbol */
  LINE = 16,        /* of a joint's text */
  HEAD_LINE = 30,   /* of a card's head */
  ROW_LINE = 21,    /* of a frame */
  INDENT = 16,      /* of what is fixed to a frame */
  AXES = 30,        /* room of a frame's axes */
  ARM = 9,          /* length of an axis */
  LANE = 9,         /* between the leads of marks */
  MARK_GAP = 10,    /* between marks */
  SIBLING_GAP = 36, /* between subtrees */
  DROP = 22,        /* from a block to its children */
  CHIP = 18,
  CHIP_HIGH = 16,
  CHIP_GAP = 3,
  GROUP_HIGH = 84,
  WRENCH_HIGH = 46,
  LEAST_WIDTH = 700 /* of the page */
};

static const ag_font title = {"strong", 22, true}, joint_name = {"strong", 13.5, true},
                     link_name = {"strong", 13, true}, plain = {"plain", 12, false},
                     small = {"plain", 11, false}, faint = {"faint", 11, false},
                     note = {"note", 11, false}, motor = {"motor", 13, true},
                     nature = {"nature", 13, true}, chip_on = {"chip_on", 10, true},
                     chip_off = {"chip_off", 10, false};

typedef struct row { /* a frame's line in a card */
  const ag_frame *frame;
  int depth;                              /* fixed joints from the body's own link */
  int parent;                             /* row; -1: none */
  const char *name, *lock, *note, *place; /* written from left to right; "" where there is none */
} row;

typedef struct node { /* a body, or the base */
  int parent;         /* node; -1: none */
  const ag_inertia *inertia;
  row *rows;
  int nrows;
  const char **lines; /* beside the joint */
  int nlines;
  const char *mass, *centre;
  const ag_mark **marks;
  int *mark_rows; /* ascending */
  int nmarks;
  /* sizes */
  double joint_high, head_high, card_wide, card_high, block_wide, block_high;
  /* of the subtree: width; the block's and the children's left edges, and the spine, from its own
   */
  double wide, block_left, children_left, spine;
  double x, y; /* of the subtree's left edge; of the block's top */
} node;

typedef struct drawing {
  const ag_model *model;
  const ag_reduced *reduced;
  const ag_header *header;
  ag_arena *arena;
  node *nodes; /* the base, then the bodies in their order */
  int nnodes;
  ag_text *to;
} drawing;

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* ---- what is written ---- */

/* A number for people: no -0, nothing that is rounding only. */
static const char *number(ag_arena *arena, double x) {
  return ag_printf(arena, "%.4g", fabs(x) < 1e-12 ? 0 : x);
}

static const char *vector(ag_arena *arena, const double v[3]) {
  return ag_printf(arena, "%s %s %s", number(arena, v[0]), number(arena, v[1]),
                   number(arena, v[2]));
}

/* The texts of a link's marks of one kind, joined by commas. */
static const char *mark_texts(const drawing *d, ag_mark_kind kind, int link) {
  const char *texts = "";
  for (int k = 0; k < d->header->nmarks; k++) {
    const ag_mark *m = &d->header->marks[k];
    if (m->kind == kind && m->link == link)
      texts = ag_printf(d->arena, "%s%s%s", texts, *texts ? ", " : "", m->text);
  }
  return texts;
}

static void joint_lines(const drawing *d, node *n, const ag_joint *joint, int link) {
  static const char *const types[] = {"fixed",     "revolute", "continuous",
                                      "prismatic", "planar",   "floating"};
  ag_arena *arena = d->arena;
  const bool slides = joint->type == AG_PRISMATIC;
  const ag_limits *limits = &joint->limits;
  n->lines = ag_alloc(arena, (size_t)(d->header->nmarks + 4) * sizeof *n->lines);
  n->lines[n->nlines++] = joint->name;
  const char *range = "";
  if (!isnan(limits->lower) && !isnan(limits->upper))
    range = ag_printf(arena, ", %s to %s %s", number(arena, limits->lower),
                      number(arena, limits->upper), slides ? "m" : "rad");
  n->lines[n->nlines++] = ag_printf(arena, "%s %s %s%s", types[joint->type],
                                    slides ? "along" : "about", vector(arena, joint->axis), range);
  const char *most = "";
  if (!isnan(limits->velocity))
    most = ag_printf(arena, "%s %s", number(arena, limits->velocity), slides ? "m/s" : "rad/s");
  if (!isnan(limits->effort))
    most = ag_printf(arena, "%s%s%s %s", most, *most ? ", " : "", number(arena, limits->effort),
                     slides ? "N" : "N m");
  if (*most) n->lines[n->nlines++] = ag_printf(arena, "at most %s", most);
  for (int k = 0; k < d->header->nmarks; k++)
    if (d->header->marks[k].kind == AG_MARK_JOINT && d->header->marks[k].link == link)
      n->lines[n->nlines++] = d->header->marks[k].text;
}

static row make_row(const drawing *d, const node *n, const ag_frame *frame) {
  const ag_link *link = &d->model->links[frame->link];
  row r = {.frame = frame, .parent = -1, .name = link->name, .lock = "", .place = ""};
  for (int k = 0; k < n->nrows; k++)
    if (n->rows[k].frame->link == link->parent) r.parent = k;
  if (r.parent >= 0) {
    r.depth = n->rows[r.parent].depth + 1;
    r.place = ag_printf(d->arena, "at %s m", vector(d->arena, frame->pose.p));
    if (link->joint.type != AG_FIXED)
      r.lock =
          ag_printf(d->arena, "%s %s", link->joint.name, mark_texts(d, AG_MARK_JOINT, frame->link));
  }
  r.note = mark_texts(d, AG_MARK_FRAME, frame->link);
  return r;
}

static void fill_node(const drawing *d, node *n, int body) {
  const ag_body *b = body < 0 ? NULL : &d->reduced->bodies[body];
  n->parent = b ? b->parent + 1 : -1;
  n->inertia = b ? &b->inertia : &d->reduced->base;
  if (b) joint_lines(d, n, &d->model->links[b->link].joint, b->link);
  n->rows = ag_alloc(d->arena, (size_t)d->reduced->nframes * sizeof *n->rows);
  for (int k = 0; k < d->reduced->nframes; k++) {
    if (d->reduced->frames[k].body != body) continue;
    n->rows[n->nrows] = make_row(d, n, &d->reduced->frames[k]);
    n->nrows++;
  }
  n->mass = ag_printf(d->arena, "%s kg", number(d->arena, n->inertia->m));
  n->centre = "";
  if (n->inertia->m > 0) {
    const double m = n->inertia->m, *h = n->inertia->h, centre[3] = {h[0] / m, h[1] / m, h[2] / m};
    n->centre = ag_printf(d->arena, "centre of mass %s m", vector(d->arena, centre));
  }
  n->marks = ag_alloc(d->arena, (size_t)(d->header->nmarks + 1) * sizeof *n->marks);
  n->mark_rows = ag_alloc(d->arena, (size_t)(d->header->nmarks + 1) * sizeof *n->mark_rows);
  for (int r = 0; r < n->nrows; r++)
    for (int k = 0; k < d->header->nmarks; k++) {
      const ag_mark *m = &d->header->marks[k];
      if (m->kind > AG_MARK_WRENCH || m->link != n->rows[r].frame->link) continue;
      n->mark_rows[n->nmarks] = r;
      n->marks[n->nmarks++] = m;
    }
}

/* "6 rows, artificial, maskable" */
static const char *group_summary(const drawing *d, const ag_mark *m) {
  int count = 0;
  bool maskable = false;
  for (int k = 0; k < d->header->nrows; k++) {
    if (strcmp(d->header->rows[k].group, m->name) != 0) continue;
    count++;
    maskable = maskable || d->header->rows[k].maskable;
  }
  return ag_printf(d->arena, "%d %s%s, %s%s", count, m->axes[0] == 'f' ? "free " : "",
                   count == 1 ? "row" : "rows", m->physical ? "physical" : "artificial",
                   maskable ? ", maskable" : "");
}

static const char *wrench_summary(const drawing *d, const ag_mark *m) {
  return ag_printf(d->arena, "%s wrench: %s", m->physical ? "physical" : "artificial", m->text);
}

/* ---- sizes ---- */

static double row_left(const row *r) {
  return PADDING + r->depth * INDENT + AXES;
}

static double row_width(const row *r) {
  double width = row_left(r) + ag_text_width(r->name, r->parent < 0 ? &link_name : &plain);
  if (*r->lock) width += 22 + ag_text_width(r->lock, &note);
  if (*r->note) width += 8 + ag_text_width(r->note, &note);
  if (*r->place) width += 16 + ag_text_width(r->place, &faint);
  return width + PADDING;
}

static int row_count(const drawing *d, const ag_mark *m) {
  int count = 0;
  for (int k = 0; k < d->header->nrows; k++)
    count += strcmp(d->header->rows[k].group, m->name) == 0;
  return count;
}

/* Rows on joints are numbered: their joints say which is theirs. */
static bool on_joints(const ag_mark *m) {
  return m->axes[0] == 'j';
}

static double chips_width(const drawing *d, const ag_mark *m) {
  const double six = 6 * (CHIP + CHIP_GAP);
  if (on_joints(m)) return row_count(d, m) * (CHIP + CHIP_GAP);
  return m->axes[0] == 'f' ? six
                           : six + ag_text_width("lin", &small) + ag_text_width("ang", &small) + 22;
}

static double mark_width(const drawing *d, const ag_mark *m) {
  const ag_font *font = m->physical ? &nature : &motor;
  if (m->kind == AG_MARK_WRENCH)
    return 2 * PADDING + 30 +
           larger(ag_text_width(m->name, font), ag_text_width(wrench_summary(d, m), &small));
  return 2 * PADDING +
         larger(larger(ag_text_width(m->name, font), chips_width(d, m)),
                larger(ag_text_width(group_summary(d, m), &small), ag_text_width(m->text, &small)));
}

static double mark_height(const ag_mark *m) {
  return m->kind == AG_MARK_WRENCH ? WRENCH_HIGH : GROUP_HIGH;
}

/* The middle of a row, from the card's top. */
static double row_middle(const node *n, int r) {
  return r == 0 ? HEAD_LINE / 2.0 : n->head_high + 4 + ROW_LINE * (r - 0.5);
}

/* Where mark k's lead leaves the card, from its top: leads of one row side by side. */
static double lead_from(const node *n, int k) {
  int count = 0, before = 0;
  for (int i = 0; i < n->nmarks; i++) {
    if (n->mark_rows[i] != n->mark_rows[k]) continue;
    count++;
    before += i < k;
  }
  const double step = count > 3 ? 14.0 / (count - 1) : 6;
  return row_middle(n, n->mark_rows[k]) + step * (before - (count - 1) / 2.0);
}

/* The top of mark k, from the card's: at its row, or below the mark before. */
static double mark_top(const node *n, int k) {
  double below = -1e9, top = 0;
  for (int i = 0; i <= k; i++) {
    top = larger(lead_from(n, i) - 15, below);
    below = top + mark_height(n->marks[i]) + MARK_GAP;
  }
  return top;
}

static double marks_left(const node *n) {
  return n->card_wide + 20 + LANE * n->nmarks;
}

static void size_block(const drawing *d, node *n) {
  n->joint_high = n->nlines ? larger(2 * SYMBOL, LINE * n->nlines) + 20 : 22;
  n->head_high = HEAD_LINE + (*n->centre ? 20 : 0);
  n->card_high = n->head_high + (n->nrows > 1 ? 8 + ROW_LINE * (n->nrows - 1) : 0);
  n->card_wide = row_width(&n->rows[0]) + 20 + ag_text_width(n->mass, &plain);
  n->card_wide =
      larger(n->card_wide, row_left(&n->rows[0]) + ag_text_width(n->centre, &faint) + PADDING);
  for (int r = 1; r < n->nrows; r++) n->card_wide = larger(n->card_wide, row_width(&n->rows[r]));
  n->block_wide = n->card_wide;
  n->block_high = n->card_high;
  for (int k = 0; k < n->nmarks; k++) {
    n->block_wide = larger(n->block_wide, marks_left(n) + mark_width(d, n->marks[k]));
    n->block_high = larger(n->block_high, mark_top(n, k) + mark_height(n->marks[k]));
  }
  for (int k = 0; k < n->nlines; k++)
    n->block_wide = larger(n->block_wide, SPINE + SYMBOL + 8 +
                                              ag_text_width(n->lines[k], k ? &plain : &joint_name));
  n->block_high += n->joint_high;
}

/* ---- places ---- */

/* Nodes stand before their children: sizes from the last to the first, places the other way. */
static void place(drawing *d, double left, double top) {
  for (int i = d->nnodes - 1; i >= 0; i--) {
    node *n = &d->nodes[i];
    double wide = 0, first = -1, last = 0;
    for (int c = i + 1; c < d->nnodes; c++) {
      const node *child = &d->nodes[c];
      if (child->parent != i) continue;
      if (first >= 0) wide += SIBLING_GAP;
      last = wide + child->spine;
      if (first < 0) first = last;
      wide += child->wide;
    }
    const double middle = first < 0 ? SPINE : (first + last) / 2;
    n->children_left = larger(0, SPINE - middle);
    n->block_left = middle - SPINE + n->children_left;
    n->spine = n->block_left + SPINE;
    n->wide = larger(n->children_left + wide, n->block_left + n->block_wide);
  }
  for (int i = 0; i < d->nnodes; i++) {
    node *n = &d->nodes[i];
    if (n->parent < 0) {
      n->x = left;
      n->y = top;
    }
    double x = n->x + n->children_left;
    for (int c = i + 1; c < d->nnodes; c++) {
      node *child = &d->nodes[c];
      if (child->parent != i) continue;
      child->x = x;
      child->y = n->y + n->block_high + DROP;
      x += child->wide + SIBLING_GAP;
    }
  }
}

/* ---- drawing ---- */

/* The axes of a frame as seen from a corner: x to the left front, y to the right, z up. */
static void draw_axes(const drawing *d, double x, double y, const double R[3][3]) {
  static const char *const names[] = {"x", "y", "z"};
  static const double view[2][3] = {{-0.62, 0.92, 0}, {0.52, 0.26, -1}}; /* right, down */
  for (int k = 0; k < 3; k++) {
    double tip[2];
    for (int i = 0; i < 2; i++)
      tip[i] = ARM * (view[i][0] * R[0][k] + view[i][1] * R[1][k] + view[i][2] * R[2][k]);
    ag_draw_line(d->to, names[k], x, y, x + tip[0], y + tip[1]);
  }
}

static void draw_row(const drawing *d, const node *n, int index, double left, double top) {
  const row *r = &n->rows[index];
  const double y = top + row_middle(n, index), x = left + row_left(r);
  const ag_link *link = &d->model->links[r->frame->link];
  const char *tip = r->parent < 0 ? NULL
                                  : ag_printf(d->arena, "%s joint %s",
                                              *r->lock ? "locked" : "fixed", link->joint.name);
  ag_draw_open(d->to, "frame", tip);
  if (r->parent >= 0) { /* from the frame that it is fixed to */
    const double trunk = left + PADDING + (r->depth - 0.5) * INDENT - 2;
    const double from = r->parent == 0 ? top + n->head_high : top + row_middle(n, r->parent) + 9;
    ag_draw_line(d->to, "rigid", trunk, from, trunk, y);
    ag_draw_line(d->to, "rigid", trunk, y, x - AXES, y);
    ag_draw_line(d->to, "rigid", trunk + 4, y - 4, trunk + 4, y + 4);
  }
  draw_axes(d, x - 15, y + 1, r->frame->pose.R);
  const ag_font *font = r->parent < 0 ? &link_name : &plain;
  ag_draw_text(d->to, x, y + 4.5, AG_START, font, r->name);
  double at = x + ag_text_width(r->name, font);
  if (*r->lock) {
    ag_draw_symbol(d->to, "locked", at + 12, y - 1);
    ag_draw_text(d->to, at + 22, y + 4.5, AG_START, &note, r->lock);
    at += 22 + ag_text_width(r->lock, &note);
  }
  if (*r->note) ag_draw_text(d->to, at + 8, y + 4.5, AG_START, &note, r->note);
  if (*r->place)
    ag_draw_text(d->to, left + n->card_wide - PADDING, y + 4.5, AG_END, &faint, r->place);
  ag_draw_close(d->to);
}

/* One row's sign; group NULL: for the legend. */
static void draw_chip(const drawing *d, bool physical, bool on, double x, double y,
                      const char *text) {
  ag_draw_box(d->to, !on ? "off" : physical ? "nature_on" : "motor_on", x, y, CHIP, CHIP_HIGH, 4);
  ag_draw_text(d->to, x + CHIP / 2.0, y + 11.5, AG_MIDDLE, on ? &chip_on : &chip_off, text);
}

static bool has_row(const drawing *d, const char *group, const char *name) {
  for (int k = 0; k < d->header->nrows; k++)
    if (strcmp(d->header->rows[k].group, group) == 0 && strcmp(d->header->rows[k].name, name) == 0)
      return true;
  return false;
}

static void draw_chips(const drawing *d, const ag_mark *m, double x, double y) {
  const double step = CHIP + CHIP_GAP;
  for (int k = 0; on_joints(m) && k < row_count(d, m); k++)
    draw_chip(d, m->physical, true, x + k * step, y, ag_printf(d->arena, "%d", k + 1));
  if (on_joints(m)) return;
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
    ag_draw_text(d->to, left, y + 12, AG_START, &small, kind);
    left += ag_text_width(kind, &small) + 6;
    for (int k = 0; k < 3; k++) {
      const char *axis = ag_printf(d->arena, "%c", "xyz"[k]);
      const bool on = has_row(d, m->name, ag_printf(d->arena, "%s_%s", kind, axis));
      draw_chip(d, m->physical, on, left + k * step, y, axis);
    }
    left += 3 * step + 10;
  }
}

static void draw_mark(const drawing *d, const node *n, int k, double left, double top) {
  const ag_mark *m = n->marks[k];
  const double x = left + marks_left(n), y = top + mark_top(n, k);
  const double from = top + lead_from(n, k), end = y + 15;
  const char *lead = m->physical ? "nature_lead" : "motor_lead";
  /* marks further down bend further left: no lead crosses another */
  const double lane = left + n->card_wide + 8 + LANE * (n->nmarks - k);
  ag_draw_line(d->to, lead, left + n->card_wide, from, lane, from);
  if (end > from) ag_draw_line(d->to, lead, lane, from, lane, end);
  ag_draw_line(d->to, lead, lane, end, x, end);
  ag_draw_symbol(d->to, m->physical ? "nature_point" : "motor_point", left + n->card_wide, from);
  ag_draw_open(d->to, "mark", NULL);
  ag_draw_box(d->to, m->physical ? "nature_card" : "motor_card", x, y, mark_width(d, m),
              mark_height(m), 7);
  const ag_font *font = m->physical ? &nature : &motor;
  if (m->kind == AG_MARK_WRENCH) {
    ag_draw_symbol(d->to, m->physical ? "nature_wrench" : "motor_wrench", x + PADDING + 11,
                   y + WRENCH_HIGH / 2.0);
    ag_draw_text(d->to, x + PADDING + 30, y + 19, AG_START, font, m->name);
    ag_draw_text(d->to, x + PADDING + 30, y + 36, AG_START, &small, wrench_summary(d, m));
  } else {
    ag_draw_text(d->to, x + PADDING, y + 19, AG_START, font, m->name);
    ag_draw_text(d->to, x + PADDING, y + 35, AG_START, &small, group_summary(d, m));
    ag_draw_text(d->to, x + PADDING, y + 50, AG_START, &small, m->text);
    draw_chips(d, m, x + PADDING, y + 59);
  }
  ag_draw_close(d->to);
}

static void draw_joint(const drawing *d, const node *n, double spine) {
  const ag_joint *joint = &d->model->links[n->rows[0].frame->link].joint;
  const char *symbol = joint->type == AG_PRISMATIC    ? "prismatic"
                       : joint->type == AG_CONTINUOUS ? "continuous"
                                                      : "revolute";
  const double y = n->y + n->joint_high / 2 - 4;
  ag_draw_line(d->to, "edge", spine, n->y - DROP / 2.0, spine, n->y + n->joint_high);
  ag_draw_open(d->to, "joint", NULL);
  ag_draw_symbol(d->to, symbol, spine, y);
  for (int k = 0; k < n->nlines; k++)
    ag_draw_text(d->to, spine + SYMBOL + 8, y + 4.5 + LINE * (k - (n->nlines - 1) / 2.0), AG_START,
                 k ? &plain : &joint_name, n->lines[k]);
  ag_draw_close(d->to);
}

/* "fixed", "planar", "floating" */
static const char *base_kind(const drawing *d) {
  return d->header->nbase == 6 ? "floating" : d->header->nbase == 3 ? "planar" : "fixed";
}

static void draw_node(const drawing *d, int index) {
  const node *n = &d->nodes[index];
  const double left = n->x + n->block_left, top = n->y + n->joint_high, spine = n->x + n->spine;
  if (index == 0) {
    ag_draw_symbol(d->to,
                   d->header->nbase ? ag_printf(d->arena, "%s_base", base_kind(d)) : "ground",
                   spine, n->y + 8);
    ag_draw_line(d->to, "edge", spine, n->y + 8, spine, top);
  } else {
    draw_joint(d, n, spine);
  }
  /* to the children */
  double first = 0, last = 0;
  int children = 0;
  for (int c = index + 1; c < d->nnodes; c++) {
    const node *child = &d->nodes[c];
    if (child->parent != index) continue;
    last = child->x + child->spine;
    if (children++ == 0) first = last;
  }
  const double bus = n->y + n->block_high + DROP / 2.0;
  if (children) ag_draw_line(d->to, "edge", spine, top + n->card_high, spine, bus);
  if (children > 1) ag_draw_line(d->to, "edge", first - 1, bus, last + 1, bus);
  ag_draw_box(d->to, "card", left, top, n->card_wide, n->card_high, 7);
  ag_draw_tab(d->to, index == 0 ? "base_head" : "head", left, top, n->card_wide, n->head_high, 7,
              n->nrows == 1);
  for (int r = 0; r < n->nrows; r++) draw_row(d, n, r, left, top);
  ag_draw_text(d->to, left + n->card_wide - PADDING, top + row_middle(n, 0) + 4.5, AG_END, &plain,
               n->mass);
  if (*n->centre) {
    ag_draw_symbol(d->to, "mass", left + row_left(&n->rows[0]) - 15, top + HEAD_LINE + 6);
    ag_draw_text(d->to, left + row_left(&n->rows[0]), top + HEAD_LINE + 10, AG_START, &faint,
                 n->centre);
  }
  for (int k = 0; k < n->nmarks; k++) draw_mark(d, n, k, left, top);
}

/* The node of a link's body. */
static const node *node_of(const drawing *d, int link) {
  for (int k = 0; k < d->reduced->nframes; k++)
    if (d->reduced->frames[k].link == link) return &d->nodes[d->reduced->frames[k].body + 1];
  return &d->nodes[0];
}

/* Ties as curves that hang from the one card to the other, behind the cards. Returns the y below
 * them. */
static double draw_ties(const drawing *d) {
  double bottom = 0, hang = 40;
  for (int k = 0; k < d->header->nmarks; k++) {
    const ag_mark *m = &d->header->marks[k];
    if (m->kind != AG_MARK_GROUP || m->to < 0) continue;
    const node *from = node_of(d, m->link), *to = node_of(d, m->to);
    const double x1 = from->x + from->block_left + from->card_wide / 2,
                 x2 = to->x + to->block_left + to->card_wide / 2,
                 y1 = from->y + from->joint_high + from->card_high,
                 y2 = to->y + to->joint_high + to->card_high, low = larger(y1, y2) + hang;
    ag_draw_curve(d->to, m->physical ? "nature_tie" : "motor_tie", x1, y1, x2, y2, low);
    bottom = larger(bottom, 0.125 * (y1 + y2) + 0.75 * low);
    hang += 14;
  }
  return bottom;
}

/* ---- what stands around ---- */

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

static void flow_text(const drawing *d, flow *f, const char *text) {
  const double width = ag_text_width(text, &plain);
  make_room(f, width);
  ag_draw_text(d->to, f->x, f->y, AG_START, &plain, text);
  f->x += width + 24;
}

static double summary_width(const drawing *d, const char *first) {
  double width = larger(ag_text_width(d->model->name, &title), ag_text_width(first, &plain));
  for (int i = 0; i < d->header->nprograms; i++)
    width = larger(width, ag_text_width(d->header->programs[i]->function, &plain) + 250);
  return width;
}

static const char *counts(const drawing *d) {
  double mass = d->reduced->base.m;
  for (int i = 0; i < d->reduced->nbodies; i++) mass += d->reduced->bodies[i].inertia.m;
  const int n = d->header->njoints, left_out = d->model->nlinks - d->reduced->nframes;
  const char *text =
      ag_printf(d->arena, "%d %s, %d links, %s kg; base {%s}, %s", n, n == 1 ? "joint" : "joints",
                d->reduced->nframes, number(d->arena, mass), d->model->links[d->reduced->root].name,
                base_kind(d));
  if (left_out == 0) return text;
  return ag_printf(d->arena, "%s; %d %s left out by root and tips", text, left_out,
                   left_out == 1 ? "link" : "links");
}

static void draw_summary(const drawing *d, flow *f) {
  ag_draw_text(d->to, f->left, f->y, AG_START, &title, d->model->name);
  f->y += 26;
  flow_text(d, f, counts(d));
  f->x = f->left;
  f->y += f->step;
  for (int i = 0; i < d->header->nprograms; i++) {
    const ag_program *p = d->header->programs[i];
    flow_text(d, f,
              ag_printf(d->arena, "%s: %d operations (%s)", p->function, ag_flops(&p->cost),
                        p->formulation));
  }
}

static void legend_item(const drawing *d, flow *f, const char *symbol, const char *text) {
  static const double upright[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double width = ag_text_width(text, &small);
  make_room(f, 40 + width);
  const double x = f->x + 16, y = f->y - 4;
  if (strcmp(symbol, "axes") == 0)
    draw_axes(d, x, y + 1, upright);
  else if (strcmp(symbol, "motor_on") == 0 || strcmp(symbol, "nature_on") == 0)
    draw_chip(d, symbol[0] == 'n', true, x - CHIP / 2.0, y - CHIP_HIGH / 2.0, "x");
  else if (strcmp(symbol, "off") == 0)
    draw_chip(d, false, false, x - CHIP / 2.0, y - CHIP_HIGH / 2.0, "x");
  else
    ag_draw_symbol(d->to, symbol, x, y);
  ag_draw_text(d->to, f->x + 38, f->y, AG_START, &small, text);
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
              {"nature_on", "physical row: the environment does", "\"nature_on\""},
              {"off", "no row", "\"off\""},
              {"motor_tied", "tie that motors hold", "\"motor_tie\""},
              {"nature_tied", "tie of two frames: closes a loop", "\"nature_tie\""},
              {"motor_wrench", "artificial wrench", "#motor_wrench\""},
              {"nature_wrench", "physical wrench", "#nature_wrench\""}};
enum { LEGEND = sizeof legend / sizeof *legend, LEGEND_LINE = 34 };

/* Returns the y below it. Drawn twice: the box needs the height. */
static double draw_legend(const drawing *d, double top, double right) {
  ag_text aside = {.arena = d->arena};
  drawing measured = *d;
  measured.to = &aside;
  double bottom = top;
  for (int pass = 0; pass < 2; pass++) {
    const drawing *on = pass ? d : &measured;
    flow f = {.left = MARGIN + PADDING,
              .right = right - PADDING,
              .x = MARGIN + PADDING,
              .y = top + 28,
              .step = LEGEND_LINE};
    if (pass) ag_draw_box(d->to, "legend_box", MARGIN, top, right - MARGIN, bottom - top, 7);
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
  drawing d = {.model = model,
               .reduced = reduced,
               .header = header,
               .arena = arena,
               .nnodes = reduced->nbodies + 1,
               .to = &elements};
  d.nodes = ag_alloc(arena, (size_t)d.nnodes * sizeof *d.nodes);
  for (int i = 0; i < d.nnodes; i++) {
    fill_node(&d, &d.nodes[i], i - 1);
    size_block(&d, &d.nodes[i]);
  }
  place(&d, MARGIN, 0);
  const double right = MARGIN + larger(larger(d.nodes[0].wide, summary_width(&d, counts(&d))),
                                       LEAST_WIDTH - 2 * MARGIN);
  flow summary = {.left = MARGIN, .right = right, .x = MARGIN, .y = MARGIN + 20, .step = 18};
  draw_summary(&d, &summary);
  place(&d, MARGIN, summary.y + 24);
  double bottom = draw_ties(&d);
  for (int i = 0; i < d.nnodes; i++) {
    draw_node(&d, i);
    bottom = larger(bottom, d.nodes[i].y + d.nodes[i].block_high);
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
