#!/bin/sh
# SPDX-License-Identifier: MIT
# weights.sh ACHDGEN ACHDGEN_FROM_FOLDER SOURCE_DIR: rows that weigh drivers (docs/layouts.md): weights of 1 change no byte; constants and
# inputs, of a solve, bounded rows and their derivatives, are proven and pass --check, and mistakes in the scripts are noticed; bad weights are
# told; what cannot have weights is refused.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
from_folder=$(absolute "$2")
top=$(absolute "$3")
# shellcheck source=tests/numbers/plant.sh
. "$top/tests/numbers/plant.sh"
cd "$scratch" || exit 1
arm=$top/robots/youbot_arm.urdf

# layout NAME WEIGHTS WORDS-OF-THE-GROUP OUTPUTS
layout() {
  cat >"$1.lua" <<END
return {
  torques = { physical = true, artificial = true }, friction = { viscous = { arm_joint_1 = 0.5, arm_joint_3 = 1 } },
  wrenches = { { name = "push", frame = "arm_link_5", kind = "physical" }, { name = "grip", frame = "arm_link_3", kind = "artificial" } },
  groups = { { name = "tool", frame = "arm_link_5", rows = { "lin_x", "lin_y", "lin_z" }, $2 $3 } },
  outputs = { "qdd", "nu", "tau_ctrl", $4 },
}
END
}
mixed='weights = { push = { lin_z = 0 }, tau_phys = 0.3, tau_art = 0.5, viscous = 0.25, grip = { lin_x = 0.125 } },'
shares='contributions = { "qdd", "nu", "tau_ctrl" }'
layout none '' '' '"residual"'
layout ones 'weights = 1,' '' '"residual"'
layout some 'weights = { push = { lin_z = 1 }, tau_art = 1 },' '' '"residual"'
layout numbers "$mixed" '' "\"residual\", $shares"
layout inputs 'weights = "input",' '' '"residual"'
for formulation in joint null; do
  for name in none ones some; do
    "$achdgen" "$arm" --layout $name.lua --formulation $formulation --no-prove -o made.h -q
    grep -v -e '^ \* input' -e '^ \*   achdgen' made.h >$name.txt
  done
  check "weights of 1 change no byte, $formulation" cmp none.txt ones.txt
  check "weights of 1 by row change none, $formulation" cmp none.txt some.txt
done

proven() { # ROBOT LAYOUT FUNCTIONS
  "$achdgen" "$1" --layout "$2" --functions "$3" --prove 2 -q >proved && ! grep -q 'NOT identical' proved && grep -q 'identical' proved
}
for name in numbers inputs; do
  sampled 2 "$name are proven, with derivatives" proven "$arm" $name.lua achd,dachd
done
sampled 2 "--check, inputs" "$achdgen" "$arm" --layout inputs.lua --functions achd,dachd --check 2
[ "${ACHD_SWEEP:-0}" != 1 ] || check "--check, numbers in float" "$achdgen" "$arm" --layout numbers.lua --real float --check 2
cat >standing.lua <<'END'
return {
  base = "floating", torques = { physical = true },
  wrenches = { { name = "push", frame = "trunk", kind = "physical" } },
  groups = {
    { name = "body", frame = "trunk", rows = { "lin_z", "ang_x" }, weights = "input" },
    { name = "fl", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical", maskable = true },
    { name = "fr", frame = "fr_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical", compliance = { lin_z = 0.01 } },
  },
}
END
sampled 2 "beside feet that stand, proven" proven "$top/robots/quadruped.urdf" standing.lua achd
[ "${ACHD_SWEEP:-0}" != 1 ] || check "beside feet that stand, --check" "$achdgen" "$top/robots/quadruped.urdf" --layout standing.lua --check 2

# Bounded rows: the problem is proven; the derivatives inside the bounds are those of the rows without.
layout bounded "$mixed" 'bounds = { lin_z = { -1000, 1000 } },' '"residual"'
layout free "$mixed" '' '"residual"'
check "bounded rows, proven" proven "$arm" bounded.lua mclp
cat >compare.py <<'END'
import random, sys
sys.dont_write_bytecode = True
achdgen, arm, top = sys.argv[1:]
sys.path.insert(0, top + "/tests/program")
from checks import check, columns, evaluated, finish
random.seed(3)
state = {}
def values(layout, function, draw=False):
    command = (achdgen, arm, "--layout", layout, "--functions", function)
    names = columns(layout, command)
    if draw:
        state.update({name: random.uniform(-1, 1) for name in names[0]})
    check(f"{layout}: its inputs", set(names[0]) <= set(state), names[0])
    return evaluated(layout, command, names, [state])[0]
free = values("free.lua", "dachd", draw=True)
state.update({n: x for n, x in free.items() if n.startswith("nu.")})
state.update({"side." + n[3:]: 0.0 for n in free if n.startswith("nu.")})
bounded = values("bounded.lua", "dmclp")
same = [n for n in bounded if n in free and n.startswith("d")]
worst = max(abs(bounded[n] - free[n]) / (1 + abs(free[n])) for n in same)
check(f"{len(same)} derivatives, {worst}", worst <= 1e-9 and len(same) >= 100)
finish()
END
check "derivatives of bounded rows inside their bounds" python3 compare.py "$achdgen" "$arm" "$top"

# Weights that mean nothing: BAD_INPUT is 16.
"$achdgen" "$arm" --layout inputs.lua --columns | sed -n 's/^in \([^ ]*\) .*/\1/p' >columns
for weight in 0 1 0.5 -0.1 1.1; do
  awk -v w=$weight '{ printf "%s ", $1 == "weight.push.tool.lin_x" ? w : /^weight/ ? 1 : 0.1 } END { print "" }' columns
done | "$achdgen" "$arm" --layout inputs.lua --eval | awk '{ printf "%s ", $NF }' >statuses
check "0, 1 and 0.5 are weights, -0.1 and 1.1 are none" [ "$(cat statuses)" = "0 0 0 16 16 " ]

# refused TEXT LAYOUT ARGUMENTS...
refused() {
  text=$1 layout=$2
  shift 2
  check "refused: $text" sh -c '! "$@" -o refused.h 2>said && [ ! -e refused.h ]' sh "$achdgen" "$arm" --layout "$layout" "$@"
  check "says: $text" grep -q -e "$text" said
}
sed 's/return {/return { realise = "motors", passive = { "arm_joint_5" },/' numbers.lua >motors.lua
refused 'weights cannot be used with realise = "motors"' motors.lua
sed 's/return {/return { realise = "optimum", effort = { arm_joint_1 = 9 },/; s/, artificial = true//; s/, { name = "grip"[^}]*}//' inputs.lua >optimum.lua
refused 'weights cannot be used with realise = "optimum"' optimum.lua
sed 's/viscous = {/coulomb = { arm_joint_1 = 2 }, viscous = {/' numbers.lua >coulomb.lua
refused 'beside friction of joints' coulomb.lua
sed '/groups/s/} },$/}, { name = "wall", frame = "arm_link_3", rows = { "lin_x" }, kind = "physical" } },/' bounded.lua >wall.lua
refused 'beside physical group "wall"' wall.lua
sed '/groups/s/} },$/}, { name = "wall", frame = "arm_link_3", rows = { "lin_x" }, kind = "physical" } },/' numbers.lua >wall.lua
refused 'dachd has no derivatives of weights beside physical rows' wall.lua --functions dachd
layout bound "$mixed" '' '"bound"'
refused '"bound" cannot be used with weights' bound.lua

mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 9 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  mutants=$((mutants + 1))
  {
    "$from_folder" "$arm" --layout numbers.lua --functions achd,dachd --prove 2 -q
    "$from_folder" "$top/robots/quadruped.urdf" --layout standing.lua --functions achd --prove 2 -q
  } >told 2>errors || true
  check "noticed, $file: $new" grep -q 'NOT identical' told
done <"$top/tests/numbers/weight_mutants.txt"
echo "  $mutants mistakes in scripts"
finish
