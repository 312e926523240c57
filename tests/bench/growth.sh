#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/growth.sh ACHDGEN SOURCE_DIR [FILE.svg]: operations of a solve against the joints of a chain, by both
# formulations, without rows and with six at the tip: a table, and a small plot in FILE.svg. The recursion's must grow
# as a straight line, and less than the joint-space formulation's from some length on.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
plot=${3:+$(absolute "$3")}
cd "$scratch"

lengths='4 8 12 16 20 28 40'
[ -z "${ACHD_SWEEP:-}" ] || lengths='4 8 12 16 20 24 28 32 36 40'

# operations JOINTS FORMULATION GROUPS
operations() {
  echo "return { gravity = { 0, 0, -9.81 }, groups = { $3 }, outputs = { \"qdd\" } }" >layout.lua
  "$achdgen" "chain$1.urdf" --layout layout.lua --formulation "$2" --inspect |
    sed -n 's/^ *operations ([^)]*): \([0-9]*\) = .*/\1/p'
}

for n in $lengths; do
  awk -v joints="$n" -f "$top/tests/bench/chain.awk" /dev/null >"chain$n.urdf"
  rows="{ name = \"tip\", frame = \"l$n\" }"
  echo "$n $(operations "$n" recursion '') $(operations "$n" joint '') $(operations "$n" recursion "$rows") \
$(operations "$n" joint "$rows")"
done >table
echo "joints  recursion  joint space  recursion, 6 rows  joint space, 6 rows"
awk '{ printf "%6d %10d %12d %18d %20d\n", $1, $2, $3, $4, $5 }' table

# straight COLUMN: between lengths the growth per joint differs by less than a twentieth.
straight() {
  awk -v column="$1" '
    NR > 2 { # the first joints save what has nothing before it
      slope = ($column - before) / ($1 - joints)
      if (least == "" || slope < least) least = slope
      if (slope > most) most = slope
    }
    { before = $column; joints = $1 }
    END { print "growth per joint " least " to " most; exit !(least > 0 && most / least < 1.05) }' table
}
check "the recursion without rows is linear" straight 2
check "the recursion with six rows is linear" straight 4
cheaper() { awk '$1 == 40 { exit !($2 < $3 && $4 < $5) }' table; }
check "and cheaper than joint space at 40 joints" cheaper

[ -z "$plot" ] || awk '
  function x(joints) { return 60 + joints * 9 }
  function y(operations) { return 250 - operations / most * 220 }
  function line(column, colour, dash, name,   i, points) {
    for (i = 1; i <= NR; i++) points = points sprintf("%.1f,%.1f ", x(value[i, 1]), y(value[i, column]))
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s/>\n", points, colour,
      dash ? " stroke-dasharray=\"4 3\"" : ""
    printf "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x(value[NR, 1]) + 6, y(value[NR, column]) + 4, colour, name
  }
  { for (i = 1; i <= 5; i++) { value[NR, i] = $i; if (i > 1 && $i > most) most = $i } }
  END {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 300\" font-family=\"sans-serif\" font-size=\"11\">"
    print "<title>Operations of a solve against joints</title><rect width=\"560\" height=\"300\" fill=\"white\"/>"
    step = 10000
    for (o = 0; o <= most; o += step) {
      printf "<line x1=\"60\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>", x(40), y(o), y(o)
      printf "<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", y(o) + 4, o
    }
    for (j = 0; j <= 40; j += 10)
      printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"250\" y2=\"254\" stroke=\"black\"/><text x=\"%.1f\" y=\"268\" text-anchor=\"middle\">%d</text>\n", x(j), x(j), x(j), j
    printf "<line x1=\"60\" x2=\"%.1f\" y1=\"250\" y2=\"250\" stroke=\"black\"/>\n", x(40)
    printf "<text x=\"%.1f\" y=\"288\" text-anchor=\"middle\">joints of a chain</text>\n", x(20)
    print "<text x=\"60\" y=\"18\">operations of a solve: + - * /</text>"
    line(2, "#1b6ca8", 0, "recursion")
    line(4, "#1b6ca8", 1, "recursion, 6 rows")
    line(3, "#b3501a", 0, "joint space")
    line(5, "#b3501a", 1, "joint space, 6 rows")
    print "</svg>"
  }' table >"$plot"
finish
