/* SPDX-License-Identifier: MIT */
/* description.h: what achdgen made of a robot and a layout, for programs (--describe json): robot,
 * joints, links, frames, functions, the fields of their structs with offsets and units, status
 * bits, operation counts, hashes. docs/description.md says what each member is. */
#ifndef AG_DESCRIPTION_H
#define AG_DESCRIPTION_H

#include "base/err.h"
#include "base/inputs.h"
#include "model/bodies.h"
#include "graph/graph.h"

/* The version of the members' meaning: it rises when one of them changes or goes. */
enum { AG_DESCRIPTION_FORMAT = 1 };

typedef struct ag_description_source {
  const ag_model *model;
  const ag_reduced *reduced;
  const ag_header *header;
  const char *command;         /* that writes the header */
  const ag_input_file *inputs; /* the URDF, the layout and what it includes */
  int ninputs;
  const ag_sources *layout; /* for its warnings */
} ag_description_source;

/* The whole as JSON. Fails where an input cannot be read again. */
bool ag_describe_json(const ag_description_source *source, const char **text, ag_err *err);

#endif
