/* SPDX-License-Identifier: MIT */
/* parameters.h: what the columns of a regressor stand for: names, the links' numbers that they are made of, values. */
#ifndef AG_EMIT_PARAMETERS_H
#define AG_EMIT_PARAMETERS_H

#include "base/text.h"
#include "graph/function.h"

/* The enumeration of the header's parameters, and a macro with those of the model, where it has a regressor. */
void ag_emit_parameters(ag_text *text, const ag_header *header);

#endif
