#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/deb.sh ACHDGEN SOURCE_DIR BUILD_DIR: debian/ makes three packages that lintian takes, without overrides; unpacked into a bare folder
# they are all that another project needs, and what they generate is what the repository has.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
build=$(cd "$3" && pwd)
cd "$scratch"
umask 022 # as for any Debian package
unset DESTDIR CMAKE_PREFIX_PATH CFLAGS CXXFLAGS

mkdir sources
tar cf - -C "$top" --exclude=.git --exclude=./build --exclude=__pycache__ . | tar xf - -C sources
# The objects of the generator are those that the build in BUILD_DIR has. One time in three the libraries are compiled with Debian's flags,
# and lintian looks at all; else their objects are of that build, too.
theirs='*/generator/*.c | */runtime/*.c'
! in_sample "$top" 3 || theirs='*/generator/*.c'
cat >launcher <<END
#!/bin/sh
case "\$*" in $theirs) exec sh "$top/tests/delivery/compiled.sh" "\$@" ;; esac
exec "\$@"
END
chmod +x launcher
made() {
  (cd sources && ACHD_COMPILED=$build CMAKE_C_COMPILER_LAUNCHER=$scratch/launcher \
    DEB_BUILD_OPTIONS='parallel=2 noautodbgsym' dpkg-buildpackage -us -uc "$@" >../said 2>&1) || { tail -30 said; return 1; }
}
whole=-b # without the source package, whose compression takes longer than all else
[ -z "${ACHD_SWEEP:-}" ] || whole=-F
check "the packages" made $whole
version=$(dpkg-parsechangelog -l "$top/debian/changelog" -S Version)
check "the changelog has the version" [ "achdgen $version" = "$("$achdgen" --version)" ]
machine=$(dpkg --print-architecture)
for name in achdgen libachd0 libachd-dev; do
  check "$name" [ -f "${name}_${version}_$machine.deb" ]
done
check "no more" [ "$(find . -maxdepth 1 -name '*.deb' | wc -l)" = 3 ]
field() { dpkg-deb -f "$1_${version}_$machine.deb" "$2"; }
for package in libc6 liblua5.4-0 libxml2; do
  check "achdgen depends on $package" sh -c "echo ', $(field achdgen Depends)' | grep -q ', $package (>='"
done
check "the library depends on libc alone" sh -c "echo '$(field libachd0 Depends)' | grep -qx 'libc6 (>= [0-9.]*)'"
check "its development on both" [ "$(field libachd-dev Depends)" = "achdgen (= $version), libachd0 (= $version)" ]
lintian_is_silent() {
  lintian --fail-on error,warning ./*.changes >said 2>&1 || { cat said; return 1; }
  ! grep -q '^[EWO]:' said
}
[ "$theirs" != '*/generator/*.c' ] || check "lintian, without overrides" lintian_is_silent

for deb in ./*.deb; do
  dpkg -x "$deb" root
  check "$deb: all files belong to root, none is for others to write" \
    sh -c "! dpkg-deb -c '$deb' | awk '\$1 !~ /^l/ && (\$2 != \"root/root\" || substr(\$1, 9, 1) == \"w\") { print; bad = 1 } END { exit !bad }'"
done
# All that cmake --install puts somewhere is in one of them.
DESTDIR=$scratch/installed cmake --install sources/obj-* --prefix /usr >/dev/null
(cd installed && find . -type f ! -name '*.gz') | sort >wanted
check "nothing is left out" sh -c "(cd root && find . -type f) | sort | comm -23 wanted - | grep . && exit 1 || true"
check "stripped" sh -c "! readelf -S root/usr/bin/achdgen | grep -q '\.symtab'"
check "no search path of this place" sh -c "! readelf -d root/usr/bin/achdgen | grep -q 'R.*PATH'"
check "the compressed manual page" sh -c "zcat root/usr/share/man/man1/achdgen.1.gz | cmp - '$top/package/achdgen.1'"
check "the manual page of layouts" sh -c "zcat root/usr/share/man/man5/achdgen-layout.5.gz | grep -q '^\.SH STATE MACHINES'"
check "the documents" diff -r "$top/docs" root/usr/share/doc/achdgen/docs
for file in README.md CHANGELOG.md CONTRIBUTING.md; do
  check "$file" cmp "$top/$file" "root/usr/share/doc/achdgen/$file"
done
for name in achdgen libachd0 libachd-dev; do
  check "$name: the copyright" cmp "root/usr/share/doc/$name/copyright" "$top/debian/copyright"
done
# words FILE: its text in one line, without the signs of Debian's format.
words() { sed 's/^ //; s/^\.$//' "$1" | tr '\n' ' '; }
sed -n '5,/^SOFTWARE/p' "$top/LICENSE" >terms
check "... has the licence" sh -c "printf '%s' '$(words "$top/debian/copyright" | tr -d \')' | grep -qF '$(words terms | sed 's/ *$//')'"

robots=root/usr/share/achdgen/robots
check "generates" root/usr/bin/achdgen $robots/gen3.urdf --layout $robots/gen3.lua --functions achd,gravity
check "... what the repository has" cmp gen3_achd.h "$top/generated/gen3_achd.h"

cp -R "$top/tests/emitted/downstream" downstream
cp "$top/robots/arm1dof.urdf" downstream/rod.urdf
cp "$top/robots/machines/pregrasp.lua" downstream/layouts/
check "another project: configure" cmake -S downstream -B out -G Ninja -Dachd_ROOT="$scratch/root/usr" -DCMAKE_LIBRARY_ARCHITECTURE="$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
check "... takes this package" grep -q "achd_DIR:PATH=$scratch/root/usr/lib" out/CMakeCache.txt
check "another project: build" cmake --build out --target all_modes with_shared_runtime
check "another project: numbers" sh -c './out/all_modes | grep -x "all modes agree"'
check "another project: runtime" sh -c './out/with_shared_runtime | grep -x "8 bytes, valid"'
finish
