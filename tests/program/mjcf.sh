#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/mjcf.sh ACHDGEN MJCF_SHOW SOURCE_DIR: --mjcf and --scene as users meet them: what MuJoCo finds in the model, names that
# need care, inertias that MuJoCo refuses, wrong scenes. That the dynamics are right: tests/numbers/mjcf_test.cpp.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
show=$(absolute "$2")
top=$(cd "$3" && pwd)
robots=$top/robots
cd "$scratch"

# model ARGUMENTS...: what MuJoCo finds in the model, in the file `seen`.
model() { "$achdgen" "$@" -q --mjcf model.xml && "$show" model.xml >seen; }
has() { grep -q -x -e "$1" seen || { grep "^${1%% *} " seen; return 1; }; }
lacks() { ! grep -q -e "$1" seen; }

# -- a robot with its layout, in a scene
check "the Gen3 on its table" model "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua"
check "rotor and limits" has 'joint joint_2 3 0.558 0 0 -2.24 2.24'
check "a motor by mode" has 'motor joint_1_force 1 55'
check "its position" has 'motor joint_1_position 1 55'
check "its velocity" has 'motor joint_1_velocity 1 55'
check "its current" has 'motor joint_5_current 7.6 28'
check "no motor acts by itself" has 'motors at rest 0'
check "force sensor" has 'sensor tool_frame_force'
check "torque sensor" has 'sensor tool_frame_torque'
check "gyro" has 'sensor base_gyro'
check "accelerometer" has 'sensor base_accelerometer'
check "site" has 'site tool_frame_site tool_frame'
check "posture, then the package" has 'key 0 0.2618 3.1416 -2.2689 0 0.9599 1.5708 0.65 0.25 0.14 1 0 0 0'
check "table" has 'geom desk 6 0.25 0.4 0.02 0.5'
check "package" has 'body parcel 0.5'
check "floor" has 'geom world 0 .*'
check "fingertip" has 'geom tool_frame 2 0.01 0 0 1'
check "all is quiet" has 'warnings 0'
cp model.xml first.xml
check "once more" model "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua"
check "the same bytes" cmp first.xml model.xml
"$achdgen" "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua" -q --mjcf - >out.xml
check "standard output" cmp out.xml model.xml

# -- one motor a joint
check "--motors" model "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua" --motors
check "one a joint, by its name" [ "$(grep '^motor ' seen | tr '\n' ' ')" = "$(printf 'motor joint_%d 1 %d ' 1 55 2 55 3 55 4 55 5 28 6 28 7 28)" ]
# shellcheck disable=SC2016 # the inner shell expands
check "all else as without" sh -c 'for f in first model; do sed "/<actuator>/,/<\/actuator>/d; /name=.achdgen./d" $f.xml >$f.rest; done; cmp first.rest model.rest'

# -- the same shapes as capsules
capsules() { "$achdgen" "$@" -q --capsules capsules.h; }
check "capsules" capsules "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua"
cp capsules.h first.h
check "capsules once more" capsules "$robots/gen3.urdf" --layout "$robots/gen3.lua" --scene "$robots/scenes/gen3_table.lua"
check "capsules: the same bytes" cmp first.h capsules.h
check "capsules: the fingertip of the scene, a sphere" grep -q -x -F '       {0, 0, (achd_real)-0.0515250000000001}}, (achd_real)0.01}};' capsules.h
check "capsules: links that never part are named" grep -q '^ \*   base_link and half_arm_1_link$' capsules.h
cat >boxes.urdf <<'END'
<robot name="boxes"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 1"/><geometry><box size="0.6 0.08 0.06"/></geometry></collision></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0" upper="3" effort="1" velocity="1"/><axis xyz="1 0 0"/></joint>
</robot>
END
check "capsules around a box and a cylinder" capsules boxes.urdf
check "a box: its longest axis, half the diagonal across it" grep -q -F '{0, {{(achd_real)-0.3, 0, 1},' capsules.h
check "... 0.05 m" grep -q -F '{(achd_real)0.3, 0, 1}}, (achd_real)0.05},' capsules.h
check "a cylinder" grep -q -F '{2, {{0, 0, -1},' capsules.h
nothing() { "$achdgen" "$@" --capsules none.h 2>err >out && return 1; grep -q -F -e "$text" err && grep -q 'remedy: ' err && [ ! -s out ] && [ ! -e none.h ]; }
text='no two links of the robot that are no neighbours can come near each other'
check "$text" nothing "$robots/arm1dof.urdf"
text='is about generated functions, and --capsules generates none'
check "$text" nothing "$robots/gen3.urdf" --real float

# -- bases, mimics, passive joints
check "a quadruped floats" model "$robots/quadruped.urdf" --layout "$robots/quadruped.lua"
check "its free joint" has 'joint base_free 0 .*'
check "the youBot drives" model "$robots/youbot.urdf" --layout "$robots/youbot.lua"
check "its yaw" has 'joint base_yaw 3 0 0 0'
check "its casters have no motors" lacks '^motor caster'
check "gripper" model "$robots/gripper.urdf" --layout "$robots/gripper.lua"
check "four rods of five have no motor" [ "$(grep -c '^motor ' seen)" -eq 4 ]

# -- a robot of odd names: none may break the XML, none may meet another
cat >odd.urdf <<'END'
<robot name="a &quot;b&quot; &lt;c&gt; &amp;">
  <link name="world"/>
  <joint name="base_free" type="fixed"><parent link="world"/><child link="l &lt;1&gt; &amp; &apos;x&apos;"/></joint>
  <link name="l &lt;1&gt; &amp; &apos;x&apos;"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="j&#xE9; &quot;1&quot;" type="revolute"><parent link="l &lt;1&gt; &amp; &apos;x&apos;"/><child link="between"/><axis xyz="1 0 0"/>
    <limit effort="3" velocity="1" lower="1" upper="2"/><dynamics damping="0.5" friction="-1"/></joint>
  <link name="between"/>
  <joint name="base_x" type="continuous"><parent link="between"/><child link="plate"/><axis xyz="0 1 0"/></joint>
  <link name="plate"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.29"/></inertial>
    <collision><geometry><mesh filename="x.stl"/></geometry></collision>
    <visual><origin xyz="0 0 0.1"/><geometry><box size="0.2 0.4 0.6"/></geometry></visual></link>
  <joint name="tip" type="fixed"><parent link="plate"/><child link="thin"/></joint>
  <link name="thin"><inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.003"/></inertial>
    <collision><geometry><sphere radius="none"/></geometry></collision></link>
</robot>
END
sed 's/izz="0.29"/izz="0.35"/' odd.urdf >impossible.urdf
check "odd names" model odd.urdf
check "a body's" has "body l <1> & 'x' 1"
check "the world's" has 'body world_ 0'
check "a joint's" has 'joint jé "1" 3 0 0.5 0 1 2'
check "a motor's" has 'motor jé "1"_force 1 3'
check "a link without mass between two joints" has 'body between 1e-14'
check "an inertia that none has goes to the link before" has 'body plate 1.1'
check "a shape of the URDF" has 'geom plate 6 0.1 0.2 0.3 1'
check "the middle of the limits" has 'key 1.5 0'
told() { "$achdgen" "$@" --mjcf none.xml 2>err >out && return 1; grep -q -F -e "$text" err && grep -q 'remedy: ' err && [ ! -s out ] && [ ! -e none.xml ]; }
"$achdgen" odd.urdf --mjcf model.xml 2>err
check "friction that drives is told" grep -q 'its friction is negative' err
check "a shape that cannot be read is told" grep -q 'odd.urdf:14: warning: link "thin": the numbers of a <sphere> cannot be read' err
text='-Werror stops at warnings'
check "-Werror" told odd.urdf -Werror
text='impossible.urdf:9: error: link "plate" and what is fixed to it'
check "an impossible inertia" told impossible.urdf
echo 'return { robot = { balance_inertia = true } }' >balance.lua
check "balanced" model impossible.urdf --scene balance.lua
sed 's/<inertial>.*<\/inertial>//' odd.urdf >light.urdf
text='no mass or rotational inertia beyond it resists its motion'
check "no inertia at all" told light.urdf

# -- long chains: one body in another
chain() { # JOINTS
  echo '<robot name="chain"><link name="l0"/>'
  for i in $(seq "$1"); do
    echo "<joint name='j$i' type='continuous'><parent link='l$((i - 1))'/><child link='l$i'/><origin xyz='0 0 0.1'/><axis xyz='$((i % 2)) $(((i + 1) % 2)) 0'/></joint>
      <link name='l$i'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>"
  done
  echo '</robot>'
}
chain 95 >long.urdf
check "96 links in one another" model long.urdf
"$achdgen" long.urdf --mjcf model.xml 2>err
check "of which nothing is said" sh -c '! grep MuJoCo err'
chain 96 >longer.urdf
"$achdgen" longer.urdf --mjcf model.xml 2>err
check "one more is told" grep -q 'link "l96" is link number 97 of its chain: MuJoCo 2.2 reads 96 at most' err

# -- sensors: the parent bears 2 kg, 0.1 m beside the frame; the base is at rest
cat >sensors.urdf <<'END'
<robot name="sensors">
  <link name="base"/>
  <joint name="mount" type="fixed"><parent link="base"/><child link="tool"/></joint>
  <link name="tool"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="up" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
  <link name="wheel"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
</robot>
END
echo 'return { gravity = { 0, 0, -10 }, robot = { force_torque = "tool" } }' >sensors.lua
check "sensors" model sensors.urdf --scene sensors.lua
check "weight" has 'value tool_force 0 0 20'
check "its moment" has 'value tool_torque 0 -2 0'
check "a still base" has 'value base_accelerometer 0 0 10'
check "does not turn" has 'value base_gyro 0 0 0'

# -- everything that a scene can have
cat >full.lua <<'END'
return {
  timestep = 0.002, gravity = { 0, 0, -9.81 }, floor = { height = -0.5, surface = { friction = { 0.8, 0.01, 0.001 } } },
  objects = {
    { name = "desk", kind = "table", height = 0.4, size = { 1.2, 0.8 }, position = { 0.6, 0.9 }, yaw = 0.5, thickness = 0.02 },
    { name = "back", kind = "wall", position = { 1.2, 0 }, yaw = 3.1416, size = { 2, 1.5 }, thickness = 0.2 },
    { name = "rest", kind = "box", size = { 0.3, 0.2, 0.06 }, position = { 0, 0.8, 0.03 }, rpy = { 0, 0, 0.3 } },
    { name = "parcel", kind = "package", size = { 0.2, 0.15, 0.1 }, mass = 0.8, position = { 0.5, 0.8, 0.45 }, surface = { impedance = 0.5 } },
    { name = "marker", kind = "pen", radius = 0.006, length = 0.14, mass = 0.02, position = { 0, 0, 0.07 }, held_by = "tool_frame" },
  },
  robot = {
    position = { 0, 0, 0.2 }, rpy = { 0, 0, 1 }, posture = { joint_2 = 0.26 }, armature = { joint_1 = 0.7 }, damping = { joint_1 = 0.3 },
    friction = { joint_1 = 0.8 }, torque_constant = { joint_1 = 9 }, servo = { joint_1 = { 100, 10 } },
    force_torque = { "tool_frame", "bracelet_link" }, imu = "bracelet_link", self_contact = true, no_contact = { "bracelet_link" },
    shapes = {
      base_link = {},
      tool_frame = { { kind = "sphere", radius = 0.01, surface = { friction = 0.3 } }, { kind = "ellipsoid", size = { 0.1, 0.1, 0.2 } } },
      bracelet_link = { { kind = "capsule", radius = 0.03, length = 0.1 }, { kind = "cylinder", radius = 0.03, length = 0.1 }, { kind = "box", size = { 0.1, 0.1, 0.1 } } },
    },
  },
}
END
check "a full scene" model "$robots/gen3.urdf" --scene full.lua
check "rotor, damping, friction" has 'joint joint_1 3 0.7 0.3 0.8'
check "torque constant" has 'motor joint_1_current 9 39'
check "the wall" has 'geom back 6 0.1 1 0.75 1'
check "the pen is held" has 'site marker_site marker'
check "the pen's mass" has 'body marker 0.02'
check "a pen that is held is not free" lacks '^joint marker'
check "sensors as said" has 'sensor bracelet_link_torque'
check "floor of three frictions" has 'geom world 0 .* 0.8'
check "an ellipsoid" has 'geom tool_frame 4 0.05 0.05 0.1 .*'
check "drawn only" [ "$(grep -c 'contype="0" conaffinity="0"' model.xml)" -eq 3 ]
check "gains" grep -q '<numeric name="joint_1_servo" data="100 10"/>' model.xml

# -- a ball whose axes are not alike, which MuJoCo does not have
cat >ball.urdf <<'END'
<robot name="swivel"><link name="trunk"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
<joint name="hip" type="spherical"><parent link="trunk"/><child link="arm"/></joint></robot>
END
for word in 'armature' 'friction = { viscous' 'friction = { coulomb' 'motors = { hip_x = { inertia'; do
  case $word in
    armature) echo 'return { armature = { hip_x = 0.1 } }' ;;
    *motors*) echo 'return { motors = { hip_x = { inertia = 0.1 } } }' ;;
    *) echo "return { $word = { hip_x = 0.1, hip_y = 0.1 } } }" ;;
  esac >ball.lua
  "$achdgen" ball.urdf --layout ball.lua --mjcf ball.xml 2>err
  check "a ball with $word of one axis is told" grep -q 'ball.urdf:3: warning: joint "hip": its axes differ in their' err
done
echo 'return { armature = { hip_x = 0.1, hip_y = 0.1, hip_z = 0.1 }, friction = { viscous = { hip_x = 1, hip_y = 1, hip_z = 1 } } }' >ball.lua
"$achdgen" ball.urdf --layout ball.lua --mjcf ball.xml -Werror
check "a ball whose axes are alike" grep -q 'type="ball" armature="0.1[0-9]*" damping="1"' ball.xml

# -- scenes with mistakes: wrong LINE TEXT, of a scene on standard input
wrong() {
  cat >wrong.lua
  text="wrong.lua:$1: error: $2"
  check "$2" told "$robots/gen3.urdf" --scene wrong.lua
}
wrong 1 'unknown word "flor"' <<'END'
return { flor = true }
END
wrong 2 '"objects[1].kind" is "chair"' <<'END'
return { objects = {
  { name = "x", kind = "chair" } } }
END
wrong 3 '"base_link" is the name of a link of the robot' <<'END'
return { objects = {
  { kind = "box", size = { 1, 1, 1 }, position = { 0, 0, 0 },
    name = "base_link" } } }
END
wrong 1 '"joint_1" is the name of a joint of the robot' <<'END'
return { objects = { { name = "joint_1", kind = "package", mass = 1, size = { 1, 1, 1 }, position = { 0, 0, 0 } } } }
END
wrong 1 '"floor" is the name of the floor' <<'END'
return { floor = true, objects = { { name = "floor", kind = "box", size = { 1, 1, 1 }, position = { 0, 0, 0 } } } }
END
wrong 1 '"mass" is -1.0' <<'END'
return { objects = { { name = "p", kind = "package", mass = -1, size = { 1, 1, 1 }, position = { 0, 0, 0 } } } }
END
wrong 1 'unknown word "mass" in "objects[1]"' <<'END'
return { objects = { { name = "w", kind = "wall", mass = 1, size = { 1, 1 }, position = { 0, 0 } } } }
END
wrong 1 '"size" has 2 numbers, not 3' <<'END'
return { objects = { { name = "p", kind = "box", size = { 1, 1 }, position = { 0, 0, 0 } } } }
END
wrong 1 'the robot has no link "tool"' <<'END'
return { objects = { { name = "p", kind = "pen", mass = 1, radius = 0.01, length = 0.1, position = { 0, 0, 0 }, held_by = "tool" } } }
END
wrong 1 'the robot has no moving joint "joint_9"' <<'END'
return { robot = { posture = { joint_9 = 1 } } }
END
wrong 1 'joint "joint_2" at 3 is beyond its limits -2.24 to 2.24' <<'END'
return { robot = { posture = { joint_2 = 3 } } }
END
wrong 1 '"radius" is missing' <<'END'
return { robot = { shapes = { tool_frame = { { kind = "sphere" } } } } }
END
wrong 1 '"timestep" is not finite' <<'END'
return { timestep = 0 / 0 }
END
wrong 1 'the scene is not a table' <<'END'
return 3
END
wrong 1 '"os" of Lua is left out' <<'END'
return { floor = os.exit() }
END
echo 'return { locked = { joint_7 = 0 } }' >locked.lua
echo 'return { robot = { posture = { joint_7 = 1 } } }' >scene.lua
text='"posture" names joint "joint_7", which does not move in this layout'
check "$text" told "$robots/gen3.urdf" --layout locked.lua --scene scene.lua
text='--motors needs --mjcf'
check "$text" sh -c "! '$achdgen' '$robots/gen3.urdf' --motors 2>err && grep -q -e '$text' err"
text='--scene needs --mjcf or --capsules'
check "$text" sh -c "! '$achdgen' '$robots/gen3.urdf' --scene scene.lua 2>err && grep -q -e '$text' err"
for words in '--real float' '--functions fk' '--batch 4' '--mode split' '--formulation joint'; do
  text='is about generated functions, and --mjcf generates none'
  # shellcheck disable=SC2086 # two words
  check "$words" told "$robots/gen3.urdf" $words
done
finish
