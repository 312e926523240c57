#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/count.sh ACHDGEN SOURCE_DIR [CC]: how few operations a generated function takes, counted on its object file at
# -O0 without fusing (x86-64: addsd subsd mulsd divsd), where each operator of the text is one instruction.
#
#   counted   what is limited: of all functions but NAME_trig_of and NAME_sincos, as sines and cosines are apart. That numbers
#             are finite is asked of their bits, no arithmetic; what a vanishing pivot costs (damping, rows out of reach) is in.
#   inspect   what --inspect says of the same: must be equal
#   compares  comisd, ucomisd: selects, masks, pivots, bad input
#   trig      arithmetic of two angles' sines and cosines at once, where the header has its own; calls to the C library's
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
compiler=${3:-gcc}
[ "$(uname -m)" = x86_64 ] || skip_all "counts x86-64 instructions"
command -v "$compiler" >/dev/null || skip_all "no $compiler"
cd "$scratch"

layout() { # NAME GROUPS
  cat >"$1.lua" <<END
return {
  name = "gen3",
  gravity = { 0, 0, -9.81 },
  groups = { $2 },
  outputs = { "qdd", "nu", "tau_ctrl" },
}
END
}
tip='name = "tool", frame = "end_effector_link"'
layout none ''
layout link "{ $tip, axes = \"link\", maskable = false }"
layout mask "{ $tip, axes = \"base\", maskable = true }"

# instructions OBJECT: a line "FUNCTION MNEMONIC" for each.
instructions() {
  objdump -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
    /^ *[0-9a-f]+:\t/ { print name, $2 }'
}

number() { grep -c -E "$1" || true; } # of lines that match

# count LAYOUT FUNCTION LIMIT: one line of the table, and what it promises, of the way that all states can go.
count() {
  "$achdgen" "$top/robots/gen3.urdf" --layout "$1.lua" --functions "$2" --snap 1 --formulation joint -o counted.h
  printf '#define GEN3_IMPLEMENTATION\n#include "counted.h"\n' >counted.c
  "$compiler" -std=c99 -O0 -ffp-contract=off -c counted.c -o counted.o
  instructions counted.o >all
  # Whatever is not the trigonometry's is the solver's, also where it is split into several functions.
  grep -v -E '^gen3_(trig_of|sincos) ' all >solver || true
  grep -E '^gen3_(trig_of|sincos) ' all >trig || true
  add=$(number ' (add|sub)sd$' <solver)
  mul=$(number ' mulsd$' <solver)
  div=$(number ' divsd$' <solver)
  total=$((add + mul + div))
  compares=$(number ' u?comisd$' <solver)
  trig=$(number ' (add|sub|mul|div)[sp]d$' <trig)
  calls=$(objdump -dr counted.o | number 'R_X86_64_.*[[:space:]](sin|cos)')
  counted=$total
  inspect=$("$achdgen" "$top/robots/gen3.urdf" --layout "$1.lua" --functions "$2" --snap 1 --formulation joint --inspect |
    sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p')
  printf '%-6s %-5s %6d %5d %5d %4d %8d %9d %5d %6d %6d\n' "$1" "$2" "$total" "$add" "$mul" "$div" \
    "$inspect" "$compares" "$trig" "$calls" "$3"
  check "$2, layout $1: --inspect ($inspect) says what the object file does ($counted)" [ "$inspect" -eq "$counted" ]
  check "$2, layout $1: $counted operations, at most $3" [ "$counted" -le "$3" ]
}

printf '%-6s %-5s %6s %5s %5s %4s %8s %9s %5s %6s %6s\n' layout func counted add mul div \
  inspect compares trig calls limit
count none achd 1300
count link achd 2460
count mask achd 2800
count none id 620
count none fd 1300

# operations ROBOT FRAME: of the null-space solve and at worst, six rows along the axes of the base; then of the general solve alone.
operations() {
  cat >six.lua <<END
return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "$2" } }, outputs = { "qdd", "nu", "tau_ctrl" } }
END
  "$achdgen" "$top/robots/$1.urdf" --layout six.lua --functions achd --inspect |
    sed -n -e 's/^ *operations (null): \([0-9]*\) = .*/\1/p' -e 's/^ *at worst (null): \([0-9]*\) = .*/\1/p' -e 's/^ *joint: *//p'
}
# rows_first ROBOT FRAME LIMIT: the formulation that is chosen, its null-space solve, and what its test costs all other states.
rows_first() {
  # shellcheck disable=SC2046 # three numbers
  set -- "$1" "$3" $(operations "$1" "$2")
  printf '%-10s null-space solve: %5d operations, at worst %5d, without them %5d; limit %5d\n' "$1" "$3" "$4" "$5" "$2"
  check "$1, null-space solve: $3 operations, at most $2" [ "$3" -le "$2" ]
  check "$1: at worst a tenth more than without" [ $((10 * $4)) -le $((11 * $5)) ]
}
# Published for this arm in 1986, with terms below 1 % left out: 305 operations.
puma=$("$achdgen" "$top/robots/puma560.urdf" --layout "$top/robots/puma560.lua" --functions id -q --inspect |
  sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p')
printf '%-10s id, with rotors: %d operations\n' puma560 "$puma"
check "puma560, id: $puma operations, at most 361" [ "$puma" -le 361 ]
rows_first gen3 end_effector_link 1600
rows_first iiwa7 iiwa_link_ee 1190
rows_first lwr4 lwr_7_link 1030
rows_first gen3_6dof tool_frame 970
finish
