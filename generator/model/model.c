/* SPDX-License-Identifier: MIT */
/* model.c: see model.h. A raw URDF document to a checked tree of links in SI numbers. */
#include "model/model.h"

#include "base/limits.h"
#include "base/names.h"
#include "base/sincos.h"
#include "model/compound.h"
#include "model/inertial.h"
#include "model/mjcf_model.h"
#include "model/planar.h"
#include "model/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis further from unit length than this was hardly meant as a direction. */
static const double AXIS_TOLERANCE = 1e-3;

/* Components of a unit axis below this are somebody's rounding error, as angles are (pose.c). */
static const double TINY_COMPONENT = 1e-9;

/* The tree as the file's indices: links by their place in doc->links, joints in doc->joints. */
typedef struct builder {
  const ag_urdf *doc;
  ag_model *model;
  ag_arena *arena;
  ag_err *err;
  int *by_name;                  /* links, sorted by name */
  int *parent, *child;           /* of a joint: links */
  int *carrier;                  /* of a link: the joint whose child it is; -1: none */
  int *first_joint, *last_joint; /* of a link: the joints whose parent it is; -1: none */
  int *next_joint;               /* of a joint: the next one of its parent; -1: none */
  int *order;                    /* links, parents first */
  int *place;                    /* of a link: where it stands in order; -1: nowhere yet */
} builder;

static int *indices(const builder *b, int count) {
  int *array = ag_alloc(b->arena, ((size_t)count + 1) * sizeof *array);
  for (int i = 0; i < count; ++i) array[i] = -1;
  return array;
}

#define WARN(b, line, ...)                                                                         \
  ag_note_add(&(b)->model->warnings, &(b)->model->nwarnings, (b)->arena, line, __VA_ARGS__)

/* --- names ------------------------------------------------------------------------------------ */

typedef struct place_of_name {
  const char *name;
  int index;
} place_of_name;

static int by_name(const void *a, const void *b) {
  return strcmp(((const place_of_name *)a)->name, ((const place_of_name *)b)->name);
}

/* Names must differ, also as C identifiers. Sorts the links by name. */
static bool check_names(builder *b) {
  const ag_urdf *doc = b->doc;
  const int most = doc->nlinks > doc->njoints ? doc->nlinks : doc->njoints;
  ag_name *names = ag_alloc(b->arena, ((size_t)most + 1) * sizeof *names);
  for (int i = 0; i < doc->nlinks; ++i)
    names[i] = (ag_name){doc->links[i].name, ag_identifier(doc->links[i].name, b->arena),
                         doc->links[i].line};
  if (!ag_names_distinct(names, doc->nlinks, "link", doc->path, b->arena, b->err)) return false;
  for (int i = 0; i < doc->njoints; ++i)
    names[i] = (ag_name){doc->joints[i].name, ag_identifier(doc->joints[i].name, b->arena),
                         doc->joints[i].line};
  if (!ag_names_distinct(names, doc->njoints, "joint", doc->path, b->arena, b->err)) return false;

  place_of_name *sorted = ag_alloc(b->arena, (size_t)doc->nlinks * sizeof *sorted);
  for (int i = 0; i < doc->nlinks; ++i) sorted[i] = (place_of_name){doc->links[i].name, i};
  qsort(sorted, (size_t)doc->nlinks, sizeof *sorted, by_name);
  b->by_name = indices(b, doc->nlinks);
  for (int i = 0; i < doc->nlinks; ++i) b->by_name[i] = sorted[i].index;
  return true;
}

/* Index of a link in the document; -1: none. */
static int find_link(const builder *b, const char *name) {
  int low = 0, high = b->doc->nlinks;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const int order = strcmp(name, b->doc->links[b->by_name[middle]].name);
    if (order == 0) return b->by_name[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return -1;
}

static bool fail_no_link(const builder *b, const ag_urdf_joint *joint, int line, const char *which,
                         const char *name) {
  const int n = b->doc->nlinks;
  const char **names = ag_alloc(b->arena, (size_t)n * sizeof *names);
  for (int i = 0; i < n; ++i) names[i] = b->doc->links[i].name;
  const char *near = ag_near_names(names, n, name, b->arena);
  return ag_fail(b->err, b->doc->path, line,
                 ag_did_you_mean(near, "add the link, or name one that the file has", b->arena),
                 "joint \"%s\": its %s link \"%s\" is not there", joint->name, which, name);
}

static bool fail_no_joint(const builder *b, const ag_urdf_joint *joint) {
  const int n = b->doc->njoints;
  const char **names = ag_alloc(b->arena, (size_t)n * sizeof *names);
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (&b->doc->joints[i] != joint) names[count++] = b->doc->joints[i].name;
  const char *near = ag_near_names(names, count, joint->mimic, b->arena);
  return ag_fail(b->err, b->doc->path, joint->mimic_line,
                 ag_did_you_mean(near, "name a joint that the file has", b->arena),
                 "joint \"%s\" mimics \"%s\", which is not there", joint->name, joint->mimic);
}

/* --- the tree --------------------------------------------------------------------------------- */

/* Parent and child of every joint; a link may be the child of one. */
static bool connect(builder *b) {
  const ag_urdf *doc = b->doc;
  b->parent = indices(b, doc->njoints);
  b->child = indices(b, doc->njoints);
  b->next_joint = indices(b, doc->njoints);
  b->carrier = indices(b, doc->nlinks);
  b->first_joint = indices(b, doc->nlinks);
  b->last_joint = indices(b, doc->nlinks);
  for (int j = 0; j < doc->njoints; ++j) {
    const ag_urdf_joint *joint = &doc->joints[j];
    const int parent = find_link(b, joint->parent), child = find_link(b, joint->child);
    if (parent < 0) return fail_no_link(b, joint, joint->parent_line, "parent", joint->parent);
    if (child < 0) return fail_no_link(b, joint, joint->child_line, "child", joint->child);
    if (parent == child)
      return ag_fail(b->err, doc->path, joint->child_line, "name the link that the joint moves",
                     "joint \"%s\" has the link \"%s\" as its parent and as its child", joint->name,
                     joint->child);
    if (b->carrier[child] >= 0) {
      const ag_urdf_joint *other = &doc->joints[b->carrier[child]];
      return ag_fail(b->err, doc->path, joint->child_line,
                     "a URDF is a tree: cut the loop here, and close it in the layout with a tie",
                     "link \"%s\" has two parents: \"%s\" by joint \"%s\" (line %d) and \"%s\" by "
                     "joint \"%s\"",
                     joint->child, other->parent, other->name, other->line, joint->parent,
                     joint->name);
    }
    b->parent[j] = parent, b->child[j] = child, b->carrier[child] = j;
    if (b->first_joint[parent] < 0)
      b->first_joint[parent] = j;
    else
      b->next_joint[b->last_joint[parent]] = j;
    b->last_joint[parent] = j;
  }
  return true;
}

/* The cycle that a link, which no root reaches, hangs on. */
static bool fail_cycle(const builder *b, int link) {
  const ag_urdf *doc = b->doc;
  for (int i = 0; i < doc->nlinks; ++i) link = b->parent[b->carrier[link]]; /* into the cycle */
  const int start = link;
  const char *names = "";
  int count = 0;
  do {
    if (++count <= 8) names = ag_printf(b->arena, "\"%s\" -> %s", doc->links[link].name, names);
    link = b->parent[b->carrier[link]];
  } while (link != start);
  if (count > 8) names = ag_printf(b->arena, "... -> %s", names);
  names = ag_printf(b->arena, "\"%s\" -> %.*s", doc->links[start].name,
                    (int)strlen(names) - (int)strlen(" -> "), names);
  const ag_urdf_joint *joint = &doc->joints[b->carrier[start]];
  return ag_fail(b->err, doc->path, joint->line,
                 "a URDF is a tree: cut the loop at a joint, and close it in the layout with a tie",
                 "links are their own ancestors: %s", names);
}

static bool fail_roots(const builder *b) {
  enum { NAMED = 5 };
  const ag_urdf *doc = b->doc;
  const char *names = "";
  int count = 0, line = 0;
  for (int i = 0; i < doc->nlinks; ++i) {
    if (b->carrier[i] >= 0) continue;
    if (++count == 2) line = doc->links[i].line;
    if (count <= NAMED)
      names = ag_printf(b->arena, "%s%s\"%s\" (line %d)", names, count == 1 ? "" : ", ",
                        doc->links[i].name, doc->links[i].line);
  }
  if (count > NAMED) names = ag_printf(b->arena, "%s and %d more", names, count - NAMED);
  return ag_fail(b->err, doc->path, line,
                 "join them to one tree by joints (a fixed one will do), or delete what is unused",
                 "%d links have no parent, but a robot has one root: %s", count, names);
}

/* Depth first from the root, children in the order of the file's joints. */
static bool sort(builder *b) {
  const ag_urdf *doc = b->doc;
  int root = -1, nroots = 0, count = 0;
  b->order = indices(b, doc->nlinks);
  b->place = indices(b, doc->nlinks);
  for (int i = doc->nlinks - 1; i >= 0; --i)
    if (b->carrier[i] < 0) root = i, ++nroots;
  if (nroots > 1) return fail_roots(b);
  if (nroots == 0) return fail_cycle(b, 0);
  for (int link = root; link >= 0;) {
    b->place[link] = count;
    b->order[count++] = link;
    int next = b->first_joint[link];
    while (next < 0 && link != root) { /* nothing below: the next branch of the nearest ancestor */
      next = b->next_joint[b->carrier[link]];
      link = b->parent[b->carrier[link]];
    }
    link = next < 0 ? -1 : b->child[next];
  }
  for (int i = 0; i < doc->nlinks; ++i)
    if (b->place[i] < 0) return fail_cycle(b, i);
  return true;
}

/* --- links ------------------------------------------------------------------------------------ */

static bool check_pose(const builder *b, const ag_urdf_pose *pose, const char *owner) {
  for (int i = 0; i < 3; ++i)
    if (fabs(pose->xyz[i].value) > AG_LARGEST_LENGTH)
      return ag_fail(b->err, b->doc->path, pose->line, "lengths are in metres; check the exponent",
                     "%s: xyz[%d] is %g m, more than %g m", owner, i, pose->xyz[i].value,
                     AG_LARGEST_LENGTH);
  for (int i = 0; i < 3; ++i)
    if (fabs(pose->rpy[i].value) > AG_ANGLE_DOUBLE)
      return ag_fail(b->err, b->doc->path, pose->line, "angles are in radians; check the exponent",
                     "%s: rpy[%d] is %g rad", owner, i, pose->rpy[i].value);
  return true;
}

/* The square of the length by which a link's mass is moved: from its origin to its centre of mass
 * or to the farthest of its joints [m^2]. */
static double squared_length(const builder *b, const ag_urdf_link *raw) {
  double most = 0;
  const ag_urdf_pose *pose = &raw->com;
  int joint = b->first_joint[raw - b->doc->links];
  for (;;) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += pose->xyz[i].value * pose->xyz[i].value;
    most = fmax(most, sum);
    if (joint < 0) return most;
    pose = &b->doc->joints[joint].origin;
    joint = b->next_joint[joint];
  }
}

static ag_pose pose_of(const builder *b, const ag_urdf_pose *origin, const char *owner) {
  ag_model *model = b->model;
  return ag_pose_of_origin(origin, model->snap, owner, &model->snapped, &model->nsnapped, b->arena);
}

static bool check_sizes(const builder *b, const ag_urdf_link *raw) {
  static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  if (raw->mass > AG_LARGEST_INERTIA)
    return ag_fail(b->err, b->doc->path, raw->mass_line, "masses are in kg; check the exponent",
                   "link \"%s\": a mass of %g kg, more than %g kg", raw->name, raw->mass,
                   AG_LARGEST_INERTIA);
  for (int i = 0; i < 6; ++i)
    if (fabs(raw->inertia[i]) > AG_LARGEST_INERTIA)
      return ag_fail(b->err, b->doc->path, raw->inertia_line,
                     "moments of inertia are in kg m^2; check the exponent",
                     "link \"%s\": %s is %g kg m^2, more than %g kg m^2", raw->name, NAMES[i],
                     raw->inertia[i], AG_LARGEST_INERTIA);
  return true;
}

/* About the link frame's origin: I_C about the centre of mass, moved by the pose of <inertial>. */
static bool make_inertia(const builder *b, const ag_urdf_link *raw, ag_link *link) {
  if (raw->inertial_line == 0) return true;
  const char *owner = ag_printf(b->arena, "%s inertial", raw->name);
  if (!check_pose(b, &raw->com, ag_printf(b->arena, "link \"%s\"", raw->name)) ||
      !check_sizes(b, raw))
    return false;
  ag_inertial_check(b->model, raw, squared_length(b, raw), link, b->arena);
  const ag_pose com = pose_of(b, &raw->com, owner);
  ag_inertia central = {0};
  memcpy(central.I, raw->inertia, sizeof central.I);
  const ag_inertia turned = ag_inertia_transform(&com, &central); /* no mass: about the centre */
  memcpy(link->com, com.p, sizeof link->com);
  memcpy(link->central, turned.I, sizeof link->central);
  central.m = raw->mass;
  link->inertia = ag_inertia_transform(&com, &central);
  return true;
}

/* --- joints ----------------------------------------------------------------------------------- */

static bool make_axis(const builder *b, const ag_urdf_joint *raw, double axis[3]) {
  double largest = 0, sum = 0;
  for (int i = 0; i < 3; ++i) largest = fmax(largest, fabs(raw->axis[i]));
  if (largest == 0)
    return ag_fail(
        b->err, b->doc->path, raw->axis_line,
        "write the direction about which the joint rotates or along which it moves, such as 0 0 1",
        "joint \"%s\": its axis is 0 0 0", raw->name);
  for (int i = 0; i < 3; ++i) axis[i] = raw->axis[i] / largest, sum += axis[i] * axis[i];
  const double length = sqrt(sum); /* times largest: so that no square overflows */
  for (int i = 0; i < 3; ++i) {
    axis[i] = axis[i] / length + 0.0;
    if (b->model->snap && axis[i] != 0 && fabs(axis[i]) < TINY_COMPONENT) {
      ag_note_add(&b->model->snapped, &b->model->nsnapped, b->arena, raw->axis_line,
                  "%s axis[%d] %g -> 0", raw->name, i, raw->axis[i]);
      axis[i] = 0;
    }
  }
  if (fabs(length * largest - 1) > AXIS_TOLERANCE)
    WARN(b, raw->axis_line,
         "joint \"%s\": its axis %g %g %g is not a unit vector; only its direction is used",
         raw->name, raw->axis[0], raw->axis[1], raw->axis[2]);
  return true;
}

/* One of effort and velocity: 0 cannot be meant, and what is negative means none. */
static void make_bound(const builder *b, const ag_urdf_joint *raw, const char *what, double value,
                       double *bound) {
  *bound = isinf(value) ? (double)NAN : value;
  if (value <= 0) {
    WARN(b, raw->limit_line, "joint \"%s\": its %s limit is %g: taken as none", raw->name, what,
         value);
    *bound = (double)NAN;
  } else if (isnan(value)) {
    WARN(b, raw->limit_line, "joint \"%s\": <limit> has no %s: taken as none", raw->name, what);
  }
}

/* One of lower and upper: 1e16 is how some say none. */
static double position_limit(const builder *b, const ag_urdf_joint *raw, const char *what,
                             double value) {
  if (isinf(value)) return (double)NAN; /* the reader has reported it */
  if (fabs(value) <= AG_ANGLE_DOUBLE) return value;
  WARN(b, raw->limit_line, "joint \"%s\": its %s limit is %g: taken as none", raw->name, what,
       value);
  return (double)NAN;
}

/* The URDF's defaults: a missing <limit> is none, of lower and upper a missing one is 0. */
static void make_limits(const builder *b, const ag_urdf_joint *raw, ag_limits *limits) {
  *limits = (ag_limits){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
  const bool turns_on = raw->type == AG_CONTINUOUS;
  if (raw->limit_line == 0) {
    if (!turns_on)
      WARN(b, raw->line, "joint \"%s\" is %s, but has no <limit>: taken as unlimited", raw->name,
           ag_joint_type_names[raw->type]);
    return;
  }
  make_bound(b, raw, "effort", raw->effort, &limits->effort);
  make_bound(b, raw, "velocity", raw->velocity, &limits->velocity);
  const bool no_lower = isnan(raw->lower), no_upper = isnan(raw->upper);
  if (turns_on) {
    if (!no_lower || !no_upper)
      WARN(b, raw->limit_line, "joint \"%s\" is continuous: its position limits are ignored",
           raw->name);
    return;
  }
  if ((no_lower && no_upper) || (raw->lower == 0 && raw->upper == 0)) {
    WARN(b, raw->limit_line, "joint \"%s\": its lower and upper limit are %s: taken as none",
         raw->name, no_lower ? "missing" : "0");
    return;
  }
  if (no_lower || no_upper)
    WARN(b, raw->limit_line, "joint \"%s\": <limit> has no %s: taken as 0, as URDF has it",
         raw->name, no_lower ? "lower" : "upper");
  limits->lower = no_lower ? 0 : position_limit(b, raw, "lower", raw->lower);
  limits->upper = no_upper ? 0 : position_limit(b, raw, "upper", raw->upper);
  if (limits->lower > limits->upper) {
    WARN(b, raw->limit_line,
         "joint \"%s\": its lower limit %g is above its upper limit %g: taken as none", raw->name,
         limits->lower, limits->upper);
    limits->lower = limits->upper = (double)NAN;
  }
  if (limits->lower >= limits->upper)
    WARN(b, raw->limit_line, "joint \"%s\": its limits are both %g: it cannot move", raw->name,
         limits->lower);
}

/* A base that moves in a plane or freely: only between the root and all that it carries. */
static bool check_base_joint(const builder *b, int j) {
  const ag_urdf_joint *raw = &b->doc->joints[j];
  const char *type = ag_joint_type_names[raw->type];
  if (b->carrier[b->parent[j]] >= 0)
    return ag_fail(b->err, b->doc->path, raw->line,
                   "write it as prismatic and revolute joints one after another",
                   "joint \"%s\" is %s, which only a joint at the root may be", raw->name, type);
  if (b->first_joint[b->parent[j]] != j || b->next_joint[j] >= 0)
    return ag_fail(b->err, b->doc->path, raw->line,
                   "give the root link no other joint: links that are fixed to the world do not "
                   "belong to the robot",
                   "joint \"%s\" is %s, but its parent \"%s\" carries other joints too", raw->name,
                   type, raw->parent);
  return true;
}

/* A planar joint's axis is the plane's normal, which the layout's planar base has along z. */
static bool make_normal(const builder *b, const ag_urdf_joint *raw, double axis[3]) {
  const double given[3] = {raw->axis[0], raw->axis[1], raw->axis[2]};
  axis[0] = axis[1] = 0, axis[2] = 1;
  if (raw->axis_line == 0)
    WARN(b, raw->line, "joint \"%s\" is planar, but has no <axis>: the plane is taken as x y",
         raw->name);
  else if (given[0] != 0 || given[1] != 0 || given[2] == 0)
    return ag_fail(b->err, b->doc->path, raw->axis_line,
                   "write <axis xyz=\"0 0 1\"/>, and rotate the <origin> instead",
                   "joint \"%s\" is planar with the normal %g %g %g; only z is supported",
                   raw->name, given[0], given[1], given[2]);
  return true;
}

static bool make_joint(const builder *b, int j, ag_joint *joint) {
  const ag_urdf_joint *raw = &b->doc->joints[j];
  const bool moves =
      raw->type == AG_REVOLUTE || raw->type == AG_CONTINUOUS || raw->type == AG_PRISMATIC;
  *joint = (ag_joint){.name = raw->name,
                      .id = ag_identifier(raw->name, b->arena),
                      .line = raw->line,
                      .type = raw->type,
                      .axis = {1, 0, 0},
                      .limits = {(double)NAN, (double)NAN, (double)NAN, (double)NAN},
                      .armature = raw->armature,
                      .damping = raw->damping,
                      .friction = raw->friction,
                      .mimic = -1,
                      .multiplier = 1,
                      .ball = raw->ball,
                      .ball_name = raw->ball_name};
  if (raw->ball) joint->ball_id = ag_identifier(raw->ball_name, b->arena);
  if (!check_pose(b, &raw->origin, ag_printf(b->arena, "joint \"%s\"", raw->name))) return false;
  joint->origin = pose_of(b, &raw->origin, raw->name);
  if (raw->mimic_line && raw->type == AG_FIXED)
    WARN(b, raw->mimic_line, "joint \"%s\" is fixed: its <mimic> is ignored", raw->name);
  else if (raw->mimic_line && !moves)
    return ag_fail(b->err, b->doc->path, raw->mimic_line, "delete <mimic>, or change the type",
                   "joint \"%s\" is %s: it cannot mimic another", raw->name,
                   ag_joint_type_names[raw->type]);
  if (raw->type == AG_PLANAR && !make_normal(b, raw, joint->axis)) return false;
  if (raw->type == AG_PLANAR || raw->type == AG_FLOATING) return check_base_joint(b, j);
  if (!moves) return true;
  if (raw->damping < 0 || raw->friction < 0)
    WARN(b, raw->dynamics_line, "joint \"%s\": negative damping or friction drives the joint",
         raw->name);
  make_limits(b, raw, &joint->limits);
  return make_axis(b, raw, joint->axis);
}

static bool follows(const ag_urdf_joint *joint) {
  return joint->mimic_line && joint->type != AG_FIXED;
}

/* A joint that follows a fixed one, whose position is 0, stands at its offset. */
static void stand_still(const builder *b, ag_joint *joint, const ag_urdf_joint *raw,
                        const ag_urdf_joint *leader, double offset) {
  WARN(b, raw->mimic_line,
       "joint \"%s\" mimics \"%s\", which is fixed: taken as fixed at its offset %g", raw->name,
       leader->name, offset);
  const ag_pose motion = ag_pose_of_motion(raw->type, joint->axis, offset, b->model->snap);
  joint->origin = ag_pose_mul(&joint->origin, &motion);
  joint->type = AG_FIXED;
}

/* Followers of followers get the first leader:
 *   q_a = k_a q_b + o_a, q_b = k_b q_c + o_b  =>  q_a = k_a k_b q_c + (k_a o_b + o_a) */
static bool make_mimics(const builder *b) {
  const ag_urdf *doc = b->doc;
  int *leads = indices(b, doc->njoints);
  for (int j = 0; j < doc->njoints; ++j) {
    if (!follows(&doc->joints[j])) continue;
    for (int i = 0; i < doc->njoints && leads[j] < 0; ++i)
      if (strcmp(doc->joints[i].name, doc->joints[j].mimic) == 0) leads[j] = i;
    if (leads[j] < 0) return fail_no_joint(b, &doc->joints[j]);
  }
  for (int j = 0; j < doc->njoints; ++j) {
    const ag_urdf_joint *raw = &doc->joints[j], *leader = raw;
    if (!follows(raw)) continue;
    double multiplier = 1, offset = 0;
    for (int steps = 0; follows(leader); ++steps) {
      const ag_urdf_joint *follower = leader;
      leader = &doc->joints[leads[follower - doc->joints]];
      if (leader == raw || steps > doc->njoints)
        return ag_fail(b->err, doc->path, raw->mimic_line, "remove the <mimic> of one of them",
                       "joint \"%s\" mimics itself%s", raw->name,
                       leader == follower ? "" : " through other joints");
      offset += multiplier * follower->offset;
      multiplier *= follower->multiplier;
    }
    ag_joint *joint = &b->model->links[b->place[b->child[j]]].joint;
    if (leader->type == AG_FIXED && fabs(offset) <= AG_ANGLE_DOUBLE) {
      stand_still(b, joint, raw, leader, offset);
      continue;
    }
    if (leader->type == AG_FIXED || leader->type == AG_PLANAR || leader->type == AG_FLOATING)
      return ag_fail(b->err, doc->path, raw->mimic_line,
                     "name a revolute, continuous or prismatic joint",
                     "joint \"%s\" mimics \"%s\", which is %s", raw->name, leader->name,
                     ag_joint_type_names[leader->type]);
    if (leader->ball || raw->ball)
      return ag_fail(
          b->err, doc->path, raw->mimic_line, "delete <mimic>",
          "joint \"%s\" mimics \"%s\": a ball joint has no position that another could follow",
          raw->ball ? raw->ball_name : raw->name, leader->ball ? leader->ball_name : leader->name);
    if (!isfinite(multiplier) || !isfinite(offset))
      return ag_fail(b->err, doc->path, raw->mimic_line, "check the exponents",
                     "joint \"%s\": multiplier and offset of <mimic> are too large", raw->name);
    joint->mimic = b->place[b->child[leader - doc->joints]];
    joint->multiplier = multiplier;
    joint->offset = offset;
  }
  return true;
}

/* --- the model -------------------------------------------------------------------------------- */

bool ag_model_build(const ag_urdf *given, bool snap, ag_model *model, ag_arena *arena,
                    ag_err *err) {
  const ag_urdf *doc = ag_compound_expand(ag_planar_expand(given, arena), arena);
  builder b = {.doc = doc, .model = model, .arena = arena, .err = err};
  *model = (ag_model){.path = doc->path,
                      .name = doc->robot,
                      .id = ag_identifier(doc->robot, arena),
                      .nlinks = doc->nlinks,
                      .snap = snap};
  if (doc->nlinks == 0)
    return ag_fail(err, doc->path, doc->robot_line, "a robot has links and joints",
                   "robot \"%s\" has no links", doc->robot);
  if (!check_names(&b) || !connect(&b) || !sort(&b)) return false;
  for (int i = 0; i < doc->nwarnings; ++i)
    WARN(&b, doc->warnings[i].line, "%s", doc->warnings[i].text);
  model->snapped = doc->snapped, model->nsnapped = doc->nsnapped;
  model->losses = doc->losses, model->nlosses = doc->nlosses;
  ag_note_sort(model->losses, model->nlosses, arena);
  model->links = ag_alloc(arena, (size_t)doc->nlinks * sizeof *model->links);
  for (int i = 0; i < doc->nlinks; ++i) {
    const ag_urdf_link *raw = &doc->links[b.order[i]];
    const int carrier = b.carrier[b.order[i]];
    ag_link *link = &model->links[i];
    *link = (ag_link){.name = raw->name,
                      .id = ag_identifier(raw->name, arena),
                      .line = raw->line,
                      .is_tie_end = raw->is_tie_end,
                      .parent = carrier < 0 ? -1 : b.place[b.parent[carrier]],
                      .joint = {.type = AG_FIXED,
                                .line = raw->line,
                                .origin = ag_pose_identity,
                                .axis = {1, 0, 0},
                                .mimic = -1,
                                .multiplier = 1}};
    if (carrier >= 0 && !make_joint(&b, carrier, &link->joint)) return false;
    if (!make_inertia(&b, raw, link)) return false;
  }
  if (!make_mimics(&b)) return false;
  ag_model_from_mjcf(doc, model, arena);
  model->gears = doc->gears, model->ngears = doc->ngears;
  model->motors = doc->motors, model->nmotors = doc->nmotors;
  ag_note_sort(model->warnings, model->nwarnings, arena);
  return true;
}

int ag_model_base(const ag_model *model) {
  const bool moves = model->nlinks > 1 && (model->links[1].joint.type == AG_PLANAR ||
                                           model->links[1].joint.type == AG_FLOATING);
  return moves ? 1 : 0;
}
