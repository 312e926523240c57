/* SPDX-License-Identifier: MIT */
/* kdl.h: a robot's chain as KDL knows it, with its solvers (--kdl; runtime/achd/kdl.hpp). */
#ifndef AG_KDL_H
#define AG_KDL_H

#include "commands/asked.h"

/* Writes NAME_kdl.hpp: the generated functions of the chain, and the structure NAME_kdl that tells the
 * classes of achd/kdl.hpp about them. */
bool ag_kdl(const ag_options *options, ag_arena *arena, ag_err *err);

#endif
