/* SPDX-License-Identifier: MIT */
/* request.h: what is requested of the scripts. */
#ifndef AG_REQUEST_H
#define AG_REQUEST_H

#include "model/bodies.h"
#include "graph/graph.h"

typedef struct ag_script_options {
  const char *layout;      /* path; NULL: the default layout */
  const char *layout_text; /* what the layout says where it is no file; NULL: read it */
  const char *name;        /* prefix of what is emitted; NULL: the layout's or the robot's */
  bool one_way;            /* no fast way beside the general one */
  ag_target target;        /* what code will be made for */
  const char *formulation; /* "recursion", "joint", "null", "early"; NULL: whichever is cheaper */
  const char *const *functions;
  int nfunctions;
  bool all_functions; /* those that robot and layout allow */
  bool regroup;       /* inertias to base parameters */
  double threshold;   /* in the place of the layout's singular_threshold; 0: none */
  bool check;         /* what a check needs beside what the layout asks for (check.h) */
  bool casadi;        /* the names of what stands in the header get _solver behind the prefix */
  bool look;          /* only to look at: where no functions are named, those that the robot allows;
                   also counts what sums of angles save */
} ag_script_options;

typedef struct ag_script ag_script;

#endif
