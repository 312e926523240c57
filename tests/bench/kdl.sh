#!/bin/sh
# tests/bench/kdl.sh ACHDGEN SOURCE_DIR CXX: microseconds of a whole call of ChainHdSolver_Vereshchagin, KDL's and ours in turns; pin it to a
# quiet core: taskset -c 1 sh tests/bench/kdl.sh build/achdgen . c++
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
cd "$scratch"
echo '#define ACHD_KDL_TARGET "avx2,fma"' >target.h
while read -r name urdf base tip; do
  "$achdgen" "$top/robots/$urdf.urdf" --kdl "$base:$tip" --name "$name" -q -o "${name}_kdl.hpp"
  # as compilers do by default, and with what the processor has for the generated functions
  for flags in -O2 -O3 '-O2 -include target.h'; do
    # shellcheck disable=SC2046,SC2086
    "$cxx" $flags -std=c++11 -DNDEBUG -DCHAIN="${name}_kdl" -include "${name}_kdl.hpp" -I. -I"$top/runtime" \
      $(pkg-config --cflags orocos-kdl eigen3) "$top/tests/bench/kdl_call.cpp" -o call $(pkg-config --libs orocos-kdl)
    ./call "$name $flags"
  done
done <<ROBOTS
gen3 gen3 base_link bracelet_link
panda panda panda_link0 panda_link7
iiwa7 iiwa7 iiwa_link_0 iiwa_link_7
ROBOTS
