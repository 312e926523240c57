/* SPDX-License-Identifier: MIT */
/* capsules.c: see capsules.h */
#include "mjcf/capsules.h"

#include "base/random.h"
#include "base/text.h"
#include "base/version.h"
#include "mjcf/shapes.h"

#include <achd/capsule.h>
#include <math.h>

enum { MOST = ACHD_CAPSULES, POSTURES = 200 }; /* capsules, and links; at which pairs are tried */

static const double half_turn = 3.14159265358979323846; /* [rad] */

typedef struct capsule {
  int body; /* of reduced; -1: the base */
  double ends[2][3], radius;
} capsule;

typedef struct table {
  const ag_world *world;
  ag_pose in_body; /* of the link whose shapes are taken */
  int body;
  capsule *capsules;
  int count;
  int pairs[MOST * MOST][2], npairs;
} table;

/* ---- capsules of shapes ---- */

static void point_at(const ag_pose *pose, const double v[3], double point[3]) {
  for (int i = 0; i < 3; i++)
    point[i] = pose->p[i] + pose->R[i][0] * v[0] + pose->R[i][1] * v[1] + pose->R[i][2] * v[2];
}

/* Half sizes of a box or an ellipsoid, or radius and half length along z. */
static void take(void *context, const ag_geom *geom) {
  table *t = context;
  const bool box = geom->nsize == 3;
  int along = 2;
  double radius = geom->size[0], half = geom->nsize == 2 ? geom->size[1] : 0;
  if (geom->drawn) return;
  if (box) {
    for (int i = 0; i < 3; i++)
      if (geom->size[i] > geom->size[along]) along = i;
    radius = hypot(geom->size[(along + 1) % 3], geom->size[(along + 2) % 3]);
    half = geom->size[along];
  }
  if (t->count++ >= MOST) return;
  capsule *c = &t->capsules[t->count - 1];
  const ag_pose pose = ag_pose_mul(&t->in_body, &geom->pose);
  for (int end = 0; end < 2; end++) {
    double v[3] = {0, 0, 0};
    v[along] = end ? half : -half;
    point_at(&pose, v, c->ends[end]);
  }
  c->radius = radius;
  c->body = t->body;
}

/* ---- pairs ---- */

static bool has_capsule(const table *t, int body) {
  for (int k = 0; k < t->count; k++)
    if (t->capsules[k].body == body) return true;
  return false;
}

/* The next body towards the base that has a capsule; -1: the base. */
static int carrier(const table *t, int body) {
  const ag_reduced *reduced = t->world->reduced;
  body = reduced->bodies[body].parent;
  while (body >= 0 && !has_capsule(t, body)) body = reduced->bodies[body].parent;
  return body;
}

static bool are_neighbours(const table *t, int one, int other) {
  return one == other || (one >= 0 && carrier(t, one) == other) ||
         (other >= 0 && carrier(t, other) == one);
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double nearest_to(const double point[3], double ends[2][3]) {
  double d[3], r[3];
  for (int i = 0; i < 3; i++) d[i] = ends[1][i] - ends[0][i], r[i] = point[i] - ends[0][i];
  const double length = dot(d, d);
  const double s = length > 0 ? fmin(1, fmax(0, dot(d, r) / length)) : 0;
  for (int i = 0; i < 3; i++) r[i] -= s * d[i];
  return sqrt(dot(r, r));
}

/* Of two segments: between an end and the other segment, or between inner points, where the line that is
 * perpendicular to both meets them. */
static double between(double p[2][3], double q[2][3]) {
  double d[3], e[3], r[3], least = INFINITY;
  for (int end = 0; end < 2; end++)
    least = fmin(least, fmin(nearest_to(p[end], q), nearest_to(q[end], p)));
  for (int i = 0; i < 3; i++)
    d[i] = p[1][i] - p[0][i], e[i] = q[1][i] - q[0][i], r[i] = p[0][i] - q[0][i];
  const double a = dot(d, d), b = dot(d, e), c = dot(e, e), area = a * c - b * b;
  if (!(area > 1e-12 * a * c)) return least;
  const double s = (b * dot(e, r) - c * dot(d, r)) / area, u = (b * s + dot(e, r)) / c;
  if (s < 0 || s > 1 || u < 0 || u > 1) return least;
  for (int i = 0; i < 3; i++) r[i] += s * d[i] - u * e[i];
  return fmin(least, sqrt(dot(r, r)));
}

/* Poses of all bodies at positions at random. */
static void pose_bodies(const ag_world *world, uint64_t *random, ag_pose *poses) {
  const ag_reduced *reduced = world->reduced;
  double q[MOST];
  for (int k = 0; k < reduced->nbodies; k++) {
    const ag_body *body = &reduced->bodies[k];
    const ag_joint *joint = &world->model->links[body->link].joint;
    const bool slides = joint->type == AG_PRISMATIC;
    const double least = slides ? 0 : -half_turn, most = slides ? 0.5 : half_turn;
    q[k] = ag_random_between(random, isnan(joint->limits.lower) ? least : joint->limits.lower,
                             isnan(joint->limits.upper) ? most : joint->limits.upper);
    if (body->mimic >= 0) q[k] = joint->multiplier * q[body->mimic] + joint->offset;
    const ag_pose motion = ag_pose_of_motion(joint->type, body->axis, q[k], false);
    const ag_pose at = ag_pose_mul(&body->origin, &motion);
    poses[k] = body->parent < 0 ? at : ag_pose_mul(&poses[body->parent], &at);
  }
}

static void place(const table *t, const ag_pose *poses, int k, double ends[2][3]) {
  const capsule *c = &t->capsules[k];
  for (int end = 0; end < 2; end++)
    point_at(c->body < 0 ? &ag_pose_identity : &poses[c->body], c->ends[end], ends[end]);
}

/* Whether they part in one of some postures at random: by more than the sum of their radii. */
static void find_parted(const table *t, bool (*parted)[MOST]) {
  ag_pose poses[MOST];
  uint64_t random = 1;
  for (int n = 0; n < POSTURES; n++) {
    double ends[MOST][2][3];
    pose_bodies(t->world, &random, poses);
    for (int k = 0; k < t->count; k++) place(t, poses, k, ends[k]);
    for (int i = 0; i < t->count; i++)
      for (int j = i + 1; j < t->count; j++) {
        const double radii = t->capsules[i].radius + t->capsules[j].radius;
        parted[i][j] = parted[i][j] || between(ends[i], ends[j]) > 2 * radii;
      }
  }
}

static const char *body_name(const table *t, int k) {
  const ag_reduced *reduced = t->world->reduced;
  const int body = t->capsules[k].body;
  return t->world->model->links[body < 0 ? reduced->root : reduced->bodies[body].link].name;
}

/* left_out: names of those that never part. */
static void choose_pairs(table *t, ag_text *left_out) {
  bool parted[MOST][MOST] = {{false}};
  find_parted(t, parted);
  for (int i = 0; i < t->count; i++)
    for (int j = i + 1; j < t->count; j++) {
      if (are_neighbours(t, t->capsules[i].body, t->capsules[j].body)) continue;
      if (parted[i][j]) {
        t->pairs[t->npairs][0] = i;
        t->pairs[t->npairs++][1] = j;
      } else {
        ag_text_add(left_out, " *   %s and %s\n", body_name(t, i), body_name(t, j));
      }
    }
}

/* ---- the header ---- */

static const char *real(double x, ag_arena *arena) {
  const char *text = ag_decimal_text(arena, x + 0.0);
  return fabs(x) < 1e6 && x == (double)(int)x ? text : ag_printf(arena, "(achd_real)%s", text);
}

static const char *three(const double v[3], ag_arena *arena) {
  return ag_printf(arena, "{%s, %s, %s}", real(v[0], arena), real(v[1], arena), real(v[2], arena));
}

/* Number of a body's joint in the generated headers, in which those that mimic have none. */
static int joint_of(const ag_reduced *reduced, int body) {
  int joint = 0;
  for (int k = 0; k < body; k++) joint += reduced->bodies[k].mimic < 0;
  return joint;
}

/* The base is link 0, body k link k + 1. */
static void links_add(ag_text *text, const ag_world *world, const char *name) {
  const ag_reduced *reduced = world->reduced;
  ag_arena *arena = text->arena;
  ag_text_add(
      text,
      "static const achd_capsule_link %s_capsule_links[] = {\n"
      "  {-1, -1, false, {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, {0, 0, 0}, 0, 0}",
      name);
  for (int k = 0; k < reduced->nbodies; k++) {
    const ag_body *body = &reduced->bodies[k];
    const ag_joint *joint = &world->model->links[body->link].joint;
    const bool mimics = body->mimic >= 0;
    const double(*R)[3] = body->origin.R;
    ag_text_add(text, ",\n  {%d, %d, %s, {%s,\n   {{%s,\n     %s,\n     %s}}}, %s, %s, %s}",
                body->parent + 1, joint_of(reduced, mimics ? body->mimic : k),
                joint->type == AG_PRISMATIC ? "true" : "false", three(body->origin.p, arena),
                three(R[0], arena), three(R[1], arena), three(R[2], arena),
                three(body->axis, arena), real(mimics ? joint->multiplier : 1, arena),
                real(mimics ? joint->offset : 0, arena));
  }
  ag_text_add(text, "};\nstatic const char *const %s_capsule_names[] = {\n  \"%s\"", name,
              world->model->links[reduced->root].name);
  for (int k = 0; k < reduced->nbodies; k++)
    ag_text_add(text, ",\n  \"%s\"", world->model->links[reduced->bodies[k].link].name);
  ag_text_add(text, "};\n");
}

static void capsules_add(ag_text *text, const table *t, const char *name) {
  ag_arena *arena = text->arena;
  ag_text_add(text, "static const achd_capsule %s_capsule_table[] = {\n", name);
  for (int k = 0; k < t->count; k++) {
    const capsule *c = &t->capsules[k];
    ag_text_add(text, "  {%d, {%s,\n       %s}, %s}%s\n", c->body + 1, three(c->ends[0], arena),
                three(c->ends[1], arena), real(c->radius, arena), k + 1 < t->count ? "," : "};");
  }
  ag_text_add(text, "static const int %s_capsule_pairs[][2] = {", name);
  for (int k = 0; k < t->npairs; k++)
    ag_text_add(text, "%s{%d, %d}%s", k % 10 == 0 ? "\n  " : " ", t->pairs[k][0], t->pairs[k][1],
                k + 1 < t->npairs ? "," : "");
  ag_text_add(text, "};\n");
}

static const char *header_text(const table *t, const char *name, const ag_text *left_out,
                               ag_arena *arena) {
  const char *upper = ag_upper(arena, name);
  ag_text text = {.arena = arena};
  ag_text_add(&text,
              "/* %s_capsules: how near the links of %s are to each other (achd/capsule.h).\n"
              " * Made by achdgen " AG_VERSION ":\n *\n *   %s\n *\n"
              " * Pairs of links: all but neighbours, and but those that never come farther apart "
              "than the\n"
              " * sum of their radii:%s\n%s */\n"
              "#ifndef %s_CAPSULES_H\n#define %s_CAPSULES_H\n\n#include <achd/capsule.h>\n\n",
              name, t->world->model->name, t->world->command, left_out->chars ? "" : " none",
              left_out->chars ? left_out->chars : "", upper, upper);
  links_add(&text, t->world, name);
  capsules_add(&text, t, name);
  ag_text_add(&text,
              "static const achd_capsules %s_capsules = {\n"
              "  %d, %d, %d, %s_capsule_links, %s_capsule_table, %s_capsule_pairs, "
              "%s_capsule_names};\n\n#endif\n",
              name, t->world->reduced->nbodies + 1, t->count, t->npairs, name, name, name, name);
  return text.chars;
}

bool ag_capsules_text(const ag_world *world, const char **text, ag_note **notes, int *nnotes,
                      ag_arena *arena, ag_err *err) {
  const ag_reduced *reduced = world->reduced;
  ag_tree tree;
  table t = {.world = world, .capsules = ag_alloc(arena, MOST * sizeof(capsule))};
  ag_tree_build(world, &tree, arena);
  if (!ag_scene_check(world, &tree, err)) return false;
  ag_shapes_of of = {.world = world, .tree = &tree, .arena = arena};
  of.notes = notes;
  of.nnotes = nnotes;
  for (int k = 0; k < reduced->nframes; k++) {
    const ag_frame *frame = &reduced->frames[k];
    t.in_body = frame->pose;
    t.body = frame->body;
    ag_shapes_visit(&of, frame->link, take, &t);
  }
  if (t.count > MOST || reduced->nbodies >= MOST)
    return ag_fail(
        err, world->model->path, 0,
        "leave links out by a layout (tips, locked), or give them fewer shapes by --scene",
        "%d shapes on %d bodies: --capsules takes %d of each", t.count, reduced->nbodies + 1, MOST);
  ag_text left_out = {.arena = arena};
  choose_pairs(&t, &left_out);
  if (t.npairs == 0)
    return ag_fail(err, world->model->path, 0, "leave --capsules out",
                   "no two links of the robot that are no neighbours can come near each other");
  *text = header_text(&t, world->name, &left_out, arena);
  return true;
}
