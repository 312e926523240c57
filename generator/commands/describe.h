/* SPDX-License-Identifier: MIT */
/* describe.h: descriptions that need no robot: a state machine (--machine), tasks (--task). Read
 * and checked by a script of their own, written as headers of const tables for the runtime library.
 */
#ifndef AG_DESCRIBE_H
#define AG_DESCRIBE_H

#include "base/arena.h"
#include "base/err.h"

typedef enum ag_description_kind { AG_MACHINE, AG_TASK } ag_description_kind;

typedef struct ag_description {
  ag_description_kind kind;
  const char *path;
  bool coord2b;       /* tables of a machine for coord2b in place of the runtime library's */
  const char *output; /* NULL: NAME_machine.h, NAME_coord2b.h, NAME_task.h here; "-": standard
                         output */
  const char *svg, *dot, *mermaid, *fsm; /* of a machine; NULL: none; "-": standard output */
  const char *depfile;                   /* NULL: none */
  bool quiet, strict;                    /* no warnings; warnings are errors */
  const char *command;                   /* as the banner shows it */
} ag_description;

/* Checks a description and writes its header and drawing. False: err says why, and nothing is
 * written. */
bool ag_describe(const ag_description *description, ag_arena *arena, ag_err *err);

#endif
