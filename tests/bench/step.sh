#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/step.sh ACHDGEN: a step of a quadruped that stands on four feet, or slides on them, and of a Gen3 beside MuJoCo's, in one run and in turn, by usual and by native flags. MuJoCo also
# finds which shapes touch, and fills its arrays of sensors. It runs with its default options (semi-implicit Euler, pyramids of friction), and with those that
# --mjcf writes (implicit, elliptic cones, impratio 20, tolerance 1e-10).
set -eu
achdgen=$(realpath "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$achdgen" "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" --functions step_begin -o quadruped_step_begin.h -q
echo 'return { floor = true }' >scene.lua
"$achdgen" "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" --mjcf quadruped.xml --scene scene.lua -q
echo 'return { groups = {}, limits = {}, step = {} }' >limited.lua
echo 'return { groups = {}, step = {} }' >gen3.lua
"$achdgen" "$top/robots/gen3.urdf" --layout gen3.lua --functions step -o gen3_step.h -q
"$achdgen" "$top/robots/gen3.urdf" --layout gen3.lua --mjcf gen3.xml -q
"$achdgen" "$top/robots/gen3.urdf" --layout limited.lua --functions step_begin --name limited -o limited_step_begin.h -q
for flags in "-O2" "-O3 -march=native"; do
  # shellcheck disable=SC2086
  gcc -std=gnu11 $flags -I "$top/runtime" -I . "$top/tests/bench/step.c" "$top"/runtime/contact*.c -o step -lmujoco -lm
  echo "$flags: $(./step quadruped.xml default)"
  echo "$flags: $(./step quadruped.xml default slides)"
  echo "$flags, the options of --mjcf: $(./step quadruped.xml)"
  # shellcheck disable=SC2086
  gcc -std=gnu11 $flags -I "$top/runtime" -I . "$top/tests/bench/step_arm.c" "$top"/runtime/contact*.c -o step_arm -lmujoco -lm
  echo "$flags: $(./step_arm gen3.xml)"
done
