/* urdf.h: URDF text to a raw document. The only step that knows XML (libxml2).
 *
 * The document says what the file says: numbers as written, elements with their line, nothing
 * checked beyond form. What it means is model.h's. No network, no entity expansion, bounded depth
 * and size. */
#ifndef AG_URDF_H
#define AG_URDF_H

#include "base/err.h"
#include "model/document.h"

/* path: "-" is standard input. */
bool ag_urdf_read(const char *path, ag_urdf *doc, ag_arena *arena, ag_err *err);

#endif
