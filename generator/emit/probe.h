/* probe.h: the finite test in emitted text. It looks at bits: a number whose exponent's bits are
 * all set is NaN or infinite, whatever the compiler may do to arithmetic. */
#ifndef AG_PROBE_H
#define AG_PROBE_H

#include "base/text.h"
#include "program/program.h"

/* The bits of a real's exponent, as C text. */
const char *ag_exponent_bits(const ag_header *header);
/* NAME_probe of one number, and NAME_probe_N of N numbers one behind the other for every N that the
 * header's functions use. */
void ag_emit_probes(ag_text *text, const ag_header *header);
/* Whether one of a function's inputs, from index `first` to `last`, is not finite. */
void ag_emit_probe_of_inputs(ag_text *text, const ag_header *header, const ag_program *program,
                             int first, int last);

/* The function that chooses between two numbers without a branch; "" where the header does not use it. */
const char *ag_select_text(const ag_header *header);

#endif
