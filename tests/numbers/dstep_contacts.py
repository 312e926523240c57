# SPDX-License-Identifier: MIT
"""tests/numbers/dstep_contacts.py ACHDGEN SOURCE_DIR [one]: the derivatives of dstep with contacts, limits and dry friction are the differences of
step_begin, a solver of the test's own (step_impulses.c), and step_end, away from where a contact begins or ends to touch or to slide; with loops and
frames that are held as well. one: on a floating base alone, as dstep_mutants.sh has it.
"""
import ctypes
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from directions import apart_most, difference, moved_along, random_direction, told  # noqa: E402
from step_machine import TWIST, XYZ, Machine, apart, columns_of, coordinates, from_columns  # noqa: E402
from step_oracle import Body, Robot, dot, plus, times  # noqa: E402

random.seed(33)
os.chdir(tempfile.mkdtemp())
POINTS = {"toe": (2, [0.2, 0.1, -0.1], 0.03), "heel": (3, [0.0, -0.2, 0.1], 0.0)}
HELD = {"fixed": '{ name = "bar", frame = "b2", to = "b3", rows = { "lin_x" } }',
        "planar": '{ name = "pin", frame = "b2", kind = "physical", rows = { "lin_x", "ang_z" } }',
        "floating": '{ name = "pin", frame = "b1", kind = "physical", axes = "link", rows = { "lin_x", "ang_y" } }, '
                    '{ name = "bar", frame = "b2", to = "b3", rows = { "lin_x" } }'}
SEEN = {}
H = 0.004


def random_robot(base):
    def near(size):
        return [round(random.uniform(-size, size), 3) for _ in range(3)]

    def body(parent, axis, slides=False, damping=0.0):
        return Body(parent, axis, near(0.4), round(random.uniform(0.5, 3), 3), near(0.1), [0.02, 0.025, 0.03], slides, damping)

    bodies = [body(-1, [0.0, 0.0, 1.0], damping=0.7), body(0, [0.6, 0.0, 0.8]), body(1, [1.0, 0.0, 0.0], slides=True, damping=2.5),
              body(0, [0.0, 1.0, 0.0])]
    return Robot(bodies, base, None if base == "fixed" else body(-1, [0.0, 0.0, 1.0]))


def unit():
    n = [random.uniform(-1, 1) for _ in XYZ]
    return [x / dot(n, n) ** 0.5 for x in n]


def surfaces(robot, s):
    """Half-spaces that the points touch, or do not reach."""
    R, p = robot.base_place(s, [0.0] * 6, 0)
    places, values = robot.places(s["q"], R, p), {}
    for name, (body, at, radius) in POINTS.items():
        Rb, o, _ = places[body + 1]
        point, n = plus(o, times(Rb, at)), unit()
        gap = random.choice([-1e-4, -1e-4, 0.0, 0.5])
        values |= {f"contact.{name}.distance": (dot(point, n) - radius - gap).real, f"contact.{name}.friction": random.choice([0.0, 0.2, 1.5, 3.0])}
        values |= {f"contact.{name}.normal.{k}": x for k, x in zip(XYZ, n)}
    return values


class Stepper:
    """One step from a state, by step_begin, the test's solver, and step_end: the state after it, impulses."""

    def __init__(self, base, held):
        self.robot, self.base = random_robot(base), base
        words = ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(self.robot.bodies) if b.damping)
        points = ", ".join(f'{{ name = "{name}", frame = "b{body}", at = {{ {", ".join(map(repr, at))} }}, ' +
                           (f"radius = {radius} }}" if radius else 'kind = "point" }') for name, (body, at, radius) in POINTS.items())
        self.held = HELD[base].count("lin_") + HELD[base].count("ang_") if held else 0
        self.words = (f'groups = {{ {HELD[base] if held else ""} }}, wrenches = {{ {{ name = "push", frame = "b2", kind = "physical" }} }}, contacts = {{ {points} }}, '
                      f'friction = {{ viscous = {{ {words} }}, coulomb = {{ j0 = 20, j3 = 0.1 }} }}, '
                      'joint_limits = { j1 = { lower = -1, upper = 1 } }, limits = { joints = { "j1" } },')
        self.name = f"{'held' if held else 'contacts'}_{base}"
        self.machine = Machine(achdgen, self.name, self.robot, self.words)
        self.box = [20 * H, 0.1 * H]
        ctypes.c_double.in_dll(self.machine.library, "least").value = 1e-9
        ctypes.c_int.in_dll(self.machine.library, "most").value = 20000
        self.share = ctypes.c_double.in_dll(self.machine.library, "gap_share")

    def step(self, values):
        machine = self.machine
        machine.set(values)
        for j in range(machine.rows):
            machine.lambda_[j] = 0
        mu = [values[f"{c}.friction"] for c in machine.contacts]
        status = machine.library.cycle(machine.given, machine.got, 2, 2, (ctypes.c_double * 2)(*mu), (ctypes.c_double * 2)(*self.box))
        return from_columns(self.robot, {k.replace("q.", "q_next.").replace("qd.", "qd_next.").replace("base.", "base_next."): x
                                         for k, x in machine.result().items()}, "_next"), list(machine.lambda_), status

    def sets(self, values, lambda_):
        """How each contact and joint row is, and whether it is far from another set, and no row depends on others."""
        m, machine, names, far = self.machine.rows, self.machine, [], True
        A, b, gap = machine.begun(m * m, 0), machine.begun(m, m * m), machine.begun(m, m * m + m)
        w = [b[i] + self.share.value * gap[i] + dot(A[m * i:m * i + m], lambda_) for i in range(m)]
        for k, c in enumerate(machine.contacts):
            mu, (n, x, y), (wn, wx, wy) = values[f"{c}.friction"], lambda_[3 * k:3 * k + 3], w[3 * k:3 * k + 3]
            rubs, slips = mu * n - (x * x + y * y) ** 0.5, (wx * wx + wy * wy) ** 0.5
            names.append("open" if n == 0 else "slides" if rubs < 1e-9 else "held")
            far &= {"open": wn - mu * slips, "slides": min(n, slips if mu else 1), "held": min(n, rubs)}[names[-1]] > 0.03
        for j in range(6, m):
            names.append("limit" if j < 8 and lambda_[j] > 0 else "away" if j < 8 else
                         "sticks" if abs(lambda_[j]) < self.box[j - 8] * (1 - 1e-9) else "rubs")
            far &= {"limit": lambda_[j], "away": w[j], "sticks": self.box[j - 8] - abs(lambda_[j]), "rubs": abs(w[j])}[names[-1]] > 3e-3
        count = sum({"held": 3, "slides": 2, "limit": 1, "sticks": 1}.get(x, 0) for x in names)
        far &= ctypes.c_int.in_dll(machine.library, "sweeps").value < 2000
        return names, far and count + self.held < self.robot.nb + len(self.robot.bodies)


def against_differences(base, held, wanted):
    stepper = Stepper(base, held)
    robot, names = stepper.robot, coordinates(stepper.robot)
    write("dstep.lua", f'return {{ name = "r", base = "{base}", gravity = {{ 0, 0, -9.81 }}, {stepper.words} step = {{}} }}\n')
    command = [achdgen, f"{stepper.name}.urdf", "--layout", "dstep.lua", "--functions", "dstep"]
    tests = []
    while len(tests) < wanted:
        s, tau = robot.random_state(), [random.uniform(-5, 5) for _ in robot.bodies]
        stepper.share.value = random.choice([1.0, 1.0, 0.3])
        s["q"][1] = random.choice([1.0, 0.5, -1.0])
        s["v"] = [0.5 * x for x in s["v"]]
        if random.random() < 0.5:
            s["v"] = [0.02 * x for x in s["v"]]
        more = surfaces(robot, s) | {"time_step": H} | {f"push.{k}": random.uniform(-5, 5) for k in TWIST}
        end, lambda_, status = stepper.step(columns_of(robot, s, tau) | more)
        sets, far = stepper.sets(more, lambda_)
        if far and max(map(abs, apart(robot, end, s))) < 1:  # a loop that is open too far for Newton's steps leads anywhere
            tests.append((s, tau, more, end, lambda_, stepper.share.value))
            check(f"{base}: status", status == 0, status)
            for x in sets:
                SEEN[x] = SEEN.get(x, 0) + 1
    inputs = [columns_of(robot, s, tau) | more | {f"lambda.{j}": x for j, x in enumerate(lambda_)} |
              {f"gap_share.{j}": share for j in range(len(lambda_))} for s, tau, more, _, lambda_, share in tests]
    asked = columns("dstep", command)
    answers, in_float = (evaluated(name, [*command, "--real", name], asked, inputs) for name in ("double", "float"))
    worst, worst_float, rows = 0.0, 0.0, len(tests[0][4])
    for (s, tau, more, end, _, share), answer, single in zip(tests, answers, in_float):
        check(f"{base}: status", answer["status"] == 0, answer["status"])
        for x, y in zip(apart(robot, from_columns(robot, answer, "_next"), end), [0.0] * len(names)):
            worst = max(worst, abs(x - y))
        stepper.share.value = share
        for _ in range(4):
            e = random_direction(robot, 0.02, 6)

            def step(size, s=s, tau=tau, more=more, e=e):
                there, torque, push = moved_along(robot, s, tau, e, size)
                extra = {f"push.{k}": more[f"push.{k}"] + x for k, x in zip(TWIST, push)}
                return stepper.step(columns_of(robot, there, torque) | more | extra)[:2]

            a, seen = told(robot, answer, e, "push", rows), difference(robot, step, 1e-4)
            worst, worst_float = max(worst, apart_most(a, seen)), max(worst_float, apart_most(told(robot, single, e, "push", rows), a))
    print(base, held, worst, worst_float)
    check(f"{base}: derivatives", worst < 2e-7, worst)
    check(f"{base}: in float", 0 < worst_float < 2e-2, worst_float)


def on_last_link():
    """Of a Gen3 whose tool touches: the step of dstep is that of step_begin and step_end; frames of last links are not moved to where products are fewest."""
    with open(os.path.join(top, "robots/gen3.urdf"), encoding="utf-8") as file:
        urdf = file.read()
    words = 'contacts = { { name = "tool", frame = "tool_frame", at = { 0.01, 0.02, 0.03 } } },'
    machine = Machine(achdgen, "gen3", Robot([]), words, urdf)
    command = [achdgen, "gen3.urdf", "--layout", "gen3.lua", "--functions", "dstep"]
    values = {k: random.uniform(-1, 1) for k in machine.ins if k.startswith(("q.", "qd.", "tau."))} | {"time_step": H}
    values |= {"contact.tool.normal.z": 1.0, "contact.tool.distance": 9.0}
    machine.set(values)
    machine.library.begin(machine.given)
    for j in range(3):
        machine.lambda_[j] = random.uniform(-1, 1)
    machine.library.end(machine.given, machine.got)
    answer = evaluated("gen3", command, columns("gen3", command), [values | {f"{k}.{j}": y for j, x in enumerate(machine.lambda_)
                                                                             for k, y in (("lambda", x), ("gap_share", 1.0))}])[0]
    worst = max(abs(answer[k.replace("qd.", "qd_next.")] - x) for k, x in machine.result().items() if k.startswith("qd."))
    check("a contact on the last link", worst < 1e-11, worst)
    said = run(*command, "--check", "1")  # of random impulses, with R that is not negative
    check("--check of a contact", said.returncode == 0 and "dlambda_dq " in said.stdout, said.stderr)


one = len(sys.argv) > 3
for BASE, IS_HELD in (("fixed", False), ("fixed", True), ("planar", True), ("floating", False), ("floating", True))[4 if one else 0:]:
    against_differences(BASE, IS_HELD, 8 if one else 4 if IS_HELD else 6)
print(SEEN)
if not one:
    on_last_link()
check("all sets are there", one or all(SEEN.get(x, 0) > 1 for x in ("open", "slides", "held", "limit", "away", "sticks", "rubs")), SEEN)
finish()
