/* SPDX-License-Identifier: MIT */
/* mjcf_robot.c: see mjcf_robot.h. What is read of MuJoCo's XML, what is left out and reported, and what
 * is refused. */
#include "model/mjcf_robot.h"

#include "model/mjcf_actuators.h"
#include "model/mjcf_bodies.h"
#include "model/mjcf_equalities.h"
#include "model/mjcf_inertia.h"
#include "model/mjcf_losses.h"
#include "model/mjcf_reader.h"
#include "model/mjcf_words.h"

#include <string.h>

enum {
  LONGEST_NAME = 255,
  MOST_INCLUDES = 1000,
  FREE = 7, /* numbers of a free joint's position */
  BALL = 4  /* and of a ball's */
};

/* --- included files --------------------------------------------------------------------------- */

/* Fails on an <include> that cannot be followed; the root of its file, if it can. */
static ag_element *read_include(ag_mjcf *m, const ag_element *include) {
  const char *name = ag_element_text(include, "file"), *what = NULL;
  const char *slash = strrchr(m->doc->path, '/');
  const int length = slash && name && name[0] != '/' ? (int)(slash + 1 - m->doc->path) : 0;
  const char *path = ag_printf(m->arena, "%.*s%s", length, m->doc->path, name ? name : "");
  if (!name) what = "an <include> names no file";
  for (int i = 0; i < m->doc->nothers; ++i)
    if (strcmp(m->doc->others[i], path) == 0)
      what = ag_printf(m->arena, "the file \"%s\" is included twice", path);
  if (m->doc->nothers == MOST_INCLUDES)
    what = ag_printf(m->arena, "more than %d files are included", MOST_INCLUDES);
  if (!what) return ag_document_include(m->doc, include, path, &ag_language_mjcf, m->arena, m->err);
  ag_fail(m->err, include->path, include->line,
          "write <include file=\"...\"/>, once, of a file beside the model's", "%s", what);
  return NULL;
}

/* Puts the elements of an included file in the place of its <include>, in all of what is below.
 * depth: how many elements the parent's children stand in. */
static bool expand(ag_mjcf *m, ag_element *parent, int depth) {
  ag_element **at = &parent->children;
  parent->last = NULL;
  if (depth > ag_language_mjcf.deepest)
    return ag_fail(m->err, parent->path, parent->line,
                   "take the part of the robot that you control",
                   "elements are nested more than %d deep, with those of files that include this",
                   ag_language_mjcf.deepest);
  while (*at) {
    ag_element *e = *at;
    if (ag_element_is(e, "include")) {
      ag_element *root = read_include(m, e), *rest = e->next;
      if (!root) return false;
      root->parent = e; /* its lines are those of the <include> for who knows one file only */
      *at = root->children;
      for (ag_element **end = at;; end = &(*end)->next) {
        if (*end) continue;
        *end = rest;
        break;
      }
      continue; /* it may include others */
    }
    if (!expand(m, e, depth + 1)) return false;
    parent->last = e;
    at = &e->next;
  }
  return true;
}

/* --- what is no part of the model --------------------------------------------------------------- */

/* Whether a tendon makes torques or has inertia, which changes how the robot moves. */
static bool check_tendon(ag_mjcf *m, const ag_element *e) {
  static const char *const words[] = {"stiffness", "damping", "frictionloss", "armature"};
  const char *name = ag_element_text(e, "name");
  ag_mjcf_item item = {m, e, "tendon", 0, "<tendon>"};
  if (!ag_mjcf_class_of(m, e, "class", 0, &item.class_)) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    double values[4] = {0};
    int n;
    if (!ag_mjcf_numbers(&item, words[i], 1, 4, values, &n)) return false;
    if (values[0] == 0) continue;
    return ag_fail(m->err, e->path, e->line, "take the tendon out, or its numbers",
                   "tendon \"%s\" has %s %g, which is not read: the robot would move differently",
                   name ? name : "", words[i], values[0]);
  }
  return ag_mjcf_tell_tendon(m, &item, name ? name : "");
}

/* A posture: the positions of all joints, in the order of the file; a free joint has seven numbers, which
 * are not kept. */
static bool read_key(ag_mjcf *m, const ag_element *e) {
  ag_urdf *doc = m->doc;
  const char *name = ag_element_text(e, "name"), *text = ag_element_text(e, "qpos");
  ag_urdf_posture p = {.line = ag_document_line(doc, e)};
  ag_decimal *numbers = ag_alloc(m->arena, (size_t)(BALL * doc->njoints + FREE) * sizeof *numbers);
  int count = 0, at = 0;
  if (!text) {
    AG_MJCF_LOSS(m, e, "<key> without qpos: not in the model");
    return true;
  }
  p.name = name ? name : ag_printf(m->arena, "key_%d", doc->npostures);
  const ag_no_number no = ag_decimals_read(text, BALL * doc->njoints + FREE, numbers, &count);
  p.joints = ag_alloc(m->arena, (size_t)(doc->njoints + 1) * sizeof *p.joints);
  p.q = ag_alloc(m->arena, (size_t)(doc->njoints + 1) * sizeof *p.q);
  for (int j = 0; j < doc->njoints; ++j) {
    const ag_urdf_joint *joint = &doc->joints[j];
    if (joint->type == AG_FLOATING) at += FREE;
    if (joint->type == AG_BALL) at += BALL;
    if (joint->type == AG_FIXED || joint->type == AG_FLOATING || joint->type == AG_BALL) continue;
    p.joints[p.count] = joint->name;
    p.q[p.count++] = at < count ? numbers[at].value : 0;
    at++;
  }
  if (no.length > 0)
    return ag_fail(m->err, e->path, e->line, "write a plain decimal number such as 0.5 or 1e-3",
                   "posture \"%s\": qpos: \"%.*s\" is not a number", p.name,
                   no.length < 60 ? no.length : 60, no.text);
  for (int i = 0; i < doc->npostures; ++i)
    if (strcmp(doc->postures[i].name, p.name) == 0)
      return ag_fail(m->err, e->path, e->line, "give it another name",
                     "two postures are called \"%s\"", p.name);
  if (at != count)
    return ag_fail(m->err, e->path, e->line,
                   "write a number for each joint, seven for a free one, and four for a ball",
                   "posture \"%s\": qpos has %d numbers, and the joints have %d", p.name, count,
                   at);
  doc->postures = ag_room(m->arena, doc->postures, doc->npostures, sizeof *doc->postures);
  doc->postures[doc->npostures++] = p;
  if (ag_element_text(e, "qvel") || ag_element_text(e, "ctrl") || ag_element_text(e, "act"))
    AG_MJCF_LOSS(m, e, "posture \"%s\": of <key>, qpos alone is in the model", p.name);
  return true;
}

/* Refuses what would make the robot move differently, and tells of what is left out. */
static bool check_section(ag_mjcf *m, const ag_element *section) {
  for (const ag_element *e = section->children; e; e = e->next)
    if (ag_element_is(section, "deformable") && !ag_element_is(e, "skin"))
      return ag_fail(m->err, e->path, e->line, "take it out",
                     "<%s> of <deformable> is not read: a robot is rigid links and joints",
                     e->local);
  for (const ag_element *e = section->children; e; e = e->next) {
    if (ag_element_is(section, "tendon") && !check_tendon(m, e)) return false;
    if (ag_element_is(section, "keyframe") && !read_key(m, e)) return false;
  }
  return ag_mjcf_tell_section(m, section);
}

/* --- the model -------------------------------------------------------------------------------- */

bool ag_mjcf_of(ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err) {
  ag_mjcf m = {.doc = doc, .arena = arena, .err = err, .root = root};
  const char *name = ag_element_text(root, "model");
  if (name && strlen(name) > LONGEST_NAME)
    return ag_fail(err, doc->path, root->line, "give it a shorter one",
                   "the model has a name of more than %d bytes", LONGEST_NAME);
  if (!name || !*name) name = ag_urdf_name_of_file(doc->path, LONGEST_NAME, arena);
  doc->robot = name ? name : "robot";
  doc->robot_line = root->line;
  if (!expand(&m, root, 1) || !ag_mjcf_settings_read(&m) || !ag_mjcf_bodies(&m)) return false;
  ag_mjcf_scale_masses(&m);
  if (!ag_mjcf_actuators(&m)) return false;
  for (const ag_element *e = root->children; e; e = e->next)
    if (!check_section(&m, e)) return false;
  ag_mjcf_tell_words(&m);
  return ag_mjcf_equalities(&m); /* which may fix joints that postures have */
}
