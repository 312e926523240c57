/* SPDX-License-Identifier: MIT */
/* coord2b_tables.c: see coord2b_tables.h */
#include "tables/coord2b_tables.h"

#include "base/embedded.h"
#include "base/text.h"
#include "tables/coord2b_modes.h"

#include <string.h>

static const char *name_of(const ag_value *list, int index) {
  return ag_value_text(&list->items[index], "name");
}

static const char *prefix_of(const ag_coord2b *c) {
  return ag_upper(c->arena, ag_printf(c->arena, "%s_coord2b", ag_value_text(c->machine, "name")));
}

static const char *enumerators(const ag_coord2b *c, const ag_value *list, int first) {
  ag_text text = {.arena = c->arena};
  for (int k = 0; k < list->length; k++)
    ag_text_add(&text, "  %s_%s%s%s\n", prefix_of(c), ag_upper(c->arena, name_of(list, k)),
                k == 0 ? ag_printf(c->arena, " = %d", first) : "", k + 1 < list->length ? "," : "");
  return text.chars;
}

/* One line for each state of the table; `form` has %s for its name, or for its number. */
typedef const char *line_of(const ag_coord2b *c, int index);
static const char *state_lines(const ag_coord2b *c, line_of *line) {
  ag_text text = {.arena = c->arena};
  const int count = ag_coord2b_length(c);
  for (int k = 0; k < count; k++)
    ag_text_add(&text, "  %s%s\n", line(c, k), k + 1 < count ? "," : "");
  return text.chars;
}
static const char *quoted_name(const ag_coord2b *c, int k) {
  const bool copy = k >= c->nstates;
  return k == c->nstates + c->copies
             ? "\"\""
             : ag_printf(c->arena, "\"%s\"%s", name_of(c->states, ag_coord2b_own_state(c, k)),
                         copy ? " /* latched */" : "");
}
static const char *own_number(const ag_coord2b *c, int k) {
  return k == c->nstates + c->copies ? "-1" : ag_printf(c->arena, "%d", ag_coord2b_own_state(c, k));
}
static const char *state_entry(const ag_coord2b *c, int k) {
  return ag_printf(c->arena, "{%s_coord2b_names[%d]}", ag_value_text(c->machine, "name"), k);
}

static size_t longest_name(const ag_coord2b *c) {
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

static tables tables_of(const ag_coord2b *c) {
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
      const int to = c->modes[ag_coord2b_mode(c, k)].to[r];
      if (to == AG_NOWHERE) continue;
      ag_text_add(&t.reactions, "%s  {%s_%s, %du, %du, %s}", t.nreactions++ ? ",\n" : "",
                  prefix_of(c), ag_upper(c->arena, name_of(c->events, ag_coord2b_event(c, r) - 1)),
                  (unsigned)transition_index(&t, pairs, k, ag_coord2b_index(c, to)),
                  (unsigned)raises->length, list);
    }
  }
  return t;
}

const char *ag_coord2b_body(const ag_value *machine, ag_arena *arena) {
  const ag_coord2b c = ag_coord2b_of(machine, arena);
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
      {"NSTATES", ag_printf(arena, "%d", ag_coord2b_length(&c))},
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
