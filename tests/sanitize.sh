#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/sanitize.sh build SOURCE_DIR BUILD_DIR: builds the generator, its unit tests, those of the runtime library and the targets of
# tests/program/fuzz by clang with the address and undefined behaviour sanitizers, once for the tests sanitize, drawings and fuzz_*, in a
# configuration that finds no oracles (KDL, MuJoCo): unit tests need none. The build does that (the target sanitized).
# tests/sanitize.sh built SOURCE_DIR BUILD_DIR: is it there, and what has it left out for want of oracles?
# tests/sanitize.sh run SOURCE_DIR BUILD_DIR: the unit tests run on it, and layouts of robots (a sample; with ACHD_SWEEP=1 of all, and the long tests of
# scripts and of --check). Any finding ends the program that has it. Bad input runs on it as seeds of fuzz_*, options in all their combinations by
# drawings.
set -eu
. "$(dirname "$0")/lib.sh"
what=$1
top=$(cd "$2" && pwd)
build=$3
runtime="runtime_abag runtime_impedance runtime_load runtime_machine runtime_mclp runtime_pid runtime_predict runtime_spatial runtime_task"
parts="names trig urdf model reduce dag schedule eval text program output"
long="script check"
has clang || skip_all "there is no clang"
if [ "$what" = build ]; then
  unset MAKEFLAGS MAKELEVEL # those of the build that this is a part of
  mkdir -p "$build"
  build=$(cd "$build" && pwd)
  cat >"$build/without_oracles" <<'END'
#!/bin/sh
case "$*" in *orocos-kdl* | *eigen3* | *tinyxml2*) exit 1 ;; esac
exec pkg-config "$@"
END
  chmod +x "$build/without_oracles"
  if [ ! -s "$build/configured" ] || [ -n "$(find "$top/CMakeLists.txt" "$top/generator" "$top/runtime" "$top/robif2b" "$top/package" "$top/tests" \
    \( -name CMakeLists.txt -o -name '*.cmake' -o -name tiers.txt \) -newer "$build/configured" -print)" ]; then
    cmake -S "$top" -B "$build" -DACHD_FUZZ=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_DEBUG= \
      -DPKG_CONFIG_EXECUTABLE="$build/without_oracles" -DMUJOCO=OFF -DACHD_MUJOCO=OFF -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON \
      >"$build/configured"
  fi
  # shellcheck disable=SC2046,SC2086 # one word per target
  cmake --build "$build" --parallel 2 --target achdgen $(printf '%s_test ' $parts $long) $runtime \
    $(for reader in urdf layout machine task fsm; do printf 'fuzz_%s fuzz_%s_planted ' $reader $reader; done) >"$build/log" 2>&1 || {
    tail -20 "$build/log"
    exit 1
  }
  exit
fi
if [ "$what" = built ]; then
  for program in achdgen tests/names_test tests/program/fuzz/fuzz_urdf_planted; do
    check "there is $program: cmake --build builds it" [ -x "$build/$program" ]
  done
  check "achdgen has the sanitizers" sh -c "grep -q __asan_report '$build/achdgen' && grep -q __ubsan_handle '$build/achdgen'"
  # One message says what is left out, and that is no test of the generator's parts or of the runtime library.
  ctest --test-dir "$build" -N >"$build/listed"
  check "the oracles are said to be missing, once" [ "$(grep -c 'The oracles are not all there.*These tests are left out:.* oracle ' "$build/configured")" -eq 1 ]
  check "no test of the oracles" sh -c "! grep -qE ': (oracle|achd|family|whole_body_quadruped)\$' '$build/listed'"
  check "the tests of the parts" [ "$(grep -cE ': (names|script|check|prove|emit|structure|bad_input|runtime_mclp|runtime_loop_gen3)$' "$build/listed")" -eq 9 ]
  finish
  exit
fi
[ -z "${ACHD_SWEEP:-}" ] || parts="$parts $long"
# shellcheck disable=SC2086,SC2046
ctest --test-dir "$build" --output-on-failure \
  -R "^($(echo $parts $runtime | tr ' ' '|'))\$"
# the published inertia of a PUMA 560's third link is none that MuJoCo takes
echo 'return { robot = { balance_inertia = true } }' >"$build/balanced.lua"
robots=0
for layout in "$top"/robots/*.lua; do
  in_sample "$top" 20 || continue
  robots=$((robots + 1))
  name=$(basename "$layout" .lua)
  formulation=recursion
  ! grep -q "<mimic" "$top/robots/$name.urdf" || formulation=joint # the only one for these
  "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" --functions "achd,$(family "$top")" --no-prove --batch 4 -o - >/dev/null
  "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" -q --scene "$build/balanced.lua" --mjcf - >/dev/null
  "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" --real float --formulation "$formulation" -o - >/dev/null
done
# limbs as lanes: every pass over them
for robot in quadruped two_arms; do
  for options in "--functions achd,fd" "--functions crba,id --real float" "--functions id,fd --small"; do
    in_sample "$top" 5 || continue
    # shellcheck disable=SC2086 # words
    "$build/achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" $options --lanes 1 --no-prove -o - >/dev/null
  done
done
"$build/achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --scene "$top/robots/scenes/gen3_table.lua" --mjcf - >/dev/null
"$build/achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" -o - >/dev/null
# the proof: derivatives by set-points, which rows of limits do not have
cat >"$build/limited.lua" <<'END'
return { groups = { { name = "tool", frame = "arm_link_5", rows = { "lin_z" } } }, limits = {} }
END
"$build/achdgen" "$top/robots/youbot_arm.urdf" --layout "$build/limited.lua" -q --functions dmclp -o - >/dev/null
echo "$robots robots, no finding"
