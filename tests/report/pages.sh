#!/bin/sh
# tests/report/pages.sh ACHDGEN SOURCE_DIR ACHD_REPORT RUNNER [KEEP]: runs of closed loops become pages, and a headless
# Chromium shows them: with and without WebGL, on a screen and on a phone, with hostile names. KEEP: a folder for the pages and
# screenshots.
set -eu
. "$(dirname "$0")/../lib.sh"
command -v chromium >/dev/null || skip_all "no chromium: sh tests/install.sh report"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
report=$(absolute "$3")
runner=$(absolute "$4")
keep=${5:-$scratch/kept}
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
mkdir -p runs/hostile runs/quadruped
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
END
"$achdgen" "$top/robots/quadruped.urdf" --layout "$top/robots/quadruped.lua" --describe json >runs/quadruped/robot.json

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
  [ "$ended" -eq 1 ] && [ ! -e none ] && grep -qF -e "$text" said || { cat said; return 1; }
}
check "no run" refuses "empty: has no run.json" empty
check "no folder" refuses "nowhere: is not a folder" nowhere
printf 'time [s],a [1]\n0,1\n1,x\n' >broken/log.csv
echo '{"title": "t"}' >broken/run.json
check "a mistake in one of several runs" refuses "broken/log.csv:3: a is 'x', which is no number" runs broken
rm broken/log.csv
check "no log" refuses "broken/log.csv: No such file" broken

check "in the browser" python3 "$top/tests/report/pages_test.py" "$keep"
finish
