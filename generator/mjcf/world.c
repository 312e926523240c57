/* SPDX-License-Identifier: MIT */
/* world.c: see world.h */
#include "mjcf/world.h"

#include "mjcf/turn.h"

#include <string.h>

const ag_value *ag_world_robot(const ag_world *world, const char *word) {
  return world->scene ? ag_value_item(ag_value_list(world->scene, "robot"), word) : NULL;
}

const ag_value *ag_item_of_link(const ag_value *list, int link, const char *key) {
  for (int k = 0; list && k < list->length; k++)
    if (ag_value_integer(&list->items[k], "link") == link + 1)
      return ag_value_item(&list->items[k], key);
  return NULL;
}

void ag_numbers_of(const ag_value *list, double *numbers, int count) {
  for (int k = 0; k < count; k++) numbers[k] = list->items[k].number;
}

ag_pose ag_pose_of_value(const ag_value *table) {
  ag_pose pose = ag_pose_identity;
  double quaternion[4];
  ag_numbers_of(ag_value_list(table, "position"), pose.p, 3);
  ag_numbers_of(ag_value_list(table, "quaternion"), quaternion, 4);
  ag_rotation_of_quaternion(quaternion, pose.R);
  return pose;
}

/* MuJoCo's own world is called "world". */
static const char *body_name(const ag_model *model, int link, ag_arena *arena) {
  const char *name = model->links[link].name;
  if (strcmp(name, "world") != 0) return name;
  do name = ag_printf(arena, "%s_", name);
  while (ag_model_link(model, name) >= 0);
  return name;
}

/* Where the joint at q puts its child in the parent. */
static ag_pose begun(const ag_joint *joint, double q) {
  const ag_pose moved = ag_pose_of_motion(joint->type, joint->axis, q, false);
  return q == 0 ? joint->origin : ag_pose_mul(&joint->origin, &moved);
}

const char *ag_tree_site(const ag_tree *tree, int link, ag_arena *arena) {
  return ag_printf(arena, "%s_site", tree->name[link]);
}

void ag_tree_build(const ag_world *world, ag_tree *tree, ag_arena *arena) {
  const ag_model *model = world->model;
  const ag_reduced *reduced = world->reduced;
  const size_t n = (size_t)model->nlinks;
  *tree = (ag_tree){.nlinks = model->nlinks,
                    .root = reduced->root,
                    .kept = ag_alloc(arena, n * sizeof *tree->kept),
                    .moves = ag_alloc(arena, n * sizeof *tree->moves),
                    .body = ag_alloc(arena, n * sizeof *tree->body),
                    .place = ag_alloc(arena, n * sizeof *tree->place),
                    .begin = ag_alloc(arena, n * sizeof *tree->begin),
                    .inertia = ag_alloc(arena, n * sizeof *tree->inertia),
                    .name = ag_alloc(arena, n * sizeof *tree->name),
                    .joints = ag_alloc(arena, n * sizeof *tree->joints)};
  const char *base = ag_value_text(world->physics, "base");
  while (strcmp(ag_joint_type_names[tree->base], base) != 0) tree->base++;
  ag_pose *in_body = ag_alloc(arena, n * sizeof *in_body);
  for (int k = 0; k < reduced->nframes; k++) {
    const ag_frame *frame = &reduced->frames[k];
    tree->kept[frame->link] = true;
    tree->body[frame->link] = frame->body;
    in_body[frame->link] = frame->pose;
    tree->inertia[frame->link] = model->links[frame->link].inertia;
    tree->name[frame->link] = body_name(model, frame->link, arena);
  }
  for (int k = 0; k < reduced->nbodies; k++) tree->moves[reduced->bodies[k].link] = true;
  const ag_value *joints = ag_value_list(world->physics, "joints");
  for (int k = 0; k < joints->length; k++)
    tree->joints[ag_value_integer(&joints->items[k], "link") - 1] = &joints->items[k];
  const ag_value *begin = ag_value_list(world->physics, "begin");
  for (int k = 0; k < begin->length; k++)
    tree->begin[ag_value_integer(&begin->items[k], "link") - 1] =
        ag_value_number(&begin->items[k], "value");
  for (int i = 0; i < model->nlinks; i++) {
    const ag_link *link = &model->links[i];
    if (!tree->kept[i]) continue;
    if (i == tree->root)
      tree->place[i] =
          world->scene ? ag_pose_of_value(ag_value_list(world->scene, "robot")) : ag_pose_identity;
    else if (tree->moves[i])
      tree->place[i] = begun(&link->joint, tree->begin[i]);
    else
      tree->place[i] = ag_pose_between(&in_body[link->parent], &in_body[i]);
  }
  const ag_value *loads = ag_value_list(world->physics, "payloads");
  for (int k = 0; k < loads->length; k++) {
    const ag_value *load = &loads->items[k];
    ag_inertia own = {.m = ag_value_number(load, "m")};
    ag_numbers_of(ag_value_list(load, "h"), own.h, 3);
    ag_numbers_of(ag_value_list(load, "I"), own.I, 6);
    ag_inertia_add(&tree->inertia[ag_value_integer(load, "link") - 1], &own);
  }
}

static bool there(const ag_world *world, const ag_tree *tree, const char *word, int link,
                  bool moves, ag_err *err) {
  const ag_link *own = &world->model->links[link];
  if (tree->kept[link] && (!moves || tree->moves[link])) return true;
  return ag_fail(err, world->scene_path, 0,
                 "leave it out, or change what the layout selects: root, tips, locked",
                 "\"%s\" names %s \"%s\", which %s in this layout", word, moves ? "joint" : "link",
                 moves ? own->joint.name : own->name, moves ? "does not move" : "is not");
}

bool ag_scene_check(const ag_world *world, const ag_tree *tree, ag_err *err) {
  static const char *const by_joint[] = {"posture",  "armature",        "damping",
                                         "friction", "torque_constant", "servo"};
  if (!world->scene) return true;
  for (size_t k = 0; k < sizeof by_joint / sizeof *by_joint; k++) {
    const ag_value *list = ag_world_robot(world, by_joint[k]);
    for (int i = 0; i < list->length; i++)
      if (!there(world, tree, by_joint[k], ag_value_integer(&list->items[i], "link") - 1, true,
                 err))
        return false;
  }
  const ag_value *shapes = ag_world_robot(world, "shapes"), *imu = ag_world_robot(world, "imu");
  const ag_value *sensors = ag_world_robot(world, "force_torque");
  const ag_value *objects = ag_value_list(world->scene, "objects");
  const ag_value *drawn = ag_world_robot(world, "no_contact");
  for (int i = 0; i < drawn->length; i++)
    if (!there(world, tree, "no_contact", (int)drawn->items[i].number - 1, false, err))
      return false;
  for (int i = 0; i < shapes->length; i++)
    if (!there(world, tree, "shapes", ag_value_integer(&shapes->items[i], "link") - 1, false, err))
      return false;
  for (int i = 0; sensors && i < sensors->length; i++)
    if (!there(world, tree, "force_torque", (int)sensors->items[i].number - 1, false, err))
      return false;
  for (int i = 0; i < objects->length; i++) {
    const ag_value *holder = ag_value_item(&objects->items[i], "held_by");
    if (holder && !there(world, tree, "held_by", (int)holder->number - 1, false, err)) return false;
  }
  return !imu || there(world, tree, "imu", (int)imu->number - 1, false, err);
}
