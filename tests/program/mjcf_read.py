#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mjcf_read.py ACHDGEN MJCF_MOTION SOURCE_DIR: MJCF read by achdgen and by MuJoCo is the same robot: the torques of
inverse dynamics are equal to 1e-9 of their size, at random states of random robots that use every word that is read. What
--mjcf writes of a URDF, read again, is the same robot to 1e-12. Vendors' files of ../shared, where they are there, can be
read. --losses names what is lost. What is refused has file and line. ACHD_SWEEP=1: 20 times as many random robots."""
import glob
import json
import math
import os
import random
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
from checks import check, columns, evaluated, finish, refuse, run, states_in, write  # noqa: E402

ACHDGEN, MOTION, TOP = (os.path.abspath(path) for path in sys.argv[1:4])
ROBOTS = 400 if os.environ.get("ACHD_SWEEP") == "1" else 20


def states_of(path, count, seed):
    """[{column: value}] of MuJoCo; None, and its word, where it refuses the model."""
    made = run(MOTION, path, str(count), str(seed))
    if made.returncode:
        return None, made.stdout
    return states_in(made.stdout.splitlines()), ""


def compare(name, path, plain, count=5, seed=1):
    # MuJoCo turns inertias to principal axes, with six digits, and moves a mesh to its centre in single precision
    compare_with(name, (ACHDGEN, path, "--functions", "id"), path, 1e-9 if plain else 1e-6, count, seed)


def compare_with(name, command, path, most, count=5, seed=1, absent=()):
    """The inverse dynamics of a command line of achdgen beside those of MuJoCo's model in a file. absent: inputs, by the beginnings of their names,
    that the model does not have, and that are 0."""
    states, word = states_of(path, count, seed)
    if states is None:
        check(f"{name}: MuJoCo reads it", False, word)
        return
    ins, outs = columns(name, command)
    if not outs:
        return
    joints = {key for key in states[0] if key.startswith("tau.")}
    check(f"{name}: its joints", joints == {key for key in outs if key.startswith("tau.")}, f"{joints}\n{outs}")
    strange = [key for key in ins if key not in states[0] and not key.startswith(tuple(absent))]
    check(f"{name}: its inputs", not strange, f"{strange}")
    keys = [key for key in outs if key != "status"]
    worst, where = 0.0, "nowhere"
    for state, values in zip(states, evaluated(name, command, (ins, outs), states)):
        size = max(abs(state[key]) for key in keys)
        for key in keys:
            if abs(values[key] - state[key]) > worst * size:
                worst, where = abs(values[key] - state[key]) / size, key
    check(f"{name}: torques as MuJoCo's", worst < most and where != "nowhere",
          f"{where} is off by {worst:.2g}\n{open(path, encoding='utf-8').read()}")


# --- random robots ---------------------------------------------------------------------------------------------------------


def numbers(*values):
    return " ".join(f"{v:.9g}" for v in values)


def some(r, low, high, count):
    return numbers(*(r.uniform(low, high) for _ in range(count)))


def orientation(r, degrees):
    """One of the ways to write one."""
    full = 360 if degrees else 2 * math.pi
    return r.choice([
        "", "", f' quat="{some(r, -1, 1, 4)}"', f' axisangle="{some(r, -1, 1, 3)} {r.uniform(-full, full):.6g}"',
        f' euler="{some(r, -full / 2, full / 2, 3)}"', f' xyaxes="{some(r, -1, 1, 6)}"', f' zaxis="{some(r, -1, 1, 3)}"',
        ' zaxis="0 0 -1"', ' quat="0.707107 0 0.707107 0"', f' euler="{"90 0 -90" if degrees else "1.5707963 0 0"}"'])


def geom(r, degrees, meshes):
    kind = r.choice(["sphere", "capsule", "cylinder", "ellipsoid", "box", "box", "plane", "default", "mesh", "ends"])
    mass = r.choice(["", "", f' mass="{r.uniform(0.1, 2):.4g}"', f' density="{r.uniform(100, 3000):.4g}"', ' group="2"'])
    pose = f' pos="{some(r, -0.2, 0.2, 3)}"{orientation(r, degrees)}'
    if kind == "plane" and meshes:
        return '<geom type="sphere" size="0.05" mass="0"/>'
    if kind == "default":
        return f'<geom class="{r.choice(["ball", "stick", "own"])}"{pose}/>'
    if kind == "mesh" and meshes:
        return f'<geom type="mesh" mesh="{r.choice(meshes)}"{mass}{pose}/>'
    if kind in ("ends", "mesh", "plane"):
        return f'<geom type="{r.choice(["capsule", "cylinder"])}" fromto="{some(r, -0.3, 0.3, 6)}" size="0.03"{mass}/>'
    return f'<geom type="{kind}" size="{some(r, 0.02, 0.2, 3)}"{mass}{pose}/>'


def joint(r, degrees, index):
    turn = 180 / math.pi if degrees else 1
    words = r.choice(["", f' name="j{index}"', f' name="j{index}"'])
    words += r.choice(['', ' type="hinge"', ' type="slide"', ' class="stiff"'])
    words += f' axis="{r.choice(["1 0 0", "0 1 0", "0 0 -1", some(r, -1, 1, 3)])}"'
    words += r.choice(["", f' pos="{some(r, -0.2, 0.2, 3)}"'])
    words += r.choice(["", "", f' ref="{0.3 * turn:.6g}"'])
    words += r.choice(["", f' armature="{r.uniform(0.01, 0.3):.3g}"'])
    words += r.choice(["", f' limited="true" range="{-turn:.6g} {2 * turn:.6g}"', ' damping="0.2" frictionloss="0.1"'])
    return f"<joint{words}/>"


def body(r, depth, count, degrees, meshes, plain):
    """A body, and what it carries; count: [joints so far]."""
    name = r.choice(["", f' name="b{depth}_{count[0]}_{r.randrange(10**6)}"'])
    child = r.choice(["", "", ' childclass="own"'])
    text = f'<body{name} pos="{some(r, -0.3, 0.3, 3)}"{orientation(r, degrees)}{child}>\n'
    for _ in range(r.choice([0, 1, 1, 1, 2, 3])):
        text += joint(r, degrees, count[0]) + "\n"
        count[0] += 1
    a, b = sorted(r.uniform(0.03, 0.05) for _ in range(2))
    inertial = r.choice([0, 2]) if plain else r.randrange(4)
    if inertial == 0:
        text += (f'<inertial pos="{some(r, -0.1, 0.1, 3)}" mass="{r.uniform(0.1, 3):.4g}" '
                 f'diaginertia="{numbers(a, b, 0.5 * (a + b))}"{r.choice(["", orientation(r, degrees)])}/>\n')
    elif inertial == 1:
        text += (f'<inertial pos="{some(r, -0.1, 0.1, 3)}" mass="{r.uniform(0.1, 3):.4g}" '
                 f'fullinertia="{numbers(a, b, 0.5 * (a + b))} {some(r, -0.003, 0.003, 3)}"/>\n')
    for _ in range(1 if plain else r.choice([1, 1, 2])):
        text += geom(r, degrees, meshes) + "\n"
    if not plain or inertial == 0:
        text += '<geom type="box" size="0.1 0.05 0.02"/>\n'
    text += r.choice(["", f'<site name="s{r.randrange(10**9)}" pos="{some(r, -0.1, 0.1, 3)}"/>\n'])
    for _ in range(r.choice([0, 1, 1, 2]) if depth < 4 else 0):
        text += body(r, depth + 1, count, degrees, meshes, plain)
    return text + "</body>\n"


def random_robot(seed, folder):
    r = random.Random(seed)
    plain = seed % 2 == 0  # inertias along their axes: no rounding of MuJoCo's
    degrees, meshes = r.random() < 0.6, [] if plain else ["wedge", "slab"]
    settings = r.choice(["", ' balanceinertia="true"', ' settotalmass="7"', ' boundmass="0.05"',
                         f' eulerseq="{r.choice(["zyx", "XYZ", "ZXZ", "xYz"])}"', f' eulerseq="{r.choice(["xzx", "YZX"])}"',
                         "" if plain else ' inertiafromgeom="true"', "" if plain else ' inertiagrouprange="0 1"'])
    angle = r.choice(["", ' angle="degree"']) if degrees else ' angle="radian"'
    own = [0]
    tree = "".join(body(r, 0, own, degrees, meshes, plain) for _ in range(r.choice([1, 1, 2])))
    if r.random() < 0.3:
        own = [0]
        tree = body(r, 0, own, degrees, meshes, plain)
        head, rest = tree.split("\n", 1)  # a floating base has no other joints
        while rest.startswith("<joint"):
            rest = rest.split("\n", 1)[1]
            own[0] -= 1
        tree = head + "\n" + r.choice(["<freejoint/>", '<joint name="root" type="free" armature="0"/>']) + "\n" + rest
        tree += '<body name="table"><geom size="1"/></body>\n'
    if own[0] < 1 and "<joint" not in tree:
        return None
    with open(os.path.join(folder, "wedge.stl"), "wb") as file:
        file.write(stl([(0, 0, 0), (0.25, 0, 0), (0, 0.375, 0), (0.0625, 0.0625, 0.5)]))
    write(os.path.join(folder, "slab.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n")
    write(os.path.join(folder, "classes.xml"),
          '<mujoco><default><geom density="700" size="0.06"/>\n<default class="ball"><geom type="sphere" mass="0.3"/>'
          '</default><default class="own"><joint armature="0.02"/><geom type="capsule" size="0.04 0.1" rgba="1 0 0 1"/>'
          '<default class="stick"><geom size="0.02 0.2"/></default></default><default class="stiff">'
          '<joint type="slide" stiffness="3" damping="1"/></default></default></mujoco>')
    path = os.path.join(folder, f"robot_{seed}.xml")
    write(path, f'<mujoco model="robot {seed}">\n<compiler exactmeshinertia="true"{angle}{settings}/>\n<include file="classes.xml"/>\n<asset>'
          '<mesh name="wedge" file="wedge.stl" scale="1 2 0.5"/><mesh file="slab.obj" scale="0.125 0.25 0.0625"/></asset>\n'
          f'<worldbody>\n<light pos="0 0 3"/><geom type="plane" size="1 1 1"/>\n{tree}</worldbody>\n</mujoco>\n')
    return path


def stl(corners):
    """A tetrahedron, its triangles outwards."""
    text = b"\0" * 80 + struct.pack("<I", 4)
    for a, b, c in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)):
        text += struct.pack("<12fH", 0, 0, 0, *corners[a], *corners[b], *corners[c], 0)
    return text


# --- what is refused ---------------------------------------------------------------------------------------------------------

BODY = '<mujoco><worldbody><body name="b">\n'
END = "</body></worldbody></mujoco>"
REFUSED = [
    (BODY + '<inertial mass="-1" pos="0 0 0" diaginertia="1 1 1"/><joint/>' + END, 2, "mass -1 kg"),
    (BODY + '<inertial mass="nan" pos="0 0 0" diaginertia="1 1 1"/><joint/>' + END, 2, '"nan" is not a number'),
    (BODY + '<inertial mass="1" pos="0 0 0" diaginertia="1 1 -1"/><joint/>' + END, 2, "principal moments -1, 1 and 1"),
    (BODY + '<inertial mass="1" pos="0 0 0" fullinertia="1 1 1 5 0 0"/><joint/>' + END, 2, "none can be below 0"),
    (BODY + '<inertial mass="1" diaginertia="1 1 1"/><joint/>' + END, 2, "has no pos"),
    ('<mujoco><worldbody><body name="b"><joint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>\n<inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/>' + END, 2,
     "has two <inertial>"),
    (BODY + '<geom size="1" mass="-1"/><joint/>' + END, 2, "mass or density below 0"),
    (BODY + '<geom size="0"/><joint/>' + END, 2, "a size that is not above 0"),
    (BODY + '<joint name="j" armature="-1"/><geom size="1"/>' + END, 2, "has the armature -1"),
    ('<mujoco><worldbody>\n<joint/><body><geom size="1"/></body></worldbody></mujoco>', 2, "<joint> of <worldbody>: the world stands still"),
    ('<mujoco>\n<compiler angle="grad"/><worldbody/></mujoco>', 2, 'angle="grad" is not read'),
    ('<mujoco>\n<include file="bad.xml"/></mujoco>', 2, "is included twice"),
    ('<mujoco>\n<include file="pipe"/></mujoco>', 2, "cannot be read"),
    (BODY + '<joint name="j" ref="1e308"/><geom size="1"/>' + END, 2, "its ref is 1e+308"),
    ('<mujoco><asset>\n<mesh name="m" file="corner.obj" scale="1e200 1e200 1e200"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body>'
     '</worldbody></mujoco>', 2, "encloses no volume"),
    ('<mujoco><default>\n<default><joint damping="1"/></default></default><worldbody/></mujoco>', 2, "has no class"),
    ('<mujoco><default><default class="a"/>\n<default class="a"/></default><worldbody/></mujoco>', 2, 'the class "a" is declared twice'),
    ("<mujoco><worldbody>\n<body na", 2, "not well-formed XML"),
    ('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><keyframe><key name="k" qpos="1"/>\n<key name="k" qpos="1"/></keyframe></mujoco>', 2,
     'two postures are called "k"'),
    ("<mujoco><worldbody>" + "<body>\n" * 400 + "</body>" * 400 + "</worldbody></mujoco>", 199, "nested more than 200 deep"),
    ('<mujoco><worldbody><body><joint type="ball"/>\n<joint/><geom size="1"/></body></worldbody></mujoco>', 2, "turns behind the ball joint"),
    ('<mujoco><worldbody><body>\n<joint type="ball" armature="-1"/><geom size="1"/></body></worldbody></mujoco>', 2, "armature -1"),
    ('<mujoco><worldbody><body><joint name="j" type="ball"/><geom size="1"/></body></worldbody><equality>\n<joint joint1="j"/></equality></mujoco>', 2,
     'no joint "j" that it can hold'),
    ('<mujoco><worldbody><body><joint type="ball"/><geom size="1"/></body></worldbody><keyframe>\n<key qpos="1 0 0"/></keyframe></mujoco>', 2,
     "qpos has 3 numbers, and the joints have 4"),
    ('<mujoco><worldbody><body>\n<joint class="no"/></body></worldbody></mujoco>', 2, 'class "no" is not declared'),
    ('<mujoco><worldbody><body>\n<joint axis="0 0"/></body></worldbody></mujoco>', 2, "axis needs 3 numbers, not 2"),
    ('<mujoco><worldbody><body>\n<joint axis="0 0 0"/></body></worldbody></mujoco>', 2, "its axis is 0 0 0"),
    ('<mujoco><worldbody><body>\n<joint pos="0 0 one"/></body></worldbody></mujoco>', 2, '"one" is not a number'),
    ('<mujoco><worldbody><body>\n<joint limited="maybe"/></body></worldbody></mujoco>', 2, 'limited is "maybe"'),
    ('<mujoco><worldbody><body>\n<joint type="screw"/></body></worldbody></mujoco>', 2, 'unknown type "screw"'),
    ('<mujoco><worldbody><body><joint/><geom size="1"/>\n<body><freejoint/></body></body></worldbody></mujoco>', 2,
     "free joint within another body"),
    ('<mujoco><worldbody><body><freejoint/></body>\n<body><freejoint/></body></worldbody></mujoco>', 1, "which one is the robot"),
    ('<mujoco><worldbody>\n<replicate count="3"><body/></replicate></worldbody></mujoco>', 2, "<replicate> is not read"),
    ('<mujoco><worldbody><body name="a"/>\n<body name="a"/></worldbody></mujoco>', 2, 'called "a"'),
    ('<mujoco><tendon>\n<fixed name="t" stiffness="3"/></tendon><worldbody/></mujoco>', 2, 'tendon "t" has stiffness 3'),
    ('<mujoco><worldbody><body><joint/>\n<geom type="mesh" mesh="m"/></body></worldbody></mujoco>', 2, "not in <asset>"),
    ('<mujoco><asset>\n<mesh name="m" file="no.stl"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body>'
     '</worldbody></mujoco>', 2, "cannot be read"),
    ('<mujoco>\n<include file="absent.xml"/></mujoco>', 2, "cannot be read"),
    ('<mujoco><worldbody><body><joint/>\n<inertial pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>', 2, "has no mass"),
    ('<mujoco>\n<compiler coordinate="global"/><worldbody/></mujoco>', 2, 'coordinate="global" is not read'),
    ('<mujoco>\n<compiler eulerseq="abc"/><worldbody/></mujoco>', 2, 'eulerseq="abc" is not read'),
    ('<mujoco>\n<deformable><skin/><flex/></deformable><worldbody/></mujoco>', 2, "<flex> of <deformable> is not read"),
    ('<mujoco><asset>\n<mesh name="m" file="no.stl" inertia="shell"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body>'
     '</worldbody></mujoco>', 2, 'has inertia="shell"'),
    ('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><keyframe>\n<key qpos="1 2"/></keyframe></mujoco>', 2,
     "qpos has 2 numbers, and the joints have 1"),
    ('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><keyframe>\n<key qpos="1 x"/></keyframe></mujoco>', 2,
     '"x" is not a number'),
    ('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><actuator>\n<motor joint="x"/></actuator></mujoco>', 2,
     'joint "x" is not there'),
    ('<mujoco><worldbody><body><joint/>\n<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/></body></worldbody></mujoco>', 2,
     "length 0"),
]


def comparison():
    """What is changed in a robot, the largest effect first; and nothing, where nothing is."""
    gen3 = open(os.path.join(TOP, "robots", "gen3.urdf"), encoding="utf-8").read()
    masses = re.findall(r'<mass value="([^"]*)"/>', gen3)
    other = gen3.replace(f'<mass value="{masses[4]}"/>', f'<mass value="{2 * float(masses[4])}"/>', 1)
    other = other.replace('lower="-2.24"', 'lower="-2.2"', 1)
    write("other.urdf", other)
    urdf = os.path.join(TOP, "robots", "gen3.urdf")
    said = run(ACHDGEN, urdf, "-q", "--compare", "other.urdf")
    lines = said.stdout.splitlines()
    check("--compare: a mass and a limit", said.returncode == 0 and len(lines) >= 2 and "mass" in lines[0] and
          float(lines[0].split()[0]) > 1 and any("lower limit -2.24 and -2.2" in line for line in lines), said.stdout + said.stderr)
    for words in (("--inspect", "--compare", "other.urdf"), ("--compare", "other.urdf", "--inspect")):
        check("--inspect --compare", run(ACHDGEN, urdf, "-q", *words).stdout == said.stdout)
    said = run(ACHDGEN, urdf, "--compare", urdf)
    check("--compare: nothing", said.returncode == 0 and said.stdout == "" and "the same numbers" in said.stderr, said.stderr)
    # the place of a joint, whatever stands between it and the joint before: a bracket, or nothing
    links = "".join(f'<link name="{name}"><inertial><mass value="1"/><origin xyz="0.1 0 0.1"/><inertia ixx="1" iyy="1" izz="1"/>'
                    "</inertial></link>" for name in ("base", "arm", "hand"))
    turn = '<joint name="{}" type="continuous"><parent link="{}"/><child link="{}"/><axis xyz="0 1 0"/><origin xyz="{}"/></joint>'
    bracket = ('<link name="bracket"/><joint name="f" type="fixed"><parent link="arm"/><child link="bracket"/>'
               '<origin xyz="0.1 0 0.2"/></joint>')
    first = turn.format("a", "base", "arm", "0 0 0")
    robots = {"own": bracket + turn.format("b", "bracket", "hand", "0 0 0.1"),
              "bracket": bracket + turn.format("b", "bracket", "hand", "0 0 0.4"),
              "plain": turn.format("b", "arm", "hand", "0.1 0 0.6")}
    for name, rest in robots.items():
        with open(name + ".urdf", "w", encoding="utf-8") as file:
            file.write(f'<robot name="r">{links}{first}{rest}</robot>')
    answers = [run(ACHDGEN, "own.urdf", "-q", "--compare", name + ".urdf").stdout for name in ("bracket", "plain")]
    check("--compare: a joint's place by other links", answers[0] == answers[1] and "b: origin 0.1 0 0.3 and 0.1 0 0.6" in answers[0],
          "\n".join(answers))
    # what a joint is: another parent, type, mimic; and what the base weighs
    for robot, old, new, wanted in (
            ("panda", '<parent link="panda_link4"/>', '<parent link="panda_link2"/>', r" *[1-9][0-9.]* +panda_joint5: stands on panda_joint4 and on panda_joint2\n$"),
            ("panda", 'name="panda_joint1" type="revolute"', 'name="panda_joint1" type="prismatic"', r" *[1-9][0-9.]* +panda_joint1: revolute and prismatic\n$"),
            ("gripper", 'joint="left_crank_joint" multiplier="-1"', 'joint="left_crank_joint" multiplier="0.5" offset="0.1"',
             r" *0\.0[1-9]\d* +right_crank_joint: mimics left_crank_joint by -1 q \+ 0 and 0.5 q \+ 0.1\n$"),
            ("gripper", '<mimic joint="left_crank_joint" multiplier="-1"/>', "", r" *- +right_crank_joint: mimics left_crank_joint and none\n$"),
            ("quadruped", '<mass value="6.5"', '<mass value="7.5"', r" *- +trunk: mass 6.5 and 7.5 kg\n$")):
        path = os.path.join(TOP, "robots", robot + ".urdf")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        write("changed.urdf", text.replace(old, new, 1))
        said = run(ACHDGEN, path, "-q", "--compare", "changed.urdf")
        check(f"--compare: {old}", old in text and said.returncode == 0 and re.match(wanted, said.stdout), said.stdout + said.stderr)
    run(ACHDGEN, urdf, "-q", "--mjcf", "again.xml")
    said = run(ACHDGEN, urdf, "-q", "--compare", "again.xml")
    check("--compare: with its MJCF", said.returncode == 0 and all("velocity limit" in line for line in said.stdout.splitlines()),
          said.stdout)


def losses():
    # each line of this file that is not in the model, and what it changes
    write("all.xml", '''<mujoco>
<option density="1.2"/>
<visual/>
<asset><texture name="t"/></asset>
<worldbody>
<geom type="plane" size="1 1 1"/><light/>
<body name="b" gravcomp="1"><freejoint/><geom type="box" size="1 1 1"/><frame><geom size="1"/><camera/></frame>
<site/><body name="c"><joint name="j" range="-1 1" limited="true" actuatorfrcrange="-7 5"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
<geom size="1"/></body></body></worldbody>
<actuator><position joint="j" forcerange="-9 9"/></actuator>
<contact/>
<sensor/>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.3"/>
<key ctrl="1" qpos="0 0 1 1 0 0 0 0.4"/></keyframe></mujoco>''')
    said = run(ACHDGEN, "all.xml", "-q", "--losses")
    want = [(2, "gravity is an input"), (2, "density 1.2"), (3, "<visual>"), (4, "<asset>"), (6, "the world: 1 geom (plane)"),
            (6, "the world: 1 light"), (7, 'body "b": 2 geoms (box, sphere)'), (7, "their masses count"), (7, 'body "b": 1 camera'),
            (7, "gravcomp"), (8, "1 site without a name"), (9, "their masses do not count"), (10, "its law is not in the model"),
            (11, "<contact>"), (12, "<sensor>"), (14, 'posture "key_1": of <key>, qpos alone')]
    lines = said.stdout.splitlines()
    for line, word in want:
        check(f"a loss: {word}", any(text.startswith(f"all.xml:{line}: ") and word in text for text in lines), said.stdout + said.stderr)
    check("no other losses", len(lines) == len(want) - 1, said.stdout)
    said = run(ACHDGEN, "all.xml", "-q", "--inspect")
    check("postures, and the largest force", "  home:  j 0.3\n  key_1:  j 0.4" in said.stdout and "effort 7 N m" in said.stdout, said.stdout)
    description = json.loads(run(ACHDGEN, "all.xml", "-q", "--describe", "json").stdout)
    check("postures described", description.get("postures") == [{"name": "home", "q": [0.3]}, {"name": "key_1", "q": [0.4]}], description.get("postures"))
    run(ACHDGEN, "all.xml", "-q", "--mjcf", "begin.xml")
    check("--mjcf begins there", re.search(r'<key name="home" qpos="[^"]* 0.29999999999999999"', open("begin.xml", encoding="utf-8").read()),
          open("begin.xml", encoding="utf-8").read()[-300:])
    write("lost.xml", '<mujoco>\n<option gravity="0 0 -9"/><worldbody><body><geom size="1"/>\n<joint name="j" stiffness="3" '
          'springref="90"/></body></worldbody>\n<equality>\n<connect active="false" body1="b" anchor="0 0 0"/></equality></mujoco>')
    said = run(ACHDGEN, "lost.xml", "--losses")
    check("losses of MJCF", said.returncode == 0 and "lost.xml:2: <option>" in said.stdout and
          'lost.xml:3: joint "j": its spring is not in the model: add the torque -3 (q - 1.5708)' in said.stdout and
          "lost.xml:5: equality <connect> of b: it is not active" in said.stdout, said.stdout + said.stderr)
    # words that nobody knows; what is tied to what is none of the robot's; actuators of a class, whatever their kind
    write("words.xml", '''<mujoco><default><general forcerange="-5 5"/></default><worldbody>
<body name="m" mocap="true"><site name="ms"/></body>
<body name="b"><joint name="j" wibble="1" stiffness="-1" springref="-90"/>
<gizmo/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><site name="s"/></body></worldbody>
<gizmos/>
<equality><weld body1="m" body2="b"/>
<connect site1="ms" site2="s"/></equality><actuator><motor joint="j" gear="2"/></actuator></mujoco>''')
    said = run(ACHDGEN, "words.xml", "--losses")
    want = [(2, "a mocap body"), (3, "unknown attribute wibble of <joint>"), (3, "add the torque 1 (q + 1.5708)"), (4, "unknown element <gizmo> of <body>"),
            (5, "unknown element <gizmos> of <mujoco>"), (6, "equality <weld> of m and b: not in the model"), (7, "equality <connect> of ms and s: not in the model")]
    for line, word in want:
        check(f"a loss: {word}", any(text.startswith(f"words.xml:{line}: {word}") or (text.startswith(f"words.xml:{line}: ") and word in text)
                                     for text in said.stdout.splitlines()), said.stdout + said.stderr)
    check("no other losses of words", len(said.stdout.splitlines()) == len(want), said.stdout)
    said = run(ACHDGEN, "words.xml", "--functions", "id", "--inspect")
    check("unknown words are warnings", "words.xml:3: warning: unknown attribute wibble" in said.stderr or "unknown attribute wibble" in said.stdout, said.stdout + said.stderr)
    check("an actuator of a class", "effort 10 N m" in said.stdout, said.stdout)
    write("lost.urdf", '<robot name="r">\n<link name="a">\n<visual/></link><link name="b"/><joint name="j" type="continuous">\n'
          '<safety_controller/><parent link="a"/><child link="b"/>\n<limit jerk="3" effort="1" velocity="1"/></joint>\n'
          '<transmission/>\n<speaker/></robot>')
    said = run(ACHDGEN, "lost.urdf", "-q", "--losses")
    lines = [f"lost.urdf:{line}: {word}" for line, word in
             ((3, "<visual>"), (4, "<safety_controller>"), (5, "jerk of <limit>"), (6, "<transmission>"), (7, "unknown element <speaker>"))]
    check("losses of a URDF", said.returncode == 0 and len(said.stdout.splitlines()) == 5 and
          all(line in said.stdout for line in lines), said.stdout + said.stderr)
    write("whole.urdf", '<robot name="r"><link name="a"/></robot>')
    said = run(ACHDGEN, "whole.urdf", "--losses")
    check("nothing lost, nothing said", said.returncode == 0 and said.stdout == "", said.stdout + said.stderr)


# --- round trip, and vendors' files ------------------------------------------------------------------------------------------


def limits_of(path):
    """Of the joints, as --inspect has them."""
    said = run(ACHDGEN, path, "-q", "--functions", "id", "--inspect").stdout
    rows = said.split("\njoints (", 1)[1].split("\n\n", 1)[0].splitlines()
    rows = [re.sub(r"  velocity \S+ \S+", "", row) for row in rows]  # which MJCF does not have
    return [re.sub(r"  effort.*", "", row) if "finger_joint2" in row else row for row in rows]  # nor a motor of what follows


def round_trip(robot, function):
    urdf = os.path.join(TOP, "robots", robot + ".urdf")
    run(ACHDGEN, urdf, "-q", "--mjcf", "again.xml")
    name, commands = f"{robot} {function}", [(ACHDGEN, path, "--functions", function) for path in (urdf, "again.xml")]
    names, again = (columns(name, command) for command in commands)
    check(f"{name}: the same columns", names[0] and names == again)
    check(f"{robot}: the same joints and limits", limits_of(urdf) == limits_of("again.xml"), limits_of("again.xml"))
    r = random.Random(7)
    states = [{key: r.uniform(-1, 1) for key in names[0]} for _ in range(1000 if ROBOTS > 100 else 30)]
    answers = [evaluated(name, command, names, states) for command in commands]
    worst = 0.0
    for a, b in zip(*answers):
        size = max(map(abs, a.values()))
        worst = max([worst] + [abs(a[key] - b[key]) / size for key in a])
    check(f"{name}: the same numbers", len(answers[0]) == len(states) and worst < 1e-12, f"off by {worst:.2g}")


def vendors():
    """Those of ../shared whose meshes are not needed are read, with the number of joints that the file has."""
    archive = os.path.join(TOP, "..", "shared", "mjcf.tar.xz")
    if not os.path.exists(archive):
        print("no vendors' files: ../shared/mjcf.tar.xz is not there")
        return
    run("tar", "-xf", archive)
    for path in sorted(glob.glob("mjcf/*.xml")):
        said = run(ACHDGEN, path, "-q", "--functions", "id", "--columns")
        missing = said.returncode == 1 and ".stl\": the file cannot be read" in said.stderr
        check(f"{path}: read, or its mesh is missing", said.returncode == 0 or missing, said.stderr + said.stdout)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        seeds, made = 0, 0
        while made < ROBOTS:
            seeds += 1
            path = random_robot(seeds, folder)
            if path:
                made += 1
                compare(f"random robot {seeds}", path, seeds % 2 == 0, seed=seeds)
        for robot, function in (("gen3", "id"), ("iiwa7", "fd"), ("quadruped", "crba"), ("panda", "fd")):
            round_trip(robot, function)
        vendors()
        losses()
        comparison()
        os.mkfifo("pipe")
        for k in range(3):  # no file nests too deep, but all together do
            inside = f'<include file="deep_{k + 1}.xml"/>' if k < 2 else ""
            write(f"deep_{k}.xml", "<mujoco>" + "<worldbody>" * (k == 0) + "<body>" * 100 + inside + "</body>" * 100 + "</worldbody>" * (k == 0) + "</mujoco>")
        said = run(ACHDGEN, "deep_0.xml", "-q", "--functions", "fk", "--columns")
        check("included files that nest", said.returncode == 1 and re.match(r"deep_\d.xml:1: error: elements are nested more than 200 deep", said.stderr), said.stderr)
        for word in ("axisangle=\"%s 0 0 30\"", "zaxis=\"0 %s %s\"", "xyaxes=\"0 %s 0 1 0 0\"", "xyaxes=\"0 1 0 %s 0 0\""):  # a direction has any length
            turned = []
            for length in ("1", "1e200", "1e-200"):
                write("long.xml", f"<mujoco><worldbody><body {word.replace('%s', length)}><joint axis=\"{length} 0 0\"/><geom size=\"1\" pos=\"1 2 3\"/></body></worldbody></mujoco>")
                turned.append(run(ACHDGEN, "long.xml", "-q", "--functions", "gravity", "--eval", text="1 0 0 -9.81\n").stdout)
            check(f"{word} of any length", turned[0] and turned == turned[:1] * 3, str(turned))
        write("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        refuse(ACHDGEN, "bad.xml", REFUSED)
    finish()


if __name__ == "__main__":
    main()
