#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/unsafe.sh ACHDGEN SOURCE_DIR: flags that let compilers change arithmetic. With each of them, by gcc and clang,
# for double and float, a header either does not compile, and says why, or its sines, numbers and statuses are right
# (unsafe.c), in batches too; the same of the runtime library, by its own tests, which take 1200
# random problems here, and 12000 with ACHD_SWEEP=1. Of the combinations every ninth (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
problems=1200
[ "${ACHD_SWEEP:-}" != 1 ] || problems=12000

# what must not compile; what macros tell of
refused_by_all="-ffast-math|-Ofast|-ffinite-math-only"
refused_by_gcc="-funsafe-math-optimizations|-fassociative-math -fno-signed-zeros -fno-trapping-math"
flags_of() { # COMPILER: a line for each set of flags
  printf '%s\n' "-O2 -ffast-math" "-Ofast" "-O2 -funsafe-math-optimizations" \
    "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math" "-O2 -ffinite-math-only" "-O2 -freciprocal-math" \
    "-O2 -fno-signed-zeros" "-O2 -ffp-contract=off" "-O3"
  fma=
  ! grep -q ' fma ' /proc/cpuinfo 2>/dev/null || fma="-mavx2 -mfma"
  printf '%s\n' "-O2 -ffp-contract=fast $fma"
  [ "$1" != clang ] ||
    printf '%s\n' "-O3 -funsafe-math-optimizations $fma" "-O2 -fno-honor-nans" "-O2 -fno-honor-infinities -fno-signed-zeros"
}
must_refuse() { # COMPILER FLAGS
  echo "$2" | grep -q -E -e "$refused_by_all" && return
  [ "$1" = gcc ] && echo "$2" | grep -q -E -e "$refused_by_gcc"
}
refuses() { # COMMAND...: it fails, and says why
  if "$@" >said 2>&1; then
    echo "it compiles"
    return 1
  fi
  grep -q 'error.*compile without -ffast-math' said || { cat said && return 1; }
}

# Of the runtime, whose tests take longer: with the flags that no macro tells of.
concerns_runtime() {
  case $2 in
  *-freciprocal-math) [ "$1" = gcc ] ;;
  "-O2 -funsafe-math-optimizations" | "-O2 -fno-honor-nans") return 0 ;;
  *) return 1 ;;
  esac
}
runtime() ( # COMPILER FLAGS REAL: the runtime library with the flags, its tests without
  single=
  [ "$3" = double ] || single=-DACHD_SINGLE
  mkdir -p lib && cd lib && rm -f ./*
  for source in mclp least_norm abag pid; do
    # shellcheck disable=SC2086 # flags are words
    "$1" -std=c11 $2 $single -I "$top/runtime" -c "$top/runtime/$source.c"
  done
  for test in "mclp_test.c $top/tests/runtime/mclp_oracle.c" abag_test.c pid_test.c; do
    # shellcheck disable=SC2086 # flags are words
    gcc -std=gnu11 -O1 $single -I "$top/runtime" -I "$top/tests" "$top/tests/runtime/"$test ./*.o -o run -lm
    ./run . "$problems"
  done
)

cat >layout.lua <<'END'
return { locked = { arm_joint_1 = 0, arm_joint_5 = 0 },
  groups = { { name = "tool", frame = "gripper_palm_link", rows = { "lin_x", "lin_z" }, maskable = true } },
  saturate = true, armature = "input", wrenches = { { name = "push", frame = "gripper_palm_link", kind = "physical" } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" } }
END
for real in double float; do
  for name in plain tried; do
    "$achdgen" "$top/robots/youbot_arm.urdf" --layout layout.lua --name $name --real $real --batch 4 --no-prove -o $name.h
  done
  suffix=$([ $real = double ] || echo f)
  upper=$(echo "$suffix" | tr f F)
  single=$([ $real = double ] || echo -DSINGLE)
  printf '#define TRIED%s_IMPLEMENTATION\n#include "tried.h"\n' "$upper" >tried.c
  printf '#define PLAIN%s_IMPLEMENTATION\n#include "plain.h"\n' "$upper" >plain.c
  gcc -std=c99 -O1 -ffp-contract=off -c plain.c
  # shellcheck disable=SC2086 # perhaps no word
  gcc -std=gnu11 -O1 -I. $single -DTRIED=tried$suffix -DAT_ONCE=TRIED${upper}_K -DPLAIN=plain$suffix -c "$top/tests/emitted/unsafe.c" -o unsafe.o
  for cc in gcc clang; do
    has "$cc" || continue
    flags_of $cc >flags
    # shellcheck disable=SC2094 # nothing below writes it
    while read -r flags; do
      in_sample "$top" 9 || continue
      what="$real, $cc $flags"
      # shellcheck disable=SC2086 # flags are words
      if must_refuse $cc "$flags"; then
        check "$what: the header refuses" refuses $cc -std=gnu11 $flags -c tried.c
        check "$what: the runtime refuses" refuses $cc -std=gnu11 $flags -I "$top/runtime" -c "$top/runtime/mclp.c"
      else
        check "$what: compiles" $cc -std=gnu11 $flags -c tried.c
        check "$what: links" gcc tried.o plain.o unsafe.o -o run -lm
        check "$what: numbers and statuses" ./run
        ! concerns_runtime $cc "$flags" || check "$what: the runtime" runtime $cc "$flags" $real
      fi
    done <flags
  done
done
finish
