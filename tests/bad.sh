#!/bin/sh
# bad.sh ACHDGEN DIR: what achdgen says about bad input.
#
# For every NAME.urdf in DIR, standard error must be NAME.expected to the letter, standard output
# empty, and the exit status 1 with nothing written; for warn_NAME.urdf 0.
[ $# -eq 2 ] || { echo "usage: bad.sh ACHDGEN DIR" >&2; exit 2; }
achdgen=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$2" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

count=0 failed=0
for urdf in *.urdf; do
  name=${urdf%.urdf}
  case $name in warn_*) wanted=0 ;; *) wanted=1 ;; esac
  status=0
  "$achdgen" "$urdf" -o "$work/out.h" >"$work/stdout" 2>"$work/stderr" || status=$?
  why=
  diff "$name.expected" "$work/stderr" >"$work/diff" 2>&1 || why="the text differs"
  [ $status -eq $wanted ] || why="exit status $status instead of $wanted"
  [ ! -s "$work/stdout" ] || why="standard output is not empty"
  [ $wanted -eq 0 ] || [ ! -e "$work/out.h" ] || why="a file was written"
  rm -f "$work/out.h"
  count=$((count + 1))
  [ -n "$why" ] || continue
  failed=$((failed + 1))
  echo "$urdf: $why"
  cat "$work/diff"
done
echo "$count inputs, $failed failed"
[ $failed -eq 0 ]
