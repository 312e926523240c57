/* SPDX-License-Identifier: MIT */
/* mjcf_equalities.c: see mjcf_equalities.h
 *
 * <connect> holds a point of one body at a point of another, <weld> a frame at a frame; <joint> has
 *   q_1 - r_1 = c_0 + c_1 (q_2 - r_2) + c_2 (q_2 - r_2)^2 + ..,
 * r_1 and r_2 the positions in which the file shows the robot (`ref`). How MuJoCo softens them
 * (solref, solimp) is its solver's own. */
#include "model/mjcf_equalities.h"

#include "model/mjcf_frames.h"

#include <math.h>
#include <string.h>

enum { COEFFICIENTS = 5 };
#define ROUNDING 1e-12 /* of a point of the other body [m] */

static const char *text_of(const ag_mjcf *m, const ag_element *e) {
  static const char *const words[][2] = {
      {"body1", "body2"}, {"joint1", "joint2"}, {"site1", "site2"}, {"tendon1", "tendon2"}};
  const char *a = NULL, *b = NULL;
  for (size_t i = 0; !a && i < sizeof words / sizeof *words; ++i)
    a = ag_element_text(e, words[i][0]), b = ag_element_text(e, words[i][1]);
  return ag_printf(m->arena, "<%s> of %s%s%s", e->local, a ? a : "nothing", b ? " and " : "",
                   b ? b : "");
}

/* --- two frames ------------------------------------------------------------------------------- */

/* A frame that a tie ends at: of which link, and where in it. */
typedef struct end {
  const ag_mjcf_place *place;
  ag_pose pose;
} end;

/* The body or site that an attribute names; the world, where it is missing. NULL: there is none, an error. */
static const ag_mjcf_place *find_place(const ag_mjcf *m, const ag_element *e, const char *word,
                                       bool site) {
  const char *name = ag_element_text(e, word);
  for (int i = m->nplaces - 1; i >= 0; --i)
    if (m->places[i].site == site && strcmp(m->places[i].name, name ? name : "world") == 0)
      return &m->places[i];
  ag_fail(m->err, e->path, e->line, "name one that the file has", "%s: there is no %s \"%s\"",
          text_of(m, e), site ? "site" : "body", name ? name : "");
  return NULL;
}

/* The link of an end: the body's own, or a massless one that is fixed to it. */
static const char *link_of(ag_mjcf *m, const end *at, const char *name, int line) {
  ag_urdf *doc = m->doc;
  bool same = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      same = same && at->pose.p[i] == 0 && at->pose.R[i][j] == (i == j ? 1 : 0);
  if (same) return at->place->link;
  while (ag_document_has_link(doc, name)) name = ag_printf(m->arena, "%s_", name);
  const ag_urdf_pose pose = ag_document_pose(&at->pose, line, m->arena);
  ag_document_fix(doc, at->place->link, name, &pose, m->arena);
  ag_document_link(doc, name, line, m->arena)->is_tie_end = true;
  return name;
}

static bool add_tie(ag_mjcf *m, const ag_element *e, const end ends[2]) {
  ag_urdf *doc = m->doc;
  const int line = ag_document_line(doc, e);
  const char *name = ag_element_text(e, "name");
  for (int i = 0; i < 2; ++i) {
    if (ends[i].place->link) continue;
    AG_MJCF_LOSS(m, e,
                 "equality %s: not in the model: it holds the robot to something that is none of "
                 "it; a layout says it as a group of kind \"physical\"",
                 text_of(m, e));
    return true;
  }
  if (!name) name = ag_printf(m->arena, "%s_%d", e->local, doc->nties + 1);
  const char *frame = link_of(m, &ends[0], ag_printf(m->arena, "%s__frame", name), line);
  const char *to = link_of(m, &ends[1], ag_printf(m->arena, "%s__to", name), line);
  doc->ties = ag_room(m->arena, doc->ties, doc->nties, sizeof *doc->ties);
  doc->ties[doc->nties++] = (ag_urdf_tie){name, frame, to, line, ag_element_is(e, "connect")};
  return true;
}

/* The pose of the second body in the first, as the file shows the robot. */
static ag_pose between(const end ends[2]) {
  return ag_pose_between(&ends[0].place->pose, &ends[1].place->pose);
}

/* The anchor is a point of the first body; that of the second is where the file shows it. */
static bool read_connect(const ag_mjcf *m, const ag_mjcf_item *item, end ends[2]) {
  int n;
  if (!ag_mjcf_numbers(item, "anchor", 3, 3, ends[0].pose.p, &n)) return false;
  if (n == 0)
    return ag_fail(m->err, item->element->path, item->element->line, "write anchor=\"x y z\"",
                   "%s has no anchor", item->whose);
  const ag_pose second = between(ends);
  const ag_pose at = ag_pose_between(&second, &ends[0].pose);
  for (int i = 0; i < 3; ++i) ends[1].pose.p[i] = fabs(at.p[i]) < ROUNDING ? 0 : at.p[i];
  return true;
}

/* relpose: the pose of the second body in the first, unless its quaternion is 0; anchor: the point of
 * the second body that is held, which with a relpose stands at its position in the first. */
static bool read_weld(const ag_mjcf_item *item, end ends[2]) {
  double relative[7] = {0};
  int n;
  if (!ag_mjcf_numbers(item, "anchor", 3, 3, ends[1].pose.p, &n) ||
      !ag_mjcf_numbers(item, "relpose", 7, 7, relative, &n))
    return false;
  if (relative[3] == 0 && relative[4] == 0 && relative[5] == 0 && relative[6] == 0) {
    const ag_pose second = between(ends);
    ends[0].pose = ag_pose_mul(&second, &ends[1].pose);
    return true;
  }
  memcpy(ends[0].pose.p, relative, sizeof ends[0].pose.p);
  ag_rotation_of_quaternion(relative + 3, ends[0].pose.R);
  return true;
}

static bool read_tie(ag_mjcf *m, const ag_mjcf_item *item) {
  const ag_element *e = item->element;
  end ends[2] = {{NULL, ag_pose_identity}, {NULL, ag_pose_identity}};
  const bool sites = ag_element_text(e, "site1") != NULL;
  ends[0].place = find_place(m, e, sites ? "site1" : "body1", sites);
  if (!ends[0].place) return false;
  ends[1].place = find_place(m, e, sites ? "site2" : "body2", sites);
  if (!ends[1].place) return false;
  if (!sites && ag_element_is(e, "connect") && !read_connect(m, item, ends)) return false;
  if (!sites && ag_element_is(e, "weld") && !read_weld(item, ends)) return false;
  return add_tie(m, e, ends);
}

/* --- two joints ------------------------------------------------------------------------------- */

/* NULL: there is none that an equality can hold, an error. */
static ag_urdf_joint *find_joint(const ag_mjcf *m, const ag_element *e, const char *name) {
  for (int i = 0; name && i < m->doc->njoints; ++i) {
    ag_urdf_joint *joint = &m->doc->joints[i];
    if (strcmp(joint->name, name) == 0 && joint->type != AG_FLOATING && joint->type != AG_FIXED &&
        joint->type != AG_BALL)
      return joint;
  }
  ag_fail(m->err, e->path, e->line, "name a hinge or a slide that the file has",
          "%s: there is no joint \"%s\" that it can hold", text_of(m, e), name ? name : "");
  return NULL;
}

/* The joint that a joint follows at last. */
static const ag_urdf_joint *leader_of(const ag_mjcf *m, const ag_urdf_joint *joint) {
  for (int i = 0; joint->mimic_line && i < m->doc->njoints; ++i)
    if (strcmp(m->doc->joints[i].name, joint->mimic) == 0) joint = &m->doc->joints[i], i = -1;
  return joint;
}

static void follow(ag_urdf_joint *joint, const ag_urdf_joint *leader, double multiplier,
                   double offset, int line) {
  joint->mimic_line = line, joint->mimic = leader->name;
  joint->multiplier = multiplier, joint->offset = offset;
}

/* A joint without a partner stands still, where the equality holds it. */
static bool fix(ag_mjcf *m, const ag_element *e, ag_urdf_joint *joint, double position) {
  ag_urdf *doc = m->doc;
  bool coupled = joint->mimic_line != 0;
  for (int i = 0; i < doc->njoints; ++i)
    coupled = coupled || (doc->joints[i].mimic && strcmp(doc->joints[i].mimic, joint->name) == 0);
  if (coupled)
    return ag_fail(m->err, e->path, e->line, "give the other joint this position, too",
                   "%s: joint \"%s\" is coupled to another joint", text_of(m, e), joint->name);
  const ag_pose motion = ag_pose_of_motion(joint->type, joint->axis, position, doc->snap);
  ag_pose origin = ag_pose_of_document(&joint->origin);
  origin = ag_pose_mul(&origin, &motion);
  joint->origin = ag_document_pose(&origin, joint->line, m->arena);
  joint->type = AG_FIXED;
  ag_note_add(&doc->warnings, &doc->nwarnings, m->arena, ag_document_line(doc, e),
              "joint \"%s\" is held at %g: taken as fixed there", joint->name, position);
  return true;
}

static bool read_coupling(ag_mjcf *m, const ag_mjcf_item *item) {
  const ag_element *e = item->element;
  const char *second = ag_element_text(e, "joint2");
  double c[COEFFICIENTS] = {0, 1};
  int n;
  ag_urdf_joint *a = find_joint(m, e, ag_element_text(e, "joint1"));
  if (!a) return false;
  ag_urdf_joint *b = second ? find_joint(m, e, second) : NULL;
  if ((second && !b) || !ag_mjcf_numbers(item, "polycoef", 1, COEFFICIENTS, c, &n)) return false;
  for (int i = 2; b && i < COEFFICIENTS; ++i)
    if (c[i] != 0)
      return ag_fail(m->err, e->path, e->line,
                     "write a line, polycoef=\"c0 c1 0 0 0\", or take the equality out",
                     "%s has the coefficient %g of (q - ref)^%d: only lines are read", item->whose,
                     c[i], i);
  if (!b || c[1] == 0) return fix(m, e, a, a->reference + c[0]);
  const int line = ag_document_line(m->doc, e);
  const double offset = a->reference + c[0] - c[1] * b->reference;
  if (leader_of(m, a) == leader_of(m, b))
    return ag_fail(m->err, e->path, e->line, "leave one of the equalities out",
                   "%s: one of these joints follows the other already", item->whose);
  if (!a->mimic_line)
    follow(a, b, c[1], offset, line);
  else if (!b->mimic_line)
    follow(b, a, 1 / c[1], -offset / c[1], line);
  else
    return ag_fail(m->err, e->path, e->line, "couple the joints that these two follow",
                   "%s: both joints follow others already", item->whose);
  return true;
}

/* --- all of them ------------------------------------------------------------------------------ */

static bool read_equality(ag_mjcf *m, const ag_element *e) {
  ag_mjcf_item item = {m, e, "equality", 0, text_of(m, e)};
  int active = 1;
  if (!ag_mjcf_class_of(m, e, "class", 0, &item.class_) ||
      !ag_mjcf_choice(&item, "active", &active))
    return false;
  if (!active) {
    AG_MJCF_LOSS(m, e, "equality %s: it is not active: not in the model", item.whose);
    return true;
  }
  if (ag_element_is(e, "joint")) return read_coupling(m, &item);
  if (ag_element_is(e, "connect") || ag_element_is(e, "weld")) return read_tie(m, &item);
  return ag_fail(m->err, e->path, e->line, "take it out, or write active=\"false\"",
                 "equality %s is not read, and the robot would move differently", item.whose);
}

bool ag_mjcf_equalities(ag_mjcf *m) {
  for (const ag_element *section = m->root->children; section; section = section->next)
    if (ag_element_is(section, "equality"))
      for (const ag_element *e = section->children; e; e = e->next)
        if (!read_equality(m, e)) return false;
  return true;
}
