# SPDX-License-Identifier: MIT
"""tests/numbers/gears_mjcf.py ACHDGEN GEARS_MUJOCO SOURCE_DIR: the motors of an MJCF file, transmissions = "file", beside MuJoCo.

A machine with a screw, a differential of two fixed tendons, two servos of one joint and three motors of a ball joint: where MuJoCo moves it under random
controls, `fd` has its accelerations under the torques of its forces, `id` the forces of its actuators, and motors turn as its actuators do. Limits of
forces are those of the motors, joints that are locked or left out take their motors with them, and what turns with no joints by constant ratios is refused.
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

random.seed(7)
os.chdir(tempfile.mkdtemp())
MODEL = """<mujoco model="machine">
<compiler angle="radian" autolimits="true"/>
<option gravity="0 0 -9.81"/>
<default><default class="wrist"><motor gear="30" forcerange="-2 3"/></default></default>
<worldbody>
  <body name="a" pos="0 0 0.3"><joint name="lift" type="slide" axis="0 0 1" armature="2.5" damping="0.4"/>
    <inertial pos="0.1 0 0" mass="3" diaginertia="0.02 0.03 0.025"/>
    <body name="b" pos="0.2 0 0.1"><joint name="shoulder" axis="0 1 0" armature="0.1"/>
      <inertial pos="0.2 0.02 0" mass="2" diaginertia="0.01 0.02 0.015"/>
      <body name="c" pos="0.4 0 0"><joint name="pitch" axis="0 1 0" damping="0.2"/>
        <inertial pos="0.03 0 0.01" mass="0.6" diaginertia="0.001 0.002 0.0015"/>
        <body name="d" pos="0.05 0 0"><joint name="roll" axis="1 0 0"/>
          <inertial pos="0.1 0 0.03" mass="0.5" diaginertia="0.001 0.001 0.0015"/>
          <body name="e" pos="0.2 0 0"><joint name="ball" type="ball"/>
            <inertial pos="0.05 0.01 0.02" mass="0.3" diaginertia="0.0014 0.0015 0.0016"/></body>
          <body name="f1" pos="0.15 0.02 0"><joint name="left" type="slide" axis="0 1 0"/>
            <inertial pos="0 0 0.02" mass="0.1" diaginertia="1e-4 1e-4 1e-4"/></body>
          <body name="f2" pos="0.15 -0.02 0"><joint name="right" type="slide" axis="0 -1 0"/>
            <inertial pos="0 0 0.02" mass="0.12" diaginertia="1e-4 1e-4 1e-4"/></body>
        </body>
      </body>
    </body>
  </body>
</worldbody>
<tendon>
  <fixed name="sum"><joint joint="pitch" coef="2"/><joint joint="roll" coef="1.5"/></fixed>
  <fixed name="difference"><joint joint="pitch" coef="2"/><joint joint="roll" coef="-1.5"/></fixed>
  <fixed name="split"><joint joint="left" coef="0.5"/><joint joint="right" coef="0.5"/></fixed>
</tendon>
<actuator>
  <motor name="screw" joint="lift" gear="-600" ctrlrange="-1.5 1.5"/>
  <motor name="left motor" class="wrist" tendon="sum"/>
  <position name="servo" joint="shoulder" gear="100" kp="3" forcerange="-0.9 0.9"/>
  <general class="wrist" tendon="difference" gear="25"/>
  <velocity joint="shoulder" kv="0.1" gear="50"/>
  <motor name="b1" joint="ball" gear="3 1 0"/>
  <motor name="b2" joint="ball" gear="-2 4 0"/>
  <motor name="b3" joint="ball" gear="0 0 7"/>
  <motor name="grip" tendon="split" gear="400"/>
  <motor name="more" jointinparent="right" gear="-90"/>
</actuator>
</mujoco>
"""
JOINTS = ["lift", "shoulder", "pitch", "roll", "ball_x", "ball_y", "ball_z", "left", "right"]  # in MuJoCo's order
MOTORS = ["screw", "left_motor", "servo", "difference", "shoulder", "b1", "b2", "b3", "grip", "more"]
LAYOUT = """return { transmissions = %s, gravity = { 0, 0, -9.81 }, groups = {}, outputs = { "qdd", "tau_ctrl", "tau_motor" }%s }"""
DAMPING = {"lift": 0.4, "pitch": 0.2}
write("m.xml", MODEL)
write("m.lua", LAYOUT % ('"file"', ""))
command = [achdgen, "m.xml", "--layout", "m.lua", "--snap", "0", "--functions"]


def moves():
    """Accelerations and forces of MuJoCo's actuators against ours: the largest errors, by their size."""
    states, lines = [], ""
    for _ in range(40):
        quat = [random.gauss(0, 1) for _ in range(4)]
        quat = [x / sum(y * y for y in quat) ** 0.5 for x in quat]
        q = {j: random.uniform(-1, 1) for j in JOINTS if "ball" not in j}
        qd = {j: random.uniform(-2, 2) for j in JOINTS}
        states.append((q, quat, qd))
        place = [[q[j]] if j in q else quat if j == "ball_x" else [] for j in JOINTS]
        lines += " ".join(map(repr, sum(place, []) + list(qd.values()) + [random.uniform(-1, 1) for _ in MOTORS])) + "\n"
    said = run(mujoco, "m.xml", text=lines)
    rows = [[float(x) for x in line.split()] for line in said.stdout.splitlines()]
    nv, nu = len(JOINTS), len(MOTORS)
    check("MuJoCo reads it", said.returncode == 0 and len(rows) == len(states) and len(rows[0]) == nv + 1 + nu + nv + nu * nv, said.stderr)
    given, torques, wants = [], [], []
    for (q, quat, qd), row in zip(states, rows):
        qacc, force, speeds = row[:nv], row[nv + 1:nv + 1 + nu], row[nv + 1 + nu + nv:]
        tau = {j: sum(speeds[k * nu + m] * force[m] for m in range(nu)) for k, j in enumerate(JOINTS)}
        s = {f"q.{j}": x for j, x in q.items()} | {f"qd.{j}": x for j, x in qd.items()} | {f"ball.ball.{w}": x for w, x in zip("wxyz", quat)}
        torques.append(s | {f"tau.{j}": tau[j] - DAMPING.get(j, 0) * qd[j] for j in JOINTS})
        given.append(s | {f"qdd.{j}": x for j, x in zip(JOINTS, qacc)})
        wants.append((qacc, force, speeds, tau))
    worst = [0, 0, 0]
    fd = evaluated("fd", command + ["fd"], columns("fd", command + ["fd"]), torques)
    for answer, (qacc, *_) in zip(fd, wants):
        worst[0] = max([worst[0]] + [abs(answer[f"qdd.{j}"] - x) / max(map(abs, qacc)) for j, x in zip(JOINTS, qacc)])
    answers = evaluated("id", command + ["id"], columns("id", command + ["id"]), given)
    for answer, (_, force, speeds, tau), (_, _, qd) in zip(answers, wants, states):
        turned = {m: force[k] for k, m in enumerate(MOTORS)}
        # the least forces of the two servos that share a joint, beside the damping of joints, which is no motor's
        a, b = speeds[nu + MOTORS.index("servo")], speeds[nu + MOTORS.index("shoulder")]
        turned["servo"], turned["shoulder"] = (x * tau["shoulder"] / (a * a + b * b) for x in (a, b))
        turned["screw"] -= DAMPING["lift"] * qd["lift"] / speeds[MOTORS.index("screw")]
        for m in ("left_motor", "difference"):  # pitch alone, by two motors of equal share: G^-T
            turned[m] -= DAMPING["pitch"] * qd["pitch"] / 2 / speeds[2 * nu + MOTORS.index(m)]
        for m in MOTORS:
            worst[1] = max(worst[1], abs(answer[f"tau_motor.{m}"] - turned[m]) / (1 + max(map(abs, turned.values()))))
        for k, j in enumerate(JOINTS):
            terms = [speeds[k * nu + i] * answer[f"tau_motor.{m}"] for i, m in enumerate(MOTORS)]
            worst[2] = max(worst[2], abs(answer[f"tau.{j}"] - sum(terms)) / (1e-3 + sum(map(abs, terms))))
    print("errors of accelerations %.1e, of motors' torques %.1e, of joints' by MuJoCo's moments %.1e" % tuple(worst))
    check("as MuJoCo moves", max(worst) < 1e-12, worst)


def numbers(text, layout):
    """The limits of motors in a header, what is said, and its text."""
    write("x.xml", text)
    write("x.lua", layout)
    said = run(achdgen, "x.xml", "--layout", "x.lua", "--functions", "id", "--no-prove", "-o", "x.h")
    check("made", said.returncode == 0, said.stderr)
    with open("x.h", encoding="utf-8") as file:
        header = file.read()
    return {m.lower(): float(x) for m, x in re.findall(r"_EFFORT_MOTOR_(\w+) ([-.e\d]+)", header)}, said.stderr, header


SCREW = '<motor name="screw" joint="lift" gear="-600" ctrlrange="-1.5 1.5"/>'


def limits():
    efforts, said, _ = numbers(MODEL, LAYOUT % ('"file"', ""))
    check("efforts", efforts == {"screw": 1.5, "servo": 0.9, "left_motor": 3, "difference": 3}, efforts)
    check("nothing to warn of", said == "", said)
    within = MODEL.replace('armature="2.5"', 'armature="2.5" actuatorfrcrange="-600 600"')  # 1 N m by a gear of 600
    efforts, *_ = numbers(within, LAYOUT % ('"file"', ""))
    check("a joint's own limit", efforts == {"screw": 1, "servo": 0.9, "left_motor": 3, "difference": 3}, efforts)
    efforts, *_ = numbers(MODEL, LAYOUT % ('"file"', ", motors = { left_motor = { effort = 1.25 } }, effort = { lift = 300 }"))
    check("the layout's", efforts == {"servo": 0.9, "left_motor": 1.25, "difference": 3}, efforts)
    _, said, header = numbers(MODEL.replace(SCREW, ""), LAYOUT % ('"file"', ""))
    check("a joint without", 'no motor of the file moves joint "lift": it has a motor of its own' in said and "MOTOR_LIFT" in header, said)
    _, said, header = numbers(MODEL.replace(SCREW, ""), LAYOUT % ('"file"', ', passive = { "lift" }'))
    check("a passive joint", said == "" and "MOTOR_LIFT" not in header, said)
    _, _, header = numbers(MODEL, LAYOUT % ('"urdf"', ""))
    check("the other word", "MOTOR_LEFT_MOTOR" in header)


def clamped():
    """What the solve commands stays within the forces of the file's motors, and reaches them."""
    write("c.lua", LAYOUT.replace("groups = {}", 'groups = { { name = "tool", frame = "d" } }') % ('"file"', ', saturate = "clamp"'))
    asked = [achdgen, "m.xml", "--layout", "c.lua", "--functions", "achd"]
    names = columns("clamp", asked)
    states = [{x: random.uniform(-1, 1) * (3000 if x.startswith("b.") else 1) for x in names[0]} | {x: 1 for x in names[0] if x.startswith("ball.") and x.endswith(".w")} |
              {x: 0 for x in names[0] if x.startswith("ball.") and not x.endswith(".w")} for _ in range(6)]
    most = {"screw": 1.5, "servo": 0.9, "left_motor": 3, "difference": 3}
    reached = set()
    for answer in evaluated("clamp", asked, names, states):
        for m, x in most.items():
            check(f"{m} within its limit", abs(answer[f"tau_motor.{m}"]) <= x * (1 + 1e-12), answer)
            if abs(answer[f"tau_motor.{m}"]) >= x * (1 - 1e-12):
                reached.add(m)
    check("they reach their limits", reached == set(most), reached)


def parts():
    """Joints that are locked, left out, or mimic others."""
    for words, gone in (("locked = { roll = 0.3 }", []), ("locked = { pitch = 0, roll = 0 }", ["left_motor", "difference"]),
                        ('tips = { "d" }', ["b1", "b2", "b3", "grip", "more"])):
        write("m.lua", LAYOUT % ('"file"', ", " + words))
        out = columns(words, command + ["id"])[1]
        motors = {name[10:] for name in out if name.startswith("tau_motor.")}
        check(f"motors: {words}", motors == set(MOTORS) - set(gone), motors)
    write("m.lua", LAYOUT % ('"file"', ", locked = { roll = 0.3 }"))
    names = columns("locked", command + ["id"])
    a = evaluated("locked", command + ["id"], names, [{x: random.uniform(-1, 1) for x in names[0]}])[0]
    check("a joint of two motors", abs(a["tau.pitch"] - 60 * a["tau_motor.left_motor"] - 50 * a["tau_motor.difference"]) < 1e-12 * abs(a["tau.pitch"]), a)
    check("two motors of a joint", abs(50 * a["tau_motor.left_motor"] - 60 * a["tau_motor.difference"]) < 1e-12 * abs(a["tau.pitch"]), a)
    write("m.lua", LAYOUT % ('"file"', ""))
    write("m.xml", MODEL.replace('<motor name="more" jointinparent="right" gear="-90"/>', "")
          .replace("</mujoco>", '<equality><joint joint1="right" joint2="left"/></equality></mujoco>'))
    names = columns("mimics", command + ["id"])
    a = evaluated("mimics", command + ["id"], names, [{x: random.uniform(-1, 1) for x in names[0]}])[0]
    check("a finger that mimics", abs(a["tau.left"] - 400 * a["tau_motor.grip"]) < 1e-12 * abs(a["tau.left"]), a)


def bad():
    site = '<site name="here"/>'
    cases = [("<motor joint='lift' gear='0'/>", 'motor> of "lift" turns with no joint: its gear is 0'),
             ("<motor name='s' site='here' gear='0 0 1 0 0 0'/>", '<motor> "s" acts on the site "here"'),
             ("<adhesion name='h' body='e'/>", '<adhesion> "h" acts on the body "e"'),
             ("<motor name='k' cranksite='here' slidersite='here' cranklength='1'/>", '<motor> "k" acts on the cranksite "here"'),
             ("<motor name='n'/>", '<motor> "n" acts on no joint and no tendon'),
             ("<motor name='p' jointinparent='ball'/>", 'turns the ball joint "ball" along axes of its parent'),
             ("<motor name='w' tendon='wire'/>", '<motor> "w" pulls at the spatial tendon "wire"')]
    model = MODEL.replace("<body name=\"f1\"", site + "<body name=\"f1\"").replace("</tendon>", '<spatial name="wire"><site site="here"/></spatial></tendon>')
    line = model[:model.index("</actuator>")].count("\n") + 1
    for text, said in cases:
        write("bad.xml", model.replace("</actuator>", text + "</actuator>"))
        got = run(achdgen, "bad.xml", "--layout", "m.lua", "-o", "bad.h")
        check(f"refused: {text}", got.returncode == 1 and got.stderr.startswith(f"bad.xml:{line}: error: ") and said in got.stderr and
              "remedy: " in got.stderr and not os.path.exists("bad.h"), got.stderr)
        got = run(achdgen, "bad.xml", "-q", "--functions", "fk", "-o", "x.h")
        check(f"no matter where no layout asks: {text}", got.returncode == 0, got.stderr)
    for old, new, said in (('<motor name="more" jointinparent="right" gear="-90"/>', "", 'joint "right" depends on the others'),
                           ('coef="1.5"/></fixed>', '/></fixed>', 'tendon "sum": joint "roll" has no coef'),
                           ('"roll" coef="1.5"', '"ball" coef="1.5"', 'there is no joint "ball" that it can run over'),
                           ('tendon="split"', 'tendon="splat"', 'its tendon "splat" is not there'),
                           ("</mujoco>", '<equality><joint joint1="lift"/></equality></mujoco>', 'names joint "lift", which is none that moves'),
                           ('name="b1"', 'name="left motor"', 'motor "left_motor" is in two transmissions')):
        check(f"there: {old}", old in MODEL)
        write("bad.xml", MODEL.replace(old, new))
        got = run(achdgen, "bad.xml", "--layout", "m.lua", "-o", "bad.h")
        check(f"refused: {said}", got.returncode == 1 and said in got.stderr and "remedy: " in got.stderr and not os.path.exists("bad.h"), got.stderr)
    write("bad.xml", re.sub(r"(?s)<actuator>.*</actuator>", "", MODEL))
    got = run(achdgen, "bad.xml", "--layout", "m.lua", "-o", "bad.h")
    check("no motors", got.returncode == 1 and "the robot's file has no motors" in got.stderr, got.stderr)
    said = run(achdgen, "m.xml", "--losses").stdout
    check("losses", 'tendon "sum": not in the model, but for the motors that pull at it' in said, said)


moves()
limits()
clamped()
parts()
bad()
finish()
