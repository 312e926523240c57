/* SPDX-License-Identifier: MIT */
/* early.h: how far rows that are eliminated before the base are from dependent there. */
#ifndef AG_EARLY_H
#define AG_EARLY_H

#include "prove/demands.h"

/* Asks what the choice of such a solve asks, of each set of rows that are eliminated together (problem.h): L = J M^-1 J^T
 * of the coordinates behind the body where they are eliminated, which does not move; whether its rows are in reach, their pivots
 * far enough above the threshold, 1000 times and its square root, and the product of these above a thirtieth of that. A
 * point that turns branches turns one of the answers to no. Returns the least relative pivot; 0 where a row is out of reach. */
ag_number ag_ask_early(const ag_robot *robot, const ag_demand *rows);

#endif
