/* SPDX-License-Identifier: MIT */
/* depfile.h: what a header was made of, written for Make and Ninja. */
#ifndef AG_DEPFILE_H
#define AG_DEPFILE_H

#include "base/inputs.h"

/* The targets depend on the inputs. */
typedef struct ag_rule {
  const char *const *targets;
  int ntargets;
  const ag_input_file *inputs;
  int ninputs;
} ag_rule;

/* The rule in Make's syntax. Each input has an empty rule of its own, so that Make goes on when it is
 * gone. Fails where a path cannot be written so. */
bool ag_depfile_text(const ag_rule *rule, const char **text, ag_arena *arena, ag_err *err);

#endif
