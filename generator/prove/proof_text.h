/* SPDX-License-Identifier: MIT */
/* proof_text.h: what a proof says, in words: as an error, as a report, in the banner. */
#ifndef AG_PROOF_TEXT_H
#define AG_PROOF_TEXT_H

#include "prove/prove.h"

#include <stdio.h>

/* Fails where an output is not identical at all points. */
bool ag_proof_holds(const ag_proof *proof, const char *path, ag_err *err);

/* Prints a line for each output. */
void ag_proof_print(const ag_proof *proof, FILE *to);

/* "achd gravity: identical to the equations of motion at 2 random points of GF(2^61-1)", and what of
 * them is outside: for the banner. */
const char *ag_proof_text(const ag_proof *proof, ag_arena *arena);

#endif
