#!/bin/sh
# tests/emitted/batch.sh ACHDGEN SOURCE_DIR: --batch K: every lane gives the plain function's numbers and status, double and
# float, by vector types and, where the compiler has none, one state after the other. Prints times, judges none.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$scratch"
cat >layout.lua <<'EOF'
return {
  name = "gen3",
  armature = { joint_1 = 0.558, joint_2 = 0.558, joint_3 = 0.558, joint_4 = 0.558,
               joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389 },
  wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", maskable = true } },
}
EOF
avx2=
grep -q avx2 /proc/cpuinfo 2>/dev/null && avx2="-mavx2 -mfma"
for k in 2 4 8; do
  "$achdgen" "$top/robots/gen3.urdf" --layout layout.lua --batch $k -o batch$k.h
  for flags in "-O2" "-O2 $avx2" "plain"; do
    # shellcheck disable=SC2086 # flags are words
    case $flags in
    plain) cp batch$k.h plain.h && sed -i 's/defined(__GNUC__)/0/' plain.h && header=plain.h && flags=-O1 ;;
    *) header=batch$k.h ;;
    esac
    # shellcheck disable=SC2086
    check "$header, $k lanes, compiles with $flags" gcc -std=gnu11 $flags -DHEADER="\"$header\"" -I. \
      "$top/tests/emitted/batch_test.c" -o batch -lm
    check "$header, $k lanes, $flags" ./batch
    cat .said
  done
  level=-O0
  [ $k != 4 ] || level=-O1 # some warnings come with optimising only
  # shellcheck disable=SC2086
  for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
    check "$k lanes without a warning, $cc" $cc $strict $level $avx2 -DGEN3_IMPLEMENTATION -c batch$k.h -o batch.o
  done
done
finish
