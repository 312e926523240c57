#!/bin/sh
# pictures.sh ACHDGEN SOURCE_DIR [FOLDER]: the pictures of docs/contact.md, of the published logs of a UR10e, to FOLDER (docs/pictures by default):
# the torques of contacts in the run with four pushes and in a free run, with masses that are found in the runs of the calibration, and in the free
# run with those of the vendor's URDF. Ends with 77 where the logs are not there.
set -eu
achdgen=$(realpath "$1") top=$(cd "$2" && pwd)
folder=${3:-$top/docs/pictures}
. "$top/tests/lib.sh"
. "$top/tests/contact/logs.sh"
push=collision/ur-20_01_22-push_pose_1.csv
free=${runs}02_12-50sec_12harm.csv
for model in found vendor; do
  masses=
  [ $model = vendor ] || masses=--fit-masses
  # shellcheck disable=SC2086 # an option or nothing
  observe calibrate ur10e.urdf --columns "$columns" --rate 30 $masses --gains $gains $calibration -o bounds.json >said
  [ $model = vendor ] || observe replay ur10e.urdf bounds.json --columns "$columns" "$push" --picture "$folder/contact_push_$model.svg"
  observe replay ur10e.urdf bounds.json --columns "$columns" "$free" --picture "$folder/contact_free_$model.svg"
done
