#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/formulations.sh ACHDGEN ACHDGEN_FROM_FOLDER SOURCE_DIR: what is chosen by counting is what counts least.
#
#   1. achd of the robots and of rows from one to six: the operations of every formulation, each forced, and of what is
#      chosen: never more than of recursion or joint space. The null-space solve (null) is chosen wherever it saves a tenth, and 50
#      operations: the test that leads to it costs the states that take the general solve as much.
#   2. what the sums of angles of joints with parallel axes save, by function, beside scripts without them; --inspect says the same.
#
# Of robots, rows and functions every fourth (in_sample).
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
from_folder=$(absolute "$2")
top=$(cd "$3" && pwd)
cd "$scratch"

# operations PROGRAM ARGUMENTS...: of the way that most states go; nothing where the formulation is refused.
operations() {
  program=$1
  shift
  "$program" "$@" -q --inspect >looked 2>refused || true
  sed -n 's/^ *operations ([A-Za-z ]*): \([0-9]*\) = .*/\1/p' looked | head -n 1
}

count_of() { operations "$achdgen" "$@" --functions achd; }

# compare TITLE ARGUMENTS...: a line of the first table.
compare() {
  title=$1
  shift
  chosen=$(count_of "$@")
  null=$(count_of "$@" --formulation null)
  [ -n "$null" ] || grep -q 'is not for this layout' refused || check "$title: the null-space solve is counted or refused" false
  early=$(count_of "$@" --formulation early)
  least=
  line="| $title |"
  for formulation in recursion joint; do
    n=$(count_of "$@" --formulation $formulation)
    line="$line ${n:-} |"
    if [ -n "$n" ] && { [ -z "$least" ] || [ "$n" -lt "$least" ]; }; then least=$n; fi
  done
  echo "$line ${null:-refused} | $chosen |"
  check "$title: $chosen operations, $least by recursion or joint space" [ "$chosen" -le "$least" ]
  if [ -n "$null" ] && [ $((10 * null)) -le $((9 * least)) ] && [ $((null + 50)) -le "$least" ]; then
    check "$title: the null-space solve, $null, is chosen, or early elimination, ${early:-not there}" \
      [ "$chosen" -eq "$null" -o "$chosen" -eq "${early:-0}" -a "${early:-0}" -lt "$null" ]
    won=$((won + 1))
  fi
}

won=0
echo "| achd | recursion | joint | null-space | chosen |"
echo "|---|---|---|---|---|"
for layout in "$top"/robots/*.lua; do
  robot=$(basename "$layout" .lua)
  in_sample "$top" 4 || continue
  compare "$robot" "$top/robots/$robot.urdf" --layout "$layout"
done

# rows ROBOT FRAME WORDS...: and no more operations than have been reached.
rows() {
  in_sample "$top" 4 || return 0
  robot=$1 frame=$2
  shift 2
  words=$(printf '"%s", ' "$@")
  echo "return { gravity = { 0, 0, -9.81 }, groups = { { name = \"tool\", frame = \"$frame\", rows = { $words } } }, outputs = { \"qdd\", \"nu\", \"tau_ctrl\" } }" >rows.lua
  compare "$robot, $# rows" "$top/robots/$robot.urdf" --layout rows.lua
  case "$robot $#" in
  "gen3 6") most=1600 ;;
  "iiwa7 6") most=1190 ;;
  "lwr4 6") most=1030 ;;
  "gen3_6dof 6") most=970 ;;
  "iiwa7 5") most=1570 ;;
  "lwr4 5") most=1355 ;;
  "gen3_6dof 5") most=1350 ;;
  "youbot_arm 5") most=795 ;;
  *) return 0 ;;
  esac
  check "$robot, $# rows: $chosen operations, $most at most" [ "$chosen" -le "$most" ]
}
some="lin_x lin_y lin_z"
for arm in "gen3 end_effector_link" "gen3_6dof tool_frame" "youbot_arm gripper_palm_link"; do
  # shellcheck disable=SC2086 # words
  for many in "$some" "$some ang_x" "$some ang_x ang_y" "$some ang_x ang_y ang_z"; do
    rows $arm $many
  done
done
for arm in "iiwa7 iiwa_link_ee" "lwr4 lwr_7_link" "panda panda_link8" "puma560 link_6"; do
  # shellcheck disable=SC2086 # words
  for many in "$some ang_x ang_y" "$some ang_x ang_y ang_z"; do rows $arm $many; done
done
# rows that depend on each other whatever the joints do: the null-space solve would be tested for in vain
dependent() { # TITLE ROWS GROUP
  echo "return { groups = { { name = \"tool\", frame = \"tool_frame\", rows = $2 }, $3 } }" >dependent.lua
  set -- "$1" "$top/robots/gen3.urdf" --layout dependent.lua
  title=$1
  shift
  chosen=$(count_of "$@")
  check "$title: joint space is chosen" grep -q '^ *operations (joint): ' looked
  check "$title: the null-space solve is counted all the same" grep -q '^ *null: ' looked
  check "$title: $chosen operations, those of joint space" [ "$chosen" -eq "$(count_of "$@" --formulation joint)" ]
}
dependent "a row twice" "{ \"lin_x\", \"lin_y\", \"lin_z\", \"ang_x\", \"ang_y\", \"ang_z\" }" '{ name = "again", frame = "tool_frame", rows = { "lin_z" } }'
dependent "two points of a body" '{ "lin_x", "lin_y", "lin_z" }' '{ name = "wrist", frame = "bracelet_link", rows = { "lin_x", "lin_y", "lin_z" } }'
# a long chain: rows at its end are eliminated early
awk -v joints=14 -f "$top/tests/bench/chain.awk" </dev/null >chain.urdf
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "l14" } }, outputs = { "qdd", "nu", "tau_ctrl" } }' >chain.lua
chosen=$(count_of chain.urdf --layout chain.lua)
check "a chain of 14 joints: early elimination is chosen" grep -q '^ *operations (early): ' looked
check "a chain of 14 joints: $chosen operations" [ $((100 * chosen)) -le $((95 * $(sed -n 's/^ *recursion: *//p' looked))) ]
every_time() { # the same bytes; tables by words have another order in every run
  for _ in 1 2 3 4 5 6; do "$achdgen" chain.urdf --layout chain.lua --no-prove -q -o chain.h && cksum <chain.h || return 1; done >bytes
  [ "$(sort -u bytes | wc -l)" -eq 1 ]
}
check "a chain of 14 joints: the same bytes every time" every_time
least=2 # of the sample
[ -z "${ACHD_SWEEP:-}" ] || least=17
check "the null-space solve is chosen for $won layouts" [ "$won" -ge $least ]
# what is held out is worth a mass matrix, but not where the bound asks for the motions of bodies
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "link_6", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y" } } }, outputs = { "qdd", "bound", "nu", "tau_ctrl" } }' >bound.lua
check "rows that leave two motions free, with their bound" [ "$(count_of "$top/robots/puma560.urdf" --layout bound.lua --formulation null)" -gt 1000 ]

# -- sums of angles
export ACHD_SCRIPTS="$scratch/lua" ACHD_TEMPLATES="$top/templates"
mkdir "$ACHD_SCRIPTS"
find "$top/generator/lua" -name '*.lua' -exec cp {} "$ACHD_SCRIPTS" \;
header() { "$1" "$top/robots/youbot_arm.urdf" --layout "$top/robots/youbot_arm.lua" --functions achd,dfd --no-prove -q -o -; }
header "$from_folder" >of_text.h && header "$achdgen" >of_compiled.h
check "the scripts as text, and compiled into the program: the same header" cmp of_text.h of_compiled.h
sed 's/ipairs(parallel and {false, true} or {false})/ipairs {false}/' "$top/generator/lua/main.lua" >"$ACHD_SCRIPTS/main.lua"
if cmp -s "$top/generator/lua/main.lua" "$ACHD_SCRIPTS/main.lua"; then check "scripts without sums of angles differ" false; fi
gained=0
echo "| robot | fk | jac | crba | fd | achd |"
echo "|---|---|---|---|---|---|"
for robot in puma560 gen3_6dof youbot_arm youbot quadruped gripper; do
  in_sample "$top" 4 || continue
  line="| $robot |"
  for function in fk jac crba fd achd; do
    set -- "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --functions "$function"
    before=$(operations "$from_folder" "$@") now=$(operations "$achdgen" "$@")
    line="$line $before -> $now |"
    saved=$(sed -n 's/^ *sums of the angles of joints with parallel axes save \([0-9]*\) operations$/\1/p' looked)
    [ "${saved:-0}" -eq $((before - now)) ] || check "$robot, $function: --inspect says $saved" false
    [ "$now" -le "$before" ] || check "$robot, $function: $now operations with sums of angles, $before without" false
    [ "$now" -ge "$before" ] || gained=$((gained + 1))
  done
  echo "$line"
done
check "sums of angles of joints with parallel axes save operations ($gained times)" [ "$gained" -ge 1 ]
finish
