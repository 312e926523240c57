#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/fuzz.sh TARGET SOURCE_DIR BUILD_DIR: fuzzes a target of tests/program/fuzz that tests/sanitize.sh has built, urdf, layout, machine, task
# or fsm, by so many executions that they take some seconds of CPU, always the same ones; for ACHD_FUZZ_SECONDS, where that is set. No finding, and
# not without having been anywhere; its twin with a planted defect has to be found out, from one seed. Findings stay in BUILD_DIR/TARGET.
set -eu
. "$(dirname "$0")/../lib.sh"
what=$1
top=$(cd "$2" && pwd)
build=$3

case $what in
urdf) seeds="$top/robots/*.urdf $top/tests/program/bad/*/*.urdf" least=1200 runs=400 ;;
layout) seeds="$top/robots/*.lua $top/tests/program/bad/*/*.lua" least=1000 runs=100 ;; # 1140 to 1400 by the sample of seeds
machine) seeds="$top/robots/machines/*.lua $top/tests/runtime/bad/machine_*.lua" least=300 runs=600 ;;
task) seeds="$top/robots/tasks/*.lua $top/tests/runtime/bad/task_*.lua" least=180 runs=600 ;;
fsm) seeds="$top/tests/runtime/fsm/*.fsm $top/tests/runtime/bad/fsm_*.fsm" least=250 runs=600 ;;
*) exit 2 ;;
esac
build=$(cd "$build" && pwd)
rm -rf "${build:?}/$what"
mkdir -p "$build/$what/seeds" "$build/$what/new"
# shellcheck disable=SC2086 # patterns
cp $seeds "$build/$what/seeds"
# The bad inputs are many, and each is refused in bad.sh as well: a sample here, unless there is time.
if [ -z "${ACHD_FUZZ_SECONDS-}" ]; then
  case $what in urdf | layout)
    for seed in "$build/$what/seeds"/*; do in_sample "$top" 5 || rm -- "$seed"; done ;;
  esac
fi
cd "$build/$what"

# fuzz TARGET OPTION...: the report is in said.
fuzz() {
  target=$1 status=0
  shift
  "$build/tests/program/fuzz/$target" -max_len=12000 -len_control=0 -dict="$top/tests/program/fuzz/words.dict" -timeout=60 -rss_limit_mb=2000 \
    -print_final_stats=1 "$@" new seeds </dev/null >said 2>&1 || status=$?
}
figure() { sed -n "s/^stat::$1: *//p" said; }
edges() { sed -n 's/.* cov: \([0-9]*\) .*/\1/p' said | sort -n | tail -1; }

given=$(find seeds -type f | wc -l)
if [ -n "${ACHD_FUZZ_SECONDS-}" ]; then limit=-max_total_time=$ACHD_FUZZ_SECONDS; else limit=-runs=$((given + runs)); fi
fuzz "fuzz_$what" -seed=1 "$limit"
if [ "$status" -ne 0 ]; then
  tail -60 said
  echo "a finding: $build/$what"
  exit 1
fi
executions=$(figure number_of_executed_units)
reached=$(edges)
echo "fuzz_$what: $executions executions, $reached edges, $(figure peak_rss_mb) MB, no finding"
[ "$executions" -gt "$given" ] || { echo "hardly an execution"; exit 1; }
[ "$reached" -ge "$least" ] || { echo "fewer than $least edges: does the target do something?"; exit 1; }

# One seed, which does not find it by itself.
rm -rf new seeds
mkdir new seeds
case $what in
urdf)
  cat >seeds/arm.urdf <<'END'
<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><origin xyz="1 0 0"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>
END
  ;;
layout) echo 'return { groups = { { name = "a", frame = "tool_frame", rows = 4 } } }' >seeds/arm.lua ;;
machine)
  cat >seeds/machine.lua <<'END'
return {name="m",initial="a",states={{name="a",
doc="d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d"},{name="b",final=true}},events={{name="e",by="x"}},
transitions={{name="t",from="a",to="b",doc="u"}},reactions={{when="e",transition="t"}}}
END
  ;;
fsm)
  cat >seeds/machine.fsm <<'END'
ns a="https://a.org/" evt loop (ns=a) l { evt E }
fsm (ns=a) m { description: "d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d"
states { A, B } evt loop: <l> start: <A> end: <B> transitions { T { from: <A>, to: <B> } } reactions { R { when: <l.E>, do: <T> } } }
END
  ;;
task)
  cat >seeds/task.lua <<'END'
return move_compliantly{name="t",motion_frame={p={0,0,0}},x={velocity=0,tolerance=1,largest=1,abag={0,0,1,0,1}},
stop_when={time=9}}
END
  ;;
esac
"$build/tests/program/fuzz/fuzz_${what}_planted" -runs=0 seeds >said 2>&1 || {
  tail -20 said
  echo "the seed finds the planted defect by itself"
  exit 1
}
# One change of the short seed at a time (five, as by default, leave hardly a description good), from the seed again after each 40
# executions: else most changes would be of what has been found to be bad in new ways. It is found within few of these starts, which
# are always the same.
tried=0
for start in 2 3 4 5 6 7 8 9 10 11 12 13; do
  fuzz "fuzz_${what}_planted" -seed=$start -runs=40 -mutate_depth=1
  tried=$((tried + $(figure number_of_executed_units)))
  if grep -q 'heap-buffer-overflow' said; then
    echo "fuzz_$what: the planted defect was found after $tried executions"
    exit 0
  fi
  rm -rf new
  mkdir new
done
tail -20 said
echo "the planted defect was not found by $tried executions"
exit 1
