#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/branchless.sh ACHDGEN SOURCE_DIR: what --branchless promises. No conditional jump in the objects of gcc,
# clang and arm-none-eabi-gcc at -O2, -O3 and -Os; results and status bit-equal to the default header's; on the emulated
# boards one number of instructions for all states, singular, masked and NaN ones among them. Robots, levels and boards: a sample (in_sample). ACHD_SWEEP: 10^6 states.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
robots=$top/robots
here=$top/tests/emitted
states=1000
on_board=100
[ -z "${ACHD_SWEEP:-}" ] || states=1000000 on_board=1000000
cd "$scratch"

arm() { arm-none-eabi-gcc -mthumb -mfloat-abi=hard -std=c11 -ffreestanding "$@"; }

# Conditional jumps in an object: j.. but jmp; b.., cbz, cbnz and tables of Thumb.
jumps() { "$1" -d --no-show-raw-insn "$2" | grep -cE "$3" || true; }
x86='^[ 0-9a-f]+:[[:space:]]+(j([^m]|m[^p])[a-z]*|loop[a-z]*)[[:space:]]'
thumb='^[ 0-9a-f]+:[[:space:]]+(b(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.[nw])?|cbn?z|tb[bh])[[:space:]]'

# straight WHAT ARGUMENTS...: the objects of what these arguments make have no conditional jump; prints those of the default.
# shellcheck disable=SC2086 # flags are words
straight() {
  what=$1
  shift
  "$achdgen" "$@" --no-prove --branchless --mode split -o masked.h || return 1
  for optimize in $levels; do
    for cc in gcc clang; do
      has $cc || continue
      $cc -std=c99 $optimize -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c masked.c -o masked.o || return 1
      echo "$what, $cc $optimize: $(jumps objdump masked.o "$x86") conditional jumps"
    done
    case $what in
    *float*) cpu="-mcpu=cortex-m4 -mfpu=fpv4-sp-d16" ;;
    *) cpu="-mcpu=cortex-m7 -mfpu=fpv5-d16" ;;
    esac
    arm $cpu $optimize -c masked.c -o masked.o || return 1
    [ -z "$(arm-none-eabi-nm -u masked.o)" ] || { echo "$what needs a library on ARM"; return 1; }
    echo "$what, arm $optimize: $(jumps arm-none-eabi-objdump masked.o "$thumb") conditional jumps"
  done >"jumps"
  cat jumps
  cat jumps >>all_jumps
  ! grep -v ': 0 conditional' jumps
}

cat >drop.lua <<'LUA'
return { singularity = "drop", torques = { artificial = true }, saturate = true, groups = {
  { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true },
  { name = "elbow", frame = "forearm_link", rows = 2, maskable = true } } }
LUA
cat >truncate.lua <<'LUA'
return { singularity = "truncate", groups = {
  { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true } } }
LUA
gen3="$robots/gen3.urdf --layout $robots/gen3.lua"
levels="-O2 -O3 -Os"
family="achd,$(family "$top")"
# shellcheck disable=SC2086 # arguments are words
{
  [ -n "${ACHD_SWEEP:-}" ] || levels=$(for level in $levels; do ! in_sample "$top" 4 || printf '%s ' "$level"; done) # one
  check "gen3" straight "gen3" $gen3
  [ -n "${ACHD_SWEEP:-}" ] || levels="-Os"
  sampled 5 "all other functions" straight "family" "$robots/youbot_arm.urdf" --layout "$robots/youbot_arm.lua" --functions $family
  sampled 5 "bounded rows" straight "bounded" "$robots/gen3.urdf" --layout "$robots/bounded/gen3.lua"
  sampled 5 "a floating base" straight "drone" "$robots/drone.urdf" --layout "$robots/drone.lua"
  sampled 5 "a closed loop" straight "four_bar float" "$robots/four_bar.urdf" --layout "$robots/four_bar.lua" --real float
  if [ -n "${ACHD_SWEEP:-}" ]; then
    check "gen3 in float" straight "gen3 float" $gen3 --real float
    check "by recursion" straight "recursion" $gen3 --formulation recursion
    check "rows that are dropped" straight "drop" "$robots/gen3.urdf" --layout drop.lua
    check "rows that are truncated" straight "truncate" "$robots/gen3.urdf" --layout truncate.lua
    for robot in arm1dof gripper lwr4 panda quadruped table41_base two_arms youbot youbot_base; do
      for real in double float; do
        check "$robot, $real" straight "$robot $real" "$robots/$robot.urdf" --layout "$robots/$robot.lua" --real $real
      done
    done
  fi
}
cat all_jumps

# Jumps are seen where there are some: in the default header.
# shellcheck disable=SC2086
seen() {
  "$achdgen" $gen3 --no-prove --mode split -o plain.h && gcc -O1 -c plain.c -o plain.o && arm -mcpu=cortex-m7 -mfpu=fpv5-d16 -O1 -c plain.c -o arm.o || return 1
  echo "the default, gcc -O1: $(jumps objdump plain.o "$x86") conditional jumps; arm -O1: $(jumps arm-none-eabi-objdump arm.o "$thumb")"
  [ "$(jumps objdump plain.o "$x86")" -gt 5 ] && [ "$(jumps arm-none-eabi-objdump arm.o "$thumb")" -gt 5 ]
}
check "the default has conditional jumps" seen
cat .said

# named NAME REAL FUNCTION: the defines for what a header calls its function and structs.
named() {
  suffix=
  [ "$2" = double ] || suffix=f
  printf '%s' "$1${suffix}_$3"
}
start_of() { named "$@" | tr '[:lower:]' '[:upper:]' | sed 's/$/_IN_DEFAULT/'; }

# The formulation that a header has been made by: the default may have a null-space solve beside it, whose results are others.
formulation_of() { sed -n 's/^ \* cost *[a-z]* (\([a-z]*\)):.*/\1/p' "$1" | head -1; }

# equal FUNCTION REAL ARGUMENTS...: the same bits from both headers.
equal() {
  function=$1 real=$2 takes=achd
  [ "$1" != fd ] || takes=fd
  shift 2
  "$achdgen" "$@" --no-prove --real "$real" --name masked --branchless --mode inline -o masked.h &&
    "$achdgen" "$@" --no-prove --real "$real" --name plain --formulation "$(formulation_of masked.h)" --mode inline -o plain.h || return 1
  [ -n "${ACHD_SWEEP:-}" ] && compilers="gcc clang" || compilers=gcc
  for cc in $compilers; do
    $cc -std=gnu11 -O0 -ffp-contract=off -DREAL="$real" -DP="$(named plain "$real" "$function")" -DM="$(named masked "$real" "$function")" \
      -DIN="$(named plain "$real" $takes)_in" -DIN_MASKED="$(named masked "$real" $takes)_in" \
      -DSTART="$(start_of plain "$real" $takes)" -I. -I"$here" "$here/branchless.c" -o equal -lm && ./equal "$states" || return 1
  done
}
# shellcheck disable=SC2086
{
  check "gen3: the same bits" equal achd double $gen3
  cat .said
  sampled 5 "rows that are dropped, in float: the same bits" equal achd float "$robots/gen3.urdf" --layout drop.lua
  sampled 5 "bounded rows: the same bits" equal mclp double "$robots/gen3.urdf" --layout "$robots/bounded/gen3.lua"
  sampled 5 "a floating base: the same bits" equal achd double "$robots/drone.urdf" --layout "$robots/drone.lua"
  if [ -n "${ACHD_SWEEP:-}" ]; then
    check "forward dynamics: the same bits" equal fd double $gen3 --functions fd
    check "gen3 in float: the same bits" equal achd float $gen3
    check "rows that are truncated: the same bits" equal achd float "$robots/gen3.urdf" --layout truncate.lua
    check "a planar base in float: the same bits" equal achd float "$robots/youbot_base.urdf" --layout "$robots/youbot_base.lua"
  fi
}

# counted BOARD REAL CPU NAME ARGUMENTS...: the least and the most instructions of achd on a board, of a header so named.
counted() {
  board=$1 real=$2 cpu=$3 name=$4
  shift 4
  rm -rf board && mkdir board
  "$achdgen" "$@" --no-prove --real "$real" --name "$name" --mode inline -o board/header.h &&
    timeout 300 make -s -C "$top/docs/examples/firmware" BOARD="$board" CPU_"$board"="$cpu" ACHDGEN="$achdgen" BUILD="$scratch/board" \
      FLAGS="--real float" SOLVER="$scratch/board/gen3f_achd" \
      DEFINES="-w -DHEADER='\"header.h\"' -DREAL=$real -DSTATES=$on_board -DM=$(named "$name" "$real" achd) -DSTART=$(start_of "$name" "$real" achd) -I$here -I$here/firmware" \
      SOURCES="$here/firmware/one_count.c $here/firmware/fault.c semihost.c startup.c" || return 1
  (cd board && timeout 3000 qemu-system-arm -M "$board" -icount shift=10,sleep=off -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel firmware.elf) 2>&1
}

# one_count BOARD REAL CPU ARGUMENTS...: one number for all states with --branchless, several without.
one_count() {
  what="$1, $2"
  counted "$1" "$2" "$3" plain "$4" "$5" "$6" >plain_count || { cat plain_count; return 1; }
  counted "$1" "$2" "$3" masked "$4" "$5" "$6" --branchless >masked_count || { cat masked_count; return 1; }
  awk -v what="$what" '
    FNR == NR { least = $2; most = $3; next }
    $1 == "achd" {
      printf "%s: %d to %d instructions by status bits %d, default %d to %d\n", what, $2, $3, $5, least, most
      good = $2 == $3 && $2 > 1000 && $5 % 2 == 1 && int($5 / 4) % 2 == 1 && least < most
    }
    END { exit !good }' plain_count masked_count
}
# shellcheck disable=SC2086
{
  sampled 5 "Cortex-M4F: one number of instructions" one_count mps2-an386 float "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16" $gen3
  cat .said
  sampled 5 "double on a Cortex-M7: one number of instructions" one_count mps2-an500 double "-mcpu=cortex-m7 -mfpu=fpv5-d16" $gen3
  cat .said
  if [ -n "${ACHD_SWEEP:-}" ]; then
    check "Cortex-M7: one number of instructions" one_count mps2-an500 float "-mcpu=cortex-m7 -mfpu=fpv5-sp-d16" $gen3
    cat .said
    check "Cortex-M4F, rows that are dropped" one_count mps2-an386 float "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16" "$robots/gen3.urdf" --layout drop.lua
    cat .said
  fi
}
finish
