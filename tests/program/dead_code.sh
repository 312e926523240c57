#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/dead_code.sh ACHDGEN SOURCE_DIR: what a layout does not ask for costs nothing: operations are counted with and
# without its words, in both formulations.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
urdf=$top/robots/gen3.urdf

# inspected WORDS [OPTION...]: what --inspect says of gen3 under the layout { WORDS }. The same layouts are compared with many others: each is asked once.
inspected() {
  asked=$scratch/asked/$(printf '%s\n' "$@" | cksum | tr ' ' _)
  if [ ! -s "$asked" ]; then
    mkdir -p "$scratch/asked"
    printf 'return { %s }\n' "$1" >"$scratch/layout.lua"
    shift
    "$achdgen" "$urdf" --layout "$scratch/layout.lua" "$@" --inspect >"$asked.new" && mv "$asked.new" "$asked"
  fi
  cat "$asked"
}

# Of all functions asked for, in one line each: flops (+ - * /), divisions, sines and cosines.
flops() { inspected "$@" | sed -n 's/^  operations ([A-Za-z ]*): \([0-9]*\) = .*/\1/p'; }
divisions() { inspected "$@" | sed -n 's/^  operations .* mul + \([0-9]*\) div;.*/\1/p'; }
trig() { inspected "$@" | sed -n 's/^  operations .*, \([0-9]*\) sin or cos,.*/\1/p'; }
costs() { inspected "$@" | sed -n 's/^  operations ([A-Za-z ]*): \(.*\)/\1/p'; }

free='groups = {}'
tool='groups = { { name = "tool", frame = "tool_frame" } }'
qdd='outputs = { "qdd" }'

# less WHAT A B, more_by WHAT A B N..: the flops of the layouts A and B, by either formulation; N: the difference,
# least and most.
less() {
  for formulation in recursion joint; do # one of the two
    in_sample "$top" 2 || continue
    a=$(flops "$2" --formulation "$formulation")
    b=$(flops "$3" --formulation "$formulation")
    check "$1, $formulation: $a < $b" [ "$a" -lt "$b" ]
  done
}
more_by() {
  for formulation in recursion joint; do # one of the two
    in_sample "$top" 2 || continue
    a=$(flops "$2" --formulation "$formulation")
    b=$(flops "$3" --formulation "$formulation")
    check "$1, $formulation: $b - $a is not below $4" [ $((b - a)) -ge "$4" ]
    check "$1, $formulation: $b - $a is not above $5" [ $((b - a)) -le "$5" ]
  done
}
same() {
  for formulation in recursion joint; do # one of the two
    in_sample "$top" 2 || continue
    check "$1, $formulation" [ "$(costs "$2" --formulation "$formulation")" = "$(costs "$3" --formulation "$formulation")" ]
  done
}

# A word that says what is the default anyhow, or that acts on nothing.
for word in 'saturate = false' 'torques = { physical = false, artificial = false }' 'wrenches = {}' 'passive = {}' \
  'inertia_inputs = {}' 'armature = { joint_3 = 0 }' 'gravity = "input"' 'base = "fixed"' 'orientation = "matrix"' \
  'singularity = "damp"' 'effort = { joint_1 = 20 }' 'root = "base_link"' 'tips = { "tool_frame" }'; do
  same "$word changes nothing" "$tool, $qdd" "$tool, $word, $qdd"
done
for word in 'singularity = "drop"' 'singularity = "truncate"' 'singular_threshold = 1e-12' 'passive = { "joint_2" }'; do
  same "without rows, $word changes nothing" "$free, $qdd" "$free, $word, $qdd"
done
same 'kind = "physical" changes nothing for the motion' "$tool, $qdd" \
  'groups = { { name = "tool", frame = "tool_frame", kind = "physical" } }, outputs = { "qdd" }'

# Every word that does something costs something, and only then.
less 'rows' "$free, $qdd" "$tool, $qdd"
before='groups = {}'
for rows in '"lin_x"' '"lin_x", "lin_y"' '"lin_x", "lin_y", "lin_z"' '"lin_x", "lin_y", "lin_z", "ang_x"' \
  '"lin_x", "lin_y", "lin_z", "ang_x", "ang_y"' '"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"'; do
  now="groups = { { name = \"tool\", frame = \"tool_frame\", rows = { $rows } } }"
  less "one row more: $rows" "$before, $qdd" "$now, $qdd"
  before=$now
done
less 'a frame nearer to the base' \
  'groups = { { name = "tool", frame = "forearm_link", rows = { "lin_x" } } }, outputs = { "qdd" }' \
  'groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } }, outputs = { "qdd" }'
less 'maskable' "$tool, $qdd" 'groups = { { name = "tool", frame = "tool_frame", maskable = true } }, outputs = { "qdd" }'
less 'spatial set-points' "$tool, $qdd" \
  'groups = { { name = "tool", frame = "tool_frame", acceleration = "spatial" } }, outputs = { "qdd" }'
less 'gravity folded in' "$tool, gravity = { 0, 0, -9.81 }, $qdd" "$tool, $qdd"
less 'no gravity' "$tool, gravity = { 0, 0, 0 }, $qdd" "$tool, gravity = { 0, 0, -9.81 }, $qdd"
less 'armature' "$tool, $qdd" "$tool, armature = { joint_1 = 0.5, joint_4 = 0.5 }, $qdd"
less 'armature at run time' "$tool, armature = { joint_1 = 0.5 }, $qdd" "$tool, armature = \"input\", $qdd"
less 'inertia at run time' "$tool, $qdd" "$tool, inertia_inputs = { \"bracelet_link\" }, $qdd"
less 'a locked joint' "$tool, locked = { joint_3 = 0 }, $qdd" "$tool, $qdd"
less 'a shorter chain' "$free, tips = { \"forearm_link\" }, $qdd" "$free, $qdd"
less 'a wrench' "$tool, $qdd" "$tool, wrenches = { { name = \"push\", frame = \"tool_frame\", kind = \"physical\" } }, $qdd"
less 'saturation' "$tool, $qdd" "$tool, saturate = true, $qdd"
more_by 'physical torques are a sum per joint, or two' "$tool, $qdd" "$tool, torques = { physical = true }, $qdd" 7 14

# Outputs.
more_by 'nu is there anyhow' "$tool, $qdd" "$tool, outputs = { \"qdd\", \"nu\" }" 0 0
less 'nu alone needs no motion' "$tool, outputs = { \"nu\" }" "$tool, $qdd"
for output in '"tau_ctrl"' '"tau_total"' '"tau_apparent"' '"residual"' \
  'acc = { "tool_frame" }' 'twist = { "tool_frame" }'; do
  less "output $output" "$tool, $qdd" "$tool, outputs = { \"qdd\", $output }"
done
more_by 'tau_total is a product per joint' "$free, $qdd" "$free, outputs = { \"qdd\", \"tau_total\" }" 6 7
# The last joint's D is a constant, the first row's pivot is 1. The status multiplies the relative pivots, so that they are there with
# and without the output; another division a row is the damping that nu is refined with.
for formulation in recursion joint; do
  with=$(divisions "$tool, outputs = { \"qdd\", \"pivot\" }" --formulation "$formulation")
  without=$(divisions "$tool, $qdd" --formulation "$formulation")
  check "pivots by a division each, $formulation: $without" [ "$without" -eq $((6 + 6 + 5 + 5)) ]
  check "the output takes no more, $formulation: $with" [ "$with" -eq "$without" ]
done

# Without rows and motion there is kinematics alone, what the functions for it cost.
cost_of_function() { flops "$1" --functions "$2"; }
check "pose alone is fk" [ "$(flops "$free, outputs = { pose = { \"tool_frame\" } }")" = \
  "$(cost_of_function "$free, outputs = { pose = { \"tool_frame\" } }" fk)" ]
check "twist alone is fvk" [ "$(flops "$free, outputs = { twist = { \"tool_frame\" } }")" = \
  "$(cost_of_function "$free, outputs = { twist = { \"tool_frame\" } }" fvk)" ]
check "the base's pose is nothing" [ "$(flops "$free, outputs = { pose = { \"base_link\" } }")" -eq 0 ]
check "the motors' share without rows is what comes in" \
  [ "$(flops "$free, torques = { artificial = true }, outputs = { \"tau_ctrl\" }")" -eq 0 ]
check "sines and cosines of two joints for the second link" \
  [ "$(trig "$free, outputs = { pose = { \"half_arm_1_link\" } }")" -eq 4 ]
check "sines and cosines of all joints for the tip" [ "$(trig "$free, outputs = { pose = { \"tool_frame\" } }")" -eq 14 ]
check "no sines and cosines for the base" \
  [ "$(trig "$free, outputs = { pose = { \"base_link\" } }")" -eq 0 ]

# Functions take what they need.
printf 'return { %s, armature = "input", torques = { physical = true } }\n' "$tool" >"$scratch/layout.lua"
inputs() { # FUNCTION: the fields that it takes
  "$achdgen" "$urdf" --layout "$scratch/layout.lua" --functions "$1" --columns |
    sed -n 's/^in \([a-z_]*\).*/\1/p' | uniq | tr '\n' ' '
}
takes() { check "$1 takes: $2" [ "$(inputs "$1")" = "$2" ]; }
takes fk 'q '
takes jac 'q '
takes fvk 'q qd '
takes jdqd 'q qd '
takes fak 'q qd qdd '
takes gravity 'q gravity '
takes bias 'q qd '
takes crba 'q armature '
takes id 'q qd qdd gravity armature '
less_function() { # A B: function A costs less than B
  a=$(cost_of_function "$tool" "$1")
  b=$(cost_of_function "$tool" "$2")
  check "$1 costs less than $2: $a < $b" [ "$a" -lt "$b" ]
}
less_function fk fvk
less_function fvk fak
less_function gravity bias
less_function bias id
less_function id fd
less_function fd achd

finish
