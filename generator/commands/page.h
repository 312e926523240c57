/* SPDX-License-Identifier: MIT */
/* page.h: --page: the web page of a robot, which the program achd-page makes. */
#ifndef AG_PAGE_H
#define AG_PAGE_H

#include "commands/options.h"

/* Runs achd-page in place of this program: it does not return where that can be run. achd-page is
 * looked for beside achdgen, in the folder report beside it (a build), then on PATH. */
bool ag_page(const ag_options *options, ag_arena *arena, ag_err *err);

#endif
