# SPDX-License-Identifier: MIT
"""tests/numbers/gears.py ACHDGEN SOURCE_DIR [one]: motors that are not joints.

Random chains and trees on all bases, with reductions, differentials, belts, more motors than joints and joints that mimic others, move as in maximal
coordinates, where rotors are bodies of their own (gears_oracle.py): under joint torques (fd), under the motors' torques that `id` and `achd` put
out, with rows; energies agree, and power is the same at motors and joints to 1e-12. Torques of more motors than joints are the least. Proofs and --check know them.
"""
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from gears_oracle import Machine, random_body  # noqa: E402
from step_oracle import Robot, of_quaternion, turn  # noqa: E402

random.seed(43)
os.chdir(tempfile.mkdtemp())
STATES = 8 if os.environ.get("ACHD_SWEEP") == "1" else 2
ROUNDS = 30 if os.environ.get("ACHD_SWEEP") == "1" else 1
ONE = sys.argv[3:] == ["one"]  # for planted mistakes: four robots, without proofs


# The transmissions of a robot with six joints: layout, and by motor the ratios of joints.
FORMS = [
    ('{ motor = "m1", joint = "j0", ratio = -20 }, { motors = { "m2", "m3" }, joints = { "j3", "j1" }, differential = { motors = { 5, 6 }, '
     'joints = { 1, 2 } } }',
     {"m1": {0: -20}, "m2": {3: 5, 1: 10}, "m3": {3: 6, 1: -12}}),
    ('{ motors = { "m1", "m2", "m3" }, joints = { "j0", "j1", "j2" }, matrix = { { 9, 0, 0 }, { -9, 8, 0 }, { 3, -8, 7 } } }',
     {"m1": {0: 9}, "m2": {0: -9, 1: 8}, "m3": {0: 3, 1: -8, 2: 7}}),
    ('{ motors = { "m1", "m2", "m3" }, joints = { "j4", "j5" }, matrix = { { 9, 2 }, { -6, 8 }, { 3, 5 } } }, { motor = "m4", joint = "j2", ratio = 4 }',
     {"m1": {4: 9, 5: 2}, "m2": {4: -6, 5: 8}, "m3": {4: 3, 5: 5}, "m4": {2: 4}}),
]


class Case:
    """A random robot; mimics: whether its last joint follows the one before."""

    def __init__(self, name, base, form, mimics):
        self.name, text = name, FORMS[form][0]
        parents = [-1, 0, 1, random.choice([-1, 0, 1]), 3, 4]
        self.robot = Robot([random_body(p) for p in parents], base, random_body(-1) if base != "fixed" else None)
        self.mimics = {5: (4, -1.5)} if mimics else {}
        urdf = self.robot.urdf()
        if mimics:
            self.robot.bodies[5].slides = self.robot.bodies[4].slides
            urdf = self.robot.urdf().replace('<child link="b5"/>', '<child link="b5"/><mimic joint="j4" multiplier="-1.5" offset="0.2"/>')
        write(name + ".urdf", urdf)
        self.gear, inertias, self.damping = dict(FORMS[form][1]), {}, {}
        moved = {k for g in self.gear.values() for k in g} | ({4} if mimics and 5 in {k for g in self.gear.values() for k in g} else set())
        free = [k for k in range(6) if k not in moved and k not in self.mimics]
        self.gear |= {f"j{k}": {k: 1} for k in free}
        for m in self.gear:
            inertias[m] = random.uniform(1e-3, 4e-3) if m[0] == "m" else random.choice([0, 0.05])
            self.damping[m] = random.choice([0, 2e-3]) if m[0] == "m" else random.choice([0, 0.1])
        self.machine = Machine(self.robot, [(inertias[m], self.gear[m]) for m in self.gear], self.mimics)
        def numbers(more):
            return ", ".join(f"{m} = {{ inertia = {x!r}, viscous = {self.damping[m]!r}{more(m)} }}" for m, x in inertias.items())
        strong = ", ".join(f"{m} = 1e5" for m in self.gear if m[0] == "j")  # so that motors of transmissions limit the motion
        self.limits = {m: random.uniform(0.05, 0.3) for m in self.gear if m == "m2" or m[0] == "m" and random.random() < 0.7}
        for word, more in (("", lambda m: ""), ("clamp", self.limit), ("scale", self.large_limit)):
            write(name + word + ".lua", f'''return {{ base = "{base}", gravity = {{ 0, 0, -9.81 }}, torques = {{ physical = true }},
  transmissions = {{ {text} }}, motors = {{ {numbers(more)} }}, {f'saturate = "{word}", effort = {{ {strong} }},' if word else ""}
  groups = {{ {{ name = "tip", frame = "{"b5" if form == 2 else "b2"}", rows = {{ "lin_x", "lin_z" }} }} }},
  outputs = {{ "qdd", "nu", "tau_ctrl", "tau_motor"{', "scale"' if word == "scale" else ""} }} }}''')

    def limit(self, m, times=1):
        return f", effort = {times * self.limits[m]!r}" if m in self.limits else ""

    def large_limit(self, m):
        return self.limit(m, 10)

    def ask(self, function, states, word=""):
        command = [achdgen, self.name + ".urdf", "--layout", self.name + word + ".lua", "--snap", "0", "--functions", function]
        return evaluated(f"{self.name} {function}", command, columns(function, command), states)

    def turned(self, answer, qd):
        """The motors' torques of an answer less their friction."""
        return [answer[f"tau_motor.{m}"] - self.damping[m] * sum(r * qd[k] for k, r in g.items()) for m, g in self.gear.items()]

    def joints(self, lead):
        """Positions or rates of all joints from those that lead."""
        x = [lead.get(k, 0) for k in range(6)]
        for joint, (leader, ratio) in self.mimics.items():
            x[joint] = ratio * x[leader]
        return x

    def draw(self):
        """A state, and the machine in it."""
        leads = [k for k in range(6) if k not in self.mimics]
        q, qd, tau = ({k: random.uniform(-2, 2) for k in leads} for _ in range(3))
        s = {f"{word}.j{k}": x for word, part in (("q", q), ("qd", qd), ("tau", tau), ("tau_phys", tau)) for k, x in part.items()}
        R, twist, base = turn([0, 0, 1], 0), [0] * 6, self.robot.base
        if base == "floating":
            quat = [random.gauss(0, 1) for _ in range(4)]
            quat = [x / sum(y * y for y in quat) ** 0.5 for x in quat]
            R, twist = of_quaternion(quat), [random.uniform(-1, 1) for _ in range(6)]
            s |= {f"base.quat.{k}": x for k, x in zip("wxyz", quat)}
            s |= {f"base.twist.{k}": x for k, x in zip(["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"], twist)}
        place = self.joints(q)
        if self.mimics:
            place[5] += 0.2
        return s, (place, self.joints(qd), R, twist), self.joints(tau) if not self.mimics else [tau.get(k, 0) for k in range(6)]

    def enter(self, at):
        place, qd, R, twist = at
        self.machine.place(place, qd, R, [0, 0, 0], twist)
        return qd


def near(a, b, share=1e-9):
    return all(abs(x - y) <= share * (1 + max(map(abs, b))) for x, y in zip(a, b))


def outputs(answer, word):
    """By number of the joint."""
    return [answer.get(f"{word}.j{k}", 0) for k in range(6)]


def compare(case):
    leads = [k for k in range(6) if k not in case.mimics]
    motors = list(case.gear)
    drawn = [case.draw() for _ in range(STATES)]
    states = [s for s, _, _ in drawn]
    forward, energies, solves = (case.ask(f, states) for f in ("fd", "energy", "achd"))
    inverse = case.ask("id", [s | {f"qdd.j{k}": a[f"qdd.j{k}"] for k in leads} |
                              {f"base.acc.{p}": a[f"base.acc.{p}"] for p in ("lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z")
                               if case.robot.base == "floating"} for s, a in zip(states, forward)])
    none = [0] * 6
    for (_, at, tau), fd, energy, achd, id_ in zip(drawn, forward, energies, solves, inverse):
        qd = case.enter(at)
        qdd, base = case.machine.accelerations(qd, tau, [0] * len(motors))
        check(f"{case.name}: fd", near([fd[f"qdd.j{k}"] for k in leads], [qdd[k] for k in leads]), (fd, qdd))
        if base:
            acc = [fd[f"base.acc.{p}"] for p in ("lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z")]
            check(f"{case.name}: fd, base", near(acc, base), (acc, base))
        check(f"{case.name}: energy", near([energy["kinetic"]], [case.machine.kinetic(qd)], 1e-12))
        by_motors = [id_[f"tau_motor.{m}"] for m in motors]
        driven, _ = case.machine.accelerations(qd, none, by_motors)
        check(f"{case.name}: motors' torques of id move the robot so", near([driven[k] for k in leads], [qdd[k] for k in leads]), (driven, qdd))
        at_motors = sum(t * sum(r * qd[k] for k, r in case.gear[m].items()) for m, t in zip(motors, by_motors))
        at_joints = sum(id_[f"tau.j{k}"] * qd[k] for k in leads)
        scale = sum(abs(id_[f"tau.j{k}"] * qd[k]) for k in leads)
        check(f"{case.name}: power", abs(at_motors - at_joints) <= 1e-12 * scale, (at_motors, at_joints))
        commands = case.turned(achd, qd)
        driven, _ = case.machine.accelerations(qd, tau, commands)
        found = [achd[f"qdd.j{k}"] for k in leads]
        if not base:  # nobody holds a base that floats
            check(f"{case.name}: motors' torques of achd", near([driven[k] for k in leads], found, 1e-8), (driven, found))
        least(case, id_, motors)


def limited(case):
    """Torques of motors within limits, by clamping and by scaled set-points: joints feel G^T of them, and move so."""
    leads = [k for k in range(6) if k not in case.mimics]
    drawn = [case.draw() for _ in range(4)]
    states = [s | {"b.tip.lin_x": random.uniform(-9, 9), "b.tip.lin_z": random.uniform(-9, 9)} for s, _, _ in drawn]
    hit = scaled = 0
    for word, times in (("clamp", 1), ("scale", 10)):
        asked = [{name: x * (times ** 2 if name[0] == "b" else 1) for name, x in s.items()} for s in states]
        answers = case.ask("achd", asked, word)
        if word == "scale":
            scaled = with_less(case, asked, answers)
        for (_, at, tau), achd in zip(drawn, answers):
            qd = case.enter(at)
            torques = {m: achd[f"tau_motor.{m}"] for m in case.gear}
            above = max([abs(torques[m]) / (times * x) for m, x in case.limits.items()] or [0])
            hit += above > 1 - 1e-9
            check(f"{case.name} {word}: within limits", above < 1 + 1e-9, (torques, case.limits))
            for k in leads:
                ratio = {j: -1.5 if j in case.mimics else 1 for j in range(6) if j == k or case.mimics.get(j, (None,))[0] == k}
                felt = [torques[m] * g.get(j, 0) * x for m, g in case.gear.items() for j, x in ratio.items()]
                check(f"{case.name} {word}: tau = G^T tau_motor", abs(achd[f"tau_ctrl.j{k}"] - sum(felt)) <= 1e-12 * (1 + sum(map(abs, felt))))
            driven, _ = case.machine.accelerations(qd, tau, case.turned(achd, qd))
            check(f"{case.name} {word}: moves so", near([driven[k] for k in leads], [achd[f"qdd.j{k}"] for k in leads], 1e-8), (driven, achd))
    check(f"{case.name}: some torque is at its limit", hit > 0 or not case.limits)
    return scaled


def with_less(case, asked, answers):
    """Where set-points are scaled, the torques are those of the smaller set-points, which nothing limits, and one is at its limit."""
    partly = [(s, a) for s, a in zip(asked, answers) if 0 < a["scale"] < 1]
    less = case.ask("achd", [{name: x * (a["scale"] if name[0] == "b" else 1) for name, x in s.items()} for s, a in partly])
    for (_, a), b in zip(partly, less):
        torques = {name[10:]: x for name, x in a.items() if name.startswith("tau_motor.")}
        check(f"{case.name}: set-points are scaled", near([b[f"tau_motor.{m}"] for m in torques], list(torques.values()), 1e-8), (a, b))
        share = max(abs(torques[m]) / (10 * x) for m, x in case.limits.items())
        check(f"{case.name}: no more than they need", abs(share - 1) < 1e-9, (torques, case.limits))
    return len(partly)


def least(case, answer, motors):
    """No torque of motors that moves no joint is in tau_motor: it is orthogonal to n with G^T n = 0 of three motors at two joints."""
    three = [m for m in motors if set(case.gear[m]) == {4, 5}]
    if len(three) < 3:
        return
    G = [[case.gear[m][4], case.gear[m][5]] for m in three]
    if case.mimics:
        G = [[a - 1.5 * b, 0] for a, b in G]
    tau = [answer[f"tau_motor.{m}"] for m in three]
    normals = ([[G[1][0], -G[0][0], 0], [G[2][0], 0, -G[0][0]]] if case.mimics else
               [[G[1][0] * G[2][1] - G[2][0] * G[1][1], G[2][0] * G[0][1] - G[0][0] * G[2][1], G[0][0] * G[1][1] - G[1][0] * G[0][1]]])
    for n in normals:
        product = sum(a * b for a, b in zip(n, tau))
        check(f"{case.name}: least torques", abs(product) <= 1e-12 * sum(abs(a * b) for a, b in zip(n, tau)), (tau, n))


PROVEN = ("achd,did,dfd,bias,gravity,regressor,momentum_regressor,step,dstep", "achd,dachd,id,fd,crba,energy,momentum,coriolis,slotine_li,osim")


def proven(case, functions):
    said = run(achdgen, case.name + ".urdf", "--layout", case.name + ".lua", "--functions", functions, "-q", "-o", "x.h")
    check(f"{case.name}: proven", said.returncode == 0, said.stderr)
    text = open("x.h", encoding="utf-8").read() if said.returncode == 0 else ""
    line = text[text.find("* proven"):].split("\n * cost")[0]
    check(f"{case.name}: the motors' torques are", "tau_motor" not in line, line)
    said = run(achdgen, case.name + ".urdf", "--layout", case.name + ".lua", "--check", "8")
    check(f"{case.name}: --check", said.returncode == 0, said.stdout + said.stderr)


TRANSMISSIONS = """
<transmission name="t1"><type>transmission_interface/SimpleTransmission</type>
<joint name="joint_1"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
<actuator name="motor_1"><mechanicalReduction> -100 </mechanicalReduction></actuator></transmission>
<ros2_control name="x" type="system">
<transmission name="wrist"><plugin>transmission_interface/DifferentialTransmission</plugin>
<joint name="joint_7" role="joint2"><mechanical_reduction>2</mechanical_reduction></joint>
<joint name="joint_6" role="joint1"/>
<actuator name="left" role="actuator1"><mechanical_reduction>50</mechanical_reduction></actuator>
<actuator name="right" role="actuator2"><mechanical_reduction>60</mechanical_reduction></actuator></transmission>
<transmission name="elbow"><plugin>transmission_interface/FourBarLinkageTransmission</plugin>
<joint name="joint_3"><mechanical_reduction>3</mechanical_reduction></joint>
<joint name="joint_4"><mechanical_reduction>2</mechanical_reduction></joint>
<actuator name="up"><mechanical_reduction>10</mechanical_reduction></actuator>
<actuator name="low"><mechanical_reduction>20</mechanical_reduction></actuator></transmission>
</ros2_control>
</robot>"""
# What ros_control's documentation makes of positions of joints: those of actuators.
AS_ROS = {"motor_1": {1: -100}, "left": {6: 50, 7: 100}, "right": {6: 60, 7: -120}, "up": {3: 30}, "low": {3: 20, 4: 40}}


def of_file():
    """Transmissions of a URDF, in both ways that ROS writes them: power and torques by ROS's positions; wrong ones are refused where they count."""
    with open(os.path.join(top, "robots/gen3.urdf"), encoding="utf-8") as file:
        robot = file.read().replace("</robot>", TRANSMISSIONS)
    write("t.urdf", robot)
    write("t.lua", 'return { transmissions = "urdf", motors = { left = { inertia = 1e-5 } }, outputs = { "tau_ctrl", "tau_motor" } }')
    command = [achdgen, "t.urdf", "--layout", "t.lua", "--functions", "id"]
    names = columns("of the file", command)
    state = {name: random.uniform(-2, 2) for name in names[0]}
    out = evaluated("of the file", command, names, [state])[0]
    for k in (1, 3, 4, 6, 7):
        felt = [out[f"tau_motor.{m}"] * g.get(k, 0) for m, g in AS_ROS.items()]
        check(f"joint {k} feels the motors of the file", abs(out[f"tau.joint_{k}"] - sum(felt)) <= 1e-12 * (1 + sum(map(abs, felt))), out)
    for old, new, line in (("-100", "zwei", 'is "zwei"'), ("-100", "0", 'is "0"'), ("FourBarLinkage", "Harmonic", "not known"),
                           ('<joint name="joint_6" role="joint1"/>', "", "2 actuators and 1 joints"), ('"joint_6"', '"joint_66"', "none that moves")):
        write("bad.urdf", robot.replace(old + " </mech", new + " </mech") if old == "-100" else robot[:-900] + robot[-900:].replace(old, new))
        said = run(achdgen, "bad.urdf", "--layout", "t.lua", "-o", "bad.h")
        check(f"refused: {new or old}", said.returncode == 1 and line in said.stderr and said.stderr.startswith("bad.urdf:") and
              not os.path.exists("bad.h"), said.stderr)
        said = run(achdgen, "bad.urdf", "-q", "--no-prove", "--functions", "fk", "-o", "x.h")
        check(f"no matter where no layout asks: {new or old}", said.returncode == 0, said.stderr)


def in_simulation():
    """--mjcf: joints have the motors' inertias, G^T J G's diagonal, and friction; what couples joints is named."""
    write("s.lua", """return { groups = {}, gravity = { 0, 0, -9.81 }, armature = { joint_1 = 0.5 },
  transmissions = { { motor = "a", joint = "joint_1", ratio = 100 },
    { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = { motors = { 50, 60 }, joints = { 2, 1 } } } },
  motors = { a = { inertia = 1e-4, viscous = 2e-4 }, l = { inertia = 1e-5 } } }""")
    said = run(achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "s.lua", "--mjcf", "s.xml")
    with open("s.xml", encoding="utf-8") as file:
        joints = {line.split('"')[1]: line for line in file if line.startswith("<joint name=")}

    def number(joint, word):
        return float(joints[joint].split(f'{word}="')[1].split('"')[0])
    check("--mjcf: rotors", near([number("joint_1", "armature"), number("joint_6", "armature"), number("joint_7", "armature")],
                                 [0.5 + 1, 1e-5 * 100 ** 2, 1e-5 * 50 ** 2], 1e-12), joints)
    check("--mjcf: friction", near([number("joint_1", "damping")], [2], 1e-12), joints)
    check("--mjcf: what is lost", "warning: rotors that couple joints are not in the model" in said.stderr, said.stderr)


def rubbing():
    """Dry friction of motors that alone move one joint is that of the joint: the same numbers as by friction of joints, |ratio| times as large."""
    words = """gravity = { 0, 0, -9.81 }, groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" } } },
  transmissions = { { motor = "m", joint = "joint_2", ratio = -50 }, { motors = { "l", "r" }, joints = { "joint_6", "joint_7" }, differential = {} } },
  motors = { m = { inertia = 1e-5MORE }, r = { inertia = 0.01, effort = 2 }OWN }, friction = { coulomb = COULOMB, viscous = { joint_1 = 0.1 } },"""
    at_motors = words.replace("MORE", ", coulomb = 0.02").replace("OWN", ", joint_1 = { coulomb = 0.75 }").replace("COULOMB", "{ joint_1 = 0.25, joint_4 = 0.5 }")
    at_joints = words.replace("MORE", "").replace("OWN", "").replace("COULOMB", "{ joint_1 = 1, joint_2 = 1, joint_4 = 0.5 }")
    outputs = 'outputs = { "qdd", "nu", "tau_ctrl", "tau_motor", "tau_friction" }'
    found = []
    for layout in (at_motors, at_joints):
        write("f.lua", f'return {{ {layout} {outputs}, realise = "optimum" }}')
        command = [achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "f.lua", "--functions", "qp"]
        names = columns("qp", command)
        if not found:
            states = [{name: random.uniform(-2, 2) for name in names[0]} for _ in range(2)]
            states[1] |= {name: 0 for name in names[0] if name.startswith("qd.")}  # at rest
        found.append(evaluated("qp", command, names, states))
    check("qp: friction of motors", found[0] == found[1], found)
    bounds = sorted(x for name, x in found[0][1].items() if name.split(".")[0] == "stiction" and 0 < x < 1e200)
    check("qp: of joints 1, 2 and 4", near([x / bounds[-1] for x in bounds[-3:]], [0.5, 1, 1], 1e-12), bounds)
    said = run(achdgen, os.path.join(top, "robots/gen3.urdf"), "--layout", "f.lua", "--check", "3")
    check("friction of motors: --check", said.returncode == 0, said.stdout + said.stderr)


if not ONE:
    of_file()
    in_simulation()
count = 0
for _ in range(1 if ONE else ROUNDS):
    for base in ("fixed", "floating"):
        for form in range(len(FORMS)):
            if ONE and base == "fixed" and form:
                continue
            mimics = form == 2 and base == "floating" or random.random() < 0.35
            one = Case(f"r{count}", base, form, mimics)
            compare(one)
            if base == "fixed":
                print(one.name, limited(one), "states of scaled set-points")
            if count in (1, 5) and not ONE:
                proven(one, PROVEN[count == 5])
            count += 1
if not ONE:
    rubbing()
finish()
