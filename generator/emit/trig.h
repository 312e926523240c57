/* SPDX-License-Identifier: MIT */
/* trig.h: sines and cosines in emitted text: as many angles at once as the CPU's vectors hold. */
#ifndef AG_TRIG_H
#define AG_TRIG_H

#include "lower/plan.h"
#include "base/text.h"

/* NAME_sincos, of NAME_ANGLES angles at a time: which the compiler chooses by the CPU's vectors, of
 * 16 or 32 bytes, but no more than the header has angles, or a batch has states. */
const char *ag_emit_sincos(const ag_header *header);
/* NAME_sincos_batch, of one angle of every state of a batch: with the same results as alone. */
const char *ag_emit_sincos_batch(const ag_header *header);
/* s and c of every joint that turns and of every angle that mimics: the body of NAME_trig_of. */
void ag_emit_trig(ag_text *text, const ag_header *header);
/* The same, each by a function of the language for itself. */
void ag_emit_trig_by(ag_text *text, const ag_header *header, const char *sine, const char *cosine);
/* A type `type` for the sines and cosines of all states of a batch. */
void ag_emit_trig_type(ag_text *text, const ag_header *header, const char *type);
/* The same of all states of a batch, as statements of its functions. type: of the struct that they stand in; NULL: it
 * has no name. */
void ag_emit_trig_batch(ag_text *text, const ag_header *header, const char *type);
/* The vector type `type` of `count` numbers, NAME_mask of its comparisons, and NAME_memory for
 * numbers that are not aligned as vectors are. */
const char *ag_emit_vector(const ag_header *header, const char *type, const char *count);

/* How many angles have a sine and cosine: joints that turn, those that mimic one, the yaw. */
int ag_count_turning(const ag_header *header);

#endif
