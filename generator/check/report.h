/* SPDX-License-Identifier: MIT */
/* report.h: what a check found: the worst of every comparison. */
#ifndef AG_REPORT_H
#define AG_REPORT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ag_check_line { /* one comparison, over all states */
  const char *function, *what;
  double worst, allowed; /* of the state with the largest share of what is allowed there; worst is
                          * infinite where something is not finite */
  int state;             /* that state */
  int count;             /* states in which it was made */
} ag_check_line;

typedef struct ag_check_report {
  ag_check_line *lines;
  int nlines;
  int nstates, nsingular; /* states; of them those in which rows met the singularity policy */
  int nasked;             /* in which a row was in force */
  int nuncompared,
      nlimited; /* of them: in which nothing was compared of any; of these: as torques were at their limits */
  int nacted,
      nexact; /* states made singular: in which a policy acted, and close by, in which none did */
  double unjudged; /* a threshold so low that this is not judged; 0: another */
  int nbeyond;     /* states that are not compared: an angle is out of the functions' range */
  double range;    /* of the angles [rad] */
  bool linked;     /* the robot has linkages */
  int nopen,
      nshorter; /* states in which they close nowhere; or close nearer to linkage_start than drawn */
  int nnarrowed;   /* joints that are drawn from less than their limits */
  bool float_only; /* what fails in float passes in double */
} ag_check_report;

/* Prints the report as a table: a line for each comparison. */
void ag_check_print(const ag_check_report *report, FILE *to);

/* Whether no difference is larger than allowed. */
bool ag_check_holds(const ag_check_report *report);

/* Fails where a line is not within what is allowed. */
bool ag_check_passed(const ag_check_report *report, const char *path, ag_err *err);

#endif
