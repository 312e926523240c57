#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/installed.sh ACHDGEN SOURCE_DIR BUILD_DIR: what `cmake --install` puts into a prefix is all that another project
# needs: CMake package, pkg-config, completion; what changed is made anew, and nothing else.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
build=$3
cd "$scratch"
unset DESTDIR CMAKE_PREFIX_PATH CFLAGS CXXFLAGS

# Installed, then moved: nothing in it knows where it stands.
check "cmake --install" cmake --install "$build" --prefix "$scratch/first place"
mv "first place" "moved"
prefix=$scratch/moved
for file in bin/achdgen share/man/man1/achdgen.1.gz share/man/man5/achdgen-layout.5.gz share/doc/achdgen/README.md \
  share/doc/achdgen/CHANGELOG.md share/doc/achdgen/CONTRIBUTING.md share/achdgen/robots/gen3.urdf share/achdgen/robots/gen3.lua \
  share/man/man1/achd-identify.1.gz share/man/man1/achd-observe.1.gz share/bash-completion/completions/achdgen share/zsh/vendor-completions/_achdgen \
  share/fish/vendor_completions.d/achdgen.fish lib/cmake/achd/achdConfig.cmake lib/pkgconfig/achd.pc; do
  check "there is $file" [ -s "$prefix/$file" ]
done
check "docs/ is there, and nothing else" diff -r "$top/docs" "$prefix/share/doc/achdgen/docs"
# The version's one home is generator/base/version.h: what asks for a version asks for this one.
series=$("$achdgen" --version | sed 's/achdgen \([0-9]*\.[0-9]*\).*/\1/')
check "find_package asks for version $series everywhere" sh -c "! grep -rnE 'find_package\(achd [0-8]' '$top/README.md' '$top/docs' '$top/tests' |
  grep -vE 'find_package\(achd ${series}[ )]'"
check "CHANGELOG.md begins with this version" sh -c "grep '^## ' '$top/CHANGELOG.md' | head -1 | grep -qF \"\$('$achdgen' --version | cut -d' ' -f2)\""
# Pages lead to pages: every link and picture that is no address of the Internet.
links_lead() {
  (cd "$prefix/share/doc/achdgen" && for page in *.md docs/*.md; do
    grep -o '](\([^)#]*\)' "$page" | sed 's/^](//; /^$/d; /^https:/d' | while read -r target; do
      [ -e "$(dirname "$page")/$target" ] || { echo "$page: $target"; exit 1; }
    done || exit 1
  done)
}
check "links of the installed documents" links_lead
check "the manual pages can be read" sh -c "MANPATH='$prefix/share/man' man 5 achdgen-layout | grep -q move_compliantly &&
  MANPATH='$prefix/share/man' man 1 achdgen | grep -q -e --formulation"
# $prefix/bin alone on the path: the commands find achdgen and their Python by themselves.
check "achd-identify and achd-observe" sh -c "'$prefix/bin/achd-identify' --help | grep -q -e --excite && '$prefix/bin/achd-observe' replay --help | grep -q -e --page"
check "achd-identify without Python says what is missing" sh -c "! PYTHON=none '$prefix/bin/achd-identify' --help 2>said && grep -q 'apt-get install python3-numpy' said"
check "the same program" sh -c "[ \"\$('$prefix/bin/achdgen' --version)\" = \"\$('$achdgen' --version)\" ]"
check "no path of this place" sh -c "! grep -rlF -e '$top' -e '$build' -e 'first place' '$prefix'/lib/cmake '$prefix'/lib/pkgconfig"

# -- another project
# configured GENERATOR BUILD_TYPE FOLDER
configured() {
  cmake -S downstream -B "$3" -G "$1" -DCMAKE_BUILD_TYPE="$2" -Dachd_ROOT="$prefix"
}
# made FOLDER HEADER...: the build succeeds, and achdgen makes these headers and no others.
made() {
  folder=$1
  shift
  cmake --build "$folder" --parallel 2 >log 2>&1 || { cat log; return 1; }
  grep -o 'achdgen: .*' log | sed 's/achdgen: //' | sort >made
  printf '%s\n' "$@" | sed '/^$/d' | sort | diff - made
}
says() { # TEXT COMMAND...
  text=$1
  shift
  "$@" >said 2>&1 || true
  grep -qF -e "$text" said || { cat said; return 1; }
}
makefiles=Ninja # make starts three processes more for each file: one time in four
! in_sample "$top" 4 || makefiles="Unix Makefiles"
for generator in Ninja "Unix Makefiles"; do
  [ -n "${ACHD_SWEEP:-}" ] || [ "${ACHD_SAMPLE:-}" = all ] || [ "$generator" = "$makefiles" ] || continue
  rm -rf downstream
  cp -R "$top/tests/emitted/downstream" downstream
  cp "$top/robots/arm1dof.urdf" downstream/rod.urdf
  cp "$top/robots/machines/pregrasp.lua" downstream/layouts/
  out=out_$(echo "$generator" | tr -d ' ')
  check "$generator: configure" configured "$generator" "$(one_of "$top" Release Debug None | cut -d ' ' -f 1)" "$out"
  check "$generator: build" made "$out" rod_achd.h made_achd.h singlef_achd.h split_achd.h inlined_achd.h batch_achd.h \
    loaded_achd.h loaded_split_achd.h approach_machine.h line_task.h
  check "$generator: numbers" says "all modes agree" "$out/all_modes"
  check "$generator: runtime" says "8 bytes, valid" "$out/with_runtime"
  check "$generator: machine and task" says "start_to_cruise 3" "$out/with_tables"
  check "$generator: float runtime" says "4 bytes, valid" "$out/with_float_runtime"
  check "$generator: shared runtime" says "8 bytes, valid" "$out/with_shared_runtime"
  check "$generator: -ffast-math" says "compile without -ffast-math" cmake --build "$out" --target fast_math
  check "$generator: the generated library can be installed" cmake --install "$out" --prefix rods
  check "SMALL" grep -q ' --small' "$out/achd_generate/inlined/inlined_achd.h"
  check "BRANCHLESS" grep -q ' --branchless' "$out/achd_generate/rod-single/singlef_achd.h"
  check "PARTS" grep -q ' --parts 30' "$out/achd_generate/made/made_achd.h"
  check "PREFETCH" grep -q 'split_AHEAD\|SPLIT_AHEAD' "$out/achd_generate/split/split_achd.c"
  check "... with its header" sh -c "[ -s rods/lib/librod.a ] && cmp rods/include/rod_achd.h '$out/achd_generate/rod/rod_achd.h'"
  check "$generator: nothing changed" made "$out" ""
  touch downstream/layouts/task.lua
  check "$generator: the included file changed" made "$out" rod_achd.h made_achd.h
  check "$generator: nothing changed" made "$out" ""
  touch downstream/layouts/rod.lua
  check "$generator: the layout changed" made "$out" rod_achd.h made_achd.h
  touch downstream/layouts/pregrasp.lua
  check "$generator: the machine changed" made "$out" approach_machine.h
  touch downstream/rod.urdf
  check "$generator: the robot changed" made "$out" rod_achd.h made_achd.h
  touch "$prefix/bin/achdgen"
  check "$generator: achdgen changed" made "$out" rod_achd.h made_achd.h singlef_achd.h split_achd.h inlined_achd.h \
    batch_achd.h loaded_achd.h loaded_split_achd.h approach_machine.h line_task.h
  check "$generator: nothing changed" made "$out" ""
  sed -i 's/"lin_x"/"lin_w"/' downstream/layouts/task.lua
  check "$generator: a mistake in the included file" says 'layouts/task.lua:2: error: unknown row "lin_w"' \
    cmake --build "$out"
  sed -i 's/"lin_w"/"lin_x"/' downstream/layouts/task.lua
  check "$generator: mended" made "$out" rod_achd.h made_achd.h
done

# -- achdgen as a part of another project: built first, then run. (Building, with the objects that the build in BUILD_DIR has of the generator, one time
# in three; whether it would be is always looked at.)
ACHD_COMPILED=$(cd "$build" && pwd)
export ACHD_COMPILED
check "in the tree: configure" cmake -S downstream -B in_tree -G Ninja -DCMAKE_BUILD_TYPE=None -DACHD_IN_TREE="$top" \
  -DCMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh"
check "in the tree: no tests of achdgen" [ ! -e in_tree/achdgen/tests ]
check "in the tree: nothing of achdgen is installed" sh -c "! grep -rqi 'file(INSTALL' in_tree/achdgen --include=cmake_install.cmake"
check "... unless one wants it" sh -c "cmake -S downstream -B both -G Ninja -DACHD_IN_TREE='$top' -DACHD_INSTALL=ON >/dev/null && grep -rqi 'file(INSTALL.*achdgen' both/achdgen --include=cmake_install.cmake"
ninja -C in_tree -t commands all_modes >plan
check "in the tree: achdgen is built first" sh -c "sed '/ -o achdgen\/achdgen /q' plan | grep -q ' -o achdgen/achdgen ' && ! sed '/ -o achdgen\/achdgen /q' plan | grep -q 'rod_achd.h'"
if in_sample "$top" 3; then
  check "in the tree: build" cmake --build in_tree --parallel 2 --target all_modes with_runtime
  check "in the tree: numbers" says "all modes agree" in_tree/all_modes
fi

# -- limbs as lanes: the same robot with LANES 1 and without, in one program
mkdir limbs
cat >limbs/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(limbs LANGUAGES C)
find_package(achd REQUIRED)
set(inputs URDF ${achd_ROBOTS}/two_arms.urdf LAYOUT ${achd_ROBOTS}/two_arms.lua FUNCTIONS id)
achd_generate(TARGET packed ${inputs} LANES 1)
achd_generate(TARGET plain ${inputs} LANES 0)
add_executable(limbs limbs.c)
target_link_libraries(limbs packed plain m)
END
cat >limbs/limbs.c <<'END'
#include <math.h>
#include <packed_achd.h>
#include <plain_achd.h>
#include <stdio.h>
int main(void) {
  packed_id_in a = PACKED_ID_IN_DEFAULT;
  plain_id_in b = PLAIN_ID_IN_DEFAULT;
  packed_id_out x;
  plain_id_out y;
  double most = 0;
  for (int i = 0; i < PLAIN_NJ; i++) a.q[i] = b.q[i] = 0.1 * i, a.qd[i] = b.qd[i] = 1 - 0.2 * i, a.qdd[i] = b.qdd[i] = 0.3;
  if (packed_id(&a, &x) != 0 || plain_id(&b, &y) != 0) return 1;
  for (int i = 0; i < PLAIN_NJ; i++) most = fmax(most, fabs(x.tau[i] - y.tau[i]));
  puts(most < 1e-12 ? "the same torques" : "other torques");
  return !(most < 1e-12) || y.tau[3] == 0;
}
END
check "LANES 1: configure" cmake -S limbs -B limbs/out -G Ninja -Dachd_ROOT="$prefix"
check "LANES 1: build" made limbs/out packed_achd.h plain_achd.h
check "LANES 1: vectors in that header" grep -q 'defined(PACKED_LANES)' limbs/out/achd_generate/packed/packed_achd.h
check "LANES 0: none in the other" sh -c '! grep -q PLAIN_LANES limbs/out/achd_generate/plain/plain_achd.h'
check "LANES 1: numbers" says "the same torques" limbs/out/limbs
sed -i 's/LANES 1/LANES 4/' limbs/CMakeLists.txt
check "LANES 4 is refused" says '--lanes is "4"' cmake --build limbs/out

# -- mistakes in CMakeLists.txt
# refuses TEXT LINE...: configuring a project with these lines fails and says so.
refuses() {
  text=$1
  shift
  mkdir -p wrong
  { echo 'cmake_minimum_required(VERSION 3.21)'; printf '%s\n' "$@"; } >wrong/CMakeLists.txt
  if cmake -S wrong -B wrong/out -Dachd_ROOT="$prefix" >said 2>&1; then return 1; fi
  tr -s ' \n' ' ' <said | grep -qF -e "$text" || { cat said; return 1; }
}
check "a keyword that is none" refuses "what is LAYUOT" "project(x C)" "find_package(achd)" \
  "achd_generate(TARGET x URDF x.urdf LAYUOT x.lua)"
check "no robot" refuses "TARGET and URDF have to be given" "project(x C)" "find_package(achd)" "achd_generate(TARGET x)"
check "a keyword without value" refuses "what is NAME" "project(x C)" "find_package(achd)" \
  "achd_generate(TARGET x URDF x.urdf NAME)"
check "no C" refuses "project(x LANGUAGES C ...)" "project(x CXX)" "find_package(achd)" "achd_generate(TARGET x URDF x.urdf)"
check "shared and inline" refuses "leave out MODE inline" "project(x C)" "find_package(achd)" \
  "achd_generate(TARGET x URDF x.urdf SHARED MODE inline)"
check "prefetch and inline" refuses "leave out MODE inline" "project(x C)" "find_package(achd)" \
  "achd_generate(TARGET x URDF x.urdf PREFETCH MODE inline)"
check "a machine with a robot" refuses "MACHINE stands alone with TARGET" "project(x C)" "find_package(achd)" \
  "achd_generate(TARGET x MACHINE x.lua URDF x.urdf)"
check "a version before 0.2" refuses "compatible with requested version" "project(x C)" "find_package( achd 0.1 REQUIRED)"
check "a version to come" refuses "compatible with requested version" "project(x C)" "find_package(achd 9 REQUIRED)"

# -- for other machines: achdgen runs here; its output, and the runtime library from its sources, are compiled for there. Its sources with the same
# flags are compiled once.
unset ACHD_COMPILED
mkdir kept
export ACHD_KEPT="$scratch/kept" CMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh"
cp "$prefix/share/doc/achdgen/docs/examples/firmware/arm-none-eabi.cmake" board.cmake
cat >aarch64.cmake <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
END
mkdir board
cat >board/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(board LANGUAGES C)
find_package(achd REQUIRED COMPONENTS runtime)
achd_generate(TARGET gen3 URDF ${achd_ROBOTS}/gen3.urdf LAYOUT ${achd_ROBOTS}/gen3.lua REAL float FUNCTIONS gravity)
add_library(control STATIC with_runtime.c)
target_link_libraries(control gen3 achd::achdf)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")
  add_executable(with_runtime with_runtime.c)
  target_link_libraries(with_runtime achd::achd)
endif()
add_custom_target(both ALL DEPENDS control)
if(TARGET achdf_compiled)
  add_dependencies(both achdf_compiled)
endif()
END
cp "$top/tests/emitted/downstream/with_runtime.c" board/
sed '/stdio/d; s/printf(.*/return (int)sizeof(achd_real) + achd_abag_valid(\&p);/; /^  return 0;/d' \
  "$top/tests/emitted/downstream/with_runtime.c" >board/quiet.c
# is_for PROCESSOR ARCHIVE
is_for() { readelf -h "$2" | grep -q "Machine: *$1\$"; }
for machine in board:ARM aarch64:AArch64; do # one of the two
  in_sample "$top" 2 || continue
  processor=${machine#*:} machine=${machine%:*}
  [ "$machine" = aarch64 ] || cp board/quiet.c board/with_runtime.c
  alike= # for aarch64 with the flags of the project itself, which is compiled for it below
  [ "$machine" = board ] || alike="-DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_STANDARD=11 -DCMAKE_C_EXTENSIONS=OFF"
  # shellcheck disable=SC2086 # options are words
  check "$machine: configure" cmake -S board -B "board/$machine" -G Ninja --toolchain "../$machine.cmake" \
    -Dachd_DIR="$prefix/lib/cmake/achd" $alike
  check "$machine: build" made "board/$machine" gen3f_achd.h
  for library in gen3 achdf; do
    check "$machine: lib$library is for that machine" is_for "$processor" "board/$machine/lib$library.a"
  done
  cp "$top/tests/emitted/downstream/with_runtime.c" board/
done
[ ! -d board/aarch64 ] || check "aarch64: runs" says "8 bytes, valid" qemu-aarch64 -L /usr/aarch64-linux-gnu board/aarch64/with_runtime
# The firmware, from the installed documents: its Makefile finds achdgen's robots there, and where it was copied to; CMake builds it, too.
cp -R "$prefix/share/doc/achdgen/docs/examples/firmware" .
for folder in "$prefix/share/doc/achdgen/docs/examples/firmware" firmware; do
  check "make in $folder finds its robot" sh -c "PATH='$prefix/bin:/usr/bin:/bin' make -n -C '$folder' BUILD='$scratch/none' | grep -q 'achdgen .*/share/achdgen/robots/gen3.urdf'"
done
firmware() (
  cd firmware
  cmake -S . -B build --toolchain arm-none-eabi.cmake -Dachd_DIR="$prefix/lib/cmake/achd" && cmake --build build --target run >said 2>&1; cat said; [ "$(grep -c '^running: .* status 0, overruns 0' said)" -eq 4 ]
)
! in_sample "$top" 3 || ! has qemu-system-arm || check "the firmware by CMake" firmware
# A prefix of another machine: its achdgen does not run here.
check "in the tree, for another machine: needs an achdgen" sh -c "! env PATH=/usr/bin:/bin cmake -S '$top' -B tree_none -G Ninja \
  --toolchain '$scratch/aarch64.cmake' >said 2>&1 && grep -q 'a cross build needs an achdgen that runs on this machine' said"
printf '#!/bin/sh\necho achdgen 0.0.1\n' >old_achdgen
chmod +x old_achdgen
check "... of this version" sh -c "! cmake -S '$top' -B tree_old -G Ninja --toolchain '$scratch/aarch64.cmake' \
  -DACHD_ACHDGEN='$scratch/old_achdgen' >said 2>&1 && tr -s ' \n' ' ' <said | grep -q 'is achdgen 0.0.1, and this is achdgen'"
check "in the tree, for another machine: finds the achdgen on PATH" env PATH="$prefix/bin:$PATH" cmake -S "$top" -B tree -G Ninja -DCMAKE_BUILD_TYPE=None \
  --toolchain "$scratch/aarch64.cmake"
if [ -d board/aarch64 ]; then
  check "... build" cmake --build tree --parallel 2
  check "... install" cmake --install tree --prefix "$scratch/arm64"
  check "... has the library" is_for AArch64 arm64/lib/libachd.a
  check "... and no program" [ ! -e arm64/bin/achdgen ]
  check "that prefix, here: finds the achdgen of this machine" env PATH="$prefix/bin:$PATH" cmake -S board -B board/there -G Ninja \
    --toolchain ../aarch64.cmake -Dachd_DIR="$scratch/arm64/lib/cmake/achd"
  check "... takes its library" cmake --build board/there --target with_runtime
  check "... which runs" says "8 bytes, valid" qemu-aarch64 -L /usr/aarch64-linux-gnu board/there/with_runtime
fi
check "the same machine, compiled with the project" env ACHD_COMPILED="$(cd "$build" && pwd)" sh -c "cmake -S board -B board/here -G Ninja -DACHD_COMPILE_RUNTIME=ON \
  -Dachd_DIR='$prefix/lib/cmake/achd' && cmake --build board/here && [ -f board/here/libachdf.a ] && ./board/here/with_runtime"

# -- pkg-config
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
for real in achd:8 achdf:4; do
  library=${real%:*}
  # shellcheck disable=SC2046 # flags are words
  check "pkg-config: $library compiles" cc "$top/tests/emitted/downstream/with_runtime.c" -o "uses_$library" \
    $(pkg-config --cflags --libs "$library")
  check "pkg-config: $library runs" says "${real#*:} bytes, valid" env LD_LIBRARY_PATH="$prefix/lib" "./uses_$library"
done
check "pkg-config: achdgen" [ "$("$(pkg-config --variable=achdgen achd)" --version)" = "$("$achdgen" --version)" ]
check "pkg-config: robots" [ -f "$(pkg-config --variable=robots achd)/gen3.urdf" ]
check "pkg-config: version" [ "achdgen $(pkg-config --modversion achd)" = "$("$achdgen" --version)" ]

# -- completion
check "completion" env PATH="$prefix/bin:$PATH" bash "$top/tests/program/completion.bash" \
  "$prefix/share/bash-completion/completions/achdgen"
! has zsh || check "completion in zsh" env PATH="$prefix/bin:$PATH" zsh -f "$top/tests/program/completion.zsh" \
  "$prefix/share/zsh/vendor-completions/_achdgen"
! has fish || check "completion in fish" env PATH="$prefix/bin:$PATH" fish --no-config "$top/tests/program/completion.fish" \
  "$prefix/share/fish/vendor_completions.d/achdgen.fish"
finish
