#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/proof.sh SOURCE_DIR: Frama-C proves of achd_mclp_check, over real numbers and in either precision, what its
# annotations state: memory, termination, no overflow of integers, and that what it accepts meets the conditions. Where a
# condition is spoilt, the proof must fail. Skipped without frama-c (Debian: frama-c-base), why3, z3 and cvc4.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)
for tool in frama-c why3 z3 cvc4; do
  command -v "$tool" >/dev/null || skip_all "$tool is not installed (apt-get install frama-c-base why3 z3 cvc4)"
done
WHY3CONFIG=$scratch/why3.conf
export WHY3CONFIG
why3 config detect >"$scratch/detected" 2>&1 || skip_all "why3 finds no prover"

functions="element,evaluate,sound,violation,most_driven,noise_of,find_coupled,find_given,refuse,examine,judge,verdict_on,achd_mclp_check"

# proves FILE FUNCTIONS FLAGS SECONDS: every goal of these functions.
proves() {
  frama-c -machdep gcc_x86_64 -cpp-extra-args="-I$top/runtime $3" -wp -wp-model typed+real -wp-rte -wp-cache none \
    -wp-prover z3,cvc4 -wp-timeout "$4" -wp-fct "$2" "$1" >"$scratch/said" 2>&1 || { tail -5 "$scratch/said"; return 1; }
  grep -E "Goal.*(Timeout|Unknown|Failed)" "$scratch/said" || true
  proved=$(sed -n 's/.*Proved goals: *\([0-9]*\) \/ *\([0-9]*\).*/\1 \2/p' "$scratch/said")
  [ -n "$proved" ] && [ "${proved% *}" -eq "${proved#* }" ] && [ "${proved% *}" -gt 0 ]
}

# notices FUNCTION OLD NEW: with NEW in the place of OLD, which stands once, the proof of the function fails.
notices() {
  OLD=$2 NEW=$3 awk '{ at = index($0, ENVIRON["OLD"]) }
    at { n++; $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])) } { print }
    END { exit n != 1 }' "$top/runtime/mclp_check.c" >"$scratch/spoilt.c" || return 1
  cp "$top/runtime/mathematics.h" "$scratch"
  ! proves "$scratch/spoilt.c" "$1" "" 2 && grep -q "Proved goals" "$scratch/said"
}

# By default what decides; all of it takes two minutes.
if [ -z "${ACHD_SWEEP:-}" ]; then
  check "that what is accepted meets the conditions is proven" \
    proves "$top/runtime/mclp_check.c" examine,judge,verdict_on,achd_mclp_check "" 20
else
  for flags in "" -DACHD_SINGLE; do
    names=$functions
    # in float the provers find no answer for one goal: that the noise is that of some row
    [ -z "$flags" ] || names=$(echo "$functions" | sed 's/achd_mclp/achdf_mclp/; s/noise_of,//')
    check "the certificate is proven $flags" proves "$top/runtime/mclp_check.c" "$names" "$flags" 60
    grep "Proved goals" "$scratch/said" || true
  done
fi
check "a sign of w that is not asked for is noticed" notices violation "return may_fall ? w : 0;" "return may_rise ? w : 0;"
check "an index out of bounds is noticed" notices noise_of "if (k < 0) return 0;" ""
finish
