#!/bin/sh
# SPDX-License-Identifier: MIT
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
  drawing=
  [ "$1" != machine ] || drawing="--svg $scratch/out.svg"
  # shellcheck disable=SC2086 # option and value
  "$achdgen" "--$1" "$2" -o "$scratch/out.h" $drawing >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
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
for file in *.fsm; do
  check "$file" refused machine "$file" "${file%.fsm}.expected"
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
  check "$name: graphs" "$achdgen" --machine "$file" --dot "$name.dot" --mermaid "$name.mmd"
  check "$name: Graphviz draws it" dot -Tsvg "$name.dot" -o drawn.svg
  # Every step that the header's table has stands in all three, with the names of event and transition.
  sed -n 's/^    { name = "\([a-z_]*\)", from = .*/\1/p' "$file" >transitions
  check "$name: there are transitions" [ -s transitions ]
  while read -r transition; do
    check "$name: $transition in the drawing" grep -q ">$transition<" "$name.svg"
    check "$name: $transition for Graphviz" grep -q "label=\"$transition\\\\n" "$name.dot"
    check "$name: $transition for Mermaid" grep -q " : $transition (" "$name.mmd"
  done <transitions
  sed -n 's/^    { name = "\(e_[a-z_]*\)".*/\1/p' "$file" >events
  while read -r event; do
    check "$name: $event in all three" sh -c "grep -q '$event' '$name.svg' && grep -q '$event' '$name.dot' && grep -q '$event' '$name.mmd'"
  done <events
  "$achdgen" --machine "$file" --dot - >printed || true
  check "$name: the graph on standard output" cmp printed "$name.dot"
  "$achdgen" --machine "$file" -o - >printed || true
  check "$name: on standard output" cmp printed "${name}_machine.h"
done

mkdir there
cp "$top"/robots/tasks/*.lua there/
for file in there/*.lua; do
  name=$(basename "$file" .lua)
  [ "$name" != abag ] || continue # it is included
  check "$name" "$achdgen" --task "$top/robots/tasks/$name.lua" --depfile "$name.d"
  check "$name: header by its default name" [ -f "${name}_task.h" ]
  ! grep -q '^[^-]*include("abag.lua")' "$file" || check "$name: depfile: what it includes" grep -q "/abag.lua" "$name.d"
  check "$name: elsewhere" "$achdgen" --task "$file" -o "there/${name}_task.h"
  check "$name: same header" cmp "${name}_task.h" "there/${name}_task.h"
  printf '#include "%s_task.h"\nconst achd_task *first(void);\nconst achd_task *first(void) { return %s_tasks; }\n' "$name" "$name" >use.c
  for compiler in "gcc -std=c11" "clang -std=c11" "gcc -std=c11 -DACHD_SINGLE" "clang -std=c11 -DACHD_SINGLE" "g++ -x c++ -std=c++17"; do
    # shellcheck disable=SC2086 # compiler and its options
    check "$name: $compiler" $compiler -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$top/runtime" -I. -fsyntax-only use.c
  done
done

# A direction holds on its own limits where the description says so, and nowhere else.
sed '/^  y = /s/abag = abag.y/abag = { hold = true, table.unpack(abag.y) }/' there/gen3_pregrasp.lua >there/holding.lua
"$achdgen" --task there/holding.lua -o there/holding_task.h
check "hold in one direction" [ "$(grep -c '}, true, 0},$' there/holding_task.h)" -eq 1 ]
check "hold nowhere" [ "$(grep -c '}, true, 0},$' there/gen3_pregrasp_task.h)" -eq 0 ]
sed '/^  y = /s/abag = abag.y/smooth = { rate = 8 }/' there/gen3_pregrasp.lua >there/smooth.lua
"$achdgen" --task there/smooth.lua -o there/smooth_task.h
check "smooth in one direction, with its rate" [ "$(grep -c '^     true, 8, 0, 0,$' there/smooth_task.h)" -eq 1 ]
check "smooth nowhere" [ "$(grep -c '^     true, ' there/gen3_pregrasp_task.h)" -eq 0 ]
check "hold is said of y" [ "$(grep -A 4 "/\* y \*/" there/holding_task.h | grep -c "}, true, 0},$")" -eq 1 ]

# What may be meant is warned of, and what ships is not warned of; -q is silent, -Werror refuses.
# warns PATTERN SED_SCRIPT FILE: after this change exactly one warning, and a header all the same
warns() {
  sed "$2" "$3" >there/odd.lua
  rm -f odd.h
  "$achdgen" --task there/odd.lua -o odd.h 2>said && [ -s odd.h ] && [ "$(wc -l <said)" -eq 1 ] && grep -q "^there/odd.lua:[0-9]*: warning: $1" said &&
    rm odd.h && "$achdgen" -q --task there/odd.lua -o odd.h 2>said && [ -s odd.h ] && [ ! -s said ] && rm odd.h &&
    ! "$achdgen" -Werror --task there/odd.lua -o odd.h 2>said && [ ! -e odd.h ] && grep -q 'error: 1 warning' said
}
check "a tube without prediction" warns '"y" is not damped' /prediction/d there/gen3_pregrasp.lua
check "an acceleration over a long time" warns 'accelerations do not last for 2.5 s' \
  's/prediction = 2.5/prediction = { time = 2.5, acceleration = true }/' there/gen3_pregrasp.lua
check "an orientation without prediction" warns '"orientation" is not damped' '/prediction/d;/^  [xyz] = /d' there/gen3_hold.lua
check "a goal along a force" warns 'a force along "x"' 's/^  x = .*/  x = { force = 5, tolerance = 0.5, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },/' there/gen3_pregrasp.lua
check "no time for the way" warns 'the task stops after 4 s, and the way to its goal takes 4.09 s' 's/time = 15/time = 4/' there/gen3_pregrasp.lua
check "no time for the path" warns 'the task stops after 5 s, and the way' 's/time = 20/time = 5/' there/gen3_path.lua
for file in there/[glsy]*.lua; do
  check "$file: no warning" "$achdgen" -Werror --task "$file" -o odd.h
done

machine=$top/robots/machines/pregrasp.lua
check "a robot beside a machine" says_no 'takes no robot' --machine "$machine" "$top/robots/gen3.urdf"
for option in --inspect --columns --eval --check "--real float" "--layout x.lua" "--name x" "--functions achd" "--batch 4" "--snap 0" "--mode inline"; do
  # shellcheck disable=SC2086 # option and value
  check "$option beside a machine" says_no 'for robots' --machine "$machine" $option
done
check "two texts on standard output" says_no 'both' --machine "$machine" -o - --svg -
check "two drawings on standard output" says_no 'two drawings both' --machine "$machine" --dot - --mermaid -
check "a graph of a robot" says_no '--dot draws state machines, and there is none' "$top/robots/gen3.urdf" --dot x.dot
check "a graph of a task" says_no '--mermaid draws state machines, but no tasks' --task "$top/robots/tasks/gen3_line.lua" --mermaid x
check "a depfile without a header" says_no 'header that is written to a file' --machine "$machine" -o - --depfile out.d
check "a drawing of tasks" says_no 'no tasks' --task "$top/robots/tasks/gen3_hold.lua" --svg out.svg
check "a robot beside tasks" says_no 'takes no robot' --task "$top/robots/tasks/gen3_hold.lua" "$top/robots/gen3.urdf"
check "a machine and tasks" says_no 'two descriptions' --task "$top/robots/tasks/gen3_hold.lua" --machine "$machine"
check "a machine as tasks" says_no 'unknown word' --task "$machine"
check "a machine that is not there" says_no 'nowhere.lua: error' --machine nowhere.lua
check "a layout as machine" says_no 'gen3.lua:.*unknown word' --machine "$top/robots/gen3.lua"

# Every published set of ABAG's parameters can drive a direction: one task for each, by the numbers that it has.
cp "$top/robots/tasks/abag.lua" .
cat >sets.lua <<'END'
local tasks, count = {}, 0
for robot, set in pairs(include "abag.lua") do
  for direction, five in pairs(set) do
    count = count + 1
    tasks[count] = move_compliantly {
      name = robot .. "_" .. direction, motion_frame = { p = { 0, 0, 0 } },
      z = { velocity = -0.01, tolerance = 0.001, largest = 1, abag = five }, stop_when = { time = 1 },
    }
  end
end
return { name = "sets", tasks = tasks }
END
check "published sets drive a direction" "$achdgen" --task sets.lua -o sets_task.h
check "all of them" [ "$(grep -c '_frames, 1,$' sets_task.h)" -eq 47 ]
for set in lwr4_load_z gen3_stop_7 youbot_pregrasp_angular; do check "$set" grep -q "\"$set\"" sets_task.h; done
finish
