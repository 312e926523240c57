#!/bin/sh
# SPDX-License-Identifier: MIT
# oddities.sh ACHDGEN SOURCE_DIR [bless]: what becomes of robots that are written oddly, as vendors write them.
#
# For every NAME.urdf in tests/program/oddities/, what each of these says and does is NAME.expected to the letter (of every sixth, in_sample; with `bless` of all):
#   default      achdgen NAME.urdf: the header, which gcc and clang take without a warning
#   kinematics   --functions fk,fvk,jac
#   dynamics     --functions id,crba,fd,gravity,com,energy
#   inspect      --inspect: the rows, and what is not possible
#   init         --init, and what it prints as --layout: dynamics where there can be any, else kinematics
#   check        --check 20
# Warnings are those of the first: the others repeat them. With `bless` the expectations are written anew: read the difference.
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
bless=${3:-}
top=$(cd "$2" && pwd)
cd "$2/tests/program/oddities" || exit 2
header=$scratch/out.h

# said WHAT STATUS: the line of an expectation, and behind it the error.
said() {
  echo "$1: exit $2"
  sed -n '/ error: /,$s/^/  /p' "$scratch/err"
}

# outcome NAME: what is expected.
outcome() {
  status=0
  "$achdgen" "$1.urdf" -o "$header" 2>"$scratch/err" || status=$?
  echo "default: exit $status"
  sed 's/^/  /' "$scratch/err"
  if [ $status -eq 0 ]; then
    for compiler in gcc clang; do
      "$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c -D"$(prefix)_IMPLEMENTATION" "$header" ||
        echo "  $compiler does not take the header"
    done
  fi
  for functions in fk,fvk,jac id,crba,fd,gravity,com,energy; do
    status=0
    "$achdgen" "$1.urdf" --functions $functions -o "$header" 2>"$scratch/err" || status=$?
    said $functions $status
  done
  status=0
  "$achdgen" "$1.urdf" --inspect >"$scratch/inspect" 2>"$scratch/err" || status=$?
  said --inspect $status
  sed -n '/^ *rows  /p; /is not possible/p' "$scratch/inspect"
  status=0
  "$achdgen" "$1.urdf" --init >"$scratch/first.lua" 2>"$scratch/err" || status=$?
  said --init $status
  if [ $status -eq 0 ]; then
    options=$(sed -n 's/^--     achdgen .*\.lua *//p' "$scratch/first.lua")
    # shellcheck disable=SC2086 # the options that it tells
    "$achdgen" "$1.urdf" --layout "$scratch/first.lua" $options -o "$header" 2>"$scratch/err" || status=$?
    said "--layout of what it prints $options" $status
  fi
  status=0
  "$achdgen" "$1.urdf" --check 20 >"$scratch/check" 2>"$scratch/err" || status=$?
  said "--check 20" $status
}

# prefix: of the header.
prefix() { sed -n 's/^#ifndef \(.*\)_ACHD_H$/\1/p' "$header" | head -n 1; }

count=0 tried=0
for robot in *.urdf; do
  name=${robot%.urdf}
  count=$((count + 1))
  [ -n "$bless" ] || in_sample "$top" 6 || continue
  outcome "$name" >"$scratch/$name.expected"
  [ -z "$bless" ] || cp "$scratch/$name.expected" "$name.expected"
  check "$name" diff "$name.expected" "$scratch/$name.expected"
  tried=$((tried + 1))
done
check "there are a dozen robots at least" [ $count -ge 12 ]
echo "$tried of $count robots"
# same_torques STATE ROBOT ROBOT: inverse dynamics of both gives the same.
same_torques() {
  state=$1
  shift
  for robot in "$@"; do
    echo "$state" | "$achdgen" "$robot" -q --functions id --eval || return 1
  done >"$scratch/torques"
  [ "$(sort -u "$scratch/torques" | wc -l)" -eq 1 ] && [ "$(wc -l <"$scratch/torques")" -eq 2 ]
}
# A joint that mimics a fixed one stands at its offset: as a fixed joint that is turned so.
sed -e 's/type="revolute"/type="fixed"/' -e '/<mimic/d' -e 's|<origin xyz="0.1 0 0"/>|<origin xyz="0.1 0 0" rpy="0 0 0.3"/>|' \
  ../bad/joint/warn_mimic_of_fixed.urdf >"$scratch/still.urdf"
check "a joint that mimics a fixed one stands at its offset" same_torques "0.7 0.2 0.1 0 0 -9.81" \
  ../bad/joint/warn_mimic_of_fixed.urdf "$scratch/still.urdf"
# A planar joint inside a tree is two prismatic joints and a revolute one.
sed -e 's|<joint name="slide" type="planar">|<link name="sx"/><link name="sy"/><joint name="x" type="prismatic"><parent link="arm"/><child link="sx"/><axis xyz="1 0 0"/><limit effort="1" velocity="1" lower="-9" upper="9"/></joint><joint name="y" type="prismatic"><parent link="sx"/><child link="sy"/><axis xyz="0 1 0"/><limit effort="1" velocity="1" lower="-9" upper="9"/></joint><joint name="slide" type="continuous">|' \
  -e 's|<parent link="arm"/><child link="hand"/><axis|<parent link="sy"/><child link="hand"/><axis|' ../bad/joint/warn_planar_inside.urdf >"$scratch/three.urdf"
check "a planar joint inside a tree is three joints" same_torques "0.7 0.2 0.1 0.4 1 2 3 4 0.5 0.6 0.7 0.8 1 2 -9.81" \
  ../bad/joint/warn_planar_inside.urdf "$scratch/three.urdf"
finish
