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

/* The text of an element of an array, "in->qd[FL_HIP]", as that of the array and of the place; of joints the place is their number, by
 * which those of several arrays are the same. list: that it is an element of, NULL: none. NULL: it is no array. */
const char *ag_array_of(ag_arena *arena, const ag_list *list, int element, const char *access,
                        const char **place);

#endif
