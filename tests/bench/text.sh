#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/text.sh ACHDGEN SOURCE_DIR [FILE.svg [CC [FLAGS]]]: what bounds a small and a large robot: time of a solve against its bytes of machine
# code, of the general solve of robots and chains by the default, --cache 0 and --small; first, how fast this CPU reads straight-line code at best. Times are
# 5th percentiles of processor time over 64 states, all options of a robot in turns; a table, and a picture of it in FILE.svg.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
plot=${3:+$(absolute "$3")}
compiler=${4:-gcc}
flags=${5:--O3 -march=native}
[ "$(uname -m)" = x86_64 ] || skip_all "the code that is read is of x86-64"
pinned=
if command -v taskset >/dev/null && taskset -c 1 true 2>/dev/null; then pinned="taskset -c ${CORE:-1}"; fi
cd "$scratch"
cat >turns.c <<'END_C'
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>
enum { TURNS = 301, MOST = 3 };
void a_achd_begin(void), b_achd_begin(void), c_achd_begin(void), a_achd_run(void), b_achd_run(void), c_achd_run(void);
int main(void) {
  static double ns[MOST][TURNS];
  void (*const run[MOST])(void) = {a_achd_run, b_achd_run, c_achd_run};
  a_achd_begin();
  b_achd_begin();
  c_achd_begin();
  for (int r = 0; r < TURNS; r++)
    for (int k = 0; k < MOST; k++) {
      const double start = now();
      run[k]();
      ns[k][r] = (now() - start) / 64;
    }
  for (int k = 0; k < MOST; k++) {
    qsort(ns[k], TURNS, sizeof ns[k][0], by_size);
    printf("%.0f\n", ns[k][TURNS / 20]);
  }
  return 0;
}
END_C
# What a CPU reads at best: products of eight bytes each, none of which waits for another for long.
cat >read.c <<'END_C'
#include <stdio.h>
#include <time.h>
void code(const double *x);
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
int main(void) {
  static double x[64];
  double least = 1e18;
  for (int r = 0; r < 200; r++) {
    const double start = now();
    for (int k = 0; k < 20; k++) code(x);
    const double ns = (now() - start) / 20;
    if (ns < least) least = ns;
  }
  printf("%.0f\n", KB * 1024 / least);
  return 0;
}
END_C
# read_rate KB: bytes of straight-line code a nanosecond, of a function of so many.
read_rate() {
  { echo ".globl code
code:
.rept $(($1 * 16))"
    for k in 0 1 2 3 4 5 6 7; do echo "vmulsd $((256 + 8 * k))(%rdi), %xmm$k, %xmm$k"; done
    echo ".endr
ret
.section .note.GNU-stack,\"\",@progbits"; } >code.s
  # shellcheck disable=SC2086 # words
  $compiler -O2 -DKB="$1" read.c code.s -o read && $pinned ./read
}
# row ROBOT ARGUMENTS...: three lines of the table.
row() {
  robot=$1
  shift
  for name in a b c; do
    option=
    [ $name != b ] || option="--cache 0"
    [ $name != c ] || option=--small
    # shellcheck disable=SC2086 # words
    "$achdgen" -q --no-prove "$@" $option --functions achd --name $name --mode inline -o $name.h
    start=$(echo "${name}_achd_in_default" | tr '[:lower:]' '[:upper:]')
    # shellcheck disable=SC2086 # words
    "$compiler" -std=gnu11 $flags -I. -DHEADER="\"$name.h\"" -DNAME=${name}_achd -DSTART="$start" -c "$top/tests/bench/caller.c" -o $name.o
    size -A $name.o | awk '/^\.text/ { code += $2 } END { print code }'
  done >bytes
  "$compiler" -O2 -I"$top/tests/bench" turns.c a.o b.o c.o -o turns -lm
  $pinned ./turns >times.txt
  printf '%s\n' "default" "\`--cache 0\`" "\`--small\`" >options
  paste -d '|' options bytes times.txt | awk -F '|' -v robot="$robot" '{ printf "| %s | %s | %d | %d | %.0f |\n", robot, $1, $2, $3, $2 / $3 }'
}
grep -q avx /proc/cpuinfo || skip_all "no AVX"
most=$(read_rate 512)
echo "straight-line code, read at best, in bytes a nanosecond: 16 KB $(read_rate 16), 128 KB $(read_rate 128), 512 KB $most"
robots="$top/robots"
{
  row "gen3, six rows" "$robots/gen3.urdf" --layout "$robots/gen3.lua" --formulation joint
  row "two_arms" "$robots/two_arms.urdf" --layout "$robots/two_arms.lua" --formulation joint
  row "quadruped, 12 rows" "$robots/quadruped.urdf" --layout "$robots/quadruped.lua" --formulation recursion
  row "humanoid, fixed base" "$robots/humanoid.urdf" --formulation recursion
  for n in 14 30 60; do
    awk -v joints=$n -f "$top/tests/bench/chain.awk" /dev/null >chain.urdf
    echo "return { gravity = { 0, 0, -9.81 }, groups = { { name = \"tip\", frame = \"l$n\" } }, outputs = { \"qdd\", \"nu\" } }" >chain.lua
    row "chain of $n joints" chain.urdf --layout chain.lua --formulation recursion
  done
} >table
echo "| robot | option | bytes of code | ns | bytes a ns |"
echo "|---|---|---|---|---|"
cat table
[ -z "$plot" ] || awk -F '|' -v most="$most" '
  function x(bytes) { return 60 + log(bytes / 16384) / log(2) * 90 }
  function y(ns) { return 330 - log(ns / 128) / log(2) * 48 }
  BEGIN {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 390\" font-family=\"sans-serif\" font-size=\"11\">"
    print "<title>Time of a solve against its bytes of machine code</title><rect width=\"620\" height=\"390\" fill=\"white\"/>"
    for (b = 16384; b <= 524288; b *= 2) {
      printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"20\" y2=\"330\" stroke=\"#dddddd\"/>", x(b), x(b)
      printf "<text x=\"%.1f\" y=\"346\" text-anchor=\"middle\">%d</text>\n", x(b), b / 1024
    }
    for (t = 128; t <= 8192; t *= 2) {
      printf "<line x1=\"60\" x2=\"510\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>", y(t), y(t)
      printf "<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", y(t) + 4, t
    }
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" ", x(16384), y(16384 / most), x(524288), y(524288 / most)
    print "stroke=\"#888888\" stroke-dasharray=\"4 3\"/>"
    printf "<text x=\"514\" y=\"%.1f\" fill=\"#555555\">%d bytes a ns</text>\n", y(524288 / most) + 4, most
    print "<text x=\"60\" y=\"14\">ns of a solve</text><text x=\"285\" y=\"364\" text-anchor=\"middle\">KB of machine code</text>"
    colour["default"] = "#1b6ca8"
    colour["`--cache 0`"] = "#b3501a"
    colour["`--small`"] = "#3a7d34"
    print "<g><circle cx=\"70\" cy=\"380\" r=\"4\" fill=\"#1b6ca8\"/><text x=\"78\" y=\"384\">default</text>"
    print "<circle cx=\"150\" cy=\"380\" r=\"4\" fill=\"#b3501a\"/><text x=\"158\" y=\"384\">--cache 0</text>"
    print "<circle cx=\"240\" cy=\"380\" r=\"4\" fill=\"#3a7d34\"/><text x=\"248\" y=\"384\">--small</text></g>"
  }
  {
    gsub(/^ | $/, "", $2)
    gsub(/^ | $/, "", $3)
    if ($3 == "default") {
      left = x($4) > 180 # beside the line, not on it
      printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x($4) + (left ? -7 : 7), y($5) + 3, left ? "end" : "start", $2
    }
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" fill-opacity=\"0.8\"/>\n", x($4), y($5), colour[$3]
  }
  END { print "</svg>" }' table >"$plot"
