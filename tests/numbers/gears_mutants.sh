#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/gears_mutants.sh ACHDGEN_FROM_FOLDER SOURCE_DIR: each mistake of gears_mutants.txt (one of them, in_sample), planted in a copy of the
# scripts, is noticed by gears.py, or gears_friction.py where it says so, by wrong numbers.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$(dirname "$0")/plant.sh"

notices() {
  ! python3 "$top/tests/numbers/$test.py" "$ACHDGEN" "$top" one >"$scratch/said" &&
    grep -q 'FAILED: ' "$scratch/said" && ! grep -q 'evaluated' "$scratch/said"
}

fresh_copy
tried=
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 26 || continue
  test=gears
  if [ "$file" = friction ]; then
    test=gears_friction file=$old old=${new%%|*} new=${new#*|}
  fi
  mutants=$((mutants + 1))
  case $tried in
    *"|$test|"*) ;;
    *) fresh_copy && check "the scripts as they are: $test" python3 "$top/tests/numbers/$test.py" "$ACHDGEN" "$top" one ;;
  esac
  tried="$tried|$test|"
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$top/tests/numbers/gears_mutants.txt"
check "there are mutants" [ "$mutants" -ge 1 ]
finish
