/* SPDX-License-Identifier: MIT */
/* fsm_text.c: see fsm_text.h
 *
 * coord-dsl's transitions lead from one state to one state, and nothing latches there. What was read
 * from such a file is written as it stands; any other machine as coord2b steps it
 * (coord2b_modes.h): a transition once for each state that it leaves, copies of states named
 * NAME_latched. */
#include "tables/fsm_text.h"

#include "base/text.h"
#include "base/version.h"
#include "tables/coord2b_modes.h"

#include <string.h>

typedef struct step { /* a transition of coord-dsl */
  const char *name;
  int transition, from, to; /* of the description; indices among the states */
} step;

typedef struct reply { /* a reaction of coord-dsl */
  const char *name;
  int event, step; /* the event from 0 */
  const ag_value *raises;
} reply;

typedef struct fsm {
  ag_coord2b c;
  bool braces;   /* today's form */
  bool enclosed; /* the one before it: capitals, in FSM (ns=ID) name { } */
  const char *name, *namespace, *uri, *loop, *loop_namespace, *loop_uri;
  const ag_value *flags; /* of the event loop; NULL: none */
  const char **states;
  int nstates, nsteps, nreplies;
  step *steps;
  reply *replies;
  ag_arena *arena;
} fsm;

/* As the file spelled it that it was read from, else as the description does. */
static const char *said(const ag_value *item) {
  const ag_value *own = ag_value_item(item, "said");
  return own ? own->text : ag_value_text(item, "name");
}

static const char *optional(const ag_value *table, const char *key, const char *otherwise) {
  const ag_value *item = ag_value_item(table, key);
  return item ? item->text : otherwise;
}

/* The name, or the name with _ behind it until nobody else of the list has it. */
static const char *apart(const char *name, const char *const *list, int count, ag_arena *arena) {
  for (int k = 0; k < count; k++)
    if (strcmp(list[k], name) == 0) return apart(ag_printf(arena, "%s_", name), list, count, arena);
  return name;
}

static void name_states(fsm *f) {
  const ag_coord2b *c = &f->c;
  f->nstates = ag_coord2b_length(c);
  f->states = ag_alloc(f->arena, (size_t)f->nstates * sizeof *f->states);
  for (int k = 0; k < f->nstates; k++) {
    const char *name = "never_reached";
    if (k < c->nstates)
      name = said(&c->states->items[k]);
    else if (k < c->nstates + c->copies)
      name = ag_printf(f->arena, "%s_latched", said(&c->states->items[ag_coord2b_own_state(c, k)]));
    f->states[k] = k < c->nstates ? name : apart(name, f->states, k, f->arena);
  }
}

/* The step of a transition between two states; each stands there once. */
static int step_of(fsm *f, int transition, int from, int to) {
  for (int k = 0; k < f->nsteps; k++)
    if (f->steps[k].transition == transition && f->steps[k].from == from && f->steps[k].to == to)
      return k;
  f->steps[f->nsteps] = (step){.transition = transition, .from = from, .to = to};
  return f->nsteps++;
}

static int transition_of(const fsm *f, int reaction) {
  return ag_value_integer(&f->c.reactions->items[reaction], "transition") - 1;
}

static void add_reply(fsm *f, int reaction, int at) {
  const ag_value *r = &f->c.reactions->items[reaction];
  f->replies[f->nreplies++] =
      (reply){optional(r, "said", NULL), ag_coord2b_event(&f->c, reaction) - 1, at,
              ag_value_list(r, "raises")};
}

/* What was read from a file of coord-dsl: every transition and reaction as it stands. */
static void take_own(fsm *f) {
  const ag_coord2b *c = &f->c;
  for (int t = 0; t < c->transitions->length; t++) {
    const ag_value *transition = &c->transitions->items[t];
    const ag_value *from = ag_value_list(transition, "from");
    step_of(f, t, (int)from->items[0].number - 1, ag_value_integer(transition, "to") - 1);
  }
  for (int r = 0; r < c->reactions->length; r++) add_reply(f, r, transition_of(f, r));
}

/* Each reaction once for each state in which it is executed, in the order of priority. */
static void take_executed(fsm *f) {
  const ag_coord2b *c = &f->c;
  for (int r = 0; r < c->reactions->length; r++)
    for (int k = 0; k < c->nstates + c->copies; k++) {
      const int to = c->modes[ag_coord2b_mode(c, k)].to[r];
      if (to == AG_NOWHERE) continue;
      add_reply(f, r, step_of(f, transition_of(f, r), k, ag_coord2b_index(c, to)));
    }
}

/* A transition has its own name if it is one step, else that of the states behind it. */
static void name_steps(fsm *f) {
  const char **names = ag_alloc(f->arena, (size_t)(f->nsteps + 1) * sizeof *names);
  for (int k = 0; k < f->nsteps; k++) {
    step *s = &f->steps[k];
    int same = 0;
    for (int j = 0; j < f->nsteps; j++) same += f->steps[j].transition == s->transition;
    const char *name = said(&f->c.transitions->items[s->transition]);
    if (same > 1) name = ag_printf(f->arena, "%s_from_%s", name, f->states[s->from]);
    names[k] = s->name = apart(name, names, k, f->arena);
  }
}

static void name_replies(fsm *f) {
  const char **names = ag_alloc(f->arena, (size_t)(f->nreplies + 1) * sizeof *names);
  for (int k = 0; k < f->nreplies; k++) {
    reply *r = &f->replies[k];
    if (!r->name)
      r->name = ag_printf(f->arena, "r%d_%s", k + 1, said(&f->c.events->items[r->event]));
    names[k] = r->name = apart(r->name, names, k, f->arena);
  }
}

static fsm fsm_of(const ag_value *machine, ag_arena *arena) {
  const ag_value *form = ag_value_item(machine, "form");
  const ag_value *namespace = ag_value_item(machine, "namespace");
  const ag_value *loop = ag_value_item(machine, "loop");
  fsm f = {.c = ag_coord2b_of(machine, arena), .arena = arena, .name = said(machine)};
  f.braces = !form || strcmp(form->text, "fsm") == 0;
  f.enclosed = form && strcmp(form->text, "FSM") == 0;
  const char *own = ag_printf(arena, "https://example.org/%s/", f.name);
  f.namespace = namespace ? ag_value_text(namespace, "name") : "own";
  f.uri = namespace ? ag_value_text(namespace, "uri") : optional(machine, "iri", own);
  f.flags = loop ? ag_value_list(loop, "flags") : NULL;
  const ag_value *of_loop = loop ? ag_value_item(loop, "namespace") : NULL;
  f.loop = loop ? ag_value_text(loop, "name") : ag_printf(arena, "%s_events", f.name);
  f.loop_namespace = of_loop ? ag_value_text(of_loop, "name") : f.namespace;
  f.loop_uri = of_loop ? ag_value_text(of_loop, "uri") : f.uri;
  name_states(&f);
  const size_t most = (size_t)(f.c.nstates + f.c.copies + 1) *
                      (size_t)(f.c.reactions->length + f.c.transitions->length);
  f.steps = ag_alloc(arena, most * sizeof *f.steps);
  f.replies = ag_alloc(arena, most * sizeof *f.replies);
  if (form)
    take_own(&f);
  else
    take_executed(&f);
  name_steps(&f);
  name_replies(&f);
  return f;
}

/* ---- text ---- */

/* In quotes, with \ before quotes and backslashes; control characters become spaces. */
static const char *quoted(const char *text, ag_arena *arena) {
  ag_text out = {.arena = arena};
  for (const char *c = text; *c; c++)
    ag_text_add(&out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "",
                (unsigned char)*c < ' ' ? ' ' : *c);
  return ag_printf(arena, "\"%s\"", out.chars ? out.chars : "");
}

static const char *comma(int k, int count) {
  return k + 1 < count ? "," : "";
}

static const char *event_name(const fsm *f, int event) {
  return said(&f->c.events->items[event]);
}

/* A reference to an event. */
static const char *to_event(const fsm *f, int event) {
  return f->braces ? ag_printf(f->arena, "<%s.%s>", f->loop, event_name(f, event))
                   : ag_printf(f->arena, "@%s", event_name(f, event));
}

static const char *raised(const fsm *f, const reply *r) {
  ag_text out = {.arena = f->arena};
  for (int k = 0; k < r->raises->length; k++)
    ag_text_add(&out, "%s%s", k ? ", " : "", to_event(f, (int)r->raises->items[k].number - 1));
  return out.chars;
}

static void add_braces(const fsm *f, const char *doc, ag_text *out) {
  const ag_coord2b *c = &f->c;
  ag_text_add(out, "ns %s = %s\n", f->namespace, quoted(f->uri, f->arena));
  if (strcmp(f->namespace, f->loop_namespace) != 0)
    ag_text_add(out, "ns %s = %s\n", f->loop_namespace, quoted(f->loop_uri, f->arena));
  ag_text_add(out, "\nevt loop (ns=%s) %s {\n", f->loop_namespace, f->loop);
  const int members = c->events->length + (f->flags ? f->flags->length : 0);
  for (int k = 0; k < c->events->length; k++)
    ag_text_add(out, "    evt %s%s\n", event_name(f, k), comma(k, members));
  for (int k = c->events->length; k < members; k++)
    ag_text_add(out, "    flg %s%s\n", f->flags->items[k - c->events->length].text,
                comma(k, members));
  ag_text_add(out, "}\n\nfsm (ns=%s) %s {\n", f->namespace, f->name);
  if (*doc) ag_text_add(out, "    description: %s\n", quoted(doc, f->arena));
  ag_text_add(out, "    states {\n");
  for (int k = 0; k < f->nstates; k++)
    ag_text_add(out, "        %s%s\n", f->states[k], comma(k, f->nstates));
  ag_text_add(out, "    }\n    evt loop: <%s>\n    start: <%s>\n    end: <%s>\n    transitions {\n",
              f->loop, f->states[ag_value_integer(c->machine, "initial") - 1], f->states[c->end]);
  for (int k = 0; k < f->nsteps; k++)
    ag_text_add(out, "        %s { from: <%s>, to: <%s> }%s\n", f->steps[k].name,
                f->states[f->steps[k].from], f->states[f->steps[k].to], comma(k, f->nsteps));
  ag_text_add(out, "    }\n    reactions {\n");
  for (int k = 0; k < f->nreplies; k++) {
    const reply *r = &f->replies[k];
    const char *fires =
        r->raises->length ? ag_printf(f->arena, ", fires { %s }", raised(f, r)) : "";
    ag_text_add(out, "        %s { when: %s, do: <%s>%s }%s\n", r->name, to_event(f, r->event),
                f->steps[r->step].name, fires, comma(k, f->nreplies));
  }
  ag_text_add(out, "    }\n}\n");
}

static void add_capitals(const fsm *f, const char *doc, ag_text *out) {
  const ag_coord2b *c = &f->c;
  const bool placed = ag_value_item(c->machine, "namespace") != NULL;
  if (placed) ag_text_add(out, "ns %s = %s\n\n", f->namespace, quoted(f->uri, f->arena));
  if (f->enclosed)
    ag_text_add(out, "FSM (ns=%s) %s {\n", f->namespace, f->name);
  else
    ag_text_add(out, "NAME: %s%s\n", placed ? ag_printf(f->arena, "(ns=%s) ", f->namespace) : "",
                f->name);
  if (*doc) ag_text_add(out, "DESCRIPTION: %s\n", quoted(doc, f->arena));
  ag_text_add(out, "\nSTATES:\n");
  for (int k = 0; k < f->nstates; k++)
    ag_text_add(out, "    %s%s\n", f->states[k], comma(k, f->nstates));
  const char *initial = f->states[ag_value_integer(c->machine, "initial") - 1];
  ag_text_add(out, "\nSTART_STATE: @%s\n", initial);
  if (!f->enclosed) ag_text_add(out, "CURRENT_STATE: @%s\n", initial);
  ag_text_add(out, "END_STATE: @%s\n\nEVENTS:\n", f->states[c->end]);
  for (int k = 0; k < c->events->length; k++)
    ag_text_add(out, "    %s%s\n", event_name(f, k), comma(k, c->events->length));
  ag_text_add(out, "\nTRANSITIONS:\n");
  for (int k = 0; k < f->nsteps; k++)
    ag_text_add(out, "    %s:\n        FROM: @%s\n        TO: @%s\n", f->steps[k].name,
                f->states[f->steps[k].from], f->states[f->steps[k].to]);
  ag_text_add(out, "\nREACTIONS:\n");
  for (int k = 0; k < f->nreplies; k++) {
    const reply *r = &f->replies[k];
    ag_text_add(out, "    %s:\n        WHEN: %s\n        DO: @%s\n", r->name, to_event(f, r->event),
                f->steps[r->step].name);
    if (r->raises->length) ag_text_add(out, "        FIRES: %s\n", raised(f, r));
  }
  if (f->enclosed) ag_text_add(out, "}\n");
}

const char *ag_fsm_text(const ag_value *machine, const char *source, ag_arena *arena) {
  const fsm f = fsm_of(machine, arena);
  ag_text out = {.arena = arena};
  ag_text_add(&out, "// A state machine for coord-dsl, made by achdgen %s from %s.\n\n", AG_VERSION,
              source);
  if (f.braces)
    add_braces(&f, ag_value_text(machine, "doc"), &out);
  else
    add_capitals(&f, ag_value_text(machine, "doc"), &out);
  return out.chars;
}
