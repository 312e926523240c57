#!/bin/sh
# SPDX-License-Identifier: MIT
# linkage_sways.sh ACHDGEN SOURCE_DIR MUJOCO: an ankle stands and sways through its rods in MuJoCo, by the torques of its motors; and with an
# error planted in these it does not.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
mujoco=$3
cd "$scratch"
urdf=$top/robots/linkages/ankle_rods.urdf
echo 'return { outputs = { "qdd" }, groups = { { name = "sole", frame = "sole" } } }' >open.lua
"$achdgen" -q "$urdf" --layout open.lua --mjcf open.xml
# the ends of the rods are the heels; stiff, and in steps of 100 us
awk '{ gsub(/timestep="[0-9.]*"/, "timestep=\"1e-4\""); gsub(/contype="1"/, "contype=\"0\""); gsub(/conaffinity="2"/, "conaffinity=\"0\"") }
  /<\/mujoco>/ { print "<equality>"
    for (k = 1; k <= 2; k++) {
      side = k == 1 ? "left" : "right"
      printf "<connect body1=\"%s_rod\" body2=\"foot\" anchor=\"0 0 -0.24\" solref=\"3e-4 1\" solimp=\"0.999 0.9999 1e-4\"/>\n", side
    }
    print "</equality>" }
  { print }' open.xml >closed.xml
cat >ankle.lua <<'END'
return {
  linkages = {
    {
      name = "ankle", independent = { "ankle_pitch", "ankle_roll" }, motors = { "left_crank", "right_crank" },
      ties = {
        { frame = "left_heel", to = "left_rod_end", rows = { "lin_x", "lin_y", "lin_z" } },
        { frame = "right_heel", to = "right_rod_end", rows = { "lin_x", "lin_y", "lin_z" } },
      },
    },
  },
}
END
"$achdgen" -q "$urdf" --layout ankle.lua --functions id -o ankle_rods.h
sways() { # what the program says
  gcc -std=c99 -O1 -Wall -Wextra -Werror -DANKLE_RODS_LINKAGE=12 -I. "$top/tests/numbers/linkage_sways.c" "$mujoco" -lm -o sways && ./sways closed.xml
}
check "the ankle sways through its rods" sways
cp ankle_rods.h good.h
sed -i 's/\(out->linkage_tau.ankle\[0\] = \)\(.*\);/\11.3 * (\2);/' ankle_rods.h
if cmp -s ankle_rods.h good.h; then sed -i 's/out->linkage_tau\.ankle\[0\] =/out->linkage_tau.ankle[0] = 1.3 */' ankle_rods.h; fi
sways_wrongly() { ! cmp -s ankle_rods.h good.h && ! sways; }
check "a planted error of a motor's torque is noticed" sways_wrongly
finish
