#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/kelo/delivered.sh ACHDGEN SOURCE_DIR: applications for robif2b, which know nothing of achdgen, are built on the installed
# simulation, which they find by robif2b_DIR alone, and run.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
PATH=$(dirname "$achdgen"):$PATH # which is not installed with the rest here
unset ACHD_SIM robif2b_DIR robif2b_ROOT CMAKE_PREFIX_PATH DESTDIR
cd "$scratch"
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja # make starts three processes more for each file

# The runtime library has the objects of the project's own build.
export ACHD_COMPILED="${achdgen%/*}"
configured() { cmake -S "$top" -B build -DACHD_ACHDGEN="$achdgen" -DACHD_ROBIF2B=simulated -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh" \
  -DCMAKE_INSTALL_PREFIX="$scratch/there" -DCMAKE_INSTALL_LIBDIR=lib; }
check "configured" configured
check "built" cmake --build build --parallel 2
check "installed" cmake --install build
config=$(find there -name robif2b-config.cmake | head -1)
check "robif2b-config.cmake is there" [ -n "$config" ]
check "found by its folder alone" cmake -S "$top/tests/kelo/downstream" -B applications -Drobif2b_DIR="$scratch/$(dirname "$config")"
check "applications are built" cmake --build applications
check "not found without it" sh -c "! cmake -S '$top/tests/kelo/downstream' -B elsewhere -DCMAKE_PREFIX_PATH='$scratch/there'"

applications/robile >out.txt 2>err.txt || echo "exit $?" >>err.txt
check "one line says that it is simulated" [ "$(grep -c SIMULATED err.txt)" -eq 1 ]
check "and nothing else is said" [ "$(wc -l <err.txt)" -eq 1 ]
check "500 cycles" [ "$(grep -c '^board connected 1: 24.0 V' out.txt)" -eq 500 ]
check "both drives, standing, forward" [ "$(tail -100 out.txt | grep -cE '^drive [01] connected 1: -?0.00 -?0.00 rad/s, pivot (0.00|6.28) rad, 9.8')" -ge 60 ]
check "without a bus" sh -c "ACHD_SIM=nowhere.world applications/robile >/dev/null 2>err.txt; [ \$? -eq 1 ] && grep -q nowhere.world err.txt"
check "a platform with four drives is another bus" sh -c "ACHD_SIM='$top/robif2b/worlds/platform.world' applications/robile >/dev/null 2>&1"
check "the ideal arm" [ "$(applications/ideal_arm)" = "1.000000 2.000000" ]
finish
