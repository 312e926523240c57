# SPDX-License-Identifier: MIT
"""lqr.py COLUMNS NUMBERS: the gain K of the linear-quadratic controller about a state, from what `achdgen --functions dfd` tells of it.

Minimises the integral of 100 |q|^2 + |qd|^2 + 0.01 |tau|^2 along dx/dt = A x + B tau, by the stabilising solution S of the Riccati
equation A'S + SA - S B R^-1 B' S + Q = 0. Plain Python: the structure-preserving doubling algorithm (Chu, Fan, Lin 2005) needs
nothing but products and linear systems.
"""

import math
import sys


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def transpose(a):
    return [list(row) for row in zip(*a)]


def matrices(columns, numbers):
    """A and B, from the lines of --columns and the line of --eval; zeros that are always there have no column."""
    if math.isnan(sum(map(float, numbers.split()))):
        sys.exit("lqr.py: the robot has no linearisation there: a position is no number, or beyond what a joint can have")
    outputs = [line.split()[1] for line in columns if line.startswith("out ")]
    joints = [line.split()[1][2:] for line in columns if line.startswith("in q.")]
    value = dict(zip(outputs, map(float, numbers.split())))
    n = len(joints)

    def block(name):
        return [[value.get(f"{name}.{of}.{by}", 0.0) for by in joints] for of in joints]

    a = [[0.0] * n + [float(i == k) for k in range(n)] for i in range(n)]
    a += [by_q + by_qd for by_q, by_qd in zip(block("dqdd_dq"), block("dqdd_dqd"))]
    return a, [[0.0] * n for _ in range(n)] + block("dqdd_dtau")


def solve(m, right):
    """X of m X = right, by elimination with the largest pivot."""
    n = len(m)
    rows = [list(row) + list(more) for row, more in zip(m, right)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def gain(a, b, per_torque=0.01):
    """K = R^-1 B' S."""
    size = len(a)
    unit = [[float(i == k) for k in range(size)] for i in range(size)]
    weight = [[(100.0 if i < size // 2 else 1.0) * (i == k) for k in range(size)] for i in range(size)]
    input_cost = [[x / per_torque for x in row] for row in product(b, transpose(b))]
    # A Cayley transform makes a discrete problem with the same solution, whose horizon doubles until it rests.
    c = 10.0 + max(sum(map(abs, row)) for row in a)
    shifted = [[x - c * e for x, e in zip(row, one)] for row, one in zip(a, unit)]
    inverse = solve(shifted, unit)
    w = [[x + y for x, y in zip(r, s)]
         for r, s in zip(transpose(shifted), product(product(weight, inverse), input_cost))]
    w_inverse = solve(w, unit)
    e = [[u + 2 * c * x for u, x in zip(one, row)] for one, row in zip(unit, transpose(w_inverse))]
    g = [[2 * c * x for x in row] for row in product(product(inverse, input_cost), w_inverse)]
    h = [[2 * c * x for x in row] for row in product(product(w_inverse, weight), inverse)]
    for _ in range(60):
        left = [[u + x for u, x in zip(one, row)] for one, row in zip(unit, product(g, h))]
        step = solve(left, e)
        g_step = product(product(e, solve(left, g)), transpose(e))
        h_step = product(product(transpose(e), h), step)
        g = [[x + y for x, y in zip(r, s)] for r, s in zip(g, g_step)]
        h = [[x + y for x, y in zip(r, s)] for r, s in zip(h, h_step)]
        e = product(e, step)
        if max(abs(x) for row in h_step for x in row) < 1e-12 * max(abs(x) for row in h for x in row):
            break
    return [[x / per_torque for x in row] for row in product(transpose(b), h)]


def main():
    with open(sys.argv[1]) as columns, open(sys.argv[2]) as numbers:
        a, b = matrices(columns.read().splitlines(), numbers.readline())
    for row in gain(a, b):
        print("K", *(f"{x:.9g}" for x in row))


if __name__ == "__main__":
    main()
