/* SPDX-License-Identifier: MIT */
/* mjcf_model.h: what MJCF alone says of a robot beside its tree: closed loops, and postures. */
#ifndef AG_MJCF_MODEL_H
#define AG_MJCF_MODEL_H

#include "model/document.h"
#include "model/links.h"

/* The ties and postures of a document, by the links of its model, which are there already. */
void ag_model_from_mjcf(const ag_urdf *doc, ag_model *model, ag_arena *arena);

#endif
