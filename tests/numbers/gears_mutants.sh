#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/gears_mutants.sh ACHDGEN_FROM_FOLDER SOURCE_DIR: each mistake of gears_mutants.txt (every eighth, in_sample), planted in a copy of the
# scripts, is noticed by gears.py by wrong numbers.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$(dirname "$0")/plant.sh"

notices() {
  ! python3 "$top/tests/numbers/gears.py" "$ACHDGEN" "$top" one >"$scratch/said" &&
    grep -q 'FAILED: ' "$scratch/said" && ! grep -q 'evaluated' "$scratch/said"
}

fresh_copy
check "the scripts as they are" python3 "$top/tests/numbers/gears.py" "$ACHDGEN" "$top" one
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 8 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$top/tests/numbers/gears_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
finish
