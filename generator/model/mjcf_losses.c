/* SPDX-License-Identifier: MIT */
/* mjcf_losses.c: see mjcf_losses.h */
#include "model/mjcf_losses.h"

#include "model/mjcf_joints.h"

#include <math.h>
#include <string.h>

/* How many there are of a kind, and the first of them. */
typedef struct tally {
  int count;
  const ag_element *first;
} tally;

/* What a body has, in its <frame>s, too. */
typedef struct body_tally {
  tally geoms, cameras, lights, sites;
  const char *types; /* of the geoms, each once */
} body_tally;

static void add(tally *t, const ag_element *e) {
  if (t->count++ == 0) t->first = e;
}

/* Whether the list "a, b" has the word. */
static bool lists(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || at[-1] == ' ') && (at[length] == ',' || !at[length])) return true;
  return false;
}

static bool count_inside(const ag_mjcf *m, const ag_element *element, int childclass,
                         body_tally *t) {
  for (const ag_element *e = element->children; e; e = e->next) {
    ag_mjcf_item item = {m, e, "geom", childclass, "<geom>"};
    if (ag_element_is(e, "camera")) add(&t->cameras, e);
    if (ag_element_is(e, "light")) add(&t->lights, e);
    if (ag_element_is(e, "site") && (!ag_element_text(e, "name") || ag_element_text(e, "fromto")))
      add(&t->sites, e);
    if (ag_element_is(e, "geom")) {
      if (!ag_mjcf_class_of(m, e, "class", childclass, &item.class_)) return false;
      const char *type = ag_mjcf_attribute(&item, "type");
      if (!type) type = "sphere";
      add(&t->geoms, e);
      if (!lists(t->types, type))
        t->types = ag_printf(m->arena, "%s%s%s", t->types, *t->types ? ", " : "", type);
    }
    if (ag_element_is(e, "frame")) {
      int own;
      if (!ag_mjcf_class_of(m, e, "childclass", childclass, &own) || !count_inside(m, e, own, t))
        return false;
    }
  }
  return true;
}

/* "3 geoms (box, mesh)" */
static const char *counted(const ag_mjcf *m, const tally *t, const char *what) {
  return ag_printf(m->arena, "%d %s%s", t->count, what, t->count == 1 ? "" : "s");
}

/* Where a body's mass comes from, as those read who look for its shapes. */
static const char *mass_of(const ag_mjcf *m, const ag_element *body, const char *name) {
  const bool inertial = ag_element_child(body, "inertial") != NULL;
  if (!name) return "";
  if (m->settings.from_geoms == AG_NEVER || (inertial && m->settings.from_geoms != AG_ALWAYS))
    return "; their masses do not count";
  return "; their masses count";
}

bool ag_mjcf_tell_body(const ag_mjcf *m, const ag_element *body, const char *name, int childclass) {
  const char *whose = name ? ag_printf(m->arena, "body \"%s\"", name) : "the world";
  const ag_mjcf_item item = {m, body, "", -1, whose};
  body_tally t = {.types = ""};
  double gravcomp = 0;
  if (!count_inside(m, body, childclass, &t) || !ag_mjcf_number(&item, "gravcomp", &gravcomp))
    return false;
  if (t.geoms.count)
    AG_MJCF_LOSS(m, t.geoms.first,
                 "%s: %s (%s): shapes are not in the model, contacts and pictures change%s", whose,
                 counted(m, &t.geoms, "geom"), t.types, mass_of(m, body, name));
  if (t.cameras.count)
    AG_MJCF_LOSS(m, t.cameras.first, "%s: %s: not in the model, pictures change", whose,
                 counted(m, &t.cameras, "camera"));
  if (t.lights.count)
    AG_MJCF_LOSS(m, t.lights.first, "%s: %s: not in the model, pictures change", whose,
                 counted(m, &t.lights, "light"));
  if (t.sites.count)
    AG_MJCF_LOSS(m, t.sites.first, "%s: %s without a name, or lines: no frames of the model", whose,
                 counted(m, &t.sites, "site"));
  if (gravcomp != 0)
    AG_MJCF_LOSS(
        m, body,
        "%s: MuJoCo pushes it up by %g of its weight (gravcomp), which is not in the model: "
        "make it a wrench",
        whose, gravcomp);
  return true;
}

bool ag_mjcf_tell_tendon(const ag_mjcf *m, const ag_mjcf_item *tendon, const char *name) {
  static const char *const words[][2] = {{"range", "limited"},
                                         {"actuatorfrcrange", "actuatorfrclimited"}};
  const ag_element *e = tendon->element;
  if (ag_element_is(e, "fixed"))
    AG_MJCF_LOSS(m, e,
                 "tendon \"%s\": not in the model, but for the motors that pull at it, which "
                 "transmissions = \"file\" takes",
                 name);
  else
    AG_MJCF_LOSS(m, e, "tendon \"%s\": not in the model", name);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    double most;
    if (!ag_mjcf_most(m, tendon, words[i][0], words[i][1], &most)) return false;
    if (!isinf(most))
      AG_MJCF_LOSS(m, e, "tendon \"%s\": its limits, %s, are not in the model", name, words[i][0]);
  }
  return true;
}

static bool tell_option(const ag_mjcf *m, const ag_element *e) {
  const ag_mjcf_item item = {m, e, "", -1, "<option>"};
  double density = 0, viscosity = 0;
  if (!ag_mjcf_number(&item, "density", &density) ||
      !ag_mjcf_number(&item, "viscosity", &viscosity))
    return false;
  AG_MJCF_LOSS(m, e, "<option>: gravity is an input, all else is MuJoCo's own");
  if (density != 0 || viscosity != 0)
    AG_MJCF_LOSS(m, e,
                 "<option>: the drag of a medium of density %g and viscosity %g is not in the "
                 "model: bodies move with less resistance",
                 density, viscosity);
  return true;
}

bool ag_mjcf_tell_section(const ag_mjcf *m, const ag_element *section) {
  static const struct {
    const char *name, *what;
  } SECTIONS[] = {
      {"contact", "contacts change: all are the user's"},
      {"sensor", "what a simulator measures"},
      {"visual", "pictures change"},
      {"statistic", "pictures change"},
      {"size", "memory of the simulator"},
      {"custom", "numbers and texts for programs"},
      {"extension", "the forces of plugins are missing"},
      {"deformable", "skins: pictures change"},
      {"asset", "pictures change; of meshes, masses are read where bodies have no <inertial>"}};
  if (ag_element_is(section, "option")) return tell_option(m, section);
  for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; ++i)
    if (ag_element_is(section, SECTIONS[i].name))
      AG_MJCF_LOSS(m, section, "<%s>: not in the model: %s", SECTIONS[i].name, SECTIONS[i].what);
  return true;
}
