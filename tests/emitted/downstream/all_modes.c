/* SPDX-License-Identifier: MIT */
/* The same solve by every library: qdd = -b / 1 m, tau = qdd / 3 kg m^2. */
#include "batch_achd.h"
#include "inlined_achd.h"
#include "loaded_achd.h"
#include "loaded_split_achd.h"
#include "made_achd.h"
#include "rod_achd.h"
#include "singlef_achd.h"
#include "split_achd.h"

#include <math.h>
#include <stdio.h>

unsigned other_unit(double b, double *tau);
extern const unsigned loaded_achd_shape, loaded_achd_in_size, loaded_achd_out_size, loaded_id_shape;

static int failed;

static void expect(const char *what, double value, double wanted) {
  if (fabs(value - wanted) < 1e-6) return;
  printf("%s: %g, not %g\n", what, value, wanted);
  failed = 1;
}

#define SOLVE(p)                                                                                   \
  do {                                                                                             \
    p##_achd_in in = {.b = {-2}};                                                                  \
    p##_achd_out out;                                                                              \
    expect(#p " status", p##_achd(&in, &out), 0);                                                  \
    expect(#p " qdd", (double)out.qdd[0], 2);                                                      \
    expect(#p " tau", (double)out.tau_ctrl[0], 2.0 / 3);                                           \
  } while (0)

int main(void) {
  SOLVE(rod);
  SOLVE(made);
  SOLVE(singlef);
  SOLVE(split);
  SOLVE(inlined);
  SOLVE(batch);
  SOLVE(loaded);
  SOLVE(loaded_split);
  expect("float", sizeof(singlef_real), sizeof(float));
  expect("shape", loaded_achd_shape, LOADED_ACHD_SHAPE);
  expect("shape of id", loaded_id_shape, LOADED_ID_SHAPE);
  expect("size of in", loaded_achd_in_size, sizeof(loaded_achd_in));
  expect("size of out", loaded_achd_out_size, sizeof(loaded_achd_out));
  expect("made has gravity", sizeof(made_gravity_in) > 0, 1);

  batch_achd_batch_in states = {.b = {{-1, -2, -3, -4}}};
  batch_achd_batch_out out;
  batch_status status[4];
  batch_achd_batch(&states, &out, status);
  for (int k = 0; k < 4; k++) expect("batch", out.qdd[0][k], k + 1);

  double tau;
  expect("C++ status", other_unit(-3, &tau), 0);
  expect("C++ tau", tau, 1);
  puts(failed ? "failed" : "all modes agree");
  return failed;
}
