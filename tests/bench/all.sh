#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/all.sh BUILD SOURCE_DIR [BEFORE [NAME..]]: every table of docs/performance.md that has times, one after the other: for a quiet
# machine, in a quarter of an hour. BUILD is a build folder with tests, BEFORE another version of achdgen ("" for none) that takes turns with this one where a script can
# do that. NAMEs: these tables alone. Behind each table stand its seconds; a table that cannot be made says why, and the next one follows.
set -eu
build=$(cd "$1" && pwd)
top=$(cd "$2" && pwd)
before=${3:-}
shift "$(($# < 3 ? $# : 3))"
wanted=$*
achdgen=$build/achdgen
failed=0
# table NAME WHAT COMMAND...
table() {
  name=$1 what=$2
  shift 2
  case " ${wanted:-$name} " in *" $name "*) ;; *) return 0 ;; esac
  printf '\n## %s: %s\n\n' "$name" "$what"
  begun=$(date +%s)
  status=0
  "$@" 2>&1 || status=$?
  [ $status = 0 ] || [ $status = 77 ] || failed=$((failed + 1))
  printf '\n(%s: status %d, %d s)\n' "$name" $status $(($(date +%s) - begun))
}
# shellcheck disable=SC2317 # called by table
target() { cmake --build "$build" --target "$1"; }
# shellcheck disable=SC2317
cold() {
  for options in "" --prefetch --small "--small --prefetch"; do
    printf 'options: %s\n\n' "${options:-none}"
    OPTIONS=$options sh "$top/tests/bench/cold.sh" ${before:+"$before"} "$achdgen" gen3 iiwa7
    echo
  done
}
# shellcheck disable=SC2317
robots() {
  [ -n "$before" ] || { echo "needs BEFORE" && return 77; }
  set --
  for layout in "$top"/robots/*.lua; do
    [ "${layout##*/}" = drone.lua ] || set -- "$@" "$(basename "$layout" .lua)" # which has no joint
  done
  sh "$top/tests/compare.sh" "$before" "$achdgen" "$@"
}
# shellcheck disable=SC2317
optimum() { target achdgen_optimum_bench && "$build/tests/bench/achdgen_optimum_bench" 1000000 100000; }
# shellcheck disable=SC2317
prefetch() { OPTIONS=--prefetch sh "$top/tests/bench/cold.sh" "$achdgen" "$achdgen" gen3; }
sh -c 'uname -sr; grep -m 1 "model name" /proc/cpuinfo; gcc --version | head -1; date -u; uptime' 2>/dev/null || true
git -C "$top" log -1 --format='%h %s' 2>/dev/null || true
table text "time against bytes of code" sh "$top/tests/bench/text.sh" "$achdgen" "$top"
table large "long solves beside those of the other version" sh "$top/tests/bench/large.sh" "$achdgen" "$top" "$before"
table batch "the two solves in batches" sh "$top/tests/bench/batch.sh" "$achdgen" "$top"
table wide "batches with AVX-512, regular and random states" sh "$top/tests/bench/wide.sh" "$achdgen" "$top" "$before"
table prefetch "what --prefetch costs and brings: without it and with it, in turns" prefetch
table cold "calls after other code" cold
table robots "every robot beside the other version" robots
table lanes "limbs as lanes" sh "$top/tests/bench/lanes.sh" "$achdgen" "$top" "$build/tests/bench/humanoid"
table step "a step of a simulator beside MuJoCo" sh "$top/tests/bench/step.sh" "$achdgen" "$top"
table generation "generating and compiling" sh "$top/tests/generation.sh" "$achdgen" "$top" "$build/tests/bench/usage" "$build/tests/bench/humanoid"
table optimum "the best torques within limits: a million states, and 100000" optimum
for one in bench bounded_bench momentum_bench loop_bench derivatives_bench accuracy; do
  table $one "the target $one" target $one
done
exit $((failed > 0))
