#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/large.sh ACHDGEN SOURCE_DIR BEFORE [URDF LAYOUT [FUNCTION]]: long solves by default, beside those of another
# version of achdgen, BEFORE: chains of 14, 30 and 60 joints, a humanoid on its feet, floating and fixed, a body with ten
# fingers, the derivatives of gen3; or the robot that is given. (sh tests/compare.sh BEFORE ACHDGEN: other robots of robots/.)
#   ns           of a call, in turns on the same 64 states: 5th percentiles of processor time
#   times as fast   the median of the ratios of neighbouring turns
#   bytes        of machine code + of constants
#   s            of processor time to compile, the least of two
# FLAGS="-O2": this set of flags alone; TURNS=201; CC=gcc.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
[ -n "${3:-}" ] || skip_all "no other version of achdgen to compare with"
before=$(absolute "$3")
urdf=${4:+$(absolute "$4")}
layout=${5:+$(absolute "$5")}
compiler=${CC:-gcc}
export CCACHE_DISABLE=1 # the compiler is measured, too
pinned=
if command -v taskset >/dev/null && taskset -c 1 true 2>/dev/null; then pinned="taskset -c ${CORE:-1}"; fi
cd "$scratch"
bytes() { size -A "$1" | awk '/^\.text/ { code += $2 } /^\.rodata/ { known += $2 } END { printf "%d + %d", code, known }'; }
# compiled NAME FUNCTION FLAGS: NAME.o, twice; prints the least seconds.
compiled() {
  start=$(grep -o "[A-Z]*_[A-Z]*_IN_DEFAULT" "$1.h" | grep -i -m 1 "^$1_$2_in")
  quat=
  ! grep -q 'quaternion quat;' "$1.h" || quat=-DQUAT
  implementation=$(echo "$1" | tr '[:lower:]' '[:upper:]')_IMPLEMENTATION
  for _ in 1 2; do
    # shellcheck disable=SC2086 # flags
    (
      "$compiler" -std=gnu11 $3 -w -I. "-D$implementation" $quat -DHEADER="\"$1.h\"" -DNAME="$1_$2" -DSTART="$start" -c "$top/tests/bench/caller.c" -o "$1.o"
      times
    ) | awk 'NR == 2 { split($0, t, /[ms ]+/); print 60 * (t[1] + t[3]) + t[2] + t[4] }'
  done | sort -g | head -1
}
# row ROBOT FUNCTION URDF LAYOUT: a line of each table.
row() {
  for version in old new; do
    program=$before
    [ $version = old ] || program=$achdgen
    "$program" --no-prove "$3" --layout "$4" --functions "$2" --name $version -o $version.h 2>said.txt || { cat said.txt >&2; return 1; }
  done
  printf '%s\n' ${FLAGS:+"$FLAGS"} >sets
  [ -n "${FLAGS:-}" ] || printf '%s\n' "-O2" "-O2 -mavx2 -mfma" "-O3 -march=native" >sets
  while read -r flags; do
    before_s=$(compiled old "$2" "$flags")
    now_s=$(compiled new "$2" "$flags")
    $compiler -O2 -DONE="old_$2" -DOTHER="new_$2" "$top/tests/bench/turns.c" old.o new.o -o turns -lm
    echo "| $1 | \`$flags\` | $($pinned ./turns "${TURNS:-201}") | $(bytes old.o) | $(bytes new.o) | $(($(wc -c <old.h) / 1000)), $(($(wc -c <new.h) / 1000)) | $before_s, $now_s |"
  done <sets
}
six_rows() { echo "return { gravity = { 0, 0, -9.81 }, groups = { { name = \"tip\", frame = \"$1\" } }, outputs = { \"qdd\", \"nu\" } }"; }
# soles BASE LEFT RIGHT: six rows at each of two feet, and, where there is a third word, three more at each fingertip.
soles() {
  cat <<END
local groups = {}
for k, frame in ipairs { "$2", "$3" } do
  groups[k] = { name = "foot" .. k, frame = frame, axes = "link", kind = "physical", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } }
end
for _, side in ipairs { "left", "right" } do
  for f = 1, ${4:-0} do
    groups[#groups + 1] = { name = side .. f, frame = side .. "_finger" .. f .. "_6", axes = "base", rows = { "lin_x", "lin_y", "lin_z" } }
  end
end
return { base = "$1", gravity = { 0, 0, -9.81 }, torques = { physical = true }, groups = groups, outputs = { "qdd", "nu" } }
END
}
echo "| robot | flags | before | now | times as fast | code and constants before | now | KB of header, before and now | s to compile |"
echo "|---|---|---|---|---|---|---|---|---|"
if [ -n "$urdf" ]; then
  row "$(basename "$urdf" .urdf)" "${6:-achd}" "$urdf" "$layout"
  exit
fi
for n in 14 30 60; do
  awk -v joints=$n -f "$top/tests/bench/chain.awk" </dev/null >chain.urdf
  six_rows l$n >chain.lua
  row "chain of $n, 6 rows" achd chain.urdf chain.lua
done
for base in floating fixed; do
  soles $base left_sole right_sole >soles.lua
  row "humanoid of 30, $base, 12 rows" achd "$top/robots/humanoid.urdf" soles.lua
done
awk -v fingers=5 -f "$top/tests/bench/hands.awk" </dev/null >hands.urdf
soles floating left_leg6 right_leg6 5 >hands.lua
row "two hands, 90 joints, 42 rows" achd hands.urdf hands.lua
echo 'return { gravity = { 0, 0, -9.81 }, groups = {} }' >none.lua
row "gen3, dfd" dfd "$top/robots/gen3.urdf" none.lua
