/* machine.h: a state machine's description as a header of const tables, and as a drawing
 * (achdgen --machine). */
#ifndef AG_MACHINE_H
#define AG_MACHINE_H

#include "sources.h"
#include "value.h"

typedef struct ag_machine {
  ag_value description; /* as machine.lua gives it */
  ag_sources sources;
} ag_machine;

/* Reads and checks the description. */
bool ag_machine_read(const char *path, ag_machine *machine, ag_arena *arena, ag_err *err);

/* Prefix of everything emitted. */
const char *ag_machine_name(const ag_machine *machine);

/* The header's text; file: its name, command: what makes it, for the banner. */
bool ag_machine_header(const ag_machine *machine, const char *file, const char *command,
                       const char **text, ag_arena *arena, ag_err *err);

/* The text of an SVG 1.1 file. Same inputs, same bytes. */
const char *ag_machine_svg(const ag_machine *machine, ag_arena *arena);

#endif
