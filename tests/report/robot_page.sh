#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/report/robot_page.sh ACHDGEN SOURCE_DIR ACHD_PAGE [KEEP]: pages of robots with their solvers, in a headless Chromium. The
# solver in the page, and in node, gives the same bits as the native one on 1000 states.
set -eu
. "$(dirname "$0")/../lib.sh"
[ -x "$3" ] || skip_all "achd-page is not built: configure with -DACHD_REPORT=ON"
command -v chromium >/dev/null || skip_all "no chromium: sh tests/install.sh report"
command -v wasm-ld >/dev/null || skip_all "no wasm-ld: sh tests/install.sh report"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
page=$(absolute "$3")
keep=${4:-$scratch/kept}
mkdir -p "$keep"
keep=$(cd "$keep" && pwd)
cd "$scratch"

# native ROBOT: reads inputs as they stand in memory, and writes status and outputs likewise.
native() {
  "$achdgen" "$top/robots/$1.urdf" --layout "$top/robots/$1.lua" --functions achd,gravity -q -o "$1.h" || return 1
  upper=$(echo "$1" | tr '[:lower:]' '[:upper:]')
  cat >"$1.c" <<END
#define ${upper}_IMPLEMENTATION
#include "$1.h"
#include <stdio.h>
int main(void) {
  $1_achd_in in;
  $1_achd_out out;
  while (fread(&in, sizeof in, 1, stdin) == 1) {
    const double status = $1_achd(&in, &out);
    fwrite(&status, sizeof status, 1, stdout);
    fwrite(&out, sizeof out, 1, stdout);
  }
  return 0;
}
END
  cc -std=c99 -O2 -ffp-contract=off -o "$keep/$1.native" "$1.c" -lm
}

for robot in gen3 youbot quadruped; do
  check "$robot: a page" "$page" "$top/robots/$robot.urdf" --layout "$top/robots/$robot.lua" --achdgen "$achdgen" -o "$keep/$robot.html" --wasm "$keep/$robot.wasm"
  check "$robot: below 1.5 MB" sh -c "[ \$(wc -c <'$keep/$robot.html') -lt 1500000 ]"
  check "$robot: native" native "$robot"
done
# meshes of links, found above the URDF; another is missing
mkdir -p ws/arm/meshes ws/arm/urdf
cat >ws/arm/meshes/box.obj <<'END'
v -0.05 -0.05 0
v 0.05 -0.05 0
v 0.05 0.05 0
v -0.05 0.05 0
v 0 0 0.2
f 4 3 2 1
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
END
visual='<visual><geometry><mesh filename="package://arm/meshes/FILE"/></geometry></visual>'
sed "s|<link name=\"forearm_link\">|&$(echo "$visual" | sed 's/FILE/box.obj/')|; s|<link name=\"bracelet_link\">|&$(echo "$visual" | sed 's/FILE/none.stl/')|" \
  "$top/robots/gen3.urdf" >ws/arm/urdf/gen3.urdf
meshed() { "$page" ws/arm/urdf/gen3.urdf --layout "$top/robots/gen3.lua" --achdgen "$achdgen" --no-solver -o "$keep/meshes.html" 2>told; }
check "meshes: a page" meshed
check "... and what is left out" grep -q "1 mesh left out, capsules stand for them: package://arm/meshes/none.stl is not found" told
check "... below 5 MB" sh -c "[ \$(wc -c <'$keep/meshes.html') -lt 5000000 ]"
# every robot that ships has a page
for file in "$top"/robots/*.urdf; do
  robot=$(basename "$file" .urdf)
  layout=
  [ ! -f "$top/robots/$robot.lua" ] || layout="--layout $top/robots/$robot.lua"
  # shellcheck disable=SC2086 # an option and its value, or nothing
  check "$robot: a page, quickly" "$page" "$file" $layout --achdgen "$achdgen" --no-solver -o all.html
done
check "bounded rows: a page that says so" "$page" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --achdgen "$achdgen" -o "$keep/bounded.html"
check "... in it" grep -q "The layout has bounded rows" "$keep/bounded.html"
refuses() { # TEXT ARGUMENTS...
  text=$1
  shift
  ended=0
  case "$*" in *" -o "*) ;; *) set -- "$@" -o none.html ;; esac
  "$page" "$@" >said 2>&1 || ended=$?
  cat said
  [ "$ended" -eq 1 ] && [ ! -e none.html ] && grep -qF -e "$text" said
}
by_achdgen() {
  PATH=$(dirname "$page"):$PATH "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --page by_achdgen.html && cmp by_achdgen.html "$keep/gen3.html"
}
check "achdgen --page: the same page" by_achdgen
check "no robot" refuses "achdgen does not describe the robot" nowhere.urdf --achdgen "$achdgen"
check "no achdgen" refuses "No such file" "$top/robots/gen3.urdf" --achdgen ./nothing
check "no clang" refuses "No such file" "$top/robots/gen3.urdf" --achdgen "$achdgen" --clang ./nothing
cp "$top/robots/gen3.urdf" arm.urdf
sed 's|^return {|local part = include "part.lua"\n&|' "$top/robots/gen3.lua" >arm.lua
echo 'return {}' >part.lua
cp arm.urdf arm.lua part.lua "$keep"
for name in arm.urdf arm.lua part.lua; do
  check "$name is not written over" refuses "is read, and would be written over" arm.urdf --layout arm.lua --achdgen "$achdgen" --no-solver -o "$name"
  check "$name is as it was" cmp "$name" "$keep/$name"
done
check "--functions mclp" refuses "no function for a page" "$top/robots/gen3.urdf" --layout "$top/robots/bounded/gen3.lua" --functions mclp --achdgen "$achdgen"
check "a function that is not there" refuses '--functions is "osm"' "$top/robots/gen3.urdf" --functions osm --achdgen "$achdgen"
echo '<mujoco><worldbody><body><joint name="hip" type="ball"/><inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>' >ball.xml
check "a ball joint" refuses 'the robot has the ball joint "hip", which is not drawn' ball.xml --achdgen "$achdgen"
check "a linkage" refuses 'the robot has the linkage "ankle", which is not drawn' "$top/robots/linkages/ankle.urdf" --layout "$top/robots/linkages/ankle.lua" --achdgen "$achdgen"
echo 'return {singularity = "truncate"}' >truncate.lua
check "a layout that cannot have osim: a page" "$page" "$top/robots/gen3.urdf" --layout truncate.lua --achdgen "$achdgen" -o "$keep/truncate.html"
chosen() { PATH=$(dirname "$page"):$PATH "$achdgen" "$top/robots/gen3.urdf" --layout "$top/robots/gen3.lua" --functions crba,energy --page "$keep/crba.html"; }
check "achdgen --functions LIST --page" chosen
# pages that move: a pendulum, without weight, with dry friction, a ball on a floor, a compiler that fails
sed 's|<axis xyz="0 0 1"/>|<axis xyz="1 0 0"/>|' "$top/robots/arm1dof.urdf" >pendulum.urdf
pendulum() { # NAME WORDS
  echo "return { groups = {}, $2 }" >"$1.lua"
  "$page" pendulum.urdf --layout "$1.lua" --functions energy --achdgen "$achdgen" -o "$keep/$1.html"
}
check "a pendulum" pendulum pendulum 'gravity = "input"'
check "without weight" pendulum weightless "gravity = { 0, 0, 0 }"
check "with dry friction" pendulum rough "friction = { coulomb = { joint1 = 1000 } }"
echo "return { base = 'floating', groups = {}, contacts = { { name = 'belly', frame = 'frame', radius = 0.1 } } }" >ball.lua
check "a ball" "$page" "$top/robots/drone.urdf" --layout ball.lua --achdgen "$achdgen" -o "$keep/ball.html"
printf '#!/bin/sh\ncase "$*" in *moving.c*) echo "no step today" >&2; exit 1 ;; esac\nexec clang "$@"\n' >half
chmod +x half
half() {
  "$page" pendulum.urdf --layout pendulum.lua --clang ./half --achdgen "$achdgen" -o half.html 2>said || return 1
  grep -q "warning: the robot does not move in the page: clang makes no WebAssembly of the step" said && ! grep -q 'id="move"' half.html && grep -q 'id="status"' half.html
}
check "a compiler that fails at the step: a page without the button, and a warning" half
check "moving, in the browser" python3 "$top/tests/report/moving_test.py" "$achdgen" "$top" "$keep" "$(dirname "$page")"
check "in the browser" python3 "$top/tests/report/robot_page_test.py" "$achdgen" "$top" "$keep"
finish
