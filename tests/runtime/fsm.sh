#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/fsm.sh ACHDGEN SOURCE_DIR: state machines of coord-dsl, in and out: every form of the language, each machine stepped over 2e4
# random events (ACHD_SWEEP=1: 1e5) beside what coord2b's step function makes of the file (fsm_reference.py), as it was read, as it was written again, and from
# tables for coord2b. Machines in Lua that are written as .fsm step the same.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
cd "$scratch"
cp "$top"/tests/runtime/fsm/*.fsm .
gcc -std=c11 -O1 -I"$top/runtime" -c "$top/runtime/machine.c" -o machine.o

# name_of FILE: of the machine in it, in C
name_of() {
  sed -n 's/^ *NAME: *\(([^)]*)\)\{0,1\} *\([a-z]*\.\)\{0,1\}//p; s/^ *[Ff][Ss][Mm] *([^)]*) *\([^ {]*\).*/\1/p' "$1" | head -1 | tr - _
}

# runs FILE: what the machine does with events.txt, in ran.txt
runs() {
  name=$(name_of "$1")
  [ -n "$name" ] || name=$(sed -n 's/^  name = "\([a-z_]*\)",$/\1/p' "$1" | head -1)
  "$achdgen" -q --machine "$1" -o "${name}_machine.h" &&
    gcc -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -DMACHINE="$name" -include "${name}_machine.h" -I"$top/runtime" -I. \
      "$top/tests/runtime/fsm_steps.c" machine.o -o steps && ./steps <events.txt >ran.txt
}
steps_right() { runs "$1" && cmp ran.txt states.txt; }
events=20000
[ -z "${ACHD_SWEEP:-}" ] || events=100000
reference() { python3 "$top/tests/runtime/fsm_reference.py" "$1" "$events" 7; }

for file in gripper line lamp attic-lamp door sorter; do
  [ $file = gripper ] || in_sample "$top" 6 || continue
  check "$file: reference" reference "$file.fsm"
  check "$file: steps as coord2b steps it" steps_right "$file.fsm"
  mkdir -p out
  check "$file: written again" "$achdgen" -q --machine "$file.fsm" --fsm "out/$file.fsm" -o again.h
  check "$file: the same machine" steps_right "out/$file.fsm"
  cp states.txt before.txt
  check "$file: the reference reads what is written" reference "out/$file.fsm"
  check "$file: and says the same" cmp states.txt before.txt
  check "$file: written from what was written" "$achdgen" -q --machine "out/$file.fsm" --fsm twice.fsm -o again.h
  check "$file: the same text but for its first line" sh -c "tail -n +2 out/$file.fsm >a; tail -n +2 twice.fsm | cmp - a"
  name=$(name_of "$file.fsm")
  check "$file: tables for coord2b" "$achdgen" -q --machine "$file.fsm" --coord2b
  cp -R "$top/tests/runtime/coord2b" .
  check "$file: they compile and step" sh -c "gcc -std=c11 -O1 -Wall -Wextra -Werror -DMACHINE=$name -include ${name}_machine.h -include ${name}_coord2b.h \
    -I'$top/runtime' -I'$top/tests' -I'$top/tests/runtime' -I. '$top/tests/runtime/coord2b_steps.c' machine.o -lm -o both && ./both"
done
check "an import is an input: depfile" "$achdgen" -q --machine line.fsm -o l.h --depfile l.d
check "an import is an input: its name" grep -q "events.fsm" l.d
check "names keep their - when they are written" grep -q '<el.E-CLOSED>' out/gripper.fsm
check "flags of the event loop are written again" grep -q '    flg F_HOLDS' out/gripper.fsm
check "an address stays" grep -q 'https://example.org/bus#\|https://example.org/gripper/' out/gripper.fsm
check "other beginning than START_STATE: told" sh -c "'$achdgen' --machine door.fsm -o d.h 2>&1 | grep -q 'door.fsm:6: warning: the machine begins in \"S_OPEN\", its CURRENT_STATE'"
check "other beginning than START_STATE: it is what is written" sh -c "'$achdgen' -q --machine door.fsm --fsm shut.fsm -o d.h && grep -q '^START_STATE: @S_OPEN' shut.fsm && grep -q '^CURRENT_STATE: @S_OPEN' shut.fsm"
check "the end state is not left: told" sh -c "'$achdgen' --machine door.fsm -o d.h 2>&1 | grep -q 'reaction \"R_BACK\" leaves the end state'"
check "what is never used: told" sh -c "'$achdgen' --machine door.fsm -o d.h 2>&1 | grep -q 'no reaction uses transition \"T_BACK\".*1 more like this'"
check "-Werror" sh -c "! '$achdgen' -Werror --machine door.fsm -o none.h 2>/dev/null && [ ! -e none.h ]"
check "the same bytes on standard output" sh -c "'$achdgen' -q --machine gripper.fsm --fsm - -o g.h | cmp - out/gripper.fsm"

# Machines in Lua: states that latch become copies.
for file in "$top"/robots/machines/*.lua "$top"/tests/runtime/coord2b_latched.lua "$top"/tests/runtime/coord2b_final.lua; do
  # All that surface has, surface_path has too.
  case "$file" in */surface.lua) [ -n "${ACHD_SWEEP:-}" ] || continue ;; esac
  name=$(sed -n 's/^ *name = "\([a-z0-9_]*\)",$/\1/p' "$file" | head -1)
  check "$name: as .fsm" "$achdgen" --machine "$file" --fsm "$name.fsm" -o "$name.h"
  case "$file" in */robots/*) check "$name: nothing to say of what is written" sh -c "[ -z \"\$('$achdgen' --machine $name.fsm -o back.h 2>&1)\" ]" ;; esac
  check "$name: reference" reference "$name.fsm"
  nstates=$(sed -n '/states {/,/}/p' "$name.fsm" | grep -c -v '[{}]\|_latched\|never_reached')
  check "$name: in Lua" runs "$file"
  # A copy stands for the state of its name: numbers behind the machine's own become those.
  names=$(sed -n '/states {/,/}/p' "$name.fsm" | grep -v '[{}]' | tr -d ' ,' | paste -s -d ' ')
  check "$name: the same states" python3 -c "
names = '$names'.split()
own = [names.index(n[:-8]) if n.endswith('_latched') else k for k, n in enumerate(names)]
assert $nstates > 1
for want, ran in zip(open('states.txt'), open('ran.txt')):
    want = want.split(); assert [str(own[int(want[0])])] + want[1:] == ran.split(), (want, ran)"
done
check "an address of one's own" sh -c "sed 's/^  name = /  iri = \"https:\/\/my.org\/\",\n  name = /' '$top/robots/machines/path.lua' >mine.lua && '$achdgen' --machine mine.lua --fsm mine.fsm -o m.h && grep -q 'ns own = \"https://my.org/\"' mine.fsm"
says_no() { pattern=$1; shift; ! "$achdgen" "$@" >said 2>&1 && grep -q -e "$pattern" said; }
check "a task" says_no '--fsm writes state machines, but no tasks' --task "$top/robots/tasks/gen3_line.lua" --fsm x
check "a robot" says_no '--fsm writes state machines, and there is none' "$top/robots/gen3.urdf" --fsm x
check "what is read is not written over" says_no 'gripper.fsm' --machine gripper.fsm --fsm gripper.fsm -o g.h
finish
