/* SPDX-License-Identifier: MIT */
/* coord2b_modes.c: see coord2b_modes.h */
#include "tables/coord2b_modes.h"

static bool holds(const ag_value *list, int index) {
  for (int k = 0; k < list->length; k++)
    if ((int)list->items[k].number == index) return true;
  return false;
}

int ag_coord2b_event(const ag_coord2b *c, int reaction) {
  return ag_value_integer(&c->reactions->items[reaction], "event");
}

/* The mode that a reaction leads to, as achd_machine_step does: while the machine is latched, only
 * events that latch or release lead to another state. */
static int leads_to(const ag_coord2b *c, int reaction, int state, bool latched) {
  const int event = ag_coord2b_event(c, reaction);
  const int transition = ag_value_integer(&c->reactions->items[reaction], "transition") - 1;
  const ag_value *t = &c->transitions->items[transition];
  if (!holds(ag_value_list(t, "from"), state + 1)) return AG_NOWHERE;
  const bool latches = holds(ag_value_list(c->machine, "latches"), event);
  const bool releases = holds(ag_value_list(c->machine, "releases"), event);
  const int to = ag_value_integer(t, "to") - 1;
  if (latched && !latches && !releases && to != state) return AG_NOWHERE;
  return 2 * to + (latches || (latched && !releases));
}

/* Fills in where each mode leads; of several reactions to one event the first is executed. */
static void follow(ag_coord2b *c) {
  for (int m = 0; m < 2 * c->nstates; m++) {
    c->modes[m].to = ag_alloc(c->arena, (size_t)c->reactions->length * sizeof(int));
    for (int r = 0; r < c->reactions->length; r++) {
      int *to = &c->modes[m].to[r];
      *to = leads_to(c, r, m / 2, m % 2 == 1);
      for (int before = 0; before < r; before++)
        if (c->modes[m].to[before] != AG_NOWHERE &&
            ag_coord2b_event(c, before) == ag_coord2b_event(c, r))
          *to = AG_NOWHERE;
    }
  }
}

static void reach(ag_coord2b *c, int m) {
  if (c->modes[m].reached) return;
  c->modes[m].reached = true;
  for (int r = 0; r < c->reactions->length; r++)
    if (c->modes[m].to[r] != AG_NOWHERE) reach(c, c->modes[m].to[r]);
}

/* The mode that stands for all that are not distinguished from m. */
static int class_of(const ag_coord2b *c, int m) {
  if (m == AG_NOWHERE || c->modes[m | 1].copied) return m;
  return m & ~1;
}

static bool told_apart(const ag_coord2b *c, int state) {
  const int first = 2 * state;
  const ag_coord2b_state *free = &c->modes[first], *latched = free + 1;
  if (!free->reached || !latched->reached) return false;
  for (int r = 0; r < c->reactions->length; r++)
    if (class_of(c, free->to[r]) != class_of(c, latched->to[r])) return true;
  return false;
}

static void refine(ag_coord2b *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int s = 0; s < c->nstates; s++) {
      const int m = 2 * s + 1;
      ag_coord2b_state *latched = &c->modes[m];
      if (latched->copied || !told_apart(c, s)) continue;
      latched->copied = changed = true;
      c->copies++;
    }
  }
}

/* The index of a mode among the states of the table: the states, then the copies in their order. */
int ag_coord2b_index(const ag_coord2b *c, int m) {
  if (!(m & 1) || !c->modes[m].copied) return m / 2;
  int index = c->nstates;
  for (int k = 1; k < m; k += 2) index += c->modes[k].copied;
  return index;
}

/* The mode whose behaviour the index has: of a state that is only ever latched, that one. */
int ag_coord2b_mode(const ag_coord2b *c, int index) {
  if (index < c->nstates) {
    const int free = 2 * index, latched = free + 1;
    return c->modes[latched].reached && !c->modes[free].reached ? latched : free;
  }
  for (int m = 1; m < 2 * c->nstates; m += 2)
    if (c->modes[m].copied && ag_coord2b_index(c, m) == index) return m;
  return AG_NOWHERE;
}

/* A machine of coord2b ends in one state and stays there. It is the final one, if there is just one
 * and nothing happens in it; else one more state behind all others, which is never reached. */
static int end_of(const ag_coord2b *c) {
  int end = AG_NOWHERE, finals = 0;
  for (int s = 0; s < c->nstates; s++) {
    if (!ag_value_boolean(&c->states->items[s], "final")) continue;
    finals++;
    end = s;
    const int first = 2 * s;
    const ag_coord2b_state *free = &c->modes[first], *latched = free + 1;
    for (int r = 0; r < c->reactions->length; r++)
      if (free->to[r] != AG_NOWHERE || latched->to[r] != AG_NOWHERE) end = AG_NOWHERE;
    if (end == AG_NOWHERE) break;
  }
  return finals == 1 && end != AG_NOWHERE ? end : c->nstates + c->copies;
}

int ag_coord2b_length(const ag_coord2b *c) {
  const int all = c->nstates + c->copies;
  return c->end == all ? all + 1 : all;
}

/* The state of the description that an entry of the table stands for. */
int ag_coord2b_own_state(const ag_coord2b *c, int index) {
  return index < c->nstates ? index : ag_coord2b_mode(c, index) / 2;
}

ag_coord2b ag_coord2b_of(const ag_value *machine, ag_arena *arena) {
  ag_coord2b c = {.machine = machine,
                  .states = ag_value_list(machine, "states"),
                  .events = ag_value_list(machine, "events"),
                  .transitions = ag_value_list(machine, "transitions"),
                  .reactions = ag_value_list(machine, "reactions"),
                  .arena = arena};
  c.nstates = c.states->length;
  c.modes = ag_alloc(arena, 2 * (size_t)c.nstates * sizeof *c.modes);
  for (int m = 0; m < 2 * c.nstates; m++) c.modes[m] = (ag_coord2b_state){0};
  follow(&c);
  reach(&c, 2 * (ag_value_integer(machine, "initial") - 1));
  refine(&c);
  c.end = end_of(&c);
  return c;
}
