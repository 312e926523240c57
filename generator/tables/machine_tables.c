/* SPDX-License-Identifier: MIT */
/* machine_tables.c: see machine_tables.h */
#include "tables/machine_tables.h"

#include "base/embedded.h"
#include "base/text.h"

/* PICK_STOP_MOTION */
static const char *enumerator(const ag_value *machine, const char *word, int index,
                              ag_arena *arena) {
  const ag_value *item = &ag_value_list(machine, word)->items[index];
  return ag_upper(arena, ag_printf(arena, "%s_%s", ag_value_text(machine, "name"),
                                   ag_value_text(item, "name")));
}

/* The enumerators of a word's items, from `first`; each with what is said of it. */
static const char *enumerators(const ag_value *machine, const char *word, int first,
                               ag_arena *arena) {
  const ag_value *list = ag_value_list(machine, word);
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const char *doc = ag_value_text(&list->items[i], "doc");
    const ag_value *by = ag_value_item(&list->items[i], "by");
    ag_text_add(&text, "  %s%s%s", enumerator(machine, word, i, arena),
                i == 0 && first ? ag_printf(arena, " = %d", first) : "",
                i + 1 < list->length ? "," : "");
    if (*doc || by)
      ag_text_add(&text, " /* %s%s%s%s */", ag_comment(arena, doc), *doc && by ? "; " : "",
                  by ? "raised by " : "", by ? ag_comment(arena, by->text) : "");
    ag_text_add(&text, "\n");
  }
  return text.chars;
}

static const char *names(const ag_value *machine, const char *word, ag_arena *arena) {
  const ag_value *list = ag_value_list(machine, word);
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++)
    ag_text_add(&text, "  \"%s\"%s\n", ag_value_text(&list->items[i], "name"),
                i + 1 < list->length ? "," : "");
  return text.chars;
}

/* A list of indices, from 1 in Lua, as the bits of a word, whose first is that of index `first`. */
static unsigned long long bits_of(const ag_value *list, int first) {
  unsigned long long bits = 0;
  for (int i = 0; i < list->length; i++) bits |= 1ull << ((int)list->items[i].number - first);
  return bits;
}

static const char *transition_table(const ag_value *machine, ag_arena *arena) {
  const ag_value *list = ag_value_list(machine, "transitions");
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const ag_value *t = &list->items[i];
    ag_text_add(&text, "  {\"%s\", 0x%llxu, %s}%s\n", ag_value_text(t, "name"),
                bits_of(ag_value_list(t, "from"), 1),
                enumerator(machine, "states", ag_value_integer(t, "to") - 1, arena),
                i + 1 < list->length ? "," : "");
  }
  return text.chars;
}

static const char *reaction_table(const ag_value *machine, ag_arena *arena) {
  const ag_value *list = ag_value_list(machine, "reactions");
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const ag_value *r = &list->items[i];
    ag_text_add(&text, "  {%s, %s, 0x%llxu}%s\n",
                enumerator(machine, "events", ag_value_integer(r, "event") - 1, arena),
                enumerator(machine, "transitions", ag_value_integer(r, "transition") - 1, arena),
                bits_of(ag_value_list(r, "raises"), 0), i + 1 < list->length ? "," : "");
  }
  return text.chars;
}

static const char *counts(const ag_value *machine, ag_arena *arena) {
  return ag_printf(arena, "%d, %d, %d, %d", ag_value_list(machine, "states")->length,
                   1 + ag_value_list(machine, "events")->length, /* with none */
                   ag_value_list(machine, "transitions")->length,
                   ag_value_list(machine, "reactions")->length);
}

const char *ag_machine_body(const ag_value *machine, ag_arena *arena) {
  const char *name = ag_value_text(machine, "name");
  const char *doc = ag_value_text(machine, "doc");
  const ag_substitution with[] = {
      {"NAME", name},
      {"UPPER", ag_upper(arena, name)},
      {"DOC", *doc ? ag_printf(arena, "/* %s */\n", ag_comment(arena, doc)) : ""},
      {"STATES", enumerators(machine, "states", 0, arena)},
      {"EVENTS", enumerators(machine, "events", 1, arena)},
      {"TRANSITIONS", enumerators(machine, "transitions", 0, arena)},
      {"STATE_NAMES", names(machine, "states", arena)},
      {"EVENT_NAMES", names(machine, "events", arena)},
      {"TRANSITION_TABLE", transition_table(machine, arena)},
      {"REACTION_TABLE", reaction_table(machine, arena)},
      {"COUNTS", counts(machine, arena)},
      {"LATCHES", ag_printf(arena, "0x%llxu", bits_of(ag_value_list(machine, "latches"), 0))},
      {"RELEASES", ag_printf(arena, "0x%llxu", bits_of(ag_value_list(machine, "releases"), 0))},
      {"INITIAL", enumerator(machine, "states", ag_value_integer(machine, "initial") - 1, arena)},
      {NULL, NULL}};
  ag_text body = {.arena = arena};
  ag_text_substitute(&body, ag_file_text("machine.h.in"), with);
  return body.chars;
}
