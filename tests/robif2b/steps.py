#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""steps.py FOLDER SOURCE_DIR DEMO: simulated devices that move by generated steps, without MuJoCo, do what they do in MuJoCo: robif2b_program_trace and
robif2b_steps_trace, one second of a Gen3 in every mode, with friction, a push and every fault of the arm; the programs that were written for
robif2b, docs/examples/gen3_slide and a UR5e by the table of --loop, and DEMO, which tests/demo.sh runs; what steps cannot do is refused in words."""

import math
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
sys.dont_write_bytecode = True
from checks import check, finish, run, write  # noqa: E402

FOLDER, TOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FIELDS = {"flags": (0, 9), "q": (9, 16), "qd": (16, 23), "tau": (23, 30), "current": (30, 37), "base": (37, 43), "gyro": (43, 46), "wrist": (46, 49),
          "force": (49, 52), "moment": (52, 55)}
os.environ.pop("ACHD_SIM", None)


def program(name, *arguments, world=None):
    """What a program says, in a world of this text."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("ACHD_SIM", None)
        if world is not None:
            os.environ["ACHD_SIM"] = os.path.join(folder, "test.world")
            write(os.environ["ACHD_SIM"], world)
        return run(os.path.join(FOLDER, f"robif2b_{name}"), *arguments)


def trace(by, way, cycle, words):
    said = program(f"{by}_trace", way, str(cycle), world=f"model builtin:gen3\ndevice 192.168.1.10 gen3\n{words}")
    lines = [[float(x) for x in line.split()] for line in said.stdout.splitlines()]
    check(f"{by} {way}: 1 s", len(lines) == 100, said.stderr)
    return lines


def apart(field, ours, theirs):
    """The largest difference of a field; angles are those of a circle, and two NaN are equal."""
    first, end = FIELDS[field]
    most = 0.0
    for a, b in zip(ours, theirs):
        for x, y in zip(a[first:end], b[first:end]):
            if math.isnan(x) and math.isnan(y):
                continue
            d = abs(x - y) if field != "q" else abs(math.remainder(x - y, 2 * math.pi))
            most = max(most, d if d == d else math.inf)
    return most


def beside(name, way, bounds, words="", cycle=1e-3):
    """Compares a way; bounds: {field: largest difference}; the others are equal. Returns the differences."""
    ours, theirs = trace("steps", way, cycle, words), trace("program", way, cycle, words)
    found = {field: apart(field, ours, theirs) for field in FIELDS}
    for field, d in found.items():
        check(f"{name}: {field} {d:.2g} apart, at most {bounds.get(field, 0):.2g}", d <= bounds.get(field, 0))
    print(f"{name:10}" + "".join(f"  {field} {d:.1e}" for field, d in found.items() if field in ("q", "qd", "tau")))
    return found, ours


NEAR = {"q": 1e-6, "qd": 2e-5, "tau": 1e-3, "current": 5e-4, "gyro": 0.02, "wrist": 0.05, "force": 1e-3, "moment": 1e-3}
FREE = {"q": 5e-4, "qd": 3e-3, "tau": 0.1, "current": 0.02, "gyro": 0.15, "wrist": 0.2}
for way in "position", "velocity", "twist", "wrench":
    beside(way, way, NEAR)
for way in "fall", "swing", "current":
    beside(way, way, FREE)
# the difference is that of two first-order methods: a quarter of the period makes a quarter of it
coarse, fine = (beside(f"{h} s", "swing", FREE, cycle=h)[0]["q"] for h in (1e-3, 2.5e-4))
check(f"a quarter of the period: {coarse / fine:.2f} times nearer", 3 < coarse / fine < 5)
# where one sticks a cycle before the other, the torques differ by that of the friction; MuJoCo's creeps
SOFT = dict(FREE, q=1e-3, qd=0.02, tau=4, current=0.6, wrist=2)
beside("friction", "fall", SOFT, "  friction 2 2 2 2 0.5 0.5 0.5\n")
beside("push", "fall", FREE, "  push tool_frame 0.2 0.3 5 10 20\n")
found, held = beside("held", "twist", dict(NEAR, force=0.1, moment=0.1), "  push tool_frame 0.2 0.3 5 10 20\n")
check("a push is felt", all(abs(x - y) < 0.1 for x, y in zip(held[35][49:52], (5, 10, 20))), held[35][49:])
for fault in ("lost_frame 0.3 0.1", "late_frame 0.3 0.01 0 0.004", "stuck 0.3 0.2 2", "nan 0.3 0.2 3", "following_error 0.3 0.01 1", "max_velocity 0.3 0.01 4",
              "max_torque 0.3 0.01 7", "joint_limit 0.3 0.01 6"):
    way = "velocity" if fault.startswith("late") else "swing" # where no speed trips a cycle before the other
    found, ours = beside(fault.split()[0], way, FREE, f"  fault {fault}\n")
    seen = any(line[0] == 0 or any(line[1:9]) or any(math.isnan(x) for x in line) for line in ours)
    check(f"{fault}: it is seen", seen or fault.startswith(("late", "stuck")))
calm = trace("steps", "swing", 1e-3, "")
for fault in "late_frame 0.3 0.01 0 0.004", "stuck 0.3 0.2 2":
    check(f"{fault}: it is seen", trace("steps", "swing", 1e-3, f"  fault {fault}\n") != calm)

# the programs, as they stand
for name, text, arguments in (("fall", "joint 2 fell by 0.3 rad", ()), ("hold", "held", ()), ("grip", "closed: position 255, object status 3", ()),
                              ("grip", "open: position 0, object status 3", ("older",)), ("pinch", "good: gripper at 60 %, arm in state 6", ()),
                              ("turn", "joint 7 turned by", ()), ("feel", "0.00 0.00 0.00 N, 0.000 0.000 0.000 N m", ()),
                              ("feel", "0 missed, nothing is left", ("ttyUSB0",)), ("threads", "held: position 200, 0 updates failed", ())):
    said = program(f"steps_{name}", *arguments)
    check(f"{name}: {text}", said.returncode == 0 and text in said.stdout and "generated steps" in said.stderr, said.stdout + said.stderr)

# docs/examples/gen3_slide: the tool presses on a plane in place of MuJoCo's table
with open(os.path.join(TOP, "docs/examples/gen3_slide/steps.world"), encoding="utf-8") as file:
    table = file.read()
said = program("steps_slide_main", world=table)
print(said.stdout)
seen = re.search(r"slides ([\d.]+) mm beside the line, turned by ([\d.]+) mrad, ([\d.]+) N off.*\ntool at (\S+) \S+ (\S+) m, fault 0", said.stdout)
check("the Gen3 slides 0.10 m, as in MuJoCo", said.returncode == 0 and seen and abs(float(seen[1]) - 7) < 0.5 and abs(float(seen[3]) - 0.69) < 0.1 and
      abs(float(seen[4]) - 0.498) < 2e-3 and abs(float(seen[5]) - 0.1) < 1e-3, said.stdout)
said = program("steps_slide_main", world=table + "  fault lost_frame 4 0.1\n")
check("a lost frame stops it", said.returncode != 0 and "fault 0" not in said.stdout, said.stdout)
said = program("steps_slide_touch", world=table + "device /dev/ttyUSB0 robotiq_ft\n  bias 4 -3 12 0.2 0.1 -0.3\n  noise 0.1 0.005\n")
check("the table is felt by the sensor", said.returncode == 0 and "table at 0.100 m, fault 0" in said.stdout, said.stdout + said.stderr)

# any arm
with open(os.path.join(TOP, "tests/robif2b/steps_arm.world"), encoding="utf-8") as file:
    plane = file.read()
said = program("steps_arm", world=plane)
states = re.findall(r"s: (\w+)", said.stdout)
force = re.search(r"slid with ([\d.]+) N", said.stdout)
print(said.stdout)
check("a UR5e goes down, presses, slides and goes up", said.returncode == 0 and states == ["stop", "approach", "press", "slide", "retreat", "stop"] and
      force and abs(float(force[1]) - 10) < 0.3 and "fault 0" in said.stdout, said.stdout + said.stderr)
said = program("steps_arm", "fault", world=plane)
check("a stuck encoder stops it", said.returncode == 1 and "retreat" not in said.stdout and "fault 0" not in said.stdout, said.stdout)
said = program("steps_arm", world=plane.replace("  sensor flange\n", "  friction 1\n"))
check("no friction in its layout", ":5: device arm: friction: the layout of the steps gives none to joint shoulder_pan_joint" in said.stderr, said.stderr)

# tests/demo.sh
os.environ.pop("ACHD_SIM", None)
said = run(sys.argv[3])
off = re.search(r"never more than ([\d.]+) mm off its place on the circle", said.stdout)
check("the demo's tool goes round its circle", said.returncode == 0 and off and float(off[1]) < 0.1 and "2.0 s   tool at  0.4567  0.0013  0.2338 m" in said.stdout,
      said.stdout + said.stderr)

# what steps cannot do
HEAD = "model builtin:gen3\ndevice 192.168.1.10 gen3\n"
for text, words in ((HEAD + "  masses 1.1\n", ":3: device 192.168.1.10: masses: generated steps have those of their URDF"),
                    (HEAD + "  damping 1\n", ":3: device 192.168.1.10: damping: joint joint_1 has that of the layout of its steps"),
                    (HEAD + "  armature 1\n", ":3: device 192.168.1.10: armature: joint joint_1 has that of the layout"),
                    (HEAD + "  sensor bracelet_link_site\n", ":3: device 192.168.1.10: the model has no site bracelet_link_site"),
                    (HEAD + "  push forearm_link 0 1 0 0 1\n", ":3: device 192.168.1.10: generated steps push tool_frame"),
                    (HEAD + "  gripper_joints left right\n", ":3: device 192.168.1.10: the model has no joint left"),
                    (HEAD + "  surface 0 0 0 0 1\n", ":3: device 192.168.1.10: a normal, a distance [m] and a friction are expected"),
                    (HEAD + "  surface 0 0 1 0 -1\n", ":3: device 192.168.1.10: a normal, a distance [m] and a friction are expected"),
                    (HEAD.replace("builtin:gen3", "arm.xml"), "arm.xml: generated steps read no models and no meshes"),
                    (HEAD.replace("builtin:gen3", "builtin:ur5e"), ":1: there is no model builtin:ur5e: generated steps have gen3"),
                    (HEAD.replace("builtin:gen3", "builtin:platform"), ":1: platform is a platform, whose wheels roll and slip: that needs MuJoCo")):
    said = program("steps_fall", world=text)
    check(f"refused: {words}", said.returncode != 0 and words in said.stderr, said.stderr)
said = program("steps_fall", "net0")
check("a platform's address", said.returncode != 0 and "robile is a platform, whose wheels roll and slip: that needs MuJoCo" in said.stderr, said.stderr)
said = program("steps_feel", "/dev/ttyUSB9")
check("another port", said.returncode != 0 and "no robotiq_ft at /dev/ttyUSB9: no compiled-in world has a device there" in said.stderr, said.stderr)
said = program("program_fall", world=HEAD + "  surface 0 0 1 0 1\n")
check("MuJoCo has no surface", said.returncode != 0 and ":3: device 192.168.1.10: surface is for generated steps" in said.stderr, said.stderr)
finish()
