#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/gappa.sh ACHDGEN SOURCE_DIR: scripts of --gappa. They compute what --eval computes; where Gappa is installed
# it proves the bounds that docs/performance.md has (the quick ones; all with ACHD_SWEEP), and no state breaks a bound.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
python=$top/tests/program/gappa.py
command -v python3 >/dev/null || skip_all "no python3"
cd "$scratch"

# The states around which there are boxes: q, then qd and qdd, then gravity.
q7="0.1 0.3 3.1 -2.2 0.1 0.9 1.5" q5="0.1 0.3 1.1 -1.2 0.1" down="0 0 -9.81"
v7="0.1 0.2 0.3 0.1 0.2 0.3 0.4 1 1 1 1 1 1 1" v5="0.1 0.2 0.3 0.1 0.2 1 1 1 1 1"
state() { # ROBOT FUNCTION
  case $1 in youbot_arm) q=$q5 v=$v5 ;; *) q=$q7 v=$v7 ;; esac
  case $2 in fk) echo "$q" ;; gravity) echo "$q $down" ;; *) echo "$q $v $down" ;; esac
}

# value ROBOT FUNCTION OUTPUT: what --eval says of it.
value() {
  place=$("$achdgen" -q "$top/robots/$1.urdf" --functions "$2" --columns | grep '^out ' | cut -d' ' -f2 | grep -nxF "$3" | cut -d: -f1)
  state "$1" "$2" | "$achdgen" -q "$top/robots/$1.urdf" --functions "$2" --eval | cut -d' ' -f"$place"
}
same_value() {
  state "$1" "$2" | "$achdgen" -q "$top/robots/$1.urdf" --functions "$2" --gappa "$3" --box 0 >narrow.g &&
    python3 "$python" narrow.g value "$(value "$1" "$2" "$3")"
}
check "gen3, gravity: the script's value" same_value gen3 gravity tau.joint_2
check "gen3, id: the script's value" same_value gen3 id tau.joint_1
check "lwr4, id: the script's value" same_value lwr4 id tau.lwr_a3_joint
check "youbot_arm, fk: the script's value" same_value youbot_arm fk pose.gripper_palm_link.p.x

# says ERROR REMEDY ARGUMENTS...: exit 1, this error, nothing on standard output.
says() {
  wanted=$1 remedy=$2 given=$3
  shift 3
  status=0
  printf '%s\n' "$given" | "$achdgen" "$top/robots/gen3.urdf" "$@" >out 2>err || status=$?
  [ "$status" -eq 1 ] && [ ! -s out ] && grep -qF -e "$wanted" err && grep -qF -e "$remedy" err
}
good="$(state gen3 gravity)"
check "an output misspelt" says 'gravity has no output tau.joint7' 'did you mean' "$good" --functions gravity --gappa tau.joint7
check "no such output" says 'gravity has no output colour' '--columns lists the outputs' "$good" --functions gravity --gappa colour
check "no state" says 'there is no state' '--columns' "" --functions gravity --gappa tau.joint_1
check "a state too short" says 'the line has 2 numbers' '--columns' "1 2" --functions gravity --gappa tau.joint_1
check "a NaN" says 'q.joint_1 is not finite' 'finite numbers' "nan ${good#* }" --functions gravity --gappa tau.joint_1
check "an infinite joint" says 'q.joint_1 is not finite' 'finite numbers' "inf ${good#* }" --functions gravity --gappa tau.joint_1
check "a solve with rows" says 'is chosen at run time' 'id, gravity or fk' \
  "$(awk 'BEGIN { for (i = 0; i < 29; i++) printf "%s ", i < 23 ? 0.1 : 1 }')" --gappa qdd.joint_1
check "a box that is none" says '--box is "wide"' 'write --box 0.05' "$good" --functions gravity --gappa tau.joint_1 --box wide
check "a negative box" says '--box is "-1"' 'write --box 0.05' "$good" --functions gravity --gappa tau.joint_1 --box -1
check "parts, which are of code" says '--parts is about the C code' 'leave out --parts' "$good" --functions gravity --gappa tau.joint_1 --parts 20
check "a box without a theorem" says '--box needs --gappa' 'write --gappa' "$good" --box 0.1
check "beside --eval" says 'exclude each other' 'run achdgen once for each' "$good" --eval --gappa tau.joint_1

if ! has gappa; then # no theorem is proven here
  finish
  exit
fi

# upper FILE: the bounds that Gappa has found, one a line.
upper() { sed -n 's/.* in \[.*, .*{\([-+0-9.e]*\), .*}\]$/\1/p' "$1"; }

# proven ROBOT FUNCTION OUTPUT BOUND: Gappa's bound is the table's, rounded up, and random states keep it.
proven() {
  state "$1" "$2" | "$achdgen" -q "$top/robots/$1.urdf" --functions "$2" --gappa "$3" >theorem.g && gappa theorem.g >found 2>&1 || return 1
  bound=$(upper found)
  echo "$1 $2 $3: $bound"
  awk -v bound="$bound" -v told="$4" 'BEGIN { exit !(bound > 0 && bound <= told && told <= 1.11 * bound) }' &&
    python3 "$python" theorem.g 300 "$bound"
}
sincos() { # REAL SIN COS
  "$achdgen" "$top/robots/gen3.urdf" --real "$1" --gappa sincos >sincos.g && gappa sincos.g >found 2>&1 || return 1
  upper found | awk -v s="$2" -v c="$3" 'NR == 1 { good = $1 > 0 && $1 <= s && s <= 1.11 * $1 } NR == 2 { good = good && $1 <= c && c <= 1.11 * $1 } END { exit !(good && NR == 2) }'
}

# shellcheck disable=SC2016 # backticks of Markdown
# What docs/performance.md says: | robot | function | output | bound | seconds |
sed -n 's/^| \([a-z0-9_]*\) | \(fk\|gravity\|id\) | `\([^`]*\)` | \([0-9.e-]*\) | \([0-9]*\) |$/\1 \2 \3 \4 \5/p' "$top/docs/performance.md" >theorems
check "there are theorems of three robots" [ "$(cut -d' ' -f1 theorems | sort -u | wc -l)" -eq 3 ]
check "there are enough theorems" [ "$(wc -l <theorems)" -ge 12 ]
while read -r robot function output bound seconds; do
  [ "$seconds" -le 2 ] || [ -n "${ACHD_SWEEP:-}" ] || continue
  check "$robot, $function, $output" proven "$robot" "$function" "$output" "$bound"
  head -2 .said
done <theorems
for real in double float; do
  # shellcheck disable=SC2046 # two bounds
  check "sine and cosine, $real" sincos $real $(sed -n "s/^| sine, cosine | $real | \\([0-9.e-]*\\), \\([0-9.e-]*\\) |\$/\\1 \\2/p" "$top/docs/performance.md")
done
finish
