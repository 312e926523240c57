/* SPDX-License-Identifier: MIT */
/* number.c: see number.h */
#include "emit/number.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest decimal that reads back as the same bits: of 15 to 17 digits (float: 6 to 9); with
 * 15 (6), every shorter decimal comes back as itself, less trailing zeros. */
const char *ag_emit_number(const ag_header *h, double value) {
  char text[40];
  const int fewest = h->target.single ? FLT_DIG : DBL_DIG, most = h->target.single ? 9 : 17;
  for (int digits = fewest; digits <= most; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, h->target.single ? (double)(float)value : value);
    if (h->target.single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
  }
  const char *point = strpbrk(text, ".e") ? "" : ".0";
  return ag_printf(h->arena, value < 0 ? "(%s%s%s)" : "%s%s%s", text, point,
                   h->target.single ? "f" : "");
}

const char *ag_emit_bits(const ag_header *h, double value) {
  return ag_printf(h->arena, value < 0 ? "(%a)" : "%a",
                   h->target.single ? (double)(float)value : value);
}
