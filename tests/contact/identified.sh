#!/bin/sh
# SPDX-License-Identifier: MIT
# identified.sh ACHDGEN SOURCE_DIR: parameters from logs of a real arm, a UR10e (Mamedov, Mikhel 2020), by achd-identify: fitted to four runs, it explains three
# others no worse than plain least squares in any joint, and better on the whole; gains by a load of 2.805 kg that was weighed, and that load found by them; the
# layout that is written passes --check; with the URDF that is written the bounds of contacts are half as large as with the vendor's. Skipped where the logs are not there.
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
top=$(cd "$2" && pwd)
. "$top/tests/contact/logs.sh"
identify() { $python -W ignore -m achdgen.identify "$@"; }

check "a file with another number of columns" sh -c "! $python -W ignore -m achdgen.identify ur10e.urdf --columns '$columns' identification_data/ur-19_09_27-11_32_02.csv 2>errors &&
  grep -q '^achd-identify: identification_data/ur-19_09_27-11_32_02.csv:1: 19 numbers, where 31 are expected' errors"
# shellcheck disable=SC2086 # names of files
check "identifies" identify ur10e.urdf --columns "$columns" --skip-damaged --gains $gains --friction rich \
  ${runs}02_12-50sec_12harm.csv ${runs}02_12-40sec_12harm.csv ${runs}02_10-30sec_12harm.csv ${runs}02_05-20sec_8harm.csv \
  --validate validation_data/ur-20_01_17-ptp_10_points.csv ${runs}01_31-unload.csv ${runs}02_19_14harm50sec.csv --json told.json --urdf identified.urdf -o identified.lua
cat .said
judged() {
  $python - <<'END'
import json
import sys
told = json.load(open("told.json"))
# What plain least squares leave of ten points from one to the other, by others' programs.
published = [5.08, 5.73, 2.53, 0.82, 1.24, 1.32]
wrong = [] if told["consistent"] else ["a link that cannot be"]
shares = [[], [], []]
for name, run in told["validation"].items():
    plain = published if "ptp" in name else run["rms_plain"]
    ratios = [a / b for a, b in zip(run["rms"], plain)]
    print(f"{name}: " + " ".join(f"{x:.2f}" for x in run["rms"]) + f" N m, {sum(ratios) / 6:.3f} of plain, joints 1 to 3 {max(ratios[:3]):.3f} at most")
    if max(ratios) > 1.0 or sum(ratios) / 6 > 0.72 or max(ratios[:3]) > 0.92:
        wrong.append(name)
    for k in range(3):
        shares[k].append(ratios[k])
shares = [sum(one) / len(one) for one in shares]
print("joints 1 to 3 in the mean of these runs " + " ".join(f"{x:.3f}" for x in shares) + " of plain")
wrong += ["joints 1 to 3"] if max(shares) > 0.8 else []
late = [x for x, _ in told["delay"].values()]
print("currents stand behind positions by " + " ".join(f"{1e3 * x:.1f}" for x in late) + " ms")
wrong += ["delays"] if not all(x < 0.005 for x in late) else []
sys.exit(", ".join(wrong) or 0)
END
}
check "what others leave" judged
cat .said
check "the layout passes --check" "$achdgen" ur10e.urdf --layout identified.lua --check 20 -q
# Contacts by the URDF that is written, beside the vendor's (docs/contact.md).
# shellcheck disable=SC2086 # names of files
bounded() { observe calibrate identified.urdf --columns "$columns" --rate 30 --gains $gains $calibration -o bounds.json; }
replayed() {
  observe replay identified.urdf bounds.json --columns "$columns" ${runs}01_31-unload.csv validation_data/ur-20_01_17-ptp_10_points.csv \
    collision/ur-20_01_22-push_pose_1.csv --json contacts.json
}
check "bounds by the URDF that is written" bounded
cat .said
check "a replay of free runs and pushes" replayed
contacts() {
  $python - <<'END'
import json
told = json.load(open("contacts.json"))
pushes = told.pop("ur-20_01_22-push_pose_1.csv")
assert len(told) == 2 and all(not found for found in told.values()), "an alarm on a free run"
assert len(pushes) == 4, pushes
bounds = {one["name"]: one["constant"] for one in json.load(open("bounds.json"))["joints"]}
assert bounds["shoulder_lift_joint"] < 25 and bounds["elbow_joint"] < 13, bounds
END
}
check "no alarm on free runs, each push told, with half of the bounds that the vendor's URDF needs" contacts
check "gains by a load" identify ur10e.urdf --columns "$columns" --skip-damaged --friction plain ${runs}02_19_14harm50sec.csv --calibrate-gains ${runs}02_19_14harm50secLoad.csv \
  --load-mass 2.805 --payload ${runs}02_19_14harm50secLoad.csv --json told.json
cat .said
weighed() {
  $python - <<'END'
import json
told = json.load(open("told.json"))
mass, deviation = told["load"]["mass"]
assert abs(mass - 2.805) < 0.05 * 2.805, mass
shares = {joint: deviation / gain for joint, (gain, deviation) in told["gains"].items()}
assert shares.pop("shoulder_pan_joint") > 0.05 > 2 * max(shares.values()), shares
END
}
check "the load that was weighed, and a gain that is weak" weighed
# A Panda with sensors of torque behind its gears (Gaz and others 2019), of whose log 12.5 s are here: quarters of it that the fit to the others does not see,
# the last of them or, with ACHD_SWEEP=1, all four.
panda=$top/../shared/measured/panda.tar.xz
quarters() {
  tar xJf "$panda" && echo 'return { locked = { panda_finger_joint1 = 0, panda_finger_joint2 = 0 } }' >panda.lua || return 1
  for k in 0 1 2 3; do
    awk -F, -v k=$k 'NR == 1 || (int($1 / 3.13) == k)' panda_a.csv >panda_$k.csv
    awk -F, -v k=$k 'NR == 1 || $1 < 3.13 * k' panda_a.csv >panda_before_$k.csv
    awk -F, -v k=$k 'NR == 1 || $1 >= 3.13 * (k + 1)' panda_a.csv >panda_behind_$k.csv
  done
}
panda_identified() { # K
  others=panda_before_$1.csv
  [ "$1" -gt 0 ] || others=panda_behind_0.csv
  [ "$1" = 0 ] || [ "$1" = 3 ] || others="$others panda_behind_$1.csv"
  # shellcheck disable=SC2086 # names of files
  identify "$top/robots/panda.urdf" --layout panda.lua $others --cut-off 5 --validate "panda_$1.csv" --json "panda_$1.json"
}
better() {
  $python - <<'END'
import glob
import json
runs = []
for path in sorted(glob.glob("panda_?.json")):
    told = json.load(open(path))
    run = list(told["validation"].values())[0]
    assert told["consistent"] and all(a < 0.4 * b for a, b in zip(run["rms"], run["rms_urdf"])), path
    assert all(abs(x) < 0.2 for x in told["gravity"][:2]), told["gravity"]
    runs.append(run)
rms, plain = ([(sum(run[key][j] ** 2 for run in runs) / len(runs)) ** 0.5 for j in range(7)] for key in ("rms", "rms_plain"))
ratios = [a / b for a, b in zip(rms, plain)]
print(f"Panda, {len(runs)} of 4 quarters: " + " ".join(f"{x:.3f}" for x in rms) + " N m, plain least squares " + " ".join(f"{x:.3f}" for x in plain) +
      f", {sum(ratios) / 7:.3f} of plain, {max(ratios):.3f} at most")
assert sum(ratios) / 7 < 0.85 and max(ratios) < (1.02 if len(runs) == 4 else 1.2), ratios
END
}
if [ -f "$panda" ]; then
  check "a Panda's log in quarters" quarters
  for k in ${ACHD_SWEEP:+0 1 2} 3; do check "a Panda identified without its quarter $k" panda_identified "$k"; done
  check "a Panda's unseen lines" better
  cat .said
fi
finish
