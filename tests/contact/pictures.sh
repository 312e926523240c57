#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh ACHDGEN SOURCE_DIR [FOLDER]: the pictures of docs/contact.md, of the published logs of a UR10e, to FOLDER (docs/pictures by default):
# the torques of contacts in the run with four pushes and in a free run, with the URDF that achd-identify makes of the runs of the calibration, and in
# the free run with the vendor's. Ends with 77 where the logs are not there.
set -eu
achdgen=$(realpath "$1") top=$(cd "$2" && pwd)
folder=${3:-$top/docs/pictures}
. "$top/tests/lib.sh"
. "$top/tests/contact/logs.sh"
push=collision/ur-20_01_22-push_pose_1.csv
free=${runs}02_12-50sec_12harm.csv
# shellcheck disable=SC2086 # names of files
$python -W ignore -m achdgen.identify ur10e.urdf --columns "$columns" --skip-damaged --gains $gains $calibration --urdf identified.urdf -o identified.lua >said
mv ur10e.urdf vendor.urdf
for model in identified vendor; do
  # shellcheck disable=SC2086 # names of files
  observe calibrate $model.urdf --columns "$columns" --rate 30 --gains $gains $calibration -o bounds.json >said
  [ $model = vendor ] || observe replay $model.urdf bounds.json --columns "$columns" "$push" --picture "$folder/contact_push_$model.svg"
  observe replay $model.urdf bounds.json --columns "$columns" "$free" --picture "$folder/contact_free_$model.svg"
done
