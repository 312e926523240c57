/* SPDX-License-Identifier: MIT */
/* dispatch.h: two copies of every function, of which each call takes the one that suits the processor (--dispatch). */
#ifndef AG_DISPATCH_H
#define AG_DISPATCH_H

#include "emit/language.h"
#include "base/text.h"

/* What stands at the beginning of a public function of the copy that every processor can run: where the processor has
 * AVX2 and FMA, it returns what the other copy computes. signature: of the function, without its linkage. Nothing in other headers. */
void ag_emit_choice(ag_text *text, const ag_header *header, const char *signature);

/* Bodies in two copies; bodies: in one, with the choices; wide: the same without these; declared: what stands before them. */
const char *ag_two_copies(const ag_header *header, const char *bodies, const char *wide,
                          const char *declared);

#endif
