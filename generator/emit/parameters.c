/* SPDX-License-Identifier: MIT */
/* parameters.c: see parameters.h */
#include "emit/parameters.h"

#include "emit/expression.h"

/* "UPPER_ARM_MX" of "upper_arm.mx" */
static const char *enumerator(const ag_header *h, const ag_base_parameter *p) {
  char *name = ag_upper(h->arena, p->id);
  for (char *c = name; *c; c++)
    if (*c == '.') *c = '_';
  return name;
}

void ag_emit_parameters(ag_text *t, const ag_header *h) {
  if (h->nparameters == 0) return;
  ag_text_add(t,
              "/* Base parameters, the columns of a regressor: what joints feel of the links by "
              "itself. Each is a sum of\n"
              " * mass m, first moment mx my mz (mass times centre of mass) and inertia ixx .. izz "
              "of links about the\n"
              " * origins of their frames, along the axes of these; links that do not move "
              "relative to each other count\n"
              " * as one. Signs of products of inertia are those of a URDF. */\n"
              "typedef enum %s_parameter {\n",
              h->prefix);
  for (int k = 0; k < h->nparameters; k++) {
    const ag_base_parameter *p = &h->parameters[k];
    ag_text_add(t, "  %s_PARAMETER_%s,\n", h->upper, enumerator(h, p));
    ag_text what = {.arena = h->arena};
    ag_text_add(&what, "[%s] = %s", p->unit, p->text);
    ag_text_add(t, "    /* ");
    ag_text_wrap(t, what.chars, "     * ", AG_WIDTH - 3);
    ag_text_add(t, " */\n");
  }
  ag_text_add(t, "  %s_NP /* parameters */\n} %s_parameter;\n", h->upper, h->prefix);
  ag_text_add(
      t,
      "/* Theirs in the model that this header is made of: id's torques are Y times these. */\n"
      "#define %s_PARAMETERS { \\\n",
      h->upper);
  for (int k = 0; k < h->nparameters; k++)
    ag_text_add(t, "  %s, /* %s */ \\\n", ag_decimal_text(h->arena, h->parameters[k].value),
                h->parameters[k].id);
  ag_text_add(t, "}\n\n");
}
