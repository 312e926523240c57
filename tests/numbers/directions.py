# SPDX-License-Identifier: MIT
"""directions.py: derivatives of a step along random directions in which positions, velocities, torques and a wrench change together, for dstep_held.py
and dstep_contacts.py: a direction takes four steps, where each column by itself would.
"""
import random

from step_machine import TWIST, apart, column_of, coordinates
from step_oracle import plus


def random_direction(robot, by_position=1.0, wrench=0):
    """By coordinate and input; positions by_position times as much as the rest."""
    n = robot.nb + len(robot.bodies)
    return [random.choice([-1, 1]) * random.uniform(0.5, 1) * (by_position if k < n else 1) for k in range(2 * n + len(robot.bodies) + wrench)]


def moved_along(robot, s, tau, e, size):
    """The state and torques moved by size along e, and what the wrench changes by."""
    n, nj = robot.nb + len(robot.bodies), len(robot.bodies)
    there = robot.moved(s, [size * x for x in e[:n]], plus(s["v"], e[n:2 * n], size))
    return there, plus(tau, e[2 * n:2 * n + nj], size), [size * x for x in e[2 * n + nj:]]


def difference(robot, step, size):
    """Of fourth order. step(size) -> the state after the step from where size along a direction leads, and a list of what else changes."""

    def central(x):
        (a, more_a), (b, more_b) = step(x), step(-x)
        return [y / (2 * x) for y in apart(robot, a, b) + plus(a["v"], b["v"], -1) + plus(more_a, more_b, -1)]

    return [(4 * y - x) / 3 for x, y in zip(central(2 * size), central(size))]


def told(robot, answer, e, wrench=None, rows=0, nu=()):
    """The same by the derivatives of dstep; wrench: its name; rows: of impulses; nu: names of held rows."""
    names = coordinates(robot)
    by = [("q", names), ("qd", names), ("tau", names[robot.nb:])] + ([(wrench, TWIST)] if wrench else [])
    change, at = [0.0] * (2 * len(names) + rows + len(nu)), 0
    for what, columns in by:
        for k, column in enumerate(columns):
            of = column_of(answer, "q_next", what, names, column) + column_of(answer, "qd_next", what, names, column)
            of += [answer.get(f"dlambda_d{what}.{j * len(columns) + k}", 0.0) for j in range(rows)] + column_of(answer, "nu", what, nu, column)
            change = plus(change, of, e[at])
            at += 1
    return change


def apart_most(a, b):
    return max(abs(x - y) for x, y in zip(a, b)) / (1 + max(map(abs, b)))
