#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/library.sh SOURCE_DIR LIBACHD_A LIBACHDF_A LIBACHD_FILES_A LIBACHDF_FILES_A NM: what the runtime library is made
# of: no warning from either compiler, headers that stand alone and are C++ too, no memory of its own, nothing printed, no exit,
# names kept apart. The library that writes files needs a C library, but prints nothing and does not exit either.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)
double=$(absolute "$2")
single=$(absolute "$3")
double_files=$(absolute "$4")
single_files=$(absolute "$5")
nm=$6
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes -Werror"
cxx_warnings="-Wall -Wextra -Wold-style-cast -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror"

# shellcheck disable=SC2086 # flags are words
for cc in gcc clang; do
  has "$cc" || continue
  for single_real in "" -DACHD_SINGLE; do
    for source in "$top"/runtime/*.c "$top"/runtime/files/*.c; do # of compiler, precision and source every sixth
      sampled 6 "$cc $single_real: $(basename "$source")" \
        "$cc" -std=c11 -O1 $warnings $single_real -I"$top/runtime" -c "$source" -o "$scratch/object.o"
    done
    for header in "$top"/runtime/achd/*.h; do # and header
      case $header in */mujoco_*) "$cc" -include mujoco/mujoco.h -fsyntax-only -x c /dev/null 2>/dev/null || continue ;; esac
      printf "#include <achd/%s>\n#include <achd/%s>\nextern int something;\n" "$(basename "$header")" "$(basename "$header")" >"$scratch/alone.c"
      sampled 6 "$cc $single_real: $(basename "$header") alone" \
        "$cc" -std=c11 $warnings $single_real -I"$top/runtime" -fsyntax-only "$scratch/alone.c"
      sampled 6 "$cc $single_real: $(basename "$header") in C++" \
        "$cc" -x c++ -std=c++17 $cxx_warnings $single_real -I"$top/runtime" -fsyntax-only "$scratch/alone.c"
    done
  done
done

sh "$top/runtime/single.sh" "$scratch/single.h"
check "achd/single.h is what runtime/single.sh makes" diff "$top/runtime/achd/single.h" "$scratch/single.h"

# symbols LIBRARY TYPES: names of these types as nm has them.
symbols() { "$nm" -P "$1" | awk -v types="$2" 'index(types, $2) && $1 !~ /:$/ { print $1 }' | sort -u; }

# none PATTERN FILE
none() { ! grep -vE "$1" "$2"; }

symbols "$double" TDBRVW >"$scratch/given"
check "libachd gives functions" [ -s "$scratch/given" ]
check "libachd: all names begin with achd_" none '^achd_' "$scratch/given"
symbols "$single" TDBRVW >"$scratch/given_single"
check "libachdf: all names begin with achdf_" none '^achdf_' "$scratch/given_single"
sed '/_avx2$/d; s/^achd_/achdf_/' "$scratch/given" | sort >"$scratch/wanted_single" # one copy (dispatch.h)
check "libachdf has what libachd has" diff "$scratch/wanted_single" "$scratch/given_single"
for library in "$double" "$single"; do
  symbols "$library" DdBbC >"$scratch/variables"
  check "$(basename "$library") has no variables" [ ! -s "$scratch/variables" ]
  symbols "$library" U | grep -v '^achdf\{0,1\}_' >"$scratch/needed" || true
  check "$(basename "$library") needs mathematics only" none \
    '^(sin|cos|sqrt|atan2|fma)f?$|^__(asan|ubsan|stack_chk|cpu_model)|^_GLOBAL_OFFSET_TABLE_$|^sincosf?$' \
    "$scratch/needed"
done

for library in "$double_files" "$single_files"; do
  prefix=achd_
  [ "$library" = "$double_files" ] || prefix=achdf_
  name=$(basename "$library")
  symbols "$library" TDBRVW >"$scratch/given"
  check "$name gives functions" [ -s "$scratch/given" ]
  check "$name: all names begin with $prefix" none "^$prefix" "$scratch/given"
  symbols "$library" DdBbC >"$scratch/variables"
  check "$name has no variables" [ ! -s "$scratch/variables" ]
  symbols "$library" U >"$scratch/needed"
  check "$name neither prints nor exits nor allocates" sh -c "! grep -E '^(printf|puts|putchar|perror|vprintf|stdout|stderr|exit|abort|_exit|malloc|calloc|realloc|__printf_chk)\$' '$scratch/needed'"
done
finish
