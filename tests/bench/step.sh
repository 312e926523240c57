#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/step.sh ACHDGEN: steps beside MuJoCo's, in one run and in turn, on one core, by usual and by native flags: of a quadruped that stands on four feet, or slides on them, of many
# quadrupeds by functions over arrays of states, of a humanoid that stands on eight corners, and of a Gen3. Below three minutes on a machine that does nothing else. MuJoCo also
# finds which shapes touch, and fills its arrays of sensors. It runs with its default options (semi-implicit Euler, pyramids of friction), and with those that
# --mjcf writes (implicit, elliptic cones, impratio 20, tolerance 1e-10).
set -eu
achdgen=$(realpath "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/bench
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
quadruped() { "$achdgen" "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" -q "$@"; }
humanoid() { "$achdgen" "$top/robots/humanoid.urdf" --layout "$here/step_humanoid.lua" -q "$@"; }
echo 'return { floor = true }' >scene.lua
echo 'return { groups = {}, limits = {}, step = {} }' >limited.lua
echo 'return { groups = {}, step = {} }' >gen3.lua
quadruped --functions step_begin -o quadruped_step_begin.h
quadruped --functions step_begin --mode shared --batch 8 -o quadruped.h
quadruped --mjcf quadruped.xml --scene scene.lua
humanoid --functions step_begin -o humanoid_step_begin.h
humanoid --mjcf humanoid.xml --scene "$here/step_humanoid_scene.lua"
"$achdgen" "$top/robots/gen3.urdf" --layout gen3.lua --functions step -o gen3_step.h -q
"$achdgen" "$top/robots/gen3.urdf" --layout gen3.lua --mjcf gen3.xml -q
"$achdgen" "$top/robots/gen3.urdf" --layout limited.lua --functions step_begin --name limited -o limited_step_begin.h -q
core=$(taskset -cp $$ 2>/dev/null | sed 's/.*[-, ]//') || core=
run() {
  echo "$flags$options: $(${core:+taskset -c "$core"} "$@")"
}
for flags in "-O2" "-O3 -march=native"; do
  for program in step step_many step_humanoid step_arm; do
    [ $program = step_many ] && of_states=quadruped.c || of_states=
    # shellcheck disable=SC2086
    gcc -std=gnu11 $flags -I "$top/runtime" -I . "$here/$program.c" $of_states "$top"/runtime/contact*.c -o $program -lmujoco -lm
  done
  options=
  run ./step quadruped.xml default
  run ./step quadruped.xml default slides
  run ./step_many quadruped.xml
  run ./step_humanoid humanoid.xml default
  run ./step_arm gen3.xml
  options=", the options of --mjcf"
  run ./step quadruped.xml
  run ./step_humanoid humanoid.xml
done
