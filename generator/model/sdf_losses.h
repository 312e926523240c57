/* SPDX-License-Identifier: MIT */
/* sdf_losses.h: what stands in an SDF file and is not in the model. */
#ifndef AG_SDF_LOSSES_H
#define AG_SDF_LOSSES_H

#include "model/sdf_models.h"

/* Of the file, its world, and all models, links and joints: what is left out, and what that changes; words that
 * nobody knows, as warnings, too. */
void ag_sdf_tell(const ag_sdf *s, const ag_element *root);

#endif
