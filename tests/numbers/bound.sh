#!/bin/sh
# tests/numbers/bound.sh ACHDGEN SOURCE_DIR [STATES]: the output "bound" of robots of robots/ against long double and quad
# (bound_sweep.c), each formulation, of doubles and floats: no error above its bound, and the median of bound over error at most 100.
# Default: 1000 states of three of the cases; ACHD_SWEEP=1: 10000000 of gen3 and 300000 of each of the others.
set -eu
achdgen=$1
root=$2
here=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# one ROBOT FRAME FORMULATION FUNCTION MORE STATES REAL: MORE are words of the layout
one() {
  urdf=$root/robots/$1.urdf
  groups="groups = { { name = \"tool\", frame = \"$2\", maskable = true } },"
  cat >"$tmp/robot.lua" <<END
return { gravity = { 0, 0, -9.81 }, $groups $5 torques = { artificial = true }, outputs = { "qdd", "nu", "tau_ctrl", "bound" } }
END
  cat >"$tmp/exact.lua" <<END
return { gravity = { 0, 0, -9.81 }, $groups $5 torques = { artificial = true }, outputs = { "qdd", "nu", "tau_ctrl" }, singular_threshold = 1e-25 }
END
  "$achdgen" "$urdf" --layout "$tmp/robot.lua" --name robot --functions "$4" --formulation "$3" --real "$7" -o "$tmp/robot.h" --no-prove
  for name in wide exact; do
    "$achdgen" "$urdf" --layout "$tmp/exact.lua" --name $name --functions "$4" --formulation joint -o "$tmp/$name.h" --no-prove
  done
  words=
  [ "$4" = fd ] && words=-DFD
  if [ "$7" = float ]; then # whose names are robotf_
    sed -i 's/robotf_/robot_/g; s/ROBOTF_/ROBOT_/g' "$tmp/robot.h"
    words="$words -DFLOAT"
  fi
  cc -std=gnu99 $optimise $words -I"$tmp" -o "$tmp/sweep" "$here/bound_sweep.c" -lquadmath -lm
  if line=$("$tmp/sweep" "$6" 1); then
    median=${line##*median }
    if [ "${median%%;*}" -gt 100 ]; then
      echo "BAD $1 $4 ($3): the median is above 100"
      failed=1
    fi
  else
    failed=1
  fi
  echo "$1 $4 ($3, $7): $line"
}

# The guard of docs/layouts.md trusts an arm that is bent, and not one that is nearly stretched.
awk '/^```c$/ { inside = 1; text = ""; next } /^```$/ { if (inside && text ~ /gen3_rounding/) print text; inside = 0 } inside { text = text $0 "\n" }' \
  "$root/docs/layouts.md" >"$tmp/guard.h"
"$achdgen" "$root/robots/gen3.urdf" --layout "$root/robots/rounding/gen3.lua" -o "$tmp/gen3_rounding_achd.h"
cc -std=c99 -Wall -Wextra -Werror -O1 -I"$tmp" -o "$tmp/guard" "$here/bound_guard.c" -lm
if ! "$tmp/guard"; then failed=1; fi

few=${3:-1000}
many=$few
optimise=-O0
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  few=300000
  many=10000000
  optimise=-O2
fi
rotors=$(sed -n '/armature = {/,/},/p' "$root/robots/gen3.lua" | sed 's/--.*//' | tr '\n' ' ')
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  one gen3 tool_frame null achd "$rotors" "$many" double
fi
one gen3 tool_frame null achd "" "$few" double
one gen3 tool_frame recursion fd "" "$few" double
one gen3 tool_frame null achd "$rotors" "$few" float
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  one gen3 tool_frame joint achd "$rotors" "$few" double
  one gen3 tool_frame recursion achd "" "$few" double
  one gen3 tool_frame joint fd "$rotors" "$few" double
  one gen3 tool_frame joint fd "" "$few" double
  one iiwa7 iiwa_link_ee joint achd "" "$few" double
  one iiwa7 iiwa_link_ee null achd "" "$few" double
  one panda panda_link8 joint achd "" "$few" double
  one lwr4 lwr_7_link recursion fd "" "$few" double
  one gen3 tool_frame joint achd "$rotors" "$few" float
  one iiwa7 iiwa_link_ee joint fd "" "$few" float
  one lwr4 lwr_7_link null achd "" "$few" float
fi
exit $failed
