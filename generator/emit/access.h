/* SPDX-License-Identifier: MIT */
/* access.h: where elements stand in the structs of C. */
#ifndef AG_ACCESS_H
#define AG_ACCESS_H

#include "graph/function.h"

#include <stdint.h>

/* "b[GEN3_TOOL_LIN_X]", behind in-> or out->. */
const char *ag_emit_access(const ag_header *header, const ag_element *element);

/* FNV-1a over the places, units and order of the fields that a function takes and gives: changes
 * when its structs do. */
uint32_t ag_shape_hash(const ag_header *header, const ag_function *function);

#endif
