/* SPDX-License-Identifier: MIT */
/* err.h: the one error path of the generator.
 *
 * A function that can fail returns bool and takes an ag_err; bad input becomes an error value that
 * carries file, line, what is wrong and what to do about it. The first error wins. A bug of ours is
 * an assert, never an ag_err. */
#ifndef AG_ERR_H
#define AG_ERR_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ag_err {
  bool set;
  char file[512]; /* as the user named it; "" when no file is to blame */
  int line;       /* from 1; 0 when no line is to blame */
  char what[1024];
  char remedy[512];
} ag_err;

/* Records the error unless one stands already; always returns false, so that a check reads
 * `return ag_fail(err, file, line, "give it a mass", "link \"%s\" has none", name);` */
bool ag_fail(ag_err *err, const char *file, int line, const char *remedy, const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* The error's text, as every error of achdgen looks:
 *   FILE:LINE: error: WHAT
 *     remedy: WHAT TO DO                                                     */
void ag_err_print(const ag_err *err, FILE *to);

#endif
