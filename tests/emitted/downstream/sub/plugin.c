/* SPDX-License-Identifier: MIT */
#include "rod_achd.h"

unsigned plugin_solve(const rod_achd_in *in, rod_achd_out *out) {
  return rod_achd(in, out);
}
