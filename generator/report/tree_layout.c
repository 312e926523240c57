/* SPDX-License-Identifier: MIT */
/* tree_layout.c: see tree_layout.h */
#include "report/tree_layout.h"

#include <math.h>
#include <string.h>

enum {
  SPINE = 26,       /* of a block, from its left edge */
  ROW_LINE = 21,    /* of a frame */
  MARK_GAP = 10,    /* between marks */
  SIBLING_GAP = 36, /* between subtrees */
  GROUP_HIGH = 84
};

const ag_tree_fonts_list ag_tree_fonts = {.title = {"strong", 22, true},
                                          .joint_name = {"strong", 13.5, true},
                                          .link_name = {"strong", 13, true},
                                          .plain = {"plain", 12, false},
                                          .small = {"plain", 11, false},
                                          .faint = {"faint", 11, false},
                                          .note = {"note", 11, false},
                                          .motor = {"motor", 13, true},
                                          .environment = {"environment", 13, true},
                                          .chip_on = {"chip_on", 10, true},
                                          .chip_off = {"chip_off", 10, false}};

static double larger(double a, double b) {
  return a > b ? a : b;
}

const char *ag_tree_number(ag_arena *arena, double x) {
  return ag_printf(arena, "%.4g", fabs(x) < 1e-12 ? 0 : x);
}

static const char *vector(ag_arena *arena, const double v[3]) {
  return ag_printf(arena, "%s %s %s", ag_tree_number(arena, v[0]), ag_tree_number(arena, v[1]),
                   ag_tree_number(arena, v[2]));
}

/* The texts of a link's marks of one kind, joined by commas. */
static const char *mark_texts(const ag_tree *d, ag_mark_kind kind, int link) {
  const char *texts = "";
  for (int k = 0; k < d->header->nmarks; k++) {
    const ag_mark *m = &d->header->marks[k];
    if (m->kind == kind && m->link == link)
      texts = ag_printf(d->arena, "%s%s%s", texts, *texts ? ", " : "", m->text);
  }
  return texts;
}

static void joint_lines(const ag_tree *d, ag_tree_node *n, const ag_joint *joint, int link) {
  ag_arena *arena = d->arena;
  const bool slides = joint->type == AG_PRISMATIC;
  const ag_limits *limits = &joint->limits;
  n->lines = ag_alloc(arena, (size_t)(d->header->nmarks + 4) * sizeof *n->lines);
  n->lines[n->nlines++] = joint->name;
  const char *range = "";
  if (!isnan(limits->lower) && !isnan(limits->upper))
    range = ag_printf(arena, ", %s to %s %s", ag_tree_number(arena, limits->lower),
                      ag_tree_number(arena, limits->upper), slides ? "m" : "rad");
  n->lines[n->nlines++] = ag_printf(arena, "%s %s %s%s", ag_joint_type_names[joint->type],
                                    slides ? "along" : "about", vector(arena, joint->axis), range);
  const char *most = "";
  if (!isnan(limits->velocity))
    most = ag_printf(arena, "%s %s", ag_tree_number(arena, limits->velocity),
                     slides ? "m/s" : "rad/s");
  if (!isnan(limits->effort))
    most = ag_printf(arena, "%s%s%s %s", most, *most ? ", " : "",
                     ag_tree_number(arena, limits->effort), slides ? "N" : "N m");
  if (*most) n->lines[n->nlines++] = ag_printf(arena, "at most %s", most);
  for (int k = 0; k < d->header->nmarks; k++)
    if (d->header->marks[k].kind == AG_MARK_JOINT && d->header->marks[k].link == link)
      n->lines[n->nlines++] = d->header->marks[k].text;
}

static ag_tree_row make_row(const ag_tree *d, const ag_tree_node *n, const ag_frame *frame) {
  const ag_link *link = &d->model->links[frame->link];
  ag_tree_row r = {.frame = frame, .parent = -1, .name = link->name, .lock = "", .place = ""};
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

static void fill_node(const ag_tree *d, ag_tree_node *n, int body) {
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
  n->mass = ag_printf(d->arena, "%s kg", ag_tree_number(d->arena, n->inertia->m));
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

const char *ag_group_summary(const ag_tree *tree, const ag_mark *mark) {
  int count = 0;
  bool maskable = false;
  for (int k = 0; k < tree->header->nrows; k++) {
    if (strcmp(tree->header->rows[k].group, mark->name) != 0) continue;
    count++;
    maskable = maskable || tree->header->rows[k].maskable;
  }
  return ag_printf(tree->arena, "%d %s%s, %s%s", count, mark->axes[0] == 'f' ? "free " : "",
                   count == 1 ? "row" : "rows", mark->physical ? "physical" : "artificial",
                   maskable ? ", maskable" : "");
}

const char *ag_wrench_summary(const ag_tree *tree, const ag_mark *mark) {
  return ag_printf(tree->arena, "%s wrench: %s", mark->physical ? "physical" : "artificial",
                   mark->text);
}

double ag_row_left(const ag_tree_row *r) {
  return AG_PADDING + r->depth * AG_INDENT + AG_AXES;
}

static double row_width(const ag_tree_row *r) {
  double width = ag_row_left(r) + ag_text_width(r->name, r->parent < 0 ? &ag_tree_fonts.link_name
                                                                       : &ag_tree_fonts.plain);
  if (*r->lock) width += 22 + ag_text_width(r->lock, &ag_tree_fonts.note);
  if (*r->note) width += 8 + ag_text_width(r->note, &ag_tree_fonts.note);
  if (*r->place) width += 16 + ag_text_width(r->place, &ag_tree_fonts.faint);
  return width + AG_PADDING;
}

int ag_row_count(const ag_tree *tree, const ag_mark *mark) {
  int count = 0;
  for (int k = 0; k < tree->header->nrows; k++)
    count += strcmp(tree->header->rows[k].group, mark->name) == 0;
  return count;
}

bool ag_on_joints(const ag_mark *mark) {
  return mark->axes[0] == 'j';
}

static double chips_width(const ag_tree *d, const ag_mark *m) {
  const double six = 6 * (AG_CHIP + AG_CHIP_GAP);
  if (ag_on_joints(m)) return ag_row_count(d, m) * (AG_CHIP + AG_CHIP_GAP);
  return m->axes[0] == 'f' ? six
                           : six + ag_text_width("lin", &ag_tree_fonts.small) +
                                 ag_text_width("ang", &ag_tree_fonts.small) + 22;
}

double ag_mark_width(const ag_tree *tree, const ag_mark *mark) {
  const ag_font *font = mark->physical ? &ag_tree_fonts.environment : &ag_tree_fonts.motor;
  if (mark->kind == AG_MARK_WRENCH)
    return 2 * AG_PADDING + 30 +
           larger(ag_text_width(mark->name, font),
                  ag_text_width(ag_wrench_summary(tree, mark), &ag_tree_fonts.small));
  return 2 * AG_PADDING +
         larger(larger(ag_text_width(mark->name, font), chips_width(tree, mark)),
                larger(ag_text_width(ag_group_summary(tree, mark), &ag_tree_fonts.small),
                       ag_text_width(mark->text, &ag_tree_fonts.small)));
}

double ag_mark_height(const ag_mark *m) {
  return m->kind == AG_MARK_WRENCH ? AG_WRENCH_HIGH : GROUP_HIGH;
}

double ag_row_middle(const ag_tree_node *n, int r) {
  return r == 0 ? AG_HEAD_LINE / 2.0 : n->head_high + 4 + ROW_LINE * (r - 0.5);
}

double ag_lead_from(const ag_tree_node *n, int k) {
  int count = 0, before = 0;
  for (int i = 0; i < n->nmarks; i++) {
    if (n->mark_rows[i] != n->mark_rows[k]) continue;
    count++;
    before += i < k;
  }
  const double step = count > 3 ? 14.0 / (count - 1) : 6;
  return ag_row_middle(n, n->mark_rows[k]) + step * (before - (count - 1) / 2.0);
}

double ag_mark_top(const ag_tree_node *n, int k) {
  double below = -1e9, top = 0;
  for (int i = 0; i <= k; i++) {
    top = larger(ag_lead_from(n, i) - 15, below);
    below = top + ag_mark_height(n->marks[i]) + MARK_GAP;
  }
  return top;
}

double ag_marks_left(const ag_tree_node *n) {
  return n->card_wide + 20 + AG_TRACK * n->nmarks;
}

static void size_block(const ag_tree *d, ag_tree_node *n) {
  n->joint_high = n->nlines ? larger(2 * AG_SYMBOL, AG_LINE * n->nlines) + 20 : 22;
  n->head_high = AG_HEAD_LINE + (*n->centre ? 20 : 0);
  n->card_high = n->head_high + (n->nrows > 1 ? 8 + ROW_LINE * (n->nrows - 1) : 0);
  n->card_wide = row_width(&n->rows[0]) + 20 + ag_text_width(n->mass, &ag_tree_fonts.plain);
  n->card_wide =
      larger(n->card_wide, ag_row_left(&n->rows[0]) +
                               ag_text_width(n->centre, &ag_tree_fonts.faint) + AG_PADDING);
  for (int r = 1; r < n->nrows; r++) n->card_wide = larger(n->card_wide, row_width(&n->rows[r]));
  n->block_wide = n->card_wide;
  n->block_high = n->card_high;
  for (int k = 0; k < n->nmarks; k++) {
    n->block_wide = larger(n->block_wide, ag_marks_left(n) + ag_mark_width(d, n->marks[k]));
    n->block_high = larger(n->block_high, ag_mark_top(n, k) + ag_mark_height(n->marks[k]));
  }
  for (int k = 0; k < n->nlines; k++)
    n->block_wide =
        larger(n->block_wide, SPINE + AG_SYMBOL + 8 +
                                  ag_text_width(n->lines[k], k ? &ag_tree_fonts.plain
                                                               : &ag_tree_fonts.joint_name));
  n->block_high += n->joint_high;
}

/* The room that the children of a node take, from its children_left and from its block's bottom: one after the
 * other, and from left again, below all of these, where they would be wider than a screen. */
typedef struct shelf {
  double x, y, high; /* of the next child; of the highest in this line */
  double wide;       /* of all lines */
} shelf;

/* Where the next child stands, from the left edge of all; the y is that of its line. */
static double put_child(shelf *s, const ag_tree_node *child) {
  const double gap = s->x > 0 ? SIBLING_GAP : 0;
  if (s->x > 0 && s->x + gap + child->wide > AG_SCREEN) {
    s->y += s->high + 2 * AG_DROP;
    s->x = s->high = 0;
  } else {
    s->x += gap;
  }
  const double x = s->x;
  s->x += child->wide;
  s->high = larger(s->high, child->high);
  s->wide = larger(s->wide, s->x);
  return x;
}

static void size_subtree(ag_tree *tree, int index) {
  ag_tree_node *n = &tree->nodes[index];
  shelf s = {0};
  double first = -1, last = 0;
  for (int c = index + 1; c < tree->nnodes; c++) {
    const ag_tree_node *child = &tree->nodes[c];
    if (child->parent != index) continue;
    const double x = put_child(&s, child) + child->spine;
    if (first < 0) first = x;
    if (s.y == 0) last = x;
  }
  const double middle = first < 0 ? SPINE : (first + last) / 2;
  n->children_left = larger(s.y > 0 ? AG_TRUNK : 0, SPINE - middle);
  n->block_left = middle - SPINE + n->children_left;
  n->spine = n->block_left + SPINE;
  n->wide = larger(n->children_left + s.wide, n->block_left + n->block_wide);
  n->high = n->block_high + (first < 0 ? 0 : AG_DROP + s.y + s.high);
}

/* Nodes stand before their children: sizes from the last to the first, places the other way. */
void ag_tree_place(ag_tree *tree, double left, double top) {
  for (int i = tree->nnodes - 1; i >= 0; i--) size_subtree(tree, i);
  tree->nodes[0].x = left;
  tree->nodes[0].y = top;
  for (int i = 0; i < tree->nnodes; i++) {
    const ag_tree_node *n = &tree->nodes[i];
    shelf s = {0};
    for (int c = i + 1; c < tree->nnodes; c++) {
      ag_tree_node *child = &tree->nodes[c];
      if (child->parent != i) continue;
      child->x = n->x + n->children_left + put_child(&s, child);
      child->y = n->y + n->block_high + AG_DROP + s.y;
    }
  }
}

void ag_tree_fill(ag_tree *tree) {
  for (int i = 0; i < tree->nnodes; i++) {
    fill_node(tree, &tree->nodes[i], i - 1);
    size_block(tree, &tree->nodes[i]);
  }
}
