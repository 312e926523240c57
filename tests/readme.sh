#!/bin/sh
# tests/readme.sh ACHDGEN SOURCE_DIR CC: what README.md shows works: its C compiles against the committed header, its
# layouts are layouts, its achdgen commands run, the files it names are there.
set -eu
. "$(dirname "$0")/lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
readme=$top/README.md
cd "$scratch"

# Blocks of a language, each into a file of its own: c1.c c2.c .. lua1.lua ..
awk '
  /^```[a-z]+$/ { language = substr($0, 4); file = language (++count[language]) "." language; next }
  /^```$/ { language = ""; next }
  language != "" { print > file }' "$readme"

for file in lua*.lua; do
  robot=$(sed -n '1s|^-- \(robots/.*\.urdf\)$|\1|p' "$file")
  check "README: $file" "$achdgen" "$top/${robot:-robots/gen3.urdf}" --layout "$file" --inspect
done
check "README: there are layouts" [ -f lua1.lua ]

mkdir in_place
cp -R "$top/robots" in_place/
sed -n 's/^    \(achdgen [^#]*\)\(#.*\)\{0,1\}$/\1/p' "$readme" >commands
check "README: there are commands" [ -s commands ]
while read -r command; do
  # shellcheck disable=SC2086
  check "README: $command" sh -c "cd in_place && exec '$achdgen' ${command#achdgen }"
done <commands

for file in c*.c; do
  check "README: $file" "$cc" -std=c11 -Wall -Wextra -Werror -I"$top/generated" -I"$top/runtime" -Iin_place -c "$file" -o readme.o
done

# somewhere NAME: it is there, in one of the folders that the README names files of.
somewhere() { [ -e "$top/$1" ] || [ -e "$top/generator/$1" ] || [ -e "$top/runtime/$1" ]; }

# The measured tables are those of what the benchmarks printed.
sh "$top/tests/bench/table.sh" "$top/tests/bench/measured" >tables
check "README: there are measurements" [ -s tables ]
while read -r line; do
  check "README has measured: $line" grep -q -F -x -e "$line" "$readme"
done <tables

# Folders and files named in `back quotes`.
# shellcheck disable=SC2016
grep -o '`[a-z/_0-9.]*`' "$readme" | tr -d '`' | sort -u >names
while read -r name; do
  case $name in
  ../templates/) check "README: $name" [ -d "$top/templates" ] ;;
  */*.* | */) check "README: $name" somewhere "$name" ;;
  *.lua) check "README: $name" [ -n "$(find "$top/generator/lua" -name "$name")" ] ;;
  *.c) check "README: $name" [ -n "$(find "$top/generator" -name "$name")" ] ;;
  esac
done <names

# And the other way: the architecture chapter knows every source.
find "$top/generator" -name '*.c' -o -name '*.lua' >sources
while read -r file; do
  check "README names $(basename "$file")" grep -q "\`$(basename "$file")\`" "$readme"
done <sources
finish
