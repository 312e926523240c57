/* SPDX-License-Identifier: MIT */
/* script.h: the algorithms, which are Lua, run on a model and a layout. The only step that knows
 * Lua: layouts are sandboxed (no io, no os, no bytecode, bounded memory and instruction count). */
#ifndef AG_SCRIPT_H
#define AG_SCRIPT_H

#include "base/inputs.h"
#include "base/value.h"
#include "script/request.h"

/* Reads the layout and builds every function's program into header. On success *script stays open
 * for ag_script_numbers; close it in any case. */
bool ag_script_build(const ag_model *model, const ag_script_options *options, ag_header *header,
                     ag_script **script, ag_arena *arena, ag_err *err);

/* The robot with the inertials and limits that the layout gives, else those of the model. */
const ag_model *ag_script_model(const ag_script *script);

/* What there is to begin with, as text: "layout": one of the robot, with every word that it could use in comments; for the
 * control loop a layout, "loop", tasks, "task", and a state machine, "machine". */
bool ag_script_first(const ag_model *model, const char *what, const char **text, ag_arena *arena,
                     ag_err *err);

/* The robot as the layout cut it. */
const ag_reduced *ag_script_reduced(const ag_script *script);

/* The layout and what it includes; none without a layout. */
const ag_sources *ag_script_sources(const ag_script *script);

/* Runs the script of function `index` on plain numbers, no DAG in between: in and out as ag_eval's.
 */
bool ag_script_numbers(ag_script *script, int index, const double *in, double *out,
                       unsigned *status, ag_err *err);

/* What function `index` is about, as data (problem.lua): the robot in the frames that the function
 * was made in, with the exact numbers behind its doubles, and what the layout asks for. */
bool ag_script_problem(ag_script *script, int index, ag_value *problem, ag_err *err);
/* What a simulator needs beside the tree: gravity, armature and friction, loads, frames of rows. */
bool ag_script_physics(ag_script *script, ag_value *result, ag_err *err);

/* The robot for the control loop in C: joints with limits, and what of the layout is the loop's (loop_table.lua); fails
 * on what the loop cannot have. */
bool ag_script_loop(ag_script *script, ag_value *result, ag_err *err);

/* A description of something else than a layout. */
typedef struct ag_told {
  const char *path;
  const char *module;    /* the compiled-in script that reads it */
  const ag_model *model; /* the robot that it is about; NULL: it is about none */
} ag_told;

/* Runs it in the layouts' sandbox, and has its module read it: *result is what that one makes of it,
 * *sources the files it stood in. The module `fsm` reads the description's text itself, which is no
 * Lua. */
bool ag_script_describe(const ag_told *told, ag_value *result, ag_sources *sources, ag_arena *arena,
                        ag_err *err);

/* Frees the scripts' state. */
void ag_script_close(ag_script *script);

#endif
