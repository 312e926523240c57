#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/prefetch.sh ACHDGEN SOURCE_DIR: --prefetch: the bits of the same functions without it; of each function's lines of code
# nearly all are asked for, none far behind its end (what that saves after a flush is tests/bench/cold.sh's); strict compilers of C
# and C++ take it; NAME_NO_PREFETCH and other processors leave nothing of it in the code.
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
[ "$(uname -m)" = x86_64 ] || skip_all "the option is for x86-64"
command -v gcc >/dev/null || skip_all "no gcc"
cd "$scratch"
own() { echo "$top/robots/$1.lua"; }

# make NAME ROBOT LAYOUT FUNCTION OPTIONS..
make() {
  "$achdgen" "$top/robots/$2.urdf" --layout "$3" --functions "$4" --name "$1" --no-prove -q -o "$1.h" $5
}

# same ROBOT LAYOUT FUNCTION OPTIONS: every number and status.
same() {
  in_sample "$top" 6 || return 0
  suffix='' real=double takes=$3
  case " $4 " in *" float "*) real=float suffix=f ;; esac
  if [ "$3" = mclp ]; then takes=achd; fi
  make whole "$1" "$2" "$3" "$4"
  make parts "$1" "$2" "$3" "$4 --prefetch"
  check "$1 $3 $4: it asks" [ "$(grep -c '^ *PARTSF*_AHEAD' parts.h)" -ge 2 ]
  check "$1 $3 $4: compiles" gcc -std=c99 $strict -O0 -ffp-contract=off "-DWHOLE$(echo $suffix | tr f F)_IMPLEMENTATION" "-DPARTS$(echo $suffix | tr f F)_IMPLEMENTATION" \
    "-DIN=whole${suffix}_${takes}_in" "-DOUT=whole${suffix}_${3}_out" "-DWHOLE=whole${suffix}_$3" "-DPARTS=parts${suffix}_$3" -DREAL=$real \
    -I. "$top/tests/emitted/parts_test.c" -o same -lm
  check "$1 $3 $4: the same bits" ./same
}
same gen3 "$(own gen3)" achd ""
same iiwa7 "$(own iiwa7)" achd "--real float"
same youbot_arm "$(own youbot_arm)" achd --branchless
same youbot "$(own youbot)" fd "--parts 90"
same gripper "$(own gripper)" achd ""
if [ "${ACHD_SWEEP:-0}" = 1 ]; then same quadruped "$(own quadruped)" id "--lanes 1"; fi

# -- which lines are asked for: of a linked program; functions of one way, where all of the code runs
echo 'return { groups = {} }' >none.lua
covered() { # FUNCTION ROBOT LAYOUT OPTIONS FLAGS: percent of its lines that it asks for, and lines that it asks for in vain
  make arm "$2" "$3" "$1" "$4 --prefetch"
  printf '#define ARM_IMPLEMENTATION\n#include "arm.h"\nint main(void) { static arm_%s_in in; static arm_%s_out out; return (int)arm_%s(&in, &out); }\n' "$1" "$1" "$1" >main.c
  gcc -std=gnu99 $5 main.c -o main -lm
  # shellcheck disable=SC2046 # words
  set -- $(nm -S -t d main | sed -n "s/^0*\([0-9]*\) 0*\([0-9]*\) [tT] arm_$1_trig\$/\1 \2/p")
  objdump -d --no-show-raw-insn main | sed -n 's/.*prefetcht1.*# \([0-9a-f]*\) .*/0x\1/p' | while read -r at; do echo $((at / 64)); done | sort -un >asked
  awk -v first=$(($1 / 64)) -v last=$((($1 + $2 - 1) / 64)) '$1 >= first && $1 <= last { n++; next } { vain++ }
    END { printf "%d %d\n", 100 * n / (last - first + 1), 100 * vain / (last - first + 1) }' asked
}
while read -r function robot layout options flags; do
  in_sample "$top" 2 || continue
  [ "$options" != - ] || options=
  # shellcheck disable=SC2046 # words
  set -- $(covered "$function" "$robot" "$layout" "$options" "$flags")
  echo "$robot $function $options $flags: $1 % of its lines asked for, $2 % in vain"
  check "$robot $function $options $flags: nearly all lines" [ "$1" -ge 80 ]
  check "$robot $function $options $flags: few in vain" [ "$2" -le 35 ]
done <<END
achd gen3 $(own gen3) --formulation=joint -O2
fd iiwa7 none.lua - -O3 -mavx2 -mfma
fd iiwa7 none.lua - -O2
id puma560 none.lua - -O2 -fPIE
END

# -- strict compilers; what leaves it out
for compiler in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
  has "${compiler%% *}" || continue
  in_sample "$top" 6 || continue
  for mode in header shared; do
    "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --functions achd --parts 300 --batch 2 --prefetch --mode $mode --no-prove -q --name arm -o arm.h
    echo '#include "arm.h"' >unit.c
    file=unit.c
    if [ $mode = shared ]; then file=arm.c; fi
    check "$compiler, --mode $mode" $compiler $strict -O0 -fPIC -DARM_IMPLEMENTATION -I. -c $file -o arm.o
    check "$compiler, --mode $mode: asks" sh -c 'objdump -d arm.o | grep -q prefetcht1'
  done
  check "$compiler, NAME_NO_PREFETCH" $compiler $strict -O0 -DARM_NO_PREFETCH -I. -c arm.c -o arm.o
  check "$compiler: asks no more" sh -c '! objdump -d arm.o | grep -q prefetch'
done
for options in "id --prefetch --parts 10" "bias --prefetch --batch 2"; do
  robot=gen3
  [ "${options%% *}" = id ] || robot=arm1dof
  make short $robot none.lua ${options%% *} "${options#* }"
  check "too short to ask: $options" gcc -std=c99 $strict -fsyntax-only -DSHORT_IMPLEMENTATION -x c short.h
done
if has arm-none-eabi-gcc; then
  for option in "" --prefetch; do
    make board youbot_arm "$(own youbot_arm)" achd "--real float $option"
    arm-none-eabi-gcc -std=c99 $strict -Os -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -DBOARDF_IMPLEMENTATION -x c -c board.h -o "board$option.o"
    arm-none-eabi-objdump -d "board$option.o" | sed 1,3d >"board$option.s"
  done
  check "a Cortex-M: the same code" cmp board.s board--prefetch.s
fi

# -- same inputs, same bytes; the command in the banner; checked and proven like every other
make arm youbot_arm "$(own youbot_arm)" achd --prefetch
cp arm.h before.h
make arm youbot_arm "$(own youbot_arm)" achd --prefetch
check "the same bytes" cmp before.h arm.h
check "the command" grep -q '^ \*   achdgen .* --prefetch' arm.h
check "--check" "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --prefetch --check 5
check "--prove" "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --prefetch --prove 1
finish
