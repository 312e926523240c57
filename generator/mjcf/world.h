/* SPDX-License-Identifier: MIT */
/* world.h: what is simulated: a robot and the scene around it. */
#ifndef AG_WORLD_H
#define AG_WORLD_H

#include "base/err.h"
#include "base/value.h"
#include "model/bodies.h"

typedef struct ag_world {
  const ag_urdf *doc;        /* the shapes of links */
  const ag_model *model;     /* as the layout has it */
  const ag_reduced *reduced; /* what the layout selects of it */
  const ag_value *physics;   /* gravity, rotors, friction, loads, frames: main.lua, physics */
  const ag_value *scene;     /* as scene.lua returns it; NULL: none is given */
  const char *scene_path;    /* of its file */
  const char *name;          /* prefix of generated C */
  const char *command;       /* that makes it */
  bool motors;               /* one for each joint, not one for each mode of a drive */
} ag_world;

/* The selected links as a tree of MuJoCo's bodies. Arrays are indexed by link. */
typedef struct ag_tree {
  int nlinks, root;
  ag_joint_type base;
  bool *kept, *moves;      /* selected; carried by a joint that moves */
  int *body;               /* of reduced; -1: the base */
  ag_pose *place;          /* in the parent link's frame at q = begin; of the root in the world */
  double *begin;           /* position of the joint; 0, or where linkages are closed */
  ag_inertia *inertia;     /* that the body gets, about its link frame's origin */
  const char **name;       /* of the body: the link's, but for "world" */
  const ag_value **joints; /* what physics says of the joint; NULL: nothing */
} ag_tree;

/* The scene's word about the robot; NULL: there is none. */
const ag_value *ag_world_robot(const ag_world *world, const char *word);

/* Of a list of {link, KEY} the item of this link; NULL: there is none. */
const ag_value *ag_item_of_link(const ag_value *list, int link, const char *key);

/* The numbers of a list. */
void ag_numbers_of(const ag_value *list, double *numbers, int count);

/* The pose that `position` and `quaternion` of a table give. */
ag_pose ag_pose_of_value(const ag_value *table);

/* The site at a link's origin. */
const char *ag_tree_site(const ag_tree *tree, int link, ag_arena *arena);

void ag_tree_build(const ag_world *world, ag_tree *tree, ag_arena *arena);

/* Fails where the scene names what the layout leaves out: links, or joints that do not move. */
bool ag_scene_check(const ag_world *world, const ag_tree *tree, ag_err *err);

#endif
