/* SPDX-License-Identifier: MIT */
/* tree_drawing.h: a robot under a layout as a drawing: its kinematic tree with joints, bodies and
 * the frames on them, masses, constraint groups and wrenches (--inspect --svg). */
#ifndef AG_TREE_DRAWING_H
#define AG_TREE_DRAWING_H

#include "model/bodies.h"
#include "graph/graph.h"

/* The text of an SVG 1.1 file. Same inputs, same bytes. */
const char *ag_svg(const ag_model *model, const ag_reduced *reduced, const ag_header *header);

#endif
