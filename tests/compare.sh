#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/compare.sh OLD NEW [ROBOT..]: what a change of achdgen changes. OLD and NEW are two achdgen programs; for each robot both
# make the same function, six rows at the tool and the robot's own layout, and the two run in turn on the same states:
#   operations     as --inspect counts them; of the new one behind a slash those at worst, where it has two ways
#   bytes of text  of its functions at -O2, sines and cosines in it
#   ns             median per call, turns that alternate, pinned to one CPU where taskset is there
#   instructions   per call at -O2, by callgrind where it is there
#   errors         of qdd: median, 99 %, worst of 20480 states, against the new text with long double (threshold 1e-13)
# Prints a table; exit 1 where a header of NEW cannot be made, or one of its errors is ten times the old one's.
set -eu
. "$(dirname "$0")/lib.sh"
[ $# -ge 2 ] || { echo "usage: sh tests/compare.sh OLD NEW [ROBOT..]" >&2; exit 2; }
old=$(absolute "$1")
new=$(absolute "$2")
shift 2
robots=${*:-gen3 iiwa7 lwr4 gen3_6dof youbot_arm panda}
compiler=${CC:-gcc}
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$scratch"

pinned=
if command -v taskset >/dev/null && taskset -c 1 true 2>/dev/null; then pinned="taskset -c 1"; fi

quietly() { # COMMAND..: without its warnings, as long as it succeeds; the first versions have no -q
  "$@" 2>warnings || { cat warnings >&2; return 1; }
}

operations() { # ACHDGEN ARGUMENTS..: "1593/2669", or one number
  quietly "$@" --inspect | sed -n -e 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p' -e 's/^ *at worst ([^)]*): \([0-9]*\) = .*/\1/p' |
    head -2 | paste -s -d / -
}

text_bytes() { # OBJECT PREFIX: of all its functions
  nm -S -t d "$1" | awk -v prefix="$2" '$3 ~ /^[tT]$/ && index($4, prefix) == 1 { sum += $2 } END { print sum + 0 }'
}

instructions() { # FUNCTION: per call of a hundred
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" ./times2 count 2>&1 |
    sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' | awk '{ printf "%.0f", $1 / 100 }'
}

# compare NAME ROBOT LAYOUT: one line of the table.
compare() {
  for version in old new; do
    achdgen=$old
    [ $version = old ] || achdgen=$new
    quietly "$achdgen" "$top/robots/$2.urdf" --layout "$3" --functions achd --name $version -o $version.h
    sed 's/singular_threshold = [^,]*,//; s/^return {/return { singular_threshold = 1e-13,/' "$3" >exact.lua
    quietly "$achdgen" "$top/robots/$2.urdf" --layout exact.lua --functions achd --name $version --snap 0 -o "${version}_errors.h"
  done
  quietly "$new" "$top/robots/$2.urdf" --layout exact.lua --functions achd --name exact --snap 0 -o exact.h
  in_long_double exact.h >reference.h
  both='-std=gnu99 -ffp-contract=off -I. -w'
  # shellcheck disable=SC2086 # flags
  {
    $compiler $both -O2 -DTIMES '-DOLD_HEADER="old.h"' '-DNEW_HEADER="new.h"' "$top/tests/bench/compare.c" -o times2 -lm
    $compiler -std=gnu99 -I. -w -O3 -march=native -DTIMES '-DOLD_HEADER="old.h"' '-DNEW_HEADER="new.h"' "$top/tests/bench/compare.c" -o times3 -lm
    $compiler $both -O1 '-DOLD_HEADER="old_errors.h"' '-DNEW_HEADER="new_errors.h"' '-DREFERENCE="reference.h"' "$top/tests/bench/compare.c" -o errors -lm
    times2=$($pinned ./times2)
    times3=$($pinned ./times3)
  }
  errors=$(./errors)
  counted="- -"
  if command -v valgrind >/dev/null; then counted="$(instructions old_achd) $(instructions new_achd)"; fi
  printf '%s %s %s %s %s %s %s %s %s\n' "$1" "$(operations "$old" "$top/robots/$2.urdf" --layout "$3" --functions achd)" \
    "$(operations "$new" "$top/robots/$2.urdf" --layout "$3" --functions achd)" \
    "$(text_bytes times2 old_)" "$(text_bytes times2 new_)" "$times2" "$times3" "$counted" "$errors" | tee -a table |
    awk '{ printf "| %s | %s -> %s | %s -> %s | %s -> %s | %s -> %s | %s -> %s | %s, %s, %s -> %s, %s, %s |\n",
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 }'
}

six() { # FRAME
  printf 'return {\n  gravity = { 0, 0, -9.81 },\n  groups = { { name = "tool", frame = "%s" } },\n  outputs = { "qdd", "nu", "tau_ctrl" },\n}\n' "$1"
}

echo "| robot | operations | bytes of text | ns at -O2 | ns at -O3 native | instructions | errors of qdd |"
echo "|---|---|---|---|---|---|---|"
for robot in $robots; do
  case $robot in
  gen3) six end_effector_link ;;
  iiwa7) six iiwa_link_ee ;;
  lwr4) six lwr_7_link ;;
  gen3_6dof) six tool_frame ;;
  esac >six.lua
  [ ! -s six.lua ] || compare "$robot,six_rows" "$robot" six.lua
  compare "$robot,its_layout" "$robot" "$top/robots/$robot.lua"
done
# shellcheck disable=SC2016 # awk's fields
check "no error is ten times the old one" awk '{ for (k = 12; k <= 13; k++) if ($(k + 3) > 10 * $k) bad = 1 } END { exit bad }' table
finish
