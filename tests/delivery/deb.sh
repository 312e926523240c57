#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/deb.sh ACHDGEN SOURCE_DIR BUILD_DIR: CPack makes a Debian package that lintian takes; unpacked into a bare folder it
# is all that another project needs, and what it generates is what the repository has.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
build=$3
cd "$scratch"
umask 022 # as for any Debian package
unset DESTDIR CMAKE_PREFIX_PATH CFLAGS CXXFLAGS

# The build has made everything: with the name of another generator of build files cpack does not look once more whether it has.
check "cpack" cpack --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/packed" -D CPACK_CMAKE_GENERATOR=Ninja
deb=$(ls packed/*.deb)
field() { dpkg-deb -f "$deb" "$1"; }
check "name" [ "$(field Package)" = achdgen ]
check "version" [ "achdgen $(field Version)" = "$("$achdgen" --version)" ]
check "architecture" [ "$(field Architecture)" = "$(dpkg --print-architecture)" ]
for package in libc6 liblua5.4-0 libxml2; do
  check "depends on $package" sh -c "echo ', $(field Depends)' | grep -q ', $package (>='"
done
check "changelog has the version" sh -c "dpkg-parsechangelog -l '$top/package/changelog' -S Version | grep -qx '$(field Version)'"
lintian_is_silent() {
  lintian --fail-on error,warning "$deb" >said 2>&1 || { cat said; return 1; }
  ! grep -q '^[EW]:' said
}
sampled 3 "lintian" lintian_is_silent # a third of the test's time

dpkg -x "$deb" root
check "all files belong to root, none is for others to write" \
  sh -c "! dpkg-deb -c '$deb' | awk '\$1 !~ /^l/ && (\$2 != \"root/root\" || substr(\$1, 9, 1) == \"w\") { print; bad = 1 } END { exit !bad }'"
check "stripped" sh -c "! readelf -S root/usr/bin/achdgen | grep -q '\.symtab'"
check "no search path of this place" sh -c "! readelf -d root/usr/bin/achdgen | grep -q 'R.*PATH'"
check "the compressed manual page" sh -c "zcat root/usr/share/man/man1/achdgen.1.gz | cmp - '$top/package/achdgen.1'"
check "the manual page of layouts" sh -c "zcat root/usr/share/man/man5/achdgen-layout.5.gz | grep -q '^\.SH STATE MACHINES'"
check "the documents" diff -r "$top/docs" root/usr/share/doc/achdgen/docs
for file in README.md CHANGELOG.md CONTRIBUTING.md; do
  check "$file" cmp "$top/$file" "root/usr/share/doc/achdgen/$file"
done
check "the copyright" cmp root/usr/share/doc/achdgen/copyright "$top/package/copyright"
# words FILE: its text in one line, without the signs of Debian's format.
words() { sed 's/^ //; s/^\.$//' "$1" | tr '\n' ' '; }
sed -n '5,/^SOFTWARE/p' "$top/LICENSE" >terms
check "... has the licence" sh -c "printf '%s' '$(words root/usr/share/doc/achdgen/copyright | tr -d \')' | grep -qF '$(words terms | sed 's/ *$//')'"

robots=root/usr/share/achdgen/robots
check "generates" root/usr/bin/achdgen $robots/gen3.urdf --layout $robots/gen3.lua --functions achd,gravity
check "... what the repository has" cmp gen3_achd.h "$top/generated/gen3_achd.h"

cp -R "$top/tests/emitted/downstream" downstream
cp "$top/robots/arm1dof.urdf" downstream/rod.urdf
cp "$top/robots/machines/pregrasp.lua" downstream/layouts/
check "another project: configure" cmake -S downstream -B out -G Ninja -Dachd_ROOT="$scratch/root/usr"
check "... takes this package" grep -q "achd_DIR:PATH=$scratch/root/usr/lib" out/CMakeCache.txt
check "another project: build" cmake --build out --target all_modes with_shared_runtime
check "another project: numbers" sh -c './out/all_modes | grep -x "all modes agree"'
check "another project: runtime" sh -c './out/with_shared_runtime | grep -x "8 bytes, valid"'
finish
