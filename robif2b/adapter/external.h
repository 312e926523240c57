/* SPDX-License-Identifier: MIT */
/* external.h: the wrench of the environment from the torques of an arm's joints. */
#ifndef ACHD_ADAPTER_EXTERNAL_H
#define ACHD_ADAPTER_EXTERNAL_H

#include <achd/spatial.h>

/* An arm's reading for the estimate. */
typedef struct achd_external {
  int n;                   /* joints */
  const double *const *J;  /* six rows of n: linear, then angular */
  const double *torques;   /* M qdd + h [N m; N] */
  const double *rotors;    /* inertias of the rotors [kg m^2; kg] */
  const double *qdd, *tau; /* accelerations, and torques at the outputs */
} achd_external;

/* Takes the wrench nearer to F, by this share of the way (a low-pass filter):
 *   J J^T F = J (torques - A qdd - tau),   A: the rotors' inertias
 * It stays as it is where the arm is singular or a number is not finite. */
void achd_external_follow(const achd_external *arm, double share, achd_wrench *wrench);

#endif
