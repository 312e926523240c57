/* SPDX-License-Identifier: MIT */
/* shapes.h: what touches: the shapes of the robot's links, and those of objects. */
#ifndef AG_SHAPES_H
#define AG_SHAPES_H

#include "base/note.h"
#include "base/text.h"
#include "mjcf/world.h"

/* A <geom>. Scene and robot touch each other, as do two objects; links of the robot touch one
 * another only where the scene says self_contact. */
typedef struct ag_geom {
  const char *type;        /* of MuJoCo: "box", "sphere", ... */
  const char *name;        /* NULL: none */
  double size[3];          /* half sizes; or radius and half length */
  int nsize;               /* 1 to 3 */
  ag_pose pose;            /* in the body's frame */
  const ag_value *surface; /* as scene.lua returns it; NULL: that of the other */
  bool robot;              /* a link's */
  bool self_contact;
  bool drawn; /* only: it touches nothing */
  const char *rgba;
} ag_geom;

void ag_geom_add(ag_text *xml, const ag_geom *geom);

/* What shapes are taken of. */
typedef struct ag_shapes_of {
  const ag_world *world;
  const ag_tree *tree;
  ag_note **notes;
  int *nnotes;
  ag_arena *arena;
  bool touching; /* what a tool touches is meant: a capsule that ends beyond the flange is noted */
} ag_shapes_of;

/* Calls take with each shape of a link: those of the scene; else the primitive ones of <collision>, else of
 * <visual>; else capsules to where the next links begin, or to the centre of mass. What is no shape
 * is noted and left out. */
void ag_shapes_visit(const ag_shapes_of *of, int link,
                     void (*take)(void *context, const ag_geom *geom), void *context);

/* Adds them to a body. */
void ag_shapes_add(ag_text *xml, const ag_world *world, const ag_tree *tree, int link,
                   ag_note **notes, int *nnotes);

#endif
