#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/minimum.sh SOURCE_DIR BUILT_DIR [build]: the oldest tools that are promised (CMake 3.21; gcc 11, libxml2 2.9.13, Lua 5.4.4 of Ubuntu 22.04)
# suffice: what came to CMake later stands nowhere, and gcc 11 builds the program and the runtime library.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)
built=$2
# What gcc 11 says is for the test to judge: with `build`, which the build does, it is kept.
if [ "${3:-}" = build ]; then
  unset MAKEFLAGS MAKELEVEL # those of the build that this is a part of
  mkdir -p "$built"
  # Configured once: a compiler that is named anew throws the cache away, and these options with it.
  if { [ -f "$built/build.ninja" ] || cmake -S "$top" -B "$built" -G Ninja -DBUILD_TESTING=OFF -DCMAKE_C_COMPILER=gcc-11 -DCMAKE_C_FLAGS=-Werror \
    '-DCMAKE_C_FLAGS_RELEASE=-O0 -DNDEBUG' -DCMAKE_BUILD_TYPE=Release >"$built/said" 2>&1; } && cmake --build "$built" --parallel 2 >>"$built/said" 2>&1; then
    echo "built" >>"$built/said"
  fi
  exit
fi
cd "$scratch"

cat >later <<'END'
block\(|endblock\(|RETURN\(PROPAGATE|return\(PROPAGATE
CMAKE_POLICY_VERSION_MINIMUM|cmake_host_system_information\(.*QUERY +WINDOWS_REGISTRY
COMPILE_WARNING_AS_ERROR|HEADER_SETS|FILE_SET|DEPENDS_EXPLICIT_ONLY|IMPORTED_CXX_MODULES
\$<(PATH|LIST|LINK_GROUP|LINK_LIBRARY|BUILD_LOCAL_INTERFACE|QUOTE|STRCMP):
find_package\(.* (GLOBAL|REGISTRY_VIEW)|FetchContent_|VALIDATOR
string\(.*MATCHALL.*REGEX QUOTE|cmake_language\(SET_DEPENDENCY_PROVIDER
CMAKE_ADD_CUSTOM_COMMAND_DEPENDS_EXPLICIT_ONLY|CROSSCOMPILING_EMULATOR.*\$<
add_custom_command\(.*CODEGEN|file\(.*(ARCHIVE_CREATE.*THREADS|STRINGS.*ENCODING)
END
git -C "$top" ls-files 2>/dev/null | grep -E 'CMakeLists\.txt$|\.cmake(\.in)?$' >files ||
  (cd "$top" && find . -name CMakeLists.txt -o -name '*.cmake' -o -name '*.cmake.in' | grep -v '/build') >files
check "there are CMake files" [ "$(wc -l <files)" -gt 5 ]
while read -r file; do
  check "$file: nothing of a later CMake" sh -c "! grep -n -E -f later '$top/$file'"
  check "$file: asks for no later CMake" sh -c "! grep -i 'cmake_minimum_required' '$top/$file' | grep -v 'VERSION 3.21'"
done <files

has gcc-11 || { finish; exit; }
gcc_11_builds() { [ "$(tail -n 1 "$built/said")" = "built" ] || { tail -n 40 "$built/said"; return 1; }; }
check "gcc 11: configures and builds" gcc_11_builds
check "gcc 11: it was gcc 11" grep -q 'CMAKE_C_COMPILER:.*gcc-11$' "$built/CMakeCache.txt"
check "gcc 11: the shipped header, to the byte" sh -c "'$built/achdgen' '$top/robots/gen3.urdf' --layout '$top/robots/gen3.lua' \
  --functions achd,gravity -o gen3_achd.h && cmp gen3_achd.h '$top/generated/gen3_achd.h'"
finish
