/* coord2b_tables.c: see coord2b_tables.h
 *
 * coord2b's machines have no events that latch: what a machine does depends on its state alone. A
 * state that behaves differently while an event latches it therefore becomes two: itself, and a
 * copy behind all states that stands for "the same, latched". Which states need a copy is found by
 * refining a partition (Moore 1956): all modes of a state count as one until a reaction tells them
 * apart. */
#include "tables/coord2b_tables.h"

#include "base/embedded.h"
#include "base/text.h"
#include "graph/program.h"

#include <string.h>

enum { NOWHERE = -1 };

typedef struct mode { /* a state, latched or not; where it stands among all: 2 state + latched */
  bool reached, copied;
  int *to; /* by reaction: the mode that it leads to; NOWHERE: it is not executed */
} mode;

typedef struct coord2b {
  const ag_value *machine, *states, *events, *transitions, *reactions;
  mode *modes;
  int nstates, copies, end;
  ag_arena *arena;
} coord2b;

static bool holds(const ag_value *list, int index) {
  for (int k = 0; k < list->length; k++)
    if ((int)list->items[k].number == index) return true;
  return false;
}

static int event_of(const coord2b *c, int reaction) {
  return ag_value_integer(&c->reactions->items[reaction], "event");
}

/* The mode that a reaction leads to, as achd_machine_step does: while the machine is latched, only
 * events that latch or release lead to another state. */
static int leads_to(const coord2b *c, int reaction, int state, bool latched) {
  const int event = event_of(c, reaction);
  const int transition = ag_value_integer(&c->reactions->items[reaction], "transition") - 1;
  const ag_value *t = &c->transitions->items[transition];
  if (!holds(ag_value_list(t, "from"), state + 1)) return NOWHERE;
  const bool latches = holds(ag_value_list(c->machine, "latches"), event);
  const bool releases = holds(ag_value_list(c->machine, "releases"), event);
  const int to = ag_value_integer(t, "to") - 1;
  if (latched && !latches && !releases && to != state) return NOWHERE;
  return 2 * to + (latches || (latched && !releases));
}

/* Fills in where each mode leads; of several reactions to one event the first is executed. */
static void follow(coord2b *c) {
  for (int m = 0; m < 2 * c->nstates; m++) {
    c->modes[m].to = ag_alloc(c->arena, (size_t)c->reactions->length * sizeof(int));
    for (int r = 0; r < c->reactions->length; r++) {
      int *to = &c->modes[m].to[r];
      *to = leads_to(c, r, m / 2, m % 2 == 1);
      for (int before = 0; before < r; before++)
        if (c->modes[m].to[before] != NOWHERE && event_of(c, before) == event_of(c, r))
          *to = NOWHERE;
    }
  }
}

static void reach(coord2b *c, int m) {
  if (c->modes[m].reached) return;
  c->modes[m].reached = true;
  for (int r = 0; r < c->reactions->length; r++)
    if (c->modes[m].to[r] != NOWHERE) reach(c, c->modes[m].to[r]);
}

/* The mode that stands for all that are not told apart from m. */
static int class_of(const coord2b *c, int m) {
  if (m == NOWHERE || c->modes[m | 1].copied) return m;
  return m & ~1;
}

static bool told_apart(const coord2b *c, int state) {
  const int first = 2 * state;
  const mode *free = &c->modes[first], *latched = free + 1;
  if (!free->reached || !latched->reached) return false;
  for (int r = 0; r < c->reactions->length; r++)
    if (class_of(c, free->to[r]) != class_of(c, latched->to[r])) return true;
  return false;
}

static void refine(coord2b *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int s = 0; s < c->nstates; s++) {
      const int m = 2 * s + 1;
      mode *latched = &c->modes[m];
      if (latched->copied || !told_apart(c, s)) continue;
      latched->copied = changed = true;
      c->copies++;
    }
  }
}

/* The index of a mode among the states of the table: the states, then the copies in their order. */
static int index_of(const coord2b *c, int m) {
  if (!(m & 1) || !c->modes[m].copied) return m / 2;
  int index = c->nstates;
  for (int k = 1; k < m; k += 2) index += c->modes[k].copied;
  return index;
}

/* The mode whose behaviour the index has: of a state that is only ever latched, that one. */
static int mode_of(const coord2b *c, int index) {
  if (index < c->nstates) {
    const int free = 2 * index, latched = free + 1;
    return c->modes[latched].reached && !c->modes[free].reached ? latched : free;
  }
  for (int m = 1; m < 2 * c->nstates; m += 2)
    if (c->modes[m].copied && index_of(c, m) == index) return m;
  return NOWHERE;
}

/* A machine of coord2b ends in one state and stays there. It is the final one, if there is just one
 * and nothing happens in it; else one more state behind all others, which is never reached. */
static int end_of(const coord2b *c) {
  int end = NOWHERE, finals = 0;
  for (int s = 0; s < c->nstates; s++) {
    if (!ag_value_boolean(&c->states->items[s], "final")) continue;
    finals++;
    end = s;
    const int first = 2 * s;
    const mode *free = &c->modes[first], *latched = free + 1;
    for (int r = 0; r < c->reactions->length; r++)
      if (free->to[r] != NOWHERE || latched->to[r] != NOWHERE) end = NOWHERE;
    if (end == NOWHERE) break;
  }
  return finals == 1 && end != NOWHERE ? end : c->nstates + c->copies;
}

static const char *name_of(const ag_value *list, int index) {
  return ag_value_text(&list->items[index], "name");
}

static const char *prefix_of(const coord2b *c) {
  return ag_upper(c->arena, ag_printf(c->arena, "%s_coord2b", ag_value_text(c->machine, "name")));
}

static const char *enumerators(const coord2b *c, const ag_value *list, int first) {
  ag_text text = {.arena = c->arena};
  for (int k = 0; k < list->length; k++)
    ag_text_add(&text, "  %s_%s%s%s\n", prefix_of(c), ag_upper(c->arena, name_of(list, k)),
                k == 0 ? ag_printf(c->arena, " = %d", first) : "", k + 1 < list->length ? "," : "");
  return text.chars;
}

static int table_length(const coord2b *c) {
  const int all = c->nstates + c->copies;
  return c->end == all ? all + 1 : all;
}

/* The state of the description that an entry of the table stands for. */
static int own_state(const coord2b *c, int index) {
  return index < c->nstates ? index : mode_of(c, index) / 2;
}

/* One line for each state of the table; `form` has %s for its name, or for its number. */
typedef const char *line_of(const coord2b *c, int index);
static const char *state_lines(const coord2b *c, line_of *line) {
  ag_text text = {.arena = c->arena};
  const int count = table_length(c);
  for (int k = 0; k < count; k++)
    ag_text_add(&text, "  %s%s\n", line(c, k), k + 1 < count ? "," : "");
  return text.chars;
}
static const char *quoted_name(const coord2b *c, int k) {
  const bool copy = k >= c->nstates;
  return k == c->nstates + c->copies
             ? "\"\""
             : ag_printf(c->arena, "\"%s\"%s", name_of(c->states, own_state(c, k)),
                         copy ? " /* latched */" : "");
}
static const char *own_number(const coord2b *c, int k) {
  return k == c->nstates + c->copies ? "-1" : ag_printf(c->arena, "%d", own_state(c, k));
}
static const char *state_entry(const coord2b *c, int k) {
  return ag_printf(c->arena, "{%s_coord2b_names[%d]}", ag_value_text(c->machine, "name"), k);
}

static size_t longest_name(const coord2b *c) {
  size_t longest = 0;
  for (int s = 0; s < c->nstates; s++) {
    const size_t length = strlen(name_of(c->states, s));
    if (length > longest) longest = length;
  }
  return longest + 1;
}

/* The tables of transitions and reactions: each reaction of the description once for each state in
 * which it is executed, in the order of priority. */
typedef struct tables {
  ag_text transitions, reactions, raised;
  int ntransitions, nreactions, nraised;
} tables;

typedef struct pair {
  int start, end;
} pair;

/* coord2b knows a transition by the states where it starts and ends; each pair stands there once. */
static int transition_index(tables *t, pair *pairs, int start, int end) {
  for (int k = 0; k < t->ntransitions; k++)
    if (pairs[k].start == start && pairs[k].end == end) return k;
  pairs[t->ntransitions] = (pair){start, end};
  ag_text_add(&t->transitions, "%s  {%du, %du}", t->ntransitions ? ",\n" : "", start, end);
  return t->ntransitions++;
}

static tables tables_of(const coord2b *c) {
  tables t = {.transitions = {.arena = c->arena},
              .reactions = {.arena = c->arena},
              .raised = {.arena = c->arena}};
  const int count = c->nstates + c->copies;
  const char *name = ag_value_text(c->machine, "name");
  pair *pairs = ag_alloc(c->arena, (size_t)count * (size_t)c->reactions->length * sizeof *pairs);
  for (int r = 0; r < c->reactions->length; r++) {
    const ag_value *raises = ag_value_list(&c->reactions->items[r], "raises");
    const char *list =
        raises->length ? ag_printf(c->arena, "&%s_coord2b_raised[%d]", name, t.nraised) : "NULL";
    for (int k = 0; k < raises->length; k++)
      ag_text_add(&t.raised, "%s  %s_%s", t.nraised++ ? ",\n" : "", prefix_of(c),
                  ag_upper(c->arena, name_of(c->events, (int)raises->items[k].number - 1)));
    for (int k = 0; k < count; k++) {
      const int to = c->modes[mode_of(c, k)].to[r];
      if (to == NOWHERE) continue;
      ag_text_add(&t.reactions, "%s  {%s_%s, %du, %du, %s}", t.nreactions++ ? ",\n" : "",
                  prefix_of(c), ag_upper(c->arena, name_of(c->events, event_of(c, r) - 1)),
                  (unsigned)transition_index(&t, pairs, k, index_of(c, to)),
                  (unsigned)raises->length, list);
    }
  }
  return t;
}

static coord2b coord2b_of(const ag_value *machine, ag_arena *arena) {
  coord2b c = {.machine = machine,
               .states = ag_value_list(machine, "states"),
               .events = ag_value_list(machine, "events"),
               .transitions = ag_value_list(machine, "transitions"),
               .reactions = ag_value_list(machine, "reactions"),
               .arena = arena};
  c.nstates = c.states->length;
  c.modes = ag_alloc(arena, 2 * (size_t)c.nstates * sizeof *c.modes);
  for (int m = 0; m < 2 * c.nstates; m++) c.modes[m] = (mode){0};
  follow(&c);
  reach(&c, 2 * (ag_value_integer(machine, "initial") - 1));
  refine(&c);
  c.end = end_of(&c);
  return c;
}

const char *ag_coord2b_body(const ag_value *machine, ag_arena *arena) {
  const coord2b c = coord2b_of(machine, arena);
  const tables t = tables_of(&c);
  const char *name = ag_value_text(machine, "name");
  const char *doc = ag_value_text(machine, "doc");
  const char *raised = t.nraised
                           ? ag_printf(arena,
                                       "\n/* Events that reactions raise. */\n"
                                       "static unsigned int %s_coord2b_raised[] = {\n%s\n};\n",
                                       name, t.raised.chars)
                           : "";
  const ag_substitution with[] = {
      {"NAME", name},
      {"UPPER", ag_upper(arena, name)},
      {"DOC", *doc ? ag_printf(arena, "/* %s */\n", ag_comment(arena, doc)) : ""},
      {"STATES", enumerators(&c, c.states, 0)},
      {"EVENTS", enumerators(&c, c.events, 1)},
      {"NSTATES", ag_printf(arena, "%d", table_length(&c))},
      {"NEVENTS", ag_printf(arena, "%d", 1 + c.events->length)},
      {"NTRANSITIONS", ag_printf(arena, "%d", t.ntransitions)},
      {"NREACTIONS", ag_printf(arena, "%d", t.nreactions)},
      {"LONGEST", ag_printf(arena, "%zu", longest_name(&c))},
      {"NAMES", state_lines(&c, quoted_name)},
      {"OWN_STATES", state_lines(&c, own_number)},
      {"STATE_TABLE", state_lines(&c, state_entry)},
      {"TRANSITION_TABLE", t.transitions.chars},
      {"REACTION_TABLE", t.reactions.chars},
      {"RAISED", raised},
      {"INITIAL", ag_printf(arena, "%d", ag_value_integer(machine, "initial") - 1)},
      {"END", ag_printf(arena, "%d", c.end)},
      {NULL, NULL}};
  ag_text body = {.arena = arena};
  ag_text_substitute(&body, ag_file_text("coord2b.h.in"), with);
  return body.chars;
}
