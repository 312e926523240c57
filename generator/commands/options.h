/* SPDX-License-Identifier: MIT */
/* options.h: the command line. */
#ifndef AG_OPTIONS_H
#define AG_OPTIONS_H

#include "commands/asked.h"

/* Fails on what is no option, and on options that do not go together. */
bool ag_options_parse(int argc, char **argv, ag_options *options, ag_arena *arena, ag_err *err);

/* What --help and --version say; NULL where neither is requested. */
const char *ag_self_description(int argc, char **argv, ag_arena *arena);

#endif
