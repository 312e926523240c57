#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/optimal.sh ACHDGEN SOURCE_DIR CC: docs/examples/optimal: the README shows what the programs print; the motions that
# the optimiser finds keep the torques' limits, the wall and the friction cones, the slopes of their costs equal differences, and with
# their gains they reach the goal in MuJoCo, from another start and on contacts that give way. Where there is no motion it says so.
# optimal.c tests the optimiser on a mass, whose best motion it judges itself.
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/console.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cp -R "$top/docs/examples/optimal" "$scratch/optimal"
mkdir "$scratch/bin"
ln -s "$achdgen" "$scratch/bin/achdgen"
ln -s "$(command -v "$cc")" "$scratch/bin/cc"
PATH=$scratch/bin:$PATH
ROBOTS=$top/robots
RUNTIME=$top/runtime
cd "$scratch/optimal"
run_document README.md

strict='-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror'
for program in swing sway replay; do
  # shellcheck disable=SC2086 # flags
  check "$program.c has no warnings" "$cc" $strict -I"$RUNTIME" -fsyntax-only "$program.c"
done

# shellcheck disable=SC2086 # flags
check "optimal.c has no warnings" "$cc" $strict -I. "$top/tests/delivery/optimal.c" -o mass -lm
check "turns, and a mass at its limits" ./mass

# number FILE TEXT: the number behind the text.
number() { sed -n "s/.*$2 *\([-+0-9.e]*\).*/\1/p" "$1" | head -1; }
below() { awk -v x="$1" -v most="$2" 'BEGIN { exit !(x != "" && x + 0 >= 0 && x + 0 < most + 0) }'; }

# The file has the limits, too: every torque of every step.
within() { # MOTION FIRST-TORQUE LIMITS...
  motion=$1 first=$2
  shift 2
  awk -v first="$first" -v limits="$*" 'NR == 1 { steps = $2; n = split(limits, most, " "); next }
    NR <= steps + 1 { for (i = 1; i <= n; i++) if (!($(first + i) + 0 <= most[i] && $(first + i) + 0 >= -most[i])) bad++; seen++ }
    END { exit bad || seen != 200 }' "$motion"
}
none() { ! grep -qi -e nan -e inf "$1"; }
check "swing: torques within their limits" within swing.txt 14 39 39 39 39 9 9 9
at_limit() { ! within swing.txt 14 38.9 39 39 39 9 9 9; }
check "swing: one of them is at its limit" at_limit
check "sway: torques within their limits" within sway.txt 37 25 25 36 25 25 36 25 25 36 25 25 36

arm='joint_1 joint_2 joint_3 joint_4 joint_5 joint_6 joint_7'
# replayed WHAT MODEL MOTION FAR FAST CONTACTS ARGUMENTS...: ends no farther from the goal and no faster, with these contacts.
replayed() {
  what=$1 model=$2 motion=$3 far=$4 fast=$5 contacts=$6
  shift 6
  ./replay "$model" "$motion" "$@" >said 2>&1 || { cat said; return 1; }
  echo "$what: $(cat said)" | tee -a "$scratch/replays"
  below "$(number said 'end:')" "$far" && below "$(number said 'rad),')" "$fast" && grep -q "contacts: $contacts;" said
}
# shellcheck disable=SC2086 # words
{
  check "the arm" replayed "the arm" gen3.xml swing.txt 0.002 0.05 '0 to 0' $arm
  check "from 0.02 rad beside" replayed "from beside" gen3.xml swing.txt 0.002 0.05 '0 to 0' shift=0.02 $arm
  check "without gains it is lost" sh -c "! ./replay gen3.xml swing.txt shift=0.02 gains=0 $arm | grep -q 'end: 0\.[01]'"
  ./swing wall=1.5 >free 2>/dev/null
  check "without a wall the arm would touch it" sh -c "./replay gen3.xml swing.txt $arm | grep -q 'contacts: 0 to [1-9]'"
}
achdgen "$ROBOTS/quadruped.urdf" --layout quadruped.lua --mjcf quadruped.xml --scene sway_scene.lua
legs=$(achdgen "$ROBOTS/quadruped.urdf" --layout quadruped.lua --functions step_begin --columns | sed -n 's/^in q\.\([^ ]*\).*/\1/p' | tr '\n' ' ')
# shellcheck disable=SC2086
{
  check "the quadruped keeps its feet on the ground" replayed "the quadruped" quadruped.xml sway.txt 0.002 0.03 '4 to 4' $legs
  check "from 0.02 rad beside" replayed "from beside" quadruped.xml sway.txt 0.002 0.03 '[0-4] to 4' shift=0.02 $legs
  check "without gains it falls" sh -c "! ./replay quadruped.xml sway.txt gains=0 $legs | grep -q 'end: 0\.0'"
}
cat "$scratch/replays"

# Harder ones: a nearer wall, weaker motors, less friction, with the cones and the limits active. The numbers are what has been found, rounded up.
harder() { # PROGRAM ITERATIONS COST ARGUMENTS...
  program=$1 iterations=$2 cost=$3
  shift 3
  "./$program" "$@" >said 2>&1 && below "$(number said 'solved:')" "$iterations" && below "$(number said 'cost')" "$cost" && return 0
  cat said
  return 1
}
sampled 2 "a nearer wall" harder swing 25 0.371 wall=0.4
sampled 2 "weaker motors" harder swing 30 0.324 torque=0.6
sampled 2 "motors that hardly do" harder swing 80 0.364 torque=0.45 check=1
sampled 2 "slippery ground" harder sway 40 0.0115 friction=0.1
sampled 2 "weaker legs" harder sway 15 0.00737 torque=0.25 check=1
straight() { ! grep -q -e '>-*[0-9.]*e-' "$@" && grep -q '>0</text>' "$1"; }
check "round numbers on the axes" straight swing.svg sway.svg

# What cannot be done is told, and no number is lost.
told() { # PROGRAM STATUS TEXT ARGUMENTS...
  program=$1 status=$2 text=$3
  shift 3
  code=0
  "./$program" "$@" >said 2>&1 || code=$?
  echo "exit status $code" >>said
  if grep -q "^$text: " said && [ "$code" -eq "$status" ] && none "$program.txt"; then return 0; fi
  cat said
  return 1
}
check "the goal is behind the wall" told swing 3 'no motion comes past the constraints' wall=0.1
check "motors that are too weak" told swing 4 'the goal is not reached' torque=0.3
check "no motors" told swing 4 'the goal is not reached' torque=0
check "limits that are no number" told swing 1 'the problem has numbers that are none' torque=nan
check "negative limits" told swing 1 'the problem has numbers that are none' torque=-1
check "a wall that is nowhere" told swing 2 'the model has no result' wall=nan
[ "${ACHD_SWEEP:-}" != 1 ] || check "legs that are too weak" told sway 3 'no motion comes past the constraints' torque=0.1
[ "${ACHD_SWEEP:-}" != 1 ] || check "a goal below the ground" told sway 3 'no motion comes past the constraints' low=0.6
[ "${ACHD_SWEEP:-}" != 1 ] || check "smooth ice" told sway 3 'no motion comes past the constraints' friction=0.001
# slopes where other torques are at their limits for longer
slopes() { ./swing "$@" check=1 2>/dev/null | grep -q 'the slope of the cost equals differences'; }
for torque in 0.6 0.7 0.9; do
  for wall in 0.45 0.6; do sampled 3 "slopes with $torque of the torques, wall at $wall" slopes "torque=$torque" "wall=$wall"; done
done
finish
