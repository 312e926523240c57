/* SPDX-License-Identifier: MIT */
/* laws.h: three laws by which a Gen3 follows a motion of its joints, of the generated functions `id`, `slotine_li` and
 * `osim` (with fk, fvk, fak and jac). */
#ifndef LAWS_H
#define LAWS_H

#include "gen3_achd.h"

enum { NJ = GEN3_NJ };

/* Where the joints are to be, with velocities and accelerations [rad]. */
typedef struct motion {
  double q[NJ], qd[NJ], qdd[NJ];
} motion;

typedef enum law { COMPUTED_TORQUE, SLOTINE_LI, IMPEDANCE, LAWS } law;
extern const char *const law_names[LAWS];

/* Joint torques [N m]. */
void law_torques(law which, const double q[NJ], const double qd[NJ], const motion *to,
                 double tau[NJ]);
/* How far the tool is from where it is with other positions of the joints [m]. */
double tool_apart(const double q[NJ], const double from[NJ]);

#endif
