#!/bin/sh
# tests/numbers/several_singularities.sh ACHDGEN ROBOTS: close to several singular configurations at once small pivots multiply:
# arms of robots/ with every formulation against quad precision (several_singularities.c). Default: 300 states of three arms;
# ACHD_SWEEP=1: 20000 of each.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
robots=$(cd "$2" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"
states=300
arms="iiwa7:iiwa_link_ee gen3_6dof:tool_frame puma560:link_6"
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  states=20000
  arms="$arms gen3:end_effector_link lwr4:lwr_7_link panda:panda_link8 youbot_arm:gripper_palm_link"
fi

# layout FRAME WORDS: six rows, four where the arm has five joints
layout() {
  rows=
  [ "$1" != gripper_palm_link ] || rows='rows = { "lin_x", "lin_y", "lin_z", "ang_x" },'
  echo "return { gravity = { 0, 0, -9.81 }, tips = { \"$1\" }, $2 groups = { { name = \"tool\", frame = \"$1\", $rows maskable = true } }, outputs = { \"qdd\", \"pivot_min\" } }"
}
for arm in $arms; do
  robot=${arm%%:*}
  layout "${arm##*:}" "" >robot.lua
  layout "${arm##*:}" "singular_threshold = 1e-25," >exact.lua
  "$achdgen" "$robots/$robot.urdf" --layout exact.lua --name exact --formulation joint --no-prove -o exact.h 2>said
  for formulation in null recursion joint; do
    "$achdgen" "$robots/$robot.urdf" --layout robot.lua --name robot --formulation $formulation --no-prove -o robot.h 2>said
    gcc -std=gnu99 -O0 -I. "$tests/several_singularities.c" -o sweep -lquadmath -lm
    check "$robot, $formulation" ./sweep $states 1e-8 1e-6
    echo "$robot, $formulation: $(tail -1 .said)"
  done
done
finish
