#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/sizes.sh ACHDGEN SOURCE_DIR: a null-space solve that asks for the size of its inputs instead of testing each result
# (magnitude.h): inputs, and a caller's own sines, of every size up to NaN, by three compilers, of which each robot has one (in_sample). What goes out is finite or told,
# and as in a solve that has one way only.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"

# sized ROBOT WORDS: a layout with these words; MASKED says that rows have masks.
sized() {
  cp "$top/robots/$1.urdf" robot.urdf
  masked=
  case $2 in *maskable*) masked=-DMASKED ;; esac
  echo "return { $2, outputs = { \"qdd\", \"nu\", \"tau_ctrl\", \"residual\" } }" >layout.lua
  "$achdgen" robot.urdf --layout layout.lua --name robot --no-prove -q -o robot.h || return 1
  "$achdgen" robot.urdf --layout layout.lua --name general --formulation joint --no-prove -q -o general.h || return 1
  grep -q 'robot_probe_[0-9]*_exp32(' robot.h || { echo "it does not ask for sizes"; return 1; }
  if grep -q '_exp32(' general.h; then echo "the other asks, too"; return 1; fi
  for cc in 'gcc -O2' 'gcc -O3 -march=native' 'clang -O2'; do
    in_sample "$top" 3 || continue
    # shellcheck disable=SC2086
    $cc -std=c11 -Wall -Wextra -Werror $masked -I. -o sizes "$top/tests/emitted/sizes.c" -lm || return 1
    ./sizes || { echo "by $cc"; return 1; }
  done
}

group='groups = { { name = "tool"'
sampled 2 "gen3, six rows" sized gen3 "gravity = { 0, 0, -9.81 }, $group, frame = \"tool_frame\", axes = \"base\" } }"
sampled 2 "gen3, masks and gravity" sized gen3 "$group, frame = \"tool_frame\", maskable = true } }"
sampled 2 "iiwa7" sized iiwa7 "$group, frame = \"iiwa_link_ee\", axes = \"base\" } }"
sampled 2 "gen3_6dof, all rows" sized gen3_6dof "$group, frame = \"tool_frame\", axes = \"base\" } }"
finish
