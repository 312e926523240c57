/* SPDX-License-Identifier: MIT */
/* reduce.h: from a model to the moving bodies that a layout selects: a sub-tree, its locked joints
 * frozen, what is rigid merged. */
#ifndef AG_REDUCE_H
#define AG_REDUCE_H

#include "model/bodies.h"

/* Fails on: no moving joint on a fixed base; a base that is not the one which a planar or floating
 * joint of the URDF says; tips that are not below root; a mimic joint whose leader is not selected.
 * `layout` is the file to blame for a selection that does not fit. Kinematics needs no inertias: an
 * inertial that is none, and a moving joint (or moving base) whose articulated inertia can vanish
 * (nothing with mass, rotational inertia, run-time inertia or armature beyond it that the joint
 * must move) are faults of what is made, not failures. */
bool ag_model_reduce(const ag_model *model, const ag_selection *selection, const char *layout,
                     ag_reduced *reduced, ag_arena *arena, ag_err *err);

#endif
