/* SPDX-License-Identifier: MIT */
/* urdf.h: the elements of a URDF to a raw document.
 *
 * The document says what the file says: numbers as written, elements with their line, nothing
 * checked beyond form. What it means is model.h's. */
#ifndef AG_URDF_H
#define AG_URDF_H

#include "base/err.h"
#include "model/document.h"
#include "model/markup.h"

/* Whether the file's name says that it is xacro's: fails then. */
bool ag_urdf_is_xacro(const ag_urdf *doc, ag_arena *arena, ag_err *err);

/* root: the root element; fails where it is no <robot>. Links and joints are appended. */
bool ag_urdf_of(const ag_element *root, ag_urdf *doc, ag_arena *arena, ag_err *err);

#endif
