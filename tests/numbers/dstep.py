# SPDX-License-Identifier: MIT
"""tests/numbers/dstep.py ACHDGEN SOURCE_DIR [one]: the derivatives of dstep are the differences of a step by definition (step_oracle.py), on every
base, with substeps and large turns; those by a wrench the differences of the function step, and those in float those in double. one: a base alone, as
dstep_mutants.sh has it, which plants mistakes.
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
from directions import apart_most, difference, moved_along, random_direction, told  # noqa: E402
from step_machine import TWIST, XYZ, apart, column_of, columns_of, coordinates, from_columns  # noqa: E402
from step_oracle import Body, Robot, plus, times  # noqa: E402

random.seed(7)
os.chdir(tempfile.mkdtemp())


def random_robot(base):
    def near(size):
        return [round(random.uniform(-size, size), 3) for _ in range(3)]

    def body(parent, axis, slides=False, damping=0.0):
        return Body(parent, axis, near(0.4), round(random.uniform(0.5, 3), 3), near(0.1), [0.02, 0.025, 0.03], slides, damping)

    bodies = [body(-1, [0.0, 0.0, 1.0], damping=0.7), body(0, [0.6, 0.0, 0.8]), body(1, [1.0, 0.0, 0.0], slides=True, damping=2.5),
              body(0, [0.0, 1.0, 0.0])]
    return Robot(bodies, base, None if base == "fixed" else body(-1, [0.0, 0.0, 1.0]))


def against_oracle(base, substeps, h, fast=1.0, count=2):
    robot = random_robot(base)
    damping = ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(robot.bodies) if b.damping)
    write("random.urdf", robot.urdf())
    write("random.lua", f'return {{ base = "{base}", groups = {{}}, gravity = {{ 0, 0, -9.81 }}, friction = {{ viscous = {{ {damping} }} }}, '
          f"step = {{ substeps = {substeps} }} }}\n")
    command = [achdgen, "random.urdf", "--layout", "random.lua", "--functions", "dstep"]

    def step(s, tau):
        for _ in range(substeps):
            s = robot.semi_implicit(s, tau, h / substeps)
        return s

    states = []
    for _ in range(count):
        s = robot.random_state()
        if robot.nb == 6:
            s["v"][3:6] = [fast * x for x in s["v"][3:6]]
        states.append((s, [random.uniform(-5, 5) for _ in robot.bodies]))
    inputs = [columns_of(robot, s, tau) | {"time_step": h} for s, tau in states]
    asked = columns("dstep", command)
    answers, in_float = (evaluated("dstep", [*command, "--real", real], asked, inputs) for real in ("double", "float"))
    worst, float_worst = 0.0, 0.0
    for (s, tau), answer, single in zip(states, answers, in_float):
        check(f"{base}: status", answer["status"] == 0 and single["status"] == 0, answer["status"])
        for _ in range(4):
            e = random_direction(robot)
            told_, seen = told(robot, answer, e), difference(robot, lambda x, s=s, tau=tau, e=e: (step(*moved_along(robot, s, tau, e, x)[:2]), []), 1e-4)
            worst, float_worst = max(worst, apart_most(told_, seen)), max(float_worst, apart_most(told(robot, single, e), told_))
        end = step(s, tau)
        for key, y in columns_of(robot, end, tau).items():
            key = key.replace("q.", "q_next.", 1).replace("qd.", "qd_next.", 1).replace("base.", "base_next.", 1)
            worst = max(worst, abs(answer.get(key, y) - y) / (1 + abs(y)))
    check(f"{base}, {substeps} substeps, turns {fast:g} times as fast: derivatives", worst < 1e-9, worst)
    check(f"{base}, {substeps} substeps: in float", 0 < float_worst < 1e-3, float_worst)
    return worst, float_worst


def by_wrench():
    """Of a floating base with a mimic joint and a rotor: by the wrench on it, and by its turn, differences of the function step."""
    robot = random_robot("floating")
    write("pushed.urdf", robot.urdf().replace('<axis xyz="0.0 1.0 0.0"/>', '<axis xyz="0.0 1.0 0.0"/><mimic joint="j1" multiplier="0.7"/>'))
    robot.bodies.pop()
    write("pushed.lua", 'return { base = "floating", groups = {}, armature = { j1 = 0.1 }, wrenches = { { name = "push", frame = "b2", '
          'kind = "physical" } }, step = { time_step = 0.02 } }\n')
    command = [achdgen, "pushed.urdf", "--layout", "pushed.lua", "--functions"]
    s, tau, push, size = robot.random_state(), [1.0, -2.0, 0.5], {f"push.{k}": random.uniform(-9, 9) for k in TWIST}, 1e-5
    gravity = {"gravity.z": -9.81}
    names = coordinates(robot)
    moves = [("push", k, {f"push.{k}": 1.0}) for k in TWIST] + [("q", f"base.ang_{k}", k) for k in XYZ]
    states = []
    for _, _, how in moves:
        for sign in (size, -size):
            turned = {} if isinstance(how, dict) else columns_of(robot, robot.moved(s, [sign * (f"base.ang_{how}" == x) for x in names], s["v"]), tau)
            more = {k: push[k] + sign * x for k, x in how.items()} if isinstance(how, dict) else {}
            states.append(columns_of(robot, s, tau) | push | gravity | turned | more)
    ends = evaluated("step", [*command, "step"], columns("step", [*command, "step"]), states)
    answer = evaluated("dstep", [*command, "dstep"], columns("dstep", [*command, "dstep"]), [columns_of(robot, s, tau) | push | gravity])[0]
    for m, (by, column, _) in enumerate(moves):
        a, b = (from_columns(robot, x, "_next") for x in ends[2 * m:2 * m + 2])
        pairs = zip([[x / (2 * size) for x in apart(robot, a, b)], [(x - y) / (2 * size) for x, y in zip(a["v"], b["v"])]],
                    [column_of(answer, of, by, names, column) for of in ("q_next", "qd_next")])
        for seen, told in pairs:
            worst = max(abs(x - y) for x, y in zip(seen, told))
            check(f"by {by}, {column}", worst < 2e-8 * (1 + max(map(abs, seen))) and any(told), (worst, seen, told))


def by_parameters():
    """The recipe of docs/step.md: by a mass and a viscous friction, from dqd_next_dtau and inverse dynamics; beside differences of the step."""
    robot, h = random_robot("fixed"), 0.01
    write("fixed.urdf", robot.urdf())
    damping = ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(robot.bodies) if b.damping)
    write("fixed.lua", f"return {{ groups = {{}}, gravity = {{ 0, 0, -9.81 }}, friction = {{ viscous = {{ {damping} }} }}, step = {{}} }}\n")
    command, names = [achdgen, "fixed.urdf", "--layout", "fixed.lua", "--functions", "dstep"], coordinates(robot)
    s, tau = robot.random_state(), [1.0, -2.0, 0.5, 0.3]
    answer = evaluated("by parameters", command, columns("by parameters", command), [columns_of(robot, s, tau) | {"time_step": h}])[0]
    by_tau = [column_of(answer, "qd_next", "tau", names, column) for column in names]
    end = robot.semi_implicit(s, tau, h)["v"]
    a = [(x - y) / h for x, y in zip(end, s["v"])]

    def needed():
        M, bias, _ = robot.mass_and_forces(s)
        return plus(times(M, a), bias)

    body, size = robot.bodies[2], 1e-4
    for what, told_by in (("m", None), ("damping", [end[2] * (k == 2) for k in range(4)])):
        was, found = getattr(body, what), []
        for sign in (size, -size):
            setattr(body, what, was + sign)
            found.append((robot.semi_implicit(s, tau, h)["v"], needed()))
        setattr(body, what, was)
        told_by = told_by or [(x - y) / (2 * size) for x, y in zip(found[0][1], found[1][1])]
        seen, told_ = [(x - y) / (2 * size) for x, y in zip(found[0][0], found[1][0])], times(list(zip(*by_tau)), [-x for x in told_by])
        check(f"by {what}: as the recipe has it", apart_most(told_, seen) < 1e-7 and max(map(abs, seen)) > 1e-4, (told_, seen))


def refused():
    for words, function, what in [
            ('step = { integrator = "rk4" }', "dstep", 'this one is "rk4"'),
            ('step = { substeps = 2 }, contacts = { { name = "toe", frame = "b2" } }', "dstep", "step_begin makes one step"),
            ("step = { time_step = 1e-320 }", "dstep", "is no step of a robot's motion"),
            ('step = {}, groups = { { name = "pin", frame = "b1", kind = "physical", axes = "input", rows = { "lin_x" } } }', "dstep",
             'holds the group "pin", whose directions are not known')]:
        write("refused.lua", f"return {{ {words} }}\n")
        said = run(achdgen, "random.urdf", "--layout", "refused.lua", "-q", "--functions", function, "-o", "refused.h")
        check(f"refused: {what}", said.returncode == 1 and said.stderr.startswith("refused.lua:1: error: ") and what in said.stderr and
              "remedy: " in said.stderr and not os.path.exists("refused.h"), said.stderr)
    for function, words in (("dstep", ""), ("step_begin", 'contacts = { { name = "toe", frame = "b2" } },')):
        write("refused.lua", f"return {{ {words} groups = {{}}, step = {{}} }}\n")
        said = run(achdgen, "random.urdf", "--layout", "refused.lua", "-q", "--functions", function, "--formulation", "recursion", "-o", "refused.h")
        check(f"refused: {function} by recursion", said.returncode == 1 and f"{function} is made in joint space" in said.stderr and
              not os.path.exists("refused.h"), said.stderr)
    write("refused.lua", "return { groups = {}, limits = { acceleration = 3, period = 0.01 }, step = {} }\n")
    said = run(achdgen, "random.urdf", "--layout", "refused.lua", "-q", "--functions", "step_begin", "-o", "refused.h")
    check("refused: limits of joints without any", said.returncode == 1 and 'joint "j0" of limits has none' in said.stderr, said.stderr)


def senseless():
    write("bad.lua", 'return { base = "floating", groups = {}, gravity = { 0, 0, -9.81 }, step = {} }\n')
    command = [achdgen, "random.urdf", "--layout", "bad.lua", "--functions", "dstep"]
    own = Body(-1, [1.0, 0.0, 0.0], [0.0] * 3, 1.0, [0.0] * 3, [0.1] * 3)
    robot = Robot([Body(-1, [0.0, 0.0, 1.0], [0.0] * 3, 1.0, [0.1, 0.0, 0.0], [0.1] * 3)], "floating", own)
    write("random.urdf", robot.urdf())
    good = columns_of(robot, robot.random_state(), [0.0]) | {"time_step": 1e-3}
    states = [good, good | {"time_step": 0.0}, good | {"base.twist.ang_x": 1e5}, good | {"qd.j0": math.nan}, good | {"tau.j0": math.inf}]
    statuses = [int(x["status"]) for x in evaluated("senseless", command, columns("senseless", command), states)]
    check("statuses of senseless numbers", statuses[0] == 0 and all(x & 16 for x in statuses[1:3]) and all(x & 4 for x in statuses[3:]), statuses)


if len(sys.argv) > 3:
    against_oracle("floating", 2, 0.1, 3, 1)
    by_wrench()
else:
    for BASE in ("fixed", "planar", "floating"):
        print(BASE, *against_oracle(BASE, 1, 0.01))
    print("large turns", *against_oracle("floating", 1, 0.5, 8, 1))
    print("substeps", *against_oracle("floating", 2, 0.05, 1, 1))
    by_wrench()
    by_parameters()
    refused()
    senseless()
finish()
