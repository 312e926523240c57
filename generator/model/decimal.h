/* SPDX-License-Identifier: MIT */
/* decimal.h: numbers as they stand in a file. */
#ifndef AG_DECIMAL_H
#define AG_DECIMAL_H

#include <stdbool.h>

/* A decimal as it stands in the file. `decimals` counts the digits after the point that pin the
 * number down (an exponent shifts them: 1.5e-3 has 4); snapping (model.h) needs it. */
typedef struct ag_decimal {
  double value;
  int decimals;
} ag_decimal;

/* A decimal at the start of text, in C's plain form: [+-] digits [. digits] [e [+-] digits], with a
 * digit before the exponent. Not what strtod reads besides: inf, nan, 0x1p3. The text's end; NULL
 * where there is none. */
const char *ag_decimal_scan(const char *text, int *decimals);

/* What stands where a number should; length 0: nothing does. */
typedef struct ag_no_number {
  const char *text;
  int length;
  bool huge; /* a decimal, but beyond the largest double */
} ag_no_number;

/* The decimals of a text, parted by blanks: the first `most` of them to out, and how many there are, up
 * to the first that is no number of finite size. */
ag_no_number ag_decimals_read(const char *text, int most, ag_decimal *out, int *count);

#endif
