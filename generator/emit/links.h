/* SPDX-License-Identifier: MIT */
/* links.h: a step of the algorithm as one C function for several links, or for rows of a large system (lower/repeats.h): what differs from
 * link to link comes as the link's row of a table of constants, a pointer to the link's frame and places in arrays. */
#ifndef AG_LINKS_H
#define AG_LINKS_H

#include "emit/expression.h"
#include "lower/repeats.h"

typedef struct ag_link_table ag_link_table;
typedef struct ag_link_text ag_link_text;

/* Emits the constants of all links that the steps of a printer's plan name, for the function `name`; NULL: it has no such steps. */
ag_link_table *ag_emit_link_table(ag_text *text, const ag_printer *printer, const char *name);

/* Begins the text of a repeat of the plan: has the printer name what differs by its parameters, up to the end. */
ag_link_text *ag_begin_links(const ag_link_table *table, ag_printer *printer,
                             const ag_repeat *repeat);
void ag_end_links(ag_link_text *links, ag_printer *printer);

/* Where a value of this repeat's first link waits; NULL: at the same place for all links. */
const char *ag_link_place(const ag_link_text *links, ag_id id);
/* What an input, sine or cosine is read as; NULL: it is the same for all links. */
const char *ag_link_given(const ag_link_text *links, ag_id id);
/* Where an output stands that the k-th element is of the first link's. */
const char *ag_link_stores(const ag_link_text *links, int k);

/* "step3" */
const char *ag_link_function(const ag_link_text *links);
/* What the function does, for a comment. */
const char *ag_link_comment(const ag_link_text *links);
/* The parameters that this text names, and what the call-th call gives for them, each with ", " before it. */
const char *ag_link_parameters(const ag_link_text *links, const char *body);
const char *ag_link_arguments(const ag_link_text *links, const char *body, int call);

#endif
