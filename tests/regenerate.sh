#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/regenerate.sh ACHDGEN: makes generated/ of robots/, one header per layout, with the functions that a control loop wants; each header's
# second line is its command. Five are kept whole, to be looked at: an arm, a platform, a closed loop, legs with lanes, an arm in float. Of the
# others generated/others.txt keeps the banner, which says what they cost, and their sha256.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/generated
kept=" gen3 youbot_base four_bar quadruped youbot_armf "

: >"$scratch/others.txt"
# put NAME ROBOT LAYOUT OPTIONS...
put() {
  name=$1 robot=$2 layout=$3
  shift 3
  "$achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$layout.lua" "$@" -o "$scratch/${name}_achd.h"
  case $kept in
  *" $name "*) cp "$scratch/${name}_achd.h" "$out/" ;;
  *) header_record "$scratch/${name}_achd.h" >>"$scratch/others.txt" ;;
  esac
}

mkdir -p "$out"
for layout in "$top"/robots/*.lua; do
  name=$(basename "$layout" .lua)
  set --
  [ "$name" != quadruped ] || set -- --lanes 1
  put "$name" "$name" "$name" --functions achd,gravity "$@"
done
put youbot_armf youbot_arm youbot_arm --functions achd,gravity --real float
# Platforms, whose layouts have no part of the robot but its base.
for layout in "$top"/robots/platforms/*.lua; do
  name=$(basename "$layout" .lua)
  put "$name" "$name" "platforms/$name" -q
done
cp "$scratch/others.txt" "$out/"
