#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/runtime/mutants.sh SOURCE_DIR TESTS_DIR LIBACHD_A LIBACHD_FILES_A CC [--all]: do the tests of the runtime notice mistakes in it? Each
# line of mutants.txt is planted in a copy of its source; that alone is compiled and linked before the library into the
# tests of its header (TESTS_DIR has their objects), until one of them fails. --all: in every test, those of whole
# controllers too, and says which noticed. A sample by default: every 80th mistake (in_sample), in the tests of its header.
set -eu
. "$(dirname "$0")/../lib.sh"
top=$(cd "$1" && pwd)
tests=$(cd "$2" && pwd)
library=$(absolute "$3")
files=$(absolute "$4")
cc=$5
all=${6:-}

every="abag abag_response base chatter identify ik impedance least_norm limit load log log_file loop mclp mclp_check move loop_move observer pid predict qp smooth spatial task tool_watch wrench machine loop_gen3 fault_gen3 surface_gen3 path_gen3 load_gen3 stop_gen3 motor_lost sensor_faults"

# The solvers in one copy, where a mistake in one of their files is (runtime/dispatch.h).
cp "$library" "$scratch/libachd.a"
library=$scratch/libachd.a
for source in qp contact; do
  # shellcheck disable=SC2086 # the compiler comes with its flags
  $cc -std=c11 -O1 -w -I"$top/runtime" -c "$top/runtime/$source.c" -o "$scratch/$source.c.o"
done
ar r "$library" "$scratch/qp.c.o" "$scratch/contact.c.o"

# tests_of SOURCE: cheap ones first.
tests_of() {
  [ -z "$all" ] || { echo "$every"; return; }
  case $1 in
  abag.c) echo "abag task" ;;
  files/log_file.c) echo "log_file" ;;
  identify.c) echo "identify loop_load" ;;
  loop.c) echo "loop loop_gen3 fault_gen3 sensor_faults stop_gen3" ;;
  loop_joints.c) echo "loop sensor_faults fault_gen3" ;;
  loop_motors.c) echo "loop sensor_faults fault_gen3 motor_lost" ;;
  loop_log.c) echo "log" ;;
  loop_wrench.c) echo "wrench loop" ;;
  machine.c) echo "machine loop" ;;
  qp_friction.c) echo "optimum_friction" ;;
  qp*.c) echo "qp" ;;
  task.c) echo "task smooth loop_gen3" ;;
  *) echo "${1%.c}" ;;
  esac
}

# plant FILE OLD NEW: OLD stands in FILE on one line alone, and NEW takes its place.
plant() { with_mistake "$2" "$3" <"$top/runtime/$1" >"$scratch/mutant.c"; }

# Without optimising, which takes most of the time: what a mutant computes is the same.
# shellcheck disable=SC2086 # the compiler comes with its flags
compile() { $cc -std=c11 -O0 -w -I"$top/runtime" -c "$scratch/mutant.c" -o "$scratch/mutant.o"; }

# fails TEST: it does, with the mutant in it; its first failure is enough. Tests that take numbers take few.
fails() {
  numbers="$scratch 300"
  [ "$1" != sensor_faults ] || numbers= # all of it
  # shellcheck disable=SC2046,SC2086
  $cc "$scratch/mutant.o" $(find "$tests/CMakeFiles/runtime_$1.dir" -name '*.o') "$files" "$library" -lm -lpthread -o "$scratch/test" || return 1
  ended=0
  # shellcheck disable=SC2086
  ACHD_FIRST_FAILURE=1 timeout 60 "$scratch/test" $numbers >"$scratch/said" 2>&1 || ended=$?
  [ "$ended" -ne 0 ]
}

noticed() {
  by=
  for test in $(tests_of "$1"); do
    fails "$test" || continue
    by="$by $test"
    [ -n "$all" ] || break
  done
  [ -n "$by" ]
}

# sound SOURCE: the tests that are to notice its mistakes pass without one. Each is asked once.
sound=" "
sound() {
  : >"$scratch/mutant.c"
  compile || return 1
  for test in $(tests_of "$1"); do
    case $sound in *" $test "*) continue ;; esac
    ! fails "$test" || { cat "$scratch/said"; return 1; }
    sound="$sound$test "
  done
}

mutants=0
caught=0
while IFS='@' read -r file old new; do
  case $file in '#'* | '') continue ;; esac
  in_sample "$top" 80 || continue
  mutants=$((mutants + 1))
  check "the tests of $file pass without a mutant" sound "$file"
  check "this stands in $file once: $old" plant "$file" "$old" "$new"
  check "a mutant of $file compiles: $new" compile
  check "a mutant of $file is noticed: $old -> $new" noticed "$file"
  [ -z "$by" ] || caught=$((caught + 1))
  [ -z "$all" ] || echo "$file: $new:$by"
done <"$top/tests/runtime/mutants.txt"
check "there are mutants" [ "$mutants" -ge 4 ]
echo "$mutants mutants of $(grep -c "^[^#]" "$top/tests/runtime/mutants.txt"), $caught noticed"
finish
