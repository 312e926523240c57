#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/generation.sh ACHDGEN SOURCE_DIR USAGE HUMANOID [CC]: what generating and compiling takes, in processor time
# and memory: gen3 by its layout, a chain of 30 joints with nothing to snap, a floating tree of 38 joints on two
# feet, and the derivatives of its forward dynamics on a fixed and a floating base; what the compiler makes of one of the long ones, in bytes.
# Memory is within its limit. Processor time depends on what else the machine does: by default it is held against ten times the limit, which finds
# what has grown by an order; with ACHD_SWEEP=1, on a machine that does nothing else, against the limit itself.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
usage=$(absolute "$3")
humanoid=$(absolute "$4")
compiler=${5:-gcc}
command -v "$compiler" >/dev/null || skip_all "no $compiler"
cd "$scratch"

patience=10
[ "${ACHD_SWEEP:-}" != 1 ] || patience=1

# measure WHAT SECONDS KIB COMMAND...: the command succeeds within both.
measure() {
  what=$1 most_seconds=$2 most_kib=$3
  shift 3
  check "$what" "$usage" used "$@"
  [ -f used ] || return 0
  read -r seconds kib <used
  rm used
  printf '%-36s %8s s (limit %s)  %8d KiB (limit %d)\n' "$what" "$seconds" "$most_seconds" "$kib" "$most_kib"
  check "$what: $seconds s, at most $patience times $most_seconds" awk "BEGIN { exit !($seconds <= $patience * $most_seconds) }"
  check "$what: $kib KiB, at most $most_kib" [ "$kib" -le "$most_kib" ]
}

mebibytes_200=$((200 * 1024))
measure "gen3, its layout" 0.3 "$mebibytes_200" \
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" -o gen3.h
awk -v joints=30 -f "$top/tests/bench/chain.awk" /dev/null >chain.urdf
measure "30 joints, six maskable rows" 3 "$mebibytes_200" "$achdgen" chain.urdf -o chain.h
"$humanoid" 1 >humanoid.urdf
cat >humanoid.lua <<'END'
return {
  base = "floating",
  torques = { artificial = true },
  groups = {
    { name = "left", frame = "left_foot", kind = "physical" },
    { name = "right", frame = "right_foot", kind = "physical" },
  },
}
END
measure "humanoid, 38 joints, 12 rows" 10 "$mebibytes_200" \
  "$achdgen" humanoid.urdf --layout humanoid.lua -o humanoid.h
echo 'return { name = "derivatives", groups = {} }' >derivatives.lua
! in_sample "$top" 2 || measure "humanoid, derivatives" 1 "$mebibytes_200" \
  "$achdgen" humanoid.urdf --layout derivatives.lua --functions dfd -o derivatives.h
echo 'return { name = "floating", base = "floating", groups = {} }' >floating.lua
! in_sample "$top" 2 || measure "humanoid, derivatives, floating base" 1 $((300 * 1024)) \
  "$achdgen" humanoid.urdf --layout floating.lua --functions dfd -o floating.h

# compiled ROBOT SECONDS
compiled() {
  [ -f "$1.h" ] || return 0
  upper=$(echo "$1" | tr '[:lower:]' '[:upper:]')
  printf '#define %s_IMPLEMENTATION\n#include "%s.h"\n' "$upper" "$1" >"$1.c"
  measure "$1, $compiler -O2" "$2" $((700 * 1024)) "$compiler" -std=c99 -O2 -c "$1.c" -o "$1.o"
  size "$1.o"
}
for robot in chain humanoid; do
  in_sample "$top" 2 || continue
  compiled $robot 60
done
if [ "${ACHD_SWEEP:-}" = 1 ]; then # with a core of its own
  compiled derivatives 30
  compiled floating 30
fi
finish
