#!/bin/sh
# tests/numbers/float_mutants.sh ACHDGEN_FROM_FOLDER DERIVATIVES_TEST SOURCE_DIR: does the test of derivatives notice mistakes that
# float code alone has? Lines of float_mutants.txt (three; with ACHD_SWEEP=1 all, and those of derivative_mutants.txt) are planted in a
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

notices() {
  for case in youbot_arm four_bar table41_base "random 3" "random 7" "random 6" lwr4 gen3_6dof; do
    run_case "$case" && continue
    # by numbers of float, and of nothing else
    if grep -q 'BAD .*: float d[a-z]* [a-zA-Z_]*: error' "$scratch/said" && ! grep 'BAD' "$scratch/said" | grep -q -v ': float '; then return 0; fi
    break
  done
  cat "$scratch/said"
  return 1
}

check "the scripts as they are" run_case youbot_arm
cd "$top/tests/numbers"
if [ -n "${ACHD_SWEEP:-}" ]; then cat float_mutants.txt derivative_mutants.txt; else grep -v '^#' float_mutants.txt | head -3; fi >"$scratch/list"
mutants=0
while IFS='|' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  mutants=$((mutants + 1))
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file is noticed: $new" notices
done <"$scratch/list"
check "there are three mutants" [ "$mutants" -ge 3 ]
echo "$mutants mutants"
finish
