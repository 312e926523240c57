/* SPDX-License-Identifier: MIT */
/* probe.h: tests of size in emitted text. They look at bits, which stay what they are whatever the
 * compiler may do to arithmetic: a number whose exponent's bits are all set is NaN or infinite, and
 * the more bits of it are set the larger it is. */
#ifndef AG_PROBE_H
#define AG_PROBE_H

#include "base/text.h"
#include "lower/plan.h"

/* The bits of a real's exponent, as C text. */
const char *ag_exponent_bits(const ag_header *header);
/* The largest bits of a positive number below 2^exponent, as C text. */
const char *ag_bits_below(const ag_header *header, int exponent);
/* What numbers are multiplied with so that the sum of many is finite if they are: 2^-16. */
const char *ag_probe_scale(const ag_header *header);
/* NAME_probe of one number; NAME_probe_N, whether one of N numbers one behind the other is NaN or
 * infinite, and NAME_probe_N_expE, whether one is NaN or of size 2^E or more: for every N and E that
 * the header's functions use; NAME_stored_N, of N results that have been stored. inlined: those of one number always, as in parts, which are as short as can be, GCC would call them
 * for each result. */
void ag_emit_probes(ag_text *text, const ag_header *header, bool inlined);
/* A node that probes a function's inputs. */
void ag_emit_probe_of_inputs(ag_text *text, const ag_header *header, const ag_plan *plan,
                             const ag_node *probe);
/* Whether one of a function's outputs, which are all stored, is NaN or infinite. */
void ag_emit_probe_of_outputs(ag_text *text, const ag_header *header, const ag_plan *plan);
/* Whether one of the sines and cosines in *trig is NaN, or 2 or more in size. */
void ag_emit_probe_of_turns(ag_text *text, const ag_header *header);
/* Whether a function asks for the size of its inputs. */
bool ag_probes_sizes(const ag_header *header);

/* The function that chooses between two numbers without a branch; "" where the header does not use it. */
const char *ag_select_text(const ag_header *header);
/* The name of the function that takes the signs of a vector of 16 or 32 bytes together: of GCC's and Clang's for x86. */
const char *ag_signs_of(const ag_header *header, int bytes);

#endif
