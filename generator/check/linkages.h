/* SPDX-License-Identifier: MIT */
/* linkages.h: linkages of a robot on a random state: positions at which they are closed, and what moves their
 * dependent joints. */
#ifndef AG_CHECK_LINKAGES_H
#define AG_CHECK_LINKAGES_H

#include "check/robot.h"

/* Whether a robot with these functions has linkages. */
bool ag_has_linkages(const ag_header *header);

/* The whole number at a place of a list, from 0. */
int ag_linkage_number(const ag_value *list, int index);

/* Finds the reference's linkages. Its programs and its sampler are there already. */
bool ag_linkages_open(ag_reference *reference, ag_arena *arena, ag_err *err);

/* Brings the drawn positions to where all linkages are closed, on a way of small steps from the default of linkage_start; where
 * there is none, the independent joints nearer to its beginning, half as far at a time. *shorter: they are. single: positions
 * are floats. False: they are not closed anywhere on the way. */
bool ag_linkages_close(const ag_reference *reference, bool single, bool *shorter);

/* After small moves of the joints: linkage_start is where the linkages are closed now; false: nowhere. */
bool ag_linkages_follow(const ag_reference *reference);

/* Evaluates fk: whether the linkages are closed by steps from linkage_start, well away from singular positions. */
bool ag_linkages_closed(const ag_reference *reference);

/* The least pivot, about the square of the distance from a singular position, at most 1. fk is evaluated. */
double ag_linkages_pivot(const ag_reference *reference);

/* Copies linkage_start of all linkages aside, or back. */
void ag_linkages_keep(const ag_reference *reference, bool back);

/* Finds the velocities of dependent joints by those of the independent ones; returns the largest, at least 1. */
double ag_linkages_rates(ag_reference *reference);

/* Torques of a linkage's motors, by motor, that do the work of the torques tau, by joint; false: it has none, or none do. */
bool ag_linkage_torques(const ag_reference *reference, const ag_linkage *linkage, const double *tau,
                        double *torques);

#endif
