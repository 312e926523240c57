#!/bin/sh
# tests/firmware.sh ACHDGEN SOURCE_DIR: docs/examples/firmware for both boards, in the emulator: it builds and runs; what
# it links needs no library and no double; faults end in the safe state. Prints code size and stack.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cross=arm-none-eabi-

# example BUILD ARGUMENTS...: make in the example's folder.
example() {
  build=$1
  shift
  make -s -C "$top/docs/examples/firmware" BOARD="$board" ACHDGEN="$achdgen" BUILD="$scratch/$build" "$@"
}

# runs_clean: two seconds of the loop: four reports, no overrun, no status, and at the end the tool at its goal.
runs_clean() {
  example "$board" run >ran.txt 2>&1 || return 1
  cat ran.txt
  [ "$(grep -c '^running: cycle [0-9]*, tool off by [0-9.]* mm, status 0, overruns 0, stack [0-9]*$' ran.txt)" -eq 4 ] &&
    sed -n '$s/.*off by \([0-9.]*\) mm.*/\1/p' ran.txt | awk '{ exit !($1 < 0.05) }'
}

# faulty FAULT PATTERN EXIT: what a run with this fault says, and how it ends; never does it command behind the brakes.
faulty() {
  rm -f "$scratch/$board/arm_faulty.o" "$scratch/$board/firmware.elf"
  ended=0
  example "$board" run DEFINES="-DCYCLES=2000 -DFAULT=$1" SOURCES="main.c control.c board.c semihost.c startup.c \
    $top/tests/firmware/arm_faulty.c $scratch/$board/gen3f_achd.c" >ran.txt 2>&1 || ended=$?
  cat ran.txt
  [ "$ended" -eq "$3" ] && grep -q "$2" ran.txt && ! grep -q COMMANDED ran.txt
}

no_undefined() { [ -z "$("${cross}nm" -u "$1")" ]; }
no_helpers() { ! "${cross}nm" "$1" | grep -E '__aeabi|__gnu|mem(cpy|set|move)'; }
no_double() { ! "${cross}objdump" -d "$1" | grep -E '\.f64'; }

cd "$scratch"
for board in mps2-an386 mps2-an500; do
  check "$board: builds" example "$board"
  check "$board: the solver needs nothing" no_undefined "$board/gen3f_achd.o"
  check "$board: nothing of a library" no_helpers "$board/firmware.elf"
  check "$board: no double" no_double "$board/firmware.elf"
  check "$board: runs" runs_clean
  cat ran.txt
  for fault in NAN_POSITION NAN_FORCE WILD_POSITION; do check "$board: $fault" faulty $fault '^no solution' 2; done
  check "$board: SILENT" faulty SILENT '^no sensors' 2
  check "$board: LATE_ONCE" faulty LATE_ONCE '^running: cycle 2000.* overruns [1-9]' 0
  check "$board: LATE" faulty LATE '^too slow' 2
  check "$board: HUNG" faulty HUNG '^fault: brakes on' 2
  check "$board: BAD_ADDRESS" faulty BAD_ADDRESS '^fault: brakes on' 2
done
finish
