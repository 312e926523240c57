/* machine.c: see machine.h */
#include "machine.h"

#include "banner.h"
#include "files.h"
#include "program.h"
#include "script.h"
#include "text.h"

bool ag_machine_read(const char *path, ag_machine *machine, ag_arena *arena, ag_err *err) {
  return ag_script_describe(path, "machine", &machine->description, &machine->sources, arena, err);
}

const char *ag_machine_name(const ag_machine *machine) {
  return ag_value_text(&machine->description, "name");
}

static const ag_value *list_of(const ag_machine *machine, const char *word) {
  return ag_value_list(&machine->description, word);
}

/* PICK_STOP_MOTION */
static const char *enumerator(const ag_machine *machine, const char *word, int index,
                              ag_arena *arena) {
  const ag_value *item = &list_of(machine, word)->items[index];
  return ag_upper(arena,
                  ag_printf(arena, "%s_%s", ag_machine_name(machine), ag_value_text(item, "name")));
}

static const char *enumerators(const ag_machine *machine, const char *word, ag_arena *arena) {
  const ag_value *list = list_of(machine, word);
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const char *doc = ag_value_text(&list->items[i], "doc");
    const ag_value *by = ag_value_item(&list->items[i], "by");
    ag_text_add(&text, "  %s%s", enumerator(machine, word, i, arena),
                i + 1 < list->length ? "," : "");
    if (*doc || by)
      ag_text_add(&text, " /* %s%s%s%s */", ag_comment(arena, doc), *doc && by ? "; " : "",
                  by ? "raised by " : "", by ? ag_comment(arena, by->text) : "");
    ag_text_add(&text, "\n");
  }
  return text.chars;
}

static const char *names(const ag_machine *machine, const char *word, ag_arena *arena) {
  const ag_value *list = list_of(machine, word);
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++)
    ag_text_add(&text, "  \"%s\"%s\n", ag_value_text(&list->items[i], "name"),
                i + 1 < list->length ? "," : "");
  return text.chars;
}

/* A list of indices, from 1 in Lua, as the bits of a word. */
static unsigned long long bits_of(const ag_value *list) {
  unsigned long long bits = 0;
  for (int i = 0; i < list->length; i++) bits |= 1ull << ((int)list->items[i].number - 1);
  return bits;
}

static const char *transition_table(const ag_machine *machine, ag_arena *arena) {
  const ag_value *list = list_of(machine, "transitions");
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const ag_value *t = &list->items[i];
    ag_text_add(&text, "  {\"%s\", 0x%llxu, %s}%s\n", ag_value_text(t, "name"),
                bits_of(ag_value_list(t, "from")),
                enumerator(machine, "states", ag_value_integer(t, "to") - 1, arena),
                i + 1 < list->length ? "," : "");
  }
  return text.chars;
}

static const char *reaction_table(const ag_machine *machine, ag_arena *arena) {
  const ag_value *list = list_of(machine, "reactions");
  ag_text text = {.arena = arena};
  for (int i = 0; i < list->length; i++) {
    const ag_value *r = &list->items[i];
    ag_text_add(&text, "  {%s, %s, 0x%llxu}%s\n",
                enumerator(machine, "events", ag_value_integer(r, "event") - 1, arena),
                enumerator(machine, "transitions", ag_value_integer(r, "transition") - 1, arena),
                bits_of(ag_value_list(r, "raises")), i + 1 < list->length ? "," : "");
  }
  return text.chars;
}

static const char *counts(const ag_machine *machine, ag_arena *arena) {
  return ag_printf(arena, "%d, %d, %d, %d", list_of(machine, "states")->length,
                   list_of(machine, "events")->length, list_of(machine, "transitions")->length,
                   list_of(machine, "reactions")->length);
}

bool ag_machine_header(const ag_machine *machine, const char *file, const char *command,
                       const char **text, ag_arena *arena, ag_err *err) {
  const char *name = ag_machine_name(machine);
  const char *doc = ag_value_text(&machine->description, "doc");
  const ag_substitution with[] = {
      {"NAME", name},
      {"UPPER", ag_upper(arena, name)},
      {"DOC", *doc ? ag_printf(arena, "/* %s */\n", ag_comment(arena, doc)) : ""},
      {"STATES", enumerators(machine, "states", arena)},
      {"EVENTS", enumerators(machine, "events", arena)},
      {"TRANSITIONS", enumerators(machine, "transitions", arena)},
      {"STATE_NAMES", names(machine, "states", arena)},
      {"EVENT_NAMES", names(machine, "events", arena)},
      {"TRANSITION_TABLE", transition_table(machine, arena)},
      {"REACTION_TABLE", reaction_table(machine, arena)},
      {"COUNTS", counts(machine, arena)},
      {"INITIAL", enumerator(machine, "states",
                             ag_value_integer(&machine->description, "initial") - 1, arena)},
      {NULL, NULL}};
  ag_text body = {.arena = arena}, whole = body;
  ag_text_substitute(&body, ag_file_text("machine.h.in"), with);
  int ninputs;
  const ag_input_file *inputs = ag_sources_files(&machine->sources, &ninputs, arena);
  const ag_banner banner = {.file = file, .command = command, .inputs = inputs, .ninputs = ninputs};
  if (!ag_banner_add(&whole, &banner, body.chars, err)) return false;
  ag_text_add(&whole, " * licence what achdgen emits is yours (MIT-0) */\n%s", body.chars);
  *text = whole.chars;
  return true;
}
