#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/emitted/parts.sh ACHDGEN SOURCE_DIR: --parts N: functions in parts give the bits of whole ones: fixed, planar and floating bases, mimic joints, ties,
# null-space solves, derivatives and their products, float, batches, --branchless, bounded rows, results near the largest number; strict compilers of C and C++ take every mode; the parts are
# what the banner says; long functions are cut without being asked. A sample of robots and modes (in_sample).
# shellcheck disable=SC2086 # flags are words
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"

# same ROBOT LAYOUT FUNCTION N OPTIONS..: of whole and parts, every number and status.
same() {
  in_sample "$top" 12 || return 0
  robot=$1 layout=$2 function=$3 n=$4
  shift 4
  real=double suffix='' batch='' takes=$function
  case " $* " in *" float "*) real=float suffix=f ;; esac
  case " $* " in *" --batch 4 "*) batch="-DBATCH=4" function=${function}_batch takes=${takes}_batch ;; esac
  asked=${function%_batch}
  if [ "$asked" = mclp ]; then takes=achd; fi
  for kind in "whole 0" "parts $n"; do
    "$achdgen" "$top/robots/$robot.urdf" --layout "$layout" --functions "$asked" --name "${kind% *}" --parts "${kind#* }" --no-prove -q -o "${kind% *}.h" "$@"
  done
  count=$(grep -c "^static .*_PART void " parts.h)
  sed -n 's/.*; in \([0-9]*\) parts; .*/\1/p' parts.h | head -1 >said
  check "$robot $asked $n $*: the banner tells of parts" test "$(cat said)" -le "$count" -a "$(cat said)" -ge 2
  check "$robot $asked $n $*: whole is whole" test "$(grep -c _PART whole.h)" -eq 0
  stored=$(sed -n 's/^static inline int \(parts.*_stored_\([0-9]*\)\)(.*/-DSTORED=\1 -DCOUNT=\2/p' parts.h | head -1)
  variants=-DANY
  if grep -q "_product_1(" parts.h; then # a 0 has the sign of its terms; of one row, two and four at once
    stored="$stored -DZEROS" variants="-U__SSE2__ -DANY"
    ! grep -qw avx /proc/cpuinfo 2>/dev/null || variants="$variants -mavx"
  fi
  for variant in $variants; do
    check "$robot $asked $n $* $variant: compiles" gcc -std=c99 $strict $variant -O0 -ffp-contract=off "-DWHOLE$(echo $suffix | tr f F)_IMPLEMENTATION" "-DPARTS$(echo $suffix | tr f F)_IMPLEMENTATION" \
      "-DIN=whole${suffix}_${takes}_in" "-DOUT=whole${suffix}_${function}_out" "-DWHOLE=whole${suffix}_$function" "-DPARTS=parts${suffix}_$function" -DREAL=$real $batch $stored \
      -I. "$top/tests/emitted/parts_test.c" -o same -lm
    check "$robot $asked $n $* $variant: the same bits" ./same
  done
}

own() { echo "$top/robots/$1.lua"; }
same gen3 "$(own gen3)" achd 100
same iiwa7 "$(own iiwa7)" achd 20
same iiwa7 "$(own iiwa7)" achd 150 --batch 4
same gen3 "$(own gen3)" dfd 300 --real float
same panda "$(own panda)" dfd 120
same youbot_arm "$(own youbot_arm)" dfd 200 --batch 4
same youbot_arm "$(own youbot_arm)" achd 120 --branchless
same quadruped "$(own quadruped)" achd 700
same youbot "$(own youbot)" fd 90
same gripper "$(own gripper)" achd 40
same four_bar "$(own four_bar)" achd 40
same gen3 "$top/robots/bounded/gen3.lua" mclp 150

echo '#include "arm.h"' >unit.c

# -- apply, which takes the results of another function, in parts as well: it compiles
for compiler in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
  has "${compiler%% *}" || continue
  for mode in header inline split shared; do
    in_sample "$top" 12 || continue
    "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --functions achd,dfd --parts 200 --mode $mode --no-prove -q --name arm -o arm.h
    file=unit.c
    case $mode in split | shared) file=arm.c ;; esac
    check "$compiler, --mode $mode" $compiler $strict -O0 -DARM_IMPLEMENTATION -I. -c $file -o arm.o
  done
  in_sample "$top" 12 || continue
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --parts 100 --no-prove -q --name bounded -o bounded.h
  check "$compiler, bounded" $compiler $strict -O0 -DBOUNDED_IMPLEMENTATION -c bounded.h -o bounded.o
  "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --functions dfd --parts 200 --batch 4 --no-prove -q --name arm -o arm.h
  check "$compiler, a batch" $compiler $strict -O0 -DARM_IMPLEMENTATION -c arm.h -o arm.o
done

# -- of panda's dfd, which is long, the 15 columns of seven joints that are not zero are multiplied with M^-1 by one function
echo 'return { gravity = { 0, 0, -9.81 }, groups = {} }' >free.lua
"$achdgen" "$top/robots/panda.urdf" --layout free.lua --functions dfd --no-prove -q --name arm -o arm.h
check "products with columns by one function" test "$(grep -c ' arm_dfd_product_1(&out->' arm.h)" -eq 15

# -- same inputs, same bytes; the same operations; by numbers too
for file in before arm; do
  "$achdgen" "$top/robots/youbot_arm.urdf" --layout "$(own youbot_arm)" --functions dfd --parts 200 --batch 4 --no-prove -q --name arm -o arm.h
  [ $file = arm ] || mv arm.h before.h
done
check "the same bytes" cmp before.h arm.h
operations() { "$achdgen" "$top/robots/gen3.urdf" --layout "$(own gen3)" --inspect -q --parts "$1" | sed -n 's/^ *operations ([^)]*): \([0-9]* = [^;]*\).*/\1/p'; }
check "the same operations" test "$(operations 0)" = "$(operations 50)"
finish
