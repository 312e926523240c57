#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/tour.sh ACHDGEN SOURCE_DIR BUILD_DIR: docs/tour.md, step by step, with achdgen installed.
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/console.sh"
top=$(cd "$2" && pwd)
build=$3
unset DESTDIR CFLAGS CXXFLAGS CMAKE_GENERATOR
check "cmake --install" cmake --install "$build" --prefix "$scratch/prefix"
PATH=$scratch/prefix/bin:$PATH
export PATH CMAKE_PREFIX_PATH="$scratch/prefix" LC_ALL=C.UTF-8
cp -R "$top/docs/examples/tour" "$scratch/tour"
cd "$scratch/tour"
run_document "$top/docs/tour.md"

# What the tour says of angles whose digits do not round pi/2.
operations() { achdgen "$1" --layout kestrel.lua --inspect 2>/dev/null | sed -n 's/.*operations ([a-z]*): \([0-9]*\).*/\1/p'; }
check "a sixth fewer operations" [ "$(($(operations kestrel.urdf) * 6))" -lt "$(($(operations expanded/kestrel.urdf) * 5))" ]

# The expanded file is what xacro makes, where there is one to ask.
if has xacro; then
  xacro kestrel.urdf.xacro >by_xacro.urdf
  # Names, numbers and structure; not lines.
  inspected() { achdgen "$1" --layout kestrel.lua --inspect 2>/dev/null | sed 's/^.*urdf:[0-9]*: //; 1d'; }
  inspected by_xacro.urdf >by_xacro
  inspected expanded/kestrel.urdf >by_us
  check "expanded/kestrel.urdf is what xacro makes" cmp by_xacro by_us
else
  echo "no xacro here: expanded/kestrel.urdf is taken as it stands"
fi
finish
