# SPDX-License-Identifier: MIT
"""tests/numbers/gears_mujoco.py ACHDGEN GEARS_MUJOCO SOURCE_DIR: motors that are not joints in models that --mjcf writes, in MuJoCo.

A Gen3 with a reduction, a differential and a belt: its actuators are the motors, whose torques joints feel as G^T tau_motor to 1e-12; under tau_motor of `id`, and what the motors' own
friction takes, viscous and dry, it moves as `id` was asked to; power is the same. Rotors that couple joints are bodies of their own there, tied to the tendons of their motors by equality
constraints: `fd` moves so. Read again by transmissions = "file", the model has the same motors.
"""
import os
import random
import re
import sys
import tempfile

achdgen, mujoco, top = (os.path.abspath(path) for path in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests/program"))
from checks import check, columns, evaluated, finish, run, write  # noqa: E402

random.seed(5)
os.chdir(tempfile.mkdtemp())
ARM = os.path.join(top, "robots/gen3.urdf")
JOINTS = [f"joint_{k}" for k in range(1, 8)]
GEARS = {"a": {1: 100}, "joint_2": {2: 1}, "u": {3: 20}, "d": {3: -7, 4: 30}, "joint_5": {5: 1}, "l": {6: 100, 7: 50}, "r": {6: 100, 7: -50}}
VISCOUS = {"a": 1e-3, "u": 0.02, "d": 0.03, "joint_5": 0.4, "l": 1e-3, "r": 2e-3}
DRY = {"a": 0.02, "u": 0.1, "d": 0.2, "joint_5": 1.5, "l": 0.02, "r": 0.03}
LAYOUT = """return { groups = {}, gravity = { 0, 0, -9.81 }, outputs = { "qdd", "tau_ctrl", "tau_motor" },
  transmissions = {
    { motor = "a", joint = "joint_1", ratio = 100 },
    { motors = { "u", "d" }, joints = { "joint_3", "joint_4" }, matrix = { { 20, 0 }, { -7, 30 } } },
    { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = { motors = { 50, 50 }, joints = { 2, 1 } } },
  },
  motors = { %s } }"""
STRONG = ", effort = { " + ", ".join(f"{j} = 1e6" for j in JOINTS) + " } }"  # in place of the last brace: no limit of the URDF is reached


def motors(inertias, efforts=None):
    """The layout's words."""
    words = {m: [f"{word} = {x!r}" for word, x in (("inertia", inertias.get(m)), ("viscous", VISCOUS.get(m)), ("coulomb", DRY.get(m)),
                                                     ("effort", (efforts or {}).get(m))) if x] for m in GEARS}
    return LAYOUT % ", ".join(f"{m} = {{ {', '.join(x)} }}" for m, x in words.items() if x)


def speed(m, qd):
    return sum(r * qd[k - 1] for k, r in GEARS[m].items())


def export(name, layout, *more):
    write(name + ".lua", layout)
    said = run(achdgen, ARM, "--layout", name + ".lua", "--mjcf", name + ".xml", "--snap", "0", *more)
    check(f"{name}: written", said.returncode == 0, said.stderr)
    with open(name + ".xml", encoding="utf-8") as file:
        return file.read(), said.stderr


def ask(name, function, states):
    command = [achdgen, ARM, "--layout", name + ".lua", "--snap", "0", "--functions", function]
    return evaluated(function, command, columns(function, command), states)


def moved(path, states, ctrl, *how):
    """MuJoCo's lines for these states and torques of actuators; more: of joints behind the arm's."""
    lines = "".join(" ".join(map(repr, q + qd + c)) + "\n" for (q, qd), c in zip(states, ctrl))
    said = run(mujoco, path, *how, text=lines)
    check(f"MuJoCo reads {path}", said.returncode == 0 and len(said.stdout.splitlines()) == len(states), said.stderr)
    return [[float(x) for x in line.split()] for line in said.stdout.splitlines()]


def along_tendons():
    """The model as it is written."""
    text, said = export("arm", motors({"a": 1e-4, "l": 2e-5, "r": 2e-5, "joint_5": 0.2})[:-1] + STRONG, "--motors")
    check("nothing is lost", "couple" not in said and "motor" not in said, said)
    check("actuators", re.findall('<general name="([^"]*)"', text) == list(GEARS), text)
    states = []
    while len(states) < 40:  # with speeds at which MuJoCo's soft friction is all of it
        s = {f"{word}.{j}": size * random.uniform(-2, 2) for word, size in (("q", 1), ("qd", 10), ("qdd", 1)) for j in JOINTS}
        if all(abs(speed(m, [s[f"qd.{j}"] for j in JOINTS])) > 2 * max(map(abs, g.values())) for m, g in GEARS.items()):
            states.append(s)
    places = [([s[f"q.{j}"] for j in JOINTS], [s[f"qd.{j}"] for j in JOINTS]) for s in states]
    answers, worst = ask("arm", "id", states), 0
    for how in ((), ("friction",)):
        ctrl = [[a[f"tau_motor.{m}"] + VISCOUS.get(m, 0) * speed(m, qd) + bool(how) * DRY.get(m, 0) * (1 if speed(m, qd) > 0 else -1) for m in GEARS]
                for (_, qd), a in zip(places, answers)]
        for s, (_, qd), c, x in zip(states, places, ctrl, moved("arm.xml", places, ctrl, *how)):
            wanted, felt = [s[f"qdd.{j}"] for j in JOINTS], [sum(t * GEARS[m].get(k, 0) for m, t in zip(GEARS, c)) for k in range(1, 8)]
            off = max(abs(a - b) for a, b in zip(x[:7], wanted))
            worst = max(worst, off)
            check(f"MuJoCo moves the arm so {how}", off < 1e-9, (x[:7], wanted))
            check("joints feel G^T of the actuators", all(abs(a - b) <= 1e-12 * (1 + abs(b)) for a, b in zip(x[15:22], felt)), (x[15:22], felt))
            terms = [t * w for t, w in zip(felt, qd)]
            check("power of motors is that of joints", abs(x[7] - sum(terms)) <= 1e-12 * sum(map(abs, terms)), (x[7], sum(terms)))
    print(f"accelerations differ by {worst:.1e} rad/s^2 at most")


def tied_rotors():
    """A differential and a belt whose rotors couple joints, as bodies that equality constraints tie to the tendons."""
    inertias = {"u": 2e-3, "d": 1e-3, "l": 1e-5, "r": 3e-5}
    text, said = export("tied", motors(inertias), "--motors")
    check("what is lost", 'rotors that couple joints are not in the model: each joint has its own part of G^T J G alone, of motors "d", "l", "r"' in said, said)
    text = re.sub(r' (armature|damping)="[^"]*"', "", text)
    bodies = "".join(f'<body name="rotor_{m}"><joint name="rotor_{m}" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="{x} {x} {x}"/></body>\n'
                     for m, x in inertias.items() if m != "u")
    tendons = "".join(f'<fixed name="of_{m}"><joint joint="rotor_{m}" coef="1"/></fixed>\n' for m in inertias if m != "u")
    ties = "".join(f'<tendon tendon1="of_{m}" tendon2="{m}" solref="0.005 1" solimp="HARD HARD 0.001 0.5 2"/>\n' for m in inertias if m != "u")
    text = text.replace('joint name="joint_3"', f'joint name="joint_3" armature="{inertias["u"] * 20 ** 2}"')
    text = text.replace("</worldbody>", bodies + "</worldbody>").replace("</tendon>", tendons + "</tendon>").replace("</equality>", ties + "</equality>")
    text = re.sub('iterations="100" tolerance="1e-10"', 'iterations="1000" tolerance="0" solver="Newton"', re.sub("(?s)<keyframe>.*</keyframe>", "", text))
    states = [{f"{word}.{j}": random.uniform(-2, 2) for word in ("q", "qd", "tau") for j in JOINTS} for _ in range(20)]
    write("tied.lua", LAYOUT % ", ".join(f"{m} = {{ inertia = {x!r} }}" for m, x in inertias.items()))
    write("apart.lua", LAYOUT % "")
    answers, apart = (ask(name, "fd", states) for name in ("tied", "apart"))
    turned = [m for m in inertias if m != "u"]
    places = [tuple([s[f"{word}.{j}"] for j in JOINTS] + [speed(m, [s[f"{word}.{j}"] for j in JOINTS]) for m in turned] for word in ("q", "qd")) for s in states]
    ctrl = []
    for s in states:  # G^T ctrl = tau
        tau = [s[f"tau.{j}"] for j in JOINTS]
        d = tau[3] / 30
        ctrl.append([tau[0] / 100, tau[1], (tau[2] + 7 * d) / 20, d, tau[4], tau[5] / 200 + tau[6] / 100, tau[5] / 200 - tau[6] / 100])
    worst, least, softness, found = 0, 1e9, (2e-4, 1e-4), []
    for x in softness:  # of ties, from which what they give way by is extrapolated to 0
        write("tied.xml", text.replace("HARD", repr(1 - x)))
        found.append(moved("tied.xml", places, ctrl, "ties"))
    a, b = (x / (1 - x) for x in softness)
    for x, y, mine, without in zip(*found, answers, apart):
        mine, without = ([z[f"qdd.{j}"] for j in JOINTS] for z in (mine, without))
        size = max(map(abs, mine))
        worst = max([worst] + [abs((a * q - b * p) / (a - b) - z) / size for p, q, z in zip(x[:7], y[:7], mine)])
        least = min(least, max(abs(p - q) for p, q in zip(without, mine)) / size)
    print(f"tied rotors: accelerations differ by {worst:.1e} of their size; without rotors by {least:.2g} at least")
    check("rotors that are tied", worst < 1e-4 and least > 0.1, (worst, least))


def names_and_limits():
    """Beside the four motors of each joint; limits; and the same motors read from the model."""
    text, _ = export("four", motors({}, {"l": 0.5, "a": 0.2}))
    general = dict(re.findall('<general name="([^"]*)"(.*)/>', text))
    check("beside the motors of joints", list(general)[-5:] == ["a", "u", "d", "l", "r"] and "joint_6_force" in general, list(general))
    for m, effort in (("l", 0.5), ("a", 0.2)):
        check(f"limit of {m}", f'forcerange="{-effort:.17g} {effort:.17g}"' in general[m], general[m])
    check("no limit", 'forcelimited="false"' in general["r"], general["r"])
    text, _ = export("smooth", LAYOUT % "", "--motors")
    write("again.lua", 'return { groups = {}, transmissions = "file", outputs = { "qdd", "tau_ctrl", "tau_motor" } }')
    command = [achdgen, "smooth.xml", "--layout", "again.lua", "--snap", "0", "--functions", "id"]
    names = columns("again", command)
    state = {name: random.uniform(-2, 2) for name in names[0]}
    a, = evaluated("again", command, names, [state])
    for k, j in enumerate(JOINTS, 1):
        felt = [a[f"tau_motor.{m}"] * g.get(k, 0) for m, g in GEARS.items()]
        check(f"read again: {j}", abs(a[f"tau.{j}"] - sum(felt)) <= 1e-12 * (1 + sum(map(abs, felt))), a)


def of_balls():
    """Motors of axes of a ball joint have gears of three numbers; what MuJoCo does not have of them is named."""
    inertia = '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>'
    write("ball.urdf", f"""<robot name="swivel"><link name="trunk"/><link name="arm">{inertia}<link name="hand">{inertia}
<joint name="hip" type="spherical"><parent link="trunk"/><child link="arm"/></joint>
<joint name="elbow" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/></joint></robot>""")
    write("ball.lua", """return { groups = {}, motors = { a = { viscous = 0.1 } }, transmissions = {
  { motors = { "a", "b" }, joints = { "hip_x", "hip_y" }, matrix = { { 2, 3 }, { 4, -5 } } },
  { motors = { "c", "d" }, joints = { "hip_z", "elbow" }, matrix = { { 2, 3 }, { 4, 0 } } } } }""")
    said = run(achdgen, "ball.urdf", "--layout", "ball.lua", "--mjcf", "ball.xml", "--motors")
    with open("ball.xml", encoding="utf-8") as file:
        gears = dict(re.findall('<general name="(.)" joint="hip" gear="([^"]*)"', file.read()))
    check("gears of balls", gears == {"a": "2 3 0", "b": "4 -5 0", "d": "0 0 4"}, gears)
    for words in ('warning: friction of motor "a", which turns with several axes of a ball joint, is not in the model',
                  'warning: motor "c" turns with axes of a ball joint and with other joints, over which no tendon of MuJoCo runs: it is left out'):
        check(words, words in said.stderr, said.stderr)
    said = run(achdgen, "ball.urdf", "--layout", "ball.lua", "--mjcf", "none.xml", "-Werror")
    check("warnings are errors", said.returncode == 1 and not os.path.exists("none.xml"), said.stderr)


along_tendons()
tied_rotors()
of_balls()
names_and_limits()
finish()
