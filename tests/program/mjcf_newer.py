#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mjcf_newer.py ACHDGEN SOURCE_DIR MUJOCO_JS: what mjcf_read.py and mjcf_loops.py ask of MuJoCo 2.2.2, asked of MuJoCo 3.3.8, npm's
mujoco-js 0.0.7: robots with words that came later (<frame>, limits without `limited`, exact inertias of meshes by <mesh>, sites tied together), and
vendors' files of ../shared, where they are there. Inverse dynamics, equal to 1e-9 of its size, and forward
dynamics where the base is fixed, to 1e-8, as M has to be inverted. Then robots that exist (mjcf_published.py), and what --mjcf writes of ten robots
that ship: the torques of inverse dynamics, and steps, along which the energy by the generated function stays what it was. 77:
there is no mujoco-js, or no node. ACHD_SWEEP=1: 40 random robots in place of 4, and all of those that exist in place of 3."""
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ACHDGEN, TOP, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:4])
if not os.path.exists(os.path.join(PACKAGE, "dist", "mujoco_wasm.js")) or not shutil.which("node"):
    print(f"nothing to test: no node, or no mujoco-js in {PACKAGE}: sh tests/install.sh mujoco-js BUILD")
    sys.exit(77)
sys.argv[1:] = [ACHDGEN, PACKAGE, TOP]
import mjcf_loops  # noqa: E402
import mjcf_published  # noqa: E402
import mjcf_read  # noqa: E402
from checks import check, columns, evaluated, finish, run, states_in, write  # noqa: E402

ROBOTS = 40 if os.environ.get("ACHD_SWEEP") == "1" else 4
NODE = subprocess.Popen(["node", os.path.join(TOP, "tests", "program", "mjcf_newer.mjs"), PACKAGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        text=True)


def asked(mode, path, count, seed):
    """[{name: value}], and MuJoCo's word where it refuses the model."""
    NODE.stdin.write(f"{mode} {os.path.abspath(path)} {count} {seed}\n")
    NODE.stdin.flush()
    lines = []
    while True:
        line = NODE.stdout.readline()
        if not line:
            return None, "refused: MuJoCo has ended"
        line = line.rstrip("\n")
        if line == "end":
            return states_in(lines), ""
        if line.startswith("refused: "):
            NODE.stdout.readline()
            return None, line
        lines.append(line)


def loops_of(path, count, seed):
    states, word = asked("loops", path, count, seed)
    check(f"{path}: MuJoCo reads it", states is not None, word)
    return [mjcf_loops.State(state) for state in states or []]


mjcf_read.states_of = lambda path, count, seed: asked("motion", path, count, seed)
mjcf_loops.states_of = loops_of


def forward(name, path):
    """Forward dynamics of a robot on a fixed base: the accelerations that the torques of the states cause."""
    states, _ = asked("motion", path, 3, 5)
    command = (ACHDGEN, path, "--functions", "fd")
    if not states or run(*command, "-q", "--columns").returncode:
        return False  # a body without mass beyond a joint
    names = columns(name, command)
    keys = [key for key in names[1] if key.startswith("qdd.")]
    if any(key.startswith("base.") for key in names[1]):
        return False
    for state, answer in zip(states, evaluated(name, command, names, states)):
        size = max(abs(state[key]) for key in keys)
        # as far as M can be inverted: the accelerations are those whose torques are equal
        worst = max(abs(answer[key] - state[key]) for key in keys) / size
        check(f"{name}: accelerations as MuJoCo's", worst < 1e-8, f"off by {worst:.2g}\n{open(path, encoding='utf-8').read()}")
    return True


def newer(path):
    """The words of today in a robot of mjcf_read: included files in their place, as the script's file system has one file."""
    text = open(path, encoding="utf-8").read()
    classes = open("classes.xml", encoding="utf-8").read()
    text = text.replace('<include file="classes.xml"/>', re.sub("</?mujoco>", "", classes))
    text = text.replace(' exactmeshinertia="true"', "").replace(' limited="true" range', " range").replace("<mesh ", '<mesh inertia="exact" ')
    text = text.replace('<geom type="box" size="0.1 0.05 0.02"/>', '<frame pos="0.1 0 0.05"><frame euler="10 20 0" childclass="own"><geom type="box" size="0.1 0.05 0.02"/>'
                        '<site name="SITE" pos="0.02 0 0"/></frame></frame>')
    for k in range(text.count('"SITE"')):
        text = text.replace('"SITE"', f'"frame_site_{k}"', 1)
    write(path, text)


FRAMES = """<mujoco model="sites"><compiler angle="radian"/><option><flag eulerdamp="disable"/></option><worldbody>
<frame pos="0 0 0.1" euler="0 0 0.3"><body name="crank"><joint name="a" axis="0 1 0" armature="0.01" actuatorfrcrange="-3 3"/>
<geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/><body name="rod" pos="0 0 0.2"><joint name="b" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/><frame euler="0.2 0 0.4"><site name="here" pos="0.5 0 0"/></frame></body></body>
<body name="rocker" pos="0.5 0 -0.1"><joint name="c" axis="0 1 0"/><joint name="d" axis="1 0.2 0"/><geom type="box" size="0.1 0.2 0.3"/>
<site name="there" pos="SITE"/></body></frame></worldbody>
<equality><KIND name="loop" site1="here" site2="there" solimp="0.8 0.9 0.01"/></equality></mujoco>
"""


def sites():
    """Ties of sites that stand where they shall at the posture of the file: a <connect>, and a <weld> whose sites are turned alike."""
    at = place_of_here()
    write("connect.xml", FRAMES.replace("SITE", at).replace("KIND", "connect"))
    mjcf_loops.compare("connect.xml", [(0, "loop", mjcf_loops.CONNECT, 1)], 3, 1)
    arms = mjcf_loops.TWO_ARMS
    for arm, x in (("l6", 0.25), ("r6", 0.05)):
        arms = arms.replace(f'<body name="{arm}" pos="0.1 0 0">', f'<body name="{arm}" pos="0.1 0 0"><site name="{arm}_grip" pos="{x} 0.02 0" euler="10 20 30"/>')
    write("weld.xml", arms.replace('body1="l6" body2="r6" anchor="0.05 0.02 0"', 'site1="l6_grip" site2="r6_grip"'))
    mjcf_loops.compare("weld.xml", [(0, "hold", mjcf_loops.WELD, 0.5)], 6, 1)
    for name, (text, ties, rows) in mjcf_published.LOOPS.items() if ROBOTS > 4 else []:
        write("loop.xml", text)
        mjcf_loops.compare("loop.xml", ties, rows, 1)


def place_of_here():
    """Where "here" stands, as the rocker sees it."""
    x, y = 0.5 * math.cos(0.4), 0.5 * math.sin(0.4)  # euler is x, then y, then z of what has moved
    c, s = math.cos(0.2), math.sin(0.2)
    return f"{x - 0.5:.17g} {c * y:.17g} {0.2 + 0.1 + s * y:.17g}"


def vendors():
    archive = os.path.join(TOP, "..", "shared", "mjcf.tar.xz")
    if not os.path.exists(archive):
        print("no vendors' files: ../shared/mjcf.tar.xz is not there")
        return 0
    run("tar", "-xf", archive)
    read = 0
    for path in sorted(glob.glob("mjcf/*.xml")):
        text = open(path, encoding="utf-8").read()
        for name in re.findall(r'<include file="([^"]*)"\s*/>', text):
            inside = os.path.join(os.path.dirname(path), name)
            text = re.sub(rf'<include file="{re.escape(name)}"\s*/>', lambda _, inside=inside: re.sub(r"</?mujoco[^>]*>", "", open(inside, encoding="utf-8").read()), text)
        text = re.sub(r"<\?xml[^>]*\?>", "", text)
        plain = os.path.basename(path)
        write(plain, text)
        if asked("motion", plain, 1, 1)[0] is None:  # its meshes are not there
            continue
        read += 1
        mjcf_read.compare(plain, plain, True, count=2)
    return read


OURS = ("arm1dof", "drone", "gen3", "gen3_6dof", "iiwa7", "lwr4", "panda", "quadruped", "two_arms", "youbot_arm")


def ours():
    """Robots that ship, as --mjcf writes them, beside what is generated of their URDF."""
    for name in OURS:
        source = (ACHDGEN, os.path.join(TOP, "robots", name + ".urdf"), "--layout", os.path.join(TOP, "robots", name + ".lua"))
        made = run(*source, "-q", "--motors", "--mjcf", "ours.xml")
        check(f"{name}: written", made.returncode == 0, made.stderr)
        mjcf_read.compare_with(f"{name} in MuJoCo 3", (*source, "--functions", "id"), "ours.xml", 1e-9, absent=("push.", "left_push.", "right_push.", "wind.", "payload."))
        names = columns(name, (*source, "--functions", "energy"))
        if any(key.startswith("base.") for key in names[0]):
            continue  # energy is told without the height of a moving base
        states, word = asked("steps", "ours.xml", 2, 7)
        check(f"{name}: stepped", states is not None and len(states) == 4, word)
        answers = evaluated(name, (*source, "--functions", "energy"), names, states or [])
        energies = [answer["kinetic"] + answer["potential"] for answer in answers]
        for k in range(0, len(energies), 2):
            size, moved = abs(answers[k]["kinetic"]), abs(answers[k + 1]["kinetic"] - answers[k]["kinetic"])
            check(f"{name}: the energy of free motion stays", abs(energies[k + 1] - energies[k]) < 1e-6 * moved and moved > 1e-3 * size,
                  f"{answers[k:k + 2]}: off by {energies[k + 1] - energies[k]:.2g}")


def main():
    forwards = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        seed = made = 0
        while made < ROBOTS:
            seed += 1
            path = mjcf_read.random_robot(seed, folder)
            if not path:
                continue
            made += 1
            newer(path)
            mjcf_read.compare(f"newer robot {seed}", path, seed % 2 == 0, count=3, seed=seed)
            forwards += seed % 2 == 0 and forward(f"newer robot {seed}", path)
        read = vendors()
        sites()
        ours()
        trees = sorted(mjcf_published.TREES)
        for name in trees if ROBOTS > 4 else ("ANYmal", "Panda", "SCARA"):
            write("tree.xml", mjcf_published.TREES[name])
            mjcf_read.compare(f"{name} in MuJoCo 3", "tree.xml", True, count=2)
        print(f"{made} random robots, {forwards} of them forwards, {read} of vendors")
        check("some forwards", forwards >= ROBOTS // 4)
    NODE.stdin.close()
    NODE.wait()
    finish()


main()
