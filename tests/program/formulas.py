#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""formulas.py ACHDGEN SOURCE_DIR: the documents of --formulas, read back as the mathematics that they print, give the numbers of --eval."""
import math
import random
import re
import subprocess
import sys

achdgen, top = sys.argv[1:]
failed = checks = 0


def check(what, holds, said=""):
    global failed, checks
    checks += 1
    if not holds:
        failed += 1
        print(f"FAILED: {what}: {said}")


def run(*arguments, given=""):
    return subprocess.run([achdgen, *arguments], input=given, capture_output=True, text=True, check=False)


TOKEN = re.compile(r"\\left\(|\\right\)|\\begin\{cases\}|\\end\{cases\}|\\text\{[^}]*\}|\\mathrm\{(?:\\_|[^{}])*\}|\\[a-z]+|\\,|\\\\|[0-9.]+|\S")


class Reader:
    """One formula: a sum of products, with the precedence of mathematics."""

    def __init__(self, text, values):
        self.tokens, self.at, self.values = TOKEN.findall(text), 0, values

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token=None):
        found = self.next()
        if token is not None and found != token:
            raise ValueError(f"{found!r} where {token!r} is due, of {' '.join(self.tokens)}")
        self.at += 1
        return found

    def condition(self):
        value = self.comparison()
        while self.next() in ("\\wedge", "\\vee"):
            sign, other = self.take(), self.comparison()
            value = (value and other) if sign == "\\wedge" else (value or other)
        return value

    def comparison(self):
        value = self.sum()
        if self.next() == "<":
            self.take()
            return value < self.sum()
        if self.next() == "=":
            self.take()
            return value == self.sum()
        return value

    def sum(self):
        value = self.product(negative=self.next() == "-" and bool(self.take()))
        while self.next() in ("+", "-"):
            sign = self.take()
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self, negative=False):
        value = self.factor()
        while self.next() in ("\\,", "\\cdot"):
            self.take()
            value = value * self.factor()
        return -value if negative else value

    def group(self, opens="{", closes="}"):
        self.take(opens)
        value = self.condition()
        self.take(closes)
        return value

    def name(self, token):
        name = token[len("\\mathrm{"):-1]
        if self.next() == "_":
            self.take()
            self.take("{")
            name += "." + self.take()[len("\\mathrm{"):-1]
            self.take("}")
        return name.replace("\\_", "_")

    def factor(self):
        token = self.take()
        if token == "\\frac":
            upper = self.group()
            return upper / self.group()
        if token in ("\\sin", "\\cos"):
            return {"\\sin": math.sin, "\\cos": math.cos}[token](self.group("\\left(", "\\right)"))
        if token == "\\left(":
            value = self.condition()
            self.take("\\right)")
            return value
        if token == "\\neg":
            return not self.factor()
        if token == "\\begin{cases}":
            yes = self.condition()
            self.take("&")
            self.take("\\text{where }")
            holds = self.condition()
            self.take("\\\\")
            no = self.condition()
            self.take("&")
            self.take("\\text{else}")
            self.take("\\end{cases}")
            return yes if holds else no
        if token in ("\\text{true}", "\\text{false}"):
            return token == "\\text{true}"
        if token.startswith("\\mathrm{"):
            return self.values[self.name(token)]
        value = float(token)
        if self.next() == "^":
            self.take()
            self.take("{")
            sign = -1 if self.next() == "-" and self.take() else 1
            value = value ** (sign * int(self.take()))
            self.take("}")
        return value


def evaluated(document, values):
    """The named values of a document, from those of its inputs."""
    values, results = dict(values), {}
    for number, block in enumerate(blocks := re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", document, re.S)):
        # A line that goes on begins with &\quad.
        block = block.replace(" \\\\\n &\\quad", "")
        for line in block.split(" \\\\\n"):
            left, right = line.split(" &= ", 1)
            reader = Reader(left, values)
            name = reader.name(reader.take())
            reader = Reader(right, values)
            value = reader.condition()
            if reader.next():
                raise ValueError(f"{reader.next()!r} is left of {line}")
            (results if number == len(blocks) - 1 else values)[name] = value
    return results


def same(what, output, *arguments, allowed=1e-9):
    """The elements of an output at three states, to `allowed` of the largest."""
    said = run(*arguments, "--formulas", output)
    columns = [line.split() for line in run(*arguments, "--columns").stdout.splitlines()]
    ins = [line[1] for line in columns if line[0] == "in"]
    outs = [line[1] for line in columns if line[0] == "out"]
    check(f"{what}: a document", said.returncode == 0 and said.stdout.startswith("% ") and said.stdout.endswith("\\end{document}\n"), said.stderr)
    draw = random.Random(5)
    for _ in range(3):
        state = [draw.uniform(-1, 1) for _ in ins]
        for k, name in enumerate(ins):
            if name.startswith("mask"):
                state[k] = 1.0
        numbers = run(*arguments, "--eval", given=" ".join(map(repr, state)) + "\n").stdout.split()
        expected = dict(zip(outs, map(float, numbers)))
        read = evaluated(said.stdout, dict(zip(ins, state)))
        wanted = [name for name in outs if name == output or name.startswith(output + ".")]
        check(f"{what}: its elements", sorted(read) == sorted(wanted) and wanted, f"{sorted(read)} for {sorted(wanted)}")
        scale = max(abs(expected[name]) for name in wanted)
        worst = max(abs(read[name] - expected[name]) for name in read)
        check(f"{what}: numbers", worst <= allowed * scale, f"{worst:.3g} off, of {scale:.3g}")


robot = {name: f"{top}/robots/{name}.urdf" for name in ("gen3", "arm1dof", "quadruped", "four_bar", "youbot_arm")}
same("arm1dof, achd", "qdd", robot["arm1dof"], "--layout", f"{top}/robots/arm1dof.lua")
same("gen3, id", "tau", robot["gen3"], "--functions", "id")
same("gen3, fd", "qdd", robot["gen3"], "--functions", "fd")
same("gen3, one number of fk", "pose.tool_frame.p.x" if "pose.tool_frame.p.x" in run(robot["gen3"], "--functions", "fk", "--columns").stdout else "pose",
     robot["gen3"], "--functions", "fk")
for formulation in ("joint", "null", "early"):
    same(f"gen3, achd, {formulation}", "qdd", robot["gen3"], "--formulation", formulation)
same("four_bar, achd", "nu", robot["four_bar"], "--layout", f"{top}/robots/four_bar.lua")
same("youbot_arm, a derivative", "dqdd_dq", robot["youbot_arm"], "--functions", "dfd")
same("youbot_arm, gravity in float", "tau", robot["youbot_arm"], "--functions", "gravity", "--real", "float", allowed=1e-5)

# One wrong sign is seen.
document = run(robot["gen3"], "--functions", "id", "--formulas", "tau").stdout
at = document.index(" + ", document.index("\\begin{align*}") + 2000)
columns = [line.split()[1] for line in run(robot["gen3"], "--functions", "id", "--columns").stdout.splitlines() if line.startswith("in")]
state = dict(zip(columns, [0.3 + 0.01 * k for k in range(len(columns))]))
check("a wrong sign is seen", evaluated(document, state) != evaluated(document[:at] + " - " + document[at + 3:], state))

said = run(robot["gen3"], "--formulas", "qd")
check("no such output", said.returncode == 1 and not said.stdout and "achd has no output qd" in said.stderr and 'did you mean "qdd"?' in said.stderr, said.stderr)
said = run(robot["gen3"], "--formulas", "qdd", "--batch", "4")
check("an option of C code", said.returncode == 1 and not said.stdout and "--batch is about the C code" in said.stderr, said.stderr)
check("the same bytes again", run(robot["gen3"], "--formulas", "nu").stdout == run(robot["gen3"], "--formulas", "nu").stdout)
print(f"{checks - failed} passed, {failed} failed")
sys.exit(failed > 0)
