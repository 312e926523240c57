#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/svg.sh ACHDGEN SOURCE_DIR SVG_TEST: drawings of --inspect --svg: sound, readable (svg_test.c says how), no wider than a
# screen, the same bytes every time, every name in them; for the robots that ship and a tree with branches and long names.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
svg_test=$(absolute "$3")
cd "$scratch"

# -- the command line
robot=$top/robots/arm1dof.urdf
refuses() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  ! "$achdgen" "$@" >out 2>err || return 1
  cat out err
  [ ! -s out ] && grep -q -e "$pattern" err
}
check "--svg without --inspect" refuses '--svg needs --inspect' "$robot" --svg x.svg
check "--svg without a file" refuses '--svg needs a value' "$robot" --inspect --svg
check "--svg into a folder that is not there" refuses 'nowhere/x.svg' "$robot" --inspect --svg nowhere/x.svg
mkdir folder
check "--svg onto a folder" refuses 'is a folder' "$robot" --inspect --svg folder
check "no file left behind" [ ! -e x.svg ]
"$achdgen" "$robot" --inspect >plain
"$achdgen" "$robot" --inspect --svg x.svg >text
check "--svg FILE: the text as ever" cmp plain text
"$achdgen" "$robot" --svg - --inspect >y.svg
check "--svg -: the drawing, and nothing else" cmp x.svg y.svg
check "--svg - on a full disk" sh -c "! '$achdgen' '$robot' --inspect --svg - >/dev/full 2>&1"

# drawing NAME URDF LAYOUT: is sound, and says the names of the layout's groups and wrenches
drawing() {
  # shellcheck disable=SC2046 # one word per name
  set -- "$1" "$2" "$3" $(sed -n 's/.*[{ ]name = "\([a-z_0-9]*\)",.*/\1/p' "$3")
  name=$1 urdf=$2 layout=$3
  shift 3
  "$achdgen" "$urdf" --layout "$layout" --inspect --svg "$name.svg" >text &&
    "$svg_test" "$name.svg" "$urdf" "$@"
}

# screen NAME: the drawing is no wider than a screen
screen() { [ "$(sed -n 's/.*<svg .* width="\([0-9]*\)".*/\1/p' "$1.svg")" -le 1400 ]; }

for layout in "$top"/robots/*.lua; do
  urdf=${layout%.lua}.urdf
  [ -e "$urdf" ] || continue
  # every third, and those that are looked at below
  case $urdf in */quadruped.urdf | */four_bar.urdf) ;; *) in_sample "$top" 3 || continue ;; esac
  check "$(basename "$urdf")" drawing "$(basename "$urdf" .urdf)" "$urdf" "$layout"
  check "$(basename "$urdf"): fits a screen" screen "$(basename "$urdf" .urdf)"
done
echo 'return {}' >none.lua
for robot in humanoid platform; do # many limbs, beside and below each other
  check "$robot" drawing "$robot" "$top/robots/$robot.urdf" "$PWD/none.lua"
  check "$robot: fits a screen" screen "$robot"
done

cat >joints.lua <<'END'
return {
  payload = { name = "box", frame = "tool_frame", mass = 1.5 },
  groups = {
    { name = "elbow", joint = "joint_4", maskable = true },
    { name = "wrist", joints = { "joint_7", "joint_5" }, kind = "physical" },
  },
}
END
check "rows on joints, a payload" drawing joints "$top/robots/gen3.urdf" joints.lua
for text in "row 1 of elbow" "row 1 of wrist" "row 2 of wrist" "along joint_7, joint_5" "payload box 1.5 kg"; do
  check "rows on joints, a payload: $text" grep -q "$text" joints.svg
done

# -- three branches with joints of all types, frames on frames, names that are long, not ASCII, or XML's signs
awk '
  function link(name, mass) {
    printf "<link name=\"%s\">", name
    if (mass) printf "<inertial><origin xyz=\"0.0123 -0.0456 0.0789\"/><mass value=\"%g\"/><inertia " \
      "ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.03\" iyz=\"0\" izz=\"0.025\"/></inertial>", mass
    print "</link>"
  }
  function joint(name, type, parent, child) {
    printf "<joint name=\"%s\" type=\"%s\"><parent link=\"%s\"/><child link=\"%s\"/>", name, type, parent, child
    printf "<origin xyz=\"0.1 0 0.2\" rpy=\"0.3 0.5 1\"/><axis xyz=\"0.6 0 0.8\"/>"
    if (type != "continuous" && type != "fixed")
      printf "<limit lower=\"-1.23456\" upper=\"2.3456\" effort=\"123.456\" velocity=\"3.14159\"/>"
    print "</joint>"
  }
  BEGIN {
    split("revolute continuous prismatic", types)
    base = "the_base_of_a_machine_with_a_very_long_name_indeed_WWWWMMMM"
    print "<robot name=\"a robot with a name that does not end before the page does, &amp; goes on and on for no reason\">"
    link(base, 12)
    for (a = 0; a < 3; a++) {
      parent = base
      for (k = 0; k < 3; k++) {
        name = "branch_" a "_segment_" k
        for (i = 0; i <= (a + k) % 3; i++) name = name "_wide_MWMW"
        link(name, 1 + a)
        joint("joint_of_" name, types[1 + (a + k) % 3], parent, name)
        under = name
        for (m = 0; m < a * k; m++) {
          frame = "frame_" a k m "_&lt;&amp;&gt;\303\251\344\270\255 &quot;x&quot;"
          link(frame, 0)
          joint("mount_of_" frame, "fixed", under, frame)
          if (m != 1) under = frame
        }
        parent = name
      }
    }
    print "</robot>"
  }' </dev/null >tree.urdf
cat >tree.lua <<'END'
local tip = "branch_2_segment_2_wide_MWMW_wide_MWMW"
return { groups = {
  { name = "free_directions_along_which_nothing_moves", frame = 'frame_110_<&>é中 "x"', rows = 6, kind = "physical" },
  { name = "g", frame = 'frame_220_<&>é中 "x"', axes = "input", rows = { "ang_y" }, acceleration = "spatial" },
  { name = "first", frame = tip, axes = "link", rows = { "lin_x" }, maskable = true },
  { name = "second", frame = tip, rows = { "lin_y" } },
}, wrenches = {
  { name = "on_the_base", frame = "the_base_of_a_machine_with_a_very_long_name_indeed_WWWWMMMM", kind = "physical" },
  { name = "at_the_tip_of_branch_number_two_which_is_the_last", frame = tip, kind = "artificial" },
  { name = "also_at_the_tip", frame = tip, kind = "physical" },
  { name = "on_a_frame", frame = 'frame_121_<&>é中 "x"', kind = "physical" },
}, outputs = { "qdd", acc = { tip }, pose = { tip } },
  armature = { joint_of_branch_0_segment_0_wide_MWMW = 0.123456 },
  passive = { "joint_of_branch_0_segment_0_wide_MWMW" }, inertia_inputs = { tip },
  locked = { joint_of_branch_0_segment_2_wide_MWMW_wide_MWMW_wide_MWMW = 0.3 } }
END
check "tree with long names" drawing tree "$PWD/tree.urdf" "$PWD/tree.lua"
"$achdgen" tree.urdf --layout tree.lua --inspect --svg - >again.svg
check "tree with long names: the same bytes again" cmp tree.svg again.svg
# -- bases: a symbol each
for base in fixed planar floating; do
  case $base in fixed) symbol=ground ;; *) symbol=${base}_base ;; esac
  echo "return { base = '$base', groups = {} }" >base.lua
  check "$base base" drawing "$base" "$top/robots/quadruped.urdf" "$PWD/base.lua"
  check "$base base: its symbol" grep -q "<use xlink:href=\"#$symbol\"" $base.svg
  check "$base base: no other's" [ "$(grep -o 'href="#[a-z]*_base"\|href="#ground"' $base.svg | sort -u | wc -l)" -eq 1 ]
  check "$base base: said" grep -q "base {trunk}, $base" $base.svg
done
check "twelve physical rows, and one in the legend, in their colour" \
  [ "$(grep -o '<rect class="environment_on"' quadruped.svg | wc -l)" -eq 13 ]
check "no artificial row, none in its colour" [ "$(grep -c '<rect class="motor_on"' quadruped.svg)" -eq 0 ]
quadruped=$("$achdgen" "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --inspect |
  sed -n 's/^  operations (early): \([0-9]*\) = .*/\1 operations (early/p; s/^  at worst (early): \([0-9]*\) = .*/; at worst \1)/p' | tr -d '\n')
check "operations of the solve that most states take, and at worst: $quadruped" grep -q "achd: $quadruped<" quadruped.svg
check "tied frame" grep -q '>tied by pin' four_bar.svg
check "tie drawn" grep -q '<path class="environment_tie" d="M ' four_bar.svg
says() { grep -q -F -e "$1" tree.svg; }
check "tree: marks of joints and frames" says 'passive: no motor'
check "tree: armature" says 'armature 0.123456 kg m^2'
check "tree: locked joint" says '_wide_MWMW locked at 0.3'
check "tree: outputs and inertia inputs" says 'inertia at run time, pose put out, acc put out'
for symbol in revolute continuous prismatic locked ground mass motor_wrench environment_wrench; do
  check "tree: symbol $symbol" says "<use xlink:href=\"#$symbol\""
done
sed -n 's/.*<use xlink:href="#\([a-z_]*\)".*/\1/p' tree.svg | sort -u >symbols
while read -r symbol; do check "tree: symbol $symbol is defined" says "<g id=\"$symbol\">"; done <symbols
finish
