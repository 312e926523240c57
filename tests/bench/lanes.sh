#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/lanes.sh ACHDGEN SOURCE_DIR HUMANOID [CC] [REPETITIONS]: headers of --lanes 0 beside those of --lanes 1, function by function: time per
# call, in turns on the same 64 states, and bytes of code and of its constants. Times are 5th percentiles of processor time, their
# ratio the median of the ratios of neighbouring turns. Prints the table of docs/performance.md.
# With BEFORE=PROGRAM in the environment, another version of achdgen makes the first ones: what users of that version gain.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
humanoid=$(absolute "$3")
compiler=${4:-gcc}
repetitions=${5:-2001}
grep -q avx2 /proc/cpuinfo 2>/dev/null || skip_all "no AVX2"
pinned=
if command -v taskset >/dev/null && taskset -c 1 true 2>/dev/null; then pinned="taskset -c ${CORE:-1}"; fi
cd "$scratch"
before=${BEFORE:+$(absolute "$BEFORE")}
echo 'return { base = "floating", outputs = { "qdd" }, groups = { { name = "hand", frame = "left_hand" } } }' >free.lua # first versions ask for a group
"$humanoid" 3 >humanoid.urdf
bytes() { size -A "$1" | awk '/^\.text/ { code += $2 } /^\.rodata/ { known += $2 } END { print code " + " known }'; }
# earlier FUNCTION ARGUMENTS...: plain.h as the version BEFORE writes it. Its inputs are those of today's plain.h, whose default values it
# takes where it has none; it always has the general solve alone.
earlier() {
  function=$1
  shift
  awk '/^#define [A-Z_]*_IN_DEFAULT/ { on = 1 } on { print } on && !/\\$/ { exit }' plain.h >default.h
  # shellcheck disable=SC2046 # words
  "$before" $(echo "$@" | sed 's/ --formulation [a-z]*//') --functions "$function" --name plain --mode inline -o plain.h 2>earlier.txt || { cat earlier.txt >&2; return 1; }
  grep -q _IN_DEFAULT' {' plain.h || cat default.h >>plain.h
}
# row ROBOT FUNCTION NAME ARGUMENTS...: a line of the table.
row() {
  robot=$1 function=$2 what=$3
  shift 3
  for name in plain packed; do
    lanes=0
    [ $name = plain ] || lanes=1
    "$achdgen" -q "$@" --functions "$function" --lanes $lanes --name $name --mode inline -o $name.h
    [ -z "$before" ] || [ $name = packed ] || earlier "$function" "$@"
    start=$(echo "${name}_${function}_in_default" | tr '[:lower:]' '[:upper:]')
    "$compiler" -std=gnu11 -O2 -mavx2 -mfma -I. -DHEADER="\"$name.h\"" -DNAME="${name}_$function" -DSTART="$start" -c "$top/tests/bench/caller.c" -o $name.o
    echo "#include \"$name.h\"
unsigned code(const ${name}_${function}_in *in, ${name}_${function}_out *out);
unsigned code(const ${name}_${function}_in *in, ${name}_${function}_out *out) { return ${name}_$function(in, out); }" >code.c
    "$compiler" -std=gnu11 -O2 -mavx2 -mfma -c code.c -o code_$name.o
  done
  "$compiler" -O2 -DONE="plain_$function" -DOTHER="packed_$function" "$top/tests/bench/turns.c" plain.o packed.o -o turns -lm
  # shellcheck disable=SC2086 # words
  echo "| $robot | $what | $($pinned ./turns "$repetitions") | $(bytes code_plain.o) | $(bytes code_packed.o) |"
}
quadruped="$top/robots/quadruped.urdf --layout $top/robots/quadruped.lua"
echo "| robot | function | \`--lanes 0\` | \`--lanes 1\` | times as fast | bytes of code and constants | with lanes |"
echo "|---|---|---|---|---|---|---|"
# shellcheck disable=SC2086 # words
{
  row quadruped fd fd $quadruped
  row quadruped id id $quadruped
  row quadruped achd "achd, 12 rows" $quadruped --formulation recursion
  [ -n "$before" ] || row quadruped achd "achd, null-space" "$top/robots/quadruped.urdf"
  row "humanoid, 30 joints" fd fd "$top/robots/humanoid.urdf" --layout free.lua
  row "humanoid, 30 joints" id id "$top/robots/humanoid.urdf" --layout free.lua
  row "random tree, 38 joints" fd fd humanoid.urdf --layout free.lua
  row "random tree, 38 joints" id id humanoid.urdf --layout free.lua
  row "table41_base, four drives" id id "$top/robots/table41_base.urdf" --layout "$top/robots/table41_base.lua"
  row two_arms fd fd "$top/robots/two_arms.urdf" --layout "$top/robots/two_arms.lua"
}
