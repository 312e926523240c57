#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/links.sh ACHDGEN SOURCE_DIR: steps that several links have in common are functions, called once for each link: they
# give the bits of whole functions on chains of unequal links, snakes of equal ones whose axes take turns, a tree with such a tail, fixed
# and planar bases, double and float, every function that goes from link to link, the two ways of achd; each is called three times at least;
# the text of a chain grows by a row of constants and calls for each link.
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"

chain() { awk -v joints="$1" -f "$top/tests/bench/chain.awk" </dev/null; }

# snake JOINTS: links with axes y and z by turns; two of three are equal, the third is longer and heavier the later it comes.
snake() {
  echo '<robot name="snake"><link name="l0"><inertial><mass value="0.6"/><inertia ixx="4e-4" iyy="5e-4" izz="6e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>'
  for i in $(seq "$1"); do
    [ $((i % 2)) -eq 0 ] && axis="0 0 1" || axis="0 1 0"
    [ $((i % 3)) -eq 0 ] && more=$((i + 10)) || more=10
    echo "<link name=\"l$i\"><inertial><origin xyz=\"0.03 0 0.002\"/><mass value=\"0.4$more\"/>"
    echo '<inertia ixx="2e-4" iyy="3e-4" izz="3.5e-4" ixy="0" ixz="1e-5" iyz="0"/></inertial></link>'
    echo "<joint name=\"j$i\" type=\"continuous\"><parent link=\"l$((i - 1))\"/><child link=\"l$i\"/>"
    echo "<origin xyz=\"0.07$more 0 0\"/><axis xyz=\"$axis\"/></joint>"
  done
  echo '</robot>'
}

# same TITLE ROBOT LAYOUT FUNCTION STEPS OPTIONS..: whole, and as it comes, with so many functions of links at least.
same() {
  title=$1 robot=$2 layout=$3 function=$4 steps=$5
  shift 5
  real=double suffix=''
  case " $* " in *" float "*) real=float suffix=f ;; esac
  "$achdgen" "$robot.urdf" --layout "$layout.lua" --functions "$function" --name whole --parts 0 --no-prove -q -o whole.h "$@"
  "$achdgen" "$robot.urdf" --layout "$layout.lua" --functions "$function" --name parts --no-prove -q -o parts.h "$@"
  check "$title: functions of links" test "$(grep -c "_PART void parts${suffix}_${function}_step" parts.h)" -ge "$steps"
  grep -o "parts${suffix}_${function}_step[0-9]*(" parts.h | sort | uniq -c | awk '$1 < 4' >rare # with the definition
  check "$title: each is called three times at least" test ! -s rare
  upper=$(echo $suffix | tr f F)
  check "$title: compiles" gcc -std=c99 $strict -O0 -ffp-contract=off "-DWHOLE${upper}_IMPLEMENTATION" "-DPARTS${upper}_IMPLEMENTATION" \
    "-DIN=whole${suffix}_${function}_in" "-DOUT=whole${suffix}_${function}_out" "-DWHOLE=whole${suffix}_$function" "-DPARTS=parts${suffix}_$function" \
    -DREAL=$real -I. "$top/tests/emitted/parts_test.c" -o same -lm
  check "$title: the same bits" ./same
}

chain 13 >chain.urdf
snake 14 >snake.urdf
snake 12 | sed '/<\/robot>/d; s/name="snake"/name="tree"/' >tree.urdf
for side in a b; do
  snake 2 | sed "1d; /<\/robot>/d; s/\"l0\"/\"l12\"/; s/\"l\([12]\)\"/\"$side\1\"/g; s/\"j\([12]\)\"/\"j$side\1\"/" >>tree.urdf
done
echo '</robot>' >>tree.urdf
echo 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "tip", frame = "l13" } }, outputs = { "qdd", "nu" } }' >chain.lua
echo 'return { base = "planar", groups = { { name = "tip", frame = "l14", kind = "physical", rows = { "lin_x", "lin_z" } } }, outputs = { "qdd", "nu" } }' >snake.lua
echo 'return { groups = { { name = "a", frame = "a2", rows = { "lin_y" } }, { name = "b", frame = "b2", kind = "physical", rows = { "lin_z" } } },
  outputs = { "qdd", "nu" } }' >tree.lua

same "chain, achd" chain chain achd 8
same "chain, id" chain chain id 2 --cache 8
same "snake, fd" snake snake fd 4 --cache 8
same "snake, achd" snake snake achd 4 --cache 8
same "chain, id, float" chain chain id 2 --cache 8 --real float
same "tree, achd" tree tree achd 4 --cache 8 --formulation recursion
same "tree, bias, the shortest code" tree tree bias 2 --small

# -- bytes: a link more is rows of constants and calls
for joints in 26 36; do
  chain $joints >long.urdf
  sed "s/l13/l$joints/" chain.lua >long.lua
  "$achdgen" long.urdf --layout long.lua --name long --no-prove -q -o long$joints.h
done
more=$((($(wc -c <long36.h) - $(wc -c <long26.h)) / 10))
check "a link more is $more bytes of header" test $more -le 8000
finish
