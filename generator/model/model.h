/* SPDX-License-Identifier: MIT */
/* model.h: a raw URDF document to a checked tree of links in SI numbers. No XML, no Lua.
 *
 * Every anomaly of a raw URDF document is an error or a warning with file and line, never a silent
 * drop. */
#ifndef AG_MODEL_H
#define AG_MODEL_H

#include "model/links.h"

/* With snap, angles are taken for the multiple of pi/4 whose decimals they have, rounded (four of them at
 * least, as many as the file has) or cut off (five at least), and angles below 1e-9 for zero; their sines
 * and cosines are then exact. Likewise components of an axis below 1e-9. Without it, numbers are those
 * of the file. */
bool ag_model_build(const ag_urdf *doc, bool snap, ag_model *model, ag_arena *arena, ag_err *err);

/* The link that a layout's default root is: the root of the tree, or the child of the planar or
 * floating joint there. */
int ag_model_base(const ag_model *model);

#endif
