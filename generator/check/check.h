/* check.h: are the numbers right? (--check) Random states go through the programs as they are
 * emitted, through the scripts that made them, on plain numbers, and through a companion: the whole
 * family of the same layout and the constrained solve in its other formulation. The solve must meet
 * the equation of motion and its rows; the family must be one. */
#ifndef AG_CHECK_H
#define AG_CHECK_H

#include "base/err.h"
#include "script/script.h"

typedef struct ag_check_line { /* one comparison, over all states */
  const char *function, *what;
  double worst, allowed; /* worst is infinite where something is not finite */
  int state;             /* of the worst */
  int count;             /* states in which it was made */
} ag_check_line;

typedef struct ag_check_report {
  ag_check_line *lines;
  int nlines;
  int nstates, nsingular; /* states; of them those in which rows met the singularity policy */
} ag_check_report;

/* script and header: as ag_script_build made them of model and options. False: could not be done.
 */
bool ag_check(const ag_model *model, const ag_script_options *options, const ag_header *header,
              ag_script *script, int nstates, ag_check_report *report, ag_err *err);

void ag_check_print(const ag_check_report *report, FILE *to);

/* Fails where a line is not within what is allowed. */
bool ag_check_passed(const ag_check_report *report, const char *path, ag_err *err);

#endif
