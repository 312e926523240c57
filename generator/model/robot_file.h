/* SPDX-License-Identifier: MIT */
/* robot_file.h: a robot's description, URDF, MJCF or SDF, to a raw document. */
#ifndef AG_ROBOT_FILE_H
#define AG_ROBOT_FILE_H

#include "base/err.h"
#include "model/model.h"

/* path: "-" is standard input. Which language it is in, the root element tells. snap: see ag_model_build. */
bool ag_robot_read(const char *path, bool snap, ag_urdf *doc, ag_arena *arena, ag_err *err);

/* The document and its model, with warnings of numbers that are hardly meant. */
bool ag_robot_model(const char *path, bool snap, ag_urdf *doc, ag_model *model, ag_arena *arena,
                    ag_err *err);

#endif
