#!/bin/sh
# tests/runtime/descriptions.sh ACHDGEN SOURCE_DIR: descriptions that are not layouts. bad/KIND_NAME.lua is refused with what
# bad/KIND_NAME.expected says, and nothing written; those that ship are taken, the same bytes from anywhere; options
# that do not fit are refused.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)

# refused KIND FILE EXPECTED, in the file's folder
refused() {
  status=0
  "$achdgen" "--$1" "$2" -o "$scratch/out.h" --svg "$scratch/out.svg" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  [ "$status" -eq 1 ] && [ ! -s "$scratch/stdout" ] && [ ! -e "$scratch/out.h" ] && [ ! -e "$scratch/out.svg" ] &&
    diff "$3" "$scratch/stderr"
}

# says_no PATTERN ARGUMENT...: refused on the command line.
says_no() {
  pattern=$1
  shift
  ! "$achdgen" "$@" >"$scratch/stdout" 2>"$scratch/stderr" && grep -q -e "$pattern" "$scratch/stderr" && [ ! -s "$scratch/stdout" ]
}

cd "$top/tests/runtime/bad"
for file in *.lua; do
  check "$file" refused "${file%%_*}" "$file" "${file%.lua}.expected"
done

cd "$scratch"
for file in "$top"/robots/machines/*.lua; do
  name=$(basename "$file" .lua)
  mkdir -p elsewhere
  cp "$file" elsewhere/
  check "$name" "$achdgen" --machine "$file" --svg "$name.svg" --depfile "$name.d"
  check "$name: header by its default name" [ -f "${name}_machine.h" ]
  check "$name: depfile: target" grep -q "^${name}_machine.h:" "$name.d"
  check "$name: depfile: input" grep -q "/$name.lua" "$name.d"
  check "$name: well-formed drawing" xmllint --noout "$name.svg"
  for round in 1 2 3 4 5; do
    check "$name: round $round" "$achdgen" --machine "elsewhere/$name.lua" --svg again.svg -o "elsewhere/${name}_machine.h"
    check "$name: round $round: same header" cmp "${name}_machine.h" "elsewhere/${name}_machine.h"
    check "$name: round $round: same drawing" cmp "$name.svg" again.svg
  done
  "$achdgen" --machine "$file" -o - >printed || true
  check "$name: on standard output" grep -q "achd_machine ${name}_machine" printed
done

machine=$top/robots/machines/pregrasp.lua
check "a robot beside a machine" says_no 'takes no robot' --machine "$machine" "$top/robots/gen3.urdf"
for option in --inspect --columns --eval --check "--real float" "--layout x.lua" "--name x" "--functions achd" "--batch 4" "--snap 0" "--mode inline"; do
  # shellcheck disable=SC2086 # option and value
  check "$option beside a machine" says_no 'for robots' --machine "$machine" $option
done
check "a machine that is not there" says_no 'nowhere.lua: error' --machine nowhere.lua
check "a layout as machine" says_no 'gen3.lua:.*unknown word' --machine "$top/robots/gen3.lua"
finish
