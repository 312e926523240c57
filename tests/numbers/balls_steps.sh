#!/bin/sh
# SPDX-License-Identifier: MIT
# balls_steps.sh ACHDGEN SOURCE_DIR: steps of robots with ball joints (balls_steps.c); and that a URDF, an SDF and an MJCF file say the same
# robot with a ball and a universal joint.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
inertial='<inertial pos="0.1 0.01 0.02" mass="0.5" diaginertia="0.003 0.004 0.005"/>'
cat >pendulum.xml <<'END'
<mujoco model="pendulum"><worldbody><body name="rod" pos="0 0 1"><joint name="pivot" type="ball"/>
<inertial pos="0.05 0.1 -0.4" mass="1.2" diaginertia="0.02 0.03 0.01"/></body></worldbody></mujoco>
END
cat >chain.xml <<END
<mujoco model="chain"><worldbody><body name="a"><freejoint/>$inertial<body name="b" pos="0.2 0 0"><joint name="first" type="ball"/>$inertial
<body name="c" pos="0.2 0 0"><joint name="second" type="ball"/>$inertial</body></body></body></worldbody></mujoco>
END
echo 'return { groups = {}, step = { integrator = "rk4" } }' >steps.lua
"$achdgen" -q pendulum.xml --layout steps.lua --functions step -o pendulum_achd.h --no-prove
"$achdgen" -q chain.xml --layout steps.lua --functions step,energy,centroidal -o chain_achd.h --no-prove
cp "$top/tests/numbers/balls_steps.c" .
gcc -std=c11 -O0 -Wall -Wextra -Werror -I. balls_steps.c -lm -o steps
check "steps keep what motion keeps, and say what is no rotation" ./steps

# One robot in three languages: id in one state.
cat >robot.urdf <<'END'
<robot name="robot"><link name="base"/>
<link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>
<link name="hand"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>
<joint name="ball" type="spherical"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.5"/></joint>
<joint name="cross" type="universal"><parent link="arm"/><child link="hand"/><origin xyz="0.3 0 0"/></joint></robot>
END
mass='<inertial><pose>0.1 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.03</izz></inertia></inertial>'
cat >robot.sdf <<END
<sdf version="1.9"><model name="robot"><link name="base"/><link name="arm"><pose>0 0 0.5 0 0 0</pose>$mass</link>
<link name="hand"><pose>0.3 0 0.5 0 0 0</pose>$mass</link><joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="ball" type="ball"><parent>base</parent><child>arm</child></joint>
<joint name="cross" type="universal"><parent>arm</parent><child>hand</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>
END
body='<inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.03"/>'
cat >robot.xml <<END
<mujoco model="robot"><worldbody><body name="arm" pos="0 0 0.5"><joint name="ball" type="ball"/>$body<body name="hand" pos="0.3 0 0">
<joint name="cross_1" axis="1 0 0"/><joint name="cross_2" axis="0 1 0"/>$body</body></body></worldbody></mujoco>
END
echo "0 0 0 0.4 -0.7  0.5 0.5 -0.5 0.5  1 2 3 4 5  -1 2 -3 4 -5  0 0 -9.81" >state
id() { "$achdgen" -q "$1" --functions id --eval <state; }
id robot.urdf >urdf
same() { id "$1" | paste -d ' ' urdf - | awk '{ n = NF / 2; for (i = 1; i <= n; i++) { d = $i - $(i + n); if (d > 1e-12 || d < -1e-12) bad = 1 } } END { exit bad || n != 6 }'; }
check "SDF says the same robot" same robot.sdf
check "MJCF says the same robot" same robot.xml
sed 's/<xyz>0 1 0</<xyz>0 0 1</' robot.sdf >other.sdf
differs() { ! same other.sdf; }
check "another second axis is another robot" differs
# What a robot with a ball cannot have; bad inputs of layouts are in tests/program/bad/ball.
refused() { # TEXT WORD...
  text=$1
  shift
  ! "$achdgen" -q "$@" 2>message && grep -q -F "$text" message
}
check "--kdl is refused" refused '"ball" is a ball joint, and chains of KDL' robot.xml --kdl world:hand

# Derivatives of a tie whose chain of joints goes inward through one ball and outward through two: beside differences; proven.
cat >tied.xml <<END
<mujoco model="tied"><worldbody><body name="trunk" pos="0 0 1"><freejoint/>$inertial
<body name="arm" pos="0 0 0.5"><joint name="a" type="ball"/>$inertial<body name="fore" pos="0.3 0 0.1"><joint name="e" axis="0 1 0"/>$inertial</body></body>
<body name="leg" pos="0 0.2 0.5"><joint name="b" type="ball"/>$inertial<body name="foot" pos="0.2 0.1 0"><joint name="f" type="ball"/>$inertial</body></body>
</body></worldbody></mujoco>
END
echo 'return { groups = { { name = "bar", frame = "fore", to = "foot", rows = { "lin_x", "lin_z", "ang_y" } } } }' >tied.lua
check "dachd of ties over balls agrees with differences" "$achdgen" -q tied.xml --layout tied.lua --functions dachd --check 3
check "dachd of ties over balls is proven" "$achdgen" -q tied.xml --layout tied.lua --functions dachd --prove 1
finish
