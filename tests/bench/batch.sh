#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/batch.sh ACHDGEN SOURCE_DIR [CC] [REPETITIONS]: time per state of gen3 with six rows, by the general solve
# (--formulation joint) and the null-space solve (null), in batches of 4 with AVX2 and, where the processor has it, of 8 with AVX-512.
# All contestants are in one program and take turns, each 256 random states that all take the null-space solve; processor time, medians,
# and their ratio to the first. Prints the table of docs/performance.md.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
compiler=${3:-gcc}
repetitions=${4:-101}
grep -q avx2 /proc/cpuinfo 2>/dev/null || skip_all "no AVX2"
cd "$scratch"
cat >six.lua <<'END'
return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "end_effector_link" } }, outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" } }
END
wide="joint_4 null_4"
flags="-mavx2 -mfma"
if grep -q avx512dq /proc/cpuinfo; then
  wide="$wide joint_8 null_8"
fi
: >declared && : >listed && objects=
for contestant in $wide; do
  formulation=${contestant%_*} states=${contestant#*_}
  [ "$states" = 4 ] || flags="-mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512"
  "$achdgen" -q "$top/robots/gen3.urdf" --layout six.lua --functions achd --batch "$states" --formulation "$formulation" --name robot --mode inline -o robot.h
  cat >"$contestant.c" <<END
#include "robot.h"
static double state(int field, int joint, int k) { /* far from singular: elbow and wrist bent */
  unsigned x = (unsigned)(field * 7919 + joint * 104729 + k * 1299709) * 2654435761u;
  return (double)(x >> 8) / (1 << 24);
}
double $contestant(int first);
double $contestant(int first) { /* how many of 64 times its states take the general solve */
  robot_achd_batch_in in = {0};
  robot_achd_batch_out out;
  robot_status status[$states];
  for (int k = 0; k < $states; k++)
    for (int j = 0; j < 7; j++) {
      in.q[j][k] = (j % 2 ? 1.0 : -1.0) * (0.6 + 0.6 * state(0, j, first + k));
      in.qd[j][k] = 2 * state(1, j, first + k) - 1;
      if (j < 6) in.b[j][k] = 2 * state(2, j, first + k) - 1;
    }
  double sum = 0;
  for (int again = 0; again < 64; again++) {
    __asm__ volatile("" : : "r"(&in) : "memory"); /* nothing is known of the state: nothing moves out of the loop */
    robot_achd_batch(&in, &out, status);
    __asm__ volatile("" : : "r"(&out) : "memory");
    for (int k = 0; k < $states; k++) sum += out.pivot_min[k] < 1.5e-4; /* singular_threshold 2e-8: the general solve */
  }
  return sum;
}
END
  cp robot.h "$contestant.h" && sed -i "s/robot.h/$contestant.h/" "$contestant.c"
  # shellcheck disable=SC2086 # words
  "$compiler" -O3 $flags -std=gnu11 -c "$contestant.c" -o "$contestant.o"
  objects="$objects $contestant.o"
  echo "double $contestant(int);" >>declared
  echo "{\"$formulation, batches of $states\", $contestant, $states}," >>listed
done
cat >main.c <<END
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>
$(cat declared)
static const struct { const char *name; double (*run)(int); int states; } all[] = {$(cat listed)};
enum { N = sizeof all / sizeof *all, STATES = 256, MOST = 10000 };
static double ns[N][MOST];
int main(int argc, char **argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 101;
  double slow[N] = {0}, median[N];
  for (int r = 0; r < repetitions && r < MOST; r++)
    for (int c = 0; c < (int)N; c++) {
      const double from = now();
      for (int s = 0; s < STATES; s += all[c].states) slow[c] += all[c].run(s);
      ns[c][r] = (now() - from) / (64.0 * STATES);
    }
  printf("| gen3, six rows | ns a state | times as fast as the first |\n|---|---|---|\n");
  for (int c = 0; c < (int)N; c++) {
    qsort(ns[c], (size_t)repetitions, sizeof ns[c][0], by_size);
    median[c] = ns[c][repetitions / 2];
    printf("| %s | %.0f | %.2f |\n", all[c].name, median[c], median[0] / median[c]);
    if (slow[c] > 0) {
      printf("%s: states take the general solve\n", all[c].name);
      return 1;
    }
  }
  return 0;
}
END
# shellcheck disable=SC2086 # words
"$compiler" -O2 -I"$top/tests/bench" main.c $objects -lm -o batch
./batch "$repetitions"
