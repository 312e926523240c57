#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/sincos.sh ACHDGEN SOURCE_DIR [RANDOM]: the emitted sines and cosines against long double: below 1 ulp for
# double, below 2^-24 for float, contracted to FMA or not, one angle at a time, as many as vectors hold, and of
# all states of a batch with AVX-512, which gives the same bits. RANDOM: number of random arguments of each kind. Of the compilers and levels a sample (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
random=150000
[ -z "${ACHD_SWEEP:-}" ] || random=4800000 # with the hardest ones more than 10^7 arguments
random=${3:-$random}
legs="$top/robots/quadruped.urdf --layout $top/robots/quadruped.lua"
cd "$scratch"

for real in double float; do
  single=0
  [ $real = double ] || single=1
  for name in angles alone; do # seven joints
    "$achdgen" "$top/robots/gen3.urdf" --functions gravity --name $name --real $real --no-prove --mode inline -o $name.h
  done
  sed -i 's/defined(__GNUC__)/0/' alone.h
  suffix=$([ $real = double ] || echo f)
  for flags in "gcc -O2" "gcc -O2 -march=native" "gcc -O0" "clang -O2" "clang -O2 -march=native"; do
    has "${flags%% *}" || continue
    in_sample "$top" 2 || continue
    # shellcheck disable=SC2086 # flags are words
    check "$real compiles with $flags" $flags -std=gnu11 -DREAL=$real -DSINGLE=$single -DNAME="angles$suffix" \
      -DALONE="alone$suffix" -I. "$top/tests/emitted/sincos_sweep.c" -o sweep -lm
    n=$random
    [ "$flags" = "gcc -O2" ] || n=$((random / 10))
    check "$real with $flags" ./sweep "$n"
    cat .said
  done
  # one angle of all states of a batch, in registers of 64 bytes
  states=8
  [ $single = 0 ] || states=16
  "$achdgen" "$top/robots/gen3.urdf" --functions gravity --name angles --real $real --batch $states --no-prove --mode inline -o angles.h
  for flags in "gcc -O2" "gcc -O0" "clang -O2" "gcc -O2 -DANGLES${suffix:+F}_NO_LANES"; do
    has "${flags%% *}" || continue
    in_sample "$top" 2 || continue
    grep -qw avx512dq /proc/cpuinfo || continue
    # shellcheck disable=SC2086 # flags are words
    check "$real, $states states, compiles with $flags" $flags -mavx512f -mavx512dq -mfma -std=gnu11 -DREAL=$real -DSINGLE=$single \
      -DSTATES=$states -DNAME="angles$suffix" -DALONE="alone$suffix" -I. "$top/tests/emitted/sincos_sweep.c" -o sweep -lm
    check "$real, $states states, with $flags" ./sweep $((random / 10))
    cat .said
  done
  # and the sweep sees a mistake in them: in each step of the reduction, of the polynomials, and of the turn by quarters
  for mistake in 'n \* 1.57/n * 1.58' '((a - r) - b) - /((a - r) + b) - ' 'quarters \& 2/quarters \& 1' '(last < 0)/(last >= 0)' 'q - n \*/q + n *' \
    '= sum - rounder/= sum' 'z \* z \* poly_c/z * z * poly_s' '1.0f* - half/1.0 - z'; do
    grep -qw avx512dq /proc/cpuinfo || continue
    in_sample "$top" 8 || continue
    mkdir -p wrong
    sed "/^static inline void angles${suffix}_sincos_batch/,/^#else/s/$mistake/" angles.h >wrong/angles.h
    check "$real, planted: $mistake: changes the text" sh -c '! cmp -s angles.h wrong/angles.h'
    check "$real, planted: $mistake: compiles" gcc -O0 -mavx512f -mavx512dq -mfma -std=gnu11 -DREAL=$real -DSINGLE=$single \
      -DSTATES=$states -DNAME="angles$suffix" -DALONE="alone$suffix" -Iwrong -I. "$top/tests/emitted/sincos_sweep.c" -o sweep -lm
    check "$real, planted: $mistake: is seen" sh -c '! ./sweep 1000'
  done
  # limbs as lanes have an end of their own
  # shellcheck disable=SC2086 # arguments are words
  "$achdgen" -q $legs --functions id --lanes 1 --name angles --real $real --no-prove --mode inline -o angles.h
  # shellcheck disable=SC2086
  "$achdgen" -q $legs --functions id --name alone --real $real --no-prove --mode inline -o alone.h
  sed -i 's/defined(__GNUC__)/0/' alone.h
  check "$real, limbs as lanes: turned by bits" grep -q 'quarters = ' angles.h
  for flags in "gcc -O2" "gcc -O2 -mavx2 -mfma" "clang -O2 -mavx2"; do
    has "${flags%% *}" || continue
    in_sample "$top" 3 || continue
    [ "$flags" = "gcc -O2" ] || grep -qw avx2 /proc/cpuinfo || continue
    # shellcheck disable=SC2086 # flags are words
    check "$real, limbs as lanes, compiles with $flags" $flags -std=gnu11 -DREAL=$real -DSINGLE=$single -DNAME="angles$suffix" \
      -DALONE="alone$suffix" -I. "$top/tests/emitted/sincos_sweep.c" -o sweep -lm
    check "$real, limbs as lanes, with $flags" ./sweep $((random / 10))
    cat .said
  done
done
finish
