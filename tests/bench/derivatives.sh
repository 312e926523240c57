#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/derivatives.sh ACHDGEN SOURCE_DIR [COMPILER FLAGS]: times of derivatives of iiwa7 and gen3 (derivatives.c), beside differences
# of our own functions and, where it is installed, MuJoCo's.
set -eu
achdgen=$1 top=$2
shift 2
[ $# -gt 0 ] || set -- gcc -O3 -march=native
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'return { groups = {} }' >"$work/layout.lua"
mujoco=
! echo '#include <mujoco/mujoco.h>' | "$1" -E - >/dev/null 2>&1 || mujoco='-DWITH_MUJOCO -lmujoco'
for robot in iiwa7 gen3; do
  "$achdgen" -q "$top/robots/$robot.urdf" --layout "$work/layout.lua" --name arm --functions fd,dfd --batch 8 -o "$work/arm.h"
  model=
  [ -z "$mujoco" ] || ! "$achdgen" -q "$top/robots/$robot.urdf" --mjcf "$work/arm.xml" 2>/dev/null || model=$work/arm.xml
  # shellcheck disable=SC2086 # flags
  "$@" -I"$work" "$top/tests/bench/derivatives.c" -o "$work/run" $mujoco -lm
  echo "$robot, $*"
  # shellcheck disable=SC2086 # a file or nothing
  "$work/run" $model
done
# The optimiser of docs/examples/optimal: a second of a Gen3 in 200 steps.
"$achdgen" -q "$top/robots/gen3.urdf" --layout "$top/docs/examples/optimal/gen3.lua" --functions dstep,fk,jac --casadi -o "$work/gen3_casadi.c"
"$@" "$top/docs/examples/optimal/swing.c" "$work/gen3_casadi.c" -o "$work/swing" -lm
echo "swing of docs/examples/optimal, median of 25"
(cd "$work" && ./swing times=25)
