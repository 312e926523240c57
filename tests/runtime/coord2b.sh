#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/coord2b.sh ACHDGEN SOURCE_DIR: what --machine --coord2b writes steps beside the runtime library's table over 1e5 random
# events: the same states. All machines that ship, two for what coord2b has no word for, and random ones; gcc and clang, all warnings.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
mkdir coord2b
cp -R "$top/tests/runtime/coord2b/types" coord2b/

gcc -std=c11 -O1 -I"$top/runtime" -c "$top/runtime/machine.c" -o machine.o

steps() { # NAME COMPILER...
  name=$1
  shift
  "$@" -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wwrite-strings -Werror -DMACHINE="$name" -include "${name}_machine.h" \
    -include "${name}_coord2b.h" -I"$top/runtime" -I"$top/tests" -I"$top/tests/runtime" -I. -c "$top/tests/runtime/coord2b_steps.c" -o steps.o &&
    gcc steps.o machine.o -lm -o steps && ./steps >said.txt && cat said.txt && grep -q '0 failed' said.txt
}

machine() { # FILE
  name=$(sed -n 's/^ *name = "\([a-z0-9_]*\)",$/\1/p' "$1" | head -1)
  check "$name" "$achdgen" --machine "$1"
  check "$name for coord2b" "$achdgen" --machine "$1" --coord2b --depfile "$name.d"
  check "$name: header by its default name" [ -f "${name}_coord2b.h" ]
  check "$name: depfile: target" grep -q "^${name}_coord2b.h:" "$name.d"
  "$achdgen" --machine "$1" --coord2b -o - >printed || true
  check "$name: on standard output, the same bytes" cmp printed "${name}_coord2b.h"
  check "$name: steps beside ours" steps "$name" "$2"
  head -1 "$scratch/.said"
}

for file in "$top"/robots/machines/*.lua "$top"/tests/runtime/coord2b_latched.lua "$top"/tests/runtime/coord2b_final.lua; do
  # All that surface has, surface_path has too.
  case "$file" in */surface.lua) [ -n "${ACHD_SWEEP:-}" ] || continue ;; esac
  # every third, and those that are looked at below
  case $file in */pregrasp.lua | */coord2b_final.lua) ;; *) in_sample "$top" 3 || continue ;; esac
  machine "$file" gcc
  sampled 3 "$name, clang" steps "$name" clang
done
check "the only final state is the end" grep -q 'endStateIndex = 1u' finite_coord2b.h
check "events that latch make copies" grep -q '/\* latched \*/' pregrasp_coord2b.h

wanted=3
[ -z "${ACHD_SWEEP:-}" ] || wanted=100
seed=0 taken=0
while [ "$taken" -lt "$wanted" ] && [ "$seed" -lt 5000 ]; do
  seed=$((seed + 1))
  python3 "$top/tests/runtime/coord2b_random.py" $seed >random.lua
  sed -i '1s/$/\n/' random.lua
  "$achdgen" --machine random.lua -o - >/dev/null 2>&1 || continue
  machine random.lua gcc
  taken=$((taken + 1))
done
check "there were random machines" [ "$taken" -eq "$wanted" ]

refuses() { # WORDS ARGUMENTS...
  words=$1
  shift
  rm -f ./*.h
  ! "$achdgen" "$@" >out.txt 2>err.txt && [ ! -s out.txt ] && grep -q -e "$words" err.txt && grep -q '^  remedy: ' err.txt && [ -z "$(find . -maxdepth 1 -name '*.h')" ]
}
machine=$top/robots/machines/pregrasp.lua
check "tasks" refuses 'coord2b writes state machines, but no tasks' --task "$top/robots/tasks/gen3_hold.lua" --coord2b
check "a robot" refuses 'coord2b writes state machines, and there is none' "$top/robots/gen3.urdf" --coord2b
check "nothing" refuses 'no robot is given' --coord2b
check "a value" refuses 'takes no value' --machine "$machine" --coord2b=yes
check "two texts on standard output" refuses 'both go to standard output' --machine "$machine" --coord2b -o - --svg -
check "a file that is not there" refuses 'nowhere.lua' --machine nowhere.lua --coord2b
check "a machine that is refused" refuses 'final' --machine "$top/tests/runtime/bad/machine_final_left.lua" --coord2b
finish
