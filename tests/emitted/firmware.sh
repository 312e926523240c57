#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/firmware.sh ACHDGEN SOURCE_DIR TESTS_DIR CC MADE: docs/examples/firmware on its boards, emulated, of which a run tries one. It builds (MADE has a folder for
# each board, where the build has made it: tests/runtime/CMakeLists.txt), runs,
# and ends in its safe state whatever goes wrong; what it links needs no library and no double. Its solver's numbers,
# status bits, sines and cosines are those of this machine. (Of the faults and of the levels of the compiler a sample, in_sample.) Prints code size, stack and instructions.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
tests=$(cd "$3" && pwd)
cc=$4
made=$5
cross=arm-none-eabi-
cd "$scratch"

# example FOLDER ARGUMENTS...: make in the example's folder, into one of ours.
example() {
  into=$1
  shift
  timeout 300 make -s -C "$top/docs/examples/firmware" BOARD="$board" ACHDGEN="$achdgen" BUILD="$scratch/$into" "$@"
}

# emulate FOLDER NANOSECONDS_BY_POWER_OF_TWO: its firmware.elf, in that folder.
emulate() {
  (cd "$1" && timeout 300 qemu-system-arm -M "$board" -icount "shift=$2,sleep=off" -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel firmware.elf 2>&1)
}

# Two seconds of the loop: four reports, no overrun, no status, and at the end the tool at its goal.
runs_clean() {
  example "$board" run >ran.txt 2>&1 || { cat ran.txt; return 1; }
  cat ran.txt
  [ "$(grep -c '^running: cycle [0-9]*, tool off by [0-9.]* mm, status 0, overruns 0, stack [0-9]*$' ran.txt)" -eq 4 ] &&
    sed -n '$s/.*off by \([0-9.]*\) mm.*/\1/p' ran.txt | awk '{ exit !($1 < 0.05) }'
}

# faulty FAULT PATTERN EXIT: what a run with this fault says, and how it ends; never does it command behind the brakes.
faulty() {
  rm -f "$board/arm_faulty.o" "$board/firmware.elf"
  ended=0
  example "$board" run DEFINES="-DFAULT=$1" SOURCES="main.c control.c board.c semihost.c startup.c \
    $top/tests/emitted/firmware/arm_faulty.c $scratch/$board/gen3f_achd.c" >ran.txt 2>&1 || ended=$?
  cat ran.txt
  [ "$ended" -eq "$3" ] && grep -q "$2" ran.txt && ! grep -q COMMANDED ran.txt
}

needs_nothing() { [ -z "$("${cross}nm" -u "$1")" ]; }
no_helpers() { ! "${cross}nm" "$1" | grep -E '__aeabi|__gnu|mem(cpy|set|move)'; }
no_double() { ! "${cross}objdump" -d "$1" | grep -E '\.f64'; }

# measured FOLDER FLAGS: prints what one solve takes; the stack that was used is within what the compiler said, and all
# is as docs/performance.md says.
measured() {
  if [ "$2" = -O2 ]; then # as the Makefile compiles by default
    cp -pR "$board" "$1"
    rm -f "$1/firmware.elf"
  fi
  example "$1" OPTIMIZE="$2" SOURCES="$top/tests/emitted/firmware/measure.c $top/tests/emitted/firmware/fault.c control.c semihost.c startup.c \
    $scratch/$1/gen3f_achd.c" && example "$1" size >size.txt && emulate "$1" 10 >measure.txt || return 1
  cat size.txt measure.txt
  told=$(sed -n "s/^| $2 | < \([0-9]*\) | < \([0-9]*\) | < \([0-9]*\) |$/\1 \2 \3/p" "$top/docs/performance.md")
  awk -v board="$board $2" -v told="$told" '
    FNR == NR { code[$1] = $2; stack[$1] = $3; next }
    $1 == "achd" {
      call = stack["gen3f_achd_trig"]
      for (name in stack) if (name ~ /^gen3f_probe/ && stack["gen3f_achd_trig"] + stack[name] > call) call = stack["gen3f_achd_trig"] + stack[name]
      call = call > stack["gen3f_trig_of"] ? call : stack["gen3f_trig_of"]
      said = stack["gen3f_achd"] + call
      bytes = code["gen3f_achd"] + code["gen3f_achd_trig"] + code["gen3f_trig_of"] + code["gen3f_sincos"]
      printf "%s: a solve of gen3, 6 rows: %d bytes of code, %d of stack (%d seen), %d to %d instructions\n",
        board, bytes, said, $4, $2, $3
      split(told, most)
      good = said >= $4 && $4 > said / 2 && bytes < most[1] && said < most[2] && $3 < most[3] && $2 > most[3] / 2
    }
    $1 == "cycle" { printf "%s: a cycle of the example: %d of stack seen, %d to %d instructions\n", board, $4, $2, $3 }
    END { exit !good }' size.txt measure.txt
}

# Sines and cosines of the board, judged here.
sincos() {
  example sincos URDF="$top/robots/arm1dof.urdf" LAYOUT="$top/robots/arm1dof.lua" FLAGS="--real float" OPTIMIZE="$1" \
    SOLVER="$scratch/sincos/arm1doff_achd" DEFINES="-I$top/tests/emitted/firmware" \
    SOURCES="$top/tests/emitted/firmware/sincos.c $top/tests/emitted/firmware/fault.c semihost.c startup.c $scratch/sincos/arm1doff_achd.c" || return 1
  "$achdgen" "$top/robots/arm1dof.urdf" --real float --mode inline -o angles.h && cp angles.h alone.h &&
    $cc -std=gnu11 -O2 -DREAL=float -DSINGLE=1 -DNAME=arm1doff -DALONE=arm1doff -I. "$top/tests/emitted/sincos_sweep.c" \
      -o sweep -lm &&
    ./sweep 500000 ask sincos/arguments.bin && emulate sincos 5 && ./sweep 500000 judge sincos/answers.bin
}

for board in $(one_of "$top" mps2-an386 mps2-an500); do # Cortex-M4F, Cortex-M7
  [ ! -d "$made/$board" ] || cp -pR "$made/$board" .
  check "$board: builds" example "$board"
  check "$board: the solver needs nothing" needs_nothing "$board/gen3f_achd.o"
  check "$board: nothing of a library" no_helpers "$board/firmware.elf"
  check "$board: no double" no_double "$board/firmware.elf"
  check "$board: runs" runs_clean
  for fault in NAN_POSITION NAN_FORCE WILD_POSITION; do in_sample "$top" 3 || continue; check "$board: $fault" faulty $fault '^no solution' 2; done
  sampled 3 "$board: SILENT" faulty SILENT '^no sensors' 2
  sampled 3 "$board: LATE_ONCE" faulty LATE_ONCE '^running: cycle 2000.* overruns [1-9]' 0
  sampled 3 "$board: LATE" faulty LATE '^too slow' 2
  sampled 3 "$board: HUNG" faulty HUNG '^fault: brakes on' 2
  sampled 3 "$board: BAD_ADDRESS" faulty BAD_ADDRESS '^fault: brakes on' 2
  sampled 3 "$board: DEEP" faulty DEEP '^fault: brakes on' 2

  for flags in -O2 -Os; do
    in_sample "$top" 2 || continue
    check "$board: measured, $flags" measured "$board$flags" "$flags"
    grep ':' .said || true
  done
  for flags in "-O2" "-O2 -ffp-contract=fast"; do
    in_sample "$top" 3 || continue
    rm -rf sincos
    check "$board: sines and cosines, $flags" sincos "$flags"
    cat .said
  done
  only=gen3
  [ "$board" = mps2-an500 ] || [ -z "${ACHD_SWEEP:-}" ] || only= # all robots
  sampled 2 "$board: float against double" "$tests/float_test" --achdgen "$achdgen" --only "$only" --states 200 --run "$board"
  grep -E '^[a-z]|last bit|< 1e[123] .*(qdd|tau)' .said || true
  in_sample "$top" 2 || continue
  check "$board: every input field by value" "$tests/input_table_test" --achdgen "$achdgen" --only gen3 --run "$board"
  cat .said
done
finish
