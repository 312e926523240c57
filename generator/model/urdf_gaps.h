/* SPDX-License-Identifier: MIT */
/* urdf_gaps.h: what files leave out, and readers of URDF know nevertheless. */
#ifndef AG_URDF_GAPS_H
#define AG_URDF_GAPS_H

#include "model/document.h"

/* Gives a document that has been read what it leaves out, with a warning of each: products of inertia that are missing,
 * which are NaN, are 0; and a link "world" that joints name as their parent, and nobody declares, is there. There is room for
 * a link more in doc->links. */
void ag_urdf_fill_gaps(ag_urdf *doc, ag_arena *arena);

#endif
