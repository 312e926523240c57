#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/deterministic.sh ACHDGEN SOURCE_DIR: generated/ is what achdgen makes of robots/, to the byte, or by its sha256: once each, gen3 five times
# (ACHD_SWEEP=1: each twenty times), from other folders, by other paths, in other locales. Lua hashes with a new seed each time.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
rounds=5 # one of each way
[ "${ACHD_SWEEP:-}" != 1 ] || rounds=20

# A locale with a decimal comma, made here: fresh systems have none.
LOCPATH=$scratch/locale
mkdir "$LOCPATH"
export LOCPATH
comma=C
if localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8" 2>/dev/null; then
  comma=de_DE.UTF-8
  check "the locale has a decimal comma" [ "$(LC_ALL=$comma locale decimal_point)" = "," ]
else
  echo "no locale with a decimal comma to be had: the test goes without"
fi

# The inputs a second time, in a folder of another name.
mkdir -p "$scratch/other place" "$scratch/out"
cp "$top"/robots/*.urdf "$top"/robots/*.lua "$scratch/other place/"

# record NAME: what generated/ keeps of the header, whole or its banner and sha256.
record() {
  if [ -f "$top/generated/$1_achd.h" ]; then
    cat "$top/generated/$1_achd.h"
  else
    awk -v name="$1_achd.h" '/^== / { mine = $2 == name } mine' "$top/generated/others.txt"
  fi
}

# What stands behind the layout in the command that the header's banner names.
options() { record "$1" | sed -n "s|^ \*   achdgen $1.urdf --layout $1.lua\(.*\)\$|\1|p"; }

# generate ROUND NAME: one header into $scratch/out, in a way that differs from round to round.
# shellcheck disable=SC2046 # options are words
generate() {
  header=$scratch/out/$2_achd.h
  folder=
  [ -f "$top/robots/$2.lua" ] || folder=platforms/
  rm -f "$header"
  case $(($1 % 5)) in
  0) (cd "$top" && LC_ALL=C "$achdgen" "robots/$2.urdf" --layout "robots/$folder$2.lua" $(options "$2") -o "$header") ;;
  1) (cd / && LC_ALL=$comma "$achdgen" "$top/robots/$2.urdf" --layout "$top/robots/$folder$2.lua" $(options "$2") -o "$header") ;;
  2) (cd "$scratch/other place" && LC_ALL=C.UTF-8 "$achdgen" "$2.urdf" --layout "./$2.lua" $(options "$2") -o - >"$header") ;;
  3) (cd "$scratch/out" && LC_ALL=$comma "$achdgen" "../other place/$2.urdf" --layout "../other place/$2.lua" $(options "$2") -o "$2_achd.h") ;;
  4) (cd "$top/robots" && env -i "$achdgen" "$2.urdf" --layout="$folder$2.lua" $(options "$2") -o "$header") ;;
  esac 2>"$scratch/stderr" || {
    cat "$scratch/stderr"
    return 1
  }
}

same() {
  record "$1" >"$scratch/wanted"
  if [ -f "$top/generated/$1_achd.h" ]; then
    cmp "$scratch/wanted" "$scratch/out/$1_achd.h"
  else
    header_record "$scratch/out/$1_achd.h" >"$scratch/made"
    diff "$scratch/wanted" "$scratch/made"
  fi
}

# The layouts, by name: robots/NAME.lua, and robots/platforms/NAME.lua beside them in the copy.
cp "$top"/robots/platforms/*.lua "$scratch/other place/"
names=$(cd "$scratch/other place" && echo *.lua | sed 's/\.lua//g')
has() { record "$1" >"$scratch/wanted" && [ -s "$scratch/wanted" ]; }
for name in $names; do
  check "generated/ has $name" has "$name"
done
for name in $(cd "$top/generated" && { echo *_achd.h | tr ' ' '\n' && sed -n 's/^== \([^ ]*\).*/\1/p' others.txt; } | sed 's/_achd\.h$//'); do
  [ "$name" = youbot_armf ] || check "generated/${name}_achd.h has a layout" [ -f "$scratch/other place/$name.lua" ]
done
in_float() { # as it is named by default, in a folder of its own
  mkdir "$scratch/float" && cd "$scratch/float" || return 1
  "$achdgen" -q "$top/robots/youbot_arm.urdf" --layout "$top/robots/youbot_arm.lua" --functions achd,gravity --real float &&
    cmp "$top/generated/youbot_armf_achd.h" youbot_armf_achd.h
}
check "youbot_armf, in float, has the committed bytes" in_float

# Each robot by the way whose turn it is, gen3 by all five.
turn=0
round=0
while [ "$round" -lt "$rounds" ]; do
  for name in $names; do
    turn=$((turn + 1))
    [ "${ACHD_SWEEP:-}" = 1 ] || [ "$name" = gen3 ] || [ $((turn % rounds)) -eq "$round" ] || continue
    check "round $round: $name is generated" generate "$round" "$name"
    check "round $round: $name has the committed bytes" same "$name"
  done
  round=$((round + 1)) turn=0
done
finish
