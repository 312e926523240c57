#!/bin/sh
# tests/emitted/misra.sh ACHDGEN SOURCE_DIR: MISRA C:2012 by cppcheck's addon, and the strictest warnings of gcc and clang, on
# headers of double and float: whatever they tell is listed with its reason in docs/misra.md, and nothing is listed in vain.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
addon=$(find /usr/lib /usr/share -path '*cppcheck/addons/misra.py' 2>/dev/null | head -n 1)
if ! command -v cppcheck >/dev/null || [ -z "$addon" ]; then skip_all "no cppcheck with its MISRA addon"; fi

: >told
for real in double float; do
  p=$([ $real = double ] && echo ARM || echo ARMF)
  "$achdgen" "$top/robots/arm1dof.urdf" --layout "$top/robots/arm1dof.lua" --name arm --real $real -o arm.h
  printf '#define %s_IMPLEMENTATION\n#include "arm.h"\n' "$p" >arm.c
  cppcheck --std=c99 --dump --quiet --max-configs=1 -D__STDC__ arm.c >/dev/null 2>&1 || true
  check "$real: the addon ran" [ -s arm.c.dump ]
  python3 "$addon" arm.c.dump 2>&1 | sed -n 's/.*\[misra-c2012-\([0-9.]*\)\].*/rule \1/p' >>told
  for robot in gen3 quadruped; do
    "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --name arm --real $real -o arm.h
    gcc -std=c99 -O0 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wfloat-equal \
      arm.c 2>&1 | grep -o '\[-W[a-z0-9+-]*\]' | sed 's/^\[/gcc /; s/\]$//' >>told || true
    ! command -v clang >/dev/null || clang -std=c99 -fsyntax-only -Weverything arm.c 2>&1 |
      grep -o '\[-W[a-z0-9+-]*\]' | sed 's/^\[/clang /; s/\]$//' >>told || true
  done
done
sort -u told >found
# shellcheck disable=SC2016 # back quotes of Markdown
sed -n 's/^| `\([a-z]* [-A-Za-z0-9.+]*\)` |.*/\1/p' "$top/docs/misra.md" | sort -u >listed
check "something was looked at" [ -s found ]
comm -23 found listed >unlisted
check "each deviation is listed: $(tr '\n' ',' <unlisted)" [ ! -s unlisted ]
command -v clang >/dev/null || sed -i '/^clang/d' listed
comm -13 found listed >vain
check "each that is listed is there: $(tr '\n' ',' <vain)" [ ! -s vain ]
finish
