#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/shared.sh ACHDGEN SOURCE_DIR: --mode shared: NAME_F_many over arrays of states gives the function's bits, with
# batches and without, by one thread and several, and the library describes itself. Prints times, judges none. A sample of the robots and options (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wcast-qual -Werror"
cd "$scratch"
command -v python3 >/dev/null || skip_all "no python3"
level=-O0 # the bits are the same
[ -z "${ACHD_SWEEP:-}" ] || level=-O1
avx2=
grep -q avx2 /proc/cpuinfo 2>/dev/null && avx2="-mavx2 -mfma"
apart=0
all=achd,$(family "$top")

# many NAME FLAGS ROBOT ARGUMENTS..: a library made so.
many() (
  flags=$1 robot=$2
  shift 2
  "$achdgen" "$robot" "$@" -q --mode shared -o lib.h && "$achdgen" "$robot" "$@" -q --mode shared --describe json >lib.json || return 1
  # shellcheck disable=SC2086 # flags are words
  gcc -std=c99 $strict $flags -fPIC -shared lib.c -o lib.so -lm && python3 "$top/tests/emitted/shared.py" ./lib.so lib.json 1 "$apart"
)
gen3=$top/robots/gen3
sampled 8 "gen3, state by state" many "$level" "$gen3.urdf" --layout "$gen3.lua" --functions "$all"
cat .said
# A batch takes the null-space solve if all its states may: results agree to rounding; without such a solve, to the bit.
for k in 4 8; do
  sampled 8 "gen3, batches of $k" many "$level $avx2" "$gen3.urdf" --layout "$gen3.lua" --formulation joint --batch $k
  cat .said
done
apart=1e-9
sampled 8 "gen3, batches of 4, with a null-space solve" many "$level $avx2" "$gen3.urdf" --layout "$gen3.lua" --batch 4
apart=0
sampled 8 "gen3, batches of 4, threads" many "$level $avx2 -fopenmp" "$gen3.urdf" --layout "$gen3.lua" --formulation joint --batch 4
cat .said
sampled 8 "gen3, float" many "$level $avx2" "$gen3.urdf" --layout "$gen3.lua" --formulation joint --batch 8 --real float --functions achd,gravity
cat .said
sampled 8 "gen3, bound of rounding, batches of 4" many "$level $avx2 -ffp-contract=off" "$gen3.urdf" --layout "$top/robots/rounding/gen3.lua" --formulation joint --batch 4
sampled 8 "bounded rows" many "$level" "$gen3.urdf" --layout "$top/robots/bounded/gen3.lua"
sampled 8 "a floating base" many "$level $avx2" "$top/robots/drone.urdf" --layout "$top/robots/drone.lua" --batch 2 --functions "${all#achd,}"
apart=1e-9 # beside a state that is not a number, all take the general solve
sampled 8 "a floating base, with a null-space solve" many "$level $avx2" "$top/robots/drone.urdf" --layout "$top/robots/drone.lua" --batch 2
apart=0
sampled 8 "a planar base" many "$level $avx2" "$top/robots/youbot_base.urdf" --layout "$top/robots/youbot_base.lua" --batch 4 --functions "$all"
sampled 8 "a closed loop" many "$level $avx2" "$top/robots/four_bar.urdf" --layout "$top/robots/four_bar.lua" --batch 2 --functions "$all"
printf '#include "lib.h"\nint main() { drone_status s; (void)s; return 0; }\n' >use.cpp
cp "$gen3.urdf" robot.urdf
"$achdgen" robot.urdf -q --mode shared --batch 4 --name drone -o lib.h
# shellcheck disable=SC2086 # flags are words
check "in C++" g++ -std=c++17 $strict -Wold-style-cast -fsyntax-only use.cpp
# shellcheck disable=SC2086 # flags are words
check "by clang" clang -std=c99 $strict -fsyntax-only lib.c
# shellcheck disable=SC2086 # flags are words
check "by C11, C17" gcc -std=c17 $strict -fsyntax-only lib.c

refused() {
  pattern=$1
  shift
  ! "$achdgen" "$@" >out 2>err && [ ! -s out ] && grep -q -e "$pattern" err
}
check "to standard output" refused 'mode shared writes two files' robot.urdf --mode shared -o -
check "a name that is no header's" refused 'writes NAME.h and NAME.c' robot.urdf --mode shared -o x.c
finish
