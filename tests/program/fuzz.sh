#!/bin/sh
# tests/program/fuzz.sh build SOURCE_DIR BUILD_DIR: builds the targets of tests/program/fuzz with clang and its sanitizers.
# tests/program/fuzz.sh TARGET SOURCE_DIR BUILD_DIR: fuzzes one of them, urdf, layout, machine or task, for ACHD_FUZZ_SECONDS (10; machine
# and task 5): no finding,
# and not without having been anywhere; its twin with a planted defect has to be found out. Findings stay in
# BUILD_DIR/TARGET.
set -eu
what=$1
top=$(cd "$2" && pwd)
build=$3
case $what in
machine | task) seconds=${ACHD_FUZZ_SECONDS:-5} runs=30 ;;
*) seconds=${ACHD_FUZZ_SECONDS:-10} runs=100 ;;
esac

if [ "$what" = build ]; then
  mkdir -p "$build"
  cmake -S "$top" -B "$build" -DACHD_FUZZ=ON -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang \
    >"$build/log"
  cmake --build "$build" --parallel 2 --target fuzz_urdf fuzz_urdf_planted fuzz_layout fuzz_layout_planted \
    fuzz_machine fuzz_machine_planted fuzz_task fuzz_task_planted \
    >>"$build/log" 2>&1 || {
    tail -20 "$build/log"
    exit 1
  }
  exit
fi

case $what in
urdf) seeds="$top/robots/*.urdf $top/tests/program/bad/*.urdf" least=1200 ;;
layout) seeds="$top/robots/*.lua $top/tests/program/bad/*.lua" least=1200 ;;
machine) seeds="$top/robots/machines/*.lua $top/tests/runtime/bad/machine_*.lua" least=300 ;;
task) seeds="$top/robots/tasks/*.lua $top/tests/runtime/bad/task_*.lua" least=180 ;;
*) exit 2 ;;
esac
build=$(cd "$build" && pwd)
rm -rf "${build:?}/$what"
mkdir -p "$build/$what/seeds" "$build/$what/new"
# shellcheck disable=SC2086 # patterns
cp $seeds "$build/$what/seeds"
cd "$build/$what"

# fuzz TARGET SECONDS [OPTION...]: the report is in said.
fuzz() {
  target=$1 limit=$2 status=0
  shift 2
  "$build/tests/program/fuzz/$target" -max_total_time="$limit" -max_len=12000 -len_control=0 -dict="$top/tests/program/fuzz/words.dict" -timeout=60 \
    -rss_limit_mb=2000 -print_final_stats=1 -seed=1 "$@" new seeds </dev/null >said 2>&1 || status=$?
}
figure() { sed -n "s/^stat::$1: *//p" said; }
edges() { sed -n 's/.* cov: \([0-9]*\) .*/\1/p' said | sort -n | tail -1; }

fuzz "fuzz_$what" "$seconds"
if [ "$status" -ne 0 ]; then
  tail -60 said
  echo "a finding: $build/$what"
  exit 1
fi
executions=$(figure number_of_executed_units)
reached=$(edges)
echo "fuzz_$what: $seconds s, $executions executions, $reached edges, $(figure peak_rss_mb) MB, no finding"
[ "$executions" -ge "$runs" ] || { echo "hardly an execution"; exit 1; }
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
layout) echo 'return { groups = { { name = "a", frame = "tool_frame", rows = 1 } } }' >seeds/arm.lua ;;
machine)
  cat >seeds/machine.lua <<'END'
return {name="m",initial="a",states={{name="a",
doc="d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d"},{name="b",final=true}},events={{name="e",by="x"}},
transitions={{name="t",from="a",to="b",doc="u"}},reactions={{when="e",transition="t"}}}
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
began=$(date +%s)
# An execution of a layout takes 30 ms: one change of the short seed at a time.
case $what in
layout) fuzz "fuzz_${what}_planted" 600 -max_len=80 -mutate_depth=1 ;;
*) fuzz "fuzz_${what}_planted" 600 ;;
esac
if ! grep -q 'heap-buffer-overflow' said; then
  tail -20 said
  echo "the planted defect was not found"
  exit 1
fi
echo "fuzz_$what: the planted defect was found after $(($(date +%s) - began)) s, $(figure number_of_executed_units) executions"
