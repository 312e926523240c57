#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/batch.sh ACHDGEN SOURCE_DIR: --batch K: every state gets the plain function's numbers and status, double and
# float, by vector types and, where the compiler has none, one state after the other; functions with derivatives to the bit (of sizes and robots every fifth, in_sample). Prints times, judges none.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"
cat >layout.lua <<'EOF'
return {
  name = "gen3",
  armature = { joint_1 = 0.558, joint_2 = 0.558, joint_3 = 0.558, joint_4 = 0.558,
               joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389 },
  wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", maskable = true } },
}
EOF
avx2=
grep -q avx2 /proc/cpuinfo 2>/dev/null && avx2="-mavx2 -mfma"
for k in 2 4 8; do
  in_sample "$top" 5 || continue
  "$achdgen" "$top/robots/gen3.urdf" --layout layout.lua --no-prove --batch $k -o batch$k.h
  # Two states by registers of two numbers, more by those of four, and four without vectors; with ACHD_SWEEP=1 all of each and
  # by -O2. (Batches that are spread over several registers take gcc the longest, and are other instructions for the same text.)
  level=-O1
  [ $k != 8 ] || level=-O0
  ways="$level $avx2"
  [ $k != 2 ] || [ -z "$avx2" ] || ways=-O1
  if [ -n "${ACHD_SWEEP:-}" ]; then ways=$(printf '%s\n' -O2 "-O2 $avx2" plain); elif [ $k = 4 ]; then ways=$(printf '%s\n' "$ways" plain); fi
  echo "$ways" >ways
  while read -r flags; do
    # shellcheck disable=SC2086 # flags are words
    case $flags in
    plain) cp batch$k.h plain.h && sed -i 's/defined(__GNUC__)/0/' plain.h && header=plain.h && flags=-O1 ;;
    *) header=batch$k.h ;;
    esac
    # shellcheck disable=SC2086
    check "$header, batches of $k, compiles with $flags" gcc -std=gnu11 $flags -DHEADER="\"$header\"" -I. \
      "$top/tests/emitted/batch_test.c" -o batch -lm
    check "$header, batches of $k, $flags" ./batch
    cat .said
  done <ways
  level=-fsyntax-only
  [ $k != 4 ] || level=-O1 # some warnings come with optimising only
  # shellcheck disable=SC2086
  for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
    case "$k $cc" in [28]*++*) continue ;; esac # as with 4
    check "batches of $k without a warning, $cc" $cc $strict $level $avx2 -DGEN3_IMPLEMENTATION -c batch$k.h -o batch.o
  done
done

# -- derivatives, and problems for solvers: batches give the bits of the plain functions
# batched ROBOT LAYOUT FUNCTION REAL FLAGS [STRUCT]: of at_once states, by the instructions `vectors`
at_once=4
vectors=${avx2:+-mavx2}
batched() {
  suffix=''
  [ "$4" != float ] || suffix=f
  echo "return { name = \"r\", $2 }" >derivatives.lua
  "$achdgen" "$top/robots/$1.urdf" --layout derivatives.lua --functions "$3" --batch $at_once --real "$4" --no-prove -q -o r.h
  # shellcheck disable=SC2086
  gcc -std=c99 $strict -O0 $vectors -ffp-contract=off "-DR$(echo $suffix | tr f F)_IMPLEMENTATION" '-DHEADER="r.h"' "-DIN=r${suffix}_${6:-$3}_in" "-DOUT=r${suffix}_$3_out" \
    "-DPLAIN=r${suffix}_$3" "-DBATCH=r${suffix}_$3_batch" "-DREAL=$4" -DAT_ONCE=$at_once $5 -I. "$top/tests/emitted/derivative_batch_test.c" -o batched -lm && ./batched
}
rows='torques = { artificial = true }, armature = "input", groups = { { name = "g", frame = "gripper_palm_link", rows = { "lin_x", "ang_y" }, maskable = true } },
  wrenches = { { name = "push", frame = "gripper_palm_link", kind = "physical" } }'
wide=float
[ "${ACHD_SWEEP:-}" != 1 ] || wide='float double'
for real in $wide; do
  sampled 5 "youbot_arm, masks, rotors, wrench: dfd in $real" batched youbot_arm "$rows" dfd "$real" ''
  sampled 5 "gripper, mimic joints, floating: did in $real" batched gripper 'base = "floating", groups = {}' did "$real" -DQUATERNION
done
sampled 5 "youbot_arm, masks, rotors, wrench: dachd" batched youbot_arm "$rows" dachd double ''
sampled 5 "gripper, mimic joints, floating: dfd" batched gripper 'base = "floating", groups = {}' dfd double -DQUATERNION
products() {
  batched "$1" 'groups = {}' dfd "$2" '' && grep -q '^static R.*_PART void r.*_dfd_batch_product_1(' r.h
}
sampled 5 "iiwa7, M^-1 times columns by one text: dfd in float" products iiwa7 float
of_four=$vectors
vectors= # longer ones than the CPU's are no reason to warn
sampled 5 "gen3_6dof, M^-1 times columns by one text: dfd" products gen3_6dof double
vectors=$of_four
rubs='friction = "input", limits = { margin = 0.3 }, groups = { { name = "g", frame = "gripper_palm_link", rows = { "lin_x", "ang_y" }, maskable = true } }'
sampled 5 "youbot_arm, friction and limits: mclp" batched youbot_arm "$rubs" mclp double '' achd
sampled 5 "youbot_arm, friction and limits: qp in float" batched youbot_arm "realise = \"optimum\", $rubs" qp float '' achd
tie='groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" }, kind = "physical" } }'
sampled 5 "four_bar, a tie: dachd" batched four_bar "$tie" dachd double ''
sampled 5 "youbot_arm, masks, rotors: osim" batched youbot_arm "$rows" osim double ''
sampled 5 "youbot_arm: manipulability in float" batched youbot_arm "$rows" manipulability float ''
sampled 5 "gripper, mimic joints, floating: coriolis" batched gripper 'base = "floating", groups = {}' coriolis double -DQUATERNION
sampled 5 "youbot_arm, friction: slotine_li" batched youbot_arm "$rubs" slotine_li double ''
sampled 5 "youbot, a planar base: did" batched youbot 'base = "planar", groups = {}' did double ''
sampled 5 "drone, floating, truncating: dachd" batched drone 'base = "floating", singularity = "truncate", torques = { artificial = true }, groups = { { name = "g", frame = "frame", rows = { "lin_z", "ang_x" }, kind = "artificial" } }' dachd double -DQUATERNION
# registers of 64 bytes, in which sines are computed of all states at once
if grep -qw avx512dq /proc/cpuinfo 2>/dev/null; then
  vectors="-mavx512f -mavx512dq -mavx512vl"
  at_once=8
  sampled 2 "gen3, batches of 8 by AVX-512: fd" batched gen3 'groups = {}' fd double ''
  sampled 2 "youbot_arm, batches of 8 by AVX-512: achd" batched youbot_arm "$rows" achd double ''
  at_once=16
  sampled 2 "gripper, mimic joints, batches of 16 by AVX-512: id in float" batched gripper 'base = "floating", groups = {}' id float -DQUATERNION
fi
finish
