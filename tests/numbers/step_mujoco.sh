#!/bin/sh
# SPDX-License-Identifier: MIT
# step_mujoco.sh ACHDGEN SOURCE_DIR: a quadruped that stands, is dropped and slides, beside MuJoCo in small steps, with the same spheres as feet in both;
# and with an error in what an impulse does they differ.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
"$achdgen" -q "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" --functions step_begin -o quadruped_step_begin.h
"$achdgen" -q "$top/robots/quadruped.urdf" --layout "$top/tests/numbers/step_drop.lua" --mjcf quadruped.xml --scene "$top/tests/numbers/step_scene.lua"
gcc -std=c11 -O1 -Wall -Wextra -Werror -I. -I "$top/runtime" "$top/tests/numbers/step_mujoco.c" "$top"/runtime/contact*.c -lmujoco -lm -o beside
check "positions, forces and depths" ./beside quadruped.xml
differs() { ! ./beside quadruped.xml planted; }
check "an error of what an impulse does is noticed" differs
finish
