/* SPDX-License-Identifier: MIT */
/* products.h: results that are a matrix times columns (lower/products.h), by a function that is called for one column after the other. */
#ifndef AG_EMIT_PRODUCTS_H
#define AG_EMIT_PRODUCTS_H

#include "emit/expression.h"

/* The function for all columns, one for each kind of these, of the function `name`; nothing where the printer's plan has none. */
void ag_emit_products(ag_text *text, const ag_printer *printer, const char *name);
/* The same of a batch. */
void ag_emit_batch_products(ag_text *text, const ag_printer *printer, const char *name);
/* Its calls. */
void ag_emit_product_calls(ag_text *text, const ag_printer *printer, const char *name);
/* The same of a batch, whose plan has products; in the states `infinite` one of these is not finite. */
void ag_emit_batch_product_calls(ag_text *text, const ag_printer *printer, const char *name);

#endif
