/* SPDX-License-Identifier: MIT */
/* mjcf_bodies.c: see mjcf_bodies.h
 *
 * MuJoCo's body has any number of joints, each about its own anchor, one after the other in the
 * body's frame. Here each joint carries a link: with the pose B of the body in its parent's frame,
 * anchors a_k and motions Q_k,
 *   B  T(a_1) Q_1  T(a_2 - a_1) Q_2  ..  T(-a_n),
 * where the last is a fixed joint, which is left out where a_n is 0: then the last link is the body
 * itself. All but the last have no mass. */
#include "model/mjcf_bodies.h"

#include "model/compose.h"
#include "model/mjcf_frames.h"
#include "model/mjcf_inertia.h"
#include "model/mjcf_joints.h"
#include "model/mjcf_losses.h"

#include <string.h>

enum {
  MOST_JOINTS = 6, /* of a body, as MuJoCo has it */
  MOST_LINKS = 10000
};

/* Where what stands in a body, or in a <frame> of it, belongs. */
typedef struct place {
  const char *link;
  ag_pose pose;  /* in the link's frame */
  ag_pose world; /* the link's frame in the world, as the file shows the robot */
  int childclass;
  bool floats; /* the world of a floating base: what stands still in it is none of the robot's */
} place;

static void add_fixed(ag_mjcf *m, const char *name, const char *parent, const ag_pose *pose,
                      int line) {
  const ag_urdf_pose at = ag_document_pose(pose, line, m->arena);
  ag_document_fix(m->doc, parent, name, &at, m->arena);
  ag_document_link(m->doc, name, line, m->arena);
}

/* Whether there is no room for one more: fails then. */
static bool is_full(const ag_mjcf *m, const ag_element *e) {
  return m->doc->nlinks > MOST_LINKS &&
         !ag_fail(m->err, e->path, e->line, "take the part of the robot that you control",
                  "the robot has more than %d bodies and sites", MOST_LINKS);
}

/* What equalities may name. */
static void note_place(ag_mjcf *m, const char *name, const char *link, bool site,
                       const ag_pose *world) {
  m->places = ag_room(m->arena, m->places, m->nplaces, sizeof *m->places);
  m->places[m->nplaces++] = (ag_mjcf_place){name, link, site, *world};
}

/* What stands in a body that is none of the robot's: equalities may name it. */
static void note_strangers(ag_mjcf *m, const ag_element *element) {
  const char *name = ag_element_text(element, "name");
  const bool site = ag_element_is(element, "site");
  if (ag_element_is(element, "body")) m->nbodies++;
  if (name && (site || ag_element_is(element, "body")))
    note_place(m, name, NULL, site, &ag_pose_identity);
  for (const ag_element *e = element->children; e; e = e->next) note_strangers(m, e);
}

/* --- one body --------------------------------------------------------------------------------- */

/* The joints of a body, in the order of the file. */
static bool read_joints(ag_mjcf *m, const ag_element *body, int class_, ag_mjcf_joint *joints,
                        int *count) {
  *count = 0;
  for (const ag_element *e = body->children; e; e = e->next) {
    if (!ag_element_is(e, "joint") && !ag_element_is(e, "freejoint")) continue;
    if (*count == MOST_JOINTS)
      return ag_fail(m->err, e->path, e->line, "put a body in between",
                     "a body has more than %d joints", MOST_JOINTS);
    if (!ag_mjcf_joint_read(m, e, class_, &joints[(*count)++])) return false;
    if (joints[*count - 1].joint.type == AG_FLOATING && *count > 1)
      return ag_fail(m->err, e->path, e->line, "a free joint stands alone",
                     "a body has a free joint and others");
  }
  for (int k = 0; k < *count - 1; ++k)
    if (joints[k].joint.type == AG_BALL && joints[k + 1].joint.type != AG_PRISMATIC)
      return ag_fail(m->err, body->path, joints[k + 1].joint.line, "put it into a body of its own",
                     "joint \"%s\" turns behind the ball joint \"%s\" of one body",
                     joints[k + 1].joint.name, joints[k].joint.name);
  if (*count > 1 && joints[0].joint.type == AG_FLOATING)
    return ag_fail(m->err, body->path, body->line, "a free joint stands alone",
                   "a body has a free joint and others");
  return true;
}

static bool is_zero(const double v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* The links and joints of a body; the last one is the body. */
static void chain_up(ag_mjcf *m, const char *name, const place *at, ag_mjcf_joint *joints,
                     int count) {
  const char *parent = at->link;
  ag_pose origin = at->pose;
  for (int k = 0; k < count; ++k) {
    ag_urdf_joint *joint = &joints[k].joint;
    ag_pose step = ag_pose_identity;
    const bool body = k == count - 1 && is_zero(joints[k].anchor);
    for (int i = 0; i < 3; ++i)
      step.p[i] = joints[k].anchor[i] - (k > 0 ? joints[k - 1].anchor[i] : 0);
    origin = ag_pose_mul(&origin, &step);
    origin = ag_pose_mul(&origin, &joints[k].motion);
    if (joint->type == AG_FLOATING) origin = ag_pose_identity; /* its position is the body's */
    joint->origin = ag_document_pose(&origin, joint->line, m->arena);
    joint->parent = parent;
    joint->child = body ? name : ag_printf(m->arena, "%s__%s", name, joint->name);
    ag_document_joint(m->doc, joint, m->arena);
    ag_document_link(m->doc, joint->child, joint->line, m->arena);
    parent = joint->child;
    origin = ag_pose_identity;
  }
  if (count > 0 && is_zero(joints[count - 1].anchor)) return;
  const int line = count > 0 ? joints[0].joint.line : 0;
  for (int i = 0; count > 0 && i < 3; ++i) origin.p[i] = -joints[count - 1].anchor[i];
  add_fixed(m, name, parent, &origin, line);
}

static bool read_inside(ag_mjcf *m, const ag_element *element, const place *at);

static bool read_body(ag_mjcf *m, const ag_element *body, const place *at) {
  const ag_mjcf_item item = {m, body, "", -1, "<body>"};
  const int index = m->nbodies;
  const char *name = ag_element_text(body, "name"), *mocap = ag_element_text(body, "mocap");
  place own = *at;
  ag_pose pose;
  ag_mjcf_joint joints[MOST_JOINTS];
  int count;
  if (mocap && strcmp(mocap, "true") == 0) {
    AG_MJCF_LOSS(m, body, "a mocap body is moved from outside: not in the model");
    note_strangers(m, body);
    return true;
  }
  m->nbodies++;
  if (!name) name = ag_printf(m->arena, "body_%d", index);
  if (is_full(m, body)) return false;
  if (ag_document_has_link(m->doc, name))
    return ag_fail(m->err, body->path, body->line, "give it another name",
                   "two bodies or sites are called \"%s\"", name);
  if (!ag_mjcf_class_of(m, body, "childclass", at->childclass, &own.childclass) ||
      !ag_mjcf_pose(m, &item, &pose) || !read_joints(m, body, own.childclass, joints, &count))
    return false;
  const bool floats = count > 0 && joints[0].joint.type == AG_FLOATING;
  if (floats && strcmp(at->link, "world") != 0)
    return ag_fail(m->err, body->path, body->line, "only a body of <worldbody> floats",
                   "body \"%s\" has a free joint within another body", name);
  place here = {at->link, ag_pose_mul(&at->pose, &pose), at->world, own.childclass, false};
  const ag_pose world = ag_pose_mul(&at->world, &here.pose);
  note_place(m, name, name, false, &world);
  chain_up(m, name, &here, joints, count);
  ag_urdf_link *link = &m->doc->links[m->doc->nlinks - 1];
  link->line = ag_document_line(m->doc, body);
  if (!ag_mjcf_inertial(m, body, own.childclass, link) ||
      !ag_mjcf_tell_body(m, body, name, own.childclass))
    return false;
  here = (place){name, ag_pose_identity, world, own.childclass, false};
  return read_inside(m, body, &here);
}

/* --- what stands in a body -------------------------------------------------------------------- */

/* A frame of the body, as a link without mass. */
static bool read_site(ag_mjcf *m, const ag_element *site, const place *at) {
  const char *own = ag_element_text(site, "name"), *name = own;
  ag_mjcf_item item = {m, site, "site", at->childclass, "<site>"};
  ag_pose pose;
  if (!name) return true;
  if (is_full(m, site)) return false;
  if (ag_element_text(site, "fromto")) return true; /* a line, not a frame */
  if (!ag_mjcf_class_of(m, site, "class", at->childclass, &item.class_) ||
      !ag_mjcf_pose(m, &item, &pose))
    return false;
  if (ag_document_has_link(m->doc, name)) name = ag_printf(m->arena, "%s__site", name);
  pose = ag_pose_mul(&at->pose, &pose);
  const int line = ag_document_line(m->doc, site);
  add_fixed(m, name, at->link, &pose, line);
  pose = ag_pose_mul(&at->world, &pose);
  note_place(m, own, name, true, &pose);
  return true;
}

static bool read_frame(ag_mjcf *m, const ag_element *frame, const place *at) {
  const ag_mjcf_item item = {m, frame, "", -1, "<frame>"};
  place own = *at;
  ag_pose pose;
  if (!ag_mjcf_class_of(m, frame, "childclass", at->childclass, &own.childclass) ||
      !ag_mjcf_pose(m, &item, &pose))
    return false;
  for (const ag_element *e = frame->children; e; e = e->next)
    if (ag_element_is(e, "joint") || ag_element_is(e, "freejoint") || ag_element_is(e, "inertial"))
      return ag_fail(m->err, e->path, e->line, "put it into the body",
                     "<%s> within <frame> is not read", e->local);
  own.pose = ag_pose_mul(&at->pose, &pose);
  return read_inside(m, frame, &own);
}

static bool has_joints(const ag_element *body) {
  for (const ag_element *e = body->children; e; e = e->next)
    if (ag_element_is(e, "joint") || ag_element_is(e, "freejoint") ||
        ((ag_element_is(e, "body") || ag_element_is(e, "frame")) && has_joints(e)))
      return true;
  return false;
}

static bool fail_unread(const ag_mjcf *m, const ag_element *e) {
  return ag_fail(m->err, e->path, e->line,
                 "let MuJoCo expand it (mj_saveLastXML writes a plain model), and read that",
                 "<%s> is not read", e->local);
}

/* Bodies, sites and frames; the joints, the inertial and the geoms have been read. */
static bool read_inside(ag_mjcf *m, const ag_element *element, const place *at) {
  static const char *const unread[] = {"attach", "replicate", "composite", "flexcomp"};
  for (const ag_element *e = element->children; e; e = e->next) {
    for (size_t i = 0; i < sizeof unread / sizeof *unread; ++i)
      if (ag_element_is(e, unread[i])) return fail_unread(m, e);
    if (at->floats && ag_element_is(e, "body") && !has_joints(e)) {
      AG_MJCF_LOSS(m, e, "a body that stands still in the world: not part of a floating robot");
      note_strangers(m, e);
      if (!ag_mjcf_leave_out(m, e, at->childclass)) return false;
      continue;
    }
    if (at->floats && ag_element_is(e, "site")) {
      note_strangers(m, e);
      continue;
    }
    if ((ag_element_is(e, "body") && !read_body(m, e, at)) ||
        (ag_element_is(e, "site") && !read_site(m, e, at)) ||
        (ag_element_is(e, "frame") && !read_frame(m, e, at)))
      return false;
  }
  return true;
}

/* --- the world -------------------------------------------------------------------------------- */

/* The bodies at the top that move, and the one that floats; below <frame>, too. */
static void count_tops(const ag_element *element, int *nmoving, const ag_element **first,
                       const ag_element **floating) {
  for (const ag_element *e = element->children; e; e = e->next) {
    if (ag_element_is(e, "frame")) count_tops(e, nmoving, first, floating);
    if (!ag_element_is(e, "body") || !has_joints(e)) continue;
    if ((*nmoving)++ == 0) *first = e;
    for (const ag_element *j = e->children; j && !*floating; j = j->next) {
      const char *type = ag_element_text(j, "type");
      if (ag_element_is(j, "freejoint") ||
          (ag_element_is(j, "joint") && type && strcmp(type, "free") == 0))
        *floating = e;
    }
  }
}

/* The world has neither joints nor a mass. */
static bool check_world(const ag_mjcf *m, const ag_element *world) {
  for (const ag_element *e = world->children; e; e = e->next)
    if (ag_element_is(e, "joint") || ag_element_is(e, "freejoint") || ag_element_is(e, "inertial"))
      return ag_fail(m->err, e->path, e->line, "put it into a <body>",
                     "<%s> of <worldbody>: the world stands still", e->local);
  return true;
}

bool ag_mjcf_bodies(ag_mjcf *m) {
  int nmoving = 0;
  const ag_element *first = NULL, *floating = NULL;
  for (const ag_element *e = m->root->children; e; e = e->next)
    if (ag_element_is(e, "worldbody")) count_tops(e, &nmoving, &first, &floating);
  if (floating && nmoving > 1)
    return ag_fail(m->err, floating->path, floating->line,
                   "keep the robot in the file, and take the other bodies out",
                   "%d bodies of the world move, and this one floats: which one is the robot?",
                   nmoving);
  ag_document_link(m->doc, "world", m->root->line, m->arena);
  m->nbodies = 1;
  const place world = {"world", ag_pose_identity, ag_pose_identity, 0, floating != NULL};
  note_place(m, "world", floating ? NULL : "world", false, &ag_pose_identity);
  for (const ag_element *e = m->root->children; e; e = e->next)
    if (ag_element_is(e, "worldbody") &&
        (!check_world(m, e) || !ag_mjcf_tell_body(m, e, NULL, 0) || !read_inside(m, e, &world)))
      return false;
  return true;
}
