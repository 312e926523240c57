#!/bin/sh
# SPDX-License-Identifier: MIT
# corpus.sh ACHDGEN SOURCE_DIR: vendors' robots, where ../shared/corpus.tar.xz is there. Every command either works or
# refuses for a reason that lies in the file (the list below, for the commands that it may stop), within a minute.
#
# A sample (in_sample): of every 16th robot the kinematics are inspected, of those about every third, the next with at most 16 joints, goes through all commands, and
# one header compiles without a warning. ACHD_CORPUS=all takes all through all, and compiles all: half an hour; ACHD_SWEEP=1 compiles some.
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
corpus=$2/../shared/corpus.tar.xz
[ -e "$corpus" ] || skip_all "there is no $corpus"
mkdir "$scratch/corpus"
tar -xJf "$corpus" -C "$scratch/corpus" || exit 1
find "$scratch/corpus" -name '*.urdf' | sort >"$scratch/robots"
log=$scratch/log
: >"$log"

# What a URDF can lack, and which commands need it: all, the `dynamics`, or what needs `inertias`, which `dynamics` does
# too: id and gravity ask for no motion, and so for less.
cat >"$scratch/reasons" <<'END'
all	nothing moves: no moving joint
all	mimics ".*", which is not there
all	its child link ".*" is not there
all	has no links
all	a second link
dynamics	no mass or rotational inertia beyond it resists its motion
inertias	a principal moment of inertia is negative
END

# excused KIND TEXT: a reason of the list stands in the text, one that may stop such a command.
excused() {
  while IFS="$(printf '\t')" read -r kind reason; do
    [ "$kind" = all ] || [ "$kind" = "$1" ] || [ "$kind $1" = "inertias dynamics" ] || continue
    ! printf '%s\n' "$2" | grep -q "error: .*$reason" || return 0
  done <"$scratch/reasons"
  return 1
}

# run WHAT KIND ARGUMENTS...: works, or is excused. Adds `WHAT ok|moves|no` to the log: `moves`: refused, though the
# robot has joints that move.
run() {
  what=$1 kind=$2
  shift 2
  status=0
  timeout 60 "$achdgen" "$@" >"$scratch/said" 2>"$scratch/err" || status=$?
  error=$(grep -m 1 ' error: \|^check: ' "$scratch/err" "$scratch/said" | head -n 1)
  if [ $status -eq 0 ]; then
    echo "$what ok" >>"$log"
    passed=$((passed + 1))
    return 0
  fi
  case $error in
    *"nothing moves"* | *"has no links"*) echo "$what no" >>"$log" ;;
    *) echo "$what moves" >>"$log" ;;
  esac
  if [ $status -eq 1 ] && excused "$kind" "$error"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what of ${robot#"$scratch"/corpus/}: exit $status: $error"
  fi
  return 1
}

# compiles: the header, by gcc and clang, without a warning.
compiles() {
  prefix=$(sed -n 's/^#ifndef \(.*\)_ACHD_H$/\1/p' "$scratch/out.h" | head -n 1)
  for compiler in gcc clang; do
    "$compiler" -std=c99 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -x c \
      -D"${prefix}_IMPLEMENTATION" "$scratch/out.h" || return 1
  done
}

# everything: all commands of $robot.
everything() {
  if run default dynamics "$robot" -o "$scratch/out.h" && [ $((number % compiled)) -eq 0 ]; then
    check "the header of ${robot#"$scratch"/corpus/} compiles" compiles
  fi
  run dynamics dynamics "$robot" --functions id,crba,fd,gravity,com,energy -o "$scratch/out.h"
  run masses inertias "$robot" --functions id,gravity -o "$scratch/out.h" || true
  run check dynamics "$robot" --check 20
  run init all "$robot" --init || return 0
  cp "$scratch/said" "$scratch/first.lua"
  options=$(sed -n 's/^--     achdgen .*\.lua *//p' "$scratch/first.lua")
  # shellcheck disable=SC2086 # the options that it tells
  run layout all "$robot" --layout "$scratch/first.lua" $options -o "$scratch/out.h"
}

number=0 waited=3 compiled=6 least=40 # of the few there are
[ -z "${ACHD_SWEEP:-}" ] || least=90
[ "${ACHD_CORPUS:-}" != all ] || ACHD_SWEEP=1 compiled=1 least=90
while read -r robot; do
  in_sample "$2" 16 || continue
  run kinematics all "$robot" --functions fk,fvk,jac --inspect
  if [ -n "${ACHD_SWEEP:-}" ] || { [ "$(grep -c '<joint .*type="[rcp]' "$robot")" -le 16 ] && [ $waited -ge 3 ]; }; then
    run inspect all "$robot" --inspect
    everything
    waited=0
  fi
  waited=$((waited + 1))
  number=$((number + 1))
done <"$scratch/robots"
echo "$number of $(wc -l <"$scratch/robots") robots"

# share WHAT PERCENT: of the robots that move so many are not refused.
share() {
  awk -v what="$1" -v least="$2" '
    $1 == what { n[$2]++ }
    END { all = n["ok"] + n["moves"]; printf "%s: %d of %d\n", what, n["ok"], all; exit !(all > 0 && 100 * n["ok"] >= least * all) }' "$log"
}
check "kinematics" share kinematics 90
check "inspected" share inspect 80
check "by default" share default "$least"
for what in kinematics inspect default dynamics check init layout; do share "$what" 0; done
finish
