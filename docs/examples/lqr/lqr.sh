#!/bin/sh
# SPDX-License-Identifier: MIT
# lqr.sh ACHDGEN ROBOT.urdf [Q...]: a linear-quadratic controller that holds a robot with a fixed base at the positions Q (default: 0.4 each).
# Prints the torques that hold it there, then the gain K, a row per joint: tau = tau_hold - K (q - Q, qd).
set -eu
achdgen=$1 robot=$2
shift 2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'return { gravity = { 0, 0, -9.81 }, groups = {} }' >"$work/layout.lua"
run() { "$achdgen" -q "$robot" --layout "$work/layout.lua" --functions "$@"; }

run dfd --columns >"$work/columns"
joints=$(grep -c '^in q\.' "$work/columns")
if [ $# -eq 0 ]; then
  # shellcheck disable=SC2046 # one word per joint
  set -- $(yes 0.4 | head -n "$joints")
fi
[ $# -eq "$joints" ] || { echo "lqr.sh: the robot has $joints joints, and there are $# positions" >&2; exit 1; }
rest=$(yes 0 | head -n "$joints" | tr '\n' ' ')

hold=$(echo "$*" | run gravity --eval | cut -d ' ' -f "1-$joints")
echo "$* $rest $hold" | run dfd --eval >"$work/numbers"
echo "hold $hold"
python3 "$here/lqr.py" "$work/columns" "$work/numbers"
