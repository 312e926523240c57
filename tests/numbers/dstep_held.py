# SPDX-License-Identifier: MIT
"""tests/numbers/dstep_held.py ACHDGEN SOURCE_DIR [one]: the derivatives of dstep with closed loops and held frames are the differences of a step by
definition (held_oracle.py) on every base, with loops far open, where two Newton steps are not converged, with substeps, and of a four-bar that stays
closed. one: a planar and a floating base alone, as dstep_mutants.sh has it.
"""
import math
import os
import random
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, write  # noqa: E402
from directions import apart_most, difference, moved_along, random_direction, told  # noqa: E402
from held_oracle import XYZ, forces_of, lua_of, random_robot, step_of  # noqa: E402
from step_machine import column_of, columns_of, turn_between  # noqa: E402
from step_oracle import Body, Robot, cross, dot, plus  # noqa: E402

random.seed(5)
os.chdir(tempfile.mkdtemp())
LINEAR = ["lin_x", "lin_y", "lin_z"]
CASES = {
    "fixed": [("tie", 2, 4, ["lin_x", "ang_y", "lin_z"])],
    "planar": [("tie", 2, 4, ["ang_x", "ang_z"]), ("frame", 1, "link", ["lin_x", "ang_z"])],
    "floating": [("frame", 2, "base", LINEAR), ("frame", 4, "link", ["ang_x", "lin_z", "ang_y"]), ("tie", 4, 1, ["lin_y"])],
}


def judged(case, robot, command, step, states, h, directions, nu):
    """step(state, torques) -> the state after it, and the forces of the rows that nu names."""
    inputs = [columns_of(robot, s, tau) | {"time_step": h} for s, tau in states]
    asked = columns(case, command)
    answers, in_float = (evaluated(case, [*command, "--real", real], asked, inputs) for real in ("double", "float"))
    worst, worst_float = 0.0, 0.0
    for (s, tau), answer, single in zip(states, answers, in_float):
        check(f"{case}: status", answer["status"] == 0, answer["status"])
        for _ in range(directions):
            e = random_direction(robot)
            a, seen = told(robot, answer, e, nu=nu), difference(robot, lambda x: step(*moved_along(robot, s, tau, e, x)[:2]), 1e-4)
            worst, worst_float = max(worst, apart_most(a, seen)), max(worst_float, apart_most(told(robot, single, e, nu=nu), a))
        forces = step(s, tau)[1]
        check(f"{case}: forces", apart_most([answer[f"nu.{k}"] for k in nu], forces) < 1e-9 if nu else not any("nu" in k for k in answer), forces)
    print(case, worst, worst_float)
    check(f"{case}: derivatives", worst < 1e-8, worst)
    check(f"{case}: in float", 0 < worst_float < 2e-2, worst_float)


def tried(case, robot, groups, states, h, substeps=1):
    damping = ", ".join(f"j{k} = {b.damping!r}" for k, b in enumerate(robot.bodies) if b.damping)
    write("held.urdf", robot.urdf())
    write("held.lua", f'return {{ base = "{robot.base}", gravity = {{ 0, 0, -9.81 }}, friction = {{ viscous = {{ {damping} }} }}, '
          f"{lua_of(groups)} step = {{ substeps = {substeps} }} }}\n")

    names = [f"g{k}.{row}" for k, group in enumerate(groups) for row in group[3]] if substeps == 1 else []

    def step(s, tau):
        nu = forces_of(robot, groups, s, tau, h) if names else []
        for _ in range(substeps):
            s = step_of(robot, groups, s, tau, h / substeps)
        return s, nu

    states = [(s, [random.uniform(-5, 5) for _ in robot.bodies]) for s in states]
    judged(case, robot, [achdgen, "held.urdf", "--layout", "held.lua", "--functions", "dstep"], step, states, h, 2, names)


def open_loops(base, substeps, count):
    robot = random_robot(base)
    tried(f"{base}, {substeps} substeps", robot, CASES[base], [robot.random_state() for _ in range(count)], 0.02, substeps)


def four_bar(base):
    """Crank, coupler, rocker, and links on the pin at the ends of the two, which is a tie. Three steps close the loop, in which it moves."""
    def link(parent, x, length):
        return Body(parent, [0.0, 1.0, 0.0], [x, 0.0, 0.0], 2.0 * length, [length / 2, 0.0, 0.0], [0.001, 0.02, 0.02], damping=0.01)

    bodies = [link(-1, 0.0, 0.1), link(0, 0.1, 0.3), link(1, 0.3, 0.05), link(-1, 0.28, 0.25), link(3, 0.25, 0.05)]
    robot = Robot(bodies, base, None if base == "fixed" else link(-1, 0.0, 0.4))
    groups, s = [("tie", 4, 2, ["lin_x", "lin_z", "ang_y"])], robot.random_state()
    s |= {"q": [0.7, -1.0, 0.5, -1.2, 0.4], "v": [0.3 * x for x in s["v"][:robot.nb]] + [2.0, -1.0, 0.5, 1.0, 0.2]}
    for _ in range(3):
        s = step_of(robot, groups, s, [0.0] * 5, 0.002)
    tried(f"four-bar, {base}", robot, groups, [s], 0.002)


def balls():
    """Ball joints on both sides of a tie and under a frame: differences of the function step, along its own turns."""
    def link(name):
        x = [round(random.uniform(-0.1, 0.1), 3) for _ in range(3)]
        return (f'<link name="{name}"><inertial><origin xyz="{x[0]} {x[1]} {x[2]}"/><mass value="1"/>'
                '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>')

    def joint(name, kind, parent, child, at, more=""):
        return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{at}"/>{more}</joint>'

    write("balls.urdf", '<robot name="r"><link name="base"/>' + link("arm") + link("hand") + link("rod") + joint("a", "spherical", "base", "arm", "0 0 0.5") +
          joint("elbow", "continuous", "arm", "hand", "0.3 0 0", '<axis xyz="0 0.6 0.8"/>') +
          joint("b", "spherical", "base", "rod", "0.2 0.1 0.4") + "</robot>")
    write("balls.lua", 'return { gravity = { 0, 0, -9.81 }, groups = { { name = "bar", frame = "rod", to = "hand", rows = { "lin_x", "ang_z" } }, '
          '{ name = "pin", frame = "hand", kind = "physical", axes = "link", rows = { "lin_x", "ang_y" } } }, step = { time_step = 0.02 } }')
    command = [achdgen, "balls.urdf", "--layout", "balls.lua", "--functions"]
    joints, names = [f"{k}_{x}" for k in "ab" for x in XYZ], ("a", "b")
    joints.insert(3, "elbow")
    s = {f"{k}.{j}": random.uniform(-1, 1) for k in ("qd", "tau") for j in joints} | {"q.elbow": 0.7}
    for k in names:
        v = [random.uniform(-1, 1) for _ in range(4)]
        s |= {f"ball.{k}.{x}": y / dot(v, v) ** 0.5 for x, y in zip("wxyz", v)}

    def turned(s, d):
        there = dict(s) | {"q.elbow": s["q.elbow"] + d[3]}
        for k, turn in zip(names, (d[:3], d[4:])):
            angle, q = dot(turn, turn) ** 0.5, [s[f"ball.{k}.{x}"] for x in "wxyz"]
            r = [math.cos(angle / 2)] + [math.sin(angle / 2) / angle * x for x in turn]
            there |= dict(zip([f"ball.{k}.{x}" for x in "wxyz"], [q[0] * r[0] - dot(q[1:], r[1:])] +
                              plus(plus(cross(q[1:], r[1:]), r[1:], q[0]), q[1:], r[0])))
        return there

    def between(a, b):
        d = [y for k in names for y in plus([0.0] * 3, turn_between(*([x[f"ball_next.{k}.w"]] + [-x[f"ball_next.{k}.{i}"] for i in XYZ] for x in (a, b))), -1)]
        d.insert(3, a["q_next.elbow"] - b["q_next.elbow"])
        return d + [a[f"qd_next.{j}"] - b[f"qd_next.{j}"] for j in joints]

    e, size = [random.uniform(-1, 1) for _ in range(21)], 1e-4
    states = []
    for x in (2 * size, -2 * size, size, -size):
        there = turned(s, [x * y for y in e[:7]])
        states.append(there | {f"{k}.{j}": there[f"{k}.{j}"] + x * y for (k, j), y in zip([(k, j) for k in ("qd", "tau") for j in joints], e[7:])})
    ends = evaluated("step with balls", [*command, "step"], columns("step", [*command, "step"]), states)
    seen = [(8 * y - x) / (12 * size) for x, y in zip(between(*ends[:2]), between(*ends[2:]))]
    answer = evaluated("dstep with balls", [*command, "dstep"], columns("dstep", [*command, "dstep"]), [s])[0]
    told_, at = [0.0] * 14, 0
    for by in ("q", "qd", "tau"):
        for column in joints:
            told_ = plus(told_, [y for of in ("q_next", "qd_next") for y in column_of(answer, of, by, joints, column)], e[at])
            at += 1
    print("balls", apart_most(told_, seen))
    check("balls: derivatives", answer["status"] == 0 and apart_most(told_, seen) < 1e-8, (told_, seen))


one = len(sys.argv) > 3
for BASE in ("fixed", "planar", "floating")[1 if one else 0:]:
    open_loops(BASE, 1, 1)
if not one:
    open_loops("planar", 2, 1)
    four_bar("fixed")
    four_bar("floating")
    balls()
finish()
