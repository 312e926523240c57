#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/mutants.sh ACHDGEN RANDOM_LAYOUT_TEST SOURCE_DIR: does the property test of random robots notice mistakes in
# the algorithms? Each line of mutants.txt is planted in a copy of the scripts; ACHDGEN reads them from there
# (scripts_from_folder.c), and the test has to fail by wrong numbers. By default every 22nd line (in_sample), and robots that the lines name.
set -eu
. "$(dirname "$0")/../lib.sh"
ACHDGEN=$(absolute "$1")
property_test=$(absolute "$2")
top=$(cd "$3" && pwd)
. "$(dirname "$0")/plant.sh"

# Three states of each robot: a mistake that shows at all shows in nearly every state.
run_robots() { "$property_test" --achdgen "$ACHDGEN" --until-bad --states 3 "$@" >"$scratch/said"; }

# notices SEED: first the robot that is known to tell, by its seed, then all from the first.
notices() {
  if { [ -z "$1" ] || run_robots --only "$1"; } && run_robots --robots 100; then
    echo "100 robots passed"
    return 1
  fi
  # by numbers, not because a script broke
  grep -q -e 'BAD .*: error .*, tolerance' -e 'BAD status' -e 'BAD .* is not finite' "$scratch/said" && return
  cat "$scratch/said"
  return 1
}

fresh_copy
cd "$scratch"
check "the scripts as they are" run_robots --robots 3

mutants=0
robots=0
while IFS='|' read -r file old new seed; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 22 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices "$seed"
  robots=$((robots + $(sed -n 's/^  \([0-9]*\) robots, .*/\1/p' "$scratch/said")))
done <"$top/tests/numbers/mutants.txt"
check "there are mutants" [ "$mutants" -ge 2 ]
echo "$mutants mutants, $robots robots until all were noticed"
finish
