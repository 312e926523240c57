#!/bin/sh
# bad.sh ACHDGEN DIR: what achdgen says about bad input.
#
# For every NAME.urdf in DIR, and every layout NAME.lua with the robot of its line `-- robot: FILE`, standard error
# must be NAME.expected to the letter, standard output empty, and the exit status 1 with nothing written, within
# 20 s; for warn_NAME.urdf 0. Of the inputs every fifth is tried (in_sample). What is made of fine_NAME.lua, without a word where there is no .expected, a C compiler must take.
[ $# -eq 2 ] || { echo "usage: bad.sh ACHDGEN DIR" >&2; exit 2; }
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
cd "$2" || exit 2
work=$scratch
: >"$work/nothing"

count=0 all=0
for input in *.urdf *.lua; do
  all=$((all + 1))
  in_sample ../../.. 5 || continue
  name=${input%.*}
  expected=$name.expected
  wanted=1
  case $name in
    warn_*) wanted=0 ;;
    fine_*)
      wanted=0
      [ -e "$expected" ] || expected=$work/nothing
      ;;
  esac
  case $input in
    *.lua) set -- "$(sed -n 's/^.*-- robot: \([^[:space:]]*\).*/\1/p' "$input" | head -n 1)" --layout "$input" ;;
    *) set -- "$input" ;;
  esac
  status=0
  timeout 20 "$achdgen" "$@" -o "$work/out.h" >"$work/stdout" 2>"$work/stderr" || status=$?
  why=
  diff "$expected" "$work/stderr" >"$work/diff" 2>&1 || why="the text differs"
  [ $status -eq $wanted ] || why="exit status $status instead of $wanted"
  [ ! -s "$work/stdout" ] || why="standard output is not empty"
  [ $wanted -eq 0 ] || [ ! -e "$work/out.h" ] || why="a file was written"
  case $name in
    fine_*)
      cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c "$work/out.h" >"$work/diff" 2>&1 ||
        why="the header is not taken"
      ;;
  esac
  rm -f "$work/out.h"
  count=$((count + 1))
  [ -n "$why" ] || continue
  failed=$((failed + 1))
  echo "$input: $why"
  cat "$work/diff"
done
echo "$count of $all inputs, $failed failed"
[ $failed -eq 0 ]
