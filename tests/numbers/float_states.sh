#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/float_states.sh ACHDGEN ROBOTS: `--real float` with the default threshold over states as a controller meets
# them (float_states.c): how many it flags SINGULAR, and how far off double the rest is. Of gen3, and of every third of six others (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
robots=$(cd "$2" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"

# compare ROBOT STATES MOST_FLAGGED LARGEST_ERROR LAYOUT WHAT [apart]: of 99.9 % of the states that are not flagged; apart: those of the
# fast way (null), too.
compare() {
  printf 'return { %s outputs = { "qdd", "nu", "tau_ctrl" } }\n' "$5" >layout.lua
  "$achdgen" "$robots/$1.urdf" --layout layout.lua --no-prove --name d -o double.h 2>said
  "$achdgen" "$robots/$1.urdf" --layout layout.lua --no-prove --name s --real float -o float.h 2>said
  masked=
  ! grep -q 'mask\[' double.h || masked=-DMASKED
  apart=
  : >general.h
  if [ $# -gt 6 ]; then
    "$achdgen" "$robots/$1.urdf" --layout layout.lua --no-prove --name g --real float --formulation joint -o general.h 2>said
    apart=-DGENERAL=gf
  fi
  printf '#define D_IMPLEMENTATION\n#define SF_IMPLEMENTATION\n#define GF_IMPLEMENTATION\n#include "double.h"\n#include "float.h"\n#include "general.h"\n' >both.c
  gcc -std=c99 -O1 -c both.c
  # shellcheck disable=SC2086 # perhaps no word
  gcc -std=gnu11 -O1 $masked $apart -I. -DNAME=d -DNAMEF=sf "$tests/float_states.c" both.o -o states -lm
  check "$1, $6" ./states "$2" "$3" "$4"
  echo "$1, $6: $(cat .said)"
}
another() { ! in_sample "$top" 3 || compare "$@"; }
compare gen3 100000 1e-3 1e-4 "" "by default" apart
another gen3 30000 1e-3 1e-4 'groups = { { name = "tool", frame = "tool_frame", axes = "link" } },' "axes of the link"
another lwr4 30000 3e-3 1e-4 "" "by default"
another iiwa7 30000 3e-3 1e-4 "" "by default"
another gen3_6dof 30000 1e-2 1e-4 "" "by default"
another panda 30000 1e-3 1e-4 'tips = { "panda_hand_tcp" },' "by default"
another youbot_arm 30000 1e-3 1e-4 'groups = { { name = "tool", frame = "gripper_palm_link", rows = { "lin_x", "lin_y", "lin_z" } } },' "three rows"
finish
