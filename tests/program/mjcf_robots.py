#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mjcf_robots.py ACHDGEN MJCF_MOTION MJCF_LOOPS SOURCE_DIR: fifty robots that exist (mjcf_published.py) are the same for achdgen as for MuJoCo 2.2.2, at random
states: joint-space inertia, bias forces, inverse and forward dynamics are equal to 1e-9 of their size. Of those with closed loops and coupled joints, the
inertia seen by the joints that lead and their accelerations with the softness of MuJoCo's rows (solref, solimp) are, and the rows' Jacobian entry by entry; there are as
many rows as are expected. What --mjcf writes of a robot, read again, has the same joints, limits, frames and numbers of operations, and the same numbers to 1e-12.

Every 16th robot is tried; ACHD_SAMPLE=all or ACHD_SWEEP=1: all, ACHD_SWEEP=1 with a round trip on 1000 states. ACHD_SAMPLE=K: every 16th from the Kth."""
import json
import os
import random
import re
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
ACHDGEN, MOTION, LOOPS, TOP = (os.path.abspath(path) for path in sys.argv[1:5])
sys.argv[1:] = [ACHDGEN, MOTION, TOP]
import mjcf_loops  # noqa: E402
import mjcf_published  # noqa: E402
import mjcf_read  # noqa: E402
from checks import check, columns, evaluated, finish, run, states_in, write  # noqa: E402

SWEEP = os.environ.get("ACHD_SWEEP") == "1"
STATES = 20 if SWEEP else 3
EVERY = 16
# Numbers that differ in their last bit, as cosines of 30 and 150 degrees computed one by one, are equal once they are read from what --mjcf computes of them.
FEWER = ("Panda", "hexapod")
mjcf_loops.LOOPS = LOOPS


def sample(names):
    """Every 16th, from one that the sources tell."""
    said = os.environ.get("ACHD_SAMPLE", "")
    if SWEEP or said == "all":
        return names
    if not said:
        found = sorted(os.path.join(top, name) for top, _, files in os.walk(os.path.join(TOP, "generator")) for name in files)
        said = 0
        for path in found:
            with open(path, "rb") as file:
                said = zlib.crc32(file.read(), said)
    return names[int(said) % EVERY::EVERY]


def states_of(path, count, seed):
    made = run(MOTION, path, str(count), str(seed), "all")
    states = states_in(made.stdout.splitlines() if made.returncode == 0 else [])
    check(f"{path}: MuJoCo reads it", len(states) == count, made.stdout[:300])
    return states


def largest(answers, expected, prefix):
    """The largest difference, of the size of the largest output."""
    worst = 0.0
    for answer, state in zip(answers, expected):
        keys = [key for key in answer if key != "status"]
        size = max(abs(state[prefix + key]) for key in keys)
        worst = max([worst] + [abs(answer[key] - state[prefix + key]) / size for key in keys])
    return worst


def tree(name, path):
    states = states_of(path, STATES, 3)
    if not states:
        return
    joints = re.findall(r'<joint name="([^"]*)"', mjcf_published.TREES[name])
    for function, prefix in (("id", ""), ("crba", ""), ("bias", "bias."), ("fd", "fd.")):
        command = (ACHDGEN, path, "--functions", function)
        names = columns(name, command)
        inputs = [{key: state.get(prefix + key, state.get(key)) for key in names[0]} for state in states]
        unknown = {key for state in inputs for key, value in state.items() if value is None}
        unknown |= {key for key in names[1] if key != "status" and prefix + key not in states[0]}
        moving = [key[2:] for key in names[0] if key.startswith("q.")]
        check(f"{name}: columns of {function}", names[1] and not unknown and moving == [j for j in joints if "q." + j in states[0]], f"{unknown} {moving} {joints}")
        if unknown or not names[1]:
            continue
        answers = evaluated(name, command, names, inputs)
        worst = largest(answers, states, prefix)
        check(f"{name}: {function} as MuJoCo's", len(answers) == STATES and worst < 1e-9, f"off by {worst:.2g}")
        check(f"{name}: status of {function}", all(answer["status"] == 0 for answer in answers), answers)


def described(path):
    said = run(ACHDGEN, path, "-q", "--functions", "id,fd,crba", "--describe", "json")
    check(f"{path}: described", said.returncode == 0, said.stderr)
    return json.loads(said.stdout)


def near(a, b):
    """Equal, numbers to 1e-12."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-12 * max(1, abs(a))
    return a == b


def round_trip(name, path):
    """What --mjcf writes, read again."""
    said = run(ACHDGEN, path, "-q", "--mjcf", "again.xml")
    check(f"{name}: written as MJCF", said.returncode == 0, said.stderr)
    first, again = described(path), described("again.xml")
    for key in ("name", "unit", "lower", "upper", "effort"):
        check(f"{name}: {key} of its joints", near([j[key] for j in first["joints"]], [j[key] for j in again["joints"]]), f"{first['joints']}\n{again['joints']}")
    frames = {frame["link"]: frame for frame in again["frames"]}
    lost = [frame["link"] for frame in first["frames"] if frame["link"] not in frames or not near([frame["p"], frame["R"]], [frames[frame["link"]][k] for k in "pR"])]
    check(f"{name}: its frames", not lost, f"{lost} {frames.keys()}")
    r = random.Random(7)
    for a, b in zip(first["functions"], again["functions"]):
        function = a["name"]
        counts = [x["operations"]["total"] for x in (a, b)]
        check(f"{name}: operations of {function}", counts[1] < counts[0] if name in FEWER else counts[1] == counts[0], counts)
        commands = [(ACHDGEN, p, "--functions", function) for p in (path, "again.xml")]
        names, others = (columns(name, command) for command in commands)
        check(f"{name}: columns of {function} again", names[0] and names == others, f"{names}\n{others}")
        states = [{key: r.uniform(-1, 1) for key in names[0]} for _ in range(1000 if SWEEP else 20)]
        for state in states:
            if "base.quat.w" in state:
                size = sum(state["base.quat." + k] ** 2 for k in "wxyz") ** 0.5
                state.update({"base.quat." + k: state["base.quat." + k] / size for k in "wxyz"})
        worst = 0.0
        for x, y in zip(*(evaluated(name, command, names, states) for command in commands)):
            size = max(map(abs, x.values()))
            worst = max([worst] + [abs(x[key] - y[key]) / size for key in x])
        check(f"{name}: {function} again", worst < 1e-12, f"off by {worst:.2g}")


def signature(text):
    """What two robots cannot share: their joints' kinds and the masses of their links."""
    return tuple(re.findall(r'<joint [^>]*axis="[^"]*"|<freejoint|type="free"', text)), tuple(re.findall(r'mass="([^"]*)"', text))


def main():
    robots = {**mjcf_published.TREES, **{name: text for name, (text, _, _) in mjcf_published.LOOPS.items()}}
    check("forty robots", len({signature(text) for text in robots.values()}) == len(robots) >= 40, len(robots))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tried = sample(sorted(robots))
        for name in tried:
            path = re.sub(r"\W", "_", name) + ".xml"
            write(path, robots[name])
            if name in mjcf_published.LOOPS:
                _, ties, rows = mjcf_published.LOOPS[name]
                before = len(mjcf_loops.compared)
                mjcf_loops.compare(path, ties, rows, 5, count=STATES)
                check(f"{name}: compared", len(mjcf_loops.compared) == before + 1)
            else:
                tree(name, path)
            round_trip(name, path)
    print(f"{len(tried)} of {len(robots)} robots")
    finish()


main()
