/* SPDX-License-Identifier: MIT */
/* decimal.c: see decimal.h */
#include "model/decimal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_digits(const char *text) {
  while (*text >= '0' && *text <= '9') ++text;
  return text;
}

const char *ag_decimal_scan(const char *text, int *decimals) {
  if (*text == '+' || *text == '-') ++text;
  const char *whole = text, *point = skip_digits(text), *end = point;
  if (*point == '.') end = skip_digits(point + 1);
  const long digits = (point - whole) + (*point == '.' ? end - point - 1 : 0);
  if (digits == 0) return NULL;
  long after = *point == '.' ? end - point - 1 : 0, exponent = 0;
  if (*end == 'e' || *end == 'E') {
    const char *sign = end + 1, *power = *sign == '+' || *sign == '-' ? sign + 1 : sign;
    end = skip_digits(power);
    if (end == power) return NULL;
    for (const char *digit = power; digit < end && exponent < 10000; ++digit)
      exponent = 10 * exponent + (*digit - '0');
    if (*sign == '-') exponent = -exponent;
  }
  if (after > 10000) after = 10000;
  *decimals = (int)(after - exponent);
  return end;
}

ag_no_number ag_decimals_read(const char *text, int most, ag_decimal *out, int *count) {
  static const char *const blanks = " \t\n\r";
  for (*count = 0; *(text += strspn(text, blanks)); ++*count) {
    const int length = (int)strcspn(text, blanks);
    ag_decimal number = {0, 0};
    if (ag_decimal_scan(text, &number.decimals) != text + length)
      return (ag_no_number){text, length, false};
    number.value = strtod(text, NULL);
    if (isinf(number.value)) return (ag_no_number){text, length, true};
    if (*count < most) out[*count] = number;
    text += length;
  }
  return (ag_no_number){text, 0, false};
}
