#!/bin/sh
# tests/numbers/bound.sh ACHDGEN SOURCE_DIR [STATES]: the output "bound" of robots of robots/ against long double and quad
# (bound_sweep.c), each formulation: no error above its bound, and the median of bound over error. Default: 1000 states of three of
# the cases; ACHD_SWEEP=1: 10000000 of gen3 and 300000 of each of the others.
set -eu
achdgen=$1
root=$2
here=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# case ROBOT FRAME FORMULATION FUNCTION MORE STATES MEDIAN: MORE are words of the layout
one() {
  urdf=$root/robots/$1.urdf
  groups="groups = { { name = \"tool\", frame = \"$2\", maskable = true } },"
  cat >"$tmp/robot.lua" <<END
return { gravity = { 0, 0, -9.81 }, $groups $5 torques = { artificial = true }, outputs = { "qdd", "nu", "tau_ctrl", "bound" } }
END
  cat >"$tmp/exact.lua" <<END
return { gravity = { 0, 0, -9.81 }, $groups $5 torques = { artificial = true }, outputs = { "qdd", "nu", "tau_ctrl" }, singular_threshold = 1e-25 }
END
  "$achdgen" "$urdf" --layout "$tmp/robot.lua" --name robot --functions "$4" --formulation "$3" -o "$tmp/robot.h" --no-prove
  for name in wide exact; do
    "$achdgen" "$urdf" --layout "$tmp/exact.lua" --name $name --functions "$4" --formulation joint -o "$tmp/$name.h" --no-prove
  done
  fd=
  [ "$4" = fd ] && fd=-DFD
  cc -std=gnu99 $optimise $fd -I"$tmp" -o "$tmp/sweep" "$here/bound_sweep.c" -lquadmath -lm
  if line=$("$tmp/sweep" "$6" 1); then
    median=${line##*median }
    if [ "${median%%;*}" -gt "$7" ]; then
      echo "BAD $1 $4 ($3): the median is above $7"
      failed=1
    fi
  else
    failed=1
  fi
  echo "$1 $4 ($3): $line"
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
one gen3 tool_frame null achd "$rotors" "$few" 200
one gen3 tool_frame joint fd "$rotors" "$few" 200
one iiwa7 iiwa_link_ee joint achd "" "$few" 100
if [ "${ACHD_SWEEP:-}" = 1 ]; then
  one gen3 tool_frame joint achd "$rotors" "$many" 100
  one gen3 tool_frame recursion achd "" "$few" 100
  one iiwa7 iiwa_link_ee null achd "" "$few" 200
  one panda panda_link8 joint achd "" "$few" 100
  one lwr4 lwr_7_link recursion fd "" "$few" 400
fi
exit $failed
