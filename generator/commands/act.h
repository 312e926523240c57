/* SPDX-License-Identifier: MIT */
/* act.h: what the command line asks for, done with the robot's functions. */
#ifndef AG_ACT_H
#define AG_ACT_H

#include "commands/options.h"
#include "script/script.h"

/* The robot, as its URDF and the layout have it, and its functions. */
typedef struct ag_built {
  ag_urdf doc;
  ag_model model;
  ag_script_options options; /* that the functions were made with */
  ag_header header;
  ag_script *script;
} ag_built;

/* Writes, prints, checks or proves them. */
bool ag_act(const ag_options *options, ag_built *robot, ag_arena *arena, ag_err *err);

#endif
