/* SPDX-License-Identifier: MIT */
/* differences.c: see differences.h */
#include "check/differences.h"

#include "check/linkages.h"

#include <string.h>

static const struct {
  const char *name;
  int size;
} base_positions[] = {{"base.quat", 4}, {"base.rot", 9}, {"base.yaw", 1}};

enum { BASE_POSITIONS = sizeof base_positions / sizeof *base_positions };

enum { QUATERNION = 4 };

/* Copies the positions of joints, balls and base to `kept`, or back. */
static void keep_positions(const ag_reference *reference, double *kept, bool back) {
  for (int k = -1; k < BASE_POSITIONS; k++) {
    double *x = ag_sampler_find(&reference->sampler, k < 0 ? "q" : base_positions[k].name);
    const int size = k < 0 ? reference->n - reference->nbase : base_positions[k].size;
    if (x) memcpy(back ? x : kept, back ? kept : x, (size_t)size * sizeof *x);
    kept += size;
  }
  for (int j = 0; j < reference->header.njoints; j++) {
    const ag_joint_info *joint = &reference->header.joints[j];
    if (!joint->ball || joint->axis > 0) continue;
    double *x = ag_sampler_find(&reference->sampler, joint->ball);
    memcpy(back ? x : kept, back ? kept : x, QUATERNION * sizeof *x);
    kept += QUATERNION;
  }
}

const double *ag_reference_derivative(const ag_reference *reference, const char *function,
                                      const double *v, double h) {
  ag_run *r = ag_reference_run(reference, function);
  const int size = r->graph->function->out.nelements;
  double *forward = reference->scratch[1], *kept = reference->scratch[2];
  keep_positions(reference, kept, false);
  ag_linkages_keep(reference, false);
  for (int side = 1; side >= -1; side -= 2) {
    ag_sampler_move(&reference->sampler, v, side * h);
    (void)ag_linkages_follow(reference);
    ag_run_evaluate(&reference->sampler, r, false);
    for (int i = 0; i < size; i++)
      forward[i] = side > 0 ? r->out[i] : (forward[i] - r->out[i]) / (2 * h);
    keep_positions(reference, kept, true);
    ag_linkages_keep(reference, true);
    (void)ag_linkages_closed(reference);
  }
  ag_run_evaluate(&reference->sampler, r, false);
  return forward;
}
