#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/kdl.sh ACHDGEN SOURCE_DIR CXX: microseconds of a whole call of ChainHdSolver_Vereshchagin, KDL's and ours in turns; pin it to a
# quiet core: taskset -c 1 sh tests/bench/kdl.sh build/achdgen . c++
# Fails where plain -O2 is not ten times as fast as KDL with six constraints, and five times with one.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
cd "$scratch"
# measure NAME URDF BASE TIP FLAGS
measure() {
  [ -f "$1_kdl.hpp" ] || "$achdgen" "$top/robots/$2.urdf" --kdl "$3:$4" --name "$1" -q -o "$1_kdl.hpp"
  # shellcheck disable=SC2046,SC2086
  "$cxx" $5 -std=c++11 -DNDEBUG -DCHAIN="$1_kdl" -include "$1_kdl.hpp" -I. -I"$top/runtime" \
    $(pkg-config --cflags orocos-kdl eigen3) "$top/tests/bench/kdl_call.cpp" -o call $(pkg-config --libs orocos-kdl)
  ./call "$1 $5" | tee -a said.txt
}
for flags in -O2 '-O2 -DACHD_KDL_CPU=0' '-O2 -DACHD_KDL_CPU=2' -O3; do
  measure gen3 gen3 base_link bracelet_link "$flags"
done
measure panda panda panda_link0 panda_link7 -O2
while read -r name urdf base tip; do
  measure "$name" "$urdf" "$base" "$tip" -O2
done <"$top/tests/kdl/robots.txt"
awk '/ -O2, / { least = / 6 constraints/ ? 10 : 5; if ($NF < least) { print "too slow: " $0; slow = 1 } } END { exit slow }' said.txt
