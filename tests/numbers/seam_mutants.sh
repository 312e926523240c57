#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/seam_mutants.sh ACHDGEN ACHDGEN_FROM_FOLDER SEAM_TEST PIVOT_TEST OPTIMUM_TEST ROWS_FIRST_TEST SOURCE_DIR: do the tests of the
# seam, of the least pivot, of several singularities, of optima and of early elimination notice mistakes?
#
#   1. Each line of seam_mutants.txt (every 40th by default, in_sample) is planted in a copy of the scripts.
#   2. Two in the emitted text: a branch that is always taken, and a batch that takes the null-space solve where one of its lanes may.
#   3. How often the generator counts that states take the null-space solve, beside what the test finds at other random states.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
from_folder=$(absolute "$2")
seam_test=$(absolute "$3")
pivot_test=$(absolute "$4")
optimum_test=$(absolute "$5")
rows_first_test=$(absolute "$6")
top=$(cd "$7" && pwd)
. "$(dirname "$0")/plant.sh"

# Optima of a gen3: on a sole with points, and welded beside a wall.
cat >"$scratch/sole.lua" <<'END'
return {
  realise = "optimum",
  groups = {
    { name = "foot", frame = "tool_frame", axes = "link", kind = "physical", maskable = true, wanted = "input",
      contact = { normal = "lin_z", friction = 0.7, points = { { 0.125, 0.0625, 0 }, { 0.125, -0.0625, 0 }, { -0.125, -0.0625, 0.03125 }, { -0.125, 0.0625, 0 } } } },
    { name = "elbow", frame = "half_arm_2_link", rows = { "lin_x", "lin_y" } },
  },
  outputs = { "qdd", "nu", "residual" },
}
END
cat >"$scratch/weld.lua" <<'END'
return {
  realise = "optimum", torques = { physical = true, artificial = true }, limits = { margin = 0.3 },
  wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = {
    { name = "weld", frame = "tool_frame", rows = { "ang_x", "lin_z" }, kind = "physical", wanted = "input" },
    { name = "wall", frame = "tool_frame", axes = "link", rows = { "lin_x", "lin_y" }, kind = "physical", contact = { normal = "lin_x", friction = "input" }, weight = 0.02 },
    { name = "elbow", frame = "half_arm_2_link", rows = { "lin_x", "lin_y" }, upper = "input" },
    { name = "rest", joints = { "joint_1", "joint_3" }, priority = 3, maskable = true },
  },
  outputs = { "qdd", "nu", "residual", "tau_ctrl" },
}
END

# Rows with thresholds that K is orthogonalised for, and rows that are dropped.
echo 'return { singular_threshold = 1e-9, groups = { { name = "tool", frame = "tool_frame" } } }' >"$scratch/digits.lua"
echo 'return { singularity = "drop", groups = { { name = "tool", frame = "tool_frame" } } }' >"$scratch/drops.lua"
echo 'return { singularity = "truncate", groups = { { name = "tool", frame = "tool_frame" } } }' >"$scratch/cuts.lua"
# An optimum with physical rows of which one stands there twice.
cat >"$scratch/held.lua" <<'END'
return {
  realise = "optimum",
  groups = {
    { name = "held", frame = "tool_frame", rows = { "lin_x", "lin_y" }, kind = "physical" },
    { name = "twice", frame = "tool_frame", rows = { "lin_x" }, kind = "physical" },
    { name = "elbow", frame = "half_arm_2_link", rows = { "lin_y", "lin_z" } },
  },
  outputs = { "qdd", "nu", "residual" },
}
END
# Rows that motors and contacts alone realise; what is cut off of them.
cat >"$scratch/motors.lua" <<'END'
return {
  realise = "motors", base = "planar", passive = { "joint_6" },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x" } },
    { name = "wall", frame = "forearm_link", rows = { "lin_x", "ang_y" }, kind = "physical", maskable = true },
  },
}
END
cat >"$scratch/motors_cut.lua" <<'END'
return {
  realise = "motors", passive = { "joint_6", "joint_2" }, singularity = "truncate", singular_threshold = 1e-3,
  groups = {
    { name = "tool", frame = "bracelet_link", rows = { "ang_y", "ang_x" }, maskable = true },
    { name = "elbow", frame = "forearm_link", rows = { "lin_y", "ang_x" } },
  },
}
END
# An optimum with a level of six rows of four joints, and one of rows that no joint reaches.
cat >"$scratch/level.lua" <<'END'
return {
  realise = "optimum", locked = { joint_5 = 0, joint_6 = 0, joint_7 = 0 },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } },
    { name = "first", frame = "shoulder_link", rows = { "lin_x" }, priority = 2 },
    { name = "range", frame = "shoulder_link", rows = { "lin_y", "ang_z" }, upper = "input", priority = 2 },
  },
}
END
# Physical rows that are solved again under clamped torques, with one of them twice.
cat >"$scratch/again.lua" <<'END'
return {
  saturate = true, effort = { joint_1 = 5, joint_2 = 5 },
  groups = {
    { name = "wall", frame = "tool_frame", rows = { "lin_x", "lin_y" }, kind = "physical" },
    { name = "twice", frame = "tool_frame", rows = { "lin_x" }, kind = "physical" },
    { name = "elbow", frame = "half_arm_2_link", rows = { "lin_x", "lin_y" } },
  },
}
END

# passes PROGRAM CASE: the test passes. In each case it must, as the scripts are: else a mutant would be blamed for what it did not do.
passes() {
  case $2 in
    "pivot: "*)
      "$pivot_test" --achdgen "$1" --only "${2#pivot: }"
      return
      ;;
    "singular: "*)
      sh "$top/tests/numbers/several_singularities.sh" "$1" "$top/robots" "${2#singular: }"
      return
      ;;
    "check: gen3, "*)
      "$1" "$top/robots/gen3.urdf" --layout "$scratch/${2#check: gen3, }.lua" --check 12 2>&1
      return
      ;;
    "check: float, "*)
      robot=${2#check: float, }
      "$1" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --real float --check 3 2>&1
      return
      ;;
    "check: "*)
      robot=${2#check: }
      "$1" "$top/robots/${robot##*/}.urdf" --layout "$top/robots/${2#check: }.lua" --check 3 2>&1
      return
      ;;
    "optimum: "*)
      "$optimum_test" --achdgen "$1" --robots "$top/robots" --only "${2#optimum: }" --states 2
      return
      ;;
    "limb: "*)
      robot=$top/tests/numbers/early/${2#limb: }
      "$1" "$robot.urdf" --layout "$robot.lua" --formulation early --functions achd --check 40 2>&1
      return
      ;;
    "early: "*)
      "$rows_first_test" --achdgen "$1" --robots "$top/robots" --only "${2#early: }"
      return
      ;;
  esac
  pairs=4 # of neighbours
  [ "$2" != "gen3, two groups" ] || pairs=10 # of four there is none whose way the least pivot decides
  "$seam_test" --achdgen "$1" --states "$pairs" --only "$2"
}

# notices PROGRAM CASE: the test fails, by numbers or ways, not because a script broke.
notices() {
  if passes "$@" >"$scratch/said"; then
    cat "$scratch/said"
    return 1
  fi
  grep -q -e 'BAD .*: .*([0-9a-z.e+-]*)$' -e 'leads to neither' -e 'BAD .*; 0 of [0-9]* choices' \
    -e 'error: check: achd, ' -e 'error: check: qp, ' -e 'error: check: apply, ' -e 'BAD status 0, error' -e 'BAD .*: error .*, tolerance' -e 'BAD state [0-9]*, a ' "$scratch/said" && return
  cat "$scratch/said"
  return 1
}

mutants=0
passed_cases="|"
while IFS='|' read -r case file old new; do
  case $case in '#'* | '') continue ;; esac
  in_sample "$top" 40 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  mutants=$((mutants + 1))
  case $passed_cases in *"|$case|"*) ;; *)
    check "$case: the scripts as they are" passes "$achdgen" "$case"
    passed_cases="$passed_cases$case|"
    ;;
  esac
  check "$case: a mutant of $file is noticed: $new" notices "$from_folder" "$case"
done <"$top/tests/numbers/seam_mutants.txt"
check "there are mutants" [ "$mutants" -ge 2 ]

# edited PROGRAM SED_SCRIPT: a generator whose headers are edited, once.
edited() {
  cat >"$1" <<END
#!/bin/sh
"$achdgen" "\$@" || exit
while [ \$# -gt 0 ]; do
  if [ "\$1" = -o ]; then
    sed -i.before "$2" "\$2" && ! cmp -s "\$2" "\$2.before" || exit
  fi
  shift
done
END
  chmod +x "$1"
}
batch="gen3_6dof, five rows, batch"
check "$batch: the headers as they are" passes "$achdgen" "$batch"
edited "$scratch/always" 's/^  if (regular) {/  if (regular || 1) {/'
check "a branch that is always taken is noticed" notices "$scratch/always" "$batch"
edited "$scratch/one_state" '/regular\[0\] & /s/ & / | /g'
check "a batch that takes the null-space solve for one of its states is noticed" notices "$scratch/one_state" "$batch"

if [ -n "${ACHD_SWEEP:-}" ]; then # masks asked before the pivots are known
  check "two arms, batch: the headers as they are" passes "$achdgen" "two arms, batch"
  edited "$scratch/within" 's/^    if (regular) {/    if (regular || 1) {/'
  check "an inner branch that is always taken is noticed" notices "$scratch/within" "two arms, batch"
  edited "$scratch/lost" 's/^  *pivot_min_[a-z0-9_]* = .*/;/'
  check "a least pivot that is lost is noticed" notices "$scratch/lost" "two arms, batch"
fi

# the share of the states that take the null-space solve
plant main.lua "  local whole = variant(best, chosen)" "  local whole = variant(best, chosen); ag.warn(0, \"share \" .. chosen.share)"
for case in "two arms" "quadruped" "lwr4, four rows"; do
  in_sample "$top" 6 || continue
  check "$case: the share that the generator counts" "$seam_test" --achdgen "$from_folder" --states 10 --only "$case" --run share
  cat "$scratch/.said"
done
echo "$mutants mutants of the scripts"
finish
