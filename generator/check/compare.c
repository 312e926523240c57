/* SPDX-License-Identifier: MIT */
/* compare.c: see compare.h
 *
 * Bodies are compared, not links: what is fixed to a moving link counts with it, by whatever names. A
 * body's frame is that of its joint. */
#include "check/compare.h"

#include "base/random.h"
#include "graph/eval.h"
#include "model/bodies.h"
#include "script/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that differ by less than this, of their size, are the same number written twice. */
static const double SAME = 1e-9;

enum { STATES = 50 };

typedef enum what { MASS, CENTRE, INERTIA, ORIGIN, AXIS, ROTOR, PARENT, TYPE, MIMIC, WORDS } what;

typedef struct difference {
  what what;
  int body, other; /* of each model; -1: the base */
  const char *text;
  double change; /* of torques, at most [N m, N] */
} difference;

typedef struct robot {
  const ag_model *model;
  ag_header header;
  ag_script *script;
  const ag_reduced *reduced;
} robot;

typedef struct comparer {
  robot a, b;
  difference *list;
  int count;
  double *torques; /* of a: by state, then by output */
  ag_arena *arena;
  ag_err *err;
} comparer;

/* Mass, centre of mass, and the inertia about it, of a body. */
typedef struct mass {
  double m, c[3], I[6];
} mass;

static const ag_inertia *inertia_at(const robot *r, int body) {
  return body < 0 ? &r->reduced->base : &r->reduced->bodies[body].inertia;
}

/* The link that a body is called by. */
static int link_of(const robot *r, int body) {
  return body < 0 ? r->reduced->root : r->reduced->bodies[body].link;
}

static const ag_joint *joint_of(const robot *r, int body) {
  return &r->model->links[r->reduced->bodies[body].link].joint;
}

/* --- torques ---------------------------------------------------------------------------------- */

static bool open_robot(robot *r, const ag_model *model, ag_arena *arena, ag_err *err) {
  static const char *const id[] = {"id"};
  const ag_script_options options = {.functions = id, .nfunctions = 1, .regroup = true};
  *r = (robot){.model = model};
  if (!ag_script_build(model, &options, &r->header, &r->script, arena, err)) return false;
  r->reduced = ag_script_reduced(r->script);
  return true;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A state: positions within limits of 3 rad and 1 m, velocities and accelerations of 1, gravity. */
static double draw(const ag_element *e, uint64_t *random) {
  const double x = ag_random_between(random, -1, 1);
  if (strcmp(e->column, "gravity.z") == 0) return -9.81;
  if (begins(e->column, "gravity.")) return 0;
  if (strcmp(e->column, "base.quat.w") == 0) return 1;
  if (begins(e->column, "base.quat.")) return 0;
  if (begins(e->column, "ball.")) { /* a unit quaternion that fits no axis of a robot */
    const char *part = e->column + strlen(e->column) - 1;
    return *part == 'w' ? 0.1 : *part == 'y' ? -0.1 : 0.7;
  }
  return begins(e->column, "q.") && strcmp(e->unit, "rad") == 0 ? 3 * x : x;
}

/* The torques of inverse dynamics at all states, by output. */
static double *torques_of(const robot *r, int *noutputs, ag_arena *arena) {
  const ag_graph *graph = r->header.functions[0]->graph;
  const ag_list *in = &graph->function->in, *out = &graph->function->out;
  double *x = ag_alloc(arena, (size_t)(in->nelements + 1) * sizeof *x);
  double *work = ag_alloc(arena, (size_t)(graph->dag.count + 1) * sizeof *work);
  double *all = ag_alloc(arena, (size_t)STATES * (size_t)(out->nelements + 1) * sizeof *all);
  uint64_t random = 1;
  *noutputs = out->nelements;
  for (int k = 0; k < STATES; k++) {
    for (int i = 0; i < in->nelements; i++) x[i] = draw(&in->elements[i], &random);
    ag_eval(graph, false, x, &all[(size_t)k * (size_t)out->nelements], work);
  }
  return all;
}

/* The largest change of a torque where the robot is the changed one. */
static bool measure(comparer *c, const ag_model *changed, double *change) {
  robot r;
  int n;
  const bool good = open_robot(&r, changed, c->arena, c->err);
  *change = 0;
  if (good) {
    const double *torques = torques_of(&r, &n, c->arena);
    for (size_t i = 0; i < (size_t)STATES * (size_t)n; i++)
      *change = fmax(*change, fabs(torques[i] - c->torques[i]));
  }
  ag_script_close(r.script);
  return good;
}

/* --- masses ----------------------------------------------------------------------------------- */

static mass mass_of(const ag_inertia *inertia) {
  mass out = {.m = inertia->m};
  ag_inertia_centre(inertia, out.c, out.I);
  return out;
}

static ag_inertia inertia_of(const mass *from) {
  ag_pose at = ag_pose_identity;
  ag_inertia central = {.m = from->m};
  memcpy(at.p, from->c, sizeof at.p);
  memcpy(central.I, from->I, sizeof central.I);
  return ag_inertia_transform(&at, &central);
}

/* Of a link in the frame of the body that it is rigid with. */
static const ag_pose *pose_of_link(const robot *r, int link) {
  for (int i = 0; i < r->reduced->nframes; i++)
    if (r->reduced->frames[i].link == link) return &r->reduced->frames[i].pose;
  return &ag_pose_identity;
}

static int body_of_joint(const robot *r, const char *name) {
  for (int i = 0; i < r->reduced->nbodies; i++)
    if (strcmp(joint_of(r, i)->name, name) == 0) return i;
  return -1;
}

/* The body of a that carries the one that the other's body has as its parent; -1: the base, or there is none. */
static int parent_like(const comparer *c, int other) {
  const int parent = c->b.reduced->bodies[other].parent;
  return parent < 0 ? -1 : body_of_joint(&c->a, joint_of(&c->b, parent)->name);
}

/* The model of a with one thing of the other's. */
static ag_model changed_model(const comparer *c, const difference *d) {
  ag_model model = *c->a.model;
  const size_t size = (size_t)model.nlinks * sizeof *model.links;
  model.links = memcpy(ag_alloc(c->arena, size), model.links, size);
  const int own = link_of(&c->a, d->body);
  ag_joint *joint = &model.links[own].joint;
  mass m = mass_of(inertia_at(&c->a, d->body));
  const mass n = mass_of(inertia_at(&c->b, d->other));
  if (d->what > INERTIA) {
    const ag_body *other = &c->b.reduced->bodies[d->other];
    const ag_joint *theirs = joint_of(&c->b, d->other);
    if (d->what == PARENT) model.links[own].parent = link_of(&c->a, parent_like(c, d->other));
    if (d->what == ORIGIN || d->what == PARENT)
      joint->origin = ag_pose_between(pose_of_link(&c->a, model.links[own].parent), &other->origin);
    if (d->what == AXIS) memcpy(joint->axis, other->axis, sizeof joint->axis);
    if (d->what == ROTOR) joint->armature = theirs->armature;
    if (d->what == TYPE) joint->type = theirs->type;
    if (d->what == MIMIC) joint->multiplier = theirs->multiplier, joint->offset = theirs->offset;
  }
  if (d->what == MASS) m.m = n.m;
  if (d->what == CENTRE) memcpy(m.c, n.c, sizeof m.c);
  if (d->what == INERTIA) memcpy(m.I, n.I, sizeof m.I);
  if (d->what > INERTIA) return model;
  for (int i = 0; i < c->a.reduced->nframes; i++) /* all that is rigid with it */
    if (c->a.reduced->frames[i].body == d->body)
      model.links[c->a.reduced->frames[i].link].inertia = (ag_inertia){0};
  model.links[own].inertia = inertia_of(&m);
  return model;
}

/* --- differences ------------------------------------------------------------------------------ */

static bool same(const double *a, const double *b, int n, double size) {
  for (int i = 0; i < n; i++)
    if (fabs(a[i] - b[i]) > SAME * fmax(size, fmax(fabs(a[i]), fabs(b[i])))) return false;
  return true;
}

static bool same_limit(double a, double b) {
  return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

static void add(comparer *c, what kind, int body, int other, const char *text) {
  c->list = ag_room(c->arena, c->list, c->count, sizeof *c->list);
  c->list[c->count++] = (difference){kind, body, other, text, 0};
}

static const char *numbers(const comparer *c, const double *v, int n) {
  const char *text = "";
  for (int i = 0; i < n; i++)
    text = ag_printf(c->arena, "%s%s%.6g", text, i ? " " : "", v[i] + 0.0);
  return text;
}

/* "elbow: mass 1 and 2 kg" */
static void add_numbers(comparer *c, difference d, const char *name, const double *a,
                        const double *b, int n) {
  static const char *const NAMES[] = {"mass",
                                      "centre of mass",
                                      "inertia about it (xx xy xz yy yz zz)",
                                      "origin",
                                      "axis",
                                      "rotor inertia"},
                           *const UNITS[] = {" kg", " m", " kg m^2", "", "", ""};
  add(c, d.what, d.body, d.other,
      ag_printf(c->arena, "%s: %s %s and %s%s", name, NAMES[d.what], numbers(c, a, n),
                numbers(c, b, n), UNITS[d.what]));
}

static void compare_masses(comparer *c, int i, int j, const char *name) {
  const mass a = mass_of(inertia_at(&c->a, i)), b = mass_of(inertia_at(&c->b, j));
  double size = 0;
  for (int k = 0; k < 6; k++) size = fmax(size, fabs(a.I[k]));
  if (!same(&a.m, &b.m, 1, 0))
    add_numbers(c, (difference){.what = MASS, .body = i, .other = j}, name, &a.m, &b.m, 1);
  if (!same(a.c, b.c, 3, 1))
    add_numbers(c, (difference){.what = CENTRE, .body = i, .other = j}, name, a.c, b.c, 3);
  if (!same(a.I, b.I, 6, size))
    add_numbers(c, (difference){.what = INERTIA, .body = i, .other = j}, name, a.I, b.I, 6);
}

static const char *limit_text(const comparer *c, double value) {
  return isnan(value) ? "none" : ag_printf(c->arena, "%.6g", value);
}

static void compare_words(comparer *c, int i, int j) {
  const ag_joint *a = joint_of(&c->a, i), *b = joint_of(&c->b, j);
  const struct {
    const char *name;
    double a, b;
  } words[] = {{"lower limit", a->limits.lower, b->limits.lower},
               {"upper limit", a->limits.upper, b->limits.upper},
               {"velocity limit", a->limits.velocity, b->limits.velocity},
               {"effort limit", a->limits.effort, b->limits.effort},
               {"damping", a->damping, b->damping},
               {"friction", a->friction, b->friction}};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (!same_limit(words[k].a, words[k].b))
      add(c, WORDS, i, j,
          ag_printf(c->arena, "%s: %s %s and %s", a->name, words[k].name, limit_text(c, words[k].a),
                    limit_text(c, words[k].b)));
}

static const char *name_of(const robot *r, int body) {
  return body < 0 ? "the base" : joint_of(r, body)->name;
}

/* The joint that leads; NULL: it mimics none. */
static const char *leader_of(const robot *r, const ag_joint *joint) {
  return joint->mimic < 0 ? NULL : r->model->links[joint->mimic].joint.name;
}

/* What a joint is: what it stands on, whether it turns or slides, which joint it mimics. */
static void compare_kinds(comparer *c, int i, int j) {
  const ag_joint *a = joint_of(&c->a, i), *b = joint_of(&c->b, j);
  const char *on = name_of(&c->a, c->a.reduced->bodies[i].parent),
             *there = name_of(&c->b, c->b.reduced->bodies[j].parent);
  if (strcmp(on, there) != 0) /* a parent comes before its children: another order is not tried */
    add(c,
        link_of(&c->a, parent_like(c, j)) < c->a.reduced->bodies[i].link &&
                (parent_like(c, j) >= 0 || c->b.reduced->bodies[j].parent < 0)
            ? PARENT
            : WORDS,
        i, j, ag_printf(c->arena, "%s: stands on %s and on %s", a->name, on, there));
  if ((a->type == AG_PRISMATIC) != (b->type == AG_PRISMATIC))
    add(c, TYPE, i, j,
        ag_printf(c->arena, "%s: %s and %s", a->name, ag_joint_type_names[a->type],
                  ag_joint_type_names[b->type]));
  const char *leads = leader_of(&c->a, a), *other = leader_of(&c->b, b);
  if (!leads != !other || (leads && strcmp(leads, other) != 0))
    add(c, WORDS, i, j,
        ag_printf(c->arena, "%s: mimics %s and %s", a->name, leads ? leads : "none",
                  other ? other : "none"));
  else if (leads &&
           (!same(&a->multiplier, &b->multiplier, 1, 0) || !same(&a->offset, &b->offset, 1, 1)))
    add(c, MIMIC, i, j,
        ag_printf(c->arena, "%s: mimics %s by %.6g q + %.6g and %.6g q + %.6g", a->name, leads,
                  a->multiplier, a->offset, b->multiplier, b->offset));
}

static void compare_bodies(comparer *c, int i, int j) {
  const ag_body *a = &c->a.reduced->bodies[i], *b = &c->b.reduced->bodies[j];
  const ag_joint *ja = joint_of(&c->a, i), *jb = joint_of(&c->b, j);
  compare_kinds(c, i, j);
  compare_masses(c, i, j, ja->name);
  const bool beside = strcmp(name_of(&c->a, a->parent), name_of(&c->b, b->parent)) == 0;
  if (beside && !same(a->origin.p, b->origin.p, 3, 1))
    add_numbers(c, (difference){.what = ORIGIN, .body = i, .other = j}, ja->name, a->origin.p,
                b->origin.p, 3);
  else if (beside && !same(&a->origin.R[0][0], &b->origin.R[0][0], 9, 1))
    add(c, ORIGIN, i, j,
        ag_printf(c->arena, "%s: rotation of its origin %s and %s", ja->name,
                  numbers(c, &a->origin.R[0][0], 9), numbers(c, &b->origin.R[0][0], 9)));
  if (!same(a->axis, b->axis, 3, 1))
    add_numbers(c, (difference){.what = AXIS, .body = i, .other = j}, ja->name, a->axis, b->axis,
                3);
  if (!same(&ja->armature, &jb->armature, 1, 0))
    add_numbers(c, (difference){.what = ROTOR, .body = i, .other = j}, ja->name, &ja->armature,
                &jb->armature, 1);
  compare_words(c, i, j);
}

static int by_change(const void *a, const void *b) {
  const difference *x = a, *y = b;
  if (x->change != y->change) return x->change < y->change ? 1 : -1;
  return strcmp(x->text, y->text);
}

/* Joints that only one of them has. */
static void missing(comparer *c, const robot *in, const robot *from) {
  for (int i = 0; i < in->reduced->nbodies; i++)
    if (body_of_joint(from, joint_of(in, i)->name) < 0)
      add(c, WORDS, -1, -1,
          ag_printf(c->arena, "joint %s is in %s only", joint_of(in, i)->name, in->model->path));
}

static bool compare(comparer *c, FILE *to) {
  int n;
  c->torques = torques_of(&c->a, &n, c->arena);
  for (int i = 0; i < c->a.reduced->nbodies; i++) {
    const int j = body_of_joint(&c->b, joint_of(&c->a, i)->name);
    if (j >= 0) compare_bodies(c, i, j);
  }
  if (c->a.reduced->base.m > 0 &&
      c->b.reduced->base.m > 0) /* one that is fixed to the world may have none */
    compare_masses(c, -1, -1, c->a.model->links[c->a.reduced->root].name);
  missing(c, &c->a, &c->b);
  missing(c, &c->b, &c->a);
  for (int k = 0; k < c->count; k++) {
    if (c->list[k].what == WORDS) continue;
    const ag_model changed = changed_model(c, &c->list[k]);
    if (!measure(c, &changed, &c->list[k].change)) return false;
  }
  if (c->count > 0) qsort(c->list, (size_t)c->count, sizeof *c->list, by_change);
  for (int k = 0; k < c->count; k++)
    if (c->list[k].change > 0)
      fprintf(to, "%10.4g  %s\n", c->list[k].change, c->list[k].text);
    else
      fprintf(to, "%10s  %s\n", "-", c->list[k].text);
  return true;
}

bool ag_compare(const ag_model *model, const ag_model *other, FILE *to, int *count, ag_arena *arena,
                ag_err *err) {
  comparer c = {.arena = arena, .err = err};
  const bool good =
      open_robot(&c.a, model, arena, err) && open_robot(&c.b, other, arena, err) && compare(&c, to);
  *count = c.count;
  ag_script_close(c.a.script);
  ag_script_close(c.b.script);
  return good;
}
