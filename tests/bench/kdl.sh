#!/bin/sh
# tests/bench/kdl.sh ACHDGEN SOURCE_DIR CXX: microseconds of a whole call of ChainHdSolver_Vereshchagin, KDL's and ours in turns.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
cd "$scratch"
while read -r name urdf base tip; do
  "$achdgen" "$top/robots/$urdf.urdf" --kdl "$base:$tip" --name "$name" -q -o "${name}_kdl.hpp"
  for optimise in -O2 -O3; do
    # shellcheck disable=SC2046
    "$cxx" $optimise -std=c++11 -DNDEBUG -DCHAIN="${name}_kdl" -include "${name}_kdl.hpp" -I. -I"$top/runtime" \
      $(pkg-config --cflags orocos-kdl eigen3) "$top/tests/bench/kdl_call.cpp" -o call $(pkg-config --libs orocos-kdl)
    ./call "$name $optimise"
  done
done <<ROBOTS
gen3 gen3 base_link bracelet_link
panda panda panda_link0 panda_link7
iiwa7 iiwa7 iiwa_link_0 iiwa_link_7
ROBOTS
