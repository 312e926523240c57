#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/derivatives.sh ACHDGEN SOURCE_DIR CC: the functions did, dfd and dachd from outside: how many operations they take, that
# only what the layout asks for is computed, names of columns, zeros that are known, the table of them in C, words that
# a layout cannot have, and --check of robots of every kind.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"

# operations ROBOT FUNCTION LAYOUT: + - * /
operations() {
  echo "return { $3 }" >layout.lua
  "$achdgen" "$top/robots/$1.urdf" --layout layout.lua --functions "$2" --inspect |
    sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p'
}
at_most() { # WHAT LIMIT ROBOT FUNCTION LAYOUT: of these every third (in_sample)
  in_sample "$top" 3 || return 0
  count=$(operations "$3" "$4" "$5")
  check "$1: $count operations, at most $2" [ "$count" -le "$2" ]
}
arm='groups = {}'
at_most "gen3: inverse dynamics, both Jacobians, M" 3420 gen3 did "$arm"
at_most "iiwa7: the same" 2480 iiwa7 did "$arm"
at_most "gen3: forward dynamics and its derivatives" 5540 gen3 dfd "$arm"
at_most "iiwa7: the same" 4390 iiwa7 dfd "$arm"
at_most "two arms on a torso, branches that meet in it: the same" 12150 two_arms dfd "$arm"
at_most "a quadruped, branches that meet in a moving base: the same" 20460 quadruped dfd "base = \"floating\", $arm"
six='torques = { artificial = true }, groups = { { name = "tool", frame = "tool_frame", axes = "base" } }'
motion='"qdd", "nu", "tau_ctrl", "dqdd_dq", "dqdd_dqd", "dqdd_dtau", "dqdd_db"'
at_most "gen3, six rows: derivatives of the motion" 10250 gen3 dachd "$six, outputs = { $motion }"
at_most "gen3, six rows: those of forces and commands, too" 14360 gen3 dachd "$six, outputs = { \"qdd\", \"nu\", \"tau_ctrl\" }"

# What is not asked for costs nothing.
check "no derivative, no cost: did is id" [ "$(operations gen3 did "$arm, outputs = { \"M\" }")" -lt 1100 ]
without=$(operations gen3 dachd "$six, outputs = { \"qdd\", \"dqdd_db\" }")
check "by b alone: $without" [ "$without" -lt 3700 ]
columns() {
  echo "return { $2 }" >layout.lua
  "$achdgen" "$top/robots/$1.urdf" --layout layout.lua --functions "$3" --columns
}
names() { columns "$@" | awk '$1 == "out" { sub(/\..*/, "", $2); print $2 }' | uniq | tr '\n' ' '; }
check "outputs are those asked for" [ "$(names gen3 "$six, outputs = { $motion }" dachd)" = \
  "qdd nu tau_ctrl dqdd_dq dqdd_dqd dqdd_dtau dqdd_db status " ]
check "all where none is named" [ "$(names iiwa7 "$arm" dfd)" = "qdd dqdd_dq dqdd_dqd dqdd_dtau status " ]
columns gen3 "$six" dachd >all
for column in dqdd_dq.joint_1.joint_2 'dnu_db.tool.lin_x.tool.ang_z' dtau_ctrl_dtau.joint_7.joint_1 dnu_dqd.tool.ang_x.joint_5; do
  check "column $column" grep -q "^out $column " all
done
check "units" grep -q -x 'out dnu_db.tool.lin_x.tool.ang_z N/(rad/s^2)' all

# Zeros between branches are not told, and --eval tells as many numbers as --columns.
columns quadruped 'base = "floating", groups = {}' did >zeros
# shellcheck disable=SC2126 # a count of a pipe
check "no derivative of one leg by another" [ "$(grep '^out dtau_dq.*\.fl_.*\.rr_' zeros | wc -l)" -eq 0 ]
check "of a leg by itself" grep -q '^out dtau_dq\.fl_calf_joint\.fl_hip_joint ' zeros
check "nothing changes with where the base stands" sh -c '! grep -q "^out dtau_dq\..*\.base.lin_x " zeros'
awk '$1 == "in" { printf "%s ", $2 ~ /quat/ ? 0.5 : 0.1 * (NR % 9) } END { print "" }' zeros >state
echo 'return { base = "floating", groups = {} }' >layout.lua
"$achdgen" "$top/robots/quadruped.urdf" --layout layout.lua --functions did --eval <state >numbers
check "as many numbers as columns" [ "$(wc -w <numbers)" -eq "$(grep -c '^out' zeros)" ]

# The table of zeros in C says the same; a compiler has nothing to say of the functions, in batches, too (batch.sh runs such).
"$achdgen" "$top/robots/quadruped.urdf" --layout layout.lua --functions did --batch 4 --no-prove -o quadruped.h
printf '#define QUADRUPED_IMPLEMENTATION\n#include "quadruped.h"\n' >bodies.c
check "the functions have no warning" "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only bodies.c
cat >table.c <<'END'
#include "quadruped.h"
#include <stdio.h>
static const quadruped_did_sparsity sparsity = QUADRUPED_DID_SPARSITY;
int main(void) {
  int i, k, count = 0;
  for (i = 0; i < QUADRUPED_NV; i++)
    for (k = 0; k < QUADRUPED_NV; k++) count += sparsity.dtau_dq[i][k] + sparsity.dtau_dqd[i][k];
  printf("%d\n", count);
  return 0;
}
END
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror table.c -o table -lm
check "the table of zeros has as many" [ "$(./table)" -eq "$(grep -c '^out dtau_dqd*\.' zeros)" ]

# Words that cannot be.
refused() { # WHAT LAYOUT TEXT [FUNCTION]
  echo "return { $2 }" >layout.lua
  ! "$achdgen" "$top/robots/gen3.urdf" --layout layout.lua --functions "${4:-dachd}" -o bad.h 2>message || return 1
  [ ! -e bad.h ] && grep -q "layout.lua:1: error: $3" message
}
check "by rows that there are not" refused x 'groups = {}, outputs = { "dqdd_db" }' 'output "dqdd_db" cannot be made: the layout has no rows'
check "by torques that there are not" refused x 'outputs = { "dqdd_dtau_phys" }' 'output "dqdd_dtau_phys" cannot be made: the layout has no tau_phys'
check "by torques that there are not" refused x 'outputs = { "dnu_dtau" }, torques = { physical = true }' 'output "dnu_dtau" cannot be made'
check "by a wrench that there is not" refused x 'outputs = { "dqdd_dpush" }' 'unknown output "dqdd_dpush"'
check "a wrench named like a torque" refused x 'wrenches = { { name = "tau", frame = "tool_frame", kind = "physical" } }' 'a wrench cannot be named "tau"'
check "bounded rows" refused x 'friction = { coulomb = { joint_1 = 1 } }' 'dachd solves rows without bounds'

# Numbers of robots of every kind, judged by --check.
robots='gen3 four_bar'
[ "${ACHD_SWEEP:-}" != 1 ] || robots='gen3 four_bar youbot gripper two_arms quadruped panda drone youbot_base'
for robot in $robots; do
  for real in double float; do
    sampled 2 "--check $robot $real" "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --real $real \
      --check 3 --functions did,dfd,dachd
  done
done
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --check 3 --functions dachd >report
check "--check judges by differences" grep -q 'dnu_dpush, by differences  *3 ' report
finish
