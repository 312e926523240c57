/* SPDX-License-Identifier: MIT */
/* sparsity.c: see sparsity.h */
#include "emit/sparsity.h"

#include "emit/expression.h"
#include "emit/types.h"

/* "1, 0, 1" of one row; last: nothing comes behind it. */
static void emit_row(ag_text *t, const ag_header *h, const ag_function *f, int first, int columns,
                     const char *behind) {
  ag_text row = {.arena = h->arena}, lines = row;
  ag_text_add(&row, "{");
  for (int k = 0; k < columns; k++)
    ag_text_add(&row, "%s%d", k ? ", " : "", !ag_always_zero(f->graph, first + k));
  ag_text_add(&row, "}%s", behind);
  ag_text_add(&lines, "    ");
  ag_text_wrap(&lines, row.chars, "      ", AG_WIDTH - 2);
  for (const char *c = lines.chars; *c; c++)
    if (*c == '\n')
      ag_text_add(t, " \\\n");
    else
      ag_text_put(t, c, 1);
  ag_text_add(t, " \\\n");
}

void ag_emit_sparsity(ag_text *t, const ag_header *h, const ag_function *f) {
  int last = -1;
  for (int i = 0; i < f->out.nquantities; i++)
    if (ag_is_sparse(&f->out.quantities[i])) last = i;
  if (last < 0) return;
  const char *upper = ag_upper(h->arena, f->name);
  ag_text_add(
      t,
      "/* Which elements of the derivatives can differ from zero: 1, and 0 where they never do.\n"
      " *   static const %s_%s_sparsity sparsity = %s_%s_SPARSITY; */\n"
      "typedef struct %s_%s_sparsity {\n",
      h->prefix, f->name, h->upper, upper, h->prefix, f->name);
  for (int i = 0; i <= last; i++) {
    const ag_quantity *q = &f->out.quantities[i];
    if (ag_is_sparse(q))
      ag_text_add(t, "  unsigned char %s%s;\n", q->name, ag_derivative_dims(h, q));
  }
  ag_text_add(t, "} %s_%s_sparsity;\n#define %s_%s_SPARSITY { \\\n", h->prefix, f->name, h->upper,
              upper);
  for (int i = 0; i <= last; i++) {
    const ag_quantity *q = &f->out.quantities[i];
    if (!ag_is_sparse(q)) continue;
    const int rows = ag_derivative_rows(h, q), columns = ag_derivative_columns(h, q);
    ag_text_add(t, "  { /* %s */ \\\n", q->name);
    for (int r = 0; r < rows; r++)
      emit_row(t, h, f, q->first + r * columns, columns, r < rows - 1 ? "," : "");
    ag_text_add(t, "  }%s \\\n", i < last ? "," : "");
  }
  ag_text_add(t, "}\n");
}
