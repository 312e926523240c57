#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/whole_body/pictures.sh BUILD_DIR: draws the pictures of docs/whole_body.md from runs, into docs/pictures; stills
# by achd-stills, which -DACHD_REPORT=ON builds, where it is there.
set -eu
cd "$(dirname "$0")/../.."
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$build/tests/whole_body/whole_body_trot" "$folder"
"$build/tests/whole_body/whole_body_step" "$folder"
cp "$folder/walking_push.svg" "$folder/walking_step.svg" docs/pictures
stills=${ACHD_STILLS-$build/report/achd-stills}
[ -x "$stills" ] || { echo "no $stills: the stills stay as they are"; exit 0; }
"$stills" "$build/tests/whole_body/step/world.xml" "$folder/walking_step.csv" --at 1 --at 1.2 --at 1.4 --at 1.6 \
  --size 270x360 --camera 180,-8,1.15
for still in "$folder"/still_*.png; do
  name=${still##*/still_}
  cp "$still" "docs/pictures/walking_step_$(printf "%.3s" "$name").png"
done
