#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/momentum.sh ACHDGEN SOURCE_DIR CXX [counts]: a Gen3's functions of momentum and passivity beside KDL's, ours by gcc -O2 and by -O3
# -march=native (momentum.cpp): nanoseconds, ratios in one run. counts: only operations, and whether both agree.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
cd "$scratch"
echo 'return { outputs = { "dtau_dqd" }, groups = {}, gravity = { 0, 0, -9.81 } }' >slope.lua
echo 'return { groups = { { name = "tool", frame = "bracelet_link", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } }, gravity = { 0, 0, -9.81 } }' >arm.lua
functions=id,bias,jac,coriolis,slotine_li,momentum,centroidal,osim,manipulability
"$achdgen" "$top/robots/gen3.urdf" --layout arm.lua --name arm --functions $functions --mode split -q -o arm.h
"$achdgen" "$top/robots/gen3.urdf" --layout slope.lua --name slope --functions did --mode split -q -o slope.h
"$achdgen" "$top/robots/gen3.urdf" --kdl base_link:bracelet_link --name gen3 -q -o gen3_kdl.hpp
"$achdgen" "$top/robots/gen3.urdf" --layout arm.lua --name arm --functions $functions --inspect | awk '/^function/ { name = $2 } /^ *operations/ { sub(/.*: /, ""); print name ": " $1 " operations" }'
if [ "${4-}" = counts ]; then set -- "$1" "$2" "$3" counts -O0; else set -- "$1" "$2" "$3" all -O2 "-O3 -march=native"; fi
what=$4
shift 4
for optimise in "$@"; do
  echo "ours by gcc $optimise; KDL as packaged, its templates by -O2"
  for source in "$top/runtime/observer.c" arm.c slope.c; do
    # shellcheck disable=SC2086 # flags
    gcc $optimise -std=c11 -I"$top/runtime" -c "$source" -o "$(basename "$source" .c).o"
  done
  # By the flags that KDL's own code was compiled with: Eigen's arrays are aligned by them.
  # shellcheck disable=SC2046 # flags
  "$cxx" -O2 -std=c++17 -DNDEBUG -include gen3_kdl.hpp -I. -I"$top/runtime" $(pkg-config --cflags orocos-kdl eigen3) "$top/tests/bench/momentum.cpp" \
    observer.o arm.o slope.o -o call $(pkg-config --libs orocos-kdl)
  ./call "$what"
done
