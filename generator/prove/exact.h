/* SPDX-License-Identifier: MIT */
/* exact.h: a program evaluated in both worlds: doubles as the emitted code computes them, and over
 * the field. Comparisons are those of the doubles, but for those that a definition has decided. Over the field a square root
 * is one operation, whatever approximates it: ag_residue_root of what it is a root of. */
#ifndef AG_EXACT_H
#define AG_EXACT_H

#include "base/field.h"
#include "graph/graph.h"
#include "prove/decisions.h"

/* What is found not to be finite, whatever the doubles are. */
typedef enum ag_unfinite {
  AG_NOTHING,
  AG_PROBED,  /* what probes ask for: inputs, outputs */
  AG_DIVISORS /* divisors, which are compared with the least number there is */
} ag_unfinite;

typedef struct ag_exact_run { /* of one program; arrays by node */
  const ag_graph *graph;
  const ag_way *taken; /* the fast way where the guard held, else the general way */
  double *in, *doubles;
  ag_residue *exact;
  bool *approximate; /* a square root is in it */
  ag_id *root_of;    /* of what a node approximates the square root; -1: of nothing */
  bool formulas;     /* roots are taken by the formulas that approximate them, too */
  bool *used;        /* in one of the program's ways */
  unsigned char
      *seen; /* of selections: 1 the first side, 2 the second, 3 both (ag_exact_observe) */
  const ag_decision *
      *told; /* of comparisons at the point: by whom the answer is; NULL: by the doubles */
  unsigned status;
  ag_unfinite unfinite;
  bool general; /* takes the general solve, whatever the guard says */
  bool guarded; /* the guard held */
  const ag_decisions
      *decisions; /* of the definition that it is compared with; NULL: the doubles decide */
} ag_exact_run;

ag_exact_run ag_exact_new(const ag_graph *p, ag_arena *arena);
/* Evaluates the program of its graph `dag`, which is the program's or a changed copy. */
void ag_exact_evaluate(ag_exact_run *run, const ag_dag *dag, const ag_number *in);
/* Whether a node of one of the ways selects; what approximates a square root is one operation. */
bool ag_exact_selects(const ag_exact_run *run, ag_id id);
/* Notes the sides of selections that what is compared at the point depends on: the outputs that are marked, and
 * what a definition has been found to compare. marked: by node; what these are made of is marked, too. */
void ag_exact_observe(ag_exact_run *run, bool *marked);

/* Marks the nodes that an output is, in both ways. */
void ag_exact_mark(const ag_exact_run *run, const ag_quantity *output, bool *marked);
/* Marks what the marked nodes are made of. */
void ag_exact_mark_operands(const ag_exact_run *run, bool *marked);
/* Counts as seen the sides of selections that nothing depends on, as of d in c ? x / (c ? d : 1) : y, or where
 * another condition follows from c. marked: as above, of
 * all outputs. */
void ag_exact_exempt(ag_exact_run *run, const bool *marked);
/* Sides of the selections that are marked: all, and those that were taken at one of the points. */
void ag_exact_sides(const ag_exact_run *run, const bool *marked, int *all, int *seen);

#endif
