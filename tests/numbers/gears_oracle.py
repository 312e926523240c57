# SPDX-License-Identifier: MIT
"""gears_oracle.py: robots with geared motors in maximal coordinates, for gears.py. Every link is a body with six freedoms, every rotor a body that
turns about an axis of its own; joints, gears and joints that mimic others are equations between their accelerations. Newton's and Euler's equations
and these are solved at once:  [B A^T; A 0] [a; f] = [forces; what velocities leave].  No joint-space inertia, no recursion but that of the places.
"""
import random

from step_oracle import Body, cross, dot, plus, product, solve, times


def random_body(parent):
    def near(size):
        return [random.uniform(-size, size) for _ in range(3)]
    axis = [random.gauss(0, 1) for _ in range(3)]
    size = dot(axis, axis) ** 0.5
    axis = [x / size for x in axis]
    return Body(parent, axis, near(0.4), random.uniform(0.5, 2), near(0.1), [random.uniform(0.01, 0.02) for _ in range(3)],  # no one above the sum of the others
                slides=random.random() < 0.25)


class Machine:
    """robot: of step_oracle.py; motors: [(inertia, {joint: ratio})]; mimics: {joint: (leader, ratio)}."""

    def __init__(self, robot, motors, mimics=None):
        self.robot, self.motors, self.mimics = robot, motors, mimics or {}
        self.first = 0 if robot.nb else 1  # the first body that moves; 0 is the base
        self.count = len(robot.bodies) + 1 - self.first
        self.n = 6 * self.count + len(motors)

    def place(self, q, qd, R, p, twist):
        """Of each body: rotation, origin, joint axis, angular velocity, velocity of the origin."""
        at = self.robot.places(q, R, p)
        moves = [(twist[3:], twist[:3])]
        for k, b in enumerate(self.robot.bodies, 1):
            _, origin, axis = at[k]
            w, v = moves[b.parent + 1]
            v = plus(v, cross(w, plus(origin, at[b.parent + 1][1], -1)))
            moves.append((w, plus(v, axis, qd[k - 1])) if b.slides else (plus(w, axis, qd[k - 1]), v))
        self.at = [(real(r), o, a, w, v) for (r, o, a), (w, v) in zip(at, moves)]

    def column(self, body, i):
        return 6 * (body - self.first) + i

    def of_point(self, body, point):
        """Acceleration of a point of a body: by the unknowns (of its origin and its angle), a row an axis; and what velocities add."""
        rows, drift = [[0.0] * self.n for _ in range(3)], [0.0] * 3
        if body < self.first:
            return rows, drift
        _, origin, _, w, _ = self.at[body]
        r = plus(point, origin, -1)
        for k in range(3):
            rows[k][self.column(body, k)] = 1
            for j, e in enumerate(([1, 0, 0], [0, 1, 0], [0, 0, 1])):
                rows[k][self.column(body, 3 + j)] = cross(e, r)[k]
        return rows, cross(w, cross(w, r))

    def of_angle(self, body):
        rows = [[0.0] * self.n for _ in range(3)]
        for k in range(3 if body >= self.first else 0):
            rows[k][self.column(body, 3 + k)] = 1
        return rows

    def equations(self, qd):
        """A a = c of the joints; and by joint its own acceleration as a row and a number."""
        A, c, along = [], [], []
        for k, b in enumerate(self.robot.bodies, 1):
            parent = b.parent + 1
            _, origin, axis, _, _ = self.at[k]
            wp = self.at[parent][3]
            (mine, dm), (other, do) = self.of_point(k, origin), self.of_point(parent, origin)
            moved = [plus(x, y, -1) for x, y in zip(mine, other)]
            coriolis = [2 * x * qd[k - 1] for x in cross(wp, axis)] if b.slides else [0, 0, 0]
            shift = [x + z - y for x, y, z in zip(do, dm, coriolis)]
            turned = [plus(x, y, -1) for x, y in zip(self.of_angle(k), self.of_angle(parent))]
            spun = [0, 0, 0] if b.slides else [x * qd[k - 1] for x in cross(wp, axis)]
            t = cross(axis, [1, 0, 0] if abs(axis[0]) < 0.6 else [0, 1, 0])
            across = [t, cross(axis, t)]
            full = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            for e in across if b.slides else full:
                A.append(combine(e, moved))
                c.append(dot(e, shift))
            for e in full if b.slides else across:
                A.append(combine(e, turned))
                c.append(dot(e, spun))
            along.append((combine(axis, moved), dot(axis, shift)) if b.slides else (combine(axis, turned), dot(axis, spun)))
        for joint, (leader, ratio) in self.mimics.items():
            (x, s), (y, r) = along[joint], along[leader]
            A.append(plus(x, y, -ratio))
            c.append(s - ratio * r)
        for m, (_, gear) in enumerate(self.motors):
            row, rest = [0.0] * self.n, 0
            row[6 * self.count + m] = 1
            for joint, ratio in gear.items():
                row, rest = plus(row, along[joint][0], -ratio), rest + ratio * along[joint][1]
            A.append(row)
            c.append(-rest)
        return A, c, along

    def accelerations(self, qd, tau, tau_motor):
        """Joint accelerations (and those of the base, linear and angular) under joint and motor torques."""
        A, c, along = self.equations(qd)
        m, n = len(A), self.n
        K, right = [[0.0] * (n + m) for _ in range(n + m)], [0.0] * n + c
        for i, row in enumerate(A):
            for j, x in enumerate(row):
                K[n + i][j] = K[j][n + i] = x
        for body in range(self.first, self.count + self.first):
            b = self.robot.bodies[body - 1] if body else self.robot.own
            R, origin, _, w, _ = self.at[body]
            centre = plus(origin, times(R, b.com))
            rows, drift = self.of_point(body, centre)
            I = product([[R[i][j] * b.I[j] for j in range(3)] for i in range(3)], list(zip(*R)))
            force = [b.m * (g - d) for g, d in zip(self.robot.gravity, drift)]  # m (g - what velocities add)
            moment = [-x for x in cross(w, times(I, w))]
            turn = self.of_angle(body)
            own = range(self.column(body, 0), self.column(body, 6))
            for i in own:
                lever, spin = [row[i] for row in rows], [row[i] for row in turn]
                right[i] += dot(lever, force) + dot(spin, moment)
                spun = times(I, spin)
                for j in own:
                    K[i][j] += b.m * dot(lever, [row[j] for row in rows]) + dot(spun, [row[j] for row in turn])
        for k, x in enumerate(tau):
            for i in range(n):
                right[i] += along[k][0][i] * x
        for k, (inertia, _) in enumerate(self.motors):
            K[6 * self.count + k][6 * self.count + k] += inertia
            right[6 * self.count + k] += tau_motor[k]
        a = solve(K, right)
        return [dot(row, a[:n]) - rest for row, rest in along], a[:6] if self.first == 0 else []

    def kinetic(self, qd):
        """Of all bodies and rotors."""
        energy = 0
        for body in range(self.first, self.count + self.first):
            b = self.robot.bodies[body - 1] if body else self.robot.own
            R, _, _, w, v = self.at[body]
            at_centre = plus(v, cross(w, times(R, b.com)))
            inner = times(list(zip(*R)), w)
            energy += 0.5 * (b.m * dot(at_centre, at_centre) + sum(i * x * x for i, x in zip(b.I, inner)))
        return energy + sum(0.5 * inertia * sum(ratio * qd[k] for k, ratio in gear.items()) ** 2 for inertia, gear in self.motors)


def combine(e, rows):
    """e^T rows"""
    return [sum(x * row[j] for x, row in zip(e, rows)) for j in range(len(rows[0]))]


def real(R):
    return [[complex(x).real for x in row] for row in R]
