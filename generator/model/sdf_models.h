/* SPDX-License-Identifier: MIT */
/* sdf_models.h: the models of an SDF file, with those that they include, to one list of frames. */
#ifndef AG_SDF_MODELS_H
#define AG_SDF_MODELS_H

#include "model/sdf_frames.h"

/* Declares the outermost model, all that stands in it, and resolves their poses. */
bool ag_sdf_models(ag_sdf *s, const ag_element *model);

/* The root element of an SDF file: its version into s->minor. Fails on what is no SDF 1.4 or later. */
bool ag_sdf_version(ag_sdf *s, const ag_element *root);

#endif
