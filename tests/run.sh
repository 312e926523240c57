#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds everything in build/ and passes all tests; installs what is missing (Debian). With the name of a tier (tests/tiers.txt), builds and passes
# what is in that: --quick, --daily, --commit, or --release, which is everything with its long sweeps. Other arguments go to ctest:
#   sh tests/run.sh -R emitted
set -eu
cd "$(dirname "$0")/.."

preset=default
packages=tests
case "${1-}" in
--quick) preset=quick packages=build ;; # no oracles
--daily | --commit | --release) preset=${1#--} ;;
esac
[ "$preset" = default ] || shift

sh tests/install.sh "$packages"
cmake --preset default >/dev/null
cmake --build --preset "$preset" --parallel "$(nproc)"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
