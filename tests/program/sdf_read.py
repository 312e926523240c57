#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sdf_read.py ACHDGEN SDF_LINKS: an SDF file read by achdgen and by libsdformat is the same robot: the joint-space inertia of
random robots that use every word that is read, from libsdformat's links and joints by its definition, is equal to 1e-9.
Then included files, losses, and what is refused, with file and line. ACHD_SWEEP=1: 20 times as many random robots."""
import math
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
from checks import check, columns, evaluated, finish, refuse, run, write  # noqa: E402

ACHDGEN, LINKS = (os.path.abspath(path) for path in sys.argv[1:3])
ROBOTS = 240 if os.environ.get("ACHD_SWEEP") == "1" else 12


# --- M by its definition -----------------------------------------------------------------------------------------------------


def product(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(A, v):
    return [sum(A[i][k] * v[k] for k in range(3)) for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def then(X, Y):
    """The pose Y, as X has it: (p, R)."""
    return add(X[0], apply(X[1], Y[0])), product(X[1], Y[1])


def rotation(axis, angle):
    n = math.sqrt(sum(a * a for a in axis))
    a, s, c = [x / n for x in axis], math.sin(angle), math.cos(angle)
    K = [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
    return [[(i == j) * c + s * K[i][j] + (1 - c) * a[i] * a[j] for j in range(3)] for i in range(3)]


ONE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def inertia_matrix(links, joints, q):
    """{(joint, joint): M}: the sum of m Jv^T Jv + Jw^T I Jw over all links."""
    moving = [name for name, joint in joints.items() if joint["type"] != "fixed"]
    pose, above, where = {}, {}, {}
    roots = {joint["parent"] for joint in joints.values()} - {joint["child"] for joint in joints.values()}
    for root in roots:
        pose[root], above[root] = ([0, 0, 0], ONE), []
    left = dict(joints)
    while left:
        name = next(key for key, joint in left.items() if joint["parent"] in pose)
        joint = left.pop(name)
        X = then(pose[joint["parent"]], joint["pose"])
        path = above[joint["parent"]]
        axis, anchor = joint["axis"], joint["anchor"]
        if joint["type"] in ("revolute", "continuous"):
            where[name] = add(X[0], apply(X[1], anchor)), apply(X[1], axis)
            R = rotation(axis, q[name])
            X = then(X, (add(anchor, [-x for x in apply(R, anchor)]), R))
        elif joint["type"] == "prismatic":
            where[name] = X[0], apply(X[1], axis)
            X = then(X, ([q[name] * x for x in axis], ONE))
        pose[joint["child"]] = X
        above[joint["child"]] = path + ([name] if joint["type"] != "fixed" else [])
    M = {(a, b): 0.0 for a in moving for b in moving}
    for name, link in links.items():
        centre = then(pose[name], link["com"])
        I = product(product(centre[1], link["I"]), [list(row) for row in zip(*centre[1])])
        turn, shift = {}, {}
        for j in above[name]:
            if joints[j]["type"] == "prismatic":
                turn[j], shift[j] = [0, 0, 0], where[j][1]
            else:
                turn[j] = where[j][1]
                shift[j] = cross(turn[j], [x - y for x, y in zip(centre[0], where[j][0])])
        for a in above[name]:
            for b in above[name]:
                M[a, b] += link["m"] * sum(x * y for x, y in zip(shift[a], shift[b]))
                M[a, b] += sum(x * y for x, y in zip(turn[a], apply(I, turn[b])))
    return M


def read_links(path):
    made = run(LINKS, path)
    links, joints = {}, {}
    for line in made.stdout.replace("::", "__").splitlines():  # as columns have them
        words = line.split()
        if words[0] == "link":
            v = [float(word) for word in words[2:]]
            xx, xy, xz, yy, yz, zz = v[13:19]
            links[words[1]] = {"m": v[0], "com": (v[1:4], [v[4:7], v[7:10], v[10:13]]),
                               "I": [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]}
        elif words[0] == "joint":
            v = [float(word) for word in words[5:]]
            joints[words[1]] = {"type": words[2], "parent": words[3], "child": words[4],
                                "pose": (v[0:3], [v[3:6], v[6:9], v[9:12]]), "anchor": v[12:15], "axis": v[15:18]}
    return made.returncode == 0, links, joints, made.stdout


def compare(name, path, seed):
    good, links, joints, word = read_links(path)
    text = open(path, encoding="utf-8").read()
    check(f"{name}: libsdformat reads it", good, word + text)
    if not good:
        return
    command = (ACHDGEN, path, "--functions", "crba", "--snap", "0")
    names = columns(name, command)
    r = random.Random(seed)
    worst, size = 0.0, 0.0
    moving = [j for j, joint in joints.items() if joint["type"] != "fixed"]
    check(f"{name}: its joints", sorted("q." + j for j in moving) == sorted(names[0]), f"{names[0]}\n{text}")
    states = [{j: r.uniform(-2, 2) for j in moving} for _ in range(3)]
    for q, values in zip(states, evaluated(name, command, names, [{"q." + j: x for j, x in q.items()} for q in states])):
        M = inertia_matrix(links, joints, q)
        for (a, b), expected in M.items():
            key = f"M.{a}.{b}"
            size = max(size, abs(expected))
            if key in values or f"M.{b}.{a}" in values:
                worst = max(worst, abs(values.get(key, values.get(f"M.{b}.{a}")) - expected))
            else:
                worst = max(worst, abs(expected))  # what is not put out is 0
    check(f"{name}: M as libsdformat's links have it", worst < 1e-9 * size, f"off by {worst:.2g} of {size:.2g}\n{text}")


# --- random robots -----------------------------------------------------------------------------------------------------------


def pose(r, relative=None):
    p, turn = [r.uniform(-0.4, 0.4) for _ in range(3)], [r.uniform(-3, 3) for _ in range(3)]
    said = f' relative_to="{relative}"' if relative else ""
    way = r.randrange(4)
    if way == 0:
        said += ' rotation_format="quat_xyzw"'
        turn = [r.uniform(-1, 1) for _ in range(4)]
        turn = [x / math.sqrt(sum(y * y for y in turn)) for x in turn]
    elif way == 1:
        said += ' degrees="true"'
        turn = [r.choice([0, 90, -45, 30, 180]) for _ in range(3)]
    return f"<pose{said}>{' '.join(f'{x:.17g}' for x in p + turn)}</pose>"


def link(r, name, relative=None):
    a, b = sorted(r.uniform(0.03, 0.05) for _ in range(2))
    inertial = (f"<inertial>{pose(r) if r.random() < 0.7 else ''}<mass>{r.uniform(0.2, 3):.6g}</mass><inertia><ixx>{a:.6g}</ixx>"
                f"<iyy>{b:.6g}</iyy><izz>{(a + b) / 2:.6g}</izz><ixy>0.001</ixy><iyz>-0.002</iyz><ixz>0</ixz></inertia></inertial>")
    placed = pose(r, relative) if r.random() < 0.9 else ""
    return f'<link name="{name}">{placed}{r.choice([inertial, inertial, ""])}<visual name="v"/></link>\n'


def joint(r, name, parent, child, frames):
    kind = r.choice(["revolute", "revolute", "continuous", "prismatic", "revolute" if name == "j1" else "fixed"])
    expressed = r.choice(["", f' expressed_in="{r.choice(frames)}"'])
    axis = f"<axis><xyz{expressed}>{' '.join(f'{r.uniform(-1, 1):.6g}' for _ in range(3))}</xyz>"
    axis += r.choice(["", "<limit><lower>-1</lower><upper>2</upper><effort>5</effort></limit>"]) + "</axis>"
    placed = pose(r, r.choice([None, None, r.choice(frames)])) if r.random() < 0.6 else ""
    return (f'<joint name="{name}" type="{kind}">{placed}<parent>{parent}</parent><child>{child}</child>'
            f"{axis if kind != 'fixed' else ''}</joint>\n")


def random_robot(seed):
    r = random.Random(seed)
    text, links, frames = link(r, "l0"), ["l0"], ["__model__", "l0"]
    if r.random() < 0.5:
        text += '<joint name="hold" type="fixed"><parent>world</parent><child>l0</child></joint>\n'
    for i in range(1, r.choice([3, 5, 7])):
        if r.random() < 0.4:
            text += f'<frame name="f{i}" attached_to="{r.choice(frames)}">{pose(r)}</frame>\n'
            frames.append(f"f{i}")
        if r.random() < 0.2:
            text += (f'<model name="m{i}">{pose(r, r.choice(frames))}{link(r, "a")}{link(r, "b", "a")}'
                     f'{joint(r, "j", "a", "b", ["__model__", "a", "b"])}</model>\n')
            name, ends = f"m{i}::a", [f"m{i}::a", f"m{i}::b"]
        else:
            text += link(r, f"l{i}", r.choice(frames))
            name, ends = f"l{i}", [f"l{i}"]
        text += joint(r, f"j{i}", r.choice(links), name, frames)
        links += ends
        frames += ends
    write("robot.sdf", f'<?xml version="1.0"?>\n<sdf version="1.9">\n<model name="robot_{seed}">\n{text}</model>\n</sdf>\n')


# --- old versions, included files, losses, refusals --------------------------------------------------------------------------

ARM = """<sdf version="1.%d"><model name="arm"><pose>1 2 3 0 0 1</pose>
<link name="a"><inertial><mass>1</mass></inertial></link>
<link name="b"><pose>0.1 0 0.5 0.4 0 0</pose><inertial><pose>0.1 0.2 0 0 0 0</pose><mass>2</mass></inertial></link>
<joint name="j" type="revolute"><pose>0 0.1 0 0 0.3 0</pose><parent>a</parent><child>b</child>
<axis><xyz>0 0.6 0.8</xyz>%s</axis></joint></model></sdf>"""
REFUSED = [
    ('<sdf version="1.2">\n<model name="m"/></sdf>', 1, 'SDF of the version "1.2" is not read'),
    ('<sdf version="1.9">\n<world name="w"/></sdf>', 1, "has no <model>"),
    ('<sdf version="1.9"><model name="a"><link name="l"/></model>\n<model name="b"/></sdf>', 2, "two models"),
    ('<sdf version="1.9"><model name="a"><link name="l"/>\n<link name="l"/></model></sdf>', 2, '"l" is the name of two things'),
    ('<sdf version="1.9"><model name="a">\n<link name="l"><pose relative_to="x"/></link></model></sdf>', 2,
     'relative to "x", which is not there'),
    ('<sdf version="1.9"><model name="a">\n<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/><link name="l"/></model>'
     '</sdf>', 2, "relative to itself"),
    ('<sdf version="1.9"><model name="a"><link name="l"/><link name="k"/>\n<joint name="j" type="screw"><parent>l</parent>'
     '<child>k</child></joint></model></sdf>', 2, 'of the type "screw"'),
    ('<sdf version="1.9"><model name="a"><link name="l"/><link name="k"/>\n<joint name="j" type="gearbox"><parent>l</parent>'
     '<child>k</child><gearbox_ratio>3</gearbox_ratio></joint></model></sdf>', 2, "follow the other: <mimic> in its <axis>"),
    ('<sdf version="1.9"><model name="a"><link name="l"/><link name="k"/>\n<joint name="j" type="universal"><parent>l</parent>'
     '<child>k</child><axis><xyz>1 0 0</xyz></axis></joint></model></sdf>', 2, "has no <axis2>"),
    ('<sdf version="1.9"><model name="a"><link name="l"/>\n<joint name="j" type="fixed"><parent>l</parent><child>k</child></joint>'
     '</model></sdf>', 2, 'relative to "k", which is not there'),
    ('<sdf version="1.9"><model name="a"><link name="l">\n<pose>1 2 three 0 0 0</pose></link></model></sdf>', 2,
     '"three" is not a number'),
    ('<sdf version="1.9"><model name="a"><link name="l">\n<pose>1 2 3</pose></link></model></sdf>', 2, "<pose> needs 6 numbers, not 3"),
    ('<sdf version="1.11"><model name="a"><link name="l">\n<inertial auto="true"/></link></model></sdf>', 2, "newer than SDF 1.9"),
    ('<sdf version="1.9"><model name="a">\n<include><uri>model://gone</uri></include></model></sdf>', 2, 'the model "model://gone" is not there'),
    ('<sdf version="1.9"><model name="a"><link name="l"/><link name="k"/>\n<joint name="j" type="revolute"><parent>l</parent>'
     '<child>k</child><axis><xyz>0 0 0</xyz></axis></joint></model></sdf>', 2, "its axis is 0 0 0"),
    ('<sdf version="1.9"><model name="a"><link name="l">\n<pose>1e308 0 0 0 0 0</pose></link></model></sdf>', 2, "<pose>: 1e+308 is more than"),
    ('<sdf version="1.9"><model name="a">\n<include><uri>pipe.sdf</uri></include></model></sdf>', 2, 'the model "pipe.sdf" is not there'),
]


LOST = """<sdf version="1.9"><world name="w">
<gravity>0 0 -3</gravity><model name="m" wibble="1" ame="2">
<gripper name="g"/><gizmo/>
<link name="a"><gravity>0</gravity>
<sensor name="s" type="imu"/><gadget/><pose wobble="2"/></link>
<link name="b"><inertial><mass>1</mass><density>7</density><gadget/></inertial></link><joint name="j" type="revolute" wibble="1"><parent>a</parent><child>b</child>
<physics/><axis><xyz>0 0 1</xyz>
<dynamics><spring_stiffness>3</spring_stiffness><spring_reference>-4</spring_reference></dynamics>
<limit><lower>-1</lower><upper>1</upper><stiffness>1e8</stiffness></limit></axis></joint></model></world></sdf>"""
LOSSES = [(2, "no joint holds the model"), (2, "<gravity> of the world: not in the model: gravity is an input"), (2, "unknown attribute wibble of <model>"),
          (2, "unknown attribute ame of <model>"),
          (3, "<gripper> of model"), (3, 'unknown element <gizmo> of model "m"'), (4, '<gravity> of link "a": not in the model: gravity acts'), (5, '<sensor> of link "a"'),
          (5, 'unknown element <gadget> of link "a"'), (5, "unknown attribute wobble of <pose>"), (6, '<density> of link "b"'), (6, 'unknown element <gadget> of link "b"'), (6, "unknown attribute wibble of <joint>"), (7, '<physics> of joint "j"'),
          (8, "add the torque -3 (q + 4) to tau"), (9, '<stiffness> of joint "j"')]


def losses():
    """Each thing of the file that is not in the model, once; words that nobody knows are warnings, too."""
    write("lost.sdf", LOST)
    said = run(ACHDGEN, "lost.sdf", "-q", "--losses")
    lines = said.stdout.splitlines()
    for line, word in LOSSES:
        check(f"a loss: {word}", sum(text.startswith(f"lost.sdf:{line}: ") and word in text for text in lines) == 1, said.stdout + said.stderr)
    check("no other losses", len(lines) == len(LOSSES), said.stdout)
    said = run(ACHDGEN, "lost.sdf", "--functions", "fk", "--columns")
    check("unknown words are warnings", said.stderr.count("unknown ") == 6 and "(1 more like this, line 6)" in said.stderr, said.stderr)


def special():
    for minor, words in ((4, ""), (5, ""), (6, "<use_parent_model_frame>1</use_parent_model_frame>"), (7, ""), (9, "")):
        write("arm.sdf", ARM % (minor, words))
        compare(f"SDF 1.{minor}", "arm.sdf", minor)
    os.makedirs("hand", exist_ok=True)
    write("hand/model.sdf", '<sdf version="1.9"><model name="hand"><link name="palm"><inertial><mass>3</mass></inertial></link>\n'
          '<link name="tip"><pose>0 0 1 0 0 0</pose></link>\n<joint name="f" type="prismatic"><parent>palm</parent><child>tip</child>'
          '<axis><xyz>1 0 0</xyz><mimic joint="g" axis="axis"><multiplier>2</multiplier><offset>1</offset><reference>3</reference>'
          '</mimic></axis></joint>\n<link name="end"/><joint name="g" type="prismatic"><parent>palm</parent><child>end</child></joint>'
          "</model></sdf>")
    write("whole.sdf", '<sdf version="1.9"><model name="whole"><link name="base"/>\n<include><uri>model://hand</uri><name>left</name>'
          '<pose>0 1 0 0 0 0</pose></include>\n<joint name="h" type="revolute"><parent>base</parent><child>left::palm</child>'
          '<axis><xyz>0 0 1</xyz></axis></joint></model></sdf>')
    said = run(ACHDGEN, "whole.sdf", "-q", "--functions", "crba", "--eval", text="0 0\n")
    listed = run(ACHDGEN, "whole.sdf", "-q", "--functions", "crba", "--columns").stdout
    check("an included model's joints", "in q.h rad\nin q.left__g m\nout M.h.h" in listed, listed + said.stderr)
    # palm 3 kg and 1 kg m^2, tip at 2 (0 - 3) + 1 = -5 m, end, each 1 kg and 1 kg m^2; about the world's z: the masses are at x
    check("an included model's numbers", said.stdout.split()[:3] == ["28", "0", "5"] and said.returncode == 0, said.stdout + said.stderr)
    # an included model may be called as something else is, once it has another name; blanks around names are none of them
    write("whole.sdf", open("whole.sdf", encoding="utf-8").read().replace('"base"', '"hand"').replace(">base<", "> hand\n<").replace(">left<", "> left <"))
    again = run(ACHDGEN, "whole.sdf", "-q", "--functions", "crba", "--eval", text="0 0\n")
    check("an included model of another name", again.stdout == said.stdout, again.stdout + again.stderr)
    # a world has a ground beside the robot
    ground = '<model name="ground"><static>true</static><link name="g"/></model>'
    robot = (ARM % (9, "")).replace('<sdf version="1.9">', "").replace("</sdf>", "")
    for name, models in (("before", ground + "\n" + robot), ("after", robot + "\n" + ground)):
        write("world.sdf", f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
        listed = run(ACHDGEN, "world.sdf", "-q", "--functions", "crba", "--columns").stdout
        told = run(ACHDGEN, "world.sdf", "-q", "--losses").stdout
        check(f"a ground {name} the robot", "in q.j rad" in listed and told.count("a static model beside the robot") == 1, listed + told)
    write("still.sdf", (ARM % (9, "")).replace("<pose>1", "<static>1</static><pose>1"))
    check("a static robot", "lets no joint of it move" in run(ACHDGEN, "still.sdf", "-q", "--losses").stdout)
    os.mkfifo("pipe.sdf")
    said = run(ACHDGEN, "arm.sdf", "-q", "--losses")
    check("losses", said.returncode == 0 and "arm.sdf:1: no joint holds the model" in said.stdout, said.stdout)
    losses()
    refuse(ACHDGEN, "bad.sdf", REFUSED)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(1, ROBOTS + 1):
            random_robot(seed)
            compare(f"random robot {seed}", "robot.sdf", seed)
        special()
    finish()


main()
