#!/bin/sh
# tests/emitted/casadi.sh ACHDGEN SOURCE_DIR CC: --casadi: the external functions of CasADi and acados, called by a program that
# plays them by their documented protocol (casadi_host.c): patterns, names, Jacobians against differences, missing inputs, memories, threads, functions in parts.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"
parts=
strict='-std=c11 -O0 -Wall -Wextra -Wpedantic -Werror'

# judged ROBOT FUNCTIONS LAYOUT FLAGS NAMES...
judged() {
  robot=$1 functions=$2 layout=$3 flags=$4
  shift 4
  echo "return { name = \"robot\", $layout }" >layout.lua
  # shellcheck disable=SC2086 # words
  "$achdgen" "$top/robots/$robot.urdf" --layout layout.lua --functions "$functions" --casadi --lanes "$lanes" $parts -o robot_casadi.c || return 1
  # shellcheck disable=SC2086 # flags
  "$cc" $strict $flags -fPIC -shared robot_casadi.c -o librobot.so -lm || return 1
  # shellcheck disable=SC2086
  "$cc" $strict $flags -D_POSIX_C_SOURCE=200809L "$top/tests/emitted/casadi_host.c" -o host -pthread -ldl -lm || return 1
  ./host ./librobot.so "$@"
}
lanes=0
gravity='gravity = { 0, 0, -9.81 }, '
six='torques = { artificial = true, physical = true }, groups = { { name = "tool", frame = "tool_frame" } },'
push='wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },'
check "gen3: id, fd" judged gen3 id,fd "$gravity groups = {}, $push" '' robot_id robot_fd
parts='--parts 300'
check "gen3: id, fd in parts" judged gen3 id,fd "$gravity groups = {}, $push" '' robot_id robot_fd
check "they are in parts" grep -q 'robot_solver_dfd_part_2(' robot_casadi.c
parts=
check "gen3: achd with six rows" judged gen3 achd "$gravity $six $push" '' robot_achd
[ "${ACHD_SWEEP:-}" != 1 ] || check "a floating base, six rows" judged gen3 achd "$gravity $six base = \"floating\"" '' robot_achd
# Rows that can be masked, the second of them is; fingers that mimic another; rows of a floating base, of the base alone.
check "a mask is a switch: its blocks are zero" judged gen3_6dof achd "$gravity torques = { artificial = true },
  groups = { { name = \"tool\", frame = \"end_effector_link\", rows = { \"lin_x\", \"lin_z\" }, maskable = true } }" '' robot_achd
check "a planar base, fingers that mimic, masks, wrenches of both kinds" judged gripper id,achd "$gravity base = \"planar\", torques = { artificial = true },
  wrenches = { { name = \"push\", frame = \"palm\", kind = \"physical\" }, { name = \"pull\", frame = \"palm\", kind = \"artificial\" } },
  groups = { { name = \"palm\", frame = \"palm\", rows = { \"lin_x\", \"lin_y\" }, axes = \"link\", maskable = true } }" '' robot_id robot_achd
check "acados reads int" judged gen3 fd "$gravity groups = {}" -Dcasadi_int=int robot_fd
check "a floating base: by quaternions" judged drone id,fd "$gravity groups = {}, base = \"floating\"" '' robot_id robot_fd
check "a planar base, a tree" judged youbot fd "$gravity groups = {}, base = \"planar\"" '' robot_fd
check "arms that share no joint: sparse" judged two_arms fd "$gravity groups = {}, locked = { torso_joint = 0 }" '' robot_fd
lanes=1
check "arms in the lanes of vectors" judged two_arms id "$gravity groups = {}" '' robot_id
check "... of vectors" grep -q 'robot_solver_x2 .* = ' robot_casadi.c

# Kinematics have no Jacobians, and derivatives are functions themselves.
echo "return { name = \"robot\", $gravity groups = {} }" >layout.lua
"$achdgen" "$top/robots/iiwa7.urdf" --layout layout.lua --functions fk,jac,dfd,crba --casadi
check "NAME_casadi.c by default" [ -s robot_casadi.c ]
check "it says how CasADi loads it" grep -q -F 'fk = casadi.external("robot_fk", "./robot_casadi.so")' robot_casadi.c
check "and which have no Jacobian" grep -q -x ' \* Without a Jacobian: fk, jac, dfd, crba\.' robot_casadi.c
"$achdgen" "$top/robots/iiwa7.urdf" --layout layout.lua --functions fk,jac,dfd,crba --casadi -o - >stdout.c
check "standard output has the same" sh -c 'sed 1,2d robot_casadi.c >a && sed 1,2d stdout.c >b && cmp a b'
check "and not how a header is included" sh -c '! grep -q "#include \"robot_casadi" robot_casadi.c'
# shellcheck disable=SC2086
check "it compiles" "$cc" $strict -fPIC -shared robot_casadi.c -o librobot.so -lm
for name in robot_fk robot_jac robot_dfd robot_crba; do
  check "$name is exported" sh -c "nm -D librobot.so | grep -q ' T $name\$'"
done
passive="coriolis,slotine_li,centroidal,manipulability"
check "those of momentum compile" sh -c "'$achdgen' '$top/robots/youbot_arm.urdf' --layout layout.lua --functions $passive --casadi -q -o passive_casadi.c && '$cc' $strict -fPIC -shared passive_casadi.c -o libpassive.so -lm"
for name in $(echo $passive | tr , ' '); do
  check "robot_$name is exported" sh -c "nm -D libpassive.so | grep -q ' T robot_$name\$'"
done
check "the solver inside is not" sh -c '! nm -D librobot.so | grep -q solver'
check "the same as C++" sh -c "cp robot_casadi.c robot_casadi.cpp && c++ -O0 -std=c++17 -Wall -Wextra -Werror -fPIC -shared robot_casadi.cpp -o cpp.so"
check "functions of C++ keep their names" sh -c "nm -D cpp.so | grep -q ' T robot_dfd\$'"

refused() { # TEXT ARGUMENTS...
  text=$1
  shift
  ! "$achdgen" "$top/robots/gen3.urdf" "$@" -o bad.c 2>message || return 1
  [ ! -e bad.c ] && grep -q -e "$text" message
}
# What an input without derivative asks for.
remedied() { # TEXT REMEDY ROBOT FUNCTION LAYOUT
  echo "return { $5 }" >layout.lua
  ! "$achdgen" "$top/robots/$3.urdf" --layout layout.lua --functions "$4" --casadi -o bad.c 2>message || return 1
  [ ! -e bad.c ] && grep -q -F "$1" message && grep -q -F "remedy: $2" message
}
check "by axes" remedied 'achd has no derivative of qdd by axes.tool' 'fix it in the layout, or write --functions dachd' gen3 achd \
  "$gravity groups = { { name = \"tool\", frame = \"tool_frame\", axes = \"input\" } }"
check "by rotors" remedied 'fd has no derivative of qdd by armature' 'fix it in the layout, or write --functions dfd' gen3 fd "$gravity groups = {}, armature = \"input\""
check "by nine numbers" remedied "fd has no derivative of qdd by base.rot" "write orientation = \"quaternion\"" gen3 fd \
  "$gravity groups = {}, base = \"floating\", orientation = \"matrix\""
check "by what outputs leave out" remedied 'fd has no derivative of qdd by qd' "name no derivatives in the layout's outputs" gen3 fd \
  "$gravity groups = {}, outputs = { \"qdd\", \"dqdd_dq\" }"

check "no derivative by gravity" refused 'fd has no derivative of qdd by gravity' --functions fd --casadi
check "not in float" refused '--real float does not go with it' --functions fd --casadi --real float
check "not a batch" refused '--batch does not go with it' --functions fd --casadi --batch 4
check "no offsets" refused '--offsets does not go with it' --functions fd --casadi --offsets
finish
