#!/bin/sh
# SPDX-License-Identifier: MIT
# measured.sh ACHDGEN SOURCE_DIR: contacts in logs of a real arm, a UR10e without a sensor of force (Mamedov, Mikhel 2020): bounds that achd-observe
# calibrates on four free runs, with masses found in these, give no alarm on three free runs that it did not see, and the four pushes of a
# person against the arm are told. The logs have no labels: the pushes were counted by eye, as what the motor currents do while the arm holds still, at
# 1.8 to 2.7 s (joint 1), 4.6 to 5.8 s (all of joints 1 to 5), 8.4 to 9.5 s and 11.9 to 13.2 s (joints 1 and 2). Skipped where the logs are not there.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$top/tests/contact/logs.sh"

check "a file with another number of columns" sh -c "! $python -m achdgen.observe calibrate ur10e.urdf --columns '$columns' identification_data/ur-19_09_27-11_32_02.csv 2>errors &&
  grep -q '^achd-observe: identification_data/ur-19_09_27-11_32_02.csv:1: 19 numbers, where 31 are expected' errors"
# shellcheck disable=SC2086 # names of files
check "calibrates" observe calibrate ur10e.urdf --columns "$columns" --rate 30 --fit-masses --gains $gains \
  $calibration -o bounds.json
cat .said
check "replays" observe replay ur10e.urdf bounds.json --columns "$columns" ${runs}02_12-50sec_12harm.csv ${runs}01_31-unload.csv \
  validation_data/ur-20_01_17-ptp_10_points.csv collision/ur-20_01_22-push_pose_1.csv --json told.json --page told.html
cat .said
judged() {
  $python - <<'END'
import json
told = json.load(open("told.json"))
pushes = told.pop("ur-20_01_22-push_pose_1.csv")
assert all(not found for found in told.values()), "an alarm on a free run"
seen = [(1.7, 2.8, 0), (4.5, 6.0, 1), (8.3, 9.6, 1), (11.8, 13.3, 1)]
start = 200.533
assert len(pushes) == len(seen), f"{len(pushes)} pushes"
for push, (begin, end, joint) in zip(pushes, seen):
    assert begin < push["start"] - start and push["end"] - start < end, push
    assert ["shoulder_pan_joint", "shoulder_lift_joint"][joint] in push["felt"], push
END
}
check "no alarm on free runs, each push told" judged
check "the page shows them" sh -c "[ \"\$(grep -o 'class=\"torque\"' told.html | wc -l)\" -eq 24 ]"
finish
