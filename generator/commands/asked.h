/* SPDX-License-Identifier: MIT */
/* asked.h: what a command line requests. */
#ifndef AG_ASKED_H
#define AG_ASKED_H

#include "commands/describe.h"
#include "emit/header.h"

typedef enum ag_action {
  AG_WRITE,
  AG_INIT,
  AG_INSPECT,
  AG_LOSSES,
  AG_COMPARE,
  AG_COLUMNS,
  AG_EVAL,
  AG_CHECK,
  AG_DESCRIBE,
  AG_PROVE,
  AG_GAPPA,
  AG_FORMULAS,
  AG_PAGE,
  AG_MJCF,
  AG_LOOP,
  AG_CAPSULES
} ag_action;

typedef struct ag_options { /* what is not given is NULL, 0 or the default */
  double box;               /* of --gappa: half the width of each input */
  const char *gappa;        /* the output that it is about */
  const char *formulas;     /* the output that formulas lead to */
  const char *urdf, *layout, *output, *name, *formulation, *svg, *dot, *mermaid, *fsm, *depfile,
      *mjcf, *page, *other, *scene, *description, *kdl;
  ag_description_kind kind; /* of the description */
  const char **functions;
  int nfunctions;
  bool all_functions; /* those that robot and layout allow */
  ag_target target;   /* parts: most operations in a part; 0: functions are whole; AG_PARTS_LONG */
  bool snap;
  bool quiet, strict; /* no warnings; warnings are errors */
  bool coord2b;       /* of a machine: tables for coord2b */
  ag_mode mode;
  bool casadi;
  bool motors; /* of a model for MuJoCo: one for each joint */
  ag_action action;
  int states;                /* of a check */
  int points;                /* of a proof; 0: none */
  const char *first;         /* of --init: "layout", "loop", "task" or "machine" */
  const char *command;       /* as the banner shows it */
  const char *plain_command; /* the same without --lanes */
} ag_options;

#endif
