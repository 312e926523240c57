/* SPDX-License-Identifier: MIT */
/* prove.h: are the functions exactly what the equations of motion say? (--prove) Random points of a
 * finite field go through the programs as they are emitted, and through the definitions of
 * mechanics; every output is compared. One point that agrees leaves a chance of about 1e-15 that a
 * wrong formula does; a wrong one that is found is wrong for certain. docs/proof.md says what this
 * shows and what it does not. */
#ifndef AG_PROVE_H
#define AG_PROVE_H

#include "base/err.h"
#include "script/script.h"

typedef struct ag_proof_line { /* an output of a function */
  const char *function, *output;
  int identical, points; /* at how many points it is the definition, of how many */
  int unlike;            /* the first point at which it is not; -1 */
  int element;           /* there */
  const char *outside;   /* why it is not compared; NULL: it is */
  int unseen;            /* sides of branches that it is made of and no point took */
  const char *where;     /* they are: "constraints.lua:412, .." */
} ag_proof_line;

typedef struct ag_proof_function {
  const char *function, *formulation;
  int sides,
      seen; /* of selections that compared outputs are made of: all, and those taken at a point */
  bool rooted; /* it has square roots, which are compared as if code took them exactly */
  int turned;  /* points at which branches were turned (decisions.h) */
} ag_proof_function;

typedef struct ag_proof {
  ag_proof_line *lines;
  int nlines;
  ag_proof_function *functions;
  int nfunctions;
  int points;
} ag_proof;

/* Compares at `points` points. False: could not be done. */
bool ag_prove(const ag_header *header, ag_script *script, int points, ag_proof *proof, ag_err *err);

/* How many products a point takes, about: of large robots too many to be compared unasked. */
double ag_prove_effort(const ag_header *header, const ag_reduced *reduced);

#endif
