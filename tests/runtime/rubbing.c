/* rubbing.c: see rubbing.h */
#include "rubbing.h"

void rubbing_affine(const rubbing_arm *arm, const double at_0[], const double per_nu[],
                    const double nu[], double x[]) {
  for (int i = 0; i < arm->joints; i++) {
    x[i] = at_0[i];
    for (int j = 0; j < arm->rows; j++) x[i] += per_nu[j * arm->joints + i] * nu[j];
  }
}
