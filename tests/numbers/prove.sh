#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/prove.sh ACHDGEN ACHDGEN_FROM_FOLDER RANDOM_LAYOUT_TEST SOURCE_DIR [--long]: what achdgen proves of its own
# output: the robots that ship, with every function and in every formulation; random robots of every kind (3; 300 by --long
# or ACHD_SWEEP=1); that mistakes in the scripts are noticed (mutants.txt), by name, and nothing is then written; what the
# banner says; and that it takes no more than five times as long as what it proves. Of the robots that ship every 14th, of the mistakes every 40th
# is tried by default, of functions every third, of formulations and options every second (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
ACHDGEN=$(absolute "$1")
from_folder=$(absolute "$2")
random_layout_test=$(absolute "$3")
top=$(cd "$4" && pwd)
robots=3
seeds=3 # of these, in search of mistakes
if [ "${5:-}" = --long ] || [ -n "${ACHD_SWEEP:-}" ]; then robots=300 seeds=60; fi
cd "$scratch"

family=$(family "$top")

# proves ROBOT OPTIONS: all is identical, and nothing is outside but the status, and roots.
proves() {
  "$ACHDGEN" "$@" -q >said || { cat said; return 1; }
  # shellcheck disable=SC2086
  ! grep -e 'NOT identical' -e 'outside: it has no' $undecided said
}
undecided='-e outside:.no.point'
# Outside: square roots, and pivots of the null-space solve.
tried=0
for urdf in "$top"/robots/*.urdf; do
  name=$(basename "$urdf" .urdf)
  [ "$name" = gen3 ] || in_sample "$top" 14 || continue
  tried=$((tried + 1))
  layout=
  if [ -f "$top/robots/$name.lua" ]; then layout="--layout $top/robots/$name.lua"; fi
  # shellcheck disable=SC2086
  sampled 3 "$name, the solve" proves "$urdf" $layout --prove 2
  # shellcheck disable=SC2086
  sampled 3 "$name, the family" proves "$urdf" $layout --functions $family --prove 2
  # shellcheck disable=SC2086
  sampled 3 "$name, derivatives and regressors" proves "$urdf" $layout --functions did,dfd,dachd,regressor,momentum_regressor --prove 2
  in_sample "$top" 3 || continue
  # shellcheck disable=SC2086
  if "$ACHDGEN" "$urdf" $layout --describe json -q 2>&1 | grep -q '"rows": \[\]'; then continue; fi # wheels alone
  # shellcheck disable=SC2086
  check "$name, inertia of its rows" proves "$urdf" $layout --functions osim --prove 2
done
# Rows of which just one can move, with L_jj = 1 wherever the joints are: no branch depends on it.
cat >coaxial.urdf <<'END'
<robot name="coaxial"><link name="l0"/>
  <link name="l1"><inertial><mass value="1"/><origin xyz="1 0 0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="l2"><inertial><mass value="1"/><origin xyz="1 0 0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="j1" type="continuous"><parent link="l0"/><child link="l1"/></joint>
  <joint name="j2" type="continuous"><parent link="l1"/><child link="l2"/></joint>
</robot>
END
echo 'return { groups = { { name = "tool", frame = "l2", maskable = true, rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } } }' >coaxial.lua
check "rows that are constant" proves coaxial.urdf --layout coaxial.lua --prove 8
echo "  $tried robots that ship"
whole() { proves "$@" && grep -q ', of them 0 outside, 0 not on all sides of branches, 0 not identical' said && grep -q 'square roots count as exact' said; }
check "gen3, manipulability on all sides" whole "$top/robots/gen3.urdf" --functions manipulability --prove 2
sampled 2 "gen3, manipulability in float" whole "$top/robots/gen3.urdf" --functions manipulability --real float --prove 2
sampled 2 "limbs as lanes, manipulability" whole "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --functions manipulability --lanes 1 --prove 2
for formulation in recursion joint null early; do
  sampled 2 "gen3, $formulation" proves "$top/robots/gen3.urdf" --formulation $formulation --prove
done
for short in "" --small; do
  # shellcheck disable=SC2086
  sampled 2 "limbs as lanes, two ways $short" proves "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --lanes 1 $short --prove 2
done
sampled 2 "gen3, float" proves "$top/robots/gen3.urdf" --real float --prove
sampled 2 "gen3, numbers as written" proves "$top/robots/gen3.urdf" --snap 0 --prove
cat >pivots.lua <<'END'
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z", "ang_y" }, axes = "link", maskable = true },
    { name = "elbow", joints = { "joint_4", "joint_2" } }, { name = "arm", frame = "forearm_link", rows = { "lin_y" }, axes = "input" },
  },
}
END
check "gen3, pivots of a null-space solve" proves "$top/robots/gen3.urdf" --layout pivots.lua --formulation null --prove 9
for formulation in recursion joint; do
  sampled 2 "quadruped, rows by motors, $formulation" proves "$top/robots/quadruped.urdf" --layout "$top/robots/motors/quadruped.lua" \
    --formulation $formulation --prove 4
done
for layout in "$top"/robots/bounded/*.lua; do
  in_sample "$top" 4 || continue
  robot=$(basename "$layout" .lua) # gen3_held.lua is about gen3
  [ -f "$top/robots/$robot.urdf" ] || robot=${robot%_*}
  check "bounded rows: $(basename "$layout")" proves "$top/robots/$robot.urdf" --layout "$layout" --prove
done

for limits in rod_stopped rod_in_time; do
  check "limits of motors, $limits" proves "$top/robots/arm1dof.urdf" --layout "$top/tests/runtime/$limits.lua" --prove 2
done
check "limits in time" proves "$top/robots/gen3.urdf" --layout "$top/tests/runtime/limits_in_time.lua" --prove 2

# Every word about bounded rows, on every kind of base.
many_words() { # BASE FRAME1 FRAME2
  cat >words.lua <<END
return {
  base = "$1", torques = { physical = true, artificial = true }, armature = "input",
  wrenches = { { name = "push", frame = "$2", kind = "physical" }, { name = "pull", frame = "$3", kind = "artificial" } },
  payload = { frame = "$2", mass = "input", com = { 0.1, 0.02, 0.03 }, inertia = "input" },
  groups = {
    { name = "a", frame = "$2", rows = { "lin_x", "lin_z" }, kind = "physical", contact = { normal = "lin_z", friction = "input" }, maskable = true },
    { name = "b", frame = "$3", rows = { "lin_z", "lin_x", "lin_y" }, kind = "physical", contact = { normal = "lin_z", friction = 0.6 } },
    { name = "c", frame = "$2", axes = "link", rows = { "ang_x", "ang_y" }, bounds = { ang_x = "input", ang_y = { -3.3, 4.1 } }, over = "yields" },
    { name = "d", frame = "$3", axes = "input", rows = { "ang_z" }, bounds = { 0, math.huge }, acceleration = "spatial" },
  },
  friction = { coulomb = "input", viscous = "input" },
  limits = { margin = 0.07, rate = 9.3, kind = "physical" },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "residual", "Z",
    acc = { "$2" }, twist = { "$3" }, pose = { "$3" } },
}
END
}
for words in "quadruped floating fl_foot rr_foot" "youbot planar arm_link_5 plate_link" "youbot_arm fixed arm_link_5 arm_link_3"; do
  # shellcheck disable=SC2086
  set -- $words
  in_sample "$top" 4 || continue
  many_words "$2" "$3" "$4"
  check "bounded rows, $2 base" proves "$top/robots/$1.urdf" --layout words.lua --prove 4
done

# in_numbers ARGUMENTS...: --check finds nothing else than that the rows met the singularity policy in every state: of random rows some always do.
in_numbers() {
  if "$ACHDGEN" "$@" >said 2>errors; then return 0; fi
  [ "$(grep -c 'error: ' errors)" -eq 1 ] && grep -q "error: check: the rows' forces were compared in none of" errors && return 0
  cat said errors
  return 1
}
# -- random robots: of some no point tells which rows are out of reach
undecided=
mkdir robots
"$random_layout_test" --achdgen "$ACHDGEN" --robots "$robots" --write robots >/dev/null
proven=0
for urdf in robots/*.urdf; do
  layout=${urdf%.urdf}.lua
  if ! "$ACHDGEN" "$urdf" --layout "$layout" --inspect >/dev/null 2>&1; then continue; fi # it is refused
  for how in "--formulation joint" "--formulation recursion" "--functions $family" "--functions did,dfd,dachd,regressor,momentum_regressor"; do
    if [ "$how" = "--formulation recursion" ] && grep -q '<mimic' "$urdf"; then continue; fi
    in_sample "$top" 2 || continue
    # shellcheck disable=SC2086
    check "$urdf $how" proves "$urdf" --layout "$layout" --snap 0 $how --prove 2
    proven=$((proven + 1))
  done
  sed 's/^return {/return { realise = "motors",/' "$layout" >by_motors.lua
  check "$urdf, rows by motors" proves "$urdf" --layout by_motors.lua --snap 0 --prove 2
  proven=$((proven + 1))
  check "$urdf, rows by motors, in numbers" in_numbers "$urdf" --layout by_motors.lua --snap 0 --check 5
done
echo "  $robots random robots, $proven headers proven"

# -- mistakes in the scripts
. "$here/plant.sh"
# Words that the robots which ship do not have: shares of what acts; rows that yield, on joints, between two frames; torques
# that are clamped.
cat >shares.lua <<'END'
return {
  torques = { physical = true, artificial = true },
  wrenches = { { name = "pull", frame = "tool_frame", kind = "artificial" }, { name = "push", frame = "forearm_link", kind = "physical" } },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x" }, over = "yields" },
    { name = "elbow", joints = { "joint_4", "joint_2" } },
    { name = "wrist", frame = "forearm_link", to = "tool_frame", rows = { "ang_x", "lin_y" } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "residual", contributions = { "qdd", "nu", "tau_ctrl" } },
}
END
cat >clamped.lua <<'END'
return {
  payload = { frame = "tool_frame", mass = "input", com = "input", inertia = "input" },
  torques = { physical = true, artificial = true }, saturate = true, effort = { joint_1 = 2, joint_2 = 3, joint_4 = 1 },
  wrenches = { { name = "pull", frame = "tool_frame", kind = "artificial" } },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" } },
    { name = "rest", frame = "forearm_link", rows = { "lin_y" }, kind = "physical" },
  },
  outputs = { "qdd", "nu", "tau_ctrl" },
}
END
cat >moving.lua <<'END'
return {
  base = "planar", groups = { { name = "hold", joints = { "arm_joint_2", "arm_joint_1" } } },
  outputs = { "qdd", "nu", "residual", "tau_ctrl" },
}
END
# Derivatives: ties, rows that yield, along and about axes of a link, on joints; friction; moving bases; all six rows of a frame.
cat >derived.lua <<'END'
return {
  torques = { physical = true, artificial = true }, armature = "input", friction = { viscous = { joint_2 = 0.7, joint_6 = 0.2 } },
  wrenches = { { name = "pull", frame = "tool_frame", kind = "artificial" }, { name = "push", frame = "forearm_link", kind = "physical" } },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "ang_z" }, axes = "link", over = "yields" },
    { name = "elbow", joint = "joint_4" },
    { name = "wrist", frame = "forearm_link", to = "tool_frame", rows = { "ang_x", "lin_z" }, kind = "physical" },
  },
}
END
cat >derived_base.lua <<'END'
return {
  base = "floating", torques = { artificial = true },
  wrenches = { { name = "pull", frame = "rr_foot", kind = "artificial" }, { name = "push", frame = "trunk", kind = "physical" } },
  groups = {
    { name = "trunk", frame = "trunk", rows = { "lin_z", "ang_x" }, acceleration = "spatial" },
    { name = "fl", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical", maskable = true },
  },
}
END
cat >derived_clamped.lua <<'END'
return {
  torques = { artificial = true }, saturate = true, effort = { joint_1 = 2, joint_2 = 3, joint_4 = 1 },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" } },
    { name = "rest", frame = "forearm_link", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" },
  },
}
END
echo 'return { groups = { { name = "tool", frame = "tool_frame", axes = "base" } } }' >derived_whole.lua
cat >derived_arms.lua <<'END'
return {
  base = "floating", torques = { artificial = true }, groups = { { name = "turn", joint = "torso_joint" } },
  wrenches = { { name = "push", frame = "left_link_7", kind = "physical" } },
  outputs = { "qdd", "dqdd_dq", "dqdd_dqd", "dqdd_dtau" },
}
END
# The robots that mistakes are looked for on, one after the other, until one tells: first the one that told of the mistake before, as
# mistakes in one place stand together. One point tells whatever more would, but for one in 10^15.
# told_by ROBOT...: the generator with the mistake refuses that robot, by name of an output.
told_by() { ! "$from_folder" "$@" --prove 1 -q >told 2>errors && grep -q "$pattern" told; }
last=
tries() { # ROBOT AND OPTIONS, one word
  case $1 in
  [0-9]*) words="robots/${1%% *}.urdf --layout robots/${1%% *}.lua --snap 0 --functions ${1#* }" ;;
  *) words="$top/robots/$1" ;;
  esac
  # shellcheck disable=SC2086
  told_by $words || return 1
  last=$1
}
derivatives_noticed_by() {
  pattern='d.*_d.*NOT identical'
  for robot in "$last" "gen3.urdf --layout derived.lua" "quadruped.urdf --layout derived_base.lua" "gen3.urdf --layout derived_whole.lua" \
    "gen3.urdf --layout derived_clamped.lua" gripper.urdf 1 2 3 "two_arms.urdf --layout derived_arms.lua"; do
    case $robot in
    '') continue ;;
    [1-9]) robot="$robot did,dfd,dachd" ;;
    *--functions*) ;;
    *) robot="$robot --functions did,dfd,dachd" ;;
    esac
    if tries "$robot"; then return 0; fi
  done
  return 1
}
noticed_by() {
  pattern='NOT identical'
  if [ -n "$last" ] && tries "$last"; then return 0; fi
  for robot in "gen3.urdf --functions achd,id,crba,fd" "gen3.urdf --layout shares.lua" \
    "gen3.urdf --layout clamped.lua" "youbot.urdf --layout moving.lua" "gen3.urdf --formulation recursion" \
    "gripper.urdf --layout $top/robots/gripper.lua" "quadruped.urdf --layout $top/robots/quadruped.lua --functions achd,$family" \
    $(seq 1 $seeds); do
    urdf=$top/robots/${robot%% *}
    case $robot in
    [0-9]*) urdf=robots/$robot.urdf robot="$robot achd,$family" ;;
    esac
    for how in "--formulation joint" "--formulation recursion"; do
      if grep -q '<mimic' "$urdf"; then how=; fi
      if tries "$robot $how"; then return 0; fi
    done
  done
  return 1
}
mutants=0
noticed=0
while IFS='|' read -r file old new _; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 40 || continue
  case $new in "A[k][p], A[k][q] = c * x"* | "local ct, st = clean("*) continue ;; esac
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  if noticed_by; then noticed=$((noticed + 1)); else echo "  not noticed, $file: $new"; fi
done <"$top/tests/numbers/mutants.txt"
echo "  $mutants mistakes in scripts, $noticed noticed"
check "all of them are noticed" [ "$noticed" -eq "$mutants" ]

mutants=0
noticed=0
last=
while IFS='|' read -r file old new _; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 40 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  mutants=$((mutants + 1))
  if derivatives_noticed_by; then noticed=$((noticed + 1)); else echo "  not noticed, $file: $new"; fi
done <"$top/tests/numbers/derivative_mutants.txt"
echo "  $mutants mistakes in scripts of derivatives, $noticed noticed"
check "all of them are noticed" [ "$noticed" -eq "$mutants" ]

mutants=0
echo 'return { base = "floating", groups = {}, friction = { coulomb = "input", viscous = "input" }, outputs = { "C", "Ctv" } }' >momenta.lua
sed 's/name="arm_joint_3" type="revolute"/name="arm_joint_3" type="prismatic"/' "$top/robots/youbot.urdf" >sliding.urdf
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 8 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  mutants=$((mutants + 1))
  case $file in
    manipulability.lua | scalar.lua)
      if [ "$file" = manipulability.lua ]; then
        "$from_folder" sliding.urdf --layout momenta.lua --functions manipulability --prove 2 -q >told 2>errors || true
        check "noticed by --prove, $file: $new" grep -q 'NOT identical' told
      fi
      check "noticed, $file: $new" sh -c "! '$from_folder' sliding.urdf --layout momenta.lua --functions manipulability --check 8 -q >told 2>errors && grep -q 'check: manipulability' errors"
      continue
      ;;
  esac
  "$from_folder" sliding.urdf --layout momenta.lua --functions coriolis,slotine_li,centroidal --prove 2 -q >told 2>errors || true
  check "noticed, $file: $new" grep -q 'NOT identical' told
done <"$top/tests/numbers/family_mutants.txt"
echo "  $mutants mistakes in scripts of momenta"

gen3=$top/robots/gen3.urdf
# -- mistakes on the sides of branches: the proof of every header notices each
echo 'return { singularity = "drop" }' >drops.lua
echo 'return { singular_threshold = 1e-9 }' >digits.lua
echo 'return { groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, compliance = { lin_y = 0.3 } } } }' >soft.lua
refused_by_check() {
  robot=$1
  shift
  ! "$from_folder" "$top/robots/$robot" "$@" --check 8 >said 2>errors || return 1
  grep -q -e 'check: achd, .* dependent rows: ' -e 'check: achd, nu of rows that are left out: ' errors
}
mutants=0
noticed=0
while IFS='|' read -r file old new robot; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 8 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  # shellcheck disable=SC2086
  if ! "$from_folder" "$top/robots/"$robot -q -o side.h 2>errors && [ ! -e side.h ] && grep -q 'is not what the equations of motion say' errors; then
    noticed=$((noticed + 1))
  else
    echo "  not noticed, $file: $new, $robot"
  fi
  rm -f side.h
  case "$file $robot" in *digits.lua | *float*) continue ;; constraints.lua*) ;; *) continue ;; esac # a raised threshold goes another way
  # shellcheck disable=SC2086
  check "--check notices it, too, by a raised threshold: $new" refused_by_check $robot
done <"$top/tests/numbers/branch_mutants.txt"
echo "  $mutants mistakes on sides of branches, $noticed noticed"
check "all of them are noticed" [ "$noticed" -eq "$mutants" ]
# What exact numbers do not show, doubles would: a constant that is divided by is not small.
. "$here/twin.sh"
twin_urdf >twin.urdf
cat >twin.lua <<'END'
return { gravity = { 0, 0, -9.81 }, armature = { j1 = 0.1, j2 = 0.1, j3 = 0.1, j4 = 0.1, j5 = 0.1, j6 = 0.1, j7 = 0.1 },
  groups = { { name = "tool", frame = "l7", maskable = true } }, outputs = { "qdd", "pivot_min" } }
END
check "two axes that are all but one" "$ACHDGEN" twin.urdf --layout twin.lua -q -o twin.h
check "division by a small constant, planted" plant null_space.lua 'local least_constant_pivot = 0.05' 'local least_constant_pivot = 1e-12'
check "no header is written" sh -c "! '$from_folder' twin.urdf --layout twin.lua -q -o side.h 2>/dev/null && [ ! -e side.h ]"
# Rows of a platform, of which L is the same wherever its wheels are: there points show no mistake, but they do not show what is right either.
check "damping of a platform, planted" plant constraints.lua 'scalar.divide(lacks * lacks, least)' 'scalar.divide(0.5 * (lacks * lacks), least)'
"$from_folder" "$top/robots/youbot_base.urdf" --layout "$top/robots/youbot_base.lua" -q -o side.h
check "its banner names what no point took" grep -q 'not on all sides of branches: achd.nu (constraints.lua:' side.h
rm side.h
ships_proven() { cat "$top"/generated/* | awk '/--functions achd,gravity/ { n++; wanted = 1 } wanted && /^ \* proven/ { wanted = 0; good += /on both sides of every branch/ } END { exit n < 16 || good != n }'; }
check "and robots that ship are proven on all sides" ships_proven
fresh_copy
sides() { # OPTIONS: every side of every branch is seen
  "$ACHDGEN" "$@" --prove 2 -q >said || { cat said; return 1; }
  awk '/sides of branches seen/ { n++; if ($(NF - 2) != $NF) bad++ } END { exit !n || bad }' said
}
for robot in gen3 gen3_6dof iiwa7 puma560 panda lwr4 youbot_arm; do in_sample "$top" 4 || continue; check "both sides of all branches: $robot" sides "$top/robots/$robot.urdf"; done
echo 'return { groups = { { name = "a", frame = "tool_frame" }, { name = "b", frame = "tool_frame", rows = { "lin_x" } } } }' >twice.lua
for formulation in null early joint; do
  check "a row that is there twice, $formulation" "$ACHDGEN" "$gen3" --layout twice.lua --formulation $formulation -q -o twice.h
done
check "a null-space solve that no state takes is told" sh -c \
  "'$ACHDGEN' '$gen3' --layout twice.lua --formulation null -o twice.h 2>&1 | grep -q 'twice.lua:1: warning: --formulation null: of some random states none takes'"
check "both sides, clamped" sides "$gen3" --layout "$top/robots/gen3.lua"
check "both sides, masks and feet" sides "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua"

# -- a failure writes nothing and names the output; without the proof it is written
check "a mistake in the script of motion, planted" plant motion.lua 'm.wd = wd + {outer[2] * b.qd, -(outer[1] * b.qd),' 'm.wd = wd + {outer[2] * b.qd, outer[1] * b.qd,'
refused() {
  rm -f made.h
  if "$from_folder" "$@" -o made.h 2>errors; then return 1; fi
  [ ! -e made.h ] && grep -q 'error: [a-z_]* of achd, element [0-9]*, is not what the equations of motion say$' errors
}
check "nothing is written" refused "$gen3"
check "--prove: exit status 1" sh -c "! '$from_folder' '$gen3' --prove >/dev/null 2>&1"
check "written without the proof" "$from_folder" "$gen3" --no-prove -o made.h
check "and says nothing of one" sh -c "! grep -q '^ \* proven' made.h"
check "its command says so" grep -q '^ \*   achdgen gen3.urdf --no-prove$' made.h
check "the script as it is" "$ACHDGEN" "$gen3" -o made.h --functions achd,gravity
check "is proven" grep -q '^ \* proven  achd gravity: identical to the equations of motion at 2 random points of GF(2^61-1)' made.h
echo 'return { singularity = "truncate" }' >truncate.lua
echo 'return { singularity = "truncate", groups = { { name = "a", frame = "fl_foot", rows = { "lin_z" } }, { name = "b", frame = "fr_foot", rows = { "lin_z" } } } }' >apart.lua
check "eigenvalues of rows on legs that share no joint" "$ACHDGEN" "$top/robots/quadruped.urdf" --layout apart.lua --formulation joint -o made.h
check "what is outside" "$ACHDGEN" "$gen3" --layout truncate.lua --functions achd,gravity -o made.h
check "is outside by name" grep -q '^ \* proven  gravity: identical .*; outside: achd.qdd, achd.nu, achd.tau_ctrl, achd.pivot_min$' made.h
cat >damped.lua <<'END'
return { groups = { { name = "a", frame = "tool_frame", rows = { "lin_x" } }, { name = "b", frame = "tool_frame", rows = { "lin_x" } } } }
END
check "derivatives by q of damped rows" "$ACHDGEN" "$gen3" --layout damped.lua --functions dachd -o made.h
check "are outside, the others are not" grep -q '^ \* proven  dachd: .*; outside: dachd.dqdd_dq, dachd.dnu_dq, dachd.dtau_ctrl_dq$' made.h
check "derivatives of bounded rows" "$ACHDGEN" "$gen3" --layout "$top/robots/bounded/gen3.lua" --functions mclp,dmclp -o made.h
check "are outside by name, what the solver gets is not" \
  grep -q '^ \* proven  mclp apply: identical .*; outside: dmclp.qdd, dmclp.tau_ctrl, dmclp.dqdd_dq, .*, dmclp.dtau_ctrl_db$' made.h
check "an optimum" "$ACHDGEN" "$top/robots/quadruped.urdf" --layout "$top/robots/optimum/quadruped.lua" -o made.h
check "is outside by name" grep -q '^ \* proven  nothing; outside: qp.qdd_0, .*, qp.H, .*, apply.qdd, .*, apply.tau_ctrl$' made.h
check "the same every time" sh -c "'$ACHDGEN' '$gen3' --prove >a && '$ACHDGEN' --prove '$gen3' >b && cmp a b"

# -- the definitions share nothing with the scripts
check "no Lua, and nothing of --check" sh -c "! grep -lE 'lua.*[.]h|check/' '$top'/generator/prove/*.[ch] | grep ."
check "and no script knows them" sh -c "! grep -rlE 'prove' '$top/generator/lua' | grep -v '/problem.lua$' | grep ."

# -- how long it takes: processor time of one run beside that of a run without
cpu() { # COMMAND...: hundredths of a second
  /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null' cpu "$@" 2>&1 | awk 'END { printf "%d\n", 100 * ($1 + $2) }'
}
with=$(cpu "$ACHDGEN" "$gen3" -o -)
without=$(cpu "$ACHDGEN" "$gen3" --no-prove -o -)
echo "  gen3: $((with - without)) hundredths of a second for the proof, $without for the rest"
check "the proof takes less than five times what the header does" [ $((with - without)) -lt $((5 * (without + 1))) ]
finish
