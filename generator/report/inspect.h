/* SPDX-License-Identifier: MIT */
/* inspect.h: what achdgen made of a robot and a layout, for people (--inspect). */
#ifndef AG_INSPECT_H
#define AG_INSPECT_H

#include "model/bodies.h"
#include "graph/graph.h"

/* Prints the robot, the layout, and the functions with their operations. */
void ag_inspect(const ag_model *model, const ag_reduced *reduced, const ag_header *header,
                FILE *to);

/* Prints what is in the robot's file and not in the model, a line each; nothing: nothing is lost. */
void ag_losses(const ag_model *model, FILE *to);

#endif
