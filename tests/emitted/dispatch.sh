#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/dispatch.sh ACHDGEN SOURCE_DIR: --dispatch avx2: of two copies of each function a call takes the one that the processor can run. Without AVX2 or FMA: the
# bits of the header without the option. With both: accelerations within the bounds that the two calls tell of themselves; the same bits where
# the compiler fuses no products and sums, in batches and parts, too; strict compilers of C and C++ take every mode; what it excludes.
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
[ "$(uname -m)" = x86_64 ] || skip_all "the option is for x86-64"
command -v gcc >/dev/null || skip_all "no gcc"
cd "$scratch"
echo 'return { outputs = { "qdd", "bound" } }' >bound.lua

# made ROBOT LAYOUT FUNCTION OPTIONS: one.h, both.h
made() {
  for kind in "one" "both --dispatch avx2"; do
    "$achdgen" "$top/robots/$1.urdf" --layout "$2" --functions "$3" --name $kind --no-prove -q -o "${kind%% *}.h" $4
  done
}

# ways NAME COMPILER DEFINITIONS: the calls of both ways.
ways() {
  check "$1, $2: compiles" $2 -D_GNU_SOURCE -DONE_IMPLEMENTATION -DBOTH_IMPLEMENTATION $3 -I. "$top/tests/emitted/dispatch_test.c" -o calls -lm
  check "$1, $2: without AVX2 or FMA" ./calls plain
  wide=0
  ./calls wide >said 2>&1 || wide=$?
  if [ $wide = 77 ] && has qemu-x86_64; then # a processor that has neither
    wide=0
    qemu-x86_64 -cpu max ./calls wide >said 2>&1 || wide=$?
  fi
  if [ $wide = 77 ]; then echo "$1: this processor has no AVX2 and FMA: the way with both is not tested"; else check "$1, $2: with both: $(cat said)" test $wide = 0; fi
}
own() { echo "$top/robots/$1.lua"; }

made youbot_arm bound.lua fd ""
fused="-std=gnu11 -O1"
ways "youbot_arm" "gcc $fused -fexpensive-optimizations" "-DFUNCTION=fd -DTAKES=fd -DFILLS=fd" # which fuses
if has clang; then ways "youbot_arm" "clang $fused" "-DFUNCTION=fd -DTAKES=fd -DFILLS=fd"; fi
check "NAME_NO_DISPATCH leaves the plain copy" gcc -std=c99 -O0 -DBOTH_NO_DISPATCH -DBOTH_IMPLEMENTATION -c -x c both.h -o plain.o
check "no AVX2 is left" sh -c '! nm plain.o | grep -q avx2'
check "nor where gcc does not align registers of 32 bytes" sh -c 'gcc -std=c99 -O0 -D_WIN32 -DBOTH_IMPLEMENTATION -c -x c both.h -o plain.o && ! nm plain.o | grep -q avx2'
check "the banner tells" grep -q '^ \* copies  two of every function' both.h
unfused="gcc -std=gnu11 -O0 -ffp-contract=off"
made puma560 "$(own puma560)" id "--batch 4 --parts 100"
ways "batches in parts" "$unfused" "-DBITS -DFUNCTION=id_batch -DTAKES=id_batch -DFILLS=id_batch -DBATCH=4"
made drone "$(own drone)" fd "--prefetch"
ways "a floating base" "$unfused" "-DBITS -DFUNCTION=fd -DTAKES=fd -DFILLS=fd"

# -- strict compilers: functions that go on with others' results, limbs as lanes, every mode
echo '#include "arm.h"' >unit.c
for compiler in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
  has "${compiler%% *}" || continue
  for case in "youbot_base default --mode=split" "quadruped id --lanes=1" "youbot_arm jac,fk --mode=inline" "youbot_arm id --mode=shared --batch=2"; do
    in_sample "$top" 8 || continue
    set -- $case
    robot=$1 functions=
    [ "$2" = default ] || functions="--functions $2"
    shift 2
    "$achdgen" "$top/robots/$robot.urdf" --layout "$(own "$robot")" $functions --dispatch avx2 --no-prove -q --name arm -o arm.h "$@"
    file=unit.c
    case $case in *split | *shared*) file=arm.c ;; esac
    check "$compiler, $case" $compiler $strict -O0 -fPIC -DARM_IMPLEMENTATION -I. -c $file -o arm.o
  done
done

excluded() { # WORD..: beside --dispatch it is an error with both names
  # shellcheck disable=SC2086 # an option and its value
  ! "$achdgen" "$top/robots/arm1dof.urdf" --dispatch avx2 $1 -o no.h 2>said && grep -q -- "--dispatch and $1 exclude each other" said
}
for word in "--real float" --branchless --casadi; do
  check "not beside $word" excluded "$word"
done
finish
