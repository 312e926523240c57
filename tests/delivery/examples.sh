#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/examples.sh ACHDGEN SOURCE_DIR BUILD_DIR: the examples of docs/examples, with achdgen installed, do what their
# README shows.
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/console.sh"
top=$(cd "$2" && pwd)
build=$3
unset DESTDIR CFLAGS CXXFLAGS CMAKE_GENERATOR
check "cmake --install" cmake --install "$build" --prefix "$scratch/prefix"
export CMAKE_PREFIX_PATH="$scratch/prefix" PYTHONDONTWRITEBYTECODE=1

cp -R "$top/docs/examples" "$scratch/examples"
tried=$(one_of "$top" controller move cpp)
for example in kdl controller move cpp python; do # kdl, which takes longest to compile, one time in three, of the next three one
  if [ $example = kdl ] && [ ! -e /usr/include/kdl_parser/kdl_parser.hpp ]; then
    echo "kdl_parser" >>"$scratch/.left_out"
    continue
  fi
  cd "$scratch/examples/$example"
  case $example in
  kdl) in_sample "$top" 3 || continue ;;
  python) ;;
  *) case " $tried " in *" $example "*) ;; *) continue ;; esac ;;
  esac
  if [ $example = python ]; then
    if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
      echo "Debian's Python with NumPy" >>"$scratch/.left_out"
      finish
      exit
    fi
    PATH=/usr/bin:$PATH
    export PYTHONPATH="$scratch/prefix/share/achdgen/python"
  fi
  run_document README.md
done

# A library of other fields than the program was written for.
sed -i 's/maskable = true/maskable = false/' "$scratch/prefix/share/achdgen/robots/gen3.lua"
check "made anew" cmake --build build
stops() {
  if python3 reach.py build >said 2>&1; then return 1; fi
  grep -q "GenerationError: build/libgen3.so has shape .* for achd, the program was written for 0x7a7fe74c" said || { cat said; return 1; }
}
check "python: another layout" stops

# Every kind of field that a header can have is read as the compiler reads it.
cat >all.lua <<'END'
return {
  armature = "input", inertia_inputs = { "forearm_link" },
  torques = { physical = true, artificial = true },
  wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = {
    { name = "tool", frame = "tool_frame", axes = "input", maskable = true },
    { name = "elbow", frame = "forearm_link", rows = 2 },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", "pivot", "residual", pose = { "tool_frame" }, twist = { "tool_frame" },
    acc = { "tool_frame", "forearm_link" } },
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(all LANGUAGES C)
find_package(achd REQUIRED)
achd_generate(TARGET every URDF ${achd_ROBOTS}/gen3.urdf LAYOUT all.lua SHARED MODE split REAL float
  FUNCTIONS ${ALL_FUNCTIONS})
# with batches as well: of one function, since they take twice as long to compile
achd_generate(TARGET batched URDF ${achd_ROBOTS}/gen3.urdf LAYOUT all.lua SHARED MODE split BATCH 2 REAL float FUNCTIONS gravity)
END
functions=$("$scratch/prefix/bin/achdgen" --functions '?' 2>&1 | sed -n 's/.*write --functions //p' | sed 's/ or dmclp//; s/ or mclp//; s/ or qp//; s/ or step_begin//; s/ or /;/g')
cat >all.py <<'END'
import numpy as np

import achdgen

arm = achdgen.open_library("out/libevery.so")
inertia = arm.crba(q=np.zeros(7))
assert inertia.ok and inertia.M.shape == (len(arm.joints) * (len(arm.joints) + 1) // 2,) and inertia.M[0] > 0
given = arm.achd.pack(push={"ang": [0, 0, 1]}, **{"inertia.forearm_link": [2, *[0] * 9]})
assert given["push"].tolist() == [0, 0, 0, 0, 0, 1] and given["inertia.forearm_link"][0] == 2
assert given["axes.tool"].shape == (3, 3) and len(given["dir.elbow"]) == 2
assert arm.achd(q=np.zeros(7)).qdd.shape == (7,)
batched = achdgen.open_library("out/libbatched.so")
out = batched.gravity(q=np.zeros((5, 7)))
assert out.ok.all() and out.tau.shape == (5, 7)
print(*arm.functions, sep=";")
END
check "all fields: configure" cmake -S . -B out "-DALL_FUNCTIONS=$functions"
check "all fields: build" cmake --build out
check "all fields: read" [ "$(python3 all.py)" = "$functions" ]
finish
