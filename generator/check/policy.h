/* SPDX-License-Identifier: MIT */
/* policy.h: what a layout's policy does about rows that depend on each other, in any state, by definition: of pivots (pivots.h) or
 * eigenvalues (spectrum.h) of the rows in force. */
#ifndef AG_CHECK_POLICY_H
#define AG_CHECK_POLICY_H

#include "check/checker.h"
#include "check/spectrum.h"

/* Doubles, and floats, know pivots to less. */
#define AG_LEAST_THRESHOLD(single) ((single) ? 1e-6 : 1e-13)

typedef struct ag_policy {
  ag_subject *own; /* the solve */
  const char *name;
  double threshold;
  bool cuts;          /* eigenvalues, by "truncate"; else it damps or drops rows */
  bool scales;        /* set-points, where torques are limited: nu is then not what rows demand */
  bool *force, *kind; /* by row: it may have a force; and is of a kind */
  int acted;          /* on the state judged last, on how many rows or eigenvalues */
  ag_pivots pivots;
  ag_spectrum spectrum;
  ag_by_motors *motors;  /* that alone are to realise the rows; NULL: anything may */
  double *asked, *load;  /* beside the rows, and by all of them, by coordinate */
  double *right, *terms; /* of L nu; and what absolute values it is a sum of */
  double *nu;
  double *unit, *caused; /* a right side, and the forces that it causes */
} ag_policy;

/* The solve of whose rows --check knows what a policy does; NULL: there is none, or drivers act on it by weights beside physical rows, or
 * more than AG_MOST_IDLE freedoms have no motor although only motors are to realise its rows. */
ag_subject *ag_policy_subject(const ag_checker *checker);

/* For that solve with a threshold; NULL: there is none. */
ag_policy *ag_policy_new(ag_checker *checker, double threshold);

/* Finds pivots or eigenvalues on the state of the robot, of the rows that `force` names. */
void ag_policy_find(ag_policy *policy, const ag_reference *robot, const bool *force);

/* The least of what the policy compares with its threshold, there. */
double ag_policy_least(const ag_policy *policy);

/* How many rows or eigenvalues the policy acts on there. */
int ag_policy_acts(const ag_policy *policy);

/* Judges a solve on the state: whether its status tells what the policy does and, where it tells it, torques are clamped, or `made`
 * tells that the state was made nearly singular, its forces. Returns whether these were compared, or need not be: the policy does
 * nothing, and torques are what rows demand. */
bool ag_policy_judge(ag_checker *checker, const ag_run *run, bool made);

#endif
