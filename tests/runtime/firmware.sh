#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/firmware.sh ACHDGEN SOURCE_DIR OBJECTS_DIR [SET]: the runtime library on microcontrollers. Its objects, for the cores of
# both boards, in float and in double, need libm and no other function of a library; in float no double. The build has compiled them,
# each set in a folder of its name (CMakeLists.txt). On the boards,
# emulated, it solves and controls a gen3, linked with nothing but five functions of libm; the build does that as well, by SET, into the folder
# board of the set. Prints instructions and stack.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
[ -d "$3/double_m7_O2" ] || skip_all "there is no arm-none-eabi-gcc"
objects=$(cd "$3" && pwd)
cross=arm-none-eabi-

# linked SET: firmware of the set's objects and libm.c.
linked() {
  case $1 in float_m4*) board=mps2-an386 ;; *) board=mps2-an500 ;; esac # Cortex-M4F, Cortex-M7
  unset MAKEFLAGS MAKELEVEL # those of the build that calls
  making=$objects/$1/board.$$ # moved where it belongs when it is whole
  mkdir "$making"
  cd "$making"
  # what the program on the board includes
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/tests/bench/bounded.lua" --name task --functions mclp --real float --no-prove -q \
    --mode inline -o gen3f_task.h
  "$achdgen" --machine "$top/robots/machines/pregrasp.lua" -q -o pregrasp_machine.h
  "$achdgen" --task "$top/robots/tasks/gen3_pregrasp.lua" -q -o gen3_pregrasp_task.h
  make -s -C "$top/docs/examples/firmware" BOARD=$board ACHDGEN="$achdgen" BUILD="$PWD" OPTIMIZE="-${1##*_}" \
    LAYOUT="$top/tests/runtime/gen3_controlled.lua" \
    DEFINES="-DACHD_SINGLE -I$top/runtime -I$top/tests/emitted/firmware" \
    LDFLAGS="-nostdlib -T mps2.ld -Wl,--fatal-warnings $objects/$1/*.o" \
    SOURCES="$top/tests/emitted/firmware/runtime.c $top/tests/emitted/firmware/libm.c $top/tests/emitted/firmware/fault.c semihost.c startup.c \
      $PWD/gen3f_achd.c" "$PWD/firmware.elf"
  rm -rf "$objects/$1/board"
  mv "$making" "$objects/$1/board"
}
if [ $# -gt 3 ]; then
  linked "$4"
  exit
fi
cd "$scratch"

# needs_only SET FUNCTIONS: what the objects need, besides each other.
needs_only() {
  [ "$(find "$objects/$1" -maxdepth 1 -name '*.o' | wc -l)" -eq "$(find "$top/runtime" -maxdepth 1 -name '*.c' | wc -l)" ] || return 1
  ! "${cross}nm" -u "$objects/$1"/*.o | awk 'NF == 2 { print $2 }' | grep -v '^achdf\{0,1\}_' | sort -u | grep -vE "$2"
}
no_double() { ! "${cross}objdump" -d "$objects/$1"/*.o | grep -E '\.f64'; }

float_libm='^(sqrt|fma|sin|cos|atan2)f$'
# without instructions for double the compiler's own library does its arithmetic
double_libm='^(sqrt|fma|sin|cos|atan2)$|^__aeabi_(d|i2d|ui2d|f2d)[a-z0-9]*$'
for set in float_m4_O2 float_m4_hosted_O2 float_m4_Os float_m7_O2; do
  check "$set: needs libm only" needs_only "$set" "$float_libm"
  check "$set: no double" no_double "$set"
done
for set in double_m4_Os double_m7_O2; do check "$set: needs libm only" needs_only "$set" "$double_libm"; done

# on_board BOARD SET: the firmware of the set runs.
on_board() {
  timeout 300 qemu-system-arm -M "$1" -icount "shift=10,sleep=off" -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel "$objects/$2/board/firmware.elf" >ran.txt 2>&1 || { cat ran.txt; return 1; }
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
    $1 == "cycle" { cheap += $3 < 21500 && $4 < 1900 }
    END { exit !(solved && moved && stopped && quiet && cheap == 2) }' ran.txt
}

for set in float_m4_O2 float_m4_Os float_m7_O2; do
  case $set in float_m4*) board=mps2-an386 ;; *) board=mps2-an500 ;; esac # Cortex-M4F, Cortex-M7
  flags=-${set##*_}
  check "$board $flags: runs" on_board "$board" "$set"
  check "$board $flags: solves, controls and stops" right
  awk -v board="$board $flags" 'NF == 4 && $1 != "problems" {
    printf "%s: %s: %d to %d instructions, %d bytes of stack\n", board, $1, $2, $3, $4 }' ran.txt
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
