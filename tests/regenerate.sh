#!/bin/sh
# tests/regenerate.sh ACHDGEN [OUT_DIR]: makes generated/ (or OUT_DIR) of robots/, one header per layout. The functions
# are those that a control loop wants; each header's second line is its command.
set -eu
achdgen=$1
top=$(cd "$(dirname "$0")/.." && pwd)
out=${2:-$top/generated}
mkdir -p "$out"

for layout in "$top"/robots/*.lua; do
  name=$(basename "$layout" .lua)
  "$achdgen" "$top/robots/$name.urdf" --layout "$layout" --functions achd,gravity -o "$out/${name}_achd.h"
done

# Platforms, whose layouts have no part of the robot but its base.
mkdir -p "$out/platforms"
for layout in "$top"/robots/platforms/*.lua; do
  name=$(basename "$layout" .lua)
  "$achdgen" -q "$top/robots/$name.urdf" --layout "$layout" -o "$out/platforms/${name}_achd.h"
done
