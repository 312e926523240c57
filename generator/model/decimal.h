/* decimal.h: numbers as they stand in a file. */
#ifndef AG_DECIMAL_H
#define AG_DECIMAL_H

/* A decimal at the start of text, in C's plain form: [+-] digits [. digits] [e [+-] digits], with a
 * digit before the exponent. Not what strtod reads besides: inf, nan, 0x1p3. The text's end; NULL
 * where there is none. */
const char *ag_decimal_scan(const char *text, int *decimals);

#endif
