#!/bin/sh
# SPDX-License-Identifier: MIT
# whole_way.sh: from a URDF that is a fifth wrong to the header of the arm that stands there: a motion that tells its parameters, played
# and logged through robif2b, identified, generated anew, and played again. Programs in build/ and in identified/.
set -eu
robots=$(pkg-config --variable=robots achd)
gains=11,11,11,11,7.6,7.6,7.6 # torque per current of the joints [N m/A]
motions="--layout arm.lua --start 0,0.4,0,1.2,0,0.8,0 --box=-0.9,0.9,-0.9,0.9,0.1,1.4 --trials 400"

[ -d build ] || cmake -S . -B build >/dev/null
cmake --build build >/dev/null
# shellcheck disable=SC2086 # options are words
for n in 1 2; do achd-identify "$robots/gen3.urdf" $motions --seed $n --seconds $((30 - 10 * n)) --excite motion_$n.csv; done
export ACHD_SIM="$PWD/build/other.world"
for n in 1 2; do build/gen3_play motion_$n.csv log_$n.csv $n; done
achd-identify "$robots/gen3.urdf" log_1.csv --layout arm.lua --gains $gains --validate log_2.csv \
  -o identified.lua --urdf-out identified.urdf --c-out identified.h --json identified.json

[ -d identified ] || cmake -S . -B identified -DURDF="$PWD/identified.urdf" -DIDENTIFIED="$PWD/identified.h" >/dev/null
cmake --build identified >/dev/null
for programs in build identified; do
  echo "$programs: the programs with $([ $programs = build ] && echo "the masses of the URDF" || echo "what was identified")"
  $programs/gen3_play motion_2.csv again.csv
  ACHD_SIM="$PWD/build/table.world" $programs/gen3_slide | grep 'while it slides'
done
