#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/dstep_mutants.sh ACHDGEN_FROM_FOLDER SOURCE_DIR: each mistake of dstep_mutants.txt (every eighth, in_sample), planted in a copy of the
# scripts, is noticed by dstep.py, of step_answer.lua by dstep_contacts.py, of closure_slopes.lua and row_derivatives.lua by
# dstep_held.py, by wrong numbers.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$(dirname "$0")/plant.sh"

notices() {
  case $file:$old in
    step_answer.lua:* | *:*loops:start*) judge=dstep_contacts.py ;;
    closure_slopes.lua:* | row_derivatives.lua:*) judge=dstep_held.py ;;
    *) judge=dstep.py ;;
  esac
  ! python3 "$top/tests/numbers/$judge" "$ACHDGEN" "$top" one >"$scratch/said" &&
    grep -q -e 'FAILED: .*derivatives' -e 'FAILED: by ' "$scratch/said" && ! grep -q 'evaluated' "$scratch/said"
}

fresh_copy
check "the scripts as they are" python3 "$top/tests/numbers/dstep.py" "$ACHDGEN" "$top" one
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 8 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$top/tests/numbers/dstep_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
finish
