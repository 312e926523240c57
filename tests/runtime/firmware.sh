#!/bin/sh
# tests/runtime/firmware.sh ACHDGEN SOURCE_DIR: the runtime library on microcontrollers. Its objects, for the cores of
# both boards, in float and in double, need libm and no other function of a library; in float no double. On the boards,
# emulated, it solves and controls a gen3, linked with nothing but five functions of libm. Prints instructions and stack.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cross=arm-none-eabi-
cd "$scratch"

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror"

# compiled FLAGS...: every source of the runtime; what they need goes to `needed`, besides each other.
# shellcheck disable=SC2086 # flags are words
compiled() {
  rm -f needed
  for source in "$top"/runtime/*.c; do
    "${cross}gcc" "$@" -mthumb -mfloat-abi=hard -std=c11 $warnings -I"$top/runtime" -c "$source" \
      -o "$(basename "$source" .c).o" || return 1
    "${cross}nm" -u "$(basename "$source" .c).o" | awk '{ print $NF }' | grep -v '^achdf\{0,1\}_' >>needed || true
  done
}

needs_only() { ! sort -u needed | grep -vE "$1"; }
no_double() { ! "${cross}objdump" -d ./*.o | grep -E '\.f64'; }

float_libm='^(sqrt|fma|sin|cos|atan2)f$'
# without instructions for double the compiler's own library does its arithmetic
double_libm='^(sqrt|fma|sin|cos|atan2)$|^__aeabi_(d|i2d|ui2d|f2d)[a-z0-9]*$'
for core in "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -O2" "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -Os -ffreestanding" \
  "-mcpu=cortex-m7 -mfpu=fpv5-d16 -O2"; do
  # A double in float code of a core without instructions for double is a call, which is seen there; copies of structs become calls by -Os
  # before they do by -O2. With ACHD_SWEEP=1 all of each.
  case "$core${ACHD_SWEEP:-}" in
  *m7*-O2) ;;
  *)
    # shellcheck disable=SC2086
    check "$core: float compiles" compiled $core -DACHD_SINGLE
    check "$core: float needs libm only" needs_only "$float_libm"
    check "$core: no double" no_double
    ;;
  esac
  case "$core${ACHD_SWEEP:-}" in
  *m4*-O2) ;;
  *)
    # shellcheck disable=SC2086
    check "$core: double compiles" compiled $core
    check "$core: double needs libm only" needs_only "$double_libm"
    ;;
  esac
done

# headers: what the program on the board includes.
headers() {
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/tests/bench/bounded.lua" --name task --functions mclp --real float \
    --mode inline -o gen3f_task.h &&
    "$achdgen" --machine "$top/robots/machines/pregrasp.lua" -o pregrasp_machine.h &&
    "$achdgen" --task "$top/robots/tasks/gen3_pregrasp.lua" -o gen3_pregrasp_task.h
}

# on_board BOARD FLAGS: builds with nothing but libm.c, and runs.
on_board() {
  rm -rf board
  timeout 300 make -s -C "$top/docs/examples/firmware" BOARD="$1" ACHDGEN="$achdgen" BUILD="$scratch/board" OPTIMIZE="$2" \
    LAYOUT="$top/tests/runtime/gen3_controlled.lua" \
    DEFINES="-DACHD_SINGLE -I$scratch -I$top/runtime -I$top/tests/emitted/firmware" \
    SOURCES="$top/tests/emitted/firmware/runtime.c $top/tests/emitted/firmware/libm.c $top/tests/emitted/firmware/fault.c semihost.c startup.c \
      $(echo "$top"/runtime/*.c) $scratch/board/gen3f_achd.c" || return 1
  (cd board && timeout 300 qemu-system-arm -M "$1" -icount "shift=10,sleep=off" -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel firmware.elf 2>&1) >ran.txt || { cat ran.txt; return 1; }
  cat ran.txt
}

# right: all problems solved, the loop without fault and underway, then stopped by the fault and at rest; no more
# instructions and stack than docs/performance.md says.
right() {
  awk '
    $1 == "problems" { solved = $2 == $4 }
    $1 == "faults" { moved = $2 == 0 && $6 > 0 }
    $1 == "stopped" { stopped = $3 == 1 && $5 < 0.02 }
    $1 == "quiet" { quiet = $2 == 1 }
    $1 == "solver" { cheap += $3 < 700000 && $4 < 1000 }
    $1 == "cycle" { cheap += $3 < 20500 && $4 < 1900 }
    END { exit !(solved && moved && stopped && quiet && cheap == 2) }' ran.txt
}

check "headers" headers
for board in mps2-an386 mps2-an500; do # Cortex-M4F, Cortex-M7
  for flags in -O2 -Os; do
    [ "$board $flags" != "mps2-an500 -Os" ] || continue # as on the other
    check "$board $flags: runs" on_board "$board" "$flags"
    check "$board $flags: solves, controls and stops" right
    awk -v board="$board $flags" 'NF == 4 && $1 != "problems" {
      printf "%s: %s: %d to %d instructions, %d bytes of stack\n", board, $1, $2, $3, $4 }' ran.txt
  done
done

# A momentum observer and its detection take at most 1.3 times the instructions of inverse dynamics.
observes() {
  rm -rf board
  timeout 300 make -s -C "$top/docs/examples/firmware" BOARD=mps2-an386 ACHDGEN="$achdgen" BUILD="$scratch/board" OPTIMIZE=-O2 \
    LAYOUT="$scratch/observer.lua" FLAGS="--real float --functions id,momentum" \
    DEFINES="-DACHD_SINGLE -I$top/runtime -I$top/tests/emitted/firmware" \
    SOURCES="$top/tests/emitted/firmware/observe.c $top/tests/emitted/firmware/libm.c $top/tests/emitted/firmware/fault.c semihost.c startup.c \
      $top/runtime/observer.c $scratch/board/gen3f_achd.c" || return 1
  (cd board && timeout 300 qemu-system-arm -M mps2-an386 -icount "shift=10,sleep=off" -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel firmware.elf 2>&1) >ran.txt || { cat ran.txt; return 1; }
  cat ran.txt
  awk '$1 == "observer" { good = $2 > 0 && $2 <= 1.3 * $4 && $8 == 1 && $10 == 1 } END { exit !good }' ran.txt
}
echo 'return { groups = {} }' >observer.lua
check "mps2-an386: observer" observes
awk '$1 == "observer" { printf "mps2-an386 -O2: observer with momentum %d instructions, %d bytes of stack; id %d\n", $2, $6, $4 }' ran.txt
finish
