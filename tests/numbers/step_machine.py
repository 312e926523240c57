# SPDX-License-Identifier: MIT
"""step_machine.py: a robot with contacts whose step_begin and step_end are compiled (step_impulses.c), for tests: numbers by column."""
import ctypes
import math
import os

from checks import check, columns, run, write
from step_oracle import cross

XYZ = "xyz"
TWIST = [f"{p}_{k}" for p in ("lin", "ang") for k in XYZ]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Machine:
    """words: of the layout; urdf: a file's text, nil: that of the robot; step: its words."""

    def __init__(self, achdgen, name, robot, words, urdf=None, step=""):
        groups = "" if "groups" in words else "groups = {},"
        write(f"{name}.urdf", urdf or robot.urdf())
        write(f"{name}.lua", f'return {{ name = "r", base = "{robot.base}", {groups} gravity = {{ 0, 0, -9.81 }}, {words} step = {{ {step} }} }}\n')
        command = [achdgen, f"{name}.urdf", "--layout", f"{name}.lua", "--functions", "step_begin", "-q"]
        made = run(*command, "--no-prove", "-o", f"{name}.h")
        said = run("cc", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra", f'-DHEADER="{os.path.abspath(name)}.h"', "-DR_IMPLEMENTATION", "-o",
                   f"{name}.so", os.path.join(TOP, "tests/numbers/step_impulses.c"), "-lm")
        check(f"{name}: compiled", made.returncode == 0 and said.returncode == 0, made.stderr + said.stderr)
        self.library = ctypes.CDLL(os.path.abspath(f"{name}.so"))
        self.ins = columns(name, command)[0]
        self.outs = self.columns_of_end(robot)
        size = ctypes.c_ulong.in_dll(self.library, "size_in").value
        check(f"{name}: plain structs", size == 8 * len(self.ins), (size, self.ins))
        self.rows = ctypes.c_ulong.in_dll(self.library, "rows").value
        self.lambda_ = (ctypes.c_double * self.rows).in_dll(self.library, "lambda")
        self.given, self.got = (ctypes.c_double * len(self.ins))(), (ctypes.c_double * 200)()
        self.robot, self.name = robot, name

    def columns_of_end(self, robot):
        """In the order of r_step_out: positions and velocities, then forces."""
        joints = [k[2:] for k in self.ins if k.startswith("q.")]
        names = [f"q.{j}" for j in joints] + [f"qd.{j}" for j in joints]
        if robot.nb == 3:
            names += ["base.x", "base.y", "base.yaw"] + [f"base.twist.{k}" for k in ("x", "y", "yaw")]
        if robot.nb == 6:
            names += [f"base.position.{k}" for k in XYZ] + [f"base.quat.{k}" for k in "wxyz"]
            names += [f"base.twist.{p}_{k}" for p in ("lin", "ang") for k in XYZ]
        contacts = [k[:-9] for k in self.ins if k.startswith("contact.") and k.endswith(".normal.x")]
        names += [f"{c}.force.{k}" for c in contacts for k in XYZ] + [f"tau_rows.{j}" for j in joints]
        self.contacts = contacts
        return names

    def set(self, values):
        for i, k in enumerate(self.ins):
            self.given[i] = values.get(k, 0.0)

    def begun(self, count, skip):
        return list((ctypes.c_double * (skip + count)).in_dll(self.library, "begun"))[skip:]

    def result(self):
        return dict(zip(self.outs, self.got))

    def cycle(self, mu=(), limits=0, box=()):
        status = self.library.cycle(self.given, self.got, len(self.contacts), limits, (ctypes.c_double * max(1, len(mu)))(*mu),
                                    (ctypes.c_double * max(1, len(box)))(*box))
        for k, x in self.result().items():
            if k in self.ins:
                self.given[self.ins.index(k)] = x
        return status


def columns_of(robot, s, tau):
    x = {f"q.j{k}": y for k, y in enumerate(s["q"])} | {f"qd.j{k}": y for k, y in enumerate(s["v"][robot.nb:])}
    x |= {f"tau.j{k}": y for k, y in enumerate(tau)}
    if robot.nb == 3:
        x |= {"base.x": s["p"][0], "base.y": s["p"][1], "base.yaw": s["yaw"]} | dict(zip([f"base.twist.{k}" for k in ("x", "y", "yaw")], s["v"]))
    if robot.nb == 6:
        x |= {f"base.position.{k}": y for k, y in zip(XYZ, s["p"])} | {f"base.quat.{k}": y for k, y in zip("wxyz", s["quat"])}
        x |= dict(zip([f"base.twist.{p}_{k}" for p in ("lin", "ang") for k in XYZ], s["v"]))
    return x


def coordinates(robot):
    base = {0: [], 3: ["base.x", "base.y", "base.yaw"], 6: [f"base.{k}" for k in TWIST]}[robot.nb]
    return base + [f"j{k}" for k in range(len(robot.bodies))]


def turn_between(a, b):
    """The vector of the turn that makes quaternion a of b, for small ones."""
    scalar = sum(x * y for x, y in zip(a, b))
    v = [b[0] * a[1 + k] - a[0] * b[1 + k] - x for k, x in enumerate(cross(a[1:], b[1:]))]
    size = math.sqrt(sum(x * x for x in v))
    return [x * 2 * math.atan2(size, scalar) / size if size else 0.0 for x in v]


def apart(robot, a, b):
    """What moves b to a, by coordinate."""
    d = [x - y for x, y in zip(a["q"], b["q"])]
    if robot.nb == 3:
        d = [x - y for x, y in zip([*a["p"], a["yaw"]], [*b["p"], b["yaw"]])] + d
    if robot.nb == 6:
        d = [x - y for x, y in zip(a["p"], b["p"])] + turn_between(a["quat"], b["quat"]) + d
    return d


def from_columns(robot, x, ending=""):
    """The state in columns, of the inputs, or with _next of the outputs."""
    n, base = len(robot.bodies), f"base{ending}."
    s = {"q": [x[f"q{ending}.j{k}"] for k in range(n)], "v": [x[f"qd{ending}.j{k}"] for k in range(n)]}
    if robot.nb == 3:
        s |= {"p": [x[base + "x"], x[base + "y"]], "yaw": x[base + "yaw"], "v": [x[base + "twist." + k] for k in ("x", "y", "yaw")] + s["v"]}
    if robot.nb == 6:
        s |= {"p": [x[base + "position." + k] for k in XYZ], "quat": [x[base + "quat." + k] for k in "wxyz"],
              "v": [x[base + "twist." + k] for k in TWIST] + s["v"]}
    return s


def column_of(answer, of, by, rows, column):
    """A column of a derivative; what can never differ from 0 is not there."""
    return [answer.get(f"d{of}_d{by}.{row}.{column}", 0.0) for row in rows]
