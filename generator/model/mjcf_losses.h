/* SPDX-License-Identifier: MIT */
/* mjcf_losses.h: what stands in a body, or at the top of a file, and is not in the model. */
#ifndef AG_MJCF_LOSSES_H
#define AG_MJCF_LOSSES_H

#include "model/mjcf_reader.h"

/* Of a body, or the world (name NULL), once for each kind of element: shapes, cameras, lights, frames that cannot
 * be named; and forces that MuJoCo makes. childclass: the class of what stands in it. */
bool ag_mjcf_tell_body(const ag_mjcf *m, const ag_element *body, const char *name, int childclass);

/* Of a tendon: what it is, and its limits. */
bool ag_mjcf_tell_tendon(const ag_mjcf *m, const ag_mjcf_item *tendon, const char *name);

/* Of a section of the file. */
bool ag_mjcf_tell_section(const ag_mjcf *m, const ag_element *section);

#endif
