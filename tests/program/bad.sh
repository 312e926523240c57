#!/bin/sh
# SPDX-License-Identifier: MIT
# bad.sh ACHDGEN DIR: what achdgen says about bad input.
#
# For every NAME.urdf in the folders of DIR, and every layout NAME.lua with the robot of its line `-- robot: FILE`, standard error must be,
# to the letter, what stands at the end of the file: in lines `--> TEXT` of a layout, in `<?expected TEXT ?>` of a URDF, in NAME.expected where
# a file cannot hold it (an empty one, one that ends too early). Standard output must be empty, and the exit status 1 with nothing written,
# within 20 s; for warn_NAME 0. Of the inputs every fifth is tried (in_sample). What is made of fine_NAME, without a word where none stands
# there, a C compiler must take.
[ $# -eq 2 ] || { echo "usage: bad.sh ACHDGEN DIR" >&2; exit 2; }
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
cd "$2" || exit 2
inputs=$PWD
top=$(cd ../../.. && pwd)
work=$scratch

# said_by FILE: what achdgen has to say of it.
said_by() {
  case $1 in
    *.lua) sed -n 's/^--> //p' "$1" ;;
    *) sed -n '/^<?expected$/,/^?>$/{/^<?expected$/d;/^?>$/d;p}' "$1" ;;
  esac
  [ ! -e "${1%.*}.expected" ] || cat "${1%.*}.expected"
}

for stray in *.*; do
  [ ! -e "$stray" ] || { echo "$stray: put it into the folder of its kind, with what is said of it at its end" && failed=$((failed + 1)); }
done
count=0 all=0
for path in */*.urdf */*.lua; do
  all=$((all + 1))
  in_sample "$top" 5 || continue
  cd "$inputs/${path%/*}" || exit 2
  input=${path##*/}
  name=${input%.*}
  said_by "$input" >"$work/expected"
  wanted=1
  case $name in
    warn_* | fine_*) wanted=0 ;;
  esac
  [ -s "$work/expected" ] || case $name in
    fine_*) ;;
    *) echo "what is said of it does not stand in the file" >"$work/expected" ;;
  esac
  case $input in
    *.lua) set -- "$(sed -n 's/^.*-- robot: \([^[:space:]]*\).*/\1/p' "$input" | head -n 1)" --layout "$input" ;;
    *) set -- "$input" ;;
  esac
  status=0
  timeout 20 "$achdgen" "$@" -o "$work/out.h" >"$work/stdout" 2>"$work/stderr" || status=$?
  why=
  diff "$work/expected" "$work/stderr" >"$work/diff" 2>&1 || why="the text differs"
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
  echo "$path: $why"
  cat "$work/diff"
done
echo "$count of $all inputs, $failed failed"
[ $failed -eq 0 ]
