/* SPDX-License-Identifier: MIT */
/* machine_graph.c: see machine_graph.h */
#include "report/machine_graph.h"

#include "base/text.h"

typedef struct graph {
  const ag_value *states, *events, *transitions, *reactions;
  int initial;
  ag_arena *arena;
} graph;

static graph graph_of(const ag_value *machine, ag_arena *arena) {
  return (graph){.states = ag_value_list(machine, "states"),
                 .events = ag_value_list(machine, "events"),
                 .transitions = ag_value_list(machine, "transitions"),
                 .reactions = ag_value_list(machine, "reactions"),
                 .initial = ag_value_integer(machine, "initial") - 1,
                 .arena = arena};
}

static const char *name_of(const ag_value *list, int index) {
  return ag_value_text(&list->items[index], "name");
}

static bool leads_from(const ag_value *transition, int state) {
  const ag_value *from = ag_value_list(transition, "from");
  for (int k = 0; k < from->length; k++)
    if ((int)from->items[k].number - 1 == state) return true;
  return false;
}

/* The first reaction to an event in a state is the one that is taken. */
static bool is_first(const graph *g, int reaction, int state) {
  const int event = ag_value_integer(&g->reactions->items[reaction], "event");
  for (int r = 0; r < reaction; r++) {
    const ag_value *before = &g->reactions->items[r];
    const ag_value *t = &g->transitions->items[ag_value_integer(before, "transition") - 1];
    if (ag_value_integer(before, "event") == event && leads_from(t, state)) return false;
  }
  return true;
}

/* "e_joint_limit, e_timeout": what takes a transition out of a state; "" where nothing does. An event
 * that a reaction raises stands behind a slash. */
static const char *causes(const graph *g, int transition, int state, const char *between) {
  const char *list = "";
  for (int r = 0; r < g->reactions->length; r++) {
    const ag_value *reaction = &g->reactions->items[r];
    if (ag_value_integer(reaction, "transition") - 1 != transition || !is_first(g, r, state))
      continue;
    list = ag_printf(g->arena, "%s%s%s", list, list[0] ? between : "",
                     name_of(g->events, ag_value_integer(reaction, "event") - 1));
    const ag_value *raises = ag_value_list(reaction, "raises");
    for (int k = 0; k < raises->length; k++)
      list = ag_printf(g->arena, "%s%s%s", list, k ? ", " : " / ",
                       name_of(g->events, (int)raises->items[k].number - 1));
  }
  return list;
}

/* For each transition out of each state: print(text, from, to, transition, causes). */
typedef void edge_printer(ag_text *text, const char *from, const char *to, const char *transition,
                          const char *causes);
static void each_edge(const graph *g, const char *between, edge_printer *print, ag_text *text) {
  for (int s = 0; s < g->states->length; s++)
    for (int t = 0; t < g->transitions->length; t++) {
      const ag_value *transition = &g->transitions->items[t];
      if (!leads_from(transition, s)) continue;
      const char *list = causes(g, t, s, between);
      if (list[0])
        print(text, name_of(g->states, s),
              name_of(g->states, ag_value_integer(transition, "to") - 1),
              ag_value_text(transition, "name"), list);
    }
}

/* A documentation may have quotes; names are identifiers. */
static const char *quoted(ag_arena *arena, const char *plain) {
  ag_text text = {.arena = arena};
  for (const char *c = plain; *c; c++)
    ag_text_add(&text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  return text.chars ? text.chars : "";
}

static void dot_edge(ag_text *text, const char *from, const char *to, const char *transition,
                     const char *list) {
  ag_text_add(text, "  \"%s\" -> \"%s\" [label=\"%s\\n%s\"]\n", from, to, transition, list);
}

const char *ag_machine_dot(const ag_value *machine, ag_arena *arena) {
  const graph g = graph_of(machine, arena);
  ag_text text = {.arena = arena};
  ag_text_add(&text, "digraph \"%s\" {\n  label=\"%s\"\n  labelloc=t\n",
              ag_value_text(machine, "name"), quoted(arena, ag_value_text(machine, "doc")));
  ag_text_add(&text, "  node [shape=box, style=rounded]\n  \"[*]\" [shape=point]\n");
  for (int s = 0; s < g.states->length; s++)
    ag_text_add(&text, "  \"%s\" [label=\"%s\\n%s\"%s]\n", name_of(g.states, s),
                name_of(g.states, s), quoted(arena, ag_value_text(&g.states->items[s], "doc")),
                ag_value_boolean(&g.states->items[s], "final") ? ", peripheries=2" : "");
  ag_text_add(&text, "  \"[*]\" -> \"%s\"\n", name_of(g.states, g.initial));
  each_edge(&g, "\\n", dot_edge, &text);
  ag_text_add(&text, "}\n");
  return text.chars;
}

static void mermaid_edge(ag_text *text, const char *from, const char *to, const char *transition,
                         const char *list) {
  ag_text_add(text, "  %s --> %s : %s (%s)\n", from, to, transition, list);
}

const char *ag_machine_mermaid(const ag_value *machine, ag_arena *arena) {
  const graph g = graph_of(machine, arena);
  ag_text text = {.arena = arena};
  ag_text_add(&text, "stateDiagram-v2\n  [*] --> %s\n", name_of(g.states, g.initial));
  each_edge(&g, ", ", mermaid_edge, &text);
  for (int s = 0; s < g.states->length; s++)
    if (ag_value_boolean(&g.states->items[s], "final"))
      ag_text_add(&text, "  %s --> [*]\n", name_of(g.states, s));
  return text.chars;
}
