#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/docs.sh ACHDGEN SOURCE_DIR CC: what README.md and docs/*.md show works: C compiles, layouts, tasks and
# machines are accepted, achdgen commands run, files and links are there, measured numbers are those that were printed,
# every word of the layout language is explained. (docs/tour.md and docs/examples have tests of their own.)
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cc=$3
cd "$scratch"

mkdir in_place
cp -R "$top/robots" in_place/

# A Lua block: what it is says its first line.
lua_block() { # DOCUMENT FILE
  case $(head -1 "$2") in
  '-- task') check "$1: $2, a task" "$achdgen" --task "$2" -o described.h ;;
  '-- scene') check "$1: $2, a scene" "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --mjcf described.xml --scene "$2" ;;
  '-- machine') check "$1: $2, a state machine" "$achdgen" --machine "$2" -o described.h ;;
  *)
    robot=$(sed -n '1s|^-- \(robots/.*\.urdf\)$|\1|p' "$2")
    sampled 8 "$1: $2, a layout" "$achdgen" "$top/${robot:-robots/gen3.urdf}" --layout "$2" --inspect
    ;;
  esac
}

# A C block is a whole unit, or a passage: of the example that its first line names, or of the shipped header.
stands_in() { python3 -c 'import sys; sys.exit(open(sys.argv[1]).read() not in open(sys.argv[2]).read())' "$1" "$2"; }
c_block() { # DOCUMENT FILE
  from=$(sed -n '1s|^/\* \([a-z/]*\.c\) \*/$|\1|p' "$2") # of the example controller, or FOLDER/FILE
  if [ -n "$from" ]; then
    sed 1d "$2" >passage.txt
    case $from in */*) ;; *) from=controller/$from ;; esac
    check "$1: $2 stands in docs/examples/$from" stands_in passage.txt "$top/docs/examples/$from"
  elif grep -q '^#' "$2"; then
    makes="-fsyntax-only" # what cannot run is only read
    ! grep -q '^int main' "$2" || makes="-c -o block.o"
    # shellcheck disable=SC2086 # words
    check "$1: $2 compiles" "$cc" -std=c11 -Wall -Wextra -Werror -Iin_place -I"$top/generated" -I"$top/runtime" $makes "$2"
    if grep -q '^int main' "$2"; then
      check "$1: $2 links" "$cc" block.o "$top/runtime/platform.c" "$top/runtime/mclp.c" "$top/runtime/least_norm.c" -I"$top/runtime" -lm -o program
      check "$1: $2 runs" sh -c './program >printed && test -s printed'
      [ "$1" != platform.md ] || check "$1 shows what it prints" sh -c "sed 's/^/    /' printed | diff - wheels"
    fi
  else
    check "$1: $2 stands in generated/gen3_achd.h" stands_in "$2" "$top/generated/gen3_achd.h"
  fi
}

somewhere() { [ -e "$top/$1" ] || [ -e "$top/generator/$1" ] || [ -e "$top/runtime/$1" ] || [ -e "$top/docs/$1" ] || [ -e "$top/tests/$1" ]; }

# A link of a page in docs/ or the README: the file is there, and the heading that it points to.
link() { # DOCUMENT TARGET
  file=${2%%#*}
  file=$(dirname "$1")/${file:-$(basename "$1")}
  [ -e "$file" ] || return 1
  case $2 in
  *'#'*) grep '^#' "$file" | sed 's/^#* *//' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 -]//g; s/ /-/g' | grep -q -x "${2#*#}" ;;
  esac
}

for document in "$top/README.md" "$top/CONTRIBUTING.md" "$top"/docs/*.md; do
  page=$(basename "$document")
  [ "$page" != tour.md ] || continue
  rm -f block*
  # Blocks of a language, each into a file of its own.
  awk '
    /^```[a-z]+$/ { language = substr($0, 4); file = "block" (++count) "." language; next }
    /^```$/ { language = ""; next }
    language != "" { print > file }' "$document"
  # Commands come first: a C block may include what they make.
  # a backslash at the end of a line goes on in the next one
  sed -e ':more' -e '/^    achdgen .*\\$/{ N' -e 's/\\\n *//' -e 'b more' -e '}' "$document" | sed -n 's/^    \(achdgen [^#]*\)\(#.*\)\{0,1\}$/\1/p' >commands
  while read -r command; do
    # of those that write no file, every fourth
    case $command in *--inspect* | *--check* | *--columns* | *--prove* | *--formulas* | *--losses* | *--compare*) in_sample "$top" 4 || continue ;; esac
    check "$page: $command" sh -c "cd in_place && exec '$achdgen' ${command#achdgen }"
  done <commands
  for file in block*.lua; do [ ! -f "$file" ] || lua_block "$page" "$file"; done
  grep '^    wheel [0-9]' "$document" >wheels || true
  for file in block*.c; do [ ! -f "$file" ] || c_block "$page" "$file"; done

  # States that are put into --eval, with what it prints below.
  grep -A1 '^    echo "[^"]*" | achdgen .* --eval$' "$document" >states || true
  while read -r state && read -r printed; do
    check "$page: $state" sh -c "cd in_place && [ \"\$($(echo "$state" | sed "s#| achdgen #| '$achdgen' #"))\" = '$printed' ]"
    read -r _ || break # a line between the groups of grep
  done <states

  # Files and folders named in `back quotes`.
  # shellcheck disable=SC2016
  grep -o '`[a-zA-Z/_0-9.]*`' "$document" | tr -d '`' | sort -u >names
  while read -r name; do
    case $name in
    achd/* | lua.h | *_achd.h) ;;
    */*.* | */) check "$page: $name is there" somewhere "$name" ;;
    *.lua) check "$page: $name is there" [ -n "$(find "$top/generator/lua" "$top/robots" -name "$name")" ] ;;
    *.c) check "$page: $name is there" [ -n "$(find "$top/generator" "$top/runtime" "$top/docs" -name "$name")" ] ;;
    esac
  done <names
  grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//' | grep -v '^https:' | sort -u >links || true
  while read -r target; do check "$page: link to $target" link "$document" "$target"; done <links
done
# Every program in docs/examples that leads an arm by the loop has what a robot needs: what examples leave out, users leave out.
grep -rl 'achd_loop_setup [a-z_]* =' "$top/docs/examples" >loops || true
check "examples with the loop are found" [ "$(wc -l <loops)" -ge 3 ]
while read -r program; do
  watched="'\.brakes_after = [1-9]' '\.accelerations = '"
  ! grep -q '_loop_fill(&setup)' "$program" || watched="'_loop_fill(&setup)'" # of achdgen --loop, which has both
  eval "set -- $watched"
  for word in "$@" 'signal(SIGINT, ' 'signal(SIGTERM, ' 'if (asked_to_end) achd_loop_raise'; do
    check "${program#"$top/"} has $word" grep -q "$word" "$program"
  done
done <loops
# "Zippel 1979", "(Gaz and others 2019)": the bibliography has a line with both.
cited() {
  grep -hoE "\b[A-Z][a-z]+( and others)?( \(?)(19[5-9][0-9]|20[0-2][0-9])\b" "$top"/docs/*.md | sed 's/ and others//; s/(//' | sort -u |
    grep -vE "^(November|Of|Press|Springer|Sieg|SIAM|Numerica|Conference|Kaufmann|Corporation|Hall|Systems|Leuven|Nauka) " >sources
  [ "$(wc -l <sources)" -ge 15 ] || return 1
  while read -r name year; do grep -q "$name.*$year" "$top/docs/bibliography.md" || { echo "$name $year"; return 1; }; done <sources
}
check "what is cited is in the bibliography" cited
check "the README shows commands" grep -q '^    achdgen ' "$top/README.md"
check "the README is short" [ "$(wc -l <"$top/README.md")" -le 140 ]

# The tables are those of what the benchmarks printed; so are the README's figures.
sh "$top/tests/bench/table.sh" "$top/tests/bench/measured" >tables
check "there are measurements" [ -s tables ]
while read -r line; do
  check "docs/performance.md has measured: $line" grep -q -F -x -e "$line" "$top/docs/performance.md"
done <tables
figures=$(sed -n 's/^| gen3 | achd | 6 | [0-9]* | \([0-9]*\) ns, \([0-9]*\)\.[0-9] | \([0-9]*\) ns, \([0-9]*\)\..*/\1 \2 \3 \4/p' tables)
# shellcheck disable=SC2086 # four numbers
set -- $figures
tr '\n' ' ' <"$top/README.md" >readme.txt
check "the README has the measured times" grep -q "takes $1 ns at plain .-O2. and $3 ns with .-O3 -march=native.: $2 and $4 times faster" readme.txt

# The first command of docs/identify.md, on the logs that ship: one time in two.
if ! in_sample "$top" 2; then
  echo "not tried: the first command of docs/identify.md"
elif /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  first=$(sed -n 's/^\$ achd-identify //p' "$top/docs/identify.md" | head -1)
  check "docs/identify.md begins with a command" [ -n "$first" ]
  printf '#!/bin/sh\nexec cc "$@" -O0\n' >quick_cc # last: -O2 of the package stands before it
  chmod +x quick_cc
  check "docs/identify.md: achd-identify $first" sh -c "cd in_place && exec env ACHDGEN='$achdgen' CC='$scratch/quick_cc' PYTHONPATH='$top/python' PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME='$scratch/cache' /usr/bin/python3 -m achdgen.identify $first"
  cp .said told
  # shellcheck disable=SC2016 # $ is of awk
  check "... from 2.4 to 0.13 N m of joint 2, as it says" awk '/^robots.logs.gen3_other/ { other = 1 } other && $1 == "joint_2" { good = $2 > 2.2 && $2 < 2.6 && $4 < 0.14 } END { exit !good }' told
  check "... and writes a layout that achdgen takes" "$achdgen" "$top/robots/gen3.urdf" --layout in_place/identified.lua --inspect
  check "the logs have 200 KB at most" [ "$(cat "$top"/robots/logs/*.csv | wc -c)" -le 200000 ]
else
  echo "Debian's Python with NumPy" >>"$scratch/.left_out"
fi

# Default thresholds are those that achdgen tells.
for policy in damp drop truncate; do
  printf 'return { groups = {{ name = "tool", frame = "tool_frame" }}, singularity = "%s" }\n' $policy >policy.lua
  told=
  for real in double float; do
    told="$told | $("$achdgen" "$top/robots/gen3.urdf" --layout policy.lua --real $real --no-prove -o - | sed -n 's/^ \* rank .*threshold \([^;]*\).*/\1/p')"
  done
  check "docs/layouts.md: default thresholds of $policy" grep -q -F -x "| \`\"$policy\"\`$told |" "$top/docs/layouts.md"
done

# Every word that the scripts know is in the index of words.
sed -n '/^## Index of words/,$p' "$top/docs/layouts.md" >index
find "$top/generator/lua/layout" -name '*.lua' ! -name scene.lua -exec cat {} + | tr '\n' ' ' >scripts.txt
grep -o -E '(known\([^{]*|words = |_words = |one_of\([^{]*)\{[^}]*\}' scripts.txt | grep -o '"[a-z_][a-z_]*"' | tr -d '"' | sort -u |
  grep -v -x -E 'boolean|integer|string|table|cruise' >words # what kinds and remedies are made of
check "there are words" [ "$(wc -l <words)" -gt 60 ]
while read -r word; do
  check "docs/layouts.md has the word $word in its index" grep -q "\`$word\`" index
done <words
{ sed -n '/^local words/,/^local largest/p' "$top/generator/lua/layout/scene.lua"; grep 'known(raw, {' "$top/generator/lua/layout/scene.lua"; } | grep -o '"[a-z_]*"' | tr -d '"' | sort -u >words
check "there are words of scenes" [ "$(wc -l <words)" -gt 30 ]
while read -r word; do
  check "docs/simulation.md has the word $word of scenes" grep -q "^|.*\`\"\{0,1\}$word\"\{0,1\}\`" "$top/docs/simulation.md"
done <words
finish
