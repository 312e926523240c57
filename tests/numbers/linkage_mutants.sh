#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/linkage_mutants.sh ACHDGEN_FROM_FOLDER SOURCE_DIR: functions of robots with linkages are proven, on all sides of all branches. Each
# mistake of linkage_mutants.txt, planted in a copy of the scripts, is refused by the proof (every tenth, in_sample), and every fourth of these
# noticed by linkages.py by wrong numbers.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$(dirname "$0")/plant.sh"
robots=$top/robots/linkages

# proven ROBOT LAYOUT FUNCTIONS OUTSIDE OPTION...
proven() {
  robot=$1 layout=$2 functions=$3 outside=$4
  shift 4
  "$ACHDGEN" "$robots/$robot.urdf" --layout "$layout" --functions "$functions" --prove 2 "$@" >"$scratch/said" 2>&1 &&
    grep -q "$outside outside, 0 not on all sides of branches, 0 not identical" "$scratch/said"
}
# differs ROBOT LAYOUT FUNCTIONS OPTION...: the proof says so
differs() {
  robot=$1 layout=$2 functions=$3
  shift 3
  "$ACHDGEN" "$robots/$robot.urdf" --layout "$layout" --functions "$functions" --prove 2 "$@" >"$scratch/said" 2>&1 || true
  grep -q 'NOT identical' "$scratch/said"
}
refuses() {
  differs ankle "$scratch/moving.lua" achd,id,energy,did --formulation joint ||
    differs five_bar "$scratch/bars.lua" fd --formulation recursion || differs ankle "$scratch/rubbing.lua" mclp
}
notices() {
  ! python3 "$top/tests/numbers/linkages.py" "$ACHDGEN" "$top" one >"$scratch/said" &&
    grep -q 'FAILED: ' "$scratch/said" && ! grep -q 'evaluated' "$scratch/said"
}

fresh_copy
sed 's|^return {|&\n  base = "floating", armature = { ankle_pitch = 0.01, left_crank = 0.005, right_crank = 0.005 },|' "$robots/ankle.lua" >"$scratch/moving.lua"
sed 's|^return {|&\n  friction = { coulomb = { ankle_roll = 0.5 } },|' "$robots/ankle.lua" >"$scratch/rubbing.lua"
check "an ankle with dry friction" proven ankle "$scratch/rubbing.lua" mclp 0
sed 's|^return {|&\n  armature = { left_elbow = 0.02 },|' "$robots/five_bar.lua" >"$scratch/bars.lua"
unknown='momentum|coriolis|slotine_li|centroidal|manipulability|regressor' # with linkages
all=achd,$(family "$top" | tr ',' '\n' | grep -vxE "$unknown" | paste -s -d ,),step,did,dfd
check "an ankle on a floating base: all but the turn of the base in a step" proven ankle "$scratch/moving.lua" "$all" 1
check "an ankle whose rods are links" proven ankle_rods "$robots/ankle_rods.lua" achd,dfd 0
check "a five-bar in float, by the recursion" proven five_bar "$robots/five_bar.lua" achd,id,osim 0 --real float --formulation recursion
check "a gripper with two linkages that slide" proven gripper "$robots/gripper.lua" achd,did,dstep 0
sed 's|^return {|&\n  groups = {}, friction = { coulomb = { left_motor = 0.5 } }, contacts = { { name = "tool", frame = "tool", radius = 0.02 } }, step = {},|; /groups = { {/d' "$robots/five_bar.lua" >"$scratch/contact.lua"
check "a step of a five-bar with contacts and dry friction" proven five_bar "$scratch/contact.lua" step_begin 0
refused=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 10 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is refused: $new" refuses
  [ $((refused % 4)) -ne 0 ] || check "a mutant of $file is noticed: $new" notices
  refused=$((refused + 1))
done <"$top/tests/numbers/linkage_mutants.txt"
check "there are mutants" [ "$refused" -ge 1 ]
finish
