/* SPDX-License-Identifier: MIT */
/* family.h: the other functions against each other, and their finite differences. */
#ifndef AG_FAMILY_H
#define AG_FAMILY_H

#include "check/checker.h"

/* Compares the functions of the family with each other and with finite differences, on the state of
 * the checker, and adds the differences to its report. */
void ag_check_family(ag_checker *checker);

/* A regressor times the model's base parameters against what it is a regressor of, where the model has them all. */
void ag_check_regressor(ag_checker *checker, const ag_run *run, double coarse);

#endif
