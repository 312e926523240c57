#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/install.sh build|tests|report: installs the Debian packages that are missing, through apt-get.
# tests/install.sh mujoco-js BUILD: a newer MuJoCo of npm's, for the test mjcf_newer of a build folder.
# Asks for nothing and touches nothing where all are there.
set -eu

build="cmake gcc libc6-dev libxml2-dev liblua5.4-dev make pkg-config"
# The oracles (KDL, MuJoCo), the second compiler, the checkers, a board with its compiler, a locale with a decimal comma,
# what packages and examples are made and looked at with.
tests="binutils clang clang-format clang-tidy cppcheck debhelper dpkg-dev g++ gappa gcc-11 gcc-aarch64-linux-gnu
  gcc-arm-none-eabi graphviz libc6-dbg libc6-dev-arm64-cross libclang-rt-14-dev
  libeigen3-dev liborocos-kdl-dev libkdl-parser-dev libmujoco-dev libsdformat-dev libtinyxml2-dev libxml2-utils lintian locales lua-check man-db mandoc ninja-build
  nlohmann-json3-dev python3 python3-numpy python3-pip python3-pytest python3-setuptools
  python3-venv python3-wheel python3-yaml qemu-system-arm qemu-user reuse shellcheck valgrind"

# What achd-report and achd-stills are built from, and the browser in which pages are tested.
report="python3 chromium clang lld libmujoco-dev libegl-dev libgl1-mesa-dri libpng-dev"
command -v npm >/dev/null || report="$report npm" # nodejs of other sources has its own

if [ "${1-}" = mujoco-js ] && [ -n "${2-}" ]; then
  exec npm install --prefix "$2/mujoco-js" --ignore-scripts --no-audit --no-fund --loglevel=error mujoco-js@0.0.7
fi

case "${1-}" in
build) wanted=$build ;;
tests) wanted="$build $tests" ;;
report) wanted="$build $report" ;;
*)
  echo "usage: tests/install.sh build|tests|report, or mujoco-js BUILD" >&2
  exit 2
  ;;
esac

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "tests/install.sh: these packages are missing, and there is no sudo:$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # one word per package
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
