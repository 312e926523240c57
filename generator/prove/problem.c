/* SPDX-License-Identifier: MIT */
/* problem.c: see problem.h */
#include "prove/problem.h"

#include <string.h>

ag_vec ag_vec_of(const ag_value *list) {
  ag_vec v;
  for (int k = 0; k < 3; k++) v.x[k] = ag_value_at(list, k);
  return v;
}

ag_mass ag_mass_of(const ag_value *table) {
  const ag_value *I = ag_value_list(table, "I");
  ag_number six[6];
  for (int k = 0; k < 6; k++) six[k] = ag_value_at(I, k);
  return (ag_mass){ag_value_exact(table, "m"), ag_vec_of(ag_value_list(table, "h")),
                   ag_symmetric(six)};
}

static ag_mat mat_of(const ag_value *R) {
  ag_mat A;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A.x[i][j] = ag_value_at(&R->items[i], j);
  return A;
}

ag_site ag_site_of(const ag_value *table) {
  ag_site site = {.body = ag_value_integer(table, "body")};
  const ag_value *id = ag_value_item(table, "id");
  site.place.p = ag_vec_of(ag_value_list(table, "p"));
  site.place.R = mat_of(ag_value_list(table, "R"));
  if (id) site.id = id->text;
  return site;
}

static void read_bodies(ag_problem *p, ag_arena *arena) {
  static const char *const turns[] = {"gamma", "alpha", "theta"};
  const ag_value *bodies = ag_value_list(p->value, "bodies");
  p->nbodies = bodies->length;
  p->bodies = ag_alloc(arena, (size_t)(p->nbodies + 1) * sizeof *p->bodies);
  p->bodies[0] = (ag_solid){.mass = ag_mass_of(ag_value_list(p->value, "base"))};
  for (int i = 0; i < p->nbodies; i++) {
    const ag_value *b = &bodies->items[i];
    ag_solid *to = &p->bodies[i + 1];
    *to = (ag_solid){.parent = ag_value_integer(b, "parent"),
                     .slides = ag_value_boolean(b, "prismatic"),
                     .p = ag_vec_of(ag_value_list(b, "p")),
                     .mass = ag_mass_of(ag_value_list(b, "inertia")),
                     .joint = ag_value_integer(b, "joint") - 1,
                     .ratio = ag_value_exact(b, "ratio"),
                     .offset = ag_value_exact(b, "offset"),
                     .armature = ag_value_exact(b, "armature"),
                     .ball = ag_value_integer(b, "ball")};
    if (to->ball) to->quaternion = ag_value_text(b, "quaternion");
    if (to->ball == 1) {
      to->before = mat_of(ag_value_list(b, "before"));
      to->after = mat_of(ag_value_list(b, "after"));
    }
    for (int k = 0; k < 3; k++) {
      const ag_value *turn = ag_value_list(b, turns[k]);
      to->cosine[k] = ag_value_at(turn, 0);
      to->sine[k] = ag_value_at(turn, 1);
    }
  }
}

static ag_group read_group(const ag_value *g, ag_arena *arena) {
  static const char *const words[] = {"base", "link", "input", "joint"};
  const ag_value *rows = ag_value_list(g, "rows"), *frame = ag_value_item(g, "frame"),
                 *to = ag_value_item(g, "to");
  ag_group group = {.name = ag_value_text(g, "name"),
                    .nrows = rows->length,
                    .physical = ag_value_boolean(g, "physical"),
                    .free = ag_value_boolean(g, "free"),
                    .spatial = ag_value_boolean(g, "spatial"),
                    .yields = ag_value_boolean(g, "yields"),
                    .maskable = ag_value_boolean(g, "maskable"),
                    .tie = to != NULL,
                    .joints = ag_value_integers(ag_value_list(g, "joints"), -1, arena),
                    .value = g};
  const char **names = ag_alloc(arena, (size_t)(rows->length + 1) * sizeof *names);
  for (int k = 0; k < rows->length; k++) names[k] = rows->items[k].text;
  group.rows = names;
  for (int k = 0; k < 4; k++)
    if (ag_value_is(g, "axes", words[k])) group.axes = (ag_axes)k;
  if (frame) group.frame = ag_site_of(frame);
  if (to) group.to = ag_site_of(to);
  return group;
}

static void read_rows(ag_problem *p, ag_arena *arena) {
  const ag_value *groups = ag_value_list(p->value, "groups"),
                 *joints = ag_value_list(p->value, "joint_groups"),
                 *wrenches = ag_value_list(p->value, "wrenches");
  p->ngroups = groups->length;
  p->groups = ag_alloc(arena, (size_t)(p->ngroups + 1) * sizeof *p->groups);
  for (int k = 0; k < p->ngroups; k++) p->groups[k] = read_group(&groups->items[k], arena);
  p->njoint_rows = joints->length;
  p->joint_rows = ag_alloc(arena, (size_t)(p->njoint_rows + 1) * sizeof *p->joint_rows);
  for (int k = 0; k < p->njoint_rows; k++) {
    const ag_value *g = &joints->items[k];
    const ag_value *motors = ag_value_list(g, "motors");
    const int of_motors = motors->length;
    p->joint_rows[k] =
        (ag_joint_rows){.nrows = ag_value_list(g, "rows")->length,
                        .joints = ag_value_integers(ag_value_list(g, "joints"), -1, arena),
                        .motors = of_motors ? ag_value_integers(motors, -1, arena) : NULL,
                        .physical = ag_value_boolean(g, "physical"),
                        .friction = ag_value_boolean(g, "friction"),
                        .limits = ag_value_boolean(g, "limits"),
                        .given_b = ag_value_boolean(g, "given_b"),
                        .value = g};
  }
  p->nwrenches = wrenches->length;
  p->wrenches = ag_alloc(arena, (size_t)(p->nwrenches + 1) * sizeof *p->wrenches);
  for (int k = 0; k < p->nwrenches; k++) {
    const ag_value *w = &wrenches->items[k];
    p->wrenches[k] = (ag_pusher){ag_value_text(w, "name"), ag_value_boolean(w, "physical"),
                                 ag_site_of(ag_value_list(w, "frame"))};
  }
}

static void read_gears(ag_problem *p, ag_arena *arena) {
  const ag_value *motors = ag_value_list(p->value, "motors");
  p->ngears = motors->length;
  p->gears = ag_alloc(arena, (size_t)(p->ngears + 1) * sizeof *p->gears);
  for (int k = 0; k < p->ngears; k++) {
    const ag_value *m = &motors->items[k];
    p->gears[k] = (ag_gear){ag_value_list(m, "ratio"),    ag_value_exact(m, "inertia"),
                            ag_value_exact(m, "viscous"), ag_value_exact(m, "coulomb"),
                            ag_value_exact(m, "effort"),  ag_value_boolean(m, "beside")};
  }
}

ag_problem *ag_problem_read(const ag_value *value, ag_arena *arena) {
  ag_problem *p = ag_alloc(arena, sizeof *p);
  *p = (ag_problem){.value = value,
                    .nbase = ag_value_integer(value, "nb"),
                    .njoints = ag_value_integer(value, "nj"),
                    .saturate = ag_value_boolean(value, "saturate"),
                    .by_motors = ag_value_boolean(value, "by_motors"),
                    .scales = ag_value_boolean(value, "scales"),
                    .spatial_acc = ag_value_boolean(value, "spatial_acc"),
                    .spatial_family = ag_value_boolean(value, "spatial_family"),
                    .singularity = ag_value_text(value, "singularity"),
                    .equations = ag_value_item(value, "equations"),
                    .sets = ag_value_list(value, "sets"),
                    .rows_first = ag_value_boolean(value, "rows_first"),
                    .threshold = ag_value_exact(value, "threshold"),
                    .no_bound = ag_value_exact(value, "no_bound")};
  read_bodies(p, arena);
  read_rows(p, arena);
  read_gears(p, arena);
  const ag_value *frames = ag_value_list(value, "frames");
  p->nframes = frames->length;
  p->frames = ag_alloc(arena, (size_t)(p->nframes + 1) * sizeof *p->frames);
  for (int k = 0; k < p->nframes; k++) p->frames[k] = ag_site_of(&frames->items[k]);
  const ag_value *passive = ag_value_list(value, "passive"),
                 *effort = ag_value_list(value, "effort");
  p->passive = ag_alloc(arena, (size_t)(p->njoints + 1) * sizeof *p->passive);
  p->effort = ag_alloc(arena, (size_t)(p->njoints + 1) * sizeof *p->effort);
  for (int j = 0; j < p->njoints; j++) {
    p->passive[j] = passive->items[j].number != 0;
    p->effort[j] = ag_value_at(effort, j);
  }
  return p;
}
