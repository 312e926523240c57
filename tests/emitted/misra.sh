#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/misra.sh ACHDGEN SOURCE_DIR: MISRA C:2012 by cppcheck's addon, and the strictest warnings of gcc and clang, on
# headers of double and float, one time in four of joints that mimic others: whatever they tell is listed with its reason in docs/misra.md, and nothing is listed in vain.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
addon=$(find /usr/lib /usr/share -path '*cppcheck/addons/misra.py' 2>/dev/null | head -n 1)
if ! command -v cppcheck >/dev/null || [ -z "$addon" ]; then skip_all "no cppcheck with its MISRA addon"; fi

# addon_on ROBOT LAYOUT REAL ARGUMENTS..: what the addon tells of that header.
addon_on() {
  robot=$1 layout=$2 real=$3
  shift 3
  prefix=$([ "$real" = double ] && echo ARM || echo ARMF)
  "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --name arm --real "$real" "$@" --no-prove -q -o arm.h
  printf '#define %s_IMPLEMENTATION\n#include "arm.h"\n' "$prefix" >arm.c
  rm -f arm.c.dump
  cppcheck --std=c99 --dump --quiet --max-configs=1 -D__STDC__ arm.c >/dev/null 2>&1 || true
  check "$robot, $real, $*: the addon ran" [ "$(wc -c <arm.c.dump)" -gt 100000 ]
  python3 "$addon" arm.c.dump 2>&1 | sed -n 's/.*\[misra-c2012-\([0-9.]*\)\].*/rule \1/p' >>told
}

all=achd,$(family "$top")
cat >bounds.lua <<'END'
return {
  friction = { coulomb = { joint1 = 10 }, viscous = { joint1 = 1 } },
  torques = { artificial = true },
  groups = { { name = "tip", frame = "tip", axes = "link", maskable = true, rows = { "lin_x" }, bounds = { lin_x = { -5, 5 } } } },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction" },
}
END
: >told
for real in double float; do
  addon_on arm1dof "$top/robots/arm1dof.lua" "$real" --functions "$all"
  addon_on arm1dof bounds.lua "$real"
  [ "$real" = float ] || addon_on four_bar "$top/robots/four_bar.lua" "$real" --functions "$all" --batch 4
  [ "$real" = float ] || ! in_sample "$top" 4 || addon_on gripper "$top/robots/gripper.lua" "$real"
  [ -z "${ACHD_SWEEP-}" ] || addon_on gen3 "$top/robots/gen3.lua" "$real"
  for robot in gen3 quadruped; do
    "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --name arm --real "$real" --no-prove -o arm.h
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
has clang || sed -i '/^clang/d' listed
comm -13 found listed >vain
check "each that is listed is there: $(tr '\n' ',' <vain)" [ ! -s vain ]
finish
