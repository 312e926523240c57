/* SPDX-License-Identifier: MIT */
/* banner.h: the lines that open every emitted file: what made it, and of what. */
#ifndef AG_BANNER_H
#define AG_BANNER_H

#include "base/inputs.h"
#include "base/text.h"

typedef struct ag_banner {
  const char *file;            /* name, without folder */
  const char *command;         /* that makes it, file names without folders, without -o */
  const ag_input_file *inputs; /* what went in */
  int ninputs;
} ag_banner;

/* Opens the comment: name, command, hashes of the inputs and of body. The caller closes it. */
bool ag_banner_add(ag_text *text, const ag_banner *banner, const char *body, ag_err *err);

#endif
