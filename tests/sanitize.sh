#!/bin/sh
# tests/sanitize.sh build SOURCE_DIR BUILD_DIR: builds the generator and the runtime library with the address and undefined behaviour
# sanitizers, in a configuration that finds no oracles (KDL, MuJoCo): unit tests need none.
# tests/sanitize.sh run SOURCE_DIR BUILD_DIR: their unit tests, bad input and the layouts of all robots run on it. Any finding ends the program that has it.
set -eu
. "$(dirname "$0")/lib.sh"
what=$1
top=$(cd "$2" && pwd)
build=$3
runtime="runtime_abag runtime_fault_gen3 runtime_impedance runtime_load runtime_machine runtime_mclp runtime_mclp_float runtime_pid
  runtime_predict runtime_spatial runtime_task"
if [ "$what" = build ]; then
  mkdir -p "$build"
  build=$(cd "$build" && pwd)
  cat >"$build/without_oracles" <<'END'
#!/bin/sh
case "$*" in *orocos-kdl* | *eigen3* | *tinyxml2*) exit 1 ;; esac
exec pkg-config "$@"
END
  chmod +x "$build/without_oracles"
  cmake -S "$top" -B "$build" -DACHD_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DCMAKE_C_FLAGS_DEBUG=-g1 \
    -DPKG_CONFIG_EXECUTABLE="$build/without_oracles" -DMUJOCO=OFF -DACHD_MUJOCO=OFF -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON \
    >"$build/configured"
  # shellcheck disable=SC2086 # one word per target
  cmake --build "$build" --parallel 2 --target achdgen names_test trig_test urdf_test model_test reduce_test dag_test \
    schedule_test eval_test text_test program_test output_test script_test check_test $runtime >"$build/log" 2>&1 || {
    tail -20 "$build/log"
    exit 1
  }
  # One message says what is left out, and that is no test of the generator's parts or of the runtime library.
  ctest --test-dir "$build" -N >"$build/listed"
  check "the oracles are said to be missing, once" [ "$(grep -c 'The oracles are not all there.*These tests are left out:.* oracle ' "$build/configured")" -eq 1 ]
  check "no test of the oracles" sh -c "! grep -qE ': (oracle|achd|family|whole_body_quadruped)\$' '$build/listed'"
  check "the tests of the parts" [ "$(grep -cE ': (names|script|check|prove|emit|structure|bad_input|runtime_mclp|runtime_loop_gen3)$' "$build/listed")" -eq 9 ]
  finish
  exit
fi
# shellcheck disable=SC2086,SC2046
ctest --test-dir "$build" --output-on-failure \
  -R '^(names|trig|urdf|model|reduce|dag|schedule|eval|text|program|output|script|check|bad_input|cli|inputs|runtime_descriptions|'"$(echo $runtime | tr ' ' '|')"')$'
# the published inertia of a PUMA 560's third link is none that MuJoCo takes
echo 'return { robot = { balance_inertia = true } }' >"$build/balanced.lua"
turn=0
for layout in "$top"/robots/*.lua; do
  turn=$((turn + 1)) # batches of all functions and floats by the other formulation take turns; with ACHD_SWEEP=1 each robot has both
  name=$(basename "$layout" .lua)
  formulation=recursion
  ! grep -q "<mimic" "$top/robots/$name.urdf" || formulation=joint # the only one for these
  if [ -n "${ACHD_SWEEP:-}" ] || [ $((turn % 2)) -eq 1 ]; then
    "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" \
      --functions "achd,$(family "$top")" --batch 4 -o - >/dev/null
  fi
  "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" -q --scene "$build/balanced.lua" --mjcf - >/dev/null
  if [ -n "${ACHD_SWEEP:-}" ] || [ $((turn % 2)) -eq 0 ]; then
    "$build/achdgen" "$top/robots/$name.urdf" --layout "$layout" --real float --formulation "$formulation" -o - >/dev/null
  fi
done
# limbs as lanes: every pass over them
for robot in quadruped two_arms; do
  for options in "--functions achd,fd" "--functions crba,id --real float" "--functions id,fd --small"; do
    # shellcheck disable=SC2086 # words
    "$build/achdgen" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" $options --lanes 1 --no-prove -o - >/dev/null
  done
done
"$build/achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --scene "$top/robots/scenes/gen3_table.lua" --mjcf - >/dev/null
"$build/achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" -o - >/dev/null
echo "no finding"
