#!/bin/sh
# SPDX-License-Identifier: MIT
# linkage_sways.sh ACHDGEN SOURCE_DIR MUJOCO: an ankle stands and sways through its rods in MuJoCo, closed as --mjcf closes it, by the torques of its
# motors; and with an error planted in these it does not.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
mujoco=$3
cd "$scratch"
linkages=$top/robots/linkages
cat >ankle_rods.lua <<'END'
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
sed 's|groups = .*|groups = {}, outputs = { "qdd" },|' "$linkages/ankle.lua" >ankle.lua
# made ROBOT: header, and model without contacts, stiff, in steps of 100 us
made() {
  "$achdgen" -q "$linkages/$1.urdf" --layout "$1.lua" --functions id --name ankle_rods -o ankle_rods.h &&
    "$achdgen" -q "$linkages/$1.urdf" --layout "$1.lua" --mjcf "$1.xml" &&
    sed 's|timestep="[0-9.]*"|timestep="1e-4"|; s|contype="1"|contype="0"|g; s|conaffinity="2"|conaffinity="0"|g
      s|solref="0.005 1" solimp="0.99 0.999 0.001 0.5 2"|solref="3e-4 1" solimp="0.9999 0.99999 1e-4"|' "$1.xml" >closed.xml
}
sways() { # NUMBERS OF linkage_start: what the program says
  gcc -std=c99 -O1 -Wall -Wextra -Werror -DANKLE_RODS_LINKAGE="$1" -I. "$top/tests/numbers/linkage_sways.c" "$mujoco" -lm -o sways && ./sways closed.xml
}
check "the ankle with rods of its own as MuJoCo's tendons" made ankle
check "the tendons are there" grep -q '<tendon tendon1="ankle_2"' closed.xml
check "it sways through them" sways 4
check "the ankle whose rods are links" made ankle_rods
check "<connect> is there" grep -q '<connect body1="right_heel" body2="right_rod_end"' closed.xml
check "it sways through its rods" sways 12
cp ankle_rods.h good.h
sed -i 's/\(out->linkage_tau.ankle\[0\] = \)\(.*\);/\11.3 * (\2);/' ankle_rods.h
if cmp -s ankle_rods.h good.h; then sed -i 's/out->linkage_tau\.ankle\[0\] =/out->linkage_tau.ankle[0] = 1.3 */' ankle_rods.h; fi
sways_wrongly() { ! cmp -s ankle_rods.h good.h && ! sways 12; }
check "a planted error of a motor's torque is noticed" sways_wrongly
finish
