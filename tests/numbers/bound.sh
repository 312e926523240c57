#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/bound.sh ACHDGEN ACHDGEN_FROM_FOLDER SOURCE_DIR: the output "bound" of robots of robots/ against long double and
# quad (bound_sweep.c), each formulation, of doubles and floats: no error above its bound, and the median of bound over error at
# most 100 (see `useful`). Default: 400 states of one or two of three cases, and every 22nd of the mistakes of bound_mutants.txt (in_sample), which have to be
# noticed; ACHD_SWEEP=1: 10000000 of gen3, 300000 of each of the others, and all mistakes.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$1
from_folder=$2
top=$3
here=$(dirname "$0")
. "$here/plant.sh"

# judged ROBOT FRAME FORMULATION FUNCTION MORE REAL: the layout, and the solve to judge by; ROBOT may be a file, FRAME the words of
# a group; MORE are words of the layout.
judged() {
  urdf=$top/robots/$1.urdf
  [ ! -f "$1" ] || urdf=$1
  case $2 in *=*) group=$2 ;; *) group="frame = \"$2\"" ;; esac
  inputs="gravity = { 0, 0, -9.81 }, groups = { { name = \"tool\", $group, maskable = true } }, $5 torques = { artificial = true }"
  echo "return { $inputs, outputs = { \"qdd\", \"nu\", \"tau_ctrl\", \"bound\" } }" >"$scratch/robot.lua"
  echo "return { $inputs, outputs = { \"qdd\", \"nu\", \"tau_ctrl\" }, singular_threshold = 1e-25 }" >"$scratch/exact.lua"
  judge=joint
  [ "$3" = null ] && judge=null # which long double needs: it is more exact than joint by as much as it is than double
  "$achdgen" "$urdf" --layout "$scratch/exact.lua" --name wide --functions "$4" --formulation $judge -o "$scratch/wide.h" --no-prove
  # long doubles have other bits than those that the tests of size look at: here all inputs are moderate
  sed -i -E 's/wide_probe(_[0-9]+)?_exp[0-9]+\(\(const wide_real \*\)\(const void \*\)(in|trig)( \+ [0-9]+)?\)/0/g' "$scratch/wide.h"
  "$achdgen" "$urdf" --layout "$scratch/exact.lua" --name exact --functions "$4" --formulation joint -o "$scratch/exact.h" --no-prove
  words=
  [ "$4" = fd ] && words=-DFD
  [ "$6" = float ] && words="$words -DFLOAT"
  words="$words $still $slides"
  # shellcheck disable=SC2086
  cc -std=gnu99 $optimise $words -I"$scratch" -c -o "$scratch/judge.o" "$here/bound_judge.c"
}

# swept GENERATOR FORMULATION FUNCTION REAL STATES: says what came out; fails where errors exceed their bounds.
swept() {
  "$1" "$urdf" --layout "$scratch/robot.lua" --name robot --functions "$3" --formulation "$2" --real "$4" -o "$scratch/robot.h" --no-prove || return 2
  [ "$4" = float ] && sed -i 's/robotf_/robot_/g; s/ROBOTF_/ROBOT_/g' "$scratch/robot.h"
  # shellcheck disable=SC2086
  cc -std=gnu99 $optimise $words -I"$scratch" -o "$scratch/sweep" "$here/bound_sweep.c" "$scratch/judge.o" -lquadmath -lm || return 2
  "$scratch/sweep" "$5" 1
}

# useful LINE FORMULATION FUNCTION REAL: the median that it tells is at most 100. Of achd by the null-space solve in double 150: a
# fifth of these states is answered by the general solve, whose errors are a twelfth since it refines nu, of the same bounds: 1000
# states of gen3 have a median of 119, and of 84 without the refinement.
useful() {
  median=${1##*median }
  most=100
  [ "$2 $3 $4" = "null achd double" ] && most=150 # its errors are smaller: nu is refined
  [ "${median%%;*}" -le $most ]
}

# one ROBOT FRAME FORMULATION FUNCTION MORE STATES REAL
one() {
  judged "$1" "$2" "$3" "$4" "$5" "$7"
  if ! line=$(swept "$achdgen" "$3" "$4" "$7" "$6"); then
    failed=1
  elif [ -z "$still" ] && ! useful "$line" "$3" "$4" "$7"; then
    echo "BAD $1 $4 ($3): the median is above $most"
    failed=1
  fi
  echo "$1 $4 ($3, $7): $line"
}

# mistakes CASE JUDGE MORE FORMULATION FUNCTION REAL: those of this case in bound_mutants.txt, a sample; JUDGE is the formulation of the solve to judge by.
mistakes() {
  case=$1 judge_by=$2 more=$3 ready=
  shift 3
  while IFS='|' read -r of file old new; do
    case $of in '#'* | '') continue ;; esac
    { [ "$of" = "$case" ] && in_sample "$top" 22; } || continue
    [ -n "$ready" ] || judged gen3 tool_frame "$judge_by" "$2" "$more" "$3"
    ready=1
    if ! plant "$file" "$old" "$new"; then
      echo "BAD this does not stand in $file once: $old"
      failed=1
      continue
    fi
    planted=$((planted + 1))
    result=0
    line=$(swept "$from_folder" "$@" "$states_of_mistakes") || result=$?
    if [ $result -gt 1 ] || { [ $result -eq 0 ] && useful "$line" "$@"; }; then
      echo "BAD not noticed ($case): $new: $line"
      failed=1
    fi
  done <"$here/bound_mutants.txt"
}

# The guard of docs/layouts.md trusts an arm that is bent, and not one that is nearly stretched.
awk '/^```c$/ { inside = 1; text = ""; next } /^```$/ { if (inside && text ~ /gen3_rounding/) print text; inside = 0 } inside { text = text $0 "\n" }' \
  "$top/docs/layouts.md" >"$scratch/guard.h"
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/rounding/gen3.lua" -o "$scratch/gen3_rounding_achd.h"
cc -std=c99 -Wall -Wextra -Werror -O0 -I"$scratch" -o "$scratch/guard" "$here/bound_guard.c" -lm
if ! "$scratch/guard"; then failed=1; fi

# Where there is no bound, as of an arm that is nearly stretched, the number is the one that the page tells.
for real in double float; do
  case $real in double) told='s/.*number is then \(1e[0-9]*\) (float.*/\1/p' ;; *) told='s/.*number is then 1e[0-9]* (float: \(1e[0-9]*\)).*/\1/p' ;; esac
  if ! echo "0 0.26 3.14 1e-5 0 0.96 1.57 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0 0 -9.81 0 0 0 0 0 0" |
    "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/rounding/gen3.lua" --real $real --eval -q |
    awk -v none="$(sed -n "$told" "$top/docs/layouts.md")" '
      { for (i = NF - 7; i < NF; i++) seen += $i > 0.999999 * none && $i < 1.000001 * none }
      END { exit !(none > 0 && seen == 7) }'; then
    echo "BAD what stands for no bound, $real"
    failed=1
  fi
done

# --check holds solve and script, and two formulations, against both bounds.
for real in double float; do
  if ! "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/rounding/gen3.lua" --real $real --check "${ACHD_SWEEP:+3}60" >"$scratch/said" ||
    ! grep -q 'qdd within both bounds' "$scratch/said"; then
    echo "BAD --check, $real"
    failed=1
  fi
done

few=400
many=$few
optimise=-O0
states_of_mistakes=3000
planted=0
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  few=300000
  many=10000000
  optimise=-O2
  states_of_mistakes=30000
fi
still=
slides=
rotors=$(sed -n '/armature = {/,/},/p' "$top/robots/gen3.lua" | sed 's/--.*//' | tr '\n' ' ')
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  one gen3 tool_frame null achd "$rotors" "$many" double
fi
# of three cases, and of those at rest, every second
! in_sample "$top" 2 || one gen3 tool_frame null achd "" "$few" double
! in_sample "$top" 2 || one gen3 tool_frame recursion fd "" "$few" double
! in_sample "$top" 2 || one gen3 tool_frame null achd "$rotors" "$few" float
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  one gen3 tool_frame joint achd "$rotors" "$few" double
  one gen3 tool_frame recursion achd "" "$few" double
  one gen3 tool_frame joint fd "$rotors" "$few" double
  one gen3 tool_frame joint fd "" "$few" double
  one iiwa7 iiwa_link_ee joint achd "" "$few" double
  one iiwa7 iiwa_link_ee null achd "" "$few" double
  slides='-DSLIDES_FROM=7' # the fingers
  one panda panda_link8 joint achd "" "$few" double
  slides=
  one lwr4 lwr_7_link recursion fd "" "$few" double
  one gen3 tool_frame joint achd "$rotors" "$few" float
  one iiwa7 iiwa_link_ee joint fd "" "$few" float
  one lwr4 lwr_7_link null achd "" "$few" float
fi
# Rows that leave nothing free, and a gantry that stands still: bounds there, too. (In double bound_test.cpp judges robots whose
# inertia is constant: the header has its inverse as a rounded number, in quad as well.)
still=-DSTILL
awk 'BEGIN {
  print "<robot name=\"gantry\"><link name=\"rail\"/>"
  split("1 0 0,0 1 0,0 0 1", axis, ",")
  for (i = 1; i <= 3; i++) {
    print "<link name=\"l" i "\"><inertial><origin xyz=\"0.1 0.05 0\"/><mass value=\"" 4 - i "\"/><inertia ixx=\"0.02\" iyy=\"0.03\" izz=\"0.04\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
    print "<joint name=\"j" i "\" type=\"prismatic\"><parent link=\"" (i == 1 ? "rail" : "l" i - 1) "\"/><child link=\"l" i "\"/><axis xyz=\"" axis[i] "\"/><limit lower=\"-4\" upper=\"4\" effort=\"50\" velocity=\"3\"/></joint>"
  }
  print "</robot>"
}' >"$scratch/gantry.urdf"
for formulation in joint recursion; do
  ! in_sample "$top" 2 || one "$scratch/gantry.urdf" 'joints = { "j3" }' $formulation achd "" 300 double
  ! in_sample "$top" 2 || one "$scratch/gantry.urdf" 'frame = "l3", rows = { "lin_x", "lin_y", "lin_z" }' $formulation achd "" 300 double
done
# Beyond the limits of a sliding joint its inertia could be more than the bound reckons with: there is none.
echo 'return { outputs = { "qdd", "bound" } }' >"$scratch/slides.lua"
for at in 4.04:0 -4.04:0 4.06:3 -4.06:3; do
  if ! echo "0 ${at%:*} 0  0.1 0.2 0.3  0 0 -9.81  3 2 1" |
    "$achdgen" "$scratch/gantry.urdf" --layout "$scratch/slides.lua" --functions fd --eval -q |
    awk -v none="${at#*:}" '{ for (i = 4; i <= 6; i++) seen += $i > 1e299 } END { exit !(NR == 1 && seen == none) }'; then
    echo "BAD a bound where a joint has slid to ${at%:*}"
    failed=1
  fi
done
one arm1dof 'joints = { "joint1" }' joint achd "" 300 float
still=
optimise=-O0
mistakes null null "" null achd double
mistakes joint null "" joint achd double
mistakes float null "$rotors" null achd float
mistakes recursion recursion "" recursion fd double
echo "$planted mistakes planted"
[ "$failed" -eq 0 ]
