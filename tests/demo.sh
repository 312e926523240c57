#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds achdgen in build/, turns robots/gen3.urdf into a header, compiles it with a demo and runs that. Then a simulated arm moves by it, without
# MuJoCo: by steps that achdgen generates.
# Installs what is missing (Debian).
set -eu
cd "$(dirname "$0")/.."

sh tests/install.sh build
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF >/dev/null
cmake --build build --target gen3_moves --parallel "$(nproc)"

mkdir -p build/demo
build/achdgen robots/gen3.urdf -o build/demo/gen3_achd.h
gcc -std=c99 -O2 -Wall -Wextra -Wpedantic -Ibuild/demo tests/delivery/demo/gen3_demo.c -o build/demo/gen3_demo -lm
build/demo/gen3_demo
build/robif2b/gen3_moves
