#!/bin/sh
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
for example in kdl controller move cpp python; do # kdl, which takes longest to compile, one time in three
  if [ $example = kdl ] && [ ! -e /usr/include/kdl_parser/kdl_parser.hpp ]; then
    echo "kdl_parser" >>"$scratch/.left_out"
    continue
  fi
  cd "$scratch/examples/$example"
  [ $example != kdl ] || in_sample "$top" 3 || continue
  run_document README.md
done

# A library of other fields than the program was written for.
sed -i 's/maskable = true/maskable = false/' "$scratch/prefix/share/achdgen/robots/gen3.lua"
check "made anew" cmake --build build
stops() {
  if python3 reach.py build >said 2>&1; then return 1; fi
  grep -q "Mismatch: build/libgen3.so has shape .* for achd, the program was written for 0x7a7fe74c" said || { cat said; return 1; }
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
functions=$("$scratch/prefix/bin/achdgen" --functions '?' 2>&1 | sed -n 's/.*write --functions //p' | sed 's/ or dmclp//; s/ or mclp//; s/ or qp//; s/ or /;/g')
cat >all.py <<'END'
import achd

arm = achd.load("out/libevery.so")
i = arm.crba.In()
status, out = arm.crba(i)
assert status == arm.OK and len(out.M) == arm.NJ * (arm.NJ + 1) // 2 and out.M[0] > 0
i = arm.achd.In()
i.push.ang[2] = 1
i.axes.tool[1][1] = 1
i.inertia.forearm_link.m = 2
assert len(i.dir.elbow) == 2
status, out = arm.achd(i)
batched = achd.load("out/libbatched.so")
status, out = batched.gravity(batched.gravity.In())
assert status == batched.OK and len(out.tau) == batched.NJ
print(*(name for name, f in vars(arm).items() if isinstance(f, achd.Function)), sep=";")
END
check "all fields: configure" cmake -S . -B out "-DALL_FUNCTIONS=$functions"
check "all fields: build" cmake --build out
check "all fields: read" [ "$(python3 all.py)" = "$functions" ]
finish
