/* SPDX-License-Identifier: MIT */
/* format.h: texts made by formats of printf. */
#ifndef AG_FORMAT_H
#define AG_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* vsnprintf, quicker where a format has nothing but %s, %.*s, %d, %c and %%: so are the millions that
 * the text of a header is made of. Returns the length of the whole text, which is cut where it has no
 * room. */
size_t ag_format(char *to, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
