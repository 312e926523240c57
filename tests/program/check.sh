#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/check.sh ACHDGEN SOURCE_DIR: --check: every robot that ships passes, in double and float, with all functions;
# the command line (a sample: of the robots every twelfth, of moving bases every thirteenth, of odd robots every eighth, of other words every fifth). That faults are found is check_test.c's. On 12 states of each robot that ships, 16 of other words;
# ACHD_SWEEP=1: on 100 and on 300. (A mistake shows in nearly every state; which states are drawn does not depend on how many.)
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
states=12 more=16
[ "${ACHD_SWEEP:-}" != 1 ] || states=100 more=300

functions=achd,$(family "$top")
for layout in "$top"/robots/*.lua; do
  urdf=${layout%.lua}.urdf
  [ -e "$urdf" ] || continue
  in_sample "$top" 12 || continue
  for real in double float; do
    check "$(basename "$urdf"), $real" "$achdgen" "$urdf" --layout "$layout" --real "$real" --check $states \
      --functions "$functions"
    [ $real = double ] || continue
    cp "$scratch/.said" report
    case $layout in
      */arm1dof.lua | */drone.lua | */youbot_base.lua) ;; # one row, or rows of one body: never singular
      *) check "$(basename "$urdf"): states on both sides of the threshold" grep -q '^  in [1-9][0-9]*, and in [1-9][0-9]* every pivot is above' report ;;
    esac
  done
  formulations="recursion joint"
  ! grep -q "<mimic" "$urdf" || formulations=joint # the only one for these
  for formulation in $formulations; do
    sampled 5 "$(basename "$urdf"), $formulation" "$achdgen" "$urdf" --layout "$layout" --formulation "$formulation" --check $states
  done
done
# a joint of 1e-9 kg m^2 on a trunk of 20 kg: what forces cause there is 10^9 times what is left of it elsewhere
body() { echo "<link name='$1'><inertial><origin xyz='$2'/><mass value='$3'/><inertia ixx='$4' ixy='0' ixz='0' iyy='$4' iyz='0' izz='$4'/></inertial></link>"; }
turn() { echo "<joint name='$1' type='revolute'><parent link='$2'/><child link='$3'/><origin xyz='$4'/><axis xyz='$5'/><limit lower='-1' upper='1' effort='10' velocity='3'/></joint>"; }
{
  echo "<robot name='light'>"
  body trunk "0 0.01 0.1" 20 0.3
  body head "0.01 0 0.05" 1.5 0.004
  body eye "0 0 0" 1e-4 1e-9
  turn neck trunk head "0 0 0.4" "0 1 0"
  turn pan head eye "0.05 0.03 0.1" "0 0 1"
  echo "</robot>"
} >light.urdf
echo 'return { base = "floating" }' >floating.lua
for real in double float; do
  sampled 5 "a joint that is all but massless, $real" "$achdgen" light.urdf --layout floating.lua --real $real --functions dfd,dachd --check 25
done
feet_of_both_kinds() {
  "$achdgen" "$top/robots/quadruped.urdf" --layout "$top/robots/motors/quadruped.lua" --real float --check 20 >feet && grep -q 'contacts hold: digits of nu  *1[0-9] ' feet
}
sampled 5 "motors in float: digits are judged on feet that stand and swing" feet_of_both_kinds
# masks, directions and axes that no function of these has as an input: an optimum's rows, without qp
cat >unasked.lua <<'END'
return {
  realise = "optimum",
  groups = {
    { name = "g", frame = "tool_frame", rows = { "lin_x" }, kind = "physical", maskable = true },
    { name = "h", frame = "forearm_link", rows = 2 },
    { name = "i", frame = "bracelet_link", rows = { "lin_y" }, axes = "input" },
  },
}
END
sampled 5 "rows of an optimum without its solve" "$achdgen" "$top/robots/gen3.urdf" --layout unasked.lua --functions gravity --check 2
sampled 5 "directions and axes of an optimum that are inputs" "$achdgen" "$top/robots/gen3.urdf" --layout unasked.lua --functions qp --check 2
# a ball whose axes have different rotors, one of which another joint turns, too
{
  echo "<robot name='swivel'>"
  body trunk "0 0.01 0.1" 2 0.03
  body arm "0.02 0.01 0.1" 1.5 0.004
  body hand "0.01 0 0.05" 0.4 0.001
  echo "<joint name='hip' type='spherical'><parent link='trunk'/><child link='arm'/><origin xyz='0 0 0.2'/></joint>"
  turn wrist arm hand "0 0 0.3" "0 1 0"
  echo "</robot>"
} >swivel.urdf
for rotors in 'armature = { hip_x = 0.1 }' 'armature = "input"' \
  'motors = { a = { inertia = 2e-4 } }, transmissions = { { motors = { "a", "b" }, joints = { "hip_x", "wrist" }, matrix = { { 20, 5 }, { 0, 9 } } } }'; do
  echo "return { base = 'floating', $rotors }" >swivel.lua
  sampled 5 "rotors at a ball: $rotors" "$achdgen" swivel.urdf --layout swivel.lua --functions id,bias,momentum,coriolis --check 10
done
for low in 1e-9 1e-14; do # the last is below what doubles know of pivots
  echo "return { singular_threshold = $low, groups = { { name = 'tool', frame = 'tool_frame' } } }" >low.lua
  "$achdgen" "$top/robots/gen3.urdf" --layout low.lua --check 2 >low
  case $low in 1e-14) said='numbers do not know' ;; *) said='in 12, and in 24 every pivot is above' ;; esac
  check "a threshold of $low is judged, or it is said that it is not" grep -q "$said" low
done
sampled 5 "numbers as written" "$achdgen" "$top/robots/gen3.urdf" --check $more --snap 0
sampled 5 "no layout" "$achdgen" "$top/robots/gen3.urdf" --check $more
bound_is_judged() {
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/rounding/gen3.lua" --check 10 >bounded && cat bounded &&
    grep -q 'bound: at least the error in long double  *10 ' bounded &&
    grep -q 'bound: at least an error put into nu and qdd  *10 ' bounded &&
    grep -q 'bound: no larger than what rounding does  *10 ' bounded
}
check "a bound is judged in long double, by rows that are not met, too, and is not senselessly large" bound_is_judged

# -- words of layouts that the shipped ones do not have
cat >joints.lua <<'END'
return {
  friction = { viscous = { joint_1 = 2, joint_4 = 0.7 } },
  payload = {
    { name = "box", frame = "tool_frame", mass = "input", com = { 0, 0.02, 0.1 }, inertia = "input" },
    { name = "battery", frame = "forearm_link", mass = 0.4, inertia = { 0.001, 0.001, 0.002 } },
  },
  passive = { "joint_6" }, torques = { artificial = true },
  wrenches = { { name = "press", frame = "tool_frame", kind = "artificial" } },
  groups = {
    { name = "elbow", joint = "joint_4", maskable = true },
    { name = "wrist", joints = { "joint_7", "joint_5" }, kind = "physical" },
    { name = "shoulder", joint = "joint_2", over = "yields" },
    { name = "tool", frame = "tool_frame", axes = "link", rows = { "lin_x", "lin_z" }, acceleration = "rate" },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "residual", "pivot", "tau_friction", contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
for real in double float; do
  sampled 5 "rows on joints, payloads, viscous friction, $real" "$achdgen" "$top/robots/gen3.urdf" --layout joints.lua \
    --real "$real" --check $more --functions "$functions"
done
for base in planar floating; do
  printf 'return { base = "%s", payload = { frame = "base", mass = "input" }, groups = {} }\n' $base >body.lua
  printf '<robot name="body"><link name="base"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0.01" iyy="0.2" iyz="0" izz="0.3"/></inertial></link></robot>\n' >body.urdf
  sampled 5 "a single body, $base" "$achdgen" body.urdf --layout body.lua --check $more --functions "$functions"
done
cat >words.lua <<'END'
return {
  armature = "input", inertia_inputs = { "bracelet_link", "forearm_link" }, passive = { "joint_7" },
  locked = { joint_3 = 0.4 }, gravity = { 0.1, 0.2, -9.7 }, torques = { physical = true },
  saturate = true, effort = { joint_2 = 12 }, singularity = "drop",
  groups = {
    { name = "spatial", frame = "tool_frame", axes = "link", rows = { "lin_x", "ang_z" }, acceleration = "spatial" },
    { name = "free", frame = "forearm_link", rows = 2, kind = "physical", maskable = true },
    { name = "turned", frame = "bracelet_link", axes = "input", rows = { "lin_y" }, acceleration = "spatial", maskable = true },
  },
  wrenches = {
    { name = "hold", frame = "bracelet_link", kind = "artificial" },
    { name = "push", frame = "half_arm_2_link", kind = "physical" },
    { name = "stand", frame = "base_link", kind = "physical" },
  },
  outputs = { "tau_ctrl", "residual", "pivot", "tau_total", "tau_apparent", acc = { "tool_frame" },
    twist = { "tool_frame" }, pose = { "base_link", "tool_frame" } },
}
END
sampled 5 "many words" "$achdgen" "$top/robots/gen3.urdf" --layout words.lua --check $more
sed 's/saturate = true/saturate = false/; s/"drop"/"damp"/' words.lua >unsaturated.lua
sampled 5 "many words, not saturated" "$achdgen" "$top/robots/gen3.urdf" --layout unsaturated.lua --check $more
echo 'return { groups = {}, outputs = { pose = { "tool_frame" } } }' >poses.lua
cat >in_time.lua <<'END'
return {
  realise = "optimum",
  limits = { velocity = "urdf", acceleration = { joint_1 = 6, joint_2 = 5, joint_4 = 8 }, period = 1e-3 },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" } } },
}
END
for real in double float; do
  sampled 5 "an optimum with joints that stop in time, $real" "$achdgen" "$top/robots/gen3.urdf" --layout in_time.lua --real $real --check 6
done
sampled 5 "no rows, no qdd" "$achdgen" "$top/robots/gen3.urdf" --layout poses.lua --check 5
sampled 5 "only kinematics" "$achdgen" "$top/robots/gen3.urdf" --functions fk,jac --check 5

# -- moving bases, ties, rows that yield, contributions
# moving ROBOT: takes the layout from standard input
moving() {
  cat >moving.lua
  in_sample "$top" 13 || return 0
  for real in double float; do
    in_sample "$top" 2 || continue # one of the two
    check "$1, $real" "$achdgen" "$top/robots/$1.urdf" --layout moving.lua --real "$real" --check $more --functions "$functions"
  done
}
feet() {
  for leg in fl fr rl rr; do
    echo "{ name = '$leg', frame = '${leg}_foot', rows = { 'lin_x', 'lin_y', 'lin_z' }, kind = 'physical', maskable = true },"
  done
}
for orientation in quaternion matrix; do
  moving quadruped <<END
return {
  base = "floating", orientation = "$orientation", torques = { physical = true, artificial = true },
  groups = { $(feet)
    { name = "body", frame = "trunk", rows = { "lin_z", "ang_x" }, axes = "link", acceleration = "spatial", over = "yields" } },
  wrenches = {
    { name = "push", frame = "trunk", kind = "physical" },
    { name = "lift", frame = "fl_foot", kind = "artificial" },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", "residual", acc = { "rr_foot" }, contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
done
# -- soft rows, and set-points shortened to what the motors can give
cat >soft.lua <<'END'
return {
  saturate = "scale", effort = { joint_1 = 40, joint_2 = 60 }, torques = { artificial = true },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, compliance = { lin_z = 0.3 }, over = "yields" },
    { name = "elbow", joint = "joint_4", compliance = "input", maskable = true },
    { name = "wall", frame = "forearm_link", rows = { "lin_x" }, kind = "physical", compliance = 0.02 },
  },
  wrenches = { { name = "press", frame = "tool_frame", kind = "artificial" } },
  outputs = { "qdd", "nu", "tau_ctrl", "residual", "scale", contributions = { "qdd", "nu" } },
}
END
for real in double float; do
  sampled 5 "soft rows, scaled, $real" "$achdgen" "$top/robots/gen3.urdf" --layout soft.lua --real "$real" --check $more
done
"$achdgen" "$top/robots/gen3.urdf" --layout soft.lua --prove >proved
check "they are proven, the scale too" grep -q ', of them 0 outside, .* 0 not identical' proved
check "the scale is among them" grep -q '^  scale  *identical at \([0-9]*\) of \1 points' proved
refused() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  ! "$achdgen" "$@" -o refused.h 2>err || return 1
  [ ! -e refused.h ] && grep -q -e "$pattern" err
}
check "no derivatives of scaled torques" refused 'remedy: leave dachd out, or write saturate = "clamp"' \
  "$top/robots/gen3.urdf" --layout soft.lua --functions dachd
cat >derived.lua <<'END'
return {
  groups = {
    { name = "tool", frame = "tool_frame", compliance = { lin_y = 0.3, ang_x = 2 } },
    { name = "elbow", frame = "forearm_link", rows = { "lin_x" }, axes = "link", compliance = 0.5 },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "dqdd_dq", "dqdd_dqd", "dqdd_db", "dnu_dq", "dnu_db", "dtau_ctrl_dq" },
}
END
sampled 5 "derivatives of soft rows" "$achdgen" "$top/robots/gen3.urdf" --layout derived.lua --check $more --functions achd,dachd
cat >bounded.lua <<'END'
return {
  base = "floating",
  groups = {
    { name = "fl", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6 }, compliance = { lin_z = 0.2 } },
    { name = "fr", frame = "fr_foot", contact = { normal = "lin_z", friction = 0.6 }, compliance = "input" },
    { name = "trunk", frame = "trunk", rows = { "lin_z", "ang_x" }, compliance = 0.01, bounds = { lin_z = { -10, 10 } } },
  },
  limits = { joints = { "fl_calf_joint" } },
  outputs = { "qdd", "nu", "tau_ctrl", "residual" },
}
END
sampled 5 "soft rows with bounds" "$achdgen" "$top/robots/quadruped.urdf" --layout bounded.lua --check $more --functions mclp
"$achdgen" "$top/robots/quadruped.urdf" --layout bounded.lua --prove >proved
check "nothing differs" grep -q ' 0 not identical' proved
# -- rows that motors and contacts alone realise
for layout in "$top"/robots/motors/*.lua; do
  robot=$(basename "$layout" .lua)
  moving "$robot" <"$layout"
  in_sample "$top" 2 || continue
  "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --prove -q >proved
  check "$robot, by motors: nothing differs" grep -q '^6 outputs, of them 0 outside, .* 0 not identical' proved
done
# at most one and a half times the operations without the word, by the same formulation
operations() { # LAYOUT FORMULATION
  "$achdgen" "$top/robots/quadruped.urdf" --layout "$1" --formulation "$2" --no-prove -o - |
    sed -n 's/^ \* cost    achd [^:]*: \([0-9]*\) add, \([0-9]*\) mul, \([0-9]*\) div.*/\1 \2 \3/p' | awk '{ print $1 + $2 + $3 }'
}
sed 's/realise = "motors"/realise = "anything"/' "$top/robots/motors/quadruped.lua" >anything.lua
for most in joint:13500 recursion:14100; do
  in_sample "$top" 2 || continue
  formulation=${most%:*}
  motors=$(operations "$top/robots/motors/quadruped.lua" "$formulation") anything=$(operations anything.lua "$formulation")
  check "quadruped, $formulation: $motors operations by motors, $anything by anything" [ $((2 * motors)) -le $((3 * anything)) ]
  check "$formulation: at most ${most#*:}" [ "$motors" -le "${most#*:}" ] # 1.5 x 9566 is 14349
done
# with a motor at every freedom the word changes nothing, with contacts as without
for word in motors anything; do
  wall="{ name = 'wall', frame = 'forearm_link', rows = { 'lin_x' }, kind = 'physical', maskable = true }"
  echo "return { realise = '$word', torques = { artificial = true }, groups = { { name = 'tool', frame = 'tool_frame' }, $wall } }" >every.lua
  for formulation in joint recursion; do
    "$achdgen" "$top/robots/gen3.urdf" --layout every.lua --formulation "$formulation" --no-prove -o - | grep -v '^ \* input'
  done >every_$word
done
check "there is code" [ "$(wc -l <every_motors)" -gt 1000 ]
check "a motor at every joint: the same code" cmp every_motors every_anything
for passive in '' '"fl_calf_joint"'; do
  moving quadruped <<END
return {
  base = "floating", realise = "motors", torques = { physical = true, artificial = true }, passive = { $passive },
  groups = { $(feet)
    { name = "body", frame = "trunk", rows = { "lin_z", "ang_x" }, axes = "link", acceleration = "spatial", over = "yields" } },
  wrenches = {
    { name = "push", frame = "trunk", kind = "physical" },
    { name = "lift", frame = "fl_foot", kind = "artificial" },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", "residual", acc = { "rr_foot" }, contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
done
moving youbot <<'END'
return {
  base = "planar", torques = { physical = true }, saturate = true, armature = "input", realise = "motors", singularity = "drop",
  passive = { "caster_joint_fl", "caster_joint_fr", "caster_joint_bl", "caster_joint_br" },
  groups = {
    { name = "tool", frame = "gripper_palm_link", rows = { "lin_x", "ang_z" }, maskable = true },
    { name = "fl", frame = "wheel_link_fl", axes = "link", rows = { "lin_y" }, kind = "physical" },
    { name = "br", frame = "wheel_link_br", axes = "link", rows = { "lin_y" }, kind = "physical" },
  },
}
END
moving gen3 <<'END'
return {
  realise = "motors", passive = { "joint_4" }, singularity = "truncate", inertia_inputs = { "bracelet_link" },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" } },
    { name = "free", frame = "forearm_link", rows = 2, kind = "physical", maskable = true },
  },
}
END
moving table41_base <<'END'
return {
  base = "planar",
  groups = {
    { name = "fl", frame = "contact_fl", axes = "link", rows = { "lin_y" }, kind = "physical" },
    { name = "fr", frame = "contact_fr", axes = "link", rows = { "lin_y" }, kind = "physical" },
    { name = "go", frame = "base_link", rows = { "lin_x" } },
  },
}
END
moving youbot <<'END'
return {
  base = "planar", torques = { physical = true }, saturate = true, armature = "input",
  passive = { "caster_joint_fl", "caster_joint_fr", "caster_joint_bl", "caster_joint_br" },
  groups = {
    { name = "tool", frame = "gripper_palm_link", maskable = true },
    { name = "fl", frame = "wheel_link_fl", axes = "link", rows = { "lin_y" }, kind = "physical" },
    { name = "br", frame = "wheel_link_br", axes = "link", rows = { "lin_y" }, kind = "physical" },
  },
  wrenches = {
    { name = "carry", frame = "plate_link", kind = "physical" },
    { name = "press", frame = "gripper_palm_link", kind = "artificial" },
  },
}
END
moving four_bar <<'END'
return {
  passive = { "coupler_joint", "rocker_joint" },
  groups = {
    { name = "pin", frame = "coupler_pin", to = "rocker_pin", rows = { "lin_x", "lin_z" } },
    { name = "crank", frame = "crank", rows = { "ang_y" } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "residual", contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
moving two_arms <<'END'
return {
  base = "floating",
  wrenches = { { name = "squeeze", frame = "left_hand", kind = "artificial" } },
  groups = {
    { name = "carried", frame = "left_hand", to = "right_hand", maskable = true },
    { name = "ground", frame = "pedestal", to = "right_link_4", rows = { "lin_z" }, kind = "artificial" },
    { name = "left", frame = "left_hand", over = "yields", rows = { "lin_x", "lin_y", "lin_z", "ang_z" } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "residual", contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
moving gripper <<'END'
return {
  passive = { "left_finger_joint", "left_link_joint", "right_finger_joint", "right_link_joint" },
  groups = {
    { name = "left", frame = "left_finger_pin", to = "left_link_pin", rows = { "lin_y", "lin_z" } },
    { name = "right", frame = "right_finger_pin", to = "right_link_pin", rows = { "lin_y", "lin_z" } },
    { name = "close", frame = "left_finger", rows = { "lin_y" } },
  },
}
END

# -- robots that are no reason to accuse anybody: limits that are none, numbers that are 0 by symmetry, all sizes
# arm FILE ORIGIN AXIS COM MASS INERTIA LIMITS [TYPE]: three such joints in a row
arm() {
  awk -v origin="$2" -v axis="$3" -v com="$4" -v m="$5" -v i="$6" -v limits="$7" -v type="${8:-revolute}" 'BEGIN {
    print "<robot name=\"r\"><link name=\"l0\"/>"
    for (k = 1; k <= 3; k++)
      print "<link name=\"l" k "\"><inertial><mass value=\"" m "\"/><origin xyz=\"" com "\"/><inertia ixx=\"" i \
        "\" ixy=\"0\" ixz=\"0\" iyy=\"" i "\" iyz=\"0\" izz=\"" i "\"/></inertial></link><joint name=\"j" k "\" type=\"" type \
        "\"><parent link=\"l" k - 1 "\"/><child link=\"l" k "\"/><origin xyz=\"" origin "\" rpy=\"" (k - 1) * 0.3 " 0.2 0\"/>" \
        "<axis xyz=\"" (k == 2 && axis == "turned" ? "0 1 0" : axis == "turned" ? "0 0 1" : axis) "\"/><limit " limits "/></joint>"
    print "</robot>" }' >"$1"
}
limits='lower="-2" upper="2" effort="30" velocity="3"'
cat >still.lua <<'END'
return { gravity = { 0, 0, 0 }, groups = { { name = "t", frame = "l3", rows = { "lin_x", "ang_z" } } },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_total", "residual", "pivot", contributions = { "qdd", "nu", "tau_ctrl" } } }
END
sound() { # WHAT, for the robot made.urdf (a sample: every eighth)
  in_sample "$top" 8 || return 0
  for real in double float; do
    check "$1, $real" "$achdgen" made.urdf --real "$real" --check 10 --functions "$functions"
  done
}
sound_and_still() {
  sound "$1"
  in_sample "$top" 8 || return 0
  for real in double float; do
    check "$1, $real, without gravity" "$achdgen" made.urdf --layout still.lua --real "$real" --check 10 --functions "$functions"
  done
}
for wide in 1e3 1e5 1e16 1e300; do
  arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1 0.02 "lower=\"-$wide\" upper=\"$wide\" effort=\"30\" velocity=\"3\""
  sound "limits of $wide rad"
done
for far in 1e4 1e16; do
  for type in revolute prismatic; do
    arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1 0.02 "lower=\"$far\" upper=\"$far\" effort=\"1e-300\" velocity=\"1e-30\"" $type
    sound "limits at $far, $type"
  done
done
arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1 0.02 'lower="-1e3" upper="1e3" effort="30" velocity="3"'
check "wide limits are told" sh -c "'$achdgen' made.urdf --check 2 | grep -q '^  The limits of 3 joints are wide: positions are drawn within 100 rad, 10 m.$'"
skew="0.3 0.7 0.64807407"
arm made.urdf "0 0 0" "$skew" "0.03 0.07 0.064807407" 1 0.02 "$limits"
sound_and_still "centres of mass on a skew axis"
arm made.urdf "0 0 0" turned "0 0 0" 1 0.02 "$limits"
sound_and_still "centres of mass where the axes meet"
arm made.urdf "0.1 0 0" "0 0 1" "0.1 0 0" 1 0.02 "$limits" prismatic
sound_and_still "sliding joints alone"
for size in 1e-6 1e3 1e6; do
  arm made.urdf "$size 0 $size" turned "$size 0 0" 1 "${size}" "$limits"
  [ $size != 1e-6 ] || arm made.urdf "$size 0 $size" turned "$size 0 0" 1 1e-12 "$limits"
  sound "lengths of $size m"
done
arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1e12 1e12 "$limits"
sound "masses of 1e12 kg"
# Where float has too few digits, or too small a range, close to singular configurations: --check passes, or finds fault with nothing but
# what is compared there, and names the remedy. Everywhere else, and in double, it passes.
sound_but_near_singular() { # WHAT, for the robot made.urdf
  in_sample "$top" 8 || return 0
  check "$1, double" "$achdgen" made.urdf --check 10 --functions "$functions"
  check "$1, float" passes_or_tells
}
passes_or_tells() {
  ! "$achdgen" made.urdf --real float --check 10 --functions "$functions" >out 2>err || return 0
  cat out err
  grep -q 'the same program in double passes' err && grep -q 'remedy: use --real double' err &&
    ! grep 'FAILED$' out | grep -v -E 'nearly singular|where a policy acts|tau_ctrl = tau_art'
}
arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1e-30 1e-30 "$limits"
sound_but_near_singular "masses of 1e-30 kg" # squares of L are beyond float
# mimic MULTIPLIER OFFSET
mimic() {
  arm made.urdf "0.3 0 0.1" turned "0.1 0 0.05" 1 0.02 "$limits"
  sed -i "s|\(<joint name=\"j2\".*\)</joint>|\1<mimic joint=\"j1\" multiplier=\"$1\" offset=\"$2\"/></joint>|" made.urdf
}
for ratio in 0 100 1e6; do
  mimic $ratio 0.2
  sound_but_near_singular "a gear of $ratio"
done
mimic 1 5e3
sound_but_near_singular "an offset of 5000 rad"

# -- the verdict where it is not the generator's fault
verdict() { # WHAT REMEDY ARGUMENTS...: exit 1, the error and its remedy to the letter
  printf 'made.urdf: error: %s\n  remedy: %s\n' "$1" "$2" >wanted
  shift 2
  ! "$achdgen" made.urdf -q "$@" >out 2>err || return 1
  sed 's/^\(made.urdf: error: check: \)[^;]*\(; the same\)/\1...\2/' err | diff wanted -
}
mimic 1 9e4
check "an angle out of float's range" verdict \
  'check: in every state an angle is beyond 10000 rad, for which the functions are not made: nothing was compared' \
  'give the joints that mimic others a smaller offset' --real float --check 5
check "the same in double" "$achdgen" made.urdf --check 5 --functions "$functions"
arm made.urdf "1e9 0 1e9" turned "1e9 0 0" 1 1e9 "$limits"
echo 'return { groups = { { name = "t", frame = "l3", maskable = true, rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } } }' >six_l3.lua
check "lengths out of float's range" verdict \
  'check: ...; the same program in double passes: float has too few digits, or too small a range, for this robot' \
  'use --real double' --layout six_l3.lua --real float --check 5
check "the same in double" "$achdgen" made.urdf --layout six_l3.lua --check 5 --functions "$functions"

# -- bounded rows
for real in double float; do
  sampled 5 "bounded rows, $real" "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --real "$real" --check $more
done
cat >given.lua <<'END'
return {
  friction = { coulomb = "input", viscous = "input" },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_z" }, bounds = "input" },
    { name = "pad", frame = "forearm_link", rows = { "lin_x", "lin_y" }, kind = "physical", friction = "input" },
  },
}
END
echo 'return { realise = "optimum", friction = { joint_1 = 10, joint_4 = 10 }, passive = { "joint_4" }, groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } } }' >rubs.lua
sampled 5 "an optimum with friction, of a joint without a motor, too" "$achdgen" "$top/robots/gen3.urdf" --layout rubs.lua --check 5
"$achdgen" "$top/robots/quadruped.urdf" --layout "$top/robots/optimum/quadruped.lua" --check 5 >optimum
for line in 'M vdot_x = e + J^T A nu_x of physical rows' 'residual = A^T (J vdot + J-dot q-dot) - b, and by x' \
  'physical rows hold: A^T J vdot_x = 0' 'H: Gauss function and weights of forces' \
  'objective: Gauss function and forces, by definition' 'levels: what each is missed by, by definition' 'y_0 + y_x x'; do
  check "an optimum: $line" grep -q -F "$line" optimum
done
# rows of a level that depend on each other: what the second asks for beyond the first stays in the problem, and no torque goes into it
echo 'return { realise = "optimum", gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } }, { name = "again", frame = "tool_frame", rows = { "lin_x" } } } }' >twice.lua
"$achdgen" "$top/robots/gen3.urdf" --layout twice.lua --functions qp --columns | sed -n 's/^out \([^ ]*\).*/\1/p' >qp_names
cat >twice.awk <<'PROGRAM'
/^A\.5[6-9]|^A\.6[0-2]/ { zeros += $2 == 0 }
/^(lo|hi)\.8/ { held += $2 - more < 1e-12 && more - $2 < 1e-12 }
/^weight\.8/ { weight = $2 }
END { exit !(zeros == 7 && held == 2 && weight == 1) }
PROGRAM
for beyond in 0 0.5; do
  echo "0 0.3 0.1 1.2 0.2 0.9 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 1 $(echo $beyond | awk '{ print 1 + $1 }')" |
    "$achdgen" "$top/robots/gen3.urdf" --layout twice.lua --functions qp --eval -q | tr ' ' '\n' | paste qp_names - >values
  check "rows twice, the second asks for $beyond more" awk -v more="$beyond" -f twice.awk values
done
# six rows of four joints in one level, and rows that no joint reaches: what is left of them is judged by definition
cat >level.lua <<'END'
return {
  realise = "optimum", locked = { joint_5 = 0, joint_6 = 0, joint_7 = 0 },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } },
    { name = "first", frame = "shoulder_link", rows = { "lin_x" }, priority = 2 },
    { name = "range", frame = "shoulder_link", rows = { "lin_y", "ang_z" }, upper = "input", priority = 2 },
  },
}
END
sampled 5 "rows of a level that depend on others, or are out of reach" "$achdgen" "$top/robots/gen3.urdf" --layout level.lua --check 5
echo 'return { realise = "optimum", passive = { "joint_2" }, limits = { margin = 0.3 }, groups = { { name = "shoulder", frame = "link_2", rows = { "lin_z" }, priority = 2 } } }' >unlifted.lua
sampled 5 "a row of an axis that the arm cannot lift" "$achdgen" "$top/robots/puma560.urdf" --layout unlifted.lua --functions qp --check 24
echo 'return { realise = "optimum", groups = { { name = "tool", frame = "tool_frame" } } }' >near.lua
sampled 5 "weights of rows that are nearly dependent" "$achdgen" "$top/robots/gen3.urdf" --layout near.lua --check 40
sampled 5 "bounds and friction at run time" "$achdgen" "$top/robots/gen3.urdf" --layout given.lua --check $more
for platform in robile platform; do
  sampled 5 "forces of the drives of $platform" "$achdgen" "$top/robots/$platform.urdf" --layout "$top/robots/platforms/$platform.lua" --check $more
done
sampled 5 "bounded rows, other functions" "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --functions fk,id --check 5

# -- derivatives where rows depend on each other: they are as much larger as their pivots are small; those of id and fd have no rows
for frame in tip gripper_palm_link; do
  echo "return { groups = { { name = \"tool\", frame = \"$frame\", rows = { \"lin_x\", \"lin_y\", \"lin_z\", \"ang_x\", \"ang_y\", \"ang_z\" }, maskable = true } } }" >$frame.lua
done
sampled 5 "derivatives of dependent rows" "$achdgen" "$top/robots/arm1dof.urdf" --layout tip.lua --functions dachd --check 10
sampled 5 "derivatives of dependent rows, float" "$achdgen" "$top/robots/youbot_arm.urdf" --layout gripper_palm_link.lua --functions dachd --real float --check 10
check "derivatives without rows" "$achdgen" "$top/robots/arm1dof.urdf" --functions did,dfd --check 3
"$achdgen" "$top/robots/arm1dof.urdf" --functions did,dfd --check 3 >out
check "are held against the same limit" test "$(grep -c 'by differences  *3 .* 1.0e-06$' out)" -eq 5

# several rows of a hand of 20 g links are small at once: its derivatives are known by the condition of all, not by the least pivot
hand=dex-urdf/robots__hands__schunk_hand__schunk_svh_hand_left.urdf
if [ -e "$top/../shared/corpus.tar.xz" ]; then
  tar -xJf "$top/../shared/corpus.tar.xz" "./$hand" 2>/dev/null || tar -xJf "$top/../shared/corpus.tar.xz" "$hand"
  sampled 5 "derivatives where small pivots multiply" "$achdgen" "$hand" --functions dachd --check 5
else
  echo "left out, as ../shared is not there: derivatives where small pivots multiply"
fi

# six rows of four joints depend on each other everywhere: what each policy makes of them is judged by its definition, in float, too; rows
# that are compared in no state are no pass: with a threshold that doubles do not know pivots to, with set-points that are always shortened
cat >four.lua <<'END'
return {
  locked = { joint_5 = 0, joint_6 = 0, joint_7 = 0 },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } },
}
END
judged() { # STATES ARGUMENTS...: in so many random states, in each by one system of rows, or by two
  number=$1
  shift
  "$achdgen" "$top/robots/gen3.urdf" --functions achd --check 12 "$@" >said || return 1
  cat said
  grep -q "nu where a policy acts, by definition  *$number " said
}
for policy in damp drop truncate; do
  sed "s/return {/return { singularity = '$policy',/" four.lua >policy.lua
  for real in double float; do
    case $policy,$real in # what is cut off, also by the threshold that --check raises, which floats may be too close to
      truncate,double) states='2[0-4]' ;;
      truncate,float) states='\(1[5-9]\|2[0-4]\)' ;;
      *) states='1[0-2]' ;;
    esac
    sampled 5 "rows that depend on each other everywhere, $policy, $real" judged "$states" --layout policy.lua --real $real
  done
done
sed "s/return {/return { saturate = true, effort = { joint_1 = 1 },/; s/{ name = \"tool\"/{ name = 'wall', frame = 'tool_frame', rows = { 'lin_z' }, kind = 'physical' }, &/" four.lua >again.lua
sampled 5 "physical rows that are solved again beside them" judged '2[0-4]' --layout again.lua
# the way to singular configurations and back ends: at angles beyond those of floats nothing could be compared
cat >far.lua <<'END'
return {
  singular_threshold = 1e-4,
  groups = {
    { name = "elbow", frame = "forearm_link", rows = 1 },
    { name = "shoulder", joint = "joint_2" },
    { name = "tool", frame = "tool_frame", rows = 5, maskable = true },
  },
}
END
sampled 5 "singular configurations that are hard to leave, float" judged '1[0-9]' --layout far.lua --real float
uncompared() { # WHAT REMEDY ARGUMENTS...
  printf '%s: error: check: %s\n  remedy: %s\n' "$top/robots/gen3.urdf" "$1" "$2" >wanted
  shift 2
  ! "$achdgen" "$top/robots/gen3.urdf" -q --functions achd --check 5 "$@" >said 2>err || return 1
  cat said err
  grep -q '^  In 5 of 5 states nothing was compared of the rows' said && diff err wanted
}
sed "s/return {/return { singular_threshold = 1e-14,/" four.lua >policy.lua
check "rows that are compared in no state" uncompared \
  "the rows' forces were compared in none of 5 states: in 5 rows met the singularity policy, in 0 torques were at their limits" \
  "leave out the rows that the joints cannot produce, or that depend on others" --layout policy.lua
echo 'return { saturate = "scale", effort = { joint_1 = 1e-6 }, groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } } }' >weak.lua
check "rows that motors never reach" uncompared \
  "the rows' forces were compared in none of 5 states: in 0 rows met the singularity policy, in 5 torques were at their limits" \
  'check the same layout without "saturate", too' --layout weak.lua

# rows that motors alone realise, by the same definitions; rows that are masked do not change what "truncate" cuts off
cat >realised.lua <<'END'
return {
  realise = "motors", base = "planar", passive = { "joint_6" },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x" } },
    { name = "wall", frame = "forearm_link", rows = { "lin_x", "ang_y" }, kind = "physical", maskable = true },
  },
}
END
check "rows that motors alone realise" "$achdgen" "$top/robots/gen3.urdf" --layout realised.lua --functions achd --check 4
cp "$scratch/.said" realised
check "are judged where they depend on each other" grep -q 'nu where a policy acts, by definition  *[1-9]' realised
# A contact on the axis of a joint without a motor: what rounding leaves of its lever holds nothing.
cat >on_axis.lua <<'END'
return {
  realise = "motors", singularity = "truncate", singular_threshold = 1e-4, passive = { "joint_6", "joint_3", "joint_5" },
  groups = {
    { name = "tool", frame = "end_effector_link", rows = { "ang_y" } },
    { name = "elbow", frame = "forearm_link", rows = { "lin_x", "lin_z" }, kind = "physical" },
  },
}
END
sampled 5 "a contact on the axis of a joint without a motor" "$achdgen" "$top/robots/gen3_6dof.urdf" --layout on_axis.lua \
  --functions achd --check 12
cat >cut.lua <<'END'
return {
  realise = "motors", passive = { "joint_6", "joint_2" }, singularity = "truncate", singular_threshold = 1e-3,
  groups = {
    { name = "tool", frame = "bracelet_link", rows = { "ang_y", "ang_x" }, maskable = true },
    { name = "elbow", frame = "forearm_link", rows = { "lin_y", "ang_x" } },
  },
}
END
sampled 5 "what is cut off of them, with rows masked" judged '[0-9]*' --layout cut.lua

# more rows than joints, one of these without a motor: float leaves nothing of nu
cat >dependent.lua <<'END'
return {
  passive = { "joint_2" }, locked = { joint_3 = 0, joint_4 = 0, joint_5 = 0, joint_6 = 0, joint_7 = 0 },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, axes = "input" } },
  outputs = { "nu", "tau_ctrl", contributions = { "tau_ctrl" } },
}
END
sampled 5 "shares of dependent rows, float" "$achdgen" "$top/robots/gen3.urdf" --layout dependent.lua --real float --check 12

# -- the command line
robot=$top/robots/arm1dof.urdf
states() { # NUMBER ARGUMENTS...
  number=$1
  shift
  "$achdgen" "$@" >out
  cat out
  grep -q "^$number random states;" out
}
check "100 states by default" states 100 "$robot" --check
check "--check N" states 7 "$robot" --check 7
check "--check=N" states 8 --check=8 "$robot"
check "--check before the robot" states 100 --check "$robot"
check "the same every time" sh -c "'$achdgen' '$robot' --check 9 >a && '$achdgen' --check 9 '$robot' >b && cmp a b"
echo 'return { groups = { { name = "tool", frame = "tip", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } } }' >six.lua
"$achdgen" "$top/robots/arm1dof.urdf" --layout six.lua --check 9 >a
check "says where rows are lost" grep -q 'In 9 of 9 states rows met the singularity policy' a
check "and compares what the policy makes of them" grep -q 'nu where a policy acts, by definition  *9 ' a
refuses() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  ! "$achdgen" "$@" >out 2>err || return 1
  cat out err
  [ ! -s out ] && grep -q -e "$pattern" err
}
check "no states" refuses 'takes 1 to' "$robot" --check 0
check "too many" refuses 'takes 1 to' "$robot" --check 99999999999999999999
check "not a number" refuses '"many"' "$robot" --check=many
check "on a full disk" sh -c "! '$achdgen' '$robot' --check 2 >/dev/full 2>&1"
finish
