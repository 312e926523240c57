#!/bin/sh
# SPDX-License-Identifier: MIT
# first_layout.sh ACHDGEN SOURCE_DIR: what achdgen --init prints runs: as it is for robots of robots/, and with each
# word that stands there as a comment in use, one at a time (of both a sample, in_sample). What it says of one robot is first_layout.expected to the
# letter. Inertials and joint limits of a layout do what the same numbers in the URDF do.
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch" || exit 2

# runs ARGUMENTS...: succeeds, and writes a header.
runs() { "$achdgen" "$@" --no-prove -o "$scratch/out.h" && [ -s "$scratch/out.h" ]; }

# words FILE: how many words stand there as comments.
words() { grep -c '^  -- [a-z_]* = ' "$1"; }

# use N FILE: the file with its Nth such word in use, the deeper indented lines below it too; a word that is in use
# already gives way.
use() {
  awk -v n="$1" '
    NR == FNR { if (/^  -- [a-z_]* = /) { if (++seen == n) { split($0, part, " "); word = part[2] } } next }
    /^  -- [a-z_]* = / { on = ++count == n }
    on && /^  -- / && !/^  -- [a-z_]* = / && !/^  --  / { on = 0 }
    !/^  --/ { on = 0 }
    on { sub(/^  -- /, "  ") }
    !on && $0 ~ "^  " word " = " { if ($0 !~ /},? *(--.*)?$/ || /^  [a-z_]* = {$/) skip = 1; next }
    skip { if (/^  }/) skip = 0; next }
    { print }' "$2" "$2"
}

robots=0 tried=0 words=0
for robot in "$top"/robots/*.urdf; do
  name=$(basename "$robot" .urdf)
  "$achdgen" "$robot" --init >"$name.lua" 2>"$name.err" || true
  check "$name: --init" [ -s "$name.lua" ]
  whole='' # a solve of the humanoid takes seconds, and its layout is read all the same
  [ "$name" != humanoid ] || [ "${ACHD_SAMPLE-}" = all ] || whole='--functions fk,gravity'
  # shellcheck disable=SC2086 # words
  sampled 3 "$name: what it prints runs" runs "$robot" --layout "$name.lua" $whole
  robots=$((robots + 1))
  case $name in arm1dof | gen3 | panda | quadruped | table41_base | youbot) ;; *) continue ;; esac
  count=$(words "$name.lua")
  check "$name has words to use" [ "$count" -ge 15 ]
  k=0
  while [ $k -lt "$count" ]; do
    k=$((k + 1))
    words=$((words + 1))
    in_sample "$top" 20 || continue
    use $k "$name.lua" >"$name.used.lua"
    check "$name: word $k changes it" [ "$(diff "$name.lua" "$name.used.lua" | wc -l)" -gt 0 ]
    check "$name: $(diff "$name.lua" "$name.used.lua" | sed -n 's/^> *//p' | head -n 1)" runs "$robot" --layout "$name.used.lua"
    tried=$((tried + 1))
  done
done
check "all robots of robots/ were tried" [ $robots -ge 12 ]
check "there are a hundred words" [ $words -ge 100 ]
echo "$tried of $words words tried"

# Every word of layouts is in what it prints of some robot.
"$achdgen" "$top/tests/program/oddities/legs_floating.urdf" --init >legs_floating.lua
cat >loop.xml <<'END'
<mujoco><worldbody><body name="crank"><joint axis="0 1 0"/><geom size="0.1"/><body name="rod" pos="0 0 0.2"><joint axis="0 1 0"/>
<geom size="0.1"/></body></body><body name="rocker" pos="0.5 0 0"><joint axis="0 1 0"/><geom size="0.1"/></body></worldbody>
<equality><connect body1="rod" body2="rocker" anchor="0.5 0 0.1"/></equality></mujoco>
END
"$achdgen" loop.xml --init >loop.lua
sed -n '/^local words = {$/,/^}$/p' "$top/generator/lua/layout/layout.lua" | grep -o '"[a-z_]*"' | tr -d '"' | grep -vx linkages >words
# Which joints of a loop are independent, it cannot know: it tells of the word.
check "--init of a closed loop tells of linkages" grep -q '^  -- (.* linkages can have the loops' loop.lua
check "layouts have words" [ "$(wc -l <words)" -ge 22 ]
while read -r word; do
  check "--init tells of $word" grep -q "^  \(-- \)*$word = " ./*.lua
done <words

"$achdgen" "$top/tests/program/oddities/arm_gripper.urdf" --init >arm_gripper.lua
check "the text" diff "$top/tests/program/first_layout.expected" arm_gripper.lua

# -- inertials and joint limits of a layout
robot() { # INERTIAL LIMIT: of the last link and joint
  cat <<END
<robot name="r">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 0.1"/><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
  <link name="lower">$1</link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit $2/></joint>
</robot>
END
}
robot '<inertial><origin xyz="0.01 0 0.2"/><mass value="2"/><inertia ixx="0.03" ixy="0.001" ixz="0" iyy="0.04" iyz="0" izz="0.02"/></inertial>' \
  'lower="-2" upper="0.5" effort="7" velocity="3"' >meant.urdf
robot '' 'lower="0" upper="0" effort="0" velocity="0"' >empty.urdf
robot '<inertial><origin xyz="0.01 0 0.2"/><mass value="-1"/><inertia ixx="0.03" ixy="0.001" ixz="0" iyy="0.04" iyz="0" izz="0.02"/></inertial>' \
  'lower="-2" upper="0.5" effort="7" velocity="3"' >negative.urdf
cat >whole.lua <<'END'
return {
  name = "r",
  inertials = { lower = { mass = 2, com = { 0.01, 0, 0.2 }, inertia = { xx = 0.03, xy = 0.001, yy = 0.04, zz = 0.02 } } },
  joint_limits = { elbow = { lower = -2, upper = 0.5, effort = 7, velocity = 3 } },
  limits = { margin = 0.1 },
}
END
sed 's/inertia = {.*} } }/inertia = { 0.03, 0.001, 0, 0.04, 0, 0.02 } } }/' whole.lua >list.lua
sed 's/mass = 2, .*/mass = 2 } },/; /joint_limits/d' whole.lua >mass.lua
sed '/inertials/d; /joint_limits/d' whole.lua >none.lua
# body URDF LAYOUT: the statements of the header, without names of files.
body() {
  "$achdgen" "$1" --layout "$2" --functions mclp,fd,energy -o made.h 2>/dev/null
  grep -v '^ \*\|^/\*' made.h | sed 's/ *\/\* *[0-9]* *\*\/$//'
}
body meant.urdf none.lua >wanted
check "there is a body" [ "$(wc -l <wanted)" -gt 100 ]
body empty.urdf whole.lua >got
check "inertials and limits of a layout, parts by name" cmp wanted got
sed 's/ xx = / ixx = /; s/ xy = / ixy = /; s/ yy = / iyy = /; s/ zz = / izz = /' whole.lua >named.lua
body empty.urdf named.lua >got
check "parts by the URDF's names" cmp wanted got
body empty.urdf list.lua >got
check "six numbers in the URDF's order" cmp wanted got
body negative.urdf mass.lua >got
check "what is not named stays the URDF's" cmp wanted got
sed '/^  limits/d' whole.lua >unbounded.lua
check "and it passes the check" "$achdgen" empty.urdf --layout unbounded.lua --check 10
"$achdgen" empty.urdf --layout whole.lua --inspect >inspected 2>/dev/null
check "--inspect shows the mass" grep -q 'lower  *mass 2 kg, centre at 0.01 0 0.2 m' inspected
check "--inspect shows the limits" grep -q 'elbow .*lower -2 rad  upper 0.5 rad  velocity 3 rad/s  effort 7 N m' inspected
cat >away.lua <<'END'
return { joint_limits = { elbow = { lower = false, upper = false, effort = false } } }
END
"$achdgen" meant.urdf --layout away.lua --inspect >inspected 2>/dev/null
check "false takes a limit away" grep -q 'elbow .*axis 0 1 0  velocity 3 rad/s$' inspected

# realise = "optimum" without groups: those at the ends of the limbs, of priority 1
echo 'return { realise = "optimum" }' >none.lua
echo 'return { realise = "optimum", groups = { { name = "tool", frame = "tool_frame", maskable = true } } }' >tool.lua
for layout in none tool; do
  "$achdgen" "$top/robots/gen3.urdf" --layout $layout.lua --no-prove -q -o $layout.h
  grep -v '^ \*\|^/\*\|"' $layout.h >$layout.body || true
done
check "an optimum without groups" cmp none.body tool.body
check "... is a solve" grep -q 'gen3_status gen3_qp(' none.body
# What joints can produce: arms of Z, then Y joints (yaw, pitches), all with an inertia; the rows of the default and of --init; b is asked in
# some states. A layout that names six rows of four joints gets six, where --check compares what damping makes of them.
arm() { # AXES: one joint each
  echo '<robot name="arm"><link name="l0"/>'
  k=0
  for axis; do
    k=$((k + 1))
    [ "$axis" = z ] && axis="0 0 1" || axis="0 1 0"
    echo "<link name=\"l$k\"><inertial><origin xyz=\"0.1 0.02 0.05\"/><mass value=\"1\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial></link>"
    echo "<joint name=\"j$k\" type=\"continuous\"><parent link=\"l$((k - 1))\"/><child link=\"l$k\"/><origin xyz=\"0.2 0.01 0.1\"/><axis xyz=\"$axis\"/></joint>"
  done
  echo "<link name=\"tip\"/><joint name=\"end\" type=\"fixed\"><parent link=\"l$k\"/><child link=\"tip\"/><origin xyz=\"0.3 0.05 0.1\"/></joint></robot>"
}
gives() { # ROWS AXES...
  wanted=$1
  shift
  arm "$@" >arm.urdf
  rows=$("$achdgen" arm.urdf -q --columns | sed -n 's/^in b\.tool\.\([a-z_]*\) .*/\1/p' | tr '\n' ' ')
  [ "$rows" = "$wanted " ] || { echo "rows $rows"; return 1; }
  "$achdgen" arm.urdf --init >arm.lua && [ "$("$achdgen" arm.urdf --layout arm.lua -q --columns | grep '^in b')" = "$("$achdgen" arm.urdf -q --columns | grep '^in b')" ] &&
    "$achdgen" arm.urdf -q --check 20
}
check "one joint" gives "lin_x" z
check "a planar leg" gives "lin_x lin_z ang_y" y y y
arm z z z | sed 's|xyz="0.2 0.01 0.1"/><axis|xyz="0.2 0.01 0.1" rpy="1.57 0 0"/><axis|; s|name="tip"|&|' >leg.urdf # in a row: only the first turns the plane
sed '0,/rpy="1.57 0 0"/!s/ rpy="1.57 0 0"//' leg.urdf >arm.urdf
check "a planar leg whose angle has two decimals" [ "$("$achdgen" arm.urdf -q --columns | sed -n 's/^in b\.tool\.//p' | cut -d ' ' -f 1 | tr '\n' ' ')" = "lin_x lin_z ang_y " ]
arm y y y y | sed 's|/><axis| rpy="3.14 0 0"/><axis|; s|xyz="0.2 0.01 0.1"|xyz="0.2 0.01 1.3"|' >arm.urdf
check "long links, angles of 3.14" [ "$("$achdgen" arm.urdf -q --columns | sed -n 's/^in b\.tool\.//p' | cut -d ' ' -f 1 | tr '\n' ' ')" = "lin_x lin_z ang_y " ]
echo 'return { groups = { { name = "tool", frame = "tip", rows = { "lin_x", "lin_y", "lin_z" } } } }' >three.lua
"$achdgen" arm.urdf --layout three.lua --inspect 2>said >out
check "--inspect warns of the row that only these reach" sh -c "grep -q 'row \"lin_y\" of group \"tool\": .* which decimals of angles leave' said && ! grep -q 'row \"lin_[xz]\"' said"
check "four joints" gives "lin_x lin_y lin_z ang_x" z y y y
check "it says which" sh -c "'$achdgen' arm.urdf --columns 2>&1 | grep -q 'warning: .* than lin_x, lin_y, lin_z, ang_x;'"
check "six joints" gives "lin_x lin_y lin_z ang_x ang_y ang_z" z y y z y z
check "of these nothing is said" sh -c "! '$achdgen' arm.urdf --columns 2>&1 | grep -q warning"
arm z y y y >arm.urdf
echo 'return { groups = { { name = "tool", frame = "tip", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } } }' >six.lua
check "six that are named" [ "$("$achdgen" arm.urdf --layout six.lua --columns | grep -c '^in b')" -eq 6 ]
check "--check compares what damping makes of them, as b is asked in no state" sh -c "'$achdgen' arm.urdf --layout six.lua --check 20 >said 2>&1 && grep -q 'nu where a policy acts, by definition  *[12][0-9] ' said"

echo '<mujoco><worldbody><body name="a">JOINT<inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/><body><joint name="hip" type="ball"/>
<inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody></mujoco>' >ball
sed 's/JOINT//' ball >ball.xml
check "axes of a ball joint cannot be locked" sh -c "'$achdgen' ball.xml --init >ball.lua && grep -q hip_z ball.lua && ! grep -q locked ball.lua"
sed 's|JOINT|<joint name="knee" axis="0 1 0"/>|' ball >ball.xml
"$achdgen" ball.xml --init | sed 's/-- locked/locked/' >ball.lua
check "another joint can" sh -c "grep -q 'locked = { knee = 0 }' ball.lua && '$achdgen' ball.xml --layout ball.lua -q --columns >said"

finish
