/* SPDX-License-Identifier: MIT */
/* machine_drawing.c: see machine_drawing.h
 *
 * States are boxes, one below the other. Every step (a reaction in a state that it leaves) goes out
 * of its state's right side on a line of its own, in the order of priority, under the names of its
 * event and of its transition, to the track of the state that it leads to: one vertical for each,
 * with one arrow into that state. */
#include "report/machine_drawing.h"

#include "report/svg.h"
#include "base/embedded.h"
#include "base/version.h"

/* [pixels] */
enum {
  MARGIN = 32,
  HEAD = 64,    /* title and text below it */
  SLOT = 20,    /* between lines at a state */
  INSIDE = 14,  /* from a box's edge to its first line */
  GAP = 26,     /* between boxes */
  PADDING = 16, /* beside a state's name */
  STUB = 10,    /* from a box to a text, and from a text to the tracks */
  APART = 24,   /* between the names of an event and of a transition */
  TRACK = 26,   /* between tracks */
  DOT = 3,      /* where a line meets its track */
  ARROW = 8
};

static const ag_font title_font = {"strong", 20, true}, state_font = {"strong", 13, true},
                     doc_font = {"faint", 11, false}, event_font = {"plain", 11, false},
                     urgent_font = {"urgent", 11, true};

typedef struct step { /* one line */
  int from, to, event;
  bool urgent;            /* holds everywhere */
  const char *label;      /* the event, and what is raised */
  const char *transition; /* its name */
  double y;
} step;

typedef struct box {
  const char *name, *doc;
  double y, high;
  double arrow; /* y of the arrow that leads to it */
  double track; /* x of its track */
} box;

typedef struct drawing {
  const ag_value *machine;
  ag_arena *arena;
  step *steps;
  int nsteps;
  box *boxes;
  int nboxes;
  double box_right, text_right; /* x */
} drawing;

static double larger(double a, double b) {
  return a > b ? a : b;
}

static const char *label_of(const drawing *d, const ag_value *reaction, const ag_value *event) {
  const ag_value *raises = ag_value_list(reaction, "raises");
  const ag_value *events = ag_value_list(d->machine, "events");
  const char *label = ag_value_text(event, "name");
  for (int k = 0; k < raises->length; k++)
    label = ag_printf(d->arena, "%s%s%s", label, k ? ", " : " / raises ",
                      ag_value_text(&events->items[(int)raises->items[k].number - 1], "name"));
  return label;
}

/* In an earlier step from the same state on the same event: this one is never taken. */
static bool known(const drawing *d, int from, int event) {
  for (int k = 0; k < d->nsteps; k++)
    if (d->steps[k].from == from && d->steps[k].event == event) return true;
  return false;
}

static void collect_steps(drawing *d) {
  const ag_value *reactions = ag_value_list(d->machine, "reactions");
  const ag_value *events = ag_value_list(d->machine, "events");
  const ag_value *transitions = ag_value_list(d->machine, "transitions");
  d->steps = ag_alloc(d->arena, (size_t)(reactions->length * d->nboxes + 1) * sizeof *d->steps);
  for (int r = 0; r < reactions->length; r++) {
    const ag_value *reaction = &reactions->items[r];
    const int index = ag_value_integer(reaction, "event") - 1;
    const ag_value *event = &events->items[index];
    const ag_value *t = &transitions->items[ag_value_integer(reaction, "transition") - 1];
    const ag_value *from = ag_value_list(t, "from");
    for (int k = 0; k < from->length; k++) {
      const int state = (int)from->items[k].number - 1;
      if (known(d, state, index)) continue;
      d->steps[d->nsteps++] = (step){.from = state,
                                     .to = ag_value_integer(t, "to") - 1,
                                     .event = index,
                                     .urgent = ag_value_boolean(event, "everywhere"),
                                     .label = label_of(d, reaction, event),
                                     .transition = ag_value_text(t, "name")};
    }
  }
}

/* Heights: lines that go out, below them the arrow that comes in. */
static void place(drawing *d) {
  double y = MARGIN + HEAD;
  for (int s = 0; s < d->nboxes; s++) {
    box *b = &d->boxes[s];
    b->y = y;
    b->arrow = y + INSIDE;
    for (int k = 0; k < d->nsteps; k++)
      if (d->steps[k].from == s) {
        d->steps[k].y = b->arrow;
        b->arrow += SLOT;
      }
    b->high = larger(b->arrow + INSIDE - y, 2.0 * SLOT + INSIDE);
    b->track = d->text_right + STUB + TRACK * s;
    y += b->high + GAP;
  }
}

static void measure(drawing *d) {
  double widest = 0, label = 0, transition = 0;
  for (int s = 0; s < d->nboxes; s++)
    widest = larger(widest, larger(ag_text_width(d->boxes[s].name, &state_font),
                                   ag_text_width(d->boxes[s].doc, &doc_font)));
  for (int k = 0; k < d->nsteps; k++) {
    const step *s = &d->steps[k];
    label = larger(label, ag_text_width(s->label, s->urgent ? &urgent_font : &event_font));
    transition = larger(transition, ag_text_width(s->transition, &doc_font));
  }
  d->box_right = MARGIN + widest + 2 * PADDING;
  d->text_right = d->box_right + 2 * STUB + ARROW + label + APART + transition;
}

static void draw_box(const drawing *d, int s, ag_text *to) {
  const box *b = &d->boxes[s];
  const bool initial = ag_value_integer(d->machine, "initial") - 1 == s;
  const double middle = b->y + b->high / 2;
  const ag_box frame = {MARGIN, b->y, d->box_right - MARGIN, b->high};
  ag_draw_box(to, initial ? "initial" : "state", frame, 8);
  ag_draw_text(to, MARGIN + PADDING, middle + (*b->doc ? -2 : 5), AG_START, &state_font, b->name);
  if (*b->doc) ag_draw_text(to, MARGIN + PADDING, middle + 15, AG_START, &doc_font, b->doc);
}

static void draw_step(const drawing *d, const step *s, ag_text *to) {
  const double track = d->boxes[s->to].track;
  ag_draw_line(to, s->urgent ? "urgent_edge" : "edge", d->box_right, s->y, track, s->y);
  ag_text_add(to, "<circle class=\"arrow\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n", track, s->y, DOT);
  ag_draw_text(to, d->box_right + STUB + ARROW, s->y - 3, AG_START,
               s->urgent ? &urgent_font : &event_font, s->label);
  ag_draw_text(to, d->text_right, s->y - 3, AG_END, &doc_font, s->transition);
}

/* From the highest to the lowest of the lines that meet it and the arrow. */
static void draw_track(const drawing *d, int s, ag_text *to) {
  const box *b = &d->boxes[s];
  double high = b->arrow, low = high;
  int count = 0;
  for (int k = 0; k < d->nsteps; k++)
    if (d->steps[k].to == s) {
      high = d->steps[k].y < high ? d->steps[k].y : high;
      low = larger(low, d->steps[k].y);
      count++;
    }
  if (count == 0) return;
  ag_draw_line(to, "edge", b->track, high, b->track, low);
  ag_draw_line(to, "edge", d->box_right + ARROW, b->arrow, b->track, b->arrow);
  ag_text_add(to, "<path class=\"arrow\" d=\"M%.1f %.1fl%d %dv%dz\"/>\n", d->box_right, b->arrow,
              ARROW, -ARROW / 2, ARROW);
}

const char *ag_machine_svg(const ag_value *machine, ag_arena *arena) {
  const ag_value *states = ag_value_list(machine, "states");
  drawing d = {.machine = machine, .arena = arena, .nboxes = states->length};
  d.boxes = ag_alloc(arena, (size_t)d.nboxes * sizeof *d.boxes);
  for (int s = 0; s < d.nboxes; s++) {
    d.boxes[s].name = ag_value_text(&states->items[s], "name");
    d.boxes[s].doc = ag_value_text(&states->items[s], "doc");
  }
  collect_steps(&d);
  measure(&d);
  place(&d);

  const char *name = ag_value_text(machine, "name"), *doc = ag_value_text(d.machine, "doc");
  ag_text elements = {.arena = arena}, whole = elements;
  ag_draw_text(&elements, MARGIN, MARGIN + 18, AG_START, &title_font, name);
  ag_draw_text(&elements, MARGIN, MARGIN + 38, AG_START, &doc_font, doc);
  for (int s = 0; s < d.nboxes; s++) draw_box(&d, s, &elements);
  for (int s = 0; s < d.nboxes; s++) draw_track(&d, s, &elements);
  for (int k = 0; k < d.nsteps; k++) draw_step(&d, &d.steps[k], &elements);

  const box *last = &d.boxes[d.nboxes - 1];
  const double right =
      larger(d.text_right + STUB + TRACK * d.nboxes,
             MARGIN + larger(ag_text_width(doc, &doc_font), ag_text_width(name, &title_font)));
  const ag_substitution with[] = {
      {"WIDTH", ag_printf(arena, "%.0f", right + MARGIN)},
      {"HEIGHT", ag_printf(arena, "%.0f", last->y + last->high + MARGIN)},
      {"TITLE", ag_xml(arena, name)},
      {"VERSION", AG_VERSION},
      {"DRAWING", elements.chars},
      {NULL, NULL}};
  ag_text_substitute(&whole, ag_file_text("machine.svg.in"), with);
  return whole.chars;
}
