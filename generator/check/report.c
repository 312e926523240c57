/* SPDX-License-Identifier: MIT */
/* report.c: see report.h */
#include "check/report.h"

void ag_check_print(const ag_check_report *report, FILE *to) {
  fprintf(to, "%d random states; differences over the terms that they are made of\n\n",
          report->nstates);
  fprintf(to, "  %-8s %-56s %7s %9s %9s\n", "function", "comparison", "states", "worst", "allowed");
  for (int k = 0; k < report->nlines; k++) {
    const ag_check_line *l = &report->lines[k];
    fprintf(to, "  %-8s %-56s %7d %9.1e %9.1e%s\n", l->function, l->what, l->count, l->worst,
            l->allowed, l->worst <= l->allowed ? "" : "  FAILED");
  }
  if (report->nsingular)
    fprintf(to, "\n  In %d of %d states rows met the singularity policy.\n", report->nsingular,
            report->nstates);
  if (report->nuncompared)
    fprintf(to,
            "\n  In %d of %d states nothing was compared of the rows: in %d the policy leaves "
            "forces of too few digits, or of "
            "no definition\n  here, in %d torques are at their limits.\n",
            report->nuncompared, report->nstates, report->nuncompared - report->nlimited,
            report->nlimited);
  if (report->nacted + report->nexact)
    fprintf(to,
            "\n  Of %d states near singular configurations, found by Newton steps on a row's "
            "pivot, the singularity policy "
            "acts\n  in %d, and in %d every pivot is above the threshold.\n",
            report->nacted + report->nexact, report->nacted, report->nexact);
  if (report->unjudged > 0)
    fprintf(to,
            "\n  What the policy does about dependent rows is not compared near singular "
            "configurations: numbers do not know\n"
            "  pivots as small as \"singular_threshold\", %g.\n",
            report->unjudged);
  if (report->linked)
    fprintf(
        to,
        "\n  Linkages close in %d of %d states, in %d of these with independent joints nearer to "
        "the "
        "default of linkage_start than drawn;\n  where they do not close, or are nearly singular, "
        "nothing is "
        "compared. Of linkage_end, linkage_qd and linkage_tau the\n  definitions are compared, of "
        "linkage_pivot only program and script.\n",
        report->nstates - report->nopen, report->nstates, report->nshorter);
  if (report->nnarrowed)
    fprintf(to,
            "\n  The limits of %d joint%s are wide: positions are drawn within 100 rad, 10 m.\n",
            report->nnarrowed, report->nnarrowed == 1 ? "" : "s");
  if (report->nbeyond)
    fprintf(to, "\n  In %d of %d states an angle is beyond %g rad: nothing is compared there.\n",
            report->nbeyond, report->nstates, report->range);
}

bool ag_check_holds(const ag_check_report *report) {
  for (int k = 0; k < report->nlines; k++)
    if (!(report->lines[k].worst <= report->lines[k].allowed)) return false;
  return true;
}

/* Rows that are in force and compared in no state are none that pass. */
static bool compared_rows(const ag_check_report *r, const char *path, ag_err *err) {
  if (r->nuncompared == 0 || r->nuncompared < r->nasked) return true;
  const char *const remedy =
      r->float_only ? "use --real double"
      : r->nlimited > 0
          ? "check the same layout without \"saturate\", too"
          : "leave out the rows that the joints cannot produce, or that depend on others";
  return ag_fail(err, path, 0, remedy,
                 "check: the rows' forces were compared in none of %d states: in %d rows met the "
                 "singularity policy, in "
                 "%d torques were at their limits",
                 r->nasked, r->nuncompared - r->nlimited, r->nlimited);
}

bool ag_check_passed(const ag_check_report *report, const char *path, ag_err *err) {
  if (report->nbeyond > 0 && report->nbeyond == report->nstates)
    return ag_fail(err, path, 0, "give the joints that mimic others a smaller offset",
                   "check: in every state an angle is beyond %g rad, for which the functions are "
                   "not made: nothing was compared",
                   report->range);
  if (report->nopen > 0 && report->nopen == report->nstates)
    return ag_fail(err, path, 0, "give each linkage a start at which it is closed, and more steps",
                   "check: in none of %d states all linkages close: nothing was compared",
                   report->nstates);
  for (int k = 0; k < report->nlines; k++) {
    const ag_check_line *l = &report->lines[k];
    if (!(l->worst <= l->allowed) && report->float_only)
      return ag_fail(err, path, 0, "use --real double",
                     "check: %s, %s: %.1e in state %d, at most %.1e is allowed; the same program "
                     "in double passes: float has too few digits, or too small a range, for this "
                     "robot",
                     l->function, l->what, l->worst, l->state, l->allowed);
    if (!(l->worst <= l->allowed))
      return ag_fail(err, path, 0, "this is a defect of achdgen, please report it",
                     "check: %s, %s: %.1e in state %d, at most %.1e is allowed", l->function,
                     l->what, l->worst, l->state, l->allowed);
  }
  return compared_rows(report, path, err);
}
