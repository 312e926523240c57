#!/bin/sh
# SPDX-License-Identifier: MIT
# passivity.sh ACHDGEN TOP: what the functions of momentum and passivity cost a Gen3, in operations, beside inverse dynamics and
# its derivatives: C in the time of none of them, C^T v without C; which of C, Cv and Ctv layouts ask for; and who is refused.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"

echo 'return { groups = {} }' >none.lua
echo 'return { groups = {}, outputs = { "dtau_dqd" } }' >did.lua
echo 'return { groups = {}, outputs = { "Ctv" } }' >Ctv.lua
echo 'return { groups = {}, outputs = { "Cv", "C" } }' >two.lua
echo 'return { groups = {}, outputs = { "manipulability_lin" } }' >linear.lua
# operations FUNCTION [LAYOUT]: of the Gen3 without rotors.
operations() {
  "$achdgen" "$top/robots/gen3.urdf" --layout "${2:-none.lua}" --functions "$1" --inspect |
    sed -n 's/^ *operations .*: \([0-9]*\) = .*/\1/p'
}
id=$(operations id) momentum=$(operations momentum) slotine_li=$(operations slotine_li) C=$(operations coriolis)
Ctv=$(operations coriolis Ctv.lua) did=$(operations did did.lua) osim=$("$achdgen" "$top/robots/gen3.urdf" --functions osim --inspect | sed -n 's/^ *operations .*: \([0-9]*\) = .*/\1/p') centroidal=$(operations centroidal)
echo "  gen3: id $id, momentum and beta $momentum, slotine_li $slotine_li, C $C, C^T v $Ctv, did with dtau_dqd $did, centroidal $centroidal, osim of six rows $osim"
check "osim of six rows: at most 3600 operations" [ "$osim" -le 3600 ]
in_performance() { grep -qF "$1" "$top/docs/performance.md"; }
check "docs/performance.md has C: $C operations" in_performance "| \`coriolis\`, C | $C |"
check "C: at most 1400 operations" [ "$C" -le 1400 ]
check "C: at most 0.65 of did with dtau_dqd" [ $((100 * C)) -le $((65 * did)) ]
check "slotine_li: at most 1.15 of id" [ $((100 * slotine_li)) -le $((115 * id)) ]
check "momentum and beta: at most 0.9 of id" [ $((10 * momentum)) -le $((9 * id)) ]
check "C^T v makes no C" [ $((2 * Ctv)) -le "$C" ]

columns() { "$achdgen" "$top/robots/gen3.urdf" --layout "$1" --functions coriolis --columns | sed -n 's/^out \([A-Za-z]*\)\..*/\1/p' | uniq | paste -s -d ' ' -; }
check "coriolis gives C by itself" [ "$(columns none.lua)" = C ]
check "coriolis gives what is asked for" [ "$(columns Ctv.lua)" = Ctv ]
check "and two of them" [ "$(columns two.lua)" = "C Cv" ]
check "the unit of C" [ "$("$achdgen" "$top/robots/gen3.urdf" --functions coriolis --columns | grep -c '^out C\.joint_[1-7]\.joint_[1-7] (N m)/(rad/s)$')" -eq 49 ]

# A pendulum of 2 kg at 0.5 m on a hinge about y, by hand: M = 0.5, no C; p = M qd, tau = M qdd_r + g.
cat >pendulum.urdf <<'END'
<robot name="pendulum"><link name="base"/>
  <link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><axis xyz="0 1 0"/><parent link="base"/><child link="rod"/></joint>
</robot>
END
echo 'return { groups = {}, gravity = { 0, 0, -10 } }' >pendulum.lua
evaluated() { # FUNCTION INPUTS: the outputs, in six digits
  echo "$2" | "$achdgen" pendulum.urdf --layout pendulum.lua --functions "$1" --eval -q | awk '{ for (i = 1; i < NF; i++) printf "%s%.6g", (i > 1 ? " " : ""), $i + 0; print "" }'
}
check "slotine_li of a pendulum" [ "$(evaluated slotine_li "0 3 7 4")" = -8 ]
echo 'return { groups = {}, gravity = { 0, 0, -10 }, friction = { coulomb = { hinge = 2 }, viscous = { hinge = 0.5 }, threshold = 0.1 } }' >pendulum.lua
check "slotine_li with friction of the reference velocity" [ "$(evaluated slotine_li "0 3 7 4")" = -2.5 ]
check "which grows up to the threshold" [ "$(evaluated slotine_li "0 3 -0.05 4")" = -9.025 ]
check "inverse dynamics has none" [ "$(evaluated id "0 3 4")" = -8 ]
echo 'return { groups = {}, gravity = { 0, 0, -10 }, friction = "input" }' >pendulum.lua
check "friction that is negative: BAD_INPUT, and a torque of 0" [ "$(echo "0 3 7 4 -1" | "$achdgen" pendulum.urdf --layout pendulum.lua --functions slotine_li --eval -q)" = "0 16" ]
echo 'return { groups = {}, gravity = { 0, 0, -10 } }' >pendulum.lua
check "momentum of a pendulum" [ "$(evaluated momentum "0 3")" = "1.5 10" ]
check "C of a pendulum" [ "$(evaluated coriolis "0.4 3")" = 0 ]
check "centroidal of a pendulum" [ "$(evaluated centroidal "0 3" | cut -d ' ' -f 1-6)" = "0 0 -3 0 0 0" ]

echo 'return { gravity = { 0, 0, -10 }, groups = { { name = "turn", joint = "hinge" } } }' >pendulum.lua
check "osim of a pendulum: Lambda^-1, Lambda, mu, p, Jbar" [ "$(evaluated osim "0 3")" = "2 0.5 0 -10 1" ]
refused() { ! "$achdgen" "$top/robots/gen3.urdf" --layout "$1" --functions osim --inspect >said 2>errors && grep -q "$2" errors; }
check "osim without rows" refused none.lua 'osim needs rows, and the layout has none'
echo 'return { singularity = "truncate", groups = { { name = "tool", frame = "tool_frame" } } }' >truncate.lua
check "osim with truncate" refused truncate.lua 'osim has no policy truncate'
echo 'return { passive = { "joint_7" }, realise = "motors", groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } } }' >motors.lua
check "osim of rows by motors" refused motors.lua 'osim has no operational space of rows that motors and contacts alone realise'

# Bodies that fall freely, by fd without torques: dh_G/dt = A_G vdot + A_G-dot v is the weight, and no moment about the centre of mass.
echo 'return { base = "floating", groups = {}, gravity = { 0, 0, -10 } }' >falls.lua
# state FUNCTION TURN: a line of its inputs, each by its name, torques 0.
state() {
  "$achdgen" "$1" --layout falls.lua --functions "$2" --columns | awk -v turn="$3" '
    $1 == "in" { x = sin(turn + length($2) + 7 * index($2, "l") + 3 * index($2, "_x") + 5 * index($2, "_y") + 11 * index($2, "crank"))
      if ($2 ~ /^tau/) x = 0
      if ($2 ~ /quat.w/) x = 0.5; if ($2 ~ /quat.x/) x = -0.5; if ($2 ~ /quat.y/) x = 0.1; if ($2 ~ /quat.z/) x = 0.7 # 0.25 + 0.25 + 0.01 + 0.49
      printf "%.17g ", x } END { print "" }'
}
falls() { # URDF: the largest part of dh_G/dt less the weight
  for turn in 1 2 3; do
    for function in fd centroidal com; do
      state "$1" $function $turn | "$achdgen" "$1" --layout falls.lua --functions $function --eval -q | tr ' ' '\n' >numbers
      "$achdgen" "$1" --layout falls.lua --functions $function --columns | awk '$1 == "out" { print $2 }' | paste -d ' ' - numbers | sed "s/^/$turn /"
    done
  done | awk '
    $2 == "com.m" { m[$1] = $3 }
    $2 ~ /^qdd\./ { sub(/^qdd/, "", $2); v[$1, $2] = $3 }
    $2 ~ /^base.acc\./ { sub(/^base.acc/, ".base", $2); v[$1, $2] = $3 }
    $2 ~ /^A_G\./ { row = substr($2, 5, 5); column = substr($2, 10); A[$1, row, column] = $3 }
    $2 ~ /^Adot_v\./ { h[$1, substr($2, 8)] += $3; rows[substr($2, 8)] = 1 }
    END {
      for (key in A) { split(key, part, SUBSEP); h[part[1], part[2]] += A[key] * v[part[1], part[3]]; used++ }
      for (turn = 1; turn <= 3; turn++) for (row in rows) { x = h[turn, row] + (row == "lin_z" ? 10 * m[turn] : 0); if (x < 0) x = -x; if (x > most) most = x }
      print (used > 60 && m[1] > 0 ? most + 0 : "nothing")
    }'
}
fallen=$(falls "$top/robots/gripper.urdf")
echo "  falling freely: the momentum changes by the weight but for $fallen"
check "the momentum of bodies that fall" awk -v most="$fallen" 'BEGIN { exit !(most ~ /^[0-9]/ && most < 1e-9) }'

# An arm that turns about z and lifts two links of 1 m: w of the linear rows = |sin q3| (cos q2 + cos(q2 + q3)), by hand.
{
  echo '<robot name="lifts"><link name="base"/>'
  for i in 1 2 3; do
    echo "<link name=\"l$i\"/><joint name=\"j$i\" type=\"continuous\"><axis xyz=\"0 $((i > 1)) $((i == 1))\"/><origin xyz=\"$((i > 2)) 0 0\"/>"
    echo "<parent link=\"$([ $i -gt 1 ] && echo l$((i - 1)) || echo base)\"/><child link=\"l$i\"/></joint>"
  done
  echo '<link name="tip"/><joint name="end" type="fixed"><origin xyz="1 0 0"/><parent link="l3"/><child link="tip"/></joint></robot>'
} >lifts.urdf
echo 'return { groups = {}, outputs = { "manipulability_lin", "manipulability" } }' >lifts.lua
lifted() { echo "$1" | "$achdgen" lifts.urdf --layout lifts.lua --functions manipulability --eval -q | awk '{ for (i = 1; i < NF; i++) printf "%s%.5g", (i > 1 ? " " : ""), (i != 5 && $i < 1e-5 && $i > -1e-5 ? 0 : $i + 0); print "" }'; }
check "manipulability of six rows of three joints, 0, and of the linear ones" [ "$(lifted "0.3 0 1.5707963267948966")" = "0 0 0 0 1 0 -1 -1" ]
check "an arm that is stretched: 0 and a gradient of 0" [ "$(lifted "0.3 0.2 0")" = "0 0 0 0 0 0 0 0" ]
check "nearly stretched" [ "$(lifted "0.3 0 1e-9")" = "0 0 0 0 2e-09 0 0 2" ]
manipulability=$(operations manipulability) linear=$(operations manipulability linear.lua)
echo "  gen3: manipulability $manipulability, of the linear rows $linear"
check "manipulability: at most 1950 operations, of the linear rows 650" [ "$manipulability" -le 1950 -a "$linear" -le 650 ]

cat >massless.urdf <<'END'
<robot name="massless"><link name="base"/><link name="rod"/>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/></joint></robot>
END
echo 'return { groups = {}, armature = { hinge = 1 } }' >massless.lua
check "a robot without masses has no centre of mass" sh -c "! '$achdgen' massless.urdf --layout massless.lua --functions centroidal --inspect >said 2>errors && grep -q 'the robot has no mass, so no centre of mass' errors"
finish
