/* SPDX-License-Identifier: MIT */
/* check.h: are the numbers right? (--check) Random states go through the programs as they are
 * emitted, through the scripts that made them, on plain numbers, and through a reference: the whole
 * family of the same layout and the constrained solve in its other formulation. The solve must meet
 * the equation of motion and its rows; the family must be one. */
#ifndef AG_CHECK_H
#define AG_CHECK_H

#include "base/err.h"
#include "check/report.h"
#include "script/script.h"

/* A robot's functions: header and script as ag_script_build made them of model and options. */
typedef struct ag_checked {
  const ag_model *model;
  const ag_script_options *options;
  const ag_header *header;
  ag_script *script;
} ag_checked;

/* Compares them on random states. progress: where it writes now and then how far it is, where it takes
 * long; NULL: nobody. False: could not be done. */
bool ag_check(const ag_checked *checked, int nstates, FILE *progress, ag_check_report *report,
              ag_err *err);

#endif
