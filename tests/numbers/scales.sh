#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/scales.sh ACHDGEN: a row is out of reach by its own scale, never beside other rows, whose units and bodies
# differ: carts beside discs of 1e-12 of their inertia, a wrist's flange that hardly weighs anything, a foot and a thumb;
# and rows that only rounding reaches are still given up. In double and float, achd and mclp.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
tests=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"

link() { # NAME MASS COM INERTIA_X Y Z
  printf '<link name="%s"><inertial><origin xyz="%s"/><mass value="%s"/>' "$1" "$3" "$2"
  printf '<inertia ixx="%s" iyy="%s" izz="%s" ixy="0" ixz="0" iyz="0"/></inertial></link>\n' "$4" "$5" "$6"
}
joint() { # NAME TYPE PARENT CHILD XYZ RPY AXIS
  printf '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><origin xyz="%s" rpy="%s"/><axis xyz="%s"/>' "$@"
  printf '<limit lower="-3" upper="3" effort="100" velocity="3"/></joint>\n'
}

# evaluate FUNCTION VALUES URDF OPTIONS...: "NAME NUMBER" of each output; inputs are 0 but for VALUES, "NAME NUMBER ..".
evaluate() {
  function=$1 values=$2
  shift 2
  "$achdgen" "$@" --functions "$function" --columns >columns
  awk -v given="$values" 'BEGIN { n = split(given, x, " "); for (k = 1; k < n; k += 2) value[x[k]] = x[k + 1] }
    $1 == "in" { printf "%s ", $2 in value ? value[$2] : 0 } END { print "" }' columns >states
  "$achdgen" "$@" --functions "$function" --eval <states >results
  awk '$1 == "out" { name[++n] = $2; next } { for (k = 1; k <= n; k++) print name[k], $k }' columns results
}
# near FILE NAME NUMBER: within 1e-4 of it, relative
near() { awk -v name="$2" -v x="$3" '$1 == name { d = $2 - x; found = d * d <= 1e-8 * x * x } END { exit !found }' "$1" || { cat "$1" && return 1; }; }

# -- a cart and a disc that have nothing to do with each other: each follows its set-point
for ratio in 1e-12 1e-9 1e9 1e12; do # every second
  in_sample "$tests/../.." 2 || continue
  inertia=$(awk -v r=$ratio 'BEGIN { print 20 * r }')
  { echo '<robot name="two"><link name="rail"/>'
    link cart 20 "0 0 0" 1 1 1 && link disc 0.001 "0 0 0" "$inertia" "$inertia" "$inertia"
    joint slide prismatic rail cart "0 0 0" "0 0 0" "1 0 0" && joint spin revolute rail disc "1 0 0" "0.3 0.2 0.1" "0 0 1"
    echo '</robot>'; } >two.urdf
  for policy in damp drop; do
    cat >two.lua <<END
return { name = "two", singularity = "$policy", groups = { { name = "along", frame = "cart", rows = { "lin_x" } },
  { name = "about", frame = "disc", axes = "link", rows = { "ang_z" } } }, outputs = { "qdd", "nu", "tau_ctrl" } }
END
    for real in double float; do
      what="cart 20 kg, disc $inertia kg m^2, $policy, $real"
      evaluate achd "b.along.lin_x 1 b.about.ang_z 1" two.urdf --layout two.lua --real $real >got
      check "$what: the cart" near got qdd.slide 1
      check "$what: the disc" near got qdd.spin 1
      check "$what: force" near got nu.along.lin_x 20
      check "$what: status" near got status 0
    done
  done
  sed 's/singularity = "drop", //; s/rows = { "lin_x" }/rows = { "lin_x" }, bounds = { lin_x = { 0, 1e9 } }/' two.lua >bounded.lua
  for real in double float; do
    evaluate mclp "b.along.lin_x 1 b.about.ang_z 1" two.urdf --layout bounded.lua --real $real >got
    check "mclp, disc $inertia kg m^2, $real: no row is lost" near got status 0
    check "mclp, disc $inertia kg m^2, $real: the cart's bound" near got hi.along.lin_x 1e9
  done
done

# -- an arm of 36 kg whose flange has 1e-6 kg m^2: float gives up no more states than double with the same threshold
{ echo '<robot name="arm"><link name="base"/>'
  link l1 12 "0 0.02 -0.08" 0.12 0.1 0.06 && link l2 14 "0.14 0 0.12" 0.05 0.3 0.3
  link l3 6 "0 -0.03 0.04" 0.03 0.03 0.02 && link l4 3.5 "0 0.02 -0.12" 0.02 0.02 0.006
  link l5 0.7 "0 -0.005 0.005" 8e-4 6e-4 6e-4 && link l6 0.015 "0 0 0.06" 1e-6 1e-6 1e-6
  joint j1 revolute base l1 "0 0 0.375" "0 0 0" "0 0 1" && joint j2 revolute l1 l2 "0 0 0" "-1.57079632679 0 0" "0 0 1"
  joint j3 revolute l2 l3 "0.29 0 0.02" "0 0 1.57079632679" "0 0 1"
  joint j4 revolute l3 l4 "0 -0.31 0" "1.57079632679 0 0" "0 0 1"
  joint j5 revolute l4 l5 "0 0 0" "-1.57079632679 0 0" "0 0 1" && joint j6 revolute l5 l6 "0 0 0" "1.57079632679 0 0" "0 0 1"
  echo '<link name="tool0"/><joint name="flange" type="fixed"><parent link="l6"/><child link="tool0"/><origin xyz="0 0 0.07"/></joint></robot>'; } >arm.urdf
flagged() { # OPTIONS...: in how many of 2000 states the default rows are SINGULAR
  "$achdgen" arm.urdf "$@" --columns >columns
  awk '$1 == "in" { name[++n] = $2 } END {
    srand(1)
    for (s = 0; s < 2000; s++) {
      for (k = 1; k <= n; k++) {
        x = 2 * rand() - 1
        x = name[k] ~ /^q\./ ? 3.14159 * x : name[k] ~ /^b/ ? 5 * x : name[k] ~ /^mask/ ? 1 : name[k] == "gravity.z" ? -9.81 : x
        printf "%.9g ", x
      }
      print ""
    } }' columns | "$achdgen" arm.urdf "$@" --eval | awk '$NF % 2 { n++ } END { print n + 0 }'
}
echo 'return { singular_threshold = 3e-6 }' >threshold.lua
in_float=$(flagged --real float) in_double=$(flagged --layout threshold.lua)
echo "light flange: $in_float of 2000 states SINGULAR in float, $in_double in double at the same threshold"
check "a light flange: float gives up no more than double" [ "$in_float" -le $((in_double + 10)) ]
check "a light flange: a fifth of the states at most" [ "$in_float" -le 400 ]
# and what it does not give up is right: by the null-space solve, and by the general one, which is forced in turn
"$achdgen" arm.urdf --name d -o double.h 2>said
printf '#define D_IMPLEMENTATION\n#define SF_IMPLEMENTATION\n#include "double.h"\n#include "float.h"\n' >both.c
for formulation in null joint; do
  "$achdgen" arm.urdf --name s --real float --formulation $formulation -o float.h 2>said
  gcc -std=c99 -O1 -c both.c
  gcc -std=gnu11 -O1 -DMASKED -I. -DNAME=d -DNAMEF=sf "$tests/float_states.c" both.o -o states -lm
  check "a light flange, $formulation: errors of the states that float does not give up" ./states 10000 0.2 2e-5
  echo "light flange, $formulation: $(cat .said)"
  check "a light flange, $formulation: the worst of them" sh -c "sed 's/.*worst \([^;]*\);.*/\1/' .said | awk '{ exit !(\$1 < 1e-4) }'"
done

# -- a foot and a thumb: every row of both holds
{ echo '<robot name="humanoid"><link name="pelvis"/>'
  link thigh 12 "0 0 -0.2" 0.2 0.2 0.03 && link shank 6 "0 0 -0.2" 0.1 0.1 0.01 && link foot 1 "0.05 0 0" 0.002 0.003 0.003
  link arm 4 "0 0 -0.15" 0.05 0.05 0.01 && link hand 0.6 "0 0 -0.05" 1e-3 1e-3 5e-4
  link thumb1 0.002 "0 0 -0.01" 2e-7 2e-7 4e-8 && link thumb2 0.001 "0 0 -0.008" 6e-8 6e-8 1e-8
  joint hip revolute pelvis thigh "0 0.1 0" "0 0 0" "0 1 0" && joint knee revolute thigh shank "0 0 -0.4" "0 0 0" "0 1 0"
  joint ankle revolute shank foot "0 0 -0.4" "0 0 0" "1 0 0" && joint shoulder revolute pelvis arm "0 0 0.5" "0 0 0" "0 1 0"
  joint wrist revolute arm hand "0 0 -0.3" "0 0 0" "1 0 0" && joint thumb_a revolute hand thumb1 "0.03 0 -0.03" "0 0.5 0" "0 0 1"
  joint thumb_b revolute thumb1 thumb2 "0 0 -0.02" "1.2 0 0" "0 0 1"
  echo '<link name="tip"/><joint name="f" type="fixed"><parent link="thumb2"/><child link="tip"/><origin xyz="0.015 0 -0.01"/></joint></robot>'; } >humanoid.urdf
cat >humanoid.lua <<'END'
return { name = "humanoid", groups = { { name = "foot", frame = "foot", rows = { "lin_x", "lin_z", "ang_x" } },
  { name = "thumb", frame = "tip", rows = { "lin_x", "lin_y", "lin_z" } } }, outputs = { "qdd", "nu", "tau_ctrl", "residual" } }
END
for real in double float; do
  evaluate achd "q.hip 0.4 q.knee 0.7 q.ankle 0.1 q.shoulder 0.3 q.wrist -0.5 q.thumb_a 0.6 q.thumb_b -0.8 gravity.z -9.81
    b.foot.lin_x 1 b.foot.lin_z -1 b.foot.ang_x 2 b.thumb.lin_x 0.5 b.thumb.lin_y 1 b.thumb.lin_z -0.5" \
    humanoid.urdf --layout humanoid.lua --real $real >got
  check "foot and thumb, $real: status" near got status 0
  # shellcheck disable=SC2016 # awk's fields
  check "foot and thumb, $real: rows hold" awk '/^residual/ && ($2 > 1e-2 || $2 < -1e-2) { bad = 1 } END { exit bad }' got
  # shellcheck disable=SC2016
  check "foot and thumb, $real: no row is given up" awk '/^nu/ && $2 == 0 { bad = 1 } END { exit bad }' got
done

# -- rows that only rounding reaches: out of the plane of an arm that stands askew, along axes given at run time
{ echo '<robot name="askew"><link name="base"/>'
  link upper 2 "0.2 0 0" 0.01 0.04 0.04 && link fore 1 "0.15 0 0" 0.01 0.02 0.02
  joint one revolute base upper "0.1 0.2 0.3" "0.3 -0.7 1.1" "0 0 1" && joint two revolute upper fore "0.4 0 0" "0 0 0" "0 0 1"
  echo '<link name="tip"/><joint name="f" type="fixed"><parent link="fore"/><child link="tip"/><origin xyz="0.3 0.01 0"/></joint></robot>'; } >askew.urdf
cat >askew.lua <<'END'
return { name = "askew", groups = { { name = "tool", frame = "tip", axes = "input", rows = { "lin_x", "lin_y", "lin_z", "ang_x" } } },
  outputs = { "qdd", "nu", "tau_ctrl" } }
END
# Rz(1.1) Ry(-0.7) Rx(0.3): its third column is the axis of both joints
axes=$(awk 'BEGIN { a = 0.3; b = -0.7; c = 1.1
  printf "axes.tool.xx %.17g axes.tool.yx %.17g axes.tool.zx %.17g ", cos(b) * cos(c), cos(b) * sin(c), -sin(b)
  printf "axes.tool.xy %.17g axes.tool.yy %.17g axes.tool.zy %.17g ", sin(a) * sin(b) * cos(c) - cos(a) * sin(c), sin(a) * sin(b) * sin(c) + cos(a) * cos(c), sin(a) * cos(b)
  printf "axes.tool.xz %.17g axes.tool.yz %.17g axes.tool.zz %.17g", cos(a) * sin(b) * cos(c) + sin(a) * sin(c), cos(a) * sin(b) * sin(c) - sin(a) * cos(c), cos(a) * cos(b) }')
for real in double float; do
  for q in 0.3 1.3 2.6; do
    evaluate achd "$axes q.one $q q.two 0.9 b.tool.lin_x 1 b.tool.lin_y 2 b.tool.lin_z 3 b.tool.ang_x 4" askew.urdf \
      --layout askew.lua --real $real >got
    what="askew, q $q, $real"
    check "$what: SINGULAR" near got status 1
    check "$what: out of the plane" near got nu.tool.lin_z 0
    check "$what: about an axis in the plane" near got nu.tool.ang_x 0
    # shellcheck disable=SC2016 # awk's fields
    check "$what: within the plane rows hold" awk '/^nu.tool.lin_[xy]/ && ($2 == 0 || $2 > 1e3 || $2 < -1e3) { bad = 1 } END { exit bad }' got
  done
done
finish
