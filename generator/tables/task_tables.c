/* SPDX-License-Identifier: MIT */
/* task_tables.c: see task_tables.h */
#include "tables/task_tables.h"

#include "base/embedded.h"
#include "base/text.h"

#include <math.h>

/* With as few digits as give the same number back. */
static const char *real(double x, ag_arena *arena) {
  if (isinf(x)) return ag_printf(arena, "%sACHD_INFINITY", x < 0 ? "-" : "");
  const char *text = ag_decimal_text(arena, x);
  return fabs(x) < 1e6 && x == (double)(int)x ? text : ag_printf(arena, "(achd_real)%s", text);
}

static const char *reals(const ag_value *list, int first, int count, ag_arena *arena) {
  ag_text text = {.arena = arena};
  for (int i = 0; i < count; i++)
    ag_text_add(&text, "%s%s", i ? ", " : "", real(list->items[first + i].number, arena));
  return text.chars;
}

/* Nine numbers as an achd_rotation. */
static const char *rotation(const ag_value *nine, ag_arena *arena) {
  return ag_printf(arena, "{{{%s},\n     {%s},\n     {%s}}}", reals(nine, 0, 3, arena),
                   reals(nine, 3, 3, arena), reals(nine, 6, 3, arena));
}

static void add_frames(ag_text *text, const char *name, const ag_value *task) {
  const ag_value *frames = ag_value_list(task, "frames");
  ag_text_add(text, "static const achd_pose %s_%s_frames[] = {\n", name,
              ag_value_text(task, "name"));
  for (int i = 0; i < frames->length; i++)
    ag_text_add(text, "  {{%s},\n   %s}%s\n",
                reals(ag_value_list(&frames->items[i], "p"), 0, 3, text->arena),
                rotation(ag_value_list(&frames->items[i], "R"), text->arena),
                i + 1 < frames->length ? "," : "");
  ag_text_add(text, "};\n");
}

static void add_direction(ag_text *text, const char *name, const ag_value *d, const char *end) {
  ag_arena *arena = text->arena;
  const ag_value *abag = ag_value_list(d, "abag"), *gains = ag_value_list(d, "gains");
  ag_text_add(text, "    /* %s */\n    {%s, %s, %s, %s, %s, %s,\n", name, ag_value_text(d, "kind"),
              real(ag_value_number(d, "value"), arena),
              real(ag_value_number(d, "amplitude"), arena), real(ag_value_number(d, "wave"), arena),
              real(ag_value_number(d, "tolerance"), arena),
              real(ag_value_number(d, "largest"), arena));
  ag_text_add(text,
              "     {%s,\n      {%s}, {%s}, {%s}, %s, %d},\n     %s, %s, %s, %s,\n     %s, {%s, "
              "%s, %s, %s}}%s\n",
              reals(abag, 0, 5, arena), reals(abag, 5, 2, arena), reals(abag, 7, 2, arena),
              reals(abag, 9, 2, arena), ag_value_boolean(d, "hold") ? "true" : "false",
              ag_value_integer(d, "order"), ag_value_boolean(d, "smooth") ? "true" : "false",
              real(ag_value_number(d, "rate"), arena), real(ag_value_number(d, "damping"), arena),
              real(ag_value_number(d, "speed"), arena), ag_value_text(d, "law"),
              real(ag_value_number(gains, "proportional"), arena),
              real(ag_value_number(gains, "derivative"), arena),
              real(ag_value_number(gains, "integral"), arena),
              real(ag_value_number(gains, "limit"), arena), end);
}

static const char *threshold(const ag_value *rule, ag_arena *arena) {
  return ag_printf(arena, "{%s, %s}", real(ag_value_number(rule, "force"), arena),
                   real(ag_value_number(rule, "duration"), arena));
}

static const char *contact(const ag_value *task, const char *key, ag_arena *arena) {
  return threshold(ag_value_list(task, key), arena);
}

/* Contacts by direction and by velocity, and the alignment. */
static void add_rules(ag_text *text, const ag_value *task) {
  ag_arena *arena = text->arena;
  const ag_value *along = ag_value_list(task, "along"), *still = ag_value_list(task, "standstill"),
                 *alignment = ag_value_list(task, "alignment");
  ag_text_add(text, "   /* contact along and about each axis, by velocity; alignment */\n   {");
  for (int i = 0; i < along->length; i++)
    ag_text_add(text, "%s%s", i ? ", " : "", threshold(&along->items[i], arena));
  ag_text_add(text, "}, {%s, %d, %d}, {%s, %s, %s}",
              real(ag_value_number(still, "velocity"), arena), ag_value_integer(still, "samples"),
              ag_value_integer(still, "axis"), real(ag_value_number(alignment, "duration"), arena),
              real(ag_value_number(alignment, "time"), arena),
              real(ag_value_number(alignment, "within"), arena));
}

/* A task as an initialiser; sections: the name of the table of those of its path, or NULL. */
static void add_task(ag_text *text, const char *name, const ag_value *task, const char *sections,
                     const char *end) {
  static const char *const names[] = {"x", "y", "z", "about x", "about y", "about z"};
  ag_arena *arena = text->arena;
  const ag_value *directions = ag_value_list(task, "direction");
  ag_text_add(text, "  {\"%s\", %s_%s_frames, %d,\n   {\n", ag_value_text(task, "name"), name,
              ag_value_text(task, "name"), ag_value_list(task, "frames")->length);
  for (int i = 0; i < directions->length; i++)
    add_direction(text, names[i], &directions->items[i], i + 1 < directions->length ? "," : "");
  ag_text_add(
      text,
      "   },\n   /* orientation, tolerance */\n   %s, %s,\n   /* axes of the force frame */\n   "
      "%s,\n"
      "   /* horizon, goal area, time, contact, contact lost, force across, object */\n   %s, %s, "
      "%s, "
      "%s, %s, %s, %d,\n",
      rotation(ag_value_list(task, "orientation"), arena),
      real(ag_value_number(task, "orientation_tolerance"), arena),
      rotation(ag_value_list(task, "force_axes"), arena),
      real(ag_value_number(task, "horizon"), arena),
      real(ag_value_number(task, "goal_area"), arena), real(ag_value_number(task, "time"), arena),
      contact(task, "contact", arena), contact(task, "lost", arena), contact(task, "across", arena),
      ag_value_integer(task, "object"));
  add_rules(text, task);
  ag_text_add(text,
              ",\n   /* predicted with the solver's acceleration; sections, pass, axes of the "
              "orientation */\n   %s, %s, %s, %s, %s}%s\n",
              ag_value_boolean(task, "accelerated") ? "true" : "false", sections,
              ag_value_text(task, "pass"), ag_value_boolean(task, "turned") ? "true" : "false",
              rotation(ag_value_list(task, "turn_axes"), arena), end);
}

/* The table of the sections of a path whose waypoints have numbers of their own. */
static void add_sections(ag_text *text, const char *name, const ag_value *task) {
  const ag_value *sections = ag_value_list(task, "sections");
  if (sections->length == 0) return;
  ag_text_add(text, "static const achd_task %s_%s_sections[] = {\n", name,
              ag_value_text(task, "name"));
  for (int i = 0; i < sections->length; i++)
    add_task(text, name, &sections->items[i], "NULL", i + 1 < sections->length ? "," : "");
  ag_text_add(text, "};\n");
}

/* The numbers of the objects that tasks name; "": none does. */
static const char *objects(const char *name, const ag_value *list, ag_arena *arena) {
  ag_text text = {.arena = arena};
  ag_text_add(&text,
              "/* The frames in which tasks are given (achd/object.h), by number. */\n"
              "enum %s_object {\n",
              name);
  for (int i = 0; i < list->length; i++)
    ag_text_add(&text, "  %s = %d%s\n",
                ag_upper(arena, ag_printf(arena, "%s_object_%s", name, list->items[i].text)), i + 1,
                i + 1 < list->length ? "," : "");
  ag_text_add(&text, "};\n\n");
  return list->length > 0 ? text.chars : "";
}

/* What a task says of them. */
static const char *sections_of(const char *name, const ag_value *task, ag_arena *arena) {
  return ag_value_list(task, "sections")->length == 0
             ? "NULL"
             : ag_printf(arena, "%s_%s_sections", name, ag_value_text(task, "name"));
}

const char *ag_task_body(const ag_value *description, ag_arena *arena) {
  const char *name = ag_value_text(description, "name");
  const ag_value *tasks = ag_value_list(description, "tasks");
  ag_text enumerators = {.arena = arena}, frames = enumerators, table = enumerators,
          body = enumerators;
  for (int i = 0; i < tasks->length; i++) {
    const ag_value *task = &tasks->items[i];
    const char *end = i + 1 < tasks->length ? "," : "";
    ag_text_add(&enumerators, "  %s%s\n",
                ag_upper(arena, ag_printf(arena, "%s_task_%s", name, ag_value_text(task, "name"))),
                end);
    add_frames(&frames, name, task);
    add_sections(&frames, name, task);
    add_task(&table, name, task, sections_of(name, task, arena), end);
  }
  const ag_substitution with[] = {
      {"NAME", name},
      {"UPPER", ag_upper(arena, name)},
      {"ENUMERATORS", enumerators.chars},
      {"OBJECTS", objects(name, ag_value_list(description, "objects"), arena)},
      {"FRAMES", frames.chars},
      {"TASKS", table.chars},
      {NULL, NULL}};
  ag_text_substitute(&body, ag_file_text("task.h.in"), with);
  return body.chars;
}
