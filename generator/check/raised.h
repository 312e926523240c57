/* SPDX-License-Identifier: MIT */
/* raised.h: what a solve does about rows that depend on each other, judged where it does so in every other state: the same layout's
 * solve with a threshold that most pivots are below. */
#ifndef AG_RAISED_H
#define AG_RAISED_H

#include "check/checker.h"

/* Makes that solve, where the layout has rows whose damping or dropping can be judged; `options` as for ag_check. Close it in any case. */
bool ag_raised_open(ag_checker *checker, const ag_model *model, const ag_script_options *options);
/* On the state of the checker. coarse: how much coarser than double the run is. */
void ag_raised_check(ag_checker *checker, double coarse);
void ag_raised_close(ag_checker *checker);

#endif
