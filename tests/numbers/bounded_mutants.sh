#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/bounded_mutants.sh ACHDGEN_FROM_FOLDER BOUNDED_DERIVATIVES_TEST SOURCE_DIR: does the test of the derivatives of bounded
# rows notice mistakes? Each line of bounded_derivative_mutants.txt (every fifteenth by default, in_sample) is planted in a copy of the scripts, and the
# test has to fail by wrong derivatives.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
derivatives_test=$(absolute "$2")
top=$(cd "$3" && pwd)
. "$(dirname "$0")/plant.sh"

notices() {
  for case in "soft contacts" "limits, b at run time" "fast towards" "limits in time" "limits and a tool" "fingers that follow" "single body"; do
    "$derivatives_test" --achdgen "$ACHDGEN" --states 1 --only "$case" >"$scratch/said" || break
  done
  grep -q 'BAD .*: d[a-z_]*_d[a-z_]*: error' "$scratch/said" && return
  cat "$scratch/said"
  return 1
}

mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 15 || continue
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  mutants=$((mutants + 1))
  check "a mutant of $file is noticed: $new" notices
done <"$top/tests/numbers/bounded_derivative_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
echo "$mutants mutants"
finish
