#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/elastic.sh ACHDGEN SOURCE_DIR CC: docs/examples/elastic, an arm with springs between motors and links: it moves, is pushed and holds,
# with noise and motors' limits; without damping at the motors, and by a law that does not know the springs, it swings; an encoder that reads NaN
# stops it. Motors' torques stay within the limits of the layout.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
example=$top/docs/examples/elastic
cd "$scratch"
check "the plant" "$achdgen" "$example/arm.urdf" --layout "$example/plant.lua" --functions step -o plant_achd.h
check "is proven" grep -q '^ \* proven  step: identical' plant_achd.h
check "the model" "$achdgen" "$example/arm.urdf" --layout "$example/model.lua" --functions id,gravity -o model_achd.h
check "compiles" "$cc" -std=c99 -O1 -Wall -Wextra -Werror -I. -I"$example" "$example/main.c" -o elastic -lm

# number MODE PATTERN: the number that a run prints there.
number() { ./elastic "$1" | sed -n "s/.*$2.*/\\1/p"; }
# below MODE PATTERN LIMIT
below() { number "$1" "$2" | awk -v most="$3" '{ seen = 1; bad = !($1 < most) } END { exit !seen || bad }'; }
above() { ! below "$1" "$2" "$3"; }
moving='link: \([0-9.]*\) mrad off while' rest=', \([0-9.]*\) at rest' swing='swings by \([0-9.]*\) N m' sensed='sensed to \([0-9.]*\) N m'
check "follows" below "" "$moving" 60
check "holds" below "" "$rest" 0.2
check "does not swing" below "" "$swing" 0.05
check "torque is sensed in spite of noise" below "" "$sensed" 0.02
check "without noise it is the spring's" below silent "$sensed" 0.0005
check "weak motors: at rest again" below weak "$rest" 0.5
check "weak motors are at their limit, and not beyond" below weak 'motors: \([0-9.]*\) N m of 0.16' 0.16001
check "weak motors are at it" above weak 'motors: \([0-9.]*\) N m of 0.16' 0.1599
check "without damping at the motors it swings" above undamped "$swing" 5
check "a law without the springs swings" above soft "$swing" 5
check "an encoder that reads NaN" sh -c './elastic deaf | grep -q "torques are 0"'
finish
