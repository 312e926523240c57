#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/robif2b/delivered.sh ACHDGEN SOURCE_DIR: achdgen installed without devices, with simulated and with real ones; an
# application written for robif2b, and docs/examples/gen3_slide, load, contact and gen3_identify, one of the four (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../delivery/console.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
unset DESTDIR CFLAGS CXXFLAGS CMAKE_PREFIX_PATH ACHD_SIM robif2b_DIR robif2b_ROOT
PATH=$(dirname "$achdgen"):$PATH
cd "$scratch"

generator=$(if command -v ninja >/dev/null; then echo Ninja; else echo "Unix Makefiles"; fi) # make starts three processes more for each file
export CMAKE_GENERATOR="$generator"

# built FOLDER OPTION...: the project with the achdgen that is there.
export ACHD_COMPILED="${achdgen%/*}"
configured() {
  folder=$1
  shift
  cmake -S "$top" -B "$folder" -DACHD_ACHDGEN="$achdgen" -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh" "$@"
}
# One folder, configured anew for each, and installed with whatever devices there are. The runtime library has the objects of the project's own build.
built() {
  prefix=$1
  shift
  configured build "$@" && cmake --build build --parallel 2 && cmake --install build --prefix "$scratch/$prefix.prefix"
}
# fails TEXT COMMAND...: the command fails and says this, wherever its lines break.
fails() {
  text=$1
  shift
  if "$@" >said 2>&1; then return 1; fi
  tr -s ' \n' ' ' <said | grep -qF -e "$text" || { cat said; return 1; }
}
# says TEXT COMMAND...
says() {
  text=$1
  shift
  "$@" >said 2>&1 || { cat said; return 1; }
  grep -qF -e "$text" said || { cat said; return 1; }
}
without_mujoco="-DCMAKE_IGNORE_PATH=/usr/include;/usr/lib;/usr/lib/$(gcc -print-multiarch);/lib/$(gcc -print-multiarch)"

check "off, without MuJoCo" built off "$without_mujoco"
check "off: no device is installed" sh -c "! find off.prefix/include off.prefix/lib | grep -i robif2b"
check "an unknown choice" fails "ACHD_ROBIF2B is maybe: write off, simulated or real" configured wrong -DACHD_ROBIF2B=maybe
check "simulated by MuJoCo, without it" fails "apt-get install libmujoco-dev" configured wrong_2 -DACHD_SIMULATOR=mujoco "$without_mujoco"
check "an unknown simulator" fails "ACHD_SIMULATOR is bullet: write auto, mujoco or step" configured wrong_4 -DACHD_SIMULATOR=bullet
check "simulated, without MuJoCo: by generated steps" built steps -DACHD_ROBIF2B=simulated "$without_mujoco"
check "real, without robif2b" fails "set robif2b_DIR to the folder of its robif2b-config.cmake" configured wrong_3 -DACHD_ROBIF2B=real
check "simulated" built simulated -DACHD_ROBIF2B=simulated -DCMAKE_IGNORE_PATH=

# -- an application written for robif2b
cp -R "$top/tests/robif2b/downstream" application
check "never found by itself" fails 'not find a package configuration file provided by "robif2b"' \
  cmake -S application -B found -DCMAKE_PREFIX_PATH="$scratch/simulated.prefix"
check "simulated: application: configure" says "SIMULATED" \
  cmake -S application -B application/out -Drobif2b_DIR="$scratch/simulated.prefix/share/achdgen/simulated"
check "simulated: application: build" cmake --build application/out
check "the arm falls without torque" says "joint 2 fell by 0.3 rad" application/out/fall
check "said once that it is simulated" [ "$(grep -c SIMULATED said)" -eq 1 ]
check "another address" fails "SIMULATED: no gen3 at 10.0.0.1" application/out/fall 10.0.0.1
check "C++: held by the opposite torque" says held application/out/hold
check "steps: application: configure" says "SIMULATED" \
  cmake -S application -B application/steps -Drobif2b_DIR="$scratch/steps.prefix/share/achdgen/simulated"
check "steps: application: build" cmake --build application/steps
check "steps: the arm falls" says "generated steps" application/steps/fall
check "steps: no MuJoCo is linked" sh -c "! ldd application/steps/fall | grep -i mujoco"
printf 'model builtin:gen3\ndevice 10.0.0.1 gen3\n  fault lost_frame 1 0.1\n' >lost.world
check "a lost frame" sh -c "ACHD_SIM=lost.world application/out/fall 10.0.0.1 2>&1 | grep -qx 'update 1000 failed'"

# -- docs/examples/gen3_slide, load, contact
cp -R "$top/docs/examples/gen3_slide" slide
check "off: the example says what is missing" fails "built without devices" \
  cmake -S slide -B slide/off -Dachd_ROOT="$scratch/off.prefix"
export CMAKE_PREFIX_PATH="$scratch/simulated.prefix"
unset CMAKE_GENERATOR # the documents show what make prints
cp -R "$top/docs/examples/load" load
cp -R "$top/docs/examples/contact" contact
for example in slide load contact; do
  in_sample "$top" 4 || continue
  (cd $example && run_document README.md && [ "$failed" -eq 0 ]) || failed=$((failed + 1))
done
unset CMAKE_PREFIX_PATH
export CMAKE_GENERATOR="$generator"

# -- docs/examples/gen3_identify: the whole way, judged by what it prints of a motion that was not fitted
mkdir ways
printf '#!/bin/sh\nexec cc "$@" -O0\n' >quick_cc
chmod +x quick_cc
cp -R "$top/docs/examples/gen3_identify" "$top/docs/examples/gen3_slide" ways
if ! in_sample "$top" 4; then
  echo "not tried: docs/examples/gen3_identify"
elif /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  (cd ways/gen3_identify && export PATH="$scratch/simulated.prefix/bin:$PATH" CMAKE_PREFIX_PATH="$scratch/simulated.prefix" \
    PKG_CONFIG_PATH="$scratch/simulated.prefix/lib/pkgconfig" XDG_CACHE_HOME="$scratch/cache" ACHDGEN="$achdgen" PYTHONDONTWRITEBYTECODE=1 CFLAGS=-O1 CC="$scratch/quick_cc" &&
    run_document README.md && [ "$failed" -eq 0 ]) || failed=$((failed + 1))
  judged() {
    sed -n '/^build:/,$p' "$scratch"/steps/*.said
    awk '/^identified:/ { after = 1 } /away from the motion/ { away[after + 0] = $4 } END { exit !(away[0] > 2 && away[1] > 0 && away[1] < 0.1 * away[0]) }' "$scratch"/steps/*.said &&
      /usr/bin/python3 - ways/gen3_identify/identified.json <<'END'
import json
import sys
told = json.load(open(sys.argv[1]))
unseen = told["validation"]["log_2.csv"]
# 0.02 A and steps of 0.01 A, of which the low pass leaves the share below its cut-off of 5 Hz: of 50 Hz.
noise = [gain * (0.02**2 + 0.01**2 / 12) ** 0.5 * (0.93 * 5 / 50) ** 0.5 for gain in [11] * 4 + [7.6] * 3]
print(" ".join(f"{a:.2f} -> {b:.3f} (noise {c:.3f})" for a, b, c in zip(unseen["rms_urdf"], unseen["rms"], noise)))
assert told["consistent"]
assert all(b < 1.6 * c and a > 8 * b for a, b, c in zip(unseen["rms_urdf"], unseen["rms"], noise))
END
  }
  check "torques that the URDF does not explain fall to the noise, and the motion is followed ten times as well" judged
  cat .said
else
  echo "Debian's Python with NumPy" >>"$scratch/.left_out"
fi

check "the fake robif2b: configure" cmake -S "$top/tests/robif2b/fake" -B fake
check "the fake robif2b" cmake --build fake
check "the fake robif2b: install" cmake --install fake --prefix "$scratch/robif2b"
check "real" built real -DACHD_ROBIF2B=real -Drobif2b_DIR="$scratch/robif2b/lib/cmake/robif2b"
check "real: no simulation is installed" sh -c "! find real.prefix -iname '*simulated*' | grep -v share/doc"
check "real: the example: configure" cmake -S slide -B slide/real -Dachd_ROOT="$scratch/real.prefix" \
  -Drobif2b_DIR="$scratch/robif2b/lib/cmake/robif2b"
check "real: the example: build" cmake --build slide/real
timeout 60 slide/real/gen3_slide >said 2>&1 || true
printf '%s\n' "fake: configure" "fake: recover" "fake: start" "the real arm" >wanted
sed -n 1,4p said >begun
check "real: the same source" cmp wanted begun
check "real: the arm is gone: low-level control ends" grep -qx "fake: stop after few updates" said
# STALE and BLIND; on a machine that is busy perhaps LATE as well
why=$(sed -n 's/.* fault \([0-9]*\)$/\1/p' said)
check "real: the loop says why" [ $((${why:-0} & 320)) -eq 320 ]
check "real: disconnected" sh -c "tail -1 said | grep -qx 'fake: shutdown'"
finish
