/* SPDX-License-Identifier: MIT */
/* header.h: a whole header, or header and source, as text: templates with the emitted parts in. */
#ifndef AG_HEADER_H
#define AG_HEADER_H

#include "emit/language.h"
#include "base/err.h"
#include "base/inputs.h"

/* Where the functions stand: in the header; in it, static inline; in a source beside it; the same
 * with what a shared library needs. */
typedef enum ag_mode { AG_MODE_HEADER, AG_MODE_INLINE, AG_MODE_SPLIT, AG_MODE_SHARED } ag_mode;

/* Whether there is a source beside the header. */
bool ag_mode_splits(ag_mode mode);

typedef struct ag_header_options {
  ag_mode mode;
  const char *file;            /* name of the header, without folder */
  const char *command;         /* that makes it, file names without folders, without -o */
  const ag_input_file *inputs; /* what went in */
  int ninputs;
  const char *description; /* of --mode shared: what the library tells of itself; else NULL */
  const char *usage;       /* the comment that tells how to use the file; NULL: that of a header */
} ag_header_options;

/* header_text: the .h; body_text: the .c where there is one, else NULL. */
bool ag_header_text(const ag_header *header, const ag_header_options *options,
                    const char **header_text, const char **body_text, ag_err *err);

/* The types and functions of one state in another language of C's kind, on their own. */
const char *ag_language_text(const ag_header *header, const ag_language *language);

#endif
