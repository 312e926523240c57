#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/links.sh ACHDGEN SOURCE_DIR: steps that several links have in common are functions, called once for each link: they
# give the bits of whole functions on chains of unequal links, snakes of equal ones whose axes take turns, a tree with such a tail, fixed
# and planar bases, double and float, every function that goes from link to link, the two ways of achd; each is called three times at least;
# the text of a chain grows by a row of constants and calls for each link. What rows of a large system have in common is functions as
# well, each called twice at least: the same bits, and beside limbs in the lanes of vectors numbers as good as those of a longer format.
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

# palms: on a floating base two arms of two joints, at each of them five fingers of four.
limb() { # PARENT NAME JOINTS OFFSET: ends at NAME with its last number
  parent=$1
  for i in $(seq "$3"); do
    [ $((i % 2)) -eq 0 ] && axis="0 0 1" || axis="0 1 0"
    echo "<link name=\"$2$i\"><inertial><origin xyz=\"0.01 0.002 -0.02\"/><mass value=\"0.2$4\"/>"
    echo '<inertia ixx="2e-4" iyy="3e-4" izz="3.5e-4" ixy="0" ixz="1e-5" iyz="0"/></inertial></link>'
    echo "<joint name=\"$2${i}_joint\" type=\"continuous\"><parent link=\"$parent\"/><child link=\"$2$i\"/>"
    echo "<origin xyz=\"0.0$4 0.01 -0.05\" rpy=\"0.$4 0 0\"/><axis xyz=\"$axis\"/></joint>"
    parent=$2$i
  done
}
palms() {
  echo '<robot name="palms"><link name="chest"><inertial><mass value="4"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>'
  for side in l r; do
    limb chest $side 2 3
    for finger in 1 2 3 4 5; do limb ${side}2 $side$finger 4 $finger; done
  done
  echo '</robot>'
}

# same TITLE ROBOT LAYOUT FUNCTION STEPS OPTIONS..: whole, and as it comes, with so many functions of links at least, each called $calls times
# at least; proof: the option that leaves it out, or nothing.
calls=3 proof=--no-prove
same() {
  title=$1 robot=$2 layout=$3 function=$4 steps=$5
  shift 5
  real=double suffix=''
  case " $* " in *" float "*) real=float suffix=f ;; esac
  "$achdgen" "$robot.urdf" --layout "$layout.lua" --functions "$function" --name whole --parts 0 --no-prove -q -o whole.h "$@"
  "$achdgen" "$robot.urdf" --layout "$layout.lua" --functions "$function" --name parts $proof -q -o parts.h "$@"
  check "$title: functions of links" test "$(grep -c "_PART void parts${suffix}_${function}_step" parts.h)" -ge "$steps"
  grep -o "parts${suffix}_${function}_step[0-9]*(" parts.h | sort | uniq -c | awk -v least=$calls '$1 <= least' >rare # with the definition
  check "$title: each is called $calls times at least" test ! -s rare
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

# -- rows
palms >palms.urdf
cat >palms.lua <<'END'
local groups = {}
for _, side in ipairs { "l", "r" } do
  for f = 1, 5 do
    groups[#groups + 1] = { name = side .. f, frame = side .. f .. 4, axes = "base", kind = "physical", rows = { "lin_x", "lin_y", "lin_z" }, maskable = f == 2 }
  end
end
return { base = "floating", gravity = { 0, 0, -9.81 }, groups = groups, outputs = { "qdd", "nu" } }
END
calls=2 proof=
same "rows" palms palms achd 30 --lanes 0 --cache 8 --formulation early

# Limbs in lanes, as larger robots have by default, beside numbers and a longer format.
one() { "$achdgen" palms.urdf --layout open.lua --functions achd --formulation early --no-prove -q --mode inline --name "$@"; }
rows_in_lanes() {
  sed 's/, maskable = f == 2//' palms.lua >open.lua
  one plain --cache 0 -o plain.h
  one packed --cache 8 -o packed.h
  one exact --cache 0 -o double.h
  in_long_double double.h >exact.h
  check "rows beside lanes are functions" grep -q 'in the lanes of vectors.*what rows have in common is functions' packed.h
  avx=-mavx2
  grep -qw avx2 /proc/cpuinfo 2>/dev/null || avx=
  check "rows beside lanes: compiles" gcc -std=gnu11 -O0 $avx -DREAL=double "-DLONGER=long double" -DP=plain_achd -DL=packed_achd \
    -DE=exact_achd -DSTART=PLAIN_ACHD_IN_DEFAULT -I. "-I$top/tests/emitted" "$top/tests/emitted/lanes.c" -o equal -lm
  check "rows beside lanes: the status and numbers as good" ./equal 500
}
proof=--no-prove
# One of these; all with ACHD_SAMPLE=all.
for case in $(one_of "$top" float short lanes motion); do
  case $case in
    motion)
      check "rows: the equations of motion, and states near singular ones" \
        "$achdgen" --check 12 palms.urdf --layout palms.lua --functions achd --formulation early
      ;;
    float) same "rows, float" palms palms achd 4 --lanes 0 --cache 8 --real float --formulation early ;;
    short) same "rows, the shortest code" palms palms achd 10 --small --formulation early ;;
    lanes) rows_in_lanes ;;
  esac
done

# -- bytes: a link more is rows of constants and calls
for joints in 26 36; do
  chain $joints >long.urdf
  sed "s/l13/l$joints/" chain.lua >long.lua
  "$achdgen" long.urdf --layout long.lua --name long --no-prove -q -o long$joints.h
done
more=$((($(wc -c <long36.h) - $(wc -c <long26.h)) / 10))
check "a link more is $more bytes of header" test $more -le 8000
finish
