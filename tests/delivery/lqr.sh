#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/lqr.sh ACHDGEN SOURCE_DIR CC: the recipe of docs/derivatives.md for a linear controller: its gains solve the Riccati
# equation well enough that a simulated arm returns to where it is to be held, and without them it does not.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"
positions='0.4 0.6 0 -1.2 0 0.9 0'
# shellcheck disable=SC2086 # a word per joint
sh "$top/docs/examples/lqr/lqr.sh" "$achdgen" "$top/robots/iiwa7.urdf" $positions >gains
check "seven torques" [ "$(sed -n 's/^hold //p' gains | wc -w)" -eq 7 ]
check "seven rows of fourteen gains" [ "$(grep '^K ' gains | awk '{ good += NF == 15 } END { print good + 0 }')" -eq 7 ]
check "a position is missing" sh -c "! sh '$top/docs/examples/lqr/lqr.sh' '$achdgen' '$top/robots/iiwa7.urdf' 0.1 2>/dev/null"
check "a position is no number" sh -c "! sh '$top/docs/examples/lqr/lqr.sh' '$achdgen' '$top/robots/iiwa7.urdf' 0.4 nan 0 -1.2 0 0.9 0 >none 2>told"
check "is told, and gives no gain" sh -c 'grep -q "no linearisation there" told && ! grep -q "^K" none'

"$achdgen" "$top/robots/iiwa7.urdf" --functions fd -o iiwa7.h
{
  echo "static const double goal[7] = {$(echo "$positions" | sed 's/ /, /g')};"
  echo "static const double hold[7] = {$(sed -n 's/^hold //p' gains | sed 's/ *$//; s/ /, /g')};"
  echo "static const double gain[7][14] = {$(sed -n 's/^K \(.*\)/{\1},/p' gains | sed 's/ /, /g')};"
} >gains.h
cat >arm.c <<'END'
#define IIWA7_IMPLEMENTATION
#include "iiwa7.h"
#include "gains.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* The largest distance from the goal after 4 s from 0.1 rad away, with the controller or with the holding torques alone. */
int main(int argc, char **argv) {
  const int controlled = argc > 1 && atoi(argv[1]);
  iiwa7_fd_in in = IIWA7_FD_IN_DEFAULT;
  iiwa7_fd_out out;
  double most = 0;
  int i, k, step;
  for (i = 0; i < 7; i++) in.q[i] = goal[i] + (i % 2 ? 0.1 : -0.1);
  for (step = 0; step < 40000; step++) {
    for (i = 0; i < 7; i++) {
      in.tau[i] = hold[i];
      for (k = 0; k < 7 && controlled; k++)
        in.tau[i] -= gain[i][k] * (in.q[k] - goal[k]) + gain[i][7 + k] * in.qd[k];
    }
    if (iiwa7_fd(&in, &out) & IIWA7_DO_NOT_COMMAND) return 1;
    for (i = 0; i < 7; i++) {
      in.qd[i] += 1e-4 * out.qdd[i];
      in.q[i] += 1e-4 * in.qd[i];
    }
  }
  for (i = 0; i < 7; i++) most = fmax(most, fabs(in.q[i] - goal[i]));
  printf("%g\n", most);
  return 0;
}
END
check "the arm compiles" "$cc" -std=c99 -O1 -Wall -Wextra -Werror arm.c -o arm -lm
with=$(./arm 1)
without=$(./arm 0 || echo lost)
echo "4 s later: $with rad from the goal; by the holding torques alone $without"
check "it returns" awk -v x="$with" 'BEGIN { exit !(x < 1e-4) }'
check "without the gains it does not" awk -v x="$without" 'BEGIN { exit !(x == "lost" || x > 0.05) }'
finish
