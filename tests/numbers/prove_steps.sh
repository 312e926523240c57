#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/prove_steps.sh ACHDGEN ACHDGEN_FROM_FOLDER SOURCE_DIR: steps with contacts, limits and dry friction are proven on all kinds of base; mistakes of
# prove_steps_mutants.txt in the scripts (every fifth, in_sample) are refused by name, and nothing is written; what has no definition is named.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
from_folder=$(absolute "$2")
top=$(cd "$3" && pwd)
cd "$scratch"
. "$top/tests/numbers/plant.sh"

cat >fixed.lua <<'END'
return {
  armature = "input", wrenches = { { name = "push", frame = "forearm_link", kind = "physical" } }, groups = {},
  limits = { margin = 0.1, joints = { "joint_2", "joint_6" } },
  friction = { coulomb = { joint_2 = 0.5, joint_5 = 1 }, viscous = "input" },
  contacts = {
    { name = "tip", frame = "tool_frame", at = { 0.01, 0.02, 0.03 }, radius = 0.04 }, { name = "elbow", frame = "forearm_link" },
  },
  step = { time_step = 2e-3 },
}
END
cat >planar.lua <<'END'
return {
  base = "planar", groups = {}, friction = { coulomb = "input", viscous = { arm_joint_2 = 0.7 } },
  contacts = { { name = "tip", frame = "arm_link_5", radius = 0.04 }, { name = "corner", frame = "plate_link", at = { 0.2, 0, 0 } } },
  step = {},
}
END
cat >floating.lua <<'END'
return {
  base = "floating", orientation = "matrix", groups = {}, limits = { margin = 0.1 },
  payload = { frame = "trunk", mass = "input", com = { 0.1, 0, 0 }, inertia = "input" },
  contacts = { { name = "toe", frame = "fl_foot", at = { 0.01, 0.02, 0.03 } }, { name = "belly", frame = "trunk", radius = 0.1 } },
  step = {},
}
END
cat >held.lua <<'END'
return {
  base = "floating", groups = { { name = "pin", frame = "fr_foot", rows = { "lin_x" }, kind = "physical" } },
  contacts = { { name = "toe", frame = "fl_foot" } }, step = {},
}
END
robot_of() {
  case $1 in fixed) echo gen3 ;; planar) echo youbot ;; *) echo quadruped ;; esac
}

# prove PROGRAM LAYOUT OPTIONS
prove() {
  program=$1 layout=$2
  shift 2
  "$program" -q "$top/robots/$(robot_of "$layout").urdf" --layout "$layout.lua" --functions step_begin "$@"
}

# proven LAYOUT OUTSIDE: so many outputs are outside, and nothing else is wrong.
proven() {
  prove "$achdgen" "$1" --prove 1 >said || return 1
  grep -q "outputs, of them $2 outside, 0 not on all sides of branches, 0 not identical" said &&
    [ "$(grep -c 'identical at [1-9]' said)" -ge 11 ] && ! grep -v status said | grep 'outside: ' | grep -v base_next.rot
}
check "fixed base, limits, dry friction" proven fixed 0
check "planar base" proven planar 0
check "floating base, but for how it is turned" proven floating 1
unproven() {
  prove "$achdgen" held --prove 1 >said && [ "$(grep -c 'outside: it has no definition' said)" -ge 10 ]
}
check "a group that is held has no definition, by name" unproven

refused() {
  rm -f planted.h
  ! prove "$from_folder" "$1" -o planted.h 2>said && [ ! -e planted.h ] &&
    grep -q 'error: .* of step_\(begin\|end\), element [0-9]*, is not what the equations of motion say' said
}
mutants=0
while IFS='|' read -r layout file old new; do
  case $layout in '#'* | '') continue ;; esac
  in_sample "$top" 5 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is refused: $new" refused "$layout"
done <"$top/tests/numbers/prove_steps_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
finish
