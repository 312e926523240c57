#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/ik.sh ACHDGEN SOURCE_DIR CXX [POSES]: inverse kinematics (achd/ik.h) of five arms beside KDL's solvers, ours by gcc -O2 (ik.cpp):
# how many of the poses are found within the joints' limits, and in how many microseconds, pose by pose in turn.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(absolute "$2")
cxx=$3
poses=${4:-10000}
cd "$scratch"
for of in gen3:base_link:tool_frame iiwa7:iiwa_link_0:iiwa_link_ee lwr4:lwr_base_link:lwr_7_link puma560:base:link_6 youbot_arm:arm_link_0:gripper_palm_link; do
  arm=${of%%:*}
  "$achdgen" "$top/robots/$arm.urdf" --layout "$top/robots/$arm.lua" --name "$arm" --functions fk,jac --mode inline -q -o "ik_$arm.h"
  "$achdgen" "$top/robots/$arm.urdf" --kdl "${of#*:}" --name "their_$arm" -q -o "their_${arm}_kdl.hpp" # whose chain KDL's solvers get
done
gcc -O2 -std=c11 -I"$top/runtime" -c "$top/runtime/ik.c" "$top/runtime/spatial.c"
# By the flags that KDL's own code was compiled with: Eigen's arrays are aligned by them.
# shellcheck disable=SC2046 # flags
"$cxx" -O2 -std=c++17 -DNDEBUG -I. -I"$top/runtime" -I"$top/tests/runtime" $(pkg-config --cflags orocos-kdl eigen3) "$top/tests/bench/ik.cpp" ik.o spatial.o \
  -o ik $(pkg-config --libs orocos-kdl)
./ik "$poses"
