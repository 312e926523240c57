/* SPDX-License-Identifier: MIT */
/* exclusions.h: options of a robot that do not go together. */
#ifndef AG_EXCLUSIONS_H
#define AG_EXCLUSIONS_H

#include "commands/asked.h"

enum {              /* what an option is */
       VALUE = 1,   /* it takes a value */
       ROBOT = 2,   /* it is for robots, not for machines and tasks */
       HEADER = 4,  /* it is about the header: not where something else is printed */
       INSTEAD = 8, /* it prints something instead of writing a header */
       OUT = 16,    /* it names an output: no part of the command in the banner */
       CODE = 32,   /* it is about generated functions */
       SHAPES = 64  /* it takes no value, and the header depends on it */
};

struct option {
  const char *word;
  const char *argument; /* as --help writes it; NULL: none */
  unsigned is;
  ag_action action;
  const char *const *words; /* that its value is one of; NULL: it is any */
  const char *help;         /* %s: the list of functions */
  const char *title;        /* of what begins with it; NULL: nothing does */
};

typedef struct ag_given_options {
  const struct option *known;
  const char *const *value; /* by option: its value or ""; NULL: it is not given */
  int count;
} ag_given_options;

bool ag_options_agree(const ag_options *options, const ag_given_options *given, ag_arena *arena,
                      ag_err *err);

#endif
