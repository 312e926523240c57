# SPDX-License-Identifier: MIT
"""gappa.py SCRIPT STATES BOUND: a script of --gappa, evaluated here: every line with rnd= in Python's doubles, every other
one in fractions. At random points of its box |computed - exact| must be below BOUND, and not below by more than a factor
of 10^4 everywhere. gappa.py SCRIPT value VALUE: at the centre of a box of no width what is computed must be VALUE."""

import random
import re
import sys
from fractions import Fraction

lines = open(sys.argv[1]).read().splitlines()
ask_value = sys.argv[2] == "value"
states, bound = (1, float("inf")) if ask_value else (int(sys.argv[2]), float(sys.argv[3]))
rounded, exact, box = [], [], {}
for line in lines:
    if m := re.match(r"(\w+) (rnd)?= (.*);$", line):
        name, rounds, right = m.groups()
        if right.startswith("rnd(R"):
            continue
        parts = right.split(" ")
        (rounded if rounds or not name.startswith("M") else exact).append((name, parts))
    for name, low, high in re.findall(r"(x\d+) in \[(\S+), (\S+)\]", line):
        box[name] = (float.fromhex(low), float.fromhex(high))
goal = re.search(r"(\w+) - (\w+) in \?", lines[-1]).groups()


def value_of(word, values, number):
    sign = -1 if word.startswith("-") else 1
    word = word.lstrip("-").strip("()")
    if word in values:
        return sign * values[word]
    return sign * number(float.fromhex(word))


def run(statements, values, number):
    for name, parts in statements:
        a = value_of(parts[0], values, number)
        if len(parts) == 3:
            b = value_of(parts[2], values, number)
            a = {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[parts[1]](b)
        values[name] = a


random.seed(1)
worst = 0.0
for i in range(states):
    x = {n: (l + h) / 2 if i == 0 else random.uniform(l, h) for n, (l, h) in box.items()}
    values = dict(x)
    run(rounded, values, float)
    exactly = {n: Fraction(v) for n, v in x.items()}
    run(exact, exactly, Fraction)
    error = abs(float(Fraction(values[goal[0]]) - exactly[goal[1]]))
    if error > bound:
        sys.exit(f"state {i}: {error} is more than {bound}")
    worst = max(worst, error)
    if ask_value:
        wanted = float(sys.argv[3])
        sys.exit(0 if abs(values[goal[0]] - wanted) <= 1e-9 * (1 + abs(wanted)) else f"{values[goal[0]]} is not {wanted}")
if worst < 1e-4 * bound or worst == 0:
    sys.exit(f"nothing comes near {bound}: {worst}")
print(f"bound {bound:.1e}, largest error of {states} states {worst:.1e}")
