#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/inputs.sh ACHDGEN SOURCE_DIR: the files that a header is made of: limits of what a layout includes, the banner's
# list, and --depfile, read back by Make and Ninja.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
robot=$top/robots/gen3.urdf
out=$scratch/out
cd "$scratch"

# refused TEXT LAYOUT: exit 1, the text is said, nothing is written.
refused() {
  if "$achdgen" "$robot" --layout "$2" --depfile refused.d -o refused.h 2>"$out"; then return 1; fi
  cat "$out"
  grep -qF -e "$1" "$out" && [ ! -e refused.h ] && [ ! -e refused.d ]
}

# -- limits
mkdir deep
for k in $(seq 0 14); do echo "return include 'deep/$((k + 1)).lua'" >"deep/$k.lua"; done
echo 'return {}' >deep/15.lua
echo 'return include "deep/1.lua"' >fine.lua
echo 'return include "deep/0.lua"' >too_deep.lua
check "15 files deep" "$achdgen" "$robot" --layout fine.lua -o fine.h
check "16 files deep" refused 'deep/14.lua:1: error: files include one another more than 15 deep' too_deep.lua
mkdir many
for k in $(seq 1 64); do echo 'return {}' >"many/$k.lua"; done
echo 'for k = 1, 63 do include("many/" .. k .. ".lua") end return {}' >fine.lua
echo 'for k = 1, 64 do include("many/" .. k .. ".lua") end return {}' >too_many.lua
check "64 files" "$achdgen" "$robot" --layout fine.lua -o fine.h
check "65 files" refused 'too_many.lua:1: error: the layout is made of more than 64 files' too_many.lua
check "64 files: all in the banner" [ "$(grep -c '^ \* input ' fine.h)" -eq 65 ]
{ printf 'return {} --'; head -c 600000 /dev/zero | tr '\0' x; } >half.lua
cp half.lua other_half.lua
echo 'include "half.lua" return include "half.lua"' >fine.lua
echo 'include "half.lua" return include "other_half.lua"' >too_large.lua
check "a file twice counts once" "$achdgen" "$robot" --layout fine.lua -o fine.h
check "1 MB in all" refused 'other_half.lua: error: the layout and what it includes are larger than 1 MB' too_large.lua

# -- the banner: contents, not folders
mkdir -p place/common elsewhere/common
for folder in place elsewhere; do
  echo 'return { joint_1 = 0.5 }' >$folder/common/armature.lua
  echo 'return { armature = include "common/armature.lua" }' >$folder/arm.lua
  "$achdgen" "$robot" --layout $folder/arm.lua -o $folder/gen3_achd.h
done
check "banner: the same in another folder" cmp place/gen3_achd.h elsewhere/gen3_achd.h
# FNV-1a, by somebody else
hash=$(python3 -c 'import functools, sys
print("%016x" % functools.reduce(lambda h, b: (h ^ b) * 1099511628211 % 2**64, open(sys.argv[1], "rb").read(), 0xcbf29ce484222325))' \
  place/common/armature.lua)
check "banner: hash of what is included" grep -q "^ \* input   common/armature.lua fnv1a:$hash\$" place/gen3_achd.h
echo 'return { joint_1 = 0.25 }' >elsewhere/common/armature.lua
"$achdgen" "$robot" --layout elsewhere/arm.lua -o elsewhere/gen3_achd.h
check "an included number goes in" sh -c '! cmp -s place/gen3_achd.h elsewhere/gen3_achd.h'

# -- refused, and nothing written
check "--depfile with --inspect" sh -c "! '$achdgen' '$robot' --inspect --depfile x.d 2>/dev/null"
check "--depfile with -o -" sh -c "! '$achdgen' '$robot' -o - --depfile x.d 2>/dev/null"
mkdir 'back\slash'
cp "$robot" 'back\slash/gen3.urdf'
check "a path that Make does not take" sh -c "! '$achdgen' 'back\\slash/gen3.urdf' -o x.h --depfile x.d 2>said"
check "... is named" grep -qF 'back\slash/gen3.urdf: error: ' said
check "nothing was written" [ ! -e x.d -a ! -e x.h ]

# -- the rule
check "--depfile" "$achdgen" "$robot" --layout place/arm.lua --mode split -o split.h --depfile split.d
cat >wanted <<END
split.h split.c: \\
  $robot \\
  place/arm.lua \\
  place/common/armature.lua

$robot:

place/arm.lua:

place/common/armature.lua:
END
check "--depfile: the rule" diff wanted split.d
check "the command says nothing of it" [ "$(grep -c depfile split.h)" -eq 0 ]

# -- Make and Ninja make anew what they have to, with names that need care
# shellcheck disable=SC2016
awkward='a $tr:ange #1'
mkdir "$awkward" "$awkward/common"
cp "$robot" "$awkward/arm.urdf"
cp place/arm.lua "$awkward/"
cp place/common/armature.lua "$awkward/common/"
cat >once.sh <<END
echo run >>log
exec '$achdgen' '$awkward/arm.urdf' --layout '$awkward/arm.lua' -o 'arm.h' --depfile arm.d
END
cat >Makefile <<'END'
arm.h: ; @sh once.sh
-include arm.d
END
cat >build.ninja <<'END'
rule achdgen
  command = sh once.sh
  depfile = arm.d
build arm.h: achdgen
END
# runs_after TOOL COUNT: how often achdgen has run so far.
runs_after() {
  "$1" || return 1
  [ "$(wc -l <log)" -eq "$2" ] || { echo "ran $(wc -l <log) times, not $2"; return 1; }
}
for tool in make ninja; do
  rm -f arm.h arm.d log
  touch -d '1 hour ago' "$awkward"/* "$awkward/common/armature.lua"
  check "$tool: first" runs_after $tool 1
  check "$tool: nothing changed" runs_after $tool 1
  runs=1
  for file in arm.urdf arm.lua common/armature.lua; do
    runs=$((runs + 1))
    touch -d '1 minute ago' arm.h
    touch "$awkward/$file"
    check "$tool: $file changed" runs_after $tool $runs
    touch -d '1 hour ago' "$awkward/$file"
    check "$tool: nothing changed" runs_after $tool $runs
  done
  echo 'return {}' >"$awkward/arm.lua"
  mv "$awkward/common/armature.lua" kept.lua
  check "$tool: an include that is gone" runs_after $tool $((runs + 1))
  mv kept.lua "$awkward/common/armature.lua"
  cp place/arm.lua "$awkward/arm.lua"
done
finish
