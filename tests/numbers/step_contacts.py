# SPDX-License-Identifier: MIT
"""tests/numbers/step_contacts.py ACHDGEN SOURCE_DIR: step_begin and step_end: what impulses do, by the definition of step_oracle.py; and with a
solver of the test's own (step_impulses.c) blocks that slide and stick on a slope, a sphere that rolls, limits, dry friction.
"""
import ctypes
import math
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, finish, run, write  # noqa: E402
from step_machine import Machine, columns_of  # noqa: E402
from step_oracle import EPS, Body, Robot, dot, plus, solve, times  # noqa: E402

random.seed(5)
os.chdir(tempfile.mkdtemp())
XYZ = "xyz"
G = 9.81


def by_definition(base):
    """Any impulses: v+ is that of M, and of the velocity of the point by differences of its place; gap, A and b are of that point."""
    bodies = [Body(-1, [0.0, 0.0, 1.0], [0.1, 0.2, 0.0], 2.0, [0.1, 0.0, 0.05], [0.02, 0.03, 0.04], damping=0.3),
              Body(0, [0.0, 1.0, 0.0], [0.3, 0.0, 0.1], 1.0, [0.1, 0.05, 0.0], [0.02, 0.01, 0.03])]
    own = None if base == "fixed" else Body(-1, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 3.0, [0.02, 0.0, 0.03], [0.05, 0.04, 0.06])
    robot, at, radius, h = Robot(bodies, base, own), [0.2, 0.1, -0.1], 0.03, 0.004
    machine = Machine(achdgen, f"definition_{base}", robot, 'friction = { viscous = { j0 = 0.3 } }, '
                      'contacts = { { name = "toe", frame = "b1", at = { 0.2, 0.1, -0.1 }, radius = 0.03 } },')
    for _ in range(4):
        s, tau = robot.random_state(), [1.5, -2.0]
        n = [random.uniform(-1, 1) for _ in XYZ]
        n = [x / dot(n, n) ** 0.5 for x in n]
        machine.set(columns_of(robot, s, tau) | {"time_step": h, "contact.toe.distance": 0.2, "contact.toe.friction": 0.7} |
                    {f"contact.toe.normal.{k}": x for k, x in zip(XYZ, n)})
        status = machine.library.begin(machine.given)
        for j in range(3):
            machine.lambda_[j] = random.uniform(-1, 1)
        status |= machine.library.end(machine.given, machine.got)
        got = machine.result()
        impulse = [h * got[f"contact.toe.force.{k}"] for k in XYZ]
        check(f"{base}: status", status == 0, status)
        check(f"{base}: the impulse along the normal", abs(dot(impulse, n) - machine.lambda_[0]) < 1e-12 and
              abs(dot(impulse, impulse) - sum(x * x for x in machine.lambda_)) < 1e-12, impulse)

        R, p = robot.base_place(s, s["v"], 0)
        Rb, o, _ = robot.places(s["q"], R, p)[2]
        point = [x.real for x in plus(plus(o, times(Rb, at)), n, -radius)]
        lever = times(list(zip(*Rb)), plus(point, o, -1))  # of the body's point that is there

        def speed(v):
            R, p = robot.base_place(s, v, 1j * EPS)
            Rb, o, _ = robot.places([x + 1j * EPS * y for x, y in zip(s["q"], v[robot.nb:])], R, p)[2]
            return [x.imag / EPS for x in plus(o, times(Rb, lever))]

        M, _, _ = robot.mass_and_forces(s)
        M[robot.nb][robot.nb] += h * 0.3
        size = len(M)
        J = [speed([1.0 * (i == c) for i in range(size)]) for c in range(size)]
        free = robot.semi_implicit(s, tau, h)["v"]
        v = plus(free, solve(M, [dot(J[c], impulse) for c in range(size)]))
        exact = columns_of(robot, robot.moved(s, [h * x for x in v], v), [])
        worst = max(abs(got[k] - x) / (1 + abs(x)) for k, x in exact.items() if k in got)
        check(f"{base}: what impulses do", worst < 1e-11, worst)
        A, b, gap = machine.begun(9, 0), machine.begun(3, 9), machine.begun(3, 12)
        along = [b[i] + dot(A[3 * i:3 * i + 3], machine.lambda_) for i in range(3)]
        seen = speed(v)
        check(f"{base}: A lambda + b", abs(along[0] - dot(n, seen)) < 1e-11 and abs(dot(along, along) - dot(seen, seen)) < 1e-10, (along, seen))
        check(f"{base}: the gap", abs(h * gap[0] - (dot(n, point) - 0.2)) < 1e-12 and gap[1:] == [0, 0], gap)


def senseless():
    """A normal of another length, a coefficient below 0 and a period of 0 are BAD_INPUT, a NaN is NOT_FINITE."""
    robot = Robot([], "floating", BOX)
    machine = Machine(achdgen, "senseless", robot, 'contacts = { { name = "c", frame = "base", radius = 0.1 } },')
    good = {"base.quat.w": 1.0, "contact.c.normal.z": 1.0, "contact.c.friction": 0.5, "time_step": 1e-3}
    for change, status in [({}, 0), ({"contact.c.normal.z": 0.0}, 16), ({"contact.c.friction": -0.1}, 16), ({"time_step": -1.0}, 16),
                           ({"contact.c.distance": math.nan}, 4)]:
        machine.set(good | change)
        said = machine.library.begin(machine.given)
        check(f"status with {change}", said == status, said)
    machine.set(good | {"time_step": 0.0})
    check("status with a period of 0", machine.library.begin(machine.given) & 16, "")
    machine.set(good)
    machine.library.begin(machine.given)
    axes, end = 16, 16 + 9 + 6 + 18 + 8  # behind A, b, gap and mu: what step_end takes
    begun = (ctypes.c_double * end).in_dll(machine.library, "begun")
    check("status of step_end", machine.library.end(machine.given, machine.got) == 0, "")
    for at in range(axes, end):
        for odd in (math.nan, math.inf):
            kept, begun[at] = begun[at], odd
            said = machine.library.end(machine.given, machine.got)
            check(f"status of step_end with {odd} in number {at} of step_begin", said & 4, said)
            begun[at] = kept


def in_batches():
    """A function of a batch in parts takes the structs of step, too."""
    write("batch.urdf", Robot([], "floating", BOX).urdf())
    write("batch.lua", f'return {{ base = "floating", groups = {{}}, {CORNERS} step = {{}} }}\n')
    made = run(achdgen, "batch.urdf", "--layout", "batch.lua", "--functions", "step_begin", "--batch", "4", "--parts", "100", "-q", "--no-prove",
               "-o", "batch.h")
    write("batch.c", '#define R_IMPLEMENTATION\n#include "batch.h"\n')
    said = run("cc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "batch.c")
    with open("batch.h", encoding="utf-8") as file:
        check("a batch in parts", made.returncode == 0 and said.returncode == 0 and "step_begin_batch_part_1" in file.read(), said.stderr[:500])


def on_slope(name, own, contacts, mu, angle, height, h=1e-3, steps=60, slides=0.0):
    """A body on a slope that falls towards x: (its velocity down the slope, the gap of the last steps) by step; normal (sin, 0, cos)."""
    robot = Robot([], "floating", own)
    machine = Machine(achdgen, name, robot, contacts)
    n, down = [math.sin(angle), 0, math.cos(angle)], [math.cos(angle), 0, -math.sin(angle)]
    values = {f"base.position.{k}": height * x for k, x in zip(XYZ, n)} | {"base.quat.w": math.cos(angle / 2), "base.quat.y": math.sin(angle / 2)}
    values |= {f"base.twist.lin_{k}": slides * x for k, x in zip(XYZ, down)} | {"time_step": h}
    for c in machine.contacts:
        values |= {f"{c}.friction": mu} | {f"{c}.normal.{k}": x for k, x in zip(XYZ, n)}
    machine.set(values)
    seen = []
    for _ in range(steps):
        status = machine.cycle([mu] * len(machine.contacts))
        x = machine.result()
        lin, ang, place = ([x[f"base.{w}{k}"] for k in XYZ] for w in ("twist.lin_", "twist.ang_", "position."))
        force = [sum(x[f"{c}.force.{k}"] for c in machine.contacts) for k in XYZ]
        seen.append((dot(lin, down), dot(place, n) - height, ang[1], dot(force, n), dot(lin, n), status))
    return seen


BOX = Body(-1, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 2.0, [0.0, 0.0, 0.0], [0.03, 0.03, 0.05])
CORNERS = "contacts = { " + ", ".join(
    f'{{ name = "c{k}", frame = "base", at = {{ {x}, {y}, -0.05 }} }}' for k, (x, y) in enumerate([(.1, .1), (.1, -.1), (-.1, .1), (-.1, -.1)])) + " },"


def slope():
    angle, mu, h = 0.5, 0.3, 1e-3
    seen = on_slope("slides", BOX, CORNERS, mu, angle, 0.05)
    a = G * (math.sin(angle) - mu * math.cos(angle))
    rates = [(y[0] - x[0]) / h for x, y in zip(seen[30:], seen[31:])]
    check("a block slides: acceleration", max(abs(x - a) for x in rates) < 1e-9, (rates, a))
    check("a block slides: velocity within mu^2 h a of t a", abs(seen[-1][0] - 60 * h * a) <= 1.001 * mu * mu * h * a + 1e-12, (seen[-1], 60 * h * a))
    check("a block slides: the gap is h mu v", max(abs(x[1] - h * mu * x[0]) for x in seen[30:]) < 1e-12, seen[-1])
    check("a block slides: it does not turn, and the slope bears m g cos", all(abs(x[2]) < 1e-9 and abs(x[3] - 2 * G * math.cos(angle)) < 1e-6
                                                                               for x in seen[30:]), seen[-1])
    seen = on_slope("sticks", BOX, CORNERS, 0.8, angle, 0.05)
    check("a block sticks", max(abs(x[0]) + abs(x[1]) for x in seen) < 1e-9, seen[-1])
    ball = Body(-1, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 2.0, [0.0, 0.0, 0.0], [0.008, 0.008, 0.008])
    seen = on_slope("rolls", ball, 'contacts = { { name = "c", frame = "base", radius = 0.1 } },', 0.8, angle, 0.1)
    a = G * math.sin(angle) / 1.4
    check("a sphere rolls", all(abs(x[0] - (k + 1) * h * a) < 1e-9 and abs(x[0] - 0.1 * x[2]) < 1e-12 and abs(x[1]) < 1e-12
                                for k, x in enumerate(seen)), seen[-1])
    check("all is well", all(x[5] == 0 for x in seen), seen[-1])


def joints():
    """A pendulum that falls on its limit, and a slide with dry friction, in one robot."""
    robot = Robot([Body(-1, [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], 2.0, [0.5, 0.0, 0.0], [0.1, 0.1, 0.1]),
                   Body(-1, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 3.0, [0.0, 0.0, 0.0], [0.1, 0.1, 0.1], slides=True)])
    machine = Machine(achdgen, "joints", robot, 'joint_limits = { j0 = { lower = -1, upper = 0.3 } }, limits = { joints = { "j0" } }, '
                      "friction = { coulomb = { j1 = 6.0 } },")
    h, high = 1e-3, -1
    machine.set({"tau.j1": 5.0, "time_step": h})
    for _ in range(1000):
        status = machine.cycle(limits=2, box=[h * 6])
        high = max(high, machine.result()["q.j0"])
    x = machine.result()
    check("a limit holds", status == 0 and 0.3 - 1e-9 < high <= 0.3 + 1e-12 and abs(x["qd.j0"]) < 1e-12, (x, high))
    check("a limit bears the weight", abs(x["tau_rows.j0"] + 2 * G * 0.5 * math.cos(0.3)) < 1e-9, x)
    check("dry friction holds", abs(x["q.j1"]) < 1e-12 and abs(x["tau_rows.j1"] + 5) < 1e-9, x)
    machine.set({"tau.j1": 9.0, "time_step": h})
    for _ in range(100):
        machine.cycle(limits=2, box=[h * 6])
    x = machine.result()
    check("dry friction in motion", abs(x["qd.j1"] - 0.1 * (9 - 6) / 3) < 1e-9 and abs(x["tau_rows.j1"] + 6) < 1e-9, x)


for BASE in ("fixed", "planar", "floating"):
    by_definition(BASE)
slope()
joints()
senseless()
in_batches()
finish()
