# SPDX-License-Identifier: MIT
"""tests/numbers/step_held.py ACHDGEN SOURCE_DIR: closed loops and held frames in a step with contacts: step_begin and step_end, with any impulses,
by the definition of step_oracle.py on every base; a four-bar that falls on a floor and stays closed; frames that stay where they stand.
"""
import math
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from held_oracle import UNIT, XYZ, Rows, allowed, lua_of, random_robot, step_of  # noqa: E402
from step_machine import Machine, columns_of  # noqa: E402
from step_oracle import EPS, Body, Robot, dot, plus, solve, times  # noqa: E402

random.seed(21)
os.chdir(tempfile.mkdtemp())
FLOOR = {"contact.toe.normal.z": 1.0, "contact.toe.friction": 0.5}


GROUPS = {"fixed": [("tie", 2, 4, ["lin_x", "lin_z"])], "planar": [("tie", 2, 4, ["lin_y"]), ("frame", 1, "link", ["lin_x", "lin_z"])],
          "floating": [("frame", 2, "base", ["lin_x", "lin_y", "lin_z"]), ("frame", 4, "link", ["ang_x", "lin_z"])]}


def by_definition(base):
    robot, groups, h = random_robot(base), GROUPS[base], 0.004
    damping = "friction = { viscous = { " + ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(robot.bodies) if b.damping) + " } },"
    machine = Machine(achdgen, f"held_{base}", robot, damping + lua_of(groups) +
                      'contacts = { { name = "toe", frame = "b4", at = { 0.2, 0.1, -0.1 } } },')
    write("step.lua", f'return {{ base = "{base}", gravity = {{ 0, 0, -9.81 }}, {damping} {lua_of(groups)} }}\n')
    command = [achdgen, f"held_{base}.urdf", "--layout", "step.lua", "--functions", "step"]
    states = [(robot.random_state(), [random.uniform(-5, 5) for _ in robot.bodies]) for _ in range(3)]
    answers = evaluated("step", command, columns("step", command), [columns_of(robot, s, tau) | {"time_step": h} for s, tau in states])
    in_float = evaluated("float", [*command, "--real", "float"], columns("step", command),
                         [columns_of(robot, s, tau) | {"time_step": h} for s, tau in states])
    worst, coarse, impulses = 0.0, 0.0, 0.0
    for (s, tau), answer, single in zip(states, answers, in_float):
        for key, x in columns_of(robot, step_of(robot, groups, s, tau, h), []).items():
            key = key.replace("q.", "q_next.", 1).replace("qd.", "qd_next.", 1).replace("base.", "base_next.", 1)
            worst, coarse = max(worst, abs(answer[key] - x) / (1 + abs(x))), max(coarse, abs(single[key] - x) / (1 + abs(x)))
        check(f"{base}: status of step", answer["status"] == 0, answer["status"])

        machine.set(columns_of(robot, s, tau) | FLOOR | {"time_step": h})
        status = machine.library.begin(machine.given)
        for j in range(3):
            machine.lambda_[j] = random.uniform(-1, 1)
        status |= machine.library.end(machine.given, machine.got)
        got = machine.result()
        impulse = [h * got[f"contact.toe.force.{k}"] for k in XYZ]
        size = robot.nb + len(robot.bodies)

        def speed(v):
            place = Rows(robot, [], s).places(s, v, 1j * EPS)[5]
            return [complex(x).imag / EPS for x in plus(place[1], times(place[0], [0.2, 0.1, -0.1]))]

        J = [speed([1.0 * (i == c) for i in range(size)]) for c in range(size)]
        exact = step_of(robot, groups, s, tau, h, lambda M: solve(M, [dot(column, impulse) for column in J]))
        for key, x in columns_of(robot, exact, []).items():
            if key in got:
                impulses = max(impulses, abs(got[key] - x) / (1 + abs(x)))
        check(f"{base}: status", status == 0, status)
        A, b = machine.begun(9, 0), machine.begun(3, 9)
        along = [b[i] + dot(A[3 * i:3 * i + 3], machine.lambda_) for i in range(3)]
        M, _, _ = robot.mass_and_forces(s)
        for j, body in enumerate(robot.bodies):
            M[robot.nb + j][robot.nb + j] += h * body.damping
        held = Rows(robot, groups, s).at(s, True)[1]
        free = allowed(held, M, robot.semi_implicit(s, tau, h)["v"])
        seen = speed(plus(free, allowed(held, M, solve(M, [dot(column, impulse) for column in J]))))
        check(f"{base}: A lambda + b", max(abs(x * x - y * y) for x, y in [(math.hypot(*along), math.hypot(*seen))]) < 1e-9 and
              abs(along[0] - seen[2]) < 1e-10, (along, seen))
    print(base, worst, coarse, impulses)
    check(f"{base}: step by definition", worst < 1e-10, worst)
    check(f"{base}: step in float", 0 < coarse < 2e-2, coarse)
    check(f"{base}: what impulses do", impulses < 1e-10, impulses)
    if base == "floating":
        stands(robot, groups, machine)


def falling_four_bar():
    """On a floating base: it falls on the floor on three spheres, and its loop is closed after each step."""
    with open(os.path.join(top, "robots/four_bar.urdf"), encoding="utf-8") as file:
        urdf = file.read()
    robot = Robot([Body(-1, UNIT[1], [0.0] * 3, 0.3, [0.05, 0, 0], [2e-5, 3e-4, 3e-4])] * 3, "floating", None)
    robot.bodies, robot.nb = [], 6
    points = ", ".join(f'{{ name = "{name}", frame = "{frame}", at = {{ {at} }}, radius = 0.02 }}' for name, frame, at in [
        ("a", "ground", "-0.1, 0.1, 0"), ("b", "ground", "-0.1, -0.1, 0"), ("c", "coupler_pin", "0, 0, 0")])
    machine = Machine(achdgen, "four_bar", robot, 'groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", '
                      f'rows = {{ "lin_x", "lin_z" }} }} }}, contacts = {{ {points} }},', urdf)
    values = {"base.position.z": 0.25, "base.quat.w": math.cos(0.4), "base.quat.x": math.sin(0.4), "base.twist.ang_y": 2.0, "time_step": 1e-3}
    joints = [k[2:] for k in machine.ins if k.startswith("q.")]
    q = [0.7, -1.0, -1.2]

    def gap(q):
        crank, both, rocker = q[0], q[0] + q[1], q[2]
        return (0.1 * math.cos(crank) + 0.3 * math.cos(both) - 0.28 - 0.25 * math.cos(rocker),
                -0.1 * math.sin(crank) - 0.3 * math.sin(both) + 0.25 * math.sin(rocker))

    for _ in range(20):
        both, r = q[0] + q[1], gap(q)
        d = solve([[-0.3 * math.sin(both), 0.25 * math.sin(q[2])], [-0.3 * math.cos(both), 0.25 * math.cos(q[2])]], [-x for x in r])
        q = [q[0], q[1] + d[0], q[2] + d[1]]
    for c in machine.contacts:
        values |= {f"{c}.normal.z": 1.0, f"{c}.friction": 0.5}
    machine.set(values | {f"q.{j}": x for j, x in zip(joints, q)})
    open_, deepest, pushed_by, weight = 0.0, 0.0, 0.0, 9.81 * sum(float(x.split('"')[1]) for x in urdf.split("<mass value=")[1:])
    for _ in range(600):
        status = machine.cycle([0.5] * 3)
        x = machine.result()
        deepest = min(deepest, min(1e-3 * machine.begun(9, 90)[3 * k] for k in range(3)))
        open_ = max(open_, *map(abs, gap([x[f"q.{j}"] for j in joints])))
        pushed_by = sum(x[f"{c}.force.z"] for c in machine.contacts)
        check("four-bar on the floor: status", status == 0, status)
    print("four-bar", open_, deepest, pushed_by)
    check("four-bar on the floor: its loop is closed to 1e-12", open_ < 1e-12, open_)
    check("four-bar on the floor: it lies there", abs(pushed_by - weight) < 1e-3 * weight and deepest > -1e-3, (pushed_by, deepest))


def stands(robot, groups, machine):
    """A frame that is held in three directions stays where it stands, in 300 steps in which the robot swings about it."""
    s = robot.random_state()
    machine.set(columns_of(robot, s, [0.0] * len(robot.bodies)) | FLOOR | {"contact.toe.distance": -99.0, "time_step": 1e-3})
    start, away = Rows(robot, groups[:1], s), 0.0
    for k in range(300):
        status = machine.cycle([0.5])
        x = machine.result()
        if k % 10 == 9:
            now = {"q": [x[f"q.j{k}"] for k in range(len(robot.bodies))], "p": [x[f"base.position.{k}"] for k in XYZ],
                   "quat": [x[f"base.quat.{k}"] for k in "wxyz"]}
            away = max(away, *map(abs, start.at(now, True)[0]))
        check("stands: status", status == 0, status)
    moved = max(abs(a - b) for a, b in zip(now["p"], s["p"]))
    print("stands", away, moved)
    check("stands: the frame to 1e-12, the base moves", away < 1e-12 and moved > 0.02, (away, moved))


def refused():
    write("refused.urdf", random_robot("floating").urdf())
    for group, step, what in [
            ('frame = "b4", kind = "physical", axes = "input"', "", 'step holds the group "foot", whose directions are not known before it runs'),
            ('frame = "b4", kind = "physical", compliance = 1e-4', "", 'step holds the group "foot", whose rows are soft'),
            ('frame = "b4", kind = "physical"', 'integrator = "rk4"', 'the group "foot" is held in steps of the integrator semi_implicit'),
            ('joint = "j4", kind = "physical"', "", 'step holds the group "foot", whose rows are along joints'),
            ('frame = "b4"', 'loops = { "foot" }', 'the group "foot" is artificial')]:
        rows = "" if "joint" in group else ', rows = { "lin_x" }'
        write("refused.lua", f'return {{ base = "floating", groups = {{ {{ name = "foot", {group}{rows} }} }}, step = {{ {step} }} }}\n')
        said = run(achdgen, "refused.urdf", "--layout", "refused.lua", "-q", "--functions", "step", "-o", "refused.h")
        check(f"refused: {what}", said.returncode == 1 and said.stderr.startswith("refused.lua:1: error: ") and what in said.stderr and
              "remedy: " in said.stderr and not os.path.exists("refused.h"), said.stderr)


for BASE in ("fixed", "planar", "floating"):
    by_definition(BASE)
falling_four_bar()
refused()
finish()
