#!/bin/sh
# tests/sincos.sh ACHDGEN SOURCE_DIR [RANDOM]: the emitted sines and cosines against long double: below 1 ulp for
# double, below 2^-24 for float, contracted to FMA or not. RANDOM: number of random arguments of each kind.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
random=${3:-4800000} # with the hardest ones more than 10^7 arguments
cd "$scratch"

for real in double float; do
  prefix=arm1dof
  single=0
  [ $real = double ] || { prefix=arm1doff; single=1; }
  "$achdgen" "$top/robots/arm1dof.urdf" --layout "$top/robots/arm1dof.lua" --real $real --mode inline -o $real.h
  for flags in "-O2" "-O2 -march=native" "-O0"; do
    # shellcheck disable=SC2086 # flags are words
    check "$real compiles with $flags" gcc -std=c11 $flags -DHEADER="\"$real.h\"" -DREAL=$real -DSINGLE=$single \
      -DJOINTS=1 -DTRIG=${prefix}_trig -DTRIG_OF=${prefix}_trig_of -I. "$top/tests/sincos_sweep.c" -o sweep -lm
    n=$random
    [ "$flags" = -O2 ] || n=$((random / 10))
    check "$real with $flags" ./sweep "$n"
    cat .said
  done
done
finish
