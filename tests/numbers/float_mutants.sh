#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/numbers/float_mutants.sh ACHDGEN_FROM_FOLDER DERIVATIVES_TEST SOURCE_DIR: does the test of derivatives notice mistakes that
# float code alone has? Lines of float_mutants.txt (every sixth, in_sample; with ACHD_SWEEP=1 all, and those of derivative_mutants.txt) are planted in a
# copy of the scripts that only --real float reads, and the test has to fail by numbers of float.
set -eu
. "$(dirname "$0")/../lib.sh"
from_folder=$(absolute "$1")
derivatives_test=$(absolute "$2")
top=$(cd "$3" && pwd)
. "$(dirname "$0")/plant.sh"
cat >"$scratch/achdgen" <<END
#!/bin/sh
case " \$* " in
*' --real float '*) ;;
*) export ACHD_SCRIPTS='$scratch/right' ;;
esac
exec '$from_folder' "\$@"
END
chmod +x "$scratch/achdgen"
fresh_copy
cp -r "$ACHD_SCRIPTS" "$scratch/right"

run_case() { "$derivatives_test" --achdgen "$scratch/achdgen" --states 1 --only "$1" >"$scratch/said"; }

# Two states: the floats of long functions are judged, too.
more_cases() {
  [ -n "${ACHD_SWEEP:-}" ] || return 0
  printf '%s\n' "gen3, floating" "two_arms, floating" "quadruped, floating" "random 2" gen3
}
run_case_twice() { "$derivatives_test" --achdgen "$scratch/achdgen" --states 2 --only "$1" >"$scratch/said"; }
# by numbers of float, and of nothing else
by_float() {
  grep -q 'BAD .*: float d[a-z]* [a-zA-Z_]*: error' "$scratch/said" && ! grep 'BAD' "$scratch/said" | grep -q -v ': float '
}

notices() {
  for case in youbot_arm four_bar table41_base "random 3" "random 7" "random 6" lwr4 gen3_6dof; do
    run_case "$case" && continue
    if by_float; then return 0; fi
    break
  done
  more_cases >"$scratch/more"
  while read -r case; do
    run_case_twice "$case" && continue
    if by_float; then return 0; fi
    break
  done <"$scratch/more"
  cat "$scratch/said"
  return 1
}

check "the scripts as they are" run_case youbot_arm
cd "$top/tests/numbers"
# Damped joints and clamped torques have no case here: their mistakes are prove.sh's.
if [ -n "${ACHD_SWEEP:-}" ]; then
  cat float_mutants.txt derivative_mutants.txt | grep -v -F -e 'state.viscous[i]' -e 'turn_back(rows, r.nu)'
else
  cat float_mutants.txt
fi >"$scratch/list"
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 6 || continue
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$scratch/list"
check "there is a mutant" [ "$mutants" -ge 1 ]
echo "$mutants mutants"
finish
