#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/options.sh ACHDGEN SOURCE_DIR: what the command line says about mistakes, to the letter; robots from standard
# input; warnings counted, passed over, made errors; progress of long work, on a terminal only.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
robot=$top/robots/arm1dof.urdf
machine=$top/robots/machines/pregrasp.lua
cd "$scratch"
cp "$robot" arm.urdf
mkdir work
cd work

# says ERROR REMEDY ARGUMENTS...: exit 1, these two lines to the letter, nothing else, no file. says_of PLACE ...: of a place in a file.
says() { says_of achdgen "$@"; }
says_of() {
  printf '%s: error: %s\n  remedy: %s\n' "$1" "$2" "$3" >../wanted
  shift 3
  status=0
  "$achdgen" "$@" >../out 2>../err </dev/null || status=$?
  [ "$status" -eq 1 ] && [ ! -s ../out ] && diff ../wanted ../err && [ -z "$(ls -A)" ]
}
list='achdgen --help lists the options'

comes_first() { # OPTION MISSPELT: of the names that come near
  "$achdgen" ../arm.urdf "$2" 2>../err && return 1
  grep -q -e "^achdgen: error: unknown option $2\$" ../err && grep -q -e "^  remedy: did you mean \"$1\"[, ?].*$list\$" ../err
}

# -- options misspelt, each a letter at a time: every one is recognized
"$achdgen" --help | sed -n 's/^  *\(-.*\)$/\1/p' | sed 's/, -/\n-/g' | sed -n 's/^\(--[a-z][a-z0-9-]*\).*/\1/p' | sort -u >../options
check "there are many options" [ "$(wc -l <../options)" -ge 17 ]
while read -r option; do
  cut=${option%?} # its last letter is missing
  check "$cut" comes_first "$option" "$cut"
  check "${option}x" comes_first "$option" "${option}x"
done <../options
check "a swap" says 'unknown option --layuot' "did you mean \"--layout\"? $list" ../arm.urdf --layuot x.lua
check "one dash" says 'unknown option -layout' "did you mean \"--layout\"? $list" ../arm.urdf -layout x.lua
check "with its value" says 'unknown option --laoyut=x.lua' "did you mean \"--layout\"? $list" ../arm.urdf --laoyut=x.lua
check "-Werrors" says 'unknown option -Werrors' "did you mean \"-Werror\"? $list" ../arm.urdf -Werrors
while read -r other ours; do
  check "$other" says "unknown option $other" "did you mean \"$ours\"? $list" ../arm.urdf "$other"
done <<'EOF'
--output -o
--quiet -q
-w -q
-v --version
-l --layout
--float --real float
--double --real double
EOF
check "like none" says 'unknown option --colour' "$list" ../arm.urdf --colour

# -- choices by masks exclude what has branches of its own
check "branchless and a batch" says '--branchless and --batch exclude each other: where a CPU has no vectors, a batch takes a loop' \
  'leave one of them out' ../arm.urdf --branchless --batch 4
check "branchless and shared" says '--branchless and --mode shared exclude each other: arrays of states take a loop' \
  'leave one of them out' ../arm.urdf --mode shared --branchless
check "branchless and a null-space solve" says '--branchless and --formulation null exclude each other: null chooses between two solves by a branch' \
  'leave one of them out' ../arm.urdf --branchless --formulation null
check "branchless and early elimination" says '--branchless and --formulation early exclude each other: early chooses between two solves by a branch' \
  'leave one of them out' ../arm.urdf --branchless --formulation early
check "prefetch and inline" says '--prefetch and --mode inline exclude each other: a function that compilers put into its callers does not know where its code is' \
  'leave one of them out' ../arm.urdf --mode inline --prefetch
check "small with a value" says '--small takes no value' 'write --small' ../arm.urdf --small=1
check "prefetch with a value" says '--prefetch takes no value' 'write --prefetch' ../arm.urdf --prefetch=1
check "lanes with another value" says '--lanes is "2"' 'write --lanes 0 or 1' ../arm.urdf --lanes 2
check "branchless with a value" says '--branchless takes no value' 'write --branchless' ../arm.urdf --branchless=yes

# -- layouts that early elimination is not for
not_early() { # WHY WORDS
  echo "return { groups = { { name = 'tool', frame = 'link1', rows = { 'ang_z' } } }, $2 }" >../not.lua
  says_of ../not.lua:1 "--formulation early is not for this layout: $1" 'leave --formulation out' ../arm.urdf --layout ../not.lua --formulation early -q
}
check "early, torques clamped" not_early 'torques are clamped, and the motion that they make is solved again' 'saturate = true, effort = { joint1 = 3 }'
check "early, an output" not_early '"tau_total" is an output that only other solves have' 'outputs = { "qdd", "tau_total" }'
check "early, a large threshold" not_early 'the threshold is above 1e-4' 'singular_threshold = 1e-2'
check "early, no rows" not_early 'the layout has no rows' 'groups = {}'
check "early, mimic joints" says_of "$top/robots/gripper.lua:3" '--formulation early is not for this layout: joints mimic others' 'leave --formulation out' \
  "$top/robots/gripper.urdf" --layout "$top/robots/gripper.lua" --formulation early -q

# -- values
check "a value misspelt" says '--real is "flaot"' 'did you mean "float"? Write --real double or float' ../arm.urdf --real flaot
check "a mode misspelt" says '--mode is "inlin"' 'did you mean "inline"? Write --mode header or inline or split or shared' ../arm.urdf --mode inlin
check "a formulation misspelt" says '--formulation is "recursive"' \
  'did you mean "recursion"? Write --formulation recursion or joint or null or early' ../arm.urdf --formulation recursive
check "a function misspelt" says '--functions is "graviti"' \
  "did you mean \"gravity\"? Write --functions $(sed -n '/, FOLLOWS,/d; s/^AG_FUNCTION(\([a-z_]*\),.*/\1/p' "$top/generator/graph/functions.def" | paste -s -d + - | sed 's/+/ or /g')" \
  ../arm.urdf --functions fk,graviti
check "all and one of them" says '--functions names all and others' 'write --functions all' ../arm.urdf --functions fk,all
for functions in apply qp,apply mclp,apply; do
  check "functions $functions" says '--functions names apply, which goes on with what another function put out' \
    'leave it out: mclp, qp and step_begin generate what follows them, too' ../arm.urdf --functions "$functions"
done
check "a value like none" says '--real is "half"' 'write --real double or float' ../arm.urdf --real half
for number in 5 -1 1e3 1000.5 10000000 many; do
  check "--parts $number" says "--parts is \"$number\", not 0 nor a number of operations from 10 to 1000000" 'write --parts 1000' ../arm.urdf --parts "$number"
done
check "--cache 1.5" says '--cache is "1.5", not a number of KB from 0 to 1000000' 'write --cache 64' ../arm.urdf --cache 1.5
check "--cache --small" says '--cache and --small exclude each other: --cache is for what is chosen by the length of the code, and that is said already' 'leave --cache out' ../arm.urdf --cache 8 --small
check "no value" says '--real needs a value' "$list" ../arm.urdf --real
check "a value too many" says '--inspect takes no value' 'write --inspect' ../arm.urdf --inspect=yes
for number in 1e3 10.5 2k 1,000; do
  check "--check $number" says "--check is \"$number\"" 'write --check 100' ../arm.urdf --check $number
done
check "--prove 0" says '--prove takes 1 to 1000000 points' 'write --prove 8' ../arm.urdf --prove 0
check "--prove 1e3" says '--prove is "1e3"' 'write --prove 8' ../arm.urdf --prove 1e3
check "--prove --no-prove" says '--no-prove is for headers, and --prove writes none' 'leave out --no-prove or --prove' ../arm.urdf --prove --no-prove
check "--check 0" says '--check takes 1 to 1000000 states' 'write --check 100' ../arm.urdf --check 0

# -- what excludes each other
for pair in "--inspect --columns" "--inspect --eval" "--inspect --check" "--columns --eval" "--columns --check" "--eval --check"; do
  # shellcheck disable=SC2086 # two options
  check "$pair" says "${pair% *} and ${pair#* } exclude each other" 'run achdgen once for each' ../arm.urdf $pair
done
for action in --inspect --columns --eval --check; do
  for option in "-o x.h" "--depfile x.d"; do
    # shellcheck disable=SC2086 # option and value
    check "$action $option" says "${option% *} is for headers, and $action writes none" \
      "leave out ${option% *} or $action" ../arm.urdf $action $option
  done
done
check "-q -Werror" says '-q and -Werror exclude each other: one ignores warnings, the other treats them as errors' \
  'leave one of them out' ../arm.urdf -q -Werror
check "twice, otherwise" says '--real is given twice: "float" and "double"' 'give it once' ../arm.urdf --real float --real double
check "twice the same" sh -c "'$achdgen' ../arm.urdf --real float --real float -o - >/dev/null"
check "--svg alone" says '--svg needs --inspect' 'write --inspect --svg FILE' ../arm.urdf --svg x.svg
check "--depfile without a file" says '--depfile needs a header that is written to a file' 'leave it out, or name the header: -o NAME.h' \
  ../arm.urdf -o - --depfile x.d
check "beside a machine" says '--real is for robots and cannot be used with --machine' \
  'write achdgen --machine FILE.lua [--coord2b] [-o FILE] [--svg FILE] [--dot FILE] [--mermaid FILE] [--fsm FILE] [--depfile FILE]' --machine "$machine" --real float
check "a machine, quiet" sh -c "'$achdgen' --machine '$machine' -q -o - >/dev/null && '$achdgen' --machine '$machine' -Werror -o - >/dev/null"

# -- a robot from standard input
standard_input() { # ARGUMENTS...: the same text as from the file, but for the command and the file's name
  "$achdgen" - "$@" -o - <../arm.urdf >../piped && "$achdgen" ../arm.urdf "$@" -o - >../read &&
    sed 's/achdgen arm.urdf/achdgen -/; s/input   arm.urdf/input   standard input/' ../read | diff - ../piped
}
check "standard input" standard_input
check "standard input, with a layout" standard_input --layout "$top/robots/arm1dof.lua"
check "standard input: --inspect" sh -c "'$achdgen' - --inspect <../arm.urdf | grep -q '^standard input: robot'"
check "standard input: --check" sh -c "'$achdgen' - --check 3 <../arm.urdf >/dev/null"
check "standard input: --depfile names files only" sh -c "'$achdgen' - --layout '$top/robots/arm1dof.lua' -o ../x.h \
  --depfile ../x.d <../arm.urdf && ! grep -q 'standard' ../x.d && grep -q 'arm1dof.lua' ../x.d"
check "standard input twice" says '--eval reads states from standard input, so the robot cannot come from there' \
  'put the robot into a file' - --eval
from_input() { # TEXT ERROR REMEDY
  printf 'standard input%s\n  remedy: %s\n' "$2" "$3" >../wanted
  printf '%b' "$1" | "$achdgen" - >../out 2>../err && return 1
  diff ../wanted ../err
}
check "standard input: nothing" from_input '' ': error: the file is empty' 'if a program generates it, check the messages of that program'
check "standard input: a line" from_input '<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>' \
  ':3: error: a second link "a"; the first is at line 2' 'give each a name of its own'
# shellcheck disable=SC2016 # the remedy writes a command between backquotes
check "standard input: no XML" from_input '<robot name="r">\n<link name="a">\n</robot>' \
  ':3: error: not well-formed XML: Opening and ending tag mismatch: link line 2 and robot' '`xmllint --noout -` shows every place'
check "standard input: xacro" from_input '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:property name="a" value="1"/></robot>' \
  ':2: error: this is a xacro file, not yet a URDF: <xacro:property>' 'expand it first: xacro robot.urdf.xacro > robot.urdf'

# -- warnings
cp "$top/tests/program/bad/tree/warn_counted.urdf" ../odd.urdf
sed -n '/^<?expected$/,/^?>$/s/^warn_counted/..\/odd/p' ../odd.urdf >../warnings
count=$(wc -l <../warnings)
quiet() { "$achdgen" ../odd.urdf -q "$@" >../out 2>../err && [ ! -s ../err ]; }
check "-q" quiet -o ../x.h
check "-q --check" quiet --check 2
check "-q --columns" quiet --columns
strict() { # ARGUMENTS...: the warnings, then the error; nothing is written
  {
    cat ../warnings
    echo "../odd.urdf: error: $count warnings, and -Werror stops at warnings"
    echo "  remedy: mend what they name, or leave -Werror out"
  } >../wanted
  status=0
  "$achdgen" ../odd.urdf -Werror "$@" >../out 2>../err || status=$?
  [ "$status" -eq 1 ] && [ ! -s ../out ] && diff ../wanted ../err && [ -z "$(ls -A)" ]
}
check "-Werror" strict
check "-Werror --inspect" strict --inspect
check "-Werror --check" strict --check 2
echo 'return { groups = {} }' >../none.lua
check "-Werror without warnings" sh -c "'$achdgen' ../arm.urdf --layout ../none.lua -Werror -o ../x.h"
one_warning() {
  "$achdgen" "$top/robots/gen3.urdf" --layout "$top/tests/program/bad/limits/warn_gravity_up.lua" -Werror 2>../err && return 1
  grep -q '^.*robots/gen3.urdf: error: 1 warning, and -Werror stops at warnings$' ../err
}
check "-Werror: of the layout" one_warning
counted() { "$achdgen" ../odd.urdf --inspect >../out && grep -q 'limit is 0: taken as none (4 more like this, lines 14, 22, 24, 26)$' ../out; }
check "--inspect counts them, too" counted

# -- progress: a terminal is told, nobody else
if has script; then
  arm=$top/robots/gen3.urdf
  terminal() { # ARGUMENTS...: what a terminal gets as standard error
    script -qec "'$achdgen' '$arm' $* 2>&1 >/dev/null" /dev/null </dev/null >../seen
  }
  # as many states as take more than the second behind which it tells
  for many in 600 1200 2400 4800; do
    terminal --check "$many"
    ! grep -q "of $many states" ../seen || break
  done
  check "a long check tells how far it is" grep -q "of $many states" ../seen
  check "a long check clears the line" sh -c "tail -c 4 ../seen | tr '\\033' '^' | grep -q '\\^\\[K'"
  check "a short check" terminal --check 3
  check "a short check tells nothing" [ ! -s ../seen ]
  check "quiet" terminal --check "$many" -q
  check "quiet: nothing" [ ! -s ../seen ]
  "$achdgen" "$arm" --check "$many" >/dev/null 2>../err
  check "no terminal: nothing" [ ! -s ../err ]
else
  echo "no script(1): progress on a terminal is not tried"
fi
finish
