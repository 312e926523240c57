#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/experiments.sh [NUMBER...]: carries out the experiments of the literature on simulated robots, all sixteen or those
# named, faster than real time, and makes a web page of each in build/experiments/report. Installs what is missing
# (Debian; for the pages also from the npm registry). Exit 1 where a bound does not hold.
#
# The runs are in build/experiments/runs/NN: log.csv, run.json, robot.json (docs/report.md). The same log, to the bit, each
# time on one machine.
set -eu
cd "$(dirname "$0")/.."

experiments=${*:-1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16}
for number in $experiments; do
  case $number in
  [1-9] | 1[0123456]) ;;
  *)
    echo "tests/experiments.sh: there is no experiment $number: 1 to 16" >&2
    exit 2
    ;;
  esac
done

sh tests/install.sh tests
sh tests/install.sh report
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON -DACHD_REPORT=ON >/dev/null
cmake --build build --target achdgen experiments --parallel "$(nproc)"

runs=build/experiments/runs
program=build/tests/experiments/experiments
made=build/tests/experiments
mkdir -p "$runs"

# robot NUMBER: the robot of an experiment, its layout, and the model of its world; nothing where nothing moves.
robot() {
  case $1 in
  1 | 3) echo robots/lwr4.urdf tests/runtime/lwr4_controlled.lua lwr4 ;;
  2 | 4) echo robots/youbot_arm.urdf tests/runtime/youbot_controlled.lua youbot ;;
  5) echo "$made/lwr4_pad.urdf" tests/runtime/lwr4_pad.lua lwr4_table ;;
  6) echo robots/gen3.urdf tests/runtime/gen3_loaded.lua gen3_load ;;
  7) echo robots/gen3.urdf tests/experiments/layouts/gen3_gripper.lua gen3_side ;;
  8) echo robots/gen3.urdf tests/runtime/gen3_controlled.lua gen3_paper ;;
  9) echo robots/gen3.urdf tests/experiments/layouts/gen3_elbow.lua gen3_elbow ;;
  12) echo tests/experiments/platform.urdf tests/experiments/layouts/platform.lua platform ;;
  13) echo tests/experiments/platform.urdf tests/experiments/layouts/hospital.lua hospital ;;
  15) echo robots/gen3.urdf tests/experiments/layouts/gen3_friction.lua gen3_paper ;;
  esac
}

failed=
for number in $experiments; do
  folder=$runs/$(printf '%02d' "$number")
  rm -rf "$folder"
  mkdir -p "$folder"
  "$program" "$number" "$folder" || failed="$failed $number"
done

# The pages come last: without them, the numbers are there all the same.
cmake --build build --target achd_report --parallel "$(nproc)"
[ ! -d build/report ] || cmake --build build/report --parallel "$(nproc)" >/dev/null # the stills, where they can be built
for number in $experiments; do
  folder=$runs/$(printf '%02d' "$number")
  # shellcheck disable=SC2046 # three words, or none
  set -- $(robot "$number")
  [ $# -gt 0 ] || continue
  build/achdgen "$1" --layout "$2" -q --describe json >"$folder/robot.json"
  [ ! -x build/report/achd-stills ] || build/report/achd-stills "$made/worlds/$3.xml" "$folder/log.csv" >/dev/null ||
    echo "no stills of experiment $number" >&2
done
build/report/achd-report "$runs" -o build/experiments/report
echo "pages: build/experiments/report/index.html"
[ -z "$failed" ] || {
  echo "a bound does not hold in experiment$failed" >&2
  exit 1
}
