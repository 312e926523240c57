/* SPDX-License-Identifier: MIT */
/* reduce.c: see ag_model_reduce in model.h. The whole tree to the moving bodies of a layout. */
#include "model/reduce.h"

#include "base/sincos.h"
#include "model/massless.h"

#include <math.h>

/* Straight-line code of more joints than this is too long for a compiler. */
enum { MOST_BODIES = 1000 };

typedef struct reducer {
  const ag_model *model;
  const ag_selection *selection;
  const char *layout; /* to blame; without a layout, the URDF */
  int layout_line;
  ag_reduced *reduced;
  ag_arena *arena;
  ag_err *err;
  double
      *frozen;   /* of a link: where its joint is locked, itself or by its leader; NaN: it is not */
  bool *below;   /* of a link: root, or beyond it */
  bool *kept;    /* of a link: selected */
  int *body;     /* of a link: which carries it; -1: the base */
  ag_pose *pose; /* of a link: in that body's frame */
} reducer;

#define WARN(r, line, ...)                                                                         \
  ag_note_add(&(r)->reduced->warnings, &(r)->reduced->nwarnings, (r)->arena, line, __VA_ARGS__)

static const char *link_name(const reducer *r, int link) {
  return r->model->links[link].name;
}

/* Whether the joint that carries a link is one that bodies are made of. */
static bool has_motion(const ag_link *link) {
  const ag_joint_type type = link->joint.type;
  return type == AG_REVOLUTE || type == AG_CONTINUOUS || type == AG_PRISMATIC;
}

static bool moves(const reducer *r, int link) {
  return has_motion(&r->model->links[link]) && isnan(r->frozen[link]);
}

/* The base: the child of a planar or floating joint where the root named is its parent. */
static bool find_root(reducer *r) {
  const ag_model *model = r->model;
  const int base = ag_model_base(model);
  const int root = r->selection->root == 0 ? base : r->selection->root;
  const ag_joint *joint = &model->links[root].joint;
  r->reduced->root = root;
  if (root == base && base != 0 && r->selection->base != joint->type)
    return ag_fail(r->err, r->layout, r->layout_line,
                   ag_printf(r->arena, "write base = \"%s\"", ag_joint_type_names[joint->type]),
                   "base is \"%s\", but joint \"%s\" of the URDF (line %d) is %s",
                   ag_joint_type_names[r->selection->base], joint->name, joint->line,
                   ag_joint_type_names[joint->type]);
  return true;
}

/* Where joints are frozen. What a frozen joint leads is frozen with it. */
static bool find_frozen(reducer *r) {
  const ag_model *model = r->model;
  const double *locked = r->selection->locked;
  for (int i = 0; i < model->nlinks; ++i) {
    const ag_link *link = &model->links[i];
    const ag_joint *joint = &link->joint;
    r->frozen[i] = (double)NAN;
    if (!locked || !has_motion(link)) continue;
    double q = locked[i];
    const double leader = joint->mimic < 0 ? (double)NAN : locked[joint->mimic];
    if (!isnan(q) && joint->mimic >= 0 && isnan(leader))
      WARN(r, joint->line, "joint \"%s\" is locked, but \"%s\", which it mimics, is not",
           joint->name, model->links[joint->mimic].joint.name);
    if (isnan(q)) q = joint->multiplier * leader + joint->offset;
    if (isnan(q)) continue;
    if (isinf(q) || fabs(q) > AG_ANGLE_DOUBLE)
      return ag_fail(r->err, r->layout, r->layout_line, "write its position in rad or m",
                     "joint \"%s\" is locked at %g", joint->name, q);
    if (q < joint->limits.lower || q > joint->limits.upper)
      WARN(r, joint->line, "joint \"%s\" is locked at %g %s, outside its limits %g to %g",
           joint->name, q, joint->type == AG_PRISMATIC ? "m" : "rad", joint->limits.lower,
           joint->limits.upper);
    r->frozen[i] = q;
  }
  return true;
}

/* The links on the ways from root to the tips, and what is rigid with them; without tips, all. */
static bool select_links(reducer *r) {
  const ag_model *model = r->model;
  const ag_selection *selection = r->selection;
  const int root = r->reduced->root;
  for (int i = root; i < model->nlinks; ++i) {
    const int parent = model->links[i].parent;
    r->below[i] = i == root || (parent >= 0 && r->below[parent]);
    r->kept[i] = i == root || (selection->ntips == 0 && r->below[i]);
  }
  for (int t = 0; t < selection->ntips; ++t) {
    const int tip = selection->tips[t];
    if (!r->below[tip] && tip != selection->root)
      return ag_fail(r->err, r->layout, r->layout_line, "name tips below the root, or another root",
                     "tip \"%s\" is not below root \"%s\"", link_name(r, tip), link_name(r, root));
    for (int i = tip; r->below[i] && !r->kept[i]; i = model->links[i].parent) r->kept[i] = true;
  }
  for (int i = root + 1; i < model->nlinks; ++i) /* parents come first */
    if (r->below[i] && r->kept[model->links[i].parent] && !moves(r, i)) r->kept[i] = true;
  return true;
}

/* What tips leave out takes its mass along: say so. */
static void warn_left_out(const reducer *r) {
  const ag_model *model = r->model;
  double *mass = ag_alloc(r->arena, (size_t)model->nlinks * sizeof *mass);
  for (int i = model->nlinks - 1; i > 0; --i) { /* children come last */
    mass[i] += model->links[i].inertia.m;
    mass[model->links[i].parent] += mass[i];
  }
  for (int i = r->reduced->root + 1; i < model->nlinks; ++i)
    if (r->below[i] && !r->kept[i] && r->kept[model->links[i].parent])
      WARN(r, model->links[i].joint.line,
           "moving branch at joint \"%s\" is left out, with %.4g kg below it",
           model->links[i].joint.name, mass[i]);
}

/* A ball joint is selected as a whole. */
static bool check_balls(const reducer *r) {
  for (int i = 0; i < r->model->nlinks; ++i) {
    const ag_joint *joint = &r->model->links[i].joint;
    const int parent = r->model->links[i].parent;
    const ag_joint *before = parent < 0 ? NULL : &r->model->links[parent].joint;
    if (before && before->ball > 0 && before->ball < 3 && joint->ball != before->ball + 1)
      return ag_fail(
          r->err, r->model->path, joint->line, "name its child or its parent",
          "joint \"%s\" stands on \"%s\", inside of the ball joint \"%s\", where nothing is",
          joint->name, link_name(r, parent), before->ball_name);
    if (joint->ball == 0) continue;
    if (!isnan(r->frozen[i]))
      return ag_fail(r->err, r->layout, r->layout_line, "make the joint fixed in the robot's file",
                     "joint \"%s\" is one axis of the ball joint \"%s\", which cannot be locked",
                     joint->name, joint->ball_name);
    const bool cut = i == r->reduced->root || (joint->ball < 3 && r->kept[i] && !r->kept[i + 1]) ||
                     (joint->ball < 3 && !r->kept[i] && r->kept[i + 1]);
    if (!cut) continue;
    return ag_fail(r->err, r->layout, r->layout_line,
                   "name the link before it, or the one behind it",
                   "link \"%s\" is inside of the ball joint \"%s\", where no robot begins or ends",
                   r->model->links[i].name, joint->ball_name);
  }
  return true;
}

static bool check_mimics(const reducer *r) {
  for (int i = r->reduced->root + 1; i < r->model->nlinks; ++i) {
    const ag_joint *joint = &r->model->links[i].joint;
    if (!r->kept[i] || !moves(r, i) || joint->mimic < 0 || r->kept[joint->mimic]) continue;
    return ag_fail(r->err, r->layout, r->layout_line, "select both, or lock one of them",
                   "joint \"%s\" mimics \"%s\", which is not selected", joint->name,
                   r->model->links[joint->mimic].joint.name);
  }
  return true;
}

/* A link that does not move by itself becomes a part of its parent's body:
 *   P_body{link} = P_body{parent} P_parent{joint} motion(q frozen) */
static void merge_link(reducer *r, int i) {
  const ag_link *link = &r->model->links[i];
  const ag_joint *joint = &link->joint;
  const int body = r->body[link->parent];
  const bool locked = !isnan(r->frozen[i]);
  const int into = body < 0 ? r->reduced->root : r->reduced->bodies[body].link;
  r->body[i] = body;
  r->pose[i] = ag_pose_mul(&r->pose[link->parent], &joint->origin);
  if (locked) {
    const ag_pose motion =
        ag_pose_of_motion(joint->type, joint->axis, r->frozen[i], r->model->snap);
    r->pose[i] = ag_pose_mul(&r->pose[i], &motion);
  }
  const char *lock =
      locked ? ag_printf(r->arena, " (joint \"%s\" locked at %g)", joint->name, r->frozen[i]) : "";
  ag_note_add(&r->reduced->merged, &r->reduced->nmerged, r->arena, link->line, "%s into %s%s",
              link->name, link_name(r, into), lock);
}

static void make_body(reducer *r, int i) {
  const ag_link *link = &r->model->links[i];
  ag_reduced *reduced = r->reduced;
  ag_body *body = &reduced->bodies[reduced->nbodies];
  *body = (ag_body){.link = i, .parent = r->body[link->parent], .mimic = -1};
  body->origin = ag_pose_mul(&r->pose[link->parent], &link->joint.origin);
  for (int k = 0; k < 3; ++k) body->axis[k] = link->joint.axis[k];
  r->body[i] = reduced->nbodies++;
  r->pose[i] = ag_pose_identity;
}

static void make_bodies(reducer *r) {
  const ag_model *model = r->model;
  ag_reduced *reduced = r->reduced;
  const int root = reduced->root;
  int nkept = 0;
  for (int i = root; i < model->nlinks; ++i) nkept += r->kept[i];
  reduced->bodies = ag_alloc(r->arena, (size_t)nkept * sizeof *reduced->bodies);
  reduced->frames = ag_alloc(r->arena, (size_t)nkept * sizeof *reduced->frames);
  for (int i = root; i < model->nlinks; ++i) {
    if (!r->kept[i]) continue;
    if (i == root)
      r->body[i] = -1, r->pose[i] = ag_pose_identity;
    else if (moves(r, i))
      make_body(r, i);
    else
      merge_link(r, i);
    reduced->frames[reduced->nframes++] = (ag_frame){i, r->body[i], r->pose[i]};
    ag_inertia *to = r->body[i] < 0 ? &reduced->base : &reduced->bodies[r->body[i]].inertia;
    if (r->selection->payload) {
      const ag_inertia load = ag_inertia_transform(&r->pose[i], &r->selection->payload[i]);
      ag_inertia_add(to, &load);
    }
    if (r->selection->own_inertia && r->selection->own_inertia[i]) continue;
    const ag_inertia part = ag_inertia_transform(&r->pose[i], &model->links[i].inertia);
    ag_inertia_add(to, &part);
  }
  for (int k = 0; k < reduced->nbodies; ++k) {
    const int leader = model->links[reduced->bodies[k].link].joint.mimic;
    if (leader >= 0) reduced->bodies[k].mimic = r->body[leader];
  }
}

/* Sums of finite numbers may still overflow. */
static bool check_finite(const reducer *r) {
  const ag_reduced *reduced = r->reduced;
  for (int k = -1; k < reduced->nbodies; ++k) {
    const ag_body *body = k < 0 ? NULL : &reduced->bodies[k];
    const ag_inertia *inertia = body ? &body->inertia : &reduced->base;
    const int link = body ? body->link : reduced->root;
    double sum = fabs(inertia->m);
    for (int i = 0; i < 3; ++i) sum += fabs(inertia->h[i]) + (body ? fabs(body->origin.p[i]) : 0);
    for (int i = 0; i < 6; ++i) sum += fabs(inertia->I[i]);
    if (!isfinite(sum))
      return ag_fail(r->err, r->model->path, r->model->links[link].line,
                     "check the exponents of masses and positions",
                     "the numbers of link \"%s\" and what is fixed to it are too large",
                     link_name(r, link));
  }
  return true;
}

/* Whether masses can be computed with: the first inertial that is none, on a body that moves (what
 * a fixed base weighs does not matter). A link in doubt is good enough where the whole body has
 * principal moments that bodies have: then it says so. */
static void find_inertia_fault(const reducer *r) {
  const ag_model *model = r->model;
  ag_reduced *reduced = r->reduced;
  for (int f = 0; f < reduced->nframes && !reduced->inertia_fault.what; ++f) {
    const ag_link *link = &model->links[reduced->frames[f].link];
    const int k = reduced->frames[f].body;
    const bool given =
        r->selection->own_inertia && r->selection->own_inertia[reduced->frames[f].link];
    const bool stands = k < 0 && r->selection->base == AG_FIXED;
    if (given || (!link->fault.what && !link->doubt.what)) continue;
    if (stands)
      WARN(r, link->fault.what ? link->fault.line : link->doubt.line,
           "%s: it does not move, so that does not matter",
           link->fault.what ? link->fault.what : link->doubt.what);
    else if (link->fault.what)
      reduced->inertia_fault = link->fault;
    else if (ag_inertia_possible(k < 0 ? &reduced->base : &reduced->bodies[k].inertia))
      WARN(r, link->doubt.line, "%s; those of the whole body \"%s\" are not: taken as written",
           link->doubt.what, link_name(r, k < 0 ? reduced->root : reduced->bodies[k].link));
    else
      reduced->inertia_fault = link->doubt;
  }
}

bool ag_model_reduce(const ag_model *model, const ag_selection *selection, const char *layout,
                     ag_reduced *reduced, ag_arena *arena, ag_err *err) {
  const size_t n = (size_t)model->nlinks;
  const bool has_layout = layout && layout[0];
  reducer r = {.model = model,
               .selection = selection,
               .layout = has_layout ? layout : model->path,
               .reduced = reduced,
               .arena = arena,
               .err = err,
               .frozen = ag_alloc(arena, n * sizeof *r.frozen),
               .below = ag_alloc(arena, n * sizeof *r.below),
               .kept = ag_alloc(arena, n * sizeof *r.kept),
               .body = ag_alloc(arena, n * sizeof *r.body),
               .pose = ag_alloc(arena, n * sizeof *r.pose)};
  *reduced = (ag_reduced){0};
  if (!find_root(&r) || !find_frozen(&r) || !select_links(&r) || !check_balls(&r) ||
      !check_mimics(&r))
    return false;
  warn_left_out(&r);
  make_bodies(&r);
  if (reduced->nbodies == 0 && selection->base == AG_FIXED) {
    const char *whole =
        selection->ntips
            ? ""
            : "; of a body that moves as a whole (a drone), write base = \"floating\" in a layout";
    return ag_fail(
        err, r.layout, r.layout_line,
        ag_printf(arena,
                  "there must be a revolute, continuous or prismatic joint that is not locked%s",
                  whole),
        "nothing moves: no moving joint %s \"%s\"",
        selection->ntips ? "on the way to the tips from" : "below", link_name(&r, reduced->root));
  }
  if (reduced->nbodies > MOST_BODIES)
    return ag_fail(err, r.layout, r.layout_line, "name the tips that you need, or lock joints",
                   "%d moving joints are too many for straight-line code; at most %d",
                   reduced->nbodies, (int)MOST_BODIES);
  if (!check_finite(&r)) return false;
  find_inertia_fault(&r);
  ag_find_massless(model, selection, reduced, arena);
  ag_note_sort(reduced->warnings, reduced->nwarnings, arena);
  return true;
}
