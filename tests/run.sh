#!/bin/sh
# Builds everything in build/ and passes all tests; installs what is missing (Debian). Arguments go to ctest:
#   sh tests/run.sh -R emitted
set -eu
cd "$(dirname "$0")/.."

sh tests/install.sh tests
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
cmake --build build --parallel "$(nproc)"
ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"
