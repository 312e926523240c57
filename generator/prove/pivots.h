/* SPDX-License-Identifier: MIT */
/* pivots.h: how far the rows are from dependent by the robot's geometry alone, as a null-space solve judges. */
#ifndef AG_PIVOTS_H
#define AG_PIVOTS_H

#include "prove/demands.h"

typedef struct ag_turns { /* rows whose pivots are compared: so far, in all */
  int so_far, all;
} ag_turns;

/* The smaller of a row's pivot and the least so far. At points that turn branches, each row's is the least in its turn: what
 * only shows there is compared, too. */
ag_number ag_smaller_pivot(const ag_robot *robot, ag_number pivot, ag_number least,
                           ag_turns *turns);
/* The same where `chosen` says whether it is this one's turn. */
ag_number ag_smaller_as(const ag_robot *robot, ag_number pivot, ag_number least, bool chosen);

/* The least relative pivot of the equations J qdd = c that a null-space solve solves first (problem.h): of what
 * is left of J without the columns that are held out when some equations are eliminated, each with
 * a column, row by row the share of its
 * square that the rows before it in its block do not reach; a square counts as no less than a given
 * number. The solve is for rows whose pivots are far enough above the threshold, 1000 times and its square root,
 * and whose product in each block is above a thirtieth of that. */
typedef struct ag_least {
  ag_number pivot;
  int asked, all; /* comparisons that this takes: so far, in all */
  ag_turns rows;
} ag_least;
/* How far above the threshold t relative pivots must be: 1000 t and its square root. */
double ag_seam(const ag_robot *robot);
/* Whether a pivot d is more than the share `least` of `whole`. A point that turns branches turns one of these answers to no, for
 * which the function takes its general solve. */
void ag_ask_pivot(const ag_robot *robot, ag_least *found, double least, ag_number whole,
                  ag_number d);
ag_least ag_least_pivot_of_equations(const ag_robot *robot, const ag_demand *rows);

#endif
