/* SPDX-License-Identifier: MIT */
/* mjcf_reader.c: see mjcf_reader.h: MuJoCo's settings and classes, and attributes through them. */
#include "base/names.h"
#include "model/mjcf_reader.h"

#include <string.h>

enum { MOST_CLASSES = 1000, MOST_NUMBERS = 7 /* that an attribute has */ };

/* --- classes ---------------------------------------------------------------------------------- */

static int class_find(const ag_mjcf *m, const char *name) {
  for (int i = 0; i < m->nclasses; ++i)
    if (strcmp(m->classes[i].name, name) == 0) return i;
  return -1;
}

static bool read_class(ag_mjcf *m, const ag_element *element, int parent) {
  const char *name = ag_element_text(element, "class");
  if (!name && parent < 0) name = "main";
  if (!name)
    return ag_fail(m->err, element->path, element->line, "write <default class=\"...\">",
                   "a <default> within another has no class");
  if (parent >= 0 && class_find(m, name) >= 0)
    return ag_fail(m->err, element->path, element->line, "give it another name",
                   "the class \"%s\" is declared twice", name);
  if (m->nclasses == MOST_CLASSES)
    return ag_fail(m->err, element->path, element->line, "take those out that nothing uses",
                   "more than %d classes are declared", MOST_CLASSES);
  const int own = m->nclasses++;
  m->classes = ag_room(m->arena, m->classes, own, sizeof *m->classes);
  m->classes[own] = (ag_mjcf_class){name, parent, element};
  for (const ag_element *child = element->children; child; child = child->next)
    if (ag_element_is(child, "default") && !read_class(m, child, own)) return false;
  return true;
}

bool ag_mjcf_class_of(const ag_mjcf *m, const ag_element *element, const char *word, int inherited,
                      int *class_) {
  const char *name = ag_element_text(element, word);
  *class_ = inherited;
  if (!name) return true;
  *class_ = class_find(m, name);
  if (*class_ >= 0) return true;
  const char **names = ag_alloc(m->arena, ((size_t)m->nclasses + 1) * sizeof *names);
  for (int i = 0; i < m->nclasses; ++i) names[i] = m->classes[i].name;
  const char *near = ag_near_names(names, m->nclasses, name, m->arena);
  return ag_fail(m->err, element->path, element->line,
                 ag_did_you_mean(near, "declare it in <default>", m->arena),
                 "the class \"%s\" is not declared", name);
}

/* --- attributes ------------------------------------------------------------------------------- */

/* Whether <default> means this kind of element: all actuators are one kind to it. */
static bool is_kind(const ag_element *e, const char *kind) {
  static const char *const actuators[] = {"general",  "motor",    "position", "velocity",
                                          "damper",   "cylinder", "muscle",   "intvelocity",
                                          "adhesion", "dcmotor"};
  if (strcmp(kind, "actuator") != 0) return ag_element_is(e, kind);
  for (size_t i = 0; i < sizeof actuators / sizeof *actuators; ++i)
    if (ag_element_is(e, actuators[i])) return true;
  return false;
}

/* The class's own word on an attribute of this kind of element; NULL: none. */
static const char *class_text(const ag_mjcf_class *class_, const char *kind, const char *name) {
  const char *text = NULL;
  for (const ag_element *e = class_->element->children; e; e = e->next)
    if (is_kind(e, kind) && ag_element_text(e, name)) text = ag_element_text(e, name);
  return text;
}

const char *ag_mjcf_attribute(const ag_mjcf_item *item, const char *name) {
  const ag_mjcf *m = item->m;
  const char *text = ag_element_text(item->element, name);
  for (int i = item->class_; !text && i >= 0; i = m->classes[i].parent) {
    text = class_text(&m->classes[i], item->kind, name);
    /* <default> may stand several times at the top: the last word counts */
    for (int k = m->nclasses - 1; !text && k >= 0 && m->classes[i].parent < 0; --k)
      if (m->classes[k].parent < 0) text = class_text(&m->classes[k], item->kind, name);
  }
  return text;
}

bool ag_mjcf_numbers(const ag_mjcf_item *item, const char *name, int least, int most, double *out,
                     int *count) {
  const ag_mjcf *m = item->m;
  const ag_element *e = item->element;
  const char *text = ag_mjcf_attribute(item, name);
  ag_decimal numbers[MOST_NUMBERS];
  *count = 0;
  if (!text) return true;
  const ag_no_number no = ag_decimals_read(text, most, numbers, count);
  const int shown = no.length < 60 ? no.length : 60;
  if (no.length > 0)
    return ag_fail(m->err, e->path, e->line, "write a plain decimal number such as 0.5 or 1e-3",
                   "%s: %s: \"%.*s\" is not a number", item->whose, name, shown, no.text);
  for (int i = 0; i < *count && i < most; ++i) out[i] = numbers[i].value;
  if (*count >= least && *count <= most) return true;
  return ag_fail(m->err, e->path, e->line, "see MuJoCo's XML reference",
                 least == most ? "%s: %s needs %d numbers, not %d"
                               : "%s: %s needs %d numbers or more, not %d",
                 item->whose, name, least, *count);
}

bool ag_mjcf_number(const ag_mjcf_item *item, const char *name, double *out) {
  int count;
  return ag_mjcf_numbers(item, name, 1, 1, out, &count);
}

bool ag_mjcf_choice(const ag_mjcf_item *item, const char *name, int *out) {
  static const char *const WORDS[] = {"false", "true", "auto"};
  const char *text = ag_mjcf_attribute(item, name);
  if (!text) return true;
  for (int i = 0; i < 3; ++i)
    if (strcmp(text, WORDS[i]) == 0) {
      *out = i;
      return true;
    }
  return ag_fail(item->m->err, item->element->path, item->element->line,
                 "write \"true\" or \"false\"", "%s: %s is \"%s\"", item->whose, name, text);
}

/* --- settings --------------------------------------------------------------------------------- */

static bool fail_compiler(const ag_mjcf *m, const ag_element *e, const char *name,
                          const char *remedy) {
  return ag_fail(m->err, e->path, e->line, remedy, "<compiler>: %s=\"%s\" is not read", name,
                 ag_element_text(e, name));
}

static bool read_euler(const ag_mjcf *m, const ag_element *e, ag_mjcf_settings *s) {
  const char *axes = ag_element_text(e, "eulerseq");
  if (!axes) return true;
  if (strlen(axes) != 3 || strspn(axes, "xyzXYZ") != 3)
    return fail_compiler(m, e, "eulerseq", "write three of x, y, z, X, Y and Z");
  memcpy(s->euler, axes, 4);
  return true;
}

static bool read_compiler(const ag_mjcf *m, const ag_element *e, ag_mjcf_settings *s) {
  const ag_mjcf_item item = {m, e, "", -1, "<compiler>"};
  int autolimits = s->autolimits, balance = s->balance_inertia, strip = s->strip_path,
      geoms = s->from_geoms, n;
  double groups[2] = {s->least_group, s->most_group};
  const char *angle = ag_element_text(e, "angle"), *coordinate = ag_element_text(e, "coordinate");
  if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
    return fail_compiler(m, e, "angle", "write \"degree\" or \"radian\"");
  if (angle) s->degrees = strcmp(angle, "degree") == 0;
  if (coordinate && strcmp(coordinate, "local") != 0)
    return fail_compiler(m, e, "coordinate", "let MuJoCo save the model: it writes local ones");
  if (!read_euler(m, e, s) || !ag_mjcf_choice(&item, "autolimits", &autolimits) ||
      !ag_mjcf_choice(&item, "balanceinertia", &balance) ||
      !ag_mjcf_choice(&item, "strippath", &strip) ||
      !ag_mjcf_choice(&item, "inertiafromgeom", &geoms) ||
      !ag_mjcf_number(&item, "boundmass", &s->least_mass) ||
      !ag_mjcf_number(&item, "boundinertia", &s->least_moment) ||
      !ag_mjcf_number(&item, "settotalmass", &s->total_mass) ||
      !ag_mjcf_numbers(&item, "inertiagrouprange", 2, 2, groups, &n))
    return false;
  const char *folder = ag_element_text(e, "meshdir");
  if (!folder) folder = ag_element_text(e, "assetdir");
  if (folder) s->mesh_folder = folder;
  s->autolimits = autolimits, s->balance_inertia = balance, s->strip_path = strip;
  s->from_geoms = (ag_from_geoms)geoms;
  s->least_group = groups[0], s->most_group = groups[1];
  return true;
}

bool ag_mjcf_settings_read(ag_mjcf *m) {
  m->settings = (ag_mjcf_settings){.degrees = true,
                                   .autolimits = true,
                                   .euler = "xyz",
                                   .from_geoms = AG_WHERE_MISSING,
                                   .most_group = 5};
  for (const ag_element *e = m->root->children; e; e = e->next) {
    if (ag_element_is(e, "default") && !read_class(m, e, -1)) return false;
    if (ag_element_is(e, "compiler") && !read_compiler(m, e, &m->settings)) return false;
  }
  if (m->nclasses > 0) return true;
  m->classes = ag_room(m->arena, m->classes, 0, sizeof *m->classes);
  ag_element *none = ag_alloc(m->arena, sizeof *none);
  *none = (ag_element){.name = "default", .local = "default", .path = m->root->path};
  m->classes[m->nclasses++] = (ag_mjcf_class){"main", -1, none};
  return true;
}
