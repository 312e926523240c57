#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/sparsity.sh ACHDGEN SOURCE_DIR: branches that share no joint cost nothing together. On a fixed base the rows of
# two arms with a locked torso stay apart in L, by both formulations: both arms' rows add what each arm's adds alone,
# and 10 operations. 9 are of the second arm's first row, which is not the first of L: it is damped as all later rows are
# (its limit, how far the pivot is below, the square of that, the damped pivot, its growth, the relative pivot: 7), and the
# refinement of nu takes the growth off (2). One joins the two products of pivots that SINGULAR asks for.
# Where the torso turns they couple. And M has zeros between branches, also on a moving base.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"

left='{ name = "left", frame = "left_hand", axes = "link" },'
right='{ name = "right", frame = "right_hand", axes = "link" },'

# operations FORMULATION MORE GROUPS: of two_arms, + - * /.
operations() {
  echo "return { $2 gravity = { 0, 0, -9.81 }, groups = { $3 }, outputs = { \"qdd\", \"nu\", \"tau_ctrl\" } }" >arms.lua
  "$achdgen" "$top/robots/two_arms.urdf" --layout arms.lua --formulation "$1" --inspect |
    sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p'
}

# coupling FORMULATION MORE: operations that rows at both hands take beside those of each hand alone.
coupling() {
  none=$(operations "$1" "$2" "")
  echo $(($(operations "$1" "$2" "$left $right") + none - $(operations "$1" "$2" "$left") - \
    $(operations "$1" "$2" "$right")))
}

for formulation in joint recursion; do
  apart=$(coupling "$formulation" "locked = { torso_joint = 0 },")
  together=$(coupling "$formulation" "")
  echo "$formulation: the rows of two arms together take $apart operations more than apart; on a turning torso $together"
  check "$formulation: arms that share no joint do not couple" [ "$apart" -le 10 ]
  check "$formulation: arms on one torso couple" [ $((together - apart)) -ge 100 ]
done

# zeros URDF BASE A B: M is 0 between joints of names with A and those with B, and other elements are not.
zeros() {
  echo "return { base = \"$2\", groups = {} }" >m.lua
  "$achdgen" "$1" --layout m.lua --functions crba --columns >columns
  awk '$1 == "in" { printf "%s ", $2 ~ /quat/ ? 0.5 : 0.1 * (NR % 9) } END { print "" }' columns >state
  "$achdgen" "$1" --layout m.lua --functions crba --eval <state | tr ' ' '\n' >values
  awk '$1 == "out" { print $2 }' columns | paste -d ' ' - values |
    awk -v a="$3" -v b="$4" '
      $1 !~ /^M/ { next }
      { between = $1 ~ a && $1 ~ b }
      between && $2 != 0 { bad++ }
      between { zeros++ }
      !between && $2 != 0 { others++ }
      END { print zeros " zeros, " bad + 0 " of them not, " others " others"; exit !(zeros > 8 && !bad && others > zeros) }'
}
check "M of two arms" zeros "$top/robots/two_arms.urdf" fixed left_ right_
check "M of a quadruped" zeros "$top/robots/quadruped.urdf" floating fl_ rr_
finish
