#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/experiments/test.sh PROGRAM: every experiment holds its bounds; the same log, to the bit, each time; runs that
# achd-report can read; mistakes. Of the sixteen every second (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
program=$(absolute "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"

# run NUMBER FOLDER: leaves log.csv, run.json, and what it says in FOLDER/said.
run() {
  mkdir -p "$2"
  "$program" "$1" "$2" >"$2/said" 2>"$2/err" || { cat "$2/said" "$2/err"; return 1; }
}
rows() { [ "$(wc -l <"$1/log.csv")" -gt "$2" ]; }
is_json() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not all(l.get("holds", True) for l in r["table"]))' "$1"; }
tried=" "
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  in_sample "$top" 2 || continue
  tried="$tried$number "
  check "experiment $number holds its bounds" run $number $number
  check "experiment $number has a log" rows $number 100
  check "experiment $number has a table" is_json $number/run.json
done
echo "tried:$tried"
tried() { case $tried in *" $1 "*) return 0 ;; *) return 1 ;; esac }
for number in 2 9; do
  tried $number || continue
  check "experiment $number again" run $number again
  check "experiment $number is the same to the bit" cmp $number/log.csv again/log.csv
done
# On hard surfaces ABAG control loses the contact often, which the forces show as well: 13 and 33 % of the time they are 0.
for number in 1 2 3 4 6 7 8 9 10 11 12; do
  tried $number || continue
  case $number in
  7 | 8) check "experiment $number: the contact chatters" grep -q 'the contact chatters' $number/said ;;
  *) check "experiment $number: nothing chatters" sh -c "! grep -q 'the contact chatters' $number/said" ;;
  esac
done
! tried 7 || check "the published fall of joint 2 stands beside ours" grep -q 'joint 2: torque falls in contact by  *%  *41 ' 7/said
# 1 to 5 leave what the thesis' graphs draw: in the log, and as pictures that the page names.
for number in 1 2 3 4 5; do
  ! tried $number || check "experiment $number: the columns of the directions are those of the controllers" python3 "$here/columns.py" $number
done
for thing in 5:desk 7:desk 9:books 12:wall; do
  tried "${thing%:*}" || continue
  check "experiment ${thing%:*} has the ${thing#*:} for its page" grep -q "{\"name\": \"${thing#*:}\", \"p\": " "${thing%:*}/run.json"
done
! tried 1 || check "it is said that the robots are simulated" grep -q SIMULATED 1/err
bound_first() { awk '/^before the bump: / { told = 1 } /^experiment / { exit !told }' "$1/said"; }
for number in 12 14; do ! tried $number || check "experiment $number tells the bound of its bump first" bound_first $number; done
check "no seventeenth" sh -c "'$program' 17 >/dev/null 2>err; [ \$? -eq 2 ]"
check "a folder that is not there" sh -c "! '$program' 10 nowhere >/dev/null 2>err && grep -q 'cannot be written' err"
finish
