#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/wide.sh ACHDGEN SOURCE_DIR [BEFORE [CC]]: batches in registers of 64 bytes (AVX-512): time per state of the solve of gen3 with six rows,
# in regular states, in random ones, and in batches of which one state is singular, and of the forward dynamics of iiwa7 with its derivatives; 8 doubles and 16 floats. BEFORE: another version
# of achdgen, whose headers take turns with these. 5th percentiles of processor time, medians of the ratios of neighbouring turns. 77: no AVX-512.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
before=${3:+$(absolute "$3")}
compiler=${4:-gcc}
grep -qw avx512dq /proc/cpuinfo 2>/dev/null || skip_all "no AVX-512"
pinned=
if command -v taskset >/dev/null && taskset -c 1 true 2>/dev/null; then pinned="taskset -c ${CORE:-1}"; fi
cd "$scratch"
cat >achd.lua <<'END_LUA'
return { gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "end_effector_link" } }, outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" } }
END_LUA
echo 'return { gravity = { 0, 0, -9.81 }, groups = {} }' >dfd.lua
cat >caller.c <<'END_C'
#include HEADER
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF(what) JOIN(JOIN(PREFIX, FUNCTION), what)
enum { BATCHES = 64 };
static OF(_batch_in) states[BATCHES];
static double number(int field, int joint, int k) { /* [0, 1) */
  const unsigned x = (unsigned)(field * 7919 + joint * 104729 + k * 1299709) * 2654435761u;
  return (double)(x >> 8) / (1 << 24);
}
void JOIN(PREFIX, begin)(void);
void JOIN(PREFIX, begin)(void) {
  for (int s = 0; s < BATCHES * STATES; s++)
    for (int j = 0; j < 7; j++) {
      const double x = number(0, j, s);
      OF(_batch_in) *in = &states[s / STATES];
      /* regular: elbow and wrist bent; singular: the arm stretched out */
      in->q[j][s % STATES] = (REAL)(KIND == 1 ? 6.28 * x - 3.14 : (j % 2 ? 1 : -1) * (0.6 + 0.6 * x));
      if (KIND == 2 && s % STATES == 3) in->q[j][s % STATES] = 0;
      in->qd[j][s % STATES] = (REAL)(2 * number(1, j, s) - 1);
      if (j < ASKED) in->GIVEN[j][s % STATES] = (REAL)(2 * number(2, j, s) - 1);
    }
}
void JOIN(PREFIX, run)(void);
void JOIN(PREFIX, run)(void) {
  static OF(_batch_out) out;
  JOIN(PREFIX, status) status[STATES];
  for (int b = 0; b < BATCHES; b++) {
    OF(_batch)(&states[b], &out, status);
    __asm__ volatile("" : : "r"(&out), "r"(status) : "memory");
  }
}
END_C
# contestant NAME ACHDGEN STATES ROBOT FUNCTION KIND (0: regular states, 1: random ones, 2: regular but for one of each batch)
contestant() {
  real=double suffix=
  [ "$3" = 8 ] || real=float suffix=f
  "$2" -q --no-prove "$top/robots/$4.urdf" --layout "$5.lua" --functions "$5" --batch "$3" --real $real --name "$1" --mode inline -o "$1.h"
  given=tau asked=7
  [ "$5" != achd ] || given=b asked=6
  "$compiler" -std=gnu11 -O3 -march=native -DHEADER="\"$1.h\"" -DPREFIX="$1${suffix}_" -DFUNCTION="$5" -DSTATES="$3" -DREAL=$real -DKIND="$6" \
    -DGIVEN=$given -DASKED=$asked -c caller.c -o "$1.o"
  objects="$objects $1.o"
  echo "void $1${suffix}_begin(void), $1${suffix}_run(void);" >>declared
  case $6 in 0) states=regular ;; 1) states=random ;; *) states="one singular" ;; esac
  echo "{\"$4 $5, $3 of $real, $states\", $1${suffix}_begin, $1${suffix}_run, $3}," >>listed
}
objects=
: >declared && : >listed
number=0
for what in "8 gen3 achd 0" "8 gen3 achd 1" "8 gen3 achd 2" "16 gen3 achd 0" "16 gen3 achd 1" "16 gen3 achd 2" "8 iiwa7 dfd 1" "16 iiwa7 dfd 1"; do
  number=$((number + 1))
  # shellcheck disable=SC2086 # words
  contestant new$number "$achdgen" $what
  # shellcheck disable=SC2086
  [ -z "$before" ] || contestant old$number "$before" $what
done
cat >turns.c <<END_C
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>
$(cat declared)
static const struct { const char *name; void (*begin)(void), (*run)(void); int states; } all[] = {$(cat listed)};
enum { N = sizeof all / sizeof *all, TURNS = 501, BATCHES = 64, EACH = ${before:+1 + }1 };
static double ns[N][TURNS], ratio[TURNS];
int main(void) {
  for (int c = 0; c < (int)N; c++) all[c].begin();
  for (int r = 0; r < TURNS; r++)
    for (int c = 0; c < (int)N; c++) {
      const double from = now();
      all[c].run();
      ns[c][r] = (now() - from) / (BATCHES * all[c].states);
    }
  printf("| batch | ns a state | million states a second |%s\n", EACH > 1 ? " of the time before |" : "");
  printf("|---|---|---|%s\n", EACH > 1 ? "---|" : "");
  for (int c = 0; c < (int)N; c += EACH) {
    for (int r = 0; r < TURNS && EACH > 1; r++) ratio[r] = ns[c][r] / ns[c + EACH - 1][r];
    qsort(ratio, TURNS, sizeof *ratio, by_size);
    qsort(ns[c], TURNS, sizeof ns[c][0], by_size);
    printf("| %s | %.1f | %.1f |", all[c].name, ns[c][TURNS / 20], 1e3 / ns[c][TURNS / 20]);
    if (EACH > 1) printf(" %.2f |", ratio[TURNS / 2]);
    printf("\n");
  }
  return 0;
}
END_C
# shellcheck disable=SC2086 # words
"$compiler" -O2 -I"$top/tests/bench" turns.c $objects -o turns
$pinned ./turns
