# SPDX-License-Identifier: MIT
"""tests/numbers/step.py ACHDGEN SOURCE_DIR: the function step is what step_oracle.py says by definition, on every base, and what theory says of
its integrators: their order, energy and momentum.
"""
import ctypes
import math
import os
import random
import sys
import tempfile
from xml.etree import ElementTree

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from step_oracle import Body, Robot, solve  # noqa: E402

random.seed(11)
os.chdir(tempfile.mkdtemp())
XYZ = "xyz"


def random_robot(base):
    def axis(k):
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, 0.8]][k % 4]

    def near(size):
        return [round(random.uniform(-size, size), 3) for _ in range(3)]

    def body(parent, k, slides=False, damping=0.0):
        return Body(parent, axis(k), near(0.4), round(random.uniform(0.5, 3), 3), near(0.1), [0.02, 0.025, 0.03], slides, damping)

    bodies = [body(-1, 2, damping=0.7), body(0, 0), body(1, 3, slides=True, damping=2.5), body(0, 1, damping=0.1), body(3, 0)]
    return Robot(bodies, base, None if base == "fixed" else body(-1, 0))


def layout(robot, step, more=""):
    damping = ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(robot.bodies) if b.damping)
    friction = f"friction = {{ viscous = {{ {damping} }} }}," if damping else ""
    g = ", ".join(map(repr, robot.gravity))
    return (f'return {{ base = "{robot.base}", groups = {{}}, gravity = {{ {g} }}, {friction} {more}\n'
            f"step = {{ {step} }} }}\n")


def given(robot, s, tau):
    """A state by columns."""
    x = {f"q.j{k}": y for k, y in enumerate(s["q"])} | {f"qd.j{k}": y for k, y in enumerate(s["v"][robot.nb:])}
    x |= {f"tau.j{k}": y for k, y in enumerate(tau)}
    if robot.nb == 3:
        x |= {"base.x": s["p"][0], "base.y": s["p"][1], "base.yaw": s["yaw"]}
        x |= {f"base.twist.{k}": y for k, y in zip(["x", "y", "yaw"], s["v"])}
    if robot.nb == 6:
        x |= {f"base.position.{k}": y for k, y in zip(XYZ, s["p"])} | {f"base.quat.{k}": y for k, y in zip("wxyz", s["quat"])}
        x |= {f"base.twist.{p}_{k}": y for (p, k), y in zip([(p, k) for p in ("lin", "ang") for k in XYZ], s["v"])}
    return x


def next_of(robot, s):
    """What comes out, by the names of what goes in."""
    return {k.replace("q.", "q_next.", 1).replace("qd.", "qd_next.", 1).replace("base.", "base_next.", 1): y
            for k, y in given(robot, s, []).items()}


def command_of(name, robot, step, more=""):
    write(f"{name}.urdf", robot.urdf())
    write(f"{name}.lua", layout(robot, step, more))
    return [achdgen, f"{name}.urdf", "--layout", f"{name}.lua", "--functions", "step"]


def against_oracle(base, step, h, advance, tolerance, count=3, more=""):
    robot = random_robot(base)
    states = [(robot.random_state(), [random.uniform(-5, 5) for _ in robot.bodies]) for _ in range(count)]
    command = command_of("random", robot, step, more)
    names = columns("random", command)
    answers = evaluated("random", command, names, [given(robot, s, tau) | {"time_step": h} for s, tau in states])
    worst = 0
    for (s, tau), answer in zip(states, answers):
        check(f"{base}, {step}: status", answer["status"] == 0, answer)
        for key, y in next_of(robot, advance(robot, s, tau, h)).items():
            worst = max(worst, abs(answer[key] - y) / (1 + abs(y)))
    check(f"{base}, {step}: the step by definition", worst <= tolerance, worst)


for BASE in ("fixed", "planar", "floating"):
    against_oracle(BASE, "", 0.01, Robot.semi_implicit, 1e-12)
    against_oracle(BASE, "substeps = 3", 0.03, lambda r, s, tau, h: r.semi_implicit(
        r.semi_implicit(r.semi_implicit(s, tau, h / 3), tau, h / 3), tau, h / 3), 1e-12, 3)



def senseless():
    """What is no period, or not finite, is told; what a layout cannot have is refused."""
    robot = random_robot("floating")
    command = command_of("senseless", robot, "")
    good = given(robot, robot.random_state(), [0.0] * 5) | {"time_step": 1e-3}
    states = [good | {"time_step": 0.0}, good | {"time_step": -1e-3}, good | {"base.quat.w": 3.0}, good | {"base.twist.ang_x": 1e5},
              good | {"qd.j1": math.nan}]
    answers = evaluated("senseless", command, columns("senseless", command), states)
    statuses = [int(x["status"]) for x in answers]
    check("statuses of senseless numbers", all(x & 16 for x in statuses[:4]) and statuses[4] == 4, statuses)
    for base, words, what in [
            ("fixed", 'step = { integrator = "momentum" }', "corrects the velocity of a base that moves"),
            ("fixed", "friction = { coulomb = { j0 = 1 } }", "no solver for dry friction"),
            ("fixed", "limits = { margin = 0.1 }", "no solver for limits"),
            ("fixed", 'wrenches = { { name = "time_step", frame = "b4", kind = "physical" } }', "named like an input of step"),
            ("fixed", 'contacts = { { name = "toe", frame = "b4" } }, wrenches = { { name = "contact", frame = "b4", kind = "physical" } }',
             'the wrench "contact" is named like an input of step')]:
        write("refused.lua", f'return {{ base = "{base}", {words} }}\n')
        function = "step_begin" if "contacts" in words else "step"
        said = run(achdgen, "senseless.urdf", "--layout", "refused.lua", "-q", "--functions", function, "-o", "refused.h")
        check(f"refused: {what}", said.returncode == 1 and said.stderr.startswith("refused.lua:1: error: ") and what in said.stderr and
              "remedy: " in said.stderr and not os.path.exists("refused.h"), said.stderr)


senseless()


# ---- many steps, compiled ----


COLUMNS = {}


class Simulator:
    """The step of a robot, compiled: states as lists of numbers, in the order of the columns that go in."""

    def __init__(self, name, robot, step, more=""):
        self.compile(name, robot, command_of(name, robot, step, f'name = "r", {more}'))

    def compile(self, name, robot, command):
        if robot not in COLUMNS:  # they are those of all integrators
            COLUMNS[robot] = columns(name, command)
        self.ins, self.outs = COLUMNS[robot]
        made = run(*command, "-q", "--no-prove", "-o", f"{name}.h")
        write(f"{name}.c", f'#define R_IMPLEMENTATION\n#include "{name}.h"\nconst unsigned long size_in = sizeof(r_step_in);\n')
        said = run("cc", "-O0", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.c")
        check(f"{name}: compiled", made.returncode == 0 and said.returncode == 0, made.stderr + said.stderr)
        library = ctypes.CDLL(os.path.abspath(f"{name}.so"))
        self.step = library.r_step
        check(f"{name}: plain structs", ctypes.c_ulong.in_dll(library, "size_in").value == 8 * len(self.ins), self.ins)
        self.robot, self.bad = robot, 0
        self.given, self.got = (ctypes.c_double * len(self.ins))(), (ctypes.c_double * len(self.outs))()
        following = [k.replace("q_next", "q").replace("qd_next", "qd").replace("base_next", "base") for k in self.outs[:-1] if not k.startswith("nu.")]
        self.back = [(i, self.ins.index(k)) for i, k in enumerate(following)]

    def start(self, s, tau, h):
        x = given(self.robot, s, tau) | {"time_step": h}
        for i, k in enumerate(self.ins):
            self.given[i] = x.get(k, 0.0)

    def run(self, steps, each=None):
        for k in range(steps):
            self.bad |= self.step(self.given, self.got)
            for i, j in self.back:
                self.given[j] = self.got[i]
            if each:
                each(k)

    def columns(self):
        return dict(zip(self.ins, self.given))

    def state(self):
        x, robot = self.columns(), self.robot
        s = {"q": [x[f"q.j{k}"] for k in range(len(robot.bodies))]}
        qd = [x[f"qd.j{k}"] for k in range(len(robot.bodies))]
        if robot.nb == 6:
            s["p"], s["quat"] = [x[f"base.position.{k}"] for k in XYZ], [x[f"base.quat.{k}"] for k in "wxyz"]
            qd = [x[f"base.twist.{p}_{k}"] for p in ("lin", "ang") for k in XYZ] + qd
        return s | {"v": qd}

    def after(self, s, tau, time, steps):
        self.start(s, tau, time / steps)
        self.run(steps)
        return self.columns()


def simulators(name, robot, integrators):
    return {i: Simulator(f"{name}_{i}", robot, f'integrator = "{i}"') for i in integrators}


def order(name, simulator, s, tau, time, steps, exact, expected):
    """Halving the step divides the error by 2^order."""
    def error(n):
        x = simulator.after(s, tau, time, n)
        return max(abs(x[k] - y) for k, y in exact.items())

    coarse, fine = error(steps), error(2 * steps)
    ratio = coarse / fine
    check(f"{name}: order {expected}", 0.85 * 2 ** expected < ratio < 1.25 * 2 ** expected and simulator.bad == 0, (coarse, fine, ratio))


ORDERS = {"semi_implicit": 1, "rk4": 4, "implicit_midpoint": 2}


def pendulum():
    """q'' = -m g l sin q / (I + m l^2), integrated here."""
    robot = Robot([Body(-1, [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], 2.0, [0.0, 0.0, -0.5], [0.1, 0.1, 0.1])])
    ratio = 2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25)

    def rate(x):
        return (x[1], -ratio * math.sin(x[0]))

    x, n = (1.2, 0.3), 4000
    for _ in range(n):
        h = 1.0 / n
        a = rate(x)
        b = rate((x[0] + h / 2 * a[0], x[1] + h / 2 * a[1]))
        c = rate((x[0] + h / 2 * b[0], x[1] + h / 2 * b[1]))
        d = rate((x[0] + h * c[0], x[1] + h * c[1]))
        x = tuple(x[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i in range(2))
    for name, simulator in simulators("pendulum", robot, ORDERS).items():
        order(f"pendulum, {name}", simulator, {"q": [1.2], "v": [0.3]}, [0.0], 1.0, 200 if name == "semi_implicit" else 50,
              {"q.j0": x[0], "qd.j0": x[1]}, ORDERS[name])


def double_pendulum():
    """Semi-implicit steps lose or win energy as h t, since M depends on q; the midpoint's error is bounded and falls as h^2."""
    rods = [Body(-1, [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], 1.0, [0.0, 0.0, -0.5], [0.08, 0.08, 0.001]),
            Body(0, [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], 1.0, [0.0, 0.0, -0.5], [0.08, 0.08, 0.001])]
    robot = Robot(rods)
    s = {"q": [1.5, 0.4], "v": [0.0, 0.0]}
    start = robot.energy(s)
    made = simulators("double", robot, ["semi_implicit", "implicit_midpoint"])

    def worst(name, h, span):
        simulator, largest = made[name], [0.0]

        def look(k):
            if (k + 1) % round(0.04 / h) == 0:
                largest[0] = max(largest[0], abs(robot.energy(simulator.state()) - start))

        simulator.start(s, [0.0, 0.0], h)
        simulator.run(round(span / h), look)
        return largest[0]

    first, half = worst("semi_implicit", 2e-3, 2), worst("semi_implicit", 1e-3, 2)
    check("double pendulum: the energy of semi_implicit is off by about h", 0.02 < first and 1.6 < first / half < 2.5, (first, half))
    first, half = worst("implicit_midpoint", 2e-3, 2), worst("implicit_midpoint", 1e-3, 2)
    check("double pendulum: that of implicit_midpoint by h^2", first < 2e-3 and 3.5 < first / half < 4.5, (first, half))
    longer = worst("implicit_midpoint", 2e-3, 6)
    check("double pendulum: that of implicit_midpoint is bounded", longer < 2.5 * first, (first, longer))


def spinning_top():
    """A body with I = A, A, C that nothing acts on: R = exp(t L / A) R_0 exp(t (1 - C / A) w_3 e_3)."""
    A, C, time, w = 0.3, 0.5, 1.0, [0.4, -0.3, 6.0]
    robot = Robot([], "floating", Body(-1, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 1.5, [0.0, 0.0, 0.0], [A, A, C]), (0, 0, 0))
    s = {"q": [], "v": [0.5, 0.0, 0.0] + w, "p": [0.0, 0.0, 1.0], "quat": [1.0, 0.0, 0.0, 0.0]}
    whole = robot.moved(s, [0.5 * time, 0.0, 0.0] + [time * x / A for x in (A * w[0], A * w[1], C * w[2])], s["v"])
    own = robot.moved(s, [0.0] * 5 + [time * (1 - C / A) * w[2]], s["v"])["quat"]
    a, b = whole["quat"], own
    quat = [a[0] * b[0] - a[3] * b[3], a[1] * b[0] + a[2] * b[3], a[2] * b[0] - a[1] * b[3], a[0] * b[3] + a[3] * b[0]]
    exact = {f"base.quat.{k}": x for k, x in zip("wxyz", quat)} | {"base.position.x": 0.5}
    for name, simulator in simulators("top", robot, ORDERS).items():
        # signs: a quaternion and its opposite are one turn
        simulator.after(s, [], time, 400)
        sign = 1 if simulator.columns()["base.quat.w"] * quat[0] > 0 else -1
        signed = {k: sign * x if "quat" in k else x for k, x in exact.items()}
        order(f"top, {name}", simulator, s, [], time, 200 if name == "semi_implicit" else 60, signed, ORDERS[name])
        x = simulator.columns()
        norm = sum(x[f"base.quat.{k}"] ** 2 for k in "wxyz")
        check(f"top, {name}: norm", abs(norm - 1) < 1e-14, norm)


class Evaluated(Simulator):
    """The same without a compiler, for a step."""

    def compile(self, name, robot, command):
        self.name, self.robot, self.command, self.names = name, robot, command, columns(name, command)

    def start(self, s, tau, h):
        self.begun = given(self.robot, s, tau) | {"time_step": h}

    def run(self, steps, each=None):
        self.ended = evaluated(self.name, self.command, self.names, [self.begun])[0]

    def columns(self):
        return {k.replace("q_next", "q").replace("qd_next", "qd").replace("base_next", "base"): x for k, x in self.ended.items()}


def momentum_gained(robot, simulator, s, tau, h):
    """What a step makes of the momentum beside gravity's part."""
    simulator.start(s, tau, h)
    simulator.run(1)
    before, after = robot.momentum(s), robot.momentum(simulator.state())
    after[2] += 9.81 * (sum(b.m for b in robot.bodies) + robot.own.m) * h
    return max(abs(x - y) for x, y in zip(before, after))


def free_robot():
    """A floating robot of five joints with torques: all integrators have one limit, each its order; momentum."""
    robot = random_robot("floating")
    s, tau = robot.random_state(), [0.5, -0.4, 1.0, 0.3, -0.2]
    robot.gravity = [0.0, 0.0, -9.81]
    made = simulators("free", robot, ORDERS)
    exact = made["rk4"].after(s, tau, 0.1, 640)
    exact = {k: x for k, x in exact.items() if k.startswith(("q.", "qd.", "base."))}
    for name in ORDERS:
        steps = {"semi_implicit": 160, "rk4": 20, "implicit_midpoint": 40}[name]
        order(f"free robot, {name}", made[name], s, tau, 0.1, steps, exact, ORDERS[name])
    coarse, fine = (momentum_gained(robot, made["semi_implicit"], s, tau, h) for h in (2e-3, 1e-3))
    check("momentum of semi_implicit: h^2 a step", 1e-8 < fine and 3.5 < coarse / fine < 4.5, (coarse, fine))
    exactly = momentum_gained(robot, Evaluated("free_momentum", robot, 'integrator = "momentum"'), s, tau, 2e-3)
    check("momentum: 1e-12 a step", exactly < 1e-12 * max(map(abs, robot.momentum(s))), exactly)


def body_of(link, parent, joint):
    """Of a URDF whose frames are not turned and whose inertias are diagonal."""
    inertial = link.find("inertial")
    place = inertial.find("origin") if inertial is not None else None
    com = [float(x) for x in place.get("xyz").split()] if place is not None else [0.0] * 3
    m = float(inertial.find("mass").get("value")) if inertial is not None else 0.0
    I = [float(inertial.find("inertia").get(k)) for k in ("ixx", "iyy", "izz")] if inertial is not None else [0.0] * 3
    axis = [float(x) for x in joint.find("axis").get("xyz").split()] if joint is not None else [0.0, 0.0, 1.0]
    origin = joint.find("origin") if joint is not None else None
    return Body(parent, axis, [float(x) for x in origin.get("xyz").split()] if origin is not None else [0.0] * 3, m, com, I)


def humanoid():
    """robots/humanoid.urdf in free flight: with "momentum" a step changes its momentum by gravity alone."""
    tree = ElementTree.parse(os.path.join(top, "robots/humanoid.urdf")).getroot()
    check("humanoid: frames are not turned", not any(x.get("rpy", "0").strip(" 0") for x in tree.iter("origin")), "rpy")
    links = {x.get("name"): x for x in tree.findall("link")}
    joints = [j for j in tree.findall("joint") if j.get("type") != "fixed"]
    bodies, number = [], {"pelvis": -1}
    for j in joints:  # parents stand first in this file
        number[j.find("child").get("link")] = len(bodies)
        bodies.append(body_of(links[j.find("child").get("link")], number[j.find("parent").get("link")], j))
    robot = Robot(bodies, "floating", body_of(links["pelvis"], -1, None))
    s, tau = robot.random_state(), [random.uniform(-5, 5) for _ in bodies]
    gained = momentum_gained(robot, Evaluated("humanoid", robot, 'integrator = "momentum"'), s, tau, 2e-3)
    size = max(map(abs, robot.momentum(s)))
    check("humanoid: momentum to 1e-12 a step", len(bodies) == 30 and gained < 1e-12 * size, (gained, size))


def four_bar():
    """A crank and rocker for 60 s: its loop stays closed; what a short step makes of velocities is what M, bias and the loop's J say."""
    bodies = [Body(-1, [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], 0.3, [0.05, 0.0, 0.0], [2e-5, 3e-4, 3e-4]),
              Body(0, [0.0, 1.0, 0.0], [0.1, 0.0, 0.0], 0.8, [0.15, 0.0, 0.01], [1e-4, 6.5e-3, 6.4e-3]),
              Body(-1, [0.0, 1.0, 0.0], [0.28, 0.0, 0.0], 0.6, [0.125, 0.0, 0.0], [6e-5, 3.2e-3, 3.2e-3])]
    robot = Robot(bodies)
    write("four_bar.lua", """return {
  name = "r", gravity = { 0, 0, -9.81 }, groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } },
  step = {},
}""")
    command = [achdgen, os.path.join(top, "robots/four_bar.urdf"), "--layout", "four_bar.lua", "--functions", "step"]
    simulator = Simulator.__new__(Simulator)
    simulator.compile("four_bar", robot, command)
    simulator.joints = [k[2:] for k in simulator.ins if k.startswith("q.")]

    def gap(q):
        """Of the two pins: x and z, each by its own links; joints turn about y."""
        crank, both, rocker = q[0], q[0] + q[1], q[2]
        return (0.1 * math.cos(crank) + 0.3 * math.cos(both) - 0.28 - 0.25 * math.cos(rocker),
                -0.1 * math.sin(crank) - 0.3 * math.sin(both) + 0.25 * math.sin(rocker))

    def jacobian(q):
        crank, both, rocker = q[0], q[0] + q[1], q[2]
        return [[-0.1 * math.sin(crank) - 0.3 * math.sin(both), -0.3 * math.sin(both), 0.25 * math.sin(rocker)],
                [-0.1 * math.cos(crank) - 0.3 * math.cos(both), -0.3 * math.cos(both), 0.25 * math.cos(rocker)]]

    q = [0.7, -1.0, -1.2]
    for _ in range(20):  # closes the loop
        J, r = jacobian(q), gap(q)
        d = solve([[J[0][1], J[0][2]], [J[1][1], J[1][2]]], [-r[0], -r[1]])
        q = [q[0], q[1] + d[0], q[2] + d[1]]
    J, crank = jacobian(q), 7.0
    d = solve([[J[0][1], J[0][2]], [J[1][1], J[1][2]]], [-crank * J[0][0], -crank * J[1][0]])
    s = {"q": q, "v": [crank, d[0], d[1]]}
    M, bias, _ = robot.mass_and_forces(s)
    moved = jacobian([x + 1e-6 * y for x, y in zip(q, s["v"])])
    back = jacobian([x - 1e-6 * y for x, y in zip(q, s["v"])])
    drift = [sum((a - b) / 2e-6 * y for a, b, y in zip(i, j, s["v"])) for i, j in zip(moved, back)]
    whole = [M[i] + [J[0][i], J[1][i]] for i in range(3)] + [J[k] + [0, 0] for k in range(2)]
    exact = solve(whole, [0.4 * (i == 0) - bias[i] for i in range(3)] + [-x for x in drift])[:3]

    def set_state(h):
        for i, k in enumerate(simulator.ins):
            joint = simulator.joints.index(k.split(".")[1]) if k.startswith(("q.", "qd.", "tau.")) else 0
            simulator.given[i] = h if k == "time_step" else (
                s["q"][joint] if k.startswith("q.") else s["v"][joint] if k.startswith("qd.") else 0.4 * (joint == 0))

    set_state(1e-6)
    simulator.run(1)
    x = simulator.columns()
    seen = [(x[f"qd.{j}"] - v) / 1e-6 for j, v in zip(simulator.joints, s["v"])]
    check("four-bar: accelerations", all(abs(a - b) < 1e-3 * max(map(abs, exact)) for a, b in zip(seen, exact)), (seen, exact))

    set_state(1e-3)
    for i, k in enumerate(simulator.ins):
        if k.startswith("tau."):
            simulator.given[i] = 0.0
    start, worst, fastest = robot.energy(s), [0.0], [0.0]

    def look(_):
        x = [simulator.given[i] for i in simulator.places]
        worst[0] = max(worst[0], *map(abs, gap(x)))
        fastest[0] = max(fastest[0], abs(simulator.given[simulator.speed]))

    simulator.places = [simulator.ins.index(f"q.{j}") for j in simulator.joints]
    simulator.speed = simulator.ins.index(f"qd.{simulator.joints[0]}")
    simulator.run(60000, look)
    x = simulator.columns()
    end = robot.energy({"q": [x[f"q.{j}"] for j in simulator.joints], "v": [x[f"qd.{j}"] for j in simulator.joints]})
    check("four-bar, 60 s: the loop is closed to 1e-9", worst[0] <= 1e-9 and simulator.bad == 0, (worst, fastest, simulator.bad))
    check("four-bar, 60 s: it still turns", fastest[0] > 5 and abs(end - start) < 0.6 * abs(start), (fastest, start, end))


four_bar()
pendulum()
double_pendulum()
spinning_top()
free_robot()
humanoid()
finish()
