#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/linkage_checks.sh ACHDGEN_FROM_FOLDER SOURCE_DIR: --check of robots with linkages, on all bases, in double and float: loops close in
# its states, and what follows from them is compared. It says so where no loop closes; each mistake of linkage_check_mutants.txt (every tenth,
# in_sample) is noticed.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$(dirname "$0")/plant.sh"
cd "$scratch"
linkages=$top/robots/linkages

# passes ROBOT LAYOUT STATES OPTION...: --check compares in all states, and what it says is in $scratch/said
passes() {
  "$ACHDGEN" "$linkages/$1.urdf" --layout "$2" --check "$3" >said 2>&1 && grep -q "Linkages close in $3 of $3 states" said &&
    for what in 'fk  *loops are closed, by the model.s frames' 'fvk  *velocities of dependent joints = differences' \
      'bias  *bias v = what the derivatives of M make of qd' 'id  *id = M qdd' 'fd  *id(fd(tau)) = tau' 'achd  *joint and recursion: qdd\|achd  *recursion and joint: qdd'; do
      grep -q "$what" said || return 1
    done
}
motors_compared() { grep -q '^  id  *torques of joints = those that motors cause' said; }
float_passes() { "$ACHDGEN" "$linkages/ankle.urdf" --layout moving.lua --real float --check 4 >said 2>&1; }
osim_passes() { "$ACHDGEN" "$linkages/five_bar.urdf" --layout "$linkages/five_bar.lua" --functions osim --check 4 >said 2>&1; }
optimum_passes() {
  "$ACHDGEN" "$linkages/ankle.urdf" --layout optimum.lua --functions qp --check 4 >said 2>&1 && grep -q 'qp  *levels: what each is missed by, by definition' said
}
none_closes() {
  ! "$ACHDGEN" "$linkages/ankle.urdf" --layout short.lua --check 5 >said 2>&1 && grep -q 'check: in none of 5 states all linkages close: nothing was compared' said
}
notices() {
  ! "$ACHDGEN" "$linkages/ankle.urdf" --layout moving.lua --check 8 >said 2>&1 && grep -q 'error: check: ' said
}

# a parallelogram whose links are nearly in line: all changes quickly there; differences begin where Newton's steps end
differences_agree() {
  "$ACHDGEN" bars.urdf --layout bars.lua --functions dfd --check 2 >said 2>&1 &&
    awk '/dfd  *dqdd_dq, by differences/ { seen = $(NF - 1) } END { exit !(seen > 0 && seen < 1e-9) }' said
}
hinge() { # NAME PARENT X Z
  echo "<joint name='$1' type='continuous'><parent link='$2'/><child link='$1_link'/><origin xyz='$3 0 $4'/><axis xyz='0 1 0'/></joint>"
  echo "<link name='$1_link'><inertial><origin xyz='0.05 0 -0.1'/><mass value='1'/><inertia ixx='0.03' iyy='0.03' izz='0.03' ixy='0' ixz='0' iyz='0'/>"
  echo "</inertial></link>"
}
end_of() { # NAME PARENT X Z
  echo "<joint name='$1_joint' type='fixed'><parent link='$2'/><child link='$1'/><origin xyz='$3 0 $4'/></joint><link name='$1'/>"
}
bars() {
  echo "<robot name='bars'><link name='ground'/>"
  hinge crank ground 0 0
  hinge coupler crank_link 0 0.2343
  hinge rocker ground 0.2 0
  end_of coupler_end coupler_link 0.2 0
  end_of rocker_end rocker_link 0 0.2343
  echo "</robot>"
}

# A ball joint before the loop, whose axes have no share in the rotor of a dependent joint.
on_ball_passes() {
  sed "s|<link name='ground'/>|<link name='root'/><joint name='ball' type='spherical'><parent link='root'/><child link='ground'/></joint><link name='ground'>\
<inertial><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.3' ixy='0' ixz='0' iyz='0'/></inertial></link>|" bars.urdf >on_ball.urdf
  sed 's|^return {|&\n  armature = { rocker = 0.1 },|' bars.lua >on_ball.lua
  "$ACHDGEN" on_ball.urdf --layout on_ball.lua --functions bias --check 6 >said 2>&1 && grep -q 'bias  *bias v = what the derivatives of M make of qd' said
}

fresh_copy
bars >bars.urdf
cat >bars.lua <<'END'
return {
  groups = {},
  linkages = {
    {
      name = "bars", independent = { "crank" },
      ties = { { frame = "coupler_end", to = "rocker_end", rows = { "lin_x", "lin_z" } } },
    },
  },
}
END
sed 's|^return {|&\n  base = "floating", armature = { ankle_pitch = 0.01, left_crank = 0.005, right_crank = 0.005 },|' "$linkages/ankle.lua" >moving.lua
sed 's|^return {|&\n  base = "planar",|' "$linkages/five_bar.lua" >planar.lua
sed 's|0\.24|0.1|g' "$linkages/ankle.lua" >short.lua
sed 's|^return {|&\n  realise = "optimum",|' "$linkages/ankle.lua" >optimum.lua
check "an optimum within the limits of an ankle's motors" optimum_passes
check "an ankle on a floating base" passes ankle moving.lua 8
check "its motors are compared" motors_compared
check "an ankle whose rods are links" passes ankle_rods "$linkages/ankle_rods.lua" 3
check "a five-bar on a planar base" passes five_bar planar.lua 8
check "an ankle in float" float_passes
check "the operational space of a five-bar" osim_passes
check "rods that are too short" none_closes
check "derivatives of a parallelogram are their differences" differences_agree
check "a parallelogram with a rotor on a ball joint" on_ball_passes
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 10 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$top/tests/numbers/linkage_check_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
finish
