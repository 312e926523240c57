#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/report/pages.sh ACHDGEN SOURCE_DIR ACHD_REPORT RUNNER LOOP [KEEP]: runs of closed loops become pages, and a headless
# Chromium shows them: with and without WebGL, on a screen and on a phone, with hostile names; and one of a loop that runs (LOOP). KEEP: a folder for the pages and
# screenshots.
set -eu
. "$(dirname "$0")/../lib.sh"
[ -x "$3" ] || skip_all "achd-report is not built: configure with -DACHD_REPORT=ON"
command -v chromium >/dev/null || skip_all "no chromium: sh tests/install.sh report"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
report=$(absolute "$3")
runner=$(absolute "$4")
loop=$(absolute "$5")
keep=${6:-$scratch/kept}
mkdir -p "$keep"
keep=$(cd "$keep" && pwd)
cd "$scratch"

mkdir -p runs/experiment_1 runs/experiment_2 runs/experiment_3 runs/experiment_4
check "the published motions are run" "$runner" "$scratch" runs
describe() { "$achdgen" "$top/robots/$1.urdf" --layout "$top/tests/runtime/$2_controlled.lua" --name "$2" --describe json >"runs/experiment_$3/robot.json"; }
for run in "lwr4 lwr4 1" "youbot_arm youbot 2" "lwr4 lwr4 3" "youbot_arm youbot 4"; do
  # shellcheck disable=SC2086
  check "robot.json: $run" describe $run
done

# A run with a hostile name everywhere, values that are not finite, no robot; and one of a tree on a base that moves.
mkdir -p runs/hostile runs/quadruped runs/vehicle
python3 - <<'END'
import json, math
evil = "</script><script>document.title='evil'</script><img src=x onerror=\"document.title='evil'\">"
quoted = '"' + evil.replace('"', '""') + ' [1]"'
with open("runs/hostile/log.csv", "w") as file:
    file.write(f"time [s],{quoted},q.1 [rad],state [1]\n")
    for k in range(300):
        file.write(f"{k / 100},{'nan' if 100 < k < 150 else 'inf' if k == 50 else math.sin(k / 20)},nan,{k % 5}\n")
json.dump({"title": evil, "text": evil, "source": evil, "command": evil, "states": [evil] * 5, "table": [{"quantity": evil, "ours": evil}]}, open("runs/hostile/run.json", "w"))
with open("runs/quadruped/log.csv", "w") as file:
    file.write("time [s]," + ",".join(f"q.{k + 1} [rad]" for k in range(12)) + ",base.p_x [m],base.p_y [m],base.p_z [m],base.turn_x [rad],base.turn_y [rad],base.turn_z [rad]\n")
    for k in range(500):
        legs = [c for leg in range(4) for c in (0, 0.7 + 0.3 * math.sin(k / 20 + leg * math.pi), -1.4)]
        file.write(",".join(f"{x:.6f}" for x in [k / 100, *legs, k / 500, 0, 0.35, 0, 0, k / 400]) + "\n")
json.dump({"title": "A quadruped's legs"}, open("runs/quadruped/run.json", "w"))
with open("runs/vehicle/log.csv", "w") as file:
    file.write("time [s],base.p_x [m],base.p_y [m],base.p_z [m],base.turn_x [rad],base.turn_y [rad],base.turn_z [rad],force [N]\n")
    for k in range(300):
        file.write(f"{k / 100},{k / 300},{0.2 * math.sin(k / 50):.6f},0,0,0,{k / 400},{k % 7}\n")
wall = {"name": "wall", "p": [1.6, 0, 0.5], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "size": [0.1, 4, 1]}
json.dump({"title": "A vehicle and a wall", "boxes": [wall], "table": [
    {"quantity": "near", "published": 10, "ours": 11, "holds": True}, {"quantity": "far", "published": 41, "ours": 22.7, "bound": "10 to 60 %", "holds": True}]},
    open("runs/vehicle/run.json", "w"))
END
"$achdgen" "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --describe json >runs/quadruped/robot.json
"$achdgen" "$top/tests/experiments/platform.urdf" --layout "$top/tests/experiments/layouts/platform.lua" -q --describe json >runs/vehicle/robot.json

# Stills of an arm that a page then has, too; the picture changes with the pose and with nothing else.
stills=$(dirname "$report")/achd-stills
if [ -x "$stills" ]; then
  mkdir -p runs/stills
  cat >arm.xml <<'END'
<mujoco><worldbody><geom type="plane" size="2 2 .1" rgba=".7 .75 .8 1"/><light pos="0 0 3" dir="0 0 -1"/><body pos="0 0 .5"><joint name="elbow" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/><body pos=".5 0 0"><joint name="rail" type="slide" axis="1 0 0"/><geom type="box" size=".1 .05 .05"/></body></body>
<body name="pen" pos="0 .4 .2"><freejoint name="pen"/><geom type="sphere" size=".08" rgba=".8 .2 .1 1"/></body></worldbody></mujoco>
END
  printf 'time [s],"q.elbow [rad]",q.2 [m],pen.p_x [m],pen.p_y [m],pen.p_z [m],pen.turn_x [rad],pen.turn_y [rad],pen.turn_z [rad]\r
0,0,0,0,.4,.2,0,0,0\n1,-.8,0,0,.4,.2,0,0,0\n2,0,.2,0,.4,.2,0,0,0\n3,0,0,.3,-.4,.2,0,1,0\n4,0,0,0,.4,.2,0,0,0\n5,nan,0,0,.4,.2,0,0,0' >runs/stills/log.csv
  echo '{"title": "Stills"}' >runs/stills/run.json
  pictures() { "$stills" arm.xml runs/stills/log.csv --at 0 --at 1 --at 2.2 --at 3 --at 4 --size 320x200 && [ "$(find runs/stills -name '*.png' | wc -l)" -eq 5 ]; }
  check "stills" pictures
  for time in 1 2 3; do check "the picture at $time s is another one" sh -c "! cmp -s runs/stills/still_0.000s.png runs/stills/still_$time.000s.png"; done
  check "the same pose, the same picture" cmp runs/stills/still_0.000s.png runs/stills/still_4.000s.png
  no_stills() { # TEXT ARGUMENTS...
    text=$1
    shift
    if "$stills" "$@" >said 2>&1; then return 1; fi
    grep -qF -e "$text" said || { cat said; return 1; }
  }
  printf 'time [s],a [1]\n0,1\n0,2\n' >bad.csv
  printf 'time [s],a [1]\n0,1\n1,2\n' >none.csv
  check "no log" no_stills "nowhere.csv: cannot be read" arm.xml nowhere.csv
  check "no model" no_stills "nowhere.xml" nowhere.xml none.csv
  check "times that stand" no_stills "bad.csv:3: times have to increase" arm.xml bad.csv
  check "no joint" no_stills "has no column of a joint" arm.xml none.csv
  check "no size" no_stills "what is this" arm.xml none.csv --size 3
  check "an option alone" no_stills "what is this: --at" arm.xml none.csv --at
  if command -v ffmpeg >/dev/null; then
    check "a video" "$stills" arm.xml runs/stills/log.csv --size 160x120 --at 0 -o "$scratch" --video
    check "... is one" [ -s run.mp4 ]
  else
    check "a video needs ffmpeg" no_stills "it is not installed" arm.xml runs/stills/log.csv --size 160x120 --at 0 -o "$scratch" --video
  fi
  rm -f run.mp4 still_*.png
fi

check "achd-report" "$report" runs -o "$keep" --title "Experiments"
cp -R "$keep" first
check "... again" "$report" runs -o "$keep" --title "Experiments"
check "the same bytes" diff -r first "$keep"
check "pages below 5 MB" sh -c "[ -z \"\$(find '$keep' -name '*.html' -size +4882k)\" ]"
check "licences of three.js and uPlot" sh -c "grep -q 'three.js authors' '$keep/experiment_1.html' && grep -q 'Leon Sorokin' '$keep/experiment_1.html'"
check "no library in the repository" sh -c "! grep -rl 'WebGLRenderer(' '$top/report' | grep -v 'report/webgl.js'"
check "the libraries' hashes are pinned" sh -c "[ \"\$(grep -c '\"integrity\": \"sha512-' '$top/report/package-lock.json')\" -eq \"\$(grep -c '\"node_modules/' '$top/report/package-lock.json')\" ]"

# Mistakes: nothing is written.
mkdir empty broken
refuses() { # TEXT ARGUMENTS...
  text=$1
  shift
  ended=0
  "$report" "$@" -o none >said 2>&1 || ended=$?
  cat said
  [ "$ended" -eq 1 ] && [ ! -e none ] && grep -qF -e "$text" said
}
check "no run" refuses "empty: has no run.json" empty
check "no folder" refuses "nowhere: is not a folder" nowhere
printf 'time [s],a [1]\n0,1\n1,x\n' >broken/log.csv
echo '{"title": "t"}' >broken/run.json
check "a mistake in one of several runs" refuses "broken/log.csv:3: a is 'x', which is no number" runs broken
rm broken/log.csv
check "no log" refuses "broken/log.csv: No such file" broken

mkdir -p live
"$achdgen" "$top/robots/gen3.urdf" --layout "$top/tests/runtime/gen3_controlled.lua" -q --describe json >live/robot.json
echo '{"title": "A loop that runs", "states": ["stop_motion", "start_to_cruise", "cruise_through_tube"]}' >live/run.json
check "a live page in the browser" python3 "$top/tests/report/live_page_test.py" "$(dirname "$report")/achd-live" "$loop" live "$keep"
check "in the browser" python3 "$top/tests/report/pages_test.py" "$keep"
finish
