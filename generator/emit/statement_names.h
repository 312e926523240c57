/* SPDX-License-Identifier: MIT */
/* statement_names.h: what the statements of emitted functions are called. */
#ifndef AG_STATEMENT_NAMES_H
#define AG_STATEMENT_NAMES_H

#include "emit/language.h"
#include "limbs/limbs.h"

/* Names the statements of a printer's program: what the scripts call a value, behind the body that its region is about; a part of
 * such a value by its name and a number; else a number. A vector is called by what its limbs share. */
void ag_name_statements(ag_printer *printer);
/* "fl, fr, rl, rr": the limbs of a set, in the order of lanes. */
const char *ag_names_of_lanes(const ag_header *header, const ag_limbs *set);

/* "forearm" of a region about forearm_link, as names of its values begin; NULL: it is about no body. */
const char *ag_name_of_body(const ag_printer *printer, int region);

#endif
