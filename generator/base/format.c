/* SPDX-License-Identifier: MIT */
/* format.c: see format.h */
#include "base/format.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The sign of a conversion behind its %: 's', '.' for .*s, 'd', 'c' or '%'; 0: another one. */
static char conversion(const char *sign) {
  if (strncmp(sign, ".*s", 3) == 0) return '.';
  if (*sign && strchr("sdc%", *sign)) return *sign;
  return '\0';
}

static bool is_simple(const char *format) {
  for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
    const char sign = conversion(at + 1);
    if (!sign) return false;
    at += sign == '.' ? 4 : 2;
  }
  return true;
}

typedef struct writer {
  char *to;
  size_t room, length;
} writer;

static void put(writer *w, const char *chars, size_t length) {
  if (w->length < w->room) {
    const size_t left = w->room - w->length;
    memcpy(w->to + w->length, chars, length < left ? length : left);
  }
  w->length += length;
}

static void put_int(writer *w, int value) {
  char digits[sizeof value * CHAR_BIT / 3 + 3], *first = digits + sizeof digits;
  unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
  do *--first = (char)('0' + left % 10);
  while (left /= 10);
  if (value < 0) *--first = '-';
  put(w, first, (size_t)(digits + sizeof digits - first));
}

size_t ag_format(char *to, size_t room, const char *format, va_list args) {
  if (!is_simple(format)) {
    const int length = vsnprintf(to, room, format, args);
    assert(length >= 0);
    return (size_t)length;
  }
  writer w = {to, room, 0};
  for (const char *at = format; *at;) {
    const size_t plain = strcspn(at, "%");
    put(&w, at, plain);
    at += plain;
    if (!*at) break;
    const char sign = conversion(at + 1);
    at += sign == '.' ? 4 : 2;
    if (sign == '%') {
      put(&w, "%", 1);
    } else if (sign == 'd') {
      put_int(&w, va_arg(args, int));
    } else if (sign == 'c') {
      const char c = (char)va_arg(args, int);
      put(&w, &c, 1);
    } else { /* .*s: at most so many, of a text that may have no end behind them */
      const int most = sign == '.' ? va_arg(args, int) : -1;
      const char *text = va_arg(args, const char *);
      assert(text);
      const char *end = most >= 0 ? memchr(text, '\0', (size_t)most) : NULL;
      put(&w, text, end ? (size_t)(end - text) : most >= 0 ? (size_t)most : strlen(text));
    }
  }
  if (room > 0) to[w.length < room ? w.length : room - 1] = '\0';
  return w.length;
}
