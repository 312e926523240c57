#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/cold.sh [OLD] NEW [ROBOT..]: what a generated function takes when it is not in the caches, as in a control loop, where
# other code runs for most of the cycle. NEW is an achdgen program; with OLD, another, the two make the same function and take turns.
# OPTIONS: of achdgen, for NEW alone, such as "--prefetch".
# For each robot the solve with six unmasked rows at the tool, axes of the base (another robot than those four: its own layout), gcc -O2 and -O3 -march=native:
#   text     bytes of its functions, sines and cosines in it
#   warm, after others, flushed   nanoseconds of a call (cold.c says after what)
#   misses   of a first-level cache of 32 KB for instructions and one for data, simulated by callgrind, which counts the same on every
#            machine: of the first call, when nothing is in the cache, and of each of the next hundred
# Prints a table, on x86-64; with OLD, a last column with how many times faster NEW is when flushed.
# shellcheck disable=SC2046,SC2086,SC2238 # words; ./cold is a program
set -eu
. "$(dirname "$0")/../lib.sh"
[ $# -ge 1 ] || { echo "usage: sh tests/bench/cold.sh [OLD] NEW [ROBOT..]" >&2; exit 2; }
[ "$(uname -m)" = x86_64 ] || skip_all "clflush is an instruction of x86-64"
new=$(absolute "$1")
shift
old=
if [ $# -gt 0 ] && [ -x "$1" ] && [ ! -d "$1" ]; then old=$new && new=$(absolute "$1") && shift; fi
robots=${*:-gen3 iiwa7 lwr4 gen3_6dof}
compiler=${CC:-gcc}
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch"

six() { # FRAME
  printf 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "%s", maskable = false } }, outputs = { "qdd", "nu", "tau_ctrl" } }\n' "$1"
}

text_bytes() { # VERSION: of all its functions
  nm -S -t d ./cold | awk -v prefix="$1_" '$3 ~ /^[tT]$/ && index($4, prefix) == 1 { sum += $2 } END { print sum + 0 }'
}

misses() { # VERSION CALLS: of instructions, and of data read and written; 'no' where valgrind does not know the instructions
  valgrind --tool=callgrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --callgrind-out-file=/dev/null --toggle-collect="$1_achd" \
    ./cold "$1" "$2" >counted 2>&1 || { echo no no && return; }
  awk '$2 == "Collected" { print $7, $8 + $9 }' counted
}

# measure ROBOT FLAGS: a line for each version.
measure() {
  versions=${old:+"new old"}
  versions=${versions:-new}
  for version in $versions; do
    achdgen=$new
    options=${OPTIONS:-}
    [ $version = new ] || { achdgen=$old && options=; }
    "$achdgen" "$top/robots/$1.urdf" --layout layout.lua --functions achd --name $version $options -o $version.h 2>said || { cat said >&2; exit 1; }
    upper=$(echo $version | tr '[:lower:]' '[:upper:]')
    printf '#define %s_IMPLEMENTATION\n#include "%s.h"\n' "$upper" $version >$version.c
    # shellcheck disable=SC2086 # flags
    $compiler -std=gnu99 $2 -c $version.c -o $version.o
  done
  # shellcheck disable=SC2086 # words
  $compiler -std=gnu11 -O2 -I. -DNEW_HEADER='"new.h"' ${old:+-DOLD_HEADER='"old.h"'} "$top/tests/bench/cold.c" $(printf '%s.o ' $versions) -o cold -lm
  ./cold >times
  for version in $versions; do
    counted="no no no no"
    if command -v valgrind >/dev/null; then counted="$(misses $version 1) $(misses $version 101)"; fi
    echo "$version $(text_bytes $version) $(sed -n "$([ $version = new ] && echo 1 || echo 2)p" times) $counted"
  done | awk -v robot="$1" -v flags="$2" '{ flushed[$1] = $5; line[++n] = sprintf("| %s, %s | %s | %d | %d | %d | %d | %s |",
      robot, flags, $1, $2, $3, $4, $5, $6 == "no" ? " | " : sprintf("%d, %d | %.1f, %.1f", $6, $7, ($8 - $6) / 100, ($9 - $7) / 100)) }
    END { for (k = 1; k <= n; k++) print line[k] (n > 1 && k == 1 ? sprintf(" %.2f |", flushed["old"] / flushed["new"]) : n > 1 ? " |" : "") }'
}

echo "| robot, $compiler | achdgen | bytes of text | warm | after others | flushed | misses of the first call | of the next |${old:+ flushed, times as fast |}"
echo "|---|---|---|---|---|---|---|---|${old:+---|}"
for robot in $robots; do
  case $robot in
  gen3) six end_effector_link ;;
  iiwa7) six iiwa_link_ee ;;
  lwr4) six lwr_7_link ;;
  gen3_6dof) six tool_frame ;;
  *) cat "$top/robots/$robot.lua" ;;
  esac >layout.lua
  measure "$robot" -O2
  measure "$robot" "-O3 -march=native"
done
