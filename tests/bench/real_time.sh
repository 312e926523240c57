#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/real_time.sh SOURCE_DIR LIBACHD CC [SECONDS]: a cycle of 1 ms beside two busy programs for each processor, by normal priority and in real
# time (docs/examples/arm/real_time.h): how late cycles begin. It needs the right to SCHED_FIFO and locked memory; without, it says so.
set -eu
top=$(cd "$1" && pwd)
library=$2
cc=$3
seconds=${4:-20}
scratch=$(mktemp -d)
"$cc" -O2 -std=c11 -I"$top/runtime" -I"$top/docs/examples/arm" "$top/tests/bench/real_time.c" "$library" -lm -o "$scratch/cycle"
busy=''
for _ in $(seq $((2 * $(nproc)))); do
  while :; do :; done &
  busy="$busy $!"
done
# shellcheck disable=SC2064,SC2086 # the processes of now
trap "kill $busy 2>/dev/null; rm -rf '$scratch'" EXIT
echo "$(nproc) processors, $((2 * $(nproc))) busy programs, $seconds s each"
echo "normal priority:"
"$scratch/cycle" "$seconds"
echo "real time:"
"$scratch/cycle" "$seconds" fifo || echo "  refused: run it with the right to SCHED_FIFO and locked memory"
