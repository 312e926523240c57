#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/platforms.sh [BUILD_DIR]: what docs/platforms.md says of other processors and of Windows, run again with what is installed: the same header and
# the same tests of the runtime library, by cross compilers, under qemu-user and wine. No part of the test run: the compilers are half a gigabyte.
#   apt-get install gcc-{aarch64,riscv64,s390x,powerpc64le,i686}-linux-gnu qemu-user gcc-mingw-w64-x86-64 wine64
set -eu
cd "$(dirname "$0")/.."
top=$(pwd)
build=$(cd "${1:-build}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$build/achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --functions achd,gravity
failed=0

# row PLATFORM RUNNER COMPILER...: the sum of the header's torques, and the tests of the runtime library that pass.
row() {
  platform=$1 runner=$2
  shift 2
  if ! command -v "$1" >/dev/null; then
    echo "$platform: no $1"
    return
  fi
  "$@" -std=c11 -O2 -ffp-contract=off -I. "$top/tests/emitted/platforms.c" -o sum -lm
  [ -f sum ] || mv sum.exe sum # mingw's ending
  sum=$(WINEDEBUG=-all $runner ./sum 2>/dev/null | tr -d '\r')
  [ -n "${expected-}" ] || expected=$sum
  said="same bits"
  [ "$sum" = "$expected" ] || said="OTHER BITS"
  passed=''
  for source in "$top"/runtime/*.c; do
    "$@" -std=c11 -O2 -ffp-contract=off -I"$top/runtime" -c "$source" -o "$(basename "$source").o"
  done
  for name in abag base contact load log move observer qp; do
    oracle=$top/tests/runtime/${name}_oracle.c
    [ -f "$oracle" ] || oracle=''
    # shellcheck disable=SC2086 # no oracle, no argument
    "$@" -std=gnu11 -O2 -ffp-contract=off -I"$top/runtime" -I"$top/tests" -I"$top/tests/runtime" "$top/tests/runtime/${name}_test.c" \
      $oracle ./*.c.o -o test -lm
    [ -f test ] || mv test.exe test
    if WINEDEBUG=-all $runner ./test >log 2>&1; then
      passed="$passed $name"
    else
      said="$said, FAILED: $name"
    fi
    rm -f test
  done
  case $said in "same bits") ;; *) failed=1 ;; esac
  echo "$platform: header: $said; runtime library passes:$passed"
  rm -f sum
}

row "x86-64, Linux" '' gcc
row "aarch64, Linux" qemu-aarch64 aarch64-linux-gnu-gcc -static
row "riscv64, Linux" qemu-riscv64 riscv64-linux-gnu-gcc -static
row "s390x (big-endian), Linux" qemu-s390x s390x-linux-gnu-gcc -static -fexcess-precision=fast
row "ppc64le, Linux" qemu-ppc64le powerpc64le-linux-gnu-gcc -static
row "i686 with SSE2, Linux" qemu-i386 i686-linux-gnu-gcc -static -msse2 -mfpmath=sse
row "x86-64, Windows (mingw, wine)" /usr/lib/wine/wine64 x86_64-w64-mingw32-gcc
exit "$failed"
