#!/bin/sh
# tests/check.sh ACHDGEN SOURCE_DIR: --check: every robot that ships passes, in double and float, with all functions;
# the command line. That faults are found is check_test.c's.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"

functions=achd,fk,fvk,fak,jac,jdqd,id,fd,gravity,bias,crba,energy
for layout in "$top"/robots/*.lua; do
  urdf=${layout%.lua}.urdf
  [ -e "$urdf" ] || continue
  for real in double float; do
    check "$(basename "$urdf"), $real" "$achdgen" "$urdf" --layout "$layout" --real "$real" --check \
      --functions "$functions"
  done
  for formulation in recursion joint; do
    check "$(basename "$urdf"), $formulation" "$achdgen" "$urdf" --layout "$layout" --formulation "$formulation" --check 20
  done
done
check "numbers as written" "$achdgen" "$top/robots/gen3.urdf" --check --snap 0
check "no layout" "$achdgen" "$top/robots/gen3.urdf" --check

# -- words of layouts that the shipped ones do not have
cat >words.lua <<'END'
return {
  armature = "input", inertia_inputs = { "bracelet_link", "forearm_link" }, passive = { "joint_7" },
  locked = { joint_3 = 0.4 }, gravity = { 0.1, 0.2, -9.7 }, torques = { physical = true },
  saturate = true, effort = { joint_2 = 12 }, singularity = "drop",
  groups = {
    { name = "spatial", frame = "tool_frame", axes = "link", rows = { "lin_x", "ang_z" }, acceleration = "spatial" },
    { name = "free", frame = "forearm_link", rows = 2, kind = "physical", maskable = true },
    { name = "turned", frame = "bracelet_link", axes = "input", rows = { "lin_y" }, acceleration = "spatial", maskable = true },
  },
  wrenches = {
    { name = "hold", frame = "bracelet_link", kind = "artificial" },
    { name = "push", frame = "half_arm_2_link", kind = "physical" },
    { name = "stand", frame = "base_link", kind = "physical" },
  },
  outputs = { "tau_ctrl", "residual", "pivot", "tau_total", "tau_apparent", acc = { "tool_frame" },
    twist = { "tool_frame" }, pose = { "base_link", "tool_frame" } },
}
END
check "many words" "$achdgen" "$top/robots/gen3.urdf" --layout words.lua --check 300
sed 's/saturate = true/saturate = false/; s/"drop"/"damp"/' words.lua >unsaturated.lua
check "many words, not saturated" "$achdgen" "$top/robots/gen3.urdf" --layout unsaturated.lua --check 300
echo 'return { groups = {}, outputs = { pose = { "tool_frame" } } }' >poses.lua
check "no rows, no qdd" "$achdgen" "$top/robots/gen3.urdf" --layout poses.lua --check 20
check "only kinematics" "$achdgen" "$top/robots/gen3.urdf" --functions fk,jac --check 20

# -- the command line
robot=$top/robots/arm1dof.urdf
states() { # NUMBER ARGUMENTS...
  number=$1
  shift
  "$achdgen" "$@" >out
  cat out
  grep -q "^$number random states;" out
}
check "100 states by default" states 100 "$robot" --check
check "--check N" states 7 "$robot" --check 7
check "--check=N" states 8 --check=8 "$robot"
check "--check before the robot" states 100 --check "$robot"
check "the same every time" sh -c "'$achdgen' '$robot' --check 9 >a && '$achdgen' --check 9 '$robot' >b && cmp a b"
check "says where rows are lost" grep -q 'In 9 of 9 states rows met the singularity policy' a
refuses() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  ! "$achdgen" "$@" >out 2>err || return 1
  cat out err
  [ ! -s out ] && grep -q -e "$pattern" err
}
check "no states" refuses 'takes 1 to' "$robot" --check 0
check "too many" refuses 'takes 1 to' "$robot" --check 99999999999999999999
check "not a number" refuses '"many"' "$robot" --check=many
check "on a full disk" sh -c "! '$achdgen' '$robot' --check 2 >/dev/full 2>&1"
finish
