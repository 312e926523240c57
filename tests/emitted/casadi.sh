#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/casadi.sh ACHDGEN SOURCE_DIR CC: --casadi: the external functions of CasADi and acados, called by a program that
# plays them by their documented protocol (casadi_host.c): patterns, names, Jacobians against differences, missing inputs, memories, threads, functions in parts. Of the robots and functions every third (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"
parts=
strict='-std=c11 -O0 -Wall -Wextra -Wpedantic -Werror'

# judged ROBOT FUNCTIONS LAYOUT FLAGS NAMES...: the robot of this folder
folder=$top/robots
judged() {
  robot=$1 functions=$2 layout=$3 flags=$4
  shift 4
  echo "return { name = \"robot\", $layout }" >layout.lua
  # shellcheck disable=SC2086 # words
  "$achdgen" "$folder/$robot.urdf" --layout layout.lua --functions "$functions" --casadi --lanes "$lanes" $parts -o robot_casadi.c || return 1
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
in_parts() { judged gen3 id,fd "$gravity groups = {}, $push" '' robot_id robot_fd && grep -q 'robot_solver_dfd_part_2(' robot_casadi.c; }
sampled 3 "gen3: id, fd in parts" in_parts
parts=
sampled 3 "gen3: achd with six rows" judged gen3 achd "$gravity $six $push" '' robot_achd
[ "${ACHD_SWEEP:-}" != 1 ] || check "a floating base, six rows" judged gen3 achd "$gravity $six base = \"floating\"" '' robot_achd
# Rows that can be masked, the second of them is; fingers that mimic another; rows of a floating base, of the base alone.
sampled 3 "a mask is a switch: its blocks are zero" judged gen3_6dof achd "$gravity torques = { artificial = true },
  groups = { { name = \"tool\", frame = \"end_effector_link\", rows = { \"lin_x\", \"lin_z\" }, maskable = true } }" '' robot_achd
sampled 3 "a planar base, fingers that mimic, masks, wrenches of both kinds" judged gripper id,achd "$gravity base = \"planar\", torques = { artificial = true },
  wrenches = { { name = \"push\", frame = \"palm\", kind = \"physical\" }, { name = \"pull\", frame = \"palm\", kind = \"artificial\" } },
  groups = { { name = \"palm\", frame = \"palm\", rows = { \"lin_x\", \"lin_y\" }, axes = \"link\", maskable = true } }" '' robot_id robot_achd
sampled 3 "acados reads int" judged gen3 fd "$gravity groups = {}" -Dcasadi_int=int robot_fd
sampled 3 "a floating base: by quaternions" judged drone id,fd "$gravity groups = {}, base = \"floating\"" '' robot_id robot_fd
# A ball joint between others: by turns of the child about its own axes, and not by numbers of q that are not read.
inertial='<inertial><origin xyz="0.03 0.1 -0.05"/><mass value="1"/><inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"/></inertial>'
cat >swivel.urdf <<END
<robot name="swivel"><link name="trunk">$inertial</link><link name="turret">$inertial</link><link name="arm">$inertial</link><link name="hand">$inertial</link>
<joint name="yaw" type="continuous"><parent link="trunk"/><child link="turret"/><axis xyz="0 0 1"/></joint>
<joint name="hip" type="spherical"><parent link="turret"/><child link="arm"/><origin xyz="0 0.1 0.4" rpy="0.3 0 0.5"/></joint>
<joint name="elbow" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 0.6 0.8"/><origin xyz="0 0.02 0.3"/></joint></robot>
END
ball() { (folder=$scratch && judged swivel "$@"); }
sampled 3 "a ball joint" ball id,fd "$gravity groups = {}, wrenches = { { name = \"push\", frame = \"hand\", kind = \"physical\" } }" '' robot_id robot_fd
sampled 3 "a ball joint, rows, a floating base" ball achd "$gravity base = \"floating\", torques = { artificial = true },
  groups = { { name = \"tool\", frame = \"hand\", rows = { \"lin_x\", \"lin_z\" } } }" '' robot_achd
sampled 3 "a planar base, a tree" judged youbot fd "$gravity groups = {}, base = \"planar\"" '' robot_fd
sampled 3 "arms that share no joint: sparse" judged two_arms fd "$gravity groups = {}, locked = { torso_joint = 0 }" '' robot_fd
lanes=1
in_lanes() { judged two_arms id "$gravity groups = {}" '' robot_id && grep -q 'robot_solver_x2 .* = ' robot_casadi.c; }
sampled 3 "arms in the lanes of vectors" in_lanes

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

# What goes on with what another function put out.
echo 'return { name = "robot", gravity = { 0, 0, -9.81 }, friction = { joint_1 = 2 },
  contacts = { { name = "toe", frame = "tool_frame" }, { name = "heel", frame = "tool_frame", at = { 0.1, 0, 0 } } } }' >layout.lua
for functions in mclp step_begin; do
  "$achdgen" "$top/robots/gen3.urdf" --layout layout.lua --functions $functions --casadi -q -o robot_casadi.c
  # shellcheck disable=SC2086
  check "$functions and what follows it compile" "$cc" $strict -fPIC -shared robot_casadi.c -o librobot.so -lm
done
cat >steps.c <<'END'
#include "robot_casadi.c"
#include <string.h>
/* A step of external functions: what step_end is given of step_begin goes by names; it is what the solver inside
 * computes from its usual inputs, whose contacts have normals along z. */
int main(void) {
  robot_solver_step_in in = ROBOT_SOLVER_STEP_IN_DEFAULT;
  robot_solver_step_begin_out begun;
  robot_solver_step_out ended;
  static double x[32][64], y[32][4096], given[32][4096], z[32][64];
  const double *arg[32], *more[32];
  double *res[32], *end[32];
  const double lambda[7] = {0.25, 0.5, -0.25, 1, 0.125, -1, 0.75};
  int i, j, k, c, found = 0, compared = 0;
  for (i = 0; i < robot_step_begin_n_in(); i++) {
    const char *name = robot_step_begin_name_in(i);
    for (k = 0; k < (int)robot_step_begin_sparsity_in(i)[0]; k++) {
      x[i][k] = strcmp(name, "time_step") == 0 ? 0.01 : strncmp(name, "contact_", 8) == 0 ? k == 2 : 0.1 + 0.2 * k;
      if (strcmp(name, "q") == 0) in.q[k] = x[i][k];
      if (strcmp(name, "qd") == 0) in.qd[k] = x[i][k];
      if (strcmp(name, "tau") == 0) in.tau[k] = x[i][k];
    }
    arg[i] = x[i];
  }
  in.time_step = 0.01;
  for (i = 0; i < robot_step_begin_n_out(); i++) res[i] = y[i];
  if (robot_step_begin(arg, res, 0, 0, 0) || robot_solver_step_begin(&in, &begun) || robot_solver_step_end(&in, &begun, lambda, &ended)) return 1;
  for (i = 0; i < robot_step_end_n_in(); i++) {
    const char *name = robot_step_end_name_in(i);
    if (strcmp(name, "lambda") == 0) memcpy(given[i], lambda, sizeof lambda);
    for (j = 0; j < robot_step_begin_n_out(); j++) {
      const casadi_int *s = robot_step_begin_sparsity_out(j), *begin = s + 2, *row = s + 3 + s[1];
      if (strncmp(name, "step_begin_", 11) != 0 || strcmp(name + 11, robot_step_begin_name_out(j)) != 0) continue;
      for (c = 0, found++; c < s[1]; c++)
        for (k = (int)begin[c]; k < begin[c + 1]; k++) given[i][row[k]] = y[j][k];
    }
    more[i] = given[i];
  }
  for (i = 0; i < robot_step_end_n_out(); i++) end[i] = z[i];
  if (found != robot_step_end_n_in() - 1 || robot_step_end(more, end, 0, 0, 0)) return 2;
  for (i = 0; i < robot_step_end_n_out(); i++)
    for (k = 0; k < 7; k++) {
      if (strcmp(robot_step_end_name_out(i), "q_next") == 0) compared += z[i][k] == ended.q_next[k] && z[i][k] != in.q[k];
      if (strcmp(robot_step_end_name_out(i), "qd_next") == 0) compared += z[i][k] == ended.qd_next[k] && z[i][k] != in.qd[k];
    }
  return compared == 14 ? 0 : 3;
}
END
# shellcheck disable=SC2086
check "a caller of both compiles" "$cc" $strict steps.c -o steps -lm
check "step_end goes on with what step_begin put out" ./steps

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
