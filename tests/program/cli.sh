#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/cli.sh ACHDGEN SOURCE_DIR: the command line: what it accepts, writes, refuses, and that a failure leaves
# every file as it was.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
robot=$top/robots/arm1dof.urdf
layout=$top/robots/arm1dof.lua
mkdir "$scratch/work"
cd "$scratch/work"
out=$scratch/stdout
err=$scratch/stderr

# run EXIT ARGUMENTS...: exits so; what it said is in $out and $err. Input: $scratch/stdin.
: >"$scratch/stdin"
run() {
  expected=$1
  shift
  status=0
  "$achdgen" "$@" <"$scratch/stdin" >"$out" 2>"$err" || status=$?
  [ "$status" -eq "$expected" ] || {
    echo "exit $status, not $expected"
    cat "$err"
    return 1
  }
}

# refused PATTERN ARGUMENTS...: exit 1, nothing on standard output, a message that matches, no file made.
refused() {
  pattern=$1
  shift
  run 1 "$@" || return 1
  [ ! -s "$out" ] || { echo "wrote to standard output"; return 1; }
  grep -q -e "$pattern" "$err" || { echo "message without \"$pattern\":"; cat "$err"; return 1; }
  nothing_here
}

nothing_here() { [ -z "$(ls -A)" ] || { echo "left behind:"; ls -A; return 1; }; }
only_here() { [ "$(ls -A)" = "$1" ] || { echo "here is:"; ls -A; return 1; }; }
says() { grep -q -e "$1" "$2" || { cat "$2"; return 1; }; }

# -- help and version
check "--version" run 0 --version
check "--version: one line" says '^achdgen [0-9]*\.[0-9]*\.[0-9]*$' "$out"
check "--help" run 0 --help
for option in --layout -o --name --real --mode --snap --inspect --svg --columns --eval --check --help --version; do
  check "--help names $option" says "[ ,]$option\>" "$out"
done
check "--help on a full disk" sh -c "! '$achdgen' --help >/dev/full 2>&1"

# -- all functions that robot and layout allow
all_are() { # EXPECTED ROBOT [LAYOUT]
  expected=$1
  urdf=$2
  shift 2
  "$achdgen" "$urdf" "$@" -q --functions all --no-prove -o - >"$out" || return 1
  made=$(sed -n 's/^ \* cost    \([a-z_]*\) .*/\1/p' "$out" | paste -s -d , -)
  [ "$made" = "$expected" ] || { echo "made $made, not $expected"; return 1; }
}
family=$(family "$top")
check "all functions" all_are "achd,$family,did,dfd,regressor,momentum_regressor,osim,dachd" "$top/robots/arm1dof.urdf"
check "all with bounded rows" all_are "mclp,apply,$family,did,dfd,regressor,momentum_regressor,dmclp" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua"
echo 'return { realise = "optimum" }' >"$scratch/optimum.lua"
check "all of an optimum" all_are "qp,apply,$family,did,dfd,regressor,momentum_regressor" "$top/robots/arm1dof.urdf" --layout "$scratch/optimum.lua"
echo 'return { effort = { joint1 = 9 }, saturate = "scale" }' >"$scratch/scaled.lua"
check "all of torques that are scaled" all_are "achd,$family,did,dfd,regressor,momentum_regressor,osim" "$top/robots/arm1dof.urdf" --layout "$scratch/scaled.lua"

# -- wrong arguments
check "no argument" refused 'achdgen.*error\|usage'
check "unknown option" refused '\-\-colour' "$robot" --colour
check "unknown short option" refused '\-x' "$robot" -x
check "option without its value" refused '\-\-layout' "$robot" --layout
check "two robots" refused 'two robots' "$robot" "$robot"
echo "return {}" >"$scratch/only_layout.lua"
check "a layout in place of the robot" refused 'a layout stands after --layout' "$scratch/only_layout.lua"
check "unknown precision" refused 'half' "$robot" --real half
check "unknown mode" refused 'macro' "$robot" --mode macro
check "snap neither 0 nor 1" refused '2' "$robot" --snap 2
check "name that is no identifier" refused '7up' "$robot" --name 7up
check "missing robot" refused 'nowhere.urdf: error: ' nowhere.urdf
check "missing layout" refused 'nowhere.lua: error: ' "$robot" --layout nowhere.lua
check "a folder as robot" refused 'error: ' "$top/robots"
check "a folder as layout" refused 'error: ' "$robot" --layout "$top/robots"
check "a layout as robot" refused 'arm1dof.lua:1: error: ' "$layout"
check "a robot as layout" refused 'arm1dof.urdf:[0-9]*: error: ' "$robot" --layout "$robot"

# -- where the header goes
check "default name" run 0 "$robot" --layout "$layout"
check "default name: arm1dof_achd.h here" only_here arm1dof_achd.h
cp arm1dof_achd.h "$scratch/default.h"
check "the header names what made it" says 'achdgen arm1dof.urdf --layout arm1dof.lua$' arm1dof_achd.h
rm -f arm1dof_achd.h
check "--name" run 0 "$robot" --name elbow
check "--name: elbow_achd.h here" only_here elbow_achd.h
check "--name: used inside" says 'ELBOW_NJ 1\b' elbow_achd.h
rm -f elbow_achd.h
check "-o" run 0 "$robot" -o some.h
check "-o: some.h here" only_here some.h
check "-o: nothing on standard output" [ ! -s "$out" ]
check "-o -" run 0 "$robot" --layout "$layout" -o -
check "-o -: the text under its default name" cmp "$scratch/default.h" "$out"
check "options first, with =" run 0 --layout="$layout" -o - "$robot"
check "options first, with =: the same text but for the command" [ "$(diff "$scratch/default.h" "$out" | grep -c '^>')" -eq 1 ]
check "-o over an old file" run 0 "$robot" --layout "$layout" -o some.h
check "-o over an old file: replaced" sh -c "! cmp -s some.h '$out'"
rm -f some.h
check "-o - on a full disk" sh -c "! '$achdgen' '$robot' -o - >/dev/full 2>&1"
check "--real float" run 0 "$robot" --real float -o -
check "--real float: prefix" says 'arm1doff_achd' "$out"
check "--mode split" run 0 "$robot" --mode split
check "--mode split: two files" only_here "arm1dof_achd.c
arm1dof_achd.h"
rm -f arm1dof_achd.c arm1dof_achd.h
# its copy stands alone: achd-page is neither beside it nor on PATH
cp "$achdgen" "$scratch/achdgen"
no_page() { ! PATH=/nowhere "$scratch/achdgen" "$robot" --page page.html 2>"$err" && says 'needs the program achd-page' "$err" &&
  says 'remedy: .*sh tests/install.sh report && .*ACHD_REPORT=ON && .*cmake --install build' "$err" && nothing_here; }
check "--page without achd-page" no_page
check "--page with another option" refused '\-\-real has no meaning with --page' "$robot" --page page.html --real float
check "--page of standard input" refused 'cannot come from standard input' - --page page.html
check "--mode split to standard output" refused . "$robot" --mode split -o -

# -- a failure leaves files as they were
printf 'precious\n' >old.h
intact() { [ "$(cat old.h)" = precious ] && only_here old.h; }
printf 'return {\n  colour = "red",\n}\n' >"$scratch/bad.lua"
check "bad layout" run 1 "$robot" --layout "$scratch/bad.lua" -o old.h
check "bad layout: file, line, word" says 'bad.lua:2: error: .*colour' "$err"
check "bad layout: old file intact" intact
check "bad robot" run 1 "$top/tests/program/bad/joint/axis_zero.urdf" -o old.h
check "bad robot: file and line" says 'axis_zero.urdf:[0-9]*: error: ' "$err"
check "bad robot: old file intact" intact
small_disk() { # files of at most 8 blocks
  status=0
  (
    ulimit -f 8
    exec "$achdgen" "$robot" -o old.h
  ) >"$out" 2>"$err" || status=$?
  [ "$status" -eq 1 ]
}
check "full disk" small_disk
check "full disk: says which file" says 'old.h' "$err"
check "full disk: old file intact" intact
rm -f old.h
check "no such folder" refused 'nowhere/x.h' "$robot" -o nowhere/x.h
mkdir folder
check "a folder as output" run 1 "$robot" -o folder
check "a folder as output: nothing else made" only_here folder
check "a folder as output: empty still" [ -z "$(ls -A folder)" ]
rmdir folder

# -- what is read is not written over, under whatever name, and nothing else is written then
mkdir -p ../mine/sub ../mine/desk/meshes
sed 's|</link>|<visual><geometry><mesh filename="package://desk/meshes/base.stl"/></geometry></visual></link>|' \
  "$robot" >../mine/arm.urdf
echo mesh >../mine/desk/meshes/base.stl
sed 's|^return {|local part = include "sub/part.lua"\n&|' "$layout" >../mine/arm.lua
echo 'return {}' >../mine/sub/part.lua
cp "$top/robots/machines/path.lua" ../mine/machine.lua
ln -s arm.urdf ../mine/link.urdf
ln ../mine/arm.urdf ../mine/hard.urdf
ln -s mine ../folder
ln ../mine/sub/part.lua ../mine/part.c
cp -r ../mine ../before
lost="is read, and would be written over"
for word in "-o ../mine/arm.urdf" "-o ../mine/link.urdf" "-o ../mine/hard.urdf" "-o ../folder/arm.urdf" "-o ../mine/arm.lua" \
  "--depfile ../mine/arm.urdf" "--inspect --svg ../mine/arm.lua" "--mjcf ../mine/arm.urdf" "-o ../mine/sub/part.lua" \
  "-o ../mine/part.c --no-prove" "--mode split -o ../mine/part.h" "--mode shared -o ../mine/part.h" "-o x.h --depfile ../mine/sub/part.lua" \
  "--functions fk --casadi -o ../mine/sub/part.lua" "--mjcf ../mine/sub/part.lua" "--inspect --svg ../folder/sub/part.lua"; do
  # shellcheck disable=SC2086 # an option and its value
  check "what is read is not written: $word" refused "$lost" ../mine/arm.urdf --layout ../mine/arm.lua $word
done
for word in "-o ../mine/desk/meshes/base.stl" "--mjcf ../folder/desk/meshes/base.stl"; do
  # shellcheck disable=SC2086 # an option and its value
  check "nor a mesh of the robot: $word" refused 'is a mesh of the robot (../mine/arm.urdf:[0-9]*)' ../mine/arm.urdf $word
done
cp ../mine/arm.urdf "$scratch/stdin" # as - is read, under its own name
for word in "-o $scratch/stdin" "-o /dev/stdin" "--depfile $scratch/stdin" "--mode split -o x.h --depfile $scratch/stdin"; do
  # shellcheck disable=SC2086 # an option and its value
  check "standard input is not written: $word" refused "$lost" - $word
done
check "standard input is as it was" cmp ../mine/arm.urdf "$scratch/stdin"
: >"$scratch/stdin"
appended() { # to what is read: by the shell, so nothing is said there
  ! "$achdgen" ../mine/arm.urdf --layout ../mine/arm.lua "$@" >>../mine/sub/part.lua 2>"$err" || return 1
  says 'part.lua: error: is read, and standard output would be written to it' "$err"
}
check "standard output is what is read" appended -o -
check "standard output is what is read: --inspect" appended --inspect
for word in "-o" "-o x.h --svg" "-o x.h --dot" "-o x.h --mermaid" "-o x.h --fsm" "-o x.h --depfile"; do
  # shellcheck disable=SC2086 # an option
  check "a machine is not written over: $word" refused "$lost" --machine ../mine/machine.lua $word ../folder/machine.lua
done
check "all that is read is as it was" diff -r ../before ../mine
rm -r ../mine ../before ../folder

# -- several outputs: all or none, and none twice
check "one file for two" refused 'would be written twice' "$robot" -o x.h --depfile x.h
check "one file for two, under two names" refused 'would be written twice' "$robot" -o x.h --depfile ./x.h
check "one file for two, by default" refused 'would be written twice' "$robot" --depfile arm1dof_achd.h
check "one file for two, source and rule" refused 'would be written twice' "$robot" --mode split -o x.h --depfile x.c
machine=$top/robots/machines/path.lua
check "one file for two drawings" refused 'would be written twice' --machine "$machine" -o x.h --svg x.svg --dot x.svg
check "no folder for the header: no rule" refused 'nowhere/x.h' "$robot" -o nowhere/x.h --depfile x.d
check "no folder for the rule: no header" refused 'nowhere/x.d' "$robot" --mode split -o x.h --depfile nowhere/x.d
check "no folder for a drawing: no header" refused 'nowhere/x.svg' --machine "$machine" -o x.h --svg nowhere/x.svg --dot -
check "no room for the rule: no header" refused 'No space' "$robot" --mode split -o x.h --depfile /dev/full
check "no name" refused 'name of an output is empty' "$robot" -o ""

# Address space from too little to enough; below the first steps, the loader gives up (127).
small_memory() {
  said=0
  for megabytes in $(seq 16 2 200); do
    status=0
    (
      # shellcheck disable=SC3045 # every sh here has it
      ulimit -v $((megabytes * 1024))
      exec "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" -o old.h
    ) >"$out" 2>"$err" || status=$?
    case $status in
      0) break ;;
      1) says 'error: .*memory' "$err" && intact && said=$((said + 1)) || return 1 ;;
      127) intact || return 1 ;;
      *) echo "exit $status with $megabytes MB"; return 1 ;;
    esac
  done
  [ "$status" -eq 0 ] && [ "$said" -gt 0 ]
}
case $(nm "$achdgen" 2>/dev/null) in
  *__asan_init*) echo "no small memory with the address sanitizer" ;;
  *)
    printf 'precious\n' >old.h
    check "out of memory" small_memory
    rm -f old.h
    ;;
esac
# both files of --mode split, or none
rm -f old.h
mkdir pair.c
printf 'precious\n' >pair.h
check "split, the source cannot be written" run 1 "$robot" --mode split -o pair.h
check "split, the source cannot be written: says which" says 'pair.c: error: is a folder' "$err"
check "split, the source cannot be written: the old header stays" [ "$(cat pair.h)" = precious ]
rmdir pair.c
check "split over it" run 0 "$robot" --mode split -o pair.h
cp pair.c "$scratch/pair.c"
check "split, another robot" run 0 "$top/robots/gen3.urdf" --name arm1dof --mode split -o pair.h
cp "$scratch/pair.c" pair.c
check "a source beside the header of another run is refused by the compiler" sh -c "! cc -c -o pair.o pair.c 2>'$err'"
check "a source beside the header of another run: says why" says 'of two runs of achdgen' "$err"
rm -f pair.c pair.h
if [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=16k none full 2>/dev/null; then
  printf 'precious\n' >full/old.h
  check "a full file system" run 1 "$top/robots/gen3.urdf" -o full/old.h
  check "a full file system: says so" says 'full/old.h: error: cannot be written: No space left' "$err"
  check "a full file system: old file intact, nothing else" [ "$(cat full/*)" = precious ]
  check "a full file system: split" run 1 "$robot" --mode split -o full/old.h
  check "a full file system, split: old file intact, nothing else" [ "$(cat full/*)" = precious ]
  umount full
else
  echo "no full file system here: mounting is not allowed"
fi
rmdir full 2>/dev/null || true

# -- columns
check "--columns" run 0 "$robot" --columns
awk '{ print $1, $2 }' "$out" >"$scratch/columns"
{
  printf 'in %s\n' q.joint1 qd.joint1 gravity.x gravity.y gravity.z
  for what in b mask; do
    echo "in $what.tool.lin_x"
  done
  echo "out qdd.joint1"
  echo "out nu.tool.lin_x"
  printf 'out %s\n' tau_ctrl.joint1 pivot_min status
} | sort >"$scratch/columns.expected"
sort "$scratch/columns" >"$scratch/columns.sorted"
check "--columns: those of the default layout" diff "$scratch/columns.expected" "$scratch/columns.sorted"
check "--columns: joint position first" [ "$(head -1 "$out")" = "in q.joint1 rad" ]
check "--columns: status last" [ "$(tail -1 "$out")" = "out status 1" ]
check "--columns: units" says '^out nu.tool.lin_x N$' "$out"
check "--columns: no file" nothing_here
check "--columns on a full disk" sh -c "! '$achdgen' '$robot' --columns >/dev/full 2>&1"

# -- inspect
check "--inspect" run 0 "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --inspect
for word in joint_7 continuous tool_frame bracelet_link 'rad/s^2' lin_x push tau_ctrl; do
  check "--inspect names $word" says "$word" "$out"
done
check "--inspect: no file" nothing_here
"$achdgen" "$top/tests/program/bad/number/fine_decimals.urdf" --layout "$top/tests/program/bad/name/warn_decimals.lua" --inspect >/dev/null 2>"$scratch/said"
check "--inspect prints warnings of layouts" [ "$(grep -c 'which decimals of angles leave' "$scratch/said")" -eq 2 ]

# -- eval, on numbers that can be checked by hand: q qd gravity(3) tau_phys b -> qdd nu tau_ctrl pivot_min status
check "--columns of the layout" run 0 "$robot" --layout "$layout" --columns
check "--columns of the layout: in" [ "$(grep '^in ' "$out" | sed 's/^in //;s/ .*//' | tr '\n' ' ')" = \
  "q.joint1 qd.joint1 gravity.x gravity.y gravity.z tau_phys.joint1 b.tip.lin_x " ]
eval_lines() { # EXIT: --eval of $scratch/stdin
  run "$1" "$robot" --layout "$layout" --eval
}
cat >"$scratch/stdin" <<'END'
# at rest, tip accelerated by 1 m/s^2 to -x: qdd = 1, torque = inertia 1/3
0 0  0 0 0  0  -1

0 0  0 -9.81 0  0  -1
  1e0	0   0 0 -9.81   5.  0.0
END
check "--eval" eval_lines 0
near() { # LINE COLUMN VALUE
  awk -v line="$1" -v column="$2" -v value="$3" '
    NR == line { d = $column - value; found = 1; if (d < -1e-12 || d > 1e-12) exit 1 }
    END { if (!found) exit 1 }' "$out" || { cat "$out"; return 1; }
}
check "--eval: one line per state" [ "$(wc -l <"$out")" -eq 3 ]
check "--eval: acceleration" near 1 1 1
check "--eval: nu" near 1 2 -0.33333333333333333
check "--eval: torque" near 1 3 0.33333333333333333
check "--eval: status" near 1 5 0
check "--eval: gravity along the rod" near 2 3 0.33333333333333333
check "--eval: physical torque is resisted" near 3 3 -5
check "--eval: no file" nothing_here

bad_line() { # LINE PATTERN: refused, with the line's number
  eval_lines 1 || return 1
  says "\(:\|line \)$1\>.*$2" "$err"
}
printf '0 0 0 0 0 0 0\n# comment\n0 0 0 0 0 0\n' >"$scratch/stdin"
check "--eval: too few numbers" bad_line 3 7
printf '\n0 0 0 0 0 0 0 0\n' >"$scratch/stdin"
check "--eval: too many numbers" bad_line 2 7
printf '0 0 0 0 0 0 zero\n' >"$scratch/stdin"
check "--eval: not a number" bad_line 1 zero
printf '0 0 0 0 0 0 1.5x\n' >"$scratch/stdin"
check "--eval: a number and more" bad_line 1 1.5x
printf '0 0 0 0 0 0 1,5\n' >"$scratch/stdin"
check "--eval: decimal comma" bad_line 1 1,5
printf '0 0 0 0 0 0 0\n0 0 0 0 0 0 0' >"$scratch/stdin"
check "--eval: no newline at the end" eval_lines 0
check "--eval: no newline at the end: two lines" [ "$(wc -l <"$out")" -eq 2 ]
: >"$scratch/stdin"
check "--eval: no states" eval_lines 0
check "--eval: no states: no lines" [ ! -s "$out" ]
printf '0 0 0 0 0 0 nan\n' >"$scratch/stdin"
check "--eval: NaN goes in" eval_lines 0
check "--eval: NaN: NOT_FINITE" near 1 5 4
check "--eval: NaN: torque 0" near 1 3 0

check "no test has a list of all functions of its own" sh -c "! grep -rnE 'fk,fvk,fak,jac|crba,energy,com' '$top/tests' --include='*.sh' | grep -v cli.sh"
finish
