#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/arm_way.sh ACHDGEN SOURCE_DIR CC LIBACHD: the way of docs/runtime.md from an arm's URDF to a moving robot, its commands carried out as
# they stand there in an empty folder: a UR5e, which is not in robots/, touches a table, slides and goes up again in MuJoCo, by fewer than 40 lines of
# a user's own; Ctrl-C brakes it. A Gen3 and a Fetch with its torso, which slides, take the same way. By the table alone all three stop safely
# (tests/runtime/loop_stops.c), also with a load that comes at run time. ACHD_SWEEP=1: 1000 stops of each, and a UR5e without rotors.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
library=$(absolute "$4")
example=$top/docs/examples/arm
runs=30
[ -z "${ACHD_SWEEP-}" ] || runs=1000
[ -e /usr/include/mujoco/mujoco.h ] || skip_all "no MuJoCo"

# The commands find what an installation has in its places.
mkdir "$scratch/bin" "$scratch/ur5e"
ln -s "$achdgen" "$scratch/bin/achdgen"
ln -s "$library" "$scratch/bin/libachd.${library##*.}"
ln -s "$(command -v "$cc")" "$scratch/bin/cc"
PATH=$scratch/bin:$PATH
CPATH=$top/runtime
LIBRARY_PATH=$scratch/bin
LD_LIBRARY_PATH=$(dirname "$library")
export PATH CPATH LIBRARY_PATH LD_LIBRARY_PATH

# The blocks of the first chapter: all commands, and those that write files of the user's.
awk '/^## / { chapter++ } chapter == 1 && /^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/runtime.md" >"$scratch/commands.sh"
awk "/^cat >/ { on = 1; next } /^END\$/ { on = 0 } on" "$scratch/commands.sh" >"$scratch/own"
check "there are commands" [ "$(wc -l <"$scratch/commands.sh")" -ge 25 ]
check "a user writes fewer than 40 lines" [ "$(wc -l <"$scratch/own")" -lt 40 ]
check "... and some" [ "$(wc -l <"$scratch/own")" -ge 10 ]

states='stop approach press slide retreat stop'
# arrives FILE: what the program printed: every state in its turn, no fault.
arrives() { [ "$(sed -n 's/^ *[0-9.]* s: //p' "$1" | tr '\n' ' ')" = "$states " ] && grep -q 'fault 0$' "$1"; }
# presses FILE: while it slid, with 10 N within 1 N in the mean, and off the table in at most one cycle of 20.
presses() {
  awk '$1 == "slid" { seen = 1; good = $3 > 9 && $3 < 11 && 20 * $13 <= $15 } END { exit !(seen && good) }' "$1"
}

cd "$scratch/ur5e"
cp "$example/ur5e.urdf" "$example/main.c" "$example/real_time.h" .
check "the commands of docs/runtime.md" sh -eu "$scratch/commands.sh" >said 2>&1 || cat said
./arm >moved || true
check "the UR5e arrives" arrives moved
check "the UR5e presses" presses moved
awk '/^## / { chapter++ } chapter == 1 && /^```text$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/runtime.md" >shown
check "as docs/runtime.md shows it" diff shown moved
check "the slide is 0.10 m" sh -c "sed -n 's/^tool at \([-0-9.]*\) \([-0-9.]*\) .*/\1 \2/p' moved |
  awk '{ d = sqrt((\$1 + 0.4736)^2 + (\$2 + 0.2860)^2); exit !(d > 0.095 && d < 0.105) }'"

# Ctrl-C, in real time: it is braked, held, and the program ends by itself. Other programs can make a cycle so late that the loop raises a fault;
# then once more.
is_stopped() { [ "$(sed -n 's/^ *[0-9.]* s: //p' stopped | tr '\n' ' ')" = 'stop approach stop ' ] && grep -q 'fault 0$' stopped; }
was_late() { awk '/cycles began late by/ { late = $(NF - 2) } END { exit !(late > 300) }' stopped; } # by more than 300 us
for _ in 1 2 3 4 5; do
  ./arm real-time >stopped 2>&1 &
  program=$!
  sleep 1
  kill -INT "$program"
  code=0
  wait "$program" || code=$?
  if is_stopped || ! was_late; then break; fi
done
check "Ctrl-C ends the program" [ "$code" -eq 1 ]
check "... which says so" grep -qx 'asked to end: braked and held' stopped
check "... in a stop, without a fault" is_stopped
check "... and tells how late cycles were" grep -q 'cycles began late by' stopped

# stops NAME FLAGS...: by the table alone.
stops() {
  name=$1
  shift
  # shellcheck disable=SC2086 # flags are words
  check "$name: the stops are made" "$cc" -std=c11 -O0 -D_GNU_SOURCE "$@" -I. -I"$top/tests" -I"$top/tests/runtime" "$top/tests/runtime/loop_stops.c" -o stops \
    -lachd -lmujoco -lm
  check "$name: stops" sh -c "./stops arm.xml $runs >stops.txt || { cat stops.txt; false; }"
  sed -n "s/^stops:/$name &/p; s/^a load/$name, &/p" stops.txt
}
stops UR5e

# way NAME ROBOT FRAME: the same with arm.lua and scene.lua, which stand there.
way() {
  "$achdgen" "$2" --layout arm.lua --functions achd,fk,fvk,gravity,fd --mode inline --no-prove -q
  "$achdgen" "$2" --layout arm.lua --loop -q
  "$achdgen" "$2" --layout arm.lua --scene scene.lua --mjcf arm.xml -q
  cp ../ur5e/work_task.h ../ur5e/steps_machine.h ../ur5e/main.c ../ur5e/real_time.h .
  check "$1: the program" "$cc" -std=c11 -O0 -DSENSOR="\"$3\"" main.c -o arm -lachd -lmujoco -lm
  ./arm >moved || true
  check "$1 arrives" arrives moved
  check "$1 presses" presses moved
}

# Of these two one is tried (in_sample): a Gen3 that carries what comes at run time,
gen3_way() {
  mkdir "$scratch/gen3"
  cd "$scratch/gen3"
  "$achdgen" "$top/robots/gen3.urdf" --init loop >printed.lua
  cat >arm.lua <<'END'
local arm = include "printed.lua"
arm.armature = {
  joint_1 = 0.558, joint_2 = 0.558, joint_3 = 0.558, joint_4 = 0.558, joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
}
arm.payload = { frame = "tool_frame", mass = "input" }
return arm
END
  cat >scene.lua <<'END'
return {
  objects = { { name = "table", kind = "table", height = 0.10, position = { 0.55, 0 }, size = { 0.5, 0.8 },
    surface = { friction = 0.2, time_constant = 0.05 } } },
  robot = {
    posture = { joint_1 = -0.295106, joint_2 = 0.839180, joint_3 = -2.714473, joint_4 = -2.036375, joint_5 = -0.810879,
      joint_6 = -0.439211, joint_7 = 0.761116 },
    shapes = { tool_frame = { { kind = "sphere", radius = 0.01, position = { 0, 0, -0.01 } } }, bracelet_link = {} },
  },
}
END
  way Gen3 "$top/robots/gen3.urdf" tool_frame
  stops Gen3 -DCARRIED='"tool_frame"'
}
! in_sample "$top" 2 || gen3_way

# and a Fetch, on a base that stands still: a torso that slides, and seven joints.
fetch_way() {
  mkdir "$scratch/fetch"
  cd "$scratch/fetch"
  python3 "$top/tests/contact/loop_arms.py" Fetch whole.xml
  sed '/<freejoint/d' whole.xml >fetch.xml
  cat >arm.lua <<'END'
local tool = "tool"
return {
  name = "arm", gravity = { 0, 0, -9.81 }, saturate = true, torques = { artificial = true }, tips = { "tool" },
  armature = { torso_lift = 40, joint_1 = 0.2, joint_2 = 0.2, joint_3 = 0.2, joint_4 = 0.2, joint_5 = 0.1, joint_6 = 0.1, joint_7 = 0.1 },
  effort = { torso_lift = 900, joint_1 = 33.82, joint_2 = 131.76, joint_3 = 76.94, joint_4 = 66.18, joint_5 = 29.35, joint_6 = 25.7, joint_7 = 7.36 },
  joint_limits = { torso_lift = { velocity = 0.1 }, joint_1 = { velocity = 1.25 }, joint_2 = { velocity = 1.45 }, joint_3 = { velocity = 1.57 },
    joint_4 = { velocity = 1.52 }, joint_5 = { velocity = 1.57 }, joint_6 = { velocity = 2.26 }, joint_7 = { velocity = 2.26 } },
  wrenches = { { name = "push", frame = tool, kind = "physical" }, { name = "press", frame = tool, kind = "artificial" } },
  groups = { { name = "tool", frame = tool, axes = "input", maskable = true } },
  outputs = { "qdd", "tau_ctrl", pose = { tool }, twist = { tool } },
}
END
  cat >scene.lua <<'END'
return {
  objects = { { name = "table", kind = "table", height = 0.88, position = { 0.75, 0.35 }, size = { 0.4, 0.6 },
    surface = { friction = 0.2, time_constant = 0.05 } } },
  robot = {
    posture = { torso_lift = 0.1, joint_1 = 0.3, joint_2 = 0.9, joint_4 = 0.9, joint_6 = 1.34 },
    shapes = { tool = { { kind = "sphere", radius = 0.01 } }, link_7 = {} },
  },
}
END
  "$achdgen" fetch.xml --layout arm.lua --mjcf plain.xml 2>warned
  check "a capsule beyond the flange is warned of" grep -q 'warning: link "link_7" has no shape, and the capsule in its place ends 50 mm beyond "tool"' warned
  "$achdgen" fetch.xml --layout arm.lua --scene scene.lua --mjcf plain.xml 2>warned
  check "... and one that the scene takes away is not" sh -c "! grep -q capsule warned"
  way Fetch fetch.xml tool
  stops Fetch
}
! in_sample "$top" 2 || fetch_way
finish
