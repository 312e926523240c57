/* SPDX-License-Identifier: MIT */
/* compound.h: joints of several freedoms, written as joints of one each. */
#ifndef AG_COMPOUND_H
#define AG_COMPOUND_H

#include "model/document.h"

/* The document with each ball joint written as three joints, NAME_x, NAME_y and NAME_z, which `ball`
 * marks, and each universal joint as two revolute ones, NAME_1 and NAME_2, with massless links in
 * between. The document itself, where it has none. */
const ag_urdf *ag_compound_expand(const ag_urdf *doc, ag_arena *arena);

#endif
