"""tests/numbers/step.py ACHDGEN SOURCE_DIR: the function step is what step_oracle.py says by definition, on every base, and what theory says of
its integrators: their order, energy and momentum.
"""
import ctypes
import os
import random
import subprocess
import sys
import tempfile

achdgen, top = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(top, "tests/program"), os.path.join(top, "tests/numbers")]
from checks import check, columns, evaluated, finish, run, write  # noqa: E402
from step_oracle import Body, Robot  # noqa: E402

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


def against_oracle(base, step, h, advance, tolerance, count=6, more=""):
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

finish()
